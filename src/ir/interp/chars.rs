//! The functions of the runtime that work on characters.

use super::setup::Machine;
use super::{Failure, Value};
use crate::Rt;

impl Machine<'_> {
    /// Runs `f` if it is one of them; the inner option is its value.
    pub(super) fn characters(&mut self, f: Rt, args: &[Value]) -> Result<Option<Option<Value>>, Failure> {
        let int = |k: usize| args.get(k).map_or(0, |v| v.int());
        let value = match f {
            Rt::CharAssign => {
                let from = self.text(int(2), int(3))?;
                self.put_text_at(int(0), int(1), &from)?;
                return Ok(Some(None));
            }
            Rt::CharAdjustl | Rt::CharAdjustr => {
                let text = self.text(int(1), int(2))?;
                let blank = |c: &u8| *c == b' ';
                let moved: Vec<u8> = match f {
                    Rt::CharAdjustl => text.iter().copied().skip_while(blank).collect(),
                    _ => {
                        let trailing = text.iter().rev().take_while(|c| blank(c)).count();
                        let kept = &text[..text.len() - trailing];
                        std::iter::repeat_n(b' ', trailing).chain(kept.iter().copied()).collect()
                    }
                };
                self.put_text_at(int(0), int(2), &moved)?;
                return Ok(Some(None));
            }
            Rt::CharRepeat => {
                let text = self.text(int(1), int(2))?;
                for k in 0..int(3).max(0) {
                    let at = int(0).wrapping_add(k.wrapping_mul(int(2).max(0)));
                    self.put_text_at(at, int(2), &text)?;
                }
                return Ok(Some(None));
            }
            Rt::CharCompare => compare(&self.text(int(0), int(1))?, &self.text(int(2), int(3))?),
            Rt::CharLenTrim => last(self.text(int(0), int(1))?.iter().rposition(|&c| c != b' ')),
            Rt::CharIndex => index(&self.text(int(0), int(1))?, &self.text(int(2), int(3))?, int(4) != 0),
            Rt::CharScan | Rt::CharVerify => {
                let (text, set) = (self.text(int(0), int(1))?, self.text(int(2), int(3))?);
                let wanted = |c: &u8| set.contains(c) == (f == Rt::CharScan);
                last(if int(4) != 0 { text.iter().rposition(wanted) } else { text.iter().position(wanted) })
            }
            _ => return Ok(None),
        };
        Ok(Some(Some(Value::Int(value))))
    }

    fn text(&mut self, address: i64, len: i64) -> Result<Vec<u8>, Failure> {
        let len = usize::try_from(len).unwrap_or(0);
        self.step(len as u64 / 8)?;
        if len == 0 { Ok(Vec::new()) } else { Ok(self.memory.slice(address, len)?.to_vec()) }
    }

    /// Stores `text`, cut or padded with blanks to `len` characters.
    fn put_text_at(&mut self, address: i64, len: i64, text: &[u8]) -> Result<(), Failure> {
        let len = usize::try_from(len).unwrap_or(0);
        self.step(1 + len as u64 / 8)?;
        if len > 0 {
            let to = self.memory.slice_mut(address, len)?;
            let n = text.len().min(len);
            to[..n].copy_from_slice(&text[..n]);
            to[n..].fill(b' ');
        }
        Ok(())
    }
}

/// Positions count from 1; 0 is nowhere.
fn last(at: Option<usize>) -> i64 {
    at.map_or(0, |k| k as i64 + 1)
}

/// With blank padding of the shorter one.
fn compare(a: &[u8], b: &[u8]) -> i64 {
    let at = |t: &[u8], k: usize| t.get(k).copied().unwrap_or(b' ');
    let order = (0..a.len().max(b.len())).map(|k| at(a, k).cmp(&at(b, k))).find(|o| o.is_ne());
    order.map_or(0, |o| o as i64)
}

fn index(text: &[u8], sub: &[u8], back: bool) -> i64 {
    if sub.is_empty() {
        return if back { text.len() as i64 + 1 } else { 1 };
    }
    let mut windows = text.windows(sub.len());
    last(if back { windows.rposition(|w| w == sub) } else { windows.position(|w| w == sub) })
}
