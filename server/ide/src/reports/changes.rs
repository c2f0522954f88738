//! Compares a lockfile with the current program: which predicates became more or less expensive, and why.
//!
//! The current bounds are computed under the call pattern of the lockfile's line and compared in every region of sizes that the pattern
//! admits. Growth classes are compared first (`O(n)` before, `O(n²)` now), then functions within a class.

mod difference;
mod renamed;
mod tried;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::growth::{Growth, growth};
use costlens_algebra::parse::parse;
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Rat, Var};
use costlens_analysis::report::Bound;

use super::lock::{LockRow, MeasuredPredicate, PatternBounds};
use crate::present::{formula, names};
use difference::{Difference, differences};
pub use renamed::with_new_names;

/// The kind of change of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The upper bound has a greater growth class.
    Class,
    /// The upper bound was lost.
    BoundLost,
    /// The cost is higher for some sizes, within the same growth class.
    Dearer,
    /// Exceptions were excluded and are now possible.
    Exception,
    /// The bounds cannot be compared: the size metrics differ, calls of the lockfile's pattern are now meaningless or always fail, or the
    /// order of two bounds is unknown.
    Incomparable,
    /// The predicate is new.
    New,
    /// The predicate is no longer defined.
    Gone,
    /// The predicate had no upper bound and now has one.
    BoundFound,
    /// The cost is lower for some sizes and higher for none.
    Cheaper,
}

impl ChangeKind {
    /// Returns true for changes that need attention: a higher cost, a new possible exception, or bounds that cannot be compared.
    #[must_use]
    pub fn is_regression(self) -> bool {
        self.is_dearer() || matches!(self, ChangeKind::Exception | ChangeKind::Incomparable)
    }

    /// Returns true if the cost is higher.
    #[must_use]
    pub fn is_dearer(self) -> bool {
        matches!(
            self,
            ChangeKind::Class | ChangeKind::BoundLost | ChangeKind::Dearer
        )
    }

    /// Returns the identifier of the kind in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Class => "class",
            ChangeKind::BoundLost => "bound-lost",
            ChangeKind::Dearer => "dearer",
            ChangeKind::Exception => "exception",
            ChangeKind::Incomparable => "incomparable",
            ChangeKind::New => "new",
            ChangeKind::Gone => "gone",
            ChangeKind::BoundFound => "bound-found",
            ChangeKind::Cheaper => "cheaper",
        }
    }
}

/// The part of a run that a change affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffectedPart {
    /// The search for all solutions.
    All,
    /// The run up to the first solution, failure or exception.
    First,
}

impl AffectedPart {
    /// Returns the identifier of the part in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AffectedPart::All => "all",
            AffectedPart::First => "first",
        }
    }
}

/// The cost of a predicate in one of the two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The upper bound in the exact syntax.
    pub upper: Option<String>,
    /// The bound formatted for display: `n²/2 + 3n/2 + 1`, `at least n`.
    pub readable: String,
    /// The growth class: `n²`.
    pub class: Option<String>,
}

/// A difference between the lockfile and the current program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file name in the lockfile.
    pub file: String,
    /// Name and arity.
    pub predicate: String,
    /// The offset of the first clause's head in the current version.
    pub offset: Option<usize>,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The calls affected by the change. `None` for a predicate that is new or no longer defined.
    pub calls: Option<String>,
    /// True if the lockfile also lists other call patterns of the predicate, so that messages must name the affected calls.
    pub has_other_calls: bool,
    /// The affected part of a run.
    pub part: AffectedPart,
    /// The cost in the lockfile.
    pub before: Option<Cost>,
    /// The current cost.
    pub after: Option<Cost>,
    /// The sizes for which the cost is higher or lower: `n >= 3`. `None` for all sizes.
    pub when: Option<String>,
    /// A remark for the reader: the sizes for which a cheaper predicate costs more, or the reason why calls cannot be compared.
    pub remark: Option<String>,
    /// True if a comment suppresses the change.
    pub is_suppressed: bool,
    /// The reason, if known (`the new call of append/3`), and the offset of that call.
    pub because: Option<(String, Option<usize>)>,
}

