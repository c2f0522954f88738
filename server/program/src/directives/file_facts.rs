//! Facts about predicates that a file's directives declare, without positions.

use std::collections::{BTreeMap, BTreeSet};

use costlens_body::conjuncts;
use costlens_syntax::term::{CONS, ReadClause, Term, TermId, Terms};
use costlens_syntax::{Dialect, is_profiling_word};
use smol_str::SmolStr;

use crate::language::{
    Clause, Functor, MetaMode, Opened, calls, changed, declared_by, directive, indicators,
    indicators_in, meta_modes,
};
use crate::workspace::{Db, SourceFile, terms};

/// The facts that a file's directives declare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// `:- module(Name, …)`.
    pub module: Option<SmolStr>,
    /// The export list of `:- module/2`.
    pub exports: BTreeSet<Functor>,
    /// Ciao's `:- module(_, _)`: every predicate of the file is exported.
    pub exports_all: bool,
    /// `:- dynamic`, `:- thread_local`, `:- volatile`: clauses may be added and removed at run time.
    pub dynamic: BTreeSet<Functor>,
    /// `:- multifile`: other files may add clauses.
    pub multifile: BTreeSet<Functor>,
    /// `:- multifile m:p/1`, `:- dynamic m:p/1`, `:- table m:p/1` for a module `m` other than the file's own.
    pub elsewhere: BTreeSet<(Declared, SmolStr, Functor)>,
    /// `:- initialization(main, main)`: the file is the main program.
    pub is_main: bool,
    /// `:- discontiguous`.
    pub discontiguous: BTreeSet<Functor>,
    /// `:- table`: answers are stored, so that a call may not run the clauses again.
    pub tabled: BTreeSet<Functor>,
    /// `:- det`.
    pub det: BTreeSet<Functor>,
    /// `:- meta_predicate each(1, ?)`: the meta-mode of each argument.
    pub meta: BTreeMap<Functor, Box<[MetaMode]>>,
    /// `:- module_transparent`: the predicate runs in the module of its caller.
    pub transparent: BTreeSet<Functor>,
    /// `:- regtype tree/1`, `:- prop`: types that clauses define.
    pub regtypes: BTreeSet<Functor>,
    /// The predicates called by `:- initialization` and by goals in directives.
    pub started: BTreeSet<Functor>,
    /// The files in use: `:- use_module(library(lists))` adds `lists`, `:- use_module(other)` adds `other`.
    pub uses: BTreeSet<SmolStr>,
    /// True if undefined predicates are loaded from SWI-Prolog's library on the first call; false in dialects of other systems.
    pub autoloads: bool,
}

/// A declaration about a predicate of another module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declared {
    /// `:- multifile`.
    Multifile,
    /// `:- dynamic`, `:- table` and similar directives: the predicate's clauses do not run as written.
    Open(Opened),
}

impl FileFacts {
    /// Returns whether a predicate may have clauses other than those in the file when it is called.
    #[must_use]
    pub fn is_open(&self, predicate: &Functor) -> bool {
        self.dynamic.contains(predicate) || self.multifile.contains(predicate)
    }
}

/// Returns the facts of a file. *Invalidated* by every edit; equal as long as the directives are unchanged.
#[salsa::tracked]
pub fn facts(db: &dyn Db, file: SourceFile) -> FileFacts {
    let mut facts = FileFacts {
        autoloads: file.parsed(db).dialect() == Dialect::Swi,
        ..FileFacts::default()
    };
    let name = file.path(db).rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let read = terms(db, file);
    for (i, clause) in read.clauses.iter().enumerate() {
        if let Some(goal) = directive(&clause.terms, clause.root) {
            facts.record(&clause.terms, goal, stem);
            facts.record_changes(&read.clauses[..i], &clause.terms, goal);
        }
    }
    facts
}

impl FileFacts {
    /// Returns whether the module exports one of the file's own predicates.
    #[must_use]
    pub fn is_exported(&self, predicate: &Functor) -> bool {
        self.exports_all || self.exports.contains(predicate)
    }

