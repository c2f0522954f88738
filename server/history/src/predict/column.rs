//! Estimates one column, such as a block's count, for a new call, from all runs.
//!
//! The methods, from the most to the least certain: the same count in every run; a function of the inputs that equals every count; and
//! otherwise, whichever of the fits and the neighbours has the smallest leave-one-out error.

use super::exact::exact;
use super::linear::{Fit, fit};
use super::neighbours::{WIDTHS, Weights};
use super::table::{Feature, distances, groups};

/// The methods of an estimate, the most certain first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// The count is the same in every run.
    Constant,
    /// The count of every run equals a function of the inputs.
    Exact,
    /// The estimate is a fit of terms of the inputs.
    Fitted,
    /// The estimate is a fit plus its residuals, estimated from neighbours.
    FittedNeighbours,
    /// The estimate is the mean of runs with similar inputs.
    Neighbours,
}

impl Method {
    /// Returns the word for the method.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Method::Constant => "constant",
            Method::Exact => "exact on all runs",
            Method::Fitted => "fitted",
            Method::FittedNeighbours => "fitted, with neighbours",
            Method::Neighbours => "neighbours",
        }
    }
}

/// The estimate of a column.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    /// The leave-one-out estimates of the runs; the last value is the estimate for the call.
    pub(crate) values: Vec<f64>,
    pub(crate) method: Method,
    /// The mean absolute logarithm of the ratios between estimates and values.
    error: f64,
}

/// A set of inputs, prepared for estimates of columns.
pub(crate) struct Space<'f> {
    features: Vec<&'f Feature>,
    /// The values of terms of bounds for each run, followed by those for the call.
    shapes: Vec<Vec<f64>>,
    runs: usize,
    groups: Vec<usize>,
    weights: Vec<Weights>,
}

/// The maximum number of inputs whose products are used as terms; for more inputs, only powers are used.
const MOST_MIXED: usize = 4;
/// The highest degree of terms.
const DEGREE: u32 = 4;
/// The number of best fits whose residuals are also estimated from neighbours, which takes most of the time.
const CORRECTED: usize = 5;
/// The factor by which a less certain method must reduce the error to be used.
const BETTER: f64 = 0.97;

impl<'f> Space<'f> {
    pub(crate) fn new(features: Vec<&'f Feature>, shapes: Vec<Vec<f64>>, runs: usize) -> Self {
        let distances = distances(&features, runs);
        Space {
            groups: groups(&features, runs),
            weights: WIDTHS.map(|width| Weights::new(&distances, width)).to_vec(),
            features,
            shapes,
            runs,
        }
    }

    /// Returns the weights of runs for each other and for the call.
    pub(crate) fn nearness(&self) -> Vec<Vec<f64>> {
        // Choose the width large enough to include some neighbours.
        let distances = distances(&self.features, self.runs);
        let rows = distances.iter().enumerate();
        rows.map(|(own, row)| super::neighbours::weights(row, 0.1, Some(own)))
            .collect()
    }

    /// Estimates a column.
    pub(crate) fn estimate(&self, counts: &[f64]) -> Estimate {
        let first = counts.first().copied().unwrap_or(0.0);
        if counts.iter().all(|c| *c == first) {
            return Estimate {
                values: vec![first; self.runs + 1],
                method: Method::Constant,
                error: 0.0,
            };
        }
        if let Some(found) = self.exact(counts) {
            return found;
        }
        let mut best = self.neighbours(counts);
        let mut offer = |found: Estimate, much: f64| {
            if found.error < best.error * much {
                best = found;
            }
        };
        let mut fits = self.fits(counts);
        fits.sort_by(|a, b| a.error.total_cmp(&b.error));
        for (rank, fitted) in fits.into_iter().enumerate() {
            let with = (rank < CORRECTED).then(|| self.with_neighbours(&fitted, counts));
            offer(fitted, 1.0 / BETTER);
            if let Some(with) = with {
                offer(with, BETTER);
            }
        }
        best
    }

    fn judged(&self, values: Vec<f64>, method: Method, counts: &[f64]) -> Estimate {
        let off =
            |(value, count): (&f64, &f64)| ((value.max(0.0) + 1.0) / (count + 1.0)).ln().abs();
        let sum: f64 = values.iter().zip(counts).map(off).sum();
        let runs = u32::try_from(counts.len().max(1)).unwrap_or(u32::MAX);
        Estimate {
            error: match values.iter().all(|v| v.is_finite()) {
                true => sum / f64::from(runs),
                false => f64::INFINITY,
            },
            values,
            method,
        }
    }

