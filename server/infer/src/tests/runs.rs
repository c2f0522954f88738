//! The number of times that clauses are run.

use std::cell::Cell;
use std::sync::Arc;

use costlens_events::Vocabulary;
use costlens_program::Clause;

use super::{Plain, ints};
use crate::component::{Component, DEFAULT_FUEL};
use crate::lattice::types::Pattern;
use crate::program::Program;
use crate::report::Functor;
use crate::summary::Summary;
use crate::summary::event_bounds::EventSelection;
use crate::{infer, infer_events};

/// A program that counts the runs of clauses that call `mark/0`: each run asks for its summary.
struct Marked {
    program: Plain,
    runs: Cell<usize>,
}

impl Marked {
    fn new(text: &str) -> Self {
        Marked {
            program: Plain::new(text),
            runs: Cell::new(0),
        }
    }

    /// Returns the number of runs since the last call.
    fn runs(&self) -> usize {
        self.runs.take()
    }
}

impl Program for Marked {
    fn beneath(&self) -> Option<&dyn Program> {
        Some(&self.program)
    }
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        self.program.clauses(predicate)
    }
    fn same_component(&self, a: &Functor, b: &Functor) -> bool {
        self.program.same_component(a, b)
    }
    fn is_dynamic(&self, predicate: &Functor) -> bool {
        self.program.is_dynamic(predicate)
    }
    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary> {
        if predicate.name == "mark" {
            self.runs.set(self.runs.get() + 1);
        }
        self.program.summary(predicate, pattern)
    }
}

/// A predicate with two clauses. Each one runs in one of two worlds: for an empty list, or for another.
const VISIT: &str =
    "visit([]) :- mark. visit([X|Xs]) :- mark, Y is X*X, foo(Y) = foo(_), visit(Xs). mark.";
const CLAUSES: usize = 2;

const VOCABULARIES: [Vocabulary; 11] = [
    Vocabulary::HighLevel,
    Vocabulary::Portable,
    Vocabulary::FirstArgument,
    Vocabulary::Ppdp08,
    Vocabulary::Machine,
    Vocabulary::Heap,
    Vocabulary::Swi,
    Vocabulary::SwiOptimised,
    Vocabulary::Gnu,
    Vocabulary::Own,
    Vocabulary::Inferences,
];

fn visit() -> (Functor, Pattern) {
    (Functor::new("visit", 1), Pattern(vec![ints()]))
}

#[test]
fn runs_are_kept_until_other_events_are_counted() {
    let program = Marked::new(VISIT);
    let (name, pattern) = visit();
    let mut component = Component::new(&name, &pattern, &program, DEFAULT_FUEL);
    component.phases();
    // The phases run a clause again when they know more about its recursive call.
    assert!((CLAUSES..=3 * CLAUSES).contains(&program.runs()));
    component.runs();
    assert_eq!(program.runs(), 0);
    for vocabulary in VOCABULARIES {
        component.shared.counting.set(Some(vocabulary));
        component.runs();
        assert_eq!(program.runs(), CLAUSES, "{vocabulary:?}");
        component.runs();
        assert_eq!(program.runs(), 0, "{vocabulary:?}");
    }
}

#[test]
fn all_events_of_a_vocabulary_are_counted_in_one_run() {
    let program = Marked::new(VISIT);
    let (name, pattern) = visit();
    let mut component = Component::new(&name, &pattern, &program, DEFAULT_FUEL);
    component.before_costs();
    let before_costs = program.runs();
    let steps = infer(&name, &pattern, &program, DEFAULT_FUEL);
    program.runs();
    for vocabulary in VOCABULARIES {
        let counted = |wanted: &EventSelection| {
            let events = infer_events(&steps, vocabulary, wanted, &program, DEFAULT_FUEL);
            (events.columns.len(), program.runs())
        };
        let (events, runs) = counted(&EventSelection::Every);
        assert_eq!(runs, before_costs + CLAUSES, "{vocabulary:?}");
        assert!(events >= 1, "{vocabulary:?}");
        let (events, runs_of_none) = counted(&EventSelection::Only(Arc::default()));
        assert_eq!((events, runs_of_none), (0, runs), "{vocabulary:?}");
    }
}
