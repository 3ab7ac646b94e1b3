//! Rules about expressions.

use super::Verifier;
use crate::entities::{Expr, List, Sym};
use crate::expr::{Access, BinaryOp, ExprData, UnaryOp};
use crate::head::Level;
use crate::vocabulary as voc;
use crate::{Intrinsic, Type};

pub(super) fn is_integer(t: Type) -> bool {
    matches!(t, Type::I1 | Type::I2 | Type::I4 | Type::I8)
}

pub(super) fn is_real(t: Type) -> bool {
    t.is_real()
}

pub(super) fn is_complex(t: Type) -> bool {
    t.is_complex()
}

pub(super) fn is_logical(t: Type) -> bool {
    matches!(t, Type::L1 | Type::L2 | Type::L4 | Type::L8)
}

impl Verifier<'_> {
    /// Checks `e` and its operands, as a value.
    pub(super) fn value(&mut self, e: Expr) {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if self.seen.insert(e) {
                self.one(e, &mut todo);
            }
        }
    }

    /// Checks one value; its operands that are values too go to `todo`.
    fn one(&mut self, e: Expr, todo: &mut Vec<Expr>) {
        let u = self.u;
        let data = u.expr(e);
        self.level(data);
        if u.level != Level::Vh && u.pool.rank(e) > 0 {
            self.report(2, "an array stands where only scalars are left");
        }
        match data {
            ExprData::Int(ty, v) => self.check(5, int_fits(ty, v), "an integer constant does not fit its type"),
            ExprData::Real(ty, bits) => {
                self.check(
                    5,
                    matches!(ty, Type::R4 | Type::R8) && (ty == Type::R8 || bits >> 32 == 0),
                    "a real constant is of no real type",
                );
            }
            ExprData::Complex(ty, ..) => {
                self.check(5, matches!(ty, Type::C4 | Type::C8), "a complex constant is of no type that has constants");
            }
            ExprData::Quad(_) => {}
            ExprData::Logical(ty, _) => self.check(5, is_logical(ty), "a logical constant is of no logical type"),
            ExprData::Null => {}
            ExprData::None | ExprData::Triplet(..) | ExprData::ProcAddr(_) | ExprData::AddrOf(..) => {
                self.report(16, "an address, a triplet or an absent argument stands where a value should");
            }
            ExprData::Text(_) | ExprData::Substr(..) => {
                self.report(16, "characters stand where a value should");
            }
            ExprData::Var(_) | ExprData::Elem(..) | ExprData::Section(..) | ExprData::Wide(..) => {
                self.check(16, u.ty(e) != Type::Char, "characters stand where a value should");
                self.place(e, todo);
            }
            ExprData::Load { ty, .. } => {
                self.check(16, ty != Type::Char, "characters stand where a value should");
                self.place(e, todo);
            }
            ExprData::Addr(v) => self.check(5, !u.sym(v).is_register(), "a register has no address"),
            ExprData::Unary(op, a) => {
                self.unary(op, a);
                todo.push(a);
            }
            ExprData::Binary(op, a, b) => {
                self.binary(op, a, b);
                todo.extend([b, a]);
            }
            ExprData::Convert(ty, a) => {
                self.check(5, ty != Type::Char && u.ty(a) != Type::Char, "characters are not converted");
                let (to, from) = (ty.lanes(), u.ty(a).lanes());
                let splat = from == 1 && u.ty(a) == ty.lane();
                self.check(5, to == from || splat, "a vector is made of something else than one value");
                todo.push(a);
            }
            ExprData::Bitcast(ty, a) => {
                let fits = ty.size() == u.ty(a).size() && ty != Type::Char && u.ty(a) != Type::Char;
                self.check(5, fits, "a cast changes the size");
                todo.push(a);
            }
            ExprData::Constructor(ty, l) => {
                let fits = u.list(l).iter().all(|&x| u.ty(x) == ty);
                self.check(5, fits && ty != Type::Char, "an array constructor has members of several types");
                todo.extend(u.list(l).iter().rev());
            }
            ExprData::Intrinsic(i, l) => self.intrinsic(i, l, todo),
        }
    }

    fn level(&mut self, data: ExprData) {
        let level = self.u.level;
        let legal = crate::head::expr_levels(data).contains(level);
        self.check(2, legal, format_args!("an expression is not legal at level {}", level.name()));
    }

    fn unary(&mut self, op: UnaryOp, a: Expr) {
        let ty = self.u.ty(a).lane();
        match op {
            UnaryOp::Neg => self.check(5, !is_logical(ty) && ty != Type::Char, "only numbers are negated"),
            UnaryOp::Not => self.check(5, is_logical(ty), "'.not.' of something that is not logical"),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) {
        let u = self.u;
        let ty = u.ty(a);
        self.check(5, ty == u.ty(b), format_args!("the operands of '{}' have different types", op.text()));
        let ty = ty.lane();
        let fits = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => is_logical(ty),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => is_integer(ty) || is_real(ty),
            _ => !is_logical(ty) && ty != Type::Char,
        };
        self.check(5, fits, format_args!("the operands of '{}' have the wrong type", op.text()));
        self.conform(5, a, b);
    }

    /// The ranks of `a` and `b` are equal, or one is a scalar.
    pub(super) fn conform(&mut self, rule: u8, a: Expr, b: Expr) {
        let (x, y) = (self.u.pool.rank(a), self.u.pool.rank(b));
        self.check(rule, x == y || x == 0 || y == 0, "arrays of different ranks meet");
    }

    fn integer8(&mut self, rule: u8, e: Expr, what: &str) {
        let u = self.u;
        self.check(rule, u.ty(e) == Type::I8 && u.pool.rank(e) == 0, format_args!("{what} is no INTEGER(8) scalar"));
    }

    /// Checks `e` as a place, and the expressions that address it.
    pub(super) fn place(&mut self, e: Expr, todo: &mut Vec<Expr>) {
        let u = self.u;
        self.level(u.expr(e));
        match u.expr(e) {
            ExprData::Var(v) => {
                let explicit = matches!(u.level, Level::M | Level::L);
                let fine = u.sym(v).is_register() || !explicit;
                self.check(2, fine, format_args!("'{}' is memory, and addresses are explicit here", u.sym(v).name));
            }
            ExprData::Elem(v, l) => self.subscripts(v, l, false, todo),
            ExprData::Wide(ty, v, l) => {
                let dims = &u.sym(v).dims;
                let fits =
                    ty.is_vector() && u.sym(v).ty == ty.lane() && dims.first().is_some_and(|d| d.stride.is_none());
                self.check(5, fits, "a vector is not of neighbouring elements of the array");
                self.subscripts(v, l, false, todo);
            }
            ExprData::Section(v, l) => self.subscripts(v, l, true, todo),
            ExprData::Load { addr, sym, .. } => {
                self.integer8(5, addr, "an address");
                self.check(5, !u.sym(sym).is_register(), "a load names a register as memory");
                todo.push(addr);
            }
            ExprData::Substr(base, lo, hi) => {
                self.check(5, u.ty(base) == Type::Char, "a substring of something else than characters");
                self.integer8(5, lo, "the bound of a substring");
                self.integer8(5, hi, "the bound of a substring");
                todo.extend([hi, lo]);
                self.place(base, todo);
            }
            ExprData::Text(_) => {}
            _ => self.report(16, "something that is no place stands where a place should"),
        }
    }

    fn subscripts(&mut self, v: Sym, l: List, is_section: bool, todo: &mut Vec<Expr>) {
        let u = self.u;
        let name = &u.sym(v).name;
        let (have, want) = (u.list(l).len(), u.sym(v).dims.len());
        self.check(17, have == want && want > 0, format_args!("'{name}' has {want} dimensions, not {have}"));
        let mut rank = 0;
        for &s in u.list(l) {
            self.check(17, u.ty(s) == Type::I8, format_args!("a subscript of '{name}' is no INTEGER(8)"));
            match u.expr(s) {
                ExprData::Triplet(lo, hi, step) if is_section => {
                    rank += 1;
                    for x in [lo, hi, step] {
                        self.integer8(17, x, "a part of a triplet");
                    }
                    todo.extend([step, hi, lo]);
                }
                _ => {
                    rank += u8::from(u.pool.rank(s) > 0);
                    self.check(17, u.pool.rank(s) <= 1, "a vector subscript has several dimensions");
                    todo.push(s);
                }
            }
        }
        let fits = if is_section { rank > 0 } else { rank == 0 };
        self.check(17, fits, format_args!("a section of '{name}' has no array as subscript, or an element has one"));
    }

    /// An argument of a call: an address, or a value.
    pub(super) fn argument(&mut self, e: Expr) {
        let u = self.u;
        match u.expr(e) {
            ExprData::AddrOf(access, place) => {
                let mut todo = Vec::new();
                self.level(u.expr(e));
                let constant = matches!(u.expr(place), ExprData::Text(_));
                self.check(16, !constant || access == Access::In, "a character constant is written");
                self.place(place, &mut todo);
                for x in todo {
                    self.value(x);
                }
            }
            ExprData::ProcAddr(_) | ExprData::Null => {}
            _ => self.value(e),
        }
    }

    fn intrinsic(&mut self, i: Intrinsic, l: List, todo: &mut Vec<Expr>) {
        let u = self.u;
        let args = u.list(l);
        let (least, most) = voc::arity(i);
        if args.len() < least || args.len() > most {
            return self.report(18, format!("'{}' has {} arguments", i.name(), args.len()));
        }
        if i == Intrinsic::Ichar {
            self.check(18, u.ty(args[0]) == Type::Char, "'ichar' of something else than characters");
            return self.place(args[0], todo);
        }
        for (k, &a) in args.iter().enumerate() {
            if u.expr(a) == ExprData::None {
                let may = i.is_transformational() && k > 0;
                self.check(16, may, "an absent argument stands where a value should");
            } else {
                todo.push(a);
                if !i.is_transformational() {
                    self.conform(18, args[0], a);
                }
            }
        }
        let fits = arguments_fit(i, args.iter().map(|&a| (u.ty(a), u.pool.rank(a), u.expr(a) == ExprData::None)));
        self.check(18, fits, format_args!("'{}' has arguments of the wrong type or rank", i.name()));
    }
}

