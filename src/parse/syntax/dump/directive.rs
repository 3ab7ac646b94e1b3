//! Directives as text.

use super::Dump;
use crate::ast::*;

impl Dump<'_> {
    pub(super) fn directive(&self, directive: &Directive) -> String {
        let text = |sentinel: &str, one: &TextDirective| {
            let line = format!("{sentinel} {} | {}", self.escaped(one.name), self.escaped(one.clauses));
            line.trim_end().to_string()
        };
        match directive {
            Directive::Omp(one) => text("!$omp", one),
            Directive::Ompi(one) => text("!$ompi", one),
            Directive::Trueline(one) => text("!tl$", one),
            Directive::Hpf(one) => format!("!hpf$ {}", self.hpf(one)),
        }
    }

    fn hpf(&self, directive: &Hpf) -> String {
        match directive {
            Hpf::Declare { attrs, entities } => {
                let attrs: Vec<String> = attrs.iter().map(|attr| self.hpf_attr(&attr.kind)).collect();
                format!("{} :: {}", attrs.join(", "), self.entities(entities))
            }
            Hpf::Redistribute { distribution, targets } => {
                format!("redistribute{} :: {}", self.distribution(distribution), self.idents(targets))
            }
            Hpf::Realign { alignment, targets } => {
                format!("realign{} :: {}", self.alignment(alignment), self.idents(targets))
            }
            Hpf::Sequence { on, items } => {
                format!("{}sequence {}", if *on { "" } else { "no " }, self.save_items(items))
            }
            Hpf::Independent(clauses) => format!("independent{}", self.clauses(clauses)),
            Hpf::OnHome { target, begin, clauses } => {
                let begin = if *begin { " begin" } else { "" };
                format!("on home({}){}{begin}", self.expr(*target), self.clauses(clauses))
            }
            Hpf::EndOn => "end on".into(),
            Hpf::Resident { items, begin } => {
                let items: Vec<String> = items.iter().map(|&e| self.expr(e)).collect();
                format!("resident({}){}", items.join(", "), if *begin { " begin" } else { "" })
            }
            Hpf::EndResident => "end resident".into(),
            Hpf::Several(all) => all.iter().map(|one| self.hpf(one)).collect::<Vec<_>>().join("; "),
        }
    }

    fn hpf_attr(&self, attr: &HpfAttrKind) -> String {
        match attr {
            HpfAttrKind::Processors => "processors".into(),
            HpfAttrKind::Template => "template".into(),
            HpfAttrKind::Dimension(dims) => format!("dimension{}", self.dims(dims)),
            HpfAttrKind::Dynamic => "dynamic".into(),
            HpfAttrKind::Inherit => "inherit".into(),
            HpfAttrKind::Distribute(one) => format!("distribute{}", self.distribution(one)),
            HpfAttrKind::Align(one) => format!("align{}", self.alignment(one)),
            HpfAttrKind::Shadow(all) => {
                format!("shadow({})", all.iter().map(|&one| self.shadow(one)).collect::<Vec<_>>().join(", "))
            }
            HpfAttrKind::Range(sets) => {
                let sets: Vec<String> = sets.iter().map(|set| format!("({})", self.formats(set))).collect();
                format!("range {}", sets.join(", "))
            }
        }
    }

    fn distribution(&self, one: &Distribution) -> String {
        let mut out = String::from(if one.descriptive { " *" } else { "" });
        if let Some(formats) = &one.formats {
            out.push_str(&format!("({})", self.formats(formats)));
        }
        match one.onto {
            Some(Onto::Processors(e)) => out.push_str(&format!(" onto {}", self.expr(e))),
            Some(Onto::Any) => out.push_str(" onto *"),
            Some(Onto::Asserted(e)) => out.push_str(&format!(" onto * {}", self.expr(e))),
            None => {}
        }
        out
    }

    fn formats(&self, formats: &[DistFormat]) -> String {
        let format = |format: &DistFormat| {
            let size = format.size.map(|size| self.expr(size));
            let shadow = format.shadow.map(|one| format!("shadow={}", self.shadow(one)));
            let both: Vec<String> = size.into_iter().chain(shadow).collect();
            let word = match format.kind {
                DistKind::Collapsed => return "*".to_string(),
                DistKind::AnyBlock => return "block()".to_string(),
                DistKind::AnyCyclic => return "cyclic()".to_string(),
                DistKind::GenBlock => "genblock".to_string(),
                kind => format!("{kind:?}").to_lowercase(),
            };
            if both.is_empty() { word } else { format!("{word}({})", both.join(", ")) }
        };
        formats.iter().map(format).collect::<Vec<_>>().join(", ")
    }

    fn shadow(&self, one: Shadow) -> String {
        let (low, high) = (self.expr(one.low), self.expr(one.high));
        if one.low == one.high { low } else { format!("{low}:{high}") }
    }

    fn alignment(&self, one: &Alignment) -> String {
        let mut out = String::new();
        if let Some(source) = &one.source {
            let source: Vec<&str> = source
                .iter()
                .map(|dim| match dim {
                    AlignSource::Name(name) => self.name(*name),
                    AlignSource::Colon(_) => ":",
                    AlignSource::Star(_) => "*",
                })
                .collect();
            out.push_str(&format!("({})", source.join(", ")));
        }
        out.push_str(if one.descriptive { " with *" } else { " with " });
        out.push_str(one.target.map_or("", |target| self.name(target)));
        if !one.subscripts.is_empty() {
            let subscripts: Vec<String> = one.subscripts.iter().map(|one| self.align_subscript(one)).collect();
            out.push_str(&format!("({})", subscripts.join(", ")));
        }
        out
    }

    fn align_subscript(&self, one: &AlignSubscript) -> String {
        match one {
            AlignSubscript::Expr(e) => self.expr(*e),
            AlignSubscript::Star(_) => "*".into(),
            AlignSubscript::Section { lo, hi, step, .. } => {
                let text = |e: &Option<ExprId>| e.map_or(String::new(), |e| self.expr(e));
                let step = step.map_or(String::new(), |step| format!(":{}", self.expr(step)));
                format!("{}:{}{step}", text(lo), text(hi))
            }
        }
    }

    fn clauses(&self, clauses: &Clauses) -> String {
        let mut out = String::new();
        let exprs = |list: &[ExprId]| list.iter().map(|&e| self.expr(e)).collect::<Vec<_>>().join(", ");
        if !clauses.loops.is_empty() {
            out.push_str(&format!("({})", self.idents(&clauses.loops)));
        }
        if !clauses.new.is_empty() {
            out.push_str(&format!(", new({})", self.idents(&clauses.new)));
        }
        if !clauses.reduction.is_empty() {
            let each = |&(op, e): &(Option<ReductionOp>, ExprId)| {
                let op = op.map_or(String::new(), |op| format!("{op:?}:").to_lowercase());
                format!("{op}{}", self.expr(e))
            };
            let all: Vec<String> = clauses.reduction.iter().map(each).collect();
            out.push_str(&format!(", reduction({})", all.join(", ")));
        }
        if let Some(home) = clauses.home {
            out.push_str(&format!(", on home({})", self.expr(home)));
        }
        if let Some(resident) = &clauses.resident {
            out.push_str(&format!(", resident({})", exprs(resident)));
        }
        out
    }
}
