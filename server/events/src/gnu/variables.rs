//! The variables of a clause: those in the environment, and those that occur once.

use std::collections::BTreeMap;

use costlens_syntax::term::{Term, TermId, Terms};

use super::source::{Argument, Clause, Step, StepKind, Variable};

/// The kind of a variable, which determines its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It occurs once.
    Void,
    /// In a register: it occurs in only one chunk. The head belongs to the first chunk, which ends with the first call.
    Temporary,
    /// In the environment.
    Permanent,
}

/// The variables of a clause.
pub(super) struct Variables {
    kinds: BTreeMap<Variable, Kind>,
    /// True if the clause has an environment.
    pub(super) has_environment: bool,
    /// The number of the last chunk.
    pub(super) last_chunk: usize,
}

impl Variables {
    /// Classifies the variables; `choice` is the variable that holds the choice point of a call.
    pub(super) fn of(terms: &Terms, clause: &Clause, choice: Option<Variable>) -> Self {
        // Number of occurrences, first chunk, last chunk.
        let mut seen: BTreeMap<Variable, (usize, usize, usize)> = BTreeMap::new();
        let mut meet = |variable: Variable, chunk: usize| {
            let (times, _, last) = seen.entry(variable).or_insert((0, chunk, chunk));
            *times += 1;
            *last = chunk;
        };
        for argument in &clause.head {
            of_argument(terms, argument, &mut |v| meet(v, 0));
        }
        if let Some(choice) = choice {
            meet(choice, 0);
        }
        let mut chunk = 0;
        for step in &clause.steps {
            of_step(terms, step, &mut |v| meet(v, chunk));
            chunk += usize::from(step.kind.ends_chunk());
        }
        let kinds: BTreeMap<Variable, Kind> = (seen.into_iter())
            .map(|(variable, (times, first, last))| {
                let kind = match times {
                    1 => Kind::Void,
                    _ if first == last => Kind::Temporary,
                    _ => Kind::Permanent,
                };
                (variable, kind)
            })
            .collect();
        let (last, before) = match clause.steps.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        Self {
            has_environment: before.iter().any(|s| s.kind.ends_chunk())
                || kinds.values().any(|&k| k == Kind::Permanent),
            last_chunk: chunk - usize::from(last.is_some_and(|s| s.kind.ends_chunk())),
            kinds,
        }
    }

    pub(super) fn kind(&self, variable: Variable) -> Kind {
        self.kinds.get(&variable).copied().unwrap_or(Kind::Void)
    }

    /// Returns whether a term contains a variable in a register.
    pub(super) fn has_temporary(&self, terms: &Terms, term: TermId) -> bool {
        let is_temporary = |v: &u32| self.kind(*v as usize) == Kind::Temporary;
        terms.variables_of(term).iter().any(is_temporary)
    }
}

fn of_argument(terms: &Terms, argument: &Argument, meet: &mut impl FnMut(Variable)) {
    match argument {
        Argument::Term(term) => of_term(terms, *term, meet),
        Argument::Variable(variable) => meet(*variable),
        Argument::Atom | Argument::Integer => {}
    }
}

fn of_term(terms: &Terms, term: TermId, meet: &mut impl FnMut(Variable)) {
    for part in terms.subterms(term) {
        if let Term::Var(v) = terms.get(part) {
            meet(*v as usize);
        }
    }
}

fn of_step(terms: &Terms, step: &Step, meet: &mut impl FnMut(Variable)) {
    match &step.kind {
        StepKind::Choice(v) | StepKind::Cut(v) | StepKind::SoftCut(v) => meet(*v),
        StepKind::Call(arguments) => {
            arguments.iter().for_each(|a| of_argument(terms, a, meet));
        }
        StepKind::Inline(_, arguments) => arguments.iter().for_each(|&a| of_term(terms, a, meet)),
        StepKind::Bind(l, r)
        | StepKind::Clash(l, r)
        | StepKind::Evaluate(l, r)
        | StepKind::Compare(_, [l, r]) => {
            of_term(terms, *l, meet);
            of_term(terms, *r, meet);
        }
        StepKind::TellsName | StepKind::Fail => {}
    }
}
