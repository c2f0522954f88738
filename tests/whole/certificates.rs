//! Certificates: those of the fixtures verify, and modified ones do not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use costlens_verify::{CheckedClaim, verify};
use serde_json::{Value, json};

use crate::binary::costlens;

/// Returns the folder of the fixtures.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

/// Returns the certificate that the binary writes for some files.
fn certificate(files: &[PathBuf]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate.json");
    let status = costlens()
        .arg("bounds")
        .args(files)
        .arg("--certificate")
        .arg(&path)
        .output()
        .unwrap()
        .status;
    assert!(status.success());
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn outcomes(systems: &[Value]) -> Vec<CheckedClaim> {
    let document = json!({"certificate": 1, "systems": systems});
    verify(&document.to_string()).unwrap()
}

/// Returns whether the checker accepts all claims of a system.
fn accepted(system: &Value) -> bool {
    let document = json!({"certificate": 1, "systems": [system]});
    verify(&document.to_string()).is_ok_and(|all| all.iter().all(|o| o.verified.is_ok()))
}

#[test]
fn the_bounds_of_all_fixtures_verify() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    files.sort();
    let document = certificate(&files);
    let all = outcomes(document["systems"].as_array().unwrap());
    let (mut verified, mut without) = (0, 0);
    for o in &all {
        match &o.verified {
            Ok(()) => verified += 1,
            // A rule of the prover that is not written down, and bounds that depend on it.
            Err(why) if why.0 == "it has no proof" || why.0.starts_with("it rests on") => {
                without += 1;
            }
            Err(why) => panic!("{}: {}: {why}", o.name, o.claim),
        }
    }
    assert!(verified > 6000, "{verified} bounds verified");
    assert!(without * 200 < verified, "{without} bounds have no proof");
}

/// Random numbers, the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }
}

/// Returns the places of all values in a document that satisfy a test, as JSON pointers.
fn places(value: &Value, holds: &dyn Fn(&str, &Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((at, value)) = open.pop() {
        if holds(&at, value) {
            found.push(at.clone());
        }
        match value {
            Value::Array(items) => {
                open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(i, v)| (format!("{at}/{i}"), v)),
                );
            }
            Value::Object(fields) => {
                open.extend(fields.iter().map(|(k, v)| (format!("{at}/{k}"), v)));
            }
            _ => {}
        }
    }
    found.sort();
    found
}

/// `(system, function, piece)`.
type Place = (usize, usize, usize);

/// Returns the pieces whose upper and lower bounds are equal, by function name.
fn exact(systems: &[Value]) -> Vec<Place> {
    let mut sides: BTreeMap<(String, String, String), Vec<Place>> = BTreeMap::new();
    for (s, system) in systems.iter().enumerate() {
        for (f, function) in system["functions"].as_array().unwrap().iter().enumerate() {
            for (p, piece) in function["pieces"].as_array().unwrap().iter().enumerate() {
                let Some(value) = piece["value"].as_str().filter(|v| *v != "diverges") else {
                    continue;
                };
                // Nothing is claimed about a lower bound below 0.
                let key = (
                    function["name"].as_str().unwrap().to_owned(),
                    piece["region"].to_string(),
                    value.to_owned(),
                );
                sides.entry(key).or_default().push((s, f, p));
            }
        }
    }
    (sides.into_values())
        .filter(|all| {
            let on = |side: &str| all.iter().any(|(s, ..)| systems[*s]["direction"] == side);
            on("upper") && on("lower")
        })
        .flatten()
        .collect()
}

