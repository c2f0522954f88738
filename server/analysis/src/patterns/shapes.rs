//! Infers the values that flow through the arguments of predicates, by unification of shapes. Shapes resemble the types of polymorphic type
//! inference (Mycroft & O'Keefe, AI'84), but any mixture is allowed, because Prolog is untyped.
//!
//! `app([],L,L). app([H|T],L,[H|R]) :- app(T,L,R).` yields `app(list(A), list(A), list(A))`: the second argument is a list because it is
//! the tail of the third argument, a list. Shapes prove nothing. They only determine the calls for which bounds are shown.

use std::collections::{BTreeMap, BTreeSet};

use costlens_infer::opaque::Opaque;
use costlens_infer::regular::{Regulars, known_type};
use costlens_infer::types::{DEEPEST_LIST, TextType, Type};
use costlens_syntax::assertions::{DeclaredType, OpaqueName};
use costlens_syntax::term::{CONS, NIL};
use smol_str::{SmolStr, format_smolstr};

use super::trees;

/// The index of a shape in its [`Shapes`].
pub(super) type ShapeIndex = usize;

/// The maximum number of functors of a value; with more, it is treated as an arbitrary structure.
const MOST_FUNCTORS: usize = 32;
/// The maximum number of shapes in a scheme; further shapes are cut off.
const LARGEST_SCHEME: usize = 64;
/// The maximum number of shapes in one component; inference stops when it is reached.
const MOST_SHAPES: usize = 60_000;

/// The observed uses of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ValueUses {
    /// An integer constant, or an operand of an operation on integers only: `X mod 2`.
    pub(super) integer: bool,
    /// An operand or result of arithmetic.
    pub(super) arithmetic: bool,
    /// A float, or the result of a computation that returns a float.
    pub(super) real: bool,
    /// An unknown atom.
    pub(super) atom: bool,
    /// A string.
    pub(super) string: bool,
    /// An atom or string whose characters are used: `atom_chars(W, Cs)`.
    pub(super) measured: bool,
    /// Any other value without a shape.
    pub(super) other: bool,
    /// A value whose functor distinguishes the clauses, so that it is never unbound.
    pub(super) told_apart: bool,
    /// Atoms and compounds, with the shapes of their arguments. The tail of a list has the shape of the list.
    pub(super) functors: BTreeMap<(SmolStr, usize), Vec<ShapeIndex>>,
}

impl ValueUses {
    pub(super) fn is_number(&self) -> bool {
        self.integer || self.arithmetic || self.real
    }

    /// Returns the type of the numbers among these values.
    pub(super) fn number(&self) -> Type {
        if self.real { Type::Number } else { Type::Int }
    }
}

pub(super) fn is_list_functor((name, arity): &(SmolStr, usize)) -> bool {
    matches!((name.as_str(), *arity), (NIL, 0) | (CONS, 2))
}

/// A fact about a value that follows from a use of the value as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    Integer,
    Arithmetic,
    Real,
    Atom,
    String,
    Measured,
    Other,
    ToldApart,
}

/// Shapes, with union-find for unification.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    parent: Vec<ShapeIndex>,
    uses: Vec<ValueUses>,
}

/// The shapes of a predicate's arguments, numbered in the order in which they are reached from the first argument. Equivalent schemes are
/// therefore equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scheme {
    nodes: Vec<ValueUses>,
    arguments: Vec<ShapeIndex>,
}

impl Shapes {
    /// Creates a shape without facts.
    pub(super) fn fresh(&mut self) -> ShapeIndex {
        self.parent.push(self.parent.len());
        self.uses.push(ValueUses::default());
        self.parent.len() - 1
    }

    pub(super) fn is_full(&self) -> bool {
        self.parent.len() >= MOST_SHAPES
    }

