//! The proposals at a place: predicates of the file, of those that it imports, of libraries and of the system, and the variables
//! of the clause.

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

/// The maximum number of proposals that are returned. Further typing narrows them down.
const MOST: usize = 500;

/// The number of clauses that are searched for names of arguments.
const MOST_HEADS: usize = 20;

/// The kind of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
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

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Its kind.
    pub kind: Kind,
    /// The word that typed characters are compared with.
    pub word: String,
    /// The predicate; `None` for variables.
    pub predicate: Option<Functor>,
    /// The text that is inserted: the name in the syntax of the program.
    pub text: String,
    /// The names of its arguments, if they also have to be written.
    pub arguments: Vec<String>,
    /// Its origin, if it is not the user's: `library(lists)`, `built in`.
    pub origin: Option<String>,
}

/// Proposals for a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes before the place that are replaced.
    pub replaced: Range<usize>,
    /// The proposals: variables, then the file's predicates in its order, then imported ones, then others by name.
    pub proposals: Vec<Completion>,
    /// True if there are more than are returned.
    pub more: bool,
}

/// Returns the proposals for an offset; empty inside of comments, texts and numbers.
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
                    kind: Kind::Variable,
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
        proposals.extend(own(db, place, &fits));
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

/// Returns the words of the language at a place; `own` are the resources that programs declare, which are possible where other resources are.
fn of_words(words: Vec<Word>, own: &[SmolStr], typed: &str, replaced: Range<usize>) -> Completions {
    let own = (own.iter())
        .filter(|_| words.iter().any(|word| word.name == "time"))
        .map(|name| (name.as_str(), ""));
    let proposals = (words.iter().map(|word| (word.name, word.meaning)))
        .chain(own)
        .filter(|(name, _)| subsequence(typed, name))
        .map(|(name, meaning)| Completion {
            kind: Kind::Word,
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

/// The place where a predicate's name is being written.
#[derive(Clone, Copy)]
struct Cursor {
    file: SourceFile,
    /// True inside a grammar rule, which hides the last two arguments.
    in_grammar_rule: bool,
    /// True if the arguments are already written.
    bare: bool,
}

fn own(db: &dyn Db, place: Cursor, fits: &dyn Fn(&str) -> bool) -> Vec<Completion> {
    let predicates = predicates(db, place.file).iter();
    let found = predicates
        .filter(|p| fits(&p.functor(db).name))
        .take(MOST + 1);
    found
        .map(|&p| proposed(db, place, Kind::Own, p.functor(db), p))
        .collect()
}

/// Returns predicates that the file imports from others. Predicates that Costlens itself knows come from its own list.
fn imported(db: &dyn Db, place: Cursor, fits: &dyn Fn(&str) -> bool) -> Vec<Completion> {
    let found = visible(db, place.file).into_iter();
    found
        .filter(|(here, _)| fits(&here.name) && described(&here.name, here.arity).is_none())
        .take(MOST + 1)
        .map(|(here, predicate)| Completion {
            origin: Some(origin(db, predicate.file(db))),
            ..proposed(db, place, Kind::Imported, &here, predicate)
        })
        .collect()
}

/// Returns the module of a file, else its name.
fn origin(db: &dyn Db, file: SourceFile) -> String {
    match home_module(db, file) {
        Some(module) if module != "user" => module.to_string(),
        _ => {
            let path = file.path(db);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        }
    }
}

/// Returns a predicate under its name in the file.
fn proposed(
    db: &dyn Db,
    place: Cursor,
    kind: Kind,
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

/// Returns the proposed arguments of a predicate: their names in its declaration, else variables of its heads, for `[X|Xs]` the tail's; no
/// name twice.
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
    (costlens_catalog::all().iter())
        .filter_map(|k| Some((k, k.description.as_ref()?)))
        // Names of operators are not completed.
        .filter(|(k, _)| k.name.starts_with(char::is_alphabetic) && fits(k.name))
        // Predicates that the file itself defines are already included.
        .filter(|(k, _)| target(db, file, &Functor::new(k.name, k.arity)).home != Some(file))
        .map(|(k, description)| Completion {
            kind: Kind::Known,
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

/// Returns true if the typed characters occur in the candidate in this order, ignoring case, and it begins with the first of them.
pub(crate) fn subsequence(typed: &str, candidate: &str) -> bool {
    let mut rest = candidate.chars().flat_map(char::to_lowercase);
    let mut typed = typed.chars().flat_map(char::to_lowercase);
    match typed.next() {
        None => true,
        Some(first) => rest.next() == Some(first) && typed.all(|c| rest.any(|r| r == c)),
    }
}

/// The details of a proposal, computed when the user selects it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The cost of a predicate of the user's, the modes of any other one.
    pub detail: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
}

/// Describes a predicate that was proposed in a file.
pub fn describe(db: &dyn Db, file: SourceFile, predicate: &Functor) -> Described {
    let wanted = predicate.clone();
    let target = target(db, file, &wanted);
    let (home, there) = (target.home, target.functor);
    let known = described(&wanted.name, wanted.arity);
    // For a library predicate the table is more informative than its clauses in Costlens.
    if let Some(home) = home.filter(|&home| known.is_none() || home == file) {
        let comment = documentation(db, home, &there);
        // A file of the library that is not open is not analysed for a list of proposals.
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
