//! Every predicate's bounds, for the command line.

use std::sync::Arc;

use costlens_analysis::report::{PredicateReport, Unknown};
use costlens_analysis::resources::{Resource, file_resource};
use costlens_program::definitions::gathered_from;
use costlens_program::names::assumed;
use costlens_program::positions::{clause_position, positions};
use costlens_program::{Functor, SourceFile, facts, resolve};

use crate::arguments::argument_names;
use crate::diagnostics::{Diagnostic, malformed};
use crate::reports::{Db, functor, report, reports};

/// The bounds of a file.
#[derive(Clone, Debug)]
pub struct FileBounds {
    /// The module that the file defines, `user` where it defines none.
    pub module: String,
    /// Its predicates in the order of their first clauses.
    pub predicates: Vec<PredicateBounds>,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
    /// What its bounds rest on that no known file decides: `no other file defines user:last/2`.
    pub rests_on: Vec<String>,
}

/// The bounds of a predicate.
#[derive(Clone, Debug)]
pub struct PredicateBounds {
    /// The first byte of its first clause's head.
    pub offset: usize,
    /// What is known.
    pub report: Arc<PredicateReport>,
    /// What its arguments are called.
    pub arguments: Vec<Option<String>>,
    /// For each pattern, where its unknowns arise, in the order of [`costlens_analysis::report::PatternReport::unknown`].
    pub causes: Vec<Vec<Option<Place>>>,
    /// For each pattern, what is trusted that its bounds rest on: `db.pl:12`.
    pub rests_on: Vec<Vec<String>>,
    /// The files that a multifile predicate has its clauses from, in the order of loading; empty where that is this file alone.
    pub clauses_from: Vec<String>,
}

/// A place in a file that may not be the one asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// The bounds of every predicate that the file defines.
pub fn bounds(db: &dyn Db, file: SourceFile) -> FileBounds {
    let predicates = (positions(db, file).iter().zip(reports(db, file).iter()))
        .filter_map(|(p, report)| {
            let offset = p.clauses.first()?.head.0;
            Some(with_places(db, file, &p.functor, offset, report.clone()))
        })
        .collect();
    FileBounds {
        module: module(db, file),
        predicates,
        diagnostics: malformed(db, file),
        rests_on: (assumed(db, file).iter())
            .map(|name| format!("no other file defines user:{name}"))
            .collect(),
    }
}

/// The bounds of every predicate that the file defines on another resource, in the order of [`bounds`].
pub fn resource_bounds(db: &dyn Db, file: SourceFile, resource: &Resource) -> Vec<PredicateBounds> {
    let reports = file_resource(db, file, resource);
    (positions(db, file).iter().zip(reports.iter()))
        .filter_map(|(p, report)| {
            let offset = p.clauses.first()?.head.0;
            Some(with_places(db, file, &p.functor, offset, report.clone()))
        })
        .collect()
}

/// The module that a file defines, `user` where it defines none.
pub(crate) fn module(db: &dyn Db, file: SourceFile) -> String {
    let module = facts(db, file).module.as_ref();
    module.map_or_else(|| "user".to_owned(), ToString::to_string)
}

/// The bounds of one predicate.
pub(crate) fn of(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    offset: usize,
) -> Option<PredicateBounds> {
    let report = report(db, file, functor)?;
    Some(with_places(db, file, functor, offset, report))
}

pub(crate) fn with_places(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    offset: usize,
    report: Arc<PredicateReport>,
) -> PredicateBounds {
    let causes = (report.patterns.iter())
        .map(|p| p.unknown.iter().map(|u| place(db, file, u)).collect())
        .collect();
    PredicateBounds {
        offset,
        causes,
        rests_on: crate::trust::of_patterns(db, &report.patterns),
        arguments: argument_names(db, file, functor),
        clauses_from: clauses_from(db, file, functor),
        report,
    }
}

/// The files that a multifile predicate has its clauses from, where there are several.
pub(crate) fn clauses_from(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<String> {
    let files = gathered_from(db, file, functor).into_iter();
    files.map(|f| f.path(db).to_owned()).collect()
}

/// Where an unknown arises: its literal, or the first clause of its predicate.
fn place(db: &dyn Db, file: SourceFile, unknown: &Unknown) -> Option<Place> {
    let cause = functor(&unknown.cause);
    let home = match unknown.home {
        Some(home) => home,
        None => resolve(db, file, &cause)?.predicate().file(db),
    };
    let literal = unknown.literal.and_then(|(clause, literal)| {
        let (there, place) = clause_position(db, home, &cause, clause)?;
        Some((there, place.of(literal)?))
    });
    let (there, (offset, _)) = literal.or_else(|| {
        let (there, place) = clause_position(db, home, &cause, 0)?;
        Some((there, place.head))
    })?;
    let before = there.parsed(db).text.get(..offset)?;
    Some(Place {
        file: there.path(db).to_owned(),
        line: 1 + before.bytes().filter(|b| *b == b'\n').count(),
    })
}
