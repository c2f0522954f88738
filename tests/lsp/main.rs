//! The language server through the protocol, as an editor speaks to it.
#![cfg(test)]

mod budgets;
mod damage;
mod examples;
mod files;
mod histories;
mod hooks_are_not_run;
mod light_bulbs;
mod links;
mod modules;
mod multifile;
mod navigation;
mod predictions;
mod profiles;
mod protocol;
mod survives;
mod workspace;

#[path = "../support/binary.rs"]
mod binary;
#[path = "../support/client.rs"]
mod client;
#[path = "../workspaces/generate.rs"]
mod generate;
#[path = "../bench/program.rs"]
mod program;
#[path = "../support/project.rs"]
mod project;
#[path = "../support/seeds.rs"]
mod seeds;
