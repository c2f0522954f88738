//! The counts of running a clause in instructions of the machine: every instruction, its successes and failures apart, and what
//! it allocates.
//!
//! A run is taken piece by piece ([`walk`]): the head, then each literal with the control before it. Each instruction of a piece is
//! reached once for each success of what stands before it.

mod built_ins;
mod chosen;
mod effects;
mod names;
mod walk;

use std::collections::BTreeSet;
use std::ops::Range;

use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::instruction::Instruction;
use super::shape::{ClauseCode, Key, Part};
use crate::{Counts, Event};
use effects::{Amount, Effects};

pub use built_ins::{inside_built_in, primitives};
pub use chosen::Chosen;
pub use effects::{Mode, Modes};
pub use names::{counted_names, is_counted};
pub use walk::Stretch;

/// The known outcome of a goal or a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeds.
    Succeeds,
    /// It is not known.
    Either,
    /// It fails.
    Fails,
}

/// True where the first argument of a head is a variable, a constant, or a structure of distinct variables, so that it fails only if the index
/// does not find the clause.
fn is_flat(terms: &Terms, head: TermId) -> bool {
    terms.args(head).first().is_none_or(|&first| {
        let mut own = BTreeSet::new();
        (terms.args(first).iter()).all(|&t| matches!(terms.get(t), Term::Var(v) if own.insert(*v)))
    })
}

/// A clause whose instructions are counted.
#[derive(Clone, Debug)]
pub struct CountedClause {
    code: ClauseCode,
    /// Instructions before the head.
    entry: Range<usize>,
    /// Behind the head.
    body: usize,
    /// Behind the last instruction of each literal; none if it has none.
    ends: Vec<Option<usize>>,
    /// True where no variable occurs twice in the head, so that arguments fail independently.
    is_linear: bool,
    /// True where a first argument fails only if the index does not find the clause.
    is_flat: bool,
}

impl CountedClause {
    /// The code of a clause with this head.
    #[must_use]
    pub fn new(code: ClauseCode, terms: &Terms, head: TermId) -> Self {
        let heads = code.arguments.iter().filter(|a| !a.is_empty());
        let first = heads.clone().map(|a| a.start).min();
        let body = heads.map(|a| a.end).max();
        let mut ends = vec![None; code.goals.len()];
        for (at, part) in code.parts.iter().enumerate() {
            if let Part::Literal(n) = part
                && let Some(end) = ends.get_mut(*n as usize)
            {
                *end = Some(at + 1);
            }
        }
        let mut seen = BTreeSet::new();
        let is_linear = terms
            .subterms(head)
            .into_iter()
            .all(|t| !matches!(terms.get(t), Term::Var(v) if !seen.insert(*v)));
        CountedClause {
            // Without instructions in the head, what stands first belongs to the first literal.
            entry: 0..first.unwrap_or(0),
            body: body.unwrap_or(0),
            ends,
            is_linear,
            is_flat: is_flat(terms, head),
            code,
        }
    }

    /// The index key of the first argument.
    #[must_use]
    pub fn key(&self) -> &Key {
        &self.code.key
    }

    /// True where unifying the first argument fails only if the index does not find the clause.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// The head, up to the argument that fails if one does. Arguments without an outcome may do either.
    #[must_use]
    pub fn head(&self, outcomes: &[Outcome], modes: &Modes) -> Counts {
        let of = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let arguments = self.code.arguments.len();
        let sure = (0..arguments).all(|i| of(i) == Outcome::Succeeds);
        let mut parts = vec![(self.entry.clone().collect(), Outcome::Succeeds)];
        for (i, range) in self.code.arguments.iter().enumerate() {
            let outcome = match of(i) {
                // Which argument finds that a variable has two values is another matter than which one has it.
                _ if !self.is_linear && !sure => Outcome::Either,
                outcome => outcome,
            };
            parts.push((range.clone().collect(), outcome));
        }
        self.count(&parts, modes)
    }

    /// A stretch of a run that ends as its last instructions do.
    #[must_use]
    pub fn stretch(&self, stretch: &Stretch, outcome: Outcome, modes: &Modes) -> Counts {
        self.count(&[(stretch.instructions.clone(), outcome)], modes)
    }

    /// Instructions that run one after the other, up to the one that fails.
    fn count(&self, parts: &[(Vec<usize>, Outcome)], modes: &Modes) -> Counts {
        // The instructions that may fail and the ones before, in order.
        let mut run: Vec<(usize, bool)> = Vec::new();
        let mut fails = false;
        for (instructions, outcome) in parts {
            for &at in instructions {
                let instruction = &self.code.instructions[at];
                // A call fails itself where a built-in runs in place of it.
                let calls = matches!(instruction, Instruction::Call(..) | Instruction::Execute(_));
                let may = (calls || instruction.may_fail()) && *outcome != Outcome::Succeeds;
                run.push((at, may));
                if matches!(instruction, Instruction::Fail) {
                    // Nothing comes behind it.
                    fails = true;
                    break;
                }
            }
            fails |= *outcome == Outcome::Fails;
            if fails {
                break;
            }
        }
        let points: Vec<usize> = (0..run.len()).filter(|&i| run[i].1).collect();
        // A part that fails without an instruction that may: something else is wrong with it, and all of it may run.
        let fails = fails && !points.is_empty();
        let mut counts = Counts::default();
        let surely = points.first().copied().unwrap_or(run.len());
        let perhaps = match (fails, points.last()) {
            (true, Some(&last)) => last,
            _ => run.len(),
        };
        let mut effects = Effects::new(modes);
        for (i, &(at, _)) in run.iter().enumerate() {
            let instruction = &self.code.instructions[at];
            let effect = effects.of(instruction, self.code.unified[at]);
            if i < perhaps {
                add(
                    &mut counts,
                    &instruction.name(),
                    false,
                    u64::from(i < surely),
                );
            }
            // One that fails may have bound something before.
            for (name, amount) in [
                ("heap_cells", effect.cells),
                ("trail_entries", effect.trail),
            ] {
                let Amount { least, most } = amount;
                let least = if i < surely { least } else { 0 };
                counts.add_between(Event::Machine(name.into(), false), least, most);
            }
        }
        let names: BTreeSet<SmolStr> = points
            .iter()
            .map(|&i| self.code.instructions[run[i].0].name())
            .collect();
        for name in &names {
            let surely = fails && names.len() == 1;
            add(&mut counts, name, true, u64::from(surely));
        }
        counts
    }
}

/// Counts an instruction at most once, and at least so often.
fn add(counts: &mut Counts, name: &SmolStr, fails: bool, least: u64) {
    counts.add_between(Event::Machine(name.clone(), fails), least, 1);
    let with_it = match name.as_str() {
        "allocate" => "environments",
        "try_else" => "choice_points",
        _ => return,
    };
    counts.add_between(Event::Machine(with_it.into(), false), least, 1);
}

/// The counts of something that may not happen.
#[must_use]
pub fn perhaps(counts: &Counts) -> Counts {
    let mut all = Counts::default();
    for event in counts.events() {
        all.add_between(event.clone(), 0, counts.of(event).most);
    }
    all
}
