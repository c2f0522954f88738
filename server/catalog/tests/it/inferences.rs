//! Measures the inferences that the catalogue states, on an installed SWI-Prolog: each sample is a goal, the inferences of the goals that it
//! calls, and the number of solutions that a collecting predicate collects.
//!
//! Without `swipl` the test prints a note and does nothing, unless `CI` is set.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use costlens_catalog::{
    Home, Inferences, OF_CALL_DCG, inferences, inferences_of_aggregate, inferences_of_lambda,
    inferences_of_type_check, measured_templates, measured_types, system_predicates,
};

/// Calls of predicates in Prolog: the predicate, the goal, the inferences of its goals, and the collected solutions. `yes/0`, `yes/N` and
/// `three/1` are predicates of the script, with one inference each.
const IN_PROLOG: &[(&str, usize, &str, u64, u64)] = &[
    ("assertion", 1, "assertion(yes)", 1, 0),
    ("bagof", 3, "bagof(X, three(X), _)", 1, 3),
    ("call", 1, "call(yes)", 1, 0),
    ("call", 2, "call(yes, a)", 1, 0),
    ("call", 3, "call(yes, a, b)", 1, 0),
    ("call", 4, "call(yes, a, b, c)", 1, 0),
    ("call", 5, "call(yes, a, b, c, d)", 1, 0),
    ("call", 6, "call(yes, a, b, c, d, e)", 1, 0),
    ("call", 7, "call(yes, a, b, c, d, e, f)", 1, 0),
    ("call", 8, "call(yes, a, b, c, d, e, f, g)", 1, 0),
    ("call_cleanup", 2, "call_cleanup(yes, yes)", 2, 0),
    ("catch", 3, "catch(yes, _, fail)", 1, 0),
    (
        "catch_with_backtrace",
        3,
        "catch_with_backtrace(yes, _, fail)",
        1,
        0,
    ),
    ("concat_atom", 2, "concat_atom([a, b], _)", 0, 0),
    ("false", 0, "false", 0, 0),
    ("findall", 3, "findall(X, three(X), _)", 1, 3),
    ("findall", 3, "findall(X, no(X), _)", 1, 0),
    ("findall", 4, "findall(X, three(X), _, [])", 1, 3),
    ("forall", 2, "forall(three(X), yes(X))", 4, 0),
    ("forall", 2, "forall(no(X), yes(X))", 1, 0),
    ("forall", 2, "forall(three(X), no(X))", 2, 0),
    ("format", 1, "format('')", 0, 0),
    ("ignore", 1, "ignore(yes)", 1, 0),
    ("ignore", 1, "ignore(no(_))", 1, 0),
    ("length", 2, "length([a, b], _)", 0, 0),
    ("length", 2, "length([a, b], 2)", 0, 0),
    ("length", 2, "length([a, b], 3)", 0, 0),
    ("length", 2, "length(_, 2)", 0, 0),
    ("length", 2, "length([a|_], 2)", 0, 0),
    ("memberchk", 2, "memberchk(b, [a, b])", 0, 0),
    ("memberchk", 2, "memberchk(c, [a, b])", 0, 0),
    ("memberchk", 2, "memberchk(c, [a|_])", 0, 0),
    ("nb_setval", 2, "nb_setval(key, 1)", 0, 0),
    ("not", 1, "not(yes)", 1, 0),
    // The failure of the goal is followed by a branch.
    ("not", 1, "not(no(_))", 2, 0),
    ("numbervars", 3, "numbervars(f(_), 0, _)", 0, 0),
    ("once", 1, "once(three(_))", 1, 0),
    ("phrase", 2, "phrase(rest, [])", 1, 0),
    ("phrase", 3, "phrase(rest, [], _)", 1, 0),
    ("setof", 3, "setof(X, three(X), _)", 1, 3),
    (
        "setup_call_cleanup",
        3,
        "setup_call_cleanup(yes, yes, yes)",
        3,
        0,
    ),
    ("string_to_atom", 2, "string_to_atom(\"a\", _)", 0, 0),
];

