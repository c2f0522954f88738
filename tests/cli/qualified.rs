//! Goals, closures and heads with a module qualifier, as a script sees them.

use crate::program;

use program::{bounds, exactly, folder, unknown};

const UTIL: &str = "
:- module(util, [each/2, each_here/2, copy/2]).
:- meta_predicate each(1, ?).
each(_, []).
each(G, [X|Xs]) :- call(G, X), each(G, Xs).
each_here(_, []).
each_here(G, [X|Xs]) :- call(G, X), each_here(G, Xs).
%! copy(+Xs:list, -Ys:list) is det.
copy([], []).
copy([X|Xs], [X|Ys]) :- copy(Xs, Ys).
three(_) :- one, one.
one.
foo(_) :- one, one, one.
:- dynamic(changes/1).
changes(1).
:- meta_predicate only(:).
only([]).
only([_|Xs]) :- only(Xs).
";

/// Checks the bounds of `t/1` on lists with a body; `foo/1` of this file takes one step, that of `util` four.
#[track_caller]
fn check(body: &str, expected: Result<&str, &str>) {
    let main =
        format!(":- use_module(util, []).\nfoo(_).\n%! t(+Xs:list) is nondet.\nt(Xs) :- {body}.\n");
    let folder = folder(&[("util.pl", UTIL), ("main.pl", &main)]);
    let found = bounds(folder.path(), &["main.pl"], "t/1");
    match expected {
        Ok(both) => exactly(&found, both),
        Err(reason) => unknown(&found, reason),
    }
}

#[test]
fn what_is_visible_in_a_module_is_reached_exported_or_not() {
    check("util:copy(Xs, _)", Ok("n+2"));
    check("util:three(Xs)", Ok("4"));
    check("other:util:three(Xs)", Ok("4"));
    check("util:(three(Xs), one)", Ok("5"));
    check("call(util:three, Xs)", Ok("4"));
    check("\\+ \\+ util:three(Xs)", Ok("4"));
    check("util:length(Xs, _)", Ok("1"));
    check("system:length(Xs, _)", Ok("1"));
    check("lists:append(Xs, [1], _)", Ok("n+2"));
}

#[test]
fn closures_are_looked_up_where_their_module_says() {
    check("maplist(foo, Xs)", Ok("2*n+3"));
    check("maplist(util:foo, Xs)", Ok("5*n+3"));
    check("util:maplist(foo, Xs)", Ok("5*n+3"));
    check("util:each(user:foo, Xs)", Ok("2*n+2"));
    check("util:each(foo, Xs)", Ok("5*n+2"));
    check("user:maplist(foo, Xs)", Ok("2*n+3"));
    check("forall(member(X, [1]), util:foo(X))", Ok("7"));
    check("util:forall(member(X, [1]), foo(X))", Ok("7"));
    check("G = util:three, call(G, Xs)", Ok("4"));
    // Not declared as a closure, so `util` calls its own `foo/1`, regardless of this file.
    check("util:each_here(foo, Xs)", Err("gets as argument 1"));
}

#[test]
fn the_files_own_module_is_no_other_one() {
    check("user:foo(Xs)", Ok("2"));
    check("user:(foo(Xs), foo(Xs))", Ok("3"));
    check("@(foo(Xs), util)", Ok("2"));
    let folder = folder(&[(
        "main.pl",
        ":- module(main, [r/1]).\n%! r(+Xs:list) is det.\nmain:r([]).\nr([_|Xs]) :- main:r(Xs).\n",
    )]);
    exactly(&bounds(folder.path(), &["main.pl"], "r/1"), "n+1");
}

#[test]
fn what_is_not_known_of_a_module_stays_unknown() {
    check("nowhere:p(Xs)", Err("`nowhere`"));
    check(
        "util:nothing(Xs)",
        Err("neither defines nor imports `nothing/1`"),
    );
    check("util:changes(_)", Err("dynamic"));
    check("M:three(Xs), M = util", Err("Module:Goal"));
    check("atom_length(abc, M), M:three(Xs)", Err("Module:Goal"));
    check("'@'(util:three(Xs), user)", Err("`@/2`"));
    // The cut cuts the clause.
    check(
        "atom_length(abc, M), M:(true, !)",
        Err("a cut in what another module does"),
    );
    // An atom that looks like such a name.
    check("util:three(Xs), 'util:three'(Xs)", Err(""));
    // A test at the beginning is not treated as one if it has a module qualifier.
    check("user:(1 > 0), foo(Xs)", Ok("2"));
}

