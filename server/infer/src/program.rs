//! The interface to the program: what inference may ask of it.

use std::borrow::Cow;
use std::sync::Arc;

use costlens_events::Event;
use costlens_program::workspace::Version;
use costlens_program::{Clause, Unreached};
use costlens_recurrences::{Direction, Solution, System};

use crate::lattice::regular::Types;
use crate::lattice::types::Pattern;
use crate::report::Functor;
use crate::summary::event_bounds::EventSummary;
use crate::summary::{Solved, Summary};

/// The reason why the written clauses do not determine how a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyOpen {
    /// A sentence about the predicate: `it is dynamic: …`.
    pub reason: Cow<'static, str>,
    /// Advice for the user.
    pub help: Cow<'static, str>,
}

impl WhyOpen {
    /// Returns the reason as a caller states it: `` `p/1` is dynamic, … ``.
    pub(crate) fn of(&self, predicate: &Functor) -> String {
        match self.reason.strip_prefix("it ") {
            Some(rest) => format!("`{predicate}` {rest}"),
            None if self.reason.starts_with("incomplete") => {
                format!("`{predicate}` is {}", self.reason)
            }
            None => format!("nothing is known about `{predicate}`: {}", self.reason),
        }
    }
}

/// The program, as far as inference may ask about it. Nothing here mentions positions or callers.
pub trait Program {
    /// Returns the program that this one is a view of. It answers the questions that the view does not answer itself, so that no view
    /// forgets a question.
    fn beneath(&self) -> Option<&dyn Program> {
        None
    }
    /// Returns the clauses of a predicate that is defined by clauses and is not dynamic. Returns `None` for built-ins and unknown
    /// predicates.
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>>;

