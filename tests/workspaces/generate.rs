//! Random workspaces: a program `main.pl` with up to four modules and parts that define, export and import the same few names.
//!
//! A predicate calls only names of a lower level (`t/1` may call `p/1`, `p/1` may call `u/1` or `last/2`, which call helpers of their own
//! file), so that nothing is recursive, whatever a name means.

#![allow(dead_code, reason = "each test uses a part")]

use std::fmt::Write as _;

/// A file: name and text.
pub(crate) type File = (&'static str, String);

/// Names of the upper level, then of the lower one with a call of each; they include library and built-in ones that a program may define.
const UPPER: [&str; 3] = ["p", "q", "r"];
const LOWER: [(&str, usize, &str); 8] = [
    ("u", 1, "u(_)"),
    ("v", 1, "v(_)"),
    ("last", 2, "last([a, b], _)"),
    ("sum_list", 2, "sum_list([1, 2], _)"),
    ("plus", 3, "plus(1, 2, _)"),
    ("reverse", 2, "reverse([a, b], _)"),
    ("succ_or_zero", 1, "succ_or_zero(_)"),
    ("ignore", 1, "ignore(true)"),
];

/// All of them with their arities.
pub(crate) const NAMES: [(&str, usize); 11] = [
    ("p", 1),
    ("q", 1),
    ("r", 1),
    ("u", 1),
    ("v", 1),
    ("last", 2),
    ("sum_list", 2),
    ("plus", 3),
    ("reverse", 2),
    ("succ_or_zero", 1),
    ("ignore", 1),
];

/// `splitmix64`.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A file before its text is written.
struct Plan {
    stem: &'static str,
    is_module: bool,
    helpers: usize,
}

/// Returns the files of a seed.
pub(crate) fn workspace(seed: u64) -> Vec<File> {
    let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 77);
    let names: [(&str, &str); 5] = [
        ("main", "main.pl"),
        ("m1", "m1.pl"),
        ("m2", "m2.pl"),
        ("m3", "m3.pl"),
        ("m4", "m4.pl"),
    ];
    let many = 2 + random.below(4);
    let plans: Vec<Plan> = (names[..many].iter().enumerate())
        .map(|(i, (stem, _))| Plan {
            stem,
            is_module: if i == 0 {
                random.chance(10)
            } else {
                random.chance(75)
            },
            helpers: 0,
        })
        .collect();
    let mut files = Vec::new();
    let mut plans = plans;
    for (own, &(_, file)) in names.iter().enumerate().take(many) {
        files.push((file, text(&mut plans, own, &mut random)));
    }
    files
}

fn text(plans: &mut [Plan], own: usize, random: &mut Random) -> String {
    let mut clauses: Vec<String> = Vec::new();
    let mut lower: Vec<(&str, usize)> = Vec::new();
    let mut upper: Vec<&str> = Vec::new();
    for &(name, arity, _) in &LOWER {
        if random.chance(22) {
            lower.push((name, arity));
        }
    }
    for name in UPPER {
        if random.chance(45) {
            upper.push(name);
        }
    }
    let mut defined = Vec::new();
    for &(name, arity) in &lower {
        define(plans, own, name, arity, random, &mut clauses);
        defined.push(format!("{name}/{arity}"));
    }
    for name in &upper {
        let body = body(plans, random, false);
        clauses.push(format!(
            "{}{name}(_) :- {body}.\n",
            owner(plans, own, random)
        ));
        defined.push(format!("{name}/1"));
    }
    let stem = plans[own].stem;
    clauses.push(format!("t_{stem}(_) :- {}.\n", body(plans, random, true)));
    clauses.push(format!("s_{stem}(_) :- {}.\n", body(plans, random, false)));
    let mut directives: Vec<String> = Vec::new();
    // The program loads most files itself. No file loads one that loads it: the state of a module while it is being loaded is a separate subject.
    for other in 0..plans.len() {
        let wanted = if own == 0 { 75 } else { 25 };
        if other > own && random.chance(wanted) {
            directives.push(load(plans, other, random));
        }
    }
    for _ in 0..random.below(3) {
        directives.extend(other(plans, own, random));
    }
    // A seventh of the files have an effect on other clauses: hooks and directives that change how these are read or run.
    if random.chance(15) {
        effect(plans, own, random, &mut directives, &mut clauses);
    }
    let mut out = String::new();
    if plans[own].is_module {
        let mut exports: Vec<String> = defined.into_iter().filter(|_| random.chance(65)).collect();
        exports.sort();
        exports.dedup();
        let _ = writeln!(out, ":- module({stem}, [{}]).", exports.join(", "));
    }
    // Directives come first, or anywhere between clauses.
    let mixed = random.chance(25);
    for directive in directives {
        match mixed {
            true => {
                let at = random.below(clauses.len() + 1);
                clauses.insert(at, directive);
            }
            false => out.push_str(&directive),
        }
    }
    out.extend(clauses);
    out
}

