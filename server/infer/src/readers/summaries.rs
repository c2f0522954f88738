//! Summaries of the nodes of a component: either of the requested node or of all nodes.
//!
//! `even/1` and `odd/1`, under the patterns with which they call each other, have the same system of equations, whether `even/1` or `odd/1`
//! is requested. The results are kept for all nodes ([`Solved`]), because mutually recursive nodes have the same system when they are
//! requested themselves. When other predicates of the component are requested later, they use these results like summaries of predicates
//! outside the component.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::{Expr, Region, Var};
use costlens_recurrences::{Solution, SolvedPiece, Value, Why};

use super::{causes, never_ends};
use crate::amortised;
use crate::component::costs::{Costs, Rank};
use crate::component::{Component, DEFAULT_FUEL};
use crate::report::{Side, Unknown};
use crate::summary::amortised_bounds::Amortised;
use crate::summary::names::name_all;
use crate::summary::node::Output;
use crate::summary::pieces::{Pieces, Sides, at_least_zero, at_most, at_most_one, may_raise};
use crate::summary::{RunsLater, Solved, Summary};
use crate::tree::CallStep;
use crate::tree::later::{is_one, may_raise_later};

impl Component<'_> {
    /// Solves the component. Returns the summary of the first node.
    pub(crate) fn solve(self) -> Summary {
        let (component, costs) = self.solved();
        component.summary(&costs, 0)
    }

    /// Runs all phases. If bounds of callees cannot be used and there is no bound without them, their costs become parameters.
    fn solved(mut self) -> (Self, Costs) {
        self.types();
        let costs = self.solved_costs();
        if !self.lacks_bound(&costs) {
            return (self, costs);
        }
        let callees = causes::callees_of_unknown_sizes(&self, &costs);
        if callees.is_empty() {
            return (self, costs);
        }
        let mut other = self.begun_again(FUEL_AGAIN);
        other.shared.met.begin_with_costs(callees);
        other.types();
        let other_costs = other.solved_costs();
        match other.lacks_bound(&other_costs) {
            true => (self, costs),
            false => (other, other_costs),
        }
    }

    /// Returns whether the first node has no upper bound.
    fn lacks_bound(&self, costs: &Costs) -> bool {
        let upper = take(&costs.upper_solution, 0);
        let is_unknown = |p: &SolvedPiece| matches!(p.value, Value::Unknown(_));
        !costs.amortised.contains_key(&0) && upper.iter().any(is_unknown)
    }

    /// Solves the component. Returns the summaries of all nodes, each in the variables that the node has when it comes first.
    pub(crate) fn summaries(self) -> Vec<Solved> {
        let (component, costs) = self.solved();
        component.summaries_of_all(&costs)
    }

    fn summaries_of_all(&self, costs: &Costs) -> Vec<Solved> {
        // Nodes for calls with given constants are only used within the component.
        (0..self.nodes.len())
            .filter(|&i| self.nodes[i].constants.is_empty())
            .filter_map(|i| {
                let node = &self.nodes[i];
                let own = node.params.iter().map(|p| p.var);
                let all = own.chain(node.output_vars.iter().copied());
                let same = node.parameters.iter().map(|&v| (v, v));
                let names = all.zip((0..).map(Var)).chain(same).collect();
                Some(Solved {
                    summary: Arc::new(renamed(self.summary(costs, i), &names)?),
                    is_alone: i != 0 && self.is_alone(i),
                })
            })
            .collect()
    }

    /// Runs phases 2 to 4, and improves the bounds of the nodes.
    fn solved_costs(&mut self) -> Costs {
        let mut costs = self.after_types();
        costs.amortised = amortised::by_cells(self, &costs);
        if self.is_alone(0) && !costs.amortised.contains_key(&0) {
            let upper = take(&costs.upper_solution, 0);
            let found = amortised::amortise(self, &costs.runs, &upper);
            costs.amortised.extend(found.map(|found| (0, found)));
        }
        costs.work = self.work(&costs);
        costs
    }

    /// Returns whether calls of a node may raise an exception after a success. The least fixpoint over all nodes is correct, since an
    /// exception occurs after finitely many calls.
    fn raises_later(&self, costs: &Costs, at: usize) -> bool {
        let all = costs.raises_later.get_or_init(|| {
            let mut found = vec![false; self.nodes.len()];
            loop {
                let before = found.clone();
                let inside = |index: usize, call: &CallStep| {
                    let node = &self.nodes[index];
                    let single = node.is_single || node.solutions.as_ref().is_some_and(at_most_one);
                    !before[index] && (single || is_one(call.solutions.as_ref()))
                };
                for (i, node) in self.nodes.iter().enumerate() {
                    let clauses = self.shared.program.clauses(&node.name).unwrap_or_default();
                    let worlds = costs.runs.get(i).into_iter().flat_map(|runs| runs.iter());
                    found[i] |= node.errors_possible
                        && (worlds.flat_map(|region| &region.worlds))
                            .any(|world| may_raise_later(&world.clauses, &clauses, &inside));
                }
                if found == before {
                    return found;
                }
            }
        });
        all.get(at).copied().unwrap_or(true)
    }

    /// Returns the summary of a node.
    pub(crate) fn summary(&self, costs: &Costs, at: usize) -> Summary {
        let n = self.nodes.len();
        let node = &self.nodes[at];
        let amortised = costs.amortised.get(&at);
        let mut all = Sides {
            lower: at_least_zero(take(&costs.lower_solution, at)),
            upper: take(&costs.upper_solution, at),
        };
        let mut first = Sides {
            lower: at_least_zero(take(&costs.lower_solution, n + at)),
            upper: take(&costs.upper_solution, n + at),
        };
        if let Some(amortised) = amortised {
            for side in [&mut all.upper, &mut first.upper] {
                *side = amortised.better(side);
                // Regions without calls are left out.
                side.retain(|p| !node.domain.and_all(&p.region).is_empty());
            }
        }
        first.upper = at_most(first.upper, &all.upper);
        let outputs: BTreeMap<usize, Sides> = node
            .outputs
            .iter()
            .enumerate()
            .filter_map(|(i, o)| match o {
                Output::Solved(sides) => Some((i, sides.clone())),
                _ => None,
            })
            .collect();
        let elements = (node.elements.iter().enumerate())
            .filter_map(|(i, o)| match o {
                Output::Solved(sides) => Some((i, sides.upper.clone())),
                _ => None,
            })
            .collect();
        if node.errors_possible {
            for pieces in [&mut first.lower, &mut all.lower] {
                may_raise(pieces);
            }
        }
        let mut summary = Summary {
            predicate: node.name.clone(),
            pattern: node.pattern.clone(),
            params: Vec::new(),
            parameters: Vec::new(),
            assumes: Vec::new(),
            domain: node.domain.clone(),
            success: node.success.clone(),
            outputs,
            elements,
            relation: node.relation.clone(),
            solutions: node.solutions.clone().unwrap_or_default(),
            first,
            all,
            errors_possible: node.errors_possible,
            raises_later: self.raises_later(costs, at),
            work: self.work_of(costs, at),
            added: costs.added.by_node(at),
            amortised: amortised.cloned(),
            later: self.shared.met.later(),
            unknown: Vec::new(),
            rests_on: Vec::new(),
        };
        if summary.later == RunsLater::Yes {
            // A goal that runs when a variable is bound may have several solutions.
            for piece in &mut summary.solutions.upper {
                piece.value = Value::Unknown(Why::Unbounded);
            }
        }
        never_ends::settle(&mut summary, &costs.runs[at]);
        (summary.parameters, summary.assumes) = self.shared.met.seen_from(&node.name);
        name_all(node, &mut summary);
        let (unknown, rank) = causes::unknown(self, costs, &summary, at);
        summary.unknown = unknown;
        if rank != Some(Rank::Goal)
            && (summary.all.upper.iter()).any(|p| matches!(p.value, Value::Unknown(_)))
        {
            // An unknown goal is a better cause than a bound in its terms without a form.
            let roots = self.shared.met.roots();
            if !roots.is_empty() {
                summary
                    .unknown
                    .retain(|unknown| unknown.side == Side::Lower);
            }
            let roots = roots.into_iter().map(|root| Unknown::clone(&root));
            summary.unknown.splice(0..0, roots.take(MOST_ROOTS));
        }
        if let Some(reason) = self.shared.met.why_full()
            && let Some(first) = summary.unknown.first_mut()
        {
            first.reason = reason;
            first.help =
                "State in `trust` assertions what some of the called predicates cost.".to_owned();
        }
        summary
    }
}

