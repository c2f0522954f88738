//! Execution paths through a clause: the goals that run for each outcome of its conditions.
//!
//! ```text
//! p([X|Xs], N) :- p(Xs, M), ( X > 0 -> N is M+1 ; N = M ).
//! ```
//!
//! has two paths: `p(Xs, M), N is M+1` if `X > 0` succeeds, and `p(Xs, M), N = M` if it fails. A rewrite that examines paths therefore
//! handles if-then-else, disjunctions and separate clauses uniformly. It edits goals in place, so that conditions and the order of goals are
//! preserved.

mod numbers;

use std::collections::BTreeMap;

use costlens_body::Goal;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use super::goals::{rows, variable, whole};
use super::site::Site;
pub(super) use numbers::{Numbers, entered};

/// The maximum number of paths through one clause.
const MOST_WAYS: usize = 16;
/// The maximum number of goals and control constructs that are followed.
const MOST_STEPS: usize = 2_000;

/// The role of a goal in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoalRole {
    /// A goal that is not a condition.
    Goal,
    /// A condition that succeeds.
    Passed,
    /// A condition that fails, and therefore binds nothing.
    Failed,
}

/// A goal in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathGoal {
    pub(super) goal: TermId,
    pub(super) role: GoalRole,
}

/// A path through a clause.
#[derive(Clone, Debug)]
pub(super) struct ClausePath<'a> {
    /// The index of the clause.
    pub(super) number: usize,
    pub(super) clause: &'a Clause,
    /// The goals and conditions, in execution order.
    pub(super) reached: Vec<PathGoal>,
}

impl ClausePath<'_> {
    /// Returns the goals that are not conditions, in order.
    pub(super) fn goals(&self) -> impl DoubleEndedIterator<Item = TermId> + '_ {
        let goals = self.reached.iter().filter(|r| r.role == GoalRole::Goal);
        goals.map(|r| r.goal)
    }

    /// Returns the last `many` goals. They must be adjacent and run after everything else, and only cuts and tests of the number may
    /// precede them.
    pub(super) fn behind_tests(&self, number: u32, many: usize) -> Option<Vec<TermId>> {
        let terms = &self.clause.terms;
        let all: Vec<TermId> = self.goals().collect();
        let (before, goals) = all.split_at(all.len().checked_sub(many)?);
        let is_test = |&goal: &TermId| {
            Numbers::tests(terms, goal, number) || Goal::lower(terms, goal) == Goal::Cut
        };
        let mut rows = rows(self.clause).into_iter();
        let is_row = rows.any(|row| row.goals.ends_with(goals));
        // All conditions precede the last goals.
        let mut last = self.reached.iter().rev().map(|r| r.goal);
        let are_last = goals.iter().rev().all(|&goal| last.next() == Some(goal));
        (before.iter().all(is_test) && is_row && are_last).then(|| goals.to_vec())
    }

    /// Returns the position of a goal in execution order.
    pub(super) fn place(&self, goal: TermId) -> Option<usize> {
        self.reached.iter().position(|r| r.goal == goal)
    }

    /// Returns the number of occurrences of a variable in the head and in the goals of this path.
    pub(super) fn occurrences(&self, v: u32) -> usize {
        let terms = &self.clause.terms;
        let parts = std::iter::once(self.clause.head).chain(self.reached.iter().map(|r| r.goal));
        let all = parts.flat_map(|part| terms.variables_of(part));
        all.filter(|&w| w == v).count()
    }

    /// Returns the goal `V = T` or `T = V` that binds a variable, and the term `T`.
    pub(super) fn value(&self, v: u32) -> Option<(TermId, TermId)> {
        self.goals()
            .find_map(|goal| Some((goal, given(&self.clause.terms, goal, v)?)))
    }
}

