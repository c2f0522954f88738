//! The queries that a snapshot answers, one function each. They are the entire read interface of this crate.
//!
//! A concurrent write cancels a running query, which then returns [`Cancelled`].

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use costlens_analysis::Certified;
use costlens_analysis::call_modes::Modes;
use costlens_analysis::followed::{EveryCall, NotFollowed, followed};
use costlens_analysis::report::{EvaluatedPoint, Functor, PatternReport};
use costlens_analysis::types::Pattern;
use costlens_events::{Event, Vocabulary};
use costlens_program::Role;
use costlens_program::workspace::{Library, Workspace, terms};
use costlens_syntax::FileTerms;
use costlens_syntax::term::{TermId, Terms};

use super::files::{known_file, missing_places};
use super::snapshot::Snapshot;
use crate::advice::Remark;
use crate::attained::generated::{Calls, NoCalls, calls};
use crate::attained::{Attained, Effort};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::rules::Rule;
use crate::document::completion::{Completions, Described};
use crate::document::folding::Fold;
use crate::document::symbols::Symbol;
use crate::document::tokens::Token;
use crate::file::{Cancelled, File};
use crate::fixes::Action;
use crate::hints::Hint;
use crate::hover::Hover;
use crate::navigate::beyond::{self, Sought};
use crate::navigate::hierarchy::{self, HierarchyEdge, Item};
use crate::navigate::names::{Name, names};
use crate::navigate::references::{self, Highlight};
use crate::navigate::{Destination, definition};
use crate::present::values::{GivenSize, StepsAt};
use crate::project::Project;
use crate::reports::bounds::{FileBounds, PredicateBounds};
use crate::reports::check::FileCheck;
use crate::reports::derivation::Explained;
use crate::reports::estimates::{Estimates, NoEstimates, ParameterValues};
use crate::reports::lock::{LockRow, MeasuredPredicate};
use crate::reports::runnable::Runnable;
use crate::reports::validation::Grounds;
use crate::resources::{Prices, Resource, Times, resource_of};
use crate::settings::{Chosen, Settings};

/// The bounds of a predicate, and for each call pattern the user's assertions on which the bounds depend.
pub(super) type BoundsOn = (PredicateBounds, Vec<Vec<String>>);

