//! Completions at an offset: predicates of the file, of imported files, of libraries and of the system, and the variables of the clause.

use std::collections::BTreeSet;
use std::ops::Range;

use costlens_analysis::report::Functor;
use costlens_catalog::described;
use costlens_program::loading::home_module;
use costlens_program::names::visible;
use costlens_program::positions::positions;
use costlens_program::workspace::is_installed;
use costlens_program::{Predicate, SourceFile, predicates};
use costlens_syntax::assertions::words::Word;
use costlens_syntax::queries::{Capture, highlights, variables_around};
use costlens_syntax::term::{CONS, Term};
use smol_str::SmolStr;

use super::assertion_words::{in_comment, in_directive, line_before};
use crate::db::Db;
use crate::hints::cost;
use crate::navigate::target;
use crate::predicate::arguments::declared_names;
use crate::predicate::documentation::documentation;
use crate::present::quoted;
use crate::resources::own_names;

/// The maximum number of completions that are returned. Further typing narrows them down.
const MOST: usize = 500;

/// The maximum number of clauses whose heads are searched for argument names.
const MOST_HEADS: usize = 20;

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A variable of the clause.
    Variable,
    /// A predicate of the file.
    Own,
    /// A predicate of another file that the file imports.
    Imported,
    /// A predicate of the system or of a library.
    Known,
    /// A word of the assertion language.
    Word,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The kind.
    pub kind: CompletionKind,
    /// The word that is matched against the typed characters.
    pub word: String,
    /// The predicate. `None` for variables.
    pub predicate: Option<Functor>,
    /// The inserted text: the name, quoted if necessary.
    pub text: String,
    /// The names of the arguments. Empty if they are not inserted.
    pub arguments: Vec<String>,
    /// The origin of a predicate that is not the user's: `library(lists)`, `built in`.
    pub origin: Option<String>,
}

/// The completions at an offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The range before the offset that is replaced.
    pub replaced: Range<usize>,
    /// The completions: variables, then the file's predicates in textual order, then imported predicates, then other predicates by name.
    pub proposals: Vec<Completion>,
    /// True if the completions were cut off at the maximum.
    pub more: bool,
}

/// Returns the completions at an offset. There are none inside comments, quoted text and numbers.
pub fn completions(db: &dyn Db, file: SourceFile, offset: usize) -> Completions {
    let parsed = file.parsed(db);
    let text = &*parsed.text;
    let offset = text.floor_char_boundary(offset);
    let typed = text[..offset]
        .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
        .len();
    let word = &text[typed..offset];
    let nothing = Completions {
        replaced: offset..offset,
        ..Completions::default()
    };
    if let Some(words) = in_comment(line_before(text, typed)) {
        return of_words(words, &own_names(db, file), word, typed..offset);
    }
    let before = offset.saturating_sub(1);
    let inside = highlights(parsed, before..offset).into_iter().any(|found| {
        let closed = found.range.end <= offset && !text[found.range.clone()].starts_with('%');
        found.range.start < offset
            && match found.capture {
                Capture::Comment | Capture::Documentation => !closed || !word.is_empty(),
                Capture::String | Capture::QuotedAtom => !closed,
                Capture::Number => true,
                _ => false,
            }
    });
    if inside {
        return nothing;
    }
    let (clause, variables) = variables_around(parsed, typed);
    let starts_lower = !word.starts_with(|c: char| c.is_uppercase() || c == '_');
    let words = text.get(clause.start..typed).and_then(in_directive);
    if let Some(words) = words.filter(|_| starts_lower && !word.is_empty()) {
        return of_words(words, &own_names(db, file), word, typed..offset);
    }
    let fits = |candidate: &str| subsequence(word, candidate);
    let mut proposals: Vec<Completion> = Vec::new();
    if word.is_empty() || word.starts_with(|c: char| c.is_uppercase() || c == '_') {
        let elsewhere = variables.into_iter().filter(|r| r.start != typed);
        let names: BTreeSet<&str> = elsewhere.map(|r| &text[r]).collect();
        proposals.extend(
            names
                .into_iter()
                .filter(|n| fits(n))
                .map(|name| Completion {
                    kind: CompletionKind::Variable,
                    word: name.to_owned(),
                    predicate: None,
                    text: name.to_owned(),
                    arguments: Vec::new(),
                    origin: None,
                }),
        );
    }
    if !word.starts_with(|c: char| c.is_uppercase() || c == '_') {
        let in_grammar_rule = (text.get(clause.start..typed)).is_some_and(|t| t.contains("-->"));
        let bare = text[offset..].starts_with('(');
        let place = Cursor {
            file,
            in_grammar_rule,
            bare,
        };
        proposals.extend(own_predicates(db, place, &fits));
        proposals.extend(imported(db, place, &fits));
        proposals.extend(known(db, file, bare, &fits));
    }
    let more = proposals.len() > MOST;
    proposals.truncate(MOST);
    Completions {
        replaced: typed..offset,
        proposals,
        more,
    }
}

