//! Passes on the arguments of calls between procedures of one compilation.

pub mod intent;
pub mod values;

#[cfg(test)]
mod tests;
