//! All work of a run: the calls of built-ins, the arithmetic functions that are evaluated, and the work of built-ins by their arguments.
//!
//! ```prolog
//! p(Xs, N) :- length(Xs, N), N > 0.      % two built-ins, and n of length/2
//! q(Xs, Y) :- findall(X-X, member(X, Xs), Y).      % findall/3, and four for each element: a copy of three cells
//! ```
//!
//! Runs without requested events record it in addition to the steps: the class of a predicate's work is shown with its steps
//! ([`crate::component::work`]). A term or text whose size nothing bounds counts as one unit, so that `X == Y` is one for any terms. A list
//! of unknown length and a number of unknown value have no bound. In a loop, nor has a text that a text is made from, since it may have been
//! made in an earlier round:
//!
//! ```prolog
//! joined([], S, S).
//! joined([X|Xs], S0, S) :- format(atom(S1), "~w,~w", [S0, X]), joined(Xs, S1, S).
//! ```

use costlens_algebra::Expr;
use costlens_body::{Collector, Goal};
use costlens_catalog::{Relation, TextUse, reads_input, relation, text_use, usual_modes};
use costlens_events::Event;
use costlens_syntax::assertions::{CostFunction, CostNode, SizeMetric};
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::point::model::{Collected, Copies, CostModel, LateWork, Literal, PointModel};
use super::point::{ClauseScope, Point};
use super::work::{evaluated, is_of, is_of_result};
use crate::builtins::time_shapes::{Growth, TimeShape, time_shapes};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::state::{Binding, State};
use crate::tree::Step;
use crate::tree::locals::solutions_of;
use crate::world::questions::Truth;
use costlens_program::Clause;

/// The maximum number of symbols in a written term that are visited.
const LARGEST: usize = 200;

/// The model that counts steps and work.
pub(super) struct TotalWork;

/// Returns the size of a text of unknown length for a built-in: none if the built-in makes texts in a loop, since the text may have been made
/// in an earlier round.
fn unknown_size(scope: &ClauseScope<'_>, goal: TermId) -> Option<Expr> {
    let functor = scope.terms.functor(goal);
    let makes = functor.is_some_and(|(name, arity)| text_use(name, arity) == Some(TextUse::Makes));
    (!makes || !scope.runner.runs_in_recursion()).then(|| Expr::int(1))
}

impl CostModel for TotalWork {
    fn counts_steps_only(&self) -> bool {
        true
    }

    fn covers(&self, _: &Clause) -> bool {
        true
    }

    fn counts_before_entry(&self) -> bool {
        false
    }

    fn may_follow_facts(&self) -> bool {
        true
    }

    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let (runner, terms, goal) = (scope.runner, scope.terms, literal.goal);
        if runner.is_own(terms, goal) {
            return;
        }
        point.steps.push(Step::BuiltIn(calls(terms, goal)));
        if let Some(symbols) = evaluated_values(&point.state, terms, goal) {
            push(point, functor_of(terms, goal), Some(symbols));
        }
        let collects = matches!(Goal::lower(terms, goal), Goal::Collect { .. });
        if !collects {
            let unknown = unknown_size(scope, goal);
            let late = count(point, terms, goal, &unknown);
            point.model = PointModel::Work(late);
        }
    }

    fn ends(&self, scope: &ClauseScope<'_>, point: &mut Point, _: TermId, truth: Truth) {
        if let PointModel::Work(late) = &mut point.model
            && let Some(late) = late.take()
        {
            let unknown = unknown_size(scope, late.goal);
            let (terms, state) = (scope.terms, &point.state);
            let size = work(late.shape, state, terms, late.goal, &unknown);
            push(point, functor_of(scope.terms, late.goal), size);
        }
        point.note(truth);
    }

    fn generates(&self, point: &mut Point, _: &Terms, _: TermId) {
        point.steps.push(Step::BuiltIn(1));
    }

    fn finds_all(&self, scope: &ClauseScope<'_>, point: &mut Point, copies: &Copies<'_>) {
        let collected = Collected {
            collector: (Collector::FindAll.name(), 3),
            tree: copies.tree,
            kept: &[copies.template],
            is_sorted: false,
        };
        self.collects(scope, point, &collected);
    }

    /// Counts the copies of the kept terms, one for each solution, and the comparisons of sorting. The solutions themselves are counted
    /// by the goal.
    fn collects(&self, scope: &ClauseScope<'_>, point: &mut Point, collected: &Collected<'_>) {
        let region = scope.runner.world.region();
        let times = solutions_of(collected.tree, region);
        let exits = collected.tree.exits();
        let mut each: Option<Size> = None;
        for exit in exits {
            let symbols = (collected.kept.iter())
                .map(|&t| visited(&exit.state, scope.terms, t))
                .fold(Expr::zero(), |all, one| &all + &one);
            let symbols = Size::exact(symbols);
            each = Some(match each {
                Some(most) => most.hull(&symbols, region),
                None => symbols,
            });
        }
        let each = each.unwrap_or_else(|| Size::exact(Expr::zero()));
        if !is_constant(&each) {
            push(point, collected.collector, times.times(&each, region).upper);
        }
        if collected.is_sorted && !is_constant(&times) {
            let passes = |times: &Expr| {
                Expr::log(2, costlens_algebra::Rounding::Up, &(times + &Expr::int(1)))
            };
            let sorting = times.upper.as_ref().and_then(|n| Some(&passes(n)? * n));
            push(point, collected.collector, sorting);
        }
    }
}

