//! The output of `costlens verify`.

use costlens_verify::CheckedClaim;
use serde::Serialize;

use super::SCHEMA;
use crate::cli::certificate::{Compared, NamedTexts};

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
    /// The version of Costlens that wrote the certificate; null if the certificate names no texts.
    costlens: Option<String>,
    /// The files from which its equations were derived.
    texts: Vec<Text>,
    /// The SHA-256 of the libraries that ship with this version.
    library: Option<String>,
    /// The files given by `--source`.
    sources: Vec<Source>,
    claims: Vec<Claim>,
}

/// A file from which a certificate was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Text {
    /// The file's name.
    file: String,
    /// The SHA-256 of its text in UTF-8.
    sha256: String,
}

/// A file to be compared with a certificate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Source {
    /// The file's name.
    file: String,
    /// True if the certificate was made from its text.
    same: bool,
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
    /// The predicate or value that the function describes, according to the certificate.
    name: String,
    /// `upper bound n+1 for n >= 0`.
    claim: String,
    verified: bool,
    /// The reason why the claim is not verified.
    reason: Option<String>,
}

/// Returns the document for some certificates.
pub(in crate::cli) fn document(certificates: Vec<Certificate>) -> Document {
    Document {
        schema: SCHEMA,
        certificates,
    }
}

/// Returns the verdicts on the certificate in a file.
pub(in crate::cli) fn certificate(
    file: &str,
    verdicts: &[CheckedClaim],
    named: &NamedTexts,
    sources: &[Compared],
) -> Certificate {
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
        costlens: named.costlens.clone(),
        texts: (named.texts.iter())
            .map(|text| Text {
                file: text.file.clone(),
                sha256: text.sha256.clone(),
            })
            .collect(),
        library: named.library.as_ref().map(|library| library.sha256.clone()),
        sources: (sources.iter())
            .map(|source| Source {
                file: source.file.clone(),
                same: source.is_same,
            })
            .collect(),
        claims: claims.collect(),
    }
}
