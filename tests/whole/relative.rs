//! Bounds in terms of parameters, compared with runs: tables of facts of random size and contents, closures and callees of known cost.
//!
//! `tests/relative/*.pl` name the calls to try above each predicate (`% call: keep(goal(1), list, var)`) and the predicates that nothing
//! defines (`% unknown: render/1`), or that have clauses and no bound (`% hard: hail(int, var)`, whose cost and number of solutions are
//! measured); a line `% steps: n*par+1` below its clauses is the expected upper bound, compared at many values.
//! `RELATIVE=100000` makes that many runs, `RELATIVE_SEED=N` starts from another seed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use costlens_algebra::parse::parse;
use costlens_algebra::{Expr, Rat, Var};
use costlens_analysis::report::{Origin, ParameterKind, PatternReport, Subject};
use costlens_ide::host::Host;
use costlens_ide::present::values::{BoundValue, GivenSize, steps_at};
use costlens_machine::{Answer, Limits, Machine};
use num_bigint::BigInt;

use crate::generate::Random;
use crate::seeds::number;

/// A call to try, and the expected upper bound.
struct Call {
    predicate: String,
    arguments: Vec<String>,
    report: PatternReport,
    steps: Option<String>,
}

struct Program {
    name: String,
    text: String,
    tables: Vec<(String, usize)>,
    unknown: Vec<(String, usize)>,
    /// The values of `cost(p/k)` and `solutions(p/k)` for predicates without a bound.
    hard: BTreeMap<String, usize>,
    calls: Vec<Call>,
}

/// The largest integer and the greatest length that predicates without a bound are measured for. The programs pass no greater ones.
const MOST_MEASURED: usize = 24;

/// Measures the predicates that a line `% hard: hail(int, var) …` names.
fn measured(text: &str) -> BTreeMap<String, usize> {
    let mut values = BTreeMap::new();
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("% hard: "));
    for written in lines.flat_map(|line| line.split_inclusive(')')) {
        let (name, arguments) = call(written.trim());
        let of = format!("{name}/{}", arguments.len());
        for size in 0..=MOST_MEASURED {
            let passed: Vec<String> = (arguments.iter().enumerate())
                .map(|(i, kind)| match kind.as_str() {
                    "int" => size.to_string(),
                    "list" => format!("[{}]", vec!["1"; size].join(", ")),
                    _ => format!("V{i}"),
                })
                .collect();
            let goal = format!("{name}({}).", passed.join(", "));
            let (steps, solutions) = count(text, &goal).unwrap();
            for (kind, value) in [("cost", steps), ("solutions", solutions)] {
                let value = usize::try_from(value).unwrap();
                let most = values.entry(format!("{kind}({of})")).or_insert(0);
                *most = value.max(*most);
            }
        }
    }
    values
}

/// Splits `keep(goal(1), list, var)` into a name and arguments.
fn call(text: &str) -> (String, Vec<String>) {
    let Some((name, rest)) = text.split_once('(') else {
        return (text.to_owned(), Vec::new());
    };
    let inner = rest.strip_suffix(')').unwrap();
    let arguments = inner.split(", ").map(ToOwned::to_owned).collect();
    (name.to_owned(), arguments)
}

fn indicator(text: &str) -> (String, usize) {
    let (name, arity) = text.trim_end_matches('.').rsplit_once('/').unwrap();
    (name.to_owned(), arity.parse().unwrap())
}

fn programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/relative");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    paths.sort();
    paths.iter().map(|path| program(path)).collect()
}

fn program(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).unwrap();
    let mut host = Host::new();
    let file = host.open("p.pl", &text);
    let reports = host.snapshot().bounds(file).unwrap();
    let list = |prefix: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
        let all = lines.flat_map(|line| line.split([',', ' ']).filter(|part| part.contains('/')));
        all.map(indicator).collect::<Vec<_>>()
    };
    let mut calls: Vec<Call> = Vec::new();
    for line in text.lines() {
        if let Some(written) = line.strip_prefix("% call: ") {
            let (name, arguments) = call(written);
            let predicate = format!("{name}/{}", arguments.len());
            let found = (reports.predicates.iter())
                .find(|p| p.report.predicate.to_string() == predicate)
                .unwrap_or_else(|| panic!("{predicate} has no report"));
            let declared = (found.report.patterns.iter()).find(|p| p.origin == Origin::Declared);
            let report = declared.unwrap_or(&found.report.patterns[0]).clone();
            calls.push(Call {
                predicate,
                arguments,
                report,
                steps: None,
            });
        } else if let Some(steps) = line.strip_prefix("% steps: ") {
            calls.last_mut().unwrap().steps = Some(steps.to_owned());
        }
    }
    Program {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        tables: list(":- dynamic "),
        unknown: list("% unknown: "),
        hard: measured(&text),
        text,
        calls,
    }
}

