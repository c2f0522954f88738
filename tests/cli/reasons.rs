//! Reasons state what is missing, in the user's names, and advice that was followed is not given again.

use serde_json::Value;

use crate::project::{folder, run};

/// The report about a predicate, under its first pattern.
struct Said {
    pattern: Value,
}

impl Said {
    /// Returns the report of `bounds` about a predicate of `main.pl`, the only file unless others are given.
    fn read(files: &[(&str, &str)], arguments: &[&str], predicate: &str) -> Self {
        let folder = folder(files);
        let all = [&["bounds", "--format", "json", "main.pl"], arguments].concat();
        let out = run(folder.path(), &all);
        let document: Value =
            serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
        let (name, arity) = predicate.rsplit_once('/').unwrap();
        let mut all = document["predicates"].as_array().unwrap().iter();
        let found = all.find(|p| p["name"] == name && p["arity"].as_u64() == arity.parse().ok());
        let found = found.unwrap_or_else(|| panic!("no {predicate} in {document}"));
        Said {
            pattern: found["patterns"][0].clone(),
        }
    }

    fn in_program(program: &str, predicate: &str) -> Self {
        Self::read(&[("main.pl", program)], &["--no-library"], predicate)
    }

    fn first(&self, field: &str) -> &str {
        let known = |of: &str| self.pattern[of][0][field].as_str();
        (known("unknown").or_else(|| known("parameters"))).unwrap_or_default()
    }

    /// Returns all reasons and all advice.
    fn everything(&self) -> String {
        format!("{}{}", self.pattern["unknown"], self.pattern["parameters"])
    }

    fn is_bounded(&self) -> bool {
        !self.pattern["bounds"]["steps"]["upper"].is_null()
    }

    fn call(&self) -> String {
        format!("{} {}", self.pattern["modes"], self.pattern["types"])
    }
}

fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part} is not in: {text}");
}

fn lacks(text: &str, part: &str) {
    assert!(!text.contains(part), "{part} is in: {text}");
}

#[test]
fn a_predicate_without_arguments_is_not_told_that_they_are_unbound() {
    let said = Said::in_program(
        ":- dynamic counter/1.\ncounter(5).\n\
         step :- retract(counter(N)), N > 0, M is N-1, assertz(counter(M)), step.\nstep.\n",
        "step/0",
    );
    contains(
        said.first("reason"),
        "the clauses of the dynamic `counter/1`",
    );
    lacks(&said.everything(), "unbound");
    lacks(&said.everything(), "%! step");
    let said = Said::in_program("tick :- nb_getval(n, N), N > 0, tick.\ntick.\n", "tick/0");
    contains(said.first("reason"), "no argument that could get smaller");
    lacks(&said.everything(), "unbound");
}

/// One of two mutually recursive predicates reads.
#[test]
fn a_loop_of_two_predicates_ends_by_what_either_reads() {
    let said = Said::in_program(
        ":- dynamic job/1.\nserve :- retract(job(J)), work(J).\nserve.\nwork(J) :- write(J), serve.\n",
        "serve/0",
    );
    lacks(&said.everything(), "unbound");
}

#[test]
fn a_sum_over_sublists_is_no_recursion_without_an_end() {
    let said = Said::in_program(
        "pick([], [], []).\npick([X|Xs], [X|A], R) :- pick(Xs, A, R).\npick([X|Xs], A, [X|R]) :- pick(Xs, A, R).\n\
         %! g(+Xs:list(int), -Gs)\ng([], []).\ng([X|Xs], [[X|A]|Gs]) :- pick(Xs, A, Rest), g(Rest, Gs).\n",
        "g/2",
    );
    contains(said.first("reason"), "once for each solution of `pick/3`");
    contains(said.first("reason"), "a smaller argument 1");
    lacks(&said.everything(), "no argument is known to get smaller");
}

