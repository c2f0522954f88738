//! Effects of directives on how later clauses are read.

use num_traits::ToPrimitive as _;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::dialect::{Dialect, QuotedAs, operators_of_package};
use crate::flags::Flags;
use crate::imports::{
    Admitted, FileOperators, FileSpec, Import, ImportKind, KnownFiles, OperatorEvent, OperatorLoad,
    OperatorPattern, Quotes, Surroundings,
};
use crate::libraries;
use crate::operators::{MAX_PRIORITY, Operator, OperatorType, Operators, Position};
use crate::reading_goals::{
    OperatorGoal, ReadingGoal, loading_each, missing_operator, reading_goal,
};
use crate::term::{NIL, Term, TermId, Terms};

/// The effect of a directive on a file that is already loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    /// The file is loaded once.
    Once,
    /// The file is loaded again.
    Again,
}

/// The effects of directives on other files.
#[derive(Default)]
pub(crate) struct DirectiveEffects {
    /// The operators made available to other files.
    pub(crate) operators: FileOperators,
    /// The files named in directives.
    pub(crate) imports: Vec<Import>,
    /// The operators of the module itself, which hide those of `user`.
    own: FxHashSet<(SmolStr, Position)>,
    /// The number of times that each file has been named so far.
    named: FxHashMap<FileSpec, usize>,
    /// The dialect declared by `expects_dialect/1`.
    emulated: Option<SmolStr>,
    /// The operators replaced since each `push_operators/1` that is still open.
    pushed: Vec<Vec<Operator>>,
    /// The goals that run once the file is loaded, each with the index of its clause.
    pub(crate) at_end: Vec<(usize, TermId)>,
    /// The state before the unit of tests that is being read, if any. A unit is a module: its operators and flags end with it.
    unit: Option<Box<BeforeUnit>>,
}

/// The operators and flags in force before `:- begin_tests(…)`.
struct BeforeUnit {
    operators: Operators,
    flags: Flags,
    own: FxHashSet<(SmolStr, Position)>,
    /// The operators that the unit declares for `user`, which remain.
    global: Vec<Operator>,
}

/// A directive, with the state that it may change.
pub(crate) struct Directive<'a> {
    pub(crate) terms: &'a Terms,
    /// The directive's index among the clauses.
    pub(crate) clause: usize,
    pub(crate) dialect: Dialect,
    pub(crate) known: &'a KnownFiles,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) operators: &'a mut Operators,
    pub(crate) flags: &'a mut Flags,
    pub(crate) effects: &'a mut DirectiveEffects,
}

