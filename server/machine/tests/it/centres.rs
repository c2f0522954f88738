//! Cost centres: ports of small programs that can be counted by hand, and of random programs compared with the ports of all predicates.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use costlens_machine::{
    Amounts, Answer, CentreName, CentrePorts, Edge, Enter, Leave, Limits, Machine, Measured, Plan,
    Resource,
};
use proptest::prelude::*;

use crate::centre_programs::{PREDICATES, programs};

fn no_clock() -> u64 {
    0
}

fn plan(predicates: &[(&str, usize)]) -> Plan {
    Plan {
        predicates: predicates.iter().map(|&(n, a)| (n.into(), a)).collect(),
        literals: true,
        events: true,
        low_level: false,
        every_call: false,
    }
}

struct Run {
    measured: Option<Measured>,
    answers: Vec<String>,
    machine: Machine,
}

/// Runs a goal to its last solution, an exception or a limit.
fn run(program: &str, goal: &str, plan: Option<&Plan>, limits: Limits) -> Run {
    let mut machine = Machine::counting(limits);
    let errors = machine.load(program);
    assert!(errors.is_empty(), "{program}{errors:?}");
    let (goal, names) = machine.read_goal(goal).unwrap();
    if let Some(plan) = plan {
        assert_eq!(machine.profile(plan, no_clock), []);
    } else {
        machine.count_ports();
        machine.forget_counts();
    }
    machine.start(goal);
    let mut answers = Vec::new();
    loop {
        let answer = match machine.next_answer() {
            Answer::Yes { .. } => {
                let goal = machine.text_of(goal, &names);
                answers.push(goal);
                continue;
            }
            Answer::No => "no".to_owned(),
            Answer::Error(ball) => machine.text_of(ball, &[]),
            Answer::Limit(limit) => limit.to_string(),
        };
        answers.push(answer);
        break;
    }
    Run {
        measured: machine.measured(),
        answers,
        machine,
    }
}

fn name(measured: &Measured, centre: usize) -> String {
    match &measured.centres[centre].name {
        CentreName::Remainder => "-".to_owned(),
        CentreName::Predicate(name, arity) => format!("{name}/{arity}"),
        CentreName::Literal(name) => name.clone(),
    }
}

/// Formats edges as `p/1 -> q/1: call exit 1, redo fail 1; steps 3`.
fn shown(program: &str, goal: &str, plan: &Plan) -> Vec<String> {
    let measured = run(program, goal, Some(plan), Limits::default())
        .measured
        .unwrap();
    let line = |e: &Edge| {
        let ports: Vec<String> = (e.ports.pairs())
            .filter(|(_, _, pair)| pair.count > 0)
            .map(|(enter, leave, pair)| {
                format!("{enter:?} {leave:?} {}", pair.count).to_lowercase()
            })
            .collect();
        format!(
            "{} -> {}: {}; steps {}",
            name(&measured, e.from),
            name(&measured, e.to),
            ports.join(", "),
            e.ports.used().amount(Resource::Steps)
        )
    };
    measured.edges.iter().map(line).collect()
}

const BELOW: &str = "- -> -: call exit 1, redo fail 1; steps 0";

#[test]
fn facts_and_conjunctions() {
    let program = "p(X) :- q(X), r(X).\nq(1). q(2). q(3).\nr(2). r(3).\n";
    assert_eq!(
        shown(program, "p(X)", &plan(&[("p", 1), ("q", 1), ("r", 1)])),
        [
            // p(2), then p(3), after which q leaves no choice point.
            "- -> -: call exit 1, redo exit 1, redo fail 1; steps 0",
            "- -> p/1: call exit 1, redo exit 1; steps 1",
            "p/1 -> q/1: call exit 1, redo exit 2; steps 3",
            "p/1 -> r/1: call exit 2, call fail 1; steps 2",
        ]
    );
    // The use of a predicate that is not a centre is charged to its caller.
    assert_eq!(
        shown(program, "p(X)", &plan(&[("p", 1)])),
        [
            "- -> -: call exit 1, redo exit 1, redo fail 1; steps 0",
            "- -> p/1: call exit 1, redo exit 1; steps 6",
        ]
    );
}

#[test]
fn the_same_centre_from_two_others() {
    let program = "a :- b(1), c.\nb(N) :- d(N).\nc :- d(1), d(2).\nd(1) :- e. d(2).\ne.\n";
    let centres = plan(&[("b", 1), ("c", 0), ("d", 1)]);
    assert_eq!(
        shown(program, "a", &centres),
        [
            "- -> -: call exit 1, redo fail 1; steps 1",
            "- -> b/1: call exit 1; steps 1",
            "b/1 -> d/1: call exit 1; steps 2",
            "- -> c/0: call exit 1; steps 1",
            "c/0 -> d/1: call exit 2; steps 3",
        ]
    );
}

