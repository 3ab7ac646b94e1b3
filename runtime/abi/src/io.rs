//! The protocol of an input/output statement.
//!
//! A statement is a sequence of calls: `io_begin`, one `io_int`/`io_str`/`io_out` for each
//! specifier, `io_start`, one `io_item` or `io_array` for each effective item, `io_end`. Statements
//! nest (a function called in an output list may write to an internal file), so the runtime keeps a
//! stack of them. After an error every further call of the statement does nothing, and `io_end`
//! tells which branch to take; without `IOSTAT=`, `ERR=`, `END=` or `EOR=` the program ends there.

/// The statement that `io_begin` opens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum IoOp {
    Read = 1,
    Write = 2,
    Open = 3,
    Close = 4,
    Inquire = 5,
    Rewind = 6,
    Backspace = 7,
    Endfile = 8,
    Flush = 9,
    Wait = 10,
}

/// A specifier. The text of each says which of `io_int`, `io_str` and `io_out` passes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum IoSpec {
    /// `UNIT=` by number (int). `*` is passed as [`DEFAULT_UNIT`].
    Unit = 1,
    /// Internal unit (out, `Char`): the variable; for an array, [`IoSpec::InternalCount`] follows.
    InternalUnit = 2,
    /// The number of records of an internal unit that is an array (int).
    InternalCount = 3,
    /// `FMT=` (str). Absent: unformatted.
    Fmt = 4,
    /// `FMT=*`, list-directed (int, 1).
    ListDirected = 5,
    /// `NML=` (str): the group's name. Each object is named by `io_object`, and its first element passed as an item;
    /// all are transferred when the statement ends.
    Nml = 6,
    /// `REC=` (int)
    Rec = 7,
    /// `ADVANCE=` (str)
    Advance = 8,
    /// `IOSTAT=` (out, integer)
    Iostat = 9,
    /// `IOMSG=` (out, `Char`)
    Iomsg = 10,
    /// `ERR=` is present (int, 1)
    Err = 11,
    /// `END=` is present (int, 1)
    End = 12,
    /// `EOR=` is present (int, 1)
    Eor = 13,
    /// `SIZE=` (out, integer)
    Size = 14,
    /// `FILE=` (str)
    File = 15,
    /// `STATUS=` (str)
    Status = 16,
    /// `ACCESS=` (str in OPEN, out in INQUIRE)
    Access = 17,
    /// `FORM=` (str in OPEN, out in INQUIRE)
    Form = 18,
    /// `RECL=` (int in OPEN, out in INQUIRE)
    Recl = 19,
    /// `BLANK=` (str in OPEN, out in INQUIRE)
    Blank = 20,
    /// `POSITION=` (str in OPEN, out in INQUIRE)
    Position = 21,
    /// `ACTION=` (str in OPEN, out in INQUIRE)
    Action = 22,
    /// `DELIM=` (str in OPEN, out in INQUIRE)
    Delim = 23,
    /// `PAD=` (str in OPEN, out in INQUIRE)
    Pad = 24,
    /// `EXIST=` (out, logical)
    Exist = 25,
    /// `OPENED=` (out, logical)
    Opened = 26,
    /// `NUMBER=` (out, integer)
    Number = 27,
    /// `NAMED=` (out, logical)
    Named = 28,
    /// `NAME=` (out, `Char`)
    Name = 29,
    /// `SEQUENTIAL=` (out, `Char`)
    Sequential = 30,
    /// `DIRECT=` (out, `Char`)
    Direct = 31,
    /// `FORMATTED=` (out, `Char`)
    Formatted = 32,
    /// `UNFORMATTED=` (out, `Char`)
    Unformatted = 33,
    /// `NEXTREC=` (out, integer)
    Nextrec = 34,
    /// `READ=` (out, `Char`)
    ReadAllowed = 35,
    /// `WRITE=` (out, `Char`)
    WriteAllowed = 36,
    /// `READWRITE=` (out, `Char`)
    ReadwriteAllowed = 37,
    /// `NEWUNIT=` (out, integer)
    Newunit = 38,
    /// `POS=` (int in READ/WRITE, out in INQUIRE)
    Pos = 39,
    /// `IOLENGTH=` (out, integer)
    Iolength = 40,
    /// `ENCODING=`, `ROUND=`, `SIGN=`, `DECIMAL=` and other specifiers of later standards are added here.
    Sign = 41,
    /// `DECIMAL=` (str)
    Decimal = 42,
    /// `ROUND=` (str)
    Round = 43,
    /// `ENCODING=` (str)
    Encoding = 44,
    /// `ASYNCHRONOUS=` (str, out in INQUIRE): every transfer is complete when its statement is
    Asynchronous = 45,
    /// `CONVERT=` (str)
    Convert = 46,
    /// `ID=` (out, integer in READ and WRITE; int elsewhere)
    Id = 47,
    /// `PENDING=` (out, logical)
    Pending = 48,
    /// `STREAM=` (out, `Char`)
    Stream = 49,
    /// `CARRIAGECONTROL=` (str, out in INQUIRE)
    CarriageControl = 50,
    /// `SHARE=` (str, out in INQUIRE): files are not locked
    Share = 51,
    /// `READONLY` (int): the file is not deleted by CLOSE
    Readonly = 52,
}

/// The unit number that stands for `*`: the runtime maps it to 5 in READ and 6 in WRITE and PRINT.
pub const DEFAULT_UNIT: i64 = i64::MIN;

/// A flag of `io_defaults`: a negative zero is written without its sign.
pub const UNSIGNED_ZERO: i32 = 1;
/// A flag of `io_defaults`: a comma ends a numeric field of an internal unit, too; reading and writing may go on behind the end of a file.
pub const LEGACY: i32 = 2;
/// A flag of `io_defaults`: edit descriptors without a width have one by the kind of the item.
pub const DEFAULT_WIDTHS: i32 = 4;
/// A flag of `io_defaults`: an exponent that is read may lack its digits.
pub const BARE_EXPONENTS: i32 = 8;
/// A flag of `io_defaults`: OPEN of a file that is connected to another unit is an error.
pub const ONE_UNIT: i32 = 16;

/// The result of `io_end` when the statement went well.
pub const IO_OK: i32 = 0;
/// The result of `io_end` when an error occurred and the statement can handle it.
pub const IO_ERR: i32 = 1;
/// The result of `io_end` at the end of the file, when the statement can handle it.
pub const IO_END: i32 = 2;
/// The result of `io_end` at the end of the record in non-advancing input.
pub const IO_EOR: i32 = 3;
