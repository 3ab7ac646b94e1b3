//! Tests that drive the functions as compiled code does.

mod differential;
mod exact;
mod files;
mod fuzz;
mod golden;
mod program;
mod statements;
