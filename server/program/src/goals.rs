//! Which predicates a body calls: through control constructs and through meta-calls whose closure is visible.
//!
//! `p(Xs) :- maplist(q(a), Xs), \+ r.` calls `maplist/2`, `q/2`, `\+/1` and `r/0`.

use std::collections::{BTreeMap, BTreeSet};

use costlens_catalog::{MetaArgument, belongs_to_no_module, meta_arguments};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use smol_str::SmolStr;

use crate::assigned::is_assignment;
use crate::clause::{Clause, Functor};
use crate::meta::declared_closures;
use crate::modules::{all_clauses, called_elsewhere, is_home};
use crate::predicate::Predicate;
use crate::qualified;
use crate::source::{Db, SourceFile};

/// One call in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The goal or closure as written.
    pub goal: TermId,
    /// What is called: for a closure, with the arguments that its caller adds.
    pub callee: Functor,
    /// How many arguments the caller of a closure adds.
    pub added: usize,
}

/// Every call that a body makes, in the order in which it is written. Goals that are unbound when the clause is read
/// (`call(G)`) are not in the list.
#[must_use]
pub fn calls(terms: &Terms, body: TermId) -> Vec<Call> {
    all_calls(terms, body, &|_| None, &mut Seen::default())
}

/// The same in a file, where `:- meta_predicate` names further closures.
#[must_use]
pub fn calls_in(db: &dyn Db, file: SourceFile, terms: &Terms, body: TermId) -> Vec<Call> {
    let declared = declared_closures(db, file);
    all_calls(terms, body, &|f| declared.get(f), &mut Seen::default())
}

/// Goals beside those that call a predicate by its plain name.
#[derive(Default)]
struct Seen {
    /// A variable.
    unbound: bool,
    /// One with a module before it.
    qualified: bool,
    /// A lambda expression.
    lambda: bool,
}

/// The same, and what other goals there are.
fn all_calls<'d>(
    terms: &Terms,
    body: TermId,
    declared: &dyn Fn(&Functor) -> Option<&'d Vec<MetaArgument>>,
    seen: &mut Seen,
) -> Vec<Call> {
    let (mut found, mut stack) = (Vec::new(), vec![(body, 0_usize, None::<&SmolStr>)]);
    while let Some((goal, added, module)) = stack.pop() {
        let Some((name, arity)) = terms.functor(goal) else {
            seen.unbound |= matches!(terms.get(goal), Term::Var(_));
            continue;
        };
        let args = terms.args(goal);
        match (name.as_str(), args) {
            // `m:goal`
            (":", &[module, inner]) => {
                seen.qualified = true;
                stack.push((inner, added, terms.as_atom(module)));
                continue;
            }
            // `X^goal` in bagof/3 and setof/3, and yall's `\X^goal`, `[X,Y]>>goal`, `Free/[X]>>goal`.
            ("^", &[_, inner]) => {
                stack.push((inner, added.saturating_sub(1), module));
                continue;
            }
            ("\\", &[inner]) if added > 0 => {
                stack.push((inner, added, module));
                continue;
            }
            (">>", &[parameters, inner]) => {
                seen.lambda |= added == 0;
                let parameters = match terms.matches(parameters, "/", 2) {
                    Some(&[_, list]) => list,
                    _ => parameters,
                };
                let bound = terms.list(parameters).0.len();
                stack.push((inner, added.saturating_sub(bound), module));
                continue;
            }
            ("/", &[_, inner]) if added > 0 && is_free(terms, args[0]) => {
                stack.push((inner, added, module));
                continue;
            }
            ("/", &[_, inner]) if terms.matches(inner, ">>", 2).is_some() => {
                stack.push((inner, added, module));
                continue;
            }
            // The control constructs of a grammar body: nothing else has such closures.
            ("," | ";" | "|" | "->" | "*->", &[left, right]) if added == 2 => {
                stack.extend([(right, 2, module), (left, 2, module)]);
                continue;
            }
            ("\\+", &[inner]) if added == 2 => {
                stack.push((inner, 2, module));
                continue;
            }
            ("{}", &[inner]) if added == 2 => {
                stack.push((inner, 0, module));
                continue;
            }
            ("!" | "[]" | "{}", []) | (CONS, [_, _]) if added == 2 => continue,
            _ => {}
        }
        // What runs in a module is looked up there; control constructs and the like are the same everywhere.
        let there = module
            .filter(|_| !belongs_to_no_module(name, arity + added))
            .and_then(|module| qualified::join(module, name));
        found.push(Call {
            goal,
            callee: Functor::new(there.unwrap_or_else(|| name.clone()), arity + added),
            added,
        });
        let mut closures = meta_arguments(name, arity + added);
        if closures.is_empty() && !args.is_empty() {
            let own = declared(&Functor::new(name.clone(), arity + added));
            closures.extend(own.into_iter().flatten().copied());
        }
        for meta in closures.into_iter().rev() {
            if let Some(&closure) = args.get(meta.argument)
                && matches!(terms.get(closure), Term::Atom(_) | Term::Compound(..))
            {
                stack.push((closure, meta.added, module));
            }
        }
    }
    found
}

/// The `{X,Y}` of `{X,Y}/Closure`.
fn is_free(terms: &Terms, term: TermId) -> bool {
    (terms.functor(term)).is_some_and(|(name, arity)| name == "{}" && arity <= 1)
}

