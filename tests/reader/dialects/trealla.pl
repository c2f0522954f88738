#!/usr/bin/env -S tpl -g main
% Trealla Prolog: told by the first line.
:- use_module(library(clpz)).
%= ':-'('use_module'('library'('clpz')))
:- initialization(main).
%= ':-'('initialization'('main'))
main :- X = "ab", ( X = [a|_] *-> true ; false ).
%= ':-'('main',','('='(_0,['a','b']),';'('*->'('='(_0,['a'|_1]),'true'),'false')))
p(X, Y) :- X #= Y xor 3, Z = (1 rdiv 3 as rational).
%= ':-'('p'(_0,_1),','('#='(_0,'xor'(_1,3)),'='(_2,'as'('rdiv'(1,3),'rational'))))
