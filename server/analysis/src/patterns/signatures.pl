% The values that built-ins and well-known library predicates pass around. Used for guesses only, and listed only if informative.
% `any` is anything, different at each occurrence; `nonvar` is a term that is not inspected; `text` is most likely an atom, whose characters matter.
append(list(A), list(A), list(A)).
compare(atm, A, A).
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
atom_length(text, int).
string_length(str, int).
atom_chars(text, list(atm)).
atom_codes(text, list(int)).
number_codes(num, list(int)).
char_code(atm, int).
string_chars(str, list(atm)).
string_codes(str, list(int)).
string_code(int, str, int).
atom_string(text, str).
atom_number(atm, num).
number_string(num, str).
string_concat(str, str, str).
string_upper(str, str).
string_lower(str, str).
split_string(str, any, any, list(str)).
sub_string(str, int, int, int, str).
sub_atom(text, int, int, int, atm).
atom_concat(text, text, text).
atomic_list_concat(list(_), atm).
atomic_list_concat(list(_), any, text).
upcase_atom(text, atm).
downcase_atom(text, atm).
char_type(atm, any).
tab(int).
arg(int, any, any).
functor(any, any, int).
setarg(int, nonvar, any).
nb_setarg(int, nonvar, any).
nb_linkarg(int, nonvar, any).
