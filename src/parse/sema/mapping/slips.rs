//! Spellings that are accepted although they are no HPF, and comments that look like directives.

use crate::check::warnings::flags::Warning;
use crate::check::warnings::warning;
use crate::scope::Declarations;
use rustc_hash::FxHashSet;
use trueline_diag::{Diagnostic, Diagnostics, SourceMap, Span};

/// The words that directives begin with.
const WORDS: [&str; 15] = [
    "processors",
    "template",
    "distribute",
    "redistribute",
    "align",
    "realign",
    "dynamic",
    "inherit",
    "sequence",
    "independent",
    "on home",
    "resident",
    "shadow",
    "range",
    "no sequence",
];

pub(super) fn check(decls: &Declarations<'_>, map: &SourceMap, diags: &mut Diagnostics) {
    if !decls.options.warnings.has(Warning::HpfSpelling) {
        return;
    }
    let mut files = FxHashSet::default();
    for ast in decls.asts.iter().filter(|ast| !ast.external && !ast.provided) {
        // One warning for each kind of slip in a file.
        let mut told = FxHashSet::default();
        for (span, slip) in &ast.spellings {
            if told.insert(*slip) {
                let times = ast.spellings.iter().filter(|(_, other)| other == slip).count();
                let mut d = warning(Warning::HpfSpelling, *span, slip);
                if times > 1 {
                    d = d.note(format!("So it is {times} times in this file"));
                }
                diags.push(d);
            }
        }
        if files.insert(ast.file) {
            comments(map, ast.file, diags);
        }
    }
}

/// Comments that would be directives with one more character, or with the sentinel of another system.
fn comments(map: &SourceMap, file: trueline_diag::FileId, diags: &mut Diagnostics) {
    let bytes = map.file(file).bytes();
    let mut told = FxHashSet::default();
    let mut at = 0;
    for line in bytes.split(|b| *b == b'\n') {
        let start = at;
        at += line.len() + 1;
        let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let Some((message, help)) = slip(&line[blanks..], blanks == 0) else { continue };
        if told.insert(message) {
            let span = Span::new(file, (start + blanks) as u32, (start + line.trim_ascii_end().len()) as u32);
            let text = format!("{message} [-W{}]", Warning::HpfSpelling.name());
            diags.push(Diagnostic::warning("T0144", span, text).help(help));
        }
    }
}

fn slip(line: &[u8], first_column: bool) -> Option<(&'static str, &'static str)> {
    let (sign, rest) = line.split_first()?;
    if *sign != b'!' && !(first_column && matches!(sign, b'c' | b'C' | b'*')) {
        return None;
    }
    let starts = |word: &str| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    if starts("fcd$") || starts("hpfj") {
        return Some((
            "This directive of another system is a comment",
            "The sentinel is !HPF$; write what the directive asks for in HPF, or leave it",
        ));
    }
    if starts("$hpf") {
        return Some(("This line is a comment, not a directive", "The sentinel is !HPF$"));
    }
    let after = if starts("hpf") { &rest[3..] } else { return None };
    if !after.first().is_some_and(|b| matches!(b, b' ' | b'\t' | b'&' | b'!' | b'S' | b's')) {
        return None;
    }
    let lower: Vec<u8> = after[1..].trim_ascii().to_ascii_lowercase();
    let begins = |word: &&str| {
        lower.starts_with(word.as_bytes())
            && lower.get(word.len()).is_none_or(|b| matches!(b, b' ' | b',' | b'(' | b':' | b'\r'))
    };
    let word = WORDS.iter().find(|w| begins(w))?;
    // Prose may begin with such a word; a directive has a list, unless the word is all of it.
    let list = lower.len() == word.len() || lower.contains(&b'(') || lower.windows(2).any(|w| w == b"::");
    list.then_some(("This line is a comment, not a directive", "The sentinel is !HPF$, with a dollar sign"))
}
