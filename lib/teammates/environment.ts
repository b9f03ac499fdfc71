// The environment of a new client: the lead's variables, also where an older tmux server has others, without those that would give it
// the lead's identity.

export type Env = Readonly<Record<string, string | undefined>>;

export interface TeammateIdentity {
  team: string;
  agent: string;
  agentId: string;
  agentType: string | undefined;
  leadId: string | undefined;
}

/** The variables of Claude Swarm hooks. */
export function identityVariables(member: TeammateIdentity): Record<string, string> {
  return {
    CLAUDE_CODE_TEAM_NAME: member.team,
    CLAUDE_CODE_AGENT_ID: member.agentId,
    CLAUDE_CODE_AGENT_NAME: member.agent,
    CLAUDE_CODE_AGENT_TYPE: member.agentType ?? "teammate",
    CLAUDE_CODE_TEAM_LEAD_ID: member.leadId ?? "",
  };
}

/** Variables of one session and its process: with them a client would act as that session. The mode and the mission of Claude OS hooks
 * are passed on, or a teammate could do what its lead may not. */
export const SESSION_VARIABLES: readonly string[] = [
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
const TERMINAL_VARIABLES = new Set(
  "_ COLUMNS GPG_TTY KITTY_PID KITTY_WINDOW_ID LINES OLDPWD PWD SHLVL SSH_TTY STY TERM TERMINFO TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID TMUX TMUX_PANE WINDOW WINDOWID".split(
    " ",
  ),
);
/** Set first when there is not room for all. */
const NEEDED =
  /^(ANTHROPIC|ATM|AWS|CLAUDE|DISABLE|GOOGLE|IS_SANDBOX|NODE|SWARM)|_PROXY$|^(HOME|LANG|PATH|SHELL|USER)$/i;

/** For a headless process, which gets no other environment. */
export function wholeEnvironment(env: Env, own: Record<string, string>): Record<string, string> {
  return { ...Object.fromEntries(inherited(env)), ...own };
}

/** For a pane of a tmux server, which has its own environment: the variables that are missing or different there. */
export function missingEnvironment(
  env: Env,
  own: Record<string, string>,
  server: Env,
  roomBytes: number,
): { set: Record<string, string>; leftOut: string[] } {
  const differing = inherited(env).filter(([name, value]) => server[name] !== value && !(name in own));
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

function inherited(env: Env): [string, string][] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined || !/^[A-Za-z_]\w*$/.test(name) || isOwn(name) ? [] : [[name, value]],
  );
}

const isOwn = (name: string) => TERMINAL_VARIABLES.has(name) || SESSION_VARIABLES.includes(name);

/** `-e`, the name, `=`, the value and two terminators. */
const sizeOf = ([name, value]: [string, string]) => Buffer.byteLength(name) + Buffer.byteLength(value) + 6;
const rank = (pair: [string, string]) => (NEEDED.test(pair[0]) ? 0 : 1_000_000) + sizeOf(pair);
