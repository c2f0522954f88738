//! Crossover sizes of two predicates, for `costlens explain --against`.

use costlens_analysis::report::PredicateReport;
use costlens_ide::present::indicator;
use costlens_ide::reports::crossover::{Cheaper, SizeStretch, crossover};

/// The comparison of two predicates.
pub(super) struct Compared {
    /// The names of the predicates.
    pub(super) first: String,
    pub(super) second: String,
    /// The ranges of sizes by resource; `None` if the comparison does not depend on a size.
    pub(super) by: Vec<(&'static str, Option<Vec<SizeStretch>>)>,
}

impl Compared {
    /// Compares steps, and time if a platform was named, under the most informative patterns.
    pub(super) fn new(
        steps: (&PredicateReport, &PredicateReport),
        time: Option<(&PredicateReport, &PredicateReport)>,
    ) -> Self {
        let compare =
            |(a, b): (&PredicateReport, &PredicateReport)| crossover(a.telling()?, b.telling()?);
        let by_time = time.map(|reports| ("time", compare(reports)));
        Compared {
            first: indicator(&steps.0.predicate),
            second: indicator(&steps.1.predicate),
            by: std::iter::once(("steps", compare(steps)))
                .chain(by_time)
                .collect(),
        }
    }

    /// Returns the predicate whose cost is proved to be at most that of the other predicate. Returns `None` if the costs are equal, or if
    /// neither predicate is proved cheaper.
    pub(super) fn no_more(&self, cheaper: Cheaper) -> Option<&str> {
        match cheaper {
            Cheaper::First => Some(&self.first),
            Cheaper::Second => Some(&self.second),
            Cheaper::Same | Cheaper::Open => None,
        }
    }

    /// Formats the comparison as text: a line for each range.
    pub(super) fn text(&self) -> String {
        let mut out = format!("\ncompared with {}, all sizes being n\n", self.second);
        for (resource, stretches) in &self.by {
            let Some(stretches) = stretches else {
                out.push_str(&format!("  {resource}: no bound mentions a size\n"));
                continue;
            };
            for stretch in stretches {
                let sizes = match &stretch.to {
                    Some(to) if *to == stretch.from => format!("n = {to}"),
                    Some(to) => format!("n = {} to {to}", stretch.from),
                    None => format!("n ≥ {}", stretch.from),
                };
                let what = match (self.no_more(stretch.cheaper), stretch.cheaper) {
                    (Some(name), _) => format!("{name} takes no more"),
                    (None, Cheaper::Same) => "both take the same".to_owned(),
                    (None, _) => "not decided by the bounds".to_owned(),
                };
                out.push_str(&format!("  {resource}, {sizes}: {what}\n"));
            }
        }
        out
    }
}
