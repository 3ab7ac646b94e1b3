//! Features beyond the language that is compiled, by their names and the standards that have them. The rest of the file
//! is still checked.

use trueline_diag::Diagnostic;

use super::Class;
use crate::scan::{Reported, Scanner};
use crate::token::Kw;

const SELECT_TYPE: &str = "Polymorphism (SELECT TYPE)";

/// A word that a statement starts with, the feature, and where it comes from.
pub(super) const STATEMENTS: &[(&str, &str, &str)] = &[
    ("accept", "ACCEPT", "an extension of old compilers; READ means the same"),
    ("class default", SELECT_TYPE, "Fortran 2003"),
    ("class is", SELECT_TYPE, "Fortran 2003"),
    ("type is", SELECT_TYPE, "Fortran 2003"),
    ("change team", "Teams of images", "Fortran 2018"),
    ("class", "Polymorphism (CLASS)", "Fortran 2003"),
    ("codimension", "Coarrays", "Fortran 2008"),
    ("critical", "Coarrays (CRITICAL)", "Fortran 2008"),
    ("decode", "DECODE", "an extension of old compilers; a READ from an internal file means the same"),
    ("encode", "ENCODE", "an extension of old compilers; a WRITE to an internal file means the same"),
    ("event post", "Events", "Fortran 2018"),
    ("event wait", "Events", "Fortran 2018"),
    ("fail image", "Coarrays (FAIL IMAGE)", "Fortran 2018"),
    ("final", "Finalizers", "Fortran 2003"),
    ("form team", "Teams of images", "Fortran 2018"),
    ("generic", "Type-bound generic procedures", "Fortran 2003"),
    ("lock", "Coarrays (LOCK)", "Fortran 2008"),
    ("select rank", "SELECT RANK", "Fortran 2018"),
    ("select type", SELECT_TYPE, "Fortran 2003"),
    (
        "structure",
        "STRUCTURE",
        "an extension of old compilers; -fdec-structure accepts it, and a derived TYPE means the same",
    ),
    ("submodule", "Submodules", "Fortran 2008"),
    ("sync", "Coarrays (SYNC)", "Fortran 2008"),
    ("unlock", "Coarrays (UNLOCK)", "Fortran 2008"),
];

pub(super) const ATTRIBUTES: &[(&str, &str, &str)] = &[
    ("abstract", "Abstract types", "Fortran 2003"),
    ("codimension", "Coarrays", "Fortran 2008"),
    ("deferred", "Type-bound procedures", "Fortran 2003"),
    ("extends", "Type extension", "Fortran 2003"),
    ("kind", "Parameterized derived types", "Fortran 2003"),
    ("len", "Parameterized derived types", "Fortran 2003"),
    ("non_overridable", "Type-bound procedures", "Fortran 2003"),
    ("pass", "Type-bound procedures and passed-object arguments", "Fortran 2003"),
];

const ENDS: &[(&str, &str, &str)] = &[
    ("critical", "Coarrays (CRITICAL)", "Fortran 2008"),
    (
        "structure",
        "STRUCTURE",
        "an extension of old compilers; -fdec-structure accepts it, and a derived TYPE means the same",
    ),
    ("submodule", "Submodules", "Fortran 2008"),
    ("team", "Teams of images", "Fortran 2018"),
];

/// Refuses a statement of a feature that is not supported.
pub(super) fn feature(s: &mut Scanner<'_>) -> Result<(), Reported> {
    refuse(s, STATEMENTS)
}

/// Refuses an attribute of a feature that is not supported.
pub(super) fn attribute(s: &mut Scanner<'_>) -> Result<(), Reported> {
    refuse(s, ATTRIBUTES)
}

/// Refuses the END of a feature that is not supported.
pub(super) fn end(s: &mut Scanner<'_>) -> Result<(), Reported> {
    refuse(s, ENDS)
}

/// Refuses the attributes of extended types, looking past the comma.
pub(super) fn type_attribute(s: &mut Scanner<'_>) -> Result<(), Reported> {
    let start = s.pos;
    s.eat_byte(b',');
    let result = refuse(s, ATTRIBUTES);
    s.pos = start;
    result
}

/// After DO CONCURRENT (…): the end, or LOCAL, SHARED, REDUCE, DEFAULT of later standards.
pub(super) fn locality(s: &mut Scanner<'_>, at: usize) -> Result<Class, Reported> {
    s.pos = at;
    if s.at_end() {
        return Ok(Class::Tokens);
    }
    let span = s.line.span(s.pos, s.text().trim_ascii_end().len());
    let message = "The locality of DO CONCURRENT (a feature of Fortran 2018) is not supported";
    s.fail("T0160", span, message)
}

fn refuse(s: &mut Scanner<'_>, table: &[(&str, &str, &str)]) -> Result<(), Reported> {
    let Some((word, feature, origin)) = table.iter().find(|(word, _, _)| s.keyword(s.pos, word).is_some()) else {
        return Ok(());
    };
    let start = s.blanks_end(s.pos);
    let end = s.keyword(start, word).unwrap_or(start);
    if word.starts_with("select ") {
        // Its END SELECT finds something to end.
        s.kw(Kw::SelectCase);
    }
    if *feature == SELECT_TYPE && std::mem::replace(&mut s.b.select_type_reported, true) && !word.starts_with("select")
    {
        return Err(Reported);
    }
    let verb = if feature.ends_with('s') { "are" } else { "is" };
    let diagnostic = Diagnostic::error("T0160", s.span(start, end), format!("{feature} {verb} not supported")).label(
        match origin.strip_prefix("Fortran") {
            Some(_) => format!("a feature of {origin}"),
            None => origin.to_string(),
        },
    );
    s.b.diags.push(diagnostic);
    Err(Reported)
}
