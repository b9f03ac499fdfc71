// A connection to the relay with a time limit on everything. It does not reconnect by itself: who finds it broken closes it and
// opens a new one, since a pull that was under way is not sent again after a reconnect.
import type { Authenticator, ConnectionOptions, NatsConnection } from "@nats-io/transport-node";
import {
  credsAuthenticator,
  connect as natsConnect,
  nkeyAuthenticator,
  tokenAuthenticator,
} from "@nats-io/transport-node";
import type { Relay } from "./store/relay.ts";

export const CONNECT_MS = 4_000;
const PING_MS = 10_000;

/** Replies arrive below a prefix of the machine's own, which no other machine's credential may listen to. */
export const inboxPrefix = (machine: string) => `_INBOX_${machine}`;

export async function connect(relay: Relay, timeoutMs = CONNECT_MS): Promise<NatsConnection> {
  const options: ConnectionOptions = {
    servers: relay.url.split(","),
    name: `swarm ${relay.machine}`,
    timeout: timeoutMs,
    reconnect: false,
    pingInterval: PING_MS,
    maxPingOut: 2,
    inboxPrefix: inboxPrefix(relay.machine),
    authenticator: authenticatorOf(relay),
    // Without this the library takes a server's word for it that there is no TLS.
    ...(relay.ca || /(^|,)tls:/.test(relay.url) ? { tls: relay.ca ? { ca: relay.ca } : {} } : {}),
  };
  const opening = natsConnect(options);
  try {
    return await within(timeoutMs + 500, opening, "the server did not answer");
  } catch (error) {
    // Of several servers one may still answer: nobody would close that connection.
    opening.then((late) => late.close()).catch(() => {});
    throw new Error(`cannot reach the relay at ${withoutSecret(relay.url)}: ${whyFailed(error)}`);
  }
}

function authenticatorOf({ creds, token }: Relay): Authenticator | undefined {
  if (token) return tokenAuthenticator(token);
  if (!creds) return undefined;
  const bytes = new TextEncoder().encode(creds);
  return creds.includes("BEGIN NATS USER JWT")
    ? credsAuthenticator(bytes)
    : nkeyAuthenticator(new TextEncoder().encode(seedIn(creds)));
}

/** A seed alone in its file, or between the marks of a credentials file. */
export function seedIn(creds: string): string {
  const seed = creds.match(/\bSU[A-Z2-7]{56}\b/)?.[0];
  if (!seed) throw new Error("the credentials file has neither a user's JWT nor a user's seed (SU…)");
  return seed;
}

const whyFailed = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: Error };
  return name === "AuthorizationError" ? "the credential is not accepted" : (cause?.message ?? message);
};

/** `nats://user:secret@host` is shown without its middle. */
export const withoutSecret = (url: string): string => url.replace(/\/\/[^/,]*@/g, "//");

export async function within<T>(ms: number, work: Promise<T>, why: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(why)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