impl Directive<'_> {
    /// Applies the goals of a conjunction that change operators or flags.
    pub(crate) fn goals(&mut self, body: TermId) {
        let terms = self.terms;
        for goal in terms.chain(body, ",") {
            match terms.matches(goal, ":", 2) {
                Some(&[module, inner]) => self.goal_of(module, inner),
                _ => match terms.matches(goal, "@", 2) {
                    Some(&[inner, module]) => self.goal_of(module, inner),
                    _ => self.goal(goal, None),
                },
            }
        }
    }

    /// Applies a module-qualified goal.
    fn goal_of(&mut self, module: TermId, goal: TermId) {
        let terms = self.terms;
        if let Some(module) = terms.as_atom(module) {
            self.goal(goal, Some(module));
        }
    }

    /// Applies a goal, which may be module-qualified.
    fn goal(&mut self, goal: TermId, into: Option<&SmolStr>) {
        let terms = self.terms;
        let Some((name, _)) = terms.functor(goal) else {
            return;
        };
        if let Some(reading) = reading_goal(terms, goal) {
            self.reading(reading);
            return;
        }
        if let Some([priority, kind, name]) = missing_operator(terms, goal) {
            let is_there = declared(terms, priority, kind, name)
                .iter()
                .all(|o| self.operators.get(&o.name, o.kind.position()).is_some());
            if !is_there {
                self.declare(priority, kind, name);
            }
            return;
        }
        let (name, args) = match loading_each(terms, goal) {
            Some((name, files)) => (name, vec![files]),
            None => (name, terms.args(goal).to_vec()),
        };
        match (name.as_str(), &*args) {
            ("begin_tests", [_] | [_, _]) if self.dialect == Dialect::Swi => self.begin_unit(),
            ("end_tests", [_]) => self.end_unit(),
            ("initialization", &[inner]) => self.effects.at_end.push((self.clause, inner)),
            // Nested `initialization` goals are not followed, so that this terminates.
            ("initialization", &[inner, when])
                if terms.as_atom(when).is_some_and(|w| w == "now")
                    && terms.matches(inner, "initialization", 2).is_none() =>
            {
                self.goal(inner, into);
            }
            ("module", &[name, exports, ref more @ ..]) => {
                let found = listed(terms, exports);
                self.effects.operators.module = true;
                self.effects.operators.name = terms.as_atom(name).cloned();
                // The module header comes first, and is recorded even if it exports no operators.
                let header = OperatorEvent::Declare {
                    module: None,
                    operators: found.clone(),
                };
                self.effects.operators.events.insert(0, header);
                self.effects
                    .operators
                    .exported
                    .extend(found.iter().cloned());
                found.into_iter().for_each(|op| self.operators.add(op));
                if let &[packages] = more {
                    self.packages(packages);
                }
            }
            ("quasi_quotation_syntax", &[syntax]) => {
                if let (Some(known), Some(name)) =
                    (&mut self.flags.quasi_quotations, terms.as_atom(syntax))
                {
                    known.insert(name.clone());
                }
            }
            ("expects_dialect", &[dialect]) => self.emulate(dialect, into),
            ("use_package", &[packages]) => self.packages(packages),
            ("use_module", &[file]) => {
                self.import(ImportKind::Module, file, None, into, Repeated::Once)
            }
            ("use_module", &[file, list]) => {
                self.import(ImportKind::Module, file, Some(list), into, Repeated::Once)
            }
            ("reexport", &[file]) => {
                self.import(ImportKind::Reexport, file, None, into, Repeated::Once)
            }
            ("reexport", &[file, list]) => {
                self.import(ImportKind::Reexport, file, Some(list), into, Repeated::Once)
            }
            ("ensure_loaded", &[file]) => {
                self.import(ImportKind::Load, file, None, into, Repeated::Once)
            }
            ("consult", &[file]) => {
                self.import(ImportKind::Load, file, None, into, Repeated::Again)
            }
            ("load_files", &[file]) => {
                self.import(ImportKind::Load, file, None, into, Repeated::Again)
            }
            // `load_files(F, [imports([p/1])])`
            ("load_files", &[file, options]) => {
                let options = terms.list(options).0.into_iter();
                let imports = options.filter_map(|o| terms.matches(o, "imports", 1));
                let list = imports.map(|args| args[0]).next();
                self.import(ImportKind::Load, file, list, into, Repeated::Again);
            }
            ("[|]", &[_, _]) => self.import(ImportKind::Load, goal, None, into, Repeated::Again),
            ("include", &[file]) => {
                self.import(ImportKind::Include, file, None, into, Repeated::Once)
            }
            ("autoload", &[file, ..]) => {
                self.import(ImportKind::Autoload, file, None, into, Repeated::Once)
            }
            _ => {}
        }
    }

    fn begin_unit(&mut self) {
        self.effects.unit.get_or_insert_with(|| {
            Box::new(BeforeUnit {
                operators: self.operators.clone(),
                flags: self.flags.clone(),
                own: self.effects.own.clone(),
                global: Vec::new(),
            })
        });
    }

    fn end_unit(&mut self) {
        let Some(before) = self.effects.unit.take() else {
            return;
        };
        *self.operators = before.operators;
        *self.flags = before.flags;
        self.effects.own = before.own;
        for operator in before.global {
            self.operators.add(operator);
        }
    }

    /// Applies a goal that changes how the following text is read. `m:op(P, T, N)` also declares an operator for the file's module.
    fn reading(&mut self, goal: ReadingGoal) {
        match goal {
            ReadingGoal::Declare(all) => {
                for [p, t, n] in all {
                    self.declare(p, t, n);
                }
            }
            ReadingGoal::Push(all, is_opened) => {
                if is_opened {
                    self.effects.pushed.push(Vec::new());
                }
                for goal in all {
                    self.push(goal);
                }
            }
            ReadingGoal::Pop => {
                let mut before = self.effects.pushed.pop().unwrap_or_default();
                // The declarations are undone in reverse order.
                before.reverse();
                self.record(before.clone(), None);
                let declared = &mut self.effects.operators.declared;
                declared.extend(before.iter().cloned());
                before.into_iter().for_each(|op| self.operators.add(op));
            }
            ReadingGoal::Flags(all) => {
                for (flag, value) in all {
                    self.set_flag(flag, value);
                }
            }
        }
    }

    /// Declares an operator until the next `pop_operators/0`.
    fn push(&mut self, [priority, kind, name]: OperatorGoal) {
        let mut before = declared(self.terms, priority, kind, name);
        for operator in &mut before {
            let there = (self.operators).get(&operator.name, operator.kind.position());
            let (priority, kind) = there.unwrap_or((0, operator.kind));
            (operator.priority, operator.kind) = (priority, kind);
        }
        if let Some(last) = self.effects.pushed.last_mut() {
            last.extend(before);
        }
        self.declare(priority, kind, name);
    }

    /// Applies `op(P, T, N)`. With `user:N` the operator is in force in every module; with another module, it is not in force in this file.
    fn declare(&mut self, priority: TermId, kind: TermId, names: TermId) {
        let terms = self.terms;
        let written = terms.matches(names, ":", 2);
        let module = written.and_then(|args| terms.as_atom(args[0])).cloned();
        let mut found = declared(terms, priority, kind, names);
        self.record(found.clone(), module.clone());
        let effects = &mut self.effects.operators;
        let own = effects.name.as_ref();
        match module.as_deref() {
            Some("user" | "system") => {
                effects.global.extend(found.iter().cloned());
                if let Some(unit) = &mut self.effects.unit {
                    unit.global.extend(found.iter().cloned());
                }
                if effects.module {
                    let own = &self.effects.own;
                    let is_hidden =
                        |o: &Operator| own.contains(&(o.name.clone(), o.kind.position()));
                    found.retain(|o| !is_hidden(o));
                }
            }
            Some(other) if own.is_none_or(|own| own != other) => return,
            _ => {
                if self.effects.unit.is_none() {
                    effects.declared.extend(found.iter().cloned());
                }
                let own = found.iter().map(|o| (o.name.clone(), o.kind.position()));
                self.effects.own.extend(own);
            }
        }
        found.into_iter().for_each(|op| self.operators.add(op));
    }

    fn record(&mut self, operators: Vec<Operator>, module: Option<SmolStr>) {
        let is_of_unit = self.effects.unit.is_some() && module.is_none();
        if !operators.is_empty() && !is_of_unit {
            let events = &mut self.effects.operators.events;
            events.push(OperatorEvent::Declare { module, operators });
        }
    }

    fn set_flag(&mut self, flag: TermId, value: TermId) {
        let flag = match self.terms.matches(flag, ":", 2) {
            Some(&[module, inner]) => {
                let own = self.effects.operators.name.as_deref().unwrap_or("user");
                // An operator of another module is not in force in this file.
                if self.terms.as_atom(module).is_none_or(|m| m != own) {
                    return;
                }
                inner
            }
            _ => flag,
        };
        if let Some(quotes) = quotes_set(self.terms, flag, value) {
            self.flags.set(quotes);
            if self.effects.unit.is_none() {
                let events = &mut self.effects.operators.events;
                events.push(OperatorEvent::Quotes(quotes));
            }
        }
    }

    /// Applies the operators of Ciao's packages.
    fn packages(&mut self, packages: TermId) {
        if self.dialect != Dialect::Ciao {
            return;
        }
        for package in one_or_more(self.terms, packages) {
            if let Some(FileSpec { path, .. }) = file_spec(self.terms, package) {
                for table in operators_of_package(&path) {
                    self.operators.add_all(table);
                }
            }
        }
    }

    /// Imports the operators of a file, or of each file in a list, unless an import list excludes them.
    fn import(
        &mut self,
        kind: ImportKind,
        files: TermId,
        list: Option<TermId>,
        into: Option<&SmolStr>,
        repeated: Repeated,
    ) {
        let terms = self.terms;
        let admitted = list.map_or_else(Admitted::all, |l| admitted(terms, l));
        for file in one_or_more(terms, files) {
            let (file, into) = match terms.matches(file, ":", 2) {
                Some(&[module, inner]) => (inner, terms.as_atom(module)),
                _ => (file, into),
            };
            let Some(file) = file_spec(terms, file) else {
                continue;
            };
            let operators = !admitted.is_none() && kind != ImportKind::Autoload;
            let library = self.library(&file, kind);
            self.import_syntaxes(&file);
            let known = match self.known.0.get(&file) {
                Some(known) => known.given(kind, &admitted),
                None => library.given(kind, &admitted),
            };
            let before = self.effects.named.entry(file.clone()).or_default();
            let key = (file.clone(), *before);
            *before += 1;
            let effects = &mut self.effects.operators;
            if kind == ImportKind::Reexport {
                effects.exported.extend(known.iter().cloned());
            }
            if kind == ImportKind::Include && self.effects.unit.is_none() {
                effects.declared.extend(known.iter().cloned());
            }
            effects.events.push(OperatorEvent::Load(OperatorLoad {
                file: file.clone(),
                kind,
                into: into.cloned(),
                admitted: admitted.clone(),
                again: repeated == Repeated::Again,
                library: library.given(kind, &admitted),
            }));
            let given = match self.surroundings.behind.get(&key) {
                Some(changed) => {
                    self.flags.set(changed.quotes);
                    changed.operators.clone()
                }
                None => known,
            };
            given.into_iter().for_each(|op| self.operators.add(op));
            if let Some(list) = list.filter(|_| kind != ImportKind::Autoload) {
                self.name_operators(list, into, kind);
            }
            self.effects.imports.push(Import {
                file,
                kind,
                operators,
                clause: self.clause,
            });
        }
    }

    /// Declares the operators in an import list, `op(700, xfx, ===>)`. SWI-Prolog defines them whether or not the module exports them, with
    /// a warning if it does not.
    fn name_operators(&mut self, list: TermId, into: Option<&SmolStr>, kind: ImportKind) {
        let named = listed(self.terms, list);
        let own = self.effects.operators.name.as_ref();
        if named.is_empty() || into.is_some_and(|into| own != Some(into)) {
            return;
        }
        self.record(named.clone(), None);
        let effects = &mut self.effects.operators;
        if self.effects.unit.is_none() {
            effects.declared.extend(named.iter().cloned());
        }
        if kind == ImportKind::Reexport {
            effects.exported.extend(named.iter().cloned());
        }
        named.into_iter().for_each(|op| self.operators.add(op));
    }

    /// Imports the quasi-quotation syntaxes of a file. They are known for system libraries; most libraries define none.
    fn import_syntaxes(&mut self, file: &FileSpec) {
        let given = match file.alias.as_deref() {
            Some("library") => libraries::syntaxes_of(&file.path),
            _ => None,
        };
        match (given, &mut self.flags.quasi_quotations) {
            (Some(given), Some(known)) => known.extend(given.iter().map(|&name| name.into())),
            (Some(_), None) => {}
            (None, known) => *known = None,
        }
    }

    /// Applies `expects_dialect(sicstus4)`, which loads `library(dialect/sicstus4)`. In the following text, `library(clpfd)` refers to the
    /// dialect's own version, if there is one.
    fn emulate(&mut self, dialect: TermId, into: Option<&SmolStr>) {
        let Some(dialect) = self.terms.as_atom(dialect).cloned() else {
            return;
        };
        let exported = libraries::operators_of(self.dialect, &format!("dialect/{dialect}"));
        let global = libraries::global_operators_of(self.dialect, &dialect);
        self.record(exported.to_vec(), into.cloned());
        self.record(global.to_vec(), Some("user".into()));
        self.effects.operators.global.extend(global.iter().cloned());
        for operator in exported.iter().chain(global) {
            self.operators.add(operator.clone());
        }
        self.effects.emulated = Some(dialect);
    }

    /// Returns the known operators of the system's libraries.
    fn library(&self, file: &FileSpec, kind: ImportKind) -> FileOperators {
        if file.alias.as_deref() != Some("library") || kind == ImportKind::Autoload {
            return FileOperators::default();
        }
        let path = &file.path;
        let emulated = self.effects.emulated.iter();
        let own = emulated.map(|dialect| format!("dialect/{dialect}/{path}"));
        let exported = own
            .map(|path| libraries::operators_of(self.dialect, &path))
            .find(|own| !own.is_empty())
            .unwrap_or_else(|| libraries::operators_of(self.dialect, path));
        FileOperators {
            module: true,
            exported: exported.to_vec(),
            ..FileOperators::default()
        }
    }
}

