//! The component that joins a loop with the predicates that compute its state. Each predicate keeps the results of phases 1 to 3.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::{Expr, Var};

use super::joined::Joined;
use crate::component::Component;
use crate::equations::relations;
use crate::lattice::types::{Metric, Pattern, Type};
use crate::lattice::weight::TermWeight;
use crate::summary::Summary;
use crate::summary::node::{Called, Charged, Node, Output, Slot};
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::relation::Relation;
use crate::tree::runs::RegionRuns;

/// The fuel for one attempt, including clause runs and the solver.
const ATTEMPT_FUEL: u64 = 6_000;

/// The maximum number of nodes (a predicate with a call pattern) in one attempt.
const MOST_NODES: usize = 10;

impl<'a> Component<'a> {
    /// Returns the nodes of a component with solved costs, and the nodes reachable through their calls.
    pub(super) fn joined(
        of: &Component<'_>,
        program: &'a Joined<'a>,
        callees: &[Arc<Summary>],
        counted: Option<TermWeight>,
    ) -> Option<Self> {
        let mut component = Component::counting(program, ATTEMPT_FUEL, counted);
        for node in &of.nodes {
            component.add_node(node.calls());
            component.known_of_last(&PhaseResults::of_node(node))?;
        }
        for callee in callees {
            let (name, pattern) = (callee.predicate.clone(), callee.pattern.clone());
            component.add_node(Called::matching(name, pattern));
            component.known_of_last(&PhaseResults::of_summary(callee))?;
        }
        Some(component)
    }

    fn known_of_last(&mut self, known: &PhaseResults) -> Option<()> {
        let node = self.nodes.last_mut()?;
        known.tell(node)
    }

    /// Infers ties between the cost of successful calls and their outputs. Returns whether some tie allows amortising.
    ///
    /// Calls are charged in the clauses of the loop's own component, `of`, but not in the clauses of its callees.
    pub(super) fn charge(&mut self, of: &Component<'_>) -> Option<bool> {
        let mut sized: Vec<(usize, usize, Metric)> = Vec::new();
        let mut solved: Vec<(Vec<Output>, Relation)> = Vec::new();
        let runs: Vec<Rc<[RegionRuns]>> = loop {
            for i in solved.len()..self.nodes.len() {
                let is_loop = i < of.nodes.len();
                solved.push(self.open(i, is_loop, &mut sized));
            }
            let runs = self.runs();
            if !self.adopt_discovered() {
                break runs;
            }
            if self.nodes.len() > MOST_NODES || self.shared.fuel.get() == 0 {
                return None;
            }
            for i in solved.len()..self.nodes.len() {
                let node = self.nodes.get_mut(i)?;
                let summary = self.shared.program.summary(&node.name, &node.pattern);
                PhaseResults::of_summary(&summary).tell(node)?;
            }
        };
        self.shared.settled.set(true);
        let fresh = || self.fresh();
        let found = relations::infer(&self.nodes, &runs, &sized, &|_, _| false, &fresh);
        let mut any = false;
        for ((node, found), (outputs, relation)) in self.nodes.iter_mut().zip(found).zip(solved) {
            node.outputs = outputs;
            node.relation = relation;
            let Some(charged) = &mut node.charged else {
                continue;
            };
            charged.is_open = false;
            if !charged.is_loop && found.tie.amortises() {
                node.relation = found.tie;
                any = true;
            }
        }
        Some(any)
    }

    /// Introduces variables for all outputs of a node and for the cost of its calls. Returns the previous facts about the outputs.
    fn open(
        &mut self,
        i: usize,
        is_loop: bool,
        sized: &mut Vec<(usize, usize, Metric)>,
    ) -> (Vec<Output>, Relation) {
        let (cost, first) = (self.fresh(), self.fresh());
        let mut charged = Charged {
            cost,
            first,
            weights: BTreeMap::new(),
            is_open: true,
            is_loop,
        };
        let success: Vec<Type> = self.nodes[i].success.iter().flatten().cloned().collect();
        let known = self.nodes[i].outputs.clone();
        for (argument, ty) in success.iter().enumerate() {
            if self.nodes[i].pattern.0[argument] != Type::Free {
                continue;
            }
            if let Some(metric) = ty.metric() {
                sized.push((i, argument, metric));
                self.nodes[i].outputs[argument] = Output::Symbolic;
            }
            if (self.shared.counted.as_ref()).is_some_and(|c| c.is_in(ty)) {
                charged.weights.insert(argument, self.fresh());
            }
        }
        let node = &mut self.nodes[i];
        node.charged = Some(charged);
        (known, std::mem::take(&mut node.relation))
    }

