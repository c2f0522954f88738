//! Resources declared in a file: the costs of a clause, a literal and a trusted predicate.
//!
//! ```prolog
//! :- resource bits, requests.
//! :- head_cost(ub, bits, 2).                       % each clause that is entered
//! :- literal_cost(exact, bits, 1).                 % each goal that is called
//! :- compound_resource(traffic, [bits*1, requests*64]).
//! :- trust pred send(X) : ground(X) + cost(exact, bits, 8*size(X)).
//! ```

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _};
use smol_str::SmolStr;

use super::cost::{CostNode, CostTerm, read_cost};
use super::properties::{Approximation, canonical_resource};
use super::words::{APPROXIMATIONS, did_you_mean, listed};
use crate::term::{Term, TermId, Terms};

/// A directive about a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceRule {
    /// The resource.
    pub resource: SmolStr,
    /// The declaration about the resource.
    pub says: ResourceStatement,
}

/// A declaration about a resource. Its numbers are not negative and depend on no argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceStatement {
    /// `head_cost(A, R, E)`: the cost of each entered clause.
    Head(Approximation, CostTerm),
    /// `literal_cost(A, R, E)`: the cost of each called goal.
    Literal(Approximation, CostTerm),
    /// `compound_resource(R, [S*K, …])`: a weighted sum of other resources.
    Compound(Vec<(SmolStr, CostTerm)>),
}

/// A malformed part, with its position.
pub(super) type MalformedPart = (TermId, String);

/// Parses a directive about resources other than `resource/1`. Returns `None` for any other directive.
pub(super) fn read_rule(
    terms: &Terms,
    directive: TermId,
) -> Option<Result<ResourceRule, MalformedPart>> {
    let (name, _) = terms.functor(directive)?;
    let read = match (name.as_str(), terms.args(directive)) {
        ("head_cost", &[side, resource, value]) => {
            of_each(terms, [side, resource, value], ResourceStatement::Head)
        }
        ("literal_cost", &[side, resource, value]) => {
            of_each(terms, [side, resource, value], ResourceStatement::Literal)
        }
        ("compound_resource", &[resource, parts]) => compound(terms, resource, parts),
        ("head_cost" | "literal_cost", _) => Err((
            directive,
            format!("{name} takes three arguments: {name}(ub, bits, 2)"),
        )),
        ("compound_resource", _) => Err((
            directive,
            "compound_resource takes two arguments: compound_resource(traffic, [bits*1, requests*64])"
                .to_owned(),
        )),
        _ => return None,
    };
    Some(read)
}

fn of_each(
    terms: &Terms,
    [side, resource, value]: [TermId; 3],
    says: fn(Approximation, CostTerm) -> ResourceStatement,
) -> Result<ResourceRule, MalformedPart> {
    let written = terms.as_atom(side);
    let approximation = written
        .and_then(|a| Approximation::from_name(a))
        .filter(|a| {
            matches!(
                a,
                Approximation::Upper | Approximation::Lower | Approximation::Exact
            )
        });
    let Some(approximation) = approximation else {
        let near = written.map_or_else(String::new, |w| did_you_mean(w, &APPROXIMATIONS));
        let sides = listed(&APPROXIMATIONS[..4]);
        return Err((side, format!("the side is one of {sides}{near}")));
    };
    Ok(ResourceRule {
        resource: own_name(terms, resource)?,
        says: says(approximation, number(terms, value)?),
    })
}

fn compound(terms: &Terms, resource: TermId, parts: TermId) -> Result<ResourceRule, MalformedPart> {
    let resource = own_name(terms, resource)?;
    let (elements, tail) = terms.list(parts);
    if elements.is_empty() || terms.as_atom(tail).is_none_or(|a| a != "[]") {
        return Err((
            parts,
            "the parts are a list of resources with their weights: [bits*1, requests*64]"
                .to_owned(),
        ));
    }
    let part = |&id: &TermId| {
        let (of, weight) = match terms.matches(id, "*", 2) {
            Some(&[of, weight]) if terms.as_atom(of).is_some() => (of, Some(weight)),
            Some(&[weight, of]) => (of, Some(weight)),
            _ => (id, None),
        };
        let Some(of) = terms.as_atom(of) else {
            let message = "a part is a resource and its weight, such as bits*8".to_owned();
            return Err((id, message));
        };
        let weight = match weight {
            Some(weight) => number(terms, weight)?,
            None => CostTerm {
                nodes: vec![CostNode::Number(BigInt::one(), BigInt::one())],
            },
        };
        Ok((canonical_resource(of), weight))
    };
    let parts: Result<Vec<_>, MalformedPart> = elements.iter().map(part).collect();
    Ok(ResourceRule {
        resource,
        says: ResourceStatement::Compound(parts?),
    })
}

fn own_name(terms: &Terms, id: TermId) -> Result<SmolStr, MalformedPart> {
    let message = || "the resource is an atom that `:- resource` declares, such as bits".to_owned();
    terms.as_atom(id).cloned().ok_or_else(|| (id, message()))
}

/// Parses a number that is not negative.
fn number(terms: &Terms, id: TermId) -> Result<CostTerm, MalformedPart> {
    let of_no_argument = |id: TermId| {
        let message = "a number is expected: clauses and literals of any predicate count it";
        (id, message.to_owned())
    };
    if let Some(&variable) =
        (terms.subterms(id).iter()).find(|&&t| matches!(terms.get(t), Term::Var(_)))
    {
        return Err(of_no_argument(variable));
    }
    let read = read_cost(terms, id, &|_| None, &|_| String::new(), false);
    let read = read.map_err(|e| (e.at, e.message))?;
    let is_negative = |n: &CostNode| matches!(n, CostNode::Number(n, _) if n.is_negative());
    match read.nodes.last() {
        Some(n) if is_negative(n) => Err((
            id,
            "a resource never shrinks: a number below 0 is no cost".to_owned(),
        )),
        Some(CostNode::Infinite) => Err(of_no_argument(id)),
        _ => Ok(read),
    }
}
