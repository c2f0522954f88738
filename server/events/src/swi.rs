//! The instructions of SWI-Prolog's virtual machine, version 9.0.4.

/// Declares instructions: for each a variant, its name (printed in lower case by `vm_list/1`), and its meaning.
macro_rules! vocabulary {
    ($($variant:ident $name:literal $meaning:literal)*) => {
        /// An instruction without its operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opcode {
            $(#[doc = $meaning] $variant),*
        }

        impl Opcode {
            /// All instructions, in groups.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$variant),*];

            /// Returns the name in SWI-Prolog's sources.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Opcode::$variant => $name),* }
            }

            /// Returns a one-line description.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Opcode::$variant => $meaning),* }
            }
        }
    };
}

vocabulary! {
    // Heads, and terms that are unified with a variable that has a value.
    HAtom "H_ATOM" "Unifies with an atom other than `[]`."
    HNil "H_NIL" "Unifies with `[]`."
    HSmallInt "H_SMALLINT" "Unifies with an integer that fits a cell."
    HInteger "H_INTEGER" "Unifies with another integer of 64 bits."
    HMpz "H_MPZ" "Unifies with a larger integer."
    HMpq "H_MPQ" "Unifies with a rational number."
    HFloat "H_FLOAT" "Unifies with a float."
    HString "H_STRING" "Unifies with a string."
    HVoid "H_VOID" "Skips an argument."
    HVoidN "H_VOID_N" "Skips several arguments."
    HVar "H_VAR" "Unifies with a variable that has a value."
    HFirstVar "H_FIRSTVAR" "Keeps an argument in a variable."
    HFunctor "H_FUNCTOR" "Unifies with a compound and goes to its arguments."
    HRFunctor "H_RFUNCTOR" "The same for the last argument of a compound: there is no way back."
    HList "H_LIST" "Unifies with a list cell and goes to its arguments."
    HRList "H_RLIST" "The same for the last argument of a compound."
    HListFF "H_LIST_FF" "Unifies with a list cell whose two parts are kept in variables."
    HPop "H_POP" "Goes back to the arguments around a compound."

    // Arguments of calls, and terms to which a new variable is bound.
    BAtom "B_ATOM" "Puts an atom other than `[]`."
    BNil "B_NIL" "Puts `[]`."
    BSmallInt "B_SMALLINT" "Puts an integer that fits a cell."
    BInteger "B_INTEGER" "Puts another integer of 64 bits."
    BMpz "B_MPZ" "Puts a larger integer."
    BMpq "B_MPQ" "Puts a rational number."
    BFloat "B_FLOAT" "Puts a float."
    BString "B_STRING" "Puts a string."
    BVoid "B_VOID" "Puts a variable that occurs nowhere else."
    BVar0 "B_VAR0" "Puts the variable of slot 0."
    BVar1 "B_VAR1" "Puts the variable of slot 1."
    BVar2 "B_VAR2" "Puts the variable of slot 2."
    BVar "B_VAR" "Puts the variable of another slot."
    BFirstVar "B_FIRSTVAR" "Makes a variable and puts it."
    BArgVar "B_ARGVAR" "Puts a variable into a compound."
    BArgFirstVar "B_ARGFIRSTVAR" "Makes a variable inside a compound."
    BFunctor "B_FUNCTOR" "Makes a compound and goes to its arguments."
    BRFunctor "B_RFUNCTOR" "The same for the last argument of a compound."
    BList "B_LIST" "Makes a list cell and goes to its arguments."
    BRList "B_RLIST" "The same for the last argument of a compound."
    BPop "B_POP" "Goes back to the arguments around a compound."

    // Unification and comparison of terms in bodies.
    BUnifyFF "B_UNIFY_FF" "Unifies two new variables."
    BUnifyFV "B_UNIFY_FV" "Gives a new variable on the left the value of one on the right."
    BUnifyVF "B_UNIFY_VF" "Gives a new variable on the right the value of one on the left."
    BUnifyVV "B_UNIFY_VV" "Unifies two variables that have values."
    BUnifyFC "B_UNIFY_FC" "Gives a new variable an atom or a small integer."
    BUnifyVC "B_UNIFY_VC" "Unifies a variable with an atom or a small integer."
    BUnifyFirstVar "B_UNIFY_FIRSTVAR" "Begins to build the value of a new variable."
    BUnifyVar "B_UNIFY_VAR" "Begins to unify a variable with a term."
    BUnifyExit "B_UNIFY_EXIT" "Ends the unification of a variable with a term."
    BEqVV "B_EQ_VV" "`==` for two variables."
    BEqVC "B_EQ_VC" "`==` for a variable and an atom or a small integer."
    BNeqVV "B_NEQ_VV" "`\\==` for two variables."
    BNeqVC "B_NEQ_VC" "`\\==` for a variable and an atom or a small integer."
    BArgCF "B_ARG_CF" "`arg/3` with an integer as the place and a new variable as the argument."
    BArgVF "B_ARG_VF" "`arg/3` with a variable as the place and a new variable as the argument."

    // Clauses and calls.
    IChp "I_CHP" "Begins the head of a single-sided rule."
    ISsuChoice "I_SSU_CHOICE" "Ends the head of a single-sided rule that has a guard."
    ISsuCommit "I_SSU_COMMIT" "Ends the head of a single-sided rule and drops the other clauses."
    IEnter "I_ENTER" "Ends the head: the clause is entered."
    IContext "I_CONTEXT" "Makes the module of the text the context of the body."
    ICall "I_CALL" "Calls a predicate."
    IDepart "I_DEPART" "Calls a predicate as the last goal: its frame takes the place of this one."
    ICallM "I_CALLM" "Calls a predicate of a module."
    IDepartM "I_DEPARTM" "The same for the last goal."
    ICallAtM "I_CALLATM" "Calls a predicate with a module as its context, `Goal@Module`."
    IDepartAtM "I_DEPARTATM" "The same for the last goal."
    ICallAtMV "I_CALLATMV" "Calls a predicate with the module that a variable is bound to as its context."
    IDepartAtMV "I_DEPARTATMV" "The same for the last goal."
    IUserCall0 "I_USERCALL0" "Calls a term as a goal: `call/1`, or a variable."
    IUserCallN "I_USERCALLN" "Calls a term with further arguments: `call/2` and more."
    LNoLco "L_NOLCO" "Goes to the plain last call if frames are kept (debugger)."
    LVar "L_VAR" "Moves a variable to an argument of this frame."
    LVoid "L_VOID" "Makes an argument of this frame unbound."
    LSmallInt "L_SMALLINT" "Puts a small integer into an argument of this frame."
    LAtom "L_ATOM" "Puts an atom into an argument of this frame."
    LNil "L_NIL" "Puts `[]` into an argument of this frame."
    ILCall "I_LCALL" "Goes to the clauses of a predicate in this frame."
    ITCall "I_TCALL" "Goes to the clauses of the same predicate in this frame."
    IExit "I_EXIT" "Returns."
    IExitFact "I_EXITFACT" "Returns from a fact."

    // Control.
    ICut "I_CUT" "`!` of a clause."
    IDet "I_DET" "`$/0`: from here on the clause has to succeed without choice points."
    ITrue "I_TRUE" "`true`."
    IFail "I_FAIL" "`fail`."
    COr "C_OR" "The choice point of a disjunction."
    CJmp "C_JMP" "Goes behind a construct."
    CIfThenElse "C_IFTHENELSE" "The choice point of a condition with an else."
    CFastCond "C_FASTCOND" "The same where the condition is only inline tests: there is no choice point."
    CFastCut "C_FASTCUT" "Ends such a condition."
    CIfThen "C_IFTHEN" "The mark of a condition without an else."
    CSoftIf "C_SOFTIF" "The choice point of `*->` with an else."
    CSoftIfThen "C_SOFTIFTHEN" "The mark of `*->` without an else."
    CCut "C_CUT" "Ends a condition: drops its choice points."
    CSoftCut "C_SOFTCUT" "Ends the condition of `*->`: disables the else."
    CSCut "C_SCUT" "Ends the condition of `*->` without an else."
    CLCut "C_LCUT" "`!` in a condition or a negation."
    CLSCut "C_LSCUT" "`!` in the condition of `*->`."
    CLCutIfThen "C_LCUTIFTHEN" "`!` in a condition without an else."
    CNot "C_NOT" "The choice point of a negation."
    CFail "C_FAIL" "Fails, where the goal of a negation has succeeded."
    CDet "C_DET" "The choice point of `$/1`."
    CDetTrue "C_DETTRUE" "Checks that the goal of `$/1` has left no choice point."
    CDetFalse "C_DETFALSE" "Raises an error, where the goal of `$/1` has failed."
    CEnd "C_END" "Ends a condition without an else: nothing happens."
    CVar "C_VAR" "Makes a variable that another path has made."
    CVarN "C_VAR_N" "Makes several variables, in slots that follow each other."

    // Type tests.
    IVar "I_VAR" "`var/1` of a variable that has a value or may have."
    INonvar "I_NONVAR" "`nonvar/1`."
    IInteger "I_INTEGER" "`integer/1`."
    IRational "I_RATIONAL" "`rational/1`."
    IFloat "I_FLOAT" "`float/1`."
    INumber "I_NUMBER" "`number/1`."
    IAtomic "I_ATOMIC" "`atomic/1`."
    IAtom "I_ATOM" "`atom/1`."
    IString "I_STRING" "`string/1`."
    ICompound "I_COMPOUND" "`compound/1`."
    ICallable "I_CALLABLE" "`callable/1`."

    // Arithmetic. All except the first require the flag `optimise`.
    AAddFC "A_ADD_FC" "`New is Variable + Integer`."
    AEnter "A_ENTER" "Begins an expression."
    AInteger "A_INTEGER" "Pushes an integer of 64 bits."
    AMpz "A_MPZ" "Pushes a larger integer."
    AMpq "A_MPQ" "Pushes a rational number."
    ADouble "A_DOUBLE" "Pushes a float."
    AVar0 "A_VAR0" "Pushes the value of slot 0."
    AVar1 "A_VAR1" "Pushes the value of slot 1."
    AVar2 "A_VAR2" "Pushes the value of slot 2."
    AVar "A_VAR" "Pushes the value of another slot."
    AFunc0 "A_FUNC0" "Pushes a constant such as `pi`."
    AFunc1 "A_FUNC1" "Evaluates a function of one argument."
    AFunc2 "A_FUNC2" "Evaluates a function of two arguments."
    AFunc "A_FUNC" "Evaluates a function of more arguments."
    ARoundTowardsA "A_ROUNDTOWARDS_A" "Sets the rounding that an atom names."
    ARoundTowardsV "A_ROUNDTOWARDS_V" "Sets the rounding that a variable names."
    AAdd "A_ADD" "Adds."
    AMul "A_MUL" "Multiplies."
    ALt "A_LT" "`<`."
    ALe "A_LE" "`=<`."
    AGt "A_GT" "`>`."
    AGe "A_GE" "`>=`."
    AEq "A_EQ" "`=:=`."
    ANe "A_NE" "`=\\=`."
    AIs "A_IS" "Unifies a result with what stands on the left of `is/2`."
    AFirstVarIs "A_FIRSTVAR_IS" "Keeps a result in a new variable."

    // Goals that only the system's own library uses.
    ICatch "I_CATCH" "Calls the goal of `catch/3`."
    IExitCatch "I_EXITCATCH" "Returns from it."
    IReset "I_RESET" "Calls the goal of `reset/3`."
    IExitReset "I_EXITRESET" "Returns from it."
    ICallCleanup "I_CALLCLEANUP" "Calls the goal of `setup_call_cleanup/3`."
    IExitCleanup "I_EXITCLEANUP" "Returns from it."
    ICutChp "I_CUTCHP" "Cuts to a choice point that an argument names."
    IYield "I_YIELD" "Goes back to the caller in C."
    ICallCont "I_CALLCONT" "Calls a continuation."
    IShift "I_SHIFT" "Captures a continuation."
    IShiftCP "I_SHIFTCP" "Captures a continuation that is copied."
}

