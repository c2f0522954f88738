//! Reads the clauses of a file: the operator pass runs clause by clause, with the operator table that results from the preceding
//! directives.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::conditions::{Conditions, Presence};
use crate::dialect::Dialect;
use crate::directive_effects::{self, Directive, directive_body};
use crate::flags::Flags;
use crate::imports::{FileOperators, Import, KnownFiles, Surroundings};
use crate::layouts::Layouts;
use crate::leaves::{self, Leaf, LeafKind};
use crate::lines::Lines;
use crate::lost::Lost;
use crate::memory::{Recall, Setting};
use crate::operators::{
    ASSERTION, Operators, Position, is_assertion_kind, is_assertion_status, is_profiling_word,
};
use crate::options::ReadOptions;
use crate::parsed::Parsed;
use crate::pass::{self, ReadOutcome};
use crate::term::{Comment, ReadClause, TermId, Terms};
use crate::unfinished;

/// The clause that marks the end of the program text.
const END_OF_FILE: &str = "end_of_file";

/// The clauses, comments and directives of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTerms {
    /// The clauses and directives in order, including those with syntax errors. Both branches of `:- if` are included; in a branch that is
    /// certainly not taken, clauses with syntax errors are left out, and directives have no effect.
    pub clauses: Vec<ReadClause>,
    /// The comments in order.
    pub comments: Vec<Comment>,
    /// The files that directives name.
    pub imports: Vec<Import>,
    /// The operators that the file makes available to other files.
    pub operators: FileOperators,
}

/// Reads a file. Every text yields a result.
#[must_use]
pub fn read(parsed: &Parsed, options: &ReadOptions) -> FileTerms {
    let memory = Recall::new(&parsed.memory, &parsed.text);
    let mut reading = Reading::new(parsed, options, memory);
    reading.is_read_once = parsed.is_read_once();
    let comments = leaves::clauses(parsed, &mut reading);
    parsed.was_read(std::mem::take(&mut reading.memory).end());
    reading.file(comments)
}

/// Reads only the directives of a file: its exports and the files that it names. This is much cheaper than [`read`]. It does not depend on
/// other files, which might name this file in turn.
///
/// Operators of other files are missing unless the options contain them. An export list is therefore read correctly, but not necessarily
/// the text after directives that import operators.
#[must_use]
pub fn read_directives(parsed: &Parsed, options: &ReadOptions) -> FileTerms {
    let mut reading = Reading::new(parsed, options, Recall::default());
    reading.directives_only = true;
    leaves::clauses(parsed, &mut reading);
    reading.file(Vec::new())
}

/// A file being read.
struct Reading<'a> {
    text: &'a str,
    dialect: Dialect,
    known: &'a KnownFiles,
    surroundings: &'a Surroundings,
    /// True if only directives are read.
    directives_only: bool,
    /// True if no clause is stored for a later reading.
    is_read_once: bool,
    /// The state that results from the directives so far, as a key of the memory.
    setting: Setting,
    operators: Operators,
    /// The operator table for assertions. It is kept as long as the table that it extends does not change, because files that contain only
    /// assertions are common.
    with_assertions: Option<Operators>,
    flags: Flags,
    effects: directive_effects::DirectiveEffects,
    conditions: Conditions,
    /// True after a clause `end_of_file`: the following text is not part of the program.
    ended: bool,
    /// The text being skipped.
    lost: Option<Lost>,
    /// True if the skipped text is the rest of the file.
    is_comment: bool,
    clauses: Vec<ReadClause>,
    lines: Lines,
    layouts: Layouts,
    memory: Recall,
}

impl<'a> Reading<'a> {
    fn new(parsed: &'a Parsed, options: &'a ReadOptions, memory: Recall) -> Self {
        let dialect = parsed.dialect();
        let mut operators = Operators::built_in(dialect);
        let surroundings = &options.surroundings;
        for operator in surroundings.operators.iter().chain(&options.operators) {
            operators.add(operator.clone());
        }
        let syntax = dialect.syntax();
        let mut flags = Flags {
            syntax,
            double_quotes: syntax.double_quotes,
            back_quotes: syntax.back_quotes,
            quasi_quotations: (dialect == Dialect::Swi && !surroundings.is_part)
                .then(BTreeSet::default),
        };
        flags.set(surroundings.quotes);
        Reading {
            text: &parsed.text,
            dialect,
            known: &options.files,
            surroundings,
            directives_only: false,
            is_read_once: false,
            setting: Setting::new(options, dialect),
            operators,
            with_assertions: None,
            flags,
            effects: directive_effects::DirectiveEffects::default(),
            conditions: Conditions::of_reader(dialect),
            ended: false,
            lost: None,
            is_comment: false,
            clauses: Vec::new(),
            lines: Lines::default(),
            layouts: Layouts::default(),
            memory,
        }
    }

