// Perfetto's trace processor under Node: loads a trace, answers queries in SQL, prints the answers as JSON.
//   node trace_processor.cjs FOLDER TRACE QUERY...
// FOLDER holds Perfetto's engine_bundle.js and its WebAssembly. The bundle is a worker that speaks a protocol of
// protobuf messages over a port; here the port is a pair of functions.
const fs = require("fs");
const path = require("path");
const vm = require("vm");

process.on("uncaughtException", error => {  // without the line, which is the whole bundle
  process.stderr.write(`${error.message}\n${error.stack.slice(0, 2000)}`, () => process.exit(1));
});
const [folder, trace, ...queries] = process.argv.slice(2);
const METHODS = { append: 1, finish: 2, query: 3 };
const FIELDS = { method: 2, data: 101, query: 103, appended: 201, answer: 203 };

// The little of a browser's worker that the bundle asks for; nothing in it looks like Node.
const self = {
  location: { href: "file:///engine_bundle.js" },
  console: { log: tell, warn: tell, error: tell },
  WorkerGlobalScope: class {},
  XMLHttpRequest: class {
    open(_, url) { this.url = url; }
    send() { this.response = fs.readFileSync(path.join(folder, path.basename(this.url))); }
  },
  ...{ TextDecoder, TextEncoder, URL, crypto, performance, setTimeout },
};
self.self = self;

function tell(...words) { process.stderr.write(words.join(" ") + "\n"); }

function varint(value) {
  const bytes = [];
  for (let left = BigInt(value); ; left >>= 7n) {
    const low = Number(left & 127n);
    if (left < 128n) return Buffer.from([...bytes, low]);
    bytes.push(low | 128);
  }
}
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);

class Reader {
  constructor(data) { this.data = data; this.at = 0; }
  get more() { return this.at < this.data.length; }
  varint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.data[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  field() {
    const key = Number(this.varint());
    const kind = key & 7;
    if (kind === 0) return [key >> 3, this.varint()];
    const length = kind === 2 ? Number(this.varint()) : kind === 1 ? 8 : 4;
    this.at += length;
    return [key >> 3, this.data.subarray(this.at - length, this.at)];
  }
}

function eachField(data, take) {
  for (const reader = new Reader(data); reader.more;) take(...reader.field());
}

function readBatch(data, cells) {
  const kinds = [], numbers = [], floats = [], texts = [];
  eachField(data, (field, value) => {
    if (field === 1) kinds.push(...value);
    else if (field === 2) for (const reader = new Reader(value); reader.more;) numbers.push(reader.varint());
    else if (field === 3) for (let at = 0; at < value.length; at += 8) floats.push(value.readDoubleLE(at));
    else if (field === 5) texts.push(...value.toString("utf8").split("\0").slice(0, -1));
  });
  numbers.reverse(); floats.reverse(); texts.reverse();
  for (const kind of kinds)
    cells.push(kind === 2 ? Number(BigInt.asIntN(64, numbers.pop())) : kind === 3 ? floats.pop()
      : kind === 4 ? texts.pop() : null);
}

const answers = [];
let answer = null, failed = null, sequence = 0;
function hear(message) {
  eachField(Buffer.from(message), (_, rpc) => eachField(rpc, (field, value) => {
    if (field === 5) failed = value.toString();
    if (field === FIELDS.appended) eachField(value, (part, text) => { if (part === 2) failed = text.toString(); });
    if (field === FIELDS.answer) eachField(value, (part, data) => {
      if (part === 1) answer.columns.push(data.toString());
      if (part === 2 && data.length) answer.error = data.toString();
      if (part === 3) readBatch(data, answer.cells);
    });
  }));
}

vm.createContext(self);
vm.runInContext(fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8"), self);
const Bytes = vm.runInContext("Uint8Array", self);
setTimeout(() => {
  const port = { postMessage: hear };
  self.onmessage({ data: port });
  const ask = (method, ...more) => {
    const rpc = Buffer.concat([number(1, ++sequence), number(FIELDS.method, method), ...more]);
    port.onmessage({ data: new Bytes(bytes(1, rpc)) });
  };
  ask(METHODS.append, bytes(FIELDS.data, fs.readFileSync(trace)));
  ask(METHODS.finish);
  for (const query of queries) {
    answers.push(answer = { columns: [], cells: [] });
    ask(METHODS.query, bytes(FIELDS.query, bytes(1, Buffer.from(query))));
  }
  process.stdout.write(JSON.stringify({ failed, answers }), () => process.exit(0));
}, 0);
