% Ciao: told by its packages; `:` is 550, strings are codes, the packages' words are operators.
:- module(ciao, [app/3, len/2, '=>>'/2], [assertions, regtypes, isomodes, fsyntax]).
%= ':-'('module'('ciao',['/'('app',3),'/'('len',2),'/'('=>>',2)],['assertions','regtypes','isomodes','fsyntax']))
:- use_module(library(lists), [append/3]).
%= ':-'('use_module'('library'('lists'),['/'('append',3)]))
:- regtype tree/1.
%= ':-'('regtype'('/'('tree',1)))
:- prop p(X) + regtype.
%= ':-'('prop'('+'('p'(_0),'regtype')))
:- data counter/1.
%= ':-'('data'('/'('counter',1)))
p(X) :- X = "ab".
%= ':-'('p'(_0),'='(_0,[97,98]))
p(X) :- X = a:b.
%= ':-'('p'(_0),'='(_0,':'('a','b')))
% In SWI-Prolog the next is an error: 700 within 600.
p(X) :- lists:append(X, X, _).
%= ':-'('p'(_0),':'('lists','append'(_0,_0,_1)))
p(X) :- a:b = X.
%= ':-'('p'(_0),'='(':'('a','b'),_0))
q(X) :- X '=' a.
%= ':-'('q'(_0),'='(_0,'a'))
fact(N) := N * ~fact(N-1).
%= ':='('fact'(_0),'*'(_0,'~'('fact'('-'(_0,1)))))
/* comments /* do not nest */
r(- 1, -1, - a).
%= 'r'(-1,-1,'-'('a'))
r(# a).
%= error
r(a # b).
%= 'r'('#'('a','b'))
