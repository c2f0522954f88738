%% The grammar rules of library(dcg/basics).
% ?- phrase(( whites, integer(I), blanks, number(N), eos ), `  12 3.5`).
% ?- phrase(( string_without(`,`, A), ",", remainder(R) ), `ab,cd`), atom_codes(X, A), atom_codes(Y, R).
% ?- phrase(( string(S), "=", string(V), eos ), `k=v=w`), atom_codes(K, S), atom_codes(W, V).
% ?- phrase(integer(X), `-42`), phrase(float(F), `2.5`), phrase(xinteger(H), `ff`).
% ?- phrase(digits(Ds), `123abc`, R).
% ?- phrase(blanks_to_nl, `   `).
% ?- phrase(integer(12), L).
% ?- phrase(nonblanks(W), `ab cd`, R), atom_codes(A, W).
% ?- phrase(csv(Fields), `1,2.5,x`), true.
% ?- phrase([a], X).
% ?- phrase(([a],{X = 1},\+ [c]), [a,b], R).
% ?- phrase(foo, [a]).
% ?- phrase(X, [a]).
% ?- phrase([a], b).

:- use_module(library(dcg/basics)).

csv([F|Fs]) --> field(F), ( "," -> csv(Fs) ; { Fs = [] } ).
field(N) --> number(N), !.
field(A) --> string_without(`,`, Cs), { atom_codes(A, Cs) }.
