//! Predicates of every textbook, recognised by their clauses: whatever they and their variables are called, in any order, with their arguments in any order.
//!
//! `app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).` is `append/3`. For proper lists it may also be written with unifications in bodies, tests and cuts: then its
//! [normal form](super::normal) is looked at.

use std::cell::{LazyCell, RefCell};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use costlens_program::{Clause, Functor};
use costlens_syntax::read_text;
use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use super::normal::normal;
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
    /// A list, an element, and the list with the element behind it.
    AppendOne,
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

/// A definition of the textbooks: `p`, and `q` where it has a helper.
struct Definition {
    known: Known,
    text: &'static str,
    /// The arguments of `p` that may be taken to be proper lists, so that clauses say the same with tests and cuts.
    lists: &'static [usize],
}

const fn definition(known: Known, lists: &'static [usize], text: &'static str) -> Definition {
    Definition { known, text, lists }
}

/// Texts that programs define them with. For a proper list, and for an unbound second argument where it is an output, each has the answers of the library's
/// predicate, in the same order. Of `permutation/2` each gives all permutations, in some order.
const DEFINITIONS: &[Definition] = &[
    definition(
        Known::Append,
        &[0],
        "p([], L, L). p([X|Xs], L, [X|Ys]) :- p(Xs, L, Ys).",
    ),
    definition(
        Known::AppendOne,
        &[0],
        "p([], X, [X]). p([Y|Xs], X, [Y|Ys]) :- p(Xs, X, Ys).",
    ),
    definition(Known::Member, &[], "p(X, [X|_]). p(X, [_|Xs]) :- p(X, Xs)."),
    definition(
        Known::Length,
        &[0],
        "p([], 0). p([_|Xs], N) :- p(Xs, M), N is M+1.",
    ),
    definition(
        Known::Length,
        &[0],
        "p([], 0). p([_|Xs], N) :- p(Xs, M), N is 1+M.",
    ),
    definition(
        Known::Length,
        &[0],
        "p(Xs, N) :- q(Xs, 0, N). q([], N, N). q([_|Xs], M, N) :- K is M+1, q(Xs, K, N).",
    ),
    definition(
        Known::Length,
        &[0],
        "p(Xs, N) :- q(Xs, 0, N). q([], N, N). q([_|Xs], M, N) :- K is 1+M, q(Xs, K, N).",
    ),
    definition(
        Known::Reverse,
        &[0],
        "p(Xs, Ys) :- q(Xs, [], Ys). q([], Ys, Ys). q([X|Xs], Zs, Ys) :- q(Xs, [X|Zs], Ys).",
    ),
    definition(Known::Last, &[], "p([X], X). p([_|Xs], X) :- p(Xs, X)."),
    definition(
        Known::Last,
        &[],
        "p([X], X). p([_,Y|Xs], X) :- p([Y|Xs], X).",
    ),
    definition(
        Known::Last,
        &[],
        "p([X|Xs], Y) :- q(Xs, X, Y). q([], X, X). q([X|Xs], _, Y) :- q(Xs, X, Y).",
    ),
    definition(
        Known::SumList,
        &[0],
        "p([], 0). p([X|Xs], S) :- p(Xs, T), S is X+T.",
    ),
    definition(
        Known::SumList,
        &[0],
        "p([], 0). p([X|Xs], S) :- p(Xs, T), S is T+X.",
    ),
    definition(
        Known::SumList,
        &[0],
        "p(Xs, S) :- q(Xs, 0, S). q([], S, S). q([X|Xs], T, S) :- R is T+X, q(Xs, R, S).",
    ),
    definition(
        Known::SumList,
        &[0],
        "p(Xs, S) :- q(Xs, 0, S). q([], S, S). q([X|Xs], T, S) :- R is X+T, q(Xs, R, S).",
    ),
    definition(
        Known::MaxList,
        &[],
        "p([X], X). p([X|Xs], M) :- p(Xs, N), M is max(X, N).",
    ),
    definition(
        Known::MaxList,
        &[],
        "p([X|Xs], M) :- q(Xs, X, M). q([], M, M). q([X|Xs], N, M) :- K is max(N, X), q(Xs, K, M).",
    ),
    definition(
        Known::MinList,
        &[],
        "p([X], X). p([X|Xs], M) :- p(Xs, N), M is min(X, N).",
    ),
    definition(
        Known::MinList,
        &[],
        "p([X|Xs], M) :- q(Xs, X, M). q([], M, M). q([X|Xs], N, M) :- K is min(N, X), q(Xs, K, M).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p(L, [X|P]) :- q(X, L, R), p(R, P). q(X, [X|T], T). q(X, [H|T], [H|R]) :- q(X, T, R).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p([H|T], [X|P]) :- q(X, [H|T], R), p(R, P). q(X, [X|T], T). q(X, [H|T], [H|R]) :- q(X, T, R).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p([X|Xs], P) :- p(Xs, Q), q(X, Q, P). q(X, L, [X|L]). q(X, [H|T], [H|R]) :- q(X, T, R).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p([X|Xs], P) :- p(Xs, Q), q(X, P, Q). q(X, [X|T], T). q(X, [H|T], [H|R]) :- q(X, T, R).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p(L, [X|P]) :- select(X, L, R), p(R, P).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p([H|T], [X|P]) :- select(X, [H|T], R), p(R, P).",
    ),
    definition(
        Known::Permutation,
        &[0],
        "p([], []). p([X|Xs], P) :- p(Xs, Q), select(X, P, Q).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- X =< Y, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- Y >= X, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- X @=< Y, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- Y @>= X, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- \\+ X > Y, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- \\+ X > Y, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- \\+ Y < X, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- \\+ Y < X, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- \\+ X @> Y, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- \\+ X @> Y, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([_]). p([X,Y|Xs]) :- \\+ Y @< X, p([Y|Xs]).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- \\+ Y @< X, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- X =< Y, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- Y >= X, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- X @=< Y, q(Ys, Y).",
    ),
    definition(
        Known::Ordered,
        &[0],
        "p([]). p([X|Xs]) :- q(Xs, X). q([], _). q([Y|Ys], X) :- Y @>= X, q(Ys, Y).",
    ),
];

