//! Expressions.
//!
//! A scalar or array expression of the source becomes one pure IR expression; an impure part (user
//! functions, characters, constructors with implied DO) becomes statements before the statement that
//! uses it, in the order of evaluation. The right side of `.and.`/`.or.` with such statements goes under
//! an IF, so that it is executed only where the source executes it:
//!
//! ```text
//! if (i > 0 .and. f(i)) ...  =>  if (i > 0) then;  t = f(i);  c = t;  else;  c = .false.;  end if
//!                                if (c) ...
//! ```
//!
//! Recursion goes as deep as expressions nest, which the parser bounds.

pub(crate) mod component;
pub(crate) mod constant;
pub(crate) mod parts;
pub(crate) mod reference;

use crate::emit::Emit;
use crate::source::Source;
use crate::values::{Checked, Str, Val, checked_that, refused};
use crate::variables::Variables;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, Sym, Type};
use trueline_sema::constant::eval::const_eval;
use trueline_sema::constant::{Const, Scalar};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::types::kinds::{Category, common_type};
use trueline_syntax::ast::{self, ArgValue, ExprId, ExprKind};

/// Expressions and calls of a procedure, over the storage of its variables.
pub(crate) struct Exprs<'a> {
    /// The variables.
    pub(crate) variables: Variables<'a>,
    /// The pointees of Cray pointers, but for the register that has their address.
    pub(crate) pointees: FxHashMap<SymbolId, trueline_ir::SymData>,
    /// The stored mask of the assignment in a WHERE that is being lowered: an elemental function is called where it holds.
    pub(crate) masking: Option<Expr>,
    /// The dummy procedures of the interface that a call looks at, and the procedures passed for them.
    pub(crate) passed_procedures: Vec<(SymbolId, SymbolId)>,
    /// Locals of a called function whose form is being found.
    pub(crate) local_forms: Vec<SymbolId>,
    /// Whether a variable of TYPE(*) may stand here.
    pub(crate) takes_any_type: bool,
    /// The number of FORALLs around.
    pub(crate) forall_depth: u32,
    /// The number of expanded statement functions.
    pub(crate) expansions: usize,
    /// Expressions of the statement whose values were found before.
    pub(crate) evaluated: SmallVec<[(ExprId, Val); 2]>,
    /// The register with the address of the procedure, of the call through a pointer that is being made.
    pub(crate) callee: Option<Sym>,
}

crate::builds_on!(Exprs<'a>, variables: Variables<'a>);

impl<'a> Exprs<'a> {
    pub(crate) fn new(variables: Variables<'a>) -> Self {
        Exprs {
            variables,
            pointees: FxHashMap::default(),
            masking: None,
            passed_procedures: Vec::new(),
            local_forms: Vec::new(),
            takes_any_type: false,
            forall_depth: 0,
            expansions: 0,
            evaluated: SmallVec::new(),
            callee: None,
        }
    }
}

