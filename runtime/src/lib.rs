//! The library that compiled programs link: start-up, Fortran I/O, intrinsics, profile.
//!
//! **Invariants**
//! - Every function that compiled code calls is a row of the table in `trueline-abi`, and its
//!   definition here has exactly the row's type: [`exports`] does not compile otherwise.
//! - Nothing unwinds into compiled code, and nothing a program does makes the library panic: errors are reported as
//!   `libgfortran` reports them, with its exit codes.
//! - Every way out of the program is [`exit::leave`] or the return of `trueline_start`, so that
//!   output and profile are never lost.
#![allow(unsafe_code)]

pub mod aliases;
pub mod args;
mod atoms;
mod backtrace;
pub mod chars;
pub mod clock;
pub mod closure;
pub mod contiguous;
pub mod elementary;
pub mod environment;
pub mod exceptions;
pub mod exit;
pub mod exports;
pub mod faults;
pub mod fill;
mod heap;
pub mod ieee;
mod interrupted;
pub mod io;
pub mod library;
pub mod long;
pub mod memory;
pub mod multiply;
pub mod numbers;
pub mod owned;
pub mod passed;
pub mod pause;
pub mod profile;
pub mod random;
pub mod ranks;
mod reach;
mod shared;
mod signals;
pub mod specifics;
pub mod specifics_complex;
pub mod stack_room;
pub mod start;
pub mod targets;
pub mod transpose;
pub mod trips;
