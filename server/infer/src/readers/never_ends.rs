//! Consistency of divergence: calls that run forever have no solution, and calls without a solution that explore forever run forever.
//!
//! ```prolog
//! nat(0).
//! nat(X) :- nat(Y), X is Y+1.
//! all(Xs) :- findall(X, nat(X), Xs).    % no solution, although findall/3 succeeds once if it ends
//! none :- nat(X), X < 0.                % the search for its first solution explores all
//! ```

use costlens_algebra::{Expr, Region};
use costlens_recurrences::{SolvedPiece, Value};

use crate::summary::pieces::Pieces;
use crate::summary::{Summary, diverges_on};
use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, End, Step, Tree, for_each_step};

/// Makes the numbers of solutions, and the costs up to the first solution, consistent for calls that run forever.
pub(super) fn settle(summary: &mut Summary, runs: &[RegionRuns]) {
    let none = |value: &Value| matches!(value, Value::Known(e) if e.is_zero());
    let endless = |value: &Value| *value == Value::Diverges;
    let unsolved = regions(&summary.solutions.upper, &none);
    for explored in regions(&summary.all.lower, &endless) {
        for on in &unsolved {
            let both = explored.and_all(on);
            if !both.is_empty() {
                summary.first.lower = replaced(&summary.first.lower, &both, &Value::Diverges);
            }
        }
    }
    let zero = Value::Known(Expr::zero());
    for on in regions(&summary.first.lower, &endless) {
        let solutions = &mut summary.solutions;
        solutions.lower = replaced(&solutions.lower, &on, &zero);
        solutions.upper = replaced(&solutions.upper, &on, &zero);
    }
    // A call that may explore forever before its solution is not proved to have a solution.
    if explores_unbounded(runs) {
        let unknown = |value: &Value| matches!(value, Value::Unknown(_));
        for on in regions(&summary.first.upper, &unknown) {
            summary.solutions.lower = replaced(&summary.solutions.lower, &on, &zero);
        }
    }
}

impl Summary {
    /// Makes time costs infinite for calls that are proved to run forever according to their steps.
    pub fn runs_as_long_as(&mut self, steps: &Summary) {
        let endless = |value: &Value| *value == Value::Diverges;
        for on in regions(&steps.first.lower, &endless) {
            self.first.lower = replaced(&self.first.lower, &on, &Value::Diverges);
        }
        for on in regions(&steps.all.lower, &endless) {
            self.all.lower = replaced(&self.all.lower, &on, &Value::Diverges);
        }
        let unknown = |value: &Value| matches!(value, Value::Unknown(_));
        let mut missing = regions(&self.all.upper, &unknown).into_iter();
        if missing.all(|on| diverges_on(self, &on)) {
            self.unknown.clear();
        }
    }
}

fn regions(pieces: &Pieces, holds: &dyn Fn(&Value) -> bool) -> Vec<Region> {
    let pieces = pieces.iter().filter(|piece| holds(&piece.value));
    pieces.map(|piece| piece.region.clone()).collect()
}

/// Returns the pieces after replacing their value on a region.
fn replaced(pieces: &Pieces, on: &Region, value: &Value) -> Pieces {
    let mut changed = Pieces::new();
    for piece in pieces {
        let both = piece.region.and_all(on);
        if both.is_empty() || piece.value == *value {
            changed.push(piece.clone());
            continue;
        }
        let mut rest = piece.region.clone();
        for constraint in on.constraints() {
            for outside in constraint.negated() {
                let part = rest.and(outside);
                if !part.is_empty() {
                    changed.push(SolvedPiece {
                        region: part.simplified(),
                        value: piece.value.clone(),
                    });
                }
            }
            rest = rest.and(constraint.clone());
        }
        changed.push(SolvedPiece {
            region: both.simplified(),
            value: value.clone(),
        });
    }
    changed
}

/// Returns whether, before it succeeds, a run completely explores a goal without a known bound: in `findall/3`, in a failing negation or
/// condition, or in a branch or clause before the branch or clause that succeeds.
fn explores_unbounded(runs: &[RegionRuns]) -> bool {
    let mut worlds = runs.iter().flat_map(|region| &region.worlds);
    worlds.any(|world| {
        let trees: Vec<&Tree> = world.clauses.iter().map(|run| &*run.tree).collect();
        explores(&trees)
    })
}

/// Returns whether clauses or branches that are tried in order completely explore a goal without a known bound.
fn explores(tried: &[&Tree]) -> bool {
    let mut open: Vec<Vec<&Tree>> = vec![tried.to_vec()];
    while let Some(tried) = open.pop() {
        let before = &tried[..tried.len().saturating_sub(1)];
        if before.iter().any(|tree| has_unbounded(tree)) {
            return true;
        }
        for tree in tried {
            for step in &tree.steps {
                match step {
                    Step::AllOf(inner) | Step::Failed(inner) | Step::PartOf(inner)
                        if has_unbounded(inner) =>
                    {
                        return true;
                    }
                    Step::Once(inner, _) | Step::Goal(inner, _) => open.push(vec![inner]),
                    _ => {}
                }
            }
            match &tree.end {
                End::Each(parts) => open.push(parts.iter().collect()),
                End::Either(parts) => open.extend(parts.iter().map(|part| vec![part])),
                End::Success(_) | End::Fail => {}
            }
        }
    }
    false
}

fn has_unbounded(tree: &Tree) -> bool {
    let mut found = false;
    for_each_step(tree, &mut |step| {
        found |= match step {
            Step::Solutions(size, goal) => {
                size.upper.is_none() && goal.as_ref().is_some_and(|goal| !goal.ends)
            }
            Step::Unknown(_) => true,
            Step::Call(call) => match &call.callee {
                Callee::Inside(_) => true,
                Callee::Outside(summary) => {
                    let is_known = |piece: &SolvedPiece| matches!(piece.value, Value::Known(_));
                    !summary.all.upper.iter().all(is_known)
                }
            },
            _ => false,
        };
    });
    found
}