/// Expressions by the kind of value that is needed.
impl Exprs<'_> {
    /// Any expression.
    pub(crate) fn expr(&mut self, x: ExprId) -> Val {
        if let Some(v) = self.found_before(x) {
            return v;
        }
        let v = self.any_expr(x);
        #[cfg(test)]
        self.compare(x, v);
        v
    }

    /// The value of `x`, if it was found before.
    pub(crate) fn found_before(&self, x: ExprId) -> Option<Val> {
        self.evaluated.iter().find(|(y, _)| *y == x).map(|&(_, v)| v)
    }

    fn any_expr(&mut self, x: ExprId) -> Val {
        match self.ast.expr(x).kind.clone() {
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::Logical { .. }
            | ExprKind::Char { .. }
            | ExprKind::Hollerith(_)
            | ExprKind::Boz { .. } => self.literal(x),
            ExprKind::Complex { re, im } => self.complex(re, im),
            ExprKind::Name(_) | ExprKind::Call { .. } => {
                let v = self.read_reference(x);
                self.check_whole(x, v.e);
                v
            }
            ExprKind::Component { base, name } => {
                let v = self.reading_part(x, |l| l.component(base, name));
                self.check_whole(x, v.e);
                v
            }
            ExprKind::Unary { op, operand } => self.unary(x, op, operand),
            ExprKind::Binary { op, left, right } => self.binary_expr(x, op, left, right),
            ExprKind::Paren(inner) => {
                let v = self.expr(inner);
                self.without_bounds(v)
            }
            ExprKind::ArrayConstructor { ty, items } => self.constructor(x, ty.as_deref(), items),
            ExprKind::ImpliedDo(_) | ExprKind::Error => refused(),
        }
    }

    /// The reference `x`, whose value is read.
    pub(crate) fn read_reference(&mut self, x: ExprId) -> Val {
        self.begin_reading(x);
        let v = self.reading_part(x, |l| l.reference(x));
        self.reads = None;
        let at = self.ast.span(x);
        if !self.is_in_region(x) {
            self.check_elements(at, v.e);
        }
        self.note_access(at, v.e, false);
        v
    }

    /// An expression that is not a CHARACTER.
    pub(crate) fn value(&mut self, x: ExprId) -> Expr {
        let v = self.expr(x);
        if self.structure_at(v.e).is_some() || v.len.is_some() { refused() } else { v.e }
    }

    /// A scalar that is not a CHARACTER.
    pub(crate) fn scalar(&mut self, x: ExprId) -> Expr {
        let e = self.value(x);
        self.must_be_scalar(e);
        e
    }

    /// A scalar integer as `INTEGER(8)`.
    pub(crate) fn integer(&mut self, x: ExprId) -> Expr {
        let e = self.scalar(x);
        self.must_be(e, Category::Integer);
        self.convert(Type::I8, e)
    }

    /// A scalar that counts or selects elements, as `INTEGER(8)`. As gfortran does, a REAL is truncated.
    pub(crate) fn index(&mut self, x: ExprId) -> Expr {
        let e = self.scalar(x);
        self.as_index(e)
    }

    /// A scalar logical.
    pub(crate) fn condition(&mut self, x: ExprId) -> Expr {
        let e = self.expr(x).e;
        self.must_be(e, Category::Logical);
        self.must_be_scalar(e);
        e
    }

    /// A CHARACTER value.
    pub(crate) fn string(&mut self, x: ExprId) -> Str {
        let v = self.expr(x);
        self.as_str(v).checked()
    }

    fn complex(&mut self, re: ExprId, im: ExprId) -> Val {
        let (a, b) = (self.scalar(re), self.scalar(im));
        if [a, b].iter().any(|&e| !matches!(Category::of(self.ty(e)), Category::Integer | Category::Real)) {
            refused();
        }
        let part = match (self.ty(a), self.ty(b)) {
            (Type::R16, _) | (_, Type::R16) => Type::R16,
            (Type::R8, _) | (_, Type::R8) => Type::R8,
            _ => Type::R4,
        };
        Val::plain(self.complex_of(a, b, part))
    }

    fn unary(&mut self, x: ExprId, op: ast::UnaryOp, operand: ExprId) -> Val {
        if let Some(v) = self.defined_operation(x) {
            return v;
        }
        let a = self.value(operand);
        let category = Category::of(self.ty(a));
        let wrong = match op {
            ast::UnaryOp::Plus | ast::UnaryOp::Minus => !category.is_numeric(),
            ast::UnaryOp::Not => category != Category::Logical && !self.is_bitwise(a),
            ast::UnaryOp::Defined(_) => refused(),
        };
        if wrong {
            refused();
        }
        if op == ast::UnaryOp::Minus && category == Category::Integer {
            let (span, ty) = (self.ast.span(x), self.ty(a));
            let zero = self.int(ty, 0);
            self.check_operation(span, BinaryOp::Sub, zero, a);
        }
        Val::plain(match op {
            ast::UnaryOp::Minus => self.neg(a),
            ast::UnaryOp::Not if category == Category::Integer => self.intrinsic(Intrinsic::Not, &[a]),
            ast::UnaryOp::Not => self.not(a),
            _ => a,
        })
    }

    fn binary_expr(&mut self, x: ExprId, op: ast::BinaryOp, left: ExprId, right: ExprId) -> Val {
        use ast::BinaryOp as B;
        if let Some(v) = self.defined_operation(x) {
            return v;
        }
        match op {
            B::Concat => return self.concatenation(x),
            B::And | B::Or => return self.short_circuit(x, op, left, right),
            B::Defined(_) => refused(),
            _ => {}
        }
        // A mistake on the left does not hide one on the right.
        let (a, b) = (self.expr(left), self.expr(right));
        let (a, b) = (a, b);
        let (a, b) = (self.as_number(left, a, b), self.as_number(right, b, a));
        self.conform(x, a.e, b.e);
        let at = self.ast.span(x);
        match op {
            B::Pow => {
                self.check_power(at, a.e, b.e);
                self.power(a, b)
            }
            B::Mul => self.arithmetic(at, BinaryOp::Mul, a, b),
            // A division by a constant 0, which has been reported.
            B::Div if self.known(b.e) == Some(0) && self.typing().integer(right) == Some(0) && self.is_whole(a.e) => {
                refused()
            }
            B::Div => self.arithmetic(at, BinaryOp::Div, a, b),
            B::Add => self.arithmetic(at, BinaryOp::Add, a, b),
            B::Sub => self.arithmetic(at, BinaryOp::Sub, a, b),
            B::Eq => self.comparison(BinaryOp::Eq, a, b),
            B::Ne => self.comparison(BinaryOp::Ne, a, b),
            B::Lt => self.comparison(BinaryOp::Lt, a, b),
            B::Le => self.comparison(BinaryOp::Le, a, b),
            B::Gt => self.comparison(BinaryOp::Gt, a, b),
            B::Ge => self.comparison(BinaryOp::Ge, a, b),
            B::Eqv => self.logical_op(BinaryOp::Eqv, a, b),
            _ => self.logical_op(BinaryOp::Neqv, a, b),
        }
    }

    /// `.and.` and `.or.`: the right side under an IF if it is not one expression.
    fn short_circuit(&mut self, x: ExprId, op: ast::BinaryOp, left: ExprId, right: ExprId) -> Val {
        let is_and = op == ast::BinaryOp::And;
        let ir = if is_and { BinaryOp::And } else { BinaryOp::Or };
        let a = self.expr(left);
        let cond = match a.e {
            e if self.rank(e) == 0 && Category::of(self.ty(e)) == Category::Logical => e,
            _ => {
                let b = self.expr(right);
                self.conform(x, a.e, b.e);
                return self.logical_op(ir, a, b);
            }
        };
        let test = if is_and { cond } else { self.not(cond) };
        let guard = self.push(Head::If { cond: test });
        let (then, otherwise) = (self.blocks(guard)[0], self.blocks(guard)[1]);
        let outer = self.enter(then);
        let temps = self.open_temps();
        let b = self.expr(right);
        let is_empty = self.stmts(then).next().is_none();
        if is_empty {
            self.enter(outer);
            self.b.retract(guard);

            return self.logical_op(ir, Val::plain(cond), b);
        }
        let result = self.guarded(b, cond, otherwise, temps);
        self.enter(outer);
        let (b, result) = (b, result);
        if self.rank(b.e) > 0 || Category::of(self.ty(b.e)) != Category::Logical {
            return self.logical_op(ir, Val::plain(cond), b);
        }
        Val::plain(result)
    }

    /// A chain of `//`, as one.
    fn concatenation(&mut self, x: ExprId) -> Val {
        let mut operands: SmallVec<[ExprId; 4]> = SmallVec::new();
        let mut at = x;
        while let ExprKind::Binary { op: ast::BinaryOp::Concat, left, right } = self.ast.expr(at).kind {
            if at != x && self.defining_procedure(at).is_some() {
                break;
            }
            operands.push(right);
            at = left;
        }
        operands.push(at);
        operands.reverse();
        let mut parts: SmallVec<[Str; 4]> = SmallVec::new();
        for o in operands {
            let s = self.string(o);
            if let Some(&first) = parts.iter().find(|p| self.rank(p.place) > 0) {
                self.conform(x, first.place, s.place);
            }
            parts.push(s);
        }
        self.concat(&parts).into()
    }
}