/// Returns the number of built-ins and arithmetic functions in a goal.
fn calls(terms: &Terms, goal: TermId) -> u32 {
    let functions = |t: TermId| {
        let compound = |&t: &TermId| matches!(terms.get(t), Term::Compound(..));
        u32::try_from(terms.subterms(t).into_iter().filter(compound).count()).unwrap_or(u32::MAX)
    };
    match Goal::lower(terms, goal) {
        Goal::Is { expression, .. } => functions(expression).saturating_add(1),
        Goal::Compare(_, left, right) => {
            (functions(left).saturating_add(functions(right))).saturating_add(1)
        }
        _ => 1,
    }
}

fn is_constant(size: &Size) -> bool {
    size.upper
        .as_ref()
        .is_some_and(|e| e.as_constant().is_some())
}

fn functor_of(terms: &Terms, goal: TermId) -> (&str, usize) {
    terms
        .functor(goal)
        .map_or(("", 0), |(name, arity)| (name.as_str(), arity))
}

/// Returns the number of symbols in the values of variables that arithmetic evaluates, except for numbers.
///
/// ```prolog
/// value(E, X) :- X is E.      % E is an expression of any size
/// ```
fn evaluated_values(state: &State, terms: &Terms, goal: TermId) -> Option<Expr> {
    let expressions = match Goal::lower(terms, goal) {
        Goal::Is { expression, .. } => vec![expression],
        Goal::Compare(_, left, right) => vec![left, right],
        _ => return None,
    };
    let mut total = Expr::zero();
    for t in expressions.into_iter().flat_map(|t| terms.subterms(t)) {
        if let Term::Var(_) = terms.get(t) {
            let datum = state.datum(terms, t);
            if !matches!(datum.ty, Type::Int | Type::Number | Type::Free | Type::Any) {
                total = &total + &size(&datum, &Some(Expr::int(1)))?;
            }
        }
    }
    Some(total)
}

/// Records the work of a built-in, unless a constant bounds it.
fn push(point: &mut Point, (name, arity): (&str, usize), upper: Option<Expr>) {
    let is_constant = upper.as_ref().is_some_and(|e| e.as_constant().is_some());
    if !is_constant {
        let size = Size::between_zero_and(&upper);
        let event = Event::Work(name.into(), arity);
        point.steps.push(Step::Work(Box::new((event, size))));
    }
}

/// The time of a built-in that its arguments do not bound, such as `print/1`, which the program may extend, or `open/3`. Its work is the
/// symbols in its arguments.
struct Unbounded;

