//! Ports: the numbers of calls, exits with a solution, redos (re-entries for another solution) and failures of each predicate.
//!
//! A *box* is one call to a predicate, from its call to its failure (Byrd 1980). It exits when its clause is done. This also holds with
//! last-call optimisation: a call that replaces its caller leaves a small environment, [`control::PORT_EXIT`], which counts the exit when
//! control returns to it. A box that exits without remaining choice points is left permanently, as in SWI-Prolog: backtracking past it is
//! not a redo. Therefore `call + redo = exit + fail` for every predicate, except for boxes that are left by an exception or are still
//! running when a run ends.
//!
//! Redos and failures are counted when the machine backtracks. The open boxes are those to whose clauses the continuation returns; the
//! boxes that contain a choice point are found in the same way from the choice point's continuation. On backtracking, an open box that does
//! not contain the choice point fails; a containing box that is no longer open has exited, and is redone.

use smol_str::SmolStr;

use crate::cell::Cell;
use crate::control;
use crate::count::bump;
use crate::frames::HEADER;
use crate::machine::Machine;
use crate::predicate::Implementation;

/// The owner of an instruction; `environment` is true if the clause's environment is allocated when the instruction begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) predicate: u32,
    /// An index into [`Machine::counted_clauses`], or [`NOBODY`].
    pub(crate) clause: u32,
    pub(crate) environment: bool,
    /// The number of the instruction's literal, plus 1; 0 for the head.
    pub(crate) literal: u16,
}

/// The owner of code that belongs to no predicate or clause.
pub(crate) const NOBODY: u32 = u32::MAX;

impl Owner {
    pub(crate) const NONE: Owner = Owner {
        predicate: NOBODY,
        clause: NOBODY,
        environment: false,
        literal: 0,
    };

    pub(crate) fn new(predicate: u32) -> Self {
        Owner {
            predicate,
            ..Self::NONE
        }
    }
}

/// The counters of ports.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortCounts {
    exits: Vec<u64>,
    clause_exits: Vec<u64>,
    redos: Vec<u64>,
    fails: Vec<u64>,
    /// The predicate called last, and the predicate that was last resumed by a choice point without its own address. They identify the
    /// failing predicate if the address does not.
    entered: u32,
    resumed: u32,
    /// True if the clause's environment is allocated.
    resumed_inside: bool,
    /// Scratch: boxes that fail, and boxes that are redone.
    failing: Vec<(u32, u64)>,
    redone: Vec<(u32, u64)>,
}

impl PortCounts {
    #[inline]
    pub(crate) fn enter(&mut self, predicate: u32) {
        self.entered = predicate;
    }
}

/// The port counts of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ports {
    /// The predicate's name.
    pub name: SmolStr,
    /// The predicate's arity.
    pub arity: usize,
    /// The number of calls.
    pub call: u64,
    /// The number of solutions returned by calls.
    pub exit: u64,
    /// The number of times that backtracking re-entered a call that had exited.
    pub redo: u64,
    /// The number of calls that failed: there was no solution, or no further solution.
    pub fail: u64,
    /// The predicate's clauses, in order; empty if it is dynamic.
    pub clauses: Vec<ClausePorts>,
}

/// The port counts of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClausePorts {
    /// The number of times that its head was tried.
    pub tried: u64,
    /// The number of times that its head was unified and its leading tests held, which are the steps.
    pub entered: u64,
    /// The number of times that it ran to its end.
    pub exit: u64,
}

/// The number of slots of the environment for replaced callers: the predicate and the clause of the caller, and the number of calls that it
/// represents.
pub(crate) const EXIT_SLOTS: usize = 3;

/// An open box, identified by the environment of its clause.
#[derive(Clone, Copy)]
struct Open {
    environment: usize,
    /// The return address of its clause; `None` for the running clause.
    returns: Option<usize>,
    predicate: u32,
    /// The number of boxes.
    times: u64,
}

impl Machine {
    /// Also counts ports. A run then takes more memory, since last calls leave an environment.
    pub fn count_ports(&mut self) {
        self.counts_ports = self.counting;
    }

    fn owner(&self, at: usize) -> Owner {
        self.owners.get(at).copied().unwrap_or(Owner::NONE)
    }

