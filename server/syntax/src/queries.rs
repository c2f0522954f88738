//! Computes the captures of the queries in the folder `queries` without running them, since the running time of a query is quadratic in the
//! length of a clause. Tests compare the results.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::parsed::Parsed;

/// The texts of the queries, by file name.
pub const TEXTS: [(&str, &str); 6] = [
    (
        "highlights",
        include_str!("../../../queries/highlights.scm"),
    ),
    ("locals", include_str!("../../../queries/locals.scm")),
    ("folds", include_str!("../../../queries/folds.scm")),
    ("tags", include_str!("../../../queries/tags.scm")),
    (
        "injections",
        include_str!("../../../queries/injections.scm"),
    ),
    ("indents", include_str!("../../../queries/indents.scm")),
];

/// The highlighting of a token, as determined by the syntax tree alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// A comment.
    Comment,
    /// A structured comment.
    Documentation,
    /// `:- dynamic`, `#!…`.
    Directive,
    /// A number.
    Number,
    /// `"…"`, `` `…` ``, a quasi-quotation.
    String,
    /// A quoted atom.
    QuotedAtom,
    /// A variable.
    Variable,
    /// An atom.
    Atom,
    /// An atom of symbol characters.
    Operator,
    /// `:-`, `->`, `;`, `!`.
    Control,
    /// A name before a bracket.
    Compound,
    /// The first item of a clause.
    Head,
    /// The tag of a dict.
    Tag,
    /// Commas, bars, end tokens, brackets.
    Punctuation,
}

/// A highlighted token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The token's byte range.
    pub range: Range<usize>,
    /// The kind of highlighting.
    pub capture: Capture,
}

/// Returns the tokens that touch a range, in text order; no two overlap.
#[must_use]
pub fn highlights(parsed: &Parsed, range: Range<usize>) -> Vec<Highlight> {
    let text = &*parsed.text;
    let mut tokens = Vec::new();
    // The captures that enclosing items assign to names: the head of a clause, the name of a compound term. Later entries come from deeper
    // nodes.
    let mut said: Vec<(usize, Capture)> = Vec::new();
    walk(&parsed.tree(), &range, &mut |node| {
        let bytes = node.byte_range();
        let capture = match node.kind() {
            "clause" if bytes.len() > MOST_BYTES => return Below::Skip,
            "clause" => {
                said.clear();
                said.extend(of_clause(node, text));
                return Below::Enter;
            }
            "compound" => {
                said.push((bytes.start, Capture::Compound));
                return Below::Enter;
            }
            "dict" => {
                said.push((bytes.start, Capture::Tag));
                return Below::Enter;
            }
            kind if node.child_count() == 0 => look(kind, &text[bytes.clone()]),
            _ => return Below::Enter,
        };
        // The first entry takes precedence: the clause is visited before the compound term in its head.
        let named = (said.iter()).find(|(start, _)| *start == bytes.start);
        let named = named.map(|(_, capture)| *capture);
        said.retain(|(start, _)| *start > bytes.start);
        let capture = match (capture, named) {
            (Some(Capture::Atom), Some(named)) => Some(named),
            (Some(Capture::QuotedAtom), Some(named @ (Capture::Head | Capture::Compound))) => {
                Some(named)
            }
            (Some(Capture::Operator), Some(named @ (Capture::Compound | Capture::Directive))) => {
                Some(named)
            }
            (capture, _) => capture,
        };
        if let Some(capture) = capture.filter(|_| !bytes.is_empty()) {
            tokens.push(Highlight {
                range: bytes,
                capture,
            });
        }
        Below::Skip
    });
    tokens
}

