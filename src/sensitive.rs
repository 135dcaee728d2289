//! Values that must not leave by accident.

use std::fmt;

use zeroize::Zeroize;

/// A patient identifier, or a part of one. It cannot be printed or serialised, and its memory is cleared when dropped.
///
/// [`expose`](Sensitive::expose) is called only where the identifier must be used: to compare it, to ask a localizer,
/// consent service or cross-reference, and for the re-injected subject column (§5.4, N5).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Sensitive<T: Zeroize>(T);

impl<T: Zeroize> Sensitive<T> {
    /// Wraps the value.
    pub fn new(value: T) -> Self {
        Sensitive(value)
    }

    /// The value itself. Every call is a place a reviewer looks at.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[patient identifier]")
    }
}

impl<T: Zeroize> Drop for Sensitive<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// A patient identifier with the namespace that issued it. Neither part ever reaches a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PatientReference {
    /// Who issued the identifier.
    pub namespace: Sensitive<String>,
    /// The identifier.
    pub value: Sensitive<String>,
}
