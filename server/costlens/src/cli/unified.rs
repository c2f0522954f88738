//! Two texts as a unified diff, which `patch` and `git apply` read.

use std::fmt::Write as _;
use std::ops::Range;

/// Lines around a change.
const CONTEXT: usize = 3;
/// The number of changed lines beyond which all lines between the first and the last change count as changed.
const MOST_CHANGES: usize = 1_000;

/// Returns the difference of two texts of a file; empty if there is none.
pub(super) fn diff(name: &str, before: &str, after: &str) -> String {
    let (old, new) = (lines(before), lines(after));
    let changes = changes(&old, &new);
    let mut out = String::new();
    if changes.is_empty() {
        return out;
    }
    let _ = write!(out, "--- a/{name}\n+++ b/{name}\n");
    let mut rest = changes.as_slice();
    while let Some((first, _)) = rest.split_first() {
        // Changes whose contexts touch are in one hunk.
        let together = rest
            .windows(2)
            .take_while(|pair| pair[1].0.start - pair[0].0.end <= 2 * CONTEXT)
            .count()
            + 1;
        let (hunk, others) = rest.split_at(together);
        rest = others;
        let last = hunk.last().unwrap_or(first);
        let from = first.0.start.saturating_sub(CONTEXT);
        let to = (last.0.end + CONTEXT).min(old.len());
        let (from_new, to_new) = (
            first.1.start - (first.0.start - from),
            last.1.end + (to - last.0.end),
        );
        let _ = writeln!(
            out,
            "@@ -{} +{} @@",
            place(from..to),
            place(from_new..to_new)
        );
        let mut at = from;
        for (gone, come) in hunk {
            put(&mut out, ' ', &old[at..gone.start]);
            put(&mut out, '-', &old[gone.clone()]);
            put(&mut out, '+', &new[come.clone()]);
            at = gone.end;
        }
        put(&mut out, ' ', &old[at..to]);
    }
    out
}

/// Lines with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn put(out: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        out.push(mark);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Returns `3,7`: the first line, from 1, and the number of lines; for no lines, the one before them.
fn place(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        many => format!("{},{many}", lines.start + 1),
    }
}

/// The lines that replace others, in order.
type Change = (Range<usize>, Range<usize>);

fn changes(old: &[&str], new: &[&str]) -> Vec<Change> {
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(new).take_while(same).count();
    let (a, b) = (&old[head..], &new[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    if a.is_empty() && b.is_empty() {
        return Vec::new();
    }
    let kept = common(a, b).unwrap_or_default();
    let mut found: Vec<Change> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (x, y) in kept.into_iter().chain([(a.len(), b.len())]) {
        if x > i || y > j {
            found.push((head + i..head + x, head + j..head + y));
        }
        (i, j) = (x + 1, y + 1);
    }
    found
}

/// Returns the pairs of a longest common subsequence of lines (Myers, 1986), or `None` if too much differs.
fn common(a: &[&str], b: &[&str]) -> Option<Vec<(usize, usize)>> {
    let (n, m) = (a.len() as isize, b.len() as isize);
    let most = (a.len() + b.len()).min(MOST_CHANGES) as isize;
    let width = 2 * most as usize + 3;
    let at = |k: isize| (k + most + 1) as usize;
    // The furthest line of `a` on each diagonal, after each number of changes.
    let mut furthest = vec![0_isize; width];
    let mut trace = Vec::new();
    for d in 0..=most {
        trace.push(furthest.clone());
        for k in (-d..=d).step_by(2) {
            let down = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]);
            let mut x = match down {
                true => furthest[at(k + 1)],
                false => furthest[at(k - 1)] + 1,
            };
            while x < n && x - k < m && a[x as usize] == b[(x - k) as usize] {
                x += 1;
            }
            furthest[at(k)] = x;
            if x >= n && x - k >= m {
                return Some(walked_back(&trace, (n, m), &at));
            }
        }
    }
    None
}

/// Returns the pairs on the path of the trace, from its end.
fn walked_back(
    trace: &[Vec<isize>],
    (mut x, mut y): (isize, isize),
    at: &dyn Fn(isize) -> usize,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (d, furthest) in trace.iter().enumerate().rev() {
        let (d, k) = (d as isize, x - y);
        let down = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]);
        let from = if down { k + 1 } else { k - 1 };
        let before = match d {
            0 => (0, 0),
            _ => (furthest[at(from)], furthest[at(from)] - from),
        };
        while x > before.0 && y > before.1 {
            (x, y) = (x - 1, y - 1);
            pairs.push((x as usize, y as usize));
        }
        (x, y) = before;
    }
    pairs.reverse();
    pairs
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
