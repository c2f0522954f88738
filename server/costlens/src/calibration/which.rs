//! The engines that can be calibrated.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::ValueEnum;
use costlens_engines::{Engine, GnuProlog, SwiProlog, Version};
use costlens_events::Vocabulary;
use costlens_platform::Platform;

use super::described;
use super::embedded::Embedded;

/// The engines on which times are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// SWI-Prolog.
    Swi,
    /// SWI-Prolog with `-O`, which compiles arithmetic.
    #[value(name = "swi-O")]
    SwiO,
    /// GNU Prolog, compiled by `gplc`.
    Gnu,
    /// Scryer Prolog.
    Scryer,
    /// The machine inside Costlens, on which `costlens run` runs programs.
    Embedded,
    /// An engine that a file describes.
    #[value(skip)]
    Described,
}

impl Which {
    /// Returns the engine, started as the given program or by its usual name.
    ///
    /// # Errors
    /// Fails if a description is missing or unusable.
    pub(crate) fn engine(self, program: Option<&PathBuf>) -> anyhow::Result<Box<dyn Engine>> {
        let swi = |optimise| {
            let mut engine = SwiProlog::new(optimise);
            if let Some(program) = program {
                engine.program = program.into();
            }
            Box::new(engine)
        };
        Ok(match self {
            Which::Swi => swi(false),
            Which::SwiO => swi(true),
            Which::Gnu => {
                let mut engine = GnuProlog::default();
                if let Some(program) = program {
                    engine.compiler = program.into();
                }
                Box::new(engine)
            }
            Which::Embedded => Box::new(Embedded),
            Which::Scryer => Box::new(described::scryer(program)),
            Which::Described => {
                let path = program.context("an engine is described by a file")?;
                Box::new(described::described(path)?)
            }
        })
    }

    /// Returns the events that explain times: instructions, if the engine's code is known.
    pub(super) fn vocabulary(self) -> Vocabulary {
        match self {
            Which::Swi => Vocabulary::Swi,
            Which::SwiO => Vocabulary::SwiOptimised,
            Which::Gnu => Vocabulary::Gnu,
            Which::Embedded => Vocabulary::Machine,
            // The code of these systems is unknown. Most systems index more than the first argument.
            Which::Scryer | Which::Described => Vocabulary::Portable,
        }
    }

    /// Returns the name of the model with these events.
    pub(super) fn model(self) -> &'static str {
        match self {
            Which::Swi | Which::SwiO | Which::Gnu | Which::Embedded => "instructions",
            Which::Scryer | Which::Described => "portable",
        }
    }

    /// Returns the platform's name without its model: `swi-9.0.4-O-x86_64`.
    pub(super) fn platform(self, version: &Version) -> String {
        let (name, flags) = match self {
            Which::Swi => ("swi", ""),
            Which::SwiO => ("swi", "-O"),
            Which::Gnu => ("gnu", ""),
            Which::Embedded => ("embedded", ""),
            Which::Scryer | Which::Described => {
                let name = described::short(&version.engine, &version.version);
                return format!("{name}-{}", std::env::consts::ARCH);
            }
        };
        let version = &version.version;
        format!("{name}-{version}{flags}-{}", std::env::consts::ARCH)
    }

    /// Returns the engine's name with its version. An engine's version text may begin with its name.
    pub(crate) fn described_as(self, version: &Version) -> String {
        let Version {
            engine, version, ..
        } = version;
        match (self, version.as_str()) {
            (Which::Described, "unknown") => engine.clone(),
            (Which::Scryer, said) => {
                format!("{engine} {}", described::number(said).unwrap_or(said))
            }
            (Which::Described, said) if said.starts_with(engine.as_str()) => said.to_owned(),
            _ => format!("{engine} {version}"),
        }
    }

    /// Returns the engine's word on the command line: `swi-O`.
    pub(crate) fn word(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns whether a platform has constants for this engine, compiled with the same flags. Platforms from papers describe systems of
    /// their time.
    pub(crate) fn is_of(self, platform: &Platform) -> bool {
        let optimised = platform.machine.get("flags").is_some_and(|f| f == "-O");
        let is_it = match self {
            Which::Swi => platform.engine.starts_with("SWI-Prolog ") && !optimised,
            Which::SwiO => platform.engine.starts_with("SWI-Prolog ") && optimised,
            Which::Gnu => platform.engine.starts_with("GNU Prolog "),
            Which::Scryer => platform.engine.starts_with("Scryer Prolog "),
            Which::Embedded | Which::Described => false,
        };
        is_it && platform.source != "paper"
    }

    /// Returns advice for an engine that cannot be run.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Which::Swi | Which::SwiO => {
                "SWI-Prolog is not to be had; install it (`swipl` on PATH), or name it with `--program`"
            }
            Which::Embedded => "the embedded machine does not run",
            Which::Scryer => {
                "Scryer Prolog is not to be had; install it (`scryer-prolog` on PATH), or name it with `--program`"
            }
            Which::Described => {
                "the engine does not say its version; mend `version` of its description, or leave it out"
            }
            Which::Gnu => {
                "GNU Prolog is not to be had; install it (`gplc` on PATH, and a C compiler), or name it with `--program`"
            }
        }
    }
}
