//! Filters: the constructs that are not timed. Counting costs nearly nothing and is never filtered.
//!
//! Two formats are read as they are: Score-P's filter files and TAU's select files.
//!
//! ```text
//! SCOREP_FILE_NAMES_BEGIN            BEGIN_EXCLUDE_LIST
//!   EXCLUDE */generated/*            BINVCRHS
//! SCOREP_FILE_NAMES_END              MAT#
//! SCOREP_REGION_NAMES_BEGIN          END_EXCLUDE_LIST
//!   EXCLUDE *                        BEGIN_INSTRUMENT_SECTION
//!   INCLUDE solve x_solve:12         loops file="solve.f90" routine="#"
//! SCOREP_REGION_NAMES_END            END_INSTRUMENT_SECTION
//! ```
//!
//! The last rule that matches decides. A pattern is compared with the name of the procedure, without regard
//! to case, as Fortran has it; a loop or region also answers to `procedure:line`, `file:line` and
//! `kind@procedure`, so that rules can name it alone.

/// A construct that a rule is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The procedure that it is, or stands in.
    pub procedure: &'a str,
    /// The linker symbol of the procedure.
    pub symbol: &'a str,
    /// The file.
    pub file: &'a str,
    /// The line.
    pub line: u32,
    /// The kind of construct: `procedure`, `do` …
    pub kind: &'a str,
}

/// The rules of a file.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    files: Vec<Rule>,
    regions: Vec<Rule>,
    /// The places whose loops are timed, if the file names some: file and procedure.
    loops: Option<Vec<(String, String)>>,
    /// Lines without a rule about timing, which were left out: number and text.
    pub ignored: Vec<(u32, String)>,
}

#[derive(Clone, Debug)]
struct Rule {
    include: bool,
    mangled: bool,
    pattern: String,
}

/// A fault of a filter file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterError {
    /// The line, from 1.
    pub line: u32,
    /// The fault, as a sentence.
    pub message: String,
}

impl std::fmt::Display for FilterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for FilterError {}

impl Filter {
    /// Reads a Score-P filter file or a TAU select file.
    ///
    /// # Errors
    /// The first line that belongs to neither.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let mut reader = Reader { out: Filter::default(), section: None, include: None, mangled: false, only: false };
        let mut last = 0;
        for (i, line) in text.lines().enumerate() {
            last = i as u32 + 1;
            reader.line(last, line.trim())?;
        }
        match reader.section {
            Some(section) => Err(FilterError { line: last, message: format!("'{}' is missing", section.end()) }),
            None => Ok(reader.out),
        }
    }

    /// Whether the construct is not to be timed.
    pub fn excludes(&self, s: &Subject<'_>) -> bool {
        let base = s.file.rsplit('/').next().unwrap_or(s.file);
        if !decide(&self.files, |r| matches(&r.pattern, s.file) || matches(&r.pattern, base)) {
            return true;
        }
        let is_procedure = matches!(s.kind, "procedure" | "program");
        let places = [
            format!("{}:{}", s.procedure, s.line),
            format!("{}:{}", s.file, s.line),
            format!("{}@{}", s.kind, s.procedure),
        ];
        let named = |r: &Rule| match (r.mangled, is_procedure) {
            (true, _) => matches(&r.pattern, s.symbol),
            (false, true) => matches(&r.pattern, s.procedure),
            (false, false) => matches(&r.pattern, s.procedure) || places.iter().any(|p| matches(&r.pattern, p)),
        };
        let wanted = decide(&self.regions, named);
        let loop_wanted = is_procedure
            || self.loops.as_ref().is_none_or(|list| {
                let in_file = |p: &str| matches(p, s.file) || matches(p, base);
                list.iter().any(|(file, routine)| in_file(file) && matches(routine, s.procedure))
            });
        !wanted || !loop_wanted
    }
}

/// The answer of the last matching rule; without one the construct is included.
fn decide(rules: &[Rule], matching: impl Fn(&Rule) -> bool) -> bool {
    rules.iter().rev().find(|r| matching(r)).is_none_or(|r| r.include)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    ScorepFiles,
    ScorepRegions,
    TauExclude,
    TauInclude,
    TauFileExclude,
    TauFileInclude,
    TauInstrument,
}

impl Section {
    const ALL: [(Section, &'static str, &'static str); 7] = [
        (Section::ScorepFiles, "SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END"),
        (Section::ScorepRegions, "SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END"),
        (Section::TauExclude, "BEGIN_EXCLUDE_LIST", "END_EXCLUDE_LIST"),
        (Section::TauInclude, "BEGIN_INCLUDE_LIST", "END_INCLUDE_LIST"),
        (Section::TauFileExclude, "BEGIN_FILE_EXCLUDE_LIST", "END_FILE_EXCLUDE_LIST"),
        (Section::TauFileInclude, "BEGIN_FILE_INCLUDE_LIST", "END_FILE_INCLUDE_LIST"),
        (Section::TauInstrument, "BEGIN_INSTRUMENT_SECTION", "END_INSTRUMENT_SECTION"),
    ];

