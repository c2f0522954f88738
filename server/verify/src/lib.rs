//! Checks certificates of bounds (`docs/certificates.md`).
//!
//! A certificate contains systems of equations, functions that are claimed to bound their solutions, and proofs. All proof obligations are
//! derived here from the equations and the claims. A proof only names the rules that prove an obligation, and their parameters.
//!
//! **Architecture invariant**: this crate uses numbers, expressions, regions and substitution from `costlens-algebra`, but neither the
//! solver nor the prover nor the elimination of variables. Unknown input is rejected. Depth, size and work are bounded, so that no input
//! exhausts the stack, the memory or the user's patience.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod axioms;
mod equations;
mod named;
mod proof;
mod purify;
mod read;
mod rows;

use serde_json::Value;
use thiserror::Error;

/// The reason why a text is not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// The reason why a claim is not verified.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// The outcome of a check.
pub(crate) type Check<T = ()> = Result<T, Refused>;

/// Refuses the claim.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Check<T> {
    Err(Refused(why.into()))
}

/// Refuses the claim unless the condition holds.
pub(crate) fn must(condition: bool, why: &str) -> Check {
    if condition { Ok(()) } else { refuse(why) }
}

/// A claimed bound and the result of its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The index of the system, from 0.
    pub system: usize,
    /// The index of the function in the system.
    pub function: usize,
    /// The index of the piece in the function.
    pub piece: usize,
    /// The name of the function, as stated by the certificate.
    pub name: String,
    /// The claim: `upper bound n+1 for n >= 0`.
    pub claim: String,
    /// The result of the check.
    pub verified: Result<(), Refused>,
}

/// Checks every bound of a certificate.
///
/// # Errors
/// Returns an error if the text is not a certificate.
pub fn verify(text: &str) -> Result<Vec<CheckedClaim>, Unreadable> {
    let document: Value = serde_json::from_str(text).map_err(|e| Unreadable(e.to_string()))?;
    let version = document.get("certificate").and_then(Value::as_u64);
    if version != Some(1) {
        return Err(Unreadable("not a certificate of version 1".to_owned()));
    }
    let systems = document.get("systems").and_then(Value::as_array);
    let Some(systems) = systems else {
        return Err(Unreadable("`systems` expected".to_owned()));
    };
    let mut outcomes = Vec::new();
    for (i, system) in systems.iter().enumerate() {
        let system = read::system(system).map_err(|e| Unreadable(format!("system {i}: {e}")))?;
        for (f, function) in equations::check(&system).into_iter().enumerate() {
            for (p, verified) in function.into_iter().enumerate() {
                let Some(verified) = verified else { continue };
                let function = &system.functions[f];
                outcomes.push(CheckedClaim {
                    system: i,
                    function: f,
                    piece: p,
                    name: function.name.clone(),
                    claim: function.pieces[p].text.clone(),
                    verified,
                });
            }
        }
    }
    Ok(outcomes)
}
