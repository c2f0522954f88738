//! The properties that must hold for any text.
//!
//! Each module is one property: a function of bytes that panics if the property fails. `fuzz_targets` passes each to libFuzzer,
//! `tests/replay.rs` runs them on the seeds and on random changes of these in a plain test. Nothing here depends on time or on random
//! numbers, so a file that fails once fails again.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod analysis;
pub mod assertions;
pub mod edits;
pub mod expressions;
pub mod input;
pub mod reader;
pub mod verdicts;

/// A property of bytes, which panics if it does not hold.
pub type Property = fn(&[u8]);

/// All targets: the name, which is also that of its folder of seeds, the property, and the longest input that is worth trying.
pub const TARGETS: &[(&str, Property, usize)] = &[
    ("reader", reader::holds, 4_096),
    ("edits", edits::holds, 2_048),
    ("assertions", assertions::holds, 1_024),
    ("expressions", expressions::holds, 512),
    ("verdicts", verdicts::holds, 96),
    ("analysis", analysis::holds, 768),
];

/// Runs a target as a program of its own, without a fuzzer, on the files given on the command line.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn replay(property: Property) -> std::io::Result<()> {
    for file in std::env::args_os().skip(1) {
        property(&std::fs::read(file)?);
    }
    Ok(())
}

/// Defines the program of a target: libFuzzer's if the build is for fuzzing, otherwise [`replay`].
#[macro_export]
macro_rules! target {
    ($property:path) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $property(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::replay($property)
        }
    };
}
