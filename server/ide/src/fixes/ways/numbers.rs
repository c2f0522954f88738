//! The integers for which paths are entered, according to heads, tests and cuts.

use costlens_body::Comparison;
use costlens_syntax::term::{Term, TermId, Terms};

use super::{ClausePath, GoalRole};
use crate::fixes::goals::compared;

/// The maximum number of consecutive integers that a path may exclude between two admitted integers.
const MOST_GAPS: i64 = 16;

/// The integers that a variable may have on a path, according to the path's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::fixes) struct Numbers {
    least: Option<i64>,
    greatest: Option<i64>,
    /// The excluded integers between `least` and `greatest`.
    not: Vec<i64>,
}

impl Numbers {
    /// Returns the integers that the head and the tests of a path admit for an integer argument. Returns `None` if some condition is not such
    /// a test. The first goal in `others` and all later goals are ignored.
    pub(in crate::fixes) fn admitted(
        way: &ClausePath<'_>,
        argument: usize,
        others: &[TermId],
    ) -> Option<Self> {
        let terms = &way.clause.terms;
        let term = *terms.args(way.clause.head).get(argument)?;
        let mut numbers = Self::default();
        let v = match terms.get(term) {
            Term::Integer(k) => {
                numbers.meet(Comparison::Equal, i64::try_from(k).ok()?);
                return Some(numbers);
            }
            Term::Var(v) => *v,
            _ => return None,
        };
        for reached in &way.reached {
            if others.contains(&reached.goal) {
                break;
            }
            let passes = reached.role != GoalRole::Failed;
            match test(terms, reached.goal, v) {
                Some((test, k)) if passes => numbers.meet(test, k),
                Some((test, k)) => numbers.meet(test.negated(), k),
                // A goal that is not a condition may exclude further integers.
                None if reached.role == GoalRole::Goal => {}
                None => return None,
            }
        }
        Some(numbers.tight())
    }

    /// Returns the integers except those in `gone`, which an earlier cut has handled. Returns `None` if the result cannot be represented by
    /// two ends and a few gaps.
    fn except(mut self, gone: &Self) -> Option<Self> {
        let is_outside = |k: &i64| {
            !(gone.least.is_none_or(|l| l <= *k) && gone.greatest.is_none_or(|g| *k <= g))
        };
        gone.not.iter().all(is_outside).then_some(())?;
        match (gone.least, gone.greatest) {
            (None, None) => {
                self.meet(Comparison::Equal, 0);
                self.not.push(0);
                return Some(self);
            }
            (None, Some(greatest)) => self.meet(Comparison::Greater, greatest),
            (Some(least), None) => self.meet(Comparison::Less, least),
            (Some(least), Some(greatest)) => {
                (greatest.checked_sub(least)? < MOST_GAPS).then_some(())?;
                self.not.extend(least..=greatest);
            }
        }
        Some(self.tight())
    }

    /// Returns the integers that are at least `k`.
    pub(in crate::fixes) fn at_least(&self, k: i64) -> Self {
        let mut numbers = self.clone();
        numbers.meet(Comparison::GreaterOrEqual, k);
        numbers.tight()
    }

    /// Returns the same set with its ends moved to integers that are not excluded.
    fn tight(mut self) -> Self {
        while self.least.is_some_and(|k| self.not.contains(&k)) {
            self.least = self.least.and_then(|k| k.checked_add(1));
        }
        while self.greatest.is_some_and(|k| self.not.contains(&k)) {
            self.greatest = self.greatest.and_then(|k| k.checked_sub(1));
        }
        self
    }

    /// Returns true if the set may contain this integer.
    pub(in crate::fixes) fn has(&self, k: i64) -> bool {
        self.least.is_none_or(|least| least <= k)
            && self.greatest.is_none_or(|greatest| k <= greatest)
            && !self.not.contains(&k)
    }

    /// Returns true if all integers of the set are at least `k`.
    pub(in crate::fixes) fn are_from(&self, k: i64) -> bool {
        self.least.is_some_and(|least| k <= least)
    }

    /// Returns true if the set contains every integer that is at least `k`.
    pub(in crate::fixes) fn are_all_from(&self, k: i64) -> bool {
        self.greatest.is_none() && self.has(k) && self.not.iter().all(|&left_out| left_out < k)
    }

    /// Returns true for a goal that compares a variable with an integer.
    pub(in crate::fixes) fn tests(terms: &Terms, goal: TermId, v: u32) -> bool {
        test(terms, goal, v).is_some()
    }

    /// Returns true if all integers of the set are below `k`.
    pub(in crate::fixes) fn are_below(&self, k: i64) -> bool {
        self.greatest.is_some_and(|greatest| greatest < k)
    }

    fn meet(&mut self, test: Comparison, k: i64) {
        let raise = |old: Option<i64>| Some(old.map_or(k, |o| o.max(k)));
        let lower = |old: Option<i64>| Some(old.map_or(k, |o| o.min(k)));
        match test {
            Comparison::GreaterOrEqual => self.least = raise(self.least),
            Comparison::LessOrEqual => self.greatest = lower(self.greatest),
            Comparison::Equal => {
                self.least = raise(self.least);
                self.greatest = lower(self.greatest);
            }
            Comparison::NotEqual => self.not.push(k),
            Comparison::Less => self.greatest = lower(self.greatest).map(|g| g.min(k - 1)),
            Comparison::Greater => self.least = raise(self.least).map(|l| l.max(k + 1)),
        }
    }
}

