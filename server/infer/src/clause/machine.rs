//! Counts of the instructions of Costlens' own machine: first-argument indexing selects the clauses that are tried, and each of them runs
//! up to the instruction that fails.
//!
//! A run follows the clause's code as it follows the goals ([`MachinePoint`]). If it is unknown whether the index selects a clause, or which
//! instruction of a head fails, the lower and upper counts differ. Instructions run by meta-calls are unknown.

mod selection;
mod sharpened;

use std::sync::Arc;

use costlens_body::{Collector, Goal};
use costlens_catalog::{counts_nothing, is_fixed, meta_arguments};
use costlens_compile::code::{
    ConstructPart, CountedClause, Extent, Modes, Outcome, Stretch, inside_built_in, perhaps,
};
use costlens_events::Counts;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::instructions::is_made;
use super::point::model::{
    Begun, CostModel, Head, Inside, LateWork, Literal, MachinePoint, PointModel, Sections,
    uncompiled,
};
use super::point::{BodyPart, ClauseScope, Point};
use super::work::count_work;
use super::wrapped::runs_once;
use crate::report::Functor;
use crate::state::State;
use crate::tree::{Step, Tested, Tree};
use crate::world::questions::{Split, Truth};

pub(super) use selection::selection;

/// The model of a clause whose instructions are counted: its code, or `None` if it cannot be compiled, so that its counts are unknown.
pub(super) struct MachineClause(Option<SelectedClause>);

/// The code of a clause, and the way in which the call selects it.
struct SelectedClause {
    head: TermId,
    code: CountedClause,
    found: Outcome,
    before: Counts,
    /// True if a choice point is younger than the arguments from the caller.
    leaves_choice: bool,
}

impl PointModel {
    /// Makes the position at an instruction.
    fn at_instruction(at: Option<usize>) -> Self {
        PointModel::Machine(MachinePoint {
            at,
            ..MachinePoint::default()
        })
    }

    fn machine(&mut self) -> Option<&mut MachinePoint> {
        match self {
            PointModel::Machine(here) => Some(here),
            _ => None,
        }
    }
}

impl Point {
    /// Returns the next instruction, if the run follows the code.
    fn place(&self) -> Option<usize> {
        match &self.model {
            PointModel::Machine(here) => here.at,
            _ => None,
        }
    }

    fn go_to(&mut self, place: Option<usize>) {
        if let Some(here) = self.model.machine() {
            here.at = place;
        }
    }

    fn begin(&mut self, begun: Begun, late: Option<LateWork>) {
        if let Some(here) = self.model.machine() {
            (here.begun, here.late) = (Some(begun), late);
        }
    }
}

impl CostModel for MachineClause {
    fn follows_code(&self) -> bool {
        true
    }

    fn start(&self) -> PointModel {
        PointModel::at_instruction(None)
    }

    fn head(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        truths: &[Truth],
    ) -> Result<Head, Split> {
        let Some(clause) = &self.0 else {
            let reason = "the instructions of the clause are not known".to_owned();
            scope.runner.obstacle(scope, point, None, reason, "");
            return Ok(uncompiled(point, truths));
        };
        Ok(clause.enter(scope, point, truths))
    }

