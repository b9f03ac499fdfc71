// A call of the client's SendMessage tool, as one shape whatever the client's version derives from it.

export interface Outgoing {
  to: string;
  kind: "message" | "broadcast" | "shutdown" | "other";
  /** Only what is meant to be read; `undefined` for the client's own protocol messages. */
  text: string | undefined;
  /** Whether `to` is a plain name: everything else (ids, sockets, sessions) is the client's to resolve. */
  isName: boolean;
}

export function asOutgoing(input: Record<string, unknown>): Outgoing {
  const to = textOf(input["to"]) ?? textOf(input["recipient"]) ?? "";
  const message = input["message"] ?? input["content"];
  const type =
    typeof message === "object" && message !== null ? (message as { type?: unknown }).type : input["type"];
  const kind = kindOf(to, type);
  const byName = input["recipient_kind"] === undefined || input["recipient_kind"] === "name";
  return {
    to,
    kind,
    text: kind === "message" || kind === "broadcast" ? (textOf(message) ?? "") : undefined,
    isName: byName && /^[\p{L}][\p{L}\p{N}_-]*$/u.test(to) && !/^a[0-9a-f]{16}$/.test(to),
  };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

function kindOf(to: string, type: unknown): Outgoing["kind"] {
  if (type === "shutdown_request") return "shutdown";
  if (to === "*" || type === "broadcast") return "broadcast";
  return type === undefined || type === "message" ? "message" : "other";
}
