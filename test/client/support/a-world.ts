// A world for one test: gone when the test ends, and telling what happened in it when the test fails.
import { onTestFailed, onTestFinished } from "vitest";
import { makeWorld, type World, type WorldOptions } from "./world.ts";

export async function aWorld(options: WorldOptions): Promise<World> {
  const world = await makeWorld(options);
  onTestFinished(world.dispose);
  onTestFailed(() => console.log(storyOf(world)));
  return world;
}

const storyOf = ({ model }: World) =>
  model.requests
    .map(({ script, step, line, agent }) => `${agent} ${script}[${step}] ${JSON.stringify(line)}`)
    .join("\n");
