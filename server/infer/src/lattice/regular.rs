//! Regular types of terms, defined by users with `:- regtype`.
//!
//! ```prolog
//! :- regtype tree/1.
//! tree(l).
//! tree(t(L, X, R)) :- tree(L), int(X), tree(R).
//! ```
//!
//! Such a type is a set of shapes: a constant, or a functor with a type for each argument. An unknown type in a definition is treated as
//! any term, so the analysed type is never stronger than the declared type.
//!
//! # Sizes
//!
//! The size of a term of such a type is the number of its constants and functors. Some arguments of a shape may be or contain variables
//! (`tree(t(L, _, R)) :- tree(L), tree(R).`). Code that follows the type does not inspect these arguments, and later bindings in them do
//! not change the number of shapes. Such an argument is therefore measured by a *label*: a size of at least 1, which is fixed at the entry.
//! Every bound on the size holds for all labels: callees receive the same labels with the same subterms, and newly built subterms may be
//! given any label. Sizes of outputs are inferred only for ground types.
//!
//! A list among the arguments (`crate(Items) :- list(Items)`) is inspected: with n arbitrary elements its size is at least 2n+1. A newly
//! built list is given exactly this size.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_body::conjuncts;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::assertions::DeclaredType;
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};

use super::opaque::Opaque;
use super::types::{TextType, Type};

/// The maximum number of shapes of a followed type.
const MOST_SHAPES: usize = 24;

/// A type defined by shapes. Types with equal definitions are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Regular {
    /// The name that the user gave the type.
    pub name: SmolStr,
    /// The shapes, sorted; each functor occurs once.
    pub shapes: Vec<Shape>,
    /// The type of all other values: `expr(X) :- int(X).` yields [`Type::Int`]. [`Type::None`] if there are no other values.
    pub leaf: Type,
    /// True if the terms contain no variables.
    pub ground: bool,
}

/// The regular types that inference may assign to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Types {
    /// The types that the program defines.
    pub defined: Arc<[Arc<Regular>]>,
    /// Types of trees with arbitrary contents, as suggested by the clauses. They are stronger than "bound" and weaker than "ground".
    ///
    /// ```prolog
    /// put(X, e, b(e, X-_, e)).
    /// put(X, b(L,Y-V,R), b(K,Y-V,R)) :- X < Y, !, put(X, L, K).
    /// ```
    pub suggested: Arc<[Arc<Regular>]>,
}

impl Default for Types {
    fn default() -> Self {
        Types {
            defined: Arc::from([]),
            suggested: Arc::from([]),
        }
    }
}

/// The types that a file defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regulars {
    /// The types that the analysis follows.
    pub followed: Arc<[Arc<Regular>]>,
    /// All names of types, including those whose definitions the analysis does not follow.
    names: Vec<SmolStr>,
    /// The names whose definitions state no more than the followed types.
    exact: Vec<SmolStr>,
}

