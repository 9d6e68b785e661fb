// Events in lanes: in a lane nothing overlaps, so starts and ends both grow, and a moment is found by halving.

/** The lanes of a timeline, with the times of all events since the profile began. */
export function readLanes(timeline) {
  const { lanes, duration } = timeline;
  const begins = lanes.begin;
  const n = duration.length;
  const start = new Float64Array(n);
  const list = [];
  for (let number = 0; number < begins.length; number++) {
    const first = begins[number];
    const stop = number + 1 < begins.length ? begins[number + 1] : n;
    let sum = 0;
    for (let i = first; i < stop; i++) start[i] = sum += timeline.start[i];
    list.push({ first, stop, track: lanes.track[number], level: lanes.level[number] });
  }
  return { start, duration, list, laneOf: (event) => list[lastNotAfter(begins, 0, begins.length, event)] };
}

/** The last place in a growing array whose value is not greater; `first - 1` if there is none. */
export function lastNotAfter(values, first, stop, value) {
  let low = first;
  let high = stop;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The first event of a lane that ends after a moment. */
export function firstEndingAfter({ start, duration }, lane, moment, from = lane.first) {
  const at = lastNotAfter(start, from, lane.stop, moment);
  if (at < from) return from;
  return start[at] + duration[at] > moment ? at : at + 1;
}

/** Go through what can be seen of a lane: `each(event, x, width)`; of events narrower than a pixel, one a pixel. */
export function forEachVisible(lanes, lane, view, each) {
  const { start, duration } = lanes;
  const scale = view.width / (view.to - view.from);
  let i = firstEndingAfter(lanes, lane, view.from);
  while (i < lane.stop && start[i] < view.to) {
    const x = (start[i] - view.from) * scale;
    const width = duration[i] * scale;
    if (width >= 1) {
      each(i, x, width);
      i++;
    } else {
      const pixel = Math.floor(x);
      each(i, pixel, 1);
      i = Math.max(firstEndingAfter(lanes, lane, view.from + (pixel + 1) / scale, i), i + 1);
    }
  }
}

/** The event of a lane at a moment, or the nearest within some time of it; -1 if there is none. */
export function eventNear(lanes, lane, moment, within) {
  const { start, duration } = lanes;
  const i = firstEndingAfter(lanes, lane, moment - within);
  if (i < lane.stop && start[i] <= moment && start[i] + duration[i] >= moment) return i;
  let best = -1;
  let nearest = within;
  for (let j = i; j < Math.min(lane.stop, i + 8); j++) {
    const away = Math.max(start[j] - moment, moment - start[j] - duration[j], 0);
    if (away <= nearest) {
      nearest = away;
      best = j;
    }
  }
  return best;
}
