// The two ways text gets into a page: between tags or in an attribute, and as data for the page's script. And times as text.
import { createHash } from "node:crypto";
import { escapeXml, toText, withPlainTexts } from "../../core/text.ts";

export const escaped = (text: string | number): string =>
  escapeXml(toText(text)).replaceAll('"', "&quot;").replaceAll("'", "&#39;");

/** For a page's policy: this style or script alone, byte for byte. */
export const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Inside `<script type="application/json">` only `</script` and `<!--` could end it: no `<` is left at all. */
export const embedded = (data: unknown): string =>
  JSON.stringify(data, withPlainTexts).replaceAll("<", "\\u003c");

const two = (n: number) => String(n).padStart(2, "0");

/** In the time zone of the machine that made the page: `zone` is in minutes east of Greenwich. */
export function clock(at: number, zone: number): { day: string; time: string } {
  const shifted = new Date(at + zone * 60_000).toISOString();
  return { day: shifted.slice(0, 10), time: shifted.slice(11, 16) };
}

export function zoneName(zone: number): string {
  if (zone === 0) return "UTC";
  const minutes = Math.abs(zone);
  return `UTC${zone < 0 ? "−" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const [large, rest, unit] =
    hours < 48 ? [`${hours} h`, minutes % 60, "min"] : [`${Math.floor(hours / 24)} d`, hours % 24, "h"];
  return rest > 0 ? `${large} ${rest} ${unit}` : large;
}
