//! Counts the machine instructions for clause selection.

use costlens_events::{Counts, Event};
use smol_str::SmolStr;

use super::{InstructionEnd, Outcome, add};

/// Clause selection: the counts of a tried clause before its head (`try`, `retry`, `trust`), and the counts of the call itself
/// (`switch_on_term`).
///
/// The index selects each clause certainly, possibly, or not at all.
#[derive(Clone, Debug)]
pub struct Chosen {
    found: Vec<Outcome>,
    switches: bool,
    /// The first clauses of the groups that are tried after an earlier group ([`crate::events::groups`]).
    begun: Vec<usize>,
}

impl Chosen {
    /// Creates the selection for clauses with these outcomes of indexing.
    #[must_use]
    pub fn new(found: Vec<Outcome>, switches: bool) -> Self {
        Chosen {
            found,
            switches,
            begun: Vec::new(),
        }
    }

    /// Divides the clauses into groups of these lengths, which are tried in order.
    #[must_use]
    pub fn in_groups(mut self, groups: &[usize]) -> Self {
        let ends = groups.iter().scan(0, |at, length| {
            *at += length;
            Some(*at)
        });
        self.begun = ends.filter(|at| *at < self.found.len()).collect();
        self
    }

    /// Returns true for the first clause of a group that is tried after an earlier group.
    #[must_use]
    pub fn begins_group(&self, index: usize) -> bool {
        self.begun.contains(&index)
    }

    /// Returns whether the index selects a clause.
    #[must_use]
    pub fn outcome(&self, index: usize) -> Outcome {
        self.found.get(index).copied().unwrap_or(Outcome::Either)
    }

    /// Counts a call before any clause: `switch_on_term`, even if the index selects no clause.
    #[must_use]
    pub fn call(&self) -> Counts {
        let mut counts = Counts::default();
        if self.switches {
            add(
                &mut counts,
                &SmolStr::new_static("switch_on_term"),
                InstructionEnd::Success,
                1,
            );
        }
        counts
    }

    /// Returns whether a later clause may be tried, so that this clause is tried with a choice point.
    #[must_use]
    pub fn later(&self, index: usize) -> Outcome {
        if self.begun.iter().any(|&at| at > index) {
            return Outcome::Succeeds;
        }
        match self.others(index)[1] {
            (true, _) => Outcome::Succeeds,
            (_, true) => Outcome::Either,
            _ => Outcome::Fails,
        }
    }

    /// Returns true if a tried clause certainly leaves a choice point for later clauses. The choice point is then newer than the caller's
    /// variables.
    #[must_use]
    pub fn leaves_choice(&self, index: usize) -> bool {
        let after = self.found.get(index + 1..).unwrap_or_default();
        after.contains(&Outcome::Succeeds)
    }

    /// Counts the portable events of a tried clause before its head: [`Event::Try`] for the first of several clauses in its group,
    /// [`Event::Retry`] for each later clause.
    #[must_use]
    pub fn choice(&self, index: usize) -> Counts {
        let [(before_sure, before), (after_sure, after)] = self.others(index);
        let own = self.outcome(index) == Outcome::Succeeds;
        let mut counts = Counts::default();
        for (event, perhaps, sure) in [
            (Event::Try, !before_sure && after, !before && after_sure),
            (Event::Retry, before, before_sure),
        ] {
            counts.add_between(event, u64::from(own && sure), u64::from(perhaps));
        }
        counts
    }

    /// Returns whether clauses before this clause in its group are tried, certainly and possibly; then the same for clauses after it.
    fn others(&self, index: usize) -> [(bool, bool); 2] {
        let next = self.begun.partition_point(|&at| at <= index);
        let begin = next.checked_sub(1).map_or(0, |group| self.begun[group]);
        let end = self.begun.get(next).copied().unwrap_or(self.found.len());
        let others = |range: &[Outcome]| {
            let sure = range.contains(&Outcome::Succeeds);
            let perhaps = range.iter().any(|&f| f != Outcome::Fails);
            (sure, perhaps)
        };
        [
            others(&self.found[begin..index.clamp(begin, end)]),
            others(self.found.get(index + 1..end).unwrap_or_default()),
        ]
    }

    /// Counts the machine instructions of a tried clause before its head.
    #[must_use]
    pub fn clause(&self, index: usize) -> Counts {
        let [(before_sure, before), (after_sure, after)] = self.others(index);
        let own = self.outcome(index) == Outcome::Succeeds;
        let mut counts = Counts::default();
        // Each instruction is possible, or certain.
        for (name, perhaps, sure) in [
            ("try", !before_sure && after, !before && after_sure),
            ("retry", before && after, before_sure && after_sure),
            ("trust", before && !after_sure, before_sure && !after),
        ] {
            if perhaps {
                let least = u64::from(own && sure);
                add(&mut counts, &name.into(), InstructionEnd::Success, least);
                if name == "try" {
                    counts.add_between(Event::Machine("choice_points".into(), false), least, 1);
                }
            }
        }
        counts
    }
}
