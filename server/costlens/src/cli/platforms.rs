//! `costlens platforms`.

use clap::Args;
use costlens_algebra::text::decimal;
use costlens_ide::present::markup::aligned;
use costlens_platform::Platform;

use super::output::{Log, print};
use super::{CommandOutcome, Format, json};

#[derive(Args)]
pub(super) struct Options {
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let (all, unusable) = crate::disk::platforms::list();
    for sentence in &unusable {
        log.warning(sentence);
    }
    match options.format {
        Format::Json => print(&json::lines(&json::platforms::document(&all))?)?,
        Format::Text => print(&as_text(&all))?,
    }
    Ok(CommandOutcome::Fine)
}

fn as_text(all: &[Platform]) -> String {
    let mut out = String::new();
    for p in all {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!(
            "{}  {} ({}), {}\n",
            p.name, p.engine, p.source, p.date
        ));
        let machine: Vec<&str> = p.machine.values().map(String::as_str).collect();
        out.push_str(&format!("  {}\n", machine.join("; ")));
        let rows: Vec<Vec<String>> = (p.constants.iter())
            .map(|(event, c)| {
                let ns = format!("{} ns", decimal(&c.ns));
                let range = if c.low == c.high {
                    String::new()
                } else {
                    format!("{} to {}", decimal(&c.low), decimal(&c.high))
                };
                vec![event.to_string(), ns, range]
            })
            .collect();
        out.push_str(&aligned(&rows, "    "));
        for (what, error) in &p.errors {
            out.push_str(&format!("    {what}: {}\n", decimal(error)));
        }
    }
    out
}
