//! Unified diffs, which `patch` and `git apply` read.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

/// The number of context lines around a change.
const CONTEXT: usize = 3;

/// Returns the diff of two versions of a file; empty if they are equal.
pub(super) fn diff(name: &str, before: &str, after: &str) -> String {
    let (old, new) = (lines(before), lines(after));
    let diff = TextDiff::configure().diff_slices(&old, &new);
    let mut out = String::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        if out.is_empty() {
            let _ = write!(out, "--- a/{name}\n+++ b/{name}\n");
        }
        let _ = writeln!(out, "{}", hunk.header());
        for change in hunk.iter_changes() {
            put(&mut out, change.tag(), change.value());
        }
    }
    out
}

/// Returns the lines with their terminators. As in `patch`, a lone carriage return does not end a line.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn put(out: &mut String, tag: ChangeTag, line: &str) {
    let _ = write!(out, "{tag}{line}");
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn changes_stand_between_three_lines_of_context() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let after = "a\nb\nc\nd\nE\nf\ng\nh\ni\n";
        assert_eq!(
            diff("x.pl", before, after),
            "--- a/x.pl\n+++ b/x.pl\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n+i\n"
        );
        assert_eq!(diff("x.pl", before, before), "");
    }

    #[test]
    fn far_changes_are_hunks_of_their_own() {
        let lines = |marked: &[usize]| -> String {
            (1..=30)
                .map(|n| match marked.contains(&n) {
                    true => format!("new {n}\n"),
                    false => format!("{n}\n"),
                })
                .collect()
        };
        let text = diff("x", &lines(&[]), &lines(&[2, 25]));
        assert_eq!(text.matches("@@ -").count(), 2);
        assert!(
            text.contains("@@ -1,5 +1,5 @@\n 1\n-2\n+new 2\n 3\n"),
            "{text}"
        );
    }

    #[test]
    fn a_missing_line_end_is_said() {
        assert_eq!(
            diff("x", "a", "b"),
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        );
    }
}
