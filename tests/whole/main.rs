//! Whole programs: certificates, counts of the embedded machine, headlines by region, messages, fixtures split into modules, damaged ones,
//! workspaces compared with SWI-Prolog, stored answers.
#![cfg(test)]

mod callers;
mod certificates;
mod damage;
mod declared;
mod gnu_code;
mod headlines;
mod kept;
mod loaded_operators;
mod machine_counts;
mod messages;
mod modules_split;
mod relative;
mod swi_code;
mod validated;
mod warm;
mod workspaces;

#[path = "../support/binary.rs"]
mod binary;
#[path = "../swi_code/clauses.rs"]
mod clauses;
#[path = "../workspaces/generate.rs"]
mod generate;
#[path = "../../server/syntax/tests/support/imported.rs"]
mod imported;
#[path = "../../server/syntax/tests/support/library.rs"]
mod library;
#[path = "../support/project.rs"]
mod project;
#[path = "../support/seeds.rs"]
mod seeds;
