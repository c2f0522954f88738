//! Semantic tokens: the captures of `queries/highlights.scm`, refined by name resolution.

use std::collections::BTreeMap;
use std::ops::Range;

use costlens_program::{Functor, Role as Whose, SourceFile};
use costlens_syntax::queries::{Capture, highlights, variables_around};
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::navigate::names::{Name, NameRole, names};
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
    /// A predicate in a definition, call or declaration.
    Predicate,
    /// The name of a directive, such as `dynamic` or `use_module`.
    Directive,
    /// `:-`, `->`, `;`, `!`.
    Control,
    /// An operator in a term.
    Operator,
    /// Data: an atom, or the name of a compound term.
    Atom,
}

/// The modifiers of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// True in a clause head.
    pub definition: bool,
    /// True in an export, import, `dynamic` or other declaration.
    pub declaration: bool,
    /// True for a predicate of the system or a library.
    pub library: bool,
    /// True in a structured comment.
    pub documentation: bool,
    /// True for a variable that occurs once in its clause and whose name does not begin with `_`.
    pub singleton: bool,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The range. Comments and strings may span several lines.
    pub range: Range<usize>,
    /// The kind.
    pub kind: TokenKind,
    /// The modifiers.
    pub modifiers: Modifiers,
}

/// Returns the tokens that overlap a range, in textual order. The tokens are disjoint.
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
                modifiers.definition = name.role == NameRole::Head;
                modifiers.declaration = name.role == NameRole::Declaration;
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

/// Returns true for a name that resolves to a library predicate or a built-in.
fn is_library(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    match target(db, file, functor).home {
        Some(home) => home.role(db) == Whose::Library,
        None => costlens_catalog::find(&functor.name, functor.arity).is_some(),
    }
}

/// Occurrence counts of the variables in the most recently requested clause.
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
