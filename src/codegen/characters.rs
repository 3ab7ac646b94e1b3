//! Short strings of known length without a call: compared and copied in registers.
//!
//! Programs that look at text character by character spend most of their time in `if (c(i) == ' ')` and `c(i) = d(j)`; a call for each
//! takes twenty times as long.

use crate::expr::Translator;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use trueline_ir::{Expr, ExprData, Rt};

/// Longer strings are left to the runtime.
const MOST_BYTES: i64 = 16;
/// The character that strings are filled up with, eight times.
const BLANKS: u64 = 0x2020_2020_2020_2020;

/// The pieces of the bytes `from` up to `to`: type and offset of each.
fn pieces(from: i64, to: i64) -> impl Iterator<Item = (Type, i32)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let ty =
            [types::I64, types::I32, types::I16, types::I8].into_iter().find(|t| at + i64::from(t.bytes()) <= to)?;
        let piece = (ty, at as i32);
        at += i64::from(ty.bytes());
        Some(piece)
    })
}

impl Translator<'_, '_> {
    /// The code for a call of the runtime on short strings of known length, and its result; none if it has to be called.
    pub(crate) fn short_strings(&mut self, f: Rt, args: &[Expr]) -> Option<Option<Value>> {
        let &[a, n, b, m] = args else { return None };
        let constant = |e: Expr| self.unit.pool().as_int(e).filter(|n| (1..=MOST_BYTES).contains(n));
        let (n, m) = (constant(n)?, constant(m)?);
        match f {
            Rt::CharAssign => self.copy((a, n), (b, m)).map(|()| None),
            Rt::CharCompare if n == m => self.order(a, b, n).map(Some),
            _ => None,
        }
    }

    /// The address of an argument, and the flags of accesses to it.
    fn string(&mut self, e: Expr) -> Option<(Value, MemFlagsData)> {
        let ExprData::AddrOf(_, place) = self.unit.expr(e) else { return None };
        let flags = self.flags_of(place);
        Some((self.place_address(place), flags))
    }

    /// `to(1:n) = from(1:m)`, all of it read before any of it is written.
    fn copy(&mut self, (to, n): (Expr, i64), (from, m): (Expr, i64)) -> Option<()> {
        let ((to, to_flags), (from, from_flags)) = (self.string(to)?, self.string(from)?);
        let taken = n.min(m);
        let read: Vec<(Value, i32)> =
            pieces(0, taken).map(|(ty, at)| (self.b.ins().load(ty, from_flags, from, at), at)).collect();
        let location = self.mark();
        for (value, at) in read {
            self.b.ins().store(to_flags, value, to, at);
        }
        for (ty, at) in pieces(taken, n) {
            let blanks = self.int(ty, (BLANKS & (u64::MAX >> (64 - ty.bits()))) as i64);
            self.b.ins().store(to_flags, blanks, to, at);
        }
        self.b.set_srcloc(location);
        Some(())
    }

    /// A number below, equal to or above zero if `a` comes before, is equal to or comes after `b`.
    fn order(&mut self, a: Expr, b: Expr, n: i64) -> Option<Value> {
        let ty = [types::I8, types::I16, types::I32, types::I64].into_iter().find(|t| i64::from(t.bytes()) == n)?;
        let (x, y) = (self.characters(a, ty)?, self.characters(b, ty)?);
        if ty == types::I8 {
            let (x, y) = (self.b.ins().uextend(types::I32, x), self.b.ins().uextend(types::I32, y));
            return Some(self.b.ins().isub(x, y));
        }
        // The first character decides first, so it has to be the highest byte.
        let (x, y) = (self.b.ins().bswap(x), self.b.ins().bswap(y));
        let above = self.b.ins().icmp(IntCC::UnsignedGreaterThan, x, y);
        let below = self.b.ins().icmp(IntCC::UnsignedLessThan, x, y);
        let (above, below) = (self.b.ins().uextend(types::I32, above), self.b.ins().uextend(types::I32, below));
        Some(self.b.ins().isub(above, below))
    }
}

impl Translator<'_, '_> {
    /// The characters of a string as a number of type `ty`, which is as long.
    fn characters(&mut self, e: Expr, ty: Type) -> Option<Value> {
        if let ExprData::AddrOf(_, place) = self.unit.expr(e)
            && let ExprData::Text(k) = self.unit.expr(place)
            && let Some(bytes) = self.unit.pool().text(k).get(..ty.bytes() as usize)
        {
            let number = bytes.iter().rev().fold(0u64, |n, &c| n << 8 | u64::from(c));
            return Some(self.int(ty, number as i64));
        }
        let (address, flags) = self.string(e)?;
        Some(self.b.ins().load(ty, flags, address, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::{pieces, types};

    #[test]
    fn pieces_are_as_large_as_they_can_be() {
        let of = |from, to| pieces(from, to).collect::<Vec<_>>();
        assert_eq!(of(0, 15), [(types::I64, 0), (types::I32, 8), (types::I16, 12), (types::I8, 14)]);
        assert_eq!(of(3, 5), [(types::I16, 3)]);
        assert_eq!(of(4, 4), []);
    }
}
