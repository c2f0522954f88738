//! The target of `costlens_fuzz::expressions`.
#![cfg_attr(fuzzing, no_main)]

costlens_fuzz::target!(costlens_fuzz::expressions::holds);
