//! Occurrences of variables: their number, the place of the first occurrence, and whether all occurrences are in one place.
//!
//! The compilers share this analysis, and each has its own definition of a *place* in the clause:
//!
//! | compiler | place | what follows from it |
//! |---|---|---|
//! | the machine, GNU Prolog | a chunk: the code from one call to the next | the variables of the environment |
//! | SWI-Prolog | the number of the next slot | the order of slots; alternatives count with the larger number of occurrences |
//! | PPDP'08 | none | whether a clause has an environment |
//! | the cells of SWI-Prolog | a goal | the goal that creates a variable |

use std::collections::BTreeMap;

use costlens_syntax::term::{Term, TermId, Terms};

/// The occurrences of one variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence<P> {
    /// The number of occurrences.
    pub(crate) times: usize,
    /// The place of the first occurrence.
    pub(crate) first: P,
    /// True if all occurrences are in one place.
    is_local: bool,
}

/// The kind of a variable, which determines its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableKind {
    /// The variable occurs once.
    Void,
    /// All occurrences are in one place, so that the variable is kept in a register.
    Temporary,
    /// The variable outlives a place, so that it is kept in the environment.
    Permanent,
}

/// The occurrences of variables in terms.
#[derive(Clone, Debug)]
pub(crate) struct Occurrences<P = ()>(BTreeMap<u32, Occurrence<P>>);

impl<P> Default for Occurrences<P> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl Occurrences {
    /// Counts the occurrences in these terms.
    pub(crate) fn count(terms: &Terms, parts: impl IntoIterator<Item = TermId>) -> Self {
        let mut occurrences = Self::default();
        for part in parts {
            occurrences.meet_all(terms, part, ());
        }
        occurrences
    }

    /// Returns the number of occurrences that repeat an earlier occurrence of the same variable; 0 if no variable occurs twice.
    pub(crate) fn repetitions(&self) -> usize {
        self.iter()
            .map(|(_, occurrence)| occurrence.times - 1)
            .sum()
    }

    /// Returns true if a variable also occurs outside the part whose occurrences are `inside`. Such a variable is passed to the predicate
    /// that implements a control construct.
    pub(crate) fn is_outside(&self, variable: u32, inside: &Self) -> bool {
        self.times(variable) > inside.times(variable)
    }
}

impl<P: Copy + Eq> Occurrences<P> {
    /// Adds an occurrence of a variable, and returns the variable's occurrences so far.
    pub(crate) fn meet(&mut self, variable: u32, place: P) -> Occurrence<P> {
        let occurrence = self.reach(variable, place);
        occurrence.times += 1;
        *occurrence
    }

    /// Adds all occurrences in a term.
    pub(crate) fn meet_all(&mut self, terms: &Terms, term: TermId, place: P) {
        for part in terms.subterms(term) {
            if let Term::Var(variable) = *terms.get(part) {
                self.meet(variable, place);
            }
        }
    }

    /// Records that a variable is needed in a place in which it does not occur.
    pub(crate) fn reach(&mut self, variable: u32, place: P) -> &mut Occurrence<P> {
        let occurrence = self.0.entry(variable).or_insert(Occurrence {
            times: 0,
            first: place,
            is_local: true,
        });
        occurrence.is_local &= occurrence.first == place;
        occurrence
    }

    /// Returns the occurrences of a variable.
    pub(crate) fn get(&self, variable: u32) -> Option<&Occurrence<P>> {
        self.0.get(&variable)
    }

    /// Returns the number of occurrences of a variable.
    pub(crate) fn times(&self, variable: u32) -> usize {
        self.get(variable).map_or(0, |occurrence| occurrence.times)
    }

    /// Returns a mutable reference to the number of occurrences of a variable; `None` for a variable not met so far.
    pub(crate) fn times_mut(&mut self, variable: u32) -> Option<&mut usize> {
        Some(&mut self.0.get_mut(&variable)?.times)
    }

    /// Classifies a variable.
    pub(crate) fn kind(&self, variable: u32) -> VariableKind {
        match self.get(variable) {
            Some(occurrence) if !occurrence.is_local => VariableKind::Permanent,
            Some(occurrence) if occurrence.times != 1 => VariableKind::Temporary,
            _ => VariableKind::Void,
        }
    }

    /// Returns the variables that are kept in the environment.
    pub(crate) fn permanent(&self) -> impl Iterator<Item = u32> {
        let permanent = self.iter().filter(|(_, occurrence)| !occurrence.is_local);
        permanent.map(|(variable, _)| variable)
    }

    /// Returns the variables with their occurrences, ordered by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Occurrence<P>)> {
        self.0
            .iter()
            .map(|(&variable, occurrence)| (variable, occurrence))
    }

    /// Returns true if no variable occurs.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn variables_that_outlive_a_chunk_are_permanent() {
        // p(X, Y, Z, W) :- q(X, Y, V), r(X).
        let file = read_text("p(X, Y, Z, W) :- q(X, Y, V), r(X).");
        let terms = &file.clauses[0].terms;
        let &[head, body] = terms.matches(file.clauses[0].root, ":-", 2).unwrap() else {
            unreachable!()
        };
        let mut occurrences = Occurrences::default();
        for (term, chunk) in [head]
            .into_iter()
            .chain(terms.chain(body, ","))
            .zip([0, 0, 1])
        {
            occurrences.meet_all(terms, term, chunk);
        }
        let kinds: Vec<VariableKind> = occurrences
            .iter()
            .map(|(v, _)| occurrences.kind(v))
            .collect();
        use VariableKind::{Permanent, Temporary, Void};
        assert_eq!(kinds, [Permanent, Temporary, Void, Void, Void]);
        // A level is needed in a chunk before the chunk with its only cut.
        occurrences.reach(9, 0);
        occurrences.meet(9, 1);
        assert_eq!((occurrences.kind(9), occurrences.times(9)), (Permanent, 1));
    }

    #[test]
    fn a_goal_shares_the_variables_that_also_occur_outside() {
        let file = read_text("p(X, Y) :- q(X, Z, Z), r(Y).");
        let terms = &file.clauses[0].terms;
        let root = file.clauses[0].root;
        let goal = terms.chain(terms.args(root)[1], ",")[0];
        let (whole, inside) = (
            Occurrences::count(terms, [root]),
            Occurrences::count(terms, [goal]),
        );
        let shared: Vec<u32> = (inside.iter().map(|(v, _)| v))
            .filter(|&v| whole.is_outside(v, &inside))
            .collect();
        assert_eq!(shared, [0]);
        assert_eq!((whole.repetitions(), inside.repetitions()), (3, 1));
    }
}
