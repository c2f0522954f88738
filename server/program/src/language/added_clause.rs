//! Clauses as the arguments of goals that add them: `assertz(m:(p(X) :- q(X)))`.

use costlens_body::Goal;
use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use super::functor::Functor;

/// A clause that a goal adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedClause {
    /// The innermost explicit module.
    pub module: Option<SmolStr>,
    /// The head, which may be a variable.
    pub head: TermId,
    /// True for a fact, or a rule with the body `true`.
    pub is_fact: bool,
}

impl AddedClause {
    /// Reads the argument of a goal that adds a clause. `value` returns the term to which a variable is bound, if it is known.
    pub fn read(terms: &Terms, clause: TermId, value: &dyn Fn(TermId) -> TermId) -> Self {
        let (mut at, mut module, mut is_fact) = (value(clause), None, true);
        let mut is_guarded = false;
        while let Some((name, 2)) = terms.functor(at) {
            let &[left, right] = terms.args(at) else {
                break;
            };
            at = value(match name.as_str() {
                ":" => {
                    module = terms.as_atom(left).cloned().or(module);
                    right
                }
                ":-" => {
                    is_fact &= Goal::lower(terms, value(right)) == Goal::True;
                    left
                }
                "=>" => {
                    (is_fact, is_guarded) = (false, true);
                    left
                }
                "," if is_guarded => left,
                _ => break,
            });
        }
        AddedClause {
            module,
            head: at,
            is_fact,
        }
    }

    /// Returns the predicate of the clause, if its head is known.
    pub fn predicate(&self, terms: &Terms) -> Option<Functor> {
        Functor::from_term(terms, self.head)
    }
}
