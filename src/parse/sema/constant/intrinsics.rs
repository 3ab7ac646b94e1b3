//! Intrinsic functions in constant expressions.
//!
//! The table of [`crate::intrinsic`] gives the meaning of a name, this module its value. Elementary
//! functions of kind 4 are computed in double and rounded once. A function that is not folded here
//! (GAMMA, MATMUL with DIM …) makes its expression a run-time one, with a message that says so.

use crate::constant::bits;
use crate::constant::degrees;
use crate::constant::eval::{Evaluator, Folded, Unfolded, no_such_kind};
use crate::constant::math;
use crate::constant::ops::binary;
use crate::constant::text;
use crate::constant::{Const, ConstArray, MAX_ELEMENTS, Scalar};
use crate::intrinsic::library::{Library, Pass};
use crate::intrinsic::{self, Inquiry, Model, Rule, Special};
use crate::scope::symbol::Bounds;
use crate::types::kinds::Category;
use std::sync::Arc;
use trueline_diag::Span;
use trueline_ir::{Intrinsic as Ir, Type};
use trueline_syntax::ast::{ArgList, ArgValue, BinaryOp, ExprId, ExprKind};

/// The arguments of a call in the order of the table; absent ones are `None`.
type Bound = Vec<Option<ExprId>>;

/// The value of `name(args)`.
pub fn fold(ev: &mut Evaluator<'_, '_>, name: &str, args: ArgList, span: Span) -> Folded {
    let Some(row) = intrinsic::lookup(name).filter(|r| !r.is_subroutine()) else {
        return Err(Unfolded::runtime(span, format!("'{name}' is not an intrinsic function")));
    };
    let bound = bind(ev, row, args, span)?;
    let has_kind = row.args.iter().zip(&bound).any(|(a, x)| a.name == "kind" && x.is_some());
    let value = value_of(ev, name, row, bound, span)?;
    let default = ev.decls.options.default_integer();
    if value.ty() == Type::I4 && default != Type::I4 && row.gives_default_integer() && !has_kind {
        return elemental(ev, &[&value], span, |s| math::to(&s[0], default));
    }
    Ok(value)
}

fn value_of(ev: &mut Evaluator<'_, '_>, name: &str, row: &intrinsic::Intrinsic, bound: Bound, span: Span) -> Folded {
    match row.rule {
        Rule::Model(m) => model(ev, m, bound[0], span),
        Rule::Inquiry(i) => inquiry(ev, i, &bound, span),
        Rule::Special(Special::Processors) => match (ev.decls.options.ranks, bound.first()) {
            (Some(ranks), Some(None) | None) => Ok(Scalar::int(ranks.into()).into()),
            _ => Err(Unfolded::runtime(span, "the number of processors is known when the program runs".to_owned())),
        },
        Rule::Special(Special::SelectedKind) => selected_kind(ev, name, &bound, span),
        // Whatever is asked about, everything is there.
        Rule::Special(Special::Ieee(intrinsic::Ieee::Support)) => Ok(Scalar::logical(true).into()),
        Rule::Special(Special::Transfer) => {
            let source = transferred(ev, bound[0], 0)?;
            let mold = bound[1].map(|x| ev.eval(x)).transpose()?;
            let size = bound.get(2).copied().flatten().map(|x| ev.eval(x)).transpose()?;
            ev.spend(source.len() as u64, span)?;
            mold.and_then(|mold| transfer(source, &mold, size.as_ref())).ok_or_else(|| not_folded(name, span))
        }
        rule => {
            let mut values = Vec::with_capacity(bound.len());
            for x in bound {
                values.push(x.map(|x| ev.eval(x)).transpose()?);
            }
            compute(ev, name, rule, &values, span)
        }
    }
}

