//! Directives whose goals come from data, with these goals written out.
//!
//! ```prolog
//! :- G =.. [consult, more], call(G).             % consult(more)
//! :- maplist(abolish, [p/1, q/2]).               % abolish(p/1), abolish(q/2)
//! :- A = throw, call(A, stop).                   % throw(stop)
//! :- B = stop, throw(B).                         % throw(stop)
//! :- maplist([D]>>asserta(path(D)), [lib]).      % asserta(path(lib))
//! ```

use costlens_body::{Call, Goal, conjuncts};
use costlens_catalog::{Relation, relation};
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::copying::copy;

/// The maximum number of goals written out in one directive.
const MOST_GOALS: usize = 200;

/// Returns the terms of a directive in which goals that come from data are written out. Returns `None` if there are none.
pub(crate) fn written_out(terms: &Terms, goal: TermId) -> Option<Terms> {
    let is_from_data =
        |id: TermId| form(terms, id).is_some() || matches!(Goal::lower(terms, id), Goal::Unify(..));
    if !terms.subterms(goal).into_iter().any(is_from_data) {
        return None;
    }
    let mut written = Terms::clone(terms);
    let mut is_changed = false;
    for _ in 0..MOST_GOALS {
        if !(bind_goals(&mut written, goal) || write_call(&mut written, goal)) {
            break;
        }
        is_changed = true;
    }
    is_changed.then_some(written)
}

/// A goal that calls a goal from data.
enum Form {
    /// A closure, and the arguments that it is called with.
    Call(TermId, Vec<TermId>),
    /// A closure, and the list with the arguments of each call.
    Maps(TermId, TermId),
}

