//! Follows the directives of a program in SWI-Prolog's loading order.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::state::{Image, Module, Name};
use crate::directives::acts::{Act, What, acts};
use crate::directives::{Imports, Load, LoadKind, facts, is_stated_in, loads};
use crate::language::{Functor, is_library};
use crate::loading::home::USER;
use crate::loading::load_target::target;
use crate::loading::plain_loads::is_part;
use crate::workspace::{Db, SourceFile, is_installed, shipped_library};

/// Loads the program with this root file.
pub(super) fn loaded(db: &dyn Db, root: SourceFile) -> Image {
    let mut loader = Loader {
        db,
        image: Image::default(),
        certain: certainly_loaded(db, root),
        given: given_from_outside(db, root),
        loaded: FxHashMap::default(),
        unfinished: FxHashSet::default(),
        late: FxHashSet::default(),
        doubtful: Vec::new(),
        clock: 0,
    };
    loader.program(root);
    loader.image
}

/// Returns the files that are loaded regardless of conditions.
fn certainly_loaded(db: &dyn Db, root: SourceFile) -> FxHashSet<SourceFile> {
    files_below(db, root, |load| !load.conditional)
}

/// Returns a file and the files that it loads, directly or indirectly, by directives that satisfy a condition.
fn files_below(
    db: &dyn Db,
    root: SourceFile,
    follows: impl Fn(&Load) -> bool,
) -> FxHashSet<SourceFile> {
    let mut found = FxHashSet::from_iter([root]);
    let mut stack = vec![root];
    while let Some(file) = stack.pop() {
        for (number, load) in loads(db, file).loads.iter().enumerate() {
            if follows(load)
                && let Some(other) = target(db, file, number)
                && !is_installed(db, other)
                && found.insert(other)
            {
                stack.push(other);
            }
        }
    }
    found
}

/// Returns the names for which files add clauses to a module other than their own: the clauses are module-qualified, or the file has no
/// module.
fn given_from_outside(db: &dyn Db, root: SourceFile) -> FxHashSet<Functor> {
    let of_file = |file: SourceFile| {
        let is_part = facts(db, file).module.is_none();
        acts(db, file)
            .iter()
            .filter_map(move |act| match &act.what {
                What::Define(f) | What::Declare(f) if is_part || act.module.is_some() => {
                    Some(f.clone())
                }
                _ => None,
            })
    };
    let files = files_below(db, root, |_| true).into_iter();
    files.flat_map(of_file).collect()
}

/// A file during loading.
pub(super) struct LoadFrame<'db> {
    file: SourceFile,
    module: SmolStr,
    acts: &'db [Act],
    next: usize,
    certain: bool,
    /// The imports to make once the file has been loaded.
    then: Option<Then>,
    /// True if these imports have been made, and only goals of `initialization` remain.
    is_loaded: bool,
}

/// The imports to make once a module has been loaded.
pub(super) enum Then {
    /// The imports of a file's directive (by its index) into a module. The flag is true if they are certain.
    Directive(SourceFile, usize, SmolStr, bool),
    /// Everything that the root file of the program exports, into `user`.
    Program(SmolStr),
}

/// A load that may not happen.
pub(super) struct Doubt {
    /// The file with the directive, and its number among the file's loads.
    pub(super) by: SourceFile,
    pub(super) number: usize,
    /// The file that it loads.
    pub(super) file: SourceFile,
    pub(super) into: SmolStr,
}

/// A program that is being loaded.
pub(super) struct Loader<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) image: Image,
    certain: FxHashSet<SourceFile>,
    /// The names for which a file adds clauses to a module other than its own.
    pub(super) given: FxHashSet<Functor>,
    /// The files that are loaded or being loaded, each with its module.
    pub(super) loaded: FxHashMap<SourceFile, SmolStr>,
    /// The files that are still being loaded.
    pub(super) unfinished: FxHashSet<SourceFile>,
    /// The directives that run once their files have been loaded.
    pub(super) late: FxHashSet<(SourceFile, usize)>,
    /// The loads by goals that may not run.
    pub(super) doubtful: Vec<Doubt>,
    pub(super) clock: usize,
}

impl<'db> Loader<'db> {
    fn program(&mut self, root: SourceFile) {
        let mut later = Vec::new();
        let then = facts(self.db, root).module.clone().map(Then::Program);
        let first = self.begin(root, USER.into(), true, then);
        self.run(first, &mut later);
        // Files named by `autoload` directives are loaded when one of their predicates is first called.
        while let Some(file) = later.pop() {
            if !self.loaded.contains_key(&file) {
                let certain = self.certain.contains(&file);
                let frame = self.begin(file, USER.into(), certain, None);
                self.run(frame, &mut later);
            }
        }
        while let Some(doubt) = self.doubtful.pop() {
            self.load_perhaps(doubt, &mut later);
        }
    }

