//! HPF directives: they are checked against the declarations, and kept for the units.
//!
//! On one processor a directive changes nothing, but a wrong one is an error all the same: it would
//! change a distributed program.

pub(crate) mod profiling;

use crate::constant::eval::const_eval;
use crate::infos::Serials;
use crate::infos::text;
use crate::scope::symbol::{SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::visit;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostic, Diagnostics, SourceMap, Span};
use trueline_provenance::Serial;
use trueline_syntax::Name;
use trueline_syntax::ast::{
    AlignSource, AlignSubscript, Alignment, Ast, BlockId, Clauses, Directive, DistFormat, DistKind, Distribution,
    DoControl, Entity, ExprId, ExprKind, Hpf, HpfAttr, HpfAttrKind, Ident, Onto, SaveItem, StmtId, StmtKind, UnitId,
};

/// A directive that was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The source statement.
    pub serial: Serial,
    /// Its keyword, lower case.
    pub kind: String,
    /// The text.
    pub text: String,
    /// The symbols it maps.
    pub symbols: Vec<SymbolId>,
    /// The loop it stands before.
    pub of_loop: Option<Serial>,
}

/// The directives of each scope, in source order.
pub type Directives = FxHashMap<ScopeId, Vec<Checked>>;

/// Checks the directives of all units.
pub fn check(decls: &Declarations<'_>, serials: &Serials, map: &SourceMap, diags: &mut Diagnostics) -> Directives {
    let mut out = Directives::default();
    for (scope, data) in decls.scopes.iter() {
        let Some(unit) = data.unit.filter(|_| data.kind != ScopeKind::Interface) else { continue };
        if !decls.ast(scope).has_directives {
            continue;
        }
        let mut c = Check {
            decls,
            serials,
            map,
            diags,
            ast: decls.ast(scope),
            index: data.ast,
            scope,
            mapped: FxHashMap::default(),
            dynamic: FxHashSet::default(),
            out: Vec::new(),
            profiling: Vec::new(),
        };
        c.unit(unit);
        if !c.out.is_empty() {
            out.insert(scope, c.out);
        }
    }
    out
}

struct Check<'c, 'a> {
    decls: &'c Declarations<'a>,
    serials: &'c Serials,
    map: &'c SourceMap,
    diags: &'c mut Diagnostics,
    ast: &'a Ast,
    index: usize,
    scope: ScopeId,
    /// The symbols that have been distributed or aligned, with the places.
    mapped: FxHashMap<SymbolId, Span>,
    dynamic: FxHashSet<SymbolId>,
    out: Vec<Checked>,
    /// The directives on profiling in the procedure, in source order.
    profiling: Vec<(Span, String)>,
}

impl Check<'_, '_> {
    fn unit(&mut self, id: UnitId) {
        let ast = self.ast;
        let unit = &ast.units[id];
        for &s in &unit.spec {
            self.note_dynamic(s);
        }
        for (k, &s) in unit.spec.iter().enumerate() {
            if let StmtKind::Directive(d) = &ast.stmt(s).kind {
                // The last directives of the specification part stand before the first statement.
                let later = unit.spec[k + 1..].iter().find(|&&t| !matches!(ast.stmt(t).kind, StmtKind::Directive(_)));
                let first = self.first_statement(unit.body);
                let next = first.filter(|&f| later.is_none_or(|&l| f < l));
                self.directive(s, d, next);
            }
        }
        self.blocks(unit.body);
        crate::check::directives::profiling::check(std::mem::take(&mut self.profiling), self.diags);
    }

    fn first_statement(&self, block: BlockId) -> Option<StmtId> {
        self.ast.block(block).iter().copied().find(|&s| !matches!(self.ast.stmt(s).kind, StmtKind::Directive(_)))
    }

    /// Directives in a block and in those below it; with a stack of its own, in source order.
    fn blocks(&mut self, body: BlockId) {
        let ast = self.ast;
        // Each statement with the one that follows it in its block, directives skipped.
        let mut todo = self.with_next(ast.block(body));
        todo.reverse();
        while let Some((s, next)) = todo.pop() {
            if let StmtKind::Directive(d) = &ast.stmt(s).kind {
                self.directive(s, d, next);
            }
            let mut children: Vec<(StmtId, Option<BlockId>)> = Vec::new();
            visit::stmt_children(ast, s, &mut |child, block| children.push((child, block)));
            let at = todo.len();
            let mut k = 0;
            while k < children.len() {
                let block = children[k].1;
                let run = children[k..].iter().take_while(|c| c.1 == block).count();
                let run: Vec<StmtId> = children[k..k + run].iter().map(|c| c.0).collect();
                k += run.len();
                todo.extend(self.with_next(&run));
            }
            todo[at..].reverse();
        }
    }

