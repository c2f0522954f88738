//! Cheaper variants for a report, for the costliest predicates first, within a time limit.

use std::time::{Duration, Instant};

use costlens_ide::fixes::rewrites::REWRITES;
use costlens_ide::host::File;
use costlens_ide::reports::overview::Class;
use costlens_ide::settings::Chosen;

use super::Workspace;
use super::rows::FileRows;
use crate::cli::interrupted;
use crate::cli::json::fix::fix;
use crate::cli::json::report::{Fixes, Predicate};
use crate::lines::{Encoding, LineIndex};

/// Returns the variants found within the time limit, in file order.
pub(super) fn fixes(
    workspace: &Workspace<'_>,
    rows: &[FileRows],
    time: Duration,
    on: Option<&Chosen>,
) -> anyhow::Result<Fixes> {
    let begun = Instant::now();
    let all = workspace.files.iter().zip(rows).enumerate();
    let mut candidates: Vec<(usize, File, &Predicate)> = all
        .flat_map(|(i, (&file, rows))| rows.predicates.iter().map(move |row| (i, file, row)))
        .collect();
    // No variant of a predicate without a bound can be proved cheaper.
    candidates.sort_by_key(|(_, _, row)| match row.class.as_str() {
        "unknown" | "diverges" => None,
        name => Some(Class::ALL.iter().position(|c| c.name() == name)),
    });
    candidates.reverse();
    let mut fixes = Fixes {
        of: candidates.len(),
        ..Fixes::default()
    };
    let wanted: Vec<_> = REWRITES.iter().map(|rewrite| rewrite.rule).collect();
    let mut found = Vec::new();
    for (place, file, row) in candidates {
        if begun.elapsed() >= time {
            break;
        }
        fixes.looked_at += 1;
        let source = &workspace.sources[place];
        let lines = LineIndex::new(&source.text);
        let at = |column| lines.offset(&source.text, row.line - 1, column, Encoding::Utf8);
        let snapshot = workspace.host.snapshot();
        let actions = snapshot.actions_by(file, at(0)..at(usize::MAX), on, &wanted);
        for action in actions.map_err(interrupted)? {
            let is_own = *action.predicate.name == *row.name && action.predicate.arity == row.arity;
            if action.is_cheaper() && is_own {
                found.push((place, row.line, fix(&source.name, row.line, &action)));
            }
        }
    }
    found.sort_by_key(|(place, line, _)| (*place, *line));
    fixes.found = found.into_iter().map(|(_, _, fix)| fix).collect();
    Ok(fixes)
}
