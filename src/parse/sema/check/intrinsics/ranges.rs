//! Constant arguments of intrinsics that are out of their range: bit positions, shifts, character codes.

use crate::check::Checked;
use crate::check::intrinsics::Call;
use crate::constant::eval::const_eval;
use crate::constant::{Const, Scalar};
use trueline_diag::Diagnostic;
use trueline_syntax::ast::ExprId;

impl Call<'_, '_, '_> {
    /// An error for the first constant argument that is out of range.
    pub(super) fn ranges(&mut self) -> Checked {
        match self.row.name {
            "btest" | "ibset" | "ibclr" => self.position(1, None),
            "ibits" => self.position(1, Some(2)),
            "mvbits" => {
                self.position(1, Some(2))?;
                self.position(4, Some(2))
            }
            "shiftl" | "shiftr" | "shifta" | "lshift" | "rshift" => self.shift(1, 0),
            "dshiftl" | "dshiftr" => self.shift(2, 0),
            "ishft" => self.shift(1, -1),
            "ishftc" => self.rotation(),
            "char" | "achar" => match self.constant_integer(0) {
                Some((x, code)) => self.within(0, x, code, 0, 255),
                None => Ok(()),
            },
            "nearest" => self.direction(),
            _ => Ok(()),
        }
    }

    fn constant_integer(&self, k: usize) -> Option<(ExprId, i64)> {
        let x = self.argument(k)?;
        Some((x, self.site.typing.integer(x)?))
    }

    /// The bits of the first argument, if that is an integer. Evaluating it is left out where any kind has enough.
    fn bits(&mut self, highest: i64) -> i64 {
        let first = self.argument(0).filter(|_| highest > 7);
        first.and_then(|x| self.site.typing.of(x)).map_or(i64::MAX, |t| 8 * t.ty.size() as i64)
    }

    fn within(&self, k: usize, x: ExprId, value: i64, least: i64, most: i64) -> Checked {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        let (name, arg) = (self.row.name, self.row.args[k].name);
        let message = match most {
            i64::MAX => format!("The argument '{arg}' of '{name}' is {value}, but must not be negative"),
            _ => format!("The argument '{arg}' of '{name}' is {value}, but must be from {least} to {most}"),
        };
        Err(Diagnostic::error("T0595", self.site.ast.span(x), message))
    }

    /// A position and, at `len`, a number of bits from there on.
    fn position(&mut self, at: usize, len: Option<usize>) -> Checked {
        let position = self.constant_integer(at);
        let count = len.and_then(|k| self.constant_integer(k));
        let n = count.map_or(i64::from(len.is_none()), |c| c.1);
        let bits = self.bits(position.map_or(0, |p| p.1).saturating_add(n).max(n));
        let last = bits.saturating_sub(i64::from(len.is_none()));
        if let (Some((x, n)), Some(k)) = (count, len) {
            self.within(k, x, n, 0, bits)?;
        }
        let Some((x, p)) = position else { return Ok(()) };
        let most = if len.is_some() && bits < i64::MAX { last.saturating_sub(n.max(0)) } else { last };
        self.within(at, x, p, 0, if bits == i64::MAX { i64::MAX } else { most })
    }

    /// A shift; with `sign` -1 in both directions.
    fn shift(&mut self, at: usize, sign: i64) -> Checked {
        let Some((x, shift)) = self.constant_integer(at) else { return Ok(()) };
        let bits = self.bits(shift.saturating_abs());
        let least = if bits == i64::MAX && sign != 0 { -i64::MAX } else { sign * bits };
        self.within(at, x, shift, least, bits)
    }

    fn rotation(&mut self) -> Checked {
        let size = self.constant_integer(2);
        let shift = self.constant_integer(1);
        let largest = size.map_or(0, |s| s.1).max(shift.map_or(0, |s| s.1.saturating_abs()));
        let bits = self.bits(largest);
        if let Some((x, n)) = size {
            self.within(2, x, n, 1, bits)?;
        }
        let Some((x, n)) = shift else { return Ok(()) };
        let most = size.map_or(bits, |s| s.1);
        self.within(1, x, n, -most, most)
    }

    /// NEAREST needs a sign.
    fn direction(&mut self) -> Checked {
        let Some(x) = self.argument(1) else { return Ok(()) };
        match const_eval(self.site.decls, self.site.typing.scope, x) {
            Ok(Const::Scalar(Scalar::Real(_, s))) if s == 0.0 => {
                let message = format!("The argument 's' of '{}' must not be zero", self.row.name);
                Err(Diagnostic::error("T0595", self.site.ast.span(x), message))
            }
            _ => Ok(()),
        }
    }
}
