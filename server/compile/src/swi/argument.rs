//! Code for the arguments of heads and calls.

use costlens_events::swi::Opcode;
use costlens_syntax::Integer;
use costlens_syntax::term::{CONS, NIL, Term, TermId};

use super::emit::Emitter;
use super::instruction::Operand;
use super::refusal::Refusal;

/// The position of a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermPlace {
    /// True if the term is unified, false if it is built.
    pub(super) head: bool,
    /// True inside a compound.
    pub(super) nested: bool,
    /// True for the last argument of a compound.
    pub(super) last: bool,
}

impl TermPlace {
    /// An argument of the head.
    pub(super) const HEAD: Self = Self::new(true, false, false);
    /// An argument of a call.
    pub(super) const BODY: Self = Self::new(false, false, false);
    /// A term that is unified with a variable that has a value.
    pub(super) const UNIFIED: Self = Self::new(true, true, false);
    /// A module-qualified goal, if it is called together with its module as one term.
    pub(super) const BEHIND_MODULE: Self = Self::new(false, false, true);

    const fn new(head: bool, nested: bool, last: bool) -> Self {
        Self { head, nested, last }
    }

    fn choose(self, head: Opcode, body: Opcode) -> Opcode {
        if self.head { head } else { body }
    }
}

/// Returns true for integers that fit a cell: 57 bits.
pub(crate) fn is_small(n: &Integer) -> bool {
    i64::try_from(n).is_ok_and(|n| (-(1 << 56)..1 << 56).contains(&n))
}

/// Returns the integer if it can be an operand of `B_UNIFY_…C`, `B_EQ_VC` and `A_ADD_FC`: it must fit a cell on every machine, regardless
/// of the flag `portable_vmi`.
pub(super) fn is_portable(n: &Integer) -> Option<i64> {
    let n = i64::try_from(n).ok()?;
    (-(1 << 24)..1 << 24).contains(&n).then_some(n)
}

/// A part of an argument that has no code yet.
enum Task {
    Term(TermId, TermPlace),
    /// Returns from a compound.
    Close(Opcode),
}

