%% Grammar rules for texts as lists of codes.

white -->
    [C],
    { nonvar(C), code_type(C, white) }.

whites -->
    white,
    !,
    whites.
whites -->
    [].

blank -->
    [C],
    { nonvar(C), code_type(C, space) }.

blanks -->
    blank,
    !,
    blanks.
blanks -->
    [].

nonblank(C) -->
    [C],
    { code_type(C, graph) }.

nonblanks([C|Cs]) -->
    [C],
    { code_type(C, graph) },
    !,
    nonblanks(Cs).
nonblanks([]) -->
    [].

blanks_to_nl -->
    [C],
    { C \== 10, nonvar(C), code_type(C, space) },
    !,
    blanks_to_nl.
blanks_to_nl -->
    "\n",
    !.
blanks_to_nl, [] -->
    eos.

string([]) -->
    [].
string([C|Cs]) -->
    [C],
    string(Cs).

string_without(End, Cs) -->
    { string(End), !, string_codes(End, EndCodes) },
    string_without_(EndCodes, Cs).
string_without(End, Cs) -->
    string_without_(End, Cs).

string_without_(End, [C|Cs]) -->
    [C],
    { \+ memberchk(C, End) },
    !,
    string_without_(End, Cs).
string_without_(_, []) -->
    [].

alpha_to_lower(L) -->
    [C],
    {   nonvar(C)
    ->  code_type(C, alpha),
        code_type(C, to_upper(U)),
        L = U
    ;   L = C
    }.

digits([H|T]) -->
    digit(H),
    !,
    digits(T).
digits([]) -->
    [].

digit(C) -->
    [C],
    { code_type(C, digit) }.

integer(I, Head, Tail) :-
    nonvar(I),
    !,
    format(codes(Head, Tail), "~d", [I]).
integer(I) -->
    int_codes_(Codes),
    { number_codes(I, Codes) }.

int_codes_([0'-,D0|D]) -->
    "-",
    !,
    digits_([D0|D]).
int_codes_([D0|D]) -->
    ( "+" -> [] ; [] ),
    digits_([D0|D]).

digits_([H|T]) -->
    digit(H),
    digits(T).

float(F, Head, Tail) :-
    float(F),
    !,
    format(codes(Head, Tail), "~w", [F]).
float(F) -->
    number_(F0),
    { F is float(F0) }.

number(N, Head, Tail) :-
    nonvar(N),
    !,
    format(codes(Head, Tail), "~w", [N]).
number(N) -->
    number_(N).

number_(N) -->
    int_codes_(I),
    (   dot_,
        digit(DF0),
        digits(DF)
    ->  { F = [0'.,DF0|DF] }
    ;   { F = [] }
    ),
    (   exponent_
    ->  int_codes_(DI),
        { E = [0'e|DI] }
    ;   { E = [] }
    ),
    {   append([I,F,E], Codes),
        number_codes(N, Codes)
    }.

dot_ -->
    ".".

exponent_ -->
    "e".
exponent_ -->
    "E".

xinteger(Value, Head, Tail) :-
    integer(Value),
    !,
    format(codes(Head, Tail), "~16r", [Value]).
xinteger(Value) -->
    xdigit(D0),
    xdigits(D),
    { weights_value_([D0|D], 16, Value) }.

xdigits([H|T]) -->
    xdigit(H),
    !,
    xdigits(T).
xdigits([]) -->
    [].

xdigit(Weight) -->
    [C],
    { code_type(C, xdigit(Weight)) }.

weights_value_(Weights, Base, Value) :-
    weights_value_(Weights, 0, Base, Value).

weights_value_([], Value, _, Value).
weights_value_([W|Ws], Value0, Base, Value) :-
    Value1 is Value0*Base+W,
    weights_value_(Ws, Value1, Base, Value).

eol -->
    "\n",
    !.
eol -->
    "\r\n",
    !.
eol -->
    eos.

eos([], []).

remainder(Rest, Rest, []).

prolog_symbol([C|Cs]) -->
    [C],
    { nonvar(C), code_type(C, prolog_symbol) },
    prolog_symbols_(Cs).

prolog_symbols_([C|Cs]) -->
    [C],
    { nonvar(C), code_type(C, prolog_symbol) },
    !,
    prolog_symbols_(Cs).
prolog_symbols_([]) -->
    [].

csyms -->
    [C],
    { nonvar(C), code_type(C, csym) },
    !,
    csyms.
csyms -->
    [].

prolog_var_name(Name) -->
    [C0],
    { code_type(C0, prolog_var_start) },
    !,
    prolog_identifier_(Cs),
    { atom_codes(Name, [C0|Cs]) }.

prolog_identifier_([H|T]) -->
    [H],
    { code_type(H, prolog_identifier_continue) },
    !,
    prolog_identifier_(T).
prolog_identifier_([]) -->
    [].

atom(Atom, Head, Tail) :-
    must_be(nonvar, Atom),
    format(codes(Head, Tail), "~a", [Atom]).
