import { FileChanged } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(FileChanged, {});
