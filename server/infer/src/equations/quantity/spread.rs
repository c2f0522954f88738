//! Goals with several solutions that differ in some sizes ([`crate::component::distinct`]): the number of solutions that pass a test, and
//! the total cost of a call over all of them.

use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Relation, Var};
use costlens_recurrences::{Alternative, CallResult};

use super::{Alternatives, Quantifier, Quantity, at_most_one, is_one};
use crate::lattice::size::Size;
use crate::report::Side;
use crate::summary::relation::is_equated;
use crate::tree::locals::Locals;
use crate::tree::{Callee, End, Step, Tree};

/// The goal with several solutions, as long as there is only one such goal.
#[derive(Default)]
pub(super) enum Spread<'t> {
    #[default]
    Nowhere,
    /// The solutions differ pairwise in these sizes.
    Over(&'t [Var]),
    Anyhow,
}

impl<'t> Spread<'t> {
    pub(super) fn add(&mut self, step: &'t Step, solutions: &Alternatives) {
        if at_most_one(solutions) {
            return;
        }
        *self = match (&*self, step) {
            (Self::Nowhere, Step::Call(call)) => Self::Over(&call.distinct),
            (Self::Nowhere, Step::Solutions(_, Some(generator))) => Self::Over(&generator.distinct),
            _ => Self::Anyhow,
        };
    }

    /// Stops summing over solutions, because only some solutions continue and the cost so far depends on their sizes. The cost is then
    /// bounded as if all solutions had the same sizes, provided that the following goals are also counted for all solutions.
    pub(super) fn forget(&mut self) {
        if !matches!(self, Self::Nowhere) {
            *self = Self::Anyhow;
        }
    }

    /// Returns whether at most one solution has sizes in the region, because the region determines one of the sizes that differ.
    pub(super) fn is_one(&self, region: &Region, locals: &Locals) -> bool {
        let Self::Over(vars) = self else { return false };
        let all = region.variables();
        vars.iter().any(|v| {
            let others = all.iter().filter(|w| *w != v && locals.contains(**w));
            let others: Vec<Var> = others.copied().collect();
            (region.equalities().project_out(&others)).is_some_and(|alone| is_equated(&alone, *v))
        })
    }
}

