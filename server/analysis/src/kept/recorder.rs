//! A view that records the questions of inference.

use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::sync::Arc;

use costlens_events::Event;
use costlens_infer::regular::Types;
use costlens_infer::relative::UnknownCallee;
use costlens_infer::report::{EvaluatedPoint, Functor, ParameterAssumption, Subject};
use costlens_infer::types::Pattern;
use costlens_infer::{EventSummary, Program, Solved, Summary, WhyOpen};
use costlens_program::workspace::Version;
use costlens_program::{Clause, Unreached};
use costlens_recurrences::{Direction, Solution, System};
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::About;
use super::traced::Traced;

/// The questions that were asked, without the answers.
#[derive(Default)]
pub(super) struct Questions {
    /// For each predicate, the set of questions about it.
    pub(super) about: FxHashMap<Functor, u32>,
    pub(super) components: Asked<(Functor, Functor)>,
    pub(super) of_file: bool,
    pub(super) stated: Asked<Call>,
    pub(super) summaries: Asked<Call>,
    pub(super) solved: Asked<Call>,
    pub(super) at_numbers: Asked<(Functor, Pattern, Vec<i64>)>,
}

type Call = (Functor, Pattern);

/// Questions in the order in which they were first asked, which is the order in which a result names the trust lines that it rests on.
pub(super) struct Asked<T> {
    pub(super) order: Vec<T>,
    seen: FxHashSet<T>,
}

impl<T> Default for Asked<T> {
    fn default() -> Self {
        Asked {
            order: Vec::new(),
            seen: FxHashSet::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Asked<T> {
    fn insert(&mut self, question: T) {
        if self.seen.insert(question.clone()) {
            self.order.push(question);
        }
    }
}

/// A view that records the questions. It answers every question itself: a question that it passed on without a record would be missing in
/// the trace, so it has nothing [`beneath`](Program::beneath) it.
pub(super) struct Recorder<'a> {
    view: &'a dyn Traced,
    questions: RefCell<Questions>,
    /// True if an answer cannot be found again by its question.
    is_lost: Cell<bool>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(view: &'a dyn Traced) -> Self {
        Recorder {
            view,
            questions: RefCell::default(),
            is_lost: Cell::new(false),
        }
    }

    /// Returns the questions, or `None` if they do not determine the result.
    pub(super) fn into_questions(self) -> Option<Questions> {
        (!self.is_lost.get()).then(|| self.questions.into_inner())
    }

    fn about(&self, question: About, of: &Functor) {
        let about = &mut self.questions.borrow_mut().about;
        match about.get_mut(of) {
            Some(asked) => *asked |= question.bit(),
            None => drop(about.insert(of.clone(), question.bit())),
        }
    }

    fn of_file(&self) {
        self.questions.borrow_mut().of_file = true;
    }

    fn call(
        &self,
        of: fn(&mut Questions) -> &mut Asked<Call>,
        predicate: &Functor,
        pattern: &Pattern,
    ) {
        of(&mut self.questions.borrow_mut()).insert((predicate.clone(), pattern.clone()));
    }
}

impl Program for Recorder<'_> {
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        self.about(About::Clauses, predicate);
        self.view.clauses(predicate)
    }

    fn is_defined(&self, predicate: &Functor) -> bool {
        self.about(About::Defined, predicate);
        self.view.is_defined(predicate)
    }

    fn same_component(&self, a: &Functor, b: &Functor) -> bool {
        let both = (a.clone(), b.clone());
        self.questions.borrow_mut().components.insert(both);
        self.view.same_component(a, b)
    }

    fn is_at_home(&self, predicate: &Functor) -> bool {
        self.about(About::AtHome, predicate);
        self.view.is_at_home(predicate)
    }

    fn is_of_library(&self) -> bool {
        self.of_file();
        self.view.is_of_library()
    }

    fn version(&self) -> Option<Version> {
        self.of_file();
        self.view.version()
    }

    fn is_dynamic(&self, predicate: &Functor) -> bool {
        self.about(About::Dynamic, predicate);
        self.view.is_dynamic(predicate)
    }

    fn has_no_clauses(&self, predicate: &Functor) -> bool {
        self.about(About::NoClauses, predicate);
        self.view.has_no_clauses(predicate)
    }

    fn hooked_in(
        &self,
        hook: &Functor,
        may_match: &dyn Fn(&Terms, TermId) -> bool,
    ) -> Option<String> {
        self.about(About::Hooked, hook);
        // A goal cannot be kept: the trace records that the hook has no clauses at all.
        if self.view.hooked_in(hook, &|_, _| true).is_some() {
            self.is_lost.set(true);
        }
        self.view.hooked_in(hook, may_match)
    }

