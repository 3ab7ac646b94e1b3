//! The profile on the source: text reports and annotated source.
