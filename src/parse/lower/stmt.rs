//! Statements: assignments, memory, jumps, STOP; constructs are in [`crate::lower::control`].

pub(crate) mod pointer;
pub(crate) mod realloc;
pub(crate) mod structure;

use crate::lower::expr::Exprs;
use crate::lower::source::Source;
use crate::lower::values::{Failed, Lowered, Val};
use crate::lower::variables::Variables;
use crate::sema::check::standard::Feature;
use crate::sema::infos::open_blocks::Open;
use crate::sema::scope::symbol::{SymbolId, SymbolKind};
use crate::sema::types::kinds::Category;
use crate::sema::visit;
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Expr, ExprData, Head, Label, Rt, Type};
use trueline_syntax::ast::{BlockId, ExprId, ExprKind, Ident, LabelRef, StmtId, StmtKind, UnitId};

/// Statements of a procedure that are no constructs, over its expressions; and the labels they jump to.
pub(crate) struct Stmts<'a, 'd> {
    /// The expressions.
    pub(crate) exprs: Exprs<'a, 'd>,
    /// The procedure in the tree.
    pub(crate) unit: UnitId,
    /// The blocks around, as jumps see them.
    pub(crate) blocks: Vec<BlockId>,
    /// The labels of the procedure.
    pub(crate) labels: FxHashMap<u32, LabelInfo>,
    /// Labels that ASSIGN gives a number, in source order.
    pub(crate) assigned: Vec<u32>,
    /// The blocks that jumps enter from outside.
    pub(crate) open: Open,
}

/// A statement label.
pub(crate) struct LabelInfo {
    /// The IR label; none as long as nothing jumps there.
    pub(crate) label: Option<Label>,
    /// The statement.
    pub(crate) stmt: StmtId,
    /// The blocks that a jump must stand in: the innermost block around the label.
    pub(crate) block: BlockId,
    /// Whether one can jump to it: not a FORMAT, not an ELSE or CASE.
    pub(crate) executable: bool,
    /// Where it is defined.
    pub(crate) span: Span,
}

crate::lower::builds_on!(Stmts<'a, 'd>, exprs: Exprs<'a, 'd>);

impl<'a, 'd> Stmts<'a, 'd> {
    pub(crate) fn new(exprs: Exprs<'a, 'd>, unit: UnitId) -> Self {
        let (labels, open) = (FxHashMap::default(), Open::default());
        Stmts { exprs, unit, blocks: Vec::new(), labels, assigned: Vec::new(), open }
    }
}

