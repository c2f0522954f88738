//! Whether an exponential upper bound is deserved: does the cost of some calls grow like that?
//!
//! An exponential bound tells a user that the program is hopeless, so it has to be shown to be more than what was provable. It is, where
//! the lower bound over all solutions is exponential, too, or where runs on growing inputs show such growth:
//!
//! ```prolog
//! pick([], []).
//! pick([X|T], [X|R]) :- X > 0, pick(T, R).
//! pick([X|T], R) :- X < 9, pick(T, R).     % pick([1, 1, …], R) takes 3·2ⁿ-2 steps
//! ```

use std::sync::Arc;

use costlens_analysis::report::{Functor, PatternReport, PredicateReport, SizeVariable};
use costlens_analysis::types::Pattern;
use costlens_machine::generate::{Family, Generator};
use costlens_machine::{Answer, Limits, Machine};
use costlens_program::SourceFile;
use costlens_syntax::read_text;
use num_bigint::BigInt;

use super::program::{self, MachineProgram, limits};
use super::search::{has_sizes, seed, wanted};
use super::sizes::mentioned;
use super::{Effort, inputs};
use crate::db::Db;
use crate::present::is_exponential;

/// Growth a size step that is called exponential.
const FACTOR: f64 = 1.3;
/// Sizes over which it has to last.
const STEPS: usize = 5;
/// Growth at the end of these steps, as a part of that at their beginning. A power of the size grows ever more slowly.
const LASTING: f64 = 0.95;
/// The largest size that is tried. Up to it, five steps of a fourth power are told from exponential growth.
const LARGEST: i64 = 16;
/// The steps of one run at most: those of `2ⁿ` at the sizes that matter.
const MOST_STEPS: u64 = 6_000;
/// Solutions of one run at most, where they take no steps.
const MOST_SOLUTIONS: usize = 10_000;

/// A report whose headlines say whether their exponential bounds may be loose.
pub(crate) fn judged(
    db: &dyn Db,
    file: SourceFile,
    report: Arc<PredicateReport>,
) -> Arc<PredicateReport> {
    let grows = |pattern: &PatternReport| {
        let sizes: Vec<SizeVariable> = mentioned(pattern).into_iter().cloned().collect();
        let asked = (report.predicate.clone(), pattern.pattern.clone(), sizes);
        grows(db, file, asked)
    };
    let loose: Vec<usize> = (report.patterns.iter().enumerate())
        .filter(|(_, pattern)| is_doubtful(pattern) && !grows(pattern))
        .map(|(i, _)| i)
        .collect();
    if loose.is_empty() {
        return report;
    }
    let mut judged = PredicateReport::clone(&report);
    for i in loose {
        judged.patterns[i].headline.loose = true;
    }
    Arc::new(judged)
}

/// True where the upper bound is exponential and the lower bound is not.
fn is_doubtful(report: &PatternReport) -> bool {
    let below = [
        Some(&report.headline.all.lower),
        report.main_piece().map(|main| &main.all.lower),
    ];
    is_exponential(report.headline.where_bounded().1)
        && !below.into_iter().flatten().any(is_exponential)
}

/// The program to run, as text; none where it is not to run.
///
/// *Invalidated* by every change of the file's text; equal as long as what a call may run stays.
#[salsa::tracked(returns(clone))]
fn runnable(db: &dyn Db, file: SourceFile, functor: Functor) -> Option<Arc<str>> {
    let refused = program::refused(db, file, &functor, Effort::Glance);
    refused
        .is_none()
        .then(|| program::text_reached(db, file, &functor))
}

