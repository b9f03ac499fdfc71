// The stream of server-sent events: all of it to a browser that comes, then only what has changed.
import type { ServerResponse } from "node:http";
import { withPlainTexts } from "../../core/text.ts";
import type { EntryView, Sections } from "./snapshot.ts";

type Name = keyof Sections;

/** A browser that does not read is let go before it costs memory. */
const LARGEST_BACKLOG = 32 * 1024 * 1024;
export const MOST_BROWSERS = 20;

const event = (name: string, data: unknown) =>
  `event: ${name}\ndata: ${JSON.stringify(data, withPlainTexts)}\n\n`;

export interface Feed {
  browsers: () => number;
  add: (response: ServerResponse) => void;
  section: <N extends Name>(name: N, value: Sections[N]) => void;
  entries: (all: readonly EntryView[]) => void;
}

export function makeFeed(): Feed {
  const browsers = new Set<ServerResponse>();
  const sections = new Map<string, string>();
  let known = new Map<string, string>();

  const send = (text: string) => {
    for (const one of browsers)
      if (one.writableLength > LARGEST_BACKLOG) one.destroy();
      else one.write(text);
  };

  return {
    browsers: () => browsers.size,
    add: (response) => {
      browsers.add(response);
      response.on("close", () => browsers.delete(response));
      for (const text of sections.values()) response.write(text);
      response.write(
        event("entries", { whole: true, entries: [...known.values()].map((text) => JSON.parse(text)) }),
      );
    },
    section: (name, value) => {
      const text = event(name, value);
      if (sections.get(name) === text) return;
      sections.set(name, text);
      send(text);
    },
    entries: (all) => {
      const now = new Map(all.map((entry) => [entry.key, JSON.stringify(entry)]));
      const changed = all.filter(({ key }) => known.get(key) !== now.get(key));
      const gone = [...known.keys()].filter((key) => !now.has(key));
      known = now;
      if (changed.length > 0 || gone.length > 0) send(event("entries", { entries: changed, gone }));
    },
  };
}
