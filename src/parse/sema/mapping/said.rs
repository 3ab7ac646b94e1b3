//! The directives about each symbol, gathered from all scopes.

use crate::infos::Serials;
use crate::scope::symbol::SymbolId;
use crate::scope::{Declarations, ScopeId, ScopeKind};
use rustc_hash::FxHashMap;
use trueline_diag::Span;
use trueline_provenance::Serial;
use trueline_syntax::ast::{
    Alignment, Directive, DistFormat, Distribution, Entity, Hpf, HpfAttr, HpfAttrKind, SaveItem, Shadow, StmtId,
    StmtKind,
};

/// The directives about one symbol; each with the place of the name in the directive.
#[derive(Default)]
pub(super) struct About<'a> {
    pub(super) distribution: Option<(&'a Distribution, Span)>,
    pub(super) alignment: Option<(&'a Alignment, Span)>,
    pub(super) dynamic: Option<Span>,
    pub(super) inherit: Option<Span>,
    pub(super) shadow: Option<(&'a [Shadow], Span)>,
    pub(super) range: Option<(&'a [Vec<DistFormat>], Span)>,
    /// SEQUENCE (true) or NO SEQUENCE.
    pub(super) sequence: Option<(bool, Span)>,
    /// The directive that maps it.
    pub(super) serial: Option<Serial>,
    /// The scope of the directive.
    pub(super) scope: Option<ScopeId>,
}

/// An executable REDISTRIBUTE or REALIGN.
pub(super) struct Remap<'a> {
    pub(super) scope: ScopeId,
    pub(super) symbol: SymbolId,
    pub(super) span: Span,
    pub(super) how: How<'a>,
    pub(super) serial: Option<Serial>,
}

/// The directive.
#[derive(Clone, Copy)]
pub(super) enum How<'a> {
    Redistribute(&'a Distribution),
    Realign(&'a Alignment),
}

/// All of it.
#[derive(Default)]
pub(super) struct Said<'a> {
    all: FxHashMap<SymbolId, About<'a>>,
    /// The symbols in the order of their first mention.
    pub(super) order: Vec<SymbolId>,
    pub(super) remaps: Vec<Remap<'a>>,
    /// SEQUENCE and NO SEQUENCE of COMMON blocks, by scope and name.
    pub(super) blocks: FxHashMap<(ScopeId, String), bool>,
    /// A SEQUENCE without a list.
    pub(super) whole: FxHashMap<ScopeId, bool>,
}

impl<'a> Said<'a> {
    pub(super) fn of(decls: &Declarations<'a>, serials: &Serials) -> Said<'a> {
        let mut said = Said::default();
        for (scope, data) in decls.scopes.iter() {
            let Some(unit) = data.unit.filter(|_| data.kind != ScopeKind::Interface) else { continue };
            let ast = decls.ast(scope);
            if !ast.has_directives {
                continue;
            }
            let mut gather = Gather { decls, scope, said: &mut said, serial: None };
            for &s in &ast.units[unit].spec {
                gather.statement(s, serials);
            }
            for s in super::on::statements(ast, ast.units[unit].body) {
                gather.statement(s, serials);
            }
        }
        said
    }

    pub(super) fn about(&self, id: SymbolId) -> Option<&About<'a>> {
        self.all.get(&id)
    }

    /// The place of the directive that maps the symbol.
    pub(super) fn mapped_at(&self, id: SymbolId) -> Option<Span> {
        let about = self.all.get(&id)?;
        let distributed = about.distribution.map(|(_, span)| span);
        distributed.or(about.alignment.map(|(_, span)| span)).or(about.inherit)
    }
}

struct Gather<'g, 'a> {
    decls: &'g Declarations<'a>,
    scope: ScopeId,
    said: &'g mut Said<'a>,
    serial: Option<Serial>,
}

impl<'a> Gather<'_, 'a> {
    fn statement(&mut self, s: StmtId, serials: &Serials) {
        let ast = self.decls.ast(self.scope);
        let StmtKind::Directive(directive) = &ast.stmt(s).kind else { return };
        if let Directive::Hpf(hpf) = directive.as_ref() {
            self.serial = serials.of_stmt(self.decls.scopes[self.scope].ast, s);
            self.hpf(hpf);
        }
    }

    fn hpf(&mut self, hpf: &'a Hpf) {
        match hpf {
            Hpf::Declare { attrs, entities } => entities.iter().for_each(|e| self.declare(attrs, e)),
            Hpf::Several(all) => all.iter().for_each(|one| self.hpf(one)),
            Hpf::Redistribute { distribution, targets } => {
                for t in targets {
                    self.remap(t.name, t.span, How::Redistribute(distribution));
                }
            }
            Hpf::Realign { alignment, targets } => {
                for t in targets {
                    self.remap(t.name, t.span, How::Realign(alignment));
                }
            }
            Hpf::Sequence { on, items } => self.sequence(*on, items),
            _ => {}
        }
    }

    fn remap(&mut self, name: trueline_syntax::Name, span: Span, how: How<'a>) {
        if let Some(symbol) = self.decls.named(self.scope, name) {
            self.said.remaps.push(Remap { scope: self.scope, symbol, span, how, serial: self.serial });
        }
    }

    fn sequence(&mut self, on: bool, items: &'a [SaveItem]) {
        if items.is_empty() {
            self.said.whole.insert(self.scope, on);
        }
        for item in items {
            match item {
                SaveItem::Name(ident) => {
                    if let Some(id) = self.decls.named(self.scope, ident.name) {
                        self.about(id).sequence.get_or_insert((on, ident.span));
                    }
                }
                SaveItem::Common(name) => {
                    let text = self.decls.ast(self.scope).name(name.name).to_owned();
                    self.said.blocks.insert((self.scope, text), on);
                }
            }
        }
    }

    fn about(&mut self, id: SymbolId) -> &mut About<'a> {
        if !self.said.all.contains_key(&id) {
            self.said.order.push(id);
        }
        self.said.all.entry(id).or_default()
    }

    fn declare(&mut self, attrs: &'a [HpfAttr], entity: &Entity) {
        let Some(id) = self.decls.named(self.scope, entity.name.name) else { return };
        let (serial, scope, span) = (self.serial, self.scope, entity.name.span);
        let about = self.about(id);
        for attr in attrs {
            match &attr.kind {
                HpfAttrKind::Distribute(d) => {
                    about.distribution.get_or_insert((d, span));
                }
                HpfAttrKind::Align(a) => {
                    about.alignment.get_or_insert((a, span));
                }
                HpfAttrKind::Inherit => {
                    about.inherit.get_or_insert(span);
                }
                HpfAttrKind::Dynamic => {
                    about.dynamic.get_or_insert(span);
                    continue;
                }
                HpfAttrKind::Shadow(s) => {
                    about.shadow.get_or_insert((s, span));
                    continue;
                }
                HpfAttrKind::Range(r) => {
                    about.range.get_or_insert((r, span));
                    continue;
                }
                HpfAttrKind::Processors | HpfAttrKind::Template | HpfAttrKind::Dimension(_) => continue,
            }
            about.serial = about.serial.or(serial);
            about.scope = about.scope.or(Some(scope));
        }
    }
}
