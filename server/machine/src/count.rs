//! What a run counts.

use std::collections::BTreeMap;

use smol_str::{SmolStr, format_smolstr};

use crate::cell::Cell;
use crate::machine::Machine;
use crate::op::Op;

/// Counters of a run. Those of instructions are kept by address and added up by name when they are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) executed: Vec<u64>,
    pub(crate) failed: Vec<u64>,
    /// Calls by predicate.
    pub(crate) calls: Vec<u64>,
    /// Successful heads by clause.
    pub(crate) entered: Vec<u64>,
    /// Successful heads with successful leading tests, by clause.
    pub(crate) steps: Vec<u64>,
    /// Entered clauses of predicates that run as terms, by predicate.
    pub(crate) dynamic: Vec<u64>,
    /// Cells on the heap when counting began.
    pub(crate) heap_before: usize,
    pub(crate) switch_failures: u64,
    /// Heap cells and trail entries that backtracking took back.
    pub(crate) heap_reclaimed: u64,
    pub(crate) trail_reclaimed: u64,
    /// Choice points of dynamic predicates.
    pub(crate) dynamic_choices: u64,
    /// References followed by instructions that look at an argument.
    pub(crate) references: u64,
}

impl Counts {
    #[inline]
    pub(crate) fn bump(counters: &mut Vec<u64>, at: usize) {
        if let Some(counter) = counters.get_mut(at) {
            *counter += 1;
        } else {
            counters.resize(at + 1, 0);
            counters[at] = 1;
        }
    }
}

impl Machine {
    /// Notes what the instruction at an address is called.
    pub(crate) fn name_code(&mut self, at: usize, name: SmolStr) {
        let number = match self.instruction_names.iter().position(|n| *n == name) {
            Some(number) => number,
            None => {
                self.instruction_names.push(name);
                self.instruction_names.len() - 1
            }
        };
        self.code_names.resize(at, 0);
        // Zero is no name.
        self.code_names.push(u16::try_from(number + 1).unwrap_or(0));
    }

    /// What was counted since the machine was made or [`Machine::forget_counts`]: `steps`, `head_unifications`, what was allocated,
    /// and how often each instruction succeeded (`get_list`) and failed (`get_list!`), each built-in (`is/2`) likewise.
    ///
    /// Steps, head unifications and instructions are those of the program and of the libraries that bounds are inferred from; other
    /// predicates count none, as built-ins do, whatever they are written in. What is allocated is that of all.
    #[must_use]
    pub fn events(&self) -> BTreeMap<SmolStr, u64> {
        let mut events: BTreeMap<SmolStr, u64> = BTreeMap::new();
        let mut add = |name: SmolStr, count: u64| {
            if count > 0 {
                *events.entry(name).or_default() += count;
            }
        };
        add("steps".into(), self.steps());
        add(
            "head_unifications".into(),
            self.of_clauses(&self.counts.entered),
        );
        let heap = self
            .store
            .heap
            .len()
            .saturating_sub(self.counts.heap_before);
        let trail = self.store.trail.len();
        add(
            "heap_cells".into(),
            heap as u64 + self.counts.heap_reclaimed,
        );
        add(
            "trail_entries".into(),
            trail as u64 + self.counts.trail_reclaimed,
        );
        add("references".into(), self.counts.references);
        add("choice_points".into(), self.counts.dynamic_choices);
        for (at, &executed) in self.counts.executed.iter().enumerate() {
            if executed == 0 {
                continue;
            }
            let failed = self.counts.failed.get(at).copied().unwrap_or(0);
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
            let written = self
                .code_names
                .get(at)
                .and_then(|&n| self.instruction_names.get(usize::from(n).checked_sub(1)?));
            if let Some(name) = written.cloned() {
                add(format_smolstr!("{name}(fail)"), failed);
                add(name, executed - failed);
            }
        }
        events
    }

    /// The resolution steps among [`Machine::events`].
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.of_clauses(&self.counts.steps)
    }

    /// The sum over the clauses that count, clauses of dynamic predicates included.
    fn of_clauses(&self, counters: &[u64]) -> u64 {
        let counters = counters.iter().zip(&self.clause_names);
        let compiled: u64 = counters
            .filter(|(_, (predicate, _))| self.predicates[*predicate as usize].counted)
            .map(|(count, _)| count)
            .sum();
        compiled + self.counts.dynamic.iter().sum::<u64>()
    }

    /// Begins to count anew.
    pub fn forget_counts(&mut self) {
        self.counts = Counts {
            heap_before: self.store.heap.len(),
            ..Counts::default()
        };
    }

    pub(crate) fn count_backtracking(&mut self) {
        if let Some(choice) = self.choices.last() {
            let heap = self.store.heap.len().saturating_sub(choice.heap as usize);
            let trail = self.store.trail.len().saturating_sub(choice.trail as usize);
            self.counts.heap_reclaimed += heap as u64;
            self.counts.trail_reclaimed += trail as u64;
        }
    }

    /// A clause that runs as a term was entered.
    pub(crate) fn count_dynamic(&mut self, predicate: u32) {
        Counts::bump(&mut self.counts.dynamic, predicate as usize);
    }

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
