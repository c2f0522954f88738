//! The program under test, in a home of its own.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Returns the program that cargo has built, or that `COSTLENS_BIN` names. The user's platforms and caches are neither read nor overwritten.
pub(crate) fn costlens() -> Command {
    let named = std::env::var_os("COSTLENS_BIN");
    let built = option_env!("CARGO_BIN_EXE_costlens").map(OsString::from);
    let program = named
        .or(built)
        .expect("the costlens binary: set COSTLENS_BIN or run the test through cargo");
    let mut command = Command::new(program);
    in_empty_home(&mut command);
    command
}

/// Sets folders of the tests for a command in place of the user's own.
pub(crate) fn in_empty_home(command: &mut Command) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"));
    command.env_remove("NO_COLOR").env("HOME", home);
    for (variable, folder) in [
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
    ] {
        command.env(variable, home.join(folder));
    }
}
