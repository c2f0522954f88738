//! Outputs whose sizes differ between any two solutions of a call.
//!
//! ```prolog
//! append([], L, L).
//! append([X|A], B, [X|C]) :- append(A, B, C).    % append(P, R, L) with a known L: P is longer in each solution
//! ```
//!
//! Every clause has one size, or sizes that differ between the solutions of a call in its body, and the sizes of different clauses differ.
//! The proof is by induction on the height of a solution's derivation: if the sizes of any two solutions with derivations of height h
//! differ, so do those with height h+1. Consider the greatest set of outputs that have this property whenever the outputs of the calls in
//! the set have it. By the induction, these outputs have it unconditionally.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::Value;

use super::Component;
use crate::lattice::size::Size;
use crate::summary::node::{Node, Output};
use crate::summary::pieces::at_most_one;
use crate::tree::{CallStep, Callee, End, Exit, Step, Tree};

/// The maximum number of predicates inspected per component, and of paths to the exits of a predicate's clauses.
const NODE_LIMIT: usize = 8;
const WAY_LIMIT: usize = 12;

/// The maximum number of combinations of the calls' pieces.
const CASE_LIMIT: usize = 16;

/// An output: the node and the argument index.
type OutputPlace = (usize, usize);

/// A path to an exit of a clause.
struct ExitPath {
    /// The regions in which the path is possible, as alternatives, over the sizes of the node and of its calls.
    cases: Vec<Region>,
    /// The exactly known sizes, by argument.
    sizes: BTreeMap<usize, Expr>,
    many: Many,
}

/// The calls on a path that may have several solutions.
enum Many {
    None,
    /// One call. Maps each variable of its sizes to the corresponding output of the component, or to `None` if the sizes are already known
    /// to differ.
    One(BTreeMap<Var, Option<OutputPlace>>),
    Several,
}

