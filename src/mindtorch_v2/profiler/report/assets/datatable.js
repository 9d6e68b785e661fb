// A table that sorts and filters: columns are {title, value, text, help, wide, bar, cell}.

import { h, replace } from "./dom.js";

const FIRST = 200;

/** A table of rows; `sort` is the number of the column it begins with. `detail` may say more below a row. */
export function dataTable({ label, columns, rows, sort, descending = true, fits = () => true, detail = null }) {
  const state = { sort, descending, shown: FIRST, fits, open: new Set() };
  const heads = columns.map((column, i) =>
    h("th", { scope: "col", class: column.wide ? "wide" : "number" },
      h("button", { type: "button", title: column.help, onclick: () => sortBy(i) }, column.title)));
  const body = h("tbody");
  const more = h("button", { type: "button", class: "more", onclick: () => { state.shown *= 5; draw(); } });
  const said = h("p", { class: "said", role: "status" });
  const table = h("table", { class: "data" }, h("caption", { class: "unseen" }, label), h("thead", null, h("tr", null, heads)), body);

  function sortBy(i) {
    state.descending = state.sort === i ? !state.descending : !columns[i].wide;
    state.sort = i;
    draw();
  }

  function draw() {
    heads.forEach((head, i) =>
      i === state.sort ? head.setAttribute("aria-sort", state.descending ? "descending" : "ascending") : head.removeAttribute("aria-sort"));
    const wanted = rows.filter((row) => state.fits(row));
    const ordered = state.sort === null ? wanted : wanted.slice().sort(compared(columns[state.sort].value, state.descending));
    const most = columns.map((column) => (column.bar ? Math.max(...ordered.map((row) => Math.abs(column.value(row))), 0) : 0));
    replace(body, ordered.slice(0, state.shown).flatMap((row) => lines(row, most)));
    more.hidden = ordered.length <= state.shown;
    more.textContent = `Show more of ${ordered.length.toLocaleString("en")} rows`;
    said.textContent = `${ordered.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  }

  function lines(row, most) {
    const extra = detail && state.open.has(row) ? h("tr", { class: "detail" }, h("td", { colspan: columns.length }, detail(row))) : null;
    const line = h("tr", { class: detail ? "can-open" : null }, columns.map((column, i) => cell(column, row, most[i], i === 0 && detail)));
    return extra ? [line, extra] : [line];
  }

  function cell(column, row, most, opens) {
    const content = column.cell ? column.cell(row) : column.text ? column.text(row) : String(column.value(row));
    const share = column.bar && most ? Math.abs(column.value(row)) / most : 0;
    const bar = column.bar ? h("span", { class: "bar-track", "aria-hidden": "true" }, h("span", { class: "bar-fill", style: { width: `${100 * share}%` } })) : null;
    const toggle = opens ? h("button", { type: "button", class: "open", "aria-expanded": String(state.open.has(row)),
                                         "aria-label": "More about this row", onclick: () => toggled(row) }, state.open.has(row) ? "▾" : "▸") : null;
    return h("td", { class: column.wide ? "wide" : "number" }, toggle, content, bar);
  }

  function toggled(row) {
    if (!state.open.delete(row)) state.open.add(row);
    draw();
  }

  draw();
  const element = h("div", { class: "table-box" }, said, h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, table, more));
  return { element, filter: (fits) => { state.fits = fits; state.shown = FIRST; draw(); } };
}

function compared(value, descending) {
  const sign = descending ? -1 : 1;
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    return sign * (typeof a === "string" ? a.localeCompare(b) : a - b);
  };
}

/** A field that filters by what is typed: all its words must occur. */
export function filterField(label, onfilter) {
  return h("input", { type: "search", placeholder: label, "aria-label": label, spellcheck: "false",
                      oninput: (event) => onfilter(matcher(event.target.value)) });
}

/** Whether a text holds all words that were typed. */
export function matcher(typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}
