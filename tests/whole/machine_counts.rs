//! Bounds on the instructions of Costlens' own machine compared with runs of that machine: lower <= counted <= upper, for every instruction,
//! success and failure apart, to the first solution and over all.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use costlens_algebra::{Rat, rat};
use costlens_analysis::report::{PatternReport, PredicateReport};
use costlens_compile::code::{inside_built_in, primitives};
use costlens_events::Event;
use costlens_events::machine::counted_names;
use costlens_ide::host::Host;
use costlens_ide::present::values::{BoundValue, GivenSize, StepsAt, steps_at};
use costlens_ide::resources::Resource;
use costlens_machine::{Answer, Limits, Machine};

/// A goal, and the sizes of its arguments.
struct Input {
    goal: String,
    sizes: Vec<(usize, i64)>,
}

impl Input {
    /// Returns the sizes under the metrics that the patterns use.
    fn given_sizes(&self) -> Vec<GivenSize> {
        let given = |&(argument, value): &(usize, i64)| GivenSize {
            argument,
            element: false,
            name: None,
            metric: None,
            value: value.into(),
        };
        self.sizes.iter().map(given).collect()
    }
}

/// Returns the count of every event, to the first solution or over all. Returns `None` if a limit or an exception ended the run.
fn run(machine: &mut Machine, goal: &str, all: bool) -> Option<BTreeMap<Event, u64>> {
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.forget_counts();
    machine.start(goal);
    loop {
        match machine.next_answer() {
            Answer::Yes { more: true } if all => {}
            Answer::Yes { .. } | Answer::No => break,
            Answer::Error(_) | Answer::Limit(_) => return None,
        }
    }
    let events = machine.events().into_iter();
    Some(
        events
            .filter_map(|(name, count)| Some((name.parse().ok()?, count)))
            .filter(|(event, _)| matches!(event, Event::Machine(..)))
            .collect(),
    )
}

fn events() -> Vec<Event> {
    let names = counted_names().flat_map(|(name, fails)| {
        let failed = fails.then(|| format!("{name}(fail)"));
        std::iter::once(name.to_owned()).chain(failed)
    });
    names.map(|name| name.parse().unwrap()).collect()
}

/// The result of comparing the bounds of a program.
#[derive(Default)]
struct Compared {
    /// Bounds that equal the counts, lower and upper.
    exact: usize,
    all: usize,
    wrong: Vec<String>,
}

/// A program, the bounds of its predicates on every event, and a machine that runs it.
struct Program {
    reports: Vec<(Event, Vec<Arc<PredicateReport>>)>,
    machine: Machine,
}

impl Program {
    fn new(text: &str) -> Self {
        let mut host = Host::new();
        let file = host.open("p.pl", text);
        let reports = |event: Event| {
            let resource = Resource::Event(event.clone());
            let bounds = host.snapshot().resource_bounds(file, &resource).unwrap();
            (event, bounds.into_iter().map(|p| p.report).collect())
        };
        let mut machine = Machine::counting(Limits::default());
        assert!(machine.load(text).is_empty(), "{text}");
        Program {
            reports: events().into_iter().map(reports).collect(),
            machine,
        }
    }
}

