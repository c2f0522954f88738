//! The blocks of a program and their execution counts.
//!
//! A block is straight-line code: only its last instruction may fail, throw, or continue elsewhere. The code of a clause is split after
//! each of these instructions and before each jump target. The counts of a run are therefore a sum over blocks:
//!
//! ```text
//! events(run) = Σ over blocks  reached · E(block)  +  failed · (failures - successes of its last instruction)
//! ```
//!
//! The blocks from the beginning of a clause to its first call are E(C,H) of PPDP'08 §2, and the blocks from one call to the next are
//! E(C,L). They are the extended basic blocks of hybrid prediction §III.A, with one difference: the paper merges blocks that are reached
//! equally often in every run, whereas this module leaves the merging to the reader of the runs.
//!
//! Counting needs nothing beyond [`crate::Machine::events`]. Heap cells, trail entries and followed references depend on the terms at run
//! time, so they have no fixed number per block.

use std::collections::BTreeMap;

use costlens_syntax::term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use crate::count::CountedClause;
use crate::machine::Machine;
use crate::op::Op;
use crate::ports::NOBODY;

/// The origin of a block's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockOrigin {
    /// A clause of a predicate.
    Clause {
        /// The predicate's name.
        name: SmolStr,
        /// The predicate's arity.
        arity: usize,
        /// The clause's number within the predicate, from 1.
        clause: usize,
        /// The literal to which the block's first instruction belongs, as a term of the clause; `None` for the head.
        goal: Option<TermId>,
    },
    /// The code that selects clauses of a predicate, or clauses that are interpreted as terms.
    Predicate {
        /// The predicate's name.
        name: SmolStr,
        /// The predicate's arity.
        arity: usize,
    },
    /// Internal code of the machine: meta-calls, exceptions, built-ins called as terms.
    Machine,
}

/// How a block leaves its predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The block does not leave the predicate: control continues in the clause, fails, or calls code that returns to the clause.
    Stays,
    /// The call to the predicate succeeds unless the block's last instruction fails.
    Returns,
    /// A last call: the predicate's call succeeds as often as the called predicate.
    Becomes {
        /// The predicate's name.
        name: SmolStr,
        /// The predicate's arity.
        arity: usize,
    },
    /// By an internal instruction of the machine; the outcome is unknown.
    Elsewhere,
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// A unique name, the same in every machine with the same program: `nrev/2 clause 2: head`.
    pub name: SmolStr,
    /// The origin of the code.
    pub place: BlockOrigin,
    /// True if every call to the predicate begins with this block.
    pub enters: bool,
    /// How the block leaves the predicate.
    pub ending: Ending,
    /// The events of one run of all its instructions, with names and numbers as in [`Machine::events`].
    pub events: Vec<(SmolStr, u64)>,
    /// The names that the last instruction counts, if it may fail: a failure counts as `name(fail)` instead.
    pub fails: Vec<SmolStr>,
}

/// The counts of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCount {
    /// The number of times that the first instruction ran.
    pub reached: u64,
    /// The number of times that the last instruction failed.
    pub failed: u64,
}

/// A range of addresses.
struct AddressRange {
    from: usize,
    /// The last address.
    to: usize,
}

