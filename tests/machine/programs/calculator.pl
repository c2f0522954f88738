%% Tokens, a parser for expressions, and their values.
% ?- evaluate("1 + 2 * 3", V).
% ?- evaluate("(1+2)*3 - 4/2", V).
% ?- evaluate("2*(3+", V).
% ?- parse("1-2-3", T).
% ?- evaluate("12 / (4 - 4)", V).

evaluate(Text, Value) :- parse(Text, Tree), Value is Tree.

parse(Text, Tree) :- string_codes(Text, Codes), phrase(tokens(Ts), Codes), phrase(expression(Tree), Ts).

tokens(Ts) --> space, !, tokens(Ts).
tokens([T|Ts]) --> token(T), !, tokens(Ts).
tokens([]) --> [].

space --> [C], { code_type(C, space) }.

token(number(N)) --> digit(D), digits(Ds), { number_codes(N, [D|Ds]) }.
token(punctuation(P)) --> [C], { memberchk(C, `+-*/()`), char_code(P, C) }.

digits([D|Ds]) --> digit(D), !, digits(Ds).
digits([]) --> [].
digit(D) --> [D], { code_type(D, digit) }.

expression(E) --> term(T), more_terms(T, E).
more_terms(L, E) --> [punctuation(Op)], { memberchk(Op, [+,-]) }, !, term(R), { T =.. [Op,L,R] }, more_terms(T, E).
more_terms(E, E) --> [].
term(E) --> factor(F), more_factors(F, E).
more_factors(L, E) --> [punctuation(Op)], { memberchk(Op, [*,/]) }, !, factor(R), { T =.. [Op,L,R] }, more_factors(T, E).
more_factors(E, E) --> [].
factor(N) --> [number(N)].
factor(E) --> [punctuation('(')], expression(E), [punctuation(')')].
