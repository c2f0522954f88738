//! The image of a loaded program: what each of its modules holds, as SWI-Prolog fills them.
//!
//! ```prolog
//! :- use_module(m1).        % the exports of m1, where the name is free
//! :- use_module(m2).        % those of m2 that m1 does not export: who comes first has the name
//! p(1).                     % takes the name back from m1: the import was of a whole module
//! :- use_module(m3, [q/1]). % a list: clauses of q/1 that come later are refused
//! ```
//!
//! Found by loading small programs into SWI-Prolog 9.0.4; `tests/workspaces` compares further ones.
//!
//! Installed libraries are not loaded here: what they export is asked when a name is looked up.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::home::USER;
use super::load_target::target;
use super::loaders::loaders;
use super::order::roots;
use super::plain_loads::is_part;
use crate::directives::acts::{Act, Bases, What, acts};
use crate::directives::{Imports, Load, LoadKind, facts, loads};
use crate::language::Functor;
use crate::workspace::{Db, SourceFile, Workspace, is_installed, place_of};

/// The module that built-in predicates are in.
pub(crate) const SYSTEM: &str = "system";

/// The modules of a program by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) modules: FxHashMap<SmolStr, Module>,
    /// Which module the clauses of each file went to first.
    pub(crate) homes: FxHashMap<SourceFile, SmolStr>,
    /// Names that a directive imports before the module has them, with its file: SWI-Prolog binds them to what they mean by then, which may be
    /// a built-in predicate, and refuses other definitions.
    pub(crate) early: FxHashMap<Functor, SourceFile>,
    /// The file that turns autoloading off or restricts it.
    pub(crate) no_autoload: Option<SourceFile>,
}

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// The file of `:- module(…)`; none for `user` and modules that only goals name.
    pub(crate) file: Option<SourceFile>,
    /// Another file that says that it is the module: it is not loaded.
    pub(crate) twin: Option<SourceFile>,
    pub(crate) names: FxHashMap<Functor, Name>,
    /// Imports from files that are not loaded here, in their order.
    pub(crate) outside: Vec<Outside>,
    pub(crate) bases: Vec<SmolStr>,
    /// A file that changes the bases in a way that is not known.
    pub(crate) bases_unclear: Option<SourceFile>,
    exports: Vec<Functor>,
    /// True where some of them were exported when the file was loaded, which is after the imports from it
    /// (`:- initialization(reexport(m2))`).
    exported_late: bool,
}

/// The meaning of a name in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// It has clauses there or is declared there.
    Local(Vec<Definer>),
    /// It is what another module has under a name.
    Imported {
        from: SmolStr,
        there: Functor,
        /// True where a list names it.
        listed: bool,
        /// Its place among all that is done: it comes before imports from outside that come later.
        at: usize,
    },
    /// It depends on a condition that this file asks; whether a list names it.
    Unclear(SourceFile, bool),
}

/// A file that defines or declares a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definer {
    pub(crate) file: SourceFile,
    /// True where it gives clauses.
    pub(crate) clauses: bool,
    /// True where it gives them whatever conditions say.
    pub(crate) certain: bool,
    /// True where the file belongs to the module; otherwise the module is written before the clauses.
    pub(crate) belongs: bool,
    pub(crate) at: usize,
}

/// An import from an installed library or from a file that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The file with the directive, and its number among the file's loads.
    pub(crate) file: SourceFile,
    pub(crate) number: usize,
    pub(crate) certain: bool,
    pub(crate) at: usize,
}

impl Image {
    fn exports(&self, module: &str, functor: &Functor) -> bool {
        let of = self.modules.get(module);
        of.is_some_and(|of| of.exports.contains(functor))
    }
}

impl Module {
    fn new(name: &str) -> Self {
        let bases = match name {
            SYSTEM => Vec::new(),
            USER => vec![SYSTEM.into()],
            _ => vec![USER.into()],
        };
        Self {
            file: None,
            twin: None,
            names: FxHashMap::default(),
            outside: Vec::new(),
            bases,
            bases_unclear: None,
            exports: Vec::new(),
            exported_late: false,
        }
    }
}

/// The modules of the program that begins with a file.
///
/// *Invalidated* when a directive of one of its files changes, or a predicate comes or goes.
#[salsa::tracked(returns(ref))]
pub(crate) fn image(db: &dyn Db, root: SourceFile) -> Image {
    let mut loader = Loader {
        db,
        image: Image::default(),
        certain: certainly_loaded(db, root),
        loaded: FxHashMap::default(),
        late: FxHashSet::default(),
        clock: 0,
    };
    loader.program(root);
    loader.image
}

