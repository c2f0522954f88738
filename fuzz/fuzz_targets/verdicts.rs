//! The target of `costlens_fuzz::verdicts`.
#![cfg_attr(fuzzing, no_main)]

costlens_fuzz::target!(costlens_fuzz::verdicts::holds);
