//! Calls of intrinsic functions, by the rules of the table.

pub(crate) mod array;
pub(crate) mod c;
pub(crate) mod dim;
pub(crate) mod ieee;
pub(crate) mod inquiry;
pub(crate) mod kind;
pub(crate) mod library;
pub(crate) mod locate;
pub(crate) mod subroutine;
pub(crate) mod system;

use crate::expr::Exprs;
use crate::source::Source;
use crate::values::{Checked, Str, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Intrinsic as Ir, Rt, Sym, Type};
use trueline_sema::const_eval;
use trueline_sema::intrinsic::{Actuals, Intrinsic as Row, Rule, ShiftOp, Special};
use trueline_sema::types::kinds::{Category, common_type};
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::{ArgList, ExprId, ExprKind};

/// Calls of intrinsic functions, over expressions.
pub(crate) struct Intrinsics<'l, 'a> {
    /// The expressions around.
    pub(crate) exprs: &'l mut Exprs<'a>,
}

/// A call of an intrinsic function.
pub(crate) fn call(exprs: &mut Exprs<'_>, x: ExprId, row: &'static Row, args: ArgList) -> Val {
    Intrinsics { exprs }.call(x, row, args)
}

impl<'a> std::ops::Deref for Intrinsics<'_, 'a> {
    type Target = Exprs<'a>;
    fn deref(&self) -> &Self::Target {
        self.exprs
    }
}

impl std::ops::DerefMut for Intrinsics<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.exprs
    }
}

impl Intrinsics<'_, '_> {
    /// A call of an intrinsic function.
    fn call(&mut self, x: ExprId, row: &'static Row, args: ArgList) -> Val {
        let span = self.ast.span(x);
        let is_null = row.rule == Rule::Inquiry(trueline_sema::intrinsic::Inquiry::Null);
        if row.is_subroutine() || !is_null && self.typing().of(x).is_none() {
            refused();
        }
        let args = self.match_arguments(row, args, span);
        // A function that is not elemental takes whole arrays, whatever the mask of a WHERE selects.
        let by_element = matches!(row.rule, Rule::Special(Special::Merge));
        let masking = self.masking;
        let selects = self.selects;
        self.selects |= self.selects_elements(row, &args);
        let value = match row.rule {
            Rule::Special(s) => {
                self.masking = masking.filter(|_| by_element);
                self.special(x, row, s, &args)
            }
            Rule::Library(library) => self.library_call(row, library, &args).checked(),
            Rule::Model(m) => self.model(row, m, &args),
            Rule::Inquiry(i) => {
                self.masking = None;
                let outer = std::mem::replace(&mut self.takes_any_type, true);
                let absent = std::mem::replace(&mut self.may_be_absent, true);
                let value = self.inquiry(row, i, &args);
                self.may_be_absent = absent;
                self.takes_any_type = outer;
                value
            }
            Rule::Reduce(ir) => {
                self.masking = None;
                self.reduction(row, ir, &args)
            }
            Rule::Array(ir) => {
                self.masking = None;
                self.transformational(x, row, ir, &args)
            }
            _ => self.elemental(x, row, &args),
        };
        (self.masking, self.selects) = (masking, selects);
        let mut v = value;
        let default = self.cx.decls.options.default_integer();
        if self.ty(v.e) == Type::I4 && default != Type::I4 && row.gives_default_integer() && !self.has_kind(row, &args)
        {
            v.e = self.convert(default, v.e);
        }
        v
    }

    /// Whether the function may leave some elements of its arguments alone. A mask may stand where DIM does.
    fn selects_elements(&mut self, row: &Row, args: &Actuals) -> bool {
        let further: Vec<ExprId> = args.iter().skip(1).flatten().copied().collect();
        let is_mask = |l: &mut Self, x| l.typing().of(x).is_some_and(|t| Category::of(t.ty) == Category::Logical);
        matches!(row.name, "cshift" | "eoshift" | "merge" | "pack" | "reshape" | "transfer" | "unpack")
            || further.into_iter().any(|x| is_mask(self, x))
    }

