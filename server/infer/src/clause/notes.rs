//! Records of a run other than the goals that it calls: tests that may fail, events, and unknown goals.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_catalog::is_fixed;
use costlens_compile::events;
use costlens_events::Counts;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::report::Functor;
use crate::state::{Binding, Scope};
use crate::summary::RunsLater;
use crate::tree::{End, Exit, Obstacle, Step, Tree};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    pub(super) fn scope<'s>(
        &'s self,
        terms: &'s Terms,
        is_param: &'s dyn Fn(&Expr) -> bool,
    ) -> Scope<'s> {
        Scope {
            terms,
            world: self.world,
            is_param,
        }
    }

    /// Returns whether an expression contains only size variables of the entry, so that a world may be split on it.
    pub(super) fn is_param(&self, e: &Expr) -> bool {
        let node = &self.nodes[self.node];
        e.variables()
            .iter()
            .all(|v| node.parameters.contains(v) || node.params.iter().any(|p| p.var == *v))
    }

    /// Records the outcome of a goal. Returns true if the goal has failed.
    pub(super) fn fails(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        text: TermId,
        truth: Truth,
    ) -> Result<bool, Split> {
        scope.model.ends(scope, point, text, truth);
        Ok(truth == Truth::False || !self.narrows(point)?)
    }

    /// Assumes, for the rest of the run, the conditions on sizes that the last literal has tested ([`crate::tree::locals`]). Returns false
    /// if no sizes satisfy them; requests a split if that depends on the sizes of the call.
    ///
    /// ```prolog
    /// chunk(L, [P|Ps]) :- append(P, R, L), length(P, 4), chunk(R, Ps).    % L has four elements at least, and R four less
    /// ```
    fn narrows(&self, point: &mut Point) -> Result<bool, Split> {
        let tested: Region = std::mem::take(&mut point.state.tested)
            .into_iter()
            .collect();
        if tested.constraints().is_empty() {
            return Ok(true);
        }
        let is_local = |v: &Var| !self.is_param(&Expr::var(*v));
        let facts = point.state.facts.and_all(&tested);
        let locals: Vec<Var> = facts.variables().into_iter().filter(is_local).collect();
        let all = self.world.region().and_all(&facts);
        for c in all
            .project_out(&locals)
            .iter()
            .flat_map(Region::constraints)
        {
            if self.world.sizes(c, self.is_param(&c.expr()))? == Truth::False {
                return Ok(false);
            }
        }
        point.state.facts = facts;
        point.steps.push(Step::Tested(tested));
        Ok(true)
    }

    /// Counts a call to a built-in, together with the expressions that the built-in evaluates. Predicates defined by the program are not
    /// counted.
    pub(super) fn built_in(&self, terms: &Terms, goal: TermId) -> Counts {
        match self.is_own(terms, goal) {
            false => events::builtin(terms, goal),
            true => Counts::default(),
        }
    }

    /// Returns true for a call to a predicate that is defined in the program or has trust assertions.
    pub(super) fn is_own(&self, terms: &Terms, goal: TermId) -> bool {
        terms.functor(goal).is_none_or(|(name, arity)| {
            let predicate = Functor::new(name.clone(), arity);
            !is_fixed(name, arity)
                && (self.program.is_defined(&predicate) || self.program.is_trusted(&predicate))
        })
    }

    pub(super) fn give_up(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        literal: Option<TermId>,
        reason: String,
        help: &str,
    ) -> Tree {
        self.obstacle(scope, &mut point, literal, reason, help);
        // Goals that did not run may bind any variable and may cut.
        scope.may_cut.set(true);
        point.state.pure = false;
        for value in &mut point.state.values {
            if *value == Binding::Unbound {
                *value = Binding::Known(Datum::any());
            }
        }
        let exit = Exit {
            elements: Vec::new(),
            arguments: self.nodes[self.node]
                .pattern
                .0
                .iter()
                .map(|_| Datum::any())
                .collect(),
            state: point.state,
        };
        Tree {
            steps: point.steps,
            end: End::Success(Box::new(exit)),
            cut_inside: true,
        }
    }

    pub(super) fn obstacle(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        literal: Option<TermId>,
        reason: String,
        help: &str,
    ) {
        self.met.note_later(RunsLater::Maybe);
        self.note_obstacle(
            point,
            Obstacle {
                clause: scope.clause,
                literal,
                reason,
                help: help.to_owned(),
                calls_nothing: false,
                missing: None,
            },
        );
    }

    /// Records a goal whose predicate is unknown, regardless of its arguments.
    pub(super) fn missing(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        literal: TermId,
        reason: String,
        help: String,
        predicate: Option<Functor>,
    ) {
        self.met.note_later(RunsLater::Maybe);
        self.note_obstacle(
            point,
            Obstacle {
                clause: scope.clause,
                literal: Some(literal),
                reason,
                help,
                calls_nothing: false,
                missing: predicate,
            },
        );
    }

    /// Records a built-in whose bindings are known and that calls no goals, but whose number of solutions is unknown.
    pub(super) fn many_solutions(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        literal: TermId,
        reason: &str,
        help: &str,
    ) {
        self.note_obstacle(
            point,
            Obstacle {
                clause: scope.clause,
                literal: Some(literal),
                reason: reason.to_owned(),
                help: help.to_owned(),
                calls_nothing: true,
                missing: None,
            },
        );
    }

    fn note_obstacle(&self, point: &mut Point, obstacle: Obstacle) {
        // A goal that is not followed may also raise an exception.
        self.errors.set(true);
        let mut all = self.obstacles.borrow_mut();
        let index = all.iter().position(|o| *o == obstacle).unwrap_or_else(|| {
            all.push(obstacle);
            all.len() - 1
        });
        point.steps.push(Step::Unknown(index));
        point.sure = false;
    }
}
