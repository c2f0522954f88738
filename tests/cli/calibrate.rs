//! Platforms of current engines: those that ship, and the user's own.

use crate::binary::costlens;
use crate::printed::text;
use crate::project;

use std::process::{Command, Output};

use project::{folder, run};
use serde_json::Value;

const NREV: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
";

const SHIPPED: &str = "swi-9.0.4-x86_64-instructions";

fn with_data(folder: &std::path::Path, arguments: &[&str]) -> Output {
    costlens()
        .args(arguments)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .output()
        .unwrap()
}

#[test]
fn time_on_an_engine_of_today_is_bounded_without_calibrating() {
    let folder = folder(&[("nrev.pl", NREV.as_bytes())]);
    let out = run(
        folder.path(),
        &[
            "bounds",
            "nrev.pl",
            "--platform",
            SHIPPED,
            "--at",
            "1=30",
            "--format",
            "json",
        ],
    );
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    let time = &all["predicates"][0]["patterns"][0]["at"]["time"];
    let (lower, upper) = (
        time["lower"].as_f64().unwrap(),
        time["upper"].as_f64().unwrap(),
    );
    // 496 steps, of some nanoseconds each.
    assert!(
        1_000.0 < lower && lower <= upper && upper < 100_000.0,
        "{time}"
    );
}

#[test]
fn time_is_that_of_the_files_engine_where_no_platform_is_named() {
    let folder = folder(&[("nrev.pl", NREV.as_bytes())]);
    let asked = ["bounds", "nrev.pl", "--resource", "time"];
    let shown = text(&with_data(folder.path(), &asked).stdout);
    assert!(
        shown.contains(&format!("time on {SHIPPED}: constants of another machine")),
        "{shown}"
    );
    let named = [&asked[..], &["--platform", SHIPPED]].concat();
    let shown = text(&with_data(folder.path(), &named).stdout);
    assert!(!shown.contains("another machine"), "{shown}");
}

#[test]
fn work_goes_by_the_line_of_the_calls_modes() {
    // All parts of an atom are examined, not only the one whose length is known.
    let text_of = "%! s(+A:atom, -B) is nondet.\ns(A, B) :- sub_atom(A, _, _, _, B).\n";
    let folder = folder(&[("s.pl", text_of.as_bytes())]);
    let asked = ["bounds", "s.pl", "--resource", "work(sub_atom/5)"];
    let shown = text(&with_data(folder.path(), &asked).stdout);
    assert!(shown.contains("to the first solution: 0 to n²"), "{shown}");
}

#[test]
fn calls_of_closures_and_copies_of_lambda_expressions_are_counted() {
    const CALLS: &str = "\
%! inc(+Xs:list(int), -Ys) is det.
inc(Xs, Ys) :- maplist([X,Y]>>(Y is X+1), Xs, Ys).
%! add(+Xs:list(int), +N:int, -Ys) is det.
add(Xs, N, Ys) :- maplist(plus(N), Xs, Ys).
";
    let (yall, apply) = (
        ":- use_module(library(yall)).\n",
        ":- use_module(library(apply)).\n",
    );
    // SWI-Prolog compiles lambda expressions if both libraries are loaded, and copies them if `yall` is not.
    for (loads, predicate, event, range) in [
        (String::new(), "inc/2", "lambdas", (5.0, 5.0)),
        (yall.to_owned(), "inc/2", "lambdas", (0.0, 5.0)),
        (format!("{yall}{apply}"), "inc/2", "lambdas", (0.0, 0.0)),
        (String::new(), "inc/2", "lambda_symbols", (35.0, 35.0)),
        (String::new(), "inc/2", "closures", (5.0, 5.0)),
        (String::new(), "inc/2", "captured", (0.0, 0.0)),
        (String::new(), "add/3", "closures", (5.0, 5.0)),
        (String::new(), "add/3", "captured", (5.0, 5.0)),
        (
            ":- use_module(library(apply_macros)).\n".to_owned(),
            "add/3",
            "closures",
            (0.0, 0.0),
        ),
    ] {
        let folder = folder(&[("calls.pl", format!("{loads}{CALLS}").as_bytes())]);
        let asked = [
            "bounds",
            "calls.pl",
            "--predicate",
            predicate,
            "--resource",
            event,
            "--at",
            "1=5",
            "--format",
            "json",
        ];
        let all: Value = serde_json::from_slice(&run(folder.path(), &asked).stdout).unwrap();
        let at = &all["predicates"][0]["patterns"][0]["at"][event];
        let found = (at["lower"].as_f64(), at["upper"].as_f64());
        assert_eq!(
            found,
            (Some(range.0), Some(range.1)),
            "{loads}{predicate} {event}"
        );
    }
}

