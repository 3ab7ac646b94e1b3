//! pprof's gzipped protocol buffer (google/pprof, `profile.proto`).
//!
//! Sample types are executions and nanoseconds. Times are on the stacks of the calling tree; counts stand at their line alone,
//! since a profile does not say from where a line was reached.

use crate::index::{Index, executions_of_all as executions};
use crate::safe;
use crate::tree::tree;
use std::collections::HashMap;

/// A protocol-buffer message.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn number(&mut self, field: u64, n: u64) -> &mut Self {
        if n != 0 {
            self.varint(field << 3);
            self.varint(n);
        }
        self
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn packed(&mut self, field: u64, numbers: &[u64]) -> &mut Self {
        let mut inner = Message::default();
        numbers.iter().for_each(|&n| inner.varint(n));
        self.bytes(field, &inner.0)
    }
}

/// Numbers for strings; the first is empty, as the format asks.
struct Strings {
    list: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Strings {
    fn of(&mut self, text: &str) -> u64 {
        let text = safe(text).into_owned();
        if let Some(&n) = self.numbers.get(&text) {
            return n;
        }
        let n = self.list.len() as u64;
        self.list.push(text.clone());
        self.numbers.insert(text, n);
        n
    }
}

pub(super) fn pprof(index: &Index<'_>) -> Vec<u8> {
    let mut strings = Strings { list: vec![String::new()], numbers: HashMap::from([(String::new(), 0)]) };
    let mut out = Message::default();
    for (kind, unit) in [("executions", "count"), ("time", "nanoseconds")] {
        let value = value_type(&mut strings, kind, unit);
        out.bytes(1, &value);
    }
    samples(index, &mut strings, &mut out);
    locations(index, &mut strings, &mut out);
    let time = strings.of("time");
    let comment = strings.of(&format!("{} at -{}", index.profile.program, index.profile.opt_level));
    for text in &strings.list {
        out.bytes(6, text.as_bytes());
    }
    out.number(10, index.profile.clock.elapsed_ns);
    out.number(13, comment);
    out.number(14, time);
    gzip(&out.0)
}

fn value_type(strings: &mut Strings, kind: &str, unit: &str) -> Vec<u8> {
    let mut m = Message::default();
    m.number(1, strings.of(kind)).number(2, strings.of(unit));
    m.0
}

/// Locations are numbered as constructs are, from 1.
fn location(serial: u32) -> u64 {
    u64::from(serial) + 1
}

fn samples(index: &Index<'_>, strings: &mut Strings, out: &mut Message) {
    let (status, key) = (strings.of("status"), 3);
    for c in &index.profile.constructs {
        let Some(n) = executions(c).filter(|&n| n > 0) else { continue };
        let mut label = Message::default();
        label.number(1, status).number(2, strings.of(c.status.word()));
        let mut sample = Message::default();
        sample.packed(1, &[location(c.serial)]).packed(2, &[n, 0]).bytes(key, &label.0);
        out.bytes(2, &sample.0);
    }
    let nodes = tree(index);
    for (i, n) in nodes.iter().enumerate().filter(|(_, n)| n.own > 0) {
        // Leaf first.
        let stack: Vec<u64> =
            std::iter::successors(Some(i), |&k| nodes[k].parent).map(|k| location(nodes[k].serial)).collect();
        let mut sample = Message::default();
        sample.packed(1, &stack).packed(2, &[0, n.own]);
        out.bytes(2, &sample.0);
    }
}

/// One location a construct; its function is the procedure.
fn locations(index: &Index<'_>, strings: &mut Strings, out: &mut Message) {
    for c in &index.profile.constructs {
        let function = location(index.procedure_of(c.serial));
        let mut line = Message::default();
        line.number(1, function).number(2, u64::from(c.line));
        let mut m = Message::default();
        m.number(1, location(c.serial)).bytes(4, &line.0);
        out.bytes(4, &m.0);
    }
    for c in &index.profile.constructs {
        if index.procedure_of(c.serial) == c.serial {
            let (name, file) = (strings.of(&c.text), strings.of(&c.file));
            let mut m = Message::default();
            m.number(1, location(c.serial)).number(2, name).number(3, name).number(4, file);
            m.number(5, u64::from(c.line));
            out.bytes(5, &m.0);
        }
    }
}

/// RFC 1952, without name and time.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    out.extend(miniz_oxide::deflate::compress_to_vec(bytes, 6));
    out.extend(crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    };
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn checksum() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
