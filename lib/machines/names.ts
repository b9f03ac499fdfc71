// Names on the relay. A subject is made of tokens between dots, and a credential is bound to tokens: so every part of an address
// (machine, agent) is one token, and whatever could end a token or act as a wildcard is escaped.
import { Buffer } from "node:buffer";

/** A member of a team as the relay addresses it. */
export interface Address {
  machine: string;
  agent: string;
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

export const isPlain = (name: unknown): boolean => typeof name === "string" && PLAIN.test(name);

/** Teams and machines become names of streams and consumers, where nothing can be escaped. */
export function whyNotPlain(what: string, name: string): string | undefined {
  if (PLAIN.test(name)) return undefined;
  return `the ${what} ${JSON.stringify(name.slice(0, 60))} may have letters, digits, - and _ only (at most 100), and must begin with a letter or a digit`;
}

/** A host's name as a machine's: `dev.example.org` is `dev-example-org`. */
export const machineFrom = (host: string): string =>
  host
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 100) || "machine";

/** `b.ob` becomes `b=2Eob`: one token, and readable back. */
export const toToken = (name: string): string =>
  name.replace(/[^A-Za-z0-9_-]/gu, (sign) =>
    [...Buffer.from(sign, "utf8")]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );

/** Only what `toToken` writes: two tokens never stand for one name. */
export function fromToken(token: string): string | undefined {
  if (!/^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})+$/.test(token)) return undefined;
  const bytes = token.replace(
    /=([0-9A-F]{2})|(.)/g,
    (_, hex, plain) => hex ?? plain.charCodeAt(0).toString(16),
  );
  const name = Buffer.from(bytes, "hex").toString("utf8");
  return toToken(name) === token ? name : undefined;
}

/** A dot cannot be in the name of a stream; two dashes keep team and machine apart. */
export const mailStream = (team: string, machine: string) => `swarm-${team}-mail--${machine}`;
export const bucketOf = (team: string) => `swarm-${team}`;
export const bucketStream = (team: string) => `KV_${bucketOf(team)}`;
export const bucketSubjects = (team: string) => `$KV.${bucketOf(team)}.>`;
export const subjectsTo = (team: string, machine: string) => `swarm.${team}.mail.${machine}.>`;

/** `swarm.<team>.mail.<to>.<from>`, each a machine and an agent: a machine may publish below its own name alone. */
export const mailSubject = (team: string, to: Address, from: Address): string =>
  `swarm.${team}.mail.${to.machine}.${toToken(to.agent)}.${from.machine}.${toToken(from.agent)}`;

/** Between couriers. No agent name is escaped to one of these. */
const RECEIPTS = "=receipts";
const LIFECYCLE = "=lifecycle";
const COURIER = "=courier";

export const receiptSubject = (team: string, to: string, from: string): string =>
  `swarm.${team}.mail.${to}.${RECEIPTS}.${from}.${COURIER}`;

export const lifecycleSubject = (team: string, to: string, from: string): string =>
  `swarm.${team}.mail.${to}.${LIFECYCLE}.${from}.${COURIER}`;

export type Delivery =
  | { kind: "mail"; to: Address; from: Address }
  | { kind: "receipts" | "lifecycle"; fromMachine: string };

export function readSubject(team: string, machine: string, subject: string): Delivery | undefined {
  const [swarm, ofTeam, mail, toMachine, to = "", fromMachine = "", from = "", ...more] = subject.split(".");
  if (swarm !== "swarm" || ofTeam !== team || mail !== "mail" || toMachine !== machine || more.length > 0)
    return undefined;
  if (!PLAIN.test(fromMachine)) return undefined;
  if (to === RECEIPTS && from === COURIER) return { kind: "receipts", fromMachine };
  if (to === LIFECYCLE && from === COURIER) return { kind: "lifecycle", fromMachine };
  const names = { to: fromToken(to), from: fromToken(from) };
  if (names.to === undefined || names.from === undefined) return undefined;
  return {
    kind: "mail",
    to: { machine, agent: names.to },
    from: { machine: fromMachine, agent: names.from },
  };
}

export const KEYS = {
  config: "config",
  lead: "lead",
  lastTask: "last-task",
  task: (id: string) => `task.${id}`,
  machine: (machine: string) => `machine.${machine}`,
  member: ({ machine, agent }: Address) => `roster.${machine}.${toToken(agent)}`,
} as const;

export type Key =
  | { kind: "config" | "lead" | "last-task" }
  | { kind: "task"; id: string }
  | { kind: "machine"; machine: string }
  | { kind: "roster"; machine: string; agent: string };

export function readKey(key: string): Key | undefined {
  const [kind, first = "", second = "", ...more] = key.split(".");
  if (more.length > 0) return undefined;
  if ((kind === "config" || kind === "lead" || kind === "last-task") && first === "") return { kind };
  if (kind === "task" && /^[1-9]\d{0,8}$/.test(first) && second === "") return { kind, id: first };
  if (kind === "machine" && PLAIN.test(first) && second === "") return { kind, machine: first };
  const agent = kind === "roster" && PLAIN.test(first) ? fromToken(second) : undefined;
  return agent === undefined ? undefined : { kind: "roster", machine: first, agent };
}
