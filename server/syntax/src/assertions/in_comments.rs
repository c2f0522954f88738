//! Assertions in comments, for files that every Prolog system must be able to load:
//!
//! ```text
//! %! nrev(+Xs:list, -Ys:list) is det.
//! %  @cost steps =< length(Xs)^2 + 2*length(Xs) + 1
//! nrev([], []).
//! ```
//!
//! A comment without mode lines may also contain `@cost` tags if a clause follows it directly. The variables in the tags are then those
//! that the predicate's clauses use as whole arguments.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::cost::{CostError, read_cost};
use super::in_directives::size_limit;
use super::properties::{Approximation, CostProperty, CostType, Property, canonical_resource};
use super::types::{DeclaredType, Mode, SizeLimit};
use super::words::{TAGS, TYPES};
use super::{
    Argument, Assertion, AssertionError, AssertionKind, AssertionPlace, Assertions, Ignored,
    Origin, Range, StatedProperty, Status, without_layout,
};
use crate::nearest::nearest;
use crate::pldoc::{DETERMINISMS, ModeLine, mode_line};
use crate::read::{FileTerms, read_text};
use crate::term::{ReadClause, Term, TermId, Terms};

/// The maximum number of lines in a mode line.
const LONGEST_MODE: usize = 8;

/// Parses the assertions in all comments.
pub(super) fn read_comments(
    text: &str,
    file: &FileTerms,
    items: &mut Vec<(Assertion, AssertionPlace)>,
    found: &mut Assertions,
) {
    let own = own_module(file);
    for group in groups(text, file) {
        let has_cost = group.lines.iter().any(|l| l.text.starts_with("@cost"));
        if !group.structured && !has_cost {
            if following_clause(text, file, &group).is_some() {
                check_tags(&group, found);
            }
            continue;
        }
        check_tags(&group, found);
        let mut subjects = if group.structured {
            let lines = mode_lines(&group, own);
            for subject in &lines {
                check_words(text, file, subject, found);
            }
            lines
        } else {
            Vec::new()
        };
        if subjects.is_empty() && has_cost {
            subjects.extend(following_predicate(text, file, &group));
        }
        if has_cost && subjects.is_empty() {
            for line in group.lines.iter().filter(|l| l.text.starts_with("@cost")) {
                found.errors.push(AssertionError {
                    message: "this @cost belongs to no predicate: write a mode line such as nrev(+Xs, -Ys) above it, or put the \
                              comment directly before a clause"
                        .into(),
                    range: line.range(),
                    ignored: Ignored::Assertion,
                });
            }
            continue;
        }
        read_group(&group, subjects, items, found);
    }
}

/// Returns the file's module.
fn own_module(file: &FileTerms) -> &str {
    let named = file.clauses.first().and_then(|first| {
        let &[goal] = first.terms.matches(first.root, ":-", 1)? else {
            return None;
        };
        let (name, arity) = first.terms.functor(goal)?;
        let is_module = name == "module" && matches!(arity, 2 | 3);
        let &module = first.terms.args(goal).first().filter(|_| is_module)?;
        first.terms.as_atom(module)
    });
    named.map_or("user", SmolStr::as_str)
}

/// A line of a comment without its leading comment marks.
struct CommentLine<'a> {
    text: &'a str,
    start: usize,
    /// True if the comment marks identify a mode line.
    mode: bool,
}

impl CommentLine<'_> {
    fn range(&self) -> Range {
        (self.start, self.start + self.text.len())
    }
}

/// Comments that belong together: one block comment, or line comments on consecutive lines.
struct CommentGroup<'a> {
    lines: Vec<CommentLine<'a>>,
    structured: bool,
    block: bool,
    end: usize,
}

