//! The engines of profiles: the embedded machine, and SWI-Prolog, which runs a transformed program.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::ValueEnum;
use costlens_compile::code::{Comparison, TypeTest};
use costlens_engines::SwiProlog;
use costlens_engines::profile_clock;
use costlens_engines::profiled::{
    self, EngineProfile, GoalOutcome, Instrumented, KnownFact, Look, Pause, ProfileRequest,
};
use costlens_ide::host::{File, Host};
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{
    Amounts, Centre, CentreName, CentrePath, CentrePorts, Edge, Enter, Every, Leave, Limit,
    Looker as _, Measured, Pair, Plan, Resource,
};
use costlens_profile::checks::{CallChecks, Periodic, Seen};
use costlens_profile::search::Predicate;
use costlens_profile::single::{Single, SingleCalls};
use costlens_profile::{Fact, Profile, known, portable};
use costlens_syntax::write_term;
use smol_str::SmolStr;

use super::interrupted;
use super::proved::proved;
use super::running::{Prepared, ProfiledGoal, Ran, Read};
use super::text::dumped;

/// The engines on which profiles are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The machine inside Costlens.
    Embedded,
    /// SWI-Prolog, which runs the transformed program with its files, libraries and modules.
    Swi,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Embedded => "embedded",
            Engine::Swi => "swi",
        }
    }

    /// Returns whether the engine measures a resource.
    pub(crate) fn measures(self, resource: Resource) -> bool {
        self == Engine::Embedded || ON_SWI.contains(&resource)
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Engine::Embedded => "the embedded machine",
            Engine::Swi => "SWI-Prolog",
        }
    }
}

/// The resources that are measured on SWI-Prolog, in the order of its answer.
pub(crate) const ON_SWI: [Resource; profiled::RESOURCES] = [
    Resource::Time,
    Resource::Cuts,
    Resource::UselessCuts,
    Resource::Skips,
];

/// The message for a run that the user has cancelled.
const CANCELLED: &str = "it was cancelled";

/// A profile of the goal, with the outcome of its run.
pub(crate) struct Profiled {
    pub(crate) profile: Profile,
    pub(crate) ran: Ran,
    /// Predicates that cannot be centres.
    pub(crate) refused: Vec<Predicate>,
    /// The engine's messages about the program.
    pub(crate) said: Vec<String>,
    /// The extent of each centre's instrumentation, on an engine that instruments the program.
    pub(crate) instrumented: Vec<(Predicate, Instrumented)>,
    /// The reason why analysis could not follow all calls of the run, if this was requested; then no instrumentation is omitted.
    pub(crate) not_followed: Option<String>,
}

impl Profiled {
    /// Returns the messages about the program, and about predicates that cannot be centres.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        let refused = self.refused.iter().map(|(name, arity)| {
            format!("`{name}/{arity}` has no clauses, so that it is no cost centre")
        });
        self.said.iter().cloned().chain(refused)
    }

    /// Summarises the engine, the outcome and the time in one line.
    pub(crate) fn summary(&self, engine: Engine, total: Option<&str>) -> String {
        let total = total.map_or_else(String::new, |total| format!(" {total},"));
        format!(
            "{}, {},{total} {:.1} ms",
            engine.title(),
            self.ran.result,
            self.ran.elapsed.as_secs_f64() * 1e3
        )
    }
}

/// Takes profiles of one goal of one program.
pub(crate) trait Profiler {
    fn program(&self) -> &Runnable;

    /// Returns the host for static analysis, with the program's file.
    fn host(&self) -> (&Host, File);

    /// Runs the goal again, and checks its calls. Returns `None` on an engine that does not check single calls.
    ///
    /// # Errors
    /// Fails if the goal could not be run.
    fn observe(&self, plan: &Plan, checks: CallChecks) -> anyhow::Result<Option<Vec<Seen>>>;

