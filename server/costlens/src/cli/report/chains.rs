//! The costliest chains of calls: each begins at a predicate and continues with the call that accounts for most of the bound.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use costlens_analysis::report::Functor;
use costlens_ide::host::File;
use costlens_ide::reports::overview::{Class, Link as Found, Own};

use super::Workspace;
use super::rows::FileRows;
use crate::cli::files::threads;
use crate::cli::interrupted;
use crate::cli::json::report::{Call, Chain, Link};
use crate::lines::{Encoding, LineIndex};

/// The maximum number of predicates whose chains are examined, and of reported chains.
const MOST_LOOKED_AT: usize = 60;
const MOST: usize = 15;

/// Returns the chains of the predicates with the highest classes, omitting chains that are part of another chain.
pub(super) fn chains(workspace: &Workspace<'_>, rows: &[FileRows]) -> anyhow::Result<Vec<Chain>> {
    let mut candidates: Vec<(Class, File, Functor)> = Vec::new();
    for (&file, rows) in workspace.files.iter().zip(rows) {
        for row in &rows.predicates {
            let class = Class::ALL.into_iter().find(|c| c.name() == row.class);
            let dear = class.filter(|c| (Class::Linear..=Class::Exponential).contains(c));
            if let Some(class) = dear.filter(|_| !row.loose) {
                candidates.push((class, file, Functor::new(row.name.as_str(), row.arity)));
            }
        }
    }
    candidates.sort_by_key(|(class, ..)| std::cmp::Reverse(*class));
    candidates.truncate(MOST_LOOKED_AT);
    let of: Vec<(File, &Functor)> = candidates.iter().map(|(_, file, f)| (*file, f)).collect();
    let snapshot = workspace.host.snapshot();
    let found = snapshot.chains(&of, threads()).map_err(interrupted)?;
    let is_part = |chain: &[Found], i: usize| {
        let others = found.iter().enumerate().filter(|(j, _)| *j != i);
        { others }.any(|(_, other)| other.len() > chain.len() && contains(other, chain))
    };
    let mut texts = Texts::default();
    let told = found.iter().enumerate().zip(&candidates);
    told.filter(|((i, chain), _)| !chain.is_empty() && !is_part(chain, *i))
        .take(MOST)
        .map(|((_, chain), (class, ..))| {
            Ok(Chain {
                class: class.name(),
                links: (chain.iter())
                    .map(|link| texts.link(workspace, link))
                    .collect::<anyhow::Result<_>>()?,
            })
        })
        .collect()
}

/// Returns whether the predicates of a chain are the last predicates of another chain.
fn contains(whole: &[Found], part: &[Found]) -> bool {
    let same = |(a, b): (&Found, &Found)| a.file == b.file && a.predicate == b.predicate;
    whole.iter().rev().zip(part.iter().rev()).all(same)
}

/// The names and lines of files, each read once.
#[derive(Default)]
struct Texts {
    of: HashMap<File, (String, std::sync::Arc<str>, LineIndex)>,
}

impl Texts {
    fn link(&mut self, workspace: &Workspace<'_>, link: &Found) -> anyhow::Result<Link> {
        let (name, text, lines) = match self.of.entry(link.file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let snapshot = workspace.host.snapshot();
                let (name, text) = snapshot.document(link.file).map_err(interrupted)?;
                let lines = LineIndex::new(&text);
                place.insert((name, text, lines))
            }
        };
        let line = |offset| lines.position(text, offset, Encoding::Utf8).0 + 1;
        Ok(Link {
            predicate: link.predicate.clone(),
            file: name.clone(),
            line: line(link.offset),
            cost: link.cost.clone(),
            recursion: match &link.own {
                Own::Recursion(goal) if link.call.is_none() => Some(goal.clone()),
                _ => None,
            },
            undivided: link.own == Own::Undivided && link.call.is_none(),
            call: link.call.as_ref().map(|(offset, goal, share)| Call {
                goal: goal.clone(),
                line: offset.map(line),
                share: share.clone(),
            }),
        })
    }
}
