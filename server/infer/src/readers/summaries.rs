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
use crate::component::Component;
use crate::component::costs::Costs;
use crate::summary::amortised_bounds::Amortised;
use crate::summary::names::named;
use crate::summary::node::Output;
use crate::summary::pieces::{Pieces, Sides, at_least_zero, at_most, at_most_one, may_raise};
use crate::summary::{Solved, Summary};
use crate::tree::CallStep;
use crate::tree::later::{is_one, may_raise_later};

impl Component<'_> {
    /// Solves the component. Returns the summary of the first node.
    pub(crate) fn solve(mut self) -> Summary {
        self.types();
        let costs = self.solved_costs();
        self.summary(&costs, 0)
    }

    /// Solves the component. Returns the summaries of all nodes, each in the variables that the node has when it comes first.
    pub(crate) fn summaries(mut self) -> Vec<Solved> {
        self.types();
        let costs = self.solved_costs();
        // Nodes for calls with given constants are only used within the component.
        (0..self.nodes.len())
            .filter(|&i| self.nodes[i].constants.is_empty())
            .filter_map(|i| {
                let node = &self.nodes[i];
                let own = node.params.iter().map(|p| p.var);
                let all = own.chain(node.output_vars.iter().copied());
                let names = all.zip((0..).map(Var)).collect();
                Some(Solved {
                    summary: Arc::new(renamed(self.summary(&costs, i), &names)?),
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
            amortised: amortised.cloned(),
            unknown: Vec::new(),
            rests_on: Vec::new(),
        };
        never_ends::settle(&mut summary, &costs.runs[at]);
        summary.params = named(node, &summary);
        summary.unknown = causes::unknown(self, costs, &summary, at);
        summary
    }
}

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
    for sides in sides.into_iter().chain(summary.outputs.values_mut()) {
        *sides = Sides {
            lower: renaming.pieces(&sides.lower)?,
            upper: renaming.pieces(&sides.upper)?,
        };
    }
    for pieces in summary.elements.values_mut() {
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
