//! Compiles a clause to the code of PPDP'08 (§2, Table 1).
//!
//! Table 1 leaves some details open. They follow from the printed cost functions, which assume the same code on three platforms: facts
//! without variables have no environment (the constant of *nreverse*), `get_level` follows the head of a clause with a cut, numeric
//! operands of arithmetic are put into variables, and a result goes directly into the variable on the left (*fib*, *evalpol*).

use std::collections::BTreeMap;

use costlens_body::{Comparison, Goal};
use costlens_catalog::counts_nothing;
use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use super::code::{BasicBlock, Callee, ChainPosition, Code, Unsupported};
use super::{Instruction, Operation};
use crate::occurrences::Occurrences;

/// Compiles a clause with the body `goals`. `callee` returns the kind of each goal's callee.
///
/// # Errors
/// The clause contains control constructs other than cuts, or constants other than atoms and integers.
pub fn compile(
    terms: &Terms,
    head: TermId,
    goals: &[TermId],
    position: ChainPosition,
    callee: &dyn Fn(&str, usize) -> Callee,
) -> Result<Code, Unsupported> {
    let mut compiler = Compiler {
        terms,
        name: (terms.functor(head)).map_or_else(String::new, |(n, a)| format!("{n}/{a}")),
        names: BTreeMap::new(),
        next: 0,
        out: Vec::new(),
        text: Vec::new(),
        predicates: 0,
        goal: None,
    };
    compiler.clause(head, goals, position, callee)
}

/// The maximum nesting depth of terms; deeper terms are rejected.
pub(super) const DEEPEST: usize = 200;

pub(super) const SHARED: &str = "goals that stand in two places";

pub(super) struct Compiler<'a> {
    pub(super) terms: &'a Terms,
    /// The predicate.
    pub(super) name: String,
    /// The machine variable of each variable that has one.
    pub(super) names: BTreeMap<u32, usize>,
    pub(super) next: usize,
    pub(super) out: Vec<Operation>,
    /// The code of the clause so far.
    pub(super) text: Vec<Operation>,
    /// The number of predicates for control constructs named so far.
    pub(super) predicates: usize,
    goal: Option<TermId>,
}

/// The clause that contains the goals.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) callee: &'a dyn Fn(&str, usize) -> Callee,
    /// True if the clause has an environment.
    pub(super) environment: bool,
    /// True if nothing runs after these goals.
    pub(super) is_end: bool,
    /// The nesting depth of control constructs.
    pub(super) depth: usize,
    /// The occurrences of the clause's variables.
    pub(super) occurrences: &'a Occurrences,
}