    fn has_kind(&self, row: &Row, args: &Actuals) -> bool {
        row.args.iter().zip(args).any(|(a, x)| a.name == "kind" && x.is_some())
    }

    /// The value of a KIND argument, or `default`.
    pub(crate) fn kind_argument(&mut self, x: Option<ExprId>, category: Category, default: Type) -> Type {
        let default = if default == Type::I4 { self.cx.decls.options.default_integer() } else { default };
        let Some(x) = x else { return default };
        let value = const_eval(self.cx.decls, self.scope, x).checked();
        value.as_int().and_then(|k| category.with_kind(k)).checked()
    }

    /// All arguments, evaluated in order and conforming.
    pub(crate) fn operands_of(&mut self, x: ExprId, row: &Row, args: &Actuals) -> SmallVec<[Val; 4]> {
        let mut values: SmallVec<[Val; 4]> = SmallVec::new();
        for k in 0..args.len() {
            if let Some(v) = self.actual(row, args, k) {
                if let Some(first) = values.iter().find(|v| self.rank(v.e) > 0).copied() {
                    let operand = args[k].unwrap_or(x);
                    self.conform_at(x, operand, first.e, v.e);
                }
                values.push(v);
            }
        }
        values
    }

    /// With `-fno-sign-zero`, a zero gives SIGN no sign: adding zero takes it away.
    fn unsign_zero(&mut self, ir: Ir, ty: Type, values: &mut [Val]) {
        if ir != Ir::Sign || Category::of(ty) != Category::Real || !self.cx.decls.options.io.unsigned_zero {
            return;
        }
        if let Some(b) = values.get_mut(1) {
            let zero = self.make(ExprData::real(ty, 0.0));
            let value = self.convert(ty, b.e);
            b.e = self.binary(BinaryOp::Add, value, zero);
        }
    }

    fn elemental(&mut self, x: ExprId, row: &Row, args: &Actuals) -> Val {
        let count = match row.rule {
            Rule::Convert(_) | Rule::Round(..) | Rule::Whole(_) => 1,
            _ => args.len(),
        };
        let own: Actuals = args[..count].iter().copied().collect();
        let kind = args.get(1).copied().flatten().filter(|_| count == 1);
        let mut values = self.operands_of(x, row, &own);
        self.bring_boz(&own, &mut values);
        let e = match row.rule {
            Rule::Op(ir) => {
                let ty = self.common_of(&values);
                self.unsign_zero(ir, ty, &mut values);
                let all: SmallVec<[Expr; 4]> = values.iter().map(|v| self.e.convert(ty, v.e)).collect();
                if matches!(ir, Ir::Mod | Ir::Modulo) {
                    let span = self.ast.span(x);
                    self.check_divisor(span, all[1]);
                }
                let value = self.evaluated(ir, &all);
                self.of_finite(ir, all[0], value)
            }
            Rule::OpWith(ir, ty) => {
                self.check_bit_arguments(row, &own, &values);
                let all: SmallVec<[Expr; 4]> = values
                    .iter()
                    .enumerate()
                    .map(|(k, v)| if k == 0 { v.e } else { self.e.convert(ty, v.e) })
                    .collect();
                let value = self.intrinsic(ir, &all);
                self.of_finite(ir, all[0], value)
            }
            Rule::Fold(ir, result) => {
                let ty = self.common_of(&values);
                if ty == Type::Char {
                    return self.extreme_string(ir, &own, &values);
                }
                let all: SmallVec<[Expr; 4]> = values.iter().map(|v| self.e.convert(ty, v.e)).collect();
                let mut folded = *all.first().checked();
                for (&x, &b) in own.iter().flatten().zip(&all).skip(1) {
                    let both = self.e.intrinsic(ir, &[folded, b]);
                    folded = self.unless_absent(x, both, folded);
                }
                let options = self.cx.decls.options;
                self.convert(result.map_or(ty, |ty| options.extreme(ty)), folded)
            }
            Rule::Convert(ty) => {
                let ty = self.kind_argument(kind, Category::of(ty), self.cx.decls.options.specific(ty));
                if Category::of(ty) == Category::Real && own[0].is_some_and(|x| self.is_boz(x)) {
                    return Val::plain(self.bits_as_real(ty, values[0].e));
                }
                let v = self.without_bounds(values[0]);
                let span = self.ast.span(x);
                self.check_conversion(span, ty, v.e);
                self.convert_numeric(ty, v.e)
            }
            Rule::Round(four, eight) => {
                let ty = self.kind_argument(kind, Category::Integer, Type::I4);
                let span = self.ast.span(x);
                self.check_conversion(span, ty, values[0].e);
                let rounded = self.intrinsic(if ty == Type::I8 { eight } else { four }, &[values[0].e]);
                self.convert(ty, rounded)
            }
            Rule::Whole(ir) => {
                let ty = self.kind_argument(kind, Category::Real, self.ty(values[0].e));
                let whole = self.intrinsic(ir, &[values[0].e]);
                self.convert(ty, whole)
            }
            _ => refused(),
        };
        Val::plain(e)
    }

