//! Bodies as sequences of goals.

use std::ops::Range;

use costlens_body::{Arrow, Collector, Comparison, Goal, conjuncts};
use costlens_program::{Clause, Functor};
use costlens_syntax::term::{Term, TermId, Terms};

use super::conditions::Shape;
use super::proposal::Proposal;
use super::site::Site;
pub(crate) use super::site::variable;

/// A sequence of goals separated by commas.
pub(crate) struct GoalSequence {
    /// The goals, in order.
    pub(crate) goals: Vec<TermId>,
    /// True if only the first solution of the sequence matters, as in a condition, a negation, or `once/1`.
    pub(crate) once: bool,
}

/// Returns the goal sequences in a clause's body: the body itself, and those inside control constructs.
pub(crate) fn rows(clause: &Clause) -> Vec<GoalSequence> {
    let terms = &clause.terms;
    let mut found = Vec::new();
    let mut waiting: Vec<(TermId, bool)> = clause.body.map(|b| (b, false)).into_iter().collect();
    while let Some((at, once)) = waiting.pop() {
        let goals = conjuncts(terms, at);
        for &goal in &goals {
            let of = Goal::lower(terms, goal);
            match of {
                Goal::Forall { condition, action } => {
                    waiting.extend([(condition, false), (action, true)]);
                }
                Goal::Not(inner) | Goal::Once(inner) | Goal::Ignore(inner) => {
                    waiting.push((inner, true));
                }
                Goal::Collect {
                    collector: Collector::FindAll,
                    goal: inner,
                    rest: None,
                    ..
                } => waiting.push((inner, false)),
                // In the branches of a disjunction, and after a condition, further solutions may matter.
                _ => {
                    let is_hard = of.condition().is_some_and(|(arrow, _)| !arrow.is_soft());
                    let inner = of.branches().into_iter().enumerate();
                    waiting.extend(inner.map(|(i, part)| (part, i == 0 && is_hard)));
                }
            }
        }
        found.push(GoalSequence { goals, once });
    }
    found
}

/// Collects proposals for pairs of consecutive goals in any sequence of the predicate's rules. The second goal may also be the first goal of
/// a condition that follows.
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

/// Returns the first goal of the condition in `( C, … -> … ; … )`.
pub(super) fn first_condition(terms: &Terms, goal: TermId) -> Option<TermId> {
    match Goal::lower(terms, goal).condition()? {
        (Arrow::Hard, condition) => conjuncts(terms, condition).first().copied(),
        (Arrow::Soft, _) => None,
    }
}

/// Returns the template, the goal and the list of `findall(T, G, L)`.
pub(super) fn collected(terms: &Terms, goal: TermId) -> Option<[TermId; 3]> {
    match Goal::lower(terms, goal) {
        Goal::Collect {
            collector: Collector::FindAll,
            template,
            goal,
            result,
            rest: None,
        } => Some([template, goal, result]),
        _ => None,
    }
}

/// Returns the two sides of `X is E`.
pub(crate) fn computed(terms: &Terms, goal: TermId) -> Option<[TermId; 2]> {
    match Goal::lower(terms, goal) {
        Goal::Is { result, expression } => Some([result, expression]),
        _ => None,
    }
}

/// A test whether two terms are equal or different.
pub(super) struct Equality {
    pub(super) sides: [TermId; 2],
    /// True for `A = B` and `A == B`, false for `A \= B` and `A \== B`.
    pub(super) holds: bool,
    /// True for unifications: `A = B` and `A \= B`.
    pub(super) unifies: bool,
}

/// Returns the equality or inequality that a goal tests.
pub(super) fn equality(terms: &Terms, goal: TermId) -> Option<Equality> {
    let (a, b, holds, unifies) = match Goal::lower(terms, goal) {
        Goal::Unify(a, b) => (a, b, true, true),
        Goal::NotUnifiable(a, b) => (a, b, false, true),
        Goal::CompareTerms(Comparison::Equal, a, b) => (a, b, true, false),
        Goal::CompareTerms(Comparison::NotEqual, a, b) => (a, b, false, false),
        _ => return None,
    };
    Some(Equality {
        sides: [a, b],
        holds,
        unifies,
    })
}

/// Returns a goal's comparison of a variable with a small integer. The variable is assumed to be an integer, for which `=`, `==` and `=:=`
/// are equivalent, as are `@<` and `<`.
pub(super) fn compared(terms: &Terms, goal: TermId, v: u32) -> Option<(Comparison, i64)> {
    let (comparison, left, right) = match Goal::lower(terms, goal) {
        Goal::Compare(comparison, a, b) | Goal::CompareTerms(comparison, a, b) => {
            (comparison, a, b)
        }
        Goal::Unify(a, b) => (Comparison::Equal, a, b),
        Goal::NotUnifiable(a, b) => (Comparison::NotEqual, a, b),
        _ => return None,
    };
    match (variable(terms, left), variable(terms, right)) {
        (Some(l), None) if l == v => Some((comparison, small(terms, right)?)),
        (None, Some(r)) if r == v => Some((comparison.turned(), small(terms, left)?)),
        _ => None,
    }
}

