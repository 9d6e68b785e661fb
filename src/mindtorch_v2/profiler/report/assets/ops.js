// The op table: sorted and filtered by the reader, by name, by shapes or by stack.

import { dataTable, filterField } from "./datatable.js";
import { choice, h, replace } from "./dom.js";
import { bytes, count, flops, percent, time } from "./format.js";
import { callerOf, code, stackList } from "./names.js";

const GROUPINGS = [["name", "by name"], ["shapes", "by shapes"], ["stack", "by stack"]];
const KINDS = [["all", "all"], ["op", "ops"], ["range", "ranges"], ["python", "Python"], ["device", "device"]];

export function opsView(data, links) {
  const box = h("div");
  const state = { grouping: "name", kind: data.facts.has.with_stack ? "op" : "all", text: () => true };
  let table = null;
  const fits = (row) => (state.kind === "all" || row[1] === state.kind) && state.text(`${row[0]} ${row[2]}`);
  function draw() {
    table = opTable(data, state.grouping, fits, links);
    const more = data.ops[state.grouping].more;
    replace(box, table.element, more ? h("p", { class: "muted" }, `${count(more)} shorter rows are left out.`) : null);
  }
  const groupings = GROUPINGS.filter(([name]) => name in data.ops);
  const kinds = KINDS.filter(([kind]) => kind === "all" || data.ops.name.rows.some((row) => row[1] === kind));
  const tools = h("div", { class: "tools" },
    filterField("Filter by name or shape", (text) => { state.text = text; table.filter(fits); }),
    choice("Kinds of rows", kinds, state.kind, (kind) => { state.kind = kind; table.filter(fits); }),
    groupings.length > 1 ? choice("Rows", groupings, state.grouping, (name) => { state.grouping = name; draw(); }) : null);
  draw();
  return h("div", { class: "fill" }, tools, box);
}

function opTable(data, grouping, fits, links) {
  const { rows } = data.ops[grouping];
  const total = rows.filter((row) => !row[4]).reduce((sum, row) => sum + row[5], 0);
  const has = { memory: rows.some((row) => row[7] || row[8]), device: rows.some((row) => row[9]), flops: rows.some((row) => row[11]), cpu: rows.some((row) => row[22] >= 0) };
  const columns = [
    { title: "Name", wide: true, value: (row) => row[0], cell: (row) => code(row[0]) },
    grouping === "shapes" && { title: "Input shapes", wide: true, value: (row) => row[2], cell: (row) => code(row[2]) },
    grouping === "stack" && { title: "Called from", wide: true, value: (row) => callerOf(data, row[3]), cell: (row) => code(callerOf(data, row[3]) || "–") },
    { title: "Own time", value: (row) => row[5], text: (row) => time(row[5]), bar: true, help: "Without what it calls" },
    has.cpu && { title: "On CPU", value: (row) => row[22], text: (row) => time(row[22]), help: "Own time in which the thread ran on a processor" },
    { title: "%", value: (row) => (row[4] ? 0 : row[5]), text: (row) => (row[4] ? "waits" : percent(row[5], total)), help: "Share of the own time of all rows that do not only wait" },
    { title: "Total", value: (row) => row[6], text: (row) => time(row[6]), help: "With what it calls" },
    { title: "Calls", value: (row) => row[12], text: (row) => count(row[12]) },
    { title: "Min", value: (row) => row[14], text: (row) => time(row[14]) },
    { title: "Median", value: (row) => row[15], text: (row) => time(row[15]) },
    { title: "95 %", value: (row) => row[16], text: (row) => time(row[16]), help: "95 of 100 calls are shorter" },
    { title: "Max", value: (row) => row[17], text: (row) => time(row[17]) },
    has.device && { title: "Device", value: (row) => row[9], text: (row) => time(row[9]), help: "Own time on the device" },
    has.memory && { title: "Memory", value: (row) => row[7], text: (row) => bytes(row[7]), help: "Bytes allocated less bytes released, without what it calls" },
    has.flops && { title: "FLOPs", value: (row) => row[11], text: (row) => flops(row[11]) },
  ].filter(Boolean);
  return dataTable({ label: "Ops", columns, rows, sort: columns.findIndex((column) => column.title === "Own time"), fits, detail: (row) => more(data, row, links) });
}

function more(data, row, links) {
  const steps = row.slice(18);
  const lines = [
    ["Kind", row[1]], row[2] ? ["Input shapes", row[2]] : null,
    ["Own time per step", `min ${time(steps[0])}, median ${time(steps[1])}, 95 % ${time(steps[2])}, max ${time(steps[3])}`],
    ["Memory with what it calls", bytes(row[8])],
  ].filter(Boolean);
  return h("div", { class: "more-about" },
    h("dl", { class: "facts" }, lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    row[3] ? stackList(data, row[3]) : null,
    h("button", { type: "button", class: "link", onclick: () => links.search(row[0]) }, "Find in timeline"));
}