    /// `value`, a function of the model number that `x` is, for finite `x`. Infinities and NaNs have the exponent HUGE, and no
    /// fraction or spacing.
    fn of_finite(&mut self, ir: Ir, x: Expr, value: Expr) -> Expr {
        let is_model = matches!(ir, Ir::Exponent | Ir::Fraction | Ir::Spacing | Ir::Rrspacing | Ir::SetExponent);
        let ty = self.ty(x);
        if !is_model || !matches!(ty, Type::R4 | Type::R8) || self.e.pool().is_constant(value) {
            return value;
        }
        let otherwise = match ir {
            Ir::Exponent => self.int4(i32::MAX.into()),
            _ => self.make(ExprData::real(ty, f64::NAN)),
        };
        let (difference, zero) = (self.binary(BinaryOp::Sub, x, x), self.make(ExprData::real(ty, 0.0)));
        let is_finite = self.make(ExprData::Binary(BinaryOp::Eq, difference, zero));
        self.intrinsic(Ir::Merge, &[value, otherwise, is_finite])
    }

    /// `given`, but `absent` if `x` is an optional dummy argument that is not there. Both can be evaluated all the same: a
    /// scalar argument always has memory.
    pub(crate) fn unless_absent(&mut self, x: ExprId, given: Expr, absent: Expr) -> Expr {
        match self.optional_flag(x) {
            Some(flag) if self.rank(given) == self.rank(absent) => {
                let (flag, zero) = (self.var(flag), self.int8(0));
                let there = self.make(ExprData::Binary(BinaryOp::Ne, flag, zero));
                let ty = self.ty(given);
                let absent = self.convert(ty, absent);
                self.intrinsic(Ir::Merge, &[given, absent, there])
            }
            _ => given,
        }
    }

    /// A BOZ constant takes the type of its neighbour.
    fn bring_boz(&mut self, args: &Actuals, values: &mut [Val]) {
        let boz: SmallVec<[bool; 4]> = args.iter().flatten().map(|&x| self.is_boz(x)).collect();
        let other = values.iter().zip(&boz).find(|(_, b)| !**b).map(|(v, _)| self.ty(v.e));
        if let Some(ty) = other.filter(|&ty| Category::of(ty) == Category::Integer) {
            for (v, is_boz) in values.iter_mut().zip(boz) {
                if is_boz {
                    v.e = self.e.convert(ty, v.e);
                }
            }
        }
    }

    fn is_boz(&self, x: ExprId) -> bool {
        matches!(self.ast.expr(self.unparen(x)).kind, ExprKind::Boz { .. })
    }

    /// The bits of a BOZ constant as a real number.
    fn bits_as_real(&mut self, ty: Type, e: Expr) -> Expr {
        let same = if ty == Type::R4 { Type::I4 } else { Type::I8 };
        match self.known(e) {
            Some(bits) if ty == Type::R4 => self.make(ExprData::Real(ty, u64::from(bits as u32))),
            Some(bits) => self.make(ExprData::real_bits(ty, u128::from(bits as u64))),
            None => {
                let e = self.convert(same, e);
                self.make(ExprData::Bitcast(ty, e))
            }
        }
    }

