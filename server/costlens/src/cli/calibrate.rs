//! `costlens calibrate`: measures what events cost on an engine of this machine, and stores a platform.

mod counted;

use clap::Args;

use super::Outcome;

#[derive(Args)]
pub(super) struct Options {}

pub(super) fn run(_options: &Options) -> anyhow::Result<Outcome> {
    let (shared, calibrators) = costlens_calibrate::calibrators()?;
    let counts = counted::counted(&shared, &calibrators)?;
    let rows: Vec<_> = (calibrators.iter().zip(&counts))
        .map(|(c, counts)| {
            let counts: serde_json::Map<_, _> = (counts.iter())
                .map(|(e, n)| (e.to_string(), serde_json::json!(n)))
                .collect();
            serde_json::json!({"name": c.name, "setup": c.setup, "goal": c.goal, "clauses": c.clauses, "counts": counts})
        })
        .collect();
    super::output::print(&serde_json::json!({"shared": shared, "rows": rows}).to_string())?;
    Ok(Outcome::Fine)
}
