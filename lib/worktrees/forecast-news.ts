// Tells the agents of both trees about a conflict that was not forecast before.

import { appendJournal } from "../core/journal.ts";
import { whyNotSegment } from "../core/paths.ts";
import { reported } from "../core/process.ts";
import { escapeLine } from "../core/text.ts";
import { age } from "../core/time.ts";
import { appendMessage } from "../mail/store/inbox.ts";
import { newMessage } from "../mail/store/message.ts";
import { isMember, isNative, readTeam } from "../teams/store/config.ts";
import { computeForecast, type ForecastCall } from "./forecast.ts";
import { type LiveAgent, liveAgentsIn } from "./store/agents.ts";
import { firstNames } from "./store/first-names.ts";
import { type Forecast, readForecast, writeForecast } from "./store/forecast.ts";
import { entriesOf } from "./store/ledger.ts";
import type { Tree } from "./store/repository.ts";
import { appendTreeNote } from "./store/tree-notes.ts";
import { sendLine } from "./text.ts";

/** Computes it, keeps it, and tells what is new. Returns it with the names of those it notified. */
export function renewForecast(call: ForecastCall, repository: Pick<Tree, "common">) {
  const before = readForecast(call.paths, repository);
  const forecast = computeForecast(call, repository, before);
  writeForecast(call.paths, repository, forecast);
  const agents = liveAgentsIn(call.paths, repository, call.now);
  const fresh = newConflicts(before, forecast);
  for (const { trees, files } of fresh) note(call, agents, trees, files);
  const notified = fresh.flatMap(({ trees, files }) =>
    agents
      .filter(({ tree }) => trees.includes(tree))
      .map((agent) => {
        tell(call, agent, textFor(agent, agents, trees, named(call, repository, agent, trees, files)));
        return agent.name;
      }),
  );
  return { forecast, notified: [...new Set(notified)].sort() };
}

/** In the journal once for each pair, in the name of the first agent. */
function note(
  { paths, now }: ForecastCall,
  agents: readonly LiveAgent[],
  trees: readonly string[],
  files: readonly string[],
): void {
  const concerned = agents.filter(({ tree }) => trees.includes(tree));
  appendJournal(paths, now, {
    event: "command",
    session: concerned[0]?.session ?? "",
    agent: concerned[0]?.agentId ?? "main",
    feature: "forecast",
    what: "conflict-forecast",
    agents: concerned.map(({ name }) => name),
    files,
  });
}

/** By pair and file: a conflict that was solved and comes back is new again. */
function newConflicts(before: Forecast | undefined, now: Forecast): { trees: string[]; files: string[] }[] {
  const keyOf = (trees: readonly string[], file: string) => [...trees].sort().concat(file).join("\0");
  const known = new Set(
    before?.conflicts.flatMap(({ trees, files }) => files.map(({ file }) => keyOf(trees, file))),
  );
  return now.conflicts.flatMap(({ trees, files }) => {
    const fresh = files.map(({ file }) => file).filter((file) => !known.has(keyOf(trees, file)));
    return fresh.length > 0 ? { trees, files: fresh } : [];
  });
}

const MOST_NAMED = 5;

/** Each file with the time of the other side's last write, where the ledger knows it. */
function named(
  { paths, now }: ForecastCall,
  repository: Pick<Tree, "common">,
  { tree: own }: LiveAgent,
  trees: readonly string[],
  files: readonly string[],
): string {
  const texts = files.map((file, at) => {
    if (at >= MOST_NAMED) return file;
    const last = entriesOf(paths, repository, file).findLast(
      ({ how, tree }) => how !== "read" && tree !== own && trees.includes(tree),
    );
    return last ? `${file} (changed there ${age(new Date(last.at).toISOString(), now)} ago)` : file;
  });
  return firstNames(texts, MOST_NAMED);
}

function textFor(
  agent: LiveAgent,
  agents: readonly LiveAgent[],
  trees: readonly string[],
  files: string,
): string {
  const others = agents.filter(({ tree }) => tree !== agent.tree && trees.includes(tree));
  const names = others.map(({ name }) => name).join(" and ");
  const where = trees.find((tree) => tree !== agent.tree) ?? "";
  const first = others.find(({ team }) => team) ?? others[0];
  const ask = first ? ` Agree with ${names} who changes what: ${sendLine(first, "…", agent.team)}.` : "";
  return escapeLine(
    `Merge forecast: your tree and that of ${names} (${where}) would now conflict in ${files}. Nothing was merged.${ask} swarm worktree forecast shows all.`,
  );
}

function tell({ paths, now }: ForecastCall, { team, name, key }: LiveAgent, text: string): void {
  const hasMailbox =
    team !== undefined && !isNative(team) && !whyNotSegment(name) && isMember(readTeam(paths, team), name);
  if (!hasMailbox) return void appendTreeNote(paths, key, text);
  const summary = "merge forecast: a conflict";
  const send = () => {
    appendMessage(paths, team, name, newMessage({ from: "swarm", text, at: now, summary, kind: "system" }));
    return true;
  };
  // The others are still to hear of it, and each conflict is reported only once.
  if (!reported(send, `merge forecast: no mail to ${name}`)) appendTreeNote(paths, key, text);
}
