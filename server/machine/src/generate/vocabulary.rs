//! The constants and functors in a program's clauses. Inputs from this vocabulary match clause heads.

use std::sync::Arc;

use costlens_syntax::FileTerms;
use costlens_syntax::term::{Term, TermId, Terms};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::clause_terms::ClauseTerms;
use super::types::Types;

/// The maximum number of arguments of generated structures.
const MOST_ARGUMENTS: usize = 5;
/// The maximum number of stored items of each kind: a program of tables may have a million constants, and an input uses only a few.
const MOST: usize = 500;

/// Constants, functors and integers of a program, in the order in which they occur, and the types that it defines.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub(super) atoms: Vec<SmolStr>,
    pub(super) functors: Vec<(SmolStr, usize)>,
    pub(super) integers: Vec<BigInt>,
    /// The atoms and functors that occur in heads.
    pub(super) head_atoms: Vec<SmolStr>,
    pub(super) head_functors: Vec<(SmolStr, usize)>,
    /// The types that the program defines.
    pub types: Arc<Types>,
}

impl Vocabulary {
    /// Collects the vocabulary of a file.
    #[must_use]
    pub fn of_file(file: &FileTerms) -> Self {
        let (mut clauses, mut names) = (Vec::new(), Vec::new());
        for clause in file.clauses.iter().filter(|c| c.error.is_none()) {
            let terms = &*clause.terms;
            if let Some(&[directive]) = terms.matches(clause.root, ":-", 1) {
                type_names(terms, directive, &mut names);
                continue;
            }
            let rule = (terms.matches(clause.root, ":-", 2))
                .or_else(|| terms.matches(clause.root, "-->", 2))
                .or_else(|| terms.matches(clause.root, "=>", 2));
            let (head, goals) = match rule {
                Some(&[head, body]) => (head, terms.chain(body, ",")),
                _ => (clause.root, Vec::new()),
            };
            clauses.push(ClauseTerms { terms, head, goals });
        }
        Self::collect(&clauses, &names)
    }

    /// Collects the vocabulary of clauses. Clauses with one argument and one of these names define a type.
    #[must_use]
    pub fn collect(clauses: &[ClauseTerms<'_>], type_names: &[SmolStr]) -> Self {
        let mut found = Self::default();
        let mut seen = Collected::default();
        // Heads first: if the limit is exceeded, names in heads take precedence.
        for clause in clauses {
            found.add(clause.terms, clause.head, &mut seen);
        }
        found.head_atoms.clone_from(&found.atoms);
        found.head_functors.clone_from(&found.functors);
        for clause in clauses {
            for &goal in &clause.goals {
                found.add(clause.terms, goal, &mut seen);
            }
        }
        found.types = Types::defined(type_names, &|name| {
            let of_name = |c: &&ClauseTerms<'_>| c.terms.matches(c.head, name, 1).is_some();
            clauses.iter().filter(of_name).cloned().collect()
        });
        found
    }

    /// Adds all symbols and numbers of a head or a goal.
    fn add(&mut self, terms: &Terms, root: TermId, seen: &mut Collected) {
        let mut stack: Vec<TermId> = terms.args(root).iter().rev().copied().collect();
        while let Some(id) = stack.pop() {
            match terms.get(id) {
                Term::Atom(a)
                    if a != "!" && self.atoms.len() < MOST && seen.atoms.insert(a.clone()) =>
                {
                    self.atoms.push(a.clone());
                }
                Term::Integer(n) => {
                    // Powers and similar operations on long numbers take long and reveal nothing.
                    let short = n.to_i64().is_some() || n.bits() < 4096;
                    if short && self.integers.len() < MOST && seen.integers.insert(n.to_big()) {
                        self.integers.push(n.to_big());
                    }
                }
                Term::Compound(name, _) => {
                    let functor = (name.clone(), terms.args(id).len());
                    if functor.1 <= MOST_ARGUMENTS
                        && self.functors.len() < MOST
                        && seen.functors.insert(functor.clone())
                    {
                        self.functors.push(functor);
                    }
                }
                _ => {}
            }
            stack.extend(terms.args(id).iter().rev());
        }
    }
}

/// The symbols and numbers already in a vocabulary.
#[derive(Default)]
struct Collected {
    atoms: FxHashSet<SmolStr>,
    functors: FxHashSet<(SmolStr, usize)>,
    integers: FxHashSet<BigInt>,
}

/// Collects the names in `:- regtype tree/1, leaf/1`.
fn type_names(terms: &Terms, directive: TermId, names: &mut Vec<SmolStr>) {
    let is_declaration = |d| {
        (terms.functor(d)).is_some_and(|(n, a)| matches!(n.as_str(), "regtype" | "prop") && a > 0)
    };
    let Some(&what) = terms
        .args(directive)
        .first()
        .filter(|_| is_declaration(directive))
    else {
        return;
    };
    for part in terms.chain(what, ",") {
        if let Some(&[name, arity]) = terms.matches(part, "/", 2)
            && *terms.get(arity) == Term::Integer(1.into())
            && let Some(name) = terms.as_atom(name)
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
}
