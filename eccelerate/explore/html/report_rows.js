// SPDX-License-Identifier: Apache-2.0
// The points of the page: their figures, filters, order, and Pareto fronts.

const DATA = JSON.parse(document.getElementById("data").textContent);
const ROWS = DATA.rows.map((values, id) => {
  const row = { id };
  DATA.columns.forEach((name, at) => { row[name] = values[at]; });
  return row;
});

// Figures in the order of the table. better: -1 if less is better, 1 if more is.
const FIGURES = {
  lut4: { name: "LUT4", better: -1 },
  ff: { name: "FF", better: -1 },
  mult: { name: "mult", better: -1 },
  bram: { name: "RAM", better: -1 },
  mhz: { name: "MHz", better: 1 },
  cycles: { name: "cycles", better: -1 },
  time_us: { name: "time, µs", better: -1 },
  per_second: { name: "a second", better: 1 },
  area_time: { name: "LUT4 × µs", better: -1 },
  energy_pj: { name: "energy, pJ", better: -1 },
  power_w: { name: "power, W", better: -1 },
  energy_power: { name: "energy × power", better: -1 },
  area_um2: { name: "cells, µm²", better: -1 },
  gates: { name: "gates", better: -1 },
};
// The figures that depend on the device, and those that depend on the library: only what shares it is compared.
const OF_DEVICE = ["lut4", "ff", "mult", "bram", "mhz", "time_us", "per_second", "area_time"];
const OF_LIBRARY = ["energy_pj", "power_w", "energy_power", "area_um2", "gates"];
const PRESETS = [
  ["area and time", "lut4", "time_us"],
  ["area and rate", "lut4", "per_second"],
  ["energy and time", "energy_pj", "time_us"],
  ["energy and cycles", "cycles", "energy_pj"],
  ["energy and power", "energy_pj", "power_w"],
  ["energy and gates", "gates", "energy_pj"],
];
const CHOICES = ["kind", "family", "curve", "device", "library", "task"];

// Made once: the browser needs longer to make one than to use it.
const ORDER = new Intl.Collator("en", { numeric: true });
const FORMATS = new Map([0, 1, 3].map((digits) => [digits, new Intl.NumberFormat("en", { maximumFractionDigits: digits })]));

function shown(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e12)) return value.toExponential(3);
  const digits = Number.isInteger(value) || Math.abs(value) >= 1e4 ? 0 : Math.abs(value) >= 100 ? 1 : 3;
  return FORMATS.get(digits).format(value);
}

function matching(filter) {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return ROWS.filter((row) =>
    CHOICES.every((name) => filter[name] === "" || row[name] === filter[name]) &&
    (filter.lut4 === null || (row.lut4 !== null && row.lut4 <= filter.lut4)) &&
    (!filter.placed || row.measure === "place") &&
    (!filter.current || row.current) &&
    words.every((word) => row.design.toLowerCase().includes(word)));
}

function sorted(rows, name, up) {
  const sign = up ? 1 : -1;
  return [...rows].sort((a, b) => {
    const x = a[name], y = b[name];
    if (x === y) return a.id - b.id;
    if (x === null || x === "") return 1; // what is missing comes last either way
    if (y === null || y === "") return -1;
    return sign * (typeof x === "number" ? x - y : ORDER.compare(String(x), String(y)));
  });
}

// The points that no other point of their group equals or beats in both figures, group by group in the order of the
// first figure. A group has one task, and one device or library if the figures depend on it.
function fronts(rows, across, up) {
  const groups = new Map();
  const placed = [across, up].some((name) => OF_DEVICE.includes(name));
  const celled = [across, up].some((name) => OF_LIBRARY.includes(name));
  for (const row of rows) {
    const key = [row.task, placed ? row.device : "", celled ? row.library : ""].join("\u0000");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const cost = (row, name) => -FIGURES[name].better * row[name];
  const found = [];
  for (const group of groups.values()) {
    group.sort((a, b) => cost(a, across) - cost(b, across) || cost(a, up) - cost(b, up));
    let least = Infinity;
    const front = [];
    for (const row of group) {
      const last = front[front.length - 1];
      const equal = last && last[across] === row[across] && last[up] === row[up];
      if (cost(row, up) < least || equal) { front.push(row); least = cost(row, up); }
    }
    found.push(front);
  }
  return found;
}
