//! Bounds that a single line can display for every call of a pattern, in all regions of sizes.
//!
//! ```prolog
//! split(L, 0, [], L).                                              % n = length(L), m the integer
//! split([X|Xs], N, [X|Ys], Zs) :- N > 0, M is N-1, split(Xs, M, Ys, Zs).
//! ```
//!
//! takes m+1 steps if n ≥ m, and fails after n steps if n < m. Neither bound holds everywhere, but `≤ m+1` does.
//!
//! The headline is the bound of one piece if it is proved to hold on the other pieces. Small sizes and negative integers may be named as
//! exceptions if their cost is finite and not of a higher order; an increase as an integer decreases counts as growth. If no bound holds
//! everywhere, the headline is the bound of the main piece with its condition. If any region lacks an upper bound, so does the headline.

use costlens_algebra::growth::growth;
use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Atom, Expr, rat};
use costlens_recurrences::Value;

use super::growth_rank::growth_rank;
use crate::report::{
    Bound, BoundedRegions, Headline, Interval, Piece, PieceKind, Side, SizeVariable,
};
use crate::summary::pieces::Pieces;

/// A region counts as small if some size in it is at most this value.
const SMALL: i64 = 3;

/// The maximum number of other pieces' upper bounds that are tried.
const MOST_CANDIDATES: usize = 6;

/// Computes the headline for pieces that cover every size of a pattern.
///
/// If any piece lacks an upper bound, so does the headline: its upper bound is unknown if the bound of some piece is unknown, and otherwise
/// infinite.
pub(super) fn headline(pieces: &[Piece], main: usize, sizes: &[SizeVariable]) -> Headline {
    if main >= pieces.len() {
        return Headline::unknown();
    }
    let every: Vec<usize> = (0..pieces.len()).collect();
    let stated = CommonPieces {
        pieces,
        on: &every,
        main,
        sizes,
    };
    let Some(missing) = missing_of(pieces.iter().map(|piece| &piece.all.upper)) else {
        let Common {
            only,
            except,
            first,
            all,
        } = stated.common();
        return Headline {
            conditional: only.is_some(),
            except,
            loose: None,
            first,
            all,
            bounded: None,
        };
    };
    let (lower, except) = stated.lower();
    let first_missing = missing_of(pieces.iter().map(|piece| &piece.first.upper));
    let first_upper = match first_missing {
        Some(missing) => missing,
        None => stated.search_within(Side::Upper, &|p| &p.first.upper, &except),
    };
    let all_lower = stated.search(Side::Lower, &|p| &p.all.lower);
    let all_lower = match all_lower {
        Some((bound, left_out)) if left_out.iter().all(|i| except.contains(i)) => bound,
        _ => lower.clone(),
    };
    Headline {
        conditional: false,
        except,
        loose: None,
        first: Interval {
            lower,
            upper: first_upper,
        },
        all: Interval {
            lower: all_lower,
            upper: missing,
        },
        bounded: bounded(&stated).map(Box::new),
    }
}

/// Returns `Unknown` or `Infinite` if some region has no finite upper bound.
fn missing_of<'b>(bounds: impl Iterator<Item = &'b Bound> + Clone) -> Option<Bound> {
    let missing = [Bound::Unknown, Bound::Infinite];
    missing
        .into_iter()
        .find(|missing| bounds.clone().any(|bound| bound == missing))
}

