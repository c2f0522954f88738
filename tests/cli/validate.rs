//! `costlens validate`: runs on generated inputs compared with bounds, and the report for a bound that does not hold.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::printed::{json_of, text};
use crate::project::{folder, run};

const PROGRAM: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
%! ins(+Xs:list(int), -Ys:list(int)) is det.
ins([], []).
ins([X|Xs], Ys) :- ins(Xs, Zs), put(Zs, X, Ys).
put([], X, [X]).
put([Y|Ys], X, [X,Y|Ys]) :- X =< Y.
put([Y|Ys], X, [Y|Zs]) :- X > Y, put(Ys, X, Zs).
%! collatz(+N:int, -S:int) is semidet.
collatz(1, 0) :- !.
collatz(N, S) :- N > 1, ( N mod 2 =:= 0 -> M is N // 2 ; M is 3*N+1 ), collatz(M, T), S is T+1.
%! say(+Xs:list) is det.
say([]).
say([X|Xs]) :- write(X), say(Xs).
%! noted(+N:int) is det.
noted(N) :- assertz(seen(N)), seen(_), !.
:- dynamic seen/1.
%! lambda(+Xs:list, -Ys:list) is det.
lambda(Xs, Ys) :- maplist([X,Y]>>(Y = f(X)), Xs, Ys).
";

fn validate(program: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let folder = folder(&[("p.pl", program)]);
    let arguments = [&["validate", "p.pl"], arguments, &["--format", "json"]].concat();
    let out = run(folder.path(), &arguments);
    (out.status.code(), json_of(&out))
}

fn refused(program: &str, arguments: &[&str]) -> String {
    let folder = folder(&[("p.pl", program)]);
    let out = run(folder.path(), &[&["validate", "p.pl"], arguments].concat());
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    text(&out.stderr)
}

fn steps(found: &Value) -> &Value {
    &found["patterns"][0]["resources"]["steps"]
}

#[test]
fn an_exact_bound_is_what_runs_count_at_every_size() {
    let (code, found) = validate(PROGRAM, &["nrev/2", "--sizes", "0,1,2,5,9,30"]);
    assert_eq!((code, &found["holds"]), (Some(0), &json!(true)));
    let steps = steps(&found);
    assert_eq!(steps["upper"], "1/2*n^2+3/2*n+1");
    let rows = steps["observations"].as_array().unwrap();
    let sizes: Vec<i64> = rows
        .iter()
        .map(|r| r["sizes"]["n"].as_i64().unwrap())
        .collect();
    assert_eq!(sizes, [0, 1, 2, 5, 9, 30]);
    for row in rows {
        assert!(row["runs"].as_u64() >= Some(1), "{row}");
        assert_eq!(
            (&row["least"], &row["most"]),
            (&row["most"], &json!(row["upper"].as_f64().unwrap() as u64))
        );
    }
    assert_eq!(steps["fitted"]["display"], "n²/2 + 3n/2 + 1");
    assert_eq!(steps["fitted"]["status"], "obs");
    assert_eq!(steps["most_of_upper"]["ratio"], 1.0);
    assert_eq!(steps["lower_of_least"]["ratio"], 1.0);
}

/// The worst input of insertion sort is one among a factorial number: it is found by hill climbing.
#[test]
fn the_search_finds_inputs_that_are_nearly_the_worst() {
    let (code, found) = validate(PROGRAM, &["ins/2", "--sizes", "12"]);
    assert_eq!(code, Some(0));
    let row = &steps(&found)["observations"][0];
    let (most, upper) = (
        row["most"].as_f64().unwrap(),
        row["upper"].as_f64().unwrap(),
    );
    assert!(most > 0.9 * upper && most <= upper, "{row}");
    let least = row["least"].as_f64().unwrap();
    assert!(
        least < 0.5 * most && least >= row["lower"].as_f64().unwrap(),
        "{row}"
    );
}

#[test]
fn without_a_bound_there_are_observations_and_a_fitted_function() {
    let (code, found) = validate(PROGRAM, &["collatz/2", "--sizes", "2,4,8,16,32,64,128,256"]);
    assert_eq!(code, Some(0));
    let steps = steps(&found);
    assert_eq!(steps["upper"], Value::Null);
    // For powers of two it takes the logarithm plus one.
    assert_eq!(steps["observations"][7]["most"], 9);
    let fitted = &steps["fitted"];
    assert_eq!(
        (&fitted["of_bound"], &fitted["status"]),
        (&json!(false), &json!("obs"))
    );
    assert!(
        fitted["display"].as_str().unwrap().contains("log₂"),
        "{fitted}"
    );
    assert_eq!(steps["most_of_upper"], Value::Null);
}

/// A false trusted cost is blamed on the assertion that states it, and on no other one.
#[test]
fn a_bound_that_rests_on_a_false_assertion_is_told_as_that_one_s() {
    // No lower bound refutes it: a sorted list takes no more.
    let trusted = ":- trust pred ins(A, B) : list(int) * var => list(int) * list(int) + (not_fails, is_det, cost(ub, steps, 2*length(A)+1)).\n";
    let program =
        format!("{trusted}%! use(+A:list(int), -B) is det.\nuse(A, B) :- ins(A, B).\n{PROGRAM}");
    let (code, found) = validate(&program, &["use/2", "--sizes", "0,1,2,3"]);
    assert_eq!((code, &found["holds"]), (Some(1), &json!(false)));
    let steps = steps(&found);
    assert_eq!(steps["asserted"], json!(["p.pl:1"]));
    let wrong = steps["violations"].as_array().unwrap();
    assert!(wrong.iter().all(|v| v["whose"] == "assertion"), "{wrong:?}");
    // The smallest size comes first.
    assert_eq!(wrong[0]["sizes"], json!({"n": 2}));
    assert_eq!(
        (&wrong[0]["counted"], &wrong[0]["value"]),
        (&json!(7), &json!("6"))
    );
    assert!(
        steps["observations"][1]["holds"] == true && steps["observations"][2]["holds"] == false
    );

    let folder = folder(&[("p.pl", &program)]);
    let out = run(
        folder.path(),
        &["validate", "p.pl", "use/2", "--sizes", "0,1,2,3"],
    );
    let said = text(&out.stdout);
    assert!(
        said.contains("p.pl:1 asserts") && !said.contains("mistake of Costlens"),
        "{said}"
    );
    let zero = run(
        folder.path(),
        &["validate", "p.pl", "use/2", "--sizes", "2", "--exit-zero"],
    );
    assert_eq!(zero.status.code(), Some(0));
    // A predicate that the assertion does not cover has its own bound.
    let other = run(
        folder.path(),
        &["validate", "p.pl", "nrev/2", "--sizes", "3"],
    );
    assert_eq!(other.status.code(), Some(0), "{other:?}");
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let arguments = ["ins/2", "--sizes", "0,1,2,3,5,8", "--limit-time", "600"];
    let with = |seed| validate(PROGRAM, &[&arguments[..], &["--seed", seed]].concat()).1;
    let one = with("7");
    assert_eq!(one, with("7"));
    assert_ne!(steps(&one), steps(&with("8")));
}

#[test]
fn what_has_effects_runs_only_where_that_is_asked_for() {
    let said = refused(PROGRAM, &["say/1"]);
    assert!(
        said.contains("`write`") && said.contains("--run-anyway"),
        "{said}"
    );
    let (code, found) = validate(PROGRAM, &["say/1", "--run-anyway", "--sizes", "0,3"]);
    assert_eq!(code, Some(0));
    assert_eq!(steps(&found)["observations"][1]["most"], 4);
    // Each run has its own machine: no run sees clauses that another one asserts.
    let (_, found) = validate(PROGRAM, &["noted/1", "--run-anyway", "--sizes", "1,2,3"]);
    let rows = steps(&found)["observations"].as_array().unwrap().clone();
    assert!(
        rows.iter().all(|row| row["most"] == rows[0]["most"]),
        "{rows:?}"
    );
}

#[test]
fn what_runs_count_otherwise_is_not_compared() {
    let said = refused(PROGRAM, &["lambda/2"]);
    assert!(said.contains("does not count `>>` as bounds do"), "{said}");
    let tabled = ":- table f/1.\nf(0).\nf(N) :- N > 0, M is N-1, f(M).\n";
    assert!(refused(tabled, &["f/1"]).contains("tabled"));
    assert!(refused(PROGRAM, &["nothing/7"]).contains("does not define `nothing/7`"));
    assert!(
        refused(PROGRAM, &["nrev/2", "--at", "2=5"])
            .contains("depends on n, the length of argument 1")
    );
}

#[test]
fn a_run_without_end_is_cut_off() {
    let endless = "%! loop(+N:int) is det.\nloop(N) :- N > 3, loop(N).\nloop(N) :- N =< 3.\n";
    let (code, found) = validate(endless, &["loop/1", "--limit-steps", "500"]);
    assert_eq!(code, Some(0));
    assert_eq!(found["patterns"][0]["stopped"], json!(["steps"]));
    let rows = steps(&found)["observations"].as_array().unwrap();
    let cut: Vec<&Value> = rows.iter().filter(|row| row["cut"] != 0).collect();
    assert!(
        !cut.is_empty() && cut.iter().all(|row| row["sizes"]["n"].as_i64() > Some(3)),
        "{rows:?}"
    );
}

#[test]
fn other_events_are_counted_too() {
    let (code, found) = validate(
        PROGRAM,
        &["nrev/2", "--resource", "all", "--sizes", "0,2,4"],
    );
    assert_eq!(code, Some(0));
    let resources = found["patterns"][0]["resources"].as_object().unwrap();
    assert!(
        resources.len() > 5 && resources.contains_key("get_list"),
        "{resources:?}"
    );
    let said = refused_resource("giunif");
    assert!(said.contains("runs do not count `giunif`"), "{said}");
}

fn refused_resource(name: &str) -> String {
    let folder = folder(&[("p.pl", PROGRAM)]);
    let out = run(
        folder.path(),
        &["validate", "p.pl", "nrev/2", "--resource", name],
    );
    assert_eq!(out.status.code(), Some(2));
    text(&out.stderr)
}

#[test]
fn a_picture_and_a_page_are_written() {
    let folder = folder(&[("p.pl", PROGRAM)]);
    let arguments = [
        "validate",
        "p.pl",
        "ins/2",
        "--sizes",
        "0,1,2,4,8",
        "--svg",
        "p.svg",
        "--html",
        "p.html",
    ];
    let out = run(folder.path(), &arguments);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let svg = read("p.svg");
    assert!(
        svg.contains("observed") && svg.contains("upper") && svg.contains("lower"),
        "{svg}"
    );
    let page = read("p.html");
    assert!(
        page.contains(svg.trim()) && page.contains("<th scope=\"col\""),
        "{page}"
    );
    assert!(
        !["src=", "url(", "<link", "@import"]
            .iter()
            .any(|loads| page.contains(loads)),
        "a page loads nothing"
    );
    let nothing = run(
        folder.path(),
        &[
            "validate",
            "p.pl",
            "ins/2",
            "--html",
            "no/p.html",
            "--sizes",
            "1",
        ],
    );
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("cannot write `no/p.html`"));
}

