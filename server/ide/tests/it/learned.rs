//! Tests the programs of *Learned costs* (§5, §9, Table 2) in Prolog: bounds on time and cells, and which of two versions is faster according
//! to the shipped constants. `docs/papers.md` contains the measurements.

use std::path::Path;

use costlens_algebra::{Rat, rat};
use costlens_events::Event;
use costlens_ide::host::{File, Host};
use costlens_ide::present::values::{BoundValue, GivenSize, steps_at};
use costlens_ide::reports::bounds::PredicateBounds;
use costlens_ide::reports::crossover::{Cheaper, crossover};
use costlens_ide::resources::{Resource, prices};
use costlens_platform::stored;

fn open(name: &str) -> (Host, File) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/papers/learned");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut host = Host::new();
    let file = host.open(name, &text);
    (host, file)
}

fn bounds_named<'b>(all: &'b [PredicateBounds], predicate: &str) -> &'b PredicateBounds {
    let found = all
        .iter()
        .find(|p| p.report.predicate.to_string() == predicate);
    found.unwrap_or_else(|| panic!("{predicate}"))
}

/// Returns the upper bound with all sizes equal to 60.
fn at_60(p: &PredicateBounds) -> Rat {
    let given = |argument, element| GivenSize {
        argument,
        element,
        name: None,
        metric: None,
        value: 60.into(),
    };
    let sizes: Vec<GivenSize> = (1..=p.report.predicate.arity)
        .flat_map(|argument| [given(argument, false), given(argument, true)])
        .collect();
    match steps_at(&p.report.patterns[0], &sizes).all.upper {
        BoundValue::Exact(value) => value,
        other => panic!("{}: {other:?}", p.report.predicate),
    }
}

/// Runs a check on the shipped platforms of SWI-Prolog, with and without `-O`.
fn on_each(name: &str, check: impl Fn(&[PredicateBounds])) {
    on_each_of("SWI-Prolog", name, check);
}

/// Runs a check on the shipped platforms of an engine.
fn on_each_of(engine: &str, name: &str, check: impl Fn(&[PredicateBounds])) {
    let platforms = stored().unwrap();
    for platform in platforms.iter().filter(|p| p.engine.starts_with(engine)) {
        let (host, file) = open(name);
        let resource = Resource::Time(prices(platform));
        check(&host.snapshot().resource_bounds(file, &resource).unwrap());
    }
}

#[test]
fn a_last_call_takes_less_than_another_one() {
    on_each("calls.pl", |all| {
        let (last, inner) = (bounds_named(all, "last/1"), bounds_named(all, "inner/1"));
        let compared = crossover(&last.report.patterns[0], &inner.report.patterns[0]);
        let end = compared.unwrap().pop().unwrap();
        assert_eq!((end.cheaper, end.to), (Cheaper::First, None));
    });
}

#[test]
fn the_faster_of_two_is_the_one_that_was_measured() {
    on_each("factorial.pl", |all| {
        let (slow, fast) = (
            bounds_named(all, "factorial1/2"),
            bounds_named(all, "factorial2/2"),
        );
        let compared = crossover(&slow.report.patterns[0], &fast.report.patterns[0]);
        let end = compared.unwrap().pop().unwrap();
        assert_eq!((end.cheaper, end.to), (Cheaper::Second, None));
    });
    // Upper bounds are compared: the number of choice points left by `append2/3` is unknown, and lists without multiples are the worst case
    // for sieves.
    for (file, slow, fast) in [
        ("append.pl", "append2/3", "append1/3"),
        ("sieve.pl", "sieve1/2", "sieve2/2"),
    ] {
        on_each(file, |all| {
            assert!(
                at_60(bounds_named(all, fast)) < at_60(bounds_named(all, slow)),
                "{file}"
            )
        });
    }
    // In GNU Prolog, the clauses with a cut are faster.
    for (file, slow, fast) in [
        ("calls.pl", "inner/1", "last/1"),
        ("append.pl", "append2/3", "append1/3"),
        ("factorial.pl", "factorial1/2", "factorial2/2"),
        ("sieve.pl", "sieve2/2", "sieve1/2"),
    ] {
        on_each_of("GNU Prolog", file, |all| {
            assert!(
                at_60(bounds_named(all, fast)) < at_60(bounds_named(all, slow)),
                "{file}"
            )
        });
    }
}

#[test]
fn cells_of_table_2() {
    let (host, file) = open("table2.pl");
    let resource = Resource::Event(Event::GlobalCells { optimised: false });
    let all = host.snapshot().resource_bounds(file, &resource).unwrap();
    let n = 60;
    for (predicate, cells) in [
        ("append/3", 3 * n),
        ("map/2", 3 * n),
        ("insertion_sort/2", (3 * n * n + 5 * n) / 2),
        ("eliminate/3", 12 * n * n - 6 * n),
    ] {
        assert_eq!(
            at_60(bounds_named(&all, predicate)),
            rat(cells),
            "{predicate}"
        );
    }
}
