//! `costlens fix`: the variants it lists, shows and writes.

use serde_json::Value;

use crate::binary::costlens;
use crate::printed::{json_of, text};
use crate::project::{folder, run};

const NREV: &str = "\
:- module(turn, [nrev/2]).

% Reverses a list.
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).

%! busy(+Jobs:list(atom)) is semidet.
busy(Jobs) :- length(Jobs, N), N > 0.
";

const MENDED: &str = "\
:- module(turn, [nrev/2]).

% Reverses a list.
%! nrev(+Xs:list, -Ys:list) is det.
nrev(Xs, Ys) :- nrev(Xs, [], Ys).

nrev([], Acc, Acc).
nrev([X|Xs], Acc, Ys) :- nrev(Xs, [X|Acc], Ys).

%! busy(+Jobs:list(atom)) is semidet.
busy(Jobs) :- Jobs = [_|_].
";

#[test]
fn variants_that_edit_one_clause_are_applied_one_after_the_other() {
    let program = "\
%! both(+Xs:list(int), -R) is det.
both(Xs, A-B) :- more(Xs, [], A), total(Xs, B).

more([], A, A).
more([X|Xs], A, R) :- Y is X+1, append(A, [Y], A1), more(Xs, A1, R).

total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
";
    let folder = folder(&[("a.pl", program)]);
    let diff = text(&run(folder.path(), &["fix", "--no-library", "--diff", "a.pl"]).stdout);
    let called = "+both(Xs, A-B) :- more_fast(Xs, A), total_fast(Xs, B).\n";
    assert!(diff.contains(called), "{diff}");
    let out = run(folder.path(), &["fix", "--no-library", "--apply", "a.pl"]);
    assert!(text(&out.stdout).ends_with("\n2 cheaper variants applied\n"));
    let applied = std::fs::read_to_string(folder.path().join("a.pl")).unwrap();
    for goal in [
        "both([1,2,3], [2,3,4]-6)",
        "total([1,2], 3)",
        "more([1], [0], [0,2])",
    ] {
        let out = run(folder.path(), &["run", "a.pl", "--goal", goal]);
        assert_eq!(out.status.code(), Some(0), "{goal}: {applied}");
    }
    let again = run(folder.path(), &["fix", "--no-library", "--diff", "a.pl"]);
    assert_eq!(text(&again.stdout), "");
}

#[test]
fn files_that_are_loaded_together_share_their_names() {
    let helper = "\
collect([], A, A).
collect([X|Xs], A, R) :- append(A, [X-1], A1), collect(Xs, A1, R).
";
    let plain = format!(
        "%! tags(+Xs:list(int), -S) is det.\ntags(Xs, S) :- collect(Xs, [], S).\n\n{helper}"
    );
    let module = format!(":- module(tags, [tags/2]).\n:- ensure_loaded(part).\n{plain}");
    let folder = folder(&[
        ("main.pl", ":- [plain, taken].\n"),
        ("plain.pl", &plain),
        ("taken.pl", "collect_fast(_, mine).\n"),
        ("module.pl", &module),
        ("part.pl", "extra(S) :- collect([1], [z], S).\n"),
    ]);
    let diff =
        |file: &str| text(&run(folder.path(), &["fix", "--no-library", "--diff", file]).stdout);
    // The new predicate would clash with an existing one.
    assert_eq!(diff("plain.pl"), "");
    // A predicate that the other file calls is kept.
    assert_eq!(diff("module.pl"), "");
}