    pub(super) fn find(&self, mut node: ShapeIndex) -> ShapeIndex {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    pub(super) fn hint(&mut self, node: ShapeIndex, hint: Hint) {
        let node = self.find(node);
        let uses = &mut self.uses[node];
        match hint {
            Hint::Integer => uses.integer = true,
            Hint::Arithmetic => uses.arithmetic = true,
            Hint::Real => uses.real = true,
            Hint::Atom => uses.atom = true,
            Hint::String => uses.string = true,
            Hint::Measured => uses.measured = true,
            Hint::Other => uses.other = true,
            Hint::ToldApart => uses.told_apart = true,
        }
    }

    /// Records that the value may be this atom or compound.
    pub(super) fn functor(&mut self, node: ShapeIndex, name: &SmolStr, arguments: &[ShapeIndex]) {
        let node = self.find(node);
        let mut equal = Vec::new();
        self.add_functor(node, (name.clone(), arguments.len()), arguments, &mut equal);
        self.settle(equal);
    }

    /// Returns the shape of the elements of a list.
    pub(super) fn element(&mut self, list: ShapeIndex) -> ShapeIndex {
        let element = self.fresh();
        let of = self.list_of(element);
        self.unify(list, of);
        element
    }

    /// Returns the shape of a list of these elements.
    pub(super) fn list_of(&mut self, element: ShapeIndex) -> ShapeIndex {
        let list = self.fresh();
        self.functor(list, &NIL.into(), &[]);
        self.functor(list, &CONS.into(), &[element, list]);
        list
    }

    /// Records that both shapes have the same values.
    pub(super) fn unify(&mut self, a: ShapeIndex, b: ShapeIndex) {
        self.settle(vec![(a, b)]);
    }

    fn settle(&mut self, mut equal: Vec<(ShapeIndex, ShapeIndex)>) {
        while let Some((a, b)) = equal.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            // The later shape is dropped, regardless of the order of the two arguments.
            let (keep, drop) = (a.min(b), a.max(b));
            self.parent[drop] = keep;
            let dropped = std::mem::take(&mut self.uses[drop]);
            let kept = &mut self.uses[keep];
            kept.integer |= dropped.integer;
            kept.arithmetic |= dropped.arithmetic;
            kept.real |= dropped.real;
            kept.atom |= dropped.atom;
            kept.string |= dropped.string;
            kept.measured |= dropped.measured;
            kept.other |= dropped.other;
            kept.told_apart |= dropped.told_apart;
            for (functor, arguments) in dropped.functors {
                self.add_functor(keep, functor, &arguments, &mut equal);
            }
        }
    }

    fn add_functor(
        &mut self,
        node: ShapeIndex,
        functor: (SmolStr, usize),
        arguments: &[ShapeIndex],
        equal: &mut Vec<(ShapeIndex, ShapeIndex)>,
    ) {
        if functor.0 == CONS && arguments.len() == 2 {
            equal.push((arguments[1], node));
        }
        let known = &mut self.uses[node].functors;
        if let Some(before) = known.get(&functor) {
            equal.extend(before.iter().copied().zip(arguments.iter().copied()));
        } else if known.len() < MOST_FUNCTORS {
            known.insert(functor, arguments.to_vec());
        } else {
            self.uses[node].other = true;
        }
    }

    /// Returns the scheme of these arguments, which contains the shapes that callers need.
    pub(super) fn scheme(&self, arguments: &[ShapeIndex]) -> Scheme {
        let mut scheme = Scheme::default();
        let mut number: BTreeMap<ShapeIndex, ShapeIndex> = BTreeMap::new();
        let mut order: Vec<ShapeIndex> = Vec::new();
        let mut place = |node: ShapeIndex, order: &mut Vec<ShapeIndex>| {
            *number.entry(self.find(node)).or_insert_with_key(|&node| {
                order.push(node);
                order.len() - 1
            })
        };
        scheme.arguments = arguments.iter().map(|&a| place(a, &mut order)).collect();
        let mut next = 0;
        while next < order.len() {
            let mut uses = self.uses[order[next]].clone();
            if order.len() > LARGEST_SCHEME {
                uses.other |= !uses.functors.is_empty();
                uses.functors.clear();
            }
            for parts in uses.functors.values_mut() {
                for part in parts {
                    *part = place(*part, &mut order);
                }
            }
            scheme.nodes.push(uses);
            next += 1;
        }
        scheme
    }

    /// Copies a scheme. Returns the shapes of its arguments.
    pub(super) fn instance(&mut self, scheme: &Scheme) -> Vec<ShapeIndex> {
        let base = self.parent.len();
        for uses in &scheme.nodes {
            let mut uses = uses.clone();
            for part in uses.functors.values_mut().flatten() {
                *part += base;
            }
            self.parent.push(self.parent.len());
            self.uses.push(uses);
        }
        scheme.arguments.iter().map(|a| a + base).collect()
    }

    /// Creates a shape for the values of a type.
    pub(super) fn of_type(&mut self, of: &Type) -> ShapeIndex {
        match of {
            // At most `DEEPEST_LIST` deep.
            Type::List(element) => {
                let element = self.of_type(element);
                self.list_of(element)
            }
            Type::Tree(regular) => trees::shape_of(self, regular),
            Type::Opaque(opaque) => {
                let (key, value) = (self.of_type(&opaque.key), self.of_type(&opaque.value));
                self.opaque(opaque.name, key, value)
            }
            other => {
                let node = self.fresh();
                match other {
                    Type::Int => self.hint(node, Hint::Integer),
                    Type::Number => self.hint(node, Hint::Real),
                    Type::Atom => self.hint(node, Hint::Atom),
                    Type::Text(text) => {
                        if *text != TextType::String {
                            self.hint(node, Hint::Atom);
                        }
                        if *text != TextType::Atom {
                            self.hint(node, Hint::String);
                        }
                    }
                    _ => {}
                }
                node
            }
        }
    }