/// Assignment, and which statement is which.
impl Stmts<'_, '_> {
    /// A statement that is no construct, jumps to no end of one, and transfers no data.
    pub(crate) fn plain_statement(&mut self, s: StmtId) -> Lowered<()> {
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                if self.is_statement_function(*target, *value) {
                    let span = self.ast.stmt(s).span;
                    self.uses(Feature::StatementFunction, span, "");
                    return Ok(());
                }
                if self.defined_assignment(s, *target, *value)? {
                    return Ok(());
                }
                self.assignment(*target, *value)
            }
            StmtKind::PointerAssign { target, value } => self.pointer_assignment(*target, *value),
            StmtKind::Call { callee, args } => self.call_statement(*callee, *args),
            StmtKind::Goto(label) => {
                let to = self.jump_target(*label)?;
                self.push(Head::Goto(to));
                Ok(())
            }
            StmtKind::ComputedGoto(g) => self.computed_goto(g),
            StmtKind::AssignedGoto(g) => self.assigned_goto(g),
            StmtKind::AssignLabel { label, var } => self.assign_label(*label, *var),
            StmtKind::Return(value) => self.return_statement(s, *value),
            StmtKind::Stop { code, quiet, error } => self.stop(*code, *quiet, *error),
            StmtKind::Pause(code) => self.end_or_wait(*code, "PAUSE", Rt::PauseInt, Rt::PauseText),
            StmtKind::Allocate(a) => self.allocate_statement(a),
            StmtKind::Deallocate(a) => self.deallocate_statement(a),
            StmtKind::Nullify(objects) => self.nullify(*objects),
            _ => Ok(()),
        }
    }

    /// `target = value`.
    pub(crate) fn assignment(&mut self, target: ExprId, value: ExprId) -> Lowered<()> {
        if self.assign_complex_part(target, value)? {
            return Ok(());
        }
        let (place, value) = self.assignment_parts(target, value)?;
        // An associate name is not allocatable, whatever its selector is.
        let whole = match self.ast.expr(target).kind {
            ExprKind::Name(name) if self.resolve(name).is_some_and(|id| self.associates.contains_key(&id)) => None,
            _ => self.whole_allocatable(place.e),
        };
        match whole {
            Some(d) => {
                let rank = self.rank(place.e);
                self.warn_reallocation(target, rank);
                self.assign_allocatable(&d, place, value)
            }
            None => {
                self.check_shapes(target, place.e, value.e);
                self.store(place, value);
                Ok(())
            }
        }
    }

    /// The descriptor, if the place is an allocatable as a whole.
    fn whole_allocatable(&self, place: Expr) -> Option<crate::lower::values::Descriptor> {
        let ExprData::Var(sym) = self.e.expr(place) else { return None };
        self.descriptors.get(&sym).filter(|d| !d.is_pointer).cloned()
    }

    /// The place and the value, of its type, of an assignment. The value is evaluated first, so that
    /// what it does before cannot change the subscripts of the place.
    pub(crate) fn assignment_parts(&mut self, target: ExprId, value: ExprId) -> Lowered<(Val, Val)> {
        // Both sides are looked at, even if the other is wrong.
        let place = self.assignable(target);
        let v = self.expr(value);
        let (place, v) = (place?, v?);
        let (m, n) = (self.rank(place.e), self.rank(v.e));
        if n > 0 && m != n {
            let message = format!("An array of rank {n} is assigned to {}", rank_text(m));
            return Err(self.error_at("T0600", value, message));
        }
        if let Some((dim, p, q)) = self.mismatch(place.e, v.e).filter(|_| n > 0) {
            let message = format!("Different shapes on dimension {dim} of an assignment: {p} and {q} elements");
            let d = Diagnostic::error("T0601", self.ast.span(value), message);
            let d = d.because(self.ast.span(target), format!("{p} elements"));
            return Err(self.report(d));
        }
        self.assignment_values(target, value, place, v)
    }
}

fn rank_text(rank: usize) -> String {
    if rank == 0 { "a scalar".to_owned() } else { format!("an array of rank {rank}") }
}

/// Labels and jumps.
impl Stmts<'_, '_> {
    /// Finds all labels of the procedure, and which of them are jumped to.
    pub(crate) fn collect_labels(&mut self) {
        let body = self.ast.units[self.unit].body;
        if !self.ast.has_labels(self.unit) {
            return;
        }
        self.open = crate::sema::infos::open_blocks::find(self.ast, self.unit);
        let mut found: Vec<(StmtId, BlockId)> = Vec::new();
        let mut wanted: Vec<LabelRef> = Vec::new();
        let mut assigned = Vec::new();
        let mut todo: Vec<(StmtId, BlockId)> = self.ast.block(body).iter().rev().map(|&s| (s, body)).collect();
        while let Some((s, block)) = todo.pop() {
            found.push((s, block));
            visit::jump_labels(self.ast, s, &mut |l| wanted.push(l));
            if let StmtKind::AssignLabel { label, .. } = &self.ast.stmt(s).kind {
                assigned.push(label.label);
            }
            let at = todo.len();
            let end = self.end_block(s);
            let ast = self.ast;
            visit::stmt_children(ast, s, &mut |child, inside| {
                // The label of an END DO is the end of the body; of an END IF it is behind the construct.
                let own = if matches!(ast.stmt(child).kind, StmtKind::End { .. }) { end } else { None };
                todo.push((child, inside.or(own).unwrap_or(block)));
            });
            todo[at..].reverse();
        }
        self.assigned = assigned;
        for &s in &self.ast.units[self.unit].spec {
            if let StmtKind::Format(text) = self.ast.stmt(s).kind {
                found.push((s, body));
                let (text, span) = (self.ast.text(text), self.ast.stmt(s).span);
                self.check_format_text(text, span, false);
            }
        }
        // In source order, so that of two equal labels the later one is wrong.
        found.sort_unstable_by_key(|f| f.0);
        for (s, block) in found {
            use StmtKind::{Case, Else, ElseIf, Elsewhere, Format};
            let kind = &self.ast.stmt(s).kind;
            let is_target = !matches!(kind, ElseIf { .. } | Else | Case(_) | Elsewhere { .. } | Format(_));
            self.enter_label(s, block, is_target);
        }
        for l in wanted {
            if self.labels.get(&l.label).is_some_and(|info| info.executable && info.label.is_none()) {
                let label = self.b.label();
                if let Some(info) = self.labels.get_mut(&l.label) {
                    info.label = Some(label);
                }
            }
        }
    }

