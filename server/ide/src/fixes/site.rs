//! The predicate that a rewrite examines: its clauses with their places, known facts about its calls, and edits of its goals.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use costlens_analysis::report::{Origin, PatternReport};
use costlens_analysis::types::Pattern;
use costlens_program::calls::opened;
use costlens_program::names::{also_defined_in, missing_include};
use costlens_program::positions::ClausePosition;
use costlens_program::workspace::terms;
use costlens_program::{
    Clause, ClauseKind, Functor, Predicate, SourceFile, callees, expanded_by, facts, find,
    is_translated, predicates, resolve,
};
use costlens_syntax::Comment;
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::callers::{Callers, files, is_loaded_with_others, known_calls, mentioned};
use super::known::Recognised;
use crate::db::Db;
use crate::file::Edit;
use crate::navigate::names::names;
use crate::present::quoted;

/// A predicate of a file whose clauses run as written.
pub(crate) struct Site<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) file: SourceFile,
    pub(crate) functor: &'a Functor,
    pub(crate) clauses: &'a [Clause],
    /// The place of each clause.
    pub(crate) places: &'a [ClausePosition],
    pub(crate) text: &'a str,
    /// The possible callers.
    pub(crate) callers: Callers,
    /// A cache of the library predicates as which names were recognised.
    pub(super) recognised: Rc<RefCell<Recognitions>>,
}

/// The library predicate as which each name in a file was recognised.
pub(super) type Recognitions = FxHashMap<Functor, Option<Recognised>>;

