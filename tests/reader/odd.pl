% Clauses that are easily misread, for swi_agreement.rs: what SWI-Prolog accepts must be accepted and give the same term,
% what it refuses must be refused. One clause per line, but where layout matters.
:- op(700, xfx, =>>), op(200, xfy, ^^^), op(100, yf, post), op(700, xf, xpost).
:- op(700, xfx, 'two words'), op(0, xfx, =@=), op(200, xfy, [left, right]), op(700, fx, user:qualified).
X = - 1.
X = -1.
X = - a.
X = -(1).
X = -(-(1)).
X = - (1).
- = x.
dynamic = x.
X = (dynamic = x).
\+ = a.
[-].
[- , a].
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
-(-).
\ - .
X = 0''.
X = 0'''.
X = 0'a.
X = 0'\n.
X = 0'\x41\ .
X = 1 000 000.
X = 1 2.
X = 1_000_000.
X = 1_000_ 
 000.
X = 16'FF.
X = 1r3.
X = 1R3.
X = 1.0Inf.
X = 1.5NaN.
X = -1.0Inf.
X = 1.0e10.
X = 1e10.
X = 1.0E+10.
X = 1E5.
X = 1.e.
X = 1.0e.
X = 0x1F.
X = 0b101.
X = 0o17.
X = 0xg.
X = 12abc.
X = 2r4.
X = -2r4.
X = 1r0.
a:b:c.
a :- b | c.
(a | b).
[a | b | c].
X = '|'.
X = '|'(a,b).
X = |(a,b).
{}.
{}(x).
'{}'(x).
{ }.
[ ].
[](x).
[]().
X = f().
X = a.b.
X = Y.b.
X = Y.put(a,b).c.
X = _{a:1, b:2}.
X = point{x:1, y:2}.x.
X = "abc" .
X = `abc`.
X = 'a\
b'.
X = 'a
b'.
X = "a
b".
X = 'a\  b'.
X = "a\c   b".
X = 'don''t'.
X = 'a\e\0\b\s\z'.
X = '\s'.
X = '\e\0\d'.
X = '\u00e9\U000000e9'.
X = a/* c /* d */ e */ .
X = f(A, A, _B, _, _).
X = F(a).
X = F().
X = "a"(b).
X = f (a).
X = - (a).
X = -(a).
X = -(a)^2.
X = - (a)^2.
X = -1^2.
X = - 1^2.
X = a- 1.
X = a -1.
X = a-1.
X = [a,b|c,d].
X = (a,b).
X = ','.
X = ','(a,b).
X = (,).
X = [a,,b].
X = f(a,).
X = f(,).
X = f(;).
X = (a;b).
X = (;).
X = !.
!(a).
;(a,b).
$a.
?- a.
:- a.
:- :- a.
a :- b :- c.
a = b = c.
a post.
a post post.
- a post.
X = a post.
f(a xpost, b).
a = b xpost.
X = * .
* = * .
X = [=, -, *].
X = [= | -].
- - .
- * - .
- * a.
a * - .
* * * .
= = = .
\+ (a,b).
\+(a,b).
\+a,b.
\+ [a].
:- dynamic a/1, b/2.
:- (dynamic a/1), b/2.
dynamic.
table a.
x is 'mod' 3.
x is a mod 3.
x is 'mod'(a,3).
- (1).
-(1).
+ 1.
+1.
+(1).
a= \+b.
a= \+ .
\+ = \+ .
p :- a, !, b ; c -> d ; e.
a --> b, {c}, [d], "e".
a, [b] --> c.
a => b.
a, c => b.
a ==> b.
X = é.
X = 日本.
Éa = 1.
X = a→b.
X = (→).
X = ².
a:-b.%c
a.b.
X = "a" "b".
X = 'a' 'b'.
(a):-(b).
X = [](a).
X = {a}(b).
X = f(a)(b).
X = A[1].
X = a[1].
X = [1][2].
A{b:c}.
f(A.b) :- true.
1 = 2.
X = 1.2.3.
X = \(a).
a@b.
X = (a:-b,c).
X = (:-).
X = [:-].
X = [:-|:-].
X = (:- :- :-).
f(:-, :-).
- :- a.
:- - .
\ a.
\a\b.
- - - a.
f(- - - a).
f(-a).
1 - 1.
a- -1.
a - - 1.
a--1.
a-(-1).
2- 1.
2 -1.
2-1.
[-1].
[- 1].
(- 1).
(-(1)).
-(1)+2.
- 1 + 2.
-a+2.
f(+).
[+|T].
{-}.
{+,-}.
(-).
-[1].
-{a}.
-(a,b).
-(a),b.
-(a)=b.
-(2)^2.
- (2)^2.
\(a)^2.
+(2)^2.
X = 0'''a.
X = 0''a.
X = [0'', 0'a].
X = [0''', 0'a].
X = 0'\\ .
X = 0'\' .
X = 0' .
X = 0'
.
X = 0'\u00e9 .
X = "\x41\\101\z".
X = "\x41\\101\".
X = "a""b".
X = `a``b`.
X = '\`\"\''.
X = "\
  a".
X = f(
).
X = f( ).
X = a . b.
X = Y. b.
X = "a".b.
X = [a].b.
X = f(x).b.
X = (a).b.
X = {a}.b.
X = {}.b.
X = Y.b(c).d = e.
X = a.B.
X = A.B.
X = a.1.
X = A.1.
X = 'a'.b.
X = 0'a.b.
X = A.'b'.
X = A.[b].
X = A.(b).
X = A.+ .
X = A."b".
[a.b].
X=..Y.
X = a.. .
X = .. .
{a}:-b.
[a] :- b.
:- op(200,xfx,[]).
[] = x.
{} = x.
- [] .
- {}.
-{}(a).
a:-b.
c:-d.
X = _{}.
X = a{}.
X = a{b:c}.put(d).
X = a {b:c}.
X = #{a:1}.
X = 'a'{b:1}.
X = _{a: 1 , b:X}.
X = _{1:a}.
X = _{"a":a}.
X = _{'a b':a}.
X = _{a-1}.
X = _{b:1, a:2}.
X = _{b:1, b:2}.
X = _{B:1}.
X = 1.0e400.
X = 123456789012345678901234567890.
X = 0'ab.
X = 1e400.
X = 1.0e-400.
X = inf.
X = nan.
X = 1.0 Inf.
X = 1.0Infx.
X = 1_000.5.
X = 1 000.5.
X = 1 a.
X = 1  2.
X = 1
2.
X = 1_a.
X = 1__0.
X = 16'F_F.
X = 0xF_F.
X = 0x F.
X = 1r 3.
X = 10r_3.
X = 1_0r3.
X = 1.5r3.
X = 2'102.
X = 36'Zz.
X = -0.0.
X = -0'a.
X = - 0'a.
X = -0x1.
X = +0x1.
X = [-1.0Inf].
X = (- 1.0).
X = \+ a.
p :- a, \+ b, c.
p :- (a , b) -> c ; d.
p :- a | b ; c.
p :- a ; b | c.
p --> a | b.
X = (a | b | c).
X = [a|b].
X = {a|b}.
X = f(a|b).
X = f((a|b)).
X = (|).
X = [|].
X = f(|).
X = '||'(a).
X = (a :- b | c).
X = (:- dynamic a).
X = [dynamic a, b].
X = f(dynamic a, b).
X = f(dynamic, b).
X = dynamic.
X = (dynamic).
X = dynamic a.
dynamic a, b.
a = dynamic, b.
- = - .
[- = -].
f(= , a).
f(a = , b).
f(= a , b).
= a.
a = .
= .
f(is).
f(is, mod).
is = mod.
is mod is.
mod is mod.
X is mod.
a mod.
$ = a.
$ + a.
\ = a.
? = a.
?- = a.
:- = a.
f(:- = a).
- :- b.
- , b.
dynamic , b.
dynamic :- b.
table :- b.
:- dynamic.
:- - , b.
- a = b.
-(a) = b.
\+ a = b.
\+ a , b.
a , \+ .
a = (\+) .
a * (b + c) * d.
a - (b - c) - d.
2 ** 3 ** 4.
2 ^ 3 ^ 4.
a:b:c/d.
(a:-b):-c.
a;b;c.
a->b;c.
a*->b;c.
a:=b.
X as Y.
a>:<b.
a:<b.
X = "".
X = ''.
X = ``.
''(a).
'a'(b).
'a' (b).
[](a).
f([](a)).
X = [] (a).
- (a,b).
-(a,b)-c.
:-(a,b).
:-(a).
:- (a,b).
+(a,b,c).
,(a,b).
X = ,(a,b).
'\
'.
a b.
a :- b.
∀∃ = a.
X = á.
X = ª.
X = ǅa.
X = Ⅰ.
X = Ⅻ.
X = × .
X = a×b.
X = ¹.
X = µ.
X = … .
X = a·b.
X = .
a 'two words' b.
a 'is' b.
a ',' b.
a '|' b.
a =@= b.
a left b right c.
qualified a.
X = '\x41\b'.
:- set_prolog_flag(double_quotes, codes).
p("codes", `back`, "").
:- set_prolog_flag(double_quotes, atom).
p("atom", `back`).
:- set_prolog_flag(double_quotes, chars).
p("chars").
:- set_prolog_flag(double_quotes, string).
p("string").
:- op(0, fy, \+).
p :- \+ a.
p :- \+(a).
p --> "a", [b], !, \+ c, {d}, call(e, f).
p, [a] --> b.
head(X), X > 1 => body.
:- if(true).
p :- a.
:- elif(false).
p :- b.
:- else.
p :- c.
:- endif.
p(X) :- ( a -> b ; c -> d ; e ), ( f *-> g ; h ), \+ (i, j).
p :- a, % comment
     b  /* and another */ , c.
p:-a,b.q:-c.
