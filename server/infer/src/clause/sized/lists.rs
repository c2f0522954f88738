//! Sorting, and the tails of lists.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, rat};
use costlens_catalog::Relation;
use costlens_syntax::term::{TermId, Terms};

use super::Results;
use crate::clause::Runner;
use crate::clause::point::Point;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::state::State;
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Checks that the list argument of a grammar body is a list or may become one.
    pub(super) fn checked_list(
        &self,
        point: &mut Point,
        terms: &Terms,
        list: TermId,
    ) -> Result<Truth, Split> {
        let ty = point.state.datum(terms, list).ty;
        if !matches!(ty, Type::Free | Type::List(_)) {
            self.errors.set(true);
        }
        Ok(Truth::True)
    }
}

/// Returns the results of `'$seek_list'(Index, List, Left, Rest)`, which searches only for 64-bit integers.
pub(super) fn sought(
    state: &State,
    terms: &Terms,
    region: &Region,
    [index, list, left, rest]: [TermId; 4],
) -> Option<Results> {
    let (i, from) = (state.datum(terms, index), state.datum(terms, list));
    if i.ty != Type::Int || !matches!(from.ty, Type::List(_)) {
        return None;
    }
    let sure = i.size.is_nonnegative(region);
    let is_written = i.size.upper.as_ref().and_then(Expr::as_constant).is_some();
    let left_of = Size {
        lower: sure.then(Expr::zero),
        upper: i.size.upper,
    };
    let rest_of = Size {
        lower: Some(Expr::zero()),
        upper: from.size.upper,
    };
    let results = vec![
        (left, Datum::sized(Type::Int, left_of)),
        (
            rest,
            Datum::sized(from.ty, rest_of).with_element(from.element),
        ),
    ];
    Some(Results::new(results).sharing(list).raising(!is_written))
}

/// Returns the results of `'$skip_list'(Length, List, Tail)`.
pub(super) fn spine(state: &State, terms: &Terms, [list, length, tail]: [TermId; 3]) -> Results {
    let from = state.datum(terms, list);
    let zero = || Size::exact(Expr::zero());
    if matches!(from.ty, Type::List(_)) {
        let nil = Datum::sized(Type::list(Type::None), zero());
        let n = Datum::sized(Type::Int, from.size);
        return Results::new(vec![(length, n), (tail, nil)]);
    }
    // The tail is a part of the list or the whole list, so it may be the caller's variable.
    let rest = (tail, Datum::from_type(Type::Any));
    if from.ty == Type::Free {
        let none = Datum::sized(Type::Int, zero());
        return Results::new(vec![(length, none), rest]).sharing(list);
    }
    let some = Datum::sized(Type::Int, Size::at_least(0));
    Results::new(vec![(length, some), rest])
        .maybe()
        .sharing(list)
}

/// Returns the results of `sort/2`, `msort/2` and `keysort/2`. Only `keysort/2` raises an error for elements other than pairs.
pub(super) fn sorted(
    state: &State,
    terms: &Terms,
    region: &Region,
    relation: Relation,
    [list, to]: [TermId; 2],
) -> Option<Results> {
    let from = state.datum(terms, list);
    if !matches!(from.ty, Type::List(_)) {
        return None;
    }
    let size = match relation {
        Relation::SortedSet => fewer(&from.size, region),
        _ => from.size,
    };
    let sorted = Datum::sized(from.ty, size).with_element(from.element);
    let results = Results::new(vec![(to, sorted)]);
    Some((results.sharing(list)).raising(relation == Relation::SortedPairs))
}

/// Returns the results of `sort/4`.
pub(super) fn sorted_by(
    state: &State,
    terms: &Terms,
    region: &Region,
    [key, order, list, to]: [TermId; 4],
) -> Option<Results> {
    let from = state.datum(terms, list);
    let order = terms.as_atom(state.resolve(terms, order))?;
    if !matches!(from.ty, Type::List(_)) {
        return None;
    }
    let size = match order.as_str() {
        "@=<" | "@>=" => from.size,
        "@<" | "@>" => fewer(&from.size, region),
        _ => return None,
    };
    let key = state.datum(terms, key).size;
    let is_whole = key.as_exact().is_some_and(Expr::is_zero);
    let sorted = Datum::sized(from.ty, size).with_element(from.element);
    let results = Results::new(vec![(to, sorted)]);
    Some(results.sharing(list).raising(!is_whole))
}

/// Returns the length of a list after removal of duplicates.
fn fewer(size: &Size, region: &Region) -> Size {
    let some = size.shifted(-1).is_nonnegative(region);
    let constant = size.as_exact().and_then(Expr::as_constant);
    if constant.is_some_and(|c| c <= rat(1)) {
        return size.clone();
    }
    Size {
        lower: Some(Expr::int(i64::from(some))),
        upper: size.upper.clone(),
    }
}
