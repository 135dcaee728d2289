//! Secrets: written in place, or in a file of their own.

use secrecy::SecretString;

use super::super::fault::FaultKind;
use super::Reader;

impl Reader<'_> {
    /// A secret: in the key itself, or in the file that `<name>_file` names.
    pub(crate) fn secret(&self, name: &str) -> Option<SecretString> {
        let file_key = format!("{name}_file");
        match (self.has(name), self.has(&file_key)) {
            (true, true) => {
                let reason = format!("`{name}` and `{file_key}` are both written");
                self.conflict(&file_key, reason, "Keep one of them");
                None
            }
            (false, false) => {
                let remedy = format!("Write `{file_key}`, or `{name}`");
                self.fault(FaultKind::Missing, name, "the secret is missing", remedy);
                None
            }
            (true, false) => self.required(name).map(SecretString::from),
            (false, true) => self.secret_file(&file_key),
        }
    }

    fn secret_file(&self, file_key: &str) -> Option<SecretString> {
        let file = self.judge.beside(&self.place(file_key), self.required(file_key)?);
        match std::fs::read_to_string(&file) {
            Ok(text) if text.trim().is_empty() => {
                self.invalid(file_key, "the file is empty", "Put the secret into it");
                None
            }
            // An editor's last newline is no part of the secret.
            Ok(text) => Some(SecretString::from(text.trim_end_matches(['\r', '\n']))),
            Err(error) => {
                let reason = format!("the file cannot be read ({})", error.kind());
                self.fault(FaultKind::Unreadable, file_key, reason, "Check its name and its permissions");
                None
            }
        }
    }
}
