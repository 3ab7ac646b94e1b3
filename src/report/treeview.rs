//! The calling tree as text, and who calls whom.

use crate::cells::place;
use crate::flat::construct;
use crate::index::Index;
use crate::processors::Efficiency;
use crate::safe;
use crate::table::{Column, Style, Table, Tone, count, heat, time};
use crate::tree::{TreeNode, label, tree};
use std::fmt::Write;

/// The tree, nodes of a per mille of the time and more; `limit` bounds the lines. The longest root comes first; below it, the order is that of
/// the source.
pub fn tree_text(index: &Index<'_>, limit: Option<usize>, style: Style) -> String {
    let nodes = longest_first(tree(index));
    let whole = index.whole() as f64;
    let mut out = style
        .paint(Tone::Heading, &format!("{:>6} {:>9} {:>9} {:>14}  call tree", "%", "total", "own", "calls"))
        .into_owned();
    out.push('\n');
    let mut left = limit.unwrap_or(usize::MAX);
    let mut hidden = 0usize;
    for n in &nodes {
        let share = n.total as f64 / whole;
        if left == 0 || (n.depth > 0 && share < 0.001 && nodes.len() > 200) {
            hidden += 1;
            continue;
        }
        left -= 1;
        out.push_str(&style.paint(heat(n.own as f64 / whole), &style.fit(&line(index, n, share))));
        out.push('\n');
    }
    if hidden > 0 {
        let _ = writeln!(out, "({hidden} nodes below 0.1 % or beyond the limit are not shown)");
    }
    if nodes.iter().any(|n| n.estimated) {
        out.push_str("~ an estimate: shared out among callers, or from samples\n");
    }
    out
}

/// The nodes with the roots, and all below them, in the order of their times.
fn longest_first(nodes: Vec<TreeNode>) -> Vec<TreeNode> {
    let mut roots: Vec<Vec<TreeNode>> = Vec::new();
    for n in nodes {
        match roots.last_mut().filter(|_| n.depth > 0) {
            Some(root) => root.push(n),
            None => roots.push(vec![n]),
        }
    }
    roots.sort_by_key(|root| std::cmp::Reverse(root[0].total));
    roots.into_iter().flatten().collect()
}

fn line(index: &Index<'_>, n: &TreeNode, share: f64) -> String {
    let mark = if n.estimated { "~" } else { "" };
    let time = |ns: u64| if n.untimed || n.recursive { String::new() } else { format!("{mark}{}", time(ns)) };
    let share = if n.untimed || n.recursive { String::new() } else { format!("{:.1}", share * 100.0) };
    let again = if n.recursive { " (recursive)" } else { "" };
    let site = if n.line > 0 { format!(" (line {})", n.line) } else { String::new() };
    format!(
        "{share:>6} {:>9} {:>9} {:>14}  {}{}{site}{again}",
        time(n.total),
        time(n.own),
        format!("{mark}{}", count(Some(n.calls))),
        "  ".repeat(n.depth),
        label(index, n.serial),
    )
}

/// The edges: callers and callees with lines, calls and time.
pub fn calls_text(index: &Index<'_>, style: Style) -> String {
    if index.profile.edges.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(&[("calls", true), ("time", true), ("caller", false), ("line", false), ("callee", false)]);
    let mut edges: Vec<_> = index.profile.edges.iter().collect();
    edges.sort_by_key(|e| {
        (std::cmp::Reverse(e.inclusive_ns.unwrap_or(0)), std::cmp::Reverse(e.calls), e.caller, e.line, e.callee)
    });
    let name = |s: u32| index.get(s).map_or_else(|| "?".to_owned(), |c| safe(&c.text).into_owned());
    for e in edges {
        let file = index.get(e.caller).map_or("", |c| &c.file);
        table.push(vec![
            format!(
                "{}{}",
                match (e.at_most, e.may_be_low) {
                    (false, _) => "",
                    (_, false) => "≤ ",
                    _ => "~ ",
                },
                count(Some(e.calls))
            ),
            e.inclusive_ns.map_or(String::new(), |ns| format!("{}{}", if e.estimated { "~" } else { "" }, time(ns))),
            name(e.caller),
            if e.line == 0 { String::new() } else { format!("{}:{}", safe(file), e.line) },
            name(e.callee),
        ]);
    }
    table.render(style)
}

/// Average, standard deviation, minimum and maximum of the six times over processors, of each construct, and how well the
/// processors are used in it.
pub fn processors_text(index: &Index<'_>, style: Style) -> String {
    let ranks = crate::ranks::ranks_text(index, style);
    if index.profile.processors.len() < 2 {
        return ranks;
    }
    let mut table = Table::with(vec![
        Column::place("line", 0, 18).or_tight(12),
        Column::text("construct", 0, 22).or_tight(16),
        Column::text("time", 0, 7),
        Column::number("average", 0),
        Column::number("deviation", 2),
        Column::number("minimum", 3),
        Column::number("maximum", 7),
        Column::number("imbalance", 6),
        Column::number("balance", 4),
        Column::number("communication", 1),
        Column::number("efficiency", 5),
    ]);
    let mut rows = crate::processors::statistics(index);
    // The longest ones first; those of a length in the order of the source.
    rows.sort_by_key(|row| std::cmp::Reverse(row.times[0].1.maximum));
    for row in rows {
        let Some(c) = index.get(row.serial) else { continue };
        let (line, name) = (place(c, &c.line.to_string()), construct(c));
        let percent = |x: f64| format!("{:.1} %", x * 100.0);
        let efficiency = row.efficiency();
        let of = |f: fn(&Efficiency) -> f64| efficiency.as_ref().map_or(String::new(), |e| percent(f(e)));
        let [balance, communication, parallel] = [of(|e| e.balance), of(|e| e.communication), of(Efficiency::parallel)];
        for (i, (category, s)) in row.times.iter().enumerate().filter(|(_, (_, s))| s.maximum > 0) {
            table.push_toned(
                vec![
                    if i == 0 { line.clone() } else { String::new() },
                    if i == 0 { name.clone() } else { String::new() },
                    (*category).to_owned(),
                    time(s.average.round() as u64),
                    time(s.deviation.round() as u64),
                    time(s.minimum),
                    time(s.maximum),
                    if s.imbalanced() { format!("{:.0} %", s.imbalance() * 100.0) } else { String::new() },
                    if i == 0 { balance.clone() } else { String::new() },
                    if i == 0 { communication.clone() } else { String::new() },
                    if i == 0 { parallel.clone() } else { String::new() },
                ],
                if s.imbalanced() { Tone::Hot } else { Tone::Plain },
            );
        }
    }
    let spread = table.render(style);
    if ranks.is_empty() { spread } else { format!("{ranks}\nOver ranks\n{spread}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_root_is_the_first() {
        let node = |serial, depth, total| TreeNode {
            serial,
            line: 0,
            parent: None,
            depth,
            calls: 1,
            total,
            own: total,
            estimated: false,
            recursive: false,
            untimed: false,
        };
        let nodes = vec![node(1, 0, 5), node(2, 1, 5), node(3, 0, 9), node(4, 1, 2), node(5, 1, 7), node(6, 0, 5)];
        let order: Vec<u32> = longest_first(nodes).iter().map(|n| n.serial).collect();
        assert_eq!(order, [3, 4, 5, 1, 2, 6]);
        assert!(longest_first(Vec::new()).is_empty());
    }
}
