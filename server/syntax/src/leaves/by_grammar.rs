//! The tokens of clauses from the tree that the grammar builds.

use std::sync::OnceLock;

use tree_sitter::{Node, Tree, TreeCursor};

use super::{Bracket, Leaf, LeafKind, Reader, is_first};
use crate::dialect::Dialect;
use crate::digits;
use crate::parsed::parse;
use crate::term::Comment;

/// The number of bytes of text that the grammar is given first, at a clause that is not plain. It is a guess: a tree of this many bytes takes
/// a megabyte.
const FIRST_PART: usize = 32 * 1024;

/// A part of a text that the grammar has read.
pub(super) struct Part {
    /// The byte after the part.
    pub(super) end: usize,
    /// The number of bytes that were parsed, including repetitions.
    pub(super) parsed_bytes: usize,
}

/// Reads clauses of a text with the grammar.
pub(super) struct ByGrammar<'a> {
    text: &'a str,
    dialect: Dialect,
    /// The tokens of the clause being read.
    leaves: Vec<Leaf>,
    /// True after an unclosed comment.
    is_open: bool,
}

impl<'a> ByGrammar<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Self {
        ByGrammar {
            text,
            dialect,
            leaves: Vec::new(),
            is_open: false,
        }
    }

    /// Reads some clauses from `at` on, which is the end of a clause. Clauses that the text after the part could change are not among them.
    pub(super) fn part(
        &mut self,
        at: usize,
        reader: &mut impl Reader,
        comments: &mut Vec<Comment>,
    ) -> Part {
        let (mut length, mut parsed_bytes) = (FIRST_PART, 0);
        loop {
            let cut = self.text.floor_char_boundary(at.saturating_add(length));
            let tree = parse(&self.text[at..cut], None, self.dialect);
            parsed_bytes += cut - at;
            if cut == self.text.len() {
                self.rest(&tree, at, reader, comments);
                return Part {
                    end: cut,
                    parsed_bytes,
                };
            }
            let end = self.settled(&tree, at, cut, reader, comments);
            if end > at {
                return Part { end, parsed_bytes };
            }
            // A clause is longer than the part, which is rare: parse much more, so that little is parsed twice.
            length = length.saturating_mul(64);
        }
    }

    /// Reads the first clauses of a tree, as long as no text after the tree's could change them. Returns the end of the last one.
    fn settled(
        &mut self,
        tree: &Tree,
        base: usize,
        cut: usize,
        reader: &mut impl Reader,
        comments: &mut Vec<Comment>,
    ) -> usize {
        let mut end = base;
        let mut cursor = tree.walk();
        let mut is_inside = cursor.goto_first_child();
        while is_inside {
            let node = cursor.node();
            let node_end = base + node.end_byte();
            // The end of a clause depends on the character after it. The next part must not seem to begin with a byte order mark.
            let has_mark = |rest: &str| rest.starts_with('\u{feff}');
            if node.has_error() || node_end >= cut || self.text.get(node_end..).is_none_or(has_mark)
            {
                break;
            }
            let start = base + node.start_byte();
            let (is_clause, before) = (node.child_count() > 0, comments.len());
            self.leaves.clear();
            self.collect(&mut cursor, base, comments);
            let nests = self.dialect.syntax().comments_nest;
            let is_whole = match self.leaves.last() {
                Some(last) => is_clause && last.kind == LeafKind::End,
                None => !is_clause,
            };
            if !is_whole
                || comments[before..].iter().any(|c| !c.is_closed(nests))
                || may_be_cut(&self.leaves)
            {
                comments.truncate(before);
                break;
            }
            if is_clause {
                let text = self.text.get(start..node_end).unwrap_or_default();
                if let Some(known) = reader.known(text, start) {
                    comments.truncate(before);
                    comments.extend(known);
                } else {
                    reader.clause(&self.leaves, Some((start, node_end)), &comments[before..]);
                }
            }
            end = node_end;
            is_inside = cursor.goto_next_sibling();
        }
        self.leaves.clear();
        end
    }

    /// Reads the clauses of the tree of the text from `base` on.
    pub(super) fn rest(
        &mut self,
        tree: &Tree,
        base: usize,
        reader: &mut impl Reader,
        comments: &mut Vec<Comment>,
    ) {
        let nests = self.dialect.syntax().comments_nest;
        let mut cursor = tree.walk();
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let node = cursor.node();
            let (start, end) = (base + node.start_byte(), base + node.end_byte());
            let text = self.text.get(start..end).unwrap_or_default();
            let whole = self.leaves.is_empty() && node.child_count() > 0;
            if whole && let Some(inside) = reader.known(text, start) {
                comments.extend(inside);
            } else {
                let before = comments.len();
                self.collect(&mut cursor, base, comments);
                if !self.is_open
                    && let Some(open) = comments[before..].iter().find(|c| !c.is_closed(nests))
                {
                    self.is_open = true;
                    reader.unclosed_comment(open.range.0);
                }
                // One node is one clause. Text that error recovery leaves between clauses is added to the next clause, as an error.
                if matches!(self.leaves.last(), Some(l) if matches!(l.kind, LeafKind::End | LeafKind::NoEnd))
                {
                    let node = whole.then_some((start, end));
                    reader.clause(&self.leaves, node, &comments[before..]);
                    self.leaves.clear();
                }
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        if !self.leaves.is_empty() {
            reader.clause(&self.leaves, None, &[]);
        }
    }

    /// Adds the tokens and comments below the cursor's node.
    fn collect(&mut self, cursor: &mut TreeCursor<'_>, base: usize, comments: &mut Vec<Comment>) {
        leaves_below(cursor, |node| {
            let (start, end) = (base + node.start_byte(), base + node.end_byte());
            let mut leaf = Leaf::new(kind_of(node), start, end);
            if leaf.kind == LeafKind::Misplaced && is_first(self.text, leaf.start()) {
                leaf.kind = LeafKind::Comment;
            }
            if self.dialect == Dialect::Swi && leaf.kind == LeafKind::Illegal {
                digit(self.text, leaf, &mut self.leaves);
            } else if leaf.kind == LeafKind::Comment {
                comments.push(Comment::new(self.text, leaf.start(), leaf.end()));
            } else {
                self.leaves.push(leaf);
            }
        });
    }
}

/// Returns whether these tokens could be others if more text followed: a quoted item or a quasi-quotation may be closed there. A shell line
/// is a token of its own only at the beginning of a text.
fn may_be_cut(leaves: &[Leaf]) -> bool {
    let is_unclosed = |leaf: &Leaf| {
        matches!(
            leaf.kind,
            LeafKind::UnclosedQuote | LeafKind::NoEnd | LeafKind::Misplaced
        )
    };
    let starts_quasi_quotation = |pair: &[Leaf]| {
        matches!(pair, [curly, bar]
            if curly.kind == LeafKind::Open(Bracket::Curly) && bar.kind == LeafKind::Bar && curly.end() == bar.start())
    };
    leaves.iter().any(is_unclosed) || leaves.windows(2).any(starts_quasi_quotation)
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
                && number.end() == leaf.start()
                && script(number) == own =>
        {
            *number = Leaf::new(number.kind, number.start(), leaf.end());
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