/// A definition with its arguments in some order.
struct Textbook {
    known: Known,
    /// The place of each argument of the library's predicate.
    order: Vec<usize>,
    lists: BTreeSet<usize>,
    clauses: Vec<Clause>,
    helper: Vec<Clause>,
}

static TEXTBOOKS: LazyLock<Vec<Textbook>> =
    LazyLock::new(|| DEFINITIONS.iter().flat_map(textbooks).collect());

/// A definition in all orders of the arguments of `p` and of `q`, that of the library first.
fn textbooks(of: &Definition) -> Vec<Textbook> {
    let file = read_text(of.text);
    let all = file.clauses.iter();
    let all = all.filter_map(|c| Clause::of(&c.terms, c.root));
    let (own, helper): (Vec<_>, Vec<_>) = all.partition(|(functor, _)| functor.name == "p");
    let arity = |clauses: &[(Functor, Clause)]| clauses.first().map_or(0, |(f, _)| f.arity);
    let orders = (orders(arity(&own)), orders(arity(&helper)));
    let clauses = |of: &[(Functor, Clause)], orders: [&[usize]; 2]| {
        let permuted = |(_, clause): &(Functor, Clause)| {
            let clause = permuted(clause, "p", orders[0]);
            permuted(&clause, "q", orders[1])
        };
        of.iter().map(permuted).collect()
    };
    let mut found = Vec::new();
    for order in &orders.0 {
        for of_helper in &orders.1 {
            found.push(Textbook {
                known: of.known,
                lists: of.lists.iter().map(|&i| order[i]).collect(),
                clauses: clauses(&own, [order, of_helper]),
                helper: clauses(&helper, [order, of_helper]),
                order: order.clone(),
            });
        }
    }
    found
}

/// The orders of so many arguments, the usual one first.
fn orders(arity: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..arity {
        let longer = |order: &Vec<usize>| {
            let left: Vec<usize> = (0..arity).filter(|i| !order.contains(i)).collect();
            let with = |i: usize| order.iter().copied().chain([i]).collect();
            left.into_iter().map(with).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}

/// A clause with the arguments of one predicate in another order.
fn permuted(clause: &Clause, name: &str, order: &[usize]) -> Clause {
    let mut terms = (*clause.terms).clone();
    for id in clause.terms.ids() {
        if let Some(args) = clause.terms.matches(id, name, order.len()) {
            let mut moved = args.to_vec();
            for (&to, &argument) in order.iter().zip(args) {
                moved[to] = argument;
            }
            terms.replace(id, name, &moved);
        }
    }
    Clause {
        terms: Arc::new(terms),
        ..clause.clone()
    }
}

/// A predicate that is known by its clauses, or the one of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recognised {
    pub(super) known: Known,
    /// The place of each argument of the library's predicate.
    pub(super) order: Vec<usize>,
    /// True if it is the same for proper lists alone: of others a test or a cut may tell something else.
    pub(super) for_lists: bool,
}

impl Recognised {
    /// The predicate of the library itself.
    pub(super) fn library(known: Known, arity: usize) -> Self {
        Self {
            known,
            order: (0..arity).collect(),
            for_lists: false,
        }
    }

    /// The arguments of a goal, in the order of the library.
    pub(super) fn arguments(&self, terms: &Terms, goal: TermId) -> Vec<TermId> {
        let args = terms.args(goal);
        let in_order = self.order.iter().filter_map(|&i| args.get(i).copied());
        in_order.collect()
    }

    /// True where the arguments stand as in the library, whatever the call is.
    pub(super) fn is_plain(&self) -> bool {
        !self.for_lists && self.order.iter().enumerate().all(|(i, &at)| i == at)
    }
}

/// The predicates around one that is to be recognised.
pub(super) struct Around<'a> {
    /// The clauses of a predicate that runs as they are written.
    pub(super) clauses: &'a dyn Fn(&Functor) -> Option<Vec<Clause>>,
    /// True for a name that means what the library has under it.
    pub(super) is_library: &'a dyn Fn(&Functor) -> bool,
}