/// Records the work of a built-in before it runs. Returns the built-in if its work depends on its result.
fn count(
    point: &mut Point,
    terms: &Terms,
    goal: TermId,
    unknown: &Option<Expr>,
) -> Option<LateWork> {
    let (name, arity) = terms.functor(goal)?;
    // The clauses of `must_be/2` count no steps.
    if relation(name, arity) == Some(Relation::OfType) {
        let checked = terms.args(goal).last();
        let symbols = checked.map(|&t| visited(&point.state, terms, t));
        push(point, (name, arity), symbols);
        return None;
    }
    let Ok(shape) = shape_of(&point.state, terms, terms.args(goal), name)? else {
        let args = terms.args(goal).iter();
        let symbols = args.fold(Expr::zero(), |sum, &t| {
            &sum + &visited(&point.state, terms, t)
        });
        push(point, (name, arity), Some(symbols));
        return None;
    };
    if is_of_result(shape, &point.state, terms, goal) {
        return Some(LateWork { goal, shape });
    }
    let size = work(shape, &point.state, terms, goal, unknown);
    push(point, (name, arity), size);
    None
}

/// Returns the shape of a call whose work grows with sizes, or an error if its arguments do not bound its time. What comes from outside the
/// program, such as the term that `read/1` reads, counts as one unit.
fn shape_of(
    state: &State,
    terms: &Terms,
    args: &[TermId],
    name: &SmolStr,
) -> Option<Result<&'static TimeShape, Unbounded>> {
    let shapes = time_shapes(name, args.len());
    let mut possible = (shapes.iter()).filter_map(|shape| match is_of(shape, state, terms, args) {
        Truth::False => None,
        truth => Some((shape, truth)),
    });
    let (first, truth) = possible.next()?;
    match (first.growth(), truth) {
        (Growth::Sizes, _) => Some(Ok(first)),
        (Growth::Unbounded, _) if !reads_input(name, args.len()) => Some(Err(Unbounded)),
        (_, Truth::True) => None,
        _ => (possible.map(|(shape, _)| shape))
            .find(|shape| shape.growth() == Growth::Sizes)
            .map(Ok),
    }
}

/// Returns an upper bound on the work of a call.
fn work(
    shape: &TimeShape,
    state: &State,
    terms: &Terms,
    goal: TermId,
    unknown: &Option<Expr>,
) -> Option<Expr> {
    let (name, arity) = terms.functor(goal)?;
    let usual = usual_modes(name, arity);
    let takes_list = |argument: usize| {
        let mode = usual.and_then(|modes| modes.as_bytes().get(argument));
        mode == Some(&b'l')
    };
    let measured = |metric, argument: usize, by_value: bool| {
        let &t = terms.args(goal).get(argument)?;
        match metric {
            Some(SizeMetric::Int) if !by_value => None,
            Some(SizeMetric::Length | SizeMetric::Chars) => {
                length(&state.datum(terms, t), takes_list(argument), unknown)
            }
            Some(SizeMetric::Int) => state.datum(terms, t).measured(Metric::Int).upper,
            None | Some(SizeMetric::Size) => sum(state, terms, t, &|datum| size(datum, unknown)),
            Some(SizeMetric::Keys) => state.datum(terms, t).measured(Metric::Keys).upper,
            Some(SizeMetric::Depth) => Some(Expr::int(1)),
        }
    };
    // The length in `min(int(Index), length(List))` stays the same while an index counts.
    let with = |by_value| {
        evaluated(&shape.order, &|metric, argument| {
            measured(metric, argument, by_value)
        })
    };
    let is_least = |node: &CostNode| matches!(node, CostNode::Apply(CostFunction::Minimum, _));
    let least = shape.order.nodes.iter().any(is_least);
    let own = least
        .then(|| with(false))
        .flatten()
        .or_else(|| with(true))?;
    // A text that is converted is read as a whole, even if the given result is short: `atom_codes(A, [])`.
    let texts = (terms.args(goal).iter())
        .filter(|_| text_use(name, arity).is_some())
        .map(|&t| state.datum(terms, t))
        .filter(|datum| datum.ty.text().is_some())
        .try_fold(Expr::zero(), |sum, datum| {
            let one = Expr::int(1);
            let chars = datum.measured(Metric::Chars).upper;
            Some(&sum + &chars.or_else(|| unknown.clone().map(|_| one))?)
        })?;
    Some(match texts.as_constant() {
        Some(_) => own,
        None => &own + &texts,
    })
}

