//! Errors of input/output statements: the numbers of `IOSTAT=` and their messages, as of
//! `libgfortran`.

use std::borrow::Cow;

/// The value of `IOSTAT=`. Operating system errors have the number of `errno` instead.
pub(crate) mod code {
    pub const EOR: i32 = -2;
    pub const END: i32 = -1;
    /// FLUSH of a unit that is not connected: negative, but not the end of anything.
    pub const FLUSH_UNIT: i32 = -5005;
    pub const OPTION_CONFLICT: i32 = 5001;
    pub const BAD_OPTION: i32 = 5002;
    pub const MISSING_OPTION: i32 = 5003;
    pub const ALREADY_OPEN: i32 = 5004;
    pub const BAD_UNIT: i32 = 5005;
    pub const FORMAT: i32 = 5006;
    pub const BAD_ACTION: i32 = 5007;
    pub const ENDFILE: i32 = 5008;
    pub const READ_VALUE: i32 = 5010;
    pub const READ_OVERFLOW: i32 = 5011;
    pub const INTERNAL_UNIT: i32 = 5013;
    pub const ALLOCATION: i32 = 5014;
    pub const DIRECT_EOR: i32 = 5015;
    pub const SHORT_RECORD: i32 = 5016;
    pub const CORRUPT_FILE: i32 = 5017;
    pub const INQUIRE_INTERNAL_UNIT: i32 = 5018;
    pub const BAD_WAIT_ID: i32 = 5019;
}

/// An error, or the end of file or record, in a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IoError {
    pub code: i32,
    pub message: Cow<'static, [u8]>,
}

pub(crate) type Result<T> = std::result::Result<T, IoError>;

impl IoError {
    /// An error with a message of its own.
    pub fn new(code: i32, message: impl Into<Vec<u8>>) -> IoError {
        IoError { code, message: Cow::Owned(message.into()) }
    }

    /// An error with a fixed message.
    pub const fn fixed(code: i32, message: &'static str) -> IoError {
        IoError { code, message: Cow::Borrowed(message.as_bytes()) }
    }

    /// The end of the file.
    pub const fn end() -> IoError {
        IoError::fixed(code::END, "End of file")
    }

    /// The end of the record.
    pub const fn eor() -> IoError {
        IoError::fixed(code::EOR, "End of record")
    }

    /// The message of the operating system, after `context`.
    pub fn system(context: &[u8], error: &std::io::Error) -> IoError {
        let number = error.raw_os_error().unwrap_or(libc::EIO);
        let mut message = context.to_vec();
        message.extend_from_slice(strerror(number).as_bytes());
        IoError::new(number, message)
    }
}

impl From<std::io::Error> for IoError {
    fn from(error: std::io::Error) -> IoError {
        IoError::system(b"", &error)
    }
}

/// The text of `errno`, without the number that Rust appends.
pub(crate) fn strerror(number: i32) -> String {
    let text = std::io::Error::from_raw_os_error(number).to_string();
    match text.rfind(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
