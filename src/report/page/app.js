// Tabs, search, keys, and the state in the address.
const state = { view: "source", search: "", kind: 0, zoom: null, serial: null };
const VIEWS = [["source", "Source", sourceView], ["constructs", "Constructs", constructsView], ["tree", "Call tree", treeView], ["flame", "Flame graph", flameView], ["calls", "Callers and callees", callsView], ["processors", "Processors", processorsView], ["lesson", "Levels and passes", lessonView]];
const views = () => VIEWS.filter(([id]) => (id === "lesson" ? P.lesson : P.profile.constructs.length || id === "source") && (id !== "source" || P.files.length));

/** Changes the state and shows it. */
function go(change) {
  const view = change.view ?? state.view;
  const same = view === state.view && (change.file === undefined || change.file === P.files[source.file]?.path);
  if (change.file !== undefined) source.file = Math.max(0, P.files.findIndex((f) => f.path === change.file));
  if (change.line !== undefined) source.line = change.line;
  state.view = view;
  if (view === "source" && change.line !== undefined) {
    let here = P.byLine.get(key(P.files[source.file]?.path, source.line)) ?? [];
    if (change.serial !== undefined) here = here.filter((c) => c.serial === change.serial);
    showDetail(here);
  }
  if (same && view === "source" && source.list) { source.list.redraw(); source.list.reveal(source.line - 1); tabs(); } else render();
  history.replaceState(null, "", `#view=${view}${view === "source" ? `&file=${source.file}&line=${source.line}` : ""}`);
}

function tabs() {
  $("tabs").replaceChildren(...views().map(([id, name]) => {
    const b = button(name, () => go({ view: id }));
    b.setAttribute("role", "tab");
    b.setAttribute("aria-selected", String(id === state.view));
    b.dataset.view = id;
    return b;
  }));
}

function render() {
  tabs();
  $("tip").hidden = true;
  state.redraw = null;
  const box = $("view");
  box.replaceChildren();
  VIEWS.find(([id]) => id === state.view)[2](box);
}

function search() {
  state.search = $("search").value.trim().toLowerCase();
  if (state.view === "source" && state.search) findLine(1, true);
  render();
}

/** The next line with what is searched for. */
function findLine(step, here) {
  const lines = P.files[source.file]?.lines ?? [];
  for (let k = here ? 0 : 1; k <= lines.length; k++) {
    const i = (source.line - 1 + step * k + lines.length * 2) % lines.length;
    if (lines[i].toLowerCase().includes(state.search)) { go({ view: "source", line: i + 1 }); return; }
  }
}

function theme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  state.redraw?.();
}

const KEYS = [["/", "search"], ["Enter", "next hit, in the search field"], ["j, ↓ / k, ↑", "next / previous line of the source"], ["n / p", "next / previous hot construct"], ["1 … 7", "views"], ["t", "light or dark"], ["Esc", "leave the search; whole flame graph"], ["?", "this list"]];
function help() {
  const d = $("keys");
  const t = el("table");
  KEYS.forEach(([k, what]) => t.append(el("tr", "", el("td", "", el("kbd", "", k)), el("td", "", what))));
  d.replaceChildren(el("h2", "", "Keys"), t, button("close", () => d.close()));
  d.showModal();
}

function keydown(ev) {
  if (ev.ctrlKey || ev.metaKey || ev.altKey) return;
  if (ev.target === $("search")) {
    if (ev.key === "Escape") { $("search").value = ""; $("search").blur(); search(); }
    if (ev.key === "Enter" && state.view === "source" && state.search) findLine(ev.shiftKey ? -1 : 1, false);
    return;
  }
  if (["INPUT", "SELECT"].includes(ev.target.tagName) && !["/", "?", "t"].includes(ev.key)) return;
  const at = Number(ev.key) - 1;
  const list = views();
  if (ev.key === "/") $("search").focus();
  else if (ev.key === "?") help();
  else if (ev.key === "t") theme();
  else if (ev.key === "n") hottest(1);
  else if (ev.key === "p") hottest(-1);
  else if (state.view === "source" && (ev.key === "j" || ev.key === "ArrowDown")) moveLine(1);
  else if (state.view === "source" && (ev.key === "k" || ev.key === "ArrowUp")) moveLine(-1);
  else if (ev.key === "Escape" && state.view === "flame") { state.zoom = null; state.redraw?.(); }
  else if (list[at]) go({ view: list[at][0] });
  else return;
  ev.preventDefault();
}

async function start() {
  index(await unpack());
  const p = P.profile;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("title").textContent = p.program;
  $("summary").textContent = p.constructs.length ? P.summary : `-${p.opt_level}`;
  $("search").addEventListener("input", search);
  $("theme").addEventListener("click", theme);
  $("help").addEventListener("click", help);
  document.addEventListener("keydown", keydown);
  addEventListener("beforeprint", () => { if (state.view === "source" && source.list) source.list.paint(true); });
  const hash = new URLSearchParams(location.hash.slice(1));
  const first = P.lesson ? "lesson" : "source";
  const view = views().some(([id]) => id === hash.get("view")) ? hash.get("view") : views().some(([id]) => id === first) ? first : views()[0]?.[0];
  if (!view) { $("view").append(el("p", "note", "The profile is empty.")); return; }
  const line = Number(hash.get("line")) || P.hotLines[0]?.line || 1;
  const file = P.files[Number(hash.get("file"))] && hash.has("file") ? P.files[Number(hash.get("file"))].path : P.hotLines[0]?.file ?? P.files[0]?.path;
  state.view = view;
  go(view === "source" ? { view, file, line } : { view });
  document.body.dataset.ready = "yes";
}

start().catch((e) => { document.body.dataset.ready = "no"; $("view").append(el("p", "note", `The page cannot be shown: ${e.message}`)); throw e; });
