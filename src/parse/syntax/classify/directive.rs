//! The kind of directive of a directive line.

use trueline_diag::Diagnostic;

use super::{Class, tokens, word_end};
use crate::scan::{Reported, Scanner};
use crate::spelling::closest;
use crate::token::{Kw, Tok};

const ATTRIBUTES: &[(&str, Kw)] = &[
    ("processors", Kw::Processors),
    ("template", Kw::Template),
    ("dynamic", Kw::Dynamic),
    ("inherit", Kw::Inherit),
    ("dimension", Kw::Dimension),
    ("distribute", Kw::Distribute),
    ("align", Kw::Align),
    ("shadow", Kw::Shadow),
    ("range", Kw::Range),
];

const DIRECTIVES: &[(&str, Kw)] = &[
    ("distribute", Kw::HpfDistribute),
    ("align", Kw::HpfAlign),
    ("redistribute", Kw::HpfRedistribute),
    ("realign", Kw::HpfRealign),
    ("sequence", Kw::HpfSequence),
    ("no sequence", Kw::HpfNoSequence),
    ("independent", Kw::HpfIndependent),
    ("on", Kw::HpfOn),
    ("end on", Kw::HpfEndOn),
    ("resident", Kw::HpfResident),
    ("end resident", Kw::HpfEndResident),
    ("shadow", Kw::HpfShadow),
    ("range", Kw::HpfRange),
    ("onhome", Kw::HpfOn),
];

/// Directives of HPF 2.0 that there are not here, by name.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "task_region",
        "TASK_REGION",
        "Remove TASK_REGION and END TASK_REGION: ON directives mean the same without them, one after the other",
    ),
    ("end task_region", "END TASK_REGION", "Remove it together with TASK_REGION"),
    ("asynchronous", "ASYNCHRONOUS", "Write ASYNCHRONOUS='YES' in the READ or WRITE statement"),
    ("subset", "SUBSET", "Remove it: it asks for a subset of HPF 1.1, and all of it is accepted"),
];

const CLAUSES: &[(&str, Kw)] =
    &[("new", Kw::New), ("reduction", Kw::Reduction), ("on", Kw::On), ("resident", Kw::Resident)];

/// Classifies an HPF directive and turns it into tokens.
pub fn hpf(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.skip_blanks();
    let start = s.pos;
    let colons = s.find(start, |rest| rest.starts_with(b"::"));
    let combined = ATTRIBUTES.iter().find(|(word, _)| s.keyword(start, word).is_some());
    let comma = colons.and_then(|colons| s.find(start, |rest| rest[0] == b',').filter(|&comma| comma < colons));
    if let Some((_, kw)) = combined
        && (comma.is_some()
            || !matches!(kw, Kw::Distribute | Kw::Align | Kw::Shadow | Kw::Range)
            || is_attribute(s, start, *kw))
    {
        s.kw(Kw::HpfDeclare);
        return tokens(attributes(s));
    }
    refused(s)?;
    let Some((word, kw)) = DIRECTIVES.iter().find(|(word, _)| s.eat(word)) else { return unknown(s) };
    s.kw(*kw);
    match kw {
        Kw::HpfIndependent => {
            if s.peek() == b'(' {
                s.b.spelling(s.span(start, s.pos), "INDEPENDENT takes no variables: it is about the loop that follows");
                s.group()?;
            }
            clauses(s)?;
        }
        Kw::HpfOn if *word == "onhome" => {
            s.b.spelling(s.span(start, s.pos), "ON HOME is two words");
            s.kw(Kw::Home);
            s.group()?;
            clauses(s)?;
            s.eat_kw("begin", Kw::Begin);
        }
        Kw::HpfOn => {
            s.eat_kw("home", Kw::Home);
            s.group()?;
            clauses(s)?;
            s.eat_kw("begin", Kw::Begin);
        }
        Kw::HpfResident => {
            s.group()?;
            s.eat_kw("begin", Kw::Begin);
        }
        Kw::HpfRange => {
            if let Some(open) = s.find(s.pos, |rest| rest[0] == b'(') {
                s.lex(open)?;
                range_sets(s)?;
            }
        }
        Kw::HpfDistribute | Kw::HpfRedistribute | Kw::HpfAlign | Kw::HpfRealign => mapping(s, None)?,
        _ => {}
    }
    tokens(s.rest())
}

/// `attr, attr :: entities`, or one attribute and its entities.
fn attributes(s: &mut Scanner<'_>) -> Result<(), Reported> {
    loop {
        s.skip_blanks();
        let Some((_, kw)) = ATTRIBUTES.iter().find(|(word, kw)| s.eat_kw(word, *kw)) else { break };
        match kw {
            Kw::Dimension | Kw::Shadow => {
                s.group()?;
            }
            Kw::Range => range_sets(s)?,
            Kw::Distribute | Kw::Align => {
                let end = s.find(s.pos, |rest| rest[0] == b',' || rest.starts_with(b"::"));
                mapping(s, end)?;
            }
            _ => {}
        }
        if s.peek() != b',' {
            break;
        }
        s.lex(s.pos + 1)?;
    }
    s.rest()
}