impl Machine {
    /// Returns the blocks of all code, in code order, followed by the interpreted clauses. The machine must count.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let marks = self.marks();
        let numbers = self.clause_numbers();
        let entries: FxHashSet<usize> = { self.predicates.iter() }
            .map(|predicate| predicate.entry as usize)
            .collect();
        let mut names = BlockNames::default();
        let mut blocks = Vec::new();
        for stretch in self.stretches() {
            let (place, label) = self.place(stretch.from, &numbers);
            let mut events: BTreeMap<SmolStr, u64> = BTreeMap::new();
            for at in stretch.from..=stretch.to {
                for name in self.names_at(at) {
                    *events.entry(name).or_default() += 1;
                }
                for (name, times) in &self.fixed_at(at, &marks) {
                    *events.entry(name.clone()).or_default() += times;
                }
            }
            blocks.push(Block {
                name: names.unique(label),
                place,
                enters: entries.contains(&stretch.from),
                ending: self.ending(stretch.to),
                events: events.into_iter().collect(),
                fails: self.names_at(stretch.to),
            });
        }
        for predicate in &self.predicates {
            let functor = predicate.functor;
            let name = self.store.atoms.text(functor.functor_name()).clone();
            let arity = functor.functor_arity();
            blocks.push(Block {
                name: names.unique(format_smolstr!("{name}/{arity}: clauses as terms")),
                place: BlockOrigin::Predicate { name, arity },
                enters: false,
                ending: Ending::Elsewhere,
                events: vec![("head_unifications".into(), 1), ("steps".into(), 1)],
                fails: Vec::new(),
            });
        }
        blocks.push(Block {
            name: "choice points over clauses as terms".into(),
            place: BlockOrigin::Machine,
            enters: false,
            ending: Ending::Elsewhere,
            events: vec![("choice_points".into(), 1)],
            fails: Vec::new(),
        });
        blocks
    }

    /// Returns the counts of the blocks since the machine was created or since [`Machine::forget_counts`], in the order of
    /// [`Machine::blocks`].
    #[must_use]
    pub fn block_counts(&self) -> Vec<BlockCount> {
        let executed = self.counts.executed(&self.code);
        let mut counts: Vec<BlockCount> = self
            .stretches()
            .iter()
            .map(|stretch| {
                debug_assert!(
                    (executed[stretch.from..=stretch.to].iter())
                        .all(|n| *n == executed[stretch.from]),
                    "a block runs as a whole"
                );
                BlockCount {
                    reached: executed[stretch.from],
                    failed: self.counts.failed_at(stretch.to),
                }
            })
            .collect();
        let only = |reached| BlockCount { reached, failed: 0 };
        counts.extend((0..self.predicates.len()).map(|p| only(self.counts.dynamic_of(p))));
        counts.push(only(self.counts.dynamic_choices));
        counts
    }

    /// Returns the counts of a run that have no fixed number per block: heap cells, trail entries, references.
    #[must_use]
    pub fn amounts(&self) -> Vec<(SmolStr, u64)> {
        let events = self.events();
        (AMOUNTS.iter())
            .map(|&name| (name.into(), events.get(name).copied().unwrap_or(0)))
            .collect()
    }

    /// Returns how an instruction leaves its predicate.
    fn ending(&self, at: usize) -> Ending {
        let op = self.code[at];
        match op {
            Op::Proceed | Op::ExecuteBuiltin(..) => Ending::Returns,
            Op::Execute(number) => {
                let functor = self.predicates[number as usize].functor;
                Ending::Becomes {
                    name: self.store.atoms.text(functor.functor_name()).clone(),
                    arity: functor.functor_arity(),
                }
            }
            Op::Call(..) | Op::Jump(_) | Op::Fail => Ending::Stays,
            op if op.leaves() => Ending::Elsewhere,
            _ => Ending::Stays,
        }
    }

    /// Returns the addresses at which clauses count a head unification, and the addresses at which they count a step.
    fn marks(&self) -> (BTreeMap<usize, u64>, BTreeMap<usize, u64>) {
        let (mut heads, mut steps) = (BTreeMap::new(), BTreeMap::new());
        for clause in &self.counted_clauses {
            if self.predicates[clause.predicate as usize].counted {
                *heads.entry(clause.entered).or_default() += 1;
                *steps.entry(clause.step).or_default() += 1;
            }
        }
        (heads, steps)
    }

    /// Returns the names under which an instruction counts, either as a success or as a failure.
    fn names_at(&self, at: usize) -> Vec<SmolStr> {
        let mut names = Vec::new();
        if let Op::Builtin(number, _) | Op::ExecuteBuiltin(number, _) = self.code[at] {
            let functor = self.builtin_functors[number as usize];
            let name = self.store.atoms.text(functor.functor_name());
            names.push(format_smolstr!("{name}/{}", functor.functor_arity()));
        }
        names.extend(self.instruction_name(at).cloned());
        names
    }

    /// Returns the other events of an instruction, which count whether or not it fails.
    fn fixed_at(
        &self,
        at: usize,
        (heads, steps): &(BTreeMap<usize, u64>, BTreeMap<usize, u64>),
    ) -> Vec<(SmolStr, u64)> {
        let mut fixed = Vec::new();
        match self.code[at] {
            Op::Try(..) | Op::TryElse(..) | Op::PushCatch(_) => {
                fixed.push(("choice_points".into(), 1));
            }
            Op::Allocate(_) => fixed.push(("environments".into(), 1)),
            _ => {}
        }
        fixed.extend(heads.get(&at).map(|&n| ("head_unifications".into(), n)));
        fixed.extend(steps.get(&at).map(|&n| ("steps".into(), n)));
        fixed
    }

    /// Splits all addresses into straight-line ranges.
    fn stretches(&self) -> Vec<AddressRange> {
        let mut begins = vec![false; self.code.len() + 1];
        for (at, op) in self.code.iter().enumerate() {
            begins[at + 1] |= !op.goes_on();
            if let Some(label) = op.label() {
                begins[label as usize] = true;
            }
        }
        for clause in &self.counted_clauses {
            begins[clause.start] = true;
        }
        // A block does not cross owners or literals.
        for (at, begins) in begins.iter_mut().enumerate().take(self.code.len()).skip(1) {
            let (before, here) = (self.owners.get(at - 1), self.owners.get(at));
            let same = before.map(|o| (o.predicate, o.clause, o.literal))
                == here.map(|o| (o.predicate, o.clause, o.literal));
            *begins |= !same;
        }
        let mut stretches = Vec::new();
        let mut from = 0;
        for (at, begins) in begins.iter().enumerate().skip(1) {
            if *begins || at == self.code.len() {
                stretches.push(AddressRange { from, to: at - 1 });
                from = at;
            }
            if at == self.code.len() {
                break;
            }
        }
        stretches
    }

    /// Returns the number of each clause within its predicate, from 1; replaced clauses are numbered separately.
    fn clause_numbers(&self) -> Vec<usize> {
        let mut last: FxHashMap<(u32, bool), usize> = FxHashMap::default();
        let number = |c: &CountedClause| {
            let number = last.entry((c.predicate, c.replaced)).or_default();
            *number += 1;
            *number
        };
        self.counted_clauses.iter().map(number).collect()
    }

    /// Returns the origin of the code at an address, and a label for it.
    fn place(&self, at: usize, numbers: &[usize]) -> (BlockOrigin, SmolStr) {
        let owner = self.owners.get(at).copied();
        let Some(owner) = owner.filter(|o| o.predicate != NOBODY) else {
            return (BlockOrigin::Machine, "machine".into());
        };
        let functor = self.predicates[owner.predicate as usize].functor;
        let name = self.store.atoms.text(functor.functor_name()).clone();
        let arity = functor.functor_arity();
        let Some(clause) = self.counted_clauses.get(owner.clause as usize) else {
            let label = format_smolstr!("{name}/{arity}: choice of clauses");
            return (BlockOrigin::Predicate { name, arity }, label);
        };
        let number = numbers[owner.clause as usize];
        let replaced = if clause.replaced { " (replaced)" } else { "" };
        let literal = usize::from(owner.literal).checked_sub(1);
        let known = literal.and_then(|n| self.clause_goals.get(owner.clause as usize)?.get(n));
        let (goal, part) = match (literal, known) {
            (None, _) => (None, SmolStr::new_static("head")),
            (Some(_), Some((goal, named))) => (*goal, named.clone()),
            (Some(n), None) => (None, format_smolstr!("literal {}", n + 1)),
        };
        let label = format_smolstr!("{name}/{arity} clause {number}{replaced}: {part}");
        let place = BlockOrigin::Clause {
            name,
            arity,
            clause: number,
            goal,
        };
        (place, label)
    }
}

