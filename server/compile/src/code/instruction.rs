//! The instructions of Costlens' own machine, a Warren abstract machine.
//!
//! `app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).` is
//!
//! ```text
//! get_list(A0)            unify_variable(X3)      unify_variable(A0)
//! get_list(A2)            unify_value(X3)         unify_variable(A2)
//! execute(app/3)
//! ```
//!
//! # The state that instructions work on
//!
//! * **Registers** `X0, X1, …` contain cells. `A0, A1, …` are the same registers when they pass arguments. The arguments of a call are in
//!   `A0 … A(n-1)`, and all other registers are lost across it. Inline instructions (tests, arithmetic, unification, construction) change
//!   only the registers that they name.
//! * **Environment** slots `Y0, Y1, …` of the current environment, from [`Instruction::Allocate`] to [`Instruction::Deallocate`]. A slot has
//!   no value before an instruction writes it.
//! * **The heap** contains all variables: a slot or a register never *is* a variable, but refers to a heap cell. There are no unsafe
//!   variables, hence neither `put_unsafe_value` nor `unify_local_value`.
//! * **The structure pointer** `S` and the mode (*read* or *write*), from a `get_list` or `get_structure` to its last `unify_…`. In write
//!   mode, and for `set_…`, the next cell is pushed onto the heap.
//! * **`B`**, the newest choice point, and **`B0`**, the value of `B` when the predicate was called.
//! * **The continuation**: the target of `proceed` and its environment.
//!
//! *To fail* means to backtrack to the newest choice point.

use std::fmt;

use costlens_body::{Comparison, TypeTest};
use smol_str::SmolStr;

use super::constant::{Constant, ConstantKind};

/// The number of a register.
pub type Register = u32;
/// The number of an environment slot.
pub type Slot = u32;
/// The position of an instruction in its clause.
pub type Label = u32;
/// Name and arity of a compound.
pub type StructureName = (SmolStr, usize);

/// The location of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// A register: a temporary variable.
    X(Register),
    /// An environment slot: a permanent variable.
    Y(Slot),
}

/// The operand of a test or an arithmetic instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value of a register or slot.
    Location(Location),
    /// A constant.
    Constant(Constant),
}

/// The test of an [`Instruction::Test`]. No test creates a choice point or changes a register, and a test that does not hold binds no
/// variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `atom(X)`.
    Type(TypeTest, Location),
    /// `X < 3`: both operands are evaluated, starting with the left operand, and compared. An operand that is not a number is evaluated as
    /// by `is/2` (`X = 1+2, X < 4` holds), including errors.
    Arithmetic(Comparison, Operand, Operand),
    /// `X @< Y`: standard order of terms.
    Term(Comparison, Operand, Operand),
    /// `X \= Y`: holds if the two terms do not unify. Leaves no bindings.
    NotUnifiable(Operand, Operand),
    /// `( X = a -> … ; … )`: unifies with a constant. This is the only test that binds if it holds.
    Unify(Location, Constant),
}