impl Compiler<'_> {
    /// Emits the instruction that creates, keeps or drops the choice point of the predicate.
    pub(super) fn choice_point(&mut self, predicate: &str, position: ChainPosition) {
        match position {
            ChainPosition::Only => {}
            ChainPosition::First => self.emit(Instruction::TryMeElse, predicate.to_owned()),
            ChainPosition::Middle => self.emit(Instruction::RetryMeElse, predicate.to_owned()),
            ChainPosition::Last => self.emit(Instruction::TrustMe, String::new()),
        }
    }

    fn clause(
        &mut self,
        head: TermId,
        goals: &[TermId],
        position: ChainPosition,
        callee: &dyn Fn(&str, usize) -> Callee,
    ) -> Result<Code, Unsupported> {
        let terms = self.terms;
        let mut code = Code::default();
        self.choice_point(&self.name.clone(), position);
        let occurrences = Occurrences::count(terms, goals.iter().copied().chain([head]));
        let has_cut = goals.iter().any(|&g| Goal::lower(terms, g) == Goal::Cut);
        let environment = !occurrences.is_empty() || has_cut || goals.len() > 1;
        if environment {
            self.emit(Instruction::Allocate, String::new());
        }
        code.entry = self.taken();
        for (i, &argument) in terms.args(head).iter().enumerate() {
            let last = self.head_argument(argument, i)?;
            let before = self.taken();
            code.arguments.push(BasicBlock { before, last });
        }
        if has_cut {
            self.emit(Instruction::GetLevel, String::new());
            code.neck = self.taken();
        }
        let body = Body {
            callee,
            environment,
            is_end: true,
            depth: 0,
            occurrences: &occurrences,
        };
        code.order = goals.to_vec();
        let executed = self.goals(&mut code, goals, body)?;
        if !executed {
            self.leave(environment);
            code.end = self.taken();
        }
        Ok(code)
    }

    /// Emits consecutive goals. Returns true if the last goal is called with `execute`.
    pub(super) fn goals(
        &mut self,
        code: &mut Code,
        goals: &[TermId],
        body: Body<'_>,
    ) -> Result<bool, Unsupported> {
        let terms = self.terms;
        let callee = body.callee;
        let mut executed = false;
        for (i, &goal) in goals.iter().enumerate() {
            self.goal = Some(goal);
            let is_last = body.is_end && i + 1 == goals.len();
            executed = false;
            if self.control(code, goal, body, is_last)? {
                executed = is_last;
                continue;
            }
            let last = match terms.functor(goal) {
                Some((name, arity)) if callee(name, arity) == Callee::Program => {
                    self.arguments(goal)?;
                    executed = is_last;
                    self.call(format!("{name}/{arity}"), is_last, body.environment);
                    None
                }
                Some((name, arity)) if callee(name, arity) == Callee::Meta => {
                    return Err(self.unsupported("goals as arguments"));
                }
                Some((name, arity)) if callee(name, arity) == Callee::Unknown => {
                    return Err(self.unsupported("predicates that are not known"));
                }
                Some((name, arity)) => self.built_in(goal, &name.clone(), arity)?,
                None => return Err(self.unsupported("goals that are variables")),
            };
            let before = self.taken();
            self.text.extend(last.clone());
            if !code.add(goal, before, last) {
                return Err(self.unsupported(SHARED));
            }
        }
        Ok(executed)
    }

    /// Calls a predicate, or executes it as the last goal.
    pub(super) fn call(&mut self, predicate: String, is_last: bool, environment: bool) {
        if is_last && environment {
            self.emit(Instruction::Deallocate, String::new());
        }
        let call = match is_last {
            true => Instruction::Execute,
            false => Instruction::Call,
        };
        self.emit(call, predicate);
    }

    /// Leaves the clause after its last goal.
    pub(super) fn leave(&mut self, environment: bool) {
        if environment {
            self.emit(Instruction::Deallocate, String::new());
        }
        self.emit(Instruction::Proceed, String::new());
    }

    /// Returns the operations emitted since the previous call of this function.
    pub(super) fn taken(&mut self) -> Vec<Operation> {
        let taken = std::mem::take(&mut self.out);
        self.text.extend(taken.iter().cloned());
        taken
    }

    pub(super) fn emit(&mut self, instruction: Instruction, operands: String) {
        self.out.push(Operation {
            instruction,
            operands,
        });
    }

    pub(super) fn unsupported(&self, what: &'static str) -> Unsupported {
        Unsupported {
            what,
            goal: self.goal,
        }
    }

    pub(super) fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Returns the machine variable for a variable of the clause, created on first use.
    pub(super) fn variable(&mut self, v: u32) -> usize {
        if let Some(&name) = self.names.get(&v) {
            return name;
        }
        let name = self.fresh();
        self.names.insert(v, name);
        self.emit(Instruction::SetVariable, format!("V{name}"));
        name
    }

    /// Emits a goal that does not call a predicate of the program. Returns the instruction that may fail.
    fn built_in(
        &mut self,
        goal: TermId,
        name: &str,
        arity: usize,
    ) -> Result<Option<Operation>, Unsupported> {
        let terms = self.terms;
        let (instruction, a, b) = match Goal::lower(terms, goal) {
            Goal::True | Goal::Otherwise => return Ok(None),
            Goal::Cut => {
                self.emit(Instruction::Cut, String::new());
                return Ok(None);
            }
            Goal::Fail | Goal::False => {
                self.emit(Instruction::Fail, String::new());
                return Ok(None);
            }
            Goal::Is { result, expression } => return self.is(result, expression),
            Goal::Unify(a, b) => (
                Instruction::UnifyVariable,
                self.operand(a)?,
                self.operand(b)?,
            ),
            Goal::CompareTerms(comparison, a, b) => {
                (comparing(comparison), self.operand(a)?, self.operand(b)?)
            }
            Goal::Compare(comparison, a, b) => {
                (comparing(comparison), self.value(a, 0)?, self.value(b, 0)?)
            }
            _ if counts_nothing(name, arity) => {
                return Err(self.unsupported("control constructs in bodies"));
            }
            _ => {
                // The call may fail, but its cost is priced as a whole.
                self.arguments(goal)?;
                self.emit(Instruction::Call, format!("{name}/{arity}"));
                return Ok(None);
            }
        };
        Ok(Some(Operation {
            instruction,
            operands: format!("V{a},V{b}"),
        }))
    }
}

