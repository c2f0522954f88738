//! Matches goals of a clause with the old goals of a rewrite.

use std::collections::BTreeMap;

use costlens_body::{Comparison, Goal};
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId, Terms};

use super::{GoalRewrite, OldGoal, RelativePlace};
use crate::fixes::goals::{
    GoalSequence, collected, compared, equality, first_condition, is_equal, small, variable,
};
use crate::fixes::known::{LibraryPredicate, Recognised};
use crate::fixes::site::Site;

/// The maximum distance, in goals, between a goal and a later goal that `goals` allows.
const FARTHEST: usize = 100;

/// A search for matches in the clauses of a predicate.
pub(super) struct MatchSearch<'a> {
    pub(super) site: &'a Site<'a>,
    any_order: bool,
}

/// A partial or complete match of a rewrite's goals.
#[derive(Clone)]
pub(super) struct Matched<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) alternative: &'static GoalRewrite,
    pub(super) clause: usize,
    pub(super) terms: &'a Terms,
    pub(super) row: &'a GoalSequence,
    pub(super) goals: Vec<MatchedGoal>,
    /// The goal of the sequence that contains the last matched goal.
    pub(super) around: Option<TermId>,
    /// The terms that the variables represent.
    values: BTreeMap<u32, TermId>,
}

/// A matched goal.
#[derive(Clone)]
pub(super) struct MatchedGoal {
    pub(super) goal: TermId,
    /// The index of the goal in the sequence. `None` for the first goal of a condition and for a goal inside another.
    pub(super) place: Option<usize>,
    /// The arguments that correspond to those of the pattern.
    pub(super) arguments: Vec<TermId>,
    /// The predicate, if it is recognised by its clauses or by its name in the library.
    pub(super) known: Option<Recognised>,
    /// The library predicate, if the goal must call it.
    pub(super) library: Option<Functor>,
}

/// A way to interpret a goal as an instance of a pattern goal.
struct Reading {
    pairs: Vec<(TermId, TermId)>,
    known: Option<Recognised>,
    library: Option<Functor>,
}

impl Reading {
    fn new(patterns: &[TermId], arguments: &[TermId]) -> Self {
        let patterns = patterns.iter().copied();
        Self {
            pairs: patterns.zip(arguments.iter().copied()).collect(),
            known: None,
            library: None,
        }
    }
}

/// A goal that may match, with its index in the sequence.
type Candidate = (TermId, Option<usize>);

/// Checks that a goal of a rewrite has a name.
pub(super) fn is_literal(terms: &Terms, goal: TermId) -> Result<(), String> {
    let has_name = terms.functor(goal).is_some();
    (has_name.then_some(())).ok_or_else(|| "a goal to match must have a name".to_owned())
}

impl<'a> MatchSearch<'a> {
    pub(super) fn new(site: &'a Site<'a>, any_order: bool) -> Self {
        Self { site, any_order }
    }

