//! Constructs as comma-separated values (RFC 4180), for spreadsheets and data frames.

use crate::flat::{FlatOptions, rows};
use crate::index::Index;

/// A heading line and a line a construct; a figure that was not measured is empty.
pub fn csv(index: &Index<'_>, options: &FlatOptions) -> String {
    let mut out = String::from(
        "serial,parent,kind,procedure,file,line,end_line,text,status,reason,invocations,iterations,min_trips,max_trips,zero_trips,evaluations,taken,elements,inclusive_ns,exclusive_ns,trips,part\r\n",
    );
    let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    for c in rows(index, options) {
        let t = index.time(c);
        let taken: Vec<String> = c.counts.taken.iter().flatten().map(u64::to_string).collect();
        let trips: Vec<String> = c.counts.trips.iter().flatten().map(|(least, n)| format!("{least}:{n}")).collect();
        let cells = [
            c.serial.to_string(),
            c.parent.map_or(String::new(), |p| p.to_string()),
            field(&c.kind),
            field(&c.procedure),
            field(&c.file),
            c.line.to_string(),
            c.end_line.to_string(),
            field(&c.text),
            c.status.word().to_owned(),
            field(c.reason.as_deref().unwrap_or("")),
            number(c.counts.invocations),
            number(c.counts.iterations),
            number(c.counts.min_trips),
            number(c.counts.max_trips),
            number(c.counts.zero_trips),
            number(c.counts.evaluations),
            taken.join("/"),
            number(c.counts.elements),
            number(t.map(|t| t.inclusive_ns)),
            number(t.map(|t| t.exclusive_ns)),
            trips.join("/"),
            c.counts.part.join("/"),
        ];
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

/// A quoted field. One that a spreadsheet would take for a formula begins with an apostrophe.
fn field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", crate::safe(text).replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields() {
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(field("=1+1"), "\"'=1+1\"");
    }
}