/// Constants.
impl Source<'_> {
    fn literal(&mut self, x: ExprId) -> Val {
        let c = self.constant(x);
        self.const_value(&c)
    }

    /// The value of an expression that must be constant.
    pub(crate) fn constant(&mut self, x: ExprId) -> Const {
        const_eval(self.cx.decls, self.scope, x).checked()
    }

    /// A constant as an IR value.
    pub(crate) fn const_value(&mut self, c: &Const) -> Val {
        match c {
            Const::Scalar(s) => self.scalar_value(s),
            Const::Array(a) => {
                let items: Vec<Val> = a.values.iter().map(|s| self.scalar_value(s)).collect();
                if a.ty == Type::Char {
                    let len = self.int8(a.len as i64);
                    return self.char_items(&items, len).into();
                }
                let items: Vec<Expr> = items.into_iter().map(|v| v.e).collect();
                let list = self.b.list(&items);
                Val::plain(self.make(ExprData::Constructor(a.ty, list)))
            }
        }
    }
}

/// Operations.
impl Source<'_> {
    /// With `-fdec-char-conversions`, a constant of characters beside a number is one.
    fn as_number(&mut self, x: ExprId, v: Val, other: Val) -> Val {
        let wanted = self.cx.decls.options.text_numbers && v.len.is_some() && other.len.is_none();
        if !wanted || self.structure_at(other.e).is_some() || !self.cx.decls.is_number_text(self.scope, x) {
            return v;
        }
        let c = self.constant(x);
        let ty = self.ty(other.e);
        match c.scalar().and_then(|s| trueline_sema::constant::math::text_as(s, ty)) {
            Some(number) => self.scalar_value(&number),
            None => v,
        }
    }

    /// Makes sure that two operands have the same rank, or one of them is a scalar.
    pub(crate) fn may_conform(&self, a: Expr, b: Expr) {
        let (m, n) = (self.rank(a), self.rank(b));
        checked_that(m == 0 || n == 0 || m == n);
    }

    fn comparison(&mut self, op: BinaryOp, a: Val, b: Val) -> Val {
        if let (Some(s), Some(t)) = (self.as_str(a), self.as_str(b)) {
            return Val::plain(self.compare_strs(op, s, t));
        }
        let ty = common_type(self.ty(a.e), self.ty(b.e)).filter(|&ty| Category::of(ty).is_numeric());
        let Some(ty) = ty else { refused() };
        if Category::of(ty) == Category::Complex && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            refused();
        }
        let (l, r) = (self.convert(ty, a.e), self.convert(ty, b.e));
        Val::plain(self.make(ExprData::Binary(op, l, r)))
    }

    fn is_whole(&self, e: Expr) -> bool {
        Category::of(self.ty(e)) == Category::Integer
    }

    /// With `-fdec`, logical operators work on the bits of integers.
    fn is_bitwise(&self, e: Expr) -> bool {
        self.cx.decls.options.bitwise && Category::of(self.ty(e)) == Category::Integer
    }

    /// The type of a logical operation on integers, or on one and a logical value.
    fn bits_of(&self, a: Expr, b: Expr) -> Option<Type> {
        let is_value = |e| self.is_bitwise(e) || Category::of(self.ty(e)) == Category::Logical;
        match (self.is_bitwise(a), self.is_bitwise(b)) {
            (true, true) => common_type(self.ty(a), self.ty(b)),
            (true, false) => is_value(b).then(|| self.ty(a)),
            (false, true) => is_value(a).then(|| self.ty(b)),
            (false, false) => None,
        }
    }

    fn logical_op(&mut self, op: BinaryOp, a: Val, b: Val) -> Val {
        if let Some(ty) = self.bits_of(a.e, b.e) {
            let both = [self.convert(ty, a.e), self.convert(ty, b.e)];
            return Val::plain(match op {
                BinaryOp::And => self.intrinsic(Intrinsic::Iand, &both),
                BinaryOp::Or => self.intrinsic(Intrinsic::Ior, &both),
                BinaryOp::Eqv => {
                    let differ = self.intrinsic(Intrinsic::Ieor, &both);
                    self.intrinsic(Intrinsic::Not, &[differ])
                }
                _ => self.intrinsic(Intrinsic::Ieor, &both),
            });
        }
        let both = [a, b].iter().all(|v| Category::of(self.ty(v.e)) == Category::Logical);
        let ty = common_type(self.ty(a.e), self.ty(b.e)).filter(|_| both);
        let Some(ty) = ty else { refused() };
        let (l, r) = (self.convert(ty, a.e), self.convert(ty, b.e));
        let value = self.make(ExprData::Binary(op, l, r));
        let is_question = matches!(op, BinaryOp::And | BinaryOp::Or);
        // The operation has the kind of its operands.
        Val::plain(if is_question { self.convert(ty, value) } else { value })
    }

    /// Ends both arms of the IF around the right operand `b`; the value is that of the whole.
    fn guarded(&mut self, b: Val, cond: Expr, otherwise: trueline_ir::Block, temps: crate::emit::TempScope) -> Expr {
        if self.rank(b.e) > 0 || Category::of(self.ty(b.e)) != Category::Logical {
            return b.e;
        }
        let ty = common_type(self.ty(cond), self.ty(b.e)).unwrap_or(Type::L4);
        let result = self.register("c", ty);
        let value = self.convert(ty, b.e);
        self.e.set(result, value);
        self.close_temps(temps);
        self.enter(otherwise);
        let value = self.convert(ty, cond);
        self.e.set(result, value);
        self.var(result)
    }
}

