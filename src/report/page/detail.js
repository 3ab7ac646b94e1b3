// The panel beside every view: all that is known of a construct.

function pairs(rows) {
  const t = el("table");
  for (const [name, value, note] of rows) {
    if (value === "" || value === null || value === undefined) continue;
    t.append(el("tr", "", el("td", "", name), el("td", "n", value), el("td", "", note ?? "")));
  }
  return t;
}

function construct(c) {
  const b = el("div");
  b.append(el("h2", "", el("span", "code", title(c))));
  b.append(el("div", "", button(place(c), () => go({ view: "source", file: c.file, line: c.line, serial: c.serial }), "link"),
    isProcedure(c) ? "" : ` in ${c.procedure}`));
  const status = el("p", "", el("span", `badge ${c.status}`, c.status), " ", c.reason ?? "");
  b.append(status);
  if (c.merged_with?.length) {
    const list = el("p", "", "Its time is joint with ");
    c.merged_with.forEach((s, i) => {
      const o = P.at.get(s);
      if (i) list.append(", ");
      if (o) list.append(button(`line ${o.line}`, () => select(o), "link"));
    });
    const share = P.shares?.find(([s]) => s === c.serial);
    if (share) list.append(`; by the operations of both, it has ${share[1]} (an estimate)`);
    b.append(list);
  }
  const f = new Map(c.formulas ?? []);
  const n = c.counts;
  const rows = [
    ["invocations", counted(c, "invocations", n.invocations), f.get("invocations")], ["iterations", counted(c, "iterations", n.iterations), f.get("iterations")],
    ["fewest in one", count(n.min_trips)], ["most in one", count(n.max_trips)], ["entered without", count(n.zero_trips)],
    ["trips", n.trips_unknown ? `not known: ${n.trips_unknown}` : undefined],
    ["evaluations", counted(c, "evaluations", n.evaluations), f.get("evaluations")], ["elements", counted(c, "elements", n.elements), f.get("elements")],
  ];
  if (n.taken) {
    const sum = n.taken.reduce((a, b2) => a + b2, 0);
    n.taken.forEach((k, i) => rows.push([`arm ${i + 1}`, counted(c, `taken.${i}`, k), sum && !n.part?.length ? percent(k / sum) : ""]));
  }
  const t = timeOf(c);
  if (t) rows.push(["exclusive", marked(t, t.exclusive_ns), percent(t.exclusive_ns / P.total)], ["inclusive", marked(t, t.inclusive_ns), percent(t.inclusive_ns / P.total)]);
  if (n.trips && n.trips.length > 1) {
    const sum = n.trips.reduce((a, [, k]) => a + k, 0);
    n.trips.forEach(([least, k]) => {
      const most = Math.min(least ? 2 * least - 1 : 0, n.max_trips ?? Infinity), from = Math.max(least, n.min_trips ?? 0);
      rows.push([from === most ? `${count(from)} in one` : `${count(from)} to ${count(most)} in one`, count(k), sum ? percent(k / sum) : ""]);
    });
  }
  b.append(pairs(rows));
  if (n.taken && !n.part?.length) b.append(bars(n.taken));
  if (n.trips && n.trips.length > 1) b.append(bars(n.trips.map(([, k]) => k)));
  if (t?.error_ns && t.exclusive_ns) b.append(el("p", "", `The exclusive time rests on samples: its standard error is ${time(t.error_ns)}`));
  if (t?.between_ns) b.append(el("p", "", `Its inclusive time is an estimated share of a joint time, between ${time(t.between_ns[0])} and ${time(t.between_ns[1])}`));
  if (c.untimed) b.append(el("p", "", `Not timed, or not always: ${c.untimed}`));
  for (const a of (P.advice ?? []).filter((a2) => a2.file === c.file && a2.lines.includes(c.line))) {
    for (const f of a.findings) b.append(el("p", "", `Line ${f.line}: ${f.finding}. Try: ${f.try}.`));
  }
  if (c.inlined_at?.length) b.append(el("p", "", `Inlined at ${c.inlined_at.join(", ")}`));
  const steps = (heading, list) => {
    if (!list?.length) return;
    const ol = el("ol");
    list.forEach((s) => ol.append(el("li", "", s)));
    b.append(el("h2", "", heading), ol);
  };
  steps("How it walks through memory", [...(c.accesses ?? []), ...(c.advice ? [c.advice] : [])]);
  steps("What became of it", c.story);
  steps("What was not done", c.missed);
  if (!c.story?.length && !c.missed?.length) b.append(el("p", "note", "No pass changed it."));
  if (isProcedure(c)) edges(c, b);
  const spread = P.profile.processors.length > 1 ? P.spread.find((r) => r.serial === c.serial) : null;
  if (spread) {
    b.append(el("h2", "", "Over processors"));
    const t2 = el("table");
    t2.append(el("tr", "", ...["", "average", "deviation", "minimum", "maximum"].map((h) => el("th", "", h))));
    for (const [name, s] of spread.times) if (s.maximum) {
      t2.append(el("tr", s.imbalanced ? "imbalance" : "", el("td", "", name), ...[s.average, s.deviation, s.minimum, s.maximum].map((x) => el("td", "n", time(x)))));
    }
    b.append(el("div", "scroll", t2));
    const e = spread.efficiency;
    if (e) b.append(el("p", "", `Load balance ${percent(e[0])}, communication efficiency ${percent(e[1])}: parallel efficiency ${percent(e[2])}`));
  }
  return b;
}

function edges(c, box) {
  const table = (heading, list, other) => {
    if (!list.length) return;
    box.append(el("h2", "", heading));
    const t = el("table");
    for (const e of list) {
      const o = P.at.get(e[other]);
      t.append(el("tr", "", el("td", "", button(o.text, () => select(o), "link")), el("td", "n", (e.at_most ? (e.may_be_low ? "~ " : "≤ ") : "") + count(e.calls)),
        el("td", "n", time(e.inclusive_ns)), el("td", "", e.line ? `line ${e.line}` : "")));
    }
    box.append(t);
  };
  const by = (a, b) => (b.inclusive_ns ?? 0) - (a.inclusive_ns ?? 0) || b.calls - a.calls;
  table("Called by", P.profile.edges.filter((e) => e.callee === c.serial).sort(by), "caller");
  table("Calls", P.profile.edges.filter((e) => e.caller === c.serial).sort(by), "callee");
}

function showDetail(list) {
  $("detail").replaceChildren(...list.map(construct));
  $("detail").scrollTop = 0;
}