impl Snapshot {
    /// Returns, for each of some files, the candidate places of the files that it loads and that are not yet known: one list for each of
    /// these, best candidate first. The files are read on several threads.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn missing(
        &self,
        files: &[File],
        threads: usize,
    ) -> Result<Vec<Vec<Vec<String>>>, Cancelled> {
        if threads > 1 && files.len() > 1 {
            self.read_clauses(files, threads)?;
        }
        self.of_each(files, threads.min(files.len()), &|snapshot, file| {
            snapshot.read("missing", |db| missing_places(db, file.0))
        })
    }

    /// Returns the hints of a file, in the order of its predicates.
    ///
    /// # Errors
    /// [`Cancelled`], as for all queries in this file.
    pub fn hints(&self, file: File, settings: &Settings) -> Result<Vec<Hint>, Cancelled> {
        self.read("hints", |db| crate::hints::hints(db, file.0, settings))
    }

    /// Returns the diagnostics of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn diagnostics(
        &self,
        file: File,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>, Cancelled> {
        self.read("diagnostics", |db| {
            crate::diagnostics::diagnostics(db, file.0, settings)
        })
    }

    /// Returns the advice for a file: hints that offer no edit.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn advice(&self, file: File, settings: &Settings) -> Result<Vec<Remark>, Cancelled> {
        self.read("advice", |db| {
            crate::advice::advice(db, file.0, settings, &self.known)
        })
    }

    /// Returns the hover at an offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn hover(
        &self,
        file: File,
        offset: usize,
        settings: &Settings,
    ) -> Result<Option<Hover>, Cancelled> {
        self.read("hover", |db| {
            crate::hover::hover(db, file.0, offset, settings)
        })
    }

    /// Returns the predicates of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn document_symbols(&self, file: File) -> Result<Vec<Symbol>, Cancelled> {
        self.read("document_symbols", |db| {
            crate::document::symbols::document_symbols(db, file.0)
        })
    }

    /// Returns the predicates of all files whose names match the query.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn workspace_symbols(&self, query: &str) -> Result<Vec<(File, Symbol)>, Cancelled> {
        self.read("workspace_symbols", |db| {
            crate::document::symbols::workspace_symbols(db, &self.files, query)
        })
    }

    /// Returns the name and the text of a file, for callers that resolve places in files that they do not hold.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn document(&self, file: File) -> Result<(String, Arc<str>), Cancelled> {
        self.read("document", |db| {
            let name = file.0.path(db).to_owned();
            (name, Arc::clone(&file.0.parsed(db).text))
        })
    }

    /// Returns true for a library that ships with Costlens and therefore has no text on disk.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn is_library(&self, file: File) -> Result<bool, Cancelled> {
        self.read("is_library", |db| file.0.role(db) == Role::Library)
    }

    /// Returns the place of an installed library that is read instead of the shipped library.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn library_place(&self, file: File) -> Result<Option<String>, Cancelled> {
        self.read("library_place", |db| {
            let library = Library::try_get(db).filter(|_| file.0.role(db) == Role::Library)?;
            let own: &str = file.0.path(db);
            let mut places = library.places(db).iter();
            let place = places.find(|(name, _)| name == own);
            place.map(|(_, place)| place.to_string())
        })
    }

    /// Returns the user's file with this name.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn file(&self, name: &str) -> Result<Option<File>, Cancelled> {
        self.read("file", |db| {
            let own = self.files.iter().copied();
            let files = { own }.find(|file| file.path(db) == name);
            files.or_else(|| known_file(db, name)).map(File)
        })
    }

    /// Returns the definitions of the name at the offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn definition(&self, file: File, offset: usize) -> Result<Vec<Destination>, Cancelled> {
        self.read("definition", |db| {
            definition::definition(db, file.0, offset)
        })
    }

    /// Returns the predicate whose first clause is at a destination.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn defined_at(&self, place: &Destination) -> Result<Option<Functor>, Cancelled> {
        self.read("defined_at", |db| definition::defined_at(db, place))
    }

    /// Returns the folders of installed libraries, best first.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn library_folders(&self) -> Result<Vec<String>, Cancelled> {
        self.read("library_folders", |db| {
            let folders = Workspace::try_get(db).map(|w| w.libraries(db).to_vec());
            let folders = folders.unwrap_or_default().into_iter();
            folders.map(|folder| folder.to_string()).collect()
        })
    }

    /// Returns the references to the name at the offset. Clause heads are included only if `heads` is true.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn references(
        &self,
        file: File,
        offset: usize,
        heads: bool,
    ) -> Result<Vec<Destination>, Cancelled> {
        self.read("references", |db| {
            references::references(db, &self.files, file.0, offset, heads)
        })
    }

    /// Returns the occurrences, within the file, of the name at the offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn highlights(&self, file: File, offset: usize) -> Result<Vec<Highlight>, Cancelled> {
        self.read("highlights", |db| {
            references::highlights(db, file.0, offset)
        })
    }

    /// Returns the predicate named at the offset, as the root of a call hierarchy.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn call_hierarchy(&self, file: File, offset: usize) -> Result<Option<Item>, Cancelled> {
        self.read("call_hierarchy", |db| {
            hierarchy::prepare(db, file.0, offset)
        })
    }

    /// Returns the callers of a predicate of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn incoming_calls(
        &self,
        file: File,
        predicate: &Functor,
    ) -> Result<Vec<HierarchyEdge>, Cancelled> {
        self.read("incoming_calls", |db| {
            hierarchy::incoming(db, &self.files, file.0, predicate)
        })
    }

    /// Returns the search to run in unread files for the name at an offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn sought(&self, file: File, offset: usize) -> Result<Option<Sought>, Cancelled> {
        self.read("sought", |db| {
            beyond::sought(db, &self.files, file.0, offset)
        })
    }

    /// Returns the search to run in unread files for a predicate of the file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn sought_of(&self, file: File, predicate: &Functor) -> Result<Option<Sought>, Cancelled> {
        self.read("sought_of", |db| {
            beyond::sought_of(db, &self.files, file.0, predicate)
        })
    }

    /// Returns the callees of a predicate of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn outgoing_calls(
        &self,
        file: File,
        predicate: &Functor,
    ) -> Result<Vec<HierarchyEdge>, Cancelled> {
        self.read("outgoing_calls", |db| {
            hierarchy::outgoing(db, file.0, predicate)
        })
    }

    /// Returns the folding ranges of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn folding(&self, file: File) -> Result<Vec<Fold>, Cancelled> {
        self.read("folding", |db| {
            crate::document::folding::folding(db, file.0)
        })
    }

    /// Returns the semantic tokens that overlap a range.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn tokens(&self, file: File, range: Range<usize>) -> Result<Vec<Token>, Cancelled> {
        self.read("tokens", |db| {
            crate::document::tokens::tokens(db, file.0, range.clone())
        })
    }

    /// Returns the completions at an offset.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn completions(&self, file: File, offset: usize) -> Result<Completions, Cancelled> {
        self.read("completions", |db| {
            crate::document::completion::completions(db, file.0, offset)
        })
    }

    /// Returns the cost and the documentation of a predicate proposed as a completion.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn describe(&self, file: File, predicate: &Functor) -> Result<Described, Cancelled> {
        self.read("describe", |db| {
            crate::document::completion::describe(db, file.0, predicate)
        })
    }

    /// Returns cheaper variants of the predicates that the range touches, with times if a platform is given.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn code_actions(
        &self,
        file: File,
        range: Range<usize>,
        on: Option<&Chosen>,
    ) -> Result<Vec<Action>, Cancelled> {
        self.read("code_actions", |db| {
            let on = on.and_then(|on| on.for_dialect(file.0.parsed(db).dialect()));
            crate::fixes::code_actions(db, file.0, range.clone(), on, &self.remembered)
        })
    }

    /// Returns those of the [`Self::code_actions`] that earlier requests have found, at once.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn found_actions(
        &self,
        file: File,
        range: Range<usize>,
        on: Option<&Chosen>,
    ) -> Result<Vec<Action>, Cancelled> {
        self.read("found_actions", |db| {
            let on = on.and_then(|on| on.for_dialect(file.0.parsed(db).dialect()));
            crate::fixes::found_actions(db, file.0, range.clone(), on, &self.remembered)
        })
    }

    /// Returns whether a range touches several predicates, so that its quick fixes may take long.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn touches_several(&self, file: File, range: &Range<usize>) -> Result<bool, Cancelled> {
        self.read("touches_several", |db| {
            crate::fixes::touches_several(db, file.0, range)
        })
    }

    /// Returns the quick fixes by the given rules for the predicates that a range touches. Other rules are not evaluated, and nothing is
    /// cached.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn actions_by(
        &self,
        file: File,
        range: Range<usize>,
        on: Option<&Chosen>,
        wanted: &[&'static Rule],
    ) -> Result<Vec<Action>, Cancelled> {
        self.read("actions_by", |db| {
            let on = on.and_then(|on| on.for_dialect(file.0.parsed(db).dialect()));
            crate::fixes::actions_by(db, file.0, range.clone(), on, wanted)
        })
    }

    /// Returns the explanation of a predicate's hint, in Markdown.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn tooltip(
        &self,
        file: File,
        predicate: &Functor,
        settings: &Settings,
    ) -> Result<Option<String>, Cancelled> {
        self.read("tooltip", |db| {
            crate::hover::tooltip(db, file.0, predicate, settings)
        })
    }

    /// Returns the bounds of every predicate of a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn bounds(&self, file: File) -> Result<FileBounds, Cancelled> {
        self.read("bounds", |db| crate::reports::bounds::bounds(db, file.0))
    }

    /// Returns the equation systems of the bounds of a predicate under a pattern, with certificates.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn certificates(
        &self,
        file: File,
        predicate: &Functor,
        pattern: &Pattern,
    ) -> Result<Vec<Certified>, Cancelled> {
        self.read("certificates", |db| {
            costlens_analysis::queries::certificates(db, file.0, predicate, pattern)
        })
    }

    /// Returns the upper bound of a predicate under a pattern, evaluated at sizes for which there is no closed form.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn evaluate(
        &self,
        file: File,
        predicate: &Functor,
        report: &PatternReport,
        given: &[GivenSize],
    ) -> Result<Option<EvaluatedPoint>, Cancelled> {
        self.read("evaluate", |db| {
            crate::reports::bounds::evaluate(db, file.0, predicate, report, given)
        })
    }

    /// Returns the bounds of every predicate of a file on another resource, in the order of [`Snapshot::bounds`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn resource_bounds(
        &self,
        file: File,
        resource: &Resource,
    ) -> Result<Vec<PredicateBounds>, Cancelled> {
        self.read("resource_bounds", |db| {
            crate::reports::bounds::resource_bounds(db, file.0, resource)
        })
    }

    /// Returns the event or declared resource with a name that is visible in a file. Returns `None` for `time` and for undeclared names.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn resource_of(&self, file: File, name: &str) -> Result<Option<Resource>, Cancelled> {
        self.read("resource_of", |db| resource_of(db, file.0, &name.into()))
    }

    /// Returns the time of a predicate on a platform. Returns `None` if the file does not define the predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn time(
        &self,
        file: File,
        predicate: &Functor,
        prices: &Arc<Prices>,
    ) -> Result<Option<Times>, Cancelled> {
        self.read("time", |db| {
            crate::resources::time(db, file.0, predicate, prices)
        })
    }

    /// Returns the bounds at the argument sizes of one call: on the requested events, and also on time if prices are given.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn estimates(
        &self,
        file: File,
        terms: &Terms,
        goal: TermId,
        events: &[Event],
        prices: Option<&Arc<Prices>>,
        parameters: ParameterValues<'_>,
    ) -> Result<Result<Estimates, NoEstimates>, Cancelled> {
        self.read("estimates", |db| {
            crate::reports::estimates::estimates(
                db, file.0, terms, goal, events, prices, parameters,
            )
        })
    }

    /// Returns the pattern of the called predicate that a call matches. Returns `None` if no pattern matches.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn fitting_pattern(
        &self,
        file: File,
        terms: &Terms,
        goal: TermId,
    ) -> Result<Option<PatternReport>, Cancelled> {
        self.read("fitting_pattern", |db| {
            crate::reports::call_facts::fitting_pattern(db, file.0, terms, goal)
        })
    }

    /// Returns the modes of the calls to which a call leads. Other predicates are reported with the modes of the file's calls, or else with
    /// the modes of their displayed pattern.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn modes(
        &self,
        file: File,
        terms: &Terms,
        goal: TermId,
        others: &[Functor],
    ) -> Result<Modes, Cancelled> {
        self.read("modes", |db| {
            crate::reports::call_facts::modes(db, file.0, terms, goal, others)
        })
    }

    /// Returns the bounds on all events of a vocabulary that a predicate counts under its first pattern, at given sizes. Returns `None` if
    /// the file does not define the predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn counts(
        &self,
        file: File,
        predicate: &Functor,
        vocabulary: Vocabulary,
        sizes: &[GivenSize],
    ) -> Result<Option<Vec<(Event, StepsAt)>>, Cancelled> {
        self.read("counts", |db| {
            crate::reports::estimates::counts(db, file.0, predicate, vocabulary, sizes)
        })
    }

    /// Returns the verdicts on a file's assertions, and its problems under the project's settings. Assertions on time are checked for the
    /// platform of the given prices.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(
        &self,
        file: File,
        prices: Option<&Arc<Prices>>,
        project: Option<&Project>,
    ) -> Result<FileCheck, Cancelled> {
        self.read("check", |db| {
            crate::reports::check::check(db, file.0, prices, project)
        })
    }

    /// Returns the bounds of a file's predicates in the form of a lockfile, including those under the patterns of the lockfile's existing
    /// lines.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn measured(
        &self,
        file: File,
        before: &[&LockRow],
    ) -> Result<Vec<MeasuredPredicate>, Cancelled> {
        self.read("measured", |db| {
            crate::reports::lock::measured(db, file.0, before)
        })
    }

    /// Returns the predicates that a file defines, by name and arity.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn defined(&self, file: File) -> Result<Vec<String>, Cancelled> {
        self.read("defined", |db| crate::reports::lock::defined(db, file.0))
    }

    /// Returns the derivation of a predicate's bounds. Returns `None` if the file does not define the predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn explain(&self, file: File, predicate: &Functor) -> Result<Option<Explained>, Cancelled> {
        self.read("explain", |db| {
            crate::reports::derivation::explain(db, file.0, predicate)
        })
    }

    /// Returns the evidence from runs on small inputs for each pattern of a predicate. Returns `None` if the file does not define the
    /// predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn attained(
        &self,
        file: File,
        predicate: &Functor,
        effort: Effort,
    ) -> Result<Option<Vec<Arc<Attained>>>, Cancelled> {
        self.read("attained", |db| {
            crate::attained::of_all(db, file.0, predicate, effort)
        })
    }

    /// Generates calls of a predicate: the given number, with sizes up to a maximum, from a seed.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn calls(
        &self,
        file: File,
        predicate: &Functor,
        count: usize,
        largest: u32,
        seed: u64,
    ) -> Result<Result<Calls, NoCalls>, Cancelled> {
        self.read("calls", |db| {
            calls(db, file.0, predicate, count, largest, seed)
        })
    }

    /// Returns the facts about all calls to which a predicate without arguments leads, by callee. If a call cannot be followed, returns
    /// that call instead.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn followed(
        &self,
        file: File,
        entry: &Functor,
    ) -> Result<Result<BTreeMap<Functor, EveryCall>, NotFollowed>, Cancelled> {
        self.read("followed", |db| followed(db, file.0, entry))
    }

    /// Returns the files of a program for a run: a file, and the user's files that it loads directly or indirectly.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn program(&self, file: File) -> Result<Runnable, Cancelled> {
        self.read("program", |db| {
            crate::reports::runnable::runnable(db, file.0)
        })
    }

    /// Returns the clauses of a file as read, before any expansion.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn terms(&self, file: File) -> Result<Arc<FileTerms>, Cancelled> {
        self.read("terms", |db| terms(db, file.0))
    }

    /// Returns the places in a file at which predicates are named.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn names(&self, file: File) -> Result<Arc<[Name]>, Cancelled> {
        self.read("names", |db| names(db, file.0))
    }

    /// Returns the bounds of a predicate, and whether runs can be compared with them. Returns `None` if the file does not define the
    /// predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn grounds(&self, file: File, predicate: &Functor) -> Result<Option<Grounds>, Cancelled> {
        self.read("grounds", |db| {
            crate::reports::validation::grounds(db, file.0, predicate)
        })
    }

    /// Returns the bounds of one predicate on another resource, and for each pattern the user's assertions on which the bounds depend.
    /// Returns `None` if the file does not define the predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn bounds_on(
        &self,
        file: File,
        predicate: &Functor,
        resource: &Resource,
    ) -> Result<Option<BoundsOn>, Cancelled> {
        self.read("bounds_on", |db| {
            crate::reports::validation::on_resource(db, file.0, predicate, resource)
        })
    }

    /// Returns the compiled code of a predicate's clauses. Returns `None` if the file does not define the predicate.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn code(
        &self,
        file: File,
        predicate: &Functor,
        model: crate::reports::code::Model,
    ) -> Result<Option<crate::reports::code::Listing>, Cancelled> {
        self.read("code", |db| {
            crate::reports::code::code(db, file.0, predicate, model)
        })
    }
}
