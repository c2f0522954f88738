%% Primes by sieving.
% ?- primes(50, Ps).
% ?- primes(1, Ps).
% ?- factors(360, Fs).
% ?- factors(123456789, Fs).
% ?- twin(30, P, Q).

primes(N, Ps) :- ( N < 2 -> Ps = [] ; numlist(2, N, Ns), sieve(Ns, Ps) ).

sieve([], []).
sieve([P|Ns], [P|Ps]) :- exclude([N]>>(0 is N mod P), Ns, Rest), sieve(Rest, Ps).

factors(N, Fs) :- factors(N, 2, Fs).
factors(1, _, []) :- !.
factors(N, F, [F|Fs]) :- N mod F =:= 0, !, M is N//F, factors(M, F, Fs).
factors(N, F, Fs) :- F*F =< N, !, G is F+1, factors(N, G, Fs).
factors(N, _, [N]).

twin(N, P, Q) :- primes(N, Ps), member(P, Ps), Q is P+2, memberchk(Q, Ps).