/// Operations whose operands are checked.
impl Variables<'_> {
    fn arithmetic(&mut self, at: Span, op: BinaryOp, a: Val, b: Val) -> Val {
        let Some(ty) = common_type(self.ty(a.e), self.ty(b.e)) else { refused() };
        if !Category::of(ty).is_numeric() {
            refused();
        }
        let (l, r) = (self.convert(ty, a.e), self.convert(ty, b.e));
        if op == BinaryOp::Div {
            self.check_divisor(at, r);
        }
        self.check_operation(at, op, l, r);
        Val::plain(self.evaluated_binary(op, l, r))
    }
}

/// Questions about the source.
impl Source<'_> {
    /// The expression inside of parentheses.
    pub(crate) fn unparen(&self, mut x: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.ast.expr(x).kind {
            x = inner;
        }
        x
    }

    /// The only positional argument, if that is all there is.
    pub(crate) fn single_arg(&self, args: ast::ArgList) -> Option<(ArgValue, Span)> {
        match self.ast.args(args) {
            [a] if a.keyword.is_none() => Some((a.value, a.span)),
            _ => None,
        }
    }

    /// Makes sure that `e` is a scalar.
    pub(crate) fn must_be_scalar(&self, e: Expr) {
        checked_that(self.rank(e) == 0);
    }

    /// An index of any rank.
    pub(crate) fn as_index(&mut self, e: Expr) -> Expr {
        if Category::of(self.ty(e)) != Category::Real {
            self.must_be(e, Category::Integer);
        }
        self.convert(Type::I8, e)
    }

    /// `v` as characters.
    pub(crate) fn as_str(&self, v: Val) -> Option<Str> {
        v.len.map(|len| Str { place: v.e, len })
    }

    /// Makes sure that `e` is of the category.
    pub(crate) fn must_be(&self, e: Expr, category: Category) {
        checked_that(Category::of(self.ty(e)) == category);
    }
}

