//! Evaluates bounds at given sizes. The values come from the displayed expression, never from a run.

use std::collections::BTreeMap;

use costlens_algebra::text::{decimal, lower_f64, upper_f64};
use costlens_algebra::{Atom, Expr, Rat, Var};
use costlens_analysis::least_value;
use costlens_analysis::report::{
    Bound, Interval, ParameterVariable, PatternReport, Piece, SizeVariable,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The maximum number of bits of a result that is printed.
const LONGEST_VALUE: f64 = 200_000.0;

/// A size given by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenSize {
    /// The argument index, from 1.
    pub argument: usize,
    /// True if the size is that of the argument's elements instead of the argument.
    pub element: bool,
    /// The name of the size in bounds, if it is given by name instead of by argument.
    pub name: Option<String>,
    /// The metric, if given: `2:depth=4`.
    pub metric: Option<String>,
    /// The value.
    pub value: BigInt,
}

impl GivenSize {
    /// Returns true if this is a value for the given size variable.
    pub(crate) fn is_of(&self, size: &SizeVariable) -> bool {
        let is_named = match &self.name {
            None => size.argument == self.argument && size.element == self.element,
            Some(name) => size.name == *name,
        };
        is_named && (self.metric.as_ref()).is_none_or(|m| *m == size.metric.to_string())
    }
}

/// The value of a bound at given sizes.
#[derive(Clone, Debug, PartialEq)]
pub enum BoundValue {
    /// The exact value.
    Exact(Rat),
    /// Infinite, for proved divergence.
    Infinite,
    /// Unknown, not determined by the given sizes, or too long to print.
    Unknown,
}

impl BoundValue {
    /// Returns a floating-point lower bound on the value. Returns `None` for unknown and infinite values.
    #[must_use]
    pub fn at_most(&self) -> Option<f64> {
        match self {
            BoundValue::Exact(r) => Some(lower_f64(r)).filter(|f| f.is_finite()),
            _ => None,
        }
    }

    /// Returns a floating-point upper bound on the value. Returns `None` for unknown and infinite values, and for values out of range.
    #[must_use]
    pub fn at_least(&self) -> Option<f64> {
        match self {
            BoundValue::Exact(r) => Some(upper_f64(r)).filter(|f| f.is_finite()),
            _ => None,
        }
    }

    /// Formats the exact value as a decimal or a fraction.
    #[must_use]
    pub fn exact(&self) -> Option<String> {
        match self {
            BoundValue::Exact(r) => Some(decimal(r)),
            _ => None,
        }
    }
}

/// The lower and the upper value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRange {
    /// The lower bound on the cost of every run.
    pub lower: BoundValue,
    /// The upper bound on the cost of every run.
    pub upper: BoundValue,
}

/// The bounds on steps at given sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsAt {
    /// The bounds to the first solution.
    pub first: ValueRange,
    /// The bounds over all solutions.
    pub all: ValueRange,
}

/// Evaluates the bounds of a pattern at given sizes. A size with a metric other than the pattern's is ignored.
#[must_use]
pub fn steps_at(report: &PatternReport, given: &[GivenSize]) -> StepsAt {
    let mut sizes: BTreeMap<Var, BigInt> = BTreeMap::new();
    for g in given {
        let size = report.sizes.iter().find(|s| g.is_of(s));
        if let Some(s) = size {
            if s.metric
                .least()
                .is_some_and(|least| g.value < BigInt::from(least))
            {
                // No list has this length, and no term this size.
                return StepsAt {
                    first: unknown(),
                    all: unknown(),
                };
            }
            sizes.insert(s.var, g.value.clone());
        } else if let Some(name) = &g.name {
            let is_it =
                |p: &&ParameterVariable| p.name == *name || p.parameter.to_string() == *name;
            let parameter = report.parameters.iter().find(is_it);
            let value = |v: Var| g.value.clone().max(BigInt::from(least_value(v)));
            sizes.extend(parameter.map(|p| (p.var, value(p.var))));
        }
    }
    steps_at_sizes(report, &sizes)
}

/// Evaluates the bounds of a pattern at sizes given by their variables.
pub(crate) fn steps_at_sizes(report: &PatternReport, sizes: &BTreeMap<Var, BigInt>) -> StepsAt {
    let pieces: Vec<&Piece> = (report.steps.iter())
        .filter(|p| may_contain(p, sizes))
        .collect();
    StepsAt {
        first: common(&pieces, sizes, |p| &p.first),
        all: common(&pieces, sizes, |p| &p.all),
    }
}

