//! Textbook definitions, parsed from `copies.pl`.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use costlens_program::Clause;
use costlens_syntax::read_text;
use costlens_syntax::term::{ReadClause, TermId, Terms};

use super::LibraryPredicate;
use crate::fixes::goals::small;
use crate::fixes::malformed::{DataFile, FileError};
use crate::fixes::oriented::oriented;

/// A definition of `p`, and possibly of a helper `q`.
pub(in crate::fixes) struct CopyDefinition {
    pub(in crate::fixes) known: LibraryPredicate,
    /// The arguments of `p`, with indices from 0, that may be assumed to be proper lists. `None` for a more expensive definition.
    lists: Option<Vec<usize>>,
    own: Vec<Clause>,
    helper: Vec<Clause>,
}

const FILE: DataFile = DataFile {
    name: "copies.pl",
    text: include_str!("../copies.pl"),
};

/// The definitions in the file, or the error in it.
static DEFINITIONS: LazyLock<Result<Vec<CopyDefinition>, FileError>> = LazyLock::new(|| read(FILE));

/// Returns the definitions in the file.
pub(in crate::fixes) fn definitions() -> &'static [CopyDefinition] {
    DEFINITIONS.as_ref().map_or(&[], |all| all)
}

fn read(file: DataFile) -> Result<Vec<CopyDefinition>, FileError> {
    let mut definitions: Vec<CopyDefinition> = Vec::new();
    for clause in &read_text(file.text).clauses {
        let terms = &clause.terms;
        if let Some(&[title]) = terms.matches(clause.root, ":-", 1) {
            let definition = titled(terms, title);
            let why = "`copy(Name, Lists)` or `equal(Name)` was expected";
            definitions.push(definition.ok_or_else(|| file.malformed(clause, why))?);
            continue;
        }
        let definition = definitions.last_mut();
        let added = definition.and_then(|definition| definition.add(clause));
        added.ok_or_else(|| file.malformed(clause, "a clause of `p` or `q` was expected"))?;
    }
    Ok(definitions)
}

/// Starts a definition from its title: `copy(append, [1])`, `equal(reverse)`.
fn titled(terms: &Terms, title: TermId) -> Option<CopyDefinition> {
    let (name, lists) = match (terms.functor(title)?.0.as_str(), terms.args(title)) {
        ("copy", &[name, lists]) => {
            let lists = terms.list(lists).0.into_iter();
            let lists = lists.map(|i| usize::try_from(small(terms, i)? - 1).ok());
            (name, Some(lists.collect::<Option<_>>()?))
        }
        ("equal", &[name]) => (name, None),
        _ => return None,
    };
    Some(CopyDefinition {
        known: LibraryPredicate::of_definition(terms.as_atom(name)?)?,
        lists,
        own: Vec::new(),
        helper: Vec::new(),
    })
}

impl CopyDefinition {
    fn add(&mut self, clause: &ReadClause) -> Option<()> {
        let (functor, clause) = Clause::from_term(&clause.terms, clause.root)?;
        let clauses = match functor.name.as_str() {
            "p" => &mut self.own,
            "q" => &mut self.helper,
            _ => return None,
        };
        clauses.extend(oriented(&[clause]).into_owned());
        Some(())
    }

    /// Returns the clauses of `p` or of `q`.
    pub(in crate::fixes) fn clauses_of(&self, name: &str) -> &[Clause] {
        match name {
            "p" => &self.own,
            _ => &self.helper,
        }
    }
}

/// A definition with its arguments in a particular order.
pub(super) struct Textbook {
    pub(super) known: LibraryPredicate,
    /// For each argument of the library predicate, its index in this definition.
    pub(super) order: Vec<usize>,
    pub(super) lists: BTreeSet<usize>,
    pub(super) clauses: Vec<Clause>,
    pub(super) helper: Vec<Clause>,
}

/// The definitions of copies, with all argument orders.
pub(super) static TEXTBOOKS: LazyLock<Vec<Textbook>> =
    LazyLock::new(|| definitions().iter().flat_map(textbooks).collect());

/// Returns a definition with all argument orders of `p` and `q`, starting with the library's order.
fn textbooks(definition: &CopyDefinition) -> Vec<Textbook> {
    let Some(lists) = &definition.lists else {
        return Vec::new();
    };
    let (own, helper) = (&definition.own, &definition.helper);
    let arity = |clauses: &[Clause]| clauses.first().map_or(0, |c| c.terms.args(c.head).len());
    let helper_orders = orders(arity(helper));
    let mut textbooks = Vec::new();
    for order in &orders(arity(own)) {
        for helper_order in &helper_orders {
            let moved = |clauses: &[Clause]| {
                let moved = clauses.iter().map(|clause| {
                    let clause = permuted(clause, "p", order);
                    permuted(&clause, "q", helper_order)
                });
                oriented(&moved.collect::<Vec<_>>()).into_owned()
            };
            textbooks.push(Textbook {
                known: definition.known,
                lists: lists.iter().map(|&i| order[i]).collect(),
                clauses: moved(own),
                helper: moved(helper),
                order: order.clone(),
            });
        }
    }
    textbooks
}

/// Returns the permutations of a number of arguments, starting with the identity.
fn orders(arity: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..arity {
        let longer = |order: &Vec<usize>| {
            let left: Vec<usize> = (0..arity).filter(|i| !order.contains(i)).collect();
            let with = |i: usize| order.iter().copied().chain([i]).collect();
            left.into_iter().map(with).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// Returns a clause in which the arguments of one predicate are permuted.
fn permuted(clause: &Clause, name: &str, order: &[usize]) -> Clause {
    let mut terms = (*clause.terms).clone();
    for id in clause.terms.ids() {
        if let Some(args) = clause.terms.matches(id, name, order.len()) {
            let mut moved = args.to_vec();
            for (&to, &argument) in order.iter().zip(args) {
                moved[to] = argument;
            }
            terms.replace(id, name, &moved);
        }
    }
    Clause {
        terms: Arc::new(terms),
        ..clause.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_well_formed() {
        assert_eq!(DEFINITIONS.as_ref().err(), None);
        for definition in definitions() {
            let lists = definition.lists.iter().flatten();
            let arity = definition.own.first().map(|c| c.terms.args(c.head).len());
            assert!(arity.is_some_and(|arity| lists.copied().all(|i| i < arity)));
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_lines() {
        for (text, expected) in [
            ("p(X).", "a.pl:1: a clause of `p` or `q` was expected"),
            (
                "\n:- copy(appended, [1]).",
                "a.pl:2: `copy(Name, Lists)` or `equal(Name)` was expected",
            ),
        ] {
            let mistake = read(DataFile { name: "a.pl", text }).err();
            assert_eq!(mistake.map(|e| e.to_string()).as_deref(), Some(expected));
        }
    }
}
