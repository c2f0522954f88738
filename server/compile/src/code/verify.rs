//! Verifies a clause's code by abstract execution over all paths: every value that is read has been written, environments are balanced,
//! structures are complete, and the level of each cut is available.

use std::collections::BTreeMap;

use super::instruction::{Instruction, Label, Location, Operand, Register, Test};
use super::shape::ClauseCode;

/// An error in code, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("instruction {at}: {what}")]
pub struct Fault {
    /// The index of the instruction.
    pub at: usize,
    /// A description of the error.
    pub what: &'static str,
}

/// Checks that every path through the code of a clause is valid. Jumps only lead forward, so one pass covers all paths.
///
/// # Errors
///
/// The first fault found.
pub fn verify(code: &ClauseCode) -> Result<(), Fault> {
    let arity = Register::try_from(code.arity).unwrap_or(Register::MAX);
    let mut machine = Machine {
        code,
        at: 0,
        waiting: BTreeMap::new(),
        now: Some(PathState {
            registers: (0..arity).map(|r| (r, Value::Term)).collect(),
            ..PathState::default()
        }),
    };
    if code.parts.len() != code.instructions.len() {
        return Err(machine.fault("as many parts as instructions"));
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        machine.at = at;
        machine.arrive(instruction)?;
        if machine.now.is_some() {
            machine.step(instruction)?;
        }
    }
    machine.at = code.instructions.len();
    if machine.now.is_some() || !machine.waiting.is_empty() {
        return Err(machine.fault("the code ends without `proceed`"));
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Term,
    Level,
}

/// The instructions for the arguments of a structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Arguments {
    /// `unify_…`.
    #[default]
    Unify,
    /// `set_…`.
    Set,
}

/// The facts that hold on every path up to an instruction.
#[derive(Clone, Debug, Default)]
struct PathState {
    registers: BTreeMap<Register, Value>,
    slots: BTreeMap<u32, Value>,
    /// The number of slots left in the environment after trimming, if there is an environment.
    environment: Option<u32>,
    /// True after a call or a choice point of the clause. At such a point, `B0` may have changed.
    called: bool,
    /// The number of missing arguments of a structure, and the kind of instructions that add them.
    missing: usize,
    arguments: Arguments,
    /// True if this point is reached by backtracking to a choice point.
    by_failure: bool,
}

impl PathState {
    /// Retains the facts that also hold on another path.
    fn join(&mut self, other: &Self) {
        self.registers
            .retain(|r, v| other.registers.get(r) == Some(v));
        self.slots.retain(|s, v| other.slots.get(s) == Some(v));
        self.environment = self.environment.min(other.environment);
        self.called |= other.called;
    }
}

struct Machine<'c> {
    code: &'c ClauseCode,
    at: usize,
    waiting: BTreeMap<Label, PathState>,
    now: Option<PathState>,
}

