//! Delta debugging: reduces a program and a call that contradict a bound to a small case that still does, printed as a fixture.
//!
//! A judge decides whether a program and a goal contradict each other. Reductions are tried in turn until none helps: fewer clauses and
//! comments (Zeller and Hildebrandt 2002, `ddmin`), fewer goals and branches, simpler terms in clauses, smaller arguments of the goal.

use std::fmt::Write as _;

use costlens_analysis::types::{Pattern, Type};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use costlens_syntax::{read_text, write_term};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::heap::{Cell, Heap, Record, Ref};
use crate::machine::Count;
use crate::program::Key;
use crate::property::goal_text;

/// A program and a goal.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) goal: Record,
}

/// The bound that a case contradicts.
#[derive(Clone, Debug)]
pub(crate) struct Contradiction {
    pub(crate) said: String,
    /// The sizes of the goal, in the syntax of `--at`.
    pub(crate) at: String,
}

/// Returns the contradiction in a case, if any.
pub(crate) type Judge<'a> = dyn Fn(&Case) -> Option<Contradiction> + 'a;

/// Returns the smallest case found with that many programs, and its contradiction. Another goal of the same program costs little.
pub(crate) fn minimise(
    case: Case,
    judge: &Judge,
    programs: usize,
) -> Option<(Case, Contradiction)> {
    let said = judge(&case)?;
    let mut search = Search {
        case,
        said,
        judge,
        left: programs,
    };
    loop {
        let before = (search.case.text.clone(), search.case.goal.clone());
        search.chunks();
        search.input();
        search.goals();
        search.terms();
        if (&search.case.text, &search.case.goal) == (&before.0, &before.1) || search.left == 0 {
            return Some((search.case, search.said));
        }
    }
}

/// Checks that with a deliberately wrong bound, a program of three predicates is reduced to the relevant part.
pub(crate) fn wrong_bounds_become_small_cases() -> Result<(), String> {
    const PROGRAM: &str = "\
% Nothing of this matters.
other([], 0).
other([X|Xs], N) :- X > 1, !, other(Xs, M), N is M+1.
other([_|Xs], N) :- other(Xs, N).

%! len(+Xs:list(int), -N).
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.

%! both(+Xs:list(int), +K:int, -N).
both(Xs, K, N) :- other(Xs, A), len(Xs, B), ( K > 3 -> C is A+K ; C = B ), N is A+B+C.
";
    // Every run of five steps or more takes one step more than the machine counts.
    let tamper = |count: &mut Count| count.all_steps += u64::from(count.all_steps >= 5);
    let library = crate::property::library();
    let mut heap = Heap {
        work: u64::MAX,
        ..Heap::default()
    };
    let goal = crate::selfcheck::parse_goal(&mut heap, "len([4, -1, 3, 3, 0, 12, 7, 5], _)");
    let goal = heap.record(goal).map_err(|_| "no work left")?;
    let pattern = Pattern(vec![Type::List(Box::new(Type::Int)), Type::Free]);
    let key: Key = ("len".into(), 2);
    let case = Case {
        text: declared(PROGRAM, &key, &pattern),
        goal,
    };
    let limits = crate::property::LIMITS;
    let judged = |case: &Case, tamper: &dyn Fn(&mut Count)| {
        crate::wide::contradiction(case, (&key, &pattern), &library, limits, tamper)
    };
    if let Some(said) = judged(&case, &|_| {}) {
        return Err(format!("without tampering: {}", said.said));
    }
    let (small, said) = minimise(case, &|case| judged(case, &tamper), 400)
        .ok_or("the wrong bound is not noticed")?;
    let text = fixture(&small, &said, &key);
    if judged(&small, &tamper).is_none() || judged(&small, &|_| {}).is_some() {
        return Err(format!("the small case shows nothing:\n{text}"));
    }
    let clauses = read_text(&small.text).clauses.len();
    // A run of five steps needs at most as many elements, and no number in them.
    let goal = goal_text(&small.goal);
    let elements = goal.matches(',').count();
    let other = ["other", "both"]
        .iter()
        .any(|name| small.text.contains(name));
    if clauses > 2 || elements > 5 || goal.contains(['3', '7', '-']) || other {
        return Err(format!("not small:\n{text}"));
    }
    Ok(())
}

