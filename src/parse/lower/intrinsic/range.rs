//! Constant arguments of intrinsics that are out of their range: bit positions, shifts, character codes.

use crate::lower::source::Source;
use crate::lower::values::Lowered;
use crate::sema::constant::eval::const_eval;
use crate::sema::constant::{Const, Scalar};
use crate::sema::intrinsic::Actuals;
use crate::sema::intrinsic::Intrinsic as Row;
use trueline_syntax::ast::ExprId;

impl Source<'_, '_> {
    /// An error for the first constant argument that is out of range.
    pub(crate) fn check_ranges(&mut self, row: &'static Row, args: &Actuals) -> Lowered<()> {
        match row.name {
            "btest" | "ibset" | "ibclr" => self.check_position(row, args, 1, None),
            "ibits" => self.check_position(row, args, 1, Some(2)),
            "mvbits" => {
                self.check_position(row, args, 1, Some(2))?;
                self.check_position(row, args, 4, Some(2))
            }
            "shiftl" | "shiftr" | "shifta" | "lshift" | "rshift" => self.check_shift(row, args, 1, 0),
            "dshiftl" | "dshiftr" => self.check_shift(row, args, 2, 0),
            "ishft" => self.check_shift(row, args, 1, -1),
            "ishftc" => self.check_rotation(row, args),
            "char" | "achar" => match self.constant_integer(args, 0) {
                Some((x, code)) => self.check_within(row, 0, x, code, 0, 255),
                None => Ok(()),
            },
            "nearest" => self.check_direction(row, args),
            _ => Ok(()),
        }
    }

    fn constant_integer(&self, args: &Actuals, k: usize) -> Option<(ExprId, i64)> {
        let x = args.get(k).copied().flatten()?;
        let value = const_eval(self.cx.decls, self.scope, x).ok()?.as_int()?;
        Some((x, value))
    }

    /// The bits of the first argument, if that is an integer. Evaluating it is left out where any kind has enough.
    fn bits(&mut self, args: &Actuals, highest: i64) -> i64 {
        let first = args.first().copied().flatten().filter(|_| highest > 7);
        first.and_then(|x| self.typing().of(x)).map_or(i64::MAX, |t| 8 * t.ty.size() as i64)
    }

    fn check_within(&mut self, row: &Row, k: usize, x: ExprId, value: i64, least: i64, most: i64) -> Lowered<()> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        let (name, arg) = (row.name, row.args[k].name);
        let message = match most {
            i64::MAX => format!("The argument '{arg}' of '{name}' is {value}, but must not be negative"),
            _ => format!("The argument '{arg}' of '{name}' is {value}, but must be from {least} to {most}"),
        };
        Err(self.error_at("T0595", x, message))
    }

    /// A position and, at `len`, a number of bits from there on.
    fn check_position(&mut self, row: &Row, args: &Actuals, at: usize, len: Option<usize>) -> Lowered<()> {
        let position = self.constant_integer(args, at);
        let count = len.and_then(|k| self.constant_integer(args, k));
        let n = count.map_or(i64::from(len.is_none()), |c| c.1);
        let bits = self.bits(args, position.map_or(0, |p| p.1).saturating_add(n).max(n));
        let last = bits.saturating_sub(i64::from(len.is_none()));
        if let (Some((x, n)), Some(k)) = (count, len) {
            self.check_within(row, k, x, n, 0, bits)?;
        }
        let Some((x, p)) = position else { return Ok(()) };
        let most = if len.is_some() && bits < i64::MAX { last.saturating_sub(n.max(0)) } else { last };
        self.check_within(row, at, x, p, 0, if bits == i64::MAX { i64::MAX } else { most })
    }

    /// A shift; with `sign` -1 in both directions.
    fn check_shift(&mut self, row: &Row, args: &Actuals, at: usize, sign: i64) -> Lowered<()> {
        let Some((x, shift)) = self.constant_integer(args, at) else { return Ok(()) };
        let bits = self.bits(args, shift.saturating_abs());
        let least = if bits == i64::MAX && sign != 0 { -i64::MAX } else { sign * bits };
        self.check_within(row, at, x, shift, least, bits)
    }

    fn check_rotation(&mut self, row: &Row, args: &Actuals) -> Lowered<()> {
        let size = self.constant_integer(args, 2);
        let shift = self.constant_integer(args, 1);
        let largest = size.map_or(0, |s| s.1).max(shift.map_or(0, |s| s.1.saturating_abs()));
        let bits = self.bits(args, largest);
        if let Some((x, n)) = size {
            self.check_within(row, 2, x, n, 1, bits)?;
        }
        let Some((x, n)) = shift else { return Ok(()) };
        let most = size.map_or(bits, |s| s.1);
        self.check_within(row, 1, x, n, -most, most)
    }

    /// NEAREST needs a sign.
    fn check_direction(&mut self, row: &Row, args: &Actuals) -> Lowered<()> {
        let Some(x) = args.get(1).copied().flatten() else { return Ok(()) };
        match const_eval(self.cx.decls, self.scope, x) {
            Ok(Const::Scalar(Scalar::Real(_, s))) if s == 0.0 => {
                let message = format!("The argument 's' of '{}' must not be zero", row.name);
                Err(self.error_at("T0595", x, message))
            }
            _ => Ok(()),
        }
    }
}