#[test]
fn a_program_of_several_files_runs_whole() {
    let folder = folder(&[
        (
            "main.pl",
            ":- use_module(lib).\n%! twice(+Xs:list, -Ys) is det.\ntwice(Xs, Zs) :- rev(Xs, Ys), rev(Ys, Zs).\n",
        ),
        (
            "lib.pl",
            ":- module(lib, [rev/2]).\n%! rev(+Xs:list, -Ys:list) is det.\nrev(Xs, Ys) :- rev(Xs, [], Ys).\nrev([], Ys, Ys).\nrev([X|Xs], As, Ys) :- rev(Xs, [X|As], Ys).\n",
        ),
    ]);
    let out = run(
        folder.path(),
        &[
            "validate", "main.pl", "twice/2", "--sizes", "0,5,10", "--format", "json",
        ],
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert_eq!(steps(&json_of(&out))["observations"][2]["most"], 25);
}

/// Rows of times have the same shape as those of counts; the times depend on the machine.
#[test]
fn inputs_are_timed_on_an_engine() {
    let (code, found) = validate(
        PROGRAM,
        &["ins/2", "--engine", "swi", "--sizes", "1,4,12,90"],
    );
    assert_eq!((code, &found["holds"]), (Some(0), &json!(true)));
    assert_eq!(found["engine"], "swi");
    let pattern = &found["patterns"][0];
    assert!(pattern["resources"]["steps"].is_object(), "counts as well");
    let time = &pattern["time"];
    let said = |name: &str| time[name].as_str().unwrap().to_owned();
    assert!(said("engine").starts_with("SWI-Prolog "), "{time}");
    assert!(said("platform").starts_with("swi-"), "{time}");
    assert_eq!(
        (&time["not_measured"], &time["failed"]),
        (&Value::Null, &json!([]))
    );
    let rows = time["measured"]["observations"].as_array().unwrap();
    let sizes: Vec<i64> = { rows.iter() }
        .map(|row| row["sizes"]["n"].as_i64().unwrap())
        .collect();
    assert_eq!(sizes, [1, 4, 12, 90]);
    let inputs: u64 = rows.iter().map(|row| row["runs"].as_u64().unwrap()).sum();
    assert_eq!(time["inputs"], inputs);
    for row in rows {
        let (least, most) = (
            row["least"].as_u64().unwrap(),
            row["most"].as_u64().unwrap(),
        );
        assert!(0 < least && least <= most, "{row}");
        assert!(row["upper"].as_f64().unwrap() > 0.0, "{row}");
    }
    // The worst of ninety elements takes four thousand steps more than the best of one.
    assert!(
        rows[3]["most"].as_u64() > rows[0]["most"].as_u64(),
        "{rows:?}"
    );
    let fitted = &time["measured"]["fitted"];
    assert_eq!(
        (&fitted["status"], &fitted["of_bound"]),
        (&json!("obs"), &json!(true))
    );
    let outsiders = time["outsiders"].as_array().unwrap();
    assert_eq!(outsiders.is_empty(), time["outside"] == 0);
}

/// Reports a skipped test and returns true if GNU Prolog is missing.
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
fn gnu_prolog_is_missing() -> bool {
    let mut version = Command::new("gplc");
    version.arg("--version");
    version.stdout(Stdio::null()).stderr(Stdio::null());
    if version.status().is_ok() {
        return false;
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "no gplc");
    eprintln!("skipped: there is no gplc");
    true
}

#[test]
fn a_compiler_of_native_code_has_large_inputs_too() {
    if gnu_prolog_is_missing() {
        return;
    }
    let (code, found) = validate(
        PROGRAM,
        &["nrev/2", "--engine", "gnu", "--sizes", "0,3,150"],
    );
    assert_eq!(code, Some(0));
    let time = &found["patterns"][0]["time"];
    assert_eq!(time["failed"], json!([]), "{time}");
    assert!(time["engine"].as_str().unwrap().starts_with("GNU Prolog "));
    let rows = time["measured"]["observations"].as_array().unwrap();
    assert_eq!(rows.len(), 3, "{time}");
}

#[test]
fn times_are_told_drawn_and_put_on_a_page() {
    let folder = folder(&[("p.pl", PROGRAM)]);
    let arguments = [
        "validate",
        "p.pl",
        "nrev/2",
        "--engine",
        "swi-O",
        "--sizes",
        "0,5,10,20,40",
        "--svg",
        "p.svg",
        "--html",
        "p.html",
    ];
    let out = run(folder.path(), &arguments);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let said = text(&out.stdout);
    for part in [
        "time on SWI-Prolog ",
        " -O: ",
        "constants of swi-",
        "fitted to the most that was measured: ",
        "most measured / upper bound: up to ",
        "measured: all solutions of 5 inputs, the medians of 3 processes",
        "inputs  lower",
        "no bound was contradicted in ",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert!(text(&out.stderr).contains("process 3 of 3"), "{out:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let svg = read("p.svg");
    assert!(
        svg.contains("time in ") && svg.contains("observed"),
        "{svg}"
    );
    let page = read("p.html");
    assert!(page.contains(svg.trim()) && page.contains("Times on SWI-Prolog "));
}

#[test]
fn what_an_engine_does_not_run_is_told() {
    // The engine has the program under other names: `max` is then not one of its arithmetic functions.
    let program = "%! max(+X:int, +Y:int, -Z:int) is det.\nmax(X, Y, Z) :- Z is max(X, Y).\n";
    let said = refused(program, &["max/3", "--engine", "swi"]);
    assert!(
        said.contains("has no times on SWI-Prolog")
            && said.contains("max/2")
            && !said.contains("w0_"),
        "{said}"
    );
    let said = refused(PROGRAM, &["say/1", "--engine", "swi"]);
    assert!(
        said.contains("on `swi` of this machine, with all that it does"),
        "{said}"
    );
    let said = refused(
        PROGRAM,
        &["nrev/2", "--engine", "swi", "--program", "no-such-swipl"],
    );
    assert!(said.contains("SWI-Prolog is not to be had"), "{said}");
    let said = refused(
        PROGRAM,
        &["nrev/2", "--engine", "swi", "--platform", "none"],
    );
    assert!(said.contains("no platform is called `none`"), "{said}");
    let conditional = format!(":- if(true).\n{PROGRAM}:- endif.\n");
    let said = refused(&conditional, &["nrev/2", "--engine", "swi"]);
    assert!(said.contains("`:- if`"), "{said}");
}

/// Libraries whose steps the machine does not count run on an engine.
#[test]
fn what_the_machine_does_not_count_has_times() {
    let (code, found) = validate(
        PROGRAM,
        &["lambda/2", "--engine", "swi", "--sizes", "0,3,30"],
    );
    assert_eq!(code, Some(0));
    assert!(
        found["not_counted"].as_str().unwrap().contains(">>"),
        "{found}"
    );
    let pattern = &found["patterns"][0];
    assert_eq!(pattern["resources"], json!({}));
    assert_eq!(pattern["time"]["failed"], json!([]), "{pattern}");
}
