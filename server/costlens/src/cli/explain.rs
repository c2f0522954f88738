//! `costlens explain`.

use std::path::PathBuf;

use clap::Args;
use costlens_analysis::report::{Explanation, PredicateName};
use costlens_ide::bounds::PredicateBounds;
use costlens_ide::explain::Explained;
use costlens_ide::host::Host;
use costlens_ide::markdown::indicator;
use costlens_ide::present::{
    determinism_text, hint_text, origin_sentence, pattern_head, size_meaning,
};
use serde_json::{Value, json};

use super::bounds::interrupted;
use super::output::{Log, print};
use super::sizes::parse_indicator;
use super::{Format, Outcome, files, json};
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// The file that defines the predicate.
    file: PathBuf,
    /// The predicate.
    #[arg(value_name = "NAME/ARITY", value_parser = parse_indicator)]
    predicate: PredicateName,
    /// How results are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let source = files::read_file(&options.file, log)?;
    let mut host = Host::new();
    let file = host.open(&source.name, &source.text);
    let found = (host.snapshot())
        .explain(file, &options.predicate)
        .map_err(interrupted)?;
    let Some(found) = found else {
        let what = indicator(&options.predicate);
        log.error(&format!("`{}` does not define `{what}`", source.name));
        return Ok(Outcome::Unusable);
    };
    match options.format {
        Format::Text => print(&as_text(&found.bounds))?,
        Format::Json => {
            let lines = LineIndex::new(&source.text);
            let line = lines
                .position(&source.text, found.bounds.offset, Encoding::Utf8)
                .0
                + 1;
            print(&json::lines(&as_json(&source.name, line, &found)))?;
        }
    }
    Ok(Outcome::Fine)
}

/// The parts of an explanation under their titles.
fn parts(e: &Explanation) -> [(&'static str, &[String]); 6] {
    [
        ("pattern", &e.pattern),
        ("cases", &e.cases),
        ("sizes", &e.sizes),
        ("equations", &e.equations),
        ("solution", &e.solution),
        ("verification", &e.verification),
    ]
}

fn as_text(p: &PredicateBounds) -> String {
    let mut out = format!("{}\n", indicator(&p.report.predicate));
    if p.report.patterns.is_empty() {
        out.push_str("\n  no call pattern is known\n");
    }
    for report in &p.report.patterns {
        let head = pattern_head(&p.report.predicate.name, &report.pattern, &p.arguments);
        out.push_str(&format!(
            "\n{head} is {}\n  call pattern {}\n",
            determinism_text(report.determinism),
            origin_sentence(report.origin)
        ));
        for s in &report.sizes {
            out.push_str(&format!("  {}\n", size_meaning(s, &p.arguments)));
        }
        if let Some((_, label)) = hint_text(report) {
            out.push_str(&format!("  cost: {label}\n"));
        }
        for (title, lines) in parts(&report.explanation) {
            if lines.is_empty() {
                continue;
            }
            out.push_str(&format!("\n  {title}\n"));
            for line in lines.iter().flat_map(|l| l.lines()) {
                out.push_str(&format!("    {line}\n"));
            }
        }
        for u in &report.unknown {
            out.push_str(&format!(
                "\n  unknown: in {}, {}. {}\n",
                indicator(&u.cause),
                u.reason.trim_end_matches('.'),
                u.help
            ));
        }
        for line in &report.rests_on {
            out.push_str(&format!("\n  rests on trust: {line}\n"));
        }
    }
    out
}

fn as_json(file: &str, line: usize, found: &Explained) -> Value {
    let p = &found.bounds;
    let mut value = json::predicate(file, &found.module, line, p, None);
    let explanations = p.report.patterns.iter().map(|r| {
        let fields = parts(&r.explanation)
            .into_iter()
            .map(|(title, lines)| (title.to_owned(), json!(lines)));
        json::object(fields)
    });
    if let Some(patterns) = value["patterns"].as_array_mut() {
        for (pattern, explanation) in patterns.iter_mut().zip(explanations) {
            pattern["explanation"] = explanation;
        }
    }
    json!({"schema": json::SCHEMA, "platform": null, "predicate": value})
}
