"use strict";
// Data, formats, and what all views share. Text reaches the document as text only, never as markup.
const $ = (id) => document.getElementById(id);

/** An element with a class, text and children. */
function el(tag, cls, ...content) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  for (const c of content) if (c !== null && c !== undefined && c !== "") e.append(c);
  return e;
}

function button(text, act, cls) {
  const b = el("button", cls, text);
  b.type = "button";
  b.addEventListener("click", act);
  return b;
}

const group = new Intl.NumberFormat("en-US");
const count = (n) => (n === null || n === undefined ? "" : group.format(n));
function time(ns) {
  if (ns === null || ns === undefined) return "";
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  const [v, u] = ns < 1e6 ? [ns / 1e3, "µs"] : ns < 1e9 ? [ns / 1e6, "ms"] : [ns / 1e9, "s"];
  return `${v.toFixed(v < 10 ? 2 : v < 100 ? 1 : 0)} ${u}`;
}
const percent = (x) => `${(100 * x).toFixed(1)} %`;

/** Everything the page knows, once the data is unpacked. */
const P = { profile: null, at: new Map(), procedure: new Map(), byLine: new Map(), total: 1, hotLines: [] };

async function unpack() {
  const text = $("data").textContent.trim();
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const isProcedure = (c) => c.kind === "procedure" || c.kind === "program";
const executions = (c) => c.counts.invocations ?? c.counts.evaluations;
const joint = new Set();
/** The time of a construct; a joint time stands at the first construct of its group. */
const timeOf = (c) => (c.members ? c.time : joint.has(c.serial) ? null : c.time);
const heat = (share) => (share < 0.001 ? "transparent" : `rgba(var(--hot), ${Math.min(1, 0.12 + 0.88 * Math.sqrt(share)).toFixed(3)})`);
const ofExecutions = (c) => (c.counts.invocations === undefined ? "evaluations" : "invocations");
const isPart = (c, measure) => !!c.counts.part?.includes(measure);
/** Stands before a count; of a run that was cut short, some are the most it can have been, or about that; the part of a rank is the least. */
function bound(c, measure, n) {
  if (isPart(c, measure)) return c.may_be_low ? "~ " : "≥ ";
  if (!n || c.counts_exact || c.status === "UNAVAILABLE") return "";
  return c.may_be_low ? "~ " : c.counts.part?.length ? "" : "≤ ";
}
/** The count `measure` of a construct. */
const counted = (c, measure, n) => (n === undefined || n === null ? "" : bound(c, measure, n)) + count(n);
const key = (file, line) => `${file}\n${line}`;

function index(data) {
  const p = data.profile;
  P.profile = p;
  P.tree = data.tree;
  P.spread = data.spread;
  P.shares = data.shares;
  P.lesson = data.lesson;
  P.total = Math.max(1, data.whole);
  P.advice = data.advice;
  P.summary = data.summary;
  P.brief = new Map(data.brief);
  data.joint.forEach((s) => joint.add(s));
  for (const c of p.constructs) {
    P.at.set(c.serial, c);
    P.procedure.set(c.serial, isProcedure(c) || c.parent === null ? c.serial : P.procedure.get(c.parent));
    const k = key(c.file, c.line);
    if (!P.byLine.has(k)) P.byLine.set(k, []);
    P.byLine.get(k).push(c);
  }
  P.merged = data.merged.filter((g) => g.members.some((s) => P.at.has(s))).map((g) => {
    const members = g.members.map((s) => P.at.get(s)).filter((c) => c);
    return { ...members[0], members, text: g.text, kind: "do", time: g.time, place: `${members[0].file}:${g.lines}`, counts: {}, samples: null, status: "MERGED", brief: `merged ${g.lines}` };
  });
  P.grouped = new Set(data.merged.flatMap((g) => g.members));
  P.files = p.files.map((f) => ({ path: f.path, lines: (f.text ?? "").replace(/\n$/, "").split("\n") }));
  P.hotLines = p.constructs
    .filter((c) => timeOf(c) && timeOf(c).exclusive_ns > 0)
    .sort((a, b) => timeOf(b).exclusive_ns - timeOf(a).exclusive_ns)
    .slice(0, 100);
}

const title = (c) => (isProcedure(c) ? `${c.kind} ${c.text}` : c.text);
const place = (c) => c.place ?? `${c.file}:${c.line}`;
/** The place for a narrow column: the end of the file's name and the line are always seen. */
const near = (c) => { const p = place(c); return p.length <= 21 ? p : `${p.slice(0, 4)}…${p.slice(-16)}`; };
/** Time that rests on samples, or is a share of a joint time, is marked. */
const marked = (t, ns) => (ns === null || ns === undefined ? "" : (t.estimated || t.error_ns ? "~" : "") + time(ns));

/** A list that draws the rows in sight only. `draw(i)` makes the row of item `i`. */
class List {
  constructor(height, cls) {
    this.height = height;
    this.box = el("div", `list ${cls ?? ""}`);
    this.box.tabIndex = 0;
    this.inner = el("div", "inner");
    this.box.append(this.inner);
    this.rows = new Map();
    this.n = 0;
    this.box.addEventListener("scroll", () => this.paint(), { passive: true });
    new ResizeObserver(() => this.paint()).observe(this.box);
  }
  show(n, draw) {
    this.n = n;
    this.draw = draw;
    this.inner.style.height = `${n * this.height}px`;
    this.clear();
    this.paint();
  }
  clear() {
    this.rows.forEach((r) => r.remove());
    this.rows.clear();
  }
  paint(all) {
    const first = all ? 0 : Math.max(0, Math.floor(this.box.scrollTop / this.height) - 12);
    const last = all ? this.n : Math.min(this.n, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + 12);
    for (const [i, row] of this.rows) if (i < first || i >= last) { row.remove(); this.rows.delete(i); }
    for (let i = first; i < last; i++) {
      if (this.rows.has(i)) continue;
      const row = this.draw(i);
      row.style.top = `${i * this.height}px`;
      row.style.height = `${this.height}px`;
      this.rows.set(i, row);
      this.inner.append(row);
    }
  }
  redraw() { this.clear(); this.paint(); }
  reveal(i) {
    const top = i * this.height;
    if (top < this.box.scrollTop || top > this.box.scrollTop + this.box.clientHeight - 2 * this.height) {
      this.box.scrollTop = Math.max(0, top - this.box.clientHeight / 2);
    }
    this.paint();
  }
}

/** Shares of the arms of a conditional, as bars. The arms that one rank has counted are no shares of the whole. */
function arms(c) {
  const taken = c.counts.taken;
  const shown = taken.map((n, i) => (isPart(c, `taken.${i}`) ? bound(c, `taken.${i}`, n) : "") + count(n));
  return c.counts.part?.length ? el("span", "", shown.join(" / ")) : bars(taken);
}

/** Shares of a sum, as bars. */
function bars(taken) {
  const sum = taken.reduce((a, b) => a + b, 0);
  const box = el("span", "bars");
  box.title = taken.map((n, i) => `arm ${i + 1}: ${count(n)}${sum ? ` (${percent(n / sum)})` : ""}`).join("\n");
  if (sum) taken.forEach((n) => { const i = el("i"); i.style.width = `${(100 * n) / sum}%`; box.append(i); });
  return box;
}