fn int_fits(ty: Type, v: i64) -> bool {
    match ty {
        Type::I1 => i8::try_from(v).is_ok(),
        Type::I2 => i16::try_from(v).is_ok(),
        Type::I4 => i32::try_from(v).is_ok(),
        Type::I8 => true,
        _ => false,
    }
}

/// Whether the vector has lanes that are numbers which 16 bytes hold two of.
fn has_pieces(ty: Type) -> bool {
    ty.is_vector() && !is_logical(ty.lane()) && ty.lane().vector(Type::R8x2.size() / ty.lane().size()).is_some()
}

/// Whether `i` takes arguments of these types and ranks, and these absent ones; their number is right.
fn arguments_fit(i: Intrinsic, args: impl Iterator<Item = (Type, u8, bool)>) -> bool {
    use Intrinsic as I;
    let args: Vec<(Type, u8, bool)> = args.collect();
    let (first, last) = (args[0].0, args[args.len() - 1].0);
    if i == I::Lane {
        return first.is_vector() && args[1].0 == Type::I4;
    }
    if i == I::Piece {
        return first.size() > Type::R8x2.size() && has_pieces(first) && args[1].0 == Type::I4;
    }
    if i == I::Ones {
        return first.is_vector() && is_logical(first.lane());
    }
    if i == I::Ramp {
        return first.is_vector() && !is_logical(first.lane()) && args[1].0 == Type::I4;
    }
    if i == I::Alternate {
        return first.is_vector() && args[1].0 == first && args[2].0 == Type::I4;
    }
    if i == I::Gather {
        return args.iter().all(|a| a.0 == first) && first.vector(args.len()).is_some();
    }
    let lanes = |t: Type| t.lanes() == first.lanes();
    if !args.iter().all(|a| lanes(a.0)) || (first.is_vector() && i == I::Merge && last != first.mask()) {
        return false;
    }
    let args: Vec<(Type, u8, bool)> = args.into_iter().map(|(t, rank, absent)| (t.lane(), rank, absent)).collect();
    let ty = |k: usize| args.get(k).map(|a| a.0);
    let first = args[0].0;
    let same = args.iter().all(|a| a.0 == first);
    let integers = args.iter().all(|a| is_integer(a.0));
    match i {
        I::Abs => !is_logical(first) && first != Type::Char,
        I::Sqrt | I::Exp | I::Log | I::Sin | I::Cos | I::Tan | I::Asin | I::Acos | I::Atan => {
            is_real(first) || is_complex(first)
        }
        I::Sinh | I::Cosh | I::Tanh | I::Asinh | I::Acosh | I::Atanh => is_real(first) || is_complex(first),
        I::Log10 | I::Aint | I::Anint | I::Gamma | I::LogGamma | I::Erf | I::Erfc | I::IsNan => is_real(first),
        I::Nint | I::Nint8 | I::Floor | I::Floor8 | I::Ceiling | I::Ceiling8 => is_real(first),
        I::Fraction | I::Exponent | I::Spacing | I::Rrspacing => is_real(first),
        I::Atan2 | I::Hypot | I::Cmplx => is_real(first) && same,
        I::Nearest => is_real(first) && ty(1).is_some_and(is_real),
        I::BesselJ0 | I::BesselJ1 | I::BesselY0 | I::BesselY1 => is_real(first),
        I::BesselJn | I::BesselYn => is_real(first) && ty(1) == Some(Type::I4),
        I::Scale | I::SetExponent => is_real(first) && ty(1).is_some_and(is_integer),
        I::Pow => same && !is_logical(first) && first != Type::Char,
        I::PowInt => !is_logical(first) && first != Type::Char && ty(1) == Some(Type::I4),
        I::PowLong => (is_real(first) || is_complex(first)) && ty(1) == Some(Type::I8),
        I::Mod | I::Modulo | I::Sign | I::Dim | I::Max | I::Min => same && (is_integer(first) || is_real(first)),
        I::RealPart | I::ImagPart | I::Conjg => is_complex(first),
        I::Iand | I::Ior | I::Ieor => same && integers,
        I::Not | I::Ishft | I::Ishftc | I::Shifta | I::Btest | I::Ibset | I::Ibclr | I::Ibits => integers,
        I::Popcnt | I::Leadz | I::Trailz => integers,
        I::Merge => ty(0) == ty(1) && ty(2).is_some_and(is_logical),
        I::Trip | I::SumTrips => args.iter().all(|a| a.0 == Type::I8),
        I::Ichar => first == Type::Char,
        _ => array_arguments_fit(i, &args),
    }
}