    /// The type that arguments which must agree have; gfortran lets kinds differ.
    pub(crate) fn common_of(&self, values: &[Val]) -> Type {
        let mut ty = self.ty(values.first().checked().e);
        for v in values {
            let other = self.ty(v.e);
            match common_type(ty, other) {
                Some(both) if Category::of(both) == Category::of(ty) && Category::of(both) == Category::of(other) => {
                    ty = both;
                }
                _ => refused(),
            }
        }
        ty
    }

    /// MAX and MIN of characters: scalars, by comparison.
    fn extreme_string(&mut self, ir: Ir, args: &Actuals, values: &[Val]) -> Val {
        let op = if ir == Ir::Max { BinaryOp::Ge } else { BinaryOp::Le };
        let mut best = self.as_str(values[0]).checked();
        // As long as the longest of them.
        let mut len = best.len;
        for v in &values[1..] {
            let other = self.as_str(*v).checked();
            len = match (self.known(len), self.known(other.len)) {
                (Some(a), Some(b)) => self.int8(a.max(b)),
                _ if len == other.len => len,
                _ => self.intrinsic(Ir::Max, &[len, other.len]),
            };
        }
        for (v, x) in values.iter().zip(args.iter().flatten()).skip(1) {
            let other = self.as_str(*v).checked();
            let mut mask = self.compare_strs(op, best, other);
            if let Some(flag) = self.optional_flag(*x).filter(|_| self.rank(mask) == 0) {
                let (flag, zero) = (self.var(flag), self.int8(0));
                let absent = self.make(ExprData::Binary(BinaryOp::Eq, flag, zero));
                mask = self.make(ExprData::Binary(BinaryOp::Or, mask, absent));
            }
            best = self.merge_strs_to(len, best, other, mask);
        }
        best.into()
    }
}

