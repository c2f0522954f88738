//! Queries that run on several threads, each with its own snapshot.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use costlens_analysis::driver::{Contention, visit_share};
use costlens_analysis::report::Functor;
use costlens_program::{SourceFile, components, names, workspace};

use super::snapshot::Snapshot;
use crate::db::Database;
use crate::file::{Cancelled, File};
use crate::hints::{self, Arrived, Hint};
use crate::reports::coverage::{self, Coverage};
use crate::reports::overview::{FileOverview, Link, OverviewRequest, chain, overview};
use crate::settings::Settings;

/// The stack size of an analysis thread. Traversals of user terms are iterative; this size covers deep but bounded recursion.
const STACK: usize = 16 << 20;

/// Takes the next item, with its index, from a list that several threads share.
fn one_of<T: Copy>(all: &[T], next: &AtomicUsize) -> Option<(usize, T)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    all.get(i).map(|&one| (i, one))
}

impl Snapshot {
    /// Computes, on several threads, results that later queries on files need. This affects only speed, not answers.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn prepare(&self, files: &[File], threads: usize) -> Result<(), Cancelled> {
        let (next, threads) = (AtomicUsize::new(0), threads.max(1));
        if let Some(&first) = files.first() {
            self.follow_files(first, threads)?;
        }
        // Files are handed out one by one, and the last files by component. Files that are processed at the same time should be far apart
        // in the list: neighbours call the same predicates, so one thread would wait for another.
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
        // The shares for which one thread would have waited for another.
        let left: Mutex<Vec<(File, usize, usize)>> = Mutex::default();
        self.on_threads(threads, &|snapshot| {
            while let Some((_, (file, share, of))) = one_of(&shares, &next) {
                if !snapshot.read("prepare", |db| {
                    visit_share(db, file.0, share, of, Contention::Skip)
                })? {
                    let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                    left.push((file, share, of));
                }
            }
            loop {
                let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some((file, share, of)) = next else {
                    return Ok(());
                };
                snapshot.read("prepare", |db| {
                    visit_share(db, file.0, share, of, Contention::Wait)
                })?;
            }
        })
    }

    /// Determines, on several threads, the files on which each known file depends, and the calls of a file and of the files that are mutually
    /// dependent with it. Nearly all queries on the file need all of this.
    fn follow_files(&self, from: File, threads: usize) -> Result<(), Cancelled> {
        let files = self.read("files", |db| workspace::files(db))?;
        self.query_each(&files, threads, &|db, file| {
            names::depends_on(db, file);
        })?;
        let group = self.read("files", |db| names::files_of_group(db, from.0))?;
        self.query_each(&group, threads, &|db, file| {
            components(db, file);
        })
    }

    fn query_each(
        &self,
        files: &[SourceFile],
        threads: usize,
        query: &(dyn Fn(&Database, SourceFile) + Sync),
    ) -> Result<(), Cancelled> {
        let next = AtomicUsize::new(0);
        self.on_threads(threads.min(files.len()), &|snapshot| {
            while let Some((_, file)) = one_of(files, &next) {
                snapshot.read("follow_files", |db| query(db, file))?;
            }
            Ok(())
        })
    }

    /// Parses the clauses of files on several threads.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn read_clauses(&self, files: &[File], threads: usize) -> Result<(), Cancelled> {
        // Clauses are parsed with the operators that all files together declare, so the declarations are collected first.
        for declared_first in [true, false] {
            let next = AtomicUsize::new(0);
            self.on_threads(threads, &|snapshot| {
                while let Some((_, file)) = one_of(files, &next) {
                    snapshot.read("read_clauses", |db| {
                        if declared_first {
                            costlens_program::workspace::read_operators(db, file.0);
                        } else {
                            costlens_program::facts(db, file.0);
                        }
                    })?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Computes the hints of a file on this many threads. Results are reported as they become available, starting with predicates that have a
    /// clause in `shown`.
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
        if threads > 1 {
            self.follow_files(file, threads)?;
        }
        std::thread::scope(|scope| {
            for share in 1..threads {
                let helper = self.another();
                let work = move || {
                    // If this thread ends for any reason, the thread below also ends and reports the reason.
                    let _ = helper.read("hints", |db| {
                        visit_share(db, file.0, share, threads, Contention::Wait)
                    });
                };
                let builder = std::thread::Builder::new().stack_size(STACK);
                let _ = builder.spawn_scoped(scope, move || {
                    let _ = catch_unwind(AssertUnwindSafe(work));
                });
            }
            self.read("hints", |db| {
                hints::hints_as_they_come(db, file.0, settings, shown, tell)
            })
        })
    }

    /// Counts the requested predicates of each file, and the predicates with bounds among them. The bounds are not cached.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn count(
        &self,
        files: &[File],
        threads: usize,
        asked: &(dyn Fn(&Functor) -> bool + Sync),
    ) -> Result<Vec<Coverage>, Cancelled> {
        self.of_each(files, threads, &|snapshot, file| {
            snapshot.read("count", |db| coverage::count(db, file.0, asked))
        })
    }

    /// Returns an overview of each file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn overviews(
        &self,
        files: &[File],
        threads: usize,
        asked: &OverviewRequest<'_>,
    ) -> Result<Vec<FileOverview>, Cancelled> {
        self.of_each(files, threads, &|snapshot, file| {
            snapshot.read("overviews", |db| overview(db, file.0, asked))
        })
    }

    /// Returns, for each given predicate, the chain of calls that contribute most to its bound.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn chains(
        &self,
        of: &[(File, &Functor)],
        threads: usize,
    ) -> Result<Vec<Vec<Link>>, Cancelled> {
        self.of_each(of, threads, &|snapshot, (file, functor)| {
            snapshot.read("chains", |db| chain(db, file.0, functor))
        })
    }

    /// Returns the answer for each item, in order, computed on this many threads.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn of_each<T: Copy + Sync, A: Send>(
        &self,
        all: &[T],
        threads: usize,
        answer: &(dyn Fn(&Snapshot, T) -> Result<A, Cancelled> + Sync),
    ) -> Result<Vec<A>, Cancelled> {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, A)>> = Mutex::default();
        self.on_threads(threads, &|snapshot| {
            while let Some((i, one)) = one_of(all, &next) {
                let answer = answer(snapshot, one)?;
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push((i, answer));
            }
            Ok(())
        })?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(i, _)| *i);
        Ok(found.into_iter().map(|(_, answer)| answer).collect())
    }

    /// Runs the work on this many threads, each with its own snapshot.
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
                // No thread is available.
                return work(self);
            }
            let ended = workers.into_iter().map(|w| match w.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect()
        })
    }
}
