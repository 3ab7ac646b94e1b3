//! `-fconvert=`, `-frecord-marker=` and other options of input/output, which are passed to the runtime.

/// The bytes of a marker of an unformatted record.
pub const MARKER: i32 = 4;
/// The most bytes between two markers.
pub const SUBRECORD: i64 = 2_147_483_639;

/// Changes of input and output by options.
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
