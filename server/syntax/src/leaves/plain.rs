//! Tokens of plain clauses, without the grammar.
//!
//! The grammar's tree takes a hundred bytes and a third of a microsecond for each token, which dominated the reading of large tables. Nearly all
//! clauses consist of tokens that a loop over bytes recognises. For every other clause, [`clause`] returns `None`, and the grammar decides.
//! A clause that is not plain contains, for instance, brackets that do not match, names with letters outside ASCII, or radix numbers.
//!
//! For a plain clause, the tokens are exactly those of the grammar; a property test compares both.

use super::{Bracket, Leaf, LeafKind};

/// A step through the tokens of a text.
enum Token {
    Leaf(LeafKind),
    Comment,
}

/// Reads the tokens of the clause that starts at `at`, and the comments before it and in it. Returns the byte after the clause or, if only
/// comments follow, the end of the text. Returns `None` if the clause is not plain; some tokens may have been added.
pub(super) fn clause(
    text: &str,
    at: usize,
    comments_nest: bool,
    leaves: &mut Vec<Leaf>,
    mut comment: impl FnMut(usize, usize, bool),
) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut start, mut open): (usize, Vec<Bracket>) = (at, Vec::new());
    loop {
        while bytes.get(start).is_some_and(|&b| is_layout(b)) {
            start += 1;
        }
        let Some(&first) = bytes.get(start) else {
            return leaves.is_empty().then_some(start);
        };
        let (token, end) = token(bytes, start, first, comments_nest)?;
        let kind = match token {
            Token::Comment => {
                comment(start, end, !leaves.is_empty());
                start = end;
                continue;
            }
            Token::Leaf(kind) => kind,
        };
        match kind {
            LeafKind::Open(bracket) => open.push(bracket),
            LeafKind::Close(bracket) if open.pop() != Some(bracket) => return None,
            LeafKind::End if !open.is_empty() => return None,
            _ => {}
        }
        leaves.push(Leaf::new(kind, start, end));
        if kind == LeafKind::End {
            return Some(end);
        }
        start = end;
    }
}

