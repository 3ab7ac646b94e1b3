//! `EXTRINSIC (…)` before a program unit: which model its code follows (HPF 2.0, section 6).

use trueline_diag::Diagnostic;

use crate::ast::{Extrinsic, Model};
use crate::scan::Scanner;

const KINDS: &[(&str, Model)] = &[
    ("hpf", Model::Global),
    ("hpf_local", Model::Local),
    ("hpf_serial", Model::Serial),
    ("f77_local", Model::Local),
    ("f77_serial", Model::Serial),
    ("fortran_local", Model::Local),
    ("fortran_serial", Model::Serial),
];

const MODELS: &[(&str, Model)] = &[("global", Model::Global), ("local", Model::Local), ("serial", Model::Serial)];

/// Eats the prefix if it comes next, and notes it for the unit that follows.
pub(super) fn prefix(s: &mut Scanner<'_>) -> bool {
    let start = s.blanks_end(s.pos);
    let Some(open) = s.keyword(start, "extrinsic").map(|end| s.blanks_end(end)) else { return false };
    if s.text().get(open) != Some(&b'(') {
        return false;
    }
    let Some(close) = s.close(open) else { return false };
    let next = s.blanks_end(close + 1);
    if !s.text().get(next).is_some_and(u8::is_ascii_lowercase) {
        return false;
    }
    let model = model(s, open + 1, close);
    s.b.extrinsic = Some(Extrinsic { model, span: s.span(start, close + 1) });
    s.pos = next;
    true
}

/// The model that the arguments from `at` to `close` ask for.
fn model(s: &mut Scanner<'_>, mut at: usize, close: usize) -> Model {
    let mut model = None;
    loop {
        let text = s.text();
        let end = s.find(at, |rest| rest[0] == b',').filter(|&end| end < close).unwrap_or(close);
        let one = String::from_utf8_lossy(&text[at..end]).to_ascii_lowercase();
        let (word, value) = match one.split_once('=') {
            Some((word, value)) => (word.trim(), value.trim().trim_matches(['\'', '"']).trim()),
            None => ("", one.trim().trim_matches(['\'', '"'])),
        };
        let found = match word {
            "" => KINDS.iter().find(|(name, _)| *name == value).map(|(_, model)| *model),
            "model" => MODELS.iter().chain(KINDS).find(|(name, _)| *name == value).map(|(_, model)| *model),
            "language" if matches!(value, "hpf" | "fortran" | "f77") => Some(model.unwrap_or(Model::Global)),
            _ => None,
        };
        let Some(found) = found else {
            refuse(s, at, end, word, value);
            return Model::Global;
        };
        if word != "language" || model.is_none() {
            model = Some(found);
        }
        if end == close {
            return model.unwrap_or(Model::Global);
        }
        at = end + 1;
    }
}

/// Reports an argument that is not known; the unit that follows is read all the same.
fn refuse(s: &mut Scanner<'_>, at: usize, end: usize, word: &str, value: &str) {
    let (message, help) = match word {
        "external_name" => (
            "EXTERNAL_NAME in EXTRINSIC is not supported".to_owned(),
            "Give the procedure BIND(C, NAME=...), or the name that it has outside",
        ),
        "language" => (
            format!("The language '{value}' in EXTRINSIC is not supported"),
            "The languages are HPF, FORTRAN and F77; a procedure in C is declared by BIND(C)",
        ),
        "model" => (format!("Unknown model '{value}' in EXTRINSIC"), "The models are GLOBAL, LOCAL and SERIAL"),
        "" => (
            format!("Unknown kind '{value}' in EXTRINSIC"),
            "The kinds are HPF, HPF_LOCAL and HPF_SERIAL; or use MODEL= and LANGUAGE=",
        ),
        _ => (format!("Unknown keyword '{word}' in EXTRINSIC"), "The keywords are LANGUAGE, MODEL and EXTERNAL_NAME"),
    };
    s.b.diags.push(Diagnostic::error("T0143", s.span(at, end.max(at + 1)), message).help(help));
}