fn unknown() -> ValueRange {
    ValueRange {
        lower: BoundValue::Unknown,
        upper: BoundValue::Unknown,
    }
}

/// Returns true unless the given sizes alone exclude the piece.
fn may_contain(piece: &Piece, sizes: &BTreeMap<Var, BigInt>) -> bool {
    let by: BTreeMap<Var, Expr> = (sizes.iter())
        .map(|(&v, k)| (v, Expr::constant(Rat::from_integer(k.clone()))))
        .collect();
    let constraints = piece.when.constraints();
    if constraints
        .iter()
        .any(|c| c.holds_at(&|v| sizes.get(&v).cloned()) == Some(false))
    {
        return false;
    }
    // The remaining constraints on the other sizes may still contradict each other.
    piece.when.substitute(&by).is_none_or(|r| !r.is_empty())
}

/// Returns the value on which all pieces agree.
fn common(
    pieces: &[&Piece],
    sizes: &BTreeMap<Var, BigInt>,
    which: impl Fn(&Piece) -> &Interval,
) -> ValueRange {
    let mut values = pieces.iter().map(|p| {
        let interval = which(p);
        ValueRange {
            lower: evaluate(&interval.lower, sizes),
            upper: evaluate(&interval.upper, sizes),
        }
    });
    let Some(mut result) = values.next() else {
        return unknown();
    };
    for v in values {
        if v.lower != result.lower {
            result.lower = BoundValue::Unknown;
        }
        if v.upper != result.upper {
            result.upper = BoundValue::Unknown;
        }
    }
    result
}

fn evaluate(bound: &Bound, sizes: &BTreeMap<Var, BigInt>) -> BoundValue {
    match bound {
        Bound::Infinite => BoundValue::Infinite,
        Bound::Unknown => BoundValue::Unknown,
        Bound::Finite(e) => value(e, sizes).map_or(BoundValue::Unknown, BoundValue::Exact),
    }
}

fn value(e: &Expr, sizes: &BTreeMap<Var, BigInt>) -> Option<Rat> {
    if longest(e, sizes) > LONGEST_VALUE {
        return None;
    }
    if let Some(value) = e.eval(&|v| sizes.get(&v).cloned()) {
        return Some(value);
    }
    // Some sizes are not given. The value may still be independent of them.
    let by: BTreeMap<Var, Expr> = (sizes.iter())
        .map(|(&v, k)| (v, Expr::constant(Rat::from_integer(k.clone()))))
        .collect();
    e.substitute(&by)?.as_constant()
}

/// Returns an upper estimate of the number of bits of the longest monomial at these sizes.
fn longest(e: &Expr, sizes: &BTreeMap<Var, BigInt>) -> f64 {
    let bits = |n: &BigInt| n.bits().to_f64().unwrap_or(f64::INFINITY);
    e.terms()
        .map(|(m, _)| {
            let powers: f64 = (m.powers.iter())
                .filter_map(|(v, &k)| Some(bits(sizes.get(v)?) * f64::from(k)))
                .sum();
            let exponentials: f64 = (m.exponentials.iter())
                .filter_map(|(v, base)| {
                    let exponent = sizes.get(v)?.to_f64().unwrap_or(f64::INFINITY).abs();
                    Some(exponent * bits(base.numer()).max(bits(base.denom())))
                })
                .sum();
            let atoms: f64 = (m.atoms.iter())
                .map(|(atom, &k)| {
                    let argument = sizes_of(atom, sizes);
                    let value = match atom {
                        Atom::Floor(_) | Atom::Log { .. } => argument.log2().max(1.0),
                        Atom::CFinite { coefficients, .. } => {
                            let widest = coefficients
                                .iter()
                                .map(|c| bits(c.numer()) + bits(c.denom()));
                            argument * (1.0 + widest.fold(0.0, f64::max))
                        }
                        Atom::Factorial(_) => argument * argument.log2(),
                        Atom::Arrangements { base, .. } => {
                            argument * (argument.log2() + bits(base.numer()) + bits(base.denom()))
                        }
                    };
                    value * f64::from(k)
                })
                .sum();
            let of_atoms: f64 = (m.atom_exponentials.iter())
                .map(|(atom, base)| {
                    let argument = sizes_of(atom, sizes);
                    let exponent = match atom {
                        Atom::Log { .. } => argument.log2().max(1.0),
                        Atom::Floor(_)
                        | Atom::CFinite { .. }
                        | Atom::Factorial(_)
                        | Atom::Arrangements { .. } => argument,
                    };
                    exponent * bits(base.numer()).max(bits(base.denom()))
                })
                .sum();
            powers + exponentials + atoms + of_atoms
        })
        .fold(0.0, f64::max)
}

