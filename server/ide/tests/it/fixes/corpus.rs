//! Small programs that look alike: `tests/rewrites/offered` has those that a rewrite applies to, in many forms, `tests/rewrites/refused`
//! those whose answers, their order, failures or errors it would change.
//!
//! `%%% RULE: why` begins a program. With `not yet` before the rule it is one that a rewrite should apply to but cannot prove.

use std::path::Path;

use costlens_ide::fixes::Action;
use costlens_ide::fixes::rewrites::REWRITES;

use super::sections;
use crate::with_library;

/// Returns programs of `tests/rewrites/FOLDER`: file, title, text.
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

/// Returns the cheaper variants that are offered for a program.
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
        // For calls other than the known ones it behaves as before.
        let stays = |a: &Action| a.title.contains("stays for calls from elsewhere");
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
