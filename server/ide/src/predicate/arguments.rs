//! The names of a predicate's arguments, taken from its declaration or else from the heads of its clauses.

use costlens_program::positions::positions;
use costlens_program::{Clause, Functor, SourceFile, assertions_of, find};
use costlens_syntax::term::Term;

use crate::db::Db;
use crate::present::{indicator, quoted};

/// Returns the names of the arguments. An argument without a name is `None`.
pub(crate) fn argument_names(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Vec<Option<String>> {
    let mut names = declared_names(db, file, functor);
    names.resize(functor.arity, None);
    let positions = positions(db, file);
    let Some(places) = positions.iter().find(|p| p.functor == *functor) else {
        return names;
    };
    let Some(predicate) = find(db, file, functor) else {
        return names;
    };
    for (clause, place) in predicate.clauses(db).iter().zip(&places.clauses) {
        for (slot, &argument) in names.iter_mut().zip(clause.terms.args(clause.head)) {
            if let (None, Term::Var(v)) = (&slot, clause.terms.get(argument))
                && let Some(name) = usize::try_from(*v)
                    .ok()
                    .and_then(|v| place.spans.variables.get(v))
                && !name.starts_with('_')
            {
                *slot = Some(name.to_string());
            }
        }
    }
    if is_grammar(predicate.clauses(db)) {
        name_lists(&mut names);
    }
    // Two arguments with the same name would make a size ambiguous.
    let named: Vec<String> = names.iter().flatten().cloned().collect();
    for slot in &mut names {
        if let Some(name) = slot
            && named.iter().filter(|n| *n == name).count() > 1
        {
            *slot = None;
        }
    }
    names
}

/// Returns the name and arity of a predicate as in its clauses: `words//1` for a grammar rule.
pub(crate) fn written_name(db: &dyn Db, file: SourceFile, functor: &Functor) -> String {
    let is_grammar = find(db, file, functor).is_some_and(|p| is_grammar(p.clauses(db)));
    match functor.arity.checked_sub(2).filter(|_| is_grammar) {
        Some(arity) => format!("{}//{arity}", quoted(&functor.name)),
        None => indicator(functor),
    }
}

fn is_grammar(clauses: &[Clause]) -> bool {
    !clauses.is_empty() && clauses.iter().all(|c| c.grammar_rule)
}

/// Names the two implicit arguments of a grammar rule: the list and its rest.
pub(crate) fn name_lists(names: &mut [Option<String>]) {
    let [.., list, rest] = names else {
        return;
    };
    list.get_or_insert_with(|| "List".to_owned());
    rest.get_or_insert_with(|| "Rest".to_owned());
}

/// Returns the argument names in the declarations of a predicate.
pub(crate) fn declared_names(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Vec<Option<String>> {
    let mut names = vec![None; functor.arity];
    let Some(predicate) = find(db, file, functor) else {
        return names;
    };
    for assertion in assertions_of(db, predicate) {
        for (slot, argument) in names.iter_mut().zip(&assertion.arguments) {
            if slot.is_none() {
                *slot = argument.name.as_ref().map(ToString::to_string);
            }
        }
    }
    names
}
