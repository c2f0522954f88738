//! Built-ins whose number of solutions depends on values: `between/3`, `length/2`.
//!
//! ```prolog
//! p(N, X) :- between(1, N, X).   % N solutions, or none
//! ```

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_body::Comparison;
use costlens_catalog::{ends, is_endless};
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::report::Functor;
use crate::state::State;
use crate::state::comparisons;
use crate::tree::{Generator, Step};
use crate::world::questions::{Split, Truth};

/// Returns what is known of a list and its length after `length/2`, if it has at most one solution: with a given length, an open list gets
/// the elements that are missing, and a ground term is not open.
///
/// ```prolog
/// row(R) :- length(R, 8).
/// refs(drs(Rs, _), N) :- length(Rs, N).       % of a ground term
/// ```
fn single_length(list: &Datum, length: &Datum) -> Option<(Datum, Datum)> {
    if length.ty == Type::Int {
        let list = Datum::sized(Type::list(Type::Any), length.size.clone());
        return Some((list, length.clone()));
    }
    if !list.ty.is_ground() {
        return None;
    }
    let most = Size::between_zero_and(&list.measured(Metric::Length).upper);
    let elements = Datum::sized(Type::list(Type::Ground), most.clone());
    Some((elements, Datum::sized(Type::Int, most)))
}