#[test]
fn a_module_that_a_goal_before_binds_is_known() {
    check("M = util, M:three(Xs)", Ok("4"));
    check("G = three(Xs), util:G", Ok("4"));
    check("M = util, G = three(Xs), M:G", Ok("4"));
    check("G = util:three(Xs), call(G)", Ok("4"));
    check("M = util, call(M:three, Xs)", Ok("4"));
    check("M = util, findall(x, M:three(Xs), _)", Ok("4"));
    check("M = util, ( M:three(Xs) -> true ; true )", Ok("4"));
    check("( M = util ; M = other ), M:three(Xs)", Err("Module:Goal"));
    check(
        "M = util, M:nothing(Xs)",
        Err("neither defines nor imports"),
    );
}

/// If such a call leads back, the recursion is followed like any other across files.
#[test]
fn recursion_through_a_module_that_is_bound_is_followed() {
    for call in [
        "b:q(Xs)",
        "M = b, M:q(Xs)",
        "G = q(Xs), b:G",
        "G = b:q(Xs), call(G)",
        "M = b, call(M:q, Xs)",
    ] {
        let a = format!(
            ":- module(a, []).\n:- use_module(b).\n%! p(+Xs:list) is semidet.\np([]).\np([_|Xs]) :- {call}.\n"
        );
        let b = ":- module(b, []).\n:- use_module(a).\nq([]).\nq([_|Xs]) :- a:p(Xs).\n";
        let folder = folder(&[("a.pl", a.as_str()), ("b.pl", b)]);
        for files in [["a.pl", "b.pl"], ["b.pl", "a.pl"]] {
            // `q/1` of `b.pl` alternates with `p/1`, and each takes one element.
            exactly(&bounds(folder.path(), &files, "p/1"), "n+1");
        }
    }
}

/// `only([a])` passes `user:[a]`, so that no clause matches, whatever the list.
#[test]
fn what_comes_with_its_module_is_not_what_was_written() {
    let main =
        ":- use_module(util, []).\nfoo(_).\n%! t(+Xs:list) is nondet.\nt(Xs) :- util:only(Xs).\n";
    let folder = folder(&[("util.pl", UTIL), ("main.pl", main)]);
    let found = bounds(folder.path(), &["main.pl"], "t/1");
    assert_eq!(found.lower, "1", "{found:?}");
}

#[test]
fn a_module_that_is_loaded_twice_or_under_a_condition_is_not_certain() {
    let other = ":- module(util, [three/1]).\nthree(_).\n";
    let main = |directives: &str| {
        let text = format!("{directives}\n%! t(+X:int) is det.\nt(X) :- util:three(X).\n");
        let folder = folder(&[("util.pl", UTIL), ("b/util.pl", other), ("main.pl", &text)]);
        bounds(folder.path(), &["main.pl"], "t/1")
    };
    exactly(&main(":- use_module(util)."), "4");
    exactly(&main(":- use_module(b/util)."), "2");
    unknown(
        &main(":- use_module(util).\n:- use_module(b/util)."),
        "both",
    );
    unknown(
        &main(":- if(foo).\n:- use_module(util).\n:- endif."),
        "condition",
    );
    unknown(&main(""), "no file that is loaded here");
}

/// A predicate of another module and one of the file have the same name: a guess about one does not apply to the other.
#[test]
fn names_of_other_modules_are_no_calls_of_the_file() {
    let main = ":- use_module(util, []).\nthree(Xs) :- util:three(Xs), one(Xs).\none(Xs) :- util:(three(Xs), one), three(Xs).\n\
                %! t(+Xs:list) is det.\nt(Xs) :- util:three(Xs).\nfoo(Xs) :- nowhere:bar(Xs).\nbar(Xs) :- nowhere:foo(Xs).\n";
    let folder = folder(&[("util.pl", UTIL), ("main.pl", main)]);
    exactly(&bounds(folder.path(), &["main.pl"], "t/1"), "4");
    unknown(&bounds(folder.path(), &["main.pl"], "foo/1"), "`nowhere`");
}

