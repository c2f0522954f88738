//! Clauses as terms: dynamic predicates, and the clauses of static predicates for `clause/2`.
//!
//! A clause of a dynamic predicate is stored as a term. It runs by copying the term to the heap, unifying its head and running its body as
//! a term, so that `assertz/1` is cheap and `retract/1` leaves no unused code; only frequently called clauses are compiled
//! ([`crate::dynamic`]). The logical update view (ISO/IEC 13211-1 7.5.4) is implemented with change numbers: each clause records the
//! numbers of the changes that added and removed it, and a call sees the clauses that existed at the change number at which it began.
//!
//! Removed clauses are kept until they outnumber the other clauses and no choice point iterates over the predicate.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::atoms::{self, Atom};
use crate::cell::{Cell, Tag};
use crate::control::{self, runs_as_pieces};
use crate::copy::Stored;
use crate::dynamic::Code;
use crate::error::{Limit, Throw};
use crate::machine::Machine;
use crate::op::Access;
use crate::ports::{NOBODY, Owner};
use crate::store::{Store, View};

/// The clauses of one predicate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Procedure {
    clauses: VecDeque<StoredClause>,
    /// The position of the first clause. Positions never change; `asserta/1` adds smaller positions.
    first: i64,
    removed: usize,
    /// The number of removed clauses at which to sweep again.
    sweep_at: usize,
    /// Built when a call selects by its first argument in a predicate with many clauses.
    index: Option<FirstArgumentIndex>,
}

/// The positions of clauses, in order, by the keys of their first arguments. Includes removed clauses.
#[derive(Clone, Debug, Default)]
struct FirstArgumentIndex {
    by_key: FxHashMap<Cell, VecDeque<i64>>,
    any: VecDeque<i64>,
}

impl FirstArgumentIndex {
    fn positions(&mut self, key: Cell) -> &mut VecDeque<i64> {
        if key == ANY {
            &mut self.any
        } else {
            self.by_key.entry(key).or_default()
        }
    }
}

/// The end of a predicate at which a clause is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClausesEnd {
    First,
    Last,
}

/// The number of clauses up to which they are examined one by one.
const MANY: usize = 8;

#[derive(Clone, Debug)]
struct StoredClause {
    /// `Head :- Body`.
    term: Stored,
    /// The key of the head's first argument, see [`key`].
    key: Cell,
    born: u64,
    died: u64,
    code: Code,
}

/// All procedures, by predicate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Database {
    procedures: FxHashMap<u32, Procedure>,
    /// The number of the last change.
    now: u64,
}

/// The key that matches every key.
const ANY: Cell = Cell::small(0);

/// Returns the key of a first argument: the constant, the functor, or [`ANY`] for variables and values that do not fit a cell. Arguments can
/// unify only if their keys match.
fn key(store: &Store, argument: Option<Cell>) -> Cell {
    let Some(argument) = argument else {
        return ANY;
    };
    let cell = store.deref(argument);
    match cell.tag() {
        Tag::Atom => cell,
        // Zero means any, so this integer gets a key that no other value has.
        Tag::Integer if cell == ANY => Cell::forward(0),
        Tag::Integer => cell,
        Tag::Structure => store.cell(cell.address()),
        Tag::List => Cell::functor(atoms::CONS, 2),
        _ => ANY,
    }
}

fn may_match(a: Cell, b: Cell) -> bool {
    a == ANY || b == ANY || a == b
}

