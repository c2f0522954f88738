//! The work of built-ins whose time grows with their arguments, as a bound on their [`TimeShape`].
//!
//! ```prolog
//! p(Xs, Ys) :- msort(Xs, Ys).      % n·⌈log2(n+1)⌉ for a list of length n
//! q(T)      :- T = f(_, a).        % none: the smaller of the two terms is written here
//! ```

use costlens_algebra::{Expr, Rounding};
use costlens_body::{Collector, Goal};
use costlens_events::Event;
use costlens_syntax::assertions::{CostFunction, CostNode, CostTerm, Mode, SizeMetric};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Runner;
use super::heap_of_calls::copied;
use super::point::model::{Collected, LateWork};
use super::point::{ClauseScope, Point};
use crate::builtins::time_shapes::{Growth, TimeShape, time_shapes};
use crate::builtins::{self, Formatting};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::state::{Binding, State};
use crate::tree::Step;
use crate::tree::locals::solutions_of;
use crate::world::questions::Truth;

/// The greatest amount of work that counts as part of the cost of every call.
const SMALL: i64 = 4;

/// The maximum number of symbols in a written term of known size.
const LARGEST: usize = 1_000;

/// Records the work of a built-in before it runs, if it exceeds the work that every call has. Returns the built-in if its work depends on
/// its result.
pub(super) fn count_work(point: &mut Point, terms: &Terms, goal: TermId) -> Option<LateWork> {
    let (name, arity) = terms.functor(goal)?;
    let size = match shape_of(&point.state, terms, terms.args(goal), name)? {
        Err(size) => Some(size),
        Ok(shape) if is_of_result(shape, &point.state, terms, goal) => {
            return Some(LateWork { goal, shape });
        }
        Ok(shape) => work(shape, &point.state, terms, goal),
    };
    let event = || Event::Work(name.clone(), arity);
    let step = size.map(|size| Step::Work(Box::new((event(), size))));
    point.steps.extend(step);
    None
}

impl LateWork {
    /// Records the work of the built-in after it has run.
    pub(super) fn count(self, point: &mut Point, terms: &Terms, truth: Truth) {
        let Some((name, arity)) = terms.functor(self.goal) else {
            return;
        };
        let size = match truth {
            // If the result does not unify, its size is unknown.
            Truth::False => Some(Size::unknown()),
            _ => work(self.shape, &point.state, terms, self.goal),
        };
        let event = || Event::Work(name.clone(), arity);
        let step = size.map(|size| Step::Work(Box::new((event(), size))));
        point.steps.extend(step);
    }
}

/// Records one unit of work for each solution of a generator: all solutions take the same time.
pub(super) fn count_generated(point: &mut Point, terms: &Terms, goal: TermId) {
    if let Some((name, arity)) = terms.functor(goal) {
        let event = Event::Work(name.clone(), arity);
        let unit = Size::exact(Expr::int(1));
        point.steps.push(Step::Work(Box::new((event, unit))));
    }
}

impl Runner<'_> {
    /// Records the cost of collecting the solutions of a goal, excluding the goal itself, as work of the collecting predicate: one unit per
    /// solution, and one per cell in the copies of the kept terms. If the solutions are sorted, the work of `sort/2` on their list is added.
    ///
    /// ```prolog
    /// p(Xs, N) :- aggregate_all(count, member(_, Xs), N).       % n
    /// q(Xs, S) :- setof(X-a, member(X, Xs), S).                 % 4·n for integers, and n·⌈log₂(n+1)⌉ of sort/2
    /// ```
    pub(super) fn count_collected(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        collected: &Collected<'_>,
    ) {
        let region = self.world.region();
        let times = solutions_of(collected.tree, region);
        let mut each = Some(Size::exact(Expr::int(1)));
        for exit in collected.tree.exits() {
            let cells = collected.kept.iter().try_fold(Expr::int(1), |cells, &t| {
                Some(&cells + &copied(&exit.state, scope.terms, t)?)
            });
            each = (each.zip(cells)).map(|(most, cells)| most.hull(&Size::exact(cells), region));
        }
        let once = each.and_then(|each| times.times(&Size::exact(each.upper?), region).upper);
        let passes = || Expr::log(2, Rounding::Up, &(times.upper.as_ref()? + &Expr::int(1)));
        let sorting = collected.is_sorted.then(|| {
            let upper = passes().and_then(|passes| Some(&passes * times.upper.as_ref()?));
            (Event::Work("sort".into(), 2), upper)
        });
        let (name, arity) = collected.collector;
        let collecting = (Event::Work(name.into(), arity), once);
        for (event, upper) in std::iter::once(collecting).chain(sorting) {
            if !is_small(upper.as_ref()) {
                let size = Size::between_zero_and(&upper);
                point.steps.push(Step::Work(Box::new((event, size))));
            }
        }
    }
}

