//! One run against one gateway: how it is asked, and the answers that many checks look at, each asked once.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use tokio::sync::OnceCell;

use crate::answer::Answer;
use crate::arguments::{Arguments, ArgumentsError};
use crate::client::{Ask, Client, Reply, Request};
use crate::federation::{Declared, Member};
use crate::hooks::{self, Fault};
use crate::identifier::{self, Redactor};
use crate::journal::{Journal, Recording};
use crate::query::{NAMESPACE, Query, SUBJECT, UID, literal};
use crate::verdict::{Finding, Verdict, applies, ensure};

/// Everything a check may use.
pub struct Session {
    pub(crate) client: Client,
    pub(crate) arguments: Arguments,
    pub(crate) unknown_patient: String,
    pub(crate) journals: Vec<Journal>,
    pub(crate) faults: Vec<Fault>,
    redactor: Arc<Redactor>,
    declared: OnceCell<Declared>,
    plain: OnceCell<Answer>,
    unknown: OnceCell<Answer>,
    directed: OnceCell<Answer>,
    numbers: OnceCell<Answer>,
    faulted: OnceCell<Vec<Faulted>>,
}

/// What the gateway said while one node failed, and after.
pub(crate) struct Faulted {
    pub(crate) default: Reply,
    pub(crate) partial: Reply,
    pub(crate) after: Reply,
}

impl Session {
    /// A run as the command line asks for it; nothing is sent yet.
    ///
    /// # Errors
    /// When the command line cannot be used.
    pub fn new(arguments: Arguments) -> Result<Self, ArgumentsError> {
        let random = || format!("nobody-{}", uuid::Uuid::new_v4().simple());
        let unknown_patient = arguments.unknown_patient.clone().unwrap_or_else(random);
        let usable = |text: &str| (1..=512).contains(&text.len());
        if !usable(&arguments.patient) || !usable(&unknown_patient) || arguments.patient == unknown_patient {
            return Err(ArgumentsError::Patient);
        }
        if arguments.hook_break.len() != arguments.hook_mend.len() {
            return Err(ArgumentsError::Hooks(arguments.hook_break.len(), arguments.hook_mend.len()));
        }
        let pairs = arguments.hook_break.iter().zip(&arguments.hook_mend);
        let faults = pairs.map(|(make, mend)| Fault { make: make.clone(), mend: mend.clone() }).collect();
        let redactor = Arc::new(Redactor::new([arguments.patient.as_str(), unknown_patient.as_str()]));
        Ok(Session {
            client: Client::new(&arguments, redactor.clone())?,
            journals: arguments.node_journals.iter().map(|text| Journal::parse(text)).collect(),
            unknown_patient,
            faults,
            redactor,
            arguments,
            declared: OnceCell::new(),
            plain: OnceCell::new(),
            unknown: OnceCell::new(),
            directed: OnceCell::new(),
            numbers: OnceCell::new(),
            faulted: OnceCell::new(),
        })
    }

    /// The text without any identifier: the only way evidence leaves.
    #[must_use]
    pub fn clean(&self, text: &str) -> String {
        self.redactor.clean(text)
    }

    /// The gateway's address.
    #[must_use]
    pub fn base(&self) -> &str {
        self.client.base()
    }

    // --- queries

    /// A selection over the patient's compositions.
    pub(crate) fn about_patient(&self, select: impl Into<String>) -> Query {
        self.about(select, &self.arguments.patient)
    }

    /// The same about whoever has this identifier.
    pub(crate) fn about(&self, select: impl Into<String>, identifier: &str) -> Query {
        self.in_namespace(Query::select(select).and(format!("{SUBJECT} = {}", literal(identifier))))
    }

    /// With the identifier's namespace, when one was given.
    pub(crate) fn in_namespace(&self, query: Query) -> Query {
        match &self.arguments.namespace {
            Some(namespace) => query.and(format!("{NAMESPACE} = {}", literal(namespace))),
            None => query,
        }
    }

    /// The numbers of the patient's record.
    pub(crate) fn number_query(&self, select: impl Into<String>) -> Query {
        self.about_patient(select).containing(&self.arguments.number_contains)
    }