#[test]
fn calls_from_files_that_import_nothing_are_seen() {
    let busy = "%! busy(+Xs:list) is semidet.\nbusy(Xs) :- length(Xs, N), N > 0.\n";
    let module = format!(":- module(a, [busy/1]).\n\n{busy}");
    let diff = |home: &str, caller: &str| {
        let folder = folder(&[("a.pl", home), ("b.pl", caller)]);
        text(&run(folder.path(), &["fix", "--no-library", "--diff", "."]).stdout)
    };
    assert_ne!(diff(&module, ":- use_module(a).\nt :- busy([a]).\n"), "");
    for caller in [
        // `swipl a.pl b.pl`
        "t :- busy([a|b]).\n",
        "l :- use_module(a).\nt :- l, busy([a|b]).\n",
        ":- use_module(a, []).\na:(t :- busy([a|b])).\n",
        "t(M) :- M:busy([a|b]).\nu :- t(a).\n",
        ":- module(b, []).\n:- reexport(a, [busy/1 as bz]).\nt :- bz([a|b]).\n",
        ":- use_module(a).\ngoals([busy([a|b])]).\nt :- goals(Gs), maplist(call, Gs).\n",
    ] {
        assert_eq!(diff(&module, caller), "", "{caller}");
    }
    // A predicate exported by a directive calls the goals passed to it by others.
    let others = "run(G) :- call(G).\nok(Xs) :- busy(Xs).\n";
    let module = format!(
        ":- module(a, [ok/1]).\n:- export(run/1).\n\n%! ok(+Xs:list) is semidet.\n{others}{}",
        busy.replace("%! busy(+Xs:list) is semidet.\n", "")
    );
    let caller = ":- use_module(a).\nu :- run(busy([a|b])).\n";
    // A copy for `ok/1` may be offered.
    assert!(!diff(&module, caller).contains("-busy(Xs)"));
}

#[test]
fn names_that_the_workspace_mentions_are_no_helpers() {
    let plain = "\
%! total(+Xs:list(int), -S:int) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is T+X.
";
    let module = format!(":- module(a, [total/2]).\n\n{plain}");
    let is_taken = |home: &str, other: &str| {
        let folder = folder(&[("a.pl", home), ("b.pl", other)]);
        let out = run(folder.path(), &["fix", "--no-library", "--diff", "."]);
        !text(&out.stdout).contains("total(Xs, 0, S)")
    };
    assert!(!is_taken(&module, ""));
    assert!(!is_taken(plain, ":- [a].\n"));
    for other in [
        "t :- a:total(1, 2, 3).\n",
        ":- dynamic a:total/3.\n",
        "t :- assertz(a:total(1, 2, 3)).\n",
        "t(A) :- current_predicate(total/A).\n",
    ] {
        assert!(is_taken(&module, other), "{other}");
    }
    for other in [
        ":- [a].\n:- assertz(total(1, 2, 3)).\n",
        ":- [a].\n:- dynamic(user:total/3).\n",
        ":- [a].\n:- F = 'b.inc', load_files(F, []).\n",
        ":- [a].\nterm_expansion(gen, total(1, 2, 3)).\ngen.\n",
        ":- forall(member(F, [a, b]), consult(F)).\ntotal(1, 2, 3).\n",
    ] {
        assert!(is_taken(plain, other), "{other}");
    }
}

#[test]
fn variants_of_two_predicates_do_not_share_a_helper() {
    // Both would call their helper `turn/3`.
    let program = "\
:- module(two, [turn/2, turn/4]).

%! turn(+Xs:list, -Ys:list) is det.
turn([], []).
turn([X|Xs], Ys) :- turn(Xs, Zs), append(Zs, [X], Ys).

%! turn(+Xs:list(int), +K:int, +Acc:list(int), -Ys) is det.
turn([], _, Ys, Ys).
turn([X|Xs], K, Acc, Ys) :- append(Acc, [X], Acc1), turn(Xs, K, Acc1, Ys).
";
    let folder = folder(&[("a.pl", program)]);
    let out = run(folder.path(), &["fix", "--no-library", "--apply", "a.pl"]);
    assert!(text(&out.stdout).ends_with("\n2 cheaper variants applied\n"));
    let applied = std::fs::read_to_string(folder.path().join("a.pl")).unwrap();
    for goal in [
        "findall(Ys, turn([1,2,3], Ys), [[3,2,1]])",
        "findall(Ys, turn([1,2], 0, [9], Ys), [[9,1,2]])",
    ] {
        let out = run(folder.path(), &["run", "a.pl", "--goal", goal]);
        assert_eq!(out.status.code(), Some(0), "{goal}: {applied}");
    }
}

