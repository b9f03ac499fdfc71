import { tmpdir } from "node:os";
import { aRun } from "./a-run.ts";

export const { setup, teardown } = aRun(tmpdir());
