//! The interface through which inference accesses the program.

use std::borrow::Cow;
use std::sync::Arc;

use costlens_events::Event;
use costlens_program::workspace::Version;
use costlens_program::{Clause, Unreached};
use costlens_recurrences::{Direction, Solution, System};
use costlens_syntax::term::{TermId, Terms};

use crate::lattice::regular::Types;
use crate::lattice::types::Pattern;
use crate::relative::UnknownCallee;
use crate::report::{EvaluatedPoint, Functor, ParameterAssumption, Subject};
use crate::summary::event_bounds::EventSummary;
use crate::summary::{Solved, Summary};

/// The reason why a predicate's written clauses do not determine how calls run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyOpen {
    /// A sentence about the predicate: `it is dynamic: …`.
    pub reason: Cow<'static, str>,
    /// Advice for the user.
    pub help: Cow<'static, str>,
}

impl WhyOpen {
    /// Returns the reason as displayed for a caller: `` `p/1` is dynamic, … ``.
    pub(crate) fn describe(&self, predicate: &Functor) -> String {
        match self.reason.strip_prefix("it ") {
            Some(rest) => format!("`{predicate}` {rest}"),
            None if self.reason.starts_with("incomplete") => {
                format!("`{predicate}` is {}", self.reason)
            }
            None => format!("nothing is known about `{predicate}`: {}", self.reason),
        }
    }
}

/// The program as visible to inference. The interface mentions neither positions nor callers.
pub trait Program {
    /// Returns the underlying program, if this program is a view. The underlying program answers all queries that the view does not
    /// override, so that no view omits a query.
    fn beneath(&self) -> Option<&dyn Program> {
        None
    }
    /// Returns the clauses of a predicate that is defined by clauses and not dynamic. Returns `None` for built-ins and unknown predicates.
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>>;

