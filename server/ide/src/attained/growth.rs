//! Evidence for exponential upper bounds: determines whether the cost of some calls really grows exponentially.
//!
//! An exponential bound suggests that a program is infeasible. It may, however, only be the best bound that the analysis could prove. The
//! bound counts as confirmed if the lower bound over all solutions is also exponential, or if runs on growing inputs show exponential growth:
//!
//! ```prolog
//! pick([], []).
//! pick([X|T], [X|R]) :- X > 0, pick(T, R).
//! pick([X|T], R) :- X < 9, pick(T, R).     % pick([1, 1, …], R) takes 3·2ⁿ-2 steps
//! ```

use std::sync::Arc;

use costlens_algebra::Rat;
use costlens_analysis::report::{Functor, PatternReport, PredicateReport, SizeVariable, WhyLoose};
use costlens_analysis::types::Pattern;
use costlens_machine::generate::{Family, Generator, Type};
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
use crate::present::values::{BoundValue, steps_at_sizes};

/// The minimum growth factor per size step that counts as exponential.
const FACTOR: f64 = 1.3;
/// The number of size steps over which the growth must last.
const STEPS: usize = 5;
/// Pairs of a number of size steps and a growth factor: faster growth needs fewer size steps. No power up to the sixth grows this fast at
/// these sizes.
const FAST: [(usize, f64); 2] = [(4, 2.0), (3, 3.0)];
/// The minimum ratio of the growth factor at the end of these size steps to that at their beginning. For a power, the growth factor
/// decreases as the size grows.
const LASTING: f64 = 0.95;
/// The maximum size that is tried. It is large enough to distinguish a fourth power from exponential growth over five size steps.
const LARGEST: i64 = 16;
/// The maximum number of steps in one run. It suffices for `2ⁿ` at the relevant sizes.
const MOST_STEPS: u64 = 6_000;
/// The maximum number of solutions of one run, for solutions that take no steps.
const MOST_SOLUTIONS: usize = 10_000;
/// The maximum number of combinations in which several sizes grow.
const MOST_WAYS: usize = 4;

/// The most expensive run at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Most {
    sizes: Vec<BigInt>,
    steps: u64,
    /// False if the run was cut off by a limit. The call then takes at least `steps` steps.
    ended: bool,
}

/// Runs on inputs that grow in one way, smallest first. Only the last run may have been cut off.
type Runs = Vec<Most>;

/// Returns a report whose headline states whether an exponential bound may be loose.
pub(crate) fn judged(
    db: &dyn Db,
    file: SourceFile,
    report: Arc<PredicateReport>,
) -> Arc<PredicateReport> {
    let why = |pattern: &PatternReport| {
        let sizes: Vec<SizeVariable> = mentioned(pattern).into_iter().cloned().collect();
        let runs = runs(
            db,
            file,
            report.predicate.clone(),
            pattern.pattern.clone(),
            sizes.clone(),
        );
        why_loose(pattern, &sizes, runs.as_deref())
    };
    let loose: Vec<(usize, WhyLoose)> = (report.patterns.iter().enumerate())
        .filter(|(_, pattern)| is_doubtful(pattern))
        .filter_map(|(i, pattern)| Some((i, why(pattern)?)))
        .collect();
    if loose.is_empty() {
        return report;
    }
    let mut judged = PredicateReport::clone(&report);
    for (i, why) in loose {
        judged.patterns[i].headline.loose = Some(why);
    }
    Arc::new(judged)
}

/// Returns true if the upper bound is exponential and the lower bound is not.
fn is_doubtful(report: &PatternReport) -> bool {
    // If some region needs the exponential bound, the bound is not loose.
    let mut below = std::iter::once(&report.headline.all.lower)
        .chain(report.steps.iter().map(|piece| &piece.all.lower));
    is_exponential(report.headline.where_bounded().1) && !below.any(is_exponential)
}

/// Returns the reason why the upper bound may be loose, given the runs. Returns `None` if some runs grow exponentially or attain the bound. A
/// run that was cut off may support the bound but never contradicts it.
fn why_loose(
    report: &PatternReport,
    sizes: &[SizeVariable],
    runs: Option<&[Runs]>,
) -> Option<WhyLoose> {
    let Some(runs) = runs.filter(|all| all.iter().any(|runs| !runs.is_empty())) else {
        return Some(WhyLoose::NotRun);
    };
    let upper = |most: &Most| {
        let at = sizes.iter().map(|s| s.var).zip(most.sizes.iter().cloned());
        match steps_at_sizes(report, &at.collect()).all.upper {
            BoundValue::Exact(upper) => Some(upper),
            _ => None,
        }
    };
    let bears_out = |runs: &Runs| {
        let counts: Vec<u64> = runs.iter().map(|most| most.steps).collect();
        let ended = runs.iter().filter(|most| most.ended).count();
        grow(&counts, ended) || ended < runs.len() && attains(runs, &upper)
    };
    if runs.iter().any(bears_out) {
        return None;
    }
    let is_cut = |runs: &Runs| runs.iter().any(|most| !most.ended);
    Some(match runs.iter().any(is_cut) {
        true => WhyLoose::CutOff,
        false => WhyLoose::NoGrowth,
    })
}

