//! Types of arguments: those that `costlens bounds` prints, and those that a program defines.

use std::collections::BTreeMap;
use std::rc::Rc;

use costlens_syntax::term::{NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use crate::heap::{self, Cell, Heap, Ref};
use crate::program::Program;

/// A type as `costlens bounds` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Number,
    Atom,
    /// Proper lists of elements of a type.
    List(Box<Type>),
    /// `list`: the empty list alone, whose element type is empty.
    Nil,
    Ground,
    Nonvar,
    /// A fresh variable that occurs nowhere else in the call.
    Free,
    Any,
    /// A type that the program defines.
    Defined(Rc<Types>, SmolStr),
}

impl Type {
    /// Reads a printed type; `None` for one that neither the oracle knows nor the program defines.
    pub(crate) fn read(text: &str, defined: &Rc<Types>) -> Option<Self> {
        Some(match text.trim() {
            "int" => Self::Int,
            "num" => Self::Number,
            "atm" => Self::Atom,
            "list" | "list(none)" => Self::Nil,
            "ground" | "gnd" => Self::Ground,
            "nonvar" => Self::Nonvar,
            "var" => Self::Free,
            "any" | "term" => Self::Any,
            other if defined.0.contains_key(other) => {
                Self::Defined(Rc::clone(defined), other.into())
            }
            other => {
                let element = other.strip_prefix("list(")?.strip_suffix(')')?;
                Self::List(Box::new(Self::read(element, defined)?))
            }
        })
    }
}

/// The types that a program defines by clauses: what each name stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types(pub(crate) BTreeMap<SmolStr, Vec<Form>>);

/// One form of a defined type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Constant(Cell),
    Compound(SmolStr, Vec<Part>),
    /// `expr(X) :- int(X).`
    Other(Type),
}

impl Eq for Form {}

/// The type of an argument of a form: the name of a defined one, or another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Named(SmolStr),
    ListOf(SmolStr),
    Other(Type),
}

impl Part {
    pub(crate) fn of(&self, types: &Rc<Types>) -> Type {
        match self {
            Self::Named(name) => Type::Defined(Rc::clone(types), name.clone()),
            Self::ListOf(name) => {
                Type::List(Box::new(Type::Defined(Rc::clone(types), name.clone())))
            }
            Self::Other(ty) => ty.clone(),
        }
    }
}

impl Types {
    /// The definitions of a program: predicates of one argument that a `regtype` directive names.
    pub(crate) fn of(program: &Program) -> Rc<Self> {
        let mut found = Self::default();
        for name in &program.regtypes {
            let clauses = program.predicates.get(&(name.clone(), 1));
            let forms: Option<Vec<Form>> =
                (clauses.map(|c| c.as_slice()).unwrap_or_default().iter())
                    .map(|c| form(&c.terms, c.head, &c.goals_and_tests(), &program.regtypes))
                    .collect();
            // A type of which each form goes on is left alone: its least terms are not to be found at a glance.
            let ends = |f: &Form| match f {
                Form::Compound(_, parts) => !parts.iter().any(|p| matches!(p, Part::Named(_))),
                _ => true,
            };
            if let Some(forms) = forms.filter(|f| f.iter().any(ends)) {
                found.0.insert(name.clone(), forms);
            }
        }
        // A name whose definition the oracle does not read makes those that use it unreadable, too.
        loop {
            let wrong = (found.0.iter()).find(|(_, forms)| {
                forms.iter().any(|f| match f {
                    Form::Compound(_, parts) => parts.iter().any(|p| match p {
                        Part::Named(n) | Part::ListOf(n) => !found.0.contains_key(n),
                        Part::Other(_) => false,
                    }),
                    _ => false,
                })
            });
            let Some(name) = wrong.map(|(name, _)| name.clone()) else {
                return Rc::new(found);
            };
            found.0.remove(&name);
        }
    }
}

