//! The predicate that a rewrite looks at: its clauses, where they stand, what is known of its calls, and how its goals are edited.

use std::ops::Range;

use costlens_analysis::report::PatternReport;
use costlens_analysis::types::Pattern;
use costlens_program::calls::{loads_while_running, opened};
use costlens_program::directives::{Imports, Load, loads};
use costlens_program::loading::target;
use costlens_program::names::{also_defined_in, missing_include};
use costlens_program::positions::ClausePosition;
use costlens_program::workspace::{is_installed, terms};
use costlens_program::{
    Clause, ClauseKind, Functor, Predicate, Resolved, SourceFile, callees, expanded_by, facts,
    find, predicates, resolve, why_unreached,
};
use costlens_syntax::Comment;
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::callers::known_calls;
use super::copies::{self, Around, Known, Recognised};
use super::joins::{Join, join};
use crate::db::Db;
use crate::file::Edit;
use crate::navigate::names::{Role, names};
use crate::present::quoted;

/// A predicate of a file whose clauses run as they are written.
pub(crate) struct Site<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) file: SourceFile,
    pub(crate) functor: &'a Functor,
    pub(crate) clauses: &'a [Clause],
    /// The place of each clause.
    pub(crate) places: &'a [ClausePosition],
    pub(crate) text: &'a str,
}

