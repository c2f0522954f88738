//! Inference: from clauses and a call pattern to verified bounds.
//!
//! One component of the call graph is solved at a time, for one entry pattern; callees in other components are solved already
//! and enter as [`Summary`]. The phases, in order (DESIGN "Analysis, in order"):
//!
//! 1. types on success, by a fixpoint over the (predicate, pattern) nodes of the component;
//! 2. sizes of outputs, as recurrences, lower and upper;
//! 3. numbers of solutions, likewise; what has at least one cannot fail;
//! 4. costs: to the first solution and over all, lower and upper.
//!
//! Each phase runs the clauses symbolically (`exec`) in all worlds (`world`) and reads its quantity from the recorded runs
//! (`quantity`); `costlens_algebra::system` solves and verifies.

pub(crate) mod amortised;
pub(crate) mod arith;
pub(crate) mod breakdown;
pub(crate) mod builtins;
pub(crate) mod cause;
pub(crate) mod certified;
pub(crate) mod charges;
pub(crate) mod datum;
pub(crate) mod equations;
pub(crate) mod event_costs;
pub(crate) mod exact;
pub(crate) mod exec;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod facts;
pub(crate) mod kinds;
pub(crate) mod lookup;
pub(crate) mod node;
pub(crate) mod numbers;
pub(crate) mod parts;
pub(crate) mod quantity;
pub(crate) mod relations;
pub(crate) mod relevance;
pub(crate) mod remainders;
pub(crate) mod remembered;
pub(crate) mod report_of;
pub(crate) mod size;
pub(crate) mod solve;
pub(crate) mod state;
pub(crate) mod summary;
pub(crate) mod tabulate;
pub(crate) mod together;
pub(crate) mod tree;
pub(crate) mod trusted;
pub(crate) mod weight;
pub(crate) mod world;

use std::borrow::Cow;
use std::sync::Arc;

use costlens_algebra::system::{Direction, Solution, System};
use costlens_events::Vocabulary;
use costlens_program::Clause;

pub use amortised::Amortised;
pub(crate) use builtins::has_rules;
pub use certified::{Certified, certified};
pub(crate) use costlens_program::language::is_locked;
pub use event_costs::{EventBounds, EventSummary};
pub use summary::{Pieces, Relation, Sides, Summary};
pub use together::Solved;
pub(crate) use trusted::{Line, better::better, trusted, untrusted};

use crate::regular::Regular;
use crate::report::{Breakdown, Evaluated, PredicateName, SizeVariable};
use crate::types::Pattern;

/// Patterns of one predicate inside its component; beyond, they are joined.
pub(crate) const MOST_PATTERNS: usize = 4;

/// Why the clauses that are written do not tell how a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyOpen {
    /// A sentence about the predicate: `it is dynamic: …`.
    pub reason: Cow<'static, str>,
    /// What the user can do.
    pub help: &'static str,
}

/// What inference may ask of the program. Nothing here mentions positions or callers.
pub trait Program {
    /// The clauses of a predicate that is defined with clauses and is not dynamic; none for built-ins and unknown ones.
    fn clauses(&self, predicate: &PredicateName) -> Option<Arc<[Clause]>>;

    /// Whether a name that a program may redefine means, or may mean, a predicate of the program: with clauses that are known, that others
    /// may change, or behind a name that is not settled.
    ///
    /// ```prolog
    /// q :- ignore(fail).
    /// ignore(_) :- fail.      % q fails
    /// ```
    fn may_redefine(&self, predicate: &PredicateName) -> bool {
        self.is_defined(predicate)
            || self.is_dynamic(predicate)
            || self.why_unreached(predicate).is_some()
    }
    /// Whether there are clauses. Unlike asking for them, this does not make the result depend on what they say.
    fn is_defined(&self, predicate: &PredicateName) -> bool {
        self.clauses(predicate).is_some()
    }
    /// Whether two predicates call each other, directly or not.
    fn same_component(&self, a: &PredicateName, b: &PredicateName) -> bool;
    /// Whether a predicate is one of the file that is analysed, under the name that it has there, so that the names in its clauses mean
    /// what they mean here.
    fn is_at_home(&self, _: &PredicateName) -> bool {
        false
    }
    /// Whether a predicate is declared dynamic.
    fn is_dynamic(&self, predicate: &PredicateName) -> bool;

    /// Who gives clauses to a predicate that the system calls by itself (`portray/1`): `this file`, or the name of a file.
    fn hooked_in(&self, hook: &PredicateName) -> Option<String> {
        (self.is_defined(hook) || self.is_dynamic(hook)).then(|| "this file".to_owned())
    }

    /// The arguments (from 0) that a predicate gets with the module of its caller: `p(Xs)` hands over `user:Xs` where `:- meta_predicate p(:)`.
    /// Of these nothing is known, whatever the call passes.
    fn qualified_arguments(&self, _: &PredicateName) -> Vec<usize> {
        Vec::new()
    }

