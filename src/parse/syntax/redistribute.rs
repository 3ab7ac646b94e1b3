//! Other distributions than the source has, for the question "what if".
//!
//! ```text
//! !HPF$ DISTRIBUTE mesh(BLOCK, *) ONTO procs     and mesh(*, BLOCK) from the command line
//! !HPF$ DISTRIBUTE mesh(*, BLOCK)
//! ```
//!
//! The other distribution is onto as many processors as there are, whatever the arrangement of the source is.

use std::fmt;
use std::str::FromStr;

use trueline_diag::Span;

use crate::ast::*;

/// The distribution of one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Dealt {
    /// `*`
    Whole,
    /// BLOCK, and the size of a block.
    Block(Option<u64>),
    /// CYCLIC, and the size of a block.
    Cyclic(Option<u64>),
}

/// A distribution of an array or template, as `mesh(*,BLOCK)` says it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Distribute {
    /// Its name in lower case.
    pub name: String,
    /// One for each dimension.
    pub formats: Vec<Dealt>,
}

impl fmt::Display for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, size) = match self {
            Dealt::Whole => return f.write_str("*"),
            Dealt::Block(size) => ("BLOCK", size),
            Dealt::Cyclic(size) => ("CYCLIC", size),
        };
        match size {
            Some(size) => write!(f, "{word}({size})"),
            None => f.write_str(word),
        }
    }
}

impl fmt::Display for Distribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formats: Vec<String> = self.formats.iter().map(Dealt::to_string).collect();
        write!(f, "{}({})", self.name, formats.join(","))
    }
}

/// The form that a distribution has.
const FORM: &str =
    "a distribution is written NAME(FORMAT,...) with the formats *, BLOCK, BLOCK(n), CYCLIC and CYCLIC(n)";

impl FromStr for Distribute {
    type Err = String;

    fn from_str(text: &str) -> Result<Distribute, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        let shown = text.escape_debug();
        let (name, rest) = text.split_once('(').ok_or_else(|| format!("'{shown}' has no formats; {FORM}"))?;
        let inside = rest.strip_suffix(')').ok_or_else(|| format!("'{shown}' does not end in ')'; {FORM}"))?;
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(format!("'{}' is no name of an array or template; {FORM}", name.escape_debug()));
        }
        let formats = inside.split(',').map(str::parse).collect::<Result<_, _>>()?;
        Ok(Distribute { name: name.to_owned(), formats })
    }
}

impl FromStr for Dealt {
    type Err = String;

    fn from_str(text: &str) -> Result<Dealt, String> {
        let (word, size) = match text.split_once('(') {
            None => (text, None),
            Some((word, size)) => {
                let size = size.strip_suffix(')').and_then(|n| n.parse().ok()).filter(|&n| n > 0);
                let wrong = || format!("'{}' has no size that is a number above 0; {FORM}", text.escape_debug());
                (word, Some(size.ok_or_else(wrong)?))
            }
        };
        match (word, size) {
            ("*", None) => Ok(Dealt::Whole),
            ("block", size) => Ok(Dealt::Block(size)),
            ("cyclic", size) => Ok(Dealt::Cyclic(size)),
            _ => Err(format!("'{}' is no format; {FORM}", text.escape_debug())),
        }
    }
}

/// A DISTRIBUTE directive of one array or template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The name.
    pub name: String,
    /// The place of the name in the directive.
    pub span: Span,
    /// The number of formats; none where they are left out.
    pub rank: Option<usize>,
}

/// The DISTRIBUTE directives of a tree, in order.
pub fn distributions(ast: &Ast) -> Vec<Found> {
    let mut out = Vec::new();
    for (attrs, entity) in declared(ast) {
        for attr in attrs {
            let HpfAttrKind::Distribute(d) = &attr.kind else { continue };
            let name = ast.name(entity.name.name).to_owned();
            out.push(Found { name, span: entity.name.span, rank: d.formats.as_ref().map(Vec::len) });
        }
    }
    out
}

/// The place where a directive aligns the array, and the name of its target.
pub fn aligned(ast: &Ast, array: &str) -> Option<(Span, String)> {
    declared(ast).filter(|(_, e)| ast.name(e.name.name) == array).find_map(|(attrs, entity)| {
        let target = attrs.iter().find_map(|a| match &a.kind {
            HpfAttrKind::Align(a) => a.target,
            _ => None,
        });
        Some((entity.name.span, ast.name(target?.name).to_owned()))
    })
}

/// The entities of all directives that declare attributes.
fn declared(ast: &Ast) -> impl Iterator<Item = (&[HpfAttr], &Entity)> {
    fn of(hpf: &Hpf) -> Vec<(&[HpfAttr], &Entity)> {
        match hpf {
            Hpf::Declare { attrs, entities } => entities.iter().map(|e| (attrs.as_slice(), e)).collect(),
            Hpf::Several(all) => all.iter().flat_map(of).collect(),
            _ => Vec::new(),
        }
    }
    let directives = ast.stmts.values().filter_map(|s| match &s.kind {
        StmtKind::Directive(d) => Some(d.as_ref()),
        _ => None,
    });
    directives.flat_map(|d| if let Directive::Hpf(hpf) = d { of(hpf) } else { Vec::new() })
}

