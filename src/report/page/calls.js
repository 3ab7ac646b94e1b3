// The calling tree, callers and callees, and the flame graph.
const open = new Set();

function nodeName(n) {
  const c = P.at.get(n.serial);
  return isProcedure(c) ? c.text : `${c.text}  [${c.procedure}:${c.line}]`;
}

function treeView(box) {
  const nodes = P.tree;
  const children = nodes.map(() => []);
  nodes.forEach((n, i) => { if (n.parent !== null) children[n.parent].push(i); });
  if (!open.size) nodes.forEach((n, i) => { if (n.depth < 6 || n.total > P.total * 0.05) open.add(i); });
  const tools = el("div", "tools");
  tools.append(button("expand all", () => { nodes.forEach((_, i) => open.add(i)); draw(); }), button("collapse all", () => { open.clear(); open.add(-1); draw(); }));
  if (nodes.some((n) => n.estimated)) tools.append(el("span", "note", "~ an estimate: shared out among callers, or from samples"));
  box.append(tools);
  const list = new List(24);
  const draw = () => {
    const shown = [];
    const visit = (i) => { shown.push(i); if (open.has(i)) children[i].forEach(visit); };
    nodes.forEach((n, i) => { if (n.parent === null) visit(i); });
    list.show(shown.length, (k) => {
      const i = shown[k], n = nodes[i];
      const row = el("div", "row");
      const text = nodeName(n);
      if (state.search && text.toLowerCase().includes(state.search)) row.classList.add("hit");
      const cell = (w, t, share) => { const e = el("span", "cell n", t); e.style.width = `${w}px`; if (share !== undefined) e.style.background = heat(share); return e; };
      const twist = el("span", "twist", children[i].length ? (open.has(i) ? "▾" : "▸") : "");
      twist.addEventListener("click", (ev) => { ev.stopPropagation(); if (open.has(i)) open.delete(i); else open.add(i); draw(); });
      const name = el("span", "cell wide", twist, text + (n.line ? ` (line ${n.line})` : "") + (n.recursive ? " (recursive)" : ""));
      name.style.paddingLeft = `${8 + 16 * n.depth}px`;
      const timed = (ns) => (n.untimed || n.recursive ? "" : (n.estimated ? "~" : "") + time(ns));
      row.append(cell(80, n.untimed || n.recursive ? "" : percent(n.total / P.total), n.own / P.total), cell(90, timed(n.total)), cell(90, timed(n.own)), cell(130, (n.estimated ? "~" : "") + count(n.calls)), name);
      row.addEventListener("click", () => showDetail([P.at.get(n.serial)]));
      return row;
    });
  };
  const heading = el("div", "heading");
  for (const [w, t] of [[80, "total"], [90, "total"], [90, "own"], [130, "calls"]]) { const e = el("span", "cell n", t); e.style.width = `${w}px`; heading.append(e); }
  heading.append(el("span", "cell wide", "call tree"));
  box.append(heading, list.box);
  draw();
}

function callsView(box) {
  const procedures = P.profile.constructs.filter((c) => isProcedure(c) && wanted(c));
  const split = el("div", "split");
  const left = el("div"), right = el("div");
  left.style.padding = "0";
  left.style.display = "flex";
  left.style.flexDirection = "column";
  const name = (c) => c.text;
  const calls = new Map();
  P.profile.edges.forEach((e) => calls.set(e.callee, (calls.get(e.callee) ?? 0) + e.calls));
  const show = (c) => {
    right.replaceChildren(el("h2", "", `${title(c)}: ${counted(c, ofExecutions(c), executions(c))} calls, ${time(timeOf(c)?.inclusive_ns) || "not timed"}`));
    edges(c, right);
    const taken = P.profile.constructs.filter((x) => x.counts.taken && P.procedure.get(x.serial) === c.serial);
    if (taken.length) {
      right.append(el("h2", "", "Conditional profile"));
      const t = el("table");
      for (const x of taken) {
        const b = el("td", "", arms(x));
        b.style.width = "40%";
        t.append(el("tr", "", el("td", "n", String(x.line)), el("td", "code", x.text), el("td", "n", counted(x, "evaluations", x.counts.evaluations)), b));
      }
      right.append(t);
    }
    showDetail([c]);
  };
  table(left, [
    { name: "inclusive", width: 100, value: (c) => timeOf(c)?.inclusive_ns, text: (c) => time(timeOf(c)?.inclusive_ns), heat: (c) => (timeOf(c)?.exclusive_ns ?? 0) / P.total },
    { name: "calls", width: 120, value: executions, text: (c) => count(executions(c)) },
    { name: "procedure", width: 0, number: false, value: name, text: name },
  ], procedures, show);
  split.append(left, right);
  box.append(split);
  if (procedures.length) show(procedures[0]);
}

