import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync, utimesSync } from "node:fs";
import lockfile from "proper-lockfile";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { writeJson } from "../../lib/core/files.ts";
import { isLocked, STALE_AFTER_MS, WATCHED_MS, withLock } from "../../lib/core/lock.ts";
import { elapsedMs, shared, sleepSync, takeProblems } from "../../lib/core/process.ts";
import { aHome } from "../support/a-home.ts";
import { failing, onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";
import { insteadOfFs } from "../support/instead-of-fs.ts";
import { withWaits } from "../support/own-time.ts";

beforeEach(virtualTime);

const longAgo = (path: string) => {
  const old = (Date.now() - STALE_AFTER_MS - 5_000) / 1000;
  utimesSync(path, old, old);
};

test("the work runs under the lock, and the lock is gone afterwards", () => {
  const home = aHome();
  const path = home.path("x.json");
  const mode = withLock(path, () => statSync(home.path("x.json.lock")).mode & 0o777);
  expect(mode).toBe(0o700);
  expect(home.has("x.json.lock")).toBe(false);
});

test("a caller that does not wait gets a lock that is free, also in a directory that has yet to be made", () => {
  const home = aHome();
  expect(withLock(home.path("new/x.json"), () => "done", 0)).toBe("done");
  mkdirSync(home.path("new/x.json.lock"));
  expect(() => withLock(home.path("new/x.json"), () => "done", 0)).toThrow(/is held/);
});

test("a lock held by another gives up at its time with an error that names it", () => {
  const home = aHome();
  mkdirSync(home.path("x.json.lock"));
  const before = elapsedMs();
  expect(() => withLock(home.path("x.json"), () => 1, 120)).toThrow(/x\.json\.lock is held/);
  expect(elapsedMs() - before).toBeGreaterThanOrEqual(120);
  expect(home.has("x.json.lock")).toBe(true);
});

test("while it waits it looks, and tries to take the lock only where that is gone", () => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  mkdirSync(lock);
  const tries: string[] = [];
  onFileCalls((name, [path]) => {
    if (name === "mkdirSync" && path === lock) tries.push(name);
  });
  expect(() => withLock(home.path("x.json"), () => 1, 120)).toThrow(/is held/);
  expect(tries).toHaveLength(1);
});

test.each([2, 3, 4])("a lock that its holder releases before our look number %i is taken", (look) => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  mkdirSync(lock);
  let looks = 0;
  onFileCalls((name, [path]) => {
    if (name === "statSync" && path === lock && ++looks === look) rmdirSync(lock);
  });
  expect(withLock(home.path("x.json"), () => "done", 120)).toBe("done");
});

test("a lock left behind is broken and reported", () => {
  const home = aHome();
  takeProblems();
  mkdirSync(home.path("x.json.lock"));
  longAgo(home.path("x.json.lock"));
  expect(withLock(home.path("x.json"), () => "done", 600)).toBe("done");
  expect(takeProblems()).toEqual([expect.stringContaining("left behind")]);
  expect(home.has("x.json.lock.breaking")).toBe(false);
});

test("a lock is stale after the ten seconds of proper-lockfile, whose holders renew it every five", () =>
  expect(STALE_AFTER_MS).toBe(10_000));

test.each([
  ["nine seconds are a pause of its holder", 9, false],
  ["eleven seconds are its death", 11, true],
])("the age of a lock, in numbers that the client shares: %s", (_, seconds, isBroken) => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  mkdirSync(lock);
  const then = Date.now() / 1000 - seconds;
  utimesSync(lock, then, then);
  const take = () => withLock(home.path("x.json"), () => "done", 600);
  if (isBroken) expect(take()).toBe("done");
  else expect(take).toThrow(/is held/);
});

test("an old file in a lock's place is an error at once, not another process to wait for", () => {
  const home = aHome();
  longAgo(home.write("x.json.lock", ""));
  const take = () => expect(() => withLock(home.path("x.json"), () => 1, 15_000)).toThrow("ENOTDIR");
  expect(withWaits(take).waitedMs).toBeLessThan(WATCHED_MS + 1_000);
  expect(home.has("x.json.lock")).toBe(true);
});

