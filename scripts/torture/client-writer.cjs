// Writes as the client does: proper-lockfile, inboxes by rename, tasks in place. argv: what, path, name, times.
const fs = require("node:fs");
const { join } = require("node:path");
const lockfile = require("proper-lockfile");

const [what, path, name, times] = process.argv.slice(2);
const retryTransient = { retries: { retries: 400, minTimeout: 5, maxTimeout: 50 } };

async function append(n) {
  const release = await lockfile.lock(path, retryTransient);
  const entries = JSON.parse(fs.readFileSync(path, "utf8"));
  const timestamp = new Date().toISOString();
  entries.push({ from: name, text: `${name} ${n}`, timestamp, read: false, type: "message", msgV: 1 });
  const temp = `${path}.tmp.${process.pid.toString(16).padStart(8, "0")}`;
  fs.writeFileSync(temp, JSON.stringify(entries, null, 2));
  fs.renameSync(temp, path);
  await release();
}

async function create(n) {
  const lock = join(path, ".lock");
  if (!fs.existsSync(lock)) fs.writeFileSync(lock, "");
  const release = await lockfile.lock(lock, retryTransient);
  const ids = fs.readdirSync(path).flatMap((file) => /^(\d+)\.json$/.exec(file)?.[1] ?? []);
  const id = String(Math.max(0, ...ids.map(Number)) + 1);
  const task = { id, subject: `${name} ${n}`, description: "", status: "pending", blocks: [], blockedBy: [] };
  fs.writeFileSync(join(path, `${id}.json`), JSON.stringify(task, null, 2));
  await release();
}

(async () => {
  for (let n = 0; n < Number(times); n++) {
    await (what === "inbox" ? append(n) : create(n));
    fs.writeSync(1, `${name} ${n}\n`);
  }
})();
