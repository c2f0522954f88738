//! The bounds that a single line can state of every call of a pattern, whatever region of sizes it lies in.
//!
//! ```prolog
//! split(L, 0, [], L).                                              % n = length(L), m the integer
//! split([X|Xs], N, [X|Ys], Zs) :- N > 0, M is N-1, split(Xs, M, Ys, Zs).
//! ```
//!
//! takes m+1 steps where n ≥ m, and fails after n where n < m. Neither is true everywhere; `≤ m+1` is.
//!
//! A bound of one piece is stated if it is proved to hold on the others. Small sizes and negative integers may be left out, by name. Where no
//! bound holds everywhere, that of the main piece is stated under its condition.

use costlens_algebra::growth::growth;
use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Atom, Expr, rat};
use costlens_recurrences::Value;

use super::summary_report::weight;
use crate::report::{Bound, Headline, Interval, Piece, PieceKind, Side, SizeVariable};
use crate::summary::pieces::Pieces;

/// Regions in which some size is at most this are small.
const SMALL: i64 = 3;

/// Upper bounds of other pieces that are tried.
const MOST_CANDIDATES: usize = 6;

/// The headline of pieces that cover every size of a pattern.
pub(super) fn headline(pieces: &[Piece], main: usize, sizes: &[SizeVariable]) -> Headline {
    let Some(normal) = pieces.get(main) else {
        return Headline::unknown();
    };
    let own = || Headline {
        conditional: pieces.len() > 1,
        except: Vec::new(),
        loose: false,
        first: normal.first.clone(),
        all: normal.all.clone(),
    };
    if pieces.len() == 1 {
        return own();
    }
    let is_small = |piece: &Piece| {
        sizes.iter().any(|size| {
            let (_, most) = piece.when.bounds(&Expr::var(size.var));
            most.is_some_and(|most| most <= rat(SMALL))
        })
    };
    // Where the main piece itself is small, or all that happens happens at small sizes, no piece is left out.
    let may_leave_out: Vec<bool> = match is_small(normal) || normal.kind == PieceKind::Failure {
        true => vec![false; pieces.len()],
        false => pieces.iter().map(is_small).collect(),
    };
    let search = |side: Side, of: &dyn Fn(&Piece) -> &Bound| {
        let on: Vec<(&Region, &Bound)> = pieces.iter().map(|p| (&p.when, of(p))).collect();
        let exact = normal.first.lower == normal.all.upper;
        Search {
            side,
            on: &on,
            main,
            may_leave_out: &may_leave_out,
            exact,
        }
        .run()
    };
    let Some((upper, mut except)) = search(Side::Upper, &|p| &p.all.upper) else {
        return own();
    };
    let (lower, more) = search(Side::Lower, &|p| &p.first.lower)
        .unwrap_or((Bound::Finite(Expr::zero()), Vec::new()));
    except.extend(more);
    except.sort_unstable();
    except.dedup();
    // To the first solution a call takes no more than over all of them, and at least as much over all.
    let within = |found: Option<(Bound, Vec<usize>)>, otherwise: &Bound| match found {
        Some((bound, left_out)) if left_out.iter().all(|i| except.contains(i)) => bound,
        _ => otherwise.clone(),
    };
    let first_upper = within(search(Side::Upper, &|p| &p.first.upper), &upper);
    let all_lower = within(search(Side::Lower, &|p| &p.all.lower), &lower);
    Headline {
        conditional: false,
        except,
        loose: false,
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

/// One bound for several regions.
struct Search<'a> {
    side: Side,
    on: &'a [(&'a Region, &'a Bound)],
    main: usize,
    /// The regions that a bound need not hold on.
    may_leave_out: &'a [bool],
    /// True where both bounds of the main piece are the same.
    exact: bool,
}

impl Search<'_> {
    /// The bound, and the regions that it leaves out.
    fn run(&self) -> Option<(Bound, Vec<usize>)> {
        let (_, normal) = self.on[self.main];
        if *normal == Bound::Unknown {
            return Some((Bound::Unknown, Vec::new()));
        }
        let mut fallback = None;
        for candidate in self.candidates() {
            let Some(left_out) = self.left_out(&candidate) else {
                continue;
            };
            // For an inexact constant, no exception is worth it.
            let is_constant = matches!(&candidate, Bound::Finite(e) if e.as_constant().is_some());
            if left_out.is_empty() || self.side == Side::Upper || self.exact || !is_constant {
                return Some((candidate, left_out));
            }
            fallback = fallback.or(Some((candidate, left_out)));
        }
        fallback
    }

    /// The bound of the main piece, then those of the others: the least upper, the greatest lower ones first.
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
            let rank = growth(e).monomials().iter().map(weight).max();
            (rank.unwrap_or(0), e.as_constant())
        });
        if self.side == Side::Lower {
            others.reverse();
        }
        others.dedup();
        // 1 and 0 are the last lower ones, and always worth a try.
        if self.side == Side::Upper {
            others.truncate(MOST_CANDIDATES);
        }
        let others = others.into_iter().map(|e| Bound::Finite(e.clone()));
        std::iter::once((*normal).clone()).chain(others).collect()
    }

    /// The regions that a bound does not hold on; none if one of them has to be covered.
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
            (Side::Lower, Bound::Finite(_), Bound::Infinite) => true,
            (side, Bound::Finite(e), Bound::Finite(there)) => is_beyond(side, e, there, on),
            _ => false,
        }
    }
}

/// Proves that a bound holds where another one does.
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

/// True where the logarithms and sequences of an expression have a value at every size of a region.
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

/// The sizes for which an output size or the number of solutions is asked about.
pub(super) struct Asked<'a> {
    /// The regions of steps that it is asked of; values have to be known on all of them.
    pub(super) regions: Vec<&'a Region>,
    /// The main one.
    pub(super) main: &'a Region,
    /// Other sizes do not matter.
    pub(super) within: Region,
    /// True of the regions of values that matter.
    pub(super) matters: &'a dyn Fn(&Region) -> bool,
    /// The least value that there is: lists have no negative length.
    pub(super) least: Option<i64>,
}

/// One bound on an output size or the number of solutions for all sizes that are asked about: the value of the main region, or another that
/// is proved to hold everywhere.
pub(super) fn common(side: Side, pieces: &Pieces, of: &Asked<'_>) -> Option<Expr> {
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
