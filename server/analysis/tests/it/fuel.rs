//! Tests that the fuel of a summary is spent only on its own computation, not on other summaries that are computed first because of it.

use costlens_algebra::work;
use costlens_analysis::queries::{Database, file_report};
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;

/// Callers whose callees were not queried before, a component of several predicates that make calls, a table, a trusted predicate.
const PROGRAM: &str = "
main(L, R) :- sort_all(L, S), even(S), last_of(S, R).
sort_all([], []).
sort_all([X|Xs], S) :- sort_all(Xs, T), insert(X, T, S).
insert(X, [], [X]).
insert(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.
insert(X, [Y|Ys], [Y|Zs]) :- X > Y, insert(X, Ys, Zs).
even([]).
even([_|T]) :- odd(T).
odd([_|T]) :- even(T).
last_of(L, X) :- known(L, X).
last_of([X], X).
last_of([_,Y|T], X) :- last_of([Y|T], X).
:- trust pred known(+L:list, -X) + (steps_ub(length(L)), det).
known(L, X) :- assertz(seen(L)), retract(seen(X)).
";

#[test]
fn who_asks_is_not_charged_for_what_others_compute() {
    let mut all = PROGRAM.to_owned();
    for i in 0..600 {
        all.push_str(&format!("row({i}, {}).\n", i % 7));
    }
    all.push_str("look(K, V) :- row(K, V), V > 3.\n");
    let db = Database::new();
    let file = SourceFile::new(&db, "p.pl".to_owned(), Parsed::new(all), Role::User);
    let before = work::done();
    let report = file_report(&db, file);
    assert_eq!(work::done(), before);
    assert!(report.len() > 7);
}
