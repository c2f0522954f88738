% Scryer Prolog: told by its libraries; strings are lists of characters.
:- use_module(library(clpz)).
%= ':-'('use_module'('library'('clpz')))
:- use_module(library(dcgs)).
%= ':-'('use_module'('library'('dcgs')))
:- use_module(library(lambda), [op(_, _, +\), (\)/1]).
%= ':-'('use_module'('library'('lambda'),['op'(_0,_1,'+\\'),'/'('\\',1)]))
p(X) :- X = "ab".
%= ':-'('p'(_0),'='(_0,['a','b']))
p(X) :- #X #= 1 + #Y.
%= ':-'('p'(_0),'#='('#'(_0),'+'(1,'#'(_1))))
p(X) :- X in 1..3 \/ 5..7.
%= ':-'('p'(_0),'in'(_0,'\\/'('..'(1,3),'..'(5,7))))
p(F) :- F = L+\X^(X = L).
%= ':-'('p'(_0),'='(_0,'+\\'(_1,'^'(_2,'='(_2,_1)))))
greeting --> "hi", ( "a" | [X], { X = b } ).
%= '-->'('greeting',','(['h','i'],'|'(['a'],','([_0],'{}'('='(_0,'b'))))))
q(X) :- X '=' a.
%= ':-'('q'(_0),'='(_0,'a'))
r(- 1, '[]', []).
%= 'r'(-1,[],[])
r(a{b:1}).
%= error
r(f()).
%= error
r(X) :- X = a *-> b ; c.
%= error
/* comments /* do not nest */
s.
%= 's'
