//! Types of intrinsic functions, by the rules of the table.

use crate::constant::eval::const_eval;
use crate::intrinsic::library::{Gives, Library, Pass};
use crate::intrinsic::{Actuals, Ieee, Inquiry, Intrinsic as Row, Rule, Special};
use crate::scope::symbol::{ProcedureClass, SymbolKind};
use crate::typed::operation::joined;
use crate::typed::{Extents, Typed, Typing};
use crate::types::kinds::{Category, common_type};
use smallvec::{SmallVec, smallvec};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Intrinsic as Ir, Type};
use trueline_syntax::ast::{ArgList, ArgValue, ExprId, ExprKind};

/// Arguments of an elemental function.
type Operands = SmallVec<[Typed; 4]>;

impl Typing<'_, '_> {
    /// A call of an intrinsic function.
    pub(super) fn intrinsic(&mut self, row: &'static Row, args: ArgList, span: Span) -> Option<Typed> {
        if row.is_subroutine() {
            return None;
        }
        let args = self.actuals(row, args, span).ok()?;
        let mut t = match row.rule {
            Rule::Special(s) => self.special(row, s, &args),
            Rule::Library(library) => self.library(row, library, &args),
            Rule::Model(m) => {
                let of = self.actual(row, &args, 0)?;
                Some(Typed::scalar(crate::constant::math::model(m, of.ty)?.ty()))
            }
            Rule::Inquiry(i) => self.inquiry(i, &args),
            Rule::Reduce(ir) => self.reduction(row, ir, &args),
            Rule::Array(ir) => self.transformational(row, ir, &args),
            _ => self.elemental(row, &args),
        }?;
        let has_kind = || row.args.iter().zip(&args).any(|(a, x)| a.name == "kind" && x.is_some());
        if t.ty == Type::I4 && row.gives_default_integer() && !has_kind() {
            t.ty = self.decls.options.default_integer();
        }
        Some(t)
    }