/// Returns the instruction that compares numbers or terms.
fn comparing(comparison: Comparison) -> Instruction {
    Instruction::Compare(SmolStr::new_static(match comparison {
        Comparison::Equal => "equal",
        Comparison::NotEqual => "unequal",
        Comparison::Less => "less",
        Comparison::LessOrEqual => "less_or_equal",
        Comparison::Greater => "greater",
        Comparison::GreaterOrEqual => "greater_or_equal",
    }))
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the code of each clause in a text, with the parts *E(C,H)*, *E(C,L)* on separate lines.
    fn code(text: &str) -> Vec<Result<String, Unsupported>> {
        let file = read_text(text);
        let count = file.clauses.len();
        (file.clauses.iter().enumerate())
            .map(|(i, clause)| {
                let terms = &clause.terms;
                let (head, goals) = match terms.matches(clause.root, ":-", 2) {
                    Some(&[head, body]) => (head, terms.chain(body, ",")),
                    _ => (clause.root, Vec::new()),
                };
                let callee = |name: &str, _: usize| match name {
                    "findall" => Callee::Meta,
                    "atom_length" | "is" | "=" | "<" | "\\==" | "!" | ";" => Callee::BuiltIn,
                    _ => Callee::Program,
                };
                let code = compile(terms, head, &goals, ChainPosition::new(i, count), &callee)?;
                let line = |ops: Vec<&Operation>| {
                    let ops: Vec<String> = ops.into_iter().map(ToString::to_string).collect();
                    ops.join(" ")
                };
                let lines: Vec<String> = code.segments().into_iter().map(line).collect();
                Ok(lines.join("\n"))
            })
            .collect()
    }

    #[test]
    fn append_is_compiled_as_table_1_prints_it() {
        let code = code("append([], X, X). append([X|Xs], Y, [X|Zs]) :- append(Xs, Y, Zs).");
        assert_eq!(
            code[0].as_deref(),
            Ok(
                "try_me_else append/3 allocate get_constant([],A0) get_variable(V0,A1) get_value(V0,A2) deallocate proceed"
            )
        );
        assert_eq!(
            code[1].as_deref(),
            Ok(
                "trust_me allocate get_variable(V0,A0) set_variable(V1) set_variable(V2) set_variable(V3) get_list(V1,V3) \
                set_variable(V4) unify_variable(V2,V4) unify_variable(V0,V3) get_variable(V5,A1) get_variable(V6,A2) \
                set_variable(V7) set_variable(V8) get_list(V1,V8) set_variable(V9) unify_variable(V7,V9) \
                unify_variable(V6,V8) put_value(V2,A0) put_value(V5,A1) put_value(V7,A2) deallocate\nexecute append/3"
            )
        );
    }

    #[test]
    fn arithmetic_cuts_and_facts_are_as_the_printed_constants_ask() {
        let code = code(
            "nrev([], []). fib(0, 0) :- !. fib(N, F) :- N1 is N-1, fib(N1, F1), F is F1*2+N. \
             p(X) :- X < 3, q([a]), r(f(X, 1)).",
        );
        let lines: Vec<String> = code.into_iter().map(Result::unwrap).collect();
        let expected = "\
try_me_else nrev/2 get_constant([],A0) get_constant([],A1) proceed

retry_me_else fib/2 allocate get_constant(0,A0) get_constant(0,A1) get_level cut deallocate proceed

retry_me_else fib/2 allocate get_variable(V0,A0) get_variable(V1,A1) put_constant(1,V2) set_variable(V3) \
arith_sub(V0,V2,V3) put_value(V3,A0) set_variable(V4) put_value(V4,A1)
call fib/2 put_constant(2,V5) set_variable(V6) arith_mul(V4,V5,V6) arith_add(V6,V0,V1) deallocate proceed

trust_me allocate get_variable(V0,A0) put_constant(3,V1) less(V0,V1) put_constant(a,V2) set_variable(V3) \
get_list(V2,V3) set_constant([]) put_value(V3,A0)
call q/1 set_variable(V4) get_struct(f/2,V4) set_variable(V5) unify_variable(V0,V5) set_constant(1) \
put_value(V4,A0) deallocate
execute r/1";
        assert_eq!(lines.join("\n\n"), expected);
    }

    #[test]
    fn what_the_machine_has_no_instructions_for_is_said() {
        let says = |text: &str| code(text)[0].clone().unwrap_err().to_string();
        assert!(says("p(X) :- (q(X) ; r(X), !).").ends_with("cuts inside control constructs"));
        assert!(says("p(X) :- (q(X) *-> r(X) ; s).").ends_with("soft conditions"));
        assert!(says("p(1.5).").ends_with("neither atoms nor integers"));
        assert!(says("p(X) :- findall(Y, q(Y), X).").ends_with("goals as arguments"));
        assert!(says("p(X) :- X is pi*2.").ends_with("that have names"));
        assert!(says("p(X) :- X.").ends_with("goals that are variables"));
    }

    #[test]
    fn comparisons_are_instructions_with_names() {
        for comparison in Comparison::ALL {
            let instruction = comparing(comparison);
            assert_eq!(
                Instruction::parse(&instruction.to_string()),
                Some(instruction)
            );
        }
    }
}
