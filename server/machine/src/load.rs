//! Loading: converts program text into predicates.
//!
//! As in SWI-Prolog, directives run at their position in the text and see the preceding clauses: predicates that have gained clauses since
//! the last directive are linked first. `initialization/1` goals run last.

mod text;

use std::ops::Range;
use std::sync::Arc;

use costlens_catalog::is_locked;
use costlens_compile::code::{self, ClauseText, Indexing};
use costlens_syntax::term::{TermId, Terms};
use costlens_syntax::{
    Dialect, FileTerms, Operator, Parsed, ReadClause, ReadOptions, read, read_text,
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use self::text::{Functor, Item, LineCounter, Loaded};

use crate::cell::Cell;
use crate::database::ClausesEnd;
use crate::machine::Machine;
use crate::predicate::{Implementation, Space};
use crate::solve::Answer;

/// Errors during loading. They do not stop loading.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A clause cannot be parsed.
    #[error("line {line}: {message}")]
    Syntax {
        /// The line at which the clause begins, from 1.
        line: usize,
        /// The reader's message.
        message: String,
    },
    /// A term is not a clause, or cannot be compiled.
    #[error("line {line}: {message}")]
    Clause {
        /// The line at which the clause begins, from 1.
        line: usize,
        /// The reason.
        message: String,
    },
    /// A clause defines a system predicate that cannot be redefined.
    #[error("no permission to modify static procedure `{name}/{arity}`")]
    Protected {
        /// The predicate's name.
        name: SmolStr,
        /// The predicate's arity.
        arity: usize,
    },
    /// A directive did not succeed.
    #[error("line {line}: directive {outcome}")]
    Directive {
        /// The line at which the directive begins, from 1.
        line: usize,
        /// `failed`, or the exception or limit that ended it.
        outcome: String,
    },
}

/// The owner of a text.
#[derive(Clone, Copy)]
struct TextOwner {
    space: Space,
    /// True if its clauses count as steps.
    counted: bool,
    /// True if goals of the text run: directives, and conditions of `:- if`.
    runs: bool,
}

impl TextOwner {
    /// The role of a program whose directives run.
    const PROGRAM: Self = Self {
        space: Space::User,
        counted: true,
        runs: true,
    };

    /// The role of a program whose directives do not run.
    const CLAUSES: Self = Self {
        runs: false,
        ..Self::PROGRAM
    };
}

/// The state of loading a text.
struct Loading {
    role: TextOwner,
    definitions: FxHashMap<Functor, LoadedPredicate>,
    /// The predicates that have gained clauses or become dynamic since they were last linked, in text order.
    changed: Vec<Functor>,
    linked: Vec<(u32, Functor)>,
    errors: Vec<LoadError>,
}

/// A predicate of the text so far.
#[derive(Default)]
struct LoadedPredicate {
    clauses: Vec<Loaded>,
    dynamic: bool,
    /// The number of clauses when the predicate was last linked.
    kept: usize,
    /// True if the predicate is in `changed`.
    due: bool,
}

impl Loading {
    fn new(role: TextOwner) -> Self {
        Self {
            role,
            definitions: FxHashMap::default(),
            changed: Vec::new(),
            linked: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Returns the definition of a predicate that is about to change.
    fn definition(&mut self, functor: Functor) -> &mut LoadedPredicate {
        let definition = self.definitions.entry(functor.clone()).or_default();
        if !std::mem::replace(&mut definition.due, true) {
            self.changed.push(functor);
        }
        definition
    }

    fn add(&mut self, functor: Functor, clause: Loaded) {
        self.definition(functor).clauses.push(clause);
    }
}

/// A file being loaded, with the progress so far.
struct Open<'t> {
    lines: LineCounter<'t>,
    branches: Branches,
    /// The goals that run after loading, with their lines.
    late: Vec<(Arc<Terms>, TermId, usize)>,
}

impl<'t> Open<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            lines: LineCounter::new(text),
            branches: Branches::default(),
            late: Vec::new(),
        }
    }
}

/// An open `:- if`, and the current position in it.
struct OpenCondition {
    /// True if the current branch is read.
    read: bool,
    /// True if no later branch can be read.
    done: bool,
}

/// The open `:- if`s, the innermost last.
#[derive(Default)]
struct Branches(Vec<OpenCondition>);

impl Branches {
    fn are_read(&self) -> bool {
        self.0.iter().all(|b| b.read)
    }
}

impl Machine {
    /// Loads a program: clauses become predicates, and directives run between them.
    ///
    /// Unlike in SWI-Prolog, modules are not name spaces.
    pub fn load(&mut self, text: &str) -> Vec<LoadError> {
        self.load_text(text, TextOwner::PROGRAM)
    }

