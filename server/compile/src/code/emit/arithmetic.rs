//! Emits arithmetic on registers.
//!
//! Operands are evaluated from left to right, as in `is/2`, so that the same error is thrown first: in `X is A + B*C`, the value of `A` is
//! evaluated before the product unless it is known to be evaluable.

use costlens_syntax::term::{Term, TermId};
use smol_str::SmolStr;

use super::super::constant::Constant;
use super::super::instruction::{Instruction, Location, Operand, Register};
use super::super::tree::Variable;
use super::Emitter;

/// The functions for which instructions exist. Any other function is built as a term and evaluated, which throws if it does not exist.
const FUNCTIONS: [&[&str]; 4] = [
    &[],
    &[
        "-",
        "+",
        "abs",
        "sign",
        "min",
        "max",
        "sqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "exp",
        "log",
        "log2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "float",
        "integer",
        "float_integer_part",
        "float_fractional_part",
        "truncate",
        "round",
        "ceiling",
        "floor",
        "\\",
        "msb",
        "rational",
        "rationalize",
        "numerator",
        "denominator",
    ],
    &[
        "+", "-", "*", "/", "//", "mod", "rem", "div", "min", "max", ">>", "<<", "/\\", "\\/",
        "xor", "**", "^", "gcd", "atan2", "atan", "copysign", "rdiv", "log",
    ],
    &[],
];

fn is_function(name: &str, arity: usize) -> bool {
    FUNCTIONS.get(arity).is_some_and(|f| f.contains(&name))
}

enum Task {
    /// Evaluates an expression. The flag requests a register even if the expression is a variable.
    Visit(TermId, bool),
    Apply(SmolStr, usize, Option<Location>),
}

