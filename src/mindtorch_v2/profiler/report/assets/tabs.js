// Views one at a time: a list of tabs, the address, and the arrow keys.

import { h, replace } from "./dom.js";

/** Show tabs; each is {id, title, show} and `show` makes what stands in the panel, once. */
export function startTabs(list, panel, tabs) {
  const made = new Map();
  const buttons = tabs.map((tab) =>
    h("button", { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": "panel",
                  onclick: () => open(tab.id), onkeydown: (event) => move(event, tab) }, tab.title));
  list.setAttribute("role", "tablist");
  replace(list, buttons);
  panel.setAttribute("role", "tabpanel");

  function move(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(tab);
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1
      : step ? (at + step + tabs.length) % tabs.length : -1;
    if (next < 0) return;
    event.preventDefault();
    open(tabs[next].id);
    buttons[next].focus();
  }

  function open(id) {
    if (location.hash !== `#${id}`) history.replaceState(null, "", `#${id}`);
    show(id);
  }

  function show(id) {
    const tab = tabs.find((each) => each.id === id) ?? tabs[0];
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(tabs[i] === tab));
      button.tabIndex = tabs[i] === tab ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${tab.id}`);
    if (!made.has(tab.id)) made.set(tab.id, tab.show());
    replace(panel, made.get(tab.id));
    panel.dataset.view = tab.id;
    made.get(tab.id).dispatchEvent(new CustomEvent("shown"));
  }

  addEventListener("keydown", (event) => {
    const field = panel.querySelector("input[type=search]");
    if (event.key !== "/" || event.target instanceof HTMLInputElement || !field) return;
    event.preventDefault();
    field.focus();
  });
  addEventListener("hashchange", () => show(location.hash.slice(1)));
  show(location.hash.slice(1));
  return open;
}
