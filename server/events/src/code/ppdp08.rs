//! The compile model of PPDP'08: *Towards Execution Time Estimation in Abstract Machine-Based Languages*, Table 1.
//!
//! A simple machine: no indexing, `try_me_else`/`retry_me_else`/`trust_me` around all clauses of a predicate, one environment per
//! clause that has variables, every variable and every part of a term in a variable `Vn` of its own. It is there to be counted
//! and printed, not to be run.
//!
//! The paper shows the code of `append/3` alone. The rest follows from the cost functions of its Tables 8 to 10, which have to come
//! out of Tables 4 and 6 (docs/papers.md): a clause without variables and cuts and with one call at most has no environment; a
//! void is a variable like any other; a cut takes `get_level` behind the head; temporary results of arithmetic take no
//! `set_variable`.

use std::fmt;

use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use super::compile::ClauseText;
use super::constant::Constant;
use super::error::CompileError;

/// Names of the instructions that may fail, as Table 6 has them.
const FAILING: [&str; 12] = [
    "equal",
    "fail",
    "get_constant_atom",
    "get_constant_int",
    "get_value",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "test",
    "unequal",
    "unify_variable",
];

/// Names of the other instructions.
const OTHERS: [&str; 25] = [
    "allocate",
    "arith_add",
    "arith_div",
    "arith_mod",
    "arith_mul",
    "arith_sub",
    "call",
    "cut",
    "deallocate",
    "execute",
    "get_level",
    "get_list",
    "get_struct",
    "get_variable",
    "proceed",
    "put_a_constant_atom",
    "put_a_constant_int",
    "put_constant_atom",
    "put_constant_int",
    "put_value",
    "retry_me_else",
    "set_constant_atom",
    "set_constant_int",
    "set_variable",
    "trust_me",
];

/// How deep structures may nest, last arguments of lists apart.
const MAX_DEPTH: usize = 200;

/// The names of all instructions, in the order of the alphabet; those that may fail are counted twice, success and failure
/// apart. Arithmetic functions beside the paper's five are `arith(f/n)`.
pub fn names() -> impl Iterator<Item = (&'static str, bool)> {
    let mut all: Vec<(&str, bool)> = FAILING.map(|n| (n, true)).into();
    all.extend(OTHERS.map(|n| (n, false)));
    all.sort_unstable();
    all.into_iter()
}

/// The place of a clause in its predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The only one.
    Only,
    /// `try_me_else`.
    First,
    /// `retry_me_else`.
    Middle,
    /// `trust_me`.
    Last,
}

impl Place {
    /// The place of a clause among so many.
    #[must_use]
    pub fn of(index: usize, count: usize) -> Self {
        match index {
            _ if count < 2 => Place::Only,
            0 => Place::First,
            i if i + 1 == count => Place::Last,
            _ => Place::Middle,
        }
    }
}

/// What an instruction belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaperPart {
    /// Before the head: `try_me_else`, `allocate`.
    Entry,
    /// Unifying an argument of the head. Only the last instruction of an argument may fail.
    Argument(usize),
    /// Behind the head: `get_level`.
    Neck,
    /// A literal, its arguments included. Only the last instruction of a literal may fail.
    Literal(usize),
    /// `deallocate` and `proceed` behind a last literal that is no call.
    Leave,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperInstruction {
    /// Its name, as in Tables 4 and 6, the kind of constant included.
    pub name: SmolStr,
    /// Its arguments: `[],A0`.
    pub arguments: String,
    /// What it belongs to.
    pub part: PaperPart,
}

impl PaperInstruction {
    /// Whether it may fail.
    #[must_use]
    pub fn may_fail(&self) -> bool {
        FAILING.contains(&self.name.as_str())
    }
}

/// As in Table 1: `get_constant([],A0)`, `allocate`.
impl fmt::Display for PaperInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self
            .name
            .strip_suffix("_atom")
            .or(self.name.strip_suffix("_int"));
        f.write_str(name.unwrap_or(&self.name))?;
        match (self.arguments.as_str(), self.name.as_str()) {
            ("", _) => Ok(()),
            (a, "call" | "execute" | "try_me_else" | "retry_me_else") => write!(f, " {a}"),
            (a, _) => write!(f, "({a})"),
        }
    }
}

/// A literal of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperLiteral {
    /// The goal.
    pub goal: TermId,
    /// Whether it is a call, or code in place.
    pub calls: bool,
}

/// The code of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperCode {
    /// The instructions in order.
    pub instructions: Vec<PaperInstruction>,
    /// The literals in order; `true` is none.
    pub literals: Vec<PaperLiteral>,
}

