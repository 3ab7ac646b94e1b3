//! HPF directives.

use trueline_diag::{Diagnostic, Span};

use super::Builder;
use crate::ast::*;

impl Builder {
    /// DISTRIBUTE
    pub fn distribute(&mut self, all: Vec<(Distribution, Vec<Ident>)>) -> Hpf {
        self.one_or_several(all, |b, (distribution, targets)| {
            let span = distribution.span;
            let attrs = vec![HpfAttr { kind: HpfAttrKind::Distribute(distribution), span }];
            Hpf::Declare { attrs, entities: b.bare_entities(targets) }
        })
    }

    /// REDISTRIBUTE
    pub fn redistribute(&mut self, all: Vec<(Distribution, Vec<Ident>)>) -> Hpf {
        self.one_or_several(all, |_, (distribution, targets)| Hpf::Redistribute { distribution, targets })
    }

    /// ALIGN
    pub fn align(&mut self, all: Vec<(Alignment, Vec<Ident>)>) -> Hpf {
        self.one_or_several(all, |b, (alignment, targets)| {
            let span = alignment.span;
            let attrs = vec![HpfAttr { kind: HpfAttrKind::Align(alignment), span }];
            Hpf::Declare { attrs, entities: b.bare_entities(targets) }
        })
    }

    /// REALIGN
    pub fn realign(&mut self, all: Vec<(Alignment, Vec<Ident>)>) -> Hpf {
        self.one_or_several(all, |_, (alignment, targets)| Hpf::Realign { alignment, targets })
    }

    fn one_or_several<T>(&mut self, all: Vec<T>, mut make: impl FnMut(&mut Self, T) -> Hpf) -> Hpf {
        let mut made: Vec<Hpf> = all.into_iter().map(|one| make(self, one)).collect();
        if made.len() == 1 { made.remove(0) } else { Hpf::Several(made) }
    }

    /// Names with something of their own each.
    pub fn several<T>(&mut self, one: (T, Ident), more: Vec<(T, Ident)>, word: &str) -> Vec<(T, Vec<Ident>)> {
        if let Some((_, second)) = more.first() {
            let slip = match word {
                "DISTRIBUTE" => "DISTRIBUTE with a list takes '::', as in DISTRIBUTE (BLOCK) :: a, b",
                _ => "ALIGN with a list takes '::', as in ALIGN (i) WITH t(i) :: a, b",
            };
            self.spelling(second.span, slip);
        }
        std::iter::once(one).chain(more).map(|(what, name)| (what, vec![name])).collect()
    }

    /// `DISTRIBUTE t`: the formats are the compiler's choice.
    pub fn distribute_name(&mut self, l: u32, name: Ident, r: u32) -> (Distribution, Ident) {
        self.spelling(name.span, "DISTRIBUTE takes formats, as in DISTRIBUTE t(BLOCK); BLOCK is assumed");
        (Distribution { formats: None, descriptive: false, onto: None, span: self.span(l, r) }, name)
    }

    /// `ALIGN a(i), b(i) WITH t(i)`, `ALIGN a, b WITH t`.
    pub fn align_items(
        &mut self,
        items: Vec<(Ident, Option<Vec<AlignSource>>)>,
        target: Alignment,
    ) -> Vec<(Alignment, Vec<Ident>)> {
        if let [_, second, ..] = items.as_slice() {
            self.spelling(second.0.span, "ALIGN with a list takes '::', as in ALIGN (i) WITH t(i) :: a, b");
        }
        let each = |(name, source): (Ident, Option<Vec<AlignSource>>)| {
            let span = Span::new(name.span.file, name.span.start, target.span.end);
            (Alignment { source, span, ..target.clone() }, vec![name])
        };
        items.into_iter().map(each).collect()
    }

    /// `ALIGN (i) WITH t(i) :: a, b`; also `ALIGN WITH t(i) :: a(i)`.
    pub fn align_entities(
        &mut self,
        alignment: Alignment,
        items: Vec<(Ident, Option<Vec<AlignSource>>)>,
    ) -> Vec<(Alignment, Vec<Ident>)> {
        let Some((name, _)) = items.iter().find(|(_, source)| source.is_some()) else {
            return vec![(alignment, items.into_iter().map(|(name, _)| name).collect())];
        };
        self.spelling(name.span, "The subscripts of an alignment stand behind ALIGN, as in ALIGN (i) WITH t(i) :: a");
        let each = |(name, source): (Ident, Option<Vec<AlignSource>>)| {
            (Alignment { source: source.or_else(|| alignment.source.clone()), ..alignment.clone() }, vec![name])
        };
        items.into_iter().map(each).collect()
    }

