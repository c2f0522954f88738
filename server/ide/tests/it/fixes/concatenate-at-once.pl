%%% applies: a text between two others
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atom_concat(Folder, '/', Prefix),
    atom_concat(Prefix, Name, Path).
%%% to
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atomic_list_concat([Folder,'/',Name], Path).
%%% applies: from the right
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atom_concat('/', Name, Rest),
    atom_concat(Folder, Rest, Path).
%%% to
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atomic_list_concat([Folder,'/',Name], Path).
%%% forbidden: the text in between is used again
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atom_concat(Folder, '/', Prefix),
    atom_concat(Prefix, Name, Path0),
    Path = Prefix-Path0.
%%% forbidden: the result may be bound, and is split then
%! rest(+Folder:atom, ?Name, ?Path) is semidet.
rest(Folder, Name, Path) :-
    atom_concat(Folder, '/', Prefix),
    atom_concat(Prefix, Name, Path).
%%% forbidden: another goal stands in between
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atom_concat(Folder, '/', Prefix),
    write(Folder),
    atom_concat(Prefix, Name, Path).
