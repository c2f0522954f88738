//! Conversion of asserted cost expressions to expressions over size variables.
//!
//! Two expressions bound a cost with logarithms. `A*log(A)`, with the natural logarithm, is at least `6931/10000·A·⌊log₂ A⌋` and at most
//! `6932/10000·A·⌈log₂ A⌉` (the implementation uses more digits). If the argument of a logarithm is below 1, both are undefined.

use costlens_algebra::atom::Rounding;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Region, Var};
use costlens_syntax::assertions::{CostFunction, CostNode, CostParameter, CostTerm, SizeMetric};
use num_traits::{Signed, ToPrimitive};

use super::exact::apply;

/// The natural logarithm of 2, rounded down, as a numerator and a power of ten.
const LN_2: (i64, i64) = (693_147_180_559_945, 1_000_000_000_000_000);

/// Returns whether an expression is `inf`.
#[must_use]
pub fn is_infinite(term: &CostTerm) -> bool {
    matches!(term.nodes.last(), Some(CostNode::Infinite))
}

/// The variables of what occurs in asserted costs. Each function returns the reason if there is none.
#[derive(Clone, Copy)]
pub struct CostVariables<'a> {
    /// Returns the variable for the size of an argument, numbered from 0.
    pub size: &'a dyn Fn(Option<SizeMetric>, usize) -> Result<Var, String>,
    /// Returns the variable for a quantity of something named.
    pub parameter: &'a dyn Fn(&CostParameter) -> Result<Var, String>,
}

/// Converts a cost to an exact expression over size variables.
///
/// # Errors
/// Returns a sentence that describes why the cost cannot be converted exactly.
pub fn to_expr(term: &CostTerm, variables: CostVariables<'_>) -> Result<Expr, String> {
    let (low, high) = cost_interval(term, variables, &Region::everything())?;
    match low == high {
        true => Ok(high),
        false => Err("the logarithm of a size has no exact expression".into()),
    }
}

/// A cost between two expressions.
#[derive(Clone)]
struct Between {
    low: Expr,
    high: Expr,
    /// True if the cost is a logarithm or is composed of logarithms, and therefore non-negative wherever it is defined.
    natural: bool,
}

impl Between {
    fn exactly(e: Expr) -> Self {
        Between {
            low: e.clone(),
            high: e,
            natural: false,
        }
    }

    fn is_exact(&self) -> bool {
        self.low == self.high
    }

    fn scaled(&self, by: &Rat) -> Self {
        let (low, high) = (self.low.scale(by), self.high.scale(by));
        match by.is_negative() {
            true => Between {
                low: high,
                high: low,
                natural: false,
            },
            false => Between {
                low,
                high,
                natural: self.natural,
            },
        }
    }
}

/// Returns lower and upper bounds on an asserted cost for sizes in a region; they are equal for a cost without logarithms. A single loop
/// suffices, because arguments precede their functions in `nodes`.
///
/// # Errors
/// Returns a sentence that describes why the cost cannot be bounded.
pub fn cost_interval(
    term: &CostTerm,
    variables: CostVariables<'_>,
    on: &Region,
) -> Result<(Expr, Expr), String> {
    let mut values: Vec<Between> = Vec::with_capacity(term.nodes.len());
    for node in &term.nodes {
        let value = match node {
            CostNode::Number(n, d) => {
                Between::exactly(Expr::constant(Rat::new(n.clone(), d.clone())))
            }
            CostNode::Infinite => return Err("inf stands inside an expression".into()),
            CostNode::Size(metric, argument) => {
                Between::exactly(Expr::var((variables.size)(*metric, *argument)?))
            }
            CostNode::Parameter(parameter) => {
                Between::exactly(Expr::var((variables.parameter)(parameter)?))
            }
            // The index of a sum; the sum itself is rejected.
            CostNode::Index(_) => Between::exactly(Expr::zero()),
            CostNode::Apply(function, arguments) => {
                let arguments: Vec<&Between> =
                    arguments.iter().filter_map(|&a| values.get(a)).collect();
                applied(*function, &arguments, on)?
            }
        };
        values.push(value);
    }
    let whole = values.pop().ok_or("the cost is empty")?;
    Ok((whole.low, whole.high))
}

fn applied(function: CostFunction, arguments: &[&Between], on: &Region) -> Result<Between, String> {
    use CostFunction as F;
    let not_compared = || "this use of a logarithm is not compared yet".to_owned();
    let is_log = matches!(
        function,
        F::Logarithm | F::Logarithm2 | F::Logarithm10 | F::LogarithmToBase
    );
    if arguments.iter().all(|a| a.is_exact()) {
        let exact: Vec<&Expr> = arguments.iter().map(|a| &a.low).collect();
        return match is_log {
            true => logarithm(function, &exact).ok_or_else(not_compared),
            false => apply(function, &exact).map(Between::exactly),
        };
    }
    let product = |a: &Expr, b: &Expr| apply(F::Multiply, &[a, b]);
    Ok(match (function, arguments) {
        (F::Add, [a, b]) => Between {
            low: &a.low + &b.low,
            high: &a.high + &b.high,
            natural: a.natural && b.natural,
        },
        (F::Subtract, [a, b]) => Between {
            low: &a.low - &b.high,
            high: &a.high - &b.low,
            natural: false,
        },
        (F::Negate, [a]) => a.scaled(&-Rat::from_integer(1.into())),
        (F::Multiply, [a, b]) if a.natural && b.natural => Between {
            low: product(&a.low, &b.low)?,
            high: product(&a.high, &b.high)?,
            natural: true,
        },
        (F::Multiply, [factor, of] | [of, factor]) if factor.is_exact() => {
            match factor.low.as_constant() {
                Some(by) => of.scaled(&by),
                None if nonnegative(&factor.low, on) => Between {
                    low: product(&factor.low, &of.low)?,
                    high: product(&factor.low, &of.high)?,
                    natural: of.natural,
                },
                None => return Err(not_compared()),
            }
        }
        (F::Divide, [a, b]) => {
            let by = b
                .low
                .as_constant()
                .filter(|by| b.is_exact() && by.is_positive());
            a.scaled(&by.ok_or_else(not_compared)?.recip())
        }
        (F::Power, [base, exponent]) if base.natural && exponent.is_exact() => Between {
            low: apply(F::Power, &[&base.low, &exponent.low])?,
            high: apply(F::Power, &[&base.high, &exponent.low])?,
            natural: true,
        },
        _ => return Err(not_compared()),
    })
}

fn logarithm(function: CostFunction, arguments: &[&Expr]) -> Option<Between> {
    use CostFunction as F;
    let (base, of) = match (function, arguments) {
        (F::Logarithm | F::Logarithm2, [of]) => (2, *of),
        (F::Logarithm10, [of]) => (10, *of),
        (F::LogarithmToBase, [base, of]) => {
            let base = base.as_constant().filter(Rat::is_integer)?;
            (base.to_integer().to_u32()?, *of)
        }
        _ => return None,
    };
    let (low, high) = (
        Expr::log(base, Rounding::Down, of)?,
        Expr::log(base, Rounding::Up, of)?,
    );
    let ln_2 = |digits: i64| match function {
        F::Logarithm => Rat::new(digits.into(), LN_2.1.into()),
        _ => Rat::from_integer(1.into()),
    };
    Some(Between {
        low: low.scale(&ln_2(LN_2.0)),
        high: high.scale(&ln_2(LN_2.0 + 1)),
        natural: true,
    })
}
