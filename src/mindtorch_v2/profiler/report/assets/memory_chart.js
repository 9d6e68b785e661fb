// Bytes alive as a stack of bands; each size holds until the next change.

import { drawing, pointerAt } from "./canvas.js";
import { h, replace } from "./dom.js";
import { bytes, ticks, time, timeLabels } from "./format.js";
import { lastNotAfter } from "./lanes.js";
import { colour } from "./theme.js";

const LEFT = 74;
const BOTTOM = 22;
const TOP = 10;

export function memoryChart(data) {
  const { timeline, peak } = data.memory;
  const bands = timeline.names.map((name, i) => ({ name, sizes: timeline.sizes[i], most: timeline.sizes[i].reduce((a, b) => Math.max(a, b), 0) })).filter((band) => band.most);
  const times = timeline.time;
  const totals = Float64Array.from(times, (_, i) => bands.reduce((sum, band) => sum + band.sizes[i], 0));
  const highest = totals.reduce((a, b) => Math.max(a, b), 1);
  const [begin, end] = [0, Math.max(times.at(-1) ?? 1, data.facts.wall)];
  const state = { at: -1 };
  const chart = drawing({ label: "Bytes alive over time; the table below has what is alive at the peak", className: "memory-chart", draw, focusable: true });
  const said = h("p", { class: "frame-info", role: "status" });
  const x = (ns) => LEFT + ((ns - begin) / (end - begin)) * (chart.size.width - LEFT);
  const y = (size) => TOP + (1 - size / highest) * (chart.size.height - TOP - BOTTOM);

  function draw(context, width, height) {
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const [, start, wall] of data.steps.rows.filter((_, i) => i % 2)) {
      context.fillStyle = colour("band");
      context.fillRect(x(start), TOP, x(start + wall) - x(start), height - BOTTOM - TOP);
    }
    const below = new Float64Array(times.length);
    bands.forEach((band, number) => {
      context.fillStyle = bandColour(band.name, number);
      context.beginPath();
      outline(context, below, width);
      for (let i = 0; i < below.length; i++) below[i] += band.sizes[i];
      back(context, below, width);
      context.fill();
    });
    axes(context, width, height);
    mark(context, peak.time, "peak", height);
    if (state.at >= 0) mark(context, times[state.at], "", height);
  }

  function outline(context, levels, width) {
    context.moveTo(x(times[0]), y(levels[0]));
    for (let i = 1; i < times.length; i++) {
      context.lineTo(x(times[i]), y(levels[i - 1]));
      context.lineTo(x(times[i]), y(levels[i]));
    }
    context.lineTo(width, y(levels[times.length - 1]));
  }

  function back(context, levels, width) {
    context.lineTo(width, y(levels[times.length - 1]));
    for (let i = times.length - 1; i > 0; i--) {
      context.lineTo(x(times[i]), y(levels[i]));
      context.lineTo(x(times[i]), y(levels[i - 1]));
    }
    context.lineTo(x(times[0]), y(levels[0]));
  }

  function axes(context, width, height) {
    context.fillStyle = colour("muted");
    context.strokeStyle = colour("grid");
    context.lineWidth = 1;
    for (const size of binaryTicks(highest)) {
      context.beginPath();
      context.moveTo(LEFT, Math.round(y(size)) + 0.5);
      context.lineTo(width, Math.round(y(size)) + 0.5);
      context.stroke();
      context.textAlign = "right";
      context.fillText(bytes(size), LEFT - 8, y(size));
    }
    context.textAlign = "left";
    const places = ticks(begin, end, (width - LEFT) / 110);
    const labels = timeLabels(places);
    places.forEach((at, i) => {
      if (x(at) + 2 + context.measureText(labels[i]).width <= width) context.fillText(labels[i], x(at) + 2, height - BOTTOM / 2);
    });
  }

  function mark(context, ns, text, height) {
    context.strokeStyle = context.fillStyle = colour("text");
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x(ns), TOP);
    context.lineTo(x(ns), height - BOTTOM);
    context.stroke();
    context.setLineDash([]);
    if (text) context.fillText(text, x(ns) + 4, TOP + 6);
  }

  function show(i) {
    state.at = Math.min(Math.max(i, -1), times.length - 1);
    const at = state.at;
    replace(said, at < 0 ? h("span", { class: "muted" }, timeline.points > times.length ? `${times.length.toLocaleString("en")} of ${timeline.points.toLocaleString("en")} changes are drawn; extremes are kept.` : "Point at the chart to read it.")
      : [h("span", null, `${time(times[at])}: ${bytes(totals[at])} `), h("span", { class: "muted" }, bands.filter((band) => band.sizes[at]).map((band) => `${band.name} ${bytes(band.sizes[at])}`).join(" · "))]);
    chart.redraw();
  }

  chart.canvas.addEventListener("pointermove", (event) => {
    const ns = begin + ((pointerAt(event, chart.canvas).x - LEFT) / (chart.size.width - LEFT)) * (end - begin);
    show(lastNotAfter(times, 0, times.length, ns));
  });
  chart.canvas.addEventListener("pointerleave", () => show(-1));
  chart.canvas.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) { event.preventDefault(); show(state.at + by); }
  });
  show(-1);
  const legend = h("ul", { class: "legend" }, bands.map((band, number) =>
    h("li", null, h("span", { class: `swatch ${bandClass(band.name, number)}` }), band.name, h("span", { class: "muted" }, ` up to ${bytes(band.most)}`))));
  return [chart.canvas, said, legend];
}

const bandClass = (name) => `band-${name.replace(/\W+/g, "-")}`;
const bandColour = (name) => colour(bandClass(name));

function binaryTicks(highest) {
  const unit = 2 ** (10 * Math.floor(Math.log2(Math.max(highest, 1)) / 10));
  return ticks(0, highest / unit, 4).map((size) => size * unit);
}