/// Returns the bounds for the regions that have upper bounds over all solutions. If no region has one, it uses the bounds up to the first
/// solution.
fn bounded(stated: &CommonPieces<'_>) -> Option<BoundedRegions> {
    let pieces = stated.pieces;
    let with = |upper: &dyn Fn(&Piece) -> &Bound| -> Vec<usize> {
        let has = |i: &usize| matches!(upper(&pieces[*i]), Bound::Finite(_));
        (0..pieces.len()).filter(has).collect()
    };
    let mut on = with(&|p| &p.all.upper);
    let is_redone = on.is_empty();
    if is_redone {
        let is_infinite = |piece: &Piece| piece.all.upper == Bound::Infinite;
        if !pieces.iter().all(is_infinite) {
            return None;
        }
        on = with(&|p| &p.first.upper);
        if on.len() == pieces.len() {
            return None;
        }
    }
    let main = match on.contains(&stated.main) {
        true => stated.main,
        false => *on.last()?,
    };
    let part = CommonPieces {
        on: &on,
        main,
        ..*stated
    };
    let firsts: Vec<Piece>;
    let part = match is_redone {
        false => part,
        true => {
            firsts = pieces.iter().map(up_to_first).collect();
            CommonPieces {
                pieces: &firsts,
                ..part
            }
        }
    };
    let Common {
        only,
        except,
        first,
        mut all,
    } = part.common();
    if is_redone {
        all.upper = Bound::Infinite;
    }
    Some(BoundedRegions {
        has_main: on.contains(&stated.main),
        pieces: on,
        only,
        except,
        first,
        all,
    })
}

/// Returns the piece for calls whose second solution is never requested.
fn up_to_first(piece: &Piece) -> Piece {
    Piece {
        all: piece.first.clone(),
        ..piece.clone()
    }
}

/// The pieces for which common bounds are computed.
#[derive(Clone, Copy)]
struct CommonPieces<'a> {
    pieces: &'a [Piece],
    /// The pieces that the bounds should cover.
    on: &'a [usize],
    /// The main piece among them.
    main: usize,
    sizes: &'a [SizeVariable],
}

/// Bounds that hold for several pieces.
struct Common {
    /// The main piece, if the bounds apply only to it.
    only: Option<usize>,
    /// The pieces that the bounds do not cover.
    except: Vec<usize>,
    first: Interval,
    all: Interval,
}

impl CommonPieces<'_> {
    /// Computes bounds for all pieces, or only for the main piece.
    fn common(&self) -> Common {
        let normal = &self.pieces[self.main];
        let own = || Common {
            only: (self.on.len() > 1).then_some(self.main),
            except: Vec::new(),
            first: normal.first.clone(),
            all: normal.all.clone(),
        };
        if self.on.len() == 1 {
            return own();
        }
        let Some((upper, mut except)) = self.search(Side::Upper, &|p| &p.all.upper) else {
            return own();
        };
        let (lower, more) = self.lower();
        except.extend(more);
        except.sort_unstable();
        except.dedup();
        // The steps up to the first solution are at most those over all solutions.
        let within = |found: Option<(Bound, Vec<usize>)>, otherwise: &Bound| match found {
            Some((bound, left_out)) if left_out.iter().all(|i| except.contains(i)) => bound,
            _ => otherwise.clone(),
        };
        let first_upper = within(self.search(Side::Upper, &|p| &p.first.upper), &upper);
        let all_lower = within(self.search(Side::Lower, &|p| &p.all.lower), &lower);
        Common {
            only: None,
            except,
            first: Interval {
                lower,
                upper: first_upper,
            },
            all: Interval {
                lower: all_lower,
                upper,
            },
        }
    }

    /// Returns the lower bound, and the pieces for which it does not hold.
    fn lower(&self) -> (Bound, Vec<usize>) {
        let found = self.search(Side::Lower, &|p| &p.first.lower);
        found.unwrap_or((Bound::Finite(Expr::zero()), Vec::new()))
    }

    /// Returns a bound that holds except on the given pieces, or `Unknown` if none is proved.
    fn search_within(&self, side: Side, of: &dyn Fn(&Piece) -> &Bound, except: &[usize]) -> Bound {
        match self.search(side, of) {
            Some((bound, left_out)) if left_out.iter().all(|i| except.contains(i)) => bound,
            _ => Bound::Unknown,
        }
    }

    fn search(&self, side: Side, of: &dyn Fn(&Piece) -> &Bound) -> Option<(Bound, Vec<usize>)> {
        let normal = &self.pieces[self.main];
        let is_small = |piece: &Piece| {
            self.sizes.iter().any(|size| {
                let most = piece.when.maximum(size.var);
                most.is_some_and(|most| most <= rat(SMALL))
            })
        };
        let here = || self.on.iter().map(|&i| &self.pieces[i]);
        // If the main piece itself is small or a failure, no piece is an exception. A piece whose cost has a higher order of growth is
        // never an exception: `main([_], N) :- hanoi(N)` is not an exception to `main(_, _)`.
        let leaves_none = is_small(normal) || normal.kind == PieceKind::Failure;
        let may_leave_out: Vec<bool> = here()
            .map(|p| !leaves_none && is_small(p) && !grows_more(p, normal))
            .collect();
        let on: Vec<(&Region, &Bound)> = here().map(|p| (&p.when, of(p))).collect();
        let (bound, left_out) = Search {
            side,
            on: &on,
            main: self.on.iter().position(|&i| i == self.main)?,
            may_leave_out: &may_leave_out,
            exact: normal.first.lower == normal.all.upper,
        }
        .run()?;
        Some((bound, left_out.into_iter().map(|i| self.on[i]).collect()))
    }
}

