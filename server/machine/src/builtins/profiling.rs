//! Predicates with which a program controls the measured part of its run; see `activations/measuring.rs`.

use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};

pub(crate) const TABLE: &[Entry] = &[
    ("profile_reset", 0, |m, _| {
        m.reset_profile();
        Ok(true)
    }),
    ("profile_dump", 0, dump),
    ("$profile_in", 0, |m, _| {
        m.enter_measured();
        Ok(true)
    }),
    ("$profile_out", 0, |m, _| {
        m.leave_measured();
        Ok(true)
    }),
];

fn dump(machine: &mut Machine, _: &[Cell]) -> Result<bool, Throw> {
    if let Some(text) = machine.dumped() {
        machine.write(&text)?;
    }
    Ok(true)
}