fn is_layout(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn is_symbol(byte: u8) -> bool {
    matches!(
        byte,
        b'+' | b'-'
            | b'*'
            | b'/'
            | b'\\'
            | b'^'
            | b'<'
            | b'>'
            | b'='
            | b'~'
            | b':'
            | b'.'
            | b'?'
            | b'@'
            | b'#'
            | b'&'
            | b'$'
    )
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the first position from `at` on whose byte is not accepted.
fn skip(bytes: &[u8], at: usize, accepts: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&b| accepts(b)).count()
}

/// Returns the kind and the end of the token that starts with the byte `first` at `start`.
fn token(bytes: &[u8], start: usize, first: u8, comments_nest: bool) -> Option<(Token, usize)> {
    let next = bytes.get(start + 1).copied();
    let single = |kind| Some((Token::Leaf(kind), start + 1));
    let name = |kind, accepts: fn(u8) -> bool| {
        let end = skip(bytes, start, accepts);
        // A letter or symbol outside ASCII may continue the name.
        let is_whole = bytes.get(end).is_none_or(u8::is_ascii);
        is_whole.then_some((Token::Leaf(kind), end))
    };
    match first {
        b'a'..=b'z' => name(LeafKind::Atom, is_alphanumeric),
        b'A'..=b'Z' | b'_' => name(LeafKind::Variable, is_alphanumeric),
        b'0'..=b'9' => Some((Token::Leaf(LeafKind::Number), number(bytes, start)?)),
        b',' => single(LeafKind::Comma),
        b'(' => single(LeafKind::Open(Bracket::Paren)),
        b'[' => single(LeafKind::Open(Bracket::List)),
        // `{|` may start a quasi-quotation.
        b'{' if next != Some(b'|') => single(LeafKind::Open(Bracket::Curly)),
        b')' => single(LeafKind::Close(Bracket::Paren)),
        b']' => single(LeafKind::Close(Bracket::List)),
        b'}' => single(LeafKind::Close(Bracket::Curly)),
        b'!' | b';' => single(LeafKind::Solo),
        b'|' if next == Some(b'|') => Some((Token::Leaf(LeafKind::Bar), start + 2)),
        b'|' => single(LeafKind::Bar),
        b'\'' => quoted(bytes, start, LeafKind::QuotedAtom),
        b'"' => quoted(bytes, start, LeafKind::String),
        b'`' => quoted(bytes, start, LeafKind::BackQuoted),
        b'%' => Some((Token::Comment, skip(bytes, start, |b| b != b'\n'))),
        b'/' if next == Some(b'*') => {
            Some((Token::Comment, block_comment(bytes, start, comments_nest)?))
        }
        b'.' if next.is_none_or(|b| is_layout(b) || b == b'%') => single(LeafKind::End),
        // A shell line.
        b'#' if next == Some(b'!') => None,
        _ if is_symbol(first) => name(LeafKind::Symbol, is_symbol),
        _ => None,
    }
}

/// Returns the end of a number. Returns `None` for digit groups, radixes, rational numbers and special characters after `0'`.
fn number(bytes: &[u8], start: usize) -> Option<usize> {
    let at = |i: usize| bytes.get(i).copied().unwrap_or_default();
    let digits = |from: usize| skip(bytes, from, |b| b.is_ascii_digit());
    let whole = digits(start);
    let exponent = |from: usize| {
        if !matches!(at(from), b'e' | b'E') {
            return None;
        }
        let first = from + 1 + usize::from(matches!(at(from + 1), b'+' | b'-'));
        at(first).is_ascii_digit().then(|| digits(first))
    };
    let end = match at(whole) {
        b'.' if at(whole + 1).is_ascii_digit() => {
            let fraction = digits(whole + 1);
            exponent(fraction).unwrap_or(fraction)
        }
        b'e' | b'E' => exponent(whole)?,
        b'\'' if bytes[start..whole] == *b"0" => match at(whole + 1) {
            b'\\' if !matches!(at(whole + 2), b'x' | b'u' | b'U' | b'0'..=b'7') => {
                let escaped = at(whole + 2);
                return (escaped.is_ascii() && escaped != 0).then_some(whole + 3);
            }
            b'\\' | b'\'' | 0 => return None,
            c => return c.is_ascii().then_some(whole + 2),
        },
        _ => whole,
    };
    let continues = match at(end) {
        b' ' => at(end + 1).is_ascii_digit(),
        c => is_alphanumeric(c) || c == b'\'' || !c.is_ascii(),
    };
    (!continues).then_some(end)
}

/// Reads a quoted item. Returns `None` if it is unclosed, or if its text might contain the start of another clause.
fn quoted(bytes: &[u8], start: usize, kind: LeafKind) -> Option<(Token, usize)> {
    let quote = bytes[start];
    let mut at = start + 1;
    let mut has_dot = false;
    loop {
        at = skip(bytes, at, |b| {
            b != quote && !matches!(b, b'\\' | b'.' | b'\n' | 0)
        });
        match *bytes.get(at)? {
            b if b == quote => {
                if bytes.get(at + 1) != Some(&quote) {
                    return Some((Token::Leaf(kind), at + 1));
                }
                at += 2;
            }
            b'\\' => at = escape(bytes, at + 1)?,
            b'.' => {
                has_dot = true;
                at += 1;
            }
            b'\n' if !has_dot => at += 1,
            _ => return None,
        }
    }
}

/// Returns the end of an escape sequence, given the byte after its backslash. `\x41\` and `\101\` also end in a backslash.
fn escape(bytes: &[u8], at: usize) -> Option<usize> {
    let end = match *bytes.get(at)? {
        b'x' if bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit) => {
            skip(bytes, at + 1, |b| b.is_ascii_hexdigit())
        }
        b'0'..=b'7' => skip(bytes, at, |b| matches!(b, b'0'..=b'7')),
        // A line that is continued; it might end a clause.
        b'\n' | b'.' | 0 => return None,
        _ => return Some(at + 1),
    };
    Some(end + usize::from(bytes.get(end) == Some(&b'\\')))
}

/// Returns the end of a block comment, or `None` if it is unclosed.
fn block_comment(bytes: &[u8], start: usize, nests: bool) -> Option<usize> {
    let (mut at, mut depth) = (start + 2, 1usize);
    loop {
        at = skip(bytes, at, |b| !matches!(b, b'*' | b'/' | 0));
        match (*bytes.get(at)?, bytes.get(at + 1)) {
            (0, _) => return None,
            (b'*', Some(b'/')) => {
                at += 2;
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            (b'/', Some(b'*')) if nests => {
                at += 2;
                depth += 1;
            }
            _ => at += 1,
        }
    }
}