test("a lock that looks old is watched before it is broken, and left to a holder who gives a sign of life", () => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  mkdirSync(lock);
  longAgo(lock);
  const take = () => withLock(home.path("x.json"), () => 1, WATCHED_MS / 2);
  expect(take).toThrow(/is held/);
  expect(home.has("x.json.lock")).toBe(true);
});

test("no lock is waited for beyond the deadline of the run", () => {
  const home = aHome();
  mkdirSync(home.path("x.json.lock"));
  onTestFinished(() => {
    shared().deadline = Number.POSITIVE_INFINITY;
  });
  shared().deadline = elapsedMs() + 50;
  const before = elapsedMs();
  expect(() => withLock(home.path("x.json"), () => 1, 60_000)).toThrow(/is held/);
  expect(elapsedMs() - before).toBeLessThan(30_000);
});

test("a holder that was stopped just before its rename cannot undo what came after it", () => {
  const home = aHome();
  const path = home.write("x.json", ["old"]);
  const write = () =>
    withLock(path, (held) =>
      writeJson(path, ["old", "mine"], {
        beforeRename: () => {
          held.check();
          longAgo(`${path}.lock`); // here it sleeps for a minute, and another process takes over
          withLock(path, () => writeJson(path, ["old", "theirs"]), 600);
        },
      }),
    );
  expect(write).toThrow(/ENOENT/);
  expect(home.json("x.json")).toEqual(["old", "theirs"]);
});

test("a lock of the future, made before the clock was set back, ages from now on", () => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  mkdirSync(lock);
  const inAnHour = Date.now() / 1000 + 3_600;
  utimesSync(lock, inAnHour, inAnHour);
  expect(() => withLock(home.path("x.json"), () => 1, 50)).toThrow(/is held/);
  expect(Math.abs(Date.now() - statSync(lock).mtimeMs)).toBeLessThan(STALE_AFTER_MS / 2);
});

test("while another breaks it, a stale lock is left to that one, as long as it takes", () => {
  const home = aHome();
  mkdirSync(home.path("x.json.lock"));
  longAgo(home.path("x.json.lock"));
  mkdirSync(home.path("x.json.lock.breaking"));
  expect(() => withLock(home.path("x.json"), () => 1, 5_000)).toThrow(/is held/);
  expect(home.has("x.json.lock.breaking")).toBe(true);
});

test("a breaker that looks dead is watched for a second first: two of them would break a third process's lock", () => {
  const home = aHome();
  for (const name of ["x.json.lock", "x.json.lock.breaking"]) {
    mkdirSync(home.path(name));
    longAgo(home.path(name));
  }
  expect(() => withLock(home.path("x.json"), () => 1, 700)).toThrow(/is held/);
  expect(home.has("x.json.lock.breaking")).toBe(true);
});

test("a breaker that died is itself broken", () => {
  const home = aHome();
  for (const name of ["x.json.lock", "x.json.lock.breaking"]) {
    mkdirSync(home.path(name));
    longAgo(home.path(name));
  }
  expect(withLock(home.path("x.json"), () => "done", 3_000)).toBe("done");
});

/** A lock that its holder left behind, and a file that it was about to rename into place. */
function aStaleLock() {
  const home = aHome();
  const lock = home.path("x.json.lock");
  mkdirSync(lock);
  longAgo(lock);
  return { home, lock, pending: home.write("x.json.tmp.1a-1", "{}") };
}
const takeStale = (lock: string, waitMs = 600) =>
  withLock(lock.slice(0, -".lock".length), () => "done", waitMs);

test("what a holder was about to rename is gone before its lock is, and nothing else is", () => {
  const { home, lock } = aStaleLock();
  const others = ["x.json", "x.json.tmp.notes", "y.json.tmp.1a-1"];
  for (const name of others) home.write(name, "{}");
  const seen: string[][] = [];
  onFileCalls((name, [path]) => {
    if (name === "rmdirSync" && path === lock) seen.push(readdirSync(home.root));
  });
  expect(takeStale(lock)).toBe("done");
  expect(seen[0]).toEqual(expect.arrayContaining(others));
  expect(seen[0]).not.toContain("x.json.tmp.1a-1");
});