#[test]
fn a_rewrite_of_goals_is_offered_whatever_the_predicate_costs() {
    let folder = folder(&[(
        "g.pl",
        "\
:- module(g, [small/1, large/2]).
%! small(-S).
small(S) :- reverse([a,b,c], R), reverse(R, S).
%! large(+N:nat, -S).
large(N, S) :- count(N), reverse([a,b,c], R), reverse(R, S).
%! count(+N:nat).
count(0).
count(N) :- N > 0, M is N-1, count(M).
",
    )]);
    let out = run(folder.path(), &["fix", "g.pl"]);
    let shown = String::from_utf8_lossy(&out.stdout);
    assert!(shown.contains("small/1: Use the list itself"), "{shown}");
    assert!(shown.contains("large/2: Use the list itself"), "{shown}");
}

#[test]
fn variants_are_listed_with_their_gain() {
    let folder = folder(&[("a.pl", NREV)]);
    let out = run(folder.path(), &["fix", "--no-library", "a.pl"]);
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(
        text(&out.stdout),
        "\
a.pl:5: nrev/2: Reverse with an accumulator: n²/2+3n/2+1 → n+2 steps (cheaper for n ≥ 2) [reverse-with-accumulator]
a.pl:9: busy/1: Match the list instead of measuring it: does not walk it [match-instead-of-length]
2 cheaper variants; `--diff` shows the changes, `--apply` writes them
"
    );
    let out = run(
        folder.path(),
        &["fix", "--no-library", "a.pl", "--format", "json"],
    );
    let all = json_of(&out);
    assert_eq!(all["schema"], 1);
    let fix = &all["fixes"][0];
    assert_eq!(fix["file"], "a.pl");
    assert_eq!(fix["line"], 5);
    assert_eq!(fix["predicate"], "nrev/2");
    assert_eq!(fix["rule"], "reverse-with-accumulator");
    assert_eq!(fix["edit"], true);
    assert_eq!(fix["missing"], serde_json::json!([]));
    assert_eq!(fix["before"]["steps"], "n²/2+3n/2+1");
    assert_eq!(fix["after"]["steps"], "n+2");
    assert_eq!(fix["better_for"], "n ≥ 2");
    assert!(fix["tested_inputs"].as_u64().unwrap() > 50);
    // The changes produce the text that `--apply` writes.
    let mut mended = NREV.to_owned();
    let fixes = all["fixes"].as_array().unwrap();
    let mut changes: Vec<&Value> = (fixes.iter())
        .flat_map(|fix| fix["changes"].as_array().unwrap())
        .collect();
    changes.sort_by_key(|change| change["start"].as_u64());
    for change in changes.iter().rev() {
        let at = |key: &str| usize::try_from(change[key].as_u64().unwrap()).unwrap();
        mended.replace_range(at("start")..at("end"), change["text"].as_str().unwrap());
    }
    assert_eq!(mended, MENDED);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("a.pl")).unwrap(),
        NREV
    );
}

/// An accumulated sum is added in another order, which changes the rounding of floats but not integers.
#[test]
fn a_hint_that_changes_the_order_of_a_sum_warns_of_floats() {
    for (last, warned) in [
        ("S is S0 + X/3", true),
        ("S is S0 + X*1.5", true),
        ("S is S0 + sqrt(X)", true),
        ("S is S0 + X//3", false),
        ("S is S0 + X*2", false),
    ] {
        let program = format!(
            "%! sum(+Xs:list(integer), -S) is det.\nsum([], 0).\nsum([X|Xs], S) :- sum(Xs, S0), {last}.\n"
        );
        let folder = folder(&[("a.pl", &program)]);
        let told = text(&run(folder.path(), &["fix", "--no-library", "a.pl"]).stdout);
        assert!(
            told.contains("[non-tail-recursion]") || told.contains("[accumulate]"),
            "{last}: {told}"
        );
        assert_eq!(
            told.contains("floats may be rounded otherwise"),
            warned,
            "{last}: {told}"
        );
    }
}

