//! Operations on scalars, to the bit as compiled code does them: pure functions of values.
//!
//! The interpreter, the folding of constants in the optimizer, and the evaluation of constant expressions in the front end
//! use them, so that an operation has one meaning wherever it is computed. Each user decides for itself which results it
//! takes: a constant expression must not overflow, the optimizer leaves operations that raise an exception to the program.
//!
//! Constant expressions have more than is here: numbers of kind 16, and functions that are rounded once, as gfortran has
//! them.

pub mod lanes;
mod value;

pub use value::{Value, wrap};

use crate::expr::{BinaryOp, UnaryOp};
use crate::{Intrinsic, Type};

/// The reason why an operation has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// The program is wrong: it divides an integer by zero.
    Wrong(String),
    /// The operation is known to compiled code only.
    Beyond(String),
    /// It would take too long.
    Limit(String),
}

fn wrong(text: impl Into<String>) -> Undefined {
    Undefined::Wrong(text.into())
}

fn beyond(text: impl Into<String>) -> Undefined {
    Undefined::Beyond(text.into())
}

/// `op v` of type `ty`.
pub fn unary(op: UnaryOp, ty: Type, v: Value) -> Value {
    match (op, v) {
        (op, Value::Lanes(_)) => {
            let one = |k| Ok(unary(op, ty.lane(), lanes::lane(ty, v, k)));
            lanes::build(ty, one).unwrap_or(v)
        }
        (UnaryOp::Neg, Value::Int(x)) => Value::Int(wrap(ty, x.wrapping_neg())),
        (UnaryOp::Neg, Value::R4(x)) => Value::R4(-x),
        (UnaryOp::Neg, Value::R8(x)) => Value::R8(-x),
        (UnaryOp::Neg, Value::C4(re, im)) => Value::C4(-re, -im),
        (UnaryOp::Neg, Value::C8(re, im)) => Value::C8(-re, -im),
        (UnaryOp::Not, v) => Value::Int(v.int() ^ 1),
    }
}

/// `a op b`, both of type `ty`.
pub fn binary(op: BinaryOp, ty: Type, a: Value, b: Value) -> Result<Value, Undefined> {
    Ok(match (a, b) {
        (Value::Lanes(_), _) | (_, Value::Lanes(_)) => {
            let result = if op.is_comparison() { ty.mask() } else { ty };
            lanes::build(result, |k| binary(op, ty.lane(), lanes::lane(ty, a, k), lanes::lane(ty, b, k)))?
        }
        (Value::Int(x), Value::Int(y)) => Value::Int(wrap(ty, integer(op, ty, x, y)?)),
        (Value::R4(x), Value::R4(y)) => match op {
            BinaryOp::Add => Value::R4(x + y),
            BinaryOp::Sub => Value::R4(x - y),
            BinaryOp::Mul => Value::R4(x * y),
            BinaryOp::Div => Value::R4(x / y),
            _ => Value::logical(compare(op, x.partial_cmp(&y))),
        },
        (Value::R8(x), Value::R8(y)) => match op {
            BinaryOp::Add => Value::R8(x + y),
            BinaryOp::Sub => Value::R8(x - y),
            BinaryOp::Mul => Value::R8(x * y),
            BinaryOp::Div => Value::R8(x / y),
            _ => Value::logical(compare(op, x.partial_cmp(&y))),
        },
        (Value::C4(a, b), Value::C4(c, d)) => match op {
            BinaryOp::Add => Value::C4(a + c, b + d),
            BinaryOp::Sub => Value::C4(a - c, b - d),
            BinaryOp::Mul => complex4::multiply((a, b), (c, d)).into(),
            BinaryOp::Div => complex4::divide((a, b), (c, d)).into(),
            _ => Value::logical((a == c && b == d) == (op == BinaryOp::Eq)),
        },
        (Value::C8(a, b), Value::C8(c, d)) => match op {
            BinaryOp::Add => Value::C8(a + c, b + d),
            BinaryOp::Sub => Value::C8(a - c, b - d),
            BinaryOp::Mul => complex8::multiply((a, b), (c, d)).into(),
            BinaryOp::Div => complex8::divide((a, b), (c, d)).into(),
            _ => Value::logical((a == c && b == d) == (op == BinaryOp::Eq)),
        },
        _ => return Err(wrong(format!("the operands of '{}' have different types", op.text()))),
    })
}

