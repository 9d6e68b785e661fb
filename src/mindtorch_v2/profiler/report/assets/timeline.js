// The timeline: events of every thread and device queue over time, searched, zoomed, selected.

import { drawing } from "./canvas.js";
import { matcher } from "./datatable.js";
import { h } from "./dom.js";
import { counted, time } from "./format.js";
import { lastNotAfter, readLanes } from "./lanes.js";
import { minimap } from "./minimap.js";
import { wordColours } from "./palette.js";
import { colour, whenThemeChanges } from "./theme.js";
import { around, showDetails } from "./timeline_details.js";
import { ROW, RULER, layout, paintTimeline } from "./timeline_draw.js";
import { listen } from "./timeline_input.js";
import { Viewport } from "./viewport.js";

export function timelineView(data, links) {
  const { timeline } = data;
  if (!timeline.duration.length) return h("div", { class: "empty" }, h("h2", null, "Nothing was recorded"), h("p", null, "The profile has no event."));
  const scene = makeScene(data);
  const main = drawing({ label: "Timeline of events by thread; the keys are listed beside it", role: "application", className: "timeline", focusable: true,
                         draw: (context, width, height) => paintTimeline(context, width, height, scene) });
  const strip = minimap(scene);
  const details = h("aside", { class: "details", "aria-live": "polite", "aria-label": "Selected event" });
  const tip = h("div", { class: "tip", hidden: true });
  const found = h("span", { class: "said", role: "status" });
  const field = h("input", { type: "search", placeholder: "Search events", "aria-label": "Search events", spellcheck: "false" });
  scene.view.onchange = () => { main.redraw(); strip.redraw(); };

  const act = {
    scroll(pixels) {
      const most = Math.max(scene.plan.height - (main.size.height - RULER), 0);
      scene.view.scroll = Math.min(Math.max(scene.view.scroll + pixels, 0), most);
      main.redraw();
    },
    toggle(track) {
      if (!scene.collapsed.delete(track)) scene.collapsed.add(track);
      scene.plan = layout(timeline, scene.lanes, scene.collapsed);
      act.scroll(0);
    },
    select(event) { scene.selected = event; showDetails(details, scene, data, act); main.redraw(); },
    fit(event) { if (event >= 0) { act.select(event); scene.view.fit(scene.lanes.start[event], scene.lanes.duration[event]); act.reveal(event); } },
    go(event) {
      act.select(event);
      const [start, duration] = [scene.lanes.start[event], scene.lanes.duration[event]];
      if (start < scene.view.from || start + duration > scene.view.to || scene.view.x(start + duration) - scene.view.x(start) < 2) scene.view.fit(start, duration * 4);
      act.reveal(event);
    },
    reveal(event) {
      const lane = scene.lanes.laneOf(event);
      if (lane.y === null) act.toggle(lane.track);
      const room = main.size.height - RULER;
      if (room > 0 && (lane.y < scene.view.scroll || lane.y + ROW > scene.view.scroll + room)) act.scroll(lane.y - room / 2 - scene.view.scroll);
    },
    step(by) {
      if (scene.selected < 0) return;
      const lane = scene.lanes.laneOf(scene.selected);
      const next = scene.selected + by;
      if (next >= lane.first && next < lane.stop) act.go(next);
    },
    deeper(by) {
      const outer = scene.selected < 0 ? [] : around(scene, scene.selected);
      if (by < 0 && outer.length) act.go(outer[0]);
      if (by > 0 && scene.selected >= 0) {
        const inner = scene.inside(scene.selected);
        if (inner >= 0) act.go(inner);
      }
    },
    sameName(by) { next(by, (event) => timeline.word[event] === timeline.word[scene.selected]); },
    nextMatch(by) { if (scene.matches) next(by, (event) => scene.matches[timeline.word[event]]); },
    hover(event, at) {
      tip.hidden = event < 0;
      if (event < 0) return;
      tip.textContent = `${data.words[timeline.word[event]]} · ${time(scene.lanes.duration[event])}`;
      tip.style.left = `${Math.min(at.x + 12, main.size.width - 260)}px`;
      tip.style.top = `${at.y + 14}px`;
    },
  };

  /** The next event by time that fits, from the selected one on. */
  function next(by, fits) {
    const order = scene.byStart();
    const n = order.length;
    let place = scene.selected < 0 ? (by > 0 ? -1 : n) : order.indexOf(scene.selected);
    for (let tries = 0; tries < n; tries++) {
      place = (place + by + n) % n;
      if (fits(order[place])) return act.go(order[place]);
    }
  }

  function search() {
    const text = field.value.trim();
    const fits = matcher(text);
    scene.matches = text ? Uint8Array.from(data.words, (word) => (fits(word) ? 1 : 0)) : null;
    const hits = scene.matches ? timeline.word.reduce((sum, word) => sum + scene.matches[word], 0) : 0;
    found.textContent = text ? counted(hits, "event") : "";
    scene.view.onchange();
  }

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") act.nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") { field.value = ""; search(); main.canvas.focus(); }
  });
  listen(main.canvas, scene, act);
  whenThemeChanges(() => { scene.paint(); scene.view.onchange(); });
  act.select(-1);
  links.timeline = {
    show(id) { const at = timeline.ids.indexOf(id - timeline.first_id); if (at >= 0) requestAnimationFrame(() => act.fit(at)); },
    search(text) { field.value = text; search(); requestAnimationFrame(() => act.nextMatch(1)); },
  };
  const tools = h("div", { class: "tools" }, field, found,
    h("button", { type: "button", onclick: () => act.nextMatch(-1) }, "◂ Match"), h("button", { type: "button", onclick: () => act.nextMatch(1) }, "Match ▸"),
    h("button", { type: "button", onclick: () => scene.view.zoom(1 / 2) }, "Zoom in"), h("button", { type: "button", onclick: () => scene.view.zoom(2) }, "Zoom out"),
    h("button", { type: "button", onclick: () => scene.view.show(0, scene.view.whole) }, "Show all"));
  const left = h("div", { class: "left" }, strip.canvas, h("div", { class: "stage" }, main.canvas, tip));
  return h("div", { class: "timeline-view" }, tools, h("div", { class: "split" }, left, details));
}

