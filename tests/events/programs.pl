% Programs whose events are counted by count.pl and compared with the inferred bounds.
%! len(+Xs:list(int), -N:int).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
%! app(+Xs:list(int), +Ys:list(int), -Zs:list).
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
%! nrev(+Xs:list(int), -Ys:list).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
%! isort(+Xs:list(int), -Ys).
isort([], []).
isort([X|Xs], Ys) :- isort(Xs, Zs), ins(X, Zs, Ys).
%! ins(+X:int, +Xs:list(int), -Ys).
ins(X, [], [X]).
ins(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.
ins(X, [Y|Ys], [Y|Zs]) :- X > Y, ins(X, Ys, Zs).
%! pos(+Xs:list(int), -Ys).
pos([], []).
pos([X|Xs], Ys) :- ( X > 0, X \== 4 -> Ys = [f(X)|Zs] ; Ys = Zs ), pos(Xs, Zs).
%! sub(+Xs:list(int), -Ys).
sub([], []).
sub([X|Xs], [X|Ys]) :- sub(Xs, Ys).
sub([_|Xs], Ys) :- sub(Xs, Ys).
%! dup(+Xs:list(int), -Ys).
dup([], []).
dup([X|Xs], Zs) :- app([X,X], Ys, Zs), dup(Xs, Ys).
%! allsq(+Xs:list(int), -Ys).
allsq(Xs, Ys) :- findall(s(Y), (mem(X, Xs), Y is X*X), Ys).
%! mem(-X, +Xs:list(int)).
mem(X, [X|_]).
mem(X, [_|T]) :- mem(X, T).
%! anyneg(+Xs:list(int)).
anyneg([X|_]) :- X < 0, !.
anyneg([_|T]) :- anyneg(T).
%! mx(+Xs:list(int), -M).
mx([X], X) :- !.
mx([X|Xs], M) :- mx(Xs, N), ( X > N -> M = X ; M = N ).
%! zero(+Xs:list(int), -S).
zero(Xs, S) :- ( \+ anyneg(Xs) -> S = none(a) ; once((mem(X, Xs), X < 0)), S = X ).
%! sel(+Xs:list(int), -Y).
sel(Xs, Y) :- mem(Y, Xs), ( Y > 2 ; Y < -1, nop(Y, b) ).
nop(_, _).
%! clean(+Xs:list(int), -Ys).
clean([], []).
clean([X|Xs], Ys) :- X < 0, !, clean(Xs, Ys).
clean([X|Xs], [X|Ys]) :- clean(Xs, Ys).
%! fact(+N:int, -F:int).
fact(0, 1) :- !.
fact(N, F) :- N > 0, M is N-1, fact(M, G), F is N*G.
%! cd(+N:int).
cd(N) :- N =< 0.
cd(N) :- N > 0, M is N-1, cd(M).
%! sign(+X:int, -S).
sign(X, pos) :- X > 0.
sign(X, zero) :- X =:= 0.
sign(X, neg(X)) :- X < 0.
%! cls(+X:int, -S).
cls(X, S) :- X >= 0, X - 1 < 4 * 1, !, S = [a,X].
cls(X, S) :- ( X < 0 ; X > 5 ), S = b.
%! small(+Xs:list(int), -N).
small([], 0).
small([X|T], N) :- ( X > 0 ; X < 5 ), small(T, N).
%! rises(+Xs:list(int), -S).
rises([], z).
rises([X,Y|T], S) :- X =< Y, !, ( rises(T, S) ; rises([Y|T], S), ! ).
rises([_|T], S) :- rises(T, S).
%! kinds(+N:int, -K).
kinds(0, a).
kinds(1, b).
kinds(N, K) :- N > 5, K = c.
kinds(2, d).
kinds(3, e).
kinds(3, f) :- !.
kinds(N, K) :- N > 0, M is N-1, kinds(M, K).
%! marks(+Xs:list(int)).
marks([]).
marks([X|T]) :- mark(X, a), marks(T).
marks([X|T]) :- mark(X, b), marks(T).
mark(0, _).
mark(1, a).
mark(_, b).
mark(2, a).
mark(2, _) :- !.
mark(3, a).
mark(X, X).
