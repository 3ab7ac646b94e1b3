//! The protocols of `src/shared`, in all orders in which a few threads can take their steps (R18).
//!
//! The files of the library are included here with loom's atoms in place of the standard library's (`loom/atoms.rs`), so the code under test
//! is the code that runs. The models are also run with faults, one at a time: each step in a weaker order, each read-modify-write in two steps, each
//! store and each wake-up left out. Some model has to fail with every fault but those of a list, which says what is known of them.
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" cargo test --release --locked -p trueline-runtime --target-dir target/loom --test loom -- --nocapture
//! ```
#![allow(unexpected_cfgs, reason = "loom wants this name")]
#![cfg(loom)]
#![allow(unsafe_code, reason = "memory of the models is shared by threads")]
#![allow(dead_code, reason = "the library uses the rest of the protocols")]

#[path = "loom/atoms.rs"]
mod atoms;
#[path = "loom/faults.rs"]
mod faults;
#[path = "loom/models.rs"]
mod models;
#[path = "../src/shared/mod.rs"]
mod shared;
