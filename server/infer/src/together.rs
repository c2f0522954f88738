//! One solution for all calls that a call leads to.
//!
//! `even/1` and `odd/1` under the patterns that they call each other with have one system of equations, whichever of them is asked for. What
//! it gives is kept for all its nodes ([`Solved`]): nodes that call each other have the same system when they are asked for themselves, and
//! to other predicates of the component, asked for later, they are as well known as predicates outside of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::system::{SolvedPiece, Value, Why};
use costlens_algebra::{Expr, Region, Var};

use super::explain::for_each_step;
use super::explore::RegionRuns;
use super::solve::Component;
use super::summary::{Pieces, Sides, Summary};
use super::tree::{Callee, Step};

/// The nodes that each node calls, from its runs.
#[derive(Default)]
pub(super) struct Calls(Vec<Vec<usize>>);

impl Calls {
    /// Takes down what the runs of a node call.
    pub(super) fn note(&mut self, node: usize, runs: &[RegionRuns]) {
        if self.0.len() <= node {
            self.0.resize_with(node + 1, Vec::new);
        }
        let called = &mut self.0[node];
        called.clear();
        let worlds = runs.iter().flat_map(|region| &region.worlds);
        for run in worlds.flat_map(|world| &world.clauses) {
            for_each_step(&run.tree, &mut |step| {
                if let Step::Call(call) = step
                    && let Callee::Inside(callee) = call.callee
                    && !called.contains(&callee)
                {
                    called.push(callee);
                }
            });
        }
    }

    /// Whether no node calls another one or itself.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Whether no other node both calls a node and is called by it, directly or not.
    fn is_alone(&self, node: usize) -> bool {
        let of = |at: usize| self.0.get(at).into_iter().flatten().copied();
        let mut seen = vec![false; self.0.len()];
        let mut open: Vec<usize> = of(node).filter(|&callee| callee != node).collect();
        while let Some(at) = open.pop() {
            if at == node {
                return false;
            }
            if let Some(seen) = seen.get_mut(at)
                && !std::mem::replace(seen, true)
            {
                open.extend(of(at));
            }
        }
        true
    }
}

/// What is known of a call from a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// What is known.
    pub summary: Arc<Summary>,
    /// Whether it is no part of a recursion with other calls, and not the one that was asked for: asked for itself, it may have a better bound
    /// (`infer::amortised`).
    pub is_alone: bool,
}

impl Component<'_> {
    /// Whether a node calls no other one that calls it; to be asked when the types are known.
    pub(super) fn is_alone(&self, node: usize) -> bool {
        self.calls.is_alone(node)
    }

    /// The summaries of all nodes, each over the variables that it has where it is the first one.
    pub(super) fn summaries(mut self) -> Vec<Solved> {
        self.types();
        let costs = self.solved_costs();
        (0..self.nodes.len())
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
}

/// A summary over other variables; none if it has one without a new name.
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