/// The predicate of the library that these clauses define. The order of clauses counts for the answers of `member/2` alone: those of the others exclude each other
/// for a list, or only their first answer is ever asked for.
pub(super) fn recognised(
    functor: &Functor,
    clauses: &[Clause],
    around: &Around<'_>,
) -> Option<Recognised> {
    let of_arity = |t: &&Textbook| t.order.len() == functor.arity;
    let normal = LazyCell::new(|| normal(clauses));
    TEXTBOOKS.iter().filter(of_arity).find_map(|textbook| {
        let found = |for_lists| Recognised {
            known: textbook.known,
            order: textbook.order.clone(),
            for_lists,
        };
        if let Some(for_lists) = textbook.defines(functor, clauses, around) {
            return Some(found(for_lists));
        }
        let normal = normal.as_ref()?;
        let fits = normal.lists.is_subset(&textbook.lists);
        let for_lists = (fits.then(|| textbook.defines(functor, &normal.clauses, around)))??;
        Some(found(for_lists || !normal.lists.is_empty()))
    })
}

impl Textbook {
    /// True where its helper is the same for lists alone, false for any call. None where it defines something else.
    fn defines(&self, functor: &Functor, clauses: &[Clause], around: &Around<'_>) -> Option<bool> {
        let helper: RefCell<Option<SmolStr>> = RefCell::new(None);
        // Recursive calls of the predicate are of the name in its place.
        let is_same = |mine: &SmolStr, its: &SmolStr| match its.as_str() {
            "p" => *mine == functor.name,
            "q" => *helper.borrow_mut().get_or_insert_with(|| mine.clone()) == *mine,
            "select" => mine == its && (around.is_library)(&Functor::new("select", 3)),
            _ => mine == its,
        };
        let is_ordered = self.known == Known::Member;
        let defines = are_alike(clauses, &self.clauses, is_ordered, &is_same);
        defines.then_some(())?;
        let Some(first) = self.helper.first() else {
            return Some(false);
        };
        let (name, arity) = (helper.borrow().clone()?, first.terms.args(first.head).len());
        let own = (around.clauses)(&Functor::new(name, arity))?;
        if are_alike(&own, &self.helper, false, &is_same) {
            return Some(false);
        }
        // The lists of a helper are those of the predicate.
        let own = normal(&own).filter(|own| own.lists.is_empty() || !self.lists.is_empty())?;
        are_alike(&own.clauses, &self.helper, false, &is_same).then_some(!own.lists.is_empty())
    }
}

