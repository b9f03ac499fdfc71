// The pictures of README and docs are screens of the story test. It holds the committed ones to what its own screens show at the same
// moment; with SWARM_PICTURES=<folder> it writes them (`npm run pictures`).
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { screenAsSvg, textOfSvg } from "./screen-svg.ts";
import type { Tui } from "./tui.ts";
import { ROOT, type World } from "./world.ts";

const COMMITTED = join(ROOT, "docs/pictures");
const COLUMNS = 160;

/** A terminal attached to the client's tmux: borders and status line are on its screen, too. It ends with that server. */
export interface Camera {
  world: World;
  socket: string;
  rows: number;
}

export function aCamera(world: World, screen: Tui, rows = 38): Camera {
  const inner = screen.tmux("display-message", "-p", "#{socket_path}");
  const camera = { world, socket: `${inner}-view`, rows };
  const size = ["-x", String(COLUMNS), "-y", String(rows)];
  tmux(camera, "-f", "/dev/null", "new-session", "-d", ...size, "--", "tmux", "-u", "-S", inner, "attach");
  return camera;
}

export function resize(camera: Camera, rows: number): void {
  tmux(camera, "resize-window", "-y", String(rows));
  camera.rows = rows;
}

const tmux = ({ world, socket }: Camera, ...words: string[]) =>
  execFileSync("tmux", ["-u", "-S", socket, ...words], { encoding: "utf8", env: world.env });

export interface Moment {
  name: string;
  about: string;
  /** What must be on the screen now, and in the picture. */
  shows: RegExp[];
}

export function takePicture(camera: Camera, { name, about, shows }: Moment): void {
  const text = tmux(camera, "capture-pane", "-e", "-p");
  const svg = screenAsSvg({
    text,
    columns: COLUMNS,
    rows: camera.rows,
    about,
    replaced: replacedIn(camera.world),
  });
  for (const sight of shows) expect(textOfSvg(svg)).toMatch(sight);
  const folder = process.env["SWARM_PICTURES"];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.svg`), svg);
  }
  const committed = textOfSvg(readFileSync(join(folder ?? COMMITTED, `${name}.svg`), "utf8"));
  for (const sight of shows) expect(committed, `docs/pictures/${name}.svg: npm run pictures`).toMatch(sight);
}

/** Where it ran does not matter to a reader, and few fonts have the client's signs. What follows stays in its column. */
const replacedIn = ({ project }: World): [string, string][] => [
  [project, "~/parser".padEnd(project.length)],
  ["⏵", "▸"],
  ["⏸", "‖"],
  ["⎿", "└"],
];
