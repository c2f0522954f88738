//! Advice: hints without an edit about causes of a high cost, which a person may change or accept. Each kind of hint is a
//! [rule](crate::diagnostics::rules), implemented in a file of this folder. A hint is proved for the same calls as the predicate's
//! displayed cost. Predicates that do not run exactly as written get no hints. Editors show these hints as diagnostics of the lowest
//! severity; `costlens fix` lists them after the variants.

mod choice_points;
mod distinct;
mod dominating;
mod environments;
mod known;
mod repeated;
mod tabling;
mod told;

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use costlens_analysis::queries::{breakdown, file_report};
use costlens_analysis::report::{Breakdown, Functor, Origin, PatternReport};
use costlens_program::SourceFile;
use costlens_program::positions::positions;
use costlens_syntax::term::TermId;

pub use self::known::AdviceCache;
use crate::attained::growth::judged;
use crate::db::Db;
use crate::diagnostics::rules::{self, Rule};
use crate::diagnostics::suppressions::suppressions;
use crate::diagnostics::{Related, Severity};
use crate::fixes::may_be_offered;
use crate::fixes::site::Site;
use crate::project::RuleLevel;
use crate::settings::Settings;
use crate::sniff;

/// The maximum number of clauses. A larger predicate is considered a table and gets no hints.
const MOST_CLAUSES: usize = 64;

/// The maximum size of a clause, in terms. A larger clause is considered data and gets no hints.
const LARGEST_CLAUSE: usize = 4000;

/// A hint without an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The range of the goal or clause head that the hint describes.
    pub range: Range<usize>,
    /// The rule of the hint.
    pub rule: &'static Rule,
    /// The predicate whose cost is described.
    pub predicate: Functor,
    /// The message.
    pub message: String,
    /// Places in the same file that explain the hint.
    pub related: Vec<Related>,
    /// The steps now and after the proposed change. `None` if no better bound is proved.
    pub cost: Option<(String, String)>,
    /// The severity that the project sets for the rule. `None` for the default, a hint.
    pub severity: Option<Severity>,
}

/// A function that returns the hints of one rule for a predicate.
type Finder = fn(&Look<'_>) -> Vec<Remark>;

/// The rules, each with its function.
const FINDERS: [(&Rule, Finder); 5] = [
    (&rules::DOMINATING_CALL, dominating::remarks),
    (&rules::LEFT_CHOICE_POINT, choice_points::remarks),
    (&rules::NON_TAIL_RECURSION, environments::remarks),
    (&rules::REPEATED_GOAL, repeated::remarks),
    (&rules::TABLING, tabling::remarks),
];

/// Returns the hints of a file that the settings enable, in textual order.
pub fn advice(
    db: &dyn Db,
    file: SourceFile,
    settings: &Settings,
    known: &AdviceCache,
) -> Vec<Remark> {
    if !settings.enable || !settings.diagnostics || sniff::is_no_prolog(&file.parsed(db).text) {
        return Vec::new();
    }
    let wanted: Vec<_> = (FINDERS.iter())
        .filter_map(|(rule, find)| Some((rule, find, level(settings, rule)?)))
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let (reports, positions) = (file_report(db, file), positions(db, file));
    let suppressed = suppressions(db, file);
    let mut found = Vec::new();
    for (places, report) in positions.iter().zip(reports.iter()) {
        if places.clauses.len() > MOST_CLAUSES {
            continue;
        }
        db.unwind_if_revision_cancelled();
        let report = judged(db, file, Arc::clone(report));
        let Some(telling) = report.telling() else {
            continue;
        };
        // A guessed pattern covers fewer calls than a declared pattern.
        let is_declared = |p: &PatternReport| p.origin == Origin::Declared;
        if report.patterns.iter().any(is_declared) && !is_declared(telling) {
            continue;
        }
        let report = telling;
        Site::visit(db, file, &places.functor, &places.clauses, |site| {
            if (site.clauses.iter()).any(|clause| clause.terms.len() > LARGEST_CLAUSE) {
                return;
            }
            let look = Look {
                site,
                report,
                known,
                breakdown: OnceCell::new(),
            };
            for (rule, find, severity) in &wanted {
                let remarks = find(&look).into_iter();
                let shown = remarks.filter(|r| !suppressed.covers(rule, r.range.start));
                found.extend(shown.map(|remark| Remark {
                    severity: *severity,
                    ..remark
                }));
            }
        });
    }
    found.sort_by_key(|r| (r.range.start, r.range.end));
    found
}

/// Returns the severity of a rule's hints: `Some(None)` for the default, and `None` if the rule is disabled.
fn level(settings: &Settings, rule: &Rule) -> Option<Option<Severity>> {
    if settings.disabled_rules.iter().any(|id| id == rule.id()) {
        return None;
    }
    let project = settings.project.as_ref();
    match project.and_then(|project| project.levels.get(rule.id())) {
        None => Some(None),
        Some(RuleLevel::Off) => None,
        Some(RuleLevel::Warning) => Some(Some(Severity::Warning)),
        Some(RuleLevel::Error) => Some(Some(Severity::Error)),
    }
}

/// A predicate to examine, and the analysis results for the calls that its hints cover.
struct Look<'a> {
    site: &'a Site<'a>,
    report: &'a PatternReport,
    known: &'a AdviceCache,
    breakdown: OnceCell<Option<Arc<Breakdown>>>,
}

impl Look<'_> {
    /// Returns the calls in the clauses, with their costs.
    fn breakdown(&self) -> Option<&Breakdown> {
        let site = self.site;
        let find = || breakdown(site.db, site.file, site.functor, &self.report.pattern);
        self.breakdown.get_or_init(find).as_deref()
    }

    /// Returns true if a quick fix of one of these rules may be offered for the predicate.
    fn has_fix(&self, rules: &[&'static Rule]) -> bool {
        may_be_offered(self.site, rules)
    }

    /// Returns the line number of a clause, from 1.
    fn line(&self, clause: usize) -> Option<usize> {
        let (from, _) = self.site.places.get(clause)?.range;
        Some(1 + self.site.text.get(..from)?.matches('\n').count())
    }

    /// Constructs a hint for a term of a clause.
    fn remark(
        &self,
        rule: &'static Rule,
        clause: usize,
        at: TermId,
        message: String,
    ) -> Option<Remark> {
        let (from, to) = self.site.places.get(clause)?.range(at)?;
        Some(Remark {
            range: from..to,
            rule,
            predicate: self.site.functor.clone(),
            message,
            related: Vec::new(),
            cost: None,
            severity: None,
        })
    }
}
