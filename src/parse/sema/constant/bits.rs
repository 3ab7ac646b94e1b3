//! Bit functions of integer constants that are not single operations of the IR.

use crate::constant::Scalar;
use crate::constant::math::{apply, shift, to};
use crate::constant::ops::binary;
use crate::intrinsic::ShiftOp;
use trueline_ir::{BinaryOp, Intrinsic as Ir, Type};
use trueline_syntax::ast::BinaryOp as Operator;

type Outcome = Result<Scalar, String>;

/// AND, OR, XOR: of bits or of logical values.
pub fn bitwise(ir: Ir, s: &[Scalar]) -> Outcome {
    match (ir, &s[0]) {
        (Ir::Iand, Scalar::Logical(..)) => binary(Operator::And, &s[0], &s[1]),
        (Ir::Ior, Scalar::Logical(..)) => binary(Operator::Or, &s[0], &s[1]),
        (_, Scalar::Logical(..)) => binary(Operator::Neqv, &s[0], &s[1]),
        _ => apply(ir, s),
    }
}

/// MASKL and MASKR: `n` bits at the left or right end.
pub fn mask(s: &Scalar, ty: Type, left: bool) -> Outcome {
    let width = 8 * ty.size() as i64;
    let n = s.as_int().filter(|n| (0..=width).contains(n)).ok_or_else(|| format!("There are {width} bits"))?;
    let ones = match n {
        0 => 0,
        n if left => -1i64 << (width - n),
        64 => -1,
        n => (1i64 << n).wrapping_sub(1),
    };
    // A word that is all ones is -1 in every kind.
    Ok(Scalar::Int(ty, if !left && n == width { -1 } else { ones }))
}

/// MERGE_BITS(i, j, mask).
pub fn merge_bits(s: &[Scalar]) -> Outcome {
    let yes = apply(Ir::Iand, &[s[0].clone(), s[2].clone()])?;
    let not = apply(Ir::Not, &[s[2].clone()])?;
    let no = apply(Ir::Iand, &[s[1].clone(), not])?;
    apply(Ir::Ior, &[yes, no])
}

/// POPPAR.
pub fn poppar(s: &[Scalar]) -> Outcome {
    let n = apply(Ir::Popcnt, s)?.as_int().unwrap_or(0);
    Ok(Scalar::int(n & 1))
}

/// BGE, BGT, BLE, BLT: comparison of the bits as unsigned numbers.
pub fn compare(op: BinaryOp, s: &[Scalar]) -> Outcome {
    let bits = |s: &Scalar| match *s {
        Scalar::Int(ty, v) => Ok(v as u64 & (u64::MAX >> (64 - 8 * ty.size()))),
        Scalar::Boz(bits) => Ok(bits),
        _ => Err("The arguments must be INTEGER".to_owned()),
    };
    let order = bits(&s[0])?.cmp(&bits(&s[1])?);
    Ok(Scalar::logical(match op {
        BinaryOp::Ge => order.is_ge(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Le => order.is_le(),
        _ => order.is_lt(),
    }))
}

/// DSHIFTL and DSHIFTR: the left or right half of the shifted bits of `i` and `j` side by side.
pub fn double_shift(s: &[Scalar], left: bool) -> Outcome {
    let [first, second, by] = s else { return Err("Three arguments are needed".to_owned()) };
    let ty = if matches!(first, Scalar::Boz(_)) { second.ty() } else { first.ty() };
    let width = 8 * ty.size() as i64;
    let n = by.as_int().unwrap_or(-1);
    let (up, down) = if left { (n, width - n) } else { (width - n, n) };
    let (i, j) = (to(first, ty)?, to(second, ty)?);
    let high = shift(ShiftOp::Left, &[i, Scalar::int(up)])?;
    let low = shift(ShiftOp::Right, &[j, Scalar::int(down)])?;
    apply(Ir::Ior, &[high, low])
}
