//! The embedded machine compared with SWI-Prolog: six classic programs and two that change their clauses, each in one process after the
//! other, with the ratio of the times.
//!
//! `cargo bench -p costlens-machine --bench machine`; with `-- --counting` the counting loop is compared with the fast one instead, and
//! `-- NAME N` runs one program alone, for a profiler. The only assertion is that both find the goals true; the times are only printed.
//! On Linux they are times on the processor, for both, so that other programs have little influence.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods)]

use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use costlens_machine::{Answer, Limits, Machine};

const PROGRAMS: &[(&str, &str, u64)] = &[
    ("nrev", include_str!("machine/nrev.pl"), 60_000),
    ("tak", include_str!("machine/tak.pl"), 100),
    ("queens", include_str!("machine/queens.pl"), 60),
    ("zebra", include_str!("machine/zebra.pl"), 300),
    ("deriv", include_str!("machine/deriv.pl"), 150_000),
    ("qsort", include_str!("machine/qsort.pl"), 20_000),
    ("counter", include_str!("machine/counter.pl"), 200_000),
    ("facts", include_str!("machine/facts.pl"), 500),
];

/// The number of runs of each, alternately. The best time, in seconds, counts.
const RUNS: usize = 5;

fn ours(program: &str, times: u64, counting: bool) -> f64 {
    let mut machine = match counting {
        true => Machine::counting(Limits::default()),
        false => Machine::new(Limits::default()),
    };
    let errors = machine.load(program);
    assert!(errors.is_empty(), "{errors:?}");
    let (goal, _) = machine.read_goal(&format!("bench({times})")).unwrap();
    let begun = now();
    machine.start(goal);
    let answer = machine.next_answer();
    assert!(matches!(answer, Answer::Yes { .. }), "{answer:?}");
    now() - begun
}

/// Returns seconds: on the processor if the system reports them (the first word of Linux' `schedstat`), otherwise by the clock.
fn now() -> f64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let on_processor = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    on_processor().map_or_else(|| BEGUN.elapsed().as_secs_f64(), |time| time / 1e9)
}

fn swipl(name: &str, times: u64) -> Option<f64> {
    let file = format!(
        "{}/../../tests/bench/machine/{name}.pl",
        env!("CARGO_MANIFEST_DIR")
    );
    let goal =
        format!("statistics(cputime,A),bench({times}),statistics(cputime,B),C is B-A,write(C),nl");
    let out = Command::new("swipl")
        .args(["-g", &goal, "-t", "halt", &file])
        .output()
        .ok()?;
    String::from_utf8(out.stdout).ok()?.trim().parse().ok()
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if let [name, times] = &arguments[..] {
        let (_, program, _) = PROGRAMS.iter().find(|p| p.0 == *name).unwrap();
        println!(
            "{name}: {:.3} s",
            ours(program, times.parse().unwrap(), false)
        );
        return;
    }
    let counting = arguments.iter().any(|a| a == "--counting");
    let other_name = if counting { "counting" } else { "swipl" };
    println!(
        "{:<8} {:>10} {:>10} {:>8}",
        "",
        "machine s",
        format!("{other_name} s"),
        "speed"
    );
    let mut logarithms = Vec::new();
    for &(name, program, times) in PROGRAMS {
        let (mut ours_alone, mut other) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..RUNS {
            ours_alone = ours_alone.min(ours(program, times, false));
            other = other.min(match counting {
                true => ours(program, times, true),
                false => swipl(name, times).unwrap_or(f64::INFINITY),
            });
        }
        let ratio = other / ours_alone;
        logarithms.push(ratio.ln());
        println!("{name:<8} {ours_alone:>10.3} {other:>10.3} {ratio:>7.2}x");
    }
    #[allow(clippy::cast_precision_loss)]
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    println!("geometric mean {mean:.2}x");
}
