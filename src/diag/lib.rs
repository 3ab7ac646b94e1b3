//! Source files, positions and diagnostics of trueline.
