//! Declarations inside other goals that make a predicate's clauses run differently from how they are written.
//!
//! ```prolog
//! :- user:(dynamic seen/1).
//! :- forall(member(P, [seen/1, next/2]), dynamic(P)).
//! start :- dynamic(seen/1), …
//! ```
//!
//! SWI-Prolog accepts `dynamic/1`, `table/1` and `abolish/1` at any time, also for predicates that already have clauses.

use costlens_body::Goal;
use costlens_catalog::{Opening, clause_change, goal_arguments, meta_arguments, opening};
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::added_clause::AddedClause;
use super::functor::Functor;
use super::indicators::{indicators_in, small_integer};

/// The reason why a predicate's clauses do not run as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Opened {
    /// `:- dynamic` and similar directives: the clauses may change.
    Dynamic,
    /// `:- table`: answers are tabled.
    Tabled,
}

/// A predicate that a goal declares, with its explicit module.
pub(crate) type Declaration = (Opened, Option<SmolStr>, Functor);

/// The maximum number of subgoals examined in one goal.
const MOST_GOALS: usize = 10_000;

/// Returns whether a predicate makes other predicates dynamic or tabled; a quick check of callees.
pub(crate) fn is_declaring(functor: &Functor) -> bool {
    opens(&functor.name, functor.arity).is_some()
}

fn opens(name: &str, arity: usize) -> Option<Opened> {
    Some(match opening(name, arity)? {
        Opening::Dynamic => Opened::Dynamic,
        Opening::Tabled => Opened::Tabled,
    })
}

/// A goal with its explicit module.
type Located = (TermId, Option<SmolStr>);

/// Visits a goal and its subgoals, each with its explicit module. The subgoals are visited unless `visit` returns true, which means that it
/// has handled the goal.
fn for_each_goal(terms: &Terms, goal: TermId, visit: &mut dyn FnMut(&Located) -> bool) {
    let mut stack: Vec<Located> = vec![(goal, None)];
    let mut budget = MOST_GOALS;
    while let Some((at, module)) = stack.pop() {
        budget = budget.saturating_sub(1);
        let (Some((name, arity)), true) = (terms.functor(at), budget > 0) else {
            continue;
        };
        match (Goal::lower(terms, at), name.as_str(), terms.args(at)) {
            (Goal::Qualified { module: of, goal } | Goal::InContext { goal, module: of }, ..) => {
                stack.push((goal, terms.as_atom(of).cloned().or(module)));
            }
            (_, "initialization", &[inner] | &[inner, _]) => stack.push((inner, module)),
            // `G = dynamic(p/1), G`
            (Goal::Unify(left, right), ..) | (_, "foreach", &[left, right]) => {
                stack.push((left, module.clone()));
                stack.push((right, module));
            }
            (_, _, args) => {
                let goal = (at, module);
                if visit(&goal) {
                    continue;
                }
                let inside = goal_arguments(name, arity).filter_map(|i| args.get(i));
                stack.extend(inside.map(|&inner| (inner, goal.1.clone())));
            }
        }
    }
}

/// Returns the predicates that a goal is known to make dynamic or tabled at run time. If the argument of a declaration is computed
/// (`forall(member(P, [seen/1]), dynamic(P))`), these are all predicates mentioned anywhere in the goal.
pub(crate) fn declared_by(terms: &Terms, goal: TermId) -> Vec<Declaration> {
    let mut found: Vec<Declaration> = Vec::new();
    let mut unseen: Option<Opened> = None;
    for_each_goal(terms, goal, &mut |(at, module)| {
        let Some((name, arity)) = terms.functor(*at) else {
            return true;
        };
        let args = terms.args(*at);
        let Some(how) = opens(name, arity) else {
            for meta in meta_arguments(name, arity) {
                if meta.added > 0
                    && let Some((name, arity)) =
                        (args.get(meta.argument)).and_then(|&closure| terms.functor(closure))
                {
                    unseen = opens(name, arity + meta.added).or(unseen);
                }
            }
            return false;
        };
        if let ("abolish", &[name, arity]) = (name.as_str(), args) {
            match (terms.as_atom(name), small_integer(terms, arity)) {
                (Some(name), Some(arity)) => {
                    found.push((how, module.clone(), Functor::new(name.clone(), arity)));
                }
                _ => unseen = Some(how),
            }
            return true;
        }
        let is_seen = |&t: &TermId| !matches!(terms.get(t), Term::Var(_));
        if !terms.subterms(args[0]).iter().all(is_seen) {
            unseen = Some(how);
        }
        let named = indicators_in(terms, args[0]).into_iter();
        found.extend(named.map(|(of, functor)| (how, of.or_else(|| module.clone()), functor)));
        true
    });
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

/// Returns the predicates whose clauses a directive's goals add or remove; a predicate without clauses becomes dynamic.
pub(crate) fn changed(terms: &Terms, goal: TermId) -> Vec<(Option<SmolStr>, Functor)> {
    let mut found = Vec::new();
    for_each_goal(terms, goal, &mut |(at, module)| {
        let change = (terms.functor(*at)).and_then(|(name, arity)| clause_change(name, arity));
        let (Some(_), &[clause, ..]) = (change, terms.args(*at)) else {
            return false;
        };
        let added = AddedClause::read(terms, clause, &|t| t);
        let functor = added.predicate(terms);
        found.extend(functor.map(|functor| (added.module.or_else(|| module.clone()), functor)));
        true
    });
    found
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// Returns dynamic predicates as `seen/1 user:next/2`, followed by `| ` and tabled predicates.
    fn declared(goal: &str) -> String {
        let file = read_text(&format!("{goal}.\n"));
        let clause = &file.clauses[0];
        let all = declared_by(&clause.terms, clause.root);
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
            ("foreach(member(X, [p/1]), dynamic(X))", "p/1"),
            ("G = dynamic(p/1), G", "p/1"),
            ("findall(x, dynamic(p/1), _)", "p/1"),
            ("@(dynamic(p/1), m)", "m:p/1"),
            ("X = [p/1], dynamic(X)", "p/1"),
            ("abolish(p/1), abolish(q, 2)", "p/1 q/2"),
            ("X is p/1", ""),
            ("format(dynamic(p/1))", ""),
        ] {
            assert_eq!(declared(goal), expected, "{goal}");
        }
    }

    #[test]
    fn what_is_asserted_is_found_inside_of_goals() {
        let file = read_text(
            "a, (b -> retractall(p(_)) ; m:assertz((q(X) :- r(X)))), assertz(user:s, R), asserta(Y), @(retract(t), n).\n",
        );
        let clause = &file.clauses[0];
        let mut all: Vec<String> = (changed(&clause.terms, clause.root).into_iter())
            .map(|(module, functor)| format!("{}:{functor}", module.unwrap_or_default()))
            .collect();
        all.sort();
        assert_eq!(all, [":p/1", "m:q/1", "n:t/0", "user:s/0"]);
    }
}
