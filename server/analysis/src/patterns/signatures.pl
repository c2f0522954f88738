% What values built-ins and well-known library predicates pass around; only for guesses, and only where it says something.
% `any` is anything, each time another one.
append(list(A), list(A), list(A)).
append(list(list(A)), list(A)).
length(list(_), int).
member(A, list(A)).
memberchk(A, list(A)).
reverse(list(A), list(A)).
nth0(int, list(A), A).
nth1(int, list(A), A).
nth0(int, list(A), A, list(A)).
nth1(int, list(A), A, list(A)).
last(list(A), A).
msort(list(A), list(A)).
sort(list(A), list(A)).
sort(any, any, list(A), list(A)).
predsort(any, list(A), list(A)).
keysort(list(K-V), list(K-V)).
permutation(list(A), list(A)).
list_to_set(list(A), list(A)).
list_to_ord_set(list(A), list(A)).
sum_list(list(num), num).
sumlist(list(num), num).
max_list(list(num), num).
min_list(list(num), num).
max_member(A, list(A)).
min_member(A, list(A)).
numlist(int, int, list(int)).
between(int, int, int).
succ(int, int).
plus(int, int, int).
select(A, list(A), list(A)).
selectchk(A, list(A), list(A)).
select(A, list(A), A, list(A)).
exclude(any, list(A), list(A)).
include(any, list(A), list(A)).
partition(any, list(A), list(A), list(A)).
delete(list(A), A, list(A)).
subtract(list(A), list(A), list(A)).
intersection(list(A), list(A), list(A)).
union(list(A), list(A), list(A)).
flatten(any, list(_)).
is_list(list(_)).
is_set(list(_)).
pairs_keys_values(list(K-V), list(K), list(V)).
pairs_keys(list(K-_), list(K)).
pairs_values(list(_-V), list(V)).
findall(A, any, list(A)).
findall(A, any, list(A), list(A)).
bagof(A, any, list(A)).
setof(A, any, list(A)).
integer(int).
number(real).
float(real).
atom(atm).
random(real).
random_between(int, int, int).
atom_length(any, int).
string_length(any, int).
atom_chars(any, list(atm)).
atom_codes(any, list(int)).
number_codes(num, list(int)).
char_code(atm, int).
string_chars(any, list(atm)).
string_codes(any, list(int)).
atom_number(atm, num).
atomic_list_concat(list(_), atm).
atomic_list_concat(list(_), any, any).
upcase_atom(any, atm).
char_type(atm, any).
tab(int).
arg(int, any, any).
functor(any, any, int).
