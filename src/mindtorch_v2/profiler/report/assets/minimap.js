// The whole profile in a strip: where work is, where matches are, and which part is on show.

import { drawing, pointerAt } from "./canvas.js";
import { forEachVisible } from "./lanes.js";
import { eventColour } from "./palette.js";
import { colour } from "./theme.js";

const LEVELS = 24;

export function minimap(scene) {
  const strip = drawing({ label: "The whole profile; drag to move", className: "minimap", draw });
  const { canvas } = strip;
  let held = false;

  function draw(context, width, height) {
    const whole = { from: 0, to: scene.view.whole, width };
    const tracks = scene.plan.tracks.filter((track) => !track.waits).slice(0, 4);
    const each = Math.floor((height - 4) / Math.max(tracks.length, 1));
    tracks.forEach((track, place) => {
      const rows = track.lanes.filter((lane) => lane.level < LEVELS);
      const tall = each / Math.min(LEVELS, Math.max(...rows.map((lane) => lane.level + 1)));
      for (const lane of rows) {
        forEachVisible(scene.lanes, lane, whole, (event, x, wide) => {
          const word = scene.timeline.word[event];
          context.globalAlpha = scene.matches && !scene.matches[word] ? 0.2 : 1;
          context.fillStyle = eventColour(scene.timeline.kind[event], word, scene.colours);
          context.fillRect(x, 2 + place * each + lane.level * tall, wide, Math.max(tall - 0.3, 1));
        });
      }
    });
    context.globalAlpha = 1;
    const [left, right] = [scene.view.from, scene.view.to].map((ns) => (ns / scene.view.whole) * width);
    context.fillStyle = colour("veil");
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.strokeStyle = colour("accent");
    context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 2), height - 1);
  }

  function move(event) {
    const middle = (pointerAt(event, canvas).x / strip.size.width) * scene.view.whole;
    const span = scene.view.to - scene.view.from;
    scene.view.show(middle - span / 2, middle + span / 2);
  }

  canvas.addEventListener("pointerdown", (event) => { held = true; canvas.setPointerCapture(event.pointerId); move(event); });
  canvas.addEventListener("pointermove", (event) => held && move(event));
  canvas.addEventListener("pointerup", () => { held = false; });
  return strip;
}
