use std::sync::OnceLock;

use proptest::prelude::*;
use tree_sitter::{Query, QueryCursor, StreamingIterator as _};

use super::*;

const TEXT: &str = "\
%! p(+X) is det.
:- dynamic seen/1.
p(X) :- q(X, 'a b', \"s\", 0x1F), !, seen(_). % end
r --> [x], { Y = f(Y) }.
";

/// Returns the capture for a name in the query.
fn capture_of(name: &str) -> Option<Capture> {
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
        let query = Query::new(&tree_sitter_prolog::LANGUAGE.into(), text);
        assert!(query.is_ok(), "{name}: {:?}", query.err());
    }
}

#[test]
fn every_capture_of_highlights_has_a_look() {
    let query = Query::new(&tree_sitter_prolog::LANGUAGE.into(), TEXTS[0].1).unwrap();
    for name in query.capture_names() {
        assert!(
            name.starts_with('_') || capture_of(name).is_some(),
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
    static QUERY: OnceLock<Query> = OnceLock::new();
    let parsed = Parsed::new(TEXT);
    let found = captures(&QUERY, 3, &parsed);
    let of = |kind: &str| {
        let spans = found.iter().filter(|c| c.name == kind);
        spans
            .map(|c| TEXT[c.range.clone()].split('(').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("definition.function").len(), 2);
    assert!(of("reference.call").contains(&"q".to_owned()));
}

struct Captured {
    range: Range<usize>,
    /// The number of line ends inside the token.
    lines: usize,
    name: &'static str,
    pattern: usize,
}

/// Runs one of [`TEXTS`] on the whole text.
fn captures(query: &'static OnceLock<Query>, text: usize, parsed: &Parsed) -> Vec<Captured> {
    let query = query
        .get_or_init(|| Query::new(&tree_sitter_prolog::LANGUAGE.into(), TEXTS[text].1).unwrap());
    let (tree, mut cursor) = (parsed.tree(), QueryCursor::new());
    let mut matches = cursor.matches(query, tree.root_node(), parsed.text.as_bytes());
    let mut found = Vec::new();
    while let Some(m) = matches.next() {
        found.extend(m.captures().iter().map(|c| Captured {
            range: c.node.byte_range(),
            lines: c.node.end_position().row - c.node.start_position().row,
            name: query.capture_names()[c.index as usize],
            pattern: m.pattern_index,
        }));
    }
    found
}

/// Returns the highlights of the query that editors use.
fn queried(parsed: &Parsed) -> Vec<Highlight> {
    static QUERY: OnceLock<Query> = OnceLock::new();
    let mut found = captures(&QUERY, 0, parsed);
    // The later pattern takes precedence.
    found.sort_by_key(|c| (c.range.start, c.range.end, c.pattern));
    let mut tokens: Vec<Highlight> = Vec::new();
    for c in found.into_iter().filter(|c| !c.range.is_empty()) {
        let Some(capture) = capture_of(c.name) else {
            continue;
        };
        let token = Highlight {
            range: c.range,
            capture,
        };
        match tokens.last_mut() {
            Some(last) if last.range == token.range => *last = token,
            _ => tokens.push(token),
        }
    }
    tokens
}

fn agrees_with_the_queries(text: &str) {
    static LOCALS: OnceLock<Query> = OnceLock::new();
    static FOLDS: OnceLock<Query> = OnceLock::new();
    let parsed = Parsed::new(text);
    let all = highlights(&parsed, 0..text.len());
    assert_eq!(all, queried(&parsed), "{text}");
    let mut folding = folds(&parsed);
    let mut queried: Vec<_> = (captures(&FOLDS, 2, &parsed).into_iter())
        .filter(|c| c.lines > 0)
        .map(|c| c.range)
        .collect();
    let by_place = |range: &Range<usize>| (range.start, range.end);
    folding.sort_by_key(by_place);
    queried.sort_by_key(by_place);
    assert_eq!(folding, queried, "{text}");
    let (scopes, variables): (Vec<_>, Vec<_>) = (captures(&LOCALS, 1, &parsed).into_iter())
        .map(|c| (c.name, c.range))
        .partition(|(name, _)| *name == "local.scope");
    for (_, scope) in scopes {
        let inside: Vec<_> = (variables.iter())
            .filter(|(_, v)| scope.start <= v.start && v.end <= scope.end)
            .map(|(_, v)| v.clone())
            .collect();
        for variable in &inside {
            let around = variables_around(&parsed, variable.start);
            assert_eq!(around, (scope.clone(), inside.clone()), "{text}");
        }
    }
    // The highlights of a part must equal the corresponding part of all highlights.
    for start in (0..text.len()).step_by(text.len() / 7 + 1) {
        let range = start..(start + 40).min(text.len());
        let there = all
            .iter()
            .filter(|h| h.range.end > range.start && h.range.start < range.end);
        assert_eq!(
            highlights(&parsed, range.clone()),
            there.cloned().collect::<Vec<_>>(),
            "{range:?}: {text}"
        );
    }
}

#[test]
fn the_fixtures_look_as_the_queries_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "pl") {
            agrees_with_the_queries(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn odd_names_and_directives_look_as_the_queries_say() {
    agrees_with_the_queries(
        "?- p(X).\n?- dynamic p/1.\n:- 'a b'(x).\n:- X.\n:-(a, b).\n'q r'(X).\n+(a) :- b.\n'x'.\nT{a: 1}.\nt{a: _}.\n't'{}.\nX(a).\n!.\n(a) :- b.\n[f].\n\
         /** doc */ a. /* no */ %! doc\n%%\tdoc\n%%% no\n%!no\n:- % c\n  dynamic x/1.\n% c\na /* d */ :- b.\n{|html||<b>|}. `codes`. p(a.\nb) :- \"s\". é(Ü) ← ∀.",
    );
}

proptest! {
    #[test]
    fn any_text_looks_as_the_queries_say(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "p", "'q r'", "X", "_", "(", ")", "[", "]", "{", "}", ",", "|", ".\n", ". ", ":-", "-->", "?- ", "!", "+", "\\+", " ", "\n",
                "% c\n", "%! d\n", "/* c */", "/** d */", "1", "\"s\"", "`b`", "'", "dynamic", "é", "𝒳",
            ]),
            0..40,
        ),
    ) {
        agrees_with_the_queries(&pieces.concat());
    }
}

/// Tests terms for which queries would take too long or stop.
#[test]
fn long_and_deep_clauses_have_their_tokens() {
    for (text, variables, atoms) in [
        (
            format!("p(X) :- {}true.\n", "q(X), ".repeat(3_000)),
            3_001,
            1,
        ),
        (format!("p([{}X]).\n", "a, ".repeat(6_000)), 1, 6_000),
        (
            format!("p :- q({}X{}).\n", "(".repeat(10_000), ")".repeat(10_000)),
            1,
            0,
        ),
        (
            format!("p({}X{}).\n", "f(".repeat(10_000), ")".repeat(10_000)),
            1,
            0,
        ),
    ] {
        let parsed = Parsed::new(text.as_str());
        let found = highlights(&parsed, 0..text.len());
        let count = |what| found.iter().filter(|h| h.capture == what).count();
        assert_eq!(count(Capture::Variable), variables);
        assert_eq!(count(Capture::Atom), atoms);
        let last = text.rfind('X').unwrap();
        assert_eq!(variables_around(&parsed, last).1.len(), variables);
    }
}

/// The text before a clause is not visited when its variables are queried.
#[test]
fn the_variables_of_a_clause_take_no_walk_over_the_others() {
    let text = "q(I, X) :- r(X), X > I.\n".repeat(2_000);
    let parsed = Parsed::new(text.as_str());
    let mut visited = 0;
    let last = text.len() - 10;
    let scope = clause_around(&parsed.tree(), last).unwrap();
    walk(&parsed.tree(), &scope, &mut |_| {
        visited += 1;
        Below::Enter
    });
    assert!(visited < 40, "{visited} nodes of 2,000 clauses");
}
