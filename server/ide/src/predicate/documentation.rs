//! Converts the structured comment of a predicate to Markdown.
//!
//! PlDoc uses wiki markup: `*bold*`, `_emphasis_`, `=code=`, lists marked by `-` and indentation, code between lines of `==`, and tags such
//! as `@param` and `@see`. All other text is kept unchanged.

use std::fmt::Write as _;

use costlens_program::workspace::terms;
use costlens_program::{Functor, SourceFile};
use costlens_syntax::comments::structured_comments;
use costlens_syntax::pldoc::mode_line;

use crate::db::Db;

/// The maximum number of lines; longer comments are truncated.
const MOST_LINES: usize = 60;

/// The documentation of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Documentation {
    /// The mode lines as written.
    pub(crate) modes: Vec<String>,
    /// The text below the mode lines, in Markdown. Empty if there is none.
    pub(crate) text: String,
}

/// Returns the comment whose mode lines name the predicate, in the file that defines the predicate.
pub(crate) fn documentation(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Documentation> {
    let read = terms(db, file);
    let text = &*file.parsed(db).text;
    for comment in structured_comments(&read, text) {
        let source = text.get(comment.range.0..comment.range.1)?;
        let lines = content(source);
        let is_ours = |line: &&String| {
            mode_line(line).is_some_and(|mode| {
                mode.name == functor.name && mode.arguments.len() == functor.arity
            })
        };
        // Mode lines are consecutive, at the top.
        let modes = lines
            .iter()
            .take_while(|line| mode_line(line).is_some())
            .count();
        let ours: Vec<String> = lines[..modes].iter().filter(is_ours).cloned().collect();
        if !ours.is_empty() {
            return Some(Documentation {
                modes: ours.iter().map(|line| line.trim().to_owned()).collect(),
                text: markdown(&lines[modes..]),
            });
        }
    }
    None
}

/// Returns the lines of a comment without comment markers and common indentation.
fn content(comment: &str) -> Vec<String> {
    let block = comment
        .strip_prefix("/**")
        .map(|rest| rest.strip_suffix("*/").unwrap_or(rest));
    let bare = |line: &str| -> String {
        let line = line.trim_end();
        let trimmed = line.trim_start();
        match block {
            Some(_) => match trimmed.strip_prefix('*') {
                Some(rest) => rest.to_owned(),
                None => line.to_owned(),
            },
            None => {
                let marks = trimmed.trim_start_matches('%');
                marks.strip_prefix('!').unwrap_or(marks).to_owned()
            }
        }
    };
    let mut lines: Vec<String> = block.unwrap_or(comment).lines().map(bare).collect();
    let indentation = |line: &String| line.len() - line.trim_start().len();
    let shared = |lines: &[String]| {
        let filled = lines.iter().filter(|line| !line.trim().is_empty());
        filled.map(indentation).min().unwrap_or_default()
    };
    // The first line follows the comment marker; the other lines may be indented further.
    if let [first, rest @ ..] = &mut lines[..] {
        *first = first.trim_start().to_owned();
        let by = shared(rest);
        for line in rest {
            *line = line.get(by..).unwrap_or_default().to_owned();
        }
    }
    let filled = lines.iter().position(|line| !line.trim().is_empty());
    lines.drain(..filled.unwrap_or(lines.len()));
    lines
}

fn markdown(lines: &[String]) -> String {
    let mut out = String::new();
    let (mut code, mut tags) = (false, false);
    for line in lines.iter().take(MOST_LINES) {
        let trimmed = line.trim();
        if trimmed.len() >= 2 && trimmed.chars().all(|c| c == '=') || trimmed.starts_with("```") {
            out.push_str(if code { "```\n" } else { "```prolog\n" });
            code = !code;
            continue;
        }
        if code {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        match trimmed
            .strip_prefix('@')
            .map(|tag| tag.split_once(char::is_whitespace).unwrap_or((tag, "")))
        {
            Some((tag, rest)) if tag.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                if !tags && !out.is_empty() && !out.ends_with("\n\n") {
                    out.push('\n');
                }
                tags = true;
                let rest = rest.trim();
                let _ = match (tag, rest.split_once(char::is_whitespace)) {
                    ("arg" | "param", Some((name, what))) => {
                        writeln!(out, "- `{name}`: {}", inline(what.trim()))
                    }
                    // Assertions are not prose.
                    ("cost", _) => writeln!(out, "- *cost* `{rest}`"),
                    _ => writeln!(out, "- *{tag}* {}", inline(rest)),
                };
            }
            _ if tags && !trimmed.is_empty() => {
                let _ = writeln!(out, "  {}", inline(trimmed));
            }
            _ => {
                out.push_str(&inline(line.trim_end()));
                out.push('\n');
            }
        }
    }
    if code {
        out.push_str("```\n");
    }
    if lines.len() > MOST_LINES {
        out.push_str("\n…\n");
    }
    out.trim().to_owned()
}

/// Converts `=code=` and `|code|` inside a line. Text that Markdown would interpret as HTML is escaped.
fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let (mut quoted, mut rest, mut before) = (false, line, ' ');
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '`' {
            quoted = !quoted;
        } else if c == '=' && !quoted && !before.is_alphanumeric() && before != '=' {
            let word = |inside: &&str| {
                !inside.is_empty()
                    && inside
                        .chars()
                        .all(|c| c.is_alphanumeric() || "_/-()".contains(c))
            };
            if let Some(inside) = after.split_once('=').map(|(inside, _)| inside).filter(word) {
                let _ = write!(out, "`{inside}`");
                rest = &after[inside.len() + 1..];
                before = '=';
                continue;
            }
        }
        match c {
            '<' if !quoted => out.push_str("&lt;"),
            _ => out.push(c),
        }
        before = c;
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(comment: &str) -> String {
        let lines = content(comment);
        let modes = lines.iter().take_while(|l| mode_line(l).is_some()).count();
        markdown(&lines[modes..])
    }

    #[test]
    fn all_forms_of_comments_give_the_same_text() {
        let expected =
            "Ys has the elements of Xs.\n\n- `Xs`: a list\n  of anything\n- *see* reverse/2";
        for comment in [
            "%! rev(+Xs, -Ys) is det.\n%\n%  Ys has the elements of Xs.\n%\n%  @param Xs  a list\n%         of anything\n%  @see reverse/2",
            "%% rev(+Xs, -Ys) is det.\n%  Ys has the elements of Xs.\n%\n%  @arg Xs a list\n%    of anything\n%  @see reverse/2",
            "/** rev(+Xs, -Ys) is det.\n *\n * Ys has the elements of Xs.\n *\n * @param Xs a list\n *  of anything\n * @see reverse/2\n */",
            "/**\n  rev(+Xs, -Ys) is det.\n\n  Ys has the elements of Xs.\n\n  @param Xs a list\n     of anything\n  @see reverse/2\n*/",
        ] {
            assert_eq!(rendered(comment), expected, "{comment}");
        }
    }

    #[test]
    fn marks_become_markdown() {
        let text = rendered(
            "%! p(+X) is det.\n%  Is =true= if X < 3, a=b.\n%  ==\n%  p(<X>).\n%  ==\n%  @cost steps =< 3",
        );
        assert_eq!(
            text,
            "Is `true` if X &lt; 3, a=b.\n```prolog\np(<X>).\n```\n\n- *cost* `steps =< 3`"
        );
    }
}