#[test]
fn cuts_through_a_centre() {
    // The cut removes q's choice point, so nothing is redone.
    let program = "p :- q(X), !, r(X).\nq(1). q(2).\nr(2).\n";
    assert_eq!(
        shown(program, "p", &plan(&[("p", 0), ("q", 1), ("r", 1)])),
        [
            "- -> -: call fail 1; steps 0",
            "- -> p/0: call fail 1; steps 1",
            "p/0 -> q/1: call exit 1; steps 1",
            "p/0 -> r/1: call fail 1; steps 0",
        ]
    );
    // A cut in the centre is local to it.
    let program = "p(X) :- q(X).\np(3).\nq(1) :- !.\nq(2).\n";
    assert_eq!(
        shown(program, "p(X)", &plan(&[("q", 1)])),
        [
            "- -> -: call exit 1, redo exit 1, redo fail 1; steps 2",
            "- -> q/1: call exit 1; steps 1",
        ]
    );
}

#[test]
fn exceptions() {
    let program = "p(X) :- catch(q(X), oops, true).\nq(1). q(2) :- r. q(_).\nr :- s(1).\ns(_) :- throw(oops).\n";
    assert_eq!(
        shown(program, "p(X)", &plan(&[("p", 1), ("q", 1), ("s", 1)])),
        [
            "- -> -: call exit 1, redo exit 1, redo fail 1; steps 0",
            "- -> p/1: call exit 1, redo exit 1; steps 1",
            "p/1 -> q/1: call exit 1, redo exception 1; steps 3",
            "q/1 -> s/1: call exception 1; steps 1",
        ]
    );
    assert_eq!(
        shown(program, "r", &plan(&[("p", 1), ("q", 1), ("s", 1)])),
        [
            "- -> -: call exception 1; steps 1",
            "- -> s/1: call exception 1; steps 1",
        ]
    );
}

#[test]
fn literals() {
    let program =
        "p :- cost_center(first, q(1)), cost_center(second, (q(X), X > 1, !)).\nq(1). q(2).\n";
    assert_eq!(
        shown(program, "p", &plan(&[("q", 1)])),
        [
            BELOW.replace("steps 0", "steps 1"),
            "- -> first: call exit 1; steps 0".to_owned(),
            "first -> q/1: call exit 1; steps 1".to_owned(),
            "- -> second: call exit 1; steps 0".to_owned(),
            "second -> q/1: call exit 1, redo exit 1; steps 2".to_owned(),
        ]
    );
    // Without a profile it behaves like `call/1`.
    let mut machine = Machine::new(Limits::default());
    assert!(machine.load(program).is_empty());
    let (goal, _) = machine.read_goal("p").unwrap();
    machine.start(goal);
    assert!(matches!(machine.next_answer(), Answer::Yes { more: false }));
}

#[test]
fn a_recursion_stays_in_its_centre() {
    let program = "n(N) :- ( N =:= 0 -> true ; M is N-1, n(M) ).\n";
    // Less memory than a frame per call would take.
    let limits = Limits {
        cells: 2_000_000,
        ..Limits::default()
    };
    let ran = run(program, "n(1000000)", Some(&plan(&[("n", 1)])), limits);
    assert_eq!(ran.answers, ["n(1000000)", "no"]);
    let measured = ran.measured.unwrap();
    let edge = &measured.edges[1];
    assert_eq!(edge.ports.pair(Enter::Call, Leave::Exit).count, 1);
    assert_eq!(edge.ports.used().amount(Resource::Steps), 1_000_001);
    // Calls through another predicate, or as a goal, enter the centre again.
    let program = "n(N) :- m(N).\nm(0) :- !.\nm(N) :- M is N-1, n(M).\n";
    assert_eq!(
        shown(program, "n(3)", &plan(&[("n", 1)])),
        [
            BELOW,
            "- -> n/1: call exit 1; steps 2",
            "n/1 -> n/1: call exit 3; steps 6"
        ]
    );
}

#[test]
fn limits_leave_centres_open() {
    let program = "p :- q.\nq :- q.\n";
    let limits = Limits {
        steps: Some(10_000),
        ..Limits::default()
    };
    let ran = run(program, "p", Some(&plan(&[("p", 0), ("q", 0)])), limits);
    let measured = ran.measured.unwrap();
    let open: Vec<u64> = (measured.edges.iter())
        .map(|e| e.ports.pair(Enter::Call, Leave::Open).count)
        .collect();
    assert_eq!(open, [1, 1, 1]);
    assert!(measured.edges[2].ports.used().amount(Resource::Steps) > 9_000);
}

#[test]
fn cuts_are_told_by_what_they_remove() {
    let program = "p :- q(_), !.\nq(1). q(2). q(3).\nr :- q(1), !.\n";
    let cuts = |goal: &str| {
        let measured = run(program, goal, Some(&plan(&[])), Limits::default()).measured;
        let total = measured.unwrap().total;
        [Resource::Cuts, Resource::UselessCuts, Resource::Skips].map(|r| total.amount(r))
    };
    assert_eq!(cuts("p"), [1, 0, 1]);
    // The index selects a single clause.
    assert_eq!(cuts("r"), [0, 1, 0]);
}

// --- random programs --------------------------------------------------------------------------------------------------

