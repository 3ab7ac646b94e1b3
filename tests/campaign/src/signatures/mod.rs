//! Random signatures: structures and numbers by value and by reference, as arguments and results, between this compiler's
//! objects, gfortran's, and C's.
//!
//! 1. [`make`] makes signatures from a seed.
//! 2. [`print`] writes them as the procedures of one file, a program that calls them, and both in C. Each callee notes the parts
//!    of its arguments, and each caller those of the result.
//! 3. [`run`] compiles and mixes the objects: the notes must be those of gfortran and C alone.

pub mod make;
pub mod print;
pub mod run;
