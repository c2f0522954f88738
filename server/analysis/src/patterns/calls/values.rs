//! The types of a call's arguments.

use costlens_infer::regular::{Regular, functor_key};
use costlens_infer::types::{TextType, Type};
use costlens_syntax::term::{CONS, NIL, Term, TermId};

use super::{BindingState, Walk};

impl Walk<'_> {
    /// Returns the current type of a term, and whether no part of the type is guessed.
    pub(super) fn type_of(&self, term: TermId) -> (Type, bool) {
        match self.terms.get(term) {
            Term::Var(v) => match self.knowledge.states[*v as usize] {
                BindingState::Unbound { sure } => match self.built(*v) {
                    // `State = state(_)`
                    Some(built) => (self.type_of_built(built), sure),
                    None => (Type::Free, sure),
                },
                BindingState::Anything { sure } => (Type::Any, sure),
                BindingState::Spine { sure } => (Type::list(Type::Any), sure),
                BindingState::Bound { sure, ground } => match &self.given[*v as usize] {
                    Some(given) => (given.clone(), sure),
                    // The use suggests a type, which would be too strong for a value that may contain variables.
                    None => match self.shape(term) {
                        Some(of) => (of, sure && ground),
                        None => (Type::Nonvar, sure),
                    },
                },
            },
            Term::Integer(_) => (Type::Int, true),
            Term::Rational(_) | Term::Float(_) => (Type::Number, true),
            Term::Atom(name) if name == NIL => match self.shape(term) {
                Some(of @ Type::List(_)) => (of, true),
                _ => (Type::list(Type::Any), true),
            },
            // `insert_all(Xs, leaf, T)`: a tree.
            Term::Atom(_) => match self.shape(term) {
                Some(of @ Type::Tree(_)) => (of, true),
                Some(Type::Text(_)) => (Type::Text(TextType::Atom), true),
                _ => (Type::Atom, true),
            },
            Term::String(_) => (Type::Text(TextType::String), true),
            Term::Error => (Type::Any, false),
            Term::Compound(name, _) if name == CONS => self.type_of_list(term),
            Term::Compound(..) => self.type_of_structure(term),
        }
    }

    pub(super) fn is_nil(&self, term: TermId) -> bool {
        self.terms.matches(term, NIL, 0).is_some()
    }

    /// Returns the type of `[]` as an argument: a list with the element type of lists in the same position.
    pub(super) fn type_of_nil(&self, term: TermId) -> Type {
        match self.shape(term) {
            Some(of @ Type::List(_)) => of,
            _ => Type::list(Type::None),
        }
    }

    /// Returns the compound with which a variable has been unified, if some of the compound's variables are unbound.
    fn built(&self, variable: u32) -> Option<TermId> {
        let is_it = |t: TermId| matches!(self.terms.get(t), Term::Var(v) if *v == variable);
        let is_compound = |t: TermId| matches!(self.terms.get(t), Term::Compound(..));
        let mut pending = self.knowledge.pending.iter();
        pending.find_map(|&(a, b)| match (is_it(a), is_it(b)) {
            (true, _) if is_compound(b) => Some(b),
            (_, true) if is_compound(a) => Some(a),
            _ => None,
        })
    }

    pub(super) fn is_built(&self, variable: u32) -> bool {
        self.built(variable).is_some()
    }

    /// Returns the type of a compound with unbound variables. Its elements are not inspected.
    fn type_of_built(&self, term: TermId) -> Type {
        let (elements, rest) = self.terms.list(term);
        let is_list = self.terms.matches(term, CONS, 2).is_some();
        if !is_list || self.terms.matches(rest, NIL, 0).is_none() {
            return Type::Nonvar;
        }
        let is_variable = |t: &TermId| matches!(self.terms.get(*t), Term::Var(_));
        Type::list(match elements.iter().any(is_variable) {
            true => Type::Any,
            false => Type::Nonvar,
        })
    }

    /// Returns whether a term is bound and certainly contains an unbound variable.
    pub(super) fn is_partial(&self, term: TermId) -> bool {
        let holds_unbound = |v: &u32| {
            let state = self.knowledge.states[*v as usize];
            matches!(
                state,
                BindingState::Unbound { .. } | BindingState::Spine { .. }
            )
        };
        match self.terms.get(term) {
            Term::Var(v) => match self.knowledge.states[*v as usize] {
                BindingState::Unbound { .. } => self.is_built(*v),
                state => matches!(state, BindingState::Spine { .. }),
            },
            _ => self.variables(term).iter().any(holds_unbound),
        }
    }

    /// Returns whether only the functor of a structure is known, as for `A-B` with unbound variables.
    pub(super) fn is_hollow(&self, term: TermId) -> bool {
        let is_unbound = |v: &u32| {
            matches!(
                self.knowledge.states[*v as usize],
                BindingState::Unbound { .. }
            )
        };
        let variables = self.variables(term);
        let inner = self.terms.subterms(term).len();
        matches!(self.terms.get(term), Term::Compound(..))
            && inner == variables.len() + 1
            && variables.iter().all(is_unbound)
    }

    fn shape(&self, term: TermId) -> Option<Type> {
        self.shapes
            .type_of(self.nodes[term.index()], self.around.types)
    }

    /// Returns the type of a list such as `[1, X | T]`.
    fn type_of_list(&self, term: TermId) -> (Type, bool) {
        let (elements, rest) = self.terms.list(term);
        let (mut of, mut sure) = (Type::None, true);
        for element in elements {
            let (next, known) = match self.terms.get(element) {
                // Only the first level of nested lists is inspected.
                Term::Compound(name, _) if name == CONS => {
                    let (inner, rest) = self.terms.list(element);
                    let closed = self.terms.matches(rest, NIL, 0).is_some();
                    let (mut inside, mut known) = (Type::None, true);
                    for part in inner {
                        let (next, sure) = match self.terms.get(part) {
                            Term::Compound(..) => self.type_of_structure(part),
                            _ => self.type_of(part),
                        };
                        inside = inside.join(&unfree(next));
                        known &= sure;
                    }
                    (
                        if closed {
                            Type::list(inside)
                        } else {
                            Type::Nonvar
                        },
                        known,
                    )
                }
                Term::Compound(..) => self.type_of_structure(element),
                _ => self.type_of(element),
            };
            of = of.join(&unfree(next));
            sure &= known;
        }
        match self.terms.get(rest) {
            Term::Atom(name) if name == NIL => (Type::list(of), sure),
            Term::Var(_) => match self.type_of(rest) {
                (Type::List(element), known) => (Type::list(element.join(&of)), sure && known),
                (_, known) => (Type::Nonvar, sure && known),
            },
            _ => (Type::Nonvar, sure),
        }
    }

    fn type_of_structure(&self, term: TermId) -> (Type, bool) {
        let sure = self.is_sure(term);
        match self.shape(term) {
            Some(Type::Tree(tree)) if self.is_bound(term) || self.fits(term, &tree) => {
                let is_known = self.is_ground(term) || self.fits(term, &tree);
                (Type::Tree(tree), sure && is_known)
            }
            _ if self.is_ground(term) => (Type::Ground, sure),
            _ => (Type::Nonvar, sure),
        }
    }

    /// Returns whether every value of a term belongs to a tree type, regardless of the values of its unbound variables.
    fn fits(&self, term: TermId, tree: &Regular) -> bool {
        let mut parts = vec![term];
        while let Some(part) = parts.pop() {
            let key = functor_key(self.terms, part);
            let Some(shape) = key.and_then(|key| tree.shape(&key)) else {
                let is_compound = matches!(self.terms.get(part), Term::Compound(..));
                if is_compound || !self.type_of(part).0.is_within(&tree.leaf) {
                    return false;
                }
                continue;
            };
            for (&argument, of) in self.terms.args(part).iter().zip(&shape.args) {
                match (of, self.terms.get(argument)) {
                    (Type::Any, _) => {}
                    (Type::Itself, Term::Compound(..) | Term::Atom(_)) => parts.push(argument),
                    (of, Term::Compound(..)) if *of == Type::Nonvar => {}
                    (_, Term::Compound(..)) => return false,
                    (of, _) if self.type_of(argument).0.is_within(of) => {}
                    _ => return false,
                }
            }
        }
        true
    }
}

/// Replaces the type of an unbound variable, because inside a structure the variable may be shared.
fn unfree(of: Type) -> Type {
    if of == Type::Free { Type::Any } else { of }
}