impl Machine<'_> {
    fn fault(&self, what: &'static str) -> Fault {
        Fault { at: self.at, what }
    }

    fn check(&self, holds: bool, what: &'static str) -> Result<(), Fault> {
        if holds { Ok(()) } else { Err(self.fault(what)) }
    }

    fn state(&mut self) -> Result<&mut PathState, Fault> {
        let fault = self.fault("unreachable");
        self.now.as_mut().ok_or(fault)
    }

    /// Joins the paths that meet at this instruction.
    fn arrive(&mut self, instruction: &Instruction) -> Result<(), Fault> {
        let label = Label::try_from(self.at).unwrap_or(Label::MAX);
        let alternative = matches!(
            instruction,
            Instruction::RetryElse(_) | Instruction::TrustElse
        );
        let Some(other) = self.waiting.remove(&label) else {
            let falls = alternative && self.now.is_some();
            return self.check(!falls, "falls into an alternative");
        };
        self.check(
            other.by_failure == alternative,
            "an alternative starts with `retry_else` or `trust_else`",
        )?;
        self.now = Some(match self.now.take() {
            None => other,
            Some(mut now) => {
                self.check(
                    now.environment.is_some() == other.environment.is_some(),
                    "paths with different environments meet",
                )?;
                self.check(!other.by_failure, "falls into an alternative")?;
                self.check(now.missing == 0, "a structure is not complete")?;
                now.join(&other);
                now
            }
        });
        Ok(())
    }

    fn go(&mut self, label: Label, mut state: PathState) -> Result<(), Fault> {
        self.check(label as usize > self.at, "a label leads back")?;
        self.check(
            (label as usize) < self.code.instructions.len(),
            "a label leads out of the code",
        )?;
        self.check(state.missing == 0, "a structure is not complete")?;
        if let Some(other) = self.waiting.remove(&label) {
            self.check(
                other.environment.is_some() == state.environment.is_some()
                    && other.by_failure == state.by_failure,
                "paths with different environments meet",
            )?;
            state.join(&other);
        }
        self.waiting.insert(label, state);
        Ok(())
    }

    fn read(&mut self, location: Location, as_what: Value) -> Result<(), Fault> {
        let state = self.state()?;
        let value = match location {
            Location::X(x) => state.registers.get(&x),
            Location::Y(y) => state.slots.get(&y),
        };
        let (value, in_environment) = (value.copied(), self.in_environment(location));
        self.check(in_environment, "a slot outside of the environment")?;
        self.check(value.is_some(), "reads what is not written")?;
        self.check(value == Some(as_what), "takes a level for a term")
    }

    fn in_environment(&self, location: Location) -> bool {
        match (location, &self.now) {
            (Location::Y(y), Some(state)) => state.environment.is_some_and(|size| y < size),
            _ => true,
        }
    }

    fn write(&mut self, location: Location, value: Value) -> Result<(), Fault> {
        let in_environment = self.in_environment(location);
        self.check(in_environment, "a slot outside of the environment")?;
        if let Location::X(x) = location {
            self.check(x < self.code.registers, "more registers than announced")?;
        }
        let state = self.state()?;
        match location {
            Location::X(x) => state.registers.insert(x, value),
            Location::Y(y) => state.slots.insert(y, value),
        };
        Ok(())
    }

    fn read_term(&mut self, location: Location) -> Result<(), Fault> {
        self.read(location, Value::Term)
    }

    fn write_term(&mut self, location: Location) -> Result<(), Fault> {
        self.write(location, Value::Term)
    }

    fn copy(&mut self, from: Location, to: Location) -> Result<(), Fault> {
        self.read_term(from)?;
        self.write_term(to)
    }

    fn operand(&mut self, operand: &Operand) -> Result<(), Fault> {
        match operand {
            Operand::Location(location) => self.read_term(*location),
            Operand::Constant(_) => Ok(()),
        }
    }

    /// Starts a structure with this number of arguments.
    fn structure(&mut self, arity: usize, arguments: Arguments) -> Result<(), Fault> {
        let state = self.state()?;
        (state.missing, state.arguments) = (arity, arguments);
        Ok(())
    }

    /// Reads a register for unification with a structure.
    fn get(&mut self, register: Register, arity: usize) -> Result<(), Fault> {
        self.read_term(Location::X(register))?;
        self.structure(arity, Arguments::Unify)
    }

    /// Writes a reference to a new structure to a register.
    fn put(&mut self, register: Register, arity: usize) -> Result<(), Fault> {
        self.write_term(Location::X(register))?;
        self.structure(arity, Arguments::Set)
    }

    /// Accounts for some arguments of the current structure.
    fn arguments(&mut self, count: usize, arguments: Arguments) -> Result<(), Fault> {
        let state = self.state()?;
        let fits = state.missing >= count && state.arguments == arguments;
        state.missing = state.missing.saturating_sub(count);
        self.check(fits, "an argument outside of a structure")
    }

    fn last_argument(&mut self, arity: usize, arguments: Arguments) -> Result<(), Fault> {
        self.arguments(1, arguments)?;
        let done = self.state()?.missing == 0;
        self.check(done, "a nested structure that is not the last argument")?;
        self.structure(arity, arguments)
    }

    fn new_argument(&mut self, to: Location, arguments: Arguments) -> Result<(), Fault> {
        self.arguments(1, arguments)?;
        self.write_term(to)
    }

    fn old_argument(&mut self, from: Location, arguments: Arguments) -> Result<(), Fault> {
        self.arguments(1, arguments)?;
        self.read_term(from)
    }

    /// Checks one instruction and updates the state.
    fn step(&mut self, instruction: &Instruction) -> Result<(), Fault> {
        use Arguments::{Set, Unify};
        use Instruction as I;
        let x = Location::X;
        let complete = self.state()?.missing == 0;
        self.check(
            is_argument(instruction) || complete,
            "a structure is not complete",
        )?;
        match instruction {
            I::GetVariable(to, from) => self.copy(x(*from), *to),
            I::GetValue(location, register) => {
                self.read_term(*location)?;
                self.read_term(x(*register))
            }
            I::GetConstant(_, register) => self.read_term(x(*register)),
            I::GetList(register) => self.get(*register, 2),
            I::GetStructure((_, arity), register) => self.get(*register, *arity),
            I::UnifyVariable(to) => self.new_argument(*to, Unify),
            I::UnifyValue(from) => self.old_argument(*from, Unify),
            I::UnifyConstant(_) => self.arguments(1, Unify),
            I::UnifyVoid(count) => self.arguments(*count as usize, Unify),
            I::UnifyList => self.last_argument(2, Unify),
            I::UnifyStructure((_, arity)) => self.last_argument(*arity, Unify),
            I::PutVariable(location, register) => {
                self.write_term(*location)?;
                self.write_term(x(*register))
            }
            I::PutValue(from, to) => self.copy(*from, x(*to)),
            I::PutConstant(_, register) => self.write_term(x(*register)),
            I::PutList(register) => self.put(*register, 2),
            I::PutStructure((_, arity), register) => self.put(*register, *arity),
            I::SetVariable(to) => self.new_argument(*to, Set),
            I::SetValue(from) => self.old_argument(*from, Set),
            I::SetConstant(_) => self.arguments(1, Set),
            I::SetVoid(count) => self.arguments(*count as usize, Set),
            I::SetList => self.last_argument(2, Set),
            I::SetStructure((_, arity)) => self.last_argument(*arity, Set),
            I::Allocate(size) => self.allocate(*size),
            I::Deallocate => self.deallocate(),
            I::Call((_, arity), live) => self.call(*arity, *live),
            I::Execute((_, arity)) => {
                self.passed(*arity)?;
                self.ends()
            }
            I::Proceed => self.ends(),
            I::NeckCut => self.before_calls("a neck cut after a call"),
            I::GetLevel(location) => {
                self.before_calls("`get_level` after a call")?;
                self.write(*location, Value::Level)
            }
            I::GetChoice(location) => self.write(*location, Value::Level),
            I::Cut(location) | I::SoftCut(location) => self.read(*location, Value::Level),
            I::TryElse(label) => self.try_else(*label),
            I::RetryElse(label) => self.retry_else(*label),
            I::TrustElse => {
                self.state()?.by_failure = false;
                Ok(())
            }
            I::Jump(label) => match self.now.take() {
                Some(state) => self.go(*label, state),
                None => Ok(()),
            },
            I::Fail => {
                self.now = None;
                Ok(())
            }
            I::Test(test, otherwise) => self.test(test, *otherwise),
            I::Arithmetic(_, operands, to) => {
                operands.iter().try_for_each(|o| self.operand(o))?;
                self.write_term(*to)
            }
            I::Evaluate(operand, to) => {
                self.operand(operand)?;
                self.write_term(*to)
            }
        }
    }

    fn allocate(&mut self, size: u32) -> Result<(), Fault> {
        let none = self.state()?.environment.is_none();
        self.check(none, "a second environment")?;
        self.check(
            self.code.slots == Some(size),
            "another number of slots than announced",
        )?;
        self.state()?.environment = Some(size);
        Ok(())
    }

    fn deallocate(&mut self) -> Result<(), Fault> {
        let some = self.state()?.environment.take().is_some();
        self.state()?.slots.clear();
        self.check(some, "no environment")
    }

    fn call(&mut self, arity: usize, live: u32) -> Result<(), Fault> {
        self.passed(arity)?;
        let size = self.state()?.environment;
        self.check(size.is_some(), "a call without an environment")?;
        let state = self.state()?;
        state.registers.clear();
        state.slots.retain(|slot, _| *slot < live);
        state.environment = size.map(|size| size.min(live));
        state.called = true;
        Ok(())
    }

    /// Checks that `B0` still has the value that it had when the clause was entered.
    fn before_calls(&mut self, what: &'static str) -> Result<(), Fault> {
        let first = !self.state()?.called;
        self.check(first, what)
    }

    fn try_else(&mut self, label: Label) -> Result<(), Fault> {
        let state = self.state()?;
        state.called = true;
        let mut alternative = state.clone();
        alternative.registers.clear();
        alternative.by_failure = true;
        self.go(label, alternative)
    }

    fn retry_else(&mut self, label: Label) -> Result<(), Fault> {
        let state = self.state()?;
        let alternative = state.clone();
        state.by_failure = false;
        self.go(label, alternative)
    }

    fn test(&mut self, test: &Test, otherwise: Option<Label>) -> Result<(), Fault> {
        match test {
            Test::Type(_, location) | Test::Unify(location, _) => self.read_term(*location)?,
            Test::Arithmetic(_, a, b) | Test::Term(_, a, b) | Test::NotUnifiable(a, b) => {
                self.operand(a)?;
                self.operand(b)?;
            }
        }
        match otherwise {
            Some(label) => {
                let state = self.state()?.clone();
                self.go(label, state)
            }
            None => Ok(()),
        }
    }

    fn passed(&mut self, arity: usize) -> Result<(), Fault> {
        for register in 0..Register::try_from(arity).unwrap_or(Register::MAX) {
            self.read(Location::X(register), Value::Term)?;
        }
        Ok(())
    }

    fn ends(&mut self) -> Result<(), Fault> {
        let balanced = self.state()?.environment.is_none();
        self.now = None;
        self.check(balanced, "leaves its environment")
    }
}

/// Returns true for an instruction that adds or unifies an argument of a structure.
fn is_argument(instruction: &Instruction) -> bool {
    use Instruction as I;
    matches!(
        instruction,
        I::UnifyVariable(_)
            | I::UnifyValue(_)
            | I::UnifyConstant(_)
            | I::UnifyVoid(_)
            | I::UnifyList
            | I::UnifyStructure(_)
            | I::SetVariable(_)
            | I::SetValue(_)
            | I::SetConstant(_)
            | I::SetVoid(_)
            | I::SetList
            | I::SetStructure(_)
    )
}
