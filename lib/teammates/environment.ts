// What a new client inherits. The lead's variables reach it whatever the age of the tmux server, and nothing reaches it
// that would make it take itself for the lead.

export type Env = Readonly<Record<string, string | undefined>>;

export interface Member {
  team: string;
  agent: string;
  agentId: string;
  agentType: string | undefined;
  leadId: string | undefined;
}

/** Seed 001's variables. */
export function identityVariables(member: Member): Record<string, string> {
  return {
    CLAUDE_CODE_TEAM_NAME: member.team,
    CLAUDE_CODE_AGENT_ID: member.agentId,
    CLAUDE_CODE_AGENT_NAME: member.agent,
    CLAUDE_CODE_AGENT_TYPE: member.agentType ?? "teammate",
    CLAUDE_CODE_TEAM_LEAD_ID: member.leadId ?? "",
  };
}

/** Variables of one session and its process: a client that inherits them speaks in another's name. The mode and the
 * mission (seed 002) do go on, or a teammate could do what its lead may not. */
export const OF_A_SESSION: readonly string[] = [
  "AGENT_ID",
  "AI_AGENT",
  "ATM_IDENTITY",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PID",
  "CLAUDE_PLUGIN_DATA",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_SESSION_ID",
  "CLAUDE_SESSION_ROLE",
];

/** Variables of one terminal: the new one has its own. */
const OF_A_TERMINAL = new Set(
  "_ COLUMNS GPG_TTY KITTY_PID KITTY_WINDOW_ID LINES OLDPWD PWD SHLVL SSH_TTY STY TERM TERMINFO TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID TMUX TMUX_PANE WINDOW WINDOWID".split(
    " ",
  ),
);
const NEEDED =
  /^(ANTHROPIC|ATM|AWS|CLAUDE|DISABLE|GOOGLE|IS_SANDBOX|NODE|SWARM)|_PROXY$|^(HOME|LANG|PATH|SHELL|USER)$/i;

/** For a process without a screen: everything, since nothing else gives it an environment. */
export function wholeEnvironment(env: Env, own: Record<string, string>): Record<string, string> {
  return { ...Object.fromEntries(handedOn(env)), ...own };
}

/** For a window of a server with an environment of its own: what it would lack or have otherwise. */
export function missingEnvironment(
  env: Env,
  own: Record<string, string>,
  server: Env,
  roomBytes: number,
): { set: Record<string, string>; leftOut: string[] } {
  const differing = handedOn(env).filter(([name, value]) => server[name] !== value && !(name in own));
  const ranked = differing.sort((a, b) => rank(a) - rank(b));
  const set: Record<string, string> = { ...own };
  const leftOut: string[] = [];
  let room = roomBytes - Object.entries(own).reduce((sum, pair) => sum + sizeOf(pair), 0);
  for (const pair of ranked) {
    const fits = sizeOf(pair) <= room;
    if (fits) set[pair[0]] = pair[1];
    else leftOut.push(pair[0]);
    if (fits) room -= sizeOf(pair);
  }
  return { set, leftOut };
}

function handedOn(env: Env): [string, string][] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined || !/^[A-Za-z_]\w*$/.test(name) || isBound(name) ? [] : [[name, value]],
  );
}

const isBound = (name: string) => OF_A_TERMINAL.has(name) || OF_A_SESSION.includes(name);

/** `-e`, the name, `=`, the value and two ends. */
const sizeOf = ([name, value]: [string, string]) => Buffer.byteLength(name) + Buffer.byteLength(value) + 6;
const rank = (pair: [string, string]) => (NEEDED.test(pair[0]) ? 0 : 1_000_000) + sizeOf(pair);
