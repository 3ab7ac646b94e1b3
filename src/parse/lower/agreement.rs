//! A test: lowering makes of each expression a value of the type that [`trueline_sema::typed`] finds.

use crate::expr::Exprs;
use crate::values::Val;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use trueline_diag::{Diagnostics, SourceMap};
use trueline_ir::ExprData;
use trueline_sema::Options;
use trueline_syntax::ast::ExprId;

/// The number of expressions compared, and the places where both types differ.
static FOUND: Mutex<(usize, Vec<String>)> = Mutex::new((0, Vec::new()));

impl Exprs<'_> {
    /// Notes where the type of `x` is another than that of `v`, which it was lowered to.
    pub(crate) fn compare(&mut self, x: ExprId, v: Val) {
        // A dummy argument bound to an actual one, and a variable of TYPE(*), have the type of the actual argument.
        let root = self.root_of(x);
        let is_bound = root.is_some_and(|id| self.hidden.find(id).is_some());
        if is_bound || root.is_some_and(|id| self.symbol(id).attrs.assumed_type) {
            return;
        }
        let typed = self.typing().of(x);
        let (ty, structure) = (self.ty(v.e), self.structure_at(v.e));
        let own = format!("{} of rank {}", self.site().type_words(ty, structure), self.rank(v.e));
        let wrong = match &typed {
            None => Some("no type".to_owned()),
            Some(t) => {
                let same_structure = match (t.structure, self.structure_at(v.e)) {
                    (Some(a), Some(b)) => self.same_type(a, b),
                    (a, b) => a.is_none() && b.is_none(),
                };
                let known_len = v.len.and_then(|l| self.known(l));
                let same_len = t.len.zip(known_len).is_none_or(|(a, b)| a == b);
                let same = t.ty == self.ty(v.e) && t.rank() == self.rank(v.e) && same_structure && same_len;
                let differ = !same || !self.has_extents(v, &t.extents);
                differ.then(|| format!("{t:?}"))
            }
        };
        let mut found = FOUND.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.0 += 1;
        if let Some(wrong) = wrong {
            let place = self.cx.map.start(self.ast.span(x));
            let text = format!("line {}:{}: {own} was typed {wrong}", place.line, place.column);
            found.1.push(text);
        }
    }

    /// Whether the known extents of a whole array are these, as far as they are known.
    fn has_extents(&self, v: Val, extents: &[Option<i64>]) -> bool {
        let ExprData::Var(sym) = self.e.expr(v.e) else { return true };
        self.sym(sym).dims.iter().zip(extents).all(|(d, &n)| {
            let (lo, hi) = (self.known(d.lower), d.upper.expand().and_then(|e| self.known(e)));
            let own = lo.zip(hi).map(|(lo, hi)| (hi - lo + 1).max(0));
            own.zip(n).is_none_or(|(a, b)| a == b)
        })
    }
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out: Vec<PathBuf> = ["../../../tests/run", "../../../examples/hpf"]
        .into_iter()
        .flat_map(|dir| files(&root.join(dir)))
        .filter(|p| p.extension().is_some_and(|e| e == "f" || e == "f90"))
        .collect();
    out.sort();
    assert!(out.len() > 500, "the programs are there");
    out
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    entries.flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

fn lower(path: &Path, options: &Options) {
    let mut map = SourceMap::new();
    let mut diags = Diagnostics::new();
    let file = map.load_main(path, &mut diags).expect("the program can be read");
    let mut asts = vec![trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags)];
    let source = std::fs::read_to_string(path).unwrap_or_default();
    for name in ["ieee_arithmetic", "ieee_exceptions", "ieee_features"] {
        let Some(text) = trueline_sema::intrinsic_text(name).filter(|_| source.contains("ieee_")) else { continue };
        let file = map.add(format!("{name}.f90"), text.as_bytes().to_vec());
        let mut ast = trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags);
        ast.external = true;
        asts.push(ast);
    }
    crate::compile(&asts, &map, options, &mut diags);
}

#[test]
fn types_are_those_of_what_is_lowered() {
    let work = || {
        let (mut wrong, mut count) = (String::new(), 0);
        let all = [
            Options::default(),
            Options { integer_8: true, bitwise: true, ..Options::default() },
            Options { real_8: true, text_numbers: true, ..Options::default() },
            Options { real_4_is_8: true, integer_4_is_8: true, ..Options::default() },
        ];
        for (path, options) in programs().iter().flat_map(|p| all.iter().map(move |o| (p, o))) {
            lower(path, options);
            let found = std::mem::take(&mut *FOUND.lock().expect("nobody panicked"));
            count += found.0;
            for text in found.1 {
                let _ = writeln!(wrong, "{}: {text}", path.file_name().unwrap_or_default().to_string_lossy());
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
        assert!(count > 10_000, "only {count} expressions were compared");
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}
