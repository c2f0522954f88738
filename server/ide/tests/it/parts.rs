//! Compares the parts of a bound with the bound itself, for all annotated programs. An attained bound must not exceed the sum of its parts.

use std::path::Path;

use costlens_algebra::Rat;
use costlens_analysis::report::{Bound, PatternReport};
use costlens_ide::host::Host;
use num_bigint::BigInt;

/// The sizes at which the parts are added.
const SIZES: [i64; 6] = [0, 1, 2, 3, 7, 12];

#[test]
fn exact_bounds_are_within_the_sum_of_their_parts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let (mut compared, mut tight, mut wrong) = (0, 0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "pl") {
            continue;
        }
        let mut host = Host::new();
        let file = host.open("a.pl", &std::fs::read_to_string(&path).unwrap());
        let snapshot = host.snapshot();
        for predicate in snapshot.bounds(file).unwrap().predicates {
            let name = &predicate.report.predicate;
            let explained = snapshot.explain(file, name).unwrap().unwrap();
            for (report, parts) in predicate.report.patterns.iter().zip(&explained.portions) {
                for k in SIZES {
                    let Some(bound) = exact_at(report, k) else {
                        continue;
                    };
                    let at = |part: &[(costlens_algebra::Region, costlens_algebra::Expr)]| {
                        let value = |v| size_at(report, v, k);
                        let (_, e) = part.iter().find(|(r, _)| r.contains(&value))?;
                        e.eval(&value)
                    };
                    let Some(sum) = parts.iter().map(|p| at(p)).sum::<Option<Rat>>() else {
                        continue;
                    };
                    compared += 1;
                    tight += usize::from(sum == bound);
                    if sum < bound {
                        wrong.push(format!(
                            "{}: {name}, sizes {k}: the parts are {sum} of {bound}",
                            path.display()
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Without this check, the test would pass if nothing was compared.
    assert!(
        compared > 200 && tight * 2 > compared,
        "{compared} compared, {tight} tight"
    );
}

/// Returns the upper bound with all sizes equal to `k`, if the lower bound shows that it is attained.
fn exact_at(report: &PatternReport, k: i64) -> Option<Rat> {
    let value = |v| size_at(report, v, k);
    let piece = report.steps.iter().find(|p| p.when.contains(&value))?;
    match (&piece.all.lower, &piece.all.upper) {
        (Bound::Finite(lower), Bound::Finite(upper)) => {
            let upper = upper.eval(&value)?;
            (lower.eval(&value)? == upper).then_some(upper)
        }
        _ => None,
    }
}

/// Returns the value `k` for every size of the report.
fn size_at(report: &PatternReport, v: costlens_algebra::Var, k: i64) -> Option<BigInt> {
    report
        .sizes
        .iter()
        .any(|s| s.var == v)
        .then(|| BigInt::from(k))
}
