//! Effects of directives on the reading of the clauses behind them.

use num_traits::ToPrimitive as _;
use smol_str::SmolStr;

use crate::dialect::{Dialect, QuotedAs, operators_of_package};
use crate::flags::Flags;
use crate::imports::{FileOperators, FileSpec, Import, ImportKind, KnownFiles, Pattern};
use crate::libraries;
use crate::operators::{MAX_PRIORITY, Operator, OperatorType, Operators};
use crate::term::{NIL, Term, TermId, Terms};

/// The effects of directives on other files.
#[derive(Default)]
pub(crate) struct DirectiveEffects {
    /// The operators that other files get.
    pub(crate) operators: FileOperators,
    /// The files that are named.
    pub(crate) imports: Vec<Import>,
}

/// A directive's place, and what it may change.
pub(crate) struct Directive<'a> {
    pub(crate) terms: &'a Terms,
    /// Its number among the clauses.
    pub(crate) clause: usize,
    pub(crate) dialect: Dialect,
    pub(crate) known: &'a KnownFiles,
    pub(crate) operators: &'a mut Operators,
    pub(crate) flags: &'a mut Flags,
    pub(crate) effects: &'a mut DirectiveEffects,
}

impl Directive<'_> {
    /// Applies a clause, if it is a directive that changes operators or flags. Whether it is a directive.
    pub(crate) fn apply(&mut self, clause: TermId) -> bool {
        let terms = self.terms;
        let Some(&[body]) = terms
            .matches(clause, ":-", 1)
            .or_else(|| terms.matches(clause, "?-", 1))
        else {
            return false;
        };
        for goal in terms.chain(body, ",") {
            self.goal(goal);
        }
        true
    }

    fn goal(&mut self, goal: TermId) {
        let terms = self.terms;
        let Some((name, _)) = terms.functor(goal) else {
            return;
        };
        match (name.as_str(), terms.args(goal)) {
            ("op", &[p, t, n]) => self.declare(p, t, n),
            ("module", &[_, exports, ref more @ ..]) => {
                let found = listed(terms, exports);
                self.effects.operators.module = true;
                self.effects
                    .operators
                    .exported
                    .extend(found.iter().cloned());
                found.into_iter().for_each(|op| self.operators.add(op));
                if let &[packages] = more {
                    self.packages(packages);
                }
            }
            ("use_package", &[packages]) => self.packages(packages),
            ("set_prolog_flag", &[flag, value]) => set_flag(terms, flag, value, self.flags),
            ("use_module", &[file]) => self.import(ImportKind::Module, file, None),
            ("use_module", &[file, list]) => self.import(ImportKind::Module, file, Some(list)),
            ("reexport", &[file]) => self.import(ImportKind::Reexport, file, None),
            ("reexport", &[file, list]) => self.import(ImportKind::Reexport, file, Some(list)),
            ("ensure_loaded" | "consult", &[file]) | ("load_files", &[file, ..]) => {
                self.import(ImportKind::Load, file, None)
            }
            ("[|]", &[_, _]) => self.import(ImportKind::Load, goal, None),
            ("include", &[file]) => self.import(ImportKind::Include, file, None),
            ("autoload", &[file, ..]) => self.import(ImportKind::Autoload, file, None),
            _ => {}
        }
    }

    /// `op(P, T, N)`. With `user:N` it is in force everywhere.
    fn declare(&mut self, priority: TermId, kind: TermId, names: TermId) {
        let terms = self.terms;
        let global = terms.matches(names, ":", 2).is_some_and(|args| {
            terms
                .as_atom(args[0])
                .is_some_and(|m| m == "user" || m == "system")
        });
        let found = declared(terms, priority, kind, names);
        let effects = &mut self.effects.operators;
        let list = if global {
            &mut effects.global
        } else {
            &mut effects.declared
        };
        list.extend(found.iter().cloned());
        found.into_iter().for_each(|op| self.operators.add(op));
    }

    /// Ciao's packages bring operators.
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

    /// The operators of a file, or of each of a list of files, as far as an import list does not leave them out.
    fn import(&mut self, kind: ImportKind, files: TermId, list: Option<TermId>) {
        let terms = self.terms;
        let patterns = list.map_or_else(|| vec![Pattern::default()], |l| patterns(terms, l));
        for file in one_or_more(terms, files) {
            let Some(file) = file_spec(terms, file) else {
                continue;
            };
            let operators = !patterns.is_empty() && kind != ImportKind::Autoload;
            let given = match self.known.0.get(&file) {
                Some(known) => known.given(kind, &patterns),
                None => self.library(&file, kind).given(kind, &patterns),
            };
            if kind == ImportKind::Reexport {
                self.effects
                    .operators
                    .exported
                    .extend(given.iter().cloned());
            }
            if kind == ImportKind::Include {
                self.effects
                    .operators
                    .declared
                    .extend(given.iter().cloned());
            }
            given.into_iter().for_each(|op| self.operators.add(op));
            self.effects.imports.push(Import {
                file,
                kind,
                operators,
                clause: self.clause,
            });
        }
    }

    /// Known operators of the systems' own libraries.
    fn library(&self, file: &FileSpec, kind: ImportKind) -> FileOperators {
        if file.alias.as_deref() != Some("library") || kind == ImportKind::Autoload {
            return FileOperators::default();
        }
        FileOperators {
            module: true,
            exported: libraries::operators_of(self.dialect, &file.path).to_vec(),
            ..FileOperators::default()
        }
    }
}