/// True where some file loads both, itself included.
pub(crate) fn share_a_program(db: &dyn Db, one: SourceFile, two: SourceFile) -> bool {
    let of_two = programs(db, two);
    programs(db, one).iter().any(|root| of_two.contains(root))
}

/// The programs that a file is part of, each by the file that it begins with. Of files that load each other and are loaded by no others, each
/// may be the first.
///
/// *Invalidated* when a directive changes, or a file comes or goes.
#[salsa::tracked(returns(deref))]
pub(crate) fn programs(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let found = roots(db, file).to_vec();
    if !found.is_empty() {
        return found;
    }
    let Some(workspace) = Workspace::try_get(db) else {
        return vec![file];
    };
    let loaders = loaders(db, workspace);
    let (mut found, mut at) = (vec![file], 0);
    while let Some(top) = found.get(at) {
        at += 1;
        for &loader in loaders.get(top).into_iter().flatten() {
            if !found.contains(&loader) {
                found.push(loader);
            }
        }
    }
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found
}

/// The files that are loaded whatever conditions say.
fn certainly_loaded(db: &dyn Db, root: SourceFile) -> FxHashSet<SourceFile> {
    let mut found = FxHashSet::from_iter([root]);
    let mut stack = vec![root];
    while let Some(file) = stack.pop() {
        for (number, load) in loads(db, file).loads.iter().enumerate() {
            if !load.conditional
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

/// A file that is being loaded.
struct Frame<'db> {
    file: SourceFile,
    module: SmolStr,
    acts: &'db [Act],
    next: usize,
    certain: bool,
    /// Imports to be made when it is loaded: by which file, its directive, and into which module.
    then: Option<(SourceFile, usize, SmolStr)>,
}

struct Loader<'db> {
    db: &'db dyn Db,
    image: Image,
    certain: FxHashSet<SourceFile>,
    /// The files that are loaded or being loaded, each with its module.
    loaded: FxHashMap<SourceFile, SmolStr>,
    /// The directives that are run when their files are loaded.
    late: FxHashSet<(SourceFile, usize)>,
    clock: usize,
}

impl<'db> Loader<'db> {
    fn program(&mut self, root: SourceFile) {
        let mut later = Vec::new();
        let first = self.begin(root, USER.into(), true, None);
        self.run(first, &mut later);
        if let Some(name) = facts(self.db, root).module.clone() {
            self.import_all(root, true, &name, USER, &Imports::All);
        }
        // What `autoload` directives name is loaded when it is first called.
        while let Some(file) = later.pop() {
            if !self.loaded.contains_key(&file) {
                let certain = self.certain.contains(&file);
                let frame = self.begin(file, USER.into(), certain, None);
                self.run(frame, &mut later);
            }
        }
    }

    /// Begins to load a file that is not loaded, for a module.
    fn begin(
        &mut self,
        file: SourceFile,
        into: SmolStr,
        certain: bool,
        then: Option<(SourceFile, usize, SmolStr)>,
    ) -> Frame<'db> {
        let module = facts(self.db, file).module.clone();
        if let Some(name) = &module {
            let exports = facts(self.db, file).exports.iter().cloned().collect();
            let all = facts(self.db, file).exports_all;
            let of = self.module(name);
            match of.file {
                Some(_) => of.twin = Some(file),
                None => {
                    of.file = Some(file);
                    // `m:p(X)` before the module is loaded is abolished then. Declarations stay.
                    of.names.retain(|_, n| {
                        let stays = match n {
                            Name::Local(definers) => definers.iter().any(|d| !d.clauses),
                            Name::Imported { .. } | Name::Unclear(..) => true,
                        };
                        *n = Name::Unclear(file, true);
                        stays
                    });
                    // Which of the bases that it was given before stay depends on how many there are.
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
        self.image
            .homes
            .entry(file)
            .or_insert_with(|| module.clone());
        Frame {
            file,
            module,
            acts: acts(self.db, file),
            next: 0,
            certain,
            then,
        }
    }

    fn run(&mut self, first: Frame<'db>, later: &mut Vec<SourceFile>) {
        let mut stack = vec![first];
        while let Some(top) = stack.last_mut() {
            let Some(act) = top.acts.get(top.next) else {
                let Some(done) = stack.pop() else {
                    continue;
                };
                self.leave_undefined(done.file, &done.module);
                if let Some((by, number, into)) = done.then {
                    self.import(by, number, &into);
                }
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
                    of.exports.push(functor.clone());
                    of.exported_late |= is_late;
                }
                What::Bases(bases) => self.change_bases(&module, bases, file, certain),
                What::NoAutoload => self.image.no_autoload = Some(file),
            }
        }
    }

    /// Leaves undefined what a module exports and does not define: it is bound to a built-in predicate, if there is one.
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
                load.is_some_and(|load| load.imports.there(name).is_some())
            })
        };
        let exports = facts(self.db, file).exports.iter();
        let undefined: Vec<Functor> = exports
            .filter(|name| !of.names.contains_key(name) && !is_outside(name))
            .cloned()
            .collect();
        for name in undefined {
            self.image.early.insert(name, file);
        }
    }

    /// Loads the file that a directive names, or says what is to be loaded first.
    fn load(
        &mut self,
        by: SourceFile,
        number: usize,
        mut into: SmolStr,
        certain: bool,
        later: &mut Vec<SourceFile>,
    ) -> Option<Frame<'db>> {
        let load: &'db Load = loads(self.db, by).loads.get(number)?;
        if let Some(module) = &load.into {
            into = module.clone();
        }
        let certain = certain && !load.conditional;
        let known = target(self.db, by, number);
        let Some(file) = known.filter(|&f| !is_installed(self.db, f)) else {
            let at = self.clock;
            let outside = Outside {
                file: by,
                number,
                certain,
                at,
            };
            let of = self.module(&into);
            of.outside.push(outside);
            if let (LoadKind::Autoload, Imports::Only(list)) = (load.kind, &load.imports) {
                let defined: Vec<&Functor> =
                    list.keys().filter(|f| of.names.contains_key(f)).collect();
                for name in defined {
                    self.image.early.insert(name.clone(), by);
                }
            }
            if load.reexports {
                // The names are asked for when they are looked up.
                self.reexported(&into, &load.imports);
            }
            return None;
        };
        if file == by {
            return None;
        }
        if load.kind == LoadKind::Autoload {
            later.push(file);
            let at = self.clock;
            self.module(&into).outside.push(Outside {
                file: by,
                number,
                certain,
                at,
            });
            return None;
        }
        let is_part = is_part(self.db, load.kind, file);
        if !is_part && facts(self.db, file).module.is_none() {
            return None;
        }
        match self.loaded.get(&file) {
            None => {
                // What is loaded in any case elsewhere is loaded there.
                if !certain && self.certain.contains(&file) {
                    if !is_part {
                        self.import(by, number, &into);
                    }
                    return None;
                }
                let then = (!is_part).then(|| (by, number, into.clone()));
                let certain = certain || self.certain.contains(&file);
                Some(self.begin(file, into, certain, then))
            }
            Some(_) if !is_part => {
                self.import(by, number, &into);
                None
            }
            // The text of an included file is there once more.
            Some(_) if load.kind == LoadKind::Include => Some(Frame {
                file,
                module: into,
                // Its own directives are not followed again, so that files which include each other come to an end.
                acts: &[],
                next: 0,
                certain,
                then: None,
            }),
            // A file without a module is loaded into one module alone.
            Some(_) => None,
        }
    }

    /// Imports what a directive says from the file that it names.
    fn import(&mut self, by: SourceFile, number: usize, into: &str) {
        let Some(load) = loads(self.db, by).loads.get(number) else {
            return;
        };
        let Some(other) = target(self.db, by, number) else {
            return;
        };
        let Some(name) = facts(self.db, other).module.clone() else {
            return;
        };
        let certain = !load.conditional;
        self.import_all(by, certain, &name, into, &load.imports);
        if load.reexports {
            let names: Vec<Functor> = match &load.imports {
                Imports::Only(list) => list.keys().cloned().collect(),
                imports => {
                    let all = self.module(&name).exports.clone().into_iter();
                    all.filter(|f| imports.there(f).is_some()).collect()
                }
            };
            let late = self.late.contains(&(by, number));
            let of = self.module(into);
            of.exports.extend(names);
            of.exported_late |= late;
        }
    }

    fn import_all(
        &mut self,
        by: SourceFile,
        certain: bool,
        name: &str,
        into: &str,
        imports: &Imports,
    ) {
        match imports {
            Imports::Only(list) => {
                for (here, there) in list {
                    self.take(by, into, here, (name, there), true, certain);
                }
            }
            // SWI-Prolog refuses the directive where the module does not export what is left out.
            Imports::Except(out)
                if !self.may_reexport(name) && out.iter().any(|f| !self.image.exports(name, f)) => {
            }
            Imports::All | Imports::Except(_) => {
                let refused = |f: &Functor| !self.image.exports(name, f);
                let certain = certain
                    && !matches!(imports, Imports::Except(out) if out.iter().any(refused))
                    && !self.module(name).exported_late;
                for there in self.module(name).exports.clone() {
                    if imports.there(&there).is_none() {
                        continue;
                    }
                    if self.is_given(name, &there) {
                        self.take(by, into, &there, (name, &there), false, certain);
                    } else {
                        // SWI-Prolog binds the name to a built-in predicate if there is one.
                        self.image.early.insert(there, by);
                    }
                }
            }
        }
    }

    /// Decides whether a module may re-export what comes from a file that is not loaded here.
    fn may_reexport(&self, module: &str) -> bool {
        let of = self.image.modules.get(module);
        let mut outside = of.into_iter().flat_map(|of| &of.outside);
        outside.any(|by| {
            let load = loads(self.db, by.file).loads.get(by.number);
            load.is_some_and(|load| load.reexports)
        })
    }

    /// Exports of what comes from a file that is not loaded here.
    fn reexported(&mut self, module: &str, imports: &Imports) {
        if let Imports::Only(list) = imports {
            let names: Vec<Functor> = list.keys().cloned().collect();
            self.module(module).exports.extend(names);
        }
    }

    /// Decides whether a module provides a predicate that it exports. An export without a definition is not imported.
    fn is_given(&mut self, module: &str, functor: &Functor) -> bool {
        let of = self.module(module);
        if of.names.contains_key(functor) || !of.outside.is_empty() {
            return true;
        }
        // It may be loaded yet.
        let file = of.file;
        file.is_some_and(|file| {
            acts(self.db, file)
                .iter()
                .filter(|act| act.module.as_deref().is_none_or(|m| m == module))
                .any(|act| matches!(&act.what, What::Define(f) | What::Declare(f) if f == functor))
                || !loads(self.db, file).loads.is_empty()
        })
    }

    /// True where a module has nothing under a name and does not promise it either.
    fn lacks(&self, module: &str, functor: &Functor) -> bool {
        let of = self.image.modules.get(module);
        let is_known = of.is_some_and(|of| of.names.contains_key(functor));
        !is_known && !self.image.exports(module, functor) && !self.may_reexport(module)
    }

    /// Imports one predicate under a name.
    ///
    /// ```prolog
    /// :- use_module(m1, [p/1 as q]).   % defines the clause `q(X) :- m1:p(X)`
    /// ```
    fn take(
        &mut self,
        by: SourceFile,
        into: &str,
        here: &Functor,
        (from, there): (&str, &Functor),
        listed: bool,
        certain: bool,
    ) {
        let at = self.clock;
        if listed && self.lacks(from, there) {
            self.image.early.insert(there.clone(), by);
            self.image.early.insert(here.clone(), by);
        }
        if from == into && here == there {
            // Whether clauses that come later are refused depends on what the module has by then.
            if listed {
                let names = &mut self.module(into).names;
                (names.entry(here.clone())).or_insert(Name::Unclear(by, true));
            }
            return;
        }
        let renames = from != into && here.name != there.name;
        if renames && self.loaded.get(&by).is_none_or(|home| home != into) {
            // SWI-Prolog puts the clause that calls it elsewhere.
            self.image.early.insert(here.clone(), by);
        }
        let names = &mut self.module(into).names;
        match names.get(here) {
            Some(Name::Imported {
                from: f, there: t, ..
            }) if f == from && t == there => return,
            // Two definitions of a name that a list gives to another predicate.
            Some(_) if renames => {
                names.insert(here.clone(), Name::Unclear(by, true));
                return;
            }
            Some(_) => return,
            None => {}
        }
        let name = match certain {
            true => Name::Imported {
                from: from.into(),
                there: there.clone(),
                listed,
                at,
            },
            false => Name::Unclear(by, listed),
        };
        names.insert(here.clone(), name);
    }

    fn define(
        &mut self,
        module: &str,
        functor: &Functor,
        file: SourceFile,
        certain: bool,
        belongs: bool,
        clauses: bool,
    ) {
        let mut definer = Definer {
            file,
            clauses,
            certain,
            belongs,
            at: self.clock,
        };
        if self.is_autoloaded(module, functor) || self.overrides_nothing(module, functor) {
            self.image.early.insert(functor.clone(), file);
        }
        let names = &mut self.module(module).names;
        match names.get_mut(functor) {
            Some(Name::Local(all)) => {
                let known = all.iter_mut().find(|d| d.file == file);
                match known {
                    Some(known) => {
                        known.clauses |= clauses;
                        known.certain |= certain;
                    }
                    None => all.push(definer),
                }
            }
            // Refused, or added to the clause that calls a predicate by this name.
            Some(Name::Imported { listed: true, .. }) => {
                names.insert(functor.clone(), Name::Unclear(file, true));
            }
            Some(Name::Imported { .. }) if !certain => {
                names.insert(functor.clone(), Name::Unclear(file, false));
            }
            Some(Name::Unclear(_, listed)) if *listed || !certain => {}
            Some(Name::Imported { at, .. }) => {
                // Imports that came since then were refused.
                definer.at = *at;
                names.insert(functor.clone(), Name::Local(vec![definer]));
            }
            Some(Name::Unclear(..)) | None => {
                names.insert(functor.clone(), Name::Local(vec![definer]));
            }
        }
    }

    /// True where a module imports a name from one that does not define it: SWI-Prolog has bound it to a built-in predicate, if
    /// there is one.
    fn overrides_nothing(&self, module: &str, functor: &Functor) -> bool {
        let of = |module: &str| self.image.modules.get(module);
        match of(module).and_then(|of| of.names.get(functor)) {
            Some(Name::Imported { from, there, .. }) => {
                !of(from).is_some_and(|from| from.names.contains_key(there))
            }
            _ => false,
        }
    }

    /// True where a list of an `autoload/2` in a module names the predicate.
    fn is_autoloaded(&self, module: &str, functor: &Functor) -> bool {
        let of = self.image.modules.get(module);
        let mut outside = of.into_iter().flat_map(|of| &of.outside);
        outside.any(|by| {
            let load = loads(self.db, by.file).loads.get(by.number);
            load.is_some_and(|load| {
                load.kind == LoadKind::Autoload
                    && matches!(&load.imports, Imports::Only(list) if list.contains_key(functor))
            })
        })
    }

    fn change_bases(&mut self, module: &str, bases: &Bases, file: SourceFile, certain: bool) {
        // SWI-Prolog refuses what would make a circle.
        let is_circle = match bases {
            Bases::Set(base) | Bases::First(base) | Bases::Last(base) => {
                self.inherits(base, module)
            }
            Bases::Without(_) | Bases::Unclear => Some(false),
        };
        match is_circle {
            Some(true) => return,
            Some(false) => {}
            None => self.module(module).bases_unclear = Some(file),
        }
        let of = self.module(module);
        // What is exported and not defined may be bound by now.
        for functor in of.exports.clone() {
            of.names.entry(functor).or_insert(Name::Unclear(file, true));
        }
        match bases {
            _ if !certain => of.bases_unclear = Some(file),
            Bases::Unclear => of.bases_unclear = Some(file),
            Bases::Set(base) => of.bases = vec![base.clone()],
            // It stays where it is.
            Bases::First(base) | Bases::Last(base) if of.bases.contains(base) => {}
            Bases::First(base) => of.bases.insert(0, base.clone()),
            Bases::Last(base) => of.bases.push(base.clone()),
            Bases::Without(base) => of.bases.retain(|b| b != base),
        }
    }

    /// Decides whether a module is another one or inherits from it; none where that depends on bases that are not known.
    fn inherits(&self, module: &str, from: &str) -> Option<bool> {
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        let mut stack: Vec<SmolStr> = vec![module.into()];
        let mut is_clear = true;
        while let Some(at) = stack.pop() {
            if at == from {
                return Some(true);
            }
            if seen.insert(at.clone()) {
                match self.image.modules.get(&at) {
                    Some(known) if known.bases_unclear.is_some() => is_clear = false,
                    Some(known) => stack.extend(known.bases.iter().cloned()),
                    None => stack.extend(Module::new(&at).bases),
                }
            }
        }
        is_clear.then_some(false)
    }

    fn module(&mut self, name: &str) -> &mut Module {
        self.image
            .modules
            .entry(name.into())
            .or_insert_with(|| Module::new(name))
    }
}
