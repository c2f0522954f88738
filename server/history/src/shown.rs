//! Infers from all past runs which goals succeeded exactly once whenever they were reached.
//!
//! The inference uses only counts, and proves nothing: a goal that fails once and succeeds twice on another call has the same counts.
//! Predictions are based on the same runs.
//!
//! 1. The code after the goal has the same count as the code before it.
//! 2. The last goal of a clause has no code after it. It succeeds as often as the predicate that replaces its frame returns:
//!
//! ```prolog
//! steps(0, S, S).                                       % returns
//! steps(T, S0, S) :- T > 0, next(S0, S1), U is T-1, steps(U, S1, S).
//! ```
//!
//! `steps/3` was called five times, its first clause has returned once, and its second clause has reached its last goal four times: five in
//! total, so each call has reached the end of one clause. If this holds for all predicates in tail position (here for `steps/3` itself),
//! the last predicate of each chain of tail calls has returned, so each call has succeeded exactly once.

use std::collections::BTreeMap;

use costlens_machine::{Block, BlockOrigin, Ending};
use costlens_program::Functor;
use costlens_program::language::Clause;
use costlens_syntax::term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::Program;
use crate::run::Runs;

/// A goal: the predicate, the number of the clause from 1, and the goal term.
pub(crate) type ClauseGoal = (Functor, usize, TermId);

/// Returns the goals that succeeded exactly once whenever they were reached, in all runs.
pub(crate) fn once(blocks: &[Block], runs: &Runs, program: &Program) -> FxHashSet<ClauseGoal> {
    let counted = BlockCounts::new(runs);
    let clauses = clauses(blocks);
    let single = single(blocks, &clauses, &counted);
    let mut numbers: FxHashMap<&Functor, usize> = FxHashMap::default();
    for (functor, _) in clauses.keys() {
        *numbers.entry(functor).or_default() += 1;
    }
    let mut found = FxHashSet::default();
    for ((functor, number), own) in &clauses {
        // Most facts of a table do not occur in any run.
        if !own.iter().any(|block| counted.ran(block)) {
            continue;
        }
        let mut note = |goal| {
            found.insert((functor.clone(), *number, goal));
        };
        followed(own, &counted).into_iter().for_each(&mut note);
        last(own, &counted, &single).into_iter().for_each(&mut note);
        // Check that the clauses in the machine are the program's.
        let known = program.clauses.get(functor);
        let known = known.filter(|known| Some(&known.len()) == numbers.get(functor));
        if let Some(clause) = known.and_then(|known| known.get(number.checked_sub(1)?)) {
            let found = in_chain(clause, own, &counted, &single);
            found.into_iter().for_each(&mut note);
        }
    }
    found
}

/// For each run, the number of times that each block was reached and the number of times that it failed.
struct BlockCounts<'r> {
    runs: usize,
    by_name: FxHashMap<&'r str, Vec<(u64, u64)>>,
}

/// One amount for each run.
type Amounts = Vec<u64>;

impl<'r> BlockCounts<'r> {
    fn new(runs: &'r Runs) -> Self {
        let of = |at: usize| runs.runs.iter().map(|run| run.counts[at]).collect();
        BlockCounts {
            runs: runs.runs.len(),
            by_name: { runs.blocks.iter().enumerate() }
                .map(|(at, block)| (block.name.as_str(), of(at)))
                .collect(),
        }
    }

    fn reached(&self, block: &Block) -> Amounts {
        let known = self.by_name.get(block.name.as_str());
        known.map_or_else(
            || vec![0; self.runs],
            |counts| counts.iter().map(|(reached, _)| *reached).collect(),
        )
    }

    fn ran(&self, block: &Block) -> bool {
        self.by_name.contains_key(block.name.as_str())
    }

    /// Returns the number of times that a block has left its predicate, assuming that the end of the block leaves the predicate.
    fn left(&self, block: &Block) -> Amounts {
        let mut left = self.reached(block);
        if block.ending == Ending::Returns
            && let Some(counts) = self.by_name.get(block.name.as_str())
        {
            for (left, (_, failed)) in left.iter_mut().zip(counts) {
                *left = left.saturating_sub(*failed);
            }
        }
        left
    }
}

fn add(sum: &mut Amounts, more: &[u64]) {
    for (own, more) in sum.iter_mut().zip(more) {
        *own = own.saturating_add(*more);
    }
}

/// The clauses with their blocks, in the order of the code.
type Clauses<'b> = BTreeMap<(Functor, usize), Vec<&'b Block>>;

fn clauses(blocks: &[Block]) -> Clauses<'_> {
    let mut found = Clauses::new();
    for block in blocks {
        if let BlockOrigin::Clause {
            name,
            arity,
            clause,
            ..
        } = &block.place
        {
            let functor = Functor::new(name.clone(), *arity);
            found.entry((functor, *clause)).or_default().push(block);
        }
    }
    found
}

fn goal_of(block: &Block) -> Option<TermId> {
    match &block.place {
        BlockOrigin::Clause { goal, .. } => *goal,
        _ => None,
    }
}

