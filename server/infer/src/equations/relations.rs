//! Relations between the argument sizes of a predicate on success.
//!
//! `part([E|R], C, [E|L1], L2) :- E < C, part(R, C, L1, L2).` and its other clauses imply `l1 + l2 = n`, which no single clause shows.
//! *Equalities* come from a fixpoint over affine hulls (Karr 1976) that starts with "no call succeeds". They are computed separately for
//! each region of the input sizes, so that the result of `m91/2` is 91 up to 101 and n - 10 above. *Inequalities* between two outputs
//! (`split/3`: the halves differ in length by at most one), and between an output and an argument (`digits//1` leaves a shorter text), come
//! from templates: the greatest inductive subset is kept. Both kinds hold for every success by induction on the length of its derivation.

pub(crate) mod consumption;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Monomial, Relation, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};
use num_traits::{One, Signed};

use super::charges;
use super::quantity::{CostColumn, Quantity, symbolic_calls};
use crate::lattice::size::Size;
use crate::lattice::types::Metric;
use crate::summary::node::Node;
use crate::summary::pieces::Pieces;
use crate::summary::relation::Relation as Tie;
use crate::tree::locals::Locals;
use crate::tree::runs::RegionRuns;
use crate::tree::{CallStep, Callee, Exit};
use crate::world::World;

/// The maximum number of regions per predicate that are kept separate.
const REGION_LIMIT: usize = 8;

/// The maximum number of combinations in which the calls before an exit may have succeeded.
const CASE_LIMIT: usize = 24;

/// The maximum number of rounds; each round increases the dimension of at least one hull.
const ROUND_LIMIT: usize = 60;

/// The maximum number of exits in a component.
const EXIT_LIMIT: usize = 200;

/// The maximum number of templates per predicate.
const TEMPLATE_LIMIT: usize = 40;

/// The steps over all solutions.
const STEPS: (&CostColumn, Quantity) = (&CostColumn::Steps, Quantity::All);

/// The relations of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundRelation {
    /// For each region, the equalities over sizes at the call and output variables; `None` if no call succeeds.
    equalities: Vec<(Region, Option<Region>)>,
    /// The tie that callers use.
    pub(crate) tie: Tie,
    /// For each output, an upper bound: a size at the call, possibly minus one.
    most: BTreeMap<usize, Expr>,
}

/// A path to an exit of a clause.
struct ExitRun {
    region: usize,
    /// The constraints over the node's sizes, its output variables, and variables for intermediate sizes.
    constraints: Region,
    /// The calls within the component: each with its node, and the node's variables in terms of this run.
    calls: Vec<(usize, BTreeMap<Var, Expr>)>,
}