    fn qualified_arguments(&self, predicate: &Functor) -> Vec<usize> {
        self.about(About::Qualified, predicate);
        self.view.qualified_arguments(predicate)
    }

    fn is_declared_det(&self, predicate: &Functor) -> bool {
        self.about(About::DeclaredDet, predicate);
        self.view.is_declared_det(predicate)
    }

    fn unknown_callee(&self, predicate: &Functor) -> Option<UnknownCallee> {
        self.about(About::UnknownCallee, predicate);
        self.view.unknown_callee(predicate)
    }

    fn assumed(&self, predicate: &Functor) -> Vec<ParameterAssumption> {
        self.about(About::Assumed, predicate);
        self.view.assumed(predicate)
    }

    fn in_own_terms(&self, found: &Arc<Summary>) -> Option<Arc<Summary>> {
        // The subject and the summary determine the answer.
        self.about(About::CostSubject, &found.predicate);
        self.view.in_own_terms(found)
    }

    fn constrains(&self, predicate: &Functor) -> bool {
        self.about(About::Constrains, predicate);
        self.view.constrains(predicate)
    }

    fn cost_subject(&self, predicate: &Functor) -> Option<Subject> {
        self.about(About::CostSubject, predicate);
        self.view.cost_subject(predicate)
    }

    fn is_relative(&self, predicate: &Functor) -> bool {
        self.about(About::Relative, predicate);
        self.view.is_relative(predicate)
    }

    fn is_trusted(&self, predicate: &Functor) -> bool {
        self.about(About::Trusted, predicate);
        self.view.is_trusted(predicate)
    }

    fn stated_of_built_in(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        self.call(|q| &mut q.stated, predicate, pattern);
        self.view.stated_of_built_in(predicate, pattern)
    }

    fn is_stated(&self, predicate: &Functor, event: &Event) -> bool {
        // Only bounds on events ask this, and they are not kept.
        self.is_lost.set(true);
        self.view.is_stated(predicate, event)
    }

    fn why_dynamic(&self, predicate: &Functor) -> Option<WhyOpen> {
        self.about(About::WhyDynamic, predicate);
        self.view.why_dynamic(predicate)
    }

    fn is_rewritten(&self, predicate: &Functor) -> bool {
        self.about(About::Rewritten, predicate);
        self.view.is_rewritten(predicate)
    }

    fn written(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        self.about(About::Written, predicate);
        self.view.written(predicate)
    }

    fn why_unreached(&self, predicate: &Functor) -> Option<Unreached> {
        self.about(About::WhyUnreached, predicate);
        self.view.why_unreached(predicate)
    }

    fn why_undefined(&self, predicate: &Functor) -> Option<Unreached> {
        self.about(About::WhyUndefined, predicate);
        self.view.why_undefined(predicate)
    }

    fn is_membership(&self, predicate: &Functor) -> bool {
        self.about(About::Membership, predicate);
        self.view.is_membership(predicate)
    }

    fn types(&self) -> Types {
        self.of_file();
        self.view.types()
    }

    fn suggested_pattern(&self, predicate: &Functor) -> Option<Pattern> {
        self.about(About::Suggested, predicate);
        self.view.suggested_pattern(predicate)
    }

    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary> {
        self.call(|q| &mut q.summaries, predicate, pattern);
        self.view.summary(predicate, pattern)
    }

    fn at_numbers(
        &self,
        predicate: &Functor,
        pattern: &Pattern,
        numbers: &[i64],
    ) -> Option<EvaluatedPoint> {
        let call = (predicate.clone(), pattern.clone(), numbers.to_vec());
        self.questions.borrow_mut().at_numbers.insert(call);
        self.view.at_numbers(predicate, pattern, numbers)
    }

    fn solved(&self, predicate: &Functor, pattern: &Pattern) -> Option<Solved> {
        self.call(|q| &mut q.solved, predicate, pattern);
        self.view.solved(predicate, pattern)
    }

    fn gather(&self) {
        self.view.gather();
    }

    fn gathered(&self) {
        self.view.gathered();
    }

    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        // The system determines the answer.
        self.view.solve(system, direction, fuel)
    }

    fn events(&self, callee: &Summary) -> Arc<EventSummary> {
        // Only bounds on events ask this, and they are not kept.
        self.is_lost.set(true);
        self.view.events(callee)
    }
}
