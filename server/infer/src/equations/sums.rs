//! Sums of a function over one of its sizes: the total cost of the solutions of a goal if their sizes differ pairwise.
//!
//! ```prolog
//! comb(0, _, []).
//! comb(K, L, [X|Xs]) :- K > 0, el(X, L, R), K1 is K-1, comb(K1, R, Xs).    % R is shorter in each solution
//! ```
//!
//! The calls to `comb/3` cost at most comb(k-1, 0) + … + comb(k-1, m-1), whereas m times the last term would yield m!. The sum is an
//! additional function: S(k, m) = S(k, m-1) + comb(k, m), and 0 below the minimum size. Substituting the equations of comb(k, m) defines
//! the sum in terms of itself.

use std::cell::RefCell;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, CallResult, Cell, Function};

use crate::summary::node::Node;

/// The sum of a function over one of its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    /// The system's function that is summed.
    of: usize,
    /// The node whose function is summed.
    node: usize,
    /// The size over which the sum runs, by its index among the node's sizes.
    over: usize,
}

/// The sums in a system of equations.
#[derive(Debug, Default)]
pub(crate) struct Sums(RefCell<RequestedSums>);

#[derive(Debug, Default)]
struct RequestedSums {
    /// True while equations that may contain sums are being built.
    is_open: bool,
    /// The index of the function for the first sum.
    from: usize,
    all: Vec<Sum>,
}

impl Sums {
    /// Allows sums in equations; their functions are numbered from `from`.
    pub(crate) fn open(&self, from: usize) {
        self.0.replace(RequestedSums {
            is_open: true,
            from,
            all: Vec::new(),
        });
    }

    /// Disallows sums. Returns the functions of the sums requested since [`Sums::open`], or none if it was not called.
    pub(crate) fn close(
        &self,
        functions: &[Function],
        nodes: &[Node],
        fresh: &dyn Fn() -> Var,
    ) -> Vec<Function> {
        let mut wanted = self.0.borrow_mut();
        if !std::mem::take(&mut wanted.is_open) {
            return Vec::new();
        }
        let sums = wanted.all.iter().enumerate();
        let summed = sums.map(|(i, &sum)| {
            let (own, function) = (wanted.from + i, &functions[sum.of]);
            summed(sum, own, function, &nodes[sum.node], fresh).unwrap_or_else(|| unknown(function))
        });
        summed.collect()
    }

    /// Removes all sums: the equations contain none.
    pub(crate) fn clear(&self) {
        self.0.take();
    }

    /// Returns the sum of a function over a size, as a function of the system, or `None` while sums are not allowed.
    pub(crate) fn sum(&self, of: usize, node: usize, over: usize) -> Option<usize> {
        let mut wanted = self.0.borrow_mut();
        if !wanted.is_open {
            return None;
        }
        let sum = Sum { of, node, over };
        let at = wanted.all.iter().position(|s| *s == sum);
        let at = at.unwrap_or_else(|| {
            wanted.all.push(sum);
            wanted.all.len() - 1
        });
        Some(wanted.from + at)
    }

    /// Returns the node whose function is summed.
    pub(crate) fn node(&self, function: usize) -> Option<usize> {
        let wanted = self.0.borrow();
        let at = function.checked_sub(wanted.from)?;
        wanted.all.get(at).map(|sum| sum.node)
    }
}

fn unknown(function: &Function) -> Function {
    Function {
        params: function.params.clone(),
        cells: vec![Cell {
            alternatives: vec![Alternative::default()],
            ..Cell::default()
        }],
    }
}

fn summed(
    sum: Sum,
    own: usize,
    function: &Function,
    node: &Node,
    fresh: &dyn Fn() -> Var,
) -> Option<Function> {
    let x = *function.params.get(sum.over)?;
    let least = node.params.get(sum.over)?.slot.metric.least()?;
    let from = Constraint::ge(&Expr::var(x), &Expr::int(least))?;
    let before = || {
        let args = function.params.iter().map(|&v| match v == x {
            true => &Expr::var(v) - &Expr::int(1),
            false => Expr::var(v),
        });
        CallResult {
            var: fresh(),
            function: own,
            args: args.collect(),
        }
    };
    let mut cells = vec![Cell {
        region: Region::default().and(from.negated().into_iter().next()?),
        alternatives: vec![Alternative {
            value: Some(Expr::zero()),
            ..Alternative::default()
        }],
        exhaustive: false,
    }];
    for cell in &function.cells {
        let added = cell.alternatives.iter().map(|alternative| {
            let before = before();
            let mut all = alternative.clone();
            all.value = all.value.map(|value| &value + &Expr::var(before.var));
            all.results.push(before);
            all
        });
        let mut alternatives: Vec<Alternative> = added.collect();
        let is_always = |a: &Alternative| a.constraints.constraints().is_empty();
        if !cell.alternatives.iter().any(is_always) {
            // Possibly no call has this size.
            let before = before();
            alternatives.push(Alternative {
                value: Some(Expr::var(before.var)),
                results: vec![before],
                ..Alternative::default()
            });
        }
        cells.push(Cell {
            region: cell.region.and(from.clone()),
            alternatives,
            exhaustive: cell.exhaustive,
        });
    }
    Some(Function {
        params: function.params.clone(),
        cells,
    })
}
