// Numbers as people read them.

const TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
const BYTES = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];
const FLOPS = [[1e15, "PFLOP"], [1e12, "TFLOP"], [1e9, "GFLOP"], [1e6, "MFLOP"], [1e3, "kFLOP"], [1, "FLOP"]];

function withUnit(value, units) {
  const size = Math.abs(value);
  if (!size) return "0";
  const [unit, name] = units.find(([least]) => size >= least) ?? units.at(-1);
  return `${digits(value / unit)} ${name}`;
}

function digits(value) {
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  const places = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toFixed(places);
}

export const time = (ns) => withUnit(ns, TIMES);
export const bytes = (count) => withUnit(count, BYTES);
export const flops = (count) => (count ? withUnit(count, FLOPS) : "–");
export const count = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : digits(value));
export const percent = (part, whole) => (whole ? `${part ? digits((100 * part) / whole) : 0} %` : "–");
/** A count with its noun, which has an s where there are several. */
export const counted = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
export const signed = (text, value) => (value > 0 ? `+${text}` : text);

/** Labels of times on an axis, in one unit and with as many digits as tell neighbours apart. */
export function timeLabels(places) {
  const [unit, name] = TIMES.find(([least]) => Math.abs(places.at(-1)) >= least) ?? TIMES.at(-1);
  const step = places.length > 1 ? places[1] - places[0] : unit;
  const digitsBehind = Math.min(Math.max(Math.ceil(Math.log10(unit / step) - 1e-9), 0), 9);
  return places.map((ns) => (ns ? `${(ns / unit).toLocaleString("en", { minimumFractionDigits: digitsBehind, maximumFractionDigits: digitsBehind })} ${name}` : "0"));
}

/** Where labels of an axis stand: round numbers, about as many as asked for. */
export function ticks(from, to, wanted) {
  const rough = (to - from) / Math.max(wanted, 1);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const places = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) places.push(at);
  return places;
}