/// Functions with code of their own.
impl Intrinsics<'_, '_> {
    fn special(&mut self, x: ExprId, row: &'static Row, s: Special, args: &Actuals) -> Val {
        match s {
            Special::Cmplx(default) => self.cmplx(x, row, args, self.cx.decls.options.specific(default)),
            Special::Complex => {
                let values = self.operands_of(x, row, args);
                let reals = values.iter().map(|v| self.ty(v.e)).filter(|ty| ty.is_real());
                let part = reals.max_by_key(|ty| ty.size()).unwrap_or(self.cx.decls.options.default_real());
                Val::plain(self.complex_of(values[0].e, values[1].e, part))
            }
            Special::RealPart => self.real_part(row, args),
            Special::Dprod => {
                let values = self.operands_of(x, row, args);
                let ty = self.cx.decls.options.default_double();
                let (a, b) = (self.convert(ty, values[0].e), self.convert(ty, values[1].e));
                Val::plain(self.binary(BinaryOp::Mul, a, b))
            }
            Special::Shift(op) => self.shift(x, row, args, op),
            Special::Ishftc => {
                let values = self.operands_of(x, row, args);
                self.check_bit_arguments(row, args, &values);
                let shift = self.convert(Type::I4, values[1].e);
                let size = match values.get(2) {
                    Some(v) => self.convert(Type::I4, v.e),
                    None => {
                        let bits = 8 * self.ty(values[0].e).size() as i64;
                        self.int4(bits)
                    }
                };
                Val::plain(self.intrinsic(Ir::Ishftc, &[values[0].e, shift, size]))
            }
            Special::MergeBits => {
                let values = self.operands_of(x, row, args);
                let ty = self.common_of(&values);
                let [i, j, m] = [0, 1, 2].map(|k| self.e.convert(ty, values[k].e));
                let (yes, not) = (self.intrinsic(Ir::Iand, &[i, m]), self.intrinsic(Ir::Not, &[m]));
                let no = self.intrinsic(Ir::Iand, &[j, not]);
                Val::plain(self.intrinsic(Ir::Ior, &[yes, no]))
            }
            Special::Poppar => {
                let i = self.needed(row, args, 0);
                let (n, one) = (self.intrinsic(Ir::Popcnt, &[i]), self.int4(1));
                Val::plain(self.intrinsic(Ir::Iand, &[n, one]))
            }
            Special::Mask { left } => self.bit_mask(row, args, left),
            Special::BitCompare(op) => self.bit_compare(x, row, args, op),
            Special::Merge => self.merge(x, row, args),
            Special::Atan => {
                let values = self.operands_of(x, row, args);
                let ty = self.common_of(&values);
                let all: SmallVec<[Expr; 2]> = values.iter().map(|v| self.e.convert(ty, v.e)).collect();
                let ir = if all.len() == 2 { Ir::Atan2 } else { Ir::Atan };
                Val::plain(self.evaluated(ir, &all))
            }
            Special::Transfer => self.transfer(x, row, args),
            Special::SelectedKind => match const_eval(self.cx.decls, self.scope, x) {
                Ok(c) => self.const_value(&c),
                Err(_) => self.selected_kind(x, row, args),
            },
            Special::Processors => {
                if let Some(&Some(dim)) = args.first() {
                    self.integer(dim);
                }
                Val::plain(self.processors())
            }
            Special::MyProcessor => Val::plain(self.int4(0)),
            Special::ProcessorsShape => {
                let all = self.processors();
                let list = self.b.list(&[all]);
                Val::plain(self.make(ExprData::Constructor(Type::I4, list)))
            }
            Special::CommandArgumentCount => Val::plain(self.call_rt_value(Rt::ArgumentCount, &[], Type::I4)),
            Special::IsCode(code) => {
                let e = self.needed(row, args, 0);
                let own = self.ty(e);
                let code = self.e.int(own, code);
                Val::plain(self.make(ExprData::Binary(BinaryOp::Eq, e, code)))
            }
            Special::DoubleShift { left } => self.double_shift(x, row, args, left),
            Special::Findloc => self.findloc(row, args),
            Special::Bessel(ir) => self.bessel(x, row, ir, args),
            Special::ErfcScaled => self.erfc_scaled(row, args),
            Special::Bitwise(ir) => self.bitwise(x, row, ir, args),
            Special::Ieee(f) => self.ieee(x, row, f, args),
            Special::CompilerVersion => {
                self.text(concat!("trueline version ", env!("CARGO_PKG_VERSION")).as_bytes()).into()
            }
            Special::CompilerOptions => self.text(b"").into(),
            _ => self.character_function(x, row, s, args),
        }
    }

    fn character_function(&mut self, x: ExprId, row: &'static Row, s: Special, args: &Actuals) -> Val {
        match s {
            Special::Achar => {
                let code = self.needed(row, args, 0);
                let span = args[0].map_or(self.ast.span(x), |x| self.ast.span(x));
                self.check_range(span, &format!("The argument 'i' of '{}'", row.name), code, [0, 255]);
                self.char_of(code).into()
            }
            Special::Ichar => {
                let c = self.needed_str(row, args, 0);
                let code = self.ichar(c);
                self.with_kind(args, 1, code)
            }
            Special::LexCompare(op) => {
                let (a, b) = (self.needed_str(row, args, 0), self.needed_str(row, args, 1));
                self.conform(x, a.place, b.place);
                Val::plain(self.compare_strs(op, a, b))
            }
            Special::Index => self.search(x, row, Rt::CharIndex, args),
            Special::Scan => self.search(x, row, Rt::CharScan, args),
            Special::Verify => self.search(x, row, Rt::CharVerify, args),
            Special::LenTrim => {
                let c = self.needed_str(row, args, 0);
                let n = self.len_trim(c);
                self.with_kind(args, 1, n)
            }
            Special::Adjust { left } => {
                let c = self.needed_str(row, args, 0);
                self.adjust(c, left).into()
            }
            Special::Trim | Special::Repeat => {
                let c = self.needed_str(row, args, 0);
                self.must_be_scalar(c.place);
                if s == Special::Trim {
                    return self.trim(c).into();
                }
                let copies = self.needed(row, args, 1);
                self.must_be_scalar(copies);
                let span = args[1].map_or(self.ast.span(x), |x| self.ast.span(x));
                self.always_check_range(span, "The argument 'ncopies' of 'repeat'", copies, [0, i64::MAX]);
                self.repeat(c, copies).into()
            }
            _ => {
                self.needed_str(row, args, 0);
                self.text(b"\n").into()
            }
        }
    }

