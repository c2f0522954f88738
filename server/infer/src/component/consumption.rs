//! The cost of calls in terms of what they consume ([`crate::equations::relations::consumption`]), inferred after the costs are solved.

use std::cmp::Ordering;

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use costlens_recurrences::{Direction, Solution, SolvedPiece, Value};

use super::Component;
use super::costs::Costs;
use crate::equations::relations::consumption;
use crate::lattice::types::Metric;
use crate::summary::amortised_bounds::{compared, is_worth_another_measure};
use crate::summary::node::{Charged, Node, Output};
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::relation::Consumption;
use crate::tree::{Step, for_each_step};

/// The maximum number of nodes for which it is inferred together.
const MOST_NODES: usize = 24;

impl Component<'_> {
    /// Runs phase 4, and once more if recursive calls have better bounds by what they consume.
    pub(crate) fn best_costs(&mut self) -> Costs {
        let mut costs = self.costs();
        self.without_charges(&mut costs);
        self.by_consumption(&costs).unwrap_or(costs)
    }

    /// Where no bound is found with the costs of calls tied to what they leave, takes the bounds without.
    fn without_charges(&mut self, costs: &mut Costs) {
        let n = self.nodes.len();
        let is_unknown = |p: &SolvedPiece| matches!(p.value, Value::Unknown(_));
        let mut found = costs.upper_solution.functions.iter().take(n).flatten();
        if !found.any(is_unknown) || !has_charges(costs) {
            return;
        }
        self.charges = false;
        self.sums.clear();
        let plain = self.cost_system(&costs.runs, Direction::Upper);
        let solution = self.run_solver(&plain, Direction::Upper);
        self.charges = true;
        let old = &costs.upper_solution.functions;
        if is_less(&solution.functions[..n], &old[..n]) {
            (costs.upper, costs.upper_solution) = (plain, solution);
        }
    }

    /// Infers what calls of the nodes consume. Returns better bounds for the nodes, if recursive calls have some thereby.
    fn by_consumption(&mut self, costs: &Costs) -> Option<Costs> {
        let n = self.nodes.len();
        let improvable =
            |pieces: &Pieces| pieces.iter().any(|p| is_worth_another_measure(&p.value));
        if !self.consume(costs) || !costs.upper_solution.functions[..n].iter().any(improvable) {
            return None;
        }
        let is_used = |i: usize| {
            let consumes = self.nodes[i].relation.consumption.is_some();
            consumes && (!self.is_alone(i) || self.calls.is_to_itself(i))
        };
        if !(0..n).any(is_used) {
            return None;
        }
        self.sums.clear();
        let again = self.costs();
        let bounds = |costs: &Costs| costs.upper_solution.functions[..n].to_vec();
        is_less(&bounds(&again), &bounds(costs)).then_some(again)
    }

    /// Infers what calls of the nodes consume, if that may say more than their bounds do. Returns whether something was found.
    fn consume(&mut self, costs: &Costs) -> bool {
        if self.nodes.len() > MOST_NODES {
            return false;
        }
        let n = self.nodes.len();
        let uneven: Vec<bool> = (self.nodes.iter().enumerate())
            .map(|(i, node)| {
                [i, n + i].into_iter().any(|f| {
                    let take = |of: &Solution| of.functions.get(f).cloned().unwrap_or_default();
                    let sides = Sides {
                        lower: take(&costs.lower_solution),
                        upper: take(&costs.upper_solution),
                    };
                    sides.is_uneven(&node.vars())
                })
            })
            .collect();
        let ties: Vec<Region> = self.nodes.iter().map(known_of_success).collect();
        let may_pay = |i: usize| uneven[i] && leaves_less(&self.nodes[i], &ties[i]);
        if !(0..self.nodes.len()).any(may_pay) {
            return false;
        }
        let found = self.consumption(&ties);
        let mut any = false;
        for (i, found) in found.into_iter().enumerate() {
            let found = found.filter(|_| uneven[i]);
            any |= found.is_some();
            let node = &mut self.nodes[i];
            if let Some(of) = &found {
                let left = node.output_vars[of.output];
                node.relation.outputs.insert(of.output, left);
            }
            node.relation.consumption = found;
        }
        any
    }

    /// Runs the clauses once more, with variables for the outputs and the costs of calls.
    fn consumption(&mut self, ties: &[Region]) -> Vec<Option<Consumption>> {
        let outputs: Vec<Vec<Output>> = self.nodes.iter().map(|n| n.outputs.clone()).collect();
        for i in 0..self.nodes.len() {
            let (cost, first) = (self.fresh(), self.fresh());
            self.nodes[i].charged = Some(Charged {
                cost,
                first,
                weights: Default::default(),
                is_open: true,
                is_loop: false,
            });
        }
        let sized: Vec<(usize, usize, Metric)> = self.open_outputs();
        let runs = self.runs();
        let fresh = || self.fresh();
        let found = consumption::infer(&self.nodes, &runs, &sized, ties, &fresh);
        for (node, outputs) in self.nodes.iter_mut().zip(outputs) {
            node.outputs = outputs;
            node.charged = None;
        }
        found
    }
}

