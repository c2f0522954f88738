//! One solution for all predicates that call each other.
//!
//! `even/1` and `odd/1` under the patterns that they call each other with have one system of equations, whichever of them is asked for. It is
//! solved once, for a *representative*: of the nodes that call the asked one and are called by it, the least by name and pattern. That
//! node sees the same nodes when it is asked for itself, so all of them find the solution of one. What is taken from there was proved of the very
//! node that is asked for; nothing depends on the choice but how often equations are solved.

use std::collections::BTreeMap;

use costlens_algebra::system::{SolvedPiece, Value, Why};
use costlens_algebra::{Expr, Region, Var};

use super::explain::for_each_step;
use super::explore::RegionRuns;
use super::solve::Component;
use super::summary::{Pieces, Sides, Summary};
use super::tree::{Callee, Step};
use crate::report::PredicateName;
use crate::types::Pattern;

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

    /// The nodes from which the first one is reached, itself among them. All of them are reached from it.
    fn around_the_first(&self) -> Vec<usize> {
        let mut found = vec![0];
        let mut at = 0;
        while let Some(&target) = found.get(at) {
            at += 1;
            for (caller, called) in self.0.iter().enumerate() {
                if called.contains(&target) && !found.contains(&caller) {
                    found.push(caller);
                }
            }
        }
        found
    }
}

impl Component<'_> {
    /// The node for which the system of the first one is solved, where these are several; to be asked when the types are known.
    pub(super) fn representative(&self) -> Option<(&PredicateName, &Pattern)> {
        let around = self.calls.around_the_first();
        if around.len() < 2 {
            return None;
        }
        let nodes = around.iter().filter_map(|&i| self.nodes.get(i));
        nodes.map(|n| (&n.name, &n.pattern)).min()
    }

    /// The summaries of all nodes, each over the variables that it has where it is the first one.
    pub(super) fn summaries(mut self) -> Vec<Summary> {
        self.types();
        let costs = self.after_types();
        (0..self.nodes.len())
            .filter_map(|i| {
                let node = &self.nodes[i];
                let own = node.params.iter().map(|p| p.var);
                let all = own.chain(node.output_vars.iter().copied());
                let names = all.zip((0..).map(Var)).collect();
                renamed(self.summary(&costs, i), &names)
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
