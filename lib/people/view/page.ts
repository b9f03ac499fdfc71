// The live page: a frame that its script fills. It needs nothing from elsewhere, and its policy lets nothing else in.

import { escaped, hash } from "../../ops/report/html.ts";
import { VERDICTS } from "../../ops/report/story.ts";
import { STYLE } from "../../ops/report/style.ts";
import { SCRIPT } from "./script.ts";

const MORE = `
.facts { grid-template-columns: repeat(4, 1fr); }
#live { display: inline-block; margin-left: 10px; font-size: 12.5px; color: var(--soft); }
#live::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 6px; border-radius: 50%; background: var(--idle); }
#live[data-state="on"]::before { background: var(--working); }
#live[data-state="off"]::before { background: var(--failed); }
#quota { margin: 6px 0 0; padding: 0; list-style: none; color: var(--soft); font-size: 13.5px; }
#agents td { vertical-align: middle; }
#agents td small { margin-left: 2px; }
#agents .a-task small { display: block; margin: 0; font-size: 12.5px; }
.a-context, .a-unread, .a-seen { white-space: nowrap; color: var(--soft); font-size: 13px; }
.a-write { text-align: right; white-space: nowrap; }
.a-write button { min-height: 30px; padding: 2px 10px; margin-left: 6px; }
.all { display: flex; gap: 10px; align-items: center; flex-wrap: wrap; margin: 0 0 10px; }
#held { color: var(--soft); font-size: 13.5px; white-space: pre-line; }
#tasks td small, #trees td small { display: block; margin: 0; font-size: 12.5px; }
.s-tone-paused { color: var(--limited); }
button[hidden] { display: none; }
.s-tone-working { color: var(--accent); } .s-tone-question, .s-tone-permission { color: var(--amber); }
.s-tone-gone, .s-tone-silent { color: var(--deny); } .s-tone-ratelimited { color: var(--limited); }
tr[data-state="question"] td:first-child b::before, tr[data-state="permission"] td:first-child b::before { content: "● "; color: var(--amber); }
form { display: grid; gap: 10px; }
textarea { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 11px; min-height: 84px; width: 100%; resize: vertical; }
form div { display: flex; gap: 12px; align-items: center; flex-wrap: wrap; }
#said { color: var(--soft); font-size: 13.5px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 14px; top: 10px; }
.scroll { overflow-x: auto; }
@media (max-width: 760px) {
  .facts { grid-template-columns: 1fr 1fr; }
  #agents tr { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 2px 10px; padding: 9px 0; border-top: 1px solid var(--line); align-items: center; }
  #agents td { border: 0; padding: 0; }
  .agent-table thead { position: absolute; left: -999px; }
  .a-task { grid-column: 1 / -1; grid-row: 2; } .a-context:empty, .a-unread:empty { display: none; }
  .a-agent { grid-column: 1; grid-row: 1; } .a-state { grid-column: 2; grid-row: 1; } .a-write { grid-column: 3; grid-row: 1; }
  .a-context, .a-unread, .a-seen { grid-row: 3; }
}
`;

const style = `${STYLE}${MORE}`;

export const POLICY = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(SCRIPT)}`,
  "connect-src 'self'",
  "img-src data:", // the empty icon below: without one a browser asks for /favicon.ico
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const fact = (href: string, id: string, words: string) =>
  `<li><a href="#${href}"><b id="n-${id}">–</b><span id="w-${id}" data-since="${words}">${words}</span></a></li>`;
const chip = (kind: string, name: string) =>
  `<button type="button" data-kind="${kind}" aria-pressed="false">${name}</button>`;
const heads = (names: string[], numbers: string[] = []) =>
  `<thead><tr>${names.map((name) => `<th scope="col"${numbers.includes(name) ? ' class="number"' : ""}>${name}</th>`).join("")}</tr></thead>`;

/** `2026-02-20`, and not `24h`. */
const isDay = (since: string) => since.includes("-");

/** `since`: as `--since` was given. */
export function livePage(title: string, csrf: string, since: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csrf" content="${escaped(csrf)}">
<meta name="tones" content="${escaped(JSON.stringify([...VERDICTS]))}">
<link rel="icon" href="data:,">
<title>${escaped(title)}: swarm</title>
<style>${style}</style>
</head>
<body data-title="${escaped(title)}: swarm">
<a class="skip" href="#log-title">To what happened</a>
<main>
<header><p class="brand">swarm live<span id="live" role="status">connecting</span></p><h1>${escaped(title)}</h1><ul id="quota" aria-label="Rate limits"></ul></header>
<ul class="facts">${fact("who", "agents", "agents")}${fact("log-title", "mail", "unread messages")}${fact("todo", "tasks", "tasks completed")}${fact("money", "cost", escaped(isDay(since) ? `since ${since}` : `in the last ${since}`))}</ul>
<section id="who"><h2>Agents</h2><div class="all"><button type="button" id="pause-all">Pause all</button><button type="button" id="unpause-all">Let all go on</button><span id="held" role="status"></span></div><table class="agent-table">${heads(["agent", "state", "task", "context", "mail", "seen", ""])}<tbody id="agents"></tbody></table></section>
<section><h2 id="write-title">Write</h2><form id="form" aria-labelledby="write-title"><label for="to">To</label><select id="to"></select><label for="text">Message</label><textarea id="text" maxlength="100000"></textarea><div><button id="send" type="submit">Send</button><span id="said" role="status"></span></div></form></section>
<div class="pair">
<section id="todo"><h2>Tasks</h2><p class="empty" id="no-tasks">No tasks on the list.</p><div class="scroll"><table>${heads(["", "task", "owner", "status"])}<tbody id="tasks"></tbody></table></div></section>
<section id="money"><h2>Cost</h2><p class="empty" id="no-costs">Nothing was counted in this time.</p><div class="scroll"><table>${heads(["agent", "messages", "output", "cost"], ["messages", "output", "cost"])}<tbody id="costs"></tbody></table></div></section>
</div>
<section id="where" hidden><h2>Trees</h2><div class="scroll"><table>${heads(["agents", "branch", "state"])}<tbody id="trees"></tbody></table></div></section>
<section><h2 id="log-title" tabindex="-1">What happened</h2>
<div class="filters">${chip("message", "Messages")}${chip("task", "Tasks")}${chip("decision", "Decisions")}${chip("context", "Context")}<input id="words" type="search" placeholder="Search" aria-label="Search"></div>
<ol id="log"></ol>
<div class="pages"><button type="button" id="older" hidden>Show older</button><span id="count" role="status"></span></div></section>
<footer>Keys: <kbd>/</kbd> search, <kbd>w</kbd> write, <kbd>Ctrl</kbd>+<kbd>Enter</kbd> sends.</footer>
<noscript><p class="empty">The live view needs the script of this page.</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
