//! Blocks of ON and RESIDENT, and whose owner ON HOME names.

use crate::scope::symbol::SymbolKind;
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::visit;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_syntax::ast::{Ast, BlockId, Directive, ExprId, ExprKind, Hpf, StmtId, StmtKind};

/// All statements of a block and of those in it, in source order.
pub(super) fn statements(ast: &Ast, body: BlockId) -> Vec<StmtId> {
    let mut out = Vec::new();
    let mut todo: Vec<StmtId> = ast.block(body).iter().rev().copied().collect();
    while let Some(s) = todo.pop() {
        out.push(s);
        let at = todo.len();
        visit::stmt_children(ast, s, &mut |child, _| todo.push(child));
        todo[at..].reverse();
    }
    out
}

pub(super) fn check(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    for (scope, data) in decls.scopes.iter() {
        let Some(unit) = data.unit.filter(|_| data.kind != ScopeKind::Interface) else { continue };
        let ast = decls.ast(scope);
        if !ast.has_directives {
            continue;
        }
        let mut todo = vec![ast.block(ast.units[unit].body).to_vec()];
        while let Some(block) = todo.pop() {
            Matching::default().block(ast, &block, diags);
            for s in block {
                homes(decls, scope, s, diags);
                let mut children: Vec<(StmtId, Option<BlockId>)> = Vec::new();
                visit::stmt_children(ast, s, &mut |child, block| children.push((child, block)));
                while let Some((_, block)) = children.first().copied() {
                    let run = children.iter().take_while(|c| c.1 == block).count();
                    todo.push(children.drain(..run).map(|c| c.0).collect());
                }
            }
        }
    }
}

fn hpf(ast: &Ast, s: StmtId) -> Option<&Hpf> {
    match &ast.stmt(s).kind {
        StmtKind::Directive(d) => match d.as_ref() {
            Directive::Hpf(hpf) => Some(hpf),
            _ => None,
        },
        _ => None,
    }
}

/// The blocks that are open.
#[derive(Default)]
struct Matching {
    /// Whether it is of ON, and where it begins.
    open: Vec<(bool, Span)>,
}

impl Matching {
    fn block(mut self, ast: &Ast, block: &[StmtId], diags: &mut Diagnostics) {
        for &s in block {
            let span = ast.stmt(s).span;
            match hpf(ast, s) {
                Some(Hpf::OnHome { begin: true, .. }) => self.open.push((true, span)),
                Some(Hpf::Resident { begin: true, .. }) => self.open.push((false, span)),
                Some(Hpf::EndOn) => self.end(true, span, diags),
                Some(Hpf::EndResident) => self.end(false, span, diags),
                _ => {}
            }
        }
        let end = block.last().map(|&s| ast.stmt(s).span);
        for (on, span) in self.open {
            let word = if on { "ON" } else { "RESIDENT" };
            let mut d = Diagnostic::error("T0436", span, format!("{word} with BEGIN has no END {word}"));
            if let Some(end) = end.filter(|&end| end != span) {
                d = d.because(end, "the block of statements ends here");
            }
            diags.push(d.help(format!("Add !HPF$ END {word} in the same block, or remove BEGIN")));
        }
    }

    fn end(&mut self, on: bool, span: Span, diags: &mut Diagnostics) {
        let word = if on { "ON" } else { "RESIDENT" };
        match self.open.last().copied() {
            Some((begun, _)) if begun == on => {
                self.open.pop();
            }
            Some((begun, at)) => {
                if let Some(own) = self.open.iter().rposition(|o| o.0 == on) {
                    self.open.remove(own);
                }
                let other = if begun { "ON" } else { "RESIDENT" };
                let d = Diagnostic::error("T0436", span, format!("END {word} stands where END {other} is needed"));
                diags.push(d.because(at, "this was begun last").help(format!("Write END {other} before it")));
            }
            None => {
                let d = Diagnostic::error("T0436", span, format!("END {word} ends nothing"));
                diags.push(d.help(format!("Add BEGIN to the {word} directive that it belongs to, or remove it")));
            }
        }
    }
}

/// ON HOME names an array or template; an owner of a scalar is everybody.
fn homes(decls: &Declarations<'_>, scope: ScopeId, s: StmtId, diags: &mut Diagnostics) {
    let ast = decls.ast(scope);
    let home = match hpf(ast, s) {
        Some(Hpf::OnHome { target, .. }) => Some(*target),
        Some(Hpf::Independent(clauses)) => clauses.home,
        _ => None,
    };
    let Some(x) = home else { return };
    let base = |x: ExprId| match ast.expr(x).kind {
        ExprKind::Call { base, .. } => base,
        _ => x,
    };
    let ExprKind::Name(name) = ast.expr(base(x)).kind else { return };
    let Some(id) = decls.named(scope, name) else { return };
    let symbol = &decls.symbols[id];
    let fine = match symbol.kind {
        SymbolKind::Variable => symbol.rank() > 0,
        SymbolKind::Template | SymbolKind::Processors | SymbolKind::Error => true,
        _ => false,
    };
    if !fine {
        let message = format!("ON names '{}', which is no array, template or processor arrangement", symbol.name);
        let d = Diagnostic::error("T0435", ast.span(x), message).because(symbol.span, "declared here");
        diags.push(d.help("Name an element of an array that is distributed, as in ON HOME (a(i))"));
    }
}
