//! Bounds on events other than resolution steps.
//!
//! Each event is a separate column: the counts for entering a clause and running a literal ([`costlens_events`]) replace the step.
//! Everything else is the same as for steps, including the runs (PADL'07 §2.2, equation 9). Columns are inferred on request and separately
//! from the summary, so that the summary stays fast.
//!
//! Most columns are multiples of each other: each step of `app/3` counts one *giunif*. If two systems differ only in that all constants of
//! one are c times those of the other, the same holds for their least solutions, so one solution serves both.

pub(crate) mod dominated;
mod integers;
mod multiples;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costlens_algebra::{Rat, Var};
use costlens_events::{Event, Vocabulary};
use costlens_recurrences::{Direction, Solution, SolvedPiece, System, Value};
use num_traits::One as _;

use crate::component::Component;
use crate::component::costs::{AddedByNodes, CausesOfNodes, Costs, WorkOfNodes};
use crate::equations::quantity::CostColumn;
use crate::lattice::weight::TermWeight;
use crate::readers::causes;
use crate::report::{Claim, Functor, ParameterKind, ParameterVariable, Side, TrustLine, Unknown};
use crate::summary::Summary;
use crate::summary::amortised_bounds::Amortised;
use crate::summary::event_bounds::{EventBounds, EventSelection, EventSummary, MOST_TOLD, Timed};
use crate::summary::node::Node;
use crate::summary::parameters::is_parameter;
use crate::summary::pieces::{Pieces, Sides, at_least_zero, at_most, may_raise};
use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, Step, for_each_step};
use dominated::by_multiples;
use multiples::{factor, scaled};

/// One direction of a column: its system, and the solution for the entry.
struct SolvedColumn {
    system: System,
    first: Pieces,
    all: Pieces,
    unknown: Vec<Unknown>,
}

/// Infers the columns of all events that occur in the runs of a component.
pub(crate) fn solve(
    mut component: Component<'_>,
    steps: &Summary,
    vocabulary: Vocabulary,
    wanted: &EventSelection,
    fuel: u64,
) -> EventSummary {
    component.before_costs();
    component.shared.counting.set(Some(vocabulary));
    let runs = component.runs();
    let mut called = events_of(&component, &runs);
    if vocabulary == Vocabulary::Work {
        called.events = BTreeSet::from([Event::TotalWork]);
    }
    called.events.retain(|event| wanted.includes(event));
    called.is_timed &= *wanted == EventSelection::Every;
    let integers = integers::of_entry(&component, &runs);
    let mut columns = Columns {
        // All columns use the same variables, so that equal columns have equal systems.
        next_var: component.shared.next_var.get(),
        component,
        runs,
        steps,
        uppers: Vec::new(),
        lowers: Vec::new(),
        of_steps: None,
    };
    // A clause without code is unknown to runs that count instructions, but not to runs that count steps. The system of steps from these
    // runs therefore differs from the solved one. The same applies to single-sided rules whenever any events are counted.
    // The same applies to goals whose steps are a parameter: their other events are unknown.
    let is_of_goals = |p: &ParameterVariable| p.parameter.kind != ParameterKind::Facts;
    let goals_are_known = !steps.parameters.iter().any(is_of_goals)
        && steps
            .assumes
            .iter()
            .all(|a| a.claim == Claim::NoOtherClauses);
    if vocabulary == Vocabulary::HighLevel
        && !columns.component.has_single_sided()
        && goals_are_known
    {
        columns.begin_with_steps();
    }
    // All columns together may use twice the fuel of the steps. Events are processed in order, so that equal texts have equal results.
    columns.component.shared.solver_fuel.set(2 * fuel);
    let rest = columns.bounds(CostColumn::Rest);
    let timed = called.is_timed.then(|| columns.timed(&called.events));
    let of_event = |event: Event| {
        let bounds = match columns.is_stated_inside(&event) {
            true => EventSummary::nothing_known(steps).rest,
            false => columns.bounds(CostColumn::Event(event.clone())),
        };
        (event, bounds)
    };
    let mut found = EventSummary {
        wanted: wanted.clone(),
        columns: called.events.into_iter().map(of_event).collect(),
        rest,
        rests_on: called.rests_on,
        integers,
        searches_unbound: called.searches_unbound,
        predicates: called.predicates,
        timed: timed.map(Box::new),
    };
    forget_other_parameters(&mut found, steps);
    found
}

