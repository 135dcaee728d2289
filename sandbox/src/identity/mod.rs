//! The services around a federation: a PIX manager, a localizer, a consent service. Each is a server with a journal and
//! faults of its own.

mod consent;
mod fhir;
mod localizer;
mod pix;
mod registry;
#[cfg(test)]
mod tests;

use std::io;

use crate::federation::Federation;
use crate::synthetic::Dataset;
use crate::value::Json;
pub use consent::ConsentService;
pub use localizer::Localizer;
pub use pix::PixManager;
pub use registry::{Identifier, IdentityRegistry};

/// The domain in which a member's `ehr_id`s are registered with the PIX manager.
#[must_use]
pub fn ehr_domain(member: usize) -> String {
    format!("urn:oid:2.999.8.{}", member + 1)
}

/// The three services, fed from what a federation holds.
#[derive(Debug)]
pub struct Services {
    /// Which `ehr_id` is this patient, where?
    pub pix: PixManager,
    /// Where might this patient have data?
    pub localizer: Localizer,
    /// May these nodes be asked?
    pub consent: ConsentService,
}

impl Services {
    /// Starts them. Nothing is denied at first. Needs a tokio runtime.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start(federation: &Federation) -> io::Result<Services> {
        let (pix, localizer, consent) = (PixManager::start().await?, Localizer::start().await?, ConsentService::start().await?);
        for patient in federation.patients() {
            let source = Identifier::new(&patient.namespace, &patient.value);
            let targets = patient.holdings.iter().map(|held| Identifier::new(ehr_domain(held.member), &held.ehr_id));
            pix.registry(|registry| registry.join(std::iter::once(source.clone()).chain(targets).collect()));
            localizer.place(&source, patient.holdings.iter().map(|held| held.node_id.clone()).collect());
        }
        for member in 0..federation.members().len() {
            pix.registry(|registry| registry.know_domain(&ehr_domain(member)));
        }
        Ok(Services { pix, localizer, consent })
    }

    /// The tables of the gateway's configuration that name them, in TOML; they go behind [`Federation::gateway_settings`].
    #[must_use]
    pub fn gateway_config(&self, federation: &Federation) -> String {
        let domain =
            |(index, member): (usize, &crate::synthetic::Member)| format!("{} = \"{}\"\n", member.node_id, ehr_domain(index));
        let domains: String = federation.members().iter().enumerate().map(domain).collect();
        format!(
            "\n[identity]\ncrossref = \"pixm\"\n\n[identity.pixm]\nurl = \"{}\"\nform = \"post\"\n\n[identity.pixm.domains]\n{domains}\n\
             [localization]\nmode = \"http\"\nurl = \"{}\"\n\n[consent]\nmode = \"http\"\nurl = \"{}\"\n",
            self.pix.url(),
            self.localizer.url(),
            self.consent.url()
        )
    }
}

impl Dataset {
    /// The identifiers a PIX manager would hold for these patients.
    #[must_use]
    pub fn identities(&self) -> IdentityRegistry {
        let mut registry = IdentityRegistry::default();
        for patient in &self.patients {
            let source = std::iter::once(Identifier::new(&patient.namespace, &patient.value));
            let targets = patient.holdings.iter().map(|held| Identifier::new(ehr_domain(held.member), &held.ehr_id));
            registry.join(source.chain(targets).collect());
        }
        registry
    }
}

/// The patient of a request to the localizer or the consent service.
fn patient(body: &Json) -> Option<Identifier> {
    let (namespace, value) = (body.text_at(&["patient", "namespace"])?, body.text_at(&["patient", "value"])?);
    Some(Identifier::new(namespace, value))
}
