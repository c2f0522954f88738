use costlens_infer::regular::Regulars;
use costlens_infer::report::Origin;
use costlens_syntax::assertions::assertions;
use costlens_syntax::read_text;

use super::*;

/// Returns the guesses for the predicates in a text. All predicates form one component unless they do not call each other.
fn guesses(text: &str) -> Vec<String> {
    let mut members: Vec<(Functor, Vec<Clause>)> = Vec::new();
    for read in &read_text(text).clauses {
        let (functor, clause) = Clause::from_term(&read.terms, read.root).unwrap();
        match members.iter_mut().find(|(f, _)| *f == functor) {
            Some((_, clauses)) => clauses.push(clause),
            None => members.push((functor, vec![clause])),
        }
    }
    // In these texts callees come before callers.
    let mut known: Vec<(Functor, Guess)> = Vec::new();
    for (functor, clauses) in members {
        let member = member(&functor, clauses);
        let guesses = inferred_patterns(
            &[member],
            &|f| {
                let (_, guess) = known.iter().find(|(g, _)| g == f)?;
                Some(KnownCallee {
                    pattern: Some(guess.pattern.clone()),
                    open: guess.open.clone(),
                    fills: guess.fills.clone(),
                    scheme: guess.scheme.clone(),
                    own: true,
                })
            },
            &|_| Vec::new(),
            &Regulars::default(),
        );
        known.push((functor, guesses[0].clone()));
    }
    known
        .iter()
        .map(|(f, g)| format!("{}{}", f.name, g.pattern))
        .collect()
}

fn member(functor: &Functor, clauses: Vec<Clause>) -> Member {
    Member {
        functor: functor.clone(),
        clauses: clauses.into(),
        declared: None,
        closures: Vec::new(),
    }
}

/// `A | B` runs like `A ; B`.
#[test]
fn a_bar_is_a_disjunction() {
    for text in [
        "max([X],X). max([X|Xs],M) :- max(Xs,N), ( X > N -> M = X ; M = N ).",
        "f(X,Y) :- Y is X+1. p(X,Y) :- ( X = none ; f(X,Y) ).",
        "w(1). p(X) :- ( nonvar(X) -> true ; X = 1 ), Y is X+1, w(Y).",
    ] {
        assert_eq!(
            guesses(&text.replace(" ; ", " | ")),
            guesses(text),
            "{text}"
        );
    }
}

