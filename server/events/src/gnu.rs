//! The instructions of GNU Prolog's abstract machine, version 1.4.5, and the C functions that replace calls.

/// Declares instructions: for each a variant, its name in a listing, and its meaning.
macro_rules! vocabulary {
    ($($variant:ident $name:literal $meaning:literal)*) => {
        /// An instruction without its operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opcode {
            $(#[doc = $meaning] $variant,)*
            /// `call_c`: calls a C function of the system.
            CallC(Function),
        }

        impl Opcode {
            /// Instructions other than calls to functions, in groups.
            pub const PLAIN: &'static [Opcode] = &[$(Opcode::$variant),*];

            /// Returns a one-line description.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Opcode::$variant => $meaning,)*
                    Opcode::CallC(_) => "Calls a function of the system.",
                }
            }

            fn plain_name(self) -> &'static str {
                match self {
                    $(Opcode::$variant => $name,)*
                    Opcode::CallC(_) => "call_c",
                }
            }
        }
    };
}

vocabulary! {
    // Heads, and unifications of variables that have a value.
    GetVariable "get_variable" "Keeps an argument in a variable."
    GetValue "get_value" "Unifies an argument with a variable."
    GetAtom "get_atom" "Unifies an argument with an atom."
    GetInteger "get_integer" "Unifies an argument with an integer."
    GetFloat "get_float" "Unifies an argument with a float."
    GetNil "get_nil" "Unifies an argument with `[]`."
    GetList "get_list" "Unifies an argument with a list cell, whose parts follow."
    GetStructure "get_structure" "Unifies an argument with a compound, whose arguments follow."

    // Arguments of calls.
    PutVariable "put_variable" "Makes a variable and puts it."
    PutVoid "put_void" "Puts a variable that occurs nowhere else."
    PutValue "put_value" "Puts the value of a variable."
    PutUnsafeValue "put_unsafe_value" "Puts the value of a variable of an environment that is about to go."
    PutAtom "put_atom" "Puts an atom."
    PutInteger "put_integer" "Puts an integer."
    PutFloat "put_float" "Puts a float."
    PutNil "put_nil" "Puts `[]`."
    PutList "put_list" "Makes a list cell, whose parts follow."
    PutStructure "put_structure" "Makes a compound, whose arguments follow."
    MathLoadValue "math_load_value" "Evaluates what a variable has for a value."

    // Arguments of compounds.
    UnifyVariable "unify_variable" "Keeps an argument of a compound in a variable."
    UnifyVoid "unify_void" "Skips arguments of a compound."
    UnifyValue "unify_value" "Unifies an argument of a compound with a variable."
    UnifyLocalValue "unify_local_value" "The same where its value may lie in an environment."
    UnifyAtom "unify_atom" "Unifies an argument of a compound with an atom."
    UnifyInteger "unify_integer" "Unifies an argument of a compound with an integer."
    UnifyNil "unify_nil" "Unifies an argument of a compound with `[]`."
    UnifyList "unify_list" "Unifies the last argument of a compound with a list cell, whose parts follow."
    UnifyStructure "unify_structure" "Unifies the last argument of a compound with a compound, whose arguments follow."

    // Control.
    Allocate "allocate" "Makes an environment."
    Deallocate "deallocate" "Drops the environment."
    Call "call" "Calls a predicate."
    Execute "execute" "Calls a predicate as the last goal."
    Proceed "proceed" "Returns."
    Fail "fail" "Fails."
    GetCurrentChoice "get_current_choice" "Keeps the youngest choice point in a variable."
    Cut "cut" "Drops choice points back to the one that a variable has."
    SoftCut "soft_cut" "Drops the choice point that a variable has, and no others."

    // Searches of clauses.
    SwitchOnTerm "switch_on_term" "Goes by the kind of the first argument."
    SwitchOnAtom "switch_on_atom" "Goes by the atom that the first argument is."
    SwitchOnInteger "switch_on_integer" "Goes by the integer that the first argument is."
    SwitchOnStructure "switch_on_structure" "Goes by the name and arity of the first argument."
    TryMeElse "try_me_else" "Makes a choice point for the clauses behind the next one."
    RetryMeElse "retry_me_else" "Goes on with the next clause and keeps the choice point."
    TrustMeElseFail "trust_me_else_fail" "Goes on with the last clause and drops the choice point."
    Try "try" "Makes a choice point for the clauses with the same key, and goes to the first."
    Retry "retry" "Goes to a further clause with the same key."
    Trust "trust" "Goes to the last clause with the same key and drops the choice point."
}

