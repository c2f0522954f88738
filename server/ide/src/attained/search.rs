//! Runs inputs of each size from each family, and compares their costs with the bounds.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::{Rat, Var};
use costlens_analysis::report::{self, PatternReport, Side, SizeVariable};
use costlens_machine::Machine;
use costlens_machine::generate::{self, Family, Generator, Input, SizeRequest, Type};
use costlens_program::Functor;
use num_bigint::BigInt;

use super::counting::{Count, Steps, run};
use super::program::{MachineProgram, limits};
use super::sizes::{distance, is_askable, mentioned, vectors};
use super::{AttainedRun, BoundViolation, Effort, Evidence, Phase, Trial};
use crate::present::values::{BoundValue, StepsAt, steps_at_sizes};

/// The maximum number of violations that are reported.
const MOST_VIOLATIONS: usize = 3;
/// The number of heap cells above which a new machine is used.
const MOST_CELLS: usize = 1 << 18;

/// The parameters of a trial.
pub(super) struct TrialTask<'a> {
    pub(super) predicate: &'a Functor,
    pub(super) report: &'a PatternReport,
    pub(super) types: &'a [Type],
    pub(super) program: &'a MachineProgram,
    pub(super) effort: Effort,
    /// Checks for cancellation, in which case it does not return.
    pub(super) wanted: &'a dyn Fn(),
}

/// The limits on all runs of a trial together.
struct Budget {
    runs: usize,
    steps: u64,
    /// The maximum number of combinations of sizes.
    vectors: usize,
    /// The number of inputs for each family and size.
    rounds: u64,
}

impl Budget {
    fn is_spent(&self) -> bool {
        self.runs == 0 || self.steps == 0
    }

    fn from_effort(effort: Effort) -> Self {
        match effort {
            Effort::Glance => Self {
                runs: 40,
                steps: 10_000,
                vectors: 4,
                rounds: 2,
            },
            Effort::Thorough => Self {
                runs: 4_000,
                steps: 2_000_000,
                vectors: 64,
                rounds: 6,
            },
        }
    }
}

/// Returns the families of inputs in the order in which they are tried. Inputs that differ greatly from expected inputs are reserved for
/// thorough trials: they rarely attain bounds, and integers of a hundred digits make built-ins slow.
#[must_use]
pub fn families(effort: Effort) -> &'static [Family] {
    const ALL: [Family; 14] = [
        Family::Sorted,
        Family::Reversed,
        Family::Plain,
        Family::Equal,
        Family::Alternating,
        Family::FromHeads,
        Family::NearConstants,
        Family::Mixed,
        Family::Ragged,
        Family::Negative,
        Family::Zero,
        Family::Foreign,
        Family::Partial,
        Family::Extreme,
    ];
    match effort {
        Effort::Glance => &ALL[..7],
        Effort::Thorough => &ALL,
    }
}

/// Identifies a bound of a pattern.
type Which = (Phase, Side);

/// Tries inputs of small sizes.
pub(super) fn trial(task: &TrialTask<'_>) -> Trial {
    let mut search = Search {
        task,
        variables: mentioned(task.report),
        budget: Budget::from_effort(task.effort),
        machine: machine(task),
        trial: Trial::default(),
    };
    let mut gathered: BTreeMap<Which, Gathered> = BTreeMap::new();
    let vectors = vectors(&search.variables).into_iter();
    for sizes in vectors.take(search.budget.vectors) {
        let Some(here) = search.inputs_of(&sizes) else {
            continue;
        };
        for (which, extreme) in here {
            let Some((steps, goal, bound)) = extreme.best else {
                continue;
            };
            let run = AttainedRun {
                goal,
                sizes: named(&search.variables, &sizes),
                steps,
                bound,
            };
            gathered
                .entry(which)
                .or_default()
                .add(run, extreme.reached, &sizes);
        }
        if search.budget.is_spent() {
            break;
        }
        // A hover displays only one input.
        let upper = gathered.get(&(Phase::All, Side::Upper));
        if task.effort == Effort::Glance && upper.is_some_and(|s| s.reached > 0) {
            break;
        }
    }
    let evidence = (gathered.into_iter()).map(|((phase, side), gathered)| Evidence {
        phase,
        side,
        tried: gathered.tried,
        reached: gathered.reached,
        witness: gathered.witness.map(|(_, run)| run),
        nearest: gathered.nearest.map(|(_, run)| run),
    });
    Trial {
        evidence: evidence.collect(),
        ..search.trial
    }
}

