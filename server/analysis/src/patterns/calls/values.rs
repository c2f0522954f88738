//! The types of what a call passes.

use costlens_infer::types::{Text, Type};
use costlens_syntax::term::{CONS, NIL, Term, TermId};

use super::{State, Walk};

impl Walk<'_> {
    /// The type of a term now, and whether nothing of it is guessed.
    pub(super) fn type_of(&self, term: TermId) -> (Type, bool) {
        match self.terms.get(term) {
            Term::Var(v) => match self.knowledge.states[*v as usize] {
                // `State = state(_)`
                State::Unbound { sure } if self.is_built(*v) => (Type::Nonvar, sure),
                State::Unbound { sure } => (Type::Free, sure),
                State::Anything { sure } => (Type::Any, sure),
                State::Bound { sure } => {
                    let given = self.given[*v as usize].clone();
                    (
                        given.or_else(|| self.shape(term)).unwrap_or(Type::Nonvar),
                        sure,
                    )
                }
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
                Some(Type::Text(_)) => (Type::Text(Text::Atom), true),
                _ => (Type::Atom, true),
            },
            Term::String(_) => (Type::Text(Text::String), true),
            Term::Error => (Type::Any, false),
            Term::Compound(name, _) if name == CONS => self.type_of_list(term),
            Term::Compound(..) => self.type_of_structure(term),
        }
    }

    /// Tells whether a variable has been unified with a compound term some of whose variables are unbound.
    fn is_built(&self, variable: u32) -> bool {
        let is_it = |t: TermId| matches!(self.terms.get(t), Term::Var(v) if *v == variable);
        let is_compound = |t: TermId| matches!(self.terms.get(t), Term::Compound(..));
        let mut pending = self.knowledge.pending.iter();
        pending.any(|&(a, b)| is_it(a) && is_compound(b) || is_it(b) && is_compound(a))
    }

    /// Tells whether a term is a structure of which only the name is known: `A-B` with unbound variables.
    pub(super) fn is_hollow(&self, term: TermId) -> bool {
        let is_unbound =
            |v: &u32| matches!(self.knowledge.states[*v as usize], State::Unbound { .. });
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

    /// `[1, X | T]`
    fn type_of_list(&self, term: TermId) -> (Type, bool) {
        let (elements, rest) = self.terms.list(term);
        let (mut of, mut sure) = (Type::None, true);
        for element in elements {
            let (next, known) = match self.terms.get(element) {
                // Lists of lists of lists are looked into once only.
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
        let of = match self.shape(term) {
            Some(tree @ Type::Tree(_)) if self.is_bound(term) => tree,
            _ if self.variables(term).is_empty() => Type::Ground,
            _ => Type::Nonvar,
        };
        (of, sure)
    }
}

/// A variable in a structure may be shared.
fn unfree(of: Type) -> Type {
    if of == Type::Free { Type::Any } else { of }
}
