//! Tests each rewrite on programs in many forms: its results, the programs that it must leave unchanged, and its documentation.
//!
//! `fixes/RULE.pl` contains a section for each program: `%%% applies: why` followed by `%%% to`, or `%%% forbidden: why`. `%%% not yet: why`
//! marks a program to which the rewrite should apply but whose conditions cannot be proved. `UPDATE_EXPECT=1` writes the results for review.

mod corpus;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use costlens_ide::fixes::Action;
use costlens_ide::fixes::rewrites::{REWRITES, Rewrite};

use crate::{is_document, with_library};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixes")
}

/// Returns the actions that a rewrite offers for a program.
fn offered(rewrite: &Rewrite, text: &str) -> Vec<Action> {
    let mut host = with_library();
    let file = host.open("a.pl", text);
    let mut all = host
        .snapshot()
        .code_actions(file, 0..text.len(), None)
        .unwrap();
    all.retain(|action| action.rule == rewrite.rule);
    all
}

/// Returns the program after an action.
fn changed(text: &str, action: &Action) -> String {
    let mut changed = text.to_owned();
    for edit in action.edits.iter().rev() {
        changed.replace_range(edit.range.clone(), &edit.text);
    }
    changed
}

/// A section of an example file.
struct Section {
    title: String,
    text: String,
}

fn sections(text: &str) -> Vec<Section> {
    text.split("%%% ")
        .skip(1)
        .map(|section| {
            let (title, text) = section.split_once('\n').unwrap();
            Section {
                title: title.to_owned(),
                text: text.to_owned(),
            }
        })
        .collect()
}

fn check(rewrite: &Rewrite) {
    let id = rewrite.rule.id();
    let path = folder().join(format!("{id}.pl"));
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let sections = sections(&written);
    let (mut fresh, mut problems) = (String::new(), Vec::new());
    let mut counts = (0, 0);
    for section in &sections {
        let Section { title, text } = section;
        if title == "to" {
            continue;
        }
        let _ = write!(fresh, "%%% {title}\n{text}");
        let actions = offered(rewrite, text);
        if title.starts_with("applies") {
            counts.0 += 1;
            match &actions[..] {
                [action] => {
                    let _ = write!(fresh, "%%% to\n{}", changed(text, action));
                    // Most runs of exponential programs reach the step limit.
                    let least = match title.starts_with("applies, exponential") {
                        true => 5,
                        false => 20,
                    };
                    // Where nothing is known of the calls, the goals alone are compared.
                    let is_declared = text.contains("%!") || text.contains(":- pred");
                    if action.tested_inputs < least && is_declared {
                        problems.push(format!("{title}: {} inputs", action.tested_inputs));
                    }
                }
                _ => problems.push(format!("{title}: {} variants", actions.len())),
            }
        } else {
            counts.1 += usize::from(title.starts_with("forbidden"));
            problems.extend(actions.iter().map(|a| format!("{title}: {}", a.title)));
        }
    }
    assert!(problems.is_empty(), "{id}: {problems:#?}");
    assert!(counts.0 >= 1 && counts.1 >= 3, "{id}: {counts:?}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    } else {
        assert_eq!(written, fresh, "{id}");
    }
}

/// Generates one test for each rewrite, so that the tests run in parallel.
macro_rules! checks {
    ($($name:ident: $id:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(REWRITES.iter().find(|r| r.rule.id() == $id).unwrap());
        })*

        #[test]
        fn all_rewrites_are_checked() {
            let checked = [$($id),*];
            assert!(REWRITES.iter().all(|r| checked.contains(&r.rule.id())));
        }
    };
}

checks! {
    naive_reverse: "reverse-with-accumulator",
    joined_lists: "difference-list",
    grown_lists: "list-grown-at-its-end",
    lengths: "match-instead-of-length",
    last_elements: "last-element",
    memberships: "member-once",
    appends: "append-from-the-right",
    solutions: "any-solution",
    copies: "needless-copy",
    sorts: "sort-once",
    sequences: "two-values-carried",
    powers: "power",
    clauses_in_one: "compute-once",
    lists_of_lists: "join-all-at-once",
    written_elements: "written-cells",
    reversals: "reversed-twice",
    counted_indices: "elements-with-index",
    numbers: "numbers-without-list",
    two_lists: "member-of-both",
    unused_rests: "unused-rest",
    known_functors: "known-functor",
    first_elements: "first-element",
    joined_texts: "concatenate-at-once",
    loops_over_indices: "walk-instead-of-index",
    permutations: "sort-instead-of-permutation",
    aggregates: "aggregate-without-list",
    decisions: "decide-once",
    accumulators: "accumulate",
    searches: "computed-instead-of-searched",
    loops: "computed-before-the-loop",
    known_goals: "same-goal-twice",
    equal_predicates: "equal-predicate",
}

