//! Loading: texts to predicates.

use std::sync::Arc;

use costlens_events::code::{self, ClauseText, Indexing};
use costlens_program::grammar_rule;
use costlens_program::leading::is_leading_test;
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::{Operator, OperatorType, Parsed, ReadClause, ReadOptions, read, read_text};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::cell::Cell;
use crate::machine::Machine;
use crate::predicate::{Kind, Space};
use crate::solve::Answer;

/// What went wrong while a text was loaded. The rest of it is loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A clause is no term.
    #[error("line {line}: {message}")]
    Syntax {
        /// The line that the clause begins at, from 1.
        line: usize,
        /// What the reader says.
        message: String,
    },
    /// A clause is no clause, or has no code.
    #[error("line {line}: {message}")]
    Clause {
        /// The line that the clause begins at, from 1.
        line: usize,
        /// Why.
        message: String,
    },
    /// The system has the predicate, and its meaning cannot be changed.
    #[error("no permission to modify static procedure `{name}/{arity}`")]
    Protected {
        /// The predicate's name.
        name: SmolStr,
        /// Its arity.
        arity: usize,
    },
    /// A directive did not succeed.
    #[error("line {line}: directive {outcome}")]
    Directive {
        /// The line that the directive begins at, from 1.
        line: usize,
        /// `failed`, or the exception or limit that ended it.
        outcome: String,
    },
}

/// A clause of a predicate that is being loaded.
struct Loaded {
    terms: Arc<Terms>,
    head: TermId,
    guard: Option<TermId>,
    body: Option<TermId>,
    single_sided: bool,
    line: usize,
}

type Functor = (SmolStr, usize);

/// Whose text it is.
#[derive(Clone, Copy)]
struct Role {
    space: Space,
    /// Whether its clauses count as steps.
    counted: bool,
    /// Whether goals of the text run: directives, and conditions of `:- if`.
    runs: bool,
}

impl Role {
    fn program(runs: bool) -> Self {
        Self {
            space: Space::User,
            counted: true,
            runs,
        }
    }
}

/// One `:- if` and where in it the text is.
struct Branch {
    /// Whether what stands here is read.
    read: bool,
    /// Whether no later branch can be.
    done: bool,
}

/// The `:- if` that are open, the innermost last.
#[derive(Default)]
struct Branches(Vec<Branch>);

impl Branches {
    fn are_read(&self) -> bool {
        self.0.iter().all(|b| b.read)
    }
}

#[derive(Default)]
struct Text {
    /// The predicates in the order of their first clauses.
    order: Vec<Functor>,
    clauses: FxHashMap<Functor, Vec<Loaded>>,
    dynamic: FxHashSet<Functor>,
    /// Directives in order, and those of `initialization/1`.
    goals: Vec<(Arc<Terms>, TermId, usize)>,
    late_goals: Vec<(Arc<Terms>, TermId, usize)>,
    operators: Vec<Operator>,
    errors: Vec<LoadError>,
}

impl Machine {
    /// Loads a program: its clauses become predicates, and then its directives run. What `initialization/1` names runs last.
    ///
    /// Differences from SWI-Prolog: directives run when all clauses are there, and modules are no name spaces.
    pub fn load(&mut self, text: &str) -> Vec<LoadError> {
        self.load_text(text, Role::program(true))
    }

    /// The same, but nothing of the program runs: no directive, and no condition of `:- if`, which then does not hold. What is
    /// declared is: operators, dynamic predicates.
    pub fn load_clauses(&mut self, text: &str) -> Vec<LoadError> {
        self.load_text(text, Role::program(false))
    }

