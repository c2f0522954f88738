//! Goals that join two lists: calls of `append/3`, of a copy, or of a predicate that consists of a single such call.
//!
//! ```text
//! snoc(Xs, X, Ys) :- append(Xs, [X], Ys).
//! ```

use costlens_program::{ClauseKind, Functor, Resolved, resolve};
use costlens_syntax::term::{CONS, NIL, TermId};

use super::goals::variable;
use super::known::{LibraryPredicate, Recognised};
use super::site::{Site, is_closed};

/// A goal that joins two lists. The first list is proper.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub(super) front: TermId,
    pub(super) back: Back,
    pub(super) whole: TermId,
    /// The predicate, if it is `append/3` or a copy.
    pub(super) append: Option<Recognised>,
}

/// The second list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    List(TermId),
    /// A list with this single element.
    One(TermId),
}

impl Site<'_> {
    /// Returns the lists that a goal joins, provided that the first list is proper.
    pub(super) fn join(&self, clause: usize, goal: TermId) -> Option<Join> {
        let terms = &self.clauses[clause].terms;
        let (name, 3) = terms.functor(goal)? else {
            return None;
        };
        if let Some(of) = self.recognised(clause, goal) {
            let &[front, back, whole] = &of.arguments(terms, goal)[..] else {
                return None;
            };
            return match of.known {
                LibraryPredicate::Append => Some(Join {
                    front,
                    back: Back::List(back),
                    whole,
                    append: Some(of),
                }),
                LibraryPredicate::AppendOne => Some(Join {
                    front,
                    back: Back::One(back),
                    whole,
                    append: None,
                }),
                _ => None,
            };
        }
        wrapper(self, clause, goal, &Functor::new(name.clone(), 3))
    }
}

/// Returns the lists that a goal joins if its predicate is a wrapper: a single clause `p(Xs, X, Ys) :- append(Xs, [X], Ys).`, with its
/// arguments in any order.
fn wrapper(site: &Site<'_>, clause: usize, goal: TermId, functor: &Functor) -> Option<Join> {
    let Some(Resolved::Own(predicate)) = resolve(site.db, site.file, functor) else {
        return None;
    };
    let [only] = &predicate.clauses(site.db)[..] else {
        return None;
    };
    let plain = only.kind == ClauseKind::Rule && !only.grammar_rule && only.guard.is_none();
    if !plain || functor == site.functor || !is_closed(site.db, predicate) {
        return None;
    }
    let (terms, body) = (&only.terms, only.body?);
    let (name, arity) = terms.functor(body)?;
    let of = super::meaning::recognised(site.db, site.file, &Functor::new(name.clone(), arity))?;
    let &[front, back, whole] = &of.arguments(terms, body)[..] else {
        return None;
    };
    let element = match of.known {
        LibraryPredicate::AppendOne => back,
        LibraryPredicate::Append => {
            let &[element, end] = terms.matches(back, CONS, 2)? else {
                return None;
            };
            (terms.as_atom(end).is_some_and(|n| n == NIL)).then_some(element)?
        }
        _ => return None,
    };
    let head = terms.args(only.head);
    let mut parameters: Vec<u32> = (head.iter())
        .map(|&argument| variable(terms, argument))
        .collect::<Option<_>>()?;
    let passed = site.clauses[clause].terms.args(goal);
    let argument = |id: TermId| {
        let v = variable(terms, id)?;
        let at = parameters.iter().position(|&p| p == v)?;
        passed.get(at).copied()
    };
    let found = Join {
        front: argument(front)?,
        back: Back::One(argument(element)?),
        whole: argument(whole)?,
        append: None,
    };
    parameters.sort_unstable();
    parameters.dedup();
    // There must be three distinct parameters, all of them used.
    let used = [front, element, whole].map(|id| variable(terms, id));
    let distinct = used[0] != used[1] && used[0] != used[2] && used[1] != used[2];
    (parameters.len() == 3 && distinct).then_some(found)
}
