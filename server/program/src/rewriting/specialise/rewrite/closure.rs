//! Closures as written: their fixed part, and the terms that are passed.
//!
//! The closure of `maplist(add(N), Xs, Ys)` is fixed except for `N`: its *skeleton* is `add(_1)`, and `N` is passed. A lambda expression
//! `[X,Y]>>(Y is X*N)` becomes a predicate with one clause; its skeleton is the name of this predicate, and `N` is passed.

use costlens_body::Goal;
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use costlens_syntax::write_term;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Rewriter;
use super::lambda::{Lifted, letters};
use crate::language::{Functor, copy, join, split_name};

/// The maximum nesting depth of closures inside closures (`maplist(maplist(double), Xss)`).
const DEEPEST_CLOSURE: usize = 4;

/// The maximum nesting depth of closures inside closures of the same kind (`maplist(maplist(double))`). Without this limit, a predicate
/// that passes `trigger(G2, Goal)` as the `Goal` of the next call would have a copy for every depth, and for every mixture of such
/// closures.
const MOST_OF_ONE_KIND: usize = 2;

/// The fixed part of a closure: a term with distinct variables that represent the passed terms.
#[derive(Clone, Debug)]
pub(crate) struct Skeleton {
    pub(super) terms: Terms,
    pub(super) root: TermId,
    /// The term with `_1`, `_2`, … for its variables; skeletons with equal texts are equal.
    pub(super) text: SmolStr,
}

impl Skeleton {
    /// Returns the number of passed terms.
    pub(crate) fn passes(&self) -> usize {
        self.terms.variables() as usize
    }

    /// Copies the term into a clause. Returns the copy and its new variables.
    pub(crate) fn instance(&self, into: &mut Terms) -> Option<(TermId, Vec<TermId>)> {
        let first = into.variables();
        let variables: Vec<TermId> = (0..self.terms.variables())
            .map(|v| into.push(Term::Var(first + v)))
            .collect();
        let root = copy(&self.terms, self.root, into, &mut |v| {
            variables.get(v as usize).copied()
        })?;
        Some((root, variables))
    }
}

/// A closure in a clause.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    pub(super) skeleton: Skeleton,
    /// The passed terms of the clause.
    pub(super) passed: Vec<TermId>,
    /// True if the skeleton is the term as written: no module or lambda expression was replaced by a name.
    pub(super) is_as_written: bool,
}

/// Builds the skeleton of a closure and collects the passed terms.
pub(super) struct SkeletonBuilder {
    out: Terms,
    passed: Vec<TermId>,
    pub(super) lifted: Vec<Lifted>,
    is_as_written: bool,
}

impl SkeletonBuilder {
    /// Converts a term of the clause to a closure. Returns `None` if the term is not a closure, or is unknown.
    pub(super) fn closure(
        clause: &Rewriter<'_>,
        term: TermId,
        lifted: &mut Vec<Lifted>,
    ) -> Option<Closure> {
        let mut builder = SkeletonBuilder {
            out: Terms::default(),
            passed: Vec::new(),
            lifted: Vec::new(),
            is_as_written: true,
        };
        let root = builder.part(clause, term, &mut Vec::new())?;
        let names = if is_control_goal(&clause.terms, term) {
            letters(builder.passed.len())
        } else {
            Vec::new()
        };
        let mut text = write_term(&builder.out, root, Some(&names));
        // Names of lambda expressions need no quotes here.
        for lambda in &builder.lifted {
            let mut name = Terms::default();
            let atom = name.atom(lambda.functor.name.clone());
            let quoted = write_term(&name, atom, None);
            text = text.replace(&quoted, &lambda.functor.name);
        }
        let text = text.into();
        lifted.append(&mut builder.lifted);
        Some(Closure {
            skeleton: Skeleton {
                terms: builder.out,
                root,
                text,
            },
            passed: builder.passed,
            is_as_written: builder.is_as_written,
        })
    }

