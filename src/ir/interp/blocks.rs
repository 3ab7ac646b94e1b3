//! The functions of the runtime that work on blocks of elements.

use super::setup::Machine;
use super::{Failure, Value};
use crate::{BinaryOp, Expr, Intrinsic, Rt, Type, scalar};

impl Machine<'_> {
    /// Runs `f` if it is one of them, and says whether it is.
    pub(super) fn blocks(&mut self, f: Rt, args: &[Value]) -> Result<bool, Failure> {
        match f {
            Rt::CopyElements => self.copy_elements(args)?,
            Rt::FillElements => self.fill_elements(args)?,
            Rt::Transpose => self.transpose_elements(args)?,
            Rt::MultiplyR4 | Rt::BlasR4 => self.multiply_matrices(Type::R4, args)?,
            Rt::MultiplyR8 | Rt::BlasR8 => self.multiply_matrices(Type::R8, args)?,
            _ => match Intrinsic::of_blocks(f) {
                Some(of) => self.elementary(of, args)?,
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Whether `f` is one of them and has no elements: then its addresses are those of elements that need not exist.
    pub(super) fn has_no_elements(&mut self, f: Rt, args: &[Expr]) -> Result<bool, Failure> {
        let extents: &[usize] = match f {
            Rt::CopyElements => &[2],
            Rt::FillElements => &[3],
            Rt::Transpose => &[3, 4],
            Rt::MultiplyR4 | Rt::MultiplyR8 | Rt::BlasR4 | Rt::BlasR8 => &[3, 4, 5],
            Rt::PowR8 | Rt::ApproxPowR8 => &[4],
            _ if Intrinsic::of_blocks(f).is_some() => &[2],
            _ => return Ok(false),
        };
        for &e in extents.iter().filter_map(|&k| args.get(k)) {
            if self.int(e)? <= 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn copy_elements(&mut self, args: &[Value]) -> Result<(), Failure> {
        let Ok(bytes @ 1..) = usize::try_from(int(args, 2)) else { return Ok(()) };
        self.step(1 + bytes as u64 / 4)?;
        let from = self.memory.slice(int(args, 1), bytes)?.to_vec();
        self.memory.slice_mut(int(args, 0), bytes)?.copy_from_slice(&from);
        Ok(())
    }

    fn fill_elements(&mut self, args: &[Value]) -> Result<(), Failure> {
        let Ok(bytes @ 1..) = usize::try_from(int(args, 3)) else { return Ok(()) };
        self.step(1 + bytes as u64 / 8)?;
        let size = usize::try_from(int(args, 2)).unwrap_or(8).clamp(1, 8);
        let element = &int(args, 1).to_le_bytes()[..size];
        self.memory.slice_mut(int(args, 0), bytes)?.chunks_exact_mut(size).for_each(|e| e.copy_from_slice(element));
        Ok(())
    }

    fn transpose_elements(&mut self, args: &[Value]) -> Result<(), Failure> {
        let size = int(args, 2);
        for j in 0..int(args, 4) {
            self.step(1 + u64::try_from(int(args, 3)).unwrap_or(0))?;
            for i in 0..int(args, 3) {
                let from = int(args, 1) + size * (j + i * int(args, 6));
                let element = self.memory.slice(from, usize::try_from(size).unwrap_or(0))?.to_vec();
                let to = int(args, 0) + size * (i + j * int(args, 5));
                self.memory.slice_mut(to, element.len())?.copy_from_slice(&element);
            }
        }
        Ok(())
    }

    fn multiply_matrices(&mut self, ty: Type, args: &[Value]) -> Result<(), Failure> {
        let size = ty.size() as i64;
        let (rows, columns, inner) = (int(args, 3), int(args, 4), int(args, 5));
        for j in 0..columns {
            for k in 0..inner {
                self.step(1 + 2 * u64::try_from(rows).unwrap_or(0))?;
                let y = self.memory.load(ty, int(args, 2) + size * (k * int(args, 9) + j * int(args, 10)))?;
                for i in 0..rows {
                    let to = int(args, 0) + size * (i + j * int(args, 6));
                    let x = self.memory.load(ty, int(args, 1) + size * (i * int(args, 7) + k * int(args, 8)))?;
                    let sum = self.memory.load(ty, to)?;
                    let term = scalar::binary(BinaryOp::Mul, ty, x, y)?;
                    self.memory.store(ty, to, scalar::binary(BinaryOp::Add, ty, sum, term)?)?;
                }
            }
        }
        Ok(())
    }

    /// One function of all elements of a block.
    fn elementary(&mut self, f: Intrinsic, args: &[Value]) -> Result<(), Failure> {
        let is_power = f == Intrinsic::Pow;
        let count = int(args, if is_power { 4 } else { 2 });
        self.step(1 + 8 * u64::try_from(count).unwrap_or(0))?;
        for k in 0..count {
            let mut of = vec![self.memory.load(Type::R8, int(args, 1) + 8 * k)?];
            if is_power {
                let at = if int(args, 3) == 0 { k } else { 0 };
                of.push(self.memory.load(Type::R8, int(args, 2) + 8 * at)?);
            }
            let value = scalar::intrinsic(f, Type::R8, Type::R8, &of)?;
            self.memory.store(Type::R8, int(args, 0) + 8 * k, value)?;
        }
        Ok(())
    }
}

fn int(args: &[Value], k: usize) -> i64 {
    args.get(k).map_or(0, |v| v.int())
}
