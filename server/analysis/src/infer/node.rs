//! A predicate under a pattern while its component is being solved.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};

use super::datum::Datum;
use super::size::Size;
use super::summary::Sides;
use crate::report::PredicateName;
use crate::types::{Metric, Pattern, Type};

/// A size variable of a node.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) var: Var,
    /// The argument, from 0.
    pub(crate) argument: usize,
    pub(crate) metric: Metric,
}

/// What is known so far of the size of an output.
#[derive(Clone, Debug)]
pub(crate) enum Output {
    /// It has no metric, or its size was not found.
    Unsized,
    /// It is being solved: a variable stands for it.
    Symbolic,
    Solved(Sides),
}

/// One (predicate, pattern) of the component.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: PredicateName,
    pub(crate) pattern: Pattern,
    pub(crate) params: Vec<Param>,
    /// What holds of every admitted size: lengths are not negative.
    pub(crate) domain: Region,
    pub(crate) success: Option<Vec<Type>>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) solutions: Option<Sides>,
    pub(crate) errors_possible: bool,
}

impl Node {
    pub(crate) fn new(
        name: PredicateName,
        pattern: Pattern,
        fresh: &mut dyn FnMut() -> Var,
    ) -> Self {
        let params: Vec<Param> = pattern
            .0
            .iter()
            .enumerate()
            .filter_map(|(argument, ty)| {
                ty.metric().map(|metric| Param {
                    var: fresh(),
                    argument,
                    metric,
                })
            })
            .collect();
        let domain = params
            .iter()
            .filter_map(|p| Constraint::ge(&Expr::var(p.var), &Expr::int(p.metric.least()?)))
            .fold(Region::default(), |r, c| r.and(c));
        let outputs = vec![Output::Unsized; pattern.0.len()];
        Node {
            name,
            pattern,
            params,
            domain,
            success: None,
            outputs,
            solutions: None,
            errors_possible: false,
        }
    }

    pub(crate) fn vars(&self) -> Vec<Var> {
        self.params.iter().map(|p| p.var).collect()
    }

    /// The argument's value at the call.
    pub(crate) fn datum(&self, argument: usize) -> Datum {
        let ty = self.pattern.0[argument].clone();
        let size = match self.params.iter().find(|p| p.argument == argument) {
            Some(p) => Size::exact(Expr::var(p.var)),
            None => Datum::of(ty.clone()).size,
        };
        let key = (ty != Type::Free).then(|| smol_str::format_smolstr!("a{}", argument + 1));
        Datum { ty, size, key }
    }
}
