//! The code of a clause (PPDP'08 §2, Table 1).
//!
//! Table 1 leaves some details open. They follow from the printed cost functions, which assume the same code on three platforms: facts
//! without variables have no environment (the constant of *nreverse*), `get_level` follows the head of a clause with a cut, numeric operands
//! of arithmetic are put into variables, and a result goes directly to the variable on the left (*fib*, *evalpol*).

use std::collections::{BTreeMap, BTreeSet};

use costlens_body::Goal;
use costlens_catalog::counts_nothing;
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::alternative::{Alternative, Key};
use super::{Instruction, Operation};
use crate::occurrences::occurrences;

/// The position of a clause in the chain of its predicate, which determines whether it starts with `try`, `retry` or `trust`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainPosition {
    /// The only one: no choice point.
    Only,
    /// The first of several.
    First,
    /// Neither the first nor the last.
    Middle,
    /// The last of several.
    Last,
}

impl ChainPosition {
    /// Returns the position of the clause with this index (from 0) in a chain of `count`.
    #[must_use]
    pub fn of(index: usize, count: usize) -> Self {
        match index {
            _ if count <= 1 => ChainPosition::Only,
            0 => ChainPosition::First,
            i if i + 1 == count => ChainPosition::Last,
            _ => ChainPosition::Middle,
        }
    }
}

/// Consecutive instructions; only the last one may fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasicBlock {
    /// The instructions that cannot fail.
    pub before: Vec<Operation>,
    /// The instruction that may fail.
    pub last: Option<Operation>,
}

impl BasicBlock {
    /// Returns all instructions.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.before.iter().chain(&self.last)
    }
}

/// The code of a clause, divided at the points where a run of it may end.
///
/// A call of a user's predicate is the last instruction of `before` of its goal, and the code after it belongs to the next goal: preparing
/// arguments counts once for each success of the preceding literal (§2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The choice point and the environment.
    pub entry: Vec<Operation>,
    /// The arguments of the head, in their order.
    pub arguments: Vec<BasicBlock>,
    /// The code between head and body.
    pub neck: Vec<Operation>,
    /// The goals of the body, including those inside control constructs. A control construct is a call of its predicate.
    pub goals: BTreeMap<TermId, BasicBlock>,
    /// Goals that are control constructs.
    pub controls: BTreeSet<TermId>,
    /// The goals outside control constructs, in order.
    pub order: Vec<TermId>,
    /// The code after the last goal.
    pub end: Vec<Operation>,
    /// The clauses of the predicates that implement control constructs.
    pub alternatives: BTreeMap<Key, Alternative>,
    /// Their order.
    pub written: Vec<Key>,
}

impl Code {
    /// Returns *E(C,H)*, *E(C,L₁)*, …: from each call (included) up to the next.
    #[must_use]
    pub fn segments(&self) -> Vec<Vec<&Operation>> {
        let goals = self.order.iter().filter_map(|id| self.goals.get(id));
        let all = (self.entry.iter())
            .chain(self.arguments.iter().flat_map(BasicBlock::operations))
            .chain(&self.neck)
            .chain(goals.flat_map(BasicBlock::operations))
            .chain(&self.end);
        let mut segments = vec![Vec::new()];
        for operation in all {
            if operation.instruction.calls() {
                segments.push(Vec::new());
            }
            if let Some(last) = segments.last_mut() {
                last.push(operation);
            }
        }
        segments
    }
}

impl Code {
    /// Adds the code of a goal. Returns false if another goal is the same node of the clause's terms, and may have different code.
    pub(super) fn add(
        &mut self,
        goal: TermId,
        before: Vec<Operation>,
        last: Option<Operation>,
    ) -> bool {
        let block = BasicBlock { before, last };
        self.goals.insert(goal, block).is_none()
    }
}

/// The callee of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A predicate written in Prolog: it can be the last call.
    Program,
    /// A built-in.
    BuiltIn,
    /// A predicate that runs goals passed as arguments, or a call that represents one.
    Meta,
    /// An unknown predicate.
    Unknown,
}

/// A construct for which this machine has no instructions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the machine of PPDP'08 has no instructions for {what}")]
pub struct Unsupported {
    /// The construct: "disjunctions", "strings".
    pub what: &'static str,
    /// The goal that contains it; `None` for the head.
    pub goal: Option<TermId>,
}

/// Compiles a clause with the body `goals`. `callee` returns the kind of predicate that each goal calls.
///
/// # Errors
/// Control constructs other than cuts, and constants other than atoms and integers.
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

/// Terms nested deeper than this are refused.
pub(super) const DEEPEST: usize = 200;

pub(super) const SHARED: &str = "goals that stand in two places";