test("what a holder writes while its lock is being broken is not renamed either", () => {
  const { home, lock, pending } = aStaleLock();
  onFileCalls((name, [path]) => {
    if (name === "rmdirSync" && path === lock) home.write("x.json.tmp.1a-2", "{}");
  });
  const left = withLock(home.path("x.json"), () => readdirSync(home.root), 600);
  expect(left.filter((name) => name.includes(".tmp."))).toEqual([]);
  expect(left).not.toContain(pending);
});

test("a holder that gives a sign of life while it is being broken keeps its lock", () => {
  const { lock, pending } = aStaleLock();
  const { birthtimeMs } = statSync(lock);
  onFileCalls((name, [path]) => {
    if (name === "unlinkSync" && path === pending) utimesSync(lock, new Date(), new Date());
  });
  expect(() => takeStale(lock)).toThrow(/is held/);
  expect(statSync(lock).birthtimeMs).toBe(birthtimeMs);
});

test("of two breakers the second leaves the new holder its lock and what that is about to rename", () => {
  const { home, lock } = aStaleLock();
  onFileCalls((name, [path]) => {
    if (name !== "mkdirSync" || path !== `${lock}.breaking` || Date.now() - statSync(lock).mtimeMs < 1_000)
      return;
    rmdirSync(lock);
    mkdirSync(lock);
  });
  expect(() => takeStale(lock)).toThrow(/is held/);
  expect([home.has("x.json.lock"), home.has("x.json.tmp.1a-1")]).toEqual([true, true]);
});

test("of two breakers the second reports nothing where the first has removed the lock", () => {
  const { home, lock } = aStaleLock();
  takeProblems();
  onFileCalls((name, [path]) => {
    if (name === "mkdirSync" && path === `${lock}.breaking`) rmdirSync(lock);
  });
  expect(takeStale(lock)).toBe("done");
  expect(takeProblems()).toEqual([]);
  expect(home.has("x.json.lock.breaking")).toBe(false);
});

test("a lock that is broken at the last moment is still taken", () => {
  const { lock } = aStaleLock();
  onFileCalls((name, [path]) => {
    if (name === "rmdirSync" && path === lock) sleepSync(600);
  });
  expect(takeStale(lock, 600)).toBe("done");
});

test("the directory of a lock is made; another process that locks there first keeps its lock", () => {
  const home = aHome();
  const make = (path: unknown) => mkdirSync(String(path), { recursive: true, mode: 0o700 });
  expect(withLock(home.path("a/x.json"), () => statSync(home.path("a")).mode & 0o777)).toBe(0o700);
  onFileCalls((name, [path]) => {
    if (name === "mkdirSync" && path === home.path("b")) make(home.path("b/x.json.lock"));
  });
  expect(() => withLock(home.path("b/x.json"), () => 1, 50)).toThrow(/is held/);
  expect(home.has("b/x.json.lock")).toBe(true);
});

test("a lock that was taken while the clock jumped is not relied on", () => {
  const home = aHome();
  const { now } = Date;
  let jumped = 0;
  onTestFinished(() => {
    Date.now = now;
  });
  Date.now = () => now() + jumped;
  onFileCalls((name) => {
    if (name === "mkdirSync") jumped = STALE_AFTER_MS;
  });
  expect(() => withLock(home.path("x.json"), () => 1, 50)).toThrow(/is held/);
});

test.each<[string, string, number, string, number | undefined, string]>([
  ["another process removed it first", "rmdirSync", 1, "ENOENT", undefined, "done"],
  ["it is gone before it is made younger", "utimesSync", 1, "ENOENT", 3_600, "is held"],
  ["it may not be made younger", "utimesSync", 1, "EPERM", 3_600, "EPERM"],
  ["the disk is busy", "mkdirSync", 1, "EBUSY", undefined, "EBUSY"],
])("%s: %s fails %i times with %s", (_, name, times, code, inSeconds, expected) => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  if (inSeconds !== undefined) {
    mkdirSync(lock);
    utimesSync(lock, Date.now() / 1000 + inSeconds, Date.now() / 1000 + inSeconds);
  }
  failing(name, code, times);
  const take = () => withLock(home.path("x.json"), () => "done", 50);
  if (expected === "done") expect(take()).toBe("done");
  else expect(take).toThrow(expected);
});

