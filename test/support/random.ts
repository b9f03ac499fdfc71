// Chance from a seed: the same run again, whenever something was found.

export interface Random {
  /** At least 0, below 1. */
  next: () => number;
  below: (limit: number) => number;
  pick: <T>(list: readonly T[]) => T;
  shuffled: <T>(list: readonly T[]) => T[];
}

export function randomness(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    shuffled: (list) => {
      const all = [...list];
      for (let at = all.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [all[at], all[other]] = [all[other] as never, all[at] as never];
      }
      return all;
    },
  };
}
