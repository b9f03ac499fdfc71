// Where a teammate lives: a tmux pane or session, a kitty window, or without a screen.

export type Backend = "tmux" | "kitty" | "headless";

export interface Around {
  /** By flag, or by SWARM_MULTIPLEXER. */
  asked: string | undefined;
  insideTmux: boolean;
  kittySocket: string | undefined;
  hasTmux: boolean;
  hasKitty: boolean;
}

export type Choice = { backend: Backend } | { refusal: string };

export function whichBackend(environment: Around): Choice {
  const { asked, insideTmux, kittySocket, hasTmux, hasKitty } = environment;
  if (asked !== undefined && asked !== "auto") return asFar(asked, environment);
  if (insideTmux && hasTmux) return { backend: "tmux" };
  if (kittySocket && hasKitty) return { backend: "kitty" };
  return { backend: hasTmux ? "tmux" : "headless" };
}

function asFar(asked: string, { hasTmux, hasKitty, kittySocket }: Around): Choice {
  if (asked === "headless" || asked === "in-process") return { backend: "headless" };
  if (asked === "tmux")
    return hasTmux
      ? { backend: "tmux" }
      : { refusal: "tmux is not on the PATH; install it, or use --backend headless" };
  if (asked !== "kitty")
    return { refusal: `there is no backend ${JSON.stringify(asked)}; there are tmux, kitty and headless` };
  if (!hasKitty) return { refusal: "kitty is not on the PATH; use --backend tmux or --backend headless" };
  if (!kittySocket)
    return {
      refusal:
        "KITTY_LISTEN_ON is not set: kitty needs `allow_remote_control yes` and `listen_on unix:/tmp/kitty` in kitty.conf",
    };
  return { backend: "kitty" };
}
