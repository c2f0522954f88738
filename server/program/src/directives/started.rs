//! The goals that run when a file is loaded.

use std::sync::Arc;

use costlens_body::conjuncts;
use costlens_syntax::term::{CONS, TermId, Terms};
use costlens_syntax::{Dialect, Parsed, ReadOptions, read};

use super::file_facts::is_declaration;
use crate::language::directive;
use crate::workspace::{Db, SourceFile, terms};

/// The maximum number of goals that are collected; further goals reveal nothing new about call patterns.
const MOST_GOALS: usize = 500;

/// A goal outside any clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartedGoal {
    /// The arena of the goal.
    pub terms: Arc<Terms>,
    /// The goal.
    pub goal: TermId,
}

/// Returns the goals of `:- initialization(G).`, `:- G.` and `?- G.`, in the order of the file.
///
/// *Invalidated* by every edit; equal as long as the directives are unchanged.
#[salsa::tracked(returns(deref))]
pub fn started_goals(db: &dyn Db, file: SourceFile) -> Vec<StartedGoal> {
    let mut found = Vec::new();
    for clause in &terms(db, file).clauses {
        let Some(root) = directive(&clause.terms, clause.root) else {
            continue;
        };
        for goal in conjuncts(&clause.terms, root) {
            if found.len() >= MOST_GOALS {
                return found;
            }
            let Some((name, arity)) = clause.terms.functor(goal) else {
                continue;
            };
            let goal = match (name.as_str(), clause.terms.args(goal)) {
                ("initialization", &[inner] | &[inner, _]) => inner,
                (CONS, _) => continue,
                (name, _) if is_declaration(name, arity) => continue,
                _ => goal,
            };
            found.push(StartedGoal {
                terms: Arc::clone(&clause.terms),
                goal,
            });
        }
    }
    found
}

/// The maximum number of lines in one query.
const LONGEST_QUERY: usize = 5;

/// Returns the queries in comments, in the order of the file: `% ?- queens(8, Qs).`
///
/// *Invalidated* by every edit; equal as long as the queries in comments are unchanged.
#[salsa::tracked(returns(deref))]
pub fn queries(db: &dyn Db, file: SourceFile) -> Vec<StartedGoal> {
    let dialect = file.parsed(db).dialect();
    let mut found = Vec::new();
    for comment in &terms(db, file).comments {
        let lines: Vec<&str> = comment.text.lines().map(without_marks).collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(first) = line.strip_prefix("?-") else {
                continue;
            };
            if found.len() >= MOST_GOALS {
                return found;
            }
            let rest = lines[at + 1..].iter().take(LONGEST_QUERY - 1);
            found.extend(query(first, rest, dialect));
        }
    }
    found
}

/// Returns a line of a comment without comment marks.
fn without_marks(line: &str) -> &str {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '%' | '*' | '/'));
    line.trim_end().trim_end_matches("*/").trim_end()
}

/// Returns the goal of a query that starts in a line and ends with the first full stop, or with that line.
fn query<'a>(
    first: &'a str,
    rest: impl Iterator<Item = &'a &'a str>,
    dialect: Dialect,
) -> Option<StartedGoal> {
    let mut text = String::new();
    for line in std::iter::once(first).chain(rest.copied()) {
        text.push_str(line);
        if let Some(end) = full_stop(&text) {
            text.truncate(end);
            return goal(&text, dialect);
        }
        text.push('\n');
    }
    goal(first, dialect)
}

fn full_stop(text: &str) -> Option<usize> {
    let stops = text.match_indices('.').map(|(at, _)| at);
    { stops }.find(|at| {
        text[at + 1..]
            .chars()
            .next()
            .is_none_or(char::is_whitespace)
    })
}

fn goal(text: &str, dialect: Dialect) -> Option<StartedGoal> {
    let parsed = Parsed::in_dialect(format!(":- {text} ."), dialect);
    let read = read(&parsed, &ReadOptions::default());
    let [clause] = &read.clauses[..] else {
        return None;
    };
    let goal = directive(&clause.terms, clause.root)?;
    clause.terms.functor(goal).is_some().then(|| StartedGoal {
        terms: Arc::clone(&clause.terms),
        goal,
    })
}
