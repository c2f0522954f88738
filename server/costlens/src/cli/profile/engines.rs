//! The implementations of profiles: the embedded machine, and SWI-Prolog, which runs the program transformed.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::ValueEnum;
use costlens_engines::SwiProlog;
use costlens_engines::profiled::{self, Ended, Known, Observed, Wish};
use costlens_events::code::{Comparison, TypeTest};
use costlens_ide::host::{File, Host};
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{
    Amounts, Centre, CentreName, CentrePorts, Edge, Enter, Leave, Limit, Measured, Node, Pair,
    Plan, Resource,
};
use costlens_profile::checks::{CallChecks, Seen};
use costlens_profile::search::Predicate;
use costlens_profile::{Fact, Profile, known, portable};
use smol_str::SmolStr;

use crate::cli::running::{Prepared, Ran, Read, RunningOptions};

/// The engines that profiles are taken on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// The machine inside Costlens.
    Embedded,
    /// SWI-Prolog: the program runs there, transformed, with its files, libraries and modules.
    Swi,
}

impl Engine {
    pub(super) fn name(self) -> &'static str {
        match self {
            Engine::Embedded => "embedded",
            Engine::Swi => "swi",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Engine::Embedded => "the embedded machine",
            Engine::Swi => "SWI-Prolog",
        }
    }
}

/// The resources that are measured on SWI-Prolog, in the order of the answer.
pub(super) const ON_SWI: [Resource; profiled::RESOURCES] = [
    Resource::Time,
    Resource::Cuts,
    Resource::UselessCuts,
    Resource::Skips,
];

/// A profile of the goal, and how its run ended.
pub(super) struct Profiled {
    pub(super) profile: Profile,
    pub(super) ran: Ran,
    /// Predicates that cannot be centres.
    pub(super) refused: Vec<Predicate>,
    /// The engine's objection to the program.
    pub(super) said: Vec<String>,
}

/// Takes profiles of one goal of one program.
pub(super) trait Profiler {
    fn program(&self) -> &Runnable;

    /// The program as static analysis knows it.
    fn host(&self) -> (&Host, File);

    /// Runs the goal once more, and checks its calls; none on an engine where single calls are not checked.
    ///
    /// # Errors
    /// The goal could not be run.
    fn observe(&self, plan: &Plan, checks: CallChecks) -> anyhow::Result<Option<Vec<Seen>>>;

    /// Takes a profile. No run sees what another one has changed. Events are not shown of the centres named in `nohooks`.
    ///
    /// # Errors
    /// Nothing was measured.
    fn profile(&self, plan: &Plan, nohooks: &[CentreName]) -> anyhow::Result<Profiled>;
}

/// The embedded machine.
pub(super) struct Embedded {
    pub(super) prepared: Prepared,
    pub(super) all: bool,
}

/// The clock of profiles.
fn nanoseconds() -> u64 {
    static BEGINNING: OnceLock<Instant> = OnceLock::new();
    let elapsed = BEGINNING.get_or_init(Instant::now).elapsed();
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

impl Profiler for Embedded {
    fn program(&self) -> &Runnable {
        &self.prepared.program
    }

    fn host(&self) -> (&Host, File) {
        (&self.prepared.host, self.prepared.file)
    }

    fn observe(&self, plan: &Plan, checks: CallChecks) -> anyhow::Result<Option<Vec<Seen>>> {
        let mut machine = self.prepared.machine.fork();
        machine.profile(plan, nanoseconds);
        let checks = Arc::new(Mutex::new(checks));
        machine.observe(checks.clone());
        self.prepared.run_on(&mut machine, self.all);
        let checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(checks.seen().to_vec()))
    }

    fn profile(&self, plan: &Plan, nohooks: &[CentreName]) -> anyhow::Result<Profiled> {
        let mut machine = self.prepared.machine.fork();
        let refused = machine.profile(plan, nanoseconds);
        let ran = self.prepared.run_on(&mut machine, self.all);
        let measured = machine.measured();
        let measured = measured.ok_or_else(|| anyhow!("no profile was taken"))?;
        Ok(Profiled {
            profile: Profile::new(measured, nohooks),
            ran,
            refused,
            said: Vec::new(),
        })
    }
}

/// SWI-Prolog.
pub(super) struct Swi {
    engine: SwiProlog,
    read: Read,
    wish: Wish,
    cancel: Arc<AtomicBool>,
}

impl Swi {
    /// For a program that was read.
    ///
    /// # Errors
    /// The file has no path, or signals cannot be heard.
    pub(super) fn new(
        options: &RunningOptions,
        program: Option<&Path>,
        read: Read,
        optimise: bool,
    ) -> anyhow::Result<Self> {
        let mut engine = SwiProlog::new(false);
        if let Some(program) = program {
            engine.program = program.into();
        }
        let cancel = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&cancel))?;
        signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&cancel))?;
        let (mut texts, mut facts) = (Vec::new(), Vec::new());
        for part in &read.program.parts {
            facts.extend(known(&part.text, &part.terms).into_iter().map(as_known));
            if let Some(text) = portable(&part.text, &part.terms) {
                texts.push((PathBuf::from(&part.name).canonicalize()?, text));
            }
        }
        let wish = Wish {
            file: options.file.canonicalize()?,
            goal: options.goal.clone(),
            all: options.all,
            seconds: options.limit_time,
            megabytes: options.limit_memory,
            texts,
            optimise,
            known: facts,
            tests: tests(),
            ..Wish::default()
        };
        Ok(Swi {
            engine,
            read,
            wish,
            cancel,
        })
    }
}

