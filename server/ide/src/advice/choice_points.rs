//! `left-choice-point`: clauses that indexing cannot distinguish, in a predicate with at most one solution.
//!
//! ```text
//! down(0).                                      % down(0) leaves a choice point:
//! down(N) :- N > 0, M is N-1, down(M).          % this clause matches 0 until its test fails
//! ```
//!
//! After a call succeeds in a clause, a choice point for a later clause remains if the index also selects the later clause and no cut
//! removes the choice point. SWI-Prolog and similar systems index any argument, and parts of arguments. For these systems, clauses are
//! considered distinguishable if they differ in a bound argument or inside a bound argument. GNU Prolog and Ciao index only the functor of
//! the first argument.
//!
//! Such a call exists if the later head is at least as general as the earlier head in all bound arguments. Otherwise the earlier clause
//! must succeed for the values that the later head requires. This is decided only for facts and for tests that can be evaluated.

use std::collections::BTreeMap;

use costlens_analysis::report::{Determinism, Functor, PatternReport};
use costlens_analysis::types::{TextType, Type};
use costlens_analysis::{never_succeeds, type_test};
use costlens_body::{Comparison, Goal, conjuncts};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::Dialect;
use costlens_syntax::Integer;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::{Look, Remark};
use crate::db::reached_report;
use crate::diagnostics::Related;
use crate::diagnostics::rules;
use crate::fixes::goals::variable;
use crate::present::indicator;

pub(super) fn remarks(look: &Look<'_>) -> Vec<Remark> {
    let once = matches!(
        look.report.determinism,
        Determinism::Det | Determinism::Semidet
    );
    match once && look.site.clauses.len() > 1 {
        true => remark(look).into_iter().collect(),
        false => Vec::new(),
    }
}

/// Returns a hint for the first clause that leaves a choice point.
fn remark(look: &Look<'_>) -> Option<Remark> {
    let clauses = look.site.clauses;
    let index = IndexedArguments::new(look);
    let later = |first: usize| {
        let all = first + 1..clauses.len();
        all.into_iter()
            .find(|&second| index.leaves(&clauses[first], &clauses[second]))
    };
    let leaving: Vec<(usize, usize)> = (0..clauses.len())
        .filter(|&first| may_end_without_cut(look, &clauses[first]))
        .filter_map(|first| Some((first, later(first)?)))
        .collect();
    let &(first, second) = leaving.first()?;
    let of = indicator(look.site.functor);
    let many = match look.report.determinism {
        Determinism::Det => "one solution",
        _ => "one solution at the most",
    };
    let more = match leaving.len() - 1 {
        0 => String::new(),
        1 => ", and so does another one".to_owned(),
        n => format!(", and so do {n} others"),
    };
    let line = look.line(second)?;
    let help = match index.fits_last(look, first) {
        true => "Behind the clauses that test, it leaves none.",
        false => "A cut behind its tests, or one clause with `( Test -> … ; … )`, leaves none.",
    };
    let message = format!(
        "`{of}` has {many}, but this clause leaves a choice point behind{more}: {} the clause in line {line} apart. {help}",
        index.words()
    );
    let mut remark = look.remark(
        &rules::LEFT_CHOICE_POINT,
        first,
        clauses[first].head,
        message,
    )?;
    let (from, to) = look.site.places.get(second)?.head;
    remark.related.push(Related {
        range: from..to,
        message: "tried then, and fails".to_owned(),
    });
    Some(remark)
}

/// The arguments used for indexing.
struct IndexedArguments<'a> {
    /// The argument types of the call.
    types: &'a [Type],
    /// True for systems that index only the functor of the first argument.
    first_alone: bool,
}

impl<'a> IndexedArguments<'a> {
    fn new(look: &Look<'a>) -> Self {
        let dialect = look.site.file.parsed(look.site.db).dialect();
        Self {
            types: &look.report.pattern.0,
            first_alone: matches!(dialect, Dialect::Gnu | Dialect::Ciao),
        }
    }

