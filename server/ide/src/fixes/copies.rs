//! Predicates of every textbook, recognised by their clauses: whatever they and their variables are called, in any order.
//!
//! `app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).` is `append/3`.

use std::sync::LazyLock;

use costlens_program::{Clause, Functor};
use costlens_syntax::read_text;
use smol_str::SmolStr;

use super::renaming::Renaming;

/// A predicate whose meaning is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    Append,
    Reverse,
    Member,
    Length,
    Last,
    Msort,
    Sort,
    ListToSet,
    SumList,
    MaxList,
    MinList,
    Permutation,
    /// The test that integers are in order.
    Ordered,
}

impl Known {
    /// The one that the library has under a name.
    pub(super) fn named(name: &str, arity: usize) -> Option<Self> {
        Some(match (name, arity) {
            ("append", 3) => Known::Append,
            ("reverse", 2) => Known::Reverse,
            ("member", 2) => Known::Member,
            ("length", 2) => Known::Length,
            ("last", 2) => Known::Last,
            ("msort", 2) => Known::Msort,
            ("sort", 2) => Known::Sort,
            ("list_to_set", 2) => Known::ListToSet,
            ("sum_list" | "sumlist", 2) => Known::SumList,
            ("max_list", 2) => Known::MaxList,
            ("min_list", 2) => Known::MinList,
            ("permutation", 2) => Known::Permutation,
            _ => return None,
        })
    }
}

/// Texts that programs define them with. For a proper list, and for an unbound second argument where it is an output, each has the answers of the library's
/// predicate, in the same order.
const TEXTS: &[(Known, &str)] = &[
    (
        Known::Append,
        "p([], L, L). p([X|Xs], L, [X|Ys]) :- p(Xs, L, Ys).",
    ),
    (Known::Member, "p(X, [X|_]). p(X, [_|Xs]) :- p(X, Xs)."),
    (
        Known::Length,
        "p([], 0). p([_|Xs], N) :- p(Xs, M), N is M+1.",
    ),
    (
        Known::Length,
        "p([], 0). p([_|Xs], N) :- p(Xs, M), N is 1+M.",
    ),
    (
        Known::Ordered,
        "p([]). p([_]). p([X,Y|Xs]) :- X =< Y, p([Y|Xs]).",
    ),
    (
        Known::Ordered,
        "p([]). p([_]). p([X,Y|Xs]) :- Y >= X, p([Y|Xs]).",
    ),
    (
        Known::Ordered,
        "p([]). p([_]). p([X,Y|Xs]) :- X @=< Y, p([Y|Xs]).",
    ),
    (
        Known::Ordered,
        "p([]). p([_]). p([X,Y|Xs]) :- Y @>= X, p([Y|Xs]).",
    ),
];

struct Textbook {
    known: Known,
    clauses: Vec<Clause>,
}

static TEXTBOOKS: LazyLock<Vec<Textbook>> = LazyLock::new(|| {
    let read = |&(known, text): &(Known, &str)| {
        let file = read_text(text);
        let clauses = file.clauses.iter();
        let clauses = clauses.filter_map(|c| Some(Clause::of(&c.terms, c.root)?.1));
        Textbook {
            known,
            clauses: clauses.collect(),
        }
    };
    TEXTS.iter().map(read).collect()
});

/// The predicate of the library that these clauses define. The order of clauses counts for the answers of `member/2` alone: those of the others exclude each other
/// for a list.
pub(super) fn recognised(functor: &Functor, clauses: &[Clause]) -> Option<Known> {
    let found = TEXTBOOKS.iter().find(|textbook| {
        let its = &textbook.clauses;
        let alike = |mine: &Clause, its: &Clause| is_alike(mine, &functor.name, its);
        let in_order = || (clauses.iter().zip(its)).all(|(mine, its)| alike(mine, its));
        // No clause is like two of them.
        let in_any_order = || {
            its.iter()
                .all(|its| clauses.iter().any(|mine| alike(mine, its)))
        };
        its.len() == clauses.len()
            && (in_order() || (textbook.known != Known::Member && in_any_order()))
    });
    found.map(|textbook| textbook.known)
}

/// True for a clause that is another one but for names: of its predicate, and of variables one to one.
fn is_alike(clause: &Clause, name: &str, other: &Clause) -> bool {
    // Recursive calls of the predicate are of the name in its place.
    let is_same = |mine: &SmolStr, its: &SmolStr| mine == its || (its == "p" && mine == name);
    is_alike_but_for(clause, other, &is_same)
}

/// True for a clause that is another one but for variables, one to one, and for names that are taken to be the same.
pub(super) fn is_alike_but_for(
    clause: &Clause,
    other: &Clause,
    is_same: &dyn Fn(&SmolStr, &SmolStr) -> bool,
) -> bool {
    if clause.kind != other.kind || clause.grammar_rule || clause.guard.is_some() {
        return false;
    }
    let mut renaming = Renaming::default();
    let parts = [Some((clause.head, other.head)), clause.body.zip(other.body)];
    (clause.body.is_some() == other.body.is_some())
        && (parts.into_iter().flatten())
            .all(|(a, b)| renaming.unite_named((clause, a), (other, b), is_same))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Known> {
        let file = read_text(text);
        let (functor, _) = Clause::of(&file.clauses[0].terms, file.clauses[0].root).unwrap();
        let clauses: Vec<Clause> = (file.clauses.iter())
            .map(|c| Clause::of(&c.terms, c.root).unwrap().1)
            .collect();
        recognised(&functor, &clauses)
    }

    #[test]
    fn textbook_predicates_are_known_by_their_clauses() {
        for (text, expected) in [
            (
                "a([], L, L). a([H|T], L, [H|R]) :- a(T, L, R).",
                Some(Known::Append),
            ),
            (
                "a([H|T], L, [H|R]) :- a(T, L, R). a([], L, L).",
                Some(Known::Append),
            ),
            ("a([H|T], L, [H|R]) :- a(L, T, R). a([], L, L).", None),
            ("a([], L, L). a([H|T], L, [H,H|R]) :- a(T, L, R).", None),
            ("a([], L, L) :- !. a([H|T], L, [H|R]) :- a(T, L, R).", None),
            ("m(X, [X|_]). m(X, [_|T]) :- m(X, T).", Some(Known::Member)),
            ("m(X, [_|T]) :- m(X, T). m(X, [X|_]).", None),
            ("m(X, [Y|_]). m(X, [_|T]) :- m(X, T).", None),
            (
                "l([], 0). l([_|T], N) :- l(T, M), N is M+1.",
                Some(Known::Length),
            ),
            ("l([], 0). l([_|T], N) :- l(T, M), N is M+2.", None),
            ("l([], 0). l([_|T], N) :- k(T, M), N is M+1.", None),
            (
                "s([A,B|C]) :- B >= A, s([B|C]). s([_]). s([]).",
                Some(Known::Ordered),
            ),
            ("s([A,B|C]) :- B > A, s([B|C]). s([_]). s([]).", None),
            ("s([A,B|C]) :- B >= A, s([A|C]). s([_]). s([]).", None),
            ("s([_]). s([_]). s([]).", None),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
