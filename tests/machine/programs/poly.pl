%% Powers of polynomials as sorted lists of terms `Coefficient*Exponents`.
% ?- power(3, [1-[1,0], 1-[0,1]], P).
% ?- product([2-[1]], [3-[2],-2-[0]], P).
% ?- sum([1-[1]], [-1-[1]], P).

power(0, P, [1-Zeros]) :- !, P = [_-Es|_], zeros(Es, Zeros).
power(N, P, Q) :- M is N-1, power(M, P, R), product(P, R, Q).

zeros([], []).
zeros([_|Es], [0|Zs]) :- zeros(Es, Zs).

product([], _, []).
product([T|Ts], Q, R) :- times(Q, T, R1), product(Ts, Q, R2), sum(R1, R2, R).

times([], _, []).
times([C-Es|Ts], D-Fs, [E-Gs|Us]) :- E is C*D, add_exponents(Es, Fs, Gs), times(Ts, D-Fs, Us).

add_exponents([], [], []).
add_exponents([E|Es], [F|Fs], [G|Gs]) :- G is E+F, add_exponents(Es, Fs, Gs).

sum([], Q, Q) :- !.
sum(P, [], P) :- !.
sum([C-Es|P], [D-Fs|Q], R) :-
    compare(O, Es, Fs),
    sum(O, C-Es, P, D-Fs, Q, R).

sum(>, T, P, U, Q, [T|R]) :- sum(P, [U|Q], R).
sum(<, T, P, U, Q, [U|R]) :- sum([T|P], Q, R).
sum(=, C-Es, P, D-_, Q, R) :-
    E is C+D,
    (   E =:= 0
    ->  R = R1
    ;   R = [E-Es|R1]
    ),
    sum(P, Q, R1).
