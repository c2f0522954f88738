//! `costlens calibrate`: measures the costs of events on an engine of this machine, and stores a platform.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use clap::Args;
use costlens_algebra::text::decimal;
use costlens_calibrate::{Explored, by_error, errors};
use costlens_engines::Progress;

use super::CommandOutcome;
use super::output::{Log, print};
use super::running::set_on_interrupt;
use crate::calibration::{
    Calibration, CalibrationRequest, Stage, Which, calibrate, processes_have,
};
use crate::report::percent;

#[derive(Args)]
pub(super) struct Options {
    /// The engine.
    #[arg(long, value_enum, default_value = "swi")]
    engine: Which,
    /// The executable of the engine, if it is not on PATH under its usual name.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// A TOML file that describes another engine: `name`, `command` with the word `{file}`, `clock` (a goal that binds T to CPU time) and optionally
    /// `unit`, `version` and `prelude`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "program"])]
    described: Option<PathBuf>,
    /// Use fewer and shorter measurement windows: seconds instead of minutes, but wider intervals.
    #[arg(long)]
    quick: bool,
    /// Also fit the models of PADL'07, one for each subset of its six events, and print their errors.
    #[arg(long)]
    explore: bool,
    /// Start from the beginning instead of resuming a cancelled calibration.
    #[arg(long)]
    fresh: bool,
    /// The file in which the platform is stored. Default: a file in your data folder, where `--platform` finds it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write an HTML page with predicted and measured times, and with the constants and their intervals.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let wish = CalibrationRequest {
        engine: match options.described {
            Some(_) => Which::Described,
            None => options.engine,
        },
        program: options.described.clone().or(options.program.clone()),
        quick: options.quick,
        explore: options.explore,
        fresh: options.fresh,
    };
    let cancel = Arc::new(AtomicBool::new(false));
    set_on_interrupt(&cancel)?;
    let mut tell = |stage: Stage<'_>| {
        match stage {
        Stage::Counting => log.detail("counting events"),
        Stage::Resumed(processes) => log.progress(&format!(
            "going on with what {} measured before the last calibration was cancelled (`--fresh` to begin anew)",
            processes_have(processes)
        )),
        Stage::Measuring(_, Progress::Complete { .. }) => {}
        Stage::Measuring(engine, Progress::Process { number, of }) => {
            log.progress(&format!("{engine}: process {} of {of}", number + 1));
        }
        Stage::Measuring(_, Progress::Failed { workload, reason }) => {
            log.warning(&format!("{workload}: {reason}"));
        }
        Stage::Measuring(_, Progress::Measured { workload, ns, .. }) => {
            log.detail(&format!("{workload}: {ns:.0} ns"));
        }
    }
    };
    let found = calibrate(&wish, &mut tell, &cancel)?;
    let path = found.store(options.out.clone())?;
    if let Some(page) = &options.report {
        std::fs::write(page, found.report()?)
            .with_context(|| format!("cannot write `{}`", page.display()))?;
    }
    print(&summary(&found, &path))?;
    Ok(CommandOutcome::Fine)
}

fn summary(found: &Calibration, path: &Path) -> String {
    let mut out = format!(
        "{}: {} programs, their times explained to {} (root mean square), {} at worst; noise {}\n",
        found.platform.name,
        found.fit.rows.len(),
        percent(found.errors.root_mean_square),
        percent(found.errors.worst),
        percent(found.noise)
    );
    if let Some(factor) = found.platform.factor() {
        out.push_str(&format!(
            "  programs left out of the fit: nine in ten predictions within a factor of {}\n",
            decimal(factor)
        ));
    }
    for (programs, what) in [
        (&found.controls, "control programs"),
        (&found.targets, "runs of the programs of PPDP'08 Table 7"),
    ] {
        if let Some(off) = errors(programs) {
            out.push_str(&format!(
                "  {} {what}, which the fit did not have: {} (root mean square), {} at worst\n",
                programs.len(),
                percent(off.root_mean_square),
                percent(off.worst)
            ));
        }
    }
    for row in by_error(&found.fit.rows).into_iter().take(5) {
        out.push_str(&format!(
            "  {}: {:.0} ns, predicted {:.0} ns ({:+.0}%)\n",
            row.name,
            row.observed,
            row.predicted,
            100.0 * (row.ratio() - 1.0)
        ));
    }
    out.push_str(&models(&found.explored));
    out.push_str(&format!(
        "stored in {}\nhovers and `costlens bounds FILE --resource time` use it from now on\n",
        path.display()
    ));
    out
}

/// Formats the best model of PADL'07 for each number of events.
fn models(all: &[Explored]) -> String {
    let mut out = String::new();
    if !all.is_empty() {
        out.push_str("  models of PADL'07, the best of each number of events (standard error, and error over control programs without built-ins):\n");
    }
    for number in (1..=6).rev() {
        let Some(model) = all.iter().find(|model| model.constants.len() == number) else {
            continue;
        };
        let constants: Vec<String> = (model.constants.iter())
            .map(|(event, ns)| format!("{event} {ns:.1}"))
            .collect();
        let controls = model.controls.map_or_else(String::new, |off| {
            format!(", {}", percent(off.root_mean_square))
        });
        out.push_str(&format!(
            "    {}{controls}: {} ns\n",
            percent(model.standard_error),
            constants.join(", ")
        ));
    }
    out
}