    /// Returns the beginning of a sentence that ends in "the clause apart".
    fn words(&self) -> &'static str {
        match self.first_alone {
            true => "an index of first arguments does not tell",
            false => "no argument that is bound tells",
        }
    }

    /// Returns true if some call succeeds in the first clause while the index also selects the second.
    fn leaves(&self, first: &Clause, second: &Clause) -> bool {
        // Leading terminals of a grammar rule are part of its head.
        let plain =
            |c: &Clause| matches!(c.kind, ClauseKind::Fact | ClauseKind::Rule) && !c.grammar_rule;
        if !plain(first) || !plain(second) {
            return false;
        }
        let (a, b) = (first.terms.args(first.head), second.terms.args(second.head));
        let pairs: Vec<(TermId, TermId)> = (a.iter().zip(b).zip(self.types))
            .take(if self.first_alone { 1 } else { usize::MAX })
            .filter(|(_, ty)| **ty != Type::Free)
            .map(|((&a, &b), _)| match self.first_alone {
                true => (a, b),
                false => (in_head(first, a), in_head(second, b)),
            })
            .collect();
        let matched = match self.first_alone {
            true => matched_keys(first, second, &pairs),
            false => matched(first, second, &pairs),
        };
        let Some(asked) = matched else {
            return false;
        };
        // The first clause must succeed for the values that the second clause requires.
        let takes = asked.is_empty() || succeeds_for(first, &asked);
        takes && self.is_possible(first) && self.is_possible(second)
    }

    /// Returns true if values of the call's types can match a head.
    fn is_possible(&self, clause: &Clause) -> bool {
        let terms = &clause.terms;
        let arguments = terms.args(clause.head).iter();
        arguments.zip(self.types).all(|(&argument, ty)| {
            let term = terms.get(argument);
            let is_list = || {
                terms.as_atom(argument).is_some_and(|a| a == NIL)
                    || terms.matches(argument, CONS, 2).is_some()
            };
            match (term, ty) {
                (Term::Var(_), _) => true,
                (_, Type::List(_)) => is_list(),
                (Term::Integer(_), Type::Int | Type::Number) => true,
                (Term::Float(_), Type::Number) => true,
                (_, Type::Int | Type::Number) => false,
                (Term::Compound(..), ty) => !ty.is_constant(),
                (Term::Atom(_), _) => true,
                (_, ty) => ty.text() != Some(TextType::Atom),
            }
        })
    }

    /// Returns true for a fact with one constant that can be moved after the later clauses. Calls with other constants do not select the
    /// fact; for its own constant, the first tests of the later clauses fail. After the move, the fact leaves no choice point and gives the
    /// same answers.
    fn fits_last(&self, look: &Look<'_>, first: usize) -> bool {
        let clauses = look.site.clauses;
        let fact = &clauses[first];
        let is_constant = |id: &TermId| {
            matches!(fact.terms.get(*id), Term::Integer(_)) || fact.terms.as_atom(*id).is_some()
        };
        let bound = self.types.first().is_some_and(Type::is_bound);
        let by_first = fact.terms.args(fact.head).first().is_some_and(is_constant);
        let later = clauses.iter().skip(first + 1);
        fact.kind == ClauseKind::Fact && bound && by_first && !look.report.errors_possible && {
            later
        }
        .all(|clause| !self.leaves(fact, clause) || fails_for(fact, clause))
    }
}

/// Returns true for a clause whose first goal is false for the values in a fact's head.
fn fails_for(fact: &Clause, clause: &Clause) -> bool {
    let (constants, arguments) = (fact.terms.args(fact.head), clause.terms.args(clause.head));
    let values: BTreeMap<u32, HeadConstant> = (constants.iter().zip(arguments))
        .filter_map(|(&constant, &argument)| {
            let v = variable(&clause.terms, argument)?;
            Some((v, HeadConstant::from_term(&fact.terms, constant)?))
        })
        .collect();
    let first = (clause.body).and_then(|body| conjuncts(&clause.terms, body).first().copied());
    first.is_some_and(|goal| holds(&clause.terms, goal, &values) == Some(false))
}

