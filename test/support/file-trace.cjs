// Loaded into a real process by `node --require`: notes what it syncs, renames and says in the file that SWARM_TRACE names. With
// SWARM_TRACE_KILL it gets SIGTERM at the first rename after it has answered.
const fs = require("node:fs");

const calls = [];
const opened = new Map();
const { openSync, fsyncSync, renameSync, writeSync, writeFileSync } = fs;
const whole = (path) => String(path).replace(/\.tmp\.[0-9a-f]+-[0-9a-f]+$/, "");

fs.openSync = (path, ...rest) => {
  const fd = openSync.call(fs, path, ...rest);
  opened.set(fd, whole(path));
  return fd;
};
fs.fsyncSync = (fd) => {
  fsyncSync.call(fs, fd);
  calls.push(`sync ${opened.get(fd)}`);
};
fs.renameSync = (from, to) => {
  if (process.env.SWARM_TRACE_KILL && calls.includes("say")) process.kill(process.pid, "SIGTERM");
  renameSync.call(fs, from, to);
  calls.push(`rename ${to}`);
};
fs.writeSync = (fd, ...rest) => {
  if (fd === 1) calls.push("say");
  return writeSync.call(fs, fd, ...rest);
};

process.on("exit", () => writeFileSync(process.env.SWARM_TRACE, calls.join("\n")));