/// Returns a changed system, and whether the change may leave a claim that holds with its proof.
fn mutant(
    systems: &[Value],
    exact: &[(usize, usize, usize)],
    kind: usize,
    chance: &mut Chance,
) -> Option<(Value, bool)> {
    let (s, f, p) = *chance.pick(exact)?;
    let mut system = systems[s].clone();
    let upper = system["direction"] == "upper";
    let tighter = |value: &Value, by: &str| {
        let text = value.as_str().unwrap();
        json!(if upper {
            format!("{text}-{by}")
        } else {
            format!("{text}+{by}")
        })
    };
    let piece = format!("/functions/{f}/pieces/{p}");
    match kind {
        // The bound is tighter than the actual cost.
        0 => {
            let value = system.pointer_mut(&format!("{piece}/value"))?;
            *value = tighter(value, ["1", "1/2", "1/1000"][chance.below(3)]);
            Some((system, false))
        }
        // A clause costs more, or less, than is claimed. The claim of at least 0 steps is trivial.
        1 => {
            let claims = upper || system.pointer(&format!("{piece}/value"))? != "0";
            let used = places(&system, &|at, v| {
                at.starts_with(&format!("{piece}/proof/cells/")) && v.get("nodes").is_some()
            });
            let at = chance.pick(&used)?.clone();
            let mut parts = at.rsplit('/');
            let (a, _, c) = (parts.next()?, parts.next()?, parts.next()?);
            let at = format!("/functions/{f}/cells/{c}/alternatives/{a}/value");
            let value = system.pointer_mut(&at)?;
            let text = value.as_str()?;
            *value = json!(if upper {
                format!("{text}+1")
            } else {
                format!("{text}-1")
            });
            Some((system, !claims))
        }
        // A part of a proof is dropped: a cell, an alternative, a landing, a step.
        2 => {
            let lists = places(&system, &|at, v| {
                let list = at.rsplit('/').next().unwrap_or("");
                at.contains("/proof/")
                    && [
                        "cells",
                        "alternatives",
                        "nodes",
                        "landings",
                        "by",
                        "rest",
                        "then",
                    ]
                    .contains(&list)
                    && v.as_array().is_some_and(|items| !items.is_empty())
            });
            let list = system.pointer_mut(chance.pick(&lists)?)?.as_array_mut()?;
            list.remove(chance.below(list.len()));
            Some((system, true))
        }
        // A multiplier is lost, or changes its sign.
        3 => {
            let multipliers = places(&system, &|at, v| {
                at.contains("/proof/") && v.as_str().is_some_and(|t| t == "1") && at.ends_with("/1")
            });
            let value = system.pointer_mut(chance.pick(&multipliers)?)?;
            *value = json!(["0", "-1"][chance.below(2)]);
            Some((system, true))
        }
        // The other direction is claimed.
        4 => {
            system["direction"] = json!(if upper { "lower" } else { "upper" });
            Some((system, false))
        }
        // A claim for more than the cells, or for more than was proved.
        5 => {
            let region = system
                .pointer_mut(&format!("{piece}/region"))?
                .as_array_mut()?;
            if region.is_empty() {
                return None;
            }
            region.remove(chance.below(region.len()));
            Some((system, true))
        }
        // A cell of the equations without a proof.
        _ => {
            let cells = system
                .pointer_mut(&format!("/functions/{f}/cells"))?
                .as_array_mut()?;
            let cell = chance.pick(cells)?.clone();
            cells.push(cell);
            Some((system, false))
        }
    }
}

#[test]
fn a_thousand_changed_certificates_are_rejected() {
    let files = [
        "naive_reverse.pl",
        "fibonacci.pl",
        "hanoi.pl",
        "logarithms.pl",
        "mutual_recursion.pl",
        "trees.pl",
        "merge.pl",
        "nested_loops.pl",
        "two_at_a_time.pl",
        "subsets.pl",
        "halving.pl",
        "several_arguments.pl",
    ];
    let files: Vec<PathBuf> = files.iter().map(|f| fixtures().join(f)).collect();
    let document = certificate(&files);
    // A changed system is informative only if the original verifies.
    let systems: Vec<Value> = (document["systems"].as_array().unwrap().iter())
        .filter(|s| accepted(s))
        .cloned()
        .collect();
    let exact = exact(&systems);
    assert!(exact.len() > 100, "{} exact bounds", exact.len());
    let mut chance = Chance(7);
    let (mut rejected, mut kept) = ([0usize; 7], 0usize);
    for i in 0..1400 {
        let kind = i % 7;
        let Some((mutant, may_hold)) = mutant(&systems, &exact, kind, &mut chance) else {
            continue;
        };
        if !accepted(&mutant) {
            rejected[kind] += 1;
        } else if may_hold {
            kept += 1;
        } else {
            panic!("accepted after a change of kind {kind}: {mutant}");
        }
    }
    let total: usize = rejected.iter().sum();
    assert!(total >= 1000, "{rejected:?} rejected, {kept} kept");
    assert!(
        rejected.iter().all(|&n| n >= 50),
        "{rejected:?} rejected, {kept} kept"
    );
    assert!(kept * 10 < total, "{rejected:?} rejected, {kept} kept");
}

