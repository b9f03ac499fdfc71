// `swarm setup`: what a person may want once on a machine: `swarm` in a terminal, and no question for its harmless verbs.
import { resolve } from "node:path";
import { badCall, refused } from "../cli/command.ts";
import { clientSettingsPath } from "../core/paths.ts";
import { counted } from "../core/text.ts";
import type { CallOf } from "./commands.ts";
import {
  ALLOW_RULES,
  addRules,
  isSearched,
  launcherDir,
  markRulesOffered,
  missingRules,
  removeLauncher,
  removeRules,
  terminalProgram,
  writeLauncher,
} from "./store/setup.ts";

export function setupVerb(call: CallOf<"setup">) {
  const [part, directory] = call.words;
  if (part === "path") return path(call, resolve(call.cwd, directory ?? launcherDir(call.paths)));
  if (part === "permissions") return permissions(call);
  if (call.flags.remove) throw badCall("remove what? path or permissions");
  return shown(call);
}

function shown(call: CallOf<"setup">) {
  const program = terminalProgram(call.path, call.ownRoot) ?? null;
  const missing = missingRules(call.paths);
  const lines = [
    program
      ? `path         ${program}`
      : "path         no `swarm` in a terminal: `swarm setup path` writes a launcher to ~/.local/bin",
    missing.length === 0
      ? "permissions  the harmless verbs are allowed"
      : `permissions  the client asks before ${missing.length} of ${ALLOW_RULES.length} harmless verbs: \`swarm setup permissions\` allows them`,
  ];
  return { text: lines.join("\n"), data: { path: program, missingRules: missing } };
}

function path(call: CallOf<"setup">, directory: string) {
  if (call.flags.remove) {
    const isRemoved = removeLauncher(directory);
    const text = isRemoved ? `removed swarm from ${directory}` : `${directory} has no launcher of ours`;
    return { text, data: { directory, removed: isRemoved } };
  }
  const written = writeLauncher(call.paths, call.ownRoot, directory);
  if (!written)
    throw refused(
      `${directory} has another program named swarm`,
      "swarm setup path DIR names another directory",
    );
  const onPath = isSearched(call.path, directory);
  const add = `add it to your shell's start-up file: export PATH="${directory}:$PATH"`;
  return {
    text: onPath
      ? `${written}: swarm runs in a terminal`
      : `${written}\n${directory} is not on your PATH; ${add}`,
    data: { path: written, onPath },
  };
}

function permissions(call: CallOf<"setup">) {
  const settings = clientSettingsPath(call.paths);
  markRulesOffered(call.paths, call.now);
  if (call.flags.remove) {
    const removed = removeRules(call.paths);
    return { text: `removed ${rules(removed)} from ${settings}`, data: { settings, removed } };
  }
  const added = addRules(call.paths);
  const text =
    added.length > 0
      ? `added ${rules(added)} to permissions.allow in ${settings}; \`swarm setup permissions --remove\` takes them out`
      : `${settings} allows the harmless verbs already`;
  return { text, data: { settings, added } };
}

const rules = (all: readonly string[]) => counted(all.length, "rule");