    // --- asking

    pub(crate) async fn send(&self, request: Request) -> Result<Reply, Finding> {
        self.client.send(request).await
    }

    pub(crate) async fn ask(&self, ask: Ask) -> Result<Reply, Finding> {
        self.send(ask.request()).await
    }

    pub(crate) async fn query(&self, query: &Query) -> Result<Reply, Finding> {
        self.ask(Ask::new(query)).await
    }

    pub(crate) async fn answer(&self, query: &Query) -> Result<Answer, Finding> {
        self.query(query).await?.answer()
    }

    // --- what many checks look at

    /// `OPTIONS {base}/`.
    pub(crate) async fn declared(&self) -> Result<&Declared, Finding> {
        let ask = || async {
            let reply = self.send(Request::new(Method::OPTIONS, "/")).await?;
            reply.expect(&[200])?;
            Ok(Declared { body: reply.json()? })
        };
        self.declared.get_or_try_init(ask).await
    }

    pub(crate) async fn members(&self) -> Result<Vec<Member>, Finding> {
        self.declared().await?.members()
    }

    /// The patient's compositions, by version uid.
    pub(crate) async fn plain(&self) -> Result<&Answer, Finding> {
        self.plain.get_or_try_init(|| async { self.answer(&self.uids()).await }).await
    }

    pub(crate) fn uids(&self) -> Query {
        self.about_patient(format!("{UID} AS uid"))
    }

    /// The compositions of somebody no member knows.
    pub(crate) async fn unknown(&self) -> Result<&Answer, Finding> {
        let query = || self.about(format!("{UID} AS uid"), &self.unknown_patient);
        self.unknown.get_or_try_init(|| async { self.answer(&query()).await }).await
    }

    /// The patient's compositions at one endpoint, by header.
    pub(crate) async fn directed(&self) -> Result<&Answer, Finding> {
        let ask = || async {
            let endpoint = self.holder().await?;
            self.ask(Ask::new(self.uids()).header(ENDPOINT, endpoint)).await?.answer()
        };
        self.directed.get_or_try_init(ask).await
    }

    /// The answers in which the rules for every report are looked for.
    pub(crate) async fn samples(&self) -> Result<[(&'static str, &Answer); 3], Finding> {
        let (plain, unknown) = (self.plain().await?, self.unknown().await?);
        Ok([
            ("about the patient", plain),
            ("about an unknown patient", unknown),
            ("directed to one endpoint", self.directed().await?),
        ])
    }

    /// The numbers of the patient's record in the second column. The uid beside them keeps rows without a number: some
    /// repositories drop a row that is all null, and that is no fault of a gateway.
    pub(crate) async fn numbers(&self) -> Result<&Answer, Finding> {
        let query = || self.number_query(format!("{UID} AS uid, {} AS number", self.arguments.number_path));
        self.numbers.get_or_try_init(|| async { self.answer(&query()).await }).await
    }

    /// An endpoint with rows of the patient.
    pub(crate) async fn holder(&self) -> Result<String, Finding> {
        let first = self.holders().await?.into_iter().next();
        first.ok_or_else(|| Finding::not_applicable("no endpoint answered rows about --patient"))
    }

    /// The endpoints with rows of the patient; all active ones where no `row_count` says which.
    pub(crate) async fn holders(&self) -> Result<Vec<String>, Finding> {
        let lines = self.plain().await?.endpoints()?;
        let holds = |line: &crate::answer::Line| line.is("active") && line.row_count.as_u64() != Some(0);
        Ok(lines.into_iter().filter(holds).map(|line| line.id).collect())
    }

    /// Two endpoints holding the patient.
    pub(crate) async fn two_holders(&self) -> Result<[String; 2], Finding> {
        let holders = self.holders().await?;
        let found = holders.len();
        <[String; 2]>::try_from(holders.into_iter().take(2).collect::<Vec<_>>())
            .map_err(|_| Finding::not_applicable(format!("--patient has rows at {found} endpoints, two are needed")))
    }

    /// An `ehr_id` of the patient, and the endpoint it is at.
    pub(crate) async fn ehr(&self) -> Result<(String, String), Finding> {
        let endpoint = self.holder().await?;
        let query = self.about_patient("e/ehr_id/value AS ehr").limit(1).order("e/ehr_id/value");
        let answer = self.ask(Ask::new(query).header(ENDPOINT, endpoint.as_str())).await?.answer()?;
        let ehr = answer.strings(0).into_iter().next();
        ehr.map(|ehr| (ehr, endpoint)).ok_or_else(|| Finding::failed("e/ehr_id/value of an endpoint with rows is no string"))
    }

    // --- the nodes' side of the wire

    /// Begins to record what the nodes receive.
    pub(crate) async fn record(&self) -> Result<Vec<Recording<'_>>, Finding> {
        applies!(!self.journals.is_empty(), "not observable from outside: no --node-journal was given");
        let mut recordings = Vec::new();
        for journal in &self.journals {
            recordings.push(journal.record(&self.client).await?);
        }
        Ok(recordings)
    }

