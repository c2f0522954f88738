//! Effects with a reach: a directive or a hook that changes how clauses are read or run, and the predicates that it leaves alone.

use crate::program;

use program::{bounds, exactly, folder, unknown};

/// A predicate that no effect reaches.
const LENGTH: &str = "len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";

/// Texts before `len/2`, which they leave alone.
const ELSEWHERE: [&str; 17] = [
    ":- user:op(1100, xfy, <--).\n",
    ":- format_predicate(v, show(_, _)).\nshow(_, X) :- print(X).\n",
    ":- multifile user:prolog_exception_hook/4.\nuser:prolog_exception_hook(_, _, _, _) :- print_message(error, m), fail.\n",
    ":- M = store, dynamic(M:item/2).\nitem(a, b).\n",
    ":- multifile M:map/3.\n",
    ":- use_module(library(plunit)).\n:- begin_tests(t).\n:- set_prolog_flag(double_quotes, chars).\n:- op(700, xfx, ===>).\ntest(a, X == \"a\") :- s(X), _ = (a ===> b).\n:- end_tests(t).\ns(\"a\").\n",
    ":- current_prolog_flag(home, H), atom_length(H, _).\n",
    ":- wrap_predicate(u, log, W, (writeln(x), W)).\nu.\n",
    "log(P) :- wrap_predicate(P, log, W, (writeln(x), W)).\n",
    ":- redefine_system_predicate(atom_length(_, _)).\natom_length(_, 1).\n",
    ":- prolog_listen(u/0, changed).\nu.\n",
    ":- L = [u/0], dynamic(L).\nu.\n",
    ":- forall(member(N, [u]), dynamic(N/0)).\nu.\n",
    ":- ( true -> set_prolog_flag(double_quotes, codes) ; true ).\ns(\"a\").\n",
    ":- G = op(700, xfx, ===>), call(G).\ns(a ===> b).\n",
    ":- expects_dialect(sicstus4).\n:- block w(-).\nw(_).\n",
    ":- if(current_predicate(swish:trace/0)).\n:- multifile user:goal_expansion/2.\nuser:goal_expansion(G0, G) :- swish:expand(G0, G).\n:- endif.\n",
];

#[test]
fn predicates_outside_the_reach_of_an_effect_keep_their_bounds() {
    for text in ELSEWHERE {
        let alone = folder(&[("main.pl", &*format!("{text}{LENGTH}"))]);
        let found = bounds(alone.path(), &["main.pl"], "len/2");
        assert_eq!(found.upper, "n+1", "{text}: {found:?}");
    }
}

#[test]
fn predicates_within_the_reach_of_an_effect_have_none() {
    for (text, reason) in [
        (
            ":- format_predicate(v, show(_, _)).\nt :- format(\"~v\", [x]).\n",
            "changes a predicate that it calls",
        ),
        (
            ":- format_predicate(v, show(_, _)).\nt :- f(F), format(F, [x]).\nf(\"~v\").\n",
            "changes a predicate that it calls",
        ),
        (
            ":- format_predicate(v, show(_, _)).\nt :- maplist(format(\"~`-30|~v\"), [[x]]).\n",
            "changes a predicate that it calls",
        ),
        (":- M = store, dynamic(M:t/0).\nt.\n", "it is dynamic"),
        (
            ":- wrap_predicate(m:t, log, W, (writeln(x), W)).\nt.\n",
            "changes how calls of it run",
        ),
        (
            ":- redefine_system_predicate(atom_length(_, _)).\natom_length(_, 1).\nt :- atom_length(abc, _).\n",
            "changes a predicate that it calls",
        ),
        (
            ":- L = [t/0], dynamic(L).\nt.\n",
            "changes how calls of it run",
        ),
        (
            ":- names(Ns), forall(member(N, Ns), dynamic(N/0)).\nnames([t]).\nt.\n",
            "changes how calls of it run",
        ),
        (
            ":- ( true -> set_prolog_flag(double_quotes, codes) ; true ).\nt :- u(\"abc\").\nu([_|_]).\n",
            "changes how its clauses are read",
        ),
        (
            ":- G = op(700, xfx, ===>), call(G).\nt :- u('===>'(a, b)).\nu(_).\n",
            "changes how its clauses are read",
        ),
        (
            ":- set_prolog_flag(prefer_rationals, true).\nt :- X is 1/2, u(X).\nu(0.5).\n",
            "changes a predicate that it calls",
        ),
        (
            ":- expects_dialect(sicstus4).\n:- block t(-).\nt(_).\nt :- t(_).\n",
            "changes how calls of it run",
        ),
    ] {
        let alone = folder(&[("main.pl", text)]);
        let found = bounds(alone.path(), &["main.pl"], "t/0");
        unknown(&found, reason);
    }
}

#[test]
fn an_operator_for_a_module_is_one_of_the_file() {
    let text = ":- module(m, []).\n:- user:op(700, xfx, <--).\nt :- X = (a <-- b), u(X).\nu(_).\n";
    let alone = folder(&[("main.pl", text)]);
    exactly(&bounds(alone.path(), &["main.pl"], "t/0"), "2");
}

#[test]
fn a_unit_of_tests_has_its_own_quotes_and_operators() {
    let text = ":- begin_tests(u).\n:- set_prolog_flag(double_quotes, chars).\n:- op(700, xfx, ===>).\nv(\"ab\", a ===> b).\n:- end_tests(u).\nt :- w(\"ab\").\nw(S) :- string(S).\n";
    let alone = folder(&[("main.pl", text)]);
    exactly(&bounds(alone.path(), &["main.pl"], "t/0"), "2");
    let after = folder(&[("main.pl", &*format!("{text}p :- w(a ===> b).\np.\n"))]);
    let found = bounds(after.path(), &["main.pl"], "p/0");
    unknown(&found, "could not be read");
}
