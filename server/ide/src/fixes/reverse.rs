//! `reverse-with-accumulator`: naive reverse becomes linear.
//!
//! ```text
//! nrev([], []).                                      nrev(Xs, Ys) :- nrev(Xs, [], Ys).
//! nrev([X|Xs], Ys) :- nrev(Xs, Zs),          →       nrev([], Acc, Acc).
//!     app(Zs, [X], Ys).                              nrev([X|Xs], Acc, Ys) :- nrev(Xs, [X|Acc], Ys).
//! ```
//!
//! For calls with a proper list and an unbound second argument both have the same single answer. With a partial list they
//! differ in answers and termination, so every known call pattern must have a proper list first. `app/3` is the library's
//! `append/3` or a predicate of the file with its clauses.

use costlens_analysis::types::Type;
use costlens_program::calls::opened;
use costlens_program::names::{also_defined_in, missing_include};
use costlens_program::positions::{ClausePosition, positions};
use costlens_program::workspace::terms;
use costlens_program::{
    Clause, ClauseKind, Functor, Predicate, Resolved, SourceFile, callees, expanded_by, facts,
    find, predicates, resolve,
};
use costlens_syntax::term::{CONS, NIL, Term, TermId};

use super::Proposal;
use crate::db::{Db, reached_report};
use crate::diagnostics::rules;
use crate::file::Edit;
use crate::navigate::names::names;
use crate::present::quoted;

