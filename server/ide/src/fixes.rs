//! Quick fixes: cheaper variants, and mode lines that lead to a bound.
//!
//! A variant is offered only if its conditions are proved (`conditions`), the analysis of the edited text proves it cheaper (`gain`), and
//! both versions give the same answers on generated inputs (`equivalence`). A mode line is offered only if the analysis infers an upper bound
//! with it.

mod after_success;
mod apart;
mod assert;
pub(crate) mod callers;
mod conditions;
mod copies;
mod declare;
mod elsewhere;
pub(crate) mod equals;
mod equivalence;
pub(crate) mod functions;
mod gain;
pub(crate) mod goals;
mod integers;
mod introduced;
mod joins;
mod kept;
mod known;
mod malformed;
mod meaning;
mod missing;
mod normal;
mod offered;
mod oriented;
mod patterns;
mod proposal;
mod remembered;
mod removal;
mod renaming;
pub mod rewrites;
pub(crate) mod site;
mod sizes;
mod times;
pub(crate) mod variant;
mod ways;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use costlens_analysis::report::Functor;
use costlens_analysis::types::Pattern;
use costlens_program::positions::{PredicatePositions, positions};
use costlens_program::{SourceFile, file_assertions};

use crate::db::{Db, reached_report};
use crate::diagnostics::rules::{self, Rule};
use crate::diagnostics::suppressions::suppressions;
use crate::diagnostics::verdicts::{AssertionCheck, verdicts};
use crate::file::{Edit, line_begin};
use crate::present::times::TimeChange;
use crate::present::{finite, headline, indicator, names_in};
use crate::resources::Calibrated;
use crate::sniff;
use callers::{Blame, Callers, known_calls, reflecting, violation};
use conditions::Condition;
use equivalence::Failure;
pub(crate) use offered::may_be_offered;
use proposal::Proposal;
pub use remembered::Remembered;
use rewrites::REWRITES;
use site::Site;
use times::VersionTimes;
use variant::Variant;

/// An edit that makes a predicate cheaper or gives it a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// A description of the edit and its gain.
    pub title: String,
    /// The rule that proposes the action.
    pub rule: &'static Rule,
    /// The predicate whose cost is reduced or bounded.
    pub predicate: Functor,
    /// The offset of the predicate's first clause, or of the first edit of a rewrite of goals.
    pub offset: usize,
    /// The costs before and after, in the format of hints.
    pub cost: (String, String),
    /// The unit of the cost: `steps`.
    pub unit: String,
    /// The sizes for which the variant is cheaper: `n ≥ 2`. Empty if the action is not a cheaper variant.
    pub better_for: String,
    /// The times before and after on a platform, and the size at which they are computed. `None` if no platform was chosen or no time is
    /// known.
    pub times: Option<TimeChange>,
    /// The number of generated inputs on which both versions gave the same answers. 0 if the edit changes no run.
    pub tested_inputs: usize,
    /// The conditions that are not proved. The edits declare these conditions if possible; the cost is then that of the variant that
    /// becomes available.
    pub missing: Vec<String>,
    /// The edits, sorted and without overlaps.
    pub edits: Vec<Edit>,
}

impl Action {
    /// Returns true unless the action only states inferred bounds.
    #[must_use]
    pub fn is_fix(&self) -> bool {
        *self.rule != rules::ASSERT_INFERRED
    }

    /// Returns true for a cheaper variant.
    #[must_use]
    pub fn is_cheaper(&self) -> bool {
        !self.better_for.is_empty()
    }
}

/// Returns the quick fixes for predicates whose clauses or assertions overlap a range, with times if a platform is chosen.
pub fn code_actions(
    db: &dyn Db,
    file: SourceFile,
    range: Range<usize>,
    on: Option<&Calibrated>,
    remembered: &Remembered,
) -> Vec<Action> {
    let touched = touched(db, file, &range);
    let search = (touched.len() > 1).then(|| remembered.begin_search());
    if let Some(None) = search {
        return found_actions(db, file, range, on, remembered);
    }
    let of = |p: &PredicatePositions| {
        remembered.get_or_find(db, file, &p.functor, on, || {
            of_predicate(db, file, p, on, &|_| true)
        })
    };
    let mut found = of_predicates(&touched, of);
    found.extend(relaxed(db, file, range));
    with_line_ends(db, file, found)
}