    /// The block at whose end the END of a loop stands.
    fn end_block(&self, s: StmtId) -> Option<BlockId> {
        match &self.ast.stmt(s).kind {
            StmtKind::Do(d) => Some(d.body),
            _ => None,
        }
    }

    fn enter_label(&mut self, s: StmtId, block: BlockId, executable: bool) {
        let Some(label) = self.ast.stmt(s).label else { return };
        if let Some(first) = self.labels.get(&label.label) {
            let message = format!("The label {} is defined twice", label.label);
            let d = Diagnostic::error("T0610", label.span, message).because(first.span, "first defined here");
            self.report(d);
            return;
        }
        let info = LabelInfo { label: None, stmt: s, block, executable, span: label.span };
        self.labels.insert(label.label, info);
    }

    /// Puts the label of `s` here, if something jumps to it.
    pub(crate) fn place_label(&mut self, s: StmtId) {
        let Some(label) = self.ast.stmt(s).label else { return };
        if let Some(info) = self.labels.get(&label.label)
            && info.stmt == s
            && let Some(l) = info.label
        {
            self.push(Head::Label(l));
        }
    }

    /// The IR label of a jump that stands here.
    pub(crate) fn jump_target(&mut self, to: LabelRef) -> Lowered<Label> {
        let Some(info) = self.labels.get(&to.label) else {
            let message = format!("The label {} is not defined", to.label);
            return Err(self.error("T0611", to.span, message));
        };
        let (block, span, label) = (info.block, info.span, info.label);
        let Some(label) = label else {
            let message = format!("The statement with label {} cannot be jumped to", to.label);
            return Err(self.report(Diagnostic::error("T0612", to.span, message).because(span, "defined here")));
        };
        if !self.blocks.contains(&crate::sema::infos::open_blocks::around(&self.open, block)) {
            let message = format!("The jump to label {} enters a block", to.label);
            return Err(self.report(Diagnostic::error("T0613", to.span, message).because(span, "defined here")));
        }
        Ok(label)
    }

    fn computed_goto(&mut self, g: &trueline_syntax::ast::ComputedGoto) -> Lowered<()> {
        let index = self.scalar(g.selector)?;
        self.must_be(g.selector, index, Category::Integer)?;
        let mut to = Vec::new();
        for &l in &g.labels {
            to.push(self.jump_target(l)?);
        }
        let index = self.in_register(index);
        let table = self.b.jump_table(&to);
        self.push(Head::GotoTable { index, table });
        Ok(())
    }

    /// ASSIGN gives the variable the position of the label among all that are assigned.
    fn assign_label(&mut self, label: LabelRef, var: trueline_syntax::ast::Ident) -> Lowered<()> {
        let number = self.assigned.iter().position(|&l| l == label.label).map_or(0, |k| k as i64 + 1);
        let id = self.resolve_at(var.name, var.span)?;
        let checked = self.site().check_variable(id, var.span, "assigned");
        self.passed_check(checked)?;
        if !self.symbol(id).is_variable() {
            let s = self.symbol(id);
            let message = format!("'{}' is not a variable and cannot be assigned", s.name);
            return Err(self.report(Diagnostic::error("T0602", var.span, message).because(s.span, "declared here")));
        }
        let place = self.variable(id, var.span)?;
        self.integer_variable(id, var.span, place.e)?;
        let own = self.ty(place.e);
        let value = self.e.int(own, number);
        self.assign(place.e, value);
        Ok(())
    }

    fn integer_variable(&mut self, id: SymbolId, span: trueline_diag::Span, e: Expr) -> Lowered<()> {
        if Category::of(self.ty(e)) == Category::Integer && self.rank(e) == 0 {
            return Ok(());
        }
        let s = self.symbol(id);
        let message = format!("'{}' must be a scalar INTEGER variable", s.name);
        Err(self.report(Diagnostic::error("T0614", span, message).because(s.span, "declared here")))
    }

