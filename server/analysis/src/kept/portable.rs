//! Fingerprints of values that mention files. Files are represented by their names, since ids differ between processes.

use std::sync::Arc;

use costlens_program::SourceFile;
use costlens_program::workspace::written_with_files;
use serde::Serialize;

use super::fingerprint::Fingerprint;
use crate::db::Db;

/// The fingerprint of a value, which is the same in all processes, and the files that the value mentions.
#[derive(Clone, Debug)]
pub(crate) struct Portable {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) files: Arc<[SourceFile]>,
}

impl Portable {
    /// Returns `None` if the value cannot be written.
    pub(crate) fn of(db: &dyn Db, value: &impl Serialize) -> Option<Self> {
        let (bytes, files) = written_with_files(|| postcard::to_allocvec(value));
        let names: Vec<&str> = files.iter().map(|file| file.path(db)).collect();
        Some(Portable {
            fingerprint: Fingerprint::of(&(bytes.ok()?, names)),
            files: files.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use costlens_infer::report::{Functor, Subject};
    use costlens_program::Role;
    use costlens_syntax::Parsed;

    use super::*;
    use crate::database::Database;

    #[test]
    fn files_count_by_their_names() {
        let of = |names: &[&str]| {
            let db = Database::new();
            let file = |name: &&str| {
                SourceFile::new(
                    &db,
                    (*name).to_owned(),
                    Parsed::new(String::new()),
                    Role::User,
                )
            };
            let subject = |file| Subject::Predicate(file, Functor::new("p", 1));
            let all: Vec<Subject> = names.iter().map(file).map(subject).collect();
            Portable::of(&db, &all.last()).unwrap().fingerprint
        };
        assert_eq!(of(&["a.pl"]), of(&["b.pl", "a.pl"]));
        assert_ne!(of(&["a.pl"]), of(&["b.pl"]));
    }
}
