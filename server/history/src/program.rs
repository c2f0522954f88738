//! The clauses of a program in loading order, and the fingerprint of the code that a predicate reaches.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher};
use std::ops::Range;

use costlens_program::Functor;
use costlens_program::language::{Clause, directive};
use costlens_syntax::FileTerms;
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::SmolStr;

/// The clauses of a program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The clauses of each predicate, in order.
    pub clauses: BTreeMap<Functor, Vec<Clause>>,
    /// The predicates whose clauses may change during a run.
    pub dynamic: BTreeSet<Functor>,
}

impl Program {
    /// Returns the clauses of files in loading order. `order` contains ranges of clauses of files.
    #[must_use]
    pub fn new(files: &[&FileTerms], order: &[(usize, Range<usize>)]) -> Self {
        let mut program = Program::default();
        for (number, stretch) in order {
            let file = files.get(*number);
            let clauses = file.and_then(|f| f.clauses.get(stretch.clone()));
            for clause in clauses.unwrap_or_default() {
                if let Some(goal) = directive(&clause.terms, clause.root) {
                    program.declare(&clause.terms, goal);
                } else if let Some((functor, clause)) =
                    Clause::from_term(&clause.terms, clause.root)
                {
                    program.clauses.entry(functor).or_default().push(clause);
                }
            }
        }
        program
    }

    fn declare(&mut self, terms: &Terms, goal: TermId) {
        if let Some(&[named]) = terms.matches(goal, "dynamic", 1) {
            self.dynamic.extend(indicators(terms, named));
        }
    }

    /// Returns whether the program defines a predicate.
    #[must_use]
    pub fn defines(&self, predicate: &Functor) -> bool {
        self.clauses.contains_key(predicate) || self.dynamic.contains(predicate)
    }

    /// Returns all functors that occur in the clauses, and the functors of the predicates. These include every predicate that may be
    /// called.
    #[must_use]
    pub fn named(&self) -> Vec<Functor> {
        let mut named: BTreeSet<Functor> = self.clauses.keys().cloned().collect();
        for clause in self.clauses.values().flatten() {
            let ids = clause.terms.ids();
            named.extend(ids.filter_map(|id| Functor::from_term(&clause.terms, id)));
        }
        named.into_iter().collect()
    }

    /// Returns the predicates that a predicate may reach: the predicate itself, and every predicate whose name occurs in a reached
    /// predicate's clauses.
    #[must_use]
    pub fn reached<'p>(&'p self, predicate: &'p Functor) -> BTreeSet<&'p Functor> {
        let mut by_name: BTreeMap<&SmolStr, Vec<&Functor>> = BTreeMap::new();
        for functor in self.clauses.keys().chain(&self.dynamic) {
            by_name.entry(&functor.name).or_default().push(functor);
        }
        let (mut reached, mut todo) = (BTreeSet::new(), vec![predicate]);
        while let Some(functor) = todo.pop() {
            if !reached.insert(functor) {
                continue;
            }
            for clause in self.clauses.get(functor).into_iter().flatten() {
                let terms = &clause.terms;
                let named = terms.ids().filter_map(|id| terms.functor(id));
                let named = named.filter_map(|(name, _)| by_name.get(name));
                todo.extend(named.flatten());
            }
        }
        reached
    }

    /// Returns a 128-bit fingerprint of all clauses that a predicate may [reach](Self::reached). It does not depend on the rest of the
    /// program, layout, comments or variable names.
    #[must_use]
    pub fn code_of(&self, predicate: &Functor, salt: &str) -> String {
        let reached = self.reached(predicate);
        let mut hashers = [Fnv::new(0), Fnv::new(0x9e37_79b9_7f4a_7c15)];
        for hasher in &mut hashers {
            salt.hash(hasher);
            for functor in &reached {
                functor.hash(hasher);
                self.dynamic.contains(*functor).hash(hasher);
                self.clauses.get(*functor).hash(hasher);
            }
        }
        format!("{:016x}{:016x}", hashers[0].finish(), hashers[1].finish())
    }
}

/// Returns the predicates named by `p/1, q//2` or `[p/1]`.
pub(crate) fn indicators(terms: &Terms, id: TermId) -> Vec<Functor> {
    let (mut found, mut stack) = (Vec::new(), vec![id]);
    while let Some(top) = stack.pop() {
        let Some((name, _)) = terms.functor(top) else {
            continue;
        };
        match (name.as_str(), terms.args(top)) {
            ("," | CONS, &[left, right]) => stack.extend([right, left]),
            ("as", &[inner, _]) | (":", &[_, inner]) => stack.push(inner),
            (slash @ ("/" | "//"), &[name, arity]) => {
                let hidden = if slash == "//" { 2 } else { 0 };
                if let (Some(name), Term::Integer(n)) = (terms.as_atom(name), terms.get(arity))
                    && let Ok(arity) = usize::try_from(n)
                {
                    found.push(Functor::new(name.clone(), arity + hidden));
                }
            }
            _ => {}
        }
    }
    found
}

/// The FNV-1a hash (Fowler, Noll and Vo, 64 bits), which is the same in every process and version; the standard library does not guarantee
/// this for its own hashes.
struct Fnv(u64);

impl Fnv {
    fn new(seed: u64) -> Self {
        Fnv(0xcbf2_9ce4_8422_2325 ^ seed)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use costlens_syntax::read_text;

    use super::*;

    pub(crate) fn program(text: &str) -> Program {
        let file = read_text(text);
        let whole = 0..file.clauses.len();
        Program::new(&[&file], &[(0, whole)])
    }

    #[test]
    fn a_fingerprint_is_that_of_what_is_reached() {
        let code = |text: &str| program(text).code_of(&Functor::new("p", 1), "");
        let first = code("p(X) :- q(X). q(1). other(1).");
        assert_eq!(
            first,
            code("% a comment\np(Y) :-\n  q(Y).\nq(1). other(2). more(3).")
        );
        assert_ne!(first, code("p(X) :- q(X). q(2). other(1)."));
        assert_ne!(first, code("p(X) :- q(X). q(1). q(2)."));
        // The predicate is called through a closure.
        let closure = |body: &str| code(&format!("p(L) :- maplist(r(1), L). r(_, X) :- {body}."));
        assert_ne!(closure("s(X)"), closure("t(X)"));
        let salted = program("p(1).").code_of(&Functor::new("p", 1), "x");
        assert_ne!(salted, code("p(1)."));
        assert_eq!(salted.len(), 32);
    }
}
