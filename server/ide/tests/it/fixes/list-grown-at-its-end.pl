%%% applies: other places of arguments, a copy of append/3, clauses the other way round
%! signs(-Signs, +Xs:list(int), +Sofar:list(atom)) is det.
signs(Signs, [X|Xs], Sofar) :-
    X > 7,
    conc(Sofar, [large], More),
    signs(Signs, Xs, More).
signs(Signs, [X|Xs], Sofar) :-
    X =< 7,
    conc(Sofar, [small], More),
    signs(Signs, Xs, More).
signs(Signs, [], Signs).

conc([], Ys, Ys).
conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
%%% to
%! signs(-Signs, +Xs:list(int), +Sofar:list(atom)) is det.
signs(List, B, Acc) :- signs(Items, B), conc(Acc, Items, List).

signs([large|Signs], [X|Xs]) :-
    X > 7,
    signs(Signs, Xs).
signs([small|Signs], [X|Xs]) :-
    X =< 7,
    signs(Signs, Xs).
signs([], []).

conc([], Ys, Ys).
conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
%%% applies: two elements at once, appended first
%! doubled(+Xs:list(any), +Acc:list(any), -Ys) is det.
doubled([], R, R).
doubled([X|Xs], A, R) :- append(A, [X, X], B), doubled(Xs, B, R).
%%% to
%! doubled(+Xs:list(any), +Acc:list(any), -Ys) is det.
doubled(A, Acc, List) :- doubled(A, Items), append(Acc, Items, List).

doubled([], []).
doubled([X|Xs], [X, X|R]) :- doubled(Xs, R).
%%% applies: a filter that begins with the empty list, in a module with its name
:- module(odd, [odd/2]).
:- use_module(library(lists)).

%! odd(+Ns:list(int), -Odd:list(int)) is det.
odd(Ns, Odd) :- odd(Ns, [], Odd).

odd([], Odd, Odd).
odd([N|Ns], Odd0, Odd) :-
    (   N mod 2 =:= 1
    ->  append(Odd0, [N], Odd1)
    ;   Odd1 = Odd0
    ),
    odd(Ns, Odd1, Odd).
%%% to
:- module(odd, [odd/2]).
:- use_module(library(lists)).

%! odd(+Ns:list(int), -Odd:list(int)) is det.
odd(Ns, Odd) :- odd_items(Ns, Odd).

odd_items([], []).
odd_items([N|Ns], Odd) :-
    (   N mod 2 =:= 1
    ->  Odd = [N|Rest]
    ;   Odd = Rest
    ),
    odd_items(Ns, Rest).
%%% applies: anyone may call the helper, so that it stays
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :-
    signs_(Ns, [], Signs).                % from the front

signs_([], Signs, Signs).
signs_([N|Ns], Signs0, Signs) :-
    Sign is sign(N),
    append(Signs0, [Sign], Signs1),
    signs_(Ns, Signs1, Signs).
%%% to
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :-
    signs_fast(Ns, Signs).                % from the front

signs_([], Signs, Signs).
signs_([N|Ns], Signs0, Signs) :-
    Sign is sign(N),
    append(Signs0, [Sign], Signs1),
    signs_(Ns, Signs1, Signs).

signs_fast([], []).
signs_fast([N|Ns], [Sign|Signs]) :-
    Sign is sign(N),
    signs_fast(Ns, Signs).
%%% applies: a helper that two predicates call, one of them in ways that nothing is known of
%! twice(+Ns:list(int), +Seen:list(int), -All:list(int)) is det.
twice(Ns, Seen, All) :- doubled(Ns, Seen, All).

other(Ns, Seen, All) :- doubled(Ns, Seen, All), length(All, 3).

doubled([], All, All).
doubled([N|Ns], Seen, All) :-
    M is 2*N,
    append(Seen, [M], More),
    doubled(Ns, More, All).
%%% to
%! twice(+Ns:list(int), +Seen:list(int), -All:list(int)) is det.
twice(Ns, Seen, All) :- doubled_fast(Ns, Seen, All).

other(Ns, Seen, All) :- doubled(Ns, Seen, All), length(All, 3).

doubled([], All, All).
doubled([N|Ns], Seen, All) :-
    M is 2*N,
    append(Seen, [M], More),
    doubled(Ns, More, All).

doubled_fast(A, Acc, List) :- doubled_fast(A, Items), append(Acc, Items, List).

doubled_fast([], []).
doubled_fast([N|Ns], [M|All]) :-
    M is 2*N,
    doubled_fast(Ns, All).
%%% applies: the cost of the caller is unknown, that of the helper is not
:- module(signs, [show/1]).
:- use_module(library(lists)).

%! show(+Ns:list(int)) is det.
show(Ns) :- signs(Ns, [], Signs), print_message(informational, listed(Signs)).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    Sign is sign(N),
    append(Signs0, [Sign], Signs1),
    signs(Ns, Signs1, Signs).
%%% to
:- module(signs, [show/1]).
:- use_module(library(lists)).

