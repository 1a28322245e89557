// The frames: a bar for each, and what happened in the chosen one beside the median.
for (const box of document.querySelectorAll(".frame-charts")) (() => {
  const loop = Number(box.dataset.loop), track = gp.loops && gp.loops[loop];
  if (!track || !track.all.length) return;
  const part = (name) => box.querySelector(".frame-" + name), all = track.all;
  const bars = part("bars"), pen = bars.getContext("2d"), chooser = part("budget"), over = part("over");
  const TALL = 110, ROW = 15;
  const sorted = [...all].sort((a, b) => gp.took(a) - gp.took(b));
  const slowest = sorted[sorted.length - 1], median = sorted[(sorted.length - 1) >> 1];
  let chosen = slowest, width = 0;

  // Where more frames lie at a place than it has pixels, the slowest stands for them.
  const at = (place) => Math.min(all.length - 1, Math.max(0, Math.floor(place / Math.max(1, width) * all.length)));
  const slowestAt = (place) => {
    let found = all[at(place)];
    for (let i = at(place); i <= at(place + 1); i += 1) if (gp.took(all[i]) > gp.took(found)) found = all[i];
    return found;
  };
  const draw = () => {
    const scale = devicePixelRatio || 1, budget = gp.budgetOf(track);
    const top = Math.max(1.5 * budget, Math.min(gp.took(slowest), 4 * budget)), high = (frame) => Math.max(1, Math.min(1, gp.took(frame) / top) * (TALL - 14));
    width = bars.parentElement.clientWidth;
    bars.style.width = `${width}px`;
    bars.style.height = `${TALL}px`;
    [bars.width, bars.height] = [Math.round(width * scale), Math.round(TALL * scale)];
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const wide = width / all.length, count = Math.min(all.length, Math.floor(width));
    for (let i = 0; i < count; i += 1) {
      const frame = wide >= 1 ? all[i] : slowestAt(i), left = wide >= 1 ? i * wide : i;
      pen.fillStyle = gp.took(frame) > budget ? gp.colors.error : gp.colors.good;
      pen.fillRect(left, TALL - 10 - high(frame), Math.max(1, wide - (wide > 3 ? 1 : 0)), high(frame));
    }
    const line = TALL - 10 - budget / top * (TALL - 14), left = all.indexOf(chosen) * wide;
    pen.fillStyle = gp.colors.text;
    pen.fillRect(0, Math.round(line), width, 1);
    gp.setFont(pen);
    pen.fillText(gp.frameTime(budget), 3, Math.round(line) - 4);
    // Below the chosen one.
    pen.beginPath();
    pen.moveTo(left + wide / 2, TALL - 9);
    pen.lineTo(left + wide / 2 - 5, TALL);
    pen.lineTo(left + wide / 2 + 5, TALL);
    pen.fill();
    const late = all.filter((frame) => gp.took(frame) > budget).length;
    over.textContent = `${late.toLocaleString("en")} of ${(slowest && all[all.length - 1].number + all[all.length - 1].count - 1).toLocaleString("en")} over the budget`;
    for (const bar of box.querySelectorAll(".histogram rect")) bar.classList.toggle("late", Number(bar.dataset.from) >= budget * 0.999);
  };

  // Intervals of a frame below each other: equal ones of the same parent are one.
  const within = (row, frame) => {
    const found = [];
    for (let i = gp.above(row.to, frame.from); i < row.from.length && row.from[i] < frame.to; i += 1) {
      const from = Math.max(row.from[i], frame.from), to = Math.min(row.to[i], frame.to);
      found.push({ from, to, name: gp.doings[row.doing[i]], kind: row.kind[i], count: row.count[i], long: row.count[i] > 1 ? row.busy[i] : to - from });
    }
    return found;
  };
  const tree = (frame, rows) => {
    const root = { below: new Map(), inner: 0 };
    let outer = [{ from: -Infinity, to: Infinity, node: root }];
    for (const row of rows.slice(1)) {
      const here = within(row, frame);
      for (const one of here) {
        const parent = (outer.find((other) => other.from <= one.from && one.from < other.to) || { node: root }).node;
        const known = parent.below.get(one.name) || { name: one.name, count: 0, long: 0, inner: 0, below: new Map() };
        parent.below.set(one.name, known);
        known.count += one.count;
        known.long += one.long;
        parent.inner += one.long;
        one.node = known;
      }
      if (here.length) outer = here;
    }
    return root;
  };
  const made = (name, text, kind = "") => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const lines = (node, level, frame, body) => {
    for (const one of [...node.below.values()].sort((a, b) => b.long - a.long)) {
      if (body.rows.length >= 40) return;
      const row = body.insertRow(), head = made("th", one.name + (one.count > 1 ? ` in ${one.count}` : ""));
      head.scope = "row";
      head.style.paddingLeft = `${level * 0.8}rem`;
      row.append(head);
      for (const value of [one.long, Math.max(0, one.long - one.inner)]) row.append(made("td", gp.frameTime(value), "number"));
      const bar = made("span", undefined, "bar");
      bar.style.setProperty("--share", `${Math.min(100, 100 * one.long / (frame.to - frame.from))}%`);
      row.cells[1].append(bar);
      lines(one, level + 1, frame, body);
    }
  };
  // What the thread did by its samples, the longest first.
  const done = (states, kinds) => {
    const sums = new Map();
    for (const one of states) if (kinds.includes(one.kind)) sums.set(one.name, (sums.get(one.name) || 0) + one.long);
    return [...sums].sort((a, b) => b[1] - a[1]);
  };
  const facts = (frame, rows) => {
    const states = rows.length ? within(rows[0], frame) : [], list = made("dl", undefined, "frame-facts");
    const sum = (pairs) => pairs.reduce((whole, pair) => whole + pair[1], 0), budget = gp.budgetOf(track);
    const say = (name, value, pairs = []) => {
      const entry = made("div");
      entry.append(made("dt", name), made("dd", value));
      for (const [what, long] of pairs.slice(0, 4)) entry.append(made("dd", `${gp.frameTime(long)} ${what}`, "via"));
      list.append(entry);
    };
    say("took", gp.frameTime(gp.took(frame)) + (gp.took(frame) > budget ? `, ${gp.frameTime(gp.took(frame) - budget)} over` : ""));
    const [cpu, waits, locks] = [[0], [1], [4]].map((kinds) => done(states, kinds));
    if (cpu.length) say("CPU", gp.frameTime(sum(cpu)), cpu);
    if (locks.length) say("locks", gp.frameTime(sum(locks)), locks);
    if (waits.length) say("waits", gp.frameTime(sum(waits)), waits);
    if (frame.processor) say("without a processor", gp.frameTime(frame.processor));
    if (box.dataset.counts) say("allocations", `${frame.allocations.toLocaleString("en")} (${gp.bytes(frame.bytes)})`);
    return list;
  };
  const card = (place, title, frame) => {
    const rows = frame.track >= 0 ? gp.threads[frame.track].rows : [], drawn = rows.filter((row) => within(row, frame).length);
    const canvas = made("canvas"), table = made("table");
    place.replaceChildren(made("h4", `${title}: ${gp.frameText(frame)}`), canvas, table, facts(frame, rows));
    const head = table.createTHead().insertRow();
    for (const [text, kind] of [["interval", ""], ["time", "number"], ["self", "number"]]) {
      const cell = made("th", text, kind);
      cell.scope = "col";
      head.append(cell);
    }
    lines(tree(frame, rows), 0, frame, table.createTBody());
    table.hidden = !table.tBodies[0].rows.length;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `What happened in frame ${frame.number}`);
    const scale = devicePixelRatio || 1, wide = place.clientWidth - 2, tall = Math.max(1, drawn.length) * ROW + 2;
    Object.assign(canvas.style, { width: `${wide}px`, height: `${tall}px` });
    [canvas.width, canvas.height] = [Math.round(wide * scale), Math.round(tall * scale)];
    const ruler = canvas.getContext("2d");
    ruler.setTransform(scale, 0, 0, scale, 0, 0);
    gp.setFont(ruler);
    drawn.forEach((row, i) => gp.drawSpans({ pen: ruler, from: frame.from, to: frame.to, width: wide }, row, 1 + i * ROW, ROW - 2));
  };
  const show = () => {
    draw();
    card(part("chosen"), chosen === slowest ? "Slowest" : "Chosen", chosen);
    card(part("median"), "Median", median);
    for (const row of document.querySelectorAll(`#frames-${loop} tbody tr`)) row.classList.toggle("here", Number(row.dataset.number) === chosen.number);
  };
  const choose = (frame) => {
    gp.choose(frame.from, frame.to, frame);
    gp.bring(frame);
  };
  const place = (event) => event.clientX - bars.getBoundingClientRect().left;
  bars.addEventListener("click", (event) => choose(slowestAt(place(event))));
  bars.addEventListener("pointermove", (event) => { part("now").textContent = gp.frameText(slowestAt(place(event))); });
  // With Shift to the next over the budget.
  bars.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    let i = all.indexOf(chosen) + step;
    while (event.shiftKey && all[i] && gp.took(all[i]) <= gp.budgetOf(track)) i += step;
    if (!all[i]) return;
    choose(all[i]);
    part("now").textContent = gp.frameText(all[i]);
  });
  chooser.value = String(gp.kept.get("budget") || "");
  chooser.addEventListener("change", () => {
    gp.setBudget(chooser.value);
    for (const other of document.querySelectorAll(".frame-budget")) other.value = chooser.value;
  });
  for (const button of document.querySelectorAll(`#frames-${loop} [data-frame]`)) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const frame = all.find((one) => Number(button.dataset.frame) < one.number + one.count);
      if (!frame) return;
      choose(frame);
      box.scrollIntoView();
    });
  }
  gp.onFrame.push(() => {
    if (gp.frame && all.includes(gp.frame)) chosen = gp.frame;
    show();
  });
  box.hidden = false;
  show();
  gp.onWidth(box, show);
})();