/// An instruction. Each variant documents its effect on the state, and mentions *fails* and *throws* if they are possible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    // Heads: the arguments passed by the caller. Also `=/2` in bodies.
    /// `get_variable(Vn, Ai)`: `Vn := Ai`. In `p(X, Y) :- q(Y, X).` it saves one argument before its register is overwritten.
    GetVariable(Location, Register),
    /// `get_value(Vn, Ai)`: unifies `Vn` and `Ai` or fails. `p(X, X).`
    GetValue(Location, Register),
    /// `get_constant(c, Ai)`: unifies `Ai` with the constant (an unbound variable is bound to it) or fails. `p(a).`
    GetConstant(Constant, Register),
    /// `get_list(Ai)`: if `Ai` is a list cell, `S` points to its first argument and the mode is *read*; if `Ai` is an unbound variable, it
    /// is bound to a new list cell whose two arguments follow (*write*); otherwise fails. `p([X|Xs]).`
    GetList(Register),
    /// `get_structure(f/n, Ai)`: like `get_list`, for a compound. `n` may be 0 (`f()`); then no `unify_…` follows.
    GetStructure(StructureName, Register),
    /// `unify_variable(Vn)`: *read*: `Vn :=` the argument at `S`; *write*: pushes a new variable and `Vn :=` it.
    UnifyVariable(Location),
    /// `unify_value(Vn)`: *read*: unifies `Vn` with the argument at `S` or fails; *write*: pushes the value of `Vn`.
    UnifyValue(Location),
    /// `unify_constant(c)`: *read*: as `get_constant` at `S`, may fail; *write*: pushes the constant.
    UnifyConstant(Constant),
    /// `unify_void(n)`: *read*: skips `n` arguments; *write*: pushes `n` new variables.
    UnifyVoid(u32),
    /// `unify_list`: the last argument of the structure is a list cell. *read*: like `get_list` on the argument at `S` (an unbound variable
    /// changes the mode to *write*), may fail; *write*: pushes a reference to the list cell that the following cells form. `[a, b|T]` is
    /// `get_list(A0) unify_constant(a) unify_list unify_constant(b) unify_variable(T)`.
    UnifyList,
    /// `unify_structure(f/n)`: like `unify_list`, for a compound as the last argument. `p(f(a, g(X))).`
    UnifyStructure(StructureName),

    // Bodies: the terms that a goal builds.
    /// `put_variable(Vn, Ai)`: pushes a new variable; `Vn` and `Ai` (which may be the same register) refer to it.
    PutVariable(Location, Register),
    /// `put_value(Vn, Ai)`: `Ai := Vn`.
    PutValue(Location, Register),
    /// `put_constant(c, Ai)`: `Ai := c`.
    PutConstant(Constant, Register),
    /// `put_list(Ai)`: `Ai :=` a list cell whose two arguments are pushed by the following `set_…` instructions.
    PutList(Register),
    /// `put_structure(f/n, Ai)`: `Ai :=` a compound whose `n` arguments are pushed by the following `set_…` instructions.
    PutStructure(StructureName, Register),
    /// `set_variable(Vn)`: pushes a new variable and `Vn :=` it.
    SetVariable(Location),
    /// `set_value(Vn)`: pushes the value of `Vn`.
    SetValue(Location),
    /// `set_constant(c)`: pushes the constant.
    SetConstant(Constant),
    /// `set_void(n)`: pushes `n` new variables.
    SetVoid(u32),
    /// `set_list`: pushes, as the last argument, a reference to the list cell that the following cells form.
    SetList,
    /// `set_structure(f/n)`: like `set_list`, for a compound.
    SetStructure(StructureName),

    // Calls.
    /// `allocate(n)`: a new environment with `n` uninitialised slots becomes the current environment; it saves the continuation and the
    /// previous environment. `n` may be 0, for a clause that only needs to save its continuation.
    Allocate(u32),
    /// `deallocate`: restores the previous environment and the saved continuation.
    Deallocate,
    /// `call(p/n, live)`: calls a predicate whose arguments are in `A0 …`. The call returns after this instruction, with no value in any
    /// register. The first `live` slots of the environment are still needed after the return (environment trimming); a choice point created
    /// by this clause since `allocate` protects all slots. Sets `B0 := B`. The predicate may be a built-in.
    Call(StructureName, u32),
    /// `execute(p/n)`: continues with a predicate that returns to this clause's continuation. Sets `B0 := B`.
    Execute(StructureName),
    /// `proceed`: goes to the continuation.
    Proceed,

    // Cuts.
    /// `neck_cut`: drops every choice point newer than `B0`. Only before any `call` and `try_else` of the clause.
    NeckCut,
    /// `get_level(Vn)`: `Vn := B0`. Only before any `call` and `try_else` of the clause. A level is not a term.
    GetLevel(Location),
    /// `get_choice(Vn)`: `Vn := B`, the currently newest choice point.
    GetChoice(Location),
    /// `cut(Vn)`: drops every choice point newer than the level in `Vn`.
    Cut(Location),
    /// `soft_cut(Vn)`: removes the alternative of the choice point in `Vn` (stored by `get_choice` right after its `try_else`), so that
    /// backtracking to this choice point fails again. If it is the newest choice point, it is dropped; newer choice points stay.
    /// `(G *-> T ; E)`.
    SoftCut(Location),

    // Control inside a clause. These choice points save the environment, the continuation and `B0`, but do not save registers.
    /// `try_else(L)`: creates a choice point; backtracking to it continues at `L`, which is a `retry_else` or a `trust_else`.
    TryElse(Label),
    /// `retry_else(L)`: reached by backtracking; the choice point stays, and its next alternative is at `L`.
    RetryElse(Label),
    /// `trust_else`: reached by backtracking; the choice point is dropped.
    TrustElse,
    /// `jump(L)`: continues at `L`.
    Jump(Label),
    /// `fail`: fails.
    Fail,
    /// A test. If the test holds, execution continues after the instruction; otherwise it jumps to the label, or fails if there is no
    /// label. Arithmetic throws.
    Test(Test, Option<Label>),

    // Arithmetic.
    /// `arith_add(Vn, X0, 1)`: applies a function to evaluated operands (see [`Test::Arithmetic`]), from left to right, and stores the
    /// number in `Vn`. Throws. The function is one of SWI-Prolog's arithmetic functions with this number of operands.
    Arithmetic(SmolStr, Box<[Operand]>, Location),
    /// `arith_eval(Vn, E)`: `Vn :=` the value of a term evaluated as an expression. Throws.
    Evaluate(Operand, Location),
}

