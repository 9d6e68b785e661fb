// Which stretch of time is on show, and how it moves: zooming keeps the moment under the pointer in its place.

const LEAST_NS = 50;

export class Viewport {
  constructor(whole, onchange) {
    this.whole = Math.max(whole, 1);
    this.onchange = onchange;
    this.from = 0;
    this.to = this.whole;
    this.width = 1;
    this.scroll = 0;
  }

  x(ns) { return ((ns - this.from) / (this.to - this.from)) * this.width; }

  ns(x) { return this.from + (x / this.width) * (this.to - this.from); }

  /** Show a stretch, within the profile and not shorter than can be told apart. */
  show(from, to) {
    const span = Math.min(Math.max(to - from, LEAST_NS), this.whole);
    const middle = (from + to) / 2;
    const begin = Math.min(Math.max(middle - span / 2, 0), this.whole - span);
    this.from = begin;
    this.to = begin + span;
    this.onchange();
  }

  zoom(factor, x = this.width / 2) {
    const span = Math.min(Math.max((this.to - this.from) * factor, LEAST_NS), this.whole);
    const from = this.ns(x) - (x / this.width) * span;
    this.show(from, from + span);
  }

  pan(pixels) {
    const ns = (pixels / this.width) * (this.to - this.from);
    this.show(this.from + ns, this.to + ns);
  }

  /** Show an event with room around it. */
  fit(start, duration) {
    const room = Math.max(duration, LEAST_NS);
    this.show(start - room, start + duration + room);
  }
}
