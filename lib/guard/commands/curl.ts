// Programs that fetch from the network: what they print or save is text that was not read here.
import { baseName, resolvePath } from "../paths.ts";
import { writeFile, writeInto } from "../shell/file-effects.ts";
import { has, optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { FETCHED, report, type Shell, UNKNOWN } from "../shell/state.ts";

const CURL_OPTIONS = {
  short: "AbcCdDeEFhHKmoPQrtTuUwxXyYz",
  long: "output request header data data-raw data-binary form user url proxy max-time connect-timeout retry retry-delay cacert cert key user-agent cookie cookie-jar write-out output-dir json referer range dump-header config resolve".split(
    " ",
  ),
};

const fileOf = (url: string) => baseName(url.replace(/[?#].*$/s, "")) || "index.html";

function save(path: string, shell: Shell): string {
  if (path === "-" || path === "/dev/stdout") return FETCHED;
  writeFile(path, shell, FETCHED);
  return "";
}

const curl: Handler = (args, shell) => {
  const options = readOptions(args, CURL_OPTIONS);
  const directory = options.values.get("--output-dir") ?? ".";
  const urls = [...options.operands, optionValue(options, "--url") ?? ""].filter(Boolean);
  const method = optionValue(options, "-X", "--request") ?? "";
  if (
    /^delete$/i.test(method) &&
    urls.some((url) => /\/\/api\.github\.com\/repos\/|\/api\/v4\/projects\//.test(url))
  )
    report(shell, "git-delete-remote");
  const dump = optionValue(options, "-D", "--dump-header");
  if (dump) writeFile(dump, shell);
  const output = options.values.get("-o") ?? optionValue(options, "--output");
  if (output !== undefined) return save(directory === "." ? output : `${directory}/${output}`, shell);
  if (has(options, "-O", "--remote-name", "--remote-name-all")) {
    for (const url of urls) save(`${directory}/${fileOf(url)}`, shell);
    return "";
  }
  return has(options, "-I", "--head") ? UNKNOWN : FETCHED;
};

const WGET_OPTIONS = {
  short: "OPoaetTUQlADRI",
  long: "output-document directory-prefix output-file tries timeout user-agent header post-data user password".split(
    " ",
  ),
};

const wget: Handler = (args, shell) => {
  const options = readOptions(args, WGET_OPTIONS);
  const directory = optionValue(options, "-P", "--directory-prefix") ?? ".";
  const log = optionValue(options, "-o", "-a", "--output-file");
  if (log) writeFile(log, shell);
  const output = optionValue(options, "-O", "--output-document");
  if (output !== undefined) return save(output, shell);
  if (has(options, "--spider")) return UNKNOWN;
  for (const url of options.operands) save(`${directory}/${fileOf(url)}`, shell);
  return "";
};

const aria2c: Handler = (args, shell) => {
  const options = readOptions(args, { short: "dosx", long: ["dir", "out"] });
  const name = optionValue(options, "-o", "--out") ?? fileOf(options.operands[0] ?? "");
  return save(resolvePath(name, optionValue(options, "-d", "--dir") ?? shell.cwd), shell);
};

/** `scp host:file here` and `aws s3 cp s3://… here`. */
const scp: Handler = (args, shell) => {
  const options = readOptions(args, { short: "cFiJloPSDo" });
  const wrapped =
    optionValue(options, "-S", "-D") ?? /^ProxyCommand[= ](.+)$/is.exec(options.values.get("-o") ?? "")?.[1];
  if (wrapped) shell.run.code(wrapped, shell);
  const target = options.operands.at(-1) ?? "";
  const [source = ""] = options.operands;
  if (/^[^/]*:/.test(target)) {
    const remote = { ...shell, remote: { kind: "host" as const, mounts: [] } };
    writeFile(target.replace(/^[^/]*?:/, ""), remote);
  } else if (target === "." || target.endsWith("/")) save(`${target}/${baseName(source)}`, shell);
  else if (target) save(target, shell);
  return "";
};

const aws: Handler = (args, shell) => {
  const { operands } = readOptions(args, {
    long: ["profile", "region", "endpoint-url", "exclude", "include"],
  });
  const [service, verb = "", source = "", target = ""] = operands;
  if (service !== "s3" || !/^(cp|mv|sync)$/.test(verb)) return UNKNOWN;
  if (!source.startsWith("s3://") || target.startsWith("s3://")) return UNKNOWN;
  if (verb === "sync") return void writeInto(target, shell);
  return save(target.endsWith("/") || target === "." ? `${target}/${baseName(source)}` : target, shell);
};

const asRemote: Handler = () => FETCHED;

export const CURL = programs([
  ["curl", curl],
  ["wget", wget],
  ["aria2c", aria2c],
  ["scp", scp],
  ["aws", aws],
  ["gsutil", (args) => (args.includes("cat") || args.at(-1) === "-" ? FETCHED : UNKNOWN)],
  ["http https xh lynx w3m dig nslookup telnet", asRemote],
]);
