//! Environments and choice points.
//!
//! Environments are frames in one vector: the previous frame, the continuation, then the slots. The call instruction that returns to a
//! frame records how many of its slots are still needed; a frame is reused when no choice point protects it. Choice points are in a second
//! vector, and the registers that they save are in a third, so a cut is a truncation.

use crate::cell::Cell;
use crate::machine::{Machine, REGISTERS};
use crate::op::{Address, Op};
use crate::store::Mark;

/// The number of words before the slots of an environment.
pub(crate) const HEADER: usize = 2;

/// A choice point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The address at which backtracking to it continues.
    pub(crate) next: Address,
    /// The environment and the continuation.
    pub(crate) e: u32,
    pub(crate) cp: Address,
    /// The cut level of the clause.
    pub(crate) b0: u32,
    pub(crate) heap: u32,
    pub(crate) trail: u32,
    pub(crate) boxes: u32,
    /// The start of the saved registers.
    pub(crate) saved: u32,
    /// Environments below this address are needed.
    pub(crate) env_top: u32,
    /// The cost centre's activation that contains the choice point.
    pub(crate) activation: u32,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "limits keep every stack below 2^32 words"
)]
impl Machine {
    /// Returns the lowest address for the next environment, which follows the live slots of the current environment. The call instruction
    /// of the current continuation records the number of live slots. (Backtracking restores environment and continuation together; a length
    /// stored in the frame would belong to a later call.)
    #[inline]
    pub(crate) fn env_top(&self) -> usize {
        let live = match self.code[self.cp - 1] {
            Op::Call(_, live) | Op::CallAddress(_, live) => live as usize,
            _ => 0,
        };
        let top = self.e + HEADER + live;
        match self.choices.last() {
            Some(choice) if choice.env_top as usize > top => choice.env_top as usize,
            _ => top,
        }
    }

    #[inline]
    pub(crate) fn allocate(&mut self, slots: usize) {
        let top = self.env_top();
        if top + HEADER + slots > self.stack.len() {
            self.grow_stack(top + HEADER + slots);
        }
        let frame = &mut self.stack[top..top + HEADER];
        frame[0] = self.e as u64;
        frame[1] = self.cp as u64;
        self.e = top;
    }

    #[cold]
    fn grow_stack(&mut self, needed: usize) {
        self.stack.resize(needed + needed / 2 + 64, 0);
    }

    #[inline]
    pub(crate) fn deallocate(&mut self) {
        self.cp = self.stack[self.e + 1] as usize;
        self.e = self.stack[self.e] as usize;
    }

    #[inline]
    pub(crate) fn slot(&self, y: u16) -> Cell {
        Cell::from_bits(self.stack[self.e + HEADER + y as usize])
    }

    #[inline]
    pub(crate) fn set_slot(&mut self, y: u16, cell: Cell) {
        let at = self.e + HEADER + y as usize;
        self.stack[at] = cell.bits();
    }

    /// Pushes a new choice point that saves the first registers.
    #[inline]
    pub(crate) fn push_choice(&mut self, next: usize, arity: usize) {
        let env_top = self.env_top();
        self.push_choice_above(next, arity, env_top, self.b0);
    }

    #[inline]
    pub(crate) fn push_choice_above(
        &mut self,
        next: usize,
        arity: usize,
        env_top: usize,
        b0: usize,
    ) {
        let saved = self.saved.len();
        self.save_registers(arity);
        let mark = self.store.mark();
        self.choices.push(Choice {
            next: next as Address,
            e: self.e as u32,
            cp: self.cp as Address,
            b0: b0 as u32,
            heap: mark.heap as u32,
            trail: mark.trail as u32,
            boxes: mark.boxes as u32,
            saved: saved as u32,
            env_top: env_top as u32,
            activation: self.activation,
        });
    }

    /// Saves the first registers. Copies of a fixed size need no call, so four registers are copied at a time.
    #[inline]
    fn save_registers(&mut self, arity: usize) {
        let before = self.saved.len();
        let mut from = 0;
        while from < arity {
            let [a, b, c, d] = [0, 1, 2, 3].map(|n| self.x[(from + n) % REGISTERS]);
            self.saved.extend([a, b, c, d]);
            from += 4;
        }
        self.saved.truncate(before + arity);
    }

    /// Restores the state of the newest choice point, including registers. Returns the address at which to continue.
    #[inline]
    pub(crate) fn backtrack(&mut self) -> usize {
        let Some(&choice) = self.choices.last() else {
            return crate::control::EXHAUSTED;
        };
        self.store.undo_to(Mark {
            heap: choice.heap as usize,
            trail: choice.trail as usize,
            boxes: choice.boxes as usize,
        });
        let saved = &self.saved[choice.saved as usize..];
        for (register, &value) in self.x.iter_mut().zip(saved) {
            *register = value;
        }
        self.e = choice.e as usize;
        self.cp = choice.cp as usize;
        self.b0 = choice.b0 as usize;
        choice.next as usize
    }

    /// Backtracks, and runs the instruction there if it only chooses the next clause.
    pub(crate) fn backtrack_to_clause(&mut self) -> usize {
        let next = self.backtrack();
        match self.code[next] {
            Op::Trust(clause) => {
                self.drop_choice();
                clause as usize
            }
            Op::Retry(clause) => {
                self.set_alternative(next + 1);
                clause as usize
            }
            Op::TrustElse => {
                self.drop_choice();
                next + 1
            }
            _ => next,
        }
    }

    /// Sets the address at which backtracking to the newest choice point continues.
    #[inline]
    pub(crate) fn set_alternative(&mut self, next: usize) {
        if let Some(choice) = self.choices.last_mut() {
            choice.next = next as Address;
        }
    }

    /// Drops the choice points above a level.
    #[inline]
    pub(crate) fn cut_to(&mut self, level: usize) {
        if level < self.choices.len() {
            let saved = self.choices[level].saved as usize;
            self.choices.truncate(level);
            self.saved.truncate(saved);
            self.store.trail_below = self.choices.last().map_or(0, |c| c.heap as usize);
        }
    }

    /// Drops the newest choice point.
    #[inline]
    pub(crate) fn drop_choice(&mut self) {
        if let Some(choice) = self.choices.pop() {
            self.saved.truncate(choice.saved as usize);
            self.store.trail_below = self.choices.last().map_or(0, |c| c.heap as usize);
        }
    }
}