fn groups<'a>(text: &'a str, file: &'a FileTerms) -> Vec<CommentGroup<'a>> {
    let mut found: Vec<CommentGroup<'a>> = Vec::new();
    for comment in &file.comments {
        let Some(raw) = text.get(comment.range.0..comment.range.1) else {
            continue;
        };
        let structured = crate::comments::begins_structured(comment);
        if raw.starts_with("/*") {
            found.push(CommentGroup {
                lines: block_lines(raw, comment.range.0),
                structured,
                block: true,
                end: comment.range.1,
            });
            continue;
        }
        let line = stripped(raw, comment.range.0, |c| c == '%' || c == '!', structured);
        let follows = found.last().is_some_and(|last| {
            !last.block
                && text.get(last.end..comment.range.0).is_some_and(|between| {
                    between.chars().all(char::is_whitespace) && between.matches('\n').count() == 1
                })
                // A mode line after prose starts a new group.
                && !(structured && last.lines.last().is_some_and(|l| !l.mode))
        });
        match found.last_mut() {
            Some(last) if follows => {
                last.structured |= structured;
                last.lines.push(line);
                last.end = comment.range.1;
            }
            _ => found.push(CommentGroup {
                lines: vec![line],
                structured,
                block: false,
                end: comment.range.1,
            }),
        }
    }
    found
}

fn block_lines(raw: &str, start: usize) -> Vec<CommentLine<'_>> {
    let inner = raw.strip_suffix("*/").unwrap_or(raw);
    let mut at = start;
    let mut lines = Vec::new();
    for (number, line) in inner.split('\n').enumerate() {
        let marks = if number == 0 { "/*" } else { "" };
        let rest = line.strip_prefix(marks).unwrap_or(line);
        lines.push(stripped(
            rest,
            at + line.len() - rest.len(),
            |c| c == '*',
            false,
        ));
        at += line.len() + 1;
    }
    lines
}

/// Strips blanks, comment marks and further blanks from the start of a line.
fn stripped(raw: &str, start: usize, mark: impl Fn(char) -> bool, mode: bool) -> CommentLine<'_> {
    let inner = raw.trim_start().trim_start_matches(mark).trim_start();
    CommentLine {
        text: inner.trim_end(),
        start: start + raw.len() - inner.len(),
        mode,
    }
}

/// The predicate that a comment documents.
struct DocumentedPredicate {
    name: SmolStr,
    arguments: Vec<Argument>,
    determinism: Option<super::SolutionsClaim>,
    /// An unknown word in place of the determinism.
    misspelt: Option<SmolStr>,
    range: Range,
    /// True if a mode line declares the predicate's calls.
    declared: bool,
}

impl DocumentedPredicate {
    /// Creates a subject from a mode line. If the predicate belongs to another module, its name is module-qualified.
    fn from_mode(line: ModeLine, own: &str, range: Range) -> Self {
        let name = match line.module {
            Some(module) if module != own => format_smolstr!("{module}:{}", line.name),
            _ => line.name,
        };
        Self {
            name,
            arguments: line.arguments,
            determinism: line.determinism,
            misspelt: line.misspelt,
            range,
            declared: true,
        }
    }
}

fn mode_lines(group: &CommentGroup<'_>, own: &str) -> Vec<DocumentedPredicate> {
    let mut subjects = Vec::new();
    let mut at = 0;
    let mut begun = false;
    while at < group.lines.len() {
        let line = &group.lines[at];
        let candidate = if group.block {
            !line.text.is_empty()
        } else {
            line.mode
        };
        if !candidate {
            // Mode lines come first.
            if begun {
                break;
            }
            at += 1;
            continue;
        }
        begun = true;
        let mut joined = String::new();
        let mut read = None;
        for next in group.lines[at..].iter().take(LONGEST_MODE) {
            joined.push_str(next.text);
            joined.push(' ');
            if let Some(mode) = mode_line(&joined) {
                read = Some((mode, next.range().1));
                break;
            }
            if next.text.is_empty() {
                break;
            }
        }
        match read {
            Some((mode, end)) => {
                subjects.push(DocumentedPredicate::from_mode(mode, own, (line.start, end)));
                while at < group.lines.len() && group.lines[at].start < end {
                    at += 1;
                }
            }
            None if group.block => break,
            None => at += 1,
        }
    }
    subjects
}

/// Reports misspelled tags: `@cots`.
fn check_tags(group: &CommentGroup<'_>, found: &mut Assertions) {
    for line in &group.lines {
        let Some(rest) = line.text.strip_prefix('@') else {
            continue;
        };
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let written = &rest[..end.unwrap_or(rest.len())];
        let Some(near) = nearest(written, &TAGS).filter(|near| OWN_TAGS.contains(near)) else {
            continue;
        };
        found.errors.push(AssertionError {
            message: format!("`@{written}` is no tag; did you mean `@{near}`?"),
            range: (line.start, line.start + 1 + written.len()),
            ignored: Ignored::Property,
        });
    }
}

