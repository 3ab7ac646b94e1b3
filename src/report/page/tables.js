// Sortable tables that draw the rows in sight only.

/** `columns`: name, width in pixels or 0 for the rest, value for sorting, text or element, number or not. */
function table(box, columns, items, open, options = {}) {
  let by = options.sort ?? 0, down = options.down ?? true;
  const heading = el("div", "heading");
  const list = new List(24);
  const width = (e, w) => { if (w) e.style.width = `${w}px`; else e.classList.add("wide"); return e; };
  const sorted = () => {
    const value = columns[by].value;
    items.sort((a, b) => {
      const x = value(a), y = value(b);
      const none = (v) => v === undefined || v === null || v === "";
      if (none(x) !== none(y)) return none(x) ? 1 : -1;
      const d = typeof x === "string" ? x.localeCompare(y) : x - y;
      return down ? -d : d;
    });
    heading.replaceChildren(...columns.map((c, i) => {
      const mark = i === by ? (down ? " ▾" : " ▴") : "";
      const b = width(button(c.name + mark, () => { down = i === by ? !down : c.number !== false; by = i; sorted(); }, "cell"), c.width);
      b.setAttribute("aria-sort", i === by ? (down ? "descending" : "ascending") : "none");
      b.style.textAlign = c.number === false ? "left" : "right";
      return b;
    }));
    list.show(items.length, (i) => {
      const row = el("div", "row");
      for (const c of columns) {
        const content = c.text(items[i]);
        const cell = width(el("span", c.number === false ? "cell" : "cell n", content), c.width);
        if (typeof content === "string") cell.title = content;
        if (c.heat) cell.style.background = heat(c.heat(items[i]));
        row.append(cell);
      }
      row.addEventListener("click", () => open(items[i]));
      return row;
    });
  };
  list.box.addEventListener("scroll", () => { heading.scrollLeft = list.box.scrollLeft; }, { passive: true });
  box.append(heading, list.box);
  sorted();
  return list;
}

const wanted = (c) => !state.search || `${title(c)} ${c.procedure} ${place(c)} ${c.status} ${c.reason ?? ""}`.toLowerCase().includes(state.search);

function constructsView(box) {
  const tools = el("div", "tools", "show");
  const kinds = [["all", () => true], ["procedures", isProcedure], ["loops", (c) => c.kind.startsWith("do")], ["conditionals", (c) => !!c.counts.taken]];
  kinds.forEach(([name], i) => {
    const b = button(name, () => { state.kind = i; render(); });
    if (i === state.kind) b.style.fontWeight = "600";
    tools.append(b);
  });
  // A group is one row; its members are told of beside it.
  const of = (c) => (c.members ?? [c]).some((m) => kinds[state.kind][1](m) && wanted(m));
  const items = P.profile.constructs.filter((c) => !P.grouped.has(c.serial)).concat(P.merged).filter(of);
  tools.append(el("span", "note", `${count(items.length)} constructs`));
  box.append(tools);
  const t = (c, k) => timeOf(c)?.[k];
  const error = (c) => (t(c, "exclusive_ns") ? t(c, "error_ns") || undefined : undefined);
  const cpu = (c) => (c.members ?? [c]).reduce((sum, m) => sum + (m.samples?.exclusive ?? 0), 0) * (P.profile.samples?.period_ns ?? 0) || undefined;
  table(box, [
    { name: "line", width: 190, number: false, value: (c) => c.serial, text: (c) => { const e = el("span", "", near(c)); e.title = place(c); return e; } },
    { name: "construct", width: 0, number: false, value: title, text: title },
    { name: "%", width: 60, value: (c) => t(c, "exclusive_ns"), text: (c) => (timeOf(c) ? (100 * t(c, "exclusive_ns") / P.total).toFixed(1) : ""), heat: (c) => (t(c, "exclusive_ns") ?? 0) / P.total },
    { name: "exclusive", width: 95, value: (c) => t(c, "exclusive_ns"), text: (c) => marked(timeOf(c), t(c, "exclusive_ns")) },
    { name: "error", width: 85, value: error, text: (c) => (error(c) ? `±${time(error(c))}` : "") },
    { name: "inclusive", width: 95, value: (c) => t(c, "inclusive_ns"), text: (c) => marked(timeOf(c), t(c, "inclusive_ns")) },
    { name: "CPU", width: 85, value: cpu, text: (c) => (cpu(c) ? `~${time(cpu(c))}` : "") },
    { name: "count", width: 125, value: executions, text: (c) => counted(c, ofExecutions(c), executions(c)) },
    { name: "iterations", width: 125, value: (c) => c.counts.iterations, text: (c) => counted(c, "iterations", c.counts.iterations) },
    { name: "taken", width: 110, value: (c) => (c.counts.taken && c.counts.evaluations && !c.counts.part?.length ? c.counts.taken[0] / c.counts.evaluations : undefined), text: (c) => (c.counts.taken ? arms(c) : "") },
    { name: "status", width: 170, number: false, value: (c) => c.status, text: (c) => el("span", c.status, c.brief ?? P.brief.get(c.serial) ?? c.status) },
  ], items, (c) => { showDetail(c.members ?? [c]); state.serial = c.serial; }, { sort: 2 });
}

