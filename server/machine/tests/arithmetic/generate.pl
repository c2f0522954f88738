% Writes what SWI-Prolog answers for every pure function of is/2 over a set of numbers: `Expression <TAB> Answer`.
%
%     swipl generate.pl > answers.tsv
%
% An answer is a number as writeq/1 writes it, or `throws Formal in Context` where the context is the name and arity of
% the predicate or function that the error term names.
:- initialization(main).

unary([abs,acos,acosh,asin,asinh,atan,atanh,\,ceil,ceiling,cos,cosh,erf,erfc,eval,exp,float,float_fractional_part,
       float_integer_part,floor,integer,lgamma,log,log10,lsb,-,msb,numerator,+,popcount,rational,rationalize,round,
       sign,sin,sinh,sqrt,denominator,tan,tanh,truncate]).
binary([/\,atan,atan2,\/,copysign,div,//,getbit,/,**,^,gcd,lcm,<<,max,min,-,mod,nexttoward,+,rdiv,rem,>>,*,xor]).
compares([<,=<,>,>=,=:=,=\=]).

% Numbers as texts, so that the table shows what was asked.
one(['0','1','-1','2','-2','3','7','-7','10','64','-100','255','1023','72057594037927936','-72057594037927937',
     '4611686018427387904','9007199254740993','9223372036854775807','-9223372036854775808','9223372036854775808',
     '-9223372036854775809','123456789012345678901234567890','-123456789012345678901234567890',
     '100000000000000000000000000000000000000000000000000000000000000000',
     '1r3','-1r3','7r2','-7r2','5r2','3r2','1r1267650600228229401496703205376','-22222222222222222222r7',
     '0.0','-0.0','1.0','-1.0','0.5','-0.5','1.5','-1.5','2.5','-2.5','0.1','3.7','-3.7','100.0','1.0e10','123456.789',
     '4503599627370497.5','9007199254740992.0','9007199254740994.0','1.0e22','-1.0e22','1.0e100','1.0e300',
     '1.7976931348623157e308','2.2250738585072014e-308','5.0e-324','1.0e-7','inf','-inf','nan','pi','e','epsilon']).
two(['0','1','-1','2','3','-7','9223372036854775807','-9223372036854775808',
     '123456789012345678901234567890','1r3','-7r2','-0.0','1.0','-1.5','2.5','9007199254740992.0',
     '9007199254740993',inf,nan]).

main :-
    one(One), two(Two), unary(Unary), binary(Binary), compares(Compares),
    forall(( member(F, Unary), member(X, One) ), line(F, [X])),
    forall(( member(F, Binary), member(X, Two), member(Y, Two), \+ crashes(F, X, Y) ), line(F, [X,Y])),
    forall(( member(F, Compares), member(X, Two), member(Y, Two) ), compare_line(F, X, Y)),
    forall(( member(X, ['0','1','2','-3','10','1000']), member(Y, ['0','1','5','-1','100']), member(Z, ['0','1','-1','7','1000']) ),
           line(powm, [X,Y,Z])),
    forall(member(A, [to_nearest,to_positive,to_negative,to_zero,foo]),
           forall(member(X, ['1/3.0','-1/3.0','1/3','2**0.5','1+1.0e-20','-1-1.0e-20','sqrt(2)','1.0e300*1.0e300','0.1*3','float(1r3)',
                             'float(9007199254740993)','7','exp(1)']), roundtoward(X, A))),
    forall(member(E, ['pi','e','inf','nan','epsilon','foo','foo(1)','foo(1,2)','X','X+1','1+X','[1]','[X]','[1,2]','[]','\'[]\'','"a"','"ab"','""','[a]','[foo]','["a"]','[1.5]',
                      'a','1+a','foo+X','X+foo','foo(X)','{}','{1}','a:1','2+3*4-1','abs(X)','mod(X,0)','mod(1.5,X)','1/0+foo','foo+1/0','p(_,_,_)','powm(1,2,X)','maxfoo','roundtoward(1,X)','max(a,1)']),
           expression(E)),
    halt.

% This one is caught as a signal there.
crashes(/, '-9223372036854775808', '-1').
% Shifts by more than memory holds end the process.
crashes(F, _, Y) :-
    memberchk(F, [<<,>>]),
    memberchk(Y, ['9223372036854775807','-9223372036854775808','123456789012345678901234567890','9007199254740993']).
% SWI-Prolog 9.0.4 ends in a failed assertion for a power of a float to a rational, and of a rational to a huge integer.
crashes(F, X, Y) :-
    memberchk(F, [**,^]),
    memberchk(X, ['1r3','-7r2']),
    memberchk(Y, ['9223372036854775807','-9223372036854775808','123456789012345678901234567890','9007199254740993']).
crashes(F, X, Y) :-
    memberchk(F, [**,^]),
    memberchk(Y, ['1r3','-7r2']),
    memberchk(X, ['0.0','-0.0','1.0','-1.5','2.5','9007199254740992.0','1.0e300',inf,'-inf',nan]).

line(F, Texts) :-
    maplist([T,N]>>(term_to_atom(E, T), N is E), Texts, Numbers),
    Goal =.. [F|Numbers],
    answer(Goal, Answer),
    atomic_list_concat(Texts, '\t', All),
    format("~w\t~w\t~w~n", [F,All,Answer]).

compare_line(F, X, Y) :-
    term_to_atom(A, X), term_to_atom(B, Y),
    N is A, M is B,
    Goal =.. [F,N,M],
    ( call(Goal) -> Answer = true ; Answer = false ),
    format("~w\t~w\t~w\t~w~n", [F,X,Y,Answer]).

roundtoward(X, Mode) :-
    term_to_atom(E, X),
    answer(roundtoward(E, Mode), Answer),
    format("roundtoward\t~w\t~w\t~w~n", [X,Mode,Answer]).

expression(Text) :-
    term_to_atom(E, Text),
    answer(E, Answer),
    format("is\t~w\t~w~n", [Text,Answer]).

answer(Goal, Answer) :-
    catch(( X is Goal, format(atom(Answer), "~q", [X]) ), error(Formal, Context), true),
    (   var(Formal)
    ->  true
    ;   Formal = resource_error(_)
    ->  Answer = 'throws resource_error'
    ;   numbervars(Formal, 0, _),
        ( Context = context(In, Message) -> true ; In = none ),
        ( nonvar(Message) -> format(atom(M), " ~q", [Message]) ; M = '' ),
        format(atom(Answer), "throws ~q in ~q~w", [Formal,In,M])
    ).
