//! `aggregate_all/3,4`: numbers, witnesses and lists computed from all solutions of a goal.
//!
//! ```prolog
//! heaviest(Ws, W) :- aggregate_all(max(X), member(X, Ws), W).
//! ```

use costlens_algebra::Expr;
use costlens_body::{Collector, Goal};
use costlens_program::workspace::Version;
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::collect::solutions_list;
use super::point::model::{Aggregated, Collected};
use super::point::{BodyPart, ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::state::{Scope, State, arith};
use crate::tree::locals::solutions_of;
use crate::tree::{End, Step, Tree};
use crate::world::questions::{Split, Truth};

/// The result that `aggregate_all/3,4` computes from the solutions.
enum Aggregate {
    Count,
    /// `sum(E)`, `max(E)`, `min(E)`: the expression, and whether the aggregate fails if there is no solution.
    Number(TermId, bool),
    /// `max(E, W)`, `min(E, W)`: the whole term.
    Witness(TermId),
    /// `bag(T)`, `set(T)`: the template, and whether duplicates are removed.
    List(TermId, bool),
}

/// The arguments of `aggregate_all/3` and `aggregate_all/4`.
pub(super) struct AggregateGoal {
    pub(super) what: TermId,
    pub(super) discriminator: Option<TermId>,
    pub(super) goal: TermId,
    pub(super) result: TermId,
}

impl Runner<'_> {
    /// Runs `aggregate_all(count, G, N)` and, with a discriminator D, `aggregate_all(count, D, G, N)`, which counts each distinct pair of D
    /// and item once. The entries are those of SWI-Prolog's `library(aggregate)`.
    pub(super) fn aggregate_all(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        aggregated: AggregateGoal,
    ) -> Result<Truth, Split> {
        let AggregateGoal {
            what,
            discriminator,
            goal,
            result,
        } = aggregated;
        let (terms, written) = (scope.terms, goal);
        let what = point.state.resolve(terms, what);
        let Some(aggregate) = aggregate(terms, what) else {
            let of = 3 + usize::from(discriminator.is_some());
            let reason = format!("what `aggregate_all/{of}` computes is not known here");
            let help = "Use `count`, `sum(E)`, `max(E)`, `min(E)`, `bag(T)` or `set(T)`.";
            self.obstacle(scope, point, Some(goal), reason, help);
            for t in [what, goal, result].into_iter().chain(discriminator) {
                point.state.expose(terms, t, &Type::Any);
            }
            point.state.pure = false;
            return Ok(Truth::True);
        };
        // As in `findall/3`, a bound result that is not a list may raise an error: `aggregate_all(bag(X), member(X, Xs), 0)`.
        let given = point.state.datum(terms, result).ty;
        if matches!(aggregate, Aggregate::List(..)) && !matches!(given, Type::Free | Type::List(_))
        {
            self.errors.set(true);
        }
        let fits = match aggregate {
            Aggregate::Witness(_) => takes_witness(&point.state, terms, what, result),
            _ => Truth::True,
        };
        // If the template is inspected before the call, the inner goal of `X^Goal` is called, and each `^` takes one clause entry.
        let (mut goal, mut carets) = (point.state.resolve(terms, goal), 0);
        let has_template = matches!(aggregate, Aggregate::List(..)) || fits == Truth::False;
        if discriminator.is_some() || has_template {
            while let Goal::Quantified { goal: inner, .. } = Goal::lower(terms, goal) {
                goal = point.state.resolve(terms, inner);
                carets += 1;
            }
        }
        let goals = scope.model.collected(written, goal);
        let Some(tree) = self.inner(scope, point, part, goals, None)? else {
            self.too_deep(scope, point, goal);
            point.state.expose(terms, result, &Type::Any);
            return Ok(Truth::Maybe);
        };
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let mut count = solutions_of(&tree, self.world.region());
        let some = count.lower.as_ref().is_some_and(|l| {
            costlens_algebra::prove::nonnegative(&(l - &Expr::int(1)), self.world.region())
        });
        if discriminator.is_some() {
            // The number of duplicate pairs is unknown.
            count.lower = Some(Expr::int(i64::from(some)));
        }
        let (least, most) = template_entries(self.program.version());
        let entries = Entries::new(&aggregate, discriminator.is_some(), fits, least, most);
        let enter = |n: usize| std::iter::repeat_n(Step::Enter, n);
        point.steps.extend(enter(entries.before + carets));
        let perhaps = Size {
            lower: Some(Expr::zero()),
            upper: Some(Expr::int(1)),
        };
        enter_each(point, perhaps, entries.perhaps_before);
        let without = match aggregate {
            Aggregate::Number(item, true) if discriminator.is_none() && !some => Some(item),
            _ => None,
        };
        let without = without.map(|item| (item, point.state.datum(terms, item)));
        let (datum, truth) = self.aggregated(&s, &aggregate, &tree, &count, some);
        let is_number = matches!(aggregate, Aggregate::Count | Aggregate::Number(..));
        let is_count = matches!(aggregate, Aggregate::Count);
        let aggregated = Aggregated {
            goal,
            result: &datum.ty,
            times: is_number.then_some(&count),
            is_count,
        };
        scope.model.aggregates(scope, point, &aggregated);
        let kept = match aggregate {
            Aggregate::Count => None,
            Aggregate::Number(item, _) | Aggregate::Witness(item) | Aggregate::List(item, _) => {
                Some(item)
            }
        };
        let kept: Vec<TermId> = kept.into_iter().chain(discriminator).collect();
        let arity = 3 + usize::from(discriminator.is_some());
        let collected = Collected {
            collector: (Collector::Aggregate.name(), arity),
            tree: &tree,
            kept: &kept,
            is_sorted: discriminator.is_some() || matches!(aggregate, Aggregate::List(_, true)),
        };
        scope.model.collects(scope, point, &collected);
        point.steps.push(Step::AllOf(Box::new(tree)));
        let at_most_as_many = Size {
            lower: Some(Expr::zero()),
            upper: count.upper.clone(),
        };
        // The first solution for a maximum with a witness takes one more clause entry.
        let first = Size {
            lower: Some(Expr::int(i64::from(some && fits == Truth::True))),
            upper: Some(Expr::int(i64::from(
                !count.upper.as_ref().is_some_and(Expr::is_zero),
            ))),
        };
        enter_each(point, count, entries.for_each);
        enter_each(point, at_most_as_many, entries.perhaps_for_each);
        enter_each(point, first, entries.for_first);
        if fits == Truth::False {
            return Ok(Truth::False);
        }
        let given = point.state.datum(terms, result);
        let is_length = match given.ty {
            Type::Free => true,
            Type::Int => !is_count || given.size.is_nonnegative(self.world.region()),
            _ => false,
        };
        if discriminator.is_some() && !is_length {
            // A bound result is passed to `length/2`, which checks its type.
            self.errors.set(true);
        }
        if let Some((item, template)) = without {
            // `aggregate_all(max(X), fail, M)` fails if both `X` and `M` are unbound, and unifies them if one of them is bound.
            let given = point.state.datum(terms, result).ty;
            if template.ty == Type::Free && given != Type::Free {
                for t in [item, result] {
                    point.state.expose(terms, t, &Type::Any);
                }
                point.state.pure = false;
                return Ok(Truth::Maybe);
            }
            if template.ty != Type::Free {
                let either = Datum::from_type(datum.ty.join(&template.ty));
                if !template.ty.is_ground() {
                    point.state.expose(terms, item, &Type::Any);
                    point.state.pure = false;
                }
                let unified = point.state.unify_datum(&s, &either, result)?.0;
                return Ok(truth.and(unified).and(Truth::Maybe));
            }
        }
        let unified = point.state.unify_datum(&s, &datum, result)?.0;
        Ok(truth.and(unified).and(fits))
    }

    /// Returns the result of `aggregate_all/3`, given its goal's number of solutions, and whether a result exists.
    fn aggregated(
        &self,
        scope: &Scope<'_>,
        aggregate: &Aggregate,
        tree: &Tree,
        count: &Size,
        some: bool,
    ) -> (Datum, Truth) {
        let mut truth = Truth::True;
        let datum = match *aggregate {
            Aggregate::Count => Datum::sized(Type::Int, count.clone()),
            Aggregate::Number(expression, needs_one) => {
                let mut ty = Type::Int;
                for exit in tree.exits() {
                    let value = arith::evaluate(&exit.state, scope, expression);
                    if value.may_raise || value.datum.ty != Type::Int {
                        // Sums of floats may overflow.
                        self.errors.set(true);
                    }
                    ty = ty.join(&value.datum.ty);
                }
                if needs_one && !some {
                    truth = Truth::Maybe;
                }
                Datum::from_type(if ty == Type::Int { ty } else { Type::Number })
            }
            Aggregate::Witness(_) => {
                self.errors.set(true);
                truth = Truth::Maybe;
                Datum::from_type(Type::Nonvar)
            }
            Aggregate::List(template, once) => {
                let mut found = solutions_list(scope.terms, tree, template, self.world.region());
                found.size = count.clone();
                if once {
                    found.size.lower = Some(Expr::int(i64::from(some)));
                }
                found
            }
        };
        (datum, truth)
    }
}

