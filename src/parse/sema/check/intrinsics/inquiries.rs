//! Inquiry functions about shapes, bounds and lengths.

use super::{Call, Found};
use crate::intrinsic::Inquiry;
use crate::types::kinds::Category;
use crate::types::structure::StructureId;
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::ast::{ExprId, ExprKind};

impl Call<'_, '_, '_> {
    /// The fault of the inquiry at `at`. Inquiries about status (ALLOCATED, PRESENT and their like) depend on the variable, not on its type.
    pub(super) fn inquiry(&mut self, at: ExprId, i: Inquiry) -> Found<()> {
        match i {
            Inquiry::Len => {
                let first = self.argument(0).ok_or(None)?;
                let t = self.typed(first)?;
                if t.ty != Type::Char || t.structure.is_some() {
                    return self.error_at("T0556", first, "The argument of 'len' must be CHARACTER");
                }
                self.kind(1, Category::Integer)
            }
            Inquiry::StorageSize | Inquiry::Shape => self.kind(1, Category::Integer),
            Inquiry::Size => self.bounded(true),
            Inquiry::Lbound => self.bounded(false),
            Inquiry::Ubound => self.bounded(true),
            Inquiry::CAssociated => {
                let types = self.site.decls.c_types.map(|(data, code)| [data, code]);
                let text = "A value of TYPE(c_ptr) or TYPE(c_funptr)";
                self.address(0, types.as_slice().as_flattened(), text)?;
                self.address(1, types.as_slice().as_flattened(), text)
            }
            Inquiry::Present => {
                let x = self.argument(0).ok_or(None)?;
                let ExprKind::Name(name) = self.site.ast.expr(x).kind else { return self.not_optional(at) };
                let id = self.site.typing.resolve(name).ok_or(None)?;
                if self.site.symbol(id).attrs.optional { Ok(()) } else { self.not_optional(at) }
            }
            Inquiry::Allocated => self.allocated(),
            Inquiry::Associated => self.associated(),
            Inquiry::CLoc => {
                let x = self.argument(0).ok_or(None)?;
                self.site.must_be_target(x)?;
                if self.site.typing.indirection(x).is_some() {
                    return Ok(());
                }
                Ok(self.site.must_have_address(x)?)
            }
            Inquiry::CFunLoc => {
                let x = self.argument(0).ok_or(None)?;
                if self.site.gives_address(x) {
                    return Ok(());
                }
                self.error_at("T0685", x, "The argument of 'c_funloc' must be a procedure")
            }
            Inquiry::IsContiguous => {
                let x = self.argument(0).ok_or(None)?;
                if self.site.is_place(x) && self.site.typing.of(x).is_some_and(|t| t.rank() > 0) {
                    self.site.must_have_address(x)?;
                }
                Ok(())
            }
            Inquiry::Null | Inquiry::SizeOf | Inquiry::CSizeOf | Inquiry::Rank => Ok(()),
        }
    }

    fn not_optional(&self, x: ExprId) -> Found<()> {
        self.error_at("T0568", x, "The argument of 'present' must be an OPTIONAL dummy argument")
    }

    fn allocated(&mut self) -> Found<()> {
        let x = self.argument(0).ok_or(None)?;
        let is_wrong =
            matches!(self.site.ast.expr(x).kind, ExprKind::Component { .. }) && self.site.typing.of(x).is_none();
        if is_wrong || self.site.is_unknown(x) || self.site.typing.indirection(x) == Some(false) {
            return Ok(());
        }
        let message = "The argument of 'allocated' must be an ALLOCATABLE variable";
        let d = Diagnostic::error("T0567", self.site.ast.span(x), message);
        Err(Some(self.site.about(d, x)))
    }

    fn associated(&mut self) -> Found<()> {
        let x = self.argument(0).ok_or(None)?;
        let target = self.argument(1);
        if self.site.typing.procedure_pointer(x).is_some() || self.site.typing.gives_procedure(x) {
            return match target {
                Some(x) if !self.site.gives_address(x) => self.error_at("T0687", x, "A procedure is needed here"),
                _ => Ok(()),
            };
        }
        self.site.must_be_pointer(x)?;
        let Some(x) = target else { return Ok(()) };
        self.site.must_be_target(x)?;
        Ok(self.site.must_have_address(x)?)
    }

    /// SIZE, LBOUND and UBOUND of an array; `upper`: the upper bound is asked for.
    fn bounded(&mut self, upper: bool) -> Found<()> {
        let first = self.argument(0).ok_or(None)?;
        let t = self.typed(first)?;
        let rank = t.rank() as i64;
        if rank == 0 {
            return self.error_at("T0559", first, "An array is needed here");
        }
        let mut dim = None;
        if let Some(x) = self.argument(1) {
            self.site.must_be_integer(x)?;
            dim = self.site.typing.integer(x);
            if let Some(d) = dim.filter(|d| !(1..=rank).contains(d)) {
                return self.error_at("T0560", x, format!("DIM is {d}, but the array has rank {rank}"));
            }
        }
        let asks_last = dim == Some(rank) || self.argument(1).is_none();
        if upper && asks_last && self.is_assumed_size(first) {
            let name = self.site.typing.root_of(first).map_or("", |id| self.site.symbol(id).name.as_str());
            let message = format!("The last extent of the assumed-size array '{name}' is not known");
            return self.error_at("T0520", first, message);
        }
        self.kind(2, Category::Integer)
    }

    fn is_assumed_size(&self, x: ExprId) -> bool {
        let ExprKind::Name(name) = self.site.ast.expr(x).kind else { return false };
        self.site.typing.resolve(name).is_some_and(|id| self.site.symbol(id).is_assumed_size())
    }

    /// An error unless the argument at `k`, if it is there, is a scalar of one of the types of C addresses.
    pub(super) fn address(&mut self, k: usize, wanted: &[StructureId], text: &str) -> Found<()> {
        let Some(x) = self.argument(k) else { return Ok(()) };
        let t = self.typed(x)?;
        if !t.structure.is_some_and(|id| wanted.contains(&id)) {
            let have = self.site.type_words(t.ty, t.structure);
            return self.error_at("T0685", x, format!("{text} is needed here, not {have}"));
        }
        Ok(self.site.must_be_scalar(x, &t)?)
    }
}
