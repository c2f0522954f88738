//! The target of `costlens_fuzz::edits`.
#![cfg_attr(fuzzing, no_main)]

costlens_fuzz::target!(costlens_fuzz::edits::holds);