    fn end(self) -> &'static str {
        Section::ALL.iter().find(|(s, ..)| *s == self).map_or("", |(.., end)| end)
    }

    fn is_scorep(self) -> bool {
        matches!(self, Section::ScorepFiles | Section::ScorepRegions)
    }
}

struct Reader {
    out: Filter,
    section: Option<Section>,
    /// The rule that a Score-P line goes on with.
    include: Option<bool>,
    mangled: bool,
    /// Whether a TAU include list was met: nothing else is included then.
    only: bool,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) -> Result<(), FilterError> {
        let fail = |message: String| Err(FilterError { line: number, message });
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let Some(section) = self.section else {
            return match Section::ALL.iter().find(|(_, begin, _)| *begin == line) {
                Some((section, ..)) => {
                    self.section = Some(*section);
                    (self.include, self.mangled) = (None, false);
                    Ok(())
                }
                None => fail(format!("'{line}' begins no section of a Score-P filter or a TAU select file")),
            };
        };
        if line == section.end() {
            self.section = None;
            return Ok(());
        }
        if section.is_scorep() {
            return self.scorep(number, section, line);
        }
        self.tau(number, section, line);
        Ok(())
    }

    fn scorep(&mut self, number: u32, section: Section, line: &str) -> Result<(), FilterError> {
        for word in words(line) {
            match word.as_str() {
                "EXCLUDE" => (self.include, self.mangled) = (Some(false), false),
                "INCLUDE" => (self.include, self.mangled) = (Some(true), false),
                "MANGLED" if section == Section::ScorepRegions && self.include.is_some() => self.mangled = true,
                _ => {
                    let Some(include) = self.include else {
                        let message = format!("'{word}' follows neither INCLUDE nor EXCLUDE");
                        return Err(FilterError { line: number, message });
                    };
                    let rule = Rule { include, mangled: self.mangled, pattern: word };
                    let rules =
                        if section == Section::ScorepFiles { &mut self.out.files } else { &mut self.out.regions };
                    rules.push(rule);
                }
            }
        }
        Ok(())
    }

    fn tau(&mut self, number: u32, section: Section, line: &str) {
        let text = line.trim_matches('"');
        // `#` stands for any text in the name of a routine; a C signature is its name for us.
        let routine = |text: &str| {
            let name = text.split(['(', '[']).next().unwrap_or(text).trim();
            name.rsplit(' ').next().unwrap_or(name).replace('#', "*")
        };
        let rule = |include, pattern| Rule { include, mangled: false, pattern };
        match section {
            Section::TauExclude => self.out.regions.push(rule(false, routine(text))),
            Section::TauInclude => {
                if !self.only {
                    self.only = true;
                    self.out.regions.insert(0, rule(false, "*".to_owned()));
                }
                // A construct that one list excludes stays excluded, wherever the lists stand.
                self.out.regions.insert(1, rule(true, routine(text)));
            }
            Section::TauFileExclude => self.out.files.push(rule(false, text.to_owned())),
            Section::TauFileInclude => {
                if !self.out.files.iter().any(|r| !r.include && r.pattern == "*") {
                    self.out.files.insert(0, rule(false, "*".to_owned()));
                }
                self.out.files.insert(1, rule(true, text.to_owned()));
            }
            _ if line.split_whitespace().next() == Some("loops") => {
                let file = quoted(line, "file").unwrap_or_else(|| "*".to_owned());
                let name = quoted(line, "routine").map_or_else(|| "*".to_owned(), |r| routine(&r));
                self.out.loops.get_or_insert_default().push((file, name));
            }
            _ => self.out.ignored.push((number, line.to_owned())),
        }
    }
}

/// `key="value"` in a line.
fn quoted(line: &str, key: &str) -> Option<String> {
    let rest = line.split_once(&format!("{key}=\""))?.1;
    Some(rest.split_once('"')?.0.to_owned())
}

/// The words of a Score-P line: a backslash makes a blank part of a word; `#` begins a comment.
fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.extend(chars.next()),
            '#' if word.is_empty() => break,
            c if c.is_whitespace() => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// Whether `text` has the form of `pattern`: `*` is any text, `?` any character, `[a-z]` one of a set. Case