    /// Reads a goal with the operators of the loaded program: the goal and its variables with their names, without those that begin
    /// with `_`.
    ///
    /// # Errors
    /// What the reader says of it.
    pub fn read_goal(&mut self, text: &str) -> Result<(Cell, Vec<(SmolStr, Cell)>), String> {
        let options = ReadOptions {
            operators: self.program_operators.clone(),
            ..ReadOptions::default()
        };
        let text = text.trim().trim_end_matches('.');
        let file = read(&Parsed::new(format!("{text} .").as_str()), &options);
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
            let role = Role {
                space: Space::System,
                counted: library.counted,
                runs: true,
            };
            let errors = self.load_text(library.text, role);
            debug_assert!(errors.is_empty(), "{}: {errors:?}", library.name);
        }
    }

    fn load_text(&mut self, text: &str, role: Role) -> Vec<LoadError> {
        let space = role.space;
        let mut loaded = Text::default();
        let file = read_text(text);
        let mut lines = Lines::new(text);
        let mut branches = Branches::default();
        for clause in &file.clauses {
            let line = lines.of(clause.range.0);
            if !self.is_branch(clause, line, role, &mut branches, &mut loaded.errors)
                && branches.are_read()
            {
                loaded.clause(clause, line);
            }
        }
        let Text {
            order,
            mut clauses,
            dynamic,
            goals,
            late_goals,
            operators,
            mut errors,
        } = loaded;
        for operator in operators.into_iter().chain(file.exported_operators) {
            self.operators.add(operator.clone());
            self.program_operators.push(operator);
        }
        // All names first, so that calls find what is defined further down.
        let mut predicates = Vec::new();
        for functor in order {
            let name = self.store.atoms.intern(&functor.0);
            let cell = Cell::functor(name, functor.1);
            let taken = self
                .system_names
                .get(&cell)
                .is_some_and(|&p| self.predicates[p as usize].protected);
            if space == Space::User && taken {
                let (name, arity) = functor;
                errors.push(LoadError::Protected { name, arity });
                continue;
            }
            let predicate = match space {
                Space::User => self.own_predicate(cell),
                Space::System => self.system_predicate(cell),
            };
            self.predicates[predicate as usize].counted |= role.counted;
            // Calls that are linked before its code must not take it for undefined.
            if self.predicates[predicate as usize].kind == Kind::Undefined {
                self.predicates[predicate as usize].kind = Kind::Static;
            }
            predicates.push((predicate, functor));
        }
        for (predicate, functor) in predicates {
            let is_dynamic = dynamic.contains(&functor);
            let clauses = clauses.remove(&functor).unwrap_or_default();
            self.define(predicate, functor, &clauses, is_dynamic, space, &mut errors);
        }
        let goals = goals.into_iter().chain(late_goals).filter(|_| role.runs);
        for (terms, goal, line) in goals {
            self.directive(&terms, goal, line, &mut errors);
        }
        errors
    }

    /// Whether a clause is `:- if(G)`, `:- elif(G)`, `:- else` or `:- endif`, and then what it does. Goals see the system's predicates,
    /// not yet those of the file.
    fn is_branch(
        &mut self,
        clause: &ReadClause,
        line: usize,
        role: Role,
        branches: &mut Branches,
        errors: &mut Vec<LoadError>,
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
                let holds = outer && role.runs && self.holds(terms, condition, line, errors);
                branches.0.push(Branch {
                    read: holds,
                    done: holds || !outer,
                });
            }
            ("elif", &[condition]) => {
                let due = branches.0.last().is_some_and(|b| !b.done);
                let holds = due && role.runs && self.holds(terms, condition, line, errors);
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

    /// Whether a condition has a solution. One that throws has none, and that is told.
    fn holds(
        &mut self,
        terms: &Terms,
        goal: TermId,
        line: usize,
        errors: &mut Vec<LoadError>,
    ) -> bool {
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

    fn define(
        &mut self,
        predicate: u32,
        functor: Functor,
        clauses: &[Loaded],
        dynamic: bool,
        space: Space,
        errors: &mut Vec<LoadError>,
    ) {
        if dynamic {
            self.run_as_terms(predicate, Kind::Dynamic);
        }
        // Clauses of the program can be looked at by clause/2.
        if dynamic || space == Space::User {
            for clause in clauses {
                self.add_loaded(predicate, clause, errors);
            }
        }
        if dynamic {
            return;
        }
        let (mut codes, mut tests) = (Vec::new(), Vec::new());
        for clause in clauses {
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
                    tests.push(self.leading_tests(clause, space));
                }
                Err(error) => errors.push(LoadError::Clause {
                    line: clause.line,
                    message: error.to_string(),
                }),
            }
        }
        let single_sided = clauses.iter().any(|c| c.single_sided);
        let line = clauses.first().map_or(0, |c| c.line);
        let indexing = match space {
            Space::User => self.indexing,
            Space::System => Indexing::FirstArgument,
        };
        let code = code::predicate_indexed(functor, codes, single_sided, indexing);
        if let Err(error) = self.link(predicate, &code, &tests, space) {
            errors.push(LoadError::Clause {
                line,
                message: error.to_string(),
            });
        }
    }

    /// How many of the first goals of a body are tests that belong to the selection of the clause. A type test that the program
    /// defines itself is none.
    fn leading_tests(&self, clause: &Loaded, space: Space) -> usize {
        let Some(body) = clause.body.filter(|_| !clause.single_sided) else {
            return 0;
        };
        let goals = clause.terms.chain(body, ",");
        let is_test = |goal: &&TermId| {
            clause.terms.functor(**goal).is_some_and(|(name, arity)| {
                let own = || space == Space::User && self.is_redefined(name, arity);
                is_leading_test(name, arity) && !own()
            })
        };
        goals.iter().take_while(is_test).count()
    }

    /// Keeps a clause as a term.
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
            Ok(term) => self.add_clause(predicate, &term, true),
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