/// Returns true for an amount of work that every call has.
fn is_small(upper: Option<&Expr>) -> bool {
    (upper.and_then(Expr::as_constant)).is_some_and(|c| c <= costlens_algebra::rat(SMALL))
}

/// Returns the shape of a call whose time grows with sizes, an unknown size if the shape is uncertain, or `None` if the time does not grow.
fn shape_of(
    state: &State,
    terms: &Terms,
    args: &[TermId],
    name: &SmolStr,
) -> Option<Result<&'static TimeShape, Size>> {
    for shape in time_shapes(name, args.len()) {
        match (is_of(shape, state, terms, args), shape.growth()) {
            (Truth::False, _) => {}
            (Truth::True, Growth::Constant) => return None,
            (Truth::True, Growth::Sizes) => return Some(Ok(shape)),
            (Truth::True, Growth::Unbounded) | (Truth::Maybe, _) => {
                return Some(Err(Size::unknown()));
            }
        }
    }
    match time_shapes(name, args.len()) {
        [] => None,
        _ => Some(Err(Size::unknown())),
    }
}

/// Returns true if a shape measures the output of the call, such as the list of `atom_codes(a, L)` or `findall/3`.
pub(super) fn is_of_result(shape: &TimeShape, state: &State, terms: &Terms, goal: TermId) -> bool {
    let collects = matches!(
        Goal::lower(terms, goal),
        Goal::Collect {
            collector: Collector::FindAll,
            ..
        }
    );
    let is_free = |argument: usize| {
        let arg = terms.args(goal).get(argument);
        arg.is_some_and(|&t| state.datum(terms, t).ty == Type::Free)
    };
    shape.order.nodes.iter().any(|node| match node {
        CostNode::Size(Some(SizeMetric::Length | SizeMetric::Chars), argument) => {
            is_free(*argument)
        }
        CostNode::Size(_, argument) => collects && is_free(*argument),
        _ => false,
    })
}

/// Returns the work of a call, or `None` if it is small for all arguments.
fn work(shape: &TimeShape, state: &State, terms: &Terms, goal: TermId) -> Option<Size> {
    let unifies = matches!(
        Goal::lower(terms, goal),
        Goal::Unify(..) | Goal::NotUnifiable(..)
    );
    let measured = |metric, argument: usize| {
        let &t = terms.args(goal).get(argument)?;
        match metric {
            Some(SizeMetric::Length | SizeMetric::Chars) => length(state, terms, t),
            Some(SizeMetric::Int) => state.datum(terms, t).measured(Metric::Int).upper,
            None | Some(SizeMetric::Size) => written_size(state, terms, t, unifies),
            Some(SizeMetric::Keys) => state.datum(terms, t).measured(Metric::Keys).upper,
            Some(SizeMetric::Depth) => None,
        }
    };
    let upper = evaluated(&shape.order, &measured);
    (!is_small(upper.as_ref())).then(|| Size::between_zero_and(&upper))
}

/// Decides whether a shape applies to a call.
pub(super) fn is_of(shape: &TimeShape, state: &State, terms: &Terms, args: &[TermId]) -> Truth {
    let format = shape.format.and_then(|argument| args.get(argument));
    let is_plain =
        |&t| builtins::formatting(terms, state.resolve(terms, t)).is_some_and(Formatting::is_plain);
    if format.is_some_and(|t| !is_plain(t)) {
        return Truth::False;
    }
    let pairs = shape.modes.iter().zip(args);
    pairs.fold(Truth::True, |all, (mode, &arg)| {
        let ty = state.datum(terms, arg).ty;
        let (bound, free) = (ty.is_bound(), ty == Type::Free);
        all.and(match mode {
            Some(Mode::In | Mode::GroundIn) if bound => Truth::True,
            Some(Mode::In | Mode::GroundIn) if free => Truth::False,
            Some(Mode::Out | Mode::Fresh) if free => Truth::True,
            Some(Mode::Out | Mode::Fresh) if bound => Truth::False,
            Some(Mode::In | Mode::GroundIn | Mode::Out | Mode::Fresh) => Truth::Maybe,
            _ => Truth::True,
        })
    })
}

