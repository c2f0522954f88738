//! Tokenises the texts of workloads, as far as is needed to combine them in one file.
//!
//! # The renaming rule
//! Each workload's predicates get a prefix (`w3_app` for `app` of workload 3), so that no two workloads clash and none redefines a
//! predicate of an engine (GNU Prolog rejects clauses for `append/3`). The names in clause heads and before `/` in directives are renamed
//! wherever they occur as atoms: as goals, as closures, in data, with any arity. A workload therefore keeps its meaning, unless it
//!
//! - defines a predicate with the name of a built-in or an arithmetic function that it also uses (`max/3` next to `X is max(A, B)`),
//! - inspects the names of its predicates as atoms (`atom_length(app, N)`), or compares them in the standard order.
//!
//! In the first case the engine reports an error for this workload. A head that is an operator term (`X ~ Y :- …`) is not renamed.

use std::collections::BTreeSet;

use crate::timed::Workload;

/// The reason why a workload cannot be combined with other workloads in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedWorkload {
    /// A quote, a bracket or a comment is not closed.
    #[error("{part}: `{what}` is not closed, or closes nothing")]
    Unbalanced {
        /// The part of the workload that contains it.
        part: &'static str,
        /// The text of the token.
        what: String,
    },
    /// The last clause has no full stop.
    #[error("the last clause has no full stop")]
    Unended,
    /// A goal contains a full stop.
    #[error("{0}: a goal has no full stop")]
    Ended(&'static str),
    /// A part is empty.
    #[error("{0}: there is no goal")]
    Empty(&'static str),
    /// The goal contains a cut.
    #[error("a cut in the goal would end the loop: put the goal into a clause")]
    Cut,
    /// An input is not a variable.
    #[error("the input `{0}` is no name of a variable, or is named twice")]
    Input(String),
}

/// A workload whose predicates have been renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    pub(crate) clauses: String,
    pub(crate) goal: String,
    pub(crate) setup: String,
}

/// Renames the predicates of a workload. Rejects a workload that would affect other workloads.
pub(crate) fn renamed(workload: &Workload, prefix: &str) -> Result<Renamed, MalformedWorkload> {
    let clauses = balanced(&workload.clauses, "clauses")?;
    if clauses
        .last()
        .is_some_and(|token| token.kind != WorkloadToken::End)
    {
        return Err(MalformedWorkload::Unended);
    }
    let goal = goal(&workload.goal, "goal")?;
    let setup = self::goal(&workload.setup, "setup")?;
    if goal.iter().any(|token| token.text == "!") {
        return Err(MalformedWorkload::Cut);
    }
    let mut inputs = BTreeSet::new();
    for input in &workload.inputs {
        let alone = tokens(input);
        let named =
            matches!(&alone[..], [t] if t.kind == WorkloadToken::Variable && t.text == input);
        if !named || input == "_" || !inputs.insert(input) {
            return Err(MalformedWorkload::Input(input.clone()));
        }
    }
    let names = defined(&clauses);
    let with = |text: &str, tokens: &[Token]| prefixed(text, tokens, &names, prefix);
    Ok(Renamed {
        clauses: with(&workload.clauses, &clauses),
        goal: with(&workload.goal, &goal),
        setup: with(&workload.setup, &setup),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkloadToken {
    Name,
    Quoted,
    Variable,
    Symbol,
    Number,
    Text,
    Open,
    Close,
    Punctuation,
    End,
    /// The rest of the text after an unclosed quote or comment.
    Unclosed,
}

#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    kind: WorkloadToken,
    text: &'a str,
    at: usize,
}

impl<'a> Token<'a> {
    /// Returns the name of an atom. Escapes are not decoded: a name must be written in the same way throughout a workload.
    fn name(&self) -> Option<&'a str> {
        match self.kind {
            WorkloadToken::Name => Some(self.text),
            WorkloadToken::Quoted => Some(&self.text[1..self.text.len() - 1]),
            _ => None,
        }
    }
}

/// Returns the tokens of a goal.
fn goal<'a>(text: &'a str, part: &'static str) -> Result<Vec<Token<'a>>, MalformedWorkload> {
    let tokens = balanced(text, part)?;
    if tokens.is_empty() {
        return Err(MalformedWorkload::Empty(part));
    }
    if tokens.iter().any(|token| token.kind == WorkloadToken::End) {
        return Err(MalformedWorkload::Ended(part));
    }
    Ok(tokens)
}

/// Returns the tokens if all brackets are closed before the end of their clause.
fn balanced<'a>(text: &'a str, part: &'static str) -> Result<Vec<Token<'a>>, MalformedWorkload> {
    let tokens = tokens(text);
    let wrong = |token: &Token| MalformedWorkload::Unbalanced {
        part,
        what: token.text.chars().take(20).collect(),
    };
    let mut open: Vec<&Token> = Vec::new();
    for token in &tokens {
        match token.kind {
            WorkloadToken::Unclosed => return Err(wrong(token)),
            WorkloadToken::Open => open.push(token),
            WorkloadToken::Close => {
                let pair = open.pop().map(|o| o.text);
                if !matches!(
                    (pair, token.text),
                    (Some("("), ")") | (Some("["), "]") | (Some("{"), "}")
                ) {
                    return Err(wrong(token));
                }
            }
            WorkloadToken::End => {
                if let Some(token) = open.first() {
                    return Err(wrong(token));
                }
            }
            _ => {}
        }
    }
    match open.first() {
        Some(token) => Err(wrong(token)),
        None => Ok(tokens),
    }
}

/// Returns the names of the predicates that the clauses define or declare.
fn defined<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    for clause in tokens.split(|token| token.kind == WorkloadToken::End) {
        let Some(first) = clause.first() else {
            continue;
        };
        if first.text == ":-" {
            let declared = clause
                .windows(3)
                .filter(|w| w[1].text == "/" && w[2].kind == WorkloadToken::Number);
            names.extend(declared.filter_map(|w| w[0].name()));
        } else if let Some(name) = first.name() {
            let rest = behind_arguments(&clause[1..]);
            if matches!(
                rest.first(),
                None | Some(Token {
                    text: ":-" | "-->" | "," | "=>",
                    ..
                })
            ) {
                names.insert(name);
            }
        }
    }
    names
}

