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
use costlens_profile::page::Page;
use costlens_profile::search::{Heuristic, Predicate, Tree};
use costlens_profile::stacks::folded;
use costlens_profile::{Profile, resource_name, resource_of};

use self::checks::Checks;
use self::inputs::Inputs;
use super::output::{Log, print};
use super::recording::{Recording, RecordingOptions};
use super::running::{self, Prepared, RunningOptions, set_on_interrupt};
use super::{Format, Outcome, json};
use crate::profiling::engines::{Embedded, Engine, ON_SWI, Profiled, Profiler, Swi};
use crate::profiling::running::Goal;
use crate::profiling::{Planned, Wanted, planned, text};

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
    /// Instrument each centre in full, whatever is known of it. On SWI-Prolog; the counts are the same.
    #[arg(long)]
    no_optimise: bool,
    /// Check what the program's assertions say of costs and static analysis leaves undecided (`cost`, `rel_cost`): the exit code is 1 where one
    /// is false.
    #[arg(long, conflicts_with = "auto")]
    check: bool,
    /// With `--check`: check shares (`rel_cost`) during the run as well, after so many calls of cost centres (`1000`) or so much time (`0.5s`).
    #[arg(long, value_name = "CALLS|SECONDSs", value_parser = every, requires = "check")]
    every: Option<Every>,
    /// With `--every`: the weight that what was measured before a check has at the next one, from 0 (forgotten) to 1 (the whole run adds up).
    #[arg(long, value_name = "WEIGHT", value_parser = weight, default_value_t = 1.0, requires = "every")]
    decay: f64,
    /// The program of SWI-Prolog, where it is not on PATH under its own name.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// A predicate that is a cost centre, instead of those that the program declares; may be given several times. Where neither says
    /// anything, all predicates of the program are.
    #[arg(long, value_name = "NAME/ARITY", value_parser = predicate)]
    cost_center: Vec<Predicate>,
    /// Measure only ports and time, which slows the run down less.
    #[arg(long)]
    no_hooks: bool,
    /// Follow the heads of clauses as well, of all predicates, those of libraries and in Rust included: how often each was unified or failed after a
    /// call and after a redo, and which choice points cuts removed. On the embedded engine.
    #[arg(long, conflicts_with = "no_hooks")]
    low_level: bool,
    /// The resource by which centres are ordered, drawn and searched. Without it: `steps`, or `time` where steps are not measured.
    #[arg(long, value_name = "NAME", value_parser = resource)]
    resource: Option<Resource>,
    /// Search for the bottleneck: profile after profile, down the calls that use most.
    #[arg(long)]
    auto: bool,
    #[command(flatten)]
    selection: Selection,
    /// Write the stacks of centres in lines that tools for flame graphs read.
    #[arg(long, value_name = "FILE")]
    folded: Option<PathBuf>,
    /// Write a profile for speedscope.
    #[arg(long, value_name = "FILE")]
    speedscope: Option<PathBuf>,
    /// Draw who calls whom; with `--auto` the tree that was found.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page: flame graph, tables, the graph of calls.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The centres that `--auto` goes down to.
#[derive(Args)]
#[group(multiple = false)]
struct Selection {
    /// With `--auto`: so many of the called predicates, those that use most. Without any of the three: one.
    #[arg(long, value_name = "N", requires = "auto")]
    most: Option<usize>,
    /// With `--auto`: those that use more than this percentage of the total.
    #[arg(long, value_name = "PERCENT", requires = "auto")]
    above: Option<f64>,
    /// With `--auto`: no more than a percentage of the program's predicates, which together use more than a percentage of the total.
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
        Ok(match self.engine {
            Engine::Embedded => {
                let read = running::read(&self.running, log)?;
                let Some(calls) = self.inputs.calls(&read.host, read.file, log)? else {
                    return Ok(None);
                };
                let goal = Goal {
                    calls,
                    ..self.running.goal(&self.inputs.text())
                };
                let prepared = running::loaded(&goal, read, true, log);
                prepared.map(|prepared| {
                    self.record(&prepared, log);
                    Box::new(Embedded::new(prepared, self.running.all)) as Box<dyn Profiler>
                })
            }
            Engine::Swi => {
                if self.recording.is_asked() {
                    log.warning("the run is not kept: only those of the embedded engine are");
                }
                let read = running::read(&self.running, log)?;
                let Some(calls) = self.inputs.calls(&read.host, read.file, log)? else {
                    return Ok(None);
                };
                let goal = Goal {
                    calls,
                    ..self.running.goal(&self.inputs.text())
                };
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

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let resource = options.resource();
    if options.no_hooks && resource != Resource::Time {
        log.error("without hooks only `--resource time` is measured");
        return Ok(Outcome::Unusable);
    }
    if let Some(said) = options.unmeasured(resource) {
        log.error(&said);
        return Ok(Outcome::Unusable);
    }
    let Some(mut profiler) = options.profiler(log)? else {
        return Ok(Outcome::Unusable);
    };
    profiled(options, profiler.as_mut(), log)
}

fn profiled(options: &Options, profiler: &mut dyn Profiler, log: &Log) -> anyhow::Result<Outcome> {
    let resource = options.resource();
    let wanted = Wanted {
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
        Some(checks) if checks.any_false() => Outcome::Wrong,
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
