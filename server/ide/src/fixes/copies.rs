//! Recognises textbook predicates by their clauses, regardless of names, clause order, and argument order.
//!
//! `app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).` is `append/3`. For proper lists, the definition may also use unifications in
//! bodies, tests and cuts; then its [normal form](super::normal) is compared.

mod definitions;

use std::cell::{LazyCell, RefCell};

use costlens_program::{Clause, Functor};
use smol_str::SmolStr;

use super::known::{LibraryPredicate, Recognised};
use super::normal::normal;
use super::oriented::oriented;
use super::renaming::Renaming;
pub(super) use definitions::{CopyDefinition, definitions};
use definitions::{TEXTBOOKS, Textbook};

/// The context in which a predicate is recognised.
pub(super) struct RecognitionContext<'a> {
    /// Returns the clauses of a predicate if it runs as written.
    pub(super) clauses: &'a dyn Fn(&Functor) -> Option<Vec<Clause>>,
    /// Returns true for a name that refers to the library predicate.
    pub(super) is_library: &'a dyn Fn(&Functor) -> bool,
}

/// Returns the library predicate that these clauses define. The order of clauses matters only for the answers of `member/2`. For the other
/// predicates, either the clauses exclude each other for a list, or only the first answer is ever used.
pub(super) fn recognised(
    functor: &Functor,
    clauses: &[Clause],
    around: &RecognitionContext<'_>,
) -> Option<Recognised> {
    let of_arity = |t: &&Textbook| t.order.len() == functor.arity;
    let clauses = &*oriented(clauses);
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
    /// Compares clauses with this definition. Returns false if they define the predicate for all calls, and true if they define it only for
    /// lists, because the helper is restricted to lists. Returns `None` if they do not define the predicate.
    fn defines(
        &self,
        functor: &Functor,
        clauses: &[Clause],
        around: &RecognitionContext<'_>,
    ) -> Option<bool> {
        let helper: RefCell<Option<SmolStr>> = RefCell::new(None);
        // A recursive call must have the name of the predicate itself.
        let is_same = |mine: &SmolStr, its: &SmolStr| match its.as_str() {
            "p" => *mine == functor.name,
            "q" => *helper.borrow_mut().get_or_insert_with(|| mine.clone()) == *mine,
            "select" => mine == its && (around.is_library)(&Functor::new("select", 3)),
            _ => mine == its,
        };
        let defines = match self.known {
            LibraryPredicate::Member => are_alike_in_order(clauses, &self.clauses, &is_same),
            _ => are_alike(clauses, &self.clauses, &is_same),
        };
        defines.then_some(())?;
        let Some(first) = self.helper.first() else {
            return Some(false);
        };
        let (name, arity) = (helper.borrow().clone()?, first.terms.args(first.head).len());
        let own = (around.clauses)(&Functor::new(name, arity))?;
        let own = oriented(&own);
        if are_alike(&own, &self.helper, &is_same) {
            return Some(false);
        }
        // The helper's list arguments must be those of the predicate.
        let own = normal(&own).filter(|own| own.lists.is_empty() || !self.lists.is_empty())?;
        are_alike(&own.clauses, &self.helper, &is_same).then_some(!own.lists.is_empty())
    }
}

/// Returns true if two lists of clauses are equal up to names, in any order.
pub(super) fn are_alike(
    clauses: &[Clause],
    others: &[Clause],
    is_same: &dyn Fn(&SmolStr, &SmolStr) -> bool,
) -> bool {
    let alike = |mine: &Clause, its: &Clause| is_alike_but_for(mine, its, is_same);
    // No clause is equal to two of the other clauses.
    let in_any_order = || {
        others
            .iter()
            .all(|its| clauses.iter().any(|mine| alike(mine, its)))
    };
    are_alike_in_order(clauses, others, is_same)
        || (clauses.len() == others.len() && in_any_order())
}

/// Returns true if two lists of clauses are equal up to names, in the same order.
fn are_alike_in_order(
    clauses: &[Clause],
    others: &[Clause],
    is_same: &dyn Fn(&SmolStr, &SmolStr) -> bool,
) -> bool {
    clauses.len() == others.len()
        && (clauses.iter().zip(others)).all(|(mine, its)| is_alike_but_for(mine, its, is_same))
}

