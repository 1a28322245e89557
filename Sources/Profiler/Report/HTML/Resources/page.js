"use strict";
const gp = { range: null, onRange: [], frame: null, onFrame: [] };

// What the address keeps of the page behind "#": name=value pairs.
gp.kept = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
gp.keep = (name, value) => {
  if (value) gp.kept.set(name, value);
  else gp.kept.delete(name);
  clearTimeout(gp.keeping);
  gp.keeping = setTimeout(() => history.replaceState(null, "", "#" + gp.kept), 200);
};
// The first and one past the last of the parts of so many seconds that the chosen part of the run touches.
gp.parts = (seconds) => {
  const first = Math.floor(gp.range.from / seconds + 1e-6);
  return [first, Math.max(first + 1, Math.ceil(gp.range.to / seconds - 1e-6))];
};
gp.bytes = (n) => n >= 2 ** 30 ? (n / 2 ** 30).toFixed(2) + " GB" : n >= 2 ** 20 ? (n / 2 ** 20).toFixed(1) + " MB" : n >= 1024 ? (n / 1024).toFixed(1) + " KB" : n + " B";

gp.seconds = (s) => {
  const digits = (n) => n.toFixed(n < 9.95 ? 1 : 0);
  if (s >= 120) return `${Math.floor(Math.round(s) / 60)} min ${Math.round(s) % 60} s`;
  return s <= 0 ? "0 s" : s < 1e-3 ? digits(s * 1e6) + " µs" : s < 0.1 ? digits(s * 1e3) + " ms" : s.toFixed(s < 10 ? 2 : 1) + " s";
};

// The time of a game's frame, given in seconds: in ms below a second.
gp.frameTime = (s) => (s >= 0.1 && s < 1 ? `${(s * 1e3).toFixed(0)} ms` : gp.seconds(s));

// Calls when the width of a part of the page changes.
gp.onWidth = (box, call) => {
  let width = box.clientWidth;
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    call();
  }).observe(box);
};

// A moment of the run, as exactly as one of so many seconds needs.
gp.moment = (at, long) => at.toFixed(Math.min(7, Math.max(0, Math.ceil(2 - Math.log10(Math.max(long, 1e-7)))))) + " s";

// Long names are wrapped behind their separators, and options are not. The rows of the list of objects are made later.
{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = /(\S{26,}|(?<!\S)-\S+)/, found = [];
  while (walker.nextNode()) {
    const at = walker.currentNode;
    if (words.test(at.data) && !at.parentElement.closest("script, style, code, svg, button, select, option, textarea")) found.push(at);
  }
  const element = (name, text = "") => Object.assign(document.createElement(name), { textContent: text });
  const wrapped = (word) => word.length < 26 ? [Object.assign(element("span", word), { className: "whole" })]
    : word.split(/(?<=[\p{L}\p{N})\]>_][.:,(<_/]+)(?=[\p{L}_])/u).flatMap((part, i) => i ? [element("wbr"), part] : [part]);
  for (const text of found) text.replaceWith(...text.data.split(words).flatMap((word, i) => i % 2 ? wrapped(word) : [word]));
}
// Cells of tables that narrow windows stack have no head above them.
for (const table of document.querySelectorAll("table.stacked")) {
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, i) => { if (cell.tagName === "TD") cell.dataset.label = heads[i]; });
}

// The list of objects: the rows behind the first.
(() => {
  const script = document.getElementById("object-rows");
  if (!script) return;
  const { types, makers, rows } = JSON.parse(script.textContent), body = document.getElementById("objects").tBodies[0];
  for (const [address, born, died, bytes, type, maker] of rows) {
    const row = body.rows[0].cloneNode(true), end = died < 0 ? 1e15 : died;
    row.className = "extra";
    Object.assign(row.dataset, { filter: `${address} ${types[type]} ${makers[maker]}`, from: born / 1e6, to: died < 0 ? "Infinity" : died / 1e6 });
    const time = (value) => died < 0 ? "live" : gp.seconds(value / 1e6);
    [[address], ...(types.length > 1 ? [[types[type], type]] : []), [gp.seconds(born / 1e6), born], [time(died), end], [time(died - born), end - born], [gp.bytes(bytes), bytes], [makers[maker], maker]].forEach(([text, value], i) => {
      row.cells[i].textContent = text;
      if (i > 0) row.cells[i].dataset.value = value;
    });
    body.append(row);
  }
})();