/// Assigns the actual arguments to the dummy arguments of the table.
fn bind(ev: &Evaluator<'_, '_>, row: &intrinsic::Intrinsic, args: ArgList, span: Span) -> Result<Bound, Unfolded> {
    let mut bound: Bound = vec![None; row.args.len()];
    for (k, arg) in ev.ast.args(args).iter().enumerate() {
        let ArgValue::Expr(x) = arg.value else {
            return Err(Unfolded::invalid(arg.span, format!("'{}' takes no such argument", row.name)));
        };
        let keyword = arg.keyword.map(|w| ev.ast.name(w.name));
        let at = match keyword {
            Some(word) => row.position(word, args.len()),
            None => Some(k),
        };
        match at {
            Some(at) if at < bound.len() && bound[at].is_none() => bound[at] = Some(x),
            Some(at) if at >= bound.len() && row.variadic => bound.push(Some(x)),
            _ => return Err(Unfolded::invalid(arg.span, format!("'{}' takes no such argument", row.name))),
        }
    }
    if (0..row.required()).any(|k| bound[k].is_none()) {
        return Err(Unfolded::invalid(span, format!("An argument of '{}' is missing", row.name)));
    }
    Ok(bound)
}

fn not_folded(name: &str, span: Span) -> Unfolded {
    Unfolded::runtime(span, format!("'{name}' is not evaluated at compile time"))
}

/// The type that KIND= asks for.
fn with_kind(category: Category, kind: Option<&Const>, default: Type, span: Span) -> Result<Type, Unfolded> {
    match kind {
        None => Ok(default),
        Some(k) => {
            let k = k.as_int().ok_or_else(|| Unfolded::invalid(span, "KIND= must be a scalar INTEGER constant"))?;
            category.with_kind(k).ok_or_else(|| Unfolded::invalid(span, no_such_kind(category, k)))
        }
    }
}

/// Applies `f` to corresponding elements.
fn elemental(
    ev: &mut Evaluator<'_, '_>,
    args: &[&Const],
    span: Span,
    f: impl Fn(&[Scalar]) -> Result<Scalar, String>,
) -> Folded {
    let like = args.iter().find(|a| a.rank() > 0);
    let Some(like) = like.and_then(|a| a.array()) else {
        let scalars: Vec<Scalar> = args.iter().map(|a| a.elements()[0].clone()).collect();
        return f(&scalars).map(Const::Scalar).map_err(|why| Unfolded::invalid(span, why));
    };
    if args.iter().any(|a| a.rank() > 0 && a.elements().len() != like.values.len()) {
        return Err(Unfolded::invalid(span, "The shapes of the arguments differ"));
    }
    ev.spend(like.values.len() as u64, span)?;
    let pick = |a: &Const, k: usize| a.elements()[if a.rank() == 0 { 0 } else { k }].clone();
    let values: Result<Vec<Scalar>, String> =
        (0..like.values.len()).map(|k| f(&args.iter().map(|a| pick(a, k)).collect::<Vec<_>>())).collect();
    values.map(|v| crate::constant::rebuild(like, v)).map_err(|why| Unfolded::invalid(span, why))
}

fn compute(ev: &mut Evaluator<'_, '_>, name: &str, rule: Rule, args: &[Option<Const>], span: Span) -> Folded {
    let present: Vec<&Const> = args.iter().flatten().collect();
    let arg = |k: usize| args.get(k).and_then(Option::as_ref);
    match rule {
        Rule::Op(op) | Rule::OpWith(op, _) => {
            let unsigned = op == Ir::Sign && ev.decls.options.io.unsigned_zero;
            if unsigned {
                return Err(not_folded(name, span));
            }
            elemental(ev, &present, span, |s| math::apply(op, s))
        }
        Rule::Fold(op, to) => {
            let to = to.map(|ty| ev.decls.options.extreme(ty));
            elemental(ev, &present, span, |s| math::extreme(op, s, to))
        }
        Rule::Convert(ty) => {
            let ty = ev.decls.options.specific(ty);
            let ty = with_kind(Category::of(ty), arg(1), ty, span)?;
            elemental(ev, &present[..1], span, |s| math::to(&s[0], ty))
        }
        Rule::Round(op, _) | Rule::Whole(op) => {
            let category = if matches!(rule, Rule::Round(..)) { Category::Integer } else { Category::Real };
            let default = match category {
                Category::Integer => ev.decls.options.default_integer(),
                _ => present[0].ty(),
            };
            let ty = with_kind(category, arg(1), default, span)?;
            elemental(ev, &present[..1], span, |s| math::round(op, &s[0], ty))
        }
        Rule::Special(special) => special_function(ev, name, special, args, span),
        Rule::Reduce(op) => reduce(ev, name, op, args, span),
        Rule::Array(op) => array_function(ev, name, op, args, span),
        Rule::Library(library) if library.is_elemental() => beyond_the_standard(ev, name, &library, &present, span),
        Rule::Model(_) | Rule::Inquiry(_) | Rule::Subroutine(_) | Rule::Library(_) => Err(not_folded(name, span)),
    }
}

