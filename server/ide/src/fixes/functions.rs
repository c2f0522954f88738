//! Predicates that give the same for the same arguments, whenever they are called.
//!
//! An effect is looked for elsewhere; time and chance (`statistics/2`, `X is random(6)`) and what is kept between calls (`nb_getval/2`) have none, and
//! are no functions. So what is called is looked up in a list of those that are.

use std::collections::BTreeSet;

use costlens_program::{Functor, Resolved, callees, resolve};

use super::site::{Site, is_closed};

/// System predicates whose solutions depend on their arguments alone.
const FUNCTIONS: &[&str] = &[
    ",",
    ";",
    "->",
    "*->",
    "\\+",
    "!",
    "true",
    "fail",
    "false",
    "once",
    "ignore",
    "forall",
    "findall",
    "=",
    "\\=",
    "==",
    "\\==",
    "@<",
    "@>",
    "@=<",
    "@>=",
    "compare",
    "is",
    "=:=",
    "=\\=",
    "<",
    ">",
    "=<",
    ">=",
    "var",
    "nonvar",
    "integer",
    "float",
    "number",
    "atom",
    "atomic",
    "compound",
    "callable",
    "is_list",
    "string",
    "ground",
    "functor",
    "arg",
    "=..",
    "copy_term",
    "length",
    "append",
    "member",
    "memberchk",
    "reverse",
    "last",
    "nth0",
    "nth1",
    "select",
    "selectchk",
    "subtract",
    "exclude",
    "include",
    "partition",
    "maplist",
    "foldl",
    "msort",
    "sort",
    "predsort",
    "keysort",
    "list_to_set",
    "sum_list",
    "sumlist",
    "max_list",
    "min_list",
    "max_member",
    "min_member",
    "numlist",
    "delete",
    "between",
    "succ",
    "plus",
    "atom_codes",
    "atom_chars",
    "atom_length",
    "atom_number",
    "char_code",
    "number_codes",
];

/// Arithmetic functions that give something else each time.
const CHANGING: &[&str] = &["random", "random_float", "cputime", "realtime"];

/// The most predicates that are followed.
const MOST: usize = 64;

/// True for a predicate of the file that is such a function, and so is all that it calls.
pub(crate) fn is_function(site: &Site<'_>, functor: &Functor) -> bool {
    let (db, file) = (site.db, site.file);
    let mut seen = BTreeSet::from([functor.clone()]);
    let mut open = vec![functor.clone()];
    while let Some(next) = open.pop() {
        let Some(Resolved::Own(predicate)) = resolve(db, file, &next) else {
            match FUNCTIONS.contains(&next.name.as_str()) && site.means_library(&next) {
                true => continue,
                false => return false,
            }
        };
        let mut clauses = predicate.clauses(db).iter();
        let changes = clauses.any(|clause| {
            let mut named = clause.terms.ids().filter_map(|id| clause.terms.functor(id));
            named.any(|(name, _)| CHANGING.contains(&name.as_str()))
        });
        if changes || !is_closed(db, predicate) || seen.len() > MOST {
            return false;
        }
        for callee in callees(db, predicate) {
            if seen.insert(callee.clone()) {
                open.push(callee.clone());
            }
        }
    }
    true
}