/// Compares all bounds of the first pattern of a predicate with runs.
fn compare(program: &mut Program, predicate: &str, inputs: &[Input]) -> Compared {
    let pattern = |all: &[Arc<PredicateReport>]| {
        let report = all.iter().find(|r| r.predicate.to_string() == predicate);
        report.unwrap().patterns[0].clone()
    };
    let reports: Vec<(Event, PatternReport)> = (program.reports.iter())
        .map(|(event, all)| (event.clone(), pattern(all)))
        .collect();
    let machine = &mut program.machine;
    let mut compared = Compared::default();
    for input in inputs {
        let sizes = input.given_sizes();
        let first = run(machine, &input.goal, false);
        let all = run(machine, &input.goal, true);
        for (event, report) in &reports {
            let at: StepsAt = steps_at(report, &sizes);
            for (which, counts, lower, upper) in [
                ("first", &first, &at.first.lower, &at.first.upper),
                ("all", &all, &at.all.lower, &at.all.upper),
            ] {
                let Some(counts) = counts else { continue };
                let count = counts.get(event).copied().unwrap_or(0);
                let count = rat(i64::try_from(count).unwrap());
                // The analysis does not track which bindings are trailed.
                if event.to_string() != "trail_entries" {
                    compared.all += 1;
                    compared.exact += usize::from(is(lower, &count) && is(upper, &count));
                }
                let fits = match lower {
                    BoundValue::Exact(lower) => *lower <= count,
                    BoundValue::Infinite => false,
                    _ => true,
                } && match upper {
                    BoundValue::Exact(upper) => count <= *upper,
                    _ => true,
                };
                if !fits && compared.wrong.len() < 4 {
                    compared.wrong.push(format!(
                        "{}: {event}, {which}: {lower:?} <= {count} <= {upper:?}",
                        input.goal
                    ));
                }
            }
        }
    }
    compared
}

fn is(value: &BoundValue, count: &Rat) -> bool {
    matches!(value, BoundValue::Exact(v) if v == count)
}

