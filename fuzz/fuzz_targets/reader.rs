//! The target of `costlens_fuzz::reader`.
#![cfg_attr(fuzzing, no_main)]

costlens_fuzz::target!(costlens_fuzz::reader::holds);
