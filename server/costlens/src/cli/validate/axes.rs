//! The sizes for which inputs are generated, and the order in which they grow.

use costlens_algebra::Var;
use costlens_analysis::report::{Bound, PatternReport, SizeVariable};
use costlens_analysis::types::Metric;
use costlens_ide::attained::mentioned;
use costlens_ide::present::values::GivenSize;
use costlens_machine::generate::Type;
use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _};

/// Names for sizes that have no name in bounds.
const NAMES: [&str; 10] = ["n", "m", "k", "l", "p", "q", "r", "s", "t", "u"];
/// The number of the first additional size's variable; the variables of a pattern have much smaller numbers.
const BEYOND: u32 = 1 << 20;
/// The maximum number of combinations of small sizes.
const MOST_SMALL: usize = 48;
/// The default largest size of a term, and the default largest integer.
const LARGEST: (i64, i64) = (600, 70_000);

/// Returns the sizes for which inputs are generated: the sizes on which some bound depends or, if an upper bound is missing, the sizes of
/// all arguments.
pub(super) fn axes(reports: &[&PatternReport], types: &[Type]) -> Vec<SizeVariable> {
    let mut found: Vec<SizeVariable> = Vec::new();
    let add = |found: &mut Vec<SizeVariable>, size: &SizeVariable| {
        if !found.iter().any(|s| is_same(s, size)) {
            found.push(size.clone());
        }
    };
    for report in reports {
        for size in mentioned(report) {
            add(&mut found, size);
        }
    }
    let is_unknown = |report: &&&PatternReport| {
        let mut pieces = report.steps.iter();
        pieces.any(|piece| piece.all.upper == Bound::Unknown)
    };
    if reports.iter().any(|report| is_unknown(&report)) {
        for (i, ty) in types.iter().enumerate() {
            if found.iter().any(|s| s.argument == i + 1 && !s.element) {
                continue;
            }
            let known = reports.iter().flat_map(|r| &r.sizes);
            let known = { known }.find(|s| s.argument == i + 1 && !s.element);
            let made = || made(&found, i + 1, metric(ty)?);
            if let Some(size) = known.cloned().or_else(made) {
                add(&mut found, &size);
            }
        }
    }
    found.sort_by_key(|s| (s.element, s.argument));
    found
}

fn is_same(a: &SizeVariable, b: &SizeVariable) -> bool {
    (a.argument, a.element, a.metric) == (b.argument, b.element, b.metric)
}

/// Returns a size of an argument that no bound mentions.
fn made(others: &[SizeVariable], argument: usize, metric: Metric) -> Option<SizeVariable> {
    let is_free = |name: &&str| others.iter().all(|s| s.name != **name);
    Some(SizeVariable {
        var: Var(BEYOND + u32::try_from(argument).ok()?),
        argument,
        metric,
        element: false,
        name: (NAMES.iter().find(|name| is_free(name))).map(|&name| name.to_owned())?,
    })
}

fn metric(ty: &Type) -> Option<Metric> {
    Metric::from_name(ty.metric()?)
}

/// A series of sizes to be tried in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Series {
    /// The index of the growing size; `None` for small sizes and for sizes that grow together.
    pub(super) growing: Option<usize>,
    /// The values of all sizes, in ascending order.
    pub(super) vectors: Vec<Vec<BigInt>>,
}

/// The sizes that the user requested.
#[derive(Clone, Debug, Default)]
pub(super) struct AxesRequest {
    /// The values of growing sizes.
    pub(super) values: Option<Vec<i64>>,
    /// Sizes that stay fixed.
    pub(super) fixed: Vec<GivenSize>,
}

impl AxesRequest {
    fn fixed(&self, size: &SizeVariable) -> Option<&BigInt> {
        let is_it = |given: &&GivenSize| match &given.name {
            Some(name) => *name == size.name,
            None => given.argument == size.argument && given.element == size.element,
        };
        self.fixed.iter().find(is_it).map(|given| &given.value)
    }

    /// Returns the first requested size that is not an axis.
    pub(super) fn unmet(&self, axes: &[SizeVariable]) -> Option<&GivenSize> {
        let met = |given: &GivenSize| {
            let one = AxesRequest {
                fixed: vec![given.clone()],
                values: None,
            };
            axes.iter().any(|size| one.fixed(size).is_some())
        };
        self.fixed.iter().find(|given| !met(given))
    }
}

/// Returns the value of each size while another size grows.
pub(super) fn base(axes: &[SizeVariable], wish: &AxesRequest) -> Vec<BigInt> {
    let usual = |size: &SizeVariable| match size.metric {
        Metric::Length | Metric::Int | Metric::Chars | Metric::Keys => 4,
        // Most types have a term with five nodes.
        Metric::Size => 5,
    };
    (axes.iter())
        .map(|size| (wish.fixed(size).cloned()).unwrap_or_else(|| usual(size).into()))
        .collect()
}

