//! `is/2` and comparisons of numbers: calls, but for `New is Variable + Integer` and under the flag `optimise`.

use costlens_catalog::is_arithmetic_comparison;
use costlens_syntax::term::{CONS, NIL, Term, TermId};
use smol_str::SmolStr;

use super::argument::{Place, is_portable};
use super::emit::Emitter;
use super::instruction::Operand;
use super::refusal::Refusal;
use super::variables::DEEPEST;
use super::vocabulary::Opcode;

/// The functions that can be evaluated, by arity.
const FUNCTIONS: [&[&str]; 4] = [
    &[
        "cputime",
        "e",
        "epsilon",
        "inf",
        "nan",
        "pi",
        "random_float",
    ],
    &[
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "\\",
        "ceil",
        "ceiling",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "eval",
        "exp",
        "float",
        "float_fractional_part",
        "float_integer_part",
        "floor",
        "integer",
        "lgamma",
        "log",
        "log10",
        "lsb",
        "-",
        "msb",
        "numerator",
        "+",
        "popcount",
        "random",
        "rational",
        "rationalize",
        "round",
        "sign",
        "sin",
        "sinh",
        "sqrt",
        "denominator",
        "tan",
        "tanh",
        "truncate",
    ],
    &[
        "/\\",
        "atan",
        "atan2",
        "\\/",
        "copysign",
        "div",
        "//",
        "getbit",
        "/",
        "**",
        "gcd",
        "^",
        "lcm",
        "<<",
        "max",
        "min",
        "-",
        "mod",
        "nexttoward",
        "+",
        "rdiv",
        "rem",
        "roundtoward",
        ">>",
        "*",
        "xor",
    ],
    &["powm"],
];

/// The names of the ways to round.
const ROUNDINGS: &[&str] = &["to_nearest", "to_positive", "to_negative", "to_zero"];

