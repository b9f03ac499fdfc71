// The context window of a model, as the client's own catalogue (2.1.325) has it. The size is in no hook's payload, and only the status
// line's input names it; a person without one is warned by this table.

const SMALL = 200_000;
const LARGE = 1_000_000;

/** `[1m]` behind a model's name asks for the large window. Some models with the small one can have the large by the account. */
const NATIVE_LARGE = /claude-(?:opus-4-[78]|(?:haiku|sonnet|opus|fable|mythos)-5)|\[1m\]/i;
const NATIVE_SMALL = /claude-(?:3|haiku-4|sonnet-4|opus-4)/i;

/** `undefined` for a model that is not known here, or a use that does not fit it. */
export function windowOfModel(model: string | undefined, used: number): number | undefined {
  if (model === undefined) return undefined;
  const size = NATIVE_LARGE.test(model) ? LARGE : NATIVE_SMALL.test(model) ? SMALL : undefined;
  return size === undefined || size >= used ? size : LARGE >= used ? LARGE : undefined;
}
