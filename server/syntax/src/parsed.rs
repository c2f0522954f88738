//! Text with its flat syntax tree, updated incrementally.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use tree_sitter::{InputEdit, Parser, Point, Tree};

use crate::dialect::{Dialect, dialect_of};
use crate::memory::{Clauses, Memory};

/// If fewer bytes of a text are parsed when it is read without a tree, its tree is not built after an edit. Parsing this many bytes takes
/// milliseconds.
const FEW_BYTES: usize = 64 * 1024;

/// Text with its tree. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The text.
    pub text: Arc<str>,
    /// The syntax tree; its byte offsets refer to `text`.
    tree: Arc<Mutex<LazyTree>>,
    /// The text's dialect.
    dialect: Dialect,
    /// True if the dialect was given rather than detected in the text.
    given: bool,
    /// The clauses of the revision that was read last, shared by all revisions.
    pub(crate) memory: Memory,
    /// True if nothing is kept for later edits.
    is_read_once: bool,
}

/// A tree that is built on first use. Reading a text that consists of plain clauses does not need it.
#[derive(Debug)]
enum LazyTree {
    /// Only the parts of the text that are not plain have been parsed: this many bytes.
    NotYet(usize),
    There(Tree),
    /// The tree was dropped, because it is not expected to be needed again.
    Forgotten,
}

impl Parsed {
    /// Parses text from scratch, in its detected dialect ([`dialect_of`]).
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let dialect = dialect_of(&text);
        Self::fresh(text, dialect, false)
    }

    /// Parses text in a given dialect, for instance from a setting.
    #[must_use]
    pub fn in_dialect(text: impl Into<Arc<str>>, dialect: Dialect) -> Self {
        Self::fresh(text.into(), dialect, true)
    }

    fn fresh(text: Arc<str>, dialect: Dialect, given: bool) -> Self {
        Self {
            text,
            tree: Arc::new(Mutex::new(LazyTree::NotYet(0))),
            dialect,
            given,
            memory: Memory::default(),
            is_read_once: false,
        }
    }

    /// Marks a file that is never edited, such as a library. Its tree, which takes thirty times as much memory as the text, is dropped once
    /// the clauses have been read.
    #[must_use]
    pub fn read_once(self) -> Self {
        Self {
            is_read_once: true,
            ..self
        }
    }

    /// Returns the tree; its byte offsets refer to `text`. A dropped tree is rebuilt for this call.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let mut kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        if let LazyTree::There(tree) = &*kept {
            return tree.clone();
        }
        let tree = parse(&self.text, None, self.dialect);
        if let LazyTree::NotYet(_) = *kept {
            *kept = LazyTree::There(tree.clone());
        }
        tree
    }

    /// Returns the tree if it exists.
    pub(crate) fn existing_tree(&self) -> Option<Tree> {
        match &*self.tree.lock().unwrap_or_else(PoisonError::into_inner) {
            LazyTree::There(tree) => Some(tree.clone()),
            LazyTree::NotYet(_) | LazyTree::Forgotten => None,
        }
    }

    /// Records that the text was read without its tree, and the number of bytes that were parsed nevertheless.
    pub(crate) fn read_without_tree(&self, parsed_bytes: usize) {
        let mut kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        if let LazyTree::NotYet(bytes) = &mut *kept {
            *bytes = parsed_bytes;
        }
    }

    /// Returns whether reading an edited text without a tree parses only little of it, so that a tree would be of no use.
    fn is_nearly_plain(&self) -> bool {
        let kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(&*kept, LazyTree::NotYet(parsed) if *parsed < FEW_BYTES)
    }

    /// Returns whether the text is never edited.
    pub(crate) fn is_read_once(&self) -> bool {
        self.is_read_once
    }

    /// Records that the clauses have been read, and stores them.
    pub(crate) fn was_read(&self, clauses: Clauses) {
        if self.is_read_once {
            *self.tree.lock().unwrap_or_else(PoisonError::into_inner) = LazyTree::Forgotten;
        } else {
            self.memory.leave(clauses);
        }
    }

    /// Returns the text's dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Replaces the bytes in `range` by `new`, and parses the affected parts again.
    ///
    /// The result equals a fresh parse of the new text. A range outside the text or inside a character is widened to the nearest valid
    /// position.
    #[must_use]
    pub fn edit(&self, range: Range<usize>, new: &str) -> Self {
        let start = self.text.floor_char_boundary(range.start);
        let end = self.text.ceil_char_boundary(range.end).max(start);
        let mut text = String::with_capacity(self.text.len() - (end - start) + new.len());
        text.push_str(&self.text[..start]);
        text.push_str(new);
        text.push_str(&self.text[end..]);

        if !self.given {
            let dialect = dialect_of(&text);
            if dialect != self.dialect {
                return Self::fresh(text.into(), dialect, false);
            }
        }
        if self.is_nearly_plain() {
            return Self {
                memory: self.memory.clone(),
                ..Self::fresh(text.into(), self.dialect, self.given)
            };
        }
        let start_position = advance(Point::new(0, 0), &self.text[..start]);
        let mut tree = self.tree();
        tree.edit(&InputEdit {
            start_byte: start,
            old_end_byte: end,
            new_end_byte: start + new.len(),
            start_position,
            old_end_position: advance(start_position, &self.text[start..end]),
            new_end_position: advance(start_position, new),
        });
        let tree = parse(&text, Some(&tree), self.dialect);
        Self {
            text: text.into(),
            tree: Arc::new(Mutex::new(LazyTree::There(tree))),
            dialect: self.dialect,
            given: self.given,
            memory: self.memory.clone(),
            is_read_once: false,
        }
    }
}

/// Returns the position after `text` if the text starts at `from`. Columns are in bytes, as in tree-sitter.
fn advance(from: Point, text: &str) -> Point {
    match text.rfind('\n') {
        None => Point::new(from.row, from.column + text.len()),
        Some(last) => Point::new(
            from.row + text.bytes().filter(|b| *b == b'\n').count(),
            text.len() - last - 1,
        ),
    }
}

#[expect(
    clippy::expect_used,
    reason = "no text can make these fail: the language is linked in, and no timeout or cancellation is set"
)]
pub(crate) fn parse(text: &str, old: Option<&Tree>, dialect: Dialect) -> Tree {
    let language = if dialect.syntax().comments_nest {
        tree_sitter_prolog::LANGUAGE
    } else {
        tree_sitter_prolog::LANGUAGE_STANDARD
    };
    let mut parser = Parser::new();
    parser
        .set_language(&language.into())
        .expect("the grammar's ABI is one that tree-sitter takes");
    parser
        .parse(text, old)
        .expect("a parse without a timeout ends")
}
