// A running program: each second the page asks what has changed.
(() => {
  const byId = (id) => document.getElementById(id);
  const canvas = document.querySelector("#live canvas"), pen = canvas.getContext("2d"), names = byId("names");
  const PAUSE = 1000, AXIS = 20, TALL = { frames: 46, level: 36, rate: 36, share: 30, marks: 20 };
  const known = { run: 0, revision: 0, width: 0, count: 0, seconds: 0 };
  const values = new Map();
  let tracks = [], marks = [], isRecent = false, place = null, width = 0, height = 0, shown = "", state = "";

  const number = (track, value) => {
    if (track.kind === "level") return gp.bytes(Math.round(value));
    if (track.kind === "share") return `${Math.round(value * 100)} %`;
    if (track.kind === "frames") return gp.seconds(value / 1e3);
    return `${Math.round(value).toLocaleString("en")}/s`;
  };
  const view = () => {
    const end = Math.max(known.count * known.width, known.width);
    return { from: isRecent ? Math.max(0, end - 60) : 0, to: end };
  };
  // The last part is not over: sums of it are too small.
  const whole = (track) => track.kind === "level" ? known.count : Math.max(0, known.count - 1);

  // What the server says.
  const take = (moment) => {
    if (moment.width !== known.width) values.clear();
    Object.assign(known, { revision: moment.revision, width: moment.width, count: moment.count, seconds: moment.seconds });
    tracks = moment.tracks.map((track) => {
      const all = values.get(track.id) || [];
      while (all.length < moment.from) all.push(0);
      all.length = moment.from;
      all.push(...track.values);
      values.set(track.id, all);
      return { ...track, values: all };
    });
    marks = moment.marks;
    if (marks.length) tracks.push({ id: "marks", name: "marks", kind: "marks", values: [] });
    byId("figures").replaceChildren(...moment.figures.map(({ name, value }) => {
      const box = document.createElement("div");
      box.append(element("dt", name), element("dd", value));
      return box;
    }));
    arrange();
    table("functions", moment.functions, (one) => [[one.name, one.module], percent(one.own), percent(one.total)]);
    table("intervals", moment.intervals, (one) => [[one.name], one.count.toLocaleString("en"), gp.seconds(one.mean), gp.seconds(one.longest)]);
    table("counters", moment.counters, (one) => [[one.name], one.value.toLocaleString("en", { maximumFractionDigits: 2 })]);
    looks(moment.snapshots);
    byId("notes").replaceChildren(...moment.notes.map((note) => element("p", note, "more")));
  };
  const element = (kind, text, style = "") => {
    const made = document.createElement(kind);
    made.textContent = text;
    made.className = style;
    return made;
  };
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const table = (id, rows, cells) => {
    byId(id).hidden = !rows.length;
    document.querySelector(`#${id} tbody`).replaceChildren(...rows.map((one) => {
      const row = document.createElement("tr"), [[name, place], ...others] = cells(one), head = element("th", name, "function");
      head.scope = "row";
      if (place) head.append(element("span", place, "place"));
      row.append(head, ...others.map((text) => element("td", text, "number")));
      return row;
    }));
  };
  const looks = (list) => {
    byId("looks").hidden = !list.length;
    byId("look-list").replaceChildren(...[...list].reverse().map((look) => {
      const box = document.createElement("div"), findings = look.findings || [];
      const lost = look.lostBlocks ? ` ${look.lostBlocks.toLocaleString("en")} blocks (${gp.bytes(look.lostBytes)}) are lost.` : " Nothing is lost.";
      const what = look.problem ? `no result: ${look.problem}.` : `${gp.bytes(look.bytes)} in ${look.blocks.toLocaleString("en")} blocks.${lost} Paused for ${gp.seconds(look.pause)}.`;
      box.className = `look ${findings.length ? findings[0].severity : ""}`;
      box.append(element("p", `Snapshot ${look.number} at ${gp.moment(look.time, 1)}: ${what}`));
      if (look.findings) {
        const items = document.createElement("ul");
        items.append(...findings.map((one) => element("li", `${one.title} · ${one.count.toLocaleString("en")} × · ${gp.bytes(one.bytes)}`, one.severity)));
        box.append(findings.length ? items : element("p", "No leaks.", "good"));
      }
      return box;
    }));
  };

  // Drawing.
  const arrange = () => {
    let y = AXIS;
    names.replaceChildren(...tracks.map((track) => {
      [track.y, track.tall] = [y, TALL[track.kind]];
      y += track.tall;
      const box = document.createElement("div"), last = track.values[whole(track) - 1];
      box.style.height = `${track.tall}px`;
      box.title = track.name;
      box.append(element("span", track.name));
      if (last !== undefined) box.append(element("b", number(track, last)));
      return box;
    }));
    height = y;
    resize();
  };
  const resize = () => {
    const scale = devicePixelRatio || 1;
    width = Math.max(40, canvas.parentElement.clientWidth - names.offsetWidth - 8);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    draw();
  };
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const draw = () => {
    const { from, to } = view(), x = (time) => (time - from) / (to - from) * width;
    const colors = { text: color("--text"), faint: color("--faint"), line: color("--line"), link: color("--link"), good: color("--good"), error: color("--error"), warning: color("--warning") };
    pen.clearRect(0, 0, width, height);
    pen.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
    pen.textBaseline = "middle";
    const rough = (to - from) * 90 / Math.max(width, 90), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
    for (let n = Math.ceil(from / step); n * step <= to; n += 1) {
      const a = Math.round(x(n * step));
      pen.fillStyle = colors.line;
      pen.fillRect(a, 0, 1, height);
      pen.fillStyle = colors.faint;
      pen.fillText(`${(n * step).toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))} s`, a + 3, 9);
    }
    for (const track of tracks) {
      pen.fillStyle = colors.line;
      pen.fillRect(0, track.y + track.tall - 1, width, 1);
      if (track.kind === "marks") drawMarks(track, x, colors);
      else drawValues(track, x, colors, from);
    }
    if (place !== null) {
      pen.fillStyle = colors.text;
      pen.fillRect(place, 0, 1, height);
    }
  };
  const drawValues = (track, x, colors, from) => {
    const most = track.tall - 4, bottom = track.y + track.tall - 1, end = whole(track), first = Math.floor(from / known.width);
    let greatest = track.kind === "frames" ? 2 * track.budget : track.kind === "share" ? 1 : 1e-9;
    if (track.kind !== "frames") for (let i = first; i < end; i += 1) greatest = Math.max(greatest, track.values[i]);
    const areFrames = track.kind === "frames";
    pen.globalAlpha = areFrames ? 1 : 0.5;
    for (let i = first; i < end;) {
      const a = Math.max(0, x(i * known.width));
      let value = track.values[i], next = i + 1;
      // The highest within a pixel.
      while (next < end && x((next + 1) * known.width) - a <= 1) value = Math.max(value, track.values[next++]);
      const b = Math.min(width, x(next * known.width)), high = Math.min(1, value / greatest) * most;
      pen.fillStyle = !areFrames ? colors.link : value > track.budget ? colors.error : colors.good;
      pen.fillRect(a, bottom - high, Math.max(1, b - a - (areFrames && b - a > 3 ? 1 : 0)), high);
      i = next;
    }
    pen.globalAlpha = 1;
    if (!areFrames) return;
    pen.fillStyle = colors.text;
    pen.fillRect(0, Math.round(bottom - most / 2), width, 1);
  };
  const drawMarks = (track, x, colors) => {
    marks.forEach((mark, i) => {
      const a = x(mark.time), room = (i + 1 < marks.length ? x(marks[i + 1].time) : width) - a;
      pen.fillStyle = colors.warning;
      pen.fillRect(a - 1, track.y + 2, 2, track.tall - 4);
      if (room < 40) return;
      pen.fillStyle = colors.text;
      pen.fillText(mark.name.slice(0, Math.floor((room - 6) / 6.7)), a + 4, track.y + track.tall / 2 + 1);
    });
  };
  canvas.addEventListener("mousemove", (event) => {
    place = event.clientX - canvas.getBoundingClientRect().left;
    const { from, to } = view(), time = from + place / width * (to - from), part = Math.floor(time / known.width);
    const said = tracks.filter((track) => part < whole(track) && track.kind !== "marks").map((track) => `${track.name} ${number(track, track.values[part])}`);
    byId("at").textContent = `At ${gp.moment(time, to - from)}: ${said.join("; ")}`;
    draw();
  });
  canvas.addEventListener("mouseleave", () => {
    place = null;
    byId("at").textContent = "";
    draw();
  });
  byId("recent").addEventListener("click", (event) => {
    isRecent = !isRecent;
    event.target.setAttribute("aria-pressed", String(isRecent));
    draw();
  });

  // The reports of the runs that have ended.
  const open = (address) => {
    if (shown !== address) byId("page").src = address;
    shown = address;
    for (const tab of document.querySelectorAll("#pages button")) tab.setAttribute("aria-selected", String(tab.dataset.address === address));
  };
  const results = (answer) => {
    const pages = answer.reports.map((run) => [`Run ${run}`, `report/${run}`]);
    if (answer.comparison) pages.push([`Run ${answer.reports[0]} and ${answer.reports[1]} compared`, `comparison/${answer.reports[1]}`]);
    const hasEnded = answer.state === "ended" && pages.length > 0;
    byId("results").hidden = !hasEnded;
    byId("live").hidden = hasEnded;
    document.body.classList.toggle("ended", hasEnded);
    if (!hasEnded) {
      shown = "";
      return;
    }
    byId("pages").replaceChildren(...pages.map(([title, address]) => {
      const tab = element("button", title);
      Object.assign(tab.dataset, { address });
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.addEventListener("click", () => open(address));
      return tab;
    }));
    const latest = `report/${answer.reports[answer.reports.length - 1]}`;
    open(pages.some(([, address]) => address === shown) ? shown : latest);
  };

  const show = (answer) => {
    if (answer.run !== known.run) {
      Object.assign(known, { run: answer.run, revision: 0, width: 0, count: 0 });
      values.clear();
    }
    byId("state").textContent = answer.sentence;
    for (const button of document.querySelectorAll("[data-action]")) button.disabled = !answer.actions.includes(button.dataset.action);
    document.querySelector("[data-action=quit]").hidden = answer.state !== "ended";
    if (answer.moment) take(answer.moment);
    const isNew = state !== `${answer.state} ${answer.run} ${answer.comparison}`;
    state = `${answer.state} ${answer.run} ${answer.comparison}`;
    if (isNew) {
      results(answer);
      byId("said").textContent = "";
    }
    document.body.dataset.state = answer.state;
  };
  let failures = 0;
  const ask = async () => {
    try {
      const answer = await fetch(`data?run=${known.run}&since=${known.revision}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      show(await answer.json());
      failures = 0;
    } catch (reason) {
      failures += 1;
      if (failures > 5) return;
      byId("state").textContent = "gameprof has ended. This is what it showed last.";
      for (const button of document.querySelectorAll("[data-action]")) button.disabled = true;
      if (document.body.dataset.state) document.body.dataset.state = "gone";
    }
    setTimeout(ask, PAUSE);
  };
  for (const button of document.querySelectorAll("[data-action]")) button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const answer = await fetch(`action/${button.dataset.action}`, { method: "POST" });
      byId("said").textContent = await answer.text();
    } catch (reason) {
      byId("said").textContent = "gameprof does not answer.";
    }
  });
  gp.onWidth(canvas.parentElement, resize);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  ask();
})();
