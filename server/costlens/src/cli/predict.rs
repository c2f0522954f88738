//! `costlens predict`.

use std::path::PathBuf;

use clap::Args;
use costlens_ide::resources::prices;

use super::output::{Log, print};
use super::sizes::{SizeList, parse_at};
use super::{CommandOutcome, Format, json, resources, running};
use crate::disk;
use crate::prediction::{self, Predicted, PredictionRequest, Unpredictable};

#[derive(Args)]
pub(super) struct Options {
    /// The program, which is not run.
    file: PathBuf,
    /// The call, as at a prompt: `nrev([1,2,3], X)`.
    #[arg(long, short)]
    goal: String,
    /// Predict the search for all solutions, not only the first.
    #[arg(long)]
    all: bool,
    /// Values of parameters of the bounds: `facts(par/2)=50` or `par=50`. Default for the number of facts of a predicate: the clauses in its
    /// file.
    #[arg(long, value_name = "VALUES", value_parser = |s: &str| parse_at(s).map(SizeList))]
    at: Option<SizeList>,
    /// The file of past runs. Default: `.costlens/history.db` in the workspace.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// The platform for bounds on time; `costlens platforms` lists the platforms.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let platform = resources::platform(options.platform.as_deref())?;
    let read = running::read_file(&options.file, log)?;
    let wish = PredictionRequest {
        goal: &options.goal,
        all: options.all,
        history: match &options.history {
            Some(path) => path.clone(),
            None => disk::history::wanted(&options.file),
        },
        named: options.history.is_some(),
        at: options.at.as_ref().map_or(&[], |at| &at.0),
        prices: platform.as_ref().map(prices),
    };
    let Predicted { report, warnings } = match prediction::predict_call(&read, &wish) {
        Err(error) if error.is::<Unpredictable>() => {
            log.error(&error.to_string());
            return Ok(CommandOutcome::Unusable);
        }
        other => other?,
    };
    for warning in &warnings {
        log.warning(warning);
    }
    match options.format {
        Format::Json => print(&json::lines(&json::predict::Document::new(
            &options.goal,
            &report,
        ))?)?,
        Format::Text => print(&prediction::text::format_report(&report))?,
    }
    Ok(CommandOutcome::Fine)
}
