//! Predicates that the effect of a goal elsewhere reaches.

use costlens_catalog::{Relation, is_arithmetic_comparison, is_fixed, relation};

use super::callees;
use crate::definitions::{
    Alteration, Changed, EffectReach, Predicate, all_clauses, effects_on, find_written, writes_with,
};
use crate::language::{Functor, split};
use crate::workspace::Db;

/// Returns a goal or clause that changes how a predicate is read or run.
///
/// *Invalidated* when such a goal is added or removed, a clause of the predicate changes while such goals exist, or a file is added or
/// removed.
#[salsa::tracked(returns(ref))]
pub fn altered<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Alteration> {
    let file = predicate.file(db);
    let functor = predicate.functor(db);
    effects_on(db, file).iter().find_map(|effect| {
        let changes = match &effect.reach {
            EffectReach::Program => Changed::Program,
            EffectReach::Text(read) => {
                read.contains(functor).then_some(())?;
                match effect.of_quotes {
                    true => Changed::Quotes,
                    false => Changed::Text,
                }
            }
            EffectReach::Predicates(names) => changed(db, predicate, &|f| names.contains(f))?,
            EffectReach::Names(names) => changed(db, predicate, &|f| names.contains(&f.name))?,
            EffectReach::BuiltIn(built_in) => {
                if built_in == functor {
                    Changed::Predicate
                } else {
                    let calls = callees(db, predicate).contains(built_in);
                    calls.then_some(Changed::BuiltIn)?
                }
            }
            EffectReach::Division => divides(db, predicate).then_some(Changed::BuiltIn)?,
            EffectReach::Formats(character) => {
                writes_with(db, predicate, *character).then_some(Changed::BuiltIn)?
            }
            EffectReach::Assumed(_) | EffectReach::Mentioning(..) => return None,
        };
        Some(Alteration {
            file: effect.file,
            by: effect.by.clone(),
            changes,
        })
    })
}

/// Returns whether an effect on predicates with certain names changes a predicate: it has such a name itself, or it calls one that its file
/// does not define, so that a declaration may hide a library predicate or a built-in.
fn changed(
    db: &dyn Db,
    predicate: Predicate<'_>,
    is_named: &dyn Fn(&Functor) -> bool,
) -> Option<Changed> {
    if is_named(predicate.functor(db)) {
        return Some(Changed::Predicate);
    }
    let is_hidden = |callee: &Functor| {
        let plain = split(callee).map_or_else(|| callee.clone(), |(_, plain)| plain);
        is_named(&plain)
            && !is_fixed(&plain.name, plain.arity)
            && find_written(db, predicate.file(db), callee).is_none()
    };
    let mut callees = callees(db, predicate).iter();
    callees.any(is_hidden).then_some(Changed::BuiltIn)
}

/// Returns whether a clause of a predicate may divide: it contains `X/Y`, `X^Y` or `X**Y`.
fn divides(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let is_division = |name: &str, arity| arity == 2 && matches!(name, "/" | "^" | "**");
    let computes = |callee: &Functor| {
        let (name, arity) = (callee.name.as_str(), callee.arity);
        is_arithmetic_comparison(name, arity) || relation(name, arity) == Some(Relation::Value)
    };
    // In other clauses, `a/b` is data: `directory/file`, `name/arity`.
    callees(db, predicate).iter().any(computes)
        && (all_clauses(db, predicate).iter()).any(|clause| {
            let mut named = clause.terms.ids().filter_map(|t| clause.terms.functor(t));
            named.any(|(name, arity)| is_division(name, arity))
        })
}
