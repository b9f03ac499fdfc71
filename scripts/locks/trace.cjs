// Loaded into a real process by `node --require`: notes every lock it takes, how long it waited for it and held it, and what it did
// meanwhile that others should not have to wait for. One JSON line a process, at the end of the file that SWARM_LOCK_TRACE names.
const fs = require("node:fs");
const child = require("node:child_process");

const out = process.env.SWARM_LOCK_TRACE;
const holds = [];
const slow = [];
const held = new Map();
const waiting = new Map();
const { mkdirSync, rmdirSync, appendFileSync } = fs;

const isLock = (path) => typeof path === "string" && path.endsWith(".lock");

fs.mkdirSync = (path, ...rest) => {
  if (!isLock(path)) return mkdirSync.call(fs, path, ...rest);
  const now = performance.now();
  if (!waiting.has(path)) waiting.set(path, now);
  const made = mkdirSync.call(fs, path, ...rest);
  held.set(path, { path, waitedMs: now - waiting.get(path), from: performance.now(), bytes: 0 });
  waiting.delete(path);
  return made;
};

fs.rmdirSync = (path, ...rest) => {
  const removed = rmdirSync.call(fs, path, ...rest);
  const hold = held.get(path);
  if (hold) {
    held.delete(path);
    const { from, ...kept } = hold;
    holds.push({ ...kept, ms: performance.now() - from });
  }
  return removed;
};

function noteSlow(what) {
  for (const { path } of held.values()) slow.push({ what, path });
}

const noteBytes = (count) => {
  for (const hold of held.values()) hold.bytes += count;
};

for (const name of ["readFileSync", "readdirSync", "readlinkSync", "openSync", "writeFileSync"]) {
  const real = fs[name];
  fs[name] = (path, ...rest) => {
    if (held.size === 0) return real.call(fs, path, ...rest);
    if (String(path).startsWith("/proc/")) noteSlow(`${name} ${path}`);
    const result = real.call(fs, path, ...rest);
    noteBytes((name === "writeFileSync" ? rest[0] : result)?.length ?? 0);
    return result;
  };
}

for (const name of ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "execSync", "fork"]) {
  const real = child[name];
  child[name] = (program, ...rest) => {
    if (held.size > 0) noteSlow(`${name} ${program} ${Array.isArray(rest[0]) ? rest[0].join(" ") : ""}`);
    return real.call(child, program, ...rest);
  };
}

process.on("exit", () => {
  if (holds.length + slow.length + held.size === 0) return;
  const left = [...held.keys()];
  appendFileSync(out, `${JSON.stringify({ argv: process.argv.slice(1), holds, slow, left })}\n`);
});
