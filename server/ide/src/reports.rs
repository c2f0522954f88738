//! The bridge to the analysis: its database, and what it says of a predicate.

use std::sync::Arc;

use costlens_analysis::queries::file_report;
pub(crate) use costlens_analysis::queries::{Database, Db};
use costlens_analysis::report::{PredicateName, PredicateReport};
use costlens_analysis::resources::Prices;
use costlens_analysis::verdict::{self as analysis, verdicts_on};
use costlens_program::positions::positions;
use costlens_program::{
    Functor, SourceFile, assertions_of, file_assertions, find, predicates, resolve,
};
use costlens_syntax::assertions::{AssertionError, CostType, Origin};

use crate::at::Value;
use crate::check::{AssertionCheck, SizeInterval, Verdict, Witness};
use crate::diagnostics::ASSERTION_FALSE;
use crate::suppressed::suppressions;
use crate::trust;

/// What the analysis says of the predicate that a call of this functor reaches from the file.
pub(crate) fn report(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Arc<PredicateReport>> {
    let found = resolve(db, file, functor)?.predicate();
    let home = found.file(db);
    let place = predicates(db, home).iter().position(|&p| p == found)?;
    file_report(db, home).get(place).cloned()
}

/// What the analysis says of the predicates of a file, in the order of [`positions`].
pub(crate) fn reports(db: &dyn Db, file: SourceFile) -> Arc<[Arc<PredicateReport>]> {
    file_report(db, file)
}

/// The name of a functor in reports.
pub(crate) fn name(functor: &Functor) -> PredicateName {
    PredicateName {
        name: functor.name.clone(),
        arity: functor.arity,
    }
}

/// The functor of a name in reports.
pub(crate) fn functor(name: &PredicateName) -> Functor {
    Functor::new(name.name.clone(), name.arity)
}

/// What the declarations of a predicate call its arguments.
pub(crate) fn declared_names(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Vec<Option<String>> {
    let mut names = vec![None; functor.arity];
    let Some(predicate) = find(db, file, functor) else {
        return names;
    };
    for assertion in assertions_of(db, predicate) {
        for (slot, argument) in names.iter_mut().zip(&assertion.arguments) {
            if slot.is_none() {
                *slot = argument.name.as_ref().map(ToString::to_string);
            }
        }
    }
    names
}

/// The malformed assertions of a file.
pub(crate) fn assertion_errors(db: &dyn Db, file: SourceFile) -> Vec<AssertionError> {
    file_assertions(db, file).errors.clone()
}

/// The verdicts on a file's assertions, with their places, in the order of the file.
pub(crate) fn verdicts(
    db: &dyn Db,
    file: SourceFile,
    prices: Option<&Arc<Prices>>,
) -> Vec<AssertionCheck> {
    let assertions = file_assertions(db, file);
    let positions = positions(db, file);
    let rows = verdicts_on(db, file, prices);
    let suppressed = suppressions(db, file);
    let checks = rows.iter().filter_map(|row| {
        let place = assertions.places.get(row.assertion)?;
        // A comment's line states one property; a directive may state many.
        let range = match row.origin {
            Origin::Comment => place.range,
            Origin::Directive => *place.properties.get(row.property).unwrap_or(&place.range),
        };
        let clauses = positions.iter().find(|p| p.functor == row.predicate);
        let rests_on = trust::places(db, &row.rests_on);
        Some(AssertionCheck {
            range: range.0..range.1,
            predicate: row.predicate.clone(),
            head: (clauses.and_then(|p| p.clauses.first())).map(|c| c.head.0..c.head.1),
            property: row.text.clone(),
            resource: row.resource.as_ref().map(ToString::to_string),
            approximation: row.approximation.map(|a| a.name().to_owned()),
            cost_type: row.cost_type.map(CostType::name),
            verdict: verdict(row.verdict),
            observed: row.observed,
            intervals: (row.intervals.iter())
                .map(|i| SizeInterval {
                    size: i.size.clone(),
                    from: i.from.clone(),
                    to: i.to.clone(),
                    verdict: verdict(i.verdict),
                })
                .collect(),
            asserted: row.asserted.clone(),
            inferred: (row.lower.clone(), row.upper.clone()),
            witness: row.witness.as_ref().map(|w| Witness {
                sizes: w.sizes.clone(),
                inferred: w.inferred.clone().map_or(Value::Infinite, Value::Exact),
                asserted: w.asserted.clone().map_or(Value::Unknown, Value::Exact),
            }),
            message: on_trust(&row.message, &rests_on),
            rests_on,
            reason: row.reason.clone(),
            suppressed: suppressed.covers(ASSERTION_FALSE, range.0),
        })
    });
    checks.collect()
}

/// A verdict in a sentence, with what it rests on.
fn on_trust(message: &str, lines: &[String]) -> String {
    match lines {
        [] => message.to_owned(),
        lines => format!("{message}; on trust: {}", lines.join(", ")),
    }
}

fn verdict(v: analysis::Verdict) -> Verdict {
    match v {
        analysis::Verdict::Checked => Verdict::Checked,
        analysis::Verdict::False => Verdict::False,
        analysis::Verdict::Check => Verdict::Check,
    }
}
