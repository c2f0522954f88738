//! Hints: the cost of each predicate, displayed at the end of the line that ends the head of its first clause.

mod data;
mod plunit;

use std::ops::Range;
use std::sync::Arc;

use costlens_analysis::driver::{visit_some_telling, visit_telling};
use costlens_analysis::queries::{file_report, report};
use costlens_analysis::report::{Functor, ParameterKind, PatternReport, Subject, incomplete};
use costlens_program::positions::{PredicatePositions, positions, unread_heads};
use costlens_program::{Component, Predicate, Role, SourceFile, definitions, find, predicates};
use rustc_hash::{FxHashMap, FxHashSet};

use self::data::is_data;
use self::plunit::{is_of_tests, test_units};
use crate::attained::growth::judged;
use crate::db::Db;
use crate::diagnostics::rules;
use crate::diagnostics::suppressions::suppressions;
pub use crate::present::HintKind;
use crate::present::times::time_hint;
use crate::present::{UNKNOWN, predicate_hint, threshold};
use crate::resources;
use crate::settings::{Settings, Threshold};
use crate::sniff;

/// A hint in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The offset before which the hint is inserted: the end of the line in which the clause head ends, or the end of the head, before `:-`.
    pub offset: usize,
    /// The text. Empty if no clause of the predicate can be parsed.
    pub label: String,
    /// The kind of hint.
    pub kind: HintKind,
    /// The predicate.
    pub predicate: Functor,
    /// A reason such as `incomplete: line 14 could not be read`: the cost is unknown until the line is fixed. This hint is produced even if
    /// the settings hide unknown costs, for editors that keep the last known cost.
    pub incomplete: Option<String>,
}

/// Hints that are reported while other hints are still being computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// The hints for all predicates with a clause in the visible range. Not reported if most of the file is visible.
    Shown(Vec<Hint>),
    /// The hint of one predicate, as soon as its bounds are there.
    One {
        /// The predicate.
        predicate: Functor,
        /// The hint. `None` if the predicate has none.
        hint: Option<Hint>,
    },
}

/// Returns the hints that the settings enable, one for each predicate of a file.
pub fn hints(db: &dyn Db, file: SourceFile, settings: &Settings) -> Vec<Hint> {
    if !has_hints(db, file, settings) {
        return Vec::new();
    }
    file_report(db, file);
    let writer = Writer::new(db, file, settings);
    let all = writer.positions.iter().zip(predicates(db, file));
    all.filter_map(|(p, &predicate)| writer.hint(predicate, p))
        .chain(writer.lost())
        .collect()
}

/// Computes the hints of a file. Results are reported as they become available, starting with predicates that have a clause in `shown`.
pub fn hints_as_they_come(
    db: &dyn Db,
    file: SourceFile,
    settings: &Settings,
    shown: &Range<usize>,
    tell: &dyn Fn(Arrived),
) -> Vec<Hint> {
    if !has_hints(db, file, settings) {
        return Vec::new();
    }
    let writer = Writer::new(db, file, settings);
    let all = writer.positions.iter().zip(predicates(db, file));
    let of: FxHashMap<&Functor, _> = all.map(|(p, &found)| (&p.functor, (p, found))).collect();
    let mut done = |component: Component<'_>| {
        for functor in component.members(db).iter() {
            if let Some(&(p, predicate)) = of.get(functor) {
                tell(Arrived::One {
                    predicate: functor.clone(),
                    hint: writer.hint(predicate, p),
                });
            }
        }
    };
    if let Some(hints) = writer.shown(shown, &mut done) {
        tell(Arrived::Shown(hints));
    }
    visit_telling(db, file, &mut done);
    hints(db, file, settings)
}

fn has_hints(db: &dyn Db, file: SourceFile, settings: &Settings) -> bool {
    settings.enable
        && settings.hints.enable
        && !sniff::is_no_prolog(&file.parsed(db).text)
        && !is_pack_description(db, file)
        && !is_of_tests(db, file)
}

/// Returns whether a file describes a pack: `name(…). title(…). version(…).`
fn is_pack_description(db: &dyn Db, file: SourceFile) -> bool {
    let is_named = file.path(db).rsplit('/').next() == Some("pack.pl");
    is_named
        && ["name", "title"]
            .iter()
            .all(|of| find(db, file, &Functor::new(*of, 1)).is_some())
}

/// Generates the hints of a file.
struct Writer<'a> {
    db: &'a dyn Db,
    file: SourceFile,
    settings: &'a Settings,
    /// The positions of predicates, in the order of their first clauses.
    positions: Arc<Vec<PredicatePositions>>,
}

impl<'a> Writer<'a> {
    fn new(db: &'a dyn Db, file: SourceFile, settings: &'a Settings) -> Self {
        Writer {
            db,
            file,
            settings,
            positions: positions(db, file),
        }
    }

