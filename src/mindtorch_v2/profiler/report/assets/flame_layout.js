// Where the frames of a flame graph stand: how deep, and from which nanosecond of the whole on.

/** Places of all frames; the widest of siblings stands first. Frame numbers begin at 0, a parent of -1 is the whole. */
export function placeFrames(frames) {
  const n = frames.total.length;
  const parent = Int32Array.from(frames.parent, (value) => value - 1);
  const depth = new Uint16Array(n);
  const from = new Float64Array(n);
  const order = Uint32Array.from(parent.keys()).sort((a, b) => parent[a] - parent[b] || frames.total[b] - frames.total[a] || a - b);
  const children = new Map();
  for (const frame of order) children.has(parent[frame]) ? children.get(parent[frame]).push(frame) : children.set(parent[frame], [frame]);
  const waiting = [-1];
  let whole = 0;
  while (waiting.length) {
    const above = waiting.pop();
    let at = above < 0 ? 0 : from[above];
    for (const frame of children.get(above) ?? []) {
      from[frame] = at;
      depth[frame] = above < 0 ? 0 : depth[above] + 1;
      at += frames.total[frame];
      waiting.push(frame);
    }
    if (above < 0) whole = at;
  }
  return { parent, depth, from, whole, children: (frame) => children.get(frame) ?? [], deepest: depth.reduce((a, b) => Math.max(a, b), 0) };
}

/** The time of all frames whose names fit; what is inside another that fits is counted with it. */
export function matchedTime(frames, places, matches) {
  let sum = 0;
  const inside = new Uint8Array(frames.total.length);
  const waiting = [...places.children(-1)];
  while (waiting.length) {
    const frame = waiting.pop();
    const fits = matches[frames.word[frame]];
    if (fits && !inside[frame]) sum += frames.total[frame];
    for (const child of places.children(frame)) {
      inside[child] = fits || inside[frame] ? 1 : 0;
      waiting.push(child);
    }
  }
  return sum;
}
