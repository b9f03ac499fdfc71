// What was counted in the transcripts so far, so that a later run reads only new bytes. Lines are only added, and reading one
// twice changes nothing: two runs at once, a torn line or a lost tail cost time, never a wrong sum. It outlives the transcripts,
// which the client deletes after a while.

import type { FileKind } from "../../core/file-kind.ts";
import { readText, sizeOf, writeWhole } from "../../core/files.ts";
import { appendLines } from "../../core/json.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";
import { noteProblem } from "../../core/process.ts";
import {
  type Answered,
  type Billed,
  type Found,
  findIn,
  listTranscripts,
  type Named,
  namedByMeta,
  readPart,
  speakerOf,
  type TaskMove,
  type TranscriptFile,
  USAGE,
  type Usage,
} from "./transcripts.ts";

export const COST_INDEX_FILE: FileKind = {
  name: "cost index",
  path: "swarm/cost/index.jsonl",
  kept: "it outlives the transcripts, which the client deletes",
};

const costIndexPath = (paths: Paths) => swarmPath(paths, "cost", "index.jsonl");

interface ReadFile {
  to: number;
  ino: number;
  lastAt: number;
}

export interface CostIndex {
  files: Map<string, ReadFile>;
  /** By message id. */
  answers: Map<string, Answered>;
  /** By session, oldest first. */
  billed: Map<string, Billed[]>;
  moves: Map<string, TaskMove>;
  /** By session, or session and agent id. */
  named: Map<string, Named>;
  /** Forked sessions, and what each took over from another. */
  copied: Map<string, Map<string, Answered>>;
  lines: number;
  /** Where it cannot be written, as on a full disk, this run counts on without it. */
  isUnwritable?: boolean;
}

export const speakerKey = (session: string, agentId: string): string =>
  agentId ? `${session}/${agentId}` : session;

type Line = [kind: string, ...values: unknown[]];

const emptyIndex = (): CostIndex => ({
  files: new Map(),
  answers: new Map(),
  billed: new Map(),
  moves: new Map(),
  named: new Map(),
  copied: new Map(),
  lines: 0,
});

export function readCostIndex(paths: Paths): CostIndex {
  const index = emptyIndex();
  const text = readText(costIndexPath(paths), Number.POSITIVE_INFINITY) ?? "";
  for (const line of text.split("\n")) if (line) put(index, parsed(line));
  return index;
}

export const costIndexBytes = (paths: Paths): number => sizeOf(costIndexPath(paths));

function parsed(line: string): Line {
  try {
    const value = JSON.parse(line);
    return Array.isArray(value) ? (value as Line) : [""];
  } catch {
    return [""]; // torn by a crash: its file is read again from the last mark before it
  }
}

const number = (value: unknown): number => Number(value) || 0;
/** Written out: it is made for every message of every run. */
const usageOf = (values: readonly unknown[], from = 0): Usage => ({
  input: number(values[from]),
  output: number(values[from + 1]),
  cacheRead: number(values[from + 2]),
  cacheWrite5m: number(values[from + 3]),
  cacheWrite1h: number(values[from + 4]),
  webSearches: number(values[from + 5]),
});
const valuesOf = (usage: Usage): number[] => USAGE.map((name) => usage[name]);

const LINE = {
  file: (path: string, { to, ino, lastAt }: ReadFile, from = 0): Line => ["f", path, to, ino, lastAt, from],
  answer: (one: Answered): Line => [
    "m",
    one.id,
    one.session,
    one.agentId,
    one.at,
    one.model,
    one.mode,
    ...valuesOf(one),
  ],
  billed: ({ session, at, usd, models }: Billed): Line => [
    "c",
    session,
    at,
    usd,
    Object.entries(models).map(([model, usage]) => [model, ...valuesOf(usage), usage.usd]),
  ],
  move: (one: TaskMove): Line => ["t", one.session, one.agentId, one.at, one.task, one.status, one.owner],
  named: (one: Named): Line => ["w", one.session, one.agentId, one.team, one.name, one.type],
};

