//! The clauses of expansion hooks as written in a file.

use costlens_syntax::ReadClause;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::language::{Functor, is_expansion_hook};

/// A clause of an expansion hook.
pub(crate) struct HookClause<'a> {
    pub(crate) terms: &'a Terms,
    /// The index of the clause in the file.
    pub(crate) clause: usize,
    pub(crate) of: Functor,
    /// The clause's number among the clauses for the same hook in the file, from 1.
    pub(crate) number: usize,
    /// The module qualifier of the head; the inner option is `None` if the module is a variable.
    pub(crate) module: Option<Option<SmolStr>>,
    pub(crate) head: TermId,
    pub(crate) body: Option<TermId>,
}

/// Returns the clauses of expansion hooks among a file's clauses.
pub(crate) fn hook_clauses(clauses: &[ReadClause]) -> impl Iterator<Item = HookClause<'_>> {
    let mut numbers: FxHashMap<Functor, usize> = FxHashMap::default();
    clauses
        .iter()
        .enumerate()
        .filter_map(move |(clause, read)| {
            let terms = &*read.terms;
            let (head, body) = match terms.functor(read.root).map(|(n, a)| (n.as_str(), a)) {
                Some((":-" | "=>" | "-->", 2)) => {
                    let args = terms.args(read.root);
                    (args[0], Some(args[1]))
                }
                _ => (read.root, None),
            };
            let (module, head) = match terms.matches(head, ":", 2) {
                Some(&[module, inner]) => (Some(terms.as_atom(module).cloned()), inner),
                _ => (None, head),
            };
            let of = Functor::from_term(terms, head)?;
            if !is_expansion_hook(&of) {
                return None;
            }
            let count = numbers.entry(of.clone()).or_insert(0);
            *count += 1;
            Some(HookClause {
                terms,
                clause,
                of,
                number: *count,
                module,
                head,
                body,
            })
        })
}