/// A function of numbers in the library.
fn beyond_the_standard(
    ev: &mut Evaluator<'_, '_>,
    name: &str,
    library: &Library,
    args: &[&Const],
    span: Span,
) -> Folded {
    let converted = |s: &[Scalar]| -> Option<Vec<Scalar>> {
        let types = library.passes.iter().zip(s).map(|(pass, x)| match pass {
            Pass::In(ty) => math::to(x, *ty).ok(),
            _ => Some(x.clone()),
        });
        types.collect()
    };
    let has_value = std::cell::Cell::new(true);
    let value = elemental(ev, args, span, |s| {
        let value = converted(s).and_then(|s| degrees::apply(name, &s));
        has_value.set(has_value.get() && value.is_some());
        value.unwrap_or_else(|| Ok(s[0].clone()))
    });
    if has_value.get() { value } else { Err(not_folded(name, span)) }
}

/// BESSEL_JN(n1, n2, x) and BESSEL_YN(n1, n2, x): an array over the orders.
fn bessel(ev: &mut Evaluator<'_, '_>, op: Ir, args: &[&Const], span: Span) -> Folded {
    let scalars: Vec<&Scalar> = args.iter().map(|a| &a.elements()[0]).collect();
    let &[Scalar::Int(ty, from), Scalar::Int(_, to), x @ Scalar::Real(of, _)] = &scalars[..] else {
        return Err(Unfolded::invalid(span, "The orders must be INTEGER and the argument REAL"));
    };
    let count = to.saturating_sub(*from).saturating_add(1).max(0);
    ev.spend(count as u64, span)?;
    let value = |k: i64| math::apply(op, &[Scalar::Int(*ty, from + k), x.clone()]);
    let values: Result<Vec<Scalar>, String> = (0..count).map(value).collect();
    let values = values.map_err(|why| Unfolded::invalid(span, why))?;
    Ok(Const::Array(Arc::new(ConstArray { ty: *of, len: 0, shape: vec![(1, count)], values })))
}

