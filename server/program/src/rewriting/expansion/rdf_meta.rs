//! Arguments that `library(semweb/rdf_prefixes)` expands, in clauses and calls of predicates that are declared for it.
//!
//! ```prolog
//! :- rdf_meta label(r, -).
//! label(rdfs:'Class', "class").     % label('http://www.w3.org/2000/01/rdf-schema#Class', "class")
//! ```

use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use crate::definitions::{TermForm, form_of};
use crate::language::{Functor, directive};
use crate::workspace::{Db, SourceFile, terms};

/// The library's name.
pub(super) const LIBRARY: &str = "semweb/rdf_prefixes";

/// The descriptions of the library's hooks.
pub(super) static TERMS: SmolStr =
    SmolStr::new_static("`term_expansion/2` of `library(semweb/rdf_prefixes)`");
pub(super) static GOALS: SmolStr =
    SmolStr::new_static("`goal_expansion/2` of `library(semweb/rdf_prefixes)`");

/// The predicate to which declarations add clauses.
const SPECIFICATION: &str = "rdf meta specification";

/// Returns the predicates that a file declares. Returns `None` if it contains an unreadable declaration, or clauses to which declarations
/// are expanded.
///
/// *Invalidated* by every edit; the result is usually equal.
#[salsa::tracked(returns(as_ref))]
pub(super) fn declared(db: &dyn Db, file: SourceFile) -> Option<Vec<Functor>> {
    let mut found = Vec::new();
    for read in &terms(db, file).clauses {
        let (terms, root) = (&*read.terms, read.root);
        let heads = directive(terms, root).and_then(|goal| terms.matches(goal, "rdf_meta", 1));
        if let Some(&[heads]) = heads {
            for head in terms.chain(heads, ",") {
                found.push(declared_head(terms, head)?);
            }
            continue;
        }
        let form = form_of(terms, root, &|_| false);
        let is_specification = match form {
            Some(TermForm::Fact(f) | TermForm::Rule(_, Some(f)) | TermForm::Elsewhere(_, f)) => {
                f.name == SPECIFICATION
            }
            _ => false,
        };
        if is_specification {
            return None;
        }
    }
    Some(found)
}

fn declared_head(terms: &Terms, head: TermId) -> Option<Functor> {
    let inner = terms.matches(head, ":", 2).map_or(head, |args| args[1]);
    Functor::of(terms, inner)
}
