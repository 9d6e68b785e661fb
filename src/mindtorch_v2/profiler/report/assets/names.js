// Names of events and frames, short enough for a table and whole when one looks closer.

import { h } from "./dom.js";

const MOST_LETTERS = 160;
const MOST_IN_TITLE = 2000;

/** A name in the typeface of code; a very long one is cut, and whole when one points at it. */
export function code(text) {
  const shown = text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
  return h("code", { title: text.length > 40 ? text.slice(0, MOST_IN_TITLE) : null }, shown);
}

/** The frames of a stack as a list, the innermost first. */
export function stackList(data, stack) {
  const frames = frameWords(data, stack);
  if (!frames.length) return h("p", { class: "muted" }, "No Python stack was recorded for it.");
  return h("ol", { class: "stack" }, frames.map((frame) => h("li", null, code(frame))));
}

const NOT_USERS = /^(mindtorch_v2\/|<|nn\.Module: |threading\.py\(|contextlib\.py\()/;

/** The innermost function of the user's own program in a stack, else the innermost of all. */
export function callerOf(data, stack) {
  const frames = frameWords(data, stack);
  return frames.find((frame) => !NOT_USERS.test(frame)) ?? frames[0] ?? "";
}

/** The names of the frames of a stack, the innermost first. */
export function frameWords(data, stack) {
  const frames = [];
  for (let at = stack; at > 0; at = data.stacks.below[at]) frames.push(data.words[data.stacks.word[at]]);
  return frames;
}
