// Quoted heredocs are text: taken out before the words are looked at. The shell ends one at the first line that is its mark.

const MOST = 8;
/** The way commit messages are given: `"$(cat <<'EOF' … EOF)"`. */
const AS_ARGUMENT = /"\$\(cat <<'(\w+)'\n([\s\S]*?)\)"/g;
/** Given on stdin. Who runs stdin as code has no plain call. */
const AS_INPUT = /<< ?(['"])(\w+)\1([^\n]*)\n(?:[\s\S]*?\n)??\2(?=\n|$)/g;

const isWhole = (body: string, mark: string) => {
  const lines = body.split("\n");
  const end = lines.indexOf(mark);
  return end >= 0 && lines.slice(end + 1).every((line) => line.trim() === "") && end < lines.length - 1;
};

export function withoutTexts(command: string): string {
  if (!command.includes("<<") || command.split("<<").length > MOST) return command;
  return command
    .replace(AS_ARGUMENT, (whole, mark: string, body: string) => (isWhole(body, mark) ? "'text'" : whole))
    .replace(AS_INPUT, "$3");
}
