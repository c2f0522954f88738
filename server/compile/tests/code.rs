//! Tests the code of whole clauses.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;

use costlens_compile::code::{
    ClauseText, Indexing, compile_clause, compile_clause_with, predicate_indexed,
};
use costlens_syntax::{TermId, Terms, read_text};

fn text(terms: &Terms, root: TermId) -> ClauseText<'_> {
    if let Some(&[head, body]) = terms.matches(root, ":-", 2) {
        return ClauseText::rule(terms, head, Some(body));
    }
    if let Some(&[head, body]) = terms.matches(root, "=>", 2) {
        let (head, guard) = match terms.matches(head, ",", 2) {
            Some(&[head, guard]) => (head, Some(guard)),
            _ => (head, None),
        };
        return ClauseText {
            terms,
            head,
            guard,
            body: Some(body),
            single_sided: true,
        };
    }
    ClauseText::rule(terms, root, None)
}

/// Formats the code of every clause in a program, below the clause's text.
fn code(program: &str) -> String {
    let mut out = String::new();
    for read in &read_text(program).clauses {
        let names = &read.spans.variables;
        let source = costlens_syntax::write_term(&read.terms, read.root, Some(names));
        writeln!(out, "{source}").unwrap();
        match compile_clause(&text(&read.terms, read.root)) {
            Ok(code) => write!(out, "{code}").unwrap(),
            Err(error) => writeln!(out, "      {error}").unwrap(),
        }
    }
    out
}

#[test]
fn what_the_program_redefines_is_called() {
    let read = read_text("p(X) :- is_list(X), atom(X), forall(q, r).").clauses[0].clone();
    let clause = text(&read.terms, read.root);
    let of = |is_redefined: &dyn Fn(&str, usize) -> bool| {
        let code = compile_clause_with(&clause, is_redefined).unwrap();
        let lines = code.instructions.iter().map(|i| i.to_string());
        lines.collect::<Vec<_>>()
    };
    let own = of(&|name, arity| (name, arity) == ("is_list", 1) || name == "atom");
    assert!(own[2].starts_with("call(is_list/1"), "{own:?}");
    assert!(
        own.iter().any(|i| i.starts_with("test_atom")),
        "core: {own:?}"
    );
    let own = of(&|name, _| name == "forall");
    assert!(
        own.last().unwrap().starts_with("execute(forall/2"),
        "{own:?}"
    );
}

#[test]
fn lists() {
    insta::assert_snapshot!(code(
        "
app([], L, L).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
qsort([], []).
qsort([X|L], R) :- partition(L, X, L1, L2), qsort(L2, R2), qsort(L1, R1), app(R1, [X|R2], R).
part([], _, [], []).
part([X|Xs], P, [X|L], G) :- X =< P, !, part(Xs, P, L, G).
part([X|Xs], P, L, [X|G]) :- part(Xs, P, L, G).
"
    ));
}

#[test]
fn arithmetic() {
    insta::assert_snapshot!(code(
        "
fib(N, F) :- N > 1, N1 is N-1, N2 is N-2, fib(N1, F1), fib(N2, F2), F is F1+F2.
order(A, B, C, X) :- X is A + B*C.
order(A, B) :- A < B*2, B*2 < A.
again(A, B) :- A =:= 1, B is A + A*2.
same(A, B) :- B is A, C is B, 0 is C mod 2.
unknown(A, B) :- B is foo(A) + pi + \"a\".
itself(A) :- A is A+1.
void(A) :- _ is A+1.
number(A) :- A is 5, f(_) is 3.
"
    ));
}

#[test]
fn conditions() {
    insta::assert_snapshot!(code(
        "
ite(X, Y) :- ( X > 0 -> Y = pos ; X < 0 -> Y = neg ; Y = zero ).
ite(X, Y) :- ( X > 0 -> Z = 1 ; q(X, Z) ), r(Z, Y).
ite(X, Y) :- ( X > 0 -> Z = 1, W = Y ; W = Y, Z = X ), r(Z, W).
ite(X, Y) :- ( p(X) -> Z = 1 ; q(X, Z), s ; t ), r(Z, Y), !.
ite(X, Y) :- ( X == a, \\+ Y == b ; X @< Y -> p ; q ).
ite(X, Y) :- ( p(X) ; X > Y -> q ; r ; s ).
only(X) :- ( p(X) -> q ).
soft(X) :- ( p(X) *-> q ; r ).
soft(X) :- ( p(X) *-> q ).
not(X) :- \\+ X = a, \\+ p(X), \\+ X > 3, call((p, !, q)).
cuts(X) :- ( p(X), ! -> ! ; q ), r, !.
all(X) :- forall(p(X, Y), q(Y)), once(p(X)), ignore(r(X)).
"
    ));
}

#[test]
fn heads_and_arguments() {
    insta::assert_snapshot!(code(
        "
swap(X, Y) :- q(Y, X).
rotate(X, Y, Z) :- q(Z, X, Y, f(X)).
big([a, f(b), [c, d|T], g(h(X), i(X))], T).
build(X) :- q([a, f(X), g(h(Y), i(Y))|Z], Z).
twice(X, X, f(X)).
void(_, f(_, _, a, _)) :- q(_, g(_)).
unify(X, Y) :- X = f(Z, Y), g(Z) = g(b), Y = W, q(W).
unify(X) :- X = Y, Y = f(Y), a = b.
matched(f(X, X, a), Y), Y > X => p(X).
3 :- p.
p :- 3.
p :- q, X, m:r.
"
    ));
}

/// Tests the arguments by which clauses are selected, and the number of clauses that each leaves for a key.
#[test]
fn the_most_telling_argument_chooses_first() {
    let arguments = |program: &str, indexing: Indexing| -> Vec<usize> {
        let clauses = read_text(program).clauses;
        let clauses: Vec<_> = (clauses.iter())
            .map(|c| compile_clause(&text(&c.terms, c.root)).unwrap())
            .collect();
        let arity = clauses[0].arity;
        let code = predicate_indexed(("p".into(), arity), clauses, false, indexing);
        code.arguments.iter().map(|a| a.argument).collect()
    };
    let all = |program: &str| arguments(program, Indexing::AllArguments);
    assert_eq!(all("p(1, a, x). p(1, b, x). p(2, c, x)."), [1, 0, 2]);
    assert_eq!(all("p(1, a). p(1, b). p(1, c)."), [1, 0]);
    assert_eq!(all("p(X, []) :- q(X). p(X, [_|Xs]) :- p(X, Xs)."), [1]);
    // A list as third argument leaves both clauses; any other value leaves one.
    assert_eq!(
        all("p([], X, X). p([H|T], Y, [H|Z]) :- p(T, Y, Z)."),
        [0, 2]
    );
    // If the first argument is sufficient, the index is the usual one.
    assert!(all("p([], X). p([_|T], Y) :- p(T, Y).").is_empty());
    assert!(all("p(a, b).").is_empty());
    assert!(all("p(X, Y) :- q(X). p(X, Y) :- r(Y).").is_empty());
    assert!(arguments("p(1, a). p(1, b).", Indexing::FirstArgument).is_empty());
}
