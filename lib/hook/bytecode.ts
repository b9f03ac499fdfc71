// The format of a cached bytecode file: four words of header, then V8's data padded to whole words. V8 itself compares only
// the length of the source and runs whatever it is given, so truncated or overwritten files must be recognised here.
import { closeSync, constants, openSync, readSync } from "node:fs";

const HEADER_WORDS = 4;
const [LENGTH, SAMPLE, WHOLE, TRIES] = [0, 1, 2, 3] as const;
/** Every 61st word is checked at every start, so that a lost block of 4 KB is noticed, the unit in which file systems lose data. All
 *  of them would cost 0.2 of a start, and a loop long enough for V8 to optimise it 0.05. Not a power of two: the same field of many
 *  equal records may be zero in all of them. */
const SAMPLE_STEP = 61;
const LARGEST_BYTES = 2 * 1024 * 1024;

export interface Bytecode {
  data: Uint8Array;
  /** How many refreshes in a row found nothing to add. */
  tries: number;
}

function checksum(words: Uint32Array, step: number): number {
  let sum = words.length;
  for (let at = HEADER_WORDS; at < words.length; at += step)
    sum = Math.imul(sum ^ (words[at] as number), 16777619);
  return sum >>> 0;
}

export function encode({ data, tries }: Bytecode): Uint32Array | undefined {
  const words = new Uint32Array(HEADER_WORDS + Math.ceil(data.length / 4));
  if (words.byteLength >= LARGEST_BYTES) return undefined;
  new Uint8Array(words.buffer).set(data, HEADER_WORDS * 4);
  words.set([data.length, checksum(words, SAMPLE_STEP), checksum(words, 1), tries]);
  return words;
}

/** The sampled check of every start. */
export function decode(words: Uint32Array): Bytecode | undefined {
  const length = words[LENGTH] ?? 0;
  if (length === 0 || words.length !== HEADER_WORDS + Math.ceil(length / 4)) return undefined;
  if (words[SAMPLE] !== checksum(words, SAMPLE_STEP)) return undefined;
  return { data: new Uint8Array(words.buffer, HEADER_WORDS * 4, length), tries: words[TRIES] ?? 0 };
}

/** The check of every byte. */
export const isIntact = (words: Uint32Array): boolean =>
  decode(words) !== undefined && words[WHOLE] === checksum(words, 1);

let room: Uint32Array<ArrayBuffer> | undefined;
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** One bounded read, whatever lies there; the words are overwritten by the next call. */
export function readWords(path: string): Uint32Array {
  room ??= new Uint32Array(LARGEST_BYTES / 4);
  const fd = openSync(path, FLAGS);
  try {
    const bytes = readSync(fd, room);
    return room.subarray(0, bytes % 4 === 0 ? bytes / 4 : 0);
  } finally {
    closeSync(fd);
  }
}
