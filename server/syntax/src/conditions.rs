//! Conditional compilation: decides whether terms between `:- if(Condition)` and `:- endif` are part of the program, without running any
//! goal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use smol_str::SmolStr;

use crate::dialect::Dialect;
use crate::term::{Term, TermId, Terms};

/// The presence of a file's term in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The term is part of the program.
    There,
    /// The term is not part of the program, because a condition before it fails.
    Absent,
    /// Unknown, because it depends on undecided conditions.
    Open,
}

/// The conditions around the terms of a file, read from the beginning.
#[derive(Debug)]
pub struct Conditions {
    is_swi: bool,
    /// Returns whether every system of the dialect has a predicate with this name and arity.
    has: fn(&str, usize) -> bool,
    /// The answers that are assumed for the system on which the text is loaded.
    assumed: BTreeMap<Question, bool>,
    open: Vec<Branches>,
    /// The number of `if`s read so far.
    read: usize,
}

/// A branch of an `if` whose condition is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    /// The number of the `if` in the text, from 0.
    pub conditional: usize,
    /// The number of the branch, from 0.
    pub branch: usize,
}

/// A question of a condition whose answer depends on the system on which the text is loaded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// `current_predicate(swish:p/0)`: whether the module defines predicates.
    Module(SmolStr),
    /// `current_predicate(p/0)`.
    Predicate(SmolStr, usize),
    /// `exists_source(library(http/json))`: the path in the library.
    Library(SmolStr),
    /// `current_prolog_flag(windows, true)`.
    Flag(SmolStr, SmolStr),
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Module(module) => write!(out, "current_predicate({module}:_)"),
            Question::Predicate(name, arity) => write!(out, "current_predicate({name}/{arity})"),
            Question::Library(path) => write!(out, "exists_source(library({path}))"),
            Question::Flag(flag, value) => write!(out, "current_prolog_flag({flag},{value})"),
        }
    }
}

/// An `if` with the branches read so far. Unknown truth values are `None`.
#[derive(Debug)]
struct Branches {
    /// The number of this `if` and of the branch.
    at: Branch,
    /// True if an earlier branch was taken.
    taken: Option<bool>,
    /// True if this branch is taken.
    now: Option<bool>,
}

impl Conditions {
    /// Creates the state at the beginning of a text.
    #[must_use]
    pub fn new(dialect: Dialect, has: fn(&str, usize) -> bool) -> Self {
        Self {
            is_swi: dialect == Dialect::Swi,
            has,
            assumed: BTreeMap::new(),
            open: Vec::new(),
            read: 0,
        }
    }

    /// Decides these questions.
    #[must_use]
    pub fn assuming(self, answers: impl IntoIterator<Item = (Question, bool)>) -> Self {
        Self {
            assumed: answers.into_iter().collect(),
            ..self
        }
    }

    /// Creates the state at the beginning of a text for the reader, which knows no predicates.
    #[must_use]
    pub fn of_reader(dialect: Dialect) -> Self {
        Self::new(dialect, |_, _| false)
    }

    /// Processes a directive. Returns whether it belongs to conditional compilation.
    pub fn read(&mut self, terms: &Terms, goal: TermId) -> bool {
        let Some((name, _)) = terms.functor(goal) else {
            return false;
        };
        match (name.as_str(), terms.args(goal)) {
            ("if", &[condition]) => {
                let now = self.decided(terms, condition);
                let at = Branch {
                    conditional: self.read,
                    branch: 0,
                };
                self.read += 1;
                self.open.push(Branches {
                    at,
                    taken: Some(false),
                    now,
                });
            }
            ("elif", &[condition]) => {
                let holds = self.decided(terms, condition);
                self.next_branch(holds);
            }
            ("else", []) => self.next_branch(Some(true)),
            ("endif", []) => drop(self.open.pop()),
            _ => return false,
        }
        true
    }

    /// Returns the presence of a term at the current position.
    #[must_use]
    pub fn presence(&self) -> Presence {
        let now = self.open.iter().map(|branch| branch.now);
        match now.fold(Some(true), both) {
            Some(true) => Presence::There,
            Some(false) => Presence::Absent,
            None => Presence::Open,
        }
    }

    /// Returns the branches of undecided conditions around the current position, outermost first.
    pub fn branches(&self) -> impl Iterator<Item = Branch> {
        let undecided = self.open.iter().filter(|branch| branch.now.is_none());
        undecided.map(|branch| branch.at)
    }

    fn next_branch(&mut self, holds: Option<bool>) {
        if let Some(last) = self.open.last_mut() {
            last.at.branch += 1;
            last.taken = either(last.taken, last.now);
            last.now = both(not(last.taken), holds);
        }
    }

    fn decided(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        let known = ConditionFacts {
            is_swi: self.is_swi,
            has: self.has,
            assumed: Some(&self.assumed),
        };
        decided(terms, condition, &known, DEEPEST)
    }
}

/// The facts by which conditions are decided.
struct ConditionFacts<'a> {
    is_swi: bool,
    has: fn(&str, usize) -> bool,
    assumed: Option<&'a BTreeMap<Question, bool>>,
}