impl<'a> Site<'a> {
    /// Looks at a predicate with its places. None where its clauses are not all that runs.
    pub(crate) fn visit(
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
            });
        }
    }

    /// The clauses that may be edited goal by goal, with their numbers: those of grammar rules are not written as they run.
    pub(crate) fn rules(&self) -> impl Iterator<Item = (usize, &'a Clause)> + use<'a> {
        let numbered = self.clauses.iter().enumerate();
        numbered.filter(|(_, c)| c.kind == ClauseKind::Rule && !c.grammar_rule)
    }

    /// The text of a term of a clause.
    pub(crate) fn source(&self, clause: usize, id: TermId) -> Option<&'a str> {
        let (from, to) = self.places.get(clause)?.of(id)?;
        self.text.get(from..to)
    }

    /// The text of a term as an argument: in brackets where it has an operator that may bind too weakly for one.
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

    /// The text of a term as an operand: in brackets where it may be a term with an operator.
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

    /// The edit that writes something else in the place of a term.
    pub(crate) fn replace(&self, clause: usize, id: TermId, text: String) -> Option<Edit> {
        let (from, to) = self.places.get(clause)?.of(id)?;
        let range = from..to;
        Some(Edit { range, text })
    }

    /// The edit that takes a goal out, with the comma behind it; comments behind the comma stay. None where something else stands before the next goal.
    pub(crate) fn remove(&self, clause: usize, goal: TermId, next: TermId) -> Option<Edit> {
        let place = self.places.get(clause)?;
        let (from, end) = place.of(goal)?;
        let (to, _) = place.of(next)?;
        let behind = (self.text.get(end..to)?.trim_start()).strip_prefix(',')?;
        let comments = self.comments_in(to - behind.len()..to)?;
        let to = match comments.is_empty() {
            true => to,
            false => to - behind.len(),
        };
        Some(Edit {
            range: from..to,
            text: String::new(),
        })
    }

    /// The edits that write one goal in the place of two that run one after the other, where the second one stands.
    pub(crate) fn replace_both(
        &self,
        clause: usize,
        (first, second): (TermId, TermId),
        text: String,
    ) -> Option<Vec<Edit>> {
        let mut edits = match self.remove(clause, first, second) {
            Some(edit) => vec![edit],
            // The second one stands in a condition.
            None => self.take_out(clause, &|goal| goal == first)?,
        };
        edits.push(self.replace(clause, second, text)?);
        Some(edits)
    }

    /// The edits that take goals out of a row, with the commas between. None where more than commas and layout would go, or no goal stays.
    pub(crate) fn without(
        &self,
        clause: usize,
        goals: &[TermId],
        is_gone: &dyn Fn(TermId) -> bool,
    ) -> Option<Vec<Edit>> {
        let place = self.places.get(clause)?;
        let commas = |a: TermId, b: TermId| {
            let text = self.text.get(place.of(a)?.1..place.of(b)?.0)?;
            (text.trim() == ",").then_some(())
        };
        let mut edits = Vec::new();
        let mut i = 0;
        while i < goals.len() {
            let many = goals[i..].iter().take_while(|&&g| is_gone(g)).count();
            if many == 0 {
                i += 1;
                continue;
            }
            for pair in goals[i.saturating_sub(1)..(i + many + 1).min(goals.len())].windows(2) {
                commas(pair[0], pair[1])?;
            }
            let range = match (goals.get(i + many), i.checked_sub(1)) {
                (Some(&next), _) => place.of(goals[i])?.0..place.of(next)?.0,
                (None, Some(before)) => {
                    place.of(goals[before])?.1..place.of(goals[i + many - 1])?.1
                }
                (None, None) => return None,
            };
            edits.push(Edit {
                range,
                text: String::new(),
            });
            i += many;
        }
        Some(edits)
    }

    /// The predicate that a goal of this name and arity runs, by the clauses that it reaches: a predicate of the library, or one of the file with the clauses of one.
    pub(super) fn known(&self, functor: &Functor) -> Option<Known> {
        known(self.db, self.file, functor)
    }

    /// The predicate that a goal runs.
    pub(super) fn known_goal(&self, clause: usize, goal: TermId) -> Option<Known> {
        self.recognised(clause, goal)
            .filter(Recognised::is_plain)
            .map(|r| r.known)
    }

    /// The predicate that a goal runs, with its arguments in any order, and for proper lists.
    pub(super) fn recognised(&self, clause: usize, goal: TermId) -> Option<Recognised> {
        let (name, arity) = self.clauses[clause].terms.functor(goal)?;
        recognised(self.db, self.file, &Functor::new(name.clone(), arity))
    }

    /// The list that a goal joins of two, the first of which is a proper one.
    pub(super) fn join(&self, clause: usize, goal: TermId) -> Option<Join> {
        join(self, clause, goal)
    }

    /// A goal of a predicate that is known, with other arguments, in the order of the library.
    pub(super) fn with_arguments(
        &self,
        (clause, goal): (usize, TermId),
        as_: &Recognised,
        arguments: &[&str],
    ) -> Option<String> {
        let (name, _) = self.clauses[clause].terms.functor(goal)?;
        let mut moved = vec![""; arguments.len()];
        for (&at, &argument) in as_.order.iter().zip(arguments) {
            *moved.get_mut(at)? = argument;
        }
        Some(format!("{}({})", quoted(name), moved.join(", ")))
    }

    /// True where a name means what the library of SWI-Prolog has under it, or what is built in.
    pub(crate) fn means_library(&self, functor: &Functor) -> bool {
        means_library(self.db, self.file, functor)
    }

    /// The reports for the patterns that the predicate is known to be called with.
    pub(crate) fn calls(&self) -> Option<Vec<PatternReport>> {
        known_calls(self.db, self.file, self.functor)
    }

    /// The patterns of [`Self::calls`].
    pub(crate) fn patterns(&self) -> Option<Vec<Pattern>> {
        let calls = self.calls()?;
        Some(calls.into_iter().map(|report| report.pattern).collect())
    }

    /// The number of times that a variable stands in a clause.
    pub(crate) fn occurrences(&self, clause: usize, variable: u32) -> usize {
        occurrences(&self.clauses[clause], variable)
    }

    /// True where a variable stands for the first time in this goal, wherever the clause is read from: nothing has bound it.
    pub(crate) fn is_fresh(&self, clause: usize, variable: u32, goal: TermId) -> bool {
        let (clause, place) = (&self.clauses[clause], &self.places[clause]);
        let Some((start, _)) = place.of(goal) else {
            return false;
        };
        let parts = [Some(clause.head), clause.guard, clause.body];
        let all = parts
            .into_iter()
            .flatten()
            .flat_map(|part| clause.terms.subterms(part));
        all.filter(|&t| *clause.terms.get(t) == Term::Var(variable))
            .all(|t| place.of(t).is_some_and(|(from, _)| from >= start))
    }

    /// A name for a predicate of the rewrite's own, as it is written: the predicate's own name if its arity is another one, else with a suffix. It is
    /// defined, called, declared and asserted nowhere.
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

    /// A name that no variable of a clause has.
    pub(crate) fn new_variable(
        &self,
        clause: usize,
        names: &[&'static str],
    ) -> Option<&'static str> {
        let taken = &self.places[clause].spans.variables;
        let free = |name: &&&str| !taken.iter().any(|v| v == **name);
        names.iter().find(free).copied()
    }

    /// Names for the arguments of a predicate, as the head of a clause suggests: those of its variables, and of the rests of its lists. None of `others`.
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

    /// The place of a term with the brackets around it.
    pub(super) fn in_brackets(&self, clause: usize, id: TermId) -> Option<Range<usize>> {
        let (from, to) = self.places.get(clause)?.of(id)?;
        let before = self.text.get(..from)?.trim_end();
        let behind = self.text.get(to..)?;
        let layout = behind.len() - behind.trim_start().len();
        let is_bracketed = before.ends_with('(') && behind.trim_start().starts_with(')');
        is_bracketed.then(|| before.len() - 1..to + layout + 1)
    }

    /// The end of a line of the file.
    pub(crate) fn line_end(&self) -> &'static str {
        match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }

    /// The comments inside of a clause, each on a line.
    pub(crate) fn comments(&self, clause: usize) -> String {
        let (from, to) = self.places[clause].range;
        let all = self.comments_between(from, to).into_iter();
        all.map(|c| format!("{}{}", c.text.trim_end(), self.line_end()))
            .collect()
    }

    /// The comments of a part of the text that is none but comments and layout, each on a line. None where something else stands there.
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

    /// True where a comment stands inside of a clause.
    pub(crate) fn has_comments(&self, clause: usize) -> bool {
        !self.comments(clause).is_empty()
    }
}