    /// Runs the goal again. Returns the calls of centres that are called exactly once, or none on an engine that does not observe single
    /// calls.
    fn single(&self, plan: &Plan) -> Vec<Single>;

    /// Requests periodic checks of shares during subsequent profiles.
    fn check_shares(&mut self, every: Every, checks: Arc<Mutex<Periodic>>);

    /// Takes a profile. Each run starts from the same state. Events of the centres named in `nohooks` are not shown.
    ///
    /// # Errors
    /// Fails if no measurements were made.
    fn profile(&self, plan: &Plan, nohooks: &[CentreName]) -> anyhow::Result<Profiled>;
}

/// The embedded machine.
pub(crate) struct Embedded {
    prepared: Prepared,
    all: bool,
    /// The periodic checks of shares, if requested.
    shares: Option<(Every, Arc<Mutex<Periodic>>)>,
}

impl Embedded {
    /// Creates the engine for a loaded program; `all` requests all solutions instead of the first.
    pub(crate) fn new(prepared: Prepared, all: bool) -> Self {
        Embedded {
            prepared,
            all,
            shares: None,
        }
    }
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
        machine.profile(plan, profile_clock);
        let checks = Arc::new(Mutex::new(checks));
        machine.observe(checks.clone());
        self.prepared.run_on(&mut machine, self.all);
        let checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(checks.seen().to_vec()))
    }

    fn check_shares(&mut self, every: Every, checks: Arc<Mutex<Periodic>>) {
        self.shares = Some((every, checks));
    }

    fn single(&self, plan: &Plan) -> Vec<Single> {
        let mut machine = self.prepared.machine.fork();
        machine.profile(plan, profile_clock);
        let calls = Arc::new(Mutex::new(SingleCalls::new(&plan.predicates)));
        machine.observe(calls.clone());
        self.prepared.run_on(&mut machine, self.all);
        let calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.only_calls().cloned().collect()
    }

    fn profile(&self, plan: &Plan, nohooks: &[CentreName]) -> anyhow::Result<Profiled> {
        let mut machine = self.prepared.machine.fork();
        let refused = machine.profile(plan, profile_clock);
        if let Some((every, checks)) = &self.shares {
            machine.look_at(*every, checks.clone());
        }
        machine.dump_as(|measured| dumped(&Profile::new(measured.clone(), &[])));
        let ran = self.prepared.run_on(&mut machine, self.all);
        if self.prepared.is_cancelled() {
            bail!(CANCELLED);
        }
        let measured = machine.measured();
        let measured = measured.ok_or_else(|| anyhow!("no profile was taken"))?;
        Ok(Profiled {
            profile: Profile::new(measured, nohooks),
            ran,
            refused,
            said: Vec::new(),
            instrumented: Vec::new(),
            not_followed: None,
        })
    }
}

/// SWI-Prolog.
pub(crate) struct Swi {
    engine: SwiProlog,
    read: Read,
    wish: ProfileRequest,
    not_followed: Option<String>,
    cancel: Arc<AtomicBool>,
    /// The periodic checks of shares, if requested.
    shares: Option<Arc<Mutex<Periodic>>>,
}

