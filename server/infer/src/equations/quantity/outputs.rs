//! Output sizes as alternatives of equations, with the calls whose outputs occur in them.

use std::collections::BTreeMap;

use costlens_algebra::linear::Region;
use costlens_algebra::{Atom, Expr, Var};
use costlens_recurrences::Alternative;

use super::{Alternatives, MOST_ALTERNATIVES, Quantifier};
use crate::lattice::types::Metric;
use crate::summary::node::{Node, element_place};
use crate::tree::{CallStep, Callee, ClauseRun, End, Exit, Step, Tree};

/// For each variable that represents an output size, the call and the argument index.
pub(crate) type CallsOfSizes<'a> = BTreeMap<Var, (&'a CallStep, usize)>;

impl Quantifier<'_> {
    /// Returns the sizes of an output: one alternative for each success.
    pub(crate) fn output(
        &self,
        argument: usize,
        metric: Metric,
        runs: &[ClauseRun],
        function_of_output: &dyn Fn(usize, usize) -> Option<usize>,
    ) -> Alternatives {
        let sizes = |exit: &Exit, calls: &CallsOfSizes<'_>| {
            let Some(datum) = exit.arguments.get(argument) else {
                return Vec::new();
            };
            let mut size = datum.measured(metric);
            // The lower bound on a possibly negative value must be exact, or follow from the value alone: 1 for `between(1, N, X)`.
            if metric == Metric::Int && !self.upper() {
                let known = self.world.region().and_all(&exit.state.facts);
                size = self.locals.removed(&size, &known);
            }
            let side = if self.upper() { size.upper } else { size.lower };
            vec![side.filter(|value| integers_are_linear(value, calls, self.nodes))]
        };
        self.at_exits(runs, &sizes, function_of_output)
    }

    /// Returns upper bounds on the element sizes of an output: one alternative for each success.
    pub(crate) fn elements(
        &self,
        argument: usize,
        runs: &[ClauseRun],
        function_of_element: &dyn Fn(usize, usize) -> Option<usize>,
    ) -> Alternatives {
        let sizes = |exit: &Exit, _: &CallsOfSizes<'_>| {
            let own = exit.elements.iter().find(|(i, _)| *i == argument);
            match own {
                Some((_, Some(sizes))) => sizes.iter().cloned().map(Some).collect(),
                _ => vec![None],
            }
        };
        self.at_exits(runs, &sizes, function_of_element)
    }

    /// Returns one alternative for each size at each success. An alternative has no value if a call on which it depends has none.
    fn at_exits(
        &self,
        runs: &[ClauseRun],
        sizes: &dyn Fn(&Exit, &CallsOfSizes<'_>) -> Vec<Option<Expr>>,
        function_of_output: &dyn Fn(usize, usize) -> Option<usize>,
    ) -> Alternatives {
        let mut all = Alternatives::new();
        for run in runs {
            let mut calls = CallsOfSizes::new();
            symbolic_calls(&run.tree, &mut calls);
            for exit in run.tree.exits() {
                for value in sizes(exit, &calls) {
                    let mut alternative = Alternative {
                        constraints: self.known_at_exit(value.as_ref(), exit),
                        ..Alternative::default()
                    };
                    alternative.value = value.filter(|value| {
                        self.require(value, &calls, &mut alternative, function_of_output)
                    });
                    if !all.contains(&alternative) {
                        all.push(alternative);
                    }
                }
            }
        }
        if all.len() > MOST_ALTERNATIVES {
            // No value in either direction: an integer may be negative.
            return vec![Alternative::default()];
        }
        all
    }

    /// Returns what tests before an exit say about the locals in a size, if the greatest size is wanted.
    ///
    /// ```prolog
    /// token(num(N)) --> digits([D|Ds]), { number_codes(N, [D|Ds]) }.    % leaves less than there was
    /// ```
    fn known_at_exit(&self, value: Option<&Expr>, exit: &Exit) -> Region {
        let mentions_locals = |e: &Expr| e.variables().iter().any(|&v| self.locals.contains(v));
        if !self.upper() || !value.is_some_and(mentions_locals) {
            return Region::default();
        }
        let sizes = self.world.region().variables();
        let is_known = |v: Var| self.locals.contains(v) || sizes.contains(&v);
        let facts = exit.state.facts.constraints().iter();
        facts
            .filter(|c| c.variables().all(is_known))
            .filter(|c| c.variables().any(|v| self.locals.contains(v)))
            .cloned()
            .collect()
    }

    /// Adds the calls whose output sizes occur in an expression or, recursively, in the arguments of these calls, in order.
    fn require(
        &self,
        value: &Expr,
        calls: &CallsOfSizes<'_>,
        alternative: &mut Alternative,
        function_of_output: &dyn Fn(usize, usize) -> Option<usize>,
    ) -> bool {
        for v in value.variables() {
            let Some((call, argument)) = calls.get(&v) else {
                continue; // a size variable of the entry
            };
            if alternative.results.iter().any(|r| r.var == v) {
                continue;
            }
            let Callee::Inside(node) = call.callee else {
                return false;
            };
            let Some(function) = function_of_output(node, *argument) else {
                return false;
            };
            // The recursion is no deeper than the clause is long, because arguments refer only to earlier calls.
            for size in &call.args {
                for e in [&size.lower, &size.upper].into_iter().flatten() {
                    if mentions_integer_output(e, calls, self.nodes)
                        || !self.require(e, calls, alternative, function_of_output)
                    {
                        return false;
                    }
                }
            }
            let var = self.inside_result(alternative, function, node, &call.args);
            if let Some(last) = alternative.results.last_mut() {
                debug_assert_eq!(last.var, var);
                last.var = v;
            }
        }
        true
    }
}

