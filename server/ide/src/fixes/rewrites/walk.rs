//! `walk-instead-of-index`: replaces the lookup at each index of a loop by walking down the list.
//!
//! ```text
//! total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).       total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).
//!
//! total(I, N, _, S, S) :- I > N.                              total(I, N, _, S, S) :- I > N.
//! total(I, N, Xs, S0, S) :-                             →     total(I, N, Xs, S0, S) :-
//!     I =< N, nth1(I, Xs, X), S1 is S0+X,                         I =< N, Xs = [X|Rest], S1 is S0+X,
//!     J is I+1, total(J, N, Xs, S1, S).                           J is I+1, total(J, N, Rest, S1, S).
//! ```
//!
//! The loop starts at the first element, and each iteration takes the next element. In the variant, the list that is passed on therefore
//! starts at the current index, and ends where `nth1/3` would fail. If other goals may also call the loop, the variant is a separate
//! predicate.

use std::rc::Rc;

use costlens_program::positions::positions;
use costlens_program::{ClauseKind, Functor, Resolved, facts, resolve};
use costlens_syntax::term::{TermId, Terms};

use crate::file::Edit;
use crate::fixes::callers::{Callers, is_local};
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{computed, rows, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::{Site, is_closed, occurrences};
use crate::fixes::variant::applied_to_part;
use crate::navigate::names::names;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for &goal in &row.goals {
                found.extend(called(site, number, goal));
            }
        }
    }
    found
}

/// Returns the variant of the loop that a goal calls.
fn called(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (name, arity) = terms.functor(goal)?;
    let functor = Functor::new(name.clone(), arity);
    let begins = |&argument: &TermId| matches!(small(terms, argument), Some(0 | 1));
    let fits = functor != *site.functor
        && (3..=10).contains(&arity)
        && terms.args(goal).iter().any(begins);
    let Some(Resolved::Own(predicate)) = resolve(site.db, site.file, &functor).filter(|_| fits)
    else {
        return None;
    };
    let all = positions(site.db, site.file);
    let places = &all.iter().find(|p| p.functor == functor)?.clauses;
    let clauses = predicate.clauses(site.db);
    if clauses.len() > 16 || clauses.len() != places.len() || !is_closed(site.db, predicate) {
        return None;
    }
    let inner = Site {
        db: site.db,
        file: site.file,
        functor: &functor,
        clauses,
        places,
        text: site.text,
        callers: Callers::Any,
        recognised: Rc::clone(&site.recognised),
    };
    let arguments = terms.args(goal);
    let walk = Walk::recognise(&inner, |index| small(terms, arguments[index]))?;
    let mut edits = Vec::new();
    if is_for_this_call(site, &functor, &inner) {
        for number in 0..clauses.len() {
            edits.extend(walk.edits(&inner, number, None)?);
        }
    } else {
        let helper = inner.helper_name(arity, "_walk")?;
        let end = site.line_end();
        let mut text = String::new();
        for (number, place) in places.iter().enumerate() {
            let mut changes = walk.edits(&inner, number, Some(&helper))?;
            changes.sort_by_key(|e| e.range.start);
            let separator = if number == 0 { end } else { "" };
            let (from, to) = place.range;
            let clause = applied_to_part(site.text, from, to, changes.into_iter())?;
            text.push_str(&format!("{separator}{end}{clause}"));
        }
        let last = places.last()?.range.1;
        edits.push(Edit {
            range: last..last,
            text,
        });
        edits.push(renamed(site, clause, goal, &helper)?);
    }
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Traverse the list",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: vec![Condition::before_goal(
            clause,
            goal,
            arguments[walk.list],
            Shape::List,
        )],
    })
}

/// Returns true for a loop that is entered only by this call.
fn is_for_this_call(site: &Site<'_>, functor: &Functor, inner: &Site<'_>) -> bool {
    let named = names(site.db, site.file);
    let inside = |offset: usize| {
        let mut own = inner.places.iter();
        own.any(|place| place.range.0 <= offset && offset < place.range.1)
    };
    let outside = (named.iter()).filter(|n| n.functor == *functor && !inside(n.range.start));
    facts(site.db, site.file).module.is_some()
        && is_local(site.db, site.file, functor)
        && outside.count() == 1
}

/// Returns the edit that renames the predicate of a call.
fn renamed(site: &Site<'_>, clause: usize, call: TermId, helper: &str) -> Option<Edit> {
    let (from, _) = site.places[clause].range(call)?;
    let name = site.source(clause, call)?.find('(')?;
    Some(Edit {
        range: from..from + name,
        text: helper.to_owned(),
    })
}

/// The argument indices of a loop over indices.
struct Walk {
    index: usize,
    list: usize,
}

/// An iteration: the element lookup, and the recursive call.
struct Round {
    access: TermId,
    call: TermId,
}