// Filter and keys.
(() => {
  const box = document.getElementById("filter");
  if (!box) return;
  const rows = [...document.querySelectorAll("[data-filter]")];
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.dataset.filter.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    document.body.classList.toggle("filtering", words.length > 0);
    document.getElementById("matches").textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
  const findings = () => [...document.querySelectorAll(".finding:not([hidden]) > summary")];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) {
      event.preventDefault();
      box.focus();
    } else if (event.key === "Escape" && document.activeElement === box) {
      box.value = "";
      box.dispatchEvent(new Event("input"));
      box.blur();
    } else if (event.key === "Escape" && gp.range) {
      gp.choose(null);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const list = findings();
      const at = list.indexOf(document.activeElement);
      if (at < 0 && document.activeElement !== box && document.activeElement !== document.body) return;
      const next = list[event.key === "ArrowDown" ? at + 1 : at - 1];
      if (!next) return;
      event.preventDefault();
      next.focus();
    }
  });
})();

// Tables: sorted by their heads, long ones folded.
gp.refold = (table) => {
  if (!table.dataset.fold) return;
  [...table.tBodies[0].rows].filter((row) => !row.classList.contains("out") && !row.classList.contains("left-out"))
    .forEach((row, index) => row.classList.toggle("extra", index >= Number(table.dataset.fold)));
};
gp.sort = (table, column, down) => {
  [...table.tHead.rows[0].cells].forEach((head, index) => {
    if (index === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
  const value = (row) => column === 0 ? row.dataset.filter : Number(row.cells[column].dataset.value);
  const order = (a, b) => column === 0 ? b.localeCompare(a) : b - a;
  const sorted = [...table.tBodies[0].rows].sort((a, b) => (down ? 1 : -1) * order(value(a), value(b)));
  table.tBodies[0].append(...sorted);
  gp.refold(table);
};
for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => gp.sort(table, column, head.getAttribute("aria-sort") !== "descending"));
  });
}
for (const button of document.querySelectorAll(".show-all")) {
  const all = button.textContent;
  button.addEventListener("click", () => {
    const isFolded = document.getElementById(button.getAttribute("aria-controls")).classList.toggle("short");
    button.setAttribute("aria-expanded", String(!isFolded));
    button.textContent = isFolded ? all : "Show less";
  });
}

// Tabs: one panel at a time.
for (const tabs of document.querySelectorAll(".tabs")) {
  tabs.hidden = false;
  const buttons = [...tabs.querySelectorAll("button")];
  const show = (chosen) => {
    for (const button of buttons) {
      button.setAttribute("aria-selected", String(button === chosen));
      button.tabIndex = button === chosen ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = button !== chosen;
    }
  };
  buttons.forEach((button, index) => {
    button.addEventListener("click", () => show(button));
    button.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = buttons[index + step];
      if (!step || !next) return;
      event.preventDefault();
      show(next);
      next.focus();
    });
  });
  show(buttons[0]);
}