    fn assigned_goto(&mut self, g: &trueline_syntax::ast::AssignedGoto) -> Lowered<()> {
        let id = self.resolve_at(g.var.name, g.var.span)?;
        let place = self.variable(id, g.var.span)?;
        self.integer_variable(id, g.var.span, place.e)?;
        let mut to = Vec::new();
        if self.assigned.is_empty() {
            let s = self.symbol(id);
            let message = format!("'{}' gets no label: there is no ASSIGN in this procedure", s.name);
            return Err(self.error("T0614", g.var.span, message));
        }
        let next = self.b.label();
        for label in self.assigned.clone() {
            // The label of a FORMAT, or one in another block, can be assigned, but not reached from here: the next
            // statement stands for it, as for every value that is not a label.
            let reached = self.labels.get(&label).and_then(|info| {
                let block = crate::sema::infos::open_blocks::around(&self.open, info.block);
                info.label.filter(|_| info.executable && self.blocks.contains(&block))
            });
            to.push(reached.unwrap_or(next));
        }
        let index = self.in_register(place.e);
        let table = self.b.jump_table(&to);
        self.push(Head::GotoTable { index, table });
        self.push(Head::Label(next));
        Ok(())
    }
}

/// STOP and RETURN.
impl Stmts<'_, '_> {
    /// With QUIET that is true the program just ends, as with EXIT: nothing is said of it, nor of exceptions.
    fn stop(&mut self, code: Option<ExprId>, quiet: Option<(Ident, ExprId)>, error: bool) -> Lowered<()> {
        if let Some((word, x)) = quiet {
            if self.text_of_ident(word) != "quiet" {
                let message = format!("STOP has no specifier '{}'", self.text_of_ident(word));
                return Err(self.error("T0605", word.span, message));
            }
            let value = match code {
                Some(code) if self.typing().of(code).is_some_and(|t| Category::of(t.ty) == Category::Integer) => {
                    Some(self.scalar(code)?)
                }
                _ => None,
            };
            let silent = self.scalar(x)?;
            self.must_be(x, silent, Category::Logical)?;
            let (after, otherwise) = self.open_if(silent);
            let value = value.map(|v| self.convert(Type::I8, v));
            let value = value.unwrap_or_else(|| self.int8(i64::from(error)));
            self.call_rt(Rt::Exit, &[value]);
            self.enter(otherwise);
            self.end_program(code, error)?;
            self.enter(after);
            return Ok(());
        }
        self.end_program(code, error)
    }

    fn end_program(&mut self, code: Option<ExprId>, error: bool) -> Lowered<()> {
        let (int, text) = if error { (Rt::ErrorStopInt, Rt::ErrorStopText) } else { (Rt::StopInt, Rt::StopText) };
        self.end_or_wait(code, "STOP", int, text)
    }

    /// STOP or PAUSE: a call of one of two functions, by the type of the code.
    fn end_or_wait(&mut self, code: Option<ExprId>, word: &str, int: Rt, text: Rt) -> Lowered<()> {
        let Some(x) = code else {
            let (null, zero) = (self.make(ExprData::Null), self.int8(0));
            self.call_rt(text, &[null, zero]);
            return Ok(());
        };
        let v = self.expr(x)?;
        self.must_be_scalar(x, v.e)?;
        match self.as_str(v) {
            Some(s) => {
                let args = self.read_str(s);
                self.call_rt(text, &args);
            }
            None if self.category(v.e) == Category::Integer => {
                let value = self.convert(Type::I8, v.e);
                self.call_rt(int, &[value]);
            }
            None => {
                let have = crate::sema::types::kinds::type_name(self.ty(v.e));
                let message = format!("The code of {word} is INTEGER or CHARACTER, not {have}");
                return Err(self.error_at("T0605", x, message));
            }
        }
        Ok(())
    }

    fn return_statement(&mut self, s: StmtId, value: Option<ExprId>) -> Lowered<()> {
        if matches!(self.e.kind(), trueline_ir::UnitKind::Program) {
            let d = Diagnostic::warning("T0615", self.ast.stmt(s).span, "RETURN in a main program ends it");
            self.diags.push(d);
        }
        if let Some(x) = value {
            let n = self.scalar(x)?;
            self.must_be(x, n, Category::Integer)?;
            let Some(result) = self.e.result().filter(|_| self.e.kind() == trueline_ir::UnitKind::Subroutine) else {
                let message = "RETURN with a value needs a subroutine with '*' among its arguments";
                return Err(self.error_at("T0616", x, message));
            };
            self.e.set(result, n);
        }
        let all = crate::lower::emit::TempScope::ALL;
        self.free_temps(all);
        self.leave();
        Ok(())
    }

