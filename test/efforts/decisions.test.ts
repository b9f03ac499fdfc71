// The pure decisions of the effort engine, as tables.
import { describe, expect, test } from "vitest";
import { chooseEffort, isFree, ownerOf } from "../../lib/efforts/sessions.ts";
import type { Effort } from "../../lib/efforts/store/efforts.ts";
import { contains, dialogueOf, effortCommandIn, fires, matches } from "../../lib/efforts/tool-calls.ts";
import { NOON } from "../support/a-context.ts";
import { ownMs } from "../support/own-time.ts";
import { payload } from "../support/run-built.ts";

describe("a command of the effort itself", () => {
  const alone = (verb: string) => ({ verb, isFirst: true, isAlone: true });
  const mixed = (verb: string, isFirst = true) => ({ verb, isFirst, isAlone: false });

  test.each([
    ['swarm effort log "did it"', alone("log")],
    ["swarm effort", alone("")],
    ["  swarm   effort  show --json ", alone("show")],
    ["/opt/plugin/bin/swarm effort phase 2", alone("phase")],
    ['"/a dir/bin/swarm" effort log x', alone("log")],
    ["node /opt/plugin/bin/swarm effort log x", alone("log")],
    ['swarm effort log "a; b && c | d"', alone("log")],
    ["swarm effort log 'costs $(nothing) `here`'", alone("log")],
    ["swarm effort dehydrate - <<'EOF'\n; rm -rf x\nEOF\n", alone("dehydrate")],
    ['swarm effort log "see `date`"', mixed("log")],
    ['swarm effort log "$(cat x)"', mixed("log")],
    ["swarm effort log x && git push", mixed("log")],
    ["swarm effort log x\ngit push", mixed("log")],
    ["swarm effort dehydrate - <<EOF\nx\nEOF\ngit push", mixed("dehydrate")],
    ['swarm effort log "it\'s done" && git commit -m "it\'s done"', mixed("log")],
    ["swarm effort log it\\'s done; git push; echo it\\'s", mixed("log")],
    ["swarm effort log $'it\\'s'; git push; echo $'it\\'s'", mixed("log")],
    ["swarm effort log - <<EOF\na\nEOF\ngit push\ncat <<EOF\nb\nEOF", mixed("log")],
    ["swarm effort log - <<EOF\n$(git push)\nEOF", mixed("log")],
    ['swarm effort log "see <<EOF\nx"; git push\nEOF', mixed("log")],
    ['swarm effort log "it\'s done, \\"really\\"; the rest isn\'t"', alone("log")],
    ["swarm effort log - <<EOF\nit's done; costs \\$(nothing)\nEOF", alone("log")],
    ["swarm effort log - <<-EOF\n\tdone\n\tEOF", alone("log")],
    ['swarm effort log x # "\ngit push #"', mixed("log")],
    ["swarm effort log x # <<EOF\ngit push\nEOF", mixed("log")],
    ["swarm effort log 'see #12'", alone("log")],
    ["cd sub && swarm effort log x", mixed("log", false)],
    ["echo swarm effort log", undefined],
    ["swarmy effort log x", undefined],
    ["swarm efforts", undefined],
    ["swarm send bob hi", undefined],
    ["git push", undefined],
  ])("%j", (command, expected) => expect(effortCommandIn("Bash", { command })).toEqual(expected));

  test.each(["\n", "(", ";", "/", "; ", "(/", 'x"'])("a long row of %j is looked at in no time", (piece) => {
    const command = piece.repeat(200_000);
    expect(ownMs(() => effortCommandIn("Bash", { command }))).toBeLessThan(1_000);
  });

  test.each([
    ['swarm effort log "C:\\"; git push; "x"', mixed("log")],
    ['swarm effort log "\\$(git push)"', mixed("log")],
    ["swarm effort log (git push)", mixed("log")],
    ['swarm effort log "done; C:\\x"', alone("log")],
  ])("in PowerShell: %j", (command, expected) =>
    expect(effortCommandIn("PowerShell", { command })).toEqual(expected),
  );

  test.each([
    ["Read", { file_path: "swarm effort log" }, undefined],
    ["Bash", { command: 7 }, undefined],
    ["Skill", { skill: "swarm:swarm-effort" }, alone("")],
    ["Skill", { skill: "swarm-effort" }, alone("")],
    ["Skill", { skill: "other" }, undefined],
  ])("%s %j", (tool, input, expected) => expect(effortCommandIn(tool, input)).toEqual(expected));
});