/// Returns the body of a directive.
pub(crate) fn directive_body(terms: &Terms, clause: TermId) -> Option<TermId> {
    let of = |neck: &str| terms.matches(clause, neck, 1).map(|args| args[0]);
    of(":-").or_else(|| of("?-"))
}

/// Returns the operators that an import list admits. `except(…)` excludes the operators that it lists; a term that is not a list admits
/// none.
fn admitted(terms: &Terms, list: TermId) -> Admitted {
    if let Some(&[excepted]) = terms.matches(list, "except", 1) {
        return Admitted::AllBut(patterns(terms, &terms.list(excepted).0));
    }
    let (elements, rest) = terms.list(list);
    if terms.as_atom(rest).is_none_or(|a| a != NIL) {
        return Admitted::all();
    }
    Admitted::Only(patterns(terms, &elements))
}

/// Returns the operator patterns among the elements of an import list.
fn patterns(terms: &Terms, elements: &[TermId]) -> Vec<OperatorPattern> {
    let of = |e: TermId| {
        let &[priority, kind, name] = terms.matches(e, "op", 3)? else {
            return None;
        };
        let variable = |id| matches!(terms.get(id), Term::Var(_));
        Some(OperatorPattern {
            priority: match terms.get(priority) {
                Term::Integer(p) => Some(p.to_u16()?),
                _ if variable(priority) => None,
                _ => return None,
            },
            kind: if variable(kind) {
                None
            } else {
                Some(OperatorType::from_name(terms.as_atom(kind)?)?)
            },
            name: if variable(name) {
                None
            } else {
                Some(terms.as_atom(name)?.clone())
            },
        })
    };
    elements.iter().copied().filter_map(of).collect()
}

