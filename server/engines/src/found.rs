//! Programs on `PATH`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Returns the file of a program: a path is used as it is, and a name is looked up on `PATH`.
pub fn find(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return is_program(path).then(|| path.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| {
            folder.join(format!(
                "{}{}",
                path.display(),
                std::env::consts::EXE_SUFFIX
            ))
        })
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}