/// Returns, for each path, the integers for which the path is entered. These are the integers that its head and tests admit, and for which
/// no earlier path reaches a cut. In the path `step`, the first goal in `others` and all later goals are ignored. The value argument is
/// assumed unbound in the call. Returns `None` if a condition is not a test of the integer.
pub(in crate::fixes) fn entered(
    ways: &[ClausePath<'_>],
    number: usize,
    value: usize,
    others: &[TermId],
    step: &ClausePath<'_>,
) -> Option<Vec<Numbers>> {
    let (mut found, mut gone) = (Vec::new(), Vec::<Numbers>::new());
    for way in ways {
        let others = match std::ptr::eq(way, step) {
            true => others,
            false => &[],
        };
        let passed = Numbers::admitted(way, number, others)?;
        found.push(gone.iter().try_fold(passed, Numbers::except)?);
        gone.extend(way.cut_for(number, value));
    }
    Some(found)
}

/// Returns the comparison with an integer that a goal performs on a variable.
fn test(terms: &Terms, goal: TermId, v: u32) -> Option<(Comparison, i64)> {
    let (comparison, k) = compared(terms, goal, v)?;
    Some((comparison, bounded(k)?))
}

/// Returns a number unless incrementing or decrementing might overflow.
fn bounded(k: i64) -> Option<i64> {
    (k.abs() < i64::MAX / 2).then_some(k)
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::super::ways;
    use super::*;

    fn clause(text: &str) -> costlens_program::Clause {
        let file = read_text(text);
        costlens_program::Clause::from_term(&file.clauses[0].terms, file.clauses[0].root)
            .unwrap()
            .1
    }

    #[test]
    fn tests_say_which_numbers_there_are() {
        let numbers = |text: &str, way: usize| {
            let clause = clause(text);
            Numbers::admitted(&ways(0, &clause).unwrap()[way], 0, &[])
        };
        let text = "p(N) :- ( N < 2 -> a ; N =:= 5 -> b ; 3 =< N, c ).";
        let (first, second, third) = (numbers(text, 0), numbers(text, 1), numbers(text, 2));
        let (first, second, third) = (first.unwrap(), second.unwrap(), third.unwrap());
        assert!(first.has(-7) && first.has(1) && first.are_below(2) && !first.are_below(1));
        assert!(second.has(5) && !second.has(6) && second.are_from(5));
        assert!(third.are_from(3) && !third.are_from(4) && !third.has(5) && third.has(6));
        assert!(numbers("p(3).", 0).unwrap().are_from(3));
        assert!(numbers("p(N) :- \\+ ( N < 2 ; q ).", 0).unwrap().has(9));
        assert_eq!(numbers("p(N) :- ( q(N) -> a ; b ).", 0), None);
        assert_eq!(numbers("p(N) :- ( q -> a ).", 0), None);
        let at_edge = numbers("p(N) :- ( N =:= 0 -> a ; N >= 0, b ).", 1).unwrap();
        assert!(at_edge.are_from(1));
    }

    #[test]
    fn cuts_leave_numbers_out() {
        let clauses: Vec<_> = [
            "p(0, 1) :- !.",
            "p(N, N) :- N < 3, true, !.",
            "p(N, F) :- N > 9, F = N, !.",
            "p(N, F) :- N =:= 5, q(F), !.",
            "p(N, F) :- r(N, F).",
        ]
        .map(clause)
        .into();
        let all: Vec<ClausePath<'_>> = (clauses.iter().enumerate())
            .flat_map(|(number, clause)| ways(number, clause).unwrap())
            .collect();
        let found = entered(&all, 0, 1, &[], &all[4]).unwrap();
        assert!(found[0].has(0) && !found[0].has(1));
        assert!(found[1].has(2) && !found[1].has(0) && found[1].are_below(3));
        assert!(found[2].are_from(10) && found[3].has(5));
        // Nothing is known about `q(F)`, so this path may also be entered for 5.
        assert!(found[4].are_from(3) && found[4].has(5) && !found[4].has(10));
        assert!(!found[4].are_all_from(3) && !found[4].are_from(4));
    }

    #[test]
    fn a_cut_counts_where_the_head_unifies() {
        for (first, leaves_out) in [
            ("p(0, 1) :- !.", true),
            ("p(0, a) :- !.", false),
            ("p(0, F) :- F = 1, F = 2, !.", false),
            ("p(0, F) :- q(F), !.", false),
            ("p(N, _) :- ( N = 0, ! -> fail ; fail ).", false),
            ("p(N, F) :- ( N = 0, !, F = 1 ; fail ).", true),
        ] {
            let clauses = [clause(first), clause("p(N, F) :- r(N, F).")];
            let all: Vec<ClausePath<'_>> = (clauses.iter().enumerate())
                .flat_map(|(number, clause)| ways(number, clause).unwrap())
                .collect();
            let last = all.last().unwrap();
            let found = entered(&all, 0, 1, &[], last);
            let is_left_out = found.is_some_and(|found| !found[all.len() - 1].has(0));
            assert_eq!(is_left_out, leaves_out, "{first}");
        }
    }
}