function put(index: CostIndex, [kind, ...v]: Line): void {
  const [a, b, c] = [String(v[0]), String(v[1]), Number(v[2])];
  index.lines++;
  if (kind === "f") putFile(index, a, { to: Number(v[1]), ino: c, lastAt: number(v[3]) }, number(v[4]));
  else if (kind === "m")
    putAnswer(index, {
      id: a,
      session: b,
      agentId: String(v[2]),
      at: Number(v[3]),
      model: String(v[4]),
      mode: String(v[5]),
      ...usageOf(v, 6),
    });
  else if (kind === "c") putBilled(index, { session: a, at: Number(v[1]), usd: c, models: modelsOf(v[3]) });
  else if (kind === "t")
    putMove(index, {
      ...{ session: a, agentId: b, at: c },
      ...{ task: String(v[3]), status: String(v[4]), owner: String(v[5]) },
    });
  else if (kind === "w")
    putNamed(index, { session: a, agentId: b, team: String(v[2]), name: String(v[3]), type: String(v[4]) });
}

/** A mark whose beginning is missing is none: another run wrote the index anew before this part was added to it. */
function putFile(index: CostIndex, path: string, mark: ReadFile, from: number): void {
  const known = index.files.get(path);
  if (from === 0 || (known && known.ino === mark.ino && known.to >= from)) index.files.set(path, mark);
}

const modelsOf = (value: unknown): Billed["models"] =>
  Object.fromEntries(
    (Array.isArray(value) ? value : []).map(([model, ...usage]) => [
      String(model),
      { ...usageOf(usage), usd: Number(usage[USAGE.length]) || 0 },
    ]),
  );

/** True where it says something new. The first session to have it keeps it; a later record may only know more tokens. */
function putAnswer(index: CostIndex, one: Answered): boolean {
  const known = index.answers.get(one.id);
  if (!known) {
    index.answers.set(one.id, one);
    return true;
  }
  const isCopy = known.session !== one.session;
  const copies = index.copied.get(one.session) ?? new Map<string, Answered>();
  const isNewCopy = isCopy && !copies.has(one.id);
  if (isNewCopy) index.copied.set(one.session, copies.set(one.id, known));
  const more = USAGE.filter((name) => one[name] > known[name]);
  for (const name of more) known[name] = one[name];
  return more.length > 0 || isNewCopy;
}

function putBilled(index: CostIndex, one: Billed): boolean {
  const known = index.billed.get(one.session) ?? [];
  if (known.some(({ at, usd }) => at === one.at && usd === one.usd)) return false;
  index.billed.set(
    one.session,
    [...known, one].sort((a, b) => a.usd - b.usd),
  );
  return true;
}

function putMove(index: CostIndex, one: TaskMove): boolean {
  const key = JSON.stringify(one);
  const isNew = !index.moves.has(key);
  index.moves.set(key, one);
  return isNew;
}

function putNamed(index: CostIndex, one: Named): boolean {
  const key = speakerKey(one.session, one.agentId);
  const known = index.named.get(key);
  if (known && known.team === one.team && known.name === one.name && known.type === one.type) return false;
  index.named.set(key, one);
  return true;
}

// Brings the index of costs up to date: reads what is new in the transcripts, as far as time allows.
export interface Limits {
  /** On the clock of `Date.now()`. */
  until: number;
  progress?: (readBytes: number, allBytes: number) => void;
}

export interface Unread {
  files: number;
  bytes: number;
}

/** Reads what is new in the transcripts, as far as time allows; says what is left. */
export function updateCostIndex(paths: Paths, index: CostIndex, { until, progress }: Limits): Unread {
  const files = listTranscripts(paths).filter((file) => hasNews(index, file));
  const all = files.reduce((sum, file) => sum + file.size - begunAt(index, file), 0);
  let read = 0;
  let isLate = false;
  for (const file of files) {
    for (let at = begunAt(index, file); !isLate; ) {
      const next = readNext(paths, index, file, at);
      if (next === undefined) break;
      read += next - at;
      at = next;
      progress?.(read, all);
      isLate = Date.now() > until;
    }
    if (isLate) break;
  }
  if (index.lines > 10_000 && index.lines > 3 * countNeeded(index)) keep(index, () => rewrite(paths, index));
  const left = isLate ? files.filter((file) => hasNews(index, file)) : [];
  return { files: left.length, bytes: left.reduce((sum, file) => sum + file.size - begunAt(index, file), 0) };
}

