//! Tests that each engine returns a result for each workload. No test asserts a time, since the machine may be busy.
#![allow(missing_docs)]

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use costlens_engines::{
    Engine, Error, GnuProlog, Plan, Process, Progress, Reason, SwiProlog, Template, Timing,
    Workload, WorkloadOutcome,
};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let swi = || SwiProlog::new(false);
    // Compile as little as possible, and copy it once.
    let gnu = || GnuProlog {
        copies: 2,
        ..GnuProlog::default()
    };
    let mut tests = vec![
        Trial::test("an_engine_that_is_not_there_or_is_none_is_an_error", broken)
            .with_ignored_flag(cfg!(not(unix))),
    ];
    let picky = of_an_engine("one_that_loads_all_or_nothing", "swipl", picky);
    // This engine differs from the described one only in the files that it refuses to load.
    tests.extend(picky.into_iter().filter(|t| t.name().ends_with("not_load")));
    tests.extend(of_an_engine("swi_prolog", "swipl", swi));
    tests.extend(of_an_engine("swi_prolog_optimised", "swipl", || {
        SwiProlog::new(true)
    }));
    tests.extend(of_an_engine("gnu_prolog", "gplc", gnu));
    tests.extend(of_an_engine(
        "an_engine_that_the_user_describes",
        "swipl",
        described,
    ));
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// Returns the tests of one engine. They are ignored if its program is missing, except in CI.
fn of_an_engine<E: Engine + 'static>(name: &str, program: &str, make: fn() -> E) -> Vec<Trial> {
    let missing = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_err();
    let must = std::env::var("CI").is_ok_and(|v| v == "true");
    let trial = |what: &str, test: fn(&dyn Engine) -> Result<(), Failed>| {
        Trial::test(format!("{name}::{what}"), move || test(&make()))
            .with_ignored_flag(missing && !must)
    };
    vec![
        trial("says_its_version", version),
        trial("answers_for_every_workload", every_workload),
        trial("answers_for_others_than_what_it_does_not_load", not_loaded),
        trial("ends_where_it_is_cancelled", cancelled),
        trial("goes_on_behind_earlier_processes", goes_on),
        trial("takes_three_hundred_workloads", many),
    ]
}

/// Returns SWI-Prolog as an engine that is known only by its command.
fn described() -> Template {
    Template {
        name: "described".into(),
        command: ["swipl", "-f", "none", "-q", "{file}"]
            .map(String::from)
            .into(),
        version: vec!["swipl".into(), "--version".into()],
        clock: "statistics(cputime, T) % in seconds".into(),
        unit: 1.0,
        prelude: ":- style_check(-singleton).".into(),
    }
}

/// Returns the described engine, modified so that it refuses to load a file that contains a certain word.
fn picky() -> Template {
    let script =
        "if grep -q picky \"$1\"; then echo refused; else exec swipl -f none -q \"$1\"; fi";
    Template {
        name: "picky".into(),
        command: ["sh", "-c", script, "sh", "{file}"]
            .map(String::from)
            .into(),
        ..described()
    }
}

/// A system that loads a file only as a whole must still time all workloads except those that it rejects.
fn not_loaded(engine: &dyn Engine) -> Result<(), Failed> {
    let refused = |name: &str| workload(name, "p(X) :- X = picky.", "p(_)", "true", &[]);
    let mut all = good();
    let at = all.len() / 2;
    all.insert(at, refused("one"));
    all.push(refused("another"));
    let outcomes = engine.time(&all, &plan(), &[], &mut |_| {}, &AtomicBool::new(false))?;
    for (workload, outcome) in all.iter().zip(outcomes) {
        let is_refused = matches!(
            &outcome,
            WorkloadOutcome::Untimed { reason: Reason::Refused(said), .. } if said.contains("refused")
        );
        let must_be = engine.name() == "picky" && workload.clauses.contains("picky");
        let is_right =
            is_refused == must_be && (must_be || matches!(outcome, WorkloadOutcome::Timed(_)));
        if !is_right {
            return Err(format!("{}: {outcome:?}", workload.name).into());
        }
    }
    Ok(())
}

fn workload(name: &str, clauses: &str, goal: &str, setup: &str, inputs: &[&str]) -> Workload {
    Workload {
        name: name.into(),
        clauses: clauses.into(),
        goal: goal.into(),
        setup: setup.into(),
        inputs: inputs.iter().map(|&i| i.into()).collect(),
    }
}

const APPEND: &str = "append([], X, X).\nappend([H|T], Y, [H|Z]) :- append(T, Y, Z).\n";

