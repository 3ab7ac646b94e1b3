//! From the AST to VH: semantic analysis and lowering.
