//! File specifications in directives: `tables`, `'../tables.pl'`, `library(dcg/basics)`; and options of the goals that load them.

use costlens_syntax::FileSpec;
use costlens_syntax::term::{NIL, TermId, Terms};
use smol_str::SmolStr;

/// Returns whether a directive names a file of the library: `library(lists)`.
pub fn is_library(spec: &FileSpec) -> bool {
    spec.alias.as_deref() == Some("library")
}

/// Parses a file specification: `tables`, `'../tables.pl'`, `lib/tables`, `library(dcg/basics)`, `m:tables`.
#[must_use]
pub fn file_spec(terms: &Terms, id: TermId) -> Option<FileSpec> {
    if let Some(&[_, inner]) = terms.matches(id, ":", 2) {
        return file_spec_unqualified(terms, inner);
    }
    file_spec_unqualified(terms, id)
}

fn file_spec_unqualified(terms: &Terms, id: TermId) -> Option<FileSpec> {
    if let Some(path) = path(terms, id) {
        return Some(FileSpec { alias: None, path });
    }
    match (terms.functor(id)?, terms.args(id)) {
        ((alias, 1), &[inner]) => Some(FileSpec {
            alias: Some(alias.clone()),
            path: path(terms, inner)?,
        }),
        _ => None,
    }
}

/// Parses a path: an atom, a string, or `a/b`.
fn path(terms: &Terms, id: TermId) -> Option<SmolStr> {
    let parts: Option<Vec<&str>> = (terms.chain(id, "/").into_iter())
        .map(|part| match terms.get(part) {
            costlens_syntax::term::Term::String(text) => Some(text.as_str()),
            _ => terms
                .as_atom(part)
                .filter(|a| *a != NIL)
                .map(SmolStr::as_str),
        })
        .collect();
    Some(parts?.join("/").into())
}

/// Returns the value of the first option with this name in a list.
#[must_use]
pub fn option(terms: &Terms, options: TermId, name: &str) -> Option<TermId> {
    let mut all = terms.list(options).0.into_iter();
    all.find_map(|o| terms.matches(o, name, 1)?.first().copied())
}
