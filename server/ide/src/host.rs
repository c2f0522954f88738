//! The database behind the editor features, and snapshots of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use costlens_analysis::Certified;
use costlens_analysis::driver::visit_share;
use costlens_analysis::queries::{Inference, LIBRARY};
use costlens_analysis::report::{EvaluatedPoint, PatternReport, PredicateName};
use costlens_analysis::types::Pattern;
use costlens_events::Event;
use costlens_program::{Role, SourceFile};
use costlens_syntax::term::{TermId, Terms};
use costlens_syntax::{Dialect, Parsed};
use salsa::{Database as _, Durability, Setter as _};
use smol_str::SmolStr;

use crate::actions::{Action, Edit};
use crate::at::GivenSize;
use crate::attained::{Attained, Effort};
use crate::bounds::{FileBounds, PredicateBounds};
use crate::check::FileCheck;
use crate::completion::{Completions, Described};
use crate::diagnostics::Diagnostic;
use crate::estimates::{Estimates, NoEstimates};
use crate::explain::Explained;
use crate::files::known_file;
use crate::folding::Fold;
use crate::hints::{Arrived, Hint};
use crate::hover::Hover;
use crate::navigate::beyond::{self, Sought};
use crate::navigate::hierarchy::{self, Edge, Item};
use crate::navigate::references::{self, Highlight};
use crate::navigate::{Place, definition};
use crate::reports::Database;
use crate::resources::{Prices, Resource, Times};
use crate::settings::Settings;
use crate::shares::Shares;
use crate::symbols::Symbol;
use crate::tokens::Token;

/// More edits at once than this are parsed as a new text.
const MOST_EDITS: usize = 32;

/// A file of a [`Host`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct File(pub(crate) SourceFile);

/// A write came in between; the question may be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// The one mutable thing: the files' texts. A write waits for every [`Snapshot`] to be dropped, after it has made their
/// computations end.
pub struct Host {
    pub(crate) db: Database,
    pub(crate) files: BTreeMap<String, SourceFile>,
    /// Files of an installed library that nobody opened: they are followed, and no part of what the user works on.
    pub(crate) aside: BTreeSet<String>,
    /// Where files are whose names do not show it.
    pub(crate) places: BTreeMap<String, SmolStr>,
    /// The names of the files that the user looks at.
    pub(crate) opened: BTreeSet<String>,
    /// The dialect of the user's files, if the user says so.
    pub(crate) dialect: Option<Dialect>,
    /// Whether no text is ever edited.
    is_unedited: bool,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// A host without files of the user's.
    #[must_use]
    pub fn new() -> Self {
        Self::of(Database::new())
    }

    fn of(db: Database) -> Self {
        Host {
            db,
            files: BTreeMap::new(),
            aside: BTreeSet::new(),
            places: BTreeMap::new(),
            opened: BTreeSet::new(),
            dialect: None,
            is_unedited: false,
        }
    }

    /// A host without files whose texts are never edited, so that nothing is kept for that: that of a command.
    #[must_use]
    pub fn unedited() -> Self {
        Host {
            is_unedited: true,
            ..Self::new()
        }
    }

    /// A host whose bounds come from another inference: one with less fuel, for tests of many programs.
    #[must_use]
    pub fn with_inference(inference: Inference) -> Self {
        Self::of(Database::with(inference, LIBRARY, None))
    }

    /// Adds a file, or gives a known one a new text. `name` is how messages call it; nothing is opened. A file that others needed is called
    /// so from now on.
    pub fn open(&mut self, name: &str, text: &str) -> File {
        let mut parsed = self.parse(name, text);
        if self.is_unedited {
            parsed = parsed.read_once();
        }
        let known = self.known(name);
        self.aside.remove(name);
        self.opened.insert(name.to_owned());
        if let Some(file) = known {
            file.set_parsed(&mut self.db)
                .with_durability(Durability::LOW)
                .to(parsed);
            self.put(name, file);
            return File(file);
        }
        let file = SourceFile::new(&self.db, name.to_owned(), parsed, Role::User);
        self.files.insert(name.to_owned(), file);
        self.put(name, file);
        File(file)
    }