/// A call adds the module of the caller to the arguments that a declaration names, and clauses can see it.
#[test]
fn the_module_of_a_meta_argument_is_seen_by_clauses_that_take_it_apart() {
    let declared = ":- meta_predicate each(1, :, -), k3(1, ?), times(:, 0), k5(//, 1, ?), sel(2, +, -), through(1, ?).
each(G, M:Xs, M) :- run(Xs, G).
run([], _).
run([X|Xs], G) :- call(G, X), run(Xs, G).
k3(G, X) :- G = _:_, !, call(G, X), w, w.
k3(G, X) :- call(G, X).
times(_:N, G) :- N > 0, !, call(G), M is N-1, times(M, G).
times(_, _).
k5(_:B, F, X) :- atom(B), call(F, X).
sel(P, Xs, Ys) :- ( P = _:Q, atom(Q) -> Ys = Xs, w, w ; call(P, Xs, Ys) ).
through(G, X) :- inner(G, X).
inner(G, X) :- ( G = _:_ -> w, w ; call(G, X) ).
plain(G, X) :- ( G = _:_ -> w, w ; call(G, X) ).
w.
foo(_).
same(X, X).
";
    let found = |body: &str| {
        let text = format!("{declared}%! t(+L:list(ground)).\nt(L) :- {body}.\n");
        let folder = folder(&[("main.pl", &text)]);
        bounds(folder.path(), &["main.pl"], "t/1")
    };
    for body in [
        "each(foo, L, _)",
        "each([_]>>w, L, _)",
        "k3(foo, L)",
        "times(3, w)",
        "sel(same, L, _)",
        "through(foo, L)",
        "plain(lists:last(_), L)",
        "plain(user:foo, L)",
    ] {
        let found = found(body);
        assert!(!found.reason.is_empty(), "{body}: {found:?}");
    }
    // No declaration, and no module that is written: none is seen.
    exactly(&found("plain(foo, L)"), "3");
}

#[test]
fn closures_that_are_only_called_are_put_into_declared_predicates() {
    let text = ":- meta_predicate each(1, ?), both(0, 0).
each(G, Xs) :- must_be(callable, G), each_(Xs, G).
each_([], _).
each_([X|Xs], G) :- call(G, X), each_(Xs, G).
both(G, H) :- \\+ \\+ G, forall(H, G), maplist(call_it(G), [a]).
call_it(G, _) :- call(G).
foo(_).
w.
%! t(+L:list(ground)).
t(L) :- each(foo, L).
%! u.
u :- both(w, w).
";
    let folder = folder(&[("main.pl", text)]);
    for predicate in ["t/1", "u/0"] {
        let found = bounds(folder.path(), &["main.pl"], predicate);
        assert!(found.reason.is_empty(), "{predicate}: {found:?}");
    }
}

/// A call of `>>` runs the program's own predicate.
#[test]
fn a_program_with_its_own_arrow_has_no_lambda_expressions() {
    let text = |head: &str| {
        format!(
            "{head}:- use_module(library(lists)).\nw.\n%! t(+L:list(int), -R).\nt(L, R) :- maplist([X,Y]>>(Y is X+1), L, R).\n"
        )
    };
    let found = |head: &str| {
        let folder = folder(&[("main.pl", &text(head))]);
        bounds(folder.path(), &["main.pl"], "t/2")
    };
    exactly(&found(""), "2*n+3");
    for head in [
        ">>(_, _, X, Y) :- w, w, w, Y = X.\n",
        ":- use_module(library(yall)).\n>>(_, _, X, Y) :- w, w, w, Y = X.\n",
    ] {
        let found = found(head);
        assert!(!found.reason.is_empty(), "{head}: {found:?}");
    }
}
