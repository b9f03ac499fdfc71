// Addresses on the relay: one token each, readable back, and nothing in a name can reach beyond its own subject.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fromToken,
  KEYS,
  machineFrom,
  mailSubject,
  readKey,
  readSubject,
  receiptSubject,
  toToken,
  whyNotPlain,
} from "../../lib/machines/names.ts";

const name = fc.string({ unit: "binary", minLength: 1, maxLength: 30 }).filter((text) => text.isWellFormed());

describe("tokens", () => {
  test("any name is one token and comes back", () =>
    fc.assert(
      fc.property(name, (text) => {
        expect(toToken(text)).toMatch(/^[A-Za-z0-9_=-]+$/);
        expect(fromToken(toToken(text))).toBe(text);
      }),
    ));
  test("what toToken does not write is not read", () => {
    for (const token of ["", "a.b", "*", ">", "a b", "=4", "=61", "=zz", "=2e", "=FF", "=receipts"])
      expect(fromToken(token)).toBeUndefined();
  });
  test("a plain name stays as it is", () => expect(toToken("bob_the-2nd")).toBe("bob_the-2nd"));
});

describe("subjects", () => {
  const to = { machine: "cloud", agent: "b.o>b" };
  const from = { machine: "laptop", agent: "a*" };
  const subject = mailSubject("demo", to, from);
  test("one for both ends", () => {
    expect(subject).toBe("swarm.demo.mail.cloud.b=2Eo=3Eb.laptop.a=2A");
    expect(readSubject("demo", "cloud", subject)).toEqual({ kind: "mail", to, from });
  });
  test.each([
    ["another team", "other", "cloud", subject],
    ["another machine", "demo", "laptop", subject],
    ["one token more", "demo", "cloud", `${subject}.x`],
    ["one token less", "demo", "cloud", subject.replace(/\.[^.]*$/, "")],
    ["no machine", "demo", "cloud", subject.replace(".laptop.", ".=2E.")],
  ])("%s is not read", (_, team, machine, text) => expect(readSubject(team, machine, text)).toBeUndefined());
  test("an agent cannot be called like a courier", () => {
    const receipt = receiptSubject("demo", "cloud", "laptop");
    expect(readSubject("demo", "cloud", receipt)).toEqual({ kind: "receipts", fromMachine: "laptop" });
    const posing = mailSubject(
      "demo",
      { machine: "cloud", agent: "=receipts" },
      { machine: "laptop", agent: "=courier" },
    );
    expect(readSubject("demo", "cloud", posing)).toMatchObject({ kind: "mail" });
  });
});

test("keys come back", () => {
  expect(readKey(KEYS.member({ machine: "m", agent: "a.b" }))).toEqual({
    kind: "roster",
    machine: "m",
    agent: "a.b",
  });
  expect(readKey(KEYS.task("12"))).toEqual({ kind: "task", id: "12" });
  expect(readKey(KEYS.machine("m"))).toEqual({ kind: "machine", machine: "m" });
  expect(readKey(KEYS.lead)).toEqual({ kind: "lead" });
  for (const key of ["task.0", "task.1.2", "task.x", "roster.m", "roster.m.a.b", "config.x", "other"])
    expect(readKey(key)).toBeUndefined();
});

test("names of machines and teams", () => {
  expect(machineFrom("dev.example.org")).toBe("dev-example-org");
  expect(machineFrom("...")).toBe("machine");
  expect(whyNotPlain("machine", "a")).toBeUndefined();
  for (const bad of ["", "-a", "a.b", "a b", "a>", "ä", "x".repeat(101)])
    expect(whyNotPlain("machine", bad)).toContain("the machine");
});