/// Returns the term with which an argument is unified in the first goals. SWI-Prolog moves such unifications into the head.
fn in_head(clause: &Clause, argument: TermId) -> TermId {
    let terms = &clause.terms;
    let (Some(body), Some(v)) = (clause.body, variable(terms, argument)) else {
        return argument;
    };
    for goal in conjuncts(terms, body) {
        let Goal::Unify(left, right) = Goal::lower(terms, goal) else {
            break;
        };
        if variable(terms, left) == Some(v) {
            return right;
        }
        if variable(terms, right) == Some(v) {
            return left;
        }
    }
    argument
}

/// Returns true for a clause that contains neither a cut nor a goal that can never succeed, such as a type test that contradicts the type
/// of its argument.
fn may_end_without_cut(look: &Look<'_>, clause: &Clause) -> bool {
    let Some(body) = clause.body else {
        return true;
    };
    let terms = &clause.terms;
    let is_cut = |id: TermId| Goal::lower(terms, id) == Goal::Cut;
    let cannot_succeed = |&goal: &TermId| {
        let Some((name, arity)) = terms.functor(goal) else {
            return false;
        };
        if let &[tested] = terms.args(goal)
            && let Some(ty) = type_of_argument(look, clause, tested)
            && type_test(name, ty, terms, tested) == Some(false)
        {
            return true;
        }
        let called = Functor::new(name.clone(), arity);
        let fails = |p: &PatternReport| p.determinism == Determinism::Failure;
        match reached_report(look.site.db, look.site.file, &called) {
            Some(own) => own.patterns.iter().any(fails),
            None => never_succeeds(&called),
        }
    };
    let cuts = terms.subterms(body).into_iter().any(is_cut);
    !cuts && !conjuncts(terms, body).iter().any(cannot_succeed)
}

/// Returns the type of the call's argument that a head variable represents.
fn type_of_argument<'l>(look: &'l Look<'_>, clause: &Clause, tested: TermId) -> Option<&'l Type> {
    let terms = &clause.terms;
    let v = variable(terms, tested)?;
    let mut arguments = terms.args(clause.head).iter().zip(&look.report.pattern.0);
    let found = arguments.find(|(argument, _)| variable(terms, **argument) == Some(v));
    // An unbound argument may be bound before the test.
    found.map(|(_, ty)| ty).filter(|ty| ty.is_bound())
}

/// Returns true if a clause leaves a choice point for a later clause in some call.
pub(super) fn is_left_by(look: &Look<'_>, number: usize) -> bool {
    let index = IndexedArguments::new(look);
    let Some((first, later)) = look.site.clauses[number..].split_first() else {
        return false;
    };
    may_end_without_cut(look, first) && later.iter().any(|second| index.leaves(first, second))
}