impl ClausePath<'_> {
    /// Returns the integers for which this path reaches a cut, so that later paths are not tried. The value argument is assumed unbound; only
    /// tests and the value may precede the cut. Returns `None` if there is no such cut.
    fn cut_for(&self, number: usize, value: usize) -> Option<Numbers> {
        let terms = &self.clause.terms;
        let cut =
            |r: &PathGoal| r.role == GoalRole::Goal && Goal::lower(terms, r.goal) == Goal::Cut;
        let at = self.reached.iter().position(cut)?;
        let head = terms.args(self.clause.head);
        let (n, f) = (variable(terms, head[number]), variable(terms, head[value]));
        // The head unifies with every such call.
        let named = terms.variables_of(self.clause.head);
        let once = |v: u32| named.iter().filter(|&&w| w == v).count() == 1;
        let fits = head
            .iter()
            .enumerate()
            .all(|(i, &argument)| match variable(terms, argument) {
                Some(v) => {
                    once(v)
                        || ((i == number || i == value)
                            && n == f
                            && named.iter().filter(|&&w| w == v).count() == 2)
                }
                None => {
                    (i == number || i == value) && matches!(terms.get(argument), Term::Integer(_))
                }
            });
        let mut values = 0;
        let passes = |r: &PathGoal| {
            let is_test = n.is_some_and(|n| Numbers::tests(terms, r.goal, n));
            let is_value = |left: TermId, right: TermId| {
                let known = match terms.get(right) {
                    Term::Integer(_) => true,
                    Term::Var(v) => n == Some(*v),
                    _ => false,
                };
                known && f != n && f.is_some() && variable(terms, left) == f
            };
            let goal = Goal::lower(terms, r.goal);
            if is_test || goal == Goal::True {
                return true;
            }
            values += 1;
            let (Goal::Unify(left, right)
            | Goal::Is {
                result: left,
                expression: right,
            }) = goal
            else {
                return false;
            };
            r.role == GoalRole::Goal && is_value(left, right) && values == 1
        };
        let are_known = self.reached[..at].iter().all(passes);
        let numbers = Numbers::admitted(self, number, &[self.reached[at].goal])?;
        (fits && are_known).then_some(numbers)
    }
}

/// Returns the other side of a unification with a variable.
fn given(terms: &Terms, goal: TermId, v: u32) -> Option<TermId> {
    let Goal::Unify(left, right) = Goal::lower(terms, goal) else {
        return None;
    };
    match (variable(terms, left), variable(terms, right)) {
        (Some(l), _) if l == v => Some(right),
        (_, Some(r)) if r == v => Some(left),
        _ => None,
    }
}

/// Returns the paths through a clause. Returns `None` for clauses that do not run as written, and for clauses with too many paths.
pub(super) fn ways(number: usize, clause: &Clause) -> Option<Vec<ClausePath<'_>>> {
    let plain = matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule)
        && !clause.grammar_rule
        && clause.guard.is_none();
    plain.then_some(())?;
    let terms = &clause.terms;
    let mut found = Vec::new();
    let begin: Vec<PathGoal> = (clause.body.into_iter())
        .map(|goal| PathGoal {
            goal,
            role: GoalRole::Goal,
        })
        .collect();
    // Pairs of the goals that have run and the goals still to run, with the next goal last. The path that is tried first is on top.
    let mut waiting = vec![(Vec::new(), begin)];
    let mut steps = 0;
    while let Some((mut done, mut open)) = waiting.pop() {
        let Some(next) = open.pop() else {
            found.push(ClausePath {
                number,
                clause,
                reached: done,
            });
            continue;
        };
        steps += 1;
        (steps <= MOST_STEPS && found.len() + waiting.len() < MOST_WAYS).then_some(())?;
        let inner = |goal| PathGoal {
            goal,
            role: next.role,
        };
        // A condition that fails is treated as a unit.
        match (Goal::lower(terms, next.goal), next.role) {
            (Goal::Conjunction(left, right), GoalRole::Goal | GoalRole::Passed) => {
                open.extend([inner(right), inner(left)]);
            }
            (
                Goal::IfThen {
                    condition, then, ..
                },
                GoalRole::Goal,
            ) => open.extend([inner(then), passed(condition)]),
            (
                Goal::IfThenElse {
                    condition,
                    then,
                    otherwise,
                    ..
                },
                GoalRole::Goal,
            ) => {
                let mut other = (done.clone(), open.clone());
                other.0.push(PathGoal {
                    goal: condition,
                    role: GoalRole::Failed,
                });
                other.1.push(inner(otherwise));
                waiting.push(other);
                open.extend([inner(then), passed(condition)]);
            }
            (Goal::Disjunction(left, right) | Goal::Bar(left, right), GoalRole::Goal) => {
                let mut other = (done.clone(), open.clone());
                other.1.push(inner(right));
                waiting.push(other);
                open.push(inner(left));
            }
            _ => done.push(next),
        }
        waiting.push((done, open));
    }
    Some(found)
}

fn passed(goal: TermId) -> PathGoal {
    PathGoal {
        goal,
        role: GoalRole::Passed,
    }
}

