// The parts of the page around the picture: the facts in figures, who wrote to whom, which rules spoke, the tasks.
import { VERDICTS } from "./entries.ts";
import { counted, duration, escaped } from "./html.ts";
import type { Entry, LaneState, Story } from "./story.ts";

const MOST_ROWS = 12;
const MOST_TASKS = 500;

const figure = (href: string, value: string | number, words: string) =>
  `<li><a href="#${href}"><b>${escaped(value)}</b><span>${escaped(words)}</span></a></li>`;

export function facts(story: Story): string {
  const { lanes, entries, tasks } = story;
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const messages = of("message");
  const unread = messages.filter(({ tone }) => tone === "queued" || tone === "claimed").length;
  const denied = of("decision").filter(({ tone }) => tone === "deny").length;
  const done = tasks.filter(({ status }) => status === "completed").length;
  const fullest = lanes
    .flatMap(({ agent, levels }) => levels.map(({ share }) => ({ agent, share })))
    .reduce((a, b) => (b.share > a.share ? b : a), { agent: "", share: 0 });
  return `<ul class="facts">${[
    figure("timeline", lanes.length, `${lanes.length === 1 ? "agent" : "agents"}, ${worked(story)} of work`),
    figure("mail", messages.length, `${messages.length === 1 ? "message" : "messages"}, ${unread} unread`),
    figure("tasks", `${done}/${tasks.length}`, "tasks completed"),
    figure("decisions", of("decision").length, `decisions, ${denied} denied`),
    figure(
      "timeline",
      fullest.share > 0 ? `${fullest.share} %` : "–",
      `fullest context ${fullest.agent}`.trim(),
    ),
  ].join("")}</ul>`;
}

const worked = ({ lanes }: Story) =>
  duration(
    lanes
      .flatMap(({ spans }) => spans)
      .reduce((sum, { state, from, to }) => (state === "working" ? sum + to - from : sum), 0),
  );

const SAID: Record<Exclude<LaneState, "gone">, string> = {
  working: "working",
  idle: "idle",
  waiting: "waiting for somebody",
  limited: "rate limited",
  failed: "turn broke off",
  silent: "silent",
};

export function legend(story: Story): string {
  const used = new Set(story.lanes.flatMap(({ spans }) => spans.map(({ state }) => state)));
  const states = (Object.keys(SAID) as (keyof typeof SAID)[]).filter((state) => used.has(state));
  const sign = (inner: string) => `<svg width="14" height="12" aria-hidden="true">${inner}</svg>`;
  const has = (kind: string) => story.entries.some((entry) => entry.kind === kind);
  const signs = [
    ...states.map((state) => [`<rect class="s-${state}" y="2" width="14" height="8" rx="2"/>`, SAID[state]]),
    ...(has("message")
      ? [
          [
            '<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>',
            "message",
          ],
        ]
      : []),
    ...(has("decision") ? [['<circle class="d-deny" cx="7" cy="6" r="4"/>', "denied or asked"]] : []),
    ...(story.lanes.some(({ levels }) => levels.length > 0)
      ? [['<rect class="c-mid" y="5" width="14" height="3" rx="1"/>', "context filling"]]
      : []),
  ];
  return `<ul class="legend">${signs.map(([inner = "", words = ""]) => `<li>${sign(inner)}${words}</li>`).join("")}</ul>`;
}

interface Counted {
  key: string[];
  n: number;
}

/** The most frequent first. */
export function tally(entries: readonly Entry[], key: (entry: Entry) => string[]): Counted[] {
  const counts = new Map<string, Counted>();
  for (const entry of entries) {
    const parts = key(entry);
    const one = counts.get(parts.join("\n")) ?? { key: parts, n: 0 };
    counts.set(parts.join("\n"), { ...one, n: one.n + 1 });
  }
  return [...counts.values()].sort((a, b) => b.n - a.n);
}

const table = (heads: string[], rows: string[][], last = "number") =>
  `<table><thead><tr>${heads.map((head, n) => `<th${n === heads.length - 1 ? ` class="${last}"` : ""} scope="col">${head}</th>`).join("")}</tr></thead><tbody>${rows
    .map(
      (cells) =>
        `<tr>${cells.map((cell, n) => `<td${n === cells.length - 1 ? ` class="${last}"` : ""}>${cell}</td>`).join("")}</tr>`,
    )
    .join("")}</tbody></table>`;