fn form(terms: &Terms, id: TermId) -> Option<Form> {
    match Goal::lower(terms, id) {
        Goal::CallN { closure, added } => Some(Form::Call(closure, added.to_vec())),
        Goal::Call(call) => match (call.name.as_str(), call.args) {
            ("apply", &[closure, list]) => {
                let (added, rest) = terms.list(list);
                is_nil(terms, rest).then_some(Form::Call(closure, added))
            }
            (name, &[closure, list, ..]) => match relation(name, call.args.len()) {
                Some(Relation::Phrase) => {
                    let rest = call.args.get(2).copied().unwrap_or(list);
                    Some(Form::Call(closure, vec![list, rest]))
                }
                Some(Relation::Maps) if call.args.len() == 2 => Some(Form::Maps(closure, list)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_nil(terms: &Terms, id: TermId) -> bool {
    terms.as_atom(id).is_some_and(|name| name == NIL)
}

/// Binds a variable to a goal or name with which a conjunct unifies it: `G =.. [f, X]`, `G = f(X)`. Returns false if there is none.
fn bind_goals(terms: &mut Terms, directive: TermId) -> bool {
    for goal in conjuncts(terms, directive) {
        let (variable, to) = match Goal::lower(terms, goal) {
            Goal::Unify(a, b) => match (terms.get(a), terms.get(b)) {
                (Term::Var(v), Term::Atom(_) | Term::Compound(..)) => (*v, b),
                (Term::Atom(_) | Term::Compound(..), Term::Var(v)) => (*v, a),
                _ => continue,
            },
            Goal::Call(call) => {
                let Some((variable, name, args)) = built(terms, call) else {
                    continue;
                };
                (variable, terms.compound_or_atom(name, &args))
            }
            _ => continue,
        };
        if !terms.variables_of(to).contains(&variable) {
            terms.bind(variable, to);
            return true;
        }
    }
    false
}

/// Returns the variable that `V =.. [f|Args]` binds, with the name and the arguments of the term.
fn built(terms: &Terms, call: Call<'_>) -> Option<(u32, SmolStr, Vec<TermId>)> {
    let &[whole, parts] = call.args else {
        return None;
    };
    let Term::Var(variable) = *terms.get(whole) else {
        return None;
    };
    let (elements, rest) = terms.list(parts);
    let (&head, args) = elements.split_first()?;
    let is_built = relation(call.name, 2) == Some(Relation::Parts) && is_nil(terms, rest);
    let name = terms.as_atom(head).filter(|_| is_built)?;
    Some((variable, name.clone(), args.to_vec()))
}

/// Writes out one goal that comes from data. Returns false if there is none.
fn write_call(terms: &mut Terms, directive: TermId) -> bool {
    for id in terms.subterms(directive) {
        match form(terms, id) {
            Some(Form::Call(closure, added)) => {
                if let Some((name, args)) = extended(terms, closure, &added) {
                    terms.replace(id, name, &args);
                    return true;
                }
            }
            Some(Form::Maps(closure, list)) => {
                if let Some((name, args)) = mapped(terms, closure, list) {
                    terms.replace(id, name, &args);
                    return true;
                }
            }
            None => {}
        }
    }
    false
}

/// Returns the name and arguments of the conjunction of a closure's calls for each element of a list.
fn mapped(terms: &mut Terms, closure: TermId, list: TermId) -> Option<(SmolStr, Vec<TermId>)> {
    let (elements, rest) = terms.list(list);
    if !is_nil(terms, rest) {
        return None;
    }
    let mut calls = Vec::new();
    for element in elements {
        let (name, args) = extended(terms, closure, &[element])?;
        calls.push(terms.compound_or_atom(name, &args));
    }
    let mut whole = calls.pop()?;
    for &call in calls.iter().rev() {
        whole = terms.compound(",", &[call, whole]);
    }
    let (name, _) = terms.functor(whole)?;
    Some((name.clone(), terms.args(whole).to_vec()))
}

/// Returns the name and arguments of a closure with further arguments.
fn extended(
    terms: &mut Terms,
    closure: TermId,
    added: &[TermId],
) -> Option<(SmolStr, Vec<TermId>)> {
    let mut closure = closure;
    while let Some(&[_, inner]) = terms.matches(closure, ":", 2) {
        closure = inner;
    }
    if let Some(&[parameters, body]) = terms.matches(closure, ">>", 2) {
        return applied(terms, parameters, body, added);
    }
    match terms.get(closure) {
        Term::Atom(name) | Term::Compound(name, _) => {
            let name = name.clone();
            let args = terms.args(closure).iter().chain(added).copied();
            Some((name, args.collect()))
        }
        _ => None,
    }
}

/// Returns the name and arguments of the body of a lambda expression in which the parameters are replaced.
fn applied(
    terms: &mut Terms,
    parameters: TermId,
    body: TermId,
    added: &[TermId],
) -> Option<(SmolStr, Vec<TermId>)> {
    let parameters = match terms.matches(parameters, "/", 2) {
        Some(&[_, parameters]) => parameters,
        _ => parameters,
    };
    let (parameters, _) = terms.list(parameters);
    if parameters.len() != added.len() {
        return None;
    }
    let value = |variable: u32| {
        let mut pairs = parameters.iter().zip(added);
        let pair = pairs.find(|&(&p, _)| *terms.get(p) == Term::Var(variable));
        pair.map(|(_, &value)| value)
    };
    let values: FxHashMap<u32, TermId> = (terms.variables_of(body).into_iter())
        .filter_map(|v| Some((v, value(v)?)))
        .collect();
    let from = terms.clone();
    let mut others: FxHashMap<u32, TermId> = FxHashMap::default();
    for v in from.variables_of(body) {
        if !values.contains_key(&v) {
            others.insert(v, terms.push(Term::Var(v)));
        }
    }
    let copied = copy(&from, body, terms, &mut |v| {
        values.get(&v).or_else(|| others.get(&v)).copied()
    })?;
    let (name, _) = terms.functor(copied)?;
    Some((name.clone(), terms.args(copied).to_vec()))
}

#[cfg(test)]
mod tests {
    use costlens_syntax::{read_text, write_term};

    use super::*;
    use crate::language::directive;

    #[test]
    fn goals_from_data_are_written_out() {
        for (goal, expected) in [
            (
                "G =.. [consult, more], call(G)",
                "consult(more) =.. [consult, more], consult(more)",
            ),
            ("maplist(abolish, [p/1, q/2])", "abolish(p/1),abolish(q/2)"),
            ("A = throw, call(A, stop)", "throw=throw,throw(stop)"),
            (
                "maplist([D]>>asserta(path(D)), [lib])",
                "asserta(path(lib))",
            ),
            ("once(apply(dynamic, [p/1]))", "once(dynamic p/1)"),
            ("phrase(quiet, [])", "quiet([],[])"),
        ] {
            let file = read_text(&format!(":- {goal}.\n"));
            let clause = &file.clauses[0];
            let goal = directive(&clause.terms, clause.root).unwrap();
            let written = written_out(&clause.terms, goal).unwrap();
            let expected = read_text(&format!("{expected}.\n"));
            let expected = &expected.clauses[0];
            let expected = write_term(&expected.terms, expected.root, None);
            assert_eq!(write_term(&written, goal, None), expected);
        }
    }

    #[test]
    fn other_directives_are_unchanged() {
        for goal in ["dynamic(p/1)", "maplist(p, Xs)", "call(G)"] {
            let file = read_text(&format!(":- {goal}.\n"));
            let clause = &file.clauses[0];
            let goal = directive(&clause.terms, clause.root).unwrap();
            let written = written_out(&clause.terms, goal);
            let written = written.map(|terms| write_term(&terms, goal, None));
            assert_eq!(written, None);
        }
    }
}