/// Returns the tokens after the arguments of a name.
fn behind_arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    if tokens.first().is_none_or(|token| token.text != "(") {
        return tokens;
    }
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            WorkloadToken::Open => depth += 1,
            WorkloadToken::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[at + 1..];
        }
    }
    &[]
}

/// Returns the text with a prefix added to all atoms with these names.
fn prefixed(text: &str, tokens: &[Token], names: &BTreeSet<&str>, prefix: &str) -> String {
    let mut to = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for token in tokens {
        if token.name().is_some_and(|name| names.contains(name)) {
            let at = token.at + usize::from(token.kind == WorkloadToken::Quoted);
            to.push_str(&text[done..at]);
            to.push_str(prefix);
            done = at;
        }
    }
    to.push_str(&text[done..]);
    to
}

/// Returns the tokens of an ISO Prolog text, without comments.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let (kind, length) = token(&text[at..], first);
        if let Some(kind) = kind {
            tokens.push(Token {
                kind,
                text: &text[at..at + length],
                at,
            });
        }
        at += length;
    }
    tokens
}

const SYMBOLS: &str = "+-*/\\^<>=~:.?@#&$";

/// Returns the kind of the first token of a text (`None` for layout and comments), and its length.
fn token(text: &str, first: char) -> (Option<WorkloadToken>, usize) {
    let end_of = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    match first {
        c if c.is_whitespace() => (None, end_of(char::is_whitespace)),
        '%' => (None, text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => match text[2..].find("*/") {
            Some(length) => (None, length + 4),
            None => (Some(WorkloadToken::Unclosed), text.len()),
        },
        '.' if ends_clause(&text[1..]) => (Some(WorkloadToken::End), 1),
        '\'' => quoted(text, first, WorkloadToken::Quoted),
        '"' | '`' => quoted(text, first, WorkloadToken::Text),
        '0'..='9' => (Some(WorkloadToken::Number), number(text)),
        '_' => (Some(WorkloadToken::Variable), end_of(in_word)),
        c if c.is_uppercase() => (Some(WorkloadToken::Variable), end_of(in_word)),
        c if c.is_alphabetic() => (Some(WorkloadToken::Name), end_of(in_word)),
        c if SYMBOLS.contains(c) => (Some(WorkloadToken::Symbol), end_of(|c| SYMBOLS.contains(c))),
        '(' | '[' | '{' => (Some(WorkloadToken::Open), 1),
        ')' | ']' | '}' => (Some(WorkloadToken::Close), 1),
        c => (Some(WorkloadToken::Punctuation), c.len_utf8()),
    }
}

fn in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn ends_clause(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|c| c.is_whitespace() || c == '%')
}

/// Reads a quoted token, including doubled quotes and escaped quotes.
fn quoted(text: &str, quote: char, kind: WorkloadToken) -> (Option<WorkloadToken>, usize) {
    let mut rest = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = rest.next() {
        if c == '\\' {
            rest.next();
        } else if c == quote {
            if rest.peek().is_some_and(|&(_, next)| next == quote) {
                rest.next();
            } else {
                return (Some(kind), at + 1);
            }
        }
    }
    (Some(WorkloadToken::Unclosed), text.len())
}