/// Whether a comparison holds of values in this order. Without one (NaN) only `/=` does.
pub fn compare(op: BinaryOp, order: Option<std::cmp::Ordering>) -> bool {
    match op {
        BinaryOp::Eq => order.is_some_and(|o| o.is_eq()),
        BinaryOp::Ne => !order.is_some_and(|o| o.is_eq()),
        BinaryOp::Lt => order.is_some_and(|o| o.is_lt()),
        BinaryOp::Le => order.is_some_and(|o| o.is_le()),
        BinaryOp::Gt => order.is_some_and(|o| o.is_gt()),
        _ => order.is_some_and(|o| o.is_ge()),
    }
}

/// The exact value of an arithmetic operation on integers, which may be beyond their range; none for a division by zero
/// and for other operations.
pub fn exact_integer(op: BinaryOp, x: i64, y: i64) -> Option<i128> {
    let (a, b) = (i128::from(x), i128::from(y));
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div if y == -1 => -a,
        BinaryOp::Div if y != 0 => (x / y).into(),
        _ => return None,
    })
}

fn integer(op: BinaryOp, ty: Type, x: i64, y: i64) -> Result<i64, Undefined> {
    Ok(match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
            let exact = exact_integer(op, x, y).ok_or_else(|| wrong("an integer is divided by zero"))?;
            let value = exact as i64;
            if op == BinaryOp::Div && i128::from(wrap(ty, value)) != exact {
                return Err(wrong("the least integer is divided by -1"));
            }
            value
        }
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Neqv => x ^ y,
        BinaryOp::Eqv => x ^ y ^ 1,
        _ => i64::from(compare(op, Some(x.cmp(&y)))),
    })
}

/// The exact value of a function of one or two integers, which may be beyond their range; none for a remainder of a
/// division by zero and for other functions.
pub fn exact_function(i: Intrinsic, x: i64, y: i64) -> Option<i128> {
    let (a, b) = (i128::from(x), i128::from(y));
    Some(match i {
        Intrinsic::Abs => a.abs(),
        Intrinsic::Max => a.max(b),
        Intrinsic::Min => a.min(b),
        Intrinsic::Mod | Intrinsic::Modulo if y == 0 => return None,
        Intrinsic::Mod => x.wrapping_rem(y).into(),
        Intrinsic::Modulo => {
            let r = i128::from(x.wrapping_rem(y));
            if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
        }
        Intrinsic::Sign if y < 0 => -a.abs(),
        Intrinsic::Sign => a.abs(),
        Intrinsic::Dim => (a - b).max(0),
        Intrinsic::Iand => (x & y).into(),
        Intrinsic::Ior => (x | y).into(),
        Intrinsic::Ieor => (x ^ y).into(),
        Intrinsic::Not => (!x).into(),
        _ => return None,
    })
}

/// Conversion between numbers, as Fortran's INT, REAL, CMPLX and LOGICAL.
pub fn convert(from: Type, to: Type, v: Value) -> Value {
    let logical = |t: Type| matches!(t, Type::L1 | Type::L2 | Type::L4 | Type::L8);
    if to.is_vector() {
        let one = |k| Ok(convert(from.lane(), to.lane(), lanes::lane(from, v, k)));
        return lanes::build(to, one).unwrap_or(v);
    }
    match to {
        Type::R4 => Value::R4(match v {
            Value::Int(x) => x as f32,
            Value::R4(x) | Value::C4(x, _) => x,
            Value::R8(x) | Value::C8(x, _) => x as f32,
            Value::Lanes(_) => 0.0,
        }),
        Type::R8 => Value::R8(match v {
            Value::Int(x) => x as f64,
            Value::R4(x) | Value::C4(x, _) => f64::from(x),
            Value::R8(x) | Value::C8(x, _) => x,
            Value::Lanes(_) => 0.0,
        }),
        Type::C4 => match v {
            Value::C4(..) => v,
            Value::C8(re, im) => Value::C4(re as f32, im as f32),
            Value::Int(x) => Value::C4(x as f32, 0.0),
            Value::R4(x) => Value::C4(x, 0.0),
            Value::R8(x) => Value::C4(x as f32, 0.0),
            Value::Lanes(_) => Value::C4(0.0, 0.0),
        },
        Type::C8 => match v {
            Value::C8(..) => v,
            Value::C4(re, im) => Value::C8(re.into(), im.into()),
            Value::Int(x) => Value::C8(x as f64, 0.0),
            Value::R4(x) => Value::C8(x.into(), 0.0),
            Value::R8(x) => Value::C8(x, 0.0),
            Value::Lanes(_) => Value::C8(0.0, 0.0),
        },
        _ => Value::Int(match v {
            // A wider truth value is zero-extended; the value is 0 or 1 in any sensible program.
            Value::Int(x) if logical(from) && logical(to) && from.size() < to.size() => {
                x & ((1 << (8 * from.size())) - 1)
            }
            Value::Int(x) => wrap(to, x),
            Value::R4(x) | Value::C4(x, _) => real_to_int(to, f64::from(x)),
            Value::R8(x) | Value::C8(x, _) => real_to_int(to, x),
            Value::Lanes(_) => 0,
        }),
    }
}