/// Returns those of the [`code_actions`] that earlier requests have found.
pub fn found_actions(
    db: &dyn Db,
    file: SourceFile,
    range: Range<usize>,
    on: Option<&Calibrated>,
    remembered: &Remembered,
) -> Vec<Action> {
    let of = |p: &PredicatePositions| {
        let known = remembered.known(db, file, &p.functor, on);
        known.unwrap_or_default()
    };
    with_line_ends(db, file, of_predicates(&touched(db, file, &range), of))
}

/// Returns whether a range touches several predicates.
pub fn touches_several(db: &dyn Db, file: SourceFile, range: &Range<usize>) -> bool {
    touched(db, file, range).len() > 1
}

/// Converts the line endings in the edits to those of the file.
fn with_line_ends(db: &dyn Db, file: SourceFile, mut actions: Vec<Action>) -> Vec<Action> {
    let text = &file.parsed(db).text;
    if text.contains('\r') {
        for edit in actions.iter_mut().flat_map(|action| &mut action.edits) {
            *edit = edit.clone().with_line_ends_of(text);
        }
    }
    actions
}

/// Returns the quick fixes by the given rules for predicates whose clauses or assertions overlap a range. Other rules are not evaluated.
pub fn actions_by(
    db: &dyn Db,
    file: SourceFile,
    range: Range<usize>,
    on: Option<&Calibrated>,
    wanted: &[&'static Rule],
) -> Vec<Action> {
    let is_wanted = |rule: &Rule| wanted.contains(&rule);
    let of = |p: &PredicatePositions| Arc::new(of_predicate(db, file, p, on, &is_wanted));
    let mut found = of_predicates(&touched(db, file, &range), of);
    if is_wanted(&rules::RELAX_ASSERTION) {
        found.extend(relaxed(db, file, range));
    }
    with_line_ends(db, file, found)
}

/// A predicate whose clauses or assertions a range touches.
struct Touched {
    positions: PredicatePositions,
    /// True if the range touches a clause.
    in_clause: bool,
}

fn touched(db: &dyn Db, file: SourceFile, range: &Range<usize>) -> Vec<Touched> {
    if sniff::is_no_prolog(&file.parsed(db).text) {
        return Vec::new();
    }
    let touches = |from: usize, to: usize| from <= range.end && range.start <= to;
    let suppressed = suppressions(db, file);
    let assertions = file_assertions(db, file);
    let asserted: Vec<Functor> = (assertions.list.iter().zip(&assertions.places))
        .filter(|(_, place)| touches(place.range.0, place.range.1))
        .map(|(a, _)| Functor::new(a.name.clone(), a.arity))
        .collect();
    let is_suppressed = |p: &PredicatePositions| {
        let first = p.clauses.first();
        first.is_some_and(|c| suppressed.covers(&rules::FIX, c.range.0))
    };
    (positions(db, file).iter())
        .filter(|p| !is_suppressed(p))
        .filter_map(|p| {
            let in_clause = p.clauses.iter().any(|c| touches(c.range.0, c.range.1));
            (in_clause || asserted.contains(&p.functor)).then(|| Touched {
                positions: p.clone(),
                in_clause,
            })
        })
        .collect()
}

/// Returns the actions for touched predicates.
fn of_predicates(
    touched: &[Touched],
    of: impl Fn(&PredicatePositions) -> Arc<OfPredicate>,
) -> Vec<Action> {
    let mut found = Vec::new();
    for touched in touched {
        let of = of(&touched.positions);
        if touched.in_clause {
            found.extend(of.statements.iter().cloned());
        }
        found.extend(of.variants.iter().cloned());
    }
    found
}

/// Returns actions that replace false assertions in a range by the bounds that hold.
fn relaxed(db: &dyn Db, file: SourceFile, range: Range<usize>) -> Vec<Action> {
    if sniff::is_no_prolog(&file.parsed(db).text) {
        return Vec::new();
    }
    let suppressed = suppressions(db, file);
    // The test covers the entire line, because the tag before the property belongs to the assertion.
    let text = &*file.parsed(db).text;
    let is_touched = |check: &&AssertionCheck| {
        line_begin(text, check.range.start) <= range.end && range.start <= check.range.end
    };
    let all = verdicts(db, file, None);
    (all.iter().filter(is_touched))
        .filter(|check| !suppressed.covers(&rules::FIX, check.range.start))
        .filter_map(|check| assert::relaxed(db, file, check))
        .collect()
}

/// The actions for a predicate, regardless of the part that is touched.
#[derive(Debug, Default)]
struct OfPredicate {
    /// Actions that add mode lines and assertions.
    statements: Vec<Action>,
    /// Cheaper variants.
    variants: Vec<Action>,
}

fn of_predicate(
    db: &dyn Db,
    file: SourceFile,
    p: &PredicatePositions,
    on: Option<&Calibrated>,
    is_wanted: &dyn Fn(&Rule) -> bool,
) -> OfPredicate {
    let mut of = OfPredicate::default();
    if is_wanted(&rules::DECLARE_MODES) {
        let proposal = declare::propose(db, file, &p.functor);
        let bounded = proposal.and_then(|proposal| if_bounded(db, file, &p.functor, proposal));
        of.statements.extend(bounded);
    }
    if is_wanted(&rules::ASSERT_INFERRED) {
        (of.statements).extend(assert::inferred(db, file, &p.functor));
    }
    // A missing condition is reported only if no variant is available without it.
    let missing = [
        &rules::DECLARE_AND_REWRITE,
        &rules::DECLARE_FOR_VARIANT,
        &rules::CONDITION_MISSING,
    ];
    let of_all = missing.iter().any(|rule| is_wanted(rule));
    Site::visit(db, file, &p.functor, &p.clauses, |site| {
        let (mut refused, mut blamed) = (Vec::new(), Vec::new());
        for rewrite in REWRITES.iter().filter(|r| of_all || is_wanted(r.rule)) {
            for proposal in rewrite.propose(site) {
                match if_cheaper_as_called(site, rewrite.rule, &proposal, on) {
                    // A variant proposed by two rules is offered once.
                    Ok(action) if of.variants.iter().any(|a| a.edits == action.edits) => {}
                    Ok(action) => {
                        of.variants.push(action);
                        // Later proposals are alternatives in case this proposal is unavailable.
                        if proposal.seen_by.is_some() {
                            break;
                        }
                    }
                    Err(why) => {
                        tracing::debug!("no {} of {}: {why}", rewrite.rule.id(), site.functor);
                        match why {
                            Refusal::Unproved { conditions, .. } => {
                                refused.push((rewrite, proposal, conditions));
                            }
                            Refusal::Caller(of) => blamed.push(*of),
                            Refusal::Other(_) => {}
                        }
                    }
                }
            }
        }
        if of.variants.is_empty() {
            of.variants.extend(apart::action(site, &refused, on));
            if of_all {
                let told = missing::actions(site, &refused).into_iter();
                let told = told.chain(blamed.iter().map(|of| missing::blamed(site, of)));
                for action in told.filter(|a| is_wanted(a.rule)) {
                    if !of.statements.iter().any(|a| a.title == action.title) {
                        of.statements.push(action);
                    }
                }
            }
        }
    });
    of
}

/// The reason why a proposal is not offered.
enum Refusal {
    /// Some conditions are not proved.
    Unproved {
        conditions: Vec<Condition>,
        /// The conditions in words.
        words: Vec<String>,
    },
    /// A call is not proved to match the patterns for which the conditions are proved.
    Caller(Box<Blamed>),
    /// The variant is not cheaper, or cannot be shown to give the same answers.
    Other(String),
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal::Other(why)
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Self {
        Refusal::Other(why.to_owned())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unproved { words, .. } => f.write_str(&words.join(", ")),
            Refusal::Caller(of) => f.write_str(&of.words),
            Refusal::Other(why) => f.write_str(why),
        }
    }
}

