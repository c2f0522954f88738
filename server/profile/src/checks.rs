//! Run-time checks of cost assertions (Mera et al. 2010, Section 4): for single calls, and for shares of a whole run.
//!
//! A run can refute an assertion, but never prove one. A call is judged if it is known to fit the precondition and the asserted value is
//! known.

mod calls;
mod conditions;
mod evaluate;
mod periodic;

use costlens_machine::{CentrePorts, Enter, Leave, Resource};
use costlens_syntax::assertions::{
    Approximation, Argument, Assertion, CostProperty, CostType, Property, RelativeCost, SizeLimit,
};
use costlens_syntax::write_atom;

use crate::profile::{Profile, ratio, resource_of};
use crate::search::Predicate;

pub use calls::CallChecks;
pub(crate) use conditions::measured;
pub use periodic::Periodic;

/// An asserted property that runs can check.
#[derive(Clone, Debug)]
pub struct Check {
    /// The predicate.
    pub predicate: Predicate,
    /// The property as written, without layout.
    pub text: String,
    /// The counted resource.
    pub resource: Resource,
    /// The asserted cost.
    asserted: Asserted,
    arguments: Vec<Argument>,
    limits: Vec<SizeLimit>,
}

#[derive(Clone, Debug)]
enum Asserted {
    OfCalls(CostProperty),
    OfRun(RelativeCost),
}

/// The outcome of a check by runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The number of values that were judged.
    pub judged: u64,
    /// The number of calls that could not be judged, because they do not fit the precondition or the asserted value is unknown.
    pub left_out: u64,
    /// The least and the largest value.
    pub range: Option<(f64, f64)>,
    /// The worst value that violates the assertion.
    pub violation: Option<AssertionViolation>,
}

/// A value that violates an assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionViolation {
    /// The call, or the number of the periodic check for a share; `None` for the whole run.
    pub goal: Option<String>,
    /// The observed value.
    pub observed: f64,
    /// The asserted value.
    pub asserted: f64,
}