    /// Counts instructions before a goal. Calls and cuts are counted now; inline code is counted when the goal's outcome is known.
    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let Literal { goal, text } = literal;
        scope.runner.note_integers(point, scope.terms, goal);
        let (Some(clause), Some(at)) = (&self.0, point.place()) else {
            return;
        };
        if scope.terms.functor(goal).is_none() {
            return;
        }
        let lowered = Goal::lower(scope.terms, goal);
        if !clause.code.is_literal(text) && literal.is_written() && is_in_place(lowered) {
            return;
        }
        let Some(stretch) = clause.code.to_literal(at, text) else {
            lose(scope, point, Some(goal));
            return;
        };
        point.go_to(Some(stretch.to));
        if stretch.calls {
            clause.call(scope, point, stretch, literal);
        } else if lowered == Goal::Cut {
            point.count(clause.counts(&stretch, Outcome::Succeeds));
        } else {
            let begun = Begun {
                stretch,
                modes: scope.runner.goal_modes(&point.state, scope.terms, goal),
                steps: point.steps.len(),
            };
            point.begin(begun, None);
        }
    }

    fn begins_control(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        self.begins(scope, point, literal);
    }

    /// Counts instructions after a goal that compiles to inline code.
    fn ends(&self, scope: &ClauseScope<'_>, point: &mut Point, _: TermId, truth: Truth) {
        let here = point
            .model
            .machine()
            .map(|h| (h.begun.take(), h.late.take()));
        let (begun, late) = here.unwrap_or_default();
        if let (Some(clause), Some(begun)) = (&self.0, begun) {
            clause.end_inline(point, &begun, truth);
        }
        if let Some(late) = late {
            late.count(point, scope.terms, truth);
        }
        point.note(truth);
    }

    fn section(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        section: ConstructPart,
    ) -> Sections {
        let extent = self.extent(scope, point, section);
        Sections {
            inside: Inside {
                start: PointModel::at_instruction(extent.map(|e| e.start)),
                until: extent.map(|e| e.end),
            },
            then: PointModel::at_instruction(extent.map(|e| e.end)),
            otherwise: PointModel::at_instruction(extent.and_then(|e| e.next)),
        }
    }

    fn sharpened(&self, condition: Tree, has_succeeded: bool) -> Tree {
        match has_succeeded {
            true => sharpened::by_success(condition),
            false => sharpened::by_failure(condition),
        }
    }

    /// Counts the `fail` instruction of `\+ G` when G has succeeded.
    fn fails(&self, scope: &ClauseScope<'_>, point: &mut Point) {
        self.passes(scope, point, Outcome::Fails, CountedClause::to_failure);
    }

    /// Counts the `fail` instruction of `forall/2`, which the run may or may not reach.
    fn forall_may_fail(&self, scope: &ClauseScope<'_>, point: &mut Point, inside: &Inside) {
        let (Some(clause), Some(from)) = (&self.0, inside.until) else {
            return;
        };
        match clause.code.to_failure(from) {
            Some(stretch) => point.count(perhaps(&clause.counts(&stretch, Outcome::Fails))),
            None => lose(scope, point, None),
        }
    }

    /// Counts the control instructions up to the end of a part, or the return from the clause.
    fn leaves(&self, scope: &ClauseScope<'_>, point: &mut Point, part: BodyPart<'_>) {
        match part.until {
            Some(place) => self.moves_to(scope, point, place),
            None if part.head.is_some() => {
                self.passes(scope, point, Outcome::Succeeds, CountedClause::to_return);
            }
            None => {}
        }
    }
}

impl MachineClause {
    /// Moves to a section of a control construct and returns its extent. Returns `None` if the code is not followed.
    fn extent(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        section: ConstructPart,
    ) -> Option<Extent> {
        let (Some(clause), Some(_)) = (&self.0, point.place()) else {
            return None;
        };
        let Some(extent) = clause.code.section(section) else {
            lose(scope, point, None);
            return None;
        };
        self.moves_to(scope, point, extent.start);
        point.place().map(|_| extent)
    }

    /// Counts the control instructions up to a place.
    fn moves_to(&self, scope: &ClauseScope<'_>, point: &mut Point, place: usize) {
        let to_place = |code: &CountedClause, at| code.to_place(at, place);
        self.passes(scope, point, Outcome::Succeeds, to_place);
    }

    /// Counts a stretch that begins at the position of the run and whose last instruction has this outcome.
    fn passes(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        outcome: Outcome,
        stretch: impl FnOnce(&CountedClause, usize) -> Option<Stretch>,
    ) {
        let (Some(clause), Some(at)) = (&self.0, point.place()) else {
            return;
        };
        match stretch(&clause.code, at) {
            Some(stretch) => {
                point.go_to(Some(stretch.to));
                point.count(clause.counts(&stretch, outcome));
            }
            None => lose(scope, point, None),
        }
    }
}

impl SelectedClause {
    fn counts(&self, stretch: &Stretch, outcome: Outcome) -> Counts {
        self.code.stretch(stretch, outcome, &Modes::default())
    }

    /// Enters the clause.
    fn enter(&self, scope: &ClauseScope<'_>, point: &mut Point, truths: &[Truth]) -> Head {
        if self.found == Outcome::Fails {
            return Head::Untried;
        }
        let outcomes: Vec<Outcome> = truths.iter().map(|&t| outcome(t)).collect();
        let modes = (scope.runner).head_modes(scope.terms, self.head, self.leaves_choice);
        let mut counts = self.code.head(&outcomes, &modes);
        let mut before = self.before.clone();
        if self.found == Outcome::Either {
            counts = perhaps(&counts);
            before = perhaps(&before);
        }
        point.count(before);
        point.count(counts);
        point.go_to(Some(self.code.body()));
        let truth = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        let truth = match (truth, self.found) {
            (Truth::True, Outcome::Either) => Truth::Maybe,
            (truth, _) => truth,
        };
        point.note(truth);
        match truth {
            Truth::False => Head::Fails,
            _ => Head::Unifies,
        }
    }