    /// Estimates from neighbours with the best width.
    pub(crate) fn neighbours(&self, counts: &[f64]) -> Estimate {
        let of =
            |weights: &Weights| self.judged(weights.estimates(counts), Method::Neighbours, counts);
        let all = self.weights.iter().map(of);
        let best = all.min_by(|a, b| a.error.total_cmp(&b.error));
        best.unwrap_or_else(|| {
            self.judged(vec![f64::NAN; self.runs + 1], Method::Neighbours, counts)
        })
    }

    /// Estimates from neighbours with a given width.
    pub(crate) fn neighbours_of(&self, counts: &[f64], width: f64) -> Estimate {
        match self.weights.iter().find(|w| w.width == width) {
            Some(weights) => self.judged(weights.estimates(counts), Method::Neighbours, counts),
            None => self.neighbours(counts),
        }
    }

    /// Adds the residuals, estimated from neighbours, to a fit.
    fn with_neighbours(&self, fitted: &Estimate, counts: &[f64]) -> Estimate {
        // Residuals are factors: a fit may have the right shape but the wrong scale.
        let residuals: Vec<f64> = (counts.iter().zip(&fitted.values))
            .map(|(count, value)| ((count + 1.0) / (value.max(0.0) + 1.0)).ln())
            .collect();
        let of = |weights: &Weights| {
            let values = weights
                .estimates(&residuals)
                .into_iter()
                .zip(&fitted.values);
            let values = values.map(|(r, v)| (v.max(0.0) + 1.0) * r.exp() - 1.0);
            self.judged(values.collect(), Method::FittedNeighbours, counts)
        };
        let all = self.weights.iter().map(of);
        let best = all.min_by(|a, b| a.error.total_cmp(&b.error));
        best.unwrap_or_else(|| fitted.clone())
    }

    /// Returns the columns of numeric inputs.
    fn numbers(&self) -> Vec<Vec<f64>> {
        let numeric = self
            .features
            .iter()
            .filter(|f| f.is_numeric() && !f.is_constant());
        numeric.map(|f| f.numbers()).collect()
    }

    /// Returns sets of terms, from small to large.
    fn bases(&self) -> Vec<Vec<Vec<f64>>> {
        let numbers = self.numbers();
        let one = vec![1.0; self.runs + 1];
        let mut bases = Vec::new();
        for degree in 1..=DEGREE {
            // Sets with few inputs come first.
            for single in &numbers {
                if numbers.len() > 1 {
                    bases.push(products(std::slice::from_ref(single), degree, &one));
                }
            }
            if numbers.len() > MOST_MIXED {
                let mut basis = vec![one.clone()];
                for single in &numbers {
                    basis.extend(products(std::slice::from_ref(single), degree, &one).split_off(1));
                }
                bases.push(basis);
            } else if !numbers.is_empty() {
                bases.push(products(&numbers, degree, &one));
            }
        }
        if !self.shapes.is_empty() {
            let shape: Vec<Vec<f64>> = [one.clone()]
                .into_iter()
                .chain(self.shapes.clone())
                .collect();
            bases.push(shape.clone());
            bases.extend(
                numbers
                    .iter()
                    .map(|n| [shape.clone(), vec![n.clone()]].concat()),
            );
        }
        for single in &numbers {
            // 2ⁿ and n·log n, in addition to powers.
            let of = |f: &dyn Fn(f64) -> f64| single.iter().map(|&n| f(n)).collect::<Vec<f64>>();
            if single.iter().all(|n| (0.0..=60.0).contains(n)) {
                bases.push(vec![one.clone(), of(&f64::exp2)]);
                bases.push(vec![one.clone(), single.clone(), of(&f64::exp2)]);
                bases.push(vec![one.clone(), of(&f64::exp2), of(&|n| n * n.exp2())]);
            }
            if single.iter().all(|n| *n >= 0.0) {
                let logarithm = |n: f64| (n + 1.0).log2();
                bases.push(vec![one.clone(), of(&logarithm)]);
                bases.push(vec![one.clone(), single.clone(), of(&|n| n * logarithm(n))]);
            }
        }
        bases.sort_by_key(Vec::len);
        bases
    }

