// Sessions of 0.1.0 and of this version at the same files.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type Agent,
  aHomeOf010,
  contents,
  environment,
  hookCall,
  NEW,
  OLD,
  prompt,
} from "./support/a-home-of-0.1.0.ts";

test.runIf(OLD)(
  "both write and read at the same time: nothing is lost",
  async () => {
    const home = aHomeOf010();
    prompt(home, "bob");
    const texts = Array.from({ length: 4 }, (_, n) => `message ${n}`);
    const send = async (version: string, to: string, from: Agent) => {
      for (const text of texts) {
        const child = spawn(process.execPath, [join(version, "bin/swarm"), "send", to, `${from}: ${text}`], {
          cwd: home.project,
          env: environment(home, from),
          stdio: "ignore",
        });
        expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
      }
    };
    let isSending = true;
    const shown: string[] = [];
    const reader = (async () => {
      for (let more = true, n = 0; more; n++) {
        more = isSending;
        const call = hookCall(
          home,
          "bob",
          "UserPromptSubmit",
          { prompt: "go" },
          n % 2 ? (OLD as string) : NEW,
        );
        const child = spawn(process.execPath, call.args, {
          ...call.options,
          stdio: ["pipe", "pipe", "ignore"],
        });
        child.stdin.end(call.input);
        let text = "";
        child.stdout.on("data", (part) => (text += part));
        await new Promise((resolve) => child.on("close", resolve));
        shown.push(...contents(text));
      }
    })();
    await Promise.all([send(OLD as string, "bob", "alice"), send(NEW, "bob", "lead")]);
    isSending = false;
    await reader;
    shown.push(...prompt(home, "bob"));
    for (const from of ["alice", "lead"])
      for (const text of texts) expect(shown).toContain(`${from}: ${text}`);
  },
  120_000,
);
