//! Records the calls of centres that are called exactly once, with arguments and use, for comparison with their bounds.

use costlens_machine::{Amounts, Cell, Leave, Observer, Resource, Store};
use costlens_syntax::term::{TermId, Terms};

use crate::checks::measured;
use crate::search::Predicate;

/// The maximum number of subterms in all recorded calls. A call that would exceed it is not recorded.
const MOST_SUBTERMS: usize = 200_000;

/// The calls of a run that are the only call of their centre.
#[derive(Debug)]
pub struct SingleCalls {
    /// The centres in the order of the plan.
    calls: Vec<Calls>,
    /// The number of subterms that may still be copied.
    left: usize,
}

#[derive(Debug)]
struct Calls {
    predicate: Predicate,
    number: u64,
    first: Option<Single>,
    /// The number of subterms of the recorded call.
    subterms: usize,
    since: u64,
}

/// The only call of a centre in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    /// The centre.
    pub predicate: Predicate,
    /// The arena of the goal, as it was at the time of the call.
    pub terms: Terms,
    /// The goal.
    pub goal: TermId,
    /// The steps up to the first solution or failure, including callees.
    pub steps: u64,
    /// Set if the call ended in a solution or failure; a call that is ended by an exception or a limit has an incomplete number of steps.
    pub ended: bool,
}

impl Calls {
    /// Discards the recorded call and returns the number of its subterms.
    fn forget(&mut self) -> usize {
        self.first = None;
        std::mem::take(&mut self.subterms)
    }
}

impl SingleCalls {
    /// Makes an observer of the centres of a plan.
    #[must_use]
    pub fn new(predicates: &[Predicate]) -> Self {
        let calls = predicates.iter().map(|predicate| Calls {
            predicate: predicate.clone(),
            number: 0,
            first: None,
            subterms: 0,
            since: 0,
        });
        SingleCalls {
            calls: calls.collect(),
            left: MOST_SUBTERMS,
        }
    }

    /// Returns the completed calls that were the only calls of their centres.
    pub fn only_calls(&self) -> impl Iterator<Item = &Single> {
        let only = self.calls.iter().filter(|calls| calls.number == 1);
        only.filter_map(|calls| calls.first.as_ref())
            .filter(|call| call.ended)
    }
}

impl Observer for SingleCalls {
    fn called(
        &mut self,
        store: &Store,
        predicate: usize,
        arguments: &[Cell],
        _: &dyn Fn(Cell) -> String,
        so_far: &Amounts,
    ) -> u32 {
        let Some(calls) = self.calls.get_mut(predicate) else {
            return 0;
        };
        calls.number += 1;
        if calls.number > 1 {
            // The call's terms may be large and are no longer needed.
            self.left += calls.forget();
            return 0;
        }
        let (mut terms, mut variables) = (Terms::default(), Vec::new());
        let mut subterms = 0;
        let mut copy = |&cell: &Cell| {
            let (size, _) = measured(store, cell, self.left - subterms)?;
            subterms += size;
            store.write_out(cell, &mut terms, &mut variables)
        };
        let Some(copies) = arguments
            .iter()
            .map(&mut copy)
            .collect::<Option<Vec<TermId>>>()
        else {
            return 0;
        };
        let goal = terms.compound_or_atom(calls.predicate.0.clone(), &copies);
        self.left -= subterms;
        calls.subterms = subterms;
        calls.since = so_far.amount(Resource::Steps);
        calls.first = Some(Single {
            predicate: calls.predicate.clone(),
            terms,
            goal,
            steps: 0,
            ended: false,
        });
        u32::try_from(predicate + 1).unwrap_or(0)
    }

    /// Discards a call on redo, since its use is no longer covered by the bound on the first solution.
    fn redone(&mut self, call: u32, _: &Amounts) {
        if let Some(calls) = self.calls.get_mut(call as usize - 1) {
            self.left += calls.forget();
        }
    }

    fn left(&mut self, call: u32, by: Leave, _: bool, so_far: &Amounts) {
        let calls = self.calls.get_mut(call as usize - 1);
        if let Some(calls) = calls
            && let Some(first) = calls.first.as_mut().filter(|first| !first.ended)
        {
            first.steps = so_far.amount(Resource::Steps).saturating_sub(calls.since);
            first.ended = matches!(by, Leave::Exit | Leave::Fail);
        }
    }
}
