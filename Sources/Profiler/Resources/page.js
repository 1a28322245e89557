"use strict";
const box = document.getElementById("filter");
const rows = [...document.querySelectorAll("[data-filter]")];
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = row.dataset.filter.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    if (!row.hidden) shown += 1;
  }
  document.getElementById("matches").textContent = words.length ? `${shown} of ${rows.length}` : "";
});
const findings = () => [...document.querySelectorAll(".finding:not([hidden]) > summary")];
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  } else if (event.key === "Escape" && document.activeElement === box) {
    box.value = "";
    box.dispatchEvent(new Event("input"));
    box.blur();
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
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => column === 0 ? row.dataset.filter : Number(row.cells[column].dataset.value);
      const order = (a, b) => column === 0 ? b.localeCompare(a) : b - a;
      const sorted = [...table.tBodies[0].rows].sort((a, b) => (down ? 1 : -1) * order(value(a), value(b)));
      table.tBodies[0].append(...sorted);
    });
  });
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll(".finding:not([open])")];
  for (const finding of opened) finding.open = true;
});
addEventListener("afterprint", () => { for (const finding of opened) finding.open = false; });