test("on Windows a lock that is just being removed is waited for, and no other error is", () => {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
  });
  const home = aHome();
  failing("mkdirSync", "EPERM", 2);
  expect(withLock(home.path("x.json"), () => "done", 500)).toBe("done");
  failing("mkdirSync", "EROFS", 1);
  expect(() => withLock(home.path("x.json"), () => "done", 500)).toThrow("EROFS");
});

test("a process that lost the lock notices before writing, and does not remove the new holder's", () => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  expect(() =>
    withLock(home.path("x.json"), (held) => {
      // Another process took it for stale: the same name, another directory.
      mkdirSync(`${lock}-new`);
      rmdirSync(lock);
      renameSync(`${lock}-new`, lock);
      held.check();
    }),
  ).toThrow(/was lost/);
  expect(statSync(lock).isDirectory()).toBe(true);
});

test("a new holder is recognised even where the file system uses the same number again", () => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  const work = (held: { check(): void }) => {
    mkdirSync(`${lock}-new`);
    rmdirSync(lock);
    renameSync(`${lock}-new`, lock);
    held.check();
  };
  // One in memory does not, as a disk's does.
  const real = statSync;
  const withOneNumber = (path: string) => {
    const stat = real(path, { throwIfNoEntry: false });
    return stat && Object.assign(stat, { ino: 1, birthtimeMs: stat.birthtimeMs + stat.ino });
  };
  insteadOfFs({ statSync: withOneNumber }, () =>
    expect(() => withLock(home.path("x.json"), work)).toThrow(/was lost/),
  );
  expect(statSync(lock).isDirectory()).toBe(true);
});

test("a check makes the lock young again, and it is still ours", () => {
  const home = aHome();
  const lock = home.path("x.json.lock");
  withLock(home.path("x.json"), (held) => {
    longAgo(lock);
    held.check();
    expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(STALE_AFTER_MS / 2);
    held.check();
  });
  expect(home.has("x.json.lock")).toBe(false);
});

test("proper-lockfile keeps us out", async () => {
  const home = aHome();
  const path = home.write("x.json", "[]");
  const release = await lockfile.lock(path);
  expect(() => withLock(path, () => 1, 100)).toThrow(/is held/);
  await release();
  expect(withLock(path, () => "ours")).toBe("ours");
});

test("we keep proper-lockfile out", async () => {
  const home = aHome();
  const path = home.write("x.json", "[]");
  const refused = withLock(path, () => {
    try {
      lockfile.lockSync(path);
      return "taken";
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
  expect(refused).toBe("ELOCKED");
  await (await lockfile.lock(path))();
});

test.each([
  ["it is held", { code: "ELOCKED" }, true],
  ["it was lost", { code: "ELOCKLOST" }, true],
  ["a breaker removed our temporary file", { code: "ENOENT", syscall: "rename" }, true],
  ["a directory is missing", { code: "ENOENT", syscall: "open" }, false],
  ["the target may not be replaced", { code: "EACCES", syscall: "rename" }, false],
])("whether a lock is the reason: %s", (_, fields, expected) =>
  expect(isLocked(Object.assign(new Error("x"), fields))).toBe(expected),
);

test("a lock that is broken while its holder makes it young again is lost, which callers take as locked", () => {
  const home = aHome();
  const path = home.path("x.json");
  const lock = `${path}.lock`;
  onFileCalls((name, [at]) => {
    if (name === "utimesSync" && at === lock) rmdirSync(lock);
  });
  let thrown: unknown;
  try {
    withLock(path, (held) => writeJson(path, ["x"], { beforeRename: held.check }));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "ELOCKLOST" });
  expect(isLocked(thrown)).toBe(true);
  expect(home.has("x.json")).toBe(false);
});
