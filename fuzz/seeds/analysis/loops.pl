up(N, N) :- !.
up(I, N) :- I < N, J is I+2, up(J, N).
while(X) :- ( X =\= 0 -> Y is X//2, while(Y) ; true ).
