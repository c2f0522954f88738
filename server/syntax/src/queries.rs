//! The queries of the folder `queries`, compiled against the grammar once, and what they find in a text.

use std::ops::Range;
use std::sync::OnceLock;

use tree_sitter::{Query, QueryCursor, StreamingIterator as _};

use crate::parsed::Parsed;

/// The texts of the queries, by their files' names.
pub const TEXTS: [(&str, &str); 6] = [
    (
        "highlights",
        include_str!("../../../queries/highlights.scm"),
    ),
    ("locals", include_str!("../../../queries/locals.scm")),
    ("folds", include_str!("../../../queries/folds.scm")),
    ("tags", include_str!("../../../queries/tags.scm")),
    (
        "injections",
        include_str!("../../../queries/injections.scm"),
    ),
    ("indents", include_str!("../../../queries/indents.scm")),
];

/// What a token looks like, by the tree alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// A comment.
    Comment,
    /// A structured comment.
    Documentation,
    /// `:- dynamic`, `#!…`.
    Directive,
    /// A number.
    Number,
    /// `"…"`, `` `…` ``, a quasi-quotation.
    String,
    /// A quoted atom.
    QuotedAtom,
    /// A variable.
    Variable,
    /// An atom.
    Atom,
    /// An atom of symbol characters.
    Operator,
    /// `:-`, `->`, `;`, `!`.
    Control,
    /// The name before a bracket.
    Compound,
    /// The first item of a clause.
    Head,
    /// The tag of a dict.
    Tag,
    /// Commas, bars, end tokens, brackets.
    Punctuation,
}

impl Capture {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "comment" => Capture::Comment,
            "comment.documentation" => Capture::Documentation,
            "keyword.directive" => Capture::Directive,
            "number" => Capture::Number,
            "string" | "string.special" => Capture::String,
            "string.special.symbol" => Capture::QuotedAtom,
            "variable" | "variable.builtin" => Capture::Variable,
            "constant" => Capture::Atom,
            "operator" => Capture::Operator,
            "keyword.operator" => Capture::Control,
            "function.call" => Capture::Compound,
            "function" => Capture::Head,
            "type" => Capture::Tag,
            "punctuation.delimiter" | "punctuation.bracket" => Capture::Punctuation,
            _ => return None,
        })
    }
}

/// A token with its look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Its bytes.
    pub range: Range<usize>,
    /// Its look.
    pub capture: Capture,
}

/// The tokens that touch a range, by place; no two overlap.
#[must_use]
pub fn highlights(parsed: &Parsed, range: Range<usize>) -> Vec<Highlight> {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    let mut found = captures(&QUERY, 0, parsed, range);
    // The later pattern counts.
    found.sort_by_key(|c| (c.range.start, c.range.end, c.pattern));
    let mut tokens: Vec<Highlight> = Vec::with_capacity(found.len());
    for c in found {
        let Some(capture) = Capture::of(c.name) else {
            continue;
        };
        let token = Highlight {
            range: c.range,
            capture,
        };
        match tokens.last_mut() {
            Some(last) if last.range == token.range => *last = token,
            Some(last) if last.range.end > token.range.start => {}
            _ => tokens.push(token),
        }
    }
    tokens
}

/// The clause around an offset, and the variables in it but `_`; both empty outside of all clauses.
#[must_use]
pub fn variables_around(parsed: &Parsed, offset: usize) -> (Range<usize>, Vec<Range<usize>>) {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    // At the end of the name of a variable it still counts.
    let near = offset.saturating_sub(1)..(offset + 1).min(parsed.text.len());
    let is_scope = |c: &Captured| c.name == "local.scope";
    let scopes = captures(&QUERY, 1, parsed, near).into_iter();
    let Some(scope) = (scopes.filter(is_scope).map(|c| c.range))
        .find(|range| (range.start..=range.end).contains(&offset))
    else {
        return (0..0, Vec::new());
    };
    let variables = captures(&QUERY, 1, parsed, scope.clone())
        .into_iter()
        .filter(|c| c.name == "local.reference")
        .map(|c| c.range)
        .filter(|range| scope.start <= range.start && range.end <= scope.end)
        .collect();
    (scope, variables)
}

/// What folds and stands on several lines: clauses, comments, bracketed terms.
#[must_use]
pub fn folds(parsed: &Parsed) -> Vec<Range<usize>> {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    let found = captures(&QUERY, 2, parsed, 0..parsed.text.len());
    let long = found.into_iter().filter(|c| c.lines > 0);
    long.map(|c| c.range).collect()
}

/// Longer clauses have no colours and no folds: nobody reads them, and their time would grow with the square of their length.
const MOST_BYTES: usize = 20_000;

struct Captured {
    range: Range<usize>,
    /// How many ends of lines are inside.
    lines: usize,
    name: &'static str,
    pattern: usize,
}

