//! Conditional compilation: what is known of the terms between `:- if(Condition)` and `:- endif` without running anything.
//!
//! ```prolog
//! :- if(current_predicate('$btree_find_node'/5)).     % holds: SWI-Prolog has it in C
//! get_assoc(Key, Tree, Val) :- ….                     % is there
//! :- else.
//! get_assoc(Key, t(K,V,_,L,R), Val) => ….             % is not
//! :- endif.
//! ```
//!
//! Conditions that ask for what every SWI-Prolog has are decided in its dialect, and others are left open: what stands under them may be there or not.

use costlens_catalog::is_in_every_version;
use costlens_syntax::Dialect;
use costlens_syntax::term::{ReadClause, Term, TermId, Terms};

use crate::workspace::{Db, SourceFile};

/// True if a term of the file is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is.
    There,
    /// It is not: a condition above it fails.
    Absent,
    /// It depends on conditions that are not decided.
    Open,
}

/// The conditions around the terms of a file, read from its beginning on.
#[derive(Debug)]
pub struct Conditions {
    is_swi: bool,
    open: Vec<Branches>,
}

/// An `if` with the branches read so far. Truth values are none where nothing is known.
#[derive(Debug)]
pub(crate) struct Branches {
    /// True if an earlier branch was taken.
    taken: Option<bool>,
    /// True if this branch is taken.
    now: Option<bool>,
}

impl Conditions {
    pub(crate) fn of(db: &dyn Db, file: SourceFile) -> Self {
        Self::of_dialect(file.parsed(db).dialect())
    }

    /// At the beginning of a text.
    #[must_use]
    pub fn of_dialect(dialect: Dialect) -> Self {
        Self {
            is_swi: dialect == Dialect::Swi,
            open: Vec::new(),
        }
    }

    /// Returns whether a term that stands here may be there or not.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.presence() == Presence::Open
    }

    /// Returns whether a term that stands here is certainly no part of the program.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.presence() == Presence::Absent
    }

    /// Takes a directive in.
    pub fn read(&mut self, read: &ReadClause, goal: TermId) {
        let name = read.terms.functor(goal).map(|(n, a)| (n.as_str(), a));
        let condition = || match read.terms.args(goal) {
            &[condition] => self.decided(&read.terms, condition),
            _ => None,
        };
        match name {
            Some(("if", 1)) => {
                let now = condition();
                self.open.push(Branches {
                    taken: Some(false),
                    now,
                });
            }
            Some(("elif", 1)) => {
                let holds = condition();
                self.next_branch(holds);
            }
            Some(("else", 0)) => self.next_branch(Some(true)),
            Some(("endif", 0)) => drop(self.open.pop()),
            _ => {}
        }
    }

    fn next_branch(&mut self, holds: Option<bool>) {
        if let Some(last) = self.open.last_mut() {
            last.taken = either(last.taken, last.now);
            last.now = both(not(last.taken), holds);
        }
    }

    /// The presence of a term that stands here.
    pub(crate) fn presence(&self) -> Presence {
        let now = self.open.iter().map(|branch| branch.now);
        match now.fold(Some(true), both) {
            Some(true) => Presence::There,
            Some(false) => Presence::Absent,
            None => Presence::Open,
        }
    }

    fn decided(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        decided(terms, condition, self.is_swi, DEEPEST)
    }
}

/// Decides a condition as every SWI-Prolog 9 does; none where versions differ, or nothing is known.
#[must_use]
pub fn decided_in_swi(terms: &Terms, condition: TermId) -> Option<bool> {
    decided(terms, condition, true, DEEPEST)
}

/// How deep control constructs of conditions nest; below nothing is decided.
const DEEPEST: usize = 16;