    /// Returns the matches of an alternative whose first goal is at a given index of the sequence.
    pub(super) fn matches(
        &self,
        alternative: &'static GoalRewrite,
        clause: usize,
        rows: &'a [GoalSequence],
        row: &'a GoalSequence,
        first: usize,
    ) -> impl Iterator<Item = Matched<'a>> {
        let mut matches = vec![Matched {
            site: self.site,
            alternative,
            clause,
            terms: &self.site.clauses[clause].terms,
            row,
            goals: Vec::new(),
            around: None,
            values: BTreeMap::new(),
        }];
        for step in &alternative.before {
            let extended = matches.iter().flat_map(|matched| {
                let candidates = matched.candidates(step.place, rows, first).into_iter();
                candidates.flat_map(|candidate| self.extended(matched, *step, candidate))
            });
            matches = extended.collect();
        }
        matches.into_iter()
    }

    /// Extends a match by one more goal.
    fn extended(
        &self,
        matched: &Matched<'a>,
        step: OldGoal,
        (goal, place): Candidate,
    ) -> Vec<Matched<'a>> {
        let readings = self.readings(matched, step.goal, goal).into_iter();
        let extended = readings.filter_map(|reading| {
            let mut matched = matched.clone();
            let mut pairs = reading.pairs.iter();
            pairs
                .all(|&(pattern, term)| matched.unite(pattern, term))
                .then_some(())?;
            if step.place == RelativePlace::Inside {
                let before = matched.goals.last().and_then(|before| before.place)?;
                matched.around = matched.row.goals.get(before + 1).copied();
            }
            matched.goals.push(MatchedGoal {
                goal,
                place,
                arguments: reading.pairs.into_iter().map(|(_, term)| term).collect(),
                known: reading.known,
                library: reading.library,
            });
            Some(matched)
        });
        extended.collect()
    }

    /// Returns the ways to interpret a goal as an instance of a pattern goal.
    fn readings(&self, matched: &Matched<'a>, pattern: TermId, goal: TermId) -> Vec<Reading> {
        let theirs = &*matched.alternative.terms;
        if let Some(patterns) = collected(theirs, pattern) {
            let reading = self.collection(matched, patterns, goal);
            return reading.into_iter().collect();
        }
        if let Some(asked) = equality(theirs, pattern) {
            let sides = equality(matched.terms, goal)
                .filter(|of| of.holds == asked.holds && of.unifies == asked.unifies)
                .map(|of| [of.sides, [of.sides[1], of.sides[0]]]);
            let sides = sides.into_iter().flatten();
            return sides
                .map(|sides| Reading::new(&asked.sides, &sides))
                .collect();
        }
        let reading = match Goal::lower(theirs, pattern) {
            Goal::Compare(comparison, left, right) => small(theirs, right)
                .and_then(|k| matched.compares(goal, left, comparison, k))
                .map(|()| Reading::new(&[], &[])),
            _ => self.call(matched, pattern, goal),
        };
        reading.into_iter().collect()
    }

    /// Interprets a goal as `findall(T, G, Xs)`. If the pattern specifies a call for `G`, the inner goal must call the same predicate.
    fn collection(
        &self,
        matched: &Matched<'a>,
        patterns: [TermId; 3],
        goal: TermId,
    ) -> Option<Reading> {
        let parts = collected(matched.terms, goal)?;
        if variable(&matched.alternative.terms, patterns[1]).is_some() {
            return Some(Reading::new(&patterns, &parts));
        }
        let mut inner = self.call(matched, patterns[1], parts[1])?;
        let ends = [(patterns[0], parts[0]), (patterns[2], parts[2])];
        inner.pairs.extend(ends);
        Some(Reading {
            known: None,
            ..inner
        })
    }

    /// Interprets a goal as a call of the pattern's predicate.
    fn call(&self, matched: &Matched<'a>, pattern: TermId, goal: TermId) -> Option<Reading> {
        let (theirs, terms) = (&*matched.alternative.terms, matched.terms);
        let (name, arity) = theirs.functor(pattern)?;
        let patterns = theirs.args(pattern);
        let (arguments, known, library) = match LibraryPredicate::of_pattern(name, arity) {
            Some(LibraryPredicate::Msort | LibraryPredicate::Sort)
                if terms.matches(goal, "sort", 4).is_some() =>
            {
                let arguments = whole_order(terms, goal, name)?;
                (arguments, None, Some(Functor::new("sort", 4)))
            }
            Some(asked) => {
                (terms.functor(goal)?.1 == arity).then_some(())?;
                let known = self.site.recognised(matched.clause, goal)?;
                let fits = known.known == asked && (self.any_order || known.is_plain());
                fits.then_some(())?;
                (known.arguments(terms, goal), Some(known), None)
            }
            None => {
                let arguments = terms.matches(goal, name, arity)?.to_vec();
                (arguments, None, Some(Functor::new(name.clone(), arity)))
            }
        };
        Some(Reading {
            pairs: patterns.iter().copied().zip(arguments).collect(),
            known,
            library,
        })
    }
}