    fn with_next(&self, stmts: &[StmtId]) -> Vec<(StmtId, Option<StmtId>)> {
        let mut next = None;
        let mut out: Vec<(StmtId, Option<StmtId>)> = Vec::with_capacity(stmts.len());
        for &s in stmts.iter().rev() {
            out.push((s, next));
            if !matches!(self.ast.stmt(s).kind, StmtKind::Directive(_)) {
                next = Some(s);
            }
        }
        out.reverse();
        out
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(code, span, message));
    }

    /// Reports an error in a directive about a symbol declared at `of`.
    fn wrong(&mut self, code: &'static str, span: Span, message: String, of: Span, help: &str) {
        self.diags.push(Diagnostic::error(code, span, message).because(of, "declared here").help(help));
    }

    fn note_dynamic(&mut self, s: StmtId) {
        let StmtKind::Directive(d) = &self.ast.stmt(s).kind else { return };
        if let Directive::Hpf(Hpf::Declare { attrs, entities }) = d.as_ref()
            && attrs.iter().any(|a| matches!(a.kind, HpfAttrKind::Dynamic))
        {
            let known = entities.iter().filter_map(|e| self.decls.lookup(self.scope, self.ast.name(e.name.name)));
            self.dynamic.extend(known);
        }
    }

    fn directive(&mut self, s: StmtId, d: &Directive, next: Option<StmtId>) {
        let text_of = |t| String::from_utf8_lossy(self.ast.text(t)).into_owned();
        let (kind, symbols, of_loop) = match d {
            Directive::Hpf(hpf) => self.hpf(s, hpf, next),
            Directive::Omp(t) => (format!("omp {}", text_of(t.name)), Vec::new(), None),
            Directive::Ompi(t) => (format!("ompi {}", text_of(t.name)), Vec::new(), None),
            Directive::Trueline(t) => (format!("trueline {}", text_of(t.name)), Vec::new(), None),
        };
        if let Some(serial) = self.serials.of_stmt(self.index, s) {
            let span = self.ast.stmt(s).span;
            let text = text::directive(self.map, span);
            if matches!(d, Directive::Trueline(_)) {
                self.profiling.push((span, text.clone()));
            }
            self.out.push(Checked { serial, kind, text, symbols, of_loop });
        }
    }

    fn hpf(&mut self, s: StmtId, hpf: &Hpf, next: Option<StmtId>) -> (String, Vec<SymbolId>, Option<Serial>) {
        let span = self.ast.stmt(s).span;
        match hpf {
            Hpf::Declare { attrs, entities } => {
                let symbols = self.declare(attrs, entities);
                (attrs.first().map_or("dimension", |a| word(&a.kind)).to_owned(), symbols, None)
            }
            Hpf::Redistribute { distribution, targets } => {
                let symbols = self.remap(targets, "REDISTRIBUTE");
                symbols.iter().for_each(|&id| self.distribution(id, distribution, span));
                ("redistribute".to_owned(), symbols, None)
            }
            Hpf::Realign { alignment, targets } => {
                let symbols = self.remap(targets, "REALIGN");
                symbols.iter().for_each(|&id| self.alignment(id, alignment, span));
                ("realign".to_owned(), symbols, None)
            }
            Hpf::Sequence { on, items } => {
                let symbols = self.sequence(items);
                (if *on { "sequence" } else { "no sequence" }.to_owned(), symbols, None)
            }
            Hpf::Independent(clauses) => {
                let (symbols, of_loop) = self.independent(clauses, next, span);
                ("independent".to_owned(), symbols, of_loop)
            }
            Hpf::OnHome { target, clauses, .. } => {
                let mut symbols: Vec<SymbolId> = self.root(*target).into_iter().collect();
                symbols.extend(self.clauses(clauses));
                ("on home".to_owned(), symbols, None)
            }
            Hpf::Resident { items, .. } => {
                let symbols = items.iter().filter_map(|&x| self.root(x)).collect();
                ("resident".to_owned(), symbols, None)
            }
            Hpf::Several(all) => {
                let mut found = ("several".to_owned(), Vec::new(), None);
                for one in all {
                    let (kind, symbols, _) = self.hpf(s, one, next);
                    found.0 = kind;
                    found.1.extend(symbols);
                }
                found
            }
            Hpf::EndOn => ("end on".to_owned(), Vec::new(), None),
            Hpf::EndResident => ("end resident".to_owned(), Vec::new(), None),
        }
    }

    /// The symbol of a name that a directive mentions.
    fn known(&mut self, name: Name, span: Span) -> Option<SymbolId> {
        let text = self.ast.name(name);
        if let Some(id) = self.decls.named(self.scope, name) {
            return (self.decls.symbols[id].kind != SymbolKind::Error).then_some(id);
        }
        let mut d = Diagnostic::error("T0401", span, format!("The directive names '{text}', which is not declared"));
        if !self.diags.is_full(span.file) {
            let names = self.decls.scopes[self.scope].names.keys().map(|&n| self.decls.spellings.text(n));
            d = d.help(match crate::scope::nearest::closest(text, names) {
                Some(close) => format!("Did you mean '{close}'?"),
                None => format!("Declare '{text}', or remove it from the directive"),
            });
        }
        self.diags.push(d);
        None
    }

    fn root(&mut self, x: ExprId) -> Option<SymbolId> {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.known(name, self.ast.span(x)),
            ExprKind::Call { base, .. } => self.root(base),
            _ => {
                self.error("T0402", self.ast.span(x), "A variable or template is needed here");
                None
            }
        }
    }

    fn declare(&mut self, attrs: &[HpfAttr], entities: &[Entity]) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for entity in entities {
            let Some(id) = self.known(entity.name.name, entity.name.span) else { continue };
            symbols.push(id);
            for attr in attrs {
                match &attr.kind {
                    HpfAttrKind::Distribute(d) => {
                        self.map_once(id, entity.name.span);
                        self.distribution(id, d, entity.name.span);
                    }
                    HpfAttrKind::Align(a) => {
                        self.map_once(id, entity.name.span);
                        self.alignment(id, a, entity.name.span);
                    }
                    HpfAttrKind::Inherit | HpfAttrKind::Dynamic => self.mappable(id, entity.name.span),
                    HpfAttrKind::Shadow(_) | HpfAttrKind::Range(_) => self.mappable(id, entity.name.span),
                    HpfAttrKind::Processors | HpfAttrKind::Template | HpfAttrKind::Dimension(_) => {}
                }
            }
        }
        symbols
    }

    /// Checks that the targets of REDISTRIBUTE and REALIGN are DYNAMIC.
    fn remap(&mut self, targets: &[Ident], what: &str) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for &ident in targets {
            let Some(id) = self.known(ident.name, ident.span) else { continue };
            let symbol = &self.decls.symbols[id];
            if symbol.scope == self.scope && !self.dynamic.contains(&id) {
                let message = format!("{what} changes the mapping of '{}', which is not DYNAMIC", symbol.name);
                let d = Diagnostic::error("T0403", ident.span, message).because(symbol.span, "declared here");
                self.diags.push(d.help(format!("Add !HPF$ DYNAMIC {}", symbol.name)));
            }
            symbols.push(id);
        }
        symbols
    }

    fn map_once(&mut self, id: SymbolId, span: Span) {
        if let Some(first) = self.mapped.insert(id, span) {
            let message = format!("'{}' is mapped twice", self.decls.symbols[id].name);
            let d = Diagnostic::error("T0404", span, message).because(first, "first mapped here");
            self.diags.push(d.help("Remove one of the two directives"));
        }
    }

    /// Whether something can be distributed or aligned: a variable or a template.
    fn mappable(&mut self, id: SymbolId, span: Span) {
        let symbol = &self.decls.symbols[id];
        if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Template) {
            let message = format!("'{}' is neither an array nor a template", symbol.name);
            let d = Diagnostic::error("T0405", span, message).because(symbol.span, "declared here");
            self.diags.push(d.help("Name an array, or declare a TEMPLATE"));
        }
    }

    fn distribution(&mut self, id: SymbolId, d: &Distribution, span: Span) {
        self.mappable(id, span);
        let symbol = &self.decls.symbols[id];
        let (name, rank, at) = (symbol.name.clone(), symbol.rank(), symbol.span);
        let mut distributed = None;
        if let Some(formats) = &d.formats {
            if formats.len() != rank {
                let message = format!("'{name}' has rank {rank}, but {} formats are given", formats.len());
                let d = Diagnostic::error("T0406", d.span, message).because(at, "declared here");
                self.diags.push(d.help("Give one format for each dimension, '*' for one that is not distributed"));
            }
            distributed = Some(formats.iter().filter(|f| f.kind != DistKind::Collapsed).count());
            formats.iter().for_each(|f| self.format(f, at));
        }
        if let Some(Onto::Processors(x) | Onto::Asserted(x)) = d.onto {
            self.onto(x, distributed, d.formats.is_some());
        }
    }

    /// BLOCK(n) and CYCLIC(n): a positive size.
    fn format(&mut self, f: &DistFormat, of: Span) {
        let (Some(x), DistKind::Block | DistKind::Cyclic) = (f.size, f.kind) else { return };
        match const_eval(self.decls, self.scope, x) {
            Ok(v) if v.as_int().is_some_and(|n| n > 0) => {}
            Ok(_) => {
                let d = Diagnostic::error("T0407", f.span, "The size of a block must be a positive INTEGER");
                let d = d.because(of, "this is to be distributed");
                self.diags.push(d.help("Use BLOCK or CYCLIC alone, or a size of 1 or more"));
            }
            Err(why) if why.is_runtime() => {}
            Err(why) => why.report("The size of a block").into_iter().for_each(|d| self.diags.push(d)),
        }
    }

    fn onto(&mut self, x: ExprId, distributed: Option<usize>, given: bool) {
        let Some(id) = self.root(x) else { return };
        let symbol = &self.decls.symbols[id];
        let span = self.ast.span(x);
        if symbol.kind != SymbolKind::Processors {
            let message = format!("'{}' is not a processor arrangement", symbol.name);
            let d = Diagnostic::error("T0408", span, message).because(symbol.span, "declared here");
            self.diags.push(d.help("Declare one by !HPF$ PROCESSORS"));
            return;
        }
        let whole = matches!(self.ast.expr(x).kind, ExprKind::Name(_));
        if let Some(n) = distributed.filter(|&n| given && whole && n != symbol.rank()) {
            let message = format!("{n} dimensions are distributed onto '{}', which has {}", symbol.name, symbol.rank());
            let d = Diagnostic::error("T0409", span, message).because(symbol.span, "declared here");
            self.diags.push(d.help("Use '*' for dimensions that are not distributed, or another arrangement"));
        }
    }

    fn alignment(&mut self, id: SymbolId, a: &Alignment, span: Span) {
        self.mappable(id, span);
        let symbol = &self.decls.symbols[id];
        let (name, rank, at) = (symbol.name.clone(), symbol.rank(), symbol.span);
        if let Some(source) = &a.source
            && source.len() != rank
        {
            let message = format!("'{name}' has rank {rank}, but {} subscripts are given", source.len());
            let d = Diagnostic::error("T0410", a.span, message).because(at, "declared here");
            self.diags.push(d.help("Give one subscript for each dimension, '*' for one that is not aligned"));
        }
        let Some(target) = a.target.and_then(|t| self.known(t.name, t.span)) else { return };
        let target_span = a.target.map_or(a.span, |t| t.span);
        if target == id {
            let d = Diagnostic::error("T0411", target_span, format!("'{name}' is aligned with itself"));
            self.diags.push(d.because(at, "declared here").help("Align it with another array or a template"));
            return;
        }
        self.mappable(target, target_span);
        let target = &self.decls.symbols[target];
        let (target_name, target_rank, target_at) = (target.name.clone(), target.rank(), target.span);
        if !a.subscripts.is_empty() && a.subscripts.len() != target_rank {
            let given = a.subscripts.len();
            let message = format!("'{target_name}' has rank {target_rank}, but {given} subscripts are given");
            let d = Diagnostic::error("T0410", target_span, message).because(target_at, "declared here");
            self.diags.push(d.help("Give one subscript for each dimension, '*' for copies along one"));
        }
        self.align_dummies(a, at);
    }

    /// Each dummy of an alignment is used in at most one subscript of the target, and each subscript has
    /// at most one; every `:` of the source needs a section of the target.
    fn align_dummies(&mut self, a: &Alignment, of: Span) {
        let source = a.source.as_deref().unwrap_or_default();
        let mut names: Vec<Ident> = Vec::new();
        for s in source {
            if let AlignSource::Name(ident) = s {
                if names.iter().any(|n| n.name == ident.name) {
                    let message = format!("'{}' stands for two dimensions", self.ast.name(ident.name));
                    let help = "Use a name of its own for each dimension";
                    self.wrong("T0412", ident.span, message, of, help);
                }
                names.push(*ident);
            }
        }
        let mut used: Vec<Name> = Vec::new();
        for s in &a.subscripts {
            let AlignSubscript::Expr(x) = s else { continue };
            let here = self.subscript_dummies(*x, &names, of);
            if here.len() > 1 {
                let message = "A subscript of an alignment has more than one dummy";
                self.wrong("T0413", self.ast.span(*x), message.to_owned(), of, "Use one dummy in each subscript");
            }
            for n in here {
                if used.contains(&n) {
                    let message = format!("'{}' is used in two subscripts", self.ast.name(n));
                    self.wrong(
                        "T0412",
                        self.ast.span(*x),
                        message,
                        of,
                        "Use each dummy in one subscript of the target",
                    );
                }
                used.push(n);
            }
        }
        let colons = source.iter().filter(|s| matches!(s, AlignSource::Colon(_))).count();
        let sections = a.subscripts.iter().filter(|s| matches!(s, AlignSubscript::Section { .. })).count();
        if !a.subscripts.is_empty() && a.source.is_some() && colons != sections {
            let message = format!("{colons} dimensions ':' are aligned with {sections} sections");
            self.wrong("T0414", a.span, message, of, "Give one section for each ':'");
        }
    }

    /// The dummies of an alignment in a subscript, each once; other names in it must be known.
    fn subscript_dummies(&mut self, x: ExprId, names: &[Ident], of: Span) -> Vec<Name> {
        let (mut here, mut others, mut again): (Vec<Name>, Vec<(Name, Span)>, Option<Name>) = Default::default();
        visit::expressions(self.ast, x, &mut |x| {
            let ExprKind::Name(n) = self.ast.expr(x).kind else { return };
            if !names.iter().any(|d| d.name == n) {
                others.push((n, self.ast.span(x)));
            } else if here.contains(&n) {
                again = Some(n);
            } else {
                here.push(n);
            }
        });
        for (n, span) in others {
            if crate::intrinsic::lookup(self.ast.name(n)).is_none() {
                self.known(n, span);
            }
        }
        if let Some(n) = again {
            let message = format!("The subscript is not a linear function of '{}'", self.ast.name(n));
            self.wrong("T0417", self.ast.span(x), message, of, "Write it as a*i + b with constants a and b");
        }
        here
    }

    fn sequence(&mut self, items: &[SaveItem]) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for item in items {
            if let SaveItem::Name(ident) = item {
                symbols.extend(self.known(ident.name, ident.span));
            }
        }
        symbols
    }

    fn independent(&mut self, clauses: &Clauses, next: Option<StmtId>, span: Span) -> (Vec<SymbolId>, Option<Serial>) {
        let symbols = self.clauses(clauses);
        let of_loop = next.filter(|&n| match &self.ast.stmt(n).kind {
            StmtKind::Do(d) => !matches!(d.control, DoControl::Forever | DoControl::While(_)),
            StmtKind::Forall(_) | StmtKind::ForallStmt { .. } => true,
            _ => false,
        });
        if of_loop.is_none() {
            let mut d = Diagnostic::error("T0415", span, "INDEPENDENT must stand before a counted DO or a FORALL");
            if let Some(next) = next {
                d = d.because(self.ast.stmt(next).span, "this is what follows");
            }
            self.diags.push(d.help("Put it directly before the loop, or remove it"));
        }
        (symbols, of_loop.and_then(|n| self.serials.of_stmt(self.index, n)))
    }

    fn clauses(&mut self, clauses: &Clauses) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for ident in &clauses.new {
            let Some(id) = self.known(ident.name, ident.span) else { continue };
            let symbol = &self.decls.symbols[id];
            if !symbol.is_variable() {
                let message = format!("'{}' in NEW is not a variable", symbol.name);
                let d = Diagnostic::error("T0416", ident.span, message).because(symbol.span, "declared here");
                self.diags.push(d.help("Name a variable that each iteration has for itself"));
            }
            symbols.push(id);
        }
        symbols.extend(clauses.reduction.iter().filter_map(|&(_, x)| self.root(x)));
        symbols.extend(clauses.home.and_then(|x| self.root(x)));
        symbols.extend(clauses.resident.iter().flatten().filter_map(|&x| self.root(x)));
        symbols
    }
}

fn word(kind: &HpfAttrKind) -> &'static str {
    match kind {
        HpfAttrKind::Processors => "processors",
        HpfAttrKind::Template => "template",
        HpfAttrKind::Dimension(_) => "dimension",
        HpfAttrKind::Dynamic => "dynamic",
        HpfAttrKind::Inherit => "inherit",
        HpfAttrKind::Distribute(_) => "distribute",
        HpfAttrKind::Align(_) => "align",
        HpfAttrKind::Shadow(_) => "shadow",
        HpfAttrKind::Range(_) => "range",
    }
}