/// Returns whether the cost of a piece has no upper bound, or grows at a different order than the cost of another piece.
fn grows_more(piece: &Piece, than: &Piece) -> bool {
    match (&piece.all.upper, &than.all.upper) {
        (Bound::Finite(_), Bound::Finite(_)) => {
            let (upper, other) = (piece.upper_in_magnitudes(), than.upper_in_magnitudes());
            let is_in = upper.zip(other).map(|(u, o)| growth(&u).is_in(&growth(&o)));
            piece.grows() && is_in != Some(true)
        }
        _ => piece.grows(),
    }
}

/// The search for a single bound that covers several regions.
struct Search<'a> {
    side: Side,
    on: &'a [(&'a Region, &'a Bound)],
    main: usize,
    /// For each region, whether the bound may exclude it.
    may_leave_out: &'a [bool],
    /// True if the lower and upper bounds of the main piece are equal.
    exact: bool,
}

impl Search<'_> {
    /// Returns the bound, and the regions that it excludes.
    fn run(&self) -> Option<(Bound, Vec<usize>)> {
        let mut fallback = None;
        for candidate in self.candidates() {
            let Some(left_out) = self.left_out(&candidate) else {
                continue;
            };
            // An inexact constant does not justify exceptions.
            let is_constant = matches!(&candidate, Bound::Finite(e) if e.as_constant().is_some());
            if left_out.is_empty() || self.side == Side::Upper || self.exact || !is_constant {
                return Some((candidate, left_out));
            }
            fallback = fallback.or(Some((candidate, left_out)));
        }
        fallback
    }

    /// Returns the bound of the main piece, followed by those of the other pieces: the least upper bounds, or the greatest lower bounds,
    /// first.
    fn candidates(&self) -> Vec<Bound> {
        let (_, normal) = self.on[self.main];
        let mut others: Vec<&Expr> = (self.on.iter())
            .filter_map(|(_, bound)| match bound {
                Bound::Finite(e) if *bound != normal => Some(e),
                _ => None,
            })
            .collect();
        let one = Expr::int(1);
        let zero = Expr::zero();
        if self.side == Side::Lower {
            others.extend([&one, &zero]);
        }
        others.sort_by_cached_key(|e| {
            let rank = growth(e).monomials().iter().map(growth_rank).max();
            (rank.unwrap_or(0), e.as_constant())
        });
        if self.side == Side::Lower {
            others.reverse();
        }
        others.dedup();
        // For lower bounds, 1 and 0 come last and are always tried.
        if self.side == Side::Upper {
            others.truncate(MOST_CANDIDATES);
        }
        let others = others.into_iter().map(|e| Bound::Finite(e.clone()));
        std::iter::once((*normal).clone()).chain(others).collect()
    }

    /// Returns the regions on which a bound does not hold, or `None` if one of them must be covered.
    fn left_out(&self, bound: &Bound) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for (i, (region, there)) in self.on.iter().enumerate() {
            if !self.holds(bound, there, region) {
                if !self.may_leave_out[i] {
                    return None;
                }
                found.push(i);
            }
        }
        Some(found)
    }

    fn holds(&self, bound: &Bound, there: &Bound, on: &Region) -> bool {
        match (self.side, bound, there) {
            _ if bound == there => true,
            (Side::Lower, Bound::Finite(e), Bound::Infinite) => is_defined(e, on),
            (side, Bound::Finite(e), Bound::Finite(there)) => is_beyond(side, e, there, on),
            _ => false,
        }
    }
}

