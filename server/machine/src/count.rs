//! The counts of a run.

use std::collections::BTreeMap;

use smol_str::{SmolStr, format_smolstr};

use crate::cell::Cell;
use crate::machine::Machine;
use crate::op::Op;
use crate::ports::PortCounts;

/// Counters of a run.
///
/// Instructions are counted by ranges: the numbers of jumps to each address, and of jumps away from each address, determine how often each
/// instruction ran. The loop therefore does nothing for an instruction after which execution continues at the next instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    arrived: Vec<u64>,
    failed: Vec<u64>,
    left: Vec<u64>,
    /// A count for each instruction, to check the sums; only in debug builds.
    one_by_one: Vec<u64>,
    /// Calls by predicate.
    pub(crate) calls: Vec<u64>,
    /// Entered clauses of interpreted predicates, by predicate.
    dynamic: Vec<u64>,
    /// Heap cells in use when counting began.
    pub(crate) heap_before: usize,
    /// Trail entries in use when counting began.
    pub(crate) trail_before: usize,
    /// Cells of error terms when counting began.
    errors_before: u64,
    /// Heap cells and trail entries reclaimed by backtracking.
    pub(crate) heap_reclaimed: u64,
    pub(crate) trail_reclaimed: u64,
    /// Choice points of dynamic predicates.
    pub(crate) dynamic_choices: u64,
    pub(crate) ports: PortCounts,
    /// References followed by instructions that inspect an argument.
    references: u64,
}

/// A clause of linked code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedClause {
    pub(crate) predicate: u32,
    /// True if the predicate has been linked again since, with more clauses.
    pub(crate) replaced: bool,
    /// The clause's first instruction.
    pub(crate) start: usize,
    /// The instruction before which the head is unified, and the instruction before which the leading tests have run. No jump leads to
    /// either, so the clause is entered as often as they run.
    pub(crate) entered: usize,
    pub(crate) step: usize,
}

#[inline]
pub(crate) fn bump(counters: &mut Vec<u64>, at: usize, times: u64) {
    match counters.get_mut(at) {
        Some(counter) => *counter += times,
        None => first(counters, at, times),
    }
}

#[cold]
fn first(counters: &mut Vec<u64>, at: usize, times: u64) {
    counters.resize(at + 1, 0);
    counters[at] = times;
}

fn count_of(counters: &[u64], at: usize) -> u64 {
    counters.get(at).copied().unwrap_or(0)
}

impl Counts {
    /// Records that control jumped to an address.
    #[inline]
    pub(crate) fn arrived(&mut self, at: usize) {
        bump(&mut self.arrived, at, 1);
    }

    /// Records that the instruction at an address failed: control continues elsewhere.
    #[inline]
    pub(crate) fn failed(&mut self, at: usize) {
        bump(&mut self.failed, at, 1);
    }

    /// Records that control jumps away after the instruction at an address. The instruction has not failed, but has thrown an exception or
    /// created a choice point.
    pub(crate) fn left(&mut self, at: usize) {
        bump(&mut self.left, at, 1);
    }

    #[inline]
    pub(crate) fn called(&mut self, predicate: usize) {
        bump(&mut self.calls, predicate, 1);
    }

    /// Records that an instruction begins. Does nothing in release builds.
    #[inline]
    pub(crate) fn begin_instruction(&mut self, at: usize) {
        if cfg!(debug_assertions) {
            bump(&mut self.one_by_one, at, 1);
        }
    }

    /// Returns the number of times that the instruction at an address failed.
    pub(crate) fn failed_at(&self, at: usize) -> u64 {
        count_of(&self.failed, at)
    }

    /// Returns the number of entered clauses of an interpreted predicate.
    pub(crate) fn dynamic_of(&self, predicate: usize) -> u64 {
        count_of(&self.dynamic, predicate)
    }

    /// Returns the number of times that each instruction ran.
    pub(crate) fn executed(&self, code: &[Op]) -> Vec<u64> {
        let mut passed = 0;
        let runs = code.iter().enumerate().map(|(at, op)| {
            let executed = passed + count_of(&self.arrived, at);
            debug_assert_eq!(executed, count_of(&self.one_by_one, at), "{at}: {op:?}");
            passed = match op.leaves() {
                true => 0,
                false => executed - count_of(&self.failed, at) - count_of(&self.left, at),
            };
            executed
        });
        runs.collect()
    }
}

impl Machine {
    /// Records the name of the instruction at an address.
    pub(crate) fn name_code(&mut self, at: usize, name: SmolStr) {
        let number = match self.instruction_names.iter().position(|n| *n == name) {
            Some(number) => number,
            None => {
                self.instruction_names.push(name);
                self.instruction_names.len() - 1
            }
        };
        self.code_names.resize(at, 0);
        // Zero means no name.
        self.code_names.push(u16::try_from(number + 1).unwrap_or(0));
    }