impl Walk {
    /// Returns the argument indices if the loop starts at the first element. `start` returns the integer that the initial call passes for an
    /// argument.
    fn recognise(site: &Site<'_>, start: impl Fn(usize) -> Option<i64>) -> Option<Self> {
        let arguments = 0..site.functor.arity;
        let indices = arguments.clone().filter(|&i| start(i).is_some());
        let pairs =
            indices.flat_map(|index| arguments.clone().map(move |list| Self { index, list }));
        let mut fitting = pairs.filter(|walk| {
            let rounds: Option<Vec<Option<Round>>> = (0..site.clauses.len())
                .map(|number| walk.round(site, number))
                .collect();
            let Some(rounds) = rounds else {
                return false;
            };
            let mut first = rounds.iter().enumerate().filter_map(|(number, round)| {
                let access = round.as_ref()?.access;
                let (name, _) = site.clauses[number].terms.functor(access)?;
                Some(i64::from(name == "nth1"))
            });
            let from = first.next();
            walk.index != walk.list
                && from.is_some()
                && first.all(|other| Some(other) == from)
                && start(walk.index) == from
        });
        fitting.next()
    }

    /// Returns the iteration in a clause, or an inner `None` for a clause that ends the loop. Returns `None` for any other clause.
    #[expect(
        clippy::option_option,
        reason = "a clause without an iteration is one answer of three"
    )]
    fn round(&self, site: &Site<'_>, number: usize) -> Option<Option<Round>> {
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        if !matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) || clause.grammar_rule {
            return None;
        }
        let head = terms.args(clause.head);
        let list = variable(terms, head[self.list])?;
        let (name, arity) = (&site.functor.name, site.functor.arity);
        let body = clause.body.map_or(Vec::new(), |body| terms.subterms(body));
        let calls = body
            .iter()
            .filter(|&&t| terms.matches(t, name, arity).is_some());
        let &call = match calls.collect::<Vec<_>>()[..] {
            [] => return (occurrences(clause, list) == 1).then_some(None),
            [call] => call,
            _ => return None,
        };
        let index = variable(terms, head[self.index])?;
        let passed = terms.args(call);
        let next = variable(terms, passed[self.index])?;
        // All three goals are in the same sequence, and the element is known before the recursive call.
        let rows = rows(clause);
        let row = rows.iter().find(|row| row.goals.contains(&call))?;
        let before = row.goals.iter().take_while(|&&goal| goal != call);
        let (mut access, mut counted) = (None, false);
        for &goal in before {
            counted |= is_next(terms, goal, next, index);
            if is_access(site, terms, goal, index, list) {
                access = Some(goal);
            }
        }
        let fits = counted
            && variable(terms, passed[self.list]) == Some(list)
            && occurrences(clause, list) == 3
            && occurrences(clause, next) == 2
            && list != index;
        let access = access.filter(|_| fits)?;
        Some(Some(Round { access, call }))
    }

    /// Returns the edits of a clause. If `helper` is given, the loop is renamed.
    fn edits(&self, site: &Site<'_>, number: usize, helper: Option<&str>) -> Option<Vec<Edit>> {
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let mut edits = Vec::new();
        if let Some(helper) = helper {
            let place = &site.places[number];
            edits.push(Edit {
                range: place.name.0..place.name.1,
                text: helper.to_owned(),
            });
        }
        let Some(round) = self.round(site, number)? else {
            return Some(edits);
        };
        let rest = site.new_variable(number, &["Rest", "Rest0", "Tail", "Tail0"])?;
        let &[_, list, element] = terms.args(round.access) else {
            return None;
        };
        let (list, element) = (site.source(number, list)?, site.argument(number, element)?);
        edits.push(site.replace(number, round.access, format!("{list} = [{element}|{rest}]"))?);
        let handed = terms.args(round.call)[self.list];
        edits.push(site.replace(number, handed, rest.to_owned())?);
        if let Some(helper) = helper {
            edits.push(renamed(site, number, round.call, helper)?);
        }
        Some(edits)
    }
}

/// Returns true for the goal `J is I+1`.
fn is_next(terms: &Terms, goal: TermId, next: u32, index: u32) -> bool {
    let parts = || {
        let [result, sum] = computed(terms, goal)?;
        let &[a, b] = terms.matches(sum, "+", 2)? else {
            return None;
        };
        let one = match (variable(terms, a), variable(terms, b)) {
            (Some(v), None) if v == index => small(terms, b)?,
            (None, Some(v)) if v == index => small(terms, a)?,
            _ => return None,
        };
        Some(variable(terms, result)? == next && one == 1)
    };
    parts() == Some(true)
}

/// Returns true for the goals `nth1(I, Xs, X)` and `nth0(I, Xs, X)`.
fn is_access(site: &Site<'_>, terms: &Terms, goal: TermId, index: u32, list: u32) -> bool {
    let Some((name, 3)) = terms.functor(goal) else {
        return false;
    };
    let &[at, of, _] = terms.args(goal) else {
        return false;
    };
    matches!(name.as_str(), "nth0" | "nth1")
        && variable(terms, at) == Some(index)
        && variable(terms, of) == Some(list)
        && site.means_library(&Functor::new(name.clone(), 3))
}