    /// Sets the owner of all code at or after an address.
    pub(crate) fn own_code(&mut self, from: usize, owner: Owner) {
        if self.counting {
            self.owners.resize(from, Owner::NONE);
            self.owners.resize(self.code.len(), owner);
        }
    }

    /// Counts the exit of a clause that has run to its end at an address.
    pub(crate) fn port_exit(&mut self, at: usize) {
        let owner = self.owner(at);
        self.exited(owner.predicate, owner.clause, 1);
    }

    /// Counts exits of a box.
    pub(crate) fn exited(&mut self, predicate: u32, clause: u32, times: u64) {
        let ports = &mut self.counts.ports;
        if predicate != NOBODY {
            bump(&mut ports.exits, predicate as usize, times);
        }
        if clause != NOBODY {
            bump(&mut ports.clause_exits, clause as usize, times);
        }
    }

    /// Handles a last call, at an address, that replaces its clause.
    pub(crate) fn port_leave(&mut self, at: usize) {
        let owner = self.owner(at);
        if owner.predicate != NOBODY {
            self.leave_for(owner);
        }
    }

    /// Leaves an environment that counts the exit of an owner's box when the replacing box exits.
    pub(crate) fn leave_for(&mut self, owner: Owner) {
        let (predicate, clause) = (i64::from(owner.predicate), i64::from(owner.clause));
        // A loop without choice points needs one environment for all its iterations.
        let protected = self.choices.last().map_or(0, |c| c.env_top as usize);
        if self.cp == control::PORT_EXIT + 1
            && self.e >= protected
            && self.slot(0).as_small() == predicate
            && self.slot(1).as_small() == clause
        {
            let times = self.slot(2).as_small();
            self.set_slot(2, Cell::small(times + 1));
            return;
        }
        self.allocate(EXIT_SLOTS);
        self.set_slot(0, Cell::small(predicate));
        self.set_slot(1, Cell::small(clause));
        self.set_slot(2, Cell::small(1));
        self.cp = control::PORT_EXIT + 1;
    }

    /// Handles the return to the environment of [`control::PORT_EXIT`].
    pub(crate) fn port_left(&mut self) {
        let number = |cell: Cell| u32::try_from(cell.as_small()).unwrap_or(NOBODY);
        let (predicate, clause) = (number(self.slot(0)), number(self.slot(1)));
        let times = u64::try_from(self.slot(2).as_small()).unwrap_or(0);
        self.exited(predicate, clause, times);
    }

    /// Returns the box of an environment whose clause continues at an address.
    fn open_at(&self, environment: usize, returns: usize) -> Open {
        let slot = |n: usize| Cell::from_bits(self.stack[environment + HEADER + n]).as_small();
        if returns == control::PORT_EXIT + 1 {
            return Open {
                environment,
                returns: Some(returns),
                predicate: u32::try_from(slot(0)).unwrap_or(NOBODY),
                times: u64::try_from(slot(2)).unwrap_or(0),
            };
        }
        Open {
            environment,
            returns: Some(returns),
            predicate: self.owner(returns.saturating_sub(1)).predicate,
            times: 1,
        }
    }

    /// Returns the box of the clause at an address if it has no environment, and the innermost box with an environment.
    fn innermost(&self, at: usize, e: usize, cp: usize) -> (Option<u32>, Open) {
        let owner = self.owner(at);
        // A disjunction that is ended by a soft cut may precede the allocation of its clause's environment.
        let environment = match at {
            control::USED_UP => self.counts.ports.resumed_inside,
            _ => owner.environment,
        };
        if environment {
            let open = Open {
                environment: e,
                returns: None,
                predicate: match at {
                    control::USED_UP => self.counts.ports.resumed,
                    _ => owner.predicate,
                },
                times: 1,
            };
            return (None, open);
        }
        let predicate = match at {
            0 => self.counts.ports.entered,
            control::RETRY_DYNAMIC | control::USED_UP => self.counts.ports.resumed,
            _ => owner.predicate,
        };
        // Code sequences of the engine are not boxes, except for the two sequences above.
        let leaf = (predicate != NOBODY).then_some(predicate);
        (leaf, self.open_at(e, cp))
    }

    fn outer(&self, open: Open) -> Open {
        let word = |at: usize| usize::try_from(self.stack[at]).unwrap_or(0);
        self.open_at(word(open.environment), word(open.environment + 1))
    }