/// Returns true if the completed runs attain the bound at two sizes or more, up to the first run that was cut off.
fn attains(runs: &[Most], upper: &dyn Fn(&Most) -> Option<Rat>) -> bool {
    let mut last = runs.iter().rev().filter(|most| most.ended);
    let attained = |most: &Most| upper(most).filter(|u| *u == Rat::from_integer(most.steps.into()));
    match (last.next(), last.next()) {
        (Some(last), Some(before)) => match (attained(last), attained(before)) {
            (Some(last), Some(before)) => last > before,
            _ => false,
        },
        _ => false,
    }
}

/// Returns the program text to run. Returns `None` if the program must not be run.
///
/// *Invalidated* by every edit of the file. The result stays equal while the clauses that a call may run are unchanged.
#[salsa::tracked(returns(clone))]
fn runnable(db: &dyn Db, file: SourceFile, functor: Functor) -> Option<Arc<str>> {
    let refused = program::refused(db, file, &functor, Effort::Glance);
    refused
        .is_none()
        .then(|| program::text_reached(db, file, &functor))
}

/// Returns runs on growing inputs. Returns `None` if the program must not be run or no input can be generated.
///
/// *Identity*: file, predicate, pattern, and the sizes on which the bounds depend. *Invalidated* when a clause that a call may run changes.
#[salsa::tracked(returns(clone))]
fn runs(
    db: &dyn Db,
    file: SourceFile,
    functor: Functor,
    pattern: Pattern,
    sizes: Vec<SizeVariable>,
) -> Option<Arc<[Runs]>> {
    let text = runnable(db, file, functor.clone())?;
    let types = inputs::types(&pattern)?;
    let program = MachineProgram::load(&text, &read_text(&text));
    let variables: Vec<&SizeVariable> = sizes.iter().collect();
    let unbound: Vec<Type> = types.iter().map(with_unbound_elements).collect();
    let mut kinds = vec![types];
    if unbound != kinds[0] {
        kinds.push(unbound);
    }
    let mut all: Vec<Runs> = Vec::new();
    for types in &kinds {
        for way in ways(variables.len()) {
            let mut runs = Runs::new();
            for size in 1..=LARGEST {
                let sizes: Vec<BigInt> = way.iter().map(|by| BigInt::from(size * by)).collect();
                let most = dearest(db, &program, &functor, &types[..], &variables[..], sizes);
                runs.extend(most);
                if runs.last().is_some_and(|most| !most.ended) {
                    break;
                }
            }
            all.push(runs);
        }
    }
    Some(all.into())
}

/// Replaces arbitrary list elements in a type by unbound ones. A goal that enumerates has the most solutions for unbound elements.
fn with_unbound_elements(ty: &Type) -> Type {
    match ty {
        Type::List(element) => match **element {
            Type::Any => Type::list(Type::Free),
            _ => Type::list(with_unbound_elements(element)),
        },
        _ => ty.clone(),
    }
}

/// Returns the rates at which the sizes grow: first all equal, then with each size growing twice as fast as the other sizes. For example,
/// `choose(N, K, C)` is exponential if `N` is twice `K`, and takes one step if they are equal.
fn ways(sizes: usize) -> Vec<Vec<i64>> {
    let mut ways = vec![vec![1; sizes]];
    if sizes > 1 {
        ways.extend((0..sizes).map(|fast| (0..sizes).map(|i| 1 + i64::from(i == fast)).collect()));
    }
    ways.truncate(MOST_WAYS);
    ways
}

/// Returns the cost of the most expensive input of the given sizes. Returns `None` if no input can be generated.
fn dearest(
    db: &dyn Db,
    program: &MachineProgram,
    functor: &Functor,
    types: &[Type],
    variables: &[&SizeVariable],
    sizes: Vec<BigInt>,
) -> Option<Most> {
    const FAMILIES: [Family; 6] = [
        Family::Plain,
        Family::Equal,
        Family::Sorted,
        Family::FromHeads,
        Family::NearConstants,
        Family::Partial,
    ];
    let wanted = wanted(variables, types, &sizes)?;
    let mut machine = counting(program);
    let mut most: Option<(u64, bool)> = None;
    for family in FAMILIES {
        db.unwind_if_revision_cancelled();
        let generator = Generator::of_family(seed(0, &sizes), family, &program.vocabulary);
        let Ok(input) = generator.goal_of_sizes(&functor.name, types, &wanted) else {
            continue;
        };
        if !has_sizes(variables, &input, &sizes) {
            continue;
        }
        if program.changes {
            machine = counting(program);
        }
        let goal = (machine.store).read_in(&input.terms, input.goal, &mut Vec::new());
        let (steps, ended) = steps(&mut machine, goal);
        // The remaining cost of a run that was cut off is unknown.
        most = Some(most.map_or((steps, ended), |(most, all)| {
            (most.max(steps), all && ended)
        }));
    }
    let (steps, ended) = most?;
    Some(Most {
        sizes,
        steps,
        ended,
    })
}