    /// Starts to load a file that is not yet loaded, for a module.
    pub(super) fn begin(
        &mut self,
        file: SourceFile,
        into: SmolStr,
        certain: bool,
        then: Option<Then>,
    ) -> LoadFrame<'db> {
        let module = facts(self.db, file).module.clone();
        if let Some(name) = &module {
            let exports = facts(self.db, file).exports.iter().cloned().collect();
            let all = facts(self.db, file).exports_all;
            let of = self.module(name);
            match of.file {
                Some(_) => of.twin = Some(file),
                None => {
                    of.file = Some(file);
                    // Clauses `m:p(X)` added before the module is loaded are abolished. Declarations are kept, and parts that were loaded
                    // into the module may be loaded again.
                    of.names.retain(|_, n| {
                        let stays = match n {
                            Name::Local(definers) => {
                                definers.iter().any(|d| !d.clauses || d.belongs)
                            }
                            Name::Imported { .. } | Name::Unclear(..) => true,
                        };
                        *n = Name::Unclear(file, true);
                        stays
                    });
                    // The exports and the imports are also removed, except imports of dynamic and multifile predicates.
                    of.outside.iter_mut().for_each(|by| by.is_before = true);
                    of.exports.clear();
                    // The number of import modules added earlier determines which of them are kept.
                    if of.bases != Module::new(name).bases {
                        of.bases_unclear = Some(file);
                    }
                }
            }
            of.exports.extend::<Vec<Functor>>(exports);
            if all {
                let own = acts(self.db, file).iter();
                let own = own.filter_map(|act| match (&act.what, &act.module) {
                    (What::Define(f), None) => Some(f.clone()),
                    _ => None,
                });
                let own: Vec<Functor> = own.collect();
                self.module(name).exports.extend(own);
            }
        }
        let module = module.unwrap_or(into);
        self.loaded.insert(file, module.clone());
        self.unfinished.insert(file);
        self.image
            .homes
            .entry(file)
            .or_insert_with(|| module.clone());
        LoadFrame {
            file,
            module,
            acts: acts(self.db, file),
            next: 0,
            certain,
            then,
            is_loaded: false,
        }
    }

    pub(super) fn run(&mut self, first: LoadFrame<'db>, later: &mut Vec<SourceFile>) {
        let mut stack = vec![first];
        while let Some(top) = stack.last_mut() {
            let act = top.acts.get(top.next);
            if !top.is_loaded && act.is_none_or(|act| act.at_end) {
                // Imports precede the goals of `initialization`. If SWI-Prolog rejects the imports, it may not run these goals.
                top.is_loaded = true;
                self.unfinished.remove(&top.file);
                self.leave_undefined(top.file, &top.module);
                top.certain &= self.import_then(top.file, top.then.take());
            }
            let Some(act) = act else {
                stack.pop();
                continue;
            };
            top.next += 1;
            let is_late = act.at_end;
            let (file, certain) = (top.file, top.certain && act.certain);
            let module = act.module.clone().unwrap_or_else(|| top.module.clone());
            self.clock += 1;
            match &act.what {
                What::Load(number) => {
                    if is_late {
                        self.late.insert((file, *number));
                    }
                    if is_late && !top.certain {
                        self.doubt(file, *number, module);
                        continue;
                    }
                    if let Some(frame) = self.load(file, *number, module, certain, later) {
                        stack.push(frame);
                    }
                }
                What::Define(functor) => {
                    let belongs = top.module == module;
                    self.define(&module, functor, file, certain, belongs, true);
                }
                What::Declare(functor) => {
                    let belongs = top.module == module;
                    self.define(&module, functor, file, certain, belongs, false);
                }
                What::Import(from, functor) => {
                    if !self.module(from).names.contains_key(functor) {
                        self.image.early.insert(functor.clone(), file);
                    }
                    self.take(file, &module, functor, (from, functor), true, certain);
                }
                What::Export(functor) => {
                    let of = self.module(&module);
                    of.export(file, [functor.clone()], certain);
                    of.exported_late |= is_late;
                }
                What::Bases(bases) => self.change_bases(&module, bases, file, certain),
                What::NoAutoload => self.image.no_autoload = Some(file),
            }
        }
    }

    /// Makes the imports for which a file was loaded. Returns whether SWI-Prolog accepts them.
    fn import_then(&mut self, file: SourceFile, then: Option<Then>) -> bool {
        match then {
            None => true,
            Some(Then::Directive(by, number, into, certain)) => {
                self.import(by, number, &into, certain)
            }
            Some(Then::Program(name)) => self.import_all(file, true, &name, USER, &Imports::All),
        }
    }

    /// Treats exports of a module without a definition as undefined: they are bound to a predicate of `user` or to a built-in, if one
    /// exists.
    fn leave_undefined(&mut self, file: SourceFile, module: &str) {
        let Some(of) = self.image.modules.get(module) else {
            return;
        };
        if of.file != Some(file) || facts(self.db, file).exports_all {
            return;
        }
        let is_outside = |name: &Functor| {
            of.outside.iter().any(|by| {
                let load = loads(self.db, by.file).loads.get(by.number);
                load.is_some_and(|load| self.may_give(by.file, by.number, load, name))
            })
        };
        let exports = facts(self.db, file).exports.iter();
        let undefined: Vec<Functor> = exports
            .filter(|name| match of.names.get(name) {
                None => !is_outside(name),
                // The name was bound to a predicate of the import modules when these changed.
                Some(Name::Unclear(..)) => !self.defines(file, module, name) && !is_outside(name),
                Some(_) => false,
            })
            .cloned()
            .collect();
        for name in undefined {
            self.image.early.insert(name, file);
        }
    }

    /// Returns true if a directive of a file may import a name.
    pub(super) fn may_give(
        &self,
        by: SourceFile,
        number: usize,
        load: &Load,
        name: &Functor,
    ) -> bool {
        let Some(there) = load.imports.there(name) else {
            return false;
        };
        match target(self.db, by, number) {
            Some(other) => {
                let facts = facts(self.db, other);
                let module = facts.module.as_ref();
                facts.is_exported(there) || module.is_some_and(|m| self.image.exports(m, there))
            }
            None if is_library(&load.spec) => {
                is_stated_in(self.db, &load.spec.path, there)
                    || shipped_library(self.db, &load.spec.path)
                        .is_some_and(|library| self.defines(library, &load.spec.path, there))
            }
            None => true,
        }
    }

    /// Loads the file that a directive names. Returns a frame if the file has yet to be read.
    fn load(
        &mut self,
        by: SourceFile,
        number: usize,
        module: SmolStr,
        certain: bool,
        later: &mut Vec<SourceFile>,
    ) -> Option<LoadFrame<'db>> {
        let load: &'db Load = loads(self.db, by).loads.get(number)?;
        let into = load.into.clone().unwrap_or(module);
        let certain = certain && !load.conditional;
        let known = target(self.db, by, number);
        let Some(file) = known.filter(|&f| !is_installed(self.db, f)) else {
            self.import_from_outside(by, number, load, &into, certain);
            return None;
        };
        if file == by {
            return None;
        }
        if load.kind == LoadKind::Autoload {
            later.push(file);
            self.record_import(by, number, &into, certain);
            return None;
        }
        let is_part = is_part(self.db, load.kind, file);
        if !is_part && facts(self.db, file).module.is_none() {
            return None;
        }
        match self.loaded.get(&file) {
            None => {
                // If the file is certainly loaded elsewhere, it is loaded only there.
                if !certain && self.certain.contains(&file) {
                    if !is_part {
                        self.import(by, number, &into, certain);
                    }
                    return None;
                }
                let then = (!is_part).then(|| Then::Directive(by, number, into.clone(), certain));
                let certain = certain || self.certain.contains(&file);
                Some(self.begin(file, into, certain, then))
            }
            Some(_) if !is_part => {
                if load.again {
                    self.reload(by, file);
                }
                self.import(by, number, &into, certain);
                None
            }
            // The text of an included file is inserted again.
            Some(_) if load.kind == LoadKind::Include => Some(LoadFrame {
                file,
                module: into,
                // The directives of the included file are not followed again, so that mutual includes terminate.
                acts: &[],
                next: 0,
                certain,
                then: None,
                is_loaded: true,
            }),
            // A file without a module is loaded into one module only.
            Some(_) => {
                if load.again {
                    self.reload(by, file);
                }
                None
            }
        }
    }

    pub(super) fn module(&mut self, name: &str) -> &mut Module {
        self.image
            .modules
            .entry(name.into())
            .or_insert_with(|| Module::new(name))
    }
}