#[test]
fn everyday_predicates_get_the_patterns_that_one_would_expect() {
    for (text, expected) in [
        (
            "len([],0). len([_|T],N) :- len(T,N0), N is N0+1.",
            "len(list(any), var)",
        ),
        (
            "app([],L,L). app([H|T],L,[H|R]) :- app(T,L,R).",
            "app(list(any), list(any), var)",
        ),
        (
            "fact(0,1). fact(N,F) :- N > 0, N1 is N-1, fact(N1,F1), F is N*F1.",
            "fact(int, var)",
        ),
        (
            "fib(0,0). fib(1,1). fib(N,F) :- N>1, A is N-1, B is N-2, fib(A,X), fib(B,Y), F is X+Y.",
            "fib(int, var)",
        ),
        (
            "sum([],S,S). sum([X|Xs],A,S) :- A1 is A+X, sum(Xs,A1,S).",
            "sum(list(int), int, var)",
        ),
        (
            "rev([],A,A). rev([H|T],A,R) :- rev(T,[H|A],R).",
            "rev(list(any), list(any), var)",
        ),
        (
            "range(L,H,[]) :- L > H. range(L,H,[L|T]) :- L =< H, L1 is L+1, range(L1,H,T).",
            "range(int, int, var)",
        ),
        (
            "take(0,_,[]). take(N,[H|T],[H|R]) :- N > 0, M is N-1, take(M,T,R).",
            "take(int, list(any), var)",
        ),
        (
            "zip([],[],[]). zip([A|As],[B|Bs],[A-B|Cs]) :- zip(As,Bs,Cs).",
            "zip(list(any), list(any), var)",
        ),
        (
            "hanoi(0,_,_,_). hanoi(N,A,B,C) :- N>0, M is N-1, hanoi(M,A,C,B), hanoi(M,C,B,A).",
            "hanoi(int, any, any, any)",
        ),
        (
            "mem(X,[X|_]). mem(X,[_|T]) :- mem(X,T).",
            "mem(var, list(any))",
        ),
        (
            "walk([],S,S,_). walk([X|Xs],S0,S,P) :- call(P,X,S0,S1), walk(Xs,S1,S,P).",
            "walk(list(any), any, var, nonvar)",
        ),
        (
            "means([],_,[]). means([X|Xs],M,[Y|Ys]) :- M:mean(X,Y), means(Xs,M,Ys).",
            "means(list(any), nonvar, var)",
        ),
        (
            "goal_expansion(det(G), H) :- nonvar(G), H = once(G). goal_expansion(det(G), det(G)).",
            "goal_expansion(nonvar, var)",
        ),
        (
            "last([X],X). last([_|T],X) :- last(T,X).",
            "last(list(any), var)",
        ),
        (
            "double([],[]). double([X|Xs],[Y|Ys]) :- Y is X*2, double(Xs,Ys).",
            "double(list(int), var)",
        ),
        (
            "size(leaf,1). size(node(L,R),N) :- size(L,A), size(R,B), N is A+B.",
            "size(leaf|node/2, var)",
        ),
        (
            "insert(X,[],[X]). insert(X,[Y|Ys],[X,Y|Ys]) :- X =< Y. insert(X,[Y|Ys],[Y|Zs]) :- X > Y, insert(X,Ys,Zs).",
            "insert(int, list(int), var)",
        ),
        (
            "max([X],X). max([X|Xs],M) :- max(Xs,N), ( X > N -> M = X ; M = N ).",
            "max(list(int), var)",
        ),
        (
            "pow(_,0,1). pow(B,E,P) :- E > 0, F is E-1, pow(B,F,Q), P is B*Q.",
            "pow(int, int, var)",
        ),
        ("edge(a,b). edge(b,c).", "edge(any, any)"),
        (
            "count(N) :- N > 0, write(N), M is N-1, count(M). count(0).",
            "count(int)",
        ),
        (
            "evens([],[]). evens([X|Xs],[X|Ys]) :- 0 is X mod 2, !, evens(Xs,Ys). evens([_|Xs],Ys) :- evens(Xs,Ys).",
            "evens(list(int), var)",
        ),
        ("p(X) :- X is 1+2.", "p(var)"),
        ("main :- write(hello).", "main()"),
        (
            "gcd(X,0,X). gcd(X,Y,G) :- Y > 0, Z is X mod Y, gcd(Y,Z,G).",
            "gcd(int, int, var)",
        ),
        (
            "squares(L,S) :- findall(Y, (member(X,L), Y is X*X), S).",
            "squares(list(int), var)",
        ),
        ("inc(L,M) :- maplist(succ, L, M).", "inc(list(int), var)"),
        // The recursion is on the third argument; the second accumulates.
        (
            "fold(_,A,[],A). fold(F,A,[X|Xs],R) :- call(F,X,A,B), fold(F,B,Xs,R).",
            "fold(nonvar, any, list(any), var)",
        ),
        (
            "sieve([],[]). sieve([P|Xs],[P|Ps]) :- exclude([X]>>(0 is X mod P), Xs, Ys), sieve(Ys,Ps).",
            "sieve(list(int), var)",
        ),
        // `select/3` binds nothing if only its first argument is known.
        (
            "least(X,L,R) :- select(X,L,R), X < 9.",
            "least(var, list(int), var)",
        ),
        // A term that contains a list.
        (
            "drain(S-[X|Xs],[X|Ys]) :- drain(S-Xs,Ys). drain(_-[],[]).",
            "drain(-/2, var)",
        ),
        // `append/3` runs backwards: nothing else is known about the prefix.
        ("final(L,X) :- append(_,[X],L).", "final(list(any), var)"),
        ("nat(0). nat(N) :- nat(M), N is M+1.", "nat(var)"),
        (
            "pick([],0,_). pick([X|Xs],N,[X|T]) :- N > 0, M is N-1, pick(Xs,M,T). pick(Xs,N,[_|T]) :- N > 0, pick(Xs,N,T).",
            "pick(var, int, list(any))",
        ),
        (
            "twice([],A,A). twice([H|T],R,A) :- append(A,[H,H],B), twice(T,R,B).",
            "twice(list(any), var, list(any))",
        ),
        (
            "start(slow) :- write(slow). start(fast) :- write(fast).",
            "start(atm)",
        ),
        ("p(X,Y,Z) :- missing(X,Y), Z = f(Y).", "p(any, any, var)"),
        // Rules that match a constant can only match a bound argument.
        (
            "p(X, a) => write(X). p(X, b) => print(X).",
            "p(nonvar, atm)",
        ),
        // Only constants.
        ("piece(x). piece(o).", "piece(any)"),
        (
            "turns([],0). turns([l|T],N) :- turns(T,M), N is M-1. turns([r|T],N) :- turns(T,M), N is M+1.",
            "turns(list(atm), var)",
        ),
    ] {
        assert_eq!(guesses(text), [expected], "{text}");
    }
}

