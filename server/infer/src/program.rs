//! The seam: what inference may ask of the program.

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

/// Why the clauses that are written do not tell how a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyOpen {
    /// A sentence about the predicate: `it is dynamic: …`.
    pub reason: Cow<'static, str>,
    /// Advice for the user.
    pub help: Cow<'static, str>,
}

impl WhyOpen {
    /// The reason in the words of a caller: `` `p/1` is dynamic, … ``.
    pub(crate) fn of(&self, predicate: &Functor) -> String {
        match self.reason.strip_prefix("it ") {
            Some(rest) => format!("`{predicate}` {rest}"),
            None if self.reason.starts_with("incomplete") => {
                format!("`{predicate}` is {}", self.reason)
            }
            None => format!("of `{predicate}` nothing is known: {}", self.reason),
        }
    }
}

/// The program, as far as inference may ask about it. Nothing here mentions positions or callers.
pub trait Program {
    /// The program that this one is a view of. It answers what the view does not answer itself, so that no view forgets a question.
    fn beneath(&self) -> Option<&dyn Program> {
        None
    }
    /// The clauses of a predicate that is defined with clauses and is not dynamic; none for built-ins and unknown ones.
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>>;

    /// Tells whether a name that a program may redefine means, or may mean, a predicate of the program: with clauses that are known, that others
    /// may change, or behind a name that is not settled.
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
    /// Tells whether there are clauses. Unlike asking for them, this does not make the result depend on what they say.
    fn is_defined(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_defined(predicate),
            None => self.clauses(predicate).is_some(),
        }
    }
    /// Tells whether two predicates call each other, directly or not.
    fn same_component(&self, a: &Functor, b: &Functor) -> bool;
    /// Tells whether a predicate is one of the file that is analysed, under the name that it has there, so that the names in its clauses mean
    /// what they mean here.
    fn is_at_home(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_at_home(predicate),
            None => false,
        }
    }
    /// The version of SWI-Prolog whose library runs; none where it is not known.
    fn version(&self) -> Option<Version> {
        match self.beneath() {
            Some(program) => program.version(),
            None => Some(Version::default()),
        }
    }

    /// Tells whether a predicate is declared dynamic.
    fn is_dynamic(&self, predicate: &Functor) -> bool;

    /// Who gives clauses to a predicate that the system calls by itself (`portray/1`): `this file`, or the name of a file.
    fn hooked_in(&self, hook: &Functor) -> Option<String> {
        match self.beneath() {
            Some(program) => program.hooked_in(hook),
            None => {
                (self.is_defined(hook) || self.is_dynamic(hook)).then(|| "this file".to_owned())
            }
        }
    }

    /// The arguments (from 0) to which a call adds the module of the caller: under `:- meta_predicate p(:)`, `p(Xs)` passes `user:Xs`.
    /// Nothing is known of them, whatever the call passes.
    fn qualified_arguments(&self, predicate: &Functor) -> Vec<usize> {
        match self.beneath() {
            Some(program) => program.qualified_arguments(predicate),
            None => Vec::new(),
        }
    }

    /// Tells whether a predicate is declared by `:- det`: a call that fails, or leaves a choice point, raises an exception.
    fn is_declared_det(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_declared_det(predicate),
            None => false,
        }
    }

    /// Tells whether something is trusted of a predicate, so that there is a summary even without clauses.
    fn is_trusted(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_trusted(predicate),
            None => false,
        }
    }

    /// The summary of what is trusted of a built-in predicate, for resources of the program's own alone: how it runs is known better.
    fn stated_of_built_in(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        match self.beneath() {
            Some(program) => program.stated_of_built_in(predicate, pattern),
            None => None,
        }
    }

    /// Tells whether an event of a predicate with clauses is what a `trust` assertion states, and not what its clauses count.
    fn is_stated(&self, predicate: &Functor, event: &Event) -> bool {
        match self.beneath() {
            Some(program) => program.is_stated(predicate, event),
            None => false,
        }
    }

    /// Why the clauses of such a predicate do not tell how a call runs, and what the user can do.
    fn why_dynamic(&self, predicate: &Functor) -> Option<WhyOpen> {
        match self.beneath() {
            Some(program) => program.why_dynamic(predicate),
            None => None,
        }
    }

    /// Tells whether [`Program::clauses`] are not the written ones: specialisation put other goals in their place, so that a machine runs
    /// other code.
    fn is_rewritten(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_rewritten(predicate),
            None => false,
        }
    }

    /// The clauses as they are written, those that [`Program::clauses`] may have other goals for included.
    fn written(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        match self.beneath() {
            Some(program) => program.written(predicate),
            None => self.clauses(predicate),
        }
    }

    /// Why a predicate that is called is not among those whose clauses are known, where there is more to say than that nobody defines it.
    fn why_unreached(&self, predicate: &Functor) -> Option<Unreached> {
        match self.beneath() {
            Some(program) => program.why_unreached(predicate),
            None => None,
        }
    }

    /// Says why a predicate that nobody seems to define is not known, where there is more to say than that.
    fn why_undefined(&self, predicate: &Functor) -> Option<Unreached> {
        match self.beneath() {
            Some(program) => program.why_undefined(predicate),
            None => None,
        }
    }

    /// Tells whether the clauses of a predicate are those of `member/2`, whatever it is called: see [`crate::membership`].
    fn is_membership(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_membership(predicate),
            None => false,
        }
    }

    /// The types of terms.
    fn types(&self) -> Types {
        match self.beneath() {
            Some(program) => program.types(),
            None => Types::default(),
        }
    }

    /// The pattern that the clauses of a predicate suggest.
    fn suggested_pattern(&self, predicate: &Functor) -> Option<Pattern> {
        match self.beneath() {
            Some(program) => program.suggested_pattern(predicate),
            None => None,
        }
    }
    /// The summary of a predicate of another component.
    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary>;
    /// The summary of a call of the same component that was found when another call was solved ([`crate::infer_together`]). None where nobody
    /// keeps it.
    fn solved(&self, predicate: &Functor, pattern: &Pattern) -> Option<Solved> {
        match self.beneath() {
            Some(program) => program.solved(predicate, pattern),
            None => None,
        }
    }
    /// From now on a summary that is not there yet may be given as that of a call that never succeeds, until [`Program::gathered`].
    fn gather(&self) {
        if let Some(program) = self.beneath() {
            program.gather();
        }
    }
    /// Ends what [`Program::gather`] began. Where summaries were missing this does not return: they are computed first, all of them, and what
    /// asked for them begins anew.
    fn gathered(&self) {
        if let Some(program) = self.beneath() {
            program.gathered();
        }
    }
    /// Bounds of the functions of a system; one who solved it before need not solve it again.
    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        match self.beneath() {
            Some(program) => program.solve(system, direction, fuel),
            None => costlens_recurrences::solve(system, direction, fuel),
        }
    }
    /// Bounds on other events than resolution steps in the calls that a summary of another component is about.
    fn events(&self, callee: &Summary) -> Arc<EventSummary> {
        match self.beneath() {
            Some(program) => program.events(callee),
            None => Arc::new(EventSummary::nothing_known(callee)),
        }
    }
}