#[test]
fn hints_without_an_edit_stand_behind_the_variants() {
    let program = "\
%! busy(+Jobs:list(atom)) is semidet.
busy(Jobs) :- length(Jobs, N), N > 0.

%! fib(+N:nat, +K:int, -F:int) is semidet.
fib(N, K, F) :- N > 1, A is N-1, B is N-2, fib(A, K, X), fib(B, K, Y), F is X+Y.
fib(0, K, K).
fib(1, K, K).

turn([], []).
turn([X|Xs], Ys) :- turn(Xs, Zs), append(Zs, [X], Ys).
";
    let folder = folder(&[("a.pl", program)]);
    let all = json_of(&run(
        folder.path(),
        &["fix", "--no-library", "a.pl", "--format", "json"],
    ));
    let of = |rule: &str| {
        let all = all["fixes"].as_array().unwrap();
        let found: Vec<&Value> = all.iter().filter(|fix| fix["rule"] == rule).collect();
        assert_eq!(found.len(), 1, "{rule}: {all:#?}");
        found[0].clone()
    };
    let tabled = of("tabling");
    assert_eq!(
        (&tabled["line"], &tabled["predicate"]),
        (&Value::from(5), &Value::from("fib/3"))
    );
    assert_eq!(tabled["edit"], false);
    assert_eq!(tabled["after"]["steps"], "≤ n + 1");
    assert_eq!(tabled["changes"], serde_json::json!([]));
    let declared = of("declare-for-variant");
    assert_eq!(declared["edit"], false);
    assert_eq!(
        declared["missing"],
        serde_json::json!(["if the declaration matches all calls of `turn/2`"])
    );
    assert_eq!(declared["after"]["steps"], "n+2");
    assert_eq!(of("dominating-call")["line"], 10);
    assert_eq!(of("match-instead-of-length")["edit"], true);
    let shown = text(&run(folder.path(), &["fix", "--no-library", "a.pl"]).stdout);
    assert!(
        shown.ends_with(
            "1 cheaper variant and 4 hints; `--diff` shows the changes, `--apply` writes them\n"
        ),
        "{shown}"
    );
    let only = ["fix", "--no-library", "a.pl", "--rule", "tabling"];
    let shown = text(&run(folder.path(), &only).stdout);
    assert!(
        shown.ends_with("no cheaper variant found, 1 hint\n"),
        "{shown}"
    );
    assert_eq!(shown.lines().count(), 2, "{shown}");
    let diff = text(&run(folder.path(), &["fix", "--no-library", "a.pl", "--diff"]).stdout);
    assert!(!diff.contains("table"), "{diff}");
}

#[test]
fn callers_that_fall_to_a_lower_class_are_told() {
    let program = format!(
        "{NREV}
%! report(+Xs:list, -Ys:list) is det.
report(Xs, Ys) :- nrev(Xs, Ys).

%! pages(+Xss:list(list), -Yss:list) is det.
pages([], []).
pages([Xs|Xss], [Ys|Yss]) :- nrev(Xs, Ys), pages(Xss, Yss).
"
    );
    let folder = folder(&[("a.pl", program)]);
    let arguments = [
        "fix",
        "--no-library",
        "a.pl",
        "--rule",
        "reverse-with-accumulator",
    ];
    let shown = text(&run(folder.path(), &arguments).stdout);
    assert!(shown.contains("; also makes `report/2` O(n)"), "{shown}");
}

#[test]
fn times_are_told_where_a_platform_is_chosen() {
    let folder = folder(&[("a.pl", NREV)]);
    let shipped = "swi-9.0.4-x86_64-instructions";
    let arguments = ["fix", "--no-library", "a.pl", "--platform", shipped];
    let shown = text(&run(folder.path(), &arguments).stdout);
    let told = shown.lines().filter(|line| {
        let of = line.split_once("); ").map(|(_, times)| times);
        of.is_some_and(|t| t.contains(" → ") && t.contains(" at n = 1,000 on SWI-Prolog 9.0.4 ["))
    });
    assert_eq!(told.count(), 1, "{shown}");
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let fix = &json_of(&run(folder.path(), &arguments))["fixes"][0];
    assert_eq!(fix["timed_at"], "n = 1,000 on SWI-Prolog 9.0.4");
    assert!(fix["before"]["time"].as_str().unwrap().starts_with("≈ "));
}

