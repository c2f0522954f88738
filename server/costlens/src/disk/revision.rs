//! The files of a revision, obtained by running Git, which locates the repository and converts the texts.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use tempfile::TempDir;

/// A revision of a repository, checked out outside its work tree. The repository's index and files are not touched.
pub(crate) struct Revision {
    /// The top-level folder of the repository.
    pub(crate) top: PathBuf,
    /// The folder with the files of the revision.
    pub(crate) files: PathBuf,
    _folder: TempDir,
}

impl Revision {
    /// Checks out the merge base of HEAD and a revision (`main`, `HEAD~3`) of the repository that contains a folder, so that later changes
    /// to that revision do not count as changes of this branch.
    ///
    /// # Errors
    /// Fails if Git, the repository, the revision or a common ancestor with HEAD is missing, or if there is no space for the files.
    pub(crate) fn check_out_base(beside: &Path, name: &str) -> anyhow::Result<Self> {
        let top = PathBuf::from(git(beside, &["rev-parse", "--show-toplevel"], None)?);
        let commit = format!("{name}^{{commit}}");
        let found = git(
            &top,
            &["rev-parse", "--verify", "--end-of-options", &commit],
            None,
        );
        let commit =
            found.with_context(|| format!("`{name}` is no revision of `{}`", top.display()))?;
        let tree = git(&top, &["merge-base", &commit, "HEAD"], None)
            .with_context(|| {
                format!(
                    "`{name}` and HEAD have no commit in common here; where the history was fetched in part, fetch all of it (`git fetch --unshallow`)"
                )
            })?;
        let folder = TempDir::new().context("no folder for the files of the revision")?;
        let (index, files) = (folder.path().join("index"), folder.path().join("files"));
        let prefix = format!("--prefix={}/", files.display());
        git(&top, &["read-tree", &tree], Some(&index))?;
        git(
            &top,
            &["checkout-index", "--all", "--quiet", &prefix],
            Some(&index),
        )?;
        Ok(Self {
            top,
            files,
            _folder: folder,
        })
    }
}

/// Runs Git and returns the first line of its output. `index` is used in place of the repository's index.
fn git(folder: &Path, arguments: &[&str], index: Option<&Path>) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let out = command.output().context("Git cannot be started")?;
    if !out.status.success() {
        let complaint = String::from_utf8_lossy(&out.stderr);
        bail!("git: {}", complaint.trim().trim_start_matches("fatal: "));
    }
    let answer = String::from_utf8_lossy(&out.stdout);
    Ok(answer.lines().next().unwrap_or_default().to_owned())
}
