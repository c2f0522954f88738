//! The state of a clause's variables during the traversal: the dependences of their values.

use costlens_syntax::term::{Term, TermId, Terms};

use super::{ArgumentBinding, ArgumentSet};

/// The known property of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instantiation {
    /// An unbound variable that no other term contains.
    Free,
    /// An unbound variable that may occur in values of its class.
    Unbound,
    /// An arbitrary value.
    Partial,
    /// A value without variables.
    Ground,
}

/// The state of all variables.
#[derive(Clone, Debug)]
pub(super) struct VariableStates {
    pub(super) deps: Vec<u64>,
    known: Vec<Instantiation>,
    /// The variables of the term to which a variable was bound while it was free. If all of them are ground, so is the variable.
    made_of: Vec<Option<Vec<u32>>>,
    /// The class of each variable. Variables of the same class may share.
    class: Vec<u32>,
}

/// The maximum number of variables that are followed to determine whether a variable is ground.
const MOST_FOLLOWED: usize = 64;

impl VariableStates {
    /// Returns the state after unification of a head with a call. `entry` contains the binding of each argument.
    pub(super) fn on_entry(terms: &Terms, arguments: &[TermId], entry: &[ArgumentBinding]) -> Self {
        let variables = terms.variables();
        let mut state = VariableStates {
            deps: vec![0; variables as usize],
            known: vec![Instantiation::Free; variables as usize],
            made_of: vec![None; variables as usize],
            class: (0..variables).collect(),
        };
        for (j, (&argument, bound)) in arguments.iter().zip(entry).enumerate() {
            for v in terms.variables_of(argument) {
                let v = v as usize;
                state.deps[v] |= ArgumentSet::one(j).0;
                match (bound, state.known[v]) {
                    (ArgumentBinding::Ground, _) => state.known[v] = Instantiation::Ground,
                    // The caller handles this at the end of the clause.
                    (ArgumentBinding::Free, _)
                    | (ArgumentBinding::Partly, Instantiation::Ground) => {}
                    (ArgumentBinding::Partly, _) => state.known[v] = Instantiation::Partial,
                }
            }
        }
        state
    }

    /// Unifies two terms. `deps` are the dependences of the resulting values.
    pub(super) fn unify(&mut self, terms: &Terms, a: TermId, b: TermId, deps: u64) {
        let (ground_a, ground_b) = (self.is_ground(terms, a), self.is_ground(terms, b));
        let free = [a, b].map(|id| self.is_free(terms, id));
        let [unbound_a, unbound_b] = [a, b].map(|id| self.unbound(terms, id));
        self.assign(terms, a, deps, ground_b);
        self.assign(terms, b, deps, ground_a);
        self.share(terms, &[a, b]);
        match free {
            [true, _] => self.bind(terms, a, b, &unbound_b),
            [false, true] => self.bind(terms, b, a, &unbound_a),
            [false, false] => {}
        }
    }

    /// Binds a free variable to a term: `L = [X|Xs]`. Variables of the term in `unbound` remain unbound.
    fn bind(&mut self, terms: &Terms, variable: TermId, to: TermId, unbound: &[u32]) {
        let Term::Var(v) = terms.get(variable) else {
            return;
        };
        for &part in unbound {
            if !self.is_ground_variable(part) {
                self.known[part as usize] = Instantiation::Unbound;
            }
        }
        let parts = terms.variables_of(to);
        // The other variable is an alias.
        if let Term::Var(other) = terms.get(to)
            && unbound.contains(other)
        {
            self.known[*v as usize] = Instantiation::Unbound;
        }
        self.made_of[*v as usize] = Some(parts);
    }

    /// Returns the variables of a term that are certainly unbound.
    fn unbound(&self, terms: &Terms, id: TermId) -> Vec<u32> {
        let all = terms.variables_of(id).into_iter();
        all.filter(|&v| self.is_unbound(v)).collect()
    }

    fn is_unbound(&self, variable: u32) -> bool {
        matches!(
            self.known[variable as usize],
            Instantiation::Free | Instantiation::Unbound
        )
    }

    /// Returns how a call binds an argument. `others` are its other arguments.
    pub(super) fn bound(&self, terms: &Terms, id: TermId, others: &[TermId]) -> ArgumentBinding {
        if self.is_ground(terms, id) {
            ArgumentBinding::Ground
        } else if self.is_apart(terms, id, others) {
            ArgumentBinding::Free
        } else {
            ArgumentBinding::Partly
        }
    }