/// Returns true for goals of the same predicate that agree in all arguments except the last.
pub(crate) fn asks_the_same(terms: &Terms, first: TermId, second: TermId) -> bool {
    let (a, b) = (terms.args(first), terms.args(second));
    let (Some((_, a)), Some((_, b))) = (a.split_last(), b.split_last()) else {
        return false;
    };
    let same = |(&x, &y): (&TermId, &TermId)| is_equal(terms, x, y);
    !a.is_empty() && terms.functor(first) == terms.functor(second) && a.iter().zip(b).all(same)
}

/// Returns true for identical terms of a clause, including their variables.
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

/// Returns the value of a term that is a small integer.
pub(crate) fn small(terms: &Terms, id: TermId) -> Option<i64> {
    match terms.get(id) {
        Term::Integer(n) => i64::try_from(n).ok(),
        _ => None,
    }
}

/// Returns the range of a term including the brackets around its first and last operands, which term ranges leave out: `(A+B)*2`.
pub(super) fn whole(site: &Site<'_>, clause: usize, id: TermId) -> Option<Range<usize>> {
    let (mut from, mut to) = site.places.get(clause)?.range(id)?;
    let text = site.text.get(from..to)?;
    // Brackets in quoted text and comments cannot be counted.
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

/// Returns the text of a term including the brackets around its first and last operands.
pub(super) fn whole_text<'a>(site: &Site<'a>, clause: usize, id: TermId) -> Option<&'a str> {
    site.text.get(whole(site, clause, id)?)
}

/// A goal that subtracts a constant from an integer.
pub(super) struct Decrement {
    /// The variable for the result, which is unbound before the goal.
    pub(super) new: u32,
    /// The variable that holds the integer.
    pub(super) old: u32,
    pub(super) by: i64,
    /// The least integer for which the goal succeeds, such as 1 for `succ(M, N)`. `None` if the goal succeeds for every integer.
    pub(super) least: Option<i64>,
}

/// Recognises `M is N-1`, `M is N + -1`, `plus(M, 1, N)`, `plus(N, -1, M)` and `succ(M, N)`.
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
    if let Some([new, expression]) = computed(terms, goal) {
        let &[left, right] = terms.args(expression) else {
            return None;
        };
        let operator = terms.functor(expression)?.0.as_str();
        return match (operator, small(terms, left), small(terms, right)) {
            ("-", None, Some(by)) => of(new, left, by, None),
            ("+", None, Some(by)) => of(new, left, by.checked_neg()?, None),
            ("+", Some(by), None) => of(new, right, by.checked_neg()?, None),
            _ => None,
        };
    }
    let functor = Functor::from_term(terms, goal)?;
    let is_library = || site.means_library(&functor);
    match (functor.name.as_str(), terms.args(goal)) {
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

/// Returns the variables of an expression that consists of sums, differences, products, and divisions by integer literals. If the variables
/// are integers, so is the value of the expression, and evaluating it raises no exception.
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

/// Returns conditions on variables under which a test raises no exception and has the same result whenever it runs: integers for arithmetic
/// comparisons, and ground terms otherwise. Returns `None` if the goal is not a pure test.
pub(super) fn pure_test(terms: &Terms, test: TermId) -> Option<Vec<(TermId, Shape)>> {
    let (mut waiting, mut found) = (vec![test], Vec::new());
    let whole = |of: TermId| {
        let inside = terms.subterms(of).into_iter();
        inside.filter(|&id| variable(terms, id).is_some())
    };
    while let Some(at) = waiting.pop() {
        match Goal::lower(terms, at) {
            Goal::True | Goal::Fail | Goal::False => {}
            Goal::Conjunction(a, b) => waiting.extend([a, b]),
            Goal::Not(inner) => waiting.push(inner),
            Goal::Compare(_, a, b) => {
                for side in [a, b] {
                    let integers = integers_of(terms, side)?;
                    found.extend(integers.into_iter().map(|id| (id, Shape::Integer)));
                }
            }
            Goal::CompareTerms(_, a, b) | Goal::Unify(a, b) | Goal::NotUnifiable(a, b) => {
                let all = whole(a).chain(whole(b));
                found.extend(all.map(|id| (id, Shape::Ground)));
            }
            Goal::Type(_, a) => found.extend(whole(a).map(|id| (id, Shape::Ground))),
            _ => return None,
        }
    }
    Some(found)
}