/// Returns true if two clauses are equal up to a one-to-one renaming of variables and to predicate names that count as equal.
fn is_alike_but_for(
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
            .all(|(a, b)| renaming.unite_named(clause, a, other, b, is_same))
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    fn recognised_in(text: &str) -> Option<Recognised> {
        let file = read_text(text);
        let (functor, _) = Clause::from_term(&file.clauses[0].terms, file.clauses[0].root).unwrap();
        let all: Vec<(Functor, Clause)> = (file.clauses.iter())
            .map(|c| Clause::from_term(&c.terms, c.root).unwrap())
            .collect();
        let of = |name: &Functor| {
            let own = all.iter().filter(|(f, _)| f == name);
            let own: Vec<Clause> = own.map(|(_, c)| c.clone()).collect();
            (!own.is_empty()).then_some(own)
        };
        let around = RecognitionContext {
            clauses: &of,
            is_library: &|name| of(name).is_none(),
        };
        recognised(&functor, &of(&functor).unwrap(), &around)
    }

    /// Returns the predicate that the clauses define for all calls, with the library's argument order.
    fn plain(text: &str) -> Option<LibraryPredicate> {
        recognised_in(text)
            .filter(Recognised::is_plain)
            .map(|r| r.known)
    }

    #[test]
    fn textbook_predicates_are_known_by_their_clauses() {
        for (text, expected) in [
            (
                "a([], L, L). a([H|T], L, [H|R]) :- a(T, L, R).",
                Some(LibraryPredicate::Append),
            ),
            (
                "a([H|T], L, [H|R]) :- a(T, L, R). a([], L, L).",
                Some(LibraryPredicate::Append),
            ),
            ("a([H|T], L, [H|R]) :- a(L, T, R). a([], L, L).", None),
            ("a([], L, L). a([H|T], L, [H,H|R]) :- a(T, L, R).", None),
            ("a([], L, L) :- !. a([H|T], L, [H|R]) :- a(T, L, R).", None),
            (
                "m(X, [X|_]). m(X, [_|T]) :- m(X, T).",
                Some(LibraryPredicate::Member),
            ),
            ("m(X, [_|T]) :- m(X, T). m(X, [X|_]).", None),
            ("m(X, [Y|_]). m(X, [_|T]) :- m(X, T).", None),
            (
                "l([], 0). l([_|T], N) :- l(T, M), N is M+1.",
                Some(LibraryPredicate::Length),
            ),
            (
                "l([], 0). l([_|T], N) :- l(T, M), N is 1+M.",
                Some(LibraryPredicate::Length),
            ),
            (
                "s([], 0). s([X|T], N) :- s(T, M), N is M+X.",
                Some(LibraryPredicate::SumList),
            ),
            (
                "s([A,B|C]) :- \\+ A @> B, s([B|C]). s([_]). s([]).",
                Some(LibraryPredicate::Ordered),
            ),
            ("s([A,B|C]) :- \\+ A >= B, s([B|C]). s([_]). s([]).", None),
            ("l([], 0). l([_|T], N) :- l(T, M), N is M+2.", None),
            ("l([], 0). l([_|T], N) :- k(T, M), N is M+1.", None),
            (
                "s([A,B|C]) :- B >= A, s([B|C]). s([_]). s([]).",
                Some(LibraryPredicate::Ordered),
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
                LibraryPredicate::Append,
                vec![1, 2, 0],
                false,
            ),
            (
                "a([], L, L) :- !. a([H|T], L, [H|R]) :- a(T, L, R).",
                LibraryPredicate::Append,
                vec![0, 1, 2],
                true,
            ),
            (
                "a(X, Y, Z) :- ( X = [] -> Z = Y ; X = [H|T], Z = [H|R], a(T, Y, R) ).",
                LibraryPredicate::Append,
                vec![0, 1, 2],
                true,
            ),
            (
                "a(X, Y, Z) :- ( X = [H|T] -> a(T, Y, R), Z = [H|R] ; Z = Y ).",
                LibraryPredicate::Append,
                vec![0, 1, 2],
                true,
            ),
            (
                "a(X, Y, Y) :- X = []. a(X, Y, [H|Z]) :- X = [H|T], a(T, Y, Z).",
                LibraryPredicate::Append,
                vec![0, 1, 2],
                false,
            ),
            (
                "n(L, N) :- m(L, 0, N). m([], N, N). m([_|L], M, N) :- K is M+1, m(L, K, N).",
                LibraryPredicate::Length,
                vec![0, 1],
                false,
            ),
            (
                "s(Xs, X, Ys) :- ( Xs == [] -> Ys = [X] ; Xs = [Y|T], Ys = [Y|R], s(T, X, R) ).",
                LibraryPredicate::AppendOne,
                vec![0, 1, 2],
                true,
            ),
            (
                "perm([], []). perm(L, [X|P]) :- sel(L, X, R), perm(R, P). sel([X|T], X, T). sel([H|T], X, [H|R]) :- sel(T, X, R).",
                LibraryPredicate::Permutation,
                vec![0, 1],
                false,
            ),
            (
                "perm([], []). perm(L, [X|P]) :- select(X, L, R), perm(R, P).",
                LibraryPredicate::Permutation,
                vec![0, 1],
                false,
            ),
            (
                "up([]). up([A|As]) :- up(As, A). up([], _). up([B|Bs], A) :- B >= A, up(Bs, B).",
                LibraryPredicate::Ordered,
                vec![0],
                false,
            ),
        ] {
            let expected = Recognised {
                known,
                order,
                for_lists,
            };
            assert_eq!(recognised_in(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_nearly_one_is_none() {
        for text in [
            // The cut excludes lists that start with the element found.
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
            assert_eq!(recognised_in(text), None, "{text}");
        }
    }
}