/// The tags in [`TAGS`] that only Costlens defines.
const OWN_TAGS: [&str; 2] = ["cost", "sizes"];

/// Reports unknown words in a mode line: `%! p(+Xs:lst) is dett.`
fn check_words(
    text: &str,
    file: &FileTerms,
    subject: &DocumentedPredicate,
    found: &mut Assertions,
) {
    let mut report = |word: &str, what: &str, known: &[&str]| {
        let line = text
            .get(subject.range.0..subject.range.1)
            .unwrap_or_default();
        let at = line.match_indices(word).map(|(at, _)| subject.range.0 + at);
        // The predicate's name precedes the other words.
        let Some(at) = at.last() else { return };
        let near = nearest(word, known);
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        found.errors.push(AssertionError {
            message: format!("`{word}` is no {what}{near}"),
            range: (at, at + word.len()),
            ignored: Ignored::WordOfModeLine,
        });
    };
    if let Some(word) = &subject.misspelt {
        report(word, "determinism", &DETERMINISMS);
    }
    let is_defined = |name: &str| {
        file.clauses.iter().any(|clause| {
            let head = head(&clause.terms, clause.root);
            head.and_then(|(head, _)| clause.terms.functor(head))
                .is_some_and(|(n, arity)| n == name && arity >= 1)
        })
    };
    for argument in &subject.arguments {
        let mut ty = argument.call.as_ref().or(argument.success.as_ref());
        while let Some(DeclaredType::List(element)) = ty {
            ty = Some(element);
        }
        // Costlens does not know user-defined types; a name that is close to that of a known type is considered a typo.
        if let Some(DeclaredType::Named(name)) = ty
            && nearest(name, &TYPES).is_some()
            && !is_defined(name)
        {
            report(name, "type", &TYPES);
        }
    }
}

/// Returns the index of the clause directly after a comment, its head, and the number of arguments that a grammar rule adds, if it belongs to a
/// predicate.
fn following_clause(
    text: &str,
    file: &FileTerms,
    group: &CommentGroup<'_>,
) -> Option<(usize, TermId, usize)> {
    let next = file.clauses.partition_point(|c| c.range.0 < group.end);
    let clause = file.clauses.get(next)?;
    let between = text.get(group.end..clause.range.0)?;
    if !between.chars().all(char::is_whitespace) {
        return None;
    }
    let (head, hidden) = head(&clause.terms, clause.root)?;
    clause.terms.functor(head)?;
    Some((next, head, hidden))
}

/// Returns the predicate of the clause directly after a comment, with the variable names that its clauses use as whole arguments. Reads all
/// clauses of the predicate.
fn following_predicate(
    text: &str,
    file: &FileTerms,
    group: &CommentGroup<'_>,
) -> Option<DocumentedPredicate> {
    let (next, head, hidden) = following_clause(text, file, group)?;
    let (name, arity) = file.clauses[next].terms.functor(head)?;
    let mut places: BTreeMap<SmolStr, Vec<usize>> = BTreeMap::new();
    for other in &file.clauses[next..] {
        let Some((head, h)) = self::head(&other.terms, other.root) else {
            break;
        };
        if h != hidden || other.terms.functor(head) != Some((name, arity)) {
            break;
        }
        for (position, &a) in other.terms.args(head).iter().enumerate() {
            if let Term::Var(v) = other.terms.get(a)
                && let Some(name) = other.spans.variables.get(*v as usize)
                && name != "_"
            {
                places.entry(name.clone()).or_default().push(position);
            }
        }
    }
    let mut arguments = vec![Argument::default(); arity + hidden];
    for (name, mut positions) in places {
        positions.dedup();
        // A name used for several arguments identifies none of them.
        if let &[position] = &positions[..]
            && arguments[position].name.is_none()
        {
            arguments[position].name = Some(name);
        }
    }
    Some(DocumentedPredicate {
        name: name.clone(),
        arguments,
        determinism: None,
        misspelt: None,
        range: file.clauses[next].range,
        declared: false,
    })
}

