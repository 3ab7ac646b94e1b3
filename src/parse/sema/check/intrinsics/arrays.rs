//! Transformational functions: arrays, DIM and masks.

use super::{Call, Found};
use crate::check::conformity::{conform, different_extents, too_few_elements};
use crate::constant::eval::const_eval;
use crate::typed::Typed;
use crate::types::kinds::{Category, common_type, type_name};
use trueline_ir::Intrinsic as Ir;
use trueline_syntax::ast::ExprId;

impl Call<'_, '_, '_> {
    /// The type of an argument that must be an array.
    fn array(&mut self, k: usize) -> Found<Typed> {
        let (x, t) = self.needed(k)?;
        if t.rank() == 0 {
            let message = format!("The argument '{}' of '{}' must be an array", self.row.args[k].name, self.row.name);
            return self.error_at("T0559", x, message);
        }
        Ok(t)
    }

    /// An error unless `x`, if it is there, is an integer, and from 1 to `rank` if it is constant.
    fn dim(&mut self, x: Option<ExprId>, rank: usize) -> Found<()> {
        let Some(x) = x else { return Ok(()) };
        self.site.must_be_integer(x)?;
        match self.site.typing.integer(x) {
            Some(d) if !(1..=rank as i64).contains(&d) => {
                let message = format!("DIM of '{}' is {d}, but the array has rank {rank}", self.row.name);
                self.error_at("T0560", x, message)
            }
            _ => Ok(()),
        }
    }

    /// An error unless a mask conforms to the array.
    fn masked(&self, array: &Typed, mask: Option<&Typed>) -> Found<()> {
        let (Some(mask), Some(x)) = (mask, self.argument(0)) else { return Ok(()) };
        Ok(conform(self.site.ast.span(x), array, mask, &format!(" in '{}'", self.row.name))?)
    }

    /// SUM and its like; the second argument may be DIM or MASK.
    pub(super) fn reduction(&mut self) -> Found<()> {
        let array = self.array(0)?;
        let mut mask = self.actual(2)?;
        let mut dim = self.argument(1);
        if let Some(x) = dim {
            let second = self.typed(x)?;
            self.site.must_be_plain(x, &second)?;
            if Category::of(second.ty) == Category::Logical {
                if mask.is_some() {
                    return self.error_at("T0561", x, "DIM is LOGICAL");
                }
                mask = Some(second);
                dim = None;
            }
        }
        self.dim(dim, array.rank())?;
        self.masked(&array, mask.as_ref())?;
        if let Some(back) = self.argument(4) {
            self.site.must_be_condition(back)?;
        }
        self.kind(3, Category::Integer)
    }

    pub(super) fn findloc(&mut self) -> Found<()> {
        let array = self.array(0)?;
        let (value_x, value) = self.needed(1)?;
        self.site.must_be_scalar(value_x, &value)?;
        let is_logical = |t: &Typed| Category::of(t.ty) == Category::Logical;
        if common_type(array.ty, value.ty).is_none() && !(is_logical(&array) && is_logical(&value)) {
            let (wanted, of) = (type_name(value.ty), type_name(array.ty));
            return self.error("T0558", format!("'findloc' looks for {wanted} among {of}"));
        }
        let mut dim = self.argument(2);
        let mut mask = self.actual(3)?;
        if let Some(x) = dim {
            let second = self.typed(x)?;
            if is_logical(&second) {
                mask = Some(second);
                dim = None;
            }
        }
        self.dim(dim, array.rank())?;
        if let Some(back) = self.argument(5) {
            self.site.must_be_condition(back)?;
        }
        self.masked(&array, mask.as_ref())?;
        self.kind(4, Category::Integer)
    }

    pub(super) fn transformational(&mut self, x: ExprId, ir: Ir) -> Found<()> {
        if ir == Ir::Norm2 && const_eval(self.site.decls, self.site.typing.scope, x).is_ok() {
            return Ok(());
        }
        let array = match ir {
            Ir::Spread => self.needed(0)?.1,
            _ => self.array(0)?,
        };
        let rank = array.rank();
        match ir {
            Ir::Count | Ir::Any | Ir::All | Ir::Parity | Ir::Norm2 => {
                self.dim(self.argument(1), rank)?;
                if ir == Ir::Count { self.kind(2, Category::Integer) } else { Ok(()) }
            }
            Ir::DotProduct | Ir::Matmul => self.product(ir, &array),
            Ir::Transpose if rank != 2 => {
                self.error("T0562", format!("The argument of 'transpose' has rank {rank}, not 2"))
            }
            Ir::Cshift | Ir::Eoshift => {
                let boundary = if ir == Ir::Eoshift { self.actual(2)? } else { None };
                self.needed(1)?;
                self.dim(self.argument(self.row.args.len() - 1), rank)?;
                boundary.map_or(Ok(()), |b| self.agree_in_type(&array, &b))
            }
            Ir::Reshape => self.reshape(&array),
            Ir::Spread => {
                self.dim(self.argument(1), rank + 1)?;
                self.needed(2).map(|_| ())
            }
            Ir::Pack => {
                if let Some(vector) = self.actual(2)? {
                    self.agree_in_type(&array, &vector)?;
                }
                let (_, mask) = self.needed(1)?;
                Ok(conform(self.span, &array, &mask, "")?)
            }
            Ir::Unpack => {
                let (_, field) = self.needed(2)?;
                let (_, mask) = self.needed(1)?;
                self.agree_in_type(&array, &field)?;
                Ok(conform(self.span, &mask, &field, "")?)
            }
            _ => Ok(()),
        }
    }

    fn product(&mut self, ir: Ir, a: &Typed) -> Found<()> {
        let b = self.array(1)?;
        let (m, n) = (a.rank(), b.rank());
        let name = self.row.name;
        let fits = match ir {
            Ir::DotProduct => m == 1 && n == 1,
            _ => matches!((m, n), (2, 2) | (2, 1) | (1, 2)),
        };
        if !fits {
            return self.error("T0562", format!("The arguments of '{name}' have ranks {m} and {n}"));
        }
        if let (Some(p), Some(q)) = (a.extents[m - 1], b.extents[0])
            && p != q
        {
            return Err(Some(different_extents(self.span, name, p, q)));
        }
        if common_type(a.ty, b.ty).is_none() {
            let (a, b) = (type_name(a.ty), type_name(b.ty));
            return self.error("T0558", format!("The arguments of '{name}' are {a} and {b}"));
        }
        Ok(())
    }

    /// RESHAPE; its shape must be known in length, its elements need not be.
    fn reshape(&mut self, array: &Typed) -> Found<()> {
        if let Some(pad) = self.actual(2)? {
            self.agree_in_type(array, &pad)?;
        }
        let shape = self.argument(1).ok_or(None)?;
        let total = match const_eval(self.site.decls, self.site.typing.scope, shape) {
            Ok(c) => c.elements().iter().filter_map(|s| s.as_int()).try_fold(1i64, i64::checked_mul),
            Err(_) => {
                let (_, t) = self.needed(1)?;
                if !matches!(t.extents[..], [Some(_)]) {
                    let message = "The shape in 'reshape' must be a rank-one array of constant size";
                    return self.error_at("T0564", shape, message);
                }
                None
            }
        };
        let have = array.extents.iter().try_fold(1i64, |n, e| n.checked_mul((*e)?));
        if let (Some(want), Some(have), None) = (total, have, self.argument(2))
            && have < want
        {
            return Err(Some(too_few_elements(self.span, want, have)));
        }
        if let Some(order) = self.argument(3)
            && const_eval(self.site.decls, self.site.typing.scope, order).is_err()
        {
            self.actual(3)?;
        }
        Ok(())
    }
}