    /// Applies edits one after the other, each to the text that the one before it left.
    pub fn edit(&mut self, file: File, edits: &[Edit]) {
        let before = file.0.parsed(&self.db);
        let after = edits.iter().fold(before.clone(), |text, e| {
            if e.range == (0..text.text.len()) {
                self.parse(file.0.path(&self.db), &e.text)
            } else {
                text.edit(e.range.clone(), &e.text)
            }
        });
        file.0.set_parsed(&mut self.db).to(after);
    }

    /// The same where the text that they lead to is known: it is parsed anew if they are many.
    pub fn edit_to(&mut self, file: File, edits: &[Edit], after: &str) {
        if edits.len() <= MOST_EDITS {
            return self.edit(file, edits);
        }
        let after = self.parse(file.0.path(&self.db), after);
        file.0.set_parsed(&mut self.db).to(after);
    }

    /// Forgets a file's text. What was computed from it goes with the next revision.
    pub fn close(&mut self, file: File) {
        self.opened.remove(file.0.path(&self.db));
        file.0.set_parsed(&mut self.db).to(Parsed::new(""));
    }

    /// Counts a file no longer among those that the user looks at; its text stays until it is added anew.
    pub fn set_aside(&mut self, file: File) {
        self.opened.remove(file.0.path(&self.db));
    }

    /// The present state, for reading on any thread.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            db: self.db.clone(),
            files: self.own_files().map(|file| file.0).collect(),
        }
    }

    /// The user's files, those that others needed included, by name; of installed libraries those that were opened.
    pub fn own_files(&self) -> impl Iterator<Item = File> {
        let own = |(name, _): &(&String, _)| !self.aside.contains(*name);
        self.files.iter().filter(own).map(|(_, &file)| File(file))
    }
}

/// A state of the host. To be dropped soon: the next write waits for it.
pub struct Snapshot {
    db: Database,
    /// The user's files, by name; of installed libraries those that were opened.
    files: Box<[SourceFile]>,
}

/// The stack of a thread that analyses: walks of user terms are iterative, this is for what is bounded but deep.
const STACK: usize = 16 << 20;

/// How often a question is asked again after another thread, at work on what it needs, unwound.
const MOST_RETRIES: usize = 1_000;

/// The next of those that several threads share out, and its place among them.
fn one_of<T: Copy>(all: &[T], next: &AtomicUsize) -> Option<(usize, T)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    all.get(i).map(|&one| (i, one))
}

impl Snapshot {
    fn another(&self) -> Self {
        Snapshot {
            db: self.db.clone(),
            files: self.files.clone(),
        }
    }

    /// Answers a question. salsa tells who waits for a query of another thread that it panicked there, whatever made it unwind: a panic, the
    /// driver that has to visit something else first, or a write that is pending. After a panic of its own this thread would not get here; so
    /// it looks which of the others it was, and finds the panic by itself if it was one.
    pub(crate) fn read<T>(&self, query: impl Fn(&Database) -> T) -> Result<T, Cancelled> {
        let read = |query: &dyn Fn(&Database) -> T| {
            salsa::Cancelled::catch(AssertUnwindSafe(|| query(&self.db)))
        };
        for _ in 0..MOST_RETRIES {
            match read(&query) {
                Ok(value) => return Ok(value),
                // A write that is pending stays so as long as this snapshot is there: then this is the end of it.
                Err(salsa::Cancelled::PropagatedPanic) => {
                    let waiting = AssertUnwindSafe(|| self.db.unwind_if_revision_cancelled());
                    salsa::Cancelled::catch(waiting).map_err(|_| Cancelled)?;
                    std::thread::yield_now();
                }
                Err(_) => return Err(Cancelled),
            }
        }
        let panic = salsa::Cancelled::PropagatedPanic.to_string();
        std::panic::resume_unwind(Box::new(panic))
    }

