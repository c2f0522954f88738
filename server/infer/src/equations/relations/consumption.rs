//! The cost of successful calls in terms of what they consume.
//!
//! ```prolog
//! ws --> [C], { C =< 32 }, !, ws.
//! ws --> [0'#], !, com, ws.
//! ws --> [].
//! ```
//!
//! A call that leaves r of n codes takes at most 5(n - r) + 3 steps. The bound holds by induction on the height of the derivation of the
//! success: with it for the calls on the path to an exit, it follows for the exit. The steps for each unit, the same for all predicates of
//! the component, and the steps once for each call are raised until that is so. A path that consumes something raises the former, other
//! paths the latter.

use std::rc::Rc;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use num_traits::{Signed, ToPrimitive};

use super::{EXIT_LIMIT, ExitRun, outputs_of, ways_out};
use crate::equations::quantity::{CostColumn, Quantity};
use crate::lattice::types::Metric;
use crate::summary::node::Node;
use crate::summary::relation::{Consumption, Rate};
use crate::tree::runs::RegionRuns;
use crate::tree::{Step, for_each_step};

/// The maximum number of rounds for each predicate.
const ROUND_LIMIT: usize = 12;

/// The maximum number of steps for each unit, and once for each call.
const MOST_STEPS: i64 = 10_000;

/// How often the steps for each unit are raised where the cost of a path is not bounded.
const MOST_RAISED: usize = 4;

/// Infers the consumption of the nodes. Their outputs, `sized`, are represented by variables, and so are the costs of their calls. `ties`
/// contains what is known of the sizes on success.
pub(crate) fn infer(
    nodes: &[Node],
    runs: &[Rc<[RegionRuns]>],
    sized: &[(usize, usize, Metric)],
    ties: &[Region],
    fresh: &dyn Fn() -> Var,
) -> Vec<Option<Consumption>> {
    let of = |column| rates(nodes, runs, (sized, ties), column, fresh);
    let mut found = of(&CostColumn::Steps);
    if found.iter().any(Option::is_some) {
        for (steps, work) in found.iter_mut().zip(of(&CostColumn::Work)) {
            let (Some(steps), Some(work)) = (steps, work) else {
                continue;
            };
            let is_same = |a: &Consumption, b: &Consumption| {
                (a.input, a.output, a.first_only) == (b.input, b.output, b.first_only)
            };
            steps.work = is_same(steps, &work).then_some(work.steps);
        }
    }
    found
}

/// Infers the consumption of the nodes, with the rates of a column, which are called steps.
fn rates(
    nodes: &[Node],
    runs: &[Rc<[RegionRuns]>],
    (sized, ties): (&[(usize, usize, Metric)], &[Region]),
    column: &CostColumn,
    fresh: &dyn Fn() -> Var,
) -> Vec<Option<Consumption>> {
    let nothing = || vec![None; nodes.len()];
    let outputs = outputs_of(nodes, sized);
    let pair = |i: usize, quantity| Pair::of(&nodes[i], quantity, &outputs[i], &ties[i]);
    let pairs: Vec<Option<Pair>> = (QUANTITIES.iter())
        .flat_map(|&quantity| (0..nodes.len()).map(move |i| (i, quantity)))
        .map(|(i, quantity)| pair(i, quantity))
        .collect();
    if pairs.iter().all(Option::is_none) {
        return nothing();
    }
    let ways =
        QUANTITIES.map(|quantity| ways_out(nodes, runs, &outputs, (column, quantity), fresh).1);
    let ways: Vec<Vec<ExitRun>> = ways.into_iter().flatten().collect();
    if ways.iter().map(Vec::len).sum::<usize>() > 2 * EXIT_LIMIT {
        return nothing();
    }
    let mut search = Search {
        ways,
        ties,
        pairs,
        least_each: most_of_callees(runs, column),
    };
    let found = search.solve();
    // A bound over all solutions also holds to the first.
    let (all, first) = found.split_at(nodes.len());
    (all.iter().zip(first))
        .map(|(all, first)| all.or(*first))
        .collect()
}

/// Returns the greatest cost of each unit of a callee outside the component.
fn most_of_callees(runs: &[Rc<[RegionRuns]>], column: &CostColumn) -> i64 {
    let mut most = 0;
    let worlds = (runs.iter().flat_map(|runs| runs.iter())).flat_map(|region| &region.worlds);
    for run in worlds.flat_map(|world| &world.clauses) {
        for_each_step(&run.tree, &mut |step| {
            if let Step::Call(call) = step
                && let Some(consumption) = call.consumption()
            {
                let rate = match column {
                    CostColumn::Work => consumption.work,
                    _ => Some(consumption.steps),
                };
                most = most.max(rate.map_or(0, |rate| rate.each));
            }
        });
    }
    most
}

/// The quantities of costs: those of all nodes over all solutions come first, then those to the first solution.
const QUANTITIES: [Quantity; 2] = [Quantity::All, Quantity::First];