/// Returns an upper estimate of the value of an atom's argument. It is at least 2.
fn sizes_of(atom: &Atom, sizes: &BTreeMap<Var, BigInt>) -> f64 {
    let number = |n: &BigInt| n.to_f64().unwrap_or(f64::INFINITY).abs();
    let terms = atom.argument().terms().map(|(m, c)| {
        let of = m.powers.keys().next().and_then(|v| sizes.get(v));
        of.map_or(1.0, number) * (number(c.numer()) / number(c.denom()))
    });
    2.0 + terms.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use costlens_algebra::rat;
    use costlens_analysis::report::PieceKind;
    use costlens_analysis::types::Metric;

    use super::*;
    use crate::samples::{at_least, exact, interval, n, nrev, piece};

    fn given(argument: usize, value: i64) -> GivenSize {
        GivenSize {
            argument,
            element: false,
            name: None,
            metric: None,
            value: value.into(),
        }
    }

    #[test]
    fn a_bound_has_its_exact_value() {
        let at = steps_at(&nrev(), &[given(1, 30)]);
        assert_eq!(at.all.upper, BoundValue::Exact(rat(496)));
        assert_eq!(at.all.upper.exact().as_deref(), Some("496"));
        assert_eq!(at.first.lower.at_most(), Some(496.0));
    }

    #[test]
    fn a_size_that_is_not_given_may_not_matter() {
        let mut report = nrev();
        let m = Var(7);
        report.sizes.push(SizeVariable {
            var: m,
            argument: 2,
            metric: Metric::Length,
            element: false,
            name: "m".to_owned(),
        });
        // The upper bound is 2·n+n·m+1.
        let e = &(&n().scale(&rat(2)) + &(&n() * &Expr::var(m))) + &Expr::int(1);
        report.steps = vec![piece(at_least(0), exact(&e), PieceKind::Bounded)];
        let upper = |sizes: &[GivenSize]| steps_at(&report, sizes).all.upper;
        assert_eq!(upper(&[given(1, 0)]), BoundValue::Exact(rat(1)));
        assert_eq!(upper(&[given(1, 1)]), BoundValue::Unknown);
        assert_eq!(
            upper(&[given(1, 1), given(2, 3)]),
            BoundValue::Exact(rat(6))
        );
    }

    #[test]
    fn the_piece_that_holds_the_sizes_counts() {
        let mut report = nrev();
        report.sizes[0].metric = Metric::Int;
        let below = Region::everything()
            .and(costlens_algebra::Constraint::le(&n(), &Expr::int(-1)).unwrap());
        let forever = interval(Bound::Infinite, Bound::Infinite);
        report
            .steps
            .push(piece(below, forever, PieceKind::Diverges));
        assert_eq!(
            steps_at(&report, &[given(1, -4)]).all.upper,
            BoundValue::Infinite
        );
        assert_eq!(
            steps_at(&report, &[given(1, 2)]).all.upper,
            BoundValue::Exact(rat(6))
        );
        assert_eq!(steps_at(&report, &[]).all.upper, BoundValue::Unknown);
    }

    #[test]
    fn no_list_has_a_negative_length_and_other_metrics_determine_nothing() {
        assert_eq!(
            steps_at(&nrev(), &[given(1, -1)]).all.upper,
            BoundValue::Unknown
        );
        let mut depth = given(1, 4);
        depth.metric = Some("depth".to_owned());
        assert_eq!(steps_at(&nrev(), &[depth]).all.upper, BoundValue::Unknown);
    }

    #[test]
    fn a_value_too_long_to_write_is_not_computed() {
        let mut report = nrev();
        let e = Expr::exponential(&rat(2), Var(0)).unwrap();
        report.steps = vec![piece(at_least(0), exact(&e), PieceKind::Bounded)];
        let at = steps_at(&report, &[given(1, i64::MAX)]);
        assert_eq!(at.all.upper, BoundValue::Unknown);
        // The value exceeds the range of floating point, but is exact.
        let at = steps_at(&report, &[given(1, 2000)]);
        assert_eq!(at.all.upper.at_least(), None);
        assert!(at.all.upper.exact().is_some());
    }

    use costlens_algebra::Region;
}
