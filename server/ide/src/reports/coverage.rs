//! Counts the predicates with bounds, and the reasons why other predicates have none.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_analysis::queries::each_report;
use costlens_analysis::report::{Bound, Functor, PredicateReport};
use costlens_program::SourceFile;
use costlens_program::positions::positions;

use crate::attained::growth::judged;
use crate::db::Db;
use crate::present::threshold;
use crate::settings::Threshold;

/// Counts of predicates with bounds. For each predicate, only the first call pattern is considered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All predicates.
    pub predicates: usize,
    /// Predicates with a finite upper bound.
    pub upper: usize,
    /// Predicates with an exponential upper bound that is confirmed by a lower bound or by runs.
    pub exponential: usize,
    /// Predicates with an exponential upper bound that may be loose.
    pub loose: usize,
    /// Predicates with a nontrivial lower bound.
    pub lower: usize,
    /// Predicates that are proved to diverge.
    pub diverges: usize,
    /// Predicates without an upper bound because the analysis ran out of fuel.
    pub fuel: usize,
    /// The kinds of root causes of missing upper bounds, most frequent first, each with its number of predicates.
    pub causes: Vec<(String, usize)>,
}

/// Counts the predicates of a file for which `asked` returns true.
pub(crate) fn count(db: &dyn Db, file: SourceFile, asked: &dyn Fn(&Functor) -> bool) -> Coverage {
    let mut coverage = Coverage::default();
    let positions = positions(db, file);
    let written = positions.iter().filter(|p| !p.clauses.is_empty());
    let written: BTreeSet<Functor> = written.map(|p| p.functor.clone()).collect();
    each_report(db, file, &mut |report| {
        if written.contains(&report.predicate) && asked(&report.predicate) {
            coverage.count(&judged(db, file, Arc::new(report.clone())));
        }
    });
    coverage
}

impl Coverage {
    /// Counts a predicate's report.
    pub fn count(&mut self, report: &PredicateReport) {
        self.predicates += 1;
        let Some(cause) = self.add(report) else {
            return;
        };
        self.add_cause(cause, 1);
        self.sort();
    }

    /// Adds the counts of another file.
    pub fn add_all(&mut self, other: Coverage) {
        self.predicates += other.predicates;
        self.upper += other.upper;
        self.exponential += other.exponential;
        self.loose += other.loose;
        self.lower += other.lower;
        self.diverges += other.diverges;
        self.fuel += other.fuel;
        for (cause, count) in other.causes {
            self.add_cause(cause, count);
        }
        self.sort();
    }

    fn add_cause(&mut self, cause: String, count: usize) {
        match self.causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, n)) => *n += count,
            None => self.causes.push((cause, count)),
        }
    }

    fn sort(&mut self) {
        self.causes
            .sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
    }

    /// Counts a predicate's report. Returns the kind of cause if there is no upper bound.
    fn add(&mut self, report: &PredicateReport) -> Option<String> {
        let Some(pattern) = report.patterns.first() else {
            return Some("no call pattern is known".to_owned());
        };
        if pattern.main_piece().is_some() {
            let (lower, upper) = pattern.headline.envelope();
            let says_more = match lower {
                Bound::Finite(e) => !e.is_zero(),
                Bound::Infinite => true,
                Bound::Unknown => false,
            };
            self.lower += usize::from(says_more);
            match upper {
                Bound::Finite(_) => {
                    self.upper += 1;
                    if pattern.headline.loose.is_some() {
                        self.loose += 1;
                    } else if threshold(pattern) == Threshold::Exponential {
                        self.exponential += 1;
                    }
                    return None;
                }
                Bound::Infinite => {
                    self.diverges += 1;
                    return None;
                }
                Bound::Unknown if *lower == Bound::Infinite => {
                    self.diverges += 1;
                    return None;
                }
                Bound::Unknown => {}
            }
        }
        let Some(first) = pattern.unknown.first() else {
            return Some("no reason is known".to_owned());
        };
        self.fuel += usize::from(first.fuel);
        Some(kind(&first.reason))
    }
}

/// Generalises a reason: removes names in backticks, numbers, formulas, and explanations after a colon.
///
/// "`len/2` calls itself in clause 2, and no argument is known to get smaller: argument 1 is 3n+1 there" becomes "… calls itself in clause …, and
/// no argument is known to get smaller".
pub(super) fn kind(reason: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    // Every other part is between backticks.
    for (i, part) in reason.split('`').enumerate() {
        if i % 2 == 1 {
            leave_out(&mut words, "");
            continue;
        }
        for word in part.split_whitespace() {
            let end = word.trim_end_matches(&[',', ';', ':', '.'][..]);
            let punctuation = &word[end.len()..];
            let is_word = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '(' | ')');
            // A single letter denotes a size.
            let is_plain = end == "a" || end.chars().count() != 1 && end.chars().all(is_word);
            if punctuation == ":" {
                words.push(if is_plain {
                    end.to_owned()
                } else {
                    "…".to_owned()
                });
                return words.join(" ");
            }
            match (is_plain, end.is_empty(), words.last_mut()) {
                // Text that follows a name in backticks without a space.
                (true, true, Some(last)) => last.push_str(punctuation),
                (true, _, _) => words.push(word.to_owned()),
                (false, ..) => leave_out(&mut words, punctuation),
            }
        }
    }
    words.join(" ")
}

fn leave_out(words: &mut Vec<String>, punctuation: &str) {
    match words.last_mut().filter(|last| *last == "…") {
        Some(last) => last.push_str(punctuation),
        None => words.push(format!("…{punctuation}")),
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn names_numbers_and_formulas_are_left_out() {
        let cases = [
            (
                "`len/2` calls itself in clause 2, and no argument is known to get smaller: argument 1 is 3n+1 there",
                "… calls itself in clause …, and no argument is known to get smaller",
            ),
            ("`p/3` is not defined", "… is not defined"),
            ("it is dynamic: other clauses may be there", "it is dynamic"),
            (
                "3*n+1 fits the first values, but it is not proved for all sizes",
                "… fits the first values, but it is not proved for all sizes",
            ),
            (
                "n fits the first values, but it is not proved for all sizes",
                "… fits the first values, but it is not proved for all sizes",
            ),
            (
                "no file that is loaded here is known to be the module `m`, or so",
                "no file that is loaded here is known to be the module …, or so",
            ),
        ];
        for (reason, expected) in cases {
            assert_eq!(kind(reason), expected);
        }
    }
}
