% A program that says itself what is measured: what runs outside of profile/1 belongs to nobody. The redo of a call that was profiled is part of it,
% a centre that was entered outside shows what it has used inside.
% goal: main
% result success
:- use_package(profiler).
main :-
    loop(1000),
    profile(loop(3)),
    loop(500),
    profile((one_of(X), X >= 2)),
    catch(profile(thrown), stop, true),
    \+ profile(none(1)),
    loop(20).
loop(0) :- !.
loop(N) :- M is N-1, step(M), loop(M).
step(_).
one_of(1).
one_of(2).
one_of(3).
thrown :- loop(2), throw(stop).
none(2).
