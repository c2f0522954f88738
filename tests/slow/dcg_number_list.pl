% asks: Is phrase slow? I parse a line of numbers with commas, half a megabyte takes about a second.
% call: input_line(N, Cs), parse_line(Cs, _)
% predicate: parse_line/2
% sizes: 20000 40000 80000 160000 320000
% class: n
% cause: digits

parse_line(Codes, Numbers) :-
    phrase(numbers(Numbers), Codes), !.

numbers([N|Ns]) -->
    digits(Ds),
    { Ds = [_|_], number_codes(N, Ds) },
    more(Ns).

more(Ns) --> ",", numbers(Ns).
more([]) --> [].

digits([D|Ds]) -->
    [D],
    { D >= 0'0, D =< 0'9 }, !,
    digits(Ds).
digits([]) --> [].

% about N characters
input_line(N, Cs) :-
    K is N // 4,
    length(Ns, K),
    maplist(=(123), Ns),
    atomic_list_concat(Ns, ',', A),
    atom_codes(A, Cs).
