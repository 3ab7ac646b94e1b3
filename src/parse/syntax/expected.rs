//! Expectations of the grammar, in words.

use crate::token::{Kw, Tok};

/// The statement that a first token stands for, with its article.
pub fn statement(first: Option<Tok>) -> String {
    let name = match first {
        Some(Tok::Io(kind) | Tok::IoFormat(kind) | Tok::IoUnit(kind)) => kind.word().to_string(),
        Some(Tok::End(kind)) => kind.text().to_string(),
        Some(Tok::Kw(kw)) => match kw {
            Kw::Assignment => return "this assignment".into(),
            Kw::PointerAssignment => return "this pointer assignment".into(),
            Kw::Declaration => return "this declaration".into(),
            Kw::ProcedureHeader => return "this procedure header".into(),
            Kw::TypeDef => "TYPE".into(),
            Kw::IfLogical | Kw::IfArith => "IF".into(),
            Kw::WhereStmt => "WHERE".into(),
            Kw::ForallStmt => "FORALL".into(),
            Kw::Attribute => return "this attribute statement".into(),
            Kw::AssignLabel => "ASSIGN".into(),
            kw => {
                let words = split_words(&format!("{kw:?}"));
                match words.strip_prefix("HPF ") {
                    Some(words) => return format!("this {words} directive"),
                    None => words.strip_suffix(" STMT").unwrap_or(&words).to_string(),
                }
            }
        },
        _ => return "this statement".into(),
    };
    format!("this {name} statement")
}

/// A feature beyond the language that a token in the wrong place is a sign of, and where it comes from.
pub fn unsupported(first: Option<Tok>, found: Tok) -> Option<(&'static str, &'static str)> {
    match (first, found) {
        (Some(Tok::Kw(Kw::TypeDef)), Tok::LParen) => Some(("Parameterized derived types", "a feature of Fortran 2003")),
        (_, Tok::LBracket) => Some(("Coarrays", "a feature of Fortran 2008")),
        (Some(Tok::Kw(Kw::Call | Kw::Assignment)), Tok::Percent) => {
            Some(("%VAL, %REF and %LOC", "an extension of some compilers"))
        }
        _ => None,
    }
}

/// `SelectCase` as `SELECT CASE`.
fn split_words(name: &str) -> String {
    if name == "Goto" {
        return "GO TO".into();
    }
    let mut out = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.push(char.to_ascii_uppercase());
    }
    out
}

/// The possible continuations, if they are short enough to help.
pub fn words(expected: &[String]) -> Option<String> {
    let has = |word: &str| expected.iter().any(|one| one.trim_matches('"') == word);
    let mut out: Vec<String> = Vec::new();
    let expression = has("name") && has("integer") && has("(");
    if expression {
        out.push("an expression".into());
    } else {
        if has("name") {
            out.push("a name".into());
        }
        if has("integer") {
            out.push(if has("literal") { "a constant".into() } else { "an integer".into() });
        }
    }
    // After a complete operand nearly every operator fits: that is said in one word.
    let operators = [
        "+",
        "-",
        "*",
        "/",
        "**",
        "//",
        ".and.",
        ".or.",
        "relational operator",
        "equivalence operator",
        "defined operator",
    ];
    let operator = has(".and.") || has("**") || has(".or.");
    let skip = ["name", "integer", "literal", "generic", "[", "(/", ".not.", "&", "::"];
    for word in expected.iter().map(|word| word.trim_matches('"')) {
        let silent = skip.contains(&word)
            || ((operator || expression) && operators.contains(&word))
            || (expression && word == "(")
            || (operator && matches!(word, "(" | "%"));
        if silent {
            continue;
        }
        out.push(match word {
            word if word.chars().all(|char| char.is_ascii_uppercase() || char == ' ') => word.to_string(),
            word => format!("'{word}'"),
        });
    }
    if operator {
        out.push("an operator".into());
    }
    if out.is_empty() && !expected.is_empty() {
        return None;
    }
    if out.is_empty() {
        return Some("the end of the statement".into());
    }
    if out.len() > 5 {
        return has(",").then(|| "','".to_string());
    }
    let last = out.pop()?;
    Some(if out.is_empty() { last } else { format!("{} or {last}", out.join(", ")) })
}
