//! Comparison of one run with one summary: steps, solutions, sizes and types on success, exceptions.

use std::collections::BTreeMap;

use costlens_algebra::{Rat, Var};
use costlens_analysis::types::Metric;
use costlens_infer::report::{Claim, ParameterAssumption};
use costlens_infer::{Pieces, Sides, Summary};
use costlens_recurrences::Value;
use num_bigint::BigInt;

use crate::generate::{self, Type, Types};
use crate::heap::{Cell, Heap, Record, Ref};
use crate::machine::{Count, Limits, Machine, Outcome};
use crate::program::Program;
use std::rc::Rc;
use std::sync::Arc;

/// The value of each parameter. A bound holds for every number that its quantity does not exceed, and no run takes as many steps.
const PARAMETER: i64 = 10_000_000;

/// The number of solutions of one run that are checked.
const SOLUTIONS: u64 = 40;

/// A summary in the oracle's terms.
pub(crate) struct Subject<'a> {
    pub(crate) summary: &'a Summary,
    pub(crate) types: Vec<Type>,
    /// The types on success, if the oracle supports them.
    success: Option<Vec<Option<Type>>>,
}

/// The results of a run.
pub(crate) struct Verdict {
    pub(crate) count: Count,
    pub(crate) sizes: String,
    /// The sizes in the syntax of `--at`.
    pub(crate) at: String,
    /// True if some upper bound on all steps is finite at the sizes.
    pub(crate) bounded: bool,
    pub(crate) violations: Vec<String>,
}

impl<'a> Subject<'a> {
    /// Returns `None` if the oracle does not support a type of the pattern.
    pub(crate) fn new(summary: &'a Summary, defined: &Arc<Types>) -> Option<Self> {
        let read = |t: &costlens_analysis::types::Type| Type::read(&t.to_string(), defined);
        let types: Option<Vec<Type>> = (summary.pattern.0.iter()).map(read).collect();
        let success = summary.success.as_ref();
        Some(Self {
            summary,
            types: types?,
            success: success.map(|s| s.iter().map(read).collect()),
        })
    }

    /// Returns name and arity as one text.
    pub(crate) fn name(&self) -> String {
        format!("{}{}", self.summary.predicate, self.summary.pattern)
    }

    /// Returns whether a goal's arguments have the pattern's types.
    pub(crate) fn admits(&self, goal: &Record) -> bool {
        let mut heap = Heap {
            work: u64::MAX,
            ..Heap::default()
        };
        let goal = heap.restore(goal);
        let (start, arity) = match *heap.value(goal) {
            Cell::Compound(_, start, arity) => (start, arity),
            _ => (0, 0),
        };
        arity == self.types.len()
            && (self.types.iter().enumerate()).all(|(i, ty)| match ty {
                Type::Free => is_free(&mut heap, start, arity, i),
                ty => generate::fits(&mut heap, ty, start + i),
            })
    }

    /// Runs a goal that fits the pattern and compares.
    pub(crate) fn judge(
        &self,
        program: &Rc<Program>,
        library: &Rc<Program>,
        goal: &Record,
        limits: Limits,
    ) -> Verdict {
        self.judge_tampered(program, library, goal, limits, &|_| {})
    }

    /// The same with tampered counts, to test that this is detected.
    pub(crate) fn judge_tampered(
        &self,
        program: &Rc<Program>,
        library: &Rc<Program>,
        goal: &Record,
        limits: Limits,
        tamper: &dyn Fn(&mut Count),
    ) -> Verdict {
        let mut machine = Machine::new(program, library, limits);
        let goal = machine.heap.restore(goal);
        let mut found = Vec::new();
        let sizes = self.sizes(&mut machine.heap, goal);
        let given = |v: Var| sizes.get(&v).cloned();
        if self
            .summary
            .params
            .iter()
            .all(|p| sizes.contains_key(&p.var))
            && !self.summary.domain.contains(&given)
        {
            found.push(format!("the domain leaves the sizes {sizes:?} out"));
        }
        let mut looked_at = 0;
        let mut count = machine.count(goal, |machine| {
            looked_at += 1;
            if looked_at <= SOLUTIONS && found.is_empty() {
                let work = std::mem::replace(&mut machine.heap.work, u64::MAX);
                self.solution(&mut machine.heap, goal, &sizes, &mut found);
                machine.heap.work = work;
            }
        });
        tamper(&mut count);
        self.totals(&count, &sizes, &mut found);
        let bounded = upper(&self.summary.all.upper, &sizes).is_some();
        let params = || self.summary.params.iter();
        let at: Vec<String> = params()
            .filter_map(|p| {
                let element = if p.element { ".e" } else { "" };
                Some(format!("{}{element}={}", p.argument, sizes.get(&p.var)?))
            })
            .collect();
        let sizes = params()
            .filter_map(|p| Some(format!("{}={}", p.name, sizes.get(&p.var)?)))
            .collect::<Vec<_>>()
            .join(", ");
        Verdict {
            count,
            sizes,
            at: at.join(","),
            bounded,
            violations: found,
        }
    }

    pub(crate) fn sizes(&self, heap: &mut Heap, goal: Ref) -> BTreeMap<Var, BigInt> {
        let work = std::mem::replace(&mut heap.work, u64::MAX);
        let mut found = BTreeMap::new();
        if let Cell::Compound(_, start, _) = *heap.value(goal) {
            for p in &self.summary.params {
                let (metric, argument) = (p.metric.to_string(), start + p.argument - 1);
                let size = if p.element {
                    // For an empty list any number bounds the elements.
                    generate::element_size(heap, &metric, argument)
                        .or_else(|| p.metric.least().map(BigInt::from))
                } else {
                    generate::size(heap, &metric, argument)
                };
                if let Some(size) = size {
                    found.insert(p.var, size);
                }
            }
        }
        heap.work = work;
        let parameters = self.summary.parameters.iter();
        found.extend(parameters.map(|p| (p.var, BigInt::from(PARAMETER))));
        found
    }

