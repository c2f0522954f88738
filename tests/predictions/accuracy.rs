//! Accuracy on fixed seeds.

use costlens_history::predict::Method;

use crate::goals::{filters, powers};
use crate::subject::{Counted, How, Subject};

#[test]
fn fits_of_inferred_inputs_are_three_times_as_good_as_neighbours_in_all() {
    let subject = Subject::new("filter.pl");
    let runs = subject.runs(&filters(120, 1));
    let goals = filters(15, 2);
    let counted: Vec<Counted> = goals.iter().map(|g| subject.run(g)).collect();
    let error = |how| subject.error(&runs, &goals, &counted, how);
    let (plain, annotated) = (error(How::Plain(None)), error(How::Annotated(None)));
    let (inferred, full) = (error(How::Inferred(None)), error(How::Full));
    println!("plain {plain:.4} annotated {annotated:.4} inferred {inferred:.4} full {full:.4}");
    assert!(full <= plain / 3.0, "{full} {plain}");
    // docs/prediction.md quotes these two.
    assert!((plain - 0.211).abs() < 0.0006 && (annotated - 0.089).abs() < 0.0006);
    assert!(annotated < plain / 2.0, "{annotated} {plain}");
    // Inferred inputs are those of the annotations.
    assert!(inferred <= annotated, "{inferred} {annotated}");
}

#[test]
fn counts_that_are_functions_of_the_inputs_have_no_error() {
    let subject = Subject::new("matrix.pl");
    let runs = subject.runs(&powers(120, 3));
    // Half of them larger than any run.
    let mut goals = powers(6, 4);
    goals.extend(["power(20, 5, M)", "power(3, 14, M)", "power(15, 12, M)"].map(ToOwned::to_owned));
    for goal in goals {
        let counted = subject.run(&goal);
        let found = subject.predict(&runs, &goal, How::Full);
        for block in &found.blocks {
            let count = subject.reached(&counted, &block.name);
            // Elements are reduced modulo 1009, so their size has no effect: the counts depend only on P and D.
            assert_eq!(block.reached, count, "{goal}: {block:?}");
            assert!(block.method <= Method::Exact, "{goal}: {block:?}");
        }
        assert_eq!(found.events["steps"].value, counted.steps, "{goal}");
        let interval = found.events["steps"].interval;
        assert_eq!(interval, Some((counted.steps, counted.steps)), "{goal}");
    }
}

/// Particles are created for each of them, intervals are traversed one after the other, results are sent to each task: the annotations of
/// hybrid prediction §V are also inferred, once runs have shown that no call fails.
#[test]
fn inferred_inputs_are_those_that_annotations_name() {
    let of = |program: &str, past: &[String], goal: &str| {
        let subject = Subject::new(program);
        let runs = subject.runs(past);
        subject.inferred(&runs, goal)
    };
    let filter = of("filter.pl", &filters(40, 1), "filter(9, 7, 5, S)");
    let matrix = of("matrix.pl", &powers(40, 1), "power(5, 9, M)");
    for (found, prefix, inputs) in [
        (&filter, "particles/3 clause 2: ", vec![1]),
        (&filter, "next/2 ", vec![1]),
        (&filter, "intervals/5 clause 2: ", vec![2]),
        (&filter, "moved/3 clause 2: ", vec![1, 2]),
        (&filter, "best/3 clause 2: ", vec![1, 2]),
        (&filter, "kept/3 clause 2: ", vec![1, 2]),
        (&filter, "spread/4 clause 2: ", vec![1, 2]),
        (&filter, "report/3 clause 2: ", vec![2, 3]),
        (&matrix, "powers/4 clause 2: ", vec![1]),
        (&matrix, "rows/3 clause 2: ", vec![2]),
        (&matrix, "units/3 clause 2: ", vec![2]),
        (&matrix, "sum/3 clause 2: ", vec![1, 2]),
    ] {
        let own: Vec<_> = found
            .iter()
            .filter(|(name, _)| name.starts_with(prefix))
            .collect();
        assert!(!own.is_empty(), "{prefix}");
        for (name, set) in own {
            assert_eq!(set.as_ref(), Some(&inputs), "{name}");
        }
    }
}