// A table of ranks and constructs, and one of the statements that communicate; nothing for a profile of one processor without ranks.
function ranksTables(box) {
  const ranks = P.profile.processors.filter((p) => p.ranks !== undefined), all = new Map();
  const words = [["communication", "communication"], ["late sender", "late_sender"], ["late receiver", "late_receiver"], ["runtime library", "runtime"], ["global operation", "global"]];
  const column = (name, f) => ({ name, width: 105, value: f, text: (r) => (f(r) ? time(f(r)) : "") });
  const number = (name, k) => ({ name, width: 100, value: (r) => r[k], text: (r) => (r[k] ? r[k].toLocaleString("en") : "") });
  const own = ranks.flatMap((p) => Object.entries(p.own ?? {}).map(([serial, c]) => ({ ...c, rank: p.rank, c: P.at.get(Number(serial)) }))).filter((r) => r.c && wanted(r.c) && r.elapsed);
  if (own.length) {
    box.append(el("div", "tools", "Times of each construct and rank, without constructs inside and procedures called"));
    table(box, [
      { name: "rank", width: 60, value: (r) => r.rank, text: (r) => String(r.rank) },
      column("elapsed", (r) => r.elapsed), column("user", (r) => r.user), ...words.map(([name, k]) => column(name, (r) => r[k])),
      number("messages", "messages"), number("bytes", "bytes"),
      { name: "construct", width: 0, number: false, value: (r) => r.c.serial, text: (r) => `${title(r.c)}  ${place(r.c)}` },
    ], own, (r) => { showDetail([r.c]); }, { sort: 1 });
  }
  for (const p of ranks) for (const s of p.statements ?? []) {
    const key = `${s.file}:${s.line}`, sum = all.get(key) ?? { key, messages: 0, bytes: 0, arrays: new Set(), c: P.at.get(s.serial) };
    for (const [, k] of words) sum[k] = (sum[k] ?? 0) + (s[k] ?? 0);
    sum.messages += s.messages; sum.bytes += s.bytes;
    for (const r of s.references ?? []) sum.arrays.add(r.directive ? `${r.name} (${r.directive})` : r.name);
    all.set(key, sum);
  }
  if (!all.size) return;
  const sum = (r) => words.reduce((n, [, k]) => n + r[k], 0);
  box.append(el("div", "tools", "Statements that communicate, all ranks together"));
  table(box, [
    column("all", sum), ...words.map(([name, k]) => column(name, (r) => r[k])), number("messages", "messages"), number("bytes", "bytes"),
    { name: "line", width: 150, number: false, value: (r) => r.key, text: (r) => r.key },
    { name: "arrays, with their directives", width: 0, number: false, value: (r) => r.arrays.size, text: (r) => [...r.arrays].sort().join(", ") },
  ], [...all.values()], (r) => { if (r.c) showDetail([r.c]); }, { sort: 0 });
}

function processorsView(box) {
  ranksTables(box);
  if (!P.spread.length || P.profile.processors.length < 2) {
    if (P.profile.processors.some((p) => p.ranks !== undefined)) return;
    box.append(el("p", "note", "The profile is of one processor: there is nothing to compare. Profiles of several processes or runs merge with trueline merge."));
    return;
  }
  const items = [];
  for (const r of P.spread) {
    const c = P.at.get(r.serial);
    if (c && wanted(c)) for (const [name, s] of r.times) if (s.maximum) items.push({ c, name, s, e: name === "elapsed" ? r.efficiency : null });
  }
  box.append(el("div", "tools", `${P.profile.processors.length} processors; times of which the deviation is more than a tenth of the average are marked`));
  const whisker = ({ s }) => {
    const w = el("span", "whisker"), x = (v) => `${(100 * v) / s.maximum}%`;
    const part = (cls, from, to) => { const e = el("span", cls); e.style.left = x(from); if (to !== undefined) e.style.width = x(to - from); return e; };
    w.append(part("range", s.minimum, s.maximum), part("dev", Math.max(s.minimum, s.average - s.deviation), Math.min(s.maximum, s.average + s.deviation)), part("mean", s.average));
    return w;
  };
  const column = (name, k) => ({ name, width: 95, value: (r) => r.s[k], text: (r) => time(r.s[k]) });
  table(box, [
    { name: "time", width: 140, number: false, value: (r) => r.name, text: (r) => r.name },
    column("average", "average"), column("deviation", "deviation"), column("minimum", "minimum"), column("maximum", "maximum"),
    { name: "imbalance", width: 110, value: (r) => r.s.imbalance, text: (r) => el("span", r.s.imbalanced ? "imbalance" : "", (r.s.imbalanced ? "▲ " : "") + percent(r.s.imbalance)) },
    { name: "efficiency", width: 100, value: (r) => r.e?.[2], text: (r) => (r.e ? percent(r.e[2]) : "") },
    { name: "spread", width: 140, number: false, value: (r) => r.s.deviation, text: whisker },
    { name: "construct", width: 0, number: false, value: (r) => r.c.serial, text: (r) => `${title(r.c)}  ${place(r.c)}` },
  ], items, (r) => { showDetail([r.c]); }, { sort: 1 });
}
