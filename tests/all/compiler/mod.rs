//! Building programs: command lines, build systems, the calling convention, targets, deep and long sources.

mod abi;
mod build_systems;
mod cli;
mod cross;
mod deep;
mod delivery;
pub(crate) mod fc;
mod fc_flags;
mod links;
mod long;
mod remarks;
mod run_checks;
mod scalars;
mod shapes;
mod standard;
mod values;