/// Returns the list arguments of `sort(0, @=<, Xs, Ys)`, which is equivalent to `msort(Xs, Ys)`, or of `sort(0, @<, Xs, Ys)`, which is
/// equivalent to `sort(Xs, Ys)`.
fn whole_order(terms: &Terms, goal: TermId, name: &str) -> Option<Vec<TermId>> {
    let &[key, order, list, sorted] = terms.matches(goal, "sort", 4)? else {
        return None;
    };
    let same = match Comparison::of_terms(terms.as_atom(order)?)? {
        Comparison::LessOrEqual => "msort",
        Comparison::Less => "sort",
        _ => return None,
    };
    (same == name && small(terms, key) == Some(0)).then(|| vec![list, sorted])
}

/// Converts a comparison with an integer to a comparison without `<` and `>`: `N > 0` becomes `N >= 1`.
fn normal(comparison: Comparison, k: i64) -> Option<(Comparison, i64)> {
    Some(match comparison {
        Comparison::Greater => (Comparison::GreaterOrEqual, k.checked_add(1)?),
        Comparison::Less => (Comparison::LessOrEqual, k.checked_sub(1)?),
        _ => (comparison, k),
    })
}

impl Matched<'_> {
    /// Returns `Some` if a goal is equivalent to a comparison of an integer variable with an integer.
    fn compares(&self, goal: TermId, left: TermId, asked: Comparison, k: i64) -> Option<()> {
        let (comparison, number) = compared(self.terms, goal, self.variable(left)?)?;
        (normal(comparison, number)? == normal(asked, k)?).then_some(())
    }

    /// Returns the goals that may come next, each with its index in the sequence.
    fn candidates(
        &self,
        place: RelativePlace,
        rows: &[GoalSequence],
        first: usize,
    ) -> Vec<Candidate> {
        let goals = &self.row.goals;
        let Some(last) = self.goals.last() else {
            return vec![(goals[first], Some(first))];
        };
        let Some(next) = last.place.map(|at| at + 1) else {
            return Vec::new();
        };
        let at = |i: usize| match first_condition(self.terms, goals[i]) {
            Some(first) => (first, None),
            None => (goals[i], Some(i)),
        };
        let end = goals.len();
        match place {
            RelativePlace::Next => (next..end.min(next + 1)).map(at).collect(),
            RelativePlace::Later => (next..end.min(next + FARTHEST)).map(at).collect(),
            RelativePlace::Inside => {
                let Some(&around) = goals.get(next) else {
                    return Vec::new();
                };
                let inside = self.terms.subterms(around);
                let firsts = rows.iter().filter_map(|row| row.goals.first());
                firsts
                    .filter(|&&goal| goal != around && inside.contains(&goal))
                    .map(|&goal| (goal, None))
                    .collect()
            }
        }
    }

    /// Binds the variables of a pattern term so that it represents a term of the clause. Returns false if that is impossible.
    fn unite(&mut self, pattern: TermId, term: TermId) -> bool {
        let theirs = &*self.alternative.terms;
        let mut pairs = vec![(pattern, term)];
        while let Some((pattern, term)) = pairs.pop() {
            let fits = match theirs.get(pattern) {
                &Term::Var(v) if self.alternative.is_anonymous(v) => self.occurs_once(term),
                &Term::Var(v) => {
                    let value = *self.values.entry(v).or_insert(term);
                    is_equal(self.terms, value, term)
                }
                Term::Compound(..) => {
                    let (inner, others) = (theirs.args(pattern), self.terms.args(term));
                    pairs.extend(inner.iter().copied().zip(others.iter().copied()));
                    theirs.functor(pattern) == self.terms.functor(term)
                }
                atomic => atomic == self.terms.get(term),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Returns true for a variable that occurs once in the clause.
    pub(super) fn occurs_once(&self, term: TermId) -> bool {
        variable(self.terms, term).is_some_and(|v| self.site.occurrences(self.clause, v) == 1)
    }

    /// Returns the term that a variable of the pattern represents.
    pub(super) fn value(&self, pattern: TermId) -> Option<TermId> {
        let v = variable(&self.alternative.terms, pattern)?;
        self.values.get(&v).copied()
    }

    /// Returns the variable of the clause that a pattern variable represents.
    pub(super) fn variable(&self, pattern: TermId) -> Option<u32> {
        variable(self.terms, self.value(pattern)?)
    }
}
