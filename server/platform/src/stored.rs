//! The platforms that ship with Costlens, one file each in `calibration-data/`.

use crate::{MalformedPlatform, Platform, read};

/// The name and text of each file.
const FILES: &[(&str, &str)] = &[
    (
        "padl07-intel.json",
        include_str!("../../../calibration-data/padl07-intel.json"),
    ),
    (
        "padl07-ppc.json",
        include_str!("../../../calibration-data/padl07-ppc.json"),
    ),
    (
        "ppdp08-intel.json",
        include_str!("../../../calibration-data/ppdp08-intel.json"),
    ),
    (
        "ppdp08-n810.json",
        include_str!("../../../calibration-data/ppdp08-n810.json"),
    ),
    (
        "ppdp08-sparc.json",
        include_str!("../../../calibration-data/ppdp08-sparc.json"),
    ),
    (
        "swi-9.0.4-x86_64.json",
        include_str!("../../../calibration-data/swi-9.0.4-x86_64.json"),
    ),
    (
        "swi-9.0.4-O-x86_64.json",
        include_str!("../../../calibration-data/swi-9.0.4-O-x86_64.json"),
    ),
    (
        "gnu-1.4.5-x86_64.json",
        include_str!("../../../calibration-data/gnu-1.4.5-x86_64.json"),
    ),
    (
        "embedded-0.1.0-x86_64.json",
        include_str!("../../../calibration-data/embedded-0.1.0-x86_64.json"),
    ),
];

/// The error for an unknown platform name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no platform is called `{name}`; stored are {}", .stored.join(", "))]
pub struct Missing {
    /// The unknown name.
    pub name: String,
    /// The names of all stored platforms.
    pub stored: Vec<String>,
}

/// Returns all shipped platforms.
///
/// # Errors
/// Returns an error if a file is malformed.
pub fn stored() -> Result<Vec<Platform>, MalformedPlatform> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        all.extend(read(name, text)?);
    }
    Ok(all)
}

/// Returns the platform with this name.
///
/// # Errors
/// Returns an error if there is no such platform.
pub fn find(platforms: &[Platform], name: &str) -> Result<Platform, Missing> {
    platforms
        .iter()
        .find(|p| p.name == name)
        .cloned()
        .ok_or_else(|| Missing {
            name: name.to_owned(),
            stored: platforms.iter().map(|p| p.name.clone()).collect(),
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use costlens_events::Event;

    use super::*;

    #[test]
    fn every_stored_platform_is_read_and_has_a_name_of_its_own() {
        let all = stored().unwrap();
        let names: BTreeSet<&str> = all.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert_eq!(all.len(), 15, "four models on two machines, one on seven");
        for p in &all {
            let calls = ["ppdp08:call", "gnu:call", "call"].map(|name| name.parse().unwrap());
            let priced = |event| p.constants.contains_key(event);
            let is_priced = priced(&Event::Step) || calls.iter().any(priced);
            assert!(is_priced, "{}", p.name);
            assert_eq!(find(&all, &p.name).as_ref(), Ok(p));
        }
        let missing = find(&all, "padl07-intel").unwrap_err();
        assert!(missing.to_string().contains("padl07-intel-2"), "{missing}");
    }
}