    /// Returns the counts since the machine was created or since [`Machine::forget_counts`]: `steps`, `head_unifications`, allocations, and
    /// the numbers of successes (`get_list`) and failures (`get_list!`) of each instruction and each built-in (`is/2`).
    ///
    /// Steps, head unifications and instructions are counted in the program and in the libraries from which bounds are inferred. They are
    /// not counted in built-ins and other predicates, whatever their implementation language. Allocations of all predicates are counted.
    #[must_use]
    pub fn events(&self) -> BTreeMap<SmolStr, u64> {
        let mut events: BTreeMap<SmolStr, u64> = BTreeMap::new();
        let mut add = |name: SmolStr, count: u64| {
            if count > 0 {
                *events.entry(name).or_default() += count;
            }
        };
        let executed = self.counts.executed(&self.code);
        add("steps".into(), self.of_clauses(&executed, |c| c.step));
        add(
            "head_unifications".into(),
            self.of_clauses(&executed, |c| c.entered),
        );
        let trail = self.store.trail.len();
        let trail = trail.saturating_sub(self.counts.trail_before);
        add("heap_cells".into(), self.heap_cells());
        add(
            "trail_entries".into(),
            trail as u64 + self.counts.trail_reclaimed,
        );
        add("references".into(), self.counts.references);
        add("choice_points".into(), self.counts.dynamic_choices);
        for (at, &executed) in executed.iter().enumerate() {
            if executed == 0 {
                continue;
            }
            let failed = count_of(&self.counts.failed, at);
            match self.code[at] {
                Op::Try(..) | Op::TryElse(..) | Op::PushCatch(_) => {
                    add("choice_points".into(), executed);
                }
                Op::Allocate(_) => add("environments".into(), executed),
                Op::Builtin(number, _) | Op::ExecuteBuiltin(number, _) => {
                    let functor = self.builtin_functors[number as usize];
                    let name = self.store.atoms.text(functor.functor_name());
                    let name = format_smolstr!("{name}/{}", functor.functor_arity());
                    add(format_smolstr!("{name}(fail)"), failed);
                    add(name, executed - failed);
                }
                _ => {}
            }
            if let Some(name) = self.instruction_name(at).cloned() {
                add(format_smolstr!("{name}(fail)"), failed);
                add(name, executed - failed);
            }
        }
        events
    }

    /// Returns the name under which the instruction at an address counts, or `None` if it is not counted.
    pub(crate) fn instruction_name(&self, at: usize) -> Option<&SmolStr> {
        let number = usize::from(*self.code_names.get(at)?);
        self.instruction_names.get(number.checked_sub(1)?)
    }

    /// Returns the number of heap cells allocated since counting began. The terms of standard errors are not charged to the program.
    pub(crate) fn heap_cells(&self) -> u64 {
        let heap = self.store.heap.len();
        let heap = heap.saturating_sub(self.counts.heap_before);
        let errors = self.store.error_cells - self.counts.errors_before;
        (heap as u64 + self.counts.heap_reclaimed).saturating_sub(errors)
    }

    /// Returns the resolution steps among [`Machine::events`].
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.of_clauses(&self.counts.executed(&self.code), |c| c.step)
    }

    /// Returns the sum over the counted clauses, including clauses of dynamic predicates.
    fn of_clauses(&self, executed: &[u64], mark: impl Fn(&CountedClause) -> usize) -> u64 {
        let counted = |c: &&CountedClause| self.predicates[c.predicate as usize].counted;
        let clauses = self.counted_clauses.iter().filter(counted);
        let compiled: u64 = clauses.map(|c| count_of(executed, mark(c))).sum();
        compiled + self.counts.dynamic.iter().sum::<u64>()
    }

    /// Restarts counting.
    pub fn forget_counts(&mut self) {
        self.counts = Counts {
            heap_before: self.store.heap.len(),
            trail_before: self.store.trail.len(),
            errors_before: self.store.error_cells,
            ..Counts::default()
        };
    }

    /// Counts backtracking from an address to the newest choice point.
    pub(crate) fn count_backtracking(&mut self, at: usize) {
        if self.counts_ports {
            self.port_backtrack(at);
        }
        self.count_reclaimed();
    }

    /// Counts the cells that are reclaimed when the machine backtracks to the newest choice point.
    pub(crate) fn count_reclaimed(&mut self) {
        if let Some(choice) = self.choices.last() {
            let heap = self.store.heap.len().saturating_sub(choice.heap as usize);
            let trail = self.store.trail.len().saturating_sub(choice.trail as usize);
            self.counts.heap_reclaimed += heap as u64;
            self.counts.trail_reclaimed += trail as u64;
        }
    }

    /// Counts the entry of an interpreted clause.
    pub(crate) fn count_dynamic(&mut self, predicate: u32) {
        bump(&mut self.counts.dynamic, predicate as usize, 1);
        self.centres.note_step();
    }

    #[inline]
    pub(crate) fn deref_counting(&mut self, mut cell: Cell) -> Cell {
        while cell.is_reference() {
            let next = self.store.heap[cell.address()];
            if next == cell {
                break;
            }
            self.counts.references += 1;
            cell = next;
        }
        cell
    }
}
