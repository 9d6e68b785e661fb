// A canvas that fills its box, is sharp on every screen, and is drawn again when something changes.

import { h } from "./dom.js";
import { whenThemeChanges } from "./theme.js";

/** A canvas in a box; `draw(context, width, height)` paints it, `redraw()` asks for that once a frame. */
export function drawing({ label, draw, role = "img", className = "", focusable = false }) {
  const canvas = h("canvas", { role, "aria-label": label, class: className, tabindex: focusable ? "0" : null });
  const context = canvas.getContext("2d");
  const size = { width: 0, height: 0 };
  let waiting = false;

  function paint() {
    waiting = false;
    if (!size.width || !size.height) return;
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    draw(context, size.width, size.height);
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(paint);
  }

  new ResizeObserver(() => {
    const ratio = devicePixelRatio || 1;
    size.width = canvas.clientWidth;
    size.height = canvas.clientHeight;
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(size.height * ratio);
    paint();
  }).observe(canvas);
  whenThemeChanges(redraw);
  return { canvas, redraw, size };
}

export const CODE = "11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
let letter = 0;

/** A line of text in CODE, whose letters have one width and those of wide scripts two, cut to a width. */
export function cutText(context, text, x, y, width) {
  letter ||= context.measureText("M".repeat(100)).width / 100;
  const most = Math.floor(width / letter);
  if (most < 3) return;
  context.fillText(cut(text, most), x, y);
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\p{Extended_Pictographic}]/u;

function cut(text, most) {
  if (text.length <= most && !WIDE.test(text)) return text;
  let cells = 0;
  let shown = "";
  for (const sign of text) {
    cells += WIDE.test(sign) ? 2 : 1;
    if (cells > most) return `${shown.slice(0, -1)}…`;
    shown += sign;
  }
  return shown;
}

/** Where a pointer is on a canvas. */
export function pointerAt(event, canvas) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}