/// A variant that a call prevents.
struct Blamed {
    /// The call and the problem with it.
    words: String,
    /// The title of the prevented variant.
    title: String,
    gain: gain::Gain,
}

/// Returns the action for the declared calls together with the known calls in the file. If there is none, returns the action for the
/// declared calls alone, provided that all other calls are proved to match them.
fn if_cheaper_as_called(
    site: &Site<'_>,
    rule: &'static Rule,
    proposal: &Proposal,
    on: Option<&Calibrated>,
) -> Result<Action, Refusal> {
    match if_cheaper(site, rule, proposal, on) {
        Err(why @ Refusal::Unproved { .. }) if site.passes_more() => {
            let found = site.as_declared(|site| if_cheaper(site, rule, proposal, on));
            match found {
                Err(Refusal::Unproved { .. } | Refusal::Other(_)) => Err(why),
                found => found,
            }
        }
        found => found,
    }
}

/// Returns the action if its conditions are proved, the analysis of the edited text proves it cheaper, and both versions give the same
/// answers when run. Otherwise returns the reason for the refusal.
fn if_cheaper(
    site: &Site<'_>,
    rule: &'static Rule,
    proposal: &Proposal,
    on: Option<&Calibrated>,
) -> Result<Action, Refusal> {
    let conditions = conditions::unproved(site, &proposal.needs);
    if !conditions.is_empty() {
        let words = conditions.iter().map(|c| c.words(site)).collect();
        return Err(Refusal::Unproved { conditions, words });
    }
    cheaper(site, rule, proposal, on, Tried::OnInputs)
}

