//! Splits clauses with a missing full stop at the start of the next clause.
//!
//! ```prolog
//! p(X) :-
//!     q(X)
//!
//! r([], _).        % p/1 ends two lines above
//! ```
//!
//!
//! A name after a token that ends a term is always a syntax error, so valid text is never split. The name starts a clause if it is in
//! column 0 and looks like a head.

use crate::leaves::{Bracket, Leaf, LeafKind};
use crate::operators::{Operators, Position};

/// Splits a clause with a syntax error into the clauses that it appears to contain, each with an end. Returns a single clause if no full
/// stop appears to be missing. All clauses except the last end at their last token.
pub(crate) fn parts(text: &str, leaves: &[Leaf], operators: &Operators) -> Vec<Vec<Leaf>> {
    let brackets = Brackets::from_leaves(leaves);
    let mut starts = starts(text, leaves, operators, &brackets);
    if starts.is_empty() {
        return vec![leaves.to_vec()];
    }
    starts.push(leaves.len());
    let mut from = 0;
    (starts.into_iter())
        .map(|to| {
            let part = part(&leaves[from..to], &brackets.closers[from..to]);
            from = to;
            part
        })
        .collect()
}

/// Returns one of several clauses. Unmatched brackets are unclosed in the clause that opens them, whatever follows.
fn part(leaves: &[Leaf], closers: &[Option<usize>]) -> Vec<Leaf> {
    let kinds = || leaves.iter().zip(closers);
    let unclosed = kinds().filter(|(l, closer)| is_open(l) && closer.is_none());
    let unclosed = unclosed.count();
    let mut part: Vec<Leaf> = leaves.to_vec();
    part.retain(|l| l.kind != LeafKind::Unclosed);
    let end = part.pop_if(|l| matches!(l.kind, LeafKind::End | LeafKind::NoEnd));
    let at = part.last().map_or(0, |l| l.end());
    let nothing = |kind| Leaf::new(kind, at, at);
    part.extend(std::iter::repeat_n(nothing(LeafKind::Unclosed), unclosed));
    part.push(end.unwrap_or(nothing(LeafKind::End)));
    part
}

fn is_open(leaf: &Leaf) -> bool {
    matches!(leaf.kind, LeafKind::Open(_))
}

/// The matching of brackets.
struct Brackets {
    /// For each leaf that opens a bracket, the index of the leaf that closes it, if any.
    closers: Vec<Option<usize>>,
}

impl Brackets {
    fn from_leaves(leaves: &[Leaf]) -> Self {
        let (mut closers, mut open) = (vec![None; leaves.len()], Vec::new());
        for (at, leaf) in leaves.iter().enumerate() {
            match leaf.kind {
                LeafKind::Open(_) => open.push(at),
                LeafKind::Close(_) => {
                    if let Some(opener) = open.pop() {
                        closers[opener] = Some(at);
                    }
                }
                LeafKind::Unclosed => drop(open.pop()),
                _ => {}
            }
        }
        Self { closers }
    }
}

/// Returns the leaves that start further clauses.
fn starts(text: &str, leaves: &[Leaf], operators: &Operators, brackets: &Brackets) -> Vec<usize> {
    let outside = outside_of_closed(leaves, brackets);
    let may_start = |at: usize| {
        outside[at]
            && in_column_0(text, leaves[at].start())
            && ends_term(text, &leaves[at - 1], operators)
    };
    // The loop starts at the last leaf, since a fact without a full stop ends where the next clause starts.
    let mut is_start = vec![false; leaves.len()];
    for at in (1..leaves.len()).rev() {
        is_start[at] = may_start(at)
            && is_head(text, at, leaves, operators, brackets)
                .is_some_and(|behind| ends_head(text, leaves, behind) || is_start[behind]);
    }
    // A second neck starts a directive, because no clause has two necks.
    let (mut found, mut neck) = (Vec::new(), false);
    for (at, leaf) in leaves.iter().enumerate() {
        let is_neck = outside[at] && NECKS.contains(&symbol(text, leaf));
        let directive = is_neck && neck && at > 0 && may_start(at);
        if is_start[at] || directive {
            found.push(at);
            neck = false;
        }
        neck |= is_neck;
    }
    found
}

