import { aFilledHome } from "./torture/fixture.ts";
import { HOOKS, VERBS } from "./torture/operations.ts";

void (async () => {
  const { home, renew, remove } = await aFilledHome();
  for (const op of [...HOOKS, ...VERBS]) {
    renew();
    const r = await op.start(home);
    console.log(
      op.name,
      r.exitCode,
      Math.round(r.ms),
      r.stdout.slice(0, 90).replace(/\n/g, " "),
      "|",
      r.stderr.slice(0, 150),
    );
  }
  remove();
})();
