//! Arguments that `library(semweb/rdf_prefixes)` expands, in clauses of, and calls to, predicates that are declared for this expansion.
//!
//! ```prolog
//! :- rdf_meta label(r, -).
//! label(rdfs:'Class', "class").     % label('http://www.w3.org/2000/01/rdf-schema#Class', "class")
//! label(X, L) :- own(X, L).         % unchanged
//! ```
//!
//! The declaration of a goal is that of the module that implements its predicate. The analysed clauses contain the atoms if declarations,
//! prefixes and imports certainly precede the clause. A predicate is reported as expanded if a clause contains another term that may be
//! translated.

mod arguments;
mod directives;
mod goals;
mod loading_goals;
mod loading_order;
mod prefixes;
mod specifications;

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_syntax::Dialect;
use costlens_syntax::term::Terms;
use smol_str::{SmolStr, format_smolstr};

use self::arguments::Abbreviation;
use self::directives::Scan;
use self::loading_order::FileTerm;
use self::specifications::{Modules, Specifications, specified};
use super::{clpfd, dicts, touched};
use crate::definitions::{Predicate, all_clauses, find_written, gathered};
use crate::directives::Load;
use crate::language::{Clause, ClauseKind, Functor, directive, split_name};
use crate::loading::{home_module, is_home};
use crate::workspace::{Db, Role, SourceFile, terms};

/// The library's name.
pub(super) const LIBRARY: &str = "semweb/rdf_prefixes";

/// The descriptions of the library's hooks.
pub(super) static TERMS: SmolStr =
    SmolStr::new_static("`term_expansion/2` of `library(semweb/rdf_prefixes)`");
static GOALS: SmolStr = SmolStr::new_static("`goal_expansion/2` of `library(semweb/rdf_prefixes)`");

/// A hook of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LibraryHook {
    OfTerms,
    OfGoals,
}

impl LibraryHook {
    fn description(self) -> &'static SmolStr {
        match self {
            LibraryHook::OfTerms => &TERMS,
            LibraryHook::OfGoals => &GOALS,
        }
    }
}

/// The libraries that load the expansions.
const LOADING: [&str; 3] = [LIBRARY, "semweb/rdf_db", "semweb/rdf11"];

/// Returns whether a directive loads the library, directly or through a library that loads it.
pub(super) fn is_loaded_by(load: &Load) -> bool {
    let alias = load.spec.alias.as_deref();
    alias == Some("library") && LOADING.contains(&load.spec.path.as_str())
}

/// Returns whether some file that is loaded with a file contains an unreadable declaration.
pub(super) fn is_unreadable(db: &dyn Db, file: SourceFile) -> bool {
    specified(db, file).unreadable
}

/// Returns whether a predicate with this name is declared in some file that is loaded with a file.
pub(super) fn is_declared(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let plain = split_name(&functor.name).map_or(&*functor.name, |(_, name)| name);
    let plain = Functor::new(plain, functor.arity);
    reaches(db, file) && specified(db, file).is_declared(&plain)
}

/// Returns the clauses of a predicate after the library's expansion. Returns `None` if the expansion changes nothing, or is not supported.
pub(super) fn clauses<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<[Clause]>> {
    may_be_translated(db, predicate)
        .then(|| followed(db, predicate))
        .flatten()
}

/// Returns the description of the hook that may change a predicate's clauses in an unsupported way.
pub(super) fn expanded<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    let is_touched = is_concerned(db, predicate) && clauses(db, predicate).is_none();
    let hook = is_touched.then(|| hook_about(db, predicate)).flatten();
    hook.map(LibraryHook::description)
}

/// Returns whether the analysed clauses of a predicate contain atoms instead of the terms `Prefix:Local` that the text contains.
pub fn is_translated<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let clauses = clauses(db, predicate);
    clauses.is_some_and(|clauses| clauses != all_clauses(db, predicate))
}

/// Returns whether the library may translate a term in a clause of a predicate.
pub(in crate::rewriting) fn may_be_translated<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> bool {
    *has_colons(db, predicate) && is_concerned(db, predicate)
}

/// *Invalidated* when a clause of the predicate changes; the result is usually equal, so that callers are not recomputed.
#[salsa::tracked]
fn has_colons<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let clauses = all_clauses(db, predicate);
    clauses.iter().any(|clause| has_colon(&clause.terms))
}

fn has_colon(terms: &Terms) -> bool {
    terms.ids().any(|id| terms.matches(id, ":", 2).is_some())
}

/// Returns whether the library may change a clause of a predicate.
fn is_concerned<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    reaches(db, predicate.file(db)) && hook_about(db, predicate).is_some()
}

/// Returns the description of the hook that may change a clause of another file for a predicate.
pub(in crate::rewriting) fn changes_clause(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    clause: &Clause,
) -> Option<&'static SmolStr> {
    if !reaches(db, file) {
        return None;
    }
    let hook = ExpandedFile::new(db, file).hook(functor, clause, &Modules::Any);
    hook.map(LibraryHook::description)
}

fn reaches(db: &dyn Db, file: SourceFile) -> bool {
    file.role(db) != Role::Library && touched(db, file).has_declarations
}

