%%% says: nothing is declared
turn([], []).
turn([X|Xs], Ys) :- turn(Xs, Zs), append(Zs, [X], Ys).
%%% hint
% 1: Declare `turn(+A:list, -Ys)` if the declaration matches all calls of `turn/2`, to enable a cheaper variant: Reverse with an accumulator: n²/2+3n/2+1 → n+2 steps (cheaper for n ≥ 2)
%%% silent: not yet: the declaration leaves the type of the list open, and nothing is known of its calls
%! turned(+Xs, -Ys) is det.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).
%%% says: of integers, where elements are open
%! total(+Xs:list, -S) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
%%% hint
% 2: Declare `total(+Xs:list(int), -S)` if `X` is always an integer, to enable a cheaper variant: Carry the value along: ≤ 3n + 1 → ≤ 2n + 2 steps, built-in calls and environments (cheaper for n ≥ 2)
%%% silent: it is offered as it is
%! turned(+Xs:list, -Ys) is det.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).
%%% silent: the result may be known, which a mode line cannot take back
%! turned(+Xs:list, ?Ys) is semidet.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys), write(Ys).
%%% silent: no declaration would help
%! total(+Xs:list(int), -S) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is X-S0.
%%% silent: something else is missing
%! both(+Xs:list(int), -Y) is det.
both(Xs, Y) :- reverse(Xs, Zs), Zs = [Y|_], print(Zs).