#[test]
fn a_search_that_repeats_the_rest_names_what_repeats_it() {
    let said = Said::in_program(
        "%! look(+Ks:list(int), +Db:list(int))\nlook([], _).\nlook([K|Ks], Db) :- member(K, Db), look(Ks, Db).\n",
        "look/2",
    );
    contains(
        said.first("reason"),
        "once for each solution of `member/2`, of which there may be m",
    );
    contains(said.first("help"), "`memberchk/2`");
    let followed = Said::in_program(
        "%! look(+Ks:list(int), +Db:list(int))\nlook([], _).\nlook([K|Ks], Db) :- memberchk(K, Db), look(Ks, Db).\n",
        "look/2",
    );
    assert!(followed.is_bounded(), "{}", followed.everything());
}

#[test]
fn a_coin_that_may_be_nothing_is_named_and_one_that_is_not_is_not() {
    let change = |guard: &str| {
        Said::in_program(
            &format!(
                "%! cc(+N:int, +Cs:list(int), -K)\ncc(0, _, 1) :- !.\ncc(N, _, 0) :- N < 0, !.\ncc(_, [], 0) :- !.\n\
                 cc(N, [C|Cs], K) :- {guard}M is N-C, cc(M, [C|Cs], K1), cc(N, Cs, K2), K is K1+K2.\n"
            ),
            "cc/3",
        )
    };
    let said = change("");
    contains(
        said.first("reason"),
        "argument 1 of this call to `cc/3` is lowered by a number that is not known to be above 0",
    );
    contains(said.first("help"), "Test before the subtraction");
    let guarded = change("C > 0, ");
    lacks(&guarded.everything(), "above 0");
    contains(
        guarded.first("reason"),
        "lowered by a part of argument 2, and a bound cannot depend on the value of that part",
    );
    // The guard helps where the number is no part of an argument.
    let steps = |guard: &str| {
        Said::in_program(
            &format!(
                "%! d(+N:int)\nd(N) :- N > 0, step(S), {guard}M is N-S, d(M).\nd(0).\nstep(1). step(2). step(3). step(4). step(5). step(6). step(7). step(8). step(9).\n"
            ),
            "d/1",
        )
    };
    contains(steps("").first("help"), "Test before the subtraction");
    assert!(steps("S > 0, ").is_bounded());
}

#[test]
fn nothing_of_a_library_is_to_be_defined_by_the_user() {
    let library = [
        ("lib/INDEX.pl", "index((load_rows), 2, csvish, csvish).\n"),
        (
            "lib/csvish.pl",
            ":- module(csvish, [load_rows/2]).\nload_rows(F, Rs) :- load_rows(F, Rs, []).\n\
             load_rows(F, Rs, O) :- make_csvish_options(O, P, _), rows(F, Rs, P).\nrows(_, [], _).\n",
        ),
        (
            "main.pl",
            ":- use_module(library(csvish)).\nb(F, Rs) :- load_rows(F, Rs).\n",
        ),
    ];
    let said = Said::read(&library, &["--library", "lib"], "b/2");
    contains(
        said.first("reason"),
        "the library predicate `load_rows/2` needs `make_csvish_options/3`; nothing is known about that predicate",
    );
    lacks(&said.everything(), "Define");
}

#[test]
fn advice_that_was_followed_is_not_given_again() {
    let heap = |lines: &str| {
        format!(
            "{lines}delete_min(t(_, X, L, R), X, H) :- merge(L, R, H).\n\
             merge(e, H, H) :- !.\nmerge(H, e, H) :- !.\n\
             merge(t(_, X, A1, B1), t(R2, Y, A2, B2), H) :- X =< Y, !, merge(B1, t(R2, Y, A2, B2), B), make(X, A1, B, H).\n\
             merge(t(R1, X, A1, B1), t(_, Y, A2, B2), H) :- merge(t(R1, X, A1, B1), B2, B), make(Y, A2, B, H).\n\
             make(X, A, B, t(1, X, A, B)).\n"
        )
    };
    let said = Said::in_program(&heap(""), "delete_min/3");
    contains(said.first("reason"), "its argument 1 may be unbound");
    contains(said.first("help"), "delete_min");
    lacks(said.first("help"), "%! merge");
    let followed = Said::in_program(&heap("%! delete_min(+H:ground, -X, -H1)\n"), "delete_min/3");
    assert!(followed.is_bounded(), "{}", followed.everything());
}

