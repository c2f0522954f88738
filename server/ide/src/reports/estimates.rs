//! The bounds of a single call, displayed next to the counts of a run (*Est.* next to *Prf.* in PPDP'08 Tables 8 to 10).

use std::sync::Arc;

use costlens_analysis::fits::{fits, measure};
use costlens_analysis::queries::report;
use costlens_analysis::report::{
    Condition, Functor, ParameterKind, ParameterVariable, PatternReport, PredicateReport, Subject,
};
use costlens_analysis::resources::{counted_events, resource_report};
use costlens_events::{Event, Vocabulary};
use costlens_program::{SourceFile, find, resolve};
use costlens_syntax::term::{TermId, Terms};
use num_bigint::BigInt;

use super::validation::written_by_user;
use crate::db::Db;
use crate::present::parameters::assumptions_text;
use crate::present::values::{GivenSize, StepsAt, steps_at};
use crate::present::{pattern_head, type_meanings};
use crate::resources::{Prices, Resource};

/// The bounds of the pattern that a call matches, at the sizes of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates {
    /// The pattern, as a head with modes and types.
    pub pattern: String,
    /// The sizes of the call's arguments.
    pub sizes: Vec<GivenSize>,
    /// The values that are taken for parameters.
    pub taken: Vec<TakenValue>,
    /// The assumptions on which the bounds on steps rest.
    pub assumes: Vec<String>,
    /// The bounds on each requested event.
    pub events: Vec<(Event, StepsAt)>,
    /// The bounds on time, in nanoseconds. `None` if no platform was given.
    pub time: Option<TimeAt>,
    /// The user's assertions on which the bounds on steps depend: `db.pl:12`.
    pub asserted: Vec<String>,
}

/// The value that is taken for a parameter of the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenValue {
    /// The parameter's name in bounds: `par`.
    pub name: String,
    /// The unambiguous name: `facts(par/2)`.
    pub full_name: String,
    /// The value.
    pub value: BigInt,
    /// The clauses that were counted, `par/2`; `None` if the user gave the value.
    pub clauses_of: Option<Functor>,
}

/// Where the values of parameters come from.
#[derive(Clone, Copy, Debug)]
pub enum ParameterValues<'a> {
    /// Nowhere: a bound with a parameter has no value.
    Unknown,
    /// From the user or, for the number of facts of a predicate, from the clauses that its file contains.
    Given(&'a [GivenSize]),
}

/// The time of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeAt {
    /// Bounds based on the estimates of the constants.
    pub estimate: StepsAt,
    /// Lower bounds based on the minimum of each constant, and upper bounds based on the maximum.
    pub cautious: StepsAt,
    /// The condition under which the upper bounds hold.
    pub condition: Option<Condition>,
}

/// The reason why there are no estimates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimates {
    /// The goal is not a call: a variable or a number.
    #[error("the goal is no call of a predicate")]
    NoCall,
    /// Bounds cannot be inferred for the predicate, for example because it is a built-in or a conjunction.
    #[error("`{0}` is not defined by clauses of the program or the library")]
    NotDefined(Functor),
    /// Only one file of a program was loaded for the run, while the bounds refer to the whole program.
    #[error("they are those of the whole program, of which one file alone runs")]
    OfTheProgram,
    /// The argument types do not match any pattern with bounds.
    #[error("the goal fits no call pattern of `{predicate}`: {patterns}")]
    NoPattern {
        /// The predicate.
        predicate: Functor,
        /// The patterns of the predicate, or a note that it has none.
        patterns: String,
    },
}