#[test]
fn what_takes_longer_on_the_platform_is_not_offered() {
    let folder = folder(&[("a.pl", NREV)]);
    let own = folder.path().join("data/costlens/platforms");
    std::fs::create_dir_all(&own).unwrap();
    // On this platform lengths take no time, and matches take long.
    let platform = |matching: u64| {
        format!(
            r#"{{ "schema": 2, "platform": "odd", "engine": "Odd Prolog", "source": "user", "date": "2026-11", "origin": "a test",
                "machine": {{}}, "models": [ {{ "name": "m", "constants": {{
                    "steps": 1, "length/2": 1, "work(length/2)": 1, ">/2": 1, "=/2": {matching}, "work(=/2)": 0 }} }} ] }}"#
        )
    };
    let arguments = ["fix", "--no-library", "a.pl", "--platform", "odd-m"];
    for (matching, offered) in [(1, true), (1_000_000, false)] {
        std::fs::write(own.join("odd.json"), platform(matching)).unwrap();
        let out = costlens()
            .args(arguments)
            .args(["--rule", "match-instead-of-length"])
            .current_dir(folder.path())
            .env("XDG_DATA_HOME", folder.path().join("data"))
            .output()
            .unwrap();
        let shown = text(&out.stdout);
        assert_eq!(
            shown.contains("[match-instead-of-length]"),
            offered,
            "{out:?}"
        );
        assert_eq!(shown.starts_with("no cheaper variant"), !offered, "{shown}");
    }
}

#[test]
fn a_diff_is_one_that_patch_reads() {
    let folder = folder(&[("src/a.pl", NREV), ("src/b.pl", "p(1).\n")]);
    let arguments = [
        "fix",
        "--no-library",
        "src",
        "--diff",
        "--rule",
        "match-instead-of-length",
    ];
    let out = run(folder.path(), &arguments);
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(
        text(&out.stdout),
        "\
--- a/src/a.pl
+++ b/src/a.pl
@@ -6,4 +6,4 @@
 nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).
 
 %! busy(+Jobs:list(atom)) is semidet.
-busy(Jobs) :- length(Jobs, N), N > 0.
+busy(Jobs) :- Jobs = [_|_].
"
    );
}

#[test]
fn variants_are_applied_once() {
    let with_mark = format!("\u{FEFF}{NREV}");
    let folder = folder(&[("a.pl", NREV), ("b.pl", &with_mark)]);
    let arguments = ["fix", "--no-library", "a.pl", "b.pl", "--apply"];
    let out = run(folder.path(), &arguments);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(text(&out.stdout).ends_with("4 cheaper variants applied\n"));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("a.pl"), MENDED);
    assert_eq!(read("b.pl"), format!("\u{FEFF}{MENDED}"));
    let out = run(folder.path(), &arguments);
    assert_eq!(text(&out.stdout), "no cheaper variant found\n");
    assert_eq!(read("a.pl"), MENDED);
}

