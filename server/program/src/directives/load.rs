//! The directives of a file that name other files.

use std::collections::BTreeMap;

use costlens_syntax::FileSpec;
use costlens_syntax::term::{CONS, NIL, TermId, Terms};
use smol_str::SmolStr;

use super::conditions::{Conditions, Presence};
use crate::language::{
    DirectiveGoal, Functor, directive, file_spec, goals_run, indicators, is_library, option,
};
use crate::workspace::{Db, SourceFile, file_of, terms};

/// The kind of a directive that loads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// `use_module`, `reexport`: a module's exports.
    Module,
    /// `autoload/1,2`: a module's exports, loaded when first called.
    Autoload,
    /// `ensure_loaded`, `consult`, `[file]`, `load_files`: a module's exports, or the clauses of a file without a module.
    Plain,
    /// `include`: the text of the file replaces the directive.
    Include,
}

/// The exports that are imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imports {
    /// All exports.
    All,
    /// The exports in a list: the local name, and the name in the module (`p/1 as q`).
    Only(BTreeMap<Functor, Functor>),
    /// All exports except those in a list.
    Except(Vec<Functor>),
}

impl Imports {
    /// Returns the name in the module for a local name. Returns `None` if it is not imported.
    #[must_use]
    pub fn there<'a>(&'a self, here: &'a Functor) -> Option<&'a Functor> {
        match self {
            Imports::All => Some(here),
            Imports::Only(names) => names.get(here),
            Imports::Except(names) => (!names.contains(here)).then_some(here),
        }
    }
}

/// A directive that loads a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The file.
    pub spec: FileSpec,
    /// The kind of directive.
    pub kind: LoadKind,
    /// The imported exports.
    pub imports: Imports,
    /// True if imported predicates are reexported.
    pub reexports: bool,
    /// True if the directive reloads a file that is already loaded: `consult/1`, not `ensure_loaded/1`.
    pub again: bool,
    /// True if the load is conditional: the directive is between `:- if` and `:- endif`, or in a branch of a control construct.
    pub conditional: bool,
    /// True if a file that is not a module is rejected: `use_module`, `must_be_module(true)`.
    pub must_be_module: bool,
    /// The explicit module into which the file is loaded (`m:consult(f)`, `use_module(m:f)`); `None` means the module of the file with the
    /// directive.
    pub into: Option<SmolStr>,
}

/// The loads in a file's directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// The loads, in the order of the file.
    pub loads: Vec<Load>,
    /// The number of directives whose files cannot be determined from the text: `:- use_module(X)`.
    pub unreadable: usize,
}

/// Returns the files that a file loads.
///
/// *Invalidated* by every edit; equal as long as the directives are unchanged.
#[salsa::tracked(returns(ref))]
pub fn loads(db: &dyn Db, file: SourceFile) -> Use {
    let mut found = Use::default();
    let mut conditions = Conditions::for_file(db, file);
    for clause in &terms(db, file).clauses {
        if let Some(goal) = directive(&clause.terms, clause.root) {
            conditions.read(clause, goal);
            let presence = conditions.presence();
            if presence == Presence::Absent {
                continue;
            }
            for run in goals_run(&clause.terms, goal) {
                found.record(&clause.terms, &run, presence == Presence::Open);
            }
        }
    }
    found
}

/// Returns the loads of a directive in a text, regardless of conditions.
#[must_use]
pub fn loads_of(terms: &Terms, directive: TermId) -> Vec<Load> {
    let mut found = Use::default();
    for run in goals_run(terms, directive) {
        found.record(terms, &run, false);
    }
    found.loads
}

/// Returns the number of files that a directive names.
pub(crate) fn number_of_loads(terms: &Terms, directive: TermId) -> usize {
    loads_of(terms, directive).len()
}