    /// Loads files that have already been parsed, so that each file can use operators declared in the others. `order` lists ranges of
    /// clauses with their files, in loading order; this determines the clause order of predicates defined in several files. Each error is
    /// paired with the index of its file.
    pub fn load_in_order(
        &mut self,
        files: &[(&str, &FileTerms)],
        order: &[(usize, Range<usize>)],
    ) -> Vec<(usize, LoadError)> {
        self.load_files(files, order, TextOwner::PROGRAM)
    }

    /// Loads like [`Machine::load_in_order`], but runs no goal of the program: see [`Machine::load_clauses`].
    pub fn load_clauses_in_order(
        &mut self,
        files: &[(&str, &FileTerms)],
        order: &[(usize, Range<usize>)],
    ) -> Vec<(usize, LoadError)> {
        self.load_files(files, order, TextOwner::CLAUSES)
    }

    /// Loads like [`Machine::load`], but runs no goal of the program: no directive, and no condition of `:- if`, which is then false.
    /// Declarations still take effect: operators, dynamic predicates.
    pub fn load_clauses(&mut self, text: &str) -> Vec<LoadError> {
        self.load_text(text, TextOwner::CLAUSES)
    }

    /// Reads a goal with the operators of the loaded program. Returns the goal and its named variables, without those that begin with `_`.
    ///
    /// # Errors
    /// Returns the reader's message.
    pub fn read_goal(&mut self, text: &str) -> Result<(Cell, Vec<(SmolStr, Cell)>), String> {
        let options = ReadOptions {
            operators: self.program_operators.clone(),
            ..ReadOptions::default()
        };
        let text = text.trim().trim_end_matches('.');
        let file = read(
            &Parsed::in_dialect(format!("{text} ."), Dialect::Swi),
            &options,
        );
        let [clause] = &file.clauses[..] else {
            return Err(match file.clauses.len() {
                0 => "there is no goal".to_owned(),
                _ => "this is more than one goal".to_owned(),
            });
        };
        if let Some(error) = &clause.error {
            return Err(error.message.clone());
        }
        let (terms, mut root) = (&clause.terms, clause.root);
        if let Some(&[goal]) = terms.matches(root, "?-", 1) {
            root = goal;
        }
        let mut variables = Vec::new();
        let goal = self.store.read_in(terms, root, &mut variables);
        let named = clause.spans.variables.iter().zip(variables);
        let named = named
            .filter(|(name, _)| !name.starts_with('_'))
            .filter_map(|(name, cell)| Some((name.clone(), cell?)))
            .collect();
        Ok((goal, named))
    }

    pub(crate) fn load_library(&mut self) {
        for library in crate::library::texts() {
            let role = TextOwner {
                space: Space::System,
                counted: library.counted,
                runs: true,
            };
            let errors = self.load_text(library.text, role);
            debug_assert!(errors.is_empty(), "{}: {errors:?}", library.name);
        }
    }

    /// Loads a library's source in place of the shipped source: the predicates that it defines replace those with the same names. Its goals
    /// do not run, and clauses that the machine cannot read are skipped.
    pub fn load_library_text(&mut self, text: &str) {
        let role = TextOwner {
            space: Space::System,
            counted: true,
            runs: false,
        };
        self.load_text(text, role);
    }

    fn load_text(&mut self, text: &str, role: TextOwner) -> Vec<LoadError> {
        let file = read_text(text);
        let whole = [(0, 0..file.clauses.len())];
        let errors = self.load_files(&[(text, &file)], &whole, role);
        errors.into_iter().map(|(_, error)| error).collect()
    }

    fn load_files(
        &mut self,
        files: &[(&str, &FileTerms)],
        order: &[(usize, Range<usize>)],
        role: TextOwner,
    ) -> Vec<(usize, LoadError)> {
        let mut loading = Loading::new(role);
        let mut open: Vec<Open<'_>> = files.iter().map(|(text, _)| Open::new(text)).collect();
        let mut found = Vec::new();
        for (number, run) in order {
            let (Some((_, file)), Some(open)) = (files.get(*number), open.get_mut(*number)) else {
                continue;
            };
            if run.start == 0 {
                self.declare_operators(file.operators.exported.iter().cloned());
            }
            self.load_run(
                file.clauses.get(run.clone()).unwrap_or_default(),
                open,
                &mut loading,
            );
            // Link here, so that errors in a clause are reported for its file.
            self.link_loaded(&mut loading);
            if run.end == file.clauses.len() {
                for (terms, goal, line) in std::mem::take(&mut open.late) {
                    self.directive(&terms, goal, line, &mut loading.errors);
                }
            }
            found.extend(loading.errors.drain(..).map(|error| (*number, error)));
        }
        found
    }

