// The whole page: one file that needs nothing else, asks nobody, and runs only its own script.
import { createHash } from "node:crypto";
import { VERDICTS } from "./entries.ts";
import { clock, counted, duration, embedded, escaped, zoneName } from "./html.ts";
import { coarsened } from "./lanes.ts";
import { SCRIPT } from "./script.ts";
import { decisionTable, facts, legend, mailTable, taskTable } from "./sections.ts";
import { KINDS, type Story } from "./story.ts";
import { STYLE } from "./style.ts";
import { laneHeight, timeline } from "./timeline.ts";

/** By which a report is known again before it is written over. */
export const MARK = "<!-- a report by swarm -->";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
/** Only the style and the script below, byte for byte; no request to anywhere. */
const POLICY = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'`;

const MOST_SPANS = 400;

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
<section id="decisions"><h2>Which rules spoke</h2>${decisionTable(story)}</section>
</div>
<section id="tasks"><h2>Tasks</h2>${taskTable(story)}</section>
${log(story)}
<footer>Keys: <kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>←</kbd> <kbd>→</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${embedded(dataOf(story))}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function header({ title, from, to, zone }: Story): string {
  const [a, b] = [clock(from, zone), clock(to, zone)];
  const end = a.day === b.day ? b.time : `${b.day} ${b.time}`;
  return `<header><p class="brand">swarm report</p><h1>${escaped(title)}</h1><p>${a.day} ${a.time} – ${end} ${zoneName(zone)}, ${duration(to - from)}</p></header>`;
}

function picture(story: Story): string {
  const { lanes } = story;
  if (lanes.length === 0)
    return '<section id="timeline"><h2>Timeline</h2><p class="empty">Nobody was seen in this time.</p></section>';
  const labels = lanes.map(
    ({ agent, role, spans }) =>
      `<li class="label"><b title="${escaped(agent)}">${escaped(agent)}</b><span class="now">${escaped(role || (spans.at(-1)?.state ?? "away"))}</span></li>`,
  );
  const many = laneHeight(lanes.length) < 40 ? " many" : "";
  return `<section id="timeline"><h2>Timeline<small>${counted(lanes.length, "agent")}</small></h2>
<div class="timeline${many}"><ul class="labels">${labels.join("")}</ul>
<div id="scrub" tabindex="0" role="slider" aria-label="Moment" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="1000">${timeline(story)}</div></div>
<p id="moment"></p>${legend(story)}</section>`;
}

const NAMES = {
  message: "Messages",
  task: "Tasks",
  decision: "Decisions",
  context: "Context",
  state: "States",
  note: "Notes",
};

function log(story: Story): string {
  const chips = KINDS.flatMap((kind) => {
    const n = story.entries.filter((entry) => entry.kind === kind).length;
    return n > 0
      ? `<button type="button" data-kind="${kind}" aria-pressed="false">${NAMES[kind]}<small>${n}</small></button>`
      : [];
  });
  const agents = [...new Set(story.entries.flatMap(({ agent, to }) => (to ? [agent, to] : [agent])))].sort();
  const options = agents.map((agent) => `<option>${escaped(agent)}</option>`);
  const older =
    story.leftOut > 0
      ? `<small>${counted(story.leftOut, "older entry", "older entries")} not shown</small>`
      : "";
  return `<section><h2 id="log-title">What happened${older}</h2>
<div class="filters">${chips.join("")}<select id="agent" aria-label="Agent"><option value="">Everybody</option>${options.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript><p class="empty">The log needs the script of this page.</p></noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`;
}

const dataOf = ({ from, to, zone, entries, lanes }: Story) => ({
  from,
  to,
  zone,
  tones: [...VERDICTS],
  entries,
  lanes: lanes.map(({ spans }) =>
    coarsened(spans, from, to, MOST_SPANS).map((span) => [span.state, span.from, span.to]),
  ),
});