impl Component<'_> {
    /// Infers the outputs whose sizes differ between any two solutions, for calls with several solutions.
    pub(super) fn distinct_outputs(&mut self) {
        let open = |node: &Node| node.solutions.as_ref().is_some_and(|s| !at_most_one(s));
        if self.nodes.len() > NODE_LIMIT || !self.nodes.iter().any(open) {
            return;
        }
        let known: Vec<Vec<Output>> = self.nodes.iter().map(|n| n.outputs.clone()).collect();
        let sized = self.open_outputs();
        let candidates = sized.iter().filter(|&&(node, ..)| open(&self.nodes[node]));
        let mut held: BTreeSet<OutputPlace> = candidates.map(|&(n, a, _)| (n, a)).collect();
        // Worlds are treated separately, since a call lies in exactly one.
        let worlds: Vec<Vec<Option<Vec<ExitPath>>>> = (0..self.nodes.len())
            .map(|i| {
                if !held.iter().any(|&(node, _)| node == i) {
                    return Vec::new();
                }
                let runs = self.explore(i).0;
                let worlds = runs.iter().flat_map(|r| &r.worlds);
                let ways = worlds.map(|w| {
                    let trees = w.clauses.iter().map(|c| &*c.tree);
                    self.ways(i, w.world.region(), trees, &known)
                });
                ways.collect()
            })
            .collect();
        loop {
            let before = held.len();
            for place in held.clone() {
                let differ = |ways: &Option<Vec<ExitPath>>| {
                    (ways.as_ref()).is_some_and(|ways| self.differ(place, ways, &held))
                };
                if !worlds[place.0].iter().all(differ) {
                    held.remove(&place);
                }
            }
            if held.len() == before {
                break;
            }
        }
        for (node, outputs) in self.nodes.iter_mut().zip(known) {
            node.outputs = outputs;
        }
        for (node, argument) in held {
            self.nodes[node].relation.distinct.insert(argument);
        }
    }

    /// Returns the paths to exits of clauses, or `None` if there are too many.
    fn ways<'t>(
        &self,
        node: usize,
        region: &Region,
        trees: impl Iterator<Item = &'t Tree>,
        known: &[Vec<Output>],
    ) -> Option<Vec<ExitPath>> {
        let mut ways = Vec::new();
        let mut open: Vec<(&Tree, Vec<&Step>)> = trees.map(|t| (t, Vec::new())).collect();
        while let Some((tree, mut steps)) = open.pop() {
            if ways.len() + open.len() > WAY_LIMIT {
                return None;
            }
            steps.extend(&tree.steps);
            match &tree.end {
                End::Success(exit) => ways.push(self.way(node, region, &steps, exit, known)),
                End::Fail => {}
                End::Either(parts) | End::Each(parts) => {
                    open.extend(parts.iter().map(|part| (part, steps.clone())));
                }
            }
        }
        Some(ways)
    }

    fn way(
        &self,
        node: usize,
        region: &Region,
        steps: &[&Step],
        exit: &Exit,
        known: &[Vec<Output>],
    ) -> ExitPath {
        let mut cases = vec![region.and_all(&exit.state.facts)];
        let mut many = Many::None;
        for step in steps {
            if let Step::Call(call) = step {
                cases = self.given(call, cases, known);
            }
            if has_one_solution(step, region) {
                continue;
            }
            many = match (many, step) {
                (Many::None, Step::Call(call)) => Many::One(varied(call)),
                _ => Many::Several,
            };
        }
        let success = self.nodes[node].success.as_deref().unwrap_or_default();
        let measured = exit.arguments.iter().zip(success).enumerate();
        let sizes = measured.filter_map(|(argument, (datum, ty))| {
            let size = datum.measured(ty.metric()?);
            Some((argument, size.as_exact().filter(|e| e.is_linear())?.clone()))
        });
        ExitPath {
            sizes: sizes.collect(),
            cases,
            many,
        }
    }

    /// Adds the facts about the sizes of a call within the component.
    fn given(&self, call: &CallStep, cases: Vec<Region>, known: &[Vec<Output>]) -> Vec<Region> {
        let Callee::Inside(callee) = call.callee else {
            return cases;
        };
        let node = &self.nodes[callee];
        let exact: Option<Vec<Expr>> = (call.args.iter())
            .map(|size| size.as_exact().filter(|e| e.is_linear()).cloned())
            .collect();
        let Some(args) = exact else { return cases };
        let mut by: BTreeMap<Var, Expr> = node.vars().into_iter().zip(args).collect();
        // The call has at least one solution.
        let solutions = node.solutions.iter().flat_map(|s| &s.upper);
        let solved: Vec<(Region, Constraint)> = solutions
            .filter_map(|p| {
                let Value::Known(count) = &p.value else {
                    return None;
                };
                let some = Constraint::ge(&count.substitute(&by)?, &Expr::int(1))?;
                Some((p.region.substitute(&by)?, some))
            })
            .collect();
        let mut all = cases;
        for &(argument, v) in &call.outputs {
            by.insert(node.output_var(argument), Expr::var(v));
            let least = node.least_output(argument);
            let least = least.and_then(|n| Constraint::ge(&Expr::var(v), &Expr::int(n)));
            all = all
                .into_iter()
                .map(|case| restricted(case, least.clone()))
                .collect();
        }
        if let Some(tie) = node.relation.constraints.substitute(&by) {
            let own: BTreeSet<Var> = (node.output_vars.iter().copied())
                .filter(|v| !by.contains_key(v))
                .collect();
            let about = |c: &&Constraint| !c.variables().any(|v| own.contains(&v));
            let tie: Region = tie.constraints().iter().filter(about).cloned().collect();
            all = all.into_iter().map(|case| case.and_all(&tie)).collect();
        }
        for &(argument, v) in &call.outputs {
            let Some(Output::Solved(sides)) = known[callee].get(argument) else {
                continue;
            };
            let mut pieces = Vec::new();
            for piece in &sides.upper {
                let Some(inside) = piece.region.substitute(&by) else {
                    return all;
                };
                let bound = match &piece.value {
                    Value::Known(e) => e.substitute(&by).map(|upper| Size {
                        upper: Some(upper),
                        lower: None,
                    }),
                    _ => None,
                };
                let bound = bound.map(|size| size.constraints_on(v)).unwrap_or_default();
                pieces.push(bound.into_iter().fold(inside, |r, c| r.and(c)));
            }
            if all.len() * pieces.len() > CASE_LIMIT {
                return all;
            }
            let both = |case: &Region| {
                let with = |piece| case.and_all(piece);
                pieces
                    .iter()
                    .map(with)
                    .filter(|r| !r.is_empty())
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(both).collect();
        }
        let succeeds = |mut case: Region| {
            for (region, some) in &solved {
                if case.implies_all(region) {
                    case = case.and(some.clone());
                }
            }
            case
        };
        all.into_iter().map(succeeds).collect()
    }

    /// Returns whether the sizes of an output differ on these paths, assuming that the sizes of the `held` outputs do.
    fn differ(
        &self,
        (node, argument): OutputPlace,
        ways: &[ExitPath],
        held: &BTreeSet<OutputPlace>,
    ) -> bool {
        let params = self.nodes[node].vars();
        let each = ways.iter().all(|way| {
            let Some(size) = way.sizes.get(&argument) else {
                return false;
            };
            let others = || size.variables().into_iter().filter(|v| !params.contains(v));
            match &way.many {
                Many::None => true,
                Many::Several => false,
                Many::One(varied) => {
                    let differs = |v: &Var| {
                        let place = varied.get(v);
                        place.is_some_and(|p| p.is_none_or(|place| held.contains(&place)))
                    };
                    others().count() == 1 && others().all(|v| differs(&v))
                }
            }
        });
        each && (0..ways.len())
            .all(|i| (0..i).all(|j| self.apart(argument, &params, &ways[i], &ways[j])))
    }

    /// Returns whether two paths never produce the same size.
    fn apart(&self, argument: usize, params: &[Var], a: &ExitPath, b: &ExitPath) -> bool {
        let (Some(size), Some(other)) = (a.sizes.get(&argument), b.sizes.get(&argument)) else {
            return false;
        };
        let mut renamed: BTreeMap<Var, Expr> = BTreeMap::new();
        let mentioned = b.cases.iter().flat_map(|case| case.variables());
        for v in mentioned.chain(other.variables()) {
            if !params.contains(&v) {
                renamed.entry(v).or_insert_with(|| Expr::var(self.fresh()));
            }
        }
        let Some(same) = (other.substitute(&renamed)).and_then(|o| Constraint::eq(size, &o)) else {
            return false;
        };
        b.cases.iter().all(|case| {
            let Some(case) = case.substitute(&renamed) else {
                return false;
            };
            let case = case.and(same.clone());
            a.cases.iter().all(|own| own.and_all(&case).is_empty())
        })
    }
}