/// Returns the predicates for which each call has succeeded exactly once.
fn single(
    blocks: &[Block],
    clauses: &Clauses<'_>,
    counted: &BlockCounts<'_>,
) -> FxHashSet<Functor> {
    let nothing = || vec![0; counted.runs];
    let mut called: FxHashMap<Functor, Amounts> = FxHashMap::default();
    for block in blocks.iter().filter(|block| block.enters) {
        if let BlockOrigin::Clause { name, arity, .. } | BlockOrigin::Predicate { name, arity } =
            &block.place
        {
            let sum = called.entry(Functor::new(name.clone(), *arity));
            add(sum.or_insert_with(nothing), &counted.reached(block));
        }
    }
    let mut left: FxHashMap<Functor, Amounts> = FxHashMap::default();
    let mut becomes: FxHashMap<Functor, FxHashSet<Functor>> = FxHashMap::default();
    let mut unknown: FxHashSet<Functor> = FxHashSet::default();
    for ((functor, _), own) in clauses {
        let sum = left.entry(functor.clone()).or_insert_with(nothing);
        for block in own.iter().filter(|block| counted.ran(block)) {
            match &block.ending {
                Ending::Stays => continue,
                Ending::Returns => {}
                Ending::Becomes { name, arity } => {
                    let others = becomes.entry(functor.clone()).or_default();
                    others.insert(Functor::new(name.clone(), *arity));
                }
                Ending::Elsewhere => {
                    unknown.insert(functor.clone());
                }
            }
            add(sum, &counted.left(block));
        }
    }
    let mut single: FxHashSet<Functor> = { called.iter() }
        .filter(|(functor, calls)| left.get(*functor) == Some(calls))
        .map(|(functor, _)| functor.clone())
        .filter(|functor| !unknown.contains(functor))
        .collect();
    loop {
        let stays = |functor: &Functor| {
            let others = becomes.get(functor);
            others.is_none_or(|others| others.is_subset(&single))
        };
        let wrong: Vec<Functor> = single.iter().filter(|f| !stays(f)).cloned().collect();
        if wrong.is_empty() {
            return single;
        }
        for functor in &wrong {
            single.remove(functor);
        }
    }
}

/// Returns the literals of a clause after which the code has the same count as before them.
fn followed(own: &[&Block], counted: &BlockCounts<'_>) -> Vec<TermId> {
    let literals = literals(own);
    let pairs = literals.windows(2);
    let found = pairs.filter_map(|pair| {
        let (blocks, next) = (&pair[0].1, pair[1].1.first()?);
        let reached = counted.reached(next);
        let same = |block: &&Block| counted.ran(block) && counted.reached(block) == reached;
        blocks.iter().all(same).then_some(pair[0].0?)
    });
    found.collect()
}

/// Returns the literals at the end of a clause whose tail call or return has succeeded exactly once.
fn last(own: &[&Block], counted: &BlockCounts<'_>, single: &FxHashSet<Functor>) -> Vec<TermId> {
    let of_literal = |(goal, blocks): (Option<TermId>, Vec<&Block>)| {
        let (first, end) = (blocks.first()?, blocks.last()?);
        let reached = counted.reached(first);
        let through = blocks
            .iter()
            .all(|b| counted.ran(b) && counted.reached(b) == reached);
        let succeeded = match &end.ending {
            Ending::Returns => counted.left(end) == reached,
            Ending::Becomes { name, arity } => single.contains(&Functor::new(name.clone(), *arity)),
            Ending::Stays | Ending::Elsewhere => false,
        };
        (through && succeeded).then_some(goal?)
    };
    literals(own).into_iter().filter_map(of_literal).collect()
}

/// Returns the literals of a clause with their blocks, in order.
fn literals<'b>(own: &[&'b Block]) -> Vec<(Option<TermId>, Vec<&'b Block>)> {
    let mut found: Vec<(Option<TermId>, Vec<&Block>)> = Vec::new();
    for &block in own {
        let goal = goal_of(block);
        match found.last_mut() {
            Some((last, blocks)) if *last == goal => blocks.push(block),
            _ => found.push((goal, vec![block])),
        }
    }
    found
}

/// Returns the goals of a clause's conjunction, including control constructs, that were left as often as they were reached.
fn in_chain(
    clause: &Clause,
    own: &[&Block],
    counted: &BlockCounts<'_>,
    single: &FxHashSet<Functor>,
) -> Vec<TermId> {
    // The count at the end of the clause; `None` if it is not known.
    let mut after = Some(vec![0; counted.runs]);
    for block in own.iter().filter(|block| counted.ran(block)) {
        let is_known = match &block.ending {
            Ending::Stays => continue,
            Ending::Returns => true,
            Ending::Becomes { name, arity } => single.contains(&Functor::new(name.clone(), *arity)),
            Ending::Elsewhere => false,
        };
        match (&mut after, is_known) {
            (Some(sum), true) => add(sum, &counted.left(block)),
            _ => after = None,
        }
    }
    let parts = clause.body.map(|body| clause.terms.chain(body, ","));
    let parts = parts.unwrap_or_default();
    let mut part_of: FxHashMap<TermId, usize> = FxHashMap::default();
    for (number, &part) in parts.iter().enumerate() {
        for term in clause.terms.subterms(part) {
            part_of.entry(term).or_insert(number);
        }
    }
    let mut first: Vec<Option<&Block>> = vec![None; parts.len()];
    for block in own {
        if let Some(&part) = goal_of(block).and_then(|goal| part_of.get(&goal)) {
            first[part].get_or_insert(block);
        }
    }
    let mut found = Vec::new();
    for (&part, first) in parts.iter().zip(first).rev() {
        // A part without its own code provides no information.
        let Some(first) = first else {
            continue;
        };
        let reached = counted.reached(first);
        if after.as_ref() == Some(&reached) && counted.ran(first) {
            found.push(part);
        }
        after = Some(reached);
    }
    found
}

#[cfg(test)]
mod tests;
