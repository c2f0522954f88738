//! Quick fixes: cheaper variants, and mode lines that give a bound.
//!
//! A variant is offered only where its conditions are proved and where the analysis of the edited text proves it cheaper; a mode line only
//! where the analysis finds an upper bound with it.

mod assert;
mod declare;
mod reverse;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use costlens_algebra::sign::{Sign, sign_intervals};
use costlens_algebra::{Expr, Var};
use costlens_analysis::report::{Functor, PatternReport, PredicateReport};
use costlens_program::positions::positions;
use costlens_program::{Role, SourceFile, callees, find};
use costlens_syntax::Parsed;
use num_bigint::BigInt;

use crate::db::{Database, Db, reached_report};
use crate::diagnostics::rules::{self, Rule};
use crate::diagnostics::suppressions::suppressions;
use crate::diagnostics::verdicts::{AssertionCheck, verdicts};
use crate::file::Edit;
use crate::present::{finite, headline, names};
use crate::sniff;

/// A change of the text that makes a predicate cheaper, or gives it a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The change, and the gain.
    pub title: String,
    /// The rule that proposes it.
    pub rule: &'static Rule,
    /// The predicate whose cost it lowers or bounds.
    pub predicate: Functor,
    /// The cost before and after, as hints show it.
    pub cost: (String, String),
    /// The sizes for which it is cheaper: `n ≥ 2`; empty for a mode line.
    pub better_for: String,
    /// The edits, in order and without overlap.
    pub edits: Vec<Edit>,
}

impl Action {
    /// False for what changes nothing that is wrong or dear.
    #[must_use]
    pub fn is_fix(&self) -> bool {
        self.rule.id() != rules::ASSERT_INFERRED.id()
    }
}

/// A proposal of a rule, before its gain is known.
struct Proposal {
    rule: &'static Rule,
    what: &'static str,
    edits: Vec<Edit>,
}

impl Proposal {
    /// The action, with the cost before and after.
    fn into_action(
        self,
        functor: &Functor,
        reports: [&PatternReport; 2],
        better_for: String,
    ) -> Action {
        let [before, after] = reports.map(|r| headline::display(r, &names(&r.sizes)));
        let sizes = match better_for.as_str() {
            "" => String::new(),
            sizes => format!(" (cheaper for {sizes})"),
        };
        Action {
            title: format!("{}: {before} → {after} steps{sizes}", self.what),
            rule: self.rule,
            predicate: functor.clone(),
            cost: (before, after),
            better_for,
            edits: self.edits,
        }
    }
}

/// The quick fixes of the predicates whose clauses or false assertions a range touches.
pub fn code_actions(db: &dyn Db, file: SourceFile, range: Range<usize>) -> Vec<Action> {
    if sniff::is_perl(&file.parsed(db).text) {
        return Vec::new();
    }
    let touches = |from: usize, to: usize| from <= range.end && range.start <= to;
    let positions = positions(db, file);
    let mut found = Vec::new();
    let suppressed = suppressions(db, file);
    for p in positions.iter() {
        let first = p.clauses.first();
        if first.is_some_and(|c| suppressed.covers(&rules::FIX, c.range.0)) {
            continue;
        }
        let is_touched = p.clauses.iter().any(|c| touches(c.range.0, c.range.1));
        if is_touched {
            let proposal = declare::propose(db, file, &p.functor);
            found.extend(proposal.and_then(|p2| if_bounded(db, file, &p.functor, p2)));
            found.extend(assert::inferred(db, file, &p.functor));
        }
        // The shape is looked for first: it costs nothing, while verdicts and the analysis of a variant do.
        let Some(proposal) = reverse::propose(db, file, &p.functor) else {
            continue;
        };
        let asked = is_touched
            || (verdicts(db, file, None).iter()).any(|a| {
                a.judged.predicate == p.functor.clone() && touches(a.range.start, a.range.end)
            });
        if asked {
            found.extend(if_cheaper(db, file, &p.functor, proposal));
        }
    }
    let is_touched = |check: &&AssertionCheck| touches(check.range.start, check.range.end);
    let all = verdicts(db, file, None);
    let relaxed = (all.iter().filter(is_touched))
        .filter(|check| !suppressed.covers(&rules::FIX, check.range.start))
        .filter_map(|check| assert::relaxed(db, file, check));
    found.extend(relaxed);
    found
}

