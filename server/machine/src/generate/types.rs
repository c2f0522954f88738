//! Types of arguments: types for which bounds are inferred, and types that a program defines.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_syntax::assertions::OpaqueName;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::clause_terms::ClauseTerms;

/// The maximum nesting of lists in a parsed type, since traversals of a type may recurse.
const DEEPEST: usize = 16;

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer.
    Int,
    /// An integer or a float.
    Number,
    /// An atom other than `[]`.
    Atom,
    /// A string.
    String,
    /// An atom or a string.
    AtomOrString,
    /// Proper lists of elements of a type.
    List(Box<Type>),
    /// The empty list alone, whose element type is empty.
    Nil,
    /// A term without variables.
    Ground,
    /// A bound term.
    Nonvar,
    /// A fresh variable that occurs nowhere else in the call.
    Free,
    /// Any term, including an unbound or shared variable.
    Any,
    /// A type that the program defines.
    Defined(Arc<Types>, SmolStr),
    /// An opaque type, with the types of its keys and values; those of a term without keys are [`Type::Nil`].
    Opaque(OpaqueName, Box<(Type, Type)>),
}

impl Type {
    /// Returns the type `list(element)`.
    #[must_use]
    pub fn list(element: Type) -> Self {
        Self::List(Box::new(element))
    }

    /// Parses a type as printed by `costlens bounds`: `int`, `list(list(num))`, `tree`. Returns `None` for a type that is neither built in
    /// nor defined.
    #[must_use]
    pub fn read(text: &str, defined: &Arc<Types>) -> Option<Self> {
        let (mut text, mut lists) = (text.trim(), 0);
        let innermost = loop {
            if let Some(simple) = Self::simple(text, defined) {
                break simple;
            }
            text = text.strip_prefix("list(")?.strip_suffix(')')?.trim();
            lists += 1;
            if lists > DEEPEST {
                return None;
            }
        };
        Some((0..lists).fold(innermost, |element, _| Self::list(element)))
    }

    fn simple(text: &str, defined: &Arc<Types>) -> Option<Self> {
        Some(match text {
            "int" => Self::Int,
            "num" => Self::Number,
            "atm" => Self::Atom,
            "string" => Self::String,
            "atom_or_string" => Self::AtomOrString,
            "list" | "list(none)" => Self::Nil,
            "ground" | "gnd" => Self::Ground,
            "nonvar" => Self::Nonvar,
            "var" => Self::Free,
            "any" | "term" => Self::Any,
            name if defined.0.contains_key(name) => Self::Defined(Arc::clone(defined), name.into()),
            other => return Self::opaque(other, defined),
        })
    }

    /// Parses `assoc`, `assoc(int, list(atm))`.
    fn opaque(text: &str, defined: &Arc<Types>) -> Option<Self> {
        let name = text.split('(').next()?;
        let opaque = OpaqueName::ALL.into_iter().find(|o| o.name() == name)?;
        let contents = match text.strip_prefix(name)? {
            "" => (Self::Any, Self::Any),
            within => {
                let within = within.strip_prefix('(')?.strip_suffix(')')?;
                if within.matches('(').count() > DEEPEST {
                    return None;
                }
                let comma = outer_comma(within)?;
                let content = |text: &str| match text.trim() {
                    "none" => Some(Self::Nil),
                    text => Self::read(text, defined),
                };
                (content(&within[..comma])?, content(&within[comma + 1..])?)
            }
        };
        Some(Self::Opaque(opaque, Box::new(contents)))
    }

    /// Returns the size metric of the type's terms, or `None` if Costlens does not measure them.
    #[must_use]
    pub fn metric(&self) -> Option<&'static str> {
        match self {
            Self::Int => Some("int"),
            Self::String | Self::AtomOrString => Some("chars"),
            Self::List(_) | Self::Nil => Some("length"),
            Self::Ground | Self::Defined(..) => Some("size"),
            Self::Opaque(..) => Some("keys"),
            _ => None,
        }
    }
}

/// The types that a program defines by clauses, with their forms.
///
/// ```prolog
/// :- regtype tree/1.
/// tree(l).
/// tree(t(L, X, R)) :- tree(L), int(X), tree(R).
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types(BTreeMap<SmolStr, Vec<Form>>);

/// One form of a defined type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// `tree(l).`
    Constant(Term),
    /// `tree(t(L, X, R)) :- …`: the functor and the types of its arguments.
    Compound(SmolStr, Vec<ArgumentType>),
    /// `expr(X) :- int(X).`
    Other(Type),
}

impl Form {
    /// Returns whether terms of this form may have parts of a defined type.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Compound(_, parts) => parts.iter().any(|p| !matches!(p, ArgumentType::Other(_))),
            _ => false,
        }
    }

    /// Returns whether every term of this form has parts of a defined type.
    #[must_use]
    pub fn must_go_on(&self) -> bool {
        match self {
            Self::Compound(_, parts) => parts.iter().any(|p| matches!(p, ArgumentType::Named(_))),
            _ => false,
        }
    }
}