    /// Returns the runs of each group, including the call.
    fn members(&self) -> Vec<Vec<usize>> {
        let last = self.groups.iter().max().copied().unwrap_or(0);
        (0..=last)
            .map(|group| {
                (0..=self.runs)
                    .filter(|&i| self.groups[i] == group)
                    .collect()
            })
            .collect()
    }

    fn exact(&self, counts: &[f64]) -> Option<Estimate> {
        let bases = self.bases();
        let asked = *self.groups.last()?;
        let mut values: Vec<f64> = counts.to_vec();
        values.push(f64::NAN);
        for (group, members) in self.members().into_iter().enumerate() {
            let own: Vec<usize> = members.iter().copied().filter(|&i| i < self.runs).collect();
            let of_group: Vec<f64> = own.iter().map(|&i| counts[i]).collect();
            if own.is_empty() {
                continue;
            }
            let same = of_group.iter().all(|c| *c == of_group[0]);
            let found = match same && of_group.len() > 1 {
                true => Some(of_group[0]),
                false => bases.iter().find_map(|basis| {
                    let columns = part(basis, &own, self.runs);
                    exact(&columns, &of_group)
                }),
            };
            let found = found?;
            if group == asked {
                values[self.runs] = found.max(0.0);
            }
        }
        values[self.runs].is_finite().then_some(Estimate {
            values,
            method: Method::Exact,
            error: 0.0,
        })
    }

    /// Fits each set of terms to the counts and to their logarithms.
    fn fits(&self, counts: &[f64]) -> Vec<Estimate> {
        let mut found = Vec::new();
        for basis in self.bases() {
            found.extend(self.fitted(&basis, counts, &|v| v, &|v| v));
        }
        let logarithms: Vec<Vec<f64>> = (self.numbers().iter())
            .filter(|c| c.iter().all(|n| *n > -1.0))
            .map(|c| c.iter().map(|n| n.ln_1p()).collect())
            .collect();
        let one = vec![1.0; self.runs + 1];
        let mut log_bases = Vec::new();
        for columns in [logarithms, self.numbers()] {
            if !columns.is_empty() {
                log_bases.push(products(&columns, 1, &one));
                if columns.len() <= MOST_MIXED {
                    log_bases.push(products(&columns, 2, &one));
                }
            }
        }
        for basis in log_bases {
            found.extend(self.fitted(&basis, counts, &f64::ln_1p, &f64::exp_m1));
        }
        found
    }

    fn fitted(
        &self,
        basis: &[Vec<f64>],
        counts: &[f64],
        to: &dyn Fn(f64) -> f64,
        back: &dyn Fn(f64) -> f64,
    ) -> Option<Estimate> {
        let mut values = vec![f64::NAN; self.runs + 1];
        for members in self.members() {
            let own: Vec<usize> = members.iter().copied().filter(|&i| i < self.runs).collect();
            if own.is_empty() {
                continue;
            }
            let of_group: Vec<f64> = own.iter().map(|&i| to(counts[i].max(0.0))).collect();
            let Fit {
                values: fitted,
                without,
                ..
            } = fit(&part(basis, &own, self.runs), &of_group)?;
            for (&i, value) in own.iter().zip(without) {
                values[i] = back(value).max(0.0);
            }
            if members.contains(&self.runs) {
                values[self.runs] = back(*fitted.last()?).max(0.0);
            }
        }
        let found = self.judged(values, Method::Fitted, counts);
        found.error.is_finite().then_some(found)
    }
}

impl Estimate {
    pub(crate) fn error(&self) -> f64 {
        self.error
    }
}

/// Returns the rows of some runs, followed by the row of the call.
fn part(columns: &[Vec<f64>], runs: &[usize], call: usize) -> Vec<Vec<f64>> {
    let rows = || runs.iter().copied().chain([call]);
    columns
        .iter()
        .map(|c| rows().map(|i| c[i]).collect())
        .collect()
}

