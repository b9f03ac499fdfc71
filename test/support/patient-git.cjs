// On a busy machine git takes longer than hooks wait for it. The machine's own git has all the time it needs in tests; one that a test
// puts in its place, by a PATH without the machine's, is ended at the limit as ever.
const programs = require("node:child_process");
const { syncBuiltinESMExports } = require("node:module");

const INSTALLED = Symbol.for("swarm.patient-git");
const ENOUGH_MS = 50_000;

function install() {
  const path = process.env["PATH"] ?? "";
  const start = programs.spawnSync;
  const isPatient = (file, { timeout, env = process.env } = {}) =>
    file === "git" && timeout !== undefined && (env["PATH"] ?? path).endsWith(path);
  programs.spawnSync = (...given) => {
    const [file, words, options] = given;
    return isPatient(file, options)
      ? start(file, words, { ...options, timeout: Math.max(options.timeout, ENOUGH_MS) })
      : start(...given);
  };
  syncBuiltinESMExports();
}

if (!globalThis[INSTALLED]) {
  globalThis[INSTALLED] = true;
  install();
}
