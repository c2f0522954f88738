//! `costlens profile`.

pub(in crate::cli) mod checks;
mod inputs;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use costlens_machine::{Every, Plan, Resource};
use costlens_profile::draw::Drawing;
use costlens_profile::search::{Heuristic, Predicate, Tree};
use costlens_profile::stacks::folded;
use costlens_profile::{Profile, resource_name, resource_of};

use self::checks::Checks;
use self::inputs::Inputs;
use super::output::{Log, print};
use super::recording::{Recording, RecordingOptions};
use super::running::{self, Prepared, RunningOptions, set_on_interrupt};
use super::{CommandOutcome, Format, json};
use crate::profiling::engines::{Embedded, Engine, ON_SWI, Profiled, Profiler, Swi};
use crate::profiling::page::Page;
use crate::profiling::running::ProfiledGoal;
use crate::profiling::{Planned, ProfilingRequest, planned, text};

#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    running: RunningOptions,
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    recording: RecordingOptions,
    /// The engine that runs the goal.
    #[arg(long, value_enum, default_value = "embedded")]
    engine: Engine,
    /// On SWI-Prolog: instrument each centre fully, even if analysis shows that less would suffice. The counts are the same.
    #[arg(long)]
    no_optimise: bool,
    /// Check the program's assertions on costs (`cost`, `rel_cost`) that static analysis leaves undecided; the exit code is 1 if one of them is
    /// false.
    #[arg(long, conflicts_with = "auto")]
    check: bool,
    /// With `--check`: also check shares (`rel_cost`) during the run, whenever this many calls to cost centres (`1000`) or this much time (`0.5s`)
    /// have passed.
    #[arg(long, value_name = "CALLS|SECONDSs", value_parser = every, requires = "check")]
    every: Option<Every>,
    /// With `--every`: the weight of earlier measurements at each check, from 0 (ignored) to 1 (the whole run counts).
    #[arg(long, value_name = "WEIGHT", value_parser = weight, default_value_t = 1.0, requires = "every")]
    decay: f64,
    /// The SWI-Prolog executable, if it is not on PATH under its usual name.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// A predicate to use as a cost centre, instead of those that the program declares; may be given several times. Without this option and without
    /// declarations, all predicates of the program are cost centres.
    #[arg(long, value_name = "NAME/ARITY", value_parser = predicate)]
    cost_center: Vec<Predicate>,
    /// Measure only ports and time, which slows the run down less.
    #[arg(long)]
    no_hooks: bool,
    /// On the embedded engine: also profile the clause heads of all predicates, including library predicates and those in Rust. The profile shows how
    /// often each head unified or failed after a call and after a redo, and which choice points were removed by cuts.
    #[arg(long, conflicts_with = "no_hooks")]
    low_level: bool,
    /// The resource for ordering, drawing and searching centres. Default: `steps`, or `time` if steps are not measured.
    #[arg(long, value_name = "NAME", value_parser = resource)]
    resource: Option<Resource>,
    /// Search for the bottleneck with repeated profiles that descend into the most expensive calls.
    #[arg(long)]
    auto: bool,
    #[command(flatten)]
    selection: Selection,
    /// Write the stacks of centres in the folded format of flame graph tools.
    #[arg(long, value_name = "FILE")]
    folded: Option<PathBuf>,
    /// Write a profile for speedscope.
    #[arg(long, value_name = "FILE")]
    speedscope: Option<PathBuf>,
    /// Draw the call graph as SVG; with `--auto`, draw the search tree.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write an HTML page with a flame graph, tables and the call graph.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The called predicates into which `--auto` descends.
#[derive(Args)]
#[group(multiple = false)]
struct Selection {
    /// With `--auto`: descend into this many of the called predicates, the most expensive ones. Default without `--above` and `--together`: 1.
    #[arg(long, value_name = "N", requires = "auto")]
    most: Option<usize>,
    /// With `--auto`: descend into the called predicates that each use more than this percentage of the total.
    #[arg(long, value_name = "PERCENT", requires = "auto")]
    above: Option<f64>,
    /// With `--auto`: descend into the fewest called predicates that together use more than TOTAL percent, but only if they are at most PREDICATES
    /// percent of the program's predicates.
    #[arg(long, value_names = ["PREDICATES", "TOTAL"], num_args = 2, requires = "auto")]
    together: Option<Vec<f64>>,
}

impl Selection {
    fn heuristic(&self) -> Heuristic {
        match (self.most, self.above, self.together.as_deref()) {
            (_, Some(percent), _) => Heuristic::Above(percent),
            (_, _, Some(&[predicates, total])) => Heuristic::Together { predicates, total },
            (most, ..) => Heuristic::Most(most.unwrap_or(1)),
        }
    }
}