impl Text {
    fn clause(&mut self, clause: &ReadClause, line: usize) {
        if let Some(error) = &clause.error {
            let message = error.message.clone();
            self.errors.push(LoadError::Syntax { line, message });
            return;
        }
        let (terms, root) = (&clause.terms, clause.root);
        if let Some(&[goal]) = terms
            .matches(root, ":-", 1)
            .or_else(|| terms.matches(root, "?-", 1))
        {
            for goal in terms.chain(goal, ",") {
                self.directive(terms, goal, line);
            }
            return;
        }
        let loaded = match (terms.functor(root), terms.args(root)) {
            (Some((name, 2)), &[head, body]) if name == ":-" => Loaded {
                terms: Arc::clone(terms),
                head,
                guard: None,
                body: Some(body),
                single_sided: false,
                line,
            },
            (Some((name, 2)), &[head, body]) if name == "=>" => {
                let (head, guard) = match terms.matches(head, ",", 2) {
                    Some(&[head, guard]) => (head, Some(guard)),
                    _ => (head, None),
                };
                Loaded {
                    terms: Arc::clone(terms),
                    head,
                    guard,
                    body: Some(body),
                    single_sided: true,
                    line,
                }
            }
            (Some((name, 2)), &[head, body]) if name == "-->" => {
                let Some(rule) = grammar_rule::translate(terms, head, body) else {
                    self.errors.push(LoadError::Clause {
                        line,
                        message: "no grammar rule".to_owned(),
                    });
                    return;
                };
                Loaded {
                    terms: rule.terms,
                    head: rule.head,
                    guard: None,
                    body: Some(rule.body),
                    single_sided: false,
                    line,
                }
            }
            _ => Loaded {
                terms: Arc::clone(terms),
                head: root,
                guard: None,
                body: None,
                single_sided: false,
                line,
            },
        };
        self.add(loaded);
    }

    fn add(&mut self, mut loaded: Loaded) {
        // `M:Head :- Body`
        while let Some(&[_, inner]) = loaded.terms.matches(loaded.head, ":", 2) {
            loaded.head = inner;
        }
        let Some((name, arity)) = loaded.terms.functor(loaded.head) else {
            self.errors.push(LoadError::Clause {
                line: loaded.line,
                message: "the head is no callable term".to_owned(),
            });
            return;
        };
        let functor = (name.clone(), arity);
        self.declare(functor.clone());
        self.clauses.entry(functor).or_default().push(loaded);
    }

