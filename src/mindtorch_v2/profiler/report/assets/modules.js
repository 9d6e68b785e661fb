// Modules by qualified name, as a tree: what each costs going forward, going back, and in the optimizer.

import { h, replace } from "./dom.js";
import { bytes, count, flops, percent, time } from "./format.js";
import { code } from "./names.js";

const [PATH, KIND, DEPTH, PARENT, CALLS, PARAMETERS, FORWARD, OWN, BACKWARD, OPTIMIZER, ALLOCATED, KEPT, FLOPS] = Array(13).keys();

export function modulesView(data) {
  if (!data.modules) {
    return h("div", { class: "empty" }, h("h2", null, "No modules were recorded"),
      h("p", null, "Profile with ", h("code", null, "profile(with_modules=True)"), " to see time, memory and FLOPs by module; it needs no stacks."));
  }
  const rows = withSums(data.modules.rows);
  const closed = new Set(rows.flatMap((row, i) => (row.cells[DEPTH] >= 3 && row.hasChildren ? [i] : [])));
  const body = h("tbody");
  const draw = () => replace(body, rows.flatMap((row, i) => (isHidden(rows, i, closed) ? [] : [line(row, i)])), other());

  function line(row, i) {
    const { cells, all } = row;
    const toggle = row.hasChildren
      ? h("button", { type: "button", class: "open", "aria-expanded": String(!closed.has(i)), "aria-label": `Modules in ${cells[PATH]}`,
                      onclick: () => { if (!closed.delete(i)) closed.add(i); draw(); } }, closed.has(i) ? "▸" : "▾")
      : h("span", { class: "open" });
    const share = data.modules.total ? all.own / data.modules.total : 0;
    return h("tr", null,
      h("th", { scope: "row", class: "wide", style: { paddingLeft: `${8 + 16 * cells[DEPTH]}px` } }, toggle, code(cells[PATH]), h("span", { class: "muted kind" }, cells[KIND])),
      h("td", { class: "number" }, time(all.own), h("span", { class: "bar-track", "aria-hidden": "true" }, h("span", { class: "bar-fill", style: { width: `${100 * share}%` } }))),
      [percent(all.own, data.modules.total), time(cells[FORWARD]), time(all.backward), time(all.optimizer), time(cells[OWN] + cells[BACKWARD] + cells[OPTIMIZER]),
       count(cells[CALLS]), count(all.parameters), bytes(all.allocated), bytes(all.kept), flops(all.flops)].map((text) => h("td", { class: "number" }, text)));
  }

  function other() {
    const cells = [time(data.modules.other), percent(data.modules.other, data.modules.total), "", "", "", "", "", "", "", "", ""];
    return h("tr", { class: "sum" }, h("th", { scope: "row", class: "wide" }, "outside all modules"), cells.map((text) => h("td", { class: "number" }, text)));
  }

  draw();
  const titles = ["Module", "Time", "Share", "Forward", "Backward", "Optimizer ≈", "Own", "Calls", "Parameters", "Allocated", "Kept", "FLOPs"];
  return h("div", { class: "fill" },
    h("p", { class: "muted hint" }, "Time is forward, backward and optimizer of a module with all inside it; with the last row the outermost add up to the steps. Backward is found by autograd's numbers, the optimizer is shared out by trained parameters."),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Modules" },
      h("table", { class: "data tree" }, h("caption", { class: "unseen" }, "Modules"),
        h("thead", null, h("tr", null, titles.map((title, i) => h("th", { scope: "col", class: i ? "number" : "wide" }, title)))), body)));
}

/** Rows with the sums over all that is inside them. */
function withSums(rows) {
  const made = rows.map((cells) => ({ cells, hasChildren: false, all: {
    own: cells[OWN] + cells[BACKWARD] + cells[OPTIMIZER], backward: cells[BACKWARD], optimizer: cells[OPTIMIZER],
    parameters: cells[PARAMETERS], allocated: cells[ALLOCATED], kept: cells[KEPT], flops: cells[FLOPS] } }));
  for (let i = made.length - 1; i >= 0; i--) {
    const above = made[made[i].cells[PARENT]];
    if (!above) continue;
    above.hasChildren = true;
    for (const name of Object.keys(above.all)) above.all[name] += made[i].all[name];
  }
  return made;
}

function isHidden(rows, i, closed) {
  for (let at = rows[i].cells[PARENT]; at >= 0; at = rows[at].cells[PARENT]) if (closed.has(at)) return true;
  return false;
}
