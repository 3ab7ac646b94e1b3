//! `explain --html`: a construct at every level, and through the passes.

use crate::driver::{Failure, Session};
use crate::options::Options;
use crate::pipeline;
use std::collections::BTreeSet;
use trueline_abi::profile::{Profile, SCHEMA, SourceFile};
use trueline_ir::{Level, Program};
use trueline_opt::Dump;
use trueline_provenance::{Serial, StmtInfos};
use trueline_report::{CodeLine, Lesson, LessonLevel, LessonPass};

/// Longer units are shown around the construct only.
const WHOLE: usize = 300;
/// The number of lines shown around it then.
const AROUND: usize = 8;

/// The page of the statements on a line.
///
/// # Errors
/// As of the compiler; if there is no statement on the line.
pub(super) fn lesson(session: &mut Session, options: &Options, file: &str, line: u32) -> Result<String, Failure> {
    let mut options = options.clone();
    options.profile = None;
    options.optimize.dump = vec!["all".to_owned()];
    options.optimize.down_to = Level::L;
    let compiled = pipeline::compile(session, &options)?;
    let infos = &compiled.program.infos;
    let here = super::story::statements(infos, file, line);
    if here.is_empty() {
        return Err(Failure::User(format!("There is no executable statement on line {line} of '{file}'")));
    }
    let chosen: BTreeSet<Serial> = infos
        .stmts
        .iter()
        .map(|(s, _)| s)
        .filter(|&s| here.contains(&s) || infos.ancestors(s).any(|a| here.contains(&a)))
        .collect();
    let title = format!("{file}:{line}: {}", here.first().map_or("", |&s| infos.stmts[s].text.as_str()));
    let teacher = Teacher { infos, chosen };
    let dumps = &compiled.stats.dumps;
    let lesson = Lesson {
        title,
        chosen: teacher.chosen.iter().map(|s| s.as_u32()).collect(),
        source: teacher.source(&here),
        statements: infos.stmts.values().map(|i| (i.line, i.text.clone())).collect(),
        levels: teacher.levels(&compiled.program, dumps, &options)?,
        passes: dumps.iter().filter_map(|d| teacher.pass(d)).collect(),
    };
    let files = infos.files.iter().map(|f| SourceFile { path: f.path.clone(), ..SourceFile::default() }).collect();
    let page = Profile {
        schema: SCHEMA.to_owned(),
        program: lesson.title.clone(),
        opt_level: options.optimize.level.name().to_owned(),
        target: Some(options.triple.to_string()),
        files,
        ..Profile::default()
    };
    // A lesson is of a program that did not run: there are no figures, and no views of them.
    Ok(trueline_report::html(&Profile { files: vec![], ..page }, Some(&lesson)))
}

struct Teacher<'a> {
    infos: &'a StmtInfos,
    chosen: BTreeSet<Serial>,
}