impl Change {
    /// Returns true if the change needs attention ([`ChangeKind::is_regression`]) and is not suppressed by a comment.
    #[must_use]
    pub fn is_regression(&self) -> bool {
        self.kind.is_regression() && !self.is_suppressed
    }

    /// Describes the change in a sentence: "`rank/2` became dearer: O(n) → O(n²) (n + 1 → n² + 1 steps), because of the new call of
    /// append/3".
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut predicate = format!("`{}`", self.predicate);
        if self.part == AffectedPart::First {
            predicate = format!("the first solution of {predicate}");
        }
        if let Some(calls) = &self.calls
            && self.has_other_calls
        {
            predicate.push_str(&format!(" for calls {calls}"));
        }
        let (Some(before), Some(after)) = (&self.before, &self.after) else {
            return match (self.kind, &self.calls) {
                (ChangeKind::Gone, _) => match &self.remark {
                    Some(remark) => format!("{predicate} is gone, {remark}"),
                    None => format!("{predicate} is gone"),
                },
                (ChangeKind::Incomparable, Some(calls)) => format!(
                    "`{}` cannot be compared: calls {calls} have a type that is not defined now",
                    self.predicate
                ),
                _ => format!("{predicate} is new"),
            };
        };
        let mut text = self.event(&predicate, before, after);
        if let Some(when) = &self.when {
            text.push_str(&format!(" for {when}"));
        }
        if let Some((because, _)) = &self.because {
            text.push_str(&format!(", because of {because}"));
        }
        if let Some(remark) = &self.remark {
            text.push_str(&format!(": {remark}"));
        }
        text
    }

    /// Returns what happened to the cost of a predicate.
    fn event(&self, predicate: &str, before: &Cost, after: &Cost) -> String {
        let class = |cost: &Cost| match &cost.class {
            Some(class) => format!("O({class})"),
            None => cost.readable.clone(),
        };
        match self.kind {
            ChangeKind::Class => {
                let steps = match (&before.class, &after.class) {
                    (Some(_), Some(_)) => {
                        format!(" ({} → {} steps)", before.readable, after.readable)
                    }
                    _ => String::new(),
                };
                format!(
                    "{predicate} became dearer: {} → {}{steps}",
                    class(before),
                    class(after)
                )
            }
            ChangeKind::BoundLost => format!(
                "{predicate} lost its upper bound: {} steps before, {} now",
                before.readable, after.readable
            ),
            ChangeKind::BoundFound => {
                format!("{predicate} has an upper bound now: {}", after.readable)
            }
            ChangeKind::Exception => format!(
                "{predicate} is no longer proved to raise no exception: one is possible now, and none was before"
            ),
            ChangeKind::Incomparable if self.remark.is_some() => {
                format!("{predicate} cannot be compared")
            }
            ChangeKind::Incomparable => format!(
                "{predicate} is measured by other sizes: {} steps before, {} now",
                before.readable, after.readable
            ),
            ChangeKind::Dearer | ChangeKind::Cheaper | ChangeKind::New | ChangeKind::Gone => {
                let word = if self.kind == ChangeKind::Dearer {
                    "dearer"
                } else {
                    "cheaper"
                };
                format!(
                    "{predicate} became {word}: {} → {} steps",
                    before.readable, after.readable
                )
            }
        }
    }
}

