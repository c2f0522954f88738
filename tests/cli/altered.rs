//! Flags and goals that change what clauses mean, in whatever file of the program and whatever form, and the clauses that they reach.

use crate::program;

use program::{bounds, exactly, folder, unknown};

/// Texts before `t :- u.` that may change any predicate of the program.
const ALTERING: [&str; 13] = [
    ":- set_prolog_flag(elsewhere:double_quotes, atom).",
    ":- set_prolog_flag(occurs_check, error).",
    ":- set_prolog_flag(var_prefix, true).",
    ":- set_prolog_flag(character_escapes, false).",
    ":- set_prolog_flag(rational_syntax, natural).",
    ":- set_prolog_flag(access_level, system).",
    "setup :- set_prolog_flag(occurs_check, true).",
    ":- '$set_source_module'(_, system).",
    ":- set_prolog_flag(iso, true).",
    ":- set_prolog_flag(float_zero_div, infinity).",
    ":- set_prolog_flag(user:character_escapes, false).",
    ":- call(set_prolog_flag, occurs_check, true).",
    ":- redefine_system_predicate(_).",
];

/// Texts before `t :- u.` that may change `u/0`.
const REACHING: [&str; 5] = [
    ":- wrap_predicate(u, log, W, (writeln(x), W)).",
    ":- compile_aux_clauses([u]).",
    ":- prolog_listen(u/0, changed).",
    ":- L = [u/0], dynamic(L).",
    ":- forall(member(N, [u]), dynamic(N/0)).",
];

/// Texts before `t :- u.` that leave it as it is: they change quotes, operators, formats, or calls that are not here.
const ELSEWHERE: [&str; 20] = [
    ":- set_prolog_flag(prefer_rationals, true).",
    ":- create_prolog_flag(double_quotes, codes, []).",
    ":- ( true -> set_prolog_flag(double_quotes, codes) ; true ).",
    ":- fail, set_prolog_flag(double_quotes, codes).",
    ":- if(perhaps).\n:- op(700, xfx, ===>).\n:- endif.",
    ":- format_predicate(k, format_k(_, _)).",
    "quiet :- quieter.\nquieter :- set_prolog_flag(double_quotes, atom).\n:- quiet.",
    "arrows :- op(700, xfx, ===>).\n:- once(arrows).",
    "user:prolog_exception_hook(_, _, _, _) :- writeln(raised), fail.",
    "quiet :- set_prolog_flag(double_quotes, atom).\n:- initialization(quiet, now).",
    ":- set_prolog_flag(unknown, fail).",
    ":- set_prolog_flag(back_quotes, symbol_char).",
    ":- G = op(700, xfx, ===>), call(G).",
    ":- foldl([O,_,_]>>op(700, xfx, O), [===>], 0, _).",
    ":- G = set_prolog_flag(double_quotes, atom), call(G).",
    ":- findall(O, member(O, [===>]), Os), maplist(op(700, xfx), Os).",
    ":- findall(O, fail, Os), push_operators(Os).",
    ":- forall(member(T-O, [xfx-(===>)]), op(700, T, O)).",
    ":- expects_dialect(sicstus4).\n:- block w(-).",
    ":- redefine_system_predicate(atom_length(_, _)).",
];

/// Texts that alter nothing.
const HARMLESS: [&str; 29] = [
    ":- set_prolog_flag(double_quotes, codes).",
    ":- op(700, xfx, ===>), op(700, xfx, ===>).",
    ":- set_prolog_flag(occurs_check, false).",
    ":- set_prolog_flag(generate_debug_info, false).",
    ":- set_prolog_flag(autoload, true).",
    ":- dynamic v/1, w/2.",
    ":- table path(_, min).",
    "quoted :- set_prolog_flag(double_quotes, codes).",
    "declares(P) :- dynamic(P).",
    "wraps(wrap_predicate).",
    ":- set_prolog_flag(optimise, true).",
    ":- if(fail).\n:- op(700, xfx, =@=).\n:- endif.",
    "begin :- '$set_source_module'(_, system).",
    "quiet :- set_prolog_flag(double_quotes, atom).\n:- initialization(quiet).",
    ":- if(fail).\n:- op(700, xfx, ===>).\n:- set_prolog_flag(iso, true).\n:- endif.",
    ":- set_prolog_flag(iso, false).",
    ":- set_prolog_flag(user:double_quotes, codes).",
    ":- call(op, 700, xfx, ===>).",
    ":- initialization(op(700, xfx, ===>), now).",
    ":- maplist(op(700, xfx), [===>, <===]).",
    ":- forall(member(O, [===>, <===]), op(700, xfx, O)).",
    ":- push_operators([op(700, xfx, ===>)]).\n:- pop_operators.",
    ":- maplist(set_prolog_flag(double_quotes), [codes]).",
    ":- use_module(library(lists), [append/3, op(_, _, _)]).",
    ":- dynamic op/2.",
    ":- block(w(-)).",
    ":- once(op(700, xfx, ===>)).",
    ":- once(set_prolog_flag(double_quotes, codes)).",
    ":- catch(op(700, xfx, ===>), _, true).",
];