fn sum<'a>(amounts: impl Iterator<Item = &'a Amounts>) -> Amounts {
    let mut sum = Amounts::default();
    amounts.for_each(|a| sum.add(a));
    sum
}

fn counts(ports: &CentrePorts) -> [u64; 4] {
    let of = |wanted: &dyn Fn(Enter, Leave) -> bool| {
        let pairs = ports.pairs().filter(|(e, l, _)| wanted(*e, *l));
        pairs.map(|(_, _, pair)| pair.count).sum()
    };
    [
        of(&|e, _| e == Enter::Call),
        of(&|_, l| l == Leave::Exit),
        of(&|e, _| e == Enter::Redo),
        of(&|_, l| l == Leave::Fail),
    ]
}

fn few() -> Limits {
    Limits {
        steps: Some(3000),
        ..Limits::default()
    }
}

const ALL: [(&str, usize); PREDICATES] = [("p0", 1), ("p1", 1), ("p2", 1), ("p3", 1), ("p4", 1)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
    ))]

    /// Lemmas 1 and 2 of the paper, checked against sums over paths and the counts of a run without a profile. The profile must not change
    /// any answer.
    #[test]
    fn sums(program in programs(), chosen in prop::collection::vec(any::<bool>(), PREDICATES), every_call: bool, dynamic: bool) {
        let plain = run(&program, "p0(X)", None, few());
        let mut centres: Vec<(&str, usize)> = (ALL.into_iter().zip(chosen)).filter(|(_, c)| *c).map(|(p, _)| p).collect();
        if dynamic {
            centres.push(("d", 1));
        }
        let plan = Plan { every_call, ..plan(&centres) };
        let profiled = run(&program, "p0(X)", Some(&plan), few());
        prop_assert_eq!(&plain.answers, &profiled.answers);
        let measured = profiled.measured.unwrap();
        for (number, centre) in measured.centres.iter().enumerate() {
            let of_edges: Vec<Amounts> = measured.edges.iter().filter(|e| e.to == number).map(|e| e.ports.used()).collect();
            let of_edges = sum(of_edges.iter());
            let of_paths = sum(measured.nodes.iter().filter(|n| n.centre == number).map(|n| &n.used));
            prop_assert_eq!(of_edges, of_paths, "{:?}", &centre.name);
            for resource in Resource::ALL {
                prop_assert!(centre.accumulated.amount(resource) >= of_edges.amount(resource));
            }
        }
        prop_assert_eq!(sum(measured.nodes.iter().map(|n| &n.used)), measured.total);
        prop_assert_eq!(measured.centres[0].accumulated, measured.total);
        let events: BTreeMap<_, _> = plain.machine.events();
        for (resource, name) in [
            (Resource::Steps, "steps"),
            (Resource::HeadUnifications, "head_unifications"),
            (Resource::HeapCells, "heap_cells"),
            (Resource::ChoicePoints, "choice_points"),
        ] {
            prop_assert_eq!(measured.total.amount(resource), events.get(name).copied().unwrap_or(0), "{}", name);
        }
        // Every entered box must be left.
        let root = counts(&measured.edges[0].ports);
        let left: u64 = measured.edges[0].ports.pairs().map(|(_, _, pair)| pair.count).sum();
        prop_assert_eq!(root[0] + root[2], left);
    }

    /// Ports of centres must equal ports of predicates if each call enters the centre and no literal is a centre.
    #[test]
    fn ports(program in programs()) {
        let plain = run(&program, "p0(X)", None, few());
        let plan = Plan { every_call: true, literals: false, ..plan(&ALL) };
        let profiled = run(&program, "p0(X)", Some(&plan), few());
        prop_assert_eq!(&plain.answers, &profiled.answers);
        let measured = profiled.measured.unwrap();
        for ports in plain.machine.ports() {
            let wanted = CentreName::Predicate(ports.name.clone(), ports.arity);
            let Some(number) = measured.centres.iter().position(|c| c.name == wanted) else {
                continue;
            };
            let mut all = CentrePorts::default();
            measured.edges.iter().filter(|e| e.to == number).for_each(|e| all.add(&e.ports));
            prop_assert_eq!(counts(&all), [ports.call, ports.exit, ports.redo, ports.fail], "{:?}\n{}", wanted, &program);
        }
    }

    /// Ports must be the same whether or not events are recorded.
    #[test]
    fn ports_alone(program in programs()) {
        let with = run(&program, "p0(X)", Some(&plan(&ALL)), few()).measured.unwrap();
        let without = Plan { events: false, ..plan(&ALL) };
        let without = run(&program, "p0(X)", Some(&without), few()).measured.unwrap();
        prop_assert_eq!(with.edges.len(), without.edges.len());
        for (one, other) in with.edges.iter().zip(&without.edges) {
            prop_assert_eq!((one.from, one.to), (other.from, other.to));
            for ((_, _, a), (_, _, b)) in one.ports.pairs().zip(other.ports.pairs()) {
                prop_assert_eq!(a.count, b.count);
                prop_assert_eq!(b.used.amount(Resource::Steps), 0);
            }
        }
    }
}