fn as_known((name, arity, fact): (SmolStr, usize, Fact)) -> Known {
    Known {
        name: name.into(),
        arity,
        fact: match fact {
            Fact::NoChoicePoint => "no_choicepoint",
            Fact::NotFails => "not_fails",
        },
    }
}

/// The tests that a condition can consist of without being a choice for the embedded machine.
fn tests() -> Vec<(String, usize)> {
    let types = TypeTest::ALL.map(|test| (test.predicate(), 1));
    let comparisons = Comparison::ALL
        .into_iter()
        .flat_map(|c| [c.arithmetic_predicate(), c.term_predicate()].map(|name| (name, 2)));
    let all = types.into_iter().chain(comparisons).chain([
        ("\\=", 2),
        ("true", 0),
        ("fail", 0),
        ("false", 0),
    ]);
    all.map(|(name, arity)| (name.to_owned(), arity)).collect()
}

impl Profiler for Swi {
    fn program(&self) -> &Runnable {
        &self.read.program
    }

    fn host(&self) -> (&Host, File) {
        (&self.read.host, self.read.file)
    }

    fn observe(&self, _: &Plan, _: CallChecks) -> anyhow::Result<Option<Vec<Seen>>> {
        Ok(None)
    }

    fn profile(&self, plan: &Plan, nohooks: &[CentreName]) -> anyhow::Result<Profiled> {
        let centres = plan.predicates.iter();
        let wish = Wish {
            centres: centres
                .map(|(name, arity)| (name.to_string(), *arity))
                .collect(),
            literals: plan.literals,
            events: plan.events,
            ..self.wish.clone()
        };
        let observed = self.engine.profile(&wish, &self.cancel)?;
        let refused = observed.refused.iter();
        let mut said: Vec<String> = observed.said.lines().map(str::to_owned).collect();
        said.extend(observed.unbalanced.iter().map(|(name, arity)| {
            format!("`{name}/{arity}` is trusted not to fail, and has failed: its numbers are wrong (`--no-optimise` measures it)")
        }));
        Ok(Profiled {
            refused: refused.map(|(name, arity)| (name.into(), *arity)).collect(),
            said,
            ran: ran(&observed),
            profile: Profile::new(measured(&observed, plan.events), nohooks),
        })
    }
}

fn ran(observed: &Observed) -> Ran {
    let (result, limit, exception) = match &observed.ended {
        Ended::Success => ("success", None, None),
        Ended::Failure => ("failure", None, None),
        Ended::Exception(term) => ("exception", None, Some(term.clone())),
        Ended::Halt => ("exception", None, Some("halt".to_owned())),
        Ended::Time => ("limit", Some(Limit::Time), None),
        Ended::Memory => ("limit", Some(Limit::Memory), None),
    };
    Ran {
        result,
        limit,
        bindings: observed.solutions.clone(),
        exception,
        elapsed: Duration::from_nanos(observed.elapsed),
        output: observed.output.clone(),
    }
}

fn amounts(used: [u64; profiled::RESOURCES]) -> Amounts {
    let mut amounts = Amounts::default();
    for (resource, amount) in ON_SWI.into_iter().zip(used) {
        amounts.add_amount(resource, amount);
    }
    amounts
}

/// The measurements of SWI-Prolog, as the machine gives its own.
fn measured(observed: &Observed, events: bool) -> Measured {
    let numbers: Vec<usize> = observed.centres.iter().map(|c| c.number).collect();
    let place = |number| numbers.iter().position(|&n| n == number).unwrap_or(0);
    let centres = observed.centres.iter().map(|centre| {
        let name = match (centre.number, centre.arity) {
            (0, _) => CentreName::Remainder,
            (_, Some(arity)) => CentreName::Predicate(centre.name.as_str().into(), arity),
            (_, None) => CentreName::Literal(centre.name.clone()),
        };
        Centre::new(name, amounts(centre.accumulated))
    });
    let edges: Vec<Edge> = (observed.edges.iter())
        .map(|edge| Edge {
            from: place(edge.from),
            to: place(edge.to),
            ports: ports(edge),
        })
        .collect();
    let mut total = Amounts::default();
    edges.iter().for_each(|edge| total.add(&edge.ports.used()));
    Measured {
        centres: centres.collect(),
        edges,
        nodes: (observed.nodes.iter())
            .map(|node| Node {
                parent: node.parent,
                centre: place(node.centre),
                used: amounts(node.used),
            })
            .collect(),
        total,
        resources: match events {
            true => ON_SWI.to_vec(),
            false => vec![Resource::Time],
        },
    }
}

fn ports(edge: &profiled::Edge) -> CentrePorts {
    let mut ports = CentrePorts::default();
    let pairs = Enter::ALL
        .into_iter()
        .flat_map(|e| Leave::ALL.map(|l| (e, l)));
    for (place, (enter, leave)) in pairs.enumerate() {
        let pair = Pair {
            count: edge.counts[place],
            used: amounts(edge.used.map(|of| of[place])),
        };
        ports.put(enter, leave, pair);
    }
    ports
}