    /// Returns the hints for predicates with a clause in a range, without computing the reports of other predicates, and calls `done` for each
    /// component whose hints can be computed. Returns `None` if the range contains most predicates.
    fn shown(
        &self,
        range: &Range<usize>,
        done: &mut dyn FnMut(Component<'_>),
    ) -> Option<Vec<Hint>> {
        let (db, file) = (self.db, self.file);
        let is_shown = |p: &PredicatePositions| {
            (p.clauses.iter()).any(|c| c.range.0 < range.end && range.start < c.range.1)
        };
        let all = self.positions.iter().zip(predicates(db, file));
        let shown: Vec<_> = all.filter(|(p, _)| is_shown(p)).collect();
        let functors: FxHashSet<&Functor> = shown.iter().map(|(p, _)| &p.functor).collect();
        visit_some_telling(db, file, &|functor| functors.contains(functor), done);
        if shown.len() * 2 > self.positions.len() {
            return None;
        }
        let hints = (shown.iter()).filter_map(|&(p, &predicate)| self.hint(predicate, p));
        let lost = self.lost().filter(|hint| range.contains(&hint.offset));
        Some(hints.chain(lost).collect())
    }

    /// Returns the hint for a predicate whose report may be computed.
    fn hint(&self, predicate: Predicate<'_>, position: &PredicatePositions) -> Option<Hint> {
        let (db, file) = (self.db, self.file);
        let first = position.clauses.first()?;
        let label = label(db, predicate)?;
        let wanted = &self.settings.hints;
        let is_telling = wanted.data || !label.is_of_data;
        let shown = match label.kind {
            HintKind::Steps => wanted.steps && is_telling && label.reaches >= wanted.threshold,
            HintKind::Unknown => {
                wanted.unknown && is_telling || wanted.observed || label.incomplete.is_some()
            }
        };
        let is_test = test_units(db, file)
            .iter()
            .any(|unit| unit.contains(&first.range.0));
        let shown =
            shown && !is_test && !suppressions(db, file).covers(&rules::HINT, first.range.0);
        let time = || {
            let is_wanted = wanted.time && label.kind == HintKind::Steps;
            is_wanted.then(|| time(db, file, &position.functor, self.settings))?
        };
        shown.then(|| Hint {
            offset: self.place(first.head.1),
            label: match time() {
                Some(time) => format!("{}  {time}", label.text),
                None => label.text.clone(),
            },
            kind: label.kind,
            predicate: position.functor.clone(),
            incomplete: label.incomplete.clone(),
        })
    }

    /// Returns the hints for predicates without parsable clauses, each placed at its probable head.
    fn lost(&self) -> impl Iterator<Item = Hint> {
        let (db, file) = (self.db, self.file);
        let heads = unread_heads(db, file).into_iter();
        heads.filter_map(move |(functor, offset)| {
            let predicate = find(db, file, &functor).filter(|p| p.clauses(db).is_empty())?;
            let (_, line) = definitions::damaged(db, predicate)?;
            Some(Hint {
                offset: self.place(offset),
                label: String::new(),
                kind: HintKind::Unknown,
                predicate: functor,
                incomplete: Some(incomplete(line, "")),
            })
        })
    }

    /// Returns the offset for a hint: the end of the line, where a hint does not move code, or the end of the head, if the settings require
    /// this or another predicate begins on the line.
    fn place(&self, head: usize) -> usize {
        let text = &*self.file.parsed(self.db).text;
        let rest = text.get(head..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default().trim_end();
        let end = head + line.len();
        let begin = |p: &PredicatePositions| p.clauses.first().map_or(0, |clause| clause.head.0);
        let next = self.positions.partition_point(|p| begin(p) <= head);
        let another_begins = self.positions.get(next).is_some_and(|p| begin(p) < end);
        match self.settings.hints.behind_head || another_begins {
            true => head,
            false => end,
        }
    }
}

/// Returns the time for the pattern in the label. The time is not part of the label, so that changing the platform does not invalidate other
/// queries.
fn time(db: &dyn Db, file: SourceFile, functor: &Functor, settings: &Settings) -> Option<String> {
    let chosen = settings.platform.as_ref()?;
    let on = chosen.for_dialect(file.parsed(db).dialect())?;
    let steps = report(db, find(db, file, functor)?);
    let shown = &steps.telling()?.pattern;
    let times = resources::time(db, file, functor, &on.prices)?;
    let mut all = times.estimate.patterns.iter();
    time_hint(all.find(|p| p.pattern == *shown)?, on)
}

/// Returns the text of a predicate's hint. Returns `None` for library predicates, which are analysed only for call patterns.
pub(crate) fn cost(db: &dyn Db, home: SourceFile, functor: &Functor) -> Option<String> {
    if home.role(db) == Role::Library {
        return None;
    }
    // The driver visits callees before callers.
    file_report(db, home);
    let label = label(db, find(db, home, functor)?)?;
    Some(label.text.clone())
}

/// The content of a predicate's hint, independent of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    kind: HintKind,
    pub(crate) text: String,
    /// The highest threshold at which the hint is displayed.
    reaches: Threshold,
    /// The parse error that makes the cost unknown.
    incomplete: Option<String>,
    /// True for `cost ?` next to facts or clauses of hooks, and for the number of a dynamic predicate's own facts.
    is_of_data: bool,
}

/// Returns the label with the cost of the most informative pattern. This is a query because every keystroke requests the labels of an entire
/// file, and formatting a bound takes longer than detecting that it has not changed.
#[salsa::tracked(returns(as_ref))]
pub(crate) fn label<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Label> {
    let report = judged(db, predicate.file(db), report(db, predicate));
    let pattern = report.telling()?;
    let (kind, text) = predicate_hint(&report)?;
    let reaches = threshold(pattern);
    let unread = pattern.unknown.iter().find_map(|u| u.incomplete());
    let incomplete = unread.filter(|_| kind == HintKind::Unknown);
    let says_nothing = kind == HintKind::Unknown && text.ends_with(UNKNOWN);
    Some(Label {
        is_of_data: (says_nothing || counts_itself(pattern, predicate.functor(db)))
            && is_data(db, predicate),
        kind,
        text,
        reaches,
        incomplete: incomplete.map(str::to_owned),
    })
}

/// Returns whether a bound is in terms of the number of the predicate's own facts.
fn counts_itself(pattern: &PatternReport, own: &Functor) -> bool {
    pattern.parameters.iter().any(|p| {
        let of = &p.parameter;
        of.kind == ParameterKind::Facts
            && matches!(&of.of, Subject::Predicate(_, functor) if functor == own)
    })
}
