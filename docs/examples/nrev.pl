%% Naive reverse, and an assertion about its cost that is false for long lists.

%! nrev(+Xs:list, -Ys:list) is det.
%
%  Ys has the elements of Xs in reverse order.
%  @cost steps =< 10*length(Xs) + 5

nrev([], []).
nrev([X|Xs], Ys) :-
    nrev(Xs, Zs),
    app(Zs, [X], Ys).

app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :-
    app(Xs, Ys, Zs).
