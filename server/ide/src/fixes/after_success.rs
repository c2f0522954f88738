//! Terms that are proper lists at a place in a clause because the goals before it have succeeded, whatever the predicate is called with.
//!
//! ```prolog
//! p(K, X) :- findall(Y, q(K, Y), Ys), member(X, Ys), !.     % `Ys` is a proper list before the call of `member/2`
//! ```

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{Relation, find, relation};
use costlens_program::Functor;
use costlens_program::graph::modifies_through;
use costlens_syntax::term::{NIL, TermId, Terms};

use super::site::{Site, variable};

/// The maximum number of terms that are followed from one to the next: `Ys = [X|Xs], append(Zs, Ys, L)`.
const MOST_STEPS: usize = 20;

/// Returns true if a term is a proper list whenever a goal of a clause is reached.
pub(super) fn is_proper_list(site: &Site<'_>, clause: usize, goal: TermId, term: TermId) -> bool {
    let of = &site.clauses[clause];
    let terms = &*of.terms;
    // The clauses, or what they call, may change a cell of a list in place.
    if modifies_through(site.db, site.file, site.functor).is_some() {
        return false;
    }
    let mut done = of.guard.map_or(Vec::new(), |guard| conjuncts(terms, guard));
    if !of
        .body
        .is_some_and(|body| goals_before(terms, body, goal, &mut done))
    {
        return false;
    }
    let mut at = term;
    for _ in 0..MOST_STEPS {
        at = terms.list(at).1;
        if terms.matches(at, NIL, 0).is_some() {
            return true;
        }
        let Some(v) = variable(terms, at) else {
            return false;
        };
        let mut next = None;
        for &goal in &done {
            match said_of(site, terms, goal, v) {
                Said::IsList => return true,
                Said::EndsIn(other) => next = Some(other),
                Said::Nothing => {}
            }
        }
        match next {
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

/// Collects the goals that have succeeded, and whose bindings are in force, when a goal inside `body` is reached. Returns false if the goal is
/// not in `body`.
fn goals_before(terms: &Terms, body: TermId, goal: TermId, done: &mut Vec<TermId>) -> bool {
    let mut at = body;
    loop {
        let row = conjuncts(terms, at);
        let Some(place) = row.iter().position(|&of| contains(terms, of, goal)) else {
            return false;
        };
        done.extend(&row[..place]);
        let around = row[place];
        if around == goal {
            return true;
        }
        let of = Goal::lower(terms, around);
        let before = match of {
            Goal::IfThen {
                condition, then, ..
            }
            | Goal::IfThenElse {
                condition, then, ..
            } if contains(terms, then, goal) => Some((condition, then)),
            Goal::Forall { condition, action } if contains(terms, action, goal) => {
                Some((condition, action))
            }
            _ => None,
        };
        at = match before {
            Some((condition, inner)) => {
                done.extend(conjuncts(terms, condition));
                inner
            }
            None => {
                let inner: Vec<TermId> = match of {
                    Goal::Forall { condition, .. } => vec![condition],
                    Goal::Not(inner)
                    | Goal::NotCalled(inner)
                    | Goal::Once(inner)
                    | Goal::Ignore(inner)
                    | Goal::Collect { goal: inner, .. }
                    | Goal::Catch { goal: inner, .. } => vec![inner],
                    _ => of.branches().into_vec(),
                };
                match inner.into_iter().find(|&of| contains(terms, of, goal)) {
                    Some(inner) => inner,
                    None => return false,
                }
            }
        };
    }
}

fn contains(terms: &Terms, of: TermId, id: TermId) -> bool {
    of == id || terms.subterms(of).contains(&id)
}

/// The consequence of a goal's success for a variable.
enum Said {
    IsList,
    /// It is a list if another term is one.
    EndsIn(TermId),
    Nothing,
}

fn said_of(site: &Site<'_>, terms: &Terms, goal: TermId, v: u32) -> Said {
    let is_it = |id: TermId| variable(terms, id) == Some(v);
    // `Ys = Xs`, and `Xs = [X|Ys]`
    if let Goal::Unify(a, b) = Goal::lower(terms, goal) {
        return match (is_it(terms.list(a).1), is_it(terms.list(b).1)) {
            (true, false) => Said::EndsIn(b),
            (false, true) => Said::EndsIn(a),
            _ => Said::Nothing,
        };
    }
    let Some(functor) = Functor::from_term(terms, goal) else {
        return Said::Nothing;
    };
    let args = terms.args(goal);
    let at = |i: usize| args.get(i).is_some_and(|&id| is_it(id));
    let known = find(&functor.name, functor.arity);
    let mut lists = known.iter().flat_map(|known| &known.proper_lists);
    let said = match lists.any(|&i| at(usize::from(i))) {
        true => Said::IsList,
        false => match (relation(&functor.name, functor.arity), args) {
            (Some(Relation::Append), &[_, end, _]) if at(2) => Said::EndsIn(end),
            _ => return Said::Nothing,
        },
    };
    match site.means_library(&functor) {
        true => said,
        false => Said::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use costlens_program::Clause;
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the goals before the goal `here` in a clause.
    fn before(text: &str) -> Vec<String> {
        let read = read_text(text);
        let of = &read.clauses[0];
        let clause = Clause::from_term(&of.terms, of.root).unwrap().1;
        let terms = &clause.terms;
        let here = |id: &TermId| terms.matches(*id, "here", 0).is_some();
        let goal = terms.ids().find(here).unwrap();
        let mut done = Vec::new();
        assert!(goals_before(terms, clause.body.unwrap(), goal, &mut done));
        let name = |id: TermId| terms.functor(id).map_or("?", |(name, _)| name).to_owned();
        done.into_iter().map(name).collect()
    }

    #[test]
    fn goals_that_have_succeeded_come_before() {
        assert_eq!(before("p :- a, b, here, c."), ["a", "b"]);
        assert_eq!(
            before("p :- a, ( b, c -> d, here ; e ), f."),
            ["a", "b", "c", "d"]
        );
        assert_eq!(before("p :- a, ( b -> c ; d, here )."), ["a", "d"]);
        assert_eq!(before("p :- a, ( b ; c, here )."), ["a", "c"]);
        assert_eq!(before("p :- a, \\+ ( b, here )."), ["a", "b"]);
        assert_eq!(before("p :- a, forall(b, (c, here))."), ["a", "b", "c"]);
        assert_eq!(before("p :- a, findall(X, (b, here), _), c."), ["a", "b"]);
    }
}
