//! Diagnostics: false or malformed assertions, syntax errors in clauses, and mistakes in the program. Each diagnostic belongs to a
//! [rule](rules).

pub(crate) mod budgets;
mod never_succeeds;
mod preconditions;
pub mod rules;
mod singletons;
pub(crate) mod suppressions;
mod undefined;
pub mod verdicts;

use std::ops::Range;

use costlens_analysis::verdict::Verdict;
use costlens_events::Event;
use costlens_program::workspace::terms;
use costlens_program::{Functor, SourceFile, facts, file_assertions, predicates, resolve};
use costlens_syntax::assertions::{Ignored, Origin, Property, Status};
use costlens_syntax::{Dialect, nearest};
use smol_str::SmolStr;

use self::rules::Rule;
use self::verdicts::{AssertionCheck, verdicts};
use crate::db::Db;
use crate::present::indicator;
use crate::project::{Project, RuleLevel};
use crate::resources::resource_of;
use crate::settings::{Chosen, Settings};
use crate::sniff;

/// The maximum number of diagnostics for a file. Users would not read a longer list.
const MOST: usize = 200;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The code is wrong.
    Error,
    /// The code is suspicious.
    Warning,
}

/// A diagnostic in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The range of the offending text.
    pub range: Range<usize>,
    /// The severity.
    pub severity: Severity,
    /// The rule that is violated.
    pub rule: &'static Rule,
    /// The message.
    pub message: String,
    /// Places in the same file that explain the diagnostic.
    pub related: Vec<Related>,
}

/// A place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The range of the place.
    pub range: Range<usize>,
    /// The explanation.
    pub message: String,
}

/// Returns the diagnostics of a file that the settings enable, in textual order.
pub fn diagnostics(db: &dyn Db, file: SourceFile, settings: &Settings) -> Vec<Diagnostic> {
    if !settings.enable || !settings.diagnostics || sniff::is_no_prolog(&file.parsed(db).text) {
        return Vec::new();
    }
    let mut found = malformed(db, file);
    // A verdict on time requires a platform that was measured on this machine or chosen by the user.
    let dialect = file.parsed(db).dialect();
    let platform = (settings.platform.as_ref())
        .and_then(|chosen| chosen.for_dialect(dialect))
        .filter(|platform| platform.here || matches!(settings.platform, Some(Chosen::Stored(_))));
    let checks = verdicts(db, file, platform.map(|p| &p.prices));
    found.extend(unused_suppressions(db, file, &checks));
    for a in checks {
        if a.judged.verdict != Verdict::False || a.suppressed {
            continue;
        }
        let head = a.head.clone().map(|range| Related {
            range,
            message: format!("`{}` is defined here", indicator(&a.judged.predicate)),
        });
        let related = head.into_iter().chain(a.dominating);
        found.push(Diagnostic {
            range: a.range,
            severity: Severity::Error,
            rule: &rules::ASSERTION_FALSE,
            message: a.message,
            related: related.collect(),
        });
    }
    let suppressed = suppressions::suppressions(db, file);
    let is_wanted = |rule: &Rule| !settings.disabled_rules.iter().any(|id| id == rule.id());
    for (rule, problems) in PROGRAM_RULES {
        if is_wanted(rule) {
            let problems = problems(db, file).into_iter();
            found.extend(problems.filter(|d| !suppressed.covers(rule, d.range.start)));
        }
    }
    if let Some(project) = &settings.project {
        found.extend(budgets::exceeded(db, file, project));
        apply(project, &mut found);
    }
    found.retain(|d| is_wanted(d.rule));
    found.sort_by_key(|d| (d.range.start, d.range.end));
    found.truncate(MOST);
    found
}

/// Returns the severity of a rule in a project. Returns `None` if the project disables the rule.
#[must_use]
pub fn severity(project: &Project, rule: &Rule, usual: Severity) -> Option<Severity> {
    match project.levels.get(rule.id()) {
        None => Some(usual),
        Some(RuleLevel::Off) => None,
        Some(RuleLevel::Warning) => Some(Severity::Warning),
        Some(RuleLevel::Error) => Some(Severity::Error),
    }
}

/// Applies the project's severities to diagnostics, and removes those of disabled rules.
pub fn apply(project: &Project, problems: &mut Vec<Diagnostic>) {
    problems.retain_mut(|problem| {
        let found = severity(project, problem.rule, problem.severity);
        problem.severity = found.unwrap_or(problem.severity);
        found.is_some()
    });
}

/// A function that returns the diagnostics of one rule in a file.
type Problems = fn(&dyn Db, SourceFile) -> Vec<Diagnostic>;

/// The rules about the program itself, each with the function that checks it.
const PROGRAM_RULES: [(&Rule, Problems); 3] = [
    (&rules::UNDEFINED, undefined::problems),
    (&rules::SINGLETON, singletons::problems),
    (&rules::NEVER_SUCCEEDS, never_succeeds::problems),
];

