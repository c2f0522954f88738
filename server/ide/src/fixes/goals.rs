//! Bodies as rows of goals.

use std::ops::Range;

use costlens_program::{Clause, Functor};
use costlens_syntax::term::{Term, TermId, Terms};

use super::conditions::Shape;
use super::proposal::Proposal;
use super::site::Site;
pub(crate) use super::site::variable;

/// Goals with commas between them.
pub(crate) struct Row {
    /// In order.
    pub(crate) goals: Vec<TermId>,
    /// True where only the first solution of the row matters: a condition, a negation, `once/1`.
    pub(crate) once: bool,
}

/// The rows of a clause's body: its own, and those inside of control constructs.
pub(crate) fn rows(clause: &Clause) -> Vec<Row> {
    let terms = &clause.terms;
    let mut found = Vec::new();
    let mut waiting: Vec<(TermId, bool)> = clause.body.map(|b| (b, false)).into_iter().collect();
    while let Some((at, once)) = waiting.pop() {
        let goals = terms.chain(at, ",");
        for &goal in &goals {
            let inner: &[(usize, bool)] = match terms.functor(goal) {
                Some((name, 2)) => match name.as_str() {
                    // The parts of a disjunction, and what follows a condition, are as the row itself is.
                    ";" | "|" => &[(0, false), (1, false)],
                    "->" => &[(0, true), (1, false)],
                    "*->" => &[(0, false), (1, false)],
                    "forall" => &[(0, false), (1, true)],
                    _ => &[],
                },
                Some((name, 1)) => match name.as_str() {
                    "\\+" | "once" | "ignore" => &[(0, true)],
                    _ => &[],
                },
                Some((name, 3)) if name == "findall" => &[(1, false)],
                _ => &[],
            };
            let args = terms.args(goal);
            waiting.extend(inner.iter().map(|&(i, once)| (args[i], once)));
        }
        found.push(Row { goals, once });
    }
    found
}

/// The proposals for a goal, in any row of the predicate's rules.
pub(super) fn for_goals(
    site: &Site<'_>,
    propose: impl Fn(usize, TermId) -> Option<Proposal>,
) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            found.extend(row.goals.iter().filter_map(|&goal| propose(number, goal)));
        }
    }
    found
}

/// The proposals for a goal that runs just before another one, in any row of the predicate's rules: they are neighbours, or the second one begins the condition that
/// follows.
pub(super) fn for_neighbours(
    site: &Site<'_>,
    propose: impl Fn(usize, TermId, TermId) -> Option<Proposal>,
) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for pair in row.goals.windows(2) {
                let second = first_condition(&clause.terms, pair[1]);
                found.extend(propose(number, pair[0], second.unwrap_or(pair[1])));
            }
        }
    }
    found
}

/// The goal that `( C, … -> … ; … )` runs first.
pub(super) fn first_condition(terms: &Terms, goal: TermId) -> Option<TermId> {
    let chosen = match terms.matches(goal, ";", 2) {
        Some(&[chosen, _]) => chosen,
        _ => goal,
    };
    let &[condition, _] = terms.matches(chosen, "->", 2)? else {
        return None;
    };
    terms.chain(condition, ",").first().copied()
}

/// True for goals of one predicate with the same terms in all arguments but the last one.
pub(crate) fn asks_the_same(terms: &Terms, first: TermId, second: TermId) -> bool {
    let (a, b) = (terms.args(first), terms.args(second));
    let (Some((_, a)), Some((_, b))) = (a.split_last(), b.split_last()) else {
        return false;
    };
    let same = |(&x, &y): (&TermId, &TermId)| is_equal(terms, x, y);
    !a.is_empty() && terms.functor(first) == terms.functor(second) && a.iter().zip(b).all(same)
}

/// True for terms of a clause that are the same, variables included.
pub(crate) fn is_equal(terms: &Terms, first: TermId, second: TermId) -> bool {
    let mut waiting = vec![(first, second)];
    while let Some((a, b)) = waiting.pop() {
        let (xs, ys) = (terms.args(a), terms.args(b));
        let alike = match (terms.functor(a), terms.functor(b)) {
            (Some(f), Some(g)) => f == g,
            (None, None) => terms.get(a) == terms.get(b),
            _ => false,
        };
        if !alike || xs.len() != ys.len() {
            return false;
        }
        waiting.extend(xs.iter().copied().zip(ys.iter().copied()));
    }
    true
}

/// The small integer that a term is.
pub(crate) fn small(terms: &Terms, id: TermId) -> Option<i64> {
    match terms.get(id) {
        Term::Integer(n) => i64::try_from(n).ok(),
        _ => None,
    }
}

/// The place of a term with the brackets around its first and its last operand, which the places of terms leave out: `(A+B)*2`.
pub(super) fn whole(site: &Site<'_>, clause: usize, id: TermId) -> Option<Range<usize>> {
    let (mut from, mut to) = site.places.get(clause)?.of(id)?;
    let text = site.text.get(from..to)?;
    // Brackets in quotes and in comments are none.
    if text.contains(['\'', '"', '`', '%']) || text.contains("/*") {
        return Some(from..to);
    }
    let (mut open, mut missing) = (0_usize, 0_usize);
    for c in text.chars() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => missing += 1,
            ')' => open -= 1,
            _ => {}
        }
    }
    for _ in 0..missing {
        from = site.text.get(..from)?.trim_end().strip_suffix('(')?.len();
    }
    for _ in 0..open {
        let behind = site.text.get(to..)?;
        let rest = behind.trim_start().strip_prefix(')')?;
        to += behind.len() - rest.len();
    }
    Some(from..to)
}

