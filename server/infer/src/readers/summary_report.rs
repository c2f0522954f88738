//! Conversion of a summary to the report that `ide` displays.

use std::collections::BTreeMap;

use costlens_algebra::growth::growth;
use costlens_algebra::linear::{Constraint, Region, Relation};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, Value};

use super::growth_rank::growth_rank;
use super::headline::{RequestedSizes, common, headline};
use crate::lattice::types::Metric;
use crate::report::{
    AllWork, Bound, Determinism, Headline, Interval, Origin, OutputSize, PatternReport, Piece,
    PieceKind, Side, SizeVariable,
};
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::{Summary, diverges_on};

/// The maximum number of pieces in a report.
const MOST_PIECES: usize = 40;

impl Summary {
    /// Returns the report for this summary.
    #[must_use]
    pub fn report(&self, origin: Origin) -> PatternReport {
        match self.with_added_clauses() {
            Some(at_the_call) => at_the_call.reported(origin),
            None => self.reported(origin),
        }
    }

    pub(super) fn reported(&self, origin: Origin) -> PatternReport {
        let mut steps = self.pieces();
        let main = self.main_piece(&steps);
        let headline = headline(&steps, main, &self.params);
        let outputs = self.outputs_within(&headline, &steps, main);
        let solutions = self.solutions_within(&headline, &steps, main);
        let mut relevant: Vec<Var> = step_variables(self, &steps);
        for piece in &mut steps {
            // The fact that lengths are non-negative is left out unless a value depends on it.
            piece.when = piece
                .when
                .constraints()
                .iter()
                .filter(|c| c.variables().any(|v| relevant.contains(&v)))
                .fold(Region::default(), |r, c| r.and(c.clone()));
        }
        relevant.extend(other_variables(self));
        let mut report = PatternReport {
            pattern: self.pattern.clone(),
            least: Vec::new(),
            origin,
            determinism: self.determinism(),
            errors_possible: self.errors_possible,
            sizes: self
                .params
                .iter()
                .filter(|p| relevant.contains(&p.var))
                .cloned()
                .collect(),
            parameters: (self.parameters.iter())
                .filter(|p| relevant.contains(&p.var))
                .cloned()
                .collect(),
            assumes: self.assumes.clone(),
            outputs,
            solutions,
            headline,
            steps,
            main,
            rests_on: self.rests_on.clone(),
            unknown: self.unknown.clone(),
            condition: None,
            wider: None,
            work: AllWork::OfSteps,
        };
        report.work = self.compared_work(&report);
        report
    }

    /// Returns the report restricted to calls whose integer arguments are at least the given values, one per argument.
    #[must_use]
    pub fn report_from(&self, origin: Origin, least: &[Option<i64>]) -> PatternReport {
        let at_least = self.params.iter().filter_map(|param| {
            let is_value = param.metric == Metric::Int && !param.element;
            let least = (*least.get(param.argument.checked_sub(1)?)?).filter(|_| is_value)?;
            Constraint::ge(&Expr::var(param.var), &Expr::int(least))
        });
        let within: Region = at_least.collect();
        if within.constraints().is_empty() {
            return self.report(origin);
        }
        let mut narrowed = self.clone();
        narrowed.domain = self.domain.and_all(&within).simplified();
        let sides = [
            &mut narrowed.solutions,
            &mut narrowed.first,
            &mut narrowed.all,
        ];
        let others = (narrowed.outputs.values_mut()).chain(narrowed.work.sides_mut());
        for sides in sides.into_iter().chain(others) {
            for pieces in [&mut sides.lower, &mut sides.upper] {
                for piece in pieces.iter_mut() {
                    piece.region = piece.region.and_all(&within).simplified();
                }
                pieces.retain(|piece| !piece.region.is_empty());
            }
        }
        let is_known = |p: &SolvedPiece| matches!(p.value, Value::Known(_));
        if narrowed.all.upper.iter().all(is_known) {
            narrowed.unknown.clear();
        }
        PatternReport {
            least: least.to_vec(),
            ..narrowed.report(origin)
        }
    }