/// Proves that a bound holds wherever another bound holds.
fn is_beyond(side: Side, bound: &Expr, there: &Expr, on: &Region) -> bool {
    let gap = match side {
        Side::Upper => bound - there,
        Side::Lower => there - bound,
    };
    match gap.as_constant() {
        Some(gap) => gap >= rat(0),
        None => is_defined(bound, on) && nonnegative(&gap, on),
    }
}

/// Returns whether the logarithms and sequences in an expression are defined at every size in a region.
fn is_defined(e: &Expr, on: &Region) -> bool {
    e.terms().flat_map(|(m, _)| m.all_atoms()).all(|atom| {
        let least = match atom {
            Atom::Floor(_) => return true,
            Atom::Log { .. } => rat(1),
            Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => rat(0),
        };
        on.bounds(atom.argument()).0.is_some_and(|low| low >= least)
    })
}

/// The sizes for which a bound on an output size or on the number of solutions is requested.
pub(super) struct RequestedSizes<'a> {
    /// The regions of the steps for which values must be known.
    pub(super) regions: Vec<&'a Region>,
    /// The main region.
    pub(super) main: &'a Region,
    /// The sizes that are considered.
    pub(super) within: Region,
    /// Returns whether a region of values is considered.
    pub(super) matters: &'a dyn Fn(&Region) -> bool,
    /// The minimum value; 0 for the length of a list.
    pub(super) least: Option<i64>,
}

/// Returns a single bound on an output size or the number of solutions for all requested sizes: the value on the main region, or another
/// value that is proved to hold everywhere.
pub(super) fn common(side: Side, pieces: &Pieces, of: &RequestedSizes<'_>) -> Option<Expr> {
    let known = |value: &Value| match value {
        Value::Known(e) => Some(e.clone()),
        Value::Diverges | Value::Unknown(_) => None,
    };
    let asked: Vec<_> = pieces.iter().filter(|p| (of.matters)(&p.region)).collect();
    let told: Vec<Region> = asked.iter().map(|p| p.region.clone()).collect();
    if of.regions.is_empty() || !of.regions.iter().all(|region| region.covered_by(&told)) {
        return None;
    }
    let normal = pieces.iter().find(|p| of.main.implies_all(&p.region));
    let mut candidates: Vec<Expr> = (normal.into_iter().chain(asked.iter().copied()))
        .filter_map(|p| known(&p.value))
        .collect();
    let least = of.least.map(Expr::int).filter(|_| side == Side::Lower);
    if let Some(least) = &least {
        candidates.extend([least + &Expr::int(1), least.clone()]);
    }
    candidates.dedup();
    let holds = |e: &Expr| {
        asked.iter().all(|p| match (side, &p.value) {
            (_, Value::Known(there)) => is_beyond(side, e, there, &p.region.and_all(&of.within)),
            (Side::Lower, Value::Diverges) => true,
            (Side::Lower, Value::Unknown(_)) => least.as_ref() == Some(e),
            (Side::Upper, Value::Diverges | Value::Unknown(_)) => false,
        })
    };
    candidates.into_iter().find(holds)
}