impl Swi {
    /// Creates the engine for a program that was read from a file. `program` is the SWI-Prolog to start, if it is not on PATH under its
    /// usual name.
    ///
    /// # Errors
    /// Fails if a file of the program is not on disk.
    pub(crate) fn new(
        goal: &ProfiledGoal,
        file: &Path,
        program: Option<&Path>,
        mut read: Read,
        optimise: bool,
        cancel: &Arc<AtomicBool>,
    ) -> anyhow::Result<Self> {
        let mut engine = SwiProlog::new(false);
        if let Some(program) = program {
            engine.program = program.into();
        }
        let (mut texts, mut facts) = (Vec::new(), Vec::new());
        let calls: Vec<String> = { goal.calls.iter() }
            .map(|call| write_term(&call.terms, call.goal, None))
            .collect();
        if calls.iter().any(|text| text.ends_with('…')) {
            bail!(
                "a generated call is too long to be passed to SWI-Prolog: `--largest` makes them smaller"
            );
        }
        let snapshot = read.host.snapshot();
        for part in &read.program.parts {
            facts.extend(known(&part.text, &part.terms).into_iter().map(as_known));
            let edited = read.edited.contains(&part.name);
            let text = portable(&part.text, &part.terms);
            if let Some(text) = text.or_else(|| edited.then(|| part.text.clone())) {
                let known = snapshot.file(&part.name).map_err(interrupted)?;
                let place = known.map(|file| snapshot.place(file).map_err(interrupted));
                let place = place.transpose()?.flatten();
                let place = place.map_or_else(|| PathBuf::from(&part.name), PathBuf::from);
                texts.push((place.canonicalize()?, text));
            }
        }
        drop(snapshot);
        let (mut followed, mut not_followed) = (false, None);
        match (optimise, goal.calls.is_empty()) {
            (true, true) => match proved(&mut read, &goal.text)? {
                Ok(proved) => {
                    followed = true;
                    facts.extend(proved);
                }
                Err(reason) => not_followed = Some(reason),
            },
            (true, false) => not_followed = Some("the calls are generated".to_owned()),
            (false, _) => {}
        }
        let wish = ProfileRequest {
            file: file.canonicalize()?,
            goal: goal.text.clone(),
            calls,
            all: goal.all,
            seconds: goal.seconds,
            megabytes: goal.megabytes,
            texts,
            optimise,
            known: facts,
            followed,
            tests: tests(),
            ..ProfileRequest::default()
        };
        Ok(Swi {
            engine,
            read,
            wish,
            not_followed,
            cancel: Arc::clone(cancel),
            shares: None,
        })
    }
}

fn as_known((name, arity, fact): (SmolStr, usize, Fact)) -> KnownFact {
    KnownFact {
        name: name.into(),
        arity,
        fact: match fact {
            Fact::NoChoicePoint => "no_choicepoint",
            Fact::NotFails => "not_fails",
        },
    }
}

/// Returns the predicates that are tests: conditions that consist only of tests create no choice point on the embedded machine.
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

    fn check_shares(&mut self, every: Every, checks: Arc<Mutex<Periodic>>) {
        self.wish.every = Some(match every {
            Every::Calls(calls) => Pause::Calls(calls),
            Every::Nanoseconds(time) => Pause::Nanoseconds(time),
        });
        self.wish.looked = {
            let checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
            let looked = checks.predicates();
            looked.map(|(name, n)| (name.to_string(), *n)).collect()
        };
        // A predicate mentioned in several assertions must be observed only once.
        self.wish.looked.sort();
        self.wish.looked.dedup();
        self.shares = Some(checks);
    }

    fn single(&self, _: &Plan) -> Vec<Single> {
        Vec::new()
    }

    fn profile(&self, plan: &Plan, nohooks: &[CentreName]) -> anyhow::Result<Profiled> {
        let centres = plan.predicates.iter();
        let wish = ProfileRequest {
            centres: centres
                .map(|(name, arity)| (name.to_string(), *arity))
                .collect(),
            literals: plan.literals,
            events: plan.events,
            ..self.wish.clone()
        };
        let observed = self.engine.profile(&wish, &self.cancel)?;
        let measured = measured(&observed, plan.events);
        if let Some(checks) = &self.shares {
            let mut checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
            for look in &observed.looks {
                checks.look(&looked(&observed, look, &measured));
            }
        }
        let refused = observed.refused.iter();
        // Without a terminal, plunit prints a dot for each test.
        let says = |line: &&str| !line.chars().all(|c| c == '.');
        let mut said: Vec<String> = { observed.said.lines() }
            .filter(says)
            .map(str::to_owned)
            .collect();
        said.extend(observed.unbalanced.iter().map(|(name, arity)| {
            format!("`{name}/{arity}` is taken not to fail, and has failed: its numbers are wrong (`--no-optimise` measures it)")
        }));
        Ok(Profiled {
            refused: refused.map(|(name, arity)| (name.into(), *arity)).collect(),
            said,
            instrumented: { observed.instrumented.iter() }
                .map(|(name, arity, parts)| ((name.into(), *arity), *parts))
                .collect(),
            not_followed: self.not_followed.clone(),
            ran: ran(&observed),
            profile: Profile::new(measured, nohooks),
        })
    }
}