    /// Loads consecutive clauses of a file.
    fn load_run(&mut self, clauses: &[ReadClause], open: &mut Open<'_>, loading: &mut Loading) {
        let role = loading.role;
        for clause in clauses {
            let line = open.lines.line(clause.range.0);
            let branches = &mut open.branches;
            if self.is_branch(clause, line, branches, loading) || !branches.are_read() {
                continue;
            }
            let items = match text::items(clause, line) {
                Ok(items) => items,
                Err(error) => {
                    loading.errors.push(error);
                    continue;
                }
            };
            for item in items {
                match item {
                    Item::Clause(functor, clause) => loading.add(functor, clause),
                    Item::Dynamic(functors) => {
                        for functor in functors {
                            loading.definition(functor).dynamic = true;
                        }
                    }
                    Item::Operators(operators) => self.declare_operators(operators),
                    Item::Goal { .. } if !role.runs => {}
                    Item::Goal { goal, late: true } => {
                        open.late.push((Arc::clone(&clause.terms), goal, line));
                    }
                    Item::Goal { goal, late: false } => {
                        self.link_loaded(loading);
                        self.directive(&clause.terms, goal, line, &mut loading.errors);
                    }
                }
            }
        }
    }

    fn declare_operators(&mut self, operators: impl IntoIterator<Item = Operator>) {
        for operator in operators {
            self.operators.add(operator.clone());
            self.program_operators.push(operator);
        }
    }

    /// Links the predicates that have changed since the last call.
    fn link_loaded(&mut self, loading: &mut Loading) {
        let space = loading.role.space;
        let mut due = Vec::new();
        // Create all names first, so that calls find predicates defined further down.
        let mut takes_over = false;
        for functor in std::mem::take(&mut loading.changed) {
            if let Some(definition) = loading.definitions.get_mut(&functor) {
                definition.due = false;
            }
            let name = self.store.atoms.intern(&functor.0);
            let cell = Cell::functor(name, functor.1);
            let system = self.system_names.get(&cell).copied();
            if space == Space::User && is_locked(&functor.0, functor.1) {
                let (name, arity) = functor;
                loading.errors.push(LoadError::Protected { name, arity });
                continue;
            }
            // Code linked earlier may call the system predicate.
            takes_over |=
                space == Space::User && system.is_some() && !self.names.contains_key(&cell);
            let predicate = match space {
                Space::User => self.own_predicate(cell),
                Space::System => self.system_predicate(cell),
            };
            self.predicates[predicate as usize].counted |= loading.role.counted;
            // Calls linked before its code must not treat it as undefined.
            if self.predicates[predicate as usize].kind == Implementation::Undefined {
                self.predicates[predicate as usize].kind = Implementation::Static;
            }
            due.push((predicate, functor));
        }
        if takes_over {
            let again = loading.linked.iter().filter(|l| !due.contains(l));
            let again: Vec<(u32, Functor)> = again.cloned().collect();
            due.extend(again);
        }
        for (predicate, functor) in due {
            self.define(predicate, &functor, loading);
            if !loading.linked.iter().any(|(p, _)| *p == predicate) {
                loading.linked.push((predicate, functor));
            }
        }
    }

    /// Returns whether a condition holds. If the analysis also decides this condition, its decision is used; otherwise the condition is
    /// run.
    fn condition_holds(
        &mut self,
        terms: &Terms,
        condition: TermId,
        line: usize,
        loading: &mut Loading,
    ) -> bool {
        match costlens_program::directives::decided_in_swi(terms, condition) {
            Some(holds) => holds,
            None => self.holds(terms, condition, line, loading),
        }
    }

    /// Recognises and executes `:- if(G)`, `:- elif(G)`, `:- else` and `:- endif`.
    fn is_branch(
        &mut self,
        clause: &ReadClause,
        line: usize,
        branches: &mut Branches,
        loading: &mut Loading,
    ) -> bool {
        let terms = &clause.terms;
        let Some(&[goal]) = terms.matches(clause.root, ":-", 1) else {
            return false;
        };
        let (Some((name, _)), arguments) = (terms.functor(goal), terms.args(goal)) else {
            return false;
        };
        match (name.as_str(), arguments) {
            ("if", &[condition]) => {
                let outer = branches.are_read();
                let holds = outer
                    && loading.role.runs
                    && self.condition_holds(terms, condition, line, loading);
                branches.0.push(OpenCondition {
                    read: holds,
                    done: holds || !outer,
                });
            }
            ("elif", &[condition]) => {
                let due = branches.0.last().is_some_and(|b| !b.done);
                let holds = due
                    && loading.role.runs
                    && self.condition_holds(terms, condition, line, loading);
                if let Some(branch) = branches.0.last_mut() {
                    branch.read = holds;
                    branch.done |= holds;
                }
            }
            ("else", []) => {
                if let Some(branch) = branches.0.last_mut() {
                    branch.read = !branch.done;
                    branch.done = true;
                }
            }
            ("endif", []) => {
                branches.0.pop();
            }
            _ => return false,
        }
        true
    }

