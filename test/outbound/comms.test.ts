import { expect, test } from "vitest";
import { PreToolUse } from "../../lib/hook/events.ts";
import { isDraft, isSender, recipientsOf, sameAddress, whyNotTo } from "../../lib/outbound/check.ts";
import { preToolUse } from "../../lib/outbound/hooks.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { ownMs } from "../support/own-time.ts";

const SETTINGS = '[comms]\ntools = ["mcp__gmail__*", "Bash(mail *)"]\ncontacts = "~/contacts.toml"\n';
const CONTACTS = `
[[contact]]
name = "Ada"
email = "ada@example.com"
phones = ["+49 30 1234567"]
tags = ["claude_direct"]

[[contact]]
name = "Grace"
addresses = ["grace@example.com"]
tags = ["claude_draft"]

[[contact]]
name = "Bob"
email = "bob@example.com"
tags = ["family"]
`;

function aPerson(): Home {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", SETTINGS);
  home.write("contacts.toml", CONTACTS);
  return home;
}

const send = (home: Home, tool: string, input: object, mode = "interactive") =>
  preToolUse(
    aContext(
      home,
      PreToolUse,
      { tool_name: tool, tool_input: input },
      { env: { CLAUDE_SESSION_MODE: mode } },
    ),
  );

test.each(["mission", "background", "autonomous"])("in %s mode nothing is sent, to no recipient", (mode) => {
  const outcome = send(aPerson(), "mcp__gmail__send_email", { to: "ada@example.com" }, mode);
  expect(outcome).toMatchObject({
    rule: "comms-mode",
    deny: expect.stringContaining(`in ${mode} mode may not`),
  });
});

test.each([
  ["a direct contact", "mcp__gmail__send_email", { to: "Ada <ADA@example.com>" }, undefined],
  ["a direct contact by phone", "mcp__gmail__send_sms", { phone: "+49301234567" }, undefined],
  ["a draft to a draft contact", "mcp__gmail__create_draft", { to: ["grace@example.com"] }, undefined],
  ["a draft to a direct contact", "mcp__gmail__create_draft", { to: "ada@example.com" }, undefined],
  ["sending to a draft contact", "mcp__gmail__send_email", { to: "grace@example.com" }, "comms-draft"],
  [
    "sending a draft to a draft contact",
    "mcp__gmail__send_draft",
    { to: "grace@example.com" },
    "comms-draft",
  ],
  ["an untagged contact", "mcp__gmail__send_email", { to: "bob@example.com" }, "comms-contact"],
  ["a stranger", "mcp__gmail__send_email", { to: "eve@example.com" }, "comms-contact"],
  [
    "a stranger in copy",
    "mcp__gmail__send_email",
    { to: "ada@example.com", cc: "eve@example.com" },
    "comms-contact",
  ],
  [
    "a stranger in a list",
    "mcp__gmail__send_email",
    { to: "ada@example.com, eve@example.com" },
    "comms-contact",
  ],
  ["nobody named", "mcp__gmail__send_email", { body: "hi" }, "comms-recipient"],
  ["the mail command", "Bash", { command: "mail -s hi ada@example.com < x" }, undefined],
  [
    "the mail command to a stranger",
    "Bash",
    { command: "cd x && mail -s hi eve@example.com" },
    "comms-contact",
  ],
])("interactive, %s", (_, tool, input, rule) => {
  expect(send(aPerson(), tool, input)?.rule).toBe(rule);
});

test.each([
  ["a directory", (home: Home) => home.write("contacts.toml/x", "")],
  ["a giant", (home: Home) => home.write("contacts.toml", `# ${"x".repeat(1024 * 1024)}\n${CONTACTS}`)],
])("%s in the contacts' place lets nothing out", (_, put) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", SETTINGS);
  put(home);
  expect(send(home, "mcp__gmail__send_email", { to: "eve@example.com" })).toMatchObject({
    rule: "comms-contact",
    deny: expect.stringContaining("contacts.toml"),
  });
});

test.each(["cc_emails", "ccEmails", "bcc_recipients", "toRecipients", "cc_addresses", "recipient_ids"])(
  "%s is read beside a known recipient",
  (key) => {
    const input = { to: "ada@example.com", [key]: ["eve@example.com"] };
    expect(send(aPerson(), "mcp__gmail__send_email", input)?.rule).toBe("comms-contact");
  },
);

test("what is allowed is in the journal, with the recipients", () => {
  const outcome = send(aPerson(), "mcp__gmail__send_email", { to: "ada@example.com" });
  expect(outcome).toEqual({
    journal: [
      {
        what: "comms-allowed",
        tool: "mcp__gmail__send_email",
        need: "direct",
        recipients: ["ada@example.com"],
      },
    ],
  });
});

test("a denial says what to do and which settings decide", () => {
  const outcome = send(aPerson(), "mcp__gmail__send_email", { to: "eve@example.com" });
  expect(outcome?.deny).toContain("Put the text into your report or a file");
  expect(outcome?.deny).toContain("comms.contacts in ");
});

