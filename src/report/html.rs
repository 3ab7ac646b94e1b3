//! The page: a profile, or a lesson on a program, as one HTML file that needs no network.
//!
//! The data is JSON, compressed and in base64, so nothing in it can end the script; the page inflates it and makes text of it,
//! never markup. The content security policy of the page forbids every request, and all scripts and styles but its own,
//! which it knows by their SHA-256.

use crate::groups::{Groups, Merged};
use crate::index::Index;
use crate::processors::statistics;
use crate::tree::tree;
use crate::unmix::Shares;
use data_encoding::BASE64;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use trueline_abi::profile::Profile;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// In the order in which they need each other.
const SCRIPTS: [&str; 7] = [
    include_str!("page/core.js"),
    include_str!("page/detail.js"),
    include_str!("page/source.js"),
    include_str!("page/tables.js"),
    include_str!("page/calls.js"),
    include_str!("page/lesson.js"),
    include_str!("page/app.js"),
];

/// Constructs that the page has advice for.
const ADVISED: usize = 20;

/// A line of code and the serials of the source statements it derives from.
pub type CodeLine = (String, Vec<u32>);

/// One level of the program.
#[derive(Clone, Debug)]
pub struct LessonLevel {
    /// Its name: `VH` … `CLIF`, `assembly`.
    pub name: String,
    /// The code.
    pub lines: Vec<CodeLine>,
}

/// The effect of a pass on a unit.
#[derive(Clone, Debug)]
pub struct LessonPass {
    /// The pass.
    pub pass: String,
    /// The unit.
    pub unit: String,
    /// The unit before.
    pub before: Vec<CodeLine>,
    /// The unit after.
    pub after: Vec<CodeLine>,
    /// The edits, in words.
    pub edits: Vec<String>,
}

/// A construct at every level, and through the passes.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// The heading.
    pub title: String,
    /// The serials of the construct and of its contents.
    pub chosen: Vec<u32>,
    /// The source, as far as it is of interest.
    pub source: Vec<CodeLine>,
    /// Line and text by serial.
    pub statements: Vec<(u32, String)>,
    /// The levels, from the source down.
    pub levels: Vec<LessonLevel>,
    /// The passes that changed something, in order.
    pub passes: Vec<LessonPass>,
}

impl Lesson {
    fn json(&self) -> Value {
        let levels: Vec<Value> = self.levels.iter().map(|l| json!({ "name": l.name, "lines": l.lines })).collect();
        let passes: Vec<Value> = self
            .passes
            .iter()
            .map(|p| json!({ "pass": p.pass, "unit": p.unit, "before": p.before, "after": p.after, "edits": p.edits }))
            .collect();
        json!({
            "title": self.title, "chosen": self.chosen, "source": self.source, "statements": self.statements,
            "levels": levels, "passes": passes,
        })
    }
}

/// The data that the page's scripts unpack.
#[derive(Serialize)]
struct Data<'a> {
    profile: &'a Profile,
    joint: Vec<u32>,
    /// The nanoseconds that are 100 %.
    whole: u64,
    /// Constructs that were merged: members, lines and text, and their joint time.
    merged: Vec<Value>,
    /// By serial: the status in few words, where it is not that of the profile.
    brief: Vec<Value>,
    advice: Value,
    /// The run in a sentence.
    summary: String,
    /// The part of a joint time that a construct has, by serial.
    shares: Vec<Value>,
    tree: Vec<Value>,
    spread: Vec<Value>,
    lesson: Option<Value>,
}

/// The page of a profile, with a lesson if there is one.
pub fn html(profile: &Profile, lesson: Option<&Lesson>) -> String {
    let index = Index::new(profile);
    let joint: Vec<u32> =
        profile.constructs.iter().filter(|c| c.time.is_some() && index.time(c).is_none()).map(|c| c.serial).collect();
    let tree = tree(&index)
        .iter()
        .map(|n| {
            json!({
                "serial": n.serial, "parent": n.parent, "depth": n.depth, "calls": n.calls, "total": n.total, "own": n.own,
                "estimated": n.estimated, "recursive": n.recursive, "line": n.line, "untimed": n.untimed,
            })
        })
        .collect();
    let of = Shares::new(&index);
    let shares = profile.constructs.iter().filter_map(|c| Some(json!([c.serial, of.of(c)?.to_string()]))).collect();
    let brief = profile.constructs.iter().map(|c| json!([c.serial, crate::cells::brief_status(&index, c)])).collect();
    let data = Data {
        profile,
        joint,
        whole: index.whole(),
        merged: merged(&index),
        brief,
        advice: crate::advise::advice_json(&crate::advise::advice(&index, ADVISED, crate::advise::WORTH_TELLING)),
        summary: summary(profile),
        shares,
        tree,
        spread: spread(&index),
        lesson: lesson.map(Lesson::json),
    };
    let json = serde_json::to_vec(&data).unwrap_or_default();
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&json, 6);
    let title = match lesson {
        Some(l) => l.title.clone(),
        None => format!("{}: profile", profile.program),
    };
    let script = SCRIPTS.concat();
    PAGE.replace("{{TITLE}}", &escaped(&title))
        .replace("{{STYLE-HASH}}", &source_of_trust(STYLE))
        .replace("{{SCRIPT-HASH}}", &source_of_trust(&script))
        .replace("{{STYLE}}", STYLE)
        .replace("{{SCRIPT}}", &script)
        .replace("{{DATA}}", &BASE64.encode(&packed))
}