fn counting(program: &MachineProgram) -> Machine {
    let mut machine = program.machine.fork();
    machine.set_limits(Limits {
        steps: Some(MOST_STEPS),
        ..limits(Effort::Glance)
    });
    machine
}

/// Returns the number of steps of a goal over all solutions, or up to the limit on solutions, and whether the run was complete.
fn steps(machine: &mut Machine, goal: costlens_machine::Cell) -> (u64, bool) {
    machine.output.clear();
    machine.forget_counts();
    machine.start(goal);
    for _ in 0..MOST_SOLUTIONS {
        match machine.next_answer() {
            Answer::Yes { .. } => {}
            Answer::Limit(_) => return (machine.steps(), false),
            Answer::No | Answer::Error(_) => return (machine.steps(), true),
        }
    }
    (machine.steps(), false)
}

/// Returns true if the counts grow exponentially, either up to the maximum size or over some sizes before a run that was cut off. The first
/// `ended` counts are complete.
fn grow(counted: &[u64], ended: usize) -> bool {
    match ended < counted.len() {
        true => (1..=counted.len()).any(|to| lasts(&counted[..to])),
        false => lasts(counted),
    }
}

/// Returns true if the last counts, at consecutive sizes, grow exponentially.
fn lasts(counted: &[u64]) -> bool {
    let factor = |from: u64, to: u64| to as f64 / from.max(1) as f64;
    let window = |steps: usize| counted.get(counted.len().checked_sub(steps + 1)?..);
    let fast = FAST.iter().any(|&(steps, by)| {
        window(steps).is_some_and(|last| {
            let factors: Vec<f64> = last.windows(2).map(|w| factor(w[0], w[1])).collect();
            factors.iter().all(|f| *f >= by) && factors[steps - 1] >= LASTING.powi(2) * factors[0]
        })
    });
    let Some(&[a, b, c, d, e, f]) = window(STEPS) else {
        return fast;
    };
    // Compared over two sizes at a time, since growth may occur only at every other size. A single jump does not count as growth.
    let twice = [factor(a, c), factor(b, d), factor(c, e), factor(d, f)];
    let slow = factor(a, f) >= FACTOR.powi(STEPS as i32)
        && twice.iter().all(|t| *t >= FACTOR.powi(2))
        && twice[3] >= LASTING.powi(2) * twice[0];
    fast || slow
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(of: impl Fn(f64) -> f64) -> bool {
        let mut counts: Vec<u64> = (1..=LARGEST).map(|n| of(n as f64) as u64).collect();
        let mut ended = counts.len();
        if let Some(last) = counts.iter().position(|&c| c >= MOST_STEPS) {
            counts.truncate(last + 1);
            counts[last] = MOST_STEPS;
            ended = last;
        }
        grow(&counts, ended)
    }

    #[test]
    fn exponential_growth_is_told_from_powers() {
        assert!(counted(|n| 3.0 * 2f64.powf(n) - 2.0));
        assert!(counted(|n| 1.618f64.powf(n) + 1.0));
        assert!(counted(|n| 2f64.powf((n / 2.0).floor())));
        assert!(counted(|n| 2f64.powf(n) + 10.0 * n));
        assert!(counted(|n| (1..=n as u32).map(f64::from).product::<f64>()));
        assert!(counted(|n| 4f64.powf(n)));
        for degree in 1..=6 {
            for shift in 0..=6 {
                let power = |n: f64| (n + f64::from(shift)).powi(degree);
                assert!(!counted(|n| power(n) + 1.0), "{degree} {shift}");
                assert!(!counted(|n| 3.0 * power(n) + 2.0 * n), "{degree} {shift}");
            }
        }
        assert!(!counted(|n| n * n.log2() + 1.0));
        assert!(!counted(|_| 7.0));
    }

    /// Tests that a single jump in cost does not count as growth. The jump comes from inputs that are followed further at one size.
    #[test]
    fn a_jump_is_no_growth() {
        for at in 1..=LARGEST {
            assert!(
                !counted(|n| if (n as i64) < at { 3.0 } else { 5.0 * n }),
                "{at}"
            );
        }
    }

    fn most(steps: u64, ended: bool) -> Most {
        Most {
            sizes: vec![BigInt::from(steps)],
            steps,
            ended,
        }
    }

    #[test]
    fn a_bound_that_runs_attain_is_borne_out_before_a_run_that_is_cut_off() {
        let upper = |most: &Most| match most.ended {
            true => Some(Rat::from_integer(most.steps.into())),
            false => Some(Rat::from_integer(1_000_000.into())),
        };
        assert!(attains(
            &[most(39, true), most(1484, true), most(6000, false)],
            &upper
        ));
        assert!(!attains(&[most(39, true), most(6000, false)], &upper));
        let below = |_: &Most| Some(Rat::from_integer(9_999.into()));
        assert!(!attains(
            &[most(39, true), most(1484, true), most(6000, false)],
            &below
        ));
    }
}
