//! Results of inference that outlive the process: summaries in a store, for the next run of the command line or the editor.
//!
//! Inference learns about the program only by questions to the interface [`Program`](costlens_infer::Program), so its result is a function
//! of the answers. A kept result has the questions that were asked, with fingerprints of the answers (a *verifying trace*: Mokhov, Mitchell
//! and Peyton Jones, *Build Systems à la Carte*, 2018, §4.2.2). It is used where the current program gives the same answers; to find that
//! out, the questions are asked again, which also tells salsa on what the result depends.
//!
//! ```prolog
//! twice(Xs, Ys) :- app(Xs, Xs, Ys).     % asked: the clauses of twice/2, the meaning of app/3, its summary for (list, list, var)
//! ```

mod answers;
mod entry;
mod fingerprint;
mod portable;
mod recall;
mod recorder;
mod traced;

use std::fmt::Debug;

pub(crate) use self::entry::Kind;
pub(crate) use self::fingerprint::Fingerprint;
pub(crate) use self::portable::Portable;
pub(crate) use self::recall::kept_or;
pub(crate) use self::traced::Traced;

/// A place for results, as bytes by their keys. It may lose results, but never returns others than it was given.
pub trait Store: Debug + Send + Sync {
    /// Returns the bytes under a key.
    fn read(&self, key: u128) -> Option<Vec<u8>>;
    /// Keeps bytes under a key, in place of others.
    fn write(&self, key: u128, bytes: Vec<u8>);
}