/// The run in a sentence, without the program's name.
fn summary(profile: &Profile) -> String {
    let text = crate::flat::summary(profile);
    let first = text.lines().next().unwrap_or_default();
    let own = format!("Profile of {}", crate::safe(&profile.program));
    let rest = first.strip_prefix(&own).unwrap_or(first);
    rest.strip_prefix(" at ").or_else(|| rest.strip_prefix(": ")).unwrap_or(rest).to_owned()
}

/// The groups: each is one row of the table of constructs.
fn merged(index: &Index<'_>) -> Vec<Value> {
    let groups = Groups::new(index);
    let one = |g: &Merged| {
        let named = g.innermost(index);
        let mut texts: Vec<&str> = named.iter().map(|c| c.text.as_str()).collect();
        texts.dedup();
        json!({ "members": g.members, "lines": crate::cells::lines(&named), "text": texts.join("; "), "time": g.time })
    };
    groups.all().iter().map(one).collect()
}

/// The words by which a content security policy allows an element with this text (CSP 3, section 2.3.1).
fn source_of_trust(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

fn spread(index: &Index<'_>) -> Vec<Value> {
    statistics(index)
        .iter()
        .map(|row| {
            let times: Vec<Value> = row
                .times
                .iter()
                .map(|(name, s)| {
                    let s = json!({
                        "average": s.average, "deviation": s.deviation, "minimum": s.minimum, "maximum": s.maximum,
                        "imbalance": s.imbalance(), "imbalanced": s.imbalanced(),
                    });
                    json!([name, s])
                })
                .collect();
            let efficiency = row.efficiency().map(|e| [e.balance, e.communication, e.parallel()]);
            json!({ "serial": row.serial, "times": times, "efficiency": efficiency })
        })
        .collect()
}

/// Text of an HTML element; braces too, so that no text is taken for a place in the template.
fn escaped(text: &str) -> String {
    crate::safe(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('{', "&#123;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    /// The policy names the page's own script and style by their content, and allows nothing else.
    #[test]
    fn the_policy_knows_the_scripts_by_their_hashes() {
        let page = html(&sample(), None);
        let between = |from: &str, to: &str| page.split_once(from).unwrap().1.split_once(to).unwrap().0;
        let policy = between("Content-Security-Policy\" content=\"", "\"");
        let (script, style) = (between("<script>", "</script>"), between("<style>", "</style>"));
        let expected = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
            source_of_trust(script),
            source_of_trust(style)
        );
        assert_eq!(policy, expected);
        assert_eq!(page.matches("<script").count() + page.matches("<style").count(), 3, "one more is not allowed for");
        // RFC 6234: the digest of "abc".
        assert_eq!(source_of_trust("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
        for attribute in [" style=", " onclick=", " onload=", "javascript:"] {
            assert!(!page.contains(attribute), "the policy forbids {attribute}");
        }
    }

    /// One element ends scripts, and nothing leads out of the page, whatever is in the profile.
    #[test]
    fn closed() {
        let mut p = sample();
        for payload in ["</script><script>alert(1)</script>", "{{SCRIPT}}", "\"><img src=x onerror=alert(1)>", "<!--"] {
            p.program = payload.into();
            p.constructs[0].text = payload.into();
            p.files[0].path = payload.into();
            p.files[0].text = Some(payload.into());
            let page = html(&p, None);
            assert_eq!(page.matches("</script").count(), 2);
            assert_eq!(page.matches("<script").count(), 2);
            assert!(!page.contains("<img") && !page.contains("<!--"));
            assert!(!page.contains("http://") && !page.contains("https://"));
        }
    }
}
