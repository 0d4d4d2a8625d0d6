// SPDX-License-Identifier: Apache-2.0
// The plot: two logarithmic axes on a canvas, which draws thousands of points in milliseconds.

const PALETTE = ["#4a86c8", "#e0697a", "#2f9e5b", "#c9a227", "#8a63c4", "#35a7b8", "#c9733a", "#8794a5", "#b5539c", "#7a9a2e"];
const MARGIN = { left: 74, right: 18, top: 16, bottom: 46 };
const NEAR = 14;

class Plot {
  constructor(canvas, tip, choose) {
    this.canvas = canvas; this.tip = tip; this.choose = choose;
    this.spots = []; this.chosen = null;
    canvas.addEventListener("mousemove", (event) => this.hover(event));
    canvas.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("click", (event) => {
      const spot = this.nearest(event);
      if (spot) this.choose(spot.row);
    });
  }

  // rows: the points; fronts: those of `fronts`; colour: a function of a row.
  draw(rows, fronts, across, up, colour, chosen) {
    Object.assign(this, { rows, fronts, across, up, colour, chosen });
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.canvas.width = width * ratio; this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    this.spots = [];
    if (!rows.length) return;
    const style = getComputedStyle(document.documentElement);
    this.ink = (name) => style.getPropertyValue(name).trim();
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    this.x = this.scale(across, MARGIN.left, width - MARGIN.right);
    this.y = this.scale(up, height - MARGIN.bottom, MARGIN.top);
    this.axes(pen, width, height);
    this.lines(pen);
    this.marks(pen);
  }

  // From a figure to pixels; zero has no place on a logarithmic axis and is drawn at its lower end.
  scale(name, from, to) {
    const values = this.rows.map((row) => row[name]).filter((value) => value > 0);
    let low = Math.log10(Math.min(...values, Infinity)), high = Math.log10(Math.max(...values, 0));
    if (!isFinite(low) || !isFinite(high)) { low = 0; high = 1; }
    const space = Math.max(0.12, 0.05 * (high - low));
    low -= space; high += space;
    const place = (value) => from + ((value > 0 ? Math.log10(value) : low) - low) / (high - low) * (to - from);
    return { place, low, high };
  }