#[test]
fn what_cannot_be_used_is_said() {
    let folder = folder(&[("a.pl", NREV)]);
    for (arguments, expected) in [
        (
            &["a.pl", "--rule", "faster"][..],
            "there are dominating-call",
        ),
        (&["a.pl", "--diff", "--apply"], "cannot be used with"),
        (&["a.pl", "--diff", "--format", "json"], "a diff is text"),
        (&["none.pl"], "cannot read `none.pl`"),
    ] {
        let out = run(folder.path(), &[&["fix"], arguments].concat());
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        let said = text(&out.stderr);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_file_is_written_in_the_encoding_that_it_declares_and_left_alone_in_another_one() {
    let clauses = "%! busy(+Jobs:list(atom)) is semidet.\nbusy(Jobs) :- length(Jobs, N), N > 0.\n";
    let applied = |head: &[u8]| {
        let bytes = [head, clauses.as_bytes()].concat();
        let folder = folder(&[("a.pl", bytes.clone())]);
        let out = run(folder.path(), &["fix", "--no-library", "a.pl", "--apply"]);
        let written = std::fs::read(folder.path().join("a.pl")).unwrap();
        (out.status.code(), text(&out.stderr), bytes, written)
    };
    let (code, _, bytes, written) = applied(b":- encoding(iso_latin_1).\n% \xE9\n");
    assert_eq!(code, Some(0));
    assert!(written != bytes && written.contains(&0xE9));
    let (code, said, bytes, written) = applied(b"% \xE9\n");
    assert_eq!(code, Some(2));
    assert!(said.contains("is not UTF-8: not written"), "{said}");
    assert_eq!(written, bytes);
}

const UPTO: &str = "\
:- module(a, [upto/2]).

%! upto(+N:nonneg, -Xs:list(integer)) is det.
upto(0, []) :- !.
upto(N, Xs) :- M is N-1, upto(M, Ys), append(Ys, [N], Xs).
";

/// Returns the output of `costlens fix a.pl` if another file has this text.
fn told_beside(other: &str) -> String {
    let folder = folder(&[("a.pl", UPTO), ("b.pl", other)]);
    text(&run(folder.path(), &["fix", "--no-library", "a.pl"]).stdout)
}

#[test]
fn a_call_in_another_file_that_passes_something_else_keeps_a_variant_away_and_is_named() {
    for (body, named) in [
        ("t :- \\+ upto(3, [1]).", "`upto(3, [1])` (line 2 of b.pl)"),
        (
            "t(N) :- atom_length(abc, N), upto(N, [x|_]).",
            "`upto(N, [x|_])` (line 2 of b.pl)",
        ),
        (
            "t(L) :- findall(X, limit(3, upto(X, [1])), L).",
            "`limit(3, upto(X, [1]))` (line 2 of b.pl)",
        ),
        (
            "t :- forall(member(X, [a]), upto(X, _)).",
            "`upto(X, _)` (line 2 of b.pl)",
        ),
        (
            "t :- catch(upto(3, [1]), _, true).",
            "`upto(3, [1])` (line 2 of b.pl)",
        ),
        ("t :- maplist(upto, [3], [[x]]).", "(line 2 of b.pl)"),
        ("t :- G = upto(3, [1]), call(G).", "(line 2 of b.pl)"),
        (
            "run(N, Xs) :- upto(N, Xs).\nt :- run(3, [1]).",
            "`run(3, [1])` (line 3 of b.pl)",
        ),
        (
            ":- initialization(upto(3, [1])).",
            "`upto(3, [1])` (line 2 of b.pl)",
        ),
        (
            "t(B) :- clause(a:upto(_, _), B).",
            "`clause(a:upto(_, _), B)` (line 2 of b.pl)",
        ),
        (
            "t(N) :- predicate_property(upto(_, _), number_of_clauses(N)).",
            "(line 2 of b.pl)",
        ),
    ] {
        let told = told_beside(&format!(":- use_module(a).\n{body}\n"));
        assert!(
            told.contains(named) && told.contains("[condition-missing]"),
            "{body}: {told}"
        );
        assert!(
            !told.contains("[reverse-with-accumulator]"),
            "{body}: {told}"
        );
    }
    // Neither file loads the other.
    let folder = folder(&[("a.pl", UPTO), ("b.pl", "t :- \\+ a:upto(3, [1]).\n")]);
    let told = text(&run(folder.path(), &["fix", "--no-library", "."]).stdout);
    assert!(told.contains("`a:upto(3, [1])` (line 1 of b.pl)"), "{told}");
}

#[test]
fn calls_in_other_files_that_pass_what_is_declared_leave_a_variant() {
    for body in [
        "t(Xs) :- upto(3, Xs).",
        "t(N) :- atom_length(abc, N), upto(N, Xs), print(Xs).",
        "t(Xs, Ys) :- maplist(upto, [1,2], Xs), Ys = Xs.",
        "t(L) :- findall(Xs, (member(N, [1,2]), upto(N, Xs)), L).",
        "run(N, Xs) :- upto(N, Xs).\nt :- run(3, Xs), print(Xs).",
        "t(Xs) :- G = upto(3, Xs), call(G).",
        ":- initialization((upto(3, Xs), print(Xs))).",
        "t :- a:upto(3, _).",
        "t(B) :- clause(other(_), B).",
    ] {
        let told = told_beside(&format!(":- use_module(a).\n{body}\n"));
        assert!(
            told.contains("[reverse-with-accumulator]"),
            "{body}: {told}"
        );
    }
}
