//! Phase 5: all work, where it is more than a constant number of units for each resolution step.
//!
//! ```prolog
//! last(Xs, X) :- append(_, [X], Xs).        % at most two units for each step
//! half(Xs, H) :- length(Xs, N), H is N // 2.      % one step, and n units of length/2
//! ```
//!
//! The work of a clause is charged to its entry if each of its goals runs at most a constant number of times for each entry, no built-in
//! has work that grows, and the same holds for its callees.

use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::rat;
use costlens_events::Event;
use costlens_recurrences::{Direction, Solution, Value};

use super::Component;
use super::costs::{Costs, WorkOfNodes};
use crate::equations::quantity::CostColumn;
use crate::event_costs::dominated::by_multiples;
use crate::report::Functor;
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::pieces::{at_least_zero, at_most, may_raise};
use crate::summary::work::{Work, WorkBounds};
use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, End, Step, Tree, for_each_step};

/// The maximum number of units for each step.
const MOST: u32 = 10_000;

/// The fuel of the solver for work.
const FUEL: u64 = 10_000;

impl Component<'_> {
    /// Solves the work, after the costs.
    pub(crate) fn work(&mut self, costs: &Costs) -> WorkOfNodes {
        let n = self.nodes.len();
        let uppers = &costs.upper_solution.functions;
        if !uppers.iter().take(n).any(is_known) && costs.amortised.is_empty() {
            return WorkOfNodes::None;
        }
        match units_for_each_step(&costs.runs) {
            Units::Unknown => return WorkOfNodes::None,
            Units::Constant {
                factor,
                in_fact: true,
            } => return WorkOfNodes::All(Work::OfSteps(factor)),
            Units::Constant {
                factor,
                in_fact: false,
            } if costs.amortised.is_empty() => return WorkOfNodes::All(Work::OfBound(factor)),
            Units::Constant { .. } | Units::Grow => {}
        }
        // The equations do not contain what amortised bounds rest on, so that bounds on work would be of a greater class.
        if !costs.amortised.is_empty() {
            return WorkOfNodes::None;
        }
        let left = self.shared.solver_fuel.replace(FUEL);
        self.column = CostColumn::Work;
        self.sums.clear();
        let found = self.solved_work(costs);
        self.column = CostColumn::Steps;
        self.shared.solver_fuel.set(left);
        found
    }

    fn solved_work(&self, costs: &Costs) -> WorkOfNodes {
        let n = self.nodes.len();
        let system = self.cost_system(&costs.runs, Direction::Upper);
        let mut upper = self.run_solver(&system, Direction::Upper);
        if let Some(better) = self.by_forgetting(&system, &upper) {
            upper = better;
        }
        let fuel = &self.shared.solver_fuel;
        let mut left = fuel.get();
        if let Some(better) = by_multiples(&system, &upper, &costs.upper_solution, &mut left) {
            upper = better;
        }
        if let Some(better) = self.by_holding_logarithms(&system, &upper) {
            upper = better;
        }
        if let Some((_, better)) = self.by_rounds(&system, &upper) {
            upper = better;
        }
        if let Some((_, better)) = self.by_cases(&costs.runs, (&system, &upper)) {
            upper = better;
        }
        if !upper.functions.iter().take(n).any(is_known) {
            return WorkOfNodes::None;
        }
        if let Some(factor) = multiple_of(&upper, &costs.upper_solution, 2 * n) {
            return WorkOfNodes::All(Work::OfBound(factor));
        }
        fuel.set(FUEL);
        let system = self.cost_system(&costs.runs, Direction::Lower);
        let lower = self.run_solver(&system, Direction::Lower);
        WorkOfNodes::Solved { upper, lower }
    }

    /// Returns the work of a node.
    pub(crate) fn work_of(&self, costs: &Costs, at: usize) -> Work {
        let (upper, lower) = match &costs.work {
            WorkOfNodes::All(work) => return work.clone(),
            WorkOfNodes::None => return Work::Unknown,
            WorkOfNodes::Solved { upper, lower } => (upper, lower),
        };
        let take = |solution: &Solution, f: usize| -> Pieces {
            solution.functions.get(f).cloned().unwrap_or_default()
        };
        let n = self.nodes.len();
        let sides = |f: usize| Sides {
            lower: at_least_zero(take(lower, f)),
            upper: take(upper, f),
        };
        let (mut first, mut all) = (sides(n + at), sides(at));
        first.upper = at_most(first.upper, &all.upper);
        if self.nodes[at].errors_possible {
            may_raise(&mut first.lower);
            may_raise(&mut all.lower);
        }
        let by = made_by(&costs.runs, costs.runs.get(at));
        Work::Bounds(Arc::new(WorkBounds { first, all, by }))
    }
}

