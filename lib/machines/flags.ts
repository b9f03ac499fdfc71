// The flags of `swarm relay`.
const text = { type: "string" } as const;

export const RELAY_FLAGS = {
  team: text,
  machine: { type: "string", multiple: true },
  creds: text,
  "token-file": text,
  ca: text,
  replicas: text,
  listen: text,
  store: text,
  provision: text,
} as const;
