//! Handwritten reports, for tests.
#![cfg(test)]

use costlens_algebra::{Constraint, Expr, Rat, Region, Var, rat};
use costlens_analysis::report::{
    Bound, Determinism, Functor, Headline, Interval, Origin, OutputSize, PatternReport, Piece,
    PieceKind, Side, SizeVariable, Unknown,
};
use costlens_analysis::types::{Metric, Pattern, Type};

pub(crate) const N: Var = Var(0);

pub(crate) fn n() -> Expr {
    Expr::var(N)
}

/// Returns the expression `n²/2+3n/2+1`.
pub(crate) fn nrev_steps() -> Expr {
    let half = Rat::new(1.into(), 2.into());
    &(&n().pow(2).scale(&half) + &n().scale(&(rat(3) * half.clone()))) + &Expr::int(1)
}

pub(crate) fn interval(lower: Bound, upper: Bound) -> Interval {
    Interval { lower, upper }
}

pub(crate) fn exact(e: &Expr) -> Interval {
    interval(Bound::Finite(e.clone()), Bound::Finite(e.clone()))
}

pub(crate) fn at_least(k: i64) -> Region {
    Region::everything().and(Constraint::ge(&n(), &Expr::int(k)).unwrap())
}

pub(crate) fn piece(when: Region, steps: Interval, kind: PieceKind) -> Piece {
    Piece {
        when,
        first: steps.clone(),
        all: steps,
        solutions: exact(&Expr::int(1)),
        kind,
    }
}

/// Returns a report with these pieces. The first piece is the main piece and determines the headline.
pub(crate) fn with_pieces(mut report: PatternReport, pieces: Vec<Piece>) -> PatternReport {
    report.headline = Headline {
        conditional: false,
        except: Vec::new(),
        loose: None,
        first: pieces[0].first.clone(),
        all: pieces[0].all.clone(),
        bounded: None,
    };
    report.steps = pieces;
    report
}

/// Returns a report of `nrev(+list, -var)` with a declared pattern.
pub(crate) fn nrev() -> PatternReport {
    PatternReport {
        pattern: Pattern(vec![Type::list(Type::Any), Type::Free]),
        least: Vec::new(),
        origin: Origin::Declared,
        determinism: Determinism::Det,
        errors_possible: false,
        parameters: Vec::new(),
        assumes: Vec::new(),
        sizes: vec![SizeVariable {
            var: N,
            argument: 1,
            metric: Metric::Length,
            element: false,
            name: "n".to_owned(),
        }],
        outputs: vec![OutputSize {
            argument: 2,
            metric: Metric::Length,
            lower: Some(n()),
            upper: Some(n()),
        }],
        solutions: exact(&Expr::int(1)),
        headline: Headline {
            conditional: false,
            except: Vec::new(),
            loose: None,
            first: exact(&nrev_steps()),
            all: exact(&nrev_steps()),
            bounded: None,
        },
        steps: vec![piece(at_least(0), exact(&nrev_steps()), PieceKind::Bounded)],
        main: 0,
        rests_on: Vec::new(),
        unknown: Vec::new(),
        condition: None,
        wider: None,
        work: costlens_analysis::report::AllWork::OfSteps,
    }
}

/// Returns a pattern whose upper bound is unknown.
pub(crate) fn unknown() -> PatternReport {
    let steps = interval(Bound::Finite(Expr::int(1)), Bound::Unknown);
    let pieces = vec![piece(at_least(0), steps, PieceKind::Unknown)];
    let mut report = with_pieces(nrev(), pieces);
    report.unknown = vec![Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: "the closure is not known".to_owned(),
        cause: Functor {
            name: "q".into(),
            arity: 3,
        },
        literal: None,
        help: "Declare `:- trust pred q/3`.".to_owned(),
        types_help: false,
        declare: None,
        missing: None,
    }];
    report
}
