//! What has to hold of any text.
//!
//! Each module is one property: a function of bytes that panics where the property fails. `fuzz_targets` gives each to libFuzzer,
//! `tests/replay.rs` runs them on the seeds and on random changes of these in a plain test. Nothing here depends on time or chance,
//! so a file that fails once fails again.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod analysis;
pub mod assertions;
pub mod edits;
pub mod expressions;
pub mod input;
pub mod reader;
pub mod verdicts;

/// A property of bytes; it panics where it does not hold.
pub type Property = fn(&[u8]);

/// Every target: its name, which is that of its folder of seeds too, its property, and the longest input that is worth trying.
pub const TARGETS: &[(&str, Property, usize)] = &[
    ("reader", reader::holds, 4_096),
    ("edits", edits::holds, 2_048),
    ("assertions", assertions::holds, 1_024),
    ("expressions", expressions::holds, 512),
    ("verdicts", verdicts::holds, 96),
    ("analysis", analysis::holds, 768),
];

/// A target as a program of its own, without a fuzzer: runs the files that the command line names.
///
/// # Errors
/// Where a file cannot be read.
pub fn replay(property: Property) -> std::io::Result<()> {
    for file in std::env::args_os().skip(1) {
        property(&std::fs::read(file)?);
    }
    Ok(())
}

/// The program of a target: libFuzzer's where the build is for fuzzing, else [`replay`].
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
