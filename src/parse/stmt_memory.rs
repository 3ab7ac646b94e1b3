//! ALLOCATE and DEALLOCATE.

use crate::expr::{Failed, Lowered};
use crate::kinds::Category;
use crate::lower::Lower;
use crate::lower_symbols::Descriptor;
use crate::symbol::{SymbolId, SymbolKind};
use trueline_diag::Diagnostic;
use trueline_ir::{BinaryOp, Expr, ExprData, Rt, Type};
use trueline_syntax::ast::{AllocOption, Allocate, ArgValue, ExprId, ExprKind};

impl Lower<'_, '_> {
    /// The status variable of STAT=.
    fn status(&mut self, a: &Allocate) -> Lowered<Option<Expr>> {
        let mut stat = None;
        for &(option, span, x) in &a.options {
            match option {
                AllocOption::Stat => {
                    let place = self.assignable(x)?;
                    self.must_be_scalar(x, place.e)?;
                    self.must_be(x, place.e, Category::Integer)?;
                    stat = Some(place.e);
                }
                AllocOption::Errmsg => {
                    self.assignable(x)?;
                }
                _ => return Err(self.unsupported(span, "SOURCE= and MOLD= are")),
            }
        }
        Ok(stat)
    }

    /// The ALLOCATABLE variable of an object, and its bounds.
    fn object(&mut self, x: ExprId) -> Lowered<(SymbolId, Descriptor)> {
        let span = self.ast.span(x);
        let root = self.root_of(x);
        if let (None, ExprKind::Name(name)) = (root, &self.ast.expr(x).kind) {
            self.resolve_at(*name, span)?;
        }
        let Some(id) = root else { return Err(self.error("T0617", span, "This is not an ALLOCATABLE variable")) };
        let s = self.symbol(id);
        if s.kind == SymbolKind::Error {
            return Err(Failed);
        }
        if !s.attrs.allocatable {
            let message = format!("'{}' is not ALLOCATABLE", s.name);
            return Err(self.report(Diagnostic::error("T0617", span, message).because(s.span, "declared here")));
        }
        match self.binding(id, span)?.descriptor {
            Some(d) => Ok((id, d)),
            None => Err(self.unsupported(span, "An ALLOCATABLE of this kind is")),
        }
    }

    pub(crate) fn allocate_statement(&mut self, a: &Allocate) -> Lowered<()> {
        let stat = self.status(a)?;
        for &x in self.ast.list(a.objects) {
            self.allocate_object(x, stat)?;
        }
        Ok(())
    }

    fn allocate_object(&mut self, x: ExprId, stat: Option<Expr>) -> Lowered<()> {
        let (id, d) = self.object(x)?;
        let s = self.symbol(id);
        let args = match &self.ast.expr(x).kind {
            ExprKind::Call { args, .. } => self.ast.args(*args).to_vec(),
            _ => Vec::new(),
        };
        if args.len() != s.rank() {
            let message = format!("'{}' has rank {}, but {} extents are given", s.name, s.rank(), args.len());
            let e = Diagnostic::error("T0618", self.ast.span(x), message).because(s.span, "declared here");
            return Err(self.report(e));
        }
        let mut bounds = Vec::new();
        for a in args {
            let one = self.int8(1);
            let (lo, hi) = match a.value {
                ArgValue::Expr(x) => (one, self.index(x)?),
                ArgValue::Section { lo, hi, .. } => {
                    let lo = lo.expand().map(|x| self.index(x)).transpose()?;
                    let Some(hi) = hi.expand() else {
                        return Err(self.error("T0618", a.span, "An extent needs an upper bound"));
                    };
                    (lo.unwrap_or(one), self.index(hi)?)
                }
                _ => return Err(self.error("T0618", a.span, "This is not an extent")),
            };
            bounds.extend([self.in_register(lo), self.in_register(hi)]);
        }
        self.allocate_checked(id, &d, &bounds, stat);
        Ok(())
    }

    /// Allocates unless it is allocated already, which is an error of the program or a status.
    fn allocate_checked(&mut self, id: SymbolId, d: &Descriptor, bounds: &[Expr], stat: Option<Expr>) {
        let name = self.symbol(id).name.clone();
        let (base, zero) = (self.var(d.base), self.int8(0));
        let taken = self.make(ExprData::Binary(BinaryOp::Ne, base, zero));
        let (after, free) = self.open_if(taken);
        let message = format!("Attempting to allocate already allocated variable '{name}'");
        match stat {
            Some(stat) => self.status_is(stat, 5014),
            None => self.run_time_error(&message),
        }
        self.enter(free);
        let sym = self.bindings.get(&id).map(|b| b.sym);
        let len = sym.and_then(|s| self.sym(s).len.expand());
        let bytes = self.symbol(id).ty.unwrap_or(Type::I4).size() as i64;
        let mut size = self.int8(bytes);
        if let Some(len) = len {
            size = self.mul(size, len);
        }
        for pair in bounds.chunks(2) {
            let n = self.count(pair[0], pair[1]);
            size = self.mul(size, n);
        }
        self.allocate(d.base, size, stat.is_some());
        for (&register, &bound) in d.bounds.iter().zip(bounds) {
            self.e.set(register, bound);
        }
        self.store_descriptor(d);
        if let Some(stat) = stat {
            let base = self.var(d.base);
            let failed = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
            let (after, fine) = self.open_if(failed);
            self.status_is(stat, 5020);
            self.enter(fine);
            self.status_is(stat, 0);
            self.enter(after);
        }
        self.enter(after);
    }

    fn status_is(&mut self, stat: Expr, code: i64) {
        let value = self.e.int(self.e.ty(stat), code);
        self.assign(stat, value);
    }

    /// Ends the program with a message that names the source line.
    pub(crate) fn run_time_error(&mut self, message: &str) {
        let text = self.text(message.as_bytes());
        let [text, len] = self.read_str(text);
        let location = self.location();
        self.call_rt(Rt::RuntimeError, &[location, text, len]);
    }

    pub(crate) fn deallocate_statement(&mut self, a: &Allocate) -> Lowered<()> {
        let stat = self.status(a)?;
        for &x in self.ast.list(a.objects) {
            let (id, d) = self.object(x)?;
            let name = self.symbol(id).name.clone();
            if !matches!(self.ast.expr(x).kind, ExprKind::Name(_)) {
                let message = format!("DEALLOCATE frees '{name}' as a whole: it takes no subscripts");
                return Err(self.error("T0619", self.ast.span(x), message));
            }
            let (base, zero) = (self.var(d.base), self.int8(0));
            let missing = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
            let (after, there) = self.open_if(missing);
            match stat {
                Some(stat) => self.status_is(stat, 1),
                None => self.run_time_error(&format!("Attempt to DEALLOCATE unallocated '{name}'")),
            }
            self.enter(there);
            self.call_rt(Rt::Deallocate, &[base]);
            self.e.set(d.base, zero);
            self.store_descriptor(&d);
            if let Some(stat) = stat {
                self.status_is(stat, 0);
            }
            self.enter(after);
        }
        Ok(())
    }
}