/// Returns the length of a list, or the number of characters in a text; `unknown` for a text of unknown length. Returns `None` if the length of
/// a list is unknown.
fn length(datum: &Datum, takes_list: bool, unknown: &Option<Expr>) -> Option<Expr> {
    let is_text = datum.ty.text().is_some();
    let metric = if is_text {
        Metric::Chars
    } else {
        Metric::Length
    };
    let known = match &datum.ty {
        Type::Int | Type::Number => return Some(Expr::int(1)),
        Type::Free => None,
        _ => datum.measured(metric).upper,
    };
    let is_open = matches!(datum.ty, Type::List(_)) || takes_list && !is_text;
    // The characters of texts in a list: `atomic_list_concat/2`.
    let chars = datum.element_bound(Metric::Chars);
    let known = match (known, chars) {
        (Some(length), Some(chars)) => Some(&length * &(&chars + &Expr::int(1))),
        (known, _) => known,
    };
    known.or_else(|| unknown.clone().filter(|_| !is_open))
}

/// Returns the number of symbols in a term, where a part of unknown size counts as one.
fn visited(state: &State, terms: &Terms, t: TermId) -> Expr {
    let one = Some(Expr::int(1));
    sum(state, terms, t, &|datum| size(datum, &one)).unwrap_or_else(|| Expr::int(1))
}

/// Returns the number of symbols that are written in a term, and those in the values of its variables.
fn sum(
    state: &State,
    terms: &Terms,
    t: TermId,
    of_value: &dyn Fn(&Datum) -> Option<Expr>,
) -> Option<Expr> {
    let (mut total, mut open, mut budget) = (Expr::zero(), vec![t], LARGEST);
    while let Some(top) = open.pop() {
        let top = state.resolve(terms, top);
        let own = match terms.get(top) {
            Term::Var(v) => match &state.values[*v as usize] {
                Binding::Known(datum) => of_value(datum)?,
                _ => Expr::int(1),
            },
            Term::Compound(..) if budget > 0 => {
                budget -= 1;
                open.extend(terms.args(top));
                Expr::int(1)
            }
            _ => Expr::int(1),
        };
        total = match total.is_zero() {
            true => own,
            false => &total + &own,
        };
    }
    Some(total)
}

/// Returns the number of symbols in a value; `unknown` if nothing bounds it.
fn size(datum: &Datum, unknown: &Option<Expr>) -> Option<Expr> {
    let known = match &datum.ty {
        Type::Int | Type::Number | Type::None | Type::Free => return Some(Expr::int(1)),
        Type::Atom => datum.measured(Metric::Chars).upper,
        ty if ty.text().is_some() => datum.measured(Metric::Chars).upper,
        _ => datum.measured(Metric::Size).upper,
    };
    let elements = || match (&datum.ty, unknown) {
        (Type::List(_), Some(one)) => {
            // A cell, and the symbols of an element.
            let element = datum.ty.element_metric().and_then(|metric| {
                let most = datum.element_bound(metric)?;
                Some(match metric {
                    Metric::Length => &most.scale(&costlens_algebra::rat(2)) + one,
                    _ => most,
                })
            });
            let each = &element.unwrap_or_else(|| one.clone()) + one;
            Some(&(&datum.measured(Metric::Length).upper? * &each) + one)
        }
        (Type::Opaque(opaque), Some(one)) => {
            let (each, beside) = opaque.symbols();
            let content = |of: &Type| match of.is_constant() {
                true => Expr::int(1),
                false => one.clone(),
            };
            let contents = &content(&opaque.key) + &content(&opaque.value);
            let keys = datum.measured(Metric::Keys).upper?;
            Some(&(&keys * &(&contents + &Expr::int(each))) + &Expr::int(beside))
        }
        _ => None,
    };
    known.or_else(elements).or_else(|| unknown.clone())
}
