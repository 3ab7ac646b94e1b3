//! Operations on scalars mean the same wherever they are computed: in constant expressions, by the optimizer, by the
//! interpreter (whose functions say the expected value) and by the compiled program, at the edges of every kind.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use trueline_ir::scalar::{self, Value};
use trueline_ir::{BinaryOp, Intrinsic, Type, UnaryOp};

/// An operation, and its text: `A` and `B` stand for the operands.
#[derive(Clone, Copy)]
struct Case {
    op: Op,
    text: &'static str,
    second: Second,
}

#[derive(Clone, Copy)]
enum Op {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Function(Intrinsic),
    Convert(Type),
}

/// The second operand.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    None,
    /// A value like the first.
    Same,
    /// An INTEGER(4) from 0 up to one less than the bits of the first.
    Bit,
    /// A number of bits to shift by.
    Shift,
    /// A small INTEGER(4).
    Small,
    /// A small integer of the kind of the first.
    Exponent,
}

const fn case(op: Op, text: &'static str, second: Second) -> Case {
    Case { op, text, second }
}

use BinaryOp as B;
use Intrinsic as I;
use Op::{Binary, Convert, Function, Unary};
use Second::{Bit, Exponent, None as Alone, Same, Shift, Small};

const BOTH: &[Case] = &[
    case(Unary(UnaryOp::Neg), "-A", Alone),
    case(Binary(B::Add), "A + B", Same),
    case(Binary(B::Sub), "A - B", Same),
    case(Binary(B::Mul), "A * B", Same),
    case(Binary(B::Div), "A / B", Same),
    case(Binary(B::Eq), "A == B", Same),
    case(Binary(B::Ne), "A /= B", Same),
    case(Binary(B::Lt), "A < B", Same),
    case(Binary(B::Le), "A <= B", Same),
    case(Binary(B::Gt), "A > B", Same),
    case(Binary(B::Ge), "A >= B", Same),
    case(Function(I::Abs), "abs(A)", Alone),
    case(Function(I::Mod), "mod(A, B)", Same),
    case(Function(I::Modulo), "modulo(A, B)", Same),
    case(Function(I::Sign), "sign(A, B)", Same),
    case(Function(I::Dim), "dim(A, B)", Same),
    case(Function(I::Max), "max(A, B)", Same),
    case(Function(I::Min), "min(A, B)", Same),
    case(Convert(Type::R4), "real(A, 4)", Alone),
    case(Convert(Type::R8), "real(A, 8)", Alone),
    case(Convert(Type::I1), "int(A, 1)", Alone),
    case(Convert(Type::I2), "int(A, 2)", Alone),
    case(Convert(Type::I4), "int(A, 4)", Alone),
    case(Convert(Type::I8), "int(A, 8)", Alone),
];

const INTEGERS: &[Case] = &[
    case(Function(I::Pow), "A ** B", Exponent),
    case(Function(I::Iand), "iand(A, B)", Same),
    case(Function(I::Ior), "ior(A, B)", Same),
    case(Function(I::Ieor), "ieor(A, B)", Same),
    case(Function(I::Not), "not(A)", Alone),
    case(Function(I::Popcnt), "popcnt(A)", Alone),
    case(Function(I::Leadz), "leadz(A)", Alone),
    case(Function(I::Trailz), "trailz(A)", Alone),
    case(Function(I::Btest), "btest(A, B)", Bit),
    case(Function(I::Ibset), "ibset(A, B)", Bit),
    case(Function(I::Ibclr), "ibclr(A, B)", Bit),
    case(Function(I::Shifta), "shifta(A, B)", Bit),
    case(Function(I::Ishft), "ishft(A, B)", Shift),
    case(Function(I::Ishftc), "ishftc(A, B)", Shift),
];

const REALS: &[Case] = &[
    case(Function(I::Sqrt), "sqrt(A)", Alone),
    case(Function(I::Aint), "aint(A)", Alone),
    case(Function(I::Anint), "anint(A)", Alone),
    case(Function(I::Nint), "nint(A)", Alone),
    case(Function(I::Floor), "floor(A)", Alone),
    case(Function(I::Ceiling), "ceiling(A)", Alone),
    case(Function(I::Exponent), "exponent(A)", Alone),
    case(Function(I::Fraction), "fraction(A)", Alone),
    case(Function(I::Spacing), "spacing(A)", Alone),
    case(Function(I::Rrspacing), "rrspacing(A)", Alone),
    case(Function(I::Scale), "scale(A, B)", Small),
    case(Function(I::SetExponent), "set_exponent(A, B)", Small),
];

