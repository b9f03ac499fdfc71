// tmux and kitty, each a shell script that notes its words and gives a set answer; programs and processes in the background for real.
import childProcess, { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { chmodSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { closeWindow, openWindow, readWindows } from "../../lib/system/kitty.ts";
import { signal, startOf } from "../../lib/system/processes.ts";
import { readClient, startHelper, startInBackground } from "../../lib/system/programs.ts";
import {
  closePane,
  letPaneClose,
  type Opening,
  openPane,
  type Place,
  processInPane,
  readPanes,
  readScreen,
  readServerEnvironment,
  setPaneOptions,
  socketOf,
  typeLine,
} from "../../lib/system/tmux.ts";
import { aHome, type Home } from "../support/a-home.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});
afterEach(() => vi.unstubAllEnvs());

/** `answers` is a shell `case` over all its words. */
function aProgram(name: string, answers: string): void {
  const script = `#!/bin/sh\nprintf '%s\\037' "$@" >> ${home.path("asked")}; echo >> ${home.path("asked")}\ncase "$*" in\n${answers}\nesac\n`;
  chmodSync(home.write(`bin/${name}`, script), 0o755);
  vi.stubEnv("PATH", `${home.path("bin")}:/usr/bin:/bin`);
}
const asked = () =>
  (home.has("asked") ? home.read("asked") : "")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\u001f").slice(0, -1));
const verbs = () => asked().map((words) => words.find((word) => /^[a-z]+-[a-z]+$/.test(word)));

const opening: Opening = {
  ...{ program: "claude", args: ["--x", "a b;"], cwd: "/a#b", title: "bob", mark: "t/bob" },
  ...{ set: { A: "1 2" }, unset: ["B"] },
};

describe("tmux", () => {
  const SERVER = { socket: "/s" };
  const MADE = "*split-window*|*new-window*|*new-session*) echo '%7 4711 /s o';;";

  test.each<[string, Place, string[]]>([
    [
      "beside",
      { kind: "beside", pane: "%1", down: false, bordered: false },
      ["split-window", "-d", "-h", "-t", "%1"],
    ],
    [
      "below",
      { kind: "beside", pane: "%1", down: true, bordered: false },
      ["split-window", "-d", "-v", "-t", "%1"],
    ],
    ["in a window", { kind: "window", session: "$1" }, ["new-window", "-d", "-n", "bob", "-t", "$1:"]],
    [
      "in a session",
      { kind: "session", name: "n" },
      ["new-session", "-d", "-s", "n", "-n", "bob", "-x", "200", "-y", "50"],
    ],
  ])("a pane %s, with its program as words", (_, place, words) => {
    aProgram("tmux", MADE);
    expect(openPane(SERVER, place, opening)).toEqual({ id: "%7", pid: 4711, socket: "/s o" });
    expect(asked()[0]).toEqual([
      ...["-S", "/s", ...words, "-P", "-F", "#{pane_id} #{pane_pid} #{socket_path}", "-c", "/a##b"],
      ...["-e", "A=1 2", "--", "env", "-u", "B", "claude", "--x", "a b\\;"],
    ]);
    expect(asked().slice(1, 3)).toEqual([
      ["-S", "/s", "set-option", "-p", "-t", "%7", "remain-on-exit", "on"],
      ["-S", "/s", "set-option", "-p", "-t", "%7", "@swarm", "t/bob"],
    ]);
  });

  test.each([
    [false, false, []],
    [true, false, ["select-layout"]],
    [false, true, ["if-shell"]],
    [true, true, ["if-shell", "select-layout"]],
  ])("below: %s, with borders: %s", (down, bordered, more) => {
    aProgram("tmux", MADE);
    openPane(SERVER, { kind: "beside", pane: "%1", down, bordered }, opening);
    expect(verbs().slice(3)).toEqual(more);
  });

  test("a pane too small to split gives a window of its session", () => {
    aProgram(
      "tmux",
      "*split-window*) echo 'no space for new pane' >&2; exit 1;; *display-message*) echo '$3';; *new-window*) echo '%8 1 /s';;",
    );
    expect(openPane(SERVER, { kind: "beside", pane: "%1", down: false, bordered: true }, opening).id).toBe(
      "%8",
    );
    expect(asked()[2]).toContain("$3:");
  });

  test("errors are tmux's own first line, or its status", () => {
    aProgram("tmux", "*) echo 'no such thing\nmore' >&2; exit 1;;");
    const place: Place = { kind: "window", session: "$1" };
    expect(() => openPane(SERVER, place, opening)).toThrow("tmux new-window: no such thing");
    expect(() => letPaneClose(SERVER, "%1")).toThrow("tmux set-option: no such thing");
    aProgram("tmux", "*) exit 3;;");
    expect(() => openPane(SERVER, place, opening)).toThrow("tmux new-window: status 3");
    aProgram("tmux", `*remain-on-exit*) exit 1;; ${MADE}`);
    expect(() => openPane(SERVER, place, opening)).toThrow("claude ended before a word");
  });

  test("without tmux nothing is known of panes", () => {
    vi.stubEnv("PATH", home.path("nowhere"));
    expect(readPanes(SERVER)).toBeUndefined();
  });

  test("panes by their mark", () => {
    aProgram("tmux", "*) printf '%%1 7 0 t/bob\\n%%2 8 1 \\n';;");
    expect(readPanes({})).toEqual([
      { id: "%1", pid: 7, dead: false, mark: "t/bob" },
      { id: "%2", pid: 8, dead: true, mark: "" },
    ]);
    expect(asked()[0]?.[0]).toBe("list-panes");
  });

  test("a closed pane, and the borders that no window needs any more", () => {
    aProgram("tmux", "*list-windows*) printf '@1\\n@2\\n';;");
    closePane(SERVER, "%7");
    expect(asked()[0]).toEqual(["-S", "/s", "kill-pane", "-t", "%7"]);
    expect(verbs().slice(1)).toEqual(["list-windows", "if-shell", "if-shell"]);
    expect(
      asked()
        .slice(2)
        .map((words) => words[5]),
    ).toEqual(["@1", "@2"]);
  });

  test("the screen without tmux's own line, and the server's variables", () => {
    aProgram(
      "tmux",
      "*capture-pane*) printf '\\n last words \\nPane is dead (status 1)\\n';; *show-environment*) printf 'A=1=2\\n-B\\nC=\\n';;",
    );
    expect(readScreen(SERVER, "%1")).toBe("last words");
    expect(readServerEnvironment(SERVER)).toEqual({ A: "1=2", C: "" });
  });

  test.each([
    ["the pane", "printf '%%2 7 0 \\n%%1 4711 0 \\n'", 4711],
    ["another pane", "printf '%%2 4711 0 \\n'", undefined],
    ["no pane", "printf '%%1 4711 0 \\n'; exit 1", undefined],
  ])("the process in %s", (_, answer, pid) => {
    aProgram("tmux", `*) ${answer};;`);
    expect(processInPane("/s,1,0", "%1")).toBe(pid);
    expect(asked()[0]?.slice(0, 2)).toEqual(["-S", "/s"]);
  });

  test("a line is typed as it is, then Enter", () => {
    aProgram("tmux", "never) ;;");
    expect(typeLine("/s,1,0", "%1", "-a b;")).toBe(true);
    expect(asked().map((words) => words.slice(2))).toEqual([
      ["send-keys", "-t", "%1", "-l", "--", "-a b\\;"],
      ["send-keys", "-t", "%1", "Enter"],
    ]);
    aProgram("tmux", "*-l*) exit 1;;");
    expect(typeLine("/s", "%1", "x")).toBe(false);
    aProgram("tmux", "*Enter*) exit 1;;");
    expect(typeLine("/s", "%1", "x")).toBe(false);
  });

  test.each<[string, [] | undefined]>([
    ["echo 'no server running on /s' >&2; exit 1", []],
    ["echo 'error connecting to /s (No such file or directory)' >&2; exit 1", []],
    ["echo 'error connecting to /s (Permission denied)' >&2; exit 1", undefined],
  ])("the panes of a server that says: %s", (answer, panes) => {
    aProgram("tmux", `*) ${answer};;`);
    expect(readPanes(SERVER)).toEqual(panes);
  });

  test("a pane's options are set or removed without waiting, and an unused border goes", async () => {
    aProgram("tmux", "*) ;;");
    setPaneOptions("/s,1,0", "%3", { "@swarm": "x", "pane-border-style": undefined });
    await vi.waitFor(() => expect(asked()).toHaveLength(1), { timeout: 20_000 });
    expect(asked()[0]?.slice(0, 14)).toEqual([
      ...["-S", "/s", "set-option", "-p", "-t", "%3", "@swarm", "x", ";"],
      ...["set-option", "-p", "-t", "%3", "-u"],
    ]);
    expect(asked()[0]).toContain("if-shell");
  });

  test("a server's own environment where one is given", () => {
    aProgram("tmux", '*) echo "A=$A";;');
    vi.stubEnv("A", "mine");
    expect(readServerEnvironment({ socket: "/s" })).toEqual({ A: "mine" });
    expect(readServerEnvironment({ socket: "/s", env: { A: "its", PATH: process.env["PATH"] } })).toEqual({
      A: "its",
    });
  });

  test("$TMUX begins with the socket", () => expect(socketOf("/tmp/s,12,0")).toBe("/tmp/s"));
});

describe("kitty", () => {
  const LISTED = [
    { tabs: [{ windows: [{ id: 7, pid: 4711, env: { SWARM_WINDOW: "t/bob" } }] }, {}] },
    { tabs: [{ windows: [{ id: 8, user_vars: { a: "b" } }] }] },
    {},
  ];
  const LS = `*" ls") echo '${JSON.stringify(LISTED)}';;`;

  test.each([
    [undefined, ["--type=window", "--location=vsplit"]],
    ["tab", ["--type=tab"]],
    ["window", ["--type=os-window"]],
    ["nonsense", ["--type=window", "--location=vsplit"]],
  ])("a window in mode %s", (mode, words) => {
    aProgram("kitty", `*launch*) echo 7;; ${LS}`);
    expect(openWindow("unix:/k", mode, opening)).toEqual({ id: "7", pid: 4711 });
    expect(asked()[0]).toEqual([
      ...["@", "--to", "unix:/k", "launch", ...words, "--keep-focus", "--cwd=/a#b", "--title=bob"],
      ...["--env=B", "--env=A=1 2", "--env=SWARM_WINDOW=t/bob", "--", "claude", "--x", "a b;"],
    ]);
  });

  test("a window that is not listed yet has no process yet", () => {
    aProgram("kitty", `*launch*) echo 9;; ${LS}`);
    expect(openWindow("unix:/k", "tab", opening)).toEqual({ id: "9", pid: undefined });
  });

  test("every window of every tab; none where kitty says no", () => {
    aProgram("kitty", LS);
    expect(readWindows("unix:/k")).toEqual([
      { id: "7", pid: 4711, mark: "t/bob", variables: undefined },
      { id: "8", pid: undefined, mark: "", variables: { a: "b" } },
    ]);
    for (const answer of ["exit 1", "echo no JSON", "echo null"]) {
      aProgram("kitty", `*) ${answer};;`);
      expect(readWindows("unix:/k")).toEqual([]);
    }
    closeWindow("unix:/k", "7");
    expect(asked().at(-1)).toEqual(["@", "--to", "unix:/k", "close-window", "--match=id:7"]);
  });

  test("errors are kitty's own first line, or its status", () => {
    aProgram("kitty", "*) echo 'not allowed\nmore' >&2; exit 1;;");
    expect(() => openWindow("unix:/k", "tab", opening)).toThrow("kitty launch: not allowed");
    aProgram("kitty", "*) exit 3;;");
    expect(() => openWindow("unix:/k", "tab", opening)).toThrow("kitty launch: status 3");
    vi.stubEnv("PATH", home.path("nowhere"));
    expect(() => openWindow("unix:/k", "tab", opening)).toThrow("ENOENT");
    expect(readWindows("unix:/k")).toEqual([]);
  });
});

test("what is started beside us is not waited for: a group of its own, whose errors are heard", () => {
  const child = Object.assign(new EventEmitter(), { unref: vi.fn(), pid: 7 });
  const begin = vi.spyOn(childProcess, "spawn").mockReturnValue(child as never);
  onTestFinished(() => begin.mockRestore());
  setPaneOptions("/s,1,0", "%3", {});
  startInBackground({ program: "x", args: [], cwd: "/" });
  expect(begin.mock.calls.map(([, , options]) => options)).toMatchObject([
    { detached: true },
    { detached: true },
  ]);
  expect(child.unref).toHaveBeenCalledTimes(2);
  expect(child.listenerCount("error")).toBe(2);
  startHelper("/own", ["notify", "run"], "/home");
  expect(begin).toHaveBeenLastCalledWith(
    process.execPath,
    ["/own/bin/swarm", "notify", "run"],
    expect.objectContaining({ cwd: "/home" }),
  );
});

describe("in the background", () => {
  const start = (script: string, more: object = {}) =>
    startInBackground({ program: "/bin/sh", args: ["-c", script], cwd: home.root, ...more });

  test("both outputs go to the log, the input comes from its file, the environment is its own", async () => {
    home.write("in", "the input");
    const log = home.path("logs/out");
    start('cat; echo " $A"; echo err >&2; echo end', {
      log,
      input: home.path("in"),
      env: { A: "1", PATH: "/bin:/usr/bin" },
    });
    await vi.waitFor(() => expect(home.read("logs/out")).toContain("end"), { timeout: 20_000 });
    expect(home.read("logs/out")).toBe("the input 1\nerr\nend\n");
  });

  test("without a log or an environment of its own", async () => {
    vi.stubEnv("SWARM_TEST_VALUE", "mine");
    start(`echo "$SWARM_TEST_VALUE" > out.tmp; mv out.tmp out`);
    await vi.waitFor(() => expect(home.has("out")).toBe(true), { timeout: 20_000 });
    expect(home.read("out")).toBe("mine\n");
  });

  test.runIf(process.platform === "linux")(
    "what cannot be started is an error, and no file stays open",
    () => {
      home.write("in", "");
      const open = () => readdirSync("/proc/self/fd").length;
      const failing = () =>
        startInBackground({
          program: home.path("none"),
          args: [],
          cwd: home.root,
          input: home.path("in"),
          log: home.path("out"),
        });
      expect(failing).toThrow("none could not be started");
      const before = open();
      for (let n = 0; n < 10; n++) expect(failing).toThrow();
      expect(open()).toBeLessThan(before + 10);
    },
  );
});

describe.runIf(process.platform === "linux")("a client's process", () => {
  const running = async (program: string, args: string[]) => {
    const child = spawn(program, args, { stdio: "ignore" });
    await vi.waitFor(() => expect(startOf(child.pid ?? 0)).toBeDefined());
    return child;
  };

  test("a script is its interpreter and itself; options before it are not its arguments", async () => {
    const script = home.write("client.cjs", "setInterval(() => {}, 1000)");
    const child = await running(process.execPath, ["--no-warnings", script, "--model", "x"]);
    try {
      await vi.waitFor(() =>
        expect(readClient(child.pid ?? 0)).toEqual({
          command: [expect.stringMatching(/\/node$/), script],
          args: ["--model", "x"],
        }),
      );
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("a program is itself; an interpreter without a script and a process that is gone are no client", async () => {
    const child = await running("sleep", ["60"]);
    const bare = await running(process.execPath, ["--interactive"]);
    try {
      await vi.waitFor(() => expect(readClient(child.pid ?? 0)).toMatchObject({ args: ["60"] }));
      expect(readClient(child.pid ?? 0)?.command).toHaveLength(1);
      await vi.waitFor(() => expect(readClient(bare.pid ?? 0)).toBeUndefined());
    } finally {
      child.kill("SIGKILL");
      bare.kill("SIGKILL");
    }
    expect(readClient(4_194_300)).toBeUndefined();
  });

  test("a signal reaches the process that is meant, and no other", async () => {
    const child = await running("sleep", ["60"]);
    const { pid = 0 } = child;
    expect(signal({ pid, startedAt: "1" }, "SIGTERM")).toBe(false);
    expect(signal({ pid }, "SIGTERM")).toBe(false);
    const known = { pid, startedAt: startOf(pid) ?? "" };
    expect(signal(known, "SIGTERM")).toBe(true);
    await new Promise((resolve) => child.once("exit", resolve));
    expect(child.signalCode).toBe("SIGTERM");
    const kill = vi.spyOn(process, "kill");
    const parent = { pid: process.ppid, startedAt: startOf(process.ppid) ?? "" };
    for (const [code, answer] of [
      ["ESRCH", false],
      ["EPERM", false],
    ] as const) {
      kill.mockImplementationOnce(() => {
        throw Object.assign(new Error(code), { code });
      });
      expect(signal(parent, "SIGTERM")).toBe(answer);
    }
    kill.mockImplementationOnce(() => {
      throw Object.assign(new Error("EINVAL"), { code: "EINVAL" });
    });
    expect(() => signal(parent, "SIGTERM")).toThrow("EINVAL");
    kill.mockRestore();
  });
});