/** What is drawn, and what is known of it. */
function makeScene(data) {
  const { timeline } = data;
  
  const lanes = readLanes(timeline);
  const collapsed = new Set(timeline.tracks.flatMap((track, number) => (track.waits ? [number] : [])));
  const ends = Math.max(data.facts.wall, lanes.list.reduce((most, lane) => Math.max(most, lanes.start[lane.stop - 1] + lanes.duration[lane.stop - 1]), 0));
  const links = new Map();
  const add = (one, other) => links.has(one) ? links.get(one).push(other) : links.set(one, [other]);
  timeline.flows.from.forEach((from, i) => { add(from, timeline.flows.to[i]); add(timeline.flows.to[i], from); });
  let ordered = null;
  const scene = {
    timeline, lanes, collapsed, words: data.words, steps: data.steps.rows, view: new Viewport(ends, () => {}), selected: -1, matches: null,
    plan: layout(timeline, lanes, collapsed), linked: (event) => links.get(event) ?? [],
    paint() { scene.colours = wordColours(data.words); scene.ink = colour("ink"); },
    byStart() { return (ordered ??= Uint32Array.from(lanes.start.keys()).sort((a, b) => lanes.start[a] - lanes.start[b])); },
    at(lane, moment) {
      const i = lastNotAfter(lanes.start, lane.first, lane.stop, moment);
      return i >= lane.first && lanes.start[i] + lanes.duration[i] >= moment ? i : -1;
    },
    inside(event) {
      const lane = lanes.laneOf(event);
      const below = lanes.list.find((other) => other.track === lane.track && other.level === lane.level + 1);
      if (!below) return -1;
      const i = lastNotAfter(lanes.start, below.first, below.stop, lanes.start[event] - 1) + 1;
      return i < below.stop && lanes.start[i] + lanes.duration[i] <= lanes.start[event] + lanes.duration[event] ? i : -1;
    },
  };
  scene.paint();
  return scene;
}