/// Declares C functions: for each a variant, its name in C, and the goal or arithmetic function that it implements.
macro_rules! functions {
    ($($variant:ident $name:literal $source:literal $arity:literal $kind:ident)*) => {
        /// A C function of the system that is called inline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Function {
            $(#[doc = concat!("Of `", $source, "/", stringify!($arity), "`.")] $variant),*
        }

        impl Function {
            /// All functions, in groups.
            pub const ALL: &'static [Function] = &[$(Function::$variant),*];

            /// Returns the name in C.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Function::$variant => $name),* }
            }

            /// Returns the C function that replaces a goal or arithmetic function with this name and arity.
            #[must_use]
            pub fn replacing(name: &str, arity: usize, kind: FunctionUse) -> Option<Self> {
                match (name, arity, kind) {
                    $(($source, $arity, FunctionUse::$kind) => Some(Function::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// The use of a C function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionUse {
    /// It implements an arithmetic function.
    Arithmetic,
    /// It implements a goal.
    Goal,
    /// It corresponds to no text, or is chosen by the kind of goal.
    Service,
}

functions! {
    SetBipName "Pl_Set_Bip_Name_Untagged_2" "$set_bip_name" 2 Service

    Neg "Pl_Fct_Neg" "-" 1 Arithmetic
    Inc "Pl_Fct_Inc" "$inc" 1 Service
    Dec "Pl_Fct_Dec" "$dec" 1 Service
    Add "Pl_Fct_Add" "+" 2 Arithmetic
    Sub "Pl_Fct_Sub" "-" 2 Arithmetic
    Mul "Pl_Fct_Mul" "*" 2 Arithmetic
    Div "Pl_Fct_Div" "//" 2 Arithmetic
    FloatDiv "Pl_Fct_Float_Div" "/" 2 Arithmetic
    Rem "Pl_Fct_Rem" "rem" 2 Arithmetic
    Mod "Pl_Fct_Mod" "mod" 2 Arithmetic
    Div2 "Pl_Fct_Div2" "div" 2 Arithmetic
    And "Pl_Fct_And" "/\\" 2 Arithmetic
    Or "Pl_Fct_Or" "\\/" 2 Arithmetic
    Xor "Pl_Fct_Xor" "xor" 2 Arithmetic
    Not "Pl_Fct_Not" "\\" 1 Arithmetic
    Shl "Pl_Fct_Shl" "<<" 2 Arithmetic
    Shr "Pl_Fct_Shr" ">>" 2 Arithmetic
    Lsb "Pl_Fct_LSB" "lsb" 1 Arithmetic
    Msb "Pl_Fct_MSB" "msb" 1 Arithmetic
    Popcount "Pl_Fct_Popcount" "popcount" 1 Arithmetic
    Abs "Pl_Fct_Abs" "abs" 1 Arithmetic
    Sign "Pl_Fct_Sign" "sign" 1 Arithmetic
    Gcd "Pl_Fct_GCD" "gcd" 2 Arithmetic
    Min "Pl_Fct_Min" "min" 2 Arithmetic
    Max "Pl_Fct_Max" "max" 2 Arithmetic
    IntegerPow "Pl_Fct_Integer_Pow" "^" 2 Arithmetic
    Pow "Pl_Fct_Pow" "**" 2 Arithmetic
    Sqrt "Pl_Fct_Sqrt" "sqrt" 1 Arithmetic
    Tan "Pl_Fct_Tan" "tan" 1 Arithmetic
    Atan "Pl_Fct_Atan" "atan" 1 Arithmetic
    Atan2 "Pl_Fct_Atan2" "atan2" 2 Arithmetic
    Cos "Pl_Fct_Cos" "cos" 1 Arithmetic
    Acos "Pl_Fct_Acos" "acos" 1 Arithmetic
    Sin "Pl_Fct_Sin" "sin" 1 Arithmetic
    Asin "Pl_Fct_Asin" "asin" 1 Arithmetic
    Tanh "Pl_Fct_Tanh" "tanh" 1 Arithmetic
    Atanh "Pl_Fct_Atanh" "atanh" 1 Arithmetic
    Cosh "Pl_Fct_Cosh" "cosh" 1 Arithmetic
    Acosh "Pl_Fct_Acosh" "acosh" 1 Arithmetic
    Sinh "Pl_Fct_Sinh" "sinh" 1 Arithmetic
    Asinh "Pl_Fct_Asinh" "asinh" 1 Arithmetic
    Exp "Pl_Fct_Exp" "exp" 1 Arithmetic
    Log "Pl_Fct_Log" "log" 1 Arithmetic
    Log10 "Pl_Fct_Log10" "log10" 1 Arithmetic
    LogRadix "Pl_Fct_Log_Radix" "log" 2 Arithmetic
    ToFloat "Pl_Fct_Float" "float" 1 Arithmetic
    Ceiling "Pl_Fct_Ceiling" "ceiling" 1 Arithmetic
    Floor "Pl_Fct_Floor" "floor" 1 Arithmetic
    Round "Pl_Fct_Round" "round" 1 Arithmetic
    Truncate "Pl_Fct_Truncate" "truncate" 1 Arithmetic
    FloatFraction "Pl_Fct_Float_Fract_Part" "float_fractional_part" 1 Arithmetic
    FloatInteger "Pl_Fct_Float_Integ_Part" "float_integer_part" 1 Arithmetic
    Pi "Pl_Fct_PI" "pi" 0 Arithmetic
    E "Pl_Fct_E" "e" 0 Arithmetic
    Epsilon "Pl_Fct_Epsilon" "epsilon" 0 Arithmetic

    Eq "Pl_Blt_Eq" "=:=" 2 Service
    Neq "Pl_Blt_Neq" "=\\=" 2 Service
    Lt "Pl_Blt_Lt" "<" 2 Service
    Lte "Pl_Blt_Lte" "=<" 2 Service
    Gt "Pl_Blt_Gt" ">" 2 Service
    Gte "Pl_Blt_Gte" ">=" 2 Service

    TermEq "Pl_Blt_Term_Eq" "==" 2 Goal
    TermNeq "Pl_Blt_Term_Neq" "\\==" 2 Goal
    TermLt "Pl_Blt_Term_Lt" "@<" 2 Goal
    TermLte "Pl_Blt_Term_Lte" "@=<" 2 Goal
    TermGt "Pl_Blt_Term_Gt" "@>" 2 Goal
    TermGte "Pl_Blt_Term_Gte" "@>=" 2 Goal
    Compare "Pl_Blt_Compare" "compare" 3 Goal
    Var "Pl_Blt_Var" "var" 1 Goal
    NonVar "Pl_Blt_Non_Var" "nonvar" 1 Goal
    Atom "Pl_Blt_Atom" "atom" 1 Goal
    Integer "Pl_Blt_Integer" "integer" 1 Goal
    Float "Pl_Blt_Float" "float" 1 Goal
    Number "Pl_Blt_Number" "number" 1 Goal
    Atomic "Pl_Blt_Atomic" "atomic" 1 Goal
    Compound "Pl_Blt_Compound" "compound" 1 Goal
    Callable "Pl_Blt_Callable" "callable" 1 Goal
    Ground "Pl_Blt_Ground" "ground" 1 Goal
    List "Pl_Blt_List" "list" 1 Goal
    PartialList "Pl_Blt_Partial_List" "partial_list" 1 Goal
    ListOrPartialList "Pl_Blt_List_Or_Partial_List" "list_or_partial_list" 1 Goal
    FdVar "Pl_Blt_Fd_Var" "fd_var" 1 Goal
    NonFdVar "Pl_Blt_Non_Fd_Var" "non_fd_var" 1 Goal
    GenericVar "Pl_Blt_Generic_Var" "generic_var" 1 Goal
    NonGenericVar "Pl_Blt_Non_Generic_Var" "non_generic_var" 1 Goal
    FunctorOf "Pl_Blt_Functor" "functor" 3 Goal
    Arg "Pl_Blt_Arg" "arg" 3 Goal
    Univ "Pl_Blt_Univ" "=.." 2 Goal
    GAssign "Pl_Blt_G_Assign" "g_assign" 2 Goal
    GAssignb "Pl_Blt_G_Assignb" "g_assignb" 2 Goal
    GLink "Pl_Blt_G_Link" "g_link" 2 Goal
    GRead "Pl_Blt_G_Read" "g_read" 2 Goal
    GArraySize "Pl_Blt_G_Array_Size" "g_array_size" 2 Goal
    GInc "Pl_Blt_G_Inc" "g_inc" 1 Goal
    GInco "Pl_Blt_G_Inco" "g_inco" 2 Goal
    GInc2 "Pl_Blt_G_Inc_2" "g_inc" 2 Goal
    GInc3 "Pl_Blt_G_Inc_3" "g_inc" 3 Goal
    GDec "Pl_Blt_G_Dec" "g_dec" 1 Goal
    GDeco "Pl_Blt_G_Deco" "g_deco" 2 Goal
    GDec2 "Pl_Blt_G_Dec_2" "g_dec" 2 Goal
    GDec3 "Pl_Blt_G_Dec_3" "g_dec" 3 Goal
    GSetBit "Pl_Blt_G_Set_Bit" "g_set_bit" 2 Goal
    GResetBit "Pl_Blt_G_Reset_Bit" "g_reset_bit" 2 Goal
    GTestSetBit "Pl_Blt_G_Test_Set_Bit" "g_test_set_bit" 2 Goal
    GTestResetBit "Pl_Blt_G_Test_Reset_Bit" "g_test_reset_bit" 2 Goal
}

impl Opcode {
    /// Returns all instructions.
    pub fn all() -> impl Iterator<Item = Opcode> {
        let functions = Function::ALL.iter().map(|&f| Opcode::CallC(f));
        Opcode::PLAIN.iter().copied().chain(functions)
    }

    /// Returns the instruction with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Opcode::all().find(|opcode| opcode.to_string() == text)
    }

    /// Returns whether the instruction appears in heads.
    #[must_use]
    pub fn is_of_head(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            GetVariable
                | GetValue
                | GetAtom
                | GetInteger
                | GetFloat
                | GetNil
                | GetList
                | GetStructure
                | UnifyVariable
                | UnifyVoid
                | UnifyValue
                | UnifyLocalValue
                | UnifyAtom
                | UnifyInteger
                | UnifyNil
                | UnifyList
                | UnifyStructure
        )
    }

    /// Returns whether the instruction may fail in a head.
    #[must_use]
    pub fn may_fail(self) -> bool {
        self.is_of_head()
            && !matches!(
                self,
                Opcode::GetVariable | Opcode::UnifyVariable | Opcode::UnifyVoid
            )
    }
}

/// Prints `get_list`, `call_c(Pl_Fct_Add)`.
impl std::fmt::Display for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Opcode::CallC(function) => write!(f, "call_c({})", function.name()),
            plain => f.write_str(plain.plain_name()),
        }
    }
}
