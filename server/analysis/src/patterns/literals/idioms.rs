//! Idioms that reveal more than their predicates do: `phrase/2` with a nonterminal of the file, `member(X, Xs), !`, `append(_, [X], L)`.

use costlens_body::Related;
use costlens_catalog::Relation;
use costlens_program::{Clause, Functor};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::{ClauseModes, Literal, MemberPredicate, Use};
use crate::patterns::variables::{Variables, variables};
use crate::patterns::{KnownCallee, Member};

/// Converts `phrase(lines(N), Text)` to a call of `lines//1`, if this nonterminal is known.
pub(super) fn phrase(
    terms: &Terms,
    goal: TermId,
    members: &[Member],
    callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
) -> Option<Literal> {
    let related = Related::lookup(terms, goal).filter(|r| r.relation == Relation::Phrase)?;
    let (&body, text) = related.args.split_first()?;
    let (name, arity) = terms.functor(body)?;
    let functor = Functor::new(name.clone(), arity + 2);
    let all = terms.args(body).iter().chain(text);
    let mut arguments: Vec<Variables> = all.map(|&a| variables(terms, a)).collect();
    arguments.resize(functor.arity, Variables::new());
    if let Some(member) = members.iter().position(|m| m.functor == functor) {
        return Some(Literal::Member(member, arguments));
    }
    let known = callee(&functor).filter(|known| known.own)?;
    let types = known.pattern?.0;
    let is_open = |i: usize| known.open.get(i).copied().unwrap_or_default();
    let uses = types
        .iter()
        .enumerate()
        .map(|(i, of)| Use::from_type(of, is_open(i)));
    Some(Literal::Known {
        uses: uses.collect(),
        arguments,
        reversible: false,
    })
}

/// Compiles `T =.. [F|Args]`, which constructs a term with a known name or decomposes a term.
pub(super) fn univ(terms: &Terms, goal: TermId) -> Option<Literal> {
    let [term, list] = Related::arguments(terms, goal, Relation::Parts)?;
    let &[name, rest] = terms.matches(list, CONS, 2)? else {
        return None;
    };
    let name = variables(terms, name);
    let term_use = match name.is_empty() {
        true => Use::Meets,
        false => Use::Reads,
    };
    Some(Literal::Known {
        uses: vec![term_use, Use::Makes, Use::Meets],
        arguments: vec![variables(terms, term), name, variables(terms, rest)],
        reversible: true,
    })
}

/// Returns the head argument that is searched for in a list. `member(X, Xs), !` without goals in between only tests for membership, because
/// programs use `[X|_]` to access the first element.
pub(super) fn sought(terms: &Terms, goal: TermId, head: &[TermId]) -> Option<usize> {
    let [element, _] = Related::arguments(terms, goal, Relation::Member)?;
    let Term::Var(v) = terms.get(element) else {
        return None;
    };
    head.iter()
        .position(|&a| matches!(terms.get(a), Term::Var(w) if w == v))
}

/// Returns whether a reversible predicate is called with an input that is a variable without other occurrences in the clause:
/// `append(_, [X], L)` decomposes `L`.
pub(super) fn is_backwards(clause: &Clause, args: &[TermId], uses: &[Use]) -> bool {
    let terms = &*clause.terms;
    let parts = [Some(clause.head), clause.guard, clause.body];
    let all = || {
        parts
            .iter()
            .flatten()
            .flat_map(|&part| terms.subterms(part))
    };
    (args.iter().zip(uses)).any(|(&arg, of)| match terms.get(arg) {
        Term::Var(v) if *of == Use::Reads => {
            let is_it = |t: &TermId| matches!(terms.get(*t), Term::Var(w) if w == v);
            all().filter(is_it).count() == 1
        }
        _ => false,
    })
}

/// Returns the arguments with a state that unknown goals pass on: `S0` in
///
/// ```prolog
/// walk([], S, S, _).
/// walk([X|Xs], S0, S, P) :- call(P, X, S0, S1), walk(Xs, S1, S, P).
/// ```
///
/// The unknown goal does not tell whether the state is known, so that the argument would pass for an output.
pub(super) fn threaded(predicate: &MemberPredicate, own: usize) -> Vec<usize> {
    let is_passed_on = |clause: &ClauseModes, i: usize| {
        let &[before] = &clause.head[i][..] else {
            return false;
        };
        let mut unknown: Vec<&Variables> = Vec::new();
        for literal in &clause.literals {
            match literal {
                Literal::Apply(_, met) | Literal::Other(met) => unknown.push(met),
                Literal::Member(member, arguments) if *member == own => {
                    let &[after] = &arguments[i][..] else {
                        continue;
                    };
                    let both = |met: &&Variables| met.contains(&before) && met.contains(&after);
                    if before != after && unknown.iter().any(both) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    };
    let is_recursive = |clause: &ClauseModes| {
        let mut literals = clause.literals.iter();
        literals.any(|literal| matches!(literal, Literal::Member(..)))
    };
    // `walk([], S, S, _).`
    let is_returned = |clause: &ClauseModes, i: usize| {
        let mut others = clause.head.iter().enumerate();
        clause.head[i].len() == 1 && others.any(|(j, of)| j != i && *of == clause.head[i])
    };
    (0..predicate.arity)
        .filter(|&i| predicate.fixed[i].is_none() && !predicate.rests[i])
        .filter(|&i| predicate.clauses.iter().any(|c| is_passed_on(c, i)))
        .filter(|&i| {
            let mut clauses = predicate.clauses.iter();
            clauses.any(|c| !is_recursive(c) && is_returned(c, i))
        })
        .collect()
}