    /// Records a directive. `stem` is the file's name without its extension: the module's name if the directive does not state it.
    fn record(&mut self, terms: &Terms, goal: TermId, stem: &str) {
        for goal in conjuncts(terms, goal) {
            let Some((name, arity)) = terms.functor(goal) else {
                continue;
            };
            let argument = terms.args(goal).first().copied();
            match (name.as_str(), arity, argument) {
                // `:- dynamic([p/1], [incremental(true)])`
                ("dynamic" | "thread_local" | "volatile", 1, Some(a)) | ("dynamic", 2, Some(a)) => {
                    let own = self.own_functors(terms, a);
                    self.dynamic.extend(own);
                    self.record_elsewhere(Declared::Open(Opened::Dynamic), terms, a);
                }
                ("multifile", 1, Some(a)) => {
                    let own = self.own_functors(terms, a);
                    self.multifile.extend(own);
                    self.record_elsewhere(Declared::Multifile, terms, a);
                }
                ("discontiguous", 1, Some(a)) => {
                    let own = self.own_functors(terms, a);
                    self.discontiguous.extend(own);
                }
                ("table", 1, Some(a)) => {
                    let own = self.own_functors(terms, a);
                    self.tabled.extend(own);
                    self.record_elsewhere(Declared::Open(Opened::Tabled), terms, a);
                }
                ("det", 1, Some(a)) => {
                    let own = self.own_functors(terms, a);
                    self.det.extend(own);
                }
                ("meta_predicate", 1, Some(a)) => self.meta.extend(meta_modes(terms, a)),
                ("module_transparent", 1, Some(a)) => {
                    let own = self.own_functors(terms, a);
                    self.transparent.extend(own);
                }
                ("regtype" | "prop", 1 | 2, Some(a)) => self.regtypes.extend(indicators(terms, a)),
                ("module", 2 | 3, Some(a)) => {
                    let is_open = |t: TermId| matches!(terms.get(t), Term::Var(_));
                    self.module = match is_open(a) {
                        true => Some(stem.into()),
                        false => terms.as_atom(a).cloned(),
                    };
                    if let Some(&list) = terms.args(goal).get(1) {
                        self.exports_all = is_open(list);
                        self.exports.extend(indicators(terms, list));
                    }
                }
                (
                    "use_module" | "ensure_loaded" | "consult" | "include" | "reexport"
                    | "autoload",
                    1 | 2,
                    Some(a),
                ) => {
                    self.uses.extend(file_names(terms, a));
                }
                // `:- [other].` is handled by [`crate::modules`].
                (CONS, 2, _) => {}
                ("initialization", 1 | 2, Some(a)) => {
                    let when = terms.args(goal).get(1);
                    self.is_main |=
                        when.is_some_and(|&w| terms.as_atom(w).is_some_and(|w| w == "main"));
                    self.record_inside(terms, a);
                    self.start(terms, a);
                }
                (name, arity, _) if is_declaration(name, arity) => {}
                _ => {
                    self.record_inside(terms, goal);
                    self.start(terms, goal);
                }
            }
        }
    }

    /// Returns whether a module is the file's own, according to its directives; a file without a module belongs to `user`.
    fn is_own(&self, module: &str) -> bool {
        self.module.as_deref().unwrap_or("user") == module
    }

    /// Returns the predicates in a declaration that belong to the file's module.
    fn own_functors(&self, terms: &Terms, id: TermId) -> Vec<Functor> {
        let all = indicators_in(terms, id).into_iter();
        let own = all.filter(|(m, _)| m.as_deref().is_none_or(|m| self.is_own(m)));
        own.map(|(_, functor)| functor).collect()
    }

    /// Records declarations of module-qualified predicates.
    fn record_elsewhere(&mut self, declared: Declared, terms: &Terms, id: TermId) {
        for (module, functor) in indicators_in(terms, id) {
            if let Some(module) = module.filter(|m| !self.is_own(m)) {
                self.elsewhere.insert((declared, module, functor));
            }
        }
    }

    /// Records the declarations inside a goal.
    fn record_inside(&mut self, terms: &Terms, goal: TermId) {
        for (how, module, functor) in declared_by(terms, goal) {
            match module.filter(|m| !self.is_own(m)) {
                Some(module) => {
                    self.elsewhere
                        .insert((Declared::Open(how), module, functor));
                }
                None => {
                    match how {
                        Opened::Dynamic => self.dynamic.insert(functor),
                        Opened::Tabled => self.tabled.insert(functor),
                    };
                }
            }
        }
    }

    /// Records that `:- retractall(seen(_)).` before the first clause of `seen/1` makes this predicate dynamic. A predicate that already
    /// has clauses is static: such a directive raises an exception.
    fn record_changes(&mut self, before: &[ReadClause], terms: &Terms, goal: TermId) {
        for (module, functor) in changed(terms, goal) {
            let is_own = |m: &str| self.is_own(m);
            let has_clauses = || {
                before.iter().any(|read| {
                    Clause::of_module(&read.terms, read.root, &is_own)
                        .is_some_and(|(known, _)| known == functor)
                })
            };
            match module.filter(|m| !self.is_own(m)) {
                Some(module) => {
                    let open = Declared::Open(Opened::Dynamic);
                    self.elsewhere.insert((open, module, functor));
                }
                None if self.dynamic.contains(&functor) || has_clauses() => {}
                None => {
                    self.dynamic.insert(functor);
                }
            }
        }
    }

    fn start(&mut self, terms: &Terms, goal: TermId) {
        self.started
            .extend(calls(terms, goal).into_iter().map(|c| c.callee));
    }
}

/// Returns whether a directive is a declaration that calls none of the file's predicates.
#[must_use]
pub fn is_declaration(name: &str, arity: usize) -> bool {
    match name {
        word if is_profiling_word(word) => true,
        "dynamic" | "module" | "use_module" | "ensure_loaded" | "consult" | "include"
        | "reexport" | "autoload" | "load_files" => arity == 1 || arity == 2,
        "thread_local" | "volatile" | "multifile" | "discontiguous" | "table" | "det" => arity == 1,
        "op" | "set_prolog_flag" | "if" | "elif" | "else" | "endif" | "style_check" | "license"
        | "encoding" | "module_transparent" | "meta_predicate" | "public" | "mode" | "pred"
        | "entry" | "check" | "trust" | "trust_default" | "true" | "checked" | "false" | "obs"
        | "calls" | "success" | "comp" | "prop" | "regtype" | "resource" | "head_cost"
        | "literal_cost" | "compound_resource" | "doc" => true,
        _ => false,
    }
}

fn file_names(terms: &Terms, id: TermId) -> Vec<SmolStr> {
    let (elements, _) = terms.list(id);
    let files = if elements.is_empty() {
        vec![id]
    } else {
        elements
    };
    files
        .into_iter()
        .filter_map(|f| match terms.args(f) {
            // `library(lists)`
            &[inner] => terms.as_atom(inner).cloned(),
            _ => terms.as_atom(f).cloned(),
        })
        .collect()
}
