//! Bounds the number of distinct calls to which a recursive call can lead.
//!
//! Each input of a recursive call has one of a limited number of values, determined by the first call:
//!
//! ```text
//! fib(A, X) with A is N-1, N > 1        an integer from 0 to n:           n + 1
//! lcs(Xs, [Y|Ys], N) of [X|Xs]          a tail of a list:                 n + 1
//! depth(L, N) of node(L, _, R)          a subterm of a ground term:       size(T)
//! paths(X, B, N) of paths(X, Y, N)      unchanged:                        1
//! ```
//!
//! The number of distinct calls is at most the product of these numbers. This follows by induction on the recursion depth: the values
//! passed at each level are again among the values listed above.

use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat};
use costlens_analysis::report::{LiteralCase, LiteralCost, SizeVariable};
use costlens_analysis::types::{Metric, Type};
use costlens_syntax::term::{CONS, TermId, Terms};

use super::Look;
use crate::fixes::goals::{is_equal, variable};

/// The values of an argument in all calls to which a call leads.
#[derive(Clone, Debug, PartialEq)]
enum ArgumentValues {
    /// The value in the first call.
    Same,
    /// Tails of the first call's list.
    Rests,
    /// Subterms of the first call's term.
    Parts,
    /// Integers from this number up to the value in the first call.
    From(Rat),
}

impl ArgumentValues {
    /// Returns a kind that includes both kinds of values.
    fn join(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (ArgumentValues::Same, of) | (of, ArgumentValues::Same) => of,
            (ArgumentValues::From(a), ArgumentValues::From(b)) => ArgumentValues::From(a.min(b)),
            // The tail of a list is also one of its subterms.
            (ArgumentValues::Rests, ArgumentValues::Rests) => ArgumentValues::Rests,
            (
                ArgumentValues::Rests | ArgumentValues::Parts,
                ArgumentValues::Rests | ArgumentValues::Parts,
            ) => ArgumentValues::Parts,
            _ => return None,
        })
    }
}

/// Returns an upper bound on the number of distinct calls to which a call leads, including the call itself, in the sizes of the main piece.
/// Returns `None` if no bound is known.
pub(super) fn calls(look: &Look<'_>) -> Option<Expr> {
    let site = look.site;
    let own: Vec<&LiteralCost> = (look.breakdown()?.literals.iter())
        .filter(|literal| literal.callee == *site.functor)
        .collect();
    (!own.is_empty()
        && own
            .iter()
            .all(|l| l.pattern.is_within(&look.report.pattern)))
    .then_some(())?;
    let mut product = Expr::int(1);
    for (argument, ty) in look.report.pattern.0.iter().enumerate() {
        if *ty == Type::Free {
            continue;
        }
        ty.is_ground().then_some(())?;
        let mut values = ArgumentValues::Same;
        for literal in &own {
            values = values.join(passed(look, literal, argument, ty)?)?;
        }
        product = &product * &number(look, argument, &values)?;
    }
    Some(product)
}

/// Returns the number of values, as an expression.
fn number(look: &Look<'_>, argument: usize, values: &ArgumentValues) -> Option<Expr> {
    let size = |metric| Some(Expr::var(size(look, argument, metric)?.var));
    match values {
        ArgumentValues::Same => Some(Expr::int(1)),
        ArgumentValues::Rests => Some(&size(Metric::Length)? + &Expr::int(1)),
        ArgumentValues::Parts => size(Metric::Size),
        ArgumentValues::From(low) => {
            let above = &size(Metric::Int)? - &Expr::constant(low.clone());
            // The first call's own value is included.
            nonnegative(&above, &look.report.main_piece()?.when).then(|| &above + &Expr::int(1))
        }
    }
}

/// Returns the size variable in the report for an argument, with an index from 0.
fn size<'r>(look: &'r Look<'_>, argument: usize, metric: Metric) -> Option<&'r SizeVariable> {
    let mut sizes = look.report.sizes.iter();
    sizes.find(|s| s.argument == argument + 1 && s.metric == metric && !s.element)
}

/// Returns the values that a recursive call passes for an argument, relative to the caller's value.
fn passed(
    look: &Look<'_>,
    literal: &LiteralCost,
    argument: usize,
    ty: &Type,
) -> Option<ArgumentValues> {
    let clause = look.site.clauses.get(literal.clause)?;
    let terms = &clause.terms;
    let head = *terms.args(clause.head).get(argument)?;
    let passed = *terms.args(literal.literal).get(argument)?;
    if is_equal(terms, head, passed) {
        return Some(ArgumentValues::Same);
    }
    match ty {
        Type::Int => {
            let mut lowest: Option<Rat> = None;
            for case in &literal.cases {
                let low = least(look, case, argument)?;
                lowest = Some(lowest.map_or(low.clone(), |least| least.min(low)));
            }
            lowest.map(ArgumentValues::From)
        }
        Type::List(_) if is_rest(terms, head, passed) => Some(ArgumentValues::Rests),
        _ if is_part(terms, head, passed) => Some(ArgumentValues::Parts),
        _ => None,
    }
}

/// Returns the least integer that a call passes, provided that it never passes a greater integer than its caller received.
fn least(look: &Look<'_>, case: &LiteralCase, argument: usize) -> Option<Rat> {
    let own = Expr::var(size(look, argument, Metric::Int)?.var);
    let is_it = |s: &&costlens_analysis::report::ArgumentSize| {
        s.argument == argument + 1 && s.metric == Metric::Int
    };
    let passed = case.sizes.iter().find(is_it)?;
    let (low, high) = (passed.lower.as_ref()?, passed.upper.as_ref()?);
    nonnegative(&(&own - high), &case.when).then_some(())?;
    case.when.bounds(low).0
}

/// Returns true if `rest` is the tail variable of a list literal.
fn is_rest(terms: &Terms, list: TermId, rest: TermId) -> bool {
    let mut at = list;
    while let Some(&[_, tail]) = terms.matches(at, CONS, 2) {
        at = tail;
    }
    at != list && variable(terms, at).is_some() && variable(terms, at) == variable(terms, rest)
}

/// Returns true for a variable inside a structure.
fn is_part(terms: &Terms, whole: TermId, part: TermId) -> bool {
    variable(terms, whole).is_none()
        && variable(terms, part).is_some_and(|v| terms.variables_of(whole).contains(&v))
}