  ticks({ low, high }) {
    const wide = high - low > 3, found = [];
    for (let power = Math.floor(low); power <= high; power++) {
      for (const step of wide ? [1] : high - low > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8]) {
        const value = step * 10 ** power;
        if (Math.log10(value) >= low && Math.log10(value) <= high) found.push(value);
      }
    }
    return found;
  }

  axes(pen, width, height) {
    pen.strokeStyle = this.ink("--grid"); pen.fillStyle = this.ink("--soft"); pen.lineWidth = 1;
    pen.textAlign = "center"; pen.textBaseline = "top";
    for (const value of this.ticks(this.x)) {
      const x = Math.round(this.x.place(value)) + 0.5;
      this.line(pen, x, MARGIN.top, x, height - MARGIN.bottom);
      pen.fillText(brief(value), x, height - MARGIN.bottom + 7);
    }
    pen.textAlign = "right"; pen.textBaseline = "middle";
    for (const value of this.ticks(this.y)) {
      const y = Math.round(this.y.place(value)) + 0.5;
      this.line(pen, MARGIN.left, y, width - MARGIN.right, y);
      pen.fillText(brief(value), MARGIN.left - 8, y);
    }
    pen.strokeStyle = this.ink("--line");
    this.line(pen, MARGIN.left, height - MARGIN.bottom, width - MARGIN.right, height - MARGIN.bottom);
    this.line(pen, MARGIN.left, MARGIN.top, MARGIN.left, height - MARGIN.bottom);
    pen.fillStyle = this.ink("--text"); pen.textAlign = "center"; pen.textBaseline = "bottom";
    pen.fillText(FIGURES[this.across].name, (MARGIN.left + width - MARGIN.right) / 2, height - 6);
    pen.save();
    pen.translate(14, (MARGIN.top + height - MARGIN.bottom) / 2); pen.rotate(-Math.PI / 2);
    pen.textBaseline = "middle";
    pen.fillText(FIGURES[this.up].name, 0, 0);
    pen.restore();
  }

  line(pen, x1, y1, x2, y2) {
    pen.beginPath(); pen.moveTo(x1, y1); pen.lineTo(x2, y2); pen.stroke();
  }

  // A front as a staircase: between two of its points nothing better was measured.
  lines(pen) {
    const long = this.fronts.filter((front) => front.length > 1);
    if (long.length > 12) return;
    pen.strokeStyle = this.ink("--soft"); pen.setLineDash([5, 4]); pen.globalAlpha = 0.7;
    for (const front of long) {
      pen.beginPath();
      front.forEach((row, at) => {
        const x = this.x.place(row[this.across]), y = this.y.place(row[this.up]);
        if (at) { pen.lineTo(x, this.y.place(front[at - 1][this.up])); pen.lineTo(x, y); } else pen.moveTo(x, y);
      });
      pen.stroke();
    }
    pen.setLineDash([]); pen.globalAlpha = 1;
  }

  marks(pen) {
    const best = new Set(this.fronts.flat().map((row) => row.id));
    const order = [...this.rows].sort((a, b) => best.has(a.id) - best.has(b.id));
    for (const row of order) {
      const x = this.x.place(row[this.across]), y = this.y.place(row[this.up]), front = best.has(row.id);
      const size = front ? 5 : 3.5;
      pen.strokeStyle = pen.fillStyle = this.colour(row);
      pen.lineWidth = 1.6; pen.globalAlpha = front ? 1 : 0.65;
      pen.beginPath();
      if (row.kind === "multiplier") pen.rect(x - size, y - size, 2 * size, 2 * size);
      else if (row.kind === "yardstick") {
        pen.moveTo(x, y - size - 1); pen.lineTo(x + size + 1, y + size); pen.lineTo(x - size - 1, y + size); pen.closePath();
      } else pen.arc(x, y, size, 0, 2 * Math.PI);
      if (front) pen.fill();
      pen.stroke();
      if (this.chosen === row.id) {
        pen.globalAlpha = 1; pen.strokeStyle = this.ink("--text"); pen.beginPath();
        pen.arc(x, y, size + 5, 0, 2 * Math.PI); pen.stroke();
      }
      this.spots.push({ x, y, row });
    }
    pen.globalAlpha = 1;
  }

  nearest(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let found = null, least = NEAR * NEAR;
    for (const spot of this.spots) { // what is drawn last is on top, so it wins
      const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
      if (distance <= least) { least = distance; found = spot; }
    }
    return found;
  }

  hover(event) {
    const spot = this.nearest(event);
    this.tip.hidden = !spot;
    if (!spot) return;
    const { row, x, y } = spot;
    this.tip.textContent = "";
    for (const text of [row.design, row.task, row.device, `${FIGURES[this.across].name}: ${shown(row[this.across])}`,
      `${FIGURES[this.up].name}: ${shown(row[this.up])}`]) {
      if (!text) continue;
      const line = document.createElement("div");
      line.textContent = text;
      this.tip.append(line);
    }
    const right = x + this.tip.offsetWidth + 20 > this.canvas.clientWidth;
    this.tip.style.left = `${right ? x - this.tip.offsetWidth - 12 : x + 12}px`;
    this.tip.style.top = `${Math.max(0, y - 20)}px`;
  }
}

function brief(value) {
  if (value >= 1e9) return `${+(value / 1e9).toPrecision(3)} G`;
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)} M`;
  if (value >= 1e3) return `${+(value / 1e3).toPrecision(3)} k`;
  return value >= 1e-3 ? String(+value.toPrecision(3)) : value.toExponential(0);
}
