// Light and dark: what the system says, until the reader chooses.

const listeners = new Set();
const root = document.documentElement;
const colours = new Map();  // asking the style sheet takes long, and drawings ask for every event
let chosen = null;

/** Let the button switch, and tell those who draw with colours. */
export function startTheme(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    root.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
    colours.clear();
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    for (const listener of listeners) listener();
  };
  button.addEventListener("click", () => {
    chosen = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();
}

export function isDark() {
  return root.dataset.theme === "dark";
}

/** Be told when colours change; the answer ends that. */
export function whenThemeChanges(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A colour of the style sheet. */
export function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(root).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}