/// The factors that are tried for a multiple of the bound on steps.
const FACTORS: [u32; 3] = [4, 32, 1_000];

/// Returns a factor such that the bounds on work are at most that multiple of the bounds on steps, if one is found.
fn multiple_of(work: &Solution, steps: &Solution, n: usize) -> Option<u32> {
    let within = |factor: u32| {
        let mut functions = work.functions.iter().zip(&steps.functions).take(n);
        functions.all(|(work, steps)| {
            work.iter().all(|w| {
                steps.iter().all(|s| match (&w.value, &s.value) {
                    (_, Value::Unknown(_) | Value::Diverges) => true,
                    (Value::Known(w_value), Value::Known(s_value)) => {
                        let gap = &s_value.scale(&rat(i64::from(factor))) - w_value;
                        let both = w.region.and_all(&s.region);
                        gap.as_constant().is_some_and(|gap| gap >= rat(0))
                            || both.is_empty()
                            || nonnegative(&gap, &both)
                    }
                    _ => w.region.and_all(&s.region).is_empty(),
                })
            })
        })
    };
    FACTORS.into_iter().find(|&factor| within(factor))
}

fn is_known(pieces: &Pieces) -> bool {
    pieces.iter().any(|p| matches!(p.value, Value::Known(_)))
}

/// The maximum number of goals that are named.
const MOST_NAMED: usize = 4;

/// Returns the goals that make the work more than a constant number of units for each step: those of the node first, then others.
fn made_by(all: &[Rc<[RegionRuns]>], own: Option<&Rc<[RegionRuns]>>) -> Vec<Functor> {
    let mut found: Vec<Functor> = Vec::new();
    for runs in own.into_iter().chain(all) {
        let clauses =
            (runs.iter().flat_map(|region| &region.worlds)).flat_map(|world| &world.clauses);
        for clause in clauses {
            for_each_step(&clause.tree, &mut |step| {
                let named = makes_more(step).filter(|functor| !found.contains(functor));
                found.extend(named);
            });
        }
    }
    found.truncate(MOST_NAMED);
    found
}

/// Returns the predicate of a goal whose work is more than a constant number of units for each step.
fn makes_more(step: &Step) -> Option<Functor> {
    match step {
        Step::Work(work) => match &work.0 {
            Event::Work(name, arity) => Some(Functor::new(name.clone(), *arity)),
            _ => None,
        },
        Step::Solutions(size, Some(goal)) => {
            let is_constant = size.upper.as_ref().and_then(constant).is_some();
            (!is_constant).then(|| goal.predicate.clone())
        }
        Step::Call(call) => match &call.callee {
            Callee::Outside(callee) => {
                matches!(callee.work, Work::Bounds(_)).then(|| callee.predicate.clone())
            }
            Callee::Inside(_) => None,
        },
        _ => None,
    }
}

/// The units of work for each resolution step.
enum Units {
    /// At most `factor`; if not `in_fact`, that is only known in relation to the bounds on the steps of callees.
    Constant { factor: u32, in_fact: bool },
    /// No constant bounds them.
    Grow,
    /// A call whose work is unknown.
    Unknown,
}