/// Returns the changes since a lockfile was written. Cost increases come first, starting with those that have a greater growth class. `now`
/// lists the predicates of each analysed file, by the file's name in the lockfile; other files are ignored. A file without predicates
/// counts as deleted. `before` uses the current file names ([`with_new_names`]), and `now` must have been computed for its lines
/// ([`super::lock::measured`]). Increases of a bound by at most `tolerance` (1/10 for a tenth) are ignored.
#[must_use]
pub fn changes(
    before: &[LockRow],
    now: &[(String, Vec<MeasuredPredicate>)],
    tolerance: &Rat,
) -> Vec<Change> {
    let looked_at: BTreeSet<&str> = now.iter().map(|(file, _)| file.as_str()).collect();
    let mut old: BTreeMap<(&str, &str), Vec<&LockRow>> = BTreeMap::new();
    for row in before {
        if looked_at.contains(row.file.as_str()) {
            let key = (row.file.as_str(), row.predicate.as_str());
            old.entry(key).or_default().push(row);
        }
    }
    let mut found = Vec::new();
    for (file, measured) in now {
        for predicate in measured {
            let change = |difference: Difference, calls: Option<&LockRow>, count: usize| Change {
                file: file.clone(),
                predicate: predicate.predicate.clone(),
                offset: Some(predicate.offset),
                kind: difference.kind,
                calls: calls.map(|row| row.pattern.clone()),
                has_other_calls: count > 1,
                part: difference.part,
                before: difference.before,
                after: difference.after,
                when: difference.when,
                remark: difference.remark,
                is_suppressed: predicate.is_suppressed,
                because: None,
            };
            let plain = |kind: ChangeKind, before: Option<Cost>, after: Option<Cost>| Difference {
                kind,
                part: AffectedPart::All,
                before,
                after,
                when: None,
                remark: None,
            };
            let Some(rows) = old.remove(&(file.as_str(), predicate.predicate.as_str())) else {
                let cost = predicate.patterns.first().map(cost_now);
                found.push(change(plain(ChangeKind::New, None, cost), None, 1));
                continue;
            };
            for row in &rows {
                let all = match predicate.current_bounds(row) {
                    // The clauses now accept other calls: `p(leaf)` instead of `p([])`.
                    Some(now) if now.always_fails && !predicate.is_locked_now(row) => {
                        failing(differences(row, now, tolerance), row)
                    }
                    Some(now) => differences(row, now, tolerance),
                    None => vec![plain(
                        ChangeKind::Incomparable,
                        Some(cost_before(row)),
                        None,
                    )],
                };
                let all = all.into_iter();
                found.extend(all.map(|difference| change(difference, Some(row), rows.len())));
            }
        }
    }
    let gone = old.values().filter_map(|rows| rows.first());
    found.extend(gone.map(|row| Change {
        file: row.file.clone(),
        predicate: row.predicate.clone(),
        offset: None,
        kind: ChangeKind::Gone,
        calls: None,
        has_other_calls: false,
        part: AffectedPart::All,
        before: Some(cost_before(row)),
        after: None,
        when: None,
        remark: None,
        is_suppressed: false,
        because: None,
    }));
    explain(&mut found, before, now);
    name_successors(&mut found);
    found.sort_by(|a, b| {
        let key = |c: &Change| (c.kind, c.file.clone(), c.offset, c.predicate.clone());
        key(a).cmp(&key(b))
    });
    found
}

/// Adjusts the differences for calls that now always fail and are neither declared nor displayed. Their lower cost is not an improvement.
fn failing(differences: Vec<Difference>, row: &LockRow) -> Vec<Difference> {
    let known = |difference: Difference| match difference.kind {
        ChangeKind::Cheaper | ChangeKind::BoundFound => Difference {
            kind: ChangeKind::Incomparable,
            when: None,
            remark: Some(format!("calls {} always fail now", row.pattern)),
            ..difference
        },
        _ => difference,
    };
    differences.into_iter().map(known).collect()
}

fn cost(lower: &Bound, upper: &Bound, names: &Names<'_>) -> Cost {
    let class = |e: &Expr| Growth::display(&growth(e), names);
    match (lower, upper) {
        (_, Bound::Finite(e)) => Cost {
            upper: Some(costlens_algebra::text::to_text(e, names)),
            readable: formula(e, names),
            class: Some(class(e)),
        },
        (_, Bound::Infinite) => Cost {
            upper: Some("inf".to_owned()),
            readable: "diverges".to_owned(),
            class: None,
        },
        (Bound::Finite(e), Bound::Unknown) => Cost {
            upper: None,
            readable: format!("at least {}", formula(e, names)),
            class: None,
        },
        (_, Bound::Unknown) => Cost {
            upper: None,
            readable: "unknown".to_owned(),
            class: None,
        },
    }
}

fn cost_now(now: &PatternBounds) -> Cost {
    cost(&now.lower, &now.upper, &names(&now.sizes))
}

