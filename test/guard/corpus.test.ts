import { describe, test } from "vitest";
import { aSituation, expectAllowed, expectDenied } from "./a-situation.ts";
import { corpora, readCorpus } from "./corpus.ts";

describe.each(corpora("denied"))("%s", (file) => {
  test.each(readCorpus(file))("%s", (command) => {
    expectDenied(command);
  });
});

describe.each(corpora("allowed"))("%s", (file) => {
  test.each(readCorpus(file))("%s", (command) => {
    expectAllowed(command);
  });
});

test("a symlink that leads out of the project does not hide the target", () => {
  const links = { "/home/dev/app/out": "/etc", "/home/dev/app/far": "/home/dev/other" };
  const situation = aSituation({}, { links });
  expectDenied("echo x > out/hosts", situation);
  expectDenied("rm -rf far/", situation);
  expectDenied("rm -rf far/*", situation);
  expectDenied("rm -rf far/src", situation);
  expectAllowed("rm -rf far", situation);
});
