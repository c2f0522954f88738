//! The inputs of a profile: the given goal, or generated calls.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use costlens_analysis::report::Functor;
use costlens_ide::host::{File, Host};
use costlens_machine::generate::Input;
use costlens_profile::search::Predicate;

use crate::cli::interrupted;
use crate::cli::output::Log;

/// The goal, or the predicate whose calls are generated.
#[derive(Args)]
pub(super) struct Inputs {
    /// The goal, as at a prompt: `nrev([1,2,3], X)`.
    #[arg(long, short, required_unless_present = "generate")]
    goal: Option<String>,
    /// With `--check`, instead of a goal: generate calls of this predicate with growing sizes, matching its declared or known call patterns.
    #[arg(long, value_name = "NAME/ARITY", value_parser = super::predicate, requires = "check", conflicts_with = "goal")]
    generate: Option<Predicate>,
    /// With `--generate`: the number of calls.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "generate", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    inputs: usize,
    /// With `--generate`: the size of the largest call.
    #[arg(long, value_name = "SIZE", default_value_t = 50, requires = "generate")]
    largest: u32,
    /// With `--generate`: the random seed; the same seed generates the same calls. Default: a seed from the clock, which is printed.
    #[arg(long, value_name = "N", requires = "generate")]
    seed: Option<u64>,
}

impl Inputs {
    /// Returns the goal, or a description of the generated calls.
    pub(super) fn text(&self) -> String {
        match (&self.goal, &self.generate) {
            (Some(goal), _) => goal.clone(),
            (None, Some((name, arity))) => format!("{} calls of {name}/{arity}", self.inputs),
            (None, None) => String::new(),
        }
    }

    /// Generates calls for a program, and reports this; returns no calls if there is a goal. If no calls can be generated, reports this and
    /// returns `None`.
    pub(super) fn calls(
        &self,
        host: &Host,
        file: File,
        log: &Log,
    ) -> anyhow::Result<Option<Vec<Input>>> {
        let Some((name, arity)) = &self.generate else {
            return Ok(Some(Vec::new()));
        };
        let predicate = Functor::new(name.clone(), *arity);
        let seed = self.seed.unwrap_or_else(by_the_clock);
        let found = (host.snapshot()).calls(file, &predicate, self.inputs, self.largest, seed);
        match found.map_err(interrupted)? {
            Ok(found) => {
                let (count, largest) = (found.calls.len(), self.largest);
                log.progress(&format!(
                    "{count} calls of {} up to size {largest}, `--seed {seed}`",
                    found.pattern
                ));
                Ok(Some(found.calls))
            }
            Err(reason) => {
                log.error(&reason.to_string());
                Ok(None)
            }
        }
    }
}

/// Returns a seed from the clock that is short enough to be typed.
fn by_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| u64::from(now.subsec_nanos()) % 1_000_000)
}
