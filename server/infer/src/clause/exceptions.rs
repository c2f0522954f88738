//! `catch/3`: the goal runs as usual; if it may raise an exception, the recovery goal may also run.

use costlens_syntax::term::TermId;

use super::Runner;
use super::point::{BodyPart, ClauseScope, PendingGoal, Point, fail};
use crate::lattice::types::Type;
use crate::tree::later::is_over;
use crate::tree::{End, Step, Tree};
use crate::world::questions::Split;

/// The arguments of `catch/3`.
pub(super) struct CatchGoal {
    pub(super) goal: TermId,
    pub(super) ball: TermId,
    pub(super) recovery: TermId,
}

impl Runner<'_> {
    /// Runs `catch(G, Ball, R)`. An exception can occur at any time, also when G is retried. So the clause continues after each solution of
    /// G, and then possibly after each solution of R; lower bounds ignore the solutions of R. If G has at most one solution and raises no
    /// exception afterwards, the clause continues either after that solution or after the solutions of R.
    pub(super) fn catch(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        mut goals: Vec<PendingGoal>,
        part: BodyPart<'_>,
        caught: CatchGoal,
    ) -> Result<Tree, Split> {
        let CatchGoal {
            goal,
            ball,
            recovery,
        } = caught;
        let terms = scope.terms;
        let raised_before = self.errors.replace(false);
        let trial = self.inner(scope, &point, part, vec![PendingGoal::Opaque(goal)], None);
        let may_raise = self.errors.get();
        let catches_all = point.state.unbound(terms, ball).is_some();
        self.errors
            .set(raised_before || (may_raise && !catches_all));
        let Some(trial) = trial? else {
            let reason = "goals are nested too deeply".to_owned();
            return Ok(self.give_up(scope, point, Some(goal), reason, "Split the clause."));
        };
        if !may_raise {
            goals.push(PendingGoal::Opaque(goal));
            return self.run(scope, point, goals, part);
        }
        let either = self.exit_state(terms, &trial).is_none() || is_over(&trial, &|_, _| false);
        let cut_behind = goals.iter().any(|g| g.may_cut(terms));
        scope.model.catches(&mut point);
        // After this step, nothing is certain for lower bounds.
        point.steps.push(Step::Maybe);
        point.sure = false;
        let steps = std::mem::take(&mut point.steps);
        let mut caught = point.clone();
        // The ball may contain copies of arbitrary terms.
        caught.state.expose(terms, ball, &Type::Any);
        caught.state.pure = false;
        let success = match self.exit_state(terms, &trial) {
            // The cost is that of a goal that fails.
            None => Tree {
                steps: vec![Step::PartOf(Box::new(trial.clone())), Step::Maybe],
                ..fail(point)
            },
            Some(after) => {
                point.state = after;
                let mut tree = self.branch(scope, &point, goals.clone(), part)?;
                let raises = [Step::Goal(Box::new(trial.clone()), false), Step::Maybe];
                tree.steps.splice(0..0, raises);
                tree
            }
        };
        goals.push(PendingGoal::Opaque(recovery));
        let mut rescued = self.branch(scope, &caught, goals, part)?;
        let cut_inside = success.cut_inside || rescued.cut_inside || cut_behind;
        let end = match either {
            true => {
                // The cost of the goal up to the exception.
                let raises = [Step::PartOf(Box::new(trial)), Step::Maybe];
                rescued.steps.splice(0..0, raises);
                End::Either(vec![success, rescued])
            }
            false => End::Each(vec![success, rescued]),
        };
        Ok(Tree {
            steps,
            end,
            cut_inside,
        })
    }
}
