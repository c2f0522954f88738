//! Semantic tokens: the results of `queries/highlights.scm`, corrected by name resolution.

use std::collections::BTreeMap;
use std::ops::Range;

use costlens_program::{Functor, Role as Whose, SourceFile};
use costlens_syntax::queries::{Capture, highlights, variables_around};
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::navigate::names::{Name, Role, names};
use crate::navigate::target;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A comment.
    Comment,
    /// A string, or a quoted atom that is not a predicate.
    String,
    /// A number.
    Number,
    /// A variable.
    Variable,
    /// A predicate, where it is defined, called or declared.
    Predicate,
    /// `:- dynamic`, `:- use_module`.
    Directive,
    /// `:-`, `->`, `;`, `!`.
    Control,
    /// An operator in a term.
    Operator,
    /// An atom or the name of a compound term: data.
    Atom,
}

/// Properties of a token in addition to its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// A clause head.
    pub definition: bool,
    /// An export, import, `dynamic` or other declaration.
    pub declaration: bool,
    /// A predicate of the system or of a library.
    pub library: bool,
    /// A structured comment.
    pub documentation: bool,
    /// A variable that occurs once in its clause although its name does not begin with `_`.
    pub singleton: bool,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes; comments and strings may span several lines.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: TokenKind,
    /// Its modifiers.
    pub modifiers: Modifiers,
}

/// Returns the tokens of a file that touch a range, by place; no two overlap.
pub fn tokens(db: &dyn Db, file: SourceFile, range: Range<usize>) -> Vec<Token> {
    let parsed = file.parsed(db);
    let text = &*parsed.text;
    let names = names(db, file);
    let by_start: FxHashMap<usize, &Name> = (names.iter())
        .filter(|name| name.range.end > range.start && name.range.start < range.end)
        .map(|name| (name.range.start, name))
        .collect();
    let mut reached: BTreeMap<&Functor, bool> = BTreeMap::new();
    let mut once = Singletons::default();
    highlights(parsed, range)
        .into_iter()
        .filter_map(|found| {
            let mut modifiers = Modifiers::default();
            let name = (by_start.get(&found.range.start)).filter(|n| n.range == found.range);
            if let Some(name) = name {
                modifiers.definition = name.role == Role::Head;
                modifiers.declaration = name.role == Role::Declaration;
                modifiers.library = *reached
                    .entry(&name.functor)
                    .or_insert_with(|| is_library(db, file, &name.functor));
                return Some(Token {
                    range: found.range,
                    kind: TokenKind::Predicate,
                    modifiers,
                });
            }
            let kind = match found.capture {
                Capture::Comment => TokenKind::Comment,
                Capture::Documentation => {
                    modifiers.documentation = true;
                    TokenKind::Comment
                }
                Capture::Directive => TokenKind::Directive,
                Capture::Number => TokenKind::Number,
                Capture::String | Capture::QuotedAtom => TokenKind::String,
                Capture::Variable => {
                    modifiers.singleton = once.is(parsed, text, &found.range);
                    TokenKind::Variable
                }
                Capture::Atom | Capture::Compound | Capture::Head | Capture::Tag => TokenKind::Atom,
                Capture::Operator => TokenKind::Operator,
                Capture::Control => TokenKind::Control,
                Capture::Punctuation => return None,
            };
            Some(Token {
                range: found.range,
                kind,
                modifiers,
            })
        })
        .collect()
}

/// Returns true for a name that reaches a predicate of a library or a built-in one.
fn is_library(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    match target(db, file, functor).home {
        Some(home) => home.role(db) == Whose::Library,
        None => costlens_catalog::find(&functor.name, functor.arity).is_some(),
    }
}

/// Counts of the variables of the last requested clause.
#[derive(Default)]
struct Singletons {
    clause: Range<usize>,
    counts: FxHashMap<String, usize>,
}

impl Singletons {
    fn is(
        &mut self,
        parsed: &costlens_syntax::Parsed,
        text: &str,
        variable: &Range<usize>,
    ) -> bool {
        let name = &text[variable.clone()];
        if name.starts_with('_') {
            return false;
        }
        if !(self.clause.start <= variable.start && variable.end <= self.clause.end) {
            let (clause, all) = variables_around(parsed, variable.start);
            self.clause = clause;
            self.counts.clear();
            for range in all {
                *self.counts.entry(text[range].to_owned()).or_default() += 1;
            }
        }
        self.counts.get(name) == Some(&1)
    }
}
