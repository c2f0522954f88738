//! A program in which a loop and the predicates that compute its state form one component.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_program::Clause;
use costlens_syntax::term::{Term, TermId, Terms};

use crate::lattice::types::Pattern;
use crate::program::Program;
use crate::report::Functor;
use crate::summary::Summary;
use crate::written::goals;

/// The maximum number of predicates that are analysed together with the loop.
const MOST_JOINED: usize = 6;

/// The maximum number of clauses of the loop and these predicates together.
const MOST_CLAUSES: usize = 40;

/// A view of the program in which a loop and the predicates that compute its state form one component.
pub(super) struct Joined<'a> {
    program: &'a dyn Program,
    pub(super) members: BTreeSet<Functor>,
    /// The clauses of the predicates that compute the state.
    pub(super) clauses: Vec<Arc<[Clause]>>,
}

impl<'a> Joined<'a> {
    /// Returns `None` if there are too many clauses.
    pub(super) fn new(
        program: &'a dyn Program,
        entry: &Functor,
        states: &[Functor],
    ) -> Option<Self> {
        let mut joined = Joined {
            program,
            members: BTreeSet::from([entry.clone()]),
            clauses: Vec::new(),
        };
        let mut left = MOST_CLAUSES.checked_sub(program.clauses(entry)?.len())?;
        let mut open = states.to_vec();
        while let Some(next) = open.pop() {
            if joined.members.contains(&next)
                || program.same_component(entry, &next)
                || !may_join(program, &next)
            {
                continue;
            }
            let clauses = program.clauses(&next)?;
            left = left.checked_sub(clauses.len())?;
            open.extend(called(&clauses));
            joined.members.insert(next);
            joined.clauses.push(clauses);
            if joined.members.len() > MOST_JOINED {
                return None;
            }
        }
        Some(joined)
    }

    /// Returns whether a clause calls its own predicate, directly or indirectly.
    pub(super) fn is_recursive(&self, clause: &Clause) -> bool {
        Functor::from_term(&clause.terms, clause.head).is_some_and(|own| {
            goals(clause)
                .into_iter()
                .filter_map(|goal| Functor::from_term(&clause.terms, goal))
                .any(|other| self.program.same_component(&own, &other))
        })
    }
}

/// Returns whether a predicate is defined in the file by clauses that determine how its calls run.
pub(super) fn may_join(program: &dyn Program, name: &Functor) -> bool {
    program.is_at_home(name)
        && program.is_defined(name)
        && !program.is_dynamic(name)
        && !program.is_trusted(name)
}

impl Program for Joined<'_> {
    fn beneath(&self) -> Option<&dyn Program> {
        Some(self.program)
    }
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        self.program.clauses(predicate)
    }
    fn same_component(&self, a: &Functor, b: &Functor) -> bool {
        (self.members.contains(a) && self.members.contains(b)) || self.program.same_component(a, b)
    }
    fn is_dynamic(&self, predicate: &Functor) -> bool {
        self.program.is_dynamic(predicate)
    }
    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary> {
        self.program.summary(predicate, pattern)
    }
}

fn called(clauses: &[Clause]) -> impl Iterator<Item = Functor> {
    (clauses.iter()).flat_map(|clause| {
        goals(clause)
            .into_iter()
            .filter_map(|goal| Functor::from_term(&clause.terms, goal))
    })
}

pub(super) fn variables(terms: &Terms, t: TermId) -> BTreeSet<u32> {
    (terms.subterms(t).into_iter())
        .filter_map(|part| match terms.get(part) {
            Term::Var(v) => Some(*v),
            _ => None,
        })
        .collect()
}
