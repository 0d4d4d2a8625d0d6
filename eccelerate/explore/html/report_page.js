// SPDX-License-Identifier: Apache-2.0
// What a reader does: filters, plots, the table and the origin of a point.

const byId = (name) => document.getElementById(name);
const TEXTS = { design: "design", family: "family", task: "task", device: "device", library: "library" };
const COLOURS = { family: "engine or family", device: "device", curve: "curve", kind: "kind" };
const PAGE = 100;
const state = { sort: "design", up: true, page: 0, chosen: null, across: "lut4", upward: "time_us" };
let visible = [], ordered = [], best = new Set();

function option(value, text) {
  const made = document.createElement("option");
  made.value = value; made.textContent = text;
  return made;
}

function element(kind, text, className) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function start() {
  const { meta } = DATA;
  byId("summary").textContent = meta.summary;
  for (const name of CHOICES) {
    const values = [...new Set(ROWS.map((row) => row[name]).filter(Boolean))];
    values.sort(ORDER.compare);
    byId(name).append(option("", "all"), ...values.map((value) => option(value, value)));
  }
  for (const [name, { name: text }] of Object.entries(FIGURES)) {
    byId("across").append(option(name, text)); byId("up").append(option(name, text));
  }
  for (const [name, text] of Object.entries(COLOURS)) byId("colour").append(option(name, text));
  for (const [text, across, up] of PRESETS) {
    const button = element("button", text);
    button.type = "button";
    button.addEventListener("click", () => { state.across = across; state.upward = up; plot(); });
    byId("presets").append(button);
  }
  head();
  failures(meta.failures);
  byId("filters").addEventListener("input", filter);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("everything").addEventListener("click", () => { byId("filters").reset(); filter(); });
  byId("across").addEventListener("change", (event) => { state.across = event.target.value; plot(); });
  byId("up").addEventListener("change", (event) => { state.upward = event.target.value; plot(); });
  byId("colour").addEventListener("change", plot);
  byId("back").addEventListener("click", () => { state.page -= 1; table(); });
  byId("next").addEventListener("click", () => { state.page += 1; table(); });
  byId("theme").addEventListener("click", theme);
  window.addEventListener("resize", plot);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", plot);
  details();
  filter();
  document.documentElement.dataset.ready = "yes";
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  plot();
}

function filter() {
  const chosen = Object.fromEntries(CHOICES.map((name) => [name, byId(name).value]));
  const lut4 = byId("lut4").value;
  visible = matching({
    ...chosen, lut4: lut4 === "" ? null : Number(lut4), search: byId("search").value,
    placed: byId("placed").checked, current: byId("current").checked,
  });
  byId("count").textContent = `${visible.length.toLocaleString("en")} of ${ROWS.length.toLocaleString("en")} points`;
  state.page = 0;
  plot();
}

// Draws the plot, and then the table, which marks the same front.
function plot() {
  const { across, upward } = state;
  byId("across").value = across; byId("up").value = upward;
  [...byId("presets").children].forEach((button, at) => {
    button.setAttribute("aria-pressed", String(PRESETS[at][1] === across && PRESETS[at][2] === upward));
  });
  const rows = visible.filter((row) => row[across] !== null && row[upward] !== null);
  const found = fronts(rows, across, upward);
  best = new Set(found.flat().map((row) => row.id));
  const by = byId("colour").value;
  const values = [...new Set(ROWS.map((row) => row[by] || "–"))].sort();
  const colours = new Map(values.map((value, at) => [value, PALETTE[at % PALETTE.length]]));
  chart.draw(rows, found, across, upward, (row) => colours.get(row[by] || "–"), state.chosen);
  byId("empty").hidden = rows.length > 0;
  byId("empty").textContent = ROWS.length === 0
    ? "Nothing is stored yet. eccel explore SPACE.toml measures points."
    : `None of the ${visible.length} points has both figures. Choose other axes or filters.`;
  const there = new Set(rows.map((row) => row[by] || "–"));
  byId("legend").replaceChildren(...values.filter((value) => there.has(value)).map((value) => {
    const item = element("span"), dot = element("i");
    dot.style.background = colours.get(value);
    item.append(dot, value);
    return item;
  }));
  table();
}

