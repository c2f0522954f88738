//! Expands a clause in the order in which SWI-Prolog processes it, because the rules treat variables as fresh if they have not occurred
//! before.
//!
//! ```prolog
//! p(N) :- M #= N-1, q(M).      % M is fresh: it is not tested
//! ```
//!
//! The order of the tests is that of the library, since it determines which side is evaluated.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_body::{Arrow, Collector, Comparison, Goal, TypeTest, build};
use costlens_syntax::term::{Term, TermId, Terms};

use super::{CONSTRAINS, GOALS};
use crate::language::Clause;

/// The maximum depth of supported terms.
const DEEPEST: usize = 64;

/// The functions that both the rules and inference support, by arity.
const UNARY: [&str; 2] = ["-", "abs"];
const BINARY: [&str; 7] = ["+", "-", "*", "//", "mod", "min", "max"];

/// The variables that have already occurred, and may be bound.
type Met = BTreeSet<u32>;

/// Returns a clause after the expansion. Returns `None` unless all `mentions` of the library's names are supported goals.
pub(super) fn compiled(clause: &Clause, mentions: usize) -> Option<Clause> {
    let body = clause.body?;
    let mut terms = Terms::clone(&clause.terms);
    let mut met = Met::from_iter(terms.variables_of(clause.head));
    met.extend(clause.guard.iter().flat_map(|&g| terms.variables_of(g)));
    let mut walk = Walk {
        terms: &mut terms,
        done: 0,
    };
    walk.goal(body, &mut met, DEEPEST)?;
    (walk.done == mentions).then(|| Clause {
        terms: Arc::new(terms),
        ..clause.clone()
    })
}

struct Walk<'t> {
    terms: &'t mut Terms,
    /// The number of expanded goals.
    done: usize,
}

impl Walk<'_> {
    /// Expands the subgoals of a goal (`expand_goal/4`). Returns `None` if a subgoal is not supported, or if they are nested too deeply.
    fn goal(&mut self, mut goal: TermId, met: &mut Met, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        loop {
            match Goal::lower(self.terms, goal) {
                // SWI-Prolog does not expand the subgoals of `A | B`.
                _ if Goal::is_bar(self.terms, goal) => break,
                // A chain of goals can be as long as a body.
                Goal::Conjunction(first, second)
                | Goal::IfThen {
                    condition: first,
                    then: second,
                    ..
                } => {
                    self.goal(first, met, depth)?;
                    goal = second;
                }
                Goal::Disjunction(..) | Goal::IfThenElse { .. } => {
                    let &[left, right] = self.terms.args(goal) else {
                        break;
                    };
                    let mut before = met.clone();
                    self.goal(left, met, depth)?;
                    self.goal(right, &mut before, depth)?;
                    met.append(&mut before);
                    return Some(());
                }
                Goal::Not(inner) => return self.goal(inner, &mut met.clone(), depth),
                Goal::CallN { closure, added: [] } => goal = closure,
                Goal::Collect {
                    collector: Collector::FindAll,
                    goal: inner,
                    rest: None,
                    ..
                } => {
                    met.extend(self.terms.variables_of(goal));
                    goal = inner;
                }
                Goal::Call(call) => {
                    if let &[left, right] = call.args
                        && GOALS.contains(&call.name.as_str())
                    {
                        let (name, is_fresh) = (call.name.clone(), |v: u32| !met.contains(&v));
                        Expansion {
                            terms: self.terms,
                            is_fresh: &is_fresh,
                        }
                        .replace(goal, &name, left, right)?;
                        self.done += 1;
                    }
                    break;
                }
                _ => break,
            }
        }
        met.extend(self.terms.variables_of(goal));
        Some(())
    }
}

/// Conditions, each a type test or a comparison, that must all hold for the expanded goal to be arithmetic.
type Conditions = Vec<Test>;

#[derive(Clone, Copy)]
enum Test {
    Integer(TermId),
    NonZero(TermId),
    Unbound(TermId),
}

/// A goal produced by the rules, before it is built.
enum Expanded {
    /// A goal that is in the text or already built.
    Built(TermId),
    IfThenElse(Conditions, Box<Expanded>, Box<Expanded>),
    /// `Left is Right`.
    Is(TermId, TermId),
    /// A constraint.
    Constraint,
}

impl Expanded {
    /// Returns a goal that runs `then` if the conditions hold, and otherwise posts a constraint.
    fn only_if(conditions: Conditions, then: Expanded) -> Self {
        Expanded::IfThenElse(conditions, Box::new(then), Box::new(Expanded::Constraint))
    }
}

struct Expansion<'t> {
    terms: &'t mut Terms,
    is_fresh: &'t dyn Fn(u32) -> bool,
}

