
for (const flame of document.querySelectorAll(".flame")) (() => {
  const part = (name) => flame.querySelector(".flame-" + name);
  const data = JSON.parse(part("data").textContent);
  const ROW = 18, SVG = "http://www.w3.org/2000/svg";
  const box = part("drawing"), now = part("now"), chooser = part("root"), meter = part("measure");
  const find = part("find"), found = part("found"), reset = part("reset"), scope = part("scope");
  const hint = now.textContent;
  const moments = data.moments;
  let view = "icicle", trees = new Map(), zoom = null, here = null, boxes = new Map();
  // What the reader took out: origins and functions whose weight their callers get, functions dropped with all they called,
  // and the nodes of the heaviest path.
  const hidden = new Set(), charged = new Set(), pruned = new Set();
  let heavy = new Set();
  const isCharged = (f) => charged.has(f) || hidden.has(data.functions[f][2]);
  const isWhole = () => !hidden.size && !charged.size && !pruned.size;

  const compares = data.compares;
  const column = () => meter ? meter.selectedIndex : 0;
  const unit = () => meter ? meter.selectedOptions[0].dataset.unit : chooser.selectedOptions[0].dataset.unit;
  // Values of the chosen part of the run exist for the first columns alone.
  // One thread is chosen; the first choice is all of them.
  const isOfThread = () => chooser.selectedIndex > 0 && chooser.options[0].value.includes(",");
  const isBinned = (of) => moments.seconds > 0 && of < moments.weights;

  // The weight of each node with all that it called: of the whole run, or of the chosen part.
  function weights(of) { return gp.range && isBinned(of) ? chosenWeights(of) : data.nodes.map((n) => n[2 + of]); }
  function chosenWeights(of) {
    const total = new Array(data.nodes.length).fill(0), list = moments.entries, step = 2 + moments.weights;
    const [first, last] = gp.parts(moments.seconds);
    for (let i = 0; i < list.length; i += step) {
      if (list[i + 1] >= first && list[i + 1] < last) total[list[i]] += list[i + 2 + of];
    }
    for (let i = total.length - 1; i >= 0; i -= 1) if (data.nodes[i][0] >= 0) total[data.nodes[i][0]] += total[i];
    return total;
  }
  // A tree for the chosen thread and view. Nodes: {f: function, t: weight, o: own, d: change, e: own change, c: children,
  // p: parent}
  function node(f, p) { return { f, t: 0, o: 0, d: 0, e: 0, c: [], p, k: null }; }
  function child(parent, f) {
    if (!parent.k) parent.k = new Map();
    let known = parent.k.get(f);
    if (!known) { known = node(f, parent); parent.k.set(f, known); parent.c.push(known); }
    return known;
  }
  // What is dropped weighs nothing, in its callers neither.
  function withoutPruned(weight) {
    const lost = new Array(weight.length).fill(0), dropped = new Array(weight.length).fill(false);
    data.nodes.forEach((n, i) => {
      if (n[0] < 0) return;
      dropped[i] = dropped[n[0]] || pruned.has(n[1]);
      if (dropped[i] && !dropped[n[0]]) lost[i] = weight[i];
    });
    for (let i = lost.length - 1; i >= 0; i -= 1) if (data.nodes[i][0] >= 0) lost[data.nodes[i][0]] += lost[i];
    return weight.map((w, i) => dropped[i] ? 0 : w - lost[i]);
  }
  function callees(starts, given) {
    const weight = pruned.size ? withoutPruned(given) : given;
    const changes = compares ? data.nodes.map((n) => n[3]) : null, change = changes && pruned.size ? withoutPruned(changes) : changes;
    const root = node(-1, null), of = new Array(data.nodes.length).fill(null), own = weight.slice(), changed = change && change.slice();
    data.nodes.forEach((n, i) => {
      if (n[0] >= 0) { own[n[0]] -= weight[i]; if (compares) changed[n[0]] -= change[i]; }
    });
    data.nodes.forEach((n, i) => {
      let isNew = true;
      if (n[0] < 0) { if (starts.has(i)) of[i] = root; }
      else if (of[n[0]] && weight[i] > 0) {
        // A function that is its own caller once what lay between is hidden is one box.
        isNew = !isCharged(n[1]) && of[n[0]].f !== n[1];
        of[i] = isNew ? child(of[n[0]], n[1]) : of[n[0]];
      }
      if (!of[i]) return;
      of[i].o += Math.max(0, own[i]);
      if (compares) of[i].e += changed[i];
      if (!isNew) return;
      of[i].t += weight[i];
      if (compares) of[i].d += change[i];
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
  const starts = (value) => new Set(value.split(",").map(Number));
  function tree() {
    const key = `${chooser.value} ${view === "callers"} ${column()}`;
    if (!trees.has(key)) {
      const down = callees(starts(chooser.value), weights(column()));
      trees.set(key, sort(view === "callers" ? callers(down) : down));
    }
    return trees.get(key);
  }

  const name = (n) => n.f < 0 ? "all" : data.functions[n.f][0];
  const bytes = gp.bytes;
  const seconds = (us) => us >= 1e6 ? (us / 1e6).toFixed(2) + " s" : us >= 1e3 ? (us / 1e3).toFixed(1) + " ms" : us + " µs";
  const amount = (n) => unit() === "bytes" ? bytes(n) : unit() === "count" ? n.toLocaleString("en") : seconds(n);
  const percent = (n, of) => (100 * n / Math.max(1, of)).toFixed(1) + " %";
  function describe(n) {
    now.replaceChildren();
    if (!n) { now.textContent = hint; return; }
    const title = document.createElement("b");
    title.textContent = name(n);
    const about = n.f < 0 ? "" : " · " + data.functions[n.f][1];
    const own = n.o > 0 && view !== "callers" ? `, ${amount(n.o)} of it in itself` : "";
    now.append(title, about, document.createElement("br"), compares ? change(n) : `${percent(n.t, tree().t)} · ${amount(n.t)}${own}`);
  }
  // Before, after and what share of the larger of both is the difference.
  function change(n) {
    const before = Math.max(0, Math.round(n.t - n.d / 2)), after = Math.max(0, Math.round(n.t + n.d / 2));
    const much = before === 0 ? "new" : after === 0 ? "gone" : (n.d < 0 ? "−" : "+") + (100 * Math.abs(n.d) / before).toFixed(1) + " %";
    return `${amount(before)} → ${amount(after)} (${much})`;
  }
  const changedShare = (n) => n.d / Math.max(1, n.t + Math.abs(n.d) / 2);
  function words() { return find.value.toLowerCase().split(/\s+/).filter(Boolean); }
  function matches(n, list) {
    if (n.f < 0 || !list.length) return false;
    const text = (data.functions[n.f][0] + " " + data.functions[n.f][1]).toLowerCase();
    return list.every((word) => text.includes(word));
  }
  function foundWeight(n, list) { return matches(n, list) ? n.t : n.c.reduce((sum, c) => sum + foundWeight(c, list), 0); }

  function draw() {
    if (scope) {
      const part = !gp.range || !moments.seconds ? "" : isBinned(column()) ? "of the chosen part of the run" : "of the whole run, because this measure is not recorded by parts";
      scope.textContent = isOfThread() ? `The graph and the table are of this thread${part && ", " + part}; the other figures are of all threads.` : part;
    }
    if (view === "tree") { drawTree(); return; }
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
      for (const c of n.c) { const size = w * c.t / Math.max(1, n.t); lay(c, x, size, level + 1); x += size; }
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
      if (compares) g.style.setProperty("--by", (100 * Math.abs(changedShare(n))).toFixed(0) + "%");
      g.setAttribute("class", `fn ${origin}${up ? " faded" : ""}${heavy.has(n) ? " heavy" : ""}${matches(n, list) ? " found" : list.length ? " faded" : ""}`);
      rect.setAttribute("x", x); rect.setAttribute("y", y); rect.setAttribute("width", w); rect.setAttribute("height", ROW - 1);
      g.append(rect);
      const room = Math.floor((w - 6) / 7.3);
      if (room >= 3) {
        const text = document.createElementNS(SVG, "text"), label = name(n);
        text.setAttribute("x", x + 3); text.setAttribute("y", y + 13);
        text.textContent = label.length <= room ? label : label.slice(0, room - 1) + "…";
        g.append(text);
      }
      g.addEventListener("mouseenter", () => describe(n));
      g.addEventListener("click", () => { go(n); });
      svg.append(g);
      boxes.set(n, g);
    }
    svg.addEventListener("mouseleave", () => describe(here));
    svg.addEventListener("keydown", keys);
    const had = box.contains(document.activeElement);
    box.replaceChildren(svg);
    box.scrollTop = view === "flame" ? box.scrollHeight : 0;
    if (had) svg.focus({ preventScroll: true });
    reset.hidden = !zoom;
    if (here && boxes.has(here)) boxes.get(here).classList.add("here");
    const matched = list.length ? foundWeight(root, list) : 0;
    found.textContent = list.length ? percent(matched, root.t) + " in the matches" : "";
  }

  // The call tree: what is open follows the largest callee while it has half of its caller.
  function drawTree() {
    const root = tree(), list = words();
    boxes = new Map();
    reset.hidden = true;
    const row = (n) => {
      const label = document.createElement("span"), figure = document.createElement("span"), own = document.createElement("span");
      label.className = "function" + (heavy.has(n) ? " heavy" : "") + (matches(n, list) ? " found" : n.f >= 0 && data.functions[n.f][2] !== "user" ? " via" : "");
      label.textContent = name(n);
      figure.className = own.className = "number";
      figure.textContent = compares ? change(n) : `${amount(n.t)} · ${percent(n.t, root.t)}`;
      own.textContent = compares || n.o === 0 ? "" : amount(n.o);
      return [figure, own, label];
    };
    const item = (n, isOpen, level) => {
      const li = document.createElement("li");
      if (!n.c.length) {
        const line = document.createElement("div");
        line.className = "tree-row";
        line.append(...row(n));
        li.append(line);
        return li;
      }
      const details = document.createElement("details"), summary = document.createElement("summary");
      summary.className = "tree-row";
      summary.append(...row(n));
      details.append(summary);
      const fill = () => {
        if (details.children.length > 1) return;
        const ul = document.createElement("ul");
        ul.style.setProperty("--level", String(level + 1));
        n.c.forEach((c, i) => ul.append(item(c, heavy.size ? heavy.has(c) : i === 0 && 2 * c.t >= n.t, level + 1)));
        details.append(ul);
      };
      details.addEventListener("toggle", () => { if (details.open) fill(); });
      if (isOpen) { details.open = true; fill(); }
      li.append(details);
      return li;
    };
    const head = document.createElement("div"), ul = document.createElement("ul");
    head.className = "tree-row tree-head";
    for (const text of ["total", "self", "function"]) { const cell = document.createElement("span"); cell.textContent = text; head.append(cell); }
    ul.className = "call-tree";
    ul.append(item(root, true, 0));
    box.replaceChildren(head, ul);
    found.textContent = list.length ? percent(foundWeight(root, list), root.t) + " in the matches" : "";
  }

  // The lines of the chosen function, from the table that lists it.
  const source = part("source"), listings = new Map(), key = (f) => data.functions[f][0] + "\n" + data.functions[f][3];
  for (const row of source ? flame.parentElement.querySelectorAll("tr[data-name]") : []) {
    const listing = row.querySelector(".listing");
    if (listing) listings.set(row.dataset.name + "\n" + row.dataset.module, [row.querySelector("summary"), listing]);
  }
  function showSource() {
    if (!source) return;
    const known = here && here.f >= 0 && listings.get(key(here.f));
    source.hidden = !known;
    source.replaceChildren();
    if (!known) return;
    const title = document.createElement("h4"), note = document.createElement("p");
    title.append(...[...known[0].childNodes].map((child) => child.cloneNode(true)));
    note.className = "more range-note";
    note.textContent = "Lines of source show the whole run.";
    note.hidden = !gp.range;
    source.append(title, note, known[1].cloneNode(true));
  }

  function go(n) { zoom = n === tree() || n === zoom ? (n.p && n === zoom ? n.p : null) : n; if (zoom === tree()) zoom = null; here = n; draw(); describe(n); showSource(); }
  function select(n) {
    if (!n || !boxes.has(n)) return;
    if (here && boxes.has(here)) boxes.get(here).classList.remove("here");
    here = n;
    boxes.get(n).classList.add("here");
    describe(n);
    showSource();
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
    else if (event.key === "Escape" && zoom) { zoom = null; draw(); }
    else if (event.key === "h") heaviest();
    else if (event.key === "c") take(charged);
    else if (event.key === "x") take(pruned);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function restart() { zoom = here = null; heavy = new Set(); describe(null); draw(); showSource(); }

  // From the chosen box down, always into the largest callee, until a function has more than each of its callees.
  function heaviest() {
    let n = here && boxes.has(here) ? here : zoom || tree();
    heavy = new Set([n]);
    while (n.c.length && n.c[0].t >= n.o) heavy.add(n = n.c[0]);
    here = n;
    for (let up = n.p; up; up = up.p) heavy.add(up);
    draw();
    describe(n);
    showSource();
  }
  // The weight of the chosen function goes to its callers, or goes altogether.
  function take(set) {
    if (!here || here.f < 0) return;
    const name = data.functions[here.f][0] + data.functions[here.f][3];
    data.functions.forEach((f, i) => { if (f[0] + f[3] === name) set.add(i); });
    recount();
  }
  function recount() {
    trees = new Map();
    restart();
    tables();
    stacks();
    if (!all) return;
    all.hidden = isWhole();
    const names = (set) => [...new Set([...set].map((f) => data.functions[f][0]))].join(", ");
    taken.textContent = [
      hidden.size ? `Attributed to the callers: ${[...hidden].map((origin) => origin === "library" ? "libraries" : "the runtime").join(" and ")}.` : "",
      charged.size ? `Attributed to the callers: ${names(charged)}.` : "",
      pruned.size ? `Hidden: ${names(pruned)}, with everything called from there.` : "",
    ].filter(Boolean).join(" ");
  }
  const all = part("all"), taken = part("taken"), switches = flame.querySelectorAll("[data-hide]");
  for (const button of switches) {
    button.addEventListener("click", () => {
      const origin = button.dataset.hide;
      if (!hidden.delete(origin)) hidden.add(origin);
      button.setAttribute("aria-pressed", String(hidden.has(origin)));
      recount();
    });
  }
  for (const [name, action] of [["heaviest", heaviest], ["charge", () => take(charged)], ["prune", () => take(pruned)]]) {
    const button = part(name);
    if (button) button.addEventListener("click", action);
  }
  if (all) all.addEventListener("click", () => {
    for (const set of [hidden, charged, pruned]) set.clear();
    for (const button of switches) button.setAttribute("aria-pressed", "false");
    recount();
  });
  const views = flame.querySelectorAll("[data-view]");
  for (const button of views) {
    button.addEventListener("click", () => {
      view = button.dataset.view;
      for (const other of views) other.setAttribute("aria-pressed", String(other === button));
      restart();
    });
  }
  chooser.addEventListener("change", () => { restart(); tables(); });
  if (meter) meter.addEventListener("change", restart);
  find.addEventListener("input", draw);
  reset.addEventListener("click", () => { zoom = null; draw(); });
  gp.onRange.push(() => { trees = new Map(); restart(); tables(); });

  // The allocations' stacks: each is called after the innermost function that keeps its weight.
  function stacks() {
    const rows = [...flame.parentElement.querySelectorAll("tr[data-stack]")];
    for (const row of rows) {
      const list = row.dataset.stack.split(",").map(Number), users = list.filter((f) => data.functions[f][2] === "user");
      const kept = (users.length ? users : list).find((f) => !isCharged(f)), name = row.querySelector("summary");
      row.dataset.name ??= name.textContent;
      name.textContent = isWhole() || kept === undefined ? row.dataset.name : data.functions[kept][0];
      row.classList.toggle("left-out", list.some((f) => pruned.has(f)));
    }
    if (!rows.length) return;
    gp.refold(rows[0].closest("table"));
    for (const note of flame.parentElement.querySelectorAll(".taken-note")) note.hidden = isWhole();
  }

  // The table of functions beside the graph shows the chosen part of the run, the chosen thread and what was charged, too.
  const table = flame.parentElement.querySelector("table[data-functions]");
  const whole = new Map();
  function tables() {
    if (!table) return;
    const rows = [...table.tBodies[0].rows], waits = table.dataset.functions === "waiting";
    if (!whole.size) for (const row of rows) whole.set(row, [...row.cells].slice(1).map((cell) => [cell.dataset.value, [...cell.childNodes]]));
    if ((!gp.range || !moments.seconds) && isWhole() && !isOfThread()) {
      for (const row of rows) {
        row.classList.remove("out");
        [...row.cells].slice(1).forEach((cell, i) => {
          const [value, content] = whole.get(row)[i];
          cell.dataset.value = value;
          cell.replaceChildren(...content);
        });
      }
      table.tBodies[0].append(...whole.keys());
      gp.sort(table, 1, true);
      return;
    }
    const root = callees(starts(chooser.value), weights(0)), own = new Map(), total = new Map(), active = new Map();
    const add = (map, f, value) => map.set(f, (map.get(f) || 0) + value);
    const walk = (n) => {
      if (n.f >= 0 && n.o > 0) {
        // What waits is the user's innermost function.
        let at = n;
        while (waits && at && at.f >= 0 && data.functions[at.f][2] !== "user") at = at.p;
        if (at && at.f >= 0) {
          add(own, key(at.f), n.o);
          if (waits) {
            const seen = new Set();
            for (let up = at; up && up.f >= 0; up = up.p) if (!seen.has(key(up.f))) { seen.add(key(up.f)); add(total, key(up.f), n.o); }
          }
        }
      }
      const depth = n.f >= 0 ? active.get(key(n.f)) || 0 : 0;
      if (n.f >= 0) { if (!waits && depth === 0) add(total, key(n.f), n.t); active.set(key(n.f), depth + 1); }
      n.c.forEach(walk);
      if (n.f >= 0) active.set(key(n.f), depth);
    };
    walk(root);
    for (const row of rows) {
      const values = [own, total].map((map) => map.get(row.dataset.name + "\n" + row.dataset.module) || 0);
      row.classList.toggle("out", values[1] === 0);
      values.forEach((value, i) => {
        const cell = row.cells[i + 1];
        cell.dataset.value = value;
        cell.textContent = waits ? seconds(value) : percent(value, root.t);
      });
    }
    gp.sort(table, 1, true);
  }

  let last = 0;
  new ResizeObserver(() => { if (box.clientWidth !== last) { last = box.clientWidth; draw(); } }).observe(box);
})();