/// The length of the list is unknown; argument 3 is larger in each call, but that is not the reason for the missing bound.
#[test]
fn a_list_of_unknown_length_is_named() {
    let said = Said::in_program(
        "main :- current_prolog_flag(argv, Argv), run(Argv, 0, 1, [], _).\n\
         run([A|As], N, I, Acc, R) :- atom_number(A, X), M is N+X, J is I+1, run(As, M, J, [X|Acc], R).\n\
         run([], N, _, _, N).\n",
        "main/0",
    );
    contains(&said.everything(), "argument 1");
    contains(&said.everything(), "length of that list is not known");
    lacks(&said.everything(), "larger argument");
}

#[test]
fn what_only_newer_versions_have_is_defined_nowhere() {
    let files = [
        ("lib/INDEX.pl", "index((foldl), 4, apply, apply).\n"),
        (
            "lib/apply.pl",
            ":- module(apply, [foldl/4]).\nfoldl(_, [], A, A).\n",
        ),
        (
            "main.pl",
            "s(Xs, S) :- foldr(add, Xs, 0, S).\nadd(X, A, B) :- B is A+X.\n",
        ),
    ];
    let said = Said::read(&files, &["--library", "lib"], "s/2");
    contains(said.first("reason"), "`foldr/4` is defined nowhere");
    lacks(&said.everything(), "closure");
}

#[test]
fn nonterminals_are_named_as_such() {
    let program = "a --> nosuch, a.\na --> [].\nb --> nosuch(1), { other(x, y) }, b.\nb --> [].\nc --> call(d, 1), ( nothere ; [] ).\n";
    let said = Said::in_program(program, "a/2");
    contains(said.first("reason"), "`nosuch//0` is not defined");
    contains(said.first("help"), "Define `nosuch//0`");
    assert_eq!(
        said.pattern["unknown"].as_array().unwrap().len(),
        1,
        "{}",
        said.everything()
    );
    let said = Said::in_program(program, "b/2");
    contains(&said.everything(), "`nosuch//1`");
    contains(&said.everything(), "`other/2`");
    contains(
        &Said::in_program(program, "c/2").everything(),
        "`nothere//0`",
    );
}

#[test]
fn a_guess_under_which_every_call_raises_is_not_taken() {
    for goal in [
        "read_file_to_codes(F, Cs, [])",
        "read_file_to_terms(F, Cs, [])",
        "read_file_to_string(F, Cs, [])",
    ] {
        let said = Said::in_program(
            &format!(":- use_module(library(readutil)).\nm(F, Cs) :- {goal}.\n"),
            "m/2",
        );
        contains(&said.call(), "\"+\"");
    }
}

/// The predicate searches for digits; a caller, a query or a directive passes a variable.
#[test]
fn a_list_to_be_filled_is_no_list_of_integers() {
    let digits = "digit(D) :- member(D, [0,1,2,3,4,5,6,7,8,9]).\n\
                  digits([]).\ndigits([D|Ds]) :- digit(D), digits(Ds).\n";
    let said = Said::in_program(digits, "digits/1");
    contains(&said.call(), "list(any)");
    let sum = format!("{digits}sum([A,B,C]) :- digits([A,B,C]), A+B =:= C.\n");
    let said = Said::in_program(&sum, "sum/1");
    contains(&said.call(), "-");
    lacks(&said.call(), "list");
    let facts = "digit(0). digit(1). digit(2).\nall([]).\nall([D|Ds]) :- digit(D), all(Ds).\nsum(A, B, C) :- Vs = [A,B,C], all(Vs), A+B =:= C.\n";
    let said = Said::in_program(facts, "sum/3");
    lacks(&said.call(), "int");
    for evidence in [
        "main :- solve(Ds), write(Ds).\n",
        "% ?- solve(Ds).\n",
        "/** <examples>\n?- solve(Ds).\n*/\n",
        "?- solve(Ds), write(Ds).\n",
    ] {
        let program =
            format!("{digits}solve(Ds) :- Ds = [_,_,_], digits(Ds), sum_list(Ds, 20).\n{evidence}");
        let said = Said::in_program(&program, "solve/1");
        lacks(&said.call(), "+");
    }
    // A list that is only inspected is not one to be filled.
    let said = Said::in_program("ok([]).\nok([D|Ds]) :- D > 0, ok(Ds).\n", "ok/1");
    contains(&said.call(), "list(int)");
}

