// PowerShell's own ways to do the same.
import { describe, expect, test } from "vitest";
import { judgePowerShell } from "../../lib/guard/judge.ts";
import { aSituation } from "./a-situation.ts";
import { corpora, readCorpus } from "./corpus.ts";

describe.each(corpora("powershell/denied"))("%s", (file) => {
  test.each(readCorpus(file))("%s", (command) => {
    expect(judgePowerShell(command, aSituation())).toMatchObject({ rule: expect.any(String) });
  });
});

describe.each(corpora("powershell/allowed"))("%s", (file) => {
  test.each(readCorpus(file))("%s", (command) => {
    expect(judgePowerShell(command, aSituation())).toBeUndefined();
  });
});