    fn file(mut self, comments: Vec<Comment>) -> FileTerms {
        let lost = self.lost.take().map(Lost::clause);
        self.clauses.extend(lost.filter(|_| !self.ended));
        self.run_initialization();
        FileTerms {
            clauses: self.clauses,
            comments,
            imports: self.effects.imports,
            operators: self.effects.operators,
        }
    }
}

impl Reading<'_> {
    /// Applies the goals of `initialization/1`, which run once the file is loaded.
    fn run_initialization(&mut self) {
        for (clause, goal) in std::mem::take(&mut self.effects.at_end) {
            let read = self.clauses.get(clause);
            if let Some(terms) = read.map(|read| Arc::clone(&read.terms)) {
                self.run_goals(&terms, clause, goal);
            }
        }
    }

    /// Applies the goals of a directive, which affect the following text.
    fn run_goals(&mut self, terms: &Terms, clause: usize, goal: TermId) {
        Directive {
            terms,
            clause,
            dialect: self.dialect,
            known: self.known,
            surroundings: self.surroundings,
            operators: &mut self.operators,
            flags: &mut self.flags,
            effects: &mut self.effects,
        }
        .goals(goal);
    }
}

impl leaves::Reader for Reading<'_> {
    fn unclosed_comment(&mut self, start: usize) {
        if !self.ended && self.lost.is_none() {
            self.lost = Some(Lost::in_comment(start, self.text));
            self.is_comment = true;
        }
    }

    fn known(&mut self, text: &str, start: usize) -> Option<Vec<Comment>> {
        if self.ended {
            return Some(Vec::new());
        }
        if self.lost.is_some() {
            return None;
        }
        if self.directives_only {
            let directive = [":-", "?-", END_OF_FILE]
                .into_iter()
                .any(|start| text.starts_with(start));
            // A clause without a full stop may contain a directive that follows it.
            let inside = ["\n:-", "\n?-", "/*", "<<<<<<<"];
            let directive = directive || inside.iter().any(|d| text.contains(d));
            return (!directive).then(Vec::new);
        }
        let (clause, comments) = self.memory.recall(text, self.setting, start)?;
        self.clauses.push(clause);
        Some(comments.to_vec())
    }

    fn clause(&mut self, leaves: &[Leaf], node: Option<(usize, usize)>, comments: &[Comment]) {
        if leaves.is_empty() || self.ended {
            return;
        }
        if let Some(lost) = &mut self.lost {
            if lost.take(self.text, leaves) && !self.is_comment {
                self.clauses.extend(self.lost.take().map(Lost::clause));
            }
            return;
        }
        let (outcome, assertion) = self.pass(leaves);
        if outcome.error.is_none() {
            self.take(leaves, outcome, assertion, node, comments);
            return;
        }
        if let Some(mut lost) = Lost::in_conflict(self.text, leaves) {
            match lost.take(self.text, leaves) {
                true => self.clauses.push(lost.clause()),
                false => self.lost = Some(lost),
            }
            return;
        }
        let parts = self.parts(leaves, assertion);
        let Some((last, before)) = parts.split_last().filter(|(_, before)| !before.is_empty())
        else {
            self.take(leaves, outcome, assertion, None, &[]);
            return;
        };
        for part in before {
            let end = part.last().map_or(0, |l| l.end());
            let line = self.lines.line(self.text, end);
            let (outcome, assertion) = self.pass(part);
            let outcome = pass::unfinished(self.text, part, outcome, line);
            self.take(part, outcome, assertion, None, &[]);
        }
        let (outcome, assertion) = self.pass(last);
        self.take(last, outcome, assertion, None, &[]);
    }
}