%! show(+Ns:list(int)) is det.
show(Ns) :- signs(Ns, [], Signs), print_message(informational, listed(Signs)).

signs(A, Acc, List) :- signs(A, Items), append(Acc, Items, List).

signs([], []).
signs([N|Ns], [Sign|Signs]) :-
    Sign is sign(N),
    signs(Ns, Signs).
%%% forbidden: the accumulator is looked at
%! large(+Xs:list(int), +Acc:list(int), -Ys) is det.
large([], R, R).
large([X|Xs], A, R) :- length(A, N), append(A, [X-N], B), large(Xs, B, R).
%%% forbidden: the accumulator may be a partial list
%! large(+Xs:list(int), ?Acc, -Ys) is nondet.
large([], R, R).
large([X|Xs], A, R) :- append(A, [X], B), large(Xs, B, R).
%%% forbidden: it grows in front
%! large(+Xs:list(int), +Acc:list(int), -Ys) is det.
large([], R, R).
large([X|Xs], A, R) :- append([X], A, B), large(Xs, B, R).
%%% forbidden: the result may be known
%! large(+Xs:list(int), +Acc:list(int), ?Ys) is semidet.
large([], R, R).
large([X|Xs], A, R) :- append(A, [X], B), large(Xs, B, R).
%%% forbidden: mostly nothing is appended, and the accumulator may be long
%! large(+Xs:list(int), +Acc:list(int), -Ys) is det.
large([], R, R).
large([X|Xs], A, R) :- X > 7, append(A, [X], B), large(Xs, B, R).
large([X|Xs], A, R) :- X =< 7, large(Xs, A, R).
%%% applies: whole lists
%! all(+Xss:list(list(int)), +Acc:list(int), -Ys) is det.
all([], Acc, Acc).
all([Xs|Xss], Acc, Ys) :- append(Acc, Xs, Acc1), all(Xss, Acc1, Ys).
%%% to
%! all(+Xss:list(list(int)), +Acc:list(int), -Ys) is det.
all(A, Acc, List) :- all(A, Items), append(Acc, Items, List).

all([], []).
all([Xs|Xss], Ys) :- append(Xs, Rest, Ys), all(Xss, Rest).
%%% forbidden: a list may be partial
%! all(+Xss:list, +Acc:list(int), -Ys) is nondet.
all([], Acc, Acc).
all([Xs|Xss], Acc, Ys) :- append(Acc, Xs, Acc1), all(Xss, Acc1, Ys).
%%% applies: branches, a predicate that appends one element
%! signs(+Xs:list(int), +Acc:list(atom), -Ys) is det.
signs([], Acc, Acc).
signs([X|Xs], Acc, Ys) :-
    (   X < 0
    ->  put(Acc, minus, Acc1)
    ;   put(Acc, plus, Acc1)
    ),
    signs(Xs, Acc1, Ys).

put(Xs, X, Ys) :- append(Xs, [X], Ys).
%%% to
%! signs(+Xs:list(int), +Acc:list(atom), -Ys) is det.
signs(A, Acc, List) :- signs(A, Items), append(Acc, Items, List).

signs([], []).
signs([X|Xs], Ys) :-
    (   X < 0
    ->  Ys = [minus|Rest]
    ;   Ys = [plus|Rest]
    ),
    signs(Xs, Rest).

put(Xs, X, Ys) :- append(Xs, [X], Ys).
%%% forbidden: a condition looks at the accumulator
%! signs(+Xs:list(int), +Acc:list(atom), -Ys) is det.
signs([], Acc, Acc).
signs([X|Xs], Acc, Ys) :-
    (   Acc = [minus|_]
    ->  append(Acc, [X], Acc1)
    ;   append(Acc, [plus], Acc1)
    ),
    signs(Xs, Acc1, Ys).
%%% forbidden: clauses of the helper may be added while the program runs
:- dynamic signs/3.
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: the helper is a table
:- table signs/3.
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: the helper has to succeed once
:- det(signs/3).
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: the caller may hand over a partial list
%! signed(?Ns, -Signs) is nondet.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: flags are set between the clauses of the helper
:- discontiguous signs/3.
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
:- set_prolog_flag(double_quotes, atom).
signs([_|Ns], Signs0, Signs) :-
    append(Signs0, ["one"], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: the clause that calls it is expanded
term_expansion((signed(X, Y) :- signs(X, [], Y)), (signed(X, Y) :- signs(X, [first], Y))).

%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: the caller is to be left alone
% costlens: ignore[fix]
%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :- signs(Ns, [], Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
%%% forbidden: comments would be lost
:- module(signed, [signed/2]).

%! signed(+Ns:list(int), -Signs:list(int)) is det.
signed(Ns, Signs) :-
    signs(Ns,    % all of them
          [],    % none so far
          Signs).

signs([], Signs, Signs).
signs([N|Ns], Signs0, /* in the end */ Signs) :-
    append(Signs0, [N], Signs1),
    signs(Ns, Signs1, Signs).