/// Infers the relations of all nodes. `sized` contains the outputs (node, argument, metric) that have a size; `unbounded` returns whether
/// an output has no known upper bound.
pub(crate) fn infer(
    nodes: &[Node],
    runs: &[Rc<[RegionRuns]>],
    sized: &[(usize, usize, Metric)],
    unbounded: &dyn Fn(usize, usize) -> bool,
    fresh: &dyn Fn() -> Var,
) -> Vec<FoundRelation> {
    let outputs = outputs_of(nodes, sized);
    let nothing = || vec![FoundRelation::default(); nodes.len()];
    let (regions, ways) = ways_out(nodes, runs, &outputs, STEPS, fresh);
    if ways.iter().map(Vec::len).sum::<usize>() > EXIT_LIMIT {
        return nothing();
    }
    let mut solver = Fixpoint {
        vars: nodes
            .iter()
            .zip(&outputs)
            .map(|(node, outputs)| {
                let mut vars = node.vars();
                vars.extend(outputs.iter().map(|&o| node.output_var(o)));
                vars.extend(node.charged.as_ref().map(|c| c.cost));
                vars
            })
            .collect(),
        states: regions.iter().map(|r| vec![None; r.len()]).collect(),
        regions,
        ways,
    };
    if !solver.equalities() {
        return nothing();
    }
    let mut ties: Vec<Region> = (0..nodes.len()).map(|i| solver.joined(i)).collect();
    let of_calls: Vec<Vec<OutputLimit>> = (nodes.iter().enumerate())
        .map(|(i, node)| limits(node, &outputs[i], &|o| unbounded(i, o)))
        .collect();
    let templates: Vec<Vec<Constraint>> = (nodes.iter().zip(&outputs).zip(&of_calls))
        .map(|((node, outputs), limits)| {
            let own = limits.iter().map(|limit| limit.template.clone());
            templates(node, outputs).into_iter().chain(own).collect()
        })
        .collect();
    let kept = solver.inductive(&ties, templates);
    for (tie, (kept, limits)) in ties.iter_mut().zip(kept.iter().zip(&of_calls)) {
        for c in kept {
            if !limits.iter().any(|limit| limit.template == *c) {
                *tie = tie.and(c.clone());
            }
        }
    }
    (nodes.iter().enumerate().zip(ties))
        .map(|((i, node), tie)| {
            let holding = of_calls[i]
                .iter()
                .rev()
                .filter(|l| kept[i].contains(&l.template));
            FoundRelation {
                most: holding.map(|l| (l.output, l.most.clone())).collect(),
                ..solver.relation(i, node, &outputs[i], tie)
            }
        })
        .collect()
}

/// Returns, for each node, the outputs that have variables: sizes, indexed by argument, and then weights, indexed from the arity upwards.
fn outputs_of(nodes: &[Node], sized: &[(usize, usize, Metric)]) -> Vec<Vec<usize>> {
    (nodes.iter().enumerate())
        .map(|(i, node)| {
            let sizes = sized.iter().filter(|s| s.0 == i).map(|s| s.1);
            let weights = node.charged.iter().flat_map(|c| c.weights.keys());
            let arity = node.pattern.0.len();
            sizes.chain(weights.map(|a| arity + a)).collect()
        })
        .collect()
}

/// Returns the regions of each node, merged if there are many, and the paths to the exits of its clauses.
fn ways_out(
    nodes: &[Node],
    runs: &[Rc<[RegionRuns]>],
    outputs: &[Vec<usize>],
    costs: (&CostColumn, Quantity),
    fresh: &dyn Fn() -> Var,
) -> (Vec<Vec<Region>>, Vec<Vec<ExitRun>>) {
    let (mut regions, mut ways) = (Vec::new(), Vec::new());
    for (i, node) in nodes.iter().enumerate() {
        let apart = runs[i].len() <= REGION_LIMIT;
        regions.push(if apart {
            runs[i].iter().map(|r| r.region.clone()).collect()
        } else {
            vec![node.domain.clone()]
        });
        let builder = WayBuilder {
            nodes,
            outputs,
            node: i,
            costs,
            fresh,
        };
        let mut found = Vec::new();
        for (r, region) in runs[i].iter().enumerate() {
            let at = if apart { r } else { 0 };
            for world in &region.worlds {
                let locals = match node.charged {
                    Some(_) => Locals::collect(&world.clauses),
                    None => Locals::default(),
                };
                for run in &world.clauses {
                    let mut calls = BTreeMap::new();
                    symbolic_calls(&run.tree, &mut calls);
                    for exit in run.tree.exits() {
                        let charged = (node.charged.as_ref())
                            .and_then(|_| charges::path(&world.clauses, exit, costs.1));
                        found.push(builder.way(at, &world.world, exit, &calls, charged, &locals));
                    }
                }
            }
        }
        ways.push(found);
    }
    (regions, ways)
}

struct WayBuilder<'a> {
    nodes: &'a [Node],
    outputs: &'a [Vec<usize>],
    node: usize,
    /// The column of the costs, and their quantity.
    costs: (&'a CostColumn, Quantity),
    fresh: &'a dyn Fn() -> Var,
}

