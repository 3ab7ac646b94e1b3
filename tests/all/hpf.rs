//! HPF.
