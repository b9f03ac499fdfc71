// npm run readme: writes the generated tables of README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { withTables } from "./readme/tables.ts";

const text = readFileSync("README.md", "utf8");
writeFileSync("README.md", withTables(text));