/// The variant, if the predicate has the shape and the conditions hold.
pub(super) fn propose(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Proposal> {
    if functor.arity != 2 {
        return None;
    }
    let predicate = find(db, file, functor)?;
    let clauses = predicate.clauses(db);
    let [first, _] = &**clauses else {
        return None;
    };
    let (base, step) = if is_base(first) { (0, 1) } else { (1, 0) };
    if !is_base(&clauses[base]) {
        return None;
    }
    let clause = RecursiveClause::of(&clauses[step], functor)?;
    if !is_closed(db, predicate) || !appends(db, file, &clause.append) || !fits(db, file, functor) {
        return None;
    }
    let positions = positions(db, file);
    let places = &positions.iter().find(|p| p.functor == *functor)?.clauses;
    let [one, two] = places.as_slice() else {
        return None;
    };
    let places = Places {
        text: &file.parsed(db).text,
        first: one,
        second: two,
        step: if step == 1 { two } else { one },
    };
    let helper = helper_name(db, file, functor, &places)?;
    Some(Proposal {
        rule: &rules::REVERSE_WITH_ACCUMULATOR,
        what: "Reverse with an accumulator",
        edits: edits(
            db,
            file,
            &places,
            &clauses[step],
            &clause,
            &helper,
            step == 1,
        )?,
    })
}

/// `p([], []).`
fn is_base(clause: &Clause) -> bool {
    let nil = |&a: &TermId| matches!(clause.terms.get(a), Term::Atom(n) if n == NIL);
    clause.kind == ClauseKind::Fact && clause.terms.args(clause.head).iter().all(nil)
}

/// The parts of `p([H|T], R) :- p(T, R1), append(R1, [H], R).` that the rewrite uses.
struct RecursiveClause {
    /// The first argument of the head, `[H|T]`.
    list: TermId,
    element: TermId,
    rest: TermId,
    result: TermId,
    append: Functor,
}

impl RecursiveClause {
    fn of(clause: &Clause, functor: &Functor) -> Option<Self> {
        let t = &clause.terms;
        let var = |id: TermId| match t.get(id) {
            Term::Var(v) => Some(*v),
            _ => None,
        };
        let &[list, result] = t.args(clause.head) else {
            return None;
        };
        let &[element, rest] = t.matches(list, CONS, 2)? else {
            return None;
        };
        if clause.kind != ClauseKind::Rule {
            return None;
        }
        let goals = t.chain(clause.body?, ",");
        let &[recursive, join] = goals.as_slice() else {
            return None;
        };
        let &[inner_rest, inner_result] = t.matches(recursive, &functor.name, 2)? else {
            return None;
        };
        let (name, 3) = t.functor(join)? else {
            return None;
        };
        let &[front, last, whole] = t.args(join) else {
            return None;
        };
        let &[single, end] = t.matches(last, CONS, 2)? else {
            return None;
        };
        let variables = [var(element)?, var(rest)?, var(result)?, var(inner_result)?];
        let distinct = (0..4).all(|i| (0..i).all(|j| variables[i] != variables[j]));
        let same = var(inner_rest)? == variables[1]
            && var(front)? == variables[3]
            && var(single)? == variables[0]
            && t.as_atom(end).is_some_and(|n| n == NIL)
            && var(whole)? == variables[2];
        (distinct && same).then(|| RecursiveClause {
            list,
            element,
            rest,
            result,
            append: Functor::new(name.clone(), 3),
        })
    }
}

/// Checks that nothing but the clauses of the file runs, and that they run as usual.
fn is_closed(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let facts = facts(db, predicate.file(db));
    let functor = predicate.functor(db);
    !facts.is_open(functor)
        && opened(db, predicate.file(db), functor).is_none()
        && expanded_by(db, predicate).is_none()
        && !predicate.conditional(db)
        && also_defined_in(db, predicate).is_none()
        && missing_include(db, predicate.file(db)).is_none()
}

/// Checks that a call from the file appends two lists: it reaches the library's `append/3`, or a predicate with its clauses.
fn appends(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    match resolve(db, file, functor) {
        Some(Resolved::Library(p)) => p.functor(db).name == "append",
        Some(Resolved::Own(p) | Resolved::Other(p)) => is_closed(db, p) && is_append(db, p),
        None => false,
    }
}

/// `app([], L, L). app([X|Xs], L, [X|Zs]) :- app(Xs, L, Zs).`, in any order.
fn is_append(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let [a, b] = &**predicate.clauses(db) else {
        return false;
    };
    let name = &predicate.functor(db).name;
    (append_base(a) && append_step(b, name)) || (append_base(b) && append_step(a, name))
}

fn append_base(clause: &Clause) -> bool {
    let t = &clause.terms;
    clause.kind == ClauseKind::Fact
        && matches!(t.args(clause.head), &[nil, l, m]
            if t.as_atom(nil).is_some_and(|n| n == NIL)
                && matches!((t.get(l), t.get(m)), (Term::Var(a), Term::Var(b)) if a == b))
}

fn append_step(clause: &Clause, name: &str) -> bool {
    let t = &clause.terms;
    let var = |id: TermId| match t.get(id) {
        Term::Var(v) => Some(*v),
        _ => None,
    };
    let matched = || {
        let &[list, back, result] = t.args(clause.head) else {
            return None;
        };
        let &[x, xs] = t.matches(list, CONS, 2)? else {
            return None;
        };
        let &[y, zs] = t.matches(result, CONS, 2)? else {
            return None;
        };
        let &[inner_xs, inner_back, inner_zs] = t.matches(clause.body?, name, 3)? else {
            return None;
        };
        let variables = [var(x)?, var(xs)?, var(back)?, var(zs)?];
        let distinct = (0..4).all(|i| (0..i).all(|j| variables[i] != variables[j]));
        let same = var(y)? == variables[0]
            && var(inner_xs)? == variables[1]
            && var(inner_back)? == variables[2]
            && var(inner_zs)? == variables[3];
        Some(distinct && same)
    };
    clause.kind == ClauseKind::Rule && matched() == Some(true)
}

/// Checks that every known call has a proper list, and an output that is unbound or a proper list.
fn fits(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    reached_report(db, file, functor).is_some_and(|r| {
        let fit = r.patterns.iter().all(|p| {
            matches!(
                p.pattern.0.as_slice(),
                [Type::List(_), Type::Free | Type::List(_)]
            )
        });
        fit && matches!(
            r.patterns.first().map(|p| &p.pattern.0[1]),
            Some(Type::Free)
        )
    })
}

/// The places of the two clauses.
struct Places<'a> {
    text: &'a str,
    first: &'a ClausePosition,
    second: &'a ClausePosition,
    /// The recursive one of them.
    step: &'a ClausePosition,
}

