//! The language of a file, by its suffix or by `-x`.

use std::path::Path;
use trueline_syntax::SourceForm;

/// The compiler of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// We do.
    Fortran,
    /// `cc` does, by this name if the suffix does not give the language.
    Other(Option<&'static str>),
}

/// Suffixes of Fortran; in upper case they ask for the preprocessor.
const FREE: [&str; 6] = ["f90", "f95", "f03", "f08", "f18", "hpf"];
const FIXED: [&str; 5] = ["f", "for", "ftn", "f77", "fpp"];

impl Language {
    /// By the suffix.
    pub fn of(path: &Path) -> Language {
        if is_fortran(path) { Language::Fortran } else { Language::Other(None) }
    }

    /// The language of `-x`; none for `-x none`.
    pub fn named(name: &str) -> Result<Option<Language>, String> {
        Ok(match name {
            "none" => None,
            "f77" | "f77-cpp-input" | "f95" | "f95-cpp-input" => Some(Language::Fortran),
            "c" => Some(Language::Other(Some("c"))),
            "c++" => Some(Language::Other(Some("c++"))),
            "assembler" => Some(Language::Other(Some("assembler"))),
            "assembler-with-cpp" => Some(Language::Other(Some("assembler-with-cpp"))),
            _ => return Err(format!("language {name} not recognized")),
        })
    }
}

/// Whether the suffix is one of Fortran sources.
pub fn is_fortran(path: &Path) -> bool {
    let suffix = suffix(path).to_ascii_lowercase();
    FREE.contains(&suffix.as_str()) || FIXED.contains(&suffix.as_str())
}

/// The suffix without its dot.
pub fn suffix(path: &Path) -> String {
    path.extension().map_or_else(String::new, |e| e.to_string_lossy().into_owned())
}

/// Whether the suffix asks for the preprocessor.
pub fn is_preprocessed(path: &Path) -> bool {
    let suffix = suffix(path);
    let upper = suffix.bytes().all(|b| !b.is_ascii_lowercase());
    (upper && Language::of(path) == Language::Fortran) || suffix == "fpp"
}

/// The source form that the suffix says.
pub fn form(path: &Path) -> SourceForm {
    let suffix = suffix(path).to_ascii_lowercase();
    if FIXED.contains(&suffix.as_str()) { SourceForm::Fixed } else { SourceForm::Free }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        for (name, is_fortran, preprocessed) in [
            ("a.f90", true, false),
            ("a.F90", true, true),
            ("a.F", true, true),
            ("a.for", true, false),
            ("a.FOR", true, true),
            ("a.fpp", true, true),
            ("a.hpf", true, false),
            ("a.c", false, false),
            ("a.o", false, false),
            ("a", false, false),
        ] {
            let path = Path::new(name);
            assert_eq!(Language::of(path) == Language::Fortran, is_fortran, "{name}");
            assert_eq!(is_preprocessed(path), preprocessed, "{name}");
        }
    }
}