impl WayBuilder<'_> {
    fn way(
        &self,
        at: usize,
        world: &World,
        exit: &Exit,
        symbolic: &BTreeMap<Var, (&CallStep, usize)>,
        path: Option<charges::Path<'_>>,
        locals: &Locals,
    ) -> ExitRun {
        let node = &self.nodes[self.node];
        let mut way = ExitRun {
            region: at,
            constraints: world.region().and_all(&exit.state.facts),
            calls: Vec::new(),
        };
        for &o in &self.outputs[self.node] {
            if let Some(argument) = o.checked_sub(node.pattern.0.len()) {
                if let Some(datum) = exit.arguments.get(argument) {
                    let known = way.size(&datum.weighed(), node.output_var(o));
                    way.constraints = way.constraints.and_all(&known);
                    way.at_least(node.output_var(o), Some(0));
                }
                continue;
            }
            let Some(datum) = exit.arguments.get(o) else {
                continue;
            };
            let Some(metric) = node.success.as_ref().and_then(|s| s[o].metric()) else {
                continue;
            };
            let known = way.size(&datum.measured(metric), node.output_vars[o]);
            way.constraints = way.constraints.and_all(&known);
            way.at_least(node.output_vars[o], node.least(o));
        }
        // Calls whose output sizes occur, and calls whose output sizes occur in their arguments.
        let mut done: Vec<Var> = Vec::new();
        if let (Some(charged), Some(path)) = (&node.charged, path) {
            let cost = match self.costs.1 {
                Quantity::First => charged.first,
                _ => charged.cost,
            };
            self.charge(&mut way, cost, &path, (world, locals), &mut done);
        }
        loop {
            let open = way
                .constraints
                .variables()
                .into_iter()
                .chain(
                    way.calls
                        .iter()
                        .flat_map(|(_, by)| by.values().flat_map(Expr::variables)),
                )
                .find(|v| symbolic.contains_key(v) && !done.contains(v));
            let Some(v) = open else { break };
            let (call, _) = symbolic[&v];
            done.extend(call.outputs.iter().map(|&(_, w)| w));
            if !done.contains(&v) {
                done.push(v);
            }
            self.call(&mut way, call);
        }
        way
    }

    /// Adds the cost of the clause along the path to its exit, insofar as it is linear.
    fn charge(
        &self,
        way: &mut ExitRun,
        cost: Var,
        path: &charges::Path<'_>,
        (world, locals): (&World, &Locals),
        done: &mut Vec<Var>,
    ) {
        if path.is_later {
            way.constraints = Region::nothing();
            return;
        }
        let (column, _) = self.costs;
        let is_work = *column == CostColumn::Work;
        let beside = if is_work { path.built_ins } else { 0 };
        let mut total = Some(Expr::int(path.entries.saturating_add(beside)));
        for work in path.works.iter().filter(|_| is_work) {
            let own = work.upper.as_ref().filter(|e| e.is_linear());
            total = total.zip(own).map(|(a, b)| &a + b);
        }
        for &(call, quantity) in &path.calls {
            let own = match &call.callee {
                Callee::Inside(_) => {
                    done.extend(call.outputs.iter().map(|&(_, w)| w));
                    self.call(way, call).map(|(all, first)| match quantity {
                        Quantity::First => Expr::var(first),
                        _ => Expr::var(all),
                    })
                }
                Callee::Outside(_) => {
                    match call.charged(quantity).and_then(|c| column.of_charge(c)) {
                        Some(charge) => Some(charge.clone()),
                        None => charges::solved_cost(call, (column, quantity), world, &call.facts),
                    }
                }
            };
            total = total.zip(own).map(|(a, b)| &a + &b);
        }
        for call in &path.others {
            // It may fail.
            let facts = locals.known_of(&call.args);
            let own = charges::solved_cost(call, (column, Quantity::All), world, &facts);
            total = total.zip(own).map(|(a, b)| &a + &b);
        }
        way.at_least(cost, Some(0));
        if let Some(total) = total {
            let known = way.size(&Size::exact(total), cost);
            way.constraints = way.constraints.and_all(&known);
        }
    }

    /// Adds a call within the component. Returns the variables for its cost over all solutions, and to the first.
    fn call(&self, way: &mut ExitRun, call: &CallStep) -> Option<(Var, Var)> {
        let Callee::Inside(callee) = call.callee else {
            return None;
        };
        let node = &self.nodes[callee];
        let mut by = BTreeMap::new();
        for (param, size) in node.params.iter().zip(&call.args) {
            let value = match size.as_exact() {
                Some(e) if e.is_linear() => e.clone(),
                _ => {
                    let v = (self.fresh)();
                    let known = way.size(size, v);
                    way.constraints = way.constraints.and_all(&known);
                    way.at_least(v, param.slot.metric.least());
                    Expr::var(v)
                }
            };
            by.insert(param.var, value);
        }
        for &o in &self.outputs[callee] {
            let v = call
                .outputs
                .iter()
                .find(|(argument, _)| *argument == o)
                .map_or_else(self.fresh, |&(_, v)| v);
            way.at_least(v, node.least_output(o));
            by.insert(node.output_var(o), Expr::var(v));
        }
        let cost = node.charged.as_ref().map(|charged| {
            let (all, first) = ((self.fresh)(), (self.fresh)());
            by.insert(charged.cost, Expr::var(all));
            by.insert(charged.first, Expr::var(first));
            (all, first)
        });
        way.calls.push((callee, by));
        cost
    }
}