/// Returns whether the cost of a call in the runs is tied to its outputs.
fn has_charges(costs: &Costs) -> bool {
    let worlds = (costs.runs.iter().flat_map(|runs| runs.iter())).flat_map(|region| &region.worlds);
    let mut any = false;
    for run in worlds.flat_map(|world| &world.clauses) {
        for_each_step(&run.tree, &mut |step| {
            any |= matches!(step, Step::Call(call) if call.charge.is_some());
        });
    }
    any
}

/// Returns what is known of the sizes of a node's arguments on success.
fn known_of_success(node: &Node) -> Region {
    let mut known = node.domain.and_all(&node.relation.constraints);
    for (argument, output) in node.outputs.iter().enumerate() {
        let Output::Solved(sides) = output else {
            continue;
        };
        let left = Expr::var(node.output_vars[argument]);
        for param in node.params.iter().filter(|p| p.slot.is_plain()) {
            let size = Expr::var(param.var);
            let is_within = |value: &Value, region: &Region| match value {
                Value::Known(e) => Constraint::le(e, &size)
                    .is_some_and(|c| node.domain.and_all(region).implies(&c)),
                _ => false,
            };
            if !sides.upper.is_empty()
                && (sides.upper.iter()).all(|piece| is_within(&piece.value, &piece.region))
                && let Some(c) = Constraint::le(&left, &size)
            {
                known = known.and(c);
            }
        }
    }
    known
}

/// Returns whether an output may be smaller than an input of the same metric, by an amount that the sizes do not determine.
fn leaves_less(node: &Node, known: &Region) -> bool {
    let success = node.success.iter().flatten().enumerate();
    success.into_iter().any(|(argument, ty)| {
        let Some(metric) = ty
            .metric()
            .filter(|_| node.pattern.0[argument].is_unsized())
        else {
            return false;
        };
        let left = Expr::var(node.output_vars[argument]);
        let mut inputs = (node.params.iter())
            .filter(|p| p.slot.metric == metric && p.slot.is_plain())
            .map(|p| Expr::var(p.var));
        inputs.any(|size| {
            let at_most = Constraint::le(&left, &size);
            let equal = Constraint::ge(&left, &size);
            at_most.is_some_and(|c| known.implies(&c)) && !equal.is_some_and(|c| known.implies(&c))
        })
    })
}

/// Returns whether some bounds grow more slowly than others, and none grow faster.
fn is_less(new: &[Pieces], old: &[Pieces]) -> bool {
    let mut any = false;
    for (new, old) in new.iter().zip(old) {
        for a in new {
            for b in old {
                let both = a.region.and_all(&b.region);
                if both.is_empty()
                    || !matches!(
                        (&a.value, &b.value),
                        (Value::Known(_), _) | (_, Value::Known(_))
                    )
                {
                    continue;
                }
                match compared(&a.value, &b.value, &both) {
                    Some(Ordering::Less) => any = true,
                    Some(Ordering::Equal) => {}
                    _ => return false,
                }
            }
        }
    }
    any
}
