//! The terms of a bound, as functions of a call's inputs: inference knows the growth of costs even if it does not know the exact
//! coefficients.
//!
//! A bound `1/2*n^2+3/2*n+1` yields the terms `n^2` and `n`. The counts of a block are often a sum of the same terms.

use costlens_algebra::text::{Names, lower_f64, to_text};
use costlens_algebra::{Expr, Rat, Var};
use costlens_analysis::report::{Bound, PatternReport, SizeVariable};
use costlens_analysis::types::Metric;
use num_bigint::BigInt;
use num_traits::FromPrimitive as _;

use crate::run::{InputName, Inputs, Measure};

/// A term of a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeTerm {
    /// The term, as printed.
    pub text: String,
    term: Expr,
    /// The sizes in the term, each with its input.
    sizes: Vec<(Var, InputName)>,
}

/// Returns the input that corresponds to a size of a pattern.
#[must_use]
pub fn input_of(size: &SizeVariable) -> InputName {
    let measure = match (size.metric, size.element) {
        (Metric::Int, false) => Measure::Int,
        (Metric::Length, false) => Measure::Length,
        (Metric::Size, false) => Measure::Size,
        (Metric::Chars, _) => Measure::Chars,
        (Metric::Keys, _) => Measure::Keys,
        (Metric::Int, true) => Measure::ElementInt,
        (Metric::Length, true) => Measure::ElementLength,
        (Metric::Size, true) => Measure::ElementSize,
    };
    InputName {
        argument: size.argument,
        measure,
    }
}

/// Returns the distinct terms of a pattern's bounds on steps.
#[must_use]
pub fn shape(report: &PatternReport) -> Vec<ShapeTerm> {
    let names: Vec<(Var, String)> = report
        .sizes
        .iter()
        .map(|s| (s.var, s.name.clone()))
        .collect();
    let names = Names::new(move |v| {
        let known = names.iter().find(|(var, _)| *var == v);
        known.map_or_else(|| "?".to_owned(), |(_, name)| name.clone())
    });
    let bounds = report.steps.iter().flat_map(|piece| {
        [&piece.first, &piece.all]
            .into_iter()
            .flat_map(|i| [&i.lower, &i.upper])
    });
    let mut terms: Vec<ShapeTerm> = Vec::new();
    for bound in bounds {
        let Bound::Finite(expression) = bound else {
            continue;
        };
        for (monomial, _) in expression.terms() {
            let term = Expr::monomial(monomial.clone(), Rat::from_integer(1.into()));
            let variables = term.variables();
            if variables.is_empty() || terms.iter().any(|t| t.term == term) {
                continue;
            }
            let sizes = variables.iter().map(|v| {
                let size = report.sizes.iter().find(|s| s.var == *v)?;
                Some((*v, input_of(size)))
            });
            if let Some(sizes) = sizes.collect() {
                terms.push(ShapeTerm {
                    text: to_text(&term, &names),
                    sizes,
                    term,
                });
            }
        }
    }
    terms
}

impl ShapeTerm {
    /// Returns the inputs on which the term depends.
    pub fn inputs(&self) -> impl Iterator<Item = &InputName> {
        self.sizes.iter().map(|(_, input)| input)
    }

    /// Returns the term's value, or `None` if an input is missing or the value is too large for a number.
    #[must_use]
    pub fn value(&self, inputs: &Inputs) -> Option<f64> {
        let value = |v: Var| -> Option<BigInt> {
            let (_, name) = self.sizes.iter().find(|(var, _)| *var == v)?;
            let (_, value) = inputs.iter().find(|(n, _)| n == name)?;
            BigInt::from_f64(value.number()?)
        };
        let value = self.term.eval(&value)?;
        Some(lower_f64(&value)).filter(|v| v.is_finite())
    }
}
