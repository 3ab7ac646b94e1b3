//! The walk through a format while items are transferred: repeats, groups, reversion, and the modes that
//! control descriptors change.

use super::error::{IoError, Result, code};
use super::format::{Data, Format, Op, OpKind, UNLIMITED, format_error};
use super::unit::Modes;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A place in a format.
#[derive(Debug)]
pub(crate) struct Cursor {
    pub format: Rc<Format>,
    pub modes: Modes,
    pub scale: i32,
    /// `ADVANCE='NO'`
    pub stays: bool,
    /// A `$` was met: the record is not ended.
    pub dollar: bool,
    /// The operation at hand, and how often it has been done.
    at: usize,
    done: u32,
    groups: Vec<Group>,
    /// Whether a data descriptor was met since the beginning or the last reversion.
    data_met: bool,
    /// Steps since the last data descriptor.
    idle: u32,
}

/// More steps without a data descriptor are a mistake or malice: nested groups with large repeat counts
/// would take years.
const MOST_IDLE: u32 = 1 << 22;

#[derive(Debug)]
struct Group {
    left: u32,
    /// Whether a data descriptor was met in this repetition.
    data_met: bool,
}

/// The next step; modes have been set already.
pub(crate) enum Step {
    /// A data descriptor.
    Data(Data),
    /// `Text`, `Tab`, `Move`, `Slash` or `Dollar`: the operation with this number.
    Control(usize),
    /// Reversion: the record ends.
    Revert,
    /// The format is exhausted, or there is nothing left to transfer.
    Done,
}

impl Cursor {
    /// The beginning of `format`.
    pub fn new(format: Rc<Format>, modes: Modes, stays: bool) -> Cursor {
        Cursor {
            format,
            modes,
            scale: 0,
            stays,
            dollar: false,
            at: 0,
            done: 0,
            groups: Vec::new(),
            data_met: false,
            idle: 0,
        }
    }

    /// The next step; `more` says whether an item waits.
    pub fn next(&mut self, more: bool) -> Result<Step> {
        loop {
            self.idle += 1;
            if self.idle > MOST_IDLE {
                return Err(self.error("Too many steps without a data descriptor in format"));
            }
            let Some(op) = self.format.ops.get(self.at) else {
                return if more { self.revert() } else { Ok(Step::Done) };
            };
            match op.kind {
                OpKind::Begin { .. } => {
                    self.groups.push(Group { left: op.repeat, data_met: false });
                    self.at += 1;
                }
                OpKind::End { begin } => self.end_group(begin)?,
                _ if self.done >= op.repeat => {
                    self.done = 0;
                    self.at += 1;
                }
                OpKind::Colon if !more => return Ok(Step::Done),
                OpKind::Data(_) if !more => return Ok(Step::Done),
                OpKind::Data(data) => {
                    self.done += 1;
                    self.data_met = true;
                    self.idle = 0;
                    if let Some(group) = self.groups.last_mut() {
                        group.data_met = true;
                    }
                    return Ok(Step::Data(data));
                }
                _ => {
                    self.done += 1;
                    if self.is_control() {
                        return Ok(Step::Control(self.at));
                    }
                }
            }
        }
    }

    /// An error in the item that the descriptor at hand edits.
    pub fn error(&self, problem: &str) -> IoError {
        let source = self.format.ops.get(self.at).map_or(0, |op: &Op| op.source as usize);
        format_error(problem, &self.format.text, source)
    }

    /// Sets the modes that the operation at hand sets; true if it is left to the caller.
    fn is_control(&mut self) -> bool {
        match self.format.ops[self.at].kind {
            OpKind::Scale(factor) => self.scale = factor,
            OpKind::Sign(sign) => self.modes.sign = sign,
            OpKind::BlankZero(zero) => self.modes.blank_zero = zero,
            OpKind::Comma(comma) => self.modes.comma = comma,
            OpKind::Round(rounding) => self.modes.rounding = rounding,
            OpKind::Colon => {}
            _ => return true,
        }
        false
    }

    fn end_group(&mut self, begin: u32) -> Result<()> {
        let Some(group) = self.groups.last_mut() else {
            self.at += 1;
            return Ok(());
        };
        if group.left == UNLIMITED && !group.data_met {
            return Err(exhausted());
        }
        if group.left != UNLIMITED {
            group.left = group.left.saturating_sub(1);
        }
        let met = std::mem::take(&mut group.data_met);
        if group.left > 0 {
            self.at = begin as usize + 1;
            // A descriptor that was met counts for the groups around it.
            if met && let [.., outer, _] = self.groups.as_mut_slice() {
                outer.data_met = true;
            }
            return Ok(());
        }
        self.groups.pop();
        self.at += 1;
        if met && let Some(outer) = self.groups.last_mut() {
            outer.data_met = true;
        }
        Ok(())
    }

    fn revert(&mut self) -> Result<Step> {
        if !std::mem::take(&mut self.data_met) {
            self.at = self.format.ops.len();
            return Err(exhausted());
        }
        self.at = self.format.revert as usize;
        self.done = 0;
        self.groups.clear();
        Ok(Step::Revert)
    }
}

/// Items wait, but the format would go on for ever without a data descriptor.
fn exhausted() -> IoError {
    IoError::fixed(code::FORMAT, "Insufficient data descriptors in format after reversion")
}

/// The parsed format of `text`: a statement that is executed often parses its format once.
pub(crate) fn parsed(text: &[u8]) -> Result<Rc<Format>> {
    /// Run-time formats that differ each time must not fill the memory.
    const MOST: usize = 512;
    thread_local! {
        static FORMATS: RefCell<HashMap<Vec<u8>, Rc<Format>>> = RefCell::new(HashMap::new());
    }
    FORMATS.with_borrow_mut(|formats| {
        if let Some(format) = formats.get(text) {
            return Ok(Rc::clone(format));
        }
        let format = Rc::new(super::format::parse(text)?);
        if formats.len() >= MOST {
            formats.clear();
        }
        formats.insert(text.to_vec(), Rc::clone(&format));
        Ok(format)
    })
}
