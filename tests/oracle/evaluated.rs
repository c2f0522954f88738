//! Upper bounds at given sizes compared with runs of these sizes, both with and without a known closed form.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costlens_algebra::Var;
use costlens_analysis::report::{Evaluated, Functor, SizeVariable};
use costlens_analysis::types::Pattern;
use costlens_infer::{Summary, infer, infer_at};
use costlens_recurrences::Value;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use crate::generate::{Generator, Vocabulary};
use crate::heap::Record;
use crate::judge::{Subject, assumes_single};
use crate::machine::{Count, Limits, Machine};
use crate::program::{Key, Program};
use crate::{programs, property, summaries};

/// The number of points at which one summary is evaluated.
const POINTS: usize = 3;

/// The maximum size.
const LARGEST: i64 = 6;

/// A predicate and a pattern.
type Whom = (Functor, Pattern);

/// The sizes of a run by their variables.
type Sizes = BTreeMap<Var, i64>;

/// A run: its goal, its sizes, its counts.
struct Run {
    goal: Record,
    sizes: Sizes,
    count: Count,
}

thread_local! {
    static WANTED: RefCell<BTreeMap<String, Vec<Sizes>>> = const { RefCell::new(BTreeMap::new()) };
    static ANSWERS: RefCell<BTreeMap<String, Evaluated>> = const { RefCell::new(BTreeMap::new()) };
}

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// Runs whose sizes have a bound.
    pub(crate) compared: usize,
    /// Those without a closed form.
    pub(crate) alone: usize,
    pub(crate) violations: Vec<String>,
}

impl Report {
    pub(crate) fn line(&self, what: &str) -> String {
        format!(
            "{what}: {} runs compared with bounds at their sizes, {} where there is no closed form, {} violations",
            self.compared,
            self.alone,
            self.violations.len()
        )
    }
}

fn key((predicate, pattern): &Whom) -> String {
    format!("{predicate} {pattern}")
}

/// Runs inference, and also evaluates bounds at the wanted sizes.
fn asked(
    predicate: &Functor,
    pattern: &Pattern,
    program: &dyn costlens_infer::Program,
    fuel: u64,
) -> Summary {
    let whom = key(&(predicate.clone(), pattern.clone()));
    let wanted = WANTED.with_borrow(|all| all.get(&whom).cloned());
    let known = infer(predicate, pattern, program, fuel);
    if let Some(wanted) = wanted {
        let choose = |sizes: &[SizeVariable]| {
            let points = wanted.iter().filter_map(|of| {
                let at: Option<Vec<i64>> = sizes.iter().map(|s| of.get(&s.var).copied()).collect();
                at
            });
            points.collect::<BTreeSet<_>>().into_iter().collect()
        };
        let found = infer_at(&known, program, fuel, &choose);
        ANSWERS.with_borrow_mut(|all| all.insert(whom, found));
    }
    known
}

/// Compares all summaries of a program's own predicates.
pub(crate) fn check(text: &str, inputs: usize, limits: Limits) -> Result<Report, String> {
    let program = Rc::new(Program::read(text));
    let library = property::library();
    let vocabulary = Vocabulary::collect(&program);
    let mut report = Report::default();
    let (mut wanted, mut runs) = (BTreeMap::new(), Vec::new());
    for summary in summaries::of_text(text)? {
        let name: Key = (summary.predicate.name.clone(), summary.predicate.arity);
        let Some(subject) = Subject::new(&summary, &vocabulary.types) else {
            continue;
        };
        if !program.predicates.contains_key(&name) {
            continue;
        }
        let mut found: Vec<Run> = Vec::new();
        for seed in 0..inputs as u64 {
            let seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ seed;
            let goal = Generator::new(seed, &vocabulary).goal(&name.0, &subject.types);
            let mut machine = Machine::new(&program, &library, limits);
            let at = machine.heap.restore(&goal);
            let sizes: Option<Sizes> = (subject.sizes(&mut machine.heap, at).into_iter())
                .map(|(v, k)| Some((v, k.to_i64().filter(|k| k.abs() <= LARGEST)?)))
                .collect();
            let Some(sizes) = sizes.filter(|s| s.len() == summary.params.len()) else {
                continue;
            };
            let count = machine.count(at, |_| {});
            found.push(Run { goal, sizes, count });
        }
        let mut points: Vec<Sizes> = found.iter().map(|r| r.sizes.clone()).collect();
        points.sort_by_key(|s| (s.values().map(|k| k.abs()).sum::<i64>(), s.clone()));
        points.dedup();
        // Some of the smallest, and the largest.
        let last = points.pop();
        points.truncate(POINTS - 1);
        points.extend(last);
        let whom = key(&(summary.predicate.clone(), summary.pattern.clone()));
        wanted.insert(whom.clone(), points);
        runs.push((whom, summary.clone(), found));
    }
    WANTED.set(wanted);
    ANSWERS.take();
    summaries::analyse(text, asked)?;
    WANTED.take();
    let answers = ANSWERS.take();
    for (whom, summary, found) in runs {
        let answer = answers.get(&whom).filter(|_| !assumes_single(&summary));
        let Some(answer) = answer else {
            continue;
        };
        for run in found {
            compare(&whom, &summary, answer, &run, &mut report);
        }
    }
    Ok(report)
}

fn compare(whom: &str, summary: &Summary, answer: &Evaluated, run: &Run, report: &mut Report) {
    let sizes: Option<Vec<i64>> = (answer.sizes.iter())
        .map(|s| run.sizes.get(&s.var).copied())
        .collect();
    let Some(point) = answer
        .points
        .iter()
        .find(|p| Some(&p.sizes) == sizes.as_ref())
    else {
        return;
    };
    report.compared += 1;
    let there = |v: Var| run.sizes.get(&v).map(|&k| BigInt::from(k));
    let known = (summary.all.upper.iter())
        .any(|p| matches!(p.value, Value::Known(_)) && p.region.contains(&there));
    report.alone += usize::from(!known);
    for (what, counted, bound) in [
        ("first", run.count.first_steps, &point.first),
        ("all", run.count.all_steps, &point.all),
    ] {
        if BigInt::from(counted) > *bound && report.violations.len() < 3 {
            report.violations.push(format!(
                "{whom} at {sizes:?}: {what} {counted}, upper bound {bound}\n    goal: {}",
                property::goal_text(&run.goal)
            ));
        }
    }
}

/// Compares random programs.
pub(crate) fn by_chance(from: u64, many: u64) -> Result<Report, String> {
    let mut whole = Report::default();
    for seed in from..from + many {
        let text = if seed % 2 == 0 {
            programs::program(seed)
        } else {
            programs::structural(seed)
        };
        let report = check(&text, 15, property::LIMITS)?;
        whole.compared += report.compared;
        whole.alone += report.alone;
        let found = report.violations.into_iter();
        whole
            .violations
            .extend(found.map(|v| format!("seed {seed}: {v}\n{text}")));
    }
    Ok(whole)
}
