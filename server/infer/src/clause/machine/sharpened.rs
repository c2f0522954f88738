//! The run of a condition, refined by its outcome.

use std::sync::Arc;

use crate::tree::{End, Step, Tree};

/// Refines a tree that is known to have succeeded: its tests have succeeded, insofar as each ran once.
pub(super) fn by_success(tree: Tree) -> Tree {
    let mut steps = Vec::new();
    let mut once = true;
    for step in tree.steps {
        once &= !matches!(
            step,
            Step::Call(_) | Step::Solutions(..) | Step::Goal(..) | Step::Unknown(_)
        );
        match step {
            Step::Test(tested) if once => {
                steps.push(Step::Count(Arc::new(tested.succeeds.clone())));
            }
            Step::Maybe if once => {}
            other => steps.push(other),
        }
    }
    Tree { steps, ..tree }
}

/// Refines a tree that is known to have failed: if it contains only one test, that test has failed.
pub(super) fn by_failure(tree: Tree) -> Tree {
    let simple = |s: &Step| matches!(s, Step::Count(_) | Step::Test(_) | Step::Maybe);
    let is_test = |s: &&Step| matches!(s, Step::Test(_));
    let is_maybe = |s: &&Step| matches!(s, Step::Maybe);
    let one = tree.steps.iter().filter(is_test).count() == 1
        && tree.steps.iter().filter(is_maybe).count() == 1;
    if !one || !matches!(tree.end, End::Success(_)) || !tree.steps.iter().all(simple) {
        return tree;
    }
    let mut steps = Vec::new();
    for step in tree.steps {
        if let Step::Test(tested) = step {
            steps.push(Step::Count(Arc::new(tested.fails.clone())));
            break;
        }
        steps.push(step);
    }
    Tree {
        steps,
        end: End::Fail,
        cut_inside: false,
    }
}
