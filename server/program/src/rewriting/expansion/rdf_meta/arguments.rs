//! The terms that the library translates in the arguments of declared predicates.
//!
//! ```prolog
//! :- rdf_meta p(r, o, t, g).
//! p(rdf:type, rdf:type, f([rdf:type]), rdf:type).
//! p(X, literal(type(xsd:int, V)), X:type, f(rdf:type)).     % only xsd:int
//! p(X, "1"^^xsd:int, "a", g).
//! ```

use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::directives::{Argument, plain_atom};

/// A term `Prefix:Local` that the library replaces with an atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Abbreviation {
    pub(super) term: TermId,
    pub(super) prefix: SmolStr,
    pub(super) local: SmolStr,
}

/// Returns the terms that the library translates in an argument. Returns `None` if it raises an error, or if the result is unknown. Goals
/// (`:`) are not examined.
pub(super) fn abbreviations(
    terms: &Terms,
    argument: TermId,
    of: Argument,
) -> Option<Vec<Abbreviation>> {
    let single = |id: Option<TermId>| id.and_then(|id| abbreviation(terms, id));
    match of {
        Argument::Plain | Argument::Goal => Some(Vec::new()),
        // `mk_global/3`: both parts must be atoms.
        Argument::Resource => match terms.matches(argument, ":", 2) {
            Some(_) => Some(vec![abbreviation(terms, argument)?]),
            None => Some(Vec::new()),
        },
        Argument::Graph => Some(abbreviation(terms, argument).into_iter().collect()),
        Argument::Term => in_term(terms, argument),
        Argument::Object => {
            if let Some(&[value]) = terms.matches(argument, "literal", 1) {
                return Some(single(type_of_literal(terms, value)).into_iter().collect());
            }
            if let Some(&[_, of_type]) = terms.matches(argument, "^^", 2) {
                return Some(abbreviation(terms, of_type).into_iter().collect());
            }
            if let Some(&[query, value]) = terms.matches(argument, "literal", 2) {
                let mut all = in_term(terms, query)?;
                all.extend(single(type_of_literal(terms, value)));
                return Some(all);
            }
            Some(abbreviation(terms, argument).into_iter().collect())
        }
        Argument::Unknown => {
            let inside = terms.subterms(argument);
            let has_colon = inside.iter().any(|&t| terms.matches(t, ":", 2).is_some());
            (!has_colon).then(Vec::new)
        }
    }
}

/// Returns the type in `type(Type, Value)`.
fn type_of_literal(terms: &Terms, value: TermId) -> Option<TermId> {
    terms.matches(value, "type", 2).map(|parts| parts[0])
}

/// Returns `Prefix:Local` if both parts are atoms.
fn abbreviation(terms: &Terms, term: TermId) -> Option<Abbreviation> {
    let &[prefix, local] = terms.matches(term, ":", 2)? else {
        return None;
    };
    Some(Abbreviation {
        term,
        prefix: plain_atom(terms, prefix)?.clone(),
        local: plain_atom(terms, local)?.clone(),
    })
}

/// Implements `rdf_global_term/3`. In a goal, the result is translated again: `a:(b:c)` becomes `a:'…c'`, and then an atom. Such terms are
/// not supported.
fn in_term(terms: &Terms, term: TermId) -> Option<Vec<Abbreviation>> {
    let mut all = Vec::new();
    let mut stack = vec![(term, false)];
    while let Some((top, is_below_colon)) = stack.pop() {
        if matches!(terms.get(top), Term::Error) {
            return None;
        }
        if let Some(abbreviation) = abbreviation(terms, top) {
            if is_below_colon {
                return None;
            }
            all.push(abbreviation);
            continue;
        }
        let is_below_colon = is_below_colon || terms.matches(top, ":", 2).is_some();
        stack.extend(terms.args(top).iter().map(|&a| (a, is_below_colon)));
    }
    Some(all)
}