#[test]
fn callees_tell_what_their_callers_take() {
    let text = "app([],L,L). app([H|T],L,[H|R]) :- app(T,L,R). \
                nrev([],[]). nrev([X|Xs],Ys) :- nrev(Xs,Zs), app(Zs,[X],Ys). \
                twice(L,M) :- nrev(L,K), nrev(K,M). \
                part([],_,[],[]). part([E|R],C,[E|L],G) :- E < C, !, part(R,C,L,G). part([E|R],C,L,[E|G]) :- E >= C, part(R,C,L,G). \
                qs([],[]). qs([X|L],R) :- part(L,X,A,B), qs(A,C), qs(B,D), app(C,[X|D],R). \
                sel(X,[X|T],T). sel(X,[H|T],[H|R]) :- sel(X,T,R). \
                perm([],[]). perm(L,[H|P]) :- sel(H,L,R), perm(R,P).";
    assert_eq!(
        guesses(text),
        [
            "app(list(any), list(any), var)",
            "nrev(list(any), var)",
            "twice(list(any), var)",
            "part(list(int), int, var, var)",
            "qs(list(int), var)",
            "sel(var, list(any), var)",
            "perm(list(any), var)",
        ]
    );
}

#[test]
fn elements_are_what_clauses_tell_apart() {
    let text = "limit(none, 0). limit(at(N), N). \
                sum([], 0). sum([A-B|Ps], S) :- limit(A, X), limit(B, Y), sum(Ps, T), S is T+X+Y. \
                coin(C) :- member(C, [heads, tails(_)]). \
                value(heads, 1) :- write(h). value(tails(_), 2) :- write(t). \
                tossed([]). tossed([C-_|Cs]) :- coin(C), value(C, _), tossed(Cs). \
                valued([]). valued([C-_|Cs]) :- value(C, _), valued(Cs).";
    assert_eq!(
        guesses(text),
        [
            "limit(nonvar, var)",
            "sum(list(ground), var)",
            "coin(var)",
            "value(nonvar, var)",
            "tossed(list(nonvar))",
            "valued(list(ground))",
        ]
    );
}

#[test]
fn mutually_recursive_predicates_agree() {
    let file = read_text(
        "even(0). even(N) :- N > 0, M is N-1, odd(M). odd(N) :- N > 0, M is N-1, even(M).",
    );
    let mut even = Vec::new();
    let mut odd = Vec::new();
    for read in &file.clauses {
        let (functor, clause) = Clause::from_term(&read.terms, read.root).unwrap();
        if functor.name == "even" {
            even.push(clause)
        } else {
            odd.push(clause)
        }
    }
    let members = [
        member(&Functor::new("even", 1), even),
        member(&Functor::new("odd", 1), odd),
    ];
    for guess in inferred_patterns(&members, &|_| None, &|_| Vec::new(), &Regulars::default()) {
        assert_eq!(guess.pattern, Pattern(vec![Type::Int]));
    }
}

