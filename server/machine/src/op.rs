//! Linked instructions, which the engine's loop runs.
//!
//! They are the instructions of [`costlens_compile::code`], with names, labels and constants replaced by numbers and split by case
//! (`get_variable` into a register or a slot), and a few internal instructions. Each takes sixteen bytes.

use crate::cell::Cell;

/// An index into the code.
pub(crate) type Address = u32;
/// A register.
pub(crate) type X = u16;
/// An environment slot.
pub(crate) type Y = u16;

/// The operand of a test or an arithmetic instruction, in four bytes with the kind in the lowest two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OperandWord(u32);

/// A decoded operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandView {
    X(X),
    Y(Y),
    /// An integer that fits the operand.
    Small(i32),
    /// An index into the table of constants.
    Constant(usize),
}

impl OperandWord {
    pub(crate) const fn x(register: X) -> Self {
        Self((register as u32) << 2)
    }

    pub(crate) const fn y(slot: Y) -> Self {
        Self((slot as u32) << 2 | 1)
    }

    /// Returns the operand of a small integer, or `None` if the integer needs more than 30 bits.
    pub(crate) fn small(value: i64) -> Option<Self> {
        let value = i32::try_from(value).ok()?;
        (value << 2 >> 2 == value).then_some(Self((value << 2).cast_unsigned() | 2))
    }

    pub(crate) const fn constant(index: u32) -> Self {
        Self(index << 2 | 3)
    }

    #[inline]
    pub(crate) const fn view(self) -> OperandView {
        match self.0 & 3 {
            0 => OperandView::X((self.0 >> 2) as u16),
            1 => OperandView::Y((self.0 >> 2) as u16),
            2 => OperandView::Small(self.0.cast_signed() >> 2),
            _ => OperandView::Constant((self.0 >> 2) as usize),
        }
    }
}

/// Arithmetic comparisons, and comparisons in the standard order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    #[inline]
    pub(crate) fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterOrEqual => a >= b,
        }
    }
}

/// The kinds of access to the clauses of a dynamic predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The clauses are run.
    Call,
    /// The clauses are inspected.
    Inspect,
    /// The first clause that unifies is removed.
    Retract,
}

/// No label: if the test does not hold, it fails.
pub(crate) const FAILS: Address = 0;

/// A linked instruction. The instruction of the same name in [`costlens_compile::code::Instruction`] documents the meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    // Heads.
    GetVariableX(X, X),
    GetVariableY(Y, X),
    GetValueX(X, X),
    GetValueY(Y, X),
    /// An atom or small integer.
    GetAtomic(Cell, X),
    /// A boxed constant.
    GetBoxed(Cell, X),
    GetList(X),
    /// `get_list(A)`, `unify_variable(X)`, `unify_variable(X)`, fused. The last two instructions remain after the fused instruction: they
    /// are never executed, but count.
    GetListVariables(X, X, X),
    /// `get_list(A)`, `unify_value(X)`, `unify_variable(X)`, fused in the same way.
    GetListValueVariable(X, X, X),
    /// `get_list(A)`, `unify_value(X)`, `unify_void(1)`, fused in the same way.
    GetListValueVoid(X, X),
    /// `get_list(A)`, `unify_void(1)`, `unify_variable(X)`, fused in the same way.
    GetListVoidVariable(X, X),
    GetStructure(Cell, X),
    /// `get_structure(f/2, A)`, `unify_variable(X)`, `unify_variable(X)`, fused in the same way.
    GetStructureVariables(Cell, X, X, X),
    UnifyVariableX(X),
    UnifyVariableY(Y),
    UnifyValueX(X),
    UnifyValueY(Y),
    UnifyAtomic(Cell),
    UnifyBoxed(Cell),
    UnifyVoid(u32),
    UnifyList,
    UnifyStructure(Cell),

    // Bodies.
    PutVariableX(X, X),
    PutVariableY(Y, X),
    PutValueX(X, X),
    PutValueY(Y, X),
    PutConstant(Cell, X),
    PutList(X),
    PutStructure(Cell, X),
    SetVariableX(X),
    SetVariableY(Y),
    SetValueX(X),
    SetValueY(Y),
    SetConstant(Cell),
    SetVoid(u32),
    SetList,
    SetStructure(Cell),

    // Calls.
    Allocate(u32),
    Deallocate,
    /// The predicate, and the number of live slots.
    Call(u32, u32),
    Execute(u32),
    Proceed,
    /// A deterministic built-in that runs inline: its number and arity.
    Builtin(u32, u8),
    /// A deterministic built-in as the last goal.
    ExecuteBuiltin(u32, u8),

    // Cuts and choices.
    NeckCut,
    GetLevelX(X),
    GetLevelY(Y),
    GetChoiceX(X),
    GetChoiceY(Y),
    CutX(X),
    CutY(Y),
    SoftCutX(X),
    SoftCutY(Y),
    /// The address of the alternative, and the number of slots of the environment.
    TryElse(Address, u32),
    RetryElse(Address),
    TrustElse,
    Jump(Address),
    Fail,

    // Tests and arithmetic.
    TestTypeX(TypeCode, X, Address),
    TestTypeY(TypeCode, Y, Address),
    TestNumbers(Relation, OperandWord, OperandWord, Address),
    TestTerms(Relation, OperandWord, OperandWord, Address),
    NotUnifiable(OperandWord, OperandWord, Address),
    TestUnifyX(Cell, X, Address),
    TestUnifyY(Cell, Y, Address),
    AddX(OperandWord, OperandWord, X),
    SubtractX(OperandWord, OperandWord, X),
    MultiplyX(OperandWord, OperandWord, X),
    /// The function, one or two operands, and the result register.
    ArithmeticX(FunctionCode, OperandWord, OperandWord, X),
    EvaluateX(OperandWord, X),
    /// A function of three operands, which are stored in the next instruction.
    Arithmetic3(FunctionCode, X),
    Operands(OperandWord, OperandWord, OperandWord),
    /// A name that is not a function.
    NotEvaluable(Cell),
    /// Moves the result of an arithmetic instruction from a register to a slot.
    StoreY(Y, X),

    // Choosing clauses.
    /// The arity, which is the number of saved registers, and the address of the clause. The next alternative is the next instruction.
    Try(u32, Address),
    Retry(Address),
    Trust(Address),
    /// An index into the tables of [`crate::switch::Switch`].
    Switch(u32),
    /// A table for another argument: continues at the table's entry or, if the argument is unbound, at the next instruction.
    SwitchOn(u32, X),
    /// The dynamic predicate whose clauses are called.
    Dynamic(u32),
    RetryDynamic,

    // The engine's own.
    Undefined(u32),
    /// `call/N`.
    CallN(u8),
    /// Runs the goal in X0; its cuts return to the level in X1.
    Body,
    /// Calls the instruction at an address.
    CallAddress(Address, u32),
    /// `catch/3`: a choice point for which exceptions search.
    PushCatch(Y),
    /// The goal of `catch/3` has succeeded.
    PopCatch(Y),
    /// The alternative of a `catch/3` or a used-up choice point: drops it and fails again.
    DropAndFail,
    /// `clause/2` and `retract/1`.
    Clauses(Access),
    /// Builds the control construct of this functor from the registers and runs it.
    Control(Cell),
    /// The exit of a caller whose last call has replaced it.
    PortExit,
    /// A call to a predicate that is a cost centre, with the centre's number.
    EnterCentre(u32),
    /// `cost_center(Name, Goal)`: the name is in X0, the goal in X1.
    EnterLiteral,
    /// The goal of a cost centre has exited.
    LeaveCentre,
    /// A solution was found.
    Solution,
    /// No further solution.
    Exhausted,
    /// All single-sided rules of a predicate were tried.
    NoMatchingRule(u32),
}