test.each([
  ["no contacts file", undefined],
  ["a broken contacts file", "[[contact"],
])("%s allows nobody", (_, content) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", SETTINGS);
  if (content) home.write("contacts.toml", content);
  expect(send(home, "mcp__gmail__send_email", { to: "ada@example.com" })?.rule).toBe("comms-contact");
});

test.each([
  [
    "a draft contact",
    { name: "Grace", tags: ["claude_draft"] },
    "Grace has the tag claude_draft: a draft may",
  ],
  ["one without a name", { tags: ["claude_draft"] }, "x@example.com has the tag claude_draft: a draft may"],
  ["an untagged one", { name: "Bob", tags: [] }, "Bob has neither the tag claude_direct nor"],
  ["an untagged one without a name", {}, "x@example.com has neither the tag claude_direct nor"],
  ["a name that is no text", { name: 7 }, "x@example.com has neither the tag claude_direct nor"],
])("a denial names the contact, else the address: %s", (_, contact, why) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", SETTINGS.replace("contacts.toml", "c.json"));
  home.write("c.json", { contacts: [{ email: "x@example.com", ...contact }] });
  expect(send(home, "mcp__gmail__send_email", { to: "x@example.com" })?.deny).toContain(`and ${why}`);
});

test.each([
  ["no file in the settings", SETTINGS.replace(/contacts = .*/, ""), "", "there is no contacts file"],
  ["no such file", SETTINGS.replace("contacts.toml", "gone.toml"), "", "there is no contacts file"],
  ["a broken file", SETTINGS, '[[contact]]\nname = "Ada\n[[contact\n', "contacts.toml: Invalid TOML"],
  ["a broken JSON file", SETTINGS.replace(".toml", ".json"), "", "contacts.json: "],
])("a denial says what is wrong with the contacts: %s", (_, settings, contacts, why) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", settings);
  home.write("contacts.toml", contacts);
  home.write("contacts.json", "[{");
  const outcome = send(home, "mcp__gmail__send_email", { to: "ada@example.com" });
  expect(outcome).toMatchObject({ rule: "comms-contact", deny: expect.stringContaining(why) });
});

test("a contacts file without a slash is in the home directory", () => {
  const home = aPerson();
  home.write(".claude/swarm/settings.toml", SETTINGS.replace("~/", ""));
  expect(send(home, "mcp__gmail__send_email", { to: "ada@example.com" })).toHaveProperty("journal");
});

test("without patterns an interactive session sends as it likes", () =>
  expect(send(aHome(), "mcp__gmail__send_email", { to: "eve@example.com" })).toBeUndefined());

test("without patterns an unattended session sends by no well-known tool", () => {
  expect(send(aHome(), "mcp__gmail__send_email", { to: "ada@example.com" }, "mission")?.rule).toBe(
    "comms-mode",
  );
  expect(send(aHome(), "mcp__files__read", {}, "mission")).toBeUndefined();
});

test("a pattern knows stars and nothing else", () => {
  const isIt = (pattern: string, tool: string) => isSender(tool, {}, [pattern], false);
  expect([
    isIt("mcp__a__*", "mcp__a__x"),
    isIt("mcp__?__x", "mcp__a__x"),
    isIt("mcp__[ab]__x", "mcp__a__x"),
  ]).toEqual([true, false, false]);
});

test("a home with signs that mean something in a replacement", () => {
  const home = aPerson();
  home.write("a$&b/contacts.toml", CONTACTS);
  const env = { HOME: home.path("a$&b"), CLAUDE_CONFIG_DIR: home.path(".claude") };
  const input = { tool_name: "mcp__gmail__send_email", tool_input: { to: "ada@example.com" } };
  expect(preToolUse(aContext(home, PreToolUse, input, { env }))?.deny).toBeUndefined();
});

test("a JSON list of contacts works as well", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", SETTINGS.replace("contacts.toml", "c.json"));
  home.write("c.json", [{ name: "Ada", email: "ada@example.com", tags: ["claude_direct"] }]);
  expect(send(home, "mcp__gmail__send_email", { to: "ada@example.com" })?.deny).toBeUndefined();
});

test("a project names neither tools nor contacts", () => {
  const home = aPerson();
  home.write(
    "project/.atm.toml",
    '[comms]\ntools = ["Read", "Bash", "mcp__chat__*"]\ncontacts = "evil.toml"\n',
  );
  home.write(
    "project/evil.toml",
    CONTACTS.replace("bob@example.com", "eve@example.com").replace("family", "claude_direct"),
  );
  expect(send(home, "mcp__gmail__send_email", { to: "eve@example.com" })?.rule).toBe("comms-contact");
  expect(send(home, "mcp__chat__say", { to: "eve@example.com" })).toBeUndefined();
  expect(send(home, "Read", { file_path: "x" })).toBeUndefined();
  expect(send(home, "Bash", { command: "ls" })).toBeUndefined();
});