fn predicate(text: &str) -> Result<Predicate, String> {
    let parts = text.rsplit_once('/');
    let parsed = parts.and_then(|(name, arity)| Some((name.into(), arity.parse().ok()?)));
    parsed.ok_or_else(|| "a name and an arity are expected: `append/3`".to_owned())
}

fn every(text: &str) -> Result<Every, String> {
    let wrong = || "a number of calls or of seconds is expected: `1000`, `0.5s`".to_owned();
    let Some(seconds) = text.strip_suffix('s') else {
        let calls = text.parse().ok().filter(|&calls| calls > 0);
        return calls.map(Every::Calls).ok_or_else(wrong);
    };
    let seconds = seconds.parse().ok().filter(|s| (1e-6..=1e9).contains(s));
    let time = seconds.map(Duration::from_secs_f64).ok_or_else(wrong)?;
    let nanoseconds = u64::try_from(time.as_nanos()).map_err(|_| wrong())?;
    Ok(Every::Nanoseconds(nanoseconds))
}

fn weight(text: &str) -> Result<f64, String> {
    let weight = text.parse().ok().filter(|w| (0.0..=1.0).contains(w));
    weight.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}

fn resource(text: &str) -> Result<Resource, String> {
    resource_of(text).ok_or_else(|| {
        let names = Resource::ALL.map(resource_name);
        format!("there are {}", names.join(", "))
    })
}

impl Options {
    /// Returns the resource for drawings, or time if that resource was not measured.
    fn measured(&self, profile: &Profile) -> Resource {
        match profile.measured.has(self.resource()) {
            true => self.resource(),
            false => Resource::Time,
        }
    }

    fn resource(&self) -> Resource {
        self.resource.unwrap_or(match self.engine {
            Engine::Embedded if !self.no_hooks => Resource::Steps,
            _ => Resource::Time,
        })
    }
}

impl Options {
    /// Returns the reason why the engine cannot measure the request, if any.
    fn unmeasured(&self, resource: Resource) -> Option<String> {
        if self.engine == Engine::Embedded {
            return None;
        }
        if !self.engine.measures(resource) {
            let names = ON_SWI.map(resource_name);
            return Some(format!("SWI-Prolog measures {}", names.join(", ")));
        }
        if self.low_level {
            let said = "`--low-level` is for the embedded engine: it sees the heads of clauses";
            return Some(said.to_owned());
        }
        let counted = self.running.limit_steps.map(|_| "--limit-steps");
        counted.map(|option| format!("`{option}` is for the embedded engine: SWI-Prolog has none"))
    }

    /// Runs the goal again if the run is to be recorded: a profile counts no blocks, and takes longer.
    fn record(&self, prepared: &Prepared, log: &Log) {
        if !self.recording.is_asked() {
            return;
        }
        let recording = Recording::begin(&self.recording, &self.running, prepared, "profile", log);
        if let Some(recording) = recording {
            let mut machine = prepared.machine.fork();
            machine.forget_counts();
            let ran = prepared.run_on(&mut machine, self.running.all);
            recording.end(&machine, &ran, log);
        }
    }

    /// Returns the implementation of profiles. If the goal is not a term, reports this and returns `None`.
    fn profiler(&self, log: &Log) -> anyhow::Result<Option<Box<dyn Profiler>>> {
        if self.engine == Engine::Swi && self.recording.is_asked() {
            log.warning("the run is not kept: only those of the embedded engine are");
        }
        let read = running::read(&self.running, log)?;
        let Some(calls) = self.inputs.calls(&read.host, read.file, log)? else {
            return Ok(None);
        };
        let goal = ProfiledGoal {
            calls,
            ..self.running.goal(&self.inputs.text())
        };
        Ok(match self.engine {
            Engine::Embedded => running::loaded(&goal, read, true, log).map(|prepared| {
                self.record(&prepared, log);
                Box::new(Embedded::new(prepared, self.running.all)) as Box<dyn Profiler>
            }),
            Engine::Swi => {
                let cancel = Arc::new(AtomicBool::new(false));
                set_on_interrupt(&cancel)?;
                Some(Box::new(Swi::new(
                    &goal,
                    &self.running.file,
                    self.program.as_deref(),
                    read,
                    !self.no_optimise,
                    &cancel,
                )?))
            }
        })
    }
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let resource = options.resource();
    if options.no_hooks && resource != Resource::Time {
        log.error("without hooks only `--resource time` is measured");
        return Ok(CommandOutcome::Unusable);
    }
    if let Some(said) = options.unmeasured(resource) {
        log.error(&said);
        return Ok(CommandOutcome::Unusable);
    }
    let Some(mut profiler) = options.profiler(log)? else {
        return Ok(CommandOutcome::Unusable);
    };
    profiled(options, profiler.as_mut(), log)
}

