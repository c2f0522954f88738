//! Reads the data file, whose format is described at its beginning.

use smallvec::SmallVec;
use thiserror::Error;

use crate::predicate::{
    Alteration, Answers, Assignment, ClauseChange, Control, Description, Effect, Endless, Home,
    Language, LeadingTest, Message, Opening, Shown, SystemPredicate, TextUse, Unfollowed,
};
use crate::signature::{
    Atoms, Brought, Cells, GlobalUse, Inferences, Integers, Portable, Signature,
};

/// A line of the data file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct MalformedLine {
    /// The line number, from 1.
    pub line: usize,
    /// The problem with the line.
    pub problem: Problem,
}

/// The reason why a line could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The line precedes the first section.
    #[error("no section before it")]
    NoSection,
    /// An indented line precedes the first record.
    #[error("no record before it")]
    NoRecord,
    /// The line does not begin with `name/arity`.
    #[error("no `name/arity`")]
    NoIndicator,
    /// A mark or mark value that is not explained at the beginning of the file.
    #[error("no such mark: `{0}`")]
    Mark(String),
    /// The number of characters in a mark differs from the number of arguments.
    #[error("`{0}` is not about {1} arguments")]
    Length(String, usize),
    /// Modes without a description, or modes of another predicate.
    #[error("no description of the predicate")]
    Description,
}

/// Reads the predicates in a text, in order, and the lines that could not be read.
#[must_use]
pub fn read(text: &'static str) -> (Vec<SystemPredicate>, Vec<MalformedLine>) {
    let (mut predicates, mut malformed): (Vec<SystemPredicate>, _) = (Vec::new(), Vec::new());
    let mut home = None;
    for (i, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(statement) = line.strip_prefix("  ") {
            match predicates.last_mut() {
                Some(predicate) => predicate.state(statement),
                None => malformed.push(MalformedLine {
                    line: i + 1,
                    problem: Problem::NoRecord,
                }),
            }
            continue;
        }
        if let Some(section) = section(line) {
            home = Some(section);
            continue;
        }
        match predicate(line, home) {
            Ok(predicate) => predicates.push(predicate),
            Err(problem) => malformed.push(MalformedLine {
                line: i + 1,
                problem,
            }),
        }
    }
    (predicates, malformed)
}

/// Parses a section header such as `[lists]`; a line about `[|]/2` is not a header.
fn section(line: &'static str) -> Option<Home> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    Some(match name {
        "system" => Home::System,
        "user" => Home::User,
        library => Home::Library(library),
    })
}

fn predicate(line: &'static str, home: Option<Home>) -> Result<SystemPredicate, Problem> {
    let mut columns = line.splitn(3, " | ");
    let mut marks = columns.next().unwrap_or_default().split_whitespace();
    let (name, arity) = (marks.next())
        .and_then(|indicator| indicator.rsplit_once('/'))
        .and_then(|(name, arity)| Some((name, arity.parse().ok()?)))
        .ok_or(Problem::NoIndicator)?;
    let mut predicate = blank(name, arity, home.ok_or(Problem::NoSection)?);
    for mark in marks {
        predicate.mark(mark)?;
    }
    predicate.check_lengths()?;
    predicate.description = match (columns.next(), columns.next()) {
        (None, _) => None,
        (Some(template), text) => {
            let text = text.ok_or(Problem::Description)?.trim();
            let template = template.trim();
            Some(description(name, arity, template, text).ok_or(Problem::Description)?)
        }
    };
    Ok(predicate)
}

/// Creates a predicate without marks.
fn blank(name: &'static str, arity: usize, home: Home) -> SystemPredicate {
    SystemPredicate {
        name,
        arity,
        home,
        language: None,
        locked: false,
        meta: "",
        control: None,
        counts_nothing: false,
        test: None,
        expanded: false,
        ignores_module: false,
        in_every_version: false,
        newer: false,
        variadic: false,
        loads_files: false,
        opening: None,
        clause_change: None,
        assignment: None,
        effect: None,
        reads: false,
        is_query: false,
        alteration: None,
        hooks: SmallVec::new(),
        message: None,
        unfollowed: None,
        has_rules: false,
        on_machine: false,
        is_one_step: false,
        most_bindings: None,
        usual_modes: None,
        reversible: false,
        endless: None,
        answers: None,
        leaves_variables: false,
        text: None,
        makes_terms: false,
        calls_names: false,
        shows: None,
        waits: false,
        signature: None,
        values: None,
        proper_lists: SmallVec::new(),
        cells: None,
        inferences: None,
        portable: None,
        integers: None,
        atoms: None,
        global_use: None,
        brought: None,
        format: None,
        statements: Vec::new(),
        times: Vec::new(),
        description: None,
    }
}

