//! Conditional compilation: decides whether terms between `:- if(Condition)` and `:- endif` are part of the program, without running any
//! goal.

use std::collections::BTreeSet;

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
    /// The modules that do not exist when the text is loaded.
    absent: BTreeSet<SmolStr>,
    open: Vec<Branches>,
}

/// An `if` with the branches read so far. Unknown truth values are `None`.
#[derive(Debug)]
struct Branches {
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
            absent: BTreeSet::new(),
            open: Vec::new(),
        }
    }

    /// Decides that predicates of these modules do not exist: `current_predicate(swish:p/0)`.
    #[must_use]
    pub fn without_modules(self, absent: impl IntoIterator<Item = SmolStr>) -> Self {
        Self {
            absent: absent.into_iter().collect(),
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
                self.open.push(Branches {
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

    fn next_branch(&mut self, holds: Option<bool>) {
        if let Some(last) = self.open.last_mut() {
            last.taken = either(last.taken, last.now);
            last.now = both(not(last.taken), holds);
        }
    }

    fn decided(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        let known = ConditionFacts {
            is_swi: self.is_swi,
            has: self.has,
            absent: Some(&self.absent),
        };
        decided(terms, condition, &known, DEEPEST)
    }
}

/// The facts by which conditions are decided.
struct ConditionFacts<'a> {
    is_swi: bool,
    has: fn(&str, usize) -> bool,
    absent: Option<&'a BTreeSet<SmolStr>>,
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
        absent: None,
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
            if let Some(module) = module_asked(terms, indicator) {
                let is_absent = known.absent.is_some_and(|absent| absent.contains(module));
                return is_absent.then_some(false);
            }
            let &[name, arity] = terms.matches(indicator, "/", 2)? else {
                return None;
            };
            let Term::Integer(arity) = terms.get(arity) else {
                return None;
            };
            let arity = usize::try_from(arity).ok()?;
            (known.has)(terms.as_atom(name)?, arity).then_some(true)
        }
        ("current_prolog_flag", &[flag, value]) if known.is_swi => {
            let value = terms.as_atom(value)?;
            (terms.as_atom(flag)? == "dialect").then(|| value == "swi")
        }
        _ => None,
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

/// Returns the modules in the conditions of a directive that [`Conditions::without_modules`] may decide: `swish` for
/// `:- if(current_predicate(swish:p/0))`.
#[must_use]
pub fn modules_asked(terms: &Terms, directive: TermId) -> Vec<&SmolStr> {
    let is_condition = terms
        .matches(directive, "if", 1)
        .or_else(|| terms.matches(directive, "elif", 1));
    let Some(&[condition]) = is_condition else {
        return Vec::new();
    };
    let asked = terms.subterms(condition).into_iter().filter_map(|t| {
        let &[indicator] = terms.matches(t, "current_predicate", 1)? else {
            return None;
        };
        let module = module_asked(terms, indicator)?;
        (!SYSTEM_MODULES.contains(&module.as_str())).then_some(module)
    });
    asked.collect()
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
