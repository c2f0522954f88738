//! `costlens verify`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use costlens_verify::CheckedClaim as Verdict;

use super::certificate::{self, Compared, NamedTexts};
use super::output::{Log, print};
use super::{CommandOutcome, Format, files, json};
use crate::digest::sha256;

#[derive(Args)]
pub(super) struct Options {
    /// Certificates that `bounds --certificate` wrote.
    #[arg(required = true, value_name = "CERTIFICATE")]
    files: Vec<PathBuf>,
    /// A Prolog file whose current text the certificates must be made from; may be given several times.
    #[arg(long, value_name = "FILE")]
    source: Vec<PathBuf>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let mut outcome = CommandOutcome::Fine;
    let (mut out, mut files) = (String::new(), Vec::new());
    for path in &options.files {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
        let verdicts =
            costlens_verify::verify(&text).map_err(|e| anyhow!("`{name}` cannot be used: {e}"))?;
        let named = certificate::named(&text);
        let sources = (options.source.iter())
            .map(|path| compared(path, &named, log))
            .collect::<anyhow::Result<Vec<Compared>>>()?;
        let verified = verdicts.iter().filter(|v| v.verified.is_ok()).count();
        if verdicts.is_empty() || verified < verdicts.len() || sources.iter().any(|s| !s.is_same) {
            outcome = CommandOutcome::Wrong;
        }
        log.detail(&format!("`{name}`: {} claims", verdicts.len()));
        match options.format {
            Format::Text => {
                out.push_str(&as_text(&name, &verdicts, verified));
                out.push_str(&texts(&named, &sources));
            }
            Format::Json => {
                let shown = json::verify::certificate(&name, &verdicts, &named, &sources);
                files.push(shown);
            }
        }
    }
    if options.format == Format::Json {
        out = json::lines(&json::verify::document(files))?;
    }
    print(&out)?;
    Ok(outcome)
}

fn compared(path: &Path, named: &NamedTexts, log: &Log) -> anyhow::Result<Compared> {
    let source = files::read_file(path, log)?;
    let found = sha256(source.text.as_bytes());
    Ok(Compared {
        file: source.name,
        is_same: named.texts.iter().any(|text| text.sha256 == found),
    })
}

/// Lists the texts from which a certificate was derived, and whether the given files are among them.
fn texts(named: &NamedTexts, sources: &[Compared]) -> String {
    let mut out = String::new();
    for text in &named.texts {
        out.push_str(&format!("  of {}  sha256 {}\n", text.file, text.sha256));
    }
    if let Some(library) = &named.library {
        let version = named.costlens.as_deref().unwrap_or("?");
        let digest = &library.sha256;
        out.push_str(&format!(
            "  with the libraries of Costlens {version}  sha256 {digest}\n"
        ));
    }
    if named.texts.is_empty() {
        out.push_str("  it names no text that it is of\n");
    }
    for source in sources {
        let verb = if source.is_same { "is" } else { "is not" };
        out.push_str(&format!(
            "{}: {verb} a text that the certificate is of\n",
            source.file
        ));
    }
    out
}

/// Formats the claims that are not verified, one per line, and the number of verified claims.
fn as_text(name: &str, verdicts: &[Verdict], verified: usize) -> String {
    if verdicts.is_empty() {
        return format!("{name}: nothing to verify: it has no bounds\n");
    }
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
