//! Tests of children that resist being ended: each must end, within its limits, and no process may remain.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use costlens_engines::child::{ChildCommand, ChildLimit, ChildOutcome, End, Limits, NotRun, run};

static NEVER: AtomicBool = AtomicBool::new(false);

fn sh(script: &str) -> ChildCommand {
    ChildCommand::new("sh", ["-c", script])
}

fn seconds(n: f64) -> Duration {
    Duration::from_secs_f64(n)
}

fn short() -> Limits {
    Limits {
        wall: seconds(10.0),
        ..Limits::default()
    }
}

fn ends(call: &ChildCommand, limits: &Limits) -> ChildOutcome {
    run(call, limits, &NEVER, &mut |_| {}).unwrap()
}

/// Returns a number of seconds that no other test sleeps, and that therefore identifies this test's processes.
fn mark(n: u32) -> String {
    (1_000_000 + std::process::id() % 100_000 * 100 + n).to_string()
}

/// Returns the command lines of living processes that contain a mark.
fn left(mark: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let lines = entries.filter_map(|entry| {
        let folder = entry.ok()?.path();
        folder.file_name()?.to_str()?.parse::<u32>().ok()?;
        let line = std::fs::read(folder.join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines.filter(|line| line.contains(mark)).collect()
}

/// Checks that no process remains. Killed processes are dead at once, but the system may take a moment to remove them.
fn nobody(mark: &str) {
    let end = Instant::now() + seconds(2.0);
    while !left(mark).is_empty() && Instant::now() < end {
        std::thread::sleep(seconds(0.01));
    }
    assert_eq!(left(mark), Vec::<String>::new());
}

#[test]
fn a_child_that_ends_has_its_code_and_its_output() {
    let mut heard = Vec::new();
    let call = sh("echo out; echo err >&2; exit 3");
    let ended = run(&call, &short(), &NEVER, &mut |piece| {
        heard.extend_from_slice(piece)
    })
    .unwrap();
    assert_eq!(ended.end, End::Exited(3));
    assert_eq!(
        (&ended.stdout[..], &ended.stderr[..]),
        (&b"out\n"[..], &b"err\n"[..])
    );
    assert_eq!(heard, b"out\n");
}

#[test]
fn input_variables_and_folder_reach_the_child() {
    let folder = tempfile::tempdir().unwrap();
    let call = ChildCommand {
        input: b"hello".to_vec(),
        environment: vec![("ENGINE_TEST".into(), "a b".into())],
        folder: Some(folder.path().to_path_buf()),
        ..sh("cat; echo \" $ENGINE_TEST\"; pwd -P")
    };
    let path = folder.path().canonicalize().unwrap();
    let expected = format!("hello a b\n{}\n", path.display());
    assert_eq!(
        String::from_utf8_lossy(&ends(&call, &short()).stdout),
        expected
    );
}

#[test]
fn a_child_that_forks_twice_leaves_nobody_when_it_ends() {
    let mark = mark(1);
    let script = format!("( ( sleep {mark} & ) & ) ; sleep {mark} & echo begun");
    let begin = Instant::now();
    let ended = ends(&sh(&script), &short());
    assert_eq!(
        (ended.end, &ended.stdout[..]),
        (End::Exited(0), &b"begun\n"[..])
    );
    assert!(begin.elapsed() < seconds(5.0));
    nobody(&mark);
}

#[test]
fn a_child_that_forks_twice_leaves_nobody_when_it_is_ended() {
    let mark = mark(2);
    let limits = Limits {
        wall: seconds(0.3),
        ..Limits::default()
    };
    let ended = ends(
        &sh(&format!("( ( sleep {mark} & ) & ) ; sleep {mark}")),
        &limits,
    );
    assert_eq!(ended.end, End::Limit(ChildLimit::Wall));
    nobody(&mark);
}

/// Returns whether the system permits process namespaces.
fn has_namespaces() -> bool {
    let wrapper = [
        "--pdeathsig",
        "KILL",
        "unshare",
        "--user",
        "--map-current-user",
        "--pid",
        "--fork",
        "--kill-child",
        "true",
    ];
    Command::new("setpriv")
        .args(wrapper)
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[test]
fn a_daemon_is_ended_where_the_system_has_namespaces() {
    if !has_namespaces() {
        return;
    }
    let mark = mark(3);
    let begin = Instant::now();
    let ended = ends(&sh(&format!("setsid sleep {mark} & sleep 0.2")), &short());
    assert_eq!(ended.end, End::Exited(0));
    assert!(
        begin.elapsed() < seconds(5.0),
        "its end of the pipe is closed, too"
    );
    nobody(&mark);
}

#[test]
fn a_child_that_ignores_signals_is_ended() {
    let mark = mark(4);
    let limits = Limits {
        wall: seconds(0.3),
        ..Limits::default()
    };
    let script = format!("trap '' TERM INT HUP; sleep {mark}; sleep {mark}");
    assert_eq!(
        ends(&sh(&script), &limits).end,
        End::Limit(ChildLimit::Wall)
    );
    nobody(&mark);
}

#[test]
fn a_child_that_floods_is_ended_and_what_is_kept_fits() {
    let limits = Limits {
        output: 100_000,
        ..short()
    };
    for (script, stdout) in [("yes flood-a", 100_000), ("yes flood-b >&2", 0)] {
        let ended = ends(&sh(script), &limits);
        assert_eq!(ended.end, End::Limit(ChildLimit::Output));
        assert_eq!(
            (ended.stdout.len(), ended.stdout.len() + ended.stderr.len()),
            (stdout, 100_000)
        );
    }
    nobody("flood-a");
    nobody("flood-b");
}

#[test]
fn a_child_that_is_done_is_not_held_for_what_it_has_written() {
    let ended = ends(&sh("yes | head -c 3000000"), &short());
    assert_eq!((ended.end, ended.stdout.len()), (End::Exited(0), 3_000_000));
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_that_eats_memory_gets_no_more_than_its_share() {
    let limits = Limits {
        memory: 256 << 20,
        ..short()
    };
    let script = "awk 'BEGIN { s = \"x\"; while (length(s) < 2000000000) s = s s; print \"fed\" }'";
    let ended = ends(&sh(script), &limits);
    assert!(
        matches!(ended.end, End::Exited(1..) | End::Signal(_)),
        "{ended:?}"
    );
    assert_eq!(ended.stdout, b"");
}

#[test]
fn a_child_that_never_reads_is_ended() {
    let mark = mark(5);
    let call = ChildCommand {
        input: vec![b'x'; 1 << 20],
        ..sh(&format!("exec sleep {mark}"))
    };
    let limits = Limits {
        wall: seconds(0.3),
        ..Limits::default()
    };
    assert_eq!(ends(&call, &limits).end, End::Limit(ChildLimit::Wall));
    nobody(&mark);
}

#[test]
fn a_child_that_computes_for_ever_is_ended_by_its_own_time() {
    let limits = Limits {
        cpu: Some(seconds(1.0)),
        wall: seconds(60.0),
        ..Limits::default()
    };
    assert_eq!(
        ends(&sh("while :; do :; done"), &limits).end,
        End::Limit(ChildLimit::Cpu)
    );
    if cfg!(target_os = "linux") {
        let ignores = "trap '' XCPU; while :; do :; done";
        assert_eq!(ends(&sh(ignores), &limits).end, End::Limit(ChildLimit::Cpu));
    }
}

#[test]
fn a_silent_child_is_ended_and_one_that_speaks_is_not() {
    let limits = Limits {
        silence: Some(seconds(0.5)),
        ..short()
    };
    let speaks = "for i in 1 2 3 4 5 6 7 8; do sleep 0.1; echo $i; done";
    assert_eq!(ends(&sh(speaks), &limits).end, End::Exited(0));
    assert_eq!(
        ends(&sh("echo 1; sleep 60"), &limits).end,
        End::Limit(ChildLimit::Silence)
    );
}

#[test]
fn a_child_that_dies_has_its_signal() {
    assert_eq!(ends(&sh("kill -SEGV $$"), &short()).end, End::Signal(11));
}

#[test]
fn a_cancelled_child_ends_at_once() {
    let mark = mark(6);
    let cancel = AtomicBool::new(false);
    let call = sh(&format!(
        "trap '' TERM; echo ready; sleep {mark}; sleep {mark}"
    ));
    let (ended, asked) = std::thread::scope(|scope| {
        let asked = scope.spawn(|| {
            std::thread::sleep(seconds(0.3));
            cancel.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let ended = run(&call, &short(), &cancel, &mut |_| {}).unwrap();
        (ended, asked.join().unwrap().elapsed())
    });
    assert_eq!(
        (ended.end, &ended.stdout[..]),
        (End::Cancelled, &b"ready\n"[..])
    );
    // It takes 50 ms on an otherwise idle machine.
    assert!(asked < seconds(0.5), "{asked:?}");
    nobody(&mark);
}

#[test]
fn a_missing_program_is_an_error_of_its_own() {
    for program in ["no-such-prolog", "/no/such/prolog", "/etc/passwd", "/"] {
        let failed = run(
            &ChildCommand::new(program, ["x"]),
            &short(),
            &NEVER,
            &mut |_| {},
        );
        assert!(
            matches!(failed, Err(NotRun::Missing(_))),
            "{program}: {failed:?}"
        );
    }
}

#[test]
fn a_folder_that_is_not_there_is_an_error_of_its_own() {
    let call = ChildCommand {
        folder: Some("/no/such/folder".into()),
        ..sh("true")
    };
    assert!(matches!(
        run(&call, &short(), &NEVER, &mut |_| {}),
        Err(NotRun::Start { .. })
    ));
}

/// Not a test by itself, but the process that [`a_child_ends_with_us_where_the_system_has_namespaces`] kills.
#[test]
fn a_parent_that_waits() {
    let Ok(mark) = std::env::var("ENGINE_TEST_MARK") else {
        return;
    };
    ends(&sh(&format!("sleep {mark}; true")), &Limits::default());
}

#[test]
fn a_child_ends_with_us_where_the_system_has_namespaces() {
    if !has_namespaces() {
        return;
    }
    let mark = mark(7);
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_parent_that_waits"])
        .env("ENGINE_TEST_MARK", &mark)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let sleeps = || left(&mark).iter().any(|line| line.starts_with("sleep"));
    let end = Instant::now() + seconds(20.0);
    while !sleeps() && Instant::now() < end {
        std::thread::sleep(seconds(0.01));
    }
    assert!(sleeps(), "what the child starts runs");
    parent.kill().unwrap();
    parent.wait().unwrap();
    nobody(&mark);
}