/// A goal that succeeds once or raises is followed by either its continuation or the recovery, not by both.
#[test]
fn one_solution_or_an_exception_is_one_way_on() {
    let said = Said::in_program(
        "%! w(+Xs:list(int))\nw([]).\nw([X|Xs]) :- catch(ok(X), _, true), w(Xs).\nok(X) :- X > 0, !.\nok(X) :- throw(bad(X)).\n",
        "w/1",
    );
    let upper = &said.pattern["bounds"]["steps"]["upper"];
    contains(&upper.to_string(), "n");
    lacks(&upper.to_string(), "2^");
    // The second clause raises after the first one has succeeded, so the recovery is a second path.
    let said = Said::in_program(
        "%! w(+Xs:list(int))\nw([]).\nw([X|Xs]) :- catch(ok(X), _, true), w(Xs).\nok(X) :- integer(X).\nok(X) :- throw(bad(X)).\n",
        "w/1",
    );
    contains(&said.pattern["bounds"]["steps"]["upper"].to_string(), "2^");
    // The same for a disjunction inside of one clause.
    let said = Said::in_program(
        "%! w(+Xs:list(int))\nw([]).\nw([X|Xs]) :- catch(ok(X), _, true), w(Xs).\nok(X) :- ( integer(X) ; throw(bad(X)) ).\n",
        "w/1",
    );
    contains(&said.pattern["bounds"]["steps"]["upper"].to_string(), "2^");
}

fn text_of(program: &str) -> String {
    let folder = folder(&[("main.pl", program)]);
    let out = run(folder.path(), &["bounds", "--no-library", "main.pl"]);
    String::from_utf8(out.stdout).unwrap()
}

const CHOOSE: &str = "%! choose(+N:int, +K:int, -C)\nchoose(_, 0, 1) :- !.\nchoose(N, N, 1) :- !.\n\
     choose(N, K, C) :- N > 0, K > 0, M is N-1, L is K-1, choose(M, L, A), choose(M, K, B), C is A+B.\n";

#[test]
fn what_grows_exponentially_for_some_ratio_of_sizes_is_not_loose() {
    lacks(&text_of(CHOOSE), "may be loose");
    // Ten digits at each place: the third size takes more steps than a run may.
    lacks(
        &text_of(
            "%! digits(+Ds:list(any))\ndigits([]).\ndigits([D|Ds]) :- member(D, [0,1,2,3,4,5,6,7,8,9]), digits(Ds).\n",
        ),
        "may be loose",
    );
}

#[test]
fn an_exponential_bound_of_what_is_linear_is_marked_for_every_resource() {
    // The mutual exclusion of two alternatives is not detected.
    let program = "%! codes(-Cs:list(int), +L:list(int), -R)\ncode(C) --> letter(C).\ncode(0'_) --> [0'_].\n\
         letter(C) --> [C], { C >= 0'a, C =< 0'z }.\ncodes([]) --> [].\ncodes([C|Cs]) --> code(C), codes(Cs).\n";
    let steps = text_of(program);
    let is_linear = steps
        .lines()
        .any(|l| l.contains("codes") && l.contains("O(n)"));
    if !is_linear {
        contains(&steps, "may be loose");
        let folder = folder(&[("main.pl", program)]);
        let out = run(
            folder.path(),
            &["bounds", "--no-library", "--resource", "time", "main.pl"],
        );
        contains(&String::from_utf8(out.stdout).unwrap(), "may be loose");
    }
}

