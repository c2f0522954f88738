//! Bounds on events other than resolution steps.
//!
//! Each event is a column of its own: what entering a clause and running a literal counts ([`costlens_events`]) takes the place
//! of the step, everything else is as for steps, from the same runs (PADL'07 §2.2, equation 9). They are asked for only where
//! someone wants to see them, so they are inferred apart from the summary, which stays as quick as it is.
//!
//! Most columns are multiples of each other: each step of `app/3` counts one *giunif*. A system whose constants are c times
//! those of another one, all else being equal, has c times its least solution; so one solution serves both.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costlens_algebra::linear::Region;
use costlens_algebra::system::{Alternative, Direction, Solution, SolvedPiece, System, Value, Why};
use costlens_algebra::{Expr, Rat, Var, rat};
use costlens_events::{Event, Vocabulary};
use costlens_program::SourceFile;
use num_traits::{One as _, Signed as _, Zero as _};

use super::cause;
use super::explain::for_each_step;
use super::explore::RegionRuns;
use super::quantity::Column;
use super::solve::{Component, Costs, at_least_zero, at_most, may_raise};
use super::summary::{Pieces, Sides, Summary};
use super::tree::{Callee, Step};
use crate::report::{PredicateName, Side, Unknown};

/// The bounds on one event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventBounds {
    /// Up to the first solution, the failure or the exception.
    pub first: Sides,
    /// Over all solutions.
    pub all: Sides,
    /// Why bounds are missing.
    pub unknown: Vec<Unknown>,
}

/// What callers know of the events of a predicate under a call pattern, over the size variables of its [`Summary`]. Resolution
/// steps are not repeated here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSummary {
    /// The events that may happen.
    pub columns: BTreeMap<Event, EventBounds>,
    /// Any other event: none, unless something is called of which nothing is known.
    pub rest: EventBounds,
}

impl EventSummary {
    /// The bounds on an event.
    #[must_use]
    pub fn column(&self, event: &Event) -> &EventBounds {
        self.columns.get(event).unwrap_or(&self.rest)
    }

    /// The same as another file sees it: causes have the file that they are in.
    #[must_use]
    pub fn in_file(&self, home: SourceFile) -> Self {
        let mut seen = self.clone();
        for column in seen.columns.values_mut().chain([&mut seen.rest]) {
            for unknown in &mut column.unknown {
                unknown.home = unknown.home.or(Some(home));
            }
        }
        seen
    }

    /// What is always right.
    #[must_use]
    pub fn nothing_known(summary: &Summary) -> Self {
        let everywhere = |value| {
            vec![SolvedPiece {
                region: Region::default(),
                value,
            }]
        };
        let sides = Sides {
            lower: everywhere(Value::Known(Expr::zero())),
            upper: everywhere(Value::Unknown(Why::Unbounded)),
        };
        EventSummary {
            columns: BTreeMap::new(),
            rest: EventBounds {
                first: sides.clone(),
                all: sides,
                unknown: match summary.unknown.is_empty() {
                    true => vec![untold(&summary.predicate)],
                    false => summary.unknown.clone(),
                },
            },
        }
    }
}

/// Why nothing is known of the events of a predicate whose steps are trusted.
fn untold(predicate: &PredicateName) -> Unknown {
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: format!("what is trusted of `{predicate}` says nothing of other events than steps"),
        cause: predicate.clone(),
        literal: None,
        help: "Define the predicate, or look at its resolution steps.".to_owned(),
        types_help: false,
    }
}

/// One direction of a column: its system, and what was found for the entry.
struct Solved {
    system: System,
    first: Pieces,
    all: Pieces,
    unknown: Vec<Unknown>,
}

/// Infers the columns of all events that happen in the runs of a component.
pub(crate) fn solve(
    mut component: Component<'_>,
    steps: &Summary,
    vocabulary: Vocabulary,
    fuel: u64,
) -> EventSummary {
    component.before_costs();
    component.shared.counting.set(Some(vocabulary));
    let runs = component.runs();
    let events = events_of(&component, &runs);
    let mut columns = Columns {
        // Variables are the same for every column, so that equal columns have equal systems.
        next_var: component.shared.next_var.get(),
        component,
        runs,
        steps,
        uppers: Vec::new(),
        lowers: Vec::new(),
    };
    // A clause without code is unknown to runs that count instructions, but not to those that counted steps: the system of steps
    // that they give is not the one that was solved. So is a single-sided rule to those that count anything.
    if vocabulary == Vocabulary::HighLevel && !columns.component.has_single_sided() {
        columns.begin_with_steps();
    }
    // All columns together get what steps got, twice; the events are in their order, so the same text has the same answer.
    columns.component.shared.solver_fuel.set(2 * fuel);
    let rest = columns.bounds(Column::Rest);
    EventSummary {
        columns: events
            .into_iter()
            .map(|event| {
                let bounds = columns.bounds(Column::Event(event.clone()));
                (event, bounds)
            })
            .collect(),
        rest,
    }
}

