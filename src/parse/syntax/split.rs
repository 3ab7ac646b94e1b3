//! Large files are parsed in parts, in parallel.
//!
//! A part ends behind the END of an external program unit, where the parser remembers nothing of the text before. The ends
//! are guessed from the first words of the lines, and then proved by the parse: if a part does not end between two units,
//! or anything at all is wrong, the file is parsed once more as a whole. So the result is that of the whole, whatever the
//! number of threads; only the ids count from 0 in each part.

use rayon::prelude::*;
use std::ops::Range;

use trueline_diag::{Diagnostics, FileId, SourceMap};

use crate::ast::Ast;
use crate::parser::{Options, parse, parse_range};

/// The bytes of a part, about: a file that is shorter than two parts stays whole.
const PART: usize = 1 << 20;

/// Parses a file and its included files, as one tree or, if it is large, as several in the order of the file.
pub fn parse_parts(map: &mut SourceMap, file: FileId, options: &Options, diags: &mut Diagnostics) -> Vec<Ast> {
    in_parts(map, file, PART, options, diags)
}

fn in_parts(map: &mut SourceMap, file: FileId, size: usize, options: &Options, diags: &mut Diagnostics) -> Vec<Ast> {
    let parts = parts(map.file(file).bytes(), size);
    if parts.len() > 1 {
        let like: &Diagnostics = diags;
        let shared: &SourceMap = map;
        let trees: Vec<Option<(Ast, Diagnostics)>> = parts
            .par_iter()
            .map(|range| parse_range(shared, file, range.clone(), options, Diagnostics::like(like)))
            .collect();
        if let Some(trees) = trees.into_iter().collect::<Option<Vec<_>>>() {
            let mut asts = Vec::with_capacity(trees.len());
            for (ast, own) in trees {
                asts.push(ast);
                diags.append(own);
            }
            return asts;
        }
    }
    vec![parse(map, file, options, diags)]
}

/// The meaning of a line's first word for units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    /// The END of a procedure, or END alone.
    EndProcedure,
    /// The END of a unit that contains procedures: a module or main program.
    EndHost,
    Contains,
    Interface,
    EndInterface,
    Include,
    Other,
}

/// Ranges of whole lines, each but the last about `size` long and probably ending with an external unit.
fn parts(bytes: &[u8], size: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    if bytes.len() >= 2 * size {
        let hosts = lines(bytes).any(|(_, line)| first_word(line) == Word::Contains);
        let mut in_interface = false;
        for (end, line) in lines(bytes) {
            match first_word(line) {
                Word::Include => return Vec::new(),
                Word::Interface => in_interface = true,
                Word::EndInterface => in_interface = false,
                Word::EndProcedure if hosts || in_interface => {}
                Word::EndProcedure | Word::EndHost if end - from >= size && bytes.len() - end >= size => {
                    out.push(from..end);
                    from = end;
                }
                _ => {}
            }
        }
    }
    out.push(from..bytes.len());
    out
}

/// The lines, each with the offset behind it.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split_inclusive(|&b| b == b'\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at, line))
    })
}

fn first_word(line: &[u8]) -> Word {
    let line = line.trim_ascii_start();
    let starts = |word: &[u8]| line.len() >= word.len() && line[..word.len()].eq_ignore_ascii_case(word);
    match line.first().map(u8::to_ascii_lowercase) {
        Some(b'#') => Word::Include,
        Some(b'e') if starts(b"end") => end_of(line[3..].trim_ascii_start()),
        Some(b'c') if starts(b"contains") => Word::Contains,
        Some(b'i') if starts(b"interface") => Word::Interface,
        Some(b'i') if starts(b"include") => Word::Include,
        Some(b'a') if starts(b"abstract") => Word::Interface,
        _ => Word::Other,
    }
}

/// The meaning of END with `rest` behind it.
fn end_of(rest: &[u8]) -> Word {
    let starts = |word: &[u8]| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let is = |words: &[&[u8]]| words.iter().any(|word| starts(word));
    match rest.first() {
        None | Some(b'!') => Word::EndProcedure,
        _ if is(&[b"subroutine", b"function"]) => Word::EndProcedure,
        _ if is(&[b"module", b"program", b"block data", b"blockdata"]) => Word::EndHost,
        _ if starts(b"interface") => Word::EndInterface,
        _ => Word::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;
    use trueline_diag::SourceMap;

    /// Trees and messages of a text in parts and as a whole.
    fn both(text: String) -> (Vec<Ast>, Ast, usize, usize) {
        let options = Options::default();
        let mut found = Vec::new();
        let mut whole = None;
        let mut counts = [0, 0];
        for (k, count) in counts.iter_mut().enumerate() {
            let mut map = SourceMap::default();
            let file = map.add("large.f90", text.clone().into_bytes());
            let mut diags = Diagnostics::new();
            match k {
                0 => found = in_parts(&mut map, file, 4000, &options, &mut diags),
                _ => whole = Some(parse(&mut map, file, &options, &mut diags)),
            }
            *count = diags.finish(&map).len();
        }
        (found, whole.expect("the second time"), counts[0], counts[1])
    }

    fn procedures(n: usize, with: &str) -> String {
        let mut text = String::new();
        for k in 0..n {
            let _ = write!(
                text,
                "subroutine s{k}(a)\n  real :: a\n{with}  a = a + {k}.5 * sqrt(a) ! comment\nend subroutine\n"
            );
        }
        text
    }

    #[test]
    fn parts_are_the_whole() {
        let (found, whole, ..) = both(procedures(400, ""));
        assert!(found.len() > 1);
        let sum = |f: &dyn Fn(&Ast) -> usize| found.iter().map(f).sum::<usize>();
        assert_eq!(sum(&|a| a.program.len()), whole.program.len());
        assert_eq!(sum(&|a| a.stmts.len()), whole.stmts.len());
        assert_eq!(sum(&|a| a.exprs.len()), whole.exprs.len());
        let spans = |asts: &[Ast]| -> Vec<_> { asts.iter().flat_map(|a| a.stmts.values().map(|s| s.span)).collect() };
        assert_eq!(spans(&found), spans(std::slice::from_ref(&whole)));
        assert!(found.windows(2).all(|w| w[0].start < w[1].start));
    }

    #[test]
    fn what_is_in_the_way_leaves_it_whole() {
        let interface = "  interface\n    subroutine t\n    end subroutine\n  end interface\n";
        assert!(both(procedures(300, interface)).0.len() > 1);
        let module = format!("module m\ncontains\n{}end module\n", procedures(400, ""));
        assert_eq!(both(module).0.len(), 1);
        // An END in the middle of a continued statement, and a mistake.
        let odd = "  a = 1 + &\nend\n";
        let (found, _, parts, whole) = both(procedures(400, odd));
        assert_eq!((found.len(), parts), (1, whole));
    }
}