#[test]
fn a_predicate_of_a_library_is_not_to_be_defined() {
    let files = [
        (
            "lib/INDEX.pl",
            "index((sock), 1, sockish, sockish).\nindex((sock_late), 1, late, late).\n",
        ),
        (
            "lib/sockish.pl",
            ":- module(sockish, [sock/1]).\n:- use_foreign_library(foreign(sockish)).\n",
        ),
        (
            "lib/late.pl",
            ":- module(late, [sock_late/1]).\n:- use_foreign_library(foreign(late)).\n",
        ),
        (
            "main.pl",
            ":- use_module(library(sockish)).\ns(S) :- sock(S).\nt(S) :- sock_late(S).\nu(S) :- sock_never(S).\n",
        ),
    ];
    let of = |predicate: &str| Said::read(&files, &["--library", "lib"], predicate);
    let said = of("s/1");
    contains(
        said.first("reason"),
        "`sock/1` of `library(sockish)` is not written in Prolog, and nothing is known about its cost",
    );
    contains(said.first("help"), "`trust` assertion");
    lacks(&said.everything(), "Define");
    let said = of("t/1");
    contains(said.first("reason"), "`sock_late/1` of `library(late)`");
    lacks(&said.everything(), "Define");
    contains(of("u/1").first("help"), "Define `sock_never/1`");
}

#[test]
fn what_is_declared_to_be_bound_is_not_said_to_be_unbound() {
    let said = |program: &str, predicate: &str| {
        let said = Said::in_program(program, predicate);
        lacks(&said.everything(), "unbound");
        lacks(&said.everything(), "Declare");
        said
    };
    let strings = said(
        "%! a(+S:string) is semidet.\na(S) :- string_concat(\" \", T, S), !, a(T).\na(_).\n",
        "a/1",
    );
    contains(
        strings.first("reason"),
        "`a/1` calls itself with what `string_concat/3` gives as argument 1, which is not known to be smaller",
    );
    contains(strings.first("help"), "state what `a/1` costs");
    let parts = said(
        "%! b(+T:ground) is semidet.\nb(T) :- compound(T), !, forall(arg(_, T, A), b(A)).\nb(_).\n",
        "b/1",
    );
    contains(parts.first("reason"), "what `arg/3` gives");
    said(
        "%! c(+T:ground) is semidet.\nc(T) :- ( compound(T) -> compound_name_arguments(T, _, As), maplist(c, As) ; true ).\n",
        "c/1",
    );
    let rest = said(
        "%! d(+L:list(any)) is semidet.\nd(L) :- append(I, [_], L), !, d(I).\nd([]).\n",
        "d/1",
    );
    contains(rest.first("reason"), "what `append/3` gives");
    lacks(&rest.everything(), "is 0 there");
}

#[test]
fn random_integers_are_integers_and_a_quotient_is_not() {
    let fall = |by: &str| {
        Said::in_program(
            &format!("%! r(+N:int)\nr(N) :- N > 0, X is {by}, M is N-X, r(M).\nr(N) :- N =< 0.\n"),
            "r/1",
        )
    };
    contains(fall("random(2)").first("reason"), "not known to be above 0");
    let above = fall("random(2)+1");
    assert!(above.is_bounded(), "{}", above.everything());
    // Two calls give two numbers.
    let two = Said::in_program(
        "two(X) :- A is random(9), B is random(9), ( A =\\= B -> long(100) ; true ), X = A.\n\
         long(N) :- N > 0, !, M is N-1, long(M).\nlong(_).\n",
        "two/1",
    );
    contains(&two.pattern["bounds"]["steps"]["upper"].to_string(), "102");
    let said = Said::in_program(
        "%! halves(+X:int, -N)\nhalves(X, 0) :- X < 1, !.\nhalves(X, N) :- Y is X/2, halves(Y, M), N is M+1.\n",
        "halves/2",
    );
    contains(said.first("reason"), "a number that `/` gives");
    contains(said.first("help"), "`//`");
    lacks(&said.everything(), "Declare");
}