fn restricted(region: Region, c: Option<Constraint>) -> Region {
    match c {
        Some(c) => region.and(c),
        None => region,
    }
}

/// Returns the sizes of a call with several solutions that differ between solutions.
fn varied(call: &CallStep) -> BTreeMap<Var, Option<OutputPlace>> {
    match call.callee {
        Callee::Inside(callee) => (call.outputs.iter())
            .map(|&(argument, v)| (v, Some((callee, argument))))
            .collect(),
        Callee::Outside(_) => call.distinct.iter().map(|&v| (v, None)).collect(),
    }
}

fn has_one_solution(step: &Step, region: &Region) -> bool {
    let is_one = |size: &Size| {
        let most = size.upper.as_ref().and_then(Expr::as_constant);
        most.is_some_and(|n| n <= costlens_algebra::rat(1))
    };
    match step {
        Step::Call(call) => call.solutions.as_ref().is_some_and(is_one),
        Step::Solutions(size, _) => is_one(size),
        Step::Goal(tree, _) => is_one(&tree.solutions(region)),
        Step::Unknown(_) => false,
        Step::Maybe
        | Step::Enter
        | Step::Adds(_)
        | Step::Count(_)
        | Step::Work(_)
        | Step::BuiltIn(_)
        | Step::Integers(_)
        | Step::Test(_)
        | Step::Once(..)
        | Step::Failed(_)
        | Step::AllOf(_)
        | Step::PartOf(_)
        | Step::Sizes(..)
        | Step::Tested(_) => true,
    }
}