/// Returns the lists of at most that many elements, of numbers from 1 to `most`.
fn lists(length: usize, most: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = (last.iter())
            .flat_map(|list| {
                (1..=most).map(move |n| list.iter().copied().chain([n]).collect::<Vec<i64>>())
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Returns inputs of `p(List, …)`, where `goal` writes the call.
fn of_lists(length: usize, most: i64, goal: impl Fn(&str) -> String) -> Vec<Input> {
    (lists(length, most).into_iter())
        .map(|list| Input {
            goal: goal(&format!("{list:?}")),
            sizes: vec![(1, i64::try_from(list.len()).unwrap())],
        })
        .collect()
}

/// The programs of kind E of PPDP'08, Table 7: every bound on every instruction equals the count, lower and upper.
#[test]
fn bounds_of_exact_programs_are_the_counts() {
    let list = |name: &'static str| of_lists(4, 1, move |list| format!("{name}({list}, X)"));
    let number = |name: &'static str, from: i64, more: &'static str| {
        (from..7)
            .map(|n| Input {
                goal: format!("{name}({n}{more}, X)"),
                sizes: vec![(1, n)],
            })
            .collect::<Vec<Input>>()
    };
    let append = of_lists(3, 1, |list| format!("append({list}, [7], X)"))
        .into_iter()
        .map(|mut input| {
            input.sizes.push((2, 1));
            input
        });
    let evalpol = of_lists(3, 2, |list| format!("evalpol({list}, 3, X)"))
        .into_iter()
        .map(|mut input| {
            input.sizes.push((2, 3));
            input
        });
    for (name, arity, inputs) in [
        ("append", 3, append.collect()),
        ("evalpol", 3, evalpol.collect()),
        ("fib", 2, number("fib", 0, "")),
        ("hanoi", 5, number("hanoi", 1, ", a, b, c")),
        ("nreverse", 2, list("nreverse")),
        ("palindro", 2, list("palindro")),
        ("powset", 2, list("powset")),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/papers/ppdp08")
            .join(match name {
                "subst" => "substitute.pl".to_owned(),
                name => format!("{name}.pl"),
            });
        let text = std::fs::read_to_string(path).unwrap();
        let compared = compare(
            &mut Program::new(&text),
            &format!("{name}/{arity}"),
            &inputs,
        );
        assert_eq!(compared.wrong, Vec::<String>::new());
        assert_eq!(compared.exact, compared.all, "{name}");
    }
}

/// The programs of PPDP'08, Table 7, whose cost depends on more than sizes, on inputs of that size: all instructions together to the first
/// solution, where the lower bound is compared with the count of the cheapest input, the upper one with that of the most expensive one. The
/// percentages are in docs/papers.md.
#[test]
fn bounds_of_other_programs_stand_beside_the_counts() {
    let numbers = |from: i64, n: i64| {
        let all: Vec<String> = (from..from + n).map(|i| i.to_string()).collect();
        format!("[{}]", all.join(","))
    };
    let lists = |name: &str, own: String| Input {
        goal: format!("{name}({own}, {}, R)", numbers(1, 65)),
        sizes: vec![(1, 65), (2, 65)],
    };
    let ones = format!("[{}]", vec!["1"; 65].join(","));
    // 37 products, or 37 sums, of 38 names: 75 nodes.
    let expression = |operator: &str| Input {
        goal: format!("derive({}, x, D)", vec!["x"; 38].join(operator)),
        sizes: vec![(1, 75)],
    };
    // 33 operations on 34 names: 67 nodes; the value of a name is given first, or not at all.
    let names = |said: &str| {
        let nested = format!("{}x{}", "op(x, ".repeat(33), ")".repeat(33));
        let pairs = vec![format!("s({said}, 1)"); 40].join(",");
        Input {
            goal: format!("subst({nested}, [{pairs}], F)"),
            sizes: vec![(1, 67), (2, 40)],
        }
    };
    let mut table = Vec::new();
    for (name, arity, cheap, dear) in [
        (
            "list_diff",
            3,
            lists("list_diff", ones.clone()),
            lists("list_diff", numbers(100, 65)),
        ),
        (
            "list_inters",
            3,
            lists("list_inters", ones),
            lists("list_inters", numbers(100, 65)),
        ),
        ("subst", 3, names("x"), names("y")),
        ("derive", 3, expression("+"), expression("/")),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/papers/ppdp08")
            .join(match name {
                "subst" => "substitute.pl".to_owned(),
                name => format!("{name}.pl"),
            });
        let text = std::fs::read_to_string(path).unwrap();
        let mut program = Program::new(&text);
        let predicate = format!("{name}/{arity}");
        let inputs = [cheap, dear];
        let compared = compare(&mut program, &predicate, &inputs);
        assert_eq!(compared.wrong, Vec::<String>::new());
        let percent = inputs.map(|input| {
            let (lower, counted, upper) = in_all(&mut program, &predicate, &input);
            [lower * 100 / counted, upper * 100 / counted]
        });
        table.push((name, percent[0][0], percent[1][1]));
    }
    assert_eq!(
        table,
        [
            ("list_diff", 82, 101),
            ("list_inters", 76, 102),
            ("subst", 0, 102),
            ("derive", 0, 102)
        ]
    );
}

/// Returns the instructions to the first solution: lower bound, count, upper bound.
fn in_all(program: &mut Program, predicate: &str, input: &Input) -> (i64, i64, i64) {
    let counts = run(&mut program.machine, &input.goal, false).unwrap();
    let sizes = input.given_sizes();
    let allocations = [
        "environments",
        "choice_points",
        "heap_cells",
        "trail_entries",
    ];
    let (mut lower, mut counted, mut upper) = (rat(0), 0, rat(0));
    for (event, all) in &program.reports {
        if allocations.contains(&event.to_string().as_str()) {
            continue;
        }
        let report = all.iter().find(|r| r.predicate.to_string() == predicate);
        let at = steps_at(&report.unwrap().patterns[0], &sizes);
        let number = |value: &BoundValue| match value {
            BoundValue::Exact(n) => n.clone(),
            other => panic!("{event}: {other:?}"),
        };
        lower += number(&at.first.lower);
        upper += number(&at.first.upper);
        counted += i64::try_from(counts.get(event).copied().unwrap_or(0)).unwrap();
    }
    let whole = |n: Rat| i64::try_from(n.to_integer()).unwrap();
    (whole(lower), counted, whole(upper))
}

/// A check that an error would be detected: a program whose count of one instruction is one more than that of the bounded program.
#[test]
fn one_instruction_too_many_is_noticed() {
    let text = "%! p(+Xs:list(int), -Ys) is det.\np([], []).\np([X|Xs], [X|Ys]) :- p(Xs, Ys).\n";
    let other = "%! p(+Xs:list(int), -Ys) is det.\np([], Ys) :- Ys = [].\np([X|Xs], [X|Ys]) :- p(Xs, Ys).\n";
    let inputs = of_lists(2, 1, |list| format!("p({list}, Y)"));
    let noticed = |bounded: &str, run: &str| {
        let mut host = Host::new();
        let file = host.open("p.pl", bounded);
        let mut machine = Machine::counting(Limits::default());
        machine.load(run);
        let events = ["get_nil", "get_list", "unify_variable"];
        inputs.iter().any(|input| {
            let counts = first_run(&mut machine, &input.goal);
            events.iter().any(|name| {
                let event: Event = name.parse().unwrap();
                let resource = Resource::Event(event.clone());
                let bounds = host.snapshot().resource_bounds(file, &resource).unwrap();
                let sizes = [GivenSize {
                    argument: 1,
                    element: false,
                    name: None,
                    metric: None,
                    value: input.sizes[0].1.into(),
                }];
                let at = steps_at(&bounds[0].report.patterns[0], &sizes);
                let count = rat(i64::try_from(counts.get(&event).copied().unwrap_or(0)).unwrap());
                !is(&at.first.upper, &count)
            })
        })
    };
    assert!(!noticed(text, text));
    let more = text.replace("p([], []).", "p([], Ys) :- Ys = [], Ys = [].");
    assert!(noticed(text, &more), "get_nil twice");
    assert!(
        !noticed(other, text),
        "the same instructions, written otherwise"
    );
}

fn first_run(machine: &mut Machine, goal: &str) -> BTreeMap<Event, u64> {
    run(machine, goal, false).unwrap()
}

const SHAPES: &str = "
%! part(+Xs:list(int), -L, -G) is det.
part([], [], []).
part([X|Xs], [X|L], G) :- X =< 2, !, part(Xs, L, G).
part([X|Xs], L, [X|G]) :- part(Xs, L, G).
%! sel(+Xs:list(int), -X, -Ys) is nondet.
sel([X|Xs], X, Xs).
sel([Y|Xs], X, [Y|Ys]) :- sel(Xs, X, Ys).
%! pairs(+Xs:list(int), -Y) is nondet.
pairs([X, X|_], X).
pairs([1, _, X|Xs], f(X, Xs)).
pairs([2|_], two).
pairs([], 0).
pairs([X|Xs], Y) :- X > 2, Y0 is X*2, Y0 < 10, pairs(Xs, Y).
%! last(+Xs:list(int), -X) is semidet.
last([X], X).
last([_, Y|Xs], X) :- last([Y|Xs], X).
%! first(+Xs:list(int), -R) is det.
first(Xs, R) :- sel(Xs, R, _), R > 1, !.
first(_, 0).
%! perm(+Xs:list(int), -Ys) is nondet.
perm([], []).
perm(Xs, [Y|Zs]) :- sel(Xs, Y, Ys), perm(Ys, Zs).
%! rev(+Xs:list(int), -R) is det.
rev(Xs, R) :- rev(Xs, [], R).
rev([], A, A) :- !.
rev([X|Xs], A, R) :- rev(Xs, [X|A], R).
%! sels(+Xs:list(int), -Ys) is det.
sels(Xs, Ys) :- findall(X-Y, sel(Xs, X, Y), Ys).
%! selections(+Xs:list(int), -N) is det.
selections(Xs, N) :- aggregate_all(count, sel(Xs, _, _), N), N >= 0.
%! large(+Xs:list(int), -Ys) is det.
large(Xs, Ys) :- ( forall(sel(Xs, X, _), X > 1) -> Ys = Xs ; findall(X, sel(Xs, X, _), Ys, []) ).
%! texts(+Xs:list(int), -N) is det.
texts([], 0).
texts([X|Xs], N) :- number_codes(X, Cs), length(Cs, L), memberchk(L, [1, 2]), texts(Xs, M), succ(M, N).
";

#[test]
fn bounds_hold_for_heads_cuts_and_backtracking() {
    let mut program = Program::new(SHAPES);
    for (name, outputs) in [
        ("part", 2),
        ("sel", 2),
        ("pairs", 1),
        ("last", 1),
        ("first", 1),
        ("perm", 1),
        ("rev", 1),
        ("sels", 1),
        ("selections", 1),
        ("large", 1),
        ("texts", 1),
    ] {
        let rest = ["A", "B"][..outputs].join(", ");
        let inputs = of_lists(3, 3, |list| format!("{name}({list}, {rest})"));
        let compared = compare(&mut program, &format!("{name}/{}", outputs + 1), &inputs);
        assert_eq!(compared.wrong, Vec::<String>::new());
        assert!(compared.exact * 10 > compared.all, "{name} is silent");
    }
}

/// Primitives of the bounds are built-ins of the machine, and built-ins that bounds assume to allocate nothing allocate nothing.
#[test]
fn built_ins_allocate_what_bounds_say() {
    let mut machine = Machine::counting(Limits::default());
    for (name, arity) in primitives() {
        let atom = machine.store.atoms.intern(name);
        assert!(machine.builtin(atom, arity).is_some(), "{name}/{arity}");
    }
    for goal in [
        "atom_length(abc, N)",
        "char_code(C, 0'a)",
        "char_code(b, N)",
        "compare(O, f(X, Y), f(Y, X))",
        "nl",
        "plus(1, X, 3)",
        "put_char(a)",
        "string_length(\"abc\", 4)",
        "succ(X, 4)",
        "succ(12345678901234567890123, X)",
        "tab(1+2)",
        "write(f(X, 'A b', [1,2|T], \"s\", -(1), 1.5, {a}))",
        "writeln('$VAR'(3))",
        "writeq(['A'-b, 'c d', -(-(1))])",
    ] {
        let mut machine = Machine::counting(Limits::default());
        machine.load(&format!("p :- {goal}.\n"));
        let counts = first_run(&mut machine, "p");
        let of = |name: &str| counts.get(&name.parse().unwrap()).copied().unwrap_or(0);
        let name = goal.split('(').next().unwrap();
        let arity = machine_arity(goal);
        let inside = inside_built_in(name, arity);
        // The clause builds the arguments: their cost is that of the same clause with another goal.
        let own = goal.replacen(name, "nothing", 1);
        let mut other = Machine::counting(Limits::default());
        let variables = ["A", "B", "C"][..arity].join(", ");
        let fact = if arity == 0 {
            "nothing.".to_owned()
        } else {
            format!("nothing({variables}).")
        };
        other.load(&format!("p :- {own}.\n{fact}\n"));
        let around = first_run(&mut other, "p");
        for event in ["heap_cells", "trail_entries"] {
            let event: Event = event.parse().unwrap();
            let most = inside.get(&event).most + around.get(&event).copied().unwrap_or(0);
            let counted = counts.get(&event).copied().unwrap_or(0);
            assert!(counted <= most, "{goal}: {event}: {counted} > {most}");
        }
        assert_eq!(
            of("environments"),
            around
                .get(&"environments".parse().unwrap())
                .copied()
                .unwrap_or(0)
        );
    }
}

/// Returns the number of arguments of a goal without nested commas at its end.
fn machine_arity(goal: &str) -> usize {
    match goal.split('(').next().unwrap() {
        "nl" => 0,
        "compare" | "plus" => 3,
        "put_char" | "tab" | "write" | "writeln" | "writeq" => 1,
        _ => 2,
    }
}

/// Random numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % (n as u64)).unwrap()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Returns a control construct, with others inside.
fn control(chance: &mut Chance, depth: usize) -> String {
    let mut goal = || {
        if depth > 0 && chance.below(3) == 0 {
            return control(chance, depth - 1);
        }
        let simple = chance.pick(&[
            "X > 1",
            "P =< 2",
            "var(R)",
            "X == P",
            "R = X",
            "R = f(X, g(P))",
            "Z = f(X, _, P)",
            "R = [X|T]",
            "q(X)",
            "q(P)",
            "q(Z)",
            "N is P+1",
            "X = 1",
            "R = g(A, B, A)",
            "p([], P, Z)",
            "fail",
            "true",
            "!",
            "X > 1, P > X",
            "q(X), !",
            "R \\= P",
            "q(Z), Z = f(X)",
        ]);
        simple.to_owned()
    };
    let parts = [goal(), goal(), goal()];
    let [a, b, c] = parts;
    match chance.below(13) {
        0 => format!("( {a} ; {b} )"),
        1 => format!("( {a} ; {b} ; {c} )"),
        2 | 3 => format!("( {a} -> {b} ; {c} )"),
        4 => format!("( {a} -> {b} )"),
        5 => format!("( {a} *-> {b} ; {c} )"),
        6 => format!("\\+ ( {a} )"),
        7 => format!("once(( {a} ))"),
        8 => format!("ignore(( {a}, {b} ))"),
        9 => format!("forall(( {a} ), ( {b} ))"),
        10 => format!("call(( {a}, {b} ))"),
        11 => format!("( {a} ; {b} -> {c} ; true )"),
        _ => format!("( {a} -> {b} ; {c} -> true ; {b} )"),
    }
}

/// Returns a predicate over a list and a number, which recurses on the rest of the list.
fn program(chance: &mut Chance) -> String {
    let mut text = String::from("%! p(+Xs:list(int), +P:int, -R) is nondet.\n");
    for _ in 0..1 + chance.below(4) {
        let list = chance.pick(&[
            "[]",
            "[X|Xs]",
            "[1|Xs]",
            "[X]",
            "[X, Y|Xs]",
            "Ls",
            "[X, X|Xs]",
            "[X|Ls]",
            "_",
        ]);
        let number = chance.pick(&["P", "P", "0", "X", "2", "_"]);
        let result = chance.pick(&["R", "R", "[]", "f(X)", "[X|R]", "X", "P"]);
        let mut goals = Vec::new();
        for _ in 0..chance.below(4) {
            goals.push(match chance.below(12) {
                0 => chance
                    .pick(&["X > 1", "P =< 2", "X =:= P", "Y < X"])
                    .to_owned(),
                1 => chance
                    .pick(&["X == P", "R \\== X", "X @< P", "X \\= P"])
                    .to_owned(),
                2 => "!".to_owned(),
                3 => chance
                    .pick(&["R = X", "R = g(P, X)", "Z = f(X, R)", "X = 1"])
                    .to_owned(),
                4 => chance
                    .pick(&["N is P+1", "N is X*P-1", "R is P"])
                    .to_owned(),
                5 | 6 if list.contains("|Xs") => {
                    let out = chance.pick(&["R", "R1", "_", "X"]);
                    format!("p(Xs, {}, {out})", chance.pick(&["P", "1", "X"]))
                }
                7 => chance.pick(&["q(X)", "q(P)", "q(R)"]).to_owned(),
                8 => chance
                    .pick(&["integer(X)", "var(R)", "fail", "true"])
                    .to_owned(),
                9 | 10 => control(chance, 2),
                _ => continue,
            });
        }
        let head = format!("p({list}, {number}, {result})");
        if goals.is_empty() {
            text.push_str(&format!("{head}.\n"));
        } else {
            text.push_str(&format!("{head} :- {}.\n", goals.join(", ")));
        }
    }
    text.push_str("q(1).\nq(2) :- q(1).\nq(f(_)).\n");
    text
}

/// Heads, unifications and branches over arguments without declarations, called with terms that share variables or contain unbound ones, big
/// integers and partial lists; and the same with the last argument declared unbound.
#[test]
fn bounds_hold_for_terms_that_share_variables() {
    let mut chance = Chance(7);
    let programs = std::env::var("MACHINE_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut known = 0;
    for _ in 0..programs.unwrap_or(12) {
        let last = chance.pick(&["?", "-"]);
        let mut text = format!("%! s(?A, ?B, {last}C) is nondet.\n");
        for _ in 0..1 + chance.below(3) {
            let mut term = || {
                chance.pick(&[
                    "X",
                    "X",
                    "Y",
                    "_",
                    "f(X)",
                    "f(X, Y)",
                    "f(X, X, Y)",
                    "f(_, g(Y))",
                    "[X|Y]",
                    "[X, X|Z]",
                    "[_, f(Y), a]",
                    "a",
                    "1",
                    "123456789012345678901234567890",
                    "\"s\"",
                    "f(g(X, h(Y)), X)",
                ])
            };
            let head = [term(), term(), term()];
            let equations = [(term(), term()), (term(), term())];
            let goals = [
                "true".to_owned(),
                format!("{} = {}", equations[0].0, equations[0].1),
                format!(
                    "( {} = {} -> X = Y ; Z = f(X) )",
                    equations[0].0, equations[1].0
                ),
                format!(
                    "( {} = {} ; {} = {} )",
                    equations[0].0, equations[0].1, equations[1].0, equations[1].1
                ),
                format!("W = {}, W = {}", equations[0].0, equations[1].1),
                format!("t(X, W), W = {}", equations[0].0),
                format!("\\+ {} = {}, t(Y, Y)", equations[0].0, equations[1].1),
            ];
            let goal = goals[chance.below(goals.len())].clone();
            text.push_str(&format!("s({}) :- {goal}.\n", head.join(", ")));
        }
        text.push_str("t(a, f(_, 1)).\nt(X, X).\n");
        let inputs: Vec<Input> = (0..10)
            .map(|_| {
                let mut term = || {
                    chance.pick(&[
                        "V",
                        "V",
                        "W",
                        "a",
                        "1",
                        "f(V)",
                        "f(V, V)",
                        "f(V, W, 1)",
                        "f(W, g(V))",
                        "[V|W]",
                        "[a, V|V]",
                        "[b, f(V), W]",
                        "f(g(V, W), V)",
                        "123456789012345678901234567890",
                    ])
                };
                let (a, b, c) = (term(), term(), term());
                let c = if last == "-" { "Fresh" } else { c };
                Input {
                    goal: format!("s({a}, {b}, {c})"),
                    sizes: Vec::new(),
                }
            })
            .collect();
        let compared = compare(&mut Program::new(&text), "s/3", &inputs);
        assert_eq!(compared.wrong, Vec::<String>::new(), "{text}");
        known += compared.exact;
    }
    assert!(known > 0);
}

#[test]
fn bounds_hold_for_programs_by_chance() {
    let programs = std::env::var("MACHINE_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut chance = Chance(1);
    let (mut exact, mut all) = (0, 0);
    for _ in 0..programs.unwrap_or(12) {
        let text = program(&mut chance);
        let mut inputs = Vec::new();
        for number in [0, 1, 2] {
            inputs.extend(
                of_lists(2, 2, |list| format!("p({list}, {number}, R)"))
                    .into_iter()
                    .map(|mut input| {
                        input.sizes.push((2, number));
                        input
                    }),
            );
        }
        let compared = compare(&mut Program::new(&text), "p/3", &inputs);
        assert_eq!(compared.wrong, Vec::<String>::new(), "{text}");
        exact += compared.exact;
        all += compared.all;
    }
    assert!(exact * 2 > all, "{exact} of {all} are exact");
}