/// Returns the length of a number: `0'c`, `16'ff`, `0xff`, `1.5e-3`.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let word = text.find(|c| !in_word(c)).unwrap_or(text.len());
    if let Some(character) = text.strip_prefix("0'") {
        let escaped = character.starts_with('\\') || character.starts_with("''");
        let length: usize = character
            .chars()
            .take(1 + usize::from(escaped))
            .map(char::len_utf8)
            .sum();
        return 2 + length;
    }
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    if bytes.get(word) == Some(&b'\'') && digit(word + 1) {
        return word
            + 1
            + text[word + 1..]
                .find(|c| !in_word(c))
                .unwrap_or(text.len() - word - 1);
    }
    if bytes.get(word) != Some(&b'.') || !bytes.get(word + 1).is_some_and(u8::is_ascii_digit) {
        return word;
    }
    let fraction = word + 1;
    let mut end = fraction
        + text[fraction..]
            .find(|c| !in_word(c))
            .unwrap_or(text.len() - fraction);
    if matches!(bytes[end - 1], b'e' | b'E') && matches!(bytes.get(end), Some(b'+' | b'-')) {
        end += 1;
        end += text[end..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len() - end);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload(clauses: &str, goal: &str, setup: &str, inputs: &[&str]) -> Workload {
        Workload {
            name: "w".into(),
            clauses: clauses.into(),
            goal: goal.into(),
            setup: setup.into(),
            inputs: inputs.iter().map(|&i| i.into()).collect(),
        }
    }

    fn clauses(text: &str) -> String {
        renamed(&workload(text, "true", "true", &[]), "w1_")
            .unwrap()
            .clauses
    }

    #[test]
    fn predicates_are_renamed_wherever_they_stand_and_nothing_else_is() {
        assert_eq!(
            clauses("p(X) :- q(X), r(X).\nq(p).\n"),
            "w1_p(X) :- w1_q(X), r(X).\nw1_q(w1_p).\n"
        );
        assert_eq!(
            clauses("'a b'(X) :- 'a b'(X).\n"),
            "'w1_a b'(X) :- 'w1_a b'(X).\n"
        );
        assert_eq!(
            clauses("p --> [p], \"p\", q. % p\n"),
            "w1_p --> [w1_p], \"p\", q. % p\n"
        );
        assert_eq!(
            clauses("p(0'p, 1.5e-3, pp, P, 'p''s').\n"),
            "w1_p(0'p, 1.5e-3, pp, P, 'p''s').\n"
        );
        assert_eq!(
            clauses(":- dynamic(s/1).\np :- X = (s).\n"),
            ":- dynamic(w1_s/1).\nw1_p :- X = (w1_s).\n"
        );
        assert_eq!(
            clauses("a + b :- c.\n/* a. */ c :- a.\n"),
            "a + b :- w1_c.\n/* a. */ w1_c :- a.\n"
        );
        assert_eq!(
            clauses("p(X) :- X = f(0'''), X = 0x1f, q.\nq.\n"),
            "w1_p(X) :- X = f(0'''), X = 0x1f, w1_q.\nw1_q.\n"
        );
        assert_eq!(
            clauses("p(X):-X=0' ,q. q.\nq."),
            "w1_p(X):-X=0' ,w1_q. w1_q.\nw1_q."
        );
    }

    #[test]
    fn goals_are_renamed_with_the_clauses() {
        let it = renamed(
            &workload("p(1).", "p(X), q(X)", "maplist(p, L)", &["L"]),
            "w2_",
        )
        .unwrap();
        assert_eq!(
            (it.goal.as_str(), it.setup.as_str()),
            ("w2_p(X), q(X)", "maplist(w2_p, L)")
        );
    }

    #[test]
    fn a_text_that_would_damage_others_is_refused() {
        let refused = |clauses: &str, goal: &str, setup: &str, inputs: &[&str]| {
            renamed(&workload(clauses, goal, setup, inputs), "w1_").unwrap_err()
        };
        for text in [
            "p('a.\n",
            "p(.\n",
            "p).\n",
            "p :- [a, (b].\n",
            "p. /* q.\n",
            "p :- X = \"a\\\".\n",
        ] {
            assert!(
                matches!(
                    refused(text, "true", "true", &[]),
                    MalformedWorkload::Unbalanced { .. }
                ),
                "{text}"
            );
        }
        assert_eq!(
            refused("p", "true", "true", &[]),
            MalformedWorkload::Unended
        );
        assert_eq!(
            refused("p.", "p. q", "true", &[]),
            MalformedWorkload::Ended("goal")
        );
        assert_eq!(
            refused("p.", "p", " % nothing", &[]),
            MalformedWorkload::Empty("setup")
        );
        assert_eq!(refused("p.", "p, !", "true", &[]), MalformedWorkload::Cut);
        for inputs in [&["x"][..], &["_"], &["X", "X"], &["X, Y"], &["X."], &[""]] {
            assert!(
                matches!(
                    refused("p.", "p", "true", inputs),
                    MalformedWorkload::Input(_)
                ),
                "{inputs:?}"
            );
        }
    }
}
