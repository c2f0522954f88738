//! Tests diagnostics for the program itself: undefined predicates, singleton variables, and infinite recursion.

use costlens_ide::settings::Settings;

use crate::with_library;

/// Returns the diagnostics of a text as line numbers, from 1, and rules. The library contains `sum_list/2`.
fn problems(text: &str, settings: &Settings) -> Vec<(usize, &'static str)> {
    let mut host = with_library();
    let file = host.open("a.pl", text);
    let found = host.snapshot().diagnostics(file, settings).unwrap();
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    (found.iter())
        .map(|d| (line(d.range.start), d.rule.id()))
        .collect()
}

fn default_problems(text: &str) -> Vec<(usize, &'static str)> {
    problems(text, &Settings::default())
}

#[test]
fn variables_that_occur_once_are_reported_as_swi_prolog_does() {
    let once = "singleton-variable";
    assert_eq!(default_problems("p(X, Y) :- write(X)."), [(1, once)]);
    assert_eq!(
        default_problems("p(X) :- \\+ q(X, Y).\nq(_, _Z)."),
        [(1, once)]
    );
    assert_eq!(default_problems("p(_, _X, __, X) :- write(X)."), []);
    assert_eq!(default_problems("g(X) --> [Y]."), [(1, once), (1, once)]);
    let off = ":- style_check(-singleton).\np(X).\n:- style_check(+singleton).\nq(X).";
    assert_eq!(default_problems(off), [(4, once)]);
    assert_eq!(
        default_problems("% costlens: ignore[singleton-variable]\np(X)."),
        []
    );
}

#[test]
fn calls_of_what_is_defined_nowhere_are_reported() {
    let undefined = "undefined-predicate";
    assert_eq!(default_problems("p(X) :- q(X)."), [(1, undefined)]);
    assert_eq!(default_problems("p :- maplist(q, [1])."), [(1, undefined)]);
    let declared =
        ":- cost_center r/1.\n:- resource bits.\n:- head_cost(ub, bits, 2).\np(X) :- q(X).";
    assert_eq!(default_problems(declared), [(4, undefined)]);
    for fine in [
        "p(X) :- sum_list([1], X).",
        "p(X) :- '$skip_list'(_, X, _).",
        ":- dynamic q/1.\np(X) :- q(X).",
        "p(X) :- assertz(q(X)), q(X).",
        "p(X) :- current_predicate(q/1), q(X).",
        "p(X) :- m:q(X).",
        // Each of these directives may define predicates.
        ":- use_module(library(record)).\n:- record q(x).\np(X) :- q(X).",
        ":- use_foreign_library(foreign(q)).\np(X) :- q(X).",
        ":- use_module(somewhere).\np(X) :- q(X).",
        ":- include(somewhere).\np(X) :- q(X).",
    ] {
        assert_eq!(default_problems(fine), [], "{fine}");
    }
}

#[test]
fn recursion_without_an_end_is_reported_where_every_call_fails() {
    let never = "never-succeeds";
    assert_eq!(
        default_problems("len([_|Xs], N) :- len(Xs, M), N is M+1."),
        [(1, never)]
    );
    assert_eq!(
        default_problems("len([], 0).\nlen([_|Xs], N) :- len(Xs, M), N is M+1."),
        []
    );
    // A predicate that runs forever may be intended, and so is an explicit `fail`.
    assert_eq!(default_problems("serve :- serve."), []);
    assert_eq!(default_problems("p(X) :- write(X), fail."), []);
}

#[test]
fn a_setting_lists_the_rules_that_are_off() {
    let settings = Settings {
        disabled_rules: vec!["singleton-variable".to_owned()],
        ..Settings::default()
    };
    assert_eq!(
        problems("p(X) :- q.", &settings),
        [(1, "undefined-predicate")]
    );
}
