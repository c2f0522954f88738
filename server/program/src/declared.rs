//! Declarations inside of other goals: what makes the clauses of a predicate run otherwise than they are written.
//!
//! ```prolog
//! :- user:(dynamic seen/1).
//! :- forall(member(P, [seen/1, next/2]), dynamic(P)).
//! start :- dynamic(seen/1), …
//! ```
//!
//! SWI-Prolog takes `dynamic/1` for predicates that have clauses already, whenever it is called, and so it does `table/1` and `abolish/1`.

use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use crate::clause::Functor;
use crate::directives::{indicators_in, small_integer};
use crate::goals::meta_arguments;

/// Why the clauses of a predicate do not run as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Opened {
    /// `:- dynamic` and the like: they may change.
    Dynamic,
    /// `:- table`: answers are remembered.
    Tabled,
}

/// A predicate that a goal says this of, with the module that is written before it.
pub(crate) type Declaration = (Opened, Option<SmolStr>, Functor);

/// Parts of one goal that are looked at.
const MOST_GOALS: usize = 10_000;

/// What the predicates are called that make others so, for a first look at what clauses call.
pub(crate) fn is_declaring(functor: &Functor) -> bool {
    opens(&functor.name, functor.arity).is_some()
}

fn opens(name: &str, arity: usize) -> Option<Opened> {
    Some(match (name, arity) {
        ("dynamic" | "abolish", 1 | 2) | ("thread_local" | "volatile", 1) => Opened::Dynamic,
        ("table", 1) => Opened::Tabled,
        _ => return None,
    })
}

/// The predicates that are made dynamic or tabled when a goal runs, as far as they are to be seen: where a declaration is made of something that is
/// handed over (`forall(member(P, [seen/1]), dynamic(P))`), all that are named anywhere in the goal.
pub(crate) fn inside(terms: &Terms, goal: TermId) -> Vec<Declaration> {
    let mut found: Vec<Declaration> = Vec::new();
    let mut unseen: Option<Opened> = None;
    let mut stack: Vec<(TermId, Option<SmolStr>)> = vec![(goal, None)];
    let mut budget = MOST_GOALS;
    while let Some((at, module)) = stack.pop() {
        budget = budget.saturating_sub(1);
        let (Some((name, arity)), true) = (terms.functor(at), budget > 0) else {
            continue;
        };
        let args = terms.args(at);
        match (name.as_str(), args) {
            (":", &[of, inner]) => stack.push((inner, terms.as_atom(of).cloned().or(module))),
            ("@", &[inner, of]) => stack.push((inner, terms.as_atom(of).cloned().or(module))),
            ("initialization", &[inner] | &[inner, _]) => stack.push((inner, module)),
            ("abolish", &[name, arity]) => match (terms.as_atom(name), small_integer(terms, arity))
            {
                (Some(name), Some(arity)) => {
                    found.push((Opened::Dynamic, module, Functor::new(name.clone(), arity)));
                }
                _ => unseen = Some(Opened::Dynamic),
            },
            _ => {
                if let Some(how) = opens(name, arity) {
                    let named = indicators_in(terms, args[0]);
                    if !terms.subterms(args[0]).iter().all(|&t| is_seen(terms, t)) {
                        unseen = Some(how);
                    }
                    found.extend(
                        (named.into_iter())
                            .map(|(of, functor)| (how, of.or_else(|| module.clone()), functor)),
                    );
                    continue;
                }
                for meta in meta_arguments(name, arity) {
                    let Some(&argument) = args.get(meta.argument) else {
                        continue;
                    };
                    if meta.added == 0 {
                        stack.push((argument, module.clone()));
                    } else if let Some((name, arity)) = terms.functor(argument)
                        && let Some(how) = opens(name, arity + meta.added)
                    {
                        unseen = Some(how);
                    }
                }
            }
        }
    }
    if let Some(how) = unseen {
        for part in terms.subterms(goal) {
            if let Some(&[name, arity]) = terms.matches(part, "/", 2)
                && let (Some(name), Some(arity)) =
                    (terms.as_atom(name), small_integer(terms, arity))
            {
                found.push((how, None, Functor::new(name.clone(), arity)));
            }
        }
    }
    found
}

fn is_seen(terms: &Terms, term: TermId) -> bool {
    !matches!(terms.get(term), Term::Var(_))
}