fn special_function(
    ev: &mut Evaluator<'_, '_>,
    name: &str,
    special: Special,
    args: &[Option<Const>],
    span: Span,
) -> Folded {
    let present: Vec<&Const> = args.iter().flatten().collect();
    let arg = |k: usize| args.get(k).and_then(Option::as_ref);
    match special {
        Special::Cmplx(default) => {
            let default = ev.decls.options.specific(default);
            let ty = with_kind(Category::Complex, arg(2), default, span)?;
            let parts: Vec<&Const> = args.iter().take(2).flatten().collect();
            elemental(ev, &parts, span, |s| math::cmplx(s, ty))
        }
        Special::Complex => elemental(ev, &present, span, |s| {
            let kind = s.iter().filter(|x| x.ty().is_real()).map(|x| crate::types::kinds::kind_of(x.ty())).max();
            math::cmplx(s, Category::Complex.with_kind(kind.unwrap_or(4)).unwrap_or(Type::C4))
        }),
        Special::RealPart => {
            let default = match present[0].ty() {
                ty @ (Type::C8 | Type::C16) => ty.part(),
                _ => ev.decls.options.default_real(),
            };
            let ty = with_kind(Category::Real, arg(1), default, span)?;
            elemental(ev, &present[..1], span, |s| math::to(&s[0], ty))
        }
        Special::Dprod => {
            let double = ev.decls.options.default_double();
            elemental(ev, &present, span, |s| {
                binary(BinaryOp::Mul, &math::to(&s[0], double)?, &math::to(&s[1], double)?)
            })
        }
        Special::Atan => {
            let op = if present.len() == 2 { Ir::Atan2 } else { Ir::Atan };
            elemental(ev, &present, span, |s| math::apply(op, s))
        }
        Special::Bessel(op) if present.len() == 2 => elemental(ev, &present, span, |s| math::apply(op, s)),
        Special::Bessel(op) => bessel(ev, op, &present, span),
        Special::ErfcScaled => elemental(ev, &present, span, math::erfc_scaled),
        Special::Shift(shift) => elemental(ev, &present, span, |s| math::shift(shift, s)),
        Special::Ishftc => elemental(ev, &present, span, math::ishftc),
        Special::Merge => elemental(ev, &present, span, |s| match s[2].as_logical() {
            Some(mask) => Ok(s[usize::from(!mask)].clone()),
            None => Err("The mask must be LOGICAL".to_owned()),
        }),
        Special::Achar => elemental(ev, &present[..1], span, |s| text::achar(&s[0])),
        Special::Ichar => {
            let ty = with_kind(Category::Integer, arg(1), Type::I4, span)?;
            elemental(ev, &present[..1], span, |s| text::ichar(&s[0], ty))
        }
        Special::LexCompare(op) => elemental(ev, &present, span, |s| text::lexical(op, s)),
        Special::Index | Special::Scan | Special::Verify => {
            let ty = with_kind(Category::Integer, arg(3), Type::I4, span)?;
            let used: Vec<&Const> = args.iter().take(3).flatten().collect();
            elemental(ev, &used, span, |s| text::search(special, s, ty))
        }
        Special::LenTrim => elemental(ev, &present[..1], span, |s| text::len_trim(&s[0])),
        Special::Adjust { left } => elemental(ev, &present, span, |s| text::adjust(&s[0], left)),
        Special::Trim => elemental(ev, &present, span, |s| text::trim(&s[0])),
        Special::Repeat => elemental(ev, &present, span, text::repeat),
        Special::NewLine => Ok(Scalar::text(b"\n").into()),
        Special::Bitwise(op) => elemental(ev, &present, span, |s| bits::bitwise(op, s)),
        Special::Mask { left } => {
            let ty = with_kind(Category::Integer, arg(1), ev.decls.options.default_integer(), span)?;
            elemental(ev, &present[..1], span, |s| bits::mask(&s[0], ty, left))
        }
        Special::MergeBits => elemental(ev, &present, span, bits::merge_bits),
        Special::Poppar => elemental(ev, &present, span, bits::poppar),
        Special::BitCompare(op) => elemental(ev, &present, span, |s| bits::compare(op, s)),
        Special::DoubleShift { left } => elemental(ev, &present, span, |s| bits::double_shift(s, left)),
        Special::Findloc => {
            let (Some(array), Some(value)) = (arg(0), arg(1)) else { return Err(not_folded(name, span)) };
            let is_mask = |c: &&Const| Category::of(c.ty()) == Category::Logical;
            let mask = arg(3).or(arg(2).filter(is_mask));
            let dim = arg(2).filter(|d| !is_mask(d));
            let ty = with_kind(Category::Integer, arg(4), Type::I4, span)?;
            let back = arg(5).and_then(|b| b.scalar()?.as_logical()).unwrap_or(false);
            ev.spend(array.elements().len() as u64, span)?;
            folded(crate::constant::arrays::find(array, value, dim, mask, back, ty), name, span)
        }
        _ => Err(not_folded(name, span)),
    }
}

/// The bytes of TRANSFER's source. If the source is itself a TRANSFER without a constant value, such as a LOGICAL of other bits,
/// these are the bytes of its result.
fn transferred(ev: &mut Evaluator<'_, '_>, x: Option<ExprId>, depth: u32) -> Result<Vec<u8>, Unfolded> {
    let Some(x) = x else { return Ok(Vec::new()) };
    let span = ev.ast.span(x);
    let why = match ev.eval(x) {
        Ok(v) => {
            let mut bytes = Vec::new();
            for s in v.elements() {
                bytes.extend(s.bytes(v.ty(), v.char_len()).ok_or_else(|| not_folded("transfer", span))?);
            }
            return Ok(bytes);
        }
        Err(why) => why,
    };
    let ExprKind::Call { base, args } = ev.ast.expr(x).kind else { return Err(why) };
    let row = match ev.ast.expr(base).kind {
        ExprKind::Name(n) if ev.ast.name(n) == "transfer" && depth < 10 => intrinsic::lookup("transfer"),
        _ => None,
    };
    let Some(row) = row else { return Err(why) };
    let bound = bind(ev, row, args, span)?;
    let mut bytes = transferred(ev, bound[0], depth + 1)?;
    let Some(mold) = bound[1].map(|x| ev.eval(x)).transpose()? else { return Err(why) };
    let size = bound.get(2).copied().flatten().map(|x| ev.eval(x)).transpose()?;
    let (count, unit) = transfer_count(bytes.len(), &mold, size.as_ref()).ok_or(why)?;
    bytes.resize(count * unit, 0);
    Ok(bytes)
}