impl Procedure {
    /// Returns the first clause at or after a position that is visible to a call with this key that began at change `now`.
    fn next(&self, position: i64, key: Cell, now: u64) -> Option<i64> {
        if key != ANY
            && let Some(index) = &self.index
        {
            let first_of = |positions: &VecDeque<i64>| {
                let start = positions.partition_point(|&p| p < position);
                let mut later = positions.range(start..).copied();
                later.find(|&p| self.get(p).is_some_and(|c| c.born <= now && now < c.died))
            };
            let (own, any) = (
                index.by_key.get(&key).and_then(first_of),
                first_of(&index.any),
            );
            return match (own, any) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        let start = usize::try_from(position - self.first).unwrap_or(0);
        self.clauses
            .iter()
            .skip(start)
            .position(|c| c.born <= now && now < c.died && may_match(key, c.key))
            .and_then(|n| i64::try_from(start + n).ok())
            .map(|n| n + self.first)
    }

    /// Builds the index if it is useful for this key.
    fn prepare(&mut self, key: Cell) {
        if key == ANY || self.index.is_some() || self.clauses.len() <= MANY {
            return;
        }
        let mut index = FirstArgumentIndex::default();
        for (position, clause) in (self.first..).zip(&self.clauses) {
            index.positions(clause.key).push_back(position);
        }
        self.index = Some(index);
    }

    fn get_mut(&mut self, position: i64) -> Option<&mut StoredClause> {
        self.clauses
            .get_mut(usize::try_from(position - self.first).ok()?)
    }

    fn get(&self, position: i64) -> Option<&StoredClause> {
        self.clauses
            .get(usize::try_from(position - self.first).ok()?)
    }
}

/// The parts of the argument of `assertz/1` and similar predicates.
pub(crate) struct ClauseTerm {
    pub(crate) head: Cell,
    pub(crate) body: Cell,
    pub(crate) name: Atom,
    pub(crate) arity: usize,
}

impl Machine {
    /// Splits `Head :- Body`, or a fact `Head` with the body `true`, ignoring modules.
    ///
    /// # Errors
    /// Returns the error of `assertz/1` if the term is not a clause.
    pub(crate) fn clause_term(&mut self, term: Cell) -> Result<ClauseTerm, Throw> {
        let term = self.without_module(term)?;
        let (head, body) = match self.store.view(term) {
            View::Compound(atoms::NECK, 2, first) => {
                (self.store.cell(first), self.store.cell(first + 1))
            }
            _ => (term, Cell::atom(atoms::TRUE)),
        };
        let head = self.without_module(head)?;
        let body = self.store.deref(body);
        let (name, arity) = match self.store.view(head) {
            View::Variable(_) => return Err(self.store.instantiation_error()),
            View::Atom(name) => (name, 0),
            View::Compound(name, arity, _) => (name, arity),
            _ => return Err(self.store.type_error("callable", head)),
        };
        Ok(ClauseTerm {
            head,
            body,
            name,
            arity,
        })
    }

    /// Adds a clause to a dynamic predicate. Creates the predicate if the name is undefined.
    ///
    /// # Errors
    /// Returns the errors of `assertz/1`, or an error if the memory limit is reached.
    pub(crate) fn assert_clause(&mut self, term: Cell, end: ClausesEnd) -> Result<(), Throw> {
        let clause = self.clause_term(term)?;
        if !self.store.is_variable(clause.body) && !self.is_body(clause.body) {
            let body = clause.body;
            return Err(self.store.type_error("callable", body));
        }
        let predicate = self.modifiable(clause.name, clause.arity)?;
        self.add_clause(predicate, &clause, end);
        if self.memory() > self.limits.cells {
            return Err(Throw::Limit(Limit::Memory));
        }
        Ok(())
    }

    /// Returns whether a term can be a body: none of its goals is a number.
    fn is_body(&self, body: Cell) -> bool {
        let mut stack = vec![body];
        let mut budget = self.store.used();
        while let Some(top) = stack.pop() {
            match self.store.view(top) {
                View::Variable(_) | View::Atom(_) => {}
                View::Compound(name, arity, first) if runs_as_pieces(name, arity) => {
                    if budget == 0 {
                        return false;
                    }
                    budget -= 1;
                    stack.extend((first..first + arity).map(|i| self.store.cell(i)));
                }
                View::Compound(..) => {}
                _ => return false,
            }
        }
        true
    }

