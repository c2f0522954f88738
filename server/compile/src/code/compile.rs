//! The compiler from clauses to code.

use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::constant::Constant;
use super::emit::emit;
use super::error::CompileError;
use super::goal;
use super::instruction::StructureName;
use super::liveness::analyse;
use super::shape::{ClauseCode, IndexKey};

/// A clause as terms. Grammar rules must already be translated.
#[derive(Clone, Copy, Debug)]
pub struct ClauseText<'t> {
    /// The arena to which the ids below refer.
    pub terms: &'t Terms,
    /// The head: an atom or a compound.
    pub head: TermId,
    /// The guard of a single-sided rule.
    pub guard: Option<TermId>,
    /// The body; `None` for a fact.
    pub body: Option<TermId>,
    /// True for a single-sided rule, `Head, Guard => Body`: the head is matched, and the clause commits.
    pub single_sided: bool,
}

/// Compiles a clause of a program that redefines no built-ins; see [`compile_clause_with`].
///
/// # Errors
///
/// The errors of [`compile_clause_with`].
pub fn compile_clause(clause: &ClauseText<'_>) -> Result<ClauseCode, CompileError> {
    compile_clause_with(clause, &|_, _| false)
}

impl<'t> ClauseText<'t> {
    /// Creates `Head, Guard => Body`.
    #[must_use]
    pub fn single_sided(
        terms: &'t Terms,
        head: TermId,
        guard: Option<TermId>,
        body: Option<TermId>,
    ) -> Self {
        Self {
            guard,
            single_sided: true,
            ..Self::rule(terms, head, body)
        }
    }

    /// Creates `Head :- Body`.
    #[must_use]
    pub fn rule(terms: &'t Terms, head: TermId, body: Option<TermId>) -> Self {
        Self {
            terms,
            head,
            guard: None,
            body,
            single_sided: false,
        }
    }
}

/// Compiles a clause. `is_redefined` returns whether the program has its own clauses for a name and arity; it is called for predicates that
/// would be compiled inline but are not core built-ins, such as `is_list/1` and `forall/2`.
///
/// # Errors
///
/// The head or a goal is not a callable term; see [`CompileError`].
pub fn compile_clause_with(
    clause: &ClauseText<'_>,
    is_redefined: &dyn Fn(&str, usize) -> bool,
) -> Result<ClauseCode, CompileError> {
    let terms = clause.terms;
    if terms.functor(clause.head).is_none() {
        return Err(CompileError::NoHead(clause.head));
    }
    let arguments = terms.args(clause.head).to_vec();
    if let Some(unreadable) = terms
        .subterms(clause.head)
        .into_iter()
        .find(|&t| *terms.get(t) == Term::Error)
    {
        return Err(CompileError::Unreadable(unreadable));
    }
    let mut body = goal::body(
        terms,
        is_redefined,
        clause.guard,
        clause.single_sided,
        clause.body,
    )?;
    let live = analyse(terms, &arguments, &mut body);
    let mut code = emit(terms, &arguments, clause.single_sided, &body, live)?;
    code.key = first_argument(terms, clause.head);
    code.keys = arguments.iter().map(|&a| key(terms, a)).collect();
    debug_assert_eq!(super::verify::verify(&code), Ok(()), "{code}");
    Ok(code)
}

/// Compiles a goal as the body of a clause whose arguments are the given variables, in this order. To run the goal, put their values in
/// `A0 …` and call the clause. A cut in the goal is local.
///
/// # Errors
///
/// The goal, or a goal inside it, is not a callable term.
pub fn compile_goal(
    terms: &Terms,
    goal: TermId,
    variables: &[u32],
) -> Result<ClauseCode, CompileError> {
    let mut terms = terms.clone();
    let arguments: Vec<TermId> = variables
        .iter()
        .map(|&v| terms.push(Term::Var(v)))
        .collect();
    let head = terms.compound_or_atom("$goal", &arguments);
    compile_clause(&ClauseText::rule(&terms, head, Some(goal)))
}

/// Returns the index key of a head's first argument: its requirement on a call.
#[must_use]
pub fn first_argument(terms: &Terms, head: TermId) -> IndexKey {
    argument_key(terms, head, 0)
}

/// Returns the index key of a head argument, counted from 0.
#[must_use]
pub fn argument_key(terms: &Terms, head: TermId, at: usize) -> IndexKey {
    (terms.args(head).get(at)).map_or(IndexKey::Any, |&argument| key(terms, argument))
}

/// Returns the index key of a first argument.
fn key(terms: &Terms, id: TermId) -> IndexKey {
    match terms.get(id) {
        Term::Compound(name, _) => {
            let arity = terms.args(id).len();
            if name == CONS && arity == 2 {
                IndexKey::List
            } else {
                IndexKey::Structure(name.clone(), arity)
            }
        }
        _ => Constant::from_term(terms, id).map_or(IndexKey::Any, IndexKey::Constant),
    }
}

/// Returns the name and arity of a head.
#[must_use]
pub fn functor(terms: &Terms, head: TermId) -> Option<StructureName> {
    terms
        .functor(head)
        .map(|(name, arity)| (name.clone(), arity))
}