/// Calls of built-ins in C, which take one inference each.
const IN_C: &[&str] = &[
    "X = f(X)",
    "a \\= b",
    "a == a",
    "a \\== b",
    "a @< b",
    "compare(_, a, b)",
    "X is 1+2",
    "1 < 2",
    "1 =< 2",
    "2 > 1",
    "2 >= 1",
    "1 =:= 1",
    "1 =\\= 2",
    "2 < 1",
    "var(_)",
    "nonvar(a)",
    "integer(1)",
    "float(1.0)",
    "number(1)",
    "atom(a)",
    "atomic(a)",
    "compound(f(a))",
    "callable(a)",
    "is_list([a])",
    "string(\"a\")",
    "ground(f(a))",
    "ground(f(_))",
    "true",
    "fail",
    "functor(f(a), _, _)",
    "functor(_, f, 2)",
    "arg(1, f(a), _)",
    "f(a) =.. _",
    "copy_term(f(_), _)",
    "atom_codes(ab, _)",
    "atom_chars(ab, _)",
    "char_code(_, 97)",
    "atom_length(ab, _)",
    "atom_number('12', _)",
    "atom_number(a, _)",
    "number_codes(_, \"12\")",
    "number_chars(_, ['1'])",
    "atom_string(_, \"a\")",
    "string_chars(_, [a])",
    "string_codes(_, \"a\")",
    "string_length(\"ab\", _)",
    "string_concat(\"a\", \"b\", _)",
    "string_code(1, \"ab\", _)",
    "number_string(_, \"1\")",
    "split_string(\"a b\", \" \", \"\", _)",
    "sub_atom(abc, 1, 1, 1, _)",
    "sub_string(\"abc\", 1, 1, 1, _)",
    "atom_concat(a, b, _)",
    "atomic_list_concat([a, b], _)",
    "atomic_list_concat([a, b], ',', _)",
    "atomic_list_concat(_, ',', 'a,b')",
    "upcase_atom(a, _)",
    "downcase_atom('A', _)",
    "string_upper(\"a\", _)",
    "string_lower(\"A\", _)",
    "char_type(a, alpha)",
    "code_type(97, alpha)",
    "term_to_atom(f(a), _)",
    "term_variables(f(_), _)",
    "term_string(_, \"f(a)\")",
    "msort([b, a], _)",
    "sort([b, a], _)",
    "sort(0, @>=, [b, a], _)",
    "keysort([b-1, a-2], _)",
    "succ(1, _)",
    "succ(_, 1)",
    "plus(1, 2, _)",
    "between(1, 3, 2)",
    "b_setval(var, 1)",
    "nb_getval(key, _)",
    "nb_setarg(1, f(a), b)",
    "setarg(1, f(a), b)",
    "assertz(fact(1))",
    "asserta(fact(2))",
    "retract(fact(2))",
    "retractall(fact(_))",
    "nl",
    "write(a)",
    "writeln(a)",
    "print(a)",
    "writeq(a)",
    "write_canonical(a)",
    "write_term(a, [])",
    "put_char(a)",
    "tab(2)",
    "format(\"~w\", [a])",
    "format(atom(_), \"~w\", [a])",
    "tab(user_output, 0)",
    "flush_output",
    "statistics(runtime, _)",
    "get_time(_)",
    "garbage_collect_atoms",
    "unify_with_occurs_check(_, a)",
    "cyclic_term(a)",
    "acyclic_term(a)",
    "term_hash(a, _)",
    "?=(a, b)",
    "a =@= a",
    "a \\=@= b",
    "subsumes_term(_, a)",
    "compound_name_arity(f(a), _, _)",
    "compound_name_arguments(f(a), _, _)",
    "op(200, xfx, ===>)",
    "current_op(_, xfx, is)",
    "read_term_from_atom('f(a)', _, [])",
    "text_to_string(abc, _)",
    "nb_current(key, _)",
    "normalize_space(atom(_), ' a ')",
    "string_code(1, \"a\", _)",
    "get_flag(a, _)",
    "sleep(0)",
    "ground(a)",
    "atom_to_term(a, _, _)",
];

