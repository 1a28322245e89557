// The timeline: tracks on a canvas that one can move in.
(() => {
  const box = document.getElementById("timeline-view");
  if (!box) return;
  const data = JSON.parse(document.getElementById("timeline-data").textContent), span = data.span;
  const canvas = box.querySelector("canvas"), names = box.querySelector(".timeline-names"), now = document.getElementById("timeline-now");
  const pen = canvas.getContext("2d");
  const TICK = 1e-7, AXIS = 20, ROW = 15, LEAST = Math.min(span, 2e-6);
  const INTERVAL = 2;

  // Packed numbers (LEB128): those behind the shift by 32 need multiplication.
  const reader = (text) => {
    const bytes = atob(text);
    let at = 0;
    return {
      more: () => at < bytes.length,
      next: () => {
        let value = 0, factor = 1, byte;
        do {
          byte = bytes.charCodeAt(at++);
          value += (byte & 127) * factor;
          factor *= 128;
        } while (byte > 127);
        return value;
      },
    };
  };
  const spans = (text) => {
    const read = reader(text), count = read.next();
    const row = { from: new Float64Array(count), to: new Float64Array(count), doing: new Uint32Array(count), kind: new Uint8Array(count), count: new Uint32Array(count).fill(1), busy: new Float64Array(count) };
    let end = 0;
    for (let i = 0; i < count; i += 1) {
      row.from[i] = (end + read.next()) * TICK;
      end = Math.round(row.from[i] / TICK) + read.next();
      row.to[i] = end * TICK;
      row.busy[i] = row.to[i] - row.from[i];
      const what = read.next();
      row.doing[i] = Math.floor(what / 16);
      row.kind[i] = (what >> 1) & 7;
      if (!(what & 1)) continue;
      row.count[i] = read.next();
      row.busy[i] = read.next() * TICK;
    }
    return row;
  };
  const frames = (text) => {
    const read = reader(text), list = { from: [], to: [], all: [] };
    let end = 0, number = 1;
    while (read.more()) {
      const start = end + read.next();
      end = start + read.next();
      const frame = { from: start * TICK, to: end * TICK, number, count: read.next(), length: read.next() * TICK, work: read.next() * TICK, processor: read.next() * TICK, allocations: read.next(), bytes: read.next(), track: read.next() - 1 };
      number += frame.count;
      list.from.push(frame.from);
      list.to.push(frame.to);
      list.all.push(frame);
    }
    return list;
  };

  const tracks = data.tracks.map((track, index) => {
    const made = { ...track, index, id: `${track.kind}.${track.name}`.replaceAll("*", ""), isFolded: false };
    if (track.kind === "frames") {
      Object.assign(made, frames(track.rows[0]));
      for (const frame of made.all) frame.loop = index;
    } else if (track.rows) made.rows = track.rows.map(spans);
    if (track.points) {
      made.at = track.points.filter((_, i) => i % 2 === 0).map((t) => t / 1e6);
      made.values = track.points.filter((_, i) => i % 2 === 1);
    }
    if (track.times) made.at = track.times.map((t) => t / 1e6);
    return made;
  });
  gp.loops = tracks.filter((track) => track.kind === "frames");
  // Those with rows of intervals, as frames number them.
  gp.threads = tracks.filter((track) => Array.isArray(track.rows) && track.kind !== "frames");
  gp.doings = data.doings;
  for (const track of gp.threads.filter((one) => one.kind === "thread").slice(4)) track.isFolded = true;
  const turned = new Set((gp.kept.get("folds") || "").split("*").filter(Boolean));
  for (const track of tracks) if (turned.has(track.id)) track.isFolded = !track.isFolded;

  // The first of a sorted list that is larger than a value.
  const above = (list, value, low = 0) => {
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  gp.above = above;

  let view = { from: 0, to: span }, cursor = null, width = 0, height = 0, colors = {}, isDue = false, letter = 6;
  const x = (time) => (time - view.from) / (view.to - view.from) * width;
  const time = (place) => view.from + place / Math.max(1, width) * (view.to - view.from);

  // Where each track is.
  const rowsOf = (track) => {
    const rows = track.rows.filter((row) => row.from.length);
    return track.isFolded ? rows.slice(0, 1) : rows;
  };
  const tall = (track) => {
    if (track.isFolded) return ROW + 1;
    if (track.kind === "frames") return 46;
    if (track.kind === "level") return 34;
    if (track.kind === "moments") return 18;
    return Math.max(1, rowsOf(track).length) * ROW + 4;
  };
  const arrange = () => {
    let y = AXIS;
    for (const track of tracks) {
      [track.y, track.tall] = [y, tall(track)];
      y += track.tall;
      track.button.style.height = `${track.tall}px`;
      track.button.classList.toggle("tall", track.tall > 30);
      track.button.setAttribute("aria-expanded", String(!track.isFolded));
    }
    height = y;
    resize();
  };
  for (const track of tracks) {
    track.button = document.createElement("button");
    track.button.type = "button";
    track.button.textContent = track.name;
    track.button.title = track.name;
    track.button.addEventListener("click", () => {
      track.isFolded = !track.isFolded;
      if (!turned.delete(track.id)) turned.add(track.id);
      gp.keep("folds", [...turned].join("*"));
      arrange();
    });
    names.append(track.button);
  }

  const readColors = () => {
    const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(name).trim();
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    colors = { text: of("--text"), faint: of("--faint"), line: of("--line"), back: of("--back"), panel: of("--panel"), link: of("--link"), good: of("--good"), error: of("--error"), warning: of("--warning") };
    // What computes, what waits, (an interval,) what is ready without a processor, what waits for a lock.
    colors.kinds = [colors.good, colors.warning, "", of("--ready"), colors.error];
    gp.colors = colors;
    colors.doings = data.doings.map((_, i) => `hsl(${30 + (i * 137.508) % 300} ${isDark ? "45% 34%" : "60% 78%"})`);
  };
  const resize = () => {
    const scale = devicePixelRatio || 1;
    width = canvas.parentElement.clientWidth - names.offsetWidth - 8;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    due();
  };
  const due = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };

  // Drawing.
  gp.setFont = (pen) => {
    pen.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
    pen.textBaseline = "middle";
  };
  const fit = (text, room) => {
    const letters = Math.floor(room / letter);
    return letters < 2 ? "" : text.length <= letters ? text : text.slice(0, letters - 1) + "…";
  };
  const several = (row, i, name) => row.count[i] > 1 ? `${row.count[i]} × ${name} and others` : name;
  const color = (row, i) => row.kind[i] === INTERVAL ? colors.doings[row.doing[i]] : colors.kinds[row.kind[i]];
  // `on`: a pen, and the part of the run that lies on its width.
  gp.drawSpans = (on, row, y, tall) => {
    const { pen } = on, count = row.from.length, scale = on.width / (on.to - on.from);
    let i = above(row.to, on.from);
    while (i < count && row.from[i] < on.to) {
      const a = Math.max(0, (row.from[i] - on.from) * scale), b = Math.min(on.width, (row.to[i] - on.from) * scale);
      pen.fillStyle = color(row, i);
      if (b - a < 1) {
        // All that begin in the same pixel are one.
        pen.fillRect(Math.floor(a), y, 1, tall);
        i = Math.max(i + 1, above(row.to, on.from + (Math.floor(a) + 1) / scale, i + 1));
        continue;
      }
      pen.globalAlpha = (row.kind[i] === INTERVAL ? 1 : 0.45) * (row.count[i] > 1 ? 0.35 + 0.65 * Math.min(1, row.busy[i] / (row.to[i] - row.from[i])) : 1);
      pen.fillRect(a, y, Math.max(1, b - a - 0.5), tall);
      pen.globalAlpha = 1;
      if (b - a > 24) {
        pen.fillStyle = colors.text;
        pen.fillText(fit(several(row, i, data.doings[row.doing[i]]), b - a - 6), a + 3, y + tall / 2 + 1);
      }
      i += 1;
    }
  };
  const drawFrames = (track) => {
    const bottom = track.y + track.tall - 1, most = track.tall - 3, most2 = 2 * gp.budgetOf(track);
    let last = -1, peak = 0;
    for (let i = above(track.to, view.from); i < track.all.length && track.from[i] < view.to; i += 1) {
      const frame = track.all[i], a = Math.max(0, x(frame.from)), b = Math.max(a + 1, Math.min(width, x(frame.to)) - 0.5);
      const high = Math.max(1, Math.min(1, gp.took(frame) / most2) * most);
      if (Math.floor(a) === last && high <= peak) continue;
      [last, peak] = [Math.floor(a), high];
      pen.fillStyle = gp.took(frame) > gp.budgetOf(track) ? colors.error : colors.good;
      pen.fillRect(a, bottom - high, b - a, high);
      if (gp.frame === frame) {
        pen.strokeStyle = colors.text;
        pen.strokeRect(a, bottom - high, b - a, high);
      }
    }
    pen.fillStyle = colors.text;
    pen.fillRect(0, Math.round(bottom - most / 2), width, 1);
  };
  const drawLevel = (track) => {
    const bottom = track.y + track.tall - 1, most = track.tall - 4, bounds = Math.max(track.greatest - track.least, 1e-12);
    let i = Math.max(0, above(track.at, view.from) - 1);
    pen.beginPath();
    while (i < track.at.length && track.at[i] < view.to) {
      const a = Math.max(0, x(track.at[i]));
      let value = track.values[i], next = i + 1;
      // The highest within a pixel.
      while (next < track.at.length && x(track.at[next]) - a < 1) value = Math.max(value, track.values[next++]);
      const b = Math.min(width, next < track.at.length ? x(track.at[next]) : x(span));
      const high = Math.min(1, Math.max(0, (value - track.least) / bounds)) * most;
      pen.rect(a, bottom - high, b - a, high);
      i = next;
    }
    pen.fillStyle = colors.link;
    pen.globalAlpha = 0.5;
    pen.fill();
    pen.globalAlpha = 1;
  };
  const drawMoments = (track) => {
    pen.fillStyle = track.style === "defect" ? colors.error : colors.warning;
    for (let i = above(track.at, view.from - 1e-9); i < track.at.length && track.at[i] <= view.to; i += 1) {
      const a = x(track.at[i]), room = (i + 1 < track.at.length ? x(track.at[i + 1]) : width) - a;
      pen.fillRect(a - 1, track.y + 2, 2, track.tall - 4);
      if (room < 40 || track.isFolded) continue;
      const old = pen.fillStyle;
      pen.fillStyle = colors.text;
      pen.fillText(fit(track.labels[i], Math.min(160, room - 6)), a + 4, track.y + track.tall / 2 + 1);
      pen.fillStyle = old;
    }
  };
  const drawAxis = () => {
    const long = view.to - view.from, rough = long * 90 / Math.max(width, 90), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
    for (let n = Math.ceil(view.from / step); n * step <= view.to; n += 1) {
      const a = Math.round(x(n * step));
      pen.fillStyle = colors.line;
      pen.fillRect(a, 0, 1, height);
      pen.fillStyle = colors.faint;
      pen.fillText((n * step).toFixed(Math.min(7, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))) + " s", a + 3, 9);
    }
  };
  const drawCursor = () => {
    const a = Math.round(x(cursor)), isRight = a > width * 0.6;
    pen.fillStyle = colors.text;
    pen.fillRect(a, 0, 1, height);
    const label = (text, y, tall) => {
      const shown = fit(text, (isRight ? a : width - a) - 14);
      if (!shown) return;
      const wide = shown.length * letter + 6, left = isRight ? a - 4 - wide : a + 5;
      pen.fillStyle = colors.panel;
      pen.fillRect(left, y, wide, tall);
      pen.strokeStyle = colors.line;
      pen.strokeRect(left + 0.5, y + 0.5, wide, tall);
      pen.fillStyle = colors.text;
      pen.fillText(shown, left + 3, y + tall / 2 + 1);
    };
    label(gp.moment(cursor, (view.to - view.from) / 10), 1, 15);
    for (const track of tracks) {
      const text = value(track, cursor);
      if (text) label(text, track.y + Math.max(0, Math.min(track.tall - 15, 2)), 15);
    }
  };
  const drawRange = () => {
    if (!gp.range) return;
    const a = x(gp.range.from), b = x(gp.range.to);
    pen.fillStyle = colors.link;
    pen.globalAlpha = 0.18;
    pen.fillRect(a, 0, Math.max(1, b - a), height);
    pen.globalAlpha = 1;
    pen.fillRect(a, 0, 1, height);
    pen.fillRect(b - 1, 0, 1, height);
  };
  const draw = () => {
    const scale = devicePixelRatio || 1;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    gp.setFont(pen);
    letter = pen.measureText("0").width;
    drawAxis();
    for (const track of tracks) {
      pen.fillStyle = colors.line;
      pen.fillRect(0, track.y + track.tall - 1, width, 1);
      if (track.kind === "frames") drawFrames(track);
      else if (track.kind === "level") drawLevel(track);
      else if (track.kind === "moments") drawMoments(track);
      else rowsOf(track).forEach((row, i) => gp.drawSpans({ pen, width, ...view }, row, track.y + 1 + i * ROW, ROW - 2));
    }
    drawRange();
    if (cursor !== null) drawCursor();
  };

  // What a track shows at a time.
  const at = (row, when) => {
    const i = above(row.to, when);
    return i < row.from.length && row.from[i] <= when ? i : -1;
  };
  const number = (track, value) => track.unit === "bytes" ? gp.bytes(value) : track.unit === "rate" ? gp.bytes(value) + "/s" : track.unit === "share" ? `${Math.round(value * 100)} %` : value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0 });
  const value = (track, when) => {
    if (track.kind === "frames") {
      const i = at(track, when);
      return i < 0 ? "" : gp.frameText(track.all[i]);
    }
    if (track.kind === "level") {
      const i = above(track.at, when) - 1;
      return i < 0 ? "" : number(track, track.values[i]);
    }
    if (track.kind === "moments") {
      const near = 4 / Math.max(1, width) * (view.to - view.from), i = above(track.at, when - near);
      return i < track.at.length && track.at[i] <= when + near ? track.labels[i] : "";
    }
    return track.rows.map((row) => [row, at(row, when)]).filter(([, i]) => i >= 0)
      .map(([row, i]) => several(row, i, data.doings[row.doing[i]]) + (row.kind[i] === INTERVAL ? " " + gp.seconds(row.busy[i]) : "")).join(" › ");
  };
  gp.took = (frame) => frame.work + frame.processor;
  gp.budgetOf = (track) => Number(gp.kept.get("budget")) || track.budget;
  gp.setBudget = (seconds) => {
    gp.keep("budget", seconds);
    for (const listener of gp.onFrame) listener();
  };
  gp.frameText = (frame) => (frame.count > 1 ? `frames ${frame.number}–${frame.number + frame.count - 1}, at most ` : `frame ${frame.number} `) + gp.frameTime(gp.took(frame));
  const announce = () => {
    const said = cursor === null ? [] : tracks.map((track) => [track.name.split(", ")[0], value(track, cursor)]).filter(([, text]) => text);
    now.textContent = cursor === null ? "" : `At ${gp.moment(cursor, (view.to - view.from) / 10)} · ` + said.map((pair) => pair.join(": ")).join("; ");
  };

  // Moving.
  const look = (from, to) => {
    const long = Math.min(span, Math.max(LEAST, to - from)), start = Math.min(span - long, Math.max(0, from + (to - from - long) / 2));
    view = { from: start, to: start + long };
    gp.keep("view", long < span && `${view.from.toFixed(8)}-${view.to.toFixed(8)}`);
    due();
  };
  // Shows a frame where it is not seen.
  gp.bring = (frame) => {
    const long = frame.to - frame.from;
    if (frame.from < view.from || frame.to > view.to) look(frame.from - 5 * long, frame.to + 5 * long);
  };
  const zoom = (factor, centre) => {
    const long = Math.min(span, Math.max(LEAST, (view.to - view.from) * factor)), share = (centre - view.from) / (view.to - view.from);
    const start = Math.min(span - long, Math.max(0, centre - share * long));
    look(start, start + long);
  };
  const pan = (by) => {
    const long = view.to - view.from, start = Math.min(span - long, Math.max(0, view.from + by));
    look(start, start + long);
  };
  const place = (event) => event.clientX - canvas.getBoundingClientRect().left;
  canvas.addEventListener("wheel", (event) => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY), turn = event.deltaY || event.deltaX;
    // All is shown: the wheel is the page's.
    if (view.to - view.from >= span && (isSideways || turn > 0)) return;
    event.preventDefault();
    if (isSideways) pan((event.deltaX || event.deltaY) / Math.max(1, width) * (view.to - view.from));
    else zoom(Math.exp(Math.min(1, Math.max(-1, turn / 240))), time(place(event)));
  }, { passive: false });

  // Without it a part of the run cannot be chosen.
  const pick = document.getElementById("range-pick"), pointers = new Map();
  let drag = null;
  if (pick) pick.addEventListener("click", () => pick.setAttribute("aria-pressed", String(pick.getAttribute("aria-pressed") !== "true")));
  const start = (event) => {
    const selects = Boolean(pick) && (event.shiftKey || pick.getAttribute("aria-pressed") === "true");
    drag = { x: place(event), at: time(place(event)), view, selects, range: gp.range, isMoved: false };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    start(event);
    if (pointers.size === 2) drag = { pinch: Math.abs([...pointers.values()].reduce((a, b) => a - b)), view, at: time([...pointers.values()].reduce((a, b) => a + b) / 2) };
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = place(event);
    cursor = Math.min(span, Math.max(0, time(here)));
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, here);
    if (drag && drag.pinch) {
      const wide = Math.max(8, Math.abs([...pointers.values()].reduce((a, b) => a - b)));
      view = drag.view;
      zoom(drag.pinch / wide, drag.at);
    } else if (drag) {
      drag.isMoved = drag.isMoved || Math.abs(here - drag.x) > 3;
      if (drag.selects && drag.isMoved) gp.range = { from: Math.min(drag.at, cursor), to: Math.max(drag.at, cursor) };
      else if (drag.isMoved) {
        view = drag.view;
        pan((drag.x - here) / Math.max(1, width) * (view.to - view.from));
      }
    }
    due();
    clearTimeout(canvas.saying);
    canvas.saying = setTimeout(announce, 100);
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    const done = drag;
    drag = null;
    if (!done || done.pinch) return;
    if (event.type === "pointercancel") {
      gp.range = done.range;
      due();
    } else if (done.isMoved) {
      if (done.selects) gp.choose(done.at, time(place(event)));
    } else click(event);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => {
    if (drag) return;
    cursor = null;
    due();
  });

  // What is at a place: a frame, or an interval.
  const hit = (event) => {
    const y = event.clientY - canvas.getBoundingClientRect().top, when = time(place(event));
    const track = tracks.find((one) => y >= one.y && y < one.y + one.tall);
    if (!track) return null;
    const row = track.kind === "frames" ? track : track.rows && rowsOf(track)[Math.floor((y - track.y) / ROW)];
    const i = row ? at(row, when) : -1;
    return i < 0 ? null : { from: row.from[i], to: row.to[i], frame: track.all && track.all[i] };
  };
  const click = (event) => {
    const found = pick && hit(event);
    if (found && found.frame) gp.choose(found.from, found.to, found.frame);
    else if (gp.range) gp.choose(null);
  };
  canvas.addEventListener("dblclick", (event) => {
    const found = hit(event);
    if (!found) return;
    const room = (found.to - found.from) / 10;
    look(found.from - room, found.to + room);
  });

  const move = {
    in: () => zoom(0.5, cursor === null ? (view.from + view.to) / 2 : cursor),
    out: () => zoom(2, cursor === null ? (view.from + view.to) / 2 : cursor),
    all: () => look(0, span),
  };
  for (const button of box.querySelectorAll("[data-move]")) button.addEventListener("click", () => move[button.dataset.move]());
  const toRange = document.getElementById("range-zoom");
  if (toRange) toRange.addEventListener("click", () => {
    if (!gp.range) return;
    const room = (gp.range.to - gp.range.from) / 10;
    look(gp.range.from - room, gp.range.to + room);
  });
  // The view moves along with the cursor where there is room.
  const step = (direction, selects) => {
    const by = direction * (view.to - view.from) / 20, was = cursor === null ? (view.from + view.to) / 2 : cursor;
    cursor = Math.min(span, Math.max(0, was + by));
    pan(by);
    if (!selects || !pick) return;
    const known = gp.range || { from: was, to: was };
    if (direction > 0) gp.choose(known.from, Math.max(cursor, known.from));
    else gp.choose(Math.min(cursor, known.to), known.to);
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") move.in();
    else if (event.key === "-" || event.key === "_") move.out();
    else if (event.key === "Home") move.all();
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") step(event.key === "ArrowRight" ? 1 : -1, event.shiftKey);
    else if (event.key === "Enter" && pick && cursor !== null) {
      const [track] = gp.loops, i = track ? at(track, cursor) : -1;
      if (i >= 0) gp.choose(track.from[i], track.to[i], track.all[i]);
    } else return;
    event.preventDefault();
    announce();
  });
  if (toRange) gp.onRange.push(() => {
    toRange.hidden = !gp.range;
    due();
  });
  gp.onFrame.push(due);

  document.querySelector("#timeline .lanes").hidden = true;
  box.hidden = false;
  readColors();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColors();
    due();
    for (const listener of gp.onFrame) listener();
  });
  const [from, to] = (gp.kept.get("view") || "").split("-").map(Number);
  if (to > from) look(from, to);
  arrange();
  gp.onWidth(box, resize);
})();
