
(() => {
  const place = document.getElementById("flame-data");
  if (!place) return;
  const data = JSON.parse(place.textContent);
  const ROW = 18, SVG = "http://www.w3.org/2000/svg";
  const box = document.getElementById("flame-drawing");
  const now = document.getElementById("flame-now");
  const chooser = document.getElementById("flame-root");
  const find = document.getElementById("flame-find");
  const found = document.getElementById("flame-found");
  const reset = document.getElementById("flame-reset");
  const hint = now.textContent;
  let view = "icicle", trees = new Map(), zoom = null, here = null, boxes = new Map();

  const compares = data.nodes.some((n) => n.length > 3);

  // A tree for the chosen thread and view. Nodes: {f: function, t: weight, o: own, d: change, e: own change, c: children,
  // p: parent}
  function node(f, p) { return { f, t: 0, o: 0, d: 0, e: 0, c: [], p, k: null }; }
  function child(parent, f) {
    if (!parent.k) parent.k = new Map();
    let known = parent.k.get(f);
    if (!known) { known = node(f, parent); parent.k.set(f, known); parent.c.push(known); }
    return known;
  }
  function callees(starts) {
    const root = node(-1, null), of = new Array(data.nodes.length).fill(null), own = data.nodes.map((n) => n[2]);
    const changed = data.nodes.map((n) => n[3] || 0);
    data.nodes.forEach((n) => { if (n[0] >= 0) { own[n[0]] -= n[2]; changed[n[0]] -= n[3] || 0; } });
    data.nodes.forEach((n, i) => {
      if (n[0] < 0) { if (starts.has(i)) of[i] = root; } else if (of[n[0]]) of[i] = child(of[n[0]], n[1]);
      if (of[i]) { of[i].t += n[2]; of[i].d += n[3] || 0; of[i].o += Math.max(0, own[i]); of[i].e += changed[i]; }
    });
    return root;
  }
  function callers(tree) {
    const root = node(-1, null);
    root.t = tree.t;
    root.d = tree.d;
    const walk = (n) => {
      if (n.f >= 0 && n.o > 0) {
        let at = root;
        for (let up = n; up && up.f >= 0; up = up.p) { at = child(at, up.f); at.t += n.o; at.d += n.e; }
      }
      n.c.forEach(walk);
    };
    walk(tree);
    return root;
  }
  function sort(n) { n.c.sort((a, b) => b.t - a.t || a.f - b.f); n.c.forEach(sort); return n; }
  function tree() {
    const key = chooser.value + (view === "callers");
    if (!trees.has(key)) {
      const starts = new Set(chooser.value.split(",").map(Number));
      const down = callees(starts);
      trees.set(key, sort(view === "callers" ? callers(down) : down));
    }
    return trees.get(key);
  }

  const name = (n) => n.f < 0 ? "all" : data.functions[n.f][0];
  const bytes = (n) => n >= 2 ** 30 ? (n / 2 ** 30).toFixed(2) + " GB" : n >= 2 ** 20 ? (n / 2 ** 20).toFixed(1) + " MB" : n >= 1024 ? (n / 1024).toFixed(1) + " KB" : n + " B";
  const amount = (n) => chooser.selectedOptions[0].dataset.unit === "bytes" ? bytes(n) : seconds(n);
  const seconds = (us) => us >= 1e6 ? (us / 1e6).toFixed(2) + " s" : us >= 1e3 ? (us / 1e3).toFixed(1) + " ms" : us + " µs";
  const share = (n) => (100 * n.t / Math.max(1, tree().t)).toFixed(1) + " %";
  function tell(n) {
    now.replaceChildren();
    if (!n) { now.textContent = hint; return; }
    const title = document.createElement("b");
    title.textContent = name(n);
    const about = n.f < 0 ? "" : " · " + data.functions[n.f][1];
    const own = n.o > 0 && view !== "callers" ? `, ${amount(n.o)} of it itself` : "";
    now.append(title, about, document.createElement("br"), compares ? change(n) : `${share(n)} · ${amount(n.t)}${own}`);
  }
  // Before, after and what share of the larger of both is the difference.
  function change(n) {
    const before = Math.max(0, Math.round(n.t - n.d / 2)), after = Math.max(0, Math.round(n.t + n.d / 2));
    const much = before === 0 ? "new" : after === 0 ? "gone" : (n.d < 0 ? "−" : "+") + (100 * Math.abs(n.d) / before).toFixed(1) + " %";
    return `${amount(before)} → ${amount(after)} (${much})`;
  }
  const part = (n) => n.d / Math.max(1, n.t + Math.abs(n.d) / 2);
  function words() { return find.value.toLowerCase().split(/\s+/).filter(Boolean); }
  function matches(n, list) {
    if (n.f < 0 || !list.length) return false;
    const text = (data.functions[n.f][0] + " " + data.functions[n.f][1]).toLowerCase();
    return list.every((word) => text.includes(word));
  }
  function foundTime(n, list) { return matches(n, list) ? n.t : n.c.reduce((sum, c) => sum + foundTime(c, list), 0); }

  function draw() {
    const root = tree(), top = zoom || root, width = Math.max(280, box.clientWidth), list = words();
    const above = [];
    for (let up = top.p; up; up = up.p) above.unshift(up);
    const drawn = [];
    let depth = 0;
    above.forEach((n, i) => drawn.push([n, 0, width, i, true]));
    const lay = (n, x, w, level) => {
      if (w < 0.7 || level > 200) return;
      depth = Math.max(depth, level);
      drawn.push([n, x, w, level, false]);
      for (const c of n.c) { const part = w * c.t / Math.max(1, n.t); lay(c, x, part, level + 1); x += part; }
    };
    lay(top, 0, width, above.length);
    const height = (depth + 1) * ROW;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "flame-svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    svg.setAttribute("role", "application");
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-label", "Flame graph: arrow keys move, Enter zooms, Escape goes back");
    boxes = new Map();
    for (const [n, x, w, level, up] of drawn) {
      const g = document.createElementNS(SVG, "g"), rect = document.createElementNS(SVG, "rect");
      const y = view === "flame" ? height - (level + 1) * ROW : level * ROW;
      const origin = n.f < 0 ? "root" : compares ? (n.d > 0 ? "grew" : "shrank") : data.functions[n.f][2];
      if (compares) g.style.setProperty("--by", (100 * Math.abs(part(n))).toFixed(0) + "%");
      g.setAttribute("class", `fn ${origin}${up ? " faded" : ""}${matches(n, list) ? " found" : list.length ? " faded" : ""}`);
      rect.setAttribute("x", x); rect.setAttribute("y", y); rect.setAttribute("width", w); rect.setAttribute("height", ROW - 1);
      g.append(rect);
      const room = Math.floor((w - 6) / 7.3);
      if (room >= 3) {
        const text = document.createElementNS(SVG, "text"), label = name(n);
        text.setAttribute("x", x + 3); text.setAttribute("y", y + 13);
        text.textContent = label.length <= room ? label : label.slice(0, room - 1) + "…";
        g.append(text);
      }
      g.addEventListener("mouseenter", () => tell(n));
      g.addEventListener("click", () => { go(n); });
      svg.append(g);
      boxes.set(n, g);
    }
    svg.addEventListener("mouseleave", () => tell(here));
    svg.addEventListener("keydown", keys);
    const had = document.activeElement && document.activeElement.closest && document.activeElement.closest(".flame-svg");
    box.replaceChildren(svg);
    box.scrollTop = view === "flame" ? box.scrollHeight : 0;
    if (had) svg.focus({ preventScroll: true });
    reset.hidden = !zoom;
    if (here && boxes.has(here)) boxes.get(here).classList.add("here");
    const part = list.length ? foundTime(root, list) : 0;
    found.textContent = list.length ? (100 * part / Math.max(1, root.t)).toFixed(1) + " % in what was found" : "";
  }
  function go(n) { zoom = n === tree() || n === zoom ? (n.p && n === zoom ? n.p : null) : n; if (zoom === tree()) zoom = null; here = n; draw(); tell(n); }
  function select(n) {
    if (!n || !boxes.has(n)) return;
    if (here && boxes.has(here)) boxes.get(here).classList.remove("here");
    here = n;
    boxes.get(n).classList.add("here");
    tell(n);
  }
  function keys(event) {
    const at = here && boxes.has(here) ? here : zoom || tree();
    const inward = view === "flame" ? "ArrowUp" : "ArrowDown", outward = view === "flame" ? "ArrowDown" : "ArrowUp";
    const row = at.p ? at.p.c : [at], i = row.indexOf(at);
    if (event.key === inward) select(at.c[0]);
    else if (event.key === outward) select(at.p);
    else if (event.key === "ArrowRight") select(row[i + 1]);
    else if (event.key === "ArrowLeft") select(row[i - 1]);
    else if (event.key === "Enter" || event.key === " ") go(at);
    else if (event.key === "Escape") { zoom = null; draw(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => {
      view = button.dataset.view;
      for (const other of document.querySelectorAll("[data-view]")) other.setAttribute("aria-pressed", String(other === button));
      zoom = here = null;
      tell(null);
      draw();
    });
  }
  chooser.addEventListener("change", () => { zoom = here = null; tell(null); draw(); });
  find.addEventListener("input", draw);
  reset.addEventListener("click", () => { zoom = null; draw(); });
  let last = 0;
  new ResizeObserver(() => { if (box.clientWidth !== last) { last = box.clientWidth; draw(); } }).observe(box);
})();