    /// A directive that gives each name an attribute of its own.
    pub fn each<T>(&mut self, one: (Ident, T), more: Vec<(Ident, T)>, kind: impl Fn(T) -> HpfAttrKind) -> Hpf {
        let all: Vec<(Ident, T)> = std::iter::once(one).chain(more).collect();
        self.one_or_several(all, |b, (name, what)| {
            let attrs = vec![HpfAttr { kind: kind(what), span: name.span }];
            Hpf::Declare { attrs, entities: b.bare_entities(vec![name]) }
        })
    }

    /// RANGE
    pub fn range(&mut self, name: Ident, sets: Vec<Vec<DistFormat>>, l: u32, r: u32) -> Hpf {
        let attrs = vec![HpfAttr { kind: HpfAttrKind::Range(sets), span: self.span(l, r) }];
        Hpf::Declare { attrs, entities: self.bare_entities(vec![name]) }
    }

    /// `BLOCK()` and `CYCLIC()` in RANGE.
    pub fn range_format(&mut self, l: u32, name: Ident, r: u32) -> DistFormat {
        let mut format = self.dist_format(l, name, None, None, r);
        format.kind = match format.kind {
            DistKind::Block => DistKind::AnyBlock,
            DistKind::Cyclic => DistKind::AnyCyclic,
            other => other,
        };
        format
    }

    /// `REDUCTION (op: variables)`
    pub fn reduction(&mut self, op: Option<ReductionOp>, vars: Vec<ExprId>) -> Clauses {
        Clauses { reduction: vars.into_iter().map(|v| (op, v)).collect(), ..Clauses::default() }
    }

    /// An operation that is named by a word.
    pub fn reduction_op(&mut self, name: Ident) -> ReductionOp {
        match self.word(name.name) {
            "max" => ReductionOp::Max,
            "min" => ReductionOp::Min,
            "iand" => ReductionOp::Iand,
            "ior" => ReductionOp::Ior,
            "ieor" => ReductionOp::Ieor,
            other => {
                let message = format!("Unknown reduction operation '{other}'");
                let help = "The operations are +, *, .AND., .OR., .EQV., .NEQV., MAX, MIN, IAND, IOR and IEOR";
                self.diags.push(Diagnostic::error("T0140", name.span, message).help(help));
                ReductionOp::Add
            }
        }
    }

    /// Notes a spelling that is accepted, but is not HPF.
    pub fn spelling(&mut self, span: Span, slip: &'static str) {
        self.ast.spellings.push((span, slip));
    }

    /// From a place to the end of a span.
    pub fn from(&self, start: u32, to: Span) -> Span {
        Span::new(to.file, start, to.end)
    }

    /// One format of a DISTRIBUTE.
    pub fn dist_format(
        &mut self,
        l: u32,
        name: Ident,
        size: Option<ExprId>,
        shadow: Option<(Ident, Shadow)>,
        r: u32,
    ) -> DistFormat {
        if let Some((word, _)) = shadow
            && self.word(word.name) != "shadow"
        {
            self.error("T0140", word.span, "Expected SHADOW= in a distribution format");
        }
        let shadow = shadow.map(|(_, shadow)| shadow);
        let kind = match self.word(name.name) {
            "block" => DistKind::Block,
            "cyclic" => DistKind::Cyclic,
            "gen_block" => DistKind::GenBlock,
            "indirect" => DistKind::Indirect,
            "all" => DistKind::All,
            other => {
                let message = format!("Unknown distribution format '{other}'");
                let help = "The formats are BLOCK, CYCLIC, GEN_BLOCK, INDIRECT and *";
                self.diags.push(Diagnostic::error("T0140", name.span, message).help(help));
                DistKind::Block
            }
        };
        DistFormat { kind, size, shadow, span: self.span(l, r) }
    }

    /// The clauses of a directive together.
    pub fn clauses(&mut self, clauses: Vec<Clauses>) -> Clauses {
        let mut all = Clauses::default();
        for clause in clauses {
            all.new.extend(clause.new);
            all.reduction.extend(clause.reduction);
            all.home = all.home.or(clause.home);
            if let Some(items) = clause.resident {
                all.resident.get_or_insert_default().extend(items);
            }
        }
        all
    }

    fn bare_entities(&mut self, names: Vec<Ident>) -> Vec<Entity> {
        names.into_iter().map(|name| self.entity(name, None, None, Init::None, name.span.end)).collect()
    }
}
