//! Tests the result of a query whose thread waits for another thread that unwinds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use costlens_program::SourceFile;

use super::*;
use crate::db::Db;

/// The way in which the test query unwinds on the first thread.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// Unwinds because a write is pending.
    Write,
    /// Unwinds once, like queries of the driver.
    Once,
    /// Panics because of a bug.
    Panic,
}

/// The first thread that runs the test query unwinds once another thread may be waiting for it.
static COMES_FIRST: AtomicUsize = AtomicUsize::new(0);
static BEGUN: Barrier = Barrier::new(2);

#[salsa::tracked(returns(copy))]
fn unwinds(db: &dyn Db, file: SourceFile) -> usize {
    let end = match &*file.parsed(db).text {
        "write." => End::Write,
        "once." => End::Once,
        _ => End::Panic,
    };
    if COMES_FIRST.fetch_add(1, Ordering::SeqCst) > 0 {
        assert!(end != End::Panic, "seeded");
        return 1;
    }
    BEGUN.wait();
    // Gives the other thread time to wait for this thread. Without the delay, the test could miss an error, but could not report a false
    // error.
    std::thread::sleep(Duration::from_millis(100));
    match end {
        End::Write => loop {
            db.unwind_if_revision_cancelled();
            std::thread::yield_now();
        },
        End::Once => std::panic::resume_unwind(Box::new("needed first")),
        End::Panic => panic!("seeded"),
    }
}

/// Returns the result of the waiting thread. Returns `None` if it panics.
fn waits_for(end: &str) -> Option<Result<usize, Cancelled>> {
    COMES_FIRST.store(0, Ordering::SeqCst);
    let mut host = Host::new();
    let file = host.open("a.pl", end);
    let (first, second) = (host.snapshot(), host.snapshot());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = catch_unwind(AssertUnwindSafe(|| {
                first.read("unwinds", |db| unwinds(db, file.0))
            }));
        });
        let waits = scope.spawn(move || {
            BEGUN.wait();
            let asked = catch_unwind(AssertUnwindSafe(|| {
                second.read("unwinds", |db| unwinds(db, file.0))
            }));
            drop(second);
            asked.ok()
        });
        if end == "write." {
            std::thread::sleep(Duration::from_millis(50));
            host.close(file);
        }
        waits.join().unwrap()
    })
}

#[test]
fn who_waits_for_a_thread_that_unwinds_is_cancelled_or_asks_again_or_panics_as_well() {
    assert_eq!(waits_for("write."), Some(Err(Cancelled)));
    assert_eq!(waits_for("once."), Some(Ok(1)));
    assert_eq!(waits_for("panic."), None);
}