    /// `e` as an integer of the kind that argument `k` gives, else the default kind.
    pub(crate) fn with_kind(&mut self, args: &Actuals, k: usize, e: Expr) -> Val {
        let ty = self.kind_argument(args.get(k).copied().flatten(), Category::Integer, Type::I4);
        Val::plain(self.convert(ty, e))
    }

    fn search(&mut self, x: ExprId, row: &Row, f: Rt, args: &Actuals) -> Val {
        let (string, what) = (self.needed_str(row, args, 0), self.needed_str(row, args, 1));
        self.conform(x, string.place, what.place);
        let back = self.actual(row, args, 2);
        if let Some(back) = back {
            self.conform(x, string.place, back.e);
            self.conform(x, what.place, back.e);
        }
        let back = back.map(|v| {
            let no = self.logical(false);
            args[2].map_or(v.e, |x| self.unless_absent(x, v.e, no))
        });
        let found = match back.filter(|&e| self.rank(e) > 0) {
            Some(mask) => {
                let yes = self.logical(true);
                let [last, first] = [Some(yes), None].map(|back| self.search_str(f, string, what, back));
                let mask = self.convert(Type::L4, mask);
                self.intrinsic(Ir::Merge, &[last, first, mask])
            }
            None => self.search_str(f, string, what, back),
        };
        self.with_kind(args, 3, found)
    }

    fn bitwise(&mut self, x: ExprId, row: &Row, ir: Ir, args: &Actuals) -> Val {
        let mut values = self.operands_of(x, row, args);
        self.bring_boz(args, &mut values);
        let ty = self.common_of(&values);
        let [a, b] = [0, 1].map(|k| self.e.convert(ty, values[k].e));
        if Category::of(ty) == Category::Integer {
            return Val::plain(self.intrinsic(ir, &[a, b]));
        }
        let op = match ir {
            Ir::Iand => BinaryOp::And,
            Ir::Ior => BinaryOp::Or,
            _ => BinaryOp::Neqv,
        };
        Val::plain(self.make(ExprData::Binary(op, a, b)))
    }

    fn cmplx(&mut self, x: ExprId, row: &Row, args: &Actuals, default: Type) -> Val {
        let ty = self.kind_argument(args.get(2).copied().flatten(), Category::Complex, default);
        let own: Actuals = args[..2].iter().copied().collect();
        let mut values = self.operands_of(x, row, &own);
        let part = ty.part();
        for (v, x) in values.iter_mut().zip(own.iter().flatten()) {
            if self.is_boz(*x) {
                v.e = self.bits_as_real(part, v.e);
            }
        }
        if Category::of(self.ty(values[0].e)) == Category::Complex {
            return Val::plain(self.convert(ty, values[0].e));
        }
        let im = match values.get(1) {
            Some(v) => {
                let zero = self.real(part, 0.0);
                let im = self.convert(part, v.e);
                args[1].map_or(im, |x| self.unless_absent(x, im, zero))
            }
            None => self.real(part, 0.0),
        };
        Val::plain(self.complex_of(values[0].e, im, part))
    }

    /// REAL(a, kind): a complex argument gives its own kind, everything else the default.
    fn real_part(&mut self, row: &Row, args: &Actuals) -> Val {
        let a = self.needed(row, args, 0);
        let default = match self.ty(a) {
            ty @ (Type::C8 | Type::C16) => ty.part(),
            _ => self.cx.decls.options.default_real(),
        };
        let ty = self.kind_argument(args.get(1).copied().flatten(), Category::Real, default);
        if args[0].is_some_and(|x| self.is_boz(x)) {
            return Val::plain(self.bits_as_real(ty, a));
        }
        let a = self.without_bounds(Val::plain(a));
        Val::plain(self.convert_numeric(ty, a.e))
    }

