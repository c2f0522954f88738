//! Past runs in hints: if no bound is proved and the user has enabled it, hints show the counts of runs of the same code:
//! `≈ n²/2 (obs, 40 runs)`.
//!
//! An observation follows the proved part of a hint and never replaces it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Var};
use costlens_analysis::report::{Bound, Functor, SizeVariable};
use costlens_history::predict::{Growth, InputFunction, PastCounts, observed};
use costlens_history::store::History;
use costlens_history::{InputName, input_of};
use costlens_ide::hints::{Arrived, Hint, HintKind};
use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::present::readable;
use costlens_machine::Indexing;
use rustc_hash::FxHashMap;
use tower_lsp::ls_types::Uri;

use super::program::path_of;
use crate::disk;
use crate::prediction::call::{code_of, program};

/// The maximum length of a function in a hint, in characters.
const LONGEST: usize = 30;

/// Returns the file of past runs of a document's program, or `None` if it does not exist.
pub(super) fn file_of(uri: &Uri) -> Option<PathBuf> {
    disk::history::existing(&path_of(uri)?).filter(|file| file.is_file())
}

/// The state of a file of past runs, for detecting changes. Both the file and its log are included, since new runs are first written to the
/// log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp(PathBuf, [Option<(SystemTime, u64)>; 2]);

impl Stamp {
    pub(super) fn read(path: &Path) -> Self {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let state = |path: &Path| {
            let about = std::fs::metadata(path).ok()?;
            Some((about.modified().ok()?, about.len()))
        };
        Stamp(path.to_owned(), [state(path), state(Path::new(&log))])
    }
}

/// The observations for a document's predicates, shared by the workers that compute its hints.
#[derive(Clone, Debug, Default)]
pub(super) struct Observations(Arc<Mutex<ObservationCache>>);

#[derive(Debug, Default)]
struct ObservationCache {
    /// The text of the observation in each predicate's hint, as of the last complete computation.
    texts: BTreeMap<Functor, String>,
    /// The state of the file from which `read` was computed.
    stamp: Option<Stamp>,
    /// The observations, by predicate and code.
    read: FxHashMap<(Functor, String), Option<PastCounts>>,
}

impl Observations {
    fn known(&self) -> std::sync::MutexGuard<'_, ObservationCache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends earlier observations to hints that arrive one by one; new observations are added when all hints are complete.
    pub(super) fn beside_arrived(&self, arrived: Arrived, unknown: bool) -> Arrived {
        let known = self.known();
        match arrived {
            Arrived::Shown(hints) => Arrived::Shown(beside(hints, &known.texts, unknown).collect()),
            Arrived::One { predicate, hint } => Arrived::One {
                hint: beside(hint, &known.texts, unknown).next(),
                predicate,
            },
        }
    }

    /// Appends observations to the hints of predicates without an upper bound. If unknown costs are hidden, hints without any content are
    /// omitted.
    pub(super) fn beside_all(
        &self,
        snapshot: &Snapshot,
        file: File,
        uri: &Uri,
        hints: Vec<Hint>,
        unknown: bool,
    ) -> Result<Vec<Hint>, Cancelled> {
        let of: Vec<&Functor> = { hints.iter() }
            .filter(|hint| hint.kind == HintKind::Unknown && hint.incomplete.is_none())
            .map(|hint| &hint.predicate)
            .collect();
        let mut texts = BTreeMap::new();
        for (predicate, seen) in self.read(snapshot, file, uri, &of)? {
            let names = names(&sizes(snapshot, file, &predicate)?, &seen.inputs);
            texts.insert(predicate, text(&seen, &names));
        }
        let hints = beside(hints, &texts, unknown).collect();
        self.known().texts = texts;
        Ok(hints)
    }