#[test]
fn grammar_rules_read_or_write_text() {
    for (text, expected) in [
        (
            "stars(0) --> []. stars(N) --> { N > 0 }, \"*\", { M is N-1 }, stars(M).",
            "stars(int, var, var)",
        ),
        ("greeting --> [hello], name.", "greeting(list(atm), var)"),
        // A nonterminal whose text can be built from its arguments may also write.
        ("item(X) --> [item(X)].", "item(var, list(any), var)"),
        (
            "digits([D|T]) --> [D], digits(T).",
            "digits(var, list(any), var)",
        ),
        (
            "rest(X, X) --> []. rest(X, Y) --> [Z], { W is X+Z }, rest(W, Y).",
            "rest(int, var, list(int), var)",
        ),
        // A nonterminal that decomposes its argument and never inspects the text writes; a nonterminal that collects the text in a list
        // reads.
        (
            "inorder(nil) --> []. inorder(t(L, X, R)) --> inorder(L), [X], inorder(R).",
            "inorder(nil|t/3, var, var)",
        ),
        (
            "flat([]) --> []. flat([K-V|T]) --> [K, V], flat(T).",
            "flat(list(nonvar), var, var)",
        ),
        (
            "flat([]) --> []. flat([K-V|T]) --> [K, is, V], flat(T).",
            "flat(var, list(atm), var)",
        ),
        (
            "flat([]) --> []. flat([l(X)|T]) --> [X], { integer(X) }, flat(T).",
            "flat(var, list(int), var)",
        ),
        ("leaf(l(X)) --> [X].", "leaf(var, list(any), var)"),
    ] {
        assert_eq!(guesses(text), [expected], "{text}");
    }
}

#[test]
fn what_is_looked_for_before_a_cut_is_an_input() {
    for (text, expected) in [
        ("in(X, set(L)) :- member(X, L), !.", "in(nonvar, set/1)"),
        (
            "first(X, L) :- member(X, L), X > 0, !.",
            "first(var, list(int))",
        ),
        ("first(X, L) :- member(X, L).", "first(var, list(any))"),
        (
            "value(K, L, V) :- member(K-V, L), !.",
            "value(var, list(nonvar), var)",
        ),
        (
            "last(X, L) :- Y = L, member(X, Y), !.",
            "last(nonvar, list(any))",
        ),
    ] {
        assert_eq!(guesses(text), [expected], "{text}");
    }
}

#[test]
fn a_phrase_is_a_call_of_its_nonterminal() {
    let grammar = "out([]) --> []. out([A=B|T]) --> [A, B], out(T).";
    let calls = "put(T, L) :- phrase(out(T), L). rest(T, L, R) :- phrase(out(T), L, R).";
    let reads = "in([]) --> []. in([N|T]) --> [a], [N], in(T). get(T, L) :- phrase(in(T), L).";
    let found = guesses(&[grammar, calls, reads].join(" "));
    assert_eq!(found[1], "put(list(nonvar), var)");
    assert_eq!(found[2], "rest(list(nonvar), var, var)");
    assert_eq!(found[4], "get(var, list(atm))");
}

#[test]
fn many_arguments_and_many_clauses_are_no_burden() {
    let heads: Vec<String> = (0..20).map(|i| format!("A{i}")).collect();
    let wide = format!("p({0}, R) :- R = f({0}).", heads.join(","));
    assert_eq!(guesses(&wide).len(), 1);
    let long: String = (0..5_000)
        .map(|i| format!("t({i}, a{i}, X, X) :- u(X, {i}).\n"))
        .collect();
    assert_eq!(guesses(&long).len(), 1);
    let deep = format!("d({}).", "f(".repeat(20_000) + "X" + &")".repeat(20_000));
    assert_eq!(guesses(&deep).len(), 1);
}

fn declared(text: &str) -> Vec<(String, Origin)> {
    let found = assertions(text, &read_text(text));
    assert_eq!(found.errors, []);
    declared_patterns(&found.list, &Regulars::default())
        .into_iter()
        .map(|(p, o)| (p.to_string(), o))
        .collect()
}