/// Returns the series to try: each size growing alone, then all growing together, then all combinations of small sizes.
pub(super) fn series(axes: &[SizeVariable], wish: &AxesRequest) -> Vec<Series> {
    let base = base(axes, wish);
    let growing: Vec<usize> = (0..axes.len())
        .filter(|&i| wish.fixed(&axes[i]).is_none())
        .collect();
    let mut all = Vec::new();
    for &i in &growing {
        let vectors = values(&axes[i], wish).into_iter().map(|value| {
            let mut vector = base.clone();
            vector[i] = value.into();
            vector
        });
        all.push(Series {
            growing: Some(i),
            vectors: vectors.collect(),
        });
    }
    if growing.len() > 1 {
        let vectors = values(&axes[growing[0]], wish).into_iter().map(|value| {
            let grows = |(i, fixed): (usize, &BigInt)| match growing.contains(&i) {
                true => value.into(),
                false => fixed.clone(),
            };
            base.iter().enumerate().map(grows).collect()
        });
        all.push(Series {
            growing: None,
            vectors: vectors.collect(),
        });
    }
    if wish.values.is_none() {
        all.push(Series {
            growing: None,
            vectors: small(axes, &base, &growing),
        });
    }
    if growing.is_empty() {
        all.push(Series {
            growing: None,
            vectors: vec![base],
        });
    }
    all
}

/// Returns all combinations of small values, including negative integers; fewer values of each if there are many sizes.
fn small(axes: &[SizeVariable], base: &[BigInt], growing: &[usize]) -> Vec<Vec<BigInt>> {
    let values = |size: &SizeVariable| -> Vec<i64> {
        match size.metric {
            Metric::Length | Metric::Chars | Metric::Keys => vec![1, 0, 2, 3],
            Metric::Int => vec![1, 0, 2, -1, 3, -5],
            Metric::Size => vec![1, 3, 2, 7],
        }
    };
    let room = |kept: usize| kept.checked_pow(u32::try_from(growing.len()).unwrap_or(u32::MAX));
    let kept = (1..=6)
        .take_while(|&k| room(k).is_some_and(|r| r <= MOST_SMALL))
        .last()
        .unwrap_or(1);
    let mut found = vec![base.to_vec()];
    for &i in growing {
        let of_size = values(&axes[i]);
        found = (found.iter())
            .flat_map(|vector| {
                of_size.iter().take(kept).map(|&value| {
                    let mut vector = vector.clone();
                    vector[i] = value.into();
                    vector
                })
            })
            .take(MOST_SMALL)
            .collect();
    }
    found.sort_by_key(|v| v.iter().map(|k| k.abs()).sum::<BigInt>());
    found
}

/// Returns the values of a growing size: every value up to six, then increases by a quarter.
fn values(size: &SizeVariable, wish: &AxesRequest) -> Vec<i64> {
    let least = size.metric.least().unwrap_or(i64::MIN);
    if let Some(values) = &wish.values {
        return values.iter().copied().filter(|&v| v >= least).collect();
    }
    let most = match size.metric {
        Metric::Int => LARGEST.1,
        Metric::Length | Metric::Size | Metric::Chars | Metric::Keys => LARGEST.0,
    };
    let mut found: Vec<i64> = (0..=6).filter(|&v| v >= least).collect();
    let mut value = 8.0;
    while value <= most as f64 {
        found.push(value as i64);
        // Binary trees have only odd sizes.
        if size.metric == Metric::Size && !size.element {
            found.push(value as i64 + 1);
        }
        value = (value * 1.25).ceil();
    }
    found
}

/// Converts a size to a float, for drawings and fits.
pub(super) fn number(size: &BigInt) -> f64 {
    size.to_f64().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(argument: usize, metric: Metric, name: &str) -> SizeVariable {
        SizeVariable {
            var: Var(u32::try_from(argument).unwrap()),
            argument,
            metric,
            element: false,
            name: name.to_owned(),
        }
    }

    #[test]
    fn each_size_grows_by_itself_and_all_grow_together() {
        let axes = [size(1, Metric::Length, "n"), size(3, Metric::Int, "m")];
        let all = series(&axes, &AxesRequest::default());
        let growing: Vec<Option<usize>> = all.iter().map(|s| s.growing).collect();
        assert_eq!(growing, [Some(0), Some(1), None, None]);
        assert!(all[0].vectors.iter().all(|v| v[1] == BigInt::from(4)));
        assert!(all[2].vectors.iter().all(|v| v[0] == v[1]));
        let is_negative = |v: &Vec<BigInt>| v[1] < BigInt::from(0);
        assert!(all[3].vectors.iter().any(is_negative));
        assert!(all.iter().flat_map(|s| &s.vectors).all(|v| v.len() == 2));
    }

    #[test]
    fn a_size_that_is_given_does_not_grow() {
        let axes = [size(1, Metric::Length, "n"), size(2, Metric::Length, "m")];
        let given = |argument| GivenSize {
            argument,
            element: false,
            name: None,
            metric: None,
            value: 9.into(),
        };
        let wish = AxesRequest {
            values: Some(vec![5, 10]),
            fixed: vec![given(2)],
        };
        let all = series(&axes, &wish);
        assert_eq!(all.len(), 1);
        let expected: Vec<Vec<BigInt>> = vec![vec![5.into(), 9.into()], vec![10.into(), 9.into()]];
        assert_eq!(all[0].vectors, expected);
        assert_eq!(wish.unmet(&axes), None);
        let wrong = AxesRequest {
            values: None,
            fixed: vec![given(3)],
        };
        assert_eq!(wrong.unmet(&axes), Some(&given(3)));
    }

    #[test]
    fn without_sizes_there_is_one_vector() {
        let all = series(&[], &AxesRequest::default());
        assert!(all.iter().all(|s| s.vectors.iter().all(Vec::is_empty)));
        assert!(!all.is_empty());
    }
}
