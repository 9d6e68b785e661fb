// Memory over time by what it is for, and what is alive when it is fullest.

import { dataTable, filterField } from "./datatable.js";
import { h, panel } from "./dom.js";
import { bytes, count, percent, time } from "./format.js";
import { memoryChart } from "./memory_chart.js";
import { callerOf, code, stackList } from "./names.js";

const [OP, MODULE, STACK, CATEGORY, BLOCKS, BYTES, LARGEST] = Array(7).keys();

export function memoryView(data) {
  const { timeline, peak, devices } = data.memory;
  const ofDevices = devices.length ? panel("Memory of devices", deviceTable(devices)) : null;
  if (!timeline || !peak) {
    if (ofDevices) return h("div", { class: "fill" }, ofDevices);
    return h("div", { class: "empty" }, h("h2", null, "No memory was recorded"),
      h("p", null, "Profile with ", h("code", null, "profile(profile_memory=True)"), " to see bytes over time; with ",
        h("code", null, "record_shapes=True, with_stack=True"), " too, what they are for."));
  }
  return h("div", { class: "fill" },
    panel("Bytes alive over time", memoryChart(data)),
    panel(`Alive at the peak of ${bytes(peak.bytes)}`,
      h("p", { class: "muted hint" }, `Reached ${time(peak.time)} after the beginning; ${bytes(peak.before)} of it was there before the profile.`,
        peak.more ? ` ${count(peak.more)} smaller rows are left out.` : ""), holders(data)),
    ofDevices);
}

function deviceTable(rows) {
  const columns = [
    { title: "Device", wide: true, value: (row) => row[0] },
    { title: "Most alive", value: (row) => row[1], text: (row) => bytes(row[1]) },
    { title: "At the end", value: (row) => row[2], text: (row) => bytes(row[2]) },
    { title: "Changes", value: (row) => row[3], text: (row) => count(row[3]) },
  ];
  return dataTable({ label: "Memory of devices", columns, rows, sort: 1 }).element;
}

function holders(data) {
  const { peak } = data.memory;
  const rows = peak.holders;
  const columns = [
    { title: "Allocated by", wide: true, value: (row) => row[OP], cell: (row) => code(row[OP] || "outside ops") },
    { title: "Bytes", value: (row) => row[BYTES], text: (row) => bytes(row[BYTES]), bar: true },
    { title: "Share", value: (row) => row[BYTES], text: (row) => percent(row[BYTES], peak.bytes) },
    { title: "Blocks", value: (row) => row[BLOCKS], text: (row) => count(row[BLOCKS]) },
    { title: "Largest", value: (row) => row[LARGEST], text: (row) => bytes(row[LARGEST]) },
    rows.some((row) => row[CATEGORY]) && { title: "For", wide: true, value: (row) => row[CATEGORY] },
    rows.some((row) => row[MODULE]) && { title: "Module", wide: true, value: (row) => row[MODULE], cell: (row) => code(row[MODULE]) },
    data.facts.has.with_stack && { title: "Called from", wide: true, value: (row) => callerOf(data, row[STACK]), cell: (row) => code(callerOf(data, row[STACK])) },
  ].filter(Boolean);
  const table = dataTable({ label: "Blocks alive at the peak", columns, rows, sort: 1,
                            detail: data.facts.has.with_stack ? (row) => stackList(data, row[STACK]) : null });
  const words = (row) => `${row[OP]} ${row[MODULE]} ${row[CATEGORY]}`;
  return [h("div", { class: "tools" }, filterField("Filter by op, module or use", (text) => table.filter((row) => text(words(row))))), table.element];
}