impl<'a> Site<'a> {
    /// Visits a predicate with its places. Does nothing if code other than its clauses may run.
    pub(crate) fn visit(
        db: &'a dyn Db,
        file: SourceFile,
        functor: &'a Functor,
        places: &'a [ClausePosition],
        f: impl FnOnce(&Site<'_>),
    ) {
        Self::visit_called_by(Callers::Any, db, file, functor, places, f);
    }

    /// Visits a predicate with known callers.
    pub(crate) fn visit_called_by(
        callers: Callers,
        db: &'a dyn Db,
        file: SourceFile,
        functor: &'a Functor,
        places: &'a [ClausePosition],
        f: impl FnOnce(&Site<'_>),
    ) {
        let Some(predicate) = find(db, file, functor) else {
            return;
        };
        let clauses = predicate.clauses(db);
        if clauses.len() == places.len() && is_closed(db, predicate) {
            f(&Site {
                db,
                file,
                functor,
                clauses,
                places,
                text: &file.parsed(db).text,
                callers,
                recognised: Rc::default(),
            });
        }
    }

    /// Returns the clauses whose goals can be edited, with their indices. Grammar rules are excluded, because their goals differ from the
    /// text.
    pub(crate) fn rules(&self) -> impl Iterator<Item = (usize, &'a Clause)> + use<'a> {
        let numbered = self.clauses.iter().enumerate();
        numbered.filter(|(_, c)| c.kind == ClauseKind::Rule && !c.grammar_rule)
    }

    /// Returns the text of a term of a clause.
    pub(crate) fn source(&self, clause: usize, id: TermId) -> Option<&'a str> {
        let (from, to) = self.places.get(clause)?.range(id)?;
        self.text.get(from..to)
    }

    /// Returns the text of a term as an argument, in brackets if its operator may bind too weakly.
    pub(crate) fn argument(&self, clause: usize, id: TermId) -> Option<String> {
        let text = self.source(clause, id)?;
        let name = self.clauses[clause].terms.functor(id);
        let plain = match name {
            None | Some((_, 0)) => true,
            Some((name, _)) => {
                let is_strong = ["=", "-", "+", "*", "/", "^", ":", "//"];
                text.starts_with(['[', '{'])
                    || text.starts_with(&format!("{name}("))
                    || is_strong.contains(&name.as_str())
            }
        };
        Some(match plain {
            true => text.to_owned(),
            false => format!("({text})"),
        })
    }

    /// Returns the text of a term as an operand, in brackets if it may contain an operator.
    pub(crate) fn operand(&self, clause: usize, id: TermId) -> Option<String> {
        let text = self.source(clause, id)?;
        let plain = match self.clauses[clause].terms.get(id) {
            Term::Var(_) | Term::Integer(_) => true,
            _ => text.starts_with('['),
        };
        Some(match plain {
            true => text.to_owned(),
            false => format!("({text})"),
        })
    }

    /// Returns the edit that replaces a term.
    pub(crate) fn replace(&self, clause: usize, id: TermId, text: String) -> Option<Edit> {
        let (from, to) = self.places.get(clause)?.range(id)?;
        let range = from..to;
        Some(Edit { range, text })
    }

    /// Returns the edit that removes a goal and the comma after it. Comments after the comma are kept. Returns `None` if the text before the
    /// next goal contains anything else.
    pub(crate) fn remove(&self, clause: usize, goal: TermId, next: TermId) -> Option<Edit> {
        let place = self.places.get(clause)?;
        let (from, end) = place.range(goal)?;
        let (to, _) = place.range(next)?;
        let behind = (self.text.get(end..to)?.trim_start()).strip_prefix(',')?;
        let comments = self.comments_in(to - behind.len()..to)?;
        let to = match comments.is_empty() {
            true => to,
            false => self.after_blanks(to - behind.len()),
        };
        Some(Edit {
            range: from..to,
            text: String::new(),
        })
    }

    /// Returns the edits that replace two consecutive goals by one goal in the place of the second.
    pub(crate) fn replace_both(
        &self,
        clause: usize,
        first: TermId,
        second: TermId,
        text: String,
    ) -> Option<Vec<Edit>> {
        let mut edits = match self.remove(clause, first, second) {
            Some(edit) => vec![edit],
            // The second goal is in a condition.
            None => self.take_out(clause, &|goal| goal == first)?,
        };
        edits.push(self.replace(clause, second, text)?);
        Some(edits)
    }

    /// Returns the reports for the patterns of the predicate's known calls.
    pub(crate) fn calls(&self) -> Option<Vec<PatternReport>> {
        known_calls(self.db, self.file, self.functor, self.callers)
    }

    /// Returns true if the file contains calls with arguments other than the declared arguments.
    pub(crate) fn passes_more(&self) -> bool {
        let all = self.calls().into_iter().flatten();
        let seen = all.filter(|report| report.origin == Origin::Called);
        self.callers == Callers::Any
            && seen.count() > 0
            && self.as_declared(|site| site.calls().is_some_and(|calls| !calls.is_empty()))
    }

    /// Applies a function to this site under the assumption that all calls match the declarations.
    pub(crate) fn as_declared<R>(&self, f: impl FnOnce(&Site<'_>) -> R) -> R {
        f(&Site {
            callers: Callers::AsDeclared,
            recognised: Rc::clone(&self.recognised),
            ..*self
        })
    }

    /// Returns the patterns of [`Self::calls`].
    pub(crate) fn patterns(&self) -> Option<Vec<Pattern>> {
        let calls = self.calls()?;
        Some(calls.into_iter().map(|report| report.pattern).collect())
    }

    /// Returns the number of occurrences of a variable in a clause.
    pub(crate) fn occurrences(&self, clause: usize, variable: u32) -> usize {
        occurrences(&self.clauses[clause], variable)
    }

    /// Returns true if the first occurrence of a variable, in textual order, is in this goal, so that the variable is unbound before the
    /// goal.
    pub(crate) fn is_fresh(&self, clause: usize, variable: u32, goal: TermId) -> bool {
        let (clause, place) = (&self.clauses[clause], &self.places[clause]);
        let Some((start, _)) = place.range(goal) else {
            return false;
        };
        let parts = [Some(clause.head), clause.guard, clause.body];
        let all = parts
            .into_iter()
            .flatten()
            .flat_map(|part| clause.terms.subterms(part));
        all.filter(|&t| *clause.terms.get(t) == Term::Var(variable))
            .all(|t| place.range(t).is_some_and(|(from, _)| from >= start))
    }

    /// Returns a quoted name for an auxiliary predicate: the predicate's own name if the arity differs, and otherwise a name with a suffix.
    /// The name is not defined, called, declared or asserted anywhere.
    pub(crate) fn helper_name(&self, arity: usize, suffix: &str) -> Option<String> {
        let name = &self.functor.name;
        let suffixed = ["", "2", "3"].into_iter().map(|number| {
            let name = format!("{name}{suffix}{number}");
            (name.clone(), quoted(&name))
        });
        std::iter::once((name.to_string(), quoted(name)))
            .chain(suffixed)
            .find(|(name, _)| is_free(self.db, self.file, &Functor::new(name.as_str(), arity)))
            .map(|(_, written)| written)
    }

    /// Returns a variable name that does not occur in a clause.
    pub(crate) fn new_variable(
        &self,
        clause: usize,
        names: &[&'static str],
    ) -> Option<&'static str> {
        let taken = &self.places[clause].spans.variables;
        let free = |name: &&&str| !taken.iter().any(|v| v == **name);
        names.iter().find(free).copied()
    }

    /// Returns names for the arguments of a predicate that are suggested by the head of a clause: the names of its variables and of the tails
    /// of its lists. The names differ from `others`.
    pub(crate) fn argument_names(&self, clause: usize, others: &[&str]) -> Vec<String> {
        let of = &self.clauses[clause];
        let variables = &self.places[clause].spans.variables;
        let mut names: Vec<String> = Vec::new();
        for (i, &argument) in of.terms.args(of.head).iter().enumerate() {
            let mut at = argument;
            while let Some(&[_, rest]) = of.terms.matches(at, CONS, 2) {
                at = rest;
            }
            let own = match of.terms.get(at) {
                Term::Var(v) => variables.get(*v as usize).map(|name| name.to_string()),
                _ => None,
            };
            let own = own.filter(|name| !name.starts_with('_'));
            let letters = (i..i + 26).map(|k| {
                let letter = b'A' + u8::try_from(k % 26).unwrap_or(0);
                char::from(letter).to_string()
            });
            let free = |name: &String| !names.contains(name) && !others.contains(&name.as_str());
            let name = own.into_iter().chain(letters).find(free);
            names.push(name.unwrap_or_else(|| format!("Argument{i}")));
        }
        names
    }

    /// Returns the range of a term including the brackets around it.
    pub(super) fn in_brackets(&self, clause: usize, id: TermId) -> Option<Range<usize>> {
        let (from, to) = self.places.get(clause)?.range(id)?;
        let before = self.text.get(..from)?.trim_end();
        let behind = self.text.get(to..)?;
        let layout = behind.len() - behind.trim_start().len();
        let is_bracketed = before.ends_with('(') && behind.trim_start().starts_with(')');
        is_bracketed.then(|| before.len() - 1..to + layout + 1)
    }

    /// Returns the line ending of the file.
    pub(crate) fn line_end(&self) -> &'static str {
        match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }

    /// Returns the comments inside a clause, one per line.
    pub(crate) fn comments(&self, clause: usize) -> String {
        let (from, to) = self.places[clause].range;
        let all = self.comments_between(from, to).into_iter();
        all.map(|c| format!("{}{}", c.text.trim_end(), self.line_end()))
            .collect()
    }

    /// Returns the comments in a range of the text, one per line. Returns `None` if the range contains anything other than comments and
    /// layout.
    pub(crate) fn comments_in(&self, range: Range<usize>) -> Option<String> {
        let (mut all, mut at) = (String::new(), range.start);
        for comment in self.comments_between(range.start, range.end) {
            let is_layout = self.text.get(at..comment.range.0)?.trim().is_empty();
            is_layout.then_some(())?;
            all.push_str(comment.text.trim_end());
            all.push_str(self.line_end());
            at = comment.range.1;
        }
        (self.text.get(at..range.end)?.trim().is_empty()).then_some(all)
    }

    pub(super) fn comments_between(&self, from: usize, to: usize) -> Vec<Comment> {
        let read = terms(self.db, self.file);
        let inside = |c: &&Comment| c.range.0 >= from && c.range.1 <= to;
        read.comments.iter().filter(inside).cloned().collect()
    }

    /// Returns true if there is a comment inside a clause.
    pub(crate) fn has_comments(&self, clause: usize) -> bool {
        !self.comments(clause).is_empty()
    }
}

/// Returns the number of occurrences of a variable in a clause.
pub(crate) fn occurrences(clause: &Clause, variable: u32) -> usize {
    let parts = [Some(clause.head), clause.guard, clause.body];
    let all = parts
        .into_iter()
        .flatten()
        .flat_map(|part| clause.terms.variables_of(part));
    all.filter(|&v| v == variable).count()
}

/// Returns true if a predicate consists only of the clauses in the file, and these run as usual.
pub(crate) fn is_closed(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let facts = facts(db, predicate.file(db));
    let functor = predicate.functor(db);
    !facts.is_open(functor)
        && opened(db, predicate.file(db), functor).is_none()
        && expanded_by(db, predicate).is_none()
        // In a new predicate, `Prefix:Local` would not become an atom.
        && !is_translated(db, predicate)
        && !predicate.conditional(db)
        && also_defined_in(db, predicate).is_none()
        && missing_include(db, predicate.file(db)).is_none()
}

/// Returns true if a name is free. It must not be defined, called, declared, asserted or retracted in the file. No other file of the
/// workspace may contain a term or an indicator with this name, which might refer to the predicate through a module qualification, an
/// assertion, or a lookup with an unbound arity.
pub(crate) fn is_free(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let facts = facts(db, file);
    // A predicate of another module with this name is unrelated, unless terms in that module are module-qualified.
    let is_anothers_own = |other: SourceFile| {
        other != file
            && costlens_program::facts(db, other).module.is_some()
            && (predicates(db, other).iter()).any(|p| p.functor(db) == functor)
            && !(other.parsed(db).text).contains(&format!(":{}", functor.name))
    };
    resolve(db, file, functor).is_none()
        && !costlens_catalog::is_of_swi_prolog(&functor.name, functor.arity)
        && !facts.is_open(functor)
        && !facts.exports.contains(functor)
        && !facts.started.contains(functor)
        && !(predicates(db, file).iter()).any(|&p| callees(db, p).contains(functor))
        && !(names(db, file).iter()).any(|name| name.functor == *functor)
        && !is_loaded_with_others(db, file)
        && !files(db, file).into_iter().any(|other| {
            let is_named = other.parsed(db).text.contains(functor.name.as_str());
            is_named && !is_anothers_own(other) && mentioned(db, other).may_have(functor)
        })
}

/// Returns the variable if the term is a variable.
pub(crate) fn variable(terms: &Terms, id: TermId) -> Option<u32> {
    match terms.get(id) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}
