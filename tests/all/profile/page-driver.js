// Drives the page as a user would, and leaves what it saw in the document for the test to read.
(() => {
  const seen = { errors: [], steps: {} };
  const log = (what) => seen.errors.push(String(what));
  window.addEventListener("error", (e) => log(e.message));
  window.addEventListener("unhandledrejection", (e) => log(e.reason));
  document.addEventListener("securitypolicyviolation", (e) => log(`blocked: ${e.violatedDirective} ${e.blockedURI}`));
  for (const level of ["error", "warn"]) console[level] = (...a) => log(a.join(" "));
  window.alert = () => log("alert");
  const q = (s) => document.querySelector(s);
  const all = (s) => [...document.querySelectorAll(s)];
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const press = (key, target = document.body) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const tab = async (id) => { q(`nav button[data-view="${id}"]`)?.click(); await wait(60); };
  // Elements that the page never makes of data.
  const foreign = [];
  const inspect = () => foreign.push(...all("main, header, #view, #detail").flatMap((e) => [...e.querySelectorAll("script, img, svg, math, iframe, object, embed, link, meta, base, style, form, details, textarea")].map((x) => x.outerHTML)));
  const steps = {
    ready: async () => document.body.dataset.ready,
    title: async () => q("#title").textContent,
    rows: async () => all(".source .row").length,
    gutter: async () => { const r = all(".source .row").find((x) => x.textContent.includes("do k = 1, 3000")); r.click(); await wait(60); return r.querySelector(".g-iter").textContent; },
    detail: async () => q("#detail").innerText,
    down: async () => { press("j"); await wait(60); return q(".row.selected").dataset.line; },
    bars: async () => q(".row.selected .bars")?.title,
    hot: async () => { press("n"); await wait(60); return q("#detail .code").textContent; },
    search: async () => { press("/"); await wait(20); const focused = document.activeElement === q("#search"); q("#search").value = "outer"; q("#search").dispatchEvent(new Event("input")); await wait(80); return [focused, q(".row.selected").innerText.includes("outer"), all(".row.hit").length]; },
    unsearch: async () => { press("Escape", q("#search")); await wait(60); return all(".row.hit").length; },
    constructs: async () => { press("2"); await wait(80); return all(".list .row").length; },
    sorted: async () => { const by = (n) => all(".heading button").find((b) => b.textContent.startsWith(n)); by("count").click(); await wait(60); const first = q(".list .row").innerText; by("count").click(); await wait(60); return [first, q(".list .row").innerText]; },
    row: async () => { all(".list .row")[0].click(); await wait(40); return q("#detail .code").textContent; },
    tree: async () => { await tab("tree"); return all(".list .row").map((r) => r.innerText.replace(/\s+/g, " ").trim()); },
    collapse: async () => { all(".tools button")[1].click(); await wait(60); return all(".list .row").length; },
    flame: async () => { await tab("flame"); const c = q("canvas"), r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent("click", { clientX: r.left + 20, clientY: r.top + 32, bubbles: true })); await wait(60); const zoomed = q("#detail .code").textContent; const pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; return [zoomed, pixels.some((v) => v !== 0)]; },
    calls: async () => { await tab("calls"); all(".split .row").find((r) => r.innerText.includes("inner")).click(); await wait(60); return q(".split > div:last-child").innerText; },
    link: async () => { q(".split > div:last-child .link").click(); await wait(80); return [q('nav button[aria-selected="true"]').dataset.view, location.hash]; },
    processors: async () => { await tab("processors"); return q("#view").innerText; },
    theme: async () => { const was = document.documentElement.dataset.theme; press("t"); return was !== document.documentElement.dataset.theme; },
    help: async () => { press("?"); await wait(40); const open = q("#keys").open; q("#keys button").click(); return open; },
    levels: async () => all(".pane h2").map((h) => h.textContent),
    marked: async () => all(".pane").map((p) => p.querySelectorAll(".of").length),
    copies: async () => { if (!q(".pane")) return null; const line = all(".pane")[0].querySelector(".of"); line.click(); await wait(60); return all(".pane").map((p) => p.querySelectorAll(".on").length); },
    slide: async () => { if (!q("#slider")) return null; const out = []; for (let k = 0; k <= Number(q("#slider").max); k++) { const s = q("#slider"); s.value = k; s.dispatchEvent(new Event("input")); await wait(40); out.push([q(".tools").innerText, all(".gone").length + all(".came").length, all(".pane:last-child .ir div").length]); } return out; },
    callers: async () => { await tab("calls"); all(".split .row").slice(0, 20).forEach((r) => r.click()); await wait(60); return q(".split > div:last-child").innerText; },
    files: async () => { await tab("source"); return all("option").filter((o, i) => o.textContent === P.files[i].path).length; },
    every: async () => P.profile.constructs.filter((c) => { select(c); return q("#detail .code").textContent === title(c); }).length,
    markup: async () => foreign,
    requests: async () => performance.getEntriesByType("resource").length,
  };
  (async () => {
    for (let k = 0; k < 200 && !document.body.dataset.ready; k++) await wait(20);
    for (const [name, step] of Object.entries(steps)) {
      if (window.onlySteps && !window.onlySteps.includes(name)) continue;
      try { seen.steps[name] = await step(); inspect(); } catch (e) { log(`${name}: ${e}`); }
    }
    const out = document.createElement("pre");
    out.id = "seen";
    out.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
    document.body.replaceChildren(out);
  })();
})();