/// The events that the runs count, and those of what they call.
fn events_of(component: &Component<'_>, runs: &[Rc<[RegionRuns]>]) -> BTreeSet<Event> {
    let mut events = BTreeSet::new();
    for_each_run_step(runs, &mut |step| match step {
        Step::Count(counts) => events.extend(counts.events().cloned()),
        Step::Test(tested) => events.extend(tested.either.events().cloned()),
        Step::Call(call) => {
            if let Callee::Outside(callee) = &call.callee {
                let of_callee = component.shared.program.events(callee);
                events.extend(of_callee.columns.keys().cloned());
            }
        }
        _ => {}
    });
    events.remove(&Event::Step);
    events
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

/// The columns that have been solved.
struct Columns<'a> {
    component: Component<'a>,
    runs: Vec<Rc<[RegionRuns]>>,
    steps: &'a Summary,
    next_var: u32,
    uppers: Vec<Solved>,
    lowers: Vec<Solved>,
}

impl Columns<'_> {
    /// Steps are solved already.
    fn begin_with_steps(&mut self) {
        let systems = self.systems(Column::Steps);
        let solved = |system, which: fn(&Sides) -> &Pieces, unknown| Solved {
            system,
            first: which(&self.steps.first).clone(),
            all: which(&self.steps.all).clone(),
            unknown,
        };
        let upper = solved(systems.0, |s| &s.upper, self.steps.unknown.clone());
        let lower = solved(systems.1, |s| &s.lower, Vec::new());
        self.uppers.push(upper);
        self.lowers.push(lower);
    }

    fn systems(&mut self, column: Column) -> (System, System) {
        self.component.column = column;
        let shared = &self.component.shared;
        shared.next_var.set(self.next_var);
        let upper = self.component.cost_system(&self.runs, Direction::Upper);
        shared.next_var.set(self.next_var);
        let lower = self.component.cost_system(&self.runs, Direction::Lower);
        (upper, lower)
    }

    fn bounds(&mut self, column: Column) -> EventBounds {
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
        let solution = self.component.run_solver(system, direction);
        let take = |f: usize| solution.functions.get(f).cloned().unwrap_or_default();
        let (all, first) = (take(0), take(self.component.nodes.len()));
        (solution, first, all)
    }

    fn solve_lower(&mut self, system: System) -> Solved {
        let (_, first, all) = self.run(&system, Direction::Lower);
        let (mut first, mut all) = (at_least_zero(first), at_least_zero(all));
        if self.component.nodes[0].errors_possible {
            may_raise(&mut first);
            may_raise(&mut all);
        }
        Solved {
            system,
            first,
            all,
            unknown: Vec::new(),
        }
    }

    fn solve_upper(&mut self, system: System) -> Solved {
        let (solution, first, all) = self.run(&system, Direction::Upper);
        let first = at_most(first, &all);
        let unknown = self.why_unknown(&system, solution, &all);
        Solved {
            system,
            first,
            all,
            unknown,
        }
    }

    /// The root causes: those of what is called, or else those that the runs and the equations show.
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
                let column = match &component.column {
                    Column::Event(event) => events.column(event),
                    _ => &events.rest,
                };
                causes.extend(column.unknown.first().cloned());
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
            amortised: None,
            upper_solution: solution,
            lower_solution: Solution::default(),
            runs: std::mem::take(&mut self.runs),
            causes: cause::CausesOfNodes::default(),
        };
        let mut causes = cause::unknown(&self.component, &costs, &summary, 0);
        self.runs = costs.runs;
        causes.retain(|c| c.side == Side::Upper);
        causes
    }
}

/// Causes that are named at most.
const MOST_CAUSES: usize = 4;

