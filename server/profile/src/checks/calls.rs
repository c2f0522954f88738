//! Checks of single calls, made when the calls are left.

use costlens_machine::{Amounts, Cell, Leave, Observer, Store};
use costlens_syntax::assertions::CostType;

use super::conditions::{fits, size_of, text};
use super::{Asserted, Check, Seen, evaluate};

/// The maximum number of calls that are tracked; later calls are not judged.
const MOST_CALLS: usize = 1_000_000;

/// Checks of single calls, and their observations.
#[derive(Debug)]
pub struct CallChecks {
    checks: Vec<Check>,
    seen: Vec<Seen>,
    /// The centres of the plan, each with its checks.
    centres: Vec<Vec<usize>>,
    calls: Vec<JudgedCall>,
}

/// A call to be judged.
#[derive(Debug)]
struct JudgedCall {
    goal: String,
    /// The checks, each with its asserted value for this call.
    checks: Vec<(usize, f64)>,
    /// The run's use when the call was last entered.
    since: Amounts,
    /// The number of entries of the call.
    visit: u32,
    /// For each check, the use of its resource over all visits, over all visits after the first, and over those later visits that ended
    /// with a solution.
    sums: Vec<[u64; 3]>,
}

impl CallChecks {
    /// Creates an observer from the checks and, for each centre, the indices of its checks.
    #[must_use]
    pub fn new(checks: Vec<Check>, centres: Vec<Vec<usize>>) -> Self {
        CallChecks {
            seen: vec![Seen::default(); checks.len()],
            checks,
            centres,
            calls: Vec::new(),
        }
    }

    /// Returns the observations of each check.
    #[must_use]
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }

    fn value(&self, check: usize, store: &Store, arguments: &[Cell]) -> Option<f64> {
        let check = &self.checks[check];
        let Asserted::OfCalls(cost) = &check.asserted else {
            return None;
        };
        if !fits(store, arguments, &check.arguments, &check.limits) {
            return None;
        }
        evaluate::value(&cost.expression, &|metric, argument| {
            size_of(store, *arguments.get(argument)?, metric)
        })
    }
}

impl Observer for CallChecks {
    fn called(
        &mut self,
        store: &Store,
        predicate: usize,
        arguments: &[Cell],
        write: &dyn Fn(Cell) -> String,
        so_far: &Amounts,
    ) -> u32 {
        let numbers = self.centres.get(predicate).cloned().unwrap_or_default();
        let mut checks = Vec::new();
        for number in numbers {
            match self.value(number, store, arguments) {
                Some(asserted) if self.calls.len() < MOST_CALLS => checks.push((number, asserted)),
                _ => self.seen[number].left_out += 1,
            }
        }
        let Some(&(first, _)) = checks.first() else {
            return 0;
        };
        let name = self.checks[first].predicate.0.clone();
        self.calls.push(JudgedCall {
            goal: text(store, &name, arguments, write),
            sums: vec![[0; 3]; checks.len()],
            checks,
            since: *so_far,
            visit: 1,
        });
        u32::try_from(self.calls.len()).unwrap_or(0)
    }

    fn redone(&mut self, call: u32, so_far: &Amounts) {
        if let Some(call) = self.calls.get_mut(call as usize - 1) {
            call.since = *so_far;
            call.visit = call.visit.saturating_add(1);
        }
    }

    fn left(&mut self, call: u32, by: Leave, is_last: bool, so_far: &Amounts) {
        let Some(call) = self.calls.get_mut(call as usize - 1) else {
            return;
        };
        for (&(number, asserted), sums) in call.checks.iter().zip(&mut call.sums) {
            let check = &self.checks[number];
            let resource = check.resource;
            let used = so_far
                .amount(resource)
                .saturating_sub(call.since.amount(resource));
            sums[0] += used;
            if call.visit > 1 {
                sums[1] += used;
                sums[2] += if by == Leave::Exit { used } else { 0 };
            }
            let Asserted::OfCalls(cost) = &check.asserted else {
                continue;
            };
            if let Some((value, complete)) =
                value(cost.cost_type, call.visit, by, is_last, used, *sums)
            {
                #[expect(clippy::cast_precision_loss, reason = "amounts of a run")]
                let value = value as f64;
                let seen = &mut self.seen[number];
                check.judge(seen, Some(&call.goal), value, asserted, complete);
            }
        }
    }
}

/// Returns the value for a cost type when a call is left, and whether it is complete; an incomplete value is a lower bound. If an exception
/// ends the call, the value can only violate an upper bound.
fn value(
    cost_type: CostType,
    visit: u32,
    by: Leave,
    is_last: bool,
    used: u64,
    [all, again, solved]: [u64; 3],
) -> Option<(u64, bool)> {
    let ended = matches!(by, Leave::Exit | Leave::Fail);
    let is_last = ended && is_last;
    match cost_type {
        CostType::Call | CostType::Solution(1) => (visit == 1).then_some((used, ended)),
        CostType::CallExit => (visit == 1 && by == Leave::Exit).then_some((used, true)),
        CostType::CallFail => (visit == 1 && by == Leave::Fail).then_some((used, true)),
        CostType::Solution(number) => {
            (visit == number && by == Leave::Exit).then_some((used, true))
        }
        CostType::AllSolutions => Some((all, is_last)),
        CostType::Redo => (visit > 1).then_some((again, is_last)),
        CostType::RedoExit => {
            let some = visit > 2 || by == Leave::Exit;
            (visit > 1 && some).then_some((solved, is_last))
        }
        CostType::RedoFail => (visit > 1 && by == Leave::Fail).then_some((used, true)),
    }
}
