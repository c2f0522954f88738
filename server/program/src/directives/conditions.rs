//! Conditional compilation: decides whether terms between `:- if(Condition)` and `:- endif` are part of the program, without running any
//! goal.
//!
//! ```prolog
//! :- if(current_predicate('$btree_find_node'/5)).     % holds: SWI-Prolog has it in C
//! get_assoc(Key, Tree, Val) :- ….                     % is present
//! :- else.
//! get_assoc(Key, t(K,V,_,L,R), Val) => ….             % is absent
//! :- endif.
//! ```
//!
//! In SWI-Prolog's dialect, conditions about features of every SWI-Prolog version are decided. Conditions about the system on which the file
//! is loaded are decided by assumption ([`answers_assumed`]). Other conditions are left undecided: the terms under them may be present or
//! absent.

use costlens_catalog::is_in_every_version;
use costlens_syntax::term::{ReadClause, TermId, Terms};
use costlens_syntax::{Branch, Dialect, condition_decided};

use super::answers::answers_assumed;
use crate::workspace::{Db, SourceFile};

pub(crate) use costlens_syntax::Presence;

/// The conditions around the terms of a file, read from its beginning.
#[derive(Debug)]
pub struct Conditions(costlens_syntax::Conditions);

impl Conditions {
    pub(crate) fn for_file(db: &dyn Db, file: SourceFile) -> Self {
        let Self(conditions) = Self::of_dialect(file.parsed(db).dialect());
        Self(conditions.assuming(answers_assumed(db, file)))
    }

    /// Creates the state at the beginning of a text.
    #[must_use]
    pub fn of_dialect(dialect: Dialect) -> Self {
        Self(costlens_syntax::Conditions::new(
            dialect,
            is_in_every_version,
        ))
    }

    /// Returns whether the presence of a term at this position is undecided.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.presence() == Presence::Open
    }

    /// Returns whether a term at this position is certainly not part of the program.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.presence() == Presence::Absent
    }

    /// Processes a directive. Returns whether it belongs to conditional compilation.
    pub fn read(&mut self, read: &ReadClause, goal: TermId) -> bool {
        self.0.read(&read.terms, goal)
    }

    /// Returns the branches of undecided conditions around this position, outermost first.
    pub(crate) fn branches(&self) -> Vec<Branch> {
        self.0.branches().collect()
    }

    /// Returns the presence of a term at this position.
    pub(crate) fn presence(&self) -> Presence {
        self.0.presence()
    }
}

/// Decides a condition as every SWI-Prolog 9 does. Returns `None` if versions differ, or if the result is unknown.
#[must_use]
pub fn decided_in_swi(terms: &Terms, condition: TermId) -> Option<bool> {
    condition_decided(terms, condition, Dialect::Swi, is_in_every_version)
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the facts in a text, each with its presence.
    fn presences(text: &str) -> Vec<(String, Presence)> {
        let mut conditions = Conditions::of_dialect(Dialect::Swi);
        let mut found = Vec::new();
        for read in &read_text(text).clauses {
            match crate::language::directive(&read.terms, read.root) {
                Some(goal) => {
                    conditions.read(read, goal);
                }
                None => {
                    let name = read.terms.as_atom(read.root).unwrap().to_string();
                    found.push((name, conditions.presence()));
                }
            }
        }
        found
    }

    fn absent(text: &str) -> String {
        let names = presences(text).into_iter();
        names
            .filter(|(_, p)| *p == Presence::Absent)
            .map(|(n, _)| n)
            .collect()
    }

    #[test]
    fn branches_behind_one_that_holds_are_absent() {
        let text = ":- if(true). a. :- elif(p). b. :- else. c. :- endif. d.";
        assert_eq!(absent(text), "bc");
        assert_eq!(presences(text)[0].1, Presence::There);
        assert_eq!(presences(text)[3].1, Presence::There);
    }

    #[test]
    fn what_is_not_decided_leaves_the_rest_open() {
        let text = ":- if(p). a. :- elif(fail). b. :- else. c. :- endif.";
        assert_eq!(absent(text), "b");
        assert_eq!(presences(text)[0].1, Presence::Open);
        assert_eq!(presences(text)[2].1, Presence::Open);
    }

    #[test]
    fn conditions_nest() {
        let text = ":- if(p). :- if(fail). a. :- else. b. :- endif. c. :- endif. d. :- if(\\+ fail). e. :- endif.";
        assert_eq!(absent(text), "a");
        let open: Vec<String> = (presences(text).into_iter())
            .filter(|(_, p)| *p == Presence::Open)
            .map(|(n, _)| n)
            .collect();
        assert_eq!(open, ["b", "c"]);
    }

    #[test]
    fn what_swi_prolog_has_is_known() {
        let holds = |condition: &str| presences(&format!(":- if({condition}). a. :- endif."))[0].1;
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
