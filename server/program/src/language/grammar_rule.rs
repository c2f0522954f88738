//! Translates grammar rules to clauses, as SWI-Prolog 9 does (`dcg_translate_rule/2`):
//!
//! `digits([D|T]) --> [D], digits(T).` becomes `digits([D|T], S0, S) :- S0 = [D|S1], digits(T, S1, S).`
//!
//! The terms of the rule keep their ids and new terms are appended, so that spans of the rule also hold for the clause.

use std::sync::Arc;

use costlens_body::{Arrow, Goal, build};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

/// A grammar rule translated to a clause.
pub struct Translated {
    /// The arena of the rule, with new terms appended.
    pub terms: Arc<Terms>,
    /// The clause's head.
    pub head: TermId,
    /// The clause's body.
    pub body: TermId,
    /// For each new term, the term of the rule that it represents; `None` for the text before and after the rule.
    pub origin: Vec<Option<TermId>>,
}

/// Translates a rule. Returns `None` for a body that is not a grammar body (`a --> 17.`).
#[must_use]
pub fn translate(terms: &Terms, head: TermId, body: TermId) -> Option<Translated> {
    let mut builder = Builder {
        terms: terms.clone(),
        origin: Vec::new(),
    };
    let (nonterminal, pushback) = match terms.matches(head, ",", 2) {
        Some(&[nonterminal, pushback]) => (nonterminal, Some(pushback)),
        _ => (head, None),
    };
    let (before, after) = (builder.fresh(), builder.fresh());
    let head = builder.extended(nonterminal, before, after)?;
    let body = match pushback {
        None => builder.body(body, before, after)?,
        Some(pushback) => {
            let middle = builder.fresh();
            let consumed = builder.body(body, before, middle)?;
            // SWI-Prolog accepts any body in this position: `c(X), {X > 0} --> [X].`
            let given_back = builder.body(pushback, after, middle)?;
            builder.make(None, |t| build::conjunction(t, consumed, given_back))
        }
    };
    Some(Translated {
        terms: Arc::new(builder.terms),
        head,
        body,
        origin: builder.origin,
    })
}

/// Translates a grammar body between two lists, which are terms of the same arena. Returns `None` if it is not a grammar body.
pub(crate) fn body(
    terms: &mut Terms,
    body: TermId,
    before: TermId,
    after: TermId,
) -> Option<TermId> {
    let mut builder = Builder {
        terms: std::mem::take(terms),
        origin: Vec::new(),
    };
    let translated = builder.body(body, before, after);
    *terms = builder.terms;
    translated
}

/// Returns whether a term is a grammar body that `phrase/3` translates when it is called; any other term is called with two more arguments.
pub(crate) fn is_body(terms: &Terms, term: TermId) -> bool {
    match Goal::lower(terms, term) {
        // `*->` is not supported by `phrase/3` (`dcg_special/1`).
        Goal::IfThen { arrow, .. } => arrow == Arrow::Hard,
        Goal::Conjunction(..)
        | Goal::Disjunction(..)
        | Goal::Bar(..)
        | Goal::IfThenElse { .. }
        | Goal::Not(_)
        | Goal::Cut => true,
        Goal::NotCallable => matches!(terms.get(term), Term::String(_)),
        Goal::Call(call) => matches!(
            (call.name.as_str(), call.args.len()),
            (CONS, 2) | ("{}", 1) | ("[]", 0)
        ),
        _ => false,
    }
}

struct Builder {
    terms: Terms,
    origin: Vec<Option<TermId>>,
}

/// A function that builds a goal from two goals.
type Join = fn(&mut Terms, TermId, TermId) -> TermId;

/// A remaining step. Translated parts are kept on a stack of results, so that long bodies need no deep recursion.
enum Task {
    Body(TermId, TermId, TermId),
    /// Joins the last two results.
    Join(Join),
    /// Wraps the last result in `\+ A, S0 = S`.
    Not {
        of: TermId,
        before: TermId,
        after: TermId,
    },
}

impl Builder {
    fn fresh(&mut self) -> TermId {
        self.origin.push(None);
        let number = self.terms.variables();
        self.terms.push(Term::Var(number))
    }

    fn add(&mut self, name: &str, arguments: &[TermId], origin: Option<TermId>) -> TermId {
        self.origin.push(origin);
        self.terms.compound(name, arguments)
    }

    /// Adds one term that a closure builds.
    fn make(&mut self, origin: Option<TermId>, build: impl FnOnce(&mut Terms) -> TermId) -> TermId {
        self.origin.push(origin);
        build(&mut self.terms)
    }

    fn unify(&mut self, left: TermId, right: TermId, origin: TermId) -> TermId {
        self.make(Some(origin), |t| build::unify(t, left, right))
    }

    /// Returns `Goal, S0 = S` for a goal that consumes no text.
    fn standing(&mut self, goal: TermId, before: TermId, after: TermId, of: TermId) -> TermId {
        let same = self.unify(after, before, of);
        self.make(None, |t| build::conjunction(t, goal, same))
    }

