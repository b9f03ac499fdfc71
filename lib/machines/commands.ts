// `swarm relay`, and what other verbs do differently in a relayed team. Without a relay that is one look at a path, and nothing else is
// loaded.
import { type Answer, type AnyCommand, type Call, command } from "../cli/command.ts";
import { withTaskAuthority } from "../tasks/store.ts";
import { relayVerb } from "./relay.ts" with { loading: "lazy" };
import { leadElsewhere, withLead, withTasks } from "./relayed.ts" with { loading: "lazy" };
import { isRelayed } from "./store/paths.ts";
import { superviseCourier } from "./supervisor.ts" with { loading: "lazy" };

// The code of the verbs is a lazy part, which takes only types from here.
export const RELAY_FLAGS = {
  team: "text",
  machine: "texts",
  creds: "text",
  "token-file": "text",
  ca: "text",
  replicas: "text",
  listen: "text",
  store: "text",
  provision: "text",
} as const;

export const commands = [
  command({
    name: "relay",
    summary: "a team on several machines: join, leave, status, sync, config, serve",
    usage: `swarm relay join URL --team TEAM | leave | status | sync | config --team TEAM | serve --team TEAM
A team on several machines, over a NATS server with JetStream. Without a relay nothing is loaded and no connection is tried.
join     nats://host:4222 or tls://…, several with commas; [--machine NAME] [--creds FILE | --token-file FILE] [--ca FILE] [--replicas 3]
         brings the team to the relay, or from there to this machine; the secret is kept in your own directory, 0600
leave    takes this machine out of the team [--team TEAM]
status   connection, outbox, lead, machines and their age, clock, server [--team TEAM]
sync     one round by hand: what waits goes out, what is there comes in; beside a courier it waits for that one's round
config   prints a server's configuration with one user a machine, and keeps the credentials: --machine a --machine b
         [--listen HOST:PORT] [--store DIR]; --provision URL [--ca FILE] [--replicas 3] sets a running server up for the team
serve    starts the installed nats-server with it, in the foreground`,
    flags: RELAY_FLAGS,
    words: { join: 1, leave: 0, status: 0, sync: 0, config: 0, serve: 0, courier: 0, supervise: 0 },
    team: "data", // a machine joins a team that it does not know yet
    run: (call) => (call.words[0] === "supervise" ? supervise(call) : relayVerb(call)),
  }),
];

/** Started by the courier. */
const supervise = async (call: AnyCall): Promise<undefined> => {
  await superviseCourier(call);
};

type Run = () => Answer | undefined | void | Promise<Answer | undefined | void>;
// biome-ignore lint/suspicious/noExplicitAny: commands with any flags
type AnyCall = Call<any>;
type Around = (call: AnyCall, run: Run) => ReturnType<Run>;

/** The relay decides some things in a relayed team; other teams are not affected. */
export const withRelay = (all: readonly AnyCommand[]): AnyCommand[] =>
  all.map((one) => {
    const around = AROUND[one.name];
    return around ? { ...one, run: (call) => around(call, () => one.run(call)) } : one;
  });

const teamFlag = ({ flags }: AnyCall) => flags["team"] as string | undefined;
const ONLY_READ = new Set(["list", "show"]);

const AROUND: Readonly<Record<string, Around>> = {
  task: (call, run) => {
    const list = teamFlag(call) ?? call.taskList ?? call.identity.team;
    if (ONLY_READ.has(call.words[0] ?? "list") || !isRelayed(call.paths, list)) return run();
    return withTasks(call, list, call.identity, (authority) => withTaskAuthority(list, authority, run));
  },
  lead: (call, run) => {
    const [action, named] = call.words;
    const team = named ?? call.identity.team ?? call.loaded.values["core.default_team"];
    if (!isRelayed(call.paths, team)) return run();
    return action === "take"
      ? withLead(call, team, call.flags["force"] === true, run)
      : shownLead(call, team, run);
  },
  resume: (call, run) => {
    const team = call.words[0] ?? teamFlag(call) ?? call.identity.team;
    return call.session && isRelayed(call.paths, team)
      ? withLead(call, team, call.flags["force"] === true, run)
      : run();
  },
  /** Archived here, it would come back from the relay. */
  cleanup: (call, run) => {
    const team = call.words[0] ?? teamFlag(call) ?? call.identity.team;
    if (!call.flags["members"] && !call.flags["agent"] && isRelayed(call.paths, team))
      throw new Error(
        `${team} is on a relay: \`swarm relay leave --team ${team}\` takes this machine out first`,
      );
    return run();
  },
};

function shownLead({ paths }: AnyCall, team: string, run: Run): ReturnType<Run> {
  const lead = leadElsewhere(paths, team);
  if (!lead) return run();
  const { agent, machine, token } = lead;
  return { text: `${team} is led by ${agent} on ${machine} (token ${token})`, data: { team, lead } };
}