/// The solved column that a system is a multiple of.
fn known(solved: &[Solved], system: &System) -> Option<(usize, Vec<Unknown>, Rat)> {
    solved.iter().enumerate().find_map(|(i, s)| {
        let factor = factor(&s.system, system)?;
        Some((i, s.unknown.clone(), factor))
    })
}

fn scaled(pieces: &Pieces, factor: &Rat) -> Pieces {
    if factor.is_one() {
        return pieces.clone();
    }
    pieces
        .iter()
        .map(|p| SolvedPiece {
            region: p.region.clone(),
            value: match &p.value {
                Value::Known(e) => Value::Known(e.scale(factor)),
                // A form that was not proved is no better times a number.
                Value::Unknown(Why::NotProved(_)) => Value::Unknown(Why::NoForm),
                other => other.clone(),
            },
        })
        .collect()
}

/// The number c > 0 with Φ(c·f) = c·Φ₀(f) for the functions Φ of `system` and Φ₀ of `base`: equal but for the constants,
/// which are c times as large, and linear in the results without a constant of their own.
fn factor(base: &System, system: &System) -> Option<Rat> {
    let (a, b) = (&base.functions, &system.functions);
    if a.len() != b.len() || a.is_empty() {
        return None;
    }
    let mut factor: Option<Rat> = None;
    // The last function is the infinite one, which is a multiple of itself.
    for (f, g) in a.iter().zip(b).take(a.len() - 1) {
        if f.params != g.params || f.cells.len() != g.cells.len() {
            return None;
        }
        for (c, d) in f.cells.iter().zip(&g.cells) {
            if c.region != d.region || c.alternatives.len() != d.alternatives.len() {
                return None;
            }
            for (x, y) in c.alternatives.iter().zip(&d.alternatives) {
                if !agrees(x, y, &mut factor) {
                    return None;
                }
            }
        }
    }
    Some(factor.unwrap_or_else(|| rat(1)))
}

fn agrees(x: &Alternative, y: &Alternative, factor: &mut Option<Rat>) -> bool {
    let same = x.locals == y.locals && x.constraints == y.constraints && x.results == y.results;
    let results: Vec<Var> = x.results.iter().map(|r| r.var).collect();
    let mentions = |e: &Expr| e.variables().iter().any(|v| results.contains(v));
    let free = x.results.iter().flat_map(|r| &r.args).all(|e| !mentions(e))
        && x.constraints
            .variables()
            .iter()
            .all(|v| !results.contains(v));
    if !same || !free {
        return false;
    }
    match (&x.value, &y.value) {
        (None, None) => true,
        (Some(x), Some(y)) => {
            let (Some((own, calls)), Some((other, other_calls))) =
                (parts(x, &results), parts(y, &results))
            else {
                return false;
            };
            calls == other_calls && is_multiple(&own, &other, factor)
        }
        _ => false,
    }
}

/// The terms without results, and those with exactly one to the power of one. None if there are others.
fn parts(value: &Expr, results: &[Var]) -> Option<(Expr, Expr)> {
    let (mut own, mut calls) = (Expr::zero(), Expr::zero());
    for (m, k) in value.terms() {
        let term = Expr::monomial(m.clone(), k.clone());
        let mentioned = term.variables();
        let used: Vec<&Var> = results.iter().filter(|r| mentioned.contains(r)).collect();
        match used.as_slice() {
            [] => own = &own + &term,
            [result] => {
                // Linear: without the result at 0, and twice as much for twice the result.
                let twice = BTreeMap::from([(**result, Expr::var(**result).scale(&rat(2)))]);
                if term.substitute(&twice)? != term.scale(&rat(2)) {
                    return None;
                }
                calls = &calls + &term;
            }
            _ => return None,
        }
    }
    Some((own, calls))
}

fn is_multiple(own: &Expr, other: &Expr, factor: &mut Option<Rat>) -> bool {
    if own.is_zero() || other.is_zero() {
        return own.is_zero() && other.is_zero();
    }
    if let Some(factor) = factor {
        return own.scale(factor) == *other;
    }
    let Some((m, k)) = own.terms().next() else {
        return false;
    };
    let ratio = other.coefficient(m) / k.clone();
    if ratio.is_zero() || ratio.is_negative() || own.scale(&ratio) != *other {
        return false;
    }
    *factor = Some(ratio);
    true
}
