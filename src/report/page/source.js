// The source with heat, counts and conditional profile in the gutter.
const source = { list: null, file: 0, line: 1 };

/** Whether `c` stands in `o`. */
function inside(c, o) {
  for (let p = c.parent; p !== null && p !== undefined; p = P.at.get(p)?.parent) if (p === o.serial) return true;
  return false;
}

function sourceRow(i) {
  const f = P.files[source.file];
  const here = P.byLine.get(key(f.path, i + 1)) ?? [];
  const c = here[0];
  const row = el("div", "row");
  row.dataset.line = i + 1;
  if (i + 1 === source.line) row.classList.add("selected");
  if (state.search && f.lines[i].toLowerCase().includes(state.search)) row.classList.add("hit");
  // A line with several statements has the sum of those that stand in no other of them; the panel beside has each.
  const outer = here.filter((x) => !here.some((o) => o !== x && inside(x, o)));
  const times = outer.map(timeOf).filter((x) => x);
  const t = times.length ? { inclusive_ns: times.reduce((sum, x) => sum + x.inclusive_ns, 0) } : null;
  const sum = (f) => outer.map(f).filter((n) => n !== null && n !== undefined).reduce((a, b) => (a ?? 0) + b, undefined);
  const least = outer.find((x) => isPart(x, ofExecutions(x))) ?? c;
  const h = el("span", "g-heat");
  if (t) h.style.background = heat(t.inclusive_ns / P.total);
  const third = el("span", "gutter g-iter");
  if (sum((x) => x.counts.iterations) !== undefined) third.append(counted(c, "iterations", sum((x) => x.counts.iterations)));
  else if (outer.length === 1 && c?.counts.taken) third.append(arms(c));
  else if (c?.counts.elements !== undefined) third.append(counted(c, "elements", c.counts.elements));
  row.append(h, el("span", "gutter g-time", t ? time(t.inclusive_ns) : ""), el("span", "gutter g-count", c ? counted(least, ofExecutions(least), sum(executions)) : ""),
    third, el("span", "gutter g-no", String(i + 1)), el("span", "text", f.lines[i]));
  const odd = here.filter((x) => x.status !== "EXACT");
  if (odd.length) row.append(el("span", "mark", odd.map((x) => x.status + (x.status === "MERGED" || x.status === "ELIMINATED" ? ` ${x.reason ?? ""}` : "")).join("; ")));
  row.addEventListener("click", () => go({ view: "source", file: f.path, line: i + 1 }));
  return row;
}

function sourceView(box) {
  const tools = el("div", "tools");
  if (P.files.length > 1) {
    const s = el("select");
    s.setAttribute("aria-label", "File");
    P.files.forEach((f, i) => { const o = el("option", "", f.path); o.value = i; s.append(o); });
    s.value = source.file;
    s.addEventListener("change", () => go({ view: "source", file: P.files[s.value].path, line: 1 }));
    tools.append(s);
  } else tools.append(el("b", "", P.files[0]?.path ?? "no source"));
  tools.append(button("hottest", () => hottest(0)), button("next hot (n)", () => hottest(1)), button("previous hot (p)", () => hottest(-1)));
  box.append(tools);
  const heading = el("div", "heading");
  for (const [cls, text] of [["g-heat", ""], ["gutter g-time", "time"], ["gutter g-count", "count"], ["gutter g-iter", "iterations / taken"], ["gutter g-no", "line"]]) heading.append(el("span", cls, text));
  box.append(heading);
  source.list = new List(19, "source");
  box.append(source.list.box);
  source.list.show(P.files[source.file]?.lines.length ?? 0, sourceRow);
  requestAnimationFrame(() => source.list.reveal(source.line - 1));
}

let hotAt = -1;
function hottest(step) {
  if (!P.hotLines.length) return;
  hotAt = step === 0 ? 0 : (hotAt + step + P.hotLines.length) % P.hotLines.length;
  select(P.hotLines[hotAt]);
}

/** Shows a construct in the source, with its details. */
function select(c) { go({ view: "source", file: c.file, line: c.line, serial: c.serial }); }

function moveLine(by) {
  const f = P.files[source.file];
  if (!f) return;
  go({ view: "source", file: f.path, line: Math.min(f.lines.length, Math.max(1, source.line + by)) });
}