fn profiled(
    options: &Options,
    profiler: &mut dyn Profiler,
    log: &Log,
) -> anyhow::Result<CommandOutcome> {
    let resource = options.resource();
    let wanted = ProfilingRequest {
        centres: options.cost_center.clone(),
        hooks: !options.no_hooks,
        low_level: options.low_level,
        resource,
        is_chosen: options.resource.is_some(),
        search: options.auto.then(|| options.selection.heuristic()),
    };
    let planned = planned(&wanted, profiler)?;
    for line in planned.warnings() {
        log.warning(&line);
    }
    let Planned {
        mut plan,
        nohooks,
        mut tree,
        named,
        ..
    } = planned;
    let resource = tree.as_ref().map_or(resource, |tree| tree.resource);
    if !plan.events && resource != Resource::Time {
        log.warning("no cost centre has hooks: only ports and time are measured");
    }
    let mut checks = match options.check {
        true => Some(options.checks(profiler, &mut plan, named)?),
        false => None,
    };
    let profiled = profiler.profile(&plan, &nohooks)?;
    if let Some(tree) = &mut tree {
        tree.measure(&profiled.profile);
    }
    if let Some(checks) = &mut checks {
        checks.judge(&profiled.profile, profiler)?;
    }
    for line in profiled.warnings() {
        log.warning(&line);
    }
    write_files(options, &profiled, tree.as_ref(), checks.as_ref())?;
    let tree = tree.as_ref().map(|tree| (tree, resource));
    match options.format {
        Format::Json => print(&json::lines(&json::profile::Document::new(
            options.engine.name(),
            &options.inputs.text(),
            &profiled,
            tree,
            checks.as_ref().map(|checks| &checks.rows[..]),
            options.low_level,
        ))?)?,
        Format::Text => print(&as_text(
            options,
            &profiled,
            tree,
            checks.as_ref(),
            resource,
        ))?,
    }
    Ok(match checks {
        Some(checks) if checks.any_false() => CommandOutcome::Wrong,
        _ => running::outcome(&profiled.ran),
    })
}

/// Formats the run, the search tree, the checked assertions, and the profile.
fn as_text(
    options: &Options,
    profiled: &Profiled,
    tree: Option<(&Tree, Resource)>,
    checks: Option<&Checks>,
    resource: Resource,
) -> String {
    let mut out = profiled.ran.as_text();
    if let Some((tree, resource)) = tree {
        out.push_str(&text::tree(tree, resource));
    }
    if let Some(checks) = checks {
        out.push_str(&checks.text());
    }
    out.push_str(&text::profile(&profiled.profile, resource));
    if options.low_level {
        out.push('\n');
        out.push_str(&text::heads(&profiled.profile, resource));
    }
    out
}

impl Options {
    /// Prepares the checks of assertions. Cost centres that they mention are added to the plan.
    fn checks(
        &self,
        profiler: &mut dyn Profiler,
        plan: &mut Plan,
        is_named: bool,
    ) -> anyhow::Result<Checks> {
        let mut known = Checks::new(profiler)?;
        let asserted = known.of_run();
        // Shares are asserted for cost centres; unless centres are named, those mentioned in assertions are used.
        if !is_named && !asserted.is_empty() {
            plan.predicates = asserted;
        } else {
            let named = plan.predicates.clone();
            let more = asserted.into_iter().filter(|p| !named.contains(p));
            plan.predicates.extend(more);
        }
        if let Some(every) = self.every {
            let periodic = Arc::new(Mutex::new(known.periodic(self.decay)));
            profiler.check_shares(every, Arc::clone(&periodic));
            known.looking = Some(periodic);
        }
        Ok(known)
    }
}

/// Writes the files for other programs.
fn write_files(
    options: &Options,
    profiled: &Profiled,
    tree: Option<&Tree>,
    checks: Option<&Checks>,
) -> anyhow::Result<()> {
    let profile = &profiled.profile;
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
    };
    if let Some(path) = &options.folded {
        write(path, folded(profile, options.resource()))?;
    }
    if let Some(path) = &options.speedscope {
        let file = json::speedscope::File::new(&options.inputs.text(), profile);
        write(path, json::lines(&file)?)?;
    }
    let drawing = || match tree {
        Some(tree) => Drawing::of_tree(tree),
        None => Drawing::of_profile(profile, options.resource()),
    };
    if let Some(path) = &options.svg {
        write(path, drawing().svg())?;
    }
    if let Some(path) = &options.html {
        let page = Page {
            goal: &options.inputs.text(),
            summary: &profiled.summary(options.engine, None),
            profile,
            resource: options.measured(profile),
            drawing: &drawing(),
            checks: &checks.map_or_else(Vec::new, |checks| checks.lines()),
        };
        write(path, page.html())?;
    }
    Ok(())
}
