use super::*;
use crate::run::{InputValue, Measure, PastRun, RunBlock};
use crate::testing::Random;

fn input(argument: usize, value: f64) -> (InputName, InputValue) {
    let name = InputName {
        argument,
        measure: Measure::Int,
    };
    (name, InputValue::Number(value))
}

fn block(name: &str) -> RunBlock {
    RunBlock {
        name: name.into(),
        events: vec![("steps".into(), 1), ("get_list".into(), 2)],
        fails: vec!["get_list".into()],
    }
}

/// Returns runs with two inputs, whose block counts are these functions; one pass of each block takes 10, 20, … ns.
fn runs(count: usize, blocks: &[&dyn Fn(f64, f64) -> u64], seed: u64) -> Runs {
    let mut random = Random::new(seed);
    let mut found = Runs {
        blocks: (0..blocks.len()).map(|n| block(&format!("b{n}"))).collect(),
        runs: Vec::new(),
    };
    for _ in 0..count {
        let (a, b) = (
            (random.unit() * 40.0).floor(),
            (random.unit() * 30.0).floor(),
        );
        let counts: Vec<(u64, u64)> = blocks.iter().map(|f| (f(a, b), 0)).collect();
        let ns = (1..).zip(&counts).map(|(n, (k, _))| 10 * n * k).sum();
        found.runs.push(PastRun {
            at: 0,
            platform: "embedded".to_owned(),
            ns,
            inputs: vec![input(1, a), input(2, b)],
            counts,
            amounts: vec![("heap_cells".into(), counts_of(a, b))],
        });
    }
    found
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn counts_of(a: f64, b: f64) -> u64 {
    (2.0 * a + 3.0 * b) as u64
}

fn knowledge(depends: &dyn Fn(&str) -> Option<(ArgumentSet, bool)>) -> ProgramKnowledge<'_> {
    ProgramKnowledge {
        depends,
        allows: &|_| true,
        sizes: Vec::new(),
        shapes: Vec::new(),
        with: With::All,
        timed: true,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(value: f64) -> u64 {
    value as u64
}

#[test]
fn counts_that_are_functions_of_inputs_are_met_where_no_run_has_been() {
    let runs = runs(
        60,
        &[
            &|_, _| 1,
            &|a, _| whole(a * a + 1.0),
            &|a, b| whole(a * b),
            &|_, b| whole(b * (b - 1.0) / 2.0),
        ],
        5,
    );
    let nothing = |_: &str| None;
    let found = predict(
        &runs,
        &vec![input(1, 100.0), input(2, 50.0)],
        &knowledge(&nothing),
    )
    .unwrap();
    let reached: Vec<f64> = found.blocks.iter().map(|b| b.reached).collect();
    assert_eq!(reached, [1.0, 10_001.0, 5000.0, 1225.0]);
    assert_eq!(found.blocks[0].method, Method::Constant);
    assert!(found.blocks[1..].iter().all(|b| b.method == Method::Exact));
    let steps = &found.events["steps"];
    assert_eq!(steps.value, 16_227.0);
    assert_eq!(steps.interval, Some((16_227.0, 16_227.0)));
    assert_eq!(found.events["get_list"].value, 2.0 * 16_227.0);
    assert_eq!(found.events["heap_cells"].value, 350.0);
    assert_eq!(found.outside.len(), 2);
    let time = found.time.unwrap();
    let wanted = 10.0 + 20.0 * 10_001.0 + 30.0 * 5000.0 + 40.0 * 1225.0;
    assert!(
        (time.value / wanted - 1.0).abs() < 0.05,
        "{time:?} {wanted}"
    );
}

/// Hybrid prediction §V: the estimate of a block that depends on one of two inputs is better if it uses runs that are close in this input.
#[test]
fn dependences_make_neighbours_better() {
    // This function jumps, so no fitted function describes it.
    let jumps = |a: f64| whole(100.0 + (a * 7919.0) % 101.0);
    let runs = runs(80, &[&|a, _| jumps(a)], 9);
    let off = |depends: &dyn Fn(&str) -> Option<(ArgumentSet, bool)>| -> f64 {
        let mut sum = 0.0;
        for a in 0..40_u32 {
            let a = f64::from(a);
            let knowledge = ProgramKnowledge {
                with: With::Neighbours(None),
                timed: true,
                ..knowledge(depends)
            };
            let found = predict(&runs, &vec![input(1, a), input(2, 15.0)], &knowledge).unwrap();
            #[allow(clippy::cast_precision_loss)]
            let wanted = jumps(a) as f64;
            sum += (found.blocks[0].reached - wanted).abs() / wanted / 40.0;
        }
        sum
    };
    let (with, without) = (off(&|_| Some((ArgumentSet::one(0), false))), off(&|_| None));
    assert!(with < without / 3.0, "{with} {without}");
}

#[test]
fn a_dependence_that_is_too_small_is_left() {
    let jumps = |b: f64| whole(100.0 + ((b / 6.0).floor() * 7919.0) % 101.0);
    let runs = runs(150, &[&|_, b| jumps(b)], 9);
    let wrong = |_: &str| Some((ArgumentSet::one(0), false));
    let found = predict(
        &runs,
        &vec![input(1, 3.0), input(2, 15.0)],
        &knowledge(&wrong),
    )
    .unwrap();
    assert_eq!(found.blocks[0].inputs.len(), 2, "{:?}", found.blocks);
    // An annotated set of inputs must not be replaced.
    let annotated = |_: &str| Some((ArgumentSet::one(0), true));
    let found = predict(
        &runs,
        &vec![input(1, 3.0), input(2, 15.0)],
        &knowledge(&annotated),
    )
    .unwrap();
    assert_eq!(found.blocks[0].inputs.len(), 1, "{:?}", found.blocks);
}

#[test]
fn inputs_that_may_not_be_used_are_not() {
    let runs = runs(40, &[&|a, _| whole(a)], 2);
    let nothing = |_: &str| None;
    let second = |name: &InputName| name.argument == 2;
    let knowledge = ProgramKnowledge {
        allows: &second,
        ..knowledge(&nothing)
    };
    let found = predict(&runs, &vec![input(1, 30.0), input(2, 15.0)], &knowledge).unwrap();
    assert_eq!(found.inputs.len(), 1);
    assert_ne!(found.blocks[0].method, Method::Exact);
}

#[test]
fn few_runs_give_no_prediction() {
    let nothing = |_: &str| None;
    let asked = vec![input(1, 1.0), input(2, 1.0)];
    assert!(predict(&runs(2, &[&|_, _| 1], 1), &asked, &knowledge(&nothing)).is_none());
    let few = predict(
        &runs(4, &[&|a, _| whole(a)], 1),
        &asked,
        &knowledge(&nothing),
    )
    .unwrap();
    assert!(few.time.is_none() && few.events["steps"].interval.is_none());
}

/// For runs with random noise, the intervals must cover their share of new calls.
#[test]
fn intervals_hold_their_share() {
    let mut random = Random::new(77);
    let (mut held, mut asked) = (0_u32, 0_u32);
    for seed in 0..5 {
        let mut noise: Vec<f64> = (0..400).map(|_| random.unit()).collect();
        let mut found = runs(100, &[&|a, b| whole(50.0 + 20.0 * a + b)], seed);
        let mut disturb = |run: &mut PastRun| {
            let share = noise.pop().unwrap_or(0.5);
            let count = f64::from(u32::try_from(run.counts[0].0).unwrap());
            run.counts[0].0 = whole(count * (0.5 + share));
        };
        found.runs.iter_mut().for_each(&mut disturb);
        let mut new = runs(30, &[&|a, b| whole(50.0 + 20.0 * a + b)], seed + 100);
        new.runs.iter_mut().for_each(&mut disturb);
        for run in new.runs {
            let nothing = |_: &str| None;
            let predicted = predict(&found, &run.inputs, &knowledge(&nothing)).unwrap();
            let (low, high) = predicted.events["steps"].interval.unwrap();
            let count = f64::from(u32::try_from(run.counts[0].0).unwrap());
            asked += 1;
            held += u32::from(low <= count && count <= high);
        }
    }
    let share = f64::from(held) / f64::from(asked);
    assert!((0.72..0.9).contains(&share), "{share}");
}