#[test]
fn a_loop_that_waits_for_messages_names_them_and_not_what_it_stores() {
    let said = Said::in_program(
        ":- dynamic seen/1.\nloop(Id) :- thread_get_message(M), ( M == stop -> true ; handle(M), loop(Id) ).\n\
         handle(M) :- ( seen(M) -> true ; assertz(seen(M)) ).\n",
        "loop/1",
    );
    contains(
        &said.everything(),
        "how often `loop/1` calls itself depends on what `thread_get_message/1` receives",
    );
    lacks(&said.everything(), "the clauses of the dynamic");
}

#[test]
fn a_constraint_is_named_in_place_of_the_recursion_before_it() {
    let files = [
        ("lib/INDEX.pl", "\n"),
        (
            "lib/clp/clpfd.pl",
            ":- module(clpfd, [differ/2]).\ndiffer(X, Y) :- setarg(1, X, Y).\n",
        ),
        (
            "main.pl",
            ":- use_module(library(clp/clpfd)).\n%! c(+Xs:list(int), +X:int, -N)\nc([], _, 0).\n\
             c([X|Xs], X, N) :- c(Xs, X, M), N is M+1.\nc([Y|Xs], X, N) :- differ(Y, X), c(Xs, X, N).\n",
        ),
    ];
    let said = Said::read(&files, &["--library", "lib"], "c/3");
    contains(
        said.first("reason"),
        "`differ/2` of `library(clpfd)` in clause 3",
    );
    lacks(&said.everything(), "arg/3");
}

#[test]
fn a_cut_or_once_that_is_there_is_not_advised() {
    let of = |program: &str, predicate: &str| Said::in_program(program, predicate);
    let said = of(
        "i(P) :- once(( between(0, inf, N), p(N, P) )).\np(N, N) :- N > 3.\n",
        "i/1",
    );
    lacks(&said.everything(), "once");
    let said = of(
        "rc :- nb_setval(k, 0), repeat, nb_getval(k, K), K1 is K+1, nb_setval(k, K1), K1 >= 10, !.\n",
        "rc/0",
    );
    lacks(&said.everything(), "(`!`)");
    contains(said.first("help"), "`between(1, Limit, _)`");
    let said = of(
        "echo :- repeat, read(X), ( X == quit -> ! ; write(X), nl, fail ).\n",
        "echo/0",
    );
    contains(said.first("reason"), "depends on what `read/1` reads");
    // Where no cut is there, it is advised.
    let said = of("on :- repeat, read(X), write(X), fail.\n", "on/0");
    contains(said.first("help"), "(`!`)");
}

#[test]
fn reasons_have_the_names_that_are_written() {
    let grammar = "%! e(-E, +Xs:list(ground), -R)\ne(E) --> t(L), r(L, E).\nr(L, E) --> [+], !, t(R), r(L+R, E).\nr(E, E) --> [].\n\
         t(E) --> ['('], !, e(E), [')'].\nt(N) --> [N].\n";
    let said = Said::in_program(grammar, "e/3");
    lacks(&said.everything(), "`r/4`");
    lacks(&said.everything(), "`e/3`");
    let text = text_of(grammar);
    lacks(&text, "in e/3");
    lacks(&text, "in r/4");
    let copies = text_of(
        "%! c(+T:ground) is semidet.\nc(T) :- ( compound(T) -> compound_name_arguments(T, _, As), maplist(c, As) ; true ).\n",
    );
    lacks(&copies, "apply:maplist");
    contains(&copies, "`c/1` calls itself through `maplist/2`");
    let own = Said::in_program(
        ":- use_module(library(lists)).\nnine(Xs) :- length(Xs, N), N > 9.\n",
        "nine/1",
    );
    lacks(&own.everything(), "%! p(");
}