    /// Ends the check when a node received the identifier since.
    pub(crate) async fn nothing_leaked(&self, what: &str, recordings: &[Recording<'_>]) -> Verdict {
        for recording in recordings {
            let received = recording.received(&self.client).await?;
            let leaked = identifier::stands_in(&self.arguments.patient, &received);
            ensure!(!leaked, "{what}: the patient identifier reached a node ({})", recording.endpoint().unwrap_or("unnamed"));
        }
        Ok(())
    }

    /// Ends the check when the identifier is too short to be looked for.
    pub(crate) fn searchable(&self) -> Verdict {
        let long_enough = self.arguments.patient.len() >= identifier::SHORTEST;
        applies!(
            long_enough,
            "the identifier is too short to be searched for; use one of {} bytes or more",
            identifier::SHORTEST
        );
        Ok(())
    }

    // --- faults

    /// What the gateway said under every fault there is a hook for; each fault is made once and always mended.
    pub(crate) async fn faulted(&self) -> Result<&[Faulted], Finding> {
        applies!(!self.faults.is_empty(), "no hook: --hook-break and --hook-mend make a node fail");
        self.plain().await?;
        let ask = || async {
            let mut seen = Vec::new();
            for fault in &self.faults {
                seen.push(self.under(fault).await?);
            }
            Ok(seen)
        };
        self.faulted.get_or_try_init(ask).await.map(Vec::as_slice)
    }

    async fn under(&self, fault: &Fault) -> Result<Faulted, Finding> {
        let broken = hooks::run(&fault.make).await;
        let during = match broken {
            Ok(()) => self.while_broken().await,
            Err(finding) => Err(finding),
        };
        hooks::run(&fault.mend).await?;
        let (default, partial) = during?;
        Ok(Faulted { default, partial, after: self.after_mending().await? })
    }

    async fn while_broken(&self) -> Result<(Reply, Reply), Finding> {
        let default = self.query(&self.uids()).await?;
        let partial = self.ask(Ask::new(self.uids()).header(COMPLETENESS, "partial")).await?;
        Ok((default, partial))
    }

    /// Asks again for some seconds: a member that failed may have a pause before it is asked again.
    async fn after_mending(&self) -> Result<Reply, Finding> {
        for _ in 0..20 {
            let reply = self.query(&self.uids()).await?;
            if reply.status == 200 {
                return Ok(reply);
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        self.query(&self.uids()).await
    }
}

/// The targeting header for endpoints (§8, N35).
pub(crate) const ENDPOINT: &str = "openEHR-federation-endpoint";
/// The targeting header for organisations.
pub(crate) const ORGANISATION: &str = "openEHR-federation-organisation";
/// The completeness header (§11.4).
pub(crate) const COMPLETENESS: &str = "openEHR-federation-completeness";
/// The de-duplication header (§10).
pub(crate) const DEDUP: &str = "openEHR-federation-dedup";
/// The cursor header.
pub(crate) const CURSOR: &str = "openEHR-federation-cursor";