impl Expansion<'_> {
    /// Implements `clpfd_expansion/2`.
    fn replace(&mut self, goal: TermId, name: &str, left: TermId, right: TermId) -> Option<()> {
        let result = match name {
            "in" => self.domain(left, right)?,
            "#=" => self.equal(left, right)?,
            "#>=" => self.at_least(left, right)?,
            "#=<" => self.at_least(right, left)?,
            "#>" => {
                let next = self.next(right);
                self.at_least(left, next)?
            }
            "#<" => {
                let next = self.next(left);
                self.at_least(right, next)?
            }
            _ => return None,
        };
        let built = self.build(&result, left, right)?;
        // A goal without variables is reduced to a test, which may select the clause.
        if let Goal::Compare(Comparison::GreaterOrEqual | Comparison::Equal, ..) =
            Goal::lower(self.terms, built)
        {
            return None;
        }
        let (name, _) = self.terms.functor(built)?;
        let (name, args) = (name.clone(), self.terms.args(built).to_vec());
        self.terms.replace(goal, name, &args);
        Some(())
    }

    fn next(&mut self, of: TermId) -> TermId {
        let one = self.terms.push(Term::Integer(1.into()));
        self.terms.compound("+", &[of, one])
    }

    fn domain(&mut self, variable: TermId, domain: TermId) -> Option<Expanded> {
        let Some(&[low, high]) = self.terms.matches(domain, "..", 2) else {
            return None;
        };
        let is_integer = |id| matches!(self.terms.get(id), Term::Integer(_));
        let is_variable = matches!(self.terms.get(variable), Term::Var(_));
        if !is_variable || !is_integer(low) || !is_integer(high) {
            return None;
        }
        let between = build::between(self.terms, low, high, variable);
        Some(Expanded::only_if(
            vec![Test::Integer(variable)],
            Expanded::Built(between),
        ))
    }

    fn equal(&mut self, x: TermId, y: TermId) -> Option<Expanded> {
        let (if_x, if_y) = (self.conditions(x)?, self.conditions(y)?);
        let same = Expanded::Built(build::compare(self.terms, Comparison::Equal, x, y));
        let of_y = Expanded::only_if(if_y.clone(), same);
        let unbound_y = Expanded::IfThenElse(
            vec![Test::Unbound(y)],
            Box::new(Expanded::Is(y, x)),
            Box::new(of_y),
        );
        let unbound_x = Expanded::only_if(vec![Test::Unbound(x)], Expanded::Is(x, y));
        let otherwise = Expanded::only_if(if_y, unbound_x);
        Some(Expanded::IfThenElse(
            if_x,
            Box::new(unbound_y),
            Box::new(otherwise),
        ))
    }

    fn at_least(&mut self, x: TermId, y: TermId) -> Option<Expanded> {
        let (if_x, if_y) = (self.conditions(x)?, self.conditions(y)?);
        let order = build::compare(self.terms, Comparison::GreaterOrEqual, x, y);
        let order = Expanded::Built(order);
        // Both results are constraints, whichever side is evaluated first.
        Some(Expanded::only_if(if_x, Expanded::only_if(if_y, order)))
    }

    /// Implements `expr_conds//2`: returns the conditions under which an expression is an integer expression.
    fn conditions(&self, expression: TermId) -> Option<Conditions> {
        let mut conditions = Conditions::new();
        self.add_conditions(expression, &mut conditions, DEEPEST)?;
        Some(conditions)
    }

    fn add_conditions(&self, e: TermId, to: &mut Conditions, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match (self.terms.get(e), self.terms.args(e)) {
            (Term::Var(_), _) => to.push(Test::Integer(e)),
            (Term::Integer(_), _) => {}
            (Term::Compound(name, _), &[of]) if UNARY.contains(&name.as_str()) => {
                self.add_conditions(of, to, depth)?;
            }
            (Term::Compound(name, _), &[a, b]) if BINARY.contains(&name.as_str()) => {
                self.add_conditions(a, to, depth)?;
                self.add_conditions(b, to, depth)?;
                if matches!(name.as_str(), "//" | "mod") {
                    to.push(Test::NonZero(b));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn variable(&self, term: TermId) -> Option<u32> {
        match *self.terms.get(term) {
            Term::Var(v) => Some(v),
            _ => None,
        }
    }

    /// Builds the result of `expansion_simpler/2`. Returns `None` if the library's rules would evaluate numbers.
    fn build(&mut self, goal: &Expanded, left: TermId, right: TermId) -> Option<TermId> {
        match goal {
            Expanded::Built(built) => Some(*built),
            Expanded::Constraint => Some(self.terms.compound(CONSTRAINS, &[left, right])),
            Expanded::Is(to, value) => {
                let is_number = matches!(self.terms.get(*value), Term::Integer(_));
                let is_ground = self.terms.variables_of(*value).is_empty();
                if is_ground && !is_number {
                    return None;
                }
                let is_plain = is_number || self.variable(*value).is_some();
                let build = if is_plain { build::unify } else { build::is };
                Some(build(self.terms, *to, *value))
            }
            Expanded::IfThenElse(tests, then, otherwise) => {
                let is_fresh = |t: TermId| self.variable(t).is_some_and(self.is_fresh);
                let fails = |test: &Test| match *test {
                    Test::Integer(t) => is_fresh(t),
                    Test::Unbound(t) => self.variable(t).is_none(),
                    Test::NonZero(_) => false,
                };
                let holds = match tests[..] {
                    [] => true,
                    [Test::Unbound(t)] => is_fresh(t),
                    _ => false,
                };
                if holds {
                    return self.build(then, left, right);
                }
                if tests.iter().any(fails) {
                    return self.build(otherwise, left, right);
                }
                let condition = self.condition(tests)?;
                let then = self.build(then, left, right)?;
                let otherwise = self.build(otherwise, left, right)?;
                let chosen = build::if_then(self.terms, Arrow::Hard, condition, then);
                Some(build::disjunction(self.terms, chosen, otherwise))
            }
        }
    }

    fn condition(&mut self, tests: &[Test]) -> Option<TermId> {
        let mut all = None;
        for test in tests {
            let one = match *test {
                Test::Integer(t) => build::test(self.terms, TypeTest::Integer, t),
                Test::Unbound(t) => build::test(self.terms, TypeTest::Var, t),
                Test::NonZero(t) => {
                    let zero = self.terms.push(Term::Integer(0.into()));
                    build::compare(self.terms, Comparison::NotEqual, t, zero)
                }
            };
            all = Some(match all {
                None => one,
                Some(before) => build::conjunction(self.terms, before, one),
            });
        }
        all
    }
}