    fn declare(&mut self, functor: Functor) {
        if !self.clauses.contains_key(&functor) {
            self.clauses.insert(functor.clone(), Vec::new());
            self.order.push(functor);
        }
    }

    fn directive(&mut self, terms: &Arc<Terms>, goal: TermId, line: usize) {
        let (Some((name, arity)), arguments) = (terms.functor(goal), terms.args(goal)) else {
            self.goals.push((Arc::clone(terms), goal, line));
            return;
        };
        match (name.as_str(), arity) {
            ("dynamic" | "discontiguous" | "thread_local", 1) => {
                for functor in indicators(terms, arguments[0]) {
                    if name != "discontiguous" {
                        self.dynamic.insert(functor.clone());
                        self.declare(functor);
                    }
                }
            }
            ("op", 3) => {
                self.operators.extend(operators(terms, arguments));
            }
            ("initialization", 1 | 2) => {
                self.late_goals
                    .push((Arc::clone(terms), arguments[0], line));
            }
            // What the reader has done, or what has no meaning for one program.
            (
                "module" | "use_module" | "ensure_loaded" | "set_prolog_flag" | "style_check"
                | "multifile" | "table" | "det" | "license" | "encoding" | "meta_predicate"
                | "module_transparent" | "public" | "mode" | "pred" | "entry" | "check" | "trust"
                | "true" | "checked" | "prop" | "regtype" | "doc" | "resource" | "reexport" | "obs"
                | "false",
                _,
            ) => {}
            _ => self.goals.push((Arc::clone(terms), goal, line)),
        }
    }
}

/// What `op(700, xfx, [===, =/=])` declares.
fn operators(terms: &Terms, arguments: &[TermId]) -> Vec<Operator> {
    let &[priority, kind, names] = arguments else {
        return Vec::new();
    };
    let priority = match terms.get(priority) {
        Term::Integer(n) => u16::try_from(n).ok(),
        _ => None,
    };
    let kind = terms
        .as_atom(kind)
        .and_then(|name| OperatorType::from_name(name));
    let (mut names_of, rest) = terms.list(names);
    if names_of.is_empty() {
        names_of.push(rest);
    }
    let (Some(priority), Some(kind)) = (priority, kind) else {
        return Vec::new();
    };
    names_of
        .into_iter()
        .filter_map(|name| terms.as_atom(name))
        .map(|name| Operator {
            priority,
            kind,
            name: name.clone(),
        })
        .collect()
}

/// The predicates that `p/1, q//2` or `[p/1, q/2]` name.
fn indicators(terms: &Terms, id: TermId) -> Vec<Functor> {
    let (mut found, mut stack) = (Vec::new(), vec![id]);
    while let Some(top) = stack.pop() {
        let Some((name, _)) = terms.functor(top) else {
            continue;
        };
        match (name.as_str(), terms.args(top)) {
            ("," | costlens_syntax::term::CONS, &[left, right]) => stack.extend([right, left]),
            ("as", &[inner, _]) | (":", &[_, inner]) => stack.push(inner),
            ("/" | "//", &[name_id, arity]) => {
                let hidden = if name == "//" { 2 } else { 0 };
                if let (Some(name), Term::Integer(n)) = (terms.as_atom(name_id), terms.get(arity))
                    && let Ok(arity) = usize::try_from(n)
                {
                    found.push((name.clone(), arity + hidden));
                }
            }
            _ => {}
        }
    }
    found
}

/// Line numbers of bytes that are asked for in order.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    fn of(&mut self, byte: usize) -> usize {
        if let Some(between) = self.text.as_bytes().get(self.at..byte) {
            self.line += between.iter().filter(|&&b| b == b'\n').count();
            self.at = byte;
        }
        self.line
    }
}