    fn shift(&mut self, x: ExprId, row: &Row, args: &Actuals, op: ShiftOp) -> Val {
        let values = self.operands_of(x, row, args);
        self.check_bit_arguments(row, args, &values);
        let shift = self.convert(Type::I4, values[1].e);
        let i = values[0].e;
        Val::plain(match op {
            ShiftOp::Left => self.intrinsic(Ir::Ishft, &[i, shift]),
            ShiftOp::Right => {
                let back = self.neg(shift);
                self.intrinsic(Ir::Ishft, &[i, back])
            }
            ShiftOp::Arithmetic => self.intrinsic(Ir::Shifta, &[i, shift]),
        })
    }

    /// MASKL and MASKR of a count.
    fn bit_mask(&mut self, row: &Row, args: &Actuals, left: bool) -> Val {
        let count = self.needed(row, args, 0);
        let ty = self.kind_argument(args.get(1).copied().flatten(), Category::Integer, Type::I4);
        let (ones, bits) = (self.int(ty, -1), self.int4(8 * ty.size() as i64));
        let count = self.convert(Type::I4, count);
        let gone = self.binary(BinaryOp::Sub, bits, count);
        let shift = if left { gone } else { self.neg(gone) };
        Val::plain(self.intrinsic(Ir::Ishft, &[ones, shift]))
    }

    /// Unsigned comparison: with the sign bits turned, a signed one.
    fn bit_compare(&mut self, x: ExprId, row: &Row, args: &Actuals, op: BinaryOp) -> Val {
        let values = self.operands_of(x, row, args);
        let ty = self.common_of(&values);
        let sign = self.int(ty, i64::MIN >> (64 - 8 * ty.size() as u32));
        let [a, b] = [0, 1].map(|k| {
            let e = self.e.convert(ty, values[k].e);
            self.e.intrinsic(Ir::Ieor, &[e, sign])
        });
        Val::plain(self.make(ExprData::Binary(op, a, b)))
    }

    fn merge(&mut self, x: ExprId, row: &Row, args: &Actuals) -> Val {
        let values = self.operands_of(x, row, args);
        let mask = self.convert(Type::L4, values[2].e);
        let both = [self.structure_at(values[0].e), self.structure_at(values[1].e)];
        let same = match both {
            [Some(a), Some(b)] => self.same_type(a, b),
            _ => both == [None, None],
        };
        if let (Some(a), Some(b), true) = (self.text_or_bytes(values[0]), self.text_or_bytes(values[1]), same) {
            if both == [None, None] {
                let span = self.ast.span(x);
                self.check_same_length(span, "MERGE intrinsic", [a.len, b.len]);
            }
            let merged = self.merge_strs(a, b, mask);
            return self.text_or_structure(merged, both[0]);
        }
        let ty = self.common_of(&values[..2]);
        let (a, b) = (self.convert(ty, values[0].e), self.convert(ty, values[1].e));
        Val::plain(self.intrinsic(Ir::Merge, &[a, b, mask]))
    }

    /// TRANSFER: the same bits; scalars of one size stay expressions, everything else goes through
    /// memory.
    fn transfer(&mut self, x: ExprId, row: &Row, args: &Actuals) -> Val {
        let source = self.actual(row, args, 0).checked();
        let mold = self.mold_of(row, args);
        let structure = self.structure_at(mold.e);
        let [source, mold] = [source, mold].map(|v| self.text_or_bytes(v).map_or(v, Val::from));
        let size = self.actual(row, args, 2);
        let (from, to) = (self.ty(source.e), self.ty(mold.e));
        let is_scalar = self.rank(source.e) == 0 && self.rank(mold.e) == 0 && size.is_none();
        let simple =
            |ty: Type| !matches!(Category::of(ty), Category::Character | Category::Complex | Category::Logical);
        if is_scalar && simple(from) && simple(to) && from.size() == to.size() {
            return Val::plain(if from == to { source.e } else { self.make(ExprData::Bitcast(to, source.e)) });
        }
        let n = self.size(source.e);
        let each = source.len.unwrap_or_else(|| self.int8(from.size() as i64));
        let bytes = self.mul(n, each);
        let place = match (source.len, self.rank(source.e)) {
            (Some(_), 0) => source.e,
            (Some(_), _) => self.copy_str(Str { place: source.e, len: each }).place,
            (None, _) => self.in_memory_or_register(source.e),
        };
        let unit = mold.len.unwrap_or_else(|| self.int8(to.size() as i64));
        let extents: SmallVec<[Expr; 1]> = if is_scalar || (self.rank(mold.e) == 0 && size.is_none()) {
            SmallVec::new()
        } else {
            let count = match size {
                Some(v) => self.convert(Type::I8, v.e),
                None => {
                    let one = self.int8(1);
                    let less = self.sub(unit, one);
                    let up = self.add(bytes, less);
                    self.binary(BinaryOp::Div, up, unit)
                }
            };
            [count].into_iter().collect()
        };
        let _ = x;
        let temp = self.memory(to, mold.len, &extents);
        let result = self.var(temp);
        let total = self.product(&extents);
        let room = self.mul(total, unit);
        let (out, from) = (self.address(Access::Out, result), self.address(Access::In, place));
        self.call_rt(Rt::CharAssign, &[out, room, from, bytes]);
        self.transferred(temp, mold, structure)
    }