/// Formats a case as a fixture: the violation above the program, and below the predicate's first clause the lines to be promised once it is
/// fixed. `UPDATE_EXPECT=1` fills these in.
pub(crate) fn fixture(case: &Case, contradiction: &Contradiction, key: &Key) -> String {
    let mut text = String::from("% Found by the oracle:\n");
    for line in contradiction.said.lines() {
        let _ = writeln!(text, "%   {}", line.trim());
    }
    let _ = writeln!(text, "%   goal: {}\n", goal_text(&case.goal));
    let file = read_text(&case.text);
    let place = (file.clauses.iter()).find(|c| is_clause_of(&c.terms, c.root, key));
    match place.map(|c| c.range.1) {
        Some(end) if !contradiction.at.is_empty() => {
            let (before, after) = case.text.split_at(end);
            let promise = format!("\n% at {}: upper=?\n", contradiction.at);
            text.push_str(before.trim_start());
            text.push_str(&promise);
            text.push_str(after.trim_start());
        }
        _ => text.push_str(case.text.trim_start()),
    }
    text
}

/// Returns the program with a declaration of a pattern before the predicate, so that no caller is needed for it.
pub(crate) fn declared(text: &str, key: &Key, pattern: &Pattern) -> String {
    let file = read_text(text);
    let place = (file.clauses.iter()).find(|c| is_clause_of(&c.terms, c.root, key));
    let Some(start) = place.map(|c| c.range.0) else {
        return text.to_owned();
    };
    let arguments: Vec<String> = (pattern.0.iter().enumerate())
        .map(|(i, ty)| match ty.to_string().as_str() {
            "var" => format!("-A{i}"),
            "any" => format!("?A{i}"),
            ty => format!("+A{i}:{ty}"),
        })
        .collect();
    let (before, after) = text.split_at(start);
    format!("{before}\n%! {}({}).\n{after}", key.0, arguments.join(", "))
}

fn is_clause_of(terms: &Terms, root: TermId, key: &Key) -> bool {
    let head = terms.matches(root, ":-", 2).map_or(root, |c| c[0]);
    (terms.functor(head)).is_some_and(|(name, arity)| (name, arity) == (&key.0, key.1))
}

struct Search<'a> {
    case: Case,
    said: Contradiction,
    judge: &'a Judge<'a>,
    left: usize,
}

