//! An endpoint's attributes as cells (§9.3, N12, CP-37).

use crate::plan::EndpointAttribute;
use crate::registry::Endpoint;

/// One attribute as a JSON string.
pub(super) fn attribute_cell(endpoint: &Endpoint, attribute: EndpointAttribute) -> Vec<u8> {
    let text = match attribute {
        EndpointAttribute::EndpointId => endpoint.id.as_str(),
        EndpointAttribute::Organisation => endpoint.organisation.as_str(),
        EndpointAttribute::SystemId => endpoint.node.system_id.as_str(),
        EndpointAttribute::NodeId => endpoint.node.id.as_str(),
        EndpointAttribute::Url => endpoint.url.as_str(),
    };
    let mut cell = Vec::with_capacity(text.len() + 2);
    super::order::write_text(text.as_bytes(), &mut cell);
    cell
}