#[test]
fn the_time_of_a_written_format_is_bounded() {
    let text_of = |format: &str| format!("%! p(+X:int) is det.\np(X) :- format({format}, [X]).\n");
    for (format, is_bounded) in [
        ("\"~w and so on~n\"", true),
        ("'~t~w~10|'", true),
        ("'~p'", false),
        ("'~*c'", false),
        ("'~1000c'", false),
    ] {
        let folder = folder(&[("p.pl", text_of(format).as_bytes())]);
        let asked = [
            "bounds",
            "p.pl",
            "--resource",
            "time",
            "--format",
            "json",
            "--at",
            "1=7",
        ];
        let all: Value = serde_json::from_slice(&with_data(folder.path(), &asked).stdout).unwrap();
        let time = &all["predicates"][0]["patterns"][0]["at"]["time"];
        assert_eq!(time["upper"].is_number(), is_bounded, "{format}: {time}");
        assert!(time["lower"].as_f64().unwrap() > 10.0, "{format}: {time}");
    }
}

#[test]
fn an_engine_that_is_not_there_is_said_and_nothing_is_stored() {
    let folder = folder(&[("nrev.pl", NREV.as_bytes())]);
    let out = with_data(folder.path(), &["calibrate", "--program", "no-such-prolog"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(said.contains("--program"), "{said}");
    assert!(!folder.path().join("data").exists());
}

#[test]
fn an_engine_is_described_by_a_file() {
    let good = "name = 'E'\ncommand = ['no-such-prolog', '{file}']\nclock = 'now(T)'\n";
    let bad = good.replace("{file}", "file");
    let folder = folder(&[("good.toml", good), ("bad.toml", &bad)]);
    let said = |file: &str| {
        let out = with_data(folder.path(), &["calibrate", "--described", file]);
        assert_eq!(out.status.code(), Some(2));
        text(&out.stderr)
    };
    assert!(said("good.toml").contains("`no-such-prolog` was not found"));
    assert!(said("bad.toml").contains("no word `{file}`"));
    assert!(said("none.toml").contains("cannot be read"));
}

/// Calibrates the embedded machine, and interrupts the calibration when it reports that process `until` begins.
#[cfg(unix)]
fn calibrate_until(folder: &std::path::Path, until: Option<u32>) -> Output {
    let mut child = costlens()
        .args(["calibrate", "--engine", "embedded", "--quick"])
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let lines = std::io::BufReader::new(child.stderr.take().unwrap());
    for line in std::io::BufRead::lines(lines) {
        let line = line.unwrap();
        let at = until.map(|number| format!("process {number} of"));
        if at.is_some_and(|at| line.contains(&at)) {
            let interrupt = ["-INT", &child.id().to_string()].map(String::from);
            assert!(
                Command::new("kill")
                    .args(interrupt)
                    .status()
                    .unwrap()
                    .success()
            );
        }
        said.push_str(&line);
        said.push('\n');
    }
    let mut out = child.wait_with_output().unwrap();
    out.stderr = said.into_bytes();
    out
}

#[test]
#[cfg(unix)]
fn a_calibration_that_is_interrupted_goes_on_where_it_was() {
    let folder = folder::<&str>(&[]);
    let platforms = folder.path().join("data/costlens/platforms");
    let out = calibrate_until(folder.path(), Some(2));
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("1 process has measured is kept"), "{said}");
    assert!(!platforms.exists());
    let out = calibrate_until(folder.path(), None);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(
        said.contains("process 2 of 3") && !said.contains("process 1 of 3"),
        "{said}"
    );
    assert_eq!(std::fs::read_dir(&platforms).unwrap().count(), 1);
    // Nothing is kept of a completed run.
    let out = calibrate_until(folder.path(), Some(1));
    assert!(text(&out.stderr).contains("process 1 of 3"), "{out:?}");
}

#[test]
fn a_platform_of_the_users_own_comes_first_and_a_corrupt_one_is_left_out() {
    let folder = folder(&[("nrev.pl", NREV.as_bytes())]);
    let own = folder.path().join("data/costlens/platforms");
    std::fs::create_dir_all(&own).unwrap();
    let shipped = include_str!("../../calibration-data/swi-9.0.4-x86_64.json");
    let renamed = shipped.replace("\"swi-9.0.4-x86_64\"", "\"mine\"");
    std::fs::write(own.join("mine.json"), renamed).unwrap();
    std::fs::write(own.join("broken.json"), "{\"platform\": 1}").unwrap();
    let out = with_data(folder.path(), &["platforms"]);
    assert_eq!(out.status.code(), Some(0));
    let (shown, said) = (text(&out.stdout), text(&out.stderr));
    assert!(
        shown.starts_with("mine-instructions  SWI-Prolog 9.0.4"),
        "{shown}"
    );
    assert!(
        said.contains("broken.json") && said.contains("left out"),
        "{said}"
    );
    let out = with_data(
        folder.path(),
        &["bounds", "nrev.pl", "--platform", "mine-instructions"],
    );
    assert!(text(&out.stdout).contains("time: "), "{out:?}");
}
