% Cuts that remove choice points, and those that remove none: by the references of frames and choice points.

% The cut of a clause is about to run: it removes the choice points on top of the clause's frame.
hcc_cut(Frame) :-
    prolog_current_choice(Choice),
    hcc_between(Choice, Frame, 0, Skips),
    hcc_note_cut(Skips).

% A condition has come true: its construct's own choice goes, too.
hcc_commit(Construct) :-
    prolog_current_choice(Choice),
    hcc_between(Choice, Construct, 1, Skips),
    hcc_note_cut(Skips).

hcc_note_cut(Skips) :-
    b_getval('$hcc_active', Act),
    arg(9, Act, State),
    (   arg(11, State, 0)
    ->  true
    ;   Skips =:= 0
    ->  hcc_add(7, Act, 1),
        hcc_add(5, State, 1)
    ;   hcc_add(6, Act, 1),
        hcc_add(4, State, 1),
        hcc_add(8, Act, Skips),
        hcc_add(6, State, Skips)
    ).

% Frames and choice points share a stack, so that a reference above another one is younger.
hcc_between(Choice, Below, Skips, Skips) :-
    Choice =< Below, !.
hcc_between(Choice, Below, Skips0, Skips) :-
    (   hcc_is_ours(Choice)
    ->  Skips1 = Skips0
    ;   Skips1 is Skips0 + 1
    ),
    (   prolog_choice_attribute(Choice, parent, Parent)
    ->  hcc_between(Parent, Below, Skips1, Skips)
    ;   Skips = Skips1
    ).

% A choice point of the instrumentation.
hcc_is_ours(Choice) :-
    prolog_choice_attribute(Choice, frame, Frame),
    prolog_frame_attribute(Frame, goal, Goal),
    (   Goal = hcc:_
    ->  true
    ;   strip_module(Goal, _, catch(_, _, Recovery)),
        nonvar(Recovery),
        strip_module(Recovery, hcc, _)
    ).
