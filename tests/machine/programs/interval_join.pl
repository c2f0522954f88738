%% Intervals: overlap, union, gaps, scheduling.
% ?- union_of([1-3,2-5,7-8,8-9], U).
% ?- gaps([1-2,4-5,9-10], G).
% ?- schedule([a(1,4),b(3,5),c(0,6),d(5,7),e(6,10)], S).
% ?- overlapping([x-1-4,y-2-3,z-5-6], P).

union_of(Is, U) :- msort(Is, [I|Rest]), merge(Rest, I, U).
merge([], I, [I]).
merge([A-B|Is], C-D, U) :- ( A =< D -> E is max(B, D), merge(Is, C-E, U) ; U = [C-D|V], merge(Is, A-B, V) ).

gaps([_], []).
gaps([_-B,C-D|Is], [B-C|G]) :- B < C, !, gaps([C-D|Is], G).
gaps([_,I|Is], G) :- gaps([I|Is], G).

schedule(Tasks, Names) :-
    findall(End-Start-Name, ( member(T, Tasks), T =.. [Name,Start,End] ), L),
    sort(L, Sorted),
    choose(Sorted, 0, Names).
choose([], _, []).
choose([E-S-N|Ts], Free, Names) :- ( S >= Free -> Names = [N|Ns], choose(Ts, E, Ns) ; choose(Ts, Free, Names) ).

overlapping(Is, P) :- findall(X-Y, ( member(X-A-B, Is), member(Y-C-D, Is), X @< Y, A =< D, C =< B ), P).