    fn hole(&mut self, passed: TermId) -> TermId {
        let number = self.out.variables();
        self.passed.push(passed);
        self.out.push(Term::Var(number))
    }

    /// Returns the skeleton of a part of a closure, inside closures with these names and arities.
    fn part(
        &mut self,
        clause: &Rewriter<'_>,
        term: TermId,
        outer: &mut Vec<(SmolStr, usize)>,
    ) -> Option<TermId> {
        let term = clause.known(term);
        if let Some(lifted) = clause.lift(term) {
            let holes: Vec<TermId> = lifted.passed.iter().map(|&t| self.hole(t)).collect();
            let name = lifted.functor.name.clone();
            self.is_as_written = false;
            self.lifted.push(lifted);
            return Some(self.out.compound_or_atom(name, &holes));
        }
        let terms = &clause.terms;
        let (module, term) = match clause.stripped(term) {
            Some((module, inner)) => (Some(module), clause.known(inner)),
            None => (None, term),
        };
        let (name, _) = terms.functor(term)?;
        self.is_as_written &= module.is_none() && split_name(name).is_none();
        let module = module.filter(|m: &SmolStr| !clause.scope.is_home(m));
        if matches!(
            name.as_str(),
            "[]" | "{}" | "!" | CONS | ">>" | "/" | ":" | "^"
        ) {
            return None;
        }
        let name = match module {
            Some(_) if is_control_goal(terms, term) || !clause.scope.may_join() => return None,
            Some(module) => join(&module, name)?,
            None => name.clone(),
        };
        if is_control_goal(terms, term) {
            let mut numbers: FxHashMap<u32, TermId> = FxHashMap::default();
            for part in terms.subterms(term) {
                if let Term::Var(v) = terms.get(part)
                    && !numbers.contains_key(v)
                {
                    let hole = self.hole(part);
                    numbers.insert(*v, hole);
                }
            }
            return copy(terms, term, &mut self.out, &mut |v| {
                numbers.get(&v).copied()
            });
        }
        let arguments: Vec<TermId> = terms.args(term).to_vec();
        let kind = (name.clone(), arguments.len());
        if outer.iter().filter(|k| **k == kind).count() >= MOST_OF_ONE_KIND {
            return None;
        }
        let mut built = Vec::with_capacity(arguments.len());
        for (i, argument) in arguments.into_iter().enumerate() {
            let inner = if outer.len() < DEEPEST_CLOSURE && clause.scope.may_call_argument(&name, i)
            {
                let before = (self.out.clone(), self.passed.len(), self.lifted.len());
                let all_as_written = std::mem::replace(&mut self.is_as_written, true);
                outer.push(kind.clone());
                let inner = self.part(clause, argument, outer);
                outer.pop();
                let inner =
                    inner.filter(|_| self.is_as_written || only_calls_argument(clause, &name, i));
                self.is_as_written = all_as_written && (inner.is_none() || self.is_as_written);
                if inner.is_none() {
                    self.out = before.0;
                    self.passed.truncate(before.1);
                    self.lifted.truncate(before.2);
                }
                inner
            } else {
                None
            };
            built.push(match inner {
                Some(inner) => inner,
                None => self.hole(argument),
            });
        }
        Some(self.out.compound_or_atom(name, &built))
    }
}

/// Returns whether all predicates with a name that call an argument (from 0) do nothing else with it.
fn only_calls_argument(clause: &Rewriter<'_>, name: &SmolStr, argument: usize) -> bool {
    (argument + 1..argument + 9).all(|arity| {
        let functor = Functor::new(name.clone(), arity);
        let called = clause.scope.called_arguments(&functor);
        !called.contains(&argument) || clause.scope.only_calls(&functor, argument)
    })
}

/// Returns whether the arguments of a term are goals of the clause; such a goal takes no further arguments.
pub(crate) fn is_control_goal(terms: &Terms, term: TermId) -> bool {
    !Goal::lower(terms, term).operands().is_empty()
}
