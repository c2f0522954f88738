//! The resources requested from a command, and their platform.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use costlens_analysis::report::{EvaluatedPoint, Functor, SizeVariable};
use costlens_events::Event;
use costlens_events::machine::counted_names;
use costlens_ide::host::{File, Host, Snapshot};
use costlens_ide::present::values::GivenSize;
use costlens_ide::reports::bounds::PredicateBounds;
use costlens_ide::resources::{Prices, Resource, prices};
use costlens_ide::settings::Dialect;
use costlens_platform::{Collection, Platform};
use costlens_syntax::nearest;

use super::interrupted;
use crate::disk::platforms;

/// A resource by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedResource {
    Time,
    Event(Event),
    /// A resource that the files may declare.
    Own(String),
}

/// Parses `time`, `steps`, `giunif`, `is/2`, `op(+/2)`; other words may be resources that the files declare.
pub(super) fn parse_resource(name: &str) -> Result<NamedResource, String> {
    if name == "time" {
        return Ok(NamedResource::Time);
    }
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let no_event = |_| {
        format!(
            "bounds on `{name}` are not inferred: expected `steps`, `time`, `head_unifications`, `nargs`, `giunif`, `gounif`, `viunif`, `vounif`, `switches`, `tries`, `retries`, `mismatches`, `trailed`, `cuts`, `continuations`, `body_arguments`, `body_symbols`, `body_variables`, `increments`, `closures`, `lambdas`, `global_cells`, `literals`, `work`, `inferences`, a resource that the files declare, a built-in such as `is/2`, or an arithmetic function such as `op(+/2)`"
        )
    };
    match name.parse() {
        Err(_) if is_word => Ok(NamedResource::Own(name.to_owned())),
        found => found.map(NamedResource::Event).map_err(no_event),
    }
}

/// Returns the events that runs of the embedded machine count and that have bounds: steps, head unifications, its instructions.
pub(super) fn machine_events() -> Vec<Event> {
    let instructions = counted_names().flat_map(|(name, fails)| {
        let failed = fails.then(|| format!("{name}(fail)"));
        std::iter::once(name.to_owned()).chain(failed)
    });
    [Event::Step, Event::HeadUnification]
        .into_iter()
        .chain(instructions.filter_map(|name| name.parse().ok()))
        .collect()
}

/// Returns the error for a resource that a file does not declare, possibly because of a typo.
fn undeclared(name: &str) -> anyhow::Error {
    let words: Vec<&str> = (Event::words().filter_map(Event::word))
        .chain(["time"])
        .collect();
    match nearest(name, &words) {
        Some(near) => anyhow!("`{name}` is no resource; did you mean `{near}`?"),
        None => anyhow!(
            "no file that is read declares a resource `{name}`: write `:- resource {name}.` there, or in a file of the folder `costlens`, which all files see"
        ),
    }
}

/// Returns the stored platform with a name.
pub(super) fn platform(name: Option<&str>) -> anyhow::Result<Option<Platform>> {
    let Some(name) = name else {
        return Ok(None);
    };
    Ok(Some(platforms::named(name)?))
}

/// Returns the stored platform for programs in a dialect, for commands without a named platform.
///
/// # Errors
/// Fails if there is no such platform.
pub(super) fn platform_for(dialect: Option<Dialect>) -> anyhow::Result<Platform> {
    let all = platforms::list().0;
    let found = platforms::of_dialect(&all, dialect.unwrap_or_default());
    found.cloned().context(
        "no constants are stored for programs of this dialect: name a platform with `--platform`; `costlens platforms` lists them",
    )
}

/// Returns a sentence that names the platform, for users who named none.
pub(super) fn platform_note(platform: &Platform) -> String {
    let name = &platform.name;
    match platforms::calibrated(platform).here {
        true => format!("time on {name}, which was measured on this machine"),
        false => format!(
            "time on {name}: constants of another machine; `costlens calibrate` measures this one"
        ),
    }
}

