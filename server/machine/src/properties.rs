//! Compares unification, order and copying on small terms with recursive reference implementations.

use std::cmp::Ordering;

use proptest::prelude::*;

use crate::atoms::Atom;
use crate::cell::Cell;
use crate::store::{Store, View};

/// A small term; variables are numbered.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Var(usize),
    Atom(&'static str),
    Int(i64),
    Float(i64),
    Text(&'static str),
    Node(&'static str, Vec<Tree>),
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        3 => (0..4_usize).prop_map(Tree::Var),
        2 => prop_oneof![Just("a"), Just("b"), Just("[]")].prop_map(Tree::Atom),
        1 => prop_oneof![Just(0), Just(1), Just(i64::MAX), Just(i64::MIN)].prop_map(Tree::Int),
        1 => (0..2_i64).prop_map(Tree::Float),
        1 => prop_oneof![Just("a"), Just("s")].prop_map(Tree::Text),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        (
            prop_oneof![Just("f"), Just("g"), Just("[|]")],
            prop::collection::vec(inner, 1..4),
        )
            .prop_map(|(name, arguments)| Tree::Node(name, arguments))
    })
}

fn build(store: &mut Store, tree: &Tree, variables: &[Cell]) -> Cell {
    match tree {
        Tree::Var(n) => variables[*n],
        Tree::Atom(a) => store.atom(a),
        Tree::Int(n) => store.integer(*n),
        #[allow(clippy::cast_precision_loss)]
        Tree::Float(n) => store.float(*n as f64),
        Tree::Text(s) => store.string(s),
        Tree::Node(name, arguments) => {
            let cells: Vec<Cell> = arguments
                .iter()
                .map(|a| build(store, a, variables))
                .collect();
            let name = store.atoms.intern(name);
            store.compound(name, &cells)
        }
    }
}

fn read(store: &Store, cell: Cell, variables: &[Cell]) -> Tree {
    match store.view(cell) {
        View::Variable(_) => {
            let cell = store.deref(cell);
            Tree::Var(
                variables
                    .iter()
                    .position(|&v| store.deref(v) == cell)
                    .unwrap_or(usize::MAX),
            )
        }
        View::Atom(a) => Tree::Atom(known(store, a)),
        View::Integer(n) => Tree::Int(n),
        View::Big(n) => Tree::Int(n.try_into().unwrap()),
        #[allow(clippy::cast_possible_truncation)]
        View::Float(f) => Tree::Float(f as i64),
        View::String("a") => Tree::Text("a"),
        View::String(_) => Tree::Text("s"),
        View::Rational(_) => unreachable!(),
        View::Compound(name, arity, first) => Tree::Node(
            known(store, name),
            (first..first + arity)
                .map(|i| read(store, store.cell(i), variables))
                .collect(),
        ),
    }
}

fn known(store: &Store, atom: Atom) -> &'static str {
    ["a", "b", "[]", "f", "g", "[|]"]
        .into_iter()
        .find(|t| *t == store.atoms.text(atom))
        .unwrap()
}

type Bindings = Vec<Option<Tree>>;

fn walk<'a>(bindings: &'a Bindings, mut tree: &'a Tree) -> &'a Tree {
    while let Tree::Var(n) = tree
        && let Some(to) = &bindings[*n]
    {
        tree = to;
    }
    tree
}

fn occurs(bindings: &Bindings, variable: usize, tree: &Tree) -> bool {
    match walk(bindings, tree) {
        Tree::Var(n) => *n == variable,
        Tree::Node(_, arguments) => arguments.iter().any(|a| occurs(bindings, variable, a)),
        _ => false,
    }
}

