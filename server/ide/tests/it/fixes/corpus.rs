//! Tests small programs that look alike. `tests/rewrites/offered` contains programs in many forms to which a rewrite applies;
//! `tests/rewrites/refused` contains programs whose answers, answer order, failures or errors the rewrite would change.
//!
//! Each program starts with `%%% RULE: why`. If `not yet` precedes the rule, the rewrite should apply but cannot be proved correct.

use std::path::Path;

use costlens_ide::fixes::Action;
use costlens_ide::fixes::rewrites::REWRITES;

use super::sections;
use crate::with_library;

/// Returns the programs in `tests/rewrites/FOLDER`, each with its file, title and text.
fn programs(folder: &str) -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rewrites");
    let entries = std::fs::read_dir(root.join(folder)).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let of_file = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let all = sections(&std::fs::read_to_string(path).unwrap());
        all.into_iter()
            .map(move |section| (name.clone(), section.title, section.text))
    };
    files.iter().flat_map(of_file).collect()
}

/// Returns the cheaper variants offered for a program.
fn variants(text: &str) -> Vec<Action> {
    let mut host = with_library();
    let file = host.open("a.pl", text);
    let mut all = host
        .snapshot()
        .code_actions(file, 0..text.len(), None)
        .unwrap();
    all.retain(|action| REWRITES.iter().any(|r| r.rule == action.rule));
    all
}

#[test]
fn a_rewrite_is_offered_in_many_dresses() {
    let (mut offered, mut problems) = (0, Vec::new());
    let programs = programs("offered");
    for (file, title, text) in &programs {
        let (rule, _) = title.split_once(": ").unwrap();
        let (rule, expected) = match rule.strip_prefix("not yet ") {
            Some(rule) => (rule, false),
            None => (rule, true),
        };
        // Such a variant keeps the behaviour of all other calls.
        let stays = |a: &Action| a.title.contains("is kept for other callers");
        let found = variants(text)
            .iter()
            .any(|a| a.rule.id() == rule && stays(a) == title.contains("the helper stays"));
        offered += usize::from(found);
        if found != expected {
            problems.push(format!("{file}: {title}: {found}"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    let all = programs.len();
    assert!(all >= 60 && offered >= 60, "{offered} of {all}");
}

#[test]
fn no_rewrite_is_offered_where_answers_would_change() {
    let programs = programs("refused");
    let offers = |(file, title, text): &(String, String, String)| {
        let all = variants(text).into_iter();
        all.map(|a| format!("{file}: {title}: {}", a.title))
            .collect::<Vec<_>>()
    };
    let found: Vec<String> = programs.iter().flat_map(offers).collect();
    assert!(found.is_empty(), "{found:#?}");
    assert!(programs.len() >= 60);
}