impl ExitRun {
    /// Returns the constraints that a size imposes on the variable that represents it.
    fn size(&self, size: &Size, v: Var) -> Region {
        if let Some(e) = size.as_exact() {
            return Constraint::eq(&Expr::var(v), e).into_iter().collect();
        }
        size.constraints_on(v).into_iter().collect()
    }

    fn at_least(&mut self, v: Var, least: Option<i64>) {
        if let Some(least) = least
            && let Some(c) = Constraint::ge(&Expr::var(v), &Expr::int(least))
        {
            self.constraints = self.constraints.and(c);
        }
    }
}

struct Fixpoint {
    /// The variables for sizes at the call and for outputs, by node.
    vars: Vec<Vec<Var>>,
    regions: Vec<Vec<Region>>,
    states: Vec<Vec<Option<Region>>>,
    ways: Vec<Vec<ExitRun>>,
}

impl Fixpoint {
    /// Returns the relations inferred for a node.
    fn relation(&self, i: usize, node: &Node, outputs: &[usize], tie: Region) -> FoundRelation {
        FoundRelation {
            equalities: self.regions[i]
                .iter()
                .cloned()
                .zip(self.states[i].iter().cloned())
                .collect(),
            tie: Tie {
                outputs: (outputs.iter())
                    .filter(|&&o| o < node.pattern.0.len())
                    .map(|&o| (o, node.output_vars[o]))
                    .collect(),
                weights: (node.charged.iter())
                    .flat_map(|c| c.weights.clone())
                    .collect(),
                cost: node.charged.as_ref().map(|c| c.cost),
                distinct: BTreeSet::new(),
                constraints: tie,
                consumption: None,
            },
            most: BTreeMap::new(),
        }
    }

