//! The differences between gfortran's calling convention and ours.
//!
//! To our procedures an assumed-shape dummy is the address of elements without gaps, with its extents behind the hidden
//! lengths; an OPTIONAL one has a flag there that says whether it is there, and a number that is absent has memory all the
//! same. gfortran passes a descriptor, and the null address for an absent argument. A procedure with such dummies has two
//! symbols: gfortran's name follows gfortran's convention, and the name with [`DIRECT`] is ours. Code
//! generation makes the code between the two; the IR knows ours only.

use crate::{Returned, Type};

/// The end of the linker symbol of a procedure that is called by our own convention.
pub const DIRECT: &str = ".direct";

/// The end of the linker symbol beside that of a procedure which asks for mapped arrays of static memory (`resolve`). Other objects refer to it weakly.
pub const KNOWS_RANKS: &str = ".ranks";

/// The beginning of the symbol through which a procedure is called if only its address is known.
pub const THROUGH: &str = "trueline.through.";

/// A procedure that has both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bridge {
    /// The linker symbol, as the IR has it.
    pub symbol: String,
    /// The address to call is the first argument: a dummy procedure or a procedure pointer.
    pub by_address: bool,
    /// Our parameters in order: their types, `I8` for addresses.
    pub direct: Vec<Type>,
    /// gfortran's parameters in order.
    pub public: Vec<Passed>,
    /// The type that a function returns in registers; a subroutine with alternate returns gives its code.
    pub result: Option<Type>,
    /// The way in which a structure reaches gfortran's caller. Ours passes the address of memory for it first.
    pub structure: Option<Returned>,
}

/// A parameter of gfortran's convention, by the numbers of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passed {
    /// The same as ours.
    Same(u32),
    /// An address that is null if the argument is absent.
    Optional {
        /// Our address.
        address: u32,
        /// Our flag.
        flag: u32,
        /// The bytes that ours finds there if it is absent; 0 for the null address.
        spare: u32,
    },
    /// Whether an argument with VALUE is there: a byte.
    Flag(u32),
    /// A descriptor.
    Array(Array),
    /// Several of ours that lie one after the other in words on the stack: single precision numbers of a structure.
    Words {
        /// The first of ours.
        first: u32,
        /// Their number.
        count: u32,
    },
    /// A zero that nobody reads: the C ABI has no argument in this register.
    Filler(Type),
}

/// An assumed-shape array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Our address.
    pub address: u32,
    /// The first of our extents; the others follow.
    pub extents: u32,
    /// The first of our distances of elements, in bytes, if the array is passed as it lies; else it has no gaps.
    pub strides: Option<u32>,
    /// The number of dimensions.
    pub rank: u32,
    /// Our flag, if it is OPTIONAL.
    pub flag: Option<u32>,
    /// The bytes of an element.
    pub size: Size,
    /// Rank and type in the descriptor, its third word (of C's descriptor, its second).
    pub kind: i64,
    /// Whether a copied argument has to be copied back.
    pub changes: bool,
    /// The descriptor is C's.
    pub is_c: bool,
}

/// The bytes of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Known.
    Known(i64),
    /// The value of one of our parameters: a character length.
    Length(u32),
}

impl Bridge {
    /// A name for everything that the bridge says but its symbol.
    #[must_use]
    pub fn signature(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        for ty in self.direct.iter().chain(&self.result) {
            let _ = write!(out, "{ty:?}");
        }
        if let Some(way) = self.structure {
            let _ = write!(out, ".{}", way.word());
        }
        for p in &self.public {
            let _ = match p {
                Passed::Same(k) => write!(out, ".{k}"),
                Passed::Optional { address, flag, spare } => write!(out, ".o{address}_{flag}_{spare}"),
                Passed::Flag(k) => write!(out, ".f{k}"),
                Passed::Words { first, count } => write!(out, ".w{first}_{count}"),
                Passed::Filler(ty) => write!(out, ".z{ty:?}"),
                Passed::Array(a) => {
                    let size = match a.size {
                        Size::Known(n) => format!("{n}"),
                        Size::Length(k) => format!("l{k}"),
                    };
                    let flags = (u8::from(a.changes), u8::from(a.is_c));
                    write!(
                        out,
                        ".a{}_{}{}_{}_{}_{size}_{:x}_{}{}",
                        a.address,
                        a.extents,
                        a.strides.map_or(String::new(), |k| format!("s{k}")),
                        a.rank,
                        number(a.flag),
                        a.kind,
                        flags.0,
                        flags.1
                    )
                }
            };
        }
        out
    }
}

fn number(k: Option<u32>) -> String {
    k.map_or_else(String::new, |k| k.to_string())
}
