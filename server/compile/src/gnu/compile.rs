//! The compiler from clauses to the code of GNU Prolog's abstract machine.

use std::borrow::Cow;

use costlens_events::gnu::Opcode;
use costlens_syntax::Integer;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::control::flat;
use super::emit::{Emitter, VariablePlace};
use super::instruction::{CodePart, Instruction, Register};
use super::refusal::Refusal;
use super::registers::allocated;
use super::source::{Clause, CompiledPredicate, StepKind};
use super::variables::Variables;
use crate::code::ClauseText;

/// The maximum number of temporaries in register allocation, which compares simultaneously live temporaries pairwise.
const MOST_TEMPORARIES: usize = 1_000;

/// The code of a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The instructions of the clause itself.
    pub own: Vec<Instruction>,
    /// True if the clause's predicate must keep the choice point of a call.
    pub keeps_choice: bool,
    /// The predicates that implement the clause's disjunctions, with the code of their clauses.
    pub others: Vec<OtherPredicate>,
}

/// A predicate that implements a disjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPredicate {
    /// The code of the predicate's clauses.
    pub clauses: Vec<Vec<Instruction>>,
    /// True if the predicate keeps the choice point of a call.
    pub keeps_choice: bool,
}

/// Compiles a clause whose grammar rules are already translated.
///
/// # Errors
///
/// GNU Prolog does not compile the clause either, or the nesting is deeper than the compiler supports.
pub fn compile(clause: &ClauseText<'_>) -> Result<Code, Refusal> {
    if clause.single_sided || clause.guard.is_some() {
        return Err(Refusal::SingleSided(clause.head));
    }
    if clause.terms.functor(clause.head).is_none() {
        return Err(Refusal::NoHead(clause.head));
    }
    let terms = with_codes(clause)?;
    let mut predicates = flat(&terms, clause.head, clause.body)?.into_iter();
    let mut code = Code::default();
    if let Some(own) = predicates.next() {
        code.keeps_choice = own.choice.is_some();
        code.own = clauses(&terms, clause.head, &own)?
            .pop()
            .unwrap_or_default();
    }
    for other in predicates {
        code.others.push(OtherPredicate {
            clauses: clauses(&terms, clause.head, &other)?,
            keeps_choice: other.choice.is_some(),
        });
    }
    Ok(code)
}

/// Replaces strings in the terms with lists of codes.
fn with_codes<'t>(clause: &ClauseText<'t>) -> Result<Cow<'t, Terms>, Refusal> {
    let mut terms = Cow::Borrowed(clause.terms);
    let parts = [Some(clause.head), clause.body];
    for part in parts.into_iter().flatten() {
        for term in clause.terms.subterms(part) {
            match clause.terms.get(term) {
                Term::String(text) => {
                    let owned = terms.to_mut();
                    let mut rest = owned.atom(NIL);
                    let codes: Vec<u32> = text.chars().map(u32::from).collect();
                    for (at, code) in codes.iter().enumerate().rev() {
                        let code = owned.push(Term::Integer((*code).into()));
                        if at > 0 {
                            rest = owned.compound(CONS, &[code, rest]);
                        } else {
                            owned.replace(term, CONS, &[code, rest]);
                        }
                    }
                    if codes.is_empty() {
                        owned.replace(term, NIL, &[]);
                    }
                }
                Term::Integer(number) if !is_tagged(number) => {
                    return Err(Refusal::NoSuchTerm(term));
                }
                Term::Compound(..) if clause.terms.args(term).is_empty() => {
                    return Err(Refusal::NoSuchTerm(term));
                }
                Term::Rational(_) | Term::Error => return Err(Refusal::NoSuchTerm(term)),
                _ => {}
            }
        }
    }
    Ok(terms)
}

/// Returns true for integers that fit into 61 bits; GNU Prolog has no larger integers.
fn is_tagged(number: &Integer) -> bool {
    i64::try_from(number).is_ok_and(|n| (-(1 << 60)..1 << 60).contains(&n))
}

fn clauses(
    terms: &Terms,
    head: TermId,
    predicate: &CompiledPredicate,
) -> Result<Vec<Vec<Instruction>>, Refusal> {
    (predicate.clauses.iter())
        .map(|clause| code_of(terms, head, predicate, clause))
        .collect()
}

fn code_of(
    terms: &Terms,
    head: TermId,
    predicate: &CompiledPredicate,
    clause: &Clause,
) -> Result<Vec<Instruction>, Refusal> {
    let variables = Variables::classify(terms, clause, predicate.choice);
    let mut emitter = Emitter::new(terms, variables);
    emitter.clause(predicate, clause)?;
    if emitter.temporaries > MOST_TEMPORARIES {
        return Err(Refusal::TooLarge(head));
    }
    Ok(allocated(emitter.out, emitter.temporaries))
}

impl Emitter<'_> {
    fn clause(&mut self, predicate: &CompiledPredicate, clause: &Clause) -> Result<(), Refusal> {
        let has_environment = self.variables.has_environment;
        if has_environment {
            self.emit(Opcode::Allocate, &[], &[]);
        }
        self.head(&clause.head)?;
        if let Some(choice) = predicate.choice {
            self.part = CodePart::Neck;
            if !matches!(self.place(choice), VariablePlace::Void) {
                self.get_variable(choice, Register::Fixed(predicate.arity));
            }
        }
        let last = clause.steps.len().wrapping_sub(1);
        for (at, step) in clause.steps.iter().enumerate() {
            self.part = step.goal.map_or(CodePart::Control, CodePart::Goal);
            self.step(&step.kind)?;
            match &step.kind {
                StepKind::Fail => return Ok(()),
                StepKind::Call(arguments) => {
                    let reads: Vec<Register> = (0..arguments.len()).map(Register::Fixed).collect();
                    if at == last {
                        if has_environment {
                            self.emit(Opcode::Deallocate, &[], &[]);
                        }
                        self.emit(Opcode::Execute, &reads, &[]);
                        return Ok(());
                    }
                    self.emit(Opcode::Call, &reads, &[]);
                    self.chunk += 1;
                }
                _ => {}
            }
        }
        self.part = CodePart::Control;
        if has_environment {
            self.emit(Opcode::Deallocate, &[], &[]);
        }
        self.emit(Opcode::Proceed, &[], &[]);
        Ok(())
    }
}
