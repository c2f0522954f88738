//! Keywords of the assertion language at a place that is being edited, at which the text cannot be parsed yet.
//!
//! ```prolog
//! :- pred len(+Xs:list, -N) + cost(ub, steps, le|       % functions of sizes
//! %  @cost st|                                          % resources
//! ```

use std::ops::Range;

use costlens_events::Event;
use costlens_syntax::assertions::words::{APPROXIMATIONS, COST_TYPES, FUNCTIONS, PROPERTIES, Word};
use costlens_syntax::is_assertion_kind;

use crate::file::line_begin;

/// Returns the resources as keywords.
fn resources() -> impl Iterator<Item = Word> {
    let words = Event::words().filter_map(Event::word);
    words.chain(["time"]).map(|name| Word {
        name,
        form: name,
        meaning: "",
    })
}

/// Returns the keywords that may follow the given text of an unfinished clause. Returns `None` outside of assertions.
pub(super) fn in_directive(before: &str) -> Option<Vec<Word>> {
    let rest = before.trim_start().strip_prefix(":-")?;
    let names = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
    // A status may precede the kind of assertion.
    let mut first_two = names.filter(|name| !name.is_empty()).take(2);
    first_two.find(|name| is_assertion_kind(name))?;
    let open = open_calls(rest)?;
    Some(match open.last() {
        None | Some(("", _)) => PROPERTIES.to_vec(),
        Some(("cost" | "rel_cost", 0)) | Some(("size" | "solutions", 0)) => APPROXIMATIONS.to_vec(),
        Some(("cost" | "rel_cost", 1)) => resources().chain(COST_TYPES).collect(),
        Some(("cost" | "rel_cost", 2)) => resources().chain(FUNCTIONS).collect(),
        Some(("costb", 0)) => resources().collect(),
        Some(_) => FUNCTIONS.to_vec(),
    })
}

/// Returns the calls that are open at the end of an assertion's text, each with the current argument index. Only calls after the `+` that
/// introduces properties are included. Returns `None` if there is no `+`.
fn open_calls(text: &str) -> Option<Vec<(&str, usize)>> {
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut stated = false;
    let mut name = 0..0;
    for (at, c) in text.char_indices() {
        match c {
            _ if c.is_alphanumeric() || c == '_' => {
                if name.end != at {
                    name = at..at;
                }
                name.end = at + c.len_utf8();
                continue;
            }
            '(' | '[' | '{' => {
                let called = match name.end == at {
                    true => text.get(name.clone()).unwrap_or_default(),
                    false => "",
                };
                open.push((called, 0));
            }
            ')' | ']' | '}' => drop(open.pop()),
            ',' => {
                if let Some((_, argument)) = open.last_mut() {
                    *argument += 1;
                }
            }
            // `+Xs` in a head is a mode.
            '+' if open.is_empty() => stated = true,
            _ => {}
        }
    }
    stated.then_some(open)
}

/// Returns the keywords that may follow `@cost` in a comment line, given the line up to the cursor.
pub(super) fn in_comment(line: &str) -> Option<Vec<Word>> {
    let rest = line
        .trim_start()
        .trim_start_matches(['%', '!', '*', '/', ' ', '\t']);
    let rest = rest.strip_prefix("@cost")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    Some(
        match rest.contains(['=', '<', '>']) || rest.contains(" in ") {
            true => FUNCTIONS.to_vec(),
            false => resources().collect(),
        },
    )
}

/// Returns the part of the line before an offset.
pub(super) fn line_before(text: &str, offset: usize) -> &str {
    text.get(line_begin(text, offset)..offset)
        .unwrap_or_default()
}

/// Returns the keyword at an offset inside a parsed property, with its range. `property` is the range of the property.
pub(crate) fn word_at(
    text: &str,
    property: &Range<usize>,
    offset: usize,
) -> Option<(Word, Range<usize>)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..offset)?;
    let begin = before.trim_end_matches(is_part).len();
    let behind = text.get(offset..)?;
    let end = offset + behind.len() - behind.trim_start_matches(is_part).len();
    let written = text.get(begin..end).filter(|word| !word.is_empty())?;
    let all: Vec<Word> = match begin == property.start {
        true => PROPERTIES.to_vec(),
        false => (FUNCTIONS
            .iter()
            .chain(&APPROXIMATIONS)
            .chain(&COST_TYPES)
            .copied())
        .collect(),
    };
    let found = all.into_iter().find(|word| word.name == written)?;
    Some((found, begin..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: Option<Vec<Word>>) -> Vec<&'static str> {
        words.into_iter().flatten().map(|w| w.name).collect()
    }

    #[test]
    fn words_are_those_of_the_place() {
        for (before, has, has_not) in [
            (":- pred p(+A:list, -B) + ", "cost", "ub"),
            (
                ":- pred p(+A:list, -B) : list(A) + (is_det, co",
                "cost",
                "ub",
            ),
            (":- pred p(+A:list, -B) + cost(", "ub", "cost"),
            (":- pred p(+A:list, -B) + cost(ub, ", "steps", "length"),
            (":- pred p(+A:list, -B) + cost(ub, ", "allsols", "length"),
            (
                ":- pred p(+A:list, -B) + cost(ub, steps, 3 + le",
                "length",
                "ub",
            ),
            (
                ":- check pred p(A, B) + steps_ub(log2(le",
                "length",
                "steps",
            ),
            (":- comp p(A, B) + costb(", "time", "ub"),
        ] {
            let found = names(in_directive(before));
            assert!(found.contains(&has), "{before}: {found:?}");
            assert!(!found.contains(&has_not), "{before}: {found:?}");
        }
        for before in [
            ":- pred p(+A:li",
            ":- use_module(li",
            "p(X) :- q(X + co",
            ":- dynamic p/1 + ",
        ] {
            assert!(in_directive(before).is_none(), "{before}");
        }
        assert!(names(in_comment("%  @cost st")).contains(&"steps"));
        assert!(names(in_comment("%  @cost steps =< le")).contains(&"length"));
        assert!(in_comment("%  it costs st").is_none());
    }
}