/// The number of elements in the result of TRANSFER, and the bytes of one.
fn transfer_count(given: usize, mold: &Const, size: Option<&Const>) -> Option<(usize, usize)> {
    let unit = if mold.ty() == Type::Char { mold.char_len() } else { mold.ty().size() };
    let count = match size {
        Some(n) => usize::try_from(n.as_int()?).ok()?,
        None if mold.rank() == 0 => 1,
        None => given.checked_div(unit)? + usize::from(!given.is_multiple_of(unit)),
    };
    let is_small = count <= MAX_ELEMENTS && count.saturating_mul(unit) <= crate::constant::MAX_BYTES;
    is_small.then_some((count, unit))
}

/// TRANSFER of bytes.
fn transfer(mut bytes: Vec<u8>, mold: &Const, size: Option<&Const>) -> Option<Const> {
    let (count, unit) = transfer_count(bytes.len(), mold, size)?;
    let ty = mold.ty();
    // Bytes beyond those of the source are undefined.
    bytes.resize(bytes.len().max(count * unit), 0);
    let piece = |k: usize| match ty {
        // Other bits than those of .TRUE. and .FALSE. have no constant.
        _ if Category::of(ty) == Category::Logical
            && (bytes[k * unit] > 1 || bytes[k * unit + 1..(k + 1) * unit].iter().any(|&b| b != 0)) =>
        {
            None
        }
        Type::Char => Some(Scalar::text(&bytes[k * unit..(k + 1) * unit])),
        ty => math::from_bytes(&bytes[k * unit..(k + 1) * unit], ty),
    };
    if mold.rank() == 0 && size.is_none() {
        return piece(0).map(Const::Scalar);
    }
    let values = (0..count).map(piece).collect::<Option<Vec<_>>>()?;
    Some(Const::vector(ty, if ty == Type::Char { unit } else { 0 }, values))
}

/// `base%name` of a value of intrinsic type.
pub fn part(ev: &mut Evaluator<'_, '_>, base: ExprId, name: &str, span: Span) -> Folded {
    let runtime = || Unfolded::runtime(span, "a component is not constant");
    match name {
        "kind" => Ok(Scalar::int(crate::types::kinds::kind_of(describe(ev, base)?.ty)).into()),
        "len" => describe(ev, base)?.len.map(|n| Scalar::int(n).into()).ok_or_else(runtime),
        "re" | "im" => {
            let v = ev.eval(base)?;
            let op = if name == "re" { Ir::RealPart } else { Ir::ImagPart };
            elemental(ev, &[&v], span, |s| math::apply(op, s))
        }
        _ => Err(runtime()),
    }
}

/// The properties of an expression that are known without its value.
pub struct Known {
    pub ty: Type,
    pub len: Option<i64>,
    /// None if nothing is known of it.
    pub shape: Option<Vec<Bounds>>,
}

