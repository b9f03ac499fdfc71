// The whole page: one self-contained file that makes no request and runs only its own script.

import { counted } from "../../core/text.ts";
import type { Story } from "./gather.ts";
import { clock, duration, embedded, escaped, hash, zoneName } from "./html.ts";
import { SCRIPT } from "./script.ts";
import { type Entry, KINDS, type Span, STATES, VERDICTS } from "./story.ts";
import { STYLE } from "./style.ts";
import { coarsened, laneHeight, timeline } from "./timeline.ts";

/** Only a file with this mark is overwritten. */
export const MARK = "<!-- a report by swarm -->";

const POLICY = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'`;

export function page(story: Story): string {
  return `<!doctype html>
${MARK}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(story.title)}: swarm report</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${header(story)}
${facts(story)}
${picture(story)}
<div class="pair">
<section id="mail"><h2>Who wrote to whom</h2>${mailTable(story)}</section>
<section id="decisions"><h2>Decisions by rule</h2>${decisionTable(story)}</section>
</div>
${costSection(story.costs())}
<section id="tasks"><h2>Tasks</h2>${taskTable(story)}</section>
${runSection(story)}
${log(story.entries)}
<footer>Keys: <kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>←</kbd> <kbd>→</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${embedded(dataOf(story))}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function header({ title, from, to, zone, unreadable }: Story): string {
  const [a, b] = [clock(from, zone), clock(to, zone)];
  const end = a.day === b.day ? b.time : `${b.day} ${b.time}`;
  const count = counted(unreadable, "file or entry", "files or entries");
  const missed = unreadable > 0 ? `<p>${count} could not be read</p>` : "";
  return `<header><p class="brand">swarm report</p><h1>${escaped(title)}</h1><p>${a.day} ${a.time} – ${end} ${zoneName(zone)}, ${duration(to - from)}</p>${missed}</header>`;
}

const empty = (text: string) => `<p class="empty">${text}</p>`;

function picture(story: Story): string {
  const { lanes } = story;
  if (lanes.length === 0)
    return `<section id="timeline"><h2>Timeline</h2>${empty("No agent was active in this time.")}</section>`;
  const atTheEnd = (last?: Span) => (last && last.to >= story.to ? last.state : "away");
  const labels = lanes.map(
    ({ agent, role, spans }) =>
      `<li class="label"><b title="${escaped(agent)}">${escaped(agent)}</b><span class="now">${escaped(role || atTheEnd(spans.at(-1)))}</span></li>`,
  );
  const many = laneHeight(lanes.length) < 40 ? " many" : "";
  return `<section id="timeline"><h2>Timeline<small>${counted(lanes.length, "agent")}</small></h2>
<div class="timeline${many}"><ul class="labels">${labels.join("")}</ul>
<div id="scrub">${timeline(story)}</div></div>
<p id="moment"></p>${legend(story)}</section>`;
}

/** The tables count all, the log lists the newest. */
const MOST_ENTRIES = 20_000;

function log(all: readonly Entry[]): string {
  const entries = all.slice(-MOST_ENTRIES);
  const chips = Object.entries(KINDS).flatMap(([kind, name]) => {
    const n = entries.filter((entry) => entry.kind === kind).length;
    return n > 0
      ? `<button type="button" data-kind="${kind}" aria-pressed="false">${name}<small>${n}</small></button>`
      : [];
  });
  const agents = [...new Set(entries.flatMap(({ agent, to }) => (to ? [agent, to] : [agent])))].sort();
  const options = agents.map((agent) => `<option>${escaped(agent)}</option>`);
  const left = all.length - entries.length;
  const older = left > 0 ? `<small>${counted(left, "older entry", "older entries")} not shown</small>` : "";
  return `<section><h2 id="log-title">What happened${older}</h2>
<div class="filters">${chips.join("")}<select id="agent" aria-label="Agent"><option value="">All agents</option>${options.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript>${empty("The log needs the script of this page.")}</noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`;
}

const dataOf = ({ from, to, zone, entries, lanes }: Story) => ({
  from,
  to,
  zone,
  tones: [...VERDICTS],
  entries: entries.slice(-MOST_ENTRIES),
  lanes: lanes.map(({ spans }) => coarsened(spans, from, to).map((span) => [span.state, span.from, span.to])),
});

// The parts of the page around the timeline: figures, who wrote to whom, decisions, tasks.
const MOST_ROWS = 12;
const MOST_TASKS = 500;

const figure = (href: string, value: string | number, words: string) =>
  `<li><a href="#${href}"><b>${escaped(value)}</b><span>${escaped(words)}</span></a></li>`;

function facts({ lanes, entries, tasks }: Story): string {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const messages = of("message");
  const unread = messages.filter(({ isUnread }) => isUnread).length;
  const denied = of("decision").filter(({ tone }) => tone === "deny").length;
  const done = tasks.filter(({ status }) => status === "completed").length;
  const work = lanes.flatMap(({ spans }) => spans).filter(({ state }) => state === "working");
  const worked = duration(work.reduce((sum, { from, to }) => sum + to - from, 0));
  const fullest = lanes
    .flatMap(({ agent, levels }) => levels.map(({ share }) => ({ agent, share })))
    .reduce((a, b) => (b.share > a.share ? b : a), { agent: "", share: 0 });
  const share = fullest.share > 0 ? `${fullest.share} %` : "–";
  return `<ul class="facts">${[
    figure("timeline", lanes.length, `${lanes.length === 1 ? "agent" : "agents"}, ${worked} of work`),
    figure("mail", messages.length, `${messages.length === 1 ? "message" : "messages"}, ${unread} unread`),
    figure("tasks", `${done}/${tasks.length}`, "tasks completed"),
    figure("decisions", of("decision").length, `decisions, ${denied} denied`),
    figure("timeline", share, `fullest context ${fullest.agent}`.trim()),
  ].join("")}</ul>`;
}

function legend(story: Story): string {
  const used = new Set<string>(story.lanes.flatMap(({ spans }) => spans.map(({ state }) => state)));
  const hasMail = story.entries.some(({ kind }) => kind === "message");
  const verdicts = new Set(story.entries.map(({ kind, tone }) => kind === "decision" && tone));
  const hasLevels = story.lanes.some(({ levels }) => levels.length > 0);
  const sign = (isUsed: boolean, words: string, inner: string) =>
    isUsed ? `<li><svg width="14" height="12" aria-hidden="true">${inner}</svg>${words}</li>` : "";
  const mail = '<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>';
  const signs = [
    ...Object.entries(STATES).map(([state, { words }]) =>
      sign(used.has(state), words, `<rect class="s-${state}" y="2" width="14" height="8" rx="2"/>`),
    ),
    sign(hasMail, "message", mail),
    ...[...VERDICTS].map(([tone, words]) =>
      sign(verdicts.has(tone), words, `<circle class="d-${tone}" cx="7" cy="6" r="4"/>`),
    ),
    sign(hasLevels, "context filling", '<rect class="c-mid" y="5" width="14" height="3" rx="1"/>'),
  ];
  return `<ul class="legend">${signs.join("")}</ul>`;
}

export function tally(entries: readonly Entry[], keyOf: (entry: Entry) => string[]) {
  const counts = new Map<string, { key: string[]; n: number }>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const n = counts.get(key.join("\n"))?.n ?? 0;
    counts.set(key.join("\n"), { key, n: n + 1 });
  }
  return [...counts.values()].sort((a, b) => b.n - a.n);
}

const FIGURES = new Set(["messages", "times", "output tokens", "cost", "status", "exit code"]);

/** `left`: how many more there are. */
function table(heads: string[], rows: string[][], left = 0): string {
  const columnOf = (n: number) => (FIGURES.has(heads[n] ?? "") ? ' class="number"' : "");
  const head = heads.map((text, n) => `<th${columnOf(n)} scope="col">${text}</th>`).join("");
  const body = rows.map(
    (cells) => `<tr>${cells.map((text, n) => `<td${columnOf(n)}>${text}</td>`).join("")}</tr>`,
  );
  const more = left > 0 ? empty(`and ${left} more`) : "";
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>${more}`;
}

const firstRows = (heads: string[], rows: string[][]) =>
  table(heads, rows.slice(0, MOST_ROWS), rows.length - MOST_ROWS);

const pill = (tone: string, words: string) => `<span class="tone t-${escaped(tone)}">${words}</span>`;

/** A square while it is readable, a list beyond that. */
export function mailTable({ entries, lanes }: Story): string {
  const mail = entries.filter(({ kind }) => kind === "message");
  if (mail.length === 0) return empty("No messages.");
  const pairs = tally(mail, ({ agent, to = "" }) => [agent, to]);
  const names = new Set(pairs.flatMap(({ key }) => key));
  const inLanes = lanes.map(({ agent }) => agent).filter((agent) => names.has(agent));
  if (names.size <= MOST_IN_SQUARE) return square(pairs, [...new Set([...inLanes, ...names])]);
  const rows = pairs.map(({ key, n }) => [...key.map(escaped), String(n)]);
  return firstRows(["from", "to", "messages"], rows);
}

const MOST_IN_SQUARE = 6;
const SHADES = 4;

function square(pairs: ReturnType<typeof tally>, names: readonly string[]): string {
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
  if (rules.length === 0) return empty("No decisions.");
  const rows = rules.map(({ key: [rule = "", tone = "", agent = ""], n }) => {
    return [escaped(rule), escaped(agent), pill(tone, VERDICTS.get(tone) ?? ""), String(n)];
  });
  return firstRows(["rule", "agent", "", "times"], rows);
}

function costSection(costs: ReturnType<Story["costs"]>): string {
  const rows = costs?.rows.map((row) => [row.agent, row.messages, row.output, row.usd].map(escaped));
  const heads = ["agent", "messages", "output tokens", "cost"];
  const shown = rows ? firstRows(heads, rows) : empty("Nothing was counted in this time.");
  const total = costs ? `<small>${escaped(costs.total)}</small>` : "";
  return `<section id="costs"><h2>Cost${total}</h2>${shown}</section>`;
}

function runSection({ runs }: Story): string {
  if (runs.length === 0) return "";
  const rows = runs.slice(-MOST_ROWS).map(({ id, agent, command, exit, tree, verdict }) => {
    const ran = `${escaped(command)} <small>${escaped(tree ? `tree ${tree}, ${verdict}` : verdict)}</small>`;
    return [escaped(id), ran, escaped(agent), escaped(exit)];
  });
  const shown = table(["run", "command", "agent", "exit code"], rows, runs.length - rows.length);
  return `<section id="runs"><h2>Test and build runs</h2>${shown}</section>`;
}

export function taskTable({ tasks }: Story): string {
  if (tasks.length === 0) return empty("No tasks on the list.");
  const rows = tasks.slice(-MOST_TASKS).map(({ id, subject, owner, status, blockedBy, proof }) => {
    const waits = blockedBy.length > 0 ? `waits for ${blockedBy.join(", ")}` : "";
    const notes = [waits, proof].filter(Boolean).map((note) => ` <small>${escaped(note)}</small>`);
    const state = pill(status, escaped(status.replace("_", " ")));
    return [escaped(id), escaped(subject) + notes.join(""), escaped(owner), state];
  });
  const left = tasks.length - rows.length;
  const older = left > 0 ? empty(`and ${counted(left, "older task")}`) : "";
  return progress(tasks) + table(["", "task", "owner", "status"], rows) + older;
}

function progress(tasks: Story["tasks"]): string {
  const share = (...wanted: string[]) =>
    (100 * tasks.filter(({ status }) => wanted.includes(status)).length) / tasks.length;
  const [done, doing] = [share("completed"), share("in_progress", "in_review")];
  return `<svg class="bar" role="img" aria-label="${Math.round(done)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(done + doing).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${done.toFixed(2)}%" height="6" rx="3"/></svg>`;
}