function head() {
  const line = element("tr");
  for (const [name, text] of [...Object.entries(TEXTS), ...Object.entries(FIGURES).map(([key, { name: t }]) => [key, t])]) {
    const cell = element("th", text, name in TEXTS ? "text" : "");
    cell.dataset.name = name; cell.tabIndex = 0;
    const sort = () => {
      state.up = state.sort === name ? !state.up : !(FIGURES[name]?.better === 1);
      state.sort = name; state.page = 0;
      table();
    };
    cell.addEventListener("click", sort);
    cell.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
    line.append(cell);
  }
  byId("table").tHead.append(line);
}

function table() {
  ordered = sorted(visible, state.sort, state.up);
  const pages = Math.max(1, Math.ceil(ordered.length / PAGE));
  state.page = Math.min(Math.max(0, state.page), pages - 1);
  byId("page").textContent = `page ${state.page + 1} of ${pages}`;
  byId("back").disabled = state.page === 0;
  byId("next").disabled = state.page === pages - 1;
  for (const cell of byId("table").tHead.rows[0].cells) {
    const here = cell.dataset.name === state.sort;
    cell.setAttribute("aria-sort", here ? (state.up ? "ascending" : "descending") : "none");
  }
  const shownRows = ordered.slice(state.page * PAGE, (state.page + 1) * PAGE).map((row) => {
    const line = element("tr");
    line.dataset.id = row.id; line.tabIndex = 0;
    line.classList.toggle("chosen", row.id === state.chosen);
    for (const name of Object.keys(TEXTS)) line.append(element("td", row[name] || "–", "text"));
    if (best.has(row.id)) line.cells[0].append(" ", element("span", "front", "tag front"));
    if (!row.current) line.cells[0].append(" ", element("span", "earlier sources", "tag old"));
    for (const name of Object.keys(FIGURES)) line.append(element("td", shown(row[name])));
    line.addEventListener("click", () => choose(row));
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(row); });
    return line;
  });
  byId("table").tBodies[0].replaceChildren(...shownRows);
}

function choose(row) {
  state.chosen = row.id;
  plot();
  details(row);
}

let origins = null; // read when the first point is chosen, because they are most of the page

function details(row) {
  const place = byId("details");
  if (!row) {
    place.replaceChildren(element("h2", "Origin of a point"), element("p", "Click a point of the plot or a row of the "
      + "table: its figures, commit, tools, seeds and the command that repeats them appear here.", "note"));
    return;
  }
  origins = origins ?? JSON.parse(byId("origins").textContent);
  const list = element("dl");
  const facts = { family: row.family, task: row.task, device: row.device, "shell": row.shell ? "with the bus shell" : "",
    seeds: row.seeds, library: row.library };
  for (const [name, value] of Object.entries(facts)) if (value) list.append(element("dt", name), element("dd", value));
  for (const [name, { name: text }] of Object.entries(FIGURES)) {
    if (row[name] !== null) list.append(element("dt", text), element("dd", shown(row[name])));
  }
  const parts = [element("h2", row.design), list];
  if (row.note) parts.push(element("p", row.note, "bad"));
  for (const at of row.origins) {
    const from = origins.rows[at], box = element("div", undefined, "origin");
    const title = element("div");
    title.append(element("b", from.measure), from.current ? "" : " ", from.current ? "" : element("span", "earlier sources", "tag old"));
    box.append(title, element("div", `commit ${from.commit}, ${from.date.slice(0, 10) || "date not recorded"}`
      + `${from.seeds ? `, seed ${from.seeds}` : ""}; ${from.source}`), element("div", origins.tools[from.tools], "note"),
      element("pre", from.command));
    parts.push(box);
  }
  place.replaceChildren(...parts);
}

function failures(found) {
  byId("failed").hidden = found.length === 0;
  byId("failures").replaceChildren(...found.map(({ label, error, log }) => {
    const box = element("details"), line = element("summary");
    line.append(element("b", label), " ", element("span", error, "bad"));
    box.append(line, element("pre", log || "no log"));
    return box;
  }));
}

const chart = new Plot(byId("canvas"), byId("tip"), choose);
start();
