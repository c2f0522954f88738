//! Code for type tests.

use costlens_body::TypeTest;
use costlens_events::swi::Opcode;
use costlens_syntax::term::{NIL, Term, TermId};

use super::emit::Emitter;

impl Emitter<'_> {
    /// Compiles a type test. For a variable already met, there is an instruction. For any other term the result is known, which is used
    /// only with the flag `optimise`. Returns false if the test is compiled as a call.
    pub(super) fn type_test(&mut self, test: TypeTest, term: TermId) -> bool {
        let opcode = match test {
            TypeTest::Var => Opcode::IVar,
            TypeTest::Nonvar => Opcode::INonvar,
            TypeTest::Integer => Opcode::IInteger,
            TypeTest::Rational => Opcode::IRational,
            TypeTest::Float => Opcode::IFloat,
            TypeTest::Number => Opcode::INumber,
            TypeTest::Atomic => Opcode::IAtomic,
            TypeTest::Atom => Opcode::IAtom,
            TypeTest::String => Opcode::IString,
            TypeTest::Compound => Opcode::ICompound,
            TypeTest::Callable => Opcode::ICallable,
            TypeTest::IsList | TypeTest::Ground => return false,
        };
        let slot = self.slot(term);
        if let Some(slot) = slot
            && !self.is_first(slot)
        {
            self.emit_slot(opcode, slot);
            return true;
        }
        if !self.settings.optimise {
            return false;
        }
        self.known(self.has_type(opcode, term));
        if let Some(slot) = slot
            && !matches!(opcode, Opcode::IVar | Opcode::INonvar)
        {
            self.meet(slot);
            self.emit_slot(Opcode::CVar, slot);
        }
        true
    }

    /// Evaluates a type test at compile time, for a nonvariable term or the first occurrence of a variable.
    fn has_type(&self, test: Opcode, term: TermId) -> bool {
        let value = self.terms.get(term);
        let is_variable = matches!(value, Term::Var(_));
        match test {
            Opcode::IVar => is_variable,
            Opcode::INonvar => !is_variable,
            Opcode::IInteger => matches!(value, Term::Integer(_)),
            Opcode::IRational => matches!(value, Term::Integer(_) | Term::Rational(_)),
            Opcode::IFloat => matches!(value, Term::Float(_)),
            Opcode::INumber => {
                matches!(value, Term::Integer(_) | Term::Rational(_) | Term::Float(_))
            }
            Opcode::IAtomic => !is_variable && !matches!(value, Term::Compound(..)),
            Opcode::IAtom => matches!(value, Term::Atom(name) if name != NIL),
            Opcode::IString => matches!(value, Term::String(_)),
            Opcode::ICompound => matches!(value, Term::Compound(..)),
            Opcode::ICallable => match value {
                Term::Atom(name) => name != NIL,
                Term::Compound(..) => true,
                _ => false,
            },
            _ => false,
        }
    }
}