/// The arithmetic functions whose instructions have short names; all other functions are printed as `arith(f/n)`.
const FUNCTIONS: &[(&str, usize, &str)] = &[
    ("+", 2, "arith_add"),
    ("-", 2, "arith_sub"),
    ("*", 2, "arith_mul"),
    ("/", 2, "arith_divide"),
    ("//", 2, "arith_div"),
    ("mod", 2, "arith_mod"),
    ("rem", 2, "arith_rem"),
    ("div", 2, "arith_floor_div"),
    ("-", 1, "arith_neg"),
    ("+", 1, "arith_plus"),
    ("abs", 1, "arith_abs"),
    ("sign", 1, "arith_sign"),
    ("min", 2, "arith_min"),
    ("max", 2, "arith_max"),
    (">>", 2, "arith_shift_right"),
    ("<<", 2, "arith_shift_left"),
    ("/\\", 2, "arith_and"),
    ("\\/", 2, "arith_or"),
    ("xor", 2, "arith_xor"),
    ("\\", 1, "arith_not"),
    ("**", 2, "arith_power"),
    ("^", 2, "arith_int_power"),
    ("gcd", 2, "arith_gcd"),
];

fn type_test(test: TypeTest) -> &'static str {
    match test {
        TypeTest::Var => "test_var",
        TypeTest::Nonvar => "test_nonvar",
        TypeTest::Atom => "test_atom",
        TypeTest::Number => "test_number",
        TypeTest::Integer => "test_integer",
        TypeTest::Float => "test_float",
        TypeTest::Rational => "test_rational",
        TypeTest::Atomic => "test_atomic",
        TypeTest::Compound => "test_compound",
        TypeTest::Callable => "test_callable",
        TypeTest::String => "test_string",
        TypeTest::IsList => "test_is_list",
        TypeTest::Ground => "test_ground",
    }
}

fn of_numbers(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "arith_equal",
        Comparison::NotEqual => "arith_unequal",
        Comparison::Less => "arith_less",
        Comparison::LessOrEqual => "arith_less_equal",
        Comparison::Greater => "arith_greater",
        Comparison::GreaterOrEqual => "arith_greater_equal",
    }
}

fn of_terms(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "term_equal",
        Comparison::NotEqual => "term_unequal",
        Comparison::Less => "term_less",
        Comparison::LessOrEqual => "term_less_equal",
        Comparison::Greater => "term_greater",
        Comparison::GreaterOrEqual => "term_greater_equal",
    }
}