/// Truncated. What does not fit 32 bits becomes the least integer, also of smaller kinds that are cut then; 64 bits saturate.
fn real_to_int(to: Type, x: f64) -> i64 {
    if to.size() == 8 {
        return x as i64;
    }
    let whole = x.trunc();
    let fits = whole >= f64::from(i32::MIN) && whole <= f64::from(i32::MAX);
    wrap(to, i64::from(if fits { whole as i32 } else { i32::MIN }))
}

/// The same bits as another type of the same size.
pub fn bitcast(from: Type, to: Type, v: Value) -> Value {
    Value::from_bytes(to, &v.bytes(from)[..to.size()])
}

/// An elemental intrinsic. `ty` is the type of the result, `of` that of the first argument.
pub fn intrinsic(i: Intrinsic, ty: Type, of: Type, args: &[Value]) -> Result<Value, Undefined> {
    if i == Intrinsic::Gather {
        return lanes::build(ty, |k| args.get(k).copied().ok_or_else(|| beyond("a lane without a value".to_owned())));
    }
    if let Value::Lanes(_) = args[0] {
        return on_lanes(i, ty, of, args);
    }
    if i == Intrinsic::Merge {
        return Ok(if args[2].truth() { args[0] } else { args[1] });
    }
    match args[0] {
        Value::Int(_) => Ok(Value::Int(wrap(ty, integer_intrinsic(i, of, args)?))),
        Value::R4(x) => real4::intrinsic(i, ty, x, args),
        Value::R8(x) => real8::intrinsic(i, ty, x, args),
        Value::C4(re, im) => complex4::intrinsic(i, (re, im), args),
        Value::C8(re, im) => complex8::intrinsic(i, (re, im), args),
        Value::Lanes(_) => on_lanes(i, ty, of, args),
    }
}

/// The function of vectors: of a mask, the third argument of MERGE, the lanes are truth values.
fn on_lanes(i: Intrinsic, ty: Type, of: Type, args: &[Value]) -> Result<Value, Undefined> {
    if i == Intrinsic::Lane {
        return lanes::numbered(of, args[0], args.get(1).map_or(-1, |v| v.int()));
    }
    if i == Intrinsic::Piece {
        return lanes::piece(ty, of, args[0], args.get(1).map_or(-1, |v| v.int()));
    }
    if i == Intrinsic::Ones {
        return Ok(Value::Int(lanes::ones(of, args[0])));
    }
    if i == Intrinsic::Ramp {
        return lanes::ramp(of, args[0], args.get(1).map_or(0, |v| v.int()));
    }
    if i == Intrinsic::Alternate {
        let from = args.get(2).map_or(0, |v| v.int());
        return lanes::alternate(of, [args[0], args[1]], from);
    }
    let type_of = |n: usize| if i == Intrinsic::Merge && n == 2 { of.mask() } else { of };
    lanes::build(ty, |k| {
        let args: Vec<Value> = args.iter().enumerate().map(|(n, &v)| lanes::lane(type_of(n), v, k)).collect();
        intrinsic(i, ty.lane(), of.lane(), &args)
    })
}