/// Returns an upper bound on the value of an order, or `None` if a size that occurs in it is unknown.
pub(super) fn evaluated(
    order: &CostTerm,
    measured: &dyn Fn(Option<SizeMetric>, usize) -> Option<Expr>,
) -> Option<Expr> {
    let mut values: Vec<Option<Expr>> = Vec::with_capacity(order.nodes.len());
    for node in &order.nodes {
        let value = match node {
            CostNode::Number(n, d) => Some(Expr::constant(costlens_algebra::Rat::new(
                n.clone(),
                d.clone(),
            ))),
            CostNode::Size(metric, argument) => measured(*metric, *argument),
            CostNode::Infinite | CostNode::Index(_) | CostNode::Parameter(_) => None,
            CostNode::Apply(function, parts) => {
                let parts = parts
                    .iter()
                    .map(|&p| values.get(p).and_then(Option::as_ref));
                applied(*function, &parts.collect::<Vec<_>>())
            }
        };
        values.push(value);
    }
    values.pop().flatten()
}

fn applied(function: CostFunction, parts: &[Option<&Expr>]) -> Option<Expr> {
    use CostFunction as F;
    match (function, parts) {
        (F::Add | F::Maximum, [a, b]) => Some((*a)? + (*b)?),
        (F::Multiply, [a, b]) => Some((*a)? * (*b)?),
        // This also holds if there are no elements.
        (F::Logarithm2, [a]) => Expr::log(2, Rounding::Up, &((*a)? + &Expr::int(1))),
        // A number is preferred to an expression in sizes, and the last of these: the rest of a text, with which a grammar ends, stays the same
        // while the text gets shorter.
        (F::Minimum, parts) => {
            let mut known = parts.iter().flatten();
            let number = known.clone().find(|e| e.as_constant().is_some());
            number.or_else(|| known.next_back()).map(|e| (*e).clone())
        }
        _ => None,
    }
}

/// Returns the length of a list, or the number of characters in a text.
fn length(state: &State, terms: &Terms, t: TermId) -> Option<Expr> {
    let datum = state.datum(terms, t);
    match &datum.ty {
        ty if ty.text().is_some() => datum.measured(Metric::Chars).upper,
        // The value of a number does not determine the length of its text in every notation.
        Type::Int | Type::Number | Type::Free => None,
        _ => datum.measured(Metric::Length).upper,
    }
}

/// Returns the number of constants, functors and variables in a term.
///
/// Unifying a variable that occurs once takes one step, whatever its value; a second occurrence is unified with the value of the first.
fn written_size(state: &State, terms: &Terms, t: TermId, unifies: bool) -> Option<Expr> {
    let (mut total, mut waiting) = (Expr::zero(), vec![t]);
    let (mut seen, mut budget) = (FxHashSet::default(), LARGEST);
    while let Some(top) = waiting.pop() {
        budget = budget.checked_sub(1)?;
        let top = state.resolve(terms, top);
        let one = Expr::int(1);
        let size = match terms.get(top) {
            Term::Var(v) => {
                let is_again = !seen.insert(*v);
                match &state.values[*v as usize] {
                    Binding::Known(d) if d.ty != Type::Free => {
                        let is_text = d.ty.text().is_some_and(|_| d.ty != Type::Atom);
                        match is_text {
                            true => &d.measured(Metric::Chars).upper? + &one,
                            false => d.measured(Metric::Size).upper?,
                        }
                    }
                    _ if is_again && unifies => return None,
                    _ => one,
                }
            }
            Term::Compound(..) => {
                waiting.extend(terms.args(top));
                one
            }
            Term::String(text) => Expr::int(i64::try_from(text.chars().count()).ok()? + 1),
            _ => one,
        };
        total = match total.is_zero() {
            true => size,
            false => &total + &size,
        };
    }
    Some(total)
}
