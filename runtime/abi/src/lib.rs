//! The parts that compiler and runtime share: the table of runtime functions, type codes, record layouts and
//! the profile format.
//!
//! **Invariant:** a function of the runtime that compiled code calls is declared here and nowhere
//! else. The compiler builds its signatures from [`Rt::signature`]; the runtime checks each of its
//! definitions against the same table at compile time, so the two cannot drift apart.

pub mod address_map;
pub mod cost;
pub mod exceptions;
pub mod filter;
pub mod functions;
pub mod io;
pub mod nest;
pub mod placement;
pub mod profile;
pub mod quad;
pub mod raw;
pub mod real;
pub mod record;
pub mod targets;
pub mod temporary;
pub mod trips;
pub mod types;

pub use functions::{Abi, Effect, Rt, Signature};
pub use quad::Quad;
pub use real::Real;
pub use record::RECORD_SIZE;
pub use types::TypeCode;