    /// Reads the past runs of some predicates. Predicates without runs of their current code are omitted.
    fn read(
        &self,
        snapshot: &Snapshot,
        file: File,
        uri: &Uri,
        predicates: &[&Functor],
    ) -> Result<Vec<(Functor, PastCounts)>, Cancelled> {
        let Some(path) = file_of(uri).filter(|_| !predicates.is_empty()) else {
            return Ok(Vec::new());
        };
        let stamp = Stamp::read(&path);
        // An unreadable file is treated as missing; `costlens predict` reports the reason.
        let Ok(history) = History::read(&path) else {
            return Ok(Vec::new());
        };
        let recorded: BTreeSet<String> = history.predicates().unwrap_or_default();
        let wanted: Vec<&&Functor> = { predicates.iter() }
            .filter(|predicate| recorded.contains(&predicate.to_string()))
            .collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let clauses = program(&snapshot.program(file)?);
        let mut found = Vec::new();
        for predicate in wanted {
            let code = code_of(&clauses, predicate, Indexing::FirstArgument);
            let key = ((*predicate).clone(), code);
            let before = self.last_observed(&stamp, &key);
            let seen = match before {
                Some(seen) => seen,
                None => {
                    let name = (predicate.name.clone(), predicate.arity);
                    let sizes = sizes(snapshot, file, predicate)?;
                    let sizes: Vec<InputName> = sizes.iter().map(input_of).collect();
                    let of = |all| {
                        let runs = history.runs(&name, &key.1, all).ok()?;
                        observed(&runs, "steps", &sizes)
                    };
                    // Most runs end at the first solution; otherwise use runs for all solutions.
                    let seen = of(false).or_else(|| of(true));
                    self.known().read.insert(key, seen.clone());
                    seen
                }
            };
            found.extend(seen.map(|seen| ((*predicate).clone(), seen)));
        }
        Ok(found)
    }

    /// Returns the cached observation. Returns `None` if the file has changed.
    fn last_observed(&self, stamp: &Stamp, key: &(Functor, String)) -> Option<Option<PastCounts>> {
        let mut known = self.known();
        if known.stamp.as_ref() != Some(stamp) {
            known.stamp = Some(stamp.clone());
            known.read.clear();
        }
        known.read.get(key).cloned()
    }
}

/// Explains the observations for a predicate, in Markdown, for the hover of its hint.
pub(super) fn explained(
    snapshot: &Snapshot,
    file: File,
    uri: &Uri,
    predicate: &Functor,
) -> Result<Option<String>, Cancelled> {
    // If there is a bound, the observation is not needed.
    let pattern = { snapshot.grounds(file, predicate)? }.map(|g| g.bounds.report);
    let pattern = pattern.as_ref().and_then(|report| report.telling());
    if pattern.is_some_and(|p| matches!(p.headline.where_bounded().1, Bound::Finite(_))) {
        return Ok(None);
    }
    let read = Observations::default().read(snapshot, file, uri, &[predicate])?;
    let Some((_, seen)) = read.first() else {
        return Ok(None);
    };
    let names = names(&sizes(snapshot, file, predicate)?, &seen.inputs);
    let counted = match seen.least == seen.most {
        true => format!("{} steps each", amount(seen.least)),
        false => format!("{} to {} steps", amount(seen.least), amount(seen.most)),
    };
    let function = match &seen.function {
        None => String::new(),
        Some(function) => {
            let how = match function {
                InputFunction::Exact(_) => "on all of them".to_owned(),
                InputFunction::Near { off, .. } => {
                    format!("within {:.0}% on the mean", off * 100.0)
                }
            };
            format!("; {} {how}", written(function, &names))
        }
    };
    let named = { names.iter().zip(&seen.inputs) }
        .filter(|(name, input)| **name != input.to_string())
        .map(|(name, input)| format!("{name} is `{input}`"))
        .collect::<Vec<_>>();
    let named = match named.is_empty() {
        true => String::new(),
        false => format!(" ({})", named.join(", ")),
    };
    Ok(Some(format!(
        "Observed, no bound: {} past runs of this code took {counted}{function}{named}.",
        seen.runs
    )))
}

/// Appends observations to hints.
fn beside(
    hints: impl IntoIterator<Item = Hint>,
    texts: &BTreeMap<Functor, String>,
    unknown: bool,
) -> impl Iterator<Item = Hint> {
    hints.into_iter().filter_map(move |mut hint| {
        if hint.kind != HintKind::Unknown || hint.incomplete.is_some() {
            return Some(hint);
        }
        match texts.get(&hint.predicate) {
            Some(text) if unknown => hint.label = format!("{}  {text}", hint.label),
            Some(text) => hint.label.clone_from(text),
            None if unknown => {}
            None => return None,
        }
        Some(hint)
    })
}

/// Returns the sizes in a predicate's bounds.
fn sizes(
    snapshot: &Snapshot,
    file: File,
    predicate: &Functor,
) -> Result<Vec<SizeVariable>, Cancelled> {
    let grounds = snapshot.grounds(file, predicate)?;
    let pattern = grounds.as_ref().and_then(|g| g.bounds.report.telling());
    Ok(pattern.map(|p| p.sizes.clone()).unwrap_or_default())
}

