//! The tokens of a clause, including brackets, in the order in which the grammar produces them.

mod by_grammar;
mod plain;

use by_grammar::ByGrammar;

use crate::parsed::Parsed;
use crate::term::Comment;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafKind {
    Atom,
    QuotedAtom,
    Symbol,
    Solo,
    Variable,
    Number,
    String,
    BackQuoted,
    Open(Bracket),
    Close(Bracket),
    Comma,
    Bar,
    End,
    Comment,
    QuasiQuotation,
    /// The file ends before the end token.
    NoEnd,
    /// The clause ends while the innermost bracket is still open.
    Unclosed,
    /// An unterminated quoted item.
    UnclosedQuote,
    /// A closing bracket without an opening bracket.
    Stray,
    /// A character that cannot start a token.
    Illegal,
    /// A shell line, `#!…`: a comment at the beginning of the text, and invalid anywhere else.
    Misplaced,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    Paren,
    List,
    Curly,
}

/// A token with its byte range in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) kind: LeafKind,
    /// Positions take half a word, since a clause may have millions of tokens. The grammar reads no text of more than 4 GB.
    first: u32,
    behind: u32,
}

impl Leaf {
    pub(crate) fn new(kind: LeafKind, start: usize, end: usize) -> Self {
        let position = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Leaf {
            kind,
            first: position(start),
            behind: position(end),
        }
    }

    /// Returns the token's first byte.
    pub(crate) fn start(&self) -> usize {
        self.first as usize
    }

    /// Returns the byte after the token.
    pub(crate) fn end(&self) -> usize {
        self.behind as usize
    }

    pub(crate) fn text<'a>(&self, file: &'a str) -> &'a str {
        file.get(self.start()..self.end()).unwrap_or_default()
    }
}

/// A consumer of the clauses of a file.
pub(crate) trait Reader {
    /// Handles an unterminated comment that starts at this position. Only the preceding leaves are program text.
    fn unclosed_comment(&mut self, start: usize);
    /// Handles a clause with this text at `start`. If the clause is already known, returns its comments, and its leaves are not read.
    fn known(&mut self, text: &str, start: usize) -> Option<Vec<Comment>>;
    /// Handles the leaves of a clause without comments, the byte range of its node if it is a single node, and its comments.
    fn clause(&mut self, leaves: &[Leaf], node: Option<(usize, usize)>, comments: &[Comment]);
}

/// Passes the clauses of a file to a reader in order. Returns the comments of the file.
///
/// Clauses are read from the file's tree if it exists. Otherwise the tree is not built: the grammar parses only the parts of the text that are
/// not plain.
pub(crate) fn clauses(parsed: &Parsed, reader: &mut impl Reader) -> Vec<Comment> {
    let text = &*parsed.text;
    let mut comments = Vec::new();
    let mut leaves = Vec::new();
    let comments_nest = parsed.dialect().syntax().comments_nest;
    let mut by_grammar = ByGrammar::new(text, parsed.dialect());
    // The grammar reads a shell line only at the beginning of a text, so a part of the text that begins with one is not read as in the text.
    let tree = match parsed.existing_tree() {
        None if has_odd_shell_line(text) => Some(parsed.tree()),
        tree => tree,
    };
    if let Some(tree) = tree {
        by_grammar.rest(&tree, 0, reader, &mut comments);
        return comments;
    }
    let mut at = shell_line(text, &mut comments);
    let mut parsed_bytes = 0;
    while at < text.len() {
        let before = comments.len();
        let mut inside = before;
        leaves.clear();
        let end = plain::clause(
            text,
            at,
            comments_nest,
            &mut leaves,
            |start, end, is_inside| {
                comments.push(Comment::new(text, start, end));
                inside += usize::from(!is_inside);
            },
        );
        let Some(end) = end else {
            comments.truncate(before);
            // Without its byte order mark, a text might seem to begin with another one.
            let start = if is_first(text, at) { 0 } else { at };
            let part = by_grammar.part(start, reader, &mut comments);
            parsed_bytes += part.parsed_bytes;
            at = part.end;
            continue;
        };
        if let Some(first) = leaves.first() {
            let start = first.start();
            let clause = text.get(start..end).unwrap_or_default();
            if let Some(known) = reader.known(clause, start) {
                comments.truncate(inside);
                comments.extend(known);
            } else {
                reader.clause(&leaves, Some((start, end)), &comments[inside..]);
            }
        }
        at = end;
    }
    parsed.read_without_tree(parsed_bytes);
    comments
}

/// Adds the shell line with which a text may begin. Returns the position of the first clause.
fn shell_line(text: &str, comments: &mut Vec<Comment>) -> usize {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    if !text[start..].starts_with("#!") {
        return start;
    }
    let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
    comments.push(Comment::new(text, start, end));
    end
}

/// Returns whether a text contains a shell line other than at its beginning, or one with a NUL, at which the grammar ends it.
fn has_odd_shell_line(text: &str) -> bool {
    text.match_indices("#!").any(|(at, _)| {
        let line = text[at..].lines().next().unwrap_or_default();
        !is_first(text, at) || line.contains('\0')
    })
}

/// Returns whether a position is at the beginning of a text, ignoring its byte order mark.
fn is_first(text: &str, at: usize) -> bool {
    matches!(text.get(..at), Some("" | "\u{feff}"))
}
