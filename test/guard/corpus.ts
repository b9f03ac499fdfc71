// The corpus as lists: one file for each way around a guard and for each way to get in the way of honest work.
// One command a line; ⏎ and ␍ stand for a line feed and a carriage return inside it. The lists "by strangers" were written from
// the guard's brief alone, by authors who had seen neither it nor the other lists.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const readCorpus = (file: string): string[] =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("⏎", "\n").replaceAll("␍", "\r"));

type Folder = "denied" | "allowed";

export const corpora = (folder: Folder | `powershell/${Folder}` | `written/${Folder}`): string[] =>
  readdirSync(join(import.meta.dirname, folder)).map((file) => `${folder}/${file}`);