    /// Creates a shape for the terms of an opaque type. It has a functor that no term has.
    fn opaque(&mut self, name: OpaqueName, key: ShapeIndex, value: ShapeIndex) -> ShapeIndex {
        let node = self.fresh();
        self.functor(node, &opaque_functor(name), &[key, value]);
        node
    }

    /// Creates a shape for the values of a declared type. Values of a type parameter have one shape.
    pub(super) fn of_declared(
        &mut self,
        declared: &DeclaredType,
        types: &Regulars,
        parameters: &mut BTreeMap<SmolStr, ShapeIndex>,
    ) -> ShapeIndex {
        match declared {
            DeclaredType::Parameter(name) => {
                *(parameters.entry(name.clone())).or_insert_with(|| self.fresh())
            }
            DeclaredType::Opaque(name, contents) => {
                let key = self.of_declared(&contents.0, types, parameters);
                let value = self.of_declared(&contents.1, types, parameters);
                self.opaque(*name, key, value)
            }
            DeclaredType::List(element) => {
                let element = self.of_declared(element, types, parameters);
                self.list_of(element)
            }
            declared => match known_type(declared, types) {
                Some(of) => self.of_type(&of),
                None => self.fresh(),
            },
        }
    }

    pub(super) fn uses(&self, node: ShapeIndex) -> &ValueUses {
        &self.uses[self.find(node)]
    }

    /// Returns the arguments of a compound with this functor, if the value may be such a compound.
    pub(super) fn parts(&self, node: ShapeIndex, name: &str, arity: usize) -> Vec<ShapeIndex> {
        let of = (self.uses(node).functors.iter()).find(|((n, a), _)| n == name && *a == arity);
        of.map(|(_, parts)| parts.clone()).unwrap_or_default()
    }

    /// Returns the elements of a value that may be a list.
    pub(super) fn elements(&self, list: ShapeIndex) -> Option<ShapeIndex> {
        self.parts(list, CONS, 2).first().copied()
    }

    /// Returns whether all values of the shape are constants, including an atom.
    pub(super) fn is_constant(&self, node: ShapeIndex) -> bool {
        let uses = self.uses(node);
        let mut functors = uses.functors.keys();
        !uses.other && !uses.functors.is_empty() && functors.all(|f| f.1 == 0 && f.0 != NIL)
    }

    /// Removes the mark that clauses distinguish the parts of a value.
    pub(super) fn forget_told_apart(&mut self, node: ShapeIndex) {
        let (mut visited, mut open) = (BTreeSet::new(), vec![self.find(node)]);
        while let Some(next) = open.pop() {
            if visited.insert(next) {
                self.uses[next].told_apart = false;
                let inner = self.uses[next].functors.values().flatten();
                open.extend(inner.map(|i| self.find(*i)));
            }
        }
    }

    /// Returns whether clauses distinguish the parts of a value, ignoring its recursive occurrences.
    fn holds_told_apart(&self, node: ShapeIndex) -> bool {
        let node = self.find(node);
        let (mut visited, mut open) = (BTreeSet::from([node]), vec![node]);
        while let Some(next) = open.pop() {
            if next != node && self.uses[next].told_apart {
                return true;
            }
            let inner = self.uses[next].functors.values().flatten();
            open.extend(inner.map(|i| self.find(*i)).filter(|i| visited.insert(*i)));
        }
        false
    }

    /// Returns the element type of a list, given the type that the elements' shape suggests.
    fn element_type(&self, element: ShapeIndex, of: Option<Type>) -> Type {
        let told_apart = self.uses(element).told_apart;
        match of {
            // The elements include specific constants, so other constants may occur.
            Some(Type::Atom) if !self.uses(element).atom && !told_apart => Type::Any,
            // The lattice contains no better type for terms with bound parts.
            Some(Type::Nonvar) if self.holds_told_apart(element) => Type::Ground,
            None if told_apart => Type::Nonvar,
            of => of.unwrap_or(Type::Any),
        }
    }