/// Gives an array or template another distribution, in all DISTRIBUTE directives that name it and have as many formats: the number of them.
pub fn redistribute(ast: &mut Ast, wanted: &Distribute) -> usize {
    let Some(span) = distributions(ast).into_iter().find(|d| fits(d.rank, wanted) && d.name == wanted.name) else {
        return 0;
    };
    let span = span.span;
    let mut formats = Vec::with_capacity(wanted.formats.len());
    for dealt in &wanted.formats {
        let (kind, size) = match *dealt {
            Dealt::Whole => (DistKind::Collapsed, None),
            Dealt::Block(size) => (DistKind::Block, size),
            Dealt::Cyclic(size) => (DistKind::Cyclic, size),
        };
        let size =
            size.map(|value| ast.exprs.push(Expr { kind: ExprKind::Int { value, kind: KindParam::Default }, span }));
        formats.push(DistFormat { kind, size, shadow: None, span });
    }
    let names = &ast.names;
    let is_meant = |e: &Entity| names.text(e.name.name) == wanted.name;
    let mut changed = 0;
    for stmt in ast.stmts.values_mut() {
        if let StmtKind::Directive(d) = &mut stmt.kind
            && let Directive::Hpf(hpf) = d.as_mut()
        {
            changed += change(hpf, &is_meant, &formats);
        }
    }
    changed
}

fn fits(rank: Option<usize>, wanted: &Distribute) -> bool {
    rank.is_none_or(|rank| rank == wanted.formats.len())
}

fn change(hpf: &mut Hpf, is_meant: &dyn Fn(&Entity) -> bool, formats: &[DistFormat]) -> usize {
    let (attrs, entities) = match hpf {
        Hpf::Several(all) => return all.iter_mut().map(|one| change(one, is_meant, formats)).sum(),
        Hpf::Declare { attrs, entities } => (attrs, entities),
        _ => return 0,
    };
    let is_distributed = |a: &HpfAttr| match &a.kind {
        HpfAttrKind::Distribute(d) => d.formats.as_ref().is_none_or(|f| f.len() == formats.len()),
        _ => false,
    };
    if !attrs.iter().any(is_distributed) {
        return 0;
    }
    let (meant, others): (Vec<Entity>, Vec<Entity>) = entities.drain(..).partition(is_meant);
    let count = meant.len();
    let mut other_attrs = attrs.clone();
    for attr in &mut other_attrs {
        if let HpfAttrKind::Distribute(d) = &mut attr.kind {
            (d.formats, d.onto) = (Some(formats.to_vec()), None);
        }
    }
    let attrs = std::mem::take(attrs);
    *hpf = match (meant.is_empty(), others.is_empty()) {
        (true, _) => Hpf::Declare { attrs, entities: others },
        (false, true) => Hpf::Declare { attrs: other_attrs, entities: meant },
        (false, false) => Hpf::Several(vec![
            Hpf::Declare { attrs: other_attrs, entities: meant },
            Hpf::Declare { attrs, entities: others },
        ]),
    };
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, dump, parse};
    use trueline_diag::{Diagnostics, SourceMap};

    fn changed(line: &str, wanted: &str) -> (usize, String) {
        let text = format!("program p\nreal a(9, 9), b(9, 9)\n!HPF$ {line}\nend program\n");
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = map.add("a.f90", text.into_bytes());
        let mut ast = parse(&mut map, file, &Options::default(), &mut diags);
        let count = redistribute(&mut ast, &wanted.parse().expect("a distribution"));
        let text = dump(&ast, &map);
        let lines: Vec<&str> = text.lines().filter(|l| l.contains("distribute")).map(str::trim).collect();
        (count, lines.join("; "))
    }

    #[test]
    fn distributions_are_read_and_written() {
        for text in ["mesh(*,BLOCK)", "a_1(CYCLIC(4),BLOCK(12),*)", "x(CYCLIC)"] {
            assert_eq!(text.parse::<Distribute>().map(|d| d.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(" Mesh ( * , block ) ".parse::<Distribute>().map(|d| d.to_string()), Ok("mesh(*,BLOCK)".into()));
        for wrong in ["", "mesh", "mesh(", "(BLOCK)", "mesh()", "m(BLOC)", "m(CYCLIC(0))", "m(CYCLIC(n))", "1a(*)"] {
            assert!(wrong.parse::<Distribute>().is_err_and(|e| e.contains("BLOCK(n)")), "{wrong}");
        }
    }

    #[test]
    fn directives_are_changed() {
        let (count, text) = changed("DISTRIBUTE a(BLOCK, *) ONTO q", "a(*,CYCLIC(3))");
        assert_eq!(count, 1);
        assert!(!text.contains("onto") && text.to_lowercase().contains("cyclic"), "{text}");
        // The other array of a list keeps its distribution.
        let (count, text) = changed("DISTRIBUTE (BLOCK, *) :: a, b", "b(*,BLOCK)");
        assert_eq!((count, text.matches("distribute").count()), (1, 2), "{text}");
        // Another number of dimensions is another array.
        assert_eq!(changed("DISTRIBUTE a(BLOCK, *)", "a(BLOCK)").0, 0);
        assert_eq!(changed("DISTRIBUTE a(BLOCK, *)", "b(BLOCK, *)").0, 0);
    }
}
