// Two profiles: what changed from the other one to this, per step.

import { dataTable, filterField } from "./datatable.js";
import { choice, h, panel } from "./dom.js";
import { bytes, count, percent, signed, time } from "./format.js";
import { code } from "./names.js";

const [NAME, KIND, SHAPES, COUNT_A, NS_A, , BYTES_A, COUNT_B, NS_B, , BYTES_B, ERROR, SURE] = Array(13).keys();

const change = (row) => row[NS_B] - row[NS_A];
const changeText = (row) => signed(time(change(row)), change(row)) + (row[ERROR] ? ` ± ${time(row[ERROR])}` : "");
const ratioText = (row) => (row[NS_A] ? signed(percent(change(row), row[NS_A]), change(row)) : row[NS_B] ? "new" : "–");

export function compareView(data) {
  const { compare } = data;
  const state = { text: () => true, only: "all" };
  const fits = (row) => state.text(`${row[NAME]} ${row[SHAPES]}`) && (state.only === "all" || row[SURE]);
  const columns = [
    { title: "Name", wide: true, value: (row) => row[NAME], cell: (row) => code(row[NAME]) },
    { title: "Input shapes", wide: true, value: (row) => row[SHAPES], cell: (row) => code(row[SHAPES]) },
    { title: "Change", value: (row) => Math.abs(change(row)), cell: (row) => verdict(row, changeText(row)) },
    { title: "%", value: (row) => (row[NS_A] ? change(row) / row[NS_A] : 0), text: ratioText },
    { title: "Before", value: (row) => row[NS_A], text: (row) => time(row[NS_A]) },
    { title: "After", value: (row) => row[NS_B], text: (row) => time(row[NS_B]) },
    { title: "Calls", value: (row) => row[COUNT_B] - row[COUNT_A], text: (row) => `${count(row[COUNT_A])} → ${count(row[COUNT_B])}` },
    { title: "Memory", value: (row) => row[BYTES_B] - row[BYTES_A], text: (row) => signed(bytes(row[BYTES_B] - row[BYTES_A]), row[BYTES_B] - row[BYTES_A]) },
  ];
  const table = dataTable({ label: "Rows that changed", rows: compare.rows, sort: 2, columns, fits });
  return h("div", { class: "fill" },
    panel("Steps: before and after", phases(compare)),
    h("p", { class: "muted hint" }, `Own time per step: ${compare.steps[0]} steps before, ${compare.steps[1]} after. A change is marked where it is larger than the 95 % interval that steps of each profile allow, or the number of calls differs.`),
    h("div", { class: "tools" }, filterField("Filter by name or shape", (text) => { state.text = text; table.filter(fits); }),
      choice("Rows", [["all", "all rows"], ["sure", "marked ones"]], "all", (only) => { state.only = only; table.filter(fits); })),
    table.element);
}

function verdict(row, text) {
  return h("span", { class: row[SURE] && change(row) ? (change(row) > 0 ? "worse" : "better") : null }, text);
}

function phases(compare) {
  const labels = { wall: "whole step", data: "waiting for data" };
  return h("table", { class: "data plain" }, h("caption", { class: "unseen" }, "Phases before and after"),
    h("thead", null, h("tr", null, ["Phase", "Before", "After", "Change", "%"].map((title, i) => h("th", { scope: "col", class: i ? "number" : "wide" }, title)))),
    h("tbody", null, compare.phases.map((row) => h("tr", null, h("th", { scope: "row" }, labels[row[NAME]] ?? row[NAME]),
      h("td", { class: "number" }, time(row[NS_A])), h("td", { class: "number" }, time(row[NS_B])),
      h("td", { class: "number" }, verdict(row, changeText(row))), h("td", { class: "number" }, ratioText(row))))));
}
