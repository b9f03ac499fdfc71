// `swarm scratchpad`: today's pages, who still owes one, and a blank page.
import { badCall, byAction, type Call, command } from "../cli/command.ts";
import { requireDay } from "../cli/since.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLines } from "../core/text.ts";
import { localDay } from "../core/time.ts";
import { isTeammateSession } from "../hook/context.ts";
import { readSubagents } from "../sessions/store/sessions.ts";
import { readTeam, teammatesOf } from "../teams/store/config.ts";
import { missingFrom, template } from "./sections.ts";
import {
  COORDINATOR,
  createPage,
  folderOf,
  foldersWithPage,
  isEnabled,
  pagePath,
  readPage,
} from "./store.ts";

const FLAGS = { "session-id": "text", day: "text" } as const;
type ScratchpadCall = Call<typeof FLAGS>;

/** The day that is asked for, in the project. */
function pagesOf({ projectDir, cwd, flags, now, loaded: { values: settings } }: ScratchpadCall) {
  const root = projectDir ?? cwd;
  const day = requireDay(flags.day ?? localDay(now));
  const read = (folder: string) => readPage(root, folder, day);
  const lacking = (folder: string) => missingFrom(read(folder), { folder, day, settings });
  return { root, day, settings, read, lacking };
}

function list(call: ScratchpadCall) {
  const { root, day, settings, lacking } = pagesOf(call);
  const folders = foldersWithPage(root, day);
  const pages = folders.map((agent) => ({ agent, path: pagePath(agent, day), missing: lacking(agent) }));
  const isOn = isEnabled(settings["scratchpad.enabled"], [root]);
  const missing = isOn ? owing(call, folders, day) : [];
  const stateOf = (lacks: readonly string[]) => (lacks.length > 0 ? `lacks ${lacks.join(", ")}` : "complete");
  const lines = [
    ...pages.map(({ path, missing }) => `${path}  ${stateOf(missing)}`),
    ...missing.map((folder) => `${pagePath(folder, day)}  missing`),
  ];
  return {
    text: plainLines(lines) || `no page on ${day}, and none is required`,
    data: { day, pages, missing },
  };
}

function owing(call: ScratchpadCall, written: string[], day: string): string[] {
  const { paths, session, identity } = call;
  const { "scratchpad.exempt": exempt, "scratchpad.exclude": excluded } = call.loaded.values;
  const wasAtWork = ({ startedAt, lastSeen }: { startedAt: string; lastSeen: string }) =>
    localDay(new Date(startedAt)) <= day && day <= localDay(new Date(lastSeen));
  // Subagents and in-process teammates of this session, then the members of its team.
  const subagents = session ? readSubagents(paths, session).filter(wasAtWork) : [];
  const members = teammatesOf(identity.team ? readTeam(paths, identity.team) : undefined);
  const names = [...subagents.flatMap(({ agent }) => agent ?? []), ...members.map(({ name }) => name)];
  const agents = names.filter((name) => !exempt.includes(name));
  const outside = [COORDINATOR, ...excluded];
  const delegated = agents.length > 0 || written.some((folder) => !outside.includes(folder));
  const all = [...agents.map(folderOf), ...(delegated ? [COORDINATOR] : [])];
  return [...new Set(all)].filter((folder) => !written.includes(folder)).sort();
}

function open(call: ScratchpadCall) {
  // A teammate in a process of its own writes under its name, any other session as the coordinator.
  const agent = call.words[1] ?? ((isTeammateSession(call.identity) && call.identity.agent) || COORDINATOR);
  const why = whyNotSegment(agent.replaceAll(":", "-")); // `plugin:agent` becomes a folder with a dash
  if (why) throw badCall(`the agent's name ${why}`);
  const { root, day, settings, read, lacking } = pagesOf(call);
  const folder = folderOf(agent);
  const path = pagePath(folder, day);
  const isNew = createPage(root, folder, day, `${template(folder, day, settings["scratchpad.sections"])}\n`);
  const page = read(folder) ?? "";
  const missing = lacking(folder);
  const state = missing.length > 0 ? `exists and lacks ${missing.join(", ")}` : "exists and is complete";
  return {
    text: `${path} ${isNew ? "is new" : state}\n\n${page.trimEnd()}`,
    data: { path, isNew, missing, page },
  };
}

export const commands = [
  command({
    name: "scratchpad",
    summary: "today's pages, who owes one, and a blank page",
    usage: `swarm scratchpad [list] [--day YYYY-MM-DD] | open [AGENT]
list: today's pages under .claude/scratchpad, what each lacks, and who still owes one.
open: a blank page with the required headings, unless there is a page already; AGENT is the agent type or name,
by default the teammate that asks, else the coordinator. The first page switches the protocol on in this project.`,
    flags: FLAGS,
    sessionId: "subject",
    words: { list: 0, open: 1 },
    run: byAction({ list, open }),
  }),
];