fn ran(observed: &EngineProfile) -> Ran {
    let (result, limit, exception) = match &observed.ended {
        GoalOutcome::Success => ("success", None, None),
        GoalOutcome::Failure => ("failure", None, None),
        GoalOutcome::Exception(term) => ("exception", None, Some(term.clone())),
        GoalOutcome::Halt => ("exception", None, Some("halt".to_owned())),
        GoalOutcome::Time => ("limit", Some(Limit::Time), None),
        GoalOutcome::Memory => ("limit", Some(Limit::Memory), None),
    };
    Ran {
        exit_code: None,
        result,
        limit,
        bindings: observed.solutions.clone(),
        exception,
        elapsed: Duration::from_nanos(observed.elapsed),
        output: observed.output.clone(),
        failed_tests: Vec::new(),
    }
}

fn amounts(used: [u64; profiled::RESOURCES]) -> Amounts {
    let mut amounts = Amounts::default();
    for (resource, amount) in ON_SWI.into_iter().zip(used) {
        amounts.add_amount(resource, amount);
    }
    amounts
}

/// Converts the measurements of SWI-Prolog to the machine's format.
fn measured(observed: &EngineProfile, events: bool) -> Measured {
    let edges = edges(observed, &observed.edges);
    let mut total = Amounts::default();
    edges.iter().for_each(|edge| total.add(&edge.ports.used()));
    Measured {
        centres: centres(observed),
        edges,
        nodes: (observed.nodes.iter())
            .map(|node| CentrePath {
                parent: node.parent,
                centre: place(observed, node.centre),
                used: amounts(node.used),
            })
            .collect(),
        total,
        resources: match events {
            true => ON_SWI.to_vec(),
            false => vec![Resource::Time],
        },
        heads: Vec::new(),
    }
}

/// Converts a snapshot of some centres, taken during the run.
fn looked(observed: &EngineProfile, look: &Look, whole: &Measured) -> Measured {
    Measured {
        centres: whole.centres.clone(),
        edges: edges(observed, &look.centres),
        nodes: Vec::new(),
        total: amounts(look.total),
        resources: whole.resources.clone(),
        heads: Vec::new(),
    }
}

/// Returns the index of a centre.
fn place(observed: &EngineProfile, number: usize) -> usize {
    let of = observed.centres.iter().position(|c| c.number == number);
    of.unwrap_or(0)
}

fn centres(observed: &EngineProfile) -> Vec<Centre> {
    let centre = |centre: &profiled::Centre| {
        let name = match (centre.number, centre.arity) {
            (0, _) => CentreName::Remainder,
            (_, Some(arity)) => CentreName::Predicate(centre.name.as_str().into(), arity),
            (_, None) => CentreName::Literal(centre.name.clone()),
        };
        Centre::new(name, amounts(centre.accumulated))
    };
    observed.centres.iter().map(centre).collect()
}

fn edges(observed: &EngineProfile, edges: &[profiled::EngineEdge]) -> Vec<Edge> {
    let edge = |edge: &profiled::EngineEdge| Edge {
        from: place(observed, edge.from),
        to: place(observed, edge.to),
        ports: ports(edge),
    };
    edges.iter().map(edge).collect()
}

fn ports(edge: &profiled::EngineEdge) -> CentrePorts {
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