/// Returns the values that variables of the first clause must have for both heads to match. The map is empty if the second head is at least
/// as general. Returns `None` if no call matches both heads, or if that is unknown.
fn matched(
    first: &Clause,
    second: &Clause,
    pairs: &[(TermId, TermId)],
) -> Option<BTreeMap<u32, HeadConstant>> {
    let (a_terms, b_terms) = (&first.terms, &second.terms);
    let mut asked = BTreeMap::new();
    let mut seen: BTreeMap<u32, TermId> = BTreeMap::new();
    let mut waiting = pairs.to_vec();
    while let Some((a, b)) = waiting.pop() {
        match (a_terms.get(a), b_terms.get(b)) {
            (_, Term::Var(v)) => {
                // A variable that occurs twice requires equal terms.
                if let Some(&other) = seen.get(v) {
                    let same = match (a_terms.get(other), a_terms.get(a)) {
                        (Term::Var(x), Term::Var(y)) => x == y,
                        _ => false,
                    };
                    if !same {
                        return None;
                    }
                }
                seen.insert(*v, a);
            }
            (Term::Var(v), _) => {
                // The type of an argument does not determine its subterms.
                pairs.contains(&(a, b)).then_some(())?;
                let value = HeadConstant::from_term(b_terms, b)?;
                if asked
                    .insert(*v, value.clone())
                    .is_some_and(|other| other != value)
                {
                    return None;
                }
            }
            _ => {
                let (xs, ys) = (a_terms.args(a), b_terms.args(b));
                let alike = match (a_terms.functor(a), b_terms.functor(b)) {
                    (Some(f), Some(g)) => f == g,
                    (None, None) => a_terms.get(a) == b_terms.get(b),
                    _ => false,
                };
                if !alike {
                    return None;
                }
                waiting.extend(xs.iter().copied().zip(ys.iter().copied()));
            }
        }
    }
    Some(asked)
}

/// Returns the required values for matching the functors only, since an index on first arguments ignores their subterms.
fn matched_keys(
    first: &Clause,
    second: &Clause,
    pairs: &[(TermId, TermId)],
) -> Option<BTreeMap<u32, HeadConstant>> {
    let mut asked = BTreeMap::new();
    for &(a, b) in pairs {
        match (first.terms.get(a), second.terms.get(b)) {
            (_, Term::Var(_)) => {}
            (Term::Var(v), _) => {
                asked.insert(*v, HeadConstant::from_term(&second.terms, b)?);
            }
            (x, y) => match (first.terms.functor(a), second.terms.functor(b)) {
                (Some(f), Some(g)) if f == g => {}
                (None, None) if x == y => {}
                _ => return None,
            },
        }
    }
    Some(asked)
}

/// A constant that a head requires.
#[derive(Clone, Debug, PartialEq, Eq)]
enum HeadConstant {
    Integer(Integer),
    Atom(String),
}

impl HeadConstant {
    fn from_term(terms: &Terms, id: TermId) -> Option<Self> {
        match terms.get(id) {
            Term::Integer(n) => Some(HeadConstant::Integer(n.clone())),
            _ => Some(HeadConstant::Atom(terms.as_atom(id)?.to_string())),
        }
    }
}

/// Returns true for a clause that succeeds for these values: a fact, or a clause whose goals are tests that hold.
fn succeeds_for(clause: &Clause, values: &BTreeMap<u32, HeadConstant>) -> bool {
    let Some(body) = clause.body else {
        return true;
    };
    let terms = &clause.terms;
    conjuncts(terms, body)
        .into_iter()
        .all(|goal| holds(terms, goal, values) == Some(true))
}

/// Evaluates a comparison of constants and variables with known values. Returns `None` for other goals and for unknown values.
fn holds(terms: &Terms, goal: TermId, values: &BTreeMap<u32, HeadConstant>) -> Option<bool> {
    let value = |id: TermId| match terms.get(id) {
        Term::Var(v) => values.get(v).cloned(),
        _ => HeadConstant::from_term(terms, id),
    };
    match Goal::lower(terms, goal) {
        Goal::True => Some(true),
        Goal::Compare(comparison, a, b) => match (value(a)?, value(b)?) {
            (HeadConstant::Integer(a), HeadConstant::Integer(b)) => {
                Some(comparison.holds(a.cmp(&b)))
            }
            _ => None,
        },
        Goal::Unify(a, b) | Goal::CompareTerms(Comparison::Equal, a, b) => {
            Some(value(a)? == value(b)?)
        }
        Goal::NotUnifiable(a, b) | Goal::CompareTerms(Comparison::NotEqual, a, b) => {
            Some(value(a)? != value(b)?)
        }
        _ => None,
    }
}
