//! Lists the compiled code of a predicate's clauses for the command line, with the part of the clause to which each instruction belongs.

use std::sync::Arc;

use costlens_analysis::report::Functor;
use costlens_catalog::{counts_nothing, meta_arguments};
use costlens_compile::code::{
    ClauseCode, ClauseIndex, ClausePart, ClauseText, CompileError, Indexing, Instruction,
    compile_clause, predicate_indexed,
};
use costlens_compile::ppdp08;
use costlens_program::positions::positions;
use costlens_program::{Clause, ClauseKind, SourceFile, find, resolve};
use costlens_syntax::term::TermId;
use costlens_syntax::{write_argument, write_term};
use smol_str::{SmolStr, format_smolstr};

use crate::db::Db;

/// A compilation model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// The model of Costlens' own machine, with the arguments that it indexes.
    Machine(Indexing),
    /// The model of PPDP'08, Table 1.
    Ppdp08,
}

impl Model {
    /// Returns the name of the model.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Model::Machine(_) => "machine",
            Model::Ppdp08 => "ppdp08",
        }
    }
}

/// The clauses, numbered from 1, that a call tries, for each kind of argument.
pub type Choices = Vec<(String, Vec<usize>)>;

/// The compiled code of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The compilation model.
    pub model: Model,
    /// The clauses that a call tries, by its first argument. Empty if a call tries all clauses.
    pub index: Choices,
    /// The clauses that a call tries, by other arguments, numbered from 1. A call uses the first of these arguments that is bound. The list
    /// then also contains the first argument, unless indexing on it is useless.
    pub arguments: Vec<(usize, Choices)>,
    /// The clauses in order.
    pub clauses: Vec<ClauseListing>,
}

/// The compiled code of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseListing {
    /// The clause as text.
    pub text: String,
    /// The instructions, grouped by the part of the clause to which they belong. Empty if the clause cannot be compiled.
    pub groups: Vec<InstructionGroup>,
    /// The reason why the clause cannot be compiled.
    pub error: Option<String>,
}

/// Consecutive instructions that belong to the same part of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionGroup {
    /// The part of the clause.
    pub of: Belongs,
    /// The instructions, each with its number, its name and its text.
    pub instructions: Vec<(usize, SmolStr, String)>,
}

/// The part of a clause to which instructions belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Belongs {
    /// The head; *E(C,H)* in the paper's model.
    Head,
    /// A literal, numbered from 1, with its predicate: the instructions from its call up to the next call. *E(C,Lᵢ)* in the paper's model.
    Literal(usize, String),
    /// Jumps, choice points, and clause exit.
    Control,
}

/// Returns the compiled code of a predicate that the file defines.
pub fn code(db: &dyn Db, file: SourceFile, predicate: &Functor, model: Model) -> Option<Listing> {
    let functor = predicate.clone();
    let found = find(db, file, &functor)?;
    let places = positions(db, file);
    let places = places.iter().find(|p| p.functor == functor);
    let clauses: &Arc<[Clause]> = found.clauses(db);
    let names = |i: usize| {
        places
            .and_then(|p| p.clauses.get(i))
            .map(|c| &c.spans.variables)
    };
    let text = |i: usize, clause: &Clause| clause_text(clause, names(i).map(|n| n.as_slice()));
    let mut listing = Listing {
        model,
        index: Vec::new(),
        arguments: Vec::new(),
        clauses: Vec::new(),
    };
    match model {
        Model::Machine(indexing) => {
            let mut compiled = Vec::new();
            for (i, clause) in clauses.iter().enumerate() {
                let code = compile_clause(&source(clause));
                listing.clauses.push(ClauseListing {
                    text: text(i, clause),
                    error: code.as_ref().err().map(CompileError::to_string),
                    groups: code.as_ref().map(machine_groups).unwrap_or_default(),
                });
                compiled.extend(code.ok());
            }
            if compiled.len() == clauses.len() {
                let name = (functor.name.clone(), functor.arity);
                let code = predicate_indexed(name, compiled, false, indexing);
                listing.arguments = (code.arguments.iter())
                    .map(|a| (a.argument + 1, index_lines(&a.index)))
                    .collect();
                if listing.arguments.is_empty() {
                    listing.index = index_lines(&code.index);
                }
            }
        }
        Model::Ppdp08 => {
            for (i, clause) in clauses.iter().enumerate() {
                let position = ppdp08::ChainPosition::new(i, clauses.len());
                let code = paper_code(db, file, clause, position);
                listing.clauses.push(ClauseListing {
                    text: text(i, clause),
                    error: code.as_ref().err().map(ToString::to_string),
                    groups: code
                        .as_ref()
                        .map(|code| paper_groups(clause, code))
                        .unwrap_or_default(),
                });
            }
        }
    }
    Some(listing)
}

fn source(clause: &Clause) -> ClauseText<'_> {
    ClauseText {
        terms: &clause.terms,
        head: clause.head,
        guard: clause.guard,
        body: clause.body,
        single_sided: clause.kind == ClauseKind::SingleSided,
    }
}

