// Where a pid counts: a container that shares our home has processes of its own under the same numbers.
import { readlinkSync } from "node:fs";
import { readText } from "../core/read-file.ts";

let own: string | undefined;

/** This process's pid namespace, the kernel's boot and the host's name, in one word; empty where the system does not say. */
export function ownSpace(): string {
  own ??= asked(() => {
    const namespace = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    const boot = (readText("/proc/sys/kernel/random/boot_id") ?? "").slice(0, 8);
    const host = (readText("/proc/sys/kernel/hostname") ?? "").trim();
    return `${namespace}.${boot}.${host}`;
  });
  return own;
}

/**
 * What a process's space alone proves: nothing against a process in another container or on another machine, everything
 * against one from before this machine's last start. `undefined` where it is our own and the pid can be asked.
 */
export function lifeIn(space: string): "gone" | "unknown" | undefined {
  if (space === ownSpace()) return undefined;
  const [, boot, ...host] = space.split(".");
  const [, ownBoot, ...ownHost] = ownSpace().split(".");
  return boot !== ownBoot && host.join(".") === ownHost.join(".") ? "gone" : "unknown";
}

function asked(question: () => string): string {
  try {
    return question();
  } catch {
    return ""; // no /proc, or a hardened one
  }
}