    /// Returns whether a name that a program may redefine denotes, or may denote, a predicate of the program: one with known clauses, with
    /// clauses that other files may change, or under a name that is not resolved.
    ///
    /// ```prolog
    /// q :- ignore(fail).
    /// ignore(_) :- fail.      % q fails
    /// ```
    fn may_redefine(&self, predicate: &Functor) -> bool {
        self.is_defined(predicate)
            || self.is_dynamic(predicate)
            || self.why_unreached(predicate).is_some()
    }
    /// Returns whether there are clauses. Unlike a request for the clauses, this does not make the result depend on their contents.
    fn is_defined(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_defined(predicate),
            None => self.clauses(predicate).is_some(),
        }
    }
    /// Returns whether two predicates call each other, directly or indirectly.
    fn same_component(&self, a: &Functor, b: &Functor) -> bool;
    /// Returns whether a predicate belongs to the analysed file, under the name that it has there, so that the names in its clauses have
    /// the same meaning as here.
    fn is_at_home(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_at_home(predicate),
            None => false,
        }
    }
    /// Returns the version of SWI-Prolog whose library runs, or `None` if it is unknown.
    fn version(&self) -> Option<Version> {
        match self.beneath() {
            Some(program) => program.version(),
            None => Some(Version::default()),
        }
    }

    /// Returns whether a predicate is declared dynamic.
    fn is_dynamic(&self, predicate: &Functor) -> bool;

    /// Returns the origin of clauses for a predicate that the system calls by itself (`portray/1`): `this file`, or the name of a file.
    fn hooked_in(&self, hook: &Functor) -> Option<String> {
        match self.beneath() {
            Some(program) => program.hooked_in(hook),
            None => {
                (self.is_defined(hook) || self.is_dynamic(hook)).then(|| "this file".to_owned())
            }
        }
    }

    /// Returns the arguments (from 0) to which a call adds the module of the caller: under `:- meta_predicate p(:)`, `p(Xs)` passes
    /// `user:Xs`. Nothing is known of them, whatever the call passes.
    fn qualified_arguments(&self, predicate: &Functor) -> Vec<usize> {
        match self.beneath() {
            Some(program) => program.qualified_arguments(predicate),
            None => Vec::new(),
        }
    }

    /// Returns whether a predicate is declared by `:- det`: a call that fails, or leaves a choice point, raises an exception.
    fn is_declared_det(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_declared_det(predicate),
            None => false,
        }
    }

    /// Returns whether something is trusted about a predicate, so that there is a summary even without clauses.
    fn is_trusted(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_trusted(predicate),
            None => false,
        }
    }

    /// Returns the summary of what is trusted about a built-in predicate. It is used for the program's own resources only: how the built-in
    /// runs is known better.
    fn stated_of_built_in(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        match self.beneath() {
            Some(program) => program.stated_of_built_in(predicate, pattern),
            None => None,
        }
    }

    /// Returns whether an event of a predicate with clauses is given by a `trust` assertion, and not counted from its clauses.
    fn is_stated(&self, predicate: &Functor, event: &Event) -> bool {
        match self.beneath() {
            Some(program) => program.is_stated(predicate, event),
            None => false,
        }
    }

    /// Returns the reason why the clauses of such a predicate do not determine how a call runs, and what the user can do.
    fn why_dynamic(&self, predicate: &Functor) -> Option<WhyOpen> {
        match self.beneath() {
            Some(program) => program.why_dynamic(predicate),
            None => None,
        }
    }

    /// Returns whether [`Program::clauses`] are not the written ones: specialisation has replaced some goals, so that a machine runs other
    /// code.
    fn is_rewritten(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_rewritten(predicate),
            None => false,
        }
    }

    /// Returns the clauses as written, including those in which [`Program::clauses`] may have other goals.
    fn written(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        match self.beneath() {
            Some(program) => program.written(predicate),
            None => self.clauses(predicate),
        }
    }

    /// Returns the reason why a called predicate is not among those with known clauses, if there is more to say than that no file defines
    /// it.
    fn why_unreached(&self, predicate: &Functor) -> Option<Unreached> {
        match self.beneath() {
            Some(program) => program.why_unreached(predicate),
            None => None,
        }
    }

    /// Returns the reason why a predicate without a visible definition is unknown, if there is more to say than that.
    fn why_undefined(&self, predicate: &Functor) -> Option<Unreached> {
        match self.beneath() {
            Some(program) => program.why_undefined(predicate),
            None => None,
        }
    }

    /// Returns whether the clauses of a predicate are those of `member/2`, whatever its name: see [`crate::membership`].
    fn is_membership(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_membership(predicate),
            None => false,
        }
    }

    /// Returns the types of terms.
    fn types(&self) -> Types {
        match self.beneath() {
            Some(program) => program.types(),
            None => Types::default(),
        }
    }

    /// Returns the pattern that the clauses of a predicate suggest.
    fn suggested_pattern(&self, predicate: &Functor) -> Option<Pattern> {
        match self.beneath() {
            Some(program) => program.suggested_pattern(predicate),
            None => None,
        }
    }
    /// Returns the summary of a predicate of another component.
    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary>;
    /// Returns the summary of a call of the same component that was found while another call was solved ([`crate::infer_together`]).
    /// Returns `None` if it was not kept.
    fn solved(&self, predicate: &Functor, pattern: &Pattern) -> Option<Solved> {
        match self.beneath() {
            Some(program) => program.solved(predicate, pattern),
            None => None,
        }
    }
    /// Allows, until [`Program::gathered`], that a summary that is not computed yet is replaced by that of a call that never succeeds.
    fn gather(&self) {
        if let Some(program) = self.beneath() {
            program.gather();
        }
    }
    /// Ends what [`Program::gather`] began. If summaries were missing, this does not return: all of them are computed first, and the
    /// computation that needed them starts again.
    fn gathered(&self) {
        if let Some(program) = self.beneath() {
            program.gathered();
        }
    }
    /// Returns bounds of the functions of a system. An implementation may return a cached solution.
    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        match self.beneath() {
            Some(program) => program.solve(system, direction, fuel),
            None => costlens_recurrences::solve(system, direction, fuel),
        }
    }
    /// Returns bounds on events other than resolution steps, for the calls that a summary of another component is about.
    fn events(&self, callee: &Summary) -> Arc<EventSummary> {
        match self.beneath() {
            Some(program) => program.events(callee),
            None => Arc::new(EventSummary::nothing_known(callee)),
        }
    }
}
