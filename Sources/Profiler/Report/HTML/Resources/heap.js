
// The tree of holders: arrow keys move and open, the page's filter shows the rows that match and what holds them.
for (const tree of document.querySelectorAll(".holders")) (() => {
  const items = [...tree.querySelectorAll("li")];
  const details = [...tree.querySelectorAll("details")], opened = new Set(details.filter((one) => one.open));
  const text = new Map(items.map((item) => [item, item.querySelector(".holder-name").textContent.toLowerCase()]));
  // What a closed row holds has a size all the same.
  const isShown = (row) => !row.closest("[hidden]") && !row.parentElement.parentElement.closest("details:not([open])");
  const visible = () => [...tree.querySelectorAll("summary")].filter(isShown);
  tree.addEventListener("keydown", (event) => {
    const row = event.target.closest("summary");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const own = row.parentElement, rows = visible(), at = rows.indexOf(row);
    let next = null;
    if (event.key === "ArrowDown") next = rows[at + 1];
    else if (event.key === "ArrowUp") next = rows[at - 1];
    else if (event.key === "Home") next = rows[0];
    else if (event.key === "End") next = rows[rows.length - 1];
    else if (event.key === "ArrowRight" && !own.open) own.open = true;
    else if (event.key === "ArrowRight") next = own.querySelector("ul summary");
    else if (event.key === "ArrowLeft" && own.open) own.open = false;
    else if (event.key === "ArrowLeft") { const up = own.parentElement.closest("details"); next = up && up.querySelector("summary"); }
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (next) next.focus();
  });
  const filter = document.getElementById("filter");
  if (filter) filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(), found = new Set();
    for (const item of items) {
      if (!words.length || !words.every((word) => text.get(item).includes(word))) continue;
      found.add(item);
      for (let up = item; up && tree.contains(up); up = up.parentElement.closest("li")) shown.add(up);
      for (const below of item.querySelectorAll("li")) shown.add(below);
    }
    for (const item of items) {
      item.hidden = words.length > 0 && !shown.has(item);
      item.classList.toggle("match", found.has(item));
      item.querySelector(".holder-row").classList.toggle("found", found.has(item));
    }
    for (const one of details) one.open = words.length ? [...one.querySelectorAll("li.match")].length > 0 : opened.has(one);
  });
})();