impl Quantifier<'_> {
    /// Returns a quantity of a call, summed over all solutions of the preceding nondeterminate goal, if the call's sizes depend on the
    /// solution.
    pub(super) fn together(
        &self,
        spread: &Spread<'_>,
        step: &Step,
        quantity: Quantity,
        known: &Region,
    ) -> Option<Alternatives> {
        let Spread::Over(differ) = spread else {
            return None;
        };
        let (call, node) = match step {
            Step::Call(call) if let Callee::Inside(node) = call.callee => (call, node),
            _ => {
                let each = match quantity {
                    Quantity::Solutions => self.step_solutions(step),
                    _ => self.step_all(step),
                };
                return self.summed(spread, &each, known);
            }
        };
        if !self.upper() || !self.tells_failure {
            return None;
        }
        if quantity == Quantity::Solutions && call.solutions.is_some() {
            return None;
        }
        let exact: Option<Vec<Expr>> = call.args.iter().map(|a| a.as_exact().cloned()).collect();
        let mut args = exact?;
        let has_locals = |e: &Expr| e.variables().iter().any(|v| self.locals.contains(*v));
        let over = args.iter().position(has_locals)?;
        let locals = args[over]
            .variables()
            .into_iter()
            .filter(|v| self.locals.contains(*v));
        let locals: Vec<Var> = locals.collect();
        let [local] = locals.as_slice() else {
            return None;
        };
        let others = args.iter().skip(over + 1).any(has_locals);
        if others || !differ.contains(local) || !args[over].is_linear() {
            return None;
        }
        self.nodes[node].params[over].slot.metric.least()?;
        let most = (self.locals).removed(&Size::exact(args[over].clone()), known);
        args[over] = most
            .upper
            .filter(|e| e.is_linear() && e.terms().all(|(_, c)| c.is_integer()))?;
        let function = self
            .sums
            .sum((self.function_of)(node, quantity), node, over)?;
        let var = self.fresh();
        Some(vec![Alternative {
            results: vec![CallResult {
                var,
                function,
                args,
            }],
            value: Some(Expr::var(var)),
            ..Alternative::default()
        }])
    }

    /// Returns the sum for a solved callee, if the quantity is a polynomial in one of the sizes that differ: the sum over all values of
    /// that size.
    pub(super) fn summed(
        &self,
        spread: &Spread<'_>,
        each: &Alternatives,
        known: &Region,
    ) -> Option<Alternatives> {
        let Spread::Over(differ) = spread else {
            return None;
        };
        if !self.upper() {
            return None;
        }
        let value = self.greatest(each, known)?;
        let locals = value.variables().into_iter();
        let locals: Vec<Var> = locals.filter(|v| self.locals.contains(*v)).collect();
        let &[local] = &locals[..] else { return None };
        if !differ.iter().any(|&v| self.differs_with(local, v, known)) {
            return None;
        }
        let shadow = self.alone(local, known)?;
        let (lows, highs) = (
            ends(&shadow, local, Side::Lower),
            ends(&shadow, local, Side::Upper),
        );
        let mut all = Vec::new();
        for low in &lows {
            for high in &highs {
                let others = lows
                    .iter()
                    .filter(|&e| e != low)
                    .map(|e| Constraint::ge(low, e));
                let here = others
                    .chain((highs.iter().filter(|&e| e != high)).map(|e| Constraint::le(high, e)));
                let here: Region = here.flatten().collect();
                let on = known.and_all(&here);
                let within = [
                    Constraint::ge(&Expr::var(local), low),
                    Constraint::le(&Expr::var(local), high),
                ];
                let inside = on.and_all(&within.into_iter().flatten().collect());
                // The formula for the sum over an empty range is 0 only if the range ends just before its start. Sizes that no solution has
                // must not decrease the sum.
                let reaches = nonnegative(&(&(high - low) + &Expr::int(1)), &on);
                let adds_up = on.is_empty() || (reaches && nonnegative(&value, &inside));
                if !adds_up {
                    return None;
                }
                all.push(Alternative {
                    constraints: here,
                    value: Some(sum_over(&value, local, low, high)?),
                    ..Alternative::default()
                });
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// Returns the facts about one local, with all other locals projected out.
    fn alone(&self, local: Var, known: &Region) -> Option<Region> {
        let facts = known.and_all(&self.locals.known_of([&Size::exact(Expr::var(local))]));
        let variables = facts.variables().into_iter();
        let others: Vec<Var> = (variables)
            .filter(|v| *v != local && self.locals.contains(*v))
            .collect();
        facts.project_out(&others)
    }

    /// Returns whether the values of a local differ whenever those of another local differ, because an equation relates the two:
    /// `r = n - p`.
    fn differs_with(&self, local: Var, other: Var, known: &Region) -> bool {
        if local == other {
            return true;
        }
        let sizes = [local, other].map(|v| Size::exact(Expr::var(v)));
        let facts = known.and_all(&self.locals.known_of(&sizes)).equalities();
        let is_third = |v: &Var| *v != local && *v != other && self.locals.contains(*v);
        let third: Vec<Var> = facts.variables().into_iter().filter(is_third).collect();
        let Some(facts) = facts.project_out(&third) else {
            return false;
        };
        let ties = |c: &Constraint| {
            [local, other]
                .iter()
                .all(|&v| c.variables().any(|w| w == v))
        };
        facts.constraints().iter().any(ties)
    }

    /// Returns the greatest value among the alternatives, if a single alternative is greatest for all sizes that satisfy the known facts.
    fn greatest(&self, all: &Alternatives, known: &Region) -> Option<Expr> {
        let values: Option<Vec<&Expr>> = (all.iter())
            .map(|a| {
                a.value
                    .as_ref()
                    .filter(|_| a.results.is_empty() && a.locals.is_empty())
            })
            .collect();
        let values = values?;
        let found = values.iter().find(|&&most| {
            let on = known.and_all(&self.locals.known_of([&Size::exact(most.clone())]));
            values
                .iter()
                .all(|&other| most == other || nonnegative(&(most - other), &on))
        });
        found.map(|&most| most.clone())
    }

    /// Returns the number of solutions of a conjunction after one more goal.
    pub(super) fn multiplied<'t>(
        &self,
        times: Alternatives,
        step: &'t Step,
        spread: &mut Spread<'t>,
        known: &Region,
    ) -> Alternatives {
        let solutions = self.step_solutions(step);
        let together = match is_one(&times) {
            true => None,
            false => self.together(spread, step, Quantity::Solutions, known),
        };
        spread.add(step, &solutions);
        together.unwrap_or_else(|| self.each_time(&times, solutions, known))
    }

    /// Returns the cost of the final branches, summed over the solutions of the preceding goals.
    pub(super) fn for_each(
        &self,
        times: &Alternatives,
        spread: &Spread<'_>,
        end: Alternatives,
        known: &Region,
    ) -> Alternatives {
        let together = match is_one(times) {
            true => None,
            false => self.summed(spread, &end, known),
        };
        together.unwrap_or_else(|| self.each_time(times, end, known))
    }

    /// Returns the cost over several solutions. Products of their number and sizes that depend on the solution are bounded by using the
    /// greatest such size.
    pub(super) fn each_time(
        &self,
        times: &Alternatives,
        mut cost: Alternatives,
        known: &Region,
    ) -> Alternatives {
        let number = |a: &Alternative| a.value.as_ref().is_some_and(|e| e.as_constant().is_some());
        if self.upper() && !times.iter().all(number) {
            for alternative in cost.iter_mut().filter(|a| a.results.is_empty()) {
                let Some(value) = alternative.value.as_ref().filter(|e| e.is_linear()) else {
                    continue;
                };
                let most = self.locals.removed(&Size::exact(value.clone()), known);
                alternative.value = most.upper.or_else(|| alternative.value.take());
            }
        }
        self.times(times.clone(), cost)
    }

    /// Returns whether alternatives depend on sizes that the sizes of the call do not determine.
    pub(super) fn mentions_locals(&self, all: &Alternatives) -> bool {
        all.iter().any(|a| {
            let args = a.results.iter().flat_map(|r| &r.args);
            let of_values = args.chain(&a.value).flat_map(Expr::variables);
            let mut all = of_values.chain(a.constraints.variables());
            all.any(|v| self.locals.contains(v))
        })
    }

    /// Returns the sizes that pass a test, if the case in which the test fails is a separate alternative.
    pub(super) fn passed<'s>(&self, step: &'s Step, known: &mut Region) -> Option<&'s Region> {
        let Step::Tested(passed) = step else {
            return None;
        };
        *known = known.and_all(passed);
        (self.upper() && self.tells_failure).then_some(passed)
    }

    /// Returns the sizes that pass the tests of a condition, or of the goals before a cut, as in [`Quantifier::passed`].
    ///
    /// ```prolog
    /// words([W|Ws]) --> word(Cs), { Cs = [_|_], atom_codes(W, Cs) }, !, words(Ws).    % the next call has a shorter text
    /// ```
    pub(super) fn passed_inside(&self, step: &Step, known: &mut Region) -> Option<Region> {
        let Step::Once(tree, _) = step else {
            return None;
        };
        let mut passed = Region::default();
        let mut open = vec![&**tree];
        while let Some(tree) = open.pop() {
            if !matches!(tree.end, End::Success(_)) {
                continue;
            }
            for step in &tree.steps {
                match step {
                    Step::Tested(tested) => passed = passed.and_all(tested),
                    Step::Once(inner, _) => open.push(inner),
                    _ => {}
                }
            }
        }
        if passed.constraints().is_empty() {
            return None;
        }
        *known = known.and_all(&passed);
        (self.upper() && self.tells_failure).then_some(passed)
    }

    /// Returns the cost of goals that run to their first solution, such that the following goals do not constrain it: if several solutions of
    /// a goal may have been tried, its sizes in the cost are those of any of them.
    ///
    /// ```prolog
    /// p([X|L]) :- two([X|L], _, B), work(B), B = [], !, p(L).    % work/1 may have run for another B
    /// ```
    pub(super) fn detached(&self, tree: &Tree, cost: Alternatives) -> Alternatives {
        let is_single = |(i, step): (usize, &Step)| {
            at_most_one(&self.step_solutions(step)) || tree.is_last_to_fail(i)
        };
        if !self.upper() || tree.steps.iter().enumerate().all(is_single) {
            return cost;
        }
        let detached = |mut alternative: Alternative| {
            (self.locals).bind(&mut alternative, self.world.region(), self.tells_failure);
            let by: BTreeMap<Var, Expr> = (alternative.locals.iter())
                .map(|&v| (v, Expr::var(self.fresh())))
                .collect();
            renamed(alternative, &by)
        };
        let renamed: Option<Alternatives> = cost.into_iter().map(detached).collect();
        renamed.unwrap_or_else(|| self.nothing())
    }
}

