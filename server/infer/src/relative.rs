//! Summaries in terms of [parameters](crate::report::Parameter), for calls that the clauses of the program do not determine.

mod callee_cost;

use costlens_algebra::Expr;
use costlens_algebra::linear::Region;
use costlens_program::SourceFile;
use costlens_recurrences::{SolvedPiece, Value};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::lattice::types::{Pattern, TextType, Type};
use crate::report::{Claim, Functor, Parameter, ParameterAssumption, ParameterKind, Subject};
use crate::summary::names::name_all;
use crate::summary::parameters::Met;
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::{RunsLater, Summary};
use crate::trusted::{node_alone, untrusted};

pub use self::callee_cost::in_own_terms;
pub(crate) use self::callee_cost::{depends_on, with_one_solution, without_variables};

/// Returns the summary for calls of a predicate whose clauses are facts that may be added and removed. `contents` are the types of the
/// facts' arguments.
///
/// ```prolog
/// :- dynamic par/2.     % at most facts(par/2) solutions, one step each
/// ```
#[must_use]
pub fn of_facts(file: SourceFile, name: &Functor, pattern: &Pattern, contents: &[Type]) -> Summary {
    let of = Subject::Predicate(file, name.clone());
    let (mut summary, facts) = relative(name, pattern, &[ParameterKind::Facts], &of);
    let success = pattern
        .0
        .iter()
        .zip(contents)
        .map(|(before, stored)| match before {
            Type::Free => stored.clone(),
            bound => bound.clone(),
        });
    summary.success = Some(success.collect());
    // A fact that is entered is a solution.
    summary.first.upper = everywhere(Expr::int(1));
    summary.all.upper = everywhere(facts[0].clone());
    summary.solutions.upper = everywhere(facts[0].clone());
    summary.assumes = vec![ParameterAssumption {
        claim: Claim::NoOtherClauses,
        of,
    }];
    with_names(summary)
}

/// A goal or predicate about which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCallee {
    /// The goal or predicate.
    pub of: Subject,
    /// True if it may have several solutions. Otherwise, at most one is assumed.
    pub is_many: bool,
}

/// Returns the summary for calls of a goal or predicate about which nothing is known: it may take any number of steps and bind any variable
/// of its arguments, but is assumed to change no terms in place and to add no clauses.
///
/// ```prolog
/// handle(R) :- authorised(R, U), render(U, H), …     % 1 + authorised + render, if both have at most one solution
/// ```
pub(crate) fn of_unknown(name: &Functor, callee: &UnknownCallee) -> Summary {
    let kinds = match callee.is_many {
        true => &[ParameterKind::Cost, ParameterKind::Solutions][..],
        false => &[ParameterKind::Cost],
    };
    // The caller forgets what it knows about the arguments.
    let (mut summary, values) = relative(name, &Pattern(Vec::new()), kinds, &callee.of);
    summary.first.upper = everywhere(values[0].clone());
    summary.all.upper = everywhere(values[0].clone());
    summary.solutions.upper = everywhere(values.get(1).cloned().unwrap_or_else(|| Expr::int(1)));
    summary.errors_possible = true;
    summary.raises_later = true;
    let single = (!callee.is_many).then_some(Claim::AtMostOneSolution);
    summary.assumes = (single.into_iter().chain([Claim::ChangesNothing]))
        .map(|claim| ParameterAssumption {
            claim,
            of: callee.of.clone(),
        })
        .collect();
    summary
}

/// Returns a summary without upper bounds that depends on parameters of some kinds, and these parameters.
fn relative(
    name: &Functor,
    pattern: &Pattern,
    kinds: &[ParameterKind],
    of: &Subject,
) -> (Summary, Vec<Expr>) {
    let met = Met::default();
    let variable = |&kind: &ParameterKind| {
        let of = of.clone();
        met.variable(&Parameter { kind, of }, None)
    };
    let values = kinds.iter().filter_map(variable).map(Expr::var).collect();
    let mut node = node_alone(name, pattern);
    node.depend_on(&met.variables());
    let mut summary = untrusted(name, pattern, false);
    summary.domain = node.domain;
    summary.parameters = met.all();
    summary.unknown.clear();
    summary.later = RunsLater::No;
    summary.errors_possible = false;
    summary.raises_later = false;
    let lower = || Sides {
        lower: everywhere(Expr::zero()),
        upper: Pieces::new(),
    };
    (summary.first, summary.all, summary.solutions) = (lower(), lower(), lower());
    (summary, values)
}

fn with_names(mut summary: Summary) -> Summary {
    let mut node = node_alone(&summary.predicate, &summary.pattern);
    node.depend_on(&summary.parameters.iter().map(|p| p.var).collect::<Vec<_>>());
    name_all(&node, &mut summary);
    summary
}

fn everywhere(value: Expr) -> Pieces {
    vec![SolvedPiece {
        region: Region::default(),
        value: Value::Known(value),
    }]
}

/// Returns the type of a term that is stored, given the types of its variables' values.
#[must_use]
pub fn stored_type(terms: &Terms, t: TermId, of_variable: &dyn Fn(u32) -> Type) -> Type {
    match terms.get(t) {
        Term::Var(v) => of_variable(*v),
        Term::Integer(_) => Type::Int,
        Term::Float(_) | Term::Rational(_) => Type::Number,
        Term::String(_) => Type::Text(TextType::String),
        Term::Error => Type::Any,
        _ => {
            if let Some(atom) = terms.as_atom(t) {
                return match atom == "[]" {
                    true => Type::list(Type::None),
                    false => Type::Atom,
                };
            }
            let (elements, rest) = terms.list(t);
            let is_ground = |&part: &TermId| match terms.get(part) {
                Term::Var(v) => of_variable(*v).is_ground(),
                _ => true,
            };
            if !elements.is_empty() && terms.as_atom(rest).is_some_and(|nil| nil == "[]") {
                let of = (elements.iter()).map(|&e| match terms.get(e) {
                    // Nested terms are not measured.
                    Term::Compound(..) => match terms.subterms(e).iter().all(is_ground) {
                        true => Type::Ground,
                        false => Type::Nonvar,
                    },
                    _ => stored_type(terms, e, of_variable),
                });
                return Type::list(of.reduce(|a, b| a.join(&b)).unwrap_or(Type::None));
            }
            match terms.subterms(t).iter().all(is_ground) {
                true => Type::Ground,
                false => Type::Nonvar,
            }
        }
    }
}