/// Drops bounds in terms of parameters on which the bounds on steps do not depend: callers pass no values for them.
fn forget_other_parameters(found: &mut EventSummary, steps: &Summary) {
    let is_other =
        |v: Var| is_parameter(v) && steps.parameters.iter().all(|parameter| parameter.var != v);
    let mentions = |p: &SolvedPiece| {
        p.region.variables().into_iter().any(is_other)
            || matches!(&p.value, Value::Known(e) if e.variables().into_iter().any(is_other))
    };
    let unknown = EventSummary::nothing_known(steps).rest;
    for bounds in found.all_bounds_mut() {
        let depends = [&bounds.first, &bounds.all]
            .iter()
            .any(|s| s.lower.iter().chain(&s.upper).any(mentions));
        if depends {
            bounds.clone_from(&unknown);
        }
    }
}

/// The counts and calls in a component's runs.
#[derive(Default)]
struct Called {
    /// The events other than resolution steps.
    events: BTreeSet<Event>,
    /// The trust lines that specify event counts.
    rests_on: Vec<TrustLine>,
    /// True if a cost is asserted as time.
    is_timed: bool,
    /// True if a call with an unbound first argument tries one clause after another.
    searches_unbound: bool,
    /// The participating predicates, up to [`MOST_TOLD`].
    predicates: BTreeSet<Functor>,
}

/// Returns the events that the runs and their callees count.
fn events_of(component: &Component<'_>, runs: &[Rc<[RegionRuns]>]) -> Called {
    let mut found = Called::default();
    for_each_run_step(runs, &mut |step| match step {
        Step::Count(counts) => found.events.extend(counts.events().cloned()),
        Step::Work(work) => drop(found.events.insert(work.0.clone())),
        Step::Test(tested) => found.events.extend(tested.either.events().cloned()),
        Step::Call(call) => {
            if let Callee::Outside(callee) = &call.callee {
                let of_callee = component.shared.program.events(callee);
                found.events.extend(of_callee.columns.keys().cloned());
                found.is_timed |= of_callee.timed.is_some();
                found.searches_unbound |= of_callee.searches_unbound;
                found
                    .predicates
                    .extend(of_callee.predicates.iter().cloned());
                for line in &of_callee.rests_on {
                    if !found.rests_on.contains(line) {
                        found.rests_on.push(line.clone());
                    }
                }
            }
        }
        _ => {}
    });
    found.events.remove(&Event::Step);
    found.searches_unbound |=
        (component.nodes.iter().zip(runs)).any(|(node, runs)| searches_unbound(node, runs));
    let own = component.nodes.iter().map(|node| node.name.clone());
    found.predicates.extend(own);
    while found.predicates.len() > MOST_TOLD {
        found.predicates.pop_last();
    }
    found
}

/// Returns whether calls of a node may pass an unbound first argument and proceed from one clause to the next.
fn searches_unbound(node: &Node, runs: &Rc<[RegionRuns]>) -> bool {
    let first = node.pattern.0.first();
    if first.is_none_or(|ty| ty.is_bound()) {
        return false;
    }
    let mut retries = false;
    for_each_run_step(std::slice::from_ref(runs), &mut |step| {
        if let Step::Count(counts) = step {
            retries |= counts.events().any(|event| *event == Event::Retry);
        }
    });
    retries
}

fn for_each_run_step(runs: &[Rc<[RegionRuns]>], f: &mut dyn FnMut(&Step)) {
    let clauses = runs
        .iter()
        .flat_map(|runs| runs.iter())
        .flat_map(|region| &region.worlds)
        .flat_map(|world| &world.clauses);
    for clause in clauses {
        for_each_step(&clause.tree, f);
    }
}

/// The columns solved so far.
struct Columns<'a> {
    component: Component<'a>,
    runs: Vec<Rc<[RegionRuns]>>,
    steps: &'a Summary,
    next_var: u32,
    uppers: Vec<SolvedColumn>,
    lowers: Vec<SolvedColumn>,
    /// Upper bounds on steps for these runs, computed on first use.
    of_steps: Option<Solution>,
}

