//! Allocates registers for temporaries, with as few instructions as possible that only copy a register.
//!
//! Temporaries that are copies of each other are merged. Two temporaries that are live at the same time have different registers. A
//! temporary that is passed in a register of a call is assigned this register if it is free, in the order of last use; other temporaries
//! are assigned the first free register. Copies of a register to itself are dropped.

use std::collections::{BTreeMap, BTreeSet};

use costlens_events::gnu::Opcode;

use super::instruction::{Draft, Instruction, Register};

/// Allocates registers for the code.
pub(super) fn allocated(mut drafts: Vec<Draft>, temporaries: usize) -> Vec<Instruction> {
    let wishes = wishes(&drafts);
    let order = Lives::compute(&drafts).order;
    let same = merge(&mut drafts, temporaries);
    // The copy used last is processed first.
    let mut wished: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for own in order {
        let registers = wishes.get(&own).into_iter().flatten();
        wished.entry(same[own]).or_default().extend(registers);
    }
    without_unused(&mut drafts);
    let registers = Lives::compute(&drafts).registers(&wished);
    let of = |register: &Register| match register {
        Register::Fixed(number) => *number,
        Register::Temporary(number) => registers.get(number).copied().unwrap_or_default(),
    };
    (drafts.iter())
        .map(|draft| Instruction {
            opcode: draft.opcode,
            part: draft.part,
            reads: draft.reads.iter().map(of).collect(),
            writes: draft.writes.iter().map(of).collect(),
            term: draft.term,
        })
        .zip(&drafts)
        .filter(|(instruction, draft)| !(draft.copies && instruction.reads == instruction.writes))
        .map(|(instruction, _)| instruction)
        .collect()
}

/// Returns, for each temporary, the call registers from which or to which it is copied, in the order of the last such use.
fn wishes(drafts: &[Draft]) -> BTreeMap<usize, Vec<usize>> {
    let mut wishes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for draft in drafts.iter().filter(|d| d.copies) {
        match (&draft.reads[..], &draft.writes[..]) {
            (&[Register::Temporary(own)], &[Register::Fixed(other)])
            | (&[Register::Fixed(other)], &[Register::Temporary(own)]) => {
                let all = wishes.entry(own).or_default();
                all.retain(|&register| register != other);
                all.push(other);
            }
            _ => {}
        }
    }
    wishes
}

/// Assigns one number to merged copies, and returns the numbers of all temporaries.
fn merge(drafts: &mut Vec<Draft>, temporaries: usize) -> Vec<usize> {
    let mut same: Vec<usize> = (0..temporaries).collect();
    let root = |same: &[usize], mut of: usize| {
        while same[of] != of {
            of = same[of];
        }
        of
    };
    for draft in drafts.iter().filter(|d| d.copies) {
        if let (&[Register::Temporary(from)], &[Register::Temporary(to)]) =
            (&draft.reads[..], &draft.writes[..])
        {
            let (from, to) = (root(&same, from), root(&same, to));
            same[to] = from;
        }
    }
    for draft in drafts.iter_mut() {
        for register in draft.reads.iter_mut().chain(&mut draft.writes) {
            if let Register::Temporary(number) = register {
                *number = root(&same, *number);
            }
        }
    }
    drafts.retain(|draft| !(draft.copies && draft.reads == draft.writes));
    (0..temporaries).map(|number| root(&same, number)).collect()
}

/// Drops copies to unused temporaries; a variable created for an unused temporary becomes void.
fn without_unused(drafts: &mut Vec<Draft>) {
    let read: BTreeSet<Register> = drafts.iter().flat_map(|d| d.reads.clone()).collect();
    let is_used = |register: &Register| match register {
        Register::Fixed(_) => true,
        Register::Temporary(_) => read.contains(register),
    };
    drafts.retain(|draft| !draft.copies || draft.writes.iter().all(is_used));
    for draft in drafts
        .iter_mut()
        .filter(|d| d.opcode == Opcode::PutVariable)
    {
        if !draft.writes.iter().all(is_used) {
            draft.opcode = Opcode::PutVoid;
            draft.writes.retain(is_used);
        }
    }
}

/// The pairs of temporaries that are live at the same time, and the order of their last uses.
struct Lives {
    apart: BTreeMap<Register, BTreeSet<Register>>,
    /// The temporaries, in reverse order of their last uses.
    order: Vec<usize>,
}

impl Lives {
    fn compute(drafts: &[Draft]) -> Self {
        let mut lives = Lives {
            apart: BTreeMap::new(),
            order: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let mut alive: BTreeSet<Register> = BTreeSet::new();
        for draft in drafts.iter().rev() {
            for &written in &draft.writes {
                let others = alive.iter().chain(&draft.writes);
                let others: Vec<Register> = others
                    .filter(|&&other| other != written)
                    .filter(|&other| !(draft.copies && draft.reads.contains(other)))
                    .copied()
                    .collect();
                others.iter().for_each(|&other| lives.part(written, other));
            }
            for register in draft.writes.iter().chain(&draft.reads) {
                if let Register::Temporary(number) = register
                    && seen.insert(*number)
                {
                    lives.order.push(*number);
                }
            }
            alive.retain(|register| !draft.writes.contains(register));
            alive.extend(&draft.reads);
        }
        // This handles arguments, and variables of unifications that need no code.
        for &one in &alive {
            alive.iter().for_each(|&other| lives.part(one, other));
        }
        lives
    }

    fn part(&mut self, one: Register, other: Register) {
        if one != other {
            self.apart.entry(one).or_default().insert(other);
            self.apart.entry(other).or_default().insert(one);
        }
    }

    /// Chooses a register for each temporary: a preferred register if one is free, or otherwise the first free register.
    fn registers(&self, wishes: &BTreeMap<usize, Vec<usize>>) -> BTreeMap<usize, usize> {
        let mut given: BTreeMap<usize, usize> = BTreeMap::new();
        for own in &self.order {
            let wished = wishes.get(own).into_iter().flatten();
            let found = wished.copied().find(|&r| self.is_free(*own, r, &given));
            if let Some(register) = found {
                given.insert(*own, register);
            }
        }
        for own in &self.order {
            if !given.contains_key(own)
                && let Some(register) = (0..).find(|&r| self.is_free(*own, r, &given))
            {
                given.insert(*own, register);
            }
        }
        given
    }

    fn is_free(&self, own: usize, register: usize, given: &BTreeMap<usize, usize>) -> bool {
        let others = self.apart.get(&Register::Temporary(own));
        !others.into_iter().flatten().any(|other| match other {
            Register::Fixed(number) => *number == register,
            Register::Temporary(number) => given.get(number) == Some(&register),
        })
    }
}
