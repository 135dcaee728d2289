//! A whole federation in memory: the nodes, who is known where, and one node that holds everything, to compare with.
//!
//! ```
//! use tributary_sandbox::federation::{Federation, Merge};
//! use tributary_sandbox::synthetic::Plan;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let federation = Federation::start(Plan { seed: 7, nodes: 2, patients: 4, ..Plan::default() }.generate()).await?;
//! let patient = &federation.patients()[0];
//! assert_eq!(patient.holdings.len(), 2);
//!
//! // Ask the nodes over HTTP at `federation.node("node-a").url()`, and the one node that holds everything here:
//! let oracle = federation.oracle(Merge::OneRecord);
//! let subject = &patient.value;
//! let rows = oracle.rows(&format!(
//!     "SELECT COUNT(*) FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = '{subject}'"
//! ))?;
//! assert_eq!(rows.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write;
use std::io;

use crate::eval::{EvalError, Settings, evaluate};
use crate::model::Repository;
use crate::node::{Node, NodeConfig};
use crate::synthetic::{Dataset, Member, Patient};
use crate::synthetic::{about, one_record};
use crate::value::Json;

/// A running federation; its nodes stop when it is dropped.
#[derive(Debug)]
pub struct Federation {
    members: Vec<Member>,
    patients: Vec<Patient>,
    nodes: Vec<Node>,
}

/// How the records of one patient are laid together in the one node that holds everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// One record with the compositions of all: what a single CDR would hold.
    OneRecord,
    /// One record for each member, all under one `ehr_id`: a query that joins compositions joins them within a member,
    /// and a row of the record itself comes once for each, as in a federation.
    Parts,
}

impl Federation {
    /// Starts a node for each member. Needs a tokio runtime.
    ///
    /// # Errors
    /// A node gets no port.
    pub async fn start(data: Dataset) -> io::Result<Federation> {
        let mut nodes = Vec::with_capacity(data.members.len());
        for member in &data.members {
            let config = NodeConfig::new(member.node_id.clone(), member.dialect);
            nodes.push(Node::start(config, member.repository.clone()).await?);
        }
        Ok(Federation { members: data.members, patients: data.patients, nodes })
    }

    /// The nodes, by endpoint id.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The members, in the order of the nodes. What they held at the start; for now, see [`Node::snapshot`].
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The node of this `node_id` or `endpoint_id`.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<&Node> {
        let at = self.members.iter().position(|member| member.node_id == id || member.endpoint_id == id)?;
        self.nodes.get(at)
    }

    /// The patients, and where there is a record of each.
    #[must_use]
    pub fn patients(&self) -> &[Patient] {
        &self.patients
    }

    /// Did any node receive the text, under any encoding? Names the node and the encoding.
    #[must_use]
    pub fn leak(&self, text: &str) -> Option<String> {
        self.nodes.iter().find_map(|node| Some(format!("{} received it {}", node.id(), node.journal().find(text)?)))
    }

    /// One node that holds everything the nodes hold now. Each patient is one subject there, under the identifier of the
    /// federation and the `ehr_id` of their first record.
    #[must_use]
    pub fn oracle(&self, merge: Merge) -> Oracle {
        self.oracle_with(merge, |patient| patient.holdings.first().map(|held| held.ehr_id.clone()).unwrap_or_default())
    }

    /// The same, each patient under an `ehr_id` of one's choice.
    #[must_use]
    pub fn oracle_with(&self, merge: Merge, ehr_id: impl Fn(&Patient) -> String) -> Oracle {
        let held: Vec<Repository> = self.nodes.iter().map(Node::snapshot).collect();
        Oracle::of(&self.members, &held, &self.patients, merge, ehr_id)
    }

    /// A configuration for the gateway, in TOML: the registry of these nodes and the static cross-reference of the patients.
    #[must_use]
    pub fn gateway_config(&self, listen: &str) -> String {
        self.gateway_settings(listen) + &self.static_identities()
    }

    /// The same without a cross-reference, for one to be added.
    #[must_use]
    pub fn gateway_settings(&self, listen: &str) -> String {
        format!(
            "[server]\nlisten = \"{listen}\"\n\n[federation]\nid = \"sandbox\"\nalias = \"tributary-sandbox\"\n\
             default_namespace = \"urn:oid:2.999.1\"\n{}",
            self.registry()
        )
    }

