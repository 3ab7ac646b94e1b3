//! Constant expressions of the AST.
//!
//! **Invariants:** the cost of one evaluation is bounded ([`FUEL`] nodes, [`MAX_ELEMENTS`] elements), and
//! nothing is reported here: the caller knows whether a value had to be constant, and makes the
//! diagnostic ([`Unfolded::report`]).

use crate::constant::intrinsics;
use crate::constant::ops::{binary, bitwise_unary, unary, unchecked, unchecked_unary, wrapped};
use crate::constant::{Const, ConstArray, MAX_BYTES, MAX_ELEMENTS, Scalar, convert, resize_text, zip};
use crate::scope::symbol::{SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use crate::types::kinds::{Category, int_range, kind_of};
use std::sync::Arc;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Real;
use trueline_ir::Type;
use trueline_syntax::Name;
use trueline_syntax::ast::{
    ArgList, ArgValue, Ast, ExprId, ExprKind, ExprList, ImpliedDo, KindParam, TextId, TypeSpec,
};

/// The most nodes that one evaluation may visit: a few seconds at most.
const FUEL: u64 = 1 << 25;

/// Why an expression has no constant value.
#[derive(Clone, PartialEq, Debug)]
pub struct Unfolded {
    /// The part that is to blame.
    pub span: Span,
    /// Why.
    pub why: WhyNot,
}

/// Why an expression has no constant value.
#[derive(Clone, PartialEq, Debug)]
pub enum WhyNot {
    /// It depends on something that is known at run time only: a phrase such as "'n' is a variable".
    Runtime(String),
    /// It is constant but has no value: the sentence of a diagnostic.
    Invalid(String),
    /// It is constant, but takes too long: the sentence of a diagnostic.
    Expensive(&'static str),
    /// It contains an error that has been reported.
    Reported,
}

/// The result of an evaluation.
pub type Folded = Result<Const, Unfolded>;

impl Unfolded {
    /// An expression that has a value at run time only.
    pub fn runtime(span: Span, why: impl Into<String>) -> Unfolded {
        Unfolded { span, why: WhyNot::Runtime(why.into()) }
    }

    /// An expression that has an error in it.
    pub fn invalid(span: Span, why: impl Into<String>) -> Unfolded {
        Unfolded { span, why: WhyNot::Invalid(why.into()) }
    }

    /// Whether the value is merely not known before run time.
    pub fn is_runtime(&self) -> bool {
        matches!(self.why, WhyNot::Runtime(_))
    }

    /// The diagnostic for a place that needs a constant; `what` is for example "The bounds of 'a'".
    pub fn report(&self, what: &str) -> Option<Diagnostic> {
        match &self.why {
            WhyNot::Runtime(why) => {
                Some(Diagnostic::error("T0301", self.span, format!("{what} must be constant, but {why}")))
            }
            WhyNot::Invalid(why) => Some(Diagnostic::error("T0302", self.span, why.clone())),
            WhyNot::Expensive(why) => Some(Diagnostic::error("T0302", self.span, *why)),
            WhyNot::Reported => None,
        }
    }
}

/// The constant value of an expression of the AST of `scope`.
pub fn const_eval(decls: &Declarations<'_>, scope: ScopeId, x: ExprId) -> Folded {
    Evaluator::new(decls, scope).eval(x)
}

/// An evaluation under way.
pub struct Evaluator<'d, 'a> {
    /// The declarations.
    pub decls: &'d Declarations<'a>,
    /// The scope that gives names their meaning.
    pub scope: ScopeId,
    /// The file of the scope.
    pub ast: &'a Ast,
    /// Values of the implied-DO variables around, innermost last.
    pub bindings: Vec<(Name, i64)>,
    fuel: u64,
}

impl<'d, 'a> Evaluator<'d, 'a> {
    /// An evaluation of expressions that stand in `scope`.
    pub fn new(decls: &'d Declarations<'a>, scope: ScopeId) -> Evaluator<'d, 'a> {
        Evaluator { decls, scope, ast: decls.ast(scope), bindings: Vec::new(), fuel: FUEL }
    }

    /// The value of `x`.
    pub fn eval(&mut self, x: ExprId) -> Folded {
        let ast = self.ast;
        let span = ast.span(x);
        self.spend(1, span)?;
        match &ast.expr(x).kind {
            ExprKind::Int { value, kind } => self.int_literal(*value, *kind, span),
            ExprKind::Real { text, kind } => self.real_literal(*text, *kind, span),
            ExprKind::Logical { value, kind } => {
                let ty = self.literal_type(Category::Logical, *kind, span)?.unwrap_or(Type::L4);
                Ok(Scalar::Logical(ty, *value).into())
            }
            ExprKind::Char { text, kind } => {
                self.literal_type(Category::Character, *kind, span)?;
                Ok(Scalar::text(ast.text(*text)).into())
            }
            ExprKind::Hollerith(text) => Ok(Scalar::text(ast.text(*text)).into()),
            ExprKind::Boz { radix, digits } => boz(ast.text(*digits), *radix, span),
            ExprKind::Complex { re, im } => self.complex_literal(*re, *im, span),
            ExprKind::Name(name) => self.name(*name, span),
            ExprKind::Call { base, args } => self.call(x, *base, *args),
            ExprKind::Component { base, name } => self.constant_component(*base, *name, span),
            ExprKind::Unary { op, operand } => {
                let a = self.eval(*operand)?;
                self.spend(a.elements().len() as u64, span)?;
                let (free, bitwise) = (self.decls.options.no_range_check, self.decls.options.bitwise);
                a.map(|s| {
                    let bits = bitwise_unary(*op, s).filter(|_| bitwise);
                    let result = bits.map_or_else(|| unary(*op, s), Ok);
                    result.or_else(|why| unchecked_unary(*op, s).filter(|_| free).ok_or(why))
                })
                .map_err(|why| Unfolded::invalid(span, why))
            }
            ExprKind::Binary { op, left, right } => {
                let (a, b) = (self.eval(*left)?, self.eval(*right)?);
                self.spend(a.elements().len().max(b.elements().len()) as u64, span)?;
                let (free, bitwise) = (self.decls.options.no_range_check, self.decls.options.bitwise);
                let apply = |p: &Scalar, q: &Scalar| {
                    let bits = crate::constant::ops::bitwise(*op, p, q).filter(|_| bitwise);
                    let result = bits.map_or_else(|| binary(*op, p, q), Ok);
                    result.or_else(|why| unchecked(*op, p, q).filter(|_| free).ok_or(why))
                };
                self.zip(&a, &b, span, apply)
            }
            ExprKind::Paren(inner) => self.eval(*inner),
            ExprKind::ArrayConstructor { ty, items } => self.constructor(ty.as_deref(), *items, span),
            ExprKind::ImpliedDo(_) => Err(Unfolded::invalid(span, "An implied DO is not allowed here")),
            ExprKind::Error => Err(Unfolded { span, why: WhyNot::Reported }),
        }
    }

    /// The value of `x`, a scalar integer.
    pub fn int(&mut self, x: ExprId) -> Result<i64, Unfolded> {
        let v = self.eval(x)?;
        let span = self.ast.span(x);
        match v.scalar() {
            Some(Scalar::Int(_, v)) => Ok(*v),
            Some(Scalar::Boz(v)) => Ok(*v as i64),
            _ => Err(Unfolded::invalid(span, "A scalar INTEGER value is needed here")),
        }
    }

    /// The value of a subscript outside of the executable part. As gfortran does, a REAL is truncated.
    pub fn index(&mut self, x: ExprId) -> Result<i64, Unfolded> {
        match self.eval(x)?.scalar() {
            Some(Scalar::Real(_, v)) => Ok(i64::try_from(v.to_int()).unwrap_or(i64::MAX)),
            _ => self.int(x),
        }
    }

    /// An element-wise operation.
    pub fn zip(
        &mut self,
        a: &Const,
        b: &Const,
        span: Span,
        f: impl FnMut(&Scalar, &Scalar) -> Result<Scalar, String>,
    ) -> Folded {
        match zip(a, b, f) {
            Some(Ok(v)) => Ok(v),
            Some(Err(why)) => Err(Unfolded::invalid(span, why)),
            None => Err(Unfolded::invalid(span, "The shapes of the operands differ")),
        }
    }

    /// Pays for `n` steps.
    pub fn spend(&mut self, n: u64, span: Span) -> Result<(), Unfolded> {
        match self.fuel.checked_sub(n) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                let why = "The constant expression is too expensive to evaluate at compile time";
                Err(Unfolded { span, why: WhyNot::Expensive(why) })
            }
        }
    }

    fn int_literal(&mut self, value: u64, kind: KindParam, span: Span) -> Folded {
        let ty = self.literal_type(Category::Integer, kind, span)?.unwrap_or(self.decls.options.default_integer());
        match i64::try_from(value).ok().filter(|&v| v <= int_range(ty).1) {
            None if self.decls.options.no_range_check => Ok(Scalar::Int(ty, wrapped(i128::from(value), ty)).into()),
            Some(v) => Ok(Scalar::Int(ty, v).into()),
            None => Err(Unfolded::invalid(
                span,
                format!("The integer constant {value} does not fit into its kind, {}", ty.size()),
            )),
        }
    }

    fn real_literal(&mut self, text: TextId, kind: KindParam, span: Span) -> Folded {
        let given = self.literal_type(Category::Real, kind, span)?;
        let text = String::from_utf8_lossy(self.ast.text(text)).into_owned();
        let ty = match text.find(['d', 'q']) {
            Some(k) if text.as_bytes()[k] == b'q' => Type::R16,
            Some(_) => self.decls.options.default_double(),
            None => given.unwrap_or(self.decls.options.default_real()),
        };
        let text = text.replace(['d', 'q'], "e");
        let value = Real::parse(ty, &text);
        match value {
            Some(v) if v.is_finite() || self.decls.options.no_range_check => Ok(Scalar::Real(ty, v).into()),
            Some(_) => Err(Unfolded::invalid(span, format!("The real constant overflows its kind, {}", ty.size()))),
            None => Err(Unfolded::invalid(span, "This is not a real constant")),
        }
    }

    /// The type that the kind of a literal gives.
    fn literal_type(&mut self, category: Category, kind: KindParam, span: Span) -> Result<Option<Type>, Unfolded> {
        let kind = match kind {
            KindParam::Default => return Ok(None),
            KindParam::Digits(k) => i64::from(k),
            KindParam::Name(name) => match self.name(name, span)?.as_int() {
                Some(k) => k,
                None => return Err(Unfolded::invalid(span, "A kind must be a scalar INTEGER constant")),
            },
        };
        match category.with_kind(kind) {
            Some(ty) => Ok(Some(self.decls.options.kind_of(ty))),
            None => Err(Unfolded::invalid(span, no_such_kind(category, kind))),
        }
    }

    fn complex_literal(&mut self, re: ExprId, im: ExprId, span: Span) -> Folded {
        let (a, b) = (self.eval(re)?, self.eval(im)?);
        let (Some(a), Some(b)) = (a.scalar(), b.scalar()) else {
            return Err(Unfolded::invalid(span, "The parts of a complex constant must be scalars"));
        };
        let kind = [a, b].iter().filter(|s| matches!(s, Scalar::Real(..))).map(|s| kind_of(s.ty())).max();
        let kind = kind.unwrap_or(kind_of(self.decls.options.default_real()));
        let ty = Category::Complex.with_kind(kind).unwrap_or(Type::C4);
        let part = |s: &Scalar| match s {
            Scalar::Int(..) | Scalar::Real(..) => s.as_real(),
            _ => None,
        };
        match (part(a), part(b)) {
            (Some(re), Some(im)) => Ok(Scalar::complex(ty, re, im).into()),
            _ => Err(Unfolded::invalid(span, "The parts of a complex constant must be INTEGER or REAL")),
        }
    }

    /// The type of an implied-DO variable; default INTEGER if it is not declared yet.
    fn index_type(&self, name: Name) -> Type {
        let declared = self.decls.named(self.scope, name).and_then(|id| self.decls.symbols[id].ty);
        let integer = declared.filter(|&ty| Category::of(ty) == Category::Integer);
        integer.unwrap_or(self.decls.options.default_integer())
    }

    fn name(&mut self, name: Name, span: Span) -> Folded {
        if let Some(&(_, v)) = self.bindings.iter().rev().find(|b| b.0 == name) {
            return Ok(Scalar::Int(self.index_type(name), v).into());
        }
        let text = self.ast.name(name);
        match self.decls.lookup(self.scope, text) {
            Some(id) => self.symbol_value(id, span),
            None => Err(Unfolded::runtime(span, format!("'{text}' is not a constant"))),
        }
    }

    fn symbol_value(&mut self, id: SymbolId, span: Span) -> Folded {
        let symbol = &self.decls.symbols[id];
        match (&symbol.kind, &symbol.value) {
            (SymbolKind::Parameter, Some(v)) => Ok(v.clone()),
            (SymbolKind::Parameter | SymbolKind::Error, None) => Err(Unfolded { span, why: WhyNot::Reported }),
            (SymbolKind::Procedure(_), _) => {
                Err(Unfolded::runtime(span, format!("'{}' is a procedure, not a constant", symbol.name)))
            }
            _ => Err(Unfolded::runtime(span, format!("'{}' is a variable, not a constant", symbol.name))),
        }
    }

    /// `base(args)`: an element, section or substring of a constant, or an intrinsic function.
    fn call(&mut self, x: ExprId, base: ExprId, args: ArgList) -> Folded {
        let span = self.ast.span(x);
        if let ExprKind::Name(name) = self.ast.expr(base).kind {
            let text = self.ast.name(name);
            let known = self.decls.lookup(self.scope, text);
            let intrinsic = known.is_none_or(|id| self.decls.is_intrinsic_name(id));
            if intrinsic {
                return intrinsics::fold(self, text, args, span);
            }
            if let Some(SymbolKind::DerivedType(id)) = known.map(|id| &self.decls.symbols[id].kind) {
                return self.structure_constructor(*id, args, span);
            }
        }
        let value = self.eval(base)?;
        match &value {
            Const::Array(array) if array.ty == Type::Char && self.is_section(base) => {
                let (lo, hi) = self.substring_range(args, array.len, span)?;
                let values =
                    array.values.iter().filter_map(Scalar::as_text).map(|t| Scalar::text(&t[lo..hi])).collect();
                let array = ConstArray { ty: Type::Char, len: hi - lo, shape: array.shape.clone(), values };
                Ok(Const::Array(std::sync::Arc::new(array)))
            }
            Const::Array(array) => self.subscript(array, args, span),
            Const::Scalar(Scalar::Char(text)) => {
                let (lo, hi) = self.substring_range(args, text.len(), span)?;
                Ok(Scalar::text(&text[lo..hi]).into())
            }
            Const::Scalar(_) => Err(Unfolded::invalid(span, "A scalar constant has no subscripts")),
        }
    }

    /// Whether `x` has subscripts, so that a range after them selects a substring.
    fn is_section(&self, x: ExprId) -> bool {
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return false };
        match self.ast.expr(base).kind {
            ExprKind::Name(name) => {
                let id = self.decls.named(self.scope, name);
                id.is_some_and(|id| self.decls.symbols[id].kind == SymbolKind::Parameter)
            }
            ExprKind::Component { .. } => true,
            _ => false,
        }
    }

    /// The byte range that the arguments of a substring select.
    fn substring_range(&mut self, args: ArgList, len: usize, span: Span) -> Result<(usize, usize), Unfolded> {
        let [arg] = self.ast.args(args) else {
            return Err(Unfolded::invalid(span, "A substring has one range"));
        };
        let ArgValue::Section { lo, hi, step } = arg.value else {
            return Err(Unfolded::invalid(span, "A substring is written with ':'"));
        };
        if step.is_some() {
            return Err(Unfolded::invalid(span, "A substring has no stride"));
        }
        let lo = lo.expand().map_or(Ok(1), |x| self.int(x))?;
        let hi = hi.expand().map_or(Ok(len as i64), |x| self.int(x))?;
        if lo > hi {
            return Ok((0, 0));
        }
        if lo < 1 || hi > len as i64 {
            return Err(Unfolded::invalid(span, format!("The substring {lo}:{hi} is outside of 1:{len}")));
        }
        Ok((lo as usize - 1, hi as usize))
    }

    /// An element or section of an array constant.
    fn subscript(&mut self, array: &ConstArray, args: ArgList, span: Span) -> Folded {
        let subscripts = self.ast.args(args);
        if subscripts.len() != array.shape.len() {
            let (need, got) = (array.shape.len(), subscripts.len());
            return Err(Unfolded::invalid(span, format!("The array has {need} dimensions, but {got} subscripts")));
        }
        let mut picks: Vec<Vec<i64>> = Vec::with_capacity(subscripts.len());
        let mut extents = Vec::new();
        for (arg, &(lower, extent)) in subscripts.iter().zip(&array.shape) {
            let (pick, is_vector) = self.one_subscript(arg.value, lower, extent, arg.span)?;
            if is_vector {
                extents.push(pick.len() as i64);
            }
            picks.push(pick);
        }
        let total: usize = picks.iter().map(Vec::len).product();
        self.spend(total as u64, span)?;
        let mut values = Vec::with_capacity(total);
        for k in 0..total {
            let (mut rest, mut at, mut stride) = (k, 0usize, 1usize);
            for (pick, &(_, extent)) in picks.iter().zip(&array.shape) {
                at += pick[rest % pick.len()] as usize * stride;
                rest /= pick.len();
                stride *= extent as usize;
            }
            values.push(array.values[at].clone());
        }
        if extents.is_empty() {
            return Ok(values.swap_remove(0).into());
        }
        let shape = extents.into_iter().map(|n| (1, n)).collect();
        Ok(Const::Array(Arc::new(ConstArray { ty: array.ty, len: array.len, shape, values })))
    }

    /// The positions (from 0) that a subscript selects, and whether it makes a dimension.
    fn one_subscript(
        &mut self,
        value: ArgValue,
        lower: i64,
        extent: i64,
        span: Span,
    ) -> Result<(Vec<i64>, bool), Unfolded> {
        let upper = lower + extent - 1;
        let outside = |v: i64| Unfolded::invalid(span, format!("The subscript {v} is outside of {lower}:{upper}"));
        let inside = |v: i64| if v < lower || v > upper { Err(outside(v)) } else { Ok(v - lower) };
        match value {
            ArgValue::Expr(x) => match self.eval(x)? {
                Const::Scalar(Scalar::Int(_, v)) => Ok((vec![inside(v)?], false)),
                Const::Scalar(Scalar::Real(_, v)) => {
                    Ok((vec![inside(i64::try_from(v.to_int()).unwrap_or(i64::MAX))?], false))
                }
                Const::Array(a) if Category::of(a.ty) == Category::Integer => {
                    let picks = a.values.iter().filter_map(Scalar::as_int).map(inside).collect::<Result<_, _>>()?;
                    Ok((picks, true))
                }
                _ => Err(Unfolded::invalid(span, "A subscript must be INTEGER")),
            },
            ArgValue::Section { lo, hi, step } => {
                let step = step.expand().map_or(Ok(1), |x| self.int(x))?;
                let (first, last) = if step < 0 { (upper, lower) } else { (lower, upper) };
                let lo = lo.expand().map_or(Ok(first), |x| self.int(x))?;
                let hi = hi.expand().map_or(Ok(last), |x| self.int(x))?;
                let count = trips(lo, hi, step).ok_or_else(|| Unfolded::invalid(span, "The stride is zero"))?;
                self.spend(count, span)?;
                let picks = (0..count as i64).map(|k| inside(lo + k * step)).collect::<Result<_, _>>()?;
                Ok((picks, true))
            }
            ArgValue::AltReturn(_) | ArgValue::Star => Err(Unfolded::invalid(span, "This is not a subscript")),
        }
    }

    fn constructor(&mut self, ty: Option<&TypeSpec>, items: ExprList, span: Span) -> Folded {
        let mut values = Vec::new();
        let mut element = None;
        self.collect(items, &mut values, &mut element)?;
        if let Some(spec) = ty {
            let (to, len) = self.decls.constant_type(self.scope, spec)?;
            if len.is_some_and(|n| n.saturating_mul(values.len()) > MAX_BYTES) {
                return Err(Unfolded::invalid(span, "The array constant is too large"));
            }
            for v in &mut values {
                let c = convert(v, to).ok_or_else(|| {
                    Unfolded::invalid(span, "An element of the array constructor does not have its type")
                })?;
                *v = match len {
                    Some(n) => resize_text(&c, n),
                    None => c,
                };
            }
            let len =
                len.unwrap_or_else(|| values.iter().filter_map(|v| v.as_text()).map(<[u8]>::len).max().unwrap_or(0));
            return Ok(Const::vector(to, len, values));
        }
        let Some(first) = values.first().map(Scalar::ty).or(element) else {
            return Err(Unfolded::invalid(span, "An empty array constructor needs a type: [INTEGER ::]"));
        };
        if let Some(other) = values.iter().find(|v| v.ty() != first) {
            let (a, b) = (crate::types::kinds::type_name(first), crate::types::kinds::type_name(other.ty()));
            return Err(Unfolded::invalid(span, format!("The array constructor mixes {a} and {b}")));
        }
        let lengths = || values.iter().filter_map(Scalar::as_text).map(<[u8]>::len);
        let len = lengths().max().unwrap_or(0);
        if let Some(other) = lengths().find(|&n| n != len) {
            let message = format!("The elements of the array constructor differ in length: {other} and {len}");
            return Err(Unfolded::invalid(span, message));
        }
        Ok(Const::vector(first, len, values))
    }

    /// Appends the elements of a constructor; `element` becomes the type of an element even when no
    /// element comes of it.
    fn collect(&mut self, items: ExprList, out: &mut Vec<Scalar>, element: &mut Option<Type>) -> Result<(), Unfolded> {
        let ast = self.ast;
        for &item in ast.list(items) {
            if let ExprKind::ImpliedDo(implied) = &ast.expr(item).kind {
                self.implied_do(implied, ast.span(item), |this| this.collect(implied.items, out, element))?;
                continue;
            }
            let v = self.eval(item)?;
            *element = Some(v.ty());
            if out.len() + v.elements().len() > MAX_ELEMENTS {
                return Err(Unfolded::invalid(ast.span(item), "The array constant is too large"));
            }
            out.extend_from_slice(v.elements());
        }
        Ok(())
    }

    /// Runs `body` for each value of an implied DO.
    pub fn implied_do(
        &mut self,
        implied: &ImpliedDo,
        span: Span,
        mut body: impl FnMut(&mut Self) -> Result<(), Unfolded>,
    ) -> Result<(), Unfolded> {
        let (from, to) = (self.int(implied.from)?, self.int(implied.to)?);
        let step = implied.step.map_or(Ok(1), |x| self.int(x))?;
        let count = trips(from, to, step).ok_or_else(|| Unfolded::invalid(span, "The step of a DO is zero"))?;
        for k in 0..count {
            self.spend(1, span)?;
            self.bindings.push((implied.var.name, from.wrapping_add((k as i64).wrapping_mul(step))));
            let done = body(self);
            self.bindings.pop();
            done?;
        }
        Ok(())
    }
}

/// The number of values in `from, to, step`; none when `step` is 0.
pub fn trips(from: i64, to: i64, step: i64) -> Option<u64> {
    if step == 0 {
        return None;
    }
    let n = (i128::from(to) - i128::from(from) + i128::from(step)) / i128::from(step);
    Some(u64::try_from(n.max(0)).unwrap_or(u64::MAX))
}

/// "INTEGER has no kind 3 …"
pub fn no_such_kind(category: Category, kind: i64) -> String {
    let text = format!("{} has no kind {kind}; its kinds are {}", category.keyword(), category.kinds());
    match (category, kind) {
        (Category::Real | Category::Complex, 10) => format!("{text}, of which 16 has more digits and the same range"),
        _ => text,
    }
}

fn boz(digits: &[u8], radix: u8, span: Span) -> Folded {
    let mut value = 0u64;
    for &d in digits {
        let digit = char::from(d).to_digit(u32::from(radix));
        let next = digit.and_then(|d| value.checked_mul(u64::from(radix))?.checked_add(u64::from(d)));
        value = next.ok_or_else(|| Unfolded::invalid(span, "The BOZ constant does not fit into 64 bits"))?;
    }
    Ok(Scalar::Boz(value).into())
}
