//! Variants of unrestricted predicates: a cheaper copy for the calls in the file.
//!
//! ```text
//! %! warnings(+Es:list, -Ms) is det.                   warnings(Es, Ms) :- collect_fast(Es, [], Ms).
//! warnings(Es, Ms) :- collect(Es, [], Ms).       →
//!                                                      collect(…) :- …         stays as it is
//! collect(…) :- …                                      collect_fast(…) :- …    the cheaper variant
//! ```
//!
//! Outside a module, `collect/3` may be called from anywhere, including in ways for which the variant would give other answers. Only the
//! calls by `warnings/2` are known. These calls are therefore redirected to a copy, and the copy is rewritten.

use std::collections::BTreeSet;

use costlens_analysis::report::Functor;
use costlens_analysis::types::Pattern;
use costlens_program::calls::loads_while_running;
use costlens_program::positions::{PredicatePositions, positions};
use costlens_program::{Clause, SourceFile, find};
use costlens_syntax::read_text;

use super::callers::{Callers, callers, known_calls, violation};
use super::conditions::Condition;
use super::kept::is_left_alone;
use super::proposal::Proposal;
use super::rewrites::Rewrite;
use super::site::{Site, is_closed, is_free};
use super::variant::{Variant, applied_to_part};
use super::{Action, if_cheaper};
use crate::db::Db;
use crate::file::Edit;
use crate::navigate::names::{Name, NameRole, names};
use crate::present::indicator;
use crate::resources::Calibrated;

/// The maximum number of clauses of a predicate that is copied.
const MOST_CLAUSES: usize = 8;

/// The suffixes for names of copies.
const SUFFIXES: [&str; 2] = ["_fast", "_direct"];

