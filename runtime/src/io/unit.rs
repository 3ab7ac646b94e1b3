//! The data of a unit: its file or memory, its modes, and the current record.

use super::stream::Stream;

/// The ways in which records are reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Access {
    Sequential,
    Direct,
    Stream,
}

/// The allowed transfers: reading, writing or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Action {
    Read,
    Write,
    ReadWrite,
}

/// The delimiters that list-directed output puts around characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Delim {
    /// As NONE, but NAMELIST output has quotes.
    Unspecified,
    None,
    Apostrophe,
    Quote,
}

/// Whether a plus sign is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Sign {
    Suppress,
    Plus,
}

/// `CARRIAGECONTROL=`, of DEC compilers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Carriage {
    /// A newline ends each record.
    List,
    /// The first character of a record says how the paper moves before it; a carriage return ends it.
    Fortran,
    /// Nothing.
    None,
}

impl Carriage {
    /// Adds the control characters before and after a record.
    pub fn apply(self, record: &mut Vec<u8>) {
        match self {
            Carriage::List => record.push(b'\n'),
            Carriage::None => {}
            Carriage::Fortran => {
                if record.is_empty() {
                    return;
                }
                let first = record.remove(0);
                let before: &[u8] = match first {
                    0 | b'+' => b"",
                    b'0' => b"\n\n",
                    b'1' => b"\x0c",
                    _ => b"\n",
                };
                record.splice(0..0, before.iter().copied());
                // These leave the next record on the same line.
                if !matches!(first, 0 | b'$') {
                    record.push(b'\r');
                }
            }
        }
    }
}

/// The rounding of decimal numbers. `Unspecified` and `Nearest` round to even on a tie, `Compatible` away from zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Rounding {
    Unspecified,
    Nearest,
    Up,
    Down,
    Zero,
    Compatible,
}

/// The modes that a format or a specifier of a data transfer changes for one statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Modes {
    /// Blanks in numeric input are zeros.
    pub blank_zero: bool,
    /// Characters around list-directed characters.
    pub delim: Delim,
    /// Short input records are padded.
    pub pad: bool,
    /// The decimal symbol is a comma.
    pub comma: bool,
    /// Plus signs.
    pub sign: Sign,
    /// Rounding of output.
    pub rounding: Rounding,
}

impl Modes {
    /// The modes of a unit whose OPEN says nothing.
    pub const DEFAULT: Modes = Modes {
        blank_zero: false,
        delim: Delim::Unspecified,
        pad: true,
        comma: false,
        sign: Sign::Suppress,
        rounding: Rounding::Unspecified,
    };
}

/// The position of the file with respect to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Before it, or not known to be at it.
    Before,
    /// The endfile record has been read or written: only BACKSPACE and REWIND lead back.
    After,
}

/// The record that is being read or written.
///
/// In output, `bytes` is the record as far as it has been written, and `at` the place of the next
/// character; in input, `bytes` is the whole record without its end. Between statements it is empty
/// unless the last one was non-advancing.
#[derive(Default, Debug)]
pub(crate) struct Record {
    pub bytes: Vec<u8>,
    pub at: usize,
    /// The left tab limit: where the statement began.
    pub left: usize,
    /// In output, where the cursor was before it was moved, if nothing has been written since.
    pub resume: usize,
    /// In input, that `bytes` holds a record; in output, that one is under way.
    pub open: bool,
    /// The place in the file at which an input record begins.
    pub start: u64,
    /// In input, that the file ended before the line did.
    pub cut: bool,
}

impl Record {
    /// Forgets the record.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.at = 0;
        self.left = 0;
        self.resume = 0;
        self.cut = false;
        self.open = false;
    }
}

/// The file of a unit.
#[derive(Debug)]
pub(crate) enum Medium {
    /// A file, pipe or terminal.
    File(Stream),
    /// A character variable, or an array of them.
    Memory(Memory),
}

/// An internal unit: `count` records of `len` bytes at `base`; `next` is the number of the next one.
#[derive(Debug)]
pub(crate) struct Memory {
    pub base: *mut u8,
    pub len: usize,
    pub count: usize,
    pub next: usize,
}

// SAFETY: the address is that of a variable of the statement that owns the unit; it is used only by the
// thread that executes the statement, and internal units never get into the table of units.
unsafe impl Send for Memory {}

/// The kind of the last data transfer on a unit: a change from one to the other repositions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Last {
    Nothing,
    Read,
    Write,
}

/// A connected unit, external or internal.
#[derive(Debug)]
pub(crate) struct Unit {
    pub number: i32,
    /// The name of the file; `None` for a scratch file and for an internal unit.
    pub name: Option<Vec<u8>>,
    pub medium: Medium,
    pub access: Access,
    pub formatted: bool,
    /// Whether `formatted` is decided by the first data transfer, as OPEN did not decide.
    pub form_is_open: bool,
    pub action: Action,
    pub modes: Modes,
    /// The longest record, of direct access the length of every one.
    pub recl: u64,
    /// The file is removed when it is closed.
    pub scratch: bool,
    /// The bytes of unformatted data and markers are swapped.
    pub swap: bool,
    /// The text between the records of a formatted sequential file.
    pub carriage: Carriage,
    /// `SHARE=`, for INQUIRE only.
    pub share: &'static str,
    /// `READONLY`: CLOSE does not delete the file.
    pub read_only: bool,
    /// `POSITION=` of INQUIRE, as far as it is known.
    pub position: &'static str,
    pub record: Record,
    pub end: End,
    pub last: Last,
    /// The next record of direct access, from 1; of sequential access, how many have been passed.
    pub next_record: u64,
    /// Formatted stream output that began before the end of the file cuts it after the record.
    pub cuts: bool,
    /// The data transfers with `ID=` so far.
    pub transfers: i64,
    /// `ASYNCHRONOUS='YES'` in OPEN.
    pub asynchronous: bool,
    /// `ENCODING='UTF-8'` in OPEN.
    pub utf8: bool,
    /// OPEN said how long a record may be.
    pub has_recl: bool,
    /// Preconnected: 0, 5 and 6 as they are at the start of the program.
    pub standard: bool,
    /// An error of output that was found when no statement could report it.
    pub lost: Option<super::error::IoError>,
}

/// `RECL` when it is not given: as of `libgfortran`.
pub(crate) const DEFAULT_RECL: u64 = 1_073_741_824;

impl Unit {
    /// A formatted sequential unit on `medium`, from which the others differ.
    pub fn new(number: i32, name: Option<Vec<u8>>, medium: Medium) -> Unit {
        Unit {
            number,
            name,
            medium,
            access: Access::Sequential,
            formatted: true,
            form_is_open: false,
            action: Action::ReadWrite,
            modes: Modes::DEFAULT,
            recl: DEFAULT_RECL,
            scratch: false,
            swap: false,
            carriage: Carriage::List,
            share: "NODENY",
            read_only: false,
            position: "ASIS",
            record: Record::default(),
            end: End::Before,
            last: Last::Nothing,
            next_record: 1,
            cuts: false,
            transfers: 0,
            asynchronous: false,
            utf8: false,
            has_recl: false,
            standard: false,
            lost: None,
        }
    }

    /// The stream of an external unit.
    pub fn stream(&mut self) -> Option<&mut Stream> {
        match &mut self.medium {
            Medium::File(stream) => Some(stream),
            Medium::Memory(_) => None,
        }
    }

    /// Whether it is an internal unit.
    pub fn is_internal(&self) -> bool {
        matches!(self.medium, Medium::Memory(_))
    }
}
