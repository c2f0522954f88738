//! The variables of asserted costs: sizes of arguments, and quantities of something named (`facts(par/2)`, `cost(P)`).

use std::borrow::Cow;

use costlens_algebra::{Constraint, Expr, Rat, Region, Var};
use costlens_infer::report::{
    Functor, Parameter, ParameterKind, ParameterVariable, PatternReport, Subject,
};
use costlens_infer::types::Metric;
use costlens_infer::{least_value, next_parameter};
use costlens_program::SourceFile;
use costlens_syntax::assertions::{
    Argument, CostNode, CostParameter, CostTerm, DeclaredType, NamedQuantity, QuantityOf,
    SizeMetric,
};
use num_bigint::BigInt;

use super::{JudgedProperty, UpperLimits, message, precondition, restricted};

/// Returns the report with variables for the quantities in an asserted cost on which the inferred bounds do not depend.
pub(super) fn with_parameters<'r>(
    report: &'r PatternReport,
    asserted: &CostTerm,
    file: SourceFile,
) -> Cow<'r, PatternReport> {
    let mut report = Cow::Borrowed(report);
    for node in &asserted.nodes {
        let CostNode::Parameter(named) = node else {
            continue;
        };
        if variable(&report, named).is_some() {
            continue;
        }
        let parameter = Parameter {
            kind: match named.quantity {
                NamedQuantity::Facts => ParameterKind::Facts,
                NamedQuantity::Cost => ParameterKind::Cost,
                NamedQuantity::Solutions => ParameterKind::Solutions,
            },
            of: match &named.of {
                QuantityOf::Predicate(name, arity) => {
                    Subject::Predicate(file, Functor::new(name.clone(), *arity))
                }
                QuantityOf::Argument(argument) => Subject::Argument(*argument),
            },
        };
        let var = next_parameter(&report.parameters, &parameter);
        report.to_mut().parameters.push(ParameterVariable {
            var,
            name: named.to_string(),
            parameter,
            why: None,
        });
    }
    report
}

/// Returns the variable for a quantity on which a report's bounds depend.
fn variable(report: &PatternReport, named: &CostParameter) -> Option<Var> {
    let name = named.to_string();
    let mut all = report.parameters.iter();
    let found = all.find(|p| p.parameter.to_string() == name)?;
    Some(found.var)
}

/// Returns the values that the quantities of a report may have.
fn values(report: &PatternReport) -> Region {
    let least =
        |p: &ParameterVariable| Constraint::ge(&Expr::var(p.var), &Expr::int(least_value(p.var)));
    (report.parameters.iter())
        .filter_map(least)
        .fold(Region::everything(), |all, c| all.and(c))
}

impl JudgedProperty<'_> {
    /// Returns the size variable for an argument (from 0), or the reason why the argument has no size.
    pub(super) fn measure(
        &self,
        report: &PatternReport,
        metric: Option<SizeMetric>,
        argument: usize,
    ) -> Result<Var, String> {
        let name = message::argument_name(self.assertion, argument);
        let size = (report.sizes.iter()).find(|s| s.argument == argument + 1 && !s.element);
        match (metric, size) {
            (None, Some(size)) => Ok(size.var),
            (Some(SizeMetric::Length), Some(size)) if size.metric == Metric::Length => Ok(size.var),
            (Some(SizeMetric::Int), Some(size)) if size.metric == Metric::Int => Ok(size.var),
            (Some(SizeMetric::Size), Some(size)) if size.metric == Metric::Size => Ok(size.var),
            (Some(SizeMetric::Chars), Some(size)) if size.metric == Metric::Chars => Ok(size.var),
            (Some(SizeMetric::Keys), Some(size)) if size.metric == Metric::Keys => Ok(size.var),
            (Some(metric @ SizeMetric::Depth), _) => Err(format!(
                "Costlens does not measure terms by {} yet",
                metric.name()
            )),
            (Some(metric), Some(size)) => Err(format!(
                "{name} is measured by {} in calls {}, not by {}",
                size.metric,
                report.pattern,
                metric.name()
            )),
            (_, None) => Err(format!("{name} has no size in calls {}", report.pattern)),
        }
    }

    /// Returns the variable for a quantity of something named, or an error if nothing has that name.
    pub(super) fn parameter(
        &self,
        report: &PatternReport,
        named: &CostParameter,
    ) -> Result<Var, String> {
        let known = match &named.of {
            QuantityOf::Predicate(name, arity) => (self.knows)(&Functor::new(name.clone(), *arity)),
            QuantityOf::Argument(_) => true,
        };
        match (known, &named.of) {
            (false, QuantityOf::Predicate(name, arity)) => {
                Err(format!("no predicate {name}/{arity} is known here"))
            }
            _ => variable(report, named).ok_or_else(String::new),
        }
    }

    /// Returns whether the analysis ignores a part of the precondition because it does not understand this part.
    pub(super) fn unknown_precondition(&self) -> bool {
        let names_unknown_type = |a: &Argument| matches!(&a.call, Some(DeclaredType::Named(name)) if self.types.named(name).is_none());
        self.assertion.unknown_precondition
            || self.assertion.arguments.iter().any(names_unknown_type)
    }

    /// Returns whether the precondition contains an upper limit on a size.
    pub(super) fn limits_sizes(&self) -> bool {
        let mut limits = self.assertion.limits.iter();
        limits.any(|limit| limit.at_most.is_some())
    }

    /// Returns the sizes that the precondition admits, and whether these sizes are the whole precondition; otherwise it admits fewer calls.
    pub(super) fn domain(&self, report: &PatternReport, limits: UpperLimits) -> (Region, bool) {
        let mut domain = values(report);
        let mut complete = !self.unknown_precondition();
        for size in &report.sizes {
            let argument = self.assertion.arguments.get(size.argument - 1);
            let least = match size.metric {
                Metric::Length | Metric::Size | Metric::Keys => size.metric.least(),
                Metric::Int | Metric::Chars => argument.and_then(precondition::least_integer),
            };
            if let Some(least) = least {
                domain = restricted(
                    domain,
                    Constraint::ge(&Expr::var(size.var), &Expr::int(least)),
                );
            }
        }
        for limit in &self.assertion.limits {
            let Ok(v) = self.measure(report, limit.metric, limit.argument) else {
                complete = false;
                continue;
            };
            let number = |n: &BigInt| Expr::constant(Rat::from_integer(n.clone()));
            if let Some(least) = &limit.at_least {
                domain = restricted(domain, Constraint::ge(&Expr::var(v), &number(least)));
            }
            if let Some(most) = limit
                .at_most
                .as_ref()
                .filter(|_| limits == UpperLimits::Kept)
            {
                domain = restricted(domain, Constraint::le(&Expr::var(v), &number(most)));
            }
        }
        (domain, complete)
    }
}
