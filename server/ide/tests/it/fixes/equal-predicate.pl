%%% applies: the length of a list, counted on the way back
%! size(+Xs:list(atom), -N:int) is det.
size(Xs, N) :- len(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%%% to
%! size(+Xs:list(atom), -N:int) is det.
size(Xs, N) :- length(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%%% applies: naive reverse with an own append, beside one with an accumulator
:- module(turned, [turned/2]).

%! turned(+Xs:list(atom), -Ys) is det.
turned(Xs, Ys) :- nrev(Xs, Zs), Ys = r(Zs).

nrev([], []).
nrev([H|T], R) :- nrev(T, S), app(S, [H], R).

app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
app([], Ys, Ys).

reverse(L, R) :- rev(L, [], R).

rev([H|T], Acc, R) :- rev(T, [H|Acc], R).
rev([], R, R).
%%% to
:- module(turned, [turned/2]).

%! turned(+Xs:list(atom), -Ys) is det.
turned(Xs, Ys) :- reverse(Xs, Zs), Ys = r(Zs).

nrev([], []).
nrev([H|T], R) :- nrev(T, S), app(S, [H], R).

app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
app([], Ys, Ys).

reverse(L, R) :- rev(L, [], R).

rev([H|T], Acc, R) :- rev(T, [H|Acc], R).
rev([], R, R).
%%% forbidden: a partial list has many lengths, of which len/2 gives each
size(Xs, N) :- len(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%%% forbidden: the length is known, so that length/2 may raise an error where len/2 fails
%! has(+Xs:list(atom), +N:int) is semidet.
has(Xs, N) :- len(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%%% forbidden: elements are counted twice
%! size(+Xs:list(atom), -N:int) is det.
size(Xs, N) :- len(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+2.
%%% forbidden: a helper that drops the last element
%! turned(+Xs:list(atom), -Ys) is det.
turned(Xs, Ys) :- rev(Xs, Ys).

rev(Xs, Ys) :- rev(Xs, [], Ys).

rev([_], Ys, Ys).
rev([X|Xs], Acc, Ys) :- rev(Xs, [X|Acc], Ys).
%%% forbidden: the one of the library is no cheaper
%! joined(+Xs:list(atom), +Ys:list(atom), -Zs) is det.
joined(Xs, Ys, Zs) :- app(Xs, Ys, Zs).

app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
