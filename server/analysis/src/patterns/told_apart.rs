//! Marks the inputs that clauses distinguish: arguments and list elements that are matched against constants, functors that select a
//! clause, and terminals of a grammar.
//!
//! `bound(inf, _). bound(sup, _). bound(n(N), N).` is called with one of three functors, so a list whose elements are passed to it contains
//! no unbound elements. `noun --> [block].` reads tokens, and tokens that are compared with an atom are atoms. Outputs are not marked,
//! because constants in an output argument of the heads are results.

use costlens_infer::regular::Regulars;
use costlens_infer::types::Type;
use costlens_program::Clause;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::literals::{Grammar, MemberPredicate};
use super::modes::GuessedMode;
use super::shapes::{Hint, ShapeIndex, Shapes};
use super::{MOST_CLAUSES, Member};

/// The maximum depth to which heads are compared.
const DEEPEST: usize = 3;

/// Treats values that are matched only against atoms as atoms: the argument of `piece(x). piece(o).`, and list elements that are matched in
/// the same way.
pub(super) fn constants_alone(shapes: &mut Shapes, arguments: &[ShapeIndex], clauses: &[Clause]) {
    for (argument, &node) in arguments.iter().enumerate() {
        let (mut whole, mut elements) = (Matched::default(), Matched::default());
        for clause in clauses {
            let terms = &*clause.terms;
            let Some(&term) = terms.args(clause.head).get(argument) else {
                return;
            };
            match terms.matches(term, CONS, 2) {
                Some(&[first, _]) => elements.add(terms, first),
                _ => whole.add(terms, term),
            }
        }
        if whole.atoms > 1 && !whole.others && elements.atoms == 0 && !elements.others {
            shapes.hint(node, Hint::Atom);
        }
        if elements.atoms > 1 && !elements.others {
            let element = shapes.element(node);
            shapes.hint(element, Hint::Atom);
        }
    }
}

/// The terms in one argument of a predicate's heads, counted by kind.
#[derive(Default)]
struct Matched {
    atoms: usize,
    others: bool,
}

impl Matched {
    fn add(&mut self, terms: &Terms, t: TermId) {
        match terms.get(t) {
            Term::Atom(name) if name != NIL => self.atoms += 1,
            _ => self.others = true,
        }
    }
}

/// Marks the inputs of a member, and the parts of inputs, that its clauses distinguish.
pub(super) fn mark(
    shapes: &mut Shapes,
    arguments: &[ShapeIndex],
    member: &Member,
    predicate: &MemberPredicate,
    modes: &[GuessedMode],
) {
    let clauses = &member.clauses[..member.clauses.len().min(MOST_CLAUSES)];
    for (argument, &node) in arguments.iter().enumerate() {
        // A table is looked up in any direction.
        if modes[argument] != GuessedMode::In || predicate.fixed[argument].is_some() {
            continue;
        }
        let heads: Option<Vec<(&Terms, TermId)>> = (clauses.iter())
            .map(|clause| {
                let term = *clause.terms.args(clause.head).get(argument)?;
                Some((&*clause.terms, term))
            })
            .collect();
        if let Some(heads) = heads {
            mark_heads(shapes, node, heads);
        }
    }
    if let (Some(Grammar::Reads), [.., text, _]) = (predicate.grammar, arguments) {
        let element = shapes.element(*text);
        if shapes.is_constant(element) {
            shapes.hint(element, Hint::ToldApart);
        }
    }
}

/// Returns the type of the text that a nonterminal reads. If no terminal is a constant, it is known only that a term is built from the
/// token: `committer(C) --> [path(C)]` may also write.
pub(super) fn text_type(shapes: &Shapes, text: ShapeIndex, types: &Regulars) -> Type {
    let Some(Type::List(of)) = shapes.type_of(text, types) else {
        return Type::list(Type::Any);
    };
    let is_told = || {
        shapes
            .elements(text)
            .is_some_and(|e| shapes.uses(e).told_apart)
    };
    Type::list(match *of {
        of @ (Type::Int | Type::Number | Type::Atom | Type::Text(_)) => of,
        Type::Nonvar if is_told() => Type::Nonvar,
        _ => Type::Any,
    })
}

/// Marks the positions in which the heads of several clauses have different functors and no head has a variable.
fn mark_heads(shapes: &mut Shapes, node: ShapeIndex, heads: Vec<(&Terms, TermId)>) {
    let mut open = vec![(node, heads, 0)];
    while let Some((node, heads, depth)) = open.pop() {
        let ends = |&(terms, t): &(&Terms, TermId)| terms.matches(t, NIL, 0).is_some();
        let mut heads = heads;
        // A list is traversed; its end does not distinguish clauses.
        heads.retain(|head| !ends(head));
        let functors: Option<Vec<_>> = (heads.iter())
            .map(|&(terms, t)| match terms.get(t) {
                Term::Atom(_) | Term::Compound(..) => terms.functor(t),
                _ => None,
            })
            .collect();
        let Some([first, others @ ..]) = functors.as_deref() else {
            continue;
        };
        if others.iter().any(|other| other != first) {
            shapes.hint(node, Hint::ToldApart);
        } else if depth < DEEPEST && !others.is_empty() {
            let parts = shapes.parts(node, first.0, first.1);
            for (i, part) in parts.into_iter().enumerate() {
                let inner = heads.iter().map(|&(terms, t)| (terms, terms.args(t)[i]));
                open.push((part, inner.collect(), depth + 1));
            }
        }
    }
}
