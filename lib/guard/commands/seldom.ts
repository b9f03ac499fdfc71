// The pages that few commands need, in a bundle of their own: whoever names one of their programs loads them all.
import type { Page } from "../handler.ts";
import { CARRIERS } from "./carriers.ts";
import { CLIENTS } from "./clients.ts";
import { MACHINE } from "./machine.ts";
import { PACKAGES } from "./packages.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PROCESSES } from "./processes.ts";
import { REMOTES } from "./remotes.ts";
import { TERMINALS } from "./terminals.ts";
import { TRANSFERS } from "./transfers.ts";

const PAGES: readonly Page[] = [
  TRANSFERS,
  PERMISSIONS,
  PROCESSES,
  TERMINALS,
  MACHINE,
  REMOTES,
  PACKAGES,
  CARRIERS,
  CLIENTS,
];

export const seldom = (): readonly Page[] => PAGES;