/// Returns the head of a clause, and the number of its implicit arguments.
fn head(terms: &Terms, root: TermId) -> Option<(TermId, usize)> {
    for neck in [":-", "=>"] {
        if let Some(&[head, _]) = terms.matches(root, neck, 2) {
            return Some((head, 0));
        }
    }
    if let Some(&[head, _]) = terms.matches(root, "-->", 2) {
        return Some((head, 2));
    }
    if terms.matches(root, ":-", 1).is_some() || terms.matches(root, "?-", 1).is_some() {
        return None;
    }
    terms.functor(root).map(|_| (root, 0))
}

/// A `@cost` tag, to be parsed with the argument names of a subject.
struct Tag<'a> {
    line: CommentLine<'a>,
    limits: Option<CommentLine<'a>>,
}

fn read_group(
    group: &CommentGroup<'_>,
    subjects: Vec<DocumentedPredicate>,
    items: &mut Vec<(Assertion, AssertionPlace)>,
    found: &mut Assertions,
) {
    let tags: Vec<Tag<'_>> = group
        .lines
        .iter()
        .filter(|l| l.text.starts_with("@cost"))
        .map(tag)
        .collect();
    let general: Vec<CommentLine<'_>> = group
        .lines
        .iter()
        .filter_map(|l| {
            let rest = l.text.strip_prefix("@sizes")?;
            Some(CommentLine {
                text: rest.trim_start(),
                start: l.start + l.text.len() - rest.trim_start().len(),
                mode: false,
            })
        })
        .collect();
    let first_of_items = items.len();
    for subject in &subjects {
        if !subject.declared {
            continue;
        }
        let (properties, ranges) = match subject.determinism {
            Some(claim) => (
                vec![StatedProperty {
                    property: Property::Solutions(claim),
                    text: determinism_text(claim).into(),
                }],
                vec![subject.range],
            ),
            None => (Vec::new(), Vec::new()),
        };
        items.push((
            assertion(subject, Vec::new(), properties),
            AssertionPlace {
                range: subject.range,
                properties: ranges,
            },
        ));
    }
    for tag in tags {
        let fitting = read_tag(&tag, &subjects, found);
        for (number, (subject, property)) in fitting.into_iter().enumerate() {
            let mut limits = Vec::new();
            let mut understood = true;
            let told = found.errors.len();
            for line in general.iter().chain(&tag.limits) {
                understood &= read_limits(line, subject, &mut limits, found);
            }
            // Errors in limits are reported once.
            if number > 0 {
                found.errors.truncate(told);
            }
            let stated = StatedProperty {
                property,
                text: without_layout(tag.line.text),
            };
            let range = tag.line.range();
            let mut item = assertion(subject, limits, vec![stated]);
            item.unknown_precondition = !understood;
            items.push((
                item,
                AssertionPlace {
                    range,
                    properties: vec![range],
                },
            ));
        }
    }
    debug_assert!(items.len() >= first_of_items);
}

fn assertion(
    subject: &DocumentedPredicate,
    limits: Vec<SizeLimit>,
    properties: Vec<StatedProperty>,
) -> Assertion {
    Assertion {
        status: Status::Check,
        kind: AssertionKind::Pred,
        name: subject.name.clone(),
        arity: subject.arguments.len(),
        arguments: subject.arguments.clone(),
        limits,
        unknown_precondition: false,
        properties,
        documentation: None,
        origin: Origin::Comment,
    }
}

fn determinism_text(claim: super::SolutionsClaim) -> &'static str {
    match claim {
        super::SolutionsClaim::AtMostOne => "semidet",
        super::SolutionsClaim::AtLeastOne => "multi",
        super::SolutionsClaim::ExactlyOne => "det",
        super::SolutionsClaim::None => "failure",
        super::SolutionsClaim::Any => "nondet",
    }
}

/// Splits `@cost steps =< E @sizes S` and removes the tag names.
fn tag<'a>(line: &CommentLine<'a>) -> Tag<'a> {
    let part = |from: usize, to: usize| {
        let raw = &line.text[from..to];
        let inner = raw.trim_start();
        CommentLine {
            text: inner.trim_end(),
            start: line.start + to - inner.len(),
            mode: false,
        }
    };
    let begin = "@cost".len();
    match line.text.find("@sizes") {
        Some(at) => Tag {
            line: part(begin, at),
            limits: Some(part(at + "@sizes".len(), line.text.len())),
        },
        None => Tag {
            line: part(begin, line.text.len()),
            limits: None,
        },
    }
}

