//! Abstract execution of a clause's code over all paths: every value read has been written, environments are balanced, structures are
//! complete, cuts find their levels.

use std::collections::BTreeMap;

use super::instruction::{Instruction, Label, Location, Operand, Register, Test};
use super::shape::ClauseCode;

/// An error in code, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("instruction {at}: {what}")]
pub struct Fault {
    /// The instruction.
    pub at: usize,
    /// The error, in words.
    pub what: &'static str,
}

/// Checks that every path through the code of a clause is valid. Labels only lead forward, so one pass covers all paths.
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

/// The facts that hold on every path to an instruction.
#[derive(Clone, Debug, Default)]
struct PathState {
    registers: BTreeMap<Register, Value>,
    slots: BTreeMap<u32, Value>,
    /// The number of slots left in the environment after trimming, if there is an environment.
    environment: Option<u32>,
    /// True after a call or a choice point of the clause, when `B0` may no longer be that of the clause.
    called: bool,
    /// The number of missing arguments of a structure, and whether they are `set_…`.
    missing: usize,
    sets: bool,
    /// True if it is reached by backtracking to a choice point.
    by_failure: bool,
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
        if let Some(other) = self.waiting.remove(&label) {
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
                    now.registers
                        .retain(|r, v| other.registers.get(r) == Some(v));
                    now.slots.retain(|s, v| other.slots.get(s) == Some(v));
                    now.environment = now.environment.min(other.environment);
                    now.called |= other.called;
                    now
                }
            });
        } else if alternative && self.now.is_some() {
            return Err(self.fault("falls into an alternative"));
        }
        Ok(())
    }

    fn go(&mut self, label: Label, mut state: PathState) -> Result<(), Fault> {
        self.check(label as usize > self.at, "a label leads back")?;
        self.check(
            (label as usize) < self.code.instructions.len(),
            "a label leads out of the code",
        )?;
        self.check(state.missing == 0, "a structure is not complete")?;
        if let Some(mut other) = self.waiting.remove(&label) {
            self.check(
                other.environment.is_some() == state.environment.is_some()
                    && other.by_failure == state.by_failure,
                "paths with different environments meet",
            )?;
            other
                .registers
                .retain(|r, v| state.registers.get(r) == Some(v));
            other.slots.retain(|s, v| state.slots.get(s) == Some(v));
            other.environment = other.environment.min(state.environment);
            other.called |= state.called;
            state = other;
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

    fn operand(&mut self, operand: &Operand) -> Result<(), Fault> {
        match operand {
            Operand::Location(location) => self.read(*location, Value::Term),
            Operand::Constant(_) => Ok(()),
        }
    }

    /// Starts a structure with this number of arguments.
    fn structure(&mut self, arity: usize, sets: bool) -> Result<(), Fault> {
        let state = self.state()?;
        (state.missing, state.sets) = (arity, sets);
        Ok(())
    }

    /// Accounts for some arguments of the current structure.
    fn arguments(&mut self, count: usize, sets: bool) -> Result<(), Fault> {
        let state = self.state()?;
        let fits = state.missing >= count && state.sets == sets;
        state.missing = state.missing.saturating_sub(count);
        self.check(fits, "an argument outside of a structure")
    }

    fn last_argument(&mut self, arity: usize, sets: bool) -> Result<(), Fault> {
        self.arguments(1, sets)?;
        let done = self.state()?.missing == 0;
        self.check(done, "a nested structure that is not the last argument")?;
        self.structure(arity, sets)
    }

    /// Checks one instruction and updates the state. Long because it has one arm per instruction.
    fn step(&mut self, instruction: &Instruction) -> Result<(), Fault> {
        use Instruction as I;
        let x = Location::X;
        let inside = matches!(
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
        );
        let complete = self.state()?.missing == 0;
        self.check(inside || complete, "a structure is not complete")?;
        match instruction {
            I::GetVariable(to, from) => {
                self.read(x(*from), Value::Term)?;
                self.write(*to, Value::Term)
            }
            I::PutValue(from, to) => {
                self.read(*from, Value::Term)?;
                self.write(x(*to), Value::Term)
            }
            I::GetValue(location, register) => {
                self.read(*location, Value::Term)?;
                self.read(x(*register), Value::Term)
            }
            I::GetConstant(_, register) => self.read(x(*register), Value::Term),
            I::GetList(register) => {
                self.read(x(*register), Value::Term)?;
                self.structure(2, false)
            }
            I::GetStructure((_, arity), register) => {
                self.read(x(*register), Value::Term)?;
                self.structure(*arity, false)
            }
            I::UnifyVariable(location) => {
                self.arguments(1, false)?;
                self.write(*location, Value::Term)
            }
            I::UnifyValue(location) => {
                self.arguments(1, false)?;
                self.read(*location, Value::Term)
            }
            I::UnifyConstant(_) => self.arguments(1, false),
            I::UnifyVoid(count) => self.arguments(*count as usize, false),
            I::UnifyList => self.last_argument(2, false),
            I::UnifyStructure((_, arity)) => self.last_argument(*arity, false),
            I::PutVariable(location, register) => {
                self.write(*location, Value::Term)?;
                self.write(x(*register), Value::Term)
            }
            I::PutConstant(_, register) => self.write(x(*register), Value::Term),
            I::PutList(register) => {
                self.write(x(*register), Value::Term)?;
                self.structure(2, true)
            }
            I::PutStructure((_, arity), register) => {
                self.write(x(*register), Value::Term)?;
                self.structure(*arity, true)
            }
            I::SetVariable(location) => {
                self.arguments(1, true)?;
                self.write(*location, Value::Term)
            }
            I::SetValue(location) => {
                self.arguments(1, true)?;
                self.read(*location, Value::Term)
            }
            I::SetConstant(_) => self.arguments(1, true),
            I::SetVoid(count) => self.arguments(*count as usize, true),
            I::SetList => self.last_argument(2, true),
            I::SetStructure((_, arity)) => self.last_argument(*arity, true),
            I::Allocate(size) => {
                let none = self.state()?.environment.is_none();
                self.check(none, "a second environment")?;
                self.check(
                    self.code.slots == Some(*size),
                    "another number of slots than announced",
                )?;
                self.state()?.environment = Some(*size);
                Ok(())
            }
            I::Deallocate => {
                let some = self.state()?.environment.take().is_some();
                self.state()?.slots.clear();
                self.check(some, "no environment")
            }
            I::Call((_, arity), live) => {
                self.passed(*arity)?;
                let size = self.state()?.environment;
                self.check(size.is_some(), "a call without an environment")?;
                let state = self.state()?;
                state.registers.clear();
                state.slots.retain(|slot, _| slot < live);
                state.environment = size.map(|size| size.min(*live));
                state.called = true;
                Ok(())
            }
            I::Execute((_, arity)) => {
                self.passed(*arity)?;
                self.ends()
            }
            I::Proceed => self.ends(),
            I::NeckCut => {
                let first = !self.state()?.called;
                self.check(first, "a neck cut behind a call")
            }
            I::GetLevel(location) => {
                let first = !self.state()?.called;
                self.check(first, "`get_level` behind a call")?;
                self.write(*location, Value::Level)
            }
            I::GetChoice(location) => self.write(*location, Value::Level),
            I::Cut(location) | I::SoftCut(location) => self.read(*location, Value::Level),
            I::TryElse(label) => {
                self.state()?.called = true;
                let mut alternative = self.state()?.clone();
                alternative.registers.clear();
                alternative.by_failure = true;
                self.go(*label, alternative)
            }
            I::RetryElse(label) => {
                let alternative = self.state()?.clone();
                self.state()?.by_failure = false;
                self.go(*label, alternative)
            }
            I::TrustElse => {
                self.state()?.by_failure = false;
                Ok(())
            }
            I::Jump(label) => {
                if let Some(state) = self.now.take() {
                    self.go(*label, state)?;
                }
                Ok(())
            }
            I::Fail => {
                self.now = None;
                Ok(())
            }
            I::Test(test, otherwise) => {
                match test {
                    Test::Type(_, location) | Test::Unify(location, _) => {
                        self.read(*location, Value::Term)?;
                    }
                    Test::Arithmetic(_, a, b) | Test::Term(_, a, b) | Test::NotUnifiable(a, b) => {
                        self.operand(a)?;
                        self.operand(b)?;
                    }
                }
                match otherwise {
                    Some(label) => {
                        let state = self.state()?.clone();
                        self.go(*label, state)
                    }
                    None => Ok(()),
                }
            }
            I::Arithmetic(_, operands, to) => {
                for operand in operands {
                    self.operand(operand)?;
                }
                self.write(*to, Value::Term)
            }
            I::Evaluate(operand, to) => {
                self.operand(operand)?;
                self.write(*to, Value::Term)
            }
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
