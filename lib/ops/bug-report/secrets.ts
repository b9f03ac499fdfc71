// Text that is going to be shown to strangers: what looks like a secret, and what was quoted from a file, is taken out. Rather
// too much than too little: whoever reads it can ask.

const GONE = "[removed]";

const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g,
  /\b(?:gh[opusr]_|github_pat_|glpat-|xox[a-z]-|npm_|hf_)[A-Za-z0-9_-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  /(?<=\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}/gi,
  /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  /(?<=\b[\w-]*(?:password|passwd|secret|token|api[_-]?key|credential|authorization)[\w-]*["']?\s*[=:]\s*["']?)[^\s"',;]+/gi,
];

/** A session's id, and the name of a file that was set aside. */
const HARMLESS = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|corrupt-[\dTZ-]+)$/i;
/** Long, with letters and digits: a key, a hash or a token. */
const LONG = /(?<![\w+-])(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}={0,2}(?![\w+-])/g;

/** `known` are values that are secret because of where they stand. */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  const blunt = known.reduce((rest, value) => rest.replaceAll(value, GONE), text);
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, GONE), blunt).replace(LONG, (found) =>
    HARMLESS.test(found) ? found : GONE,
  );
}

/** An error's first line without what it quotes: parsers like to show a piece of the file they could not read. */
export const withoutQuotes = (error: string): string =>
  (error.split("\n")[0] ?? "")
    .replace(/"(?:[^"\\]|\\.)*"?/g, `"${GONE}"`)
    .replace(/(?<!\w)'([^']*)'/g, (whole, inner) => (/^[\w$.#-]{2,40}$/.test(inner) ? whole : `'${GONE}'`))
    .replace(/`([^`]*)`/g, (whole, inner) => (/^[\w $.<>=-]{1,60}$/.test(inner) ? whole : `\`${GONE}\``));