/// Returns the actions of `equal-predicate` for a file next to `turns.pl`, which defines a reversal with an accumulator.
fn called_instead(text: &str) -> Vec<String> {
    let mut host = with_library();
    let turns = ":- module(turns, [turn/2]).\nturn(Xs, Ys) :- turn(Xs, [], Ys).\nturn([], Ys, Ys).\nturn([X|Xs], Zs, Ys) :- turn(Xs, [X|Zs], Ys).\n";
    host.open_at("turns.pl", "/w/turns.pl", turns);
    let file = host.open_at("a.pl", "/w/a.pl", text);
    let all = host.snapshot().code_actions(file, 0..text.len(), None);
    let all = all.unwrap().into_iter();
    all.filter(|action| action.rule.id() == "equal-predicate")
        .map(|action| changed(text, &action))
        .collect()
}

#[test]
fn equal_predicates_of_files_that_are_imported_are_called() {
    let text = |more: &str| {
        format!(
            ":- use_module(turns).\n{more}\
             reverse(is, redefined).\n\
             %! back(+Xs:list, -Ys) is det.\nback(Xs, Ys) :- nrev(Xs, Ys).\n\
             nrev([], []).\nnrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).\n\
             app([], L, L).\napp([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).\n"
        )
    };
    let plain = text("");
    let called = plain.replace(":- nrev(Xs, Ys)", ":- turn(Xs, Ys)");
    assert_eq!(called_instead(&plain), [called]);
    // The name of the helper is taken, so the variant could not be tested.
    assert_eq!(called_instead(&text("turn(a, b, c).\n")), [] as [String; 0]);
    // The predicate is not imported.
    let alone = plain.replace(":- use_module(turns).\n", ":- use_module(turns, []).\n");
    assert_eq!(called_instead(&alone), [] as [String; 0]);
}

/// Returns the actions for a predicate of a module that another file loads.
fn offered_beside(other: &str) -> Vec<String> {
    let mut host = with_library();
    let text = ":- module(a, [has/2]).\n%! has(+X:int, +L:list(int)) is semidet.\nhas(X, L) :- once(member(X, L)).\n";
    host.open_at("b.pl", "/w/b.pl", &format!("{other}:- use_module(a).\n"));
    let file = host.open_at("a.pl", "/w/a.pl", text);
    let all = host.snapshot().code_actions(file, 0..text.len(), None);
    let mut all = all.unwrap();
    all.retain(|action| !action.better_for.is_empty());
    all.into_iter().map(|action| action.title).collect()
}

#[test]
fn a_goal_that_other_files_change_is_not_introduced() {
    for other in [
        ":- multifile user:goal_expansion/2.\nuser:goal_expansion(memberchk(_, _), true).\n",
        ":- multifile system:goal_expansion/2.\nsystem:goal_expansion(memberchk(_, _), true).\n",
        ":- multifile user:goal_expansion/4.\nuser:goal_expansion(G, P, H, P) :- nb_getval(changed, Gs), memberchk(G-H, Gs).\n",
        ":- assertz(memberchk(_, _)).\n",
        "boot :- assertz(user:(memberchk(X, _) :- atom(X))).\n",
        ":- forall(member(C, [memberchk(_, _)]), assertz(C)).\n",
        "clauses([memberchk(_, _)]).\nboot :- clauses(Cs), maplist(assertz, Cs).\n",
        "term_expansion(x, memberchk(_, _)).\nx.\n",
        ":- module(b, []).\nadd(C) :- assertz(user:C).\nboot :- add(memberchk(_, _)).\n",
        ":- module(b, [add/1]).\n:- module_transparent add/1.\nadd(C) :- assertz(C).\nboot :- add(memberchk(_, _)).\n",
        "t :- has(1, foo).\n",
        "t :- has(1, [2|foo]).\n",
    ] {
        assert_eq!(offered_beside(other), [] as [String; 0], "{other}");
    }
    for other in [
        "",
        ":- dynamic seen/1.\nboot(X) :- assertz(seen(X)), memberchk(X, [1]).\n",
        "t :- has(1, [2]).\n",
        // Both concern only the other module.
        ":- module(b, []).\nadd(C) :- assertz(C).\nboot :- add(memberchk(_, _)).\n",
        ":- module(b, []).\nboot(F) :- consult(F).\n",
    ] {
        assert_eq!(offered_beside(other).len(), 1, "{other}");
    }
}