/// Returns all products of columns up to a degree, starting with the empty product.
fn products(columns: &[Vec<f64>], degree: u32, one: &[f64]) -> Vec<Vec<f64>> {
    // Each product is stored with the number of its last factor and its degree.
    let mut found: Vec<(Vec<f64>, usize, u32)> = vec![(one.to_vec(), 0, 0)];
    let mut at = 0;
    while at < found.len() {
        let (product, last, of) = found[at].clone();
        at += 1;
        if of == degree {
            continue;
        }
        for (number, column) in columns.iter().enumerate().skip(last) {
            let times = product.iter().zip(column).map(|(a, b)| a * b);
            found.push((times.collect(), number, of + 1));
        }
    }
    found.into_iter().map(|(product, ..)| product).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{InputName, InputValue, Inputs, Measure};

    fn inputs(numbers: &[f64], name: &str) -> Inputs {
        let number = |(i, &n): (usize, &f64)| {
            let name = InputName {
                argument: i + 1,
                measure: Measure::Int,
            };
            (name, InputValue::Number(n))
        };
        let named = InputName {
            argument: 9,
            measure: Measure::Name,
        };
        let mut all: Inputs = numbers.iter().enumerate().map(number).collect();
        all.push((named, InputValue::Name(name.into())));
        all
    }

    fn estimate(runs: &[Inputs], counts: &[f64], asked: &Inputs) -> Estimate {
        let rows: Vec<&Inputs> = runs.iter().collect();
        let features: Vec<Feature> = (asked.iter())
            .map(|(name, _)| Feature::new(*name, &rows, asked))
            .collect();
        let varying = features.iter().filter(|f| !f.is_constant()).collect();
        Space::new(varying, Vec::new(), runs.len()).estimate(counts)
    }

    #[test]
    fn products_are_each_once() {
        let one = vec![1.0];
        let found = products(&[vec![2.0], vec![3.0]], 2, &one);
        assert_eq!(found.concat(), [1.0, 2.0, 3.0, 4.0, 6.0, 9.0]);
    }

    #[test]
    fn a_product_of_two_inputs_is_exact() {
        let runs: Vec<Inputs> = (1..=40_u32)
            .map(|i| inputs(&[f64::from(i % 7 + 1), f64::from(i % 11 + 2)], "a"))
            .collect();
        let of = |i: &Inputs| {
            let n = |k: usize| i[k].1.number().unwrap();
            3.0 * n(0) * n(1) + n(1) + 2.0
        };
        let counts: Vec<f64> = runs.iter().map(of).collect();
        let asked = inputs(&[50.0, 60.0], "a");
        let found = estimate(&runs, &counts, &asked);
        assert_eq!(found.method, Method::Exact);
        assert_eq!(found.values[40], of(&asked));
    }

    #[test]
    fn each_name_has_a_function_of_its_own() {
        let runs: Vec<Inputs> = (1..=30_u32)
            .map(|i| inputs(&[f64::from(i)], if i % 2 == 0 { "up" } else { "down" }))
            .collect();
        let counts: Vec<f64> = (1..=30_u32)
            .map(|i| f64::from(if i % 2 == 0 { 2 * i } else { 5 * i + 1 }))
            .collect();
        let found = estimate(&runs, &counts, &inputs(&[100.0], "down"));
        assert_eq!((found.method, found.values[30]), (Method::Exact, 501.0));
    }

    #[test]
    fn what_only_nears_a_shape_is_fitted() {
        let runs: Vec<Inputs> = (1..=60_u32).map(|i| inputs(&[f64::from(i)], "a")).collect();
        let counts: Vec<f64> = (1..=60_u32)
            .map(|i| f64::from(10 * i * i + (i * 7919) % 23))
            .collect();
        let found = estimate(&runs, &counts, &inputs(&[90.0], "a"));
        assert!(
            matches!(found.method, Method::Fitted | Method::FittedNeighbours),
            "{found:?}"
        );
        assert!(
            (found.values[60] / 81_000.0 - 1.0).abs() < 0.02,
            "{found:?}"
        );
    }

    #[test]
    fn what_has_no_shape_comes_from_neighbours() {
        let step = |n: u32| f64::from((n / 10) * 7919 % 101);
        let runs: Vec<Inputs> = (0..200_u32).map(|i| inputs(&[f64::from(i)], "a")).collect();
        let counts: Vec<f64> = (0..200).map(step).collect();
        let found = estimate(&runs, &counts, &inputs(&[55.0], "a"));
        assert!(found.method >= Method::FittedNeighbours, "{found:?}");
        assert!((found.values[200] - step(55)).abs() < 1.0, "{found:?}");
    }
}
