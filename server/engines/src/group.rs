//! Differences between operating systems: process groups, limits, and detecting the end of a child.

#[cfg(unix)]
pub(crate) use unix::{SIGKILL, SIGXCPU, ended, kill, limited};
#[cfg(not(unix))]
pub(crate) use windows::{SIGKILL, SIGXCPU, ended, kill, limited};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::sync::OnceLock;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    use crate::limits::{End, Limits};

    pub(crate) const SIGKILL: i32 = Signal::KILL.as_raw();
    pub(crate) const SIGXCPU: i32 = Signal::XCPU.as_raw();

    /// Sets limits and becomes the program. If setting a limit fails, a lower limit is already set, or the system lacks this limit. The
    /// hard limit of CPU time is one second higher, for programs that ignore the signal.
    const SET_LIMITS: &str = r#"{ ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t "$2"; ulimit -v "$3"; } 2>/dev/null; shift 3; exec "$@""#;

    /// Waits for a program, and adds 128 to the exit code if a signal has ended it.
    const WAIT: &str = r#""$@"; exit $?"#;

    /// util-linux wrappers, the best first: the child dies with this process, and all its descendants die with the child. The first process
    /// of a namespace is immune to signals without handlers, so a shell is the first process instead of the program.
    const WRAPPERS: &[&[&str]] = &[
        &[
            "setpriv",
            "--pdeathsig",
            "KILL",
            "unshare",
            "--user",
            "--map-current-user",
            "--pid",
            "--fork",
            "--kill-child",
            "sh",
            "-c",
            WAIT,
            "sh",
        ],
        &["setpriv", "--pdeathsig", "KILL"],
        &[],
    ];

    /// Returns a command that runs the program within limits, in a process group of its own.
    pub(crate) fn limited(program: &Path, limits: &Limits) -> Command {
        let seconds = (limits.cpu).map(|most| most.as_secs() + u64::from(most.subsec_nanos() > 0));
        let [soft, hard] = [0, 1].map(|more| match seconds {
            Some(seconds) => (seconds + more).to_string(),
            None => "unlimited".to_owned(),
        });
        let mut words = wrapper().iter().copied().chain(["sh"]);
        let mut command = Command::new(words.next().unwrap_or("sh"));
        command
            .args(words)
            .args(["-c", SET_LIMITS, "sh"])
            .args([soft, hard])
            .arg((limits.memory >> 10).to_string())
            .arg(program)
            .process_group(0);
        command
    }

    /// Returns the best wrapper that works on this system, which is determined once.
    fn wrapper() -> &'static [&'static str] {
        static WORKS: OnceLock<&[&str]> = OnceLock::new();
        WORKS.get_or_init(|| {
            let works = |words: &&&[&str]| {
                let Some((first, rest)) = words.split_first() else {
                    return true;
                };
                Command::new(first)
                    .args(rest)
                    .arg("true")
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .status()
                    .is_ok_and(|status| status.success())
            };
            WRAPPERS.iter().find(works).copied().unwrap_or_default()
        })
    }

    /// Returns how the child ended, or `None` if it is running. It remains a zombie, so that its process id, which is also that of its
    /// group, cannot be reused yet.
    pub(crate) fn ended(child: &Child) -> io::Result<Option<End>> {
        let Some(pid) = pid(child) else {
            return Ok(None);
        };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(pid), options)?;
        Ok(status.map(|status| match status.exit_status() {
            Some(code @ 129..=192) if wrapper().contains(&WAIT) => End::Signal(code - 128),
            Some(code) => End::Exited(code),
            None => End::Signal(status.terminating_signal().unwrap_or(SIGKILL)),
        }))
    }

    /// Kills all processes in the child's group. None escapes, since a process with a pending signal does not fork.
    pub(crate) fn kill(child: &mut Child) {
        if let Some(pid) = pid(child) {
            // The child exists, at least as a zombie, so a failure does not matter.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    fn pid(child: &Child) -> Option<Pid> {
        Pid::from_raw(child.id().cast_signed())
    }
}

#[cfg(not(unix))]
mod windows {
    use std::io;
    use std::path::Path;
    use std::process::{Child, Command};

    use crate::limits::{End, Limits};

    pub(crate) const SIGKILL: i32 = 9;
    pub(crate) const SIGXCPU: i32 = 24;

    /// Returns a command with limits on wall time and output, but not on CPU time and memory.
    pub(crate) fn limited(program: &Path, _: &Limits) -> Command {
        Command::new(program)
    }

    pub(crate) fn ended(child: &mut Child) -> io::Result<Option<End>> {
        let status = child.try_wait()?;
        Ok(status.map(|status| End::Exited(status.code().unwrap_or(-1))))
    }

    /// Kills only the child, since this system has no process groups.
    pub(crate) fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
