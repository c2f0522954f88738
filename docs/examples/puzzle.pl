/*  A little adventure puzzle.

    The player types sentences such as "take the lamp" or "go north".
    A grammar turns the words into a command, and the state of the world
    is kept in an assoc:  player -> Room,  item(Thing) -> Where.
*/

:- use_module(library(assoc)).
:- use_module(library(lists)).

% ---- the map ---
door(hall, north, library).
door(hall, east, kitchen).
door(library, up, attic).

connected(A, Dir, B) :- door(A, Dir, B).
connected(A, Dir, B) :- opposite(Dir, Back), door(B, Back, A).

opposite(north, south).
opposite(south, north).
opposite(east, west).
opposite(west, east).
opposite(up, down).
opposite(down, up).

% ---- the grammar ---
command(go(Dir))      --> verb(go), direction(Dir).
command(go(Dir))      --> direction(Dir).
command(take(Things)) --> verb(take), things(Things).
command(drop(Things)) --> verb(drop), things(Things).

verb(go)   --> [go] | [walk], optional_to.
verb(take) --> [take] | [pick, up].
verb(drop) --> [drop].

optional_to --> [to].
optional_to --> [].

direction(Dir) --> [Dir], { opposite(Dir, _) }.

things([T|Ts]) --> thing(T), more_things(Ts).

more_things(Ts) --> [and], things(Ts).
more_things([]) --> [].

thing(T) --> article, [T], { portable(T) }.
article --> [the] | [a] | [].

portable(lamp).
portable(key).
portable(book).

% ---- the world ---
initial(World) :-
    list_to_assoc([player-hall, item(lamp)-kitchen,
                   item(key)-attic, item(book)-library], World).

act(go(Dir), W0, W) :-
    get_assoc(player, W0, Here),
    connected(Here, Dir, There),
    put_assoc(player, W0, There, W).
act(take(Things), W0, W) :-
    foldl(take_one, Things, W0, W).
act(drop(Things), W0, W) :-
    foldl(drop_one, Things, W0, W).

take_one(T, W0, W) :-
    get_assoc(player, W0, Here),
    get_assoc(item(T), W0, Here),
    put_assoc(item(T), W0, bag, W).

drop_one(T, W0, W) :-
    get_assoc(item(T), W0, bag),
    get_assoc(player, W0, Here),
    put_assoc(item(T), W0, Here, W).

play([], W, W).
play([Sentence|Rest], W0, W) :-
    phrase(command(C), Sentence),
    act(C, W0, W1),
    play(Rest, W1, W).

solved(World) :-
    get_assoc(item(key), World, bag).

solution(Sentences, Final) :-
    initial(W0),
    play(Sentences, W0, Final),
    solved(Final).
% ?- solution([[walk,to,north], [up], [pick,up,the,key]], W).