    /// Counts the instructions up to the call to a goal, and those that the call runs unless it calls a predicate of the program.
    fn call(&self, scope: &ClauseScope<'_>, point: &mut Point, stretch: Stretch, literal: Literal) {
        let goal = literal.goal;
        let Some((name, arity)) = scope.terms.functor(goal) else {
            return;
        };
        let runner = scope.runner;
        let lowered = Goal::lower(scope.terms, goal);
        let predicate = Functor::new(name.clone(), arity);
        let is_variable = !literal.is_written() || matches!(lowered, Goal::CallN { .. });
        let meta = is_variable || is_made(name) || !meta_arguments(name, arity).is_empty();
        if !meta && (is_fixed(name, arity) || !runner.program.is_defined(&predicate)) {
            call_built_in(scope, point, stretch, goal);
            return;
        }
        if !meta || collects_of_call(runner, &point.state, scope.terms, lowered) {
            point.count(self.counts(&stretch, Outcome::Succeeds));
            if meta {
                point.count(inside_built_in(name, arity));
            }
            return;
        }
        point.count(self.counts(&stretch, Outcome::Either));
        let reason = if is_variable {
            "the goal is a variable of which the value is known, but not what it counts".to_owned()
        } else {
            format!("what `{predicate}` runs inside is not known")
        };
        runner.obstacle(scope, point, Some(goal), reason, "");
        // The goals of `catch/3` run separately, but the goals after it continue in the same code.
        let takes_over = matches!(
            lowered,
            Goal::Catch { .. } | Goal::Cleanup { .. } | Goal::Captured { .. }
        ) || runs_once(name, arity);
        if is_variable || takes_over {
            point.go_to(None);
        }
    }

    /// Counts an inline goal that has ended.
    fn end_inline(&self, point: &mut Point, begun: &Begun, truth: Truth) {
        let counts = |outcome| self.code.stretch(&begun.stretch, outcome, &begun.modes);
        if begun.stretch.calls {
            // Inline code is counted once, however often the goal succeeds; the outcome does not identify the inline built-ins that fail.
            let succeeds = truth == Truth::True
                && (point.steps.iter().skip(begun.steps)).all(Step::cannot_fail);
            let outcome = if succeeds {
                Outcome::Succeeds
            } else {
                Outcome::Either
            };
            let counted = Step::Count(Arc::new(counts(outcome)));
            point.steps.insert(begun.steps, counted);
            return;
        }
        match truth {
            Truth::True => point.count(counts(Outcome::Succeeds)),
            Truth::False => point.count(counts(Outcome::Fails)),
            Truth::Maybe => {
                let tested = Tested {
                    either: counts(Outcome::Either),
                    succeeds: counts(Outcome::Succeeds),
                    fails: counts(Outcome::Fails),
                };
                point.steps.push(Step::Test(Arc::new(tested)));
            }
        }
    }
}

/// Counts a call to a built-in, which may itself fail.
fn call_built_in(scope: &ClauseScope<'_>, point: &mut Point, stretch: Stretch, goal: TermId) {
    let Some((name, arity)) = scope.terms.functor(goal) else {
        return;
    };
    let late = count_work(point, scope.terms, goal);
    let steps = point.steps.len();
    let mut counts = inside_built_in(name, arity);
    let call = scope.runner.built_in(scope.terms, goal);
    // That system implements other built-ins in Prolog, and they call predicates with other names. If a platform has no constant for such a
    // built-in, its time is unknown.
    let is_one_step = costlens_catalog::find(name, arity).is_some_and(|p| p.is_one_step);
    counts.extend(&if is_one_step { call } else { perhaps(&call) });
    point.count(counts);
    let begun = Begun {
        stretch,
        modes: Modes::default(),
        steps,
    };
    point.begin(begun, late);
}

/// Stops following the clause's code: counts are unknown from this position on.
fn lose(scope: &ClauseScope<'_>, point: &mut Point, goal: Option<TermId>) {
    point.go_to(None);
    let reason = "the instructions from here on are not followed".to_owned();
    scope.runner.obstacle(scope, point, goal, reason, "");
}

/// Returns whether a goal collects the solutions of a single call to the program, as in `findall(X, p(X), Xs)`: only the called
/// predicate runs, and no other code of the program.
fn collects_of_call(runner: &Runner<'_>, state: &State, terms: &Terms, goal: Goal<'_>) -> bool {
    let Goal::Collect {
        collector: Collector::FindAll | Collector::Aggregate,
        goal: inner,
        ..
    } = goal
    else {
        return false;
    };
    let Some((name, arity)) = terms.functor(state.resolve(terms, inner)) else {
        return false;
    };
    let predicate = Functor::new(name.clone(), arity);
    !is_made(name)
        && !is_fixed(name, arity)
        && !counts_nothing(name, arity)
        && meta_arguments(name, arity).is_empty()
        && runner.program.is_defined(&predicate)
}

/// Returns whether a goal is a control construct that compiles to no literal, only to the code of its parts.
fn is_in_place(goal: Goal<'_>) -> bool {
    match goal {
        Goal::True | Goal::Otherwise | Goal::Forall { .. } => true,
        Goal::Not(_) | Goal::NotCalled(_) | Goal::Once(_) | Goal::Ignore(_) => true,
        Goal::CallN { added, .. } => added.is_empty(),
        _ => !goal.branches().is_empty(),
    }
}

pub(super) fn outcome(truth: Truth) -> Outcome {
    match truth {
        Truth::True => Outcome::Succeeds,
        Truth::False => Outcome::Fails,
        Truth::Maybe => Outcome::Either,
    }
}