    /// The END of a construct whose label stands behind it; that of a DO stands in its body.
    pub(crate) fn construct_end(&self, s: StmtId) -> Option<StmtId> {
        match &self.ast.stmt(s).kind {
            StmtKind::If(c) => c.end,
            StmtKind::Select(c) => c.end,
            StmtKind::Where(c) => c.end,
            StmtKind::Forall(c) => c.end,
            StmtKind::Associate(c) => c.end,
            StmtKind::Block(c) => c.end,
            _ => None,
        }
    }

    /// Whether an assignment is the definition of a statement function.
    pub(crate) fn is_statement_function(&self, target: ExprId, value: ExprId) -> bool {
        matches!(self.ast.expr(target).kind, ExprKind::Call { .. })
            && self.root_of(target).is_some_and(
                |id| matches!(self.symbol(id).kind, SymbolKind::StatementFunction { body, .. } if body == value),
            )
    }
}

impl Exprs<'_, '_> {
    /// A place that may be assigned.
    pub(crate) fn assignable(&mut self, target: ExprId) -> Lowered<Val> {
        if !self.is_variable_reference(target) {
            let span = self.ast.span(target);
            if let Some(place) = self.pointed_at_by_result(target)? {
                return Ok(place);
            }
            if let Some(id) = self.root_of(target) {
                let s = self.symbol(id);
                let message = match &s.kind {
                    SymbolKind::Error => return Err(Failed),
                    SymbolKind::Parameter => format!("The named constant '{}' cannot be assigned", s.name),
                    SymbolKind::Variable if self.associates.contains_key(&id) => {
                        format!("'{}' is associated with a value and cannot be assigned", s.name)
                    }
                    SymbolKind::Variable => format!("The index '{}' cannot be assigned here", s.name),
                    _ => format!("'{}' is not a variable and cannot be assigned", s.name),
                };
                return Err(self.report(Diagnostic::error("T0602", span, message).because(s.span, "declared here")));
            }
            if let ExprKind::Name(name) = self.ast.expr(target).kind {
                self.resolve_at(name, span)?;
            }
            return Err(self.error("T0602", span, "Only a variable can be assigned"));
        }
        if !self.typing().is_whole_pointer(target) && !self.typing().is_pointer_component(target) {
            self.check_definable(target, "assigned")?;
        }
        self.reference(target)
    }

    /// The target of the POINTER that a function returns, which may stand on the left side (Fortran 2008, R602).
    fn pointed_at_by_result(&mut self, target: ExprId) -> Lowered<Option<Val>> {
        if !matches!(self.ast.expr(target).kind, ExprKind::Call { .. }) {
            return Ok(None);
        }
        let is_function = |k: &SymbolKind| matches!(k, SymbolKind::Procedure(_) | SymbolKind::Generic(_));
        if !self.root_of(target).is_some_and(|id| is_function(&self.symbol(id).kind)) {
            return Ok(None);
        }
        let v = self.expr(target)?;
        let ExprData::Var(sym) = self.e.expr(v.e) else { return Ok(None) };
        Ok(self.descriptors.get(&sym).is_some_and(|d| d.is_pointer).then_some(v))
    }
}

impl Variables<'_, '_> {
    /// Pushes an assignment whose parts conform.
    pub(crate) fn store(&mut self, place: Val, value: Val) {
        match (self.as_str(place), self.as_str(value), self.structure_at(place.e)) {
            (.., Some(id)) => self.store_structure(place.e, value.e, id),
            (Some(to), Some(from), None) => self.assign_str(to, from),
            _ => self.assign(place.e, value.e),
        }
    }
}

impl Source<'_, '_> {
    /// An error if the variable must not change here.
    pub(crate) fn check_definable(&mut self, x: ExprId, what: &str) -> Lowered<()> {
        let checked = self.site().check_definable(x, what);
        self.passed_check(checked)
    }
}