/// The text up to `end`, in which ONTO and WITH outside of parentheses are keywords.
fn mapping(s: &mut Scanner<'_>, end: Option<usize>) -> Result<(), Reported> {
    let end = end.unwrap_or(s.text().len());
    for (word, kw) in [("onto", Kw::Onto), ("with", Kw::With)] {
        let start = s.pos;
        let text = s.text();
        let separated = |at: usize| at == start || !crate::scan::is_word_byte(text[at - 1]);
        let found = s.find(start, |rest| {
            let at = text.len() - rest.len();
            at < end && separated(at) && rest[0] == word.as_bytes()[0] && s.keyword(at, word).is_some()
        });
        // A name that is called ONTO stands first.
        if let Some(at) = found.filter(|&at| at > start || kw == Kw::Onto || kw == Kw::With) {
            s.lex(at)?;
            s.eat_kw(word, kw);
        }
    }
    s.lex(end.max(s.pos))
}

/// The groups of RANGE: the commas between them are dropped, since one after them belongs to the list of attributes.
fn range_sets(s: &mut Scanner<'_>) -> Result<(), Reported> {
    s.group()?;
    while s.peek() == b',' && s.text().get(s.blanks_end(s.pos + 1)) == Some(&b'(') {
        s.eat_byte(b',');
        s.group()?;
    }
    Ok(())
}

/// Whether SHADOW or RANGE stands before its list, as an attribute of the names behind `::`.
fn is_attribute(s: &Scanner<'_>, start: usize, kw: Kw) -> bool {
    let word = if kw == Kw::Shadow { "shadow" } else { "range" };
    let end = s.keyword(start, word).filter(|_| matches!(kw, Kw::Shadow | Kw::Range));
    end.is_some_and(|end| s.text().get(s.blanks_end(end)) == Some(&b'('))
}

fn refused(s: &mut Scanner<'_>) -> Result<(), Reported> {
    let start = s.pos;
    let found = REFUSED.iter().find_map(|(word, name, help)| Some((s.keyword(start, word)?, name, help)));
    let Some((end, name, help)) = found else { return Ok(()) };
    let message = format!("The HPF directive {name} is not supported");
    s.b.diags.push(Diagnostic::error("T0142", s.span(start, end), message).help(*help));
    Err(Reported)
}

/// `, NEW(…), REDUCTION(…), ON HOME(…)`; a comma may be missing.
fn clauses(s: &mut Scanner<'_>) -> Result<(), Reported> {
    loop {
        if s.peek() == b',' {
            s.lex(s.pos + 1)?;
        } else if let Some((word, _)) = CLAUSES.iter().find(|(word, _)| s.keyword(s.pos, word).is_some()) {
            let start = s.pos;
            s.b.spelling(s.span(start, start + word.len()), "A comma stands before each clause of a directive");
            s.token(start, Tok::Comma, start);
        } else {
            return Ok(());
        }
        s.skip_blanks();
        let start = s.pos;
        match CLAUSES.iter().find(|(word, kw)| s.eat_kw(word, *kw)) {
            Some((_, kw)) => {
                if *kw == Kw::On {
                    s.eat_kw("home", Kw::Home);
                }
                s.group()?;
            }
            None if s.eat("onhome") => {
                s.b.spelling(s.span(start, s.pos), "ON HOME is two words");
                s.kw(Kw::On);
                s.kw(Kw::Home);
                s.group()?;
            }
            None => return bad_word(s, start, "clause", CLAUSES),
        }
    }
}

fn unknown(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    let start = s.pos;
    let all: Vec<(&str, Kw)> = DIRECTIVES.iter().chain(ATTRIBUTES).copied().collect();
    bad_word(s, start, "directive", &all)?;
    Err(Reported)
}

fn bad_word(s: &mut Scanner<'_>, start: usize, what: &str, table: &[(&str, Kw)]) -> Result<(), Reported> {
    let text = s.text();
    let end = word_end(text, start).unwrap_or(text.len().min(start + 1));
    let word = std::str::from_utf8(&text[start..end]).unwrap_or_default();
    let message =
        if word.is_empty() { format!("Expected an HPF {what}") } else { format!("Unknown HPF {what} '{word}'") };
    let mut diagnostic = Diagnostic::error("T0141", s.span(start, end), message);
    diagnostic = diagnostic.help(match closest(word, table.iter().map(|(word, _)| *word)) {
        Some(near) => format!("Did you mean {}?", near.to_uppercase()),
        None => format!("docs/directives.md lists every {what}"),
    });
    s.b.diags.push(diagnostic);
    Err(Reported)
}

/// The number of leading words of an OpenMP or trueline directive that name it: `end parallel do` has three.
pub fn text_name(text: &[u8]) -> usize {
    const WORDS: &[&str] = &[
        "atomic",
        "barrier",
        "cancel",
        "cancellation",
        "concurrent",
        "critical",
        "data",
        "declare",
        "distribute",
        "do",
        "end",
        "enter",
        "exit",
        "flush",
        "loop",
        "master",
        "ordered",
        "parallel",
        "point",
        "reduction",
        "sections",
        "section",
        "simd",
        "single",
        "target",
        "task",
        "taskgroup",
        "taskloop",
        "taskwait",
        "taskyield",
        "teams",
        "threadprivate",
        "update",
        "workshare",
    ];
    let mut end = 0;
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|byte| **byte == b' ').count();
        let len = text[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let word = std::str::from_utf8(&text[at..at + len]).unwrap_or_default();
        let names = len > 0 && (end == 0 || WORDS.contains(&word));
        if !names {
            return end;
        }
        at += len;
        end = at;
    }
}