    /// Adds a clause to the terms of a predicate, dynamic or not.
    pub(crate) fn add_clause(&mut self, predicate: u32, clause: &ClauseTerm, end: ClausesEnd) {
        let first = self.store.arguments(clause.head).map(|(first, _)| first);
        let first = first
            .filter(|_| clause.arity > 0)
            .map(|at| self.store.cell(at));
        let key = key(&self.store, first);
        let term = self
            .store
            .compound(atoms::NECK, &[clause.head, clause.body]);
        let term = self.store.store(term);
        self.stored_cells += term.size() + 8;
        self.database.now += 1;
        let stated = StoredClause {
            term,
            key,
            born: self.database.now,
            died: u64::MAX,
            code: Code::NEW,
        };
        let procedure = self.database.procedures.entry(predicate).or_default();
        if end == ClausesEnd::Last {
            let position = procedure.first + i64::try_from(procedure.clauses.len()).unwrap_or(0);
            if let Some(index) = &mut procedure.index {
                index.positions(key).push_back(position);
            }
            procedure.clauses.push_back(stated);
        } else {
            procedure.first -= 1;
            if let Some(index) = &mut procedure.index {
                index.positions(key).push_front(procedure.first);
            }
            procedure.clauses.push_front(stated);
        }
    }

    /// Returns the dynamic predicate with this name. Creates it if the name is undefined. Returns an error for other predicates.
    pub(crate) fn modifiable(&mut self, name: Atom, arity: usize) -> Result<u32, Throw> {
        let predicate = self.callable(Cell::functor(name, arity));
        if self.is_fixed(predicate) {
            let indicator = self.store.indicator(name, arity);
            return Err(self
                .store
                .permission_error("modify", "static_procedure", indicator));
        }
        let predicate = self.own_predicate(Cell::functor(name, arity));
        self.make_dynamic(predicate);
        Ok(predicate)
    }

    /// Removes the clauses of a dynamic predicate that match a head.
    ///
    /// # Errors
    /// Returns the errors of `retractall/1`.
    pub fn retract_all(&mut self, head: Cell) -> Result<(), Throw> {
        let clause = self.clause_term(head)?;
        let predicate = self.modifiable(clause.name, clause.arity)?;
        let first = self
            .store
            .arguments(clause.head)
            .filter(|_| clause.arity > 0)
            .map(|(first, _)| self.store.cell(first));
        let key = key(&self.store, first);
        let now = self.database.now;
        let mut position = i64::MIN;
        while let Some((found, term)) = self.database.procedures.get(&predicate).and_then(|p| {
            let found = p.next(position.max(p.first), key, now)?;
            Some((found, p.get(found)?.term.clone()))
        }) {
            position = found + 1;
            let matches = self.store.tentatively(|store| {
                let term = store.fetch(&term);
                let other = store.cell(store.arguments(term).map_or(0, |(first, _)| first));
                store.unify(clause.head, other)
            });
            if matches {
                self.remove(predicate, found);
                if self
                    .database
                    .procedures
                    .get(&predicate)
                    .is_some_and(|p| p.removed == 0)
                {
                    // After a sweep the remaining clauses have moved.
                    position = i64::MIN;
                }
            }
        }
        Ok(())
    }

    /// Removes all clauses of a dynamic predicate.
    pub(crate) fn remove_all(&mut self, predicate: u32) {
        self.database.now += 1;
        let now = self.database.now;
        if let Some(procedure) = self.database.procedures.get_mut(&predicate) {
            for stated in &mut procedure.clauses {
                stated.died = stated.died.min(now);
            }
            procedure.removed = procedure.clauses.len();
            self.sweep(predicate);
        }
    }

    /// Removes a clause unless it is already removed.
    fn remove(&mut self, predicate: u32, position: i64) -> bool {
        let now = self.database.now + 1;
        let Some(procedure) = self.database.procedures.get_mut(&predicate) else {
            return false;
        };
        let Some(stated) = usize::try_from(position - procedure.first)
            .ok()
            .and_then(|index| procedure.clauses.get_mut(index))
        else {
            return false;
        };
        if stated.died != u64::MAX {
            return false;
        }
        stated.died = now;
        self.database.now = now;
        procedure.removed += 1;
        if procedure.removed > procedure.sweep_at.max(8)
            && procedure.removed * 2 > procedure.clauses.len()
        {
            self.sweep(predicate);
        }
        true
    }