    /// Returns whether a redefinable name denotes, or may denote, a predicate of the program: a predicate with known clauses, a predicate
    /// whose clauses other files may change, or an unresolved name.
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
    /// Returns whether a predicate has clauses. Unlike [`Program::clauses`], this query does not make the result depend on their contents.
    fn is_defined(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_defined(predicate),
            None => self.clauses(predicate).is_some(),
        }
    }
    /// Returns whether two predicates are mutually recursive.
    fn same_component(&self, a: &Functor, b: &Functor) -> bool;
    /// Returns whether a predicate belongs to the analysed file under its own name, so that names in its clauses have the same meaning as
    /// in the file.
    fn is_at_home(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_at_home(predicate),
            None => false,
        }
    }
    /// Returns whether the analysed file is a library that ships with Costlens.
    fn is_of_library(&self) -> bool {
        match self.beneath() {
            Some(program) => program.is_of_library(),
            None => false,
        }
    }
    /// Returns the version of SWI-Prolog that provides the library, or `None` if it is unknown.
    fn version(&self) -> Option<Version> {
        match self.beneath() {
            Some(program) => program.version(),
            None => Some(Version::default()),
        }
    }

    /// Returns whether a predicate is declared dynamic.
    fn is_dynamic(&self, predicate: &Functor) -> bool;

    /// Returns whether a predicate is taken to have no clauses, so that calls of it fail: a multifile predicate of a library.
    fn has_no_clauses(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.has_no_clauses(predicate),
            None => false,
        }
    }

    /// Returns the origin of the clauses for a predicate that the system calls as a hook (`portray/1`): `this file`, or the name of a file.
    /// Clauses with heads that `may_match` excludes do not count.
    fn hooked_in(
        &self,
        hook: &Functor,
        may_match: &dyn Fn(&Terms, TermId) -> bool,
    ) -> Option<String> {
        match self.beneath() {
            Some(program) => program.hooked_in(hook, may_match),
            None => {
                (self.is_defined(hook) || self.is_dynamic(hook)).then(|| "this file".to_owned())
            }
        }
    }

    /// Returns the indices (from 0) of the arguments to which a call adds the caller's module: under `:- meta_predicate p(:)`, `p(Xs)`
    /// passes `user:Xs`. The values of these arguments are unknown, regardless of the call.
    fn qualified_arguments(&self, predicate: &Functor) -> Vec<usize> {
        match self.beneath() {
            Some(program) => program.qualified_arguments(predicate),
            None => Vec::new(),
        }
    }

    /// Returns whether a predicate is declared by `:- det`: a call that fails or leaves a choice point raises an exception.
    fn is_declared_det(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_declared_det(predicate),
            None => false,
        }
    }

    /// Returns what the cost of a call is a parameter of, if nothing is known about the called predicate.
    fn unknown_callee(&self, predicate: &Functor) -> Option<UnknownCallee> {
        match self.beneath() {
            Some(program) => program.unknown_callee(predicate),
            None => None,
        }
    }

    /// Returns the assumptions under which a predicate's clauses determine how a call runs.
    fn assumed(&self, predicate: &Functor) -> Vec<ParameterAssumption> {
        match self.beneath() {
            Some(program) => program.assumed(predicate),
            None => Vec::new(),
        }
    }

    /// Returns a summary with the cost of its predicate in place of unknown bounds ([`crate::relative::in_own_terms`]), if costs of callees are
    /// parameters here.
    fn in_own_terms(&self, found: &Arc<Summary>) -> Option<Arc<Summary>> {
        self.beneath()?.in_own_terms(found)
    }

    /// Returns whether a predicate of a library puts constraints on variables, so that goals run when these are bound.
    fn constrains(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.constrains(predicate),
            None => false,
        }
    }

    /// Returns what the cost of a call is a parameter of, if the bounds of the called predicate are not used.
    fn cost_subject(&self, predicate: &Functor) -> Option<Subject> {
        match self.beneath() {
            Some(program) => program.cost_subject(predicate),
            None => None,
        }
    }

    /// Returns whether the calls of a predicate whose clauses may change have a summary in terms of the number of its clauses.
    fn is_relative(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_relative(predicate),
            None => false,
        }
    }

    /// Returns whether a predicate has trusted assertions, so that it has a summary even without clauses.
    fn is_trusted(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_trusted(predicate),
            None => false,
        }
    }

    /// Returns the summary of the trusted assertions for a built-in predicate. It is used only for the program's own resources; for
    /// everything else, more precise facts about the built-in are known.
    fn stated_of_built_in(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        match self.beneath() {
            Some(program) => program.stated_of_built_in(predicate, pattern),
            None => None,
        }
    }

    /// Returns whether a `trust` assertion specifies an event of a predicate with clauses, so that its clauses do not count the event.
    fn is_stated(&self, predicate: &Functor, event: &Event) -> bool {
        match self.beneath() {
            Some(program) => program.is_stated(predicate, event),
            None => false,
        }
    }

    /// Returns the reason why a predicate's clauses do not determine how a call runs, and advice for the user.
    fn why_dynamic(&self, predicate: &Functor) -> Option<WhyOpen> {
        match self.beneath() {
            Some(program) => program.why_dynamic(predicate),
            None => None,
        }
    }

    /// Returns whether [`Program::clauses`] differ from the source clauses because specialisation has replaced some goals, so that a
    /// machine runs different code.
    fn is_rewritten(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_rewritten(predicate),
            None => false,
        }
    }

    /// Returns the source clauses, including those in which [`Program::clauses`] may have other goals.
    fn written(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        match self.beneath() {
            Some(program) => program.written(predicate),
            None => self.clauses(predicate),
        }
    }

    /// Returns the reason why the clauses of a called predicate are unknown, if it is more specific than that no file defines the
    /// predicate.
    fn why_unreached(&self, predicate: &Functor) -> Option<Unreached> {
        match self.beneath() {
            Some(program) => program.why_unreached(predicate),
            None => None,
        }
    }

    /// Returns the reason why a predicate is unknown, if it is more specific than the lack of a visible definition.
    fn why_undefined(&self, predicate: &Functor) -> Option<Unreached> {
        match self.beneath() {
            Some(program) => program.why_undefined(predicate),
            None => None,
        }
    }

    /// Returns whether a predicate has the clauses of `member/2`, regardless of its name: see [`crate::membership`].
    fn is_membership(&self, predicate: &Functor) -> bool {
        match self.beneath() {
            Some(program) => program.is_membership(predicate),
            None => false,
        }
    }

    /// Returns the regular types of terms.
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
    /// Returns the summary of a predicate in another component.
    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary>;
    /// Returns upper bounds on the steps of a call in another component whose sizes are these numbers, in the order of the summary's sizes.
    /// They are evaluated from the equations ([`crate::infer_at`]); `None` if that is not possible.
    fn at_numbers(
        &self,
        predicate: &Functor,
        pattern: &Pattern,
        numbers: &[i64],
    ) -> Option<EvaluatedPoint> {
        self.beneath()?.at_numbers(predicate, pattern, numbers)
    }
    /// Returns the summary of a call in the same component that was inferred together with another call ([`crate::infer_together`]).
    /// Returns `None` if it was not kept.
    fn solved(&self, predicate: &Functor, pattern: &Pattern) -> Option<Solved> {
        match self.beneath() {
            Some(program) => program.solved(predicate, pattern),
            None => None,
        }
    }
    /// Allows missing summaries to be replaced by that of a call that never succeeds, until [`Program::gathered`] is called.
    fn gather(&self) {
        if let Some(program) = self.beneath() {
            program.gather();
        }
    }
    /// Ends the phase started by [`Program::gather`]. If summaries were missing, this method does not return: all of them are computed
    /// first, and the computation that needed them is restarted.
    fn gathered(&self) {
        if let Some(program) = self.beneath() {
            program.gathered();
        }
    }
    /// Returns bounds on the functions of a system. An implementation may return a cached solution.
    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        match self.beneath() {
            Some(program) => program.solve(system, direction, fuel),
            None => costlens_recurrences::solve(system, direction, fuel),
        }
    }
    /// Returns bounds on events other than resolution steps, for the calls covered by a summary of another component.
    fn events(&self, callee: &Summary) -> Arc<EventSummary> {
        match self.beneath() {
            Some(program) => program.events(callee),
            None => Arc::new(EventSummary::nothing_known(callee)),
        }
    }
}