/// The clause entries of `aggregate_all/3`, or of `aggregate_all/4` with a discriminator, in addition to those of the goal.
#[derive(Default)]
struct Entries {
    before: usize,
    perhaps_before: usize,
    for_each: usize,
    perhaps_for_each: usize,
    for_first: usize,
}

impl Entries {
    /// Computes the clause entries of an aggregate.
    ///
    /// Numbers, witnesses and `count` (as `sum(1)`) are updated while the goal runs. The other aggregates first make a template, which
    /// takes nine entries and between `least` and `most` more in later versions of SWI-Prolog, and then traverse the list of all items. A
    /// witness that does not unify with the result also makes a template, but does not traverse the list.
    fn new(
        aggregate: &Aggregate,
        has_discriminator: bool,
        fits: Truth,
        least: usize,
        most: usize,
    ) -> Self {
        let (before, for_each) = match (aggregate, has_discriminator) {
            (Aggregate::Count, false) => (2, 0),
            (Aggregate::Number(..), false) => (1, 0),
            (Aggregate::List(..), false) => (10, 0),
            // Removing the first components of the pairs takes one entry per pair and one for the end.
            (Aggregate::Count | Aggregate::List(..), true) => (11, 1),
            // `sum_list/2` and `max_list/2`
            (Aggregate::Number(_, needs_one), true) => (13 - usize::from(*needs_one), 2),
            (Aggregate::Witness(_), _) => {
                return Self::of_witness(has_discriminator, fits, least, most);
            }
        };
        let makes_template = has_discriminator || matches!(aggregate, Aggregate::List(..));
        let (least, most) = if makes_template {
            (least, most)
        } else {
            (0, 0)
        };
        Entries {
            before: before + least,
            perhaps_before: most - least,
            for_each,
            ..Entries::default()
        }
    }

