//! The clauses of message hooks that a call may run.
//!
//! ```prolog
//! user:message_hook(make(done(_)), _, _) :- update, fail.
//! start :- print_message(informational, started).        % does not run that clause
//! ```

use costlens_catalog::{Message, message};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::report::Functor;

/// Messages that contain another message, which SWI-Prolog passes to the hooks.
const WRAPPERS: [(&str, usize); 7] = [
    ("abnormal_thread_completion", 2),
    ("error", 2),
    ("init_goal_failed", 2),
    ("init_goal_syntax", 2),
    ("initialization_error", 3),
    ("initialization_exception", 1),
    ("unhandled_exception", 1),
];

/// The maximum number of pairs of subterms that are compared.
const MOST_PAIRS: usize = 1_000;

/// A call that prints a message.
pub(super) struct Printing<'a> {
    pub(super) terms: &'a Terms,
    pub(super) built_in: &'a Functor,
    pub(super) args: &'a [TermId],
}

impl Printing<'_> {
    /// Returns whether the call may run a clause of a hook with this head.
    pub(super) fn may_run(&self, hook: &Functor, head_terms: &Terms, head: TermId) -> bool {
        let printed = match message(&self.built_in.name, self.built_in.arity) {
            Some(Message::Argument(i)) => match self.args.get(i) {
                Some(&argument) => self.functor(argument),
                None => return true,
            },
            Some(Message::Functor(name, arity)) => Some((name, arity)),
            None => return true,
        };
        let Some(printed) = printed.filter(|printed| !WRAPPERS.contains(printed)) else {
            return true;
        };
        match message(&hook.name, hook.arity) {
            Some(Message::Functor(name, arity)) => printed == (name, arity),
            Some(Message::Argument(i)) => {
                let Some(&expected) = head_terms.args(head).get(i) else {
                    return true;
                };
                let named = head_terms
                    .functor(expected)
                    .map(|(name, n)| (name.as_str(), n));
                let is_variable = matches!(head_terms.get(expected), Term::Var(_));
                is_variable || named == Some(printed) && self.agrees(head_terms, expected)
            }
            None => true,
        }
    }

    /// Returns the functor of a term, unless it is a variable.
    fn functor(&self, t: TermId) -> Option<(&str, usize)> {
        let (name, arity) = self.terms.functor(t)?;
        Some((name.as_str(), arity))
    }

    /// Returns whether the printed message may be an instance of a term: no subterms differ in their functors.
    fn agrees(&self, other: &Terms, expected: TermId) -> bool {
        let Some(Message::Argument(i)) = message(&self.built_in.name, self.built_in.arity) else {
            return true;
        };
        let mut open = vec![(self.args[i], expected)];
        for _ in 0..MOST_PAIRS {
            let Some((one, two)) = open.pop() else {
                return true;
            };
            match (self.terms.get(one), other.get(two)) {
                (Term::Var(_) | Term::Error, _) | (_, Term::Var(_) | Term::Error) => {}
                (Term::Compound(..) | Term::Atom(_), Term::Compound(..) | Term::Atom(_)) => {
                    if self.terms.functor(one) != other.functor(two) {
                        return false;
                    }
                    let pairs = self.terms.args(one).iter().zip(other.args(two));
                    open.extend(pairs.map(|(&a, &b)| (a, b)));
                }
                (a, b) if a != b => return false,
                _ => {}
            }
        }
        true
    }
}