impl Reading<'_> {
    /// Reads a clause with the operators in force. For an assertion, the words of assertions are also operators; the returned flag is true
    /// for assertions.
    fn pass(&mut self, leaves: &[Leaf]) -> (ReadOutcome, bool) {
        let assertion = is_assertion(self.text, leaves, &self.operators);
        let table = table(&self.operators, &mut self.with_assertions, assertion);
        (
            pass::clause(self.text, leaves, table, &self.flags),
            assertion,
        )
    }

    /// Splits a clause with a syntax error into the clauses that it appears to contain.
    fn parts(&mut self, leaves: &[Leaf], assertion: bool) -> Vec<Vec<Leaf>> {
        let table = table(&self.operators, &mut self.with_assertions, assertion);
        unfinished::parts(self.text, leaves, table)
    }

    /// Returns whether a syntax error is ignored because it is in a branch of `:- if` that is not taken. It is not ignored if the text
    /// contains a conditional-compilation directive that might have ended the branch.
    fn is_skipped(&self, leaves: &[Leaf]) -> bool {
        let is_word = |leaf: &Leaf| {
            leaf.kind == LeafKind::Atom
                && matches!(leaf.text(self.text), "if" | "elif" | "else" | "endif")
        };
        let is_unclosed =
            |leaf: &Leaf| matches!(leaf.kind, LeafKind::UnclosedQuote | LeafKind::NoEnd);
        self.conditions.presence() == Presence::Absent
            && !leaves.iter().any(|leaf| is_word(leaf) || is_unclosed(leaf))
    }

    /// Records the result of reading a clause.
    fn take(
        &mut self,
        leaves: &[Leaf],
        outcome: ReadOutcome,
        assertion: bool,
        node: Option<(usize, usize)>,
        comments: &[Comment],
    ) {
        let (Some(first), Some(last)) = (leaves.first(), leaves.last()) else {
            return;
        };
        if outcome.error.is_none()
            && outcome
                .terms
                .as_atom(outcome.root)
                .is_some_and(|a| a == END_OF_FILE)
        {
            self.ended = true;
            return;
        }
        if outcome.error.is_some() && self.is_skipped(leaves) {
            return;
        }
        let body = directive_body(&outcome.terms, outcome.root)
            .filter(|_| outcome.error.is_none() && !assertion);
        if let Some(body) = body {
            self.with_assertions = None;
            let is_condition = self.conditions.read(&outcome.terms, body);
            if !is_condition && self.conditions.presence() != Presence::Absent {
                self.run_goals(&outcome.terms, self.clauses.len(), body);
            }
        }
        // The terms are kept as long as the file, and a table of facts has very many terms.
        let (mut terms, spans) = (outcome.terms, outcome.spans);
        terms.shrink_to_fit();
        let read = ReadClause {
            terms: Arc::new(terms),
            root: outcome.root,
            spans: self.layouts.shared(spans),
            range: (first.start(), last.end()),
            error: outcome.error,
        };
        // Clauses with an effect are read again each time. Clauses with a syntax error or an unterminated comment may be read differently
        // in another context.
        if body.is_some() {
            let text = self.text.get(first.start()..last.end()).unwrap_or_default();
            self.setting = self.setting.then(text);
        } else if let (Some(node), None, false) = (node, &read.error, assertion)
            && node == read.range
            && !self.is_read_once
            && comments.iter().all(Comment::stands_alone)
        {
            self.memory.remember(self.setting, &read, comments);
        }
        self.clauses.push(read);
    }
}

fn table<'t>(
    operators: &'t Operators,
    with_assertions: &'t mut Option<Operators>,
    assertion: bool,
) -> &'t Operators {
    if !assertion {
        return operators;
    }
    with_assertions.get_or_insert_with(|| {
        let mut table = operators.clone();
        table.add_all(ASSERTION);
        table
    })
}

/// Reads text once, in its detected dialect.
#[must_use]
pub fn read_text(text: &str) -> FileTerms {
    read(&Parsed::new(text), &ReadOptions::default())
}

/// Returns whether these are the leaves of an assertion (`:-`, optionally a status, a kind, and then a possible head) or of a directive
/// about cost centres. The words of assertions are operators only in such directives, so that other programs are read as usual.
fn is_assertion(text: &str, leaves: &[Leaf], operators: &Operators) -> bool {
    let [neck, rest @ ..] = leaves else {
        return false;
    };
    if neck.kind != LeafKind::Symbol || neck.text(text) != ":-" {
        return false;
    }
    let atom = |leaf: &Leaf| {
        if leaf.kind == LeafKind::Atom {
            leaf.text(text)
        } else {
            ""
        }
    };
    let rest = match rest {
        [status, kind, ..]
            if is_assertion_status(atom(status)) && is_assertion_kind(atom(kind)) =>
        {
            &rest[1..]
        }
        _ => rest,
    };
    match rest {
        [kind, head, ..] if is_assertion_kind(atom(kind)) || is_profiling_word(atom(kind)) => {
            match head.kind {
                LeafKind::Atom => operators.get(head.text(text), Position::Infix).is_none(),
                LeafKind::QuotedAtom | LeafKind::Variable => true,
                LeafKind::Open(_) => head.start() > kind.end(),
                _ => false,
            }
        }
        _ => false,
    }
}