function flameView(box) {
  const nodes = P.tree, H = 20;
  const tools = el("div", "tools");
  const back = button("whole program (Esc)", () => { state.zoom = null; draw(); });
  tools.append(back, el("span", "note", "click zooms; own time is what no frame stands on"));
  const wrap = el("div", "list"), canvas = document.createElement("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Flame graph; the call tree view has the same as text");
  wrap.append(canvas);
  box.append(tools, wrap);
  let boxes = [];
  const draw = () => {
    const w = wrap.clientWidth || 800, depth = nodes.reduce((d, n) => Math.max(d, n.depth), 0) + 1, ratio = devicePixelRatio || 1;
    canvas.width = w * ratio;
    canvas.height = (depth * H + 4) * ratio;
    canvas.style.height = `${depth * H + 4}px`;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "middle";
    const dark = document.documentElement.dataset.theme === "dark";
    const root = state.zoom ?? null;
    const all = nodes.filter((n) => n.parent === null).reduce((s, n) => s + n.total, 0) || 1;
    const span = root === null ? all : nodes[root].total || 1;
    const up = new Set();
    for (let k = root; k !== null && k !== undefined; k = nodes[k].parent) up.add(k);
    const x = [], next = [];
    let at = 0;
    boxes = [];
    nodes.forEach((n, i) => {
      let from, width;
      if (up.has(i)) { from = 0; width = w; x[i] = 0; next[i] = 0; }
      else {
        if (n.parent === null) { from = at; at += n.total; } else if (x[n.parent] !== undefined) { from = next[n.parent]; next[n.parent] += n.total; }
        if (from === undefined || (root !== null && !inside(n, root))) return;
        x[i] = from; next[i] = from;
        from = (from * w) / span; width = (n.total * w) / span;
      }
      if (width < 0.5) return;
      const y = n.depth * H + 2, name = nodeName(n);
      const hue = 18 + (hash(name) % 32), c = P.at.get(n.serial);
      const match = state.search && name.toLowerCase().includes(state.search);
      g.fillStyle = match ? "#b45ef2" : isProcedure(c) ? `hsl(${hue} ${dark ? 65 : 85}% ${dark ? 38 : 66}%)` : `hsl(${200 + (hue % 20)} ${dark ? 35 : 55}% ${dark ? 36 : 76}%)`;
      g.globalAlpha = up.has(i) && i !== root ? 0.45 : 1;
      g.fillRect(from, y, Math.max(1, width - 1), H - 1);
      g.globalAlpha = 1;
      if (width > 30) {
        g.fillStyle = dark ? "#fff" : "#111";
        g.save();
        g.beginPath();
        g.rect(from, y, width - 3, H);
        g.clip();
        g.fillText(name, from + 4, y + H / 2);
        g.restore();
      }
      boxes.push([from, y, width, i]);
    });
  };
  const inside = (n, root) => { let k = n.parent; while (k !== null) { if (k === root) return true; k = nodes[k].parent; } return false; };
  const hit = (ev) => {
    const r = canvas.getBoundingClientRect(), px = ev.clientX - r.left, py = ev.clientY - r.top;
    return boxes.find(([bx, by, bw]) => px >= bx && px < bx + bw && py >= by && py < by + H)?.[3];
  };
  canvas.addEventListener("mousemove", (ev) => {
    const i = hit(ev), tip = $("tip");
    tip.hidden = i === undefined;
    if (i === undefined) return;
    const n = nodes[i];
    tip.textContent = `${nodeName(n)}\n${time(n.total)} (${percent(n.total / P.total)}), own ${time(n.own)}, ${n.estimated ? "~" : ""}${count(n.calls)} calls`;
    tip.style.left = `${Math.min(ev.clientX + 12, innerWidth - 300)}px`;
    tip.style.top = `${ev.clientY + 14}px`;
  });
  canvas.addEventListener("mouseleave", () => { $("tip").hidden = true; });
  canvas.addEventListener("click", (ev) => { const i = hit(ev); if (i !== undefined) { state.zoom = i; showDetail([P.at.get(nodes[i].serial)]); draw(); } });
  if (!nodes.some((n) => n.total > 0)) box.append(el("p", "note", "Nothing was timed."));
  new ResizeObserver(draw).observe(wrap);
  state.redraw = draw;
  draw();
}

function hash(s) {
  let h = 7;
  for (let i = 0; i < s.length; i++) h = (h * 31 + s.charCodeAt(i)) >>> 0;
  return h;
}