    /// MOLD, of which only type and rank matter: it may be of assumed size.
    fn mold_of(&mut self, row: &Row, args: &Actuals) -> Val {
        match args.get(1).copied().flatten() {
            Some(x) if self.is_variable_reference(x) => self.designator(x),
            _ => self.actual(row, args, 1).checked(),
        }
    }

    /// The result of TRANSFER in `temp`, of the type of its mold.
    fn transferred(&mut self, temp: Sym, mold: Val, structure: Option<StructureId>) -> Val {
        let e = self.var(temp);
        match (structure, mold.len) {
            (Some(_), Some(len)) => self.text_or_structure(Str { place: e, len }, structure),
            (_, len) => Val { e, len },
        }
    }

    /// NUMBER_OF_PROCESSORS(): 1 unless the program is compiled for several ranks.
    fn processors(&mut self) -> Expr {
        let is_parallel = self.cx.decls.options.hpf;
        if is_parallel { self.call_rt_value(Rt::RanksCount, &[], Type::I4) } else { self.int4(1) }
    }
}

impl Exprs<'_> {
    /// The argument at `k`, of a type the row accepts.
    pub(crate) fn actual(&mut self, row: &Row, args: &Actuals, k: usize) -> Option<Val> {
        let x = args.get(k).copied().flatten()?;
        // An argument that need not be given may be an optional one that is absent.
        let may_be_absent = row.args.get(k).is_none_or(|a| a.optional) || k > 1 && matches!(row.rule, Rule::Fold(..));
        let outer = std::mem::replace(&mut self.may_be_absent, may_be_absent);
        let v = self.expr(x);
        self.may_be_absent = outer;

        let class = row.args[k.min(row.args.len() - 1)].class;
        let specific = class.single().is_some_and(|only| self.cx.decls.options.specific(only) == self.ty(v.e));
        if class.accepts(self.ty(v.e)) || specific { Some(v) } else { refused() }
    }

    /// The required argument at `k`, not a CHARACTER.
    pub(crate) fn needed(&mut self, row: &Row, args: &Actuals, k: usize) -> Expr {
        let v = self.actual(row, args, k).checked();
        v.e
    }

    pub(crate) fn needed_str(&mut self, row: &Row, args: &Actuals, k: usize) -> Str {
        let v = self.actual(row, args, k).checked();
        self.as_str(v).checked()
    }
}

impl Variables<'_> {
    /// A value that has an address: arrays in memory, scalars in a register.
    pub(crate) fn in_memory_or_register(&mut self, e: Expr) -> Expr {
        if self.rank(e) > 0 {
            return self.in_memory(e);
        }
        let ty = self.ty(e);
        let t = self.register("t", ty);
        self.e.set(t, e);
        self.var(t)
    }
}

impl Source<'_> {
    /// The actual arguments in the order of the row.
    pub(crate) fn match_arguments(&mut self, row: &Row, args: ArgList, span: Span) -> Actuals {
        self.typing().actuals(row, args, span).checked()
    }
}