impl Check {
    /// Returns the check for a property of an assertion.
    ///
    /// # Errors
    /// Returns the reason why runs cannot refute the property, or an error of `None` for properties that do not concern costs.
    pub fn new(assertion: &Assertion, property: usize) -> Result<Self, Option<&'static str>> {
        let stated = assertion.properties.get(property).ok_or(None)?;
        let (asserted, approximation, resource) = match &stated.property {
            Property::Cost(cost) => (
                Asserted::OfCalls(cost.clone()),
                cost.approximation,
                &cost.resource,
            ),
            Property::RelativeCost(cost) => (
                Asserted::OfRun(cost.clone()),
                cost.approximation,
                &cost.resource,
            ),
            _ => return Err(None),
        };
        if !matches!(
            approximation,
            Approximation::Upper | Approximation::Lower | Approximation::Exact
        ) {
            return Err(Some("no run shows an order of growth"));
        }
        let narrower = assertion.arguments.iter().any(|a| a.narrower);
        if assertion.unknown_precondition || narrower {
            return Err(Some("it is not known which calls the precondition means"));
        }
        let relative = matches!(asserted, Asserted::OfRun(_));
        if relative && (assertion.declares_calls() || !assertion.limits.is_empty()) {
            return Err(Some(
                "a share of a run is of all calls, so that it can have no precondition",
            ));
        }
        if let Asserted::OfRun(RelativeCost {
            cost_type: Some(CostType::Solution(_)),
            ..
        }) = asserted
        {
            return Err(Some("a run is not measured solution by solution"));
        }
        let resource = resource_of(resource).ok_or(Some("a profile does not measure it"))?;
        Ok(Check {
            predicate: (assertion.name.clone(), assertion.arity),
            text: stated.text.clone(),
            resource,
            asserted,
            arguments: assertion.arguments.clone(),
            limits: assertion.limits.clone(),
        })
    }

    /// Returns whether the check is for a share of a run.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        matches!(self.asserted, Asserted::OfRun(_))
    }

    /// Returns the observed values as an assertion: `:- obs pred p(A,B) + costb(steps,1,7).`. Returns `None` if nothing was observed.
    #[must_use]
    pub fn observed(&self, seen: &Seen) -> Option<String> {
        let (least, largest) = seen.range?;
        let resource = crate::resource_name(self.resource);
        let (name, arity) = &self.predicate;
        let name = write_atom(name);
        let names: Vec<String> = (0..*arity).map(variable).collect();
        let head = match arity {
            0 => name.to_string(),
            _ => format!("{name}({})", names.join(",")),
        };
        let property = match &self.asserted {
            Asserted::OfRun(cost) => {
                let part = cost.cost_type.map(|t| format!("{},", t.name()));
                let part = part.unwrap_or_default();
                // Round so that the printed assertion holds for the observed values.
                let least_shown = (100.0 * least).floor() / 100.0;
                let largest_shown = (100.0 * largest).ceil() / 100.0;
                match least < largest {
                    true => format!(
                        "(rel_cost(lb,{part}{resource},{least_shown:.2}),rel_cost(ub,{part}{resource},{largest_shown:.2}))"
                    ),
                    false => format!("rel_cost(eq,{part}{resource},{largest:.2})"),
                }
            }
            Asserted::OfCalls(cost) => {
                let part = match cost.cost_type {
                    CostType::Call => String::new(),
                    other => format!("{},", other.name()),
                };
                format!("(cost(lb,{part}{resource},{least}),cost(ub,{part}{resource},{largest}))")
            }
        };
        Some(format!(":- obs pred {head} + {property}."))
    }

    /// Judges an observed value against the asserted value. `final_one` is false for a value that may still grow.
    fn judge(
        &self,
        seen: &mut Seen,
        goal: Option<&str>,
        value: f64,
        asserted: f64,
        final_one: bool,
    ) {
        let (approximation, tolerance) = match &self.asserted {
            // Percentages are shown with few digits.
            Asserted::OfRun(cost) => (cost.approximation, 0.5),
            Asserted::OfCalls(cost) => (cost.approximation, 0.0),
        };
        // Floating-point rounding must not decide.
        let slack = 1e-9 * (1.0 + asserted.abs());
        let exact = matches!(approximation, Approximation::Exact);
        let slack = if exact { slack + tolerance } else { slack };
        let above = value > asserted + slack && approximation != Approximation::Lower;
        let below = final_one && value < asserted - slack && approximation != Approximation::Upper;
        if final_one {
            seen.judged += 1;
            let (least, largest) = seen.range.unwrap_or((value, value));
            seen.range = Some((least.min(value), largest.max(value)));
        }
        let off = (value - asserted).abs();
        let is_worse = |v: &AssertionViolation| off > (v.observed - v.asserted).abs();
        if (above || below) && seen.violation.as_ref().is_none_or(is_worse) {
            seen.violation = Some(AssertionViolation {
                goal: goal.map(str::to_owned),
                observed: value,
                asserted,
            });
        }
    }

    /// Judges a centre's share in a run, based on its own use, so that all shares add up to the total.
    #[must_use]
    pub fn of_run(&self, profile: &Profile) -> Seen {
        let mut seen = Seen::default();
        let Asserted::OfRun(cost) = &self.asserted else {
            return seen;
        };
        let total = profile.measured.total.amount(self.resource);
        let name =
            costlens_machine::CentreName::Predicate(self.predicate.0.clone(), self.predicate.1);
        let percent = evaluate::value(&cost.percent, &|_, _| None);
        let (Some(asserted), true) = (percent, total > 0) else {
            seen.left_out = 1;
            return seen;
        };
        let used = profile.centre(&name).map_or(0, |n| {
            part(&profile.rows[n].ports, cost.cost_type, self.resource)
        });
        self.judge(&mut seen, None, 100.0 * ratio(used, total), asserted, true);
        seen
    }
}

/// Returns the use between the ports covered by a cost type.
fn part(ports: &CentrePorts, cost_type: Option<CostType>, resource: Resource) -> u64 {
    let is_meant = |enter: Enter, leave: Leave| match cost_type {
        None | Some(CostType::AllSolutions | CostType::Solution(_)) => true,
        Some(CostType::Call) => enter == Enter::Call,
        Some(CostType::CallExit) => (enter, leave) == (Enter::Call, Leave::Exit),
        Some(CostType::CallFail) => (enter, leave) == (Enter::Call, Leave::Fail),
        Some(CostType::Redo) => enter == Enter::Redo,
        Some(CostType::RedoExit) => (enter, leave) == (Enter::Redo, Leave::Exit),
        Some(CostType::RedoFail) => (enter, leave) == (Enter::Redo, Leave::Fail),
    };
    let meant = ports
        .pairs()
        .filter(|&(enter, leave, _)| is_meant(enter, leave));
    meant.map(|(_, _, pair)| pair.used.amount(resource)).sum()
}

/// Returns the name of the variable for an argument, numbered from 0.
fn variable(number: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(number % 26).unwrap_or(0));
    match number / 26 {
        0 => letter.to_string(),
        more => format!("{letter}{more}"),
    }
}
