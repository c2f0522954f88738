//! Describes the measured machine, and the date.

use std::collections::BTreeMap;
use std::time::SystemTime;

use costlens_engines::Version;

use crate::disk::platforms::processor;

/// Returns the processor, the system and the engine, in the format of a platform's file.
pub(super) fn described(version: &Version) -> BTreeMap<String, String> {
    let mut machine = BTreeMap::new();
    let mut say = |key: &str, value: &str| {
        if !value.trim().is_empty() {
            machine.insert(key.to_owned(), value.trim().to_owned());
        }
    };
    say("arch", std::env::consts::ARCH);
    say("system", std::env::consts::OS);
    say("build", &version.build);
    say("flags", &version.flags);
    say("cpu", &processor().unwrap_or_default());
    machine
}

/// Returns the current date: `2026-11-25`.
pub(super) fn today() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.chars().take(10).collect()
}