    /// Returns whether a term is a variable that is certainly unbound, and occurs in no other term.
    fn is_apart(&self, terms: &Terms, id: TermId, others: &[TermId]) -> bool {
        let Term::Var(v) = terms.get(id) else {
            return false;
        };
        let class = self.class[*v as usize];
        let mut all = others.iter().flat_map(|&other| terms.variables_of(other));
        self.is_unbound(*v)
            && all.all(|w| self.class[w as usize] != class || self.is_ground_variable(w))
    }

    fn is_ground_at(&self, place: usize) -> bool {
        u32::try_from(place).is_ok_and(|v| self.is_ground_variable(v))
    }

    fn is_ground_variable(&self, variable: u32) -> bool {
        let (mut seen, mut at) = (vec![variable], 0);
        while let Some(&v) = seen.get(at) {
            at += 1;
            if self.known[v as usize] == Instantiation::Ground {
                continue;
            }
            let Some(parts) = &self.made_of[v as usize] else {
                return false;
            };
            for part in parts {
                if !seen.contains(part) {
                    seen.push(*part);
                }
            }
            if seen.len() > MOST_FOLLOWED || parts.contains(&v) {
                return false;
            }
        }
        true
    }

    /// Returns the inputs on which a term depends.
    pub(super) fn deps_of(&self, terms: &Terms, id: TermId) -> u64 {
        let variables = terms.variables_of(id).into_iter();
        variables.fold(0, |sum, v| sum | self.deps[v as usize])
    }

    pub(super) fn is_ground(&self, terms: &Terms, id: TermId) -> bool {
        let mut variables = terms.variables_of(id).into_iter();
        variables.all(|v| self.is_ground_variable(v))
    }

    /// Returns whether a term is a variable that is certainly unbound.
    pub(super) fn is_free(&self, terms: &Terms, id: TermId) -> bool {
        match terms.get(id) {
            Term::Var(v) => self.is_unbound(*v),
            _ => false,
        }
    }

    /// Records that a term may now have a value with these dependences.
    pub(super) fn assign(&mut self, terms: &Terms, id: TermId, deps: u64, ground: bool) {
        for variable in terms.variables_of(id) {
            let v = variable as usize;
            if self.is_ground_variable(variable) {
                continue;
            }
            let class = self.class[v];
            for other in 0..self.class.len() {
                if self.class[other] == class && !self.is_ground_at(other) {
                    self.deps[other] |= deps;
                    if self.known[other] == Instantiation::Unbound {
                        self.known[other] = Instantiation::Partial;
                    }
                }
            }
            self.known[v] = match ground {
                true => Instantiation::Ground,
                false => Instantiation::Partial,
            };
        }
    }

    /// Records that the variables of these terms may share from now on, unless they are ground.
    pub(super) fn share(&mut self, terms: &Terms, ids: &[TermId]) {
        let mut first: Option<u32> = None;
        for &id in ids {
            for v in terms.variables_of(id) {
                if self.is_ground_variable(v) {
                    continue;
                }
                let (own, into) = (
                    self.class[v as usize],
                    *first.get_or_insert(self.class[v as usize]),
                );
                if own != into {
                    for class in self.class.iter_mut().filter(|c| **c == own) {
                        *class = into;
                    }
                }
            }
        }
        // Variables that share have the same dependences.
        if let Some(class) = first {
            let members: Vec<usize> = (0..self.class.len())
                .filter(|&v| self.class[v] == class && !self.is_ground_at(v))
                .collect();
            let all = members.iter().fold(0, |sum, &v| sum | self.deps[v]);
            for v in members {
                self.deps[v] = all;
            }
        }
    }

    /// Joins the states of two branches.
    pub(super) fn join(&mut self, other: &VariableStates) {
        for v in 0..self.deps.len() {
            self.deps[v] |= other.deps[v];
            // The variable has a value in one branch. In the other branch, it may be bound to a term with variables.
            let ground = [&*self, other].map(|state| state.known[v] == Instantiation::Ground);
            self.made_of[v] = match (&self.made_of[v], &other.made_of[v], ground) {
                (Some(own), Some(theirs), _) => Some([own.as_slice(), theirs].concat()),
                (Some(own), None, [_, true]) => Some(own.clone()),
                (None, Some(theirs), [true, _]) => Some(theirs.clone()),
                _ => None,
            };
            if self.known[v] != other.known[v] {
                let unbound = |known| matches!(known, Instantiation::Free | Instantiation::Unbound);
                self.known[v] = match unbound(self.known[v]) && unbound(other.known[v]) {
                    true => Instantiation::Unbound,
                    false => Instantiation::Partial,
                };
            }
            // Join the sharing of both branches.
            let (own, theirs) = (self.class[v], other.class[v]);
            if own != theirs {
                for class in self.class.iter_mut().filter(|c| **c == theirs) {
                    *class = own;
                }
            }
        }
    }
}