impl Regulars {
    /// Returns the types that clauses define; later definitions may refer to earlier definitions. `clauses` returns the clauses of a
    /// predicate with the given name and arity 1.
    #[must_use]
    pub fn defined<'c>(
        names: impl Iterator<Item = &'c SmolStr>,
        clauses: &dyn Fn(&SmolStr) -> Option<Arc<[Clause]>>,
        imported: &Regulars,
    ) -> Self {
        let own: Vec<SmolStr> = names.cloned().collect();
        let is_new = |name: &SmolStr| !own.contains(name);
        let others: Vec<Arc<Regular>> = (imported.followed.iter())
            .filter(|r| is_new(&r.name))
            .cloned()
            .collect();
        let mut names = own.clone();
        names.extend(imported.names.iter().filter(|n| is_new(n)).cloned());
        let definitions: Vec<(&SmolStr, Arc<[Clause]>)> = (own.iter())
            .filter_map(|name| Some((name, clauses(name)?)))
            .collect();
        let mut found = Regulars {
            followed: others.clone().into(),
            names,
            exact: Vec::new(),
        };
        // The first round processes the types that refer to no other types; the second round processes the types that refer to types of the
        // first round.
        for _ in 0..2 {
            let known = |name: &str| found.named(name);
            let followed = (definitions.iter())
                .filter_map(|(name, clauses)| Regular::defined(name, clauses, &known))
                .chain(others.iter().cloned())
                .collect();
            found.followed = followed;
            found.exact = (definitions.iter())
                .filter(|(name, clauses)| {
                    found.followed.iter().any(|r| r.name == **name)
                        && clauses.iter().all(|c| says_shapes_alone(name, c, &found))
                })
                .map(|(name, _)| (*name).clone())
                .chain(imported.exact.iter().filter(|n| is_new(n)).cloned())
                .collect();
        }
        found
    }

    /// Returns the types whose names are `wanted`, for a file that imports them.
    #[must_use]
    pub fn exported(&self, wanted: &dyn Fn(&SmolStr) -> bool) -> Self {
        let followed = self.followed.iter().filter(|r| wanted(&r.name));
        Regulars {
            followed: followed.cloned().collect(),
            names: self.names.iter().filter(|n| wanted(n)).cloned().collect(),
            exact: self.exact.iter().filter(|n| wanted(n)).cloned().collect(),
        }
    }

    /// Adds the types of another file. If a name occurs twice, the first type is kept.
    pub fn joined(&mut self, other: &Regulars) {
        let is_new = |name: &SmolStr| !self.names.contains(name);
        let followed = self.followed.iter().cloned();
        let more = other.followed.iter().filter(|r| is_new(&r.name)).cloned();
        let followed = followed.chain(more).collect();
        let names: Vec<SmolStr> = other.names.iter().filter(|n| is_new(n)).cloned().collect();
        let exact = other.exact.iter().filter(|n| names.contains(n)).cloned();
        self.exact.extend(exact);
        self.followed = followed;
        self.names.extend(names);
    }

    /// Returns the type with a name: one of these, or one predefined by Costlens. Returns `None` for other names.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Type> {
        match self.followed.iter().find(|r| r.name == name) {
            Some(r) => Some(Type::Tree(Arc::clone(r))),
            None if self.names.iter().any(|n| n == name) => None,
            None => known_type(&DeclaredType::from_name(name, Vec::new()), self),
        }
    }

    /// Returns whether the program defines a type with this name, followed or not.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// Returns whether a type has exactly the values of its followed approximation; a definition with further conditions (`X > 0`) has
    /// fewer.
    #[must_use]
    pub fn is_exact(&self, name: &str) -> bool {
        self.exact.iter().any(|n| n == name)
    }

    /// Returns whether the program defines a type whose name Costlens reads as the given type.
    #[must_use]
    pub fn has_own(&self, declared: &DeclaredType) -> bool {
        let inner = match declared {
            DeclaredType::List(element) => Some(&**element),
            _ => None,
        };
        let is_it = |name: &SmolStr| {
            let own = DeclaredType::from_name(name, Vec::new());
            let list = matches!(
                (&own, declared),
                (DeclaredType::List(_), DeclaredType::List(_))
            );
            !matches!(own, DeclaredType::Named(_))
                && (list || own == *declared || Some(&own) == inner)
        };
        self.names.iter().any(is_it)
    }

    /// Joins the type `known` with the program's own type of that name: in a file that defines `nat/1`, `nat` refers to that definition. A
    /// declared type does not record which of its synonyms was used, so both types are admitted.
    fn or_own(&self, declared: &DeclaredType, known: Type) -> Type {
        let mut own = (self.names.iter())
            .filter(|name| DeclaredType::from_name(name, Vec::new()) == *declared)
            .map(|name| self.named(name).unwrap_or(Type::Any));
        match own.next() {
            Some(first) => own.fold(known.join(&first), |t, u| t.join(&u)),
            None => known,
        }
    }
}

/// Converts a declared type to a type that is not stronger. Returns `None` for a type unknown to Costlens.
#[must_use]
pub fn known_type(declared: &DeclaredType, types: &Regulars) -> Option<Type> {
    let known = match declared {
        DeclaredType::Any => Type::Any,
        DeclaredType::Var => Type::Free,
        DeclaredType::Nonvar => Type::Nonvar,
        DeclaredType::Ground => Type::Ground,
        // Types have no numeric limits: those of `nonneg` are recorded where sizes are compared.
        DeclaredType::Int | DeclaredType::NonNegative | DeclaredType::Positive => Type::Int,
        DeclaredType::Number => Type::Number,
        DeclaredType::Atom => Type::Atom,
        DeclaredType::String => Type::Text(TextType::String),
        DeclaredType::AtomOrString => Type::Text(TextType::Either),
        DeclaredType::List(element) => {
            let element = known_type(element, types).unwrap_or(Type::Any);
            // Elements of a list may be shared with each other.
            Type::list(if element == Type::Free {
                Type::Any
            } else {
                element
            })
        }
        DeclaredType::Opaque(name, contents) => {
            let content = |of| known_type(of, types).unwrap_or(Type::Any);
            let (key, value) = (content(&contents.0), content(&contents.1));
            Type::Opaque(Arc::new(Opaque::new(*name, key, value)))
        }
        DeclaredType::Parameter(_) => Type::Any,
        DeclaredType::Named(name) => {
            return Some(Type::Tree(Arc::clone(
                types.followed.iter().find(|r| r.name == *name)?,
            )));
        }
    };
    Some(types.or_own(declared, known))
}

