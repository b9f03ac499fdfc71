// The scenarios in the order of the table.
import { clientProtocol } from "./client-protocol.ts";
import { clock } from "./clock.ts";
import { commits } from "./commits.ts";
import { fullDisk, noDescriptors, readOnly } from "./disks.ts";
import { faultPoints } from "./fault-points.ts";
import { load } from "./load.ts";
import { locks } from "./locks.ts";
import { machines } from "./machines.ts";
import { deletedState, replacedPlugin } from "./moving.ts";
import type { Scenario } from "./scenario.ts";

export const SCENARIOS: Scenario[] = [
  { name: "concurrent senders and readers, kill -9", ...load(6) },
  { name: "every other process killed", ...load(3, { killed: 2, crowd: { senders: 3, readers: 2 } }) },
  {
    name: "broadcasts to a large team, kill -9",
    ...load(3, { killed: 6, crowd: { senders: 3, readers: 32 } }),
  },
  faultPoints("kill -9 inside every store operation", 4, [{ act: "kill-before" }, { act: "kill-half" }]),
  faultPoints("injected: no space", 2, [
    { act: "ENOSPC", calls: ["writeFileSync", "writeSync", "mkdirSync", "openSync"], sticky: true },
  ]),
  faultPoints("injected: no descriptors", 2, [
    { act: "EMFILE", calls: ["openSync", "readFileSync", "writeFileSync", "readdirSync"], sticky: true },
  ]),
  faultPoints("injected: the disk fails", 1, [{ act: "EIO", calls: "all" }]),
  faultPoints("injected: rename fails", 1, [
    { act: "EXDEV", calls: ["renameSync"], sticky: true },
    { act: "EBUSY", calls: ["renameSync"] },
    { act: "ESTALE", calls: ["renameSync"] },
  ]),
  clock,
  locks,
  clientProtocol,
  commits,
  fullDisk,
  readOnly,
  noDescriptors,
  deletedState,
  replacedPlugin,
  ...machines,
];