/// The predicates whose clauses the goals of a directive add or remove: where they have no clauses yet, that makes them dynamic.
pub(crate) fn changed(terms: &Terms, goal: TermId) -> Vec<(Option<SmolStr>, Functor)> {
    let mut found = Vec::new();
    let mut stack: Vec<(TermId, Option<SmolStr>)> = vec![(goal, None)];
    let mut budget = MOST_GOALS;
    while let Some((at, module)) = stack.pop() {
        budget = budget.saturating_sub(1);
        let (Some((name, arity)), true) = (terms.functor(at), budget > 0) else {
            continue;
        };
        match (name.as_str(), terms.args(at)) {
            (":", &[of, inner]) => stack.push((inner, terms.as_atom(of).cloned().or(module))),
            ("@", &[inner, _]) => stack.push((inner, module)),
            (
                "assert" | "asserta" | "assertz" | "retract" | "retractall",
                &[clause] | &[clause, _],
            ) => found.extend(head(terms, clause, module)),
            _ => {
                let goals = meta_arguments(name, arity).into_iter();
                let args = terms.args(at);
                let goals = goals.filter(|m| m.added == 0);
                stack.extend(goals.filter_map(|m| Some((*args.get(m.argument)?, module.clone()))));
            }
        }
    }
    found
}

/// The predicate of a clause that is asserted.
fn head(
    terms: &Terms,
    clause: TermId,
    module: Option<SmolStr>,
) -> Option<(Option<SmolStr>, Functor)> {
    let (mut at, mut module) = (clause, module);
    loop {
        let (name, arity) = terms.functor(at)?;
        at = match (name.as_str(), terms.args(at)) {
            (":", &[of, inner]) => {
                module = terms.as_atom(of).cloned().or(module);
                inner
            }
            (":-", &[head, _]) => head,
            _ => return Some((module, Functor::new(name.clone(), arity))),
        };
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// `seen/1 user:next/2`, dynamic ones, then `| ` and tabled ones.
    fn found(goal: &str) -> String {
        let file = read_text(&format!("{goal}.\n"));
        let clause = &file.clauses[0];
        let all = inside(&clause.terms, clause.root);
        let of = |how: Opened| {
            let mut shown: Vec<String> = (all.iter().filter(|d| d.0 == how))
                .map(|(_, module, functor)| match module {
                    Some(module) => format!("{module}:{functor}"),
                    None => functor.to_string(),
                })
                .collect();
            shown.sort();
            shown.join(" ")
        };
        match of(Opened::Tabled) {
            tabled if tabled.is_empty() => of(Opened::Dynamic),
            tabled => format!("{} | {tabled}", of(Opened::Dynamic)),
        }
    }

    #[test]
    fn declarations_are_found_inside_of_goals() {
        for (goal, expected) in [
            ("dynamic(p/1)", "p/1"),
            ("user:dynamic(p/1)", "user:p/1"),
            ("user:(dynamic p/1, m:q/2)", "m:q/2 user:p/1"),
            ("call((dynamic p/1))", "p/1"),
            ("once(dynamic([p/1, q//2]))", "p/1 q/4"),
            ("catch(dynamic(p/1), _, true)", "p/1"),
            ("(a -> thread_local(p/1) ; table(q/1))", "p/1 | q/1"),
            ("initialization(dynamic(p/1))", "p/1"),
            ("forall(member(X, [p/1, q/2]), dynamic(X))", "p/1 q/2"),
            ("maplist(dynamic, [p/1])", "p/1"),
            ("findall(x, dynamic(p/1), _)", "p/1"),
            ("@(dynamic(p/1), m)", "m:p/1"),
            ("X = [p/1], dynamic(X)", "p/1"),
            ("abolish(p/1), abolish(q, 2)", "p/1 q/2"),
            ("X is p/1", ""),
            ("format(dynamic(p/1))", ""),
        ] {
            assert_eq!(found(goal), expected, "{goal}");
        }
    }

    #[test]
    fn what_is_asserted_is_found_inside_of_goals() {
        let file = read_text(
            "a, (b -> retractall(p(_)) ; m:assertz((q(X) :- r(X)))), assertz(user:s, R), asserta(Y).\n",
        );
        let clause = &file.clauses[0];
        let mut all: Vec<String> = (changed(&clause.terms, clause.root).into_iter())
            .map(|(module, functor)| format!("{}:{functor}", module.unwrap_or_default()))
            .collect();
        all.sort();
        assert_eq!(all, [":p/1", "m:q/1", "user:s/0"]);
    }
}