// A link to a finding opens it.
(() => {
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.tagName !== "DETAILS") return;
    target.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();

// A part of the run, chosen on the timeline.
(() => {
  const now = document.getElementById("range-now"), reset = document.getElementById("range-reset");
  if (!now) return;
  const whole = now.textContent, span = Number(document.getElementById("timeline-view").dataset.span);
  const shade = () => {
    for (const track of document.querySelectorAll(".tracks[data-span]")) {
      const shade = track.querySelector(".selection"), start = Number(track.dataset.start), long = Number(track.dataset.span);
      shade.hidden = !gp.range;
      if (!gp.range) continue;
      const left = Math.min(1, Math.max(0, (gp.range.from - start) / long)), right = Math.min(1, Math.max(0, (gp.range.to - start) / long));
      shade.style.left = `${100 * left}%`;
      shade.style.width = `${100 * (right - left)}%`;
    }
  };
  gp.choose = (from, to, frame = null) => {
    const bound = (value) => Math.min(span, Math.max(0, value));
    gp.range = from === null ? null : { from: bound(Math.min(from, to)), to: bound(Math.max(from, to)) };
    gp.frame = frame;
    shade();
    const long = gp.range && gp.range.to - gp.range.from;
    now.textContent = gp.range ? `${gp.moment(gp.range.from, long)} to ${gp.moment(gp.range.to, long)} of ${gp.seconds(span)}` : whole;
    reset.hidden = !gp.range;
    for (const row of document.querySelectorAll("tr[data-from]")) {
      row.classList.toggle("out", Boolean(gp.range) && (Number(row.dataset.to) <= gp.range.from + 1e-6 || Number(row.dataset.from) >= gp.range.to - 1e-6));
    }
    for (const table of document.querySelectorAll("table[data-fold]")) gp.refold(table);
    for (const listener of gp.onRange) listener();
    for (const listener of gp.onFrame) listener();
    gp.keep("frame", frame && `${frame.loop}.${frame.number}`);
    gp.keep("range", gp.range && `${gp.range.from.toFixed(7)}-${gp.range.to.toFixed(7)}`);
  };
  reset.addEventListener("click", () => gp.choose(null));
  for (const button of document.querySelectorAll("[data-range-from]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      gp.choose(Number(button.dataset.rangeFrom), Number(button.dataset.rangeTo));
      const target = document.getElementById(button.dataset.show);
      if (target) target.scrollIntoView();
    });
  }
  addEventListener("load", () => {
    const [from, to] = (gp.kept.get("range") || "").split("-").map(Number), [loop, number] = (gp.kept.get("frame") || "").split(".").map(Number);
    const frame = gp.loops && gp.loops[loop] && gp.loops[loop].all.find((one) => one.number === number);
    if (frame) gp.choose(frame.from, frame.to, frame);
    else if (to > from) gp.choose(from, to);
  });
})();

// Tables of allocations: bytes and count of the chosen part of the run.
for (const script of document.querySelectorAll(".row-moments")) {
  const { seconds, entries } = JSON.parse(script.textContent), table = document.getElementById(script.dataset.table);
  const rows = [...table.tBodies[0].rows], texts = [gp.bytes, (n) => n.toLocaleString("en")];
  const whole = rows.map((row) => [1, 2].map((i) => [row.cells[i].dataset.value, row.cells[i].textContent]));
  gp.onRange.push(() => {
    table.classList.toggle("in-part", Boolean(gp.range));
    const sums = rows.map(() => [0, 0]);
    if (gp.range) {
      const [first, last] = gp.parts(seconds);
      for (let i = 0; i < entries.length; i += 4) {
        if (entries[i + 1] < first || entries[i + 1] >= last) continue;
        sums[entries[i]][0] += entries[i + 2];
        sums[entries[i]][1] += entries[i + 3];
      }
    }
    rows.forEach((row, index) => {
      row.classList.toggle("out", Boolean(gp.range) && sums[index][1] === 0);
      texts.forEach((text, i) => {
        const cell = row.cells[i + 1];
        [cell.dataset.value, cell.textContent] = gp.range ? [sums[index][i], text(sums[index][i])] : whole[index][i];
      });
    });
    gp.sort(table, 1, true);
  });
}
gp.onRange.push(() => { for (const note of document.querySelectorAll(".range-note")) note.hidden = !gp.range; });

let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll(".finding:not([open])")];
  for (const finding of opened) finding.open = true;
});
addEventListener("afterprint", () => { for (const finding of opened) finding.open = false; });
