//! The compiler from clauses to SWI-Prolog's code.

use std::borrow::Cow;
use std::collections::BTreeMap;

use costlens_body::{Goal, build};
use costlens_events::swi::Opcode;
use costlens_syntax::term::{Term, TermId, Terms};

use super::argument::TermPlace;
use super::emit::Emitter;
use super::instruction::{CodePart, Instruction, Operand};
use super::refusal::Refusal;
use super::settings::Settings;
use super::simplify::{is_true, simplify};
use super::variables::slots;
use crate::code::{ClauseText, ConstructPart, Extent};

/// The kinds of clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neck {
    /// `:-`, or a fact.
    Plain,
    /// `=>`: commits after the head.
    Commits,
    /// `=>` with a guard, which is followed by a cut.
    Chooses,
}

/// The code of a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// The parts of control constructs: conditions and left sides of disjunctions.
    pub sections: BTreeMap<ConstructPart, Extent>,
    /// The body unifications that the head performs: the argument, and the goal, which has no code of its own.
    pub moved: BTreeMap<usize, TermId>,
}

/// Compiles a clause after hooks and translation of grammar rules. Constant operands are terms of the clause.
///
/// # Errors
///
/// SWI-Prolog does not compile the clause either, or the nesting is deeper than the compiler supports.
pub fn compile(clause: &ClauseText<'_>, settings: &Settings<'_>) -> Result<Code, Refusal> {
    let head = clause.head;
    if clause.terms.functor(head).is_none() {
        return Err(Refusal::NoHead(head));
    }
    for part in [Some(head), clause.guard, clause.body]
        .into_iter()
        .flatten()
    {
        let parts = clause.terms.subterms(part);
        if let Some(&error) = parts.iter().find(|&&t| *clause.terms.get(t) == Term::Error) {
            return Err(Refusal::Unreadable(error));
        }
        if let Some(&dict) = parts.iter().find(|&&t| is_dict(clause.terms, t)) {
            return Err(Refusal::Dict(dict));
        }
    }
    let Prepared {
        terms,
        neck,
        body,
        cut,
    } = prepared(clause, settings.optimise)?;
    let moves = match neck {
        Neck::Plain => settings.moves_unifications,
        Neck::Commits => false,
        Neck::Chooses => true,
    };
    let slots = slots(&terms, head, body, moves)?;
    let mut emitter = Emitter::new(&terms, settings, head, slots);
    emitter.own_cut = cut;
    emitter.clause(head, neck, body)?;
    Ok(Code {
        instructions: emitter.out,
        sections: emitter.sections,
        moved: emitter.slots.moved_goals(),
    })
}

/// A clause prepared for compilation.
struct Prepared<'t> {
    terms: Cow<'t, Terms>,
    neck: Neck,
    /// The body, preceded by the guard; `None` for a fact.
    body: Option<TermId>,
    /// The cut after the guard.
    cut: Option<TermId>,
}

fn prepared<'t>(clause: &ClauseText<'t>, optimise: bool) -> Result<Prepared<'t>, Refusal> {
    let mut terms = Cow::Borrowed(clause.terms);
    let (mut guard, mut body) = (clause.guard, clause.body);
    if optimise {
        for goal in [&mut guard, &mut body].into_iter().flatten() {
            *goal = simplify(terms.to_mut(), *goal)?;
        }
    }
    let guard = guard.filter(|&guard| !(optimise && is_true(&terms, guard)));
    let Some(guard) = guard.filter(|_| clause.single_sided) else {
        let neck = if clause.single_sided {
            Neck::Commits
        } else {
            Neck::Plain
        };
        let body = body.filter(|&b| Goal::lower(&terms, b) != Goal::True);
        return Ok(Prepared {
            terms,
            neck,
            body,
            cut: None,
        });
    };
    let owned = terms.to_mut();
    let cut = build::cut(owned);
    let rest = match body {
        Some(body) => build::conjunction(owned, cut, body),
        None => cut,
    };
    let body = build::conjunction(owned, guard, rest);
    Ok(Prepared {
        terms,
        neck: Neck::Chooses,
        body: Some(body),
        cut: Some(cut),
    })
}

/// Returns true for a dict with keys or a compound that looks like one after reading; for a functional call on a dict, `X = Dict.key`,
/// which becomes a separate goal before compilation; and for a quasi-quotation, which the reader replaces.
fn is_dict(terms: &Terms, term: TermId) -> bool {
    let is_key = |&t: &TermId| matches!(terms.get(t), Term::Atom(_) | Term::Integer(_));
    let name = terms.functor(term).map_or("", |(name, _)| name.as_str());
    match (name, terms.args(term)) {
        ("dict", [_, pairs @ ..]) => {
            !pairs.is_empty()
                && pairs.len().is_multiple_of(2)
                && pairs.iter().step_by(2).all(is_key)
        }
        ("." | "{||}", [_, _]) => true,
        _ => false,
    }
}

impl Emitter<'_> {
    fn clause(&mut self, head: TermId, neck: Neck, body: Option<TermId>) -> Result<(), Refusal> {
        if neck != Neck::Plain {
            self.emit(Opcode::IChp, &[]);
        }
        for (at, &argument) in self.terms.args(head).iter().enumerate() {
            self.part = CodePart::Argument(at);
            self.argument(argument, TermPlace::HEAD)?;
        }
        self.part = CodePart::Neck;
        let enter = match (neck, body) {
            (Neck::Plain, None) => {
                self.emit(Opcode::IExitFact, &[]);
                return Ok(());
            }
            (Neck::Plain, Some(_)) => Opcode::IEnter,
            (Neck::Commits, _) => Opcode::ISsuCommit,
            (Neck::Chooses, _) => Opcode::ISsuChoice,
        };
        self.emit(enter, &[]);
        if let Some(body) = body {
            if self.settings.sets_context {
                let module = Operand::Module(self.settings.module.into());
                self.emit(Opcode::IContext, &[module]);
            }
            self.part = CodePart::Control;
            self.body(body, true, 0)?;
        }
        self.part = CodePart::Control;
        self.emit(Opcode::IExit, &[]);
        Ok(())
    }
}
