//! Fortran source form, tokens, grammar and AST.