/// A trial in progress.
struct Search<'t> {
    task: &'t TrialTask<'t>,
    variables: Vec<&'t SizeVariable>,
    budget: Budget,
    machine: Machine,
    trial: Trial,
}

impl Search<'_> {
    /// Runs inputs of these sizes, and returns the closest run to each bound. Returns `None` if there are no such inputs, or if no bound is
    /// defined for these sizes.
    fn inputs_of(&mut self, sizes: &[BigInt]) -> Option<BTreeMap<Which, Extreme>> {
        let task = self.task;
        let wanted = wanted(&self.variables, task.types, sizes)?;
        let at = bounds(task.report, &self.variables, sizes);
        if at.values().all(|b| matches!(b, BoundAtSizes::Nothing)) {
            return None;
        }
        let mut here: BTreeMap<Which, Extreme> = BTreeMap::new();
        let mut tried = BTreeSet::new();
        for round in 0..self.budget.rounds {
            for &family in families(task.effort) {
                if self.budget.is_spent() {
                    return Some(here);
                }
                (task.wanted)();
                let seed = seed(round, sizes);
                let generator = Generator::of_family(seed, family, &task.program.vocabulary);
                let Ok(input) = generator.goal_of_sizes(&task.predicate.name, task.types, &wanted)
                else {
                    continue;
                };
                if !tried.insert(input.text()) || !has_sizes(&self.variables, &input, sizes) {
                    continue;
                }
                let count = self.run(&input);
                for (&(phase, side), bound) in &at {
                    let run = count.steps(phase);
                    let extreme = here.entry((phase, side)).or_default();
                    if let Some(bound) = extreme.note(side, bound, run, &input) {
                        self.violated(BoundViolation {
                            phase,
                            side,
                            goal: input.text(),
                            sizes: named(&self.variables, sizes),
                            steps: run.steps,
                            bound,
                            on_trust: !task.report.rests_on.is_empty(),
                        });
                    }
                }
                let is_done = |(which, bound): (&Which, &BoundAtSizes)| match bound {
                    BoundAtSizes::Nothing => true,
                    _ => here.get(which).is_some_and(|e| e.reached),
                };
                if at.iter().all(is_done) {
                    return Some(here);
                }
            }
        }
        Some(here)
    }

    /// Runs an input. A new machine is used if the previous run may have changed the machine, or if its heap is full.
    fn run(&mut self, input: &Input) -> Count {
        let program = self.task.program;
        if program.changes || self.machine.store.used() > MOST_CELLS + program.machine.store.used()
        {
            self.machine = machine(self.task);
        }
        let count = run(&mut self.machine, input);
        self.budget.runs -= 1;
        self.budget.steps = (self.budget.steps).saturating_sub(count.steps(Phase::All).steps + 20);
        self.trial.runs += 1;
        count
    }

    fn violated(&mut self, violation: BoundViolation) {
        if self.trial.violations.len() < MOST_VIOLATIONS {
            self.trial.violations.push(violation);
        }
    }
}

fn machine(task: &TrialTask<'_>) -> Machine {
    let mut machine = task.program.machine.fork();
    // In a nonterminating run, arithmetic between two calls may grow without bound, and the limit on calls does not cover it: `natural(N) :-
    // natural(M), N is M+1`. Such a run gets less time.
    let ends = task.report.headline.all.upper != report::Bound::Infinite;
    let effort = if ends { task.effort } else { Effort::Glance };
    machine.set_limits(limits(effort));
    machine
}

/// Returns a seed that is specific to the combination of sizes.
pub(super) fn seed(round: u64, sizes: &[BigInt]) -> u64 {
    (sizes.iter()).fold(round.wrapping_mul(0x9e37_79b9), |seed, size| {
        let low = u64::try_from(size + 2).unwrap_or(0);
        seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(low)
    })
}

/// Returns the sizes to request from the generator. Returns `None` if no input has these sizes: an empty list has no longest element.
#[must_use]
pub fn wanted(
    variables: &[&SizeVariable],
    types: &[Type],
    sizes: &[BigInt],
) -> Option<Vec<SizeRequest>> {
    let mut wanted = vec![SizeRequest::default(); types.len()];
    for (variable, size) in variables.iter().zip(sizes) {
        let argument = wanted.get_mut(variable.argument.checked_sub(1)?)?;
        let place = if variable.element {
            &mut argument.elements
        } else {
            &mut argument.size
        };
        *place = Some(size.clone()).filter(is_askable);
    }
    Some(wanted)
}

