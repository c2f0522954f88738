//! Calls of predicates that SWI-Prolog has in C: no step is taken, and what is known of the call stands in files of trust assertions.

use costlens_algebra::Expr;
use costlens_recurrences::{SolvedPiece, Value as Bound};
use costlens_syntax::term::{CONS, TermId, Terms};

use super::Runner;
use super::calls::forget_shared;
use super::generators::generator;
use super::point::Point;
use crate::builtins;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Pattern, Text, Type};
use crate::report::Functor;
use crate::state::State;
use crate::summary::node::Slot;
use crate::tree::Step;
use crate::world::lookup::At;
use crate::world::questions::{Split, Truth};

/// Open lists of more cells are not followed.
const MOST_CELLS: i64 = 64;

/// The argument that a built-in makes without a look at what is passed there, if that is no text yet.
fn makes_last(predicate: &Functor) -> Option<usize> {
    let conversions = [
        "atom_chars",
        "atom_codes",
        "name",
        "number_chars",
        "number_codes",
        "string_chars",
        "string_codes",
    ];
    (predicate.arity == 2 && conversions.contains(&predicate.name.as_str())).then_some(1)
}

/// Tells whether a term is a list that goes on with an unbound variable: `[C|Cs]`.
fn is_open(state: &State, terms: &Terms, t: TermId) -> bool {
    let (cells, rest) = cells(state, terms, t);
    cells > 0 && state.unbound(terms, rest).is_some()
}

/// The cells of a list that are there, at most [`MOST_CELLS`], and what comes behind them.
pub(super) fn cells(state: &State, terms: &Terms, t: TermId) -> (i64, TermId) {
    let (mut cells, mut rest) = (0, state.resolve(terms, t));
    while let Some(&[_, tail]) = terms.matches(rest, CONS, 2) {
        if cells == MOST_CELLS {
            break;
        }
        cells += 1;
        rest = state.resolve(terms, tail);
    }
    (cells, rest)
}

impl Runner<'_> {
    /// Runs a call of a built-in; none where no assertion speaks of it.
    pub(super) fn builtin(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        predicate: &Functor,
    ) -> Result<Option<Truth>, Split> {
        let args: Vec<TermId> = terms.args(goal).to_vec();
        let mut data: Vec<Datum> = args.iter().map(|&a| point.state.datum(terms, a)).collect();
        forget_shared(&point.state, terms, &args, &mut data);
        // `atom_codes(A, [C|Cs])` does what `atom_codes(A, L), L = [C|Cs]` does.
        let unified = (makes_last(predicate)).filter(|&i| is_open(&point.state, terms, args[i]));
        if let Some(i) = unified {
            data[i] = Datum::of(Type::Free);
        }
        for datum in data.iter_mut().filter(|d| d.ty == Type::Atom) {
            datum.size = datum.measured(Metric::Chars);
            datum.ty = Type::Text(Text::Atom);
        }
        let pattern = Pattern(data.iter().map(|d| d.ty.clone()).collect());
        let Some(summary) = builtins::shipped::summary(predicate, &pattern) else {
            return Ok(None);
        };
        if summary.errors_possible {
            self.errors.set(true);
        }
        let Some(success) = summary.success.clone() else {
            return Ok(Some(Truth::False));
        };
        let slots: Vec<Slot> = summary.params.iter().map(Slot::of).collect();
        let sizes = self.sizes(&slots, &data);
        let vars = summary.vars();
        let here = self.here(&point.state);
        let at = At::new(&vars, &sizes, &here);
        let is_param = |e: &Expr| self.is_param(e);
        let mut learnt = Vec::new();
        for (i, ty) in success.into_iter().enumerate() {
            // What was bound before may be text of another kind: `number_codes(N, "12")` accepts a string.
            if data[i].ty != Type::Free {
                continue;
            }
            let mut datum = Datum::of(ty);
            if let Some(sides) = summary.outputs.get(&i) {
                let side = |pieces: &Vec<SolvedPiece>| -> Result<Option<Size>, Split> {
                    let values = at.values(pieces, &is_param)?;
                    Ok(match values.as_slice() {
                        [(Bound::Known(_), size)] => size.clone(),
                        _ => None,
                    })
                };
                let lower = side(&sides.lower)?.and_then(|s| s.lower);
                let upper = side(&sides.upper)?.and_then(|s| s.upper);
                datum.size = Size {
                    lower: lower.or(datum.size.lower),
                    upper,
                };
            }
            learnt.push((args[i], datum));
        }
        let (count, sure) = self.solutions_at(&summary.solutions, &at, here.region())?;
        let mut truth = Truth::True;
        for (argument, datum) in learnt {
            if unified.is_some_and(|i| args[i] == argument) {
                let scope = self.scope(terms, &is_param);
                truth = point.state.unify_datum(&scope, &datum, argument)?.0;
                point.state.pure = false;
                continue;
            }
            self.learn(&mut point.state, terms, argument, &datum);
        }
        point.state.expose(terms, goal, &Type::Any);
        point.state.pure &= args
            .iter()
            .all(|&a| point.state.datum(terms, a).ty.is_ground())
            || args.is_empty();
        let at_most = |n: i64| {
            let upper = count.upper.as_ref().and_then(Expr::as_constant);
            upper.is_some_and(|c| c <= costlens_algebra::rat(n))
        };
        Ok(Some(match (at_most(0), at_most(1), sure) {
            _ if truth == Truth::False => truth,
            (true, ..) => Truth::False,
            (_, true, true) => truth,
            (_, true, false) => Truth::Maybe,
            _ => {
                point.sure &= sure;
                point
                    .steps
                    .push(Step::Solutions(count, generator(terms, goal)));
                truth
            }
        }))
    }
}