/// Returns whether a clause of a type only specifies the types of a shape's arguments, each once.
fn says_shapes_alone(name: &SmolStr, clause: &Clause, known: &Regulars) -> bool {
    let terms = &*clause.terms;
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let &[argument] = terms.args(clause.head) else {
        return false;
    };
    let distinct = terms.args(argument).iter().all(|&a| match terms.get(a) {
        Term::Var(v) => seen.insert(*v),
        _ => false,
    });
    let mut said: BTreeSet<u32> = BTreeSet::new();
    let goals = clause.body.map(|b| conjuncts(terms, b)).unwrap_or_default();
    distinct
        && goals.into_iter().all(|goal| {
            let (Some((of, 1)), &[x]) = (terms.functor(goal), terms.args(goal)) else {
                return false;
            };
            let exact = of == name
                || known.is_exact(of)
                || (DeclaredType::is_exact(of, 0)
                    && !known.names.contains(of)
                    && !matches!(
                        DeclaredType::from_name(of, Vec::new()),
                        DeclaredType::Named(_)
                            | DeclaredType::NonNegative
                            | DeclaredType::Positive
                            | DeclaredType::Var
                    ));
            matches!(terms.get(x), Term::Var(v) if said.insert(*v)) && exact
        })
}

/// One form that terms of a type may take.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shape {
    /// A constant (`'l'`), or name and arity (`'t'/3`), in the notation of shape keys.
    pub functor: SmolStr,
    /// The types of the arguments; [`Type::Itself`] for recursion.
    pub args: Vec<Type>,
}

impl Regular {
    /// Returns the shape with the given functor.
    #[must_use]
    pub fn shape(&self, functor: &str) -> Option<&Shape> {
        self.shapes.iter().find(|s| s.functor == functor)
    }

    /// Returns a lower bound on the size of the terms: a functor counts one, and each of its arguments at least one.
    #[must_use]
    pub fn least_size(&self) -> usize {
        let shapes = self.shapes.iter().map(|shape| 1 + shape.args.len());
        let leaf = (self.leaf != Type::None).then_some(1);
        shapes.chain(leaf).min().unwrap_or(1)
    }

    /// Returns whether terms of the type may directly contain terms of the same type.
    #[must_use]
    pub fn recurs(&self) -> bool {
        let mut parts = self.shapes.iter().flat_map(|shape| &shape.args);
        parts.any(|of| *of == Type::Itself)
    }

    /// Returns the argument types of the shape with the given functor.
    #[must_use]
    pub fn arguments(self: &Arc<Self>, functor: &str) -> Option<Vec<Type>> {
        let shape = self.shape(functor)?;
        Some(shape.args.iter().map(|t| self.unfolded(t)).collect())
    }

    fn unfolded(self: &Arc<Self>, t: &Type) -> Type {
        match t {
            Type::Itself => Type::Tree(Arc::clone(self)),
            // Lists nest no deeper than `DEEPEST_LIST`.
            Type::List(e) => Type::List(Box::new(self.unfolded(e))),
            other => other.clone(),
        }
    }

