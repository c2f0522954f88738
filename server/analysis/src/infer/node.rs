//! A predicate under a pattern while its component is being solved.

use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};

use super::datum::Datum;
use super::size::Size;
use super::summary::{Relation, Sides};
use crate::report::{PredicateName, SizeVariable};
use crate::types::{Metric, Pattern, Type};

/// What a size measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The argument, from 0.
    pub(crate) argument: usize,
    pub(crate) metric: Metric,
    /// Whether it is the size of the largest element (or any number that no element exceeds), not of the list.
    pub(crate) element: bool,
}

impl Slot {
    pub(crate) fn of(size: &SizeVariable) -> Self {
        Slot {
            argument: size.argument - 1,
            metric: size.metric,
            element: size.element,
        }
    }
}

/// A size variable of a node.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) var: Var,
    pub(crate) slot: Slot,
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
    /// For each argument, the variable that stands for its size on success in relations.
    pub(crate) output_vars: Vec<Var>,
    pub(crate) relation: Relation,
    pub(crate) solutions: Option<Sides>,
    pub(crate) errors_possible: bool,
    /// Sizes that are numbers while its clauses run, where bounds at given sizes are asked for ([`super::tabulate`]).
    pub(crate) given: BTreeMap<Var, i64>,
}

impl Node {
    pub(crate) fn new(
        name: PredicateName,
        pattern: Pattern,
        fresh: &mut dyn FnMut() -> Var,
    ) -> Self {
        let params: Vec<Param> = (pattern.0.iter().enumerate())
            .flat_map(|(argument, ty)| {
                let slot = |metric, element| Slot {
                    argument,
                    metric,
                    element,
                };
                let own = ty.metric().map(|m| slot(m, false));
                let element = ty.element_metric().map(|m| slot(m, true));
                own.into_iter().chain(element)
            })
            .map(|slot| Param { var: fresh(), slot })
            .collect();
        let domain = params
            .iter()
            .filter_map(|p| Constraint::ge(&Expr::var(p.var), &Expr::int(p.slot.metric.least()?)))
            .fold(Region::default(), |r, c| r.and(c));
        let outputs = vec![Output::Unsized; pattern.0.len()];
        let output_vars = pattern.0.iter().map(|_| fresh()).collect();
        Node {
            name,
            pattern,
            params,
            domain,
            success: None,
            outputs,
            output_vars,
            relation: Relation::default(),
            solutions: None,
            errors_possible: false,
            given: BTreeMap::new(),
        }
    }

    /// The least size of an argument on success.
    pub(crate) fn least(&self, argument: usize) -> Option<i64> {
        let ty = self.success.as_ref()?.get(argument)?;
        ty.metric()?.least()
    }

    pub(crate) fn vars(&self) -> Vec<Var> {
        self.params.iter().map(|p| p.var).collect()
    }

    /// What its sizes measure.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.params.iter().map(|p| p.slot).collect()
    }

    /// The argument's value at the call.
    pub(crate) fn datum(&self, argument: usize) -> Datum {
        let ty = self.pattern.0[argument].clone();
        let size = |element: bool| {
            let of = |p: &&Param| p.slot.argument == argument && p.slot.element == element;
            let param = self.params.iter().find(of)?;
            Some(match self.given.get(&param.var) {
                Some(&value) => Expr::int(value),
                None => Expr::var(param.var),
            })
        };
        let key = (ty != Type::Free).then(|| smol_str::format_smolstr!("a{}", argument + 1));
        let datum = match size(false) {
            Some(e) => Datum::sized(ty, Size::exact(e)),
            None => Datum::of(ty),
        };
        datum.with_element(size(true)).with_key(key)
    }
}