impl Emitter<'_> {
    /// Emits `Left is Expression`.
    pub(super) fn is(&mut self, left: TermId, expression: TermId) {
        let target = match self.terms.get(left) {
            Term::Var(v) => {
                let inside = self
                    .terms
                    .subterms(expression)
                    .into_iter()
                    .any(|t| *self.terms.get(t) == Term::Var(*v));
                if inside {
                    self.initialise(*v);
                }
                (!self.state.has(*v) && !self.is_void(*v)).then_some(*v)
            }
            _ => None,
        };
        if let Some(v) = target {
            self.evaluate_to(v, expression);
            self.occurrence(v);
            return;
        }
        let value = self.evaluate(expression, true);
        let register = self.value_register(value);
        match self.terms.get(left) {
            Term::Var(v) if self.state.has(*v) => {
                let location = self.where_is(*v);
                self.emit_unifying(Instruction::GetValue(location, register), left);
                self.occurrence(*v);
                self.state.evaluated.insert(*v);
            }
            Term::Var(v) => self.occurrence(*v),
            _ => self.unify_register(register, left, false),
        }
        self.state.release_taken(register);
    }

    /// Assigns the value of an expression to a variable.
    fn evaluate_to(&mut self, v: Variable, expression: TermId) {
        let computed = matches!(self.terms.get(expression), Term::Compound(name, _)
            if is_function(name, self.terms.args(expression).len()));
        if computed && let Some(slot) = self.slot(v).filter(|_| self.state.allocated) {
            // The value is stored directly in the environment.
            self.evaluate_into(expression, Some(slot), true);
            self.state.set_slot(v);
        } else if computed {
            let wanted = self.live.wanted.get(&(self.chunk, v)).copied();
            let register = self.register(wanted);
            self.evaluate_into(expression, Some(Location::X(register)), true);
            self.state.set_register(v, register);
        } else {
            let value = self.evaluate(expression, true);
            let register = self.value_register(value);
            self.state.set_register(v, register);
        }
        self.state.evaluated.insert(v);
    }

    /// Returns a register that contains an operand's value and has no other holder.
    fn value_register(&mut self, value: Operand) -> Register {
        match value {
            Operand::Location(Location::X(x))
                if self.state.holder(x) == Some(super::state::Holder::Taken) =>
            {
                x
            }
            Operand::Location(location) => {
                let x = self.register(None);
                self.emit(Instruction::PutValue(location, x));
                x
            }
            Operand::Constant(constant) => {
                let x = self.register(None);
                self.emit(Instruction::PutConstant(constant, x));
                x
            }
        }
    }

    /// Returns an operand for the value of an expression, in a separate register if the value had to be computed. With `number`, the
    /// operand is already a number; otherwise it may be a variable's value, which is evaluated by the instruction that reads it.
    pub(super) fn evaluate(&mut self, expression: TermId, number: bool) -> Operand {
        self.evaluate_into(expression, None, number)
    }

    fn evaluate_into(&mut self, expression: TermId, to: Option<Location>, number: bool) -> Operand {
        let mut tasks = vec![Task::Visit(expression, number)];
        let mut values: Vec<Operand> = Vec::new();
        let mut to = to;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(id, number) => {
                    let target = to.take();
                    self.visit(id, number, target, &mut tasks, &mut values);
                }
                Task::Apply(name, arity, target) => {
                    let operands = values.split_off(values.len() - arity);
                    for operand in &operands {
                        self.release_operand(operand);
                    }
                    let location = target.unwrap_or_else(|| Location::X(self.register(None)));
                    self.emit(Instruction::Arithmetic(
                        name,
                        operands.into_boxed_slice(),
                        location,
                    ));
                    values.push(Operand::Location(location));
                }
            }
        }
        values
            .pop()
            .unwrap_or(Operand::Constant(Constant::Integer(0)))
    }

    fn visit(
        &mut self,
        id: TermId,
        number: bool,
        target: Option<Location>,
        tasks: &mut Vec<Task>,
        values: &mut Vec<Operand>,
    ) {
        let to_register = |this: &mut Self, operand: Operand| {
            let x = this.register(None);
            this.emit(Instruction::Evaluate(operand, Location::X(x)));
            Operand::Location(Location::X(x))
        };
        let value = match self.terms.get(id) {
            Term::Var(v) => {
                self.initialise(*v);
                let operand = Operand::Location(self.where_is(*v));
                let known = self.state.evaluated.contains(v);
                self.occurrence(*v);
                self.state.evaluated.insert(*v);
                // An evaluated variable need not be a number: `X = 1+2, Y is X*2, Z is X`.
                if number || !known && self.matters_later(tasks) {
                    to_register(self, operand)
                } else {
                    operand
                }
            }
            Term::Compound(name, _) if is_function(name, self.terms.args(id).len()) => {
                let arguments = self.terms.args(id);
                tasks.push(Task::Apply(name.clone(), arguments.len(), target));
                tasks.extend(arguments.iter().rev().map(|&a| Task::Visit(a, false)));
                return;
            }
            Term::Compound(..) => {
                let register = self.build(id, None);
                self.state.release_taken(register);
                to_register(self, Operand::Location(Location::X(register)))
            }
            _ => match Constant::from_term(self.terms, id) {
                Some(constant) if constant.is_number() => Operand::Constant(constant),
                Some(constant) => to_register(self, Operand::Constant(constant)),
                None => Operand::Constant(Constant::Integer(0)),
            },
        };
        values.push(value);
    }

    /// Returns true if an instruction that may throw precedes the instruction that reads this operand.
    fn matters_later(&self, tasks: &[Task]) -> bool {
        for task in tasks.iter().rev() {
            match task {
                Task::Apply(..) => return false,
                Task::Visit(id, _) => match self.terms.get(*id) {
                    Term::Compound(..) | Term::Atom(_) | Term::String(_) => return true,
                    _ => {}
                },
            }
        }
        false
    }

    /// Returns true if the evaluation of an expression needs instructions, which may throw.
    pub(super) fn takes_instructions(&self, id: TermId) -> bool {
        matches!(
            self.terms.get(id),
            Term::Compound(..) | Term::Atom(_) | Term::String(_)
        )
    }

    /// Frees the register of an operand that was computed for a single use.
    pub(super) fn release_operand(&mut self, operand: &Operand) {
        if let Operand::Location(Location::X(x)) = operand {
            self.state.release_taken(*x);
        }
    }
}
