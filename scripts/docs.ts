// npm run docs: writes docs/reference and the output of every ```console block.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { withOutput } from "./docs/console.ts";
import { manual } from "./docs/pages.ts";
import { referencePages } from "./docs/reference.ts";

for (const [path, text] of Object.entries(referencePages())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const path of manual()) writeFileSync(path, withOutput(readFileSync(path, "utf8")));
