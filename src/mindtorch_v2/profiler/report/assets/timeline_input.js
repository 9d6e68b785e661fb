// Mouse, wheel and keys of the timeline.

import { pointerAt } from "./canvas.js";
import { eventNear } from "./lanes.js";
import { HEAD, ROW, RULER } from "./timeline_draw.js";

const ZOOM = 1.25;
const STEP = 80;
const NEAR_PIXELS = 3;

/** Let a scene be moved and looked at; `act` holds what a click or key does. */
export function listen(canvas, scene, act) {
  let held = null;

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = pointerAt(event, canvas);
    if (event.ctrlKey || event.metaKey || y < RULER) scene.view.zoom(ZOOM ** (event.deltaY / 100), x);
    else if (event.shiftKey) scene.view.pan(event.deltaY);
    else {
      if (event.deltaX) scene.view.pan(event.deltaX);
      act.scroll(event.deltaY);
    }
  }, { passive: false });

  canvas.addEventListener("pointerdown", (event) => {
    held = { ...pointerAt(event, canvas), moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = pointerAt(event, canvas);
    if (!held) return act.hover(eventAt(scene, at), at);
    const [right, down] = [held.x - at.x, held.y - at.y];
    if (!held.moved && Math.abs(right) + Math.abs(down) < 4) return;
    held = { ...at, moved: true };
    scene.view.pan(right);
    act.scroll(down);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held && !held.moved) click(pointerAt(event, canvas));
    held = null;
  });
  canvas.addEventListener("pointerleave", () => act.hover(-1));
  canvas.addEventListener("dblclick", (event) => act.fit(eventAt(scene, pointerAt(event, canvas))));
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keys[event.key];
    if (!key) return;
    event.preventDefault();
    key(event);
  });

  function click(at) {
    const track = headAt(scene, at);
    if (track) act.toggle(track.number);
    else act.select(eventAt(scene, at));
  }

  const { view } = scene;
  const zoomIn = () => view.zoom(1 / ZOOM);
  const zoomOut = () => view.zoom(ZOOM);
  const left = () => view.pan(-STEP);
  const right = () => view.pan(STEP);
  const keys = {
    w: zoomIn, "+": zoomIn, "=": zoomIn, s: zoomOut, "-": zoomOut, a: left, d: right,
    ArrowLeft: (event) => (event.shiftKey ? act.step(-1) : left()), ArrowRight: (event) => (event.shiftKey ? act.step(1) : right()),
    ArrowUp: () => act.scroll(-ROW), ArrowDown: () => act.scroll(ROW),
    PageUp: () => act.scroll(-10 * ROW), PageDown: () => act.scroll(10 * ROW),
    0: () => view.show(0, view.whole), f: () => act.fit(scene.selected), Escape: () => act.select(-1),
    n: () => act.nextMatch(1), N: () => act.nextMatch(-1),
    j: () => act.deeper(1), k: () => act.deeper(-1), "[": () => act.step(-1), "]": () => act.step(1),
  };
}

function headAt(scene, { y }) {
  const at = y - RULER + scene.view.scroll;
  return y < RULER ? null : scene.plan.tracks.find((track) => at >= track.y && at < track.y + HEAD);
}

function eventAt(scene, { x, y }) {
  const { view, lanes, plan } = scene;
  const at = y - RULER + view.scroll;
  if (y < RULER) return -1;
  const track = plan.tracks.find((each) => at >= each.y && at < each.y + each.height);
  const lane = track?.lanes.find((each) => each.y !== null && at >= each.y && at < each.y + ROW);
  return lane ? eventNear(lanes, lane, view.ns(x), (NEAR_PIXELS * (view.to - view.from)) / view.width) : -1;
}