    /// Returns the sizes of arguments that also have weights. For the loop, only the sizes of its state, `arguments`, are returned: the
    /// number of iterations depends on sizes.
    pub(super) fn measured_by_weight(&self, arguments: &BTreeSet<usize>) -> BTreeSet<Var> {
        let of = |node: &Node| {
            let is_loop = node.charged.as_ref().is_none_or(|c| c.is_loop);
            let weighed: Vec<usize> = (node.params.iter())
                .filter(|p| p.slot.weight)
                .map(|p| p.slot.argument)
                .filter(|a| !is_loop || node.name == self.nodes[0].name && arguments.contains(a))
                .collect();
            (node.params.iter())
                .filter(|p| p.slot.is_plain())
                .filter(|p| weighed.contains(&p.slot.argument))
                .map(|p| p.var)
                .collect::<Vec<Var>>()
        };
        self.nodes.iter().flat_map(of).collect()
    }
}

/// The results of phases 1 to 3 for a predicate with a call pattern, in the node's own size parameters.
struct PhaseResults {
    pattern: Pattern,
    sizes: Vec<(Slot, Var)>,
    success: Option<Vec<Type>>,
    outputs: Vec<Output>,
    elements: Vec<Output>,
    relation: Relation,
    solutions: Option<Sides>,
    errors_possible: bool,
}

impl PhaseResults {
    fn of_node(node: &Node) -> Self {
        PhaseResults {
            pattern: node.pattern.clone(),
            sizes: (node.params.iter()).map(|p| (p.slot, p.var)).collect(),
            success: node.success.clone(),
            outputs: node.outputs.clone(),
            elements: node.elements.clone(),
            relation: node.relation.clone(),
            solutions: node.solutions.clone(),
            errors_possible: node.errors_possible,
        }
    }

    fn of_summary(summary: &Summary) -> Self {
        let outputs = |i| summary.output(i);
        let elements = |i| summary.element(i);
        let arity = summary.pattern.0.len();
        PhaseResults {
            pattern: summary.pattern.clone(),
            sizes: (summary.params.iter())
                .map(|p| (Slot::from_size(p), p.var))
                .collect(),
            success: summary.success.clone(),
            outputs: (0..arity).map(outputs).collect(),
            elements: (0..arity).map(elements).collect(),
            relation: summary.relation.clone(),
            solutions: Some(summary.solutions.clone()),
            errors_possible: summary.errors_possible,
        }
    }

    /// Copies the results to a new node for the same calls. Returns `None` if the new node has different sizes.
    fn tell(&self, node: &mut Node) -> Option<()> {
        if node.pattern != self.pattern {
            return None;
        }
        let mut by: BTreeMap<Var, Expr> = BTreeMap::new();
        for (slot, var) in &self.sizes {
            let own = node.params.iter().find(|p| p.slot == *slot)?;
            by.insert(*var, Expr::var(own.var));
        }
        let pieces = |pieces: &Pieces| -> Option<Pieces> {
            let renamed = pieces.iter().map(|piece| {
                let mut piece = piece.clone();
                piece.region = piece.region.substitute(&by)?;
                if let costlens_recurrences::Value::Known(e) = &mut piece.value {
                    *e = e.substitute(&by)?;
                }
                Some(piece)
            });
            renamed.collect()
        };
        let sides = |sides: &Sides| {
            Some(Sides {
                lower: pieces(&sides.lower)?,
                upper: pieces(&sides.upper)?,
            })
        };
        let output = |output: &Output| {
            Some(match output {
                Output::Solved(found) => Output::Solved(sides(found)?),
                other => other.clone(),
            })
        };
        node.outputs = self.outputs.iter().map(output).collect::<Option<_>>()?;
        node.elements = (self.elements.iter().map(output)).collect::<Option<_>>()?;
        node.solutions = match &self.solutions {
            Some(solutions) => Some(sides(solutions)?),
            None => None,
        };
        let mut outputs = BTreeMap::new();
        let mut also = by.clone();
        for (&argument, &var) in &self.relation.outputs {
            let own = *node.output_vars.get(argument)?;
            also.insert(var, Expr::var(own));
            outputs.insert(argument, own);
        }
        node.relation = Relation {
            outputs,
            constraints: self.relation.constraints.substitute(&also)?,
            ..Relation::default()
        };
        node.success.clone_from(&self.success);
        node.errors_possible |= self.errors_possible;
        Some(())
    }
}
