//! Fingerprints of answers.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

/// The fingerprint of an answer, or of a key. Fingerprints of one version of the program are equal in all its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Fingerprint(u64, u64);

impl Fingerprint {
    pub(crate) fn of(value: &(impl Hash + ?Sized)) -> Self {
        // The same bytes after different prefixes have independent hashes.
        let hash = |prefix: u8| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(prefix);
            value.hash(&mut hasher);
            hasher.finish()
        };
        Fingerprint(hash(0), hash(1))
    }

    pub(crate) fn number(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}