describe("guard rules", () => {
  test.each([
    ["Bash", "Bash", true],
    ["Bash|Write", "Write", true],
    ["mcp__*__send", "mcp__mail__send", true],
    ["*", "", true],
    ["Bash", "bash", false],
    ["Ba", "Bash", false],
    ["a*a", "a", false],
    ["2*", "2: build", true],
  ])("the name pattern %j on %j", (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  test.each([
    ["git push", "cd x && git push origin", true],
    ["git push*--force", "git push origin main --force", true],
    ["git push*--force", "git --force push", false],
    ["rm -rf|git clean", "git clean -fd", true],
    ["", "anything", true],
  ])("the input pattern %j in %j", (pattern, text, expected) =>
    expect(contains(pattern, text)).toBe(expected),
  );

  test("a hostile pattern does not run long", () => {
    const match = () => expect(matches(`${"*a".repeat(2_000)}b`, "a".repeat(100_000))).toBe(false);
    expect(ownMs(match)).toBeLessThan(1_000);
  });

  const moment = {
    tool: "Bash",
    input: { command: "git push", nested: { deep: "secret" } },
    phase: "2: build",
    heartbeat: 3,
    context: 80,
  };
  const rule = (when: object) => ({ id: "r", message: "m", action: "warn" as const, ...when });

  test.each([
    [{ tool: "Bash" }, true],
    [{ tool: "Bash", input: "git push" }, true],
    [{ input: "secret" }, true],
    [{ tool: "Bash", phase: "1*" }, false],
    [{ phase: "2*" }, true],
    [{ heartbeat: 3 }, true],
    [{ heartbeat: 4 }, false],
    [{ context: 80 }, true],
    [{ context: 81 }, false],
  ])("%j", (when, fired) => expect(fires(rule(when), moment)).toBe(fired));

  test("an unknown context fires no rule about it", () =>
    expect(fires(rule({ context: 1 }), { ...moment, context: undefined })).toBe(false));
});

describe("whose effort", () => {
  const effort = (id: number, owner: Effort["owner"] = {}) => ({ id, owner }) as Effort;
  const efforts = [
    effort(5, { team: "t", agent: "bob" }),
    effort(4),
    effort(3, { team: "t", agent: "alice" }),
    effort(2, { fleet: "pane-2" }),
    effort(1, { fleet: "pane-1", agent: "alice", team: "t" }),
  ];

  test.each([
    ["AGENT_ID comes first", { fleet: "pane-1", team: "t", agent: "bob" }, 1],
    ["then team and name", { team: "t", agent: "alice" }, 3],
    ["a stranger gets the latest", {}, 5],
    ["a named agent does not fall into another's", { team: "t", agent: "carol" }, 4],
    ["the same name in another team is somebody else", { team: "u", agent: "bob" }, 4],
  ])("%s", (_, asker, expected) => expect(chooseEffort(efforts, asker)?.id).toBe(expected));

  test("an AGENT_ID never takes the effort of another one", () =>
    expect(chooseEffort(efforts.slice(3), { fleet: "pane-9" })).toBeUndefined());

  test("no effort belongs to no owner", () => expect(chooseEffort([], {})).toBeUndefined());

  const NATIVE = "session-0a1b2c3d";
  test.each([
    ["a named team counts", { team: "t", agent: "a", isLead: false }, { fleet: "f", team: "t", agent: "a" }],
    [
      "a native lead has no name of its own",
      { team: NATIVE, agent: "team-lead", isLead: true },
      { fleet: "f" },
    ],
    [
      "a native teammate keeps its name",
      { team: NATIVE, agent: "al", isLead: false },
      { fleet: "f", agent: "al" },
    ],
  ])("%s", (_, identity, asker) => expect(ownerOf("f", identity)).toEqual(asker));
});

describe("a dialogue", () => {
  const { tool_input, tool_response } = payload("PostToolUse-AskUserQuestion");

  test("keeps question, options and answer", () =>
    expect(dialogueOf(tool_input, tool_response, "Two ways are open.")).toEqual({
      preamble: "Two ways are open.",
      questions: [{ question: "Which one?", options: ["Alpha", "Beta"], answer: "Alpha" }],
    }));

  test.each([
    ["no answer", { questions: [{ question: "Q", options: [] }] }, { answers: {} }, null],
    ["several at once", { questions: [{ question: "Q" }] }, { answers: { Q: ["a", "b"] } }, '["a","b"]'],
  ])("%s", (_, input, response, answer) =>
    expect(dialogueOf(input, response, undefined).questions[0]?.answer).toBe(answer),
  );

  test.each([[{}], [{ questions: "?" }], [{ questions: [7, null] }]])("%j is no reason to fail", (input) =>
    expect(() => dialogueOf(input, undefined, undefined)).not.toThrow(),
  );

  test("a long preamble keeps its end", () =>
    expect(dialogueOf({}, {}, `${"x".repeat(2_000)}end`).preamble).toMatch(/^x{1997}end$/));
});

describe("a queued text is free", () => {
  const ago = (ms: number) => new Date(NOON.getTime() - ms).toISOString();
  test.each([
    ["when nobody claimed it", {}, true],
    ["not while another process shows it", { claimedAt: ago(1_000) }, false],
    ["again when that process died", { claimedAt: ago(31_000) }, true],
    ["again when the clock was set back since", { claimedAt: ago(-86_400_000) }, true],
    ["for the session it is meant for", { for: "s-1" }, true],
    ["not for another", { for: "s-2" }, false],
  ])("%s", (_, state, free) =>
    expect(isFree({ id: "x", text: "t", at: ago(60_000), ...state }, "s-1", NOON)).toBe(free),
  );
});