/// A term parsed from a part of a comment.
struct Snippet {
    clause: ReadClause,
    root: TermId,
    start: usize,
    length: usize,
}

/// The text that precedes an expression so that it is read as one term.
const WRAPPER: &str = "x((";

impl Snippet {
    fn read(text: &str, start: usize) -> Result<Self, AssertionError> {
        let malformed = |message: String, range: Range| AssertionError {
            message,
            range,
            ignored: Ignored::Assertion,
        };
        let whole = (start, start + text.len());
        let mut file = read_text(&format!("{WRAPPER}{text})).\n"));
        if file.clauses.len() != 1 {
            return Err(malformed("this is not one term".into(), whole));
        }
        let clause = file.clauses.remove(0);
        if let Some(error) = &clause.error {
            let place =
                |at: u32| start + (at as usize).saturating_sub(WRAPPER.len()).min(text.len());
            let range = (place(error.range.0), place(error.range.1));
            let range = if range.0 < range.1 { range } else { whole };
            return Err(malformed(error.message.clone(), range));
        }
        let Some(&[root]) = clause.terms.matches(clause.root, "x", 1) else {
            return Err(malformed("this is not one term".into(), whole));
        };
        Ok(Self {
            root,
            start,
            length: text.len(),
            clause,
        })
    }

    fn range(&self, id: TermId) -> Range {
        let (from, to) = self.clause.spans.range(id);
        let place = |at: usize| {
            self.start
                + (self.clause.range.0 + at)
                    .saturating_sub(WRAPPER.len())
                    .min(self.length)
        };
        (place(from), place(to))
    }

    fn name(&self, variable: u32) -> Option<&SmolStr> {
        self.clause.spans.variables.get(variable as usize)
    }

    /// Returns the index of the subject's argument that each variable names.
    fn arguments(&self, subject: &DocumentedPredicate) -> FxHashMap<u32, usize> {
        (0..self.clause.terms.variables())
            .filter_map(|v| {
                let name = self.name(v)?;
                let position = subject
                    .arguments
                    .iter()
                    .position(|a| a.name.as_ref() == Some(name))?;
                Some((v, position))
            })
            .collect()
    }
}

/// Parses the operator of a tag.
fn operator(text: &str) -> Option<(&str, Approximation)> {
    for (sign, approximation) in [
        ("=<", Approximation::Upper),
        (">=", Approximation::Lower),
        ("=", Approximation::Exact),
    ] {
        if let Some(rest) = text.strip_prefix(sign) {
            return Some((rest, approximation));
        }
    }
    None
}

