% GNU Prolog: told by its constraint solver; `\`` quotes atoms. What its own reader makes of odd clauses is in gnu_odd.pl.
:- initialization(main).
%= ':-'('initialization'('main'))
main :- queens(8, L), fd_labeling(L), write(L), nl.
%= ':-'('main',','('queens'(8,_0),','('fd_labeling'(_0),','('write'(_0),'nl'))))
p(X, Y) :- X #= Y ## Z, X #=# 2 * Y.
%= ':-'('p'(_0,_1),','('##'('#='(_0,_1),_2),'#=#'(_0,'*'(2,_1))))
p(`an atom`, "codes", - 1).
%= 'p'('an atom',[99,111,100,101,115],-1)