/// Returns names for inputs: those in the bounds, `n` for a single input, otherwise a description.
fn names(sizes: &[SizeVariable], inputs: &[InputName]) -> Vec<String> {
    let name = |input: &InputName| {
        let size = sizes.iter().find(|size| input_of(size) == *input);
        match (size, inputs) {
            (Some(size), _) => size.name.clone(),
            (None, [_]) => "n".to_owned(),
            (None, _) => input.to_string(),
        }
    };
    inputs.iter().map(name).collect()
}

/// Formats an observation: `≈ n²/2+n/2 (obs, 40 runs)`, `≈ 1.3·n² (obs, 40 runs)`, `≈ 5–132 (obs, 40 runs)`.
fn text(seen: &PastCounts, names: &[String]) -> String {
    let function = { seen.function.as_ref() }
        .map(|function| written(function, names))
        .filter(|text| text.chars().count() <= LONGEST);
    let counted = function.unwrap_or_else(|| match seen.least == seen.most {
        true => format!("≈ {}", amount(seen.least)),
        false => format!("≈ {}–{}", amount(seen.least), amount(seen.most)),
    });
    format!("{counted} (obs, {} runs)", seen.runs)
}

/// Formats an integer; large integers are rounded to three digits.
fn amount(value: f64) -> String {
    match value {
        v if v < 1e6 => format!("{v:.0}"),
        v => format!("{v:.2e}"),
    }
}

fn written(function: &InputFunction, names: &[String]) -> String {
    let all = Names::from_slice(names);
    let formula = |e: Expr| readable(&Bound::Finite(e), &all).replace(' ', "");
    match function {
        InputFunction::Exact(e) => format!("≈ {}", formula(e.clone())),
        InputFunction::Near { factor, growth, .. } => {
            let var = |i: usize| Expr::var(Var(u32::try_from(i).unwrap_or(0)));
            let name = |i: usize| names.get(i).map_or("?", String::as_str);
            let term = match *growth {
                Growth::Logarithm(i) => format!("log({})", name(i)),
                Growth::Power(i, k) => formula(var(i).pow(k)),
                Growth::Linearithmic(i) => format!("{0}·log({0})", name(i)),
                Growth::Product(i, j) => format!("{}·{}", name(i), name(j)),
                Growth::Exponential(i) => format!("2^{}", name(i)),
            };
            match two_digits(*factor).as_str() {
                "1" | "1.0" => format!("≈ {term}"),
                factor => format!("≈ {factor}·{term}"),
            }
        }
    }
}

/// Formats a factor with two significant digits.
fn two_digits(factor: f64) -> String {
    match factor {
        f if f >= 9.95 => format!("{f:.0}"),
        f if f >= 0.995 => format!("{f:.1}"),
        f if f >= 0.0995 => format!("{f:.2}"),
        f => format!("{f:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(function: Option<InputFunction>) -> PastCounts {
        PastCounts {
            runs: 40,
            least: 5.0,
            most: 132.0,
            inputs: Vec::new(),
            function,
        }
    }

    #[test]
    fn functions_and_ranges_are_written_as_hints_are() {
        let n = || Expr::var(Var(0));
        let half = costlens_algebra::Rat::new(1.into(), 2.into());
        let exact = &n().pow(2).scale(&half) + &n().scale(&half);
        let near = |factor, growth| InputFunction::Near {
            factor,
            growth,
            off: 0.1,
        };
        for (function, wanted) in [
            (
                Some(InputFunction::Exact(exact)),
                "≈ n²/2+n/2 (obs, 40 runs)",
            ),
            (
                Some(near(1.32, Growth::Power(0, 2))),
                "≈ 1.3·n² (obs, 40 runs)",
            ),
            (Some(near(1.004, Growth::Power(0, 1))), "≈ n (obs, 40 runs)"),
            (
                Some(near(21.7, Growth::Linearithmic(0))),
                "≈ 22·n·log(n) (obs, 40 runs)",
            ),
            (
                Some(near(0.25, Growth::Product(0, 1))),
                "≈ 0.25·n·m (obs, 40 runs)",
            ),
            (None, "≈ 5–132 (obs, 40 runs)"),
        ] {
            let names = ["n", "m"].map(str::to_owned);
            assert_eq!(text(&seen(function), &names), wanted);
        }
    }
}