    /// Returns the output sizes of successful calls that the headline covers.
    fn outputs_within(&self, headline: &Headline, steps: &[Piece], main: usize) -> Vec<OutputSize> {
        let Some(normal) = steps.get(main) else {
            return Vec::new();
        };
        let fails = |on: &Region| {
            (self.solutions.upper.iter()).any(|p| {
                matches!(&p.value, Value::Known(e) if e.is_zero()) && on.implies_all(&p.region)
            })
        };
        let is_asked = |on: &Region| speaks_of(headline, steps, main, on) && !fails(on);
        let within = match headline.conditional {
            true => normal.when.clone(),
            false => Region::everything(),
        };
        let whens = steps.iter().map(|piece| &piece.when);
        let mut asked = RequestedSizes {
            regions: whens.filter(|when| is_asked(when)).collect(),
            main: &normal.when,
            within,
            matters: &is_asked,
            least: None,
        };
        let size = |(&argument, sides): (&usize, &Sides)| {
            let ty = self.success.as_ref()?.get(argument)?;
            let metric = ty.metric()?;
            if metric == Metric::Size && !ty.is_ground() {
                return None; // these are labels, not sizes (`crate::regular`)
            }
            asked.least = metric.least();
            Some(OutputSize {
                argument: argument + 1,
                metric,
                lower: common(Side::Lower, &sides.lower, &asked),
                upper: common(Side::Upper, &sides.upper, &asked),
            })
        };
        self.outputs.iter().filter_map(size).collect()
    }

    /// Returns the number of solutions of the calls that the headline covers.
    fn solutions_within(&self, headline: &Headline, steps: &[Piece], main: usize) -> Interval {
        let on = |side: Side, pieces: &Pieces| {
            let normal = &steps.get(main)?.when;
            let within = match headline.conditional {
                true => normal.clone(),
                false => Region::everything(),
            };
            let is_asked = |on: &Region| speaks_of(headline, steps, main, on);
            let whens = steps.iter().map(|piece| &piece.when);
            let asked = RequestedSizes {
                regions: whens.filter(|when| is_asked(when)).collect(),
                main: normal,
                within,
                matters: &is_asked,
                least: Some(0),
            };
            common(side, pieces, &asked).map(Bound::Finite)
        };
        Interval {
            lower: on(Side::Lower, &self.solutions.lower).unwrap_or(Bound::Finite(Expr::zero())),
            upper: on(Side::Upper, &self.solutions.upper).unwrap_or(Bound::Unknown),
        }
    }

    fn determinism(&self) -> Determinism {
        let all = |pieces: &Pieces, holds: &dyn Fn(&Expr) -> bool| {
            !pieces.is_empty()
                && pieces
                    .iter()
                    .all(|p| matches!(&p.value, Value::Known(e) if holds(e)))
        };
        let is = |e: &Expr, n: i64| *e == Expr::int(n);
        let at_most_one = all(&self.solutions.upper, &|e| is(e, 0) || is(e, 1));
        let none = all(&self.solutions.upper, &|e| is(e, 0)) || self.success.is_none();
        let at_least_one = self.solutions.at_least_one();
        match (none, at_least_one, at_most_one) {
            (true, ..) => Determinism::Failure,
            (_, true, true) => Determinism::Det,
            (_, false, true) => Determinism::Semidet,
            (_, true, false) => Determinism::Multi,
            _ => Determinism::Nondet,
        }
    }

