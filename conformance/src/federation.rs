//! What the gateway declares of itself: `OPTIONS {base}/` (§7a.2).

use serde_json::Value;

use crate::verdict::Finding;

/// The self-description, as it came.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) body: Value,
}

/// A member as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) node_id: Option<String>,
    pub(crate) organisation: Option<String>,
    pub(crate) system_id: Option<String>,
    pub(crate) status: Option<String>,
}

impl Declared {
    /// A value by its JSON pointer below `federation`.
    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.body.pointer(&format!("/federation{pointer}")).unwrap_or(&Value::Null)
    }

    pub(crate) fn text(&self, pointer: &str) -> Option<&str> {
        self.at(pointer).as_str()
    }

    pub(crate) fn flag(&self, pointer: &str) -> bool {
        self.at(pointer).as_bool().unwrap_or(false)
    }

    /// Is this text in the declared list?
    pub(crate) fn lists(&self, pointer: &str, wanted: &str) -> bool {
        self.at(pointer).as_array().is_some_and(|list| list.iter().any(|item| item.as_str() == Some(wanted)))
    }

    /// The declared members.
    pub(crate) fn members(&self) -> Result<Vec<Member>, Finding> {
        let list = self.body.get("endpoints").and_then(Value::as_array);
        let list = list.ok_or_else(|| Finding::failed("OPTIONS has no endpoints[]"))?;
        list.iter().map(member).collect()
    }
}

fn member(entry: &Value) -> Result<Member, Finding> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    let id = text("id").ok_or_else(|| Finding::failed("an entry of endpoints[] in OPTIONS has no id"))?;
    let (node_id, organisation) = (text("node_id"), text("organisation"));
    Ok(Member { id, node_id, organisation, system_id: text("system_id"), status: text("status") })
}