const andMore = (all: readonly unknown[]) =>
  all.length > MOST_ROWS ? `<p class="empty">and ${all.length - MOST_ROWS} more</p>` : "";

/** A square while it is readable, a list beyond that. */
export function mailTable({ entries, lanes }: Story): string {
  const mail = entries.filter(({ kind }) => kind === "message");
  if (mail.length === 0) return '<p class="empty">Nobody has written.</p>';
  const pairs = tally(mail, ({ agent, to = "" }) => [agent, to]);
  const names = new Set(pairs.flatMap(({ key }) => key));
  if (names.size <= MOST_IN_SQUARE) return square(pairs, inOrder(names, lanes));
  const rows = pairs.slice(0, MOST_ROWS).map(({ key, n }) => [...key.map(escaped), String(n)]);
  return table(["from", "to", "messages"], rows) + andMore(pairs);
}

const MOST_IN_SQUARE = 6;
const SHADES = 4;

const inOrder = (names: ReadonlySet<string>, lanes: Story["lanes"]) => [
  ...new Set([...lanes.map(({ agent }) => agent).filter((agent) => names.has(agent)), ...names]),
];

function square(pairs: readonly Counted[], names: readonly string[]): string {
  const most = Math.max(...pairs.map(({ n }) => n));
  const cell = (from: string, to: string) => {
    const n = pairs.find(({ key }) => key[0] === from && key[1] === to)?.n;
    const shade = n ? ` class="h${Math.ceil((SHADES * n) / most)}"` : "";
    return `<td${shade}>${n ?? (from === to ? "" : "·")}</td>`;
  };
  const head = names.map((name) => `<th scope="col">${escaped(name)}</th>`).join("");
  const rows = names.map(
    (from) => `<tr><th scope="row">${escaped(from)}</th>${names.map((to) => cell(from, to)).join("")}</tr>`,
  );
  return `<table class="square"><thead><tr><th scope="col"><small>from ↓ to →</small></th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

export function decisionTable({ entries }: Story): string {
  const rules = tally(
    entries.filter(({ kind }) => kind === "decision"),
    ({ rule = "", tone = "", agent }) => [rule, tone, agent],
  );
  if (rules.length === 0) return '<p class="empty">No rule had to speak.</p>';
  const rows = rules
    .slice(0, MOST_ROWS)
    .map(({ key: [rule = "", tone = "", agent = ""], n }) => [
      escaped(rule),
      escaped(agent),
      `<span class="tone t-${escaped(tone)}">${VERDICTS.get(tone) ?? ""}</span>`,
      String(n),
    ]);
  return table(["rule", "agent", "", "times"], rows) + andMore(rules);
}

export function taskTable({ tasks }: Story): string {
  if (tasks.length === 0) return '<p class="empty">No tasks on the list.</p>';
  const newest = tasks.slice(-MOST_TASKS);
  const done = new Set(tasks.flatMap(({ id, status }) => (status === "completed" ? id : [])));
  const waits = (blockedBy: string[]) => {
    const open = blockedBy.filter((id) => !done.has(id));
    return open.length > 0 ? ` <small>waits for ${escaped(open.join(", "))}</small>` : "";
  };
  const rows = newest.map(({ id, subject, owner, status, blockedBy }) => [
    escaped(id),
    escaped(subject) + waits(blockedBy),
    escaped(owner),
    `<span class="tone t-${escaped(status)}">${escaped(status.replace("_", " "))}</span>`,
  ]);
  const older = tasks.length - newest.length;
  return `${progress(tasks)}${table(["", "task", "owner", "status"], rows)}${
    older > 0 ? `<p class="empty">and ${counted(older, "older task")}</p>` : ""
  }`;
}

function progress(tasks: Story["tasks"]): string {
  const share = (status: string) =>
    (100 * tasks.filter((task) => task.status === status).length) / tasks.length;
  const [done, doing] = [share("completed"), share("in_progress")];
  return `<svg class="bar" role="img" aria-label="${Math.round(done)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(done + doing).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${done.toFixed(2)}%" height="6" rx="3"/></svg>`;
}