#[test]
fn predicates_that_an_effect_reaches_are_unknown() {
    let whole = "changes how the whole program is read or run";
    let of_text = "changes how its clauses are read";
    let of_calls = "changes how calls of it run";
    for text in ALTERING.into_iter().chain(REACHING) {
        let alone = folder(&[("main.pl", &format!("{text}\nt :- u.\nu.\n"))]);
        let found = bounds(alone.path(), &["main.pl"], "t/0");
        let is_told = [whole, of_text, of_calls]
            .iter()
            .any(|r| found.reason.contains(r));
        // The cost of `u/0` is not known.
        let is_open = found.upper.is_empty() || found.upper == "u+1";
        assert!(is_open && is_told, "{text}: {found:?}");
        let several = folder(&[
            ("main.pl", ":- use_module(other).\nt :- u.\nu.\n"),
            ("other.pl", &format!(":- module(other, []).\n{text}\nu.\n")),
        ]);
        if text.contains("character_escapes")
            || text.contains("var_prefix")
            || text.contains("rational")
        {
            continue;
        }
        unknown(
            &bounds(several.path(), &["main.pl"], "t/0"),
            "in `other.pl` changes how",
        );
    }
}

#[test]
fn predicates_that_an_effect_does_not_reach_are_what_they_were() {
    for text in ELSEWHERE {
        let alone = folder(&[("main.pl", &format!("{text}\nt :- u.\nu.\n"))]);
        exactly(&bounds(alone.path(), &["main.pl"], "t/0"), "2");
        let several = folder(&[
            ("main.pl", ":- use_module(other).\nt :- u.\nu.\n"),
            ("other.pl", &format!(":- module(other, []).\n{text}\nu.\n")),
        ]);
        exactly(&bounds(several.path(), &["main.pl"], "t/0"), "2");
    }
}

/// SWI-Prolog keeps these flags for each module.
#[test]
fn a_flag_about_text_is_that_of_its_module() {
    let of_module = |flag: &str| {
        let other = format!(":- module(other, [v/0]).\n{flag}\nv.\n");
        folder(&[
            ("main.pl", ":- use_module(other).\nt :- u, v.\nu.\n"),
            ("other.pl", &*other),
        ])
    };
    let escapes = of_module(":- set_prolog_flag(character_escapes, false).");
    exactly(&bounds(escapes.path(), &["main.pl"], "u/0"), "1");
    unknown(
        &bounds(escapes.path(), &["main.pl"], "t/0"),
        "changes how its clauses are read",
    );
}

#[test]
fn what_is_followed_or_changes_nothing_stays_certain() {
    for text in HARMLESS {
        let alone = folder(&[("main.pl", &format!("{text}\nt :- u.\nu.\n"))]);
        exactly(&bounds(alone.path(), &["main.pl"], "t/0"), "2");
    }
}

#[test]
fn goals_of_assertions_may_be_left_out() {
    let several = folder(&[
        (
            "main.pl",
            ":- ensure_loaded(fast).\nt :- assertion(u), s.\ns :- u.\nu.\n",
        ),
        ("fast.pl", ":- set_prolog_flag(optimise, true).\n"),
    ]);
    unknown(
        &bounds(several.path(), &["main.pl"], "t/0"),
        "in `fast.pl` changes a predicate that it calls",
    );
    exactly(&bounds(several.path(), &["main.pl"], "s/0"), "2");
}

#[test]
fn other_programs_are_left_alone() {
    let several = folder(&[
        ("main.pl", "t :- u.\nu.\n"),
        ("other.pl", ":- set_prolog_flag(occurs_check, error).\n"),
    ]);
    exactly(
        &bounds(several.path(), &["main.pl", "other.pl"], "t/0"),
        "2",
    );
}

#[test]
fn files_of_one_module_share_how_quoted_text_is_read() {
    let flag = ":- set_prolog_flag(double_quotes, codes).\n";
    let quoting = "t :- u(\"abc\").\nu([_|_]).\n";
    let part = folder(&[
        ("main.pl", &*format!(":- ensure_loaded(part).\n{quoting}")),
        ("part.pl", flag),
    ]);
    unknown(
        &bounds(part.path(), &["main.pl"], "t/0"),
        "in `part.pl` changes how its clauses are read",
    );
    let both = folder(&[
        (
            "main.pl",
            &*format!("{flag}:- ensure_loaded(part).\n{quoting}"),
        ),
        ("part.pl", flag),
    ]);
    exactly(&bounds(both.path(), &["main.pl"], "t/0"), "2");
    let module = folder(&[
        (
            "main.pl",
            &*format!(":- use_module(part).\n{flag}{quoting}"),
        ),
        (
            "part.pl",
            ":- module(part, []).\n:- set_prolog_flag(double_quotes, atom).\n",
        ),
    ]);
    exactly(&bounds(module.path(), &["main.pl"], "t/0"), "2");
}

#[test]
fn translations_of_messages_run_when_a_message_is_printed() {
    for text in [
        ":- multifile prolog:message//1.\nprolog:message(m(N)) --> { loop(N) }, [].",
        ":- multifile user:message_property/2.\nuser:message_property(m, _) :- loop(3).",
        ":- multifile user:thread_message_hook/3.\nuser:thread_message_hook(_, _, _) :- loop(3).",
    ] {
        let text = format!(
            "{text}\nt :- print_message(error, m(5)).\nloop(0).\nloop(N) :- M is N-1, loop(M).\n"
        );
        let alone = folder(&[("main.pl", &text)]);
        unknown(
            &bounds(alone.path(), &["main.pl"], "t/0"),
            "which this file defines",
        );
    }
}

/// SWI-Prolog takes these clauses in place of the built-in's.
#[test]
fn a_built_in_that_is_unlocked_has_clauses() {
    let text = ":- redefine_system_predicate(length(_, _)).\nlength(L, N) :- w, w, N = L.\nw.\n";
    let alone = folder(&[("main.pl", text)]);
    unknown(
        &bounds(alone.path(), &["main.pl"], "length/2"),
        "changes how calls of it run",
    );
}
