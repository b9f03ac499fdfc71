// The flags of the verbs here, apart from their code, which is a lazy part.
export const BUG_REPORT_FLAGS = { out: { type: "string" } } as const;

export const DOCTOR_FLAGS = { fix: { type: "boolean" }, yes: { type: "boolean" } } as const;

export const GC_FLAGS = {
  yes: { type: "boolean" },
  days: { type: "string" },
  all: { type: "boolean" },
} as const;

export const REPORT_FLAGS = {
  team: { type: "string" },
  since: { type: "string" },
  out: { type: "string" },
  all: { type: "boolean" },
  "session-id": { type: "string" },
} as const;