fn array_arguments_fit(i: Intrinsic, args: &[(Type, u8, bool)]) -> bool {
    use Intrinsic as I;
    let (first, rank, _) = args[0];
    let is = |k: usize, f: fn(Type) -> bool| args.get(k).is_none_or(|a| a.2 || f(a.0));
    let numeric = !is_logical(first) && first != Type::Char;
    match i {
        I::Sum | I::Product => rank > 0 && numeric && is(1, is_integer) && is(2, is_logical),
        I::Maxval | I::Minval | I::Maxloc | I::Minloc => {
            rank > 0 && (is_integer(first) || is_real(first)) && is(1, is_integer) && is(2, is_logical)
        }
        I::Iall | I::Iany | I::Iparity => rank > 0 && is_integer(first) && is(1, is_integer) && is(2, is_logical),
        I::Count | I::Any | I::All | I::Parity => rank > 0 && is_logical(first) && is(1, is_integer),
        I::Norm2 => rank > 0 && is_real(first) && is(1, is_integer),
        I::DotProduct => rank == 1 && args[1].1 == 1 && args[1].0 == first && first != Type::Char,
        I::Matmul => args[1].0 == first && first != Type::Char && rank + args[1].1 >= 3 && rank <= 2 && args[1].1 <= 2,
        I::Transpose => rank == 2,
        I::Cshift => rank > 0 && is(1, is_integer) && is(2, is_integer),
        I::Eoshift => rank > 0 && is(1, is_integer) && args.get(2).is_none_or(|a| a.2 || a.0 == first),
        I::Spread => is(1, is_integer) && is(2, is_integer),
        I::Reshape => rank > 0 && is(1, is_integer) && args[1].1 == 1,
        I::Pack => rank > 0 && is(1, is_logical),
        I::Unpack => rank == 1 && is(1, is_logical) && args[2].0 == first,
        _ => true,
    }
}