pub(super) struct Compiler<'a> {
    pub(super) terms: &'a Terms,
    /// The predicate.
    pub(super) name: String,
    /// The machine variable of each variable that has one.
    pub(super) names: BTreeMap<u32, usize>,
    pub(super) next: usize,
    out: Vec<Operation>,
    /// The code since the clause began.
    pub(super) text: Vec<Operation>,
    /// The number of predicates for control constructs named so far.
    pub(super) predicates: usize,
    goal: Option<TermId>,
}

/// The clause that contains the goals.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) callee: &'a dyn Fn(&str, usize) -> Callee,
    /// True if it has an environment.
    pub(super) environment: bool,
    /// True if nothing follows these goals.
    pub(super) is_end: bool,
    /// The nesting depth of control constructs.
    pub(super) depth: usize,
    /// The variables of the clause, with the number of occurrences of each.
    pub(super) occurrences: &'a BTreeMap<u32, usize>,
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
        let occurrences = occurrences(terms, goals.iter().copied().chain([head]));
        let has_cut = goals.iter().any(|&g| Goal::of(terms, g) == Goal::Cut);
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

    /// Emits consecutive goals. Returns true if the last one is executed.
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

    /// Returns the operations emitted since the last time.
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

    /// Emits the unification of a head argument. Returns the instruction that may fail.
    fn head_argument(
        &mut self,
        argument: TermId,
        i: usize,
    ) -> Result<Option<Operation>, Unsupported> {
        let last = |instruction, operands| {
            Some(Operation {
                instruction,
                operands,
            })
        };
        Ok(match self.terms.get(argument) {
            Term::Var(v) => {
                let v = *v;
                if let Some(name) = self.names.get(&v) {
                    last(Instruction::GetValue, format!("V{name},A{i}"))
                } else {
                    let name = self.fresh();
                    self.names.insert(v, name);
                    self.emit(Instruction::GetVariable, format!("V{name},A{i}"));
                    None
                }
            }
            Term::Compound(..) => {
                let passed = self.fresh();
                self.emit(Instruction::GetVariable, format!("V{passed},A{i}"));
                let built = self.compound(argument, 0)?;
                last(Instruction::UnifyVariable, format!("V{passed},V{built}"))
            }
            _ => {
                let (text, is_atom) = self.constant(argument)?;
                let instruction = if is_atom {
                    Instruction::GetConstantAtom
                } else {
                    Instruction::GetConstantInt
                };
                last(instruction, format!("{text},A{i}"))
            }
        })
    }

    /// Returns the text of a constant, and whether it is an atom.
    fn constant(&self, id: TermId) -> Result<(String, bool), Unsupported> {
        match self.terms.get(id) {
            Term::Atom(name) => Ok((name.to_string(), true)),
            Term::Integer(i) => Ok((i.to_string(), false)),
            Term::Error => Err(self.unsupported("text that is not understood")),
            _ => Err(self.unsupported("constants that are neither atoms nor integers")),
        }
    }

    /// Builds a compound in a new variable.
    fn compound(&mut self, id: TermId, depth: usize) -> Result<usize, Unsupported> {
        if depth > DEEPEST {
            return Err(self.unsupported("terms nested so deeply"));
        }
        let terms = self.terms;
        let arguments = terms.args(id);
        let is_list = terms.matches(id, CONS, 2).is_some();
        // Parts first: variables, and nested compounds.
        let mut inside = BTreeMap::new();
        for (i, &argument) in arguments.iter().enumerate() {
            match terms.get(argument) {
                Term::Var(v) => {
                    let v = *v;
                    inside.insert(i, self.variable(v));
                }
                Term::Compound(..) => {
                    let built = self.compound(argument, depth + 1)?;
                    inside.insert(i, built);
                }
                _ => {}
            }
        }
        // The first argument of a list cell is an operand of `get_list`.
        let direct = usize::from(is_list);
        if is_list && !inside.contains_key(&0) {
            let (text, is_atom) = self.constant(arguments[0])?;
            let name = self.fresh();
            let put = if is_atom {
                Instruction::PutConstantAtom
            } else {
                Instruction::PutConstantInt
            };
            self.emit(put, format!("{text},V{name}"));
            inside.insert(0, name);
        }
        let built = self.fresh();
        self.emit(Instruction::SetVariable, format!("V{built}"));
        if is_list {
            self.emit(Instruction::GetList, format!("V{},V{built}", inside[&0]));
        } else {
            let name = terms.functor(id).map(|(n, a)| format!("{n}/{a}"));
            let operands = format!("{},V{built}", name.unwrap_or_default());
            self.emit(Instruction::GetStruct, operands);
        }
        for (i, &argument) in arguments.iter().enumerate().skip(direct) {
            if let Some(part) = inside.get(&i).copied() {
                let cell = self.fresh();
                self.emit(Instruction::SetVariable, format!("V{cell}"));
                self.emit(Instruction::UnifyVariable, format!("V{part},V{cell}"));
            } else {
                let (text, is_atom) = self.constant(argument)?;
                let set = if is_atom {
                    Instruction::SetConstantAtom
                } else {
                    Instruction::SetConstantInt
                };
                self.emit(set, text);
            }
        }
        Ok(built)
    }

    /// Emits the arguments of a call.
    fn arguments(&mut self, goal: TermId) -> Result<(), Unsupported> {
        let terms = self.terms;
        for (i, &argument) in terms.args(goal).iter().enumerate() {
            match terms.get(argument) {
                Term::Var(v) => {
                    let name = self.variable(*v);
                    self.emit(Instruction::PutValue, format!("V{name},A{i}"));
                }
                Term::Compound(..) => {
                    let built = self.compound(argument, 0)?;
                    self.emit(Instruction::PutValue, format!("V{built},A{i}"));
                }
                _ => {
                    let (text, is_atom) = self.constant(argument)?;
                    let put = if is_atom {
                        Instruction::PutAConstantAtom
                    } else {
                        Instruction::PutAConstantInt
                    };
                    self.emit(put, format!("{text},A{i}"));
                }
            }
        }
        Ok(())
    }

    /// Emits a goal that is not a predicate of the program. Returns the instruction that may fail.
    fn built_in(
        &mut self,
        goal: TermId,
        name: &str,
        arity: usize,
    ) -> Result<Option<Operation>, Unsupported> {
        let terms = self.terms;
        let (instruction, a, b) = match Goal::of(terms, goal) {
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
            Goal::CompareTerms(comparison, a, b) => (
                Instruction::comparison(comparison),
                self.operand(a)?,
                self.operand(b)?,
            ),
            Goal::Compare(comparison, a, b) => (
                Instruction::comparison(comparison),
                self.value(a, 0)?,
                self.value(b, 0)?,
            ),
            _ if counts_nothing(name, arity) => {
                return Err(self.unsupported("control constructs in bodies"));
            }
            _ => {
                // It may fail, but its cost is priced as a whole.
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

    /// Puts a term into a variable.
    fn operand(&mut self, id: TermId) -> Result<usize, Unsupported> {
        match self.terms.get(id) {
            Term::Var(v) => Ok(self.variable(*v)),
            Term::Compound(..) => self.compound(id, 0),
            _ => {
                let (text, is_atom) = self.constant(id)?;
                let put = if is_atom {
                    Instruction::PutConstantAtom
                } else {
                    Instruction::PutConstantInt
                };
                let name = self.fresh();
                self.emit(put, format!("{text},V{name}"));
                Ok(name)
            }
        }
    }

    /// Emits `result is expression`: the last function's result is unified with the variable on the left.
    fn is(&mut self, result: TermId, expression: TermId) -> Result<Option<Operation>, Unsupported> {
        if !matches!(self.terms.get(expression), Term::Compound(..)) {
            let (a, b) = (self.operand(result)?, self.value(expression, 0)?);
            return Ok(Some(Operation {
                instruction: Instruction::UnifyVariable,
                operands: format!("V{a},V{b}"),
            }));
        }
        let operands = self.operands(expression, 0)?;
        let to = self.operand(result)?;
        Ok(Some(self.function(expression, &operands, to)))
    }

    /// Puts the value of an expression into a variable.
    fn value(&mut self, id: TermId, depth: usize) -> Result<usize, Unsupported> {
        if depth > DEEPEST {
            return Err(self.unsupported("terms nested so deeply"));
        }
        match self.terms.get(id) {
            Term::Compound(..) => {
                let operands = self.operands(id, depth)?;
                let to = self.fresh();
                self.emit(Instruction::SetVariable, format!("V{to}"));
                let operation = self.function(id, &operands, to);
                self.out.push(operation);
                Ok(to)
            }
            Term::Atom(_) => Err(self.unsupported("arithmetic constants that have names")),
            _ => self.operand(id),
        }
    }

    fn operands(&mut self, id: TermId, depth: usize) -> Result<Vec<usize>, Unsupported> {
        let terms = self.terms;
        let values = terms.args(id).iter().map(|&a| self.value(a, depth + 1));
        values.collect()
    }

    fn function(&self, id: TermId, operands: &[usize], to: usize) -> Operation {
        let (name, arity) = match self.terms.functor(id) {
            Some((name, arity)) => (name.clone(), arity),
            None => Default::default(),
        };
        let operands: Vec<String> = operands.iter().map(|o| format!("V{o}")).collect();
        Operation {
            instruction: Instruction::Arith(name, arity),
            operands: format!("{},V{to}", operands.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the code of each clause of a text, with the parts *E(C,H)*, *E(C,L)* on separate lines.
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
                let code = compile(terms, head, &goals, ChainPosition::of(i, count), &callee)?;
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
}
