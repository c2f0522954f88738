//! Tables of facts that change while the program runs, whose sizes are parameters of bounds.
//!
//! ```prolog
//! :- dynamic par/2.
//! learn(X, Y) :- atom(X), atom(Y), assertz(par(X, Y)).     % par/2 has only facts, which hold atoms
//! ```

use std::sync::Arc;

use costlens_body::{Goal, TypeTest};
use costlens_catalog::{Relation, relation};
use costlens_infer::relative::stored_type;
use costlens_infer::types::{TextType, Type};
use costlens_program::definitions::{
    self, StoredClause, all_clauses, has_stored_rule, stored_clauses, stores_any_clause,
};
use costlens_program::language::AddedClause;
use costlens_program::loading::home_module;
use costlens_program::{Functor, Opened, SourceFile, calls, facts, find, names};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::db::Db;
use crate::open::why_open_beside;

/// A predicate, by its file and its name there.
#[salsa::interned(debug, revisions = usize::MAX)]
pub(crate) struct TableKey<'db> {
    /// The file that declares the predicate.
    #[returns(copy)]
    pub(crate) file: SourceFile,
    /// The predicate.
    pub(crate) functor: Functor,
}

/// Returns the types of the arguments of a predicate's facts, if its clauses may change, and all clauses that known files contain or add are
/// facts.
///
/// *Invalidated* when a clause of the predicate, or a goal that adds one, changes; the result is usually equal.
#[salsa::tracked(returns(clone))]
pub(crate) fn fact_table<'db>(db: &'db dyn Db, key: TableKey<'db>) -> Option<Arc<[Type]>> {
    let (file, functor) = (key.file(db), key.functor(db));
    let (declared_in, Opened::Dynamic) = calls::opened(db, file, functor)? else {
        return None;
    };
    // A file that two modules load is part of the first of them only.
    let module = home_module(db, file).as_ref()?;
    if home_module(db, declared_in).as_ref()? != module && declared_in != file {
        return None;
    }
    // SWI-Prolog rejects the declaration of a name that an import list has bound before.
    if [file, declared_in]
        .into_iter()
        .any(|by| names::refused(db, by, functor))
    {
        return None;
    }
    let mut types = vec![Type::None; functor.arity];
    let mut add = |terms: &Terms, head: TermId, of_variable: &dyn Fn(u32) -> Type| {
        for (ty, &argument) in types.iter_mut().zip(terms.args(head)) {
            *ty = ty.join(&stored_type(terms, argument, of_variable));
        }
    };
    let from_elsewhere = definitions::made_in(db, file, functor).is_some()
        || definitions::extended_in(db, file, functor).is_some()
        || facts(db, file).multifile.contains(functor);
    if from_elsewhere || has_stored_rule(db, file, functor) {
        return None;
    }
    if let Some(predicate) = find(db, file, functor) {
        if why_open_beside(db, predicate, true).is_some() {
            return None;
        }
        for clause in all_clauses(db, predicate).iter() {
            if !is_fact(&clause.terms, clause.body) || clause.guard.is_some() {
                return None;
            }
            add(&clause.terms, clause.head, &|_| Type::Any);
        }
    } else if names::defined_beside_file(db, file, functor).is_some()
        || names::missing_include(db, file).is_some()
        || names::is_in_a_circle(db, file)
    {
        // Declared here; two files define it, or one that was not found may.
        return None;
    }
    for stored in &stored_clauses(db, file, functor) {
        let added = AddedClause::read(&stored.terms, stored.clause, &|t| t);
        if !added.is_fact {
            return None;
        }
        add(&stored.terms, added.head, &|v| type_before(stored, v));
    }
    if stores_any_clause(db, file) {
        types.fill(Type::Any);
    }
    for ty in &mut types {
        // Facts that no known file adds may hold anything.
        if *ty == Type::None {
            *ty = Type::Any;
        }
    }
    Some(types.into())
}

fn is_fact(terms: &Terms, body: Option<TermId>) -> bool {
    body.is_none_or(|body| Goal::lower(terms, body) == Goal::True)
}

/// Returns the type of a variable when a clause with it is added, from tests and computations before.
fn type_before(stored: &StoredClause, v: u32) -> Type {
    let terms = &*stored.terms;
    let is_it = |t: TermId| matches!(terms.get(t), Term::Var(w) if *w == v);
    let of_goal = |&goal: &TermId| match Goal::lower(terms, goal) {
        Goal::Is { result, .. } if is_it(result) => Some(Type::Number),
        Goal::Type(test, tested) if is_it(tested) => type_of_test(test),
        _ => {
            let (name, arity) = terms.functor(goal)?;
            let last = *terms.args(goal).last()?;
            let counts = matches!(
                relation(name, arity),
                Some(Relation::Length | Relation::Between)
            );
            (counts && is_it(last)).then_some(Type::Int)
        }
    };
    (stored.before.iter().filter_map(of_goal))
        .reduce(|a, b| a.meet(&b))
        .filter(|ty| *ty != Type::None)
        .unwrap_or(Type::Any)
}

fn type_of_test(test: TypeTest) -> Option<Type> {
    Some(match test {
        TypeTest::Integer => Type::Int,
        TypeTest::Number => Type::Number,
        TypeTest::Atom => Type::Atom,
        TypeTest::String => Type::Text(TextType::String),
        TypeTest::Ground => Type::Ground,
        _ => return None,
    })
}