impl Opcode {
    /// Returns the instruction with this name, ignoring case.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        (Self::ALL.iter().copied()).find(|o| o.name().eq_ignore_ascii_case(name))
    }

    /// Returns whether the instruction only tests its operand and binds nothing. `I_RATIONAL` is also a test, but not part of a fast
    /// condition.
    #[must_use]
    pub fn is_test(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            IInteger
                | IFloat
                | INumber
                | IAtomic
                | IAtom
                | IString
                | ICompound
                | ICallable
                | IVar
                | INonvar
                | BEqVV
                | BEqVC
                | BNeqVV
                | BNeqVC
                | ALt
                | ALe
                | AGt
                | AGe
                | AEq
                | ANe
        )
    }

    /// Returns whether the instruction may be part of a condition that is compiled without a choice point (`C_FASTCOND`).
    #[must_use]
    pub fn is_fast(self) -> bool {
        use Opcode::*;
        let evaluates = matches!(
            self,
            AEnter
                | AVar0
                | AVar1
                | AVar2
                | AVar
                | AInteger
                | AMpz
                | AMpq
                | ADouble
                | ARoundTowardsA
                | ARoundTowardsV
                | AFunc0
                | AFunc1
                | AFunc2
                | AFunc
                | AAdd
                | AMul
        );
        evaluates || self.is_test()
    }

    /// Returns whether the instruction may fail. `I_FAIL` and `C_FAIL` always do, and are excluded.
    #[must_use]
    pub fn may_fail(self) -> bool {
        use Opcode::*;
        let unifies = matches!(
            self,
            HAtom
                | HNil
                | HSmallInt
                | HInteger
                | HMpz
                | HMpq
                | HFloat
                | HString
                | HVar
                | HFunctor
                | HRFunctor
                | HList
                | HRList
                | HListFF
                | BUnifyVV
                | BUnifyVC
                | BArgCF
                | BArgVF
                | AIs
        );
        unifies || self.is_test() || self == IRational
    }

    /// Returns whether the instruction calls a predicate that is not the last goal.
    #[must_use]
    pub fn calls(self) -> bool {
        matches!(
            self,
            Opcode::ICall
                | Opcode::ICallM
                | Opcode::ICallAtM
                | Opcode::ICallAtMV
                | Opcode::IUserCall0
                | Opcode::IUserCallN
        )
    }

    /// Returns whether the instruction calls a predicate that it names.
    #[must_use]
    pub fn calls_predicate(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            ICall
                | IDepart
                | ICallM
                | IDepartM
                | ICallAtM
                | IDepartAtM
                | ICallAtMV
                | IDepartAtMV
                | ILCall
                | ITCall
        )
    }

    /// Returns the instruction under which this instruction is counted. Instructions that perform the same action for other slots or
    /// constants, or for the last of several parts, are one event. Returns `None` for instructions that always accompany another
    /// instruction.
    #[must_use]
    pub fn counted(self) -> Option<Opcode> {
        use Opcode::*;
        Some(match self {
            LNoLco | BUnifyExit => return None,
            HNil | HSmallInt => HAtom,
            HVoidN => HVoid,
            HRFunctor => HFunctor,
            HRList => HList,
            BNil | BSmallInt => BAtom,
            BVar0 | BVar1 | BVar2 => BVar,
            BRFunctor => BFunctor,
            BRList => BList,
            LNil | LSmallInt => LAtom,
            AVar0 | AVar1 | AVar2 => AVar,
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for &opcode in Opcode::ALL {
            assert_eq!(Opcode::parse(opcode.name()), Some(opcode));
            assert_eq!(Opcode::parse(&opcode.name().to_lowercase()), Some(opcode));
            assert!(opcode.meaning().ends_with('.'), "{}", opcode.name());
        }
        assert_eq!(Opcode::parse("I_NOTHING"), None);
    }
}