/// Returns the highlighting of a token, regardless of its context.
fn look(kind: &str, text: &str) -> Option<Capture> {
    let is_documentation = |marks: [&str; 2]| {
        let rest = marks.iter().find_map(|mark| text.strip_prefix(mark));
        rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    Some(match kind {
        "line_comment" if is_documentation(["%!", "%%"]) => Capture::Documentation,
        "block_comment" if is_documentation(["/**", "/**"]) => Capture::Documentation,
        "line_comment" | "block_comment" => Capture::Comment,
        "shebang" => Capture::Directive,
        "number" => Capture::Number,
        "string" | "back_quoted" | "quasi_quotation" => Capture::String,
        "variable" => Capture::Variable,
        "atom" => Capture::Atom,
        "quoted_atom" => Capture::QuotedAtom,
        "symbol" if [":-", "-->", "=>", "->", "*->", "\\+"].contains(&text) => Capture::Control,
        "symbol" => Capture::Operator,
        "solo" => Capture::Control,
        "comma" | "bar" | "end" | "(" | ")" | "[" | "]" | "{" | "}" => Capture::Punctuation,
        _ => return None,
    })
}

/// Returns the highlighting of a clause's first item, or of the second item after `:-`, with the item's start.
fn of_clause(clause: Node<'_>, text: &str) -> Vec<(usize, Capture)> {
    let mut cursor = clause.walk();
    let mut items = (clause.children(&mut cursor)).filter(|item| item.is_named());
    let Some(first) = items.next() else {
        return Vec::new();
    };
    match kind_of_name(first) {
        Some("atom" | "quoted_atom") => vec![(first.start_byte(), Capture::Head)],
        Some("symbol")
            if first.kind() == "symbol" && [":-", "?-"].contains(&&text[first.byte_range()]) =>
        {
            let word = items
                .next()
                .filter(|item| kind_of_name(*item) == Some("atom"));
            let word = word.map(|item| (item.start_byte(), Capture::Directive));
            ([(first.start_byte(), Capture::Directive)].into_iter())
                .chain(word)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the node kind of an item that is a name, or of the name that starts the item.
fn kind_of_name<'t>(item: Node<'t>) -> Option<&'t str> {
    match item.kind() {
        "compound" => item.child(0).map(|name| name.kind()),
        kind => Some(kind),
    }
}

/// Returns the range of the clause at an offset, and its variables except `_`; both are empty outside clauses.
#[must_use]
pub fn variables_around(parsed: &Parsed, offset: usize) -> (Range<usize>, Vec<Range<usize>>) {
    let tree = parsed.tree();
    // An offset directly after a variable's name also counts.
    let Some(scope) = clause_around(&tree, offset) else {
        return (0..0, Vec::new());
    };
    let mut variables = Vec::new();
    walk(&tree, &scope, &mut |node| {
        if node.kind() == "variable" && &parsed.text[node.byte_range()] != "_" {
            variables.push(node.byte_range());
        }
        Below::Enter
    });
    (scope, variables)
}

/// Returns the byte range of the first clause that touches an offset.
fn clause_around(tree: &Tree, offset: usize) -> Option<Range<usize>> {
    let mut cursor = tree.walk();
    cursor.goto_first_child_for_byte(offset.saturating_sub(1))?;
    loop {
        let item = cursor.node();
        if item.start_byte() > offset {
            return None;
        }
        if item.kind() == "clause" && offset <= item.end_byte() {
            return Some(item.byte_range());
        }
        if !cursor.goto_next_sibling() {
            return None;
        }
    }
}

/// The maximum length of a clause with highlighting. Users do not read longer clauses, and no editor benefits from a response of many
/// megabytes.
const MOST_BYTES: usize = 1_000_000;

/// Determines whether a traversal visits a node's children.
enum Below {
    Enter,
    Skip,
}

/// Visits the nodes below the root that touch a range, in text order, parents first. Text before the range takes no time, regardless of its
/// length.
fn walk(tree: &Tree, range: &Range<usize>, visit: &mut dyn FnMut(Node<'_>) -> Below) {
    let mut cursor = tree.walk();
    let mut enters = true;
    loop {
        let into = enters
            && match cursor.node().start_byte() < range.start {
                true => cursor.goto_first_child_for_byte(range.start).is_some(),
                false => cursor.goto_first_child(),
            };
        if !into {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
        let node = cursor.node();
        if node.start_byte() >= range.end {
            return;
        }
        enters = node.end_byte() > range.start && matches!(visit(node), Below::Enter);
    }
}

/// Returns the foldable ranges that span several lines: clauses, comments, bracketed terms.
#[must_use]
pub fn folds(parsed: &Parsed) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    walk(&parsed.tree(), &(0..parsed.text.len()), &mut |node| {
        // All children are on the same line.
        if node.start_position().row == node.end_position().row {
            return Below::Skip;
        }
        let folds = [
            "clause",
            "block_comment",
            "list",
            "curly",
            "paren",
            "compound",
            "dict",
        ];
        if folds.contains(&node.kind()) {
            found.push(node.byte_range());
        }
        Below::Enter
    });
    found
}

#[cfg(test)]
mod tests;
