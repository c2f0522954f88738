//! Tests the requirements that keep the data file readable for people and programs.

use std::path::Path;

use costlens_catalog::{
    Effect, Home, Language, find, is_fixed, is_locked, meta_arguments, read, system_predicates,
};

fn text() -> &'static str {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/predicates.txt");
    std::fs::read_to_string(path).unwrap().leak()
}

#[test]
fn every_line_is_understood() {
    let (records, malformed) = read(text());
    let malformed: Vec<String> = malformed.iter().map(ToString::to_string).collect();
    assert_eq!(malformed, Vec::<String>::new());
    assert_eq!(records, system_predicates());
}

#[test]
fn sections_and_lines_are_sorted_and_none_is_there_twice() {
    let key = |p: &costlens_catalog::SystemPredicate| (p.name, p.arity);
    for pair in system_predicates().windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let sorted = match (before.home, after.home) {
            (one, other) if one == other => key(before) < key(after),
            (Home::System, _) => true,
            (_, Home::System) => false,
            _ => section(before.home) < section(after.home),
        };
        assert!(
            sorted,
            "{}/{} before {}/{}",
            before.name, before.arity, after.name, after.arity
        );
    }
    let mut keys: Vec<_> = system_predicates().iter().map(key).collect();
    keys.sort_unstable();
    for pair in keys.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

fn section(home: Home) -> &'static str {
    match home {
        Home::System => "system",
        Home::Library(name) => name,
        Home::User => "user",
    }
}

#[test]
fn every_mark_is_explained_at_the_head() {
    let explained: Vec<&str> = (text().lines())
        .filter_map(|line| line.strip_prefix("#   "))
        .filter(|line| !line.starts_with(' '))
        .flat_map(|line| line.split("  ").next().unwrap().split(", "))
        .map(|mark| mark.split('=').next().unwrap())
        .collect();
    for line in text().lines().filter(|l| !l.starts_with(['#', '[', ' '])) {
        for mark in line.split(" | ").next().unwrap().split_whitespace().skip(1) {
            let name = mark.split('=').next().unwrap();
            assert!(explained.contains(&name), "{line}");
        }
    }
}

#[test]
fn marks_agree_with_each_other() {
    for p in system_predicates() {
        let of = format!("{}/{}", p.name, p.arity);
        for &(name, arity) in &p.hooks {
            assert_eq!(find(name, arity).map(|h| h.home), Some(Home::User), "{of}");
        }
        assert_eq!(p.home == Home::User, p.language.is_none(), "{of}");
        assert!(!p.is_one_step || p.on_machine, "{of}: a step of no machine");
        assert!(p.most_bindings.is_none() || p.is_one_step, "{of}");
        assert!(
            !p.locked || p.home == Home::System,
            "{of}: only built-ins are locked"
        );
        assert!(
            p.clause_change.is_none() || p.effect == Some(Effect::State),
            "{of}"
        );
        let transparent = p.is_control_construct();
        assert!(
            !transparent || meta_arguments(p.name, p.arity).len() == p.arity,
            "{of}"
        );
        assert!(
            p.language == Some(Language::C) || !p.locked || p.home == Home::System,
            "{of}"
        );
    }
}

#[test]
fn locked_and_fixed_are_told_apart() {
    assert!(is_locked("length", 2) && is_locked("is", 2) && is_locked("!", 0));
    assert!(!is_locked("append", 3) && !is_locked("msort", 2) && !is_locked("is_list", 1));
    // SWI-Prolog accepts clauses for these predicates, but never runs them.
    for (name, arity) in [("|", 2), ("*->", 2), ("call", 9)] {
        assert!(
            !is_locked(name, arity) && is_fixed(name, arity),
            "{name}/{arity}"
        );
    }
}

#[test]
fn modes_are_those_of_pldoc() {
    let described = (system_predicates().iter()).filter_map(|p| Some((p, p.description.as_ref()?)));
    for (p, description) in described.filter(|(_, d)| !d.arguments.is_empty()) {
        let line = costlens_syntax::pldoc::mode_line(description.template);
        let line = line.unwrap_or_else(|| panic!("{}", description.template));
        assert_eq!(
            (line.name.as_str(), line.arguments.len()),
            (p.name, p.arity)
        );
        let modes = line.arguments.iter().all(|a| a.mode.is_some());
        assert!(modes, "{}", description.template);
    }
    assert!(
        system_predicates()
            .iter()
            .filter(|p| p.description.is_some())
            .count()
            > 250
    );
}
