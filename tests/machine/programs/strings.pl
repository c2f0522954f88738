%% Texts taken apart and put together.
% ?- palindrome("A man, a plan, a canal: Panama").
% ?- caesar(3, 'hello world', S).
% ?- words("the quick  brown fox", Ws), maplist(string_length, Ws, Ls).
% ?- findall(B, sub_atom(mississippi, B, _, _, ss), L).
% ?- atom_codes(A, [0'h,0'i]), atom_length(A, N), atom_chars(A, Cs), upcase_atom(A, U).
% ?- atomic_list_concat([a,1,"b",2.5], X), atomic_list_concat(Parts, ',', 'x,y,,z').
% ?- number_codes(X, "12"), atom_number('3.5', Y), atom_number(foo, Z).
% ?- split_string("k=v; x = y", ";", " ", Parts).
% ?- sub_string("hello world", 6, 5, A, S), string_concat(S, "!", T), string_chars(T, Cs).
% ?- rle("aaabccd", R).
% ?- string_code(1, "abc", C), char_code(Ch, C), atom_string(At, "xyz").
% ?- atom_to_term('foo(X, bar(Y), X)', T, Bs).

palindrome(String) :-
    string_lower(String, Lower),
    string_codes(Lower, Codes),
    include([C]>>code_type(C, csymf), Codes, Letters),
    reverse(Letters, Letters).

caesar(N, Atom, Shifted) :- atom_codes(Atom, Cs), maplist(shift(N), Cs, Ds), atom_codes(Shifted, Ds).
shift(N, C, D) :- C >= 0'a, C =< 0'z, !, D is (C-0'a+N) mod 26+0'a.
shift(_, C, C).

words(S, Ws) :- split_string(S, " ", "", Ws0), exclude(==(""), Ws0, Ws).

rle(S, R) :- string_chars(S, Cs), clumped_chars(Cs, R).
clumped_chars([], []).
clumped_chars([C|Cs], [C-N|R]) :- run(Cs, C, 1, N, Rest), clumped_chars(Rest, R).
run([C|Cs], C, N0, N, Rest) :- !, N1 is N0+1, run(Cs, C, N1, N, Rest).
run(Rest, _, N, N, Rest).