/// Decides a condition as every system of a dialect does, where `has` returns whether a predicate exists. Returns `None` if versions differ
/// or the result is unknown.
#[must_use]
pub fn condition_decided(
    terms: &Terms,
    condition: TermId,
    dialect: Dialect,
    has: fn(&str, usize) -> bool,
) -> Option<bool> {
    let known = ConditionFacts {
        is_swi: dialect == Dialect::Swi,
        has,
        assumed: None,
    };
    decided(terms, condition, &known, DEEPEST)
}

/// The maximum nesting depth of control constructs in conditions; conditions with deeper constructs are not decided.
const DEEPEST: usize = 16;

fn decided(
    terms: &Terms,
    condition: TermId,
    known: &ConditionFacts<'_>,
    depth: usize,
) -> Option<bool> {
    let of = |c: TermId| decided(terms, c, known, depth.checked_sub(1)?);
    let assumed = || {
        let answers = known.assumed.filter(|_| known.is_swi)?;
        answers.get(&question(terms, condition)?).copied()
    };
    let (name, _) = terms.functor(condition)?;
    match (name.as_str(), terms.args(condition)) {
        ("true", []) => Some(true),
        ("fail" | "false", []) => Some(false),
        // An exception in an undecided part would raise an exception in the whole condition.
        ("\\+", &[c]) => of(c).map(|holds| !holds),
        (",", &[a, b]) => match of(a) {
            Some(true) => of(b),
            first => first.filter(|&holds| !holds),
        },
        (";", &[a, b]) => match of(a) {
            Some(false) => of(b),
            first => first.filter(|&holds| holds),
        },
        ("current_predicate", &[indicator]) if known.is_swi => {
            let (name, arity) = indicated(terms, indicator).unzip();
            let is_there = name.zip(arity).is_some_and(|(n, a)| (known.has)(n, a));
            if is_there { Some(true) } else { assumed() }
        }
        ("current_prolog_flag", &[flag, value]) if known.is_swi => {
            let value = terms.as_atom(value)?;
            match terms.as_atom(flag)?.as_str() {
                "dialect" => Some(value == "swi"),
                _ => assumed(),
            }
        }
        _ => assumed(),
    }
}

/// Modules that exist without a file.
const SYSTEM_MODULES: [&str; 3] = ["prolog", "system", "user"];

/// Returns `m` for `m:p/0`.
fn module_asked(terms: &Terms, indicator: TermId) -> Option<&SmolStr> {
    let &[module, _] = terms.matches(indicator, ":", 2)? else {
        return None;
    };
    terms.as_atom(module)
}

/// Returns `p/0` as a name and an arity.
fn indicated(terms: &Terms, indicator: TermId) -> Option<(&SmolStr, usize)> {
    let &[name, arity] = terms.matches(indicator, "/", 2)? else {
        return None;
    };
    let Term::Integer(arity) = terms.get(arity) else {
        return None;
    };
    Some((terms.as_atom(name)?, usize::try_from(arity).ok()?))
}

/// Returns the question that a condition without control constructs asks.
fn question(terms: &Terms, condition: TermId) -> Option<Question> {
    let (name, _) = terms.functor(condition)?;
    match (name.as_str(), terms.args(condition)) {
        ("current_predicate", &[indicator]) => match module_asked(terms, indicator) {
            Some(module) => Some(Question::Module(module.clone())),
            None => indicated(terms, indicator).map(|(n, a)| Question::Predicate(n.clone(), a)),
        },
        ("exists_source", &[source]) => {
            let &[path] = terms.matches(source, "library", 1)? else {
                return None;
            };
            Some(Question::Library(path_of(terms, path)?))
        }
        ("current_prolog_flag", &[flag, value]) => {
            let value = match terms.get(value) {
                Term::Integer(n) => n.to_string().into(),
                _ => terms.as_atom(value)?.clone(),
            };
            Some(Question::Flag(terms.as_atom(flag)?.clone(), value))
        }
        _ => None,
    }
}

/// Returns `http/json` as text.
fn path_of(terms: &Terms, mut path: TermId) -> Option<SmolStr> {
    let mut segments = Vec::new();
    while let Some(&[before, segment]) = terms.matches(path, "/", 2) {
        segments.push(terms.as_atom(segment)?.as_str());
        path = before;
    }
    segments.push(terms.as_atom(path)?);
    segments.reverse();
    Some(segments.join("/").into())
}

/// Returns the questions in the conditions of a directive that [`Conditions::assuming`] may decide: `swish` for
/// `:- if(current_predicate(swish:p/0))`.
#[must_use]
pub fn questions(terms: &Terms, directive: TermId) -> BTreeSet<Question> {
    let is_condition = terms
        .matches(directive, "if", 1)
        .or_else(|| terms.matches(directive, "elif", 1));
    let Some(&[condition]) = is_condition else {
        return BTreeSet::new();
    };
    let asked = terms.subterms(condition).into_iter();
    let is_system =
        |q: &Question| matches!(q, Question::Module(m) if SYSTEM_MODULES.contains(&m.as_str()));
    asked
        .filter_map(|t| question(terms, t))
        .filter(|q| !is_system(q))
        .collect()
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(both(not(a), not(b)))
}
