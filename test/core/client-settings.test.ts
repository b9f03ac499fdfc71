// The client's own settings.json, and which refused settings of a project were shown.
import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { readClientSetting, readClientSettings, writeClientSetting } from "../../lib/core/client-settings.ts";
import { isNewRefusal } from "../../lib/core/refused-settings.ts";
import { aHome, type Home } from "../support/a-home.ts";

const FILE = ".claude/settings.json";
const asIs = (value: unknown) => value;
const settings = (home: Home) => readFileSync(home.path(FILE), "utf8");

test("a member is written, read and removed; the rest stays", () => {
  const home = aHome();
  home.write(FILE, '{\n  "a": 1 // mine\n}\n');
  writeClientSetting(home.paths, "b", { c: 2 });
  expect(readClientSetting(home.paths, "b", asIs)).toEqual({ c: 2 });
  expect(settings(home)).toContain('"a": 1');
  expect(settings(home)).toContain("// mine");
  writeClientSetting(home.paths, "b", undefined);
  expect(settings(home)).toBe('{\n  "a": 1 // mine\n}\n');
});

test.each([["no file"], ["an empty file"]])("%s becomes one with the member", (name) => {
  const home = aHome();
  if (name === "an empty file") home.write(FILE, "");
  expect(readClientSetting(home.paths, "a", asIs)).toBeUndefined();
  writeClientSetting(home.paths, "a", 1);
  expect(JSON.parse(settings(home))).toEqual({ a: 1 });
});

test("a file that cannot be used is named and left alone", () => {
  const home = aHome();
  home.write(FILE, "{ broken");
  expect(() => writeClientSetting(home.paths, "a", 1)).toThrow(/settings\.json cannot be used .*left alone/);
  expect(settings(home)).toBe("{ broken");
  home.write(FILE, '{"a":1}');
  const refuse = () => {
    throw new Error("no number");
  };
  expect(() => readClientSetting(home.paths, "a", refuse)).toThrow("cannot be used (no number)");
});

test("through a link, with the permissions the file had", () => {
  const home = aHome();
  home.write("dotfiles/settings.json", "{}");
  chmodSync(home.path("dotfiles/settings.json"), 0o640);
  home.write(".claude/x", "");
  symlinkSync(home.path("dotfiles/settings.json"), home.path(FILE));
  writeClientSetting(home.paths, "a", 1);
  expect(JSON.parse(readFileSync(home.path("dotfiles/settings.json"), "utf8"))).toEqual({ a: 1 });
  expect(statSync(home.path("dotfiles/settings.json")).mode & 0o777).toBe(0o640);
});

test.each([
  ["nothing", undefined, undefined, { env: {}, isInstalled: false, isEnabled: undefined }],
  ["variables", { env: { A: 1, B: "b" } }, undefined, { env: { A: "1", B: "b" } }],
  [
    "another plugin",
    { enabledPlugins: { "x@y": true } },
    '{"x@y":[]}',
    { isInstalled: false, isEnabled: undefined },
  ],
  ["on", { enabledPlugins: { "swarm@y": true } }, '{"swarm@y":[]}', { isInstalled: true, isEnabled: true }],
  ["off", { enabledPlugins: { "swarm@y": false } }, undefined, { isEnabled: false }],
  ["null", { env: null, enabledPlugins: null }, undefined, { env: {}, isEnabled: undefined }],
  [
    "versions of a plugin, as the client allows them",
    { env: { A: "a" }, enabledPlugins: { "x@y": ["1.0"], "swarm@y": false } },
    undefined,
    { env: { A: "a" }, isEnabled: false },
  ],
  ["no table", { env: ["a"], enabledPlugins: { "swarm@y": true } }, undefined, { isEnabled: undefined }],
])("what the client's files say: %s", (_, own, installed, expected) => {
  const home = aHome();
  if (own) home.write(FILE, JSON.stringify(own));
  if (installed) home.write(".claude/plugins/installed_plugins.json", installed);
  expect(readClientSettings(home.paths)).toMatchObject(expected);
});

test("a refusal is new once for each project and what is refused", () => {
  const { paths } = aHome();
  const asked = [
    ["/a", "x"],
    ["/a", "x"],
    ["/b", "x"],
    ["/a", "y"],
    ["/a", "x"],
    ["/b", "x"],
  ] as const;
  expect(asked.map(([file, refused]) => isNewRefusal(paths, file, refused))).toEqual([
    ...[true, false, true, true, true, false],
  ]);
});

test("of projects the newest hundred are remembered", () => {
  const { paths } = aHome();
  for (let n = 0; n <= 100; n++) isNewRefusal(paths, `/${n}`, "x");
  expect(isNewRefusal(paths, "/1", "x")).toBe(false);
  expect(isNewRefusal(paths, "/0", "x")).toBe(true);
});