impl Teacher<'_> {
    /// The source lines of the construct with some around it.
    fn source(&self, here: &[Serial]) -> Vec<CodeLine> {
        let Some(&first) = here.first() else { return vec![] };
        let info = &self.infos.stmts[first];
        let Some(file) = self.infos.files.get(info.file as usize) else { return vec![] };
        let text = String::from_utf8_lossy(&file.text);
        let (from, to) = (info.line.saturating_sub(4).max(1), info.end_line.saturating_add(3));
        text.lines()
            .zip(1u32..)
            .filter(|(_, n)| (from..=to).contains(n))
            .map(|(l, n)| {
                let on = |i: &trueline_provenance::StmtInfo| i.line == n && i.file == info.file;
                let of = self.infos.stmts.iter().filter(|(_, i)| on(i)).map(|(s, _)| s.as_u32()).collect();
                (format!("{n:5}  {l}"), of)
            })
            .collect()
    }

    fn concerns(&self, lines: &[CodeLine]) -> bool {
        lines.iter().flat_map(|(_, of)| of).any(|&s| self.chosen.contains(&Serial::from_u32(s)))
    }

    /// The lines, or those around the construct.
    fn cut(&self, lines: Vec<CodeLine>) -> Vec<CodeLine> {
        if lines.len() <= WHOLE {
            return lines;
        }
        let mut keep = vec![false; lines.len()];
        for (i, (_, of)) in lines.iter().enumerate() {
            if of.iter().any(|&s| self.chosen.contains(&Serial::from_u32(s))) {
                let range = i.saturating_sub(AROUND)..(i + AROUND + 1).min(lines.len());
                keep[range].fill(true);
            }
        }
        let mut out: Vec<CodeLine> = Vec::new();
        for (line, keep) in lines.into_iter().zip(keep) {
            if keep {
                out.push(line);
            } else if out.last().is_none_or(|(t, _)| t != "…") {
                out.push(("…".to_owned(), vec![]));
            }
        }
        out
    }

    /// VH as the front end made it, H and M as the optimizer left them, L, CLIF, assembly; of the units with code of it.
    fn levels(&self, program: &Program, dumps: &[Dump], options: &Options) -> Result<Vec<LessonLevel>, Failure> {
        let mut firsts: BTreeSet<&str> = BTreeSet::new();
        let vh = dumps.iter().filter(|d| firsts.insert(&d.unit)).map(|d| lines(&d.before));
        let before = |pass: &'static str| dumps.iter().filter(move |d| d.pass == pass).map(|d| lines(&d.before));
        let mut out = vec![
            self.level("VH", vh),
            self.level("H, optimized", before("lower_m")),
            self.level("M, optimized", before("lower_l")),
            self.level("L", program.units.iter().map(|u| lines(&u.to_string()))),
        ];
        let code = pipeline::code_options(options);
        let (mut clif, mut assembly) = (Vec::new(), Vec::new());
        for (i, unit) in program.units.iter().enumerate() {
            if unit.kind() == trueline_ir::UnitKind::Data || !self.concerns(&lines(&unit.to_string())) {
                continue;
            }
            let plain = |list: Vec<(String, Vec<Serial>)>| -> Vec<CodeLine> {
                list.into_iter().map(|(t, of)| (t, of.into_iter().map(Serial::as_u32).collect())).collect()
            };
            clif.push(plain(trueline_codegen::listing::clif(&program.units, i, &code)?));
            assembly.push(plain(trueline_codegen::listing::assembly(&program.units, i, &code)?));
        }
        out.push(self.level("CLIF", clif.into_iter()));
        out.push(self.level("assembly", assembly.into_iter()));
        Ok(out)
    }

    fn level(&self, name: &str, units: impl Iterator<Item = Vec<CodeLine>>) -> LessonLevel {
        let mut all = Vec::new();
        for unit in units.filter(|u| self.concerns(u)) {
            if !all.is_empty() {
                all.push((String::new(), vec![]));
            }
            all.extend(self.cut(unit));
        }
        if all.is_empty() {
            all.push(("no code is left of it".to_owned(), vec![]));
        }
        LessonLevel { name: name.to_owned(), lines: all }
    }

    /// The effect of a pass on a unit, if it is about the construct.
    fn pass(&self, d: &Dump) -> Option<LessonPass> {
        let edits: Vec<&str> = d
            .edits
            .lines()
            .filter(|e| serials(e).iter().any(|&s| self.chosen.contains(&Serial::from_u32(s))))
            .collect();
        if edits.is_empty() || d.before == d.after {
            return None;
        }
        Some(LessonPass {
            pass: d.pass.to_owned(),
            unit: d.unit.clone(),
            before: self.cut(lines(&d.before)),
            after: self.cut(lines(&d.after)),
            edits: edits.into_iter().map(|e| self.in_words(e)).collect(),
        })
    }

    /// An edit with lines of the source for serials.
    fn in_words(&self, edit: &str) -> String {
        let mut out = String::new();
        let mut rest = edit;
        while let Some(at) = rest.find('@') {
            let end = set_end(rest, at);
            let mut numbers: Vec<u32> = serials(&rest[at..end])
                .into_iter()
                .map(|s| self.infos.stmts.get(Serial::from_u32(s)).map_or(0, |i| i.line))
                .collect();
            numbers.sort_unstable();
            numbers.dedup();
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            out.push_str(&rest[..at]);
            out.push_str(&if numbers.is_empty() {
                "nothing".to_owned()
            } else {
                format!("line {}", numbers.join(", "))
            });
            rest = &rest[end..];
        }
        out + rest
    }
}

/// The end of the set that begins at `at`.
fn set_end(text: &str, at: usize) -> usize {
    let rest = &text[at + 1..];
    let length = if rest.starts_with('{') {
        rest.find('}').map_or(rest.len(), |k| k + 1)
    } else {
        rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
    };
    at + 1 + length
}

/// The serials in the sets of a text.
fn serials(text: &str) -> Vec<u32> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find('@').map(|k| from + k) {
        let end = set_end(text, at);
        out.extend(text[at + 1..end].split(['{', '}', ',']).filter_map(|n| n.parse::<u32>().ok()));
        from = end.max(at + 1);
    }
    out
}

/// The text of a unit, the column of sets taken off.
fn lines(text: &str) -> Vec<CodeLine> {
    text.lines()
        .map(|l| match l.rfind(" @") {
            Some(at) if l[at + 2..].chars().all(|c| c.is_ascii_digit() || "{},".contains(c)) => {
                (l[..at].trim_end().to_owned(), serials(&l[at..]))
            }
            _ => (l.to_owned(), vec![]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_in_text() {
        assert_eq!(serials("merge  @3 + @{5,7} -> @{3,5,7}"), [3, 5, 7, 3, 5, 7]);
        assert_eq!(serials("null  @{}  (it counts)"), [0u32; 0]);
        assert_eq!(
            lines("  do i = 1, 10    @4\nend"),
            [("  do i = 1, 10".to_owned(), vec![4]), ("end".to_owned(), vec![])]
        );
    }
}
