//! Bounds in the number of clauses when a call begins, for calls that add clauses.
//!
//! In a summary, the parameter `facts(p/1)` is any number that the clauses of `p/1` do not exceed while the call runs. A report states bounds
//! in the number of clauses when the call begins: if the call adds at most A clauses, `facts(p/1)` becomes `facts(p/1) + A`.

use std::collections::BTreeMap;

use costlens_algebra::linear::Constraint;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};

use crate::report::{Functor, ParameterKind, Side, Subject, Unknown};
use crate::summary::Summary;
use crate::summary::parameters::least_value;
use crate::summary::pieces::Pieces;

impl Summary {
    /// Returns the summary in terms of the numbers of clauses when the call begins; `None` if the call adds none to predicates on whose
    /// number of clauses the bounds depend.
    pub(super) fn with_added_clauses(&self) -> Option<Summary> {
        let growing: Vec<(Var, &Functor)> = (self.parameters.iter())
            .filter(|p| p.parameter.kind == ParameterKind::Facts)
            .filter_map(|p| match &p.parameter.of {
                Subject::Predicate(_, functor) => Some((p.var, functor)),
                _ => None,
            })
            .filter(|(_, functor)| self.adds_to(functor))
            .collect();
        if growing.is_empty() {
            return None;
        }
        let is_growing = |v: &Var| growing.iter().any(|(w, _)| w == v);
        let mut by: BTreeMap<Var, Expr> = BTreeMap::new();
        for (v, functor) in &growing {
            let to = |functor| most_everywhere(&self.added.sides(&functor).upper);
            let own = to(Some(Functor::clone(functor)));
            let most = own.and_then(|own| Some(&own + &to(None)?));
            let most = most.filter(|e| !e.variables().iter().any(is_growing));
            if let Some(most) = most {
                by.insert(*v, &Expr::var(*v) + &most);
            }
        }
        let mut seen = self.clone();
        let is_open = |v: &Var| is_growing(v) && !by.contains_key(v);
        let rewrite = |pieces: &mut Pieces| at_the_call(pieces, &is_growing, &is_open, &by);
        let outputs = seen.outputs.values_mut().map(|sides| &mut sides.upper);
        for pieces in outputs
            .chain(seen.elements.values_mut())
            .chain([&mut seen.solutions.upper])
            .chain(seen.work.sides_mut().map(|sides| &mut sides.upper))
        {
            rewrite(pieces);
        }
        let is_dropped = rewrite(&mut seen.first.upper) | rewrite(&mut seen.all.upper);
        let unbounded = growing.iter().find(|(v, _)| !by.contains_key(v));
        if is_dropped && let Some((_, functor)) = unbounded {
            seen.unknown.push(self.no_number(functor));
        }
        Some(seen)
    }

    /// Returns whether the call may add clauses to predicates of a name.
    fn adds_to(&self, functor: &Functor) -> bool {
        let is_it = |of: &Option<Functor>| of.as_ref().is_none_or(|of| of == functor);
        self.added.others || self.added.of.keys().any(is_it)
    }

    fn no_number(&self, functor: &Functor) -> Unknown {
        Unknown {
            home: None,
            side: Side::Upper,
            fuel: false,
            reason: format!(
                "the call itself adds clauses to `{functor}`, and their number has no bound"
            ),
            cause: self.predicate.clone(),
            literal: None,
            help: "Read the clauses before new ones are added, or add them in a loop over a list."
                .to_owned(),
            types_help: false,
            declare: None,
            missing: None,
        }
    }
}

/// Rewrites upper bounds. Returns whether a bound was dropped.
fn at_the_call(
    pieces: &mut Pieces,
    is_growing: &dyn Fn(&Var) -> bool,
    is_open: &dyn Fn(&Var) -> bool,
    by: &BTreeMap<Var, Expr>,
) -> bool {
    let mut is_dropped = false;
    for piece in pieces.iter_mut() {
        let Value::Known(e) = &piece.value else {
            continue;
        };
        let is_split = piece.region.constraints().iter().any(|c| {
            // That the number is not less than its least value holds in any case.
            let is_natural = |v: Var| {
                Constraint::ge(&Expr::var(v), &Expr::int(least_value(v))).as_ref() == Some(c)
            };
            c.variables().any(|v| is_growing(&v) && !is_natural(v))
        });
        let is_unknown = is_split || e.variables().iter().any(is_open);
        match e.substitute(by).filter(|_| !is_unknown) {
            Some(e) => piece.value = Value::Known(e),
            None => {
                piece.value = Value::Unknown(Why::NoForm);
                is_dropped = true;
            }
        }
    }
    is_dropped
}

/// Returns an expression that bounds all pieces, or `None` if there is none among their values.
fn most_everywhere(pieces: &Pieces) -> Option<Expr> {
    let known = |p: &SolvedPiece| match &p.value {
        Value::Known(e) => Some((p.region.clone(), e.clone())),
        _ => None,
    };
    let all: Option<Vec<_>> = pieces.iter().map(known).collect();
    let all = all?;
    let is_most = |e: &Expr| (all.iter()).all(|(region, other)| nonnegative(&(e - other), region));
    all.iter().map(|(_, e)| e.clone()).find(|e| is_most(e))
}
