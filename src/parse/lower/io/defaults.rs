//! Defaults of input/output that the command line changes: the main program tells the runtime.

use crate::lower::Lower;
use crate::sema::scope::ScopeKind;
use trueline_abi::io::{BARE_EXPONENTS, DEFAULT_WIDTHS, LEGACY, UNSIGNED_ZERO};
use trueline_ir::Rt;

/// The bytes of a marker of an unformatted record, and the most bytes between two.
const MARKER: i32 = 4;
const SUBRECORD: i64 = 2_147_483_639;

/// What is not as it is without options.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct IoDefaults {
    /// `-fconvert=`: unformatted data have the bytes of the other order.
    pub swap: bool,
    /// `-frecord-marker=`
    pub marker: Option<i32>,
    /// `-fmax-subrecord-length=`
    pub subrecord: Option<i64>,
    /// `-fno-sign-zero`: a negative zero is written without its sign.
    pub unsigned_zero: bool,
    /// `-std=legacy`: a comma ends a numeric field of an internal unit, too; I/O may go on behind the end of a file.
    pub legacy: bool,
    /// `-fdec-format-defaults`: edit descriptors without a width have one by the kind of the item.
    pub widths: bool,
    /// `-fdec-blank-format-item`: the last item of a format may be empty.
    pub blank_items: bool,
    /// `-fdec`: an exponent that is read may lack its digits.
    pub exponents: bool,
}

impl IoDefaults {
    /// Applies `NAME=VALUE` after `-f`; `None` if it is none of these, false if there is no such value.
    pub fn apply(&mut self, name: &str, value: &str) -> Option<bool> {
        match name {
            "convert" => {
                self.swap = match value {
                    "native" => false,
                    "swap" => true,
                    "big-endian" => cfg!(target_endian = "little"),
                    "little-endian" => cfg!(target_endian = "big"),
                    _ => return Some(false),
                };
            }
            "record-marker" => match value {
                "4" => self.marker = Some(4),
                "8" => self.marker = Some(8),
                _ => return Some(false),
            },
            "max-subrecord-length" => match value.parse() {
                Ok(n) if (1..=SUBRECORD).contains(&n) => self.subrecord = Some(n),
                _ => return Some(false),
            },
            _ => return None,
        }
        Some(true)
    }
}

impl Lower<'_, '_> {
    /// At the beginning of the main program.
    pub(crate) fn io_defaults(&mut self) {
        let io = self.cx.decls.options.io;
        if io == IoDefaults::default() || self.cx.decls.scopes[self.home].kind != ScopeKind::Program {
            return;
        }
        let swap = self.int4(io.swap.into());
        let marker = self.int4(io.marker.unwrap_or(MARKER).into());
        let subrecord = self.int8(io.subrecord.unwrap_or(SUBRECORD));
        let flags = [
            (io.unsigned_zero, UNSIGNED_ZERO),
            (io.legacy, LEGACY),
            (io.widths, DEFAULT_WIDTHS),
            (io.exponents, BARE_EXPONENTS),
        ];
        let flags = self.int4(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| i64::from(*flag)).sum());
        self.call_rt(Rt::IoDefaults, &[swap, marker, subrecord, flags]);
    }
}