impl Places<'_> {
    fn source(&self, id: TermId) -> Option<&str> {
        let (from, to) = self.step.of(id)?;
        self.text.get(from..to)
    }

    /// The text between two terms, if it is punctuation on one line.
    fn between(&self, a: TermId, b: TermId) -> Option<&str> {
        let (from, to) = (self.step.of(a)?.1, self.step.of(b)?.0);
        let text = self.text.get(from..to)?;
        (text.len() <= 4 && !text.contains('\n')).then_some(text)
    }
}

/// The name of the accumulator's predicate, as it is written: the predicate's own with three arguments, unless that exists or
/// is called.
fn helper_name(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    places: &Places<'_>,
) -> Option<String> {
    let own = places.text.get(places.step.name.0..places.step.name.1)?;
    let suffixed = |suffix: &str| {
        let name = format!("{}{suffix}", functor.name);
        (name.clone(), quoted(&name))
    };
    let candidates = [
        (functor.name.to_string(), own.to_owned()),
        suffixed("_acc"),
        suffixed("_acc2"),
        suffixed("_acc3"),
    ];
    candidates
        .into_iter()
        .find(|(name, _)| is_free(db, file, &Functor::new(name.as_str(), 3)))
        .map(|(_, written)| written)
}

/// Checks that nothing of this name is defined, called, declared, asserted or retracted.
fn is_free(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let facts = facts(db, file);
    resolve(db, file, functor).is_none()
        && !facts.is_open(functor)
        && !facts.exports.contains(functor)
        && !facts.started.contains(functor)
        && !(predicates(db, file).iter()).any(|&p| callees(db, p).contains(functor))
        && !(names(db, file).iter()).any(|name| name.functor == *functor)
}

fn edits(
    db: &dyn Db,
    file: SourceFile,
    places: &Places<'_>,
    step: &Clause,
    clause: &RecursiveClause,
    helper: &str,
    base_first: bool,
) -> Option<Vec<Edit>> {
    let own = places.text.get(places.step.name.0..places.step.name.1)?;
    let (element, rest) = (places.source(clause.element)?, places.source(clause.rest)?);
    let (list, result) = (places.source(clause.list)?, places.source(clause.result)?);
    let comma = places
        .between(clause.list, clause.result)
        .filter(|t| t.starts_with(','))
        .unwrap_or(", ");
    let bar = places
        .between(clause.element, clause.rest)
        .filter(|t| t.trim() == "|")
        .unwrap_or("|");
    let taken = |name: &str| places.step.spans.variables.iter().any(|v| v == name);
    let accumulator = ["Acc", "Acc0", "Acc1", "Acc2", "Acc3", "Accumulator"]
        .into_iter()
        .find(|name| !taken(name))?;
    let end = if places.text.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    // The body begins as that of the recursive clause does: on the same line, or on the next one with its indentation.
    let body = *step.terms.chain(step.body?, ",").first()?;
    let neck = places
        .text
        .get(places.step.head.1..places.step.of(body)?.0)?;
    let neck = match neck.rsplit_once('\n') {
        Some((_, indentation)) if indentation.trim().is_empty() => {
            format!(" :-{end}{indentation}")
        }
        _ => " :- ".to_owned(),
    };
    let start =
        format!("{own}({rest}{comma}{result}){neck}{helper}({rest}{comma}[]{comma}{result}).");
    let stop = format!("{helper}([]{comma}{accumulator}{comma}{accumulator}).");
    let step = format!(
        "{helper}({list}{comma}{accumulator}{comma}{result}){neck}{helper}({rest}{comma}[{element}{bar}{accumulator}]{comma}{result})."
    );
    let (first, second) = if base_first {
        (stop, step)
    } else {
        (step, stop)
    };
    let kept = |p: &ClausePosition| -> String {
        let read = terms(db, file);
        let inside =
            |c: &&costlens_syntax::Comment| c.range.0 >= p.range.0 && c.range.1 <= p.range.1;
        (read.comments.iter().filter(inside))
            .map(|c| format!("{}{end}", c.text.trim_end()))
            .collect()
    };
    let edit = |p: &ClausePosition, text: String| Edit {
        range: p.range.0..p.range.1,
        text: format!("{}{text}", kept(p)),
    };
    Some(vec![
        edit(places.first, format!("{start}{end}{end}{first}")),
        edit(places.second, second),
    ])
}
