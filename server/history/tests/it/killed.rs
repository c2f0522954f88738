//! Tests of writers that are killed or run out of space.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use costlens_history::HistoryError;
use costlens_history::store::{History, Limits, keep};

use crate::support::{FILE, numbers, open, run, writer};

/// Not a test, but the process to be killed. It reports each committed run, and the reason why it ends.
#[test]
#[ignore = "the writer of the other tests"]
fn a_writer() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let path = Path::new(&path);
    let say = |line: &str| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}").unwrap();
        out.flush().unwrap();
    };
    let pid = i64::from(std::process::id()) % 1_000_000;
    for number in 0..3000 {
        let number = pid * 3000 + number;
        match keep(
            path,
            &run(number % 1_000_000_000, "abc"),
            &Limits::default(),
            SystemTime::now(),
        ) {
            Ok(_) => say(&format!("kept {}", number % 1_000_000_000)),
            Err(HistoryError::Full(_)) => return say("full"),
            Err(error) => return say(&format!("error {error:?}")),
        }
    }
}

/// Returns the runs that a writer has reported as stored.
fn kept(lines: &[String]) -> Vec<i64> {
    let numbers = lines.iter().filter_map(|l| l.strip_prefix("kept "));
    numbers.map(|n| n.parse().unwrap()).collect()
}

#[test]
fn a_hundred_kills_lose_no_run_and_damage_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".costlens/history.db");
    let mut all = Vec::new();
    let mut state = 42_u64;
    for _ in 0..100 {
        let mut child = writer(&path, "exec");
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                // Ignore an incomplete last line.
                if line.starts_with("kept ") || line.starts_with("error") {
                    let _ = send.send(line);
                }
            }
        });
        // Choose a random moment: before the first run or after up to three runs, in fractions of the time of a run on this disk.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let by_chance = (state >> 33) as u32;
        let begun = Instant::now();
        let runs: Vec<String> = (lines.iter().take((by_chance % 4) as usize)).collect();
        let one = match runs.len() {
            0 => Duration::from_millis(10),
            n => begun.elapsed() / u32::try_from(n).unwrap(),
        };
        std::thread::sleep(one * (by_chance / 4 % 100) / 100);
        child.kill().unwrap();
        child.wait().unwrap();
        reader.join().unwrap();
        let lines: Vec<String> = runs.into_iter().chain(lines.try_iter()).collect();
        let wrong = lines.iter().find(|l| l.starts_with("error"));
        assert_eq!(wrong, None);
        all.extend(kept(&lines));
    }
    assert!(all.len() > 100, "{} runs were kept", all.len());
    let found = numbers(&path, "abc");
    // The newest runs must be kept, according to the limits.
    let newest = all.len().saturating_sub(1900);
    for number in &all[newest..] {
        assert!(found.contains(number), "run {number} is lost");
    }
    let aside = std::fs::read_dir(path.parent().unwrap()).unwrap();
    let names: Vec<String> = aside
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!names.iter().any(|n| n.contains(".db.")), "{names:?}");
    // Writing must still be possible.
    open(&path).record(&run(1, "abc")).unwrap();
}

#[test]
fn two_writers_wait_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let threads: Vec<_> = (0..2)
        .map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || {
                for number in 0..150 {
                    let run = run(writer * 1000 + number, "abc");
                    keep(&path, &run, &Limits::default(), SystemTime::now()).unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    let mut found = numbers(&path, "abc");
    found.sort_unstable();
    let wanted: Vec<i64> = (0..150).chain(1000..1150).collect();
    assert_eq!(found, wanted);
}

/// A file size limit simulates a full disk.
#[test]
fn a_full_disk_is_said_and_what_was_kept_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    open(&path).record(&run(5, "abc")).unwrap();
    // The limit is in blocks of 512 bytes; the signal would end the process before it can report anything.
    let mut child = writer(&path, "trap '' XFSZ; ulimit -f 300; exec");
    let out = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = out.lines().map_while(Result::ok).collect();
    child.wait().unwrap();
    assert!(lines.iter().any(|l| l == "full"), "{lines:?}");
    let found = numbers(&path, "abc");
    for number in kept(&lines).into_iter().chain([5]) {
        assert!(found.contains(&number), "run {number} is lost");
    }
    // Without the limit, writing must be possible again.
    open(&path).record(&run(6, "abc")).unwrap();
    assert!(History::read(&path).is_ok());
}

/// A read-only folder with read-only files.
#[test]
fn a_folder_that_may_not_be_written_is_said_and_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept/history.db");
    open(&path).record(&run(5, "abc")).unwrap();
    let may = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    may(folder.path(), 0o755);
    for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        may(&entry.unwrap().path(), 0o444);
    }
    may(path.parent().unwrap(), 0o555);
    // Root may write anywhere, so run the writer as another user.
    let id = std::process::Command::new("id").arg("-u").output().unwrap();
    let shell = match id.stdout.as_slice() {
        b"0\n" => "exec setpriv --reuid 65534 --regid 65534 --clear-groups",
        _ => "exec",
    };
    let mut child = writer(&path, shell);
    let out = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = out.lines().map_while(Result::ok).collect();
    child.wait().unwrap();
    assert!(
        lines.iter().any(|l| l.contains("error ReadOnly")),
        "{lines:?}"
    );
    assert_eq!(numbers(&path, "abc"), [5]);
    may(path.parent().unwrap(), 0o755);
}