fn form(terms: &Terms, head: TermId, goals: &[TermId], names: &[SmolStr]) -> Option<Form> {
    let &[argument] = terms.args(head) else {
        return None;
    };
    let part = |v: u32| -> Option<Part> {
        let mut found = None;
        for &goal in goals {
            let is_it = |t: TermId| matches!(terms.get(t), Term::Var(w) if *w == v);
            let (name, _) = terms.functor(goal)?;
            let said = match *terms.args(goal) {
                [x] if is_it(x) && names.contains(name) => Part::Named(name.clone()),
                [x] if is_it(x) => Part::Other(simple(name)?),
                [x, of] if is_it(x) && name == "list" => match terms.as_atom(of) {
                    Some(of) if names.contains(of) => Part::ListOf(of.clone()),
                    Some(of) => Part::Other(Type::List(Box::new(simple(of)?))),
                    None => return None,
                },
                _ => continue,
            };
            if found.replace(said).is_some() {
                return None;
            }
        }
        Some(found.unwrap_or(Part::Other(Type::Any)))
    };
    match terms.get(argument) {
        Term::Var(v) => match part(*v)? {
            Part::Other(ty @ (Type::Int | Type::Number | Type::Atom | Type::Ground)) => {
                Some(Form::Other(ty))
            }
            _ => None,
        },
        Term::Compound(name, _) => {
            let parts: Option<Vec<Part>> = (terms.args(argument).iter())
                .map(|&a| match terms.get(a) {
                    Term::Var(v) => part(*v),
                    _ => None,
                })
                .collect();
            Some(Form::Compound(name.clone(), parts?))
        }
        Term::Error | Term::Rational(_) => None,
        constant => Some(Form::Constant(heap::constant(constant))),
    }
}

fn simple(name: &str) -> Option<Type> {
    Some(match name {
        "int" | "integer" => Type::Int,
        "num" | "number" => Type::Number,
        "atm" | "atom" => Type::Atom,
        "ground" | "gnd" => Type::Ground,
        "any" | "term" => Type::Any,
        "list" => Type::List(Box::new(Type::Any)),
        _ => return None,
    })
}

fn fits_constant(ty: &Type, cell: &Cell) -> bool {
    match (ty, cell) {
        (Type::Int, Cell::Int(_)) | (Type::Number, Cell::Int(_) | Cell::Float(_)) => true,
        (Type::Atom, Cell::Atom(name)) => name != NIL,
        _ => false,
    }
}

/// Whether a term has a type.
pub(crate) fn fits(heap: &mut Heap, ty: &Type, term: Ref) -> bool {
    let mut stack = vec![(ty.clone(), term)];
    while let Some((ty, term)) = stack.pop() {
        let ok = match (&ty, heap.value(term)) {
            (Type::Any, _) => true,
            (Type::Int, Cell::Int(_)) | (Type::Number, Cell::Int(_) | Cell::Float(_)) => true,
            (Type::Atom, Cell::Atom(name)) => name != NIL,
            (Type::Nil, Cell::Atom(name)) => name == NIL,
            (Type::Nonvar, cell) => !matches!(cell, Cell::Var(_)),
            (Type::Ground, _) => heap.is_ground(term).unwrap(),
            (Type::List(element), _) => {
                let (elements, rest) = heap.elements(term).unwrap();
                stack.extend(elements.into_iter().map(|e| ((**element).clone(), e)));
                heap.is_atom(rest, NIL)
            }
            (Type::Defined(types, name), _) => {
                // One level; what is below waits.
                let forms = types.0.get(name).map_or(&[][..], Vec::as_slice);
                let fitting = forms.iter().find(|form| match (form, heap.value(term)) {
                    (Form::Constant(c), cell) => c == cell,
                    (Form::Compound(f, parts), Cell::Compound(g, _, k)) => {
                        f == g && parts.len() == *k
                    }
                    (Form::Other(t), cell) => {
                        let atomic = matches!(cell, Cell::Int(_) | Cell::Float(_) | Cell::Atom(_));
                        matches!(t, Type::Ground) || (atomic && fits_constant(t, cell))
                    }
                    _ => false,
                });
                match (fitting, heap.value(term)) {
                    (Some(Form::Compound(_, parts)), Cell::Compound(_, start, _)) => {
                        let parts =
                            (parts.iter().enumerate()).map(|(i, part)| (part.of(types), start + i));
                        stack.extend(parts);
                        true
                    }
                    (Some(Form::Other(Type::Ground)), _) => heap.is_ground(term).unwrap(),
                    (found, _) => found.is_some(),
                }
            }
            _ => false,
        };
        if !ok {
            return false;
        }
    }
    true
}