/// Returns an alternative over other locals.
fn renamed(mut alternative: Alternative, by: &BTreeMap<Var, Expr>) -> Option<Alternative> {
    for local in &mut alternative.locals {
        *local = *by.get(local)?.variables().first()?;
    }
    alternative.constraints = alternative.constraints.substitute(by)?;
    for arg in (alternative.results.iter_mut()).flat_map(|result| &mut result.args) {
        *arg = arg.substitute(by)?;
    }
    if let Some(value) = &mut alternative.value {
        *value = value.substitute(by)?;
    }
    Some(alternative)
}

/// Returns the lower or upper ends of the range of a variable: at most two, which are linear with integer coefficients.
fn ends(of: &Region, v: Var, side: Side) -> Vec<Expr> {
    let one = Expr::var(v);
    let mut found = Vec::new();
    for c in of.constraints() {
        let a = c.coefficient(v);
        if a == 0 || ((a > 0) != (side == Side::Lower) && c.relation() != Relation::Zero) {
            continue;
        }
        let a = Rat::from_integer(a.into());
        let end = &one - &c.expr().scale(&a.recip());
        let is_whole = end.terms().all(|(_, c)| c.is_integer());
        if is_whole && !found.contains(&end) && found.len() < 2 {
            found.push(end);
        }
    }
    found
}