/** A file that became shorter, or another one of the same name, is read from its beginning. */
function begunAt(index: CostIndex, { path, size, ino }: TranscriptFile): number {
  const known = index.files.get(path);
  return known && known.ino === ino && known.to <= size ? known.to : 0;
}

const hasNews = (index: CostIndex, file: TranscriptFile) => begunAt(index, file) < file.size;

function readNext(paths: Paths, index: CostIndex, file: TranscriptFile, from: number): number | undefined {
  const part = readPart(paths, file.path, from);
  if (!part) return undefined;
  const known = from > 0 ? index.files.get(file.path) : undefined;
  const { lastAt, ...found } = findIn(part.text, file.path, known?.lastAt ?? 0);
  const meta = from === 0 || !isTyped(index, file) ? namedByMeta(paths, file.path) : undefined;
  const mark = { to: part.next, ino: file.ino, lastAt };
  const lines = [
    ...news(index, meta ? { ...found, named: [...found.named, meta] } : found),
    LINE.file(file.path, mark, from),
  ];
  index.files.set(file.path, mark);
  index.lines += lines.length;
  // In one write, so that a crash cannot leave the mark without the lines it covers.
  keep(index, () => appendLines(costIndexPath(paths), lines));
  return part.next;
}

/** What is not kept is read again by a later run. */
function keep(index: CostIndex, write: () => unknown): void {
  if (index.isUnwritable) return;
  try {
    write();
  } catch (error) {
    index.isUnwritable = true;
    noteProblem(`what was counted cannot be kept: ${(error as Error).message}`);
  }
}

/** The client may write what a subagent is after its first words. */
function isTyped(index: CostIndex, { path }: TranscriptFile): boolean {
  const { session, agentId } = speakerOf(path);
  return agentId === "" || Boolean(index.named.get(speakerKey(session, agentId))?.type);
}

function news(index: CostIndex, { answers, billed, moves, named }: Found): Line[] {
  const lines: Line[] = [];
  // Of the records of one message only the last state is written down.
  const changed = new Map<string, Answered>();
  for (const one of answers) if (putAnswer(index, one)) changed.set(`${one.id} ${one.session}`, one);
  for (const one of changed.values())
    lines.push(LINE.answer({ ...one, ...usageIn(index.answers.get(one.id) ?? one) }));
  for (const one of billed) if (putBilled(index, one)) lines.push(LINE.billed(one));
  for (const one of moves) if (putMove(index, one)) lines.push(LINE.move(one));
  for (const one of named) if (putNamed(index, one)) lines.push(LINE.named(one));
  return lines;
}

const usageIn = (usage: Usage): Usage => usageOf(valuesOf(usage));

/** Names that the session records know and the transcripts do not: records are removed when they are old. */
export function rememberNames(paths: Paths, index: CostIndex, named: readonly Named[]): void {
  const lines = named.filter((one) => putNamed(index, one)).map(LINE.named);
  if (lines.length > 0) keep(index, () => appendLines(costIndexPath(paths), lines));
}

/** How many lines `rewrite` leaves. */
const countNeeded = ({ answers, copied, billed, moves, named, files }: CostIndex): number =>
  [...copied.values(), answers, moves, named, files].reduce((sum, { size }) => sum + size, 0) +
  [...billed.values()].reduce((sum, { length }) => sum + length, 0);

/** Without what later lines repeat. Lines that another run adds meanwhile are lost together with their marks, and read again. */
function rewrite(paths: Paths, index: CostIndex): void {
  const copies = [...index.copied].flatMap(([session, all]) =>
    [...all.values()].map((one) => ({ ...one, session })),
  );
  const lines: Line[] = [
    ...[...index.answers.values()].map(LINE.answer),
    ...copies.map(LINE.answer),
    ...[...index.billed.values()].flat().map(LINE.billed),
    ...[...index.moves.values()].map(LINE.move),
    ...[...index.named.values()].map(LINE.named),
    ...[...index.files].map(([path, mark]) => LINE.file(path, mark)),
  ];
  writeWhole(costIndexPath(paths), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  index.lines = lines.length;
}