/// *Identity*: file, predicate, pattern, the sizes that its bounds depend on. *Invalidated* when a clause that a call may run changes.
#[salsa::tracked]
fn grows(
    db: &dyn Db,
    file: SourceFile,
    (functor, pattern, sizes): (Functor, Pattern, Vec<SizeVariable>),
) -> bool {
    let Some(text) = runnable(db, file, functor.clone()) else {
        return false;
    };
    let Some(types) = inputs::types(&pattern) else {
        return false;
    };
    let program = MachineProgram::load(&text, &read_text(&text));
    let variables: Vec<&SizeVariable> = sizes.iter().collect();
    let mut machine = counting(&program);
    let families = [
        Family::Plain,
        Family::Equal,
        Family::Sorted,
        Family::FromHeads,
        Family::NearConstants,
    ];
    let mut counted: Vec<u64> = Vec::new();
    for size in 1..=LARGEST {
        let sizes = vec![BigInt::from(size); variables.len()];
        let Some(wanted) = wanted(&variables, &types, &sizes) else {
            continue;
        };
        let mut most = None;
        for family in families {
            db.unwind_if_revision_cancelled();
            let generator = Generator::of_family(seed(0, &sizes), family, &program.vocabulary);
            let Ok(input) = generator.goal_of_sizes(&functor.name, &types, &wanted) else {
                continue;
            };
            if !has_sizes(&variables, &input, &sizes) {
                continue;
            }
            if program.changes {
                machine = counting(&program);
            }
            let goal = (machine.store).read_in(&input.terms, input.goal, &mut Vec::new());
            most = most.max(Some(steps(&mut machine, goal)));
        }
        let Some(most) = most else {
            continue;
        };
        counted.push(most);
        if lasts(&counted) {
            return true;
        }
        if most >= MOST_STEPS {
            return false;
        }
        machine = counting(&program);
    }
    false
}

fn counting(program: &MachineProgram) -> Machine {
    let mut machine = program.machine.fork();
    machine.set_limits(Limits {
        steps: Some(MOST_STEPS),
        ..limits(Effort::Glance)
    });
    machine
}

/// The steps of a goal over all solutions, or as many as are allowed.
fn steps(machine: &mut Machine, goal: costlens_machine::Cell) -> u64 {
    machine.output.clear();
    machine.forget_counts();
    machine.start(goal);
    for _ in 0..MOST_SOLUTIONS {
        if !matches!(machine.next_answer(), Answer::Yes { .. }) {
            break;
        }
    }
    machine.steps()
}

/// True where the last counts, at one size after the other, grow exponentially.
fn lasts(counted: &[u64]) -> bool {
    let Some(last) = counted.len().checked_sub(STEPS + 1) else {
        return false;
    };
    let [a, _, c, d, _, f] = counted[last..] else {
        return false;
    };
    let factor = |from: u64, to: u64| to as f64 / from.max(1) as f64;
    factor(a, f) >= FACTOR.powi(STEPS as i32) && factor(d, f) >= LASTING * LASTING * factor(a, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(of: impl Fn(f64) -> f64) -> bool {
        let counts: Vec<u64> = (1..=LARGEST).map(|n| of(n as f64) as u64).collect();
        (1..=counts.len()).any(|n| {
            let so_far = &counts[..n];
            so_far.iter().rev().skip(1).all(|&c| c < MOST_STEPS) && lasts(so_far)
        })
    }

    #[test]
    fn exponential_growth_is_told_from_powers() {
        assert!(counted(|n| 3.0 * 2f64.powf(n) - 2.0));
        assert!(counted(|n| 1.618f64.powf(n) + 1.0));
        assert!(counted(|n| 2f64.powf((n / 2.0).floor())));
        assert!(counted(|n| 2f64.powf(n) + 10.0 * n));
        assert!(counted(|n| (1..=n as u32).map(f64::from).product::<f64>()));
        for degree in 1..=4 {
            assert!(!counted(|n| n.powi(degree) + 1.0), "{degree}");
            assert!(!counted(|n| 3.0 * n.powi(degree) + 2.0 * n), "{degree}");
        }
        assert!(!counted(|n| n * n.log2() + 1.0));
        assert!(!counted(|_| 7.0));
    }
}
