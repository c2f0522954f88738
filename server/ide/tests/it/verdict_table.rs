//! A table of assertions with their verdicts, each confirmed by counted runs. Also tests the effect of mutated assertions on others.
//!
//! Each line of `tests/verdicts/table.tsv` contains a predicate of `programs.pl`, a property, and the verdict. `UPDATE_EXPECT=1` writes the
//! verdicts.

use std::path::{Path, PathBuf};

use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::host::Host;
use costlens_ide::reports::check::FileCheck;
use costlens_machine::{Answer, Limits, Machine};

/// A predicate whose number of steps depends only on one size, unless `varies`.
struct Subject {
    name: &'static str,
    head: &'static str,
    /// The size in which bounds are expressed.
    size: &'static str,
    goal: fn(i64) -> String,
    varies: bool,
}

const SUBJECTS: [Subject; 12] = [
    subject("len", "len(+A:list, -B)", "length(A)", |n| {
        format!("len({}, _)", list(n))
    }),
    subject("app", "app(+A:list, +B:list, -C)", "length(A)", |n| {
        format!("app({}, [z], _)", list(n))
    }),
    subject("nrev", "nrev(+A:list, -B)", "length(A)", |n| {
        format!("nrev({}, _)", list(n))
    }),
    subject("down", "down(+N:nat)", "int(N)", |n| format!("down({n})")),
    subject("towers", "towers(+N:nat)", "int(N)", |n| {
        format!("towers({n})")
    }),
    subject("triangle", "triangle(+N:nat)", "int(N)", |n| {
        format!("triangle({n})")
    }),
    subject("one", "one(?A)", "", |_| "one(a)".to_owned()),
    subject("twice", "twice(+A:list)", "length(A)", |n| {
        format!("twice({})", list(n))
    }),
    varying("evens", "evens(+A:list)"),
    varying("pairs", "pairs(+A:list, +B:list)"),
    varying("qsort", "qsort(+A:list(int), -B)"),
    subject("mem", "mem(-X, +A:list)", "length(A)", |n| {
        format!("mem(_, {})", list(n))
    }),
];

const fn subject(
    name: &'static str,
    head: &'static str,
    size: &'static str,
    goal: fn(i64) -> String,
) -> Subject {
    Subject {
        name,
        head,
        size,
        goal,
        varies: false,
    }
}

const fn varying(name: &'static str, head: &'static str) -> Subject {
    Subject {
        name,
        head,
        size: "",
        goal: |_| String::new(),
        varies: true,
    }
}

/// A line of the table.
struct Case {
    subject: &'static Subject,
    property: String,
    expected: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verdicts")
}

fn cases() -> Vec<Case> {
    let table = std::fs::read_to_string(folder().join("table.tsv")).unwrap();
    let case = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        Case {
            subject: SUBJECTS.iter().find(|s| s.name == parts[0]).unwrap(),
            property: parts[1].to_owned(),
            expected: parts[2].to_owned(),
        }
    };
    table.lines().map(case).collect()
}

fn programs() -> String {
    std::fs::read_to_string(folder().join("programs.pl")).unwrap()
}

fn checked(text: &str) -> FileCheck {
    let mut host = Host::new();
    let file = host.open("a.pl", text);
    host.snapshot().check(file, None, None).unwrap()
}

fn list(n: i64) -> String {
    let elements: Vec<String> = (1..=n).map(|i| i.to_string()).collect();
    format!("[{}]", elements.join(","))
}

/// Formats a verdict as `checked`, or by intervals: `checked 0..17, false 18..`.
fn in_words(check: &AssertionCheck) -> String {
    let judged = &check.judged;
    let word = |verdict: Verdict| match verdict {
        Verdict::Checked => "checked",
        Verdict::False => "false",
        Verdict::Check => "check",
    };
    if judged.intervals.len() < 2 {
        return word(judged.verdict).to_owned();
    }
    let end = |end: &Option<num_bigint::BigInt>| {
        end.as_ref().map(ToString::to_string).unwrap_or_default()
    };
    let intervals = judged.intervals.iter();
    let all: Vec<String> = intervals
        .map(|i| format!("{} {}..{}", word(i.verdict), end(&i.from), end(&i.to)))
        .collect();
    all.join(", ")
}