/// The operators that an import list admits. `except(…)`, or anything that is no list, leaves out those alone that it names.
fn patterns(terms: &Terms, list: TermId) -> Vec<Pattern> {
    let (elements, rest) = terms.list(list);
    if terms.as_atom(rest).is_none_or(|a| a != NIL) {
        return vec![Pattern::default()];
    }
    let of = |e: TermId| {
        let &[priority, kind, name] = terms.matches(e, "op", 3)? else {
            return None;
        };
        let variable = |id| matches!(terms.get(id), Term::Var(_));
        Some(Pattern {
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
    elements.into_iter().filter_map(of).collect()
}

/// The elements of a list, or the one term that is no list.
fn one_or_more(terms: &Terms, id: TermId) -> Vec<TermId> {
    match terms.list(id) {
        (elements, _) if elements.is_empty() => vec![id],
        (elements, _) => elements,
    }
}

/// The operators among the elements of an export list.
fn listed(terms: &Terms, list: TermId) -> Vec<Operator> {
    let mut found = Vec::new();
    for element in terms.list(list).0 {
        if let Some(&[p, t, n]) = terms.matches(element, "op", 3) {
            found.extend(declared(terms, p, t, n));
        }
    }
    found
}

/// The operators that `op(P, T, N)` declares: N is an atom, or a list of atoms, perhaps with a module before it.
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
        // `op/3` refuses these.
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

fn set_flag(terms: &Terms, flag: TermId, value: TermId, flags: &mut Flags) {
    let value = match terms.as_atom(value).map(SmolStr::as_str) {
        Some("codes") => QuotedAs::Codes,
        Some("chars") => QuotedAs::Chars,
        Some("atom") => QuotedAs::Atom,
        Some("string") => QuotedAs::String,
        _ => return,
    };
    match terms.as_atom(flag).map(SmolStr::as_str) {
        Some("double_quotes") => flags.double_quotes = value,
        Some("back_quotes") => flags.back_quotes = value,
        _ => {}
    }
}

/// `library(http/json)`, `lib/tables`, `"tables.pl"`.
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

/// `http/html_write`, as text.
fn path_of(terms: &Terms, path: TermId) -> Option<String> {
    let parts: Option<Vec<&str>> = terms
        .chain(path, "/")
        .into_iter()
        .map(|p| terms.as_atom(p).map(SmolStr::as_str))
        .collect();
    Some(parts?.join("/"))
}
