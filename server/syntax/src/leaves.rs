//! The tokens of a clause, including brackets, in the order in which the grammar produces them.

use std::sync::OnceLock;

use tree_sitter::{Node, TreeCursor};

use crate::dialect::Dialect;
use crate::digits;
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
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Leaf {
    pub(crate) fn text<'a>(&self, file: &'a str) -> &'a str {
        file.get(self.start..self.end).unwrap_or_default()
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
pub(crate) fn clauses(parsed: &Parsed, reader: &mut impl Reader) -> Vec<Comment> {
    let (mut leaves, mut comments): (Vec<Leaf>, Vec<Comment>) = (Vec::new(), Vec::new());
    let nests = parsed.dialect().syntax().comments_nest;
    let takes_digits = parsed.dialect() == Dialect::Swi;
    let mut is_open = false;
    let tree = parsed.tree();
    let mut cursor = tree.walk();
    if !cursor.goto_first_child() {
        return comments;
    }
    loop {
        let node = cursor.node();
        let text = parsed.text.get(node.byte_range()).unwrap_or_default();
        let whole = leaves.is_empty() && node.child_count() > 0;
        if whole && let Some(inside) = reader.known(text, node.start_byte()) {
            comments.extend(inside);
        } else {
            let before = comments.len();
            leaves_below(&mut cursor, |node| {
                let mut leaf = Leaf {
                    kind: kind_of(node),
                    start: node.start_byte(),
                    end: node.end_byte(),
                };
                if leaf.kind == LeafKind::Misplaced && is_first(&parsed.text, leaf.start) {
                    leaf.kind = LeafKind::Comment;
                }
                if takes_digits && leaf.kind == LeafKind::Illegal {
                    digit(&parsed.text, leaf, &mut leaves);
                } else if leaf.kind == LeafKind::Comment {
                    comments.push(Comment {
                        range: (leaf.start, leaf.end),
                        text: leaf.text(&parsed.text).into(),
                    });
                } else {
                    leaves.push(leaf);
                }
            });
            if !is_open && let Some(open) = comments[before..].iter().find(|c| !c.is_closed(nests))
            {
                is_open = true;
                reader.unclosed_comment(open.range.0);
            }
            // One node is one clause. Text that error recovery leaves between clauses is added to the next clause, as an error.
            if matches!(leaves.last(), Some(l) if matches!(l.kind, LeafKind::End | LeafKind::NoEnd))
            {
                let node = whole.then_some((node.start_byte(), node.end_byte()));
                reader.clause(&leaves, node, &comments[before..]);
                leaves.clear();
            }
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    if !leaves.is_empty() {
        reader.clause(&leaves, None, &[]);
    }
    comments
}

/// Returns whether a position is at the beginning of a text, ignoring its byte order mark.
fn is_first(text: &str, at: usize) -> bool {
    matches!(text.get(..at), Some("" | "\u{feff}"))
}

/// Adds a character that cannot start a token of the grammar. Digits of other scripts form numbers.
fn digit(text: &str, leaf: Leaf, leaves: &mut Vec<Leaf>) {
    let script = |leaf: &Leaf| {
        let last = leaf.text(text).chars().next_back();
        last.and_then(digits::of_other_script).map(|(zero, _)| zero)
    };
    let own = script(&leaf);
    match leaves.last_mut() {
        Some(number)
            if own.is_some()
                && number.kind == LeafKind::Number
                && number.end == leaf.start
                && script(number) == own =>
        {
            number.end = leaf.end;
        }
        _ if own.is_some() => leaves.push(Leaf {
            kind: LeafKind::Number,
            ..leaf
        }),
        _ => leaves.push(leaf),
    }
}

/// Visits the leaves below the cursor's node, in order, without recursion. The cursor ends at the same node.
fn leaves_below<'tree>(cursor: &mut TreeCursor<'tree>, mut leaf: impl FnMut(Node<'tree>)) {
    let mut depth = 0usize;
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        leaf(cursor.node());
        loop {
            if depth == 0 {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            depth -= 1;
        }
    }
}

fn kind_of(node: Node<'_>) -> LeafKind {
    static KINDS: OnceLock<Vec<LeafKind>> = OnceLock::new();
    let kinds = KINDS.get_or_init(|| {
        let language = tree_sitter::Language::from(tree_sitter_prolog::LANGUAGE);
        (0..=u16::MAX)
            .take(language.node_kind_count())
            .map(|id| kind_named(language.node_kind_for_id(id).unwrap_or_default()))
            .collect()
    });
    kinds
        .get(usize::from(node.kind_id()))
        .copied()
        .unwrap_or(LeafKind::Illegal)
}

fn kind_named(name: &str) -> LeafKind {
    match name {
        "atom" => LeafKind::Atom,
        "quoted_atom" => LeafKind::QuotedAtom,
        "symbol" => LeafKind::Symbol,
        "solo" => LeafKind::Solo,
        "variable" => LeafKind::Variable,
        "number" => LeafKind::Number,
        "string" => LeafKind::String,
        "back_quoted" => LeafKind::BackQuoted,
        "(" => LeafKind::Open(Bracket::Paren),
        "[" => LeafKind::Open(Bracket::List),
        "{" => LeafKind::Open(Bracket::Curly),
        ")" => LeafKind::Close(Bracket::Paren),
        "]" => LeafKind::Close(Bracket::List),
        "}" => LeafKind::Close(Bracket::Curly),
        "comma" => LeafKind::Comma,
        "bar" => LeafKind::Bar,
        "end" => LeafKind::End,
        "no_end" => LeafKind::NoEnd,
        "unclosed" => LeafKind::Unclosed,
        "unclosed_quote" => LeafKind::UnclosedQuote,
        "quasi_quotation" => LeafKind::QuasiQuotation,
        "line_comment" | "block_comment" => LeafKind::Comment,
        "shebang" => LeafKind::Misplaced,
        "stray" => LeafKind::Stray,
        _ => LeafKind::Illegal,
    }
}