fn decided(terms: &Terms, condition: TermId, is_swi: bool, depth: usize) -> Option<bool> {
    let of = |c: TermId| decided(terms, c, is_swi, depth.checked_sub(1)?);
    let (name, _) = terms.functor(condition)?;
    match (name.as_str(), terms.args(condition)) {
        ("true", []) => Some(true),
        ("fail" | "false", []) => Some(false),
        // An exception in a part that is not decided would be one of the whole.
        ("\\+", &[c]) => of(c).map(|holds| !holds),
        (",", &[a, b]) => match of(a) {
            Some(true) => of(b),
            first => first.filter(|&holds| !holds),
        },
        (";", &[a, b]) => match of(a) {
            Some(false) => of(b),
            first => first.filter(|&holds| holds),
        },
        ("current_predicate", &[indicator]) if is_swi => {
            let &[name, arity] = terms.matches(indicator, "/", 2)? else {
                return None;
            };
            let Term::Integer(arity) = terms.get(arity) else {
                return None;
            };
            let arity = usize::try_from(arity).ok()?;
            is_in_every_version(terms.as_atom(name)?, arity).then_some(true)
        }
        ("current_prolog_flag", &[flag, value]) if is_swi => {
            let value = terms.as_atom(value)?;
            (terms.as_atom(flag)? == "dialect").then(|| value == "swi")
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// The facts of a text with what is known of each.
    fn of(text: &str) -> Vec<(String, Presence)> {
        let mut conditions = Conditions::of_dialect(Dialect::Swi);
        let mut found = Vec::new();
        for read in &read_text(text).clauses {
            match crate::language::directive(&read.terms, read.root) {
                Some(goal) => conditions.read(read, goal),
                None => {
                    let name = read.terms.as_atom(read.root).unwrap().to_string();
                    found.push((name, conditions.presence()));
                }
            }
        }
        found
    }

    fn absent(text: &str) -> String {
        let names = of(text).into_iter();
        names
            .filter(|(_, p)| *p == Presence::Absent)
            .map(|(n, _)| n)
            .collect()
    }

    #[test]
    fn branches_behind_one_that_holds_are_absent() {
        let text = ":- if(true). a. :- elif(p). b. :- else. c. :- endif. d.";
        assert_eq!(absent(text), "bc");
        assert_eq!(of(text)[0].1, Presence::There);
        assert_eq!(of(text)[3].1, Presence::There);
    }

    #[test]
    fn what_is_not_decided_leaves_the_rest_open() {
        let text = ":- if(p). a. :- elif(fail). b. :- else. c. :- endif.";
        assert_eq!(absent(text), "b");
        assert_eq!(of(text)[0].1, Presence::Open);
        assert_eq!(of(text)[2].1, Presence::Open);
    }

    #[test]
    fn conditions_nest() {
        let text = ":- if(p). :- if(fail). a. :- else. b. :- endif. c. :- endif. d. :- if(\\+ fail). e. :- endif.";
        assert_eq!(absent(text), "a");
        let open: Vec<String> = (of(text).into_iter())
            .filter(|(_, p)| *p == Presence::Open)
            .map(|(n, _)| n)
            .collect();
        assert_eq!(open, ["b", "c"]);
    }

    #[test]
    fn what_swi_prolog_has_is_known() {
        let holds = |condition: &str| of(&format!(":- if({condition}). a. :- endif."))[0].1;
        assert_eq!(holds("current_predicate(is_dict/1)"), Presence::There);
        assert_eq!(
            holds("\\+ current_predicate('$btree_find_node'/5)"),
            Presence::Absent
        );
        assert_eq!(holds("current_predicate(mine/1)"), Presence::Open);
        assert_eq!(holds("current_prolog_flag(dialect, yap)"), Presence::Absent);
        assert_eq!(holds("current_prolog_flag(dialect, D)"), Presence::Open);
        assert_eq!(holds("(fail, p)"), Presence::Absent);
        assert_eq!(holds("(p, fail)"), Presence::Open);
        assert_eq!(holds("true ; p"), Presence::There);
    }
}