/// The text of a file after edits, without the predicates that `functor` does not reach: its cost does not depend on them, and
/// an editor asks for actions whenever the cursor moves.
fn edited(db: &dyn Db, file: SourceFile, functor: &Functor, edits: &[Edit]) -> String {
    let mut reached = BTreeSet::from([functor.clone()]);
    let mut open = vec![functor.clone()];
    while let Some(next) = open.pop() {
        let Some(predicate) = find(db, file, &next) else {
            continue;
        };
        for callee in callees(db, predicate) {
            if reached.insert(callee.clone()) {
                open.push(callee.clone());
            }
        }
    }
    let positions = positions(db, file);
    let unreached = positions.iter().filter(|p| !reached.contains(&p.functor));
    let removed = unreached.flat_map(|p| &p.clauses).map(|c| Edit {
        range: c.range.0..c.range.1,
        text: String::new(),
    });
    let mut edits: Vec<Edit> = edits.iter().cloned().chain(removed).collect();
    edits.sort_by_key(|e| e.range.start);
    let before = &file.parsed(db).text;
    let (mut text, mut from) = (String::new(), 0);
    for e in edits {
        text.push_str(before.get(from..e.range.start).unwrap_or_default());
        text.push_str(&e.text);
        from = e.range.end;
    }
    text.push_str(before.get(from..).unwrap_or_default());
    text
}

/// The action, if the analysis of the edited text proves that it is cheaper for some sizes and nowhere unknown.
fn if_cheaper(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    proposal: Proposal,
) -> Option<Action> {
    let before = reached_report(db, file, functor)?;
    let after = analysed(db, file, functor, &proposal.edits)?;
    let (before, after) = (before.patterns.first()?, after.patterns.first()?);
    if before.pattern != after.pattern {
        return None;
    }
    let better_for = cheaper_for(before, after)?;
    Some(proposal.into_action(functor, [before, after], better_for))
}

/// The action, if the analysis of the edited text finds an upper bound.
fn if_bounded(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    proposal: Proposal,
) -> Option<Action> {
    let before = reached_report(db, file, functor)?;
    let after = analysed(db, file, functor, &proposal.edits)?;
    let (before, after) = (before.telling()?, after.telling()?);
    finite(&after.headline.all.upper)?;
    Some(proposal.into_action(functor, [before, after], String::new()))
}

/// The report of a predicate in the edited text, in a database of its own: the variant is nobody else's business.
fn analysed(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    edits: &[Edit],
) -> Option<Arc<PredicateReport>> {
    let text = edited(db, file, functor, edits);
    db.unwind_if_revision_cancelled();
    let variants = Database::new();
    let variant = SourceFile::new(
        &variants,
        file.path(db).to_owned(),
        Parsed::new(text),
        Role::User,
    );
    reached_report(&variants, variant, functor)
}

/// The sizes for which every run after is shorter than every run before, on the main pieces: `n ≥ 2`, `every size`. None
/// where that is not proved for all sizes above some size.
fn cheaper_for(before: &PatternReport, after: &PatternReport) -> Option<String> {
    let (old, new) = (before.main_piece()?, after.main_piece()?);
    let lower = finite(&old.first.lower)?;
    let upper = renamed(finite(&new.all.upper)?, after, before)?;
    let gain = lower - &upper;
    let [size] = before.sizes.as_slice() else {
        return (gain.as_constant()?.numer() > &BigInt::ZERO).then(|| "every size".to_owned());
    };
    let from = least(old, size.var);
    let intervals = sign_intervals(&gain, size.var, Some(from.clone()), None);
    let last = intervals.last()?;
    if last.sign != Some(Sign::Positive) || last.to.is_some() {
        return None;
    }
    Some(match &last.from {
        Some(k) if *k > from => format!("{} ≥ {k}", size.name),
        _ => "every size".to_owned(),
    })
}

/// The least size of a piece: 0 where it says nothing else.
fn least(piece: &costlens_analysis::report::Piece, v: Var) -> BigInt {
    let (low, _) = piece.when.bounds(&Expr::var(v));
    low.map_or(BigInt::ZERO, |k| k.ceil().to_integer())
        .max(BigInt::ZERO)
}

/// An expression over the sizes of one report, over those of another that measure the same arguments.
fn renamed(e: &Expr, from: &PatternReport, to: &PatternReport) -> Option<Expr> {
    let by = (e.variables().into_iter())
        .map(|v| {
            let size = from.sizes.iter().find(|s| s.var == v)?;
            let same = (to.sizes.iter()).find(|s| {
                s.argument == size.argument && s.metric == size.metric && s.element == size.element
            })?;
            Some((v, Expr::var(same.var)))
        })
        .collect::<Option<_>>()?;
    e.substitute(&by)
}