impl Columns<'_> {
    /// Adds the column of steps, which is already solved.
    fn begin_with_steps(&mut self) {
        let systems = self.systems(CostColumn::Steps);
        let solved = |system, which: fn(&Sides) -> &Pieces, unknown| SolvedColumn {
            system,
            first: which(&self.steps.first).clone(),
            all: which(&self.steps.all).clone(),
            unknown,
        };
        let upper = solved(systems.0, |s| &s.upper, self.steps.unknown.clone());
        let lower = solved(systems.1, |s| &s.lower, Vec::new());
        // An amortised bound depends on the relation between the steps of callees and their outputs, which these equations do not contain.
        // Other events of the callees may have a different relation to the outputs, even if their bounds are multiples of each other.
        let of_callees = |amortised: &Amortised| amortised.counted != Some(TermWeight::Cells);
        if !self.steps.amortised.as_deref().is_some_and(of_callees) {
            self.uppers.push(upper);
        }
        self.lowers.push(lower);
    }

    /// Computes the columns without costs asserted as time, and the asserted time itself.
    fn timed(&mut self, events: &BTreeSet<Event>) -> Timed {
        let mut of = |event: &Event| {
            let bounds = self.bounds(CostColumn::BesideTimed(Some(event.clone())));
            (event.clone(), bounds)
        };
        Timed {
            columns: [&Event::Step]
                .into_iter()
                .chain(events)
                .map(&mut of)
                .collect(),
            stated: self.bounds(CostColumn::Timed),
            rest: self.bounds(CostColumn::BesideTimed(None)),
        }
    }

    /// Returns whether an assertion specifies the event's counts for another predicate of the component. The system contains the clauses of
    /// that predicate, but they do not count the event.
    fn is_stated_inside(&self, event: &Event) -> bool {
        let program = &self.component.shared.program;
        let entry = &self.component.nodes[0].name;
        let mut others = (self.component.nodes.iter()).filter(|node| node.name != *entry);
        matches!(event, Event::Own(..)) && others.any(|node| program.is_stated(&node.name, event))
    }

    fn systems(&mut self, column: CostColumn) -> (System, System) {
        self.component.column = column;
        let shared = &self.component.shared;
        shared.next_var.set(self.next_var);
        let upper = self.component.cost_system(&self.runs, Direction::Upper);
        shared.next_var.set(self.next_var);
        let lower = self.component.cost_system(&self.runs, Direction::Lower);
        (upper, lower)
    }

    fn bounds(&mut self, column: CostColumn) -> EventBounds {
        let (upper, lower) = self.systems(column);
        let (upper, unknown, up) = match known(&self.uppers, &upper) {
            Some(found) => found,
            None => {
                let solved = self.solve_upper(upper);
                self.uppers.push(solved);
                let i = self.uppers.len() - 1;
                (i, self.uppers[i].unknown.clone(), Rat::one())
            }
        };
        let (lower, _, low) = match known(&self.lowers, &lower) {
            Some(found) => found,
            None => {
                let solved = self.solve_lower(lower);
                self.lowers.push(solved);
                (self.lowers.len() - 1, Vec::new(), Rat::one())
            }
        };
        let (upper, lower) = (&self.uppers[upper], &self.lowers[lower]);
        EventBounds {
            first: Sides {
                lower: scaled(&lower.first, &low),
                upper: scaled(&upper.first, &up),
            },
            all: Sides {
                lower: scaled(&lower.all, &low),
                upper: scaled(&upper.all, &up),
            },
            unknown,
        }
    }

    fn run(&mut self, system: &System, direction: Direction) -> (Solution, Pieces, Pieces) {
        let mut solution = self.component.run_solver(system, direction);
        if direction == Direction::Upper {
            if let Some(better) = self.component.by_forgetting(system, &solution) {
                solution = better;
            }
            if let Some(better) = self.by_steps(system, &solution) {
                solution = better;
            }
        }
        let take = |f: usize| solution.functions.get(f).cloned().unwrap_or_default();
        let (all, first) = (take(0), take(self.component.nodes.len()));
        (solution, first, all)
    }

    /// Replaces unknown bounds by multiples of the step bounds.
    fn by_steps(&mut self, system: &System, solution: &Solution) -> Option<Solution> {
        let is_unknown = |p: &SolvedPiece| matches!(p.value, Value::Unknown(_));
        let n = 2 * self.component.nodes.len();
        let all = solution.functions.iter().take(n).flatten();
        if !all.clone().any(is_unknown) {
            return None;
        }
        if self.of_steps.is_none() {
            let column = std::mem::replace(&mut self.component.column, CostColumn::Steps);
            let (steps, _) = self.systems(CostColumn::Steps);
            self.component.column = column;
            let solved = self.component.run_solver(&steps, Direction::Upper);
            let better = self.component.by_forgetting(&steps, &solved);
            self.of_steps = Some(better.unwrap_or(solved));
        }
        let fuel = &self.component.shared.solver_fuel;
        let mut left = fuel.get();
        let found = by_multiples(system, solution, self.of_steps.as_ref()?, &mut left);
        fuel.set(left);
        found
    }

    fn solve_lower(&mut self, system: System) -> SolvedColumn {
        let (_, first, all) = self.run(&system, Direction::Lower);
        let (mut first, mut all) = (at_least_zero(first), at_least_zero(all));
        if self.component.nodes[0].errors_possible {
            may_raise(&mut first);
            may_raise(&mut all);
        }
        SolvedColumn {
            system,
            first,
            all,
            unknown: Vec::new(),
        }
    }

    fn solve_upper(&mut self, system: System) -> SolvedColumn {
        let (solution, first, all) = self.run(&system, Direction::Upper);
        let first = at_most(first, &all);
        let unknown = self.why_unknown(&system, solution, &all);
        SolvedColumn {
            system,
            first,
            all,
            unknown,
        }
    }

    /// Returns the root causes of unknown bounds: the causes of the callees or, if there are none, the causes in the runs and the
    /// equations.
    fn why_unknown(&mut self, system: &System, solution: Solution, all: &Pieces) -> Vec<Unknown> {
        if !all.iter().any(|p| matches!(p.value, Value::Unknown(_))) {
            return Vec::new();
        }
        let mut causes: Vec<Unknown> = Vec::new();
        let component = &self.component;
        for_each_run_step(&self.runs, &mut |step| {
            if let Step::Call(call) = step
                && let Callee::Outside(callee) = &call.callee
            {
                let events = component.shared.program.events(callee);
                let column = component.column.bounds(&events);
                let unknown = column.as_deref().map_or(&callee.unknown, |c| &c.unknown);
                causes.extend(unknown.first().cloned());
            }
        });
        let mut seen = BTreeSet::new();
        causes.retain(|c| seen.insert((c.cause.clone(), c.reason.clone())));
        causes.truncate(MOST_CAUSES);
        if !causes.is_empty() {
            return causes;
        }
        let mut summary = self.steps.clone();
        summary.all.upper.clone_from(all);
        summary.first.lower = Vec::new();
        let costs = Costs {
            upper: system.clone(),
            lower: System::default(),
            amortised: BTreeMap::new(),
            upper_solution: solution,
            lower_solution: Solution::default(),
            runs: std::mem::take(&mut self.runs),
            causes: CausesOfNodes::default(),
            added: AddedByNodes::default(),
            work: WorkOfNodes::None,
            raises_later: std::cell::OnceCell::new(),
        };
        let (mut causes, _) = causes::unknown(&self.component, &costs, &summary, 0);
        self.runs = costs.runs;
        causes.retain(|c| c.side == Side::Upper);
        causes
    }
}

/// The maximum number of reported causes.
const MOST_CAUSES: usize = 4;

/// Looks up a solved column whose system is a factor of the given system.
fn known(solved: &[SolvedColumn], system: &System) -> Option<(usize, Vec<Unknown>, Rat)> {
    solved.iter().enumerate().find_map(|(i, s)| {
        let factor = factor(&s.system, system)?;
        Some((i, s.unknown.clone(), factor))
    })
}