/// The way in which a variant is compared with the original by running both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// On generated inputs.
    OnInputs,
    /// None: generated inputs need not satisfy a condition.
    Not,
}

/// Checks a proposal like [`if_cheaper`], whether or not its conditions on the calls are proved.
fn cheaper(
    site: &Site<'_>,
    rule: &'static Rule,
    proposal: &Proposal,
    on: Option<&Calibrated>,
    tried: Tried,
) -> Result<Action, Refusal> {
    let mut edits = proposal.edits.clone();
    edits.sort_by_key(|e| (e.range.start, e.range.end));
    if let Some(why) = kept::refusal(site, &edits) {
        return Err(why.into());
    }
    let variant = Variant::with_clauses(site, &edits, &proposal.beside);
    if let Some(why) = introduced::refusal(site, &edits, &variant) {
        return Err(why.into());
    }
    if !conditions::hold_of_variant(site, &proposal.needs, &variant) {
        return Err("the variant may have a second solution, or an exception".into());
    }
    let functor = proposal.seen_by.as_ref().unwrap_or(site.functor);
    let before: gain::Version<'_> = (site.db, site.file, functor);
    let after: gain::Version<'_> = (&variant.db, variant.file, functor);
    let is_local = proposal.short_runs.local().is_some();
    let gain =
        gain::gain(before, after, proposal.short_runs).ok_or("it is not proved to be cheaper")?;
    let mut told = None;
    if let Some(on) = on
        && let Some(times) = VersionTimes::compute(before, after, on)
    {
        told = times.change(on);
        if times.are_worse(told.as_ref()) {
            return Err(format!("it takes longer on {}", on.engine).into());
        }
    }
    let mut title = format!("{}: {}", proposal.what, gain.change);
    if tried == Tried::OnInputs
        && let Some(of) = to_blame(site, proposal)
    {
        let words = of.words(site.db, site.file);
        return Err(Refusal::Caller(Box::new(Blamed { words, title, gain })));
    }
    let tested_inputs = match tried {
        Tried::OnInputs => {
            let patterns = tried_patterns(site, functor).ok_or("no call is known");
            let tested = patterns
                .map_err(|why| Failure::NotRun(why.to_owned()))
                .and_then(|patterns| equivalence::tested(before, after, &patterns));
            match tested {
                // The goals are proved to have the same answers; the runs only confirm it.
                Err(Failure::NotRun(_)) if is_local => 0,
                tested => tested.map_err(|why| why.to_string())?,
            }
        }
        Tried::Not => 0,
    };
    let first_clause = || site.places.first().map_or(0, |place| place.range.0);
    let offset = match &edits[..] {
        [first, ..] if is_local => first.range.start,
        _ => first_clause(),
    };
    if !is_local {
        let better_for = &gain.better_for;
        let of = (proposal.seen_by.as_ref()).map(|caller| format!(" of `{}`", indicator(caller)));
        let of = of.unwrap_or_default();
        title.push_str(&format!("{of} (cheaper for {better_for})"));
        let times = told.as_ref().map(TimeChange::text);
        let callers = elsewhere::words(site.db, site.file, functor, &edits);
        for more in times.into_iter().chain(callers) {
            title.push_str(&format!("; {more}"));
        }
    }
    Ok(Action {
        title,
        rule,
        predicate: site.functor.clone(),
        offset,
        cost: gain.cost,
        unit: gain.unit,
        better_for: gain.better_for,
        times: told,
        tested_inputs,
        missing: Vec::new(),
        edits,
    })
}

