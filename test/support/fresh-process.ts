// Each test begins as a process does: with nothing shared yet. The test files of one worker share its globals.
import { beforeEach } from "vitest";

beforeEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for("swarm.shared"));
});