impl Emit<'_> {
    /// A scalar constant as an IR value.
    pub(crate) fn scalar_value(&mut self, s: &Scalar) -> Val {
        let data = match s {
            Scalar::Int(ty, v) => ExprData::Int(*ty, *v),
            Scalar::Real(ty, v) => ExprData::real_bits(*ty, v.bits(*ty)),
            Scalar::Complex(ty, re, im) => {
                let part = ty.part();
                let (a, b) = (ExprData::real_bits(part, re.bits(part)), ExprData::real_bits(part, im.bits(part)));
                let (a, b) = (self.make(a), self.make(b));
                return Val::plain(self.complex_of(a, b, part));
            }
            Scalar::Logical(ty, v) => ExprData::Logical(*ty, *v),
            Scalar::Boz(v) => ExprData::Int(Type::I8, *v as i64),
            Scalar::Char(text) => return self.text(text).into(),
        };
        Val::plain(self.make(data))
    }

    /// A complex value of two parts of real type `part`.
    pub(crate) fn complex_of(&mut self, re: Expr, im: Expr, part: Type) -> Expr {
        let (a, b) = (self.convert(part, re), self.convert(part, im));
        match (self.expr(a), self.expr(b)) {
            (ExprData::Real(_, x), ExprData::Real(_, y)) => {
                let ty = Intrinsic::Cmplx.result(part);
                self.make(ExprData::Complex(ty, x, y))
            }
            _ => self.intrinsic(Intrinsic::Cmplx, &[a, b]),
        }
    }
}
