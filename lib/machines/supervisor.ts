// Replaces a courier that was killed, so that mail still reaches an idle session: no hook runs there. The courier replaces this process in
// the same way. Without the relay's client library, since all it does is look at a lock.
import { whileSessionsLive } from "./lifetime.ts";
import { type Calling, startCourier } from "./start.ts";
import { isCourierFresh, supervisorPath } from "./store/paths.ts";

/** False where another supervisor has the lock. */
export const superviseCourier = (calling: Calling): Promise<boolean> =>
  whileSessionsLive(calling.paths, supervisorPath(calling.paths), {
    look: (_, isAnyAlive) => {
      if (isAnyAlive && !isCourierFresh(calling.paths, Date.now())) startCourier(calling);
    },
  });
