// `swarm serve`: the team in a browser on this machine, live, for as long as the terminal lives.
import { badCall, type Call } from "../../cli/command.ts";
import { sinceOf } from "../../cli/since.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { plainText } from "../../core/text.ts";
import { readEnvironment, writeAll } from "../../hook/environment.ts";
import { sendVerb } from "../../mail/send.ts";
import { watchFiles } from "../../teams/status-board/watch.ts";
import { readTeam } from "../../teams/store/config.ts";
import { pauseVerb, unpauseVerb } from "../pause/pause.ts";
import { makeFeed } from "./feed.ts";
import { startServer } from "./server.ts";
import { costView, type Seeing, type Snapshot, snapshot } from "./snapshot.ts";

type ServeCall = Call<Record<"port" | "team" | "since" | "session-id", "text">>;

const COST_EVERY_MS = 15_000;
const PARENT_EVERY_MS = 500;

export async function serveVerb(call: ServeCall) {
  const team = teamOf(call);
  const since = call.flags.since ?? "24h";
  sinceOf(since, call.now);
  const feed = makeFeed();
  let rows: Snapshot["agents"] = [];
  let countedAt = 0;
  const seeingNow = (): Seeing => ({ ...call, now: readEnvironment().now });
  const look = () => {
    const seeing = seeingNow();
    const from = sinceOf(since, seeing.now);
    const { entries, ...sections } = snapshot(seeing, team, from);
    rows = sections.agents;
    for (const name of ["recipients", "agents", "tasks", "trees", "quota"] as const)
      feed.section(name, sections[name]);
    feed.entries(entries);
    if (seeing.now.getTime() - countedAt < COST_EVERY_MS) return;
    countedAt = seeing.now.getTime();
    feed.section("cost", costView(seeing, team, from));
  };
  let said = "";
  /** A file that cannot be read now ends nothing: the page keeps what it has, and the next look may succeed. */
  const refresh = () => {
    try {
      look();
    } catch (error) {
      const { message } = error as Error;
      if (message !== said) writeAll(2, plainText(`swarm: ${message}\n`));
      said = message;
    }
  };
  /** Of this machine by its session: a row's name may be that of no team, or of one that is gone. */
  const wordFor = (agent: string) => {
    const [only, another] = team === undefined ? rows.filter((row) => row.agent === agent) : [];
    return only && !another ? only.key : agent;
  };
  const held = (verb: typeof pauseVerb | typeof unpauseVerb, agent: string | undefined) => {
    const { text: said } = verb({
      ...call,
      now: readEnvironment().now,
      words: agent === undefined ? [] : [wordFor(agent)],
      flags: team !== undefined ? { team } : agent === undefined ? { all: true } : {},
    });
    refresh();
    return said;
  };
  const server = await startServer({
    port: portOf(call.flags.port),
    title: team ?? "this machine",
    since,
    feed,
    came: refresh,
    send: (to_team, to, text) => {
      const { text: said } = sendVerb({
        ...call,
        now: readEnvironment().now,
        words: [to, text],
        flags: { team: to_team },
      });
      refresh();
      return said;
    },
    pause: (agent) => held(pauseVerb, agent),
    unpause: (agent) => held(unpauseVerb, agent),
  });
  const watching = watchFiles(call.paths, () => {
    if (feed.browsers() > 0) refresh();
  });
  writeAll(
    1,
    call.flags.json
      ? `${JSON.stringify({ url: server.url })}\n`
      : `${server.url}\nOpen it in a browser on this machine; the address is the key. Ctrl-C ends it.\n`,
  );
  await ended();
  watching.end();
  await server.end();
}

/** Ctrl-C, a closed terminal, or the end of the parent process. */
function ended(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) over();
    }, PARENT_EVERY_MS);
    const over = () => {
      clearInterval(timer);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, over);
  });
}

function portOf(given: string | undefined): number {
  const port = Number(given ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || given?.trim() === "")
    throw badCall("--port is a number up to 65535");
  return port;
}

/** The team that was named, else the caller's own where it is there, else everything on this machine. */
function teamOf({ flags, paths, identity }: ServeCall): string | undefined {
  const name = flags.team ?? identity.team;
  const isThere = name !== undefined && !whyNotSegment(name) && readTeam(paths, name) !== undefined;
  return isThere ? name : undefined;
}
