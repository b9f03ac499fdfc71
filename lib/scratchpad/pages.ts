// `swarm scratchpad`: today's pages, who still owes one, and a blank page for whoever asks.

import { badCall, type Call } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLines } from "../core/text.ts";
import { isTeammateSession } from "../hook/identity.ts";
import { readSubagents } from "../sessions/store/sessions.ts";
import { isLead, readTeam } from "../teams/store/config.ts";
import { isUntouched, missingSections, template } from "./sections.ts";
import { COORDINATOR, createPage, folderOf, foldersWithPage, localDay, pagePath, readPage } from "./store.ts";

type Flags = { "session-id": { type: "string" }; day: { type: "string" } };

export function scratchpadVerb(call: Call<Flags>) {
  const [action = "list", agent] = call.words;
  if (action === "list") return list(call);
  if (action === "open") return open(call, agent ?? askingAgent(call));
  throw badCall(`list or open, not ${JSON.stringify(action)}`);
}

const rootOf = (call: Call<Flags>) => call.projectDir ?? call.cwd;

function dayOf(call: Call<Flags>): string {
  const day = call.flags.day ?? localDay(call.now);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw badCall("--day is a date like 2026-02-20");
  return day;
}

/** A teammate in a process of its own writes under its name; any other session is its coordinator's. */
const askingAgent = ({ identity }: Call<Flags>): string =>
  isTeammateSession(identity) && identity.agent ? identity.agent : COORDINATOR;

function list(call: Call<Flags>) {
  const day = dayOf(call);
  const folders = foldersWithPage(rootOf(call), day);
  const pages = folders.map((folder) => ({
    agent: folder,
    path: pagePath(folder, day),
    missing: lacking(call, folder, day),
  }));
  const missing = owing(call, folders, day);
  const lines = [
    ...pages.map(
      ({ path, missing }) => `${path}  ${missing.length > 0 ? `lacks ${missing.join(", ")}` : "whole"}`,
    ),
    ...missing.map((folder) => `${pagePath(folder, day)}  missing`),
  ];
  return {
    text: plainLines(lines) || `no page on ${day}, and nobody owes one`,
    data: { day, pages, missing },
  };
}

/** Of the coordinator only the page itself is asked. */
function lacking(call: Call<Flags>, folder: string, day: string): readonly string[] {
  const { values } = call.loaded;
  const sections = values["scratchpad.sections"];
  const page = readPage(rootOf(call), folder, day) ?? "";
  if (isUntouched(page, template(folder, day, sections))) return sections;
  if (values["scratchpad.exclude"].includes(folder)) return [];
  return missingSections(page, { sections, emptyIsMissing: values["scratchpad.empty_is_missing"] });
}

function owing(call: Call<Flags>, written: string[], day: string): string[] {
  const { values } = call.loaded;
  const agents = [...voicesOf(call, day), ...membersOf(call)].filter(
    (agent) => !values["scratchpad.exempt"].includes(agent),
  );
  const outside = [COORDINATOR, ...values["scratchpad.exclude"]];
  const delegated = agents.length > 0 || written.some((folder) => !outside.includes(folder));
  const all = [...agents.map(folderOf), ...(delegated ? [COORDINATOR] : [])];
  return [...new Set(all)].filter((folder) => !written.includes(folder)).sort();
}

/** Subagents and in-process teammates of this session that were at work on that day. */
function voicesOf(call: Call<Flags>, day: string): string[] {
  if (!call.session) return [];
  return readSubagents(call.paths, call.session)
    .filter(({ lastSeen }) => localDay(new Date(lastSeen)) >= day)
    .flatMap(({ agent }) => agent ?? []);
}

function membersOf({ paths, identity }: Call<Flags>): string[] {
  const team = identity.team ? readTeam(paths, identity.team) : undefined;
  return team ? team.members.flatMap((member) => (isLead(team, member) ? [] : member.name)) : [];
}

function open(call: Call<Flags>, agent: string) {
  const day = dayOf(call);
  const why = whyNotSegment(agent.replaceAll(":", "-")); // `plugin:agent` becomes a folder with a dash
  if (why) throw badCall(`the agent's name ${why}`);
  const folder = folderOf(agent);
  const path = pagePath(folder, day);
  const blank = `${template(folder, day, call.loaded.values["scratchpad.sections"])}\n`;
  const isNew = createPage(rootOf(call), folder, day, blank);
  const page = readPage(rootOf(call), folder, day) ?? "";
  const lacks = lacking(call, folder, day);
  const state = isNew
    ? "is new"
    : lacks.length > 0
      ? `exists and lacks ${lacks.join(", ")}`
      : "exists and is whole";
  return { text: `${path} ${state}\n\n${page.trimEnd()}`, data: { path, isNew, missing: lacks, page } };
}