#[test]
fn declarations_become_patterns_and_never_stronger_ones() {
    for (text, expected) in [
        (":- pred nrev(A,B) : (list(A), var(B)).", "(list(any), var)"),
        (
            ":- pred p(A,B) : (list(A,int), nat(B)).",
            "(list(int), int)",
        ),
        (":- pred p(+A,-B).", "(nonvar, var)"),
        (":- pred p(A,B) : ground * term.", "(ground, any)"),
        (
            "%! p(+Xs:list(list(integer)), ++G:list, ?C:list, @D, +E:tree, -F:int) is det.\n",
            "(list(list(int)), list(ground), any, any, nonvar, var)",
        ),
        (
            "%! p(+Xs:list(var), :Goal, +N:nonneg) is det.\n",
            "(list(any), nonvar, int)",
        ),
    ] {
        assert_eq!(
            declared(text),
            [(expected.to_owned(), Origin::Declared)],
            "{text}"
        );
    }
}

#[test]
fn a_cost_tells_what_it_measures() {
    let text = "%! len(+Xs, -N) is det.\n%  @cost steps =< length(Xs)+1\n";
    assert_eq!(
        declared(text),
        [
            ("(list(any), var)".to_owned(), Origin::Declared),
            ("(nonvar, var)".to_owned(), Origin::Declared)
        ]
    );
    // A guess does not override the declaration.
    let text = ":- pred p(+A, -B, C) : ground(A) + (steps_ub(length(A)), steps_ub(length(B)), steps_ub(int(C))).";
    assert_eq!(
        declared(text),
        [("(ground, var, int)".to_owned(), Origin::Declared)]
    );
}

#[test]
fn declared_patterns_come_before_entries_and_are_joined_after_eight() {
    let text = ":- entry p(A) : list(A).\n:- pred p(A) : int(A).\n";
    assert_eq!(
        declared(text),
        [
            ("(int)".to_owned(), Origin::Declared),
            ("(list(any))".to_owned(), Origin::Entry)
        ]
    );
    let many: String = [
        "int",
        "num",
        "atm",
        "list",
        "ground",
        "nonvar",
        "var",
        "term",
        "list(int)",
        "list(atm)",
    ]
    .iter()
    .map(|t| format!(":- pred p(A) : {t}.\n"))
    .collect();
    assert_eq!(declared(&many).len(), MOST_PATTERNS);
}

/// `digits([A,B,C])` searches for three digits.
#[test]
fn lists_whose_elements_are_found_are_lists_of_anything() {
    for (text, expected) in [
        (
            "digit(0). digit(1). ds([]). ds([D|Ds]) :- digit(D), ds(Ds).",
            "ds(list(any))",
        ),
        (
            "digit(D) :- between(0, 9, D). ds([]). ds([D|Ds]) :- digit(D), ds(Ds).",
            "ds(list(any))",
        ),
        (
            "ds([]). ds([D|Ds]) :- member(D, [0,1,2]), ds(Ds).",
            "ds(list(any))",
        ),
        (
            "ds([]). ds([D|Ds]) :- member(D, [0,1,2]), ds(Ds). p([A,B]) :- ds([A,B]), A < B.",
            "p(var)",
        ),
        (
            "ds([]). ds([D|Ds]) :- member(D, [0,1,2]), ds(Ds). p(A, B) :- Vs = [A,B], ds(Vs), A < B.",
            "p(var, var)",
        ),
        // The elements are known.
        (
            "ok(D) :- D > 0, D < 10. ds([]). ds([D|Ds]) :- ok(D), ds(Ds).",
            "ds(list(int))",
        ),
        (
            "ds([]). ds([D|Ds]) :- D > 0, member(D, [0,1,2]), ds(Ds).",
            "ds(list(int))",
        ),
        (
            "ds([]). ds([D|Ds]) :- memberchk(D, [0,1,2]), ds(Ds).",
            "ds(list(int))",
        ),
    ] {
        let found = guesses(text);
        assert_eq!(found.last().map(String::as_str), Some(expected), "{text}");
    }
}
