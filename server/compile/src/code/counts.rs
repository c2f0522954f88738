//! Counts the machine instructions that run a clause, with successes and failures counted separately, and the allocations.
//!
//! A run is processed piece by piece ([`walk`]): the head, then each literal with the control instructions before it. Each instruction of a
//! piece is reached once for each success of the preceding piece.

mod built_ins;
mod chosen;
mod effects;
mod walk;

use std::collections::BTreeSet;
use std::ops::Range;

use costlens_events::{Counts, Event};
use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use super::instruction::Instruction;
use super::shape::{ClauseCode, ClausePart, IndexKey};
use crate::events::is_told_by_key;
use crate::occurrences::Occurrences;
use effects::{Amount, Effects};

pub use built_ins::{inside_built_in, primitives};
pub use chosen::Chosen;
pub use effects::{Modes, TermState};
pub use walk::Stretch;

/// The known outcome of a goal or a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The goal or clause succeeds.
    Succeeds,
    /// The outcome is unknown.
    Either,
    /// The goal or clause fails.
    Fails,
}

/// A clause whose instructions are counted.
#[derive(Clone, Debug)]
pub struct CountedClause {
    code: ClauseCode,
    /// The instructions before the head.
    entry: Range<usize>,
    /// The position after the head.
    body: usize,
    /// The position after the last instruction of each literal; `None` if the literal has no instructions.
    ends: Vec<Option<usize>>,
    /// True if no variable occurs twice in the head, so that each argument fails independently of the other arguments.
    is_linear: bool,
    /// True if the unification of the first argument fails only for calls for which the index does not select the clause.
    is_flat: bool,
}

impl CountedClause {
    /// Wraps the code of a clause with this head.
    #[must_use]
    pub fn new(code: ClauseCode, terms: &Terms, head: TermId) -> Self {
        let heads = code.arguments.iter().filter(|a| !a.is_empty());
        let first = heads.clone().map(|a| a.start).min();
        let body = heads.map(|a| a.end).max();
        let mut ends = vec![None; code.goals.len()];
        for (at, part) in code.parts.iter().enumerate() {
            if let ClausePart::Literal(n) = part
                && let Some(end) = ends.get_mut(*n as usize)
            {
                *end = Some(at + 1);
            }
        }
        let first_argument = terms.args(head).first();
        CountedClause {
            // If the head has no instructions, the first ones belong to the first literal.
            entry: 0..first.unwrap_or(0),
            body: body.unwrap_or(0),
            ends,
            is_linear: Occurrences::count(terms, [head]).repetitions() == 0,
            is_flat: first_argument.is_none_or(|&first| is_told_by_key(terms, first, false)),
            code,
        }
    }

    /// Returns the index key of the first argument.
    #[must_use]
    pub fn key(&self) -> &IndexKey {
        &self.code.key
    }

    /// Returns true if the unification of the first argument fails only for calls for which the index does not select the clause.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// Counts the instructions of the head, up to the failing argument if there is one. Arguments without a known outcome may succeed or
    /// fail.
    #[must_use]
    pub fn head(&self, outcomes: &[Outcome], modes: &Modes) -> Counts {
        let of = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let arguments = self.code.arguments.len();
        let sure = (0..arguments).all(|i| of(i) == Outcome::Succeeds);
        let mut parts = vec![(self.entry.clone().collect(), Outcome::Succeeds)];
        for (i, range) in self.code.arguments.iter().enumerate() {
            let outcome = match of(i) {
                // If a variable occurs twice, unification may fail at an argument other than the mismatching argument.
                _ if !self.is_linear && !sure => Outcome::Either,
                outcome => outcome,
            };
            parts.push((range.clone().collect(), outcome));
        }
        self.count(&parts, modes)
    }

    /// Counts a stretch of a run. `outcome` is the outcome of its last instructions.
    #[must_use]
    pub fn stretch(&self, stretch: &Stretch, outcome: Outcome, modes: &Modes) -> Counts {
        self.count(&[(stretch.instructions.clone(), outcome)], modes)
    }

    /// Counts consecutive instructions, up to the failing instruction.
    fn count(&self, parts: &[(Vec<usize>, Outcome)], modes: &Modes) -> Counts {
        // The instructions in order, each with whether it may fail.
        let mut run: Vec<(usize, bool)> = Vec::new();
        let mut fails = false;
        for (instructions, outcome) in parts {
            for &at in instructions {
                let instruction = &self.code.instructions[at];
                // A call instruction itself fails if it runs a built-in inline.
                let calls = matches!(instruction, Instruction::Call(..) | Instruction::Execute(_));
                let may = (calls || instruction.may_fail()) && *outcome != Outcome::Succeeds;
                run.push((at, may));
                if matches!(instruction, Instruction::Fail) {
                    // No further instruction runs.
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
        // A part fails although none of its instructions can fail: the cause is elsewhere, and the whole part may run.
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
            let effect = effects.effect(instruction, self.code.unified[at]);
            if i < perhaps {
                add(
                    &mut counts,
                    &instruction.name(),
                    InstructionEnd::Success,
                    u64::from(i < surely),
                );
            }
            // The failing instruction may have bound variables before it failed.
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
            add(
                &mut counts,
                name,
                InstructionEnd::Failure,
                u64::from(surely),
            );
        }
        counts
    }
}

/// The end of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InstructionEnd {
    Success,
    Failure,
}

/// Counts an instruction at most once, and at least `least` times.
fn add(counts: &mut Counts, name: &SmolStr, end: InstructionEnd, least: u64) {
    counts.add_between(
        Event::Machine(name.clone(), end == InstructionEnd::Failure),
        least,
        1,
    );
    let with_it = match name.as_str() {
        "allocate" => "environments",
        "try_else" => "choice_points",
        _ => return,
    };
    counts.add_between(Event::Machine(with_it.into(), false), least, 1);
}

/// Returns the counts for code that may not run.
#[must_use]
pub fn perhaps(counts: &Counts) -> Counts {
    let mut all = Counts::default();
    for event in counts.events() {
        all.add_between(event.clone(), 0, counts.get(event).most);
    }
    all
}
