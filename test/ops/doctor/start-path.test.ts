import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { encode } from "../../../lib/hook/bytecode.ts";
import { bytecodeFinding, optionFindings, startFindings } from "../../../lib/ops/doctor/machine.ts";
import { aHome } from "../../support/a-home.ts";

test.each([
  ["--v8-pool-size=0", "ok"],
  ["--no-such-option", "bad"],
])("whether this node accepts %s: %s", (option, level) =>
  expect(optionFindings([option])).toMatchObject([{ level }]),
);

test("what node says against an option is the evidence", () =>
  expect(optionFindings(["--no-such-option"])[0]?.evidence).toEqual([
    "--no-such-option",
    expect.stringContaining("bad option"),
  ]));

test("the options are those of hooks.json; without one there is nothing to ask", () => {
  const home = aHome();
  const said = () => startFindings(home.path("plugin"), home.path(".claude")).map(({ what }) => what);
  expect(said()).toEqual(["the bytecode of the hooks is intact"]);
  home.write("plugin/hooks.json", '{ "args": ["--v8-pool-size=0", "x.cjs", "--v8-pool-size=0"] }');
  expect(startFindings(home.path("plugin"), home.path(".claude"))[0]?.evidence).toEqual(["--v8-pool-size=0"]);
});

test("damaged bytecode is named and removed, wherever the client keeps it", () => {
  const home = aHome();
  for (const place of [
    ".claude/plugins/data/swarm-market/bytecode/v20",
    ".claude/swarm/cache/bytecode/v20",
  ]) {
    mkdirSync(home.path(place), { recursive: true });
    const words = encode({ data: Buffer.alloc(4_000, 7), tries: 0 }) as Uint32Array;
    writeFileSync(home.path(place, "intact"), words);
    words[500] = 1;
    writeFileSync(home.path(place, "flipped"), words);
  }
  expect(bytecodeFinding(home.path(".claude"))).toMatchObject([
    { level: "warn", what: "2 files of bytecode were damaged and removed" },
  ]);
  expect(bytecodeFinding(home.path(".claude"))).toMatchObject([{ level: "ok", evidence: ["2 files"] }]);
});
