// Drawing the timeline: ruler and steps, tracks with their lanes, the selected event and its links.

import { CODE, cutText } from "./canvas.js";
import { counted, ticks, timeLabels } from "./format.js";
import { forEachVisible } from "./lanes.js";
import { eventColour } from "./palette.js";
import { colour } from "./theme.js";

export const RULER = 34;
export const ROW = 18;
export const HEAD = 22;
const NARROW = 6;
const PLAIN = "11px system-ui, sans-serif";

/** Where tracks and lanes stand, from the top; collapsed tracks have only their heads. */
export function layout(timeline, lanes, collapsed) {
  const tracks = timeline.tracks.map((track, number) => ({ ...track, number, lanes: [] }));
  for (const lane of lanes.list) tracks[lane.track].lanes.push(lane);
  const order = tracks.filter((track) => track.lanes.length).sort((a, b) => a.waits - b.waits);
  let y = 0;
  for (const track of order) {
    track.y = y;
    y += HEAD;
    const depth = Math.max(...track.lanes.map((lane) => lane.level)) + 1;
    for (const lane of track.lanes) lane.y = collapsed.has(track.number) ? null : y + lane.level * ROW;
    track.height = HEAD + (collapsed.has(track.number) ? 0 : depth * ROW + 6);
    y = track.y + track.height;
  }
  return { tracks: order, height: y };
}

/** Paint everything that can be seen. */
export function paintTimeline(context, width, height, scene) {
  const { view, plan, lanes, timeline } = scene;
  view.width = width;
  paintSteps(context, height, scene);
  context.save();
  context.beginPath();
  context.rect(0, RULER, width, height - RULER);
  context.clip();
  context.translate(0, RULER - view.scroll);
  context.textBaseline = "middle";
  const [top, bottom] = [view.scroll, view.scroll + height - RULER];
  for (const track of plan.tracks) {
    if (track.y > bottom || track.y + track.height < top) continue;
    context.font = CODE;
    for (const lane of track.lanes) {
      if (lane.y === null || lane.y > bottom || lane.y + ROW < top) continue;
      forEachVisible(lanes, lane, view, (event, x, wide) => paintEvent(context, scene, timeline, event, x, lane.y, wide));
    }
    paintHead(context, scene, track, width);
  }
  context.globalAlpha = 1;
  paintSelection(context, scene);
  context.restore();
  paintRuler(context, width, scene);
}

function paintEvent(context, scene, timeline, event, x, y, wide) {
  const word = timeline.word[event];
  context.globalAlpha = scene.matches && !scene.matches[word] ? 0.22 : 1;
  context.fillStyle = eventColour(timeline.kind[event], word, scene.colours);
  const left = Math.max(x, -1);
  const shown = Math.min(x + wide, scene.view.width + 1) - left;
  context.fillRect(left, y, shown > 3 ? shown - 0.5 : shown, ROW - 1);
  if (shown < 24) return;
  context.fillStyle = scene.ink;
  cutText(context, scene.words[word], left + 3, y + ROW / 2, shown - 5);
}

function paintHead(context, scene, track, width) {
  context.globalAlpha = 1;
  context.fillStyle = colour("surface-2");
  context.fillRect(0, track.y, width, HEAD - 2);
  context.fillStyle = colour("text");
  context.font = PLAIN;
  const sign = scene.collapsed.has(track.number) ? "▸" : "▾";
  const events = track.lanes.reduce((sum, lane) => sum + lane.stop - lane.first, 0);
  context.fillText(`${sign} ${track.name}`, 8, track.y + HEAD / 2 - 1);
  context.fillStyle = colour("muted");
  context.textAlign = "right";
  context.fillText(`${counted(events, "event")}${track.waits ? ", only waits" : ""}`, width - 8, track.y + HEAD / 2 - 1);
  context.textAlign = "left";
}

function paintSteps(context, height, { view, steps }) {
  steps.forEach((row, i) => {
    const [, start, wall] = row;
    const wide = view.x(start + wall) - view.x(start);
    if (i % 2 === 0 || wide < NARROW || start > view.to || start + wall < view.from) return;
    context.fillStyle = colour("band");
    context.fillRect(view.x(start), RULER, wide, height);
  });
}

function paintRuler(context, width, { view, steps }) {
  context.fillStyle = colour("surface");
  context.fillRect(0, 0, width, RULER);
  context.font = PLAIN;
  context.textBaseline = "middle";
  context.strokeStyle = colour("border");
  context.lineWidth = 1;
  context.fillStyle = colour("muted");
  const places = ticks(view.from, view.to, width / 110);
  const labels = timeLabels(places);
  places.forEach((at, i) => {
    const x = Math.round(view.x(at)) + 0.5;
    context.beginPath();
    context.moveTo(x, RULER - 6);
    context.lineTo(x, RULER);
    context.stroke();
    if (x + 3 + context.measureText(labels[i]).width <= width) context.fillText(labels[i], x + 3, RULER - 8);
  });
  for (const [name, start, wall] of steps) {
    if (start > view.to || start + wall < view.from) continue;
    const x = Math.max(view.x(start), 0);
    const label = name === "all" ? "whole profile" : `step ${name}`;
    if (view.x(start + wall) - x < context.measureText(label).width + 8) continue;
    context.fillStyle = colour("accent");
    context.fillRect(view.x(start), 0, 1, 14);
    context.fillText(label, x + 4, 8);
  }
  context.beginPath();
  context.moveTo(0, RULER - 0.5);
  context.lineTo(width, RULER - 0.5);
  context.stroke();
}

function paintSelection(context, scene) {
  const { selected, lanes, view, linked } = scene;
  if (selected < 0) return;
  const box = boxOf(scene, selected);
  context.strokeStyle = colour("accent");
  context.lineWidth = 1.5;
  for (const other of linked(selected)) {
    const end = boxOf(scene, other);
    if (!box || !end) continue;
    const [early, late] = box.x <= end.x ? [box, end] : [end, box];
    const [from, to] = [Math.min(early.x + early.width, late.x), late.x];
    context.beginPath();
    context.moveTo(from, early.y + ROW / 2);
    context.bezierCurveTo((from + to) / 2, early.y, (from + to) / 2, late.y, to, late.y + ROW / 2);
    context.stroke();
    context.strokeRect(end.x + 0.5, end.y + 0.5, Math.max(end.width - 1, 1), ROW - 2);
  }
  if (!box) return;
  context.lineWidth = 2;
  context.strokeRect(box.x, box.y, Math.max(view.x(lanes.start[selected] + lanes.duration[selected]) - box.x, 2), ROW - 1);
}

function boxOf({ lanes, view }, event) {
  const lane = lanes.laneOf(event);
  if (lane.y === null) return null;
  const x = view.x(lanes.start[event]);
  const width = (lanes.duration[event] / (view.to - view.from)) * view.width;
  return { x, width, y: lane.y };
}
