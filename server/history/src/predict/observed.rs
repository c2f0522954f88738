//! Summarises the counts of a predicate's past runs on one line: a function of the inputs that equals every count, or otherwise a growth
//! that approximates the counts, and the observed range.
//!
//! The summary does not predict a new call and is not a bound. It is shown on request, for predicates without a proved bound.

use costlens_algebra::{Expr, Rat, Var};
use num_bigint::BigInt;
use num_traits::FromPrimitive as _;

use super::counts::columns;
use super::exact::factors;
use super::spaces::chosen;
use super::table::Feature;
use super::{FEWEST_RUNS, MOST_RUNS};
use crate::run::{InputName, Inputs, Runs};

/// The counts of one event in past runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PastCounts {
    /// The number of runs.
    pub runs: usize,
    /// The least count.
    pub least: f64,
    /// The greatest count.
    pub most: f64,
    /// The numeric inputs that differ between the runs.
    pub inputs: Vec<InputName>,
    /// A function of these inputs.
    pub function: Option<InputFunction>,
}

/// A function of inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum InputFunction {
    /// A function that equals the count of every run. `Var(i)` is the input with number i.
    Exact(Expr),
    /// A growth that approximates all counts, with its factor.
    Near {
        /// The factor.
        factor: f64,
        /// The growth.
        growth: Growth,
        /// The mean relative error: 0.05 for 5%.
        off: f64,
    },
}

/// A term in the inputs with these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// The logarithm to base 2 of an input plus 1.
    Logarithm(usize),
    /// A power of an input.
    Power(usize, u32),
    /// The product of an input and its logarithm.
    Linearithmic(usize),
    /// The product of two inputs.
    Product(usize, usize),
    /// The power of 2 with an input as exponent.
    Exponential(usize),
}

/// The highest degree of exact functions in one or several inputs.
const DEGREE: u32 = 4;
const DEGREE_MIXED: u32 = 2;
/// The maximum number of inputs of a function that fits on a line.
const MOST_INPUTS: usize = 3;
/// The maximum relative error of a growth.
const NEAR: f64 = 0.15;
/// The minimum number of runs with different inputs that a growth must approximate.
const FEWEST_POINTS: usize = 6;
/// The minimum ratio of the greatest to the least input: in a smaller range, every growth looks similar.
const SPREAD: f64 = 4.0;

/// Summarises the counts of an event in past runs. `sizes` are the inputs in the predicate's bounds; other arguments get their usual
/// measure. Returns `None` if there are too few runs.
#[must_use]
pub fn observed(runs: &Runs, event: &str, sizes: &[InputName]) -> Option<PastCounts> {
    let newest = runs.runs.len().saturating_sub(MOST_RUNS);
    let runs = &Runs {
        blocks: runs.blocks.clone(),
        runs: runs.runs[newest..].to_vec(),
    };
    let count = runs.runs.len();
    if count < FEWEST_RUNS {
        return None;
    }
    let totals = totals(runs, event);
    let rows: Vec<&Inputs> = runs.runs.iter().map(|run| &run.inputs).collect();
    let last = rows[count - 1];
    let (first, _) = chosen(last, &rows, sizes, &|_| true);
    let features: Vec<Feature> = { first.iter() }
        .map(|name| Feature::new(*name, &rows, last))
        .filter(|feature| !feature.is_constant())
        .collect();
    // A function requires all varying inputs to be numbers, not names.
    let are_numbers = features.iter().all(Feature::is_numeric);
    let numbers: Vec<Vec<f64>> = match are_numbers && features.len() <= MOST_INPUTS {
        true => features.iter().map(Feature::numbers).collect(),
        false => Vec::new(),
    };
    Some(PastCounts {
        runs: count,
        least: totals.iter().copied().fold(f64::INFINITY, f64::min),
        most: totals.iter().copied().fold(0.0, f64::max),
        function: exact(&numbers, &totals).or_else(|| fitted_growth(&numbers, &totals)),
        inputs: features.iter().map(|feature| feature.name).collect(),
    })
}

/// Returns the count of an event in each run.
fn totals(runs: &Runs, event: &str) -> Vec<f64> {
    let mut totals = vec![0.0; runs.runs.len()];
    for column in columns(runs, &|_| None) {
        let own = column.events.iter().filter(|(name, _)| name == event);
        let times: f64 = own.map(|(_, times)| times).sum();
        for (total, count) in totals.iter_mut().zip(&column.counts) {
            *total += times * count;
        }
    }
    totals
}

