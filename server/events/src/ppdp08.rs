//! Instructions of the machine in *Towards Execution Time Estimation in Abstract Machine-Based Languages* (PPDP'08).
//!
//! Costlens does not run them; the published instruction times refer to them.

use std::fmt;

use smol_str::SmolStr;

/// An instruction without operands, for which a time is measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instruction {
    /// Creates the environment of a clause.
    Allocate,
    /// Drops the environment.
    Deallocate,
    /// Creates the choice point for the first of several clauses.
    TryMeElse,
    /// Tries a clause that is neither the first nor the last.
    RetryMeElse,
    /// Tries the last clause.
    TrustMe,
    /// Calls a predicate.
    Call,
    /// Calls a predicate as the last goal.
    Execute,
    /// Returns from the clause.
    Proceed,
    /// Saves the choice point to which a cut returns.
    GetLevel,
    /// `!`.
    Cut,
    /// `fail`.
    Fail,
    /// Stores an argument in a variable.
    GetVariable,
    /// Unifies an argument with a variable that has a value: `p(X, X)`.
    GetValue,
    /// Unifies an argument with an atom.
    GetConstantAtom,
    /// Unifies an argument with an integer.
    GetConstantInt,
    /// Builds a list cell, in heads and bodies.
    GetList,
    /// Builds another compound, in heads and bodies.
    GetStruct,
    /// Unifies two variables.
    UnifyVariable,
    /// Creates a variable.
    SetVariable,
    /// Adds an atom to a compound.
    SetConstantAtom,
    /// Adds an integer to a compound.
    SetConstantInt,
    /// Puts an atom into a variable.
    PutConstantAtom,
    /// Puts an integer into a variable, as an operand of arithmetic.
    PutConstantInt,
    /// Passes an atom as an argument of a call.
    PutAConstantAtom,
    /// Passes an integer as an argument of a call.
    PutAConstantInt,
    /// Passes a variable as an argument of a call.
    PutValue,
    /// Evaluates an arithmetic function with this name and arity: `arith_add`.
    Arith(SmolStr, usize),
    /// A comparison: `unequal` for `\==` and `=\=`.
    Compare(SmolStr),
}

/// The instructions with fixed names.
const NAMED: &[(Instruction, &str)] = &[
    (Instruction::Allocate, "allocate"),
    (Instruction::Deallocate, "deallocate"),
    (Instruction::TryMeElse, "try_me_else"),
    (Instruction::RetryMeElse, "retry_me_else"),
    (Instruction::TrustMe, "trust_me"),
    (Instruction::Call, "call"),
    (Instruction::Execute, "execute"),
    (Instruction::Proceed, "proceed"),
    (Instruction::GetLevel, "get_level"),
    (Instruction::Cut, "cut"),
    (Instruction::Fail, "fail"),
    (Instruction::GetVariable, "get_variable"),
    (Instruction::GetValue, "get_value"),
    (Instruction::GetConstantAtom, "get_constant_atom"),
    (Instruction::GetConstantInt, "get_constant_int"),
    (Instruction::GetList, "get_list"),
    (Instruction::GetStruct, "get_struct"),
    (Instruction::UnifyVariable, "unify_variable"),
    (Instruction::SetVariable, "set_variable"),
    (Instruction::SetConstantAtom, "set_constant_atom"),
    (Instruction::SetConstantInt, "set_constant_int"),
    (Instruction::PutConstantAtom, "put_constant_atom"),
    (Instruction::PutConstantInt, "put_constant_int"),
    (Instruction::PutAConstantAtom, "put_a_constant_atom"),
    (Instruction::PutAConstantInt, "put_a_constant_int"),
    (Instruction::PutValue, "put_value"),
];

/// The arithmetic functions with short names.
const FUNCTIONS: &[(&str, usize, &str)] = &[
    ("+", 2, "arith_add"),
    ("-", 2, "arith_sub"),
    ("*", 2, "arith_mul"),
    ("//", 2, "arith_div"),
    ("mod", 2, "arith_mod"),
];

/// The names of comparisons.
const COMPARISONS: [&str; 6] = [
    "equal",
    "unequal",
    "less",
    "less_or_equal",
    "greater",
    "greater_or_equal",
];

impl Instruction {
    /// Returns true if the instruction calls a predicate, so that a part *E(C,L)* starts at it.
    #[must_use]
    pub fn calls(&self) -> bool {
        matches!(self, Instruction::Call | Instruction::Execute)
    }

    /// Parses a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some((instruction, _)) = NAMED.iter().find(|(_, n)| *n == name) {
            return Some(instruction.clone());
        }
        if let Some((f, arity, _)) = FUNCTIONS.iter().find(|(_, _, n)| *n == name) {
            return Some(Instruction::Arith((*f).into(), *arity));
        }
        if let Some(&comparison) = COMPARISONS.iter().find(|n| **n == name) {
            return Some(Instruction::Compare(SmolStr::new_static(comparison)));
        }
        let (function, arity) = name
            .strip_prefix("arith(")?
            .strip_suffix(')')?
            .rsplit_once('/')?;
        let arity = arity.parse().ok()?;
        (!function.is_empty()).then(|| Instruction::Arith(function.into(), arity))
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Compare(name) => f.write_str(name),
            Instruction::Arith(name, arity) => {
                match FUNCTIONS.iter().find(|(n, a, _)| n == name && a == arity) {
                    Some((_, _, short)) => f.write_str(short),
                    None => write!(f, "arith({name}/{arity})"),
                }
            }
            named => {
                let name = NAMED.iter().find(|(i, _)| i == named);
                f.write_str(name.map_or("", |(_, n)| n))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        let names = NAMED.iter().map(|(_, n)| *n);
        let functions = FUNCTIONS.iter().map(|(_, _, n)| *n);
        let more = ["arith(max/2)", "arith(gcd/2)"];
        for name in names.chain(functions).chain(COMPARISONS).chain(more) {
            let read = Instruction::parse(name).unwrap();
            assert_eq!(read.to_string(), name);
        }
        for wrong in ["", "get", "arith(max)", "arith(/2)"] {
            assert_eq!(Instruction::parse(wrong), None, "{wrong}");
        }
    }
}
