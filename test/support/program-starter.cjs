// Starts programs for a test worker, one after the other, until the worker is gone. See small-forks.ts.
const programs = require("node:child_process");
const { openSync, readSync, writeSync } = require("node:fs");
const { deserialize, serialize } = require("node:v8");

const [, , requests, answers] = process.argv;
const from = openSync(requests, "r");
const to = openSync(answers, "w");

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(from, bytes, at, length - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return bytes;
}

/** An error's own properties, which a copy of it would lose. */
const fieldsOf = (error) => error && { ...error, message: error.message };

function run({ name, args }) {
  try {
    const value = programs[name](...args);
    return name === "spawnSync"
      ? { value: { ...value, error: undefined }, error: fieldsOf(value.error) }
      : { value };
  } catch (error) {
    return { thrown: { ...fieldsOf(error), error: undefined } };
  }
}

for (;;) {
  const answer = serialize(run(deserialize(read(read(4).readUInt32LE()))));
  const all = Buffer.alloc(4 + answer.length);
  all.writeUInt32LE(answer.length);
  answer.copy(all, 4);
  for (let at = 0; at < all.length; ) at += writeSync(to, all, at);
}
