//! Files to clauses: the operator pass clause by clause, under the table that the directives before it made.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::directives;
use crate::leaves::{self, Leaf, LeafKind};
use crate::memory::{Clauses, Setting};
use crate::operators::{
    ASSERTION, Operator, Operators, Position, is_assertion_kind, is_assertion_status,
};
use crate::parsed::Parsed;
use crate::pass;
use crate::term::{Comment, ReadClause};

/// Which Prolog's syntax a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// SWI-Prolog 7 and later: strings, dicts, quoted atoms that are no operators, `a()`.
    #[default]
    Swi,
    /// ISO/IEC 13211-1: `"…"` is a list of codes, quoted atoms may be operators.
    Iso,
}

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The syntax.
    pub dialect: Dialect,
    /// Operators in force from the first clause on, besides those of the dialect: those that the project's other files
    /// export to this one. Operators of SWI-Prolog's own libraries are known.
    pub operators: Vec<Operator>,
}

/// What a quoted item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotedAs {
    String,
    Atom,
    Codes,
    Chars,
}

/// What directives can change besides the operators.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    pub(crate) dialect: Dialect,
    pub(crate) double_quotes: QuotedAs,
    pub(crate) back_quotes: QuotedAs,
}

/// A file, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTerms {
    /// The clauses and directives in order, those that could not be read included. Both branches of `:- if` are there.
    pub clauses: Vec<ReadClause>,
    /// The comments in order.
    pub comments: Vec<Comment>,
    /// The operators that the file's module exports.
    pub exported_operators: Vec<Operator>,
    /// The files (as written: `utilities`, `lib/tables`) whose exported operators this one imports. Where they are
    /// found, their `exported_operators` belong into [`ReadOptions::operators`]. Libraries of SWI-Prolog are not named.
    pub imported_files: Vec<SmolStr>,
}

/// Reads a file. Any text gives a result.
#[must_use]
pub fn read(parsed: &Parsed, options: &ReadOptions) -> FileTerms {
    let mut operators = match options.dialect {
        Dialect::Swi => Operators::swi(),
        Dialect::Iso => Operators::iso(),
    };
    for operator in &options.operators {
        operators.add(operator.clone());
    }
    let flags = Flags {
        dialect: options.dialect,
        double_quotes: match options.dialect {
            Dialect::Swi => QuotedAs::String,
            Dialect::Iso => QuotedAs::Codes,
        },
        back_quotes: QuotedAs::Codes,
    };
    let mut reading = Reading {
        text: &parsed.text,
        setting: Setting::new(options),
        operators,
        with_assertions: None,
        flags,
        effects: directives::Effects::default(),
        clauses: Vec::new(),
        before: parsed.memory.take(),
        next: Clauses::default(),
    };
    let comments = leaves::clauses(parsed, &mut reading);
    parsed.memory.leave(reading.next);
    FileTerms {
        clauses: reading.clauses,
        comments,
        exported_operators: reading.effects.exported,
        imported_files: reading.effects.imported,
    }
}

/// A file while it is being read.
struct Reading<'a> {
    text: &'a str,
    /// What the directives so far did, for the memory.
    setting: Setting,
    operators: Operators,
    /// The table for assertions, kept while the one that it extends does not change: files of nothing but assertions are
    /// common.
    with_assertions: Option<Operators>,
    flags: Flags,
    effects: directives::Effects,
    clauses: Vec<ReadClause>,
    before: Clauses,
    next: Clauses,
}

impl leaves::Reader for Reading<'_> {
    fn known(&mut self, text: &str, start: usize) -> Option<Vec<Comment>> {
        let (clause, comments) = self
            .before
            .recall(text, self.setting, start, &mut self.next)?;
        self.clauses.push(clause);
        Some(comments)
    }

    fn clause(&mut self, leaves: &[Leaf], node: Option<(&str, usize)>, comments: &[Comment]) {
        let (Some(first), Some(last)) = (leaves.first(), leaves.last()) else {
            return;
        };
        let assertion = is_assertion(self.text, leaves, &self.operators);
        let table = if assertion {
            self.with_assertions.get_or_insert_with(|| {
                let mut table = self.operators.clone();
                table.add_all(ASSERTION);
                table
            })
        } else {
            &self.operators
        };
        let outcome = pass::clause(self.text, leaves, table, &self.flags);
        let mut directive = false;
        if outcome.error.is_none() && !assertion {
            directive = directives::apply(
                &outcome.terms,
                outcome.root,
                &mut self.operators,
                &mut self.flags,
                &mut self.effects,
            );
            if directive {
                self.with_assertions = None;
            }
        }
        let read = ReadClause {
            terms: Arc::new(outcome.terms),
            root: outcome.root,
            spans: Arc::new(outcome.spans),
            range: (first.start, last.end),
            error: outcome.error,
        };
        // What has an effect is read again each time, and what is damaged, or has a comment without an end, may look different
        // beside other neighbours.
        if directive {
            let text = self.text.get(first.start..last.end).unwrap_or_default();
            self.setting = self.setting.then(text);
        } else if let (Some((text, start)), None, false) = (node, &read.error, assertion)
            && comments.iter().all(Comment::stands_alone)
        {
            self.next
                .remember(text, self.setting, start, &read, comments);
        }
        self.clauses.push(read);
    }
}

/// Reads a text that is not edited, in the default dialect.
#[must_use]
pub fn read_text(text: &str) -> FileTerms {
    read(&Parsed::new(text), &ReadOptions::default())
}

/// Whether these are the leaves of an assertion: `:-`, perhaps a status, a kind, and then what can be a head. Only
/// there are the words of assertions operators, so that other programs read as they always did.
fn is_assertion(text: &str, leaves: &[Leaf], operators: &Operators) -> bool {
    let [neck, rest @ ..] = leaves else {
        return false;
    };
    if neck.kind != LeafKind::Symbol || neck.text(text) != ":-" {
        return false;
    }
    let atom = |leaf: &Leaf| {
        if leaf.kind == LeafKind::Atom {
            leaf.text(text)
        } else {
            ""
        }
    };
    let rest = match rest {
        [status, kind, ..]
            if is_assertion_status(atom(status)) && is_assertion_kind(atom(kind)) =>
        {
            &rest[1..]
        }
        _ => rest,
    };
    match rest {
        [kind, head, ..] if is_assertion_kind(atom(kind)) => match head.kind {
            LeafKind::Atom => operators.get(head.text(text), Position::Infix).is_none(),
            LeafKind::QuotedAtom | LeafKind::Variable => true,
            LeafKind::Open(_) => head.start > kind.end,
            _ => false,
        },
        _ => false,
    }
}
