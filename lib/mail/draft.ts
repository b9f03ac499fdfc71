// A message before it is sent: its text from the words, a file or stdin, checked.
import { resolve } from "node:path";
import { badCall } from "../cli/command.ts";
import { newId } from "../core/journal.ts";
import { readText } from "../core/read-file.ts";
import type { MailCall } from "./address.ts";
import type { Message } from "./store/inbox.ts";

const LONGEST_MESSAGE = 100_000;

export function draft(call: MailCall, from: string, words: readonly string[]): Message {
  return {
    id: newId(call.now),
    from,
    text: textOf(call, words),
    ...(call.flags.summary ? { summary: call.flags.summary } : {}),
    timestamp: call.now.toISOString(),
    read: false,
  };
}

function textOf(call: MailCall, words: readonly string[]): string {
  const { file } = call.flags;
  if (file !== undefined && words.length > 0) throw badCall("either a text or --file, not both");
  const text = file === undefined ? words.join(" ") : contentOf(call, file).replace(/\n+$/, "");
  if (text.trim() === "")
    throw badCall("the message is empty; its text comes as words, or by --file FILE, or --file - (stdin)");
  if (text.length > LONGEST_MESSAGE)
    throw badCall(
      `the message has ${text.length} characters, more than ${LONGEST_MESSAGE}: send the path of a file instead`,
    );
  return text;
}

function contentOf(call: MailCall, file: string): string {
  if (file === "-") return call.stdin();
  const text = readText(resolve(call.cwd, file));
  if (text === undefined) throw badCall(`there is no file ${file}`);
  return text;
}
