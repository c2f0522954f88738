//! Compares runs on small inputs with the bounds of all fixtures. No run may contradict a bound, and many bounds must be attained.

use std::path::{Path, PathBuf};

use costlens_analysis::report::Side;
use costlens_ide::attained::{Attained, Effort, Phase, lines};
use costlens_ide::host::Host;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    files.sort();
    files
}

#[test]
fn no_run_contradicts_a_bound_of_a_fixture() {
    let (mut reached, mut finite, mut wrong) = (0, 0, Vec::new());
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut host = Host::new();
        let file = host.open(&name, &std::fs::read_to_string(&path).unwrap());
        let predicates = host.snapshot().bounds(file).unwrap().predicates;
        for p in predicates {
            let predicate = &p.report.predicate;
            let found = (host.snapshot()).attained(file, predicate, Effort::Thorough);
            let found = found.unwrap().unwrap();
            for (attained, report) in found.iter().zip(&p.report.patterns) {
                let Attained::Tried(trial) = &**attained else {
                    continue;
                };
                if !trial.violations.is_empty() {
                    wrong.push(format!(
                        "{name}: {}: {:?}",
                        predicate,
                        lines(attained, report)
                    ));
                }
                let upper = (trial.evidence.iter())
                    .filter(|e| e.phase == Phase::All && e.side == Side::Upper && e.tried > 0);
                for e in upper {
                    finite += 1;
                    reached += usize::from(e.reached == e.tried);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Most finite upper bounds in the fixtures are exact. The check also fails if nothing was run.
    assert!(
        finite > 100 && 2 * reached > finite,
        "{reached} of {finite}"
    );
}
