//! trueline: a Fortran/HPF compiler that profiles the optimized program on its true source lines.