/// Unifies by Robinson's algorithm. Returns `Err` if the terms unify only as infinite terms.
fn unify(bindings: &mut Bindings, a: &Tree, b: &Tree) -> Result<bool, ()> {
    let (a, b) = (walk(bindings, a).clone(), walk(bindings, b).clone());
    match (&a, &b) {
        (Tree::Var(x), Tree::Var(y)) if x == y => Ok(true),
        (Tree::Var(x), t) | (t, Tree::Var(x)) => {
            if occurs(bindings, *x, t) {
                return Err(());
            }
            bindings[*x] = Some(t.clone());
            Ok(true)
        }
        (Tree::Node(f, xs), Tree::Node(g, ys)) => {
            if f != g || xs.len() != ys.len() {
                return Ok(false);
            }
            for (x, y) in xs.iter().zip(ys) {
                if !unify(bindings, x, y)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(a == b),
    }
}

fn resolve(bindings: &Bindings, tree: &Tree) -> Tree {
    match walk(bindings, tree) {
        Tree::Node(name, arguments) => Tree::Node(
            name,
            arguments.iter().map(|a| resolve(bindings, a)).collect(),
        ),
        other => other.clone(),
    }
}

fn rank(tree: &Tree) -> u8 {
    match tree {
        Tree::Var(_) => 0,
        Tree::Int(_) | Tree::Float(_) => 1,
        Tree::Text(_) => 3,
        Tree::Atom(_) => 4,
        Tree::Node(..) => 5,
    }
}

fn order(a: &Tree, b: &Tree) -> Ordering {
    match (a, b) {
        (Tree::Var(x), Tree::Var(y)) => x.cmp(y),
        (Tree::Int(x), Tree::Int(y)) | (Tree::Float(x), Tree::Float(y)) => x.cmp(y),
        (Tree::Int(x), Tree::Float(y)) => x.cmp(y).then(Ordering::Greater),
        (Tree::Float(x), Tree::Int(y)) => x.cmp(y).then(Ordering::Less),
        (Tree::Text(x), Tree::Text(y)) | (Tree::Atom(x), Tree::Atom(y)) => x.cmp(y),
        (Tree::Node(f, xs), Tree::Node(g, ys)) => {
            xs.len().cmp(&ys.len()).then(f.cmp(g)).then_with(|| {
                xs.iter()
                    .zip(ys)
                    .map(|(x, y)| order(x, y))
                    .find(|o| *o != Ordering::Equal)
                    .unwrap_or(Ordering::Equal)
            })
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

fn store_with_variables() -> (Store, Vec<Cell>) {
    let mut store = Store::new(usize::MAX);
    let variables = (0..4).map(|_| store.variable()).collect();
    (store, variables)
}

proptest! {
    #[test]
    fn unification_is_robinsons(a in trees(), b in trees()) {
        let (mut store, variables) = store_with_variables();
        let (x, y) = (build(&mut store, &a, &variables), build(&mut store, &b, &variables));
        let mark = store.mark();
        let unified = store.unify(x, y);
        let mut bindings = vec![None; 4];
        match unify(&mut bindings, &a, &b) {
            Ok(expected) => {
                prop_assert_eq!(unified, expected);
                if unified {
                    // The results agree up to the choice of the representative of two variables.
                    let one = Tree::Node("f", (0..4).map(|n| resolve(&bindings, &Tree::Var(n))).collect());
                    let (mut other, fresh) = store_with_variables();
                    let one = build(&mut other, &one, &fresh);
                    let ours = Tree::Node("f", variables.iter().map(|&v| read(&store, v, &variables)).collect());
                    let ours = build(&mut other, &ours, &fresh);
                    prop_assert!(other.variant(one, ours));
                    prop_assert!(store.identical(x, y));
                }
            }
            // Rational trees may or may not unify; if they unify, the results are equal.
            Err(()) => if unified {
                prop_assert!(store.identical(x, y));
            }
        }
        store.undo_to(mark);
        prop_assert_eq!(read(&store, x, &variables), a);
        prop_assert_eq!(read(&store, y, &variables), b);
    }

    #[test]
    fn order_is_the_standard_one(a in trees(), b in trees()) {
        let (mut store, variables) = store_with_variables();
        let (x, y) = (build(&mut store, &a, &variables), build(&mut store, &b, &variables));
        prop_assert_eq!(store.compare(x, y), order(&a, &b));
        prop_assert_eq!(store.compare(y, x), order(&b, &a));
    }

    #[test]
    fn copies_are_variants_and_apart(a in trees()) {
        let (mut store, variables) = store_with_variables();
        let x = build(&mut store, &a, &variables);
        let copy = store.copy(x);
        prop_assert!(store.variant(x, copy));
        for variable in store.variables(x) {
            prop_assert!(!store.occurs(variable, copy));
        }
        let mark = store.mark();
        for variable in store.variables(copy) {
            let one = Cell::small(1);
            prop_assert!(store.unify(variable, one));
        }
        prop_assert!(store.is_ground(copy));
        prop_assert_eq!(read(&store, x, &variables), a);
        store.undo_to(mark);
    }

    #[test]
    fn terms_go_out_and_come_in(a in trees()) {
        let (mut store, variables) = store_with_variables();
        let x = build(&mut store, &a, &variables);
        let mut terms = costlens_syntax::Terms::default();
        let mut out = variables.clone();
        let root = store.write_out(x, &mut terms, &mut out).unwrap();
        let mut known: Vec<Option<Cell>> = variables.iter().copied().map(Some).collect();
        let back = store.read_in(&terms, root, &mut known);
        prop_assert!(store.identical(x, back));
    }
}

/// Builds `X = f(X, X, …)`, with `depth` nested levels.
fn cyclic(store: &mut Store, depth: usize) -> Cell {
    let f = store.atoms.intern("f");
    let hole = store.variable();
    let mut cell = hole;
    for _ in 0..depth {
        cell = store.compound(f, &[cell, cell]);
    }
    store.bind(hole.address(), cell);
    cell
}

#[test]
fn terms_that_contain_themselves() {
    let mut store = Store::new(usize::MAX);
    let (a, b) = (cyclic(&mut store, 2), cyclic(&mut store, 3));
    assert_eq!(store.compare(a, b), Ordering::Equal);
    assert!(store.unify(a, b));
    assert!(!store.is_acyclic(a));
    assert!(store.is_ground(a));
    let copy = store.copy(a);
    assert!(!store.is_acyclic(copy));
    assert!(store.unify(copy, b));
    assert!(
        store
            .write_out(a, &mut costlens_syntax::Terms::default(), &mut Vec::new())
            .is_none()
    );
    let tail = store.variable();
    let list = store.cons(Cell::small(1), tail);
    store.bind(tail.address(), list);
    let (_, rest) = store.list(list);
    assert!(store.arguments(rest).is_some());
}

#[test]
fn terms_with_exponential_sharing() {
    let mut store = Store::new(usize::MAX);
    let f = store.atoms.intern("f");
    let build = |store: &mut Store| {
        let mut cell = store.variable();
        for _ in 0..200 {
            cell = store.compound(f, &[cell, cell]);
        }
        cell
    };
    let (a, b) = (build(&mut store), build(&mut store));
    assert!(store.is_acyclic(a));
    assert_eq!(store.variables(a).len(), 1);
    let copy = store.copy(a);
    assert_eq!(store.variables(copy).len(), 1);
    assert!(store.variant(a, copy));
    assert!(store.unify(a, b));
    assert!(store.identical(a, b));
}

#[test]
fn a_term_a_million_deep() {
    let mut store = Store::new(usize::MAX);
    let f = store.atoms.intern("f");
    let build = |store: &mut Store| {
        let mut cell = store.variable();
        for _ in 0..1_000_000 {
            cell = store.compound(f, &[cell]);
        }
        cell
    };
    let (a, b) = (build(&mut store), build(&mut store));
    assert!(store.compare(a, b) == Ordering::Less);
    assert!(store.is_acyclic(a));
    let copy = store.copy(a);
    assert!(store.variant(a, copy));
    assert!(store.unify(a, b));
    assert_eq!(store.compare(a, b), Ordering::Equal);
    let mut terms = costlens_syntax::Terms::default();
    let root = store.write_out(a, &mut terms, &mut Vec::new()).unwrap();
    let back = store.read_in(&terms, root, &mut Vec::new());
    assert!(store.variant(a, back));
}