/// Returns the hook that may change a clause of a predicate.
///
/// *Invalidated* when a clause changes, a declaration, or the predicates to which its names refer; the result is usually equal.
#[salsa::tracked(returns(copy))]
fn hook_about<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<LibraryHook> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    if let Some(Ok(all)) = gathered(db, file, functor) {
        return all.iter().find_map(|given| {
            ExpandedFile::new(db, given.file).hook(functor, &given.written, &Modules::Any)
        });
    }
    let context = ExpandedFile::new(db, file);
    let home = context.home_modules();
    let mut clauses = predicate.clauses(db).iter();
    clauses.find_map(|clause| context.hook(functor, clause, &home))
}

/// Returns the clauses after the expansion. Returns `None` if an expansion is not supported.
///
/// *Invalidated* when a clause or a directive changes, or the predicates to which its names refer; the result is usually equal.
#[salsa::tracked(returns(clone))]
fn followed<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<[Clause]>> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    if file.parsed(db).dialect() != Dialect::Swi
        // Predicates made from lambda expressions and closures have no clauses at load time.
        || find_written(db, file, functor) != Some(predicate)
        || gathered(db, file, functor).is_some()
        || clpfd::is_concerned(db, predicate)
        || dicts::is_concerned(db, predicate)
    {
        return None;
    }
    let context = ExpandedFile::new(db, file);
    let places = places(db, file).get(functor)?;
    let clauses = all_clauses(db, predicate);
    if places.len() != clauses.len() {
        return None;
    }
    (clauses.iter().zip(places))
        .map(|(clause, place)| context.translated(functor, clause, place))
        .collect()
}

/// The position of a clause in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ClausePlace {
    at: FileTerm,
    /// False for `m:(p(X) :- q(X))`, which is not expanded, and for a clause in a test unit.
    is_plain: bool,
    /// True if the clause does not depend on an undecided condition.
    is_certain: bool,
}

/// Returns the positions of the clauses of a file's predicates.
///
/// *Invalidated* by every edit; equal as long as no term is added or removed.
#[salsa::tracked(returns(ref))]
fn places(db: &dyn Db, file: SourceFile) -> BTreeMap<Functor, Vec<ClausePlace>> {
    let mut all: BTreeMap<Functor, Vec<ClausePlace>> = BTreeMap::new();
    let mut scan = Scan::new(db, file);
    for (index, read) in terms(db, file).clauses.iter().enumerate() {
        let goal = directive(&read.terms, read.root);
        let Some(position) = scan.read(index, read, goal) else {
            continue;
        };
        let is_own = |m: &str| is_home(db, file, m);
        let clause = Clause::of_module(&read.terms, read.root, &is_own);
        let Some((functor, clause)) = clause.filter(|_| goal.is_none()) else {
            continue;
        };
        let is_qualified = read.terms.matches(read.root, ":", 2).is_some();
        let place = position.place;
        all.entry(functor).or_default().push(ClausePlace {
            at: FileTerm { file, place },
            is_plain: !(position.in_unit || is_qualified && clause.kind != ClauseKind::Fact),
            is_certain: position.certain,
        });
    }
    all
}

/// A file whose clauses are expanded.
struct ExpandedFile<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    /// The file's module; `None` if it may belong to several modules.
    home: Option<&'db SmolStr>,
    specifications: &'db Specifications,
}

impl<'db> ExpandedFile<'db> {
    fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        ExpandedFile {
            db,
            file,
            home: home_module(db, file).as_ref(),
            specifications: specified(db, file),
        }
    }

    /// Returns the modules whose declarations apply to the file's own predicates.
    fn home_modules(&self) -> Modules {
        (self.home).map_or(Modules::Any, |home| Modules::Some(vec![home.clone()]))
    }

    /// Returns the hook that may change a clause, given the modules whose declarations apply to its head.
    fn hook(&self, functor: &Functor, clause: &Clause, modules: &Modules) -> Option<LibraryHook> {
        let concerned = self.concerned(functor, clause, modules)?;
        Some(match concerned.head {
            true => LibraryHook::OfTerms,
            false => LibraryHook::OfGoals,
        })
    }

    /// Returns a clause after the expansion. Returns `None` if an expansion is not supported.
    fn translated(
        &self,
        functor: &Functor,
        clause: &Clause,
        place: &ClausePlace,
    ) -> Option<Clause> {
        let Some(concerned) = self.concerned(functor, clause, &self.home_modules()) else {
            return Some(clause.clone());
        };
        if !place.is_plain || clause.kind == ClauseKind::Dcg {
            return None;
        }
        let abbreviations = self.abbreviations(functor, clause, &concerned, place.at)?;
        let mut terms = Terms::clone(&clause.terms);
        for Abbreviation {
            term,
            prefix,
            local,
        } in abbreviations
        {
            let uri = prefixes::uri(self.db, &prefix, self.home?, place.at)?;
            let name = format_smolstr!("{uri}{local}");
            // A name with a module has a meaning of its own.
            if split_name(&name).is_some() || name == costlens_syntax::term::NIL {
                return None;
            }
            terms.replace(term, name, &[]);
        }
        Some(Clause {
            terms: Arc::new(terms),
            ..clause.clone()
        })
    }
}
