//! Comments that suppress diagnostics: `% costlens: ignore[assertion-false]`.
//!
//! | position of the comment | what it covers |
//! |---|---|
//! | on a line of its own, between clauses | everything up to the end of the next clause or directive, comments included |
//! | on a line of its own, inside a clause | the next line |
//! | after the end of a clause | that clause |
//! | after other text | its line |
//! | anywhere, as `ignore-file` | the file |
//!
//! A comment may list rules that can be suppressed by id. Without a list, it covers all of these rules.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_program::workspace::terms;
use costlens_syntax::{FileTerms, nearest};

use super::rules::{self, Rule, nameable};
use super::{Diagnostic, Severity};
use crate::db::Db;
use crate::file::line_begin;

/// The prefix of every suppression comment.
const MARK: &str = "costlens:";

/// The suppressions of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Suppressions {
    places: Vec<Suppression>,
    errors: Vec<Diagnostic>,
}

/// A comment that suppresses diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Suppression {
    /// The range in which the comment suppresses diagnostics.
    about: Range<usize>,
    rules: Rules,
    /// True if the comment lists rules.
    is_listed: bool,
    /// The range of the comment itself.
    comment: Range<usize>,
}

/// The rules that a comment covers.
type Rules = Vec<&'static Rule>;

impl Suppressions {
    /// Returns comments that list a rule that reports nothing in their range, each with its offset. Only rules in `known`, whose findings are
    /// complete, are considered.
    pub(crate) fn unused(
        &self,
        known: &[&'static Rule],
        findings: &[(&'static Rule, usize)],
    ) -> Vec<Diagnostic> {
        let listed = self.places.iter().filter(|place| place.is_listed);
        let unused = listed.flat_map(|place| {
            let is_used = move |rule: &&Rule| {
                (findings.iter()).any(|(of, at)| of == rule && place.about.contains(at))
            };
            let rules = place.rules.iter().filter(|rule| known.contains(rule));
            rules
                .filter(move |&rule| !is_used(rule))
                .map(move |rule| Diagnostic {
                    range: place.comment.clone(),
                    severity: Severity::Warning,
                    rule: &rules::SUPPRESSION,
                    message: format!(
                        "`{}` finds nothing here that this comment could silence",
                        rule.id()
                    ),
                    related: Vec::new(),
                })
        });
        unused.collect()
    }

    /// Returns true if the user has suppressed findings of a rule at this offset.
    pub(crate) fn covers(&self, rule: &Rule, at: usize) -> bool {
        (self.places.iter()).any(|place| place.about.contains(&at) && place.rules.contains(&rule))
    }

    /// Returns true if there are no suppressions.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the errors in suppression comments.
    pub(crate) fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }
}

/// Returns the suppressions in a file.
#[salsa::tracked(returns(ref))]
pub(crate) fn suppressions(db: &dyn Db, file: SourceFile) -> Suppressions {
    let text = &file.parsed(db).text;
    let mut found = Suppressions::default();
    if !text.contains(MARK) {
        return found;
    }
    let read = terms(db, file);
    for comment in &read.comments {
        let Some((offset, asked)) = mark(&comment.text) else {
            continue;
        };
        let (from, to) = comment.range;
        match ask(asked) {
            Ok((whole_file, rules, is_listed)) => {
                let about = if whole_file {
                    0..text.len() + 1
                } else {
                    self::covered_range(&read, text, from, to)
                };
                found.places.push(Suppression {
                    about,
                    rules,
                    is_listed,
                    comment: from + offset..to,
                });
            }
            Err(message) => found.errors.push(Diagnostic {
                range: from + offset..to,
                severity: Severity::Warning,
                rule: &rules::SUPPRESSION,
                message,
                related: Vec::new(),
            }),
        }
    }
    found
}

/// Returns the offset of the mark in a comment, and the text after the mark.
fn mark(comment: &str) -> Option<(usize, &str)> {
    let (start, inner) = match comment.strip_prefix("/*") {
        Some(inner) => (2, inner.strip_suffix("*/").unwrap_or(inner)),
        None => (
            comment.len() - comment.trim_start_matches('%').len(),
            comment.trim_start_matches('%'),
        ),
    };
    let asked = inner.trim_start();
    let offset = start + inner.len() - asked.len();
    Some((offset, asked.strip_prefix(MARK)?))
}

/// Parses `ignore[hint, fix]`. Returns whether the comment covers the file, the rules, and whether they are listed. Any text that follows is
/// a justification.
fn ask(asked: &str) -> Result<(bool, Rules, bool), String> {
    let asked = asked.trim_start();
    let end = asked
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .unwrap_or(asked.len());
    let (word, rest) = asked.split_at(end);
    let whole_file = match word {
        "ignore" => false,
        "ignore-file" => true,
        _ => {
            return Err(format!(
                "`{word}` is not known; `ignore` and `ignore-file` are"
            ));
        }
    };
    let Some(list) = rest.strip_prefix('[') else {
        return Ok((whole_file, nameable().collect(), false));
    };
    let (list, _) = list
        .split_once(']')
        .ok_or("the list of rules has no `]` at its end")?;
    let rules = list.split(',').map(|rule| {
        let rule = rule.trim();
        nameable().find(|r| r.id() == rule).ok_or_else(|| {
            let all: Vec<&str> = nameable().map(Rule::id).collect();
            let near = nearest(rule, &all)
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!(
                "no rule is called `{rule}`{near}; there are {}",
                all.join(", ")
            )
        })
    });
    Ok((whole_file, rules.collect::<Result<_, _>>()?, true))
}

/// Returns the range that a comment covers.
fn covered_range(read: &FileTerms, text: &str, from: usize, to: usize) -> Range<usize> {
    let line = line_begin(text, from);
    let alone = text.get(line..from).unwrap_or_default().trim().is_empty();
    let clauses = &read.clauses;
    let next = clauses.partition_point(|c| c.range.0 < from);
    let previous = next.checked_sub(1).and_then(|i| clauses.get(i));
    let inside = previous.is_some_and(|c| from < c.range.1);
    match (alone, inside) {
        (true, false) => from..clauses.get(next).map_or(text.len() + 1, |c| c.range.1),
        (true, true) => {
            let rest = text.get(to..).unwrap_or_default();
            let mut lines = rest.match_indices('\n').map(|(at, _)| to + at + 1);
            let start = lines.next().unwrap_or(text.len());
            start..lines.next().unwrap_or(text.len() + 1)
        }
        (false, _) => {
            let ended = previous.filter(|c| c.range.1 > line && c.range.1 <= from);
            ended.map_or(line, |c| c.range.0.min(line))..from
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;
    use crate::settings::Settings;

    /// Returns the rules of a file's diagnostics, and the predicates with hints.
    fn shown(text: &str) -> (Vec<&'static Rule>, Vec<String>) {
        let mut host = Host::new();
        let file = host.open("a.pl", text);
        let snapshot = host.snapshot();
        let settings = Settings::default();
        let problems = snapshot.diagnostics(file, &settings).unwrap();
        let hints = snapshot.hints(file, &settings).unwrap();
        (
            problems.iter().map(|d| d.rule).collect(),
            hints.iter().map(|h| h.predicate.to_string()).collect(),
        )
    }

    const LEN: &str = "len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";

    fn with_comment(comment: &str) -> String {
        format!("{comment}\n%! len(+L:list, -N:int) is det.\n%  @cost steps =< 3\n{LEN}q.\n")
    }

    #[test]
    fn without_a_comment_all_is_shown() {
        let (problems, hints) = shown(&with_comment(""));
        assert_eq!(problems, [&rules::ASSERTION_FALSE]);
        assert_eq!(hints, ["len/2", "q/0"]);
    }

    #[test]
    fn a_comment_on_its_own_line_reaches_to_the_end_of_the_next_clause() {
        let (problems, hints) = shown(&with_comment("% costlens: ignore"));
        assert!(problems.is_empty());
        assert_eq!(hints, ["q/0"]);
        let (problems, hints) = shown(&with_comment("/* costlens: ignore[assertion-false] */"));
        assert!(problems.is_empty());
        assert_eq!(hints, ["len/2", "q/0"]);
        let (problems, hints) = shown(&with_comment("% costlens: ignore[hint, fix] known"));
        assert_eq!(problems, [&rules::ASSERTION_FALSE]);
        assert_eq!(hints, ["q/0"]);
    }

    #[test]
    fn a_comment_behind_a_clause_is_about_the_clause() {
        let text = ":- pred len(L, N)\n   : (list(L), var(N))\n   + cost(ub, steps, 3). % costlens: ignore\n";
        let (problems, hints) = shown(&format!("{text}{LEN}"));
        assert!(problems.is_empty());
        assert_eq!(hints, ["len/2"]);
    }

    #[test]
    fn a_comment_behind_a_line_is_about_the_line() {
        let directive = |first: &str, second: &str| {
            format!(
                ":- pred len(L, N) : (list(L), var(N)) + (\n  cost(ub, steps, 3),{first}\n  cost(ub, steps, 4){second}\n).\n{LEN}"
            )
        };
        assert_eq!(shown(&directive("", "")).0, [&rules::ASSERTION_FALSE; 2]);
        let one = directive(" % costlens: ignore", "");
        assert_eq!(shown(&one).0, [&rules::ASSERTION_FALSE]);
        let before = directive("\n  % costlens: ignore", "");
        assert_eq!(shown(&before).0, [&rules::ASSERTION_FALSE]);
    }

    #[test]
    fn a_file_can_be_left_alone() {
        let (problems, hints) = shown(&format!(
            "{}% costlens: ignore-file\n",
            with_comment("p(.\n")
        ));
        assert!(problems.is_empty() && hints.is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for wrong in ["ignore[hints]", "ignore[hint", "ignroe"] {
            let (problems, hints) = shown(&format!("% costlens: {wrong}\n{LEN}"));
            assert_eq!(problems, [&rules::SUPPRESSION], "{wrong}");
            assert_eq!(hints, ["len/2"], "{wrong}");
        }
    }

    #[test]
    fn other_comments_say_nothing() {
        let (problems, hints) = shown(&format!("% see costlens: ignore\n{LEN}"));
        assert!(problems.is_empty());
        assert_eq!(hints, ["len/2"]);
    }
}