/// The type of an argument of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// A defined type.
    Named(SmolStr),
    /// Lists of a defined type.
    ListOf(SmolStr),
    /// Another type.
    Other(Type),
}

impl ArgumentType {
    /// Returns the corresponding type.
    #[must_use]
    pub fn resolve(&self, types: &Arc<Types>) -> Type {
        match self {
            Self::Named(name) => Type::Defined(Arc::clone(types), name.clone()),
            Self::ListOf(name) => Type::list(Type::Defined(Arc::clone(types), name.clone())),
            Self::Other(ty) => ty.clone(),
        }
    }
}

impl Types {
    /// Reads the types with these names from clauses with one argument. Leaves out a name whose definition does not have one of the forms
    /// above, or whose forms all recurse, so that it has no obvious smallest term.
    #[must_use]
    pub fn defined<'a>(
        names: &[SmolStr],
        clauses: &dyn Fn(&SmolStr) -> Vec<ClauseTerms<'a>>,
    ) -> Arc<Self> {
        let forms = |name: &SmolStr| -> Option<(SmolStr, Vec<Form>)> {
            let forms: Option<Vec<Form>> = clauses(name).iter().map(|c| form(c, names)).collect();
            Some((name.clone(), forms?))
        };
        Self::new(names.iter().filter_map(forms).collect())
    }

    /// Creates types from these forms. Leaves out names whose forms all recurse, and names that use an undefined name.
    #[must_use]
    pub fn new(mut types: BTreeMap<SmolStr, Vec<Form>>) -> Arc<Self> {
        types.retain(|_, forms| forms.iter().any(|f| !f.must_go_on()));
        // Leaving out a name also removes the names that use it.
        loop {
            let known = |p: &ArgumentType| match p {
                ArgumentType::Named(n) | ArgumentType::ListOf(n) => types.contains_key(n),
                ArgumentType::Other(_) => true,
            };
            let wrong = types.iter().find(|(_, forms)| {
                forms.iter().any(|f| match f {
                    Form::Compound(_, parts) => !parts.iter().all(known),
                    _ => false,
                })
            });
            let Some(name) = wrong.map(|(name, _)| name.clone()) else {
                return Arc::new(Self(types));
            };
            types.remove(&name);
        }
    }

    /// Returns the forms of a defined type.
    #[must_use]
    pub fn forms(&self, name: &str) -> &[Form] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

fn form(clause: &ClauseTerms<'_>, names: &[SmolStr]) -> Option<Form> {
    let terms = clause.terms;
    let &[argument] = terms.args(clause.head) else {
        return None;
    };
    let part = |v: u32| -> Option<ArgumentType> {
        let mut found = None;
        for &goal in &clause.goals {
            let is_it = |t: TermId| matches!(terms.get(t), Term::Var(w) if *w == v);
            let (name, _) = terms.functor(goal)?;
            let said = match *terms.args(goal) {
                [x] if is_it(x) && names.contains(name) => ArgumentType::Named(name.clone()),
                [x] if is_it(x) => ArgumentType::Other(declared(name)?),
                [x, of] if is_it(x) && name == "list" => match terms.as_atom(of) {
                    Some(of) if names.contains(of) => ArgumentType::ListOf(of.clone()),
                    Some(of) => ArgumentType::Other(Type::list(declared(of)?)),
                    None => return None,
                },
                _ => continue,
            };
            if found.replace(said).is_some() {
                return None;
            }
        }
        Some(found.unwrap_or(ArgumentType::Other(Type::Any)))
    };
    match terms.get(argument) {
        Term::Var(v) => match part(*v)? {
            ArgumentType::Other(
                ty @ (Type::Int | Type::Number | Type::Atom | Type::String | Type::Ground),
            ) => Some(Form::Other(ty)),
            _ => None,
        },
        Term::Compound(name, _) => {
            let parts: Option<Vec<ArgumentType>> = (terms.args(argument).iter())
                .map(|&a| match terms.get(a) {
                    Term::Var(v) => part(*v),
                    _ => None,
                })
                .collect();
            Some(Form::Compound(name.clone(), parts?))
        }
        Term::Error | Term::Rational(_) => None,
        constant => Some(Form::Constant(constant.clone())),
    }
}

/// Returns the type that a unary property declares for its argument.
fn declared(name: &str) -> Option<Type> {
    Some(match name {
        "int" | "integer" => Type::Int,
        "num" | "number" => Type::Number,
        "atm" | "atom" => Type::Atom,
        "string" => Type::String,
        "ground" | "gnd" => Type::Ground,
        "any" | "term" => Type::Any,
        "list" => Type::list(Type::Any),
        _ => return None,
    })
}