/// Returns the module written before a clause, usually none.
fn owner(plans: &[Plan], own: usize, random: &mut Random) -> String {
    if !random.chance(7) {
        return String::new();
    }
    match random.below(4) {
        0 => "user:".into(),
        1 if own > 0 => "system:".into(),
        _ => format!("{}:", module(plans, random)),
    }
}

fn module(plans: &[Plan], random: &mut Random) -> String {
    let plan = random.pick(plans);
    match plan.stem {
        "main" => "user".into(),
        stem => stem.into(),
    }
}

/// Writes a definition with a unique cost: a chain of helpers that no other file has.
fn define(
    plans: &mut [Plan],
    own: usize,
    name: &str,
    arity: usize,
    random: &mut Random,
    clauses: &mut Vec<String>,
) {
    // Clauses of ignore/1 in `system` break SWI-Prolog itself.
    let owner = match owner(plans, own, random) {
        owner if owner == "system:" && name == "ignore" => String::new(),
        owner => owner,
    };
    let plan = &mut plans[own];
    let arguments = vec!["_"; arity].join(", ");
    let length = 1 + random.below(4) + 5 * own;
    let first = plan.helpers;
    let stem = plan.stem;
    clauses.push(format!("{owner}{name}({arguments}) :- h_{stem}_{first}.\n"));
    for i in 0..length {
        let next = first + i + 1;
        clauses.push(match i + 1 == length {
            true => format!("h_{stem}_{}.\n", first + i),
            false => format!("h_{stem}_{} :- h_{stem}_{next}.\n", first + i),
        });
    }
    plan.helpers += length;
}

fn body(plans: &[Plan], random: &mut Random, top: bool) -> String {
    let goals: Vec<String> = (0..1 + random.below(3))
        .map(|_| {
            let goal = match top && random.chance(60) {
                true => format!("{}(_)", random.pick(&UPPER)),
                false => random.pick(&LOWER).2.to_owned(),
            };
            match random.below(12) {
                0 => format!("{}:{goal}", module(plans, random)),
                1 => format!("call({goal})"),
                _ => goal,
            }
        })
        .collect();
    goals.join(", ")
}

fn indicator(random: &mut Random) -> String {
    match random.chance(50) {
        true => format!("{}/1", random.pick(&UPPER)),
        false => {
            let (name, arity, _) = random.pick(&LOWER);
            format!("{name}/{arity}")
        }
    }
}

/// Returns a directive that loads a file.
fn load(plans: &[Plan], other: usize, random: &mut Random) -> String {
    let file = plans[other].stem;
    let into = match random.chance(12) {
        true => format!("{}:", module(plans, random)),
        false => String::new(),
    };
    // `use_module` of a file without a module is an error.
    let kind = match plans[other].is_module {
        true => random.below(14),
        false => 6 + random.below(4),
    };
    let goal = match kind {
        0 => format!("use_module({file}, [{}])", indicator(random)),
        1 => format!(
            "use_module({file}, [{}, {}])",
            indicator(random),
            indicator(random)
        ),
        2 => format!("use_module({file}, except([{}]))", indicator(random)),
        3 => {
            let from = random.pick(&UPPER);
            // `p/1 as p` defines a clause that calls the other p/1; this does not occur in practice.
            match random.pick(&UPPER) {
                to if to == from => format!("use_module({file}, [{from}/1])"),
                to => format!("use_module({file}, [{from}/1 as {to}])"),
            }
        }
        4 => format!("reexport({file})"),
        5 => format!("reexport({file}, [{}])", indicator(random)),
        6 => format!("ensure_loaded({file})"),
        7 => format!("consult({file})"),
        8 => format!("[{file}]"),
        9 => format!("load_files({file}, [if(not_loaded)])"),
        10 => format!("use_module({file}, [])"),
        _ => format!("use_module({file})"),
    };
    match random.below(20) {
        0 => format!(":- initialization({into}{goal}).\n"),
        1 => format!(":- ( {into}{goal} -> true ; true ).\n"),
        2 => format!(":- ( fail -> {into}{goal} ; true ).\n"),
        3 => format!(":- catch({into}{goal}, _, true).\n"),
        4 => format!(":- @({goal}, {}).\n", module(plans, random)),
        _ => format!(":- {into}{goal}.\n"),
    }
}

