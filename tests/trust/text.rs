//! Stated facts about SWI-Prolog's libraries compared with what inference proves from their texts: for each assertion the same calls, once
//! with the assertion and without the text, once with the text and without the assertion. Contradictory bounds are a failure.
//!
//! Without an installed library the tests report that and do nothing, unless `CI` is set.

use crate::engines::is_installed;
use crate::{project, root};

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use project::{folder, run};
use serde_json::Value;

/// Sizes that arguments take in turn.
const SIZES: [i64; 7] = [0, 1, 2, 6, 11, 26, 51];

/// An assertion: the predicate's name, and its arguments with their modes.
struct Line<'a> {
    text: &'a str,
    name: &'a str,
    arguments: Vec<&'a str>,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let stated = text
        .lines()
        .filter_map(|l| l.strip_prefix(":- trust pred "));
    stated.map(line).collect()
}

fn line(text: &str) -> Line<'_> {
    let head = text.split(" + ").next().unwrap();
    let (name, arguments) = match head.split_once('(') {
        Some((name, rest)) => (name, split(rest.strip_suffix(')').unwrap())),
        None => (head, Vec::new()),
    };
    Line {
        text,
        name,
        arguments,
    }
}

/// Splits at the commas outside of parentheses.
fn split(arguments: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in arguments.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(arguments[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    found.push(arguments[start..].trim());
    found
}

/// Returns a program with a predicate for each assertion, `call_7/3`, that does nothing but make the calls that the assertion is about.
fn program(library: &str, text: &str, lines: &[Line<'_>]) -> String {
    let mut program = format!(":- use_module(library({library})).\n");
    for own in text
        .lines()
        .filter(|l| l.starts_with(":- regtype") || l.starts_with(|c: char| c.is_ascii_lowercase()))
    {
        writeln!(program, "{own}").unwrap();
    }
    for (i, line) in lines.iter().enumerate() {
        let names: Vec<String> = (0..line.arguments.len()).map(|k| format!("X{k}")).collect();
        let with = |arguments: &[String]| match arguments {
            [] => String::new(),
            some => format!("({})", some.join(", ")),
        };
        let modes: Vec<String> = line.arguments.iter().map(|a| (*a).to_owned()).collect();
        writeln!(program, ":- pred call_{i}{}.", with(&modes)).unwrap();
        writeln!(
            program,
            "call_{i}{} :- {}{}.",
            with(&names),
            line.name,
            with(&names)
        )
        .unwrap();
    }
    program
}

/// Lower and upper bound, if known.
type Bounds = (Option<f64>, Option<f64>);

/// Returns the bounds of the program's predicates at many sizes: predicate and number of the point.
fn bounds(
    folder: &Path,
    lines: &[Line<'_>],
    arguments: &[&str],
) -> BTreeMap<(usize, usize), Bounds> {
    let mut asked = String::new();
    let mut points = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        for point in 0..SIZES.len() * 3 {
            let size = |k: usize| SIZES[(point + k * (point / SIZES.len())) % SIZES.len()];
            let sizes: Vec<String> = (0..line.arguments.len())
                .map(|k| format!("\"{}\":{}", k + 1, size(k)))
                .collect();
            writeln!(
                asked,
                "{{\"pred\":\"call_{i}/{}\",\"sizes\":{{{}}}}}",
                line.arguments.len(),
                sizes.join(",")
            )
            .unwrap();
            points.push((i, point));
        }
    }
    std::fs::write(folder.join("sizes.jsonl"), asked).unwrap();
    let all = [&["bounds", "--sizes", "sizes.jsonl", "a.pl"], arguments].concat();
    let out = run(folder, &all);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let rows: Vec<Value> = (text.lines())
        .map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {out:?}")))
        .collect();
    assert_eq!(rows.len(), points.len(), "{out:?}");
    let number = |v: &Value| v.as_f64();
    (points.into_iter().zip(rows))
        .map(|(point, row)| {
            let steps = &row["at"]["steps"];
            (point, (number(&steps["lower"]), number(&steps["upper"])))
        })
        .collect()
}

/// Compares one file of assertions: returns the contradictions, and the number of points that were compared.
fn compared(library: &str, text: &str) -> (Vec<String>, usize) {
    let lines = lines(text);
    let program = program(library, text, &lines);
    // The assertions as those of a project: those that ship are not used.
    let stated = folder(&[("a.pl", program.as_str()), ("costlens/stated.pl", text)]);
    let stated = bounds(
        stated.path(),
        &lines,
        &["--no-library", "--no-trust", "all"],
    );
    let inferred = folder(&[("a.pl", &program)]);
    let inferred = bounds(inferred.path(), &lines, &["--no-trust", "all"]);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (point, &(low, high)) in &stated {
        let (least, most) = inferred[point];
        let contradicts = |below: Option<f64>, above: Option<f64>| matches!((below, above), (Some(b), Some(a)) if b > a + 1e-9);
        // No term of the type has this size.
        if contradicts(least, most) {
            continue;
        }
        count += usize::from(high.is_some() && least.is_some());
        if contradicts(least, high) || contradicts(low, most) {
            wrong.push(format!(
                "{}\n   at point {}: stated {low:?} to {high:?}, inferred {least:?} to {most:?}",
                lines[point.0].text, point.1
            ));
        }
    }
    (wrong, count)
}

#[test]
fn no_assertion_contradicts_the_text() {
    if !is_installed() {
        return;
    }
    let folder = root().join("server/analysis/library/swi");
    let mut files: Vec<PathBuf> = [folder.clone(), folder.join("dcg")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(&folder).unwrap().with_extension("");
        let library = name.to_string_lossy().replace('\\', "/");
        let (contradictions, compared) = compared(&library, &text);
        let bounds_all = text.contains("allsols");
        assert!(
            compared > 0 || !bounds_all,
            "{library}: nothing was compared"
        );
        wrong.extend(contradictions);
        count += compared;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 1_000, "{count} points");
}

#[test]
fn an_assertion_that_contradicts_the_text_is_found() {
    if !is_installed() {
        return;
    }
    let text = "\
:- trust pred ord_add_element(+A:list, ?B, -C:list) + (is_det, cost(ub, allsols, steps, 0)).
:- trust pred ord_subtract(+A:list, +B:list, -C:list) + cost(lb, steps, 9*length(A)+9*length(B)+9).
";
    let (wrong, _) = compared("ordsets", text);
    for line in lines(text) {
        assert!(
            wrong.iter().any(|w| w.starts_with(line.text)),
            "{}: {wrong:?}",
            line.text
        );
    }
}