/// Returns a goal of the workspace that prevents a proposal: a goal that inspects clauses that would change, or a call that is not proved to
/// match the calls for which the conditions are proved. If there are no conditions, every call is allowed.
fn to_blame(site: &Site<'_>, proposal: &Proposal) -> Option<Blame> {
    let changed = kept::edited(site, &proposal.edits);
    let mut shown = changed.iter().filter(|of| *of != site.functor);
    reflecting(site.db, site.file, site.functor)
        .or_else(|| shown.find_map(|of| reflecting(site.db, site.file, of)))
        .or_else(|| match proposal.needs.is_empty() {
            true => None,
            false => violation(site.db, site.file, site.functor, &site.patterns()?),
        })
}

/// Returns the patterns under which both versions are run: the known call patterns, or else all reported patterns.
fn tried_patterns(site: &Site<'_>, functor: &Functor) -> Option<Vec<Pattern>> {
    let calls = match functor == site.functor {
        true => site.calls(),
        false => known_calls(site.db, site.file, functor, Callers::Any),
    };
    let all = calls.or_else(|| {
        Some(
            reached_report(site.db, site.file, functor)?
                .patterns
                .clone(),
        )
    })?;
    Some(all.into_iter().map(|report| report.pattern).collect())
}

/// Returns the action if the analysis of the edited text infers an upper bound.
fn if_bounded(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    proposal: Proposal,
) -> Option<Action> {
    let before = reached_report(db, file, functor)?;
    let variant = Variant::with_edits(db, file, functor, &proposal.edits);
    let after = reached_report(&variant.db, variant.file, functor)?;
    let (before, after) = (before.telling()?, after.telling()?);
    finite(after.headline.where_bounded().1)?;
    let [was, is] = [before, after].map(|r| headline::display(r, &names_in(r)));
    let positions = positions(db, file);
    let place = positions.iter().find(|p| p.functor == *functor)?;
    Some(Action {
        title: format!("{}: {was} → {is} steps", proposal.what),
        rule: &rules::DECLARE_MODES,
        predicate: functor.clone(),
        offset: place.clauses.first()?.range.0,
        cost: (was, is),
        unit: "steps".to_owned(),
        better_for: String::new(),
        times: None,
        tested_inputs: 0,
        missing: Vec::new(),
        edits: proposal.edits,
    })
}
