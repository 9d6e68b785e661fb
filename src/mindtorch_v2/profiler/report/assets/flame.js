// The flame graph: who called whom (top-down), or whose time it is and who wanted it (bottom-up).

import { CODE, cutText, drawing, pointerAt } from "./canvas.js";
import { matcher } from "./datatable.js";
import { choice, h, replace } from "./dom.js";
import { matchedTime, placeFrames } from "./flame_layout.js";
import { count, counted, percent, time } from "./format.js";
import { KINDS, eventColour, wordColours } from "./palette.js";
import { colour, whenThemeChanges } from "./theme.js";

const ROW = 19;
const WAYS = [["down", "Top-down"], ["up", "Bottom-up"]];

export function flameView(data) {
  if (!data.flame.down.total.length) return h("div", { class: "empty" }, h("h2", null, "Nothing was recorded"), h("p", null, "The profile has no event."));
  const state = { way: "down", zoom: -1, selected: -1, matches: null, scroll: 0, places: {}, colours: wordColours(data.words) };
  const frames = () => data.flame[state.way];
  const places = () => (state.places[state.way] ??= placeFrames(frames()));
  const stage = drawing({ label: "Flame graph; arrow keys move, Enter zooms, Escape goes back", role: "application", className: "flame", focusable: true, draw });
  const info = h("p", { class: "frame-info", role: "status" });
  const found = h("span", { class: "said", role: "status" });
  const field = h("input", { type: "search", placeholder: "Search frames", "aria-label": "Search frames", spellcheck: "false", oninput: search });

  function span() {
    const { from, whole } = places();
    return state.zoom < 0 ? [0, whole] : [from[state.zoom], frames().total[state.zoom]];
  }

  function draw(context, width, height) {
    const { parent, depth, from } = places();
    const [first, wide] = span();
    const above = new Set();
    for (let at = state.zoom; at >= 0; at = parent[at]) above.add(at);
    context.font = CODE;
    context.textBaseline = "middle";
    const { total, word, kind } = frames();
    for (let frame = 0; frame < total.length; frame++) {
      const y = depth[frame] * ROW - state.scroll;
      if (y < -ROW || y > height) continue;
      const x = above.has(frame) ? 0 : ((from[frame] - first) / wide) * width;
      const size = above.has(frame) ? width : (total[frame] / wide) * width;
      if (size < 0.4 || x + size < 0 || x > width) continue;
      context.globalAlpha = state.matches && !state.matches[word[frame]] ? 0.25 : above.has(frame) && frame !== state.zoom ? 0.6 : 1;
      context.fillStyle = eventColour(kind[frame], word[frame], state.colours);
      context.fillRect(x, y, Math.max(size - 0.7, 0.4), ROW - 1);
      if (size > 26) {
        context.fillStyle = colour("ink");
        cutText(context, data.words[word[frame]], Math.max(x, 0) + 4, y + ROW / 2, Math.min(x + size, width) - Math.max(x, 0) - 6);
      }
      if (frame === state.selected) {
        context.globalAlpha = 1;
        context.strokeStyle = colour("accent");
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(size - 2, 1), ROW - 3);
      }
    }
    context.globalAlpha = 1;
  }

  function frameAt({ x, y }) {
    const level = Math.floor((y + state.scroll) / ROW);
    const { parent, depth, from } = places();
    const [first, wide] = span();
    const ns = first + (x / stage.size.width) * wide;
    for (let at = state.zoom; at >= 0; at = parent[at]) if (depth[at] === level) return at;
    const { total } = frames();
    for (let frame = 0; frame < total.length; frame++) {
      if (depth[frame] === level && ns >= from[frame] && ns < from[frame] + total[frame]) return frame;
    }
    return -1;
  }

  function say(frame) {
    const { total, self, word, kind, count: calls } = frames();
    const { whole } = places();
    replace(info, frame < 0 ? h("span", { class: "muted" }, "Point at a frame, or move with the arrow keys.") : [
      h("code", null, data.words[word[frame]]),
      h("span", null, ` ${KINDS[kind[frame]]} · ${time(total[frame])} (${percent(total[frame], whole)})`),
      state.way === "down" ? h("span", { class: "muted" }, ` · own ${time(self[frame])}`) : null,
      h("span", { class: "muted" }, ` · ${counted(calls[frame], "call")}`)]);
  }

  function select(frame) {
    state.selected = frame;
    if (frame >= 0) scroll(Math.min(places().depth[frame] * ROW - state.scroll, 0) || Math.max((places().depth[frame] + 1) * ROW - state.scroll - stage.size.height, 0));
    say(frame);
    stage.redraw();
  }

  function zoom(frame) { state.zoom = frame; select(frame); }

  function scroll(by) {
    const most = Math.max((places().deepest + 1) * ROW - stage.size.height, 0);
    state.scroll = Math.min(Math.max(state.scroll + by, 0), most);
    stage.redraw();
  }

  function search() {
    const text = field.value.trim();
    const fits = matcher(text);
    state.matches = text ? Uint8Array.from(data.words, (word) => (fits(word) ? 1 : 0)) : null;
    found.textContent = text ? `${percent(matchedTime(frames(), places(), state.matches), places().whole)} of the time` : "";
    stage.redraw();
  }

  function arrow(key) {
    const { parent, children } = places();
    const at = state.selected;
    const siblings = children(at < 0 ? -1 : parent[at]);
    const moves = { ArrowUp: () => parent[at], ArrowDown: () => children(at)[0], ArrowLeft: () => siblings[siblings.indexOf(at) - 1], ArrowRight: () => siblings[siblings.indexOf(at) + 1] };
    const to = at < 0 ? children(-1)[0] : moves[key]();
    if (to !== undefined && to >= 0) select(to);
  }

  stage.canvas.addEventListener("pointermove", (event) => say(frameAt(pointerAt(event, stage.canvas))));
  stage.canvas.addEventListener("pointerleave", () => say(state.selected));
  stage.canvas.addEventListener("click", (event) => zoom(frameAt(pointerAt(event, stage.canvas))));
  stage.canvas.addEventListener("wheel", (event) => { event.preventDefault(); scroll(event.deltaY); }, { passive: false });
  stage.canvas.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) { event.preventDefault(); arrow(event.key); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); zoom(state.selected); }
    if (event.key === "Escape") zoom(-1);
  });
  whenThemeChanges(() => { state.colours = wordColours(data.words); stage.redraw(); });
  say(-1);
  const left = frames().left_out;
  const tools = h("div", { class: "tools" },
    choice("Direction", WAYS, "down", (way) => { state.way = way; state.scroll = 0; zoom(-1); search(); }),
    field, found, h("button", { type: "button", onclick: () => zoom(-1) }, "Show all"),
    left ? h("span", { class: "muted" }, `${count(left)} smaller frames stand for their callers.`) : null);
  return h("div", { class: "flame-view" }, tools, info, h("div", { class: "stage" }, stage.canvas));
}