/// Returns the exponents of all products of this number of inputs up to a degree.
fn products(inputs: usize, degree: u32) -> Vec<Vec<u32>> {
    let mut found = vec![vec![0; inputs]];
    let mut at = 0;
    while at < found.len() {
        let of: u32 = found[at].iter().sum();
        // Generate each product once: append factors in order.
        let last = found[at].iter().rposition(|e| *e > 0).unwrap_or(0);
        for input in last..inputs {
            if of < degree {
                let mut next = found[at].clone();
                next[input] += 1;
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

fn exact(numbers: &[Vec<f64>], totals: &[f64]) -> Option<InputFunction> {
    let first = *totals.first()?;
    if totals.iter().all(|total| *total == first) {
        return Some(InputFunction::Exact(Expr::constant(rational(first, 1.0)?)));
    }
    let inputs = numbers.len();
    // Small sets of terms come first.
    let alone = (1..=DEGREE)
        .flat_map(|degree| (0..inputs).map(move |input| (vec![input], products(1, degree))));
    let together = (1..=DEGREE_MIXED)
        .filter(|_| inputs > 1)
        .map(|degree| ((0..inputs).collect(), products(inputs, degree)));
    let mut bases: Vec<(Vec<usize>, Vec<Vec<u32>>)> = alone.chain(together).collect();
    bases.sort_by_key(|(_, terms)| terms.len());
    bases.iter().find_map(|(of, terms)| {
        let column = |exponents: &Vec<u32>| -> Vec<f64> {
            let power = |row: usize, at: usize| {
                numbers[of[at]][row].powi(i32::try_from(exponents[at]).unwrap_or(0))
            };
            let rows = 0..=totals.len();
            rows.map(|row| (0..of.len()).map(|at| power(row, at)).product())
                .collect()
        };
        let columns: Vec<Vec<f64>> = terms.iter().map(column).collect();
        let found = factors(&columns, totals)?;
        let mut sum = Expr::zero();
        for (exponents, (numerator, denominator)) in terms.iter().zip(found) {
            let mut term = Expr::constant(rational(numerator, denominator)?);
            for (at, exponent) in exponents.iter().enumerate() {
                let input = Expr::var(Var(u32::try_from(of[at]).ok()?));
                term = &term * &input.pow(*exponent);
            }
            sum = &sum + &term;
        }
        Some(InputFunction::Exact(sum))
    })
}

fn rational(numerator: f64, denominator: f64) -> Option<Rat> {
    Some(Rat::new(
        BigInt::from_f64(numerator)?,
        BigInt::from_f64(denominator)?,
    ))
}

impl Growth {
    fn value_at(self, numbers: &[Vec<f64>], row: usize) -> f64 {
        let of = |input: usize| numbers[input][row];
        match self {
            Growth::Logarithm(i) => (of(i) + 1.0).log2(),
            Growth::Power(i, k) => of(i).powi(i32::try_from(k).unwrap_or(0)),
            Growth::Linearithmic(i) => of(i) * (of(i) + 1.0).log2(),
            Growth::Product(i, j) => of(i) * of(j),
            Growth::Exponential(i) => of(i).exp2(),
        }
    }
}

/// Returns the growth that approximates all counts best, if it is close enough.
fn fitted_growth(numbers: &[Vec<f64>], totals: &[f64]) -> Option<InputFunction> {
    let mut growths = Vec::new();
    for (input, column) in numbers.iter().enumerate() {
        let column = &column[..totals.len()];
        let least = column.iter().copied().fold(f64::INFINITY, f64::min);
        let most = column.iter().copied().fold(0.0, f64::max);
        let mut points = column.to_vec();
        points.sort_by(f64::total_cmp);
        points.dedup();
        if points.len() < FEWEST_POINTS || most < SPREAD * least.max(1.0) {
            continue;
        }
        growths.extend([
            Growth::Logarithm(input),
            Growth::Power(input, 1),
            Growth::Linearithmic(input),
            Growth::Power(input, 2),
            Growth::Power(input, 3),
        ]);
        if most <= 60.0 {
            growths.push(Growth::Exponential(input));
        }
        growths.extend((0..input).map(|other| Growth::Product(other, input)));
    }
    let found = growths.into_iter().filter_map(|growth| {
        // Errors are factors, so a relative error counts equally at every size. Sizes of 0 have no factor.
        let ratios: Vec<f64> = { totals.iter().enumerate() }
            .map(|(row, total)| (total, growth.value_at(numbers, row)))
            .filter(|(_, value)| *value > 0.0)
            .map(|(total, value)| (total.max(1.0) / value).ln())
            .collect();
        let n = f64::from(u32::try_from(ratios.len()).ok()?);
        if ratios.len() * 10 < totals.len() * 9 {
            return None;
        }
        let mean = ratios.iter().sum::<f64>() / n;
        let off = ratios.iter().map(|r| (r - mean).abs()).sum::<f64>() / n;
        Some(InputFunction::Near {
            factor: mean.exp(),
            growth,
            off: off.exp_m1(),
        })
    });
    let off = |function: &InputFunction| match function {
        InputFunction::Near { off, .. } => *off,
        InputFunction::Exact(_) => 0.0,
    };
    found
        .filter(|function| off(function) <= NEAR)
        .min_by(|a, b| off(a).total_cmp(&off(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{InputValue, Measure, PastRun, RunBlock};

    fn input(argument: usize) -> InputName {
        InputName {
            argument,
            measure: Measure::Int,
        }
    }

    /// Returns runs with two inputs and the given numbers of steps.
    fn runs(inputs: &[(f64, f64)], steps: &dyn Fn(f64, f64) -> u64) -> Runs {
        let run = |&(a, b): &(f64, f64)| PastRun {
            at: 0,
            platform: "embedded".to_owned(),
            ns: 1,
            inputs: vec![
                (input(1), InputValue::Number(a)),
                (input(2), InputValue::Number(b)),
            ],
            counts: vec![(steps(a, b), 0)],
            amounts: Vec::new(),
        };
        Runs {
            blocks: vec![RunBlock {
                name: "b".into(),
                events: vec![("steps".into(), 1)],
                fails: Vec::new(),
            }],
            runs: inputs.iter().map(run).collect(),
        }
    }

    fn grid() -> Vec<(f64, f64)> {
        (0..40_u32)
            .map(|i| (f64::from(i % 8 * 3 + 1), f64::from(i / 8 * 5 + 2)))
            .collect()
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn whole(value: f64) -> u64 {
        value as u64
    }

    #[test]
    fn a_function_that_gives_every_count_is_found() {
        let found = observed(
            &runs(&grid(), &|a, b| whole(2.0 * a * b + b + 3.0)),
            "steps",
            &[],
        );
        let found = found.unwrap();
        assert_eq!((found.runs, found.inputs), (40, vec![input(1), input(2)]));
        let (a, b) = (Expr::var(Var(0)), Expr::var(Var(1)));
        let two = Expr::int(2);
        let wanted = &(&(&two * &(&a * &b)) + &b) + &Expr::int(3);
        assert_eq!(found.function, Some(InputFunction::Exact(wanted)));
    }

    #[test]
    fn one_input_is_enough_where_it_decides() {
        let found = observed(
            &runs(&grid(), &|_, b| whole(b * (b - 1.0) / 2.0)),
            "steps",
            &[],
        );
        let b = Expr::var(Var(1));
        let half = Rat::new(1.into(), 2.into());
        let wanted = (&b.pow(2) + &b.scale(&Rat::from_integer((-1).into()))).scale(&half);
        assert_eq!(found.unwrap().function, Some(InputFunction::Exact(wanted)));
    }

    #[test]
    fn counts_that_come_near_a_growth_have_it() {
        let noisy = |a: f64, b: f64| {
            whole(5.0 * a * a * (1.0 + ((a * 31.0 + b * 7.0) % 11.0 - 5.0) / 60.0))
        };
        let found = observed(&runs(&grid(), &noisy), "steps", &[]).unwrap();
        match found.function {
            Some(InputFunction::Near {
                factor,
                growth: Growth::Power(0, 2),
                off,
            }) => assert!(
                (factor / 5.0 - 1.0).abs() < 0.1 && off < 0.1,
                "{factor} {off}"
            ),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn counts_without_a_shape_have_a_range() {
        let jumps = |a: f64, b: f64| whole(10.0 + (a * 7919.0 + b * 104_729.0) % 101.0);
        let found = observed(&runs(&grid(), &jumps), "steps", &[]).unwrap();
        assert_eq!(found.function, None);
        assert!(found.least >= 10.0 && found.most <= 111.0 && found.least < found.most);
        assert_eq!(observed(&runs(&grid()[..2], &jumps), "steps", &[]), None);
        let none = observed(&runs(&grid(), &jumps), "other", &[]).unwrap();
        assert_eq!((none.least, none.most), (0.0, 0.0));
    }
}