#[test]
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
fn stated_inferences_are_those_of_swi_prolog() {
    let mut expected: Vec<(String, u64, u64)> =
        IN_C.iter().map(|goal| ((*goal).to_owned(), 1, 1)).collect();
    for &(name, arity, goal, inside, solutions) in IN_PROLOG {
        let Inferences::Known {
            least, most, each, ..
        } = inferences(name, arity)
        else {
            panic!("{name}/{arity} states no inferences");
        };
        let more = inside + each * solutions;
        expected.push((goal.to_owned(), least + more, most + more));
    }
    for of in measured_types() {
        let value = value_of(of);
        let number = inferences_of_type_check(of).unwrap();
        expected.push((format!("must_be({of}, {value})"), number, number));
    }
    for (name, arity) in measured_templates() {
        let of = inferences_of_aggregate(name, arity).unwrap();
        let template = match arity {
            0 => name.to_owned(),
            1 => format!("{name}(X)"),
            _ => format!("{name}(X, a)"),
        };
        for (goal, solutions) in [("three(X)", 3), ("no(X)", 0)] {
            let (least, most) = of.each;
            let lower = of.call + 1 + solutions * least;
            let upper = of.call + u64::from(of.is_loop) + 1 + solutions * most;
            expected.push((
                format!("aggregate_all({template}, {goal}, _)"),
                lower,
                upper,
            ));
        }
    }
    for (lambda, arguments, parameters, has_free) in [
        ("[]>>yes", "", Some(0), false),
        ("[X]>>yes(X)", ", a", Some(1), false),
        ("[X,_]>>yes(X)", ", a, b", Some(2), false),
        ("{Y}/[X]>>yes(X-Y)", ", a", Some(1), true),
        ("{Y}/yes(Y)", "", None, true),
    ] {
        // The call of the expression, and its body.
        let number = inferences_of_lambda(parameters, has_free) + 2;
        expected.push((format!("call({lambda}{arguments})"), number, number));
    }
    expected.push((
        "call_dcg(rest, [], _)".to_owned(),
        OF_CALL_DCG + 1,
        OF_CALL_DCG + 1,
    ));
    let goals = expected.iter().fold(String::new(), |mut text, (goal, ..)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "goal(({goal})).");
        text
    });
    let Some(counts) = counted(&goals) else {
        eprintln!("skipped: swipl is not installed");
        return;
    };
    let mut wrong = Vec::new();
    assert_eq!(counts.len(), expected.len());
    for ((goal, least, most), count) in expected.iter().zip(counts) {
        if !(*least..=*most).contains(&count) {
            wrong.push(format!(
                "{goal}: {count} inferences, stated {least} to {most}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_stated_number_is_measured() {
    let stated = system_predicates().iter().filter(|p| {
        matches!(p.inferences, Some(Inferences::Known { .. })) && !matches!(p.home, Home::User)
    });
    let missing: Vec<String> = stated
        .filter(|p| !IN_PROLOG.iter().any(|of| (of.0, of.1) == (p.name, p.arity)))
        .map(|p| format!("{}/{}", p.name, p.arity))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns a value of a type of `library(error)`.
fn value_of(of: &str) -> &'static str {
    match of {
        "boolean" => "true",
        "compound" => "f(a)",
        "float" => "1.0",
        "integer" | "nonneg" | "number" | "positive_integer" => "1",
        "list" | "proper_list" => "[a]",
        "string" => "\"a\"",
        "var" => "_",
        _ => "a",
    }
}

/// Returns what SWI-Prolog counts of goals, or `None` if it is not installed.
fn counted(goals: &str) -> Option<Vec<u64>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/inferences.pl");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("inferences_goals.pl");
    std::fs::write(&file, goals).unwrap();
    let output = Command::new("swipl")
        .arg(script)
        .arg("--")
        .arg(&file)
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not installed, and CI is set"
        );
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let counts = text
        .lines()
        .filter_map(|l| l.strip_prefix("count ")?.parse().ok());
    let found: Vec<u64> = counts.collect();
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(found)
}
