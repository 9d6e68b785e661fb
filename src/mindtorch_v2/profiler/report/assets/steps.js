// Steps as bars of their phases, and how each phase is spread over steps.

import { h, svg } from "./dom.js";
import { percent, ticks, time } from "./format.js";

const WIDTH = 720;
const HEIGHT = 170;
const LEFT = 62;
const BOTTOM = 22;
const MOST_BARS = 120;
const WALL = 2;
const FIRST_PHASE = 3;

/** One bar a step, stacked by phase; of very many steps the first ones. */
export function stepsChart(data) {
  const { rows, phases } = data.steps;
  const shown = rows.slice(0, MOST_BARS);
  const highest = Math.max(...shown.map((row) => row[WALL]), 1);
  const width = (WIDTH - LEFT) / shown.length;
  const bar = Math.max(Math.min(width * 0.8, 44), 1);
  const y = (ns) => HEIGHT - BOTTOM - (ns / highest) * (HEIGHT - BOTTOM - 8);
  const lines = ticks(0, highest, 4).map((ns) => [
    svg("line", { x1: LEFT, x2: WIDTH, y1: y(ns), y2: y(ns), class: "grid" }),
    svg("text", { x: LEFT - 8, y: y(ns) + 4, "text-anchor": "end" }, time(ns))]);
  const every = Math.ceil(shown.length / 16);
  const bars = shown.map((row, i) => {
    let below = 0;
    const x = LEFT + width * i + (width - bar) / 2;
    const parts = phases.map((phase, at) => {
      const from = below;
      below += row[FIRST_PHASE + at];
      return svg("rect", { x, y: y(below), width: bar, height: Math.max(y(from) - y(below), 0), class: `phase-${phase}` });
    });
    const words = phases.map((phase, at) => `${phase} ${time(row[FIRST_PHASE + at])}`).join(", ");
    return svg("g", null, svg("title", null, `Step ${row[0]}: ${time(row[WALL])} – ${words}`), parts,
      i % every ? null : svg("text", { x: x + bar / 2, y: HEIGHT - 6, "text-anchor": "middle" }, row[0]));
  });
  const said = rows.length > MOST_BARS ? h("p", { class: "muted" }, `The first ${MOST_BARS} of ${rows.length} steps.`) : null;
  return [svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": "Time of each step by phase; the table below has the numbers" }, lines, bars), said];
}

/** Least, median, 95th percentile and greatest of each phase, and its share. */
export function phaseTable(data) {
  const { phases, spread } = data.steps;
  const whole = spread.wall[1];
  const line = (name, label) => {
    const [, total, least, median, p95, greatest] = spread[name];
    return h("tr", null, h("th", { scope: "row" }, name === "wall" ? null : h("span", { class: `swatch phase-${name}` }), label),
      [percent(total, whole), time(least), time(median), time(p95), time(greatest)].map((text) => h("td", { class: "number" }, text)));
  };
  const labels = { data: "waiting for data", forward: "forward", backward: "backward", optimizer: "optimizer", other: "other" };
  return h("table", { class: "data plain" }, h("caption", { class: "unseen" }, "Phases over steps"),
    h("thead", null, h("tr", null, ["Phase", "Share", "Min", "Median", "95 %", "Max"].map((title, i) => h("th", { scope: "col", class: i ? "number" : "wide" }, title)))),
    h("tbody", null, phases.map((phase) => line(phase, labels[phase])), line("wall", "whole step")));
}
