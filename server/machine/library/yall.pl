%% Lambda expressions: `Free/[X,Y]>>Goal`, and `Free/Closure`.

'>>'(Parameters, Lambda) :-
    '$lambda'(Parameters, Lambda, []).
'>>'(Parameters, Lambda, A1) :-
    '$lambda'(Parameters, Lambda, [A1]).
'>>'(Parameters, Lambda, A1, A2) :-
    '$lambda'(Parameters, Lambda, [A1,A2]).
'>>'(Parameters, Lambda, A1, A2, A3) :-
    '$lambda'(Parameters, Lambda, [A1,A2,A3]).
'>>'(Parameters, Lambda, A1, A2, A3, A4) :-
    '$lambda'(Parameters, Lambda, [A1,A2,A3,A4]).
'>>'(Parameters, Lambda, A1, A2, A3, A4, A5) :-
    '$lambda'(Parameters, Lambda, [A1,A2,A3,A4,A5]).
'>>'(Parameters, Lambda, A1, A2, A3, A4, A5, A6) :-
    '$lambda'(Parameters, Lambda, [A1,A2,A3,A4,A5,A6]).

'/'(Free, Closure0) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure).
'/'(Free, Closure0, A1) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure, A1).
'/'(Free, Closure0, A1, A2) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure, A1, A2).
'/'(Free, Closure0, A1, A2, A3) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure, A1, A2, A3).
'/'(Free, Closure0, A1, A2, A3, A4) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure, A1, A2, A3, A4).
'/'(Free, Closure0, A1, A2, A3, A4, A5) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure, A1, A2, A3, A4, A5).
'/'(Free, Closure0, A1, A2, A3, A4, A5, A6) :-
    copy_term(Free/Closure0, Free/Closure),
    call(Closure, A1, A2, A3, A4, A5, A6).

'$lambda'(Parameters0, Lambda0, Arguments) :-
    '$lambda_copy'(Parameters0, Lambda0, Parameters, Lambda),
    '$lambda_bind'(Parameters, Arguments, Extra),
    '$lambda_call'(Lambda, Extra).

% Without free variables that are named, all variables are the lambda's own.
'$lambda_copy'(Free/Parameters0, Lambda0, Parameters, Lambda) :-
    !,
    copy_term(Free/Parameters0>>Lambda0, Free/Parameters>>Lambda).
'$lambda_copy'(Parameters0, Lambda0, Parameters, Lambda) :-
    copy_term(Parameters0>>Lambda0, Parameters>>Lambda).

'$lambda_bind'([], Extra, Extra) :-
    !.
'$lambda_bind'([P|Ps], [A|As], Extra) :-
    !,
    P = A,
    '$lambda_bind'(Ps, As, Extra).
'$lambda_bind'(Parameters, [], _) :-
    throw(error(domain_error(lambda_parameters, Parameters), _)).

'$lambda_call'(Lambda, []) :-
    !,
    call(Lambda).
'$lambda_call'(Lambda, Extra) :-
    Goal =.. [call,Lambda|Extra],
    call(Goal).