/// Returns the resources to bound: the named resources in order or, if none is named, steps, and time if there is a platform.
pub(super) fn asked(
    named: &[NamedResource],
    platform: Option<&Platform>,
) -> anyhow::Result<Vec<RequestedResource>> {
    let mut names: Vec<NamedResource> = Vec::new();
    for name in named {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    if names.is_empty() {
        names.push(NamedResource::Event(Event::Step));
        if platform.is_some() {
            names.push(NamedResource::Time);
        }
    }
    let events = names.iter().filter_map(|name| match name {
        NamedResource::Event(event) => Some(event.clone()),
        _ => None,
    });
    let events = Arc::new(events.collect());
    names
        .into_iter()
        .map(|name| match name {
            NamedResource::Event(event) => Ok(RequestedResource::Event(event, Arc::clone(&events))),
            NamedResource::Own(name) => Ok(RequestedResource::Own(name)),
            NamedResource::Time => match platform {
                Some(platform) => Ok(RequestedResource::Time(prices(platform), platform.collection.clone())),
                None => Err(anyhow!(
                    "time is known on a platform only: name one with `--platform`; `costlens platforms` lists them"
                )),
            },
        })
        .collect()
}

/// A resource to be bounded.
pub(super) enum RequestedResource {
    /// An event, with all events requested from the command.
    Event(Event, Arc<BTreeSet<Event>>),
    /// A resource that the files declare.
    Own(String),
    /// Time, with the parameters of the garbage collector, if known.
    Time(Arc<Prices>, Option<Collection>),
}

/// The bounds of a predicate on one resource.
pub(super) struct ResourceBounds {
    pub(super) name: String,
    pub(super) is_time: bool,
    pub(super) bounds: PredicateBounds,
    /// Bounds on time, computed with the least and the greatest constants.
    pub(super) cautious: Option<PredicateBounds>,
    /// Bounds on the built cells, for bounds on time on a system with garbage collection.
    pub(super) collected: Option<(PredicateBounds, Collection)>,
}

impl ResourceBounds {
    /// Bounds on steps.
    pub(super) fn steps(bounds: PredicateBounds) -> Self {
        ResourceBounds {
            name: Event::Step.to_string(),
            is_time: false,
            bounds,
            cautious: None,
            collected: None,
        }
    }
}

/// The bounds of a predicate.
pub(super) struct BoundsRow {
    pub(super) steps: PredicateBounds,
    /// The bounds on each requested resource.
    pub(super) on: Vec<ResourceBounds>,
    /// For each pattern, the upper bound on steps evaluated at the requested sizes, if there is no closed form.
    pub(super) evaluated: Vec<Option<EvaluatedPoint>>,
}

impl BoundsRow {
    /// Creates a row with bounds on steps only.
    pub(super) fn of_steps(steps: PredicateBounds) -> Self {
        BoundsRow {
            on: vec![ResourceBounds::steps(steps.clone())],
            steps,
            evaluated: Vec::new(),
        }
    }

    /// Evaluates upper bounds on steps at sizes for which there is no closed form.
    pub(super) fn evaluate(
        &mut self,
        host: &Host,
        file: File,
        given: &[GivenSize],
    ) -> anyhow::Result<()> {
        let report = &self.steps.report;
        let is_asked = self.on.iter().any(|on| on.name == "steps");
        for pattern in &report.patterns {
            let snapshot = host.snapshot();
            let point = match is_asked {
                true => snapshot.evaluate(file, &report.predicate, pattern, given),
                false => Ok(None),
            };
            self.evaluated.push(point.map_err(interrupted)?);
        }
        Ok(())
    }

    /// Returns whether the row belongs to this predicate.
    pub(super) fn is(&self, predicate: &Functor) -> bool {
        self.steps.report.predicate == *predicate
    }

    /// Returns the sizes that the bounds of a pattern mention, on any resource.
    pub(super) fn sizes(&self, index: usize) -> Vec<SizeVariable> {
        let of = |p: &PredicateBounds| p.report.patterns.get(index).map(|r| r.sizes.clone());
        let mut sizes: Vec<SizeVariable> = of(&self.steps).unwrap_or_default();
        let shown = |p: &PredicateBounds| {
            p.report
                .patterns
                .get(index)
                .map(|r| r.shown().sizes.clone())
        };
        let others = self.on.iter().filter_map(|on| of(&on.bounds)).flatten();
        for size in others.chain(shown(&self.steps).unwrap_or_default()) {
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        sizes.sort_by_key(|s| (s.argument, s.var));
        sizes
    }
}

impl RequestedResource {
    /// Returns the bounds of all predicates of a file on the requested resources, given their bounds on steps.
    pub(super) fn bounds(
        &self,
        snapshot: &Snapshot,
        file: File,
        steps: &[PredicateBounds],
    ) -> anyhow::Result<Vec<ResourceBounds>> {
        let on = |bounds, cautious| ResourceBounds {
            name: match self {
                RequestedResource::Event(event, _) => event.to_string(),
                RequestedResource::Own(name) => name.clone(),
                RequestedResource::Time(..) => "time".to_owned(),
            },
            is_time: matches!(self, RequestedResource::Time(..)),
            bounds,
            cautious,
            collected: None,
        };
        let bounded = |resource: &Resource| {
            let found = snapshot.resource_bounds(file, resource);
            found.map_err(interrupted)
        };
        Ok(match self {
            RequestedResource::Event(Event::Step, _) => {
                steps.iter().cloned().map(ResourceBounds::steps).collect()
            }
            RequestedResource::Event(event, together) => {
                let one = Resource::OneOf(event.clone(), Arc::clone(together));
                (bounded(&one)?.into_iter()).map(|p| on(p, None)).collect()
            }
            RequestedResource::Own(name) => {
                let own = snapshot.resource_of(file, name).map_err(interrupted)?;
                let own = own.ok_or_else(|| undeclared(name))?;
                (bounded(&own)?.into_iter()).map(|p| on(p, None)).collect()
            }
            RequestedResource::Time(prices, collection) => {
                let time = Resource::Time(Arc::clone(prices));
                let cautious = Resource::CautiousTime(Arc::clone(prices));
                let estimates = bounded(&time)?;
                let cautious = bounded(&cautious)?;
                let mut cells = match collection {
                    None => Vec::new(),
                    Some(c) => bounded(&Resource::alone(c.cells.clone()))?,
                }
                .into_iter();
                (estimates.into_iter().zip(cautious))
                    .map(|(p, c)| ResourceBounds {
                        collected: cells.next().zip(collection.clone()),
                        ..on(p, Some(c))
                    })
                    .collect()
            }
        })
    }
}