/// The names of an instruction with a constant, in this order: `[]`, an atom, a 64-bit integer, any other constant.
type ConstantNames = [&'static str; 4];

const GET: ConstantNames = [
    "get_nil",
    "get_constant_atom",
    "get_constant_int",
    "get_constant_value",
];
const UNIFY: ConstantNames = [
    "unify_nil",
    "unify_constant_atom",
    "unify_constant_int",
    "unify_constant_value",
];
const PUT: ConstantNames = [
    "put_nil",
    "put_constant_atom",
    "put_constant_int",
    "put_constant_value",
];
const SET: ConstantNames = [
    "set_nil",
    "set_constant_atom",
    "set_constant_int",
    "set_constant_value",
];

fn constant_name(constant: &Constant, [nil, atom, integer, value]: ConstantNames) -> &'static str {
    match constant.kind() {
        ConstantKind::Nil => nil,
        ConstantKind::Atom => atom,
        ConstantKind::Integer => integer,
        ConstantKind::Value => value,
    }
}

fn function_name(function: &str, arity: usize) -> SmolStr {
    let short =
        (FUNCTIONS.iter()).find(|&&(name, operands, _)| (name, operands) == (function, arity));
    match short {
        Some(&(_, _, name)) => SmolStr::new_static(name),
        None => smol_str::format_smolstr!("arith({function}/{arity})"),
    }
}

impl Instruction {
    /// Returns the name under which the instruction is counted: `get_list`, `get_constant_atom`, `arith_add`, `test_var`.
    #[must_use]
    pub fn name(&self) -> SmolStr {
        use Instruction as I;
        SmolStr::new_static(match self {
            I::GetVariable(..) => "get_variable",
            I::GetValue(..) => "get_value",
            I::GetConstant(c, _) => constant_name(c, GET),
            I::GetList(_) => "get_list",
            I::GetStructure(..) => "get_structure",
            I::UnifyVariable(_) => "unify_variable",
            I::UnifyValue(_) => "unify_value",
            I::UnifyConstant(c) => constant_name(c, UNIFY),
            I::UnifyVoid(_) => "unify_void",
            I::UnifyList => "unify_list",
            I::UnifyStructure(_) => "unify_structure",
            I::PutVariable(..) => "put_variable",
            I::PutValue(..) => "put_value",
            I::PutConstant(c, _) => constant_name(c, PUT),
            I::PutList(_) => "put_list",
            I::PutStructure(..) => "put_structure",
            I::SetVariable(_) => "set_variable",
            I::SetValue(_) => "set_value",
            I::SetConstant(c) => constant_name(c, SET),
            I::SetVoid(_) => "set_void",
            I::SetList => "set_list",
            I::SetStructure(_) => "set_structure",
            I::Allocate(_) => "allocate",
            I::Deallocate => "deallocate",
            I::Call(..) => "call",
            I::Execute(_) => "execute",
            I::Proceed => "proceed",
            I::NeckCut => "neck_cut",
            I::GetLevel(_) => "get_level",
            I::GetChoice(_) => "get_choice",
            I::Cut(_) => "cut",
            I::SoftCut(_) => "soft_cut",
            I::TryElse(_) => "try_else",
            I::RetryElse(_) => "retry_else",
            I::TrustElse => "trust_else",
            I::Jump(_) => "jump",
            I::Fail => "fail",
            I::Test(Test::Type(test, _), _) => type_test(*test),
            I::Test(Test::Arithmetic(comparison, ..), _) => of_numbers(*comparison),
            I::Test(Test::Term(comparison, ..), _) => of_terms(*comparison),
            I::Test(Test::NotUnifiable(..), _) => "not_unifiable",
            I::Test(Test::Unify(..), _) => "test_unify_constant",
            I::Evaluate(..) => "arith_eval",
            I::Arithmetic(function, operands, _) => {
                return function_name(function, operands.len());
            }
        })
    }