    /// The static cross-reference of the patients, in TOML.
    #[must_use]
    pub fn static_identities(&self) -> String {
        let mut out = String::from("\n[identity]\ncrossref = \"static\"\n");
        for (patient, held) in self.patients.iter().flat_map(|patient| patient.holdings.iter().map(move |held| (patient, held))) {
            let (namespace, value) = (&patient.namespace, &patient.value);
            let (node, ehr_id) = (&held.node_id, &held.ehr_id);
            let _ = write!(
                out,
                "\n[[identity.static]]\nnamespace = \"{namespace}\"\nvalue = \"{value}\"\nnode = \"{node}\"\nehr_id = \"{ehr_id}\"\n"
            );
        }
        out
    }

    /// The registry of these nodes, in TOML.
    #[must_use]
    pub fn registry(&self) -> String {
        let mut out = String::new();
        for (member, node) in self.members.iter().zip(&self.nodes) {
            let Member { node_id, endpoint_id, organisation, dialect, .. } = member;
            let ordering = dialect.ordering();
            let (system, url) = (node.system_id(), node.url());
            let _ = write!(
                out,
                "\n[[organisation]]\nid = \"{organisation}\"\nname = \"Organisation {organisation}\"\n\
                 \n[[node]]\nid = \"{node_id}\"\nsystem_id = \"{system}\"\n\
                 \n[[endpoint]]\nid = \"{endpoint_id}\"\nnode = \"{node_id}\"\norganisation = \"{organisation}\"\nurl = \"{url}\"\nordering = \"{ordering}\"\n"
            );
        }
        out
    }
}

/// One node that holds everything, to be asked without HTTP.
#[derive(Clone, Debug)]
pub struct Oracle {
    repository: Repository,
    settings: Settings,
}

/// Why the oracle does not answer.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The text is no AQL.
    #[error("the query does not parse: {0}")]
    Parse(String),
    /// It is, and is not answered.
    #[error(transparent)]
    Eval(#[from] EvalError),
}

impl Oracle {
    /// Lays together what the members hold.
    pub fn of(
        members: &[Member],
        held: &[Repository],
        patients: &[Patient],
        merge: Merge,
        ehr_id: impl Fn(&Patient) -> String,
    ) -> Oracle {
        let marked: Vec<Repository> =
            members.iter().zip(held).map(|(member, held)| held.clone().with_origin(&member.endpoint_id)).collect();
        let mut repository = Repository::new("federation.example.org");
        for patient in patients {
            let id = ehr_id(patient);
            let records = patient.holdings.iter().filter_map(|held| marked.get(held.member)?.ehr(&held.ehr_id).cloned());
            match merge {
                Merge::OneRecord => one_record(&id, patient, records.collect()).into_iter().for_each(|ehr| repository.adopt(ehr)),
                Merge::Parts => records.for_each(|record| repository.adopt(about(&id, patient, record))),
            }
        }
        Oracle { repository, settings: Settings::default() }
    }

    /// The same without starting nodes: for tests of pure parts.
    #[must_use]
    pub fn of_dataset(data: &Dataset, merge: Merge) -> Oracle {
        let held: Vec<Repository> = data.members.iter().map(|member| member.repository.clone()).collect();
        let first = |patient: &Patient| patient.holdings.first().map(|held| held.ehr_id.clone()).unwrap_or_default();
        Oracle::of(&data.members, &held, &data.patients, merge, first)
    }

    /// What it holds.
    #[must_use]
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The rows of its answer.
    ///
    /// # Errors
    /// The text is no AQL, or is not answered.
    pub fn rows(&self, aql: &str) -> Result<Vec<Vec<Json>>, OracleError> {
        let query = openehr_aql::parse(aql).map_err(|error| OracleError::Parse(error.to_string()))?;
        let answer = evaluate(&query, &self.repository, &self.settings)?;
        Ok(answer.rows.into_iter().map(|row| row.into_iter().map(std::borrow::Cow::into_owned).collect()).collect())
    }

    /// The rows of its answer, each as JSON text.
    ///
    /// # Errors
    /// As [`Oracle::rows`].
    pub fn lines(&self, aql: &str) -> Result<Vec<String>, OracleError> {
        Ok(self.rows(aql)?.into_iter().map(|row| Json::Array(row).to_string()).collect())
    }
}