/// The predicate that a goal of this name and arity runs in a file, as [`Site::known`] finds it.
pub(super) fn known(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Known> {
    recognised(db, file, functor)
        .filter(Recognised::is_plain)
        .map(|r| r.known)
}

/// The same, with arguments in any order, and for proper lists.
pub(super) fn recognised(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Recognised> {
    let of = |p: Predicate<'_>| {
        let home = p.file(db);
        let clauses = |functor: &Functor| match resolve(db, home, functor)? {
            Resolved::Own(p) => is_closed(db, p).then(|| p.clauses(db).to_vec()),
            Resolved::Other(_) | Resolved::Library(_) => None,
        };
        let around = Around {
            clauses: &clauses,
            is_library: &|functor| means_library(db, home, functor),
        };
        let found = copies::recognised(p.functor(db), p.clauses(db), &around);
        found.filter(|_| is_closed(db, p))
    };
    match resolve(db, file, functor) {
        Some(Resolved::Own(p)) => of(p),
        Some(Resolved::Other(p)) if !is_installed(db, p.file(db)) => of(p),
        Some(Resolved::Library(_) | Resolved::Other(_)) | None => {
            let known = Known::named(&functor.name, functor.arity)?;
            let means = means_library(db, file, functor);
            means.then(|| Recognised::library(known, functor.arity))
        }
    }
}

fn means_library(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    // Clauses that are added to it, and files that may define it.
    let is_built_in = costlens_catalog::is_built_in(&functor.name, functor.arity);
    let is_updated = || {
        let places = names(db, file);
        let mut updated = places.iter().filter(|name| name.role == Role::Update);
        updated.any(|name| name.functor == *functor)
    };
    if !is_built_in && (is_updated() || may_come_from_elsewhere(db, file, functor)) {
        return false;
    }
    match resolve(db, file, functor) {
        Some(Resolved::Library(p)) => *p.functor(db) == *functor,
        Some(Resolved::Other(p)) => *p.functor(db) == *functor && is_installed(db, p.file(db)),
        Some(Resolved::Own(_)) => false,
        None => {
            is_built_in
                || (facts(db, file).autoloads
                    && costlens_catalog::is_of_swi_prolog(&functor.name, functor.arity)
                    && why_unreached(db, file, functor).is_none())
        }
    }
}

/// True for a name that is not imported by name, in a file that loads others which are not known: they may define it.
fn may_come_from_elsewhere(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let loads = loads(db, file);
    let is_listed = |load: &Load| {
        matches!(load.imports, Imports::Only(_)) && load.imports.there(functor).is_some()
    };
    let is_unknown = |(number, load): (usize, &Load)| {
        let is_library = load.spec.alias.as_deref() == Some("library");
        let mut catalog = costlens_catalog::all().iter();
        let mut is_known = || catalog.any(|p| p.library() == Some(load.spec.path.as_str()));
        !matches!(load.imports, Imports::Only(_))
            && target(db, file, number).is_none()
            && !(is_library && is_known())
    };
    !loads.loads.iter().any(is_listed)
        && (loads.unreadable > 0
            || loads_while_running(db, file).is_some()
            || loads.loads.iter().enumerate().any(is_unknown))
}

/// The number of times that a variable stands in a clause.
pub(crate) fn occurrences(clause: &Clause, variable: u32) -> usize {
    let parts = [Some(clause.head), clause.guard, clause.body];
    let all = parts
        .into_iter()
        .flatten()
        .flat_map(|part| clause.terms.variables_of(part));
    all.filter(|&v| v == variable).count()
}

/// Checks that nothing but the clauses of the file runs, and that they run as usual.
pub(crate) fn is_closed(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let facts = facts(db, predicate.file(db));
    let functor = predicate.functor(db);
    !facts.is_open(functor)
        && opened(db, predicate.file(db), functor).is_none()
        && expanded_by(db, predicate).is_none()
        && !predicate.conditional(db)
        && also_defined_in(db, predicate).is_none()
        && missing_include(db, predicate.file(db)).is_none()
}

/// Checks that nothing of this name is defined, called, declared, asserted or retracted.
pub(crate) fn is_free(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let facts = facts(db, file);
    resolve(db, file, functor).is_none()
        && !costlens_catalog::is_of_swi_prolog(&functor.name, functor.arity)
        && !facts.is_open(functor)
        && !facts.exports.contains(functor)
        && !facts.started.contains(functor)
        && !(predicates(db, file).iter()).any(|&p| callees(db, p).contains(functor))
        && !(names(db, file).iter()).any(|name| name.functor == *functor)
}

/// The variable that a term is.
pub(crate) fn variable(terms: &Terms, id: TermId) -> Option<u32> {
    match terms.get(id) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}
