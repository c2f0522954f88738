//! The predicates to which a clause with a syntax error may have belonged.

use smol_str::SmolStr;

use crate::leaves::{Leaf, LeafKind};
use crate::term::PossibleHead;
use crate::tokens;

/// The maximum number of possible heads that are examined, since each may take a walk over the whole clause.
const MAX_HEADS: usize = 100;

/// Returns the possible heads among the leaves of a clause with a syntax error: its first token, and each later name in column 0 (a missing
/// end token merges several clauses), including names in quoted text (a quote may be missing).
pub(crate) fn possible(text: &str, leaves: &[Leaf]) -> Vec<PossibleHead> {
    let base = leaves.first().map_or(0, |l| l.start());
    let end = |at: usize| u32::try_from(at.saturating_sub(base)).unwrap_or(u32::MAX);
    let (mut heads, mut tried): (Vec<PossibleHead>, usize) = (Vec::new(), 0);
    let mut add = |name: SmolStr, arity: Option<usize>, end: u32| {
        tried += 1;
        if !heads.iter().any(|h| h.name == name && h.arity == arity) {
            heads.push(PossibleHead { name, arity, end });
        }
        tried < MAX_HEADS
    };
    for (at, leaf) in leaves.iter().enumerate() {
        if is_quoted(leaf.kind) {
            let names = names_at_line_starts(leaf.text(text));
            if !names
                .into_iter()
                .all(|(name, to)| add(name.into(), None, end(leaf.start() + to)))
            {
                break;
            }
        }
        if at > 0 && !in_column_0(text, leaf.start()) {
            continue;
        }
        let name: SmolStr = match leaf.kind {
            LeafKind::Atom => leaf.text(text).into(),
            LeafKind::QuotedAtom => match tokens::unquote(leaf.text(text), true) {
                Ok(name) => name.into(),
                Err(_) => continue,
            },
            _ => continue,
        };
        let (arity, head, rest) = arity(&leaves[at..]);
        let grammar = rest
            .first()
            .is_some_and(|l| l.kind == LeafKind::Symbol && l.text(text) == "-->");
        let arity = arity.map(|n| if grammar { n + 2 } else { n });
        if !add(name, arity, end(head)) {
            break;
        }
    }
    heads
}

fn is_quoted(kind: LeafKind) -> bool {
    matches!(
        kind,
        LeafKind::QuotedAtom | LeafKind::String | LeafKind::BackQuoted | LeafKind::UnclosedQuote
    )
}

/// Returns the names at line starts in a quoted text, except in its first line, with their end positions.
fn names_at_line_starts(text: &str) -> Vec<(&str, usize)> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    starts
        .filter_map(|start| {
            let line = text.get(start..)?;
            let is_part = |c: char| c == '_' || c.is_alphanumeric();
            let length = line.find(|c| !is_part(c)).unwrap_or(line.len());
            let name = line.get(..length)?;
            (name.starts_with(char::is_lowercase)).then_some((name, start + length))
        })
        .take(MAX_HEADS)
        .collect()
}

fn in_column_0(text: &str, at: usize) -> bool {
    text.get(..at)
        .is_some_and(|before| before.ends_with(['\n', '\r']))
}

/// Returns the arity of the name at the start of these leaves, if its bracket is closed; the end of its arguments; and the leaves after
/// them.
fn arity(leaves: &[Leaf]) -> (Option<usize>, usize, &[Leaf]) {
    let Some((name, rest)) = leaves.split_first() else {
        return (None, 0, leaves);
    };
    match rest.first() {
        Some(open) if matches!(open.kind, LeafKind::Open(_)) && open.start() == name.end() => {}
        _ => return (Some(0), name.end(), rest),
    }
    let (mut depth, mut commas) = (0usize, 0);
    for (at, leaf) in rest.iter().enumerate() {
        match leaf.kind {
            LeafKind::Open(_) => depth += 1,
            LeafKind::Unclosed => return (None, name.end(), &rest[at..]),
            LeafKind::Close(_) => {
                depth -= 1;
                if depth == 0 {
                    // `f()` has no arguments.
                    let arity = if at == 1 { 0 } else { commas + 1 };
                    return (Some(arity), leaf.end(), &rest[at + 1..]);
                }
            }
            LeafKind::Comma if depth == 1 => commas += 1,
            _ => {}
        }
    }
    (None, name.end(), &[])
}
