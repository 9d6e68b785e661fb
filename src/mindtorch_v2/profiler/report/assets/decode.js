// The data of the page: base64, gzip, then a length, JSON, and typed arrays end to end.

const ALIGNMENT = 8;
const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

/** Everything the page shows; arrays stand where the JSON describes them. */
export async function readData(element) {
  const text = element.textContent;
  element.textContent = "";
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const facts = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, ALIGNMENT, length)));
  return withArrays(facts, buffer, ALIGNMENT + length);
}

function withArrays(value, buffer, first) {
  if (typeof value === "string") return visible(value);
  if (!value || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => withArrays(item, buffer, first));
  if (isArray(value)) return readArray(value, buffer, first);
  for (const [key, item] of Object.entries(value)) value[key] = withArrays(item, buffer, first);
  return value;
}

const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters that cannot be seen, or that turn text around, as Python writes them. */
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return ESCAPES[character] ?? (code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`);
  });
}

function isArray(value) {
  return "offset" in value && "length" in value && value.type in TYPES;
}

function readArray({ type, length, offset, delta, base }, buffer, first) {
  const stored = new TYPES[type](buffer, first + offset, length);
  if (!delta && base === 0) return stored;
  const values = new Float64Array(length);
  let sum = 0;
  for (let i = 0; i < length; i++) {
    sum = (delta ? sum : 0) + stored[i] + base;
    values[i] = sum;
  }
  return values;
}
