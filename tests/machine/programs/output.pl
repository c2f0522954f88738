%% What is written.
% ?- columns.
% ?- format("~a~t~15|~w~t~8+~q~n", [left,mid,'Q q']).
% ?- format("~t~2f~10|~n", [3.14159]), format("~e ~4g~n", [1.5,2.0]).
% ?- format("~`-t~20|~n").
% ?- print([a,'B',"c",1.0]), nl, write_canonical(f(X,Y,X)), nl.
% ?- writeq(['A'|b]), tab(3), writeq({x,y}), nl.
% ?- writeq(- (1)), nl, writeq(1 - -1), nl, writeq(a= \+), nl.
% ?- write_term([1,2,3], [max_depth(2)]).
% ?- format("~d ~D ~2d~n", [1234567,1234567,1234567]).
% ?- format("~s and ~c~c~n", ["codes",104,105]).
% ?- format("no arguments~n"), format("~w", hello).
% ?- format("~w ~w", [one]).
% ?- format("~q", [[a|b]]), format("~i~w", [skipped,shown]), format("~*c", [3,0'x]).
% ?- with_output_to(string(S), ( write(a), write(1) )).
% ?- format(atom(A), "~p-~8|~w", [x,y]).
% ?- portray_clause((a(X) :- b(X, Y), \+ c(Y), ( d -> e ; f ))).
% ?- print_list([a,b]).

columns :- forall(member(N-Name, [1-one,10-ten,100-hundred]), format("~t~d~6|  ~w~t~12+|~n", [N,Name])).

print_list([]).
print_list([X|Xs]) :- print(X), nl, print_list(Xs).