    /// Returns whether a value of one shape may occur inside a value of another shape, at any depth.
    fn is_part_of(&self, part: ShapeIndex, whole: ShapeIndex) -> bool {
        let (mut visited, mut open) = (BTreeSet::new(), vec![self.find(whole)]);
        while let Some(node) = open.pop() {
            for inner in self.uses[node].functors.values().flatten() {
                let inner = self.find(*inner);
                if inner == part {
                    return true;
                }
                if visited.insert(inner) {
                    open.push(inner);
                }
            }
        }
        false
    }

    /// Returns whether a value contains values of its own shape, but not as a direct argument.
    fn recurs_further_down(&self, node: ShapeIndex) -> bool {
        let parts = self.uses[node].functors.values().flatten();
        let direct = parts.clone().any(|&part| self.find(part) == node);
        !direct && self.is_part_of(node, node)
    }

    /// Returns the type that a shape suggests for an argument, or `None` if no value was observed. `types` contains the types that the file
    /// defines.
    pub(super) fn type_of(&self, node: ShapeIndex, types: &Regulars) -> Option<Type> {
        self.type_within(node, types, &mut BTreeSet::new())
    }

    /// Returns the type of a shape inside the enclosing shapes `above`.
    pub(super) fn type_within(
        &self,
        node: ShapeIndex,
        types: &Regulars,
        above: &mut BTreeSet<ShapeIndex>,
    ) -> Option<Type> {
        let node = self.find(node);
        let uses = &self.uses[node];
        if let Some(opaque) = self.opaque_type(uses, types, above) {
            return Some(opaque);
        }
        let lists = uses.functors.keys().any(is_list_functor);
        let terms = uses.other || uses.functors.keys().any(|f| !is_list_functor(f) && f.1 > 0);
        let atoms = uses.atom
            || uses
                .functors
                .keys()
                .any(|f| !is_list_functor(f) && f.1 == 0);
        let texts = uses.string || uses.measured && !uses.is_number();
        match (uses.is_number(), lists, atoms || texts, terms) {
            (false, false, false, false) => None,
            (false, false, true, false) if texts => Some(Type::Text(match uses.string {
                true if atoms => TextType::Either,
                true => TextType::String,
                false => TextType::Atom,
            })),
            (true, false, false, false) => Some(uses.number()),
            (false, false, true, false) => Some(Type::Atom),
            (false, true, false, false) => {
                let parts = uses.functors.get(&(CONS.into(), 2));
                let element = parts.map(|parts| self.find(parts[0]));
                if element.is_some_and(|e| e == node || self.is_part_of(node, e)) {
                    // Lists of lists, or trees with lists of subtrees, of arbitrary depth: their lengths alone are not a size metric.
                    return Some(Type::Ground);
                }
                if above.len() >= DEEPEST_LIST || !above.insert(node) {
                    return Some(Type::list(Type::Any));
                }
                let of = element.and_then(|e| self.type_within(e, types, above));
                above.remove(&node);
                Some(Type::list(match element {
                    Some(element) => self.element_type(element, of),
                    None => Type::Any,
                }))
            }
            (_, false, _, true) => {
                let tree = trees::defined_by(self, node, types)
                    .or_else(|| trees::suggested_by(self, node, types, above));
                // The shape is recursive, but not directly in its own arguments: `t(X, Subtrees)`.
                if tree.is_none() && !uses.other && self.recurs_further_down(node) {
                    return Some(Type::Ground);
                }
                Some(tree.map_or(Type::Nonvar, Type::Tree))
            }
            _ => Some(Type::Nonvar),
        }
    }
}

impl Shapes {
    /// Returns the opaque type of a value that a library's predicates build or inspect, whatever else is done with it.
    fn opaque_type(
        &self,
        uses: &ValueUses,
        types: &Regulars,
        above: &mut BTreeSet<ShapeIndex>,
    ) -> Option<Type> {
        let has = |name: &OpaqueName| uses.functors.get(&(opaque_functor(*name), 2));
        let (name, parts) = (OpaqueName::ALL.iter()).find_map(|name| Some((*name, has(name)?)))?;
        let mut content = |at: usize| {
            let part = self.find(*parts.get(at)?);
            if above.len() >= DEEPEST_LIST || !above.insert(part) {
                return None;
            }
            let of = self.type_within(part, types, above);
            above.remove(&part);
            of.filter(|of| *of != Type::Nonvar)
        };
        let (key, value) = (content(0), content(1));
        let opaque = Opaque::new(name, key.unwrap_or(Type::Any), value.unwrap_or(Type::Any));
        Some(Type::Opaque(opaque.into()))
    }
}

/// Returns the name of the functor that represents an opaque type.
fn opaque_functor(name: OpaqueName) -> SmolStr {
    format_smolstr!("\u{0}{}", name.name())
}
