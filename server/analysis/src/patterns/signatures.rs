//! Shapes of the values passed through built-ins, for guesses: the marks `values` in the catalogue.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use costlens_catalog::system_predicates;
use costlens_program::Functor;
use costlens_syntax::read_text;
use costlens_syntax::term::{Term, TermId, Terms};

use super::shapes::{Hint, Scheme, ShapeIndex, Shapes};

/// The signature of a built-in.
struct Signature {
    scheme: Scheme,
    /// For each argument, true if it is ground after the built-in succeeds, regardless of the other arguments.
    ground: Vec<bool>,
}

static SIGNATURES: LazyLock<BTreeMap<Functor, Signature>> = LazyLock::new(|| {
    let mut found = BTreeMap::new();
    let stated = || {
        system_predicates()
            .iter()
            .filter_map(|p| Some((p, p.values?)))
    };
    let text: String = (stated().map(|(_, values)| format!("values({values}).\n"))).collect();
    for ((predicate, _), read) in stated().zip(&read_text(&text).clauses) {
        let mut shapes = Shapes::default();
        let arguments = signature(&mut shapes, &read.terms, read.root);
        let scheme = shapes.scheme(&arguments);
        let ground = read.terms.args(read.root).iter();
        let ground = ground.map(|&a| is_ground(&read.terms, a)).collect();
        let signature = Signature { scheme, ground };
        found.insert(Functor::new(predicate.name, predicate.arity), signature);
    }
    found
});

/// Returns the signature of a built-in or well-known library predicate.
pub(super) fn signature_of(functor: &Functor) -> Option<&'static Scheme> {
    SIGNATURES.get(functor).map(|signature| &signature.scheme)
}

/// Returns, for each argument of a built-in, whether it is ground after success. Both arguments of `atom_length/2` are.
pub(super) fn ground_arguments(functor: &Functor) -> &'static [bool] {
    (SIGNATURES.get(functor)).map_or(&[], |signature| &signature.ground)
}

/// Returns whether a written type has only ground values.
fn is_ground(terms: &Terms, written: TermId) -> bool {
    terms
        .subterms(written)
        .into_iter()
        .all(|t| match terms.get(t) {
            Term::Var(_) => false,
            Term::Atom(name) => !matches!(name.as_str(), "any" | "nonvar"),
            _ => true,
        })
}

/// Creates the shapes of the arguments of a signature such as `append(list(A), list(A), list(A))`.
fn signature(shapes: &mut Shapes, terms: &Terms, root: TermId) -> Vec<ShapeIndex> {
    // The arguments of a term have smaller ids than the term.
    let mut nodes: Vec<ShapeIndex> = Vec::with_capacity(terms.len());
    let mut variables: BTreeMap<u32, ShapeIndex> = BTreeMap::new();
    for index in 0..terms.len() {
        let id = TermId(u32::try_from(index).unwrap_or(u32::MAX));
        let arguments: Vec<ShapeIndex> = terms.args(id).iter().map(|a| nodes[a.index()]).collect();
        let node = match terms.get(id) {
            Term::Var(v) => *variables.entry(*v).or_insert_with(|| shapes.fresh()),
            Term::Compound(name, _) if name == "list" && arguments.len() == 1 => {
                shapes.list_of(arguments[0])
            }
            term => {
                let node = shapes.fresh();
                match term {
                    Term::Atom(a) if a == "int" => shapes.hint(node, Hint::Integer),
                    Term::Atom(a) if a == "num" => shapes.hint(node, Hint::Arithmetic),
                    Term::Atom(a) if a == "real" => shapes.hint(node, Hint::Real),
                    Term::Atom(a) if a == "atm" => shapes.hint(node, Hint::Atom),
                    Term::Atom(a) if a == "str" => shapes.hint(node, Hint::String),
                    Term::Atom(a) if a == "text" => shapes.hint(node, Hint::Measured),
                    Term::Atom(a) if a == "nonvar" => shapes.hint(node, Hint::Other),
                    Term::Compound(name, _) if id != root => {
                        shapes.functor(node, name, &arguments);
                    }
                    _ => {}
                }
                node
            }
        };
        nodes.push(node);
    }
    terms.args(root).iter().map(|a| nodes[a.index()]).collect()
}
