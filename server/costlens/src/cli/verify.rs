//! `costlens verify`.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;
use costlens_verify::Outcome as Verdict;

use super::output::{Log, print};
use super::{Format, Outcome, json};

#[derive(Args)]
pub(super) struct Options {
    /// Certificates that `bounds --certificate` wrote.
    #[arg(required = true, value_name = "CERTIFICATE")]
    files: Vec<PathBuf>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Fine;
    let (mut out, mut files) = (String::new(), Vec::new());
    for path in &options.files {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
        let verdicts =
            costlens_verify::verify(&text).map_err(|e| anyhow!("`{name}` cannot be used: {e}"))?;
        let verified = verdicts.iter().filter(|v| v.verified.is_ok()).count();
        if verified < verdicts.len() {
            outcome = Outcome::Wrong;
        }
        log.detail(&format!("`{name}`: {} claims", verdicts.len()));
        match options.format {
            Format::Text => out.push_str(&as_text(&name, &verdicts, verified)),
            Format::Json => files.push(json::verify::certificate(&name, &verdicts)),
        }
    }
    if options.format == Format::Json {
        out = json::lines(&json::verify::document(files))?;
    }
    print(&out)?;
    Ok(outcome)
}

/// The claims that are not verified, a line each, and the number of those that are.
fn as_text(name: &str, verdicts: &[Verdict], verified: usize) -> String {
    let mut out = String::new();
    for v in verdicts {
        if let Err(why) = &v.verified {
            let (system, name, claim) = (v.system, &v.name, &v.claim);
            out.push_str(&format!(
                "not verified: system {system}, {name}: {claim}: {why}\n"
            ));
        }
    }
    out.push_str(&format!(
        "{name}: {verified} of {} bounds verified\n",
        verdicts.len()
    ));
    out
}