/// The text of a term with these brackets.
pub(super) fn whole_text<'a>(site: &Site<'a>, clause: usize, id: TermId) -> Option<&'a str> {
    site.text.get(whole(site, clause, id)?)
}

/// A goal that gives the number that is so much less than an integer.
pub(super) struct Decrement {
    /// The variable that gets it; unbound before.
    pub(super) new: u32,
    /// The variable that has the integer.
    pub(super) old: u32,
    pub(super) by: i64,
    /// The least integer for which the goal succeeds; none where every integer has a smaller one: `succ(M, 0)` fails.
    pub(super) least: Option<i64>,
}

/// `M is N-1`, `M is N + -1`, `plus(M, 1, N)`, `plus(N, -1, M)` or `succ(M, N)`.
pub(super) fn decrement(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Decrement> {
    let terms = &site.clauses[clause].terms;
    let of = |new: TermId, old: TermId, by: i64, least: Option<i64>| {
        Some(Decrement {
            new: variable(terms, new)?,
            old: variable(terms, old)?,
            by,
            least,
        })
    };
    let (name, arity) = terms.functor(goal)?;
    let is_library = || site.means_library(&Functor::new(name.clone(), arity));
    match (name.as_str(), terms.args(goal)) {
        ("is", &[new, expression]) => {
            let (operator, 2) = terms.functor(expression)? else {
                return None;
            };
            let &[left, right] = terms.args(expression) else {
                return None;
            };
            match (operator.as_str(), small(terms, left), small(terms, right)) {
                ("-", None, Some(by)) => of(new, left, by, None),
                ("+", None, Some(by)) => of(new, left, by.checked_neg()?, None),
                ("+", Some(by), None) => of(new, right, by.checked_neg()?, None),
                _ => None,
            }
        }
        ("succ", &[new, old]) if is_library() => of(new, old, 1, Some(1)),
        ("plus", &[left, right, whole]) if is_library() => {
            match (small(terms, left), small(terms, right)) {
                (None, Some(by)) if by < 0 => of(whole, left, by.checked_neg()?, None),
                (Some(by), None) if by < 0 => of(whole, right, by.checked_neg()?, None),
                (None, Some(by)) => of(left, whole, by, None),
                (Some(by), None) => of(right, whole, by, None),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The variables of an expression of sums, differences, products, and divisions by integers that are written. If they are integers its value is one, and it raises no
/// exception.
pub(crate) fn integers_of(terms: &Terms, expression: TermId) -> Option<Vec<TermId>> {
    let (mut waiting, mut found) = (vec![expression], Vec::new());
    while let Some(at) = waiting.pop() {
        match (terms.get(at), terms.functor(at)) {
            (Term::Var(_), _) => found.push(at),
            (Term::Integer(_), _) => {}
            (_, Some((name, 2))) if matches!(name.as_str(), "+" | "-" | "*" | "max" | "min") => {
                waiting.extend(terms.args(at));
            }
            (_, Some((name, 2))) if matches!(name.as_str(), "mod" | "rem" | "//" | "div") => {
                let &[left, right] = terms.args(at) else {
                    return None;
                };
                small(terms, right).filter(|&by| by != 0)?;
                waiting.push(left);
            }
            (_, Some((name, 1))) if matches!(name.as_str(), "-" | "+" | "abs" | "sign") => {
                waiting.extend(terms.args(at));
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Conditions on variables under which a test raises no exception and says the same whenever it runs: integers where it compares numbers, else no variables. None for what is
/// no such test.
pub(super) fn pure_test(terms: &Terms, test: TermId) -> Option<Vec<(TermId, Shape)>> {
    let (mut waiting, mut found) = (vec![test], Vec::new());
    let whole = |of: TermId| {
        let inside = terms.subterms(of).into_iter();
        inside.filter(|&id| variable(terms, id).is_some())
    };
    while let Some(at) = waiting.pop() {
        let (name, arity) = terms.functor(at)?;
        let args = terms.args(at);
        match (name.as_str(), arity) {
            ("true" | "fail" | "false", 0) => {}
            (",", 2) | ("\\+", 1) => waiting.extend(args),
            ("<" | ">" | "=<" | ">=" | "=:=" | "=\\=", 2) => {
                for &side in args {
                    let integers = integers_of(terms, side)?;
                    found.extend(integers.into_iter().map(|id| (id, Shape::Integer)));
                }
            }
            ("==" | "\\==" | "@<" | "@>" | "@=<" | "@>=" | "=" | "\\=", 2) => {
                let all = args.iter().flat_map(|&side| whole(side));
                found.extend(all.map(|id| (id, Shape::Ground)));
            }
            (
                "atom" | "atomic" | "integer" | "number" | "float" | "compound" | "callable"
                | "is_list" | "string" | "nonvar" | "var" | "ground",
                1,
            ) => {
                found.extend(whole(*args.first()?).map(|id| (id, Shape::Ground)));
            }
            _ => return None,
        }
    }
    Some(found)
}
