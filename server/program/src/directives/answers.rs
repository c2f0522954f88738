//! Questions of conditional compilation that depend on the system on which a file is loaded, and the answers that are assumed.
//!
//! ```prolog
//! :- if(current_prolog_flag(windows, true)).     % fails: Linux is assumed
//! :- if(exists_source(library(lists))).          % holds: the catalogue has the library
//! :- if(current_predicate(use_rendering/1)).     % fails: no known file defines it
//! :- if(current_predicate(swish:config/1)).      % fails: no known file is this module
//! ```

use std::collections::BTreeSet;

use costlens_catalog::{find, is_library};
use costlens_syntax::term::{ReadClause, Term, Terms};
use costlens_syntax::{Dialect, Question, questions};
use smol_str::SmolStr;

use crate::language::{Clause, Functor, FunctorKey, directive, qualified_head};
use crate::workspace::{Db, SourceFile, Workspace, module_names, terms};

/// The flags of SWI-Prolog on Linux that conditions ask about.
const FLAGS: &[(&str, &str)] = &[
    ("address_bits", "64"),
    ("bounded", "false"),
    ("threads", "true"),
    ("unix", "true"),
];

/// Flags that do not exist there.
const ABSENT_FLAGS: &[&str] = &["apple", "emscripten", "windows"];

/// Returns the answers that are assumed for the questions that conditions of a file ask.
///
/// *Invalidated* when a condition changes, or when a file begins or ceases to define a module or predicate that a condition names.
pub(crate) fn answers_assumed(db: &dyn Db, file: SourceFile) -> Vec<(Question, bool)> {
    let asked = questions_of(db, file);
    if asked.is_empty() || file.parsed(db).dialect() != Dialect::Swi {
        return Vec::new();
    }
    asked
        .iter()
        .filter_map(|q| Some((q.clone(), answer(db, q)?)))
        .collect()
}

/// Returns the assumed answer to a question. Returns `None` if the known files may define what it is about.
fn answer(db: &dyn Db, question: &Question) -> Option<bool> {
    match question {
        Question::Module(module) => (!module_names(db)?.contains(module)).then_some(false),
        Question::Predicate(name, arity) => {
            let is_known = find(name, *arity).is_some()
                || files_naming(db, &Functor::new(name.clone(), *arity))
                    .next()
                    .is_some();
            (!is_known).then_some(false)
        }
        Question::Library(path) => is_library(path).then_some(true),
        Question::Flag(flag, value) => {
            if ABSENT_FLAGS.contains(&flag.as_str()) {
                return Some(false);
            }
            let known = FLAGS.iter().find(|(name, _)| flag == name)?;
            Some(value == known.1)
        }
    }
}

/// Returns the questions that the conditions of a file ask, without those about modules that the file names elsewhere.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(deref))]
fn questions_of(db: &dyn Db, file: SourceFile) -> Vec<Question> {
    let clauses = &terms(db, file).clauses;
    let mut found: BTreeSet<Question> = BTreeSet::new();
    for read in clauses {
        if let Some(goal) = directive(&read.terms, read.root) {
            found.extend(questions(&read.terms, goal));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    // A module that a directive or a head names may exist: `use_module(library(lists))`, `m:p.`
    let mut named: BTreeSet<SmolStr> = BTreeSet::new();
    for read in clauses {
        match directive(&read.terms, read.root) {
            Some(goal) if questions(&read.terms, goal).is_empty() => {
                let atoms = read.terms.ids().filter_map(|id| read.terms.as_atom(id));
                named.extend(atoms.cloned());
            }
            Some(_) => {}
            None => named.extend(qualified_head(&read.terms, read.root).map(|(module, _)| module)),
        }
    }
    let may_exist = |module: &SmolStr| module.starts_with('$') || named.contains(module);
    found.retain(|q| !matches!(q, Question::Module(module) if may_exist(module)));
    found.into_iter().collect()
}

/// Returns the known files with clauses or declarations of a predicate, whatever conditions surround them.
pub(crate) fn files_naming(db: &dyn Db, functor: &Functor) -> impl Iterator<Item = SourceFile> {
    let key = FunctorKey::new(db, functor.clone());
    let files = Workspace::try_get(db).map(|workspace| workspace.files(db));
    let files = files.into_iter().flat_map(|files| files.values().copied());
    files.filter(move |&file| is_named_in(db, file, key))
}

/// Returns whether a file has clauses or declarations of a predicate, whatever conditions surround them.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(copy))]
fn is_named_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> bool {
    let functor = key.functor(db);
    let read = terms(db, file);
    read.clauses.iter().any(
        |read: &ReadClause| match directive(&read.terms, read.root) {
            Some(goal) => {
                questions(&read.terms, goal).is_empty() && indicates(&read.terms, functor)
            }
            None => head_of(read).is_some_and(|f| f == *functor),
        },
    )
}

/// Returns whether a term contains the indicator of a predicate.
fn indicates(terms: &Terms, functor: &Functor) -> bool {
    let is_arity =
        |t| matches!(terms.get(t), Term::Integer(n) if usize::try_from(n) == Ok(functor.arity));
    terms.ids().any(|id| {
        let parts = terms.matches(id, "/", 2);
        parts.is_some_and(|p| terms.as_atom(p[0]) == Some(&functor.name) && is_arity(p[1]))
    })
}

/// Returns the name and arity of the predicate to which a clause belongs, in whatever module.
fn head_of(read: &ReadClause) -> Option<Functor> {
    let of = Clause::of_module(&read.terms, read.root, &|_| true);
    of.map(|(functor, _)| functor)
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn a_predicate_is_named_by_heads_and_declarations() {
        let names = |text: &str| {
            let functor = Functor::new("p", 2);
            let read = read_text(text);
            let mut clauses = read.clauses.iter();
            clauses.any(|r| head_of(r) == Some(functor.clone()) || indicates(&r.terms, &functor))
        };
        assert!(names("p(1, 2)."));
        assert!(names("p(X, Y) :- q(X, Y)."));
        assert!(names("p --> []."));
        assert!(names("m:p(1, 2)."));
        assert!(names(":- dynamic p/2."));
        assert!(!names("q(p) :- p(1, 2). p(1)."));
    }
}
