%%% says: a later element might raise an exception that is not met today
%! has_even(+Xs:list) is semidet.
has_even(Xs) :-
    findall(X, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% says: an output that might be a variable of the input
:- module(joined, [joined/2]).
%! joined(+Lists:list(list), -All) is det.
joined(Lists, All) :- joined(Lists, [], All).

joined([], All, All).
joined([Xs|Lists], Before, All) :-
    append(Before, Xs, Now),
    joined(Lists, Now, All).
%%% silent: it is proved
%! has_even(+Xs:list(int)) is semidet.
has_even(Xs) :-
    findall(X, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% silent: nothing is known of the calls
has_even(Xs) :-
    findall(X, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% silent: with the condition it is no cheaper
%! pair(+Xs:list, -Ys) is semidet.
pair(Xs, Ys) :- findall(X, nth(Xs, X), Ys), Ys \== [].

nth([X|_], X).
