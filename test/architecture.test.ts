// The import law of docs/architecture.md. Prints only the imports that break it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Stores may use the stores of the domains before their own. */
const STORE_ORDER = [
  "sessions",
  "teams",
  "tasks",
  "mail",
  "worktrees",
  "context",
  "efforts",
  "teammates",
  "scratchpad",
  "outbound",
  "guard",
  "ops",
  "people",
  "machines",
];
/**
 * lib/people shows a person, in a browser and in calls, what other domains already show in a terminal or a file: it takes their rows,
 * entries and mail form from where they are. Of lib/people itself others see only its store.
 */
const PEOPLE_MAY_USE = [
  "lib/mail/send.ts",
  "lib/ops/report/gather.ts",
  "lib/ops/report/html.ts",
  "lib/ops/report/log.ts",
  "lib/ops/report/story.ts",
  "lib/ops/report/style.ts",
  "lib/teams/status-board/rows.ts",
  "lib/teams/status-board/watch.ts",
];
/** The doctor checks settings against the guard's rules. */
const OPS_MAY_USE = ["lib/guard/rules.ts", "lib/guard/situation.ts"];
const HOOK_MAY_READ = ["sessions", "teams", "context"];

const domainOf = (file: string) => file.split("/")[1] ?? "";
const isStore = (file: string) => /^lib\/[^/]+\/store(\.ts$|\/)/.test(file);
const isSettings = (file: string) => /^lib\/[^/]+\/settings\.ts$/.test(file);

function whyNot(from: string, to: string): string | undefined {
  const [a, b] = [domainOf(from), domainOf(to)];
  if (a === b || b === "core") return undefined;
  if (a === "core") return isSettings(to) ? undefined : "core imports only core and the domains' settings.ts";
  if (b === "system") return undefined;
  if (a === "system") return "system imports only core";
  if (isSettings(from)) return "settings import only core";
  if (isStore(from)) {
    if (!isStore(to)) return "a store imports only core, system and stores";
    return STORE_ORDER.indexOf(b) < STORE_ORDER.indexOf(a)
      ? undefined
      : "a store imports a later domain's store";
  }
  if (a === "hook" || (a === "cli" && b !== "hook"))
    return isStore(to) && HOOK_MAY_READ.includes(b)
      ? undefined
      : `${a} imports only the stores of ${HOOK_MAY_READ.join(", ")}`;
  if (b === "hook" || b === "cli") return undefined;
  if (a === "people" && PEOPLE_MAY_USE.includes(to)) return undefined;
  if (a === "ops" && OPS_MAY_USE.includes(to)) return undefined;
  return isStore(to) ? undefined : `private to lib/${b}`;
}

/** The version is written once, in package.json. */
const whyOutside = (file: string, target: string) =>
  target === "package.json" && file === "lib/ops/commands.ts" ? undefined : "lib imports only lib";

const importsOf = (file: string) =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:from|import|require\() ?\(?"(\.[^"]+)"/g)].map(
    (found) => relative(ROOT, resolve(ROOT, dirname(file), found[1] ?? "")),
  );

const sources = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));

test("imports inside lib/ follow the law", () => {
  const broken = sources("lib").flatMap((file) =>
    importsOf(file).flatMap((target) => {
      const why = target.startsWith("lib/") ? whyNot(file, target) : whyOutside(file, target);
      return why ? `${file} → ${target}: ${why}` : [];
    }),
  );
  expect(broken).toEqual([]);
});

test("hook entries import handlers, the CLI imports commands", () => {
  const handlers = /^lib\/(hook\/.+|[^/]+\/hooks(\.ts|\/.+))$/;
  const verbs = /^lib\/(cli\/.+|[^/]+\/commands\.ts)$|^package\.json$/;
  const outside = (file: string, may: RegExp) =>
    importsOf(file).flatMap((target) => (may.test(target) ? [] : `${file} → ${target}`));
  expect(sources("hooks").flatMap((file) => outside(file, handlers))).toEqual([]);
  expect(outside("scripts/verbs.ts", verbs)).toEqual([]);
});

/** Its texts of help, and the files a person writes, may name a place; the demo writes a project to play in. */
const MAY_NAME = ["lib/context/files.ts", "lib/ops/demo/story.ts"];
const NAMES_A_PLACE =
  /\b(?:swarmPath|teamPath)\(|["'`](?:swarm|teams|inboxes|archives)\/[\w<]|\/(?:teams|inboxes|archives|bells|seats)\/|\bjoin\([^()]*"(?:\.claude|teams|tasks|inboxes|archives|bells|seats)"/;

test("only a store knows where its files are", () => {
  const others = sources("lib").filter((file) => !isStore(file) && !/^lib\/(core|system|hook)\//.test(file));
  const lines = others.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .replace(/(?:from|import) "[^"]*"/g, "")
      .split("\n")
      .flatMap((line, at) => (NAMES_A_PLACE.test(line) ? `${file}:${at + 1} ${line.trim()}` : [])),
  );
  expect(lines.filter((line) => !MAY_NAME.some((file) => line.startsWith(file)))).toEqual([]);
});
