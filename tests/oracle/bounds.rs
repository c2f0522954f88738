//! The bounds that the binary prints, and the check that a counted run keeps within them.

use std::sync::Arc;

use num_bigint::BigInt;
use serde_json::Value;

use crate::generate::{Type, Types};
use crate::machine::{Count, Outcome};

/// One size that the bounds of a pattern mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) argument: usize,
    pub(crate) element: bool,
    pub(crate) metric: String,
}

/// The binary's output about a predicate under one pattern.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) name: String,
    pub(crate) arity: usize,
    /// The index of the pattern in the report; `--sizes` uses the first one.
    pub(crate) pattern: usize,
    pub(crate) types: Vec<String>,
    pub(crate) modes: Vec<String>,
    pub(crate) determinism: String,
    pub(crate) errors_excluded: bool,
    /// True if upper bounds hold only if some goal or predicate has at most one solution, which a run may contradict.
    pub(crate) assumes_single: bool,
    /// True if there is a finite upper bound on steps.
    pub(crate) ends: bool,
    pub(crate) sizes: Vec<Size>,
}

/// Returns every pattern of every predicate in the JSON of `costlens bounds`.
pub(crate) fn claims(json: &Value) -> Result<Vec<Claim>, String> {
    let predicates = json["predicates"]
        .as_array()
        .ok_or("no `predicates` in the JSON")?;
    let mut found = Vec::new();
    for predicate in predicates {
        let name = string(predicate, "name")?;
        let arity = predicate["arity"].as_u64().ok_or("no `arity`")?;
        for (index, pattern) in predicate["patterns"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            let mut sizes = Vec::new();
            for size in pattern["sizes"].as_array().into_iter().flatten() {
                let argument = size["argument"].as_u64().ok_or("no `argument` in a size")?;
                sizes.push(Size {
                    argument: usize::try_from(argument).unwrap(),
                    element: size["element"].as_bool().unwrap_or(false),
                    metric: string(size, "metric")?,
                });
            }
            let mut assumes = pattern["assumes"].as_array().into_iter().flatten();
            let is_about_solutions =
                |a: &Value| a["kind"] == "at-most-one-solution" || a["kind"] == "own-assumptions";
            let assumes_single = assumes.any(is_about_solutions);
            found.push(Claim {
                name: name.clone(),
                arity: usize::try_from(arity).unwrap(),
                pattern: index,
                types: strings(&pattern["types"]),
                modes: strings(&pattern["modes"]),
                determinism: match assumes_single {
                    true => "nondet".to_owned(),
                    false => string(pattern, "determinism")?,
                },
                errors_excluded: pattern["errors"] == "excluded",
                assumes_single,
                ends: (pattern["bounds"]["steps"]["all"]["upper"].as_str())
                    .is_some_and(|upper| upper != "inf"),
                sizes,
            });
        }
    }
    Ok(found)
}

fn string(of: &Value, field: &str) -> Result<String, String> {
    of[field]
        .as_str()
        .map(str::to_string)
        .ok_or_else(|| format!("no `{field}` in {of}"))
}

fn strings(of: &Value) -> Vec<String> {
    of.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_string)
        .collect()
}

impl Claim {
    /// Returns the types of the arguments; `None` if the oracle does not support one of them.
    pub(crate) fn input_types(&self, defined: &Arc<Types>) -> Option<Vec<Type>> {
        self.types
            .iter()
            .zip(&self.modes)
            .map(|(ty, mode)| {
                if mode == "-" {
                    Some(Type::Free)
                } else {
                    Type::read(ty, defined)
                }
            })
            .collect()
    }

    /// Returns one line for `--sizes`.
    pub(crate) fn query(&self, sizes: &[Option<BigInt>]) -> String {
        let mut given = Vec::new();
        for (size, value) in self.sizes.iter().zip(sizes) {
            // `costlens bounds --sizes` reads JSON numbers of 64 bits; a larger size is omitted, and the answer then covers no size or every size.
            if let Some(value) = value
                && i64::try_from(value).is_ok()
            {
                let element = if size.element { ".e" } else { "" };
                given.push(format!("\"{}{element}\":{value}", size.argument));
            }
        }
        let name = Value::from(format!("{}/{}", self.name, self.arity));
        format!("{{\"pred\":{name},\"sizes\":{{{}}}}}", given.join(","))
    }