/// Returns the estimates for a call under the first pattern that it matches. Declared patterns precede inferred patterns.
pub(crate) fn estimates(
    db: &dyn Db,
    file: SourceFile,
    terms: &Terms,
    goal: TermId,
    events: &[Event],
    prices: Option<&Arc<Prices>>,
    parameters: ParameterValues<'_>,
) -> Result<Estimates, NoEstimates> {
    let (name, arity) = terms.functor(goal).ok_or(NoEstimates::NoCall)?;
    let predicate = Functor::new(name.clone(), arity);
    let Some(found) = resolve(db, file, &predicate) else {
        return Err(NoEstimates::NotDefined(predicate));
    };
    let found = found.predicate();
    let steps = report(db, found);
    let head = |p: &PatternReport| pattern_head(&predicate.name, &p.pattern, &[]);
    let fitting = |p: &PatternReport| fits(&p.pattern, terms, goal);
    let Some(index) = steps.patterns.iter().position(fitting) else {
        let patterns: Vec<String> = steps.patterns.iter().map(head).collect();
        return Err(NoEstimates::NoPattern {
            patterns: match patterns.is_empty() {
                true => "it has none".to_owned(),
                false => {
                    let types = steps.patterns.iter().flat_map(|p| &p.pattern.0);
                    let meanings = type_meanings(types);
                    match meanings.is_empty() {
                        true => patterns.join(", "),
                        false => format!("{}, where {}", patterns.join(", "), meanings.join(", ")),
                    }
                }
            },
            predicate,
        });
    };
    // The bounds on another resource may mention sizes that the bounds on steps do not.
    let mut sizes: Vec<GivenSize> = Vec::new();
    let mut taken: Vec<TakenValue> = Vec::new();
    let mut at = |report: &PredicateReport| {
        let pattern = report.patterns.get(index)?;
        for size in &pattern.sizes {
            let value = measure(size, terms, goal);
            let given = value.map(|value| GivenSize {
                argument: size.argument,
                element: size.element,
                name: None,
                metric: Some(size.metric.to_string()),
                value,
            });
            sizes.extend(given.filter(|g| !sizes.contains(g)));
        }
        for value in (pattern.parameters.iter()).filter_map(|p| value_of(db, p, parameters)) {
            if !taken.contains(&value) {
                taken.push(value);
            }
        }
        let named = |value: &TakenValue| GivenSize {
            argument: 0,
            element: false,
            name: Some(value.name.clone()),
            metric: None,
            value: value.value.clone(),
        };
        let all: Vec<GivenSize> = (sizes.iter().cloned())
            .chain(taken.iter().map(named))
            .collect();
        Some(steps_at(pattern, &all))
    };
    let on = |resource: &Resource| resource_report(db, found, resource);
    let mut values = Vec::new();
    for event in events {
        let value = match event {
            Event::Step => at(&steps),
            event => at(&on(&Resource::Event(event.clone()))),
        };
        values.extend(value.map(|value| (event.clone(), value)));
    }
    let time = prices.and_then(|prices| {
        let estimate = on(&Resource::Time(Arc::clone(prices)));
        Some(TimeAt {
            condition: estimate.patterns.get(index).and_then(|p| p.condition),
            estimate: at(&estimate)?,
            cautious: at(&on(&Resource::CautiousTime(Arc::clone(prices))))?,
        })
    });
    sizes.sort_by_key(|s| (s.argument, s.element));
    Ok(Estimates {
        asserted: written_by_user(db, &steps.patterns[index].rests_on),
        pattern: steps.patterns.get(index).map(head).unwrap_or_default(),
        sizes,
        taken,
        assumes: assumptions_text(&steps.patterns[index], &[], "`"),
        events: values,
        time,
    })
}

/// Returns the value that is taken for a parameter.
fn value_of(
    db: &dyn Db,
    parameter: &ParameterVariable,
    values: ParameterValues<'_>,
) -> Option<TakenValue> {
    let ParameterValues::Given(given) = values else {
        return None;
    };
    let full = parameter.parameter.to_string();
    let is_it = |g: &&GivenSize| {
        (g.name.as_ref()).is_some_and(|name| *name == parameter.name || *name == full)
    };
    let name = parameter.name.clone();
    if let Some(given) = given.iter().find(is_it) {
        return Some(TakenValue {
            name,
            full_name: full,
            value: given.value.clone(),
            clauses_of: None,
        });
    }
    match (parameter.parameter.kind, &parameter.parameter.of) {
        (ParameterKind::Facts, Subject::Predicate(file, functor)) => {
            let written = find(db, *file, functor).map_or(0, |p| p.clauses(db).len());
            Some(TakenValue {
                name,
                full_name: full,
                value: BigInt::from(written),
                clauses_of: Some(functor.clone()),
            })
        }
        _ => None,
    }
}

/// Returns the bounds on all events of a vocabulary that a predicate counts under its first pattern, at given sizes. Returns `None` if the
/// file does not define the predicate.
pub(crate) fn counts(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    vocabulary: Vocabulary,
    sizes: &[GivenSize],
) -> Option<Vec<(Event, StepsAt)>> {
    let found = find(db, file, predicate)?;
    let events = counted_events(db, found, vocabulary).into_iter();
    let at = |event: Event| {
        let report = match &event {
            Event::Step => report(db, found),
            event => resource_report(db, found, &Resource::Among(event.clone(), vocabulary)),
        };
        let pattern = report.patterns.first()?;
        Some((event, steps_at(pattern, sizes)))
    };
    Some(events.filter_map(at).collect())
}