    /// Frees removed clauses if no choice point iterates over the predicate.
    fn sweep(&mut self, predicate: u32) {
        let number = Cell::small(i64::from(predicate));
        let busy = self.choices.iter().zip(
            self.choices
                .iter()
                .skip(1)
                .map(|c| c.saved as usize)
                .chain([self.saved.len()]),
        );
        let busy = busy
            .filter(|(choice, _)| choice.next as usize == control::RETRY_DYNAMIC)
            .any(|(_, end)| self.saved[end - STATE] == number);
        let Some(procedure) = self.database.procedures.get_mut(&predicate) else {
            return;
        };
        if busy {
            procedure.sweep_at = procedure.removed * 2;
            return;
        }
        let before = procedure.clauses.len();
        let mut freed = 0;
        procedure.clauses.retain(|c| {
            if c.died != u64::MAX {
                freed += c.term.size() + 8;
            }
            c.died == u64::MAX
        });
        debug_assert_eq!(before - procedure.clauses.len(), procedure.removed);
        procedure.removed = 0;
        procedure.sweep_at = 0;
        procedure.index = None;
        self.stored_cells = self.stored_cells.saturating_sub(freed);
    }

    // --- running -------------------------------------------------------------------------------------------------------

    /// Enters the first clause that a call may match. Returns the address at which to continue, or `None` on failure.
    pub(crate) fn call_dynamic(&mut self, predicate: u32, access: Access) -> Option<usize> {
        let functor = self.predicates[predicate as usize].functor;
        let arity = match access {
            Access::Call => functor.functor_arity(),
            // Head and body.
            _ => 2,
        };
        let first = match access {
            Access::Call => (arity > 0).then(|| self.x[0]),
            _ => self
                .store
                .arguments(self.store.deref(self.x[0]))
                .filter(|_| functor.functor_arity() > 0)
                .map(|(at, _)| self.store.cell(at)),
        };
        let state = ClauseIteration {
            predicate,
            access,
            key: key(&self.store, first),
            now: self.database.now,
        };
        let procedure = self.database.procedures.get_mut(&predicate)?;
        procedure.prepare(state.key);
        let position = procedure.next(procedure.first, state.key, state.now)?;
        self.b0 = self.choices.len();
        if let Some(next) = procedure.next(position + 1, state.key, state.now) {
            self.save_state(state, next, arity);
            self.push_choice(control::RETRY_DYNAMIC, arity + STATE);
            self.counts.dynamic_choices += u64::from(self.counting);
            self.centres.note_choice();
        }
        self.enter_clause(&state, position)
    }

    /// Enters the next clause.
    pub(crate) fn retry_dynamic(&mut self) -> Option<usize> {
        let (state, position) = self.saved_state()?;
        let procedure = self.database.procedures.get(&state.predicate)?;
        match procedure.next(position + 1, state.key, state.now) {
            Some(next) => {
                let at = self.saved.len() - STATE + 1;
                self.saved[at] = Cell::small(next);
                self.b0 = self.choices.len() - 1;
            }
            None => {
                self.drop_choice();
                self.b0 = self.choices.len();
            }
        }
        self.enter_clause(&state, position)
    }

    /// Returns the code of a clause that is called.
    fn code_of(&mut self, predicate: u32, position: i64) -> Option<Code> {
        let procedure = self.database.procedures.get_mut(&predicate)?;
        let stated = procedure.get_mut(position)?;
        if !matches!(stated.code, Code::Not(_)) {
            return Some(stated.code);
        }
        let (code, term) = (stated.code, std::mem::take(&mut stated.term));
        let code = self.called_again(predicate, code, &term);
        let procedure = self.database.procedures.get_mut(&predicate)?;
        let stated = procedure.get_mut(position)?;
        (stated.code, stated.term) = (code, term);
        Some(code)
    }

