// This machine's mail on the relay: read in order, removed once it is on disk here; and what goes out to other machines' streams.
import { JetStreamApiError, type JetStreamManager } from "@nats-io/jetstream";
import { type Engine, isMissing } from "./engine.ts";
import { mailStream, subjectsTo } from "./names.ts";

/** A message as it lies in this machine's stream. */
export interface Letter {
  subject: string;
  text: string;
  seq: number;
  /** By the server's clock, in ms. */
  at: number;
}

const LETTERS_AT_ONCE = 50;

export const countMail = async ({ jsm, team, machine }: Engine): Promise<number> =>
  (await jsm.streams.info(mailStream(team, machine))).state.messages;

/** The oldest of what waits, in order. Read from the stream's leader: a copy may not have the newest yet. */
export async function readMail({ jsm, team, machine }: Engine): Promise<Letter[]> {
  const stream = mailStream(team, machine);
  const { messages, first_seq, last_seq } = (await jsm.streams.info(stream)).state;
  if (messages === 0) return [];
  const count = Math.min(LETTERS_AT_ONCE, last_seq - first_seq + 1);
  const found = await Promise.all(
    Array.from({ length: count }, (_, n) => letterAt(jsm, stream, first_seq + n)),
  );
  return found.flatMap((letter) => letter ?? []);
}

async function letterAt(jsm: JetStreamManager, stream: string, seq: number): Promise<Letter | undefined> {
  try {
    const message = await jsm.streams.getMessage(stream, { seq });
    return message
      ? { subject: message.subject, text: message.string(), seq, at: message.time.getTime() }
      : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined; // too old since
    throw error;
  }
}

/** Once it is on disk here. What a kill of the server brings back is known by its id. */
export async function removeMail({ jsm, team, machine }: Engine, upTo: number): Promise<void> {
  await jsm.streams.purge(mailStream(team, machine), { seq: upTo + 1 });
}

/** Called for every message as it comes; a missed one is found by the next look. */
export const watchMail = ({ nc, team, machine }: Engine, came: () => void) =>
  nc.subscribe(subjectsTo(team, machine), { callback: came });

/** The relay is there and does not take this one: it is full, or nobody listens for that machine. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof JetStreamApiError || (error as Error).name === "JetStreamNotEnabled";

/** False where the relay is there and does not take it. */
export async function isTaken({ js }: Engine, subject: string, body: unknown): Promise<boolean> {
  try {
    await js.publish(subject, JSON.stringify(body));
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
