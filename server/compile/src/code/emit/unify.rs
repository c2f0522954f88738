//! Code for `A = B` in a body. It is compiled like a head: the code depends on the known facts about both sides.

use costlens_syntax::term::{Term, TermId};

use super::super::constant::Constant;
use super::super::instruction::{Instruction, Location};
use super::super::tree::Variable;
use super::Emitter;

impl Emitter<'_> {
    pub(super) fn unify(&mut self, a: TermId, b: TermId) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            match (self.terms.get(a), self.terms.get(b)) {
                (Term::Var(v), Term::Var(w)) => self.unify_variables(a, *v, *w),
                (Term::Var(v), _) => self.unify_with(*v, b),
                (_, Term::Var(v)) => self.unify_with(*v, a),
                (Term::Compound(..), Term::Compound(..))
                    if self.terms.functor(a) == self.terms.functor(b) =>
                {
                    let pairs = self.terms.args(a).iter().zip(self.terms.args(b));
                    work.extend(pairs.map(|(&a, &b)| (a, b)).rev());
                }
                (x, y) => {
                    let fails = matches!(x, Term::Compound(..))
                        || matches!(y, Term::Compound(..))
                        || x != y;
                    self.skip(a);
                    self.skip(b);
                    if fails {
                        self.emit(Instruction::Fail);
                        self.unreachable = true;
                        for (a, b) in work.drain(..) {
                            self.skip(a);
                            self.skip(b);
                        }
                    }
                }
            }
        }
    }

    fn unify_variables(&mut self, a: TermId, v: Variable, w: Variable) {
        if v == w {
            self.occurrence(v);
            self.occurrence(w);
            return;
        }
        match (self.state.has(v), self.state.has(w)) {
            (true, true) => {
                let (location, register) = match (self.where_is(v), self.where_is(w)) {
                    (location, Location::X(register)) | (Location::X(register), location) => {
                        (location, register)
                    }
                    (location, Location::Y(_)) => (location, self.in_register(w)),
                };
                self.emit_unifying(Instruction::GetValue(location, register), a);
            }
            (true, false) => self.alias(w, v),
            (false, true) => self.alias(v, w),
            (false, false) if self.is_void(v) || self.is_void(w) => {}
            (false, false) => {
                self.initialise(v);
                self.alias(w, v);
            }
        }
        self.occurrence(v);
        self.occurrence(w);
    }

    /// Assigns the value of another variable to a variable without a value.
    fn alias(&mut self, new: Variable, old: Variable) {
        if self.is_void(new) {
            return;
        }
        // At its last occurrence, the old variable passes its register on.
        if self.remaining[old as usize] == 1
            && let Some(register) = self.state.register_of(old)
            && self.slot(new).is_none()
        {
            self.state.forget(old);
            self.state.set_register(new, register);
            return;
        }
        let from = self.where_is(old);
        match (self.new_location(new), from) {
            (Location::X(to), from) => self.emit(Instruction::PutValue(from, to)),
            (to @ Location::Y(_), Location::X(from)) => {
                self.emit(Instruction::GetVariable(to, from))
            }
            (to @ Location::Y(_), Location::Y(_)) => {
                let from = self.in_register(old);
                self.emit(Instruction::GetVariable(to, from));
            }
        }
    }

    /// Unifies a variable with a term that is not a variable.
    fn unify_with(&mut self, v: Variable, term: TermId) {
        let inside = self
            .terms
            .subterms(term)
            .into_iter()
            .any(|t| *self.terms.get(t) == Term::Var(v));
        if inside {
            self.initialise(v);
        }
        if self.is_void(v) {
            self.skip(term);
        } else if self.state.has(v) {
            let register = self.in_register(v);
            self.unify_register(register, term, false);
        } else {
            let wanted = self.live.wanted.get(&(self.chunk, v)).copied();
            let to = self.register(wanted);
            // The register stays taken until the term is built, so that no part of the term is put there.
            if let Some(constant) = Constant::from_term(self.terms, term) {
                self.emit(Instruction::PutConstant(constant, to));
            } else {
                self.build(term, Some(to));
            }
            self.state.set_register(v, to);
        }
        self.occurrence(v);
    }
}