fn integer_intrinsic(i: Intrinsic, of: Type, args: &[Value]) -> Result<i64, Undefined> {
    let bits = 8 * of.size() as i64;
    let ones = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let arg = |k: usize| args.get(k).map_or(0, |v| v.int());
    let (a, b) = (arg(0), arg(1));
    let unsigned = a as u64 & ones;
    // Hardware takes the shift modulo the width.
    let by = (b & (bits - 1)) as u32;
    let low_bits = |n: i64| if (n as u64) >= bits as u64 { ones } else { (1 << n) - 1 };
    Ok(match i {
        Intrinsic::Mod | Intrinsic::Modulo if b == 0 => return Err(wrong("the remainder of a division by zero")),
        Intrinsic::Pow | Intrinsic::PowInt => power(a, b),
        Intrinsic::Ishft => shift(unsigned, b, bits),
        Intrinsic::Shifta => a >> by,
        Intrinsic::Ishftc => circular_shift(unsigned, b, args.get(2).map_or(bits, |v| v.int()), bits, low_bits),
        Intrinsic::Btest => (unsigned >> by & 1) as i64,
        Intrinsic::Ibset => a | 1 << by,
        Intrinsic::Ibclr => a & !(1 << by),
        Intrinsic::Ibits => (unsigned >> by & low_bits(arg(2))) as i64,
        Intrinsic::Trip => crate::tally::trip_count(a, b, arg(2)),
        Intrinsic::SumTrips => sum_trips([0, 1, 2, 3, 4, 5, 6, 7].map(arg))?,
        Intrinsic::Popcnt => i64::from(unsigned.count_ones()),
        Intrinsic::Leadz => i64::from(unsigned.leading_zeros()) - (64 - bits),
        Intrinsic::Trailz => i64::from(unsigned.trailing_zeros()).min(bits),
        other => match exact_function(other, a, b) {
            Some(exact) => exact as i64,
            None => return Err(beyond(format!("'{}' of integers", other.name()))),
        },
    })
}

fn shift(unsigned: u64, by: i64, bits: i64) -> i64 {
    if by.unsigned_abs() >= bits as u64 {
        0
    } else if by >= 0 {
        (unsigned << by) as i64
    } else {
        (unsigned >> -by) as i64
    }
}

/// The low `size` bits rotate, the others stay.
fn circular_shift(unsigned: u64, by: i64, size: i64, bits: i64, low_bits: impl Fn(i64) -> u64) -> i64 {
    if size <= 0 || size > bits {
        return unsigned as i64;
    }
    let mask = low_bits(size);
    let low = unsigned & mask;
    let left = by.rem_euclid(size) as u32;
    let up = low.wrapping_shl(left);
    let down = if left == 0 { 0 } else { low >> (size as u32 - left) };
    let rotated = (up | down) & mask;
    (rotated | unsigned & !mask) as i64
}