impl Emitter<'_> {
    /// Arithmetic in place; false where it is called.
    pub(super) fn arithmetic(
        &mut self,
        goal: TermId,
        name: &str,
        arguments: &[TermId],
    ) -> Result<bool, Refusal> {
        let &[left, right] = arguments else {
            return Ok(false);
        };
        if name == "is" && self.adds_integer(left, right) {
            return Ok(true);
        }
        if !self.settings.optimise {
            return Ok(false);
        }
        let opcode = match name {
            "is" => return self.is(left, right).map(|()| true),
            _ if !is_arithmetic_comparison(name, 2) => return Ok(false),
            "<" => Opcode::ALt,
            "=<" => Opcode::ALe,
            ">" => Opcode::AGt,
            ">=" => Opcode::AGe,
            "=:=" => Opcode::AEq,
            "=\\=" => Opcode::ANe,
            _ => return Err(Refusal::NotCallable(goal)),
        };
        self.emit(Opcode::AEnter, &[]);
        self.expression(left, 0)?;
        self.expression(right, 0)?;
        self.emit(opcode, &[]);
        Ok(true)
    }

    /// `New is Variable + Integer`, `New is Integer + Variable` and `New is Variable - Integer`.
    fn adds_integer(&mut self, to: TermId, sum: TermId) -> bool {
        let Some(to) = self.new_slot(to) else {
            return false;
        };
        let terms = self.terms;
        let (is_minus, parts) = match (terms.matches(sum, "+", 2), terms.matches(sum, "-", 2)) {
            (Some(parts), _) => (false, parts),
            (None, Some(parts)) => (true, parts),
            (None, None) => return false,
        };
        let added = |from: TermId, by: TermId| {
            let slot = self.slot(from).filter(|&slot| !self.is_first(slot))?;
            match terms.get(by) {
                Term::Integer(n) => Some((slot, is_portable(n)?)),
                _ => None,
            }
        };
        let found = match *parts {
            [a, b] if is_minus => added(a, b).map(|(slot, n)| (slot, -n)),
            [a, b] => added(a, b).or_else(|| added(b, a)),
            _ => None,
        };
        let Some((from, by)) = found else {
            return false;
        };
        self.meet(to);
        let operands = [Operand::Slot(to), Operand::Slot(from), Operand::Number(by)];
        self.emit(Opcode::AAddFC, &operands);
        true
    }

    fn is(&mut self, to: TermId, expression: TermId) -> Result<(), Refusal> {
        let new = self.new_slot(to);
        match new {
            Some(slot) => {
                self.meet(slot);
            }
            None => self.argument(to, Place::BODY, 0)?,
        }
        self.emit(Opcode::AEnter, &[]);
        self.expression(expression, 0)?;
        match new {
            Some(slot) => self.emit_slot(Opcode::AFirstVarIs, slot),
            None => self.emit(Opcode::AIs, &[]),
        }
        Ok(())
    }

    /// Pushes the value of an expression.
    fn expression(&mut self, term: TermId, depth: u32) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(term));
        }
        let terms = self.terms;
        let constant = [Operand::Constant(term)];
        let (name, arguments) = match terms.get(term) {
            Term::Var(_) => {
                let slot = self.evaluated(term)?;
                let short = [Opcode::AVar0, Opcode::AVar1, Opcode::AVar2];
                self.put_variable(slot, short, Opcode::AVar);
                return Ok(());
            }
            Term::Integer(n) => {
                let fits = i64::try_from(n).is_ok();
                self.emit(
                    if fits { Opcode::AInteger } else { Opcode::AMpz },
                    &constant,
                );
                return Ok(());
            }
            Term::Rational(_) => {
                self.emit(Opcode::AMpq, &constant);
                return Ok(());
            }
            Term::Float(_) => {
                self.emit(Opcode::ADouble, &constant);
                return Ok(());
            }
            Term::String(text) if text.chars().count() == 1 => {
                self.emit(Opcode::AInteger, &constant);
                return Ok(());
            }
            Term::Compound(name, _) if name == CONS => {
                if !self.is_character(term) {
                    return Err(Refusal::NotEvaluable(term));
                }
                self.emit(Opcode::AInteger, &constant);
                return Ok(());
            }
            Term::Atom(name) if name != NIL => (name, &[][..]),
            Term::Compound(name, _) => (name, terms.args(term)),
            Term::Atom(_) | Term::String(_) | Term::Error => {
                return Err(Refusal::NotEvaluable(term));
            }
        };
        self.function(term, name, arguments, depth)
    }

    /// `[c]`: a list of one character or code.
    fn is_character(&self, list: TermId) -> bool {
        let (elements, rest) = self.terms.list(list);
        let is_one = |&element: &TermId| match self.terms.get(element) {
            Term::Integer(n) => u32::try_from(n).is_ok(),
            Term::Atom(name) => name.chars().count() == 1,
            _ => false,
        };
        matches!(&elements[..], [element] if is_one(element))
            && self.terms.as_atom(rest).is_some_and(|name| name == NIL)
    }

    /// The slot of a variable in an expression, which has to have a value or to be an argument.
    fn evaluated(&mut self, variable: TermId) -> Result<usize, Refusal> {
        let slot = self.slot(variable);
        let slot = slot.ok_or(Refusal::NotEvaluable(variable))?;
        let is_first = self.meet(slot);
        if is_first && slot >= self.slots.arity {
            return Err(Refusal::NotEvaluable(variable));
        }
        Ok(slot)
    }

    /// Operands are pushed from the right to the left.
    fn function(
        &mut self,
        term: TermId,
        name: &SmolStr,
        arguments: &[TermId],
        depth: u32,
    ) -> Result<(), Refusal> {
        let arity = arguments.len();
        let known = FUNCTIONS
            .get(arity)
            .is_some_and(|f| f.contains(&name.as_str()));
        if !known {
            return Err(Refusal::NotEvaluable(term));
        }
        if let ("roundtoward", &[inner, rounding]) = (name.as_str(), arguments) {
            self.rounding(rounding)?;
            self.expression(inner, depth + 1)?;
        } else {
            for &argument in arguments.iter().rev() {
                self.expression(argument, depth + 1)?;
            }
        }
        let functor = Operand::Functor(name.clone(), arity);
        match (name.as_str(), arity) {
            ("+", 2) => self.emit(Opcode::AAdd, &[]),
            ("*", 2) => self.emit(Opcode::AMul, &[]),
            (_, 0) => self.emit(Opcode::AFunc0, &[functor]),
            (_, 1) => self.emit(Opcode::AFunc1, &[functor]),
            (_, 2) => self.emit(Opcode::AFunc2, &[functor]),
            _ => {
                let count = Operand::Number(i64::try_from(arity).unwrap_or(i64::MAX));
                self.emit(Opcode::AFunc, &[functor, count]);
            }
        }
        Ok(())
    }

    fn rounding(&mut self, rounding: TermId) -> Result<(), Refusal> {
        match self.terms.get(rounding) {
            Term::Atom(name) if ROUNDINGS.contains(&name.as_str()) => {
                self.emit(Opcode::ARoundTowardsA, &[Operand::Constant(rounding)]);
            }
            Term::Var(_) => {
                let slot = self.evaluated(rounding)?;
                self.emit_slot(Opcode::ARoundTowardsV, slot);
            }
            _ => return Err(Refusal::NotEvaluable(rounding)),
        }
        Ok(())
    }
}
