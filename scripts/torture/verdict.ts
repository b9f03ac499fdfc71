// Did it leave as it is meant to? A hook answers 0, or 2 where it wakes or denies in words; a verb may also say no.
import type { Operation } from "./operations.ts";
import type { Ran } from "./processes.ts";

export function isMeant({ isHook }: Pick<Operation, "isHook">, ran: Ran): boolean {
  const { exitCode, stdout, stderr, hung } = ran;
  if (hung || /\n\s+at /.test(stderr)) return false;
  if (exitCode === 0) return isHook ? stderr === "" : true;
  if (isHook) return exitCode === 2 && stderr !== "";
  return (
    (exitCode === 1 || exitCode === 2) && (stderr.startsWith("swarm: ") || (stderr === "" && stdout !== ""))
  );
}

/** Node could not start, or found no script: nothing of ours ran. */
export const neverStarted = ({ stderr }: Ran): boolean =>
  /Cannot find module '[^']*(dist\/hooks|bin\/swarm)|ENOENT.*dist.(scripts|hooks)|at toRealPath|could not be loaded|node: error|Assertion|epoll|Fatal/.test(
    stderr,
  );

export const described = ({ exitCode, signal, stderr, hung }: Ran): string =>
  `${hung ? "hangs, " : ""}exit ${exitCode ?? signal} ${stderr.trim().slice(0, 300)}`;