impl Use {
    fn record(&mut self, terms: &Terms, run: &DirectiveGoal, conditional: bool) {
        let Some((name, _)) = terms.functor(run.goal) else {
            return;
        };
        let (kind, reexports) = match name.as_str() {
            "use_module" => (LoadKind::Module, false),
            "reexport" => (LoadKind::Module, true),
            "autoload" => (LoadKind::Autoload, false),
            "ensure_loaded" | "consult" | "load_files" => (LoadKind::Plain, false),
            "include" => (LoadKind::Include, false),
            // `:- [other].`
            CONS => (LoadKind::Plain, false),
            _ => return,
        };
        let mut load = Load {
            spec: FileSpec {
                alias: None,
                path: SmolStr::default(),
            },
            kind,
            imports: Imports::All,
            reexports,
            again: matches!(name.as_str(), "consult" | "load_files" | CONS),
            conditional: conditional || !run.certain,
            must_be_module: kind == LoadKind::Module,
            into: run.into.clone(),
        };
        let files = match *terms.args(run.goal) {
            _ if name == CONS => run.goal,
            [files] => files,
            // `load_files(tables, [if(not_loaded), imports([row/2])])`
            [files, options] if kind == LoadKind::Plain => {
                let of = |name: &'static str| option(terms, options, name);
                load.reexports = of("reexport")
                    .is_some_and(|value| terms.as_atom(value).is_some_and(|a| a == "true"));
                load.again = of("if")
                    .is_none_or(|value| terms.as_atom(value).is_none_or(|a| a != "not_loaded"));
                load.must_be_module = of("must_be_module")
                    .is_some_and(|value| terms.as_atom(value).is_some_and(|a| a == "true"));
                load.imports = of("imports").map_or(Imports::All, |list| imported(terms, list));
                files
            }
            [files, imports] => {
                load.imports = imported(terms, imports);
                files
            }
            _ => return,
        };
        self.files(terms, files, &load);
    }

    /// Adds a copy of `load` for each file that a term names.
    fn files(&mut self, terms: &Terms, mut files: TermId, load: &Load) {
        let mut into = load.into.clone();
        if let Some(&[module, inner]) = terms.matches(files, ":", 2) {
            into = terms.as_atom(module).cloned();
            files = inner;
        }
        let (elements, _) = terms.list(files);
        let files = if elements.is_empty() && terms.as_atom(files).is_none_or(|a| a != NIL) {
            vec![files]
        } else {
            elements
        };
        for file in files {
            let own =
                (terms.matches(file, ":", 2)).and_then(|args| terms.as_atom(args[0]).cloned());
            match file_spec(terms, file) {
                Some(spec) => self.loads.push(Load {
                    spec,
                    into: own.or_else(|| into.clone()),
                    ..load.clone()
                }),
                None => self.unreadable += 1,
            }
        }
    }
}

/// Parses the second argument of `use_module/2`.
fn imported(terms: &Terms, id: TermId) -> Imports {
    if let Some(&[list]) = terms.matches(id, "except", 1) {
        return Imports::Except(indicators(terms, list));
    }
    if terms.as_atom(id).is_some_and(|a| a == "all") {
        return Imports::All;
    }
    let mut names = BTreeMap::new();
    for element in terms.list(id).0 {
        if let Some(&[there, here]) = terms.matches(element, "as", 2) {
            for there in indicators(terms, there) {
                if let Some(name) = terms.as_atom(here) {
                    names.insert(Functor::new(name.clone(), there.arity), there);
                }
            }
        } else {
            names.extend(
                indicators(terms, element)
                    .into_iter()
                    .map(|f| (f.clone(), f)),
            );
        }
    }
    Imports::Only(names)
}

/// Returns the files with assertions about the libraries that a file's directives name.
pub fn stated_loaded(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let named = loads(db, file).loads.iter().filter(|l| is_library(&l.spec));
    let mut found: Vec<SourceFile> = named.filter_map(|l| file_of(db, &l.spec.path)).collect();
    found.dedup();
    found
}