/// Returns whether a term has a type. Does not check that a [`Type::Free`] variable occurs nowhere else.
#[must_use]
pub fn fits(terms: &Terms, ty: &Type, term: TermId) -> bool {
    let mut stack = vec![(ty.clone(), term)];
    while let Some((ty, term)) = stack.pop() {
        let node = terms.get(term);
        let ok = match &ty {
            Type::Any => true,
            Type::Free => matches!(node, Term::Var(_)),
            Type::Nonvar => !matches!(node, Term::Var(_)),
            Type::Ground => is_ground(terms, term),
            Type::Int | Type::Number | Type::Atom | Type::String | Type::AtomOrString => {
                fits_atomic(&ty, node)
            }
            Type::Nil => is_nil(node),
            Type::List(element) => {
                let (elements, rest) = terms.list(term);
                stack.extend(elements.into_iter().map(|e| ((**element).clone(), e)));
                is_nil(terms.get(rest))
            }
            Type::Opaque(name, contents) => match opaque_contents(terms, term, *name) {
                Some(all) => {
                    for (key, value) in all {
                        stack.push((contents.0.clone(), key));
                        stack.push((contents.1.clone(), value));
                    }
                    true
                }
                None => false,
            },
            Type::Defined(types, name) => {
                // Match one level; the subterms are checked later.
                let fitting = types.forms(name).iter().find(|form| match (form, node) {
                    (Form::Constant(c), node) => c == node,
                    (Form::Compound(f, parts), Term::Compound(g, _)) => {
                        f == g && parts.len() == terms.args(term).len()
                    }
                    (Form::Other(Type::Ground), _) => true,
                    (Form::Other(ty), node) => fits_atomic(ty, node),
                    _ => false,
                });
                match fitting {
                    Some(Form::Compound(_, parts)) => {
                        let arguments = terms.args(term).iter();
                        stack.extend(
                            arguments
                                .zip(parts)
                                .map(|(&a, part)| (part.resolve(types), a)),
                        );
                        true
                    }
                    Some(Form::Other(Type::Ground)) => is_ground(terms, term),
                    found => found.is_some(),
                }
            }
        };
        if !ok {
            return false;
        }
    }
    true
}

/// Returns the position of the comma outside brackets.
fn outer_comma(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })
}

/// Returns the keys and values of a term of an opaque type.
fn opaque_contents(terms: &Terms, term: TermId, name: OpaqueName) -> Option<Vec<(TermId, TermId)>> {
    name.contents(term, &|t| match terms.get(t) {
        Term::Atom(name) => Some((name.clone(), Vec::new())),
        Term::Compound(name, _) => Some((name.clone(), terms.args(t).to_vec())),
        _ => None,
    })
}

fn fits_atomic(ty: &Type, node: &Term) -> bool {
    match (ty, node) {
        (Type::Int, Term::Integer(_)) | (Type::Number, Term::Integer(_) | Term::Float(_)) => true,
        (Type::Atom | Type::AtomOrString, Term::Atom(name)) => name != NIL,
        (Type::String | Type::AtomOrString, Term::String(_)) => true,
        _ => false,
    }
}

fn is_nil(node: &Term) -> bool {
    matches!(node, Term::Atom(name) if name == NIL)
}

fn is_ground(terms: &Terms, term: TermId) -> bool {
    let mut stack = vec![term];
    while let Some(top) = stack.pop() {
        if matches!(terms.get(top), Term::Var(_)) {
            return false;
        }
        stack.extend(terms.args(top));
    }
    true
}

/// Returns the size of a term under a metric (`length`, `int`, `size`, `depth`, `chars`), or `None` if the metric does not apply to it.
#[must_use]
pub fn size(terms: &Terms, metric: &str, term: TermId) -> Option<num_bigint::BigInt> {
    match metric {
        "length" => {
            let (mut length, mut rest) = (0_usize, term);
            while let Some(&[_, tail]) = terms.matches(rest, CONS, 2) {
                length += 1;
                rest = tail;
            }
            is_nil(terms.get(rest)).then(|| length.into())
        }
        "int" => match terms.get(term) {
            Term::Integer(n) => Some(n.to_big()),
            _ => None,
        },
        "chars" => match terms.get(term) {
            Term::Atom(text) | Term::String(text) => Some(text.chars().count().into()),
            _ => None,
        },
        "keys" => {
            let mut names = OpaqueName::ALL.into_iter();
            let found = names.find_map(|name| opaque_contents(terms, term, name))?;
            Some(found.len().into())
        }
        "size" | "depth" => {
            let (mut nodes, mut deepest, mut stack) = (0_usize, 0_usize, vec![(term, 0)]);
            while let Some((at, depth)) = stack.pop() {
                nodes += 1;
                deepest = deepest.max(depth);
                stack.extend(terms.args(at).iter().map(|&a| (a, depth + 1)));
            }
            Some(if metric == "size" { nodes } else { deepest }.into())
        }
        _ => None,
    }
}

/// Returns the size of the largest element of a proper list under a metric, or `None` if the list is empty or the metric does not apply to an
/// element.
#[must_use]
pub fn element_size(terms: &Terms, metric: &str, list: TermId) -> Option<num_bigint::BigInt> {
    let (elements, rest) = terms.list(list);
    if !is_nil(terms.get(rest)) {
        return None;
    }
    let sizes: Option<Vec<_>> = elements.iter().map(|&e| size(terms, metric, e)).collect();
    sizes?.into_iter().max()
}