/// Returns words of the assertion language as completions. `own` lists the resources that programs declare, which are allowed wherever other
/// resources are.
fn of_words(words: Vec<Word>, own: &[SmolStr], typed: &str, replaced: Range<usize>) -> Completions {
    let own = (own.iter())
        .filter(|_| words.iter().any(|word| word.name == "time"))
        .map(|name| (name.as_str(), ""));
    let proposals = (words.iter().map(|word| (word.name, word.meaning)))
        .chain(own)
        .filter(|(name, _)| subsequence(typed, name))
        .map(|(name, meaning)| Completion {
            kind: CompletionKind::Word,
            word: name.to_owned(),
            predicate: None,
            text: name.to_owned(),
            arguments: Vec::new(),
            origin: Some(meaning.to_owned()).filter(|meaning| !meaning.is_empty()),
        });
    Completions {
        replaced,
        proposals: proposals.collect(),
        more: false,
    }
}

/// The place at which a predicate name is being typed.
#[derive(Clone, Copy)]
struct Cursor {
    file: SourceFile,
    /// True inside a grammar rule, in which the last two arguments are hidden.
    in_grammar_rule: bool,
    /// True if the arguments are already written.
    bare: bool,
}

fn own_predicates(db: &dyn Db, place: Cursor, fits: &dyn Fn(&str) -> bool) -> Vec<Completion> {
    let predicates = predicates(db, place.file).iter();
    let found = predicates
        .filter(|p| fits(&p.functor(db).name))
        .take(MOST + 1);
    found
        .map(|&p| proposed(db, place, CompletionKind::Own, p.functor(db), p))
        .collect()
}

/// Returns predicates imported from other files. Those in Costlens's own table of predicates are listed elsewhere.
fn imported(db: &dyn Db, place: Cursor, fits: &dyn Fn(&str) -> bool) -> Vec<Completion> {
    let found = visible(db, place.file).into_iter();
    found
        .filter(|(here, _)| fits(&here.name) && described(&here.name, here.arity).is_none())
        .take(MOST + 1)
        .map(|(here, predicate)| Completion {
            origin: Some(origin(db, predicate.file(db))),
            ..proposed(db, place, CompletionKind::Imported, &here, predicate)
        })
        .collect()
}

/// Returns the module of a file, or else its name.
fn origin(db: &dyn Db, file: SourceFile) -> String {
    match home_module(db, file) {
        Some(module) if module != "user" => module.to_string(),
        _ => {
            let path = file.path(db);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        }
    }
}

/// Returns a completion for a predicate, with its name in the file.
fn proposed(
    db: &dyn Db,
    place: Cursor,
    kind: CompletionKind,
    here: &Functor,
    predicate: Predicate<'_>,
) -> Completion {
    let is_rule = predicate.clauses(db).iter().any(|c| c.grammar_rule);
    let hidden = if place.in_grammar_rule && is_rule {
        2
    } else {
        0
    };
    let written = if place.bare {
        0
    } else {
        here.arity.saturating_sub(hidden)
    };
    Completion {
        kind,
        word: here.name.to_string(),
        predicate: Some(here.clone()),
        text: quoted(&here.name),
        arguments: parameters(db, predicate.file(db), predicate, written),
        origin: None,
    }
}

