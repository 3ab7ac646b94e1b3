//! Types, kinds, character lengths and array bounds of declarations.

use crate::constant::eval::{Unfolded, const_eval, no_such_kind};
use crate::declare::Declare;
use crate::scope::symbol::{Bounds, Extent};
use crate::scope::{Declarations, ScopeId};
use crate::types::kinds::Category;
use trueline_diag::Span;
use trueline_ir::Type;
use trueline_syntax::ast::{BaseType, CharLen, Dim, DimBound, ExprId, KindSelector, TypeSpec};

impl Declarations<'_> {
    /// The type of a type specification whose kind and length must be constant, as in an array
    /// constructor; no length when it is left to the elements.
    pub fn constant_type(&self, scope: ScopeId, spec: &TypeSpec) -> Result<(Type, Option<usize>), Unfolded> {
        let ty = self.base_type(scope, spec)?;
        let len = match spec.len {
            Some(CharLen::Expr(x)) => {
                let v = const_eval(self, scope, x)?.as_int();
                let v = v.ok_or_else(|| Unfolded::invalid(spec.span, "A character length must be a scalar INTEGER"))?;
                Some(usize::try_from(v).unwrap_or(0))
            }
            Some(CharLen::Star | CharLen::Deferred) => None,
            None => match self.structure_of(scope, spec) {
                Some(id) => Some(self.structures[id].size as usize),
                None => (ty == Type::Char).then_some(1),
            },
        };
        Ok((ty, len))
    }

    /// The type of a type specification, its length left aside.
    fn base_type(&self, scope: ScopeId, spec: &TypeSpec) -> Result<Type, Unfolded> {
        let (category, default) = match spec.base {
            BaseType::Integer => (Category::Integer, self.options.default_integer()),
            BaseType::Real => (Category::Real, self.options.default_real()),
            BaseType::DoublePrecision => return Ok(self.options.default_double()),
            BaseType::Complex => (Category::Complex, self.options.default_complex()),
            BaseType::DoubleComplex => return Ok(self.options.double_complex()),
            BaseType::Logical => (Category::Logical, self.options.default_logical()),
            BaseType::Character => (Category::Character, Type::Char),
            // Only the address of a dummy argument of any type is known.
            BaseType::Byte | BaseType::Assumed => return Ok(Type::I1),
            BaseType::Derived(name) => {
                let text = self.ast(scope).name(name.name);
                let unknown = || Unfolded::invalid(spec.span, format!("There is no derived type '{text}'"));
                return self.structure_of(scope, spec).map(|_| Type::Char).ok_or_else(unknown);
            }
        };
        let kind = match spec.kind {
            None => return Ok(default),
            // COMPLEX*16 counts the bytes of both parts.
            Some(KindSelector::Star(n)) if category == Category::Complex => i64::from(n / 2),
            Some(KindSelector::Star(n)) => i64::from(n),
            Some(KindSelector::Expr(x)) => {
                let v = const_eval(self, scope, x)?;
                v.as_int().ok_or_else(|| Unfolded::invalid(spec.span, "A kind must be a scalar INTEGER constant"))?
            }
        };
        let wrong = || match spec.kind {
            Some(KindSelector::Star(n)) if category == Category::Complex => {
                format!("There is no COMPLEX*{n}; COMPLEX*8, COMPLEX*16 and COMPLEX*32 are its kinds 4, 8 and 16")
            }
            _ => no_such_kind(category, kind),
        };
        let odd = matches!(spec.kind, Some(KindSelector::Star(n)) if category == Category::Complex && n % 2 == 1);
        let ty = category.with_kind(kind).filter(|_| !odd).map(|ty| self.options.kind_of(ty));
        ty.ok_or_else(|| Unfolded::invalid(spec.span, wrong()))
    }
}

impl Declare<'_, '_> {
    /// The type and character length of a type specification; `None` after a diagnostic.
    pub fn type_spec(&mut self, scope: ScopeId, spec: &TypeSpec) -> Option<(Type, Extent)> {
        let ty = match self.decls.base_type(scope, spec) {
            Ok(ty) => ty,
            Err(why) => {
                self.unfolded(&why, "The kind of a type");
                return None;
            }
        };
        let len = match spec.len {
            Some(len) if ty == Type::Char => self.length(scope, len),
            _ => match self.decls.structure_of(scope, spec) {
                Some(id) => Extent::Known(self.decls.structures[id].size),
                None => Extent::Known(1),
            },
        };
        Some((ty, len))
    }

    /// A character length.
    pub fn length(&mut self, scope: ScopeId, len: CharLen) -> Extent {
        match len {
            CharLen::Expr(x) => match self.extent(scope, x, "A character length") {
                Extent::Known(v) => Extent::Known(v.max(0)),
                other => other,
            },
            CharLen::Star => Extent::Assumed,
            CharLen::Deferred => Extent::Deferred,
        }
    }

    /// A bound or length: known now, or evaluated at entry.
    fn extent(&mut self, scope: ScopeId, x: ExprId, what: &str) -> Extent {
        match const_eval(&self.decls, scope, x) {
            Ok(v) => match v.as_int() {
                Some(v) => Extent::Known(v),
                None => {
                    self.error("T0303", self.ast(scope).span(x), format!("{what} must be a scalar INTEGER"));
                    Extent::Known(1)
                }
            },
            Err(why) if why.is_runtime() => Extent::Entry(x),
            Err(why) => {
                self.unfolded(&why, what);
                Extent::Known(1)
            }
        }
    }

    /// The dimensions of a declared array.
    pub fn shape(&mut self, scope: ScopeId, name: &str, dims: &[Dim]) -> Vec<Bounds> {
        let last = dims.len().saturating_sub(1);
        let mut shape = Vec::with_capacity(dims.len());
        if dims.len() > 15 {
            self.error("T0220", dims[15].span, format!("'{name}' has {} dimensions, but 15 is the most", dims.len()));
        }
        for (k, dim) in dims.iter().take(15).enumerate() {
            let lower = dim.lo.map_or(Extent::Known(1), |x| self.extent(scope, x, "A bound"));
            let upper = match dim.hi {
                DimBound::Expr(x) => self.extent(scope, x, "A bound"),
                DimBound::Deferred => Extent::Deferred,
                DimBound::Star => {
                    // `(*, *)` takes the shape of the value of a named constant.
                    let implied = dims.iter().all(|d| matches!(d.hi, DimBound::Star));
                    if k != last && !implied {
                        self.error("T0221", dim.span, format!("Only the last dimension of '{name}' may be '*'"));
                    }
                    Extent::Assumed
                }
            };
            shape.push(self.bounds_in_range(lower, upper, dim.span));
        }
        let deferred = shape.iter().filter(|b| b.upper == Extent::Deferred).count();
        if deferred != 0 && deferred != shape.len() {
            self.error("T0222", dims[0].span, format!("Either all dimensions of '{name}' are ':' or none is"));
            return vec![Bounds::known(1, 1); shape.len()];
        }
        shape
    }

    /// Bounds whose extent is a number that the machine can address.
    fn bounds_in_range(&mut self, lower: Extent, upper: Extent, span: Span) -> Bounds {
        let bounds = Bounds { lower, upper };
        if let (Some(lo), Some(hi)) = (lower.known(), upper.known()) {
            let size = i128::from(hi) - i128::from(lo) + 1;
            if size > 1 << 40 || lo.unsigned_abs() > 1 << 60 || hi.unsigned_abs() > 1 << 60 {
                self.error("T0223", span, "The dimension is too large");
                return Bounds::known(1, 1);
            }
        }
        bounds
    }
}
