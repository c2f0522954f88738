//! Determines the unread files that must be searched to find all references and callers of a predicate.
//!
//! This module opens no files. A caller with file access requests the search ([`Sought`]), finds the files that may be relevant, and adds
//! them to the host. Only [`super::references`] decides which names in these files really refer to the predicate, so the text-based tests
//! in this module may accept too many files.

use std::collections::BTreeSet;

use costlens_analysis::report::Functor;
use costlens_program::names::names_of;
use costlens_program::workspace::{candidates, place_of};
use costlens_program::{SourceFile, facts};
use costlens_syntax::{FileSpec, ImportKind, Parsed, ReadOptions, dialect_of, read_directives};
use smol_str::SmolStr;

use super::names::name_at;
use super::{TargetPredicate, meant, target};
use crate::db::Db;

/// A search for files that may refer to a predicate of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The names of the predicate in all files, without arity.
    names: BTreeSet<SmolStr>,
    /// The name of its file, without folder and extension.
    stem: SmolStr,
    /// True if its file is not a module, so that other files may include it.
    is_part: bool,
}

impl Sought {
    /// Returns true if a text contains one of the names.
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        self.names.iter().any(|name| has_word(text, name))
    }

    /// Returns true for a directive that loads a file with the same name as the predicate's file.
    #[must_use]
    pub fn is_file_of(&self, load: &Load) -> bool {
        stem(&load.spec.path) == self.stem
    }

    /// Returns true if a text may include the predicate's file, according to its directives.
    #[must_use]
    pub fn may_be_part_of(&self, text: &str) -> bool {
        self.is_part && text.contains(self.stem.as_str())
    }
}

/// Returns true if a text contains the word as a whole.
fn has_word(text: &str, word: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let (first, last) = (
        word.chars().next().is_some_and(is_inside),
        word.chars().next_back().is_some_and(is_inside),
    );
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_inside);
        let after = (text[at + word.len()..].chars().next()).is_some_and(is_inside);
        !(first && before || last && after)
    })
}

/// Returns the name of a file without folder and extension: `tables` for `lib/tables.pl`.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A file to which a directive refers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    spec: FileSpec,
    /// True if the file may become a part of the file that contains the directive.
    pub takes_in: bool,
}

impl Load {
    /// Returns the candidate places of the file, if the directive is in a file at the given place.
    #[must_use]
    pub fn places(&self, from: &str) -> Vec<SmolStr> {
        candidates(from, &self.spec, &[], &[])
    }
}

/// Returns the files to which the directives of a text refer.
#[must_use]
pub fn loads(text: &str) -> Vec<Load> {
    let parsed = Parsed::in_dialect(text, dialect_of(text));
    (read_directives(&parsed, &ReadOptions::default()).imports)
        .into_iter()
        .map(|import| Load {
            takes_in: matches!(import.kind, ImportKind::Load | ImportKind::Include),
            spec: import.file,
        })
        .collect()
}

/// Returns the search for the name at an offset. Returns `None` for a variable, and for a predicate that is not the user's.
pub(crate) fn sought(
    db: &dyn Db,
    files: &[SourceFile],
    file: SourceFile,
    offset: usize,
) -> Option<Sought> {
    let name = name_at(db, file, offset)?;
    sought_in(db, files, &meant(db, file, &name))
}

/// Returns the search for a predicate of a file.
pub(crate) fn sought_of(
    db: &dyn Db,
    files: &[SourceFile],
    home: SourceFile,
    predicate: &Functor,
) -> Option<Sought> {
    sought_in(db, files, &target(db, home, predicate))
}

fn sought_in(db: &dyn Db, files: &[SourceFile], target: &TargetPredicate) -> Option<Sought> {
    let home = target.home.filter(|home| files.contains(home))?;
    let names = names_of(db, files, &target.functor);
    // The name may be a URI with percent-encoded characters.
    let path = place_of(db, home).map_or_else(|| home.path(db), |place| place.as_str());
    Some(Sought {
        names: names.into_iter().map(|functor| functor.name).collect(),
        stem: stem(path).into(),
        is_part: facts(db, home).module.is_none(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        for (text, word, expected) in [
            ("p :- copy(X).", "copy", true),
            ("p :- copy_term(X).", "copy", false),
            ("p :- mycopy(X).", "copy", false),
            ("p :- copy_term, copy.", "copy", true),
            ("X ==> Y", "==>", true),
            ("a==>b", "==>", true),
            ("m:p(X)", "p", true),
            ("äcopy", "copy", false),
            ("'copy'(X)", "copy", true),
        ] {
            assert_eq!(has_word(text, word), expected, "{word} in {text}");
        }
    }

    #[test]
    fn directives_name_files() {
        let found = loads(":- use_module('../lib/tables').\n:- [b, 'c.pl'].\n:- include(d).\n");
        let shown: Vec<(&str, bool)> = (found.iter())
            .map(|load| (stem(&load.spec.path), load.takes_in))
            .collect();
        assert_eq!(
            shown,
            [("tables", false), ("b", true), ("c", true), ("d", true)]
        );
        assert_eq!(found[0].places("/w/src/a.pl")[0], "/w/lib/tables.pl");
    }
}
