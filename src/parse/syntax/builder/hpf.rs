//! HPF directives.

use trueline_diag::Diagnostic;

use super::Builder;
use crate::ast::*;

impl Builder {
    /// DISTRIBUTE
    pub fn distribute(&mut self, (distribution, targets): (Distribution, Vec<Ident>)) -> Hpf {
        let span = distribution.span;
        let attrs = vec![HpfAttr { kind: HpfAttrKind::Distribute(distribution), span }];
        Hpf::Declare { attrs, entities: self.bare_entities(targets) }
    }

    /// ALIGN
    pub fn align(&mut self, (alignment, targets): (Alignment, Vec<Ident>)) -> Hpf {
        let span = alignment.span;
        let attrs = vec![HpfAttr { kind: HpfAttrKind::Align(alignment), span }];
        Hpf::Declare { attrs, entities: self.bare_entities(targets) }
    }

    /// One format of a DISTRIBUTE.
    pub fn dist_format(&mut self, l: u32, name: Ident, size: Option<ExprId>, r: u32) -> DistFormat {
        let kind = match self.word(name.name) {
            "block" => DistKind::Block,
            "cyclic" => DistKind::Cyclic,
            "gen_block" => DistKind::GenBlock,
            "indirect" => DistKind::Indirect,
            other => {
                let message = format!("Unknown distribution format '{other}'");
                let help = "The formats are BLOCK, CYCLIC, GEN_BLOCK, INDIRECT and *";
                self.diags.push(Diagnostic::error("T0140", name.span, message).help(help));
                DistKind::Block
            }
        };
        DistFormat { kind, size, span: self.span(l, r) }
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