/// A predicate whose calls take at most `cost` steps and have at most one solution.
fn definition(name: &str, arity: usize, cost: usize, random: &mut Random) -> String {
    let head = |last: &str| match arity {
        0 => last.to_owned(),
        _ => {
            let arguments: Vec<String> = (0..arity).map(|i| format!("A{i}")).collect();
            format!("{last}({})", arguments.join(", "))
        }
    };
    let mut text = String::new();
    let mut body = match (arity, random.below(3)) {
        (0, 0) | (_, 1) => "true".to_owned(),
        (0, _) => "fail".to_owned(),
        _ => "A0 == 1".to_owned(),
    };
    for level in (1..cost).rev() {
        let inner = head(&format!("{name}_{level}"));
        writeln!(text, "{inner} :- {body}.").unwrap();
        body = inner;
    }
    writeln!(text, "{} :- {body}.", head(name)).unwrap();
    text
}

/// A run: the text that is added to the program, the goal, and the values of sizes and parameters.
struct Trial {
    added: String,
    goal: String,
    given: Vec<GivenSize>,
}

fn trial(program: &Program, call: &Call, random: &mut Random) -> Trial {
    let mut added = String::new();
    let mut values: BTreeMap<String, usize> = BTreeMap::new();
    for (name, arity) in &program.tables {
        let facts = *random.pick(&[0, 0, 1, 2, 3, 5, 9]);
        let domain = 1 + random.below(4);
        for _ in 0..facts {
            let arguments: Vec<String> = (0..*arity)
                .map(|_| random.below(domain).to_string())
                .collect();
            match arity {
                0 => writeln!(added, "{name}.").unwrap(),
                _ => writeln!(added, "{name}({}).", arguments.join(", ")).unwrap(),
            }
        }
        values.insert(format!("facts({name}/{arity})"), facts);
    }
    for (name, arity) in &program.unknown {
        let cost = 1 + random.below(4);
        added.push_str(&definition(name, *arity, cost, random));
        values.insert(format!("cost({name}/{arity})"), cost);
    }
    values.extend(program.hard.clone());
    let mut given: Vec<GivenSize> = Vec::new();
    let mut arguments: Vec<String> = Vec::new();
    for (i, kind) in call.arguments.iter().enumerate() {
        let mut size = |value: usize| {
            given.push(GivenSize {
                argument: i + 1,
                element: false,
                name: None,
                metric: None,
                value: value.into(),
            });
        };
        arguments.push(match kind.as_str() {
            "var" => format!("V{i}"),
            "int" => {
                let value = random.below(5);
                size(value);
                value.to_string()
            }
            "list" => {
                let n = random.below(6);
                size(n);
                let all: Vec<String> = (0..n).map(|_| random.below(3).to_string()).collect();
                format!("[{}]", all.join(", "))
            }
            goal => {
                let arity = goal
                    .strip_prefix("goal(")
                    .unwrap()
                    .strip_suffix(')')
                    .unwrap();
                let (cost, name) = (1 + random.below(4), format!("helper{i}"));
                added.push_str(&definition(&name, arity.parse().unwrap(), cost, random));
                values.insert(format!("cost(G{})", i + 1), cost);
                name
            }
        });
    }
    for p in &call.report.parameters {
        let name = p.parameter.to_string();
        // Solutions of goals that have at most one.
        let value = match (&p.parameter.kind, &p.parameter.of) {
            (ParameterKind::Solutions, Subject::Argument(_) | Subject::Predicate(..)) => {
                values.get(&name).copied().unwrap_or(1)
            }
            _ => values[&name],
        };
        given.push(GivenSize {
            argument: 0,
            element: false,
            name: Some(name),
            metric: None,
            value: value.into(),
        });
    }
    let name = call.predicate.split('/').next().unwrap();
    let goal = match arguments.is_empty() {
        true => format!("{name}."),
        false => format!("{name}({}).", arguments.join(", ")),
    };
    Trial { added, goal, given }
}