#[test]
fn costs_before_and_after_read_differently() {
    let text = "%! p(+L:list(int), +D:list(int), -R) is nondet.\np([], _, []).\n\
                p([X|Xs], Ds, [Y|Ys]) :- reverse(Ds, [S|_]), Y is X+S, p(Xs, Ds, Ys).\n\
                p([X|Xs], Ds, [X|Ys]) :- X > 2, p(Xs, Ds, Ys).\n";
    let mut host = with_library();
    let file = host.open("a.pl", text);
    let all = host.snapshot().code_actions(file, 0..text.len(), None);
    for action in all.unwrap() {
        assert!(
            action.better_for.is_empty()
                || action.cost.0.is_empty()
                || action.cost.0 != action.cost.1,
            "{}",
            action.title
        );
    }
}

#[test]
fn the_document_of_rewrites_is_that_of_the_table() {
    is_document("rewrites.md", &document());
}

fn document() -> String {
    let mut out = String::from(
        "# Cheaper variants\n\n\
         Editors offer cheaper variants of predicates as quick fixes; [`costlens fix`](#costlens-fix) lists or applies them. This page is generated from the table in\n\
         `server/ide/src/fixes/rewrites.rs`; a test checks that it is up to date, and applies each rewrite to its example.\n\n\
         A variant is offered if all of the following hold:\n\n\
         - The conditions of its rewrite are proved for all known calls to the predicate: [declared](assertions.md) calls, and the calls in all files of the workspace. The latter include calls through closures\n\
         \x20 and lambda expressions, goals inside `findall/3`, `forall/2`, `catch/3` and similar predicates, directives, tests, and goals in variables. Two kinds of data count as calls with arbitrary arguments, unless\n\
         \x20 the analysis follows the goal that calls them: a term that has the predicate's name but is not a goal where it appears (`maplist(call, [busy(Xs)])`, options of tests, asserted clauses), and text that\n\
         \x20 becomes a goal.\n\
         \x20 Some calls are not seen: calls from files outside the workspace ([which files count](reading.md)), and calls through names that are read or enumerated at run time (`current_predicate/1`). A file that\n\
         \x20 neither loads the predicate's file nor names its module in a directive is searched only if it is open or in a folder that `costlens fix FOLDER` is given.\n\
         \x20 Each call must be proved to match the declaration or the conditions. A call without this proof prevents the variant, and the hint `condition-missing` names the call with its file and line. `-` admits\n\
         \x20 bound outputs, but conditions that require an unbound argument do not.\n\
         \x20 A declaration also applies to unknown callers: those of an exported predicate or of a file without a module, and those that pass arguments on to the predicate. If the conditions depend on calls and nothing\n\
         \x20 is declared, no variant is offered, unless the predicate is local to a module and all its callers are known. *Unbound* means a variable without attributes (`freeze/2`, `dif/2`, constraints) that occurs\n\
         \x20 nowhere else in the call: `keep([f(a)], f(S), S)` passes no unbound third argument.\n\
         - No goal of the workspace exposes the clauses or the number of calls: `clause/2`, `predicate_property/2` with the number of clauses, `listing/1`, `call_with_depth_limit/3`. New predicates\n\
         \x20 get names that no file of the workspace mentions with the same arity, in any module. Goals that enumerate predicates (`current_predicate(N/3)`, `predicate_property(a:H, defined)`) do find the new predicates.\n\
         - No `goal_expansion/2,4` of the program may match a goal that occurs only in the variant, and no file of the workspace may add clauses to the predicate of such a goal by `assertz/1` and similar predicates, or\n\
         \x20 by `term_expansion/2,4`. Clauses that another module adds concern a module only if a module is named there. Files that other modules load at run time are assumed to define no library predicate in `user`.\n\
         - Rewrites of goals (`member-once`, `known-functor`, …) wait for no bound: the new goals are cheaper than the old ones wherever they appear, which the title says in words, without times. What makes them equivalent is\n\
         \x20 proved from the goals before them in the clause if possible (after `sort(L, S)`, `S` is a proper list), and otherwise from the calls.\n\
         - Other variants are proved cheaper for all sizes above the size in the title. The comparison counts steps, the [work](bounds.md) of built-ins, and built-in calls, each with the weight of a step. If these\n\
         \x20 counts show no gain, choice points and environments are added, or head arguments. If an event of the original or of the variant has no bound, nothing is offered, unless the rewrite by construction\n\
         \x20 never increases the count of any event. The variant is cheaper if its upper bound is below the *lower* bound of the original. Some rewrites guarantee by construction that no goal costs more than in\n\
         \x20 the original, for any input. For these, it suffices that the upper bound of the variant is below the upper bound of the original. If the guarantee holds only for some inputs of a size, the title\n\
         \x20 describes these inputs. A gain is ignored if it is below 5% at large sizes and below one per element. The title names the counted events.\n\
         - If a platform is chosen (in editors [that of the dialect](settings.md), unless another one is set) and both times are bounded, the variant is not slower on that platform: neither at the size in\n\
         \x20 the title, nor for all sizes above some size. The size in the title is the largest of 1,000, 100, 30, 20 and 10 at which both versions take less than ten seconds. The title shows both times.\n\
         - Both versions behave the same on up to 200 inputs that are generated from the types of the calls: they give the same answers in the same order, and end with the same failure or\n\
         \x20 exception. The versions run on the [embedded machine](machine.md), within limits. Predicates with effects are not run, and get only rewrites of goals.\n\n\
         A predicate that is not local to a module may have unknown callers. If such a predicate has no declaration, Costlens can add a rewritten copy, `NAME_fast`, which is called only by predicates of the same file\n\
         whose own calls are declared. The original predicate is kept for other callers, as the title says.\n\n\
         `% costlens: ignore[fix]` before a predicate disables its variants.\n\n\
         | rewrite | |\n|---|---|\n",
    );
    for rewrite in &REWRITES {
        let (id, summary) = (rewrite.rule.id(), rewrite.rule.summary());
        let _ = writeln!(out, "| [`{id}`](#{id}) | {summary} |");
    }
    for rewrite in &REWRITES {
        let rule = rewrite.rule;
        let found = offered(rewrite, rule.before());
        let [action] = &found[..] else {
            panic!("{rule:?}: {found:?}");
        };
        assert_eq!(changed(rule.before(), action), rule.after(), "{rule:?}");
        let _ = write!(
            out,
            "\n## {}\n\n{} {}\n\n{}\n\n```prolog\n{}```\n\nbecomes\n\n```prolog\n{}```\n\n> {}\n",
            rule.id(),
            rule.summary(),
            rule.why(),
            rewrite.conditions(),
            rule.before(),
            rule.after(),
            action.title,
        );
    }
    out.push_str(
        "\n## costlens fix\n\n\
         \x20   costlens fix PATH… [--diff | --apply] [--rule RULE]… [--platform NAME] [--format text|json]\n\n\
         The command lists the variants in files and folders. `--diff` prints the variants as a unified diff. `--apply` writes the variants, and repeats until no more are found, so a second run finds\n\
         nothing. The list also contains the [hints](rules.md) without an edit, and the hints that name a declaration (`declare-for-variant`) or another condition (`condition-missing`) that a variant\n\
         requires. A predicate with a variant gets none of these hints except `tabling`. Files are written in their own encoding. A file that has changed in the meantime, or that contains invalid bytes, is left unchanged.\n\
         `--rule` restricts the command to the named rules; `declare-modes`, `assert-inferred` and `relax-assertion`, which make nothing cheaper, must be named.\n\
         If a platform is given by `--platform` or in `costlens.toml`, the list includes times, and variants that are slower on that platform are left out.\n\n\
         The exit code is 0 with or without variants, and 2 if a file cannot be read or written.\n",
    );
    out
}