/// Returns whether unsolved integer outputs occur only linearly: a product of two possibly negative values is not bounded by the product of
/// their bounds.
fn integers_are_linear(e: &Expr, calls: &CallsOfSizes<'_>, nodes: &[Node]) -> bool {
    e.terms().all(|(m, _)| {
        let unsolved = |v: &Var| calls.contains_key(v);
        let degree: u32 = m
            .powers
            .iter()
            .filter(|(v, _)| unsolved(v))
            .map(|(_, &k)| k)
            .sum();
        let in_atom = |a: &Atom| a.argument().variables().iter().any(unsolved);
        let exponent = m.exponentials.keys().any(unsolved) || m.all_atoms().any(in_atom);
        let integer = m
            .variables()
            .any(|v| mentions_integer_output(&Expr::var(v), calls, nodes));
        !integer || (degree <= 1 && !exponent)
    })
}

/// Returns whether an expression depends on the value of an unsolved integer output. Such a value may be negative, which the range of a
/// result in arguments does not cover.
fn mentions_integer_output(e: &Expr, calls: &CallsOfSizes<'_>, nodes: &[Node]) -> bool {
    e.variables().iter().any(|v| {
        calls
            .get(v)
            .is_some_and(|(call, argument)| match call.callee {
                // The largest element is never negative.
                Callee::Inside(node)
                    if *argument >= element_place(nodes[node].pattern.0.len(), 0) =>
                {
                    false
                }
                Callee::Inside(node) => nodes[node]
                    .success
                    .as_ref()
                    .and_then(|s| s.get(*argument))
                    .is_none_or(|ty| matches!(ty.metric(), None | Some(Metric::Int))),
                Callee::Outside(_) => true,
            })
    })
}

pub(crate) fn symbolic_calls<'t>(tree: &'t Tree, calls: &mut CallsOfSizes<'t>) {
    let mut stack = vec![tree];
    while let Some(tree) = stack.pop() {
        for step in &tree.steps {
            match step {
                Step::Call(call) => {
                    for (argument, v) in &call.outputs {
                        calls.insert(*v, (call, *argument));
                    }
                }
                Step::Once(t, _)
                | Step::Failed(t)
                | Step::AllOf(t)
                | Step::PartOf(t)
                | Step::Goal(t, _) => stack.push(t),
                _ => {}
            }
        }
        match &tree.end {
            End::Either(parts) | End::Each(parts) => stack.extend(parts),
            _ => {}
        }
    }
}
