//! Completions for shells, manual pages for packages, colours on terminals.

use std::path::Path;

use crate::printed::text;
use crate::project::{folder, run};

#[test]
fn shells_complete_commands_and_options() {
    for (shell, part) in [
        ("bash", "complete -F _costlens"),
        ("elvish", "edit:completion:arg-completer[costlens]"),
        ("fish", "complete -c costlens"),
        ("powershell", "Register-ArgumentCompleter"),
        ("zsh", "#compdef costlens"),
    ] {
        let out = run(Path::new("."), &["completions", shell]);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        let script = text(&out.stdout);
        for part in [part, "calibrate", "exit-zero"] {
            assert!(script.contains(part), "{shell}: {part}\n{script}");
        }
    }
    let out = run(Path::new("."), &["completions", "tcsh"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = folder::<&str>(&[]);
    let out = run(folder.path(), &["man", "share/man1"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let page = |name: &str| std::fs::read_to_string(folder.path().join("share/man1").join(name));
    for (name, part) in [
        ("costlens.1", "costlens\\-check(1)"),
        ("costlens-check.1", "\\-\\-against"),
        ("costlens-completions.1", "zsh"),
    ] {
        let page = page(name).unwrap();
        assert!(page.contains(part), "{name}: {part}\n{page}");
    }
    assert!(page("costlens-man.1").is_err());
}

#[test]
fn colours_are_as_asked() {
    let folder = folder(&[("a.pl", ":- pred p(A) : int(A) + steps_ub(0).\np(_).\n")]);
    let check = |more: &[&str]| {
        let out = run(
            folder.path(),
            &[&["check", "--no-cache", "a.pl"], more].concat(),
        );
        text(&out.stdout)
    };
    let (usual, always) = (check(&[]), check(&["--color", "always"]));
    assert!(!usual.contains('\u{1b}'), "{usual}");
    assert!(always.contains('\u{1b}'), "{always}");
    assert_eq!(check(&["--color", "never"]), usual);
}
