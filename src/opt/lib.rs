//! The optimizer: analyses, passes and the pass list.
