//! Values that flow through the arguments of predicates, by unification of shapes: types as in polymorphic type inference
//! (Mycroft & O'Keefe, AI'84), but with any mixture allowed, because Prolog is not typed.
//!
//! `app([],L,L). app([H|T],L,[H|R]) :- app(T,L,R).` gives `app(list(A), list(A), list(A))`: the second argument is a list
//! because it is what the third one ends in. Nothing here is a proof. It only chooses for which calls bounds are shown.

use std::collections::{BTreeMap, BTreeSet};

use costlens_infer::regular::Regulars;
use costlens_infer::types::{DEEPEST_LIST, Text, Type};
use costlens_syntax::term::{CONS, NIL};
use smol_str::SmolStr;

use super::trees;

/// A shape in its [`Shapes`].
pub(super) type Node = usize;

/// A value with more than so many functors is some structure, whichever.
const MOST_FUNCTORS: usize = 32;
/// A scheme with more shapes than this is cut off.
const LARGEST_SCHEME: usize = 64;
/// Shapes of one component; beyond, nothing more is learnt.
const MOST_SHAPES: usize = 60_000;

/// The uses that were seen of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ValueUses {
    /// An integer constant, or what only integers are good for: `X mod 2`.
    pub(super) integer: bool,
    /// Arithmetic reads or makes it.
    pub(super) arithmetic: bool,
    /// A float, or the result of a computation that gives one.
    pub(super) real: bool,
    /// An atom that is not known.
    pub(super) atom: bool,
    /// A string.
    pub(super) string: bool,
    /// An atom or string whose characters matter: `atom_chars(W, Cs)`.
    pub(super) measured: bool,
    /// Anything else without a shape.
    pub(super) other: bool,
    /// Clauses tell such values apart by their functors, so that none is unbound.
    pub(super) told_apart: bool,
    /// Atoms and compounds, with the shapes of their arguments. The tail of a list has the shape of the list.
    pub(super) functors: BTreeMap<(SmolStr, usize), Vec<Node>>,
}

impl ValueUses {
    pub(super) fn is_number(&self) -> bool {
        self.integer || self.arithmetic || self.real
    }

    /// The type of the numbers among the values.
    pub(super) fn number(&self) -> Type {
        if self.real { Type::Number } else { Type::Int }
    }
}

pub(super) fn is_list_functor((name, arity): &(SmolStr, usize)) -> bool {
    matches!((name.as_str(), *arity), (NIL, 0) | (CONS, 2))
}

/// A hint that a use gives of a value, without looking at its parts.
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

/// Shapes under unification.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    parent: Vec<Node>,
    uses: Vec<ValueUses>,
}

/// The shapes of a predicate's arguments, numbered as they are reached from the first argument on, so that equal ones are
/// equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scheme {
    nodes: Vec<ValueUses>,
    arguments: Vec<Node>,
}

impl Shapes {
    /// A shape of which nothing is known.
    pub(super) fn fresh(&mut self) -> Node {
        self.parent.push(self.parent.len());
        self.uses.push(ValueUses::default());
        self.parent.len() - 1
    }

    pub(super) fn is_full(&self) -> bool {
        self.parent.len() >= MOST_SHAPES
    }

