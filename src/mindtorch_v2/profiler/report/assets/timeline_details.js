// What is known of the selected event, and where one can go from it.

import { h, replace } from "./dom.js";
import { count, time } from "./format.js";
import { code, stackList } from "./names.js";
import { KINDS } from "./palette.js";

const HELP = [
  ["drag", "move"], ["Ctrl + wheel", "zoom"], ["W S", "zoom in, out"], ["A D", "left, right"], ["click", "select"],
  ["double click, F", "fit"], ["0", "show all"], ["/", "search"], ["N", "next match"], ["[ ]", "event before, after"],
  ["J K", "inner, outer event"],
];

/** Show an event, or how the timeline is used. */
export function showDetails(box, scene, data, act) {
  const event = scene.selected;
  if (event < 0) {
    return replace(box, h("h2", null, "Nothing selected"), h("p", { class: "muted" }, "Select an event to see its times, inputs, stack and links."),
      h("dl", { class: "keys" }, HELP.map(([key, does]) => h("div", null, h("dt", null, key), h("dd", null, does)))),
      scene.timeline.left_out ? h("p", { class: "muted" }, `${count(scene.timeline.left_out)} rows without length, too deep or too short are not drawn.`) : null);
  }
  const { timeline, lanes } = scene;
  const track = timeline.tracks[lanes.laneOf(event).track];
  const lines = [
    ["Kind", KINDS[timeline.kind[event]]], ["Duration", time(lanes.duration[event])], ["Own time", time(timeline.self[event])],
    ["Start", time(lanes.start[event])], ["On", track.name],
    timeline.shapes[timeline.shapes_of[event]] ? ["Input shapes", timeline.shapes[timeline.shapes_of[event]]] : null,
  ].filter(Boolean);
  const linked = scene.linked(event);
  return replace(box,
    h("h2", { class: "name" }, data.words[timeline.word[event]]),
    h("p", { class: "row" },
      h("button", { type: "button", onclick: () => act.fit(event) }, "Fit"),
      h("button", { type: "button", onclick: () => act.sameName(-1) }, "◂ same name"),
      h("button", { type: "button", onclick: () => act.sameName(1) }, "same name ▸")),
    h("dl", { class: "facts" }, lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    linked.length ? [h("h3", null, "Linked with"), h("ul", { class: "linked" }, linked.map((other) =>
      h("li", null, h("button", { type: "button", class: "link", onclick: () => act.go(other) }, data.words[timeline.word[other]]),
        h("span", { class: "muted" }, ` ${time(lanes.duration[other])}`))))] : null,
    data.facts.has.with_stack ? [h("h3", null, "Python stack"), stackList(data, timeline.stack[event])] : null,
    around(scene, event).length ? [h("h3", null, "Inside"), h("ol", { class: "stack" }, around(scene, event).map((other) =>
      h("li", null, h("button", { type: "button", class: "link", onclick: () => act.go(other) }, code(data.words[timeline.word[other]])))))] : null);
}

/** The events around one, the innermost first. */
export function around(scene, event) {
  const { lanes } = scene;
  const lane = lanes.laneOf(event);
  const found = [];
  for (const other of lanes.list) {
    if (other.track !== lane.track || other.level >= lane.level) continue;
    const at = scene.at(other, lanes.start[event]);
    if (at >= 0 && lanes.start[at] + lanes.duration[at] >= lanes.start[event] + lanes.duration[event]) found.push([other.level, at]);
  }
  return found.sort((a, b) => b[0] - a[0]).map(([, at]) => at);
}