    /// Returns the type that a unary predicate defines: each clause has a constant or a compound of variables in its head, and its goals
    /// specify the types of the variables. `known` returns the types for other names.
    #[must_use]
    pub fn defined(
        name: &SmolStr,
        clauses: &[Clause],
        known: &dyn Fn(&str) -> Option<Type>,
    ) -> Option<Arc<Self>> {
        if clauses.is_empty() || clauses.len() > MOST_SHAPES {
            return None;
        }
        let (mut shapes, mut leaf) = (Vec::new(), Type::None);
        for clause in clauses {
            let terms = &*clause.terms;
            let &[argument] = terms.args(clause.head) else {
                return None;
            };
            if !matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) {
                return None;
            }
            if matches!(terms.get(argument), Term::Var(_)) {
                match argument_type(name, clause, argument, known)? {
                    t @ (Type::Int | Type::Number | Type::Atom | Type::Text(_) | Type::Ground) => {
                        leaf = leaf.join(&t);
                        continue;
                    }
                    _ => return None,
                }
            }
            let functor = functor_key(terms, argument)?;
            let args = terms
                .args(argument)
                .iter()
                .map(|&a| argument_type(name, clause, a, known))
                .collect::<Option<Vec<Type>>>()?;
            shapes.push(Shape { functor, args });
        }
        Self::new(name.clone(), shapes, leaf)
    }

    /// Creates a type from its shapes. Returns `None` if a functor occurs twice, if the type has no terms, or for lists (which are measured
    /// by their length).
    #[must_use]
    pub fn new(name: SmolStr, mut shapes: Vec<Shape>, leaf: Type) -> Option<Arc<Self>> {
        shapes.sort();
        let functors: BTreeSet<&SmolStr> = shapes.iter().map(|s| &s.functor).collect();
        let list = |f: &SmolStr| f == CELL_KEY || f == "[]";
        let base = |s: &Shape| s.args.iter().all(|t| *t != Type::Itself);
        if functors.len() < shapes.len()
            || shapes.iter().any(|s| list(&s.functor))
            || (leaf == Type::None && !shapes.iter().any(base))
            || shapes.is_empty()
        {
            return None;
        }
        let ground = shapes.iter().flat_map(|s| &s.args).all(Type::is_ground);
        Some(Arc::new(Self {
            name,
            shapes,
            leaf,
            ground,
        }))
    }
}

/// Returns the type of a shape's argument, from the goals that mention it.
fn argument_type(
    name: &SmolStr,
    clause: &Clause,
    argument: TermId,
    known: &dyn Fn(&str) -> Option<Type>,
) -> Option<Type> {
    let terms = &*clause.terms;
    let Term::Var(v) = terms.get(argument) else {
        return None;
    };
    let is_it = |t: TermId| matches!(terms.get(t), Term::Var(w) if w == v);
    let mut found = Type::Any;
    for goal in clause.body.map(|b| conjuncts(terms, b)).unwrap_or_default() {
        let Some((goal_name, _)) = terms.functor(goal) else {
            continue;
        };
        let said = match *terms.args(goal) {
            [x] if is_it(x) && goal_name == name => Some(Type::Itself),
            [x] if is_it(x) => known(goal_name),
            // `list(Xs, int)` and `list(int, Xs)`
            [x, of] | [of, x] if is_it(x) && goal_name == "list" => terms.as_atom(of).map(|of| {
                let element = if of == name {
                    Some(Type::Itself)
                } else {
                    known(of)
                };
                Type::List(Box::new(element.unwrap_or(Type::Any)))
            }),
            _ => None,
        };
        if let Some(said) = said {
            found = said;
        }
    }
    Some(match found {
        // Types cannot express that an argument is an unbound variable.
        Type::Free => Type::Any,
        other => other,
    })
}

/// Returns the key of a constant.
#[must_use]
pub fn constant_key(terms: &Terms, t: TermId) -> Option<SmolStr> {
    Some(match terms.get(t) {
        Term::Integer(i) => format_smolstr!("{i}"),
        Term::Float(bits) => format_smolstr!("float:{bits:x}"),
        Term::Rational(r) => format_smolstr!("{}r{}", r.0, r.1),
        Term::Atom(a) if a == NIL => SmolStr::new_static("[]"),
        Term::Atom(a) => format_smolstr!("'{a}'"),
        Term::String(s) => format_smolstr!("\"{s}\""),
        _ => return None,
    })
}

/// Returns the key of a constant or functor.
#[must_use]
pub fn functor_key(terms: &Terms, t: TermId) -> Option<SmolStr> {
    match terms.get(t) {
        Term::Compound(name, _) => Some(compound_key(name, terms.args(t).len())),
        _ => constant_key(terms, t),
    }
}

/// The key of a list cell.
pub const CELL_KEY: &str = "'[|]'/2";

/// Returns the key of a functor; a list cell is `'[|]'/2`.
#[must_use]
pub fn compound_key(name: &SmolStr, arity: usize) -> SmolStr {
    format_smolstr!("'{name}'/{arity}")
}

/// Returns whether a key denotes a constant.
pub(crate) fn is_constant(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'' || c == '"' || c == '[')
        || key.starts_with("float:")
}
