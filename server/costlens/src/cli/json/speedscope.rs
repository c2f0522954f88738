//! A profile in the format of speedscope (<https://www.speedscope.app/file-format-schema.json>).

use costlens_machine::Resource;
use costlens_profile::stacks::stacks;
use costlens_profile::{Profile, resource_name};
use serde::Serialize;

/// The file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct File {
    #[serde(rename = "$schema")]
    schema: &'static str,
    exporter: &'static str,
    name: String,
    active_profile_index: usize,
    shared: Shared,
    profiles: Vec<Sampled>,
}

#[derive(Serialize)]
struct Shared {
    frames: Vec<Frame>,
}

#[derive(Serialize)]
struct Frame {
    name: String,
}

/// Stacks with weights, not in chronological order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sampled {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'static str,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    /// Indices of frames, the outermost first.
    samples: Vec<Vec<usize>>,
    weights: Vec<u64>,
}

impl File {
    pub(in crate::cli) fn new(goal: &str, profile: &Profile) -> Self {
        let mut profiles = vec![sampled(profile, Resource::Time, "nanoseconds")];
        let events = [Resource::Steps, Resource::HeapCells, Resource::Instructions];
        let events = events.into_iter().filter(|&r| profile.measured.has(r));
        profiles.extend(events.map(|r| sampled(profile, r, "none")));
        let names = profile.rows.iter().map(|row| row.name.clone());
        File {
            schema: "https://www.speedscope.app/file-format-schema.json",
            exporter: concat!("costlens ", env!("CARGO_PKG_VERSION")),
            name: goal.to_owned(),
            active_profile_index: 0,
            shared: Shared {
                frames: names.map(|name| Frame { name }).collect(),
            },
            profiles,
        }
    }
}

fn sampled(profile: &Profile, resource: Resource, unit: &'static str) -> Sampled {
    let (samples, weights): (Vec<_>, Vec<u64>) = stacks(profile, resource).into_iter().unzip();
    Sampled {
        kind: "sampled",
        name: resource_name(resource),
        unit,
        start_value: 0,
        end_value: weights.iter().sum(),
        samples,
        weights,
    }
}
