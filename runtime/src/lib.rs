//! The library that compiled programs link: start-up, Fortran I/O, intrinsics, profile.
