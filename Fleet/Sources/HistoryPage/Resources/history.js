"use strict";
// The commit and value under the pointer, or under the arrow keys.
for (const chart of document.querySelectorAll("svg[data-points]")) {
  const points = chart.dataset.points.split("\n").map((line) => line.split("\t"));
  const cursor = chart.querySelector(".cursor");
  const reading = chart.closest("figure").querySelector(".reading");
  const rest = reading.textContent;
  let at = points.length - 1;
  const show = (index) => {
    at = Math.min(points.length - 1, Math.max(0, index));
    const x = points.length < 2 ? 300 : at / (points.length - 1) * 600;
    cursor.removeAttribute("hidden");
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    reading.textContent = points[at].join(" · ");
  };
  const leave = () => {
    cursor.setAttribute("hidden", "hidden");
    reading.textContent = rest;
  };
  chart.addEventListener("pointermove", (event) => {
    const box = chart.getBoundingClientRect();
    show(Math.round((event.clientX - box.left) / box.width * (points.length - 1)));
  });
  chart.addEventListener("pointerleave", leave);
  chart.addEventListener("blur", leave);
  chart.addEventListener("focus", () => show(points.length - 1));
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(at + step);
  });
}
