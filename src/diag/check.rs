//! Bytes that no source file may contain, wherever they stand.

use crate::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// The beginning of executables and objects.
const ELF: &[u8] = b"\x7fELF";

impl SourceMap {
    /// Reports bytes that make a file something other than readable source: NUL, other control characters (a warning), and the
    /// text-direction controls that let a program look different from its meaning (CVE-2021-42574). The first of each sort is
    /// reported. False when there is no point in parsing.
    pub fn check(&self, file: FileId, diags: &mut Diagnostics) -> bool {
        let bytes = self.file(file).bytes();
        let mut found: [(usize, usize); 3] = [(0, 0); 3];
        // 0x1a at the end is the end-of-file mark of old DOS files.
        let end =
            bytes.iter().rposition(|byte| !matches!(byte, 0x1a | b'\n' | b'\r' | b' ')).map_or(0, |last| last + 1);
        for (at, &byte) in bytes[..end].iter().enumerate() {
            let sort = match byte {
                0 => 0,
                b'\t' | b'\n' | b'\r' | 0x0c | b' '..=0x7e | 0x80..=0xe1 | 0xe3.. => continue,
                0xe2 if !is_bidi(&bytes[at..]) => continue,
                0xe2 => 1,
                _ => 2,
            };
            if found[sort].0 == 0 {
                found[sort].1 = at;
            }
            found[sort].0 += 1;
        }
        if bytes.starts_with(ELF) && found[0].0 > 0 {
            let span = Span::new(file, 0, ELF.len() as u32);
            diags.push(Diagnostic::error("T0010", span, "The file contains a NUL byte").help(
                "This is an executable or an object: its name starts it (TRUELINE_NP=4 ./program on four ranks), and \
                 'trueline build' links it if the name ends in .o, .a or .so",
            ));
            return false;
        }
        for (sort, (count, at)) in found.into_iter().enumerate().filter(|(_, (count, _))| *count > 0) {
            diags.push(describe(sort, count, bytes[at], |len| Span::new(file, at as u32, (at + len) as u32)));
        }
        found[0].0 == 0
    }
}

/// U+202A–U+202E and U+2066–U+2069.
fn is_bidi(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x80, 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa6..=0xa9, ..])
}

fn describe(sort: usize, count: usize, byte: u8, span: impl Fn(usize) -> Span) -> Diagnostic {
    let diagnostic = match sort {
        0 => Diagnostic::error("T0010", span(1), "The file contains a NUL byte")
            .help("This does not look like Fortran source: check the file name"),
        1 => Diagnostic::error("T0011", span(3), "The file contains a text-direction control character")
            .note("Such characters make a program look different from the text that the compiler reads"),
        // In a character constant it is one like any other; elsewhere the scanner refuses it.
        _ => Diagnostic::warning("T0012", span(1), format!("The file contains the control character {byte:#04x}")),
    };
    if count > 1 { diagnostic.note(format!("There are {count} of them in this file")) } else { diagnostic }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<&'static str> {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = map.add("a.f90", bytes.to_vec());
        map.check(file, &mut diags);
        diags.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn each_sort_once() {
        assert_eq!(codes(b"x\0\0\x01\xe2\x80\xae"), ["T0010", "T0011", "T0012"]);
        assert_eq!(codes(b"\x7fELF\x02\0\0\xe2\x80\xae"), ["T0010"]);
        assert_eq!(codes(b"x = '\xe2\x82\xac \xe9'\r\n\t\x1a\r\n"), [""; 0]);
    }
}
