//! Thin strips: a region that confines a linear form to two neighbouring integers (`0 <= l - k <= 1`: the halves of a list) is cut into the
//! few hyperplanes on which the form is constant. Each hyperplane has one dimension less.

use crate::linear::{Constraint, Region, Relation};

/// The greatest width of a strip that is cut.
const WIDTH_LIMIT: i128 = 2;

/// Cuts a region along its thinnest strip. Returns the constraints that define each part.
pub(super) fn parts(region: &Region) -> Option<Vec<Region>> {
    let inequalities: Vec<&Constraint> = region
        .constraints()
        .iter()
        .filter(|c| c.relation() == Relation::NonNegative && c.variables().count() > 1)
        .collect();
    let mut thinnest: Option<(i128, &Constraint)> = None;
    for (i, c) in inequalities.iter().enumerate() {
        for d in &inequalities[i + 1..] {
            // If form + a >= 0 and -form + b >= 0, the form is at least -a and at most b.
            let sum = &c.expr() + &d.expr();
            let Some(width) = sum.as_constant().filter(|w| w.is_integer()) else {
                continue;
            };
            let Ok(width) = i128::try_from(width.to_integer()) else {
                continue;
            };
            if (0..=WIDTH_LIMIT).contains(&width) && thinnest.is_none_or(|(w, _)| width < w) {
                thinnest = Some((width, c));
            }
        }
    }
    let (width, c) = thinnest?;
    (0..=width)
        .map(|at| {
            let at = crate::expr::Expr::int(i64::try_from(at).ok()?);
            let on = Constraint::new(&(&c.expr() - &at), Relation::Zero)?;
            Some(Region::everything().and(on))
        })
        .collect()
}