/// Returns the cost in a lockfile line, regardless of the current meaning of its sizes.
fn cost_before(row: &LockRow) -> Cost {
    let number = |name: &str| row.sizes.iter().position(|(n, _)| n == name);
    let bound = |text: &Option<String>| match text.as_deref() {
        None => Bound::Unknown,
        Some("inf") => Bound::Infinite,
        Some(text) => parse(text, &mut |name| {
            Some(Var(u32::try_from(number(name)?).ok()?))
        })
        .map_or(Bound::Unknown, Bound::Finite),
    };
    let names = Names::new(|v| {
        let size = row.sizes.get(v.0 as usize);
        size.map(|(name, _)| name.clone()).unwrap_or_default()
    });
    cost(&bound(&row.lower), &bound(&row.upper), &names)
}

/// Names a new predicate as the probable successor of a deleted predicate: the same predicate in another file, or a predicate with the same
/// name and another arity in the same file.
fn name_successors(found: &mut [Change]) {
    let new: Vec<(String, String, String)> = (found.iter())
        .filter(|change| change.kind == ChangeKind::New)
        .map(|change| {
            let cost = change.after.as_ref().map(|cost| cost.readable.clone());
            let cost = cost.unwrap_or_else(|| "unknown".to_owned());
            (change.file.clone(), change.predicate.clone(), cost)
        })
        .collect();
    for change in found
        .iter_mut()
        .filter(|change| change.kind == ChangeKind::Gone)
    {
        let moved = new.iter().find(|(_, is, _)| *is == change.predicate);
        let was = name_of(&change.predicate);
        let successor = moved.or_else(|| {
            (new.iter()).find(|(file, is, _)| *file == change.file && name_of(is) == was)
        });
        let Some((file, predicate, cost)) = successor else {
            continue;
        };
        let place = match *file == change.file {
            true => String::new(),
            false => format!(" in {file}"),
        };
        let before = change.before.as_ref().map(|cost| cost.readable.as_str());
        let before = before.unwrap_or("unknown");
        let remark =
            format!("`{predicate}` is new{place}: {before} → {cost} steps, which are not compared");
        change.remark = Some(remark);
    }
}

/// Returns the name in `name/arity`.
fn name_of(predicate: &str) -> &str {
    predicate
        .rsplit_once('/')
        .map_or(predicate, |(name, _)| name)
}

/// Determines why predicates became more expensive: a new call, or a callee that itself became more expensive.
fn explain(found: &mut [Change], before: &[LockRow], now: &[(String, Vec<MeasuredPredicate>)]) {
    let dearer: BTreeSet<String> = (found.iter())
        .filter(|change| change.kind.is_dearer())
        .map(|change| change.predicate.clone())
        .collect();
    let old: BTreeMap<(&str, &str), &LockRow> = (before.iter())
        .map(|row| ((row.file.as_str(), row.predicate.as_str()), row))
        .collect();
    let all = now.iter().flat_map(|(file, measured)| {
        (measured.iter()).map(move |m| ((file.as_str(), m.predicate.as_str()), m))
    });
    let current: BTreeMap<(&str, &str), &MeasuredPredicate> = all.collect();
    for change in found.iter_mut().filter(|change| change.kind.is_dearer()) {
        let key = (change.file.as_str(), change.predicate.as_str());
        let (Some(old), Some(now)) = (old.get(&key), current.get(&key)) else {
            continue;
        };
        let is_new = |name: &String| !old.calls.contains(name);
        let calls: Vec<_> = now.calls.iter().collect();
        let new: Vec<_> = calls.iter().filter(|(name, _)| is_new(name)).collect();
        // Among several new calls, a call whose callee also became more expensive explains most.
        let telling = new.iter().find(|(name, _)| dearer.contains(name));
        change.because = match telling.or(new.first()) {
            Some((name, at)) => Some((format!("the new call of {name}"), Some(*at))),
            None => (calls.iter().find(|(name, _)| dearer.contains(name)))
                .map(|(name, at)| (format!("{name}, which became dearer"), Some(*at))),
        };
    }
}