    /// Returns the four step bounds on common regions.
    fn pieces(&self) -> Vec<Piece> {
        let mut regions = vec![self.domain.clone()];
        for pieces in [
            &self.all.upper,
            &self.first.lower,
            &self.all.lower,
            &self.first.upper,
        ] {
            let mut finer = Vec::new();
            for region in &regions {
                for piece in pieces.iter() {
                    let both = region.and_all(&piece.region);
                    if !both.is_empty() {
                        finer.push(both.simplified());
                    }
                }
            }
            if finer.len() <= MOST_PIECES && !finer.is_empty() {
                regions = finer;
            }
        }
        let mut pieces: Vec<Piece> = regions.into_iter().map(|when| self.piece(when)).collect();
        merge(&mut pieces);
        for piece in &mut pieces {
            let on = |of: &Pieces| known_on(of, &piece.when).map_or(Bound::Unknown, Bound::Finite);
            piece.solutions = Interval {
                lower: on(&self.solutions.lower),
                upper: on(&self.solutions.upper),
            };
        }
        pieces
    }

    fn piece(&self, when: Region) -> Piece {
        let fixed = fixed_sizes(&when);
        let bound = |pieces: &Pieces, lower: bool| {
            let inside = pieces.iter().find(|p| when.implies_all(&p.region));
            match inside.map(|p| &p.value) {
                Some(Value::Known(e)) => {
                    Bound::Finite(e.substitute(&fixed).unwrap_or_else(|| e.clone()))
                }
                Some(Value::Diverges) => Bound::Infinite,
                _ if lower => Bound::Finite(Expr::zero()),
                _ => Bound::Unknown,
            }
        };
        let mut first = Interval {
            lower: bound(&self.first.lower, true),
            upper: bound(&self.first.upper, false),
        };
        let mut all = Interval {
            lower: bound(&self.all.lower, true),
            upper: bound(&self.all.upper, false),
        };
        // A call that runs forever before its first solution has no end.
        if first.lower == Bound::Infinite {
            first.upper = Bound::Infinite;
            all.lower = Bound::Infinite;
        }
        if all.lower == Bound::Infinite {
            all.upper = Bound::Infinite;
        }
        debug_assert!(all.lower != Bound::Infinite || diverges_on(self, &when));
        let kind = match (&first.lower, &all.upper) {
            (Bound::Infinite, _) => PieceKind::Diverges,
            (_, Bound::Finite(e)) if e.is_zero() => PieceKind::Failure,
            (_, Bound::Finite(_)) => PieceKind::Bounded,
            (_, Bound::Infinite) => PieceKind::Diverges,
            (_, Bound::Unknown) => PieceKind::Unknown,
        };
        Piece {
            when,
            first,
            all,
            // The number of solutions is set after neighbouring pieces have been joined.
            solutions: Interval {
                lower: Bound::Unknown,
                upper: Bound::Unknown,
            },
            kind,
        }
    }

    /// Returns the index of the piece that a user would regard as the normal case: its sizes are unbounded, and the call does as much as
    /// possible.
    fn main_piece(&self, pieces: &[Piece]) -> usize {
        let score = |p: &Piece| {
            let goes_down = |v: &&SizeVariable| {
                v.metric == Metric::Int && p.when.bounds(&Expr::var(v.var)).0.is_none()
            };
            let down = self.params.iter().filter(goes_down).count();
            let goes_up = |v: &&SizeVariable| p.when.bounds(&Expr::var(v.var)).1.is_none();
            let unbounded = (self.params.iter())
                .filter(|v| goes_up(v) || goes_down(v))
                .count();
            let kind = match p.kind {
                PieceKind::Bounded => 2,
                PieceKind::Unknown => 1,
                PieceKind::Diverges | PieceKind::Failure => 0,
            };
            let degree = match &p.all.upper {
                Bound::Finite(e) => growth(e)
                    .monomials()
                    .iter()
                    .map(growth_rank)
                    .max()
                    .unwrap_or(0),
                _ => u64::from(p.kind == PieceKind::Unknown),
            };
            // Few calls have sizes on a line such as n = 2m.
            let narrow = p
                .when
                .constraints()
                .iter()
                .filter(|c| c.relation() == Relation::Zero)
                .count();
            (
                usize::MAX - narrow,
                unbounded,
                // Successful calls need not cause any event of the counted kind, so solutions are a better criterion than cost.
                p.solutions.upper != Bound::Finite(Expr::zero()),
                usize::MAX - down,
                kind,
                degree,
            )
        };
        let mut best = 0;
        for i in 1..pieces.len() {
            if score(&pieces[i]) > score(&pieces[best]) {
                best = i;
            }
        }
        best
    }
}

