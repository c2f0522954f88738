//! Which predicates a clause that could not be read may have belonged to.

use smol_str::SmolStr;

use crate::leaves::{Leaf, LeafKind};
use crate::term::PossibleHead;
use crate::tokens;

/// No more heads than this are looked for: each may take a walk over the whole clause.
const MAX_HEADS: usize = 100;

/// The possible heads among the leaves of an unreadable clause: its first token, and each name in column 0 behind it
/// (where an end token was forgotten, several clauses are one).
pub(crate) fn possible(text: &str, leaves: &[Leaf]) -> Vec<PossibleHead> {
    let (mut heads, mut tried): (Vec<PossibleHead>, usize) = (Vec::new(), 0);
    for (at, leaf) in leaves.iter().enumerate() {
        if at > 0 && !in_column_0(text, leaf.start) {
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
        tried += 1;
        if tried > MAX_HEADS {
            break;
        }
        let (arity, rest) = arity(&leaves[at..]);
        let grammar = rest
            .first()
            .is_some_and(|l| l.kind == LeafKind::Symbol && l.text(text) == "-->");
        let head = PossibleHead {
            name,
            arity: arity.map(|n| if grammar { n + 2 } else { n }),
        };
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    heads
}

fn in_column_0(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with('\n'))
}

/// How many arguments follow the name that these leaves begin with, if their bracket closes; and what is behind them.
fn arity(leaves: &[Leaf]) -> (Option<usize>, &[Leaf]) {
    let Some((name, rest)) = leaves.split_first() else {
        return (None, leaves);
    };
    match rest.first() {
        Some(open) if matches!(open.kind, LeafKind::Open(_)) && open.start == name.end => {}
        _ => return (Some(0), rest),
    }
    let (mut depth, mut commas) = (0usize, 0);
    for (at, leaf) in rest.iter().enumerate() {
        match leaf.kind {
            LeafKind::Open(_) => depth += 1,
            LeafKind::Unclosed => return (None, &rest[at..]),
            LeafKind::Close(_) => {
                depth -= 1;
                if depth == 0 {
                    // `f()` has none.
                    return (Some(if at == 1 { 0 } else { commas + 1 }), &rest[at + 1..]);
                }
            }
            LeafKind::Comma if depth == 1 => commas += 1,
            _ => {}
        }
    }
    (None, &[])
}