fn good() -> Vec<Workload> {
    vec![
        workload(
            "append",
            APPEND,
            "append(X, Y, _)",
            "X = [a,b,c,d], Y = [e] % inputs",
            &["X", "Y"],
        ),
        workload(
            "append again",
            APPEND,
            "append(_, _, X) % all solutions",
            "X = [a,b,c]",
            &["X"],
        ),
        workload("nothing", "p.", "true", "true", &[]),
        workload(
            "disjunction",
            "p(1). p(2).",
            "p(X), X > 1 ; p(_)",
            "true",
            &[],
        ),
        workload(
            "memory",
            ":- dynamic(seen/1).\np(X) :- assertz(seen(X)), retract(seen(X)).",
            "p(a)",
            "true",
            &[],
        ),
        workload(
            "long",
            "count(0) :- !.\ncount(N) :- M is N-1, count(M).",
            "count(N)",
            "N = 20000",
            &["N"],
        ),
        workload(
            "written",
            "p :- write(cl), write('at goal'), nl.",
            "p",
            "true",
            &[],
        ),
    ]
}

/// Returns faulty workloads, each with the beginning of the expected reason.
fn bad() -> Vec<(Workload, &'static str)> {
    vec![
        (
            workload(
                "throws",
                "p(X) :- Y is X+1, Y > 0.",
                "p(X)",
                "X = a",
                &["X"],
            ),
            "it has thrown type_error(evaluable,a/0)",
        ),
        (
            workload(
                "throws later",
                ":- dynamic(n/1).\nn(0).\np :- retract(n(N)), M is N+1, assertz(n(M)), ( M > 20 -> throw(enough) ; true ).",
                "p",
                "true",
                &[],
            ),
            "it has thrown enough",
        ),
        (
            workload("setup fails", "p.", "p", "fail", &[]),
            "its setup has failed",
        ),
        (
            workload("setup throws", "p.", "p", "throw(no)", &[]),
            "it has thrown no",
        ),
        (
            workload("cut", "p.", "p, !", "true", &[]),
            "a cut in the goal",
        ),
        (
            workload("unclosed", "p :- q(.\n", "p", "true", &[]),
            "clauses: `(",
        ),
        (
            workload("for ever", "p :- p.", "p", "true", &[]),
            "it has taken longer",
        ),
        (
            workload("halts", "p :- halt.", "p", "true", &[]),
            "it has ended the process: exit code 0",
        ),
        (
            workload("undefined", "p :- nowhere_defined.", "p", "true", &[]),
            "it ",
        ),
        (workload("syntax", "p :- q r s.", "p", "true", &[]), "it "),
    ]
}

fn plan() -> Plan {
    Plan {
        windows: 2,
        window: Duration::from_millis(1),
        processes: 2,
        patience: Duration::from_secs(4),
        seed: 1,
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

fn version(engine: &dyn Engine) -> Result<(), Failed> {
    let version = engine.version()?;
    let number = version.version.contains(|c: char| c.is_ascii_digit());
    if number && !version.engine.is_empty() && !version.build.is_empty() {
        return Ok(());
    }
    Err(format!("{version:?}").into())
}

fn every_workload(engine: &dyn Engine) -> Result<(), Failed> {
    let mut workloads = Vec::new();
    for (i, (bad, _)) in bad().into_iter().enumerate() {
        workloads.extend(good().get(i).cloned());
        workloads.push(bad);
    }
    let (mut measured, mut failed, mut processes) = (0, 0, 0);
    let outcomes = engine.time(
        &workloads,
        &plan(),
        &[],
        &mut |progress| match progress {
            Progress::Process { .. } => processes += 1,
            Progress::Measured { .. } => measured += 1,
            Progress::Failed { .. } => failed += 1,
            Progress::Complete { .. } => {}
        },
        &NEVER,
    )?;
    let named: Vec<&str> = outcomes.iter().map(name).collect();
    let asked: Vec<&str> = workloads.iter().map(|w| w.name.as_str()).collect();
    if named != asked {
        return Err(format!("{named:?} for {asked:?}").into());
    }
    let mut wrong = String::new();
    let bad = bad();
    for outcome in &outcomes {
        let expected = bad
            .iter()
            .find(|(workload, _)| workload.name == name(outcome))
            .map(|(_, reason)| reason);
        let fits = match (outcome, expected) {
            (WorkloadOutcome::Timed(timing), None) => is_sound(timing),
            (WorkloadOutcome::Untimed { reason, .. }, Some(expected)) => {
                reason.to_string().starts_with(expected)
            }
            _ => false,
        };
        if !fits {
            wrong.push_str(&format!("\n{outcome:?} instead of {expected:?}"));
        }
    }
    if failed != bad.len() || measured < good().len() * 2 || processes < 2 {
        wrong.push_str(&format!(
            "\n{failed} failed, {measured} measured, {processes} processes"
        ));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.into())
    }
}

fn name(outcome: &WorkloadOutcome) -> &str {
    match outcome {
        WorkloadOutcome::Timed(timing) => &timing.name,
        WorkloadOutcome::Untimed { name, .. } => name,
    }
}

fn is_sound(timing: &Timing) -> bool {
    let finite = timing.minima_ns.iter().all(|ns| ns.is_finite());
    let ordered = timing.low() <= timing.median() && timing.median() <= timing.high();
    timing.minima_ns.len() >= 2
        && finite
        && ordered
        && timing.empty_ns > 0.0
        && timing.repetitions > 0
        && timing.noise.is_some()
}

/// Earlier measurements must be kept, and missing ones marked as such.
fn cancelled(engine: &dyn Engine) -> Result<(), Failed> {
    let cancel = AtomicBool::new(false);
    let mut workloads = good();
    workloads.push(workload("slow", "p :- repeat, fail.", "p", "true", &[]));
    let long = Plan {
        patience: Duration::from_secs(600),
        processes: 50,
        ..plan()
    };
    let (mut begun, mut kept) = (None, false);
    let outcomes = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(3));
            cancel.store(true, Ordering::Relaxed);
        });
        engine.time(
            &workloads,
            &long,
            &[],
            &mut |progress| {
                if let Progress::Measured { .. } = progress {
                    kept = true;
                }
                begun.get_or_insert_with(Instant::now);
            },
            &cancel,
        )
    })?;
    let begin: Instant = begun.ok_or("nothing was said")?;
    let slow = outcomes.last().ok_or("no outcome")?;
    let ended = matches!(
        slow,
        WorkloadOutcome::Untimed {
            reason: Reason::Cancelled,
            ..
        }
    );
    if ended && outcomes.len() == workloads.len() && begin.elapsed() < Duration::from_secs(60) {
        return Ok(());
    }
    Err(format!("kept {kept}, {:?}: {outcomes:?}", begin.elapsed()).into())
}

