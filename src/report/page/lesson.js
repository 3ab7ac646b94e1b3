// The teaching view: a loop at every level side by side, and the passes one by one.
const lesson = { step: -1, serial: null };

/** Lines of text with the source statements they derive from. */
function code(lines, marked, extra) {
  const box = el("div", "ir");
  let first = null;
  lines.forEach(([text, of], i) => {
    const d = el("div", "", text || " ");
    if (of.some((s) => marked.has(s))) d.classList.add("of");
    if (lesson.serial !== null && of.includes(lesson.serial)) d.classList.add("on");
    if (extra?.[i]) d.classList.add(extra[i]);
    if (!first && d.classList.length) first = d;
    if (of.length) {
      d.title = of.map((s) => P.lesson.statements[s]).filter(Boolean).map(([line, t]) => `line ${line}: ${t}`).join("\n");
      d.addEventListener("click", () => { lesson.serial = lesson.serial === of[0] ? null : of[0]; render(); });
    }
    box.append(d);
  });
  if (first) requestAnimationFrame(() => { box.scrollTop = Math.max(0, first.offsetTop - box.offsetTop - 40); });
  return box;
}

function pane(name, content) { return el("div", "pane", el("h2", "", name), content); }

function lessonView(box) {
  const L = P.lesson, marked = new Set(L.chosen);
  const tools = el("div", "tools");
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: -1, max: L.passes.length - 1, value: lesson.step, id: "slider" });
  slider.setAttribute("aria-label", "Pass");
  slider.style.width = "320px";
  slider.addEventListener("input", () => { lesson.step = Number(slider.value); render(); $("slider").focus(); });
  const step = L.passes[lesson.step];
  tools.append(el("b", "", L.title), button("levels", () => { lesson.step = -1; render(); }), slider,
    el("span", "", step ? `pass ${lesson.step + 1} of ${L.passes.length}: ${step.pass} on ${step.unit}` : "all levels; move the slider through the passes"));
  box.append(tools);
  const panes = el("div", "panes");
  if (!step) {
    panes.append(pane("source", code(L.source, marked)));
    for (const level of L.levels) panes.append(pane(level.name, code(level.lines, marked)));
  } else {
    const was = new Map(), is = new Map();
    step.before.forEach(([t]) => was.set(t, (was.get(t) ?? 0) + 1));
    step.after.forEach(([t]) => is.set(t, (is.get(t) ?? 0) + 1));
    const differ = (lines, others, cls) => { const left = new Map(others); return lines.map(([t]) => { const n = left.get(t) ?? 0; if (n) { left.set(t, n - 1); return ""; } return cls; }); };
    panes.append(pane("before", code(step.before, marked, differ(step.before, is, "gone"))), pane("after", code(step.after, marked, differ(step.after, was, "came"))));
    const edits = el("div", "ir");
    step.edits.forEach((e) => edits.append(el("div", "", e)));
    panes.append(pane(`${step.edits.length} edits`, edits));
  }
  box.append(panes);
}
