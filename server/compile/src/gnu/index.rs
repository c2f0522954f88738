//! The instructions that select clauses of a predicate, by its first argument alone.
//!
//! Consecutive clauses that restrict the first argument are searched together; a clause that does not restrict it, or has a float as first
//! argument, separates such groups.

use costlens_events::gnu::Opcode;
use costlens_syntax::Integer;
use costlens_syntax::term::{NIL, QUOTED_NIL, Term, Terms};
use smol_str::SmolStr;

use super::instruction::Instruction;
use super::term::is_cons;

/// The required first argument.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FirstArgumentKey {
    Atom(SmolStr),
    Integer(Integer),
    List,
    Structure(SmolStr, usize),
}

/// The kinds of keys, each with a separate table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Atom,
    Integer,
    List,
    Structure,
}

impl FirstArgumentKey {
    fn kind(&self) -> KeyKind {
        match self {
            FirstArgumentKey::Atom(_) => KeyKind::Atom,
            FirstArgumentKey::Integer(_) => KeyKind::Integer,
            FirstArgumentKey::List => KeyKind::List,
            FirstArgumentKey::Structure(..) => KeyKind::Structure,
        }
    }
}

impl KeyKind {
    fn table(self) -> Option<Opcode> {
        match self {
            KeyKind::Atom => Some(Opcode::SwitchOnAtom),
            KeyKind::Integer => Some(Opcode::SwitchOnInteger),
            KeyKind::List => None,
            KeyKind::Structure => Some(Opcode::SwitchOnStructure),
        }
    }
}

/// Returns the instructions that precede the clauses of a predicate, and those between them.
#[must_use]
pub fn index(clauses: &[(&Terms, &[Instruction])]) -> Vec<Opcode> {
    let keys: Vec<Option<FirstArgumentKey>> =
        clauses.iter().map(|&(t, code)| key(t, code)).collect();
    // A clause without a key forms a group of its own.
    let groups: Vec<&[Option<FirstArgumentKey>]> =
        keys.chunk_by(|a, b| a.is_some() && b.is_some()).collect();
    let mut all = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        all.extend(link(at, groups.len()));
        let own: Vec<&FirstArgumentKey> = group.iter().flatten().collect();
        if own.len() > 1 {
            all.push(Opcode::SwitchOnTerm);
            tables(&own, &mut all);
            all.extend((0..own.len()).filter_map(|i| link(i, own.len())));
        }
    }
    all
}

/// Returns the instruction before one of several clauses or groups.
fn link(at: usize, of: usize) -> Option<Opcode> {
    match at {
        _ if of < 2 => None,
        0 => Some(Opcode::TryMeElse),
        _ if at + 1 == of => Some(Opcode::TrustMeElseFail),
        _ => Some(Opcode::RetryMeElse),
    }
}

/// Adds a table for each kind of key that occurs in several clauses, followed by the clauses for each key.
fn tables(keys: &[&FirstArgumentKey], all: &mut Vec<Opcode>) {
    for kind in [
        KeyKind::Atom,
        KeyKind::Integer,
        KeyKind::List,
        KeyKind::Structure,
    ] {
        let own = keys.iter().copied().filter(|key| key.kind() == kind);
        let mut distinct: Vec<(&FirstArgumentKey, usize)> = Vec::new();
        for key in own.clone() {
            match distinct.iter_mut().find(|(other, _)| *other == key) {
                Some((_, times)) => *times += 1,
                None => distinct.push((key, 1)),
            }
        }
        if own.count() > 1 {
            all.extend(kind.table());
        }
        for (_, times) in distinct.into_iter().filter(|(_, times)| *times > 1) {
            all.push(Opcode::Try);
            all.extend(std::iter::repeat_n(Opcode::Retry, times - 2));
            all.push(Opcode::Trust);
        }
    }
}

/// Returns the constraint on the first argument that the code checks before anything except unification.
fn key(terms: &Terms, code: &[Instruction]) -> Option<FirstArgumentKey> {
    for instruction in code {
        if let Some(term) = instruction.unifies(0) {
            return match terms.get(term) {
                Term::Atom(name) if name == QUOTED_NIL => Some(FirstArgumentKey::Atom(NIL.into())),
                Term::Atom(name) => Some(FirstArgumentKey::Atom(name.clone())),
                Term::Integer(number) => Some(FirstArgumentKey::Integer(number.clone())),
                Term::Compound(name, _) if is_cons(name, terms.args(term)) => {
                    Some(FirstArgumentKey::List)
                }
                Term::String(_) => Some(FirstArgumentKey::List),
                Term::Compound(name, _) => Some(FirstArgumentKey::Structure(
                    name.clone(),
                    terms.args(term).len(),
                )),
                _ => None,
            };
        }
        let passes = matches!(
            instruction.opcode,
            Opcode::Allocate | Opcode::GetCurrentChoice
        );
        if !(passes || instruction.opcode.is_of_head()) || instruction.writes.contains(&0) {
            return None;
        }
    }
    None
}