/// The first process of one run is passed to another run, which must use it without measuring it again.
fn goes_on(engine: &dyn Engine) -> Result<(), Failed> {
    let workloads = &good()[..2];
    let run = |before: &[Process]| -> Result<_, Error> {
        let (mut begun, mut complete) = (Vec::new(), Vec::new());
        let outcomes = engine.time(
            workloads,
            &plan(),
            before,
            &mut |progress| match progress {
                Progress::Process { number, .. } => begun.push(number),
                Progress::Complete { process } => complete.push(process.clone()),
                _ => {}
            },
            &NEVER,
        )?;
        Ok((outcomes, begun, complete))
    };
    let (_, begun, complete) = run(&[])?;
    let whole = |p: &Process| p.len() == workloads.len() && p.iter().all(Option::is_some);
    if complete.len() != begun.len() || begun.len() < 2 || !complete.iter().all(whole) {
        return Err(format!("{begun:?}, {complete:?}").into());
    }
    let (outcomes, again, _) = run(&complete[..1])?;
    if again[..] != begun[1..] {
        return Err(format!("{again:?} behind the first of {begun:?}").into());
    }
    for (outcome, least) in outcomes.iter().zip(&complete[0]) {
        let (WorkloadOutcome::Timed(timing), Some((goal, empty, _))) = (outcome, least) else {
            return Err(format!("{outcome:?}").into());
        };
        if timing.minima_ns.len() != begun.len() || timing.minima_ns[0] != goal - empty {
            return Err(format!("{timing:?} does not begin with {least:?}").into());
        }
    }
    Ok(())
}

/// A clause with a list of this many workloads would need more registers than GNU Prolog has, and its code would crash the process.
fn many(engine: &dyn Engine) -> Result<(), Failed> {
    let one = |i: u32| workload(&format!("w{i}"), "p.", "p", "true", &[]);
    let workloads: Vec<Workload> = (0..300).map(one).collect();
    let short = Plan {
        windows: 1,
        window: Duration::from_micros(100),
        processes: 1,
        ..plan()
    };
    let outcomes = engine.time(&workloads, &short, &[], &mut |_| {}, &NEVER)?;
    let timed = |o: &&WorkloadOutcome| matches!(o, WorkloadOutcome::Timed(_));
    match outcomes.iter().filter(timed).count() {
        300 => Ok(()),
        n => Err(format!("{n} of 300 have times").into()),
    }
}

fn broken() -> Result<(), Failed> {
    let time = |engine: &dyn Engine| engine.time(&good(), &plan(), &[], &mut |_| {}, &NEVER);
    let missing = SwiProlog {
        program: "no-such-prolog".into(),
        optimise: false,
    };
    let no_compiler = GnuProlog {
        compiler: "no-such-compiler".into(),
        copies: 1,
    };
    for engine in [&missing as &dyn Engine, &no_compiler] {
        if !matches!(time(engine), Err(Error::NotRun(_))) || engine.version().is_ok() {
            return Err(format!("{} is not there", engine.name()).into());
        }
    }
    let says_no = ["sh", "-c", "echo no Prolog here; exit 3"].map(String::from);
    let none = Template {
        command: says_no.into(),
        ..described()
    };
    let refuses = GnuProlog {
        compiler: "false".into(),
        copies: 1,
    };
    let empty = Template {
        command: Vec::new(),
        ..described()
    };
    for engine in [&none as &dyn Engine, &refuses, &empty] {
        match time(engine) {
            Err(Error::Broken { .. }) => {}
            other => return Err(format!("{}: {other:?}", engine.name()).into()),
        }
    }
    match time(&none) {
        Err(Error::Broken { said, .. }) if said == "exit code 3: no Prolog here" => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}
