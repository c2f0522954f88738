//! Which pattern a hint speaks of.
#![cfg(test)]

use costlens_ide::host::Host;
use costlens_ide::settings::Settings;

fn hints(text: &str) -> Vec<String> {
    let mut host = Host::new();
    let file = host.open("a.pl", text);
    let hints = host.snapshot().hints(file, &Settings::default()).unwrap();
    hints.into_iter().map(|hint| hint.label).collect()
}

#[test]
fn a_mode_line_without_types_is_told_of_where_it_has_a_bound() {
    let first = "%! first(+Xs, -X) is semidet.\nfirst([X|_], X).\n";
    assert_eq!(hints(first), ["O(1)  ≤ 1"]);
}

#[test]
fn where_a_mode_line_without_types_has_no_bound_the_guess_is_told_of_as_one() {
    let len = "%! len(+Xs, -N) is det.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";
    assert_eq!(hints(len), ["~O(n)  n+1"]);
    // Where no guess helps, the declared calls are what is told of.
    let endless = "%! p(+X) is det.\np(X) :- q(X).\n:- dynamic q/1.\n";
    assert_eq!(hints(endless), ["cost ?"]);
}

#[test]
fn a_type_that_is_declared_is_never_set_aside_for_a_guess() {
    let ground = "%! len(++Xs, -N) is det.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";
    let told = hints(ground);
    assert!(told[0].starts_with("O(n)"), "{told:?}");
}