    /// The row of the intrinsic function that `base(args)` calls, if it calls one.
    pub fn called_intrinsic(&mut self, base: ExprId, args: ArgList) -> Option<&'static Row> {
        let ast = self.ast;
        let ExprKind::Name(name) = ast.expr(base).kind else { return None };
        let Some(id) = self.resolve(name) else { return crate::intrinsic::visible(ast.name(name)) };
        let s = self.symbol(id);
        let is_intrinsic = match &s.kind {
            SymbolKind::Procedure(p) => p.class == ProcedureClass::Intrinsic,
            SymbolKind::Generic(_) => self.specific(id, ast.args(args))?.is_none(),
            _ => false,
        };
        if is_intrinsic { crate::intrinsic::lookup(&s.name) } else { None }
    }

    /// The actual arguments in the order of the row.
    pub fn actuals(&self, row: &Row, args: ArgList, span: Span) -> Result<Actuals, Diagnostic> {
        let mut out: Actuals = row.args.iter().map(|_| None).collect();
        let mut next = 0;
        for a in self.ast.args(args) {
            let ArgValue::Expr(x) = a.value else {
                let message = format!("This is not an argument of '{}'", row.name);
                return Err(Diagnostic::error("T0551", a.span, message));
            };
            let at = match a.keyword {
                None => {
                    next += 1;
                    next - 1
                }
                Some(k) => {
                    let text = self.ast.name(k.name);
                    row.position(text, args.len()).ok_or_else(|| {
                        let message = format!("'{}' has no argument '{text}'", row.name);
                        Diagnostic::error("T0552", k.span, message)
                    })?
                }
            };
            match out.get(at) {
                Some(None) => out[at] = Some(x),
                None if row.variadic => out.push(Some(x)),
                None => {
                    let message = format!("'{}' has at most {} arguments", row.name, row.args.len());
                    return Err(Diagnostic::error("T0553", a.span, message));
                }
                Some(Some(_)) => {
                    let message = format!("The argument '{}' is given twice", row.args[at].name);
                    return Err(Diagnostic::error("T0554", a.span, message));
                }
            }
        }
        let missing = row.args.iter().zip(&out).find(|(arg, x)| !arg.optional && x.is_none());
        let Some((arg, _)) = missing else { return Ok(out) };
        let message = format!("The argument '{}' of '{}' is missing", arg.name, row.name);
        let d = Diagnostic::error("T0555", span, message);
        Err(d.note(format!("'{}' has {} required argument(s)", row.name, row.required())))
    }

    /// Whether the row accepts an argument at `k` of type `t`.
    pub fn accepts(&self, row: &Row, k: usize, t: &Typed) -> bool {
        let class = row.args[k.min(row.args.len() - 1)].class;
        let specific = class.single().is_some_and(|only| self.decls.options.specific(only) == t.ty);
        class.accepts(t.ty) || specific
    }

    /// The argument at `k`, of a type that the row accepts.
    fn actual(&mut self, row: &Row, args: &Actuals, k: usize) -> Option<Typed> {
        let t = self.of(args.get(k).copied().flatten()?)?;
        self.accepts(row, k, &t).then_some(t)
    }

    /// All arguments that are there.
    fn operands(&mut self, row: &Row, args: &Actuals, count: usize) -> Option<Operands> {
        let there = (0..count.min(args.len())).filter(|&k| args[k].is_some());
        there.map(|k| self.actual(row, args, k)).collect()
    }

    /// The type that a KIND argument gives, or `default`.
    fn kind(&self, x: Option<ExprId>, category: Category, default: Type) -> Option<Type> {
        match x {
            Some(x) => category.with_kind(const_eval(self.decls, self.scope, x).ok()?.as_int()?),
            None if default == Type::I4 => Some(self.decls.options.default_integer()),
            None => Some(default),
        }
    }

    /// The integer type that the KIND argument at `k` gives.
    fn integer_kind(&self, args: &Actuals, k: usize) -> Option<Type> {
        self.kind(args.get(k).copied().flatten(), Category::Integer, Type::I4)
    }

    /// Whether an expression is a BOZ constant.
    pub fn is_boz(&self, mut x: ExprId) -> bool {
        while let ExprKind::Paren(inner) = self.ast.expr(x).kind {
            x = inner;
        }
        matches!(self.ast.expr(x).kind, ExprKind::Boz { .. })
    }

    /// BOZ constants take the type of their neighbour, if that is an integer.
    pub fn bring_boz(&self, args: &Actuals, values: &mut [Typed]) {
        let boz: SmallVec<[bool; 4]> = args.iter().flatten().map(|&x| self.is_boz(x)).collect();
        let other = values.iter().zip(&boz).find(|(_, is_boz)| !**is_boz).map(|(v, _)| v.ty);
        let Some(ty) = other.filter(|&ty| Category::of(ty) == Category::Integer) else { return };
        values.iter_mut().zip(boz).filter(|(_, is_boz)| *is_boz).for_each(|(v, _)| v.ty = ty);
    }

    fn elemental(&mut self, row: &Row, args: &Actuals) -> Option<Typed> {
        let has_kind = matches!(row.rule, Rule::Convert(_) | Rule::Round(..) | Rule::Whole(_));
        let count = if has_kind { 1 } else { args.len() };
        let kind = args.get(1).copied().flatten().filter(|_| has_kind);
        let mut values = self.operands(row, args, count)?;
        self.bring_boz(args, &mut values);
        let options = self.decls.options;
        let ty = match row.rule {
            Rule::Op(ir) => ir.result(common(&values)?),
            Rule::OpWith(ir, _) => ir.result(values.first()?.ty),
            Rule::Fold(_, result) => {
                let ty = common(&values)?;
                result.map_or(ty, |ty| options.extreme(ty))
            }
            Rule::Convert(ty) => self.kind(kind, Category::of(ty), options.specific(ty))?,
            Rule::Round(..) => self.kind(kind, Category::Integer, Type::I4)?,
            Rule::Whole(_) => self.kind(kind, Category::Real, values.first()?.ty)?,
            _ => return None,
        };
        let len = values.iter().map(|v| v.len).reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b))).flatten();
        Some(Typed { len, ..Typed::of(ty, joined(values.iter())?) })
    }

    fn special(&mut self, row: &Row, s: Special, args: &Actuals) -> Option<Typed> {
        let options = self.decls.options;
        match s {
            Special::Transfer => return self.transfer(args),
            Special::Findloc => return self.findloc(row, args),
            Special::SelectedKind | Special::CommandArgumentCount | Special::Processors | Special::MyProcessor => {
                return Some(Typed::scalar(Type::I4));
            }
            Special::ProcessorsShape => return Some(Typed::scalar(Type::I4).with_rank(1)),
            Special::CompilerVersion | Special::CompilerOptions | Special::NewLine => {
                return Some(Typed::scalar(Type::Char));
            }
            Special::Ieee(Ieee::Support) => return Some(Typed::scalar(Type::L4)),
            Special::Merge => return self.merge(row, args),
            _ => {}
        }
        let count = match s {
            Special::Cmplx(_) => 2,
            Special::RealPart | Special::Mask { .. } | Special::Achar | Special::Ichar | Special::LenTrim => 1,
            Special::Index | Special::Scan | Special::Verify => 3,
            _ => args.len(),
        };
        let mut values = self.operands(row, args, count)?;
        let first = values.first()?.clone();
        let ty = match s {
            Special::Cmplx(default) => {
                self.kind(args.get(2).copied().flatten(), Category::Complex, options.specific(default))?
            }
            Special::Complex => {
                let parts = values.iter().map(|v| v.ty).filter(|ty| ty.is_real());
                Ir::Cmplx.result(parts.max_by_key(|ty| ty.size()).unwrap_or(options.default_real()))
            }
            Special::RealPart => {
                let default = match first.ty {
                    ty @ (Type::C8 | Type::C16) => ty.part(),
                    _ => options.default_real(),
                };
                self.kind(args.get(1).copied().flatten(), Category::Real, default)?
            }
            Special::Dprod => options.default_double(),
            Special::Shift(_) | Special::Ishftc | Special::ErfcScaled => first.ty,
            Special::Ieee(Ieee::CopySign | Ieee::NextAfter) => first.ty,
            Special::MergeBits | Special::Atan => common(&values)?,
            Special::DoubleShift { .. } => common(values.get(..2)?)?,
            Special::Bitwise(_) => {
                self.bring_boz(args, &mut values);
                common(&values)?
            }
            Special::Bessel(_) if args.get(2).copied().flatten().is_some() => {
                return Some(Typed::scalar(values.get(2)?.ty).with_rank(1));
            }
            Special::Bessel(_) => values.get(1)?.ty,
            Special::Poppar => Type::I4,
            Special::BitCompare(_) | Special::LexCompare(_) | Special::IsCode(_) | Special::Ieee(_) => Type::L4,
            Special::Mask { .. } | Special::Ichar | Special::LenTrim => self.integer_kind(args, 1)?,
            Special::Index | Special::Scan | Special::Verify => self.integer_kind(args, 3)?,
            Special::Achar => return Some(Typed { len: Some(1), ..Typed::of(Type::Char, first.extents) }),
            Special::Adjust { .. } => return Some(Typed { callee: None, ..first }),
            Special::Trim | Special::Repeat => return Some(Typed::scalar(Type::Char)),
            _ => return None,
        };
        Some(Typed::of(ty, joined(values.iter())?))
    }

    fn merge(&mut self, row: &Row, args: &Actuals) -> Option<Typed> {
        let values = self.operands(row, args, args.len())?;
        let extents = joined(values.iter())?;
        let (a, b) = (values.first()?, values.get(1)?);
        let same = match (a.structure, b.structure) {
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let ty = common(&values[..2]).filter(|_| same)?;
        Some(Typed { structure: a.structure, len: a.len.or(b.len), ..Typed::of(ty, extents) })
    }

    /// TRANSFER: a scalar of the type of the mold, or as many as there are bytes for.
    fn transfer(&mut self, args: &Actuals) -> Option<Typed> {
        self.of(args[0]?)?;
        let mold = self.of(args[1]?)?;
        let rank = usize::from(mold.rank() > 0 || args[2].is_some());
        Some(Typed { callee: None, ..mold }.with_rank(rank))
    }

    fn library(&mut self, row: &Row, library: Library, args: &Actuals) -> Option<Typed> {
        if library.is_elemental() {
            let values = self.operands(row, args, args.len())?;
            let deciding = library.passes.iter().position(|p| *p == Pass::Real);
            let ty = deciding.and_then(|k| values.get(k)).map_or(Type::R8, |v| v.ty);
            return Some(Typed::of(ty, joined(values.iter())?));
        }
        match library.gives {
            Gives::Nothing => None,
            Gives::Number(ty) => Some(Typed::scalar(ty)),
            Gives::Text(len) => Some(Typed { len: Some(len), ..Typed::scalar(Type::Char) }),
            Gives::Real => {
                let deciding = library.passes.iter().zip(args).find(|(pass, x)| **pass == Pass::Real && x.is_some());
                match deciding {
                    Some((_, x)) => Some(Typed::scalar(self.of((*x)?)?.ty)),
                    None => Some(Typed::scalar(Type::R4)),
                }
            }
        }
    }

    fn inquiry(&mut self, i: Inquiry, args: &Actuals) -> Option<Typed> {
        // One element for each dimension.
        let rank = args.first().copied().flatten().and_then(|x| self.of(x)).map(|t| t.rank() as i64);
        let vector = |t: Type| Typed { extents: smallvec![rank], ..Typed::scalar(t) };
        Some(match i {
            Inquiry::Null => return None,
            Inquiry::Allocated
            | Inquiry::Associated
            | Inquiry::Present
            | Inquiry::IsContiguous
            | Inquiry::CAssociated => Typed::scalar(Type::L4),
            Inquiry::SizeOf | Inquiry::CSizeOf => Typed::scalar(Type::I8),
            Inquiry::CLoc | Inquiry::CFunLoc => {
                let (data, code) = self.decls.c_types?;
                let structure = Some(if i == Inquiry::CLoc { data } else { code });
                Typed { structure, ..Typed::scalar(Type::Char) }
            }
            Inquiry::Rank => Typed::scalar(Type::I4),
            Inquiry::Len | Inquiry::StorageSize => Typed::scalar(self.integer_kind(args, 1)?),
            Inquiry::Size => Typed::scalar(self.integer_kind(args, 2)?),
            Inquiry::Shape => vector(self.integer_kind(args, 1)?),
            Inquiry::Lbound | Inquiry::Ubound => {
                let ty = self.integer_kind(args, 2)?;
                if args[1].is_some() { Typed::scalar(ty) } else { vector(ty) }
            }
        })
    }

    /// Whether the argument at `k` is a DIM, not a mask in its place.
    fn has_dim(&mut self, args: &Actuals, k: usize) -> Option<bool> {
        let Some(x) = args[k] else { return Some(false) };
        Some(Category::of(self.of(x)?.ty) != Category::Logical)
    }

    fn array(&mut self, row: &Row, args: &Actuals) -> Option<Typed> {
        self.actual(row, args, 0).filter(|t| t.rank() > 0)
    }

    fn reduction(&mut self, row: &Row, ir: Ir, args: &Actuals) -> Option<Typed> {
        let array = self.array(row, args)?;
        let is_position = matches!(ir, Ir::Maxloc | Ir::Minloc);
        let rank = match self.has_dim(args, 1)? {
            true => array.rank() - 1,
            false => usize::from(is_position),
        };
        let default = ir.result(array.ty);
        if array.ty == Type::Char && !is_position {
            return Some(Typed { callee: None, ..array }.with_rank(rank));
        }
        let ty = self.kind(args.get(3).copied().flatten(), Category::Integer, default)?;
        Some(Typed::scalar(ty).with_rank(rank))
    }

    fn findloc(&mut self, row: &Row, args: &Actuals) -> Option<Typed> {
        let array = self.array(row, args)?;
        let rank = if self.has_dim(args, 2)? { array.rank() - 1 } else { 1 };
        Some(Typed::scalar(self.integer_kind(args, 4)?).with_rank(rank))
    }

    fn transformational(&mut self, row: &Row, ir: Ir, args: &Actuals) -> Option<Typed> {
        let array = match ir {
            Ir::Spread => self.actual(row, args, 0)?,
            _ => self.array(row, args)?,
        };
        let array = Typed { callee: None, ..array };
        let rank = array.rank();
        match ir {
            Ir::Count | Ir::Any | Ir::All | Ir::Parity | Ir::Norm2 => {
                let ty = match ir {
                    Ir::Count => self.integer_kind(args, 2)?,
                    _ => ir.result(array.ty),
                };
                let rank = if args[1].is_some() { rank - 1 } else { 0 };
                Some(Typed::scalar(ty).with_rank(rank))
            }
            Ir::DotProduct | Ir::Matmul => self.product(row, ir, &array, args),
            Ir::Transpose if rank != 2 => None,
            Ir::Transpose => {
                let extents: Extents = array.extents.iter().rev().copied().collect();
                Some(Typed { extents, ..array })
            }
            Ir::Spread => Some(array.with_rank(rank + 1)),
            Ir::Reshape => {
                let extents = self.reshaped(args[1]?)?;
                Some(Typed { extents, ..array })
            }
            Ir::Pack => Some(array.with_rank(1)),
            Ir::Unpack => {
                let mask = self.actual(row, args, 1)?;
                Some(Typed { extents: mask.extents, ..array })
            }
            _ => Some(array),
        }
    }

    fn product(&mut self, row: &Row, ir: Ir, a: &Typed, args: &Actuals) -> Option<Typed> {
        let b = self.actual(row, args, 1)?;
        let extents: Extents = match (ir, a.rank(), b.rank()) {
            (Ir::DotProduct, 1, 1) => Extents::new(),
            (Ir::Matmul, 2, 2) => smallvec![a.extents[0], b.extents[1]],
            (Ir::Matmul, 2, 1) => smallvec![a.extents[0]],
            (Ir::Matmul, 1, 2) => smallvec![b.extents[1]],
            _ => return None,
        };
        Some(Typed::of(common_type(a.ty, b.ty)?, extents))
    }

    /// The extents that the SHAPE of RESHAPE gives.
    fn reshaped(&mut self, shape: ExprId) -> Option<Extents> {
        if let Ok(c) = const_eval(self.decls, self.scope, shape) {
            return Some(c.elements().iter().map(|s| s.as_int().map(|n| n.max(0))).collect());
        }
        let t = self.of(shape)?;
        let &[Some(rank)] = &t.extents[..] else { return None };
        Some(smallvec![None; usize::try_from(rank).ok().filter(|&rank| rank <= 15)?])
    }
}

/// The type that arguments which must agree have; kinds may differ.
fn common(values: &[Typed]) -> Option<Type> {
    let category = Category::of(values.first()?.ty);
    let all = values.iter().all(|v| Category::of(v.ty) == category);
    values.iter().map(|v| v.ty).try_fold(values.first()?.ty, common_type).filter(|_| all)
}