/// Parses a tag for the subjects that it fits best: subjects that describe one predicate and whose measured arguments are not outputs, or
/// otherwise the first subject.
fn read_tag<'s>(
    tag: &Tag<'_>,
    subjects: &'s [DocumentedPredicate],
    found: &mut Assertions,
) -> Vec<(&'s DocumentedPredicate, Property)> {
    let Some(parts) = tag_parts(tag, found) else {
        return Vec::new();
    };
    let TagParts {
        resource,
        approximation,
        expression,
        start,
    } = parts;
    let snippet = match Snippet::read(expression, start) {
        Ok(snippet) => snippet,
        Err(error) => {
            found.errors.push(error);
            return Vec::new();
        }
    };
    let resource = canonical_resource(resource);
    let mut first_error: Option<CostError> = None;
    let mut other: Option<(&DocumentedPredicate, Property)> = None;
    let mut fitting: Vec<(&DocumentedPredicate, Property)> = Vec::new();
    for subject in subjects {
        let arguments = snippet.arguments(subject);
        let read = read_cost(
            &snippet.clause.terms,
            snippet.root,
            &|v| arguments.get(&v).copied(),
            &|v| {
                snippet
                    .name(v)
                    .map_or_else(|| "_".into(), ToString::to_string)
            },
            resource == "time",
        );
        match read {
            Ok(expression) => {
                let inputs = expression
                    .arguments()
                    .iter()
                    .all(|&a| !matches!(subject.arguments[a].mode, Some(Mode::Out | Mode::Fresh)));
                let property = Property::Cost(CostProperty {
                    approximation,
                    cost_type: CostType::Call,
                    resource: resource.clone(),
                    expression,
                });
                let is_of_one_predicate = fitting.first().is_none_or(|(first, _)| {
                    first.name == subject.name && first.arguments.len() == subject.arguments.len()
                });
                if !inputs {
                    other.get_or_insert((subject, property));
                } else if is_of_one_predicate {
                    fitting.push((subject, property));
                }
            }
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    if fitting.is_empty() {
        fitting.extend(other);
    }
    if fitting.is_empty()
        && let Some(error) = first_error
    {
        found.errors.push(AssertionError {
            message: error.message,
            range: snippet.range(error.at),
            ignored: Ignored::Assertion,
        });
    }
    fitting
}

/// The parts of `@cost steps =< length(Xs)`.
struct TagParts<'t> {
    resource: &'t str,
    approximation: Approximation,
    expression: &'t str,
    /// The position of the expression in the file.
    start: usize,
}

/// Splits a tag, or reports a missing part.
fn tag_parts<'t>(tag: &Tag<'t>, found: &mut Assertions) -> Option<TagParts<'t>> {
    let text = tag.line.text;
    let mut fail = |message: &str, range: Range| {
        found.errors.push(AssertionError {
            message: message.into(),
            range,
            ignored: Ignored::Assertion,
        });
    };
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (resource, rest) = text.split_at(end);
    if resource.is_empty() {
        fail(
            "after @cost comes a resource, such as steps",
            tag.line.range(),
        );
        return None;
    }
    let rest = rest.trim_start();
    let (expression, approximation) = match order(rest).or_else(|| operator(rest)) {
        Some(read) => read,
        None => {
            let from = tag.line.start + text.len() - rest.len();
            fail(
                "after the resource comes =<, >=, =, in O(…) or in Ω(…)",
                (from, tag.line.range().1.max(from)),
            );
            return None;
        }
    };
    let after =
        rest.as_ptr() as usize + rest.len() - (expression.as_ptr() as usize + expression.len());
    let expression_end = tag.line.start + text.len() - after;
    let expression = expression.trim_start();
    let start = expression_end - expression.len();
    let expression = without_remark(expression.trim_end());
    let expression = match approximation {
        Approximation::Order | Approximation::OrderLower => expression,
        _ => expression.trim_end_matches('.'),
    };
    Some(TagParts {
        resource,
        approximation,
        expression,
        start,
    })
}

/// Parses `in O(E)`, `in Ω(E)`.
fn order(text: &str) -> Option<(&str, Approximation)> {
    let rest = text.strip_prefix("in ")?.trim_start();
    let (rest, approximation) = match rest.strip_prefix("O(") {
        Some(rest) => (rest, Approximation::Order),
        None => (rest.strip_prefix("Ω(")?, Approximation::OrderLower),
    };
    let inner = rest.trim_end().trim_end_matches('.').strip_suffix(')')?;
    Some((inner, approximation))
}

/// Removes a remark: `2*ms (at these sizes)` becomes `2*ms`, since a bracket after blanks cannot belong to a term.
fn without_remark(text: &str) -> &str {
    match text.rfind(" (at ") {
        Some(at) if text.ends_with(')') => text[..at].trim_end(),
        _ => text,
    }
}

fn read_limits(
    line: &CommentLine<'_>,
    subject: &DocumentedPredicate,
    limits: &mut Vec<SizeLimit>,
    found: &mut Assertions,
) -> bool {
    let text = line.text.trim_end_matches('.');
    let snippet = match Snippet::read(text, line.start) {
        Ok(snippet) => snippet,
        Err(error) => {
            found.errors.push(error);
            return false;
        }
    };
    let arguments = snippet.arguments(subject);
    let terms = &snippet.clause.terms;
    let mut understood = true;
    for condition in terms.chain(snippet.root, ",") {
        if !size_limit(terms, condition, &arguments, limits) {
            understood = false;
            found.errors.push(AssertionError {
                message: "a limit of sizes is expected, such as length(Xs) =< 1000".into(),
                range: snippet.range(condition),
                ignored: Ignored::Property,
            });
        }
    }
    understood
}
