// Quoted heredocs are text: taken out before the words are looked at. The shell ends one at the first line that is its mark.
import { isAmong } from "../../../parse/among.ts";

const MOST = 8;
/** The way commit messages are given, as the value of an option: `-m "$(cat <<'EOF' … EOF)"`. */
const AS_ARGUMENT = /(?<=\s-[\w-]+[ =])"\$\(cat <<'(\w+)'\n([\s\S]*?)\)"(?=[\s;&|)]|$)/;
/** Given on stdin. Who runs stdin as code has no plain call. */
const AS_INPUT = /<< ?(['"])(\w+)\1(?=[\s;&|<>)])([^\n]*)\n(?:[\s\S]*?\n)??\2(?=\n|$)/;

const isWhole = (body: string, mark: string) => {
  const lines = body.split("\n");
  const end = lines.indexOf(mark);
  return end >= 0 && lines.slice(end + 1).every((line) => line.trim() === "") && end < lines.length - 1;
};

/** Whether what stands behind `text` is code: no quote is open, and no comment. */
function endsInCode(text: string): boolean {
  if (text.includes("$'")) return false;
  let inside = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (inside === "#" ? sign === "\n" : inside !== "" && sign === inside) inside = "";
    else if (inside === "#" || inside === "'") continue;
    else if (sign === "\\") {
      at++;
      if (at === text.length) return false;
    } else if (inside === "" && (sign === "'" || sign === '"')) inside = sign;
    else if (inside === "" && sign === "#" && " \t\n;|&(".includes(text.charAt(at - 1))) inside = "#";
  }
  return inside === "";
}

/** Nothing stands before it that could read it. */
function isLeftAlone(before: string): boolean {
  const text = before.trimEnd();
  const word = /[^\s;&|(]{0,8}$/.exec(text)?.[0] ?? "";
  const isFirst = word === "" || before.slice(text.length).includes("\n");
  return isFirst || isAmong(word, "do then else elif if while time done fi !");
}

export function withoutTexts(command: string): string {
  if (!command.includes("<<") || command.split("<<").length > MOST) return command;
  let text = command;
  for (let found = AS_ARGUMENT.exec(text); found; found = AS_ARGUMENT.exec(text)) {
    const [whole, mark = "", body = ""] = found;
    if (!isWhole(body, mark) || !endsInCode(text.slice(0, found.index))) return command;
    text = `${text.slice(0, found.index)}'text'${text.slice(found.index + whole.length)}`;
  }
  for (let found = AS_INPUT.exec(text); found; found = AS_INPUT.exec(text)) {
    const [whole, , , rest = ""] = found;
    const before = text.slice(0, found.index);
    if (!endsInCode(before) || isLeftAlone(before)) return command;
    text = before + rest + text.slice(found.index + whole.length);
  }
  return text;
}