#[test]
fn hostile_texts_end_in_an_error() {
    let deep = |open: &str, close: &str| {
        let many = 100_000;
        format!(
            "{{\"certificate\":1,\"systems\":{}{}}}",
            open.repeat(many),
            close.repeat(many)
        )
    };
    let texts = [
        String::new(),
        "[]".to_owned(),
        r#"{"certificate":2,"systems":[]}"#.to_owned(),
        r#"{"certificate":1,"systems":[{"direction":"sideways"}]}"#.to_owned(),
        deep("[", "]"),
        deep("{\"a\":", "1}"),
    ];
    for text in texts {
        assert!(
            verify(&text).is_err(),
            "{}",
            text.get(..60).unwrap_or(&text)
        );
    }
}

/// Returns a function without calls, with a claim and a proof.
fn small(value: &str, claim: &str, proof: Value) -> Value {
    json!({
        "direction": "upper",
        "levels": [],
        "functions": [{
            "name": "f",
            "params": ["x0"],
            "cells": [{
                "region": ["x0>=0"],
                "exhaustive": true,
                "alternatives": [{"locals": [], "where": [], "calls": [], "value": value}],
            }],
            "pieces": [{
                "region": ["x0>=0"],
                "value": claim,
                "proof": {
                    "level": 0,
                    "defined": [],
                    "cover": {"part": 0, "rest": [{"empty": [[[0, "1"], [1, "1"]]]}]},
                    "nonnegative": proof,
                    "cells": [{"usable": null, "alternatives": [{
                        "monotone": [],
                        "nodes": [{"zero": [], "nonnegative": [], "extremes": [], "descent": null,
                                   "proof": {"rule": "constant"}}],
                    }]}],
                },
            }],
        }],
    })
}

#[test]
fn huge_numbers_and_powers_are_refused() {
    let linear = json!({"rule": "coefficients"});
    assert!(accepted(&small("x0+1", "x0+2", linear.clone())));
    assert!(!accepted(&small("x0+2", "x0+1", linear.clone())));
    let huge = format!("x0+{}", "9".repeat(9000));
    let powers = "(x0+1)^1000";
    for claim in [huge.as_str(), powers, "2^(4000*x0)", "x0^x0", "1/0", "(((("] {
        let points = json!({"rule": "points", "var": "x0", "low": "0", "high": "9999",
                            "by": [[[]], [[]]]});
        assert!(!accepted(&small("x0+1", claim, points)), "{claim}");
    }
}

/// Returns a function that calls itself at the same size, and the claim that its least solution is at least 5.
fn circle(value: &str, descent: &Value) -> Value {
    json!({
        "direction": "lower",
        "levels": [{"measures": [null], "always": false}],
        "functions": [{
            "name": "f",
            "params": [],
            "cells": [{
                "region": [],
                "exhaustive": true,
                "alternatives": [{
                    "locals": [],
                    "where": [],
                    "calls": [{"result": "x0", "function": 0, "args": []}],
                    "value": value,
                }],
            }],
            "pieces": [{
                "region": [],
                "value": "5",
                "proof": {
                    "level": 0,
                    "defined": [],
                    "cover": {"part": 0, "rest": []},
                    "nonnegative": null,
                    "cells": [{"usable": null, "alternatives": [{
                        "monotone": [],
                        "nodes": [
                            {"arguments": {"natural": [], "floors": [], "at_least": []},
                             "cover": {"part": 0, "rest": []},
                             "landings": [{"piece": 0, "node": 1}]},
                            {"zero": [], "nonnegative": [], "extremes": [], "descent": descent,
                             "proof": {"rule": "constant"}},
                        ],
                    }]}],
                },
            }],
        }],
    })
}

#[test]
fn a_lower_bound_does_not_rest_on_itself() {
    let costs = json!({"cost": {"rule": "constant"}, "natural": []});
    // `f :- f.` takes infinitely many steps, but a wrapper of itself that costs nothing has the least solution 0.
    assert!(accepted(&circle("x0+1", &costs)));
    for descent in [&Value::Null, &costs] {
        assert!(!accepted(&circle("x0", descent)));
    }
    assert!(!accepted(&circle("x0+1", &Value::Null)));
}
