// What is looked for in code as a whole: endless forks, kills of what was found, AppleScript.
import { report, type Shell, subshell } from "../shell/state.ts";
import type { Language } from "./tokens.ts";

const isForkBomb = (text: string) =>
  [
    /(\b|_)fork\s*(\(\s*\)\s*)?(while|until)\b/,
    /\bwhile\b[^;{:]{0,40}(\{|:|do\b)?[^;]{0,40}(\b|_)fork\s*(\(|;|\}|$)/,
    /\b(loop|forever)\s*(do|\{)[^}]{0,60}(\b|_)fork\b/,
    /\{\s*fork\s*;\s*redo\b/,
    /\bfor\s*\(\s*;\s*;\s*\)[^;]{0,60}(\b|_)(fork|spawn)\b/,
    /\brange\s*\(\s*(\d{4}|10\s*\*\*)[^\n]{0,30}:\s*[^\n]{0,40}\bfork\s*\(/,
    /\bfork\s*\(\s*\)\s*for\b[^\]]{0,60}(\b(iter|count|cycle|repeat)\s*\(|\brange\s*\(\s*(\d{4}|10\s*\*\*))/,
    /\bwhile\s*\(\s*(true|1)\s*\)[^;]{0,80}\bspawn\w*\s*\(\s*process\.(argv|execPath)/,
    /\bwhile\s+(True|1)\s*:\s*([\w.]*Popen\(|[\w.]+\(\s*target\s*=)/,
    /\bfor\b[^\n:]{0,40}\b(count|cycle|repeat|iter)\s*\([^\n]{0,20}:\s*[^\n]{0,40}\bfork\s*\(/,
    /\bwhile\s*\(\s*1\s*\)\s*(\{\s*)?system\([^)]*&\s*["']/,
  ].some((pattern) => pattern.test(text));

const killsFound = (text: string) =>
  /\b(process_iter|pids\(\)|GetProcessesByName|ps-list|psList|find-process)\b/.test(text) &&
  /\b(kill|terminate|send_signal|suspend|Kill)\s*\(/.test(text);

/** The output may be something else than what can be read here. */
export const mayDecode = (text: string) =>
  /\b(b64decode|fromhex|unhexlify|atob|decode64|base64_decode|decode_base64|decompress|rot_?13|chr\b|unpack|fromCharCode|pack\s*\(?\s*["'][HhmC])|%c|,\s*["']base64["']/.test(
    text,
  );

function appleScript(text: string, shell: Shell): void {
  for (const [, code = ""] of text.matchAll(/\bdo\s+(?:shell\s+)?script\s+"((?:\\.|[^"\\])*)"/gi))
    shell.run.code(code.replace(/\\(.)/g, "$1"), subshell(shell));
  if (/with administrator privileges/i.test(text)) report(shell, "elevate");
  if (/\b(shut down|restart|log out|sleep)\b/i.test(text) && /System Events|Finder|loginwindow/i.test(text))
    report(shell, "power");
}

export function checkWhole(text: string, language: Language, shell: Shell): void {
  if (isForkBomb(text)) report(shell, "fork-bomb");
  if (killsFound(text)) report(shell, "kill-by-search");
  if (/\bfetch\s*\(.*\.then\(\s*eval\s*\)/s.test(text)) report(shell, "remote-code");
  if (language === "osascript") appleScript(text, shell);
}
