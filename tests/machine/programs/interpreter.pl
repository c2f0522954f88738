%% A small imperative language: assignments, loops, conditions.
% ?- run([n:=5,f:=1,while(n>0,[f:=f*n,n:=n-1])], Env).
% ?- run([x:=3,if(x>2,[y:=1],[y:=2])], Env).
% ?- run([x:=y], Env).
% ?- run([i:=0,while(i<3,[print(i),i:=i+1])], Env).

:- op(700, xfx, :=).

run(Program, Env) :- exec_all(Program, [], Env0), msort(Env0, Env).

exec_all([], E, E).
exec_all([S|Ss], E0, E) :- exec(S, E0, E1), exec_all(Ss, E1, E).

exec(X:=Exp, E0, [X-V|E1]) :- value(Exp, E0, V), drop(E0, X, E1).
exec(while(C, Body), E0, E) :-
    (   holds(C, E0)
    ->  exec_all(Body, E0, E1),
        exec(while(C, Body), E1, E)
    ;   E = E0
    ).
exec(if(C, A, B), E0, E) :- ( holds(C, E0) -> exec_all(A, E0, E) ; exec_all(B, E0, E) ).
exec(print(Exp), E, E) :- value(Exp, E, V), writeln(V).

drop([], _, []).
drop([Y-_|E], X, E) :- X == Y, !.
drop([P|E0], X, [P|E]) :- drop(E0, X, E).

value(N, _, N) :- number(N), !.
value(X, E, V) :- atom(X), !, ( memberchk(X-V0, E) -> V = V0 ; throw(unbound(X)) ).
value(Exp, E, V) :- Exp =.. [Op,A,B], value(A, E, X), value(B, E, Y), F =.. [Op,X,Y], V is F.

holds(C, E) :- C =.. [Op,A,B], value(A, E, X), value(B, E, Y), G =.. [Op,X,Y], call(G).