/// [`costlens_compile::code::TypeTest`].
pub(crate) type TypeCode = costlens_compile::code::TypeTest;
/// A function with one or two operands.
pub(crate) type FunctionCode = crate::number::Function;

impl Op {
    /// Returns the address, if any, at which the instruction may continue instead of the next instruction: the alternative of a choice
    /// point or test, or the target of a jump.
    pub(crate) fn label_mut(&mut self) -> Option<&mut Address> {
        match self {
            Op::TryElse(label, _)
            | Op::RetryElse(label)
            | Op::Jump(label)
            | Op::TestTypeX(.., label)
            | Op::TestTypeY(.., label)
            | Op::TestNumbers(.., label)
            | Op::TestTerms(.., label)
            | Op::TestUnifyX(.., label)
            | Op::TestUnifyY(.., label)
            | Op::NotUnifiable(.., label) => Some(label),
            _ => None,
        }
    }

    pub(crate) fn label(mut self) -> Option<Address> {
        self.label_mut().copied()
    }

    /// Returns true if control always continues at the next instruction, because the instruction neither fails, nor throws, nor creates a
    /// choice point.
    pub(crate) fn goes_on(self) -> bool {
        matches!(
            self,
            Op::GetVariableX(..)
                | Op::GetVariableY(..)
                | Op::UnifyVariableX(_)
                | Op::UnifyVariableY(_)
                | Op::UnifyVoid(_)
                | Op::PutVariableX(..)
                | Op::PutVariableY(..)
                | Op::PutValueX(..)
                | Op::PutValueY(..)
                | Op::PutConstant(..)
                | Op::PutList(_)
                | Op::PutStructure(..)
                | Op::SetVariableX(_)
                | Op::SetVariableY(_)
                | Op::SetValueX(_)
                | Op::SetValueY(_)
                | Op::SetConstant(_)
                | Op::SetVoid(_)
                | Op::SetList
                | Op::SetStructure(_)
                | Op::Allocate(_)
                | Op::Deallocate
                | Op::NeckCut
                | Op::GetLevelX(_)
                | Op::GetLevelY(_)
                | Op::GetChoiceX(_)
                | Op::GetChoiceY(_)
                | Op::CutX(_)
                | Op::CutY(_)
                | Op::StoreY(..)
                | Op::TrustElse
        )
    }

    /// Returns true if control never falls through to the next instruction.
    pub(crate) fn leaves(self) -> bool {
        matches!(
            self,
            Op::Call(..)
                | Op::Execute(_)
                | Op::Proceed
                | Op::ExecuteBuiltin(..)
                | Op::Jump(_)
                | Op::Fail
                | Op::NotEvaluable(_)
                | Op::Try(..)
                | Op::Retry(_)
                | Op::Trust(_)
                | Op::Switch(_)
                | Op::Dynamic(_)
                | Op::RetryDynamic
                | Op::Undefined(_)
                | Op::CallN(_)
                | Op::Body
                | Op::CallAddress(..)
                | Op::DropAndFail
                | Op::Clauses(_)
                | Op::Control(_)
                | Op::PortExit
                | Op::EnterCentre(_)
                | Op::EnterLiteral
                | Op::LeaveCentre
                | Op::Solution
                | Op::Exhausted
                | Op::NoMatchingRule(_)
        )
    }
}
