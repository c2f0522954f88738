//! The output of `costlens verify`.

use costlens_verify::Outcome;
use serde::Serialize;

use super::SCHEMA;

/// The verdicts on certificates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    certificates: Vec<Certificate>,
}

/// A file of claims with their proofs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Certificate {
    /// The file's name.
    file: String,
    claims: Vec<Claim>,
}

/// A claim: one piece of a function in a system.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Claim {
    /// The system, from 0.
    system: usize,
    /// The function in the system.
    function: usize,
    /// The piece of the function.
    piece: usize,
    /// Whose function it is, as the certificate says.
    name: String,
    /// `upper bound n+1 for n >= 0`.
    claim: String,
    verified: bool,
    /// The reason that it is not verified.
    reason: Option<String>,
}

/// The document of some certificates.
pub(in crate::cli) fn document(certificates: Vec<Certificate>) -> Document {
    Document {
        schema: SCHEMA,
        certificates,
    }
}

/// The verdicts on one file.
pub(in crate::cli) fn certificate(file: &str, verdicts: &[Outcome]) -> Certificate {
    let claims = verdicts.iter().map(|v| Claim {
        system: v.system,
        function: v.function,
        piece: v.piece,
        name: v.name.clone(),
        claim: v.claim.clone(),
        verified: v.verified.is_ok(),
        reason: v.verified.as_ref().err().map(ToString::to_string),
    });
    Certificate {
        file: file.to_owned(),
        claims: claims.collect(),
    }
}