    /// Returns a nonterminal with two additional arguments.
    fn extended(&mut self, goal: TermId, before: TermId, after: TermId) -> Option<TermId> {
        if let Goal::Qualified {
            module,
            goal: inner,
        } = Goal::lower(&self.terms, goal)
        {
            if matches!(Goal::lower(&self.terms, inner), Goal::Qualified { .. }) {
                return None;
            }
            let inner = self.extended(inner, before, after)?;
            return Some(self.make(Some(goal), |t| build::qualified(t, module, inner)));
        }
        let (name, _) = self.terms.functor(goal)?;
        let name = name.clone();
        let mut arguments = self.terms.args(goal).to_vec();
        arguments.extend([before, after]);
        Some(self.add(&name, &arguments, Some(goal)))
    }

    fn body(&mut self, body: TermId, before: TermId, after: TermId) -> Option<TermId> {
        let (mut results, mut tasks) = (Vec::new(), vec![Task::Body(body, before, after)]);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Body(goal, before, after) => {
                    if !self.control(goal, before, after, &mut tasks) {
                        let translated = self.simple(goal, before, after)?;
                        results.push(translated);
                    }
                }
                Task::Join(join) => {
                    let (right, left) = (results.pop()?, results.pop()?);
                    results.push(self.make(None, |t| join(t, left, right)));
                }
                Task::Not { of, before, after } => {
                    let inner = results.pop()?;
                    let not = self.make(Some(of), |t| build::not(t, inner));
                    results.push(self.standing(not, before, after, of));
                }
            }
        }
        results.pop()
    }

    /// Pushes the parts of a control construct onto the task stack, with the first part on top.
    fn control(
        &mut self,
        goal: TermId,
        before: TermId,
        after: TermId,
        tasks: &mut Vec<Task>,
    ) -> bool {
        let (join, left, right): (Join, _, _) = match Goal::lower(&self.terms, goal) {
            Goal::Conjunction(left, right) => (build::conjunction, left, right),
            Goal::IfThen {
                arrow,
                condition,
                then,
            } => match arrow {
                Arrow::Hard => (
                    |t, c, then| build::if_then(t, Arrow::Hard, c, then),
                    condition,
                    then,
                ),
                Arrow::Soft => (
                    |t, c, then| build::if_then(t, Arrow::Soft, c, then),
                    condition,
                    then,
                ),
            },
            Goal::Disjunction(..) | Goal::Bar(..) | Goal::IfThenElse { .. } => {
                let branches = self.terms.args(goal).iter().rev();
                tasks.push(Task::Join(build::disjunction));
                tasks.extend(branches.map(|&branch| Task::Body(branch, before, after)));
                return true;
            }
            Goal::Not(inner) => {
                let anything = self.fresh();
                tasks.extend([
                    Task::Not {
                        of: goal,
                        before,
                        after,
                    },
                    Task::Body(inner, before, anything),
                ]);
                return true;
            }
            _ => return false,
        };
        let middle = self.fresh();
        tasks.extend([
            Task::Join(join),
            Task::Body(right, middle, after),
            Task::Body(left, before, middle),
        ]);
        true
    }

    fn simple(&mut self, goal: TermId, before: TermId, after: TermId) -> Option<TermId> {
        match Goal::lower(&self.terms, goal) {
            Goal::Variable(_) => Some(self.add("phrase", &[goal, before, after], Some(goal))),
            Goal::NotCallable if matches!(self.terms.get(goal), Term::String(_)) => {
                self.terminals(goal, before, after)
            }
            Goal::Cut => Some(self.standing(goal, before, after, goal)),
            Goal::Call(call) => match (call.name.as_str(), call.args) {
                ("{}", &[inner]) => Some(self.standing(inner, before, after, goal)),
                ("[]" | "{}", []) | (CONS, [_, _]) => self.terminals(goal, before, after),
                _ => self.extended(goal, before, after),
            },
            _ => self.extended(goal, before, after),
        }
    }

    /// Returns `S0 = [a, b|S]` for `[a, b]`, and a similar goal for `"ab"`.
    fn terminals(&mut self, goal: TermId, before: TermId, after: TermId) -> Option<TermId> {
        let elements = match self.terms.get(goal) {
            Term::String(text) => {
                let codes: Vec<u32> = text.chars().map(u32::from).collect();
                codes
                    .into_iter()
                    .map(|code| {
                        self.origin.push(None);
                        self.terms.push(Term::Integer(code.into()))
                    })
                    .collect()
            }
            _ => {
                let (elements, tail) = self.terms.list(goal);
                self.terms.as_atom(tail)?;
                elements
            }
        };
        let mut list = after;
        for element in elements.into_iter().rev() {
            list = self.add(CONS, &[element, list], None);
        }
        Some(self.unify(before, list, goal))
    }
}