    fn of_witness(has_discriminator: bool, fits: Truth, least: usize, most: usize) -> Self {
        let may_fit = usize::from(fits != Truth::False);
        let has_to = usize::from(fits == Truth::True);
        if has_discriminator {
            return Entries {
                before: 10 + least + has_to,
                perhaps_before: most - least + may_fit - has_to,
                for_each: 1 + has_to,
                perhaps_for_each: may_fit - has_to,
                for_first: may_fit,
            };
        }
        let (before, at_most) = match fits {
            Truth::True => (1, 1),
            Truth::False => (9 + least, 9 + most),
            Truth::Maybe => (1, 9 + most),
        };
        Entries {
            before,
            perhaps_before: at_most - before,
            ..Entries::default()
        }
    }
}

/// Returns the minimum and maximum numbers of entries for a template in excess of those in SWI-Prolog 9.0: two in 10.1.
fn template_entries(version: Option<Version>) -> (usize, usize) {
    let [old, new] = Version::COMPARED;
    match version {
        Some(version) if version <= old => (0, 0),
        Some(version) if version >= new => (2, 2),
        _ => (0, 2),
    }
}

/// Adds a number of entries per item.
fn enter_each(point: &mut Point, times: Size, entries: usize) {
    if entries == 0 {
        return;
    }
    let steps = std::iter::once(Step::Solutions(times, None));
    point.steps.push(Step::AllOf(Box::new(Tree {
        steps: steps
            .chain(std::iter::repeat_n(Step::Enter, entries))
            .collect(),
        end: End::Fail,
        cut_inside: false,
    })));
}

/// Returns whether a result unifies with the `max(_, _)` of the clause for witnesses. Otherwise another clause runs.
fn takes_witness(state: &State, terms: &Terms, what: TermId, result: TermId) -> Truth {
    let result = state.resolve(terms, result);
    match terms.get(result) {
        Term::Var(_) => match state.datum(terms, result).ty {
            Type::Free => Truth::True,
            Type::List(_) => Truth::False,
            ty if ty.is_constant() => Truth::False,
            _ => Truth::Maybe,
        },
        _ => Truth::from_bool(
            terms.functor(result) == terms.functor(what) && !terms.args(result).is_empty(),
        ),
    }
}

fn aggregate(terms: &Terms, what: TermId) -> Option<Aggregate> {
    let (name, _) = terms.functor(what)?;
    Some(match (name.as_str(), terms.args(what)) {
        ("count", []) => Aggregate::Count,
        ("sum", &[e]) => Aggregate::Number(e, false),
        ("max" | "min", &[e]) => Aggregate::Number(e, true),
        ("max" | "min", [_, _]) => Aggregate::Witness(what),
        ("bag", &[t]) => Aggregate::List(t, false),
        ("set", &[t]) => Aggregate::List(t, true),
        _ => return None,
    })
}