/// Returns the elements of a list, or a term itself if it is not a list.
fn one_or_more(terms: &Terms, id: TermId) -> Vec<TermId> {
    match terms.list(id) {
        (elements, _) if elements.is_empty() => vec![id],
        (elements, _) => elements,
    }
}

/// Returns the operators among the elements of an export list.
fn listed(terms: &Terms, list: TermId) -> Vec<Operator> {
    let mut found = Vec::new();
    for element in terms.list(list).0 {
        if let Some(&[p, t, n]) = terms.matches(element, "op", 3) {
            found.extend(declared(terms, p, t, n));
        }
    }
    found
}

/// Returns the operators that `op(P, T, N)` declares: N is an atom or a list of atoms, each optionally module-qualified.
fn declared(terms: &Terms, priority: TermId, kind: TermId, names: TermId) -> Vec<Operator> {
    let Term::Integer(priority) = terms.get(priority) else {
        return Vec::new();
    };
    let Some(priority) = priority.to_u16().filter(|p| *p <= MAX_PRIORITY) else {
        return Vec::new();
    };
    let Some(kind) = terms.as_atom(kind).and_then(|k| OperatorType::from_name(k)) else {
        return Vec::new();
    };
    let unqualified = |mut id: TermId| {
        while let Some(&[_, name]) = terms.matches(id, ":", 2) {
            id = name;
        }
        id
    };
    let names = unqualified(names);
    let names = match terms.as_atom(names) {
        Some(name) if name != crate::term::NIL => vec![names],
        _ => terms.list(names).0,
    };
    names
        .into_iter()
        .filter_map(|n| terms.as_atom(unqualified(n)))
        // `op/3` rejects these operators.
        .filter(|n| {
            *n != "," && *n != "[]" && *n != "{}" && (*n != "|" || priority == 0 || priority > 1000)
        })
        .map(|name| Operator {
            priority,
            kind,
            name: name.clone(),
        })
        .collect()
}

