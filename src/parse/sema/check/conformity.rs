//! Values where they stand: scalars, values of a category, indices, and shapes that conform.
//!
//! Nothing is said of an expression without a type: it is wrong in itself.

use crate::check::Checked;
use crate::typed::Typed;
use crate::typed::call::Site;
use crate::types::kinds::{Category, type_name};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::ExprId;

/// The first dimension, counted from 1, in which two arrays of one rank have different constant extents, and both extents.
pub fn mismatch(a: &Typed, b: &Typed) -> Option<(usize, i64, i64)> {
    a.extents.iter().zip(&b.extents).enumerate().find_map(|(k, (&m, &n))| {
        let (m, n) = (m?, n?);
        (m != n).then_some((k + 1, m, n))
    })
}

/// An error unless two operands can be combined: equal shapes, or one of them a scalar. `place` names the function, for arguments.
pub fn conform(span: Span, a: &Typed, b: &Typed, place: &str) -> Checked {
    let (m, n) = (a.rank(), b.rank());
    if m == 0 || n == 0 {
        return Ok(());
    }
    if m != n {
        let message = format!("Arrays of rank {m} and rank {n} do not conform{place}");
        return Err(Diagnostic::error("T0510", span, message));
    }
    match mismatch(a, b) {
        None => Ok(()),
        Some(found) => Err(different_shapes(span, found, place)),
    }
}

/// The error that operands or arguments differ in the number of elements on a dimension.
pub fn different_shapes(span: Span, (dim, p, q): (usize, i64, i64), place: &str) -> Diagnostic {
    let message = format!("Different shapes on dimension {dim}{place}: {p} and {q} elements");
    Diagnostic::error("T0511", span, message)
}

/// The same of both sides of an assignment, which stand at these places.
pub fn different_sides((to, from): (Span, Span), (dim, p, q): (usize, i64, i64)) -> Diagnostic {
    let message = format!("Different shapes on dimension {dim} of an assignment: {p} and {q} elements");
    Diagnostic::error("T0601", from, message).because(to, format!("{p} elements"))
}

/// The error that a mask and the array that is assigned under it differ in the number of elements on a dimension.
pub fn different_mask(span: Span, (dim, p, q): (usize, i64, i64)) -> Diagnostic {
    let message = format!("The mask has {p} elements on dimension {dim}, what is assigned {q}");
    Diagnostic::error("T0631", span, message)
}

/// The error that the extents of the arguments of a product differ where they have to be the same.
pub fn different_extents(span: Span, name: &str, p: i64, q: i64) -> Diagnostic {
    Diagnostic::error("T0563", span, format!("The extents {p} and {q} in '{name}' differ"))
}

/// The error that a RESHAPE has too few elements.
pub fn too_few_elements(span: Span, want: i64, have: i64) -> Diagnostic {
    Diagnostic::error("T0565", span, format!("RESHAPE needs {want} elements, the source has {have}"))
}

/// An error unless a value of this rank is a scalar.
pub fn scalar(span: Span, rank: usize) -> Checked {
    if rank == 0 {
        return Ok(());
    }
    let message = format!("A scalar is needed here, not an array of rank {rank}");
    Err(Diagnostic::error("T0505", span, message))
}

fn article(category: Category) -> String {
    let a = if category == Category::Integer { "An" } else { "A" };
    format!("{a} {} value", category.keyword())
}

impl Site<'_, '_> {
    /// An error if a value of type `t` is a CHARACTER or a structure.
    pub fn must_be_plain(&self, x: ExprId, t: &Typed) -> Checked {
        let message = match t.structure {
            Some(_) => format!("A value of {} cannot stand here", self.type_words(t.ty, t.structure)),
            None if t.ty == Type::Char => "A CHARACTER value cannot stand here".to_owned(),
            None => return Ok(()),
        };
        Err(Diagnostic::error("T0504", self.ast.span(x), message))
    }

    /// An error unless it is a scalar.
    pub fn must_be_scalar(&self, x: ExprId, t: &Typed) -> Checked {
        scalar(self.ast.span(x), t.rank())
    }

    /// An error unless it is of the category.
    pub fn must_be(&self, x: ExprId, t: &Typed, category: Category) -> Checked {
        if Category::of(t.ty) == category {
            return Ok(());
        }
        let message = format!("{} is needed here, not {}", article(category), type_name(t.ty));
        Err(Diagnostic::error("T0507", self.ast.span(x), message))
    }

    /// An error unless `x` is a scalar integer.
    pub fn must_be_integer(&mut self, x: ExprId) -> Checked {
        let Some(t) = self.typing.of(x) else { return Ok(()) };
        self.must_be_plain(x, &t)?;
        self.must_be_scalar(x, &t)?;
        self.must_be(x, &t, Category::Integer)
    }

    /// An error unless `x` is a scalar logical value.
    pub fn must_be_condition(&mut self, x: ExprId) -> Checked {
        let Some(t) = self.typing.of(x) else { return Ok(()) };
        self.must_be(x, &t, Category::Logical)?;
        self.must_be_scalar(x, &t)
    }

    /// An error unless `x`, of type `t`, counts or selects elements; a warning if it is a REAL.
    pub fn must_be_index(&self, x: ExprId, t: &Typed) -> Checked {
        if Category::of(t.ty) == Category::Real {
            let message = "A REAL index is truncated, which is an extension";
            return Err(Diagnostic::warning("T0536", self.ast.span(x), message));
        }
        self.must_be(x, t, Category::Integer)
    }

    /// An error unless the variable `x`, which is defined, is a scalar of the category.
    pub fn must_be_variable_of(&mut self, x: ExprId, category: Category) -> Checked {
        self.must_be_assignable(x)?;
        let Some(t) = self.typing.of(x) else { return Ok(()) };
        self.must_be_scalar(x, &t)?;
        self.must_be(x, &t, category)
    }

    /// An error unless it is a CHARACTER.
    pub fn must_be_text(&self, x: ExprId, t: &Typed) -> Checked {
        if t.ty == Type::Char && t.structure.is_none() {
            return Ok(());
        }
        let message = format!("A CHARACTER value is needed here, not {}", type_name(t.ty));
        Err(Diagnostic::error("T0506", self.ast.span(x), message))
    }
}
