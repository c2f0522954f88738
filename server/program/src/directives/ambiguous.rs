//! Atoms that look like module-qualified predicate names.

use costlens_syntax::term::{Term, TermId};

use crate::language::split_name;
use crate::workspace::{Db, SourceFile, terms};

/// Returns whether an atom in the file's clauses looks like a module-qualified predicate name.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked]
pub(crate) fn is_ambiguous_in(db: &dyn Db, file: SourceFile) -> bool {
    let looks = |name: &str| split_name(name).is_some();
    terms(db, file).clauses.iter().any(|clause| {
        let named = |t: &TermId| match clause.terms.get(*t) {
            Term::Atom(name) | Term::Compound(name, _) => looks(name),
            _ => false,
        };
        // Usually no node looks like a qualified name, so that reachability need not be checked.
        clause.terms.ids().any(|t| named(&t))
            && (clause.terms.subterms(clause.root).iter()).any(named)
    })
}