test.each([
  ["mcp__gmail__send_email", true],
  ["mcp__claude_ai_Slack__post_message", true],
  ["mcp__telegram__reply", true],
  ["mcp__gmail__search", false],
  ["mcp__slack__list_channels", false],
  ["mcp__github__create_issue", false],
  ["mcp__mailchimp_docs__read", false],
  ["mcp__postgres__query", false],
  ["SendMessage", false],
  ["Bash", false],
  ["Agent", false],
])("unattended and without a setting, %s sends: %s", (tool, sends) => {
  expect(isSender(tool, {}, [], true)).toBe(sends);
});

test.each([
  ["*send*", "SendMessage", false],
  ["*", "Bash", false],
  ["*", "Read", false],
  ["*", "mcp__any__thing", true],
  ["mcp__gmail__send", "mcp__gmail__send_email", false],
  ["mcp__gmail__send*", "mcp__gmail__send_email", true],
  ["mcp__g.ail__*", "mcp__gmail__x", false],
])("the pattern %s and the tool %s: %s", (pattern, tool, sends) => {
  expect(isSender(tool, {}, [pattern], false)).toBe(sends);
});

test.each([
  ["cd x && mail ann@x", true],
  ["if [ -f x ]; then mail ann@x <x; fi", true],
  ["for n in a; do mail ann@x; done", true],
  ["(mail ann@x <x)", true],
  ["{ mail ann@x; }", true],
  ["! TZ=UTC LANG=C mail ann@x", true],
  ["sudo mail ann@x", true],
  ["git commit -m 'fix (mail server)'", false],
  ["git commit -m 'then mail works'", false],
  ["man mail ann", false],
  ["MAIL=mail ls mail x", false],
  ["sudo mutt ann@x", true],
])("the patterns mail * and sudo mutt *, and the command %s: %s", (command, sends) => {
  expect(isSender("Bash", { command }, ["Bash(mail *)", "Bash(sudo mutt *)"], false)).toBe(sends);
});

test.each([
  ["mcp__gmail__create_draft", {}, true],
  ["mcp__gmail__draft_email", {}, true],
  ["mcp__gmail__send_draft", {}, false],
  ["mcp__gmail__send", { draft: true }, true],
  ["mcp__gmail__send", { is_draft: true }, true],
  ["mcp__gmail__send", { draft: false, is_draft: false }, false],
  ["mcp__overdraft__send", {}, false],
])("%s %j is a draft: %s", (tool, input, draft) => {
  expect(isDraft(tool, input)).toBe(draft);
});

test("recipients are read from every field that names people, and from nowhere else", () =>
  expect(
    recipientsOf("mcp__x__send", {
      to: "a@x; b@x",
      bcc: ["c@x"],
      subject: "d@x",
      channel: "#dev",
      user: { id: 7, isBot: false, team: null },
    }),
  ).toEqual(["a@x", "b@x", "c@x", "#dev", "7"]));

test.each([
  ["ada@example.com", "Ada <Ada@Example.com>", true],
  ["+49 30 123456-7", "+49301234567", true],
  ["#dev", "#DEV", true],
  ["ada@example.com", "ada@example.com.evil", false],
  ["", "", false],
])("%s is %s: %s", (a, b, same) => {
  expect(sameAddress(a, b)).toBe(same);
});

test("one recipient without the tag is enough to stop a message", () => {
  const ada = { name: "Ada", addresses: ["a@x"], tags: ["claude_direct"] };
  expect(whyNotTo(["a@x"], [ada], "direct")).toBeUndefined();
  expect(whyNotTo(["a@x", "b@x"], [ada], "direct")).toMatchObject({ rule: "comms-contact" });
});

test.each([
  ["Bash(********!)", "Bash", { command: "a".repeat(100_000) }],
  [`Bash(${"*a".repeat(2_000)}!)`, "Bash", { command: "a".repeat(100_000) }],
  [`mcp__${"*_".repeat(2_000)}!`, `mcp__${"_".repeat(20_000)}`, {}],
  ["Bash(mail *)", "Bash", { command: `${"( A=a then ".repeat(10_000)}=` }],
])("a pattern made to stall does not: %.20s", (pattern, tool, input) => {
  expect(ownMs(() => expect(isSender(tool, input, [pattern], false)).toBe(false))).toBeLessThan(1_000);
});

test("a command with a whole file in it is read in no time", () => {
  const command = `mail -s ${"a1".repeat(60_000)} eve@example.com`;
  expect(ownMs(() => expect(recipientsOf("Bash", { command })).toEqual(["eve@example.com"]))).toBeLessThan(
    1_000,
  );
});

test.each([
  ["mail -s hi ada@example.com +49 30 1234567", ["ada@example.com", "+49 30 1234567"]],
  ["mail +49301234567@sms.example", ["+49301234567@sms.example"]],
  ["mail '+49 30 1234567eve@example.com'", ["1234567eve@example.com"]],
])("in the command %j", (command, found) => expect(recipientsOf("Bash", { command })).toEqual(found));