/// Returns the meaning of quotes that a flag sets.
fn quotes_set(terms: &Terms, flag: TermId, value: TermId) -> Option<Quotes> {
    let value = match terms.as_atom(value)?.as_str() {
        "codes" => QuotedAs::Codes,
        "chars" => QuotedAs::Chars,
        "atom" => QuotedAs::Atom,
        "string" => QuotedAs::String,
        _ => return None,
    };
    let (double, back) = match terms.as_atom(flag)?.as_str() {
        "double_quotes" => (Some(value), None),
        "back_quotes" => (None, Some(value)),
        _ => return None,
    };
    Some(Quotes { double, back })
}

/// Parses `library(http/json)`, `lib/tables`, `"tables.pl"`.
fn file_spec(terms: &Terms, file: TermId) -> Option<FileSpec> {
    let (alias, path) = match (terms.functor(file), terms.args(file)) {
        (Some((name, 1)), &[path]) => (Some(name.clone()), path),
        _ => (None, file),
    };
    if let Term::String(path) = terms.get(path) {
        let path = path.clone();
        return Some(FileSpec { alias, path });
    }
    let path = path_of(terms, path)?.into();
    Some(FileSpec { alias, path })
}

/// Returns a path such as `http/html_write` as text.
fn path_of(terms: &Terms, path: TermId) -> Option<String> {
    let parts: Option<Vec<&str>> = terms
        .chain(path, "/")
        .into_iter()
        .map(|p| terms.as_atom(p).map(SmolStr::as_str))
        .collect();
    Some(parts?.join("/"))
}
