// `swarm cost`: tokens and money by agent, task, model, team or day.
import { badCall, type Call } from "../cli/command.ts";
import { sinceOf } from "../cli/since.ts";
import { plainLine, shortened } from "../core/text.ts";
import { terminal, writeAll } from "../hook/environment.ts";
import { spentOf, spentText } from "./budget.ts";
import type { Unread } from "./store/cost-index.ts";
import { costsOf, GROUPS, type Group, type Row, type Sum } from "./store/costs.ts";
import { PRICES_OF } from "./store/prices.ts";
import { money, tokens } from "./store/summary.ts";

type CostCall = Call<Record<"team" | "since" | "by" | "session-id", "text">>;

/** The first run may have gigabytes to read; what is left is read by the next one. */
const LONGEST_MS = 120_000;
const PROGRESS_AFTER_MS = 700;

export function costVerb(call: CostCall) {
  const { flags, paths, now, loaded } = call;
  const group = groupOf(flags.by);
  const since = flags.since === undefined ? undefined : sinceOf(flags.since, now);
  const asked = { paths, now, prices: loaded.values["cost.prices"], since, team: flags.team };
  const reading = progress(call);
  const counting = costsOf(asked, { until: Date.now() + LONGEST_MS, progress: reading?.show });
  reading?.end();
  const { totals, rows } = counting.by(group);
  const spent = since || flags.team ? [] : spentOf(loaded.values, counting, now).map(spentText);
  const left = [...leftText(counting.unread), ...[...counting.leftOut].map(plainLine)];
  const data = {
    since: since?.toISOString() ?? null,
    totals,
    rows,
    ...(counting.unread.bytes > 0 ? { unread: counting.unread } : {}),
    ...(counting.leftOut.size > 0 ? { leftOut: [...counting.leftOut] } : {}),
  };
  if (totals.messages === 0 && rows.length === 0)
    return { text: [...left, nothing(flags.team, since)].join("\n"), data };
  const unpriced = (totals.noPrice ?? []).filter(Boolean).map(plainLine); // a record may name no model
  const notes = [
    ...left,
    ...(unpriced.length > 0
      ? [`no price for ${unpriced.join(", ")}: [cost.prices."${unpriced[0]}"] in your settings.toml sets one`]
      : []),
    ...spent,
    `prices of ${PRICES_OF}${Object.keys(asked.prices).length > 0 ? ", and yours" : ""}`,
  ];
  return { text: [costTable(group, rows, totals), "", ...notes].join("\n"), data };
}

function groupOf(by = "agent"): Group {
  const group = GROUPS.find((one) => one === by);
  if (!group) throw badCall(`--by is one of ${GROUPS.join(", ")}`);
  return group;
}

const nothing = (team: string | undefined, since: Date | undefined) =>
  `the transcripts hold no answer of a model${team ? ` in team ${team}` : ""}${since ? ` since ${since.toISOString()}` : ""}`;

const leftText = ({ files, bytes }: Unread): string[] =>
  bytes > 0
    ? [`not everything is read yet: ${megabytes(bytes)} MB in ${files} transcripts are left; run it again`]
    : [];

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);

/** On a terminal, once it takes longer than a moment. `end` ends its line, however much was read. */
function progress({ flags }: CostCall) {
  if (flags.json || !terminal().isTerminal) return undefined;
  const begun = Date.now();
  let shown = -1;
  const show = (read: number, all: number): void => {
    const percent = Math.floor((100 * read) / Math.max(1, all));
    if (Date.now() - begun < PROGRESS_AFTER_MS || percent === shown) return;
    shown = percent;
    writeAll(2, `\rreading transcripts: ${megabytes(read)} of ${megabytes(all)} MB (${percent} %)\u001b[K`);
  };
  const end = () => {
    if (shown >= 0) writeAll(2, "\n");
  };
  return { show, end };
}

// The costs as text: tokens in thousands and millions, money in dollars, the dearest first.
const LONGEST_KEY = 44;

const HEADS = ["", "INPUT", "OUTPUT", "CACHE READ", "WRITE 5M", "WRITE 1H", "MSGS", "USD"];

function costTable(title: string, rows: readonly Row[], totals: Sum): string {
  const lines = [...rows.map((row) => cells(nameOf(row), row)), cells("total", totals)];
  const heads = [title.toUpperCase(), ...HEADS.slice(1)];
  const widths = heads.map((head, n) => Math.max(head.length, ...lines.map((line) => line[n]?.length ?? 0)));
  const drawn = [heads, ...lines].map((line) =>
    line
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return drawn.join("\n");
}

const nameOf = ({ key, subject }: Row) =>
  shortened(plainLine(subject ? `${key} ${subject}` : key), LONGEST_KEY);

const cells = (name: string, sum: Sum): string[] => [
  name,
  ...[sum.input, sum.output, sum.cacheRead, sum.cacheWrite5m, sum.cacheWrite1h].map(tokens),
  String(sum.messages),
  money(sum),
];