/// Returns, for each leaf, whether it is outside all closed brackets.
fn outside_of_closed(leaves: &[Leaf], brackets: &Brackets) -> Vec<bool> {
    let mut depth = 0_usize;
    let mut closed = vec![false; leaves.len()];
    (0..leaves.len())
        .map(|at| {
            depth -= usize::from(closed[at]);
            let outside = depth == 0;
            if let Some(closer) = brackets.closers[at] {
                closed[closer] = true;
                depth += 1;
            }
            outside
        })
        .collect()
}

/// The symbols between a head and a body, and before the goal of a directive.
const NECKS: [&str; 4] = [":-", "-->", "=>", "?-"];

fn symbol<'a>(text: &'a str, leaf: &Leaf) -> &'a str {
    match leaf.kind {
        LeafKind::Symbol => leaf.text(text),
        _ => "",
    }
}

fn in_column_0(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).and_then(<[u8]>::last);
    matches!(before, Some(b'\n' | b'\r'))
}

fn ends_term(text: &str, leaf: &Leaf, operators: &Operators) -> bool {
    match leaf.kind {
        LeafKind::Atom => !is_operator(leaf.text(text), operators),
        LeafKind::Solo => leaf.text(text) == "!",
        LeafKind::QuotedAtom
        | LeafKind::Variable
        | LeafKind::Number
        | LeafKind::String
        | LeafKind::BackQuoted
        | LeafKind::QuasiQuotation
        | LeafKind::Close(_) => true,
        _ => false,
    }
}

fn is_operator(name: &str, operators: &Operators) -> bool {
    let positions = [Position::Prefix, Position::Infix, Position::Postfix];
    positions
        .into_iter()
        .any(|position| operators.get(name, position).is_some())
}

/// Returns the leaf after a head that starts here, if any: a name, optionally module-qualified, with or without arguments.
fn is_head(
    text: &str,
    at: usize,
    leaves: &[Leaf],
    operators: &Operators,
    brackets: &Brackets,
) -> Option<usize> {
    let name = leaves.get(at)?;
    let may_follow = |name: &str| {
        [Position::Infix, Position::Postfix]
            .into_iter()
            .any(|position| operators.get(name, position).is_some())
    };
    match name.kind {
        LeafKind::Atom if !may_follow(name.text(text)) => {}
        LeafKind::QuotedAtom if !may_follow(name.text(text).trim_matches('\'')) => {}
        _ => return None,
    }
    let next = leaves.get(at + 1)?;
    if symbol(text, next) == ":" {
        let inside = leaves.get(at + 2)?;
        let is_name = matches!(inside.kind, LeafKind::Atom | LeafKind::QuotedAtom);
        return is_name.then_some(behind_arguments(at + 2, leaves, brackets)?);
    }
    behind_arguments(at, leaves, brackets)
}

fn behind_arguments(name: usize, leaves: &[Leaf], brackets: &Brackets) -> Option<usize> {
    let next = leaves.get(name + 1)?;
    if next.kind == LeafKind::Open(Bracket::Paren) && next.start() == leaves[name].end() {
        return Some(brackets.closers[name + 1]? + 1).filter(|&behind| behind < leaves.len());
    }
    Some(name + 1)
}

fn ends_head(text: &str, leaves: &[Leaf], behind: usize) -> bool {
    let leaf = &leaves[behind];
    // Brackets of the previous clause are still open at the end of this clause.
    let ends = [LeafKind::End, LeafKind::NoEnd, LeafKind::Unclosed];
    ends.contains(&leaf.kind) || [":-", "-->", "=>"].contains(&symbol(text, leaf))
}