/// The fuel of the second attempt to solve a component. Those that succeed take little.
const FUEL_AGAIN: u64 = DEFAULT_FUEL / 16;

/// The maximum number of unknown goals that are given as causes.
const MOST_ROOTS: usize = 3;

fn take(solution: &Solution, f: usize) -> Pieces {
    solution.functions.get(f).cloned().unwrap_or_default()
}

/// Returns a summary over other variables, or `None` if one of its variables has no new name.
fn renamed(mut summary: Summary, names: &BTreeMap<Var, Var>) -> Option<Summary> {
    if names.iter().all(|(old, new)| old == new) {
        return Some(summary);
    }
    let by: BTreeMap<Var, Expr> = (names.iter())
        .map(|(&old, &new)| (old, Expr::var(new)))
        .collect();
    for param in &mut summary.params {
        param.var = *names.get(&param.var)?;
    }
    for output in summary.relation.outputs.values_mut() {
        *output = *names.get(output)?;
    }
    let renaming = Renaming { by };
    summary.domain = renaming.region(&summary.domain)?;
    summary.relation.constraints = renaming.region(&summary.relation.constraints)?;
    let sides = [&mut summary.solutions, &mut summary.first, &mut summary.all];
    let others = summary.outputs.values_mut().chain(summary.work.sides_mut());
    for sides in sides.into_iter().chain(others) {
        *sides = Sides {
            lower: renaming.pieces(&sides.lower)?,
            upper: renaming.pieces(&sides.upper)?,
        };
    }
    let added = summary.added.of.values_mut();
    for pieces in summary.elements.values_mut().chain(added) {
        *pieces = renaming.pieces(pieces)?;
    }
    if let Some(amortised) = &mut summary.amortised {
        let mut renamed = Amortised::clone(amortised);
        renamed.bound = renaming.pieces(&renamed.bound)?;
        *amortised = Arc::new(renamed);
    }
    Some(summary)
}

struct Renaming {
    by: BTreeMap<Var, Expr>,
}

impl Renaming {
    fn region(&self, region: &Region) -> Option<Region> {
        let all = |v: &Var| self.by.contains_key(v);
        (region.variables().iter().all(all)).then(|| region.substitute(&self.by))?
    }

    fn expr(&self, e: &Expr) -> Option<Expr> {
        let all = |v: &Var| self.by.contains_key(v);
        e.variables()
            .iter()
            .all(all)
            .then(|| e.substitute(&self.by))?
    }

    fn pieces(&self, pieces: &Pieces) -> Option<Pieces> {
        let piece = |piece: &SolvedPiece| {
            let value = match &piece.value {
                Value::Known(e) => Value::Known(self.expr(e)?),
                Value::Unknown(Why::NotProved(e)) => Value::Unknown(Why::NotProved(self.expr(e)?)),
                other => other.clone(),
            };
            let region = self.region(&piece.region)?;
            Some(SolvedPiece { region, value })
        };
        pieces.iter().map(piece).collect()
    }
}