/// Returns the units that each entry into a clause is charged.
fn units_for_each_step(runs: &[Rc<[RegionRuns]>]) -> Units {
    let mut charge = Charge {
        of_callees: 1,
        in_fact: true,
    };
    let mut most = Some(0);
    let clauses = (runs.iter().flat_map(|runs| runs.iter()))
        .flat_map(|region| &region.worlds)
        .flat_map(|world| &world.clauses);
    for clause in clauses {
        let mut is_unknown = false;
        for_each_step(&clause.tree, &mut |step| {
            is_unknown |= match step {
                Step::Work(work) => work.1.upper.is_none(),
                Step::Call(call) => {
                    matches!(&call.callee, Callee::Outside(callee) if callee.work == Work::Unknown)
                }
                _ => false,
            };
        });
        if is_unknown {
            return Units::Unknown;
        }
        let own = charge.tree(&clause.tree).map(|charged| charged.units);
        most = most.zip(own).map(|(most, own)| most.max(own));
    }
    match most {
        Some(most) if most < MOST && charge.of_callees <= MOST => Units::Constant {
            factor: charge.of_callees.max(most + 1),
            in_fact: charge.in_fact,
        },
        _ => Units::Grow,
    }
}

/// The units of work that are charged to the entry into a clause.
struct Charge {
    /// The maximum number of units for each step of a callee.
    of_callees: u32,
    /// False if that only holds for the bound on its steps.
    in_fact: bool,
}

/// The units of a run, excluding those of the called predicates, and the number of its solutions.
#[derive(Clone, Copy)]
struct Charged {
    units: u32,
    /// `None` if no constant bounds the number of solutions.
    solutions: Option<u32>,
}

impl Charge {
    /// Returns the units of a run, if a constant bounds them.
    fn tree(&mut self, tree: &Tree) -> Option<Charged> {
        let mut units: u32 = 0;
        let mut times = Some(1);
        for step in &tree.steps {
            let (own, solutions) = match step {
                Step::BuiltIn(calls) => (*calls, Some(1)),
                Step::Work(_) => return None,
                Step::Call(call) => {
                    if let Callee::Outside(callee) = &call.callee {
                        match callee.work {
                            Work::OfSteps(factor) => self.of_callees = self.of_callees.max(factor),
                            Work::OfBound(factor) => {
                                self.of_callees = self.of_callees.max(factor);
                                self.in_fact = false;
                            }
                            Work::Bounds(_) | Work::Unknown => return None,
                        }
                    }
                    let most = call.solutions.as_ref();
                    (0, most.and_then(|size| constant(size.upper.as_ref()?)))
                }
                Step::Solutions(size, _) => (0, size.upper.as_ref().and_then(constant)),
                Step::Goal(inner, _) => {
                    let inner = self.tree(inner)?;
                    (inner.units, inner.solutions)
                }
                Step::Once(inner, _)
                | Step::Failed(inner)
                | Step::AllOf(inner)
                | Step::PartOf(inner) => (self.tree(inner)?.units, Some(1)),
                Step::Maybe
                | Step::Enter
                | Step::Adds(_)
                | Step::Count(_)
                | Step::Integers(_)
                | Step::Test(_)
                | Step::Sizes(..)
                | Step::Tested(_)
                | Step::Unknown(_) => (0, Some(1)),
            };
            units = units.saturating_add(repeated(own, times)?);
            times = product(times, solutions);
        }
        let (parts, is_sum) = match &tree.end {
            End::Success(_) => {
                return Some(Charged {
                    units,
                    solutions: times,
                });
            }
            End::Fail => {
                return Some(Charged {
                    units,
                    solutions: Some(0),
                });
            }
            End::Either(parts) => (parts, false),
            End::Each(parts) => (parts, true),
        };
        let mut solutions = Some(0u32);
        for part in parts {
            let part = self.tree(part)?;
            units = units.saturating_add(repeated(part.units, times)?);
            solutions = match (solutions, part.solutions) {
                (Some(a), Some(b)) if is_sum => Some(a.saturating_add(b)),
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
        Some(Charged {
            units,
            solutions: product(times, solutions),
        })
    }
}

/// Returns the units of a part that runs this number of times; `None` if no constant bounds them.
fn repeated(units: u32, times: Option<u32>) -> Option<u32> {
    match units {
        0 => Some(0),
        units => Some(units.saturating_mul(times?)),
    }
}

fn product(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        (a, b) => Some(a?.saturating_mul(b?)),
    }
}

fn constant(e: &costlens_algebra::Expr) -> Option<u32> {
    let number = e.as_constant()?.ceil();
    u32::try_from(number.to_integer()).ok()
}