    /// Returns whether a condition has a solution. A condition that throws an exception has none, and the exception is reported.
    fn holds(&mut self, terms: &Terms, goal: TermId, line: usize, loading: &mut Loading) -> bool {
        self.link_loaded(loading);
        let errors = &mut loading.errors;
        let before = errors.len();
        let failed = LoadError::Directive {
            line,
            outcome: "failed".to_owned(),
        };
        self.directive(terms, goal, line, errors);
        let holds = errors.len() == before;
        if errors.last() == Some(&failed) {
            errors.pop();
        }
        holds
    }

    /// Compiles a predicate from its clauses so far. Clauses of the program are also stored as terms, for `clause/2`.
    fn define(&mut self, predicate: u32, functor: &Functor, loading: &mut Loading) {
        let space = loading.role.space;
        let Some(definition) = loading.definitions.get_mut(functor) else {
            return;
        };
        if definition.dynamic {
            self.make_dynamic(predicate);
        }
        let new = std::mem::replace(&mut definition.kept, definition.clauses.len());
        if definition.dynamic || space == Space::User {
            for clause in &definition.clauses[new..] {
                self.add_loaded(predicate, clause, &mut loading.errors);
            }
        }
        if definition.dynamic {
            return;
        }
        let (mut codes, mut tests) = (Vec::new(), Vec::new());
        for (number, clause) in definition.clauses.iter().enumerate() {
            let text = ClauseText {
                terms: &clause.terms,
                head: clause.head,
                guard: clause.guard,
                body: clause.body,
                single_sided: clause.single_sided,
            };
            let is_redefined =
                |name: &str, arity: usize| space == Space::User && self.is_redefined(name, arity);
            match code::compile_clause_with(&text, &is_redefined) {
                Ok(code) => {
                    codes.push(code);
                    // A cut follows the guard of a single-sided rule, so its leading tests are all in the guard.
                    let body = match clause.single_sided {
                        true => clause.guard,
                        false => clause.body,
                    };
                    let tests_of = |body| self.leading_tests(&clause.terms, body, space);
                    tests.push(body.map_or(0, tests_of));
                }
                // The error was reported when the clause was new.
                Err(_) if number < new => {}
                Err(error) => loading.errors.push(LoadError::Clause {
                    line: clause.line,
                    message: error.to_string(),
                }),
            }
        }
        let single_sided = definition.clauses.iter().any(|c| c.single_sided);
        let line = definition.clauses.first().map_or(0, |c| c.line);
        let indexing = match space {
            Space::User => self.indexing,
            Space::System => Indexing::FirstArgument,
        };
        let code = code::predicate_indexed(functor.clone(), codes, single_sided, indexing);
        if let Err(error) = self.link(predicate, &code, &tests, space) {
            loading.errors.push(LoadError::Clause {
                line,
                message: error.to_string(),
            });
        }
    }

    /// Stores a clause as a term.
    fn add_loaded(&mut self, predicate: u32, clause: &Loaded, errors: &mut Vec<LoadError>) {
        let mut variables = Vec::new();
        let head = self
            .store
            .read_in(&clause.terms, clause.head, &mut variables);
        let body = match clause.body {
            Some(body) => self.store.read_in(&clause.terms, body, &mut variables),
            None => Cell::atom(crate::atoms::TRUE),
        };
        let term = self.store.compound(crate::atoms::NECK, &[head, body]);
        match self.clause_term(term) {
            Ok(term) => self.add_clause(predicate, &term, ClausesEnd::Last),
            Err(_) => errors.push(LoadError::Clause {
                line: clause.line,
                message: "no clause".to_owned(),
            }),
        }
    }

    fn directive(&mut self, terms: &Terms, goal: TermId, line: usize, errors: &mut Vec<LoadError>) {
        let goal = self.store.read_in(terms, goal, &mut Vec::new());
        self.start(goal);
        let outcome = match self.next_answer() {
            Answer::Yes { .. } => {
                self.cut_to(0);
                self.resume = None;
                return;
            }
            Answer::No => "failed".to_owned(),
            Answer::Error(ball) => {
                let mut terms = Terms::default();
                let shown = self
                    .store
                    .write_out(ball, &mut terms, &mut Vec::new())
                    .map(|id| costlens_syntax::write_term(&terms, id, None));
                format!("threw {}", shown.unwrap_or_default())
            }
            Answer::Limit(limit) => format!("reached the {limit}"),
        };
        errors.push(LoadError::Directive { line, outcome });
    }
}
