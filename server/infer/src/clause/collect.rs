//! Goals that explore all solutions of a goal: `findall/3,4`, `bagof/3` and `setof/3`, `forall/2`.

use costlens_algebra::Expr;
use costlens_body::{Collector, Goal};
use costlens_compile::code::ConstructPart;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::point::model::{Collected, Copies, Inside, Sections};
use super::point::{BodyPart, ClauseScope, DEEPEST_CONTROL, PendingGoal, Point};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::state::State;
use crate::tree::locals::solutions_of;
use crate::tree::{Step, Tree};
use crate::world::questions::{Split, Truth};

/// The arguments of a goal that collects the solutions of another goal in a list.
pub(super) struct CollectGoal {
    pub(super) template: TermId,
    pub(super) goal: TermId,
    pub(super) list: TermId,
}

impl Runner<'_> {
    /// Runs a goal separately, as `call/1` does: cuts in it are local. Returns `None` if goals are nested too deeply. `inside` contains the
    /// positions of a goal whose code is in place.
    pub(super) fn inner(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        part: BodyPart<'_>,
        goals: Vec<PendingGoal>,
        inside: Option<Inside>,
    ) -> Result<Option<Tree>, Split> {
        if part.depth >= DEEPEST_CONTROL {
            return Ok(None);
        }
        let Inside { start, until } = inside.unwrap_or_else(|| Inside {
            start: scope.model.start(),
            until: None,
        });
        let inner = BodyPart {
            head: None,
            depth: part.depth + 1,
            local_cut: true,
            certain: false,
            until,
        };
        let start = Point {
            model: start,
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

    /// Returns the state after a goal that ran separately: the join of the states at its exits.
    pub(super) fn exit_state(&self, terms: &Terms, tree: &Tree) -> Option<State> {
        tree.exits()
            .into_iter()
            .map(|e| e.state.clone())
            .reduce(|a, b| a.join(&b, terms, self.world))
    }

    /// Runs `call((member(X, Xs), !))`: a goal whose cuts are local to it.
    pub(super) fn opaque(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        goal: TermId,
    ) -> Result<Truth, Split> {
        let sections = scope
            .model
            .section(scope, point, ConstructPart::Scope(goal));
        let (goals, inside) = (vec![PendingGoal::Term(goal)], Some(sections.inside));
        let Some(tree) = self.inner(scope, point, part, goals, inside)? else {
            self.too_deep(scope, point, goal);
            return Ok(Truth::True);
        };
        point.model = sections.then;
        let Some(after) = self.exit_state(scope.terms, &tree) else {
            point.steps.push(Step::Failed(Box::new(tree)));
            return Ok(Truth::False);
        };
        point.state = after;
        point.sure &= tree.cannot_fail();
        point.steps.push(Step::Goal(Box::new(tree), false));
        Ok(Truth::True)
    }

    /// Runs `forall(G, C)` as `\+ (G, \+ C)`: it succeeds or fails without binding anything. For each solution of G, C runs to its first
    /// solution; if C cannot fail, all solutions of G are certainly explored.
    pub(super) fn forall(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        whole: TermId,
        generator: TermId,
        condition: TermId,
    ) -> Result<Truth, Split> {
        let Sections {
            inside, otherwise, ..
        } = (scope.model).section(scope, point, ConstructPart::ForAll(whole));
        let without_end = Inside {
            until: None,
            ..inside.clone()
        };
        let goals = vec![PendingGoal::Term(generator)];
        let Some(all) = self.inner(scope, point, part, goals, Some(without_end))? else {
            self.too_deep(scope, point, generator);
            return Ok(Truth::Maybe);
        };
        let Some(after) = self.exit_state(scope.terms, &all) else {
            point.model = otherwise;
            point.steps.push(Step::AllOf(Box::new(all)));
            return Ok(Truth::True);
        };
        let at_solution = Point::new(after);
        // The code is that of `\+ (G, \+ C)`.
        let check = match inside.until {
            Some(_) => PendingGoal::Not(condition),
            None => PendingGoal::Once(condition),
        };
        let goals = vec![check, PendingGoal::Term(generator)];
        let once = vec![PendingGoal::Once(condition)];
        let (Some(tree), Some(checked)) = (
            self.inner(scope, point, part, goals, Some(inside.clone()))?,
            self.inner(scope, &at_solution, part, once, None)?,
        ) else {
            self.too_deep(scope, point, condition);
            return Ok(Truth::Maybe);
        };
        point.model = otherwise;
        if checked.cannot_fail() {
            point.steps.push(Step::AllOf(Box::new(tree)));
            return Ok(Truth::True);
        }
        point.steps.push(Step::PartOf(Box::new(tree)));
        scope.model.forall_may_fail(scope, point, &inside);
        Ok(Truth::Maybe)
    }

    /// Runs `findall(T, G, L)` and `findall(T, G, L, Tail)`: the list has as many elements as G has solutions.
    pub(super) fn findall(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        collected: CollectGoal,
        tail: Option<TermId>,
    ) -> Result<Truth, Split> {
        let CollectGoal {
            template,
            goal,
            list,
        } = collected;
        let terms = scope.terms;
        let given = point.state.datum(terms, list).ty;
        if !matches!(given, Type::Free | Type::List(_)) {
            self.errors.set(true);
        }
        let goals = scope.model.collected(goal, goal);
        let Some(tree) = self.inner(scope, point, part, goals, None)? else {
            self.too_deep(scope, point, goal);
            point.state.expose(terms, list, &Type::Any);
            return Ok(Truth::Maybe);
        };
        let found = solutions_list(terms, &tree, template, self.world.region());
        let copies = Copies {
            tree: &tree,
            template,
            list,
        };
        scope.model.finds_all(scope, point, &copies);
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
                        // The result is a partial list or not a list: it ends in the tail itself.
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

    /// Runs `bagof(T, V^G, L)` and `setof(T, V^G, L)`, which collect the solutions of G in a list. If G binds variables that occur neither
    /// in T nor in V, there is one list for each combination of their values. If G has no solutions, the call fails.
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
        collected: CollectGoal,
        once: bool,
    ) -> Result<Truth, Split> {
        let CollectGoal {
            template,
            goal,
            list,
        } = collected;
        let (terms, written) = (scope.terms, goal);
        let mut goal = point.state.resolve(terms, goal);
        let mut quantified = point.state.variables_inside(terms, template);
        while let Goal::Quantified {
            variable,
            goal: inner,
        } = Goal::lower(terms, goal)
        {
            quantified.extend(point.state.variables_inside(terms, variable));
            goal = point.state.resolve(terms, inner);
        }
        let mut free = point.state.variables_inside(terms, goal);
        free.retain(|(v, at)| {
            !quantified.iter().any(|(q, _)| q == v) && !point.state.datum(terms, *at).ty.is_ground()
        });
        let goals = scope.model.collected(written, goal);
        let Some(tree) = self.inner(scope, point, part, goals, None)? else {
            self.too_deep(scope, point, goal);
            point.state.expose(terms, list, &Type::Any);
            return Ok(Truth::Maybe);
        };
        let region = self.world.region();
        let mut found = solutions_list(terms, &tree, template, region);
        let after = self.exit_state(terms, &tree);
        let some = found.size.lower.as_ref().is_some_and(|least| {
            costlens_algebra::prove::nonnegative(&(least - &Expr::int(1)), region)
        });
        let kept: Vec<TermId> = std::iter::once(template)
            .chain(free.iter().map(|&(_, variable)| variable))
            .collect();
        let collector = match once {
            true => Collector::SetOf,
            false => Collector::BagOf,
        };
        let collected = Collected {
            collector: (collector.name(), 3),
            tree: &tree,
            kept: &kept,
            // With free variables, the solutions are sorted by the values of these variables.
            is_sorted: once || !free.is_empty(),
        };
        scope.model.collects(scope, point, &collected);
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
            // Each group has its own value of the free variable.
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
}

/// Returns the list of copies of a template, one for each solution.
pub(super) fn solutions_list(
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
