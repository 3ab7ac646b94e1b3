//! The tests of the whole compiler. They are data: a new test is a Fortran file.

mod bad;
mod bisect;
mod build;
mod chains;
mod cli;
mod damage;
mod debug;
mod deep;
mod directions;
mod endings;
mod examples;
mod exports;
mod faults;
mod fc;
mod fc_flags;
mod feedback;
mod hostile;
mod library;
mod page;
mod remarks;
mod reports;
mod run;
mod run_checks;
mod selection;
mod values;
mod warnings;