/// The type, length and shape of `x`, which need not be constant.
fn describe(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Result<Known, Unfolded> {
    if let Some(known) = crate::constant::designator::describe(ev, x) {
        return Ok(known);
    }
    match ev.eval(x) {
        Ok(v) => {
            let bounds = |d: &(i64, i64)| Bounds::known(d.0, d.0 + d.1 - 1);
            let shape = v.array().map_or(Vec::new(), |a| a.shape.iter().map(bounds).collect());
            Ok(Known { ty: v.ty(), len: Some(v.char_len() as i64), shape: Some(shape) })
        }
        Err(why) if why.is_runtime() => static_type(ev, x).map(|ty| Known { ty, len: None, shape: None }).ok_or(why),
        Err(why) => Err(why),
    }
}

/// The type of an expression of variables, as far as an inquiry function needs it.
fn static_type(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Option<Type> {
    match ev.ast.expr(x).kind {
        ExprKind::Name(name) => ev.decls.symbols[ev.decls.named(ev.scope, name)?].ty,
        ExprKind::Call { base, .. } => static_type(ev, base),
        ExprKind::Paren(inner) | ExprKind::Unary { operand: inner, .. } => static_type(ev, inner),
        ExprKind::Binary { op, left, right } => {
            let of = |ev: &mut Evaluator<'_, '_>, x| static_type(ev, x).or_else(|| ev.eval(x).ok().map(|v| v.ty()));
            let (a, b) = (of(ev, left)?, of(ev, right)?);
            match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Pow => {
                    crate::types::kinds::common_type(a, b)
                }
                BinaryOp::Concat => Some(Type::Char),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => crate::types::kinds::common_type(a, b),
                _ => Some(Type::L4),
            }
        }
        _ => None,
    }
}

fn model(ev: &mut Evaluator<'_, '_>, m: Model, x: Option<ExprId>, span: Span) -> Folded {
    let Some(x) = x else { return Err(Unfolded::invalid(span, "The argument is missing")) };
    let known = describe(ev, x)?;
    math::model(m, known.ty).map(Const::Scalar).ok_or_else(|| {
        Unfolded::invalid(span, format!("The function is not defined for {}", crate::types::kinds::type_name(known.ty)))
    })
}

fn inquiry(ev: &mut Evaluator<'_, '_>, i: Inquiry, bound: &Bound, span: Span) -> Folded {
    let Some(x) = bound[0] else { return Err(Unfolded::invalid(span, "The argument is missing")) };
    let known = describe(ev, x)?;
    let unknown = || Unfolded::runtime(span, "the value is known at run time only");
    let kind_first = matches!(i, Inquiry::Len | Inquiry::Shape | Inquiry::StorageSize);
    let kind_at = if kind_first { 1 } else { 2 };
    let kind = bound.get(kind_at).copied().flatten().map(|k| ev.eval(k)).transpose()?;
    let ty = with_kind(Category::Integer, kind.as_ref(), Type::I4, span)?;
    let int = |v: i64| Const::Scalar(Scalar::Int(ty, v));
    if i == Inquiry::Len {
        return known.len.filter(|_| known.ty == Type::Char).map(int).ok_or_else(unknown);
    }
    let shape = known.shape.ok_or_else(unknown)?;
    let dim = match bound.get(1).copied().flatten() {
        Some(d) if !kind_first => Some(ev.int(d)?),
        _ => None,
    };
    let each = |d: &Bounds| match i {
        // The bounds of a dimension without elements are 1 and 0, whatever was declared.
        Inquiry::Lbound => d.size().map(|n| if n == 0 { 1 } else { d.lower.known().unwrap_or(1) }),
        Inquiry::Ubound => d.size().and_then(|n| if n == 0 { Some(0) } else { d.upper.known() }),
        _ => d.size(),
    };
    match (i, dim) {
        (Inquiry::SizeOf, _) => {
            let one = if known.ty == Type::Char { known.len } else { Some(known.ty.size() as i64) };
            let count = shape.iter().try_fold(1i64, |n, d| n.checked_mul(d.size()?));
            one.zip(count)
                .and_then(|(a, b)| a.checked_mul(b))
                .map(|v| Scalar::Int(Type::I8, v).into())
                .ok_or_else(unknown)
        }
        (Inquiry::StorageSize, _) => {
            let one = if known.ty == Type::Char { known.len } else { Some(known.ty.size() as i64) };
            one.map(|n| int(8 * n)).ok_or_else(unknown)
        }
        (Inquiry::Rank, _) => Ok(int(shape.len() as i64)),
        (Inquiry::Size, None) => {
            let count = shape.iter().try_fold(1i64, |n, d| n.checked_mul(d.size()?));
            count.map(int).ok_or_else(unknown)
        }
        (Inquiry::Size | Inquiry::Lbound | Inquiry::Ubound, Some(d)) => {
            let at = usize::try_from(d - 1).ok().and_then(|k| shape.get(k));
            let at = at.ok_or_else(|| Unfolded::invalid(span, format!("The array has no dimension {d}")))?;
            each(at).map(int).ok_or_else(unknown)
        }
        (Inquiry::Shape | Inquiry::Lbound | Inquiry::Ubound, None) => {
            let values: Option<Vec<Scalar>> = shape.iter().map(|d| each(d).map(|v| Scalar::Int(ty, v))).collect();
            values.map(|v| Const::vector(ty, 0, v)).ok_or_else(unknown)
        }
        _ => Err(unknown()),
    }
}

fn selected_kind(ev: &mut Evaluator<'_, '_>, name: &str, bound: &Bound, span: Span) -> Folded {
    let at = |k: usize| bound.get(k).copied().flatten();
    if name == "selected_char_kind" {
        let Some(x) = at(0) else { return Err(Unfolded::invalid(span, "The argument is missing")) };
        let v = ev.eval(x)?;
        let known = v.scalar().and_then(Scalar::as_text).map(|t| t.to_ascii_lowercase());
        let ascii = known.is_some_and(|t| matches!(t.trim_ascii_end(), b"ascii" | b"default"));
        return Ok(Scalar::int(if ascii { 1 } else { -1 }).into());
    }
    let first = at(0).map(|x| ev.int(x)).transpose()?;
    let range = at(1).map(|x| ev.int(x)).transpose()?;
    let radix = at(2).map(|x| ev.int(x)).transpose()?;
    let kind = if radix.is_some_and(|r| r != 2) {
        -5
    } else if name == "selected_int_kind" {
        match first.unwrap_or(0) {
            ..=2 => 1,
            3..=4 => 2,
            5..=9 => 4,
            10..=18 => 8,
            _ => -1,
        }
    } else {
        math::selected_real_kind(first.unwrap_or(0), range.unwrap_or(0))
    };
    Ok(Scalar::int(kind).into())
}

/// SUM, PRODUCT, MAXVAL, MINVAL of a whole array, with a mask.
fn reduce(ev: &mut Evaluator<'_, '_>, name: &str, op: Ir, args: &[Option<Const>], span: Span) -> Folded {
    let (Some(Some(array)), dim) = (args.first(), args.get(1).and_then(Option::as_ref)) else {
        return Err(not_folded(name, span));
    };
    let is_mask = |c: &&Const| Category::of(c.ty()) == Category::Logical;
    let mask = args.get(2).and_then(Option::as_ref).or(dim.filter(is_mask));
    let dim = dim.filter(|d| !is_mask(d));
    if matches!(op, Ir::Maxloc | Ir::Minloc) {
        let ty = with_kind(Category::Integer, args.get(3).and_then(Option::as_ref), Type::I4, span)?;
        let back = args.get(4).and_then(Option::as_ref).and_then(|b| b.scalar()?.as_logical()).unwrap_or(false);
        ev.spend(array.elements().len() as u64, span)?;
        let found = crate::constant::arrays::locate(op, array, dim, mask, back, ty);
        return folded(found, name, span);
    }
    if dim.is_some() && array.rank() != 1 {
        ev.spend(array.elements().len() as u64, span)?;
        return folded(crate::constant::arrays::along(op, array, dim, mask), name, span);
    }
    let kept = |k: usize| mask.is_none_or(|m| m.elements()[if m.rank() == 0 { 0 } else { k }] == Scalar::logical(true));
    if mask.is_some_and(|m| m.rank() > 0 && m.elements().len() != array.elements().len()) {
        return Err(Unfolded::invalid(span, "The shapes of the arguments differ"));
    }
    ev.spend(array.elements().len() as u64, span)?;
    let picked = array.elements().iter().enumerate().filter(|(k, _)| kept(*k)).map(|(_, v)| v);
    math::reduce(op, array.ty(), picked)
        .ok_or_else(|| not_folded(name, span))?
        .map(Const::Scalar)
        .map_err(|why| Unfolded::invalid(span, why))
}

fn array_function(ev: &mut Evaluator<'_, '_>, name: &str, op: Ir, args: &[Option<Const>], span: Span) -> Folded {
    let (Some(Some(first)), second) = (args.first(), args.get(1).and_then(Option::as_ref)) else {
        return Err(not_folded(name, span));
    };
    ev.spend(first.elements().len() as u64, span)?;
    let truths = || first.elements().iter().filter_map(Scalar::as_logical);
    match (op, second) {
        (Ir::Count, None) => Ok(Scalar::int(truths().filter(|t| *t).count() as i64).into()),
        (Ir::Any, None) => Ok(Scalar::logical(truths().any(|t| t)).into()),
        (Ir::All, None) => Ok(Scalar::logical(truths().all(|t| t)).into()),
        (Ir::Parity, None) => Ok(Scalar::logical(truths().filter(|t| *t).count() % 2 == 1).into()),
        (Ir::DotProduct, Some(b)) => {
            if let Category::Logical = Category::of(first.ty()) {
                let both = ev.zip(first, b, span, |p, q| binary(BinaryOp::And, p, q))?;
                let any = both.elements().iter().filter_map(Scalar::as_logical).any(|t| t);
                return Ok(Scalar::Logical(both.ty(), any).into());
            }
            let products = ev.zip(first, b, span, |p, q| match p {
                Scalar::Complex(ty, re, im) => binary(BinaryOp::Mul, &Scalar::Complex(*ty, *re, -*im), q),
                _ => binary(BinaryOp::Mul, p, q),
            })?;
            let sum = math::reduce(Ir::Sum, products.ty(), products.elements().iter());
            sum.ok_or_else(|| not_folded(name, span))?.map(Const::Scalar).map_err(|why| Unfolded::invalid(span, why))
        }
        (Ir::Reshape, Some(shape)) => {
            reshape(first, shape, args.get(2).and_then(Option::as_ref), args.get(3).and_then(Option::as_ref), span)
        }
        (Ir::Transpose, None) => transpose(first).ok_or_else(|| not_folded(name, span)),
        (Ir::Matmul, Some(b)) => {
            let work = (first.elements().len() as u64).saturating_mul(b.elements().len() as u64);
            ev.spend(work, span)?;
            folded(crate::constant::arrays::fold(op, args), name, span)
        }
        _ => folded(crate::constant::arrays::fold(op, args), name, span),
    }
}

fn folded(value: crate::constant::arrays::Value, name: &str, span: Span) -> Folded {
    value.ok_or_else(|| not_folded(name, span))?.map_err(|why| Unfolded::invalid(span, why))
}

fn reshape(source: &Const, shape: &Const, pad: Option<&Const>, order: Option<&Const>, span: Span) -> Folded {
    let extents: Option<Vec<i64>> = shape.elements().iter().map(|s| s.as_int().map(|v| v.max(0))).collect();
    let extents = extents.ok_or_else(|| Unfolded::invalid(span, "SHAPE must be INTEGER"))?;
    let total = extents.iter().try_fold(1i64, |n, &e| n.checked_mul(e)).filter(|&n| n <= MAX_ELEMENTS as i64);
    let total = total.ok_or_else(|| Unfolded::invalid(span, "The array constant is too large"))? as usize;
    let mut values: Vec<Scalar> = source.elements().iter().take(total).cloned().collect();
    if values.len() < total {
        let pad = pad.map_or(&[][..], Const::elements);
        if pad.is_empty() {
            return Err(Unfolded::invalid(span, "RESHAPE needs PAD=: the source has fewer elements than the shape"));
        }
        let missing = total - values.len();
        values.extend(pad.iter().cycle().take(missing).cloned());
    }
    if let Some(order) = order {
        values = reordered(&values, &extents, order)
            .ok_or_else(|| Unfolded::invalid(span, "ORDER must be a permutation of the dimensions"))?;
    }
    let shape = extents.into_iter().map(|n| (1, n)).collect();
    Ok(Const::Array(Arc::new(ConstArray { ty: source.ty(), len: source.char_len(), shape, values })))
}

/// The elements in array element order when `values` has them with dimension `order(1)` varying fastest.
fn reordered(values: &[Scalar], extents: &[i64], order: &Const) -> Option<Vec<Scalar>> {
    let order: Vec<usize> =
        order.elements().iter().map(|s| usize::try_from(s.as_int()? - 1).ok()).collect::<Option<_>>()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted != (0..extents.len()).collect::<Vec<_>>() {
        return None;
    }
    let mut out = values.to_vec();
    for (k, v) in values.iter().enumerate() {
        let mut rest = k as i64;
        let mut subscripts = vec![0i64; extents.len()];
        for &d in &order {
            subscripts[d] = rest % extents[d];
            rest /= extents[d];
        }
        let at = subscripts.iter().zip(extents).rev().fold(0, |at, (s, n)| at * n + s);
        out[at as usize] = v.clone();
    }
    Some(out)
}

fn transpose(c: &Const) -> Option<Const> {
    let a = c.array()?;
    let &[(_, rows), (_, columns)] = &a.shape[..] else { return None };
    let at = |i: i64, j: i64| a.values[(i + j * rows) as usize].clone();
    let values = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect();
    let shape = vec![(1, columns), (1, rows)];
    Some(Const::Array(Arc::new(ConstArray { ty: a.ty, len: a.len, shape, values })))
}