/// Returns whether the headline covers some calls with sizes in a region.
fn speaks_of(headline: &Headline, steps: &[Piece], main: usize, on: &Region) -> bool {
    let is_inside = |i: &usize| steps.get(*i).is_some_and(|p| on.implies_all(&p.when));
    let is_main = || {
        steps
            .get(main)
            .is_none_or(|p| !on.and_all(&p.when).is_empty())
    };
    !headline.except.iter().any(is_inside) && (!headline.conditional || is_main())
}

/// Returns the sizes that a region fixes to a number: bounds are shown with that number.
fn fixed_sizes(region: &Region) -> BTreeMap<Var, Expr> {
    region
        .constraints()
        .iter()
        .filter(|c| c.relation() == Relation::Zero)
        .filter_map(|c| {
            let mut vars = c.variables();
            let (v, None) = (vars.next()?, vars.next()) else {
                return None;
            };
            let value = region.bounds(&Expr::var(v)).0?;
            Some((v, Expr::constant(value)))
        })
        .collect()
}

/// Joins pieces with equal bounds, and pieces on which the bounds of a wider neighbour also hold: at `n = 0` the base case of `nrev/2`
/// costs the value of `1/2*n^2+3/2*n+1`, so a single piece `n >= 0` suffices.
fn merge(pieces: &mut Vec<Piece>) {
    'again: loop {
        for i in 0..pieces.len() {
            for j in 0..pieces.len() {
                if i != j
                    && agrees(&pieces[i], &pieces[j])
                    && let Some(union) = pieces[i].when.union_if_convex(&pieces[j].when)
                {
                    pieces[i].when = union.simplified();
                    pieces.remove(j);
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// Returns whether the bounds of both pieces are equal on the region of the narrow piece.
fn agrees(wide: &Piece, narrow: &Piece) -> bool {
    let same = |a: &Bound, b: &Bound| match (a, b) {
        (Bound::Finite(a), Bound::Finite(b)) => {
            a == b || costlens_algebra::prove::zero(&(a - b), &narrow.when)
        }
        (a, b) => a == b,
    };
    (wide.kind == narrow.kind)
        && same(&wide.first.lower, &narrow.first.lower)
        && same(&wide.first.upper, &narrow.first.upper)
        && same(&wide.all.lower, &narrow.all.lower)
        && same(&wide.all.upper, &narrow.all.upper)
}

fn known_on(pieces: &[SolvedPiece], region: &Region) -> Option<Expr> {
    let piece = pieces.iter().find(|p| region.implies_all(&p.region))?;
    match &piece.value {
        Value::Known(e) => Some(e.clone()),
        _ => None,
    }
}

/// Returns the size variables on which the steps depend, or the first size variable if there are none.
fn step_variables(summary: &Summary, steps: &[Piece]) -> Vec<Var> {
    let mut vars: Vec<Var> = Vec::new();
    for p in steps {
        for bound in [&p.first.lower, &p.first.upper, &p.all.lower, &p.all.upper] {
            if let Bound::Finite(e) = bound {
                vars.extend(e.variables());
            }
        }
        for c in p.when.constraints() {
            if !summary.domain.constraints().contains(c) {
                vars.extend(c.variables());
            }
        }
    }
    if vars.is_empty() {
        vars.extend(summary.params.iter().take(1).map(|p| p.var));
    }
    vars
}

/// Returns the size variables that occur only in output sizes and numbers of solutions.
fn other_variables(summary: &Summary) -> Vec<Var> {
    let mut vars: Vec<Var> = Vec::new();
    for sides in summary.outputs.values().chain([&summary.solutions]) {
        for p in sides.lower.iter().chain(&sides.upper) {
            if let Value::Known(e) = &p.value {
                vars.extend(e.variables());
            }
        }
    }
    vars
}
