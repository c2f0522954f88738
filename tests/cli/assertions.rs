//! `bounds --assertions`: its output is read back, and has the same meaning.

use std::path::Path;

use serde_json::Value;

use crate::project::{folder, run};

fn printed(folder: &Path, file: &str) -> String {
    let out = run(folder, &["bounds", "--no-library", "--assertions", file]);
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn bounds_are_printed_as_assertions() {
    let text = "\
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).

%! any(-X, +Xs:list(int)).
any(X, [X|_]).
any(X, [_|Xs]) :- any(X, Xs).
";
    let folder = folder(&[("a.pl", text)]);
    assert_eq!(
        printed(folder.path(), "a.pl"),
        "\
% a.pl
:- true pred nrev(Xs, Ys) : (list(Xs), var(Ys))
   + (cost(lb,steps,1/2*length(Xs)^2+3/2*length(Xs)+1), cost(ub,steps,1/2*length(Xs)^2+3/2*length(Xs)+1), is_det, not_fails).
:- true pred any(X, Xs) : (var(X), list(Xs, int))
   + (cost(ub,steps,1), cost(ub,allsols,steps,2*length(Xs))).
"
    );
}

/// Returns the verdicts on the assertions that are printed for a program, inserted into it as checks.
fn verdicts(text: &str) -> (Vec<String>, Vec<String>) {
    let folder = folder(&[("a.pl", text)]);
    let here = folder.path();
    let asserted = printed(here, "a.pl").replace(":- true pred", ":- check pred");
    // At the end, so that nothing of the program changes.
    std::fs::write(here.join("a.pl"), format!("{text}\n\n{asserted}")).unwrap();
    let out = run(here, &["check", "--no-library", "--format", "json", "a.pl"]);
    let document: Value =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let written = document["assertions"].as_array().unwrap().iter().map(|a| {
        let text = |key: &str| a[key].as_str().unwrap_or_default().to_owned();
        format!(
            "{} {} {}",
            text("verdict"),
            text("predicate"),
            text("property")
        )
    });
    let malformed = document["diagnostics"].as_array().unwrap().iter();
    let malformed = malformed.filter(|d| d["code"] == "assertion-malformed");
    (
        written.collect(),
        malformed.map(ToString::to_string).collect(),
    )
}

#[test]
fn printed_assertions_are_read_back_to_the_same_meaning() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut names: Vec<_> = std::fs::read_dir(fixtures)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.retain(|path| path.extension().is_some_and(|e| e == "pl"));
    names.sort();
    let mut counts = (0, 0);
    for path in names.iter().step_by(3) {
        let text = std::fs::read_to_string(path).unwrap();
        // The program's own assertions would also be judged.
        if text.contains("@cost") || text.contains(" pred ") || text.contains("Ciao") {
            continue;
        }
        let (written, malformed) = verdicts(&text);
        let wrong: Vec<_> = written.iter().filter(|v| v.starts_with("false")).collect();
        assert_eq!(
            (wrong, malformed),
            (Vec::new(), Vec::new()),
            "{}",
            path.display()
        );
        counts.0 += written.iter().filter(|v| v.starts_with("checked")).count();
        counts.1 += written.len();
    }
    // Some are about calls for which nothing was inferred when only they are declared.
    assert!(
        counts.1 > 100 && counts.0 * 10 >= counts.1 * 9,
        "{counts:?}"
    );
}