/// Returns the sum of a polynomial of degree at most three over the integers from `low` to `high`.
fn sum_over(value: &Expr, v: Var, low: &Expr, high: &Expr) -> Option<Expr> {
    let mut sum = Expr::zero();
    for (m, c) in value.terms() {
        if !m.is_plain() || m.exponentials.contains_key(&v) {
            return None;
        }
        let mut others = m.clone();
        let power = others.powers.remove(&v).unwrap_or(0);
        let up_to = |n: &Expr| sum_of_powers(n, power);
        let range = &up_to(high)? - &up_to(&(low - &Expr::int(1)))?;
        sum += &(&range * &Expr::monomial(others, c.clone()));
    }
    Some(sum)
}

/// Returns 1^k + … + n^k as a polynomial in n.
fn sum_of_powers(n: &Expr, k: u32) -> Option<Expr> {
    let next = n + &Expr::int(1);
    let (twice, square) = (&(n + n) + &Expr::int(1), n * &next);
    Some(match k {
        0 => n.clone(),
        1 => square.scale(&Rat::new(1.into(), 2.into())),
        2 => (&square * &twice).scale(&Rat::new(1.into(), 6.into())),
        3 => (&square * &square).scale(&Rat::new(1.into(), 4.into())),
        _ => return None,
    })
}

/// Restricts alternatives to sizes that satisfy the given constraints.
pub(super) fn limited(mut all: Alternatives, to: &Region) -> Alternatives {
    for alternative in &mut all {
        alternative.constraints = alternative.constraints.and_all(to);
    }
    all
}