/// Returns argument names for a predicate, without duplicates. They come from its declaration, or else from the variables in its heads; for
/// `[X|Xs]`, the tail is used.
fn parameters(
    db: &dyn Db,
    file: SourceFile,
    predicate: Predicate<'_>,
    count: usize,
) -> Vec<String> {
    let functor = predicate.functor(db);
    let declared = declared_names(db, file, functor);
    let positions = positions(db, file);
    let places = positions.iter().find(|p| p.functor == *functor);
    let clauses = predicate.clauses(db);
    let mut names: Vec<String> = Vec::new();
    for i in 0..count {
        let heads =
            (clauses.iter().take(MOST_HEADS)).zip(places.into_iter().flat_map(|p| &p.clauses));
        let candidates = heads.filter_map(|(clause, place)| {
            let argument = *clause.terms.args(clause.head).get(i)?;
            let argument = match clause.terms.matches(argument, CONS, 2) {
                Some(&[_, tail]) => tail,
                _ => argument,
            };
            let Term::Var(v) = clause.terms.get(argument) else {
                return None;
            };
            let variables = &place.spans.variables;
            let name = variables.get(usize::try_from(*v).ok()?)?;
            (!name.starts_with('_')).then(|| name.to_string())
        });
        let declared = declared.get(i).cloned().flatten();
        let mut all = declared.into_iter().chain(candidates);
        let name = all.find(|name| !names.contains(name));
        names.push(name.unwrap_or_else(|| format!("Arg{}", i + 1)));
    }
    names
}

fn known(
    db: &dyn Db,
    file: SourceFile,
    bare: bool,
    fits: &dyn Fn(&str) -> bool,
) -> Vec<Completion> {
    (costlens_catalog::system_predicates().iter())
        .filter_map(|k| Some((k, k.description.as_ref()?)))
        // Operators are not completed.
        .filter(|(k, _)| k.name.starts_with(char::is_alphabetic) && fits(k.name))
        // Predicates that the file itself defines are already included.
        .filter(|(k, _)| target(db, file, &Functor::new(k.name, k.arity)).home != Some(file))
        .map(|(k, description)| Completion {
            kind: CompletionKind::Known,
            word: k.name.to_owned(),
            predicate: Some(Functor {
                name: k.name.into(),
                arity: k.arity,
            }),
            text: k.name.to_owned(),
            arguments: if bare {
                Vec::new()
            } else {
                description
                    .arguments
                    .iter()
                    .map(|a| (*a).to_owned())
                    .collect()
            },
            origin: Some(k.library().map_or_else(
                || "built in".to_owned(),
                |library| format!("library({library})"),
            )),
        })
        .collect()
}

/// Returns true if the typed characters occur in the candidate in order, ignoring case, and the first character begins the candidate.
pub(crate) fn subsequence(typed: &str, candidate: &str) -> bool {
    let mut rest = candidate.chars().flat_map(char::to_lowercase);
    let mut typed = typed.chars().flat_map(char::to_lowercase);
    match typed.next() {
        None => true,
        Some(first) => rest.next() == Some(first) && typed.all(|c| rest.any(|r| r == c)),
    }
}

/// The details of a completion, computed when the user selects it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The cost for a predicate of the user, the modes for any other predicate.
    pub detail: Option<String>,
    /// The documentation in Markdown.
    pub documentation: Option<String>,
}

/// Describes a predicate that was proposed as a completion in a file.
pub fn describe(db: &dyn Db, file: SourceFile, predicate: &Functor) -> Described {
    let wanted = predicate.clone();
    let target = target(db, file, &wanted);
    let (home, there) = (target.home, target.functor);
    let known = described(&wanted.name, wanted.arity);
    // For a library predicate, the table is more informative than the clauses that ship with Costlens.
    if let Some(home) = home.filter(|&home| known.is_none() || home == file) {
        let comment = documentation(db, home, &there);
        // Library files that are not open are not analysed for completions.
        let cost = if is_installed(db, home) {
            None
        } else {
            cost(db, home, &there)
        };
        return Described {
            detail: cost,
            documentation: comment.map(|comment| {
                let modes = comment.modes.join("\n");
                format!("```prolog\n{modes}\n```\n\n{}", comment.text)
            }),
        };
    }
    Described {
        detail: known.map(|k| k.template.to_owned()),
        documentation: known.map(|k| k.text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::subsequence;

    #[test]
    fn typed_characters_come_in_order_and_the_first_first() {
        for (typed, candidate, fits) in [
            ("", "append", true),
            ("app", "append", true),
            ("ald", "append", false),
            ("atle", "atom_length", true),
            ("ATLE", "atom_length", true),
            ("len", "atom_length", false),
        ] {
            assert_eq!(subsequence(typed, candidate), fits, "{typed} {candidate}");
        }
    }
}