    fn enter_clause(&mut self, state: &ClauseIteration, position: i64) -> Option<usize> {
        if state.access == Access::Call
            && let Code::At(address) = self.code_of(state.predicate, position)?
        {
            return Some(address as usize);
        }
        let stated = self
            .database
            .procedures
            .get(&state.predicate)?
            .get(position)?;
        let term = self.store.fetch(&stated.term);
        self.hurry_if_grown();
        let (at, _) = self.store.arguments(term)?;
        let (head, body) = (
            self.store.cell(at),
            self.store.deref(self.store.cell(at + 1)),
        );
        if state.access == Access::Call {
            if let Some((first, arity)) = self.store.arguments(self.store.deref(head)) {
                for i in 0..arity {
                    if !self.store.unify(self.x[i], self.store.cell(first + i)) {
                        return None;
                    }
                }
            }
            if self.counting {
                self.count_dynamic(state.predicate);
            }
            if body == Cell::atom(atoms::TRUE) {
                if self.counts_ports {
                    self.exited(state.predicate, NOBODY, 1);
                }
                return Some(self.cp);
            }
            if self.counts_ports {
                self.leave_for(Owner::new(state.predicate));
            }
            self.x[0] = body;
            self.x[1] = Cell::small(i64::try_from(self.b0).unwrap_or(0));
            return Some(control::BODY);
        }
        if !self.store.unify(self.x[0], head) || !self.store.unify(self.x[1], body) {
            return None;
        }
        if state.access == Access::Retract && !self.remove(state.predicate, position) {
            return None;
        }
        Some(self.cp)
    }

    /// Runs `clause(X0, X1)` and `retract(X0)`.
    pub(crate) fn clauses(&mut self, access: Access) -> Result<Option<usize>, Throw> {
        let (head, body) = if access == Access::Retract {
            let clause = self.clause_term(self.x[0])?;
            (clause.head, clause.body)
        } else {
            let head = self.x[0];
            let clause = self.clause_term(head)?;
            let body = self.store.deref(self.x[1]);
            if !body.is_reference() && !self.store.is_callable(body) {
                return Err(self.store.type_error("callable", body));
            }
            (clause.head, body)
        };
        let (name, arity) = match self.store.view(head) {
            View::Compound(name, arity, _) => (name, arity),
            View::Atom(name) => (name, 0),
            _ => return Ok(None),
        };
        let Some(predicate) = self.known(Cell::functor(name, arity)) else {
            return Ok(None);
        };
        let target = &self.predicates[predicate as usize];
        let refused = match access {
            Access::Retract if self.is_fixed(predicate) => Some(("modify", "static_procedure")),
            Access::Retract if target.is_static() => return Ok(None),
            _ if target.is_system() => Some(("access", "private_procedure")),
            _ => None,
        };
        if let Some((action, kind)) = refused {
            let indicator = self.store.indicator(name, arity);
            return Err(self.store.permission_error(action, kind, indicator));
        }
        self.x[0] = head;
        self.x[1] = body;
        Ok(self.call_dynamic(predicate, access))
    }

    fn save_state(&mut self, state: ClauseIteration, next: i64, arity: usize) {
        let access = match state.access {
            Access::Call => 0,
            Access::Inspect => 1,
            Access::Retract => 2,
        };
        let now = i64::try_from(state.now).unwrap_or(i64::MAX);
        self.x[arity..arity + STATE].copy_from_slice(&[
            Cell::small(i64::from(state.predicate)),
            Cell::small(next),
            Cell::small(now),
            state.key,
            Cell::small(access),
        ]);
    }

    /// Returns the predicate over whose clauses the newest choice point iterates.
    pub(crate) fn dynamic_of_newest(&self) -> u32 {
        self.saved_state()
            .map_or(NOBODY, |(state, _)| match state.access {
                Access::Call => state.predicate,
                _ => NOBODY,
            })
    }

    /// Returns the state of an iteration and its next position from the newest choice point.
    fn saved_state(&self) -> Option<(ClauseIteration, i64)> {
        let at = self.saved.len() - STATE;
        let state = ClauseIteration {
            predicate: u32::try_from(self.saved[at].as_small()).ok()?,
            now: u64::try_from(self.saved[at + 2].as_small()).ok()?,
            key: self.saved[at + 3],
            access: match self.saved[at + 4].as_small() {
                0 => Access::Call,
                1 => Access::Inspect,
                _ => Access::Retract,
            },
        };
        Some((state, self.saved[at + 1].as_small()))
    }
}

/// The number of cells, after the registers, in which a choice point stores an iteration.
const STATE: usize = 5;

/// An iteration over the clauses of a predicate.
#[derive(Clone, Copy)]
struct ClauseIteration {
    predicate: u32,
    access: Access,
    key: Cell,
    now: u64,
}
