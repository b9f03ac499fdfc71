// What transcripts of a home cost, as the verb counts it.
import { costsOf, type Group } from "../../lib/people/store/costs.ts";
import type { Home } from "../support/a-home.ts";

export const NOW = new Date("2026-02-20T12:00:00Z");

export interface Asked {
  by?: Group;
  team?: string;
  since?: Date;
  prices?: Record<string, unknown>;
  until?: number;
}

export const counting = (
  home: Home,
  { team, since, prices = {}, until = Number.POSITIVE_INFINITY }: Asked = {},
) => costsOf({ paths: home.paths, now: NOW, prices, team, since }, { until });

export const costs = (home: Home, asked: Asked = {}) => counting(home, asked).by(asked.by ?? "agent");
