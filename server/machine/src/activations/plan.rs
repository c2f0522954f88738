//! Makes predicates cost centres.

use smol_str::SmolStr;

use crate::cell::Cell;
use crate::centres::{
    Amounts, BEGINS, CHOICE, CentreName, CentrePath, Centres, Edge, HEAD, Ports, RUNS, STEP,
    TESTED, UNIFIED,
};
use crate::machine::Machine;
use crate::op::Op;
use crate::ports::Owner;
use crate::predicate::Implementation;

/// The cost centres of a profile.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The predicates, by name and arity.
    pub predicates: Vec<(SmolStr, usize)>,
    /// True if literals in `cost_center/2` are also centres.
    pub literals: bool,
    /// True if events are measured in addition to ports and time.
    pub events: bool,
    /// True if the outcomes of clause heads are recorded in addition to events: the low level.
    pub low_level: bool,
    /// True if every call in a centre's own clauses enters the centre again. Otherwise these calls stay in the centre, so that recursive
    /// last calls take no memory.
    pub every_call: bool,
}

impl Machine {
    /// Starts profiling with a clock in nanoseconds. The machine must count, and may be profiled only once. Returns the predicates that
    /// cannot be centres because they have no clauses.
    pub fn profile(&mut self, plan: &Plan, clock: fn() -> u64) -> Vec<(SmolStr, usize)> {
        let mut centres = Centres {
            clock: Some(clock),
            events: plan.events,
            low_level: plan.events && plan.low_level,
            literals: plan.literals,
            ..Centres::default()
        };
        centres.add(CentreName::Remainder, 0);
        centres.edges.push(Edge {
            from: 0,
            to: 0,
            ports: Ports::default(),
        });
        centres.nodes.push(CentrePath {
            parent: 0,
            centre: 0,
            used: Amounts::default(),
        });
        self.centres = centres;
        self.forget_counts();
        let mut refused = Vec::new();
        for (number, (name, arity)) in plan.predicates.iter().enumerate() {
            let before = self.centres.centres.len();
            if !self.make_centre(name, *arity, plan.every_call) {
                refused.push((name.clone(), *arity));
            } else if let Ok(centre) = u32::try_from(before) {
                self.centres.observed.insert(centre, (number, *arity));
            }
        }
        if plan.events {
            self.marks_at(0);
        }
        refused
    }

    fn make_centre(&mut self, name: &SmolStr, arity: usize, every_call: bool) -> bool {
        let Some(atom) = self.store.atoms.find(name) else {
            return false;
        };
        let Some(number) = self.known(Cell::functor(atom, arity)) else {
            return false;
        };
        let predicate = self.predicates[number as usize].clone();
        if !matches!(
            predicate.kind,
            Implementation::Static | Implementation::Dynamic
        ) {
            return false;
        }
        let entry = self.code.get(predicate.entry as usize);
        if matches!(entry, Some(Op::EnterCentre(_))) {
            return true;
        }
        let name = CentreName::Predicate(name.clone(), arity);
        let centre = self.centres.add(name, predicate.entry);
        let entry = self.emit(Op::EnterCentre(centre));
        self.own_code(entry as usize, Owner::NONE);
        self.predicates[number as usize].entry = entry;
        if !every_call && predicate.kind == Implementation::Static {
            // The original predicate, without the centre, gets another number.
            let inner = u32::try_from(self.predicates.len()).unwrap_or(u32::MAX);
            self.predicates.push(predicate);
            for (op, owner) in self.code.iter_mut().zip(&self.owners) {
                match op {
                    Op::Call(called, _) | Op::Execute(called)
                        if owner.predicate == number && *called == number =>
                    {
                        *called = inner;
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Computes the marks of an instruction that has none yet, and of all later instructions.
    #[cold]
    pub(super) fn marks_at(&mut self, at: usize) -> u8 {
        let from = self.centres.marks.len();
        for (place, op) in self.code.iter().enumerate().skip(from) {
            let named = self.code_names.get(place).is_some_and(|&name| name > 0);
            let chooses = matches!(op, Op::Try(..) | Op::TryElse(..) | Op::PushCatch(_));
            let marks = u8::from(named) * RUNS + u8::from(chooses) * CHOICE;
            self.centres.marks.push(marks);
        }
        let marks = &mut self.centres.marks;
        for clause in self
            .counted_clauses
            .iter()
            .skip(self.centres.marked_clauses)
        {
            marks[clause.start] |= BEGINS;
            marks[clause.entered] |= UNIFIED;
            marks[clause.step] |= TESTED;
            if self.predicates[clause.predicate as usize].counted {
                marks[clause.step] |= STEP;
                marks[clause.entered] |= HEAD;
            }
        }
        self.centres.marked_clauses = self.counted_clauses.len();
        marks.get(at).copied().unwrap_or(0)
    }
}