impl Search<'_> {
    /// Keeps a case if it also contradicts a bound.
    fn take(&mut self, case: Case) -> bool {
        let Some(said) = (self.judge)(&case) else {
            return false;
        };
        (self.case, self.said) = (case, said);
        true
    }

    fn take_text(&mut self, text: String) -> bool {
        if text == self.case.text || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let goal = self.case.goal.clone();
        self.take(Case { text, goal })
    }

    /// Removes clauses and comments: halves, quarters, … of them, the last ones first, since these are callers.
    fn chunks(&mut self) {
        let mut size = chunks(&self.case.text).len().div_ceil(2);
        while size > 0 {
            let mut end = chunks(&self.case.text).len();
            while end > 0 {
                let from = end.saturating_sub(size);
                let all = chunks(&self.case.text);
                let kept = all.iter().enumerate();
                let kept = kept.filter(|(i, _)| !(from..end).contains(i));
                let text: String = kept.map(|(_, c)| c.as_str()).collect();
                self.take_text(text);
                end = from;
            }
            size /= 2;
        }
    }

    /// Removes one of the goals of clauses, or replaces a condition with a branch.
    fn goals(&mut self) {
        self.rewritten(|terms, root| {
            let Some(&[head, body]) = terms.matches(root, ":-", 2) else {
                return Vec::new();
            };
            let mut found = Vec::new();
            let mut places = vec![body];
            while let Some(goal) = places.pop() {
                let Some((name, _)) = terms.functor(goal) else {
                    continue;
                };
                let parts = terms.args(goal);
                match name.as_str() {
                    "," | ";" | "->" | "*->" | "\\+" | "once" | "findall" | "forall" | "catch"
                    | "ignore" => {
                        found.extend(parts.iter().map(|&part| (goal, Simpler::Part(part))));
                        places.extend(parts);
                    }
                    "true" => {}
                    _ => found.push((goal, Simpler::Atom("true"))),
                }
            }
            found.retain(|(goal, _)| *goal != head);
            found
        });
    }

    /// Simplifies terms in heads and goals.
    fn terms(&mut self) {
        self.rewritten(|terms, root| {
            let clause = terms.matches(root, ":-", 2);
            let head = clause.map_or(root, |c| c[0]);
            let mut goals = vec![head];
            let mut places: Vec<TermId> = clause.map(|c| c[1]).into_iter().collect();
            while let Some(goal) = places.pop() {
                match terms.functor(goal) {
                    Some((name, _))
                        if matches!(name.as_str(), "," | ";" | "->" | "*->" | "\\+") =>
                    {
                        places.extend(terms.args(goal));
                    }
                    Some(_) => goals.push(goal),
                    None => {}
                }
            }
            let mut found = Vec::new();
            let mut places: Vec<TermId> =
                goals.iter().flat_map(|&g| terms.args(g)).copied().collect();
            while let Some(at) = places.pop() {
                match terms.get(at) {
                    Term::Compound(..) => {
                        found.extend(terms.args(at).iter().map(|&a| (at, Simpler::Part(a))));
                        found.push((at, Simpler::Variable));
                        places.extend(terms.args(at));
                    }
                    Term::Integer(n) if *n != 0.into() => found.push((at, Simpler::Zero)),
                    Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::String(_) => {
                        found.push((at, Simpler::Variable));
                    }
                    _ => {}
                }
            }
            found
        });
    }

    /// Tries changes of each clause, one after the other, until none helps.
    fn rewritten(&mut self, changes: impl Fn(&Terms, TermId) -> Vec<(TermId, Simpler)>) {
        let mut clause = 0;
        loop {
            let file = read_text(&self.case.text);
            let Some(read) = file.clauses.get(clause) else {
                return;
            };
            let mut helped = false;
            let is_directive = read.terms.matches(read.root, ":-", 1).is_some();
            if read.error.is_none() && !is_directive {
                for (at, simpler) in changes(&read.terms, read.root) {
                    let changed = replaced(&read.terms, read.root, at, simpler);
                    let (start, end) = read.range;
                    let (before, after) = (&self.case.text[..start], &self.case.text[end..]);
                    let text = format!("{before}{changed}.{after}");
                    if text.len() <= self.case.text.len() && self.take_text(text) {
                        helped = true;
                        break;
                    }
                }
            }
            clause += usize::from(!helped);
        }
    }

    /// Tries smaller goals: shorter lists, smaller numbers, parts in place of terms.
    fn input(&mut self) {
        loop {
            let mut heap = Heap {
                work: u64::MAX,
                ..Heap::default()
            };
            let goal = heap.restore(&self.case.goal);
            let candidates = smaller(&mut heap, goal);
            let text = self.case.text.clone();
            let now = weight(&self.case.goal);
            let helped = candidates.into_iter().any(|goal| {
                if weight(&goal) >= now {
                    return false;
                }
                let text = text.clone();
                self.take(Case { text, goal })
            });
            if !helped {
                return;
            }
        }
    }
}

