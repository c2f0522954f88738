//! The resources that a validation counts.

use costlens_events::Event;

use crate::cli::resources::{NamedResource, machine_events, parse_resource};

/// The resources to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CountedResources {
    All,
    One(Event),
}

/// Returns the resource with this name, if runs count it.
pub(super) fn counted(name: &str) -> Result<CountedResources, String> {
    if name == "all" {
        return Ok(CountedResources::All);
    }
    match parse_resource(name)? {
        NamedResource::Event(event) if is_counted(&event) => Ok(CountedResources::One(event)),
        _ => Err(format!(
            "runs do not count `{name}`: expected `steps`, `head_unifications`, an instruction of the machine such as `get_list`, or `all`"
        )),
    }
}

fn is_counted(event: &Event) -> bool {
    matches!(
        event,
        Event::Step | Event::HeadUnification | Event::Machine(..)
    )
}

/// Returns the distinct events of all requested resources.
pub(super) fn events(wanted: &[CountedResources]) -> Vec<Event> {
    let mut found: Vec<Event> = Vec::new();
    let wanted = match wanted {
        [] => &[CountedResources::One(Event::Step)],
        wanted => wanted,
    };
    for one in wanted {
        let events: Vec<Event> = match one {
            CountedResources::All => machine_events(),
            CountedResources::One(event) => vec![event.clone()],
        };
        for event in events {
            if !found.contains(&event) {
                found.push(event);
            }
        }
    }
    found
}