/// Reports comments that suppress nothing. A comment for an undecided assertion is kept, because the assertion may be false on another
/// platform.
pub(crate) fn unused_suppressions(
    db: &dyn Db,
    file: SourceFile,
    checks: &[AssertionCheck],
) -> Vec<Diagnostic> {
    let suppressed = suppressions::suppressions(db, file);
    if suppressed.is_empty() {
        return Vec::new();
    }
    let mut known: Vec<&'static Rule> = vec![
        &rules::ASSERTION_FALSE,
        &rules::ASSERTION_MALFORMED,
        &rules::SYNTAX,
        &rules::MODE_LINE,
    ];
    let open = checks
        .iter()
        .filter(|a| a.judged.verdict != Verdict::Checked);
    let mut findings: Vec<(&'static Rule, usize)> = open
        .map(|a| (&rules::ASSERTION_FALSE, a.range.start))
        .collect();
    let unread = unread(db, file).into_iter();
    findings.extend(unread.map(|d| (d.rule, d.range.start)));
    for (rule, problems) in PROGRAM_RULES {
        known.push(rule);
        let problems = problems(db, file).into_iter();
        findings.extend(problems.map(|d| (rule, d.range.start)));
    }
    suppressed.unused(&known, &findings)
}

/// Collects the unsuppressed syntax errors in clauses, assertions and suppression comments.
pub(crate) fn malformed(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let suppressed = suppressions::suppressions(db, file);
    let mut found: Vec<Diagnostic> = (unread(db, file).into_iter())
        .filter(|d| !suppressed.covers(d.rule, d.range.start))
        .chain(suppressed.errors().iter().cloned())
        .collect();
    found.sort_by_key(|d| (d.range.start, d.range.end));
    found.truncate(MOST);
    found
}

/// Returns the syntax errors in clauses and assertions.
fn unread(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let read = terms(db, file);
    let syntax = read.clauses.iter().filter_map(|clause| {
        let error = clause.error.as_ref()?;
        let at = |offset: u32| clause.range.0 + usize::try_from(offset).unwrap_or(0);
        Some(Diagnostic {
            range: at(error.range.0)..at(error.range.1),
            severity: Severity::Error,
            rule: &rules::SYNTAX,
            message: error.message.clone(),
            related: Vec::new(),
        })
    });
    let assertions = file_assertions(db, file);
    let assertions = (assertions.errors.iter()).map(|error| Diagnostic {
        range: error.range.0..error.range.1,
        severity: match error.ignored {
            Ignored::Assertion => Severity::Error,
            Ignored::Property | Ignored::WordOfModeLine => Severity::Warning,
        },
        rule: match error.ignored {
            Ignored::WordOfModeLine => &rules::MODE_LINE,
            Ignored::Assertion | Ignored::Property => &rules::ASSERTION_MALFORMED,
        },
        message: error.message.clone(),
        related: Vec::new(),
    });
    syntax
        .chain(assertions)
        .chain(unknown_resources(db, file))
        .chain(of_nothing(db, file))
        .chain(preconditions::problems(db, file))
        .collect()
}

/// Reports assertions to be verified for predicates that the file does not define. A misplaced bracket is the usual cause.
fn of_nothing(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    // In Ciao, a file may contain assertions for predicates of other files.
    if file.parsed(db).dialect() == Dialect::Ciao {
        return Vec::new();
    }
    let assertions = file_assertions(db, file);
    let all = assertions.list.iter().zip(&assertions.places);
    let meant = all.filter(|(a, _)| a.status == Status::Check && a.origin == Origin::Directive);
    let told = meant.filter_map(|(a, place)| {
        let functor = Functor::new(a.name.clone(), a.arity);
        if resolve(db, file, &functor).is_some() || facts(db, file).is_open(&functor) {
            return None;
        }
        let own = predicates(db, file).iter().map(|p| p.functor(db));
        let near = { own }.find(|other| other.name == functor.name);
        let near = near.map_or_else(String::new, |near| {
            format!("; did you mean `{}`?", indicator(near))
        });
        Some(Diagnostic {
            range: place.range.0..place.range.1,
            severity: Severity::Warning,
            rule: &rules::ASSERTION_MALFORMED,
            message: format!("`{}` is defined nowhere{near}", indicator(&functor)),
            related: Vec::new(),
        })
    });
    told.collect()
}

/// Reports costs of unknown resources, which are usually typos: `cost(ub, step, 3)`.
fn unknown_resources(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let assertions = file_assertions(db, file);
    let is_known = |name: &SmolStr| name == "time" || resource_of(db, file, name).is_some();
    // In Ciao, a module may import resources.
    let may_be_imported = file.parsed(db).dialect() == Dialect::Ciao;
    let stated = (assertions.list.iter().zip(&assertions.places))
        .flat_map(|(assertion, place)| assertion.properties.iter().zip(&place.properties));
    let unknown = stated.filter_map(|(stated, range)| match &stated.property {
        Property::Cost(cost) if !is_known(&cost.resource) => Some((&cost.resource, range)),
        _ => None,
    });
    let words: Vec<&str> = (Event::words().filter_map(Event::word))
        .chain(["time"])
        .collect();
    unknown
        .filter_map(|(name, &(from, to))| {
            let message = match nearest(name, &words) {
                Some(near) => format!("`{name}` is no resource; did you mean `{near}`?"),
                None if may_be_imported => return None,
                None => format!(
                    "`{name}` is no resource that Costlens knows; declare your own by `:- resource {name}.`"
                ),
            };
            Some(Diagnostic {
                range: from..to,
                severity: Severity::Warning,
                rule: &rules::ASSERTION_MALFORMED,
                message,
                related: Vec::new(),
            })
        })
        .collect()
}