/// The names of [`Machine::amounts`].
const AMOUNTS: [&str; 3] = ["heap_cells", "references", "trail_entries"];

/// The names used so far.
#[derive(Default)]
struct BlockNames(BTreeMap<SmolStr, usize>);

impl BlockNames {
    /// Returns the label, with a number appended if it is already used.
    fn unique(&mut self, label: SmolStr) -> SmolStr {
        let times = self.0.entry(label.clone()).or_default();
        *times += 1;
        match *times {
            1 => label,
            n => format_smolstr!("{label} ({n})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Limit;
    use crate::machine::Limits;
    use crate::solve::Answer;

    const PROGRAM: &str = "
        :- dynamic seen/1.
        app([], Ys, Ys).
        app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
        nrev([], []).
        nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
        fib(0, 0).
        fib(1, 1).
        fib(N, F) :- N > 1, N1 is N-1, N2 is N-2, fib(N1, A), fib(N2, B), F is A+B.
        mem(X, [X|_]).
        mem(X, [_|T]) :- mem(X, T).
        even(X, Y) :- ( X mod 2 =:= 0 -> Y = yes ; X < 0, Y = negative ; Y = no ).
        sum([], 0).
        sum([X|Xs], S) :- sum(Xs, R), S is X+R.
        bad(X) :- Y is X+1, Z is Y/0, Z > 0.
        caught(L) :- catch(bad(3), error(E, _), true), findall(X-E, mem(X, [1,2,3]), L).
        remember(N) :- forall(between(1, N, I), assertz(seen(I))), seen(N), retract(seen(1)), \\+ seen(1).
        pick(X) :- mem(X, [1,2,3,4]), X > 2, !.
        sorted(L) :- msort([c,a,b], L), maplist([A,B]>>(B = f(A)), L, _), length(L, 3), nth0(1, L, b).
        same(X, X, f(X, Y, Y)).
        loop(N) :- M is N+1, loop(M).
        text(A) :- atom_codes(A, C), atom_codes(B, C), A == B, sub_atom(A, 1, 1, _, S), S = e.
        open(G) :- ( call(G), fail ; true ), \\+ \\+ G, ( G *-> true ; fail ).
    ";

    /// Computes the events of a run from its blocks, by the sum in the module comment.
    fn by_blocks(machine: &Machine) -> BTreeMap<SmolStr, u64> {
        let mut sums: BTreeMap<SmolStr, i128> = BTreeMap::new();
        for (block, count) in machine.blocks().iter().zip(machine.block_counts()) {
            for (name, times) in &block.events {
                *sums.entry(name.clone()).or_default() +=
                    i128::from(count.reached) * i128::from(*times);
            }
            for name in &block.fails {
                let failed = i128::from(count.failed);
                *sums.entry(name.clone()).or_default() -= failed;
                *sums.entry(format_smolstr!("{name}(fail)")).or_default() += failed;
            }
        }
        for (name, amount) in machine.amounts() {
            *sums.entry(name).or_default() += i128::from(amount);
        }
        let counted = sums.into_iter().filter(|(_, n)| *n != 0);
        counted
            .map(|(name, n)| (name, u64::try_from(n).unwrap()))
            .collect()
    }

    fn check(goal: &str, all: bool, steps: Option<u64>) -> (Machine, Answer) {
        let limits = Limits {
            steps,
            ..Limits::default()
        };
        let mut machine = Machine::counting(limits);
        assert_eq!(machine.load(PROGRAM), []);
        let (goal_cell, _) = machine.read_goal(goal).unwrap();
        machine.forget_counts();
        machine.start(goal_cell);
        let answer = loop {
            match machine.next_answer() {
                Answer::Yes { more: true } if all => {}
                other => break other,
            }
        };
        assert_eq!(by_blocks(&machine), machine.events(), "{goal}");
        (machine, answer)
    }

    #[test]
    fn blocks_give_the_events_of_a_run() {
        for all in [false, true] {
            for goal in [
                "nrev([1,2,3,4,5,6,7,8], X)",
                "app(X, Y, [1,2,3,4])",
                "fib(9, F)",
                "mem(b, [a,b,c,b])",
                "mem(X, [a,b,c])",
                "even(3, Y)",
                "even(-4, Y)",
                "sum([1,2,3], 7)",
                "bad(3)",
                "caught(L)",
                "remember(5)",
                "pick(X)",
                "sorted(L)",
                "same(f(A), f(b), f(f(b), C, d))",
                "same(a, b, _)",
                "text(hello)",
                "open(mem(X, [1,2]))",
                "undefined_here(1)",
                "(mem(X, [1,2,3]), X > 1 -> true ; fail)",
            ] {
                check(goal, all, None);
            }
        }
    }

    #[test]
    fn a_run_that_a_limit_ends_has_its_blocks() {
        let (machine, answer) = check("loop(0)", false, Some(1000));
        assert!(matches!(answer, Answer::Limit(Limit::Steps)), "{answer:?}");
        assert!(machine.steps() > 900);
    }

    #[test]
    fn names_are_unique_and_those_of_each_machine() {
        let names = |machine: &Machine| -> Vec<SmolStr> {
            machine.blocks().into_iter().map(|b| b.name).collect()
        };
        let (one, _) = check("fib(3, F)", false, None);
        let (other, _) = check("nrev([a], X)", true, None);
        assert_eq!(names(&one), names(&other));
        let mut sorted = names(&one);
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), one.blocks().len());
        assert_eq!(one.blocks().len(), one.block_counts().len());
    }

    /// The blocks must be E(C,H) and E(C,L): the clause's code up to its first call, and the code from each call to the next.
    #[test]
    fn blocks_are_the_code_between_calls() {
        let (machine, _) = check("nrev([1,2,3], X)", false, None);
        let counts = machine.block_counts();
        let count = |name: &str| {
            let at = machine.blocks().iter().position(|b| b.name == name);
            counts[at.unwrap_or_else(|| panic!("{name}"))].reached
        };
        assert_eq!(count("nrev/2 clause 2: head"), 3);
        assert_eq!(count("nrev/2 clause 2: nrev/2"), 3);
        assert_eq!(count("nrev/2 clause 2: app/3"), 3);
        assert_eq!(count("app/3 clause 2: app/3"), 3);
        assert_eq!(count("nrev/2 clause 1: head"), 1);
        let goals = machine.blocks().into_iter().filter(
            |b| matches!(&b.place, BlockOrigin::Clause { name, goal: Some(_), .. } if name == "nrev"),
        );
        assert!(goals.count() >= 2);
    }
}
