//! L to machine code through Cranelift.