fn clause_text(clause: &Clause, names: Option<&[SmolStr]>) -> String {
    let write = |id| write_term(&clause.terms, id, names);
    let mut text = write(clause.head);
    if let Some(guard) = clause.guard {
        text.push_str(&format!(", {}", write(guard)));
    }
    let arrow = match clause.kind {
        ClauseKind::SingleSided => "=>",
        ClauseKind::Dcg => "-->",
        _ => ":-",
    };
    if let Some(body) = clause.body {
        let goals: Vec<String> = match &clause.terms.chain(body, ",")[..] {
            &[only] => vec![write(only)],
            several => (several.iter())
                .map(|&goal| write_argument(&clause.terms, goal, names))
                .collect(),
        };
        text.push_str(&format!(" {arrow} {}", goals.join(", ")));
    }
    text.push('.');
    text
}

fn machine_groups(code: &ClauseCode) -> Vec<InstructionGroup> {
    let mut groups: Vec<(ClausePart, InstructionGroup)> = Vec::new();
    for (at, (instruction, part)) in code.instructions.iter().zip(&code.parts).enumerate() {
        let line = (at, Instruction::name(instruction), instruction.to_string());
        match groups.last_mut() {
            Some((last, group)) if last == part => group.instructions.push(line),
            _ => {
                let of = match part {
                    ClausePart::Head => Belongs::Head,
                    ClausePart::Control => Belongs::Control,
                    ClausePart::Literal(i) => {
                        let literal = code.literals.get(*i as usize);
                        let indicator = literal.map(|(name, arity)| format!("{name}/{arity}"));
                        Belongs::Literal(*i as usize + 1, indicator.unwrap_or_default())
                    }
                };
                groups.push((
                    *part,
                    InstructionGroup {
                        of,
                        instructions: vec![line],
                    },
                ));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn paper_code(
    db: &dyn Db,
    file: SourceFile,
    clause: &Clause,
    position: ppdp08::ChainPosition,
) -> Result<ppdp08::Code, ppdp08::Unsupported> {
    let callee = |name: &str, arity: usize| {
        if counts_nothing(name, arity) {
            ppdp08::Callee::BuiltIn
        } else if !meta_arguments(name, arity).is_empty() {
            ppdp08::Callee::Meta
        } else if resolve(db, file, &Functor::new(name, arity)).is_some() {
            ppdp08::Callee::Program
        } else {
            ppdp08::Callee::BuiltIn
        }
    };
    let goals = (clause.body).map_or(Vec::new(), |body| clause.terms.chain(body, ","));
    ppdp08::compile(&clause.terms, clause.head, &goals, position, &callee)
}

fn paper_groups(clause: &Clause, code: &ppdp08::Code) -> Vec<InstructionGroup> {
    let is_call = |goal: &TermId| {
        let last = code.goals.get(goal).and_then(|part| part.before.last());
        last.is_some_and(|o| o.instruction.calls())
    };
    let mut calls = (code.order.iter().enumerate()).filter(|(_, goal)| is_call(goal));
    let mut at = 0;
    let mut groups = Vec::new();
    for (i, segment) in code.segments().into_iter().enumerate() {
        let literal = if i == 0 { None } else { calls.next() };
        let of = literal.map_or(Belongs::Head, |(number, &goal)| {
            let indicator = clause.terms.functor(goal).map(|(n, a)| format!("{n}/{a}"));
            Belongs::Literal(number + 1, indicator.unwrap_or_default())
        });
        let instructions = numbered(segment, &mut at);
        groups.push(InstructionGroup { of, instructions });
    }
    // Clauses of the auxiliary predicates for control constructs.
    for alternative in code.written.iter().filter_map(|k| code.alternatives.get(k)) {
        groups.push(InstructionGroup {
            of: Belongs::Control,
            instructions: numbered(&alternative.text, &mut at),
        });
    }
    groups
}

/// Numbers instructions, starting at `at`.
fn numbered<'a>(
    operations: impl IntoIterator<Item = &'a ppdp08::Operation>,
    at: &mut usize,
) -> Vec<(usize, SmolStr, String)> {
    let line = |operation: &ppdp08::Operation| {
        let name = format_smolstr!("{}", operation.instruction);
        *at += 1;
        (*at - 1, name, operation.to_string())
    };
    operations.into_iter().map(line).collect()
}

/// Returns the kinds of first arguments, each with the clauses that a call tries.
fn index_lines(index: &ClauseIndex) -> Choices {
    let ClauseIndex::Switch {
        variable,
        list,
        constants,
        structures,
        other,
    } = index
    else {
        return Vec::new();
    };
    let numbers = |chain: &[u32]| chain.iter().map(|&i| i as usize + 1).collect::<Vec<_>>();
    let mut lines = vec![("unbound".to_owned(), numbers(variable))];
    if list != other {
        lines.push(("a list cell".to_owned(), numbers(list)));
    }
    lines.extend(
        constants
            .iter()
            .map(|(c, chain)| (c.to_string(), numbers(chain))),
    );
    lines.extend(
        structures
            .iter()
            .map(|((name, arity), chain)| (format!("{name}/{arity}"), numbers(chain))),
    );
    lines.push(("anything else".to_owned(), numbers(other)));
    lines
}