#[test]
fn verdicts_are_those_of_the_table() {
    let cases = cases();
    assert!(cases.len() >= 150, "{}", cases.len());
    let assertions: Vec<String> = (cases.iter())
        .map(|c| format!(":- pred {} + {}.\n", c.subject.head, c.property))
        .collect();
    let found = checked(&format!("{}\n{}", assertions.concat(), programs()));
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    // A `costb` property contains two bounds.
    let mut rows = found.assertions.iter().peekable();
    let mut machine = Machine::counting(Limits::default());
    machine.load_clauses(&programs());
    let (mut table, mut wrong, mut confirmed) = (String::new(), Vec::new(), 0);
    for (number, case) in cases.iter().enumerate() {
        let mut own = Vec::new();
        while let Some(row) = rows.next_if(|row| row.judged.assertion == number) {
            own.push(row);
        }
        let words: Vec<String> = own.iter().map(|row| in_words(row)).collect();
        let words = words.join("; ");
        table.push_str(&format!(
            "{}\t{}\t{words}\n",
            case.subject.name, case.property
        ));
        if words != case.expected {
            wrong.push(format!(
                "{} + {}: {words}, expected {}",
                case.subject.name, case.property, case.expected
            ));
        }
        if let [row] = own[..] {
            confirmed += confirm(&machine, case, row);
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(folder().join("table.tsv"), table).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(confirmed > 400, "{confirmed}");
}

/// Compares a verdict with counted runs inside its intervals and at their ends. Returns the number of runs.
fn confirm(machine: &Machine, case: &Case, row: &AssertionCheck) -> usize {
    let subject = case.subject;
    let parts: Vec<&str> = (case.property.strip_suffix(')'))
        .and_then(|p| p.strip_prefix("cost("))
        .map(|p| p.splitn(4, ',').collect())
        .unwrap_or_default();
    let (side, all, cost) = match parts[..] {
        [side, "steps", ..] => (side, false, case.property.splitn(3, ',').nth(2).unwrap()),
        [side, "allsols", "steps", cost] => (side, true, cost),
        _ => return 0,
    };
    let cost = if all {
        cost.to_owned()
    } else {
        cost.strip_suffix(')').unwrap().to_owned()
    };
    // The machine's arithmetic lacks these sums, factorials and infinities.
    if subject.varies
        || !matches!(side, "ub" | "lb" | "eq")
        || ["sum(", "fact(", "inf", ")^2"]
            .iter()
            .any(|f| cost.contains(f))
    {
        return 0;
    }
    let mut runs = 0;
    for n in 0..=12 {
        let verdict = match &row.judged.intervals[..] {
            [] => row.judged.verdict,
            all => {
                let holds = |i: &&costlens_analysis::verdict::SizeInterval| {
                    i.from.as_ref().is_none_or(|from| *from <= n.into())
                        && i.to.as_ref().is_none_or(|to| *to >= n.into())
                };
                match all.iter().find(holds) {
                    Some(interval) => interval.verdict,
                    None => continue,
                }
            }
        };
        let steps = steps(machine, &(subject.goal)(n), all);
        let value = match subject.size {
            "" => cost.clone(),
            size => cost.replace(size, &n.to_string()),
        };
        // The machine has only the natural logarithm.
        let value = value
            .replace("log2(", "1.4426950408889634*log(")
            .replace("log10(", "0.4342944819032518*log(")
            .replace("log(2,", "1.4426950408889634*log(");
        let (sign, word) = match side {
            "ub" => ("=<", "at most"),
            "lb" => (">=", "at least"),
            _ => ("=:=", "exactly"),
        };
        let holds = succeeds(machine, &format!("{steps} {sign} {value}"));
        match verdict {
            Verdict::Checked => assert!(
                holds,
                "{}: {steps} steps at {n}, checked as {word} {value}",
                subject.name
            ),
            Verdict::False => assert!(
                !holds,
                "{}: {steps} steps at {n}, false as {word} {value}",
                subject.name
            ),
            Verdict::Check => continue,
        }
        runs += 1;
    }
    runs
}

/// Returns the number of steps of a goal to its first solution, or over all solutions.
fn steps(machine: &Machine, goal: &str, all: bool) -> u64 {
    let mut machine = machine.fork();
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.forget_counts();
    machine.start(goal);
    while matches!(machine.next_answer(), Answer::Yes { .. }) && all {}
    machine.steps()
}

fn succeeds(machine: &Machine, goal: &str) -> bool {
    let mut machine = machine.fork();
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.start(goal);
    matches!(machine.next_answer(), Answer::Yes { .. })
}

/// The number of mutated assertions.
const MUTANTS: u64 = 2_000;

#[test]
fn mutated_assertions_change_no_other_verdict() {
    let cases = cases();
    let base = format!(
        ":- pred nrev(+A:list, -B) + cost(ub,steps,10*length(A)+5).\n{}",
        programs()
    );
    let judged = |found: &FileCheck| {
        let own = found.assertions.iter().filter(|a| a.judged.assertion == 0);
        own.map(in_words).collect::<Vec<_>>()
    };
    let before = judged(&checked(&base));
    assert_eq!(before, ["checked 0..17, false 18.."]);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below.max(1) as u64) as usize
    };
    let inserted = [
        "(", ")", ",", "+", ":", "=>", "#", "0", "inf", "'", "\"", " ", "_", "X", "[", "|",
        "cost(", "length(", "-1", "trust ", "1.0Inf", "é", "\\",
    ];
    let mut host = Host::new();
    let file = host.open("a.pl", &base);
    let mut added = 0;
    let mut silent = Vec::new();
    for _ in 0..MUTANTS {
        let case = &cases[next(cases.len())];
        let mut mutant: Vec<char> = format!(":- pred {} + {}", case.subject.head, case.property)
            .chars()
            .collect();
        // A mutated keyword may result in another directive, whose effect is not checked.
        let begin = ":- pred ".len();
        for _ in 0..=next(3) {
            let at = next(mutant.len() - begin) + begin;
            match next(4) {
                0 => drop(mutant.remove(at)),
                1 => {
                    let new = inserted[next(inserted.len())];
                    mutant.splice(at..at, new.chars());
                }
                2 => {
                    let other = next(mutant.len() - begin) + begin;
                    mutant.swap(at, other);
                }
                _ => {
                    let end = (at + next(8)).min(mutant.len());
                    let part: Vec<char> = mutant[at..end].to_vec();
                    mutant.splice(at..at, part);
                }
            }
        }
        let mutant: String = mutant.into_iter().collect::<String>() + ".\n";
        host.edit(
            file,
            &[costlens_ide::host::Edit {
                range: base.len()..base.len() + added,
                text: mutant.clone(),
            }],
        );
        added = mutant.len();
        let found = host.snapshot().check(file, None, None).unwrap();
        assert_eq!(judged(&found), before, "{mutant}");
        if found.diagnostics.is_empty() && found.assertions.len() < 2 {
            silent.push(mutant);
        }
    }
    for slip in [
        "perd",
        "pre",
        "predd",
        "sred",
        "chec pred",
        "trsut pred",
        "cmop",
    ] {
        let found = checked(&format!(
            "{base}:- {slip} towers(+N:nat) + cost(ub,steps,3).\n"
        ));
        assert_eq!(judged(&found), before, "{slip}");
        assert!(!found.diagnostics.is_empty(), "{slip}");
    }
    assert!(
        silent.is_empty(),
        "{} mutants were passed over: {:#?}",
        silent.len(),
        silent.iter().take(20).collect::<Vec<_>>()
    );
}
