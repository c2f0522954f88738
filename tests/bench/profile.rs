//! The cost of profiles on the embedded machine: the columns of Table 1 of Mera et al. (2010) for the programs of its Appendix A, which are
//! written from their descriptions (`tests/profile/appendix`). The only assertion is that all goals are true; the times are only printed.
//!
//! `cargo bench -p costlens-profile --bench profile`, with `-- NAME` for one program.
//!
//! - `Obs`: milliseconds without a profile, the least of several runs.
//! - `Est. hl`, `Est. ll`: the sum of the times in the profile, without and with hooks, as a multiple of `Obs`.
//! - `#it`, `ovb`: the number of profiles that the search for the bottleneck takes, by time and with one predicate at a time, and its other
//!   overhead, in percent of `Obs` for each.
//! - `cchl`, `ll`, `ccll`: the time of a profiled run, as a multiple of `Obs`: with the centres that the search finds and without hooks,
//!   with the hooks of the low level and no centre, with both. The paper's own averages are listed below (Intel, not optimised). `events`
//!   is with the centres and hooks for events, but without the heads of clauses, which the paper does not have.
//!
//! Without a profile centres cost nothing here, so that the paper's *Call Overhead* is 1, and there is nothing to optimise in a program.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::Path;
use std::time::{Duration, Instant};

use costlens_engines::profile_clock;
use costlens_machine::{Answer, Cell, Limits, Machine, Plan, Resource};
use costlens_profile::search::{Heuristic, Predicate, search};
use costlens_profile::{Profile, defined};

/// The number of runs. The best one counts.
const RUNS: usize = 5;

/// The parts of a run that are recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Ports,
    Events,
    Heads,
}

struct Program {
    machine: Machine,
    plain: Machine,
    goal: Cell,
    plain_goal: Cell,
    predicates: Vec<Predicate>,
}

impl Program {
    fn new(text: &str) -> Self {
        let goal = text
            .lines()
            .find_map(|l| l.strip_prefix("% goal: "))
            .unwrap();
        let load = |mut machine: Machine| {
            assert_eq!(machine.load(text), []);
            let (goal, _) = machine.read_goal(goal).unwrap();
            (machine, goal)
        };
        let (machine, goal) = load(Machine::counting(Limits::default()));
        let (plain, plain_goal) = load(Machine::new(Limits::default()));
        Program {
            machine,
            plain,
            goal,
            plain_goal,
            predicates: defined(&costlens_syntax::read_text(text)),
        }
    }

    fn run(machine: &mut Machine, goal: Cell) -> Duration {
        let begun = Instant::now();
        machine.start(goal);
        let answer = machine.next_answer();
        assert!(matches!(answer, Answer::Yes { .. }), "{answer:?}");
        begun.elapsed()
    }

    fn observed(&self) -> Duration {
        let run = || Self::run(&mut self.plain.fork(), self.plain_goal);
        (0..RUNS).map(|_| run()).min().unwrap()
    }

    fn profile(&self, predicates: &[Predicate], level: Level) -> (Profile, Duration) {
        let mut machine = self.machine.fork();
        let plan = Plan {
            predicates: predicates.to_vec(),
            events: level != Level::Ports,
            low_level: level == Level::Heads,
            ..Plan::default()
        };
        machine.profile(&plan, profile_clock);
        let took = Self::run(&mut machine, self.goal);
        (Profile::new(machine.measured().unwrap(), &[]), took)
    }

    /// Returns the least time of a profiled run, and the sum of the times in its profile.
    fn profiled(&self, predicates: &[Predicate], level: Level) -> (Duration, Duration) {
        let run = || {
            let (profile, took) = self.profile(predicates, level);
            (
                took,
                Duration::from_nanos(profile.measured.total.amount(Resource::Time)),
            )
        };
        (0..RUNS).map(|_| run()).min().unwrap()
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profile/appendix");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    println!(
        "{:<11} {:>4} {:>9} {:>8} {:>8} {:>4} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "program",
        "#P",
        "Obs ms",
        "Est. hl",
        "Est. ll",
        "#it",
        "ovb %",
        "cchl",
        "events",
        "ll",
        "ccll"
    );
    let (mut all, mut sums, mut logarithms, mut programs) = (0.0, [0.0; 6], [0.0; 6], 0.0);
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "pl"))
    {
        let name = file.file_stem().unwrap().to_str().unwrap();
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let program = Program::new(&std::fs::read_to_string(file).unwrap());
        let observed = program.observed().as_secs_f64();
        let begun = Instant::now();
        let mut profiling = Duration::ZERO;
        let mut run = |predicates: &[Predicate]| {
            let began = Instant::now();
            let (profile, _) = program.profile(predicates, Level::Ports);
            profiling += began.elapsed();
            Ok::<_, ()>(profile)
        };
        let heuristic = Heuristic::Most(1);
        let tree = search(
            &program.predicates,
            &|_| Resource::Time,
            heuristic,
            &mut run,
        )
        .unwrap();
        let iterations = tree.iterations;
        let apart = (begun.elapsed() - profiling).as_secs_f64();
        let beside = 100.0 * apart / (f64::from(u32::try_from(iterations).unwrap()) * observed);
        let centres: Vec<Predicate> = { tree.found.iter() }
            .filter_map(|f| f.predicate.clone())
            .collect();
        let (high, estimated_high) = program.profiled(&centres, Level::Ports);
        let (events, _) = program.profiled(&centres, Level::Events);
        let (low, _) = program.profiled(&[], Level::Heads);
        let (both, estimated_low) = program.profiled(&centres, Level::Heads);
        let ratios = [estimated_high, estimated_low, high, events, low, both]
            .map(|t| t.as_secs_f64() / observed);
        println!(
            "{name:<11} {:>4} {:>9.2} {:>8.2} {:>8.2} {iterations:>4} {beside:>7.2} {:>6.2} {:>6.2} {:>6.2} {:>6.2}",
            program.predicates.len(),
            observed * 1e3,
            ratios[0],
            ratios[1],
            ratios[2],
            ratios[3],
            ratios[4],
            ratios[5],
        );
        all += observed;
        programs += 1.0;
        logarithms
            .iter_mut()
            .zip(ratios)
            .for_each(|(sum, ratio)| *sum += ratio.ln());
        sums.iter_mut()
            .zip(ratios)
            .for_each(|(sum, ratio)| *sum += ratio * observed);
    }
    // Averages as in the paper, weighted by the times of the programs, and with equal weights.
    let weighted = sums.map(|sum| sum / all);
    let geometric = logarithms.map(|sum: f64| (sum / programs).exp());
    let paper = [1.25, 1.83, 1.63, f64::NAN, 4.96, 6.95];
    for (name, [a, b, c, d, e, f]) in [
        ("average", weighted),
        ("geometric", geometric),
        ("the paper's", paper),
    ] {
        let blank = "";
        println!(
            "{name:<11} {blank:>4} {blank:>9} {a:>8.2} {b:>8.2} {blank:>4} {blank:>7} {c:>6.2} {d:>6.2} {e:>6.2} {f:>6.2}"
        );
    }
}