    /// Handles the failure of the instruction at an address: counts failures and redos up to the newest choice point.
    pub(crate) fn port_backtrack(&mut self, at: usize) {
        let Some(&choice) = self.choices.last() else {
            return;
        };
        let ports = &mut self.counts.ports;
        let mut failing = std::mem::take(&mut ports.failing);
        let mut redone = std::mem::take(&mut ports.redone);
        failing.clear();
        redone.clear();
        // Collect open boxes newer than the choice point, the innermost first.
        let (leaf, mut open) = self.innermost(at, self.e, self.cp);
        failing.extend(leaf.map(|predicate| (predicate, 1)));
        while open.environment >= choice.env_top as usize && open.environment > 0 {
            failing.push((open.predicate, open.times));
            open = self.outer(open);
        }
        // Collect boxes that contain the choice point, up to those that are still open.
        let next = choice.next as usize;
        match next {
            control::RETRY_DYNAMIC => self.counts.ports.resumed = self.dynamic_of_newest(),
            // A soft cut has recorded the old alternative.
            control::USED_UP => {
                let owner = self.owner(choice.b0 as usize);
                self.counts.ports.resumed = owner.predicate;
                self.counts.ports.resumed_inside = owner.environment;
            }
            _ => {}
        }
        let (leaf, mut around) = self.innermost(next, choice.e as usize, choice.cp as usize);
        redone.extend(leaf.map(|predicate| (predicate, 1)));
        while around.environment > 0 && around.environment != open.environment {
            redone.push((around.predicate, around.times));
            around = self.outer(around);
        }
        // The outermost boxes on both sides are the same box if they were called from the same place. Code sequences of the engine are not
        // boxes: the parts of `(p ; q)` are called from the place of the disjunction.
        if open.returns.is_some()
            && open.returns == around.returns
            && let (Some(failing), Some(redone)) = (failing.last_mut(), redone.last_mut())
            && redone.0 != NOBODY
        {
            failing.1 -= 1;
            redone.1 -= 1;
        }
        let ports = &mut self.counts.ports;
        for (found, counters) in [(&failing, &mut ports.fails), (&redone, &mut ports.redos)] {
            for &(predicate, times) in found.iter().filter(|(p, _)| *p != NOBODY) {
                bump(counters, predicate as usize, times);
            }
        }
        ports.failing = failing;
        ports.redone = redone;
    }

    /// Returns the ports of all called predicates: first the program's, then those of the libraries from which bounds are inferred. Empty
    /// unless ports are counted, see [`Machine::count_ports`].
    #[must_use]
    pub fn ports(&self) -> Vec<Ports> {
        if !self.counts_ports {
            return Vec::new();
        }
        let executed = self.counts.executed(&self.code);
        let of = |counters: &[u64], at: usize| counters.get(at).copied().unwrap_or(0);
        let mut clauses: Vec<Vec<ClausePorts>> = vec![Vec::new(); self.predicates.len()];
        let current = self.counted_clauses.iter().enumerate();
        for (number, clause) in current.filter(|(_, c)| !c.replaced) {
            clauses[clause.predicate as usize].push(ClausePorts {
                tried: of(&executed, clause.start),
                entered: of(&executed, clause.step),
                exit: of(&self.counts.ports.clause_exits, number),
            });
        }
        let ports = &self.counts.ports;
        let called = self.predicates.iter().zip(clauses).enumerate();
        let mut called: Vec<(bool, Ports)> = called
            .filter(|(_, (predicate, _))| predicate.counted)
            .map(|(number, (predicate, clauses))| {
                let clauses = match predicate.kind {
                    Implementation::Dynamic => Vec::new(),
                    _ => clauses,
                };
                let functor = predicate.functor;
                let ports = Ports {
                    name: self.store.atoms.text(functor.functor_name()).clone(),
                    arity: functor.functor_arity(),
                    call: of(&self.counts.calls, number),
                    exit: of(&ports.exits, number),
                    redo: of(&ports.redos, number),
                    fail: of(&ports.fails, number),
                    clauses,
                };
                (predicate.is_system(), ports)
            })
            .filter(|(_, ports)| ports.call > 0)
            .collect();
        called.sort_by(|a, b| {
            let key = |p: &(bool, Ports)| (p.0, p.1.name.clone(), p.1.arity);
            key(a).cmp(&key(b))
        });
        called.into_iter().map(|(_, ports)| ports).collect()
    }
}
