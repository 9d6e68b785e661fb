// Which colour an event has: ranges, Python and devices their own, ops one of a few by name.

import { isDark } from "./theme.js";

export const KINDS = ["op", "range", "python", "device", "memory"];
const PYTHON = 2;
const RANGE = 1;
const DEVICE = 3;
const HUES = [205, 188, 172, 220, 236, 196, 212];
const BACKWARD = /Backward|^autograd::|AccumulateGrad/;
const OPTIMIZER = /^Optimizer\.|^aten::_(foreach|fused)/;

/** Colours of all words, for the theme of the moment. */
export function wordColours(words) {
  const dark = isDark();
  return words.map((word) => opColour(word, dark));
}

function opColour(word, dark) {
  if (BACKWARD.test(word)) return tone(285, dark, 0);
  if (OPTIMIZER.test(word)) return tone(150, dark, 0);
  const hash = hashed(word);
  return tone(HUES[hash % HUES.length], dark, (hash >> 5) % 3);
}

function tone(hue, dark, shade) {
  return dark ? `hsl(${hue} 36% ${34 + 5 * shade}%)` : `hsl(${hue} 55% ${80 - 5 * shade}%)`;
}

function hashed(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** The colour of one event. */
export function eventColour(kind, word, colours) {
  const dark = isDark();
  if (kind === PYTHON) return dark ? "hsl(215 8% 30%)" : "hsl(215 12% 87%)";
  if (kind === RANGE) return dark ? "hsl(42 38% 36%)" : "hsl(42 72% 80%)";
  if (kind === DEVICE) return dark ? "hsl(340 36% 42%)" : "hsl(340 62% 82%)";
  return colours[word];
}
