//! Expressions.

use trueline_diag::Diagnostic;

use super::Builder;
use crate::ast::*;
use crate::names::Name;
use crate::token::IntLit;

impl Builder {
    /// An integer constant.
    pub fn integer(&mut self, n: IntLit, l: u32, r: u32) -> ExprId {
        let span = self.span(l, r);
        self.leaf(ExprKind::Int { value: n.value, kind: n.kind }, span)
    }

    /// A name.
    pub fn name(&mut self, name: Name, l: u32, r: u32) -> ExprId {
        let span = self.span(l, r);
        self.leaf(ExprKind::Name(name), span)
    }

    /// An expression where an implied DO is out of place.
    pub fn plain(&mut self, e: ExprId) -> ExprId {
        if let ExprKind::ImpliedDo(_) = self.ast.exprs[e].kind {
            let span = self.ast.span(e);
            self.diags.push(
                Diagnostic::error("T0122", span, "An implied DO cannot stand here")
                    .note("It may stand in input and output lists, DATA statements and array constructors"),
            );
            self.ast.exprs[e].kind = ExprKind::Error;
        }
        e
    }

    /// `( items )`: one item in parentheses, or the two parts of a complex constant.
    pub fn paren(&mut self, l: u32, n: usize, r: u32) -> ExprId {
        let span = self.span(l, r);
        let items = self.items.split_off(self.items.len() - n);
        let depth = self.deepest(&items);
        match items[..] {
            [one] => {
                let one = self.plain(one);
                // Parentheses around parentheses say nothing more.
                if let ExprKind::Paren(_) = self.ast.expr(one).kind {
                    return one;
                }
                self.make(ExprKind::Paren(one), span, depth)
            }
            [re, im] => {
                let (re, im) = (self.plain(re), self.plain(im));
                self.make(ExprKind::Complex { re, im }, span, depth)
            }
            _ => {
                self.error("T0123", span, "A list in parentheses needs the control variable of an implied DO");
                self.leaf(ExprKind::Error, span)
            }
        }
    }

    /// `( items, var = from, to, step )`
    pub fn implied_do(
        &mut self,
        l: u32,
        n: usize,
        var: Ident,
        (from, to, step): (ExprId, ExprId, Option<ExprId>),
        r: u32,
    ) -> ExprId {
        let mut depth = self.deepest(&self.items[self.items.len() - n..]).max(self.depth(from)).max(self.depth(to));
        depth = depth.max(step.map_or(0, |step| self.depth(step)));
        let items = self.take_items(n);
        let span = self.span(l, r);
        self.make(ExprKind::ImpliedDo(Box::new(ImpliedDo { items, var, from, to, step })), span, depth)
    }

    /// `(/ items /)`
    pub fn array_constructor(&mut self, l: u32, ty: Option<TypeSpec>, n: usize, r: u32) -> ExprId {
        let depth = self.deepest(&self.items[self.items.len() - n..]);
        let items = self.take_items(n);
        let span = self.span(l, r);
        self.make(ExprKind::ArrayConstructor { ty: ty.map(Box::new), items }, span, depth)
    }

    /// Puts an argument on the stack.
    pub fn push_arg(&mut self, l: u32, keyword: Option<Ident>, value: ArgValue, r: u32) {
        let span = self.span(l, r);
        self.args.push(Arg { keyword, value, span });
    }

    /// `base ( args )`
    pub fn index(&mut self, base: ExprId, n: usize, r: u32) -> ExprId {
        let from = self.args.len() - n;
        let mut depth = self.depth(base);
        for arg in &self.args[from..] {
            depth = depth.max(match arg.value {
                ArgValue::Expr(e) => self.depth(e),
                ArgValue::Section { lo, hi, step } => [lo, hi, step]
                    .into_iter()
                    .filter_map(|part| part.expand())
                    .map(|e| self.depth(e))
                    .max()
                    .unwrap_or(0),
                ArgValue::AltReturn(_) | ArgValue::Star => 0,
            });
        }
        let args = ArgList { start: self.ast.args.len() as u32, len: n as u32 };
        self.ast.args.extend(self.args.drain(from..));
        let span = self.span(self.ast.span(base).start, r);
        self.make(ExprKind::Call { base, args }, span, depth)
    }

    /// `'text' ( range )`
    pub fn substring_of_literal(&mut self, e: ExprId, n: usize, r: u32) -> ExprId {
        if !matches!(self.ast.exprs[e].kind, ExprKind::Char { .. }) {
            let span = self.ast.span(e);
            self.error("T0124", span, "Only a character constant can be followed by a substring range");
            let whole = self.index(e, n, r);
            self.ast.exprs[whole].kind = ExprKind::Error;
            return whole;
        }
        self.index(e, n, r)
    }

    /// `base % name`
    pub fn component(&mut self, base: ExprId, name: Name, r: u32) -> ExprId {
        let span = self.span(self.ast.span(base).start, r);
        let depth = self.depth(base);
        self.make(ExprKind::Component { base, name }, span, depth)
    }

    /// A CALL: the procedure, and its arguments, which may be missing altogether.
    pub fn call(&mut self, designator: ExprId) -> StmtKind {
        match self.ast.exprs[designator].kind {
            ExprKind::Call { base, args } => StmtKind::Call { callee: base, args },
            _ => StmtKind::Call { callee: designator, args: ArgList::default() },
        }
    }

    /// One specifier of ALLOCATE or DEALLOCATE.
    pub fn alloc_option(&mut self, name: Ident, value: ExprId) {
        let option = match self.word(name.name) {
            "stat" => AllocOption::Stat,
            "errmsg" => AllocOption::Errmsg,
            "source" => AllocOption::Source,
            "mold" => AllocOption::Mold,
            other => {
                let message = format!("Unknown specifier '{}='", other.to_uppercase());
                let help = "ALLOCATE has STAT=, ERRMSG=, SOURCE= and MOLD=";
                self.diags.push(Diagnostic::error("T0125", name.span, message).help(help));
                return;
            }
        };
        self.alloc_options.push((option, name.span, value));
    }

    /// ALLOCATE or DEALLOCATE.
    pub fn allocate(&mut self, ty: Option<TypeSpec>, n: usize, allocate: bool) -> StmtKind {
        let objects = self.take_items(n);
        let options = std::mem::take(&mut self.alloc_options);
        let all = Box::new(Allocate { ty, objects, options });
        if allocate {
            return StmtKind::Allocate(all);
        }
        for (option, span, _) in &all.options {
            if matches!(option, AllocOption::Source | AllocOption::Mold) {
                self.diags.push(Diagnostic::error("T0125", *span, "DEALLOCATE has STAT= and ERRMSG= only"));
            }
        }
        StmtKind::Deallocate(all)
    }

    fn deepest(&self, items: &[ExprId]) -> u32 {
        items.iter().map(|&e| self.depth(e)).max().unwrap_or(0)
    }
}
