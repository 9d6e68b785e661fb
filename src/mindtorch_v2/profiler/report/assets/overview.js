// The first view: what kind of profile it is, where its time goes, what to do about it.

import { dataTable } from "./datatable.js";
import { h, panel } from "./dom.js";
import { findingList } from "./findings.js";
import { bytes, count, counted, flops, percent, time } from "./format.js";
import { code } from "./names.js";
import { phaseTable, stepsChart } from "./steps.js";

const TOP = 10;

export function overviewView(data, links) {
  const steps = data.steps.rows.length ? [stepsChart(data), phaseTable(data)] : h("p", { class: "muted" }, "No step was recorded.");
  const more = h("p", { class: "more-link" }, h("button", { type: "button", class: "link", onclick: () => links.open("ops") }, "All ops"));
  return h("div", { class: "overview" }, tiles(data),
    h("div", { class: "column" }, panel("Where steps spend their time", steps), panel("Ops with most own time", topOps(data), more)),
    h("div", { class: "column" }, panel("Findings", findingList(data, links)), panel("Threads", threads(data)), panel("About this profile", about(data))));
}

function tiles(data) {
  const { facts, steps, memory } = data;
  const wall = steps.spread.wall;
  const waited = steps.rows.reduce((sum, row) => sum + row[3], 0);
  const all = steps.rows.reduce((sum, row) => sum + row[2], 0);
  const list = [
    ["Recorded", time(facts.wall), counted(facts.events, "event")],
    ["Steps", count(steps.rows.length), wall[0] ? `median ${time(wall[3])}` : ""],
    ["Slowest step", wall[0] ? time(wall[5]) : "–", wall[0] > 1 ? `95 % take up to ${time(wall[4])}` : ""],
    ["Waiting for data", all ? percent(waited, all) : "–", waited ? time(waited) : "of all steps"],
    ["Peak memory", memory.peak ? bytes(memory.peak.bytes) : "–", memory.peak ? "alive at once" : "needs profile_memory=True"],
    ["FLOPs", flops(facts.flops), facts.flops && facts.wall ? `${flops(facts.flops / (facts.wall / 1e9))}/s` : "needs with_flops=True"],
  ];
  return h("dl", { class: "tiles" }, list.map(([name, value, note]) =>
    h("div", null, h("dt", null, name), h("dd", null, value), h("dd", { class: "note" }, note || " "))));
}

function topOps(data) {
  const rows = data.ops.name.rows.filter((row) => ["op", "device"].includes(row[1])).slice(0, TOP);
  const total = data.ops.name.rows.filter((row) => !row[4]).reduce((sum, row) => sum + row[5], 0);
  return dataTable({
    label: "Ops with most time of their own", rows, sort: 1,
    columns: [
      { title: "Name", wide: true, value: (row) => row[0], cell: (row) => code(row[0]) },
      { title: "Own time", value: (row) => row[5], text: (row) => time(row[5]), bar: true },
      { title: "Share", value: (row) => row[5], text: (row) => percent(row[5], total) },
      { title: "Calls", value: (row) => row[12], text: (row) => count(row[12]) },
      { title: "Median call", value: (row) => row[15], text: (row) => time(row[15]) },
      { title: "Longest", value: (row) => row[17], text: (row) => time(row[17]) },
    ],
  }).element;
}

function threads(data) {
  return dataTable({
    label: "Threads", rows: data.threads, sort: null,
    columns: [
      { title: "Thread", wide: true, value: (row) => row[0], text: (row) => `${row[0] || "unnamed"} (${row[1]})` },
      { title: "Busy", value: (row) => row[5], text: (row) => time(row[5]) },
      { title: "Waiting", value: (row) => row[6], text: (row) => (data.facts.has.with_stack ? percent(row[6], row[5]) : "–"),
        help: "Time in calls that only wait; known with stacks" },
      data.threads.some((row) => row[8] >= 0) && { title: "On CPU", value: (row) => row[8], text: (row) => time(row[8]),
        help: "Time in which the thread ran on a processor" },
      { title: "Ops", value: (row) => row[4], text: (row) => count(row[4]) },
      { title: "Events", value: (row) => row[3], text: (row) => count(row[3]) },
    ].filter(Boolean),
  }).element;
}

function about(data) {
  const { facts } = data;
  const recorded = Object.entries(facts.has).map(([name, is]) => h("li", { class: is ? "on" : "off" }, `${name}=${is ? "True" : "False"}`));
  const lines = [
    ["Began", facts.began], ["Machine", facts.host || "unknown"], ["Process", String(facts.pid)],
    ["Device", facts.device || "CPU only"], ["Recording itself", `${(100 * facts.overhead).toFixed(1)} % of the time`],
    ["Dropped events", count(facts.dropped)],
  ];
  return [h("dl", { class: "facts" }, lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
          h("ul", { class: "switches", "aria-label": "What was recorded" }, recorded)];
}