    /// Returns the sizes in the syntax of `--at`. Without any, a size of no argument requests the bounds anyway.
    pub(crate) fn at_option(&self, sizes: &[Option<BigInt>]) -> String {
        let mut given = Vec::new();
        for (size, value) in self.sizes.iter().zip(sizes) {
            if let Some(value) = value {
                given.push(format!(
                    "{}{}={value}",
                    size.argument,
                    if size.element { ".e" } else { "" }
                ));
            }
        }
        if given.is_empty() {
            "99=0".into()
        } else {
            given.join(",")
        }
    }

    /// Returns every way in which a run contradicts the claim; `at` are the bounds at the sizes of the run's goal.
    pub(crate) fn violations(&self, at: &Value, count: &Count) -> Vec<String> {
        let mut found = Vec::new();
        self.check(
            &at["steps"]["first"],
            "first",
            &count.first,
            count.first_steps,
            &mut found,
        );
        self.check(
            &at["steps"]["all"],
            "all",
            &count.all,
            count.all_steps,
            &mut found,
        );
        if self.errors_excluded
            && let Outcome::Exception(ball) = &count.all
            // `errors` does not cover running out of memory (a power of huge numbers), which any program can do.
            && !ball.contains("resource_error(")
        {
            found.push(format!("errors are excluded, but the call throws {ball}"));
        }
        let complete = matches!(count.all, Outcome::Success | Outcome::Failure);
        let many = match self.determinism.as_str() {
            "det" => count.solutions > 1 || (complete && count.solutions == 0),
            "semidet" => count.solutions > 1,
            "multi" => complete && count.solutions == 0,
            "failure" | "erroneous" => count.solutions > 0,
            _ => false,
        };
        if many {
            found.push(format!(
                "it is `{}`, but has {} solutions",
                self.determinism, count.solutions
            ));
        }
        found
    }

    pub(crate) fn check(
        &self,
        interval: &Value,
        phase: &str,
        end: &Outcome,
        steps: u64,
        found: &mut Vec<String>,
    ) {
        let (lower, upper) = (&interval["lower"], &interval["upper"]);
        if interval.get("lower").is_none() || interval.get("upper").is_none() {
            found.push(format!("`at` has no bounds for {phase}: {interval}"));
            return;
        }
        #[expect(
            clippy::cast_precision_loss,
            reason = "counted steps stay far below 2^53"
        )]
        let counted = steps as f64;
        // Upper bounds include runs that end in an exception, and no prefix of a run may count more.
        if let Some(upper) = upper.as_f64()
            && counted > upper
            && !self.assumes_single
        {
            found.push(format!(
                "{phase}: {steps} steps counted, upper bound {upper}"
            ));
        }
        if !matches!(upper, Value::Number(_) | Value::Null) && upper != "inf" {
            found.push(format!(
                "{phase}.upper is no number, null or \"inf\": {upper}"
            ));
        }
        match lower {
            Value::Number(_) if matches!(end, Outcome::Success | Outcome::Failure) => {
                let lower = lower.as_f64().unwrap_or(f64::INFINITY);
                if counted < lower {
                    found.push(format!(
                        "{phase}: {steps} steps counted, lower bound {lower}"
                    ));
                }
            }
            Value::Number(_) | Value::Null => {}
            _ if lower == "inf" => {
                if matches!(end, Outcome::Success | Outcome::Failure) {
                    found.push(format!(
                        "{phase}: said to diverge, but ended ({end:?}) after {steps} steps"
                    ));
                }
            }
            _ => found.push(format!(
                "{phase}.lower is no number, null or \"inf\": {lower}"
            )),
        }
    }
}