/// What the clauses of a predicate call, sorted, each once: the firewall between bodies and the call graph. A variable that is
/// called stands there as `call/1`, a goal with a module before it also as `:/2`, a lambda expression as a goal as `>>/2`.
///
/// *Invalidated* when a clause of the predicate changes.
#[salsa::tracked(returns(deref))]
pub fn callees<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Vec<Functor> {
    let mut found = called_by(db, predicate.file(db), &all_clauses(db, predicate));
    let elsewhere = called_elsewhere(db, predicate);
    if !elsewhere.is_empty() {
        found.extend(elsewhere);
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// What clauses of a file call, sorted, each once; without the module where that is the file's own.
pub(crate) fn called_by(db: &dyn Db, file: SourceFile, clauses: &[Clause]) -> Vec<Functor> {
    let declared = declared_closures(db, file);
    let (mut callees, mut seen) = (BTreeSet::new(), Seen::default());
    for clause in clauses {
        for part in clause.guard.iter().chain(&clause.body) {
            let calls = all_calls(&clause.terms, *part, &|f| declared.get(f), &mut seen);
            callees.extend(calls.into_iter().map(|c| unqualified(db, file, c.callee)));
            let all = clause.terms.subterms(*part);
            // A closure that is not followed may be called by whoever gets it.
            callees.extend(assigning(&clause.terms, &all));
            for (module, goal) in modules_bound(&clause.terms, &all) {
                seen.qualified = true;
                let Some((name, arity)) = clause.terms.functor(goal) else {
                    continue;
                };
                let Some(joined) = qualified::join(module, name) else {
                    continue;
                };
                callees.extend((0..=MOST_ADDED).map(|added| {
                    unqualified(db, file, Functor::new(joined.clone(), arity + added))
                }));
            }
        }
    }
    let pseudo = [
        (seen.unbound, ("call", 1)),
        (seen.qualified, (":", 2)),
        (seen.lambda, (">>", 2)),
    ];
    let pseudo = pseudo.into_iter().filter(|(seen, _)| *seen);
    callees.extend(pseudo.map(|(_, (name, arity))| Functor::new(name, arity)));
    callees.into_iter().collect()
}

/// The built-ins that change terms in place, wherever they are named.
fn assigning(terms: &Terms, all: &[TermId]) -> impl Iterator<Item = Functor> {
    let named = |&t: &TermId| terms.functor(t).map(|(name, _)| name);
    let found = all
        .iter()
        .filter_map(named)
        .filter(|name| is_assignment(name));
    found.map(|name| Functor::new(name.clone(), 3))
}

/// A closure is called with no more arguments.
const MOST_ADDED: usize = 7;

/// The goals and closures of a body with a module that may come from a variable: `M = m, M:p(X)`, `G = p(X), m:G` and `G = m:p(X), call(G)`
/// give `m` and `p(X)`. There may be more of them than are ever called.
fn modules_bound<'t>(terms: &'t Terms, all: &[TermId]) -> Vec<(&'t SmolStr, TermId)> {
    let (mut pairs, mut bound) = (Vec::new(), BTreeMap::<u32, Vec<TermId>>::new());
    for &part in all {
        if let Some(&[left, right]) = terms.matches(part, "=", 2) {
            for (variable, value) in [(left, right), (right, left)] {
                if let Term::Var(v) = terms.get(variable) {
                    bound.entry(*v).or_default().push(value);
                }
            }
        }
    }
    if bound.is_empty() {
        return pairs;
    }
    let values = |t: TermId| match terms.get(t) {
        Term::Var(v) => bound.get(v).cloned().unwrap_or_default(),
        _ => vec![t],
    };
    let is_variable = |t: TermId| matches!(terms.get(t), Term::Var(_));
    let is_bound = |t: TermId| bound.values().flatten().any(|&value| value == t);
    for &part in all {
        if let Some(&[module, goal]) = terms.matches(part, ":", 2)
            && (is_variable(module) || is_variable(goal) || is_bound(part))
        {
            for module in values(module).into_iter().filter_map(|m| terms.as_atom(m)) {
                pairs.extend(values(goal).into_iter().map(|goal| (module, goal)));
            }
        }
    }
    pairs
}

/// `m:p/1` as `p/1` in a file whose own module is `m`.
fn unqualified(db: &dyn Db, file: SourceFile, callee: Functor) -> Functor {
    match qualified::split(&callee) {
        Some((module, plain)) if is_home(db, file, module) => plain,
        _ => callee,
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn goals_are_called_through_meta_predicates_of_the_catalogue() {
        for (body, expected) in [
            ("maplist(q(a), Xs), \\+ r", "maplist/2 q/2 \\+/1 r/0"),
            (
                "with_mutex(m, q), transaction(r)",
                "with_mutex/2 q/0 transaction/1 r/0",
            ),
            ("call(q, A, B, C, D, E, F, G, H, I)", "call/10 q/9"),
            ("phrase(q, Xs, Ys)", "phrase/3 q/2"),
            // No predicates of SWI-Prolog.
            (
                "findall_count(q), apply_macros(q)",
                "findall_count/1 apply_macros/1",
            ),
        ] {
            let file = read_text(&format!("p :- {body}.\n"));
            let clause = &file.clauses[0];
            let &[_, body] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
                unreachable!()
            };
            let mut found: Vec<String> = (calls(&clause.terms, body).iter())
                .map(|call| call.callee.to_string())
                .collect();
            found.retain(|callee| callee != ",/2");
            assert_eq!(found.join(" "), expected);
        }
    }
}