impl Emitter<'_> {
    /// Unifies with a term or builds it.
    pub(super) fn argument(&mut self, term: TermId, place: TermPlace) -> Result<(), Refusal> {
        let mut tasks = vec![Task::Term(term, place)];
        while let Some(task) = tasks.pop() {
            let (term, place) = match task {
                Task::Term(term, place) => (term, place),
                Task::Close(opcode) => {
                    self.emit(opcode, &[]);
                    continue;
                }
            };
            let terms = self.terms;
            let Term::Compound(name, _) = terms.get(term) else {
                let moved = self.simple(term, place)?;
                tasks.extend(moved.map(|moved| Task::Term(moved, place)));
                continue;
            };
            let arguments = terms.args(term);
            if self.opens_compound(term, name, arguments, place) {
                continue;
            }
            if !place.last {
                tasks.push(Task::Close(place.choose(Opcode::HPop, Opcode::BPop)));
            }
            let last = arguments.len().saturating_sub(1);
            let inside = |at| TermPlace::new(place.head, true, at == last);
            let all = arguments.iter().enumerate();
            tasks.extend(
                all.rev()
                    .map(|(at, &argument)| Task::Term(argument, inside(at))),
            );
        }
        Ok(())
    }

    /// Emits the instruction that enters a compound. Returns true if it also handles the arguments.
    fn opens_compound(
        &mut self,
        term: TermId,
        name: &str,
        arguments: &[TermId],
        place: TermPlace,
    ) -> bool {
        if name == CONS && arguments.len() == 2 {
            if place.head
                && let [Some(first), Some(second)] =
                    [self.new_slot(arguments[0]), self.new_slot(arguments[1])]
                && first != second
            {
                self.meet(first);
                self.meet(second);
                let operands = [Operand::Slot(first), Operand::Slot(second)];
                self.emit(Opcode::HListFF, &operands);
                return true;
            }
            let opcode = match place.last {
                true => place.choose(Opcode::HRList, Opcode::BRList),
                false => place.choose(Opcode::HList, Opcode::BList),
            };
            self.emit(opcode, &[]);
            return false;
        }
        let opcode = match place.last {
            true => place.choose(Opcode::HRFunctor, Opcode::BRFunctor),
            false => place.choose(Opcode::HFunctor, Opcode::BFunctor),
        };
        let functor = self.terms.functor(term).map(|(n, a)| (n.clone(), a));
        let operands: Vec<Operand> =
            (functor.into_iter().map(|(n, a)| Operand::Functor(n, a))).collect();
        self.emit(opcode, &operands);
        false
    }

    /// Returns the slot of a variable if this is its first occurrence and it is not an argument.
    pub(super) fn new_slot(&self, term: TermId) -> Option<usize> {
        self.slot(term)
            .filter(|&slot| slot >= self.slots.arity && self.is_first(slot))
    }

    /// Emits a variable or a constant, or returns the term that replaces an argument.
    fn simple(&mut self, term: TermId, place: TermPlace) -> Result<Option<TermId>, Refusal> {
        let constant = [Operand::Constant(term)];
        let (opcode, operands) = match self.terms.get(term) {
            Term::Var(_) => return Ok(self.variable(term, place)),
            Term::Atom(name) if name == NIL => (place.choose(Opcode::HNil, Opcode::BNil), &[][..]),
            Term::Atom(_) => (place.choose(Opcode::HAtom, Opcode::BAtom), &constant[..]),
            Term::Integer(n) => {
                let opcode = if is_small(n) {
                    place.choose(Opcode::HSmallInt, Opcode::BSmallInt)
                } else if i64::try_from(n).is_ok() {
                    place.choose(Opcode::HInteger, Opcode::BInteger)
                } else {
                    place.choose(Opcode::HMpz, Opcode::BMpz)
                };
                (opcode, &constant[..])
            }
            Term::Rational(_) => (place.choose(Opcode::HMpq, Opcode::BMpq), &constant[..]),
            Term::Float(_) => (place.choose(Opcode::HFloat, Opcode::BFloat), &constant[..]),
            Term::String(_) => (
                place.choose(Opcode::HString, Opcode::BString),
                &constant[..],
            ),
            Term::Compound(..) | Term::Error => return Err(Refusal::Unreadable(term)),
        };
        self.emit(opcode, operands);
        Ok(None)
    }

    fn variable(&mut self, term: TermId, place: TermPlace) -> Option<TermId> {
        let Some(slot) = self.slot(term) else {
            self.emit(place.choose(Opcode::HVoid, Opcode::BVoid), &[]);
            return None;
        };
        let is_first = self.meet(slot);
        let is_argument = slot < self.slots.arity;
        if place.head {
            if is_argument && is_first && !place.nested {
                let moved = self.slots.moved_to(slot);
                if moved.is_none() {
                    self.emit(Opcode::HVoid, &[]);
                }
                return moved;
            }
            let is_new = is_first && !is_argument;
            let opcode = if is_new {
                Opcode::HFirstVar
            } else {
                Opcode::HVar
            };
            self.emit_slot(opcode, slot);
            return None;
        }
        let is_new = is_first && !is_argument;
        let opcode = match (place.nested, is_new) {
            (true, true) => Opcode::BArgFirstVar,
            (true, false) => Opcode::BArgVar,
            (false, true) => Opcode::BFirstVar,
            (false, false) => {
                self.put_variable(
                    slot,
                    [Opcode::BVar0, Opcode::BVar1, Opcode::BVar2],
                    Opcode::BVar,
                );
                return None;
            }
        };
        self.emit_slot(opcode, slot);
        None
    }

    /// Emits an instruction that has a shorter form for each of the first slots.
    pub(super) fn put_variable(&mut self, slot: usize, short: [Opcode; 3], long: Opcode) {
        match short.get(slot) {
            Some(&opcode) => self.emit(opcode, &[]),
            None => self.emit_slot(long, slot),
        }
    }
}
