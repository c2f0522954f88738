//! Goals whose arguments satisfy a relation in the catalogue: `length(L, N)`, `msort(L, S)`.

use costlens_catalog::{Relation, signature};
use costlens_syntax::term::{TermId, Terms};
use smallvec::SmallVec;

/// A goal classified by its relation, regardless of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The relation.
    pub relation: Relation,
    /// The arguments, in the order of the relation.
    pub args: SmallVec<[TermId; 5]>,
}

impl Related {
    /// Returns the relation between a goal's arguments; `None` if the catalogue has none. Callers must check whether the program redefines
    /// the predicate.
    #[must_use]
    pub fn lookup(terms: &Terms, goal: TermId) -> Option<Self> {
        let (name, arity) = terms.functor(goal)?;
        let signature = signature(name, arity)?;
        Some(Related {
            relation: signature.relation,
            args: signature.arguments_of(terms.args(goal)),
        })
    }

    /// Returns the arguments of a goal if they satisfy this relation.
    #[must_use]
    pub fn arguments<const N: usize>(
        terms: &Terms,
        goal: TermId,
        relation: Relation,
    ) -> Option<[TermId; N]> {
        let related = Self::lookup(terms, goal).filter(|r| r.relation == relation)?;
        related.args[..].try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn goals_are_told_by_the_relation_of_their_arguments() {
        let file = read_text("p :- '$skip_list'(n, list, tail).\n");
        let terms = &file.clauses[0].terms;
        let &[_, goal] = terms.matches(file.clauses[0].root, ":-", 2).unwrap() else {
            unreachable!()
        };
        let [list, n, tail] = Related::arguments(terms, goal, Relation::Spine).unwrap();
        let name = |t: TermId| terms.as_atom(t).unwrap().as_str();
        assert_eq!([name(list), name(n), name(tail)], ["list", "n", "tail"]);
        assert_eq!(Related::arguments::<3>(terms, goal, Relation::Sum), None);
    }
}
