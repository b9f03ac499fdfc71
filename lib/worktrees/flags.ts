// The flags of the verbs here, apart from their code, which is a lazy part.
const text = { type: "string" } as const;

export const CLAIM_FLAGS = { for: text, why: text, as: text } as const;
export const RELEASE_FLAGS = { as: text } as const;
export const RUNS_FLAGS = { all: { type: "boolean" }, last: text } as const;

export const WORKTREE_VERB_FLAGS = {
  team: text,
  all: { type: "boolean" },
  force: { type: "boolean" },
  "if-due": { type: "boolean" },
  "session-id": text,
} as const;
