// Loaded into a real process by `node --require`: makes file calls fail or the process die inside one, or lets its clock jump.
// SWARM_FAULT: {root, calls, from, sticky, act, note}; SWARM_CLOCK: {start, everyMs, offsets}.
const fs = require("node:fs");

const CHANGES = [
  "writeFileSync",
  "renameSync",
  "mkdirSync",
  "rmdirSync",
  "rmSync",
  "utimesSync",
  "openSync",
  "writeSync",
  "fsyncSync",
  "chmodSync",
  "unlinkSync",
  "copyFileSync",
  "linkSync",
];
const LOOKS = ["readFileSync", "statSync", "readdirSync", "readSync", "realpathSync", "lstatSync"];

const stop = () => {
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
};

const broken = (code, call, path) =>
  Object.assign(new Error(`${code}: injected, ${call} '${path}'`), { code, syscall: call, path });

/** Half of what was to be written, as a full disk or a death in mid-write leaves it. */
const half = (args) => {
  const [where, content, ...rest] = args;
  const bytes = Buffer.from(content);
  return [where, bytes.subarray(0, bytes.length >> 1), ...(typeof content === "string" ? rest : [])];
};

function inject({ root, calls = "changes", from, sticky = false, act, note }) {
  const names = Array.isArray(calls) ? calls : calls === "all" ? [...CHANGES, ...LOOKS] : CHANGES;
  const open = new Set();
  let depth = 0;
  let seen = 0;
  const seenCalls = [];
  const concerns = (first) =>
    typeof first === "number" ? open.has(first) : String(first ?? "").startsWith(root);
  for (const name of names) {
    const real = fs[name];
    fs[name] = Object.assign(function (...args) {
      if (depth > 0 || !concerns(args[0])) return real.apply(this, args);
      depth++;
      try {
        seen++;
        seenCalls.push(`${name} ${args[0]}`);
        if (seen === from || (sticky && seen > from)) return fault(name, real, args);
        const result = real.apply(this, args);
        if (name === "openSync") open.add(result);
        return result;
      } finally {
        depth--;
      }
    }, real);
  }
  function fault(name, real, args) {
    const isWrite = name === "writeFileSync" || name === "writeSync";
    if (act === "kill-before") stop();
    if (act === "kill-half") {
      real.apply(fs, isWrite ? half(args) : args);
      stop();
    }
    if (act === "ENOSPC" && isWrite) real.apply(fs, half(args));
    throw broken(act, name, args[0]);
  }
  if (note) atEnd(() => fs.writeFileSync(note, JSON.stringify(seenCalls)));
}

/** A hook before a tool leaves without the event. */
function atEnd(act) {
  const { reallyExit } = process;
  process.on("exit", act);
  process.reallyExit = (code) => {
    act();
    reallyExit.call(process, code);
  };
}

/** One clock for all processes, that of a machine whose time is set again and again: files carry its times too. */
function setClock({ start, everyMs, offsets, keepsTimes = false }) {
  const RealDate = Date;
  const offsetAt = (real) => {
    const turn = Math.max(0, Math.floor((real - start) / everyMs));
    return offsets[turn % offsets.length];
  };
  const now = () => RealDate.now() + offsetAt(RealDate.now());
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length === 0 ? [now()] : args));
    }
    static now = now;
  };
  if (keepsTimes) return;
  const { statSync, utimesSync } = fs;
  fs.statSync = (...args) => {
    const stat = statSync(...args);
    if (stat) Object.defineProperty(stat, "mtimeMs", { value: stat.mtimeMs + offsetAt(stat.mtimeMs) });
    return stat;
  };
  fs.utimesSync = (path, _atime, mtime) => {
    const real = new RealDate(Number(mtime) - offsetAt(RealDate.now()));
    return utimesSync(path, real, real);
  };
}

if (process.env.SWARM_CLOCK) setClock(JSON.parse(process.env.SWARM_CLOCK));
if (process.env.SWARM_FAULT) inject(JSON.parse(process.env.SWARM_FAULT));

module.exports = { CHANGES };
