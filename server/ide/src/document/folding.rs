//! The ranges that an editor can fold.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_program::language::directive;
use costlens_program::positions::positions;
use costlens_program::workspace::terms;
use costlens_syntax::FileTerms;
use costlens_syntax::queries::folds;

use crate::db::Db;

/// The kind of a folding range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldKind {
    /// A comment, or line comments on consecutive lines.
    Comment,
    /// Consecutive directives that load files.
    Imports,
    /// The clauses of a predicate, a single clause, a bracketed term, or a branch of `:- if`.
    Region,
}

/// A folding range. The caller must omit ranges on a single line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The range.
    pub range: Range<usize>,
    /// The kind.
    pub kind: FoldKind,
}

/// Returns the folding ranges of a file in textual order. If two ranges start at the same offset, the longer range comes first.
pub fn folding(db: &dyn Db, file: SourceFile) -> Vec<Fold> {
    let parsed = file.parsed(db);
    let text = &*parsed.text;
    let region = |range| Fold {
        range,
        kind: FoldKind::Region,
    };
    let mut found: Vec<Fold> = folds(parsed)
        .into_iter()
        .map(|range| Fold {
            kind: if text[range.start..].starts_with("/*") {
                FoldKind::Comment
            } else {
                FoldKind::Region
            },
            range,
        })
        .collect();
    found.extend(predicates(db, file).into_iter().map(region));
    let read = terms(db, file);
    found.extend(line_comments(&read, text));
    found.extend(imports(&read));
    found.extend(conditional(&read, text).into_iter().map(region));
    found.sort_by_key(|fold| (fold.range.start, usize::MAX - fold.range.end, fold.kind));
    found
}

/// Returns the ranges of several consecutive clauses of the same predicate.
fn predicates(db: &dyn Db, file: SourceFile) -> Vec<Range<usize>> {
    let mut clauses: Vec<(usize, usize, usize)> = (positions(db, file).iter().enumerate())
        .flat_map(|(i, p)| p.clauses.iter().map(move |c| (c.range.0, c.range.1, i)))
        .collect();
    clauses.sort_unstable();
    clauses
        .chunk_by(|a, b| a.2 == b.2)
        .filter(|run| run.len() > 1)
        .filter_map(|run| Some(run.first()?.0..run.last()?.1))
        .collect()
}

fn line_comments(read: &FileTerms, text: &str) -> Vec<Fold> {
    let lines: Vec<Range<usize>> = (read.comments.iter())
        .filter(|c| c.text.starts_with('%'))
        .map(|c| c.range.0..c.range.1)
        .collect();
    let adjacent = |a: &Range<usize>, b: &Range<usize>| {
        text.get(a.end..b.start).is_some_and(|between| {
            between.chars().all(char::is_whitespace) && between.matches('\n').count() == 1
        })
    };
    lines
        .chunk_by(adjacent)
        .filter(|run| run.len() > 1)
        .filter_map(|run| {
            Some(Fold {
                range: run.first()?.start..run.last()?.end,
                kind: FoldKind::Comment,
            })
        })
        .collect()
}

fn imports(read: &FileTerms) -> Vec<Fold> {
    let loads = |clause: &costlens_syntax::ReadClause| {
        let goal = directive(&clause.terms, clause.root);
        let name = goal.and_then(|goal| clause.terms.functor(goal));
        name.is_some_and(|(name, _)| {
            matches!(
                name.as_str(),
                "use_module" | "ensure_loaded" | "autoload" | "reexport" | "include" | "[|]"
            )
        })
    };
    read.clauses
        .chunk_by(|a, b| loads(a) == loads(b))
        .filter(|run| run.len() > 1 && run.first().is_some_and(loads))
        .filter_map(|run| {
            Some(Fold {
                range: run.first()?.range.0..run.last()?.range.1,
                kind: FoldKind::Imports,
            })
        })
        .collect()
}

/// Returns the branches of `:- if(…)`, each up to the directive that ends it.
fn conditional(read: &FileTerms, text: &str) -> Vec<Range<usize>> {
    let (mut open, mut found): (Vec<usize>, _) = (Vec::new(), Vec::new());
    for clause in &read.clauses {
        let Some(goal) = directive(&clause.terms, clause.root) else {
            continue;
        };
        let functor = clause.terms.functor(goal).map(|(n, a)| (n.as_str(), a));
        let (ends, begins) = match functor {
            Some(("if", 1)) => (false, true),
            Some(("elif", 1) | ("else", 0)) => (true, true),
            Some(("endif", 0)) => (true, false),
            _ => continue,
        };
        if ends && let Some(start) = open.pop() {
            let before = text.get(start..clause.range.0).unwrap_or_default();
            found.push(start..start + before.trim_end().len());
        }
        if begins {
            open.push(clause.range.0);
        }
    }
    found
}
