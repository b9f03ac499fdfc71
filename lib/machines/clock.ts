// Times of the relay. Only the server's clock is compared with ours: those of other machines are never looked at.

/** A key's new value. */
export interface Change {
  key: string;
  text: string;
  revision: number;
  /** By the server's clock, in ms. */
  at: number;
}

export interface Clock {
  /** The server's clock minus ours, in ms. */
  clockMs: number;
}

/** How long ago something was that the server has stamped. */
export const ageOf = ({ clockMs }: Clock, at: number, now = Date.now()): number =>
  Math.max(0, now + clockMs - at);

/** Also where the clock was set back: what comes round every `ms` would otherwise wait until it is as late again. */
export const hasPassed = (ms: number, since: number, now: number): boolean => Math.abs(now - since) >= ms;