/// Reads the number of an argument (from 1), or a functor.
fn message(value: &'static str) -> Option<Message> {
    match value.rsplit_once('/') {
        Some((name, arity)) => Some(Message::Functor(name, arity.parse().ok()?)),
        None => {
            let number: usize = value.parse().ok()?;
            Some(Message::Argument(number.checked_sub(1)?))
        }
    }
}

impl SystemPredicate {
    /// Checks that marks with one character for each argument have the right length.
    fn check_lengths(&self) -> Result<(), Problem> {
        let characters = |text: &str| text.chars().count();
        let meta = (Some(self.meta).filter(|m| !m.is_empty())).map(|m| (m, characters(m)));
        let usual = self.usual_modes.map(|modes| (modes, characters(modes)));
        let values = self.values.map(|types| (types, count_types(types)));
        match [meta, usual, values]
            .into_iter()
            .flatten()
            .find(|&(_, of)| of != self.arity)
        {
            Some((text, _)) => Err(Problem::Length(text.to_owned(), self.arity)),
            None if self
                .proper_lists
                .iter()
                .any(|&i| usize::from(i) >= self.arity) =>
            {
                Err(Problem::Mark("lists".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Adds an indented line: `time (?A) = 1`, or an assertion about calls.
    fn state(&mut self, line: &'static str) {
        match line.strip_prefix("time ") {
            Some(time) => self.times.push(time),
            None => self.statements.push(line),
        }
    }

    /// Adds a mark.
    fn mark(&mut self, mark: &'static str) -> Result<(), Problem> {
        let understood = match mark.split_once('=') {
            None => self.flag(mark),
            Some((key, value)) => self.value(key, value),
        };
        if understood {
            Ok(())
        } else {
            Err(Problem::Mark(mark.to_owned()))
        }
    }

    /// Adds a mark without a value. Returns false if the mark is unknown or already set.
    fn flag(&mut self, mark: &str) -> bool {
        let flag = match mark {
            "c" => return self.language.replace(Language::C).is_none(),
            "prolog" => return self.language.replace(Language::Prolog).is_none(),
            "locked" => &mut self.locked,
            "uncounted" => &mut self.counts_nothing,
            "macro" => &mut self.expanded,
            "anywhere" => &mut self.ignores_module,
            "always" => &mut self.in_every_version,
            "newer" => &mut self.newer,
            "more" => &mut self.variadic,
            "loads" => &mut self.loads_files,
            "reads" => &mut self.reads,
            "query" => &mut self.is_query,
            "rules" => &mut self.has_rules,
            "machine" => &mut self.on_machine,
            "step" => &mut self.is_one_step,
            "reversible" => &mut self.reversible,
            "open" => &mut self.leaves_variables,
            "makes" => &mut self.makes_terms,
            "names" => &mut self.calls_names,
            "waits" => &mut self.waits,
            _ => return false,
        };
        !std::mem::replace(flag, true)
    }

    /// Adds a mark with a value. Returns false if the mark or value is unknown or the mark is already set.
    fn value(&mut self, key: &str, value: &'static str) -> bool {
        let all = |characters: &str| value.chars().all(|c| characters.contains(c));
        match key {
            "meta" => {
                self.meta = value;
                all("0123456789^/:?")
            }
            "usual" => self.usual_modes.replace(value).is_none() && all("-ling?"),
            "binds" => set(&mut self.most_bindings, value.parse().ok()),
            "hook" => {
                let hook = |text: &'static str| {
                    let (name, arity) = text.rsplit_once('/')?;
                    Some((name, arity.parse().ok()?))
                };
                let hooks: Option<SmallVec<_>> = value.split(',').map(hook).collect();
                let is_new = self.hooks.is_empty() && hooks.is_some();
                self.hooks = hooks.unwrap_or_default();
                is_new
            }
            "message" => set(&mut self.message, message(value)),
            "control" => one_of(&mut self.control, value, CONTROL),
            "test" => one_of(&mut self.test, value, TEST),
            "opens" => one_of(&mut self.opening, value, OPENING),
            "clauses" => one_of(&mut self.clause_change, value, CLAUSE_CHANGE),
            "alters" => one_of(&mut self.alteration, value, ALTERATION),
            "assigns" => one_of(&mut self.assignment, value, ASSIGNMENT),
            "effect" => one_of(&mut self.effect, value, EFFECT),
            "unfollowed" => one_of(&mut self.unfollowed, value, UNFOLLOWED),
            "endless" => one_of(&mut self.endless, value, ENDLESS),
            "answers" => one_of(&mut self.answers, value, ANSWERS),
            "text" => one_of(&mut self.text, value, TEXT_USE),
            "shows" => one_of(&mut self.shows, value, SHOWN),
            "means" => set(&mut self.signature, Signature::read(value)),
            "values" => self.values.replace(value).is_none(),
            "lists" => {
                let index = |number: &str| number.parse::<u8>().ok()?.checked_sub(1);
                let all: Option<SmallVec<_>> = value.split(',').map(index).collect();
                let is_new = self.proper_lists.is_empty() && all.is_some();
                self.proper_lists = all.unwrap_or_default();
                is_new
            }
            "cells" => set(&mut self.cells, Cells::read(value)),
            "inferences" => set(&mut self.inferences, Inferences::read(value)),
            "atoms" => one_of(&mut self.atoms, value, ATOMS),
            "global" => one_of(&mut self.global_use, value, GLOBAL_USE),
            "brings" => one_of(&mut self.brought, value, BROUGHT),
            "portable" => one_of(&mut self.portable, value, PORTABLE),
            "integers" => one_of(&mut self.integers, value, INTEGERS),
            "format" => {
                let place = value
                    .parse()
                    .ok()
                    .and_then(|place: usize| place.checked_sub(1));
                set(&mut self.format, place)
            }
            _ => false,
        }
    }
}

const CONTROL: &[(&str, Control)] = &[
    ("transparent", Control::Transparent),
    ("opaque", Control::Opaque),
    ("cut", Control::Cut),
];

const TEST: &[(&str, LeadingTest)] = &[
    ("arithmetic", LeadingTest::Arithmetic),
    ("order", LeadingTest::Order),
    ("type", LeadingTest::Type),
];

const OPENING: &[(&str, Opening)] = &[("dynamic", Opening::Dynamic), ("tabled", Opening::Tabled)];

const CLAUSE_CHANGE: &[(&str, ClauseChange)] =
    &[("add", ClauseChange::Add), ("remove", ClauseChange::Remove)];

const ALTERATION: &[(&str, Alteration)] = &[
    ("built_in", Alteration::BuiltIn),
    ("calls", Alteration::Calls),
    ("clauses", Alteration::Clauses),
    ("events", Alteration::Events),
    ("formats", Alteration::Formats),
    ("module", Alteration::Module),
    ("program", Alteration::Program),
];

const ASSIGNMENT: &[(&str, Assignment)] = &[
    ("shares", Assignment::Shares),
    ("copies", Assignment::Copies),
];

const EFFECT: &[(&str, Effect)] = &[("state", Effect::State), ("io", Effect::Io)];

const UNFOLLOWED: &[(&str, Unfollowed)] = &[
    ("altered", Unfollowed::Altered),
    ("attributes", Unfollowed::Attributes),
    ("continues", Unfollowed::Continues),
    ("data", Unfollowed::Data),
    ("goal", Unfollowed::Goal),
    ("module", Unfollowed::Module),
    ("type", Unfollowed::Type),
    ("wakes", Unfollowed::Wakes),
];

const ENDLESS: &[(&str, Endless)] = &[("always", Endless::Always), ("perhaps", Endless::Perhaps)];

const ANSWERS: &[(&str, Answers)] = &[("arguments", Answers::Arguments), ("world", Answers::World)];

const TEXT_USE: &[(&str, TextUse)] = &[("reads", TextUse::Reads), ("makes", TextUse::Makes)];

const SHOWN: &[(&str, Shown)] = &[("clauses", Shown::Clauses), ("calls", Shown::Calls)];

const ATOMS: &[(&str, Atoms)] = &[("given", Atoms::Given), ("none", Atoms::None)];

const GLOBAL_USE: &[(&str, GlobalUse)] =
    &[("reads", GlobalUse::Reads), ("stores", GlobalUse::Stores)];

const BROUGHT: &[(&str, Brought)] = &[("message", Brought::Message), ("time", Brought::Time)];

const PORTABLE: &[(&str, Portable)] = &[
    ("plain", Portable::Plain),
    ("order", Portable::Order),
    ("names", Portable::Names),
];

const INTEGERS: &[(&str, Integers)] = &[("arguments", Integers::Arguments), ("any", Integers::Any)];

/// Counts the types in `list(K-V),list(K),int`: the number of commas outside brackets, plus 1.
fn count_types(types: &str) -> usize {
    let (mut depth, mut count) = (0, 1);
    for c in types.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// Sets a value. Returns false if it is missing or already set.
fn set<T>(of: &mut Option<T>, value: Option<T>) -> bool {
    value.is_some_and(|value| of.replace(value).is_none())
}

/// Sets the value for a name. Returns false if the name is unknown or a value is already set.
fn one_of<T: Copy>(of: &mut Option<T>, name: &str, values: &[(&str, T)]) -> bool {
    let found = values.iter().find(|(known, _)| *known == name);
    set(of, found.map(|(_, value)| *value))
}

/// Parses modes and text. The arguments have names if the template is `name(…)`, but not in operator notation.
fn description(
    name: &str,
    arity: usize,
    template: &'static str,
    text: &'static str,
) -> Option<Description> {
    let head = template.split(" is ").next()?;
    let inside = (template.strip_prefix(name))
        .and_then(|rest| rest.strip_prefix('('))
        .and_then(|_| head.split_once('(')?.1.strip_suffix(')'));
    let arguments: Vec<&'static str> = match inside {
        Some(inside) => inside.split(", ").map(argument_name).collect(),
        None => Vec::new(),
    };
    let named = inside.is_some() || arity == 0;
    if named && arguments.len() != arity || arity == 0 && head != name {
        return None;
    }
    Some(Description {
        template,
        arguments,
        text,
    })
}

/// Returns `Goal` for `:Goal`.
fn argument_name(argument: &'static str) -> &'static str {
    argument.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_understood_are_named() {
        let problem = |text: &'static str| {
            let (_, malformed) = read(text);
            malformed.into_iter().map(|m| (m.line, m.problem)).next()
        };
        assert_eq!(problem("p/1 c\n"), Some((1, Problem::NoSection)));
        assert_eq!(problem("  (?A)\n"), Some((1, Problem::NoRecord)));
        assert_eq!(problem("[system]\np c\n"), Some((2, Problem::NoIndicator)));
        for mark in ["d", "c prolog", "control=open", "binds=x", "meta=x"] {
            let text = format!("[system]\np/1 {mark}\n").leak();
            assert!(
                matches!(problem(text), Some((2, Problem::Mark(_)))),
                "{mark}"
            );
        }
        let length = Problem::Length("?0".to_owned(), 1);
        assert_eq!(problem("[system]\np/1 c meta=?0\n"), Some((2, length)));
        for columns in [
            "| p(+A) is det",
            "| p(+A, +B) is det | Text.",
            "| q is det | Text.",
        ] {
            let text = format!("[system]\np/1 c {columns}\n").leak();
            let expected = if columns.starts_with("| q") {
                None
            } else {
                Some((2, Problem::Description))
            };
            assert_eq!(problem(text), expected, "{columns}");
        }
        assert_eq!(problem("[system]\n[|]/2 c\n|/2 c\n# p\n\n[lists]\n"), None);
    }
}
