//! Predicates that the system defines or calls by itself (`portray/1`, `message_hook/3`), in any file of the program, and clauses that are not read.

use crate::program;

use program::{bounds, exactly, folder, run, unknown};

const HOOKS: &str = ":- module(hooks, []).
:- multifile user:portray/1, user:message_hook/3, user:file_search_path/2, user:exception/3.
:- dynamic user:portray/1, user:message_hook/3, user:file_search_path/2, user:exception/3.
user:portray(x(_)) :- loop(30).
user:message_hook(hello, _, _) :- loop(30).
user:file_search_path(zz, '/tmp') :- loop(30).
user:exception(undefined_global_variable, k, retry) :- loop(30), nb_setval(k, 1).
loop(0) :- !.
loop(N) :- M is N-1, loop(M).
";

const GOALS: [(&str, &str); 5] = [
    ("print(x(1))", "`hooks.pl` defines"),
    ("format(\"~p\", [x(1)])", "`hooks.pl` defines"),
    ("print_message(error, hello)", "`hooks.pl` defines"),
    ("absolute_file_name(zz(foo), _)", "`hooks.pl` defines"),
    ("nb_getval(k, _)", "`hooks.pl` defines"),
];

#[test]
fn hooks_of_other_files_of_the_program_are_seen() {
    for (goal, reason) in GOALS {
        let main = format!(":- use_module(hooks).\nt :- {goal}.\n");
        let several = folder(&[("main.pl", main.as_str()), ("hooks.pl", HOOKS)]);
        unknown(&bounds(several.path(), &["main.pl"], "t/0"), reason);
        // A module of the program whose main file loads the hooks.
        let part = format!(":- module(part, [t/0]).\nt :- {goal}.\n");
        let several = folder(&[
            ("main.pl", ":- use_module(hooks).\n:- use_module(part).\n"),
            ("part.pl", &part),
            ("hooks.pl", HOOKS),
        ]);
        unknown(
            &bounds(several.path(), &["main.pl", "part.pl"], "t/0"),
            reason,
        );
    }
}

#[test]
fn hooks_of_another_program_are_none() {
    for (goal, _) in GOALS {
        let main = format!("t :- {goal}.\n");
        let several = folder(&[("main.pl", main.as_str()), ("hooks.pl", HOOKS)]);
        exactly(
            &bounds(several.path(), &["main.pl", "hooks.pl"], "t/0"),
            "1",
        );
    }
}

#[test]
fn formats_that_print_nothing_call_no_hook() {
    let main = ":- use_module(hooks).\nt :- format(\"~w ~a~n\", [x, y]).\n";
    let several = folder(&[("main.pl", main), ("hooks.pl", HOOKS)]);
    exactly(&bounds(several.path(), &["main.pl"], "t/0"), "1");
    let one = folder(&[("main.pl", "t :- format(\"~@\", [go]).\ngo.\n")]);
    unknown(&bounds(one.path(), &["main.pl"], "t/0"), "calls a goal");
}

#[test]
fn built_ins_are_not_said_to_be_undefined() {
    let one = folder(&[(
        "main.pl",
        "a :- false.\nb(X) :- ( X > 0 -> true ; false ).\nc(X, L) :- name(X, L).\nd(S) :- prolog_alert_signal(S, _).\n",
    )]);
    exactly(&bounds(one.path(), &["main.pl"], "a/0"), "1");
    exactly(&bounds(one.path(), &["main.pl"], "b/1"), "1");
    exactly(&bounds(one.path(), &["main.pl"], "c/2"), "1");
    unknown(
        &bounds(one.path(), &["main.pl"], "d/1"),
        "is built into SWI-Prolog, and nothing is stated about its cost",
    );
    let out = run(one.path(), &["bounds", "main.pl"]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.contains("State what it costs"), "{text}");
}

#[test]
fn clauses_that_are_not_read_are_told_of() {
    let one = folder(&[("main.pl", "p(1).\nq(X :- r.\nt :- q(1).\n")]);
    let out = run(one.path(), &["bounds", "main.pl"]);
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(
        text.contains("main.pl:2:2: unclosed `(`: the clause is not read"),
        "{text}"
    );
    assert!(out.status.success());
}
