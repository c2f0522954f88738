% A program that says itself what is measured: what runs outside of profile/1 belongs to nobody. The redo of a call that was profiled is part of it,
% a centre that was entered outside shows what it has used inside.
% goal: main
% result success
% edge remainder -> remainder: ; steps 0
% edge remainder -> main/0: call-exit 1; steps 0
% edge main/0 -> loop/1: call-exit 1; steps 4, cuts 1
% edge loop/1 -> step/1: call-exit 5; steps 5
% edge main/0 -> one_of/1: call-exit 1, redo-exit 1; steps 2
% edge main/0 -> thrown/0: call-exception 1; steps 1
% edge thrown/0 -> loop/1: call-exit 1; steps 3
% edge main/0 -> none/1: call-fail 1; steps 0
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
