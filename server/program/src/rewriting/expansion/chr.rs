//! Files with constraint handling rules, which `library(chr)` compiles at the end of the file; other files are unaffected.
//!
//! ```prolog
//! :- chr_constraint leq/2.
//! reflexive @ leq(X, X) <=> true.     % clauses of leq/2 and of predicates that do not appear in this file
//! ```

use smol_str::SmolStr;

use crate::definitions::{TermForm, form_of};
use crate::language::Functor;
use crate::loading::unit;
use crate::workspace::{Db, SourceFile, terms};

/// The library's name.
pub(super) const LIBRARY: &str = "chr";

/// The description of the library's hook.
pub(super) static HOOK: SmolStr = SmolStr::new_static("`term_expansion/2` of `library(chr)`");

/// The terms that are not treated as clauses (`chr_expandable/1`).
const TERMS: [(&str, usize); 9] = [
    ("constraints", 1),
    ("chr_type", 1),
    ("option", 2),
    ("handler", 1),
    ("rules", 1),
    ("<=>", 2),
    ("==>", 2),
    ("@", 2),
    ("pragma", 2),
];

/// The directives that the library processes instead of running them.
const DIRECTIVES: [(&str, usize); 6] = [
    ("constraints", 1),
    ("chr_constraint", 1),
    ("chr_type", 1),
    ("chr_declaration", 1),
    ("chr_option", 2),
    ("chr_preprocessor", 1),
];

/// Returns whether a term with this functor belongs to the library.
pub(super) fn is_own_term(functor: &Functor) -> bool {
    TERMS.contains(&(functor.name.as_str(), functor.arity))
}

/// Returns whether a file, or another file read as part of the same text, contains rules.
pub(super) fn has_rules(db: &dyn Db, file: SourceFile) -> bool {
    stand_in(db, file) || unit(db, file).iter().any(|&part| stand_in(db, part))
}

/// *Invalidated* by every edit; the result is usually equal.
#[salsa::tracked(returns(copy))]
fn stand_in(db: &dyn Db, file: SourceFile) -> bool {
    let clauses = &terms(db, file).clauses;
    clauses
        .iter()
        .any(|read| match form_of(&read.terms, read.root, &|_| false) {
            Some(TermForm::Fact(functor)) => is_own_term(&functor),
            Some(TermForm::Directive(Some(functor))) => {
                DIRECTIVES.contains(&(functor.name.as_str(), functor.arity))
            }
            _ => false,
        })
}
