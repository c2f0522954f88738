//! The command line, as users start it: texts, JSON, exit codes, programs of several files.
#![cfg(test)]

mod altered;
mod assertions;
mod budgets;
mod calibrate;
mod causes;
mod commands;
mod effects;
mod expansion;
mod fixes;
mod hooks;
mod inferences;
mod library;
mod locked;
mod modules;
mod multifile;
mod opened;
mod own_resources;
mod parameters;
mod predict;
mod printed;
mod profile;
mod projects;
mod qualified;
mod reading;
mod reasons;
mod recorded;
mod regions;
mod regressions;
mod report;
mod run;
mod shells;
mod silent;
mod tabled;
mod times;
mod trust;
mod validate;
mod work;

#[path = "../support/binary.rs"]
mod binary;
#[path = "../support/centre_programs.rs"]
mod centre_programs;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/project.rs"]
mod project;
