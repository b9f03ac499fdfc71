// Preloaded into a hook run from source: notes each file of lib/ when one of its functions is first called from another file.
// A payload's way begins with `runHook`: calls while modules are loaded (declarations of settings, schemas and tables) do not count.
// Nor do calls that no export of a file receives: a schema's parser or a handler's closure that is held in an object.
const { Module } = require("node:module");
const { appendFileSync } = require("node:fs");
const { relative } = require("node:path");

const root = process.env.SWARM_WALK_ROOT;
const START = { file: "lib/hook/run.ts", name: "runHook" };
const seen = new Set();
let isRunning = false;
const wrappers = new WeakMap();

function note(file) {
  if (!isRunning || seen.has(file)) return;
  seen.add(file);
  appendFileSync(process.env.SWARM_WALK_OUT, `${file}\n`);
}

function recorded(exports, file) {
  return new Proxy(exports, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== "function") return value;
      if (!wrappers.has(value))
        wrappers.set(
          value,
          new Proxy(value, {
            apply(fn, self, args) {
              isRunning ||= file === START.file && name === START.name;
              note(file);
              return Reflect.apply(fn, self, args);
            },
          }),
        );
      return wrappers.get(value);
    },
  });
}

const load = Module.prototype.require;
Module.prototype.require = function (id) {
  const exports = load.call(this, id);
  if (!id.startsWith(".") || typeof exports !== "object") return exports;
  const file = relative(root, Module._resolveFilename(id, this));
  return file.startsWith("lib/") ? recorded(exports, file) : exports;
};