/// Returns the paths through all clauses of a predicate, in order.
pub(super) fn all_ways<'a>(site: &Site<'a>) -> Option<Vec<ClausePath<'a>>> {
    let numbered = site.clauses.iter().enumerate();
    let all: Option<Vec<Vec<ClausePath<'a>>>> =
        numbered.map(|(n, clause)| ways(n, clause)).collect();
    Some(all?.into_iter().flatten().collect())
}

/// Returns the only path with a recursive call. All recursive calls of the clauses must be on paths, and the path's clause must not contain
/// comments.
pub(super) fn recursive_way<'w, 'c>(
    site: &Site<'_>,
    ways: &'w [ClausePath<'c>],
) -> Option<&'w ClausePath<'c>> {
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let is_recursive = |way: &&ClausePath<'_>| {
        let terms = &way.clause.terms;
        way.goals()
            .any(|goal| terms.matches(goal, name, arity).is_some())
    };
    let mut recursive = ways.iter().filter(is_recursive);
    let (Some(way), None) = (recursive.next(), recursive.next()) else {
        return None;
    };
    let is_complete = (0..site.clauses.len()).all(|n| are_all_calls(site, n, ways));
    (is_complete && !site.has_comments(way.number)).then_some(way)
}

/// Returns all recursive calls in the body of a clause.
pub(super) fn own_calls(site: &Site<'_>, number: usize) -> Vec<TermId> {
    let clause = &site.clauses[number];
    let inside = clause
        .body
        .map_or(Vec::new(), |body| clause.terms.subterms(body));
    let is_own = |&t: &TermId| {
        let (name, arity) = (&site.functor.name, site.functor.arity);
        clause.terms.matches(t, name, arity).is_some()
    };
    inside.into_iter().filter(is_own).collect()
}

/// Returns true if every recursive call in a clause is a goal of one of these paths. Returns false if some recursive call is in a condition
/// or inside another goal.
pub(super) fn are_all_calls(site: &Site<'_>, number: usize, ways: &[ClausePath<'_>]) -> bool {
    own_calls(site, number).iter().all(|&call| {
        let of_it = ways.iter().filter(|w| w.number == number);
        of_it.flat_map(ClausePath::goals).any(|goal| goal == call)
    })
}

/// Replacements for terms of a clause. If two paths share a goal, its replacements must agree.
#[derive(Default)]
pub(super) struct Replaced {
    texts: BTreeMap<TermId, String>,
}

impl Replaced {
    /// Replaces a term by the given text. Returns `None` if a different replacement is already set.
    pub(super) fn set(&mut self, term: TermId, text: String) -> Option<()> {
        let there = self.texts.entry(term).or_insert_with(|| text.clone());
        (*there == text).then_some(())
    }

    pub(super) fn has(&self, term: TermId) -> bool {
        self.texts.contains_key(&term)
    }

    /// Returns the edits in a clause.
    pub(super) fn edits(self, site: &Site<'_>, number: usize) -> Option<Vec<crate::file::Edit>> {
        (self.texts.into_iter())
            .map(|(term, text)| {
                let range = whole(site, number, term)?;
                Some(crate::file::Edit { range, text })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    fn clause(text: &str) -> Clause {
        let file = read_text(text);
        Clause::from_term(&file.clauses[0].terms, file.clauses[0].root)
            .unwrap()
            .1
    }

    #[test]
    fn an_if_then_else_is_as_clauses_are() {
        for (text, expected) in [
            ("p(a).", vec![0]),
            ("p(X) :- q(X), r.", vec![2]),
            ("p(X) :- q(X), ( X > 0 -> r, s ; t ), u.", vec![5, 4]),
            ("p(X) :- ( X > 0, q -> r ; X < 0 -> s ; t ).", vec![3, 3, 3]),
            ("p(X) :- ( a ; b, c ), ( X -> d ).", vec![3, 4]),
            ("p(X) :- \\+ ( X = a ; X = b ).", vec![1]),
        ] {
            let clause = clause(text);
            let all = ways(0, &clause).unwrap();
            let counts: Vec<usize> = all.iter().map(|w| w.reached.len()).collect();
            assert_eq!(counts, expected, "{text}");
        }
        assert!(ways(0, &clause("p --> q, r.")).is_none());
        let many = format!("p :- {}.", ["( a ; b )"; 5].join(", "));
        assert!(ways(0, &clause(&many)).is_none());
    }
}