impl Runner<'_> {
    /// Runs `length/2` for a known list or a list that it creates.
    pub(super) fn length(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        list: TermId,
        length: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let datum = point.state.datum(terms, list);
        if let Type::List(_) = datum.ty {
            let key = datum
                .key
                .as_ref()
                .map(|k| smol_str::format_smolstr!("length({k})"));
            let n = Datum::sized(Type::Int, datum.size.clone()).with_key(key);
            // A number that cannot be a length is an error, even if the list is known.
            let given = point.state.datum(terms, length);
            let fine = match given.ty {
                Type::Free => true,
                Type::Int => given.size.is_nonnegative(self.world.region()),
                _ => false,
            };
            if !fine {
                self.errors.set(true);
            }
            return Ok(point.state.unify_datum(&s, &n, length)?.0);
        }
        let n = point.state.datum(terms, length);
        if datum.ty == Type::Free && n.ty == Type::Int {
            // length(-L, +N): a list of N unbound elements; an error for N < 0.
            let made = Datum::sized(Type::list(Type::Any), n.size.clone());
            let is_length = n
                .size
                .as_exact()
                .and_then(|e| Constraint::ge(e, &Expr::zero()));
            let truth = match (&is_length, n.size.as_exact()) {
                (Some(c), Some(e)) => self.here(&point.state).sizes(c, self.is_param(e))?,
                _ if n.size.is_nonnegative(self.world.region()) => Truth::True,
                _ => Truth::Maybe,
            };
            if truth != Truth::True {
                self.errors.set(true);
            }
            if truth != Truth::False {
                self.learn(&mut point.state, terms, list, &made);
            }
            if truth == Truth::Maybe
                && let Some(c) = is_length
            {
                point.state.passes(&s, c);
            }
            return Ok(truth);
        }
        self.errors.set(true);
        if let Some((list_after, n_after)) = single_length(&datum, &n) {
            self.learn(&mut point.state, terms, list, &list_after);
            self.learn(&mut point.state, terms, length, &n_after);
            point.state.pure = false;
            return Ok(Truth::Maybe);
        }
        self.many_solutions(
            scope,
            point,
            goal,
            "`length/2` of a list that may be open has infinitely many solutions",
            &format!(
                "Declare the list (`%! {}`), or give its length first: `between(0, 9, N), length(Xs, N)`.",
                self.mode_head()
            ),
        );
        self.learn(
            &mut point.state,
            terms,
            list,
            &Datum::from_type(Type::list(Type::Any)),
        );
        self.learn(
            &mut point.state,
            terms,
            length,
            &Datum::from_type(Type::Int),
        );
        point.state.pure = false;
        Ok(Truth::True)
    }

    /// Runs `between/3`, which generates one solution per integer or is a test.
    pub(super) fn run_between(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        [low, high, value]: [TermId; 3],
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let [l, h, v] = [low, high, value].map(|t| point.state.datum(terms, t));
        // If the value is bound, the call is a test for any limits: limits other than integers and `inf` are errors.
        if v.ty == Type::Int && !(l.ty == Type::Int && h.ty == Type::Int) {
            self.errors.set(true);
            point.state.pure = false;
            return Ok(Truth::Maybe);
        }
        if l.ty != Type::Int || h.ty != Type::Int {
            if !(l.ty.is_ground() && h.ty.is_ground()) {
                self.errors.set(true);
            }
            return Ok(self.between_unknown(scope, point, goal, high, value));
        }
        if v.ty == Type::Int {
            return self.is_between(&point.state, terms, [low, value, high]);
        }
        let mut count = h.size.plus(&l.size.negated()).shifted(1);
        let empty = (count.as_exact()).and_then(|e| Constraint::ge(&Expr::zero(), e));
        let none = match (&empty, count.as_exact()) {
            (Some(c), Some(e)) => self.here(&point.state).sizes(c, self.is_param(e))?,
            _ => Truth::Maybe,
        };
        if v.ty.is_bound() && v.ty != Type::Int {
            self.errors.set(true);
            self.learn(&mut point.state, terms, value, &Datum::from_type(Type::Int));
            point.state.pure = false;
            // The interval is empty: the only possible outcome other than failure is an exception.
            return Ok(match none {
                Truth::True => Truth::False,
                _ => Truth::Maybe,
            });
        }
        if v.ty != Type::Free {
            // The call is a test for a bound integer and a generator for an unbound value; any other value raises an exception, even if the
            // interval is empty.
            self.errors.set(true);
            point.state.pure = false;
        }
        match none {
            Truth::True => return Ok(Truth::False),
            Truth::False => {}
            Truth::Maybe => {
                if !count.is_nonnegative(self.here(&point.state).region()) {
                    count.upper = None;
                }
                count.lower = Some(Expr::zero());
            }
        }
        if v.ty != Type::Free {
            count.lower = Some(Expr::zero());
        }
        point.sure &= none == Truth::False && v.ty == Type::Free;
        let within = Size {
            lower: l.size.lower,
            upper: h.size.upper,
        };
        let size = self.generated(point, terms, goal, count, within, v.ty == Type::Free);
        scope.model.generates(point, terms, goal);
        let value_of = Datum::sized(Type::Int, size);
        self.learn(&mut point.state, terms, value, &value_of);
        Ok(Truth::True)
    }

    /// Records one solution for each integer between two limits, and returns the size of the generated integer. If the value is unbound,
    /// the solutions are different integers, so the costs of their continuations are summed.
    fn generated(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        count: Size,
        within: Size,
        is_unbound: bool,
    ) -> Size {
        let mut size = within;
        let mut generator = generator(terms, goal);
        if let Some(generator) = &mut generator {
            // Both limits are integers.
            generator.ends = true;
        }
        if let Some(generator) = &mut generator
            && is_unbound
            && let Some((local, facts)) = self.one_of(&size)
        {
            generator.distinct.push(local);
            point.state.facts = point.state.facts.and_all(&facts);
            point.steps.push(Step::Sizes(vec![local], facts));
            size = Size::exact(Expr::var(local));
        }
        point.steps.push(Step::Solutions(count, generator));
        size
    }

    /// Returns a local variable for an integer in an interval whose endpoints are linear and different.
    fn one_of(&self, size: &Size) -> Option<(Var, Region)> {
        let (low, high) = (size.lower.as_ref()?, size.upper.as_ref()?);
        if !low.is_linear() || !high.is_linear() || low == high {
            return None;
        }
        let local = self.fresh();
        let facts = size.constraints_on(local).into_iter().collect();
        Some((local, facts))
    }

    /// Runs `between/3` as a test: low =< value, value =< high.
    fn is_between(
        &self,
        state: &State,
        terms: &Terms,
        [low, value, high]: [TermId; 3],
    ) -> Result<Truth, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let no_more = Comparison::LessOrEqual;
        let (above, _) = comparisons::compare(state, &s, no_more, low, value)?;
        if above == Truth::False {
            return Ok(Truth::False);
        }
        let (below, _) = comparisons::compare(state, &s, no_more, value, high)?;
        Ok(above.and(below))
    }

    /// Runs `between/3` with limits that are not known to be integers.
    fn between_unknown(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        high: TermId,
        value: TermId,
    ) -> Truth {
        let terms = scope.terms;
        let endless = |t: TermId| {
            let limit = terms.as_atom(point.state.resolve(terms, t));
            limit.is_some_and(|name| matches!(name.as_str(), "inf" | "infinite"))
        };
        let (reason, help) = match endless(high) {
            true => (
                "`between/3` without an upper limit has infinitely many solutions",
                "Give it an upper limit, if there is one: `between(0, Limit, N)`.",
            ),
            false => (
                "the limits of `between/3` are not known to be integers",
                "Test them first: `integer(Low), integer(High), between(Low, High, X)`.",
            ),
        };
        self.many_solutions(scope, point, goal, reason, help);
        self.learn(&mut point.state, terms, value, &Datum::from_type(Type::Int));
        Truth::True
    }
}

/// Returns the generator for a goal that is written in the clause and may have more than one solution.
pub(super) fn generator(terms: &Terms, goal: TermId) -> Option<Box<Generator>> {
    let (name, arity) = terms.functor(goal)?;
    Some(Box::new(Generator {
        predicate: Functor::new(name.clone(), arity),
        literal: goal,
        distinct: Vec::new(),
        endless: is_endless(name, arity),
        ends: ends(name, arity),
    }))
}