/// Checks that an input has the given sizes. Bounds refer to measured sizes, not to requested sizes.
pub(super) fn has_sizes(variables: &[&SizeVariable], input: &Input, sizes: &[BigInt]) -> bool {
    variables.iter().zip(sizes).all(|(variable, size)| {
        let Some(&argument) = input.arguments().get(variable.argument.wrapping_sub(1)) else {
            return false;
        };
        let metric = variable.metric.to_string();
        if variable.element {
            let measured = generate::element_size(&input.terms, &metric, argument);
            // Every statement about the elements of an empty list is true.
            let empty = || generate::size(&input.terms, "length", argument) == Some(0.into());
            measured.as_ref() == Some(size) || (measured.is_none() && empty())
        } else {
            generate::size(&input.terms, &metric, argument).as_ref() == Some(size)
        }
    })
}

fn named(variables: &[&SizeVariable], sizes: &[BigInt]) -> Vec<(String, BigInt)> {
    let names = variables.iter().map(|s| s.name.clone());
    names.zip(sizes.iter().cloned()).collect()
}

/// The value of a bound at given sizes.
#[derive(Debug)]
enum BoundAtSizes {
    Nothing,
    At(Rat),
    /// The bound claims that no run terminates.
    Infinite,
}

fn bounds(
    report: &PatternReport,
    variables: &[&SizeVariable],
    sizes: &[BigInt],
) -> BTreeMap<Which, BoundAtSizes> {
    let by: BTreeMap<Var, BigInt> = (variables.iter().map(|s| s.var))
        .zip(sizes.iter().cloned())
        .collect();
    let StepsAt { first, all } = steps_at_sizes(report, &by);
    let of = |side: Side, value: BoundValue| match (side, value) {
        (_, BoundValue::Exact(bound)) => BoundAtSizes::At(bound),
        (Side::Lower, BoundValue::Infinite) => BoundAtSizes::Infinite,
        _ => BoundAtSizes::Nothing,
    };
    [
        ((Phase::First, Side::Lower), of(Side::Lower, first.lower)),
        ((Phase::First, Side::Upper), of(Side::Upper, first.upper)),
        ((Phase::All, Side::Lower), of(Side::Lower, all.lower)),
        ((Phase::All, Side::Upper), of(Side::Upper, all.upper)),
    ]
    .into_iter()
    .collect()
}

/// The run at given sizes that comes closest to a bound.
#[derive(Debug, Default)]
struct Extreme {
    best: Option<(u64, String, Rat)>,
    reached: bool,
}

impl Extreme {
    /// Records a run. Returns the value of the bound if the run contradicts it.
    fn note(
        &mut self,
        side: Side,
        bound: &BoundAtSizes,
        run: Steps,
        input: &Input,
    ) -> Option<Option<Rat>> {
        let steps = Rat::from_integer(run.steps.into());
        let (bound, wrong) = match (side, bound) {
            (Side::Upper, BoundAtSizes::At(bound)) => (bound, steps > *bound),
            // Upper bounds apply to every prefix of a run, lower bounds only to complete runs.
            (Side::Lower, _) if !run.complete => return None,
            (Side::Lower, BoundAtSizes::At(bound)) => (bound, steps < *bound),
            (Side::Lower, BoundAtSizes::Infinite) => return Some(None),
            _ => return None,
        };
        if wrong {
            return Some(Some(bound.clone()));
        }
        let nearer = self.best.as_ref().is_none_or(|(best, ..)| match side {
            Side::Upper => run.steps > *best,
            Side::Lower => run.steps < *best,
        });
        if nearer {
            // Steps are integers.
            self.reached = steps
                == match side {
                    Side::Upper => bound.floor(),
                    Side::Lower => bound.ceil(),
                };
            self.best = Some((run.steps, input.text(), bound.clone()));
        }
        None
    }
}

/// The evidence about one bound over all sizes.
#[derive(Debug, Default)]
struct Gathered {
    tried: usize,
    reached: usize,
    witness: Option<((BigInt, BigInt), AttainedRun)>,
    nearest: Option<((BigInt, BigInt), AttainedRun)>,
}

impl Gathered {
    fn add(&mut self, run: AttainedRun, reached: bool, sizes: &[BigInt]) {
        self.tried += 1;
        self.reached += usize::from(reached);
        let place = if reached {
            &mut self.witness
        } else {
            &mut self.nearest
        };
        let far = distance(sizes);
        if place.as_ref().is_none_or(|(before, _)| far < *before) {
            *place = Some((far, run));
        }
    }
}