    /// Computes what is asked about files later, on several threads. The answers are the same without.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn prepare(&self, files: &[File], threads: usize) -> Result<(), Cancelled> {
        let (next, threads) = (AtomicUsize::new(0), threads.max(1));
        // Files are shared out one by one, the last ones by their components. What is at work at the same time comes from far apart: neighbours
        // call the same predicates, and one thread would wait for the other.
        let part = files.len().div_ceil(threads).max(1);
        let apart = (0..part).flat_map(|i| files.iter().skip(i).step_by(part).copied());
        let shares: Vec<(File, usize, usize)> = (apart.enumerate())
            .flat_map(|(i, file)| {
                let of = if i + threads > files.len() {
                    threads
                } else {
                    1
                };
                (0..of).map(move |share| (file, share, of))
            })
            .collect();
        // What one thread would have waited for while another one was at work on it.
        let left: Mutex<Vec<(File, usize, usize)>> = Mutex::default();
        self.on_threads(threads, &|snapshot| {
            while let Some((_, (file, share, of))) = one_of(&shares, &next) {
                if !snapshot.read(|db| visit_share(db, file.0, share, of, false))? {
                    let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                    left.push((file, share, of));
                }
            }
            loop {
                let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some((file, share, of)) = next else {
                    return Ok(());
                };
                snapshot.read(|db| visit_share(db, file.0, share, of, true))?;
            }
        })
    }

    /// The places to look for what a file needs, one list for each file that is needed, best place first.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn missing(&self, file: File) -> Result<Vec<Vec<String>>, Cancelled> {
        self.read(|db| crate::files::missing_places(db, file.0))
    }

    /// The hints of a file, in the order of its predicates.
    ///
    /// # Errors
    /// [`Cancelled`], as everything here.
    pub fn hints(&self, file: File, settings: &Settings) -> Result<Vec<Hint>, Cancelled> {
        self.read(|db| crate::hints::hints(db, file.0, settings))
    }

    /// The same with this many threads; on the way it tells of what it has, and begins with the predicates that have a clause in `shown`.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn hints_as_they_come(
        &self,
        file: File,
        settings: &Settings,
        shown: &Range<usize>,
        threads: usize,
        tell: &dyn Fn(Arrived),
    ) -> Result<Vec<Hint>, Cancelled> {
        let threads = threads.max(1);
        std::thread::scope(|scope| {
            for share in 1..threads {
                let helper = self.another();
                let work = move || {
                    // Whatever ends it ends the thread below as well, which says so.
                    let _ = helper.read(|db| visit_share(db, file.0, share, threads, true));
                };
                let builder = std::thread::Builder::new().stack_size(STACK);
                let _ = builder.spawn_scoped(scope, move || {
                    let _ = catch_unwind(AssertUnwindSafe(work));
                });
            }
            self.read(|db| crate::hints::hints_as_they_come(db, file.0, settings, shown, tell))
        })
    }

    /// What is wrong with a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn diagnostics(
        &self,
        file: File,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>, Cancelled> {
        self.read(|db| crate::diagnostics::diagnostics(db, file.0, settings))
    }

    /// What there is to say of the place.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn hover(
        &self,
        file: File,
        offset: usize,
        settings: &Settings,
    ) -> Result<Option<Hover>, Cancelled> {
        self.read(|db| crate::hover::hover(db, file.0, offset, settings))
    }

    /// The predicates of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn document_symbols(&self, file: File) -> Result<Vec<Symbol>, Cancelled> {
        self.read(|db| crate::symbols::document_symbols(db, file.0))
    }

    /// The predicates of all files whose names fit the query.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn workspace_symbols(&self, query: &str) -> Result<Vec<(File, Symbol)>, Cancelled> {
        self.read(|db| crate::symbols::workspace_symbols(db, &self.files, query))
    }

    /// The name and the text of a file, for places in files that the asker does not hold.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn document(&self, file: File) -> Result<(String, Arc<str>), Cancelled> {
        self.read(|db| {
            let name = file.0.path(db).to_owned();
            (name, Arc::clone(&file.0.parsed(db).text))
        })
    }

    /// Whether a file ships with Costlens, so that only Costlens has its text.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn is_library(&self, file: File) -> Result<bool, Cancelled> {
        self.read(|db| file.0.role(db) == Role::Library)
    }

    /// The user's file of a name.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn file(&self, name: &str) -> Result<Option<File>, Cancelled> {
        self.read(|db| {
            let own = self.files.iter().copied();
            let files = { own }.find(|file| file.path(db) == name);
            files.or_else(|| known_file(db, name)).map(File)
        })
    }

    /// Where what is named at the offset is defined.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn definition(&self, file: File, offset: usize) -> Result<Vec<Place>, Cancelled> {
        self.read(|db| definition::definition(db, file.0, offset))
    }

    /// Where what is named at the offset is named; in clause heads only if `heads` are wanted.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn references(
        &self,
        file: File,
        offset: usize,
        heads: bool,
    ) -> Result<Vec<Place>, Cancelled> {
        self.read(|db| references::references(db, &self.files, file.0, offset, heads))
    }

    /// What is named at the offset, everywhere in its file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn highlights(&self, file: File, offset: usize) -> Result<Vec<Highlight>, Cancelled> {
        self.read(|db| references::highlights(db, file.0, offset))
    }

    /// The predicate that is named at the offset, to ask for its callers and callees.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn call_hierarchy(&self, file: File, offset: usize) -> Result<Option<Item>, Cancelled> {
        self.read(|db| hierarchy::prepare(db, file.0, offset))
    }

    /// Who calls a predicate of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn incoming_calls(
        &self,
        file: File,
        predicate: &PredicateName,
    ) -> Result<Vec<Edge>, Cancelled> {
        self.read(|db| hierarchy::incoming(db, &self.files, file.0, predicate))
    }

    /// The user's files, by name.
    pub(crate) fn own(&self) -> &[SourceFile] {
        &self.files
    }

    /// What to look for in files that nobody has read, when the user asks about the name at an offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn sought(&self, file: File, offset: usize) -> Result<Option<Sought>, Cancelled> {
        self.read(|db| beyond::sought(db, &self.files, file.0, offset))
    }

    /// The same for a predicate of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn sought_of(
        &self,
        file: File,
        predicate: &PredicateName,
    ) -> Result<Option<Sought>, Cancelled> {
        self.read(|db| beyond::sought_of(db, &self.files, file.0, predicate))
    }

    /// Whom a predicate of a file calls.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn outgoing_calls(
        &self,
        file: File,
        predicate: &PredicateName,
    ) -> Result<Vec<Edge>, Cancelled> {
        self.read(|db| hierarchy::outgoing(db, file.0, predicate))
    }

    /// What folds in a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn folding(&self, file: File) -> Result<Vec<Fold>, Cancelled> {
        self.read(|db| crate::folding::folding(db, file.0))
    }

    /// The semantic tokens that touch a range.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn tokens(&self, file: File, range: Range<usize>) -> Result<Vec<Token>, Cancelled> {
        self.read(|db| crate::tokens::tokens(db, file.0, range.clone()))
    }

    /// What can be written at an offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn completions(&self, file: File, offset: usize) -> Result<Completions, Cancelled> {
        self.read(|db| crate::completion::completions(db, file.0, offset))
    }

    /// What is to be said of a predicate that was proposed in a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn describe(&self, file: File, predicate: &PredicateName) -> Result<Described, Cancelled> {
        self.read(|db| crate::completion::describe(db, file.0, predicate))
    }

    /// Cheaper variants of the predicates that the range touches.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn code_actions(&self, file: File, range: Range<usize>) -> Result<Vec<Action>, Cancelled> {
        self.read(|db| crate::actions::code_actions(db, file.0, range.clone()))
    }

    /// The explanation behind a predicate's hint, in Markdown.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn tooltip(
        &self,
        file: File,
        predicate: &PredicateName,
        settings: &Settings,
    ) -> Result<Option<String>, Cancelled> {
        self.read(|db| crate::hover::tooltip(db, file.0, predicate, settings))
    }

    /// The bounds of every predicate of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn bounds(&self, file: File) -> Result<FileBounds, Cancelled> {
        self.read(|db| crate::bounds::bounds(db, file.0))
    }

    /// Counts the predicates of each file that are asked for, those that have bounds among them. Of their bounds nothing is kept.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn count(
        &self,
        files: &[File],
        threads: usize,
        asked: &(dyn Fn(&PredicateName) -> bool + Sync),
    ) -> Result<Vec<Shares>, Cancelled> {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, Shares)>> = Mutex::default();
        self.on_threads(threads, &|snapshot| {
            while let Some((i, file)) = one_of(files, &next) {
                let shares = snapshot.read(|db| crate::shares::count(db, file.0, asked))?;
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push((i, shares));
            }
            Ok(())
        })?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(i, _)| *i);
        Ok(found.into_iter().map(|(_, shares)| shares).collect())
    }

    /// Reads the clauses of files on several threads.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn read_clauses(&self, files: &[File], threads: usize) -> Result<(), Cancelled> {
        let next = AtomicUsize::new(0);
        self.on_threads(threads, &|snapshot| {
            while let Some((_, file)) = one_of(files, &next) {
                snapshot.read(|db| {
                    costlens_program::facts(db, file.0);
                })?;
            }
            Ok(())
        })
    }

    /// Does the work on so many threads, each with a snapshot of its own.
    fn on_threads(
        &self,
        threads: usize,
        work: &(dyn Fn(&Snapshot) -> Result<(), Cancelled> + Sync),
    ) -> Result<(), Cancelled> {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1))
                .filter_map(|_| {
                    let snapshot = self.another();
                    let builder = std::thread::Builder::new().stack_size(STACK);
                    builder.spawn_scoped(scope, move || work(&snapshot)).ok()
                })
                .collect();
            if workers.is_empty() {
                // No thread is to be had.
                return work(self);
            }
            let ended = workers.into_iter().map(|w| match w.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect()
        })
    }

    /// The systems behind the bounds of a predicate under a pattern, with certificates.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn certificates(
        &self,
        file: File,
        predicate: &PredicateName,
        pattern: &Pattern,
    ) -> Result<Vec<Certified>, Cancelled> {
        self.read(|db| costlens_analysis::queries::certificates(db, file.0, predicate, pattern))
    }

    /// The upper bound of a predicate under a pattern at given sizes, where no closed form says it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn evaluate(
        &self,
        file: File,
        predicate: &PredicateName,
        report: &PatternReport,
        given: &[GivenSize],
    ) -> Result<Option<EvaluatedPoint>, Cancelled> {
        self.read(|db| crate::evaluated::evaluate(db, file.0, predicate, report, given))
    }

    /// The bounds of every predicate of a file on another resource, in the order of [`Snapshot::bounds`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn resource_bounds(
        &self,
        file: File,
        resource: &Resource,
    ) -> Result<Vec<PredicateBounds>, Cancelled> {
        self.read(|db| crate::bounds::resource_bounds(db, file.0, resource))
    }

    /// What a predicate of a file takes on a platform; none if the file does not define it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn time(
        &self,
        file: File,
        predicate: &PredicateName,
        prices: &Arc<Prices>,
    ) -> Result<Option<Times>, Cancelled> {
        self.read(|db| crate::resources::time(db, file.0, predicate, prices))
    }

    /// What the bounds say of one call, at the sizes of its arguments: on the events that are asked for, and on time where prices are
    /// given.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn estimates(
        &self,
        file: File,
        goal: (&Terms, TermId),
        events: &[Event],
        prices: Option<&Arc<Prices>>,
    ) -> Result<Result<Estimates, NoEstimates>, Cancelled> {
        let (terms, goal) = goal;
        self.read(|db| crate::estimates::estimates(db, file.0, terms, goal, events, prices))
    }

    /// The verdicts on a file's assertions; those on time for the platform of these prices.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(&self, file: File, prices: Option<&Arc<Prices>>) -> Result<FileCheck, Cancelled> {
        self.read(|db| crate::check::check(db, file.0, prices))
    }

    /// How a predicate's bounds came about; none if the file does not define it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn explain(
        &self,
        file: File,
        predicate: &PredicateName,
    ) -> Result<Option<Explained>, Cancelled> {
        self.read(|db| crate::explain::explain(db, file.0, predicate))
    }

    /// What runs on small inputs show of a predicate's bounds, for each pattern of its report; none if the file does not define it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn attained(
        &self,
        file: File,
        predicate: &PredicateName,
        effort: Effort,
    ) -> Result<Option<Vec<Arc<Attained>>>, Cancelled> {
        self.read(|db| crate::attained::of_all(db, file.0, predicate, effort))
    }

    /// The code of a predicate's clauses; none if the file does not define it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn code(
        &self,
        file: File,
        predicate: &PredicateName,
        model: crate::code::Model,
    ) -> Result<Option<crate::code::Listing>, Cancelled> {
        self.read(|db| crate::code::code(db, file.0, predicate, model))
    }
}

#[cfg(test)]
mod tests;
