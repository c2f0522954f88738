//! Goals of which all solutions are explored: `findall/3,4`, `bagof/3` and `setof/3`, `forall/2`, `aggregate_all/3,4`.

use costlens_algebra::Expr;
use costlens_events::code::Section;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::point::{BodyPart, ClauseScope, DEEPEST_CONTROL, Goal, Point};
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
    /// `sum(E)`, `max(E)`, `min(E)`: the expression, and whether it fails without a solution.
    Number(TermId, bool),
    /// `max(E, W)`, `min(E, W)`: the whole term.
    Witness(TermId),
    /// `bag(T)`, `set(T)`: the template, and whether equal solutions count once.
    List(TermId, bool),
}

impl Runner<'_> {
    /// Runs a goal on its own, as `call/1` does: a cut in it is local. None if goals are nested too deeply. `code`: where it is code
    /// in place, from where and, if that is to be counted, up to where.
    pub(super) fn inner(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        part: BodyPart<'_>,
        goals: Vec<Goal>,
        code: Option<(usize, Option<usize>)>,
    ) -> Result<Option<Tree>, Split> {
        if part.depth >= DEEPEST_CONTROL {
            return Ok(None);
        }
        let inner = BodyPart {
            head: None,
            depth: part.depth + 1,
            local_cut: true,
            certain: false,
            until: code.and_then(|(_, end)| end),
        };
        let start = Point {
            at: code.map(|(start, _)| start),
            ..Point::new(point.state.clone())
        };
        self.run(scope, start, goals, inner).map(Some)
    }

    pub(super) fn too_deep(&self, scope: &ClauseScope<'_>, point: &mut Point, goal: TermId) {
        let reason = "goals are nested too deeply".to_owned();
        self.obstacle(scope, point, Some(goal), reason, "Split the clause.");
        point.state.expose(scope.terms, goal, &Type::Any);
        point.state.pure = false;
    }

    /// The state after a goal that was run on its own: that of any of its exits.
    pub(super) fn after(&self, terms: &Terms, tree: &Tree) -> Option<State> {
        tree.exits()
            .into_iter()
            .map(|e| e.state.clone())
            .reduce(|a, b| a.join(&b, terms, self.world))
    }

    /// `call((member(X, Xs), !))`: a goal whose cuts are local to it.
    pub(super) fn opaque(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        goal: TermId,
    ) -> Result<Truth, Split> {
        let extent = self.machine_section(scope, point, Section::Scope(goal));
        let code = extent.map(|e| (e.start, Some(e.end)));
        let Some(tree) = self.inner(scope, point, part, vec![Goal::Term(goal)], code)? else {
            self.too_deep(scope, point, goal);
            return Ok(Truth::True);
        };
        point.at = extent.map(|e| e.end);
        let Some(after) = self.after(scope.terms, &tree) else {
            point.steps.push(Step::Failed(Box::new(tree)));
            return Ok(Truth::False);
        };
        point.state = after;
        point.sure &= tree.cannot_fail();
        point.steps.push(Step::Goal(Box::new(tree), false));
        Ok(Truth::True)
    }

    /// `forall(G, C)` is `\+ (G, \+ C)`: it succeeds or fails and binds nothing. Each solution of G runs C to its first
    /// solution; where C cannot fail, all of G is explored for certain.
    pub(super) fn forall(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        (whole, generator, condition): (TermId, TermId, TermId),
    ) -> Result<Truth, Split> {
        let extent = self.machine_section(scope, point, Section::ForAll(whole));
        let code = extent.map(|e| (e.start, None));
        let Some(all) = self.inner(scope, point, part, vec![Goal::Term(generator)], code)? else {
            self.too_deep(scope, point, generator);
            return Ok(Truth::Maybe);
        };
        let Some(after) = self.after(scope.terms, &all) else {
            point.at = extent.and_then(|e| e.next);
            point.steps.push(Step::AllOf(Box::new(all)));
            return Ok(Truth::True);
        };
        let at_solution = Point::new(after);
        // In code it is `\+ (G, \+ C)`.
        let code = extent.map(|e| (e.start, Some(e.end)));
        let check = match code {
            Some(_) => Goal::Not(condition),
            None => Goal::Once(condition),
        };
        let goals = vec![check, Goal::Term(generator)];
        let (Some(tree), Some(checked)) = (
            self.inner(scope, point, part, goals, code)?,
            self.inner(scope, &at_solution, part, vec![Goal::Once(condition)], None)?,
        ) else {
            self.too_deep(scope, point, condition);
            return Ok(Truth::Maybe);
        };
        point.at = extent.and_then(|e| e.next);
        if checked.cannot_fail() {
            point.steps.push(Step::AllOf(Box::new(tree)));
            return Ok(Truth::True);
        }
        point.steps.push(Step::PartOf(Box::new(tree)));
        if let Some(extent) = extent {
            self.machine_perhaps_fails(scope, point, extent.end);
        }
        Ok(Truth::Maybe)
    }

    /// `findall(T, G, L)` and `findall(T, G, L, Tail)`: as many elements as G has solutions.
    pub(super) fn findall(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        (template, goal): (TermId, TermId),
        (list, tail): (TermId, Option<TermId>),
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let given = point.state.datum(terms, list).ty;
        if !matches!(given, Type::Free | Type::List(_)) {
            self.errors.set(true);
        }
        let Some(tree) = self.inner(scope, point, part, vec![Goal::Term(goal)], None)? else {
            self.too_deep(scope, point, goal);
            point.state.expose(terms, list, &Type::Any);
            return Ok(Truth::Maybe);
        };
        let found = solutions_list(terms, &tree, template, self.world.region());
        self.count_copies(scope, point, (template, list), &tree);
        point.steps.push(Step::AllOf(Box::new(tree)));
        let datum = match tail {
            None => found,
            Some(tail) => {
                let rest = point.state.datum(terms, tail);
                match (&found.ty, &rest.ty) {
                    (Type::List(a), Type::List(b)) => {
                        Datum::sized(Type::list(a.join(b)), found.size.plus(&rest.size))
                    }
                    _ => {
                        // A partial list, or none: its end is the tail itself.
                        point.state.expose(terms, tail, &Type::Any);
                        point.state.pure = false;
                        Datum::any()
                    }
                }
            }
        };
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        Ok(point.state.unify_datum(&s, &datum, list)?.0)
    }

    /// `bagof(T, V^G, L)` and `setof(T, V^G, L)`: the solutions of G in one list, or where G has variables that are bound by it and stand neither in
    /// T nor in V, in a list for each of their values. Without solutions it fails.
    ///
    /// ```prolog
    /// ?- setof(A, C^age(C, A), As).     % one list
    /// ?- setof(A, age(C, A), As).       % a list for each C
    /// ```
    pub(super) fn grouped(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        (template, goal, list): (TermId, TermId, TermId),
        once: bool,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let mut goal = point.state.resolve(terms, goal);
        let mut quantified = point.state.variables_inside(terms, template);
        while let Some(&[variables, inner]) = terms.matches(goal, "^", 2) {
            quantified.extend(point.state.variables_inside(terms, variables));
            goal = point.state.resolve(terms, inner);
        }
        let mut free = point.state.variables_inside(terms, goal);
        free.retain(|(v, at)| {
            !quantified.iter().any(|(q, _)| q == v) && !point.state.datum(terms, *at).ty.is_ground()
        });
        let Some(tree) = self.inner(scope, point, part, vec![Goal::Term(goal)], None)? else {
            self.too_deep(scope, point, goal);
            point.state.expose(terms, list, &Type::Any);
            return Ok(Truth::Maybe);
        };
        let region = self.world.region();
        let mut found = solutions_list(terms, &tree, template, region);
        let after = self.after(terms, &tree);
        let some = found.size.lower.as_ref().is_some_and(|least| {
            costlens_algebra::prove::nonnegative(&(least - &Expr::int(1)), region)
        });
        let kept: Vec<TermId> = std::iter::once(template)
            .chain(free.iter().map(|&(_, variable)| variable))
            .collect();
        let collector = (if once { "setof" } else { "bagof" }, 3);
        // With free variables solutions are sorted by them.
        let sorted = once || !free.is_empty();
        self.count_collected(scope, point, collector, (&tree, &kept), sorted);
        point.steps.push(Step::AllOf(Box::new(tree)));
        let Some(after) = after else {
            return Ok(Truth::False);
        };
        let at_most = found.size.upper.clone();
        if once || !some || !free.is_empty() {
            found.size.lower = Some(Expr::int(1));
        }
        let given = point.state.datum(terms, list).ty;
        if !matches!(given, Type::Free | Type::List(_)) {
            self.errors.set(true);
        }
        for &(_, variable) in &free {
            // Each group has a value of its own.
            let datum = after.datum(terms, variable);
            if datum.ty.is_ground() {
                self.learn(&mut point.state, terms, variable, &datum);
            } else {
                point.state.expose(terms, variable, &Type::Any);
                point.state.pure = false;
            }
        }
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let unified = point.state.unify_datum(&s, &found, list)?.0;
        if free.is_empty() {
            let succeeds = if some { Truth::True } else { Truth::Maybe };
            return Ok(succeeds.and(unified));
        }
        let groups = Size {
            lower: Some(Expr::int(i64::from(some))),
            upper: at_most,
        };
        point.sure &= some;
        point.steps.push(Step::Solutions(groups, None));
        Ok(unified)
    }

    /// `aggregate_all(count, G, N)` and, with a discriminator D, `aggregate_all(count, D, G, N)`, which takes each pair of a D and an item
    /// once. The entries are those of SWI-Prolog's `library(aggregate)`.
    pub(super) fn aggregate_all(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        (what, discriminator, goal): (TermId, Option<TermId>, TermId),
        result: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let what = point.state.resolve(terms, what);
        let aggregate = aggregate(terms, what)
            .filter(|aggregate| self.is_kept_apart(&point.state, terms, aggregate, result));
        let Some(aggregate) = aggregate else {
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
        // As `findall/3`: `aggregate_all(bag(X), member(X, Xs), 0)`.
        let given = point.state.datum(terms, result).ty;
        if matches!(aggregate, Aggregate::List(..)) && !matches!(given, Type::Free | Type::List(_))
        {
            self.errors.set(true);
        }
        // Where the template is looked at before the goal is called, `X^Goal` is the goal, and each `^` takes an entry.
        let (mut goal, mut carets) = (point.state.resolve(terms, goal), 0);
        if discriminator.is_some() || matches!(aggregate, Aggregate::List(..)) {
            while let Some(&[_, inner]) = terms.matches(goal, "^", 2) {
                goal = point.state.resolve(terms, inner);
                carets += 1;
            }
        }
        let Some(tree) = self.inner(scope, point, part, vec![Goal::Term(goal)], None)? else {
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
            // How many of the pairs are the same is not known.
            count.lower = Some(Expr::int(i64::from(some)));
        }
        let (entries, for_each) = entries(&aggregate, discriminator.is_some());
        let enter = |n: usize| std::iter::repeat_n(Step::Enter, n);
        point.steps.extend(enter(entries + carets));
        let (mut datum, truth) = self.aggregated(&s, &aggregate, &tree, &count, some);
        if let Aggregate::Number(expression, true) = aggregate
            && !some
            && (given != Type::Free || point.state.datum(terms, expression).ty != Type::Free)
        {
            // Without a solution the result is unified with the expression.
            datum = Datum::of(Type::Any);
            point.state.expose(terms, expression, &Type::Any);
        }
        let is_number = matches!(aggregate, Aggregate::Count | Aggregate::Number(..));
        let times = is_number.then_some(&count);
        let is_count = matches!(aggregate, Aggregate::Count);
        self.count_aggregated(scope, point, (goal, &datum.ty), times, is_count);
        let kept = match aggregate {
            Aggregate::Count => None,
            Aggregate::Number(item, _) | Aggregate::Witness(item) | Aggregate::List(item, _) => {
                Some(item)
            }
        };
        let kept: Vec<TermId> = kept.into_iter().chain(discriminator).collect();
        let sorted = discriminator.is_some() || matches!(aggregate, Aggregate::List(_, true));
        let collector = ("aggregate_all", 3 + usize::from(discriminator.is_some()));
        self.count_collected(scope, point, collector, (&tree, &kept), sorted);
        point.steps.push(Step::AllOf(Box::new(tree)));
        if for_each > 0 {
            // Of the first pair of a maximum and its witness an entry more.
            let first = matches!(aggregate, Aggregate::Witness(_)).then(|| Size {
                lower: Some(Expr::int(i64::from(some))),
                upper: Some(Expr::int(i64::from(
                    !count.upper.as_ref().is_some_and(Expr::is_zero),
                ))),
            });
            for (times, each) in [(Some(count), for_each), (first, 1)] {
                let Some(times) = times else { continue };
                let steps = std::iter::once(Step::Solutions(times, None)).chain(enter(each));
                point.steps.push(Step::AllOf(Box::new(Tree {
                    steps: steps.collect(),
                    end: End::Fail,
                    cut_inside: false,
                })));
            }
        }
        let given = point.state.datum(terms, result).ty;
        if discriminator.is_some() && !matches!(given, Type::Free | Type::Int) {
            // `length/2` of a given result.
            self.errors.set(true);
        }
        let unified = point.state.unify_datum(&s, &datum, result)?.0;
        Ok(truth.and(unified))
    }

    /// Tells whether a maximum or minimum with its witness is kept while the goal runs: it is where the result can be one. For any other
    /// result a template is made.
    fn is_kept_apart(
        &self,
        state: &State,
        terms: &Terms,
        aggregate: &Aggregate,
        result: TermId,
    ) -> bool {
        let Aggregate::Witness(what) = aggregate else {
            return true;
        };
        let result = state.resolve(terms, result);
        let is_free = state.datum(terms, result).ty == Type::Free;
        is_free || terms.functor(result) == terms.functor(*what)
    }

    /// The result of `aggregate_all/3`, given how often its goal succeeds, and whether it is there.
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
                Datum::of(if ty == Type::Int { ty } else { Type::Number })
            }
            Aggregate::Witness(_) => {
                self.errors.set(true);
                truth = Truth::Maybe;
                Datum::of(Type::Nonvar)
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

/// Clause entries of `aggregate_all/3`, or of `aggregate_all/4` where there is a discriminator, beside those of the goal: before, and for each
/// item. Numbers and witnesses, and `count` as `sum(1)`, are kept while the goal runs; else a template is made first (nine entries for it), and the
/// list of all items gone through.
fn entries(aggregate: &Aggregate, has_discriminator: bool) -> (usize, usize) {
    match (aggregate, has_discriminator) {
        (Aggregate::Count, false) => (2, 0),
        (Aggregate::Number(..) | Aggregate::Witness(_), false) => (1, 0),
        (Aggregate::List(..), false) => (10, 0),
        // The pairs without their first parts take an entry for each, and one for the end.
        (Aggregate::Count | Aggregate::List(..), true) => (11, 1),
        // `sum_list/2` and `max_list/2`
        (Aggregate::Number(_, needs_one), true) => (13 - usize::from(*needs_one), 2),
        (Aggregate::Witness(_), true) => (11, 2),
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

/// The list of copies of a template, one for each solution.
fn solutions_list(
    terms: &Terms,
    tree: &Tree,
    template: TermId,
    region: &costlens_algebra::Region,
) -> Datum {
    let element = tree
        .exits()
        .into_iter()
        .map(|exit| match exit.state.datum(terms, template).ty {
            Type::Free => Type::Any,
            ty => ty,
        })
        .fold(Type::None, |a, b| a.join(&b));
    Datum::sized(Type::list(element), solutions_of(tree, region))
}
