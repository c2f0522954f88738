//! The target of `costlens_fuzz::assertions`.
#![cfg_attr(fuzzing, no_main)]

costlens_fuzz::target!(costlens_fuzz::assertions::holds);