impl PaperCode {
    /// *E(C,H)*, *E(C,L₁)*, …: up to the first call, and from each call up to the next (PPDP'08 §2).
    #[must_use]
    pub fn segments(&self) -> Vec<&[PaperInstruction]> {
        let mut starts: Vec<usize> = vec![0];
        let calls = self.instructions.iter().enumerate();
        starts.extend(
            calls
                .filter(|(_, i)| matches!(i.name.as_str(), "call" | "execute"))
                .map(|(at, _)| at),
        );
        starts.push(self.instructions.len());
        starts
            .windows(2)
            .map(|w| &self.instructions[w[0]..w[1]])
            .collect()
    }
}

/// The code of a clause under the paper's model.
///
/// # Errors
///
/// If the clause has a control construct, of which the model has none, or is no clause at all.
pub fn compile(clause: &ClauseText<'_>, place: Place) -> Result<PaperCode, CompileError> {
    let terms = clause.terms;
    let Some((name, arity)) = terms.functor(clause.head) else {
        return Err(CompileError::NoHead(clause.head));
    };
    if clause.single_sided {
        return Err(CompileError::NotInModel(clause.head));
    }
    let goals = match clause.body {
        None => Vec::new(),
        Some(body) => terms.chain(body, ","),
    };
    let mut literals = Vec::new();
    for goal in goals {
        match kind(terms, goal)? {
            Kind::Nothing => {}
            kind => literals.push((goal, kind)),
        }
    }
    let calls = literals.iter().filter(|(_, k)| *k == Kind::Call).count();
    let ends_in_call = literals.last().is_some_and(|(_, k)| *k == Kind::Call);
    let has_cut = literals.iter().any(|(_, k)| *k == Kind::Cut);
    let environment = terms.variables() > 0 && has_variable(clause)
        || has_cut
        || calls > usize::from(ends_in_call);
    let mut writer = Writer {
        terms,
        names: vec![None; terms.variables() as usize],
        next: 0,
        part: PaperPart::Entry,
        instructions: Vec::new(),
    };
    let next = format!("{}/{arity}", Constant::Atom(name.clone()));
    match place {
        Place::Only => {}
        Place::First => writer.emit("try_me_else", next),
        Place::Middle => writer.emit("retry_me_else", next),
        Place::Last => writer.emit("trust_me", String::new()),
    }
    if environment {
        writer.emit("allocate", String::new());
    }
    for (i, &argument) in terms.args(clause.head).iter().enumerate() {
        writer.part = PaperPart::Argument(i);
        writer.argument(i, argument)?;
    }
    let level = has_cut.then(|| {
        writer.part = PaperPart::Neck;
        let level = writer.fresh();
        writer.emit("get_level", format!("V{level}"));
        level
    });
    for (i, (goal, kind)) in literals.iter().enumerate() {
        writer.part = PaperPart::Literal(i);
        let leaves = environment && i + 1 == literals.len();
        writer.literal(*goal, *kind, level, leaves, i + 1 == literals.len())?;
    }
    if !ends_in_call {
        writer.part = PaperPart::Leave;
        if environment {
            writer.emit("deallocate", String::new());
        }
        writer.emit("proceed", String::new());
    }
    Ok(PaperCode {
        instructions: writer.instructions,
        literals: literals
            .into_iter()
            .map(|(goal, kind)| PaperLiteral {
                goal,
                calls: kind == Kind::Call,
            })
            .collect(),
    })
}