const KINDS: [Type; 6] = [Type::I1, Type::I2, Type::I4, Type::I8, Type::R4, Type::R8];

fn is_real(ty: Type) -> bool {
    matches!(ty, Type::R4 | Type::R8)
}

fn edges(ty: Type) -> Vec<Value> {
    if !is_real(ty) {
        let least = -(1_i128 << (8 * ty.size() - 1)) as i64;
        return [0, 1, -1, 2, -3, 7, 100, least, least + 1, !least, !least - 1].map(Value::Int).to_vec();
    }
    let doubles =
        [0.0, -0.0, 1.0, -1.0, 0.5, -0.75, 1.5, -2.5, 3.0, 1e5, -7.25, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let mut all: Vec<Value> = match ty {
        Type::R4 => doubles.map(|x| Value::R4(x as f32)).to_vec(),
        _ => doubles.map(Value::R8).to_vec(),
    };
    all.extend(match ty {
        Type::R4 => [f32::MAX, -f32::MAX, f32::MIN_POSITIVE, f32::from_bits(3), 0.1].map(Value::R4),
        _ => [f64::MAX, -f64::MAX, f64::MIN_POSITIVE, f64::from_bits(3), 0.1].map(Value::R8),
    });
    all
}

/// The bits of a value; all NaNs are one.
fn bits(v: Value) -> i64 {
    match v {
        Value::Int(v) => v,
        Value::R4(x) if x.is_nan() => -1,
        Value::R8(x) if x.is_nan() => -1,
        Value::R4(x) => i64::from(x.to_bits() as i32),
        Value::R8(x) => x.to_bits() as i64,
        Value::C4(..) | Value::C8(..) => unreachable!("no complex operations here"),
        Value::Lanes(_) => unreachable!("no scalar is a vector"),
    }
}

fn number(v: Value) -> f64 {
    match v {
        Value::Int(v) => v as f64,
        Value::R4(x) => x.into(),
        Value::R8(x) => x,
        Value::C4(..) | Value::C8(..) => unreachable!("no complex operations here"),
        Value::Lanes(_) => unreachable!("no scalar is a vector"),
    }
}

impl Case {
    fn result_type(self, ty: Type) -> Type {
        match self.op {
            Unary(_) => ty,
            Binary(op) if op.is_comparison() => Type::L4,
            Binary(_) => ty,
            Function(i) => i.result(ty),
            Convert(to) => to,
        }
    }

    /// The value, where Fortran says one.
    fn value(self, ty: Type, a: Value, b: Value) -> Option<Value> {
        let x = number(a);
        let to = self.result_type(ty);
        // A result that does not fit has no value.
        let limit = 2f64.powi(8 * to.size() as i32 - 1) - 1.0;
        let rounds = matches!(self.op, Function(I::Nint | I::Floor | I::Ceiling))
            || matches!(self.op, Convert(to) if !is_real(to));
        if is_real(ty) && rounds && (x.is_nan() || x.abs() >= limit) {
            return None;
        }
        // It is not defined which of the two is taken for a NaN, and for zeros.
        let unordered = x.is_nan() || number(b).is_nan() || x == 0.0 && number(b) == 0.0;
        let extreme = matches!(self.op, Function(I::Max | I::Min));
        let is_model = matches!(
            self.op,
            Function(I::Exponent | I::Fraction | I::Spacing | I::Rrspacing | I::Scale | I::SetExponent)
        );
        if is_real(ty) && (extreme && unordered || is_model && !x.is_finite()) {
            return None;
        }
        match self.op {
            Function(I::Mod | I::Modulo) if is_real(ty) && (number(b) == 0.0 || !x.is_finite()) => None,
            Function(I::Modulo) if is_real(ty) && !number(b).is_finite() => None,
            Function(I::Mod | I::Modulo) if b == Value::Int(-1) => None,
            // The model has no exponent for zero.
            Function(I::SetExponent) if x == 0.0 => None,
            Unary(op) => Some(scalar::unary(op, ty, a)),
            Binary(op) => scalar::binary(op, ty, a, b).ok(),
            Convert(to) => Some(scalar::convert(ty, to, a)),
            Function(I::Pow) => {
                let exact = number(a).powi(number(b) as i32);
                (exact.abs() < 1e15).then(|| scalar::intrinsic(I::Pow, ty, ty, &[a, b]).ok()).flatten()
            }
            Function(i) => scalar::intrinsic(i, to, ty, &[a, b][..if self.second == Alone { 1 } else { 2 }]).ok(),
        }
    }

    /// Whether a constant expression may have it: it must neither overflow nor divide by zero.
    fn is_constant(self, ty: Type, a: Value, b: Value, v: Value) -> bool {
        let in_range = |exact: Option<i128>| exact.is_some_and(|n| i128::from(scalar::wrap(ty, n as i64)) == n);
        let (Value::Int(x), Value::Int(y)) = (a, if self.second == Alone { Value::Int(0) } else { b }) else {
            let finite = [a, b].iter().all(|&v| number(v).is_finite());
            let divides = matches!(self.op, Binary(B::Div)) && number(b) == 0.0;
            let roots = matches!(self.op, Function(I::Sqrt)) && number(a) < 0.0;
            // A narrower kind refuses a number that it has not.
            let narrows = matches!(self.op, Convert(_)) && !number(a).is_finite();
            return !divides && !roots && !narrows && (!finite || number(v).is_finite());
        };
        match self.op {
            Unary(_) => in_range(Some(-i128::from(x))),
            Binary(op) if !op.is_comparison() => in_range(scalar::exact_integer(op, x, y)),
            Function(i @ (I::Abs | I::Sign | I::Dim)) => in_range(scalar::exact_function(i, x, y)),
            Function(I::Pow) => number(v) == (x as f64).powi(y as i32).trunc() && (x != 0 || y >= 0),
            Convert(to) if !is_real(to) => scalar::wrap(to, x) == x,
            _ => true,
        }
    }

    fn seconds(self, ty: Type) -> Vec<Value> {
        let bits = 8 * ty.size() as i64;
        match self.second {
            Alone => vec![Value::Int(0)],
            Same => edges(ty),
            Bit => [0, 1, 5, bits - 1].map(Value::Int).to_vec(),
            Shift => [0, 1, -1, 5, -5, bits - 1, 1 - bits, bits, -bits].map(Value::Int).to_vec(),
            Small | Exponent => [0, 1, 2, 3, 7, -1, -2].map(Value::Int).to_vec(),
        }
    }
}

fn declared(ty: Type) -> String {
    format!("{}({})", if is_real(ty) { "real" } else { "integer" }, ty.size())
}

/// A value as a constant of its type.
fn constant(ty: Type, v: Value) -> String {
    match ty {
        Type::R4 => format!("transfer({}, 1.0)", integer(4, i64::from(raw4(v)))),
        Type::R8 => format!("transfer({}, 1d0)", integer(8, raw8(v))),
        _ => integer(ty.size(), v.int()),
    }
}

fn raw4(v: Value) -> i32 {
    if let Value::R4(x) = v { x.to_bits() as i32 } else { 0 }
}

fn raw8(v: Value) -> i64 {
    if let Value::R8(x) = v { x.to_bits() as i64 } else { 0 }
}

/// The least integer is no literal.
fn integer(kind: usize, v: i64) -> String {
    if v == -(1_i128 << (8 * kind - 1)) as i64 {
        format!("(-{}_{kind} - 1_{kind})", !v)
    } else {
        format!("({v}_{kind})")
    }
}

/// Two programs that print the same values, one by variables and one by constant expressions, and the expected output
/// of each.
#[derive(Default)]
struct Programs {
    variables: [String; 2],
    constants: [String; 2],
    expected: [Vec<(String, i64)>; 2],
}

impl Programs {
    fn add(&mut self, number: usize, ty: Type, case: Case) {
        let kind = declared(ty);
        let second = if matches!(case.second, Same | Exponent) { kind.clone() } else { "integer".to_owned() };
        let begin = format!("subroutine s{number}()\n  use out\n  implicit none\n");
        let mut variables = format!("{begin}  {kind} :: a\n  {second} :: b\n");
        let (mut parameters, mut prints) = (String::new(), String::new());
        for (k, a) in edges(ty).into_iter().enumerate() {
            for (n, b) in case.seconds(ty).into_iter().enumerate() {
                if case.second == Same && !(k * 7 + n * 3 + number).is_multiple_of(4) {
                    continue;
                }
                let Some(v) = case.value(ty, a, b) else { continue };
                let (x, y) =
                    (constant(ty, a), constant(if matches!(case.second, Same | Exponent) { ty } else { Type::I4 }, b));
                let name = format!("{} of {kind} with A = {}, B = {}", case.text, text(a), text(b));
                let _ = write!(
                    variables,
                    "  a = {x}\n  b = {y}\n  call put({})\n",
                    case.text.replace('A', "a").replace('B', "b")
                );
                self.expected[0].push((name.clone(), bits(v)));
                if case.is_constant(ty, a, b, v) {
                    let id = format!("c{k}_{n}");
                    let result = match case.result_type(ty) {
                        Type::L4 => "logical".to_owned(),
                        ty => declared(ty),
                    };
                    let expression = case.text.replace('A', "a#").replace('B', "b#").replace('#', &format!("{k}_{n}"));
                    let _ = write!(
                        parameters,
                        "  {kind}, parameter :: a{k}_{n} = {x}\n  {second}, parameter :: b{k}_{n} = {y}\n  \
                         {result}, parameter :: {id} = {expression}\n"
                    );
                    let _ = writeln!(prints, "  call put({id})");
                    self.expected[1].push((name, bits(v)));
                }
            }
        }
        let _ = writeln!(self.variables[0], "{variables}end subroutine");
        let _ = writeln!(self.constants[0], "{begin}{parameters}{prints}end subroutine");
        for calls in [&mut self.variables[1], &mut self.constants[1]] {
            let _ = writeln!(calls, "  call s{number}()");
        }
    }
}

fn text(v: Value) -> String {
    match v {
        Value::Int(v) => v.to_string(),
        other => format!("{:e}", number(other)),
    }
}

const OUT: &str = "module out
  implicit none
  interface put
    module procedure put1, put2, put4, put8, putr4, putr8, putl
  end interface
contains
  subroutine put1(v)
    integer(1), intent(in) :: v
    print '(i0)', v
  end subroutine
  subroutine put2(v)
    integer(2), intent(in) :: v
    print '(i0)', v
  end subroutine
  subroutine put4(v)
    integer(4), intent(in) :: v
    print '(i0)', v
  end subroutine
  subroutine put8(v)
    integer(8), intent(in) :: v
    print '(i0)', v
  end subroutine
  subroutine putr4(v)
    real(4), intent(in) :: v
    print '(i0)', merge(-1, transfer(v, 1), v /= v)
  end subroutine
  subroutine putr8(v)
    real(8), intent(in) :: v
    print '(i0)', merge(-1_8, transfer(v, 1_8), v /= v)
  end subroutine
  subroutine putl(v)
    logical, intent(in) :: v
    print '(i0)', merge(1, 0, v)
  end subroutine
end module
";

/// The lines in which the output of the program differs from the expected one.
fn differences(directory: &Path, source: &[String; 2], options: &[&str], expected: &[(String, i64)]) -> Vec<String> {
    let [units, calls] = source;
    std::fs::write(directory.join("p.f90"), format!("{OUT}{units}program p\n{calls}end program\n")).unwrap();
    let mut compiler = Command::new(env!("CARGO_BIN_EXE_trueline"));
    compiler.args(["fc", "-w", "p.f90", "-o", "p"]).args(options).current_dir(directory);
    let out = compiler.output().unwrap();
    assert!(out.status.success(), "{options:?}: {}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(directory.join("p")).output().unwrap();
    assert!(out.status.success(), "{options:?}: {}", String::from_utf8_lossy(&out.stderr));
    let printed = String::from_utf8_lossy(&out.stdout).into_owned();
    let printed: Vec<&str> = printed.lines().map(str::trim).collect();
    assert_eq!(printed.len(), expected.len(), "{options:?}");
    let differ = printed.iter().zip(expected).filter(|(line, (_, v))| **line != v.to_string());
    differ.map(|(line, (name, v))| format!("{options:?}: {name}: {line} instead of {v}")).collect()
}

#[test]
fn operations_mean_the_same_everywhere() {
    let mut programs = Programs::default();
    let mut number = 0;
    for ty in KINDS {
        let own = if is_real(ty) { REALS } else { INTEGERS };
        for &case in BOTH.iter().chain(own) {
            number += 1;
            programs.add(number, ty, case);
        }
    }
    assert!(programs.expected.iter().all(|e| e.len() > 2000), "many values");
    let dir = tempfile::tempdir().unwrap();
    let [by_variables, by_constants] = &programs.expected;
    let mut wrong = differences(dir.path(), &programs.constants, &["-O0"], by_constants);
    for level in ["-O0", "-O3"] {
        wrong.extend(differences(dir.path(), &programs.variables, &[level], by_variables));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}