/// Runs one of [`TEXTS`]. One that does not compile finds nothing; the tests see to it that there is none.
fn captures(
    query: &'static OnceLock<Option<Query>>,
    text: usize,
    parsed: &Parsed,
    range: Range<usize>,
) -> Vec<Captured> {
    let compiled =
        query.get_or_init(|| Query::new(&costlens_grammar::LANGUAGE.into(), TEXTS[text].1).ok());
    let Some(query) = compiled else {
        return Vec::new();
    };
    let tree = parsed.tree();
    let (mut cursor, mut walk) = (QueryCursor::new(), tree.walk());
    cursor.set_byte_range(range.clone());
    let mut found = Vec::new();
    // Item by item: a cursor's time grows with the square of what hangs below one node.
    for item in tree.root_node().children(&mut walk) {
        let bytes = item.byte_range();
        if bytes.start > range.end {
            break;
        }
        if bytes.end < range.start || bytes.len() > MOST_BYTES {
            continue;
        }
        let mut matches = cursor.matches(query, item, parsed.text.as_bytes());
        while let Some(m) = matches.next() {
            found.extend(m.captures().iter().filter_map(|c| {
                let name = *query.capture_names().get(c.index as usize)?;
                Some(Captured {
                    range: c.node.byte_range(),
                    lines: c.node.end_position().row - c.node.start_position().row,
                    name,
                    pattern: m.pattern_index,
                })
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
%! p(+X) is det.
:- dynamic seen/1.
p(X) :- q(X, 'a b', \"s\", 0x1F), !, seen(_). % end
r --> [x], { Y = f(Y) }.
";

    fn shown(capture: Capture) -> Vec<String> {
        let parsed = Parsed::new(TEXT);
        highlights(&parsed, 0..TEXT.len())
            .into_iter()
            .filter(|h| h.capture == capture)
            .map(|h| TEXT[h.range].to_owned())
            .collect()
    }

    #[test]
    fn every_query_compiles_against_the_grammar() {
        for (name, text) in TEXTS {
            let query = Query::new(&costlens_grammar::LANGUAGE.into(), text);
            assert!(query.is_ok(), "{name}: {:?}", query.err());
        }
    }

    #[test]
    fn every_capture_of_highlights_has_a_look() {
        let query = Query::new(&costlens_grammar::LANGUAGE.into(), TEXTS[0].1).unwrap();
        for name in query.capture_names() {
            assert!(
                name.starts_with('_') || Capture::of(name).is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn tokens_look_as_they_are() {
        assert_eq!(shown(Capture::Documentation), ["%! p(+X) is det."]);
        assert_eq!(shown(Capture::Comment), ["% end"]);
        assert_eq!(shown(Capture::Directive), ["dynamic"]);
        assert_eq!(shown(Capture::Head), ["p", "r"]);
        assert_eq!(shown(Capture::Compound), ["q", "seen", "f"]);
        assert_eq!(shown(Capture::Variable), ["X", "X", "_", "Y", "Y"]);
        assert_eq!(shown(Capture::QuotedAtom), ["'a b'"]);
        assert_eq!(shown(Capture::String), ["\"s\""]);
        assert_eq!(shown(Capture::Number), ["1", "0x1F"]);
        assert_eq!(shown(Capture::Control), [":-", ":-", "!", "-->"]);
        assert_eq!(shown(Capture::Operator), ["/", "="]);
        assert_eq!(shown(Capture::Atom), ["seen", "x"]);
    }

    #[test]
    fn a_range_gives_its_own_tokens() {
        let parsed = Parsed::new(TEXT);
        let line = TEXT.find("r -->").unwrap();
        let found = highlights(&parsed, line..line + 5);
        assert!(found.iter().all(|h| h.range.start >= line), "{found:?}");
        assert_eq!(found[0].capture, Capture::Head);
    }

    #[test]
    fn a_clause_is_the_scope_of_its_variables() {
        let parsed = Parsed::new(TEXT);
        let at = TEXT.find("X) :-").unwrap();
        for offset in [at, at + 1] {
            let (_, found) = variables_around(&parsed, offset);
            assert_eq!(
                found.iter().map(|r| &TEXT[r.clone()]).collect::<Vec<_>>(),
                ["X", "X"]
            );
        }
        assert!(variables_around(&parsed, 0).1.is_empty());
        let at = TEXT.find("f(Y").unwrap();
        assert_eq!(variables_around(&parsed, at).1.len(), 2);
    }

    #[test]
    fn tags_tell_definitions_from_references() {
        static QUERY: OnceLock<Option<Query>> = OnceLock::new();
        let parsed = Parsed::new(TEXT);
        let found = captures(&QUERY, 3, &parsed, 0..TEXT.len());
        let of = |kind: &str| {
            let spans = found.iter().filter(|c| c.name == kind);
            spans
                .map(|c| TEXT[c.range.clone()].split('(').next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(of("definition.function").len(), 2);
        assert!(of("reference.call").contains(&"q".to_owned()));
    }
}
