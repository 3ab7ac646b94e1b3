//! Intrinsic subroutines.

use super::{Call, Found, reported};
use crate::check::Checked;
use crate::intrinsic::{Rule, Subroutine, lookup_subroutine};
use crate::scope::symbol::{ProcedureClass, SymbolKind};
use crate::typed::call::Site;
use crate::types::kinds::Category;
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{ArgList, ExprId, ExprKind};

impl<'a> Site<'_, 'a> {
    /// The fault of `CALL callee(args)`, if it calls an intrinsic subroutine.
    pub fn check_intrinsic_subroutine(&mut self, callee: ExprId, args: ArgList) -> Checked {
        let Some(name) = self.intrinsic_subroutine(callee, args) else { return Ok(()) };
        let span = self.ast.span(callee);
        let Some(row) = lookup_subroutine(name) else {
            return Err(Diagnostic::error("T0570", span, format!("'{name}' is not a subroutine")));
        };
        if !row.is_subroutine() {
            let message = format!("The intrinsic '{name}' is a function, not a subroutine");
            return Err(Diagnostic::error("T0570", span, message));
        }
        let args = self.typing.actuals(row, args, span)?;
        let mut call = Call { site: self, span, row, args };
        call.ranges()?;
        reported(call.subroutine())
    }

    /// The name that a CALL mentions, if no procedure of the program has it.
    fn intrinsic_subroutine(&mut self, callee: ExprId, args: ArgList) -> Option<&'a str> {
        let ast = self.ast;
        let ExprKind::Name(name) = ast.expr(callee).kind else { return None };
        let Some(id) = self.typing.resolve(name) else { return Some(ast.name(name)) };
        let Some(id) = self.typing.specific(id, ast.args(args))? else { return Some(ast.name(name)) };
        let s = self.symbol(id);
        let is_intrinsic = matches!(&s.kind, SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic);
        is_intrinsic.then_some(s.name.as_str())
    }
}

impl Call<'_, '_, '_> {
    fn subroutine(&mut self) -> Found<()> {
        let which = match self.row.rule {
            Rule::Library(library) => return self.library(library),
            Rule::Subroutine(which) => which,
            _ => return Ok(()),
        };
        // The arguments that are values, variables to be defined, and conditions.
        let (values, results, conditions): (&[usize], &[usize], &[usize]) = match which {
            Subroutine::CpuTime | Subroutine::RandomNumber => (&[], &[0], &[]),
            Subroutine::SystemClock | Subroutine::GetCommand => (&[], &[0, 1, 2], &[]),
            Subroutine::DateAndTime => (&[], &[0, 1, 2, 3], &[]),
            Subroutine::RandomSeed => (&[1], &[0, 2], &[]),
            Subroutine::GetCommandArgument => (&[0], &[1, 2, 3], &[]),
            Subroutine::GetEnvironmentVariable => (&[0], &[1, 2, 3], &[4]),
            Subroutine::ExecuteCommandLine => (&[0], &[2, 3, 4], &[1]),
            Subroutine::Mvbits => (&[0, 1, 2, 4], &[3], &[]),
            Subroutine::Exit | Subroutine::Flush => (&[0], &[], &[]),
            Subroutine::MoveAlloc => {
                let (from, to) = (self.argument(0).ok_or(None)?, self.argument(1).ok_or(None)?);
                return Ok(self.site.check_move(from, to)?);
            }
            Subroutine::CFPointer => return self.c_f_pointer(),
            Subroutine::CFProcPointer => {
                let code = self.site.decls.c_types.map(|(_, code)| code);
                self.address(0, code.as_slice(), "A value of TYPE(c_funptr)")?;
                let x = self.argument(1).ok_or(None)?;
                if self.site.typing.procedure_pointer(x).is_some() {
                    return Ok(());
                }
                let message = "The argument 'fptr' of 'c_f_procpointer' must be a procedure pointer";
                return self.error_at("T0685", x, message);
            }
        };
        results.iter().try_for_each(|&k| self.result(k).map(|_| ()))?;
        values.iter().try_for_each(|&k| self.actual(k).map(|_| ()))?;
        for x in conditions.iter().filter_map(|&k| self.argument(k)).collect::<Vec<_>>() {
            self.site.must_be_condition(x)?;
        }
        Ok(())
    }

    fn c_f_pointer(&mut self) -> Found<()> {
        let data = self.site.decls.c_types.map(|(data, _)| data);
        self.address(0, data.as_slice(), "A value of TYPE(c_ptr)")?;
        let pointer = self.argument(1).ok_or(None)?;
        self.site.must_be_pointer(pointer)?;
        let rank = self.argument(1).and_then(|x| self.site.typing.of(x)).ok_or(None)?.rank();
        match (self.argument(2), self.argument(1)) {
            (None, Some(pointer)) if rank > 0 => {
                return self.error_at("T0686", pointer, "C_F_POINTER needs SHAPE=, since the pointer is an array");
            }
            (Some(shape), _) if rank == 0 => {
                return self.error_at("T0686", shape, "C_F_POINTER has no SHAPE= for a pointer to a scalar");
            }
            _ => {}
        }
        for k in [2, 3] {
            let Some(x) = self.argument(k) else { continue };
            let t = self.typed(x)?;
            self.site.must_be_plain(x, &t)?;
            self.site.must_be(x, &t, Category::Integer)?;
            if t.rank() != 1 {
                return self.error_at(
                    "T0686",
                    x,
                    format!("An array of rank 1 is needed here, not of rank {}", t.rank()),
                );
            }
        }
        Ok(())
    }
}