/// does not matter. Linear in the text for each star.
pub fn matches(pattern: &str, text: &str) -> bool {
    let p: Vec<char> = pattern.to_lowercase().chars().collect();
    let t: Vec<char> = text.to_lowercase().chars().collect();
    let (mut i, mut k) = (0, 0);
    // The last star, and where the text went on after it.
    let mut star: Option<(usize, usize)> = None;
    while k < t.len() {
        if p.get(i) == Some(&'*') {
            star = Some((i, k));
            i += 1;
        } else if let Some(next) = one(&p, i, t[k]) {
            (i, k) = (next, k + 1);
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            (i, k) = (at + 1, from + 1);
        } else {
            return false;
        }
    }
    p[i..].iter().all(|&c| c == '*')
}

/// The place at which the pattern goes on after the element at `i`, if that stands for `c`.
fn one(p: &[char], i: usize, c: char) -> Option<usize> {
    match p.get(i)? {
        '?' => Some(i + 1),
        '[' if p[i..].contains(&']') => {
            let end = i + 1 + p[i + 1..].iter().skip(1).position(|&x| x == ']')? + 1;
            let (negated, set) = match p[i + 1] {
                '!' | '^' => (true, &p[i + 2..end]),
                _ => (false, &p[i + 1..end]),
            };
            let mut found = false;
            let mut s = set;
            while let Some((&first, rest)) = s.split_first() {
                match rest {
                    ['-', last, more @ ..] => {
                        found |= (first..=*last).contains(&c);
                        s = more;
                    }
                    _ => {
                        found |= first == c;
                        s = rest;
                    }
                }
            }
            (found != negated).then_some(end + 1)
        }
        &x => (x == c).then_some(i + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn procedure(name: &'static str) -> Subject<'static> {
        Subject { procedure: name, symbol: "", file: "src/solve.f90", line: 3, kind: "procedure" }
    }

    fn a_loop(name: &'static str, line: u32) -> Subject<'static> {
        Subject { procedure: name, symbol: "", file: "src/solve.f90", line, kind: "do" }
    }

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*b*c", "aXbXbc", true),
            ("a*b*c", "aXbX", false),
            ("X_SOLVE", "x_solve", true),
            ("?_solve", "x_solve", true),
            ("[x-z]_solve", "y_solve", true),
            ("[x-z]_solve", "a_solve", false),
            ("[!x]_solve", "y_solve", true),
            ("a", "ab", false),
            ("[", "[", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_score_p_file() {
        let text = "# mine\nSCOREP_FILE_NAMES_BEGIN\n  EXCLUDE */generated/*\nSCOREP_FILE_NAMES_END\n\
                    SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *  # all\n  INCLUDE MANGLED main_\n  INCLUDE bt\n    x_solve:12\nSCOREP_REGION_NAMES_END\n";
        let f = Filter::parse(text).unwrap();
        assert!(f.excludes(&procedure("adi")) && !f.excludes(&procedure("BT")));
        assert!(f.excludes(&a_loop("x_solve", 11)) && !f.excludes(&a_loop("x_solve", 12)));
        assert!(!f.excludes(&Subject { symbol: "main_", ..procedure("main") }));
        assert!(f.excludes(&Subject { file: "a/generated/b.f90", ..procedure("bt") }));
    }

    #[test]
    fn a_tau_file() {
        let text = "BEGIN_INCLUDE_LIST\nsolve#\nvoid main(int, char **)\nEND_INCLUDE_LIST\n\
                    BEGIN_EXCLUDE_LIST\nSOLVE_2\nEND_EXCLUDE_LIST\n\
                    BEGIN_INSTRUMENT_SECTION\nloops file=\"solve.f90\" routine=\"solve_1\"\nstatic phase name=\"p\"\nEND_INSTRUMENT_SECTION\n";
        let f = Filter::parse(text).unwrap();
        assert!(!f.excludes(&procedure("solve_1")) && !f.excludes(&procedure("main")));
        assert!(f.excludes(&procedure("solve_2")) && f.excludes(&procedure("other")));
        assert!(!f.excludes(&a_loop("solve_1", 7)) && f.excludes(&a_loop("solve_3", 7)));
        assert_eq!(f.ignored, [(10, "static phase name=\"p\"".to_owned())]);
    }

    #[test]
    fn faults_have_a_line() {
        let error = |text: &str| Filter::parse(text).unwrap_err();
        assert_eq!(error("\nEXCLUDE a\n").line, 2);
        assert_eq!(error("SCOREP_REGION_NAMES_BEGIN\nfoo\nSCOREP_REGION_NAMES_END").line, 2);
        assert!(error("SCOREP_REGION_NAMES_BEGIN\n").message.contains("SCOREP_REGION_NAMES_END"));
    }
}