fn has_variable(clause: &ClauseText<'_>) -> bool {
    let parts = std::iter::once(clause.head).chain(clause.body);
    parts
        .flat_map(|part| clause.terms.subterms(part))
        .any(|t| matches!(clause.terms.get(t), Term::Var(_)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Fail,
    Cut,
    Unify,
    Is,
    Compare(&'static str, bool),
    Test,
    Call,
}

/// What a goal is compiled to.
fn kind(terms: &Terms, goal: TermId) -> Result<Kind, CompileError> {
    let Some((name, arity)) = terms.functor(goal) else {
        return Err(CompileError::NotInModel(goal));
    };
    Ok(match (name.as_str(), arity) {
        ("true", 0) => Kind::Nothing,
        ("fail" | "false", 0) => Kind::Fail,
        ("!", 0) => Kind::Cut,
        ("=", 2) => Kind::Unify,
        ("is", 2) => Kind::Is,
        ("<", 2) => Kind::Compare("less", true),
        ("=<", 2) => Kind::Compare("less_equal", true),
        (">", 2) => Kind::Compare("greater", true),
        (">=", 2) => Kind::Compare("greater_equal", true),
        ("=:=", 2) => Kind::Compare("equal", true),
        ("=\\=", 2) => Kind::Compare("unequal", true),
        ("==", 2) => Kind::Compare("equal", false),
        ("\\==" | "\\=", 2) => Kind::Compare("unequal", false),
        (
            "var" | "nonvar" | "atom" | "number" | "integer" | "float" | "atomic" | "compound"
            | "callable",
            1,
        ) => Kind::Test,
        (";" | "|" | "->" | "*->" | "forall" | ":", 2)
        | ("\\+" | "not" | "once" | "ignore" | "call", 1) => {
            return Err(CompileError::NotInModel(goal));
        }
        _ => Kind::Call,
    })
}

struct Writer<'t> {
    terms: &'t Terms,
    /// The `Vn` of each variable that has occurred.
    names: Vec<Option<usize>>,
    next: usize,
    part: PaperPart,
    instructions: Vec<PaperInstruction>,
}

impl Writer<'_> {
    fn emit(&mut self, name: impl Into<SmolStr>, arguments: String) {
        self.instructions.push(PaperInstruction {
            name: name.into(),
            arguments,
            part: self.part,
        });
    }

    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn set_variable(&mut self) -> usize {
        let v = self.fresh();
        self.emit("set_variable", format!("V{v}"));
        v
    }

    fn constant(&mut self, instruction: &str, constant: &Constant, to: &str) {
        let kind = if constant.is_number() { "int" } else { "atom" };
        let arguments = if to.is_empty() {
            constant.to_string()
        } else {
            format!("{constant},{to}")
        };
        self.emit(format_smolstr!("{instruction}_{kind}"), arguments);
    }

    fn readable(&self, id: TermId) -> Result<Constant, CompileError> {
        Constant::of(self.terms, id).ok_or(CompileError::Unreadable(id))
    }

    /// Unifies an argument of the head.
    fn argument(&mut self, i: usize, id: TermId) -> Result<(), CompileError> {
        match self.terms.get(id) {
            Term::Var(v) => match self.names[*v as usize] {
                Some(name) => self.emit("get_value", format!("V{name},A{i}")),
                None => {
                    let name = self.fresh();
                    self.names[*v as usize] = Some(name);
                    self.emit("get_variable", format!("V{name},A{i}"));
                }
            },
            Term::Compound(..) => {
                let given = self.fresh();
                self.emit("get_variable", format!("V{given},A{i}"));
                let built = self.build(id, 0)?;
                self.emit("unify_variable", format!("V{given},V{built}"));
            }
            _ => {
                let constant = self.readable(id)?;
                self.constant("get_constant", &constant, &format!("A{i}"));
            }
        }
        Ok(())
    }

    /// The `Vn` of a term; what it takes to have one.
    fn value(&mut self, id: TermId, depth: usize) -> Result<usize, CompileError> {
        match self.terms.get(id) {
            Term::Var(v) => Ok(match self.names[*v as usize] {
                Some(name) => name,
                None => {
                    let name = self.set_variable();
                    self.names[*v as usize] = Some(name);
                    name
                }
            }),
            Term::Compound(..) => self.build(id, depth),
            _ => {
                let constant = self.readable(id)?;
                let v = self.fresh();
                self.constant("put_a_constant", &constant, &format!("V{v}"));
                Ok(v)
            }
        }
    }

    /// Builds a structure; its `Vn`.
    fn build(&mut self, mut id: TermId, depth: usize) -> Result<usize, CompileError> {
        if depth > MAX_DEPTH {
            return Err(CompileError::TooDeep(id));
        }
        let Some(&[..]) = self.terms.matches(id, CONS, 2) else {
            return self.structure(id, depth);
        };
        // The cells of a list from its front, and the variables that stand for their tails.
        let (mut cells, mut tails) = (Vec::new(), Vec::new());
        while let Some(&[head, tail]) = self.terms.matches(id, CONS, 2) {
            let head = self.value(head, depth + 1)?;
            let rest = match self.terms.get(tail) {
                Term::Var(_) => Some(self.value(tail, depth + 1)?),
                _ => None,
            };
            let cell = self.set_variable();
            self.emit("get_list", format!("V{head},V{cell}"));
            cells.push(cell);
            id = tail;
            match (self.terms.get(tail), rest) {
                (_, Some(rest)) => {
                    let v = self.set_variable();
                    self.emit("unify_variable", format!("V{rest},V{v}"));
                }
                (Term::Compound(..), None) => tails.push(self.set_variable()),
                _ => {
                    let constant = self.readable(tail)?;
                    self.constant("set_constant", &constant, "");
                }
            }
        }
        if tails.len() == cells.len() {
            // A structure that is no list stands last: `[a|f(X)]`.
            cells.push(self.structure(id, depth + 1)?);
        }
        for (i, tail) in tails.iter().enumerate().rev() {
            self.emit("unify_variable", format!("V{},V{tail}", cells[i + 1]));
        }
        Ok(cells[0])
    }

    fn structure(&mut self, id: TermId, depth: usize) -> Result<usize, CompileError> {
        let Some((name, arity)) = self.terms.functor(id) else {
            return Err(CompileError::Unreadable(id));
        };
        let name = Constant::Atom(name.clone());
        let structure = self.set_variable();
        self.emit("get_struct", format!("{name}/{arity},V{structure}"));
        for &argument in self.terms.args(id) {
            if let Some(constant) = Constant::of(self.terms, argument) {
                self.constant("set_constant", &constant, "");
                continue;
            }
            let value = self.value(argument, depth + 1)?;
            let v = self.set_variable();
            self.emit("unify_variable", format!("V{value},V{v}"));
        }
        Ok(structure)
    }

    fn literal(
        &mut self,
        goal: TermId,
        kind: Kind,
        level: Option<usize>,
        leaves: bool,
        is_last: bool,
    ) -> Result<(), CompileError> {
        let arguments = self.terms.args(goal);
        match (kind, arguments) {
            (Kind::Fail, _) => self.emit("fail", String::new()),
            (Kind::Cut, _) => self.emit("cut", format!("V{}", level.unwrap_or(0))),
            (Kind::Unify, &[a, b]) => {
                let (a, b) = (self.value(a, 0)?, self.value(b, 0)?);
                self.emit("unify_variable", format!("V{a},V{b}"));
            }
            (Kind::Is, &[target, expression]) => {
                let new = match self.terms.get(target) {
                    Term::Var(v) => self.names[*v as usize].is_none(),
                    _ => false,
                };
                let target = self.value(target, 0)?;
                let value = self.expression(expression, new.then_some(target), 0)?;
                if value != target {
                    self.emit("unify_variable", format!("V{value},V{target}"));
                }
            }
            (Kind::Compare(name, is_arithmetic), &[a, b]) => {
                let (a, b) = if is_arithmetic {
                    (self.expression(a, None, 0)?, self.expression(b, None, 0)?)
                } else {
                    (self.value(a, 0)?, self.value(b, 0)?)
                };
                self.emit(name, format!("V{a},V{b}"));
            }
            (Kind::Test, &[a]) => {
                let a = self.value(a, 0)?;
                self.emit("test", format!("V{a}"));
            }
            _ => self.call(goal, leaves, is_last)?,
        }
        Ok(())
    }

    fn call(&mut self, goal: TermId, leaves: bool, is_last: bool) -> Result<(), CompileError> {
        for (i, &argument) in self.terms.args(goal).iter().enumerate() {
            if let Some(constant) = Constant::of(self.terms, argument) {
                self.constant("put_constant", &constant, &format!("A{i}"));
            } else {
                let value = self.value(argument, 0)?;
                self.emit("put_value", format!("V{value},A{i}"));
            }
        }
        if leaves {
            self.emit("deallocate", String::new());
        }
        if let Some((name, arity)) = self.terms.functor(goal) {
            let predicate = format!("{}/{arity}", Constant::Atom(name.clone()));
            self.emit(if is_last { "execute" } else { "call" }, predicate);
        }
        Ok(())
    }

    /// Evaluates; the `Vn` of the value, which is `to` where an operation gives it.
    fn expression(
        &mut self,
        id: TermId,
        to: Option<usize>,
        depth: usize,
    ) -> Result<usize, CompileError> {
        if depth > MAX_DEPTH {
            return Err(CompileError::TooDeep(id));
        }
        let Term::Compound(name, _) = self.terms.get(id) else {
            return self.value(id, 0);
        };
        let mut operands = Vec::new();
        for &argument in self.terms.args(id) {
            operands.push(self.expression(argument, None, depth + 1)?);
        }
        let instruction = match (name.as_str(), operands.len()) {
            ("+", 2) => SmolStr::new_static("arith_add"),
            ("-", 2) => SmolStr::new_static("arith_sub"),
            ("*", 2) => SmolStr::new_static("arith_mul"),
            ("/" | "//", 2) => SmolStr::new_static("arith_div"),
            ("mod", 2) => SmolStr::new_static("arith_mod"),
            (name, arity) => format_smolstr!("arith({name}/{arity})"),
        };
        let v = to.unwrap_or_else(|| self.fresh());
        let operands: Vec<String> = operands.iter().map(|o| format!("V{o}")).collect();
        self.emit(instruction, format!("V{v},{}", operands.join(",")));
        Ok(v)
    }
}