    /// Returns true if the instruction may fail, so that its failures are counted separately, for example as `get_list!`.
    #[must_use]
    pub fn may_fail(&self) -> bool {
        use Instruction as I;
        matches!(
            self,
            I::GetValue(..)
                | I::GetConstant(..)
                | I::GetList(_)
                | I::GetStructure(..)
                | I::UnifyValue(_)
                | I::UnifyConstant(_)
                | I::UnifyList
                | I::UnifyStructure(_)
                | I::Test(..)
                | I::Fail
        )
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::X(n) => write!(f, "X{n}"),
            Location::Y(n) => write!(f, "Y{n}"),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Location(location) => location.fmt(f),
            Operand::Constant(constant) => constant.fmt(f),
        }
    }
}

/// Prints `get_list(A0)`, `get_constant([],A0)`, `put_structure(f/2,A1)`, `arith_less(X0,3) else 12`.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Instruction as I;
        let structure =
            |(name, arity): &StructureName| format!("{}/{arity}", Constant::Atom(name.clone()));
        match self {
            I::GetVariable(v, a) => write!(f, "get_variable({v},A{a})"),
            I::GetValue(v, a) => write!(f, "get_value({v},A{a})"),
            I::GetConstant(c, a) => write!(f, "get_constant({c},A{a})"),
            I::GetList(a) => write!(f, "get_list(A{a})"),
            I::GetStructure(s, a) => write!(f, "get_structure({},A{a})", structure(s)),
            I::UnifyVariable(v) => write!(f, "unify_variable({v})"),
            I::UnifyValue(v) => write!(f, "unify_value({v})"),
            I::UnifyConstant(c) => write!(f, "unify_constant({c})"),
            I::UnifyVoid(n) => write!(f, "unify_void({n})"),
            I::UnifyStructure(s) => write!(f, "unify_structure({})", structure(s)),
            I::PutVariable(v, a) => write!(f, "put_variable({v},A{a})"),
            I::PutValue(v, a) => write!(f, "put_value({v},A{a})"),
            I::PutConstant(c, a) => write!(f, "put_constant({c},A{a})"),
            I::PutList(a) => write!(f, "put_list(A{a})"),
            I::PutStructure(s, a) => write!(f, "put_structure({},A{a})", structure(s)),
            I::SetVariable(v) => write!(f, "set_variable({v})"),
            I::SetValue(v) => write!(f, "set_value({v})"),
            I::SetConstant(c) => write!(f, "set_constant({c})"),
            I::SetVoid(n) => write!(f, "set_void({n})"),
            I::SetStructure(s) => write!(f, "set_structure({})", structure(s)),
            I::Allocate(n) => write!(f, "allocate({n})"),
            I::Call(s, live) => write!(f, "call({},{live})", structure(s)),
            I::Execute(s) => write!(f, "execute({})", structure(s)),
            I::GetLevel(v) => write!(f, "get_level({v})"),
            I::GetChoice(v) => write!(f, "get_choice({v})"),
            I::Cut(v) => write!(f, "cut({v})"),
            I::SoftCut(v) => write!(f, "soft_cut({v})"),
            I::TryElse(label) => write!(f, "try_else({label})"),
            I::RetryElse(label) => write!(f, "retry_else({label})"),
            I::Jump(label) => write!(f, "jump({label})"),
            I::Arithmetic(_, operands, to) => {
                write!(f, "{}({to}", self.name())?;
                for operand in operands {
                    write!(f, ",{operand}")?;
                }
                f.write_str(")")
            }
            I::Evaluate(operand, to) => write!(f, "arith_eval({to},{operand})"),
            I::Test(test, otherwise) => {
                write!(f, "{}(", self.name())?;
                match test {
                    Test::Type(_, location) => write!(f, "{location}")?,
                    Test::Unify(location, constant) => write!(f, "{location},{constant}")?,
                    Test::Arithmetic(_, a, b) | Test::Term(_, a, b) | Test::NotUnifiable(a, b) => {
                        write!(f, "{a},{b}")?;
                    }
                }
                f.write_str(")")?;
                match otherwise {
                    Some(label) => write!(f, " else {label}"),
                    None => Ok(()),
                }
            }
            I::UnifyList
            | I::SetList
            | I::Deallocate
            | I::Proceed
            | I::NeckCut
            | I::TrustElse
            | I::Fail => f.write_str(&self.name()),
        }
    }
}