    pub(super) fn find(&self, mut node: Node) -> Node {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    pub(super) fn hint(&mut self, node: Node, hint: Hint) {
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

    /// The value may be this atom or compound.
    pub(super) fn functor(&mut self, node: Node, name: &SmolStr, arguments: &[Node]) {
        let node = self.find(node);
        let mut equal = Vec::new();
        self.add_functor(node, (name.clone(), arguments.len()), arguments, &mut equal);
        self.settle(equal);
    }

    /// The elements of a list.
    pub(super) fn element(&mut self, list: Node) -> Node {
        let element = self.fresh();
        let of = self.list_of(element);
        self.unify(list, of);
        element
    }

    /// A list of these elements.
    pub(super) fn list_of(&mut self, element: Node) -> Node {
        let list = self.fresh();
        self.functor(list, &NIL.into(), &[]);
        self.functor(list, &CONS.into(), &[element, list]);
        list
    }

    /// Both are the same values.
    pub(super) fn unify(&mut self, a: Node, b: Node) {
        self.settle(vec![(a, b)]);
    }

    fn settle(&mut self, mut equal: Vec<(Node, Node)>) {
        while let Some((a, b)) = equal.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            // The later one goes, whatever the order of the two.
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
        node: Node,
        functor: (SmolStr, usize),
        arguments: &[Node],
        equal: &mut Vec<(Node, Node)>,
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

    /// The part of these shapes that callers need, without the rest.
    pub(super) fn scheme(&self, arguments: &[Node]) -> Scheme {
        let mut scheme = Scheme::default();
        let mut number: BTreeMap<Node, Node> = BTreeMap::new();
        let mut order: Vec<Node> = Vec::new();
        let mut place = |node: Node, order: &mut Vec<Node>| {
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

    /// A copy of a scheme: its arguments.
    pub(super) fn instance(&mut self, scheme: &Scheme) -> Vec<Node> {
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

    /// A shape for the values of a type.
    pub(super) fn of_type(&mut self, of: &Type) -> Node {
        match of {
            // At most `DEEPEST_LIST` deep.
            Type::List(element) => {
                let element = self.of_type(element);
                self.list_of(element)
            }
            Type::Tree(regular) => trees::shape_of(self, regular),
            other => {
                let node = self.fresh();
                match other {
                    Type::Int => self.hint(node, Hint::Integer),
                    Type::Number => self.hint(node, Hint::Real),
                    Type::Atom => self.hint(node, Hint::Atom),
                    Type::Text(text) => {
                        if *text != Text::String {
                            self.hint(node, Hint::Atom);
                        }
                        if *text != Text::Atom {
                            self.hint(node, Hint::String);
                        }
                    }
                    _ => {}
                }
                node
            }
        }
    }

    pub(super) fn uses(&self, node: Node) -> &ValueUses {
        &self.uses[self.find(node)]
    }

    /// The arguments of a compound term that the value may be.
    pub(super) fn parts(&self, node: Node, name: &str, arity: usize) -> Vec<Node> {
        let of = (self.uses(node).functors.iter()).find(|((n, a), _)| n == name && *a == arity);
        of.map(|(_, parts)| parts.clone()).unwrap_or_default()
    }

    /// The elements of a value that is a list.
    pub(super) fn elements(&self, list: Node) -> Option<Node> {
        self.parts(list, CONS, 2).first().copied()
    }

    /// Tells whether a value is only ever a constant, some atom among them.
    pub(super) fn is_constant(&self, node: Node) -> bool {
        let uses = self.uses(node);
        let mut functors = uses.functors.keys();
        !uses.other && !uses.functors.is_empty() && functors.all(|f| f.1 == 0 && f.0 != NIL)
    }

    /// Forgets that the parts of a value are told apart.
    pub(super) fn forget_told_apart(&mut self, node: Node) {
        let (mut visited, mut open) = (BTreeSet::new(), vec![self.find(node)]);
        while let Some(next) = open.pop() {
            if visited.insert(next) {
                self.uses[next].told_apart = false;
                let inner = self.uses[next].functors.values().flatten();
                open.extend(inner.map(|i| self.find(*i)));
            }
        }
    }

    /// Tells whether clauses tell apart what is inside of a value, not counting its own recursion.
    fn holds_told_apart(&self, node: Node) -> bool {
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

    /// The type of the elements of a list, from the one that their shape suggests.
    fn element_type(&self, element: Node, of: Option<Type>) -> Type {
        let told_apart = self.uses(element).told_apart;
        match of {
            // Some constants among elements: there may be others.
            Some(Type::Atom) if !self.uses(element).atom && !told_apart => Type::Any,
            // The lattice has no other type of terms with parts that are bound.
            Some(Type::Nonvar) if self.holds_told_apart(element) => Type::Ground,
            None if told_apart => Type::Nonvar,
            of => of.unwrap_or(Type::Any),
        }
    }

    /// Tells whether a value of one shape may be inside of a value of another one, at any depth.
    fn is_part_of(&self, part: Node, whole: Node) -> bool {
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

    /// Tells whether a value holds values of its own shape, none of them right among its arguments.
    fn recurs_further_down(&self, node: Node) -> bool {
        let parts = self.uses[node].functors.values().flatten();
        let direct = parts.clone().any(|&part| self.find(part) == node);
        !direct && self.is_part_of(node, node)
    }

    /// The type that a shape suggests for an argument; none where nothing was seen. `types` are those that the file defines.
    pub(super) fn type_of(&self, node: Node, types: &Regulars) -> Option<Type> {
        self.type_within(node, types, &mut BTreeSet::new())
    }

    /// `above`: what this is a part of.
    pub(super) fn type_within(
        &self,
        node: Node,
        types: &Regulars,
        above: &mut BTreeSet<Node>,
    ) -> Option<Type> {
        let node = self.find(node);
        let uses = &self.uses[node];
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
                true if atoms => Text::Either,
                true => Text::String,
                false => Text::Atom,
            })),
            (true, false, false, false) => Some(uses.number()),
            (false, false, true, false) => Some(Type::Atom),
            (false, true, false, false) => {
                let parts = uses.functors.get(&(CONS.into(), 2));
                let element = parts.map(|parts| self.find(parts[0]));
                if element.is_some_and(|e| e == node || self.is_part_of(node, e)) {
                    // Lists of lists, or trees with lists of subtrees, as deep as one likes: no list is measured by its length alone.
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
                // It recurs, but not in its own arguments: `t(X, Subtrees)`.
                if tree.is_none() && !uses.other && self.recurs_further_down(node) {
                    return Some(Type::Ground);
                }
                Some(tree.map_or(Type::Nonvar, Type::Tree))
            }
            _ => Some(Type::Nonvar),
        }
    }
}
