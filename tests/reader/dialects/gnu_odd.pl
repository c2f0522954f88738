X = - 1.
X = -1.
X = - a.
X = -(1).
X = -(-(1)).
X = - (1).
- = x.
X = [-].
f(- , a).
f(:- , a).
f(:- a, b).
f((a:-b), b).
f(a:-b, b).
[a:-b, c].
[a|b:-c].
{a:-b}.
- - a.
- - 1.
\ - .
X = 0'''.
X = 0''.
X = 0'a.
X = 0'\n.
X = 0'\x41\.
X = 1 000.
X = 1_000.
X = 16'FF.
X = 1r3.
X = 1.0Inf.
X = 1.0e10.
X = 1e10.
X = 1.0E+10.
X = 0x1F.
X = 0b101.
X = 0o17.
a:b:c.
a :- b | c.
(a | b).
[a | b | c].
X = '|'.
X = '|'(a,b).
{}.
{}(x).
'{}'(x).
{ }.
[ ].
[](x).
X = [].
X = '[]'.
X = f().
X = a.b.
X = "abc".
X = `abc`.
X = 'a\  b'.
X = 'a\e\s\z'.
X = 'a\s'.
X = 'a\e'.
X = 'a\0\'.
X = 'a\d'.
X = '\u00e9'.
X = "it's".
X = 'don''t'.
X = a /* c /* d */ .
X = F(a).
X = f (a).
X = - (a).
X = -(a)^2.
X = -1^2.
X = - 1^2.
X = a- 1.
X = a -1.
X = a-1.
X = (a,b).
X = ','.
X = (,).
X = [a,,b].
X = f(;).
X = (;).
X = !.
!(a).
;(a,b).
- * - .
- * a.
* * * .
= = = .
\+ (a,b).
\+(a,b).
\+ a,b.
:- dynamic a/1, b/2.
:- dynamic(a/1).
X = dynamic.
X = '+'.
a '+' b.
- 'a'.
'-' a.
'-'(1).
'-' 1.
'\\+' a.
a 'is' b.
X is 1 '-' 2.
X = (a -> b ; c).
X = (a *-> b ; c).
X = a:b.
X = (:- a).
X = [(:-)|(:-)].
X = [:-|:-].
X = :- .
X = \+ .
\+ = \+ .
f(+).
f(a, -).
[-|-].
X = {-}.
X = -(-).
X = -(-(-)).
X = 1 - -1.
X = 1 -(-1).
X = 2 ** -1.
X = -a^2.
X = -(1)^2.
X = (a , b | c).
X = f(|).
X = f(a|b).
X = _.
f(_, _, A, A).
X == -1.
X = "a""b".
X = \a.
X = \ (a).
X = @(a).
X = #(a).
X = $a.
X = point{x:1}.
X = é.
X = 'é'.
X = a:b:c/d.
:- op(700, xfx, =>>).
a =>> b.
:- op(200, xfy, ^^^).
a ^^^ b ^^^ c.
:- op(0, xfx, =>>).
a =>> b.
:- op(9, fx, fx).
fx 1.
fx -1.
fx (1).
X = fx.
:- op(700, xfx, 'two words').
a 'two words' b.
:- set_prolog_flag(double_quotes, atom).
X = "abc".
:- set_prolog_flag(double_quotes, chars).
X = "abc".
a --> b, {c}, "d".
a, [b] --> c.
p :- a, !, b ; c -> d ; \+ e.
