//! Statements as text.

use super::{Dump, Work};
use crate::ast::*;

impl Dump<'_> {
    /// Prints the line of a statement; the statements below it are left on the stack.
    pub(super) fn stmt(&mut self, id: StmtId, indent: usize) {
        let mut below: Vec<Work> = Vec::new();
        let text = self.head(id, indent, &mut below);
        self.line(id, indent, &text);
        self.work.extend(below.into_iter().rev());
    }

    fn head(&self, id: StmtId, indent: usize, below: &mut Vec<Work>) -> String {
        let kind = &self.ast.stmt(id).kind;
        let named = |name: Option<Ident>| name.map_or(String::new(), |name| format!("{}: ", self.name(name)));
        let block =
            |body: BlockId| self.ast.block(body).iter().map(|&stmt| Work::Stmt(stmt, indent + 1)).collect::<Vec<_>>();
        let end = |end: Option<StmtId>| end.map(|end| Work::Line(end, indent, "end".into()));
        let arms = |arms: &[Arm], below: &mut Vec<Work>| {
            for arm in arms {
                below.push(Work::Stmt(arm.head, indent));
                below.extend(block(arm.body));
            }
        };
        match kind {
            StmtKind::If(one) => {
                below.extend(block(one.then));
                arms(&one.arms, below);
                below.extend(end(one.end));
                format!("{}if {} then", named(one.name), self.expr(one.cond))
            }
            StmtKind::Select(one) => {
                arms(&one.arms, below);
                below.extend(end(one.end));
                format!("{}select case {}", named(one.name), self.expr(one.selector))
            }
            StmtKind::Do(one) => {
                below.extend(block(one.body));
                below.extend(end(one.end));
                let label = one.label.map_or(String::new(), |label| format!("{} ", label.label));
                let terminal = one.terminal.filter(|_| one.end.is_none());
                let line = terminal.map(|stmt| self.map.start(self.ast.stmt(stmt).span).line);
                let to = line.map_or(String::new(), |line| format!(" until line {line}"));
                format!("{}do {label}{}{to}", named(one.name), self.control(&one.control))
            }
            StmtKind::Where(one) => {
                below.extend(block(one.body));
                arms(&one.arms, below);
                below.extend(end(one.end));
                format!("{}where {}", named(one.name), self.expr(one.mask))
            }
            StmtKind::Forall(one) => {
                below.extend(block(one.body));
                below.extend(end(one.end));
                format!("{}forall {}", named(one.name), self.forall(&one.header))
            }
            StmtKind::Associate(one) => {
                below.extend(block(one.body));
                below.extend(end(one.end));
                let list: Vec<String> = one
                    .associations
                    .iter()
                    .map(|(name, e)| format!("{} => {}", self.name(*name), self.expr(*e)))
                    .collect();
                format!("{}associate ({})", named(one.name), list.join(", "))
            }
            StmtKind::Block(one) => {
                below.extend(one.spec.iter().map(|&stmt| Work::Stmt(stmt, indent + 1)));
                below.extend(block(one.body));
                below.extend(end(one.end));
                format!("{}block", named(one.name))
            }
            StmtKind::DerivedType(one) => {
                below.extend(one.items.iter().map(|&stmt| Work::Stmt(stmt, indent + 1)));
                below.extend(end(one.end));
                format!("type{} :: {}", self.attrs(&one.attrs), self.name(one.name))
            }
            StmtKind::Interface(one) => {
                below.extend(one.bodies.iter().map(|&unit| Work::Unit(unit, indent + 1)));
                below.extend(one.procedures.iter().map(|&stmt| Work::Stmt(stmt, indent + 1)));
                below.extend(end(one.end));
                let word = if one.is_abstract { "abstract interface" } else { "interface" };
                one.generic.map_or(word.into(), |generic| format!("{word} {}", self.generic(generic)))
            }
            StmtKind::IfLogical { cond, body } => {
                below.push(Work::Stmt(*body, indent + 1));
                format!("if {}", self.expr(*cond))
            }
            StmtKind::WhereStmt { mask, body } => {
                below.push(Work::Stmt(*body, indent + 1));
                format!("where {}", self.expr(*mask))
            }
            StmtKind::ForallStmt { header, body } => {
                below.push(Work::Stmt(*body, indent + 1));
                format!("forall {}", self.forall(header))
            }
            kind => self.plain(kind),
        }
    }

    fn plain(&self, kind: &StmtKind) -> String {
        let name = |name: &Option<Ident>| name.map_or(String::new(), |name| format!(" {}", self.name(name)));
        let maybe = |e: &Option<ExprId>| e.map_or(String::new(), |e| format!(" {}", self.expr(e)));
        match kind {
            StmtKind::Assign { target, value } => format!("{} = {}", self.expr(*target), self.expr(*value)),
            StmtKind::PointerAssign { target, value } => format!("{} => {}", self.expr(*target), self.expr(*value)),
            StmtKind::Call { callee, args } => format!("call {}({})", self.expr(*callee), self.args(*args)),
            StmtKind::Continue => "continue".into(),
            StmtKind::Goto(label) => format!("goto {}", label.label),
            StmtKind::ComputedGoto(one) => {
                format!("goto ({}), {}", labels(&one.labels), self.expr(one.selector))
            }
            StmtKind::AssignedGoto(one) => format!("goto {} ({})", self.name(one.var), labels(&one.labels)),
            StmtKind::AssignLabel { label, var } => format!("assign {} to {}", label.label, self.name(*var)),
            StmtKind::IfArith { value, labels: three } => {
                format!("if {} goto {}", self.expr(*value), labels(&three[..]))
            }
            StmtKind::ElseIf { cond } => format!("else if {}", self.expr(*cond)),
            StmtKind::Else => "else".into(),
            StmtKind::Case(CaseSelector::Default) => "case default".into(),
            StmtKind::Case(CaseSelector::Ranges(ranges)) => {
                let ranges: Vec<String> = ranges.iter().map(|range| self.case_range(range)).collect();
                format!("case {}", ranges.join(", "))
            }
            StmtKind::Elsewhere { mask } => format!("elsewhere{}", maybe(mask)),
            StmtKind::Cycle(to) => format!("cycle{}", name(to)),
            StmtKind::Exit(from) => format!("exit{}", name(from)),
            StmtKind::Return(value) => format!("return{}", maybe(value)),
            StmtKind::Stop { code, quiet, error } => {
                let quiet = quiet.map_or(String::new(), |(_, x)| format!(", quiet = {}", self.expr(x)));
                format!("{}stop{}{quiet}", if *error { "error " } else { "" }, maybe(code))
            }
            StmtKind::Pause(code) => format!("pause{}", maybe(code)),
            StmtKind::Allocate(one) => format!("allocate {}", self.allocate(one)),
            StmtKind::Deallocate(one) => format!("deallocate {}", self.allocate(one)),
            StmtKind::Nullify(list) => format!("nullify {}", self.exprs(*list)),
            StmtKind::Io(io) => self.io(io),
            StmtKind::Format(text) => format!("format {}", self.escaped(*text)),
            StmtKind::Entry(entry) => format!(
                "entry {}{}{}",
                self.name(entry.name),
                self.params(&entry.params),
                self.result_and_bind(entry.result, entry.bind)
            ),
            StmtKind::Header => "header".into(),
            StmtKind::Contains => "contains".into(),
            StmtKind::End { name: end } => format!("end{}", name(end)),
            StmtKind::Directive(directive) => self.directive(directive),
            StmtKind::Error => "<error>".into(),
            kind => self.specification(kind),
        }
    }

    fn control(&self, control: &DoControl) -> String {
        match control {
            DoControl::Forever => "forever".into(),
            DoControl::Count { var, from, to, step } => {
                let step = step.map_or(String::new(), |step| format!(", {}", self.expr(step)));
                format!("{} = {}, {}{step}", self.name(*var), self.expr(*from), self.expr(*to))
            }
            DoControl::While(cond) => format!("while {}", self.expr(*cond)),
            DoControl::Concurrent(header) => format!("concurrent {}", self.forall(header)),
        }
    }

    fn forall(&self, header: &ForallHeader) -> String {
        let ty = header.ty.as_ref().map_or(String::new(), |ty| format!("{} :: ", self.type_spec(ty)));
        let mut parts: Vec<String> = header
            .triplets
            .iter()
            .map(|one| {
                let step = one.step.map_or(String::new(), |step| format!(":{}", self.expr(step)));
                format!("{} = {}:{}{step}", self.name(one.index), self.expr(one.lo), self.expr(one.hi))
            })
            .collect();
        parts.extend(header.mask.map(|mask| format!("mask {}", self.expr(mask))));
        format!("({ty}{})", parts.join(", "))
    }

    fn case_range(&self, range: &CaseRange) -> String {
        match (range.lo, range.hi) {
            (Some(lo), Some(hi)) if lo == hi => self.expr(lo),
            (lo, hi) => {
                let text = |e: Option<ExprId>| e.map_or(String::new(), |e| self.expr(e));
                format!("{}:{}", text(lo), text(hi))
            }
        }
    }

    fn allocate(&self, one: &Allocate) -> String {
        let ty = one.ty.as_ref().map_or(String::new(), |ty| format!("{} :: ", self.type_spec(ty)));
        let options: String = one
            .options
            .iter()
            .map(|(option, _, e)| format!(", {}={}", format!("{option:?}").to_lowercase(), self.expr(*e)))
            .collect();
        format!("{ty}{}{options}", self.exprs(one.objects))
    }

    fn io(&self, io: &Io) -> String {
        let controls: Vec<String> = io
            .controls
            .iter()
            .map(|control| {
                let value = match control.value {
                    IoValue::Expr(e) => self.expr(e),
                    IoValue::Star => "*".into(),
                    IoValue::Label(label) => format!("label {}", label.label),
                };
                format!("{}={value}", control.spec.word())
            })
            .collect();
        let word = io.kind.word().to_lowercase();
        if io.items.is_empty() {
            return format!("{word} ({})", controls.join(", "));
        }
        format!("{word} ({}) {}", controls.join(", "), self.exprs(io.items))
    }
}

fn labels(labels: &[LabelRef]) -> String {
    labels.iter().map(|label| label.label.to_string()).collect::<Vec<_>>().join(", ")
}
