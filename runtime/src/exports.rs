//! The compile-time check that each definition has the type its row of the table says.

pub use crate::aliases::*;
pub use crate::args::*;
pub use crate::chars::*;
pub use crate::clock::*;
pub use crate::closure::*;
pub use crate::contiguous::*;
pub use crate::elementary::*;
pub use crate::environment::*;
pub use crate::exceptions::*;
pub use crate::faults::*;
pub use crate::fill::*;
pub use crate::io::*;
pub use crate::memory::*;
pub use crate::multiply::*;
pub use crate::numbers::*;
pub use crate::owned::*;
pub use crate::passed::*;
pub use crate::pause::*;
pub use crate::profile::*;
pub use crate::random::*;
pub use crate::ranks::*;
pub use crate::stack_room::*;
pub use crate::start::*;
pub use crate::targets::*;
pub use crate::transpose::*;
pub use crate::trips::*;

macro_rules! rust_type {
    (I32) => { i32 };
    (I64) => { i64 };
    (F32) => { f32 };
    (F64) => { f64 };
    (In) => { *const u8 };
    (Out) => { *mut u8 };
    (Opaque) => { *mut u8 };
}

macro_rules! function_type {
    (($($param:ident),*), None, NoReturn) => {
        unsafe extern "C" fn($(rust_type!($param)),*) -> !
    };
    (($($param:ident),*), None, $effect:ident) => {
        unsafe extern "C" fn($(rust_type!($param)),*)
    };
    (($($param:ident),*), $result:ident, $effect:ident) => {
        unsafe extern "C" fn($(rust_type!($param)),*) -> rust_type!($result)
    };
}

macro_rules! check {
    ($($(#[$doc:meta])* $name:ident $symbol:ident($($param:ident: $ty:ident),*) -> $result:ident, $effect:ident;)*) => {
        $(const _: function_type!(($($ty),*), $result, $effect) = $symbol;)*
    };
}

trueline_abi::for_each_runtime_function!(check);