/// Returns the first variant of a copy to which calls in the file are redirected. Only rewrites whose conditions are not proved for all calls
/// are considered. Returns `None` if all calls of the predicate are known.
pub(super) fn action(
    site: &Site<'_>,
    refused: &[(&'static Rewrite, Proposal, Vec<Condition>)],
    on: Option<&Calibrated>,
) -> Option<Action> {
    (may_be_copied(site) && !refused.is_empty() && site.calls().is_none()).then_some(())?;
    let copied = Copied::new(site)?;
    let of_copy = copied.predicate(site)?;
    let variant = copied.variant(&of_copy, refused, on)?;
    let edits = copied.edits(site, &of_copy, &variant)?;
    Some(Action {
        title: format!(
            "{}; `{}` is kept for other callers",
            variant.title,
            indicator(site.functor)
        ),
        predicate: site.functor.clone(),
        offset: site.places.first()?.range.0,
        edits,
        ..variant
    })
}

/// Returns true for a predicate that has few clauses and to which no directive or update in the file refers.
fn may_be_copied(site: &Site<'_>) -> bool {
    // Directives for the predicate, such as `:- table` and `:- det`, would not apply to a copy.
    let is_said = |n: &Name| {
        n.functor == *site.functor && matches!(n.role, NameRole::Declaration | NameRole::Update)
    };
    site.clauses.len() <= MOST_CLAUSES
        && site.clauses.iter().all(|c| !c.grammar_rule)
        && are_together(site)
        // A file that is loaded at run time may redefine the copy.
        && loads_while_running(site.db, site.file).is_none()
        && !names(site.db, site.file).iter().any(is_said)
}

/// The file with a copy of the predicate, to which known calls are redirected.
struct Copied {
    calls: Vec<Name>,
    variant: Variant,
    /// The offset of the copy in the original text.
    at: usize,
}

impl Copied {
    fn new(site: &Site<'_>) -> Option<Self> {
        let calls = known(site);
        (!calls.is_empty()).then_some(())?;
        let suffix = SUFFIXES.into_iter().find(|s| !may_be_made(site, s))?;
        let suffix = match site.functor.name.ends_with('_') {
            true => &suffix[1..],
            false => suffix,
        };
        let name = site.helper_name(site.functor.arity, suffix)?;
        let at = end_of_line(site)?;
        let mut edits: Vec<Edit> = calls.iter().map(|call| renamed(call, &name)).collect();
        edits.push(insertion(site, at, &copy(site, &name)?));
        edits.sort_by_key(|edit| edit.range.start);
        let variant = Variant::with_clauses(site, &edits, "");
        Some(Self { calls, variant, at })
    }

    /// Returns the copy.
    fn predicate(&self, site: &Site<'_>) -> Option<PredicatePositions> {
        added(site, &self.variant.db, self.variant.file)
    }

    /// Returns the first variant of the copy.
    fn variant(
        &self,
        copy: &PredicatePositions,
        refused: &[(&'static Rewrite, Proposal, Vec<Condition>)],
        on: Option<&Calibrated>,
    ) -> Option<Action> {
        let if_cheaper = |copied: &Site<'_>, rewrite: &Rewrite, proposal: &Proposal| {
            let tried = if_cheaper(copied, rewrite.rule, proposal, on);
            let told = tried.inspect_err(|why| {
                tracing::debug!("no {} of {}: {why}", rewrite.rule.id(), copied.functor);
            });
            told.ok()
        };
        let mut cheaper = None;
        Site::visit_called_by(
            Callers::OfFile,
            &self.variant.db,
            self.variant.file,
            &copy.functor,
            &copy.clauses,
            |copied| {
                cheaper = refused.iter().find_map(|(rewrite, proposal, _)| {
                    let proposals = rewrite.propose(copied).into_iter();
                    let mut same = proposals.filter(|p| p.what == proposal.what);
                    same.find_map(|p| if_cheaper(copied, rewrite, &p))
                });
            },
        );
        cheaper
    }

    /// Returns the edits of the original text: the new clauses, and the clauses that call them. The calling clauses are replaced as a
    /// whole, since the variant may change their calls again.
    fn edits(
        &self,
        site: &Site<'_>,
        copy: &PredicatePositions,
        variant: &Action,
    ) -> Option<Vec<Edit>> {
        let (db, file) = (&self.variant.db, self.variant.file);
        let mut rewritten = Rewritten {
            text: &file.parsed(db).text,
            edits: &variant.edits,
            seen: 0,
        };
        let (first, last) = (copy.clauses.first()?, copy.clauses.last()?);
        let clauses = rewritten.part(first.range.0, last.range.1)?;
        // The variant was analysed with this file alone.
        let is_new = |functor: Functor| is_free(site.db, site.file, &functor);
        functors(&clauses).into_iter().all(is_new).then_some(())?;
        let mut edits = vec![insertion(site, self.at, &clauses)];
        let (before, after) = (positions(site.db, site.file), positions(db, file));
        for p in before.iter() {
            let twin = after.iter().find(|other| other.functor == p.functor);
            for (number, place) in p.clauses.iter().enumerate() {
                let inside = |call: &Name| {
                    place.range.0 <= call.range.start && call.range.end <= place.range.1
                };
                if self.calls.iter().any(inside) {
                    let (from, to) = twin?.clauses.get(number)?.range;
                    edits.push(Edit {
                        range: place.range.0..place.range.1,
                        text: rewritten.part(from, to)?,
                    });
                }
            }
        }
        // An edit elsewhere would be lost.
        (rewritten.seen == variant.edits.len()).then_some(())?;
        edits.sort_by_key(|edit| edit.range.start);
        Some(edits)
    }
}

fn insertion(site: &Site<'_>, at: usize, clauses: &str) -> Edit {
    let line = site.line_end();
    Edit {
        range: at..at,
        text: format!("{line}{line}{clauses}"),
    }
}

/// An edited text that is read part by part.
struct Rewritten<'a> {
    text: &'a str,
    edits: &'a [Edit],
    /// The number of edits in the parts read so far.
    seen: usize,
}

impl Rewritten<'_> {
    /// Returns a part of the text with its edits applied.
    fn part(&mut self, from: usize, to: usize) -> Option<String> {
        let is_inside = |e: &&Edit| from <= e.range.start && e.range.end <= to;
        let inside = self.edits.iter().filter(is_inside).cloned();
        self.seen += inside.clone().count();
        applied_to_part(self.text, from, to, inside)
    }
}

/// Returns the calls of the predicate by other predicates of the file whose own calls are known.
fn known(site: &Site<'_>) -> Vec<Name> {
    let (db, file) = (site.db, site.file);
    let mut callers = callers(db, file, site.functor);
    let runs_as_written =
        |caller: &Functor| find(db, file, caller).is_some_and(|p| is_closed(db, p));
    callers.retain(|caller| {
        runs_as_written(caller)
            && !is_left_alone(db, file, caller)
            && known_calls(db, file, caller, Callers::Any).is_some_and(|calls| {
                let patterns: Vec<Pattern> = calls.into_iter().map(|of| of.pattern).collect();
                violation(db, file, caller, &patterns).is_none()
            })
    });
    let is_known = |name: &&Name| {
        let is_call = name.role == NameRole::Call && name.functor == *site.functor;
        is_call
            && name
                .owner
                .as_ref()
                .is_some_and(|owner| callers.contains(owner))
    };
    names(db, file).iter().filter(is_known).cloned().collect()
}

/// Returns true if only comments separate the clauses. A flag that is set between clauses would apply only to the later clauses.
fn are_together(site: &Site<'_>) -> bool {
    let mut pairs = site.places.windows(2);
    pairs.all(|pair| site.comments_in(pair[0].range.1..pair[1].range.0).is_some())
}

/// Returns true if the file contains a name with this suffix that is not the name of one of its predicates. Such a name may be constructed or
/// tested for at run time.
fn may_be_made(site: &Site<'_>, suffix: &str) -> bool {
    let is_outside = |c: char| !c.is_alphanumeric() && c != '_';
    let own = positions(site.db, site.file);
    site.text.match_indices(suffix).any(|(at, _)| {
        let (before, behind) = (&site.text[..at], &site.text[at..]);
        let from = before.len() - before.trim_end_matches(|c| !is_outside(c)).len();
        let to = behind.find(is_outside).unwrap_or(behind.len());
        let name = &site.text[at - from..at + to];
        !own.iter().any(|p| p.functor.name == name)
    })
}

/// Returns the end of the last clause, including a comment that follows it on its line.
fn end_of_line(site: &Site<'_>) -> Option<usize> {
    let last = site.places.last()?.range.1;
    let rest = site.text.get(last..)?;
    let line = last + rest.find(['\n', '\r']).unwrap_or(rest.len());
    let comments = site.comments_between(last, line);
    let end = comments.last().map_or(last, |comment| comment.range.1);
    Some(match site.comments_in(last..end) {
        Some(_) => end,
        None => last,
    })
}

/// Returns the predicates that have clauses in a text.
fn functors(clauses: &str) -> BTreeSet<Functor> {
    let read = read_text(clauses);
    let all = read.clauses.iter();
    all.filter_map(|c| Some(Clause::from_term(&c.terms, c.root)?.0))
        .collect()
}

/// Returns the clauses with another predicate name, including in recursive calls.
fn copy(site: &Site<'_>, name: &str) -> Option<String> {
    let own = names(site.db, site.file);
    let mut clauses = Vec::new();
    for place in site.places {
        let (from, to) = place.range;
        let inside = |n: &&Name| {
            let is_own =
                matches!(n.role, NameRole::Head | NameRole::Call) && n.functor == *site.functor;
            is_own && from <= n.range.start && n.range.end <= to
        };
        let edits = own.iter().filter(inside).map(|n| renamed(n, name));
        clauses.push(applied_to_part(site.text, from, to, edits)?);
    }
    Some(clauses.join(site.line_end()))
}

fn renamed(call: &Name, name: &str) -> Edit {
    Edit {
        range: call.range.clone(),
        text: name.to_owned(),
    }
}

/// Returns the only predicate of an edited file that the original file lacks.
fn added(site: &Site<'_>, db: &dyn Db, file: SourceFile) -> Option<PredicatePositions> {
    let before = positions(site.db, site.file);
    let is_new = |functor: &Functor| before.iter().all(|p| p.functor != *functor);
    let after = positions(db, file);
    let mut new = after.iter().filter(|p| is_new(&p.functor));
    new.next().filter(|_| new.next().is_none()).cloned()
}