/// True for clauses that are others but for names, in some order if that does not count.
fn are_alike(
    clauses: &[Clause],
    others: &[Clause],
    is_ordered: bool,
    is_same: &dyn Fn(&SmolStr, &SmolStr) -> bool,
) -> bool {
    let alike = |mine: &Clause, its: &Clause| is_alike_but_for(mine, its, is_same);
    let in_order = || (clauses.iter().zip(others)).all(|(mine, its)| alike(mine, its));
    // No clause is like two of them.
    let in_any_order = || {
        others
            .iter()
            .all(|its| clauses.iter().any(|mine| alike(mine, its)))
    };
    clauses.len() == others.len() && (in_order() || (!is_ordered && in_any_order()))
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

    fn of(text: &str) -> Option<Recognised> {
        let file = read_text(text);
        let (functor, _) = Clause::of(&file.clauses[0].terms, file.clauses[0].root).unwrap();
        let all: Vec<(Functor, Clause)> = (file.clauses.iter())
            .map(|c| Clause::of(&c.terms, c.root).unwrap())
            .collect();
        let of = |name: &Functor| {
            let own = all.iter().filter(|(f, _)| f == name);
            let own: Vec<Clause> = own.map(|(_, c)| c.clone()).collect();
            (!own.is_empty()).then_some(own)
        };
        let around = Around {
            clauses: &of,
            is_library: &|name| of(name).is_none(),
        };
        recognised(&functor, &of(&functor).unwrap(), &around)
    }

    /// The one that is the same whatever the call is, with its arguments as in the library.
    fn plain(text: &str) -> Option<Known> {
        of(text).filter(Recognised::is_plain).map(|r| r.known)
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
            assert_eq!(plain(text), expected, "{text}");
        }
    }

    #[test]
    fn in_any_dress_they_are_known_for_lists() {
        for (text, known, order, for_lists) in [
            (
                "a(R, [], R). a([H|R], [H|T], L) :- a(R, T, L).",
                Known::Append,
                vec![1, 2, 0],
                false,
            ),
            (
                "a([], L, L) :- !. a([H|T], L, [H|R]) :- a(T, L, R).",
                Known::Append,
                vec![0, 1, 2],
                true,
            ),
            (
                "a(X, Y, Z) :- ( X = [] -> Z = Y ; X = [H|T], Z = [H|R], a(T, Y, R) ).",
                Known::Append,
                vec![0, 1, 2],
                true,
            ),
            (
                "a(X, Y, Z) :- ( X = [H|T] -> a(T, Y, R), Z = [H|R] ; Z = Y ).",
                Known::Append,
                vec![0, 1, 2],
                true,
            ),
            (
                "a(X, Y, Y) :- X = []. a(X, Y, [H|Z]) :- X = [H|T], a(T, Y, Z).",
                Known::Append,
                vec![0, 1, 2],
                false,
            ),
            (
                "n(L, N) :- m(L, 0, N). m([], N, N). m([_|L], M, N) :- K is M+1, m(L, K, N).",
                Known::Length,
                vec![0, 1],
                false,
            ),
            (
                "s(Xs, X, Ys) :- ( Xs == [] -> Ys = [X] ; Xs = [Y|T], Ys = [Y|R], s(T, X, R) ).",
                Known::AppendOne,
                vec![0, 1, 2],
                true,
            ),
            (
                "perm([], []). perm(L, [X|P]) :- sel(L, X, R), perm(R, P). sel([X|T], X, T). sel([H|T], X, [H|R]) :- sel(T, X, R).",
                Known::Permutation,
                vec![0, 1],
                false,
            ),
            (
                "perm([], []). perm(L, [X|P]) :- select(X, L, R), perm(R, P).",
                Known::Permutation,
                vec![0, 1],
                false,
            ),
            (
                "up([]). up([A|As]) :- up(As, A). up([], _). up([B|Bs], A) :- B >= A, up(Bs, B).",
                Known::Ordered,
                vec![0],
                false,
            ),
        ] {
            let expected = Recognised {
                known,
                order,
                for_lists,
            };
            assert_eq!(of(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_nearly_one_is_none() {
        for text in [
            // The cut leaves out lists that begin with what was found.
            "l([X], X) :- !. l([_,Y|T], X) :- l([Y|T], X), !.",
            "m(X, [X|_]) :- !. m(X, [_|T]) :- m(X, T).",
            "a(X, Y, Z) :- ( X = [a|T] -> a(T, Y, R), Z = [a|R] ; Z = Y ).",
            "a(X, Y, Z) :- ( X = [H|T] -> a(T, Y, R), Z = [H|R] ; Z = X ).",
            "a(X, Y, Z) :- ( Y = [] -> Z = X ; X = [H|T], Z = [H|R], a(T, Y, R) ).",
            "a([], L, L). a([H|T], L, R) :- a(T, L, S), ( H == x -> R = S ; R = [H|S] ).",
            "n(L, N) :- m(L, 1, N). m([], N, N). m([_|L], M, N) :- K is M+1, m(L, K, N).",
            "n(L, N) :- m(L, 0, N). m([], N, N). m([_|L], M, N) :- K is M+2, m(L, K, N).",
            "perm([], []). perm(L, [X|P]) :- sel(L, X, R), perm(R, P). sel([X|T], X, T) :- !. sel([H|T], X, [H|R]) :- sel(T, X, R).",
            "perm([], []). perm(L, [X|P]) :- select(X, L, R), perm(R, P). select(X, [X|T], T).",
            "up([]). up([A|As]) :- up(As, A). up([], _). up([B|Bs], A) :- B >= A, up(Bs, A).",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
