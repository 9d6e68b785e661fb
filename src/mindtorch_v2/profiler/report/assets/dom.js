// Elements made by a script. Text is always text: nothing that a profile says is read as HTML.

/** An element: `h("p", { class: "note", onclick: f }, "text", child, …)`; null and false are left out. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for a drawing. */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Put other children into an element. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}

/** A titled part of a page. */
export function panel(title, ...children) {
  const id = `h-${title.toLowerCase().replace(/\W+/g, "-")}`;
  return h("section", { class: "panel", "aria-labelledby": id }, h("h2", { id }, title), ...children);
}

/** A group of buttons of which one is pressed. */
export function choice(label, options, chosen, onchoose) {
  const buttons = options.map(([value, text]) =>
    h("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => choose(value) }, text));
  function choose(value) {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(options[i][0] === value)));
    onchoose(value);
  }
  return h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}