    /// Checks types and sizes of the arguments at a solution.
    fn solution(
        &self,
        heap: &mut Heap,
        goal: Ref,
        sizes: &BTreeMap<Var, BigInt>,
        found: &mut Vec<String>,
    ) {
        let (Some(types), Some(success)) = (&self.success, &self.summary.success) else {
            found.push("said never to succeed, but it does".to_owned());
            return;
        };
        let Cell::Compound(_, start, _) = *heap.value(goal) else {
            return;
        };
        for (i, ty) in types.iter().enumerate() {
            let Some(ty) = ty else { continue };
            let fits = match ty {
                Type::Free => is_free(heap, start, types.len(), i),
                _ => generate::fits(heap, ty, start + i),
            };
            if !fits {
                let at = heap.record(start + i).unwrap_or_default();
                let shown = crate::property::goal_text(&at);
                found.push(format!(
                    "argument {} is said to be {} on success, but is {shown}",
                    i + 1,
                    success[i]
                ));
            }
        }
        for (&argument, sides) in &self.summary.outputs {
            let Some(metric) = success.get(argument).and_then(|t| t.metric()) else {
                continue;
            };
            if metric == Metric::Size && !success[argument].is_ground() {
                continue; // labels of what may hold variables, not sizes
            }
            match generate::size(heap, &metric.to_string(), start + argument) {
                None => found.push(format!("argument {} has no {metric}", argument + 1)),
                Some(size) => within(
                    &format!("{metric} of argument {}", argument + 1),
                    sides,
                    &Rat::from_integer(size),
                    sizes,
                    true,
                    found,
                ),
            }
        }
    }

    fn totals(&self, count: &Count, sizes: &BTreeMap<Var, BigInt>, found: &mut Vec<String>) {
        let ends = |o: &Outcome| matches!(o, Outcome::Success | Outcome::Failure);
        let number = |n: u64| Rat::from_integer(n.into());
        let s = self.summary;
        let mut steps = [s.first.clone(), s.all.clone(), s.solutions.clone()];
        if assumes_single(s) {
            steps.iter_mut().for_each(|sides| sides.upper.clear());
        }
        let [first, all, solutions] = &steps;
        for (what, sides, value, complete) in [
            ("first", first, count.first_steps, ends(&count.first)),
            ("all", all, count.all_steps, ends(&count.all)),
            ("solutions", solutions, count.solutions, ends(&count.all)),
        ] {
            within(what, sides, &number(value), sizes, complete, found);
        }
        if !s.errors_possible
            && let Outcome::Exception(ball) = &count.all
            && !ball.contains("resource_error(")
        {
            found.push(format!("errors are excluded, but the call throws {ball}"));
        }
    }
}

/// Returns whether upper bounds hold only if some goal or predicate has at most one solution, which a run may contradict.
pub(crate) fn assumes_single(s: &Summary) -> bool {
    let is_about_solutions = |a: &ParameterAssumption| {
        matches!(a.claim, Claim::AtMostOneSolution | Claim::OwnAssumptions)
    };
    s.assumes.iter().any(is_about_solutions)
}

/// Returns whether an argument is an unbound variable that occurs in no other argument.
fn is_free(heap: &mut Heap, start: Ref, arity: usize, argument: usize) -> bool {
    let at = heap.deref(start + argument);
    heap.is_unbound(at)
        && (0..arity).all(|i| {
            i == argument
                || !heap
                    .variables(start + i)
                    .is_ok_and(|others| others.contains(&at))
        })
}

/// Records by how much a value is outside its bounds. Lower bounds apply only to complete runs.
fn within(
    what: &str,
    sides: &Sides,
    value: &Rat,
    sizes: &BTreeMap<Var, BigInt>,
    complete: bool,
    found: &mut Vec<String>,
) {
    if let Some(upper) = upper(&sides.upper, sizes)
        && *value > upper
    {
        found.push(format!("{what}: {value}, upper bound {upper}"));
    }
    if !complete {
        return;
    }
    for piece in there(&sides.lower, sizes) {
        match piece {
            Value::Known(e) => {
                if let Some(lower) = e.eval(&|v| sizes.get(&v).cloned())
                    && *value < lower
                {
                    found.push(format!("{what}: {value}, lower bound {lower}"));
                }
            }
            Value::Diverges => found.push(format!("{what}: said to diverge, but {value}")),
            Value::Unknown(_) => {}
        }
    }
}

/// Returns the pieces at some sizes: pieces may overlap, and then each has to be right.
fn there<'a>(
    pieces: &'a Pieces,
    sizes: &'a BTreeMap<Var, BigInt>,
) -> impl Iterator<Item = &'a Value> {
    (pieces.iter())
        .filter(|p| p.region.contains(&|v| sizes.get(&v).cloned()))
        .map(|p| &p.value)
}

/// Returns the least finite upper bound at some sizes.
fn upper(pieces: &Pieces, sizes: &BTreeMap<Var, BigInt>) -> Option<Rat> {
    there(pieces, sizes)
        .filter_map(|value| match value {
            Value::Known(e) => e.eval(&|v| sizes.get(&v).cloned()),
            _ => None,
        })
        .min()
}