/// Returns a directive that changes modules in another way.
fn other(plans: &[Plan], own: usize, random: &mut Random) -> Option<String> {
    let (one, two) = (module(plans, random), module(plans, random));
    Some(match random.below(14) {
        0 if one != two && one != "user" => format!(":- add_import_module({one}, {two}, start).\n"),
        1 if one != two && one != "user" => format!(":- add_import_module({one}, {two}, end).\n"),
        2 if one != two && one != "user" && two != "user" => {
            format!(":- set_module({one}:base({two})).\n")
        }
        3 | 4 => format!(":- {one}:import({two}:{}).\n", indicator(random)),
        5 => format!(":- dynamic {}.\n", indicator(random)),
        6 => format!(":- dynamic {one}:{}.\n", indicator(random)),
        7 => ":- use_module(library(lists)).\n".into(),
        8 => ":- use_module(library(lists), [last/2]).\n".into(),
        9 => ":- use_module(library(lists), except([last/2])).\n".into(),
        10 => ":- autoload(library(lists), [reverse/2]).\n".into(),
        11 if own == 0 && random.chance(15) => ":- set_prolog_flag(autoload, false).\n".into(),
        12 => format!(":- discontiguous {}.\n", indicator(random)),
        _ => return None,
    })
}

/// Adds an effect to a file, and a predicate that shows it.
fn effect(
    plans: &[Plan],
    own: usize,
    random: &mut Random,
    directives: &mut Vec<String>,
    clauses: &mut Vec<String>,
) {
    let stem = plans[own].stem;
    let (from, to) = (random.pick(&UPPER), random.pick(&UPPER));
    let (goal, by) = (random.pick(&LOWER).2, random.pick(&LOWER).2);
    let scope = *random.pick(&["", "user:", "system:"]);
    let one = module(plans, random);
    let other = random.pick(plans).stem;
    let directive = match random.below(26) {
        // Hooks for the terms and goals that follow.
        0 => format!(
            ":- multifile user:term_expansion/2.\nuser:term_expansion((:- module(M, L)), (:- module(M, L))) :- assertz(seen_{stem}(M)).\n"
        ),
        1 if from != to => format!("{scope}term_expansion(({from}(X) :- B), ({to}(X) :- B)).\n"),
        2 => format!("{scope}term_expansion({from}(X), {from}(X)).\n"),
        3 => format!("{scope}goal_expansion({goal}, true).\n"),
        4 => format!("{scope}goal_expansion(G, G) :- known_{stem}(G).\nknown_{stem}({goal}).\n"),
        5 if goal != by => format!(
            "{scope}goal_expansion(G0, G) :- known_{stem}(G0, G).\nknown_{stem}({goal}, true).\nknown_{stem}({by}, true).\n"
        ),
        6 => format!(
            ":- if(current_predicate(nowhere:nothing/0)).\n{scope}goal_expansion({goal}, true).\n:- endif.\n"
        ),
        // Declarations with a computed part.
        7 => format!(":- M = {one}, dynamic(M:{}).\n", indicator(random)),
        8 => format!(":- L = [{}], dynamic(L).\n", indicator(random)),
        9 => format!(":- forall(member(N, [{from}, u]), dynamic(N/1)).\n"),
        // Text that is read otherwise; the cost of `k` shows how.
        10 | 11 => {
            let flag = random.pick(&["codes", "chars", "atom", "string"]);
            let quotes = format!("set_prolog_flag(double_quotes, {flag})");
            match random.below(6) {
                0 => format!(":- ( true -> {quotes} ; true ).\n"),
                1 => format!(":- G = {quotes}, call(G).\n"),
                2 => format!("quotes_{stem} :- {quotes}.\n:- quotes_{stem}.\n"),
                3 => format!(":- once({quotes}).\n"),
                4 => format!(":- {one}:{quotes}.\n"),
                _ => format!(":- {quotes}.\n"),
            }
        }
        12 | 13 => {
            let name = random.pick(&["===>", "<--", "u"]);
            match random.below(6) {
                0 => format!(":- user:op(700, xfx, {name}).\n"),
                1 => format!(":- op(700, xfx, user:({name})).\n"),
                2 => format!(":- G = op(700, xfx, {name}), call(G).\n"),
                3 => format!(":- forall(member(O, [{name}]), op(700, xfx, O)).\n"),
                4 => format!("ops_{stem} :- op(700, xfx, {name}).\n:- ops_{stem}.\n"),
                _ => format!(":- op(700, xfx, {name}).\n"),
            }
        }
        14 => "prolog_exception_hook(_, _, _, _) :- fail.\n".into(),
        // Goals and hooks from data, and clauses of other files.
        15 => match random.below(4) {
            0 => format!(":- maplist(dynamic, [{}]).\n", indicator(random)),
            1 => format!(":- G =.. [dynamic, {}], call(G).\n", indicator(random)),
            2 => format!(":- A = abolish, call(A, {from}/1).\n"),
            _ => format!(
                "add_{stem}(G) :- assertz({scope}goal_expansion({goal}, G)).\n:- add_{stem}(true).\n"
            ),
        },
        16 => format!(
            "quotes_{stem} :- set_prolog_flag(double_quotes, codes).\n:- catch(quotes_{other}, _, true).\n"
        ),
        17 => format!(
            ":- dynamic on_{stem}/0.\n{scope}term_expansion((:- on_{stem}), []) :- assertz(on_{stem}).\n{scope}term_expansion(T, R) :- on_{stem}, swap_{stem}(T, R).\nswap_{stem}({from}(X), R) :- R =.. [{to}, X].\n{}",
            if random.chance(50) {
                format!(":- on_{other}.\n")
            } else {
                String::new()
            }
        ),
        18 if random.chance(30) => {
            format!("{scope}goal_expansion(G, G) :- atom_length(G, _), G = v(_).\n")
        }
        18 => format!(
            "{scope}term_expansion(hook_{stem}, [goal_expansion({goal}, true)]).\nhook_{stem}.\n"
        ),
        // Branches of undecided conditions, of those that an assumption decides, and of others.
        19 | 20 => {
            let condition = *random.pick(&[
                "mode(fast)",
                "mode(slow)",
                "catch(mode_of_none(_), _, fail)",
                "current_prolog_flag(windows, true)",
                "\\+ current_prolog_flag(unix, true)",
                "current_predicate(nowhere_defined/3)",
                "exists_source(library(lists))",
                "current_predicate(nowhere:nothing/0)",
            ]);
            let (one, two) = (body(plans, random, false), body(plans, random, false));
            let last = match random.below(3) {
                0 => String::new(),
                1 => format!(":- else.\n{from}(_) :- {two}.\n"),
                _ => format!(":- elif(mode(fast)).\n{from}(_) :- {two}.\n:- else.\n{from}(_).\n"),
            };
            format!(
                ":- dynamic mode/1.\nmode(fast).\n:- if({condition}).\n{from}(_) :- {one}.\n{last}:- endif.\n"
            )
        }
        // Hooks of pure code, which are run.
        21 => format!(
            "{scope}term_expansion(gen_{stem}(N), Gs) :- findall(gen_{stem}(I), between(1, N, I), Gs).\ngen_{stem}(3).\n"
        ),
        22 => format!(
            "{scope}term_expansion(({from}(X) :- B), [({from}(X) :- B), made_{stem}(X)]) :- atom_concat(_, _, {from}).\n"
        ),
        23 => format!(
            "{scope}term_expansion({from}_{stem}(X), (made_{stem}(X) :- {goal})).\n{from}_{stem}(1).\n"
        ),
        24 => format!(
            "user:goal_expansion({goal}, true) :- prolog_load_context({}).\n",
            random.pick(&["dialect, xsb", "module, m1", "module, user", "dialect, swi"])
        ),
        _ => ":- format_predicate(v, show(_, _)).\nshow(_, _).\n".into(),
    };
    directives.push(directive);
    clauses.push(format!("k_{stem}(_) :- w_{stem}(\"ab\"), p(_).\n"));
    clauses.push(format!(
        "w_{stem}([_|_]) :- x_{stem}.\nw_{stem}(ab).\nx_{stem}.\n"
    ));
    if random.chance(30) {
        clauses.push(format!(
            "o_{stem}(_) :- y_{stem}(a ===> b).\ny_{stem}(_).\n"
        ));
    }
    if random.chance(30) {
        clauses.push(format!(
            "f_{stem}(_) :- format(atom(_), \"~w\", [a]), u(_).\n"
        ));
    }
}
