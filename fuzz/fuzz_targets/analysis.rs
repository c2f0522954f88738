//! The target of `costlens_fuzz::analysis`.
#![cfg_attr(fuzzing, no_main)]

costlens_fuzz::target!(costlens_fuzz::analysis::holds);