/// Returns the steps over all solutions and the number of solutions, or `None` for an exception or a limit.
fn count(text: &str, goal: &str) -> Option<(u64, u64)> {
    let mut machine = Machine::counting(Limits::default());
    let errors = machine.load(text);
    assert!(errors.is_empty(), "{text}");
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.forget_counts();
    machine.start(goal);
    let mut solutions = 0;
    loop {
        match machine.next_answer() {
            Answer::Yes { more: true } => solutions += 1,
            Answer::Yes { .. } => return Some((machine.steps(), solutions + 1)),
            Answer::No => return Some((machine.steps(), solutions)),
            Answer::Error(_) | Answer::Limit(_) => return None,
        }
    }
}

#[test]
fn bounds_with_parameters_hold_in_runs() {
    let runs = number("RELATIVE", 2_000);
    let mut random = Random::new(number("RELATIVE_SEED", 46));
    let programs = programs();
    let calls: Vec<(&Program, &Call)> = (programs.iter())
        .flat_map(|p| p.calls.iter().map(move |call| (p, call)))
        .collect();
    let (mut compared, mut attained) = (0, vec![false; calls.len()]);
    for i in 0..runs {
        let at = usize::try_from(i).unwrap() % calls.len();
        let (program, call) = calls[at];
        let trial = trial(program, call, &mut random);
        let text = format!("{}\n{}", program.text, trial.added);
        let Some((counted, _)) = count(&text, &trial.goal) else {
            continue;
        };
        let bounds = steps_at(&call.report, &trial.given);
        let number = |value: &BoundValue| match value {
            BoundValue::Exact(r) => Some(r.clone()),
            _ => None,
        };
        let (lower, upper) = (number(&bounds.first.lower), number(&bounds.all.upper));
        let upper = upper
            .unwrap_or_else(|| panic!("{}: {} has no upper bound", program.name, call.predicate));
        let counted = Rat::from_integer(counted.into());
        assert!(
            counted <= upper && lower.is_none_or(|lower| lower <= counted),
            "{}: {} takes {counted} steps, the upper bound is {upper}\n{}",
            program.name,
            trial.goal,
            trial.added
        );
        attained[at] |= counted == upper;
        compared += 1;
    }
    assert!(compared * 2 > runs, "{compared} of {runs} runs");
    let never: Vec<&str> = (calls.iter().zip(&attained))
        .filter(|(_, attained)| !**attained)
        .map(|((_, call), _)| call.predicate.as_str())
        .collect();
    assert!(never.len() * 3 <= calls.len(), "never attained: {never:?}");
}

#[test]
fn bounds_with_parameters_are_the_expected_ones() {
    let mut wrong = Vec::new();
    for program in programs() {
        for call in &program.calls {
            let Some(expected) = &call.steps else {
                continue;
            };
            let names: Vec<(String, Var)> =
                (call.report.sizes.iter().map(|s| (s.name.clone(), s.var)))
                    .chain(
                        call.report
                            .parameters
                            .iter()
                            .map(|p| (p.name.clone(), p.var)),
                    )
                    .collect();
            let mut variable = |name: &str| Some(names.iter().find(|(known, _)| known == name)?.1);
            let Ok(expected_bound) = parse(expected, &mut variable) else {
                wrong.push(format!("{}: unknown names in {expected}", call.predicate));
                continue;
            };
            let mut random = Random::new(7);
            for _ in 0..50 {
                let at: BTreeMap<Var, usize> = names
                    .iter()
                    .map(|(_, v)| (*v, 1 + random.below(9)))
                    .collect();
                let value = |e: &Expr| e.eval(&|v| Some(BigInt::from(at[&v])));
                let given: Vec<GivenSize> = (names.iter())
                    .map(|(name, v)| GivenSize {
                        argument: 0,
                        element: false,
                        name: Some(name.clone()),
                        metric: None,
                        value: at[v].into(),
                    })
                    .collect();
                let found = steps_at(&call.report, &given).all.upper;
                let expected_value = value(&expected_bound).unwrap();
                if found != BoundValue::Exact(expected_value.clone()) {
                    wrong.push(format!(
                        "{}: {found:?}, expected {expected} = {expected_value}",
                        call.predicate
                    ));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