    /// Whether a predicate is declared by `:- det`: a call that fails, or leaves a choice point, raises an exception.
    fn is_declared_det(&self, _: &PredicateName) -> bool {
        false
    }

    /// Whether something is trusted of a predicate, so that there is a summary even without clauses.
    fn is_trusted(&self, _: &PredicateName) -> bool {
        false
    }

    /// Why the clauses of such a predicate do not tell how a call runs, and what the user can do.
    fn why_dynamic(&self, _: &PredicateName) -> Option<WhyOpen> {
        None
    }

    /// Whether [`Program::clauses`] are not the written ones: specialisation put other goals in their place, so that a machine runs
    /// other code.
    fn is_rewritten(&self, _: &PredicateName) -> bool {
        false
    }

    /// Why a predicate that is called is not among those whose clauses are known, where there is more to say than that nobody defines it.
    fn why_unreached(&self, _: &PredicateName) -> Option<costlens_program::Unreached> {
        None
    }

    /// What is to be said of a predicate that nobody defines as far as is known, where there is more to say than that.
    fn why_undefined(&self, _: &PredicateName) -> Option<costlens_program::Unreached> {
        None
    }

    /// The types of terms that the program defines.
    fn types(&self) -> Arc<[Arc<Regular>]> {
        Arc::from([])
    }
    /// The summary of a predicate of another component.
    fn summary(&self, predicate: &PredicateName, pattern: &Pattern) -> Arc<Summary>;
    /// What was found for calls of a predicate of the same component when another call was solved ([`infer_together`]). None where nobody
    /// keeps it.
    fn solved(&self, _: &PredicateName, _: &Pattern) -> Option<Solved> {
        None
    }
    /// From now on a summary that is not there yet may be given as that of a call that never succeeds, until [`Program::gathered`].
    fn gather(&self) {}
    /// Ends what [`Program::gather`] began. Where summaries were missing this does not return: they are computed first, all of them, and what
    /// asked for them begins anew.
    fn gathered(&self) {}
    /// Bounds of the functions of a system; one who solved it before need not solve it again.
    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        costlens_algebra::system::solve(system, direction, fuel)
    }
    /// What is known of other events than resolution steps in the calls that a summary of another component is about.
    fn events(&self, callee: &Summary) -> Arc<EventSummary> {
        Arc::new(EventSummary::nothing_known(callee))
    }
}

/// The fuel that one component gets, once for symbolic runs (goals) and once for the solver (steps); the same in editor and
/// command line.
pub const DEFAULT_FUEL: u64 = 20_000;

/// Infers the bounds of a predicate for calls that fit the pattern.
#[must_use]
pub fn infer(
    entry: &PredicateName,
    pattern: &Pattern,
    program: &dyn Program,
    fuel: u64,
) -> Summary {
    if let Some(solved) = program.solved(entry, pattern)
        && !solved.is_alone
    {
        return Summary::clone(&solved.summary);
    }
    solve::Component::new(entry, pattern, program, fuel).solve()
}

/// Infers the bounds of a predicate for calls that fit the pattern, and with them those of all calls of its component that they lead to.
#[must_use]
pub fn infer_together(
    entry: &PredicateName,
    pattern: &Pattern,
    program: &dyn Program,
    fuel: u64,
) -> Vec<Solved> {
    solve::Component::new(entry, pattern, program, fuel).summaries()
}

/// What the calls in the clauses contribute to the bound, of which `known` is what [`infer`] gave for the same program and fuel. It runs
/// the phases again, so it is for those who look at one predicate.
#[must_use]
pub fn break_down(known: &Summary, program: &dyn Program, fuel: u64) -> Breakdown {
    solve::Component::new(&known.predicate, &known.pattern, program, fuel).break_down(known)
}

/// Upper bounds at given sizes, of which `known` is what [`infer`] gave for the same program and fuel. The points are chosen when it is
/// known which sizes matter.
#[must_use]
pub fn infer_at(
    known: &Summary,
    program: &dyn Program,
    fuel: u64,
    choose: &dyn Fn(&[SizeVariable]) -> Vec<Vec<i64>>,
) -> Evaluated {
    let mut component = solve::Component::new(&known.predicate, &known.pattern, program, fuel);
    let costs = component.phases_again(known);
    let summary = component.summary(&costs, 0);
    tabulate::evaluated_at(&mut component, &costs, &summary, choose)
}

/// Infers the bounds on all other events of a vocabulary than resolution steps, of which `steps` is what [`infer`] gave for the
/// same arguments.
#[must_use]
pub fn infer_events(
    steps: &Summary,
    vocabulary: Vocabulary,
    program: &dyn Program,
    fuel: u64,
) -> EventSummary {
    let component = solve::Component::new(&steps.predicate, &steps.pattern, program, fuel);
    event_costs::solve(component, steps, vocabulary, fuel)
}

#[cfg(test)]
mod tests;