/// Fortran's integer power.
pub fn power(base: i64, exponent: i64) -> i64 {
    match (base, exponent) {
        (1, _) => 1,
        (-1, e) => {
            if e % 2 == 0 {
                1
            } else {
                -1
            }
        }
        (_, ..0) => 0,
        _ => {
            let (mut square, mut rest, mut product) = (base, exponent, 1_i64);
            while rest != 0 {
                if rest & 1 == 1 {
                    product = product.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                rest >>= 1;
            }
            product
        }
    }
}

/// The sum over the outer loop of the trip counts of the inner one, by counting.
pub(crate) fn sum_trips([lo, hi, step, a0, a1, b0, b1, inner]: [i64; 8]) -> Result<i64, Undefined> {
    let outer = crate::tally::trip_count(lo, hi, step);
    if outer > 100_000_000 {
        return Err(Undefined::Limit("a sum of trips over too long a loop".into()));
    }
    let mut sum = 0_i64;
    for k in 0..outer {
        let i = lo.wrapping_add(k.wrapping_mul(step));
        let (from, to) = (a0.wrapping_add(a1.wrapping_mul(i)), b0.wrapping_add(b1.wrapping_mul(i)));
        sum = sum.wrapping_add(crate::tally::trip_count(from, to, inner));
    }
    Ok(sum)
}

/// Operations that are the same for both kinds of real numbers, in their own arithmetic.
macro_rules! reals {
    ($real:ident, $complex:ident, $t:ident, $value:ident, $pair:ident, $digits:literal, $least:literal, $bits:ident,
     $fraction_bits:literal, $bias:literal) => {
        mod $real {
            use super::*;

            fn second(args: &[Value]) -> $t {
                match args.get(1) {
                    Some(Value::$value(y)) => *y,
                    _ => 0.0,
                }
            }

            pub(crate) fn intrinsic(i: Intrinsic, ty: Type, x: $t, args: &[Value]) -> Result<Value, Undefined> {
                let y = second(args);
                let n = args.get(1).map_or(0, |v| v.int());
                let integer = |v: f64| Ok(Value::Int(wrap(ty, real_to_int(ty, v))));
                let value = match i {
                    Intrinsic::Abs => x.abs(),
                    Intrinsic::Sqrt => x.sqrt(),
                    Intrinsic::Exp => x.exp(),
                    Intrinsic::Log => x.ln(),
                    Intrinsic::Log10 => x.log10(),
                    Intrinsic::Sin => x.sin(),
                    Intrinsic::Cos => x.cos(),
                    Intrinsic::Tan => x.tan(),
                    Intrinsic::Asin => x.asin(),
                    Intrinsic::Acos => x.acos(),
                    Intrinsic::Atan => x.atan(),
                    Intrinsic::Atan2 => x.atan2(y),
                    Intrinsic::Sinh => x.sinh(),
                    Intrinsic::Cosh => x.cosh(),
                    Intrinsic::Tanh => x.tanh(),
                    Intrinsic::Hypot => x.hypot(y),
                    Intrinsic::Pow => x.powf(y),
                    Intrinsic::PowInt => power(x, n as i32),
                    Intrinsic::PowLong => power_long(x, n),
                    Intrinsic::Mod => x % y,
                    Intrinsic::Modulo => modulo(x, y),
                    Intrinsic::Sign => x.copysign(y),
                    Intrinsic::Dim => {
                        if x > y {
                            x - y
                        } else {
                            0.0
                        }
                    }
                    Intrinsic::Max => {
                        if x > y {
                            x
                        } else {
                            y
                        }
                    }
                    Intrinsic::Min => {
                        if x < y {
                            x
                        } else {
                            y
                        }
                    }
                    Intrinsic::Aint => x.trunc(),
                    Intrinsic::Anint => x.round(),
                    Intrinsic::Nint | Intrinsic::Nint8 => {
                        let r = f64::from(x.round());
                        let in_range = r.abs() < (1_u64 << 63) as f64;
                        return Ok(Value::Int(wrap(ty, if in_range { r as i64 } else { i64::MIN })));
                    }
                    Intrinsic::Floor | Intrinsic::Floor8 => return integer(x.floor().into()),
                    Intrinsic::Ceiling | Intrinsic::Ceiling8 => return integer(x.ceil().into()),
                    Intrinsic::Cmplx => return Ok(Value::$pair(x, y)),
                    Intrinsic::IsNan => return Ok(Value::logical(x.is_nan())),
                    Intrinsic::Nearest => match args.get(1) {
                        Some(&Value::R4(s)) => nearest(x, s.is_sign_negative()),
                        Some(&Value::R8(s)) => nearest(x, s.is_sign_negative()),
                        _ => x,
                    },
                    Intrinsic::Exponent => return Ok(Value::Int(exponent(x).into())),
                    Intrinsic::Fraction => scale(x, exponent(x).wrapping_neg().into()),
                    Intrinsic::Scale => scale(x, n),
                    Intrinsic::SetExponent => scale(scale(x, exponent(x).wrapping_neg().into()), n),
                    Intrinsic::Spacing => {
                        let e = if x == 0.0 { $least } else { exponent(x).max($least) };
                        scale(1.0, i64::from(e.wrapping_sub($digits).max($least - 1)))
                    }
                    Intrinsic::Rrspacing => scale(x.abs(), exponent(x).wrapping_neg().wrapping_add($digits).into()),
                    Intrinsic::RealPart | Intrinsic::Conjg => x,
                    other => return Err(beyond(format!("'{}' of reals", other.name()))),
                };
                Ok(Value::$value(value))
            }

            /// With the sign of `y`, zero included.
            fn modulo(x: $t, y: $t) -> $t {
                let r = x % y;
                match r {
                    _ if r == 0.0 => (0.0 as $t).copysign(y),
                    _ if (r < 0.0) != (y < 0.0) => r + y,
                    _ => r,
                }
            }

            fn nearest(x: $t, down: bool) -> $t {
                match down {
                    // `nextafter` gives for both zeros the least number of that sign.
                    true => x.next_down(),
                    false => x.next_up(),
                }
            }

            /// The exponent of the model `0.1xxx * 2**e`; as code gets it from `logb`.
            fn exponent(x: $t) -> i32 {
                if x == 0.0 {
                    return 0;
                }
                if x.is_nan() {
                    return 1;
                }
                if x.is_infinite() {
                    return i32::MIN;
                }
                let bits = x.to_bits() & !(1 << ($bits::BITS - 1));
                match (bits >> $fraction_bits) as i32 {
                    0 => $bits::BITS as i32 - bits.leading_zeros() as i32 - $fraction_bits - $bias + 1,
                    e => e - $bias + 1,
                }
            }

            /// `x * 2**n`, rounded once: steps down keep enough room above the subnormals that only the
            /// last one rounds.
            fn scale(x: $t, n: i64) -> $t {
                let mut n = n.clamp(-4 * $bias, 4 * $bias) as i32;
                let mut y = x;
                let power = |e: i32| $t::from_bits(((e + $bias) as $bits) << $fraction_bits);
                while n > $bias {
                    y *= power($bias);
                    n -= $bias;
                }
                while n < 1 - $bias {
                    let step = 1 - $bias + $digits;
                    y *= power(step);
                    n -= step;
                }
                y * power(n)
            }

            /// In the order of libgcc, as the generated code multiplies.
            fn power(x: $t, n: i32) -> $t {
                let product = whole_power(x, u64::from(n.unsigned_abs()));
                if n < 0 { 1.0 / product } else { product }
            }

            /// In the order of libgfortran.
            fn power_long(x: $t, n: i64) -> $t {
                whole_power(if n < 0 { 1.0 / x } else { x }, n.unsigned_abs())
            }

            fn whole_power(x: $t, n: u64) -> $t {
                let (mut square, mut rest) = (x, n);
                let mut product = if rest & 1 == 1 { square } else { 1.0 };
                rest >>= 1;
                while rest != 0 {
                    square *= square;
                    if rest & 1 == 1 {
                        product *= square;
                    }
                    rest >>= 1;
                }
                product
            }
        }

        mod $complex {
            use super::*;

            type Pair = ($t, $t);

            impl From<Pair> for Value {
                fn from((re, im): Pair) -> Value {
                    Value::$pair(re, im)
                }
            }

            pub(crate) fn multiply((a, b): Pair, (c, d): Pair) -> Pair {
                (a * c - b * d, a * d + b * c)
            }

            /// Smith's method, as gfortran's `-fcx-fortran-rules`.
            pub(crate) fn divide((a, b): Pair, (c, d): Pair) -> Pair {
                if c.abs() < d.abs() {
                    let ratio = c / d;
                    let divisor = c * ratio + d;
                    ((a * ratio + b) / divisor, (b * ratio - a) / divisor)
                } else {
                    let ratio = d / c;
                    let divisor = d * ratio + c;
                    ((b * ratio + a) / divisor, (b - a * ratio) / divisor)
                }
            }

            pub(crate) fn intrinsic(i: Intrinsic, z: Pair, args: &[Value]) -> Result<Value, Undefined> {
                Ok(match i {
                    Intrinsic::RealPart => Value::$value(z.0),
                    Intrinsic::ImagPart => Value::$value(z.1),
                    Intrinsic::Conjg => Value::$pair(z.0, -z.1),
                    Intrinsic::Abs => Value::$value(z.0.hypot(z.1)),
                    Intrinsic::PowInt | Intrinsic::PowLong => power(z, args.get(1).map_or(0, |v| v.int())).into(),
                    other => return Err(beyond(format!("'{}' of complex numbers", other.name()))),
                })
            }

            fn power(z: Pair, n: i64) -> Pair {
                let base = if n < 0 { divide((1.0, 0.0), z) } else { z };
                let (mut product, mut square, mut rest) = ((1.0, 0.0), base, n.unsigned_abs());
                while rest != 0 {
                    if rest & 1 == 1 {
                        product = multiply(product, square);
                    }
                    rest >>= 1;
                    square = multiply(square, square);
                }
                product
            }
        }
    };
}

reals!(real4, complex4, f32, R4, C4, 24, -125, u32, 23, 127);
reals!(real8, complex8, f64, R8, C8, 53, -1021, u64, 52, 1023);
