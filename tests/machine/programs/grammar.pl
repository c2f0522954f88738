%% A small English grammar with agreement and parse trees.
% ?- phrase(sentence(T), [the,cat,sees,a,dog]).
% ?- phrase(sentence(T), [the,cats,see,the,dog,that,sleeps]).
% ?- phrase(sentence(_), [the,cat,see,a,dog]).
% ?- findall(S, phrase(sentence(s(np(_,N),vp(sleeps))), S), L), length(L, K).
% ?- phrase(digits(Ds), `123`, Rest).

sentence(s(NP,VP)) --> noun_phrase(Number, NP), verb_phrase(Number, VP).

noun_phrase(Number, np(D,N)) --> determiner(Number, D), noun(Number, N).
noun_phrase(Number, np(D,N,that(VP))) --> determiner(Number, D), noun(Number, N), [that], verb_phrase(Number, VP).

verb_phrase(Number, vp(V)) --> intransitive(Number, V).
verb_phrase(Number, vp(V,NP)) --> transitive(Number, V), noun_phrase(_, NP).

determiner(_, the) --> [the].
determiner(singular, a) --> [a].

noun(singular, cat) --> [cat].
noun(singular, dog) --> [dog].
noun(plural, cats) --> [cats].

intransitive(singular, sleeps) --> [sleeps].
intransitive(plural, sleep) --> [sleep].
transitive(singular, sees) --> [sees].
transitive(plural, see) --> [see].

digits([D|Ds]) --> digit(D), digits(Ds).
digits([D]) --> digit(D).
digit(D) --> [C], { code_type(C, digit(D)) }.
