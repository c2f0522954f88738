//! Assumptions about names that the known files do not resolve, and about effects whose reach is not known.

use std::collections::BTreeMap;
use std::fmt;

use costlens_catalog::is_fixed;
use costlens_syntax::Question;
use smol_str::SmolStr;

use super::image_lookup::Look;
use super::reach::named_by;
use crate::calls::called;
use crate::definitions::{
    Assumed, Unexpanded, assumed_defined, assumed_whole, effects_assumed, find_written,
};
use crate::directives::{answers_assumed, loads};
use crate::language::{Functor, split};
use crate::loading::image::programs;
use crate::loading::{program, target};
use crate::workspace::{Db, OWN_LIBRARIES, Role, SourceFile, folders, is_installed};

/// An assumption about a name. In JSON output, `rests_on` of a file lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// No missing file defines the name in `user`: it refers to a library predicate, or to a built-in that a program may redefine.
    NoOther(Functor),
    /// The missing file, as named in its directive, defines none of these predicates.
    NotIn(SmolStr, Vec<Functor>),
    /// A goal whose effect has no computable reach changes no predicate of the file.
    NoEffect(Assumed),
    /// The module does not exist when the file is loaded, so that conditions about its predicates fail.
    NoModule(SmolStr),
    /// The answer to a question of a condition, which depends on the system on which the file is loaded.
    Answer(Question, bool),
    /// The conditions of the predicate's clauses do not leave out all of them.
    Defined(Functor),
    /// The library is this file of the project, which no known setting of `file_search_path/2` names.
    IsLibrary(SmolStr, SmolStr),
    /// No unknown file adds clauses to these multifile predicates.
    NoClauses(Vec<SmolStr>),
    /// An expansion hook whose results are not known does not change the predicates of the file.
    Unexpanded(Unexpanded),
    /// Goals called through variables modify no terms in place.
    NoAssignment,
}

impl fmt::Display for Assumption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::NoOther(name) => write!(out, "no other file defines user:{name}"),
            Assumption::NotIn(file, names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let names = names.join(", ");
                write!(
                    out,
                    "`{file}`, which was not found, does not define {names}"
                )
            }
            Assumption::NoEffect(assumed) => assumed.fmt(out),
            Assumption::NoModule(module) => {
                write!(
                    out,
                    "module `{module}` does not exist when the file is loaded"
                )
            }
            Assumption::Answer(question, holds) => {
                let holds = if *holds { "holds" } else { "fails" };
                write!(out, "`{question}` {holds} when the file is loaded")
            }
            Assumption::Defined(functor) => {
                write!(
                    out,
                    "the conditions of `:- if` do not leave out all clauses of `{functor}`"
                )
            }
            Assumption::IsLibrary(library, path) => write!(out, "`{library}` is `{path}`"),
            Assumption::NoClauses(multifile) => {
                let names: Vec<String> = multifile.iter().map(|name| format!("`{name}`")).collect();
                write!(out, "no other file adds clauses to {}", names.join(", "))
            }
            Assumption::Unexpanded(assumption) => assumption.fmt(out),
            Assumption::NoAssignment => {
                out.write_str("goals that variables hold change no term in place")
            }
        }
    }
}

/// Returns the assumptions on which the bounds of a file's predicates depend: about names that its clauses call, then about effects.
///
/// *Invalidated* when the calls of the file change, or a name refers to another predicate.
#[salsa::tracked(returns(deref))]
pub fn assumed(db: &dyn Db, file: SourceFile) -> Vec<Assumption> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut not_in: BTreeMap<SmolStr, Vec<Functor>> = BTreeMap::new();
    for callee in called(db, file) {
        if is_fixed(&callee.name, callee.arity) || find_written(db, file, callee).is_some() {
            continue;
        }
        let mut is_open = false;
        for &root in programs(db, file) {
            let look = Look::new(db, root);
            if let Some((at, load)) = look.overlooked(file, callee)
                && let Some(spec) = named_by(db, at, load)
            {
                let names = not_in.entry(spec.to_string().into()).or_default();
                if names.last() != Some(callee) {
                    names.push(callee.clone());
                }
            }
            is_open |= split(callee).is_none()
                && program(db, root).open.is_some()
                && look.is_left_to_library(file, callee);
        }
        if is_open {
            found.push(Assumption::NoOther(callee.clone()));
        }
    }
    found.extend(
        not_in
            .into_iter()
            .map(|(file, names)| Assumption::NotIn(file, names)),
    );
    found.extend(own_libraries(db, file));
    let answers = answers_assumed(db, file).into_iter();
    found.extend(answers.map(|(question, holds)| match question {
        Question::Module(module) => Assumption::NoModule(module),
        question => Assumption::Answer(question, holds),
    }));
    found.extend(
        assumed_defined(db, file)
            .iter()
            .cloned()
            .map(Assumption::Defined),
    );
    let multifile = assumed_whole(db, file);
    if !multifile.is_empty() {
        let names = multifile.iter().map(|functor| functor.to_string().into());
        found.push(Assumption::NoClauses(names.collect()));
    }
    let effects = effects_assumed(db, file).iter().cloned();
    found.extend(effects.map(Assumption::NoEffect));
    found
}

/// Returns the libraries that are taken from a folder `lib` or `library` of the project.
fn own_libraries(db: &dyn Db, file: SourceFile) -> Vec<Assumption> {
    let is_named = || {
        folders(db, file)
            .iter()
            .any(|folder| folder.alias == LIBRARY)
    };
    let mut found = Vec::new();
    for (number, load) in loads(db, file).loads.iter().enumerate() {
        if load.spec.alias.as_deref() != Some(LIBRARY) {
            continue;
        }
        let Some(other) = target(db, file, number).filter(|&other| !is_installed(db, other)) else {
            continue;
        };
        let path = other.path(db);
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let folder = stem.strip_suffix(&*load.spec.path).unwrap_or("");
        let folder = folder
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or("");
        // `prolog` is the library of a pack.
        if OWN_LIBRARIES[1..].contains(&folder) && !is_named() {
            let assumption =
                Assumption::IsLibrary(load.spec.to_string().into(), path.to_string().into());
            if !found.contains(&assumption) {
                found.push(assumption);
            }
        }
    }
    found
}

/// The alias of library folders.
const LIBRARY: &str = "library";