/// An input and an output of a node, and the difference of their sizes, which the node consumes.
struct Pair {
    input: usize,
    output: usize,
    quantity: Quantity,
    cost: Var,
    consumed: Expr,
}

impl Pair {
    /// Returns the last output that is never larger than an input of the same metric. A grammar's last argument is what it leaves.
    fn of(node: &Node, quantity: Quantity, outputs: &[usize], tie: &Region) -> Option<Self> {
        let charged = node.charged.as_ref()?;
        let cost = match quantity {
            Quantity::First => charged.first,
            _ => charged.cost,
        };
        (outputs.iter().rev()).find_map(|&output| {
            let metric = node.success.as_ref()?.get(output)?.metric()?;
            let left = Expr::var(*node.output_vars.get(output)?);
            let inputs = (node.params.iter().enumerate().rev())
                .filter(|(_, p)| p.slot.metric == metric && p.slot.is_plain());
            inputs.into_iter().find_map(|(input, param)| {
                let size = Expr::var(param.var);
                let fits = Constraint::le(&left, &size)?;
                tie.implies(&fits).then(|| Pair {
                    input,
                    output,
                    quantity,
                    cost,
                    consumed: &size - &left,
                })
            })
        })
    }

    fn bound(&self, each: i64, once: i64) -> Expr {
        Rate { each, once }.bound(&self.consumed)
    }
}

/// The end of an attempt.
enum Attempt {
    /// The bounds hold on all paths.
    Holds(i64, Vec<i64>),
    /// No bound was found for this node.
    Fails(usize),
}

struct Search<'a> {
    ways: Vec<Vec<ExitRun>>,
    ties: &'a [Region],
    pairs: Vec<Option<Pair>>,
    least_each: i64,
}

impl Search<'_> {
    fn solve(&mut self) -> Vec<Option<Consumption>> {
        loop {
            match self.attempt() {
                Attempt::Holds(each, once) => {
                    return (self.pairs.iter().zip(once))
                        .map(|(pair, once)| {
                            pair.as_ref().map(|pair| Consumption {
                                input: pair.input,
                                output: pair.output,
                                steps: Rate { each, once },
                                work: None,
                                first_only: pair.quantity == Quantity::First,
                            })
                        })
                        .collect();
                }
                Attempt::Fails(node) => {
                    self.pairs[node] = None;
                    if self.pairs.iter().all(Option::is_none) {
                        return self.pairs.iter().map(|_| None).collect();
                    }
                }
            }
        }
    }

    fn attempt(&self) -> Attempt {
        let mut each = self.least_each;
        let mut once = vec![0; self.pairs.len()];
        let mut raised = 0;
        for _ in 0..ROUND_LIMIT * self.pairs.len() {
            let mut changed = false;
            for (i, pair) in self.pairs.iter().enumerate() {
                let Some(pair) = pair else { continue };
                for way in &self.ways[i] {
                    let Some(known) = self.known(way, each, &once) else {
                        return Attempt::Fails(i);
                    };
                    let excess = &Expr::var(pair.cost) - &pair.bound(each, once[i]);
                    if Constraint::le(&excess, &Expr::zero()).is_some_and(|c| known.implies(&c)) {
                        continue;
                    }
                    changed = true;
                    let most = known.bounds(&excess).1;
                    let least = known.bounds(&pair.consumed).0;
                    let least = least.filter(|least| least.is_positive());
                    let raise = match (most, least) {
                        (Some(most), Some(least)) => (&most / &least).ceil().to_integer().to_i64(),
                        (Some(most), None) => most.ceil().to_integer().to_i64(),
                        (None, _) if raised < MOST_RAISED => {
                            raised += 1;
                            each += 1;
                            continue;
                        }
                        (None, _) => None,
                    };
                    let Some(raise) = raise else {
                        return Attempt::Fails(i);
                    };
                    match known.bounds(&pair.consumed).0 {
                        Some(least) if least.is_positive() => each += raise,
                        _ => once[i] += raise,
                    }
                    if each > MOST_STEPS || once[i] > MOST_STEPS {
                        return Attempt::Fails(i);
                    }
                }
            }
            if !changed {
                return Attempt::Holds(each, once);
            }
        }
        // It is not known which number keeps rising.
        let first = self.pairs.iter().position(Option::is_some);
        Attempt::Fails(first.unwrap_or_default())
    }

    /// Returns what is known on a path, if the bounds hold for the calls on it.
    fn known(&self, way: &ExitRun, each: i64, once: &[i64]) -> Option<Region> {
        let mut known = way.constraints.clone();
        for (callee, by) in &way.calls {
            let mut own = self.ties[*callee].clone();
            for at in [*callee, self.ties.len() + *callee] {
                let Some(pair) = &self.pairs[at] else {
                    continue;
                };
                let bound = pair.bound(each, once[at]);
                own = own.and(Constraint::le(&Expr::var(pair.cost), &bound)?);
            }
            known = known.and_all(&own.substitute(by)?);
        }
        Some(known)
    }
}
