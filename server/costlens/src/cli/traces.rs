//! Spans of commands, requests and queries in the log file, with their durations.

use std::fs::File;
use std::sync::Arc;

use anyhow::Context as _;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt as _;

/// The environment variable that selects the spans to write: `costlens_ide=info`, `salsa=debug`, `off`.
const FILTER: &str = "COSTLENS_LOG";

/// The default filter: everything except salsa's messages about each query.
const DEFAULT_FILTER: &str = "info,salsa=warn";

/// Writes spans to a file from now on. Before this call no span is written, and a span costs only the check of a flag.
///
/// # Errors
/// Fails if the filter is malformed.
pub(super) fn write_to(file: File) -> anyhow::Result<()> {
    let wanted = std::env::var(FILTER).unwrap_or_default();
    let wanted = match wanted.as_str() {
        "" => DEFAULT_FILTER,
        wanted => wanted,
    };
    let filter: Targets = wanted
        .parse()
        .with_context(|| format!("`{FILTER}` is no filter: `{wanted}`"))?;
    let spans = tracing_subscriber::fmt::layer()
        .with_writer(Arc::new(file))
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_filter(filter);
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(spans))?;
    Ok(())
}