    /// Computes the equalities. Returns whether the iteration reached a fixpoint.
    fn equalities(&mut self) -> bool {
        for _ in 0..ROUND_LIMIT {
            let mut changed = false;
            for i in 0..self.ways.len() {
                for w in 0..self.ways[i].len() {
                    let at = self.ways[i][w].region;
                    let trivial =
                        |s: &Option<Region>| s.as_ref().is_some_and(|e| e.constraints().is_empty());
                    if trivial(&self.states[i][at]) {
                        continue;
                    }
                    for case in self.cases(&self.ways[i][w]) {
                        let found = equalities_over(&case, &self.vars[i]);
                        let joined = match &self.states[i][at] {
                            None => found,
                            Some(old) => old.common_equalities(&found, &self.vars[i]),
                        };
                        if self.states[i][at].as_ref() != Some(&joined) {
                            self.states[i][at] = Some(joined);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// Returns the combinations in which the calls may have succeeded, given the equalities so far.
    fn cases(&self, way: &ExitRun) -> Vec<Region> {
        let mut cases = vec![way.constraints.clone()];
        for (callee, by) in &way.calls {
            let apart: usize = self.states[*callee].iter().flatten().count();
            let mut next = Vec::new();
            if apart * cases.len() > CASE_LIMIT {
                let Some(joined) = self.joined(*callee).substitute(by) else {
                    return vec![Region::default()];
                };
                next.extend(cases.iter().map(|c| c.and_all(&joined)));
            } else {
                for (region, state) in self.regions[*callee].iter().zip(&self.states[*callee]) {
                    let Some(state) = state else { continue };
                    let Some(known) = region.and_all(state).substitute(by) else {
                        return vec![Region::default()];
                    };
                    next.extend(cases.iter().map(|c| c.and_all(&known)));
                }
            }
            next.retain(|c| !c.is_empty());
            cases = next;
        }
        cases
    }

    /// Joins the relations over all regions of a node.
    fn joined(&self, i: usize) -> Region {
        self.regions[i]
            .iter()
            .zip(&self.states[i])
            .filter_map(|(region, state)| Some(region.and_all(state.as_ref()?)))
            .reduce(|a, b| {
                a.equalities()
                    .common_equalities(&b.equalities(), &self.vars[i])
            })
            .map(|r| equalities_over(&r, &self.vars[i]))
            .unwrap_or_default()
    }

    /// Returns the greatest inductive set of templates: if its templates hold for every call, they hold on every path.
    fn inductive(
        &self,
        ties: &[Region],
        mut templates: Vec<Vec<Constraint>>,
    ) -> Vec<Vec<Constraint>> {
        loop {
            let mut changed = false;
            for (i, ways) in self.ways.iter().enumerate() {
                for way in ways {
                    if templates[i].is_empty() {
                        break;
                    }
                    let mut known = way.constraints.clone();
                    for (callee, by) in &way.calls {
                        let assumed = templates[*callee]
                            .iter()
                            .fold(ties[*callee].clone(), |r, c| r.and(c.clone()));
                        match assumed.substitute(by) {
                            Some(assumed) => known = known.and_all(&assumed),
                            None => return vec![Vec::new(); templates.len()],
                        }
                    }
                    let before = templates[i].len();
                    templates[i].retain(|c| known.implies(c));
                    changed |= templates[i].len() != before;
                }
            }
            if !changed {
                return templates;
            }
        }
    }
}

/// Returns the equalities over some variables that a region implies, as determined by elimination.
fn equalities_over(region: &Region, vars: &[Var]) -> Region {
    let others: Vec<Var> = region
        .variables()
        .into_iter()
        .filter(|v| !vars.contains(v))
        .collect();
    match region.project_out(&others) {
        Some(shadow) => shadow.simplified().equalities(),
        None => Region::default(),
    }
}

/// Returns candidate inequalities between two outputs.
fn templates(node: &Node, outputs: &[usize]) -> Vec<Constraint> {
    let vars: Vec<Var> = outputs
        .iter()
        .filter(|&&o| o < node.pattern.0.len() && node.least(o).is_some())
        .map(|&o| node.output_vars[o])
        .collect();
    let mut found = Vec::new();
    for &v in &vars {
        for &w in vars.iter().filter(|&&w| w != v) {
            for shift in [0, 1] {
                let right = &Expr::var(w) + &Expr::int(shift);
                found.extend(Constraint::le(&Expr::var(v), &right));
            }
        }
    }
    found.truncate(TEMPLATE_LIMIT);
    found
}

/// A candidate upper bound on an output: a size at the call, possibly minus one.
struct OutputLimit {
    output: usize,
    most: Expr,
    template: Constraint,
}

/// Returns candidate limits, the best first. For example, the text that a grammar leaves is no longer than its input.
fn limits(node: &Node, outputs: &[usize], unbounded: &dyn Fn(usize) -> bool) -> Vec<OutputLimit> {
    let mut found = Vec::new();
    for shift in [-1, 0] {
        for &output in outputs
            .iter()
            .filter(|&&o| o < node.pattern.0.len() && unbounded(o))
        {
            let metric = node.success.as_ref().and_then(|s| s[output].metric());
            let own = node
                .params
                .iter()
                .filter(|p| Some(p.slot.metric) == metric && p.slot.is_plain());
            for param in own {
                let most = &Expr::var(param.var) + &Expr::int(shift);
                let template = Constraint::le(&Expr::var(node.output_vars[output]), &most);
                found.extend(template.map(|template| OutputLimit {
                    output,
                    most,
                    template,
                }));
            }
        }
    }
    found.truncate(TEMPLATE_LIMIT);
    found
}

impl FoundRelation {
    /// Returns an upper bound on an output in terms of the sizes at the call, if a template provides one.
    pub(crate) fn at_most(&self, output: usize) -> Option<Pieces> {
        let most = self.most.get(&output)?.clone();
        Some(vec![SolvedPiece {
            region: Region::default(),
            value: Value::Known(most),
        }])
    }

    /// Returns the size of an output in terms of the sizes at the call, if the equalities determine it. For regions where they do not, the
    /// result contains the pieces of `otherwise`.
    pub(crate) fn exact(&self, output: usize, otherwise: &Pieces) -> Option<Pieces> {
        let v = *self.tie.outputs.get(&output)?;
        let others: Vec<Var> = self
            .tie
            .outputs
            .values()
            .copied()
            .filter(|&w| w != v)
            .collect();
        let mut values: Vec<(Region, Option<Expr>)> = Vec::new();
        for (region, state) in &self.equalities {
            let Some(state) = state else {
                continue; // no success, so every size is correct
            };
            values.push((region.clone(), determined(state, v, &others)));
        }
        let known: Vec<&Expr> = values.iter().filter_map(|(_, e)| e.as_ref()).collect();
        let first = *known.first()?;
        if known.len() == values.len() && known.iter().all(|e| *e == first) {
            return Some(vec![SolvedPiece {
                region: Region::default(),
                value: Value::Known(first.clone()),
            }]);
        }
        let mut pieces: Pieces = Vec::new();
        for (region, value) in values {
            match value {
                Some(e) => pieces.push(SolvedPiece {
                    region,
                    value: Value::Known(e),
                }),
                None => {
                    // Callers that know a size only as a range must see that it is unknown in the uncovered part.
                    let mut left = vec![region.clone()];
                    for p in otherwise {
                        let inside = region.and_all(&p.region);
                        if inside.is_empty() {
                            continue;
                        }
                        left = left.iter().flat_map(|r| r.difference(&p.region)).collect();
                        pieces.push(SolvedPiece {
                            region: inside,
                            value: p.value.clone(),
                        });
                    }
                    pieces.extend(left.into_iter().map(|region| SolvedPiece {
                        region,
                        value: Value::Unknown(Why::Callee),
                    }));
                }
            }
        }
        Some(pieces)
    }
}

/// Returns `v` as an integer expression over the other variables except `others`.
fn determined(equalities: &Region, v: Var, others: &[Var]) -> Option<Expr> {
    let alone = equalities.project_out(others)?;
    alone.equalities().constraints().iter().find_map(|c| {
        let mut m = Monomial::one();
        m.powers.insert(v, 1);
        let a = c.expr().coefficient(&m);
        debug_assert!(c.relation() == Relation::Zero);
        (a.abs().is_one()).then(|| (&Expr::var(v).scale(&a) - &c.expr()).scale(&a))
    })
}