/// The replacement of a term.
#[derive(Clone, Copy)]
enum Simpler {
    Part(TermId),
    Atom(&'static str),
    Variable,
    Zero,
}

fn replaced(terms: &Terms, root: TermId, at: TermId, simpler: Simpler) -> String {
    let mut to = terms.clone();
    let new = match simpler {
        Simpler::Part(part) => part,
        Simpler::Atom(name) => to.atom(name),
        Simpler::Variable => to.push(Term::Var(terms.variables())),
        Simpler::Zero => to.push(Term::Integer(0.into())),
    };
    // Arguments come before the terms that contain them.
    let mut ids: Vec<TermId> = Vec::with_capacity(terms.len());
    for i in 0..terms.len() {
        let Ok(number) = u32::try_from(i) else {
            break;
        };
        let id = TermId(number);
        let copy = match terms.get(id) {
            _ if id == at => match simpler {
                Simpler::Part(part) => ids[part.index()],
                _ => new,
            },
            Term::Compound(name, _) => {
                let arguments: Vec<TermId> =
                    terms.args(id).iter().map(|a| ids[a.index()]).collect();
                if name == "," && arguments.len() == 2 {
                    conjunction(&mut to, arguments[0], arguments[1])
                } else {
                    to.compound(name.clone(), &arguments)
                }
            }
            _ => id,
        };
        ids.push(copy);
    }
    let root = ids[root.index()];
    match to.matches(root, ":-", 2) {
        Some(&[head, body]) if to.as_atom(body).is_some_and(|a| a == "true") => {
            write_term(&to, head, None)
        }
        _ => write_term(&to, root, None),
    }
}

/// Returns the conjunction of two goals, without those that are `true`.
fn conjunction(to: &mut Terms, left: TermId, right: TermId) -> TermId {
    let is_true = |t: &Terms, id| t.as_atom(id).is_some_and(|a| a == "true");
    if is_true(to, left) {
        right
    } else if is_true(to, right) {
        left
    } else {
        to.compound(",", &[left, right])
    }
}

/// Splits a text into clauses with the comments before them: a structured comment is separate, so that it may stay without the clause.
fn chunks(text: &str) -> Vec<String> {
    let file = read_text(text);
    let (mut found, mut from) = (Vec::new(), 0);
    for clause in &file.clauses {
        let (start, end) = clause.range;
        if start < from {
            continue;
        }
        if !text[from..start].trim().is_empty() {
            found.push(text[from..start].to_owned());
            found.push(format!("{}\n", &text[start..end]));
        } else {
            found.push(text[from..end].to_owned());
        }
        from = end;
    }
    if from < text.len() && !text[from..].trim().is_empty() {
        found.push(text[from..].to_owned());
    }
    found
}

/// Returns a measure that decreases with each change of a goal, so that changes end: cells, the bits of numbers, signs.
fn weight(goal: &Record) -> u64 {
    let of = |cell: &Cell| match cell {
        Cell::Int(n) => 1 + 2 * n.bits() + u64::from(n.is_negative()),
        Cell::Float(x) => 2 + u64::from(*x != 0.0),
        Cell::Str(text) => 2 + text.len() as u64,
        Cell::Atom(name) => 1 + u64::from(name != NIL),
        _ => 1,
    };
    goal.iter().map(of).sum()
}

/// Returns goals with one smaller part, the largest reductions first.
fn smaller(heap: &mut Heap, goal: Ref) -> Vec<Record> {
    let Cell::Compound(name, start, arity) = heap.value(goal).clone() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut places: Vec<(Vec<usize>, Ref)> = (0..arity).map(|i| (vec![i], start + i)).collect();
    let mut at = 0;
    while at < places.len() && at < 60 {
        let (path, place) = places[at].clone();
        at += 1;
        for new in simpler_terms(heap, place) {
            let arguments: Vec<Ref> = (0..arity)
                .map(|i| {
                    if path[0] == i {
                        with(heap, start + i, &path[1..], new)
                    } else {
                        start + i
                    }
                })
                .collect();
            let goal = heap.compound(&name, &arguments);
            found.extend(heap.record(goal));
        }
        if let Cell::Compound(_, inner, n) = *heap.value(place) {
            places.extend((0..n).map(|i| {
                let mut path = path.clone();
                path.push(i);
                (path, inner + i)
            }));
        }
    }
    found
}

/// Returns a term with another at a place inside.
fn with(heap: &mut Heap, term: Ref, path: &[usize], new: Ref) -> Ref {
    // First descend to the place, then build terms on the way up.
    let (mut spine, mut at) = (Vec::new(), term);
    for &step in path {
        let Cell::Compound(name, start, arity) = heap.value(at).clone() else {
            return term;
        };
        spine.push((name, start, arity, step));
        at = start + step;
    }
    let mut built = new;
    for (name, start, arity, step) in spine.into_iter().rev() {
        let arguments: Vec<Ref> = (0..arity)
            .map(|i| if i == step { built } else { start + i })
            .collect();
        built = heap.compound(&name, &arguments);
    }
    built
}

fn simpler_terms(heap: &mut Heap, at: Ref) -> Vec<Ref> {
    match heap.value(at).clone() {
        Cell::Int(n) if !n.is_zero() => {
            let mut values = vec![BigInt::zero(), &n / 2, &n - n.signum()];
            if n.is_negative() {
                values.push(-n);
            }
            values.dedup();
            values.into_iter().map(|v| heap.int(v)).collect()
        }
        Cell::Float(x) if x != 0.0 => vec![heap.push(Cell::Float(0.0))],
        Cell::Str(text) if !text.is_empty() => vec![heap.push(Cell::Str("".into()))],
        Cell::Compound(name, start, arity) => {
            let mut found = Vec::new();
            if name == CONS && arity == 2 {
                found.push(heap.atom(NIL));
                // Half of it, all but the first, all but the second.
                if let Ok((elements, rest)) = heap.elements(at) {
                    let rest = (!heap.is_atom(rest, NIL)).then_some(rest);
                    found.push(heap.list(&elements[..elements.len() / 2], rest));
                    found.push(heap.list(&elements[elements.len() / 2..], rest));
                }
                found.push(start + 1);
            } else {
                found.extend(start..start + arity);
                found.push(heap.int(0));
            }
            found
        }
        _ => Vec::new(),
    }
}
