//! Upper bounds evaluated at sizes for which there is no closed form.

use std::collections::BTreeMap;

use costlens_algebra::Rat;
use costlens_analysis::report;
use costlens_ide::present::values::BoundValue;
use num_bigint::BigInt;
use serde::Serialize;

use super::{Number, upper};

/// An upper bound that was evaluated at sizes for which there is no closed form, in addition to `at`, the value of the printed expression.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EvaluatedPoint {
    steps: EvaluatedSteps,
}

/// An evaluated upper bound on steps.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EvaluatedSteps {
    first: Upper,
    all: Upper,
    upper: Option<Number>,
    /// The digits.
    exact_upper: String,
}

/// An upper value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Upper {
    upper: Option<Number>,
}

/// An evaluated upper bound and its sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EvaluatedAt {
    #[serde(flatten)]
    point: EvaluatedPoint,
    /// The sizes, by name.
    sizes: BTreeMap<String, i64>,
}

/// Converts an upper bound evaluated at sizes for which there is no closed form.
pub(super) fn evaluated_point(point: &report::EvaluatedPoint) -> EvaluatedPoint {
    let number = |n: &BigInt| upper(&BoundValue::Exact(Rat::from_integer(n.clone())));
    let all = number(&point.all);
    EvaluatedPoint {
        steps: EvaluatedSteps {
            first: Upper {
                upper: number(&point.first),
            },
            all: Upper { upper: all },
            upper: all,
            exact_upper: point.all.to_string(),
        },
    }
}

/// Converts upper bounds evaluated at several sizes.
pub(super) fn evaluated(evaluated: &report::Evaluated) -> Vec<EvaluatedAt> {
    let points = evaluated.points.iter().map(|point| {
        let names = evaluated.sizes.iter().map(|s| s.name.clone());
        EvaluatedAt {
            point: evaluated_point(point),
            sizes: names.zip(point.sizes.iter().copied()).collect(),
        }
    });
    points.collect()
}
