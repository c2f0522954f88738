//! Tests of stored runs: retention, and handling of unusable files.

use std::time::{Duration, SystemTime};

use costlens_history::HistoryError;
use costlens_history::store::{History, Limits, keep};

use crate::support::{numbers, open, run};

#[test]
fn a_run_is_read_as_it_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder/history.db");
    let kept = run(3, "abc");
    let mut history = open(&path);
    history.record(&kept).unwrap();
    history.record(&run(4, "abc")).unwrap();
    history.record(&run(5, "other code")).unwrap();
    let mut all = run(6, "abc");
    all.all = true;
    history.record(&all).unwrap();
    let reader = History::read(&path).unwrap();
    let runs = reader.runs(&kept.predicate, "abc", false).unwrap();
    assert_eq!(runs.runs.len(), 2);
    assert_eq!(runs.blocks.len(), 30);
    let first = &runs.runs[0];
    assert_eq!((first.at, first.ns), (3, 3));
    assert_eq!(first.inputs, kept.inputs);
    assert_eq!(first.amounts, kept.amounts);
    for (place, (block, reached, failed)) in kept.counts.iter().enumerate() {
        assert_eq!(runs.blocks[place], *block);
        assert_eq!(first.counts[place], (*reached, *failed));
    }
    assert_eq!(reader.known(&kept.predicate).unwrap(), (4, 4));
    assert_eq!(reader.known(&("q".into(), 1)).unwrap(), (0, 4));
    let none = reader.runs(&kept.predicate, "unknown", false).unwrap();
    assert_eq!(none.runs, []);
}

#[test]
fn the_newest_runs_of_a_code_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let limits = Limits {
        runs_of_code: 20,
        ..Limits::default()
    };
    let (mut history, _) = History::open(&path, &limits, SystemTime::now()).unwrap();
    for number in 0..50 {
        history.record(&run(number, "abc")).unwrap();
        history.record(&run(number, "xyz")).unwrap();
    }
    let wanted: Vec<i64> = (30..50).collect();
    assert_eq!(numbers(&path, "abc"), wanted);
    assert_eq!(numbers(&path, "xyz"), wanted);
}

#[test]
fn the_file_does_not_grow_beyond_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let limits = Limits {
        bytes: 200_000,
        ..Limits::default()
    };
    let (mut history, _) = History::open(&path, &limits, SystemTime::now()).unwrap();
    // The code changes with each run, so each run has its own blocks.
    for number in 0..200 {
        history
            .record(&run(number, &format!("code {number}")))
            .unwrap();
    }
    drop(history);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 2_000_000, "{size}");
    assert_eq!(numbers(&path, "code 199"), [199]);
    assert_eq!(numbers(&path, "code 0"), []);
    let known = History::read(&path)
        .unwrap()
        .known(&("p".into(), 1))
        .unwrap();
    assert!((5..100).contains(&known.0), "{known:?}");
}

#[test]
fn what_is_no_history_is_set_aside_and_kept() {
    let text = b"this is no database, but somebody may want it".repeat(100);
    let mut foreign = Vec::new();
    {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other.db");
        let connection = rusqlite::Connection::open(&other).unwrap();
        connection
            .execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);")
            .unwrap();
        drop(connection);
        foreign.extend(std::fs::read(&other).unwrap());
    }
    for contents in [text, foreign] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.db");
        std::fs::write(&path, &contents).unwrap();
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let aside = keep(&path, &run(1, "abc"), &Limits::default(), date)
            .unwrap()
            .unwrap();
        assert!(
            aside
                .now
                .to_string_lossy()
                .ends_with("history.db.2027-01-15T08-00-00"),
            "{aside}"
        );
        assert_eq!(std::fs::read(&aside.now).unwrap(), contents);
        assert!(
            aside.to_string().contains("a new history is begun"),
            "{aside}"
        );
        assert_eq!(numbers(&path, "abc"), [1]);
        assert_eq!(
            keep(&path, &run(2, "abc"), &Limits::default(), date).unwrap(),
            None
        );
        // A second file that is set aside at the same time must get another name.
        std::fs::write(&path, b"damaged").unwrap();
        let again = keep(&path, &run(1, "abc"), &Limits::default(), date)
            .unwrap()
            .unwrap();
        assert_ne!(again.now, aside.now);
    }
}

#[test]
fn damage_in_the_middle_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    for number in 0..300 {
        history.record(&run(number, "abc")).unwrap();
    }
    drop(history);
    let mut bytes = std::fs::read(&path).unwrap();
    // Overwrite all pages except the first, which contains the header and the schema.
    bytes[4096..].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let aside = keep(&path, &run(1, "abc"), &Limits::default(), SystemTime::now()).unwrap();
    assert!(aside.is_some());
    assert_eq!(numbers(&path, "abc"), [1]);
}

#[test]
fn a_locked_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    open(&path).record(&run(1, "abc")).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch("BEGIN IMMEDIATE; DELETE FROM run;")
        .unwrap();
    let error = open(&path).record(&run(2, "abc")).unwrap_err();
    assert!(matches!(error, HistoryError::Busy { .. }), "{error:?}");
    assert!(error.to_string().contains("--history"), "{error}");
    // Readers must not wait.
    assert_eq!(numbers(&path, "abc"), [1]);
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let path = file.join("history.db");
    let error = keep(&path, &run(1, "abc"), &Limits::default(), SystemTime::now()).unwrap_err();
    assert!(matches!(error, HistoryError::ReadOnly { .. }), "{error:?}");
    // There is a folder with this name.
    let error = keep(
        folder.path(),
        &run(1, "abc"),
        &Limits::default(),
        SystemTime::now(),
    );
    assert!(
        matches!(error, Err(HistoryError::ReadOnly { .. })),
        "{error:?}"
    );
}

#[test]
fn reading_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.db");
    assert!(matches!(
        History::read(&missing),
        Err(HistoryError::Missing(_))
    ));
    assert!(!missing.exists());
    let text = folder.path().join("text.db");
    std::fs::write(&text, "no database at all").unwrap();
    assert!(matches!(
        History::read(&text),
        Err(HistoryError::Unusable { .. })
    ));
    assert_eq!(
        std::fs::read_to_string(&text).unwrap(),
        "no database at all"
    );
}
